"""Ranking sets of ideas as a run: Q by judge, set and quality, the published extremes, one common
form for all judges, and failures that are tried again.
"""

from collections import Counter

import pytest

from core.cases.slides import slides
from core.errors import BadInput, ModelFailed
from core.export.markdown import markdown
from core.export.ranked import tables
from core.judging.ranked_sets import IdeaSet, RankInputs, place
from core.judging.ranking import TARGET, standing
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea, Ranked, Standing
from core.runs.estimates import estimate
from core.runs.planning import validated
from core.story import Story
from tests.support.scripted import refine_script
from tests.support.sweep_kit import MODELS, asked_for, runner_of

JUDGES = {"judge": MODELS[2], "judge-2": MODELS[3]}


def idea(name: str) -> Idea:
    return Idea(form="six-field", fields={field: f"{name} {field}" for field in FORMS["six-field"]})


def paragraph(text: str) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": text})


def prefers(*best: str):
    """Return a judge that puts ideas in this order, by the word their title begins with."""

    def rank(request):
        places = sorted(
            request.values["candidates"],
            key=lambda one: best.index(one.idea.fields["title"].split()[0]),
        )
        return {"places": [{"label": one.label, "reason": "Said."} for one in places]}

    return rank


def ranked(folder, script, judges=JUDGES, state="done", **given):
    runner, models = runner_of(folder, script)
    whole = {
        "topic": "Three ideas",
        "goals": (NOVELTY,),
        "repeats": 4,
        "sets": (
            IdeaSet(name="final", ideas={name: idea(name) for name in "abc"}, target=idea("Paper")),
        ),
    } | given
    run = runner.begin(
        runner.workshop.config("rank", validated(RankInputs, **whole), models=judges, seed=7),
        "Three ideas",
    )
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return (
        runner,
        models,
        run,
        {
            name: one
            for name, one in Story.of(runner.store, run.id).parts
            if isinstance(one, Standing)
        },
    )


@pytest.mark.parametrize(
    ("best_first", "q"),
    [
        (("Paper", "a", "b", "c"), 0.0),
        (("a", "Paper", "b", "c"), 1 / 3),
        (("a", "b", "Paper", "c"), 2 / 3),
        (("a", "b", "c", "Paper"), 1.0),
    ],
)
def test_a_target_that_is_best_gives_0_and_one_that_is_worst_gives_1_whatever_the_shuffle(
    tmp_path, best_first, q
):
    _, _, _, stands = ranked(tmp_path, {"rank": prefers(*best_first)})
    assert [one.q for one in stands.values()] == [pytest.approx(q)] * 2
    assert all(len({ranking.shown for ranking in one.rankings}) == 4 for one in stands.values()), (
        "in four orders"
    )
    names = [TARGET if name == "Paper" else name for name in best_first]
    assert all(
        list(ranking.best_first) == names for one in stands.values() for ranking in one.rankings
    )


def test_every_judge_ranks_every_set_by_every_quality_and_says_so_at_its_place(tmp_path):
    sets = tuple(
        IdeaSet(name=name, ideas={n: idea(n) for n in "ab"}, target=idea("Paper"))
        for name in ("round-0", "My own ideas")
    )
    runner, models, run, stands = ranked(
        tmp_path,
        {"rank": prefers("a", "Paper", "b")},
        sets=sets,
        goals=(NOVELTY, FEASIBILITY),
        repeats=2,
    )
    places = {
        place(role, name, goal)
        for role in JUDGES
        for name in ("round-0", "My own ideas")
        for goal in ("novelty", "feasibility")
    }
    assert set(stands) == places
    assert "judge-2/round-0/feasibility" in places
    assert {
        name: asked for name, model in models.items() if (asked := len(model.requests))
    } == dict.fromkeys(JUDGES.values(), 2 * 2 * 2)
    assert {request.role for request in models[MODELS[3]].requests} == {"judge-2"}
    assert (
        estimate("rank", run.config.inputs, run.config.models).calls
        == runner.store.runs.get(run.id).calls
        == 16
    )


def test_two_judges_see_different_shuffles_of_the_same_ideas(tmp_path):
    _, _, _, stands = ranked(tmp_path, {"rank": prefers("a", "Paper", "b", "c")})
    first, second = (stands[f"{role}/final/novelty"].rankings for role in JUDGES)
    assert [one.shown for one in first] != [one.shown for one in second]


def test_without_a_target_there_is_an_order_and_no_q(tmp_path):
    _, _, _, stands = ranked(
        tmp_path,
        {"rank": prefers("c", "a", "b")},
        sets=(IdeaSet(name="final", ideas={name: idea(name) for name in "abc"}),),
    )
    assert all(one.q is None and one.reason == "" for one in stands.values())
    assert {ranking.best_first for one in stands.values() for ranking in one.rankings} == {
        ("c", "a", "b")
    }


def test_each_text_is_brought_into_the_common_form_once_for_all_judges_sets_and_qualities(tmp_path):
    sets = tuple(
        IdeaSet(
            name=name,
            ideas={"one": paragraph("Naps help."), "two": idea("a")},
            target=paragraph("Light helps."),
        )
        for name in ("x", "y")
    )
    _, models, run, _ = ranked(tmp_path, {}, sets=sets, goals=(NOVELTY, FEASIBILITY), repeats=1)
    assert asked_for(models) == Counter({"six-fields": 2, "rank": 2 * 2 * 2})
    shown = {
        one.idea.form
        for model in models.values()
        for r in model.requests
        if r.prompt == "rank"
        for one in r.values["candidates"]
    }
    assert shown == {"six-field"}
    assert estimate("rank", run.config.inputs, run.config.models).calls == 10
    _, models, _, _ = ranked(tmp_path / "as they are", {}, sets=sets, repeats=1, same_form=False)
    assert "six-fields" not in asked_for(models)


def test_one_failed_ranking_is_said_and_the_others_count(tmp_path):
    plain = refine_script()["rank"]

    def rank(request):
        first = request.values["candidates"][0].idea.fields["title"]
        return (
            ModelFailed("away") if (request.role, first) == ("judge", "a title") else plain(request)
        )

    _, _, _, stands = ranked(tmp_path, {"rank": rank})
    assert stands["judge/final/novelty"].reason == "1 of 4 rankings failed. away"
    assert len(stands["judge/final/novelty"].rankings) == 3
    assert stands["judge-2/final/novelty"].reason == ""


def test_a_standing_without_any_ranking_fails_the_run_and_resuming_asks_only_for_it(tmp_path):
    plain = refine_script()["rank"]
    runner, models, run, stands = ranked(
        tmp_path,
        {"rank": lambda r: ModelFailed("away") if r.role == "judge-2" else plain(r)},
        state="failed",
    )
    assert set(stands) == {"judge/final/novelty"}
    assert runner.store.runs.get(run.id).reason.startswith(
        "1 of 2 standings did not come about, for every ranking failed: away"
    )
    for model in models.values():
        model.requests.clear()
        model.script["rank"] = plain
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert {name: len(model.requests) for name, model in models.items() if model.requests} == {
        MODELS[3]: 4
    }


def test_an_idea_that_cannot_be_formed_fails_its_own_set_only_and_is_tried_again(tmp_path):
    plain = refine_script()["six-fields"]
    sets = (
        IdeaSet(name="x", ideas={"one": paragraph("Naps help.")}, target=idea("Paper")),
        IdeaSet(name="y", ideas={"two": idea("a")}, target=idea("Paper")),
    )
    runner, models, run, stands = ranked(
        tmp_path, {"six-fields": lambda r: ModelFailed("away")}, sets=sets, state="failed"
    )
    assert set(stands) == {"judge/y/novelty", "judge-2/y/novelty"}
    for model in models.values():
        model.script["six-fields"] = plain
    runner.resume(run.id)
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done"
    assert len(Story.of(runner.store, run.id).all(Standing)) == 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sets": ({"name": "final", "ideas": {"a": idea("a")}},)}, "nothing to put in order"),
        (
            {"sets": ({"name": "final", "ideas": {"target": idea("a")}, "target": idea("b")},)},
            "give it another name",
        ),
        (
            {"sets": ({"name": "x", "ideas": {"a": idea("a"), "b": idea("b")}},) * 2},
            "Two of the sets have the same name",
        ),
        ({"goals": (NOVELTY, NOVELTY)}, "Two of the qualities have the same name"),
    ],
)
def test_what_cannot_be_ranked_is_refused_with_a_sentence(given, said):
    whole = {
        "topic": "t",
        "goals": (NOVELTY,),
        "sets": ({"name": "final", "ideas": {"a": idea("a"), "b": idea("b")}},),
    } | given
    with pytest.raises(BadInput, match=said):
        validated(RankInputs, **whole)


def test_a_standing_over_no_ranking_with_a_target_has_no_q():
    assert (
        standing(NOVELTY, [Ranked(shown=("a", "b"), best_first=("b", "a"), reasons=("r", "r"))]).q
        is None
    )


def test_a_branch_with_another_judge_says_who_ranked_what_it_took_over(tmp_path):
    both = tuple(
        IdeaSet(name=name, ideas={one: idea(one) for one in "abc"}, target=idea("Paper"))
        for name in ("first", "second")
    )
    judge = {"judge": MODELS[2]}
    script = {"rank": prefers("Paper", "a", "b", "c")}
    runner, _, run, _ = ranked(tmp_path, script, judge, sets=both)
    assert judged_by(runner, run) == [MODELS[2], MODELS[2]]
    branch = runner.fork(
        run.id,
        f"{place('judge', 'second', NOVELTY.name)}/repeat-1/rank",
        lambda config: config.model_copy(update={"models": {"judge": MODELS[3]}}),
    )
    assert runner.work(branch.id) == "done", runner.store.runs.get(branch.id).reason
    assert judged_by(runner, branch) == [MODELS[2], MODELS[3]]
    assert f"second, {NOVELTY.name}, judged by {MODELS[3]}" in markdown(runner.store, branch.id)
    told = [slide.does for slide in slides(runner.store, branch) if "ranked by" in slide.does]
    assert [does.rpartition(" by ")[2] for does in told] == [MODELS[2], MODELS[3]]


def judged_by(runner, run):
    found = tables(runner.store, run, Story.of(runner.store, run.id))
    return [row[2].text for one in found if one.name == "q" for row in one.rows]
