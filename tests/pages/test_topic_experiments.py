"""Experiments over topics on their page: states, tables with what was published beside them, cells
with the ways to their runs, extending, and the line of a recipe.
"""

import re

import pytest

from core.errors import ModelFailed
from core.experiments.side_by_side import lay
from core.experiments.topics.results import collect
from core.export.reproduced import files
from core.runs.reproducing import begin_recipe, recipe_of
from core.studies import organising
from tests.support.sessions.studies_kit import at_work, work_through
from tests.support.topics_kit import (
    JUDGE,
    OTHER,
    SECOND,
    WRITER,
    experiment,
    runner_of,
    writer_script,
)
from tests.support.visiting import host, links, said, settled, visit

RECIPE = "coi-arena"


def no_retrieval(request):
    raise ModelFailed("The server gave no answer that fits.")


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A run of a recipe at its end, in which one contender failed on every topic."""
    script = {**writer_script(), "retrieved-idea": no_retrieval}
    runner, models = runner_of(tmp_path_factory.mktemp("topics"), script)
    run = begin_recipe(runner, recipe_of(RECIPE), "small", (WRITER,), (JUDGE, SECOND), None, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id), models


@pytest.fixture
def hosted(held, monkeypatch):
    runner, run, models = held
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    monkeypatch.setattr("components.runs.models.known_models", lambda role: list(models))
    return runner, run


def headings(app) -> list[str]:
    return [one.value.removeprefix("##### ") for one in app.markdown if "##### " in one.value]


def test_ratings_come_first_and_published_values_stand_beside_them(hosted):
    _, run = hosted
    app = visit("experiments", run=run.id)
    shown = headings(app)
    ratings = next(n for n, one in enumerate(shown) if one.startswith("Ratings of ideas"))
    published = next(n for n, one in enumerate(shown) if one.startswith("Published values"))
    distinct = next(n for n, one in enumerate(shown) if one.startswith("Distinct ideas"))
    costs = next(n for n, one in enumerate(shown) if one.startswith("What the contenders took"))
    assert ratings < published < distinct < costs
    assert any("as published" in name for one in app.dataframe for name in one.value.columns)


def test_without_votes_it_says_what_is_needed_and_shows_nothing_published_for_no_reason(
    tmp_path, monkeypatch
):
    runner, _ = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    run = begin_recipe(runner, recipe_of("coi-ablations"), "small", (WRITER,), (), None, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    app = visit("experiments", run=run.id)
    assert "Ratings and differences need votes" in said(app)
    assert not any(one.startswith("Published values") for one in headings(app))
    words = files(runner.store, run.id)["methods.md"]
    assert "It is made to measure: difference of ratings" in words
    assert "Contenders: Chain of ideas" in words
    assert "No model judged" in words
    assert "data/topics.csv" in words
    rows = files(runner.store, run.id)["data/topics.csv"].splitlines()
    assert len(rows) == 1 + 2
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", row.split(",")[-1]) for row in rows[1:])


def test_the_line_says_which_table_of_which_paper_it_gives(hosted):
    _, run = hosted
    shown = said(visit("experiments", run=run.id))
    recipe = recipe_of(RECIPE).recipe
    assert f"Recipe **{recipe.title}**: {', '.join(recipe.shows)} of Chain of Ideas" in shown
    assert recipe.not_comparable in shown


def test_counts_and_ways_to_the_arena_to_votes_and_to_experts(hosted):
    _, run = hosted
    app = visit("experiments", run=run.id)
    # Four of five contenders on two topics; what was to have the failed one's tokens has others'.
    assert "8 done" in said(app)
    assert "2 failed" in said(app)
    ways = {one.label: one.query_string for one in links(app)}
    assert "vote=1" in ways["Vote on ideas"]
    assert f"collection=Experiment+{run.id}" in ways["Another kind of session"].replace("%20", "+")
    assert any(label.startswith("Arena of ideas (8 texts)") for label in ways)


def test_failed_cells_come_first_and_every_cell_leads_to_its_run(hosted):
    runner, run = hosted
    app = visit("experiments", run=run.id, **{"topics-tab": "Cells"})
    assert "The server gave no answer that fits." in said(app)
    badges = [one.value for one in app.markdown if one.value.startswith((":red-b", ":green-b"))]
    cells = [one for one in badges if one.endswith(("failed]", "done]")) and " 8" not in one]
    assert [":red" in one for one in cells][:3] == [True, True, False]
    filled = {cell.run for cell in collect(runner.store, run).cells}
    led = {one.query_string.removeprefix("run=") for one in links(app)}
    assert len(filled) == 10
    assert filled <= led
    app.selectbox(key="topics-cells:which").set_value("done")
    assert "The server gave no answer that fits." not in said(settled(app.run()))


def test_a_model_more_is_an_extension_whose_price_is_said_before(hosted):
    runner, run = hosted
    app = visit("experiments", run=run.id, **{"topics-tab": "Cells"})
    assert app.button(key="join:again").label == "Try 2 failed cells again"
    app.multiselect(key="join:models").set_value([OTHER])
    assert "New: " in said(settled(app.run()))
    settled(app.button(key="join:go").click().run())
    (made,) = runner.store.runs.children(run.id)
    assert app.query_params["run"] in (made.id, [made.id])
    grown = runner.store.runs.get(made.id)
    assert grown.config.inputs["models"] == [WRITER, OTHER]
    assert grown.config.recipe == run.config.recipe


def test_the_zip_holds_what_the_command_writes(hosted):
    runner, run = hosted
    app = visit("experiments", run=run.id)
    (button,) = [one for one in app.get("download_button") if one.proto.id.endswith(":zip")]
    assert button.proto.label == "Everything (zip)"
    made = files(runner.store, run.id)
    assert {"configuration.json", "methods.md", "published/published-coi.csv"} <= set(made)


def test_before_anything_ended_it_says_so(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    run = experiment(runner)
    for tab in ("Results", "Figures", "Cells", "Export"):
        app = visit("experiments", run=run.id, **{"topics-tab": tab})
        assert "6 left" in said(app)
    assert "Recipe" not in said(app)
    app = visit("experiments")
    assert "6 left" in said(app)


def test_another_run_stands_beside_it_with_its_texts(hosted):
    runner, run = hosted
    other = begin_recipe(runner, recipe_of(RECIPE), "small", (OTHER,), (), None, seed=8)
    assert runner.work(other.id) == "done"
    app = visit("experiments", run=run.id)
    app.session_state[f"side-by-side:{run.id}"] = True
    settled(app.run())
    app.selectbox(key=f"side-by-side:{run.id}:other").set_value(other.id)
    settled(app.run())
    assert "Two runs side by side" in headings(app)
    assert "Without a figure: " in said(app)
    read = app.selectbox(key=f"side-by-side:{run.id}:texts")
    assert any("Direct prompting" in one or "direct" in one for one in read.options)
    assert any(f"Text of {other.id}" in one.value for one in app.markdown)
    *_, pairs = lay(runner.store, run, other)
    apart = next(n for n, one in enumerate(pairs) if one.a.ideas and one.a.text != one.b.text)
    read.set_value(read.options[apart])
    settled(app.run())
    settled(app.button(key=f"side-by-side:{run.id}:rate").click().run())
    kept = {one.idea.text for one in runner.store.ideas.listed()}
    assert kept >= {pairs[apart].a.text, pairs[apart].b.text}


def test_figures_are_drawn_once_there_are_votes(hosted):
    _, run = hosted
    app = visit("experiments", run=run.id, **{"topics-tab": "Figures"})
    assert len(app.get("plotly_chart")) >= 2


def test_sent_to_experts_its_texts_are_chosen_in_the_form_of_a_session(hosted):
    _, run = hosted
    name = f"Experiment {run.id}"
    app = visit("sessions", view="new", collection=name)
    assert [name] in [one.value for one in app.multiselect]


def test_a_session_with_experts_is_made_in_two_clicks_and_comes_back_as_votes(
    tmp_path, monkeypatch
):
    runner, _ = runner_of(tmp_path)
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    run = begin_recipe(runner, recipe_of(RECIPE), "small", (WRITER,), (JUDGE, SECOND), None, seed=7)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    app = visit("experiments", run=run.id)
    # The first click opens the popover, whose parts are drawn with the page.
    key = f"topics-experts:{run.id}"
    assert app.number_input(key=f"{key}:pairs:idea").value == 20
    settled(app.button(key=f"{key}:go").click().run())
    (study,) = runner.store.studies.listed()
    assert (study.plan.task, study.state) == ("compare", "draft")
    app = visit("experiments", run=run.id)
    assert f"session={study.id}" in " ".join(one.query_string for one in links(app))
    assert "It has no experts yet" in said(app)
    secrets = [organising.add_seat(runner.store, study.id, f"E {n}")[1] for n in range(3)]
    organising.open_study(runner.store, study.id)
    for secret in secrets:
        work_through(runner.store, at_work(runner.store, secret))
    assert "60 of 60 answers; they count here once it is closed" in said(
        visit("experiments", run=run.id)
    )
    organising.close(runner.store, study.id)
    organising.unblind(runner.store, study.id, "Ada")
    app = visit("experiments", run=run.id)
    assert "60 of 60 answers: they are among the votes of people below." in said(app)
    (agreement,) = [one for one in headings(app) if one.startswith("Agreement of models with")]
    assert ":gray[as in table 1 of Chain of Ideas]" in agreement
    assert any("people" in set(one.value.iloc[:, 1]) for one in app.dataframe)
    zipped = files(runner.store, run.id)
    assert "tables/topics-agreement-ideas.csv" in zipped
    assert zipped["data/ballots-ideas.csv"].count(study.id) == 60
    told = "3 experts compared texts in 1 blind session, 60 comparisons in all."
    assert told in zipped["methods.md"]
