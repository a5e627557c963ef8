"""Refining an idea, branching off from any round of it, and what people say in between."""

import argparse
import re
from pathlib import Path
from typing import Any, get_args

from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    configure,
    pick,
    replace_models,
)
from core.commands.working import start, work
from core.errors import BadInput
from core.export.document import summary
from core.files import read_text
from core.methods import RefineInputs
from core.methods.presets import PRESETS, indicator
from core.records import ACTORS, Indicator, Paper, Play, Variant, Wish
from core.runs.branching import branch, refinement_inputs
from core.runs.planning import (
    idea_from,
    pasted,
    played,
    refine_idea,
    refine_run,
    validated,
)
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.store.answers import wished

PLACE = re.compile(r"(idea-\d+/)?round-\d+/(idea|review)")
VARIANTS = get_args(Variant)


def refine(shop: Workshop, args: argparse.Namespace) -> Answer:
    goals = _goals(shop.store, args.indicator or ["novelty"], args.trait)
    play = played(args.variant or "infal", goals, args.max_rounds, args.patience, **_way(args))
    more: dict[str, Any] = {
        "same_form": not args.as_they_are,
        "target": idea_from(args.target) if args.target else None,
        "checklist": args.checklist,
        **pick(args, "lines", "repeats", "k"),
    }
    if context := _context(shop.store, args):
        more["context"] = context
    if args.run:
        inputs = refine_run(shop.store, args.run, play, args.area, args.line, **more)
    else:
        idea = idea_from(args.idea) if args.idea else None
        inputs = refine_idea(args.topic or "", idea, play, args.area, **more)
    title = inputs.idea.title if inputs.idea else inputs.topic
    return start(shop, "refine", inputs, title, **configure(args))


def branch_off(shop: Workshop, args: argparse.Namespace) -> Answer:
    runner = Runner(shop)
    parent = runner.own(args.id)
    was = refinement_inputs(parent).at(args.after + 1)
    goals = _goals(shop.store, args.indicator, args.trait) if args.indicator else was.goals
    rounds = was.rules.max_rounds if args.max_rounds is None else args.max_rounds
    patience = was.rules.patience if args.patience is None else args.patience
    way = {
        "order": was.order,
        "people": was.people,
        "step_in": was.step_in,
        **_way(args, only_given=True),
    }
    # A printed game stays one, as long as nothing is asked for that it does not have.
    way.setdefault(
        "printed",
        was.printed and args.variant in (None, "infal") and patience == 1 and not way["people"],
    )
    play = played(args.variant or was.variant, goals, rounds, patience, **way)
    wishes = _wishes(args)
    others = {
        role: name
        for role, name in replace_models(parent.config.models, args).items()
        if name != parent.config.models[role]
    }
    made = branch(runner, args.id, args.after, play, args.line or 1, wishes, others)
    return work(runner, made.id)


def wish(shop: Workshop, args: argparse.Namespace) -> Answer:
    run = Runner(shop).own(args.id)
    lines = refinement_inputs(run).lines
    if args.line and not 1 <= args.line <= lines:
        raise BadInput(f"Run {run.id} has no idea {args.line}; it refines {lines}.")
    if run.state == "done":
        raise BadInput(
            f"Run {run.id} is finished; no revision comes that could hear it. `python -m core"
            " branch` plays on from any round, with wishes."
        )
    wishes = _wishes(args)
    if not wishes:
        raise BadInput(
            "Say what is wished: --wish TEXT, --decline VERSION:REMARK, or --rewrite VERSION=FILE."
        )
    for one in wishes:
        shop.store.answers.wish(args.id, one)
    pending = [
        one.wish.model_dump(mode="json", exclude_defaults=True)
        for one in shop.store.answers.pending(args.id)
    ]
    return {**summary(shop.store.runs.get(args.id)), "pending": pending}, 0


def note(shop: Workshop, args: argparse.Namespace) -> Answer:
    Runner(shop).own(args.id)
    if not PLACE.fullmatch(args.about):
        raise BadInput(
            f"{args.about!r} is no place for a note. Write round-3/idea, round-0/review, or"
            " idea-2/round-1/idea."
        )
    made = shop.store.notes.add(args.id, args.about, args.text, args.by)
    return {**summary(shop.store.runs.get(args.id)), "note": made.model_dump(mode="json")}, 0


def _goals(store: Store, names: list[str], traits: list[str]) -> tuple[Indicator, ...]:
    kept = {one.name.casefold(): one for one in store.indicators.all()}
    if traits and len(names) > 1:
        raise BadInput(
            "--trait belongs to one --indicator. Keep qualities of your own in the Refine screen"
            " first, and name them here."
        )
    if traits:
        goal = indicator(names[0], tuple(traits))
        store.indicators.keep(goal)
        return (goal,)
    return tuple(
        (
            kept[name.casefold()]
            if name.casefold() in kept and name.lower() not in PRESETS
            else indicator(name)
        )
        for name in names
    )


def _way(args: argparse.Namespace, only_given: bool = False) -> dict[str, Any]:
    """Return how the game is played besides its variant, goals and rounds."""
    said: dict[str, Any] = {
        "order": "taking turns" if args.taking_turns else "one after the other",
        "printed": args.printed,
        "people": tuple(args.person),
        "step_in": args.step_in,
    }
    defaults = Play(goals=(PRESETS["novelty"],))
    return {
        name: value
        for name, value in said.items()
        if not only_given or value != getattr(defaults, name)
    }


def _context(store: Store, args: argparse.Namespace) -> tuple[Paper, ...]:
    found = []
    for name in args.paper:
        held = store.library.paper(name)
        if held is None:
            raise BadInput(
                f"The library has no paper {name!r}. `python -m core find TITLE` looks it up."
            )
        found.append(held)
    return (*found, *(pasted(read_text(args.abstracts)) if args.abstracts else ()))


def _wishes(args: argparse.Namespace) -> list[Wish]:
    line = args.line or 1
    own = [wished(text, args.by, line) for text in args.wish]
    declined = [
        {"decline": name, "of": _version(version)}
        for version, _, name in (one.partition(":") for one in args.decline)
    ]
    rewritten = [
        {"idea": idea_from(Path(path)), "of": _version(version)}
        for version, _, path in (one.partition("=") for one in args.rewrite)
    ]
    return [
        *own,
        *(validated(Wish, by=args.by, line=line, **one) for one in (*declined, *rewritten)),
    ]


def _version(said: str) -> int:
    if not said.isdigit():
        raise BadInput(
            f"{said!r} is no version of an idea: 0 is the first idea, 3 what round 3 made of it."
        )
    return int(said)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("refine", refine, verbs.asking, verbs.begin)
    start = made.add_mutually_exclusive_group(required=True)
    start.add_argument("--run", help="refine the idea of this run")
    start.add_argument("--idea", type=Path, help="a text or JSON file with an idea")
    start.add_argument("--topic", help="let the generator propose the first idea")
    made.add_argument("--area", default="", help="research area, as the actors are told it")
    ideas = "how many ideas are refined side by side (default {default})"
    add_numbers(made, RefineInputs, {"lines": ideas}, lines="ideas")
    made.add_argument(
        "--background",
        dest="k",
        type=int,
        metavar="K",
        help="how many papers are looked for where none is given (default 5; 0: none)",
    )
    add_repeatable(made, "--paper", "a paper of the library as background; repeatable", "ID")
    made.add_argument(
        "--abstracts", type=Path, help="a text file with abstracts, an empty line between them"
    )
    made.add_argument(
        "--target", type=Path, help="a published idea (text or JSON) to rank every version with"
    )
    repeats = "how often each ranking is asked (default {default})"
    add_numbers(made, RefineInputs, {"repeats": repeats})
    add_flag(
        made,
        "--checklist",
        "judge every version by the checklist too; its sum is shown beside the other scores",
    )
    add_flag(made, "--as-they-are", "rank ideas as they are, not brought into six fields first")
    _add_play(made)
    off = verbs.add("branch", branch_off, verbs.asking)
    off.add_argument("id")
    off.add_argument(
        "--after",
        type=int,
        required=True,
        metavar="ROUND",
        help="the last round that is shared; 0 is the first idea",
    )
    _add_play(off)
    _add_wishes(off)
    filing = verbs.add("wish", wish)
    filing.add_argument("id")
    _add_wishes(filing)
    filing.add_argument("--line", type=int, help="which of several ideas")
    noting = verbs.add("note", note)
    noting.add_argument("id")
    noting.add_argument(
        "about", help="where it belongs: round-3/idea, round-0/review, idea-2/round-1/idea"
    )
    noting.add_argument("text")
    noting.add_argument("--by", default="command line")


def _add_play(made: argparse.ArgumentParser) -> None:
    made.add_argument("--line", type=int, help="which of several ideas of the run goes on")
    made.add_argument("--variant", choices=VARIANTS, help="how the game is played (default infal)")
    add_repeatable(
        made, "--indicator", "novelty, feasibility, or one of your own with --trait; repeatable"
    )
    add_repeatable(made, "--trait", "what makes up a quality of your own; repeatable")
    add_flag(
        made,
        "--taking-turns",
        "with several indicators: a round for each in turn, not one after the other",
    )
    made.add_argument(
        "--max-rounds",
        type=int,
        help="for each indicator, 1 to 50 (default 10; 7 without discriminator)",
    )
    made.add_argument(
        "--patience",
        type=int,
        help=(
            "stop after this many rounds in a row without improvement (default 2; 1 for"
            " self-reflection)"
        ),
    )
    add_flag(
        made,
        "--printed",
        "play Algorithm 1 as printed: one call after the other, two reviews a round, patience 1",
    )
    add_repeatable(made, "--person", "an actor a person plays; repeatable", choices=ACTORS)
    add_flag(made, "--step-in", "wait for a person before every revision")


def _add_wishes(made: argparse.ArgumentParser) -> None:
    add_repeatable(made, "--wish", "a remark of your own for the next revision; repeatable", "TEXT")
    add_repeatable(
        made, "--decline", "a remark the next revision is not to answer, as 2:r1", "VERSION:REMARK"
    )
    add_repeatable(made, "--rewrite", "start the next revision from this text", "VERSION=FILE")
    made.add_argument("--by", default="command line", help="who says so")
