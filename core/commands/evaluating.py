"""The verb of checklist experiments: generators compared on held-out questions."""

import argparse
from typing import Any, get_args

from core.commands.bench_words import split_names
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    limits_of,
    pick,
    reply,
)
from core.commands.training import taught
from core.commands.working import EXIT, work
from core.errors import BadInput, Parked
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.checklist.cells import Mode
from core.experiments.checklist.outcome import caveats, independence, outcome
from core.experiments.checklist.progress import checklist_progress
from core.experiments.checklist.results import collect
from core.experiments.checklist.tables import tables
from core.export import document as reports
from core.export.dumps import dump_all
from core.records import Run
from core.runs.beginning import begin, can_be_evolved, usual_cap
from core.runs.estimates import of_checklist_experiment, paused, worded
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.training.data import HELD_OUT

BOTH: tuple[Mode, ...] = get_args(Mode)


def evaluate(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Compare generators by the checklist on held-out questions, informed and uninformed
    (EvoIdeator, tables 1 and 2).
    """
    inputs = _inputs(shop.store, args)
    if args.estimate:
        can_be_evolved(shop, inputs)
        guess = of_checklist_experiment(inputs)
        pause = paused(guess, args.cap_tokens or usual_cap(guess), args.cap_usd)
        notes = [*caveats(shop.store, inputs), *filter(None, (pause,))]
        said = " ".join([f"Estimated: {worded(guess)}", *notes])
        return reply(
            "listed",
            data_sha=inputs.data,
            estimate=guess.model_dump(),
            mind=notes,
            in_words=said,
        )
    runner = Runner(shop)
    run = begin(runner, "checklist-experiment", inputs, inputs.topic, **limits_of(args))
    document, _ = work(runner, run.id)
    ended = runner.store.runs.get(run.id)
    return {**document, **sum_up(runner.store, ended)}, EXIT.get(
        document["state"], Parked.exit_code
    )


def _inputs(store: Store, args: argparse.Namespace) -> ChecklistExperimentInputs:
    generators, providers = split_names(args.generators), split_names(args.providers)
    if not generators or not args.scorer:
        raise BadInput(
            "Say who writes, with --generators A,B, who gives directives, with --providers C, and"
            " who scores, with --scorer D. `python -m core models` lists who can be reached."
        )
    data = taught(store, args.questions, args.held_out)
    if not data.held_out:
        raise BadInput("These data hold out no question. Hold out some with --held-out.")
    return validated(
        ChecklistExperimentInputs,
        topic=args.name or "Checklist experiment",
        data=store.frozen.keep(data),
        questions=args.limit or len(data.held_out),
        generators=tuple(generators),
        modes=BOTH if args.modes == "both" else (args.modes,),
        providers=tuple(providers),
        scorer=args.scorer,
        **pick(args, "steps", "at_once"),
    )


def sum_up(store: Store, run: Run) -> dict[str, Any]:
    """Return what an experiment found, what all its runs took together, and each cell."""
    held, cells = collect(store, run), checklist_progress(store, run)
    spent = store.runs.spent(run.id)
    return {
        "runs_made": spent["runs"],
        "calls": spent["calls"],
        **reports.usage(store.runs.with_runs_made(run)),
        "found": list(outcome(held)),
        "scoring": independence(store, held.asked),
        "tables": dump_all(tables(held)),
        "cells": cells.counts,
        "matrix": dump_all(cells.cells),
    }


def words(inner: Verbs, verbs: Verbs) -> None:
    """Add the verb under `experiment`."""
    made = inner.add("checklist", evaluate, verbs.caps, verbs.sampling)
    made.add_argument(
        "--questions",
        required=True,
        metavar="RUN|FILE|HASH",
        help="the held-out part of what a policy is taught with, given as `train` takes it",
    )
    made.add_argument(
        "--held-out",
        type=int,
        default=HELD_OUT,
        help=f"how many are held out, of a run or a file (default {HELD_OUT})",
    )
    made.add_argument("--limit", type=int, help="how many of these are answered (default all)")
    add_repeatable(
        made, "--generators", "models that write and revise ideas, 8 at most; repeatable", "A,B"
    )
    add_repeatable(made, "--providers", "models that give directives, 4 at most; repeatable", "A,B")
    made.add_argument("--scorer", metavar="MODEL", help="the one model that scores all ideas")
    made.add_argument(
        "--modes",
        choices=(*BOTH, "both"),
        default="both",
        help="revised by directives, by the model itself, or both (default)",
    )
    helps = {
        "steps": "ideas one after the other, {ge} to {le} (default {default}: one revision)",
        "at_once": "questions worked on at once, each with one generator (default {default})",
    }
    add_numbers(made, ChecklistExperimentInputs, helps)
    made.add_argument("--name", help="what it is called in lists")
    made.add_argument("--seed", type=int, help="seed of the run")
    add_flag(made, "--estimate", "say what it would take, and start nothing")
