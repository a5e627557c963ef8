"""A fork pays only for what changed and what depends on it; everything else is the parent's, for
free.
"""

import pytest

from core import prompts
from core.errors import BadInput, ModelFailed
from core.records import Outcome, Round
from core.runs.catalogue import ACTORS
from core.store import Store
from core.store.answers import wished
from core.story import Story
from tests.support.scripted import (
    chain,
    chain_script,
    prompts_asked,
    refine_script,
    refinement,
    runner_of,
)


@pytest.fixture
def done(tmp_path):
    """A finished refinement of three rounds, its runner and the model."""
    runner, model = runner_of(tmp_path, refine_script([True, True, True]))
    run = refinement(runner, rounds=3)
    assert runner.work(run.id) == "done"
    model.requests.clear()
    return runner, model, run


def prompt(runner, name: str, extra: str) -> dict[str, str]:
    """Freeze a prompt with a line more and return the configuration's entry for it."""
    return runner.workshop.freeze({name: prompts.text(name) + f"\n{extra}\n"})


def changed(runner, run, at: str, **updates: object):
    """Fork with these parts of the configuration changed, work on it, and return the fork."""
    texts = updates.pop("prompts", {})
    forked = runner.fork(
        run.id, at, lambda c: c.model_copy(update={"prompts": {**c.prompts, **texts}, **updates})
    )
    assert runner.work(forked.id) == "done", runner.store.runs.get(forked.id).reason
    return forked


def steps(store: Store, run_id: str) -> dict:
    return {step.key: step for step in store.steps.of(run_id)}


def test_a_fork_that_changes_nothing_pays_for_its_first_step_only(done):
    runner, model, run = done
    forked = changed(runner, run, "round-2/revise")
    assert prompts_asked(model) == ["revise"]
    assert set(steps(runner.store, forked.id)) == set(steps(runner.store, run.id))
    assert runner.store.runs.get(forked.id).calls == 1


def test_a_fork_with_a_changed_prompt_pays_for_that_step_and_what_depends_on_it(done):
    runner, model, run = done
    changed(runner, run, "round-3/verdict", prompts=prompt(runner, "verdict", "Be strict."))
    assert prompts_asked(model) == ["verdict"]


def test_a_changed_prompt_of_a_dead_end_changes_nothing_else(done):
    runner, model, run = done
    changed(runner, run, "round-1/verdict", prompts=prompt(runner, "verdict", "Be strict."))
    assert prompts_asked(model) == ["verdict"] * 3, (
        "the revisions and reviews depend on no verdict that stayed the same"
    )


def test_a_changed_step_early_on_is_paid_with_all_that_follows_from_it(done):
    runner, model, run = done
    forked = changed(runner, run, "round-2/revise", prompts=prompt(runner, "revise", "Be bold."))
    assert prompts_asked(model) == ["review", "revise", "revise", "verdict", "verdict"]
    held = steps(runner.store, forked.id)
    assert held["round-1/revise"].taken_from == run.id
    assert held["round-2/revise"].taken_from is None


def test_steps_before_the_fork_come_under_the_parents_settings(done):
    runner, model, run = done
    forked = changed(runner, run, "round-2/verdict", prompts=prompt(runner, "review", "Be kind."))
    old, new = steps(runner.store, run.id), steps(runner.store, forked.id)
    assert new["round-0/review"].request == old["round-0/review"].request
    assert "Be kind." in new["round-2/review"].request["text"]
    assert "verdict" in prompts_asked(model)


def test_another_model_is_asked_from_the_fork_on(done):
    runner, model, run = done
    other = type(model)(refine_script([True]), "scripted:two")
    runner.workshop.named["scripted:two"] = other
    forked = changed(runner, run, "round-3/revise", models=dict.fromkeys(ACTORS, "scripted:two"))
    assert model.requests == []
    assert prompts_asked(other) == ["revise", "verdict"]
    assert [
        step.origin.name
        for step in runner.store.steps.of(forked.id)
        if step.key.endswith("/revise")
    ] == ["scripted:one"] * 2 + ["scripted:two"]


def test_a_fork_of_a_fork_takes_from_both(done):
    runner, model, run = done
    first = changed(runner, run, "round-2/revise", prompts=prompt(runner, "revise", "Be bold."))
    model.requests.clear()
    second = changed(runner, first, "round-3/revise")
    held = steps(runner.store, second.id)
    assert prompts_asked(model) == ["revise"]
    assert held["round-1/revise"].taken_from == run.id, "the origin of a step is where it was paid"
    assert held["round-2/revise"].taken_from == first.id
    assert held["round-2/revise"].reply == steps(runner.store, first.id)["round-2/revise"].reply


def test_an_edit_stands_in_for_the_reply_and_only_what_depends_on_it_is_paid(done):
    runner, model, run = done
    edit = {
        "summary": "A person's review.",
        "remarks": [{"id": "r1", "text": "Say why.", "trait": ""}],
    }
    forked = changed(runner, run, "round-2/review", edits={"round-2/review": edit})
    assert prompts_asked(model) == ["revise", "verdict"]
    held = steps(runner.store, forked.id)["round-2/review"]
    assert (held.reply, held.origin.kind, held.origin.name) == (edit, "person", "edit")
    assert Story.of(runner.store, forked.id).all(Round)[2].review.summary == "A person's review."


def test_an_edit_lives_on_in_a_fork_of_its_fork(done):
    runner, model, run = done
    edit = {
        "summary": "A person's review.",
        "remarks": [{"id": "r1", "text": "Say why.", "trait": ""}],
    }
    first = changed(runner, run, "round-2/review", edits={"round-2/review": edit})
    model.requests.clear()
    second = changed(runner, first, "round-3/verdict")
    assert steps(runner.store, second.id)["round-2/review"].reply == edit
    assert prompts_asked(model) == ["verdict"]


def test_an_edit_that_does_not_fit_is_refused_in_a_sentence(done):
    runner, _, run = done
    forked = runner.fork(
        run.id,
        "round-2/review",
        lambda c: c.model_copy(update={"edits": {"round-2/review": {"summary": ""}}}),
    )
    assert runner.work(forked.id) == "failed"
    assert "'round-2/review' does not fit" in runner.store.runs.get(forked.id).reason


def test_a_fork_at_an_unknown_step_is_refused(done):
    runner, _, run = done
    with pytest.raises(BadInput, match="has no step 'round-9/revise'"):
        runner.fork(run.id, "round-9/revise", lambda c: c)


def test_the_parent_stays_as_it_was(done):
    runner, _, run = done
    before = (
        runner.store.runs.get(run.id),
        runner.store.steps.of(run.id),
        runner.store.steps.products(run.id),
    )
    changed(runner, run, "round-1/revise", prompts=prompt(runner, "revise", "Be bold."))
    assert (
        runner.store.runs.get(run.id),
        runner.store.steps.of(run.id),
        runner.store.steps.products(run.id),
    ) == before


def test_a_forks_own_wishes_are_heard_in_rounds_its_parent_had_too(done):
    runner, _, run = done
    forked = runner.fork(run.id, "round-2/revise", lambda c: c)
    runner.store.answers.wish(forked.id, wished("more on naps", "Ada"))
    assert runner.work(forked.id) == "done"
    rounds = Story.of(runner.store, forked.id).all(Round)
    assert [[wish.text for wish in one.wishes] for one in rounds] == [[], [], ["more on naps"]]


def test_a_parents_wishes_go_along_into_the_fork(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2)
    runner.store.answers.wish(run.id, wished("more on naps", "Ada"))
    runner.work(run.id)
    forked = changed(runner, run, "round-0/review")
    assert [wish.text for wish in Story.of(runner.store, forked.id).all(Round)[0].wishes] == [
        "more on naps"
    ]


def test_a_recorded_failure_is_tried_again_by_forking_at_it(tmp_path):
    script = chain_script()
    runner, model = runner_of(
        tmp_path, script | {"extract": lambda _: ModelFailed("The reader is away.")}
    )
    run = chain(runner)
    assert runner.work(run.id) == "done"
    key = "branch-1/start-1/extract"
    assert runner.store.steps.get(run.id, key).status == "failed"
    model.script = script
    again = changed(runner, run, key)
    assert runner.store.steps.get(again.id, key).status == "done"


def test_a_forked_chain_keeps_its_branches_apart(tmp_path):
    runner, model = runner_of(tmp_path, chain_script())
    run = chain(runner)
    assert runner.work(run.id) == "done"
    model.requests.clear()
    forked = changed(
        runner, run, "branch-1/idea-1/draft", prompts=prompt(runner, "draft", "Be brief.")
    )
    assert prompts_asked(model) == [
        "design-refine",
        "design-review",
        "draft",
        "experiment-design",
        "idea",
        "novelty-queries",
        "novelty-verdict",
    ]
    assert Story.of(runner.store, forked.id).last(Outcome) is not None


def test_the_order_of_asking_in_a_fork_is_its_own(done):
    runner, _, run = done
    forked = changed(runner, run, "round-2/revise", prompts=prompt(runner, "revise", "Be bold."))
    assert [step.key for step in runner.store.steps.of(forked.id)] == [
        step.key for step in runner.store.steps.of(run.id)
    ]


def test_resuming_a_fork_pays_nothing_twice(done):
    runner, model, run = done
    forked = runner.fork(
        run.id,
        "round-2/revise",
        lambda c: c.model_copy(
            update={"prompts": {**c.prompts, **prompt(runner, "revise", "Be bold.")}}
        ),
    )
    model.script["verdict"] = lambda _: AssertionError("down")
    assert runner.work(forked.id) == "failed"
    model.script = refine_script([True])
    model.requests.clear()
    runner.store.runs.enqueue(forked.id, "me|1|1")
    assert runner.work(forked.id) == "done"
    assert "round-2/revise" not in [request.prompt for request in model.requests]
    assert prompts_asked(model).count("revise") == 1


@pytest.fixture
def parked(tmp_path):
    """A refinement that failed in its second round, ready to go on."""
    runner, model = runner_of(tmp_path, refine_script([True]))
    calm = model.script["verdict"]
    model.script["verdict"] = lambda r: (
        ModelFailed("away") if r.values["newer"].title == "Version 2" else calm(r)
    )
    run = refinement(runner, rounds=3)
    assert runner.work(run.id) == "failed"
    model.script["verdict"] = calm
    model.requests.clear()
    return runner, model, run


def test_a_program_that_changed_reuses_nothing_silently_and_a_fork_goes_on(parked, monkeypatch):
    runner, model, run = parked
    monkeypatch.setattr(
        "core.prompts.worded", lambda value: f"{prompts.wording.worded(value)} (worded anew)"
    )
    runner.store.runs.enqueue(run.id, "me|1|1")
    assert runner.work(run.id) == "failed"
    assert (
        "Fork the run at 'round-0/review' to go on from there"
        in runner.store.runs.get(run.id).reason
    )
    assert model.requests == []
    assert changed(runner, run, "round-0/review").state == "queued"


def test_a_fork_keeps_what_was_paid_under_the_old_wording(parked, monkeypatch):
    runner, model, run = parked
    monkeypatch.setattr(
        "core.prompts.worded", lambda value: f"{prompts.wording.worded(value)} (worded anew)"
    )
    changed(runner, run, "round-2/revise")
    assert prompts_asked(model) == ["review", "revise", "revise", "verdict", "verdict"]


def test_records_a_program_makes_otherwise_now_name_a_step_to_fork_at(parked, monkeypatch):
    runner, _, run = parked
    runner.store.connections.write(
        "UPDATE products SET data = replace(data, 'Version 1', 'Version one')"
    )
    runner.store.runs.enqueue(run.id, "me|1|1")
    assert runner.work(run.id) == "failed"
    assert "Fork the run at 'round-1/measure'" in runner.store.runs.get(run.id).reason
    changed(runner, run, "round-1/measure")


def test_a_parent_stays_while_a_fork_still_takes_steps_from_it(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=1)
    assert runner.work(run.id) == "done"
    fork = runner.fork(run.id, "round-1/revise", lambda config: config)
    with pytest.raises(BadInput, match="not finished"):
        runner.store.runs.delete(run.id)
    assert runner.work(fork.id) == "done"
    runner.store.runs.delete(run.id)
    assert runner.store.steps.count(fork.id) == 8


def test_a_fork_of_a_run_that_is_deleted_meanwhile_is_not_begun(done, monkeypatch):
    runner, model, run = done

    def then_deleted(config):
        runner.delete(run.id)
        return config

    with pytest.raises(BadInput, match=f"no run '{run.id}'"):
        runner.fork(run.id, "round-2/revise", then_deleted)
    assert runner.store.runs.listed() == []
    assert model.requests == []
