"""Where a target stands among ideas: shuffled and relabelled for every call, Q by hand, and a judge
that fails costs the standing only.
"""

from collections import Counter

import pytest

from core.errors import ModelFailed
from core.judging.ranking import order, q_of
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea, Ranked, Round
from core.runs.estimates import plan
from core.story import Story
from tests.support.scripted import FIRST, generation, refine_script, refinement, runner_of

TARGET = Idea(
    form="six-field", fields={name: f"The target's {name}." for name in FORMS["six-field"]}
)


def play(folder, script=None, state="done", **more):
    runner, model = runner_of(folder, refine_script() | (script or {}))
    run = refinement(runner, **{"target": TARGET, **more})
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return runner, model, Story.of(runner.store, run.id), run


@pytest.mark.parametrize(
    ("best_first", "q"),
    [
        (("target", "a", "b", "c"), 0.0),
        (("a", "target", "b", "c"), 1 / 3),
        (("a", "b", "target", "c"), 2 / 3),
        (("a", "b", "c", "target"), 1.0),
        (("target", "a"), 0.0),
        (("a", "target"), 1.0),
    ],
)
def test_q_is_the_targets_rank_less_one_by_the_number_of_ideas(best_first, q):
    assert q_of(
        Ranked(shown=best_first, best_first=best_first, reasons=("r",) * len(best_first))
    ) == pytest.approx(q)


@pytest.mark.parametrize("names", [["idea", "target"], ["a", "b", "c", "target"]])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_repeats_put_every_candidate_in_every_place_equally_often(names, seed):
    orders = [
        order(names, seed, f"round-1/novelty/repeat-{k}", k) for k in range(1, len(names) + 1)
    ]
    assert Counter((name, at) for one in orders for at, name in enumerate(one)) == Counter(
        (name, at) for name in names for at in range(len(names))
    )


def test_the_order_shown_depends_on_seed_and_round():
    names = ["a", "b", "c", "target"]
    assert len({order(names, seed, "round-1/repeat-1", 1) for seed in range(20)}) > 5
    assert len({order(names, 7, f"round-{n}/repeat-1", 1) for n in range(20)}) > 5


def test_every_version_is_ranked_with_the_target_and_q_rises_as_it_is_overtaken(tmp_path):
    _, model, story, run = play(tmp_path, rounds=3, patience=2, repeats=2, k=0)
    line = story.lines[0]
    standings = [line.standings(n) for n in range(4)]
    assert [[one.goal for one in found] for found in standings] == [["novelty"]] * 4
    # The script holds the target worth version 2, and where worths are equal, what it is shown
    # first is put first.
    assert [found[0].q for found in standings] == [0.0, 0.0, 0.5, 1.0]
    assert all(
        sorted(one.shown for one in found[0].rankings) == [("idea", "target"), ("target", "idea")]
        for found in standings
    )
    assert (
        Counter(request.prompt for request in model.requests)["rank"]
        == plan("refine", run.config.inputs)[0]["rank"]
        == 4 * 2
    )


def test_the_initial_idea_is_ranked_too(tmp_path):
    _, model, story, run = play(tmp_path, variant="initial", idea=None)
    assert [(one.goal, one.q, one.round) for one in story.lines[0].standings(0)] == [
        ("novelty", 0.0, 0)
    ]
    assert (
        Counter(request.prompt for request in model.requests)["rank"]
        == plan("refine", run.config.inputs)[0]["rank"]
        == 4
    )


def test_the_judge_sees_letters_and_never_which_is_the_target(tmp_path):
    _, model, _, _ = play(tmp_path, rounds=1, repeats=3)
    for request in [one for one in model.requests if one.prompt == "rank"]:
        assert [one.label for one in request.values["candidates"]] == ["A", "B"]
        assert "target" not in (request.standing + request.text).replace("The target's", "")
        assert request.role == "judge"


def test_ideas_are_brought_into_the_same_form_unless_told_otherwise(tmp_path):
    _, model, _, _ = play(tmp_path / "same", rounds=1, target=FIRST)
    asked = [request.values["idea"] for request in model.requests if request.prompt == "six-fields"]
    assert asked == [FIRST, FIRST], (
        "the target, and the first version; a revision has six fields already"
    )
    assert {
        one.idea.form
        for r in model.requests
        if r.prompt == "rank"
        for one in r.values["candidates"]
    } == {"six-field"}
    _, model, story, _ = play(tmp_path / "as they are", rounds=1, target=FIRST, same_form=False)
    assert [request for request in model.requests if request.prompt == "six-fields"] == []
    assert story.target == FIRST


@pytest.mark.parametrize("wrong", [["A", "A"], ["A"], ["A", "C"], ["A", "B", "B"], []])
def test_an_answer_that_is_no_order_of_all_ideas_is_asked_again(tmp_path, wrong):
    plain = refine_script()["rank"]

    def rank(request):
        return (
            plain(request)
            if request.corrections
            else {"places": [{"label": label, "reason": "Said."} for label in wrong]}
        )

    runner, _, story, run = play(tmp_path, {"rank": rank}, rounds=1, repeats=1)
    assert len(story.lines[0].standings(1)) == 1
    calls = runner.store.steps.get(run.id, "round-1/standing/novelty/repeat-1/rank").calls
    assert [call.outcome for call in calls] == [
        "name each of A, B exactly once, best first",
        "accepted",
    ]


def test_a_judge_that_fails_costs_the_standing_only_and_the_reason_is_kept(tmp_path):
    runner, _, story, run = play(
        tmp_path, {"rank": lambda r: ModelFailed("The judge is away.")}, rounds=2
    )
    assert [
        (stand.q, stand.rankings, stand.reason)
        for one in story.all(Round)
        for stand in one.standings
    ] == [(None, (), "4 of 4 rankings failed. The judge is away.")] * 2
    step = runner.store.steps.get(run.id, "round-1/standing/novelty/repeat-1/rank")
    assert (step.status, step.reply["message"]) == ("failed", "The judge is away.")


def test_one_quality_that_cannot_be_ranked_leaves_the_other_standing(tmp_path):
    plain = refine_script()["rank"]
    script = {"rank": lambda r: ModelFailed("away") if r.values["goal"] == NOVELTY else plain(r)}
    _, _, story, _ = play(tmp_path, script, rounds=1, goals=(NOVELTY, FEASIBILITY))
    assert [[(one.goal, one.q is None) for one in each.standings] for each in story.all(Round)] == [
        [("novelty", True), ("feasibility", False)]
    ] * 2


def test_several_ideas_are_ranked_round_by_round_once_all_have_ended(tmp_path):
    script = refine_script()

    def verdict(request):
        ended = (
            request.values["newer"].fields["problem"] == "short"
            and generation(request.values["newer"]) == 1
        )
        return {"improved": not ended, "reason": "Said."}

    first = iter(["short", "long", "longer"])

    def revise(request):
        idea = request.values["idea"]
        return script["revise"](request) | {
            "problem": idea.fields.get("problem") or idea.fields["hypothesis"]
        }

    runner, model, story, run = play(
        tmp_path,
        {"first-idea": lambda _: {"hypothesis": next(first)}, "revise": revise, "verdict": verdict},
        rounds=3,
        patience=1,
        idea=None,
        lines=3,
        repeats=4,
    )
    rankings = story.rankings
    assert [(one.round, one.goal, len(one.rankings)) for one in rankings] == [
        (n, "novelty", 4) for n in range(4)
    ]
    assert all(
        sorted(one.shown) == ["idea 1", "idea 2", "idea 3", "target"]
        for each in rankings
        for one in each.rankings
    )
    assert [each.q for each in rankings[:2]] == [0.0, 0.0]
    assert rankings[3].q == pytest.approx(2 / 3), (
        "two of three ideas overtook the target; the one that ended stands as it ended"
    )
    shown = [
        one.idea for r in model.requests if r.prompt == "rank" for one in r.values["candidates"]
    ]
    assert max(generation(idea) for idea in shown if idea.fields["problem"] == "short") == 1
    assert all(one.standings == () for line in story.lines for one in line.rounds), (
        "several are ranked together, not one by one"
    )
    last = max(step.place for step in runner.store.steps.of(run.id) if step.key.startswith("idea-"))
    assert all(
        step.place > last
        for step in runner.store.steps.of(run.id)
        if step.key.startswith("ranking/")
    )
