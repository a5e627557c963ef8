"""Case studies: packed, handed on, opened without a key, the same records to the last letter."""

import socket
import threading

import pytest

from core.cases import close_case, open_case, pack, read
from core.cases.bundled import bundled, opened
from core.errors import BadInput, StoreFailed
from core.export.facts import facts
from core.records import Origin, Packed, Paper, Step, Wish, digest
from core.runs.runner import Runner
from core.store import Store
from core.store.spending import month
from core.store.steps import Product
from tests.conftest import ScriptedModel, Shop, SmallSource, make_run
from tests.support.case_kit import contents, finished, packed_bytes, records
from tests.support.scripted import (
    DEAD,
    FIRST,
    chain,
    chain_script,
    die,
    refine_script,
    refinement,
    resumed,
    runner_of,
    wide_script,
    wide_source,
)


@pytest.mark.parametrize(
    ("script", "begin", "source", "more"),
    [
        (refine_script([True, False, False]), refinement, None, {}),
        (chain_script(similar=1), chain, None, {}),
        (wide_script(), chain, wide_source(), {"topic": "sleep 2018", "branches": 3}),
    ],
    ids=["refinement", "chain", "three branches"],
)
def test_a_packed_run_opens_on_a_clean_machine_with_the_same_records_and_no_call(
    tmp_path, script, begin, source, more
):
    runner, run = finished(tmp_path / "mine", script, begin, source, **more)
    runner.store.notes.add(run.id, "round-1/idea", "Look here.", "Ada")
    data = pack(runner.store, run.id)
    there = Runner(
        Shop(tmp_path / "there", {"scripted:one": ScriptedModel({})}, SmallSource([], {}))
    )
    case = open_case(there.store, data)
    assert records(there.store, case.id) == records(runner.store, run.id)
    assert all(
        there.store.library.prompt(sha) == runner.store.library.prompt(sha)
        for sha in run.config.prompts.values()
    )
    brought = there.store.connections.column("SELECT id FROM papers ORDER BY id")
    assert brought == sorted(paper.id for paper in runner.store.library.papers())
    assert there.store.steps.spent(month()) == (0.0, 0)
    assert (there.workshop.named["scripted:one"].requests, there.workshop.shelf_like.asked) == (
        [],
        [],
    )


def test_packing_twice_gives_the_same_bytes_and_opening_twice_the_same_run(tmp_path):
    runner, run = finished(tmp_path)
    data = pack(runner.store, run.id, "About.", "Ada", "A title")
    assert pack(runner.store, run.id, "About.", "Ada", "A title") == data
    case = open_case(runner.store, data)
    assert open_case(runner.store, data) == case
    assert case.packed == Packed(
        title="A title", about="About.", by="Ada", at=run.ended, sha=read(data).sha
    )
    assert case.id == f"case-{case.packed.sha[:12]}"
    assert [one.id for one in runner.store.runs.listed(packed=True)] == [case.id]


def test_a_report_says_when_the_run_was_and_claims_no_time_of_packing(tmp_path):
    runner, run = finished(tmp_path)
    store = runner.store
    case = open_case(store, pack(store, run.id, by="Ada", title="Naps"))
    assert (
        dict(facts(store, case, store.steps.summarise(case.id)))["Case study"]
        == f"Naps, packed by Ada as its file says, run of {run.ended[:16].replace('T', ' ')} UTC"
    )


def test_a_fork_is_packed_whole_with_what_it_took_over(tmp_path):
    runner, run = finished(tmp_path / "mine", rounds=2)
    runner.store.connections.write(
        "UPDATE steps SET asked = strftime('%Y-%m-%dT%H:%M:%f+00:00', asked, '-1 hours') WHERE"
        " run = ?",
        run.id,
    )
    fork = runner.fork(run.id, "round-2/revise", lambda config: config)
    runner.work(fork.id)
    data = pack(runner.store, fork.id)
    assert (read(data).whole.parent, read(data).whole.fork_at) == (run.id, "round-2/revise")
    there = Store(tmp_path / "there")
    case = open_case(there, data)
    assert records(there, case.id) == records(runner.store, fork.id)
    assert any(step.taken_from == run.id for step in there.steps.of(case.id))
    assert there.runs.get(case.id).worked < 3_000, "what the parent took an hour for is its own"
    assert case.parent is None, "its parent is not here"
    assert runner.store.runs.children(run.id) == [runner.store.runs.get(fork.id)]


def test_a_run_that_was_killed_is_packed_with_its_calls_that_may_have_been_paid(tmp_path):
    """A process dies in the middle of a call of which nobody hears the end; another one finishes
    the run.
    """
    runner, run = finished(tmp_path / "mine", rounds=2)
    fork = runner.fork(run.id, "round-2/revise", lambda config: config)
    runner.store.runs.claim(fork.id, DEAD, 0)
    runner.store.steps.reserve(fork.id, "round-2/revise", 0.02, 900, None, 1, "scripted:one", 1)
    die(runner, fork.id)
    assert resumed(runner, fork.id) == "done"
    mine, there = runner.store.runs.get(fork.id), Store(tmp_path / "there")
    case = open_case(there, pack(runner.store, fork.id))
    assert (mine.maybe_paid, mine.unreported) == (1, 1)
    sums = (
        "steps",
        "calls",
        "tokens_in",
        "tokens_out",
        "cost",
        "unpriced",
        "unreported",
        "maybe_paid",
    )
    assert [getattr(case, name) for name in sums] == [getattr(mine, name) for name in sums]
    held = "SELECT tokens_expected, cost_expected FROM runs WHERE id = ?"
    assert there.connections.row(held, case.id) == runner.store.connections.row(held, fork.id)


def test_only_a_finished_run_of_ones_own_is_packed(tmp_path):
    runner, run = finished(tmp_path)
    with pytest.raises(BadInput, match="only a finished run"):
        pack(runner.store, refinement(runner).id)
    with pytest.raises(BadInput, match="Hand that file on"):
        pack(runner.store, open_case(runner.store, pack(runner.store, run.id)).id)
    with pytest.raises(BadInput, match="no run 'nope'"):
        pack(runner.store, "nope")
    with pytest.raises(BadInput, match="at most 5,000 characters"):
        pack(runner.store, run.id, "x" * 5001)


def test_nothing_of_the_machine_is_in_the_file(tmp_path):
    runner, run = finished(tmp_path / "mine")
    store, folder = runner.store, str(tmp_path / "mine")
    why = (
        f"Failed while reading {folder}/foundry.db (FileNotFoundError). openai:x at"
        " http://localhost:11434/v1 did not answer, nor did http://10.0.0.7/a."
    )
    origin = Origin(
        kind="source",
        name="shelf",
        detail={
            "address": "http://gpu-box:8080/graph",
            "public": "https://api.openalex.org/works?search=a",
        },
    )
    request: dict[str, object] = {"search": "naps"}
    store.steps.add(
        Step(
            run=run.id,
            key="background/search-9/search",
            place="0099",
            hash=digest(request),
            request=request,
            status="failed",
            origin=origin,
            reply={"kind": "SourceFailed", "message": why},
            asked=run.ended,
            ended=run.ended,
        ),
        run.epoch,
    )
    data = pack(store, run.id).decode()
    for local in (
        folder,
        socket.gethostname(),
        "localhost",
        ":11434",  # With its colon: five digits are in a digest now and then.
        "10.0.0.7",
        "gpu-box",
        "heartbeat",
        "owner",
        "epoch",
        run.id,
    ):
        assert local not in data, local
    assert "https://api.openalex.org/works?search=a" in data
    assert "Failed while reading [folder] (FileNotFoundError)" in data


def test_an_authored_step_has_neither_tokens_nor_cost_nor_time(tmp_path):
    store = Store(tmp_path)
    run = make_run(
        store, method="refine", inputs={"topic": "t", "goal": {"name": "novelty", "traits": []}}
    )
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    request: dict[str, object] = {"text": "Propose an idea."}
    store.steps.add(
        Step(
            run=run.id,
            key="round-0/first-idea",
            place="0001",
            hash=digest(request),
            request=request,
            status="done",
            latency=None,
            reply={"hypothesis": "Naps."},
            origin=Origin(kind="authored", name="us"),
            asked=run.created,
            ended=run.created,
        ),
        epoch,
    )
    store.steps.show(
        run.id,
        Product(name="round-0", kind="Idea", data=FIRST.model_dump(mode="json"), place="0002"),
        epoch,
    )
    store.runs.release(run.id, epoch, "done")
    case = open_case(store, pack(store, run.id))
    assert case.packed.authored
    for one in (run.id, case.id):
        (step,), (line,) = store.steps.of(one), store.steps.outline(one)
        assert (step.latency, step.calls) == (None, ())
        assert (line.tokens_in, line.tokens_out, line.cost, line.latency) == (
            None,
            None,
            None,
            None,
        )


def test_a_case_study_is_left_out_of_every_list_unless_asked_for(tmp_path):
    store = Store(tmp_path)
    case = open_case(store, packed_bytes())
    mine = make_run(store)
    assert [run.id for run in store.runs.listed()] == [mine.id]
    assert (store.runs.count(), store.runs.count(packed=True), store.runs.count(packed=None)) == (
        1,
        1,
        2,
    )
    assert [run.id for run in store.runs.listed(packed=True, states=("done",))] == [case.id]


@pytest.mark.parametrize(
    "change",
    [
        lambda runner, run: runner.store.answers.wish(run, Wish(text="Shorter.", by="Ada")),
        lambda runner, run: runner.store.notes.add(run, "round-1", "No.", "Ada"),
        lambda runner, run: runner.store.notes.remove(run, 1),
        lambda runner, run: runner.resume(run),
        lambda runner, run: runner.stop(run),
        lambda runner, run: runner.answer(run, "round-1/review", {}, "Ada"),
        lambda runner, run: runner.fork(run, "round-1/revise", lambda config: config),
    ],
    ids=["wish", "note", "remove a note", "resume", "stop", "answer", "fork"],
)
def test_a_case_study_never_changes(tmp_path, change):
    runner, _ = runner_of(tmp_path, {})
    case = open_case(runner.store, packed_bytes())
    before = records(runner.store, case.id)
    with pytest.raises(BadInput):
        change(runner, case.id)
    assert records(runner.store, case.id) == before
    assert runner.work(case.id) == "done"


def test_closing_takes_out_what_came_with_it_and_nothing_else(tmp_path):
    runner, run = finished(tmp_path / "mine", chain_script(), chain)
    data = pack(runner.store, run.id)
    there = Store(tmp_path / "there")
    mine, kept = make_run(there), read(data).whole.papers[0]
    there.library.add_papers(
        mine.id,
        [kept.model_copy(update={"title": "As I know it"}), Paper(id="own", title="My own")],
    )
    before = contents(there)
    case = open_case(there, data)
    assert there.library.paper(kept.id).title == "As I know it", (
        "a stranger's description changes nothing in the library"
    )
    close_case(there, case.id)
    assert contents(there) == before
    for wrong in (mine.id, case.id):
        with pytest.raises(BadInput, match="no case study that is open"):
            close_case(there, wrong)


def test_what_a_stranger_says_of_a_paper_counts_in_the_case_study_alone(tmp_path):
    """Anybody can write a file in which a known id has another title."""
    runner, run = finished(tmp_path / "mine", chain_script(), chain)
    data = pack(runner.store, run.id)
    told = read(data).whole.papers[0]
    there, _ = runner_of(tmp_path / "there", {})
    library = there.store.library
    open_case(there.store, data)
    assert library.paper(told.id) is None
    assert library.papers() == []
    true = told.model_copy(update={"title": "As its source has it"})
    library.add_papers(make_run(there.store).id, [true])
    assert library.paper(told.id) == true
    # A run may be begun on the papers of a case study.
    library.add_papers(make_run(there.store).id, [told], given=True)
    assert library.paper(told.id) == true


def test_opening_is_fine_while_a_run_goes_on(tmp_path):
    began, go_on = threading.Event(), threading.Event()
    script = refine_script([True])

    def revise(request):
        began.set()
        assert go_on.wait(20)
        return script["revise"](request)

    runner, model = runner_of(tmp_path, script | {"revise": revise})
    run = refinement(runner, rounds=2)
    runner.start(run.id)
    assert began.wait(20)
    open_case(runner.store, packed_bytes())
    go_on.set()
    runner.wait(run.id, 20)
    done = runner.store.runs.get(run.id)
    assert (done.state, done.calls) == ("done", len(model.requests))


def test_an_id_that_is_taken_by_another_run_is_not_overwritten(tmp_path):
    store = Store(tmp_path)
    mine = make_run(store)
    store.connections.write(
        "UPDATE runs SET id = ? WHERE id = ?", f"case-{read(packed_bytes()).sha[:12]}", mine.id
    )
    with pytest.raises(BadInput, match="another run"):
        open_case(store, packed_bytes())


def test_bundled_case_studies_are_listed_and_open_on_first_use(tmp_path):
    folder = tmp_path / "cases"
    folder.mkdir()
    assert bundled(folder / "none") == ()
    (folder / "naps.json").write_bytes(packed_bytes())
    (one,) = bundled(folder)
    assert (one.name, one.title, one.about, one.method) == (
        "naps",
        "A refinement",
        "What it shows.",
        "refine",
    )
    assert (one.rounds, one.papers, one.authored) == (1, 5, False)
    store = Store(tmp_path / "data")
    assert opened(store, "naps", folder) == opened(store, "naps", folder) == store.runs.get(one.run)
    with pytest.raises(BadInput, match="There are: naps"):
        opened(store, "../naps", folder)


def test_a_damaged_bundled_case_study_is_a_failure_that_names_it(tmp_path):
    (tmp_path / "naps.json").write_bytes(packed_bytes()[:-10])
    with pytest.raises(StoreFailed, match=r"naps\.json that comes with the program is damaged"):
        bundled(tmp_path)


def test_the_case_studies_that_come_with_the_program_are_whole():
    assert len({one.run for one in bundled()}) == len(bundled())


def test_thoughts_are_packed_with_their_calls_and_calls_without_any_as_before(tmp_path):
    runner, run = finished(tmp_path / "mine")
    assert b"thoughts" not in pack(runner.store, run.id)
    with runner.store.connections.writing() as held:
        held.execute(
            "UPDATE calls SET thoughts = 'A or B?', thoughts_length = 7, tokens_thought = 3,"
            " tokens_cached = 2 WHERE run = ?",
            (run.id,),
        )
    there = Store(tmp_path / "there")
    case = open_case(there, pack(runner.store, run.id))
    calls = [call for step in there.steps.of(case.id) for call in step.calls]
    assert {(call.thoughts, call.tokens_thought, call.tokens_cached) for call in calls} == {
        ("A or B?", 3, 2)
    }
    assert there.connections.row("SELECT min(thoughts_length) AS least FROM calls")["least"] == 7
