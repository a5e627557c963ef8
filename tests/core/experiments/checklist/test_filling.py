"""A checklist experiment: every question answered by every generator under every condition, from
one first idea each, scored by one judge.
"""

from collections import Counter

import pytest

from core.errors import BadInput, ModelFailed
from core.experiments.checklist.progress import checklist_progress
from core.experiments.checklist.results import collect
from core.experiments.checklist.tables import ALONE, lost
from core.records import ITEMS
from core.runs.catalogue import lack
from core.runs.estimates import of_run
from tests.support.checklist_kit import (
    ANNA,
    BERT,
    SCORER,
    STRONG,
    WEAK,
    asked,
    cells,
    experiment,
    filled,
    runner_of,
)
from tests.support.evolving import idea_with, item_of, judged
from tests.support.scripted import die, fresh, resumed


def prompts_of(models):
    """Return how often each model was asked each prompt."""
    return {
        name: Counter(request.prompt for request in model.requests)
        for name, model in models.items()
        if model.requests
    }


def test_every_cell_is_filled_and_each_model_does_its_part_alone(tmp_path):
    runner, models = runner_of(tmp_path)
    run = filled(runner, providers=(ANNA, BERT))
    found = cells(runner, run)
    assert len(found) == 2 * 2 * 3, "questions x generators x (alone, Anna, Bert)"
    assert {cell.state for cell in found.values()} == {"done"}
    assert all(len(cell.steps) == 2 and len(cell.steps[0]) == 9 for cell in found.values())
    done = prompts_of(models)
    assert done[WEAK] == {"evolve-idea": 2, "evolve-alone": 2, "evolve-revise": 4}
    assert done[STRONG] == done[WEAK]
    # Each judges seven items of four first ideas and of four revisions of its own.
    assert done[ANNA] == done[BERT] == {"checklist-item": 7 * (4 + 4)}
    assert done[SCORER] == {"checklist-item": 7 * (4 + 12)}, "a first idea is scored once"


def test_all_conditions_of_a_generator_and_question_begin_with_the_same_first_idea(tmp_path):
    runner, models = runner_of(tmp_path)
    run = filled(runner, providers=(ANNA, BERT))
    by_pair = {}
    for cell in cells(runner, run).values():
        key = cell.generator, cell.question
        by_pair.setdefault(key, set()).add((cell.first, cell.steps[0]))
    assert len(by_pair) == 4
    assert all(len(first) == 1 for first in by_pair.values())
    for model in (models[WEAK], models[STRONG]):
        texts = {
            (request.values["question"], request.values["idea"].text)
            for request in model.requests
            if request.prompt in ("evolve-alone", "evolve-revise")
        }
        assert len(texts) == 2, "one text for each question, whoever revises it and how"


def test_no_directive_reaches_a_model_that_revises_alone(tmp_path):
    runner, models = runner_of(tmp_path)
    filled(runner)
    alone = [one for one in models[WEAK].requests if one.prompt == "evolve-alone"]
    told = [one for one in models[WEAK].requests if one.prompt == "evolve-revise"]
    assert len(alone) == len(told) == 2
    sign = "Do something for"
    assert all(sign in one.text for one in told)
    for one in alone:
        whole = f"{one.standing}{one.text}{one.values}"
        assert sign not in whole
        assert not any(f"{item.name} is weak." in whole for item in ITEMS)
        assert "directives" not in one.values


def test_directives_come_from_their_provider_and_never_from_the_scorer(tmp_path):
    def strict(request):
        return {
            "reason": "No.",
            "score": 0,
            "directive": {"span": "", "issue": "Anna's issue.", "suggestion": "Anna's way."},
        }

    runner, models = runner_of(tmp_path, anna={"checklist-item": strict})
    run = filled(runner, generators=(STRONG,), modes=("informed",))
    told = [one for one in models[STRONG].requests if one.prompt == "evolve-revise"]
    assert all("Anna's way." in one.text and "Do something" not in one.text for one in told)
    # She finds nothing right; what is scored is what the scorer finds.
    assert all(sum(cell.steps[0]) == 4 for cell in cells(runner, run).values())


def test_items_on_which_a_provider_says_nothing_of_use_are_counted(tmp_path):
    def silent(request):
        return {} if item_of(request) == "method" else judged(request)

    runner, models = runner_of(tmp_path, anna={"checklist-item": silent})
    run = filled(runner, generators=(STRONG,))
    found = cells(runner, run).values()
    assert {(cell.provider, cell.state, cell.undirected) for cell in found} == {
        (ANNA, "done", 1),
        ("", "done", 0),
    }
    told = [one for one in models[STRONG].requests if one.prompt == "evolve-revise"]
    assert all("method" not in {said.item for said in one.values["directives"]} for one in told)
    said = lost(collect(runner.store, run))
    assert {row[1].said: row[-1].said for row in said.rows} == {ANNA: "2", ALONE: "0"}


def test_where_the_scorer_gives_directives_it_judges_once_for_both(tmp_path):
    runner, models = runner_of(tmp_path)
    filled(runner, generators=(WEAK,), providers=(SCORER,), modes=("informed",))
    assert prompts_of(models)[SCORER] == {"checklist-item": 7 * (2 + 2)}


def test_an_estimate_counts_the_calls_that_are_made(tmp_path):
    runner, models = runner_of(tmp_path)
    for given in (
        {"providers": (ANNA, SCORER), "steps": 3},
        {"modes": ("uninformed",), "providers": ()},
    ):
        for model in models.values():
            model.requests.clear()
        run = filled(runner, **given)
        calls = sum(len(model.requests) for model in models.values())
        assert (of_run(run).calls, of_run(run).cost) == (calls, None)
        assert of_run(run).steps == run.steps


def test_a_first_idea_that_cannot_be_read_is_a_discard_and_another_failure_is_none(tmp_path):
    whole = runner_of(tmp_path / "whole")[1][WEAK].script["evolve-idea"]

    def writes(request):
        return "No idea." if "replay 0" in request.values["question"] else whole(request)

    runner, _ = runner_of(tmp_path, weak={"evolve-idea": writes})
    run = filled(runner)
    lost = [cell for cell in cells(runner, run).values() if cell.state != "done"]
    assert {(cell.generator, cell.state, cell.steps) for cell in lost} == {(WEAK, "discarded", ())}
    assert len(lost) == 2, "informed and uninformed"
    assert all("first idea was not written" in cell.reason for cell in lost)
    counts = checklist_progress(runner.store, run).counts
    assert counts == {"done": 6, "discarded": 2, "failed": 0, "running": 0, "left": 0}


def test_a_generator_that_is_away_failed_and_discarded_nothing(tmp_path):
    away = {"evolve-idea": lambda _: ModelFailed("The server is away.")}
    runner, _ = runner_of(tmp_path, weak=away)
    run = filled(runner, generators=(WEAK,))
    assert {cell.state for cell in cells(runner, run).values()} == {"failed"}


def test_a_scorer_that_is_away_makes_no_discard_of_an_idea_that_was_asked_for_twice(tmp_path):
    whole = runner_of(tmp_path / "whole")[1][WEAK].script["evolve-idea"]
    said = []

    def writes(request):
        said.append(request)
        return whole(request) if request.corrections else "No idea."

    away = {"checklist-item": lambda _: ModelFailed("The server is away.")}
    runner, _ = runner_of(tmp_path, weak={"evolve-idea": writes}, scorer=away)
    run = filled(runner, generators=(WEAK,), questions=1)
    assert len(said) == 2
    assert {cell.state for cell in cells(runner, run).values()} == {"failed"}


def test_a_revision_that_cannot_be_read_is_a_discard_whose_first_step_counts(tmp_path):
    runner, _ = runner_of(tmp_path, strong={"evolve-revise": lambda _: "No idea."})
    run = filled(runner)
    gone = [cell for cell in cells(runner, run).values() if cell.state == "discarded"]
    assert {(cell.generator, cell.provider, len(cell.steps)) for cell in gone} == {
        (STRONG, ANNA, 1)
    }


def test_cells_fail_alone_and_say_why(tmp_path):
    down = {"checklist-item": lambda _: ModelFailed("Anna did not answer (503).")}
    runner, _ = runner_of(tmp_path, anna=down)
    run = filled(runner)
    found = cells(runner, run)
    assert {(cell.provider, cell.state) for cell in found.values()} == {
        (ANNA, "failed"),
        ("", "done"),
    }
    failed = [cell for cell in found.values() if cell.state == "failed"]
    assert all("Anna did not answer" in cell.reason for cell in failed)
    assert all(runner.store.runs.get(cell.run).state == "failed" for cell in failed)
    assert lack(runner.store, run) == ""


def test_an_experiment_without_any_result_says_so(tmp_path):
    runner, _ = runner_of(tmp_path, weak={"evolve-idea": lambda _: "No idea."})
    run = filled(runner, generators=(WEAK,))
    assert lack(runner.store, run) == "None of its cells came to a result."


def test_an_idea_that_has_every_item_ends_and_stands_as_it_ended(tmp_path):
    names = {item.name for item in ITEMS}
    perfect = {"evolve-idea": lambda _: {"idea": idea_with(names)}}
    runner, models = runner_of(tmp_path, strong=perfect)
    run = filled(runner, generators=(STRONG,), modes=("informed",))
    assert [cell.steps for cell in cells(runner, run).values()] == [((1,) * 9,)] * 2
    assert prompts_of(models)[STRONG] == {"evolve-idea": 2}


def test_a_cap_holds_over_all_its_runs_and_going_on_pays_only_the_rest(tmp_path):
    runner, models = runner_of(tmp_path / "capped")
    run = experiment(runner, cap_tokens=20_000, at_once=1)
    assert runner.work(run.id) == "capped"
    before = sum(len(model.requests) for model in models.values())
    runner.store.runs.change(run.id, cap_tokens=10_000_000)
    runner.store.runs.enqueue(run.id, "nobody|1|1")
    assert runner.work(run.id) == "done"
    other, calm = runner_of(tmp_path / "calm")
    whole = filled(other)
    asked_in_all = sum(len(model.requests) for model in models.values())
    assert 0 < before < asked_in_all == sum(len(model.requests) for model in calm.values())
    mine = {name: cell.steps for name, cell in cells(runner, run).items()}
    assert mine == {name: cell.steps for name, cell in cells(other, whole).items()}


def test_a_finished_experiment_is_replayed_for_free(tmp_path):
    runner, models = runner_of(tmp_path)
    run = filled(runner)
    before = cells(runner, run)
    for model in models.values():
        model.requests.clear()
    die(runner, run.id)
    again = fresh(runner)
    again.notice_dead()
    assert resumed(again, run.id) == "done"
    assert not any(model.requests for model in models.values())
    assert cells(runner, run) == before


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"generators": (WEAK, WEAK)}, "named twice"),
        ({"providers": ()}, "gives directives"),
        ({"modes": ("uninformed",)}, "nobody gives directives"),
        ({"steps": 1}, "must be at least 2"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(tmp_path, given, says):
    runner, _ = runner_of(tmp_path)
    with pytest.raises(BadInput, match=says):
        asked(runner, **given)


def test_more_questions_than_are_held_out_are_refused(tmp_path):
    runner, _ = runner_of(tmp_path)
    with pytest.raises(BadInput, match="hold out 3 questions; 4 are asked for"):
        experiment(runner, questions=4)


def test_a_model_that_cannot_judge_is_refused_before_anything_starts(tmp_path):
    runner, models = runner_of(tmp_path)
    models[SCORER].answers = lambda prompt: prompt != "checklist-item"
    with pytest.raises(BadInput, match="scripted:scorer cannot judge ideas by the checklist"):
        experiment(runner)
