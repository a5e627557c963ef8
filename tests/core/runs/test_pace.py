"""How long a run still takes, from earlier runs of its kind."""

import pytest

from core.runs.pace import seconds_a_step, time_left
from tests.support.scripted import chain_script, refine_script, refinement, runner_of


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
