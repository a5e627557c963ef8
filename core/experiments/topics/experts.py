"""Experts on an experiment: a blind session over the pairs that meet in its arena, and what experts
say there as votes beside those of the models.

Answers count once the session is closed and its sources are revealed: until then nobody, the
organiser included, learns what was said of whom.
"""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from core.errors import BadInput
from core.experiments.topics.cells import arena_topic, collection_of, entry_of, times_of
from core.judging.arena.competition import lineup_of
from core.judging.arena.contests import CRITERIA, contested, differing
from core.judging.forms import texts as texts_of
from core.records import CompareAnswer, Entry, ItemKey, Kind, Study, StudyPlan, TopicCell
from core.store import Store
from core.store.ballots import Line
from core.studies import organising, texts
from core.studies.filed import Filed
from core.studies.picking import Chosen, title
from core.studies.setting_up import draw_seed

USUAL = 60
"""Pairs that a session is made of where nobody says how many."""


class Experiment(NamedTuple):
    """What a session with experts needs to know of an experiment."""

    run: str
    cells: tuple[TopicCell, ...]
    seeds: int


class ExpertVote(NamedTuple):
    """What an expert said of a pair, under the names that the arena has."""

    session: str
    expert: str
    """As the session's figures call the expert: E1, E2, ..."""
    topic: str
    first: str
    """Whose text stood on the left."""
    second: str
    sides: Mapping[str, str]
    """By criterion: first, second, tie."""
    strength: Mapping[str, int]
    """By criterion, as in the arena: 2 and 1 for the first, -1 and -2 for the second, 0 a tie."""
    why: str

    @property
    def line(self) -> Line:
        """The vote as a ballot of a person, one of each session."""
        a, b = sorted((self.first, self.second))
        judge = f"{self.expert} of session {self.session}"
        return (self.topic, a, b, self.first, judge, 1, 1, json.dumps(dict(self.sides)))


# -- a session from the experiment -------------------------------------------------------------


def plan(store: Store, arena: str, kind: Kind, name: str, seed: int | None = None) -> StudyPlan:
    """Return how a session over an arena's pairs is held: two texts side by side, by the arena's
    criteria, in the form that the arena shows.
    """
    lineup = lineup_of(store, arena)
    same_form = kind == "idea" and lineup is not None and lineup.common
    chance = draw_seed() if seed is None else seed
    return texts.standard("compare", name, kind, same_form=same_form, seed=chance)


def chosen(store: Store, held: Experiment, arena: str, kind: Kind, pairs: int | None) -> Chosen:
    """Return the texts that the arena shows, kept in the experiment's collection; raises BadInput
    while it shows none.
    """
    lineup = lineup_of(store, arena)
    shown = {(seat.topic, seat.method) for seat in lineup.seats if seat.sha} if lineup else set()
    found = [one for one in entries(held, kind) if (one.topic, one.method) in shown]
    if not found:
        raise BadInput("The arena shows no texts yet. Let the experiment come to its end first.")
    collection = collection_of(held.run)
    kept = {one.id for one, _ in store.entries.of((collection,), kind, limit=len(found))}
    if removed := [one for one in found if one.id not in kept]:
        held_texts = texts_of(store, tuple(dict.fromkeys(one.sha for one in removed)), kind)
        store.entries.add(tuple((one, title(held_texts[one.sha])) for one in removed))
    return Chosen(entries=tuple(one.id for one in found), draw=pairs)


def pairs_of(store: Store, arena: str) -> int:
    """Return how many pairs a session over an arena can be made of."""
    lineup = lineup_of(store, arena)
    if lineup is None:
        return 0
    return len(differing(lineup, contested(lineup)))


def set_up(
    store: Store, held: Experiment, arena: str, kind: Kind, name: str, pairs: int | None = None
) -> Study:
    """Set up a blind session over an arena's pairs as a draft, `pairs` of them drawn evenly over
    contenders; raises BadInput.
    """
    wanted = chosen(store, held, arena, kind, pairs)
    return organising.set_up(store, plan(store, arena, kind, name), wanted)


def entries(held: Experiment, kind: Kind) -> Iterator[Entry]:
    """Yield the texts of an experiment as they stand in its collection."""
    for cell in held.cells:
        if cell.idea if kind == "idea" else cell.design:
            for seed in times_of(cell, held.seeds):
                yield entry_of(cell, kind, seed, held.run)


# -- what experts said -------------------------------------------------------------------------


def sessions(store: Store, held: Experiment, kind: Kind) -> tuple[Study, ...]:
    """Return the sessions in which texts of the experiment, or of one that it extends, are
    compared; the latest first.
    """
    compared = [
        one
        for one in store.studies.listed()
        if one.plan.task == "compare" and one.plan.kind == kind
    ]
    if not compared:
        return ()
    known = _Texts(store, held, kind)
    return tuple(
        one for one in compared if any(known.of(key) for _, key in store.study_keys.texts(one.id))
    )


def votes(store: Store, held: Experiment, kind: Kind) -> Iterator[ExpertVote]:
    """Yield what experts said in sessions whose sources are revealed, of texts that the experiment
    has as they were judged: the last answer on a pair. Repeats, attention checks, and what model
    judges said at a seat are the session's own.
    """
    revealed = [one for one in sessions(store, held, kind) if one.unblinded]
    known = _Texts(store, held, kind) if revealed else None
    for study in revealed:
        assert known
        keys = store.study_keys.items(study.id)
        places = {label: known.of(key) for label, key in keys.items()}
        yield from _votes_in(Filed(store, study.id), places, kind)


def _votes_in(
    filed: Filed, places: Mapping[str, tuple[str, str] | None], kind: Kind
) -> Iterator[ExpertVote]:
    for place, answer in filed.said(CompareAnswer):
        if place.seat in filed.taking.models:
            continue
        left, right = filed.shown(place)
        one, other = places.get(left), places.get(right)
        if not one or not other or one[0] != other[0]:
            continue
        sides, strength = {}, {}
        for criterion, liked in answer.preferences.items():
            name = criterion.replace(" ", "_")
            if name in CRITERIA[kind]:
                sides[name] = {left: "first", right: "second"}.get(liked.better, "tie")
                way = {left: 1, right: -1}.get(liked.better, 0)
                strength[name] = 2 * way if liked.much else way
        if sides:
            topic, first = one
            expert = filed.called[place.seat]
            said = (sides, strength, answer.note)
            yield ExpertVote(filed.study.id, expert, topic, first, other[1], *said)


class _Texts:
    """Finds the text of an experiment that an item of a session is."""

    def __init__(self, store: Store, held: Experiment, kind: Kind):
        self._kind = kind
        self._runs = store.runs.lineage(held.run)
        self._cells = dict[tuple[str, str], tuple[TopicCell, int]]()
        for cell in held.cells:
            for seed in times_of(cell, held.seeds):
                self._cells[arena_topic(cell.topic, seed), cell.player] = (cell, seed)

    def of(self, key: ItemKey) -> tuple[str, str] | None:
        """Return topic and player of an item; None for a text that is not the experiment's, or no
        longer is.
        """
        held = self._cells.get((key.topic, key.method))
        if not held or not key.entry:
            return None
        cell, seed = held
        ids = (entry_of(cell, self._kind, seed, run).id for run in self._runs)
        return (key.topic, key.method) if key.entry in ids else None
