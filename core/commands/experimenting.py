"""Experiment matrices and relative ranking: fill a matrix, extend it, rank ideas with a target."""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands import evaluating
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    change_caps,
    limits_of,
    pick,
    reply,
)
from core.commands.working import EXIT, start, work
from core.errors import BadInput, Parked
from core.experiments import SweepInputs
from core.experiments.contenders import Contender
from core.experiments.progress import progress
from core.experiments.targets import freeze, of_run
from core.export import document as reports
from core.files import read_bytes
from core.importing.targets import pasted_targets, targets_in
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.literature import spell
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
    given = _pick_matrix(shop, args)
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
            "rules": validated(Stopping, **pick(args, "max_rounds", "patience")),
            **given,
        },
    )
    if args.estimate:
        can_be_filled(shop, inputs)
        guess = of_matrix(inputs)
        pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
        said = " ".join(filter(None, (f"Estimated: {worded(guess)}", pause)))
        mind = [pause] if pause else []
        return reply("listed", estimate=guess.model_dump(), mind=mind, in_words=said)
    runner, source = Runner(shop), spell(args.source)
    return _work(
        runner, begin(runner, "sweep", inputs, inputs.topic, source=source, **limits_of(args))
    )


def extend_experiment(shop: Workshop, args: argparse.Namespace) -> Answer:
    runner = Runner(shop)
    parent = must_be(runner.own(args.id), "sweep", f"Run {args.id} is no experiment.")
    was, given = parent.inputs_as(SweepInputs), _pick_matrix(shop, args)
    grown = {
        name: (
            *getattr(was, name),
            *(one for one in given.pop(name, ()) if one not in getattr(was, name)),
        )
        for name in ("methods", "models", "indicators", "targets", "judges")
    }
    whole = validated(SweepInputs, **{**was.model_dump(), **grown, **given})
    if args.estimate:
        return _foresee(runner, parent, was, whole)
    made = extend(runner, parent.id, whole)
    change_caps(shop, made.id, args)
    return _work(runner, made)


def _foresee(runner: Runner, parent: Run, was: SweepInputs, whole: SweepInputs) -> Answer:
    """Say what an extension would take; raises BadInput where it could not begin."""
    runner.notice_dead()
    can_grow(runner.store.runs.get(parent.id))
    can_be_filled(runner.workshop, whole, parent.config.edition)
    counts = progress(runner.store, parent).counts
    again = counts["failed"] + counts["left"]
    notes = [
        f"{counted(again, 'cell')} of {parent.id} {'is' if again == 1 else 'are'} not done; asking"
        f" for {'it' if again == 1 else 'them'} comes on top."
    ]
    return reply(
        "listed",
        extends=parent.id,
        estimate=new_in_matrix(was, whole, parent.config.edition).model_dump(),
        not_done=again,
        notes=notes if again else [],
    )


def rank(shop: Workshop, args: argparse.Namespace) -> Answer:
    judges = tuple(args.judge) or (() if args.person else (shop.chosen("judge"),))
    if len(set(judges)) < len(judges):
        raise BadInput("A judge is named twice.")
    ideas = {f"{n}: {path.stem}": idea_from(path) for n, path in enumerate(args.ideas, 1)}
    target = idea_from(args.target) if args.target else None
    one = validated(IdeaSet, name="final", ideas=ideas, target=target)
    judged_by = "models"
    if args.person:
        judged_by = "both" if judges else "person"
    # An empty one is what a script hands over that was given none.
    area = {"area": args.area} if args.area else {}
    inputs = validated(
        RankInputs,
        topic=args.name or "Ranking",
        goals=_qualities(shop.store, args.indicator or ["novelty"]),
        sets=(one,),
        same_form=not args.as_they_are,
        judged_by=judged_by,
        **pick(args, "repeats"),
        **area,
    )
    models = {
        f"judge-{n}" if n > 1 else "judge": name for n, name in enumerate(judges or ("builtin",), 1)
    }  # Where a person ranks alone, it is not asked.
    document, code = start(shop, "rank", inputs, inputs.topic, models=models, **limits_of(args))
    stands = {
        name: one.model_dump(mode="json")
        for name, one in Story.of(shop.store, document["run"]).parts
        if isinstance(one, Standing)
    }
    return {**document, "standings": stands}, code


def _work(runner: Runner, run: Run) -> Answer:
    document, _ = work(runner, run.id)
    return {**document, **sum_up(runner.store, runner.store.runs.get(run.id))}, EXIT.get(
        document["state"], Parked.exit_code
    )


def sum_up(store: Store, run: Run) -> dict[str, Any]:
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


def _pick_matrix(shop: Workshop, args: argparse.Namespace) -> dict[str, Any]:
    """Return what a command says of a matrix; what it leaves out is not there."""
    said: dict[str, Any] = {
        "methods": tuple(args.method),
        "models": tuple(args.on),
        "indicators": _qualities(shop.store, args.indicator),
        "judges": tuple(args.judge),
        "targets": _targets(shop.store, args),
        "topic": args.name,
        "every_round": args.every_round or None,
        "same_form": False if args.as_they_are else None,
        **pick(args, "n", "repeats", "area", "at_once", "checklist_judge"),
    }
    return {name: value for name, value in said.items() if value not in ((), None)}


def _targets(store: Store, args: argparse.Namespace) -> tuple[FrozenTarget, ...]:
    """Freeze the targets of every run and file that is named; raises BadInput that says what is
    wrong with each.
    """
    found: list[Target] = []
    faults: list[str] = []
    for pasted, names in ((False, args.targets), (True, args.abstracts)):
        for name in names:
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
    read = pasted_targets if pasted else targets_in
    return read(path.name, read_bytes(path), topic)


def _qualities(store: Store, names: list[str]) -> tuple[Indicator, ...]:
    kept = {
        one.name.casefold(): one
        for one in store.indicators.all()
        if one.name.lower() not in PRESETS
    }
    return tuple(kept.get(name.casefold()) or indicator(name) for name in names)


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    trying, inner = verbs.with_own("experiment", experiment, verbs.begin)
    evaluating.words(inner, verbs)
    _add_matrix(trying)
    quiet = "rounds in a row without improvement after which a refinement stops (default {default})"
    rounds = "of a refinement, {ge} to {le} (default {default})"
    add_numbers(trying, Stopping, {"max_rounds": rounds, "patience": quiet})
    trying.add_argument(
        "--checklist-judge",
        metavar="MODEL",
        help="who judges evolutions by the checklist (default: the model that writes them)",
    )
    add_flag(trying, "--no-ranking", "have ideas written, and nobody rank them")
    add_flag(trying, "--estimate", "say what it would take at most, and start nothing")
    growing = verbs.add("extend", extend_experiment, verbs.caps)
    growing.add_argument("id")
    add_flag(growing, "--estimate", "say what is new and what it would take, and start nothing")
    _add_matrix(growing)
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
        help="a published idea to rank them with, which gives Q",
    )
    add_flag(
        ranking,
        "--person",
        "have a person rank them, blind, before the judges named; alone where none is named",
    )
    ranking.add_argument("--seed", type=int, help="of the shuffles")
    _add_judging(ranking)


def _add_matrix(made: argparse.ArgumentParser) -> None:
    add_repeatable(
        made, "--method", "who writes ideas; repeatable (default infal)", choices=CONTENDERS
    )
    add_repeatable(made, "--on", "a model that plays every role of a method; repeatable", "MODEL")
    add_repeatable(
        made,
        "--targets",
        "a run that built a dataset of targets, or a file with them: .csv, .json, .jsonl, or"
        " pasted abstracts as .txt; repeatable",
        "RUN|FILE",
    )
    add_repeatable(
        made,
        "--abstracts",
        "pasted abstracts as targets, one a paragraph: title, a line `Topic: ...`, abstract;"
        " repeatable",
        "FILE",
    )
    made.add_argument(
        "--topic",
        help=(
            "what methods are told of pasted abstracts that name no topic, in a line that gives no"
            " idea away"
        ),
    )
    ideas = "ideas per cell, ranked with the target, {ge} to {le} (default {default})"
    add_numbers(made, SweepInputs, {"n": ideas}, n="ideas")
    add_flag(made, "--every-round", "rank the ideas of every round, not only the last")
    add_numbers(made, SweepInputs, {"at_once": "cells worked on at once (default {default})"})
    _add_judging(made)


def _add_judging(made: argparse.ArgumentParser) -> None:
    add_repeatable(made, "--judge", "a model that ranks; repeatable", "MODEL")
    add_repeatable(
        made,
        "--indicator",
        "novelty, feasibility, or one kept before; repeatable (default novelty)",
    )
    repeats = "how often each ranking is asked, {ge} to {le} (default {default})"
    add_numbers(made, RankInputs, {"repeats": repeats})
    add_flag(made, "--as-they-are", "rank ideas as they are, not brought into six fields first")
    made.add_argument(
        "--area",
        help=(
            "research area, as the actors are told it; in an experiment, for targets without a"
            " category"
        ),
    )
    made.add_argument("--name", help="what it is called in lists")
