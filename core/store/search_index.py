"""The index of search, as step 15 of the schema lays it out: once shipped, never edited.

`search_texts` holds one row for each thing that can be found, `search_words` its words (FTS5, with
the rows as its content). Triggers of the database itself write both, whoever changes a table and
whichever way: nothing that is removed, renamed or wiped can be found any more, and a backup holds
what was right when it was made.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlite_utils import Database

WORDS = "search_words"
LAYOUT = """
CREATE TABLE search_texts (
    n INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, part TEXT NOT NULL,
    title TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE (kind, ref, part)
);
CREATE VIRTUAL TABLE search_words USING fts5(
    title, body, content='search_texts', content_rowid='n',
    tokenize='unicode61 remove_diacritics 2'
);
"""
INDEXED = """
INSERT INTO search_words (search_words) VALUES ('rebuild');
CREATE TRIGGER search_texts_added AFTER INSERT ON search_texts BEGIN
    INSERT INTO search_words (rowid, title, body) VALUES (new.n, new.title, new.body);
END;
CREATE TRIGGER search_texts_removed AFTER DELETE ON search_texts BEGIN
    INSERT INTO search_words (search_words, rowid, title, body)
    VALUES ('delete', old.n, old.title, old.body);
END;
"""
# A row is removed and added again, never replaced: REPLACE, which statements that set a trigger off
# may say, removes rows without a word to any trigger.
KEPT = """
INSERT INTO search_texts (kind, ref, part, title, body)
SELECT '{kind}', {ref}, {part}, {title}, {body} FROM {table} AS new WHERE {where};
CREATE TRIGGER search_{table}_added AFTER INSERT ON {table} WHEN {where} BEGIN
    DELETE FROM search_texts WHERE kind = '{kind}' AND ref = {ref} AND part = {part};
    INSERT INTO search_texts (kind, ref, part, title, body)
    VALUES ('{kind}', {ref}, {part}, {title}, {body});
END;
CREATE TRIGGER search_{table}_changed AFTER UPDATE OF {columns} ON {table} WHEN {changed} BEGIN
    DELETE FROM search_texts WHERE kind = '{kind}' AND ref = {old_ref} AND part = {old_part};
    INSERT INTO search_texts (kind, ref, part, title, body)
    SELECT '{kind}', {ref}, {part}, {title}, {body} WHERE {where};
END;
CREATE TRIGGER search_{table}_removed AFTER DELETE ON {table} BEGIN
    DELETE FROM search_texts WHERE kind = '{kind}' AND ref = {old_ref} AND part = {old_part};
END;
"""


class IndexedTable(NamedTuple):
    """A table whose rows can be found: what names a row, and its text, in SQL about `new`."""

    table: str
    kind: str
    ref: str
    columns: tuple[str, ...]
    """What the text is made from; a change of anything else leaves the index alone."""
    title: str
    body: str
    part: str = "''"
    where: str = "1"


def _json(column: str) -> str:
    """Return a column as JSON, NULL where it is none: no write may fail for the index's sake."""
    return f"iif(json_valid({column}), {column}, NULL)"


def _value(column: str, path: str) -> str:
    return f"coalesce(json_extract({_json(column)}, '{path}'), '')"


def _texts(column: str, path: str) -> str:
    """Return all texts within a column's JSON, a line each, but those that are the title or the
    form of an idea.
    """
    return (
        f"coalesce((SELECT group_concat(atom, char(10)) FROM json_tree({_json(column)}, '{path}')"
        " WHERE type = 'text' AND coalesce(key, '') NOT IN ('title', 'form')), '')"
    )


def _lines(*parts: str) -> str:
    return " || char(10) || ".join(parts)


SOURCES = (
    IndexedTable(
        table="ideas",
        kind="idea",
        ref="new.id",
        columns=("title", "data", "tags", "note"),
        title="new.title",
        body=_lines(_texts("new.data", "$.fields"), _texts("new.tags", "$"), "new.note"),
    ),
    IndexedTable(
        # Whoever adds an entry has kept its frozen copy, which never changes, before.
        table="entries",
        kind="entry",
        ref="new.id",
        columns=("sha", "title", "topic", "collection"),
        title="new.title",
        body=_lines(
            f"coalesce((SELECT {_texts('frozen.data', '$')} FROM frozen WHERE sha = new.sha), '')",
            "new.topic",
            "new.collection",
        ),
    ),
    IndexedTable(
        table="runs",
        kind="run",
        ref="new.id",
        columns=("title", "config", "tags", "packed"),
        title="new.title",
        body=_lines(
            _value("new.config", "$.inputs.topic"),
            _texts("new.tags", "$"),
            _value("new.packed", "$.about"),
        ),
    ),
    IndexedTable(
        # The idea that a run came to, or one of them.
        table="products",
        kind="run",
        ref="new.run",
        part="new.name",
        columns=("kind", "data"),
        title=(
            f"substr(coalesce(json_extract({_json('new.data')}, '$.idea.fields.title'),"
            f" json_extract({_json('new.data')}, '$.idea.fields.hypothesis'),"
            f" json_extract({_json('new.data')}, '$.idea.fields.text'), ''), 1, 120)"
        ),
        body=_texts("new.data", "$.idea.fields"),
        where="new.kind = 'Outcome'",
    ),
    IndexedTable(
        table="papers",
        kind="paper",
        ref="new.id",
        columns=("title", "data"),
        title="new.title",
        body=_lines(
            _value("new.data", "$.abstract"),
            _texts("new.data", "$.authors"),
            _value("new.data", "$.venue"),
            _value("new.data", "$.doi"),
            _value("new.data", "$.arxiv"),
        ),
    ),
    IndexedTable(
        # Nothing of what its labels hide, nor of what was answered.
        table="studies",
        kind="session",
        ref="new.id",
        columns=("name", "plan"),
        title="new.name",
        body=_lines(_value("new.plan", "$.title"), _value("new.plan", "$.instructions")),
    ),
)


def lay_out(db: "Database") -> None:
    """Make the index and its triggers, and fill it from what is there."""
    db.executescript(LAYOUT)
    for source in SOURCES:
        changed = " OR ".join(f"old.{name} IS NOT new.{name}" for name in source.columns)
        filled_in = source._asdict() | {
            "columns": ", ".join(source.columns),
            "changed": changed,
            "old_ref": source.ref.replace("new.", "old."),
            "old_part": source.part.replace("new.", "old."),
        }
        db.executescript(KEPT.format(**filled_in))
    db.executescript(INDEXED)
