"""Checking whether an idea is new, overruling a cell of a check, and measuring checks on labelled
ideas.
"""

import argparse
from pathlib import Path
from typing import get_args

from core.commands.measuring_novelty import add_measuring, measure
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    configure,
    pick,
    reply,
)
from core.commands.working import start, work
from core.errors import BadInput
from core.literature import SOURCES
from core.methods.inputs import NoveltyInputs
from core.records.novelty import Decided
from core.runs.beginning import usual_cap
from core.runs.estimates import estimate, paused, worded
from core.runs.novelty_checks import at_hand, of_idea, of_run, overrule
from core.runs.planning import idea_from
from core.runs.runner import Runner
from core.runs.workshop import Workshop


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
