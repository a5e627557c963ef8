"""What a refinement remembers and what it goes without: the fate of remarks, the plan that is
thrown away, parts that stay unusable.
"""

import pytest

from core.records import FORMS, Lost, Outcome, Round, Wish, digest
from tests.core.methods.test_refine_variants import play
from tests.support.scripted import mark, refine_script, refinement, resumed, runner_of


def remarks(request):
    """Return two remarks: one that never changes, and one of its own."""
    return {
        "summary": "Weak.",
        "remarks": [
            {"id": "r1", "text": "Name the mechanism."},
            {"id": "r2", "text": f"Say more of {mark(request)}."},
        ],
    }


@pytest.mark.parametrize("variant", ["infal", "self-reflection"])
def test_the_reviewer_sees_its_earlier_remarks_and_what_became_of_them(tmp_path, variant):
    story, model, _ = play(
        tmp_path,
        variant=variant,
        script={"review": remarks, "self-review": remarks},
        rounds=3,
        patience=3,
        wishes=[Wish(by="Ada", decline="r2", of=0)],
    )
    asked = [
        request.text
        for request in model.requests
        if request.prompt in ("review", "self-review", "reflect")
    ]
    assert "NONE" in between(asked[0], "earlier")
    told = between(asked[1], "earlier")
    assert "Round 1, answered by a revision, as its writer says: Name the mechanism." in told
    assert "Round 1, declined by a person: Say more of" in told
    assert between(asked[-1], "earlier").count("Round ") > told.count("Round ")
    if variant == "infal":
        assert [[one.id for one in each.review.remarks] for each in story.all(Round)] == [
            ["r1", "r2"],
            ["r2"],
            ["r2"],
        ], "what was answered returns not"


def test_a_remark_is_answered_by_the_idea_and_never_pasted_into_it(tmp_path):
    long = "Name the mechanism by which naps are to restore memory."
    tries = [
        f"As remarked in [r1], it is named. {long}",
        f"A mechanism. {long}",
        "Replay in slow-wave sleep.",
    ]
    script = {
        "review": lambda _: {"summary": "Weak.", "remarks": [{"id": "r1", "text": long}]},
        "revise": lambda r: {
            **dict.fromkeys(FORMS["six-field"], "x"),
            "method": tries[len(r.corrections)],
            "changes": [],
        },
    }
    story, model, _ = play(tmp_path, script=script, rounds=1)
    assert story.all(Round)[0].revision.idea.fields["method"] == tries[2]
    refused = next(
        request for request in model.requests if len(request.corrections) == 2
    ).corrections
    assert [
        "names the remark r1" in refused[0][1],
        "holds the words of the remark r1" in refused[1][1],
    ] == [True, True]


def test_the_generator_plans_before_its_first_draft_and_the_plan_is_thrown_away(tmp_path):
    first = {"plan": "SECRET PLAN", "hypothesis": "Naps restore memory."}
    _, model, _ = play(
        tmp_path / "plans", script={"first-idea": lambda _: first}, idea=None, rounds=1
    )
    request = next(one for one in model.requests if one.prompt == "first-idea")
    assert list(request.schema.model_fields) == ["plan", "hypothesis"]
    assert not any("SECRET PLAN" in one.text for one in model.requests)
    runner, model = runner_of(tmp_path / "thinks", refine_script())
    model.thinks = True
    run = refinement(runner, idea=None, rounds=1)
    assert (runner.work(run.id), run.config.thinking) == ("done", ("scripted:one",))
    request = next(one for one in model.requests if one.prompt == "first-idea")
    assert list(request.schema.model_fields) == ["hypothesis"], (
        "who thinks by itself is asked for no plan"
    )


UNUSABLE = "I would rather tell a story."


def never(prompt, when=lambda request: True):
    """Return a script in which a prompt gets no usable answer where `when` holds."""
    calm = refine_script()[prompt]
    return {prompt: lambda request: UNUSABLE if when(request) else calm(request)}


def test_a_review_that_stays_unusable_is_gone_without_and_said(tmp_path):
    story, model, _ = play(
        tmp_path,
        script=never("review", lambda r: r.values["idea"].title == "Version 1"),
        rounds=3,
        patience=3,
    )
    rounds = story.all(Round)
    assert [each.review is None for each in rounds] == [False, True, False]
    assert "NONE" in between(
        next(
            r.text
            for r in model.requests
            if r.prompt == "revise" and r.values["idea"].title == "Version 1"
        ),
        "review",
    )
    (lost,) = story.all(Lost)
    assert lost.part == "review by novelty"


def test_a_verdict_that_stays_unusable_is_no_yes_and_no_no(tmp_path):
    verdicts = {1: True, 2: None, 3: False, 4: False}
    script = {
        "verdict": lambda r: (
            UNUSABLE
            if verdicts[number(r)] is None
            else {"reason": "It is.", "improved": verdicts[number(r)]}
        )
    }
    story, _, _ = play(tmp_path, script=script, rounds=6, patience=2)
    assert [(each.verdict is None, each.quiet) for each in story.all(Round)] == [
        (False, 0),
        (True, 0),
        (False, 1),
        (False, 2),
    ]
    end = story.last(Outcome)
    assert end.converged
    story, _, _ = play(tmp_path / "limit", script=script, rounds=2, patience=2)
    assert story.last(Outcome).round == 1, "an idea nobody judged is not held to be better"


def number(request):
    return int(request.values["newer"].title.split()[1])


def test_a_revision_that_stays_unusable_ends_the_game_with_the_last_idea_found_better(tmp_path):
    story, _, _ = play(
        tmp_path, script=never("revise", lambda r: r.values["idea"].title == "Version 2"), rounds=5
    )
    end = story.last(Outcome)
    assert (end.round, end.idea.title, end.converged) == (2, "Version 2", False)
    assert (
        end.reason
        == "Ended in round 3: no revision of the generator could be used. This is the idea of"
        " round 2."
    )


def test_of_several_ideas_one_that_cannot_be_written_is_lost_alone(tmp_path):
    second = int(digest([7, "idea-2/round-0/first-idea"])[:8], 16)
    story, _, _ = play(
        tmp_path,
        script=never("first-idea", lambda r: r.seed == second),
        idea=None,
        lines=3,
        rounds=1,
    )
    assert [end.branch for end in story.all(Outcome)] == [1, 3]
    assert [lost.part for lost in story.all(Lost)] == ["idea 2"]


def test_where_no_idea_can_be_written_the_run_fails_and_resuming_asks_again(tmp_path):
    runner, model = runner_of(tmp_path, refine_script() | {"first-idea": lambda _: UNUSABLE})
    run = refinement(runner, idea=None, lines=2, rounds=1)
    assert runner.work(run.id) == "failed"
    model.script["first-idea"] = refine_script()["first-idea"]
    assert resumed(runner, run.id) == "done"


def between(text, tag):
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
