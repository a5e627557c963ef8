"""Data sets on screen: criteria that can be edited, what is refused beforehand, what was found and
what is missing.
"""

import pytest

from components.datasets import form as dataset_form
from core.errors import BadInput
from core.experiments import SweepInputs
from core.methods.criteria import CATEGORIES
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.records import Criteria, Run
from tests.support import dataset_kit
from tests.support.dataset_kit import question_script, question_source
from tests.support.screens.experiment_screen import tables
from tests.support.scripted import configured, runner_of
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, question_script(), question_source())
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "judge", "generator"):
        runner.store.places.choose(f"model-{role}", "scripted:one")
    return runner


def targets(runner) -> Run:
    return worked(runner, "target-dataset", dataset_kit.targets(), "Targets of 2024")


def worked(runner, method, inputs, title) -> Run:
    run = runner.begin(configured(runner, method, inputs), title)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner.store.runs.get(run.id)


def form():
    return visit("experiments", section="Data sets")


def go(app):
    return settled(app.button(key="datasets:go").click().run())


# -- building ----------------------------------------------------------------------------------


def test_the_criteria_of_the_paper_are_filled_in_and_started_as_they_stand(runner):
    app = form()
    assert "Estimated: about 100 model calls, with no upper bound" in said(app)
    go(app)
    run = runner.store.runs.listed(method="target-dataset")[0]
    assert TargetInputs.model_validate(run.config.inputs).criteria == Criteria(
        categories=CATEGORIES
    )
    assert (run.config.source, run.config.cap_tokens) == ("semantic-scholar|openalex", 1_000_000)
    assert app.query_params["run"] in (run.id, [run.id])


def test_year_thresholds_and_size_can_be_changed(runner):
    app = form()
    for name, value in (
        ("year", 2023),
        ("each", 3),
        ("in-venue", 2),
        ("anywhere", 50),
        ("background", 10),
    ):
        app.number_input(key=f"datasets:{name}").set_value(value)
    app.multiselect(key="datasets:without").set_value(["Review"])
    go(app)
    asked = TargetInputs.model_validate(
        runner.store.runs.listed(method="target-dataset")[0].config.inputs
    ).criteria
    assert (
        asked.year,
        asked.each,
        asked.in_venue,
        asked.anywhere,
        asked.background,
        asked.without,
    ) == (2023, 3, 2, 50, 10, ("Review",))


def test_a_category_goes_into_the_table_and_comes_back_as_it_was():
    assert [dataset_form.category_of(dataset_form.row_of(one)) for one in CATEGORIES] == list(
        CATEGORIES
    )


def test_a_row_without_words_is_refused_with_a_sentence():
    with pytest.raises(BadInput, match="A category needs a name, and words"):
        dataset_form.category_of(
            {"Category": "Sleep", "Words": None, "Fields": None, "Leading venues": ""}
        )


def test_questions_are_sampled_with_a_seed_and_a_large_sample_warns_of_its_cap(runner):
    app = form()
    settled(app.button_group(key="datasets:kind").set_value("Research questions").run())
    settled(app.number_input(key="datasets:works").set_value(1_000).run())
    assert "about 9 million tokens" in said(app)
    app.number_input(key="datasets:sample-seed").set_value(5)
    app.number_input(key="datasets:tokens").set_value(10_000_000)
    go(app)
    run = runner.store.runs.listed(method="seed-dataset")[0]
    asked = SeedInputs.model_validate(run.config.inputs)
    assert (
        asked.works,
        asked.sample_seed,
        asked.year,
        run.config.cap_tokens,
        run.config.source,
    ) == (1_000, 5, 2025, 10_000_000, "openalex|semantic-scholar")


def test_the_built_in_model_is_refused_before_anything_starts(runner):
    runner.workshop.named["builtin"] = type(runner.workshop).__mro__[1].builtin(runner.workshop)
    runner.store.places.choose("model-main", "builtin")
    app = form()
    assert "takes a model that understands what it reads" in said(app)
    go(app)
    assert not runner.store.runs.listed(method="target-dataset")


# -- looking -----------------------------------------------------------------------------------


def test_a_shortfall_is_said_with_its_reason_and_what_was_left_out(runner):
    run = targets(runner)
    shown = said(app := visit("experiments", run=run.id))
    assert "2 of 2 found" in shown
    assert "1 of 2 found" in shown
    assert "Widen its words, venues or citations" in shown
    assert shown.count("1 of 2 found") == 1
    out = next(rows for rows in tables(app) if rows and "Why" in rows[0])
    assert [row["Why"] for row in out] == ["Its references are not known to the source."]


def test_targets_stand_in_a_table_with_links_to_their_papers(runner):
    rows = tables(visit("experiments", run=targets(runner).id))[0]
    assert {row["Category"] for row in rows} == {"Sleep", "Genes"}
    assert all(row["Paper"].startswith("https://doi.org/10.1/x") for row in rows)


def test_a_data_set_is_handed_over_to_a_new_experiment(runner):
    run = targets(runner)
    there = [
        link
        for link in links(visit("experiments", run=run.id))
        if link.label == "Use in an experiment"
    ]
    assert [link.query_string for link in there] == [f"targets={run.id}"]
    app = visit("experiments", targets=run.id)
    assert "2 methods × 1 model × 1 quality × 3 targets = **6 cells**" in said(app)
    settled(app.button(key="experiments:go").click().run())
    inputs = SweepInputs.model_validate(runner.store.runs.listed(method="sweep")[0].config.inputs)
    assert [one.category for one in inputs.targets] == ["Sleep", "Sleep", "Genes"]


def test_fewer_targets_of_each_category_can_be_taken(runner):
    app = visit("experiments", targets=targets(runner).id)
    settled(app.number_input(key="experiments:most:2").set_value(1).run())
    assert "2 targets = **4 cells**" in said(app)
    settled(app.multiselect(key="experiments:categories").set_value(["Genes"]).run())
    assert "1 target = **2 cells**" in said(app)


def test_questions_stand_with_their_papers_and_can_be_read(runner):
    run = worked(runner, "seed-dataset", SeedInputs(works=3), "3 questions")
    app = visit("experiments", run=run.id)
    assert "3 of 3 found" in said(app)
    assert len(tables(app)[0]) == 3
    settled(app.selectbox(key=f"datasets:one:{run.id}").set_value(0).run())
    assert "Naps matter" in said(app)


def test_a_data_set_that_is_not_begun_says_so_and_the_list_leads_to_each(runner):
    run = runner.begin(configured(runner, "seed-dataset", SeedInputs(works=3)), "3 questions")
    assert "0 of 3 so far" in said(visit("experiments", run=run.id))
    assert any(link.query_string == f"run={run.id}" for link in links(form()))
