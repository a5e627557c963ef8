"""Runs of many steps: a report reads none of them whole, a bundle a few at a time, and both say
what they said when all were read at once.
"""

import gzip
import io
import json
import shutil
import tracemalloc
import zipfile
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, StoreFailed
from core.export.bundling import bundle, bundle_file, bundle_pieces
from core.export.dumps import as_json, write_json
from core.export.facts import authored, calls, facts
from core.export.files import export
from core.export.markdown import markdown
from core.export.recipe_rows import answers
from core.export.short import has_short
from core.export.writing import write_whole, zip_files
from core.records import Ballot, Call, Contest, Origin, Step
from core.store import Store, ballots, steps
from core.store.steps import StepSummary
from tests.conftest import make_run
from tests.support import stored

STORES = tuple(sorted(path.name.removesuffix(".db.gz") for path in stored.HERE.glob("*.db.gz")))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@pytest.fixture(scope="module", params=STORES)
def left(request, tmp_path_factory):
    """Open a store as an earlier main left it, once for all tests of this file."""
    folder = tmp_path_factory.mktemp("left") / "data"
    folder.mkdir(mode=0o700)
    packed = stored.HERE / f"{request.param}.db.gz"
    with gzip.open(packed) as source, (folder / "foundry.db").open("wb") as target:
        shutil.copyfileobj(source, target)
    return Store(folder)


def runs_of(store):
    """Return every run of a store."""
    ids = store.connections.column("SELECT id FROM runs ORDER BY id")
    return [store.runs.get(run_id) for run_id in ids]


def by_keys(store, run_id):
    """Return the steps of a run one by one, each by its key."""
    order = "SELECT key FROM steps WHERE run = ? ORDER BY place"
    return [store.steps.get(run_id, key) for key in store.connections.column(order, run_id)]


def put_steps(store, run, n, **more):
    """Put steps into a run whose keys do not sort as they were asked, each with two calls."""
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    said = [Call(model="m", latency=1.0, outcome=name, cost=0.1) for name in ("cut", "accepted")]
    for k in range(n):
        step = {
            "run": run.id,
            "key": f"part-{n - k}/first",
            "place": f"{k:04d}",
            "hash": f"{k}",
            "request": {"k": k, "text": "zwei\nZeilen", "none": [], "no": {}},
            "status": "done",
            "reply": {"k": [k]},
            "origin": Origin(kind="model", name="openai:m"),
            "calls": tuple(call.model_copy(update={"raw": f"{k}"}) for call in said),
            "asked": "2026-01-01T00:00:00+00:00",
            "ended": "2026-01-01T00:00:00+00:00",
            **more,
        }
        store.steps.add(Step(**step), epoch)
    return epoch


def refuse(*_):
    raise AssertionError("The steps were read whole.")


@given(JSON)
def test_a_document_in_pieces_is_the_document(value):
    assert "".join(write_json(value)) == as_json(value)
    in_list = {"before": value, "list": [value, value], "after": {"none": []}}
    in_turn = {"before": value, "list": iter([value, value]), "after": {"none": iter([])}}
    assert "".join(write_json(in_turn)) == as_json(in_list)


def test_steps_are_read_in_the_order_they_were_asked_each_with_its_own_calls(store, monkeypatch):
    run, other = make_run(store), make_run(store)
    epoch = put_steps(store, run, 11)
    put_steps(store, other, 3)
    store.steps.book(run.id, "lost", (Call(model="m", latency=1.0, outcome="cut"),), epoch)
    for size in (1, 4, 11, 200):
        monkeypatch.setattr(steps, "AT_ONCE", size)
        assert store.steps.of(run.id) == by_keys(store, run.id)
    assert [step.request["k"] for step in store.steps.each(run.id)] == list(range(11))
    assert [[call.raw for call in step.calls] for step in store.steps.each(other.id)] == [
        ["0", "0"],
        ["1", "1"],
        ["2", "2"],
    ]
    assert list(store.steps.each("nobody")) == []


def test_steps_that_come_or_go_while_others_are_read_disturb_nothing(store, monkeypatch):
    monkeypatch.setattr(steps, "AT_ONCE", 2)
    run = make_run(store)
    epoch = put_steps(store, run, 6, status="failed")
    reading = store.steps.each(run.id)
    first = next(reading)
    store.steps.forget(run.id, ("part-1/first",), epoch)
    new = first.model_copy(update={"key": "new", "place": "0000.5", "calls": ()})
    store.steps.add(new, epoch)
    keys = [first.key, *(step.key for step in reading)]
    assert keys == [f"part-{n}/first" for n in (6, 5, 4, 3, 2)]


def test_all_steps_are_read_with_few_looks_at_the_store(store):
    run = make_run(store)
    put_steps(store, run, 50)
    looks = []
    store.connections.connection.set_trace_callback(looks.append)
    assert len(store.steps.of(run.id)) == 50
    store.connections.connection.set_trace_callback(None)
    assert len(looks) == 3


def test_a_bundle_reads_few_steps_at_a_time(store, monkeypatch):
    monkeypatch.setattr(steps, "AT_ONCE", 2)
    run = make_run(store)
    put_steps(store, run, 9)
    read = []
    build = steps.read_step
    monkeypatch.setattr(steps, "read_step", lambda *of: read.append(of) or build(*of))
    for piece in bundle_pieces(store, run.id):
        written = "".join(piece.split())
        if '"key":"part-' in written and '"place":' in written:
            number = int(written.split('"place":"')[1][:4])
            assert len(read) <= number + 2
    assert len(read) == 9


def test_bundles_of_stored_runs_hold_every_step_product_and_ballot_in_order(left, monkeypatch):
    monkeypatch.setattr(steps, "AT_ONCE", 7)
    monkeypatch.setattr(ballots, "AT_ONCE", 3)
    for run in runs_of(left):
        text = bundle(left, run.id)
        held = json.loads(text)
        assert text == as_json(held)
        assert bundle_file(left, run.id) == text.encode()
        assert held["steps"] == [step.model_dump(mode="json") for step in by_keys(left, run.id)]
        assert held["products"] == [
            one.model_dump(mode="json") for one in left.steps.products(run.id)
        ]
        if run.config.method == "arena":
            cast = [one.model_dump(mode="json") for one in left.ballots.of(run.id)]
            assert held["arena"]["ballots"] == cast


def test_facts_of_stored_runs_are_those_of_their_steps(left):
    for run in runs_of(left):
        whole = by_keys(left, run.id)
        counted = StepSummary(
            len(whole),
            sum(step.taken_from is not None for step in whole),
            any(step.origin.kind == "authored" for step in whole),
        )
        assert left.steps.summarise(run.id) == counted
        for name in {step.origin.name for step in whole}:
            first = next(step.origin for step in whole if step.origin.name == name)
            assert left.steps.first_origin(run.id, name) == first


def test_reports_of_stored_runs_read_no_step_whole(left, monkeypatch):
    ended = [run for run in runs_of(left) if run.state == "done"]
    before = [markdown(left, run.id) for run in ended]
    for name in ("of", "each", "get"):
        monkeypatch.setattr(left.steps, name, refuse)
    monkeypatch.setattr(steps, "read_step", refuse)
    assert [markdown(left, run.id) for run in ended] == before
    assert any(has_short(run) for run in ended)
    for run in ended:
        if has_short(run):
            assert markdown(left, run.id, in_short=True)


def test_facts_tell_authored_texts_steps_taken_over_and_whence_a_policy_is(store):
    run = make_run(store, models={"main": "local:tiny", "cheap": "local:none"})
    assert authored(run, store.steps.summarise(run.id)) == "none"
    of = {"base": "small", "run": "t1", "step": "20"}
    policy = Origin(kind="model", name="local:tiny", detail=of)
    epoch = put_steps(store, run, 3, origin=policy, taken_from="parent", calls=())
    later = policy.model_copy(update={"detail": {**of, "step": "30"}})
    step = store.steps.get(run.id, "part-1/first")
    store.steps.add(step.model_copy(update={"key": "a", "place": "1", "origin": later}), epoch)
    summary = store.steps.summarise(run.id)
    known = dict(facts(store, run, summary))
    assert known["Model (main)"] == "local:tiny, trained from small in run t1, step 20"
    assert known["Model (cheap)"] == "local:none"
    assert calls(run, summary).endswith("4 steps taken over from another run, free of charge")
    own = Origin(kind="authored", name="Ada")
    step = step.model_copy(update={"key": "b", "place": "2", "origin": own, "taken_from": None})
    store.steps.add(step, epoch)
    summary = store.steps.summarise(run.id)
    assert summary == StepSummary(5, 4, True)
    assert authored(run, summary) == "all"
    assert authored(run.model_copy(update={"calls": 1}), summary) == "some"


def test_of_peoples_ballots_the_last_is_yielded_and_all_of_models(store, monkeypatch):
    monkeypatch.setattr(ballots, "AT_ONCE", 2)
    said = []
    for n, (judge, person) in enumerate(
        [("Ada", True), ("m", False), ("Ada", True), ("Bo", True), ("m", False), ("Ada", True)]
    ):
        contest = Contest(topic="t" if n < 5 else "u", a="x", b="y")
        said.append(
            Ballot(
                arena="arena",
                key=f"{9 - n}",
                contest=contest,
                first="x",
                judge=judge,
                person=person,
                repeat=1,
                sides={"novelty": "first"},
            )
        )
    store.ballots.add(tuple(said))
    found = list(store.ballots.each("arena"))
    assert found == store.ballots.of("arena")
    assert [one.key for one in found] == ["8", "7", "6", "5", "4"]


def test_answers_of_an_experiment_are_written_step_by_step(store, monkeypatch):
    run = make_run(store)
    put_steps(store, run, 5)
    expected = "".join(answers(store, run))
    assert [line.split(",")[3] for line in expected.splitlines()[1:]] == [
        f"part-{n}/first" for n in (5, 4, 3, 2, 1)
    ]
    monkeypatch.setattr(store.steps, "of", refuse)
    assert "".join(answers(store, run)) == expected


def test_an_archive_holds_one_piece_of_a_file_at_a_time():
    piece = "a line of some hundred letters, " * 3 + "\n"
    tracemalloc.start()
    packed = zip_files({"whole.txt": "short", "data/long.csv": repeat(piece, 200_000)})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < len(piece) * 200_000 / 5
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["whole.txt", "data/long.csv"]
        assert archive.read("data/long.csv") == piece.encode() * 200_000


def test_a_bundle_that_breaks_off_leaves_no_file(store, tmp_path, monkeypatch):
    def broken():
        yield "{"
        raise StoreFailed("The disk is gone.")

    to = tmp_path / "run.json"
    to.write_text("an earlier one")
    with pytest.raises(StoreFailed, match=r"The disk is gone\."):
        write_whole(to, broken())
    with pytest.raises(BadInput):
        export(store, "nobody", to)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["run.json"]
    assert to.read_text() == "an earlier one"


def test_a_bundle_is_the_same_as_text_and_in_a_file(store, tmp_path):
    run = make_run(store)
    put_steps(store, run, 3)
    export(store, run.id, tmp_path / "run.json")
    assert (tmp_path / "run.json").read_bytes() == bundle_file(store, run.id)
    assert (tmp_path / "run.json").read_text("utf-8") == bundle(store, run.id)
