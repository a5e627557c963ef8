"""A person's word between the stages: asked for or put in by a fork, a recorded step either way;
nothing is paid that it does not change.
"""

import pytest

from core.errors import BadInput
from core.records import Choices, Edited
from core.runs.runner import Runner
from tests.conftest import ScriptedModel, Shop
from tests.support.scripted import wide_source
from tests.support.shortlist_kit import (
    by_child,
    name_of,
    now,
    own,
    played,
    shortlist,
    shortlist_script,
    shortlisting,
    titles,
)
from tests.support.waiting import until_heard


def answered(runner, run, stage, **choices):
    answer = Choices(**choices).model_dump(mode="json", exclude={"by"}) | {"by": "Ada"}
    runner.answer(run.id, f"{stage}/choices", answer, "Ada")
    runner.wait(run.id, 60)
    return runner.store.runs.get(run.id)


def test_it_waits_after_a_stage_where_that_was_asked_for(tmp_path):
    runner, _ = shortlisting(tmp_path)
    run = shortlist(runner, ask_after=("part", "refine"))
    assert runner.work(run.id) == "waiting"
    seen = now(runner, run)
    assert [one.asks for one in seen.stages] == ["", "part/choices", "", "", "", ""]
    assert [one.state for one in seen.stages] == ["done", "done", *["to come"] * 4]
    assert not seen.finished
    assert len(seen.cards) == 3
    run = answered(runner, run, "part", dropped=(1,), pinned=(2,), added=(own("brought"),))
    assert run.state == "waiting"
    seen = now(runner, run)
    part = seen.stages[1]
    assert (part.went_on, part.added) == ((2, 3, 4, 5), (5,))
    assert [(one.n, one.why, one.reason) for one in part.aside] == [
        (1, "dropped", "Dropped by Ada.")
    ]
    rewritten = own("rewritten")
    run = answered(runner, run, "refine", edited=(Edited(n=3, idea=rewritten),), put_back=(4,))
    assert run.state == "done", run.reason
    seen = now(runner, run)
    by = {one.n: one for one in seen.ideas}
    assert by[3].idea == rewritten
    assert by[3].made is None
    assert by[4].put_back
    assert by[4].idea == by[4].before
    assert by[4].made.place == "branch-2/direction-2/idea-1/idea"
    assert by[5].listed.origin == "person"
    assert [card.n for card in seen.cards if card.pinned] == [2]
    assert "check/idea-4/forms" not in by_child(runner, run), "put back: nothing to hold beside"
    step = runner.store.steps.get(run.id, "refine/choices")
    assert (step.origin.kind, step.origin.name) == ("person", "Ada")


def test_an_answer_about_an_idea_that_is_not_there_is_refused_and_the_run_still_asks(tmp_path):
    runner, _ = shortlisting(tmp_path)
    run = shortlist(runner, ask_after=("part",))
    runner.work(run.id)
    with pytest.raises(BadInput, match="there is no idea 9 to choose here"):
        runner.answer(run.id, "part/choices", {"dropped": [9]}, "Ada")
    assert runner.store.runs.get(run.id).state == "waiting"
    assert runner.store.answers.open(run.id)


def test_dropping_an_idea_after_a_finished_run_pays_nothing_again(tmp_path):
    runner, model, run = played(tmp_path, designs=0)
    paid = len(model.requests)
    fork = runner.fork_edited(run.id, "part/choices", Choices(dropped=(2,), by="Ada"))
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    assert len(model.requests) == paid, [one.prompt for one in model.requests[paid:]]
    seen = now(runner, fork)
    assert [one.n for one in seen.rated.order] == [3, 4, 1]
    assert seen.stages[1].went_on == (1, 3, 4)
    before = now(runner, run)
    assert [one.n for one in before.rated.order] == [3, 4, 1, 2], "its parent is as it was"
    assert runner.store.runs.get(run.id).state == "done"
    # The arena is a run of its own, which asked nobody.
    assert by_child(runner, fork) == {"compare/arena": 0}


def test_editing_an_idea_pays_for_that_idea_alone(tmp_path):
    runner, model, run = played(tmp_path, designs=0)
    paid = len(model.requests)
    put = Choices(edited=(Edited(n=2, idea=own("rewritten")),), by="Ada")
    fork = runner.fork_edited(run.id, "part/choices", put)
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    new = model.requests[paid:]
    assert set(by_child(runner, fork)) == {
        "refine/idea-2/novelty",
        "refine/idea-2/feasibility",
        "check/idea-2/novelty",
        "check/idea-2/forms",
        "compare/arena",
    }
    met = [one for one in new if one.prompt == "arena-ideas"]
    assert len(met) == 2 + 2 * 3, "its two forms, and its meetings with the three others"
    assert all(
        "rewritten" in {name_of(one.values["first"]), name_of(one.values["second"])} for one in met
    )
    assert by_child(runner, run)["compare/arena"] == 12, "its parent's arena is as it was"


def test_a_fork_at_the_third_stage_pays_the_third_to_the_sixth_only(tmp_path):
    script = shortlist_script()
    models = {name: ScriptedModel(script, name) for name in ("scripted:one", "scripted:two")}
    runner = Runner(Shop(tmp_path, models, wide_source()))
    run = shortlist(runner)
    assert runner.work(run.id) == "done"
    one, two = models.values()
    first = [request.prompt for request in one.requests]
    other = {**run.config.models, **dict.fromkeys(run.config.models, two.name)}
    fork = runner.fork(
        run.id,
        "refine/idea-1/novelty",
        lambda config: config.model_copy(update={"models": other}),
    )
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    assert len(one.requests) == len(first), "the other model plays from here on"
    explored = {"queries", "relevance", "extract", "trend", "future", "draft", "idea", "select"}
    asked = [request.prompt for request in two.requests]
    assert not explored & set(asked)
    assert not any(name.startswith("explore") for name in by_child(runner, fork))
    for prompt in ("review", "revise", "verdict", "novelty-reading", "checklist-item"):
        assert asked.count(prompt) == first.count(prompt), prompt
    # Forms are kept beside the texts, for everybody.
    assert asked.count("arena-ideas") == first.count("arena-ideas")
    assert titles(now(runner, fork)) == titles(now(runner, run))


def test_a_step_that_a_fork_begins_with_is_asked_anew(tmp_path):
    runner, model, run = played(tmp_path)
    paid = len(model.requests)
    fork = runner.fork(run.id, "refine/idea-1/novelty", lambda config: config)
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    assert set(by_child(runner, fork)) == {"refine/idea-1/novelty"}
    assert len(model.requests) - paid == by_child(runner, fork)["refine/idea-1/novelty"] > 0


def test_what_a_person_put_in_about_an_idea_that_is_gone_fails_with_a_sentence(tmp_path):
    runner, _, run = played(tmp_path)
    fork = runner.fork_edited(run.id, "refine/choices", Choices(pinned=(9,)))
    assert runner.work(fork.id) == "failed"
    assert "there is no idea 9 to choose" in runner.store.runs.get(fork.id).reason


def test_a_first_form_that_won_is_said_and_can_be_put_back(tmp_path):
    script = shortlist_script(worse={"light2017 A"})
    runner, _, run = played(tmp_path, script, ask_after=("check",))
    seen = now(runner, run)
    compared = {one.n: one.rechecked.compared for one in seen.ideas}
    assert "The first form won" in compared[3].alarm[0]
    assert (compared[3].first, compared[3].last) == (10, 0)
    assert compared[1].alarm == ()
    assert seen.ideas[2].idea != seen.ideas[2].before, "nothing is put back by itself"
    run = answered(runner, run, "check", put_back=(3,))
    assert run.state == "done", run.reason
    three = now(runner, run).ideas[2]
    assert three.idea == three.listed.idea
    assert three.stood.rating is not None


def test_a_fork_of_a_stopped_shortlist_leaves_unfinished_runs_with_their_own(tmp_path):
    script = shortlist_script()
    whole, stopped = script["revise"], []

    def revise(request):
        if name_of(request.values["idea"]) == "light2017 B" and not stopped:
            stopped.append(request)
            runner.stop(run.id, "after calls")
            until_heard(runner, run.id)
        return whole(request)

    runner, model = shortlisting(tmp_path, script | {"revise": revise})
    run = shortlist(runner, designs=0)
    assert runner.work(run.id) == "stopped"
    begun = {one.cell: one for one in runner.store.runs.listed(sweep=run.id, limit=500)}
    unfinished = {name for name, one in begun.items() if one.state != "done"}
    assert unfinished
    asked = len(model.requests)
    fork = runner.fork_edited(run.id, "part/choices", Choices(dropped=(1,), by="Ada"))
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    still = {one.cell: one for one in runner.store.runs.listed(sweep=run.id, limit=500)}
    assert {name: (one.id, one.state) for name, one in still.items()} == {
        name: (one.id, one.state) for name, one in begun.items()
    }, "what is not finished stays with the run that began it"
    paid = [one.prompt for one in model.requests[asked:]]
    runner.resume(run.id)
    runner.wait(run.id, 60)
    assert runner.store.runs.get(run.id).state == "done"
    explored = {"queries", "extract", "trend", "future", "draft", "idea"}
    assert not explored & set(paid)
    assert [one.n for one in now(runner, run).rated.order] == [3, 4, 1, 2]
    assert [one.n for one in now(runner, fork).rated.order] == [3, 4, 2]


def test_a_word_that_a_fork_takes_over_on_an_idea_gone_earlier_changes_nothing(tmp_path):
    runner, model, run = played(tmp_path, designs=0)
    later = runner.fork_edited(run.id, "check/choices", Choices(dropped=(2,), by="Ada"))
    assert runner.work(later.id) == "done"
    paid = len(model.requests)
    earlier = runner.fork_edited(later.id, "part/choices", Choices(dropped=(2,), by="Ada"))
    assert runner.work(earlier.id) == "done", runner.store.runs.get(earlier.id).reason
    assert len(model.requests) == paid
    assert now(runner, earlier).ideas[1].aside.stage == "part"


def test_a_pinned_idea_is_kept_whatever_is_found(tmp_path):
    script = shortlist_script(
        known={"memory2017 A", "light2017 B"},
        anticipated={"memory2017 A"},
        same=[frozenset({"memory2017 A", "memory2017 B"})],
    )
    runner, _, run = played(tmp_path, script, ask_after=("explore",), keep=2)
    run = answered(runner, run, "explore", pinned=(1,))
    assert run.state == "done", run.reason
    seen = now(runner, run)
    by = {one.n: one for one in seen.ideas}
    assert by[4].aside.why == "known"
    assert by[1].aside is None
    assert (by[1].absorbed, by[2].aside.why) == ((2,), "absorbed")
    assert by[1].rechecked.state == "anticipated"
    assert [(card.n, card.pinned) for card in seen.cards] == [(3, False), (1, True)]


def test_what_was_found_of_another_form_is_not_said_of_what_a_person_made_of_it(tmp_path):
    script = shortlist_script(anticipated={"light2017 A", "light2017 B"})
    runner, _, run = played(tmp_path, script, ask_after=("check",), designs=0)
    put = {"put_back": (3,), "edited": (Edited(n=4, idea=own("rewritten")),)}
    run = answered(runner, run, "check", **put)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert seen.rated.aside == (), "the check was of other texts"
    cards = {card.n: card for card in seen.cards}
    assert cards[3].new.text.startswith("The chain's check found no paper")
    assert cards[3].objections == ()
    assert cards[1].new.text.startswith("Nothing found that covers")
    fork = runner.fork_edited(run.id, "check/choices", Choices(dropped=(1, 2), **put))
    assert runner.work(fork.id) == "done", runner.store.runs.get(fork.id).reason
    four = next(card for card in now(runner, fork).cards if card.n == 4)
    assert four.new.text == "Whether it is new was not checked."
    assert four.gist[0].made is None
