"""The runner: one worker per run, recovery after a death; a finished run costs nothing to
replay.
"""

import threading
import time
from types import SimpleNamespace

import psutil
import pytest

from core.errors import BudgetReached, CannotAnswer, ModelFailed, NoThread, Waiting, boundary
from core.runs.leases import alive, me
from core.store import Store
from tests.support.scripted import (
    DEAD,
    chain,
    chain_script,
    die,
    fresh,
    prompts_asked,
    refine_script,
    refinement,
    resumed,
    runner_of,
    small_source,
)
from tests.support.waiting import until


def test_replaying_a_finished_run_makes_no_call(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    assert runner.work(run.id) == "done"
    steps, products = runner.store.steps.of(run.id), runner.store.steps.products(run.id)
    model.requests.clear()
    die(runner, run.id)
    again = fresh(runner)
    again.notice_dead()
    assert resumed(again, run.id) == "done"
    assert model.requests == []
    assert (again.store.steps.of(run.id), again.store.steps.products(run.id)) == (steps, products)


def test_an_interrupted_run_goes_on_by_itself_when_the_server_starts(tmp_path):
    runner, model = runner_of(
        tmp_path, refine_script() | {"verdict": lambda _: ModelFailed("away")}
    )
    run = refinement(runner)
    runner.work(run.id)
    die(runner, run.id)
    model.script = refine_script()
    server = fresh(runner)
    server.recover()
    server.wait(run.id, 20)
    assert server.store.runs.get(run.id).state == "done"


def test_a_run_queued_by_a_dead_process_goes_on_too(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.store.connections.write("UPDATE runs SET owner = ? WHERE id = ?", DEAD, run.id)
    server = fresh(runner)
    server.recover()
    server.wait(run.id, 20)
    assert server.store.runs.get(run.id).state == "done"


def test_a_machine_that_gives_no_thread_for_a_while_has_the_runs_begin_later(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script(), workers=2)
    start = threading.Thread.start

    def none(thread):
        if thread.name == "runner":
            raise RuntimeError("can't start new thread")
        start(thread)

    waiting = [refinement(runner) for _ in range(3)]
    monkeypatch.setattr(threading.Thread, "start", none)
    for run in waiting:
        with pytest.raises(NoThread, match="gives the program no more threads"):
            runner.start(run.id)
    monkeypatch.undo()
    last = refinement(runner)
    runner.start(last.id)
    for run in (*waiting, last):
        runner.wait(run.id, 20)
        assert runner.store.runs.get(run.id).state == "done"


@pytest.mark.parametrize("name", ["beat-", "sweep", "runner"])
def test_threads_that_cannot_be_had_are_said_and_break_nothing_off(tmp_path, monkeypatch, name):
    runner, _ = runner_of(tmp_path, refine_script())
    runs = [refinement(runner) for _ in range(2)]
    for run in runs:
        die(runner, run.id)
    start = threading.Thread.start

    def none(thread):
        if thread.name.startswith(name):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", none)
    server = fresh(runner)
    server.recover()
    for run in runs:
        server.wait(run.id, 20 if name != "runner" else 0)
    ended = [server.store.runs.get(run.id) for run in runs]
    assert [one.state for one in ended] == [
        {"beat-": "failed", "sweep": "done", "runner": "queued"}[name]
    ] * 2
    if name == "beat-":
        assert "gives the program no more threads" in ended[0].reason
        server.delete(runs[0].id)
        assert len(server.store.runs.listed()) == 1


def test_a_run_that_wants_a_process_and_gets_none_fails_with_the_reason(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    own_process = SimpleNamespace(own_process=True)
    monkeypatch.setattr("core.runs.runner.entry", lambda config: own_process)

    def none(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("core.runs.children.subprocess.run", none)
    run = refinement(runner)
    runner.start(run.id)
    runner.wait(run.id, 20)
    ended = runner.store.runs.get(run.id)
    assert (ended.state, "Resource temporarily unavailable" in ended.reason) == ("failed", True)


def test_interrupted_runs_wait_for_a_person_where_the_settings_say_so(tmp_path):
    runner, model = runner_of(tmp_path, refine_script(), resume=False)
    run = refinement(runner)
    die(runner, run.id)
    runner.recover()
    assert runner.store.runs.get(run.id).state == "interrupted"
    assert model.requests == []


def test_a_run_somebody_works_on_is_left_alone(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.store.connections.write(
        "UPDATE runs SET state = 'running', owner = ? WHERE id = ?", me(), run.id
    )
    assert fresh(runner).work(run.id) == "running"
    assert runner.notice_dead() == []
    assert model.requests == []


def test_an_overtaken_worker_leaves_the_run_to_the_other(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)

    def overtaken(request):
        runner.store.connections.write(
            "UPDATE runs SET epoch = epoch + 1, owner = ? WHERE id = ?", me(), run.id
        )
        return refine_script()["verdict"](request)

    runner.workshop.named["scripted:one"].script["verdict"] = overtaken
    assert runner.work(run.id) == "running"
    assert runner.store.runs.get(run.id).state == "running"
    assert runner.store.steps.get(run.id, "round-1/verdict") is None


@pytest.mark.parametrize(
    ("error", "state", "says"),
    [
        (ModelFailed("scripted:one gave no usable answer."), "failed", "no usable answer"),
        (
            CannotAnswer("scripted:one does not answer the prompt 'verdict'."),
            "failed",
            "does not answer",
        ),
        (
            BudgetReached("The next call could pass this run's cap of $1.00."),
            "capped",
            "cap of $1.00",
        ),
        (Waiting("round-1/rating waits for a person's answer."), "waiting", "waits for a person"),
        (ZeroDivisionError("division by zero"), "failed", "mistake of its own (ZeroDivisionError)"),
    ],
)
def test_however_a_run_ends_its_reason_can_be_read(tmp_path, error, state, says):
    runner, _ = runner_of(tmp_path, refine_script() | {"verdict": lambda _: error})
    run = refinement(runner)
    assert runner.work(run.id) == state
    assert says in runner.store.runs.get(run.id).reason


def panic() -> BaseException:
    """Return what a library written in Rust raises where it panics."""
    kind = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})
    return kind("index out of bounds")


@pytest.mark.parametrize("error", [panic, SystemExit], ids=["panic", "exit"])
def test_whatever_ends_a_run_the_next_one_has_its_turn(tmp_path, error):
    def ends(_):
        raise error()

    runner, model = runner_of(tmp_path, refine_script() | {"verdict": ends}, workers=1)
    run = refinement(runner)
    runner.start(run.id)
    runner.wait(run.id, 20)
    model.script = refine_script()
    other = refinement(runner)
    runner.start(other.id)
    runner.wait(other.id, 20)
    assert runner.store.runs.get(other.id).state == "done"
    if error is panic:
        assert "(PanicException)" in runner.store.runs.get(run.id).reason


def test_what_a_library_panics_with_is_a_failure_at_its_boundary():
    said = "PanicException: index out of bounds"
    with pytest.raises(ModelFailed, match=said), boundary(ModelFailed, "counting"):
        raise panic()
    with pytest.raises(KeyboardInterrupt), boundary(ModelFailed, "counting"):
        raise KeyboardInterrupt


def test_branches_side_by_side_are_stored_before_the_gravest_is_raised(tmp_path):
    def late(request):
        time.sleep(0.1)
        return refine_script()["review"](request)

    runner, model = runner_of(
        tmp_path, refine_script() | {"verdict": lambda _: BudgetReached("cap"), "review": late}
    )
    run = refinement(runner)
    assert runner.work(run.id) == "capped"
    assert runner.store.steps.get(run.id, "round-1/review") is not None
    assert runner.store.steps.get(run.id, "round-1/measure") is not None
    model.script, _ = refine_script(), model.requests.clear()
    assert resumed(runner, run.id) == "done"
    assert prompts_asked(model).count("review") == 1, (
        "round 1 was reviewed while the cap was met; only round 2 was open"
    )


def test_places_do_not_depend_on_which_thread_is_faster(tmp_path):
    places = []
    for n, slow in enumerate(("forward", "backward", "")):
        source = small_source()
        for name in ("citations", "references"):
            lazy = getattr(source, name)
            wait = 0.03 if (name == "citations") == (slow == "forward") else 0.0
            setattr(source, name, lambda *a, lazy=lazy, wait=wait: (time.sleep(wait), lazy(*a))[1])
        runner, _ = runner_of(tmp_path / str(n), chain_script(), source)
        run = chain(runner)
        assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
        places.append([(step.key, step.place) for step in runner.store.steps.of(run.id)])
    assert places[0] == places[1] == places[2]
    assert len(places[0]) > 30


def test_a_source_that_was_down_for_all_searches_is_asked_again_on_resume(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    source = runner.workshop.shelf_like
    source.down = True
    run = chain(runner)
    assert runner.work(run.id) == "failed"
    assert "did not answer" in runner.store.runs.get(run.id).reason
    source.down = False
    assert resumed(runner, run.id) == "done"
    assert all(step.status == "done" for step in runner.store.steps.of(run.id))
    assert runner.store.runs.get(run.id).steps == runner.store.steps.count(run.id)


def test_inputs_that_no_longer_fit_are_refused_in_a_sentence(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.store.connections.write(
        "UPDATE runs SET config = replace(config, '\"max_rounds\":3', '\"max_rounds\":0')"
    )
    assert runner.work(run.id) == "failed"
    assert "reading the run's inputs" in runner.store.runs.get(run.id).reason


def test_a_deleted_run_ends_quietly(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.workshop.named["scripted:one"].script["review"] = lambda r: (
        runner.store.runs.delete(run.id),
        runner.store.runs.clear_deleted(),
        refine_script()["review"](r),
    )[-1]
    assert runner.work(run.id) == "running"
    assert runner.store.steps.count(run.id) == 0


def test_a_server_that_starts_removes_what_a_deleted_run_left(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    assert runner.work(run.id) == "done"
    runner.store.runs.delete(run.id)
    assert runner.store.steps.count(run.id) > 0, "as if the process had been killed here"
    runner.recover()
    until(lambda: runner.store.steps.count(run.id) == 0)


def test_a_worker_is_told_from_a_later_process_with_its_number():
    machine, number, started = me().split("|")
    boot, ticks = started.split(":")
    assert alive(me(), None)
    assert not alive(f"{machine}|{number}|{boot}:{int(ticks) - 100}", None)
    assert not alive(f"{machine}|{number}|{boot[::-1]}:{ticks}", None), "before the last boot"
    by_the_clock = psutil.Process().create_time()
    assert alive(f"{machine}|{number}|{by_the_clock:.2f}", None), "a program before this one"
    assert not alive(f"{machine}|{number}|{by_the_clock - 100:.2f}", None)
    assert not alive(f"{machine}|4194304|1.00", None)
    assert not alive(None, None)
    assert not alive("of a strange database", time.time())
    assert alive("another-machine|1|1.00", time.time()), "elsewhere only the heartbeat tells"
    assert not alive("another-machine|1|1.00", time.time() - 60)


def test_a_clock_that_is_set_makes_no_worker_a_stranger(tmp_path, monkeypatch):
    runner, model = runner_of(tmp_path, refine_script())
    looked = []

    def set_back(request):
        boot = psutil.boot_time()
        monkeypatch.setattr(psutil._psplatform, "boot_time", lambda: boot - 1)
        looked.append(fresh(runner).notice_dead())
        return refine_script()["verdict"](request)

    model.script["verdict"] = set_back
    assert runner.work(refinement(runner, rounds=1).id) == "done"
    assert looked == [[]]


def test_a_workers_threads_never_keep_a_process_from_ending(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    daemons = []
    model.script["verdict"] = lambda r: (
        daemons.append(threading.current_thread().daemon),
        refine_script()["verdict"](r),
    )[1]
    run = refinement(runner)
    runner.start(run.id)
    runner.wait(run.id, 20)
    assert daemons == [True] * 3


class Killed(BaseException):
    """Stands for a kill inside a call: nothing of the run's own code runs after it."""


@pytest.mark.parametrize(
    ("script", "begin"),
    [(refine_script(), refinement), (chain_script(similar=1), chain)],
    ids=["refine", "chain"],
)
def test_a_death_in_any_call_whatever_costs_that_call_only(tmp_path, script, begin):
    calm, model = runner_of(tmp_path / "calm", script)
    wanted = begin(calm)
    assert calm.work(wanted.id) == "done"
    total = len(model.requests)
    for fatal in range(total):
        runner, model = runner_of(tmp_path / str(fatal), script)
        model.reply = killing(model, fatal)
        run = begin(runner)
        with pytest.raises(Killed):
            runner.work(run.id)
        die(runner, run.id)
        server = fresh(runner)
        server.recover()
        server.wait(run.id, 20)
        assert len(model.requests) == total + 1, f"the call that died was number {fatal}"
        assert told(server.store, run.id) == told(calm.store, wanted.id)


def killing(model, fatal: int):
    """Return the model's `reply`, dying in the call of that number."""
    reply, count = model.reply, iter(range(10_000))

    def dying(request, progress):
        if next(count) == fatal:
            model.requests.append(request)
            raise Killed
        return reply(request, progress)

    return dying


def told(store: Store, run_id: str) -> tuple:
    return [
        (step.key, step.place, step.hash, step.reply) for step in store.steps.of(run_id)
    ], store.steps.products(run_id)


def test_the_store_may_be_shared_by_two_processes(tmp_path):
    one, two = Store(tmp_path), Store(tmp_path)
    one.places.choose("model-main", "builtin")
    assert two.places.choice("model-main") == "builtin"
