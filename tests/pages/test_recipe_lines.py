"""Runs of other engines that a recipe began: which table of which paper they give, and their tables
with the published ones beside.
"""

import pytest

from core.runs.reproducing import begin_recipe, recipe_of
from tests.support import sweep_kit
from tests.support.sweep_kit import MODELS, runner_of
from tests.support.visiting import host, said, settled, visit

WRITER, _, JUDGE, OTHER = MODELS


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A runner, and runs of recipes of three engines; the sweep's is at its end."""
    script = {"checklist-item": lambda r: {}, "checklist-score": lambda r: {}}
    runner, _ = runner_of(tmp_path_factory.mktemp("lines"), script)
    runs = {}
    for name in ("infal-cost", "evoideator-main", "liveidea"):
        judges = (JUDGE, OTHER)
        runs[name] = begin_recipe(runner, recipe_of(name), "small", (WRITER,), judges, seed=7)
    assert runner.work(runs["infal-cost"].id) == "done"
    return runner, runs


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("infal-cost", "experiments"),
        ("evoideator-main", "experiments"),
        ("liveidea", "benchmark"),
    ],
)
def test_a_run_of_any_engine_says_which_table_of_which_paper_it_gives(
    held, monkeypatch, name, page
):
    runner, runs = held
    host(monkeypatch, runner)
    app = visit(page, run=runs[name].id)
    recipe = recipe_of(name).recipe
    shown = said(app)
    assert f"Recipe **{recipe.title}**: {', '.join(recipe.shows)} of {recipe.paper}" in shown
    assert recipe.not_comparable in shown
    labels = [one.proto.label for one in app.get("download_button")]
    assert labels.count("Everything (zip)") >= 1


def test_its_tables_stand_with_the_published_ones_below_them(held, monkeypatch):
    runner, runs = held
    host(monkeypatch, runner)
    run = runs["infal-cost"]
    app = visit("experiments", run=run.id)
    before = len(app.dataframe)
    app.session_state[f"recipe:{run.id}:tables"] = True
    settled(app.run())
    assert len(app.dataframe) >= before + 2
    assert "as published" in said(app)


def test_a_run_that_no_recipe_began_has_no_line(held, monkeypatch):
    runner, _ = held
    host(monkeypatch, runner)
    run = sweep_kit.experiment(runner)
    assert "Recipe" not in said(visit("experiments", run=run.id))
