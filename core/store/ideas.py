"""Every idea there is: those people keep, and those of collections, each text once; and what people
say of them. Ratings and rankings are only ever added.
"""

import json
from collections import defaultdict
from collections.abc import Sequence

from core.errors import BadInput
from core.records import Idea, Ranking, Rating, Record
from core.store.connection import AMONG, Connections, Row, mended, narrow, now
from core.wording.naming import LABELS

EVERY = """
    WITH every AS (
        SELECT id, NULL AS sha, min(saved, ifnull((
            SELECT min(at) FROM entries WHERE substr(sha, 1, 16) = ideas.id AND kind = 'idea'
        ), saved)) AS at, (
            SELECT min(rowid) FROM entries WHERE substr(sha, 1, 16) = ideas.id AND kind = 'idea'
        ) AS nth, starred FROM ideas
        UNION ALL
        SELECT substr(sha, 1, 16), sha, min(at), min(rowid), 0 FROM entries
        WHERE kind = 'idea' GROUP BY sha
        HAVING substr(sha, 1, 16) NOT IN (SELECT id FROM ideas)
    ), found AS (
        SELECT every.id, every.sha, every.at, every.nth FROM every
        LEFT JOIN ideas ON ideas.id = every.id
        LEFT JOIN frozen ON frozen.sha = every.sha
        WHERE {where}
    )
"""
"""Ideas that are kept, then those that are in a collection alone; a text has the same id in both
(the beginning of its hash). Its time is when it first came here: to keep it moves it nowhere. What
came at one time, with a file, stands as it stood there.
"""
HOLDS = """(? = '' OR instr(folded(
    ifnull((SELECT group_concat(value, ' ') FROM
        json_each(coalesce(ideas.data, frozen.data), '$.fields')), '') || ' ' ||
    ifnull((SELECT group_concat(value, ' ') FROM json_each(ideas.tags)), '') || ' ' ||
    ifnull(ideas.note, '') || ifnull((
        SELECT group_concat(' ' || method || ' ' || topic || ' ' || collection) FROM entries
        WHERE substr(sha, 1, 16) = +every.id AND kind = 'idea'), '')), folded(?)))"""
"""Ideas whose text, tags or note, or method, topic or collection of an import hold a text."""
IN_COLLECTION = (
    "every.id IN (SELECT substr(sha, 1, 16) FROM entries WHERE kind = 'idea' AND collection = ?)"
)
READ = """
    SELECT found.id, found.sha, found.at, ideas.data AS own, frozen.data, ideas.run, ideas.origin,
        ideas.saved, ideas.starred, ideas.tags, ideas.note, runs.method
    FROM found LEFT JOIN ideas ON ideas.id = found.id LEFT JOIN frozen ON frozen.sha = found.sha
        LEFT JOIN runs ON runs.id = ideas.run
    ORDER BY found.at DESC, found.nth, found.id
"""
PLACES = f"""
    SELECT substr(sha, 1, 16) AS id, method, model, topic, source, collection FROM entries
    WHERE kind = 'idea' AND substr(sha, 1, 16) {AMONG} ORDER BY at DESC, id
"""
WRITTEN = "written by hand"
"""The origin of an idea a person typed."""


class Saved(Record):
    """An idea with what people noted on it: its id is the hash of its content, so the same text is
    one idea, wherever it came from.
    """

    id: str
    idea: Idea
    run: str | None = None
    origin: str = ""
    """Where in its run the idea was made, or where it was imported from."""
    method: str = ""
    """What made it, as far as its run or its collection says."""
    model: str = ""
    topic: str = ""
    """Model and topic as its collection says."""
    collections: tuple[str, ...] = ()
    """Every collection that has it, the newest first."""
    kept: bool = True
    """Whether a person keeps it; if not, it is there as long as its collections."""
    starred: bool = False
    tags: tuple[str, ...] = ()
    note: str = ""
    saved: str = ""
    """Since when it is kept, or in a collection."""


class IdeaQuery(Record):
    """Which ideas are looked for."""

    text: str = ""
    """In the idea, its tags, its note, its method, topic and collections."""
    starred: bool = False
    kept: bool | None = None
    """Kept ones alone, or those that are not; None for all."""
    collection: str = ""


class RatingGiven(Record):
    """A rating as it was given."""

    rating: Rating
    at: str


class RatedByOne(Record):
    """What one rater rated so far."""

    rater: str
    ideas: tuple[str, ...]
    """Each once, in the order in which they were first rated."""
    ratings: int
    at: str
    """When the latest rating was given."""


ALL = IdeaQuery()


def _conditions(wanted: IdeaQuery) -> tuple[str, list[object]]:
    """Return the condition of what is looked for and its values."""
    text = mended(wanted.text)
    return narrow(
        f"{HOLDS} AND every.starred >= ?",
        (text, text, int(wanted.starred)),
        {
            "(every.sha IS NULL) = ?": None if wanted.kept is None else int(wanted.kept),
            IN_COLLECTION: wanted.collection or None,
        },
    )


def _saved(row: Row, places: Sequence[Row]) -> Saved:
    """Return an idea as it was read, with its places in collections, the newest first; the oldest
    one says where it is from.
    """
    at = places[-1] if places else dict.fromkeys(("method", "model", "topic", "source"), "")
    made_by = LABELS.get(row["method"], "") or at["method"]
    return Saved(
        id=row["id"],
        idea=Idea.model_validate_json(row["own"] or row["data"]),
        run=row["run"],
        origin=at["source"] if row["origin"] is None else row["origin"],
        method=made_by,
        model=at["model"],
        topic=at["topic"],
        collections=tuple(dict.fromkeys(one["collection"] for one in places)),
        kept=row["own"] is not None,
        starred=bool(row["starred"]),
        tags=tuple(json.loads(row["tags"] or "[]")),
        note=row["note"] or "",
        saved=row["saved"] or row["at"],
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
        """Say whether a person keeps this very idea."""
        return self._db.row("SELECT 1 FROM ideas WHERE id = ?", self.name(idea)) is not None

    def get(self, idea: str) -> Saved:
        """Return an idea, kept or of a collection; raises BadInput for an id that is not there."""
        rows = self._db.rows(EVERY.format(where="every.id = ?") + READ, idea)
        if not rows:
            raise BadInput(f"There is no idea {idea!r}.")
        return self._placed(rows)[0]

    def listed(self, wanted: IdeaQuery = ALL, limit: int = 50, skip: int = 0) -> list[Saved]:
        """Return the ideas that are looked for; those that came here last stand first."""
        where, values = _conditions(wanted)
        page = f"{where} ORDER BY every.at DESC, every.nth, every.id LIMIT ? OFFSET ?"
        return self._placed(self._db.rows(EVERY.format(where=page) + READ, *values, limit, skip))

    def ids(self, wanted: IdeaQuery = ALL, limit: int = 50) -> tuple[str, ...]:
        """Return the ids of what `listed` would return first."""
        where, values = _conditions(wanted)
        page = f"{where} ORDER BY every.at DESC, every.nth, every.id LIMIT ?"
        rows = self._db.rows(EVERY.format(where=page) + "SELECT id FROM found", *values, limit)
        return tuple(str(row["id"]) for row in rows)

    def count(self, wanted: IdeaQuery = ALL) -> int:
        """Return how many ideas `listed` would find in all."""
        where, values = _conditions(wanted)
        return self._db.number(EVERY.format(where=where) + "SELECT count(*) FROM found", *values)

    def _placed(self, rows: Sequence[Row]) -> list[Saved]:
        places: defaultdict[str, list[Row]] = defaultdict(list)
        for place in self._db.rows(PLACES, json.dumps([row["id"] for row in rows])):
            places[place["id"]].append(place)
        return [_saved(row, places[row["id"]]) for row in rows]

    def change(
        self,
        idea: str,
        *,
        starred: bool | None = None,
        tags: tuple[str, ...] | None = None,
        note: str | None = None,
    ) -> None:
        """Change a person's marks on an idea, which keeps it; the idea itself never changes.

        Raises BadInput for an id that is not there.
        """
        saved = self.get(idea)
        if not saved.kept:
            self.save(saved.idea, None, saved.origin)
        self._db.write(
            "UPDATE ideas SET starred = coalesce(?, starred), tags = coalesce(?, tags), note ="
            " coalesce(?, note) WHERE id = ?",
            None if starred is None else int(starred),
            None if tags is None else json.dumps(tags),
            note,
            idea,
        )

    def remove(self, idea: str) -> None:
        """Keep an idea no longer; what was said of it stays, and it stays in its collections."""
        self._db.write("DELETE FROM ideas WHERE id = ?", idea)

    def rate(self, ratings: tuple[Rating, ...]) -> None:
        """Add ratings, all or none; they are drafts no longer."""
        with self._db.writing() as connection:
            connection.executemany(
                "INSERT INTO ratings (idea, criterion, score, rater, at) VALUES (?,?,?,?,?)",
                [(r.idea, r.criterion, r.score, r.rater, now()) for r in ratings],
            )
            connection.executemany(
                "DELETE FROM rating_drafts WHERE rater = ? AND idea = ? AND criterion = ?",
                [(r.rater, r.idea, r.criterion) for r in ratings],
            )

    def draft_rating(self, rater: str, idea: str, criterion: str, score: int | None) -> None:
        """Keep a rating that is chosen and not handed in yet, in place of an earlier choice; None
        takes the choice back.
        """
        if score is None:
            self._db.write(
                "DELETE FROM rating_drafts WHERE rater = ? AND idea = ? AND criterion = ?",
                rater,
                idea,
                criterion,
            )
        else:
            self._db.write(
                "INSERT OR REPLACE INTO rating_drafts VALUES (?,?,?,?,?)",
                rater,
                idea,
                criterion,
                score,
                now(),
            )

    def drafted_ratings(self, rater: str, idea: str) -> dict[str, int]:
        """Return what a rater chose for an idea and has not handed in yet, by criterion, the first
        choice first.
        """
        rows = self._db.tuples(
            "SELECT criterion, score FROM rating_drafts WHERE rater = ? AND idea = ?"
            " ORDER BY at, criterion",
            rater,
            idea,
        )
        return dict(rows)

    def ratings(self, ideas: tuple[str, ...]) -> list[RatingGiven]:
        """Return every rating of these ideas, oldest first."""
        rows = self._db.rows(
            f"SELECT idea, criterion, score, rater, at FROM ratings WHERE idea {AMONG} ORDER BY id",
            json.dumps(ideas),
        )
        return [RatingGiven(at=row.pop("at"), rating=Rating(**row)) for row in rows]

    def rated(self) -> list[RatedByOne]:
        """Return what each rater rated so far, who rated last first."""
        rows = self._db.rows(
            "SELECT rater, json_group_array(idea) AS ideas, count(*) AS ratings, max(at) AS at"
            " FROM (SELECT rater, idea, at FROM ratings ORDER BY id) GROUP BY rater"
            " ORDER BY max(at) DESC, rater"
        )
        return [
            RatedByOne(ideas=tuple(dict.fromkeys(json.loads(row.pop("ideas")))), **row)
            for row in rows
        ]

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
