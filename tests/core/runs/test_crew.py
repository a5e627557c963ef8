"""Runs that a sweep has made: named once, worked on under its caps and stops, taken over where it
is extended.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import BadInput, LeaseLost, ModelFailed
from core.methods import BaselineInputs
from core.methods.inputs import Looking
from core.records import Record, Worked
from core.runs import catalogue
from core.runs.catalogue import METHODS, Method
from core.runs.runner import Runner
from tests.support.scripted import DEAD, baseline_script, configured, die, runner_of

TOPIC = BaselineInputs(topic="sleep memory", design=False)


def story(names: tuple[str, ...]):
    """Return a sweep of direct promptings under these names."""

    def tell(desk, _) -> Iterator[Record]:
        for name in names:
            yield desk.run(name, "direct", TOPIC, {"main": "scripted:one"}, f"Run {name}")

    return tell


@pytest.fixture
def sweeping(tmp_path, monkeypatch):
    """Return what makes a runner whose method `swept` has the named runs made, and begins such a
    run.
    """

    def make(*names: str, script: dict | None = None):
        method = Method(
            name="swept",
            version=1,
            label="Swept",
            inputs=Looking,
            prompts=METHODS["direct"].prompts,
            story=story(names),
        )
        monkeypatch.setitem(catalogue.METHODS, "swept", method)
        runner, model = runner_of(tmp_path, baseline_script() | (script or {}))
        run = runner.begin(configured(runner, "swept", Looking(topic="t")), "Swept")
        return runner, model, run

    return make


def runs_of(runner: Runner, run) -> dict:
    return {one.cell: one for one in runner.store.runs.listed(sweep=run.id)}


def test_each_run_is_made_once_under_its_name_with_the_sweeps_settings_and_a_seed_of_its_own(
    sweeping,
):
    runner, model, run = sweeping("a", "b")
    assert runner.work(run.id) == "done"
    made = runs_of(runner, run)
    assert set(made) == {"a", "b"}
    assert {(one.state, one.title, one.config.source) for one in made.values()} == {
        ("done", "Run a", "shelf"),
        ("done", "Run b", "shelf"),
    }
    assert made["a"].config.seed != made["b"].config.seed
    assert made["a"].config.prompts == {
        name: run.config.prompts[name] for name in METHODS["direct"].prompts
    }
    assert len(model.requests) == 2
    step = runner.store.steps.get(run.id, "a")
    assert Worked.model_validate(step.reply) == Worked(run=made["a"].id, state="done")
    assert step.calls == (), "what a run took is booked there, and nowhere twice"


def test_a_run_that_failed_is_an_answer_and_the_sweep_goes_on(sweeping):
    runner, _, run = sweeping(
        "a",
        "b",
        script={
            "direct-idea": lambda r: (
                ModelFailed("away") if r.seed % 2 else baseline_script()["direct-idea"](r)
            )
        },
    )
    assert runner.work(run.id) == "done"
    replies = [Worked.model_validate(runner.store.steps.get(run.id, name).reply) for name in "ab"]
    assert {one.state for one in replies} <= {"done", "failed"}
    assert all(("away" in one.reason) == (one.state == "failed") for one in replies)


def test_a_run_left_behind_by_a_dead_process_goes_on_when_its_sweep_does(sweeping):
    runner, model, run = sweeping("a")
    assert runner.work(run.id) == "done"
    child = runs_of(runner, run)["a"]
    runner.store.connections.write("DELETE FROM steps WHERE run = ?", run.id)
    runner.store.connections.write("DELETE FROM products WHERE run = ?", run.id)
    for one in (run.id, child.id):
        die(runner, one)
    assert set(runner.notice_dead()) == {run.id, child.id}
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert runs_of(runner, run)["a"].id == child.id
    assert len(model.requests) == 1, "what it had is not paid again"


def test_recovery_starts_the_sweep_and_leaves_its_runs_to_it(sweeping):
    runner, _, run = sweeping("a")
    assert runner.work(run.id) == "done"
    child = runs_of(runner, run)["a"]
    die(runner, child.id)
    runner.recover()
    assert runner.store.runs.get(child.id).state == "interrupted"


def test_a_run_that_another_process_works_on_is_left_to_it(sweeping):
    runner, _, run = sweeping("a")
    assert runner.work(run.id) == "done"
    child = runs_of(runner, run)["a"]
    claimed = runner.store.runs.get(run.id)
    bench, _ = runner.workshop.desk(claimed, claimed.epoch, runner.work)
    runner.store.connections.write(
        "UPDATE runs SET state = 'running', owner = ?, heartbeat = ? WHERE id = ?",
        "elsewhere|1|1",
        4e9,
        child.id,
    )
    with pytest.raises(LeaseLost, match="worked on by another process"):
        bench.crew.do("a", child.config, "Run a")


def test_the_main_model_takes_every_role_that_has_none_of_its_own(sweeping):
    runner, _, run = sweeping("a")
    bench, _ = runner.workshop.desk(run, 0)
    crew = replace(
        bench.crew,
        sweep=run.model_copy(
            update={
                "config": run.config.model_copy(
                    update={"prompts": dict.fromkeys(METHODS["refine"].prompts, "sha")}
                )
            }
        ),
    )
    made = crew.plan("x", "refine", TOPIC, {"main": "m", "judge": "j"})
    assert made.models == {"generator": "m", "optimizer": "m", "discriminator": "m", "judge": "j"}


def test_a_desk_without_a_crew_says_so(sweeping):
    runner, _, run = sweeping("a")
    epoch = runner.store.runs.claim(run.id, DEAD, 0)
    _, desk = runner.workshop.desk(run, epoch)
    with pytest.raises(BadInput, match="has no runner"):
        desk.run("a", "direct", TOPIC, {"main": "scripted:one"}, "Run a")


def test_branches_beyond_the_number_at_once_wait_and_are_not_begun_after_a_failure(sweeping):
    runner, _, run = sweeping("a")
    _, desk = runner.workshop.desk(run, 0)
    begun = []

    def branch(n: int):
        def work(_) -> int:
            begun.append(n)
            if n == 1:
                raise ModelFailed("away")
            return n

        return work

    with pytest.raises(ModelFailed):
        desk.each([branch(n) for n in range(20)], 1)
    assert begun == [0, 1]
    assert runner.workshop.desk(run, 0)[1].each([branch(n) for n in range(2, 12)], 3) == tuple(
        range(2, 12)
    )


def test_a_fork_takes_finished_runs_over_and_begins_others_where_they_were(sweeping):
    runner, model, run = sweeping("a", "b")
    assert runner.work(run.id) == "done"
    asked = len(model.requests)
    fork = runner.fork(run.id, "b", lambda config: config)
    assert runner.work(fork.id) == "done"
    made = runs_of(runner, fork)
    assert set(made) == {"b"}, "what it begins with is asked anew, and the other taken over"
    assert made["b"].parent is None
    assert len(model.requests) == asked + 1
    other = runner.fork(
        run.id, "a", lambda config: config.model_copy(update={"seed": config.seed + 1})
    )
    assert runner.work(other.id) == "done"
    again = runs_of(runner, other)
    before = runs_of(runner, run)
    assert again["a"].parent is None
    assert (again["b"].parent, again["b"].fork_at) == (before["b"].id, "extension")
