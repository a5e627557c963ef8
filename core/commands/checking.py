"""Checking whether an idea is new, overruling a cell of a check, and measuring checks on labelled
ideas.
"""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands.bench_words import split_names
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    configure,
    limits_of,
    models_of,
    pick,
    reply,
)
from core.commands.working import EXIT, start, work
from core.errors import BadInput, Parked
from core.experiments.novelty import NoveltyExperimentInputs
from core.export import document as reports
from core.files import read_bytes
from core.importing.labelled import WHATS, labelled_in
from core.literature import SOURCES, spell
from core.methods.inputs import NoveltyInputs
from core.records.novelty import Decided, Depth
from core.runs.beginning import begin, usual_cap
from core.runs.beginning import configure as configure_run
from core.runs.estimates import estimate, of_novelty_experiment, paused, worded
from core.runs.novelty_checks import at_hand, of_idea, of_run, overrule, today
from core.runs.planning import idea_from, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop

BOTH: tuple[Depth, ...] = get_args(Depth)


def check(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Check whether an idea is new: quickly, as a chain does, or with --deep claim by claim."""
    args.source = args.source or at_hand(shop.store.library, shop.chosen_source())
    if args.check_labelled:
        return measure(shop, args)
    inputs = _inputs(shop, args)
    if args.estimate:
        asked = configure(args)
        config = shop.config("novelty", inputs, **asked)
        guess = estimate("novelty", inputs.model_dump(mode="json"), config.models)
        pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
        said = " ".join(filter(None, (f"Estimated: {worded(guess)}", pause)))
        return reply("listed", estimate=guess.model_dump(), in_words=said)
    return start(shop, "novelty", inputs, f"Novelty of {inputs.topic}", **configure(args))


def _inputs(shop: Workshop, args: argparse.Namespace) -> NoveltyInputs:
    given = [one for one in (args.file, args.run, args.kept) if one]
    if len(given) != 1:
        raise BadInput(
            "Say which idea is checked: a file, --run ID (with --idea N where it has several), or"
            " --kept ID of an idea on the page Ideas."
        )
    how = {
        "depth": "deep" if args.deep else "quick",
        "full_text": not args.no_full_text,
        **pick(args, "papers", "around", "before"),
        **({"ban": tuple(args.ban)} if args.ban else {}),
    }
    if args.run:
        return of_run(shop.store, args.run, args.idea, args.dated, **how)
    idea = shop.store.ideas.get(args.kept).idea if args.kept else idea_from(Path(args.file))
    return of_idea(idea, args.dated, **how)


def rule(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Put a person's word in the place of what the reader found in one cell."""
    runner = Runner(shop)
    made = overrule(runner, args.id, args.claim, args.work, args.state, args.reason, args.by)
    return work(runner, made.id)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("novelty", check, verbs.asking, verbs.caps, verbs.sampling, verbs.looking)
    made.add_argument("file", nargs="?", help="a file with the idea: text, or JSON of its fields")
    made.add_argument("--run", metavar="ID", help="check the idea of this run")
    made.add_argument("--idea", type=int, metavar="N", help="with --run: which of its ideas")
    made.add_argument("--kept", metavar="ID", help="check this idea of the page Ideas")
    add_flag(made, "--deep", "claim by claim, each near work read against every claim")
    made.add_argument(
        "--dated",
        metavar="YYYY-MM-DD",
        help="the idea's own date: nothing from then on anticipates it (default: today, or when its"
        " run ended)",
    )
    helps = {
        "papers": "near works that are read, {ge} to {le} (default {default})",
        "around": "near works whose citations are followed, {ge} to {le} (default {default})",
    }
    add_numbers(made, NoveltyInputs, helps)
    add_flag(made, "--no-full-text", "read abstracts only, fetch no PDF")
    add_flag(made, "--estimate", "say what it would take, and start nothing")
    made.add_argument(
        "--source",
        help=f"where to look, every source side by side: {', '.join(SOURCES)} (default: as chosen"
        " in Settings, with your own literature where there is any)",
    )
    made.add_argument("--seed", type=int, help="seed of the run")
    add_measuring(made)
    ruling = verbs.add("overrule", rule)
    ruling.add_argument("id", help="a novelty check")
    ruling.add_argument("--claim", type=int, required=True, metavar="N", help="number of the claim")
    ruling.add_argument("--work", required=True, metavar="ID", help="id of the work's paper")
    ruling.add_argument("--state", choices=get_args(Decided), required=True)
    ruling.add_argument("--reason", required=True, help="why, in a sentence")
    ruling.add_argument("--by", default="command line", help="who says so")


# -- checks measured on a table of labelled ideas ------------------------------------------------


def measure(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Check every labelled idea of a table and say how far the checks agree with its labels."""
    file: Path = args.check_labelled
    data = read_bytes(file)
    held, layout, out = labelled_in(file.name, data, _given(args), args.new, args.known)
    judges = split_names(args.judge) or [models_of(args).get("main") or shop.chosen("main")]
    inputs = validated(
        NoveltyExperimentInputs,
        topic=args.name or f"Novelty checks on {file.name}",
        data=shop.store.frozen.keep(held),
        ideas=args.limit or len(held.ideas),
        depths=tuple(dict.fromkeys(args.depth)) or (("deep",) if args.deep else BOTH),
        judges=tuple(judges),
        dated=args.dated or today(),
        before=args.before,
        full_text=not args.no_full_text,
        **pick(args, "seeds", "papers", "around", "at_once"),
    )
    told: dict[str, Any] = {
        "mapping": layout.as_read(),
        "ideas": len(held.ideas),
        "labelled_known": sum(one.known for one in held.ideas),
        "refused": [row.model_dump() for row in out],
    }
    limits = {**limits_of(args), "source": spell(args.source)}
    if args.estimate:
        configure_run(shop, "novelty-experiment", inputs, **limits)
        guess = of_novelty_experiment(inputs)
        pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
        read = f"{len(held.ideas)} labelled ideas, {told['labelled_known']} of them known."
        said = " ".join(filter(None, (read, f"Estimated: {worded(guess)}", pause)))
        return reply("listed", **told, estimate=guess.model_dump(), in_words=said)
    runner = Runner(shop)
    run = begin(runner, "novelty-experiment", inputs, inputs.topic, **limits)
    document, _ = work(runner, run.id)
    ended = runner.store.runs.get(run.id)
    took = {
        "runs_made": runner.store.runs.spent(run.id)["runs"],
        **reports.usage(runner.store.runs.with_runs_made(ended)),
    }
    return {**document, **told, **took}, EXIT.get(document["state"], Parked.exit_code)


def _given(args: argparse.Namespace) -> dict[str, list[str]]:
    """Return the columns that were named, by what they are; raises BadInput."""
    given: dict[str, list[str]] = {}
    for one in args.map:
        what, sign, column = one.partition("=")
        if what not in WHATS or not sign or not column:
            raise BadInput(
                f"--map {one!r}: say WHAT=COLUMN, where WHAT is one of {', '.join(WHATS)}."
            )
        given.setdefault(what, []).append(column)
    return given


def add_measuring(made: argparse.ArgumentParser) -> None:
    """Add the options that measure checks on labelled ideas."""
    made.add_argument(
        "--check-labelled",
        type=Path,
        metavar="FILE",
        help="measure checks on a table of ideas (CSV, JSON, JSONL) of which people said whether"
        " they were known: agreement, false “new”, false “known”, cost",
    )
    add_repeatable(
        made,
        "--map",
        f"with --check-labelled: what a column is: {', '.join(WHATS)}; repeatable; what is not"
        " said is taken from the columns' names",
        "WHAT=COLUMN",
    )
    add_repeatable(made, "--new", "with --check-labelled: a label that says new", "LABEL")
    add_repeatable(made, "--known", "with --check-labelled: a label that says known", "LABEL")
    add_repeatable(
        made, "--depth", "with --check-labelled: repeatable (default: both)", choices=BOTH
    )
    add_repeatable(
        made, "--judge", "with --check-labelled: models that check, 8 at most; repeatable", "A,B"
    )
    made.add_argument("--limit", type=int, help="with --check-labelled: so many ideas")
    helps = {
        "seeds": "with --check-labelled: how often each is checked (default {default})",
        "at_once": "with --check-labelled: checks worked on at once (default {default})",
    }
    add_numbers(made, NoveltyExperimentInputs, helps)
    made.add_argument("--name", help="with --check-labelled: what it is called in lists")
