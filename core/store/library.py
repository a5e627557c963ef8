"""Papers and their full texts, what sources answered, vectors of what was embedded, texts of
frozen prompts.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from core.records import FullText, Paper
from core.store.connection import AMONG, Connections, Row, dump, now
from core.store.own import HOLDING, OWN, Own

BROUGHT = "with a case study"
"""Stands in place of the time a paper was first met."""
MET = (
    "(id IN (SELECT paper FROM run_papers JOIN runs ON runs.id = run_papers.run WHERE runs.packed"
    " IS NULL) OR (added <> ? AND source <> ?))"
)
"""Papers that runs met, deleted ones among them: not what was imported alone, nor what came with a
case study alone.
"""
DESCRIBE_ANEW = "UPDATE SET data = excluded.data, title = excluded.title, year = excluded.year"
KNOWN = (
    "(added <> ? OR id IN (SELECT paper FROM run_papers JOIN runs ON runs.id = run_papers.run WHERE"
    " runs.packed IS NULL))"
)
"""Papers that were imported, or met by a run here: what a case study alone says of a paper is
offered nowhere else, since anybody can have written it.
"""
READ = """SELECT f.sha, f.pages, f.reason, f.title, length(t.text) AS chars
    FROM pdf_files f JOIN full_texts t ON t.sha = f.sha"""


def _read(row: Row, origin: str) -> FullText:
    fields = {name: row[name] for name in ("sha", "pages", "chars", "reason")}
    return FullText(state="read", origin=origin, **fields)


class Library(Own):
    def __init__(self, connections: Connections):
        self._db = connections

    def cached(self, key: str) -> tuple[str, str] | None:
        """Return (body, when it was fetched) of a source's earlier answer, or None."""
        rows = self._db.tuples("SELECT body, fetched FROM source_cache WHERE key = ?", key)
        return next(iter(rows), None)

    def cache(self, key: str, source: str, body: str) -> None:
        """Keep a source's answer."""
        self._db.write(
            "INSERT OR REPLACE INTO source_cache VALUES (?,?,?,?)", key, source, body, now()
        )

    def vectors(self, hashes: Sequence[str], model: str) -> dict[str, bytes]:
        """Return the stored vectors, by content hash."""
        find = f"SELECT hash, vector FROM vectors WHERE model = ? AND hash {AMONG}"
        return dict(self._db.tuples(find, model, dump(hashes)))

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Store vectors by content hash; the first stays."""
        self._db.write_all(
            "INSERT OR IGNORE INTO vectors VALUES (?,?,?)",
            [(name, model, vector) for name, vector in vectors.items()],
        )

    def add_papers(self, run: str, papers: Iterable[Paper], *, given: bool = False) -> None:
        """Note which papers a run met; the newest description of a paper is kept, but for those the
        run was `given`: who gave them, as a case study's author, may have written anything.
        """
        rows = list(papers)
        if_known = "NOTHING" if given else DESCRIBE_ANEW
        with self._db.writing() as connection:
            connection.executemany(
                f"INSERT INTO papers VALUES (?,?,?,?,?,?) ON CONFLICT(id) DO {if_known}",
                [(p.id, p.title, p.year, p.source, p.model_dump_json(), now()) for p in rows],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO run_papers VALUES (?,?)", [(run, p.id) for p in rows]
            )

    def papers(
        self, text: str = "", source: str = "", limit: int = 50, skip: int = 0
    ) -> list[Paper]:
        """Return known papers whose title or text holds `text`, newest year first."""
        return self._db.records(
            Paper,
            f"SELECT data FROM papers WHERE {KNOWN} AND {HOLDING} AND (? = '' OR"
            " source = ?) ORDER BY year DESC, title LIMIT ? OFFSET ?",
            BROUGHT,
            text,
            text,
            source,
            source,
            limit,
            skip,
        )

    def paper(self, name: str) -> Paper | None:
        """Return the known paper of that id as it was last described, or None."""
        find = f"SELECT data FROM papers WHERE id = ? AND {KNOWN}"
        return self._db.record(Paper, find, name, BROUGHT)

    def met(self, text: str = "", limit: int = 50, skip: int = 0) -> list[Paper]:
        """Return papers that runs met whose title or text holds `text`, newest year first."""
        return self._db.records(
            Paper,
            f"SELECT data FROM papers WHERE {MET} AND {HOLDING}"
            " ORDER BY year DESC, title LIMIT ? OFFSET ?",
            BROUGHT,
            OWN,
            text,
            text,
            limit,
            skip,
        )

    def met_count(self, text: str = "") -> int:
        """Return how many papers `met` would find in all."""
        return self._db.number(
            f"SELECT count(*) FROM papers WHERE {MET} AND {HOLDING}",
            BROUGHT,
            OWN,
            text,
            text,
        )

    def runs_with(self, paper: str) -> list[str]:
        """Return the ids of the runs that met a paper."""
        return self._db.column("SELECT run FROM run_papers WHERE paper = ? ORDER BY run", paper)

    def keep_prompts(self, texts: Mapping[str, tuple[str, str]]) -> None:
        """Keep prompt texts: sha -> (name, text)."""
        self._db.write_all(
            "INSERT OR IGNORE INTO prompts VALUES (?,?,?)",
            [(sha, *named) for sha, named in texts.items()],
        )

    def prompt(self, sha: str) -> str | None:
        """Return the text of a frozen prompt, or None."""
        return self._db.value("SELECT text FROM prompts WHERE sha = ?", sha)

    # -- full texts, named with their PDF files by their SHA-256 in hex --------------------------

    def full_text(self, sha: str) -> str | None:
        """Return a text by its hash, or None."""
        return self._db.value("SELECT text FROM full_texts WHERE sha = ?", sha)

    def text_in(self, file: str) -> tuple[FullText, str] | None:
        """Return what was read from this PDF file, and the title it shows; None if it was never
        read.
        """
        row = self._db.row(f"{READ} WHERE f.file = ?", file)
        return (_read(row, ""), row["title"]) if row else None

    def text_at(self, address: str) -> FullText | None:
        """Return what was read from the PDF once fetched from this address, or None."""
        row = self._db.row(
            f"{READ} JOIN pdf_addresses a ON a.file = f.file WHERE a.address = ?", address
        )
        return _read(row, address) if row else None

    def attached(self, paper: str) -> FullText | None:
        """Return what was read from the PDF a person attached to a paper, or None."""
        row = self._db.row(
            f"{READ.replace('SELECT', 'SELECT p.by,', 1)} JOIN attached_pdfs p ON p.file = f.file"
            " WHERE p.paper = ?",
            paper,
        )
        return _read(row, row["by"]) if row else None

    def keep_text(self, file: str, text: str, pages: int, title: str, reason: str) -> None:
        """Keep what was read from a PDF file; what was read first stays."""
        sha = hashlib.sha256(text.encode()).hexdigest()
        with self._db.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO full_texts VALUES (?,?)", (sha, text))
            connection.execute(
                "INSERT OR IGNORE INTO pdf_files VALUES (?,?,?,?,?,?)",
                (file, sha, pages, title, reason, now()),
            )

    def fetched(self, address: str, file: str) -> None:
        """Note which PDF file an address gave."""
        self._db.write("INSERT OR REPLACE INTO pdf_addresses VALUES (?,?,?)", address, file, now())

    def attach(self, paper: str, file: str, by: str) -> None:
        """Attach a PDF file that was read to a paper, in place of one attached before."""
        self._db.write(
            "INSERT OR REPLACE INTO attached_pdfs VALUES (?,?,?,?)", paper, file, by, now()
        )

    def detach(self, paper: str) -> None:
        """Take the attached PDF off a paper again, with the citations found in it; its text stays,
        since runs may have read it.
        """
        with self._db.writing() as connection:
            connection.execute("DELETE FROM attached_pdfs WHERE paper = ?", (paper,))
            connection.execute(
                "DELETE FROM paper_edges WHERE citing = ? AND seen = 'text'", (paper,)
            )
            connection.execute("DELETE FROM texts_searched WHERE paper = ?", (paper,))
