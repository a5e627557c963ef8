"""Novelty checks measured on a table of labelled ideas."""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands.bench_words import split_names
from core.commands.options import (
    Answer,
    add_numbers,
    add_repeatable,
    limits_of,
    models_of,
    pick,
    read_bytes,
    reply,
)
from core.commands.working import EXIT, work
from core.errors import BadInput, Parked
from core.experiments.novelty import NoveltyExperimentInputs
from core.export import document as reports
from core.importing.labelled import WHATS, labelled_in
from core.literature import spell
from core.records.novelty import Depth
from core.runs.beginning import begin, configure, usual_cap
from core.runs.estimates import of_novelty_experiment, paused, worded
from core.runs.novelty_checks import today
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop

BOTH: tuple[Depth, ...] = get_args(Depth)


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
        configure(shop, "novelty-experiment", inputs, **limits)
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
