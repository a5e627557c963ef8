"""Finding what is stored by its words: ideas, runs, papers, sessions, case studies.

`search_index` says what of each is looked through.
"""

import re
from typing import Literal, NamedTuple, get_args

from core.records import Record
from core.store.connection import AMONG, Connections, dump, mended
from core.store.library import BROUGHT
from core.store.own import OWN

Group = Literal["ideas", "runs", "papers", "sessions", "cases"]
GROUPS: tuple[Group, ...] = get_args(Group)
Passage = tuple[tuple[str, bool], ...]
"""Pieces of a text, and whether each is what was looked for."""
MOST_WORDS = 32
"""Words that are looked for; further ones narrow nothing down."""
LENGTH = 18
"""Words of a passage."""
BEGINS, ENDS = "\x02", "\x03"
"""Around what was looked for: what ends up inside a text by accident marks a piece of it, no
more.
"""


class Found(Record):
    """Something that holds all the words."""

    kind: Literal["idea", "entry", "run", "paper", "session", "case"]
    id: str
    """Of an entry that of its idea: the same text has the same one, kept or not."""
    title: str
    origin: str
    """Of a kept idea its origin, of an entry its collection, of a paper its source, of a session
    its task, of a run or case study its method.
    """
    about: str = ""
    """Of a kept idea its run, of an entry its topic, of a session its state, of a run the title of
    the result by which it was found; of a paper the list of the library that it is in.
    """
    at: str
    """When it was made or kept; of a paper the year, if that is known."""
    passage: Passage = ()
    """Where its text holds the words; empty where only the title does."""


class Finds(Record):
    """What was found of one group, the best first, and how much there is in all."""

    group: Group
    total: int = 0
    found: tuple[Found, ...] = ()


class _Shelf(NamedTuple):
    """Where the rows of a group come from: SQL that names the columns of a `Found`."""

    tables: str
    columns: str
    where: str = "1"
    id: str = "ref"
    values: tuple[object, ...] = ()


IN_LIBRARY = (
    "(papers.id IN (SELECT paper FROM imports) OR (added <> ? AND source <> ?) OR EXISTS (SELECT 1"
    " FROM run_papers JOIN runs ON runs.id = run_papers.run WHERE run_papers.paper = papers.id AND"
    " runs.packed IS NULL))"
)
"""Papers that a list of the library has (`library.MET`, asked of a few papers instead of all)."""
_SHELVES: dict[Group, _Shelf] = {
    "ideas": _Shelf(
        "LEFT JOIN ideas ON t.kind = 'idea' AND ideas.id = ref"
        " LEFT JOIN entries ON t.kind = 'entry' AND entries.id = ref",
        "t.kind, t.title, coalesce(origin, collection) AS origin,"
        " coalesce(ideas.run, topic, '') AS about, coalesce(saved, at) AS at",
        # Experiment designs of collections are no ideas, and listed nowhere by themselves.
        "(t.kind = 'idea' OR entries.kind = 'idea')",
        # One text is one idea, wherever it is (core/store/ideas.py).
        id="iif(t.kind = 'idea', ref, substr(sha, 1, 16))",
    ),
    "runs": _Shelf(
        "JOIN runs ON t.kind = 'run' AND runs.id = ref",
        "'run' AS kind, runs.title, method AS origin,"
        " iif(part = '', '', t.title) AS about, created AS at",
        # Those of an experiment are seen there.
        "packed IS NULL AND sweep IS NULL",
    ),
    "papers": _Shelf(
        "JOIN papers ON t.kind = 'paper' AND papers.id = ref",
        "'paper' AS kind, papers.title, source AS origin,"
        " iif(papers.id IN (SELECT paper FROM imports), 'own', 'met') AS about,"
        " coalesce(year, '') || '' AS at",
        IN_LIBRARY,
        values=(BROUGHT, OWN),
    ),
    "sessions": _Shelf(
        "JOIN studies ON t.kind = 'session' AND studies.id = ref",
        "'session' AS kind, name AS title, task AS origin, state AS about, created AS at",
    ),
    "cases": _Shelf(
        "JOIN runs ON t.kind = 'run' AND runs.id = ref",
        "'case' AS kind, runs.title, method AS origin,"
        " iif(part = '', '', t.title) AS about, created AS at",
        # Those of an experiment are seen there.
        "packed IS NOT NULL AND sweep IS NULL",
    ),
}
MATCHED = (
    "WITH matched AS MATERIALIZED (SELECT rowid AS n, bm25(search_words, 8.0, 1.0) AS score"
    " FROM search_words WHERE search_words MATCH ?)"
)


class FullTextSearch:
    def __init__(self, connections: Connections):
        self._db = connections

    def find(
        self, text: str, group: Group, limit: int = 10, without: tuple[str, ...] = ()
    ) -> Finds:
        """Return what holds all the words of a text, the last one perhaps only begun; runs but
        those of the methods `without`. Raises StoreFailed.
        """
        asked = query(text)
        if not asked:
            return Finds(group=group)
        shelf = _SHELVES[group]
        where, values = shelf.where, shelf.values
        if group == "runs":
            where, values = f"{where} AND NOT method {AMONG}", (*values, dump(without))
        # Everything stands there once, by that of its texts which fits best.
        rows = self._db.rows(
            f"{MATCHED} SELECT n, {shelf.id} AS id, {shelf.columns}, min(score),"
            " count(*) OVER () AS total FROM matched JOIN search_texts AS t USING (n)"
            f" {shelf.tables} WHERE {where}"
            f" GROUP BY {shelf.id} ORDER BY min(score), ref LIMIT ?",
            asked,
            *values,
            limit,
        )
        passages = self._passages(asked, [row["n"] for row in rows])
        found = [
            Found(**{name: row[name] for name in KEPT}, passage=passages.get(row["n"], ()))
            for row in rows
        ]
        return Finds(group=group, total=rows[0]["total"] if rows else 0, found=tuple(found))

    def in_library(self, papers: tuple[str, ...]) -> frozenset[str]:
        """Return those of these papers that `find` can find."""
        find = f"SELECT id FROM papers WHERE id {AMONG} AND {IN_LIBRARY}"
        return frozenset(self._db.column(find, dump(papers), BROUGHT, OWN))

    def _passages(self, asked: str, rows: list[int]) -> dict[int, Passage]:
        # Apart from the search itself: SQLite would cut a passage out of everything that matches.
        found = self._db.tuples(
            f"SELECT rowid, snippet(search_words, 1, ?, ?, '…', {LENGTH}) FROM search_words"
            f" WHERE search_words MATCH ? AND rowid {AMONG}",
            BEGINS,
            ENDS,
            asked,
            dump(rows),
        )
        return {row: _pieces(text) for row, text in found if BEGINS in text}


KEPT = ("kind", "id", "title", "origin", "about", "at")
"""What of a row stands in its `Found` as it is."""


def query(text: str) -> str:
    """Return what somebody typed as a query of FTS5: each word quoted, so that nothing in it is
    syntax, and the last one as the beginning of a word; empty where there is no word.
    """
    plain = "".join(sign if sign.isprintable() else " " for sign in mended(text))
    words = [word for word in plain.split() if any(map(str.isalnum, word))][:MOST_WORDS]
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    # Nearly everything holds a word that begins with a given letter of ours.
    begun = words and (len(words[-1]) > 1 or not words[-1].isascii())
    return " ".join(quoted) + ("*" if begun else "")


def _pieces(text: str) -> Passage:
    """Return a passage in its pieces."""
    pieces: list[tuple[str, bool]] = []
    marked = False
    for part in re.split(f"([{BEGINS}{ENDS}])", text):
        if part in (BEGINS, ENDS):
            marked = part == BEGINS
        elif part:
            pieces.append((part, marked))
    return tuple(pieces)
