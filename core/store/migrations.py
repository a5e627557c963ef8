"""The schema, as numbered steps: append a new one, never edit one that has shipped."""

import json
import sqlite3
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from core.store import search_index, working_time

if TYPE_CHECKING:
    from sqlite_utils import Database

SET = "foundry"
"""What sqlite-utils calls these steps in its table `_sqlite_migrations`."""
STEPS: dict[str, "Callable[[Database], None]"] = {}
"""Every step by its name, in order."""


def step(change: "Callable[[Database], None]") -> "Callable[[Database], None]":
    """Add a step, called as its function is."""
    STEPS[change.__name__] = change
    return change


def apply(connection: sqlite3.Connection, until: str | None = None) -> None:
    """Take the steps that a database lacks, up to and with the one named, in one transaction: all
    of them, or none.
    """
    # Here alone: sqlite-utils imports pandas where it is installed, half a second that no database
    # with all steps needs.
    from sqlite_utils import Database, Migrations

    migrations = Migrations(SET)
    for name, change in STEPS.items():
        migrations()(change)
        if name == until:
            break
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Within a transaction each step is a savepoint, and its scripts commit nothing.
        migrations.apply(Database(connection))
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


@step
def m001_runs_and_steps(db: "Database") -> None:
    """A run, its steps (one row an accepted answer), its calls (one row a try), its products."""
    db.executescript("""
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, method TEXT NOT NULL,
        state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '',
        config TEXT NOT NULL, parent TEXT, fork_at TEXT, fork_place TEXT,
        created TEXT NOT NULL, updated TEXT NOT NULL, ended TEXT,
        steps INTEGER NOT NULL DEFAULT 0, calls INTEGER NOT NULL DEFAULT 0,
        tokens_in INTEGER NOT NULL DEFAULT 0, tokens_out INTEGER NOT NULL DEFAULT 0,
        cost REAL NOT NULL DEFAULT 0, unpriced INTEGER NOT NULL DEFAULT 0,
        cap_usd REAL, cap_tokens INTEGER,
        asked_to TEXT, owner TEXT, heartbeat REAL, epoch INTEGER NOT NULL DEFAULT 0,
        tags TEXT NOT NULL DEFAULT '[]', archived INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX runs_created ON runs(created);
    CREATE INDEX runs_state ON runs(state, created);
    CREATE TABLE steps (
        run TEXT NOT NULL, key TEXT NOT NULL, place TEXT NOT NULL,
        kind TEXT NOT NULL, hash TEXT NOT NULL,
        request TEXT NOT NULL, status TEXT NOT NULL, reply TEXT NOT NULL, origin TEXT NOT NULL,
        tokens_in INTEGER, tokens_out INTEGER, cost REAL,
        latency REAL NOT NULL, tries INTEGER NOT NULL,
        asked TEXT NOT NULL, ended TEXT NOT NULL, taken_from TEXT, epoch INTEGER NOT NULL,
        PRIMARY KEY (run, key)
    );
    CREATE INDEX steps_place ON steps(run, place);
    CREATE TABLE calls (
        id INTEGER PRIMARY KEY, run TEXT NOT NULL, key TEXT NOT NULL,
        try INTEGER NOT NULL, model TEXT NOT NULL,
        tokens_in INTEGER, tokens_out INTEGER, cost REAL,
        latency REAL NOT NULL, outcome TEXT NOT NULL, raw TEXT NOT NULL,
        month TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX calls_run ON calls(run, key);
    CREATE TABLE spending (
        month TEXT PRIMARY KEY, cost REAL NOT NULL,
        tokens INTEGER NOT NULL, unpriced INTEGER NOT NULL
    );
    CREATE TABLE reservations (
        run TEXT NOT NULL, key TEXT NOT NULL, cost REAL NOT NULL, tokens INTEGER NOT NULL,
        PRIMARY KEY (run, key)
    );
    CREATE TABLE partials (
        run TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL,
        note TEXT NOT NULL, updated TEXT NOT NULL,
        PRIMARY KEY (run, key)
    );
    CREATE TABLE products (
        run TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
        data TEXT NOT NULL, place TEXT NOT NULL,
        PRIMARY KEY (run, name)
    );
    CREATE TABLE questions (
        run TEXT NOT NULL, key TEXT NOT NULL, question TEXT NOT NULL, answer TEXT, by TEXT, at TEXT,
        PRIMARY KEY (run, key)
    );
    CREATE TABLE wishes (
        id INTEGER PRIMARY KEY, run TEXT NOT NULL, text TEXT NOT NULL,
        by TEXT NOT NULL, at TEXT NOT NULL, taken_by TEXT
    );
    CREATE INDEX wishes_run ON wishes(run, taken_by);
    CREATE TABLE prompts (sha TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL);
    """)


@step
def m002_literature_and_people(db: "Database") -> None:
    """What sources answered, what was embedded, what people kept, rated and ranked."""
    db.executescript("""
    CREATE TABLE source_cache (
        key TEXT PRIMARY KEY, source TEXT NOT NULL, body TEXT NOT NULL, fetched TEXT NOT NULL
    );
    CREATE TABLE vectors (
        hash TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (hash, model)
    );
    CREATE TABLE papers (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
        source TEXT NOT NULL, data TEXT NOT NULL, added TEXT NOT NULL
    );
    CREATE TABLE run_papers (run TEXT NOT NULL, paper TEXT NOT NULL, PRIMARY KEY (run, paper));
    CREATE INDEX run_papers_paper ON run_papers(paper);
    CREATE TABLE ideas (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, data TEXT NOT NULL,
        run TEXT, origin TEXT NOT NULL,
        starred INTEGER NOT NULL DEFAULT 0, tags TEXT NOT NULL DEFAULT '[]',
        note TEXT NOT NULL DEFAULT '', saved TEXT NOT NULL
    );
    CREATE TABLE ratings (
        id INTEGER PRIMARY KEY, idea TEXT NOT NULL, criterion TEXT NOT NULL,
        score INTEGER NOT NULL, rater TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX ratings_idea ON ratings(idea);
    CREATE TABLE rankings (
        id INTEGER PRIMARY KEY, data TEXT NOT NULL,
        criterion TEXT NOT NULL, rater TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE endpoints (id TEXT PRIMARY KEY, abilities TEXT NOT NULL, probed TEXT NOT NULL);
    CREATE TABLE choices (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    """)


@step
def m003_tokens_nobody_reported(db: "Database") -> None:
    """What calls were expected to take where the server reported no usage: held against a cap,
    never shown as usage.
    """
    db.executescript("""
    ALTER TABLE runs ADD COLUMN tokens_expected INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE calls ADD COLUMN tokens_expected INTEGER NOT NULL DEFAULT 0;
    """)


@step
def m004_full_texts(db: "Database") -> None:
    """Texts by their SHA-256, the PDF files they are from, the addresses and the people these came
    from.
    """
    db.executescript("""
    CREATE TABLE full_texts (sha TEXT PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE pdf_files (
        file TEXT PRIMARY KEY, sha TEXT NOT NULL, pages INTEGER NOT NULL,
        title TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE pdf_addresses (address TEXT PRIMARY KEY, file TEXT NOT NULL, at TEXT NOT NULL);
    CREATE TABLE attached_pdfs (
        paper TEXT PRIMARY KEY, file TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL
    );
    """)


@step
def m005_own_literature(db: "Database") -> None:
    """Papers people brought themselves, which cites which, and how far attached texts were searched
    for titles.
    """
    db.executescript("""
    CREATE TABLE imports (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, paper TEXT NOT NULL UNIQUE,
        data TEXT NOT NULL, file TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE paper_edges (
        citing TEXT NOT NULL, cited TEXT NOT NULL, seen TEXT NOT NULL,
        PRIMARY KEY (citing, cited, seen)
    );
    CREATE INDEX paper_edges_cited ON paper_edges(cited);
    CREATE TABLE texts_searched (paper TEXT PRIMARY KEY, sha TEXT NOT NULL, upto INTEGER NOT NULL);
    """)


@step
def m006_steering_notes_and_cases(db: "Database") -> None:
    """What else a wish may say, margin notes, qualities people made up, and runs that were opened
    from a packed file.
    """
    db.executescript("""
    ALTER TABLE wishes ADD COLUMN data TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE wishes ADD COLUMN line INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE notes (
        id INTEGER PRIMARY KEY, run TEXT NOT NULL, about TEXT NOT NULL,
        text TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX notes_run ON notes(run, about);
    CREATE TABLE indicators (
        name TEXT PRIMARY KEY COLLATE NOCASE, traits TEXT NOT NULL, at TEXT NOT NULL
    );
    ALTER TABLE runs ADD COLUMN packed TEXT;
    """)


@step
def m007_judging(db: "Database") -> None:
    """Frozen copies of what is judged, entries that point to them, ballots, and the runs a sweep
    had made.
    """
    db.executescript("""
    CREATE TABLE frozen (
        sha TEXT PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE forms (
        original TEXT NOT NULL, kind TEXT NOT NULL, sha TEXT NOT NULL, run TEXT NOT NULL,
        PRIMARY KEY (original, kind)
    );
    CREATE TABLE entries (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, sha TEXT NOT NULL,
        method TEXT NOT NULL, model TEXT NOT NULL, topic TEXT NOT NULL,
        category TEXT NOT NULL, source TEXT NOT NULL, collection TEXT NOT NULL,
        title TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX entries_collection ON entries(collection, kind, topic);
    CREATE TABLE ballots (
        id INTEGER PRIMARY KEY, arena TEXT NOT NULL, key TEXT NOT NULL,
        topic TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, first TEXT NOT NULL,
        judge TEXT NOT NULL, person INTEGER NOT NULL, repeat INTEGER NOT NULL,
        sides TEXT NOT NULL, strength TEXT NOT NULL, why TEXT NOT NULL, at TEXT NOT NULL,
        UNIQUE (arena, key)
    );
    CREATE INDEX ballots_arena ON ballots(arena, person, id);
    CREATE TABLE half_ballots (
        arena TEXT NOT NULL, judge TEXT NOT NULL, data TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (arena, judge)
    );
    ALTER TABLE runs ADD COLUMN sweep TEXT;
    ALTER TABLE runs ADD COLUMN cell TEXT;
    CREATE UNIQUE INDEX runs_cell ON runs(sweep, cell) WHERE sweep IS NOT NULL;
    """)


@step
def m008_expert_sessions(db: "Database") -> None:
    """Studies with their texts and units, the key apart from both, seats, what is on each seat's
    list, answers (only ever added), drafts, events.
    """
    db.executescript("""
    CREATE TABLE studies (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, task TEXT NOT NULL,
        plan TEXT NOT NULL, state TEXT NOT NULL, sha TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL, opened TEXT NOT NULL DEFAULT '',
        closed TEXT NOT NULL DEFAULT '', unblinded TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE study_items (
        study TEXT NOT NULL, label TEXT NOT NULL, sha TEXT NOT NULL,
        PRIMARY KEY (study, label)
    );
    CREATE TABLE study_units (
        study TEXT NOT NULL, unit TEXT NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (study, unit)
    );
    CREATE TABLE study_keys (
        study TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (study, kind, name)
    );
    CREATE TABLE seats (
        id TEXT PRIMARY KEY, study TEXT NOT NULL, name TEXT NOT NULL,
        token TEXT, model TEXT NOT NULL, run TEXT NOT NULL, step TEXT NOT NULL,
        criteria TEXT NOT NULL, created TEXT NOT NULL, begun TEXT NOT NULL DEFAULT '',
        ended TEXT NOT NULL DEFAULT '', afterwards TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX seats_study ON seats(study);
    CREATE UNIQUE INDEX seats_token ON seats(token) WHERE token IS NOT NULL;
    CREATE TABLE seat_units (
        seat TEXT NOT NULL, unit TEXT NOT NULL, time INTEGER NOT NULL,
        study TEXT NOT NULL, position INTEGER NOT NULL, shown TEXT NOT NULL,
        stage INTEGER NOT NULL DEFAULT 0, stages INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 0, opened TEXT NOT NULL DEFAULT '',
        active REAL NOT NULL DEFAULT 0, seen TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (seat, unit, time)
    );
    CREATE INDEX seat_units_study ON seat_units(study);
    CREATE TABLE study_answers (
        id INTEGER PRIMARY KEY, study TEXT NOT NULL, seat TEXT NOT NULL,
        unit TEXT NOT NULL, time INTEGER NOT NULL, stage INTEGER NOT NULL,
        key TEXT NOT NULL, answer TEXT NOT NULL, at TEXT NOT NULL, UNIQUE (seat, key)
    );
    CREATE INDEX study_answers_study ON study_answers(study, seat, unit);
    CREATE TRIGGER study_answers_stay BEFORE UPDATE ON study_answers
    BEGIN SELECT RAISE(ABORT, 'answers are only ever added'); END;
    CREATE TABLE study_drafts (
        seat TEXT NOT NULL, unit TEXT NOT NULL, time INTEGER NOT NULL,
        stage INTEGER NOT NULL, data TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (seat, unit, time, stage)
    );
    CREATE TABLE study_events (
        id INTEGER PRIMARY KEY, study TEXT NOT NULL, seat TEXT NOT NULL,
        what TEXT NOT NULL, detail TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX study_events_study ON study_events(study, id);
    """)


@step
def m009_door(db: "Database") -> None:
    """The salt of the key that signs tickets, and tickets handed back before they ran out (`until`:
    seconds since 1970).
    """
    db.executescript("""
    CREATE TABLE door (
        kind TEXT NOT NULL, name TEXT NOT NULL, until INTEGER NOT NULL,
        PRIMARY KEY (kind, name)
    );
    CREATE UNIQUE INDEX door_salt ON door(kind) WHERE kind = 'salt';
    """)


@step
def m010_benchmark(db: "Database") -> None:
    """Benchmarks: keywords, one cell a question, and sums kept up to date beside the cells, so that
    no page ever reads all of them.
    """
    db.executescript("""
    CREATE TABLE bench_keywords (
        run TEXT NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL,
        domain TEXT NOT NULL, confidence REAL, by TEXT NOT NULL,
        PRIMARY KEY (run, n)
    );
    CREATE TABLE bench_cells (
        id INTEGER PRIMARY KEY, run TEXT NOT NULL, kind TEXT NOT NULL,
        keyword INTEGER NOT NULL, model INTEGER NOT NULL, n INTEGER NOT NULL,
        m INTEGER NOT NULL DEFAULT 0, asked TEXT NOT NULL, lane TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'ready', why TEXT NOT NULL DEFAULT '',
        tries INTEGER NOT NULL DEFAULT 0, so_far TEXT NOT NULL DEFAULT '[]',
        refusals INTEGER NOT NULL DEFAULT 0, unmarked INTEGER NOT NULL DEFAULT 0,
        text TEXT NOT NULL DEFAULT '', words INTEGER, judged INTEGER NOT NULL DEFAULT 0,
        originality NUMERIC, feasibility NUMERIC, clarity NUMERIC,
        score REAL, fluency INTEGER, proxy REAL, ended TEXT
    );
    CREATE UNIQUE INDEX bench_cells_group ON bench_cells(run, model, keyword, kind, n, m);
    CREATE INDEX bench_cells_ready ON bench_cells(run, lane, keyword, id) WHERE state = 'ready';
    CREATE INDEX bench_cells_taken ON bench_cells(run, id) WHERE state = 'taken';
    CREATE INDEX bench_cells_lost ON bench_cells(run, state, id)
        WHERE state IN ('failed', 'excluded');
    CREATE INDEX bench_cells_ideas ON bench_cells(run, keyword, model, n) WHERE kind = 'idea';
    CREATE INDEX bench_cells_best ON bench_cells(run, score) WHERE kind = 'idea';
    CREATE TABLE bench_groups (
        run TEXT NOT NULL, model INTEGER NOT NULL, keyword INTEGER NOT NULL,
        ideas INTEGER, judgments INTEGER, originality REAL, feasibility REAL,
        clarity REAL, pairs INTEGER, fluency REAL, proxies INTEGER, proxy REAL,
        refused INTEGER, refused_twice INTEGER, long INTEGER, failed INTEGER,
        rated INTEGER, w REAL, ww REAL, s REAL, ss REAL, ws REAL, detail TEXT NOT NULL,
        PRIMARY KEY (run, model, keyword)
    ) WITHOUT ROWID;
    CREATE INDEX bench_groups_proxies ON bench_groups(run, proxies, proxy) WHERE proxies > 0;
    CREATE TABLE bench_tally (
        run TEXT NOT NULL, kind TEXT NOT NULL, model INTEGER NOT NULL,
        state TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (run, kind, model, state)
    ) WITHOUT ROWID;
    CREATE TABLE bench_scores (
        run TEXT NOT NULL, model INTEGER NOT NULL, judge TEXT NOT NULL,
        what TEXT NOT NULL, value INTEGER NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (run, model, judge, what, value)
    ) WITHOUT ROWID;
    CREATE TABLE bench_usage (
        run TEXT NOT NULL, model TEXT NOT NULL, role TEXT NOT NULL,
        calls INTEGER NOT NULL, accepted INTEGER NOT NULL, tokens_in INTEGER NOT NULL,
        tokens_out INTEGER NOT NULL, unreported INTEGER NOT NULL,
        cost REAL NOT NULL, unpriced INTEGER NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (run, model, role)
    ) WITHOUT ROWID;
    CREATE TABLE bench_pace (
        run TEXT NOT NULL, minute TEXT NOT NULL, calls INTEGER NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (run, minute)
    ) WITHOUT ROWID;
    """)


@step
def m011_thoughts(db: "Database") -> None:
    """What models thought before they answered, its length in characters and in tokens."""
    db.executescript("""
    ALTER TABLE calls ADD COLUMN thoughts TEXT NOT NULL DEFAULT '';
    ALTER TABLE calls ADD COLUMN thoughts_length INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE calls ADD COLUMN tokens_thought INTEGER;
    """)


@step
def m012_whole_replies(db: "Database") -> None:
    """How long the whole reply of each idea is, thoughts included, and how long these are; ideas
    from before have neither. Their scores stand in the sums.
    """
    db.executescript("""
    ALTER TABLE bench_cells ADD COLUMN reply_length INTEGER;
    ALTER TABLE bench_cells ADD COLUMN thoughts_length INTEGER;
    UPDATE bench_groups SET detail = json_set(detail, '$.ideas', (
        SELECT json_group_array(json_array(originality, feasibility, clarity, NULL, NULL))
        FROM bench_cells AS c
        WHERE c.run = bench_groups.run AND c.model = bench_groups.model
        AND c.keyword = bench_groups.keyword AND c.kind = 'idea' AND c.score IS NOT NULL));
    """)


@step
def m013_calls_that_may_have_been_paid(db: "Database") -> None:
    """Begun calls are noted; the unreported is counted, and guessed for the caps. Who reports none
    is looked at anew.
    """
    db.executescript("""
    ALTER TABLE reservations ADD COLUMN model TEXT NOT NULL DEFAULT '';
    ALTER TABLE reservations ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN unreported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN maybe_paid INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN cost_expected REAL NOT NULL DEFAULT 0;
    ALTER TABLE calls ADD COLUMN cost_expected REAL NOT NULL DEFAULT 0;
    ALTER TABLE steps ADD COLUMN unreported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE spending ADD COLUMN cost_expected REAL NOT NULL DEFAULT 0;
    ALTER TABLE bench_usage ADD COLUMN silent INTEGER NOT NULL DEFAULT 0;
    UPDATE runs SET unreported = (
        SELECT count(*) FROM calls WHERE calls.run = runs.id
        AND calls.cost IS NULL AND (calls.tokens_in IS NULL OR calls.tokens_out IS NULL))
        WHERE unpriced > 0;
    UPDATE steps SET unreported = (
        SELECT count(*) FROM calls WHERE calls.run = steps.run AND calls.key = steps.key
        AND calls.cost IS NULL AND (calls.tokens_in IS NULL OR calls.tokens_out IS NULL))
        WHERE run IN (SELECT id FROM runs WHERE unreported > 0) AND kind = 'model';
    UPDATE bench_usage SET silent = (
        SELECT count(*) FROM calls
        WHERE calls.run = bench_usage.run AND calls.model = bench_usage.model
        AND calls.cost IS NULL AND (calls.tokens_in IS NULL OR calls.tokens_out IS NULL)
        AND bench_usage.role = CASE
            WHEN key LIKE '%/ideas-%' THEN 'fluency' WHEN key LIKE '%/judge-%' THEN 'judge'
            ELSE 'idea' END)
        WHERE unreported > 0;
    DELETE FROM endpoints WHERE json_extract(abilities, '$.usage') = 0;
    """)


@step
def m014_working_time(db: "Database") -> None:
    """Seconds a run was worked on, and since when it is (seconds since 1970; NULL at rest)."""
    db.execute("ALTER TABLE runs ADD COLUMN worked REAL NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE runs ADD COLUMN since REAL")
    working_time.fill(db)


@step
def m015_search(db: "Database") -> None:
    """The texts that search finds, and an index of their words, both kept by triggers."""
    search_index.lay_out(db)


@step
def m016_reading_links(db: "Database") -> None:
    """Links by which a run is read without a sign-in, each by the SHA-256 of its secret."""
    db.executescript("""
    CREATE TABLE reading_links (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, token TEXT NOT NULL UNIQUE, created TEXT NOT NULL
    );
    CREATE INDEX reading_links_run ON reading_links(run);
    """)


@step
def m017_entries_by_text(db: "Database") -> None:
    """The same text is one idea, wherever it came from: entries are found by the id of theirs."""
    db.execute("CREATE INDEX entries_text ON entries(substr(sha, 1, 16))")


@step
def m018_policies(db: "Database") -> None:
    """Policies that were trained here and put to use, each by its name and the hash of its
    papers.
    """
    db.executescript("""
    CREATE TABLE policies (name TEXT PRIMARY KEY, sha TEXT NOT NULL, created TEXT NOT NULL);
    """)


@step
def m019_study_terms(db: "Database") -> None:
    """What is agreed with experts beside a session's plan, and what each agreed to: that of those
    who began before is what was on their list now.
    """
    db.executescript("""
    CREATE TABLE study_terms (
        study TEXT PRIMARY KEY, deadline TEXT NOT NULL, late INTEGER NOT NULL,
        most INTEGER NOT NULL, data TEXT NOT NULL
    );
    CREATE TABLE study_consents (
        study TEXT NOT NULL, version INTEGER NOT NULL, sha TEXT NOT NULL,
        text TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (study, version)
    );
    CREATE TABLE seat_terms (
        seat TEXT PRIMARY KEY, study TEXT NOT NULL, consent INTEGER NOT NULL,
        units INTEGER NOT NULL, at TEXT NOT NULL, refused INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX seat_terms_study ON seat_terms(study);
    INSERT INTO seat_terms (seat, study, consent, units, at)
        SELECT id, study, 1, (SELECT count(*) FROM seat_units WHERE seat = seats.id), begun
        FROM seats WHERE begun != '' AND model = '';
    """)
    opened = db.execute("SELECT id, plan, opened FROM studies WHERE opened != ''").fetchall()
    for study, plan, at in opened:
        text = json.loads(plan)["consent"]
        db.execute(
            "INSERT INTO study_consents VALUES (?,1,?,?,?)",
            (study, sha256(text.encode()).hexdigest(), text, at),
        )


@step
def m020_people(db: "Database") -> None:
    """Names and addresses of experts, apart from their seats, so that they can be erased; links by
    which recruited participants come to a place of their own.
    """
    db.executescript("""
    CREATE TABLE people (
        seat TEXT PRIMARY KEY, study TEXT NOT NULL, name TEXT NOT NULL,
        address TEXT NOT NULL DEFAULT '', prolific TEXT NOT NULL DEFAULT '',
        prolific_study TEXT NOT NULL DEFAULT '', prolific_session TEXT NOT NULL DEFAULT '',
        recruited INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX people_study ON people(study);
    CREATE TABLE recruiting (study TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE);
    PRAGMA secure_delete = ON;
    INSERT INTO people (seat, study, name) SELECT id, study, name FROM seats WHERE model = '';
    UPDATE seats SET name = '' WHERE model = '';
    PRAGMA secure_delete = OFF;
    """)


@step
def m021_rubrics(db: "Database") -> None:
    """Criteria of one's own under a name, to be used in one session after the other."""
    db.executescript("""
    CREATE TABLE rubrics (
        name TEXT PRIMARY KEY COLLATE NOCASE, data TEXT NOT NULL, changed TEXT NOT NULL
    );
    """)


@step
def m023_texts_opened(db: "Database") -> None:
    """When each text of a set was first opened by a seat; and what the texts of a unit are called
    on its screen, where it is not by their labels.
    """
    db.executescript("""
    CREATE TABLE text_openings (
        study TEXT NOT NULL, seat TEXT NOT NULL, unit TEXT NOT NULL, time INTEGER NOT NULL,
        label TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (seat, unit, time, label)
    );
    CREATE INDEX text_openings_study ON text_openings(study);
    ALTER TABLE seat_units ADD COLUMN called TEXT NOT NULL DEFAULT '[]';
    """)


@step
def m024_rating_drafts(db: "Database") -> None:
    """Ratings that a rater chose and has not handed in yet."""
    db.executescript("""
    CREATE TABLE rating_drafts (
        rater TEXT NOT NULL, idea TEXT NOT NULL, criterion TEXT NOT NULL,
        score INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (rater, idea, criterion)
    );
    """)


@step
def m025_tokens_read_from_a_cache(db: "Database") -> None:
    """How many of a call's tokens its server had kept from an earlier one."""
    db.executescript("ALTER TABLE calls ADD COLUMN tokens_cached INTEGER;")
