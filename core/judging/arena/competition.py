"""The Idea Arena: every pair of methods on every topic, judged in both orders, criterion by
criterion (Chain of Ideas, section 3.4).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, ValidationError, model_validator

from core.desk import Desk
from core.errors import BadInput, CannotAnswer, FoundryError, ModelFailed
from core.judging.arena.contests import CRITERIA, contested, contests, count_contests, place
from core.judging.arena.filing import Tray
from core.judging.forms import common, formed, texts
from core.models.port import Model
from core.prompts.wording import worded
from core.records import (
    Ballot,
    Comparison,
    Config,
    Contest,
    Design,
    Designs,
    Entry,
    Idea,
    Kind,
    Lineup,
    Played,
    Record,
    Seat,
    part,
)
from core.records.faults import fault_in_words
from core.store import Store

PROMPTS: tuple[str, ...] = ("arena-designs", "arena-ideas", "common-design", "six-fields")
ASKED: dict[Kind, tuple[str, type[Comparison] | type[Designs]]] = {
    "idea": ("arena-ideas", Comparison),
    "design": ("arena-designs", Designs),
}
UNJUDGED = (ModelFailed, CannotAnswer)
"""What may become of a match without ending the run: recorded, missing, and counted."""
ROLES = ("judge", *(f"judge-{n}" for n in range(2, 10)))
"""The seats of the panel."""

MOST_CONTESTS = 1_000_000
"""Pairs of texts that may meet in one arena, as of a hundred methods on two hundred topics."""


class ArenaInputs(Record):
    """Who competes on what."""

    topic: Annotated[str, Field(min_length=1)]
    """The name of the arena."""
    kind: Kind = "idea"
    entries: Annotated[tuple[Entry, ...], Field(max_length=20_000), FailFast()]
    method_of: dict[str, str] = {}
    """The method behind each name that a text competes under and that is not its method's own:
    where a method has several texts on a topic, each has a name of its own.
    """
    same_form: bool = True
    """Whether texts are brought into the common form first, so that form does not decide."""
    repeats: Annotated[int, Field(ge=1, le=5)] = 1
    people_only: bool = False
    """Whether no model votes; people's votes are taken in either case."""
    at_once: Annotated[int, Field(ge=1, le=64)] = 16

    @model_validator(mode="after")
    def _one_text_per_method_and_topic(self) -> "ArenaInputs":
        times = Counter((one.topic, one.method) for one in self.entries)
        if twice := [pair for pair, n in times.items() if n > 1]:
            topic, method = min(twice)
            raise ValueError(
                f"{method!r} has {times[topic, method]} entries on {topic!r} under one name; leave"
                " one in, or name them apart"
            )
        if any(one.kind != self.kind for one in self.entries):
            raise ValueError("ideas compete with ideas, and designs with designs")
        if not (met := count_contests(times)):
            raise ValueError(nothing_to_compare(self.kind, self.entries))
        if met > MOST_CONTESTS:
            raise ValueError(
                f"{met:,} pairs of texts would meet, and {MOST_CONTESTS:,} are the most; choose"
                " fewer texts, or fewer on one topic"
            )
        return self


def nothing_to_compare(kind: Kind, entries: Sequence[Entry]) -> str:
    """Say why no two of some entries can be compared, and what to do."""
    methods = sorted({one.method for one in entries})
    what = {"idea": "idea", "design": "experiment design"}[kind]
    if not methods:
        return f"there is no {what} to compare yet; choose a collection that has some"
    if len(methods) == 1:
        only = f"are {what}s of one method only,"
        if len(entries) == 1:
            only = f"is only one {what}, by"
        return (
            f"there {only} {methods[0]!r}, so nothing can be compared; add another method's on the"
            " same topic"
        )
    return (
        f"no topic has {what}s of two methods, so nothing can be compared; methods compete on"
        " topics of the same name"
    )


class Match(NamedTuple):
    """A contest as one judge sees it once."""

    contest: Contest
    first: str
    role: str
    repeat: int

    @property
    def second(self) -> str:
        return self.contest.b if self.first == self.contest.a else self.contest.a


def compete(desk: Desk, asked: ArenaInputs) -> Iterator[Played]:
    """Show the line-up, have every contest judged in both orders by every judge of the panel, file
    each judgment as a ballot, and say how it ended.

    With `people_only` no model is asked, and the arena is ready for votes at once. What people said
    in the arena that this one extends is taken over. Raises BadInput for a judge that cannot judge
    and for a text that is missing, ModelFailed for a judge that never gave an answer.
    """
    judges = {} if asked.people_only else panel(desk.bench.models, asked.kind)
    lineup = line_up(desk, asked)
    desk.at("lineup").show(lineup)
    carry(desk, lineup)
    if twice := desk.bench.store.ballots.imported(desk.bench.run.id) & set(judges.values()):
        raise BadInput(
            f"What {min(twice)} says was imported into this arena; leave it out of the judges."
        )
    if judges:
        yield play_all(desk, asked, lineup, judges)


def panel(models: Mapping[str, Model], kind: Kind) -> dict[str, str]:
    """Return who judges, model by role; raises BadInput for one that cannot, or that sits twice."""
    for model in models.values():
        able(model, kind)
    judges = {role: model.name for role, model in sorted(models.items())}
    if len(set(judges.values())) < len(judges):
        raise BadInput(
            "One model is named as two judges. Ask for repeats to have it judge more often."
        )
    return judges


def able(model: Model, kind: Kind) -> None:
    """Raise BadInput with what to do for a model that judges nothing of this kind."""
    if not model.answers(ASKED[kind][0]):
        raise BadInput(
            f"The model {model.name} judges nothing that needs understanding. Name a language model"
            " as judge, leave the votes to people (on the command line: --people-only), or import"
            " judgments."
        )


def line_up(desk: Desk, asked: ArenaInputs) -> Lineup:
    """Return what is shown of every entry; one that could not be brought into the common form has
    no text, and does not compete.

    Where people alone vote, no form is made: forms that are there are shown if every text has one,
    and the texts as they are otherwise.
    """
    store, shas = desk.bench.store, tuple(dict.fromkeys(one.sha for one in asked.entries))
    held = texts(store, shas, asked.kind)
    ready = common(store, held, asked.kind)
    if not asked.same_form or (asked.people_only and len(ready) < len(shas)):
        return lined(
            asked,
            {sha: sha for sha in shas},
            held,
            common_form=all(ready.get(sha) == sha for sha in shas),
        )
    made: Mapping[str, str | FoundryError] = (
        ready if asked.people_only else formed(desk, shas, asked.kind, asked.at_once)
    )
    return lined(
        asked,
        made,
        texts(store, tuple({one for one in made.values() if isinstance(one, str)}), asked.kind),
        common_form=True,
    )


def lined(
    asked: ArenaInputs,
    made: Mapping[str, "str | FoundryError"],
    shown: Mapping[str, Idea | Design],
    common_form: bool,
) -> Lineup:
    """Return the line-up, by topic and method."""

    def seat(entry: Entry) -> Seat:
        topic = entry.topic
        method = entry.method
        sha = made[entry.sha]
        if isinstance(sha, FoundryError):
            return Seat(topic=topic, method=method, reason=str(sha))
        return Seat(topic=topic, method=method, sha=sha, length=len(worded(shown[sha])))

    entries = sorted(asked.entries, key=lambda entry: (entry.topic, entry.method))
    return Lineup(seats=tuple(map(seat, entries)), common=common_form)


def carry(desk: Desk, lineup: Lineup) -> int:
    """Take over what people said, and what was imported, of contests whose two texts are shown here
    as they were in the arena this one extends.
    """
    run, store = desk.bench.run, desk.bench.store
    earlier = lineup_of(store, run.parent) if run.parent else None
    if earlier is None or run.parent is None:
        return 0
    before = _shown(earlier).items()
    same_texts = {place for place, _ in before & _shown(lineup).items()}
    same = [
        one
        for one in contested(lineup)
        if (one.topic, one.a) in same_texts and (one.topic, one.b) in same_texts
    ]
    return store.ballots.carry(run.parent, run.id, same)


def lineup_of(store: Store, run_id: str) -> Lineup | None:
    """Return what an arena shows, or None while it is not settled."""
    found = next((one.data for one in store.steps.products(run_id) if one.name == "lineup"), None)
    return Lineup.model_validate(found) if found else None


def _shown(lineup: Lineup) -> dict[tuple[str, str], str]:
    return {(seat.topic, seat.method): seat.sha for seat in lineup.seats if seat.sha}


def play_all(desk: Desk, asked: ArenaInputs, lineup: Lineup, judges: Mapping[str, str]) -> Played:
    """Play every match and return how they ended; raises ModelFailed for a judge that never gave an
    answer, its failures to be tried again.
    """
    whole = contested(lineup)
    shown = _shown(lineup)
    held = texts(desk.bench.store, tuple(set(shown.values())), asked.kind)
    plays = matches(whole, tuple(judges), asked.repeats)
    tray = Tray(desk.bench.store.ballots, Counter(judges[one.role] for one in plays))

    def play(here: Desk, n: int, one: Match) -> None:
        topic = one.contest.topic
        name = judges[one.role]
        first = held[shown[topic, one.first]]
        second = held[shown[topic, one.second]]
        try:
            tray.put(n, judge(here, asked.kind, one, name, first, second))
        except UNJUDGED as error:
            tray.give_up(n, name, error)

    try:
        desk.each([partial(play, n=n, one=one) for n, one in enumerate(plays)], asked.at_once)
    except ModelFailed as error:
        error.steps = tray.failures
        raise
    finally:
        tray.close()
    return tray.played(len(whole))


def matches(whole: Sequence[Contest], roles: Sequence[str], repeats: int) -> list[Match]:
    """Return every contest in both orders, for every judge and every repeat, by topic."""
    return [
        Match(one, first, role, repeat)
        for one in whole
        for role in roles
        for repeat in range(1, repeats + 1)
        for first in (one.a, one.b)
    ]


def judge(
    desk: Desk, kind: Kind, match: Match, name: str, first: Idea | Design, second: Idea | Design
) -> Ballot:
    """Have one judge compare two texts once, in the order given, on all criteria. Raises UNJUDGED,
    recorded.
    """
    # By names alone: what else competes, and who else judges, must not change what a step is
    # called.
    here = desk.at(f"{place(match.contest)}/{part(match.first)}-first/{part(name)}/{match.repeat}")
    prompt, returns = ASKED[kind]
    said = here.ask(
        prompt,
        returns,
        role=match.role,
        recorded=UNJUDGED,
        topic=match.contest.topic,
        first=first,
        second=second,
    )
    return Ballot(
        arena=desk.bench.run.id,
        contest=match.contest,
        first=match.first,
        judge=name,
        repeat=match.repeat,
        why=said.reason,
        sides={one: getattr(said, one) for one in CRITERIA[kind]},
        key=f"{name}/{here.place}",
    )


def extended(
    config: Config,
    entries: Sequence[Entry],
    judges: Sequence[str] = (),
    method_of: Mapping[str, str] | None = None,
) -> Config:
    """Return an arena's configuration with more entries and more judges; those it has keep their
    places, so that only missing matches are played. `method_of` is of the new entries.

    Raises BadInput where nothing is new, or where there are too many judges.
    """
    asked = config.inputs_as(ArenaInputs)
    known = {(one.topic, one.method): one.sha for one in asked.entries}
    new = tuple(one for one in entries if (one.topic, one.method) not in known)
    if other := [one for one in entries if known.get((one.topic, one.method), one.sha) != one.sha]:
        raise BadInput(
            f"{other[0].method!r} has another text on {other[0].topic!r} in this arena. Give the"
            " new one a method name of its own."
        )
    held = (
        {} if asked.people_only else config.models
    )  # Where people alone vote, nobody judges in the roles.
    more = [name for name in dict.fromkeys(judges) if name not in held.values()]
    if not new and not more:
        raise BadInput(
            "Nothing is new: every method named is in the arena on every topic, and every judge"
            " named judges in it."
        )
    free = [role for role in ROLES if role not in held]
    if len(more) > len(free):
        raise BadInput(f"An arena has {len(ROLES)} judges at most.")
    try:
        inputs = ArenaInputs(
            **dict(asked)
            | {
                "entries": asked.entries + new,
                "method_of": {**asked.method_of, **(method_of or {})},
                "people_only": asked.people_only and not more,
            }
        )
    except ValidationError as error:
        raise BadInput(
            f"The arena cannot be extended so: {fault_in_words(error.errors()[0])}."
        ) from None
    models = {**(held if more else config.models), **dict(zip(free, more, strict=False))}
    return config.model_copy(update={"inputs": inputs.model_dump(mode="json"), "models": models})


def missing(before: Config, after: Config) -> int:
    """Return how many matches an extended arena plays that the one before does not have."""

    def played(config: Config) -> set[tuple[Contest, str]]:
        asked = config.inputs_as(ArenaInputs)
        met = contests((one.topic, one.method) for one in asked.entries)
        judges = () if asked.people_only else config.models.values()
        return set(product(met, judges))

    repeats = after.inputs_as(ArenaInputs).repeats
    return 2 * repeats * len(played(after) - played(before))
