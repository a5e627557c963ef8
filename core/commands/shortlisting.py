"""From a topic to a shortlist: all methods together, in one run."""

import argparse
from pathlib import Path
from typing import Any

from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    configure,
    count,
    pick,
    reply,
)
from core.commands.working import start, work
from core.files import read_bytes
from core.importing.ideas_alone import ideas_in
from core.methods.inputs import ShortlistInputs
from core.methods.presets import PRESETS, indicator
from core.records import STAGES, Choices, Idea, Stopping
from core.runs import beginning
from core.runs.estimates import estimate, paused, worded
from core.runs.novelty_checks import today
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import must_be

ASKED_AFTER = tuple(stage for stage in STAGES if stage != "shortlist")
"""Stages after which a person may be asked."""


def shortlist(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Go from a topic to the few ideas that are worth working on."""
    told: dict[str, Any] = {}
    own: tuple[Idea, ...] = ()
    if args.from_:
        read = ideas_in(args.from_.name, read_bytes(args.from_))
        own = read.ideas
        told["refused"] = [row.model_dump() for row in read.refused]
    inputs = _inputs(args, own)
    asked = configure(args)
    if args.estimate:
        config = beginning.configure(shop, "shortlist", inputs, **asked)
        guess = estimate("shortlist", config.inputs, config.models)
        pause = paused(guess, config.cap_tokens, args.cap_usd)
        said = " ".join(filter(None, (f"Estimated: {worded(guess)}", pause)))
        return reply("listed", **told, estimate=guess.model_dump(), in_words=said)
    document, code = start(shop, "shortlist", inputs, args.topic, **asked)
    return {**document, **told}, code


def _inputs(args: argparse.Namespace, own: tuple[Idea, ...]) -> ShortlistInputs:
    given = pick(args, "branches", "ideas", "length", "novelty_rounds", "papers", "keep", "designs")
    if own and "branches" not in given:
        given["branches"] = 0
    asks = ASKED_AFTER if args.ask else tuple(dict.fromkeys(args.stop_after))
    rules = ShortlistInputs.model_fields["rules"].default.model_dump()
    if args.indicator:
        given["goals"] = tuple(indicator(name) for name in args.indicator)
    elif args.no_refining:
        given["goals"] = ()
    return validated(
        ShortlistInputs,
        topic=args.topic,
        before=args.before,
        ban=tuple(args.ban),
        own=own,
        full_text=not args.no_full_text,
        rules=validated(Stopping, **{**rules, **pick(args, "max_rounds", "patience")}),
        revise=args.revise,
        checklist=not args.no_checklist,
        dated=args.dated or today(),
        ask_after=asks,
        **given,
    )


def choose(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Have a word on the ideas after a stage: answer where the shortlist waits for it, else fork it
    there, which pays only for what the word changes.
    """
    runner = Runner(shop)
    must_be(shop.store.runs.get(args.id), "shortlist", f"Run {args.id} is no shortlist.")
    added = ideas_in(args.add.name, read_bytes(args.add)).ideas if args.add else ()
    choices = validated(
        Choices,
        dropped=tuple(args.drop),
        pinned=tuple(args.pin),
        put_back=tuple(args.put_back),
        added=added,
        by=args.by,
    )
    key = f"{args.after}/choices"
    if any(one.key == key for one in shop.store.answers.open(args.id)):
        given = choices.model_dump(mode="json")
        return work(runner, args.id, lambda run_id: runner.answer(run_id, key, given, args.by))
    return work(runner, runner.fork_edited(args.id, key, choices).id)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("shortlist", shortlist, verbs.asking, verbs.begin, verbs.looking)
    made.add_argument("topic", help="what you want ideas about")
    helps = {
        "keep": "ideas on the shortlist, {ge} to {le} (default {default})",
        "branches": (
            "chains it explores with, {ge} to {le}; 0 begins with --from alone (default {default},"
            " and 0 with --from)"
        ),
        "ideas": "ideas of each branch, {ge} to {le} (default {default})",
        "length": "papers per chain at most, 1 to {le} (default {default})",
        "novelty_rounds": "how often a known idea is replaced at most (default {default})",
        "papers": "near works read for each refined idea, {ge} to {le} (default {default})",
        "designs": "for how many of them an experiment is designed (default {default})",
    }
    add_numbers(made, ShortlistInputs, helps, keep="ideas", ideas="ideas-per-branch")
    made.add_argument(
        "--from",
        dest="from_",
        type=Path,
        metavar="FILE",
        help="ideas of your own (CSV, JSON, JSONL, Markdown), which enter after exploring",
    )
    add_repeatable(
        made,
        "--indicator",
        f"refine for this quality ({', '.join(PRESETS)}); repeatable, one after the other (default:"
        " novelty, then feasibility)",
        "NAME",
    )
    add_flag(made, "--no-refining", "leave the ideas as they are")
    made.add_argument("--max-rounds", type=int, help="rounds of a refinement at most (default 3)")
    made.add_argument(
        "--patience", type=int, help="verdicts without improvement that end it (default 1)"
    )
    add_flag(made, "--revise", "revise each refined idea once by the checklist")
    add_flag(made, "--no-checklist", "judge the compared ideas by no checklist")
    add_flag(made, "--no-full-text", "read abstracts only, fetch no PDF")
    made.add_argument(
        "--dated",
        metavar="YYYY-MM-DD",
        help="the day the ideas are written: nothing from then on anticipates them (default:"
        " today)",
    )
    add_repeatable(
        made,
        "--stop-after",
        "wait for a person's word after this stage (then: answer); repeatable",
        choices=ASKED_AFTER,
    )
    add_flag(made, "--ask", "wait for a person's word after every stage")
    add_flag(made, "--estimate", "say what it would take, and start nothing")
    choosing = verbs.add("choose", choose)
    choosing.add_argument("id", help="a shortlist")
    choosing.add_argument("--after", required=True, choices=ASKED_AFTER, help="after which stage")
    for name, about in (
        ("drop", "set this idea aside"),
        ("pin", "keep this idea whatever is found"),
        ("put-back", "go on with this idea's form before it was refined"),
    ):
        choosing.add_argument(
            f"--{name}",
            action="append",
            type=count,
            default=[],
            metavar="N",
            help=f"{about}; repeatable",
        )
    choosing.add_argument("--add", type=Path, metavar="FILE", help="ideas that are added")
    choosing.add_argument("--by", default="command line", help="who says so")
