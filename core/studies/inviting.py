"""Invitations: seats for people by name and address, what they are sent, and who is to be reminded.

A link is a secret whose hash alone is kept: whoever makes a seat, or draws its link anew, is given
the link once, and nothing here can give it again.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Literal, NamedTuple
from urllib.parse import quote

from core.errors import BadInput
from core.records import PersonDetails, Record, Study, StudyLetter, StudySeat, StudyTerms, StudyUnit
from core.store import Store, now
from core.studies import organising
from core.studies.deadlines import near, spelled
from core.studies.effort import Effort, Seen, effort, on_list, spoken
from core.studies.sitting import overdue
from core.wording.catalogue import FOLDER

MOST = 500
"""Seats made at once."""
ADDRESS = re.compile(r"[^@\s,;:<>\"()\[\]]+@[^@\s,;:<>\"()\[\]]+\.[^@\s,;:<>\"()\[\].]+")
PLACEHOLDERS = {
    "name": "the expert's name",
    "link": "the expert's own link, where it was just made or drawn anew",
    "title": "the title that experts read",
    "units": "how many units the expert has",
    "left": "how many of them are still open",
    "minutes": "about how many minutes they take, by the length of the texts",
    "most": "the maximum of units",
    "deadline": "the deadline, in your time zone and in UTC",
    "late": "whether answers are accepted after the deadline, as a sentence",
    "pay": "what is paid",
    "code": "the completion code",
}
"""What a letter may say with a dollar sign before it."""
OF_WORK = {"units", "left", "minutes"}
"""Placeholders that tell of an expert's list."""
LACKING = {
    "link": (
        "links are kept as hashes alone. Draw new links for these experts (their old ones then open"
        " nothing any more), or let the text point to the link that they have"
    ),
    "units": "the session has no texts yet. Choose texts first",
    "left": "the session is not open yet. Open it first",
    "minutes": "the session has no texts yet. Choose texts first",
    "most": "no maximum of units is set. Set one, or take it out",
    "deadline": "no deadline is set. Set one, or take it out",
    "late": "no deadline is set. Set one, or take it out",
    "pay": "no pay is set. Set it, or take it out",
    "code": "no completion code is set. Set one, or take it out",
}
"""Why a placeholder has nothing to say, and what to do."""
Kind = Literal["invitation", "reminder"]
Standing = Literal["not begun", "not finished"]


class Invited(NamedTuple):
    """A person to be given a seat."""

    name: str
    address: str = ""


class MadeSeat(NamedTuple):
    """A seat with its link's secret, which is known this once."""

    seat: StudySeat
    address: str
    secret: str


class Letter(NamedTuple):
    """What one person is sent."""

    seat: str
    name: str
    address: str
    link: str
    """Empty where it is not known."""
    subject: str
    text: str

    @property
    def mailto(self) -> str:
        """An address that opens this letter in a mail program; empty without an address."""
        if not self.address:
            return ""
        return (
            f"mailto:{quote(self.address, safe='@')}"
            f"?subject={quote(self.subject)}&body={quote(self.text, safe='')}"
        )


class _Judged(NamedTuple):
    """What a session is on."""

    units: Mapping[str, StudyUnit]
    words: Mapping[str, int]
    """Of the texts, by label."""
    expected: Effort
    """Of a list that nobody has been handed yet."""


class Reminded(NamedTuple):
    """An expert who has not finished."""

    seat: str
    name: str
    address: str
    standing: Standing
    done: int
    units: int
    near: bool
    """Whether the deadline is near, or has passed."""
    seen: str
    """Last sign of life, UTC; empty where there was none."""


# -- seats -------------------------------------------------------------------------------------


def invite(store: Store, study_id: str, people: Sequence[Invited]) -> tuple[MadeSeat, ...]:
    """Make a seat with a link for each person, all or none. Raises BadInput for names or addresses
    that come twice, or have a seat already.
    """
    if not people:
        raise BadInput("There is nobody to invite. Name one person a row, with an address.")
    if len(people) > MOST:
        raise BadInput(f"{len(people):,} people are too many for once; {MOST} at most.")
    with store.connections.writing():
        _require_new(store, study_id, people)
        new = organising.add_seats(store, study_id, [person.name for person in people])
        made = []
        for person, (seat, secret) in zip(people, new, strict=True):
            store.people.address(seat.id, person.address)
            made.append(MadeSeat(seat, person.address, secret))
    return tuple(made)


def _require_new(store: Store, study_id: str, people: Sequence[Invited]) -> None:
    kept = store.people.of(study_id)
    seated = [
        seat
        for seat in store.seats.of(study_id)
        if seat.id in kept and seat.step not in organising.LEFT
    ]
    for what, taken, given in (
        ("name", [seat.name for seat in seated], [one.name for one in people]),
        ("address", [kept[seat.id].address for seat in seated], [one.address for one in people]),
    ):
        here = {one.casefold() for one in taken if one}
        count = Counter(one.casefold() for one in given if one)
        wrong = [
            one for one in given if one and (one.casefold() in here or count[one.casefold()] > 1)
        ]
        if wrong:
            some = ", ".join(dict.fromkeys(wrong[:5]))
            raise BadInput(
                f"{some}: this {what} comes twice, or has a seat already. Take it out, or tell the"
                " two apart; nobody was invited."
            )


def draw_links(store: Store, seats: Iterable[str]) -> tuple[MadeSeat, ...]:
    """Draw new links for seats, all or none; their old ones open nothing any more. Raises
    BadInput.
    """
    with store.connections.writing():
        made = []
        for seat_id in seats:
            secret = organising.new_link(store, seat_id)
            seat = store.seats.get(seat_id)
            kept = store.people.of(seat.study).get(seat_id)
            made.append(MadeSeat(seat, kept.address if kept else "", secret))
    return tuple(made)


def erase(store: Store, seat_id: str) -> None:
    """Erase who sits at a seat: name, address, and the ids of who recruited them. Answers stay
    without a name, and that it was done is written down, without the name. Raises BadInput,
    StoreFailed.
    """
    store.seats.get(seat_id)
    store.people.erase(seat_id)


# -- who is to be reminded ---------------------------------------------------------------------


def to_remind(store: Store, study_id: str) -> tuple[Reminded, ...]:
    """Return who has not begun, and who has not finished, in the order seats were made; nobody
    whose name was erased, and no place that no recruit has taken.
    """
    people = store.people.of(study_id)
    far = store.study_work.far(study_id)
    close = near(store.terms.get(study_id), now())
    seen = {
        seat: max(one.seen for one in store.study_work.of(seat)) for seat in far if seat in people
    }
    found = []
    for seat in store.seats.of(study_id):
        if seat.id in people and seat.step not in (*organising.LEFT, "done"):
            kept = people[seat.id]
            if kept.recruited and not kept.prolific:
                continue
            done, units = far.get(seat.id, (0, 0))
            standing: Standing = "not begun" if seat.step == "consent" else "not finished"
            found.append(
                Reminded(
                    *(seat.id, kept.name, kept.address, standing, done, units, close),
                    seen.get(seat.id, ""),
                )
            )
    return tuple(found)


# -- letters -----------------------------------------------------------------------------------


def standard(terms: StudyTerms, kind: Kind) -> StudyLetter:
    """Return the organiser's own letter, or ours where there is none."""
    if own := terms.invitation if kind == "invitation" else terms.reminder:
        return own
    name = f"{kind}-deadline" if terms.deadline else kind
    if kind == "reminder" and overdue(terms):
        name = "reminder-overdue"
    subject, _, text = (FOLDER / f"{name}.md").read_text("utf-8").partition("\n")
    return StudyLetter(subject=subject.removeprefix("Subject: "), text=text.strip())


def letters(
    store: Store, study_id: str, letter: StudyLetter, seats: Iterable[str], links: Mapping[str, str]
) -> tuple[Letter, ...]:
    """Return a letter for each of these seats; `links` are those just made, by seat. Raises
    BadInput for a placeholder that there is not, or that has nothing to say.
    """
    study = store.studies.get(study_id)
    asked = placeholders(letter)
    held = {seat.id: seat for seat in store.seats.of(study_id)}
    people = store.people.of(study_id)
    judged = _judged(store, study) if asked & OF_WORK else None
    sent = []
    for seat_id in seats:
        person = people.get(seat_id) or PersonDetails(seat=seat_id, name=held[seat_id].name)
        values = _values(store, study, person, links.get(seat_id, ""), judged)
        if lacking := [name for name in sorted(asked) if not values[name]]:
            raise BadInput(f"The text says ${lacking[0]}, and {LACKING[lacking[0]]}.")
        sent.append(
            Letter(
                *(seat_id, person.name, person.address, links.get(seat_id, "")),
                " ".join(Template(letter.subject).substitute(values).split()),
                Template(letter.text).substitute(values),
            )
        )
    return tuple(sent)


def placeholders(letter: StudyLetter) -> frozenset[str]:
    """Return the placeholders of a letter; raises BadInput for one that there is not."""
    asked = frozenset[str]()
    for text in (letter.subject, letter.text):
        template = Template(text)
        if not template.is_valid():
            raise BadInput(
                "A dollar sign stands alone in the text. Write $$ for a dollar sign, and a"
                f" placeholder as ${', $'.join(PLACEHOLDERS)}."
            )
        asked |= frozenset(template.get_identifiers())
    if unknown := sorted(asked - PLACEHOLDERS.keys()):
        raise BadInput(
            f"The text says ${unknown[0]}, which is no placeholder. There are"
            f" ${', $'.join(PLACEHOLDERS)}; $$ writes a dollar sign."
        )
    return asked


def _values(
    store: Store, study: Study, person: PersonDetails, link: str, judged: _Judged | None
) -> dict[str, str]:
    terms = store.terms.get(study.id)
    units, left, minutes = 0, None, 0.0
    if judged:
        units, left, minutes = _work_of(store, study, person.seat, judged)
    return {
        "name": person.name,
        "link": link,
        "title": study.plan.title,
        "units": str(units or ""),
        "left": "" if left is None else str(left),
        "minutes": str(max(1, round(minutes))) if units else "",
        "most": str(terms.most or ""),
        "deadline": spelled(terms.deadline, terms.zone) if terms.deadline else "",
        "late": said_of_late(terms),
        "pay": said_of_pay(terms),
        "code": terms.code,
    }


def said_of_late(terms: StudyTerms) -> str:
    """Say what becomes of answers after the deadline; nothing where there is none."""
    if not terms.deadline:
        return ""
    return (
        "Answers are still accepted after that."
        if terms.late
        else "After that no more answers are accepted; what was submitted before is kept."
    )


def said_of_pay(terms: StudyTerms) -> str:
    """Say what is paid; nothing where nothing is."""
    return f"{terms.rate:.2f} {terms.currency} per {terms.per}" if terms.rate else ""


def _judged(store: Store, study: Study) -> _Judged:
    shas = store.studies.items(study.id)
    texts = store.frozen.several(tuple(dict.fromkeys(shas.values())), Record)
    words = {
        label: len(spoken(text).split())
        for label, sha in shas.items()
        if isinstance(text := texts[sha], Seen)
    }
    seats = store.seats.of(study.id)
    experts = sum(not one.model and one.step not in organising.LEFT for one in seats)
    expected = effort(study.plan, organising.work_units(store, study.id), words, experts)
    return _Judged({unit.id: unit for unit in store.studies.units(study.id)}, words, expected)


def _work_of(
    store: Store, study: Study, seat: str, judged: _Judged
) -> tuple[int, int | None, float]:
    """Return how many units a seat has, how many are open (None in a draft, where nothing is handed
    out), and about how many minutes they take.
    """
    listed = store.study_work.of(seat)
    if not listed:
        return judged.expected.units, None, judged.expected.minutes
    given = [judged.units[one.unit] for one in listed]
    whole = on_list(study.plan.task, len(study.plan.criteria), given, judged.words)
    return whole.units, sum(not one.done for one in listed), whole.minutes
