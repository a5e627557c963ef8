"""A branch, an idea, a match that fails is lost alone and listed; a cap pauses with what there is;
only where nothing is left the run fails, with a sentence.
"""

import re

from core.errors import ModelFailed, NoUsableAnswer
from core.records import Choices
from tests.support.scripted import resumed, wide_source
from tests.support.shortlist_kit import (
    name_of,
    now,
    own,
    played,
    shortlist,
    shortlist_script,
    shortlisting,
)


def failing(script, prompt, when):
    """Return the script with a prompt whose answer is unusable where `when` holds."""
    whole = script[prompt]

    def say(request):
        if when(request):
            return NoUsableAnswer(f"No usable answer to {prompt!r} (planned).")
        return whole(request)

    return script | {prompt: say}


def test_a_branch_that_fails_is_lost_alone(tmp_path):
    script = failing(
        shortlist_script(), "future", lambda r: "light" in r.values["chain"].papers[0].id
    )
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert [one.n for one in seen.ideas] == [1, 2]
    (lost,) = seen.stages[0].lost
    assert lost.startswith("Branch 2 came to no idea: ")
    assert [card.n for card in seen.cards] == [1, 2]


def test_an_idea_that_fails_is_lost_alone_and_the_others_keep_their_numbers(tmp_path):
    script = failing(
        shortlist_script(), "draft", lambda r: r.values["direction"].direction == "memory2017 B"
    )
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert [one.n for one in seen.ideas] == [1, 3, 4]
    (lost,) = seen.stages[0].lost
    assert lost.startswith("Branch 1, idea 2: ")


def test_a_refinement_that_fails_leaves_the_idea_as_it_was_before_it(tmp_path):
    def down(request):
        goal = request.values["goal"].name
        return goal == "feasibility" and name_of(request.values["idea"]) == "light2017 A"

    script = shortlist_script()
    whole = script["review"]
    script["review"] = lambda r: (
        ModelFailed("The model is gone (planned).") if down(r) else whole(r)
    )
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    three = seen.ideas[2]
    assert three.refined.failed.startswith("The refinement for feasibility failed: ")
    assert three.idea.title == "light2017 A / 2", "as the refinement for novelty left it"
    assert three.refined.runs[0] == three.made.run
    assert seen.stages[2].lost == (f"Idea 3: {three.refined.failed}",)
    assert three.stood is not None


def test_a_check_that_fails_is_listed_and_the_idea_competes_all_the_same(tmp_path):
    script = failing(
        shortlist_script(), "novelty-claims", lambda r: name_of(r.values["idea"]) == "memory2017 A"
    )
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    (lost,) = seen.stages[3].lost
    assert lost.startswith("Idea 1: The check failed: ")
    assert [one.n for one in seen.rated.order] == [3, 4, 1, 2]
    card = next(card for card in seen.cards if card.n == 1)
    assert "The check failed" in card.new.text
    assert "The chain's check found no paper" in card.new.text


def test_a_match_that_fails_is_lost_alone(tmp_path):
    def pair(request):
        names = {name_of(request.values[one]) for one in ("first", "second")}
        return names == {"light2017 A", "memory2017 B"} and name_of(
            request.values["first"]
        ).startswith("light")

    runner, _, run = played(tmp_path, failing(shortlist_script(), "arena-ideas", pair))
    assert run.state == "done", run.reason
    seen = now(runner, run)
    (failed,) = [one for one in seen.rated.meetings if one.failed]
    assert (failed.a, failed.b) == (2, 3)
    assert (failed.won_a, failed.won_b) == (0, 0), "one order alone says nothing"
    assert "1 meeting failed and is left out" in seen.rated.reason
    assert [one.n for one in seen.rated.order] == [3, 4, 1, 2]
    assert any("Ideas 2 and 3 could not be compared" in one for one in seen.stages[4].lost)


def test_where_every_match_fails_nobody_compared_and_no_order_is_made_up(tmp_path):
    script = failing(shortlist_script(), "arena-ideas", lambda _: True)
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert seen.by == "nobody"
    assert "Nobody compared the ideas" in seen.reason
    assert all(one.stood.rating is None for one in seen.ideas)
    assert all(one.rechecked.compared.by == "nobody" for one in seen.ideas)
    assert [card.n for card in seen.cards] == [1, 2, 3]


def test_a_pair_that_cannot_be_judged_stays_two_ideas(tmp_path):
    runner, _, run = played(tmp_path, failing(shortlist_script(), "same-idea", lambda _: True))
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert seen.parted.kept == (1, 2, 3, 4)
    assert len(seen.parted.failed) == 6
    assert seen.stages[1].lost == seen.parted.failed


def test_a_checklist_or_a_design_that_fails_is_missing_and_said(tmp_path):
    script = failing(shortlist_script(), "experiment-design", lambda _: True)
    script = failing(script, "checklist-item", lambda r: name_of(r.values["idea"]) == "light2017 B")
    runner, _, run = played(tmp_path, script)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert seen.cards[0].design is None
    assert "could not be designed" in seen.cards[0].undesigned
    assert any("could not be designed" in one for one in seen.stages[5].lost)
    assert [one.checklist is None for one in seen.rated.order] == [False, True, False, False]
    assert any("checklist of idea 4" in one for one in seen.stages[4].lost)


def test_a_chain_that_fails_leaves_ideas_of_ones_own(tmp_path):
    source = wide_source()
    source.down = True
    runner, _ = shortlisting(tmp_path, source=source)
    run = shortlist(runner, own=(own("brought"),))
    runner.work(run.id)
    run = runner.store.runs.get(run.id)
    assert run.state == "done", run.reason
    seen = now(runner, run)
    assert [one.n for one in seen.ideas] == [5]
    assert seen.stages[0].lost[0].startswith("The chain of ideas failed: ")
    assert seen.rated.reason == "It is the only idea left; there was nothing to compare."


def test_where_nothing_is_left_the_run_fails_and_resuming_tries_again(tmp_path):
    source = wide_source()
    source.down = True
    runner, _ = shortlisting(tmp_path, source=source)
    run = shortlist(runner)
    assert runner.work(run.id) == "failed"
    assert "did not answer" in runner.store.runs.get(run.id).reason
    source.down = False
    assert resumed(runner, run.id) == "done", runner.store.runs.get(run.id).reason
    assert len(now(runner, run).ideas) == 4


def test_dropping_every_idea_ends_it_with_a_sentence(tmp_path):
    runner, _, run = played(tmp_path, branches=1)
    fork = runner.fork_edited(run.id, "refine/choices", Choices(dropped=(1, 2)))
    assert runner.work(fork.id) == "failed"
    assert "No idea is left after the stage 'refine'" in runner.store.runs.get(fork.id).reason


def test_a_cap_pauses_it_with_what_there_is_and_holds_for_all_its_runs_together(tmp_path):
    runner, model = shortlisting(tmp_path)
    run = shortlist(runner, cap_tokens=10_000_000)
    whole = model.script["same-idea"]

    def lower(request):
        # What is set aside for calls side by side could reach such a cap before the first idea.
        runner.store.runs.change(run.id, cap_tokens=27_000)
        return whole(request)

    model.script["same-idea"] = lower
    assert runner.work(run.id) == "capped"
    model.script["same-idea"] = whole
    reason = runner.store.runs.get(run.id).reason
    # Whoever asks next names it: a run it has made, or the shortlist itself.
    assert re.search(r"(the cap of the whole shortlist|this run's cap) of 27,000 tokens", reason)
    spent = runner.store.runs.with_runs_made(runner.store.runs.get(run.id))
    assert spent.tokens_in + spent.tokens_out <= 27_000
    seen = now(runner, run)
    assert not seen.finished
    assert seen.cards, "what there is stands as provisional"
    before = len(model.requests)
    runner.store.runs.change(run.id, cap_tokens=10_000_000)
    assert resumed(runner, run.id) == "done", runner.store.runs.get(run.id).reason
    wanted, _, other = played(tmp_path / "calm")
    assert len(model.requests) - before > 0
    whole = wanted.store.runs.with_runs_made(wanted.store.runs.get(other.id)).calls
    assert len(model.requests) == whole, "nothing is paid twice"


def test_a_judge_that_can_judge_nothing_leaves_an_order_by_the_checks_and_it_is_said(tmp_path):
    runner, model = shortlisting(tmp_path, shortlist_script(anticipated={"memory2017 A"}))
    unable = ("arena-ideas", "same-idea", "checklist-item")
    model.answers = lambda prompt: prompt not in unable
    run = shortlist(runner)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    seen = now(runner, run)
    assert not {one.prompt for one in model.requests} & set(unable)
    assert seen.by == "nobody"
    assert "People can vote instead" in seen.reason
    assert "No model could judge" in seen.parted.reason
    assert [one.n for one in seen.rated.order] == [2, 3, 4]
    assert [one.n for one in seen.ideas if one.aside] == [1]
