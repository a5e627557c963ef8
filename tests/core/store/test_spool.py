"""What is not in the database yet: whole lines outlive a worker, what is settled is gone, and
nothing is taken twice.
"""

import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmark.conducting.kept import Keep, left
from core.benchmark.conducting.wire import Returned, WireRequest
from core.errors import StoreFailed
from core.records import Sampling
from core.store import Store, upkeep
from core.store.spool import Spool
from tests.conftest import make_run


def question(n: int, text: str = "<keyword>\nlava\n</keyword>") -> WireRequest:
    return WireRequest(
        id=n,
        key=f"cell-{n}",
        model="openai:a",
        kind="idea",
        prompt="bench-idea",
        values={},
        standing="You write ideas.",
        text=text,
        shaped=False,
        sampling=Sampling(),
        seed=n,
    )


def opened(folder, epoch: int) -> Spool:
    spool = Spool(folder, epoch)
    spool.open()
    return spool


def test_a_file_that_is_full_is_begun_anew_with_what_is_not_settled(tmp_path, monkeypatch):
    monkeypatch.setattr("core.store.spool.ROOM", 1_000)
    spool = opened(tmp_path / "run", 1)
    keep = Keep(spool).answer
    keep(question(0), Returned(id=0, text="It waits.", finish="stop"))
    for n in range(1, 50):
        keep(question(n), Returned(id=n, text="An idea of some length. " * n, finish="stop"))
        spool.drop([n - 1] if n > 1 else [])
    assert set(left(Spool(tmp_path / "run", 2))) == {0, 49}
    assert (tmp_path / "run" / "1.jsonl").stat().st_size < 10_000
    assert [one.name for one in (tmp_path / "run").iterdir()] == ["1.jsonl"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["keep", "drop"]),
            st.integers(1, 4),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
        ),
        max_size=25,
    )
)
def test_what_was_kept_and_not_dropped_is_left_to_the_next(tmp_path_factory, acts):
    folder, stands = tmp_path_factory.mktemp("spool"), {}
    spool = opened(folder, 1)
    keep = Keep(spool).answer
    for act, n, text in acts:
        if act == "keep":
            keep(question(n), Returned(id=n, text=text, finish="stop"))
            stands[n] = text
        else:
            spool.drop([n])
            stands.pop(n, None)
    assert {n: one.returned.text for n, one in left(Spool(folder, 2)).items()} == stands


def test_half_a_line_is_an_answer_that_was_in_flight(tmp_path):
    spool = opened(tmp_path / "run", 1)
    for n in (1, 2):
        Keep(spool).answer(question(n), Returned(id=n, text="An idea.", finish="stop"))
    file = tmp_path / "run" / "1.jsonl"
    whole = file.read_bytes()
    said = whole.rstrip(b"\0")
    file.write_bytes(said[:-9] + bytes(len(whole) - len(said) + 9))
    assert list(left(Spool(tmp_path / "run", 2))) == [1]


def test_the_next_worker_begins_anew_and_the_last_one_takes_its_folder_along(tmp_path):
    first = opened(tmp_path / "run", 1)
    Keep(first).answer(question(1), Returned(id=1, text="An idea.", finish="stop"))
    first.close()
    assert list(left(Spool(tmp_path / "run", 2))) == [1], (
        "closed without being settled, as after a failure of the store"
    )
    second = opened(tmp_path / "run", 2)
    assert left(Spool(tmp_path / "run", 3)) == {}
    second.close()
    assert not (tmp_path / "run").exists()
    Keep(second).answer(question(2), Returned(id=2, text="Too late.", finish="stop"))
    assert not (tmp_path / "run").exists(), (
        "a thread that comes back after the end leaves nothing behind"
    )


def test_a_worker_that_lost_the_run_takes_nothing_of_the_next_one_s_away(tmp_path):
    stale, late = opened(tmp_path / "run", 1), Spool(tmp_path / "run", 2)
    Keep(stale).answer(question(1), Returned(id=1, text="An idea.", finish="stop"))
    now = opened(tmp_path / "run", 3)
    for n in (2, 3):
        Keep(now).answer(question(n), Returned(id=n, text="An idea.", finish="stop"))
    Keep(stale).answer(question(4), Returned(id=4, text="An idea.", finish="stop"))
    stale.drop([1])
    stale.close()
    late.open()
    late.close()
    now.drop([2])
    assert list(left(Spool(tmp_path / "run", 4))) == [3]
    stale.drop([4])
    now.drop([3])
    now.close()
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("failure", ["Stopped", "WorkerLost"])
def test_what_has_to_be_asked_again_is_no_answer(tmp_path, failure):
    spool = opened(tmp_path / "run", 1)
    Keep(spool).answer(question(1), Returned(id=1, failure=failure, said="Stopped as asked."))
    assert left(Spool(tmp_path / "run", 2)) == {}


def test_a_disk_that_takes_nothing_is_said(tmp_path):
    (tmp_path / "spool").write_text("a file where the folder should be")
    with pytest.raises(StoreFailed, match="spool"):
        Store(tmp_path).spool("run1", 1).open()


@pytest.mark.parametrize(
    "away",
    [
        lambda store, run: (store.runs.delete(run), store.runs.clear_deleted()),
        lambda store, run: upkeep.wipe(store),
    ],
    ids=["deleted", "wiped"],
)
def test_what_a_run_left_goes_with_it(store, away):
    gone, there = (make_run(store).id for _ in range(2))
    for run in (gone, there):
        store.connections.write("UPDATE runs SET state = 'failed' WHERE id = ?", run)
        spool = store.spool(run, 1)
        spool.open()
        Keep(spool).answer(question(1), Returned(id=1, text="An idea.", finish="stop"))
        spool.close()
    away(store, gone)
    assert left(store.spool(gone, 2)) == {}
    assert not (store.folder / "spool" / gone).exists()
    assert set(left(store.spool(there, 2))) == ({1} if store.runs.listed(limit=5) else set())


def test_a_full_disk_is_said_and_is_not_filled_any_further(tmp_path, monkeypatch):
    monkeypatch.setattr("core.store.spool.ROOM", 200)
    folder = tmp_path / "run"
    spool = opened(folder, 1)
    spool.keep(1, "x" * 150)

    allowed, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, most))
    try:
        with pytest.raises(StoreFailed, match=f"The disk that holds {folder} is full"):
            spool.keep(2, "y" * 150)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (allowed, most))
    assert [one.name for one in folder.iterdir()] == ["1.jsonl"]
    assert Spool(folder, 2).left() == ["x" * 150]


def test_a_line_that_was_spoilt_keeps_no_run_from_being_taken_up(store):
    """As after a machine that lost its power: pages of a file arrive in no order."""
    run = make_run(store).id
    folder = store.folder / "spool" / run
    folder.mkdir(parents=True)
    (folder / "3.jsonl").write_bytes(b"7 ?2\nhalf ?1\n8 ?\n9 ?x\n" + bytes(100))
    assert store.spool(run, 4).begun() == {7: 2}
    assert store.runs.claim(run, "nobody|1|1", 0) == 1


def test_files_of_others_in_the_folder_are_passed_over(tmp_path):
    opened(tmp_path, 1).keep(1, "an answer")
    (tmp_path / "._1.jsonl").write_bytes(b"what a file system keeps of a file")
    assert Spool(tmp_path, 2).left() == ["an answer"]


def test_a_worker_that_lost_the_run_may_close_while_the_next_takes_over(tmp_path, monkeypatch):
    old = opened(tmp_path / "run", 1)
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: (old.close(), read(path))[1])
    assert Spool(tmp_path / "run", 2).left() == []
    lost, made = opened(tmp_path / "other", 1), Path.mkdir
    monkeypatch.setattr(Path, "mkdir", lambda path, **how: (made(path, **how), lost.close())[0])
    fresh = opened(tmp_path / "other", 2)
    fresh.keep(1, "an answer")
    monkeypatch.undo()
    assert Spool(tmp_path / "other", 3).left() == ["an answer"]
