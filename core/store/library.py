"""Papers that runs met, what sources answered, vectors of what was embedded, texts of frozen
prompts.
"""

from collections.abc import Iterable, Mapping, Sequence

from core.records import Paper
from core.store.connection import Connections, now
from core.store.own import OWN, Own
from core.store.texts import Texts

BROUGHT = "with a case study"
"""Stands in place of the time a paper was first met."""
MET = (
    "(id IN (SELECT paper FROM run_papers JOIN runs ON runs.id = run_papers.run WHERE runs.packed"
    " IS NULL) OR (added <> ? AND source <> ?))"
)
"""Papers that runs met, deleted ones among them: not what was imported alone, nor what came with a
case study alone.
"""


class Library(Own, Texts):
    def __init__(self, connections: Connections):
        self._db = connections

    def cached(self, key: str) -> tuple[str, str] | None:
        """Return (body, when it was fetched) of a source's earlier answer, or None."""
        row = self._db.row("SELECT body, fetched FROM source_cache WHERE key = ?", key)
        return (row["body"], row["fetched"]) if row else None

    def cache(self, key: str, source: str, body: str) -> None:
        """Keep a source's answer."""
        self._db.write(
            "INSERT OR REPLACE INTO source_cache VALUES (?,?,?,?)", key, source, body, now()
        )

    def vectors(self, hashes: Sequence[str], model: str) -> dict[str, bytes]:
        """Return the stored vectors, by content hash."""
        found: dict[str, bytes] = {}
        for start in range(0, len(hashes), 500):
            part = hashes[start : start + 500]
            marks = ",".join("?" * len(part))
            found |= {
                row["hash"]: row["vector"]
                for row in self._db.rows(
                    f"SELECT hash, vector FROM vectors WHERE model = ? AND hash IN ({marks})",
                    model,
                    *part,
                )
            }
        return found

    def keep_vectors(self, model: str, vectors: Mapping[str, bytes]) -> None:
        """Store vectors by content hash; the first stays."""
        with self._db.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?,?,?)",
                [(name, model, vector) for name, vector in vectors.items()],
            )

    def add_papers(self, run: str, papers: Iterable[Paper]) -> None:
        """Note which papers a run met; the newest description of a paper is kept."""
        rows = list(papers)
        with self._db.writing() as connection:
            connection.executemany(
                "INSERT INTO papers VALUES (?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET data ="
                " excluded.data, title = excluded.title, year = excluded.year",
                [(p.id, p.title, p.year, p.source, p.model_dump_json(), now()) for p in rows],
            )
            connection.executemany(
                "INSERT OR IGNORE INTO run_papers VALUES (?,?)", [(run, p.id) for p in rows]
            )

    def papers(
        self, text: str = "", source: str = "", limit: int = 50, skip: int = 0
    ) -> list[Paper]:
        """Return papers whose title or text holds `text`, newest year first."""
        rows = self._db.rows(
            "SELECT data FROM papers WHERE (? = '' OR instr(lower(data), lower(?))) AND (? = '' OR"
            " source = ?) ORDER BY year DESC, title LIMIT ? OFFSET ?",
            text,
            text,
            source,
            source,
            limit,
            skip,
        )
        return [Paper.model_validate_json(row["data"]) for row in rows]

    def paper(self, name: str) -> Paper | None:
        """Return the paper of that id as it was last described, or None."""
        row = self._db.row("SELECT data FROM papers WHERE id = ?", name)
        return Paper.model_validate_json(row["data"]) if row else None

    def met(self, text: str = "", limit: int = 50, skip: int = 0) -> list[Paper]:
        """Return papers that runs met whose title or text holds `text`, newest year first."""
        rows = self._db.rows(
            f"SELECT data FROM papers WHERE {MET} AND (? = '' OR instr(lower(data), lower(?)))"
            " ORDER BY year DESC, title LIMIT ? OFFSET ?",
            BROUGHT,
            OWN,
            text,
            text,
            limit,
            skip,
        )
        return [Paper.model_validate_json(row["data"]) for row in rows]

    def met_count(self, text: str = "") -> int:
        """Return how many papers `met` would find in all."""
        row = self._db.row(
            f"SELECT count(*) AS n FROM papers WHERE {MET} AND (? = '' OR instr(lower(data),"
            " lower(?)))",
            BROUGHT,
            OWN,
            text,
            text,
        )
        return int(row["n"]) if row else 0

    def runs_with(self, paper: str) -> list[str]:
        """Return the ids of the runs that met a paper."""
        return [
            row["run"]
            for row in self._db.rows(
                "SELECT run FROM run_papers WHERE paper = ? ORDER BY run", paper
            )
        ]

    def keep_prompts(self, texts: Mapping[str, tuple[str, str]]) -> None:
        """Keep prompt texts: sha -> (name, text)."""
        with self._db.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO prompts VALUES (?,?,?)",
                [(sha, name, text) for sha, (name, text) in texts.items()],
            )

    def prompt(self, sha: str) -> str | None:
        """Return the text of a frozen prompt, or None."""
        row = self._db.row("SELECT text FROM prompts WHERE sha = ?", sha)
        return row["text"] if row else None
