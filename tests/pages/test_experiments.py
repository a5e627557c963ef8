"""Experiments on screen: beginning one, the matrix as it fills, what it found, and extending it."""

import io
import json
import zipfile

import pytest

from components.experiments import matrix as experiment_matrix
from components.experiments import results as experiment_results
from components.experiments.results import ResultFilter
from components.shell import clicks
from core.errors import ModelFailed
from core.experiments import SweepInputs
from core.experiments.progress import progress
from core.export.files import export
from core.records import Target
from core.runs.extending import new_in_matrix
from core.runs.leases import me
from tests.support.dataset_kit import question_script
from tests.support.evolving import evolving
from tests.support.screens.experiment_screen import filled, runner, tables
from tests.support.scripted import refine_script
from tests.support.sweep_kit import (
    FEASIBILITY,
    MODELS,
    NOVELTY,
    asked,
    experiment,
    runner_of,
    target,
)
from tests.support.visiting import host, links, said, settled, visit

__all__ = ["runner"]


def form(app, **given):
    """Fill in a new experiment with one target added by hand."""
    app.text_area(key="experiments:text").set_value("Orexin restores sleep.")
    app.text_input(key="experiments:topic").set_value("Sleep in athletes")
    app.text_area(key="experiments:background").set_value("Naps\nThey help.")
    settled(app.button(key="experiments:add").click().run())
    for name, value in given.items():
        app.multiselect(key=f"experiments:{name}").set_value(value)
    return settled(app.run())


def new(**given):
    return form(visit("experiments", section="New experiment"), **given)


def opened(runner, run, **address):
    return visit("experiments", run=run.id, **address)


# -- beginning one -----------------------------------------------------------------------------


def test_without_an_experiment_the_page_says_what_to_do(runner):
    assert "Gather targets under" in said(visit("experiments"))


def test_size_and_price_are_said_before_the_start_and_change_with_what_is_chosen(runner):
    app = new(methods=["initial"])
    assert "1 method × 1 model × 1 quality × 1 target = **1 cell**, 3 ideas in each" in said(app)
    before = said(app)
    settled(app.multiselect(key="experiments:methods").set_value(["initial", "infal"]).run())
    assert "2 methods × 1 model × 1 quality × 1 target = **2 cells**" in said(app)
    assert [line for line in said(app).splitlines() if "Estimated" in line] != [
        line for line in before.splitlines() if "Estimated" in line
    ]
    assert "price unknown" in said(app)


def test_the_button_begins_the_matrix_that_was_chosen_and_opens_it(runner):
    app = new(methods=["initial", "infal"])
    app.text_input(key="experiments:name").set_value("Mine")
    app.number_input(key="experiments:n").set_value(2)
    app.checkbox(key="experiments:every").set_value(True)
    settled(app.button(key="experiments:go").click().run())
    run = runner.store.runs.listed(method="sweep")[0]
    assert app.query_params["run"] in (run.id, [run.id])
    inputs = SweepInputs.model_validate(run.config.inputs)
    assert (
        run.title,
        inputs.methods,
        inputs.models,
        inputs.judges,
        inputs.n,
        inputs.every_round,
    ) == ("Mine", ("initial", "infal"), (MODELS[0],), ("scripted:judge",), 2, True)
    kept = runner.store.frozen.get(inputs.targets[0].sha, Target)
    assert (kept.topic, kept.idea.text, [paper.title for paper in kept.background]) == (
        "Sleep in athletes",
        "Orexin restores sleep.",
        ["Naps"],
    )


def test_another_judge_of_the_checklist_can_be_chosen_where_something_evolves(runner):
    app = new(methods=["infal"])
    assert not [one for one in app.selectbox if one.key == "experiments:checklist-judge"]
    settled(app.multiselect(key="experiments:methods").set_value(["evolve"]).run())
    settled(app.selectbox(key="experiments:checklist-judge").set_value("scripted:judge").run())
    settled(app.button(key="experiments:go").click().run())
    run = runner.store.runs.listed(method="sweep")[0]
    assert (run.config.inputs["checklist_judge"], run.config.models["checklist-judge"]) == (
        "scripted:judge",
        "scripted:judge",
    )


def test_a_second_click_of_the_same_button_begins_no_second_experiment(runner, monkeypatch):
    app = new()
    for twice, begun in ((60.0, 1), (60.0, 1), (0.0, 2)):
        monkeypatch.setattr(clicks, "TWICE", twice)
        settled(app.button(key="experiments:go").click().run())
        assert len(runner.store.runs.listed(method="sweep")) == begun
        del app.query_params["run"]
        app.query_params["section"] = "New experiment"
        settled(app.run())


def test_without_a_target_nothing_starts_and_a_sentence_says_why(runner):
    app = visit("experiments", section="New experiment")
    settled(app.button(key="experiments:go").click().run())
    assert "Choose targets" in said(app)
    assert not runner.store.runs.listed(method="sweep")


def test_a_target_without_a_topic_is_refused_where_it_is_typed_and_nothing_typed_is_lost(runner):
    app = visit("experiments", section="New experiment")
    app.text_area(key="experiments:text").set_value("Orexin restores sleep.")
    settled(app.button(key="experiments:add").click().run())
    assert "A target needs its idea, and a topic" in said(app)
    assert app.text_area(key="experiments:text").value == "Orexin restores sleep."


def test_the_built_in_model_is_refused_as_a_judge_before_anything_starts(runner, monkeypatch):
    real = type(runner.workshop).__mro__[1].builtin
    monkeypatch.setitem(runner.workshop.named, "builtin", real(runner.workshop))
    app = new(judges=["builtin"])
    assert "builtin cannot rank ideas" in said(app)
    settled(app.button(key="experiments:go").click().run())
    assert not runner.store.runs.listed(method="sweep")


def test_without_a_judge_it_is_said_that_there_will_be_no_q(runner):
    assert "so there is no Q" in said(new(judges=[]))


# -- the matrix --------------------------------------------------------------------------------


def test_the_matrix_has_a_row_a_method_and_model_and_a_column_a_target_with_q(runner):
    run = filled(runner, methods=("infal", "initial"), models=MODELS[:2])
    rows = tables(opened(runner, run))[0]
    assert [(row["Method"], row["Model"]) for row in rows] == [
        (method, model) for method in ("InfAL", "Initial idea") for model in MODELS[:2]
    ]
    assert {
        cell for row in rows for name, cell in row.items() if name not in ("Method", "Model")
    } <= {f"✓ done {q}" for q in ("0.00", "0.25", "0.50", "0.75", "1.00")}
    assert "8 done" in said(opened(runner, run))


def test_many_targets_are_put_together_by_category_and_a_failed_one_shows(runner):
    found = progress(runner.store, experiment(runner, indicators=(NOVELTY, FEASIBILITY))).cells
    many = [
        one.model_copy(
            update={
                "cell": one.cell.model_copy(update={"target": f"{n:064}"}),
                "state": "failed" if n == 3 else "done",
            }
        )
        for n in range(20)
        for one in found[:2]
    ]
    rows, columns, squares = experiment_matrix.table(many, {})
    assert columns == ["novelty: Neuroscience", "feasibility: Neuroscience"] or len(columns) == 2
    assert [square.state for square in squares.values()] == ["failed", "failed"]
    assert rows[0][columns[0]] == "✗ 19 of 20 done, 1 failed"


def test_an_address_opens_a_cell_with_ideas_orders_reasons_and_the_runs_behind_it(runner):
    run = filled(runner)
    cell = progress(runner.store, run).cells[0]
    app = opened(runner, run, cell=cell.cell.name)
    shown = said(app)
    assert "InfAL · scripted:one · novelty" in shown
    assert "**Idea 1**" in shown
    assert "mean Q" in shown
    assert "**Repeat 1, place 1:**" in shown
    behind = {link.query_string for link in links(app)}
    assert {f"run={piece.run}" for piece in cell.pieces} <= behind
    assert {
        link.page for link in links(app) if link.query_string == f"run={cell.pieces[0].run}"
    } == {"refine"}


def test_a_cell_picked_from_the_list_is_written_into_the_address(runner):
    run = filled(runner)
    app, name = opened(runner, run), progress(runner.store, run).cells[1].cell.name
    settled(app.selectbox(key=f"experiments:cell:{run.id}").set_value(name).run())
    assert app.query_params["cell"] in (name, [name])
    assert "Target paper 2" in said(app)


def test_a_click_on_a_square_opens_the_cell_that_most_needs_a_look(runner, monkeypatch):
    found = progress(runner.store, experiment(runner)).cells
    square = experiment_matrix.MatrixSquare(
        (
            found[0].model_copy(update={"state": "done"}),
            found[1].model_copy(update={"state": "failed"}),
        )
    )
    held, address = {"m": {"selection": {"cells": [(0, "Genetics")]}}}, {}
    monkeypatch.setattr(experiment_matrix.st, "session_state", held)
    monkeypatch.setattr(experiment_matrix.st, "query_params", address)
    experiment_matrix._open("r", "m", {(0, "Genetics"): square})
    assert address == {"cell": found[1].cell.name}
    held["m"]["selection"]["cells"] = [(0, "Method")]
    experiment_matrix._open("r", "m", {(0, "Genetics"): square})
    assert address == {"cell": found[1].cell.name}, "a click beside the squares opens nothing"


def test_a_running_experiment_says_how_fast_it_goes(runner):
    run = experiment(runner)
    runner.store.runs.claim(run.id, me(), 0)
    app = opened(runner, run)
    assert [one.proto.text for one in app.get("progress")] == [
        "0 cells in the last minute · 0 calls under way or waiting"
    ]
    assert [one.label for one in app.button if one.label in ("Pause", "Stop")] == ["Pause", "Stop"]
    assert not [one for one in app.expander if one.label.startswith("Add methods")], (
        "what runs is not extended"
    )


def test_an_experiment_at_its_cap_offers_to_go_on_with_a_higher_one(runner):
    run = experiment(runner, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    app = opened(runner, run)
    assert "Paused at a cap" in said(app)
    assert "the cap of 10 tokens holds over them together" in said(app)
    app.number_input(key="experiment:tokens").set_value(1_000_000)
    settled(app.button(key="experiment:go-on").click().run())
    assert runner.store.runs.caps(run.id)[1] == 1_000_000


def test_filters_of_the_address_hold_for_the_matrix_and_the_results(runner):
    run = filled(runner, methods=("infal", "initial"))
    assert [row["Method"] for row in tables(opened(runner, run, method="initial"))[0]] == [
        "Initial idea"
    ]
    first = tables(opened(runner, run, method="initial", tab="Results"))[0]
    assert [row["Method"] for row in first] == ["Initial idea"]


def test_calls_and_tokens_are_of_all_runs_together(runner):
    run = filled(runner)
    spent = runner.store.runs.spent(run.id)
    assert f"{spent['calls']} calls · {spent['tokens_in'] + spent['tokens_out']:,} tokens" in said(
        opened(runner, run)
    )


def test_a_run_s_own_page_leads_back_to_its_cell(runner):
    run = filled(runner)
    cell = progress(runner.store, run).cells[0]
    for page in ("runs", "refine"):
        back = [
            link
            for link in links(visit(page, run=cell.pieces[0].run))
            if "Part of the experiment" in link.label
        ]
        assert [
            f"run={run.id}" in link.query_string and "cell=" in link.query_string for link in back
        ] == [True], page


def test_the_list_says_how_many_cells_are_in_which_state(runner):
    filled(runner)
    app = visit("experiments")
    assert "2 done" in said(app)
    assert "An experiment" in said(app)


# -- what it found -----------------------------------------------------------------------------


def test_results_are_the_papers_tables_with_intervals_and_how_many_targets(runner):
    run = filled(runner, methods=("infal", "initial"))
    app = opened(runner, run, tab="Results")
    shown = said(app)
    for title in (
        "Mean Q by method and model",
        "Convergence",
        "Repeatability of Q",
        "Mean cost of an idea",
    ):
        assert title in shown
    assert "n=2" in tables(app)[0][0]["Q novelty"]
    assert "Partial" not in shown


def test_published_figures_stand_beside_ours_on_screen_and_in_the_report(runner, tmp_path):
    run = filled(runner, methods=("infal", "initial"))
    app = opened(runner, run, tab="Results")
    assert "##### Mean Q by method and model, as published" in said(app)
    assert "that is the ratio 0.550 / 0.171, the increase is 221.6 %" in said(app)
    export(runner.store, run.id, tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text("utf-8")
    assert "InfAL as published: Mean Q by method and model" in report
    assert report.index("All refiners started from the same first ideas") > 0


def test_a_cell_names_the_first_ideas_it_shares_and_every_run_behind_it_opens(runner):
    for player in runner.players.values():
        player.script.update(evolving() | question_script())
    run = filled(
        runner,
        methods=("infal", "initial", "evolve", "evolve-uninformed"),
        checklist_judge=MODELS[3],
    )
    name = next(
        one.cell.name for one in progress(runner.store, run).cells if one.cell.method == "infal"
    )
    app = opened(runner, run, cell=name)
    assert any("begun for all methods alike by" in link.label for link in links(app))
    for child in runner.store.runs.listed(sweep=run.id, limit=100):
        assert not visit("runs", run=child.id).exception
        page = {"refine": "refine", "evolve": "checklist", "question": "checklist"}.get(
            child.config.method
        )
        assert not (page and visit(page, run=child.id).exception), child.cell
    infal = next(
        one
        for one in runner.store.runs.listed(sweep=run.id, limit=100)
        if one.cell == f"{name}/ideas"
    )
    assert "which every refiner of the experiment starts from" in said(
        visit("refine", run=infal.id, round="0")
    )


def test_results_of_an_unfinished_experiment_are_called_partial(runner):
    run = experiment(runner)
    assert "Partial: 0 cells of 2 so far" in said(opened(runner, run, tab="Results"))


def test_tests_are_shown_with_p_and_effect(runner):
    run = filled(runner, methods=("infal", "initial"))
    rows = tables(opened(runner, run, tab="Tests"))[0]
    assert {"Targets", "Difference", "Test", "p", "p (Holm)", "d_z"} <= set(rows[0])


def test_figures_come_with_the_table_that_says_the_same(runner):
    run = filled(runner, methods=("infal", "initial"), every_round=True)
    app = opened(runner, run, tab="Figures")
    assert len(app.get("plotly_chart")) >= 3
    assert "Q against the round" in said(app)
    assert len(tables(app)) == len(app.get("plotly_chart"))


def test_everything_is_in_one_file(runner):
    run = filled(runner, methods=("infal", "initial"))
    results, found = experiment_results.found(run, ResultFilter())
    with zipfile.ZipFile(io.BytesIO(experiment_results.zip_all(run, results, found))) as file:
        names = set(file.namelist())
        lines = [json.loads(line) for line in file.read("cells.jsonl").decode().splitlines()]
    assert {
        "csv/quality.csv",
        "tex/quality.tex",
        "md/quality.md",
        "csv/tests.csv",
        "cells.jsonl",
        "csv/published-quality.csv",
    } <= names
    assert len(lines) == 4
    assert {len(line["ideas"]) for line in lines} == {2}
    assert all(len(line["q"]["scripted:judge"]) == 2 for line in lines)
    settled(opened(runner, run, tab="Export"))


# -- extending it ------------------------------------------------------------------------------


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A runner whose model fails on the second target."""
    down = [True]

    def first(request):
        if down and "Sleep question 2" in request.text:
            raise ModelFailed("The model is out of order.")
        return {"hypothesis": f"Naps, way {request.seed}."}

    runner, _ = runner_of(tmp_path, refine_script() | {"first-idea": first})
    store = host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    store.places.choose("model-main", MODELS[0])
    return runner, down


def test_failed_cells_are_listed_with_their_reason_and_tried_again_for_themselves_alone(broken):
    runner, down = broken
    run = filled(runner)
    app = opened(runner, run)
    assert "1 cell failed" in said(app)
    assert any("out of order" in row.get("Why", "") for rows in tables(app) for row in rows)
    app.multiselect(key="extend:judges").set_value(["scripted:other"]).run()
    assert "1 failed cell will be tried again too; that comes on top." in said(app)
    down.clear()
    settled(app.button(key="extend:again").click().run())
    more = runner.store.runs.listed(method="sweep")[0]
    assert (more.parent, more.config.inputs) == (run.id, run.config.inputs)
    assert runner.work(more.id) == "done"
    assert progress(runner.store, more).counts == {"done": 2, "failed": 0, "running": 0, "left": 0}
    assert f"Extends An experiment ({run.id})" in said(opened(runner, more))


def test_what_is_added_is_estimated_alone_and_extends_the_experiment(runner):
    run = filled(runner)
    app = opened(runner, run)
    app.multiselect(key="extend:methods").set_value(["initial"])
    app.multiselect(key="extend:judges").set_value(["scripted:other"])
    settled(app.run())
    whole = asked(runner, methods=("infal", "initial"), judges=("scripted:judge", "scripted:other"))
    new_calls = new_in_matrix(asked(runner), whole, 2).calls
    assert f"New: at most {new_calls} model calls" in said(app)
    settled(app.button(key="extend:go").click().run())
    more = SweepInputs.model_validate(runner.store.runs.listed(method="sweep")[0].config.inputs)
    assert (more.methods, more.judges) == (
        ("infal", "initial"),
        ("scripted:judge", "scripted:other"),
    )


def test_hostile_texts_are_shown_as_text(runner):
    bad = "**bold** <script>x</script> $x$ :red[y]"
    sure = target(1).model_copy(
        update={"category": bad, "paper": target(1).paper.model_copy(update={"title": bad})}
    )
    from core.experiments.targets import freeze

    run = filled(runner, targets=freeze(runner.store, [sure]))
    app = opened(runner, run, cell=progress(runner.store, run).cells[0].cell.name)
    assert any("\\*\\*bold\\*\\*" in one.value for one in app.markdown)


def test_without_a_judge_no_screen_names_one(runner):
    run = filled(runner, judges=(), methods=("initial",))
    assert "This experiment has no judge, so no cell has a Q." in said(opened(runner, run))
    shown = said(opened(runner, run, tab="Results"))
    assert "No Q: this experiment has no judge." in shown
    assert "Q by ;" not in shown
