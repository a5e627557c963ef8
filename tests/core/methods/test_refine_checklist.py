"""The checklist as one more score of a refinement: every version judged, failures missing, nothing
asked where nobody wants it.
"""

from core.errors import ModelFailed
from core.methods import RefineInputs
from core.runs.estimates import of_run
from core.story import Story
from tests.support.scripted import refine_script, refinement, runner_of


def item(request) -> dict:
    holds = request.values["item"].name != "risk" or request.values["idea"].title == "Version 2"
    said = {"reason": "Read.", "score": int(holds), "directive": None}
    return (
        said
        if holds
        else said | {"directive": {"span": "", "issue": "No plan B.", "suggestion": "Name one."}}
    )


def played(tmp_path, script=None, **asked):
    runner, model = runner_of(
        tmp_path, refine_script((True,)) | {"checklist-item": item} | (script or {})
    )
    run = refinement(runner, rounds=2, **asked)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, model, run


def test_every_version_is_judged_by_the_seven_items_that_hold_for_any_form(tmp_path):
    runner, model, run = played(tmp_path, checklist=True)
    line = Story.of(runner.store, run.id).lines[0]
    assert [line.checklist(n).total for n in range(3)] == [6, 6, 7]
    assert [line.checklist(n).primary for n in range(3)] == [4, 4, 5]
    assert sum(one.prompt == "checklist-item" for one in model.requests) == 7 * 3
    assert of_run(run).calls >= runner.store.runs.get(run.id).calls


def test_nothing_is_judged_where_nobody_asked(tmp_path):
    runner, model, run = played(tmp_path)
    assert Story.of(runner.store, run.id).lines[0].checklist(1) is None
    assert not RefineInputs.model_validate(run.config.inputs).checklist
    assert all(one.prompt != "checklist-item" for one in model.requests)


def test_a_checklist_that_does_not_come_about_is_missing_and_the_game_goes_on(tmp_path):
    runner, _, run = played(
        tmp_path, {"checklist-item": lambda _: ModelFailed("The judge is away.")}, checklist=True
    )
    story = Story.of(runner.store, run.id)
    assert len(story.lines[0].rounds) == 2
    assert story.lines[0].checklist(0) is None
    failed = [step for step in runner.store.steps.outline(run.id) if step.status == "failed"]
    assert {step.key.split("/")[0] for step in failed} == {"round-0", "round-1", "round-2"}


def test_checklists_belong_to_their_own_idea_of_several(tmp_path):
    runner, _, run = played(tmp_path, checklist=True, lines=2)
    assert [line.checklist(2).total for line in Story.of(runner.store, run.id).lines] == [7, 7]
