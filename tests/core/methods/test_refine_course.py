"""Several qualities in one game, and several ideas side by side: whose turn it is, what one's gain
costs the others, when each ends.
"""

import threading
from collections import Counter

import pytest

from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.adversarial.course import Course
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import EDITION, Idea, Outcome, Round, Verdict
from core.runs.estimates import plan
from core.runs.planning import played, refine_run
from core.story import Story
from tests.support.scripted import (
    FIRST,
    generation,
    prompts_asked,
    refine_script,
    refinement,
    runner_of,
)

Y, N = True, False
BOTH = (NOVELTY, FEASIBILITY)
TURNS = "taking turns"


def course_of(verdicts, **more):
    """Play verdicts, nothing else; return the goals' initials, the quiet counts, and how it
    ended.
    """
    course = Course(
        RefineInputs(topic="t", play=played(goals=BOTH, variant="infal", **more)), FIRST
    )
    goals, quiet, outcome = "", [], None
    for improved in verdicts:
        assert outcome is None, "the game was over"
        goals += course.goal.name[0].upper()
        quiet.append(
            course.count(
                Idea(form="hypothesis", fields={"hypothesis": f"Version {course.n}."}),
                Verdict(improved=improved, reason="Said."),
            )
        )
        outcome = course.go_on()
    return goals, quiet, outcome


@pytest.mark.parametrize(
    ("patience", "most", "verdicts", "goals", "quiet", "returns", "converged"),
    [
        (1, 10, [N, N], "NF", [1, 1], 2, True),
        (2, 10, [N, N, N, N], "NNFF", [1, 2, 1, 2], 4, True),
        (2, 3, [Y, N, N, Y, N, Y], "NNNFFF", [0, 1, 2, 0, 1, 0], 6, False),
        (2, 3, [Y, Y, Y, N, N], "NNNFF", [0, 0, 0, 1, 2], 5, True),
        (2, 3, [N, Y, N, Y, Y, N], "NNNFFF", [1, 0, 1, 0, 0, 1], 5, False),
        (2, 1, [Y, N], "NF", [0, 1], 1, False),
    ],
)
def test_one_after_the_other_each_has_its_own_limit_and_its_own_count(
    patience, most, verdicts, goals, quiet, returns, converged
):
    was, counted, outcome = course_of(verdicts, patience=patience, max_rounds=most)
    assert (was, counted, outcome.round, outcome.converged) == (goals, quiet, returns, converged)


@pytest.mark.parametrize(
    ("patience", "most", "verdicts", "goals", "quiet", "returns", "converged"),
    [
        (1, 10, [N, N], "NF", [1, 2], 2, True),
        (1, 10, [N, Y, N, N], "NFNF", [1, 0, 1, 2], 4, True),
        (2, 10, [Y, N, N, N, N], "NFNFN", [0, 1, 2, 3, 4], 5, True),
        (2, 2, [Y, N, N, N], "NFNF", [0, 1, 2, 3], 1, False),
        (1, 1, [N, Y], "NF", [1, 0], 2, False),
    ],
)
def test_taking_turns_ends_when_no_quality_gains_any_more(
    patience, most, verdicts, goals, quiet, returns, converged
):
    was, counted, outcome = course_of(verdicts, patience=patience, max_rounds=most, order=TURNS)
    assert (was, counted, outcome.round, outcome.converged) == (goals, quiet, returns, converged)


def test_two_qualities_of_one_name_are_refused():
    with pytest.raises(BadInput, match="same name"):
        played("infal", (NOVELTY, NOVELTY.model_copy(update={"name": "Novelty"})))


@pytest.mark.parametrize(
    ("order", "patience", "verdicts", "goals"),
    [
        ("one after the other", 1, [Y, N, N], ["novelty", "novelty", "feasibility"]),
        (TURNS, 1, [Y, Y, N, N], ["novelty", "feasibility", "novelty", "feasibility"]),
    ],
)
def test_a_run_plays_for_the_qualities_in_their_order_and_asks_what_became_of_the_others(
    tmp_path, order, patience, verdicts, goals
):
    runner, model = runner_of(tmp_path, refine_script(verdicts))
    run = refinement(runner, rounds=5, patience=patience, goals=BOTH, order=order)
    assert runner.work(run.id) == "done"
    rounds = Story.of(runner.store, run.id).all(Round)
    assert [one.goal for one in rounds] == goals
    other = {"novelty": "feasibility", "feasibility": "novelty"}
    assert [(one.effects[0].goal, one.effects[0].said.effect) for one in rounds] == [
        (other[goal], "worse") for goal in goals
    ]
    for prompt in ("revise", "verdict"):
        assert [
            request.values["goal"].name for request in model.requests if request.prompt == prompt
        ] == goals
    assert all(one.review.summary for one in rounds)
    reviewed = {
        request.values["idea"].text: request.values["goal"].name
        for request in model.requests
        if request.prompt == "review"
    }
    assert reviewed[FIRST.text] == "novelty"


def test_where_a_turn_ends_earlier_than_guessed_the_review_is_written_for_the_quality_that_comes(
    tmp_path,
):
    runner, model = runner_of(tmp_path, refine_script([N]))
    run = refinement(runner, rounds=5, patience=1, goals=BOTH)
    assert runner.work(run.id) == "done"
    keys = [step.key for step in runner.store.steps.of(run.id) if step.key.endswith("/review")]
    assert keys == [
        "round-0/review",
        "round-1/review",
        "round-1/feasibility/review",
        "round-2/review",
    ]
    second = Story.of(runner.store, run.id).all(Round)[1]
    asked = [
        request
        for request in model.requests
        if request.prompt == "review" and request.values["goal"].name == "feasibility"
    ]
    assert (
        second.review.model_dump(mode="json")
        == runner.store.steps.get(run.id, "round-1/feasibility/review").reply
    )
    assert asked[0].values["idea"].title == "Version 1"


def test_where_a_turn_ends_at_its_limit_no_review_is_wasted(tmp_path):
    runner, model = runner_of(tmp_path, refine_script([Y]))
    run = refinement(runner, rounds=2, patience=2, goals=BOTH)
    assert runner.work(run.id) == "done"
    assert [
        request.values["goal"].name for request in model.requests if request.prompt == "review"
    ] == ["novelty"] * 2 + ["feasibility"] * 2
    assert Counter(prompts_asked(model)) == plan("refine", run.config.inputs)[0]


def test_without_a_discriminator_nobody_says_what_became_of_the_others(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, variant="no-discriminator", rounds=2, goals=BOTH)
    assert runner.work(run.id) == "done"
    assert "side-effect" not in prompts_asked(model)
    assert [one.goal for one in Story.of(runner.store, run.id).all(Round)] == ["novelty"] * 2 + [
        "feasibility"
    ] * 2


# -- several ideas side by side ----------------------------------------------------------------


def lively(ends):
    """Return a script whose ideas keep the name of their line (`Line 1` ...), the line `k` ending
    at round ends[k]; and the seeds asked.
    """
    seeds, lock, script = [], threading.Lock(), refine_script()

    def first(request):
        with lock:
            seeds.append(request.seed)
            return {"hypothesis": f"Line {len(seeds)}"}

    def revise(request):
        said, idea = script["revise"](request), request.values["idea"]
        return said | {"problem": idea.fields.get("problem") or idea.fields["hypothesis"]}

    def verdict(request):
        newer = request.values["newer"]
        end = ends[int(newer.fields["problem"].split()[1])]
        return {"improved": int(newer.title.split()[1]) < end, "reason": "Said."}

    return script | {"first-idea": first, "revise": revise, "verdict": verdict}, seeds


def test_several_ideas_begin_apart_and_end_each_by_its_own_verdicts(tmp_path):
    ends = {1: 1, 2: 3, 3: 2}
    script, seeds = lively(ends)
    runner, model = runner_of(tmp_path, script)
    run = refinement(runner, rounds=5, patience=1, idea=None, lines=3)
    assert runner.work(run.id) == "done"
    assert len(set(seeds)) == 3, "three ideas from three seeds"
    lines = Story.of(runner.store, run.id).lines
    assert [line.n for line in lines] == [1, 2, 3]
    assert sorted(line.first.text for line in lines) == ["Line 1", "Line 2", "Line 3"]
    for line in lines:
        k = int(line.first.text.split()[1])
        assert (line.outcome.round, line.outcome.branch, line.newest) == (ends[k], line.n, ends[k])
        assert all(one.revision.idea.fields["problem"] == f"Line {k}" for one in line.rounds), (
            "no line hears of another"
        )
    keys = [step.key for step in runner.store.steps.of(run.id)]
    assert {key.split("/")[0] for key in keys} == {"background", "idea-1", "idea-2", "idea-3"}
    assert prompts_asked(model).count("first-idea") == 3


def test_the_ideas_are_refined_at_the_same_time(tmp_path):
    together, script = threading.Barrier(3, timeout=10), refine_script()
    runner, _ = runner_of(
        tmp_path, script | {"revise": lambda r: (together.wait(), script["revise"](r))[1]}
    )
    run = refinement(runner, rounds=2, lines=3)
    assert runner.work(run.id) == "done"


def test_a_wish_is_for_the_idea_it_names(tmp_path):
    from core.store.answers import wished

    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, lines=2)
    runner.store.answers.wish(run.id, wished("More naps.", "Ada", 2))
    assert runner.work(run.id) == "done"
    lines = Story.of(runner.store, run.id).lines
    assert [[len(one.wishes) for one in line.rounds] for line in lines] == [[0, 0], [1, 0]]


def test_one_of_several_ideas_goes_on_in_another_run_when_it_is_chosen(tmp_path):
    runner, _ = runner_of(tmp_path, lively({1: 1, 2: 2, 3: 1})[0])
    run = refinement(runner, rounds=3, patience=1, idea=None, lines=3)
    assert runner.work(run.id) == "done"
    play = played("infal", BOTH)
    with pytest.raises(BadInput, match="Choose which one goes on: 1, 2, 3"):
        refine_run(runner.store, run.id, play)
    chosen = refine_run(runner.store, run.id, play, line=2)
    assert chosen.idea == Story.of(runner.store, run.id).lines[1].all(Outcome)[0].idea
    with pytest.raises(BadInput, match="no idea 4"):
        refine_run(runner.store, run.id, play, line=4)


@pytest.mark.parametrize(("edition", "stood"), [(EDITION, "Line 1"), (4, "Version 1")])
def test_in_the_rankings_of_later_rounds_an_idea_that_broke_off_stands_as_it_ended(
    tmp_path, edition, stood
):
    """Line 1's first revision is not found better and its second cannot be used: it ends as it
    began, while line 2 goes on.
    """
    script, _ = lively({1: 0, 2: 9})
    revise = script["revise"]

    def unusable(request):
        idea = request.values["idea"]
        again = idea.fields.get("problem") == "Line 1"
        return {"nonsense": 1} if again else revise(request)

    runner, model = runner_of(tmp_path, script | {"revise": unusable})
    asked = {"rounds": 3, "idea": None, "lines": 2, "target": FIRST, "same_form": False}
    config = refinement(runner, **asked).config.model_copy(update={"edition": edition})
    run = runner.begin(config, "A refinement")
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    lines = Story.of(runner.store, run.id).lines
    line = next(one for one in lines if one.first.text == "Line 1")
    assert (line.newest, line.outcome.idea) == (1, line.first)
    ranked = [
        [one.idea for one in request.values["candidates"] if one.idea != FIRST]
        for request in model.requests
        if request.prompt == "rank"
    ]
    latest = max(ranked, key=lambda ideas: max(map(generation, ideas)))
    (of_the_first,) = [one for one in latest if "Line 1" in one.text]
    assert stood in of_the_first.text
