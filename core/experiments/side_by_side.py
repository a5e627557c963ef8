"""Two runs beside each other: differences in score, cost and time over what both worked on, with
intervals, and the texts of each to be read.

A unit is a target, a topic, a question or an idea, with the contender that worked on it, whichever
model that was: two runs that differ in their models are compared cell by cell. Intervals are
Student's t over targets, topics or questions, the cells of one taken together.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from core.errors import BadInput
from core.experiments.checklist.results import SUM, at_step
from core.experiments.checklist.results import collect as collect_checklist
from core.experiments.novelty.figures import collect as collect_novelty
from core.experiments.results import collect as collect_sweep
from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.contenders import Contender
from core.experiments.topics.results import TopicResults, ballots, bases
from core.experiments.topics.results import collect as collect_topics
from core.judging.arena.ballots import counted, who_voted
from core.records import NOTHING, Idea, Outcome, Run, Table, Value
from core.statistics.intervals import AMOUNT, SHARE, Figure, Scale
from core.statistics.paired import compare, mean_ci
from core.store import Store
from core.store.connection import Row
from core.story import Story
from core.tables.cells import Cell, make_table

MOST_TEXTS = 500
Scored = tuple[str, Scale]
"""What a score is called, and what it can be."""
Place = tuple[str, str]
"""What a unit is about, and by whom."""


class Unit(NamedTuple):
    """What a run came to at one place."""

    about: str
    """The target, topic or question."""
    by: str
    """The contender, without its model."""
    score: float | None
    runs: tuple[str, ...]
    text: str = ""
    ideas: tuple[Idea, ...] = ()
    """What the text is of, where it is of ideas: each can be kept and rated."""


class Pair(NamedTuple):
    """What two runs came to at the same place."""

    a: Unit
    b: Unit


class Laid(NamedTuple):
    """What two runs come to in one respect, over what both have."""

    what: str
    a: Figure
    b: Figure
    difference: Figure
    """Mean of a - b."""
    alone: int
    """Cells that only one of them has this of, which are left out."""


def lay(store: Store, a: Run, b: Run) -> tuple[Table, Table, tuple[Pair, ...]]:
    """Return the differences of two runs, their texts side by side, and what the rows of these are
    of; raises BadInput for runs of two kinds.
    """
    if a.config.method != b.config.method:
        raise BadInput(
            f"{a.id} is a run of {a.config.method}, and {b.id} one of {b.config.method}. Two of one"
            " kind can be laid side by side."
        )
    (name, scale), mine = units(store, a)
    (other, _), theirs = units(store, b)
    # What two runs hold against two contenders has no difference.
    alike = a.config.method != "topic-experiment" or _opponent(a) == _opponent(b)
    scored = [_compared(name, _scores(mine), _scores(theirs), scale)] if alike else []
    found = [
        *scored,
        *(
            _compared(what, _amounts(store, mine, field), _amounts(store, theirs, field), AMOUNT)
            for what, field in SPENT.items()
        ),
    ]
    both = pairs(mine, theirs)
    table = differences(a, b, found)
    if not scored:
        said = f"Scores are not compared, being of two kinds: {name} ({a.id}), {other} ({b.id})."
        table = table.model_copy(update={"note": f"{said} {table.note}"})
    return table, texts(a, b, both), both


SPENT = {
    "Cost of a cell, US dollars": "cost",
    "Tokens of a cell": "tokens",
    "Calls of a cell": "calls",
    "Seconds of a cell": "worked",
}
"""What is compared beside the score, and the field of a run it stands in."""


# -- what a run came to ------------------------------------------------------------------------


def units(store: Store, run: Run) -> tuple[Scored, list[Unit]]:
    """Return what a run's score is, and every unit it has to show."""
    match run.config.method:
        case "sweep":
            return ("Mean Q", SHARE), _of_sweep(store, run)
        case "checklist-experiment":
            return ("Sum over items after the last step", SUM), _of_checklist(store, run)
        case "topic-experiment":
            name = f"Share of matches won against {_opponent(run).label}"
            return (name, SHARE), _of_topics(store, run)
        case "novelty-experiment":
            return ("Says what people said", SHARE), _of_novelty(store, run)
    story = Story.of(store, run.id)
    ends = story.all(Outcome)
    ideas = [one.idea for one in ends] or list(story.all(Idea)[-1:])
    topic = run.config.topic or run.title
    found = [
        Unit(topic, f"idea {n}", None, (run.id,), idea.text, (idea,))
        for n, idea in enumerate(ideas, 1)
    ]
    return ("Score", SHARE), found


def _of_sweep(store: Store, run: Run) -> list[Unit]:
    held = collect_sweep(store, run.id)
    titles = {one.sha: one.title for one in held.targets}
    q: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for ranked in held.standings:
        if ranked.judge == held.judge:
            cell = ranked.cell
            q[cell.method, cell.model, cell.indicator, cell.target] += ranked.q
    found = []
    for one in held.made:
        cell = one.cell
        scores = q.get((cell.method, cell.model, cell.indicator, cell.target))
        text = "\n\n".join(idea.text for idea in one.ideas)
        by = f"{cell.method}, {cell.indicator}"
        runs = held.runs(one)
        score = fmean(scores) if scores else None
        title = titles.get(cell.target, cell.target[:12])
        found.append(Unit(title, by, score, runs, text, one.ideas))
    return found


def _of_checklist(store: Store, run: Run) -> list[Unit]:
    held = collect_checklist(store, run)
    found = []
    for cell in held.cells:
        scores = at_step(cell, held.asked.steps - 1)
        known = [score for score in scores or () if score is not None]
        total = float(sum(known)) if scores and len(known) == len(scores) else None
        by = "informed" if cell.provider else "uninformed"
        story = Story.only(store, cell.run, Outcome) if cell.run else None
        end = story.last(Outcome) if story else None
        ideas = (end.idea,) if end else ()
        text = end.idea.text if end else ""
        found.append(Unit(cell.question[:12], by, total, (*cell.began, cell.run), text, ideas))
    return found


def _of_novelty(store: Store, run: Run) -> list[Unit]:
    found = []
    for cell in collect_novelty(store, run).cells:
        decided = cell.said in ("known", "new")
        score = float(cell.known == (cell.said == "known")) if decided else None
        found.append(Unit(cell.idea[:12], cell.depth, score, (cell.run,), cell.verdict))
    return found


def _opponent(run: Run) -> Contender:
    return run.inputs_as(TopicExperimentInputs).compared_with


def _of_topics(store: Store, run: Run) -> list[Unit]:
    held = collect_topics(store, run)
    won = _won(store, held)
    found = []
    for cell in held.cells:
        ideas = (store.frozen.get(cell.idea, Idea),) if cell.idea else ()
        text = ideas[0].text if ideas else ""
        score = won.get((cell.topic, held.names.get(cell.player, cell.player)))
        runs = (cell.run,) if cell.run else ()
        found.append(Unit(cell.topic, cell.contender, score, runs, text, ideas))
    return found


def _won(store: Store, held: TopicResults) -> dict[tuple[str, str], float]:
    """Return the share of its matches that each player won against the one it is held against, by
    topic; a tie counts half, all criteria and judges count alike.
    """
    votes = ballots(store, held, "idea")
    if votes is None or "models" not in who_voted(votes):
        return {}
    matches = counted(votes, "models")
    of = matches.players.index
    found: dict[tuple[str, str], float] = {}
    for player, base in bases(held).items():
        if not {player, base} <= {*matches.players}:
            continue
        n, m = of(player), of(base)
        for t, topic in enumerate(matches.topics):
            wins, ties = matches.won[t, n, m], matches.tied[t, n, m]
            played = wins + matches.won[t, m, n] + ties
            if played:
                found[topic, player] = float((wins + ties / 2) / played)
    return found


# -- what differs --------------------------------------------------------------------------------


def _scores(found: Iterable[Unit]) -> dict[Place, float]:
    """Return the mean score by unit."""
    by: dict[Place, list[float]] = defaultdict(list)
    for one in found:
        if one.score is not None:
            by[one.about, one.by].append(one.score)
    return {place: fmean(scores) for place, scores in by.items()}


def _amounts(store: Store, found: Iterable[Unit], field: str) -> dict[Place, float]:
    """Return what a cell needs by unit; nothing where that is unknown."""
    by: dict[Place, list[float]] = defaultdict(list)
    unknown = set()
    for one in found:
        runs = store.runs.needed(one.runs).values()
        deleted = len(runs) < len(set(filter(None, one.runs)))
        if deleted or any(_is_unknown(run, field) for run in runs):
            unknown.add((one.about, one.by))
        spent = [
            run["tokens_in"] + run["tokens_out"] if field == "tokens" else float(run[field])
            for run in runs
        ]
        if runs:
            by[one.about, one.by].append(float(sum(spent)))
    return {place: fmean(values) for place, values in by.items() if place not in unknown}


def _is_unknown(run: Row, field: str) -> bool:
    """Say whether it is not known what a run needed: it has answers of a run that was deleted since
    or has calls without a price, or took answers over in no time.
    """
    if field == "worked":
        return bool(run["taken"])
    return bool(run["lacking"] or (field == "cost" and run["unpriced"]))


def _compared(what: str, a: Mapping[Place, float], b: Mapping[Place, float], scale: Scale) -> Laid:
    """Compare what both have of the same units: what one of them lacks is no difference."""
    both = sorted(a.keys() & b.keys())
    mine, theirs = (_by_subject({place: of[place] for place in both}) for of in (a, b))
    figure = compare("a", "b", {"a": mine, "b": theirs}, scale, "units").difference
    of_a, of_b = (mean_ci(list(of.values()), scale, "units") for of in (mine, theirs))
    return Laid(what, of_a, of_b, figure, len(a.keys() ^ b.keys()))


def _by_subject(found: Mapping[Place, float]) -> dict[str, float]:
    """Return the mean over contenders by target, topic or question."""
    by: dict[str, list[float]] = defaultdict(list)
    for (about, _), value in found.items():
        by[about].append(value)
    return {about: fmean(values) for about, values in by.items()}


def differences(a: Run, b: Run, found: Sequence[Laid]) -> Table:
    """Return the differences of two runs as a table."""
    rows = list[tuple[Cell, ...]]()
    for one in found:
        rows.append((one.what, _cell(one.a), _cell(one.b), _cell(one.difference)))
    head = ("What", f"{a.title} ({a.id})", f"{b.title} ({b.id})", "Difference")
    note = (
        "Over the cells that both runs have, those of one target, topic or question taken"
        " together. Brackets: 95 % interval by Student's t over these; one that includes 0 shows no"
        " difference."
    )
    if left := [f"{one.what}: {one.alone}" for one in found if one.alone]:
        note += f" Cells that one of the two has no figure of are left out ({'; '.join(left)})."
    lacking = [one.what for one in found if one.difference.value is None]
    if lacking:
        note += (
            f" Without a figure: {', '.join(lacking)}; both runs must have some of the same cells"
            " (votes or rankings for a score, prices for a cost)."
        )
    return make_table("side-by-side", "Two runs side by side", head, rows, note)


def _cell(figure: Figure) -> Value:
    if figure.value is None:
        return Value(text=NOTHING, note=figure.note)
    return Value(
        mean=figure.value,
        low=figure.low,
        high=figure.high,
        n=figure.n,
        counted="units",
        note=figure.how or figure.note,
    )


def pairs(mine: Iterable[Unit], theirs: Iterable[Unit]) -> tuple[Pair, ...]:
    """Return what both runs have on the same unit, MOST_TEXTS at most."""
    of_b: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for one in theirs:
        of_b[one.about, one.by].append(one)
    found = (Pair(one, other) for one in mine for other in of_b.get((one.about, one.by), []))
    return tuple(islice(found, MOST_TEXTS))


def texts(a: Run, b: Run, both: Iterable[Pair]) -> Table:
    """Return the texts of both runs on the same unit, with their scores, to be read."""
    rows = list[tuple[Cell, ...]]()
    for one, other in both:
        scores = (_score(one), _score(other))
        rows.append((one.about, one.by, one.text, other.text, *scores))
    head = ("Of", "By", f"Text of {a.id}", f"Text of {b.id}", f"Score of {a.id}", f"of {b.id}")
    return make_table("side-by-side-texts", "Texts side by side", head, rows)


def _score(one: Unit) -> Value:
    return Value(text=NOTHING) if one.score is None else Value(mean=one.score)
