"""Papers people brought themselves: what an import held, what of it was kept, and which paper cites
which.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from core.records import FullText, Paper, Record
from core.refusals import Refusals
from core.store.connection import Connections, now

OWN = "library"
"""The source that imported papers name."""
HOLDING = """(? = '' OR instr(folded(
    ifnull(json_extract(data, '$.title'), '') || ' ' ||
    ifnull(json_extract(data, '$.abstract'), '') || ' ' ||
    ifnull(json_extract(data, '$.doi'), '') || ' ' || ifnull(json_extract(data, '$.arxiv'), '') ||
    ' ' || ifnull((SELECT group_concat(value, ' ') FROM json_each(data, '$.authors')), '')
), folded(?)))"""
"""Papers whose title, abstract, DOI, arXiv id or authors hold a text."""
Edge = tuple[str, str]
"""Ids of the citing and of the cited paper."""


class Skipped(Record):
    """An entry of a file that was not taken, where it stands and why."""

    where: str
    title: str = ""
    reason: str


class Imported(Record):
    """What a file holds, as far as it can be read."""

    name: str
    format: str
    papers: tuple[Paper, ...] = ()
    at: tuple[str, ...] = ()
    """Where in the file each of the papers stands."""
    skipped: tuple[Skipped, ...] = ()
    """The first of the entries that are not taken."""
    more_skipped: int = 0
    """Entries beyond these that are not taken either."""
    skipped_by_reason: dict[str, int] = {}
    edges: tuple[Edge, ...] = ()
    wanted: tuple[str, ...] = ()
    """Ids (`doi:...`, `arxiv:...`) a source has to be asked about."""


class ImportReport(Record):
    """What became of an import."""

    name: str
    format: str = ""
    added: tuple[Paper, ...] = ()
    known: tuple[Skipped, ...] = ()
    """The first of the entries that the library has already."""
    more_known: int = 0
    """Entries beyond these that it has already, too."""
    skipped: tuple[Skipped, ...] = ()
    """The first of the entries that were not taken."""
    more_skipped: int = 0
    """Entries beyond these that were not taken either."""
    skipped_by_reason: dict[str, int] = {}
    """How many of all entries that were not taken have a reason of a kind."""
    attached: FullText | None = None
    """The text of a PDF, where one was attached to a paper."""
    failed: str = ""
    """Why nothing came of it, where it failed as a whole."""

    @property
    def known_count(self) -> int:
        """How many entries the library has already."""
        return len(self.known) + self.more_known

    @property
    def skipped_count(self) -> int:
        """How many entries were not taken."""
        return len(self.skipped) + self.more_skipped


class Own:
    """The part of the library that people filled themselves."""

    _db: Connections

    def keep_import(self, imported: Imported, by: str) -> ImportReport:
        """Add the papers that are not in the library yet, with the edges the file names, all or
        none, and say which were known.
        """
        added, known = list[Paper](), Refusals[Skipped]()
        with self._db.writing() as connection:
            held = {name: paper.id for paper in self.own_papers() for name in paper.names}
            for paper, where in zip(imported.papers, imported.at, strict=True):
                if same := next((held[name] for name in sorted(paper.names) if name in held), None):
                    known.add(
                        Skipped(
                            where=where,
                            title=paper.title,
                            reason=f"in the library already, as {same}",
                        )
                    )
                    continue
                added.append(paper)
                held |= dict.fromkeys(paper.names, paper.id)
            rows = [(p.id, p.model_dump_json(), imported.name, by, now()) for p in added]
            connection.executemany(
                "INSERT INTO imports (paper, data, file, by, at) VALUES (?,?,?,?,?)", rows
            )
            connection.executemany(
                "INSERT OR REPLACE INTO papers VALUES (?,?,?,?,?,?)",
                [(p.id, p.title, p.year, p.source, p.model_dump_json(), now()) for p in added],
            )
            self.add_edges(imported.edges, "file")
        return ImportReport(
            name=imported.name,
            format=imported.format,
            added=tuple(added),
            known=known.first,
            more_known=known.more,
            skipped=imported.skipped,
            more_skipped=imported.more_skipped,
            skipped_by_reason=imported.skipped_by_reason,
        )

    def own_papers(self, ids: Sequence[str] = ()) -> tuple[Paper, ...]:
        """Return the imported papers in the order they came; where ids are given, those of them
        that are imported, in the order given.
        """
        if not ids:
            return tuple(self._db.records(Paper, "SELECT data FROM imports ORDER BY seq"))
        wanted = [
            self._db.record(Paper, "SELECT data FROM imports WHERE paper = ?", name)
            for name in dict.fromkeys(ids)
        ]
        return tuple(paper for paper in wanted if paper)

    def own_listed(self, text: str = "", limit: int = 50, skip: int = 0) -> tuple[Paper, ...]:
        """Return imported papers that hold `text`, the latest import first."""
        find = f"SELECT data FROM imports WHERE {HOLDING} ORDER BY seq DESC LIMIT ? OFFSET ?"
        return tuple(self._db.records(Paper, find, text, text, limit, skip))

    def own_count(self, text: str = "") -> int:
        """Return how many papers `own_listed` would find in all."""
        return self._db.number(f"SELECT count(*) FROM imports WHERE {HOLDING}", text, text)

    def own_newest(self) -> int:
        """Return the number of the last import; no number is given twice."""
        return self._db.number("SELECT max(seq) FROM imports")

    def own_ids(self, text: str, upto: int) -> tuple[str, ...]:
        """Return the ids of all papers that `own_listed` would find, of those that were there when
        `own_newest` was `upto`.
        """
        find = f"SELECT paper FROM imports WHERE {HOLDING} AND seq <= ?"
        return tuple(self._db.column(find, text, text, upto))

    def remove_own(self, ids: Iterable[str]) -> None:
        """Take imported papers out, with the edges they brought; those that a run met stay in its
        list of papers.
        """
        with self._db.writing() as connection:
            for name in ids:
                connection.execute("DELETE FROM imports WHERE paper = ?", (name,))
                connection.execute("DELETE FROM paper_edges WHERE citing = ?", (name,))
                connection.execute("DELETE FROM texts_searched WHERE paper = ?", (name,))
                connection.execute(
                    "DELETE FROM papers WHERE id = ? AND source = ? AND id NOT IN (SELECT paper"
                    " FROM run_papers)",
                    (name, OWN),
                )

    def add_edges(self, edges: Iterable[Edge], seen: Literal["file", "text"]) -> None:
        """Keep which paper cites which, and whether a file said so or the text of the citing
        paper.
        """
        self._db.write_all(
            "INSERT OR IGNORE INTO paper_edges VALUES (?,?,?)", [(*edge, seen) for edge in edges]
        )

    def edges_from(self, paper: str) -> tuple[str, ...]:
        """Return what a paper is known to cite, as ids; not all of them need be in the library."""
        find = "SELECT DISTINCT cited FROM paper_edges WHERE citing = ? ORDER BY cited"
        return tuple(self._db.column(find, paper))

    def edges_to(self, paper: str) -> tuple[str, ...]:
        """Return what is known to cite a paper, as ids."""
        find = "SELECT DISTINCT citing FROM paper_edges WHERE cited = ? ORDER BY citing"
        return tuple(self._db.column(find, paper))

    def searched(self) -> dict[str, tuple[str, int]]:
        """Return how far the text of each paper was searched for others: paper -> (SHA-256 of the
        text, the last import looked for).
        """
        rows = self._db.tuples("SELECT paper, sha, upto FROM texts_searched")
        return {paper: (sha, upto) for paper, sha, upto in rows}

    def last_import(self) -> int:
        """Return the number of the latest import, 0 before the first."""
        return self._db.number("SELECT max(seq) FROM imports")

    def own_since(self, upto: int) -> tuple[Paper, ...]:
        """Return the papers imported after the one with this number, in order."""
        find = "SELECT data FROM imports WHERE seq > ? ORDER BY seq"
        return tuple(self._db.records(Paper, find, upto))

    def found_in_text(
        self, paper: str, sha: str, upto: int, cited: Iterable[str], afresh: bool
    ) -> None:
        """Note what a paper's text cites among the imports up to a given one; `afresh` forgets what
        an earlier text of it said.
        """
        with self._db.writing() as connection:
            if afresh:
                connection.execute(
                    "DELETE FROM paper_edges WHERE citing = ? AND seen = 'text'", (paper,)
                )
            self.add_edges([(paper, one) for one in cited], "text")
            connection.execute(
                "INSERT OR REPLACE INTO texts_searched VALUES (?,?,?)", (paper, sha, upto)
            )
