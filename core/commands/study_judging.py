"""Model judges in a session: a seat for a model, and the run that fills it."""

import argparse

from core.commands.options import Answer, Verbs, limits_of
from core.commands.working import start
from core.errors import BadInput
from core.literature import spell
from core.records import StudySeat
from core.runs.beginning import seat_inputs
from core.runs.workshop import Workshop
from core.studies.model_seat import able, open_answers
from core.studies.organising import add_model

ENDED = ("declined", "withdrawn", "revoked")


def judge(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Have a model judge every unit of a session that it has not judged yet; --judge gives it a
    seat where it has none.
    """
    chosen = seat_of(shop, args.id, args.judge)
    inputs = seat_inputs(shop, chosen.id).model_copy(update={"at_once": args.at_once})
    title = f"{inputs.topic}: {chosen.model}"
    document, code = start(shop, "seat", inputs, title, source=spell("shelf"), **limits_of(args))
    return {
        **document,
        "study": args.id,
        "seat": chosen.id,
        "open": open_answers(shop.store, chosen.id),
    }, code


def seat_of(shop: Workshop, study: str, model: str | None) -> StudySeat:
    """Return a model's seat at a session, a new one where it has none; where none is named, the one
    that has still to answer. Raises BadInput.
    """
    shop.store.studies.get(study)
    seats = [one for one in shop.store.seats.of(study) if one.model and one.step not in ENDED]
    if model:
        able(shop.model(model), shop.store.studies.get(study).plan.task)
        return next((one for one in seats if one.model == model), None) or add_model(
            shop.store, study, model
        )
    waiting = [one for one in seats if open_answers(shop.store, one.id)] or seats
    if len(waiting) != 1:
        there = (
            f"There are {', '.join(one.model for one in waiting)}."
            if waiting
            else "No model has a seat yet."
        )
        raise BadInput(f"Say which model judges, with --judge MODEL. {there}")
    return waiting[0]


def words(verbs: Verbs) -> None:
    """Add the verb of this room to those of `study`."""
    made = verbs.add("judge", judge, verbs.caps)
    made.add_argument("id", help="the session")
    made.add_argument(
        "--judge", metavar="MODEL", help="the model that judges (default: the one that has a seat)"
    )
    made.add_argument("--seed", type=int, help="seed of the run")
    made.add_argument(
        "--at-once",
        type=int,
        choices=range(1, 65),
        default=8,
        metavar="N",
        help="how many units are asked side by side (default 8)",
    )
