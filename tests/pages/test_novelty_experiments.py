"""Novelty checks measured, on their page: what they found, and every check with the way to it."""

import random

import pytest

from components.experiments import novelty as view
from core.experiments.novelty import NoveltyExperimentInputs
from core.experiments.novelty.figures import collect, outcome
from core.records import LabelledIdea, LabelledIdeas
from core.runs.beginning import begin
from core.runs.planning import validated
from tests.support.novelty_kit import BOTH, DATED, novelty_runner, novelty_script, plant, servers
from tests.support.visiting import host, links, said, settled, visit

MANY = 6


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Six ideas checked twice; of one that was copied, people wrongly said that it is new."""
    dice = random.Random(9)
    rows = []
    for n in range(MANY):
        one = plant("new" if n % 2 else "copy", dice)
        known = one.state == "anticipated" and n > 0
        rows.append(LabelledIdea(where=f"row {n}", idea=one.idea, known=known))
    with servers() as both:
        runner = novelty_runner(tmp_path_factory.mktemp("measured"), both, novelty_script())
        inputs = validated(
            NoveltyExperimentInputs,
            topic="Measured",
            data=runner.store.frozen.keep(LabelledIdeas(ideas=tuple(rows))),
            ideas=MANY,
            judges=("scripted:one",),
            seeds=2,
            dated=DATED,
            full_text=False,
            around=1,
            papers=6,
        )
        run = begin(runner, "novelty-experiment", inputs, inputs.topic, seed=7, source=BOTH)
        assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
        yield runner, runner.store.runs.get(run.id)


@pytest.fixture
def hosted(measured, monkeypatch):
    runner, run = measured
    host(monkeypatch, runner)
    return runner, run


def test_what_it_found_stands_first_then_the_table(hosted):
    runner, run = hosted
    app = visit("experiments", run=run.id)
    (sentence,) = outcome(runner.store, collect(runner.store, run))
    shown = said(app)
    assert f"##### {sentence}" in shown
    assert "12 done" in shown
    (table,) = [one.value for one in app.dataframe]
    assert list(table["Checks"]) == ["12"]


def test_every_check_leads_to_its_own_page_and_those_against_people_are_found(hosted):
    runner, run = hosted
    app = visit("experiments", run=run.id, **{"novelty-tab": "Checks"})
    held = collect(runner.store, run).cells
    led = {one.query_string.removeprefix("run="): one.page for one in links(app)}
    assert {cell.run for cell in held} <= set(led)
    assert all("novelty" in led[cell.run] for cell in held)
    app.selectbox(key="checks:which").set_value(view.AGAINST)
    settled(app.run())
    against = {cell.run for cell in held if not cell.known and cell.said == "known"}
    led = {one.query_string.removeprefix("run=") for one in links(app)}
    assert len(against) == 2
    assert led & {cell.run for cell in held} == against


def test_it_stands_in_the_list_of_experiments(hosted):
    app = visit("experiments")
    assert "12 done" in said(app)
