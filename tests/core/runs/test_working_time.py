"""Time on screen and in files is time at work: a night that a run waited for a person, or rested,
is not in it.
"""

import time
from datetime import datetime

import pytest

from components.shell.text import elapsed
from core.export.document import document
from core.export.files import export
from core.runs.runner import Runner
from core.store.working_time import covered
from tests.support import stored, sweep_kit
from tests.support.benchmark import bench_kit
from tests.support.scripted import chain, chain_script, die, resumed, runner_of
from tests.support.visiting import host, said, visit
from tests.support.waiting import until_heard

NIGHT = 12 * 60 * 60


def night(runner, run_id: str) -> None:
    """Let a run rest for twelve hours."""
    for column in ("created", "updated", "ended"):
        runner.store.connections.write(
            f"UPDATE runs SET {column} = strftime('%Y-%m-%dT%H:%M:%f+00:00', {column}, '-12 hours')"
            f" WHERE id = ? AND {column} IS NOT NULL",
            run_id,
        )


def at_work(runner, run_id: str) -> float:
    run = runner.store.runs.get(run_id)
    assert elapsed(run).endswith(" s")
    assert " h " not in elapsed(run)
    assert run.since is None
    return run.worked


def test_a_night_that_a_run_waited_for_a_person_is_no_time_at_work(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, chain_script())
    began = time.time()
    run = chain(runner, confirm=True)
    assert runner.work(run.id) == "waiting"
    first = at_work(runner, run.id)
    night(runner, run.id)
    (question,) = runner.store.answers.open(run.id)
    runner.answer(run.id, question.key, question.question["shown"]["proposed"], "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert 0 < first < at_work(runner, run.id) < time.time() - began
    host(monkeypatch, runner)
    assert "12 h" not in said(visit("runs", run=run.id))
    assert "12 h" not in said(visit("chains", run=run.id))
    assert document(runner.store, run.id)["seconds_worked"] < NIGHT
    export(runner.store, run.id, tmp_path / "told.md")
    assert f"Working time: {elapsed(runner.store.runs.get(run.id))}" in (
        tmp_path / "told.md"
    ).read_text("utf-8")


@pytest.mark.parametrize("when", ["now", "after calls"])
def test_a_run_that_was_stopped_or_paused_rests(tmp_path, when):
    runner, model = runner_of(tmp_path, chain_script())
    calm = model.script["draft"]

    def stopping(request):
        model.script["draft"] = calm
        runner.stop(run.id, when)
        until_heard(runner, run.id)
        return calm(request)

    model.script["draft"] = stopping
    run = chain(runner)
    assert runner.work(run.id) == "stopped"
    first = at_work(runner, run.id)
    night(runner, run.id)
    assert at_work(runner, run.id) == first
    assert resumed(runner, run.id) == "done"
    assert first < at_work(runner, run.id) < 60


def test_a_process_that_died_was_at_work_until_its_last_heartbeat(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner)
    runner.work(run.id)
    worked = at_work(runner, run.id)
    die(runner, run.id)
    now = time.time()
    runner.store.connections.write(
        "UPDATE runs SET since = ?, heartbeat = ? WHERE id = ?",
        now - NIGHT,
        now - NIGHT + 100,
        run.id,
    )
    runner.notice_dead()
    assert runner.store.runs.get(run.id).worked == pytest.approx(worked + 100)
    assert resumed(runner, run.id) == "done"
    assert runner.store.runs.get(run.id).worked < worked + 160


def test_while_it_goes_on_the_time_since_it_was_taken_up_is_in_it(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner)
    runner.work(run.id)
    going = runner.store.runs.get(run.id).model_copy(
        update={"state": "running", "worked": 60.0, "since": time.time() - 125}
    )
    assert elapsed(going).startswith("3 min ")


def test_experiments_and_benchmarks_keep_their_time_too(tmp_path):
    runner, _ = sweep_kit.runner_of(tmp_path / "sweep")
    run = sweep_kit.experiment(runner)
    runner.work(run.id)
    assert at_work(runner, run.id) > 0
    shop = bench_kit.shop_of(tmp_path / "bench")
    assert at_work(Runner(shop), bench_kit.worked(shop).id) > 0


@pytest.mark.parametrize("edition", ["edition-1", "edition-2"])
def test_runs_from_before_have_the_time_of_their_steps(tmp_path, edition):
    with stored.opened(edition, tmp_path) as (runner, _, known):
        for kind, made in known.items():
            for run_id in (
                *made.get("stopped", ()),
                *(made[name] for name in ("ended", "waiting") if name in made),
            ):
                run = runner.store.runs.get(run_id)
                whole = datetime.fromisoformat(run.ended or run.updated) - datetime.fromisoformat(
                    run.created
                )
                assert 0 <= run.worked <= whole.total_seconds() + 0.01, kind
                assert run.worked > 0 or kind == "session" or run.state == "stopped", kind


def test_what_goes_on_side_by_side_counts_once():
    def span(begun: int, ended: int) -> tuple[str, str]:
        return f"2026-01-01T00:00:{begun:02}+00:00", f"2026-01-01T00:00:{ended:02}+00:00"

    assert covered([]) == 0
    assert covered([span(0, 10), span(5, 8), span(8, 12), span(30, 31)]) == 13
    assert covered([span(30, 31), span(0, 10)]) == 11
