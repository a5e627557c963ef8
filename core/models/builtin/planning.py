"""Which step could come next on a chain: open points to settle, mechanisms to carry over, things to
measure, join or repeat; and what its study would work with.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations, product
from typing import Literal

from core.models.builtin.english import DANGLING, capitalise, find_words, flat
from core.models.builtin.library import PassageLibrary
from core.models.builtin.pairing import IDEAL, mentions
from core.models.builtin.passages import CUES
from core.models.builtin.remedies import ELSEWHERE, REMEDIES, Remedy, remedy_for
from core.models.builtin.setting import DEFAULTS, Kind, with_article
from core.models.builtin.sources import ReadPaper
from core.records import Experiment

Move = Literal["settle", "carry", "measure", "join", "relate", "contrast", "dissect", "repeat"]
WORTH: dict[Move, float] = {
    "settle": 0.2,
    "carry": 0.2,
    "measure": 0.22,
    "join": 0.1,
    "relate": 0.12,
    "contrast": -0.15,
    "dissect": -0.05,
    "repeat": -0.4,
}
"""What a move is worth before its material is looked at."""
CLOSE = 0.15
"""How far behind the best move another may lie and still be chosen by the seed."""
MEASURABLE = find_words(
    r"levels?|sleep|jetlag|period|duration|quality|injur\w+|rates?|index|scores?|performance|"
    r"mood|rhythms?|intake|activity|fatigue|stress|pressure|strength|weight|concentrations?"
)
"""What a study of people looks at, where it is something one can measure in somebody."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A possible next step: what is done, with which paper's point and which paper's way."""

    move: Move
    one: ReadPaper
    """Whose point, problem or measure it is about."""
    other: ReadPaper | None = None
    """Whose mechanism, intervention or second measure it uses."""
    point: str = ""
    way: str = ""
    remedy: Remedy | None = None
    """How the point is settled, or the test repeated."""
    cosine: float = 0.0
    """Of point and way."""
    score: float = 0.0

    @property
    def sources(self) -> tuple[ReadPaper, ...]:
        return (self.one, self.other) if self.other else (self.one,)

    @property
    def papers(self) -> frozenset[str]:
        return frozenset(source.paper.id for source in self.sources)

    @property
    def key(self) -> tuple[str, str, str, str, str, str]:
        return (
            self.move,
            self.one.paper.id,
            self.other.paper.id if self.other else "",
            self.point,
            self.way,
            self.remedy.how if self.remedy else "",
        )


def rank_plans(
    library: PassageLibrary, topic: str, sources: Sequence[ReadPaper], ordered: bool
) -> list[Plan]:
    """Return every step the papers allow, the most promising first; the last resort, repeating a
    test, is always among them.
    """
    found = [*_plan_alone(sources), *_plan_pairs(sources)]
    texts = list(dict.fromkeys(text for plan in found for text in (plan.point, plan.way) if text))
    vectors = dict(zip(texts, library.embed([topic, *texts])[1:], strict=True)) if texts else {}
    asked = library.vector(topic)
    place = {source.paper.id: n / max(1, len(sources) - 1) for n, source in enumerate(sources)}
    ways = [(place[source.paper.id], line) for source in sources for line in source.ways]
    later = library.embed([line for _, line in ways])
    rated = []
    for plan in found:
        cosine = near = lone = late = met = 0.0
        if plan.point and plan.way:
            cosine = float(vectors[plan.point] @ vectors[plan.way])
        if plan.point:
            near += 0.45 * float(vectors[plan.point] @ asked)
        if plan.way:
            near += 0.3 * float(vectors[plan.way] @ asked)
        if plan.move == "settle" and plan.point and not plan.way:
            lone = 0.15
        if ordered:
            late = 0.15 * max(place[name] for name in plan.papers)
        if ordered and plan.point and plan.move in ("settle", "carry"):
            own = place[plan.one.paper.id]
            after = [n for n, (at, _) in enumerate(ways) if at > own]
            met = max(map(float, later[after] @ vectors[plan.point]), default=0.0)
        score = WORTH[plan.move] + near + lone + late - 0.3 * met + _fit(plan, cosine, place)
        rated.append(replace(plan, cosine=cosine, score=round(score, 4)))
    return sorted(rated, key=lambda plan: (-plan.score, plan.key))


def _fit(plan: Plan, cosine: float, place: dict[str, float]) -> float:
    """Return what speaks for a plan by itself: sentences that stand alone, words for a title, two
    papers that did not meet yet.
    """
    one, other = plan.one, plan.other
    leaning = [text for text in (plan.point, plan.way) if DANGLING.match(text)]
    titled = [source for source in plan.sources if source.thing]
    score = -0.15 * len(leaning)
    score += 0.06 * len(titled)
    if plan.move == "repeat":
        score -= 0.02 * (plan.remedy is not ELSEWHERE) + 0.3 * (one.work == "review")
    if plan.move == "settle" and plan.point not in one.gaps:
        score -= 0.1
    if plan.move == "settle" and plan.remedy is REMEDIES[-1]:
        score -= 0.15
    if other:
        apart = abs(place[one.paper.id] - place[other.paper.id])
        near = len(place) > 2 and apart * (len(place) - 1) <= 1
        score -= 0.25 * know_each_other(one, other) + 0.1 * near
    if plan.move in ("carry", "join"):
        score -= abs(cosine - IDEAL)
    return score


def know_each_other(one: ReadPaper, other: ReadPaper) -> bool:
    """Say whether the abstract of one of two papers mentions the other paper."""
    return mentions(one.paper.abstract, other.paper) or mentions(other.paper.abstract, one.paper)


def _plan_alone(sources: Sequence[ReadPaper]) -> Iterator[Plan]:
    for one in sources:
        for gap in one.gaps[:3]:
            yield Plan("settle", one, point=gap, remedy=remedy_for(gap))
        if one.work in ("review", "study") and not one.gaps:
            for problem in one.problems[:1]:
                yield Plan("settle", one, point=problem, remedy=remedy_for(problem))
        if one.work == "method" and len(one.ways) > 1:
            yield Plan("dissect", one, point=one.ways[0], way=one.ways[1])
        said = next(iter((*one.findings, *one.ways, *one.problems)), "")
        for remedy in REMEDIES:
            yield Plan("repeat", one, point=said, remedy=remedy)


def _plan_pairs(sources: Sequence[ReadPaper]) -> Iterator[Plan]:
    for one, other in permutations(sources, 2):
        first = one.paper.id < other.paper.id
        both = partial(Plan, one=one, other=other)
        joined = partial(both, point=_first(one), way=_first(other))
        measurable = one.kind == other.kind == "people" and one.work == "study"
        measurable = measurable and bool(MEASURABLE.search(one.thing))
        if other.work in ("method", "intervention") and other.ways and _can_carry(one, other):
            problems = one.problems[:1] if one.work != "measure" else ()
            stated = [line for line in problems if CUES["problem"].search(line)]
            for point, way in product([*one.gaps[:2], *stated], other.ways[:2]):
                yield both("carry", point=point, way=way)
            if one.work == "measure" or measurable:
                yield joined("measure")
            if first and one.work == other.work and one.ways:
                yield joined("join")
                if other.work == "method":
                    yield joined("contrast")
        related = other.work == "study" and one.thing != other.thing
        if first and measurable and related and MEASURABLE.search(other.thing):
            yield joined("relate")


def _first(source: ReadPaper) -> str:
    lines = (*source.ways, *source.findings, *source.problems)
    return next((line for line in lines if not DANGLING.match(line)), "")


def _can_carry(one: ReadPaper, other: ReadPaper) -> bool:
    """Say whether what one paper did can be done where the other worked."""
    if {one.kind, other.kind} == {"equations", "programs"}:
        return True
    return one.kind == other.kind or "other" in (one.kind, other.kind)


def choose_plan(
    found: Sequence[Plan], taken: Sequence[object], seed: int, marks: dict[Plan, tuple[str, str]]
) -> Plan:
    """Return the plan to follow: none that was taken (`marks` has the two sentences a plan is known
    by, flat), of the best of each move the one the seed names.
    """
    cases = [str(case) for case in taken]
    gone = [flat(case) for case in cases]

    def is_taken(plan: Plan) -> bool:
        return any(mark in case for case in gone for mark in marks[plan])

    def has_papers_named(plan: Plan) -> bool:
        papers = [source.paper for source in plan.sources]
        return any(all(mentions(case, paper) for paper in papers) for case in cases)

    free = [plan for plan in found if not is_taken(plan)]
    fresh = [plan for plan in free if not has_papers_named(plan)]
    pool = fresh or free or list(found)
    best: dict[Move, Plan] = {}
    for plan in pool:
        best.setdefault(plan.move, plan)
    close = [plan for plan in best.values() if plan.score >= pool[0].score - CLOSE]
    return close[seed % len(close)]


@dataclass(frozen=True)
class Material:
    """Noun phrases for a study, and the names of the papers that data and measure are from; a name
    is empty where nothing was named.
    """

    data: str
    data_from: str
    measure: str
    measure_from: str
    unit: str
    many: str

    def credit(self, text: str) -> str:
        """Return a sentence that says where the data and the measure that a text speaks of are
        from.
        """
        data = self.data_from if self.data in text else ""
        measure = self.measure_from if self.measure in text else ""
        if data and data == measure:
            return f"Data and measure are those of {data}"
        credits = [f"the data are those of {data}"] if data else []
        credits += [f"the measure is that of {measure}"] if measure else []
        return capitalise("; ".join(credits))


def material_for(kind: Kind, sources: Sequence[ReadPaper]) -> Material:
    """Return what the papers, the most important first, name to work with; where they tested but
    name nothing, what they used.
    """
    plain, living = DEFAULTS[kind], kind in ("people", "animals")
    tested = next((one.name for one in sources if one.experiments and one.work != "review"), "")
    tests = [(source.name, test) for source in sources for test in source.experiments]
    data, data_from = ("", "") if living else _first_named(tests, "datasets")
    if not data:
        used = f"test cases of the kind that {tested} used" if tested else plain["data"]
        data = plain["data"] if living else used
    # What a study of people is about is its outcome; the measures an abstract names are often only
    # those beside it.
    measure, measure_from = ("", "") if living and tested else _first_named(tests, "metrics")
    if measure:
        measure = with_article(measure)
    elif living and sources and (own := _own_measure(sources[0])):
        measure, measure_from = own, sources[0].name
    elif not tested and kind == "people" and sources:
        reviews = sources[0].work == "review"
        name = sources[0].name
        measure = f"the main outcome of {f'the studies that {name} reviewed' if reviews else name}"
    elif not tested:
        measure = plain["measure"]
    elif living:
        measure = f"the outcome that {tested} measured"
    else:
        measure = f"the measure that {tested} used"
    return Material(data, data_from, measure, measure_from, plain["unit"], plain["many"])


_WHETHER = re.compile(
    r"\bwhether (?:an? |the )?(?P<condition>[\w-]+(?: [\w-]+){0,3}?) (?:raises?|lowers?|improves?|"
    r"reduces?|increases?|causes?|affects?|changes?|worsens?|helps?|shortens?|lengthens?|"
    r"influences?|drives?)\b",
    re.IGNORECASE,
)


def condition_in(point: str) -> str:
    """Return what an open point leaves open the effect of, in its own words, as `training` in
    `whether training raises orexin-A`; empty where it says no such thing.
    """
    found = _WHETHER.search(point)
    return found["condition"] if found else ""


def _own_measure(one: ReadPaper) -> str:
    """Return what a study of people or animals looks at, in the words of its title; empty where
    that is nothing one can measure.
    """
    looks_at = one.thing if one.work in ("study", "measure") else ""
    if not MEASURABLE.search(looks_at):
        return ""
    # A title begins with a capital; the abstract shows whether the word has one elsewhere.
    small = looks_at[:1].lower() + looks_at[1:]
    return with_article(small if small.split()[0] in one.paper.abstract else looks_at)


def _first_named(tests: Sequence[tuple[str, Experiment]], field: str) -> tuple[str, str]:
    """Return the first thing that a field of the experiments names, with who names it."""
    for name, test in tests:
        for part in getattr(test, field).split(";"):
            if part.strip():
                return part.strip(), name
    return "", ""
