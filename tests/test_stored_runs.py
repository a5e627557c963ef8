"""Runs of an earlier main: all open, what ended replays without a call, what was stopped becomes
what it would have become then.
"""

import pytest

from core.benchmark.results.findings import findings
from core.story import Story
from tests.support import stored

STORES = tuple(sorted(path.name.removesuffix(".db.gz") for path in stored.HERE.glob("*.db.gz")))
OF_THEIR_OWN = ("session", "experiment")
"""Each session was opened on its own, and its steps are named by what it dealt out; experiments of
one store share the common form of an idea.
"""


@pytest.fixture(scope="module", params=STORES)
def held(request, tmp_path_factory):
    """Open a stored database once for all tests of this file; gives a runner, its models' server
    and which run is which.
    """
    with stored.opened(request.param, tmp_path_factory.mktemp("stored")) as found:
        yield found


def test_every_run_opens_as_records(held):
    runner, server, known = held
    for made in known.values():
        for run_id in (
            *made.get("stopped", ()),
            *(made[name] for name in ("ended", "waiting") if name in made),
        ):
            run, parts = runner.store.runs.get(run_id), Story.of(runner.store, run_id).parts
            assert (
                parts or run.state == "stopped" or run.config.method == "bench"
            )  # A benchmark keeps what it has in tables of its own.
    assert server.calls == []


def test_a_benchmark_has_clarity_beside_the_other_scores_and_the_replies_it_measured(held):
    runner, _, known = held
    run = known["benchmark"]["ended"]
    ideas, found = (
        runner.store.benchmarks.ideas(run, order="best", limit=100),
        findings(runner.store, run),
    )
    assert ideas
    assert [sum(n for _, _, n in one.counts) for one in found.clarity] == [len(ideas)] * 3
    measured = runner.store.runs.get(run).config.edition > 1  # Replies are measured since.
    assert (found.replies.unmeasured, len(found.replies.models)) == (
        (0, 2) if measured else (len(ideas), 0)
    )


@pytest.mark.parametrize("kind", stored.KINDS)
def test_what_ended_replays_without_a_call(held, kind):
    runner, server, known = held
    run = runner.store.runs.get(known[kind]["ended"])
    before, outline = len(server.calls), stored.outline(runner, run)
    runner.store.connections.write(
        "UPDATE runs SET state = 'stopped', ended = NULL WHERE id = ?", run.id
    )
    runner.resume(run.id)
    runner.wait(run.id, 60)
    assert runner.store.runs.get(run.id).state == "done", runner.store.runs.get(run.id).reason
    assert len(server.calls) == before
    # The first idea's own similarity is computed since, for free, where a run is told again.
    now = {key: sha for key, sha in stored.outline(runner, run).items() if key not in outline}
    assert {key.rpartition("round-0/")[2] for key in now} <= {"measure"}
    assert stored.outline(runner, run) == outline | now


@pytest.mark.parametrize("kind", stored.KINDS)
def test_what_was_stopped_becomes_what_it_would_have_become(held, kind):
    """Same steps, same requests to the letter, same models and sampling, under the same names:
    nothing of a later version is mixed in.
    """
    runner, server, known = held
    wanted = stored.outline(runner, runner.store.runs.get(known[kind]["ended"]))
    for run_id in known[kind]["stopped"]:
        before, answered = len(server.calls), asked_of_models(runner, run_id)
        runner.resume(run_id)
        runner.wait(run_id, 60)
        run = runner.store.runs.get(run_id)
        assert run.state == "done", run.reason
        if kind not in OF_THEIR_OWN:
            assert stored.outline(runner, run) == wanted
        sent = server.calls[before:]
        assert {body["temperature"] for body in sent} <= temperatures(run)
        if kind != "benchmark":  # It keeps its answers in tables of its own.
            assert len(sent) == asked_of_models(runner, run_id) - answered > 0


@pytest.mark.parametrize("kind", stored.WAITING)
def test_what_waited_for_a_person_goes_on_as_it_began_once_it_has_the_answer(held, kind):
    runner, server, known = held
    run_id, before = known[kind]["waiting"], len(server.calls)
    while asked := runner.store.answers.open(run_id):
        given = (
            {"wishes": []}
            if asked[0].key.endswith("go-ahead")
            else {"direction": "Naps for shift workers.", "reasoning": "It follows."}
        )
        runner.answer(run_id, asked[0].key, given, "Ada")
        runner.wait(run_id, 60)
    assert runner.store.runs.get(run_id).state == "done", runner.store.runs.get(run_id).reason
    assert {body["temperature"] for body in server.calls[before:]} <= temperatures(
        runner.store.runs.get(run_id)
    )


def temperatures(run):
    """Return the temperatures a run may ask at: one for all in edition 1, those of its writers and
    of its readers and judges since.
    """
    return {0.7} if run.config.edition == 1 else {0.7, 0.0}


def asked_of_models(runner, run_id):
    """Return how many steps of a run, and of those it had made, a model has answered."""
    return runner.store.connections.rows(
        "SELECT count(*) AS n FROM steps WHERE kind = 'model' AND run IN (SELECT id FROM runs WHERE"
        " id = ? OR sweep = ?)",
        run_id,
        run_id,
    )[0]["n"]
