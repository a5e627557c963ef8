"""Ideas people keep, and what they say of them; ratings and rankings are only ever added."""

import json

from core.errors import BadInput
from core.records import Idea, Ranking, Rating, Record
from core.store.connection import AMONG, Connections, Row, now

MATCHING = "(? = '' OR instr(lower(data || tags || note), lower(?))) AND starred >= ?"
"""Ideas whose text, tags or note hold a text; those that are starred, or all."""


class Saved(Record):
    """An idea on the shelf: its id is the hash of its content, so saving it twice keeps one."""

    id: str
    idea: Idea
    run: str | None = None
    origin: str = ""
    """Where in its run the idea was made, or where it was imported from."""
    starred: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    saved: str = ""


class RatingGiven(Record):
    """A rating as it was given."""

    rating: Rating
    at: str


def _saved(row: Row) -> Saved:
    kept = {name: row[name] for name in ("id", "run", "origin", "note", "saved")}
    return Saved(
        **kept,
        idea=Idea.model_validate_json(row["data"]),
        starred=bool(row["starred"]),
        tags=tuple(json.loads(row["tags"])),
    )


class Ideas:
    def __init__(self, connections: Connections):
        self._db = connections

    def save(self, idea: Idea, run: str | None, origin: str) -> str:
        """Keep an idea and return its id; keeping it again changes nothing."""
        name = self.name(idea)
        self._db.write(
            "INSERT OR IGNORE INTO ideas (id, title, data, run, origin, saved) VALUES"
            " (?,?,?,?,?,?)",
            name,
            idea.title,
            idea.model_dump_json(),
            run,
            origin,
            now(),
        )
        return name

    @staticmethod
    def name(idea: Idea) -> str:
        """Return the id an idea is kept under, made from its content."""
        return idea.digest()[:16]

    def holds(self, idea: Idea) -> bool:
        """Say whether this very idea is on the shelf."""
        return self._db.row("SELECT 1 FROM ideas WHERE id = ?", self.name(idea)) is not None

    def get(self, idea: str) -> Saved:
        """Return a saved idea; raises BadInput for an id that is not there."""
        row = self._db.row("SELECT * FROM ideas WHERE id = ?", idea)
        if row is None:
            raise BadInput(f"There is no saved idea {idea!r}.")
        return _saved(row)

    def listed(
        self, text: str = "", starred: bool = False, limit: int = 50, skip: int = 0
    ) -> list[Saved]:
        """Return saved ideas, newest first, whose text, tags or note hold `text`."""
        rows = self._db.rows(
            f"SELECT * FROM ideas WHERE {MATCHING} ORDER BY saved DESC, id LIMIT ? OFFSET ?",
            text,
            text,
            int(starred),
            limit,
            skip,
        )
        return [_saved(row) for row in rows]

    def count(self, text: str = "", starred: bool = False) -> int:
        """Return how many ideas `listed` would find in all."""
        find = f"SELECT count(*) FROM ideas WHERE {MATCHING}"
        return self._db.number(find, text, text, int(starred))

    def change(
        self,
        idea: str,
        *,
        starred: bool | None = None,
        tags: tuple[str, ...] | None = None,
        note: str | None = None,
    ) -> None:
        """Change a person's marks on an idea; the idea itself never changes."""
        self._db.write(
            "UPDATE ideas SET starred = coalesce(?, starred), tags = coalesce(?, tags), note ="
            " coalesce(?, note) WHERE id = ?",
            None if starred is None else int(starred),
            None if tags is None else json.dumps(tags),
            note,
            idea,
        )

    def remove(self, idea: str) -> None:
        """Take an idea off the shelf; what was said of it stays."""
        self._db.write("DELETE FROM ideas WHERE id = ?", idea)

    def rate(self, ratings: tuple[Rating, ...]) -> None:
        """Add ratings, all or none."""
        self._db.write_all(
            "INSERT INTO ratings (idea, criterion, score, rater, at) VALUES (?,?,?,?,?)",
            [(r.idea, r.criterion, r.score, r.rater, now()) for r in ratings],
        )

    def ratings(self, ideas: tuple[str, ...]) -> list[RatingGiven]:
        """Return every rating of these ideas, oldest first."""
        rows = self._db.rows(
            f"SELECT idea, criterion, score, rater, at FROM ratings WHERE idea {AMONG} ORDER BY id",
            json.dumps(ideas),
        )
        return [RatingGiven(at=row.pop("at"), rating=Rating(**row)) for row in rows]

    def rank(self, ranking: Ranking) -> None:
        """Add a ranking."""
        self._db.write(
            "INSERT INTO rankings (data, criterion, rater, at) VALUES (?,?,?,?)",
            ranking.model_dump_json(),
            ranking.criterion,
            ranking.rater,
            now(),
        )

    def rankings(self, limit: int = 200) -> list[tuple[Ranking, str]]:
        """Return rankings with their times, newest first."""
        rows = self._db.tuples("SELECT data, at FROM rankings ORDER BY id DESC LIMIT ?", limit)
        return [(Ranking.model_validate_json(data), at) for data, at in rows]
