"""Checklist experiments on their page: beginning one, its states, and what it found."""

import pytest

from components.experiments.checklist import form as checklist_form
from components.experiments.view import CHECKLIST
from components.runs import models as joining_models
from core.errors import ModelFailed
from core.experiments.checklist.cells import ChecklistExperimentInputs
from core.runs.reproducing import begin_recipe, recipe_of
from tests.support.checklist_kit import (
    ANNA,
    BERT,
    SCORER,
    STRONG,
    WEAK,
    data,
    experiment,
    filled,
    runner_of,
)
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """Return a runner whose pages start nothing by themselves."""
    runner, players = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    runner.players = players
    monkeypatch.setattr(checklist_form, "known_models", lambda role: list(players))
    return runner


def new(sha="", **given):
    """Open the form, with data that the address names, and fill it in."""
    app = visit("experiments", section="New experiment", **({"questions": sha} if sha else {}))
    if not sha:
        app.segmented_control(key="experiments:kind").set_value(CHECKLIST)
        settled(app.run())
    for name, value in given.items():
        key = f"checklist-experiments:{name}"
        (app.selectbox if name == "scorer" else app.multiselect)(key=key).set_value(value)
    return settled(app.run())


def test_without_questions_the_form_says_how_to_gather_some(runner):
    assert "build a data set of research questions" in said(new())


def test_size_price_and_judge_are_said_before_the_start(runner):
    app = new(data(runner.store), generators=[WEAK, STRONG], providers=[ANNA], scorer=SCORER)
    assert "3 questions × 2 models × 2 ways of revising = **12 cells**" in said(app)
    # Per question and model: a first idea scored, Anna's directives on it; two revisions scored,
    # of which Anna judges one.
    assert f"at most {3 * 2 * (1 + 7 + 7 + 2 + 14 + 7)} model calls" in said(app)
    assert "gave no directives and judged no training" in said(app)
    app.selectbox(key="checklist-experiments:scorer").set_value(ANNA)
    assert "scores and gives directives as well" in said(settled(app.run()))


def test_the_button_begins_what_was_chosen_and_opens_it(runner):
    sha = data(runner.store)
    app = new(sha, generators=[WEAK, STRONG], providers=[ANNA, BERT], scorer=SCORER)
    app.text_input(key="checklist-experiments:name").set_value("Mine")
    app.number_input(key=f"checklist-experiments:count:{sha}").set_value(2)
    settled(app.button(key="checklist-experiments:go").click().run())
    (run,) = runner.store.runs.listed(method="checklist-experiment")
    assert app.query_params["run"] in (run.id, [run.id])
    inputs = run.inputs_as(ChecklistExperimentInputs)
    assert (run.title, inputs.data, inputs.questions) == ("Mine", sha, 2)
    assert (inputs.generators, inputs.providers, inputs.scorer) == (
        (WEAK, STRONG),
        (ANNA, BERT),
        SCORER,
    )
    assert inputs.modes == ("informed", "uninformed")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"generators": []}, "at least one model that writes"),
        ({"generators": [WEAK]}, "Choose a model that gives directives"),
        ({"generators": [WEAK], "providers": [ANNA]}, "Choose the model that scores"),
    ],
)
def test_what_is_missing_is_said_and_nothing_starts(runner, given, says):
    app = new(data(runner.store), **{"providers": [], **given})
    assert says in said(app)
    settled(app.button(key="checklist-experiments:go").click().run())
    assert not runner.store.runs.listed(method="checklist-experiment")


def test_a_finished_experiment_says_who_is_best_first_and_its_cost_last(runner):
    run = filled(runner, questions=3, providers=(ANNA, BERT))
    app = visit("experiments", run=run.id)
    text = said(app)
    order = [
        f"Revised by the directives of {ANNA}, {STRONG} has the highest mean sum",
        "Mean score per item",
        "Sum over items by provider of directives",
        "Differences of the sum over items",
        "Sum over items at each step (as in figure 2 of EvoIdeator)",
        "Ideas that were lost",
        "**Scored by:**",
    ]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    assert f"It leads {WEAK} by" in text
    assert "The same table of EvoIdeator, as published" in text
    assert "18 done" in text
    assert "EvoIdeator, as published: other models and questions than here" in text


def test_a_run_of_a_recipe_is_extended_by_a_model_whose_price_is_said_before(runner, monkeypatch):
    monkeypatch.setattr(joining_models, "known_models", lambda role: [WEAK, STRONG, BERT])
    written = recipe_of("evoideator-main")
    run = begin_recipe(runner, written, "small", (WEAK,), (SCORER, ANNA))
    assert runner.work(run.id) == "done"
    app = visit("experiments", run=run.id)
    app.multiselect(key="join:models").set_value([STRONG])
    assert "New: " in said(settled(app.run()))
    settled(app.button(key="join:go").click().run())
    (made,) = runner.store.runs.children(run.id)
    grown = runner.store.runs.get(made.id)
    assert grown.config.inputs["generators"] == [WEAK, STRONG]
    assert grown.config.recipe == run.config.recipe
    asked_before = len(runner.players[WEAK].requests)
    assert runner.work(made.id) == "done"
    assert len(runner.players[WEAK].requests) == asked_before, "only the new one is asked"


def test_what_was_lost_is_counted_and_explained(tmp_path, monkeypatch):
    down = {"checklist-item": lambda _: ModelFailed("Anna did not answer (503).")}
    runner, _ = runner_of(tmp_path, anna=down, strong={"evolve-alone": lambda _: "No idea."})
    host(monkeypatch, runner)
    run = filled(runner)
    app = visit("experiments", run=run.id)
    assert all(part in said(app) for part in ("2 done", "2 discarded", "4 failed"))
    rows = [row for one in app.dataframe for row in one.value.to_dict("records")]
    why = [row["Why"] for row in rows if "Why" in row]
    assert sum("Anna did not answer" in one for one in why) == 4
    assert len(why) == 6


def test_a_running_and_a_parked_experiment_say_how_far_they_are(runner):
    run = experiment(runner, cap_tokens=20_000, at_once=1)
    assert "Figures appear with the first" in said(visit("experiments", run=run.id))
    assert runner.work(run.id) == "capped"
    text = said(visit("experiments", run=run.id))
    assert all(part in text for part in (" left", "Paused at a cap"))


def test_an_experiment_without_result_says_so(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, weak={"evolve-idea": lambda _: "No idea."})
    host(monkeypatch, runner)
    run = filled(runner, generators=(WEAK,))
    assert "None of its cells came to a result." in said(visit("experiments", run=run.id))


def test_the_list_of_experiments_has_it_with_its_cells(runner):
    run = filled(runner)
    app = visit("experiments")
    assert "8 done" in said(app)
    assert any(run.id in link.query_string for link in links(app))


def test_a_run_behind_a_cell_leads_back_to_the_experiment(runner):
    run = filled(runner)
    cell = runner.store.sweeps.begun(run.id)
    inner = next(one.run for name, one in cell.items() if name.startswith("informed/"))
    app = visit("checklist", run=inner)
    back = [link for link in links(app) if run.id in link.query_string]
    assert back
    settled(visit("experiments", run=run.id, cell="informed/x/y/z"))
