"""`answers.csv` of a session of ours, whatever its task: which rows count, and the answers as
figures need them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from core.agreement.answers import PairAnswer
from core.agreement.rankings import RankedSet
from core.errors import BadInput
from core.importing.names import simple
from core.importing.rating_cells import says
from core.importing.rating_columns import MODEL, NO, YES, number
from core.importing.sheets import RefusedRow, Row, Sheet, refused
from core.records import CommentAnswer, Task
from core.studies.commented import QUESTIONS, CommentedRound
from core.studies.ordered import Groups
from core.studies.sets import LARGEST
from core.wording.numbers import counted

HAS = frozenset(
    ("unit", "rater", "time", "stage", "attention", "label", "other", "criterion", "value", "last")
)
"""Columns by which the file is known."""
SPELLED = {simple(name): name for name in (*HAS, "counts", "kind", "side", "both_weak", "scale")}
"""Columns that are read, by how they are compared."""
RATINGS = ("idea", "rater", "criterion", "score", "time", "kind")
"""Columns of `ratings.csv` of a session of ours, which is known by having no other, but for the
scale that later ones name.
"""
STAGE = re.compile(r"\d{1,6}")
SCALE = "scale"
WORDS: dict[str, tuple[str, ...]] = {question: words for question, (_, words) in QUESTIONS.items()}
STRENGTHS = (-2.0, -1.0, 0.0, 1.0, 2.0)


class ImportedAnswers(NamedTuple):
    """The rows of `answers.csv` that count, and what was left aside."""

    sheet: Sheet
    whole: Sheet
    """With revisions and attention checks."""
    task: Task
    models: frozenset[str]
    revised: int
    checks: int
    left_out: int
    """Rows that the file itself says are in no figure, as of experts who failed a check."""


class Orders(NamedTuple):
    """Rankings by criterion, and experts' first and second orders of the sets they were given
    twice.
    """

    sets: dict[str, tuple[RankedSet, ...]]
    again: dict[str, list[tuple[Groups, Groups]]]
    refused: tuple[RefusedRow, ...]


def is_answers(sheet: Sheet) -> bool:
    """Say whether a file has the columns of an `answers.csv`."""
    return {simple(column) for column in sheet.columns} >= HAS


def answers(sheet: Sheet) -> ImportedAnswers | None:
    """Return what counts of an `answers.csv`; None for any other file."""
    if not is_answers(sheet):
        return None
    sheet = _spelled(sheet)
    counting, whole = list[Row](), list[Row]()
    revised = checks = left_out = 0
    for there in sheet.rows:
        row = Row(there.where, {name: there.cells.get(name, "").strip() for name in sheet.columns})
        old, check = says(row, "last", NO), says(row, "attention", YES)
        if not old and not check and says(row, "counts", NO) and not says(row, "time", ("2",)):
            left_out += 1
            continue
        whole.append(row)
        revised, checks = revised + old, checks + (check and not old)
        if not old and not check:
            counting.append(row)
    models = frozenset(row.cells["rater"] for row in counting if says(row, "kind", (MODEL,)))
    counted = sheet._replace(rows=tuple(counting))
    return ImportedAnswers(
        counted,
        sheet._replace(rows=tuple(whole)),
        _task(counted),
        models,
        revised,
        checks,
        left_out,
    )


def _spelled(sheet: Sheet) -> Sheet:
    """Return a file with its columns spelled as we do: another program may write `Rater`."""
    ours: dict[str, str] = {}
    for column in sheet.columns:
        name = SPELLED.get(simple(column), column)
        if name not in (*sheet.columns, *ours.values()):
            ours[column] = name
    if not ours:
        return sheet
    rows = []
    for row in sheet.rows:
        cells = {ours.get(name, name): cell for name, cell in row.cells.items()}
        rows.append(row._replace(cells=cells))
    columns = tuple(ours.get(column, column) for column in sheet.columns)
    return sheet._replace(columns=columns, rows=tuple(rows))


def of_ours(sheet: Sheet) -> bool:
    """Return whether a file holds the answers or the ratings of a session of ours."""
    ratings = sheet.columns in (RATINGS, (*RATINGS, SCALE))
    return ratings or is_answers(sheet)


def _task(sheet: Sheet) -> Task:
    """Return what was asked for: pairs have another label, comments questions, and sets several
    labels.
    """
    if sheet.values("other"):
        return "compare"
    questions = {row.cells.get("criterion", "") for row in sheet.rows}
    if questions <= set(WORDS):
        return "comment"
    labels = defaultdict[str, set[str]](set)
    for row in sheet.rows:
        labels[row.cells.get("unit", "")].add(row.cells.get("label", ""))
    return "rank" if any(len(found) > 1 for found in labels.values()) else "rate"


def raters(session: ImportedAnswers) -> tuple[str, ...]:
    """Return who answered, in the order of the seats: experts first."""
    names = {row.cells["rater"] for row in session.sheet.rows if row.cells.get("time") != "2"}
    return tuple(sorted(names, key=lambda name: (name in session.models, len(name), name)))


def criteria(session: ImportedAnswers) -> tuple[str, ...]:
    """Return the criteria in the order of the file."""
    return tuple(dict.fromkeys(row.cells["criterion"] for row in session.sheet.rows))


def orders(session: ImportedAnswers) -> Orders:
    """Return rankings: labels with the same value are tied. An order with a value that is no
    number, or with a label at two places, is refused whole.
    """
    values: dict[tuple[str, str, str, str], dict[str, float]] = defaultdict(dict)
    bad, wrong = list(session.sheet.refused), set[tuple[str, str, str, str]]()
    for row in session.sheet.rows:
        spot = (row.cells["criterion"], row.cells["unit"], row.cells["rater"], row.cells["time"])
        try:
            value = _value(row)
            if values[spot].setdefault(row.cells["label"], value) != value:
                raise ValueError("a row above gives it another place in this order; keep one")
        except ValueError as error:
            bad.append(refused(row.where, row.cells["label"], str(error)))
            wrong.add(spot)
    for (_, unit, _, _), places in values.items():
        if len(places) > LARGEST:
            raise BadInput(
                f"The set {unit[:100]!r} has {counted(len(places), 'idea')}; {LARGEST} at most are"
                " put in order at once. Does 'unit' hold the sets?"
            )
    found = {spot: _groups(places) for spot, places in values.items() if spot not in wrong}
    sets: dict[str, dict[str, dict[str, Groups]]] = {
        name: defaultdict(dict) for name in criteria(session)
    }
    again: dict[str, list[tuple[Groups, Groups]]] = defaultdict(list)
    for (criterion, unit, rater, time), groups in found.items():
        if time == "1":
            sets[criterion][unit][rater] = groups
        elif rater not in session.models and (criterion, unit, rater, "1") in found:
            again[criterion].append((found[criterion, unit, rater, "1"], groups))
    ranked = {}
    for name, units in sets.items():
        ranked[name] = tuple(RankedSet(unit, by) for unit, by in sorted(units.items()))
    return Orders(ranked, again, tuple(bad))


def _groups(places: Mapping[str, float]) -> Groups:
    return tuple(
        tuple(sorted(label for label, value in places.items() if value == place))
        for place in sorted(set(places.values()))
    )


def _value(row: Row) -> float:
    found = number(row.cells["value"])
    if found is None:
        raise ValueError("nothing stands in 'value'")
    return found


def comparisons(session: ImportedAnswers) -> tuple[tuple[PairAnswer, ...], tuple[RefusedRow, ...]]:
    """Return comparisons with the side on which texts stood, and the rows that say no answer."""
    good, bad = list[PairAnswer](), list(session.sheet.refused)
    for row in session.sheet.rows:
        label, other = row.cells["label"], row.cells["other"]
        try:
            value = _value(row)
            if value not in STRENGTHS or row.cells.get("side") not in ("left", "right"):
                raise ValueError("a comparison has a value from -2 to 2, and a side, left or right")
            good.append(
                PairAnswer(
                    label,
                    other,
                    row.cells["rater"],
                    row.cells["criterion"],
                    int(value),
                    label if row.cells["side"] == "left" else other,
                    says(row, "both_weak", YES),
                    2 if row.cells["time"] == "2" else 1,
                )
            )
        except ValueError as error:
            bad.append(refused(row.where, f"{label}, {other}", str(error)))
    return tuple(good), tuple(bad)


def comments(
    session: ImportedAnswers,
) -> tuple[tuple[CommentedRound, ...], dict[str, str], tuple[RefusedRow, ...]]:
    """Return comments by round, the label of each unit, and the rows that say no answer; a round
    with a question open, or answered in two ways, is left out.
    """
    replies: dict[tuple[str, str, int], dict[str, str]] = defaultdict(dict)
    bad, labels = list(session.sheet.refused), dict[str, str]()
    wrong = set[tuple[str, str, int]]()
    for row in session.sheet.rows:
        question, value, stage = row.cells["criterion"], row.cells["value"], row.cells["stage"]
        if value not in WORDS[question] or not STAGE.fullmatch(stage):
            bad.append(
                refused(
                    row.where,
                    row.cells["label"],
                    f"{value!r} in round {stage!r} answers {question!r} in no known way",
                )
            )
        elif row.cells["time"] != "2":
            spot = row.cells["rater"], row.cells["unit"], int(stage)
            if replies[spot].setdefault(question, value) != value:
                again = f"a row above answers {question!r} in another way; keep one"
                bad.append(refused(row.where, row.cells["label"], again))
                wrong.add(spot)
            labels[row.cells["unit"]] = row.cells["label"]
    lines = tuple(
        sorted(
            (
                CommentedRound(*spot, CommentAnswer.model_validate(reply))
                for spot, reply in replies.items()
                if len(reply) == len(QUESTIONS) and spot not in wrong
            ),
            key=lambda line: line[:3],
        )
    )
    return lines, labels, tuple(bad)
