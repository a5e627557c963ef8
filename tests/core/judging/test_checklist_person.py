"""A person judges by checklist: all items that need understanding in one question, Layout and
Length by code, and directives that are followed.
"""

import json

import pytest

from core.errors import BadInput
from core.judging.evolution_tables import trials
from core.methods.evolution import EvolveInputs, asks
from core.records import BY_CODE, ITEMS, Evolved, Idea, Outcome
from core.runs.estimates import estimate
from core.runs.planning import validated
from core.story import Story
from tests.support.evolving import SPANS, WELL, evolving
from tests.support.headless import cli, server
from tests.support.scripted import configured, prompts_asked, runner_of

__all__ = ["cli", "server"]
SEVEN = [item.name for item in ITEMS if item.name not in BY_CODE]
P0 = {
    "topic": "replay",
    "question": "How can replay be gated?",
    "review": "Smith et al., 2024, replay all.",
    "papers": False,
    "judged_by": "person",
}
OWN = Idea(form="headed", fields={"text": WELL})


def waiting(folder, models=None, **asked):
    runner, model = runner_of(folder, evolving())
    run = runner.begin(
        configured(
            runner,
            "evolve",
            validated(EvolveInputs, **(P0 | asked)),
            **({"models": models} if models else {}),
        ),
        "replay",
    )
    assert runner.work(run.id) == "waiting", runner.store.runs.get(run.id).reason
    return runner, model, run


def word(*wrong, span=None):
    """Return a person's answer: these items do not hold."""

    def item(name):
        directive = {
            "span": SPANS[name] if span is None else span,
            "issue": f"{name} is weak",
            "suggestion": f"mend {name}",
        }
        return {
            "item": name,
            "score": int(name not in wrong),
            "directive": directive if name in wrong else None,
        }

    return {"items": [item(name) for name in SEVEN]}


def handed_in(runner, run, answer, state="done"):
    (question,) = runner.store.answers.open(run.id)
    runner.answer(run.id, question.key, answer, "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == state, runner.store.runs.get(run.id).reason
    return question


def steps(runner, run):
    return Story.of(runner.store, run.id).all(Evolved)


def test_an_own_idea_is_judged_without_any_model(tmp_path):
    runner, model, run = waiting(tmp_path, idea=OWN, steps=1)
    question = handed_in(runner, run, word("risk"))
    assert question.key == "step-0/checklist/judge"
    assert [one["name"] for one in question.question["shown"]["items"]] == SEVEN
    (step,) = steps(runner, run)
    assert step.scores.complete
    assert {one.item: one.by for one in step.scores.items} == dict.fromkeys(
        SEVEN, "Ada"
    ) | dict.fromkeys(BY_CODE, "code")
    (risk,) = step.scores.unsatisfied
    assert (risk.directive.issue, risk.passage.quote) == ("risk is weak", SPANS["risk"])
    assert not model.requests
    assert estimate("evolve", run.config.inputs, run.config.models).calls == 0
    assert asks(EvolveInputs.model_validate(run.config.inputs)) == {}


def test_the_next_idea_is_revised_by_the_persons_directives_and_judged_by_them_too(tmp_path):
    runner, model, run = waiting(tmp_path, steps=2)
    handed_in(runner, run, word("risk", "method"), "waiting")
    (revision,) = [one for one in model.requests if one.prompt == "evolve-revise"]
    assert [one.item for one in revision.values["directives"]] == ["risk", "method"]
    handed_in(runner, run, word())
    assert Story.of(runner.store, run.id).last(Outcome).converged
    assert prompts_asked(model) == ["evolve-idea", "evolve-revise"]
    (trial,) = trials(run.config, run.id, Story.of(runner.store, run.id).parts)
    assert (trial.provider, trial.scorer) == ("a person", "a person")
    assert estimate("evolve", run.config.inputs, run.config.models).calls == 2


def test_another_judge_may_score_what_a_person_gives_directives_on(tmp_path):
    runner, model, run = waiting(
        tmp_path,
        idea=OWN,
        steps=1,
        apart=True,
        models={"main": "scripted:one", "scorer": "scripted:one"},
    )
    handed_in(runner, run, word("risk"))
    (step,) = steps(runner, run)
    assert [one.item for one in step.feedback.unsatisfied] == ["risk"]
    assert {one.by for one in step.scores.items} == {"code", "scripted:one"}
    assert prompts_asked(model) == ["checklist-item"] * 7


def test_an_idea_in_another_form_is_judged_by_seven_items(tmp_path):
    runner, _, run = waiting(
        tmp_path,
        idea=Idea(form="hypothesis", fields={"hypothesis": "Naps restore memory."}),
        steps=1,
    )
    handed_in(runner, run, word("problem", span="Naps restore"))
    assert [one.item for one in steps(runner, run)[0].scores.items] == SEVEN


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"items": word()["items"][1:]}, "judge each of feasibility, grounding"),
        ({"items": word()["items"] + word()["items"][:1]}, "judge each of feasibility, grounding"),
        ({"items": [{"item": "risk", "score": 0}]}, "say what is wrong and what to do"),
    ],
)
def test_a_judgment_that_is_not_whole_is_refused_and_the_question_stays_open(tmp_path, answer, why):
    runner, _, run = waiting(tmp_path, idea=OWN, steps=1)
    (question,) = runner.store.answers.open(run.id)
    with pytest.raises(BadInput, match=why):
        runner.answer(run.id, question.key, answer, "Ada")
    handed_in(runner, run, word())


@pytest.mark.parametrize("asked", [{"apart": True, "informed": False}, {"decided": "model"}])
def test_what_leaves_a_person_nothing_to_judge_or_too_much_is_refused(asked):
    with pytest.raises(BadInput):
        validated(EvolveInputs, **(P0 | asked))


def test_an_idea_in_a_file_is_judged_by_a_person_with_the_built_in_model(cli, tmp_path):
    file = tmp_path / "idea.md"
    file.write_text(WELL)
    _, document, _ = cli("checklist", str(file), "--person-judges")
    assert (document["state"], document["calls"]) == ("waiting", 0)
    code, document, _ = cli(
        "answer",
        document["run"],
        "step-0/checklist/judge",
        "--with",
        json.dumps(word("risk")),
        "--by",
        "Ada",
    )
    assert (code, document["state"], document["calls"]) == (0, "done", 0)
    assert document["lines"][0]["steps"][0]["scores"]["total"] == 8


def test_a_person_judges_what_a_model_writes_only_where_it_can_write(cli):
    code, document, _ = cli(
        "evolve", "--question", "How can replay be gated?", "--no-papers", "--person-judges"
    )
    assert code != 0
    assert "the generator model, does not" in document["reason"]
