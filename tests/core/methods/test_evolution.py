"""Checklist evolution: generate, judge, revise by directives; early stop, self-correction,
declines, discards, forks.
"""

import json
from collections import Counter

import pytest

from core.errors import ModelFailed
from core.judging.evolution_tables import discards, trials
from core.methods.evolution import EvolveInputs, asks, say_ending
from core.records import (
    EDITION,
    ITEMS,
    Checklist,
    Discarded,
    Evolved,
    HeadedIdea,
    Idea,
    Judged,
    Outcome,
    Prepared,
    Wish,
)
from core.runs.estimates import of_run, plan
from core.runs.planning import validated
from core.story import Story
from tests.conftest import ScriptedModel, SmallSource
from tests.support.evolving import EVERY, P0, WELL, begun, evolve, evolving, fixed, idea_with
from tests.support.scripted import prompts_asked, resumed, small_source

NAMES = [item.name for item in ITEMS]


def steps_of(story, line=0):
    return story.lines[line].all(Evolved)


def test_two_steps_are_one_revision_by_the_directives_of_the_first(tmp_path):
    _, model, run, story = evolve(tmp_path)
    first, second = steps_of(story)
    assert (fixed(first.idea.text), fixed(second.idea.text)) == (
        {"writing"},
        {"writing", "grounding", "feasibility", "problem"},
    )
    assert (first.scores.vector, second.scores.vector) == (
        (0, 0, 0, 0, 0, 1, 0, 1, 1),
        (1, 1, 1, 0, 0, 1, 0, 1, 1),
    )
    assert first.feedback == first.scores
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )
    assert story.place(Outcome) == "outcome"
    assert [place for place, one in story.parts if isinstance(one, Evolved)] == ["step-0", "step-1"]


def test_the_outcome_says_how_it_ended_and_the_return_over_its_steps(tmp_path):
    *_, story = evolve(tmp_path)
    outcome = story.last(Outcome)
    assert (
        outcome.reason
        == "2 steps, as asked; risk, method, innovation do not hold. R = 9 (r = 3, 6)."
    )
    assert (outcome.round, outcome.converged, outcome.idea) == (1, False, steps_of(story)[1].idea)


def test_a_revision_is_told_question_review_draft_and_each_passage_with_what_to_do(tmp_path):
    _, model, *_ = evolve(tmp_path)
    request = next(one for one in model.requests if one.prompt == "evolve-revise")
    [(began, draft)] = request.turns
    for said in ("How can replay be gated?", "Smith et al., 2024, replay all."):
        assert said in began, (
            "p0 stays above the revision, which is the next turn of the conversation"
        )
    assert json.loads(draft) == {"idea": request.values["idea"].text}
    for said in ("None of it is gated.", "risk is weak.", "Do something for risk."):
        assert said in request.text
    assert [one.item for one in request.values["directives"]] == [
        "grounding",
        "feasibility",
        "problem",
        "risk",
        "method",
        "innovation",
    ]
    assert "is lacking" not in request.text, (
        "the judge's reasoning goes no further than the journal"
    )


def test_words_the_judge_invented_are_not_handed_on_as_a_passage(tmp_path):
    directive = {"span": "Words nobody wrote about quantum foam", "issue": "i", "suggestion": "s"}
    invented = {"checklist-item": lambda _: {"reason": "r", "score": 0, "directive": directive}}
    _, model, *_ = evolve(tmp_path, script=invented)
    revised = next(one for one in model.requests if one.prompt == "evolve-revise")
    assert "quantum foam" not in revised.text
    assert "Passage: none in particular" in revised.text


def test_it_ends_early_when_every_item_holds(tmp_path):
    _, model, _, story = evolve(tmp_path, script=evolving(at_once=9), steps=5)
    assert len(steps_of(story)) == 2
    outcome = story.last(Outcome)
    assert outcome.converged
    assert outcome.reason == "All 9 items hold after 1 revision. R = 8 (r = 3, 5)."
    assert prompts_asked(model).count("evolve-revise") == 1


def test_a_first_idea_that_is_right_is_not_revised(tmp_path):
    *_, story = evolve(tmp_path, script=evolving(first=EVERY), steps=5)
    assert len(steps_of(story)) == 1
    assert story.last(Outcome).reason.startswith("All 9 items hold after 0 revisions.")


def test_uninformed_the_model_is_told_nothing_and_does_not_know_when_it_is_done(tmp_path):
    _, model, run, story = evolve(tmp_path, script=evolving(first=EVERY), steps=3, informed=False)
    steps = steps_of(story)
    assert [one.feedback for one in steps] == [None] * 3
    assert [one.scores.total for one in steps] == [9] * 3
    assert all(
        set(request.values) == {"question", "review", "idea"}
        for request in model.requests
        if request.prompt == "evolve-alone"
    )
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )
    assert "without directives" in story.last(Outcome).reason
    assert not story.last(Outcome).converged


def test_another_judge_scores_and_its_directives_go_nowhere(tmp_path):
    def harsh(request):
        return {
            "reason": "r",
            "score": 0,
            "directive": {"span": "", "issue": "Harsh.", "suggestion": "Harsher."},
        }

    runner, model, run = begun(
        tmp_path, apart=True, models={"main": "scripted:one", "scorer": "scripted:two"}
    )
    runner.workshop.named["scripted:two"].script["checklist-item"] = harsh
    assert runner.work(run.id) == "done"
    first = steps_of(Story.of(runner.store, run.id))[0]
    assert (first.feedback.total, first.scores.total) == (3, 2)
    assert {one.by for one in first.feedback.items} - {"code"} == {"scripted:one"}
    assert {one.by for one in first.scores.items} - {"code"} == {"scripted:two"}
    assert "Harsh" not in next(one for one in model.requests if one.prompt == "evolve-revise").text
    asked = plan("evolve", run.config.inputs)[0]
    assert (
        asked["checklist-item"]
        == asked["checklist-score"]
        == len(runner.workshop.named["scripted:two"].requests)
        == 14
    )


@pytest.mark.parametrize("edition", [EDITION, 3])
def test_where_all_items_hold_for_one_judge_alone_the_ending_says_for_which(edition):
    def checklist(total: int, by: str) -> Checklist:
        scores = (1,) * total + (0,) * (len(ITEMS) - total)
        pairs = zip(ITEMS, scores, strict=True)
        return Checklist(items=tuple(Judged(item=one.name, score=n, by=by) for one, n in pairs))

    idea = Idea(form="hypothesis", fields={"hypothesis": "Naps help."})
    step = Evolved(n=0, idea=idea, feedback=checklist(9, "kind"), scores=checklist(2, "strict"))
    said = say_ending(validated(EvolveInputs, topic="sleep", apart=True), [step], False, edition)
    whose = "as the judge that gives directives sees it; the one that scores finds 2 of 9."
    assert (whose in said) == (edition == EDITION)
    assert said.startswith("All 9 items hold after 0 revisions")


def test_uninformed_with_a_scorer_apart_the_judge_is_not_asked(tmp_path):
    runner, model, run = begun(
        tmp_path,
        apart=True,
        informed=False,
        models={"main": "scripted:one", "scorer": "scripted:two"},
    )
    assert runner.work(run.id) == "done"
    assert "checklist-item" not in prompts_asked(model)
    assert (
        len(runner.workshop.named["scripted:two"].requests)
        == plan("evolve", run.config.inputs)[0]["checklist-score"]
        == 14
    )


def test_the_run_waits_for_a_person_and_declined_directives_are_not_handed_on(tmp_path):
    runner, _, run, _ = evolve(tmp_path, state="waiting", step_in=True)
    (question,) = runner.store.answers.open(run.id)
    assert question.key == "step-1/declines"
    assert [one["item"] for one in question.question["shown"]["directives"]] == [
        "grounding",
        "feasibility",
        "problem",
        "risk",
        "method",
        "innovation",
    ]
    runner.answer(run.id, question.key, {"items": ["grounding", "problem", "writing"]}, "Ada")
    runner.wait(run.id, 20)
    second = steps_of(Story.of(runner.store, run.id))[1]
    assert second.declined == ("grounding", "problem"), "writing held: there was nothing to decline"
    assert fixed(second.idea.text) == {"writing", "feasibility", "risk", "method"}


def test_a_directive_declined_during_the_run_is_not_handed_on_and_one_of_another_step_is_late(
    tmp_path,
):
    runner, _, run = begun(tmp_path)
    for item, of in (("grounding", 0), ("problem", 1)):
        runner.store.answers.wish(run.id, Wish(by="Ada", decline=item, of=of))
    assert runner.work(run.id) == "done"
    second = steps_of(Story.of(runner.store, run.id))[1]
    assert second.declined == ("grounding",)
    assert "problem" in fixed(second.idea.text)


def test_with_every_directive_declined_only_small_edits_are_asked_for(tmp_path):
    runner, model, run = begun(tmp_path)
    for item in NAMES:
        runner.store.answers.wish(run.id, Wish(by="Ada", decline=item, of=0))
    assert runner.work(run.id) == "done"
    assert (
        "<directives>\nNONE\n</directives>"
        in next(one for one in model.requests if one.prompt == "evolve-revise").text
    )


def test_several_ideas_are_evolved_side_by_side(tmp_path):
    _, model, run, story = evolve(tmp_path, lines=3)
    assert [(line.n, len(line.all(Evolved)), line.outcome.branch) for line in story.lines] == [
        (1, 2, 1),
        (2, 2, 2),
        (3, 2, 3),
    ]
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )


def test_an_idea_that_cannot_be_read_is_discarded_and_the_others_go_on(tmp_path):
    # The seed of a request is made from its place, so that which of the three is lost is the same
    # every time.
    runner, _, run, story = evolve(
        tmp_path,
        lines=3,
        script={"evolve-idea": lambda r: {"idea": "Too short." if r.seed % 3 == 0 else WELL}},
    )
    lost = [line for line in story.lines if line.last(Discarded)]
    kept = [line for line in story.lines if line.outcome]
    assert len(lost) + len(kept) == 3
    assert lost
    assert kept
    assert "gave no usable answer to 'evolve-idea'" in lost[0].last(Discarded).reason
    found = discards(trials(run.config, run.id, story.parts))
    assert found.rows[0][4].mean == len(lost) / (len(lost) + 2 * len(kept))
    assert runner.store.steps.get(run.id, f"idea-{lost[0].n}/step-0/evolve-idea").status == "failed"


@pytest.mark.parametrize("lines", [1, 2])
def test_where_no_idea_can_be_read_the_run_has_failed_and_resuming_asks_again(tmp_path, lines):
    runner, model, run, story = evolve(
        tmp_path, "failed", script={"evolve-idea": lambda _: "A story."}, lines=lines
    )
    assert not story.all(Discarded)
    model.script["evolve-idea"] = evolving()["evolve-idea"]
    assert resumed(runner, run.id) == "done"
    assert len(Story.of(runner.store, run.id).all(Outcome)) == lines


def test_the_first_draft_is_planned_unless_the_model_thinks_by_itself(tmp_path):
    _, model, *_ = evolve(
        tmp_path / "plans",
        script={"evolve-idea": lambda _: {"plan": "SECRET PLAN", "idea": idea_with({"writing"})}},
    )
    first = next(one for one in model.requests if one.prompt == "evolve-idea")
    assert list(first.schema.model_fields) == ["plan", "idea"]
    assert not any("SECRET PLAN" in f"{one.text} {one.turns}" for one in model.requests)
    runner, model, _ = begun(tmp_path / "thinks")
    model.thinks = True
    run = runner.begin(
        runner.workshop.config(
            "evolve", validated(EvolveInputs, **P0), models={"main": model.name}, seed=7
        ),
        "replay",
    )
    assert runner.work(run.id) == "done"
    assert list(
        next(one for one in model.requests if one.prompt == "evolve-idea").schema.model_fields
    ) == ["idea"]


def test_a_revision_that_cannot_be_read_is_discarded_and_the_step_before_it_stands(tmp_path):
    *_, story = evolve(tmp_path, script={"evolve-revise": lambda _: "no JSON at all"})
    assert story.place(Discarded) == "step-1"
    assert story.last(Outcome).reason.startswith("Step 1 gave no idea that could be read")
    assert story.last(Outcome).round == 0


def test_a_generator_that_cannot_be_reached_fails_the_run_and_is_no_discard(tmp_path):
    runner, model, run, story = evolve(
        tmp_path,
        state="failed",
        script={"evolve-idea": lambda _: ModelFailed("The model is away.")},
    )
    assert story.last(Discarded) is None
    model.script.update(evolving())
    assert resumed(runner, run.id) == "done"


def test_an_idea_of_ones_own_is_the_first_step(tmp_path):
    mine = Idea(
        form="hypothesis", fields={"hypothesis": "Gated replay helps networks that keep learning."}
    )
    _, model, run, story = evolve(tmp_path, idea=mine)
    first, second = steps_of(story)
    assert (first.idea, len(first.scores.items), len(second.scores.items), second.idea.form) == (
        mine,
        7,
        9,
        "headed",
    )
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )


def test_a_missing_question_is_made_from_the_topic(tmp_path):
    _, model, run, story = evolve(tmp_path, question="", review="")
    assert story.last(Prepared).question == "How can replay be gated so that networks forget less?"
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )
    assert (
        "<review>\nNONE\n</review>"
        in next(one for one in model.requests if one.prompt == "evolve-idea").text
    )


def _review(request):
    cited = " ".join(
        f"One study ({one.label}) looked at sleep and memory, and left the gating of replay open to"
        " others."
        for one in request.values["papers"]
    )
    return {"review": cited}


READING = {
    "keywords": lambda _: {"keywords": ["sleep", "memory", "athletes", "naps"]},
    "literature-review": _review,
}


def test_papers_are_looked_for_and_reviewed_where_nothing_is_given(tmp_path):
    _, model, run, story = evolve(
        tmp_path, question="", review="", papers=True, script=READING, source=small_source()
    )
    given = story.last(Prepared)
    assert story.place(Prepared) == "prepared"
    assert len(given.papers) == 9
    assert "left the gating of replay open" in given.review
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("evolve", run.config.inputs)[0]
    )


def test_a_question_with_too_little_literature_ends_with_what_to_do(tmp_path):
    runner, model, run, story = evolve(
        tmp_path, state="failed", review="", papers=True, script=READING, source=SmallSource([], {})
    )
    assert "wider question" in runner.store.runs.get(run.id).reason
    assert story.last(Prepared).rejected
    assert "evolve-idea" not in prompts_asked(model)


@pytest.mark.parametrize(
    ("asked", "roles"),
    [
        ({}, {"generator", "judge"}),
        ({"question": ""}, {"main", "generator", "judge"}),
        ({"apart": True}, {"generator", "judge", "scorer"}),
        ({"apart": True, "informed": False}, {"generator", "scorer"}),
        ({"idea": Idea(form="headed", fields={"text": WELL}), "steps": 1}, {"judge"}),
    ],
)
def test_what_is_asked_of_whom_is_known_before_the_start(asked, roles):
    assert set(asks(validated(EvolveInputs, **(P0 | asked)))) == roles


def test_a_fork_at_the_revision_takes_what_was_before_it_from_its_parent(tmp_path):
    runner, model, run, _ = evolve(tmp_path)
    paid = len(model.requests)
    model.script["evolve-revise"] = lambda _: {"idea": idea_with(EVERY)}
    made = runner.fork(run.id, "step-1/evolve-revise", lambda config: config)
    assert runner.work(made.id) == "done"
    assert Counter(one.prompt for one in model.requests[paid:]) == {
        "evolve-revise": 1,
        "checklist-item": 7,
    }
    assert Story.of(runner.store, made.id).last(Outcome).converged


def test_a_fork_with_another_judge_says_who_judged_what(tmp_path):
    runner, model, run, _ = evolve(tmp_path)
    runner.workshop.named["scripted:two"] = ScriptedModel(model.script, "scripted:two")
    made = runner.fork(
        run.id,
        "step-1/evolve-revise",
        lambda config: config.model_copy(
            update={"models": {**config.models, "judge": "scripted:two"}}
        ),
    )
    assert runner.work(made.id) == "done"
    first, second = steps_of(Story.of(runner.store, made.id))
    assert {one.by for one in first.scores.items} == {"scripted:one", "code"}
    assert {one.by for one in second.scores.items} == {"scripted:two", "code"}


def test_a_run_that_failed_at_the_revision_goes_on_there(tmp_path):
    runner, model, run, _ = evolve(
        tmp_path, state="failed", script={"evolve-revise": lambda _: ModelFailed("Away.")}
    )
    paid = len(model.requests)
    model.script.update(evolving())
    assert resumed(runner, run.id) == "done"
    assert Counter(one.prompt for one in model.requests[paid:]) == {
        "evolve-revise": 1,
        "checklist-item": 7,
    }


def test_two_steps_take_two_ideas_and_fourteen_judgments(tmp_path):
    *_, run, _ = evolve(tmp_path)
    assert of_run(run).calls == 1 + 1 + 2 * 7


def test_an_idea_has_to_say_something():
    with pytest.raises(ValueError, match="at least 200"):
        HeadedIdea(idea="Short.")


# -- tables ------------------------------------------------------------------------------------
