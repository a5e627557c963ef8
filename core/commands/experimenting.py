"""Experiment matrices and relative ranking: fill a matrix, extend it, rank ideas with a target."""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, limited
from core.commands.working import EXIT, start, work
from core.errors import BadInput, Parked
from core.experiments import SweepInputs
from core.experiments.contenders import Contender
from core.experiments.progress import progress
from core.experiments.targets import freeze, of_run
from core.export import document as reports
from core.importing.targets import pasted_targets, targets_in
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.literature import spelled
from core.methods.presets import PRESETS, indicator
from core.records import FrozenTarget, Indicator, Run, Standing, Standings, Stopping, Target
from core.runs.beginning import begin, can_be_filled, usual_cap
from core.runs.estimates import of_matrix, paused, worded
from core.runs.extending import can_grow, extend, new_in_matrix
from core.runs.planning import idea_from, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, must_be
from core.story import Story
from core.wording.numbers import counted

CONTENDERS = get_args(Contender)


def experiment(shop: Workshop, args: argparse.Namespace) -> Answer:
    given = _given(shop, args)
    if "targets" not in given:
        raise BadInput(
            "Say which published ideas the others are ranked with: --targets RUN, --targets FILE or"
            " --abstracts FILE."
        )
    inputs = validated(
        SweepInputs,
        **{
            "methods": ("infal",),
            "models": (shop.chosen("generator"),),
            "indicators": (PRESETS["novelty"],),
            "topic": "Experiment",
            "judges": () if args.no_ranking else (shop.chosen("judge"),),
            "rules": _rules(args, Stopping()),
            **given,
        },
    )
    if args.estimate:
        can_be_filled(shop, inputs)
        guess = of_matrix(inputs)
        pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap)
        said = " ".join(filter(None, (f"Estimated: {worded(guess)}", pause)))
        return {
            **nothing("listed"),
            "estimate": guess.model_dump(),
            "mind": [pause] if pause else [],
            "in_words": said,
        }, 0
    runner, source = Runner(shop), spelled(args.source)
    return _worked(
        runner, begin(runner, "sweep", inputs, inputs.topic, source=source, **limited(args))
    )


def extended(shop: Workshop, args: argparse.Namespace) -> Answer:
    runner = Runner(shop)
    parent = must_be(runner.own(args.id), "sweep", f"Run {args.id} is no experiment.")
    was, given = parent.inputs_as(SweepInputs), _given(shop, args)
    grown = {
        name: (
            *getattr(was, name),
            *(one for one in given.pop(name, ()) if one not in getattr(was, name)),
        )
        for name in ("methods", "models", "indicators", "targets", "judges")
    }
    whole = validated(SweepInputs, **{**was.model_dump(), **grown, **given})
    if args.estimate:
        return _foreseen(runner, parent, was, whole), 0
    made = extend(runner, parent.id, whole)
    if args.cap is not None or args.cap_tokens is not None:
        shop.store.runs.change(
            made.id,
            **{
                name: value
                for name, value in (("cap_usd", args.cap), ("cap_tokens", args.cap_tokens))
                if value is not None
            },
        )
    return _worked(runner, made)


def _foreseen(runner: Runner, parent: Run, was: SweepInputs, whole: SweepInputs) -> dict[str, Any]:
    """Return what an extension would take; raises BadInput where it could not begin."""
    runner.notice_dead()
    can_grow(runner.store.runs.get(parent.id))
    can_be_filled(runner.workshop, whole, parent.config.edition)
    counts = progress(runner.store, parent).counts
    again = counts["failed"] + counts["left"]
    notes = [
        f"{counted(again, 'cell')} of {parent.id} {'is' if again == 1 else 'are'} not done; asking"
        f" for {'it' if again == 1 else 'them'} comes on top."
    ]
    return {
        **nothing("listed"),
        "extends": parent.id,
        "estimate": new_in_matrix(was, whole, parent.config.edition).model_dump(),
        "not_done": again,
        "notes": notes if again else [],
    }


def rank(shop: Workshop, args: argparse.Namespace) -> Answer:
    judges = tuple(args.judge) or (() if args.person else (shop.chosen("judge"),))
    if len(set(judges)) < len(judges):
        raise BadInput("A judge is named twice.")
    ideas = {f"{n}: {path.stem}": idea_from(path) for n, path in enumerate(args.ideas, 1)}
    one = validated(
        IdeaSet, name="final", ideas=ideas, target=idea_from(args.target) if args.target else None
    )
    inputs = validated(
        RankInputs,
        topic=args.name or "Ranking",
        goals=_qualities(shop.store, args.indicator or ["novelty"]),
        sets=(one,),
        repeats=args.repeats,
        same_form=not args.as_they_are,
        judged_by="models" if not args.person else "both" if judges else "person",
        **({"area": args.area} if args.area else {}),
    )
    models = {
        f"judge-{n}" if n > 1 else "judge": name for n, name in enumerate(judges or ("builtin",), 1)
    }  # Where a person ranks alone, it is not asked.
    document, code = start(shop, "rank", inputs, inputs.topic, models=models, **limited(args))
    stands = {
        name: one.model_dump(mode="json")
        for name, one in Story.of(shop.store, document["run"]).parts
        if isinstance(one, Standing)
    }
    return {**document, "standings": stands}, code


def _worked(runner: Runner, run: Run) -> Answer:
    document, _ = work(runner, run.id)
    return {**document, **summed(runner.store, runner.store.runs.get(run.id))}, EXIT.get(
        document["state"], Parked.exit_code
    )


def summed(store: Store, run: Run) -> dict[str, Any]:
    """Return what all runs of an experiment took together, how many cells are in which state, and
    each cell with its Q by judge.
    """
    found, spent = progress(store, run), store.runs.spent(run.id)
    stands = {one.cell.rank_by(one.judge): one for one in Story.of(store, run.id).all(Standings)}
    q = {place: one.q for place, one in stands.items()}
    rows = [
        {
            **one.cell.model_dump(),
            "title": one.title,
            "state": one.state,
            "reason": one.reason,
            "runs": {part.name: part.run for part in one.pieces},
            "q": {part.by: q[part.name] for part in one.pieces if part.name in q},
        }
        for one in found.cells
    ]
    return {
        "runs_made": spent["runs"],
        "calls": spent["calls"],
        **reports.usage(store.runs.with_runs_made(run)),
        "cells": found.counts,
        "matrix": rows,
    }


def _given(shop: Workshop, args: argparse.Namespace) -> dict[str, Any]:
    """Return what a command says of a matrix; what it leaves out is not there."""
    said: dict[str, Any] = {
        "methods": tuple(args.method),
        "models": tuple(args.on),
        "indicators": _qualities(shop.store, args.indicator),
        "judges": tuple(args.judge),
        "targets": _targets(shop.store, args),
        "n": args.ideas,
        "repeats": args.repeats,
        "area": args.area,
        "topic": args.name,
        "at_once": args.at_once,
        "checklist_judge": getattr(args, "checklist_judge", None),
        "every_round": args.every_round or None,
        "same_form": False if args.as_they_are else None,
    }
    return {name: value for name, value in said.items() if value not in ((), None)}


def _rules(args: argparse.Namespace, was: Stopping) -> Stopping:
    given = {"max_rounds": args.max_rounds, "patience": args.patience}
    return validated(
        Stopping,
        **{
            **was.model_dump(),
            **{name: value for name, value in given.items() if value is not None},
        },
    )


def _targets(store: Store, args: argparse.Namespace) -> tuple[FrozenTarget, ...]:
    """Freeze the targets of every run and file that is named; raises BadInput that says what is
    wrong with each.
    """
    found: list[Target] = []
    faults: list[str] = []
    for name, pasted in (
        *((name, False) for name in args.targets),
        *((name, True) for name in args.abstracts),
    ):
        try:
            found += _targets_of(store, name, pasted, args.topic or "")
        except BadInput as error:
            faults.append(str(error))
    if faults:
        raise BadInput("\n".join(faults))
    return freeze(store, found) if args.targets or args.abstracts else ()


def _targets_of(store: Store, name: str, pasted: bool, topic: str) -> tuple[Target, ...]:
    path = Path(name)
    if not (pasted or path.exists() or path.suffix):
        return of_run(store, name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}).") from None
    return pasted_targets(path.name, data, topic) if pasted else targets_in(path.name, data, topic)


def _qualities(store: Store, names: list[str]) -> tuple[Indicator, ...]:
    kept = {
        one.name.casefold(): one
        for one in store.indicators.all()
        if one.name.lower() not in PRESETS
    }
    return tuple(kept.get(name.casefold()) or indicator(name) for name in names)


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    trying = verbs.add("experiment", experiment, verbs.begin)
    _spanning(trying)
    trying.add_argument("--max-rounds", type=int, help="of a refinement, 1 to 50 (default 10)")
    trying.add_argument(
        "--patience",
        type=int,
        help="rounds in a row without improvement after which a refinement stops (default 2)",
    )
    trying.add_argument(
        "--checklist-judge",
        metavar="MODEL",
        help="who judges evolutions by the checklist (default: the model that writes them)",
    )
    trying.add_argument(
        "--no-ranking", action="store_true", help="have ideas written, and nobody rank them"
    )
    trying.add_argument(
        "--estimate", action="store_true", help="say what it would take at most, and start nothing"
    )
    growing = verbs.add("extend", extended, verbs.caps)
    growing.add_argument("id")
    growing.add_argument(
        "--estimate",
        action="store_true",
        help="say what is new and what it would take, and start nothing",
    )
    _spanning(growing)
    ranking = verbs.add("rank", rank, verbs.caps, verbs.sampling)
    ranking.add_argument(
        "--ideas",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="text or JSON files, an idea in each",
    )
    ranking.add_argument(
        "--target",
        type=Path,
        metavar="FILE",
        help="a published idea to rank them with; without one there is an order and no Q",
    )
    ranking.add_argument(
        "--person",
        action="store_true",
        help="have a person rank them, blind, before the judges named; alone where none is named",
    )
    ranking.add_argument("--seed", type=int, help="of the shuffles")
    _judging(ranking, repeats=5)


def _spanning(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--method",
        action="append",
        default=[],
        choices=CONTENDERS,
        help="who writes ideas; repeatable (default infal)",
    )
    made.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="MODEL",
        help="a model that plays every role of a method; repeatable",
    )
    made.add_argument(
        "--targets",
        action="append",
        default=[],
        metavar="RUN|FILE",
        help=(
            "a run that built a dataset of targets, or a file with them: .csv, .json, .jsonl, or"
            " pasted abstracts as .txt; repeatable"
        ),
    )
    made.add_argument(
        "--abstracts",
        action="append",
        default=[],
        metavar="FILE",
        help=(
            "pasted abstracts as targets, one a paragraph: title, a line `Topic: ...`, abstract;"
            " repeatable"
        ),
    )
    made.add_argument(
        "--topic",
        help=(
            "what methods are told of pasted abstracts that name no topic, in a line that gives no"
            " idea away"
        ),
    )
    made.add_argument(
        "--ideas", type=int, help="ideas per cell, ranked with the target, 1 to 8 (default 3)"
    )
    made.add_argument(
        "--every-round",
        action="store_true",
        help="rank the ideas of every round, not only the last",
    )
    made.add_argument("--at-once", type=int, help="cells worked on at once (default 12)")
    _judging(made, repeats=None)


def _judging(made: argparse.ArgumentParser, repeats: int | None) -> None:
    made.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="MODEL",
        help="a model that ranks; repeatable",
    )
    made.add_argument(
        "--indicator",
        action="append",
        default=[],
        help="novelty, feasibility, or one kept before; repeatable (default novelty)",
    )
    made.add_argument(
        "--repeats",
        type=int,
        default=repeats,
        help="how often each ranking is asked, 1 to 20 (default 5)",
    )
    made.add_argument(
        "--as-they-are",
        action="store_true",
        help="rank ideas as they are, not brought into six fields first",
    )
    made.add_argument(
        "--area",
        default=None,
        help=(
            "research area, as the actors are told it; in an experiment, for targets without a"
            " category"
        ),
    )
    made.add_argument("--name", default=None, help="what it is called in lists")
