"""What a person asks of a run: stop, pause, resume, queue, answer; and what outranks what."""

import threading
import time
from dataclasses import replace

import pytest

from core.errors import BadInput, BudgetReached, ModelFailed
from core.methods.adversarial import Game, propose
from core.records import Outcome, Verdict
from core.runs.catalogue import METHODS
from core.runs.runner import Runner
from tests.support.scripted import (
    die,
    fresh,
    prompts_asked,
    refine_script,
    refinement,
    resumed,
    runner_of,
)


def test_a_running_run_stops_and_goes_on_from_there(tmp_path, monkeypatch):
    monkeypatch.setattr("core.runs.runner.BEAT", 0.05)
    runner, model = runner_of(tmp_path, refine_script())
    script, reached, go = refine_script(), threading.Event(), threading.Event()

    def slow(request):
        reached.set()
        assert go.wait(10)
        return script["review"](request)

    model.script["review"] = slow
    run = refinement(runner, rounds=20)
    runner.start(run.id)
    assert reached.wait(10)
    runner.stop(run.id)
    # What is in flight as a run stops at once is lost, and asked anew: here, a review.
    beats(runner, run.id, 2)
    go.set()
    runner.wait(run.id, 10)
    parked = runner.store.runs.get(run.id)
    assert (parked.state, parked.reason) == (
        "stopped",
        "Stopped as asked. Everything up to here is kept.",
    )
    assert parked.steps < 100
    assert resumed(runner, run.id) == "done"
    keys = [(r.prompt, r.text) for r in model.requests if r.prompt == "revise"]
    assert len(keys) == len(set(keys)) == 20, "no step was paid twice"


def test_a_queued_run_is_stopped_at_once_and_never_begins(tmp_path):
    runner, model = runner_of(tmp_path, refine_script(), workers=1)
    hold = threading.Event()
    model.script["review"] = lambda r: (hold.wait(10), refine_script()["review"](r))[1]
    first, second = refinement(runner), refinement(runner)
    runner.start(first.id)
    while not model.requests:
        time.sleep(0.01)
    runner.start(second.id)
    runner.stop(second.id)
    assert runner.store.runs.get(second.id).state == "stopped"
    hold.set()
    runner.wait(first.id, 20)
    runner.wait(second.id, 20)
    assert runner.store.steps.count(second.id) == 0
    assert resumed(runner, second.id) == "done"


def test_runs_queue_in_order_and_only_so_many_are_worked_on_at_once(tmp_path):
    runner, model = runner_of(tmp_path, refine_script(), workers=2)
    begun, busy, most = [], set(), []
    together = threading.Event()

    def noted(request):
        name = threading.get_ident()
        busy.add(name)
        most.append(len(busy))
        if len(busy) == 2:
            together.set()
        together.wait(10)  # Until there were two: on a busy machine the second comes late.
        busy.discard(name)
        return refine_script()["revise"](request)

    model.script["revise"] = noted
    runs = [refinement(runner, rounds=2) for _ in range(6)]
    for run in runs:
        runner.start(run.id)
    for run in runs:
        runner.wait(run.id, 20)
        begun.append(runner.store.steps.of(run.id)[0].asked)
    assert all(runner.store.runs.get(run.id).state == "done" for run in runs)
    assert max(most) == 2
    assert begun[:2] < begun[2:4] < begun[4:]


def test_a_run_that_rests_cannot_be_stopped(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.work(run.id)
    with pytest.raises(BadInput, match="is done; only a run that is queued, running or waiting"):
        runner.stop(run.id)


def test_a_dead_run_that_was_asked_to_stop_stays_stopped(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    die(runner, run.id)
    runner.store.runs.ask_to(run.id, "stop")
    runner.recover()
    assert runner.store.runs.get(run.id).state == "stopped"


def test_a_run_whose_last_answer_was_stored_goes_on_after_a_kill(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, people=("optimizer",))
    assert runner.work(run.id) == "waiting"
    waits = refinement(runner, people=("optimizer",))
    assert runner.work(waits.id) == "waiting"
    (question,) = runner.store.answers.open(run.id)
    # What is killed here has stored the answer, and nothing that follows from it.
    review = {"summary": "Too safe.", "remarks": [{"id": "r1", "text": "Be bold."}]}
    runner.store.answers.answer(run.id, question.key, review, "Ada")
    following = fresh(runner)
    following.recover()
    following.wait(run.id, 60)
    (asked,) = following.store.answers.open(run.id)
    assert asked.key != question.key, "it went on to the next question"
    assert following.store.runs.get(waits.id).state == "waiting"
    assert following.store.runs.get(waits.id).calls == 0


def test_a_finished_run_is_not_resumed(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.work(run.id)
    with pytest.raises(BadInput, match="is finished"):
        runner.resume(run.id)


def test_resuming_at_once_after_an_end_is_not_lost(tmp_path):
    runner, model = runner_of(
        tmp_path, refine_script() | {"verdict": lambda _: ModelFailed("away")}
    )
    run = refinement(runner)
    for _ in range(5):
        if runner.store.runs.get(run.id).state == "queued":
            runner.start(run.id)
        else:
            runner.resume(run.id)
        while runner.store.runs.get(run.id).state in ("queued", "running"):
            time.sleep(0.001)
    model.script = refine_script()
    assert resumed(runner, run.id) == "done"


def test_two_processes_that_resume_at_once_do_the_work_once(tmp_path):
    runner, model = runner_of(
        tmp_path, refine_script() | {"first-idea": lambda _: ModelFailed("away")}
    )
    run = refinement(runner, idea=None)
    runner.work(run.id)
    model.script = refine_script()
    others = [fresh(runner) for _ in range(4)]
    refused = []

    def go(one: Runner) -> None:
        try:
            one.resume(run.id)
            one.wait(run.id, 20)
        except BadInput as error:
            refused.append(str(error))

    threads = [threading.Thread(target=go, args=(one,)) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert runner.store.runs.get(run.id).state == "done"
    assert len(refused) == 3
    assert prompts_asked(model).count("revise") == 3


def survey(monkeypatch, story) -> None:
    """Let the refinement's name mean a made-up method that asks a person."""
    plan = METHODS["refine"]
    monkeypatch.setitem(
        METHODS,
        "refine",
        replace(plan, version=1, label="Survey", story=story),
    )


def test_a_run_that_waits_for_a_person_costs_nothing_and_goes_on_with_the_answer(
    tmp_path, monkeypatch
):
    def story(desk, inputs):
        first, rated = desk.all(
            lambda d: propose(d.at("first"), Game(topic="t", area="a"), inputs.play),
            lambda d: d.at("seat-1").person("rating", Verdict, idea="shown"),
        )
        yield Outcome(reason=rated.reason, idea=first)

    survey(monkeypatch, story)
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    assert runner.work(run.id) == "waiting"
    assert len(model.requests) == 1, "the other branch was finished and stored"
    assert [one.key for one in runner.store.answers.open(run.id)] == ["seat-1/rating"]
    assert resumed(runner, run.id) == "waiting"
    runner.store.answers.answer(
        run.id, "seat-1/rating", {"improved": True, "reason": "I like it."}, "Ada"
    )
    assert resumed(runner, run.id) == "done"
    assert len(model.requests) == 1
    assert runner.store.steps.products(run.id)[-1].data["reason"] == "I like it."


def test_the_cap_outranks_a_person_who_is_waited_for(tmp_path, monkeypatch):
    def story(desk, inputs):
        desk.all(
            lambda d: d.at("seat-1").person("rating", Verdict),
            lambda d: propose(d, Game(topic="t", area="a"), inputs.play),
        )
        yield

    survey(monkeypatch, story)
    runner, _ = runner_of(
        tmp_path, refine_script() | {"first-idea": lambda _: BudgetReached("cap")}
    )
    assert runner.work(refinement(runner).id) == "capped"


def beats(runner, run_id: str, n: int) -> None:
    """Wait until the run has renewed its lease n times more."""
    for _ in range(n):
        before = runner.store.runs.lease(run_id)["heartbeat"]
        until = time.monotonic() + 20
        while runner.store.runs.lease(run_id)["heartbeat"] == before:
            assert time.monotonic() < until
            time.sleep(0.02)


def test_a_pause_keeps_the_calls_in_flight_and_a_stop_breaks_them_off(tmp_path, monkeypatch):
    monkeypatch.setattr("core.runs.runner.BEAT", 0.05)
    at_work, go = threading.Event(), threading.Event()

    def slow(request):
        at_work.set()
        assert go.wait(20)
        return {"summary": "Slow.", "remarks": [{"id": "r1", "text": "Why?"}]}

    for gently, kept in ((True, 4), (False, 3)):
        at_work.clear(), go.clear()
        runner, _ = runner_of(tmp_path / str(gently), refine_script() | {"review": slow})
        run = refinement(runner)
        runner.start(run.id)
        assert at_work.wait(10)
        runner.stop(run.id, "after calls" if gently else "now")
        # The request is seen while the call is in flight.
        beats(runner, run.id, 2)
        go.set()
        runner.wait(run.id, 10)
        assert runner.store.runs.get(run.id).state == "stopped"
        assert runner.store.steps.count(run.id) == kept
