"""The organiser's side of a session: drafts, seats and their links, opening, handing units out
anew, closing, unblinding.
"""

import random
import secrets

from core.errors import BadInput
from core.records import (
    Assignment,
    ItemKey,
    SeatStep,
    Study,
    StudyItem,
    StudyPlan,
    StudySeat,
    StudyUnit,
    Task,
)
from core.records.base import digest
from core.store import Store, now
from core.store.study_keys import lines
from core.studies import dealing, sharing
from core.studies.sitting import hashed, secret

SHAPES: dict[Task, tuple[int, int]] = {
    "rate": (1, 1),
    "rank": (2, 12),
    "compare": (2, 2),
    "comment": (1, 1),
}
"""How many texts a unit of a task has, at least and at most."""
LEFT: tuple[SeatStep, ...] = ("declined", "withdrawn", "revoked")
NAME = 200
"""Characters of a study's name, at most."""


def work_units(store: Store, study_id: str) -> list[StudyUnit]:
    """Return the units that experts judge: all but the checks of attention."""
    keys = store.study_keys.units(study_id)
    checks = {unit for unit, key in keys.items() if key.attention}
    return [one for one in store.studies.units(study_id) if one.id not in checks]


# -- drafts ------------------------------------------------------------------------------------


def create(store: Store, plan: StudyPlan) -> Study:
    """Keep a new draft."""
    study = Study(id=secrets.token_hex(4), plan=plan, state="draft", created=now())
    store.studies.add(study)
    return study


def copied(store: Store, study_id: str) -> Study:
    """Return a new draft with the plan, texts and units of a study, and without its seats and
    answers.

    Labels are drawn anew: who may look at a draft's sources must not learn those of a study that is
    open.
    """
    plan = store.studies.get(study_id).plan
    with store.connections.writing():
        made = create(store, plan.model_copy(update={"name": f"{plan.name[: NAME - 7]} (copy)"}))
        known = store.study_keys.items(study_id)
        # Labels of attention checks stay, since their one right answer names them.
        judged = [label for label, key in known.items() if not key.attention]
        drawn = random.SystemRandom().sample(judged, len(judged))
        anew = {label: label for label in known} | dict(zip(judged, drawn, strict=True))
        keys = lines(
            tuple(key.model_copy(update={"label": anew[label]}) for label, key in known.items()),
            tuple(store.study_keys.units(study_id).values()),
        )
        items = tuple(
            StudyItem(label=anew[label], sha=sha)
            for label, sha in store.studies.items(study_id).items()
        )
        units = tuple(
            one.model_copy(update={"labels": tuple(sorted(anew[label] for label in one.labels))})
            for one in store.studies.units(study_id)
        )
        store.studies.fill(made.id, items, units, keys)
    return made


def remove(store: Store, study_id: str) -> None:
    """Delete a study with its seats and answers; raises BadInput while it is open."""
    with store.connections.writing():
        if store.studies.get(study_id).state == "open":
            raise BadInput("Close the session first: experts may be at work in it.")
        store.studies.remove(study_id)


# -- open and closed ---------------------------------------------------------------------------


def open_study(store: Store, study_id: str) -> Study:
    """Freeze a draft under the hash of its configuration, hand the units out, and let experts in.

    Raises BadInput where it has no units, where a unit does not have the task's shape, and where
    there are fewer experts than are to answer each unit.
    """
    with store.connections.writing():
        study = store.studies.get(study_id)
        store.studies.turn(study_id, "draft", "open", _configuration(store, study))
        _ready(store, study)
        _deal(store, study)
    return store.studies.get(study_id)


def _configuration(store: Store, study: Study) -> str:
    """Return the SHA-256 of the plan, the texts' hashes by label, and the units."""
    return digest(
        {
            "plan": study.plan.model_dump(mode="json"),
            "items": store.studies.items(study.id),
            "units": [one.model_dump(mode="json") for one in store.studies.units(study.id)],
        }
    )


def _ready(store: Store, study: Study) -> None:
    known = store.studies.items(study.id)
    fewest, most = SHAPES[study.plan.task]
    people = [one for one in store.seats.of(study.id) if not one.model and one.step not in LEFT]
    if not work_units(store, study.id):
        raise BadInput("There is nothing to judge yet. Choose texts first.")
    for unit in store.studies.units(study.id):
        if not fewest <= len(unit.labels) <= most or set(unit.labels) - set(known):
            raise BadInput(
                f"Unit {unit.id} does not have the texts that the task asks for. Choose the texts"
                " again."
            )
    if len(people) < study.plan.overlap:
        raise BadInput(
            f"Each unit is to be answered by {study.plan.overlap} experts, and there are"
            f" {len(people)} seats for experts. Add seats, or ask for fewer answers to each unit."
        )


def close(store: Store, study_id: str) -> Study:
    """End a study: no link opens anything any more, and what was submitted is kept."""
    store.studies.get(study_id)
    store.studies.turn(study_id, "open", "closed")
    return store.studies.get(study_id)


def unblind(store: Store, study_id: str, by: str) -> dict[str, ItemKey]:
    """Return what every label hides, and write down who looked; raises BadInput before the study is
    closed.
    """
    store.studies.get(study_id)
    store.studies.unblind(study_id, by)
    return store.study_keys.items(study_id)


# -- seats -------------------------------------------------------------------------------------


def add_seat(store: Store, study_id: str, name: str) -> tuple[StudySeat, str]:
    """Make a seat for a person and return it with its link's secret, which is shown this once; in
    an open study it takes over its share of units.
    """
    made = secret()
    seat = StudySeat(id=secrets.token_hex(4), study=study_id, name=_named(name), created=now())
    return _seat(store, study_id, seat, hashed(made)), made


def add_model(store: Store, study_id: str, model: str) -> StudySeat:
    """Make a seat for a model judge, which is given every unit; it has no link. Raises BadInput for
    a model that sits there already.
    """
    with store.connections.writing():
        if any(one.model == model and one.step not in LEFT for one in store.seats.of(study_id)):
            raise BadInput(f"{model} has a seat in this session already.")
        seat = StudySeat(
            id=secrets.token_hex(4),
            study=study_id,
            name=_named(model),
            model=_named(model),
            step="work",
            created=now(),
        )
        return _seat(store, study_id, seat, None)


def _named(name: str) -> str:
    said = " ".join(name.split())
    if not 0 < len(said) <= NAME:
        raise BadInput(f"Give the seat a name of at most {NAME} characters; experts do not see it.")
    return said


def _seat(store: Store, study_id: str, seat: StudySeat, token: str | None) -> StudySeat:
    with store.connections.writing():
        study = store.studies.get(study_id)
        if study.state == "closed":
            raise BadInput("This session is closed. Copy it to ask more experts.")
        store.seats.add(seat, token)
        if study.state == "open":
            _deal(store, study)
    return store.seats.get(seat.id)


def new_link(store: Store, seat_id: str) -> str:
    """Return a new secret for a seat's link; the old link opens nothing any more. Raises BadInput
    for a model's seat and for one that has ended.
    """
    made = secret()
    with store.connections.writing():
        seat = store.seats.get(seat_id)
        if seat.model:
            raise BadInput(f"{seat.name} is a model judge and has no link.")
        if seat.step in LEFT:
            raise BadInput(f"This seat is {seat.step}. Add another one instead.")
        store.seats.relink(seat_id, hashed(made))
    return made


def take_back(store: Store, seat_id: str) -> StudySeat:
    """Revoke a seat: its link is dead at once, what it answered stays, and its other units go to
    others.

    An expert who declined, withdrew or is done stays so, and loses the link alone: withdrawn
    answers must not count again.
    """
    with store.connections.writing():
        seat = store.seats.get(seat_id)
        if seat_id in store.seats.linked(seat.study):
            store.seats.relink(seat_id, None)
        if seat.step in LEFT or (seat.step == "done" and not seat.model):
            return seat
        seat = store.seats.move(seat_id, "revoked")
        study = store.studies.get(seat.study)
        if study.state == "open":
            _deal(store, study)
    return seat


# -- handing out -------------------------------------------------------------------------------


def redeal(store: Store, study_id: str) -> int:
    """Give the units of those who declined, withdrew or were revoked to others, and return how many
    were; what is dealt well stays as it is.

    Answers of those who withdrew are left out later, so their units are answered by others, too.
    Raises BadInput where the study is not open.
    """
    with store.connections.writing():
        study = store.studies.get(study_id)
        if study.state != "open":
            raise BadInput("Units are handed out while a session is open. Open it first.")
        return _deal(store, study)


def lacking(store: Store, study_id: str) -> int:
    """Return how many answers nobody is left to give: places of work units, of the overlap's many,
    that are on no expert's list.
    """
    overlap = store.studies.get(study_id).plan.overlap
    people = [one for one in store.seats.of(study_id) if not one.model]
    work = [one.id for one in work_units(store, study_id)]
    return sharing.lacking(overlap, work, _live(people), _lists(store, study_id, people))


def _live(people: list[StudySeat]) -> tuple[str, ...]:
    return tuple(one.id for one in people if one.step not in (*LEFT, "done"))


def _lists(store: Store, study_id: str, people: list[StudySeat]) -> tuple[Assignment, ...]:
    """Return what is on people's lists; of those who withdrew, whose answers do not count, only
    what nobody has opened.
    """
    steps = {one.id: one.step for one in people}
    return tuple(
        one
        for one in store.study_work.all(study_id)
        if one.seat in steps and not (steps[one.seat] == "withdrawn" and one.opened)
    )


def _deal(store: Store, study: Study) -> int:
    """Bring all lists to what they should be, within the caller's transaction: nobody can open a
    unit that is being taken away.
    """
    seats = store.seats.of(study.id)
    people = [one for one in seats if not one.model]
    for seat in seats:
        if not seat.criteria:
            names = [one.name for one in study.plan.criteria]
            chance = random.Random(f"{study.plan.seed}/criteria/{seat.id}")
            store.seats.arrange(seat.id, tuple(chance.sample(names, len(names))))
    units = store.studies.units(study.id)
    unit_keys = store.study_keys.units(study.id)
    item_keys = store.study_keys.items(study.id)
    lists = _lists(store, study.id, people)
    new, gone = dealing.deal(study.plan, units, unit_keys, item_keys, _live(people), lists)
    store.study_work.deal(study.id, new, gone)
    for seat in seats:
        if seat.model and seat.step == "work" and not store.study_work.of(seat.id):
            store.study_work.deal(
                study.id, dealing.deal_model(study.plan, units, unit_keys, item_keys, seat.id)
            )
    held = {(one.seat, one.unit) for one in lists}
    taken = {(one.seat, one.unit) for one in new if one.time == 1} - held
    for seat_id in sorted({seat for seat, _ in taken}):
        store.seats.move(seat_id, "work", leaving=("afterwards",))
    if lists and taken:
        store.studies.happened(study.id, "units handed out anew", detail=str(len(taken)))
    return len(taken)
