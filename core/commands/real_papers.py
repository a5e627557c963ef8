"""Topics, ideas and experiments of many published papers at once, confirmed in one go."""

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
    pick,
    reply,
)
from core.commands.working import work
from core.errors import BadInput
from core.files import read_text
from core.methods.real_papers import RealPapersInputs
from core.records import LeftOut, RealPaper, Run, TopicList
from core.runs.beginning import begin
from core.runs.estimates import estimate, worded
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, must_be
from core.story import Story

LONGEST_NAME = 256
"""Letters of a file's name; longer ones are refused by the system."""


def real_papers(shop: Workshop, args: argparse.Namespace) -> Answer:
    if args.show:
        run = must_be(shop.store.runs.get(args.show), "real-papers", "That is no run of these.")
        told = tell(shop.store, run)
        words = [f"{told['usable']} papers can be used, {len(told['left_out'])} cannot."]
        words += [f"  {one['paper']}: {one['reason']}" for one in told["left_out"]]
        if told["list"]:
            words.append(f"Frozen as {told['list']}.")
        return reply("listed", **told, in_words="\n".join(words))
    ids = list(args.ids)
    if args.ids_from:
        lines = (line.partition("#")[0].strip() for line in read_text(args.ids_from).splitlines())
        ids += filter(None, lines)
    for said in args.ids:
        if len(said) < LONGEST_NAME and Path(said).is_file():
            raise BadInput(
                f"{said} is a file, and no paper's id. For the ids in it add --ids-from before its"
                " name."
            )
    inputs = validated(
        RealPapersInputs,
        topic=args.name or "Real papers",
        ids=tuple(ids),
        since=args.since,
        until=args.until,
        venues=tuple(args.venue),
        words=args.words or "",
        full_text=not args.no_full_text,
        confirm=not args.unconfirmed,
        **pick(args, "most", "at_once"),
    )
    if args.estimate:
        models = {"main": args.model or shop.chosen("main")}
        guess = estimate("real-papers", inputs.model_dump(mode="json"), models)
        return reply("listed", estimate=guess.model_dump(), in_words=f"Estimated: {worded(guess)}")
    runner = Runner(shop)
    run = begin(runner, "real-papers", inputs, inputs.topic, **configure(args))
    document, code = work(runner, run.id)
    return {**document, **tell(shop.store, runner.store.runs.get(run.id))}, code


def tell(store: Store, run: Run) -> dict[str, Any]:
    """Return which papers can be used, which cannot and why, and the hash of the frozen list."""
    story = Story.only(store, run.id, RealPaper, LeftOut, TopicList)
    held = story.last(TopicList)
    lost = [
        {"paper": one.paper.id, "title": one.paper.title, "reason": one.reason}
        for one in story.all(LeftOut)
    ]
    return {
        "usable": len(story.all(RealPaper)),
        "left_out": lost,
        "topics": [one.topic for one in held.topics] if held else [],
        "confirmed_by": held.confirmed_by if held else "",
        "list": held.digest() if held else "",
    }


def words(verbs: Verbs) -> None:
    """Add this module's verb to the command line."""
    made = verbs.add("real-papers", real_papers, verbs.asking, verbs.begin)
    made.add_argument("ids", nargs="*", metavar="ID", help="DOIs, arXiv ids or ids of the source")
    made.add_argument(
        "--ids-from", type=Path, metavar="FILE", help="a text file with an id in each line"
    )
    made.add_argument("--since", metavar="DAY", help="first day of a window, YYYY-MM-DD")
    made.add_argument("--until", metavar="DAY", help="last day of a window, YYYY-MM-DD")
    add_repeatable(made, "--venue", "a venue of the window; repeatable")
    made.add_argument("--words", help="words of title or abstract, in the source's own syntax")
    helps = {
        "most": "papers of a window that are tried (default {default})",
        "at_once": "papers read at once (default {default})",
    }
    add_numbers(made, RealPapersInputs, helps)
    add_flag(made, "--no-full-text", "read the abstracts only")
    add_flag(made, "--unconfirmed", "freeze the list without a person's word on its topics")
    made.add_argument("--name", help="what the list is called")
    made.add_argument("--show", metavar="RUN", help="say what came of a run of these")
    add_flag(made, "--estimate", "say what it would take, and start nothing")
