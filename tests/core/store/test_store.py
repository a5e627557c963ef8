"""The store: rows in, records out, whole or not at all."""

import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from core.errors import BadInput, StoreFailed
from core.records import Paper, Ranking, Rating
from core.store import Store, runs
from core.store.answers import wished
from core.store.connection import Connections
from core.store.steps import Product
from tests import ROOT
from tests.conftest import make_run
from tests.support.benchmark.bench_kit import settled_store
from tests.support.scripted import FIRST
from tests.support.waiting import until


def write(store, statements) -> None:
    """Run statements in one transaction."""
    with store.connections.writing() as connection:
        statements(connection)


def test_opening_a_store_twice_changes_nothing(tmp_path):
    Store(tmp_path).places.choose("a", "1")
    assert Store(tmp_path).places.choice("a") == "1"


OTHER = (
    "import pathlib, sys; from core.store import Store;"
    " Store(pathlib.Path(sys.argv[1])).places.choose(*sys.argv[2:])"
)


def elsewhere(folder, name: str, value: str) -> None:
    """Make a choice in a process of its own, which ends and so closes the database."""
    subprocess.run(
        [sys.executable, "-c", OTHER, folder, name, value],
        check=True,
        cwd=ROOT,
    )


def test_a_process_that_opens_its_store_again_loses_nothing_beside_another_process(tmp_path):
    """To close a file of a database takes away all locks of a process on it; then others would
    remove its log.
    """
    store = Store(tmp_path)
    store.places.choose("mine", "1")
    again = Store(tmp_path)
    elsewhere(tmp_path, "theirs", "1")
    assert (store.places.choice("theirs"), again.places.choice("theirs")) == ("1", "1")
    store.places.choose("mine", "2")
    elsewhere(tmp_path, "theirs", "2")
    assert [one.places.choice("mine") for one in (store, again, Store(tmp_path))] == ["2"] * 3


def test_many_threads_may_open_a_new_store_at_once(tmp_path):
    failed = []

    def open_it() -> None:
        try:
            Store(tmp_path).places.choose("a", "1")
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(StoreFailed, match="opening the database"):
        Store(blocked)


def test_a_write_that_fails_half_way_leaves_nothing(store):
    def half(connection):
        connection.execute("INSERT INTO choices VALUES ('a', '1')")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(store, half)
    assert store.places.choice("a") is None
    store.places.choose("b", "2")
    assert store.places.choice("b") == "2"


def test_a_refused_write_is_a_failure_of_the_store_and_undone(store):
    with pytest.raises(StoreFailed, match="refused a write"):
        write(
            store, lambda c: [c.execute("INSERT INTO choices VALUES ('a', ?)", (n,)) for n in "12"]
        )
    assert store.places.choice("a") is None


def test_a_write_that_cannot_be_finished_is_undone_and_the_next_one_works(store, monkeypatch):
    class Full(sqlite3.Connection):
        full = True

        def commit(self) -> None:
            if self.full:
                raise sqlite3.OperationalError("database or disk is full")
            super().commit()

    connection = sqlite3.connect(store.connections.path, factory=Full)
    connection.row_factory = sqlite3.Row
    monkeypatch.setattr(Connections, "connection", property(lambda _: connection))
    with pytest.raises(StoreFailed, match="disk is full"):
        store.places.choose("a", "1")
    connection.full = False
    store.places.choose("b", "2")
    assert (Store(store.folder).places.choice("a"), Store(store.folder).places.choice("b")) == (
        None,
        "2",
    )


def test_runs_are_found_by_words_of_title_id_and_tags(store):
    one, two = make_run(store), make_run(store)
    store.runs.change(one.id, title="Naps 100% _sure_", tags=("sleep",))
    assert [run.id for run in store.runs.listed(text="100% _")] == [one.id]
    assert [run.id for run in store.runs.listed(text="SLEEP")] == [one.id]
    assert {run.id for run in store.runs.listed()} == {one.id, two.id}
    assert store.runs.count(text="sleep") == 1


def test_archived_runs_are_listed_apart(store):
    run = make_run(store)
    store.runs.change(run.id, archived=True)
    assert store.runs.listed() == []
    assert [one.id for one in store.runs.listed(archived=True)] == [run.id]


def test_only_what_a_person_may_change_can_be_changed(store):
    with pytest.raises(BadInput, match="'state'"):
        store.runs.change(make_run(store).id, state="done")


def test_an_unknown_run_is_a_sentence(store):
    with pytest.raises(BadInput, match="no run 'nope'"):
        store.runs.get("nope")


def test_deleting_a_run_leaves_saved_ideas_and_papers(store):
    run = make_run(store)
    store.library.add_papers(run.id, [Paper(id="p1", title="A paper", source="shelf")])
    saved = store.ideas.save(FIRST, run.id, "result-1")
    store.runs.delete(run.id)
    assert store.library.met_count() == 1
    assert store.library.runs_with("p1") == []
    assert store.ideas.get(saved).idea == FIRST


def test_a_deleted_run_is_gone_before_its_many_rows_which_a_later_sweep_removes_and_no_others(
    store, monkeypatch
):
    monkeypatch.setattr(runs, "PORTION", 7)
    monkeypatch.setattr(runs, "REST", 0.0)
    kept, gone = settled_store(store, topic="Kept"), settled_store(store, topic="Gone")

    def rows() -> dict[str, list]:
        return {
            table: store.connections.rows(f"SELECT * FROM {table} ORDER BY {key}")
            for table, key in runs.LARGE.items()
        }

    held = {
        table: [row for row in found if row["run"] == kept.id] for table, found in rows().items()
    }
    store.runs.delete(gone.id)
    assert [run.id for run in store.runs.listed()] == [kept.id]
    assert store.connections.rows("SELECT 1 FROM bench_cells WHERE run = ?", gone.id), (
        "its rows were not waited for"
    )

    killed, write = [], store.connections.write
    with monkeypatch.context() as dying:
        dying.setattr(
            store.connections,
            "write",
            lambda sql, *values: (
                killed.append(write(sql, *values)) or (1 / 0 if len(killed) == 2 else killed[-1])
            ),
        )
        with pytest.raises(ZeroDivisionError):
            store.runs.clear_deleted()
    assert killed == [7, 7], "a portion at a time"
    assert store.runs.clear_deleted() > 0
    assert rows() == held
    assert store.runs.clear_deleted() == 0


def test_saving_an_idea_twice_keeps_one(store):
    assert store.ideas.save(FIRST, None, "typed") == store.ideas.save(FIRST, "run", "elsewhere")
    assert len(store.ideas.listed()) == 1


def test_ratings_and_rankings_are_only_ever_added(store):
    idea = store.ideas.save(FIRST, None, "typed")
    store.ideas.rate((Rating(idea=idea, criterion="novelty", score=3, rater="Ada"),))
    store.ideas.rate((Rating(idea=idea, criterion="novelty", score=9, rater="Ada"),))
    store.ideas.rank(Ranking(groups=((idea,),), criterion="novelty", rater="Ada"))
    assert [given.rating.score for given in store.ideas.ratings((idea,))] == [3, 9]
    assert [ranking.rater for ranking, _ in store.ideas.rankings()] == ["Ada"]


def test_no_ratings_of_no_ideas(store):
    assert store.ideas.ratings(()) == []


def test_vectors_are_found_by_the_thousand(store):
    store.library.keep_vectors("m", {f"h{n}": bytes([n % 256]) for n in range(1200)})
    assert len(store.library.vectors([f"h{n}" for n in range(1300)], "m")) == 1200
    assert store.library.vectors(["h1"], "other") == {}


def test_a_choice_is_kept_and_forgotten(store):
    store.places.choose("model-main", "openai:x")
    assert store.places.choice("model-main") == "openai:x"
    store.places.choose("model-main", None)
    assert store.places.choice("model-main") is None


def test_an_empty_wish_is_refused(store):
    run = make_run(store)
    for text, by, said in (
        ("  ", "Ada", "Write the remark first"),
        ("shorter", " ", "name"),
        ("x" * 20_001, "Ada", "20,000"),
    ):
        with pytest.raises(BadInput, match=said):
            store.answers.wish(run.id, wished(text, by))


def test_a_connection_that_cannot_be_opened_for_a_write_is_a_failure_of_the_store(
    store, monkeypatch
):
    def refuse(*_, **__):
        raise sqlite3.OperationalError("unable to open database file")

    failures = []

    def elsewhere():
        try:
            store.places.choose("a", "b")
        except Exception as error:
            failures.append(error)

    monkeypatch.setattr(sqlite3, "connect", refuse)
    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert [type(failure) for failure in failures] == [StoreFailed]


def in_a_thread(act):
    """Do it in a thread of its own, which has ended by then, and return what came of it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(act()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_takes_over_the_connection_of_one_that_ended_and_no_other(store):
    connections = store.connections
    own, first = connections.connection, in_a_thread(lambda: connections.connection)
    assert first is not own
    assert in_a_thread(lambda: connections.connection) is first
    assert in_a_thread(lambda: in_a_thread(lambda: connections.connection)) is first

    def two_at_once():
        return connections.connection, in_a_thread(lambda: connections.connection)

    mine, other = in_a_thread(two_at_once)
    assert mine is not other


def test_what_a_thread_left_half_written_is_undone_and_holds_nobody_up(store):
    def half():
        connections = store.connections
        connections.connection.execute("BEGIN IMMEDIATE")
        connections.connection.execute("INSERT INTO choices VALUES ('a', 'b')")

    in_a_thread(half)
    in_a_thread(lambda: store.places.choose("c", "d"))
    assert (store.places.choice("a"), store.places.choice("c")) == (None, "d")


def test_records_are_counted_and_read_by_one_field(store):
    run = make_run(store)
    epoch = store.runs.claim(run.id, "nobody|1|1", 0)
    for n in range(5):
        state = "failed" if n == 3 else "done"
        shown = Product(name=f"cell-{n}", kind="Cell", data={"state": state, "n": n}, place=f"{n}")
        store.steps.show(run.id, shown, epoch)
    store.steps.show(run.id, Product(name="arena", kind="Arena", data={}, place="9"), epoch)
    assert store.steps.tally(run.id, "Cell", "state") == {"done": 4, "failed": 1}
    done = store.steps.with_field(run.id, "Cell", "state", "done", 1, 2)
    assert [one.data["n"] for one in done] == [1, 2]
    assert [
        one.name for one in store.steps.with_field(run.id, "Cell", "state", "failed", 0, 9)
    ] == ["cell-3"]


def test_runs_of_a_sweep_that_are_under_way_are_named(store):
    sweep = make_run(store)
    at_work, ended = make_run(store), make_run(store)
    for one, name, state in ((at_work, "a", "running"), (ended, "b", "done")):
        store.connections.write(
            "UPDATE runs SET sweep = ?, cell = ?, state = ? WHERE id = ?",
            *(sweep.id, name, state, one.id),
        )
    assert store.sweeps.under_way(sweep.id) == ["a"]
    took = store.runs.took([at_work.id])
    assert (took.keys(), took[at_work.id]["calls"]) == ({at_work.id}, 0)


def test_whoever_waits_to_write_is_next_however_busy_another_is(store):
    turns: list[str] = []

    def busy():
        while turns.count("other") < 5 and len(turns) < 200:
            with store.connections.writing():
                turns.append("busy")
                time.sleep(0.02)

    writer = threading.Thread(target=busy)
    writer.start()
    until(lambda: turns)
    for n in range(5):
        with store.connections.writing():
            turns.append("other")
        store.places.choose("n", str(n))
    writer.join()
    # Ten turns were asked for; SQLite alone, which looks again at intervals, never found a gap.
    assert len(turns) < 100


def test_who_is_interrupted_or_gives_up_waiting_holds_nobody_up(store, monkeypatch):
    inside, out = threading.Event(), threading.Event()

    def hold():
        with store.connections.writing():
            inside.set()
            out.wait(30)

    store.places.choose("a", "first")
    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait(30)

    def interrupt():
        until(lambda: store.connections._writers._waiting)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        store.places.choose("a", "interrupted")
    signal.signal(signal.SIGINT, before)
    # Past its patience it is SQLite that says whether another program is at work.
    monkeypatch.setattr("core.store.connection.IN_LINE", 0.1)
    threading.Timer(0.5, out.set).start()
    store.places.choose("a", "waited")
    assert store.places.choice("a") == "waited"
    holder.join(30)
    monkeypatch.setattr("core.store.connection.IN_LINE", 60)
    last = threading.Thread(target=store.places.choose, args=("a", "after all"))
    last.start()
    last.join(30)
    assert not last.is_alive()
    assert store.places.choice("a") == "after all"
