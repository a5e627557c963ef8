"""How long a run still takes, from earlier runs of its kind."""

from types import SimpleNamespace

import pytest

from core.runs.estimates import of_run
from core.runs.pace import seconds_a_step, steps_left, time_left
from tests.support.scripted import chain, chain_script, refine_script, refinement, runner_of


def test_earlier_runs_of_the_same_models_tell_how_long_a_step_takes(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]) | chain_script())
    done = [refinement(runner, rounds=2) for _ in range(2)]
    assert runner.work(done[0].id) == "done"
    now = refinement(runner)
    assert seconds_a_step(runner.store, now) is None, "one run says little"
    assert runner.work(done[1].id) == "done"
    found = [runner.store.runs.get(run.id) for run in done]
    between = sorted(run.worked / run.steps for run in found)
    pace = seconds_a_step(runner.store, now)
    assert pace
    assert between[0] <= pace <= between[1]
    models = {**now.config.models, "main": "scripted:other"}
    other = now.model_copy(update={"config": now.config.model_copy(update={"models": models})})
    assert seconds_a_step(runner.store, other) is None


def test_what_took_more_steps_than_usual_is_not_taken_off_what_is_still_to_come(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner, branches=3)
    usual = of_run(run).steps
    growing = [f"branch-{n % 3 + 1}/forward-1/candidate-{n}/relevance" for n in range(usual)]
    store = SimpleNamespace(steps=SimpleNamespace(keys=lambda _: growing))
    left = steps_left(store, run.model_copy(update={"steps": usual}))
    assert left > usual / 2, "nothing is drafted or checked yet"
    growing += [f"branch-{n}/idea-1/{step}" for n in (1, 2, 3) for step in ("draft", "idea")]
    assert steps_left(store, run) == left - 6


def test_a_finished_run_has_next_to_nothing_left(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    run = refinement(runner)
    assert steps_left(runner.store, run) == of_run(run).steps
    assert runner.work(run.id) == "done"
    assert steps_left(runner.store, runner.store.runs.get(run.id)) < of_run(run).steps / 2


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (5, "less than a minute left"),
        (60, "about a minute left"),
        (61, "about 2 minutes left"),
        (3 * 3600, "about 3 hours left"),
    ],
)
def test_time_left_is_said_no_more_exactly_than_it_is_known(seconds, said):
    assert time_left(seconds) == said
