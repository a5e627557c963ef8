"""A server that is told to end: what is in flight is kept, nothing more begins, and the next server
goes on, but not with what a person stopped.
"""

import threading
import time

from core.runs.runner import RESTED, Runner
from tests.support import sweep_kit
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.waiting import SOON, until


def held(script: dict, prompt: str) -> tuple[dict, threading.Event, threading.Event]:
    """Return a script that waits before it answers a prompt, what says that it was asked, and what
    lets it answer.
    """
    asked, go = threading.Event(), threading.Event()
    answer = script[prompt]

    def slow(request):
        asked.set()
        assert go.wait(20)
        return answer(request)

    return {**script, prompt: slow}, asked, go


def begun(tmp_path, prompt: str = "review"):
    script, asked, go = held(refine_script((False,)), prompt)
    runner, model = runner_of(tmp_path / "data", script)
    run = refinement(runner)
    runner.start(run.id)
    assert asked.wait(20)
    return runner, model, run.id, go


def test_what_is_in_flight_is_kept_and_the_next_server_goes_on(tmp_path):
    runner, model, run_id, go = begun(tmp_path)
    resting = threading.Thread(target=runner.rest, args=(20.0,))
    resting.start()
    go.set()
    resting.join()
    rested = runner.store.runs.get(run_id)
    assert (rested.state, rested.reason) == ("interrupted", RESTED)
    assert [one.prompt for one in model.requests] == ["review"]
    assert (rested.calls, rested.maybe_paid) == (1, 0)
    following = Runner(runner.workshop)
    following.recover()
    following.wait(run_id, 60)
    assert runner.store.runs.get(run_id).state == "done"


def test_it_is_not_waited_for_longer_than_it_may(tmp_path):
    runner, _, run_id, go = begun(tmp_path)
    began = time.monotonic()
    runner.rest(0.2)
    assert 0.2 <= time.monotonic() - began < SOON
    assert runner.store.runs.get(run_id).state == "running"
    go.set()
    until(lambda: runner.store.runs.get(run_id).state == "interrupted")


def test_what_is_queued_stays_so(tmp_path):
    runner, _, run_id, go = begun(tmp_path)
    others = [refinement(runner).id for _ in range(5)]
    for other in others:
        runner.start(other)
    resting = threading.Thread(target=runner.rest, args=(20.0,))
    resting.start()
    go.set()
    resting.join()
    states = {runner.store.runs.get(one).state for one in (run_id, *others)}
    assert states <= {"interrupted", "queued"}


def test_what_a_person_stopped_stays_stopped(tmp_path):
    runner, _, run_id, go = begun(tmp_path)
    runner.stop(run_id, "after calls")
    threading.Thread(target=runner.rest, args=(20.0,)).start()
    go.set()
    until(lambda: runner.store.runs.get(run_id).state == "stopped")


def test_an_experiment_and_its_runs_go_on_together(tmp_path):
    runner, _ = sweep_kit.runner_of(tmp_path / "data")
    run = sweep_kit.experiment(runner)
    runner.start(run.id)
    until(lambda: runner.store.runs.count(sweep=run.id) > 0)
    runner.rest(20.0)
    assert runner.store.runs.get(run.id).state == "interrupted"
    following = Runner(runner.workshop)
    following.recover()
    following.wait(run.id, 60)
    assert runner.store.runs.get(run.id).state == "done"
    states = {one.state for one in runner.store.runs.listed(sweep=run.id, limit=1000)}
    assert states == {"done"}


def test_runs_of_a_machine_of_another_name_go_on_once_their_lease_has_run_out(tmp_path):
    """As where a container is made anew: its name and its processes are others."""
    runner, _ = runner_of(tmp_path / "data", refine_script())
    run_id = refinement(runner).id
    write = runner.store.connections.write
    write(
        "UPDATE runs SET state = 'running', owner = 'another|1|1.00', heartbeat = ? WHERE id = ?",
        time.time(),
        run_id,
    )
    runner.recover()
    runner.recover_late()
    assert runner.store.runs.get(run_id).state == "running"
    write("UPDATE runs SET heartbeat = heartbeat - 31 WHERE id = ?", run_id)
    runner.recover_late()
    runner.wait(run_id, 60)
    assert runner.store.runs.get(run_id).state == "done"
