"""The values that Chain of Ideas prints, beside those of an experiment of one's own.

Its text gives leads over the second-best automated method in Elo points, and one share of
agreement; what its tables and figures hold is not at hand.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from core.experiments.topics.cells import names_of, players
from core.experiments.topics.results import TopicResults, as_cast, ballots, base_topics
from core.judging.arena.ballots import CastBallots, Who, counted, who_voted
from core.judging.arena.results import PEOPLE, judged, results
from core.judging.ratings import differences
from core.records import NOTHING, Kind, Lineup, Table, Value
from core.store import Store
from core.tables.cells import Cell, make_table, number

FILE = Path(__file__).parents[3] / "assets" / "experiments" / "coi_values.json"
MARKED = "as published"
SAME = 1e-9
NOTE = (
    "Published: Elo points, without intervals; the cells of the paper's tables and figures are not"
    " in the text at hand, and nothing is read off a picture. Ours: the difference of Bradley-Terry"
    " ratings of the same scale from the best other method that a model writes, with a 95 %"
    " interval from resampling topics, and of Elo ratings, which depend on the order of matches."
    " There: the method, or the judge, that the printed value is of; Here: the one that ours is of."
)


@cache
def shipped() -> dict[str, Any]:
    """Return the published values that come with the program."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def beside(store: Store, held: TopicResults) -> Table:
    """Return the published values, each with what this experiment came to."""
    rows = list[tuple[Cell, ...]]()
    for lead in shipped()["leads"]:
        kind: Kind = lead["kind"]
        ours, elo, over = _lead(store, held, kind, lead["who"])
        what = f"Lead of Chain of Ideas, {kind}s, votes of {lead['who']}"
        printed = Value(mean=float(lead["elo"]), digits=0, note=lead["where"])
        rows.append((what, printed, lead["over"], ours, elo, over))
    agreed = shipped()["agreement"]
    share = Value(mean=agreed["share"], unit="percent", note=agreed["where"])
    what = "Agreement of a model judge with people, mean over criteria"
    for judge, ours in _agreements(store, held) or [("", Value(text=NOTHING))]:
        rows.append((what, share, agreed["judge"], ours, NOTHING, judge))
    head = ("What", f"Chain of Ideas, {MARKED}", "There", "Ours", "Ours, Elo", "Here")
    title = f"Published values, {MARKED}, and ours"
    return make_table("published-coi", title, head, rows, NOTE)


def _lead(store: Store, held: TopicResults, kind: Kind, who: Who) -> tuple[Value, Value, str]:
    """Return how far the whole method stands above the best other method of a model."""
    nothing = (Value(text=NOTHING), Value(text=NOTHING), "")
    votes = ballots(store, held, kind) if kind in held.asked.kinds else None
    chain = next((one for one in held.asked.found if one.method == "chain"), None)
    if votes is None or chain is None or who not in who_voted(votes):
        return nothing
    mine = held.names[names_of(held.asked)[chain.said, held.asked.models[0]]]
    others = {
        held.names[name]
        for one, _, name in players(held.asked)
        if one.method != "chain" and one.by_model
    }
    return _beside_best(votes, who, mine, others) or nothing


def _beside_best(
    votes: CastBallots, who: Who, mine: str, others: set[str]
) -> tuple[Value, Value, str] | None:
    found = results(votes, who)
    best = next((one.player for one in found.table.ratings if one.player in others), None)
    if best is None or mine not in found.elo:
        return None
    far = next(one for one in differences(counted(votes, who), best) if one.player == mine)
    ours = Value(
        mean=far.value, low=far.low, high=far.high, n=far.topics, counted="topics", digits=0
    )
    return ours, number(found.elo[mine] - found.elo[best], 0), best


def _agreements(store: Store, held: TopicResults) -> list[tuple[str, Value]]:
    """Return each model's mean agreement with people over criteria."""
    known = as_cast(store, held, "idea")
    return list(_means(*known, base_topics(held))) if known else []


def _means(
    votes: CastBallots, lineup: Lineup, base: Mapping[str, str]
) -> Iterator[tuple[str, Value]]:
    health = judged(votes, lineup, base=base)
    for judge, by_criterion in health.people.items():
        shares = [one.with_ties.value for one in by_criterion.values()]
        given = [share for share in shares if share is not None]
        if given:
            n = sum(one.with_ties.n for one in by_criterion.values())
            mean = sum(given) / len(given)
            # Where all criteria have as many matches, their mean is the share of all pooled.
            pooled = health.between.get((judge, PEOPLE))
            agreed = pooled.with_ties if pooled else None
            low, high = None, None
            if agreed and agreed.value is not None and abs(agreed.value - mean) < SAME:
                low, high = agreed.low, agreed.high
            yield (
                judge,
                Value(mean=mean, low=low, high=high, n=n, counted="matches", unit="percent"),
            )
