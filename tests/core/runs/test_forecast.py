"""What a fork will cost is said before it is made, from what the same steps cost last time."""

import pytest

from core.errors import BadInput
from core.methods.chain_of_ideas.editing import drop, insert, read_again, start_of
from core.methods.presets import NOVELTY
from core.records import FORMS, Call, Direction, Idea, Run, Wish
from core.runs.branching import branch
from core.runs.forecast import of_edit, of_fork
from core.runs.planning import played
from core.store import Store
from core.story import Story
from tests.conftest import make_run
from tests.support.scripted import (
    chain,
    chain_script,
    refine_script,
    refinement,
    runner_of,
    small_source,
    wide_script,
    wide_source,
)


@pytest.fixture
def done(tmp_path):
    """A finished chain of one branch, its runner and what it came to."""
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner, length=3, design=False)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id), Story.of(runner.store, run.id).branches[0].chain


def priced(store: Store, run: Run, cost: float | None) -> None:
    """Let every call of a run have cost so much."""
    store.connections.write(
        "UPDATE steps SET cost = ? WHERE run = ? AND kind = 'model'", cost, run.id
    )


def test_a_plain_fork_counts_the_step_it_begins_with_and_all_that_may_follow_from_it(done):
    runner, run, _ = done
    plan = of_fork(runner.store, run, "branch-1/idea-1/idea")
    assert plan.redone == (
        "branch-1/idea-1/idea",
        "branch-1/idea-1/novelty/novelty-queries",
        "branch-1/idea-1/novelty/novelty-verdict",
    )
    assert plan.calls == 3
    assert plan.tokens == 3 * 150, "the scripted model reports 100 in and 50 out"


def test_answers_that_were_asked_for_again_count_as_often_as_they_were(tmp_path):
    script = chain_script()
    said = {
        prompt: lambda request, says=says: (
            "Nothing." if len(request.corrections) < 3 else says(request)
        )
        for prompt, says in script.items()
    }
    runner, _ = runner_of(tmp_path, said)
    run = chain(runner, length=3, design=False)
    assert runner.work(run.id) == "done"
    plan = of_fork(runner.store, runner.store.runs.get(run.id), "branch-1/idea-1/idea")
    assert (len(plan.redone), plan.calls, plan.tokens) == (3, 12, 12 * 150)


def test_steps_that_come_over_and_steps_that_may_not_make_up_the_whole_run(done):
    runner, run, found = done
    plan = of_edit(runner.store, run, "branch-1/chain", drop(found, found.papers[0].id))
    keys = [step.key for step in runner.store.steps.outline(run.id)]
    behind = keys[keys.index("branch-1/chain") :]
    assert plan.kept == len(keys) - len(behind) + 1, (
        "the edited step itself is answered by the person, and is not asked again"
    )
    assert not set(plan.redone) & set(keys[: keys.index("branch-1/chain")])


def test_papers_to_read_are_counted_with_what_a_reading_took_last_time(done):
    runner, run, found = done
    source = small_source()
    without = of_edit(runner.store, run, "branch-1/chain", found)
    once = read_again(insert(found, source.known["p2021"], "mine"), found.papers[0].id)
    plan = of_edit(runner.store, run, "branch-1/chain", once)
    assert (plan.new, plan.calls) == (2, without.calls + 2)
    assert plan.tokens == without.tokens + 2 * 150


def test_the_direction_a_person_writes_is_not_asked_for(done):
    runner, run, _ = done
    plan = of_edit(
        runner.store, run, "branch-1/idea-1/future", Direction(direction="a", reasoning="b")
    )
    assert [key.split("/")[-1] for key in plan.redone] == [
        "draft",
        "idea",
        "novelty-queries",
        "novelty-verdict",
    ]


def test_growing_anew_spares_the_hops_that_are_kept(done):
    runner, run, found = done
    whole = of_edit(runner.store, run, "branch-1/start", start_of(found))
    pinned = found.model_copy(
        update={"links": (*found.links[:-1], found.links[-1].model_copy(update={"pinned": True}))}
    )
    part = of_edit(runner.store, run, "branch-1/start", start_of(pinned))
    assert [key for key in whole.redone if key not in part.redone] == [
        "branch-1/forward-1/candidate-1/relevance",
        "branch-1/forward-1/candidate-1/extract",
    ]


def test_a_cost_is_said_where_all_of_it_is_known_and_left_open_where_a_part_is_not(done):
    runner, run, found = done
    priced(runner.store, run, 0.25)
    plan = of_edit(runner.store, run, "branch-1/chain", found)
    assert plan.cost == plan.calls * 0.25
    runner.store.connections.write(
        "UPDATE steps SET cost = NULL WHERE run = ? AND key = 'branch-1/idea-1/draft'", run.id
    )
    assert of_edit(runner.store, run, "branch-1/chain", found).cost is None
    assert of_edit(runner.store, run, "branch-1/start", start_of(found)).cost is None


def test_a_step_the_run_never_asked_is_refused_in_a_sentence(done):
    runner, run, _ = done
    with pytest.raises(BadInput, match="no step 'branch-9/chain'"):
        of_fork(runner.store, run, "branch-9/chain")


def test_the_built_in_model_is_free(store):
    run = make_run(store, models={"main": "builtin", "cheap": "builtin"})
    assert not Call(model="builtin", latency=0.1, outcome="accepted").cost
    assert of_run_without_steps(store, run) == 0.0


def of_run_without_steps(store: Store, run: Run) -> float | None:
    """Forecast a fork of a run of one step that cost nothing anybody knows."""
    store.runs.claim(run.id, "me|1|1", 0)
    store.connections.write(
        "INSERT INTO steps (run, key, place, kind, hash, request, status, reply, origin, latency,"
        " tries, asked, ended, epoch) VALUES (?, 'only', '0001', 'model', '', '{}', 'done', '{}',"
        " '{\"name\": \"builtin\"}', 0, 1, '', '', 1)",
        run.id,
    )
    return of_fork(store, run, "only").cost


def test_what_a_fork_took_over_is_priced_as_where_it_was_paid(done):
    runner, run, found = done
    for _ in range(2):
        fork = runner.fork_edited(
            run.id,
            "branch-1/idea-1/future",
            Direction(direction="Elsewhere.", reasoning="Why not."),
        )
        assert runner.work(fork.id) == "done"
        run = runner.store.runs.get(fork.id)
    plan = of_edit(runner.store, run, "branch-1/chain", found)
    assert (plan.calls, plan.tokens) == (7, 7 * 150), (
        "the direction was a person's, and another chain asks a model for one again"
    )


def test_another_branch_and_its_comparisons_are_not_counted(tmp_path):
    runner, _ = runner_of(tmp_path, wide_script(), wide_source())
    run = chain(runner, topic="sleep 2018", branches=3, length=1)
    assert runner.work(run.id) == "done"
    found = Story.of(runner.store, run.id).branches[0].chain
    plan = of_edit(runner.store, run, "branch-1/chain", found)
    touched = {key.split("/")[1] for key in plan.redone if key.startswith("selection/")}
    assert touched == {"1-2", "2-1", "1-3", "3-1"}
    assert not any(key.startswith(("branch-2", "branch-3")) for key in plan.redone)


def test_of_several_ideas_only_the_one_that_is_changed_and_the_rankings_are_counted(tmp_path):
    target = Idea(form="six-field", fields={name: f"target {name}" for name in FORMS["six-field"]})
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=3, k=0, lines=3, idea=None, target=target)
    assert runner.work(run.id) == "done"
    model.requests.clear()
    plan = of_fork(runner.store, run, "idea-2/round-2/revise")
    made = branch(
        runner,
        run.id,
        1,
        played("infal", (NOVELTY,), 2, 2),
        line=2,
        wishes=[Wish(text="Shorter.", by="Ada")],
    )
    assert runner.work(made.id) == "done"
    paid = [
        step.key
        for step in runner.store.steps.outline(made.id)
        if step.kind == "model" and step.taken_from is None
    ]
    assert set(paid) <= set(plan.redone)
    assert set(plan.redone) - set(paid) == {"ranking/round-0/idea-2/six-fields"}, (
        "asked of the first idea, which is the same"
    )
    assert len(model.requests) == plan.calls - 1


def test_what_all_ideas_began_with_or_are_ranked_by_is_counted_with_all_of_them(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=1, k=2, lines=2, idea=None)
    assert runner.work(run.id) == "done"
    assert {
        key.split("/")[0] for key in of_fork(runner.store, run, "background/search").redone
    } == {"idea-1", "idea-2"}
