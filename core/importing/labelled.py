"""Labelled ideas from a table of any shape: which columns hold the text, what people said, and the
papers that have it already.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.errors import BadInput, MappingNeeded
from core.importing.days import NOTHING, day_of
from core.importing.making import Offered, offer
from core.importing.mapping import Mapping as Columns
from core.importing.mapping import longest_texts, proposed
from core.importing.names import first_few, names_in, simple
from core.importing.reading import read
from core.importing.sheets import RefusedRow, Row, Sheet, refused, require_columns
from core.judging.arena.imported_votes import unguarded
from core.literature.paper_ids import wanted_id
from core.records import Idea, LabelledIdea, LabelledIdeas

LABELS = names_in(
    """
    label, novel, is novel, novelty, novelty label, known, is known, anticipated, gold, gold label,
    verdict, class, human label, annotation, expert label, not novel, plagiarized, plagiarised,
    similar, judgement, judgment, decision, status
    """
)
KNOWN_BY_NAME = frozenset(
    names_in("known, is known, anticipated, plagiarized, plagiarised, similar, not novel")
)
"""Columns whose `yes` says that an idea is known."""
NEW_BY_NAME = frozenset(names_in("novel, is novel, novelty, new, is new, original"))
PAPERS = names_in(
    """
    papers, prior papers, prior work, priors, precedents, references, evidence, similar papers,
    known papers, matched papers, overlapping papers, source papers, paper, matched paper,
    similar paper, prior, precedent
    """
)
DATES = names_in("dated, date, idea date, submitted, submission date, created")
BANS = names_in("ban, own paper, origin paper, own doi, own arxiv")
YES = frozenset(names_in("yes, true, 1, y"))
NO = frozenset(names_in("no, false, 0, n"))
SAYS_NEW = frozenset(names_in("new, novel, original, is novel, novelty, unpublished"))
SAYS_KNOWN = frozenset(
    names_in(
        """
        known, not novel, not new, non novel, nonnovel, anticipated, plagiarized, plagiarised,
        similar, published, not original, duplicate, existing, derivative, unoriginal
        """
    )
)
WHATS = ("text", "title", "label", "papers", "date", "ban")
"""What a column can be said to be."""


class LabelledLayout(NamedTuple):
    """What the columns of a table of labelled ideas are, and which labels say what."""

    text: Columns
    label: str
    papers: tuple[str, ...] = ()
    date: str = ""
    ban: tuple[str, ...] = ()
    new: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()

    def as_read(self) -> dict[str, object]:
        """Return the layout as it is told."""
        return {
            "text": self.text.model_dump(exclude_defaults=True, exclude={"constants"}),
            "label": self.label,
            "papers": self.papers,
            "date": self.date,
            "ban": self.ban,
            "says new": sorted(self.new),
            "says known": sorted(self.known),
        }


def labelled_in(
    name: str,
    data: bytes,
    given: Mapping[str, Sequence[str]],
    new: Iterable[str] = (),
    known: Iterable[str] = (),
) -> tuple[LabelledIdeas, LabelledLayout, tuple[RefusedRow, ...]]:
    """Return the labelled ideas of a file, how it was read, and the rows that were not taken.

    `given` names columns by what they are (WHATS), `new` and `known` the labels that say so; the
    rest is taken from the names. Raises MappingNeeded where that leaves open what is what, and
    BadInput for a file without a usable row.
    """
    sheet = read(name, data)
    layout = lay_out(sheet, given, new, known)
    found: dict[str, list[LabelledIdea]] = defaultdict(list)
    out = [*sheet.refused]
    for row in sheet.rows:
        taken = _take(row, layout, sheet.name)
        if isinstance(taken, RefusedRow):
            out.append(taken)
        else:
            found[taken.idea.digest()].append(taken)
    ideas = []
    for same in found.values():
        if len({one.known for one in same}) == 1:
            ideas.append(same[0])
            continue
        places = first_few([one.where for one in same])
        for one in same:
            out.append(
                refused(one.where, one.idea.title, f"one idea has both labels ({places}); keep one")
            )
    if not ideas:
        reasons = "; ".join(dict.fromkeys(row.reason for row in out))[:600]
        raise BadInput(f"{name} holds no labelled idea that can be used. {reasons}")
    return LabelledIdeas(ideas=tuple(ideas)), layout, tuple(out)


def lay_out(
    sheet: Sheet, given: Mapping[str, Sequence[str]], new: Iterable[str], known: Iterable[str]
) -> LabelledLayout:
    """Return what the columns are, as given or by their names; raises MappingNeeded with all that
    is not clear.
    """
    require_columns(sheet, (column for columns in given.values() for column in columns))
    label = _named(sheet, given, "label", LABELS) or _by_labels(sheet)
    papers = tuple(given.get("papers") or filter(None, [_named(sheet, given, "papers", PAPERS)]))
    date = _named(sheet, given, "date", DATES)
    ban = tuple(given.get("ban") or filter(None, [_named(sheet, given, "ban", BANS)]))
    text = _text_columns(sheet, given, tuple(filter(None, (label, *papers, date, *ban))))
    unclear = [] if text else ["Which column holds the text of an idea is not clear."]
    says: tuple[frozenset[str], frozenset[str]] | None = None
    if label:
        says = _labels(sheet, label, frozenset(map(_said, new)), frozenset(map(_said, known)))
    else:
        unclear.append("Which column holds the label is not clear.")
    if label and says is None:
        labels = first_few(sorted(frozenset(map(_said, sheet.values(label)))))
        unclear.append(
            f"What the labels in {label!r} mean is not clear: {labels}. Say it with --new LABEL and"
            " --known LABEL, each repeatable; rows with any other label are left out."
        )
    if unclear or text is None or says is None:
        raise MappingNeeded(
            f"{sheet.name}: {' '.join(unclear)} Nothing was started. Say what the columns are, each"
            f" with --map WHAT=COLUMN, where WHAT is one of {', '.join(WHATS)}; text, papers and"
            f" ban may be repeated. The file has the columns {first_few(sheet.columns, 30)}."
        )
    return LabelledLayout(text, label, papers, date, ban, *says)


def _named(
    sheet: Sheet, given: Mapping[str, Sequence[str]], what: str, names: Iterable[str]
) -> str:
    """Return the column that is given for something, else the first of these names; or nothing."""
    if given.get(what):
        return given[what][0]
    columns: dict[str, str] = {}
    for column in sheet.columns:
        columns.setdefault(simple(column), column)
    return next((columns[one] for one in names if one in columns), "")


def _by_labels(sheet: Sheet) -> str:
    """Return the one column in which nothing but words for new and for known stands; or nothing."""
    found = []
    for column in sheet.columns:
        values = frozenset(map(_said, sheet.values(column)))
        if values & SAYS_NEW and values & SAYS_KNOWN and values <= SAYS_NEW | SAYS_KNOWN:
            found.append(column)
    return found[0] if len(found) == 1 else ""


def _text_columns(
    sheet: Sheet, given: Mapping[str, Sequence[str]], rest: tuple[str, ...]
) -> Columns | None:
    """Return how the text of an idea is made of the columns that are nothing else; None where that
    is not clear.
    """
    constants = {"method": "labelled", "topic": "labelled"}
    title = given.get("title", [""])[0]
    if given.get("text"):
        return Columns.model_validate(
            {"columns": tuple(given["text"]), "title": title, "constants": constants}
        )
    columns = tuple(one for one in sheet.columns if one not in rest)
    rows = []
    for row in sheet.rows:
        rows.append(Row(row.where, {name: row.cells.get(name, "") for name in columns}))
    left = sheet._replace(columns=columns, rows=tuple(rows))
    longest = longest_texts(left)
    guess = proposed(left, "idea", (longest,) if longest else ())
    if guess is None:
        return None
    change = {"places": {}, "constants": constants, **({"title": title} if title else {})}
    return guess.model_copy(update=change)


def _labels(
    sheet: Sheet, column: str, new: frozenset[str], known: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return which labels say new and which known; None for labels that nobody can tell. Raises
    BadInput for a label given that is not there.
    """
    values = frozenset(map(_said, sheet.values(column)))
    if new or known:
        if unknown := (new | known) - values:
            raise BadInput(
                f"The column {column!r} has no label {sorted(unknown)[0]!r}. It has"
                f" {first_few(sorted(values))}."
            )
        return new, known
    new, known = values & SAYS_NEW, values & SAYS_KNOWN
    yes, no = values & YES, values & NO
    if simple(column) in NEW_BY_NAME:
        new, known = new | yes, known | no
    elif simple(column) in KNOWN_BY_NAME:
        new, known = new | no, known | yes
    return (new, known) if new and known and values == new | known else None


def _said(label: str) -> str:
    """Return a label as it is compared: words without signs, a number with its own (`-1`), and
    signs alone as they stand (`+`).
    """
    said = " ".join(unguarded(label).casefold().split())
    if number := re.fullmatch(r"[^\w+-]*([+-]?\d+(?:\.\d+)?)\W*", said):
        return number[1].removeprefix("+")
    return " ".join(re.findall(r"[^\W_]+(?:\.\d+)?", said)) or said


def _take(row: Row, layout: LabelledLayout, file: str) -> LabelledIdea | RefusedRow:
    made = offer(row, layout.text, file)
    if not isinstance(made, Offered):
        return made
    label = _said(row.cells.get(layout.label, ""))
    if label not in layout.new | layout.known:
        named = f"its label {label!r} says neither" if label else "it has no label"
        return refused(row.where, made.title, named)
    try:
        dated = day_of(row.cells.get(layout.date, ""))
    except ValueError as error:
        return refused(row.where, made.title, str(error))
    assert isinstance(made.record, Idea), "offered as an idea"
    return LabelledIdea(
        where=row.where,
        idea=made.record,
        known=label in layout.known,
        papers=_names(row, layout.papers),
        dated=dated,
        ban=tuple(wanted_id(name) or name for name in _names(row, layout.ban)),
    )


def _names(row: Row, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the papers that cells name: one a line, several apart by semicolons or bars, or as a
    JSON list.
    """
    found: list[str] = []
    for column in columns:
        cell = row.cells.get(column, "").strip()
        if cell.startswith("["):
            try:
                found += [str(one) for one in json.loads(cell)]
                continue
            except (ValueError, TypeError, RecursionError):
                pass
        found += re.split(r"[\n;|]", cell)
    return tuple(dict.fromkeys(one.strip() for one in found if one.strip().lower() not in NOTHING))
