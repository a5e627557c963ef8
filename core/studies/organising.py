"""The organiser's side of a session: drafts, seats and their links, opening, handing units out
anew, closing, unblinding.
"""

import random
import secrets
from collections.abc import Iterable, Sequence
from math import ceil

from core.door import hashed, secret
from core.errors import BadInput
from core.records import (
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
from core.store.studies.work import ListStanding
from core.studies import dealing, languages, setting_up, sharing
from core.studies.picking import Chosen
from core.studies.texts import fitted
from core.wording.numbers import counted

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
    """Return the units that experts judge: all but the attention checks."""
    keys = store.study_keys.units(study_id)
    checks = {unit for unit, key in keys.items() if key.attention}
    units = store.studies.units(study_id)
    return [unit for unit in units if unit.id not in checks]


def check_labels(store: Store, study_id: str) -> frozenset[str]:
    """Return the labels of the texts that are there to check attention."""
    keys = store.study_keys.units(study_id)
    units = store.studies.units(study_id)
    return frozenset(label for unit in units if unit.id in keys for label in unit.labels)


# -- drafts ------------------------------------------------------------------------------------


def create(store: Store, plan: StudyPlan) -> Study:
    """Keep a new draft."""
    study = Study(id=secrets.token_hex(4), plan=fitted(plan), state="draft", created=now())
    store.studies.add(study)
    return study


def set_up(store: Store, plan: StudyPlan, chosen: Chosen, models: Iterable[str] = ()) -> Study:
    """Keep a new draft that holds what was chosen, with a seat for each of these model judges;
    raises BadInput as `setting_up.prepare` and `add_model` do.

    Within a transaction nobody else could write while it is prepared, of thousands of ideas for
    seconds.
    """
    plan = fitted(plan)
    draft = setting_up.prepare(store, plan, chosen)
    with store.connections.writing():
        study = create(store, plan)
        setting_up.keep(store, study.id, draft)
        for model in models:
            add_model(store, study.id, model)
    return study


def copied(store: Store, study_id: str) -> Study:
    """Return a new draft with the plan, texts and units of a study, and without its seats and
    answers.

    Labels are drawn anew: who may look at a draft's sources must not learn those of a study that is
    open.
    """
    plan = store.studies.get(study_id).plan
    with store.connections.writing():
        name = f"{plan.name[: NAME - 7]} (copy)"
        copy = create(store, plan.model_copy(update={"name": name}))
        checks = check_labels(store, study_id)
        shas = store.studies.items(study_id)
        # Labels of attention checks stay, since their one right answer names them.
        judged = [label for label in shas if label not in checks]
        drawn = random.SystemRandom().sample(judged, len(judged))
        anew = {label: label for label in shas} | dict(zip(judged, drawn, strict=True))
        items = [StudyItem(label=anew[label], sha=sha) for label, sha in shas.items()]
        units = []
        for unit in store.studies.units(study_id):
            labels = sorted(anew[label] for label in unit.labels)
            units.append(unit.model_copy(update={"labels": tuple(labels)}))
        store.studies.fill(copy.id, tuple(items), tuple(units), (), ())
        store.study_keys.copy(study_id, copy.id, anew)
    return copy


def remove(store: Store, study_id: str) -> None:
    """Delete a study with its seats and answers; raises BadInput while it is open."""
    with store.connections.writing():
        if store.studies.get(study_id).state == "open":
            raise BadInput("Close the session first: experts may be at work in it.")
        store.studies.remove(study_id)


# -- open and closed ---------------------------------------------------------------------------


def configuration(store: Store, study_id: str) -> str:
    """Return the hash of what is frozen as a study is opened: its plan, texts and units."""
    parts = {
        "plan": store.studies.get(study_id).plan.model_dump(mode="json"),
        "items": store.studies.items(study_id),
        "units": [unit.model_dump(mode="json") for unit in store.studies.units(study_id)],
    }
    return digest(parts)


def preparation(store: Store, study_id: str) -> str:
    """Return the hash of all that an organiser sees of a draft: what is frozen, the terms and the
    seats.
    """
    parts = {
        "frozen": configuration(store, study_id),
        "terms": store.terms.get(study_id).model_dump(mode="json"),
        "seats": [(seat.id, seat.name, seat.step) for seat in store.seats.of(study_id)],
    }
    return digest(parts)


def open_study(store: Store, study_id: str, seen: str = "") -> Study:
    """Freeze a draft under the hash of its configuration, hand the units out, and let experts in.

    Raises BadInput where it has no units, where a unit does not have the task's shape, where there
    are fewer experts than are to answer each unit, and where the preparation is not the one that
    was `seen`.
    """
    with store.connections.writing():
        study, sha = store.studies.get(study_id), configuration(store, study_id)
        if seen and seen != preparation(store, study_id):
            raise BadInput(
                "This session was changed while you had it on the screen, so it was not opened."
                " Look through it as it is now, then open it."
            )
        store.studies.turn(study_id, "draft", "open", sha)
        store.terms.consent(study_id, study.plan.consent)
        known = frozenset(store.studies.items(study_id))
        _check_ready(store, study, store.studies.units(study_id), known)
        _deal(store, study)
    return store.studies.get(study_id)


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


def _check_ready(
    store: Store, study: Study, units: Iterable[StudyUnit], known: frozenset[str]
) -> None:
    if not work_units(store, study.id):
        raise BadInput("There is nothing to judge yet. Choose texts first.")
    if lacks := languages.lacking(study.plan):
        raise BadInput(
            f"Experts read this session in another language, and it lacks: {'; '.join(lacks)}. Give"
            " it a file of texts that has them."
        )
    fewest, most = SHAPES[study.plan.task]
    for unit in units:
        if not fewest <= len(unit.labels) <= most or not known.issuperset(unit.labels):
            raise BadInput(
                f"Unit {unit.id} does not have the texts that the task asks for. Choose the texts"
                " again."
            )
    experts = sum(seat.step not in LEFT for seat in _people(store, study.id))
    if experts < study.plan.overlap:
        raise BadInput(
            f"Each unit is to be answered by {study.plan.overlap} experts, and there are"
            f" {experts} seats for experts. Add seats, or ask for fewer answers to each unit."
        )
    if experts < (needed := experts_needed(store, study)):
        raise BadInput(
            f"With at most {store.terms.get(study.id).most} units for each expert this session"
            f" needs {needed} experts, and there are {experts} seats. Add seats, raise the"
            " maximum, or ask for fewer answers to each unit."
        )


def experts_needed(store: Store, study: Study) -> int:
    """Return how many experts it takes so that nobody is given more than the session's maximum; 0
    where it has none. Raises BadInput for a maximum under which nobody could be given a unit.
    """
    most = store.terms.get(study.id).most
    work = {unit.id: unit for unit in work_units(store, study.id)}
    if not most or not work:
        return 0
    plan = study.plan
    checks = min(plan.attention, len(store.studies.units(study.id)) - len(work))
    bundles = sharing.bundle(work, work)
    # Units over the same texts go together.
    size = max(map(len, bundles.values()))
    each = dealing.work_within(most, plan.repeats, checks) // size
    if not each:
        raise BadInput(
            f"A maximum of {most} units leaves no room for one to judge: {size} go together, and"
            f" {checks} are attention checks. Raise the maximum."
        )
    return max(plan.overlap, ceil(len(bundles) * plan.overlap / each))


def add_seat(store: Store, study_id: str, name: str) -> tuple[StudySeat, str]:
    """Make a seat for a person, as `add_seats` does."""
    (made,) = add_seats(store, study_id, [name])
    return made


def add_seats(
    store: Store, study_id: str, names: Sequence[str]
) -> tuple[tuple[StudySeat, str], ...]:
    """Make a seat for each person, all or none, and return each with its link's secret, which is
    shown this once; in an open study they take over their share of units.
    """
    if not names:
        return ()
    links = [secret() for _ in names]
    new = [_new(study_id, _clean(name)) for name in names]
    with store.connections.writing():
        _add(store, study_id, zip(new, map(hashed, links), strict=True))
        return tuple(
            (store.seats.get(seat.id), link) for seat, link in zip(new, links, strict=True)
        )


def add_model(store: Store, study_id: str, model: str) -> StudySeat:
    """Make a seat for a model judge, which is given every unit; it has no link. Raises BadInput for
    a model that sits there already.
    """
    with store.connections.writing():
        seats = store.seats.of(study_id)
        if any(seat.model == model and seat.step not in LEFT for seat in seats):
            raise BadInput(f"{model} has a seat in this session already.")
        name = _clean(model)
        seat = _new(study_id, name, name, "work")
        _add(store, study_id, [(seat, None)])
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
        store.seats.move(seat_id, "revoked")
        study = store.studies.get(seat.study)
        if study.state == "open":
            _deal(store, study)
    return store.seats.get(seat_id)


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


def reassign(store: Store, study_id: str) -> int:
    """Do as `redeal` does; raises BadInput, too, where units are left over that nobody can take,
    with the reasons.
    """
    with store.connections.writing():
        dealt = redeal(store, study_id)
        if dealt or not lacking(store, study_id):
            return dealt
        overlap = store.studies.get(study_id).plan.overlap
        at_work, lists = _experts_lists(store, study_id)
        longest = _longest_lists(store, study_id, at_work)
        held = sharing.held(at_work, lists)
        open_ = {
            unit.id
            for unit in work_units(store, study_id)
            if sum(unit.id in units for units in held.values()) < overlap
        }
        having = sum(open_ <= held[seat] for seat in at_work)
    full = sum(seat in longest and not open_ <= held[seat] for seat in at_work)
    if not at_work:
        raise BadInput(
            "Nothing was reassigned: no expert is left at work. Those who are done keep their"
            " lists as they are. Add an expert under “Add experts”."
        )
    reasons = [
        f"{counted(n, 'expert')} at work {have if n > 1 else has}"
        for n, has, have in (
            (having, "has these units already", "have these units already"),
            (
                full,
                "may be given no more units (the maximum of the session, or his or her own word)",
                "may be given no more units (the maximum of the session, or their own word)",
            ),
        )
        if n
    ]
    raise BadInput(
        f"Nothing was reassigned: {'; '.join(reasons) or 'nobody can take these units'}. Add an"
        " expert under “Add experts”."
    )


def _clean(name: str) -> str:
    words = " ".join(name.split())
    if not 0 < len(words) <= NAME:
        raise BadInput(f"Give the seat a name of at most {NAME} characters; experts do not see it.")
    return words


def _new(study_id: str, name: str, model: str = "", step: SeatStep = "consent") -> StudySeat:
    return StudySeat(
        id=secrets.token_hex(4), study=study_id, name=name, model=model, step=step, created=now()
    )


def _add(store: Store, study_id: str, new: Iterable[tuple[StudySeat, str | None]]) -> None:
    """Keep seats with the hashes of their links, within the caller's transaction; units are handed
    out once for all of them.
    """
    study = store.studies.get(study_id)
    if study.state == "closed":
        raise BadInput("This session is closed. Copy it to ask more experts.")
    for seat, token in new:
        store.seats.add(seat, token)
    if study.state == "open":
        _deal(store, study)


def lacking(store: Store, study_id: str) -> int:
    """Return how many answers nobody is left to give: places of work units, of the overlap's many,
    that are on no expert's list.
    """
    overlap = store.studies.get(study_id).plan.overlap
    work = [unit.id for unit in work_units(store, study_id)]
    at_work, lists = _experts_lists(store, study_id)
    return sharing.lacking(overlap, work, at_work, lists)


def _people(store: Store, study_id: str) -> list[StudySeat]:
    return [seat for seat in store.seats.of(study_id) if not seat.model]


def _experts_lists(store: Store, study_id: str) -> tuple[tuple[str, ...], list[ListStanding]]:
    """Return the seats of experts who can work, and what is on any expert's list; of those who
    withdrew, whose answers do not count, only what nobody has opened.
    """
    steps = {seat.id: seat.step for seat in _people(store, study_id)}
    at_work = tuple(seat for seat, step in steps.items() if step not in (*LEFT, "done"))
    lists = []
    for one in store.study_work.lists(study_id):
        step = steps.get(one.seat)
        if step and not (step == "withdrawn" and one.opened):
            lists.append(one)
    return at_work, lists


def _longest_lists(store: Store, study_id: str, seats: Iterable[str]) -> dict[str, int]:
    """Return how long the lists of seats may become, of those with a limit: the session's maximum,
    and what an expert agreed to who wanted no more.
    """
    most = store.terms.get(study_id).most
    agreed = store.terms.of(study_id)
    longest = {}
    for seat in seats:
        limits = [most] if most else []
        if seat in agreed and agreed[seat].refused:
            limits.append(agreed[seat].units)
        if limits:
            longest[seat] = min(limits)
    return longest


def _deal(store: Store, study: Study) -> int:
    """Bring all lists to what they should be, within the caller's transaction: nobody can open a
    unit that is being taken away.
    """
    plan = study.plan
    work = store.study_work
    seats = store.seats.of(study.id)
    names = [criterion.name for criterion in plan.criteria]
    for seat in seats:
        if not seat.criteria:
            chance = random.Random(f"{plan.seed}/criteria/{seat.id}")
            store.seats.arrange(seat.id, tuple(chance.sample(names, len(names))))
    units = store.studies.units(study.id)
    unit_keys = store.study_keys.units(study.id)
    # Sides are balanced by source, for which a number is enough.
    item_keys = {
        label: ItemKey(label=label, title="", method=f"source {n}" if n else "")
        for label, n in store.study_keys.groups(study.id).items()
    }
    at_work, lists = _experts_lists(store, study.id)
    most = _longest_lists(store, study.id, at_work)
    new, gone = dealing.deal(plan, units, unit_keys, item_keys, at_work, lists, most)
    work.deal(study.id, new, gone)
    for seat in seats:
        if seat.model and seat.step == "work" and not work.so_far(seat.id)[1]:
            listed = dealing.deal_model(plan, units, unit_keys, item_keys, seat.id)
            work.deal(study.id, listed)
    before = {(one.seat, one.unit) for one in lists}
    taken = {(one.seat, one.unit) for one in new if one.time == 1} - before
    for seat_id in sorted({seat for seat, _ in taken}):
        store.seats.move(seat_id, "work", leaving=("afterwards",))
    if lists and taken:
        store.studies.happened(study.id, "units handed out anew", detail=str(len(taken)))
    return len(taken)
