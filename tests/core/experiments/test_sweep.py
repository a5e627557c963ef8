"""An experiment matrix: every cell written and ranked by runs of their own, extended for the price
of what is new, under one cap.
"""

import sys
from collections import Counter
from typing import get_args

import pytest

from core.errors import BadInput
from core.experiments import contenders
from core.experiments.cells import SweepInputs
from core.experiments.progress import progress
from core.experiments.targets import freeze
from core.experiments.targets import of_run as targets_of
from core.importing.targets import targets_in
from core.literature.ranking import let_through
from core.methods.evolution import EvolveInputs
from core.records import Made, Standings, Stopping
from core.runs.beginning import can_rank
from core.runs.estimates import of_run
from core.runs.workshop import Workshop
from tests.support.dataset_kit import question_script
from tests.support.evolving import evolving
from tests.support.scripted import wide_script, wide_source
from tests.support.sweep_kit import (
    FEASIBILITY,
    MODELS,
    NOVELTY,
    asked,
    asked_for,
    done,
    experiment,
    frozen,
    runner_of,
    target,
    told,
)


def test_every_cell_is_written_and_ranked_and_both_stand_in_its_place(tmp_path):
    runner, _, run = done(
        tmp_path,
        methods=("infal", "initial"),
        models=MODELS[:2],
        indicators=(NOVELTY, FEASIBILITY),
        judges=MODELS[2:],
    )
    cells = [one.cell for one in progress(runner.store, run).cells]
    assert len(cells) == 2 * 2 * 2 * 2
    assert set(told(runner, run, Made)) == {f"{cell.name}/ideas" for cell in cells}
    assert set(told(runner, run, Standings)) == {
        cell.rank_by(judge) for cell in cells for judge in MODELS[2:]
    }
    for place, one in told(runner, run, Standings).items():
        assert (one.cell.rank_by(one.judge), one.state, len(one.q), one.by_round) == (
            place,
            "done",
            2,
            (),
        )
    for one in told(runner, run, Made).values():
        assert [idea.form for idea in one.ideas] == ["six-field"] * 2, "all in the common form"
        assert set(runner.store.runs.get(one.run).config.models.values()) == {one.cell.model}
    # Version 1 of two ideas by InfAL, the target worth version 2; the first idea alone is worth
    # nothing.
    assert {
        (one.method, made.rounds, made.converged)
        for made in told(runner, run, Made).values()
        for one in [made.cell]
    } == {("infal", (2, 2), (True, True)), ("initial", (0, 0), (False, False))}


def test_progress_counts_cells_and_names_the_runs_behind_each(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(runner, judges=MODELS[2:])
    assert progress(runner.store, run).counts == {"done": 0, "failed": 0, "running": 0, "left": 2}
    assert [one.state for one in progress(runner.store, run).cells[0].pieces] == ["left"] * 4
    assert runner.work(run.id) == "done"
    found = progress(runner.store, run)
    assert found.counts == {"done": 2, "failed": 0, "running": 0, "left": 0}
    assert [(one.title, one.category) for one in found.cells] == [
        ("Target paper 1", "Neuroscience"),
        ("Target paper 2", "Genetics"),
    ]
    pieces = found.cells[0].pieces
    assert [(one.what, one.by) for one in pieces] == [
        ("first ideas", MODELS[0]),
        ("ideas", MODELS[0]),
        ("ranking", MODELS[2]),
        ("ranking", MODELS[3]),
    ]
    assert all(runner.store.runs.get(one.run).cell == one.name for one in pieces)
    assert runner.store.runs.listed() == [runner.store.runs.get(run.id)], (
        "a sweep's runs are no items of the list of runs"
    )


def test_the_target_s_idea_is_told_to_nobody_who_writes(tmp_path):
    _, models, _ = done(tmp_path, methods=("infal", "initial", "direct", "rag"), source="shelf")
    for request in [one for model in models.values() for one in model.requests]:
        assert ("The target's" in request.text) == (request.prompt == "rank"), request.prompt
        assert "Target paper" not in request.text
    first = [
        one for model in models.values() for one in model.requests if one.prompt == "first-idea"
    ]
    assert all("Background 1 of" in one.text for one in first)


def test_runs_that_search_may_find_neither_the_target_nor_what_came_after_it():
    for method in ("rag", "chain", "direct"):
        for task in contenders.tasks(method, "x", 3, "area", NOVELTY, Stopping(), target(1)):
            assert (task.inputs.before, task.inputs.ban) == (
                "2024-05-01",
                ("t1", "title:targetpaper1:None:"),
            )
    assert [
        task.name
        for task in contenders.tasks("rag", "x", 3, "area", NOVELTY, Stopping(), target(1))
    ] == ["x/ideas-1", "x/ideas-2", "x/ideas-3"]


def test_an_evolution_of_the_first_edition_starts_from_the_same_background_as_a_refinement():
    (task,) = contenders.tasks("evolve-uninformed", "x", 3, "area", NOVELTY, Stopping(), target(1))
    assert isinstance(task.inputs, EvolveInputs)
    assert (task.inputs.question, task.inputs.lines, task.inputs.informed, task.inputs.papers) == (
        "Sleep question 1",
        3,
        False,
        False,
    )
    assert [
        f"[b1-{k}] Background {k} of 1 (no date)\nOn naps." for k in (1, 2)
    ] == task.inputs.review.split("\n\n")


def test_ideas_that_do_not_depend_on_the_indicator_are_written_once_for_all(tmp_path):
    runner, models, run = done(tmp_path, methods=("direct",), indicators=(NOVELTY, FEASIBILITY))
    assert asked_for(models) == Counter(
        {"direct-idea": 2 * 2, "six-fields": 2 * 2, "rank": 2 * 2 * 2}
    )
    assert progress(runner.store, run).counts["done"] == 4
    assert of_run(run).calls == 16


def test_every_contender_fills_a_cell(tmp_path):
    runner, models = runner_of(tmp_path, wide_script() | evolving() | question_script())
    runner.workshop.shelf_like = wide_source()
    on_sleep = freeze(runner.store, [target(1).model_copy(update={"topic": "sleep 2018"})])
    run = experiment(
        runner, methods=get_args(contenders.Contender), targets=on_sleep, every_round=True
    )
    assert runner.work(run.id) == "done"
    made = told(runner, run, Made)
    assert {
        one.cell.method: (one.state, len(one.ideas), {idea.form for idea in one.ideas})
        for one in made.values()
    } == {name: ("done", 2, {"six-field"}) for name in get_args(contenders.Contender)}
    rounds = {one.cell.method: len(one.by_round) for one in told(runner, run, Standings).values()}
    assert {name: n for name, n in rounds.items() if n == 0} == dict.fromkeys(
        ("initial", "direct", "rag", "chain"), 0
    ), "they have no rounds"
    assert (rounds["evolve"], rounds["infal"], rounds["no-discriminator"]) == (2, 3, 4)
    assert asked_for(models).total() <= of_run(run).calls
    assert runner.store.runs.get(run.id).steps == of_run(run).steps


def test_every_round_is_ranked_where_that_is_asked_for(tmp_path):
    runner, models, run = done(tmp_path, every_round=True, repeats=4)
    for one in told(runner, run, Standings).values():
        assert [round_ is not None for round_ in one.by_round] == [True] * 3
        assert one.by_round[0] == 0.0
        assert len(one.q) == 4
    assert asked_for(models)["rank"] == 2 * 4 * (3 + 1)


def test_without_a_judge_ideas_are_written_and_nobody_ranks_them(tmp_path):
    runner, models, run = done(tmp_path, judges=())
    assert not told(runner, run, Standings)
    assert len(told(runner, run, Made)) == 2
    assert "rank" not in asked_for(models)
    assert progress(runner.store, run).counts["done"] == 2


def test_the_estimate_covers_what_is_asked_and_is_exact_where_nothing_converges(tmp_path):
    given = {
        "methods": ("infal", "no-optimizer", "initial", "direct"),
        "indicators": (NOVELTY, FEASIBILITY),
        "every_round": True,
        "judges": MODELS[2:],
    }
    runner, models, run = done(
        tmp_path, {"verdict": lambda _: {"improved": True, "reason": "Better."}}, **given
    )
    estimated = of_run(run)
    assert estimated.calls == asked_for(models).total()
    assert asked_for(models)["rank"] == 2 * 2 * 2 * 2 * (5 + 5 + 1 + 1)
    assert estimated.steps == runner.store.runs.get(run.id).steps


# -- failures ----------------------------------------------------------------------------------


def test_the_builtin_model_as_judge_is_refused_beforehand(tmp_path):
    runner, _ = runner_of(tmp_path)
    with pytest.raises(
        BadInput,
        match=(
            r"builtin cannot rank ideas, which takes understanding them\. Choose a language model"
            r" as judge"
        ),
    ):
        can_rank(Workshop(runner.workshop.settings), ("builtin",))


def test_a_model_that_cannot_play_a_method_is_refused_beforehand(tmp_path, monkeypatch):
    runner, models = runner_of(tmp_path)
    monkeypatch.setattr(
        models[MODELS[0]], "answers", lambda prompt: prompt != "verdict", raising=False
    )
    with pytest.raises(
        BadInput, match="scripted:one cannot play 'infal': it does not answer the prompt 'verdict'"
    ):
        experiment(runner, methods=("initial", "infal"))
    assert experiment(runner, methods=("initial", "no-discriminator")).state == "queued"


@pytest.mark.parametrize(
    "given",
    [
        {"methods": ("infal", "infal")},
        {"models": ("a:b-c", "a:b c")},
        {"indicators": (NOVELTY, NOVELTY)},
        {"judges": ("scripted:judge", "scripted judge")},
    ],
)
def test_cells_that_would_share_a_name_are_refused(tmp_path, given):
    runner, _ = runner_of(tmp_path)
    with pytest.raises(BadInput, match="named twice"):
        asked(runner, **given)


def test_names_are_checked_along_the_edges_of_a_matrix(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path)
    given = asked(runner).model_dump()
    # Of a stranger's file it may have millions of cells.
    monkeypatch.setattr(sys.modules[SweepInputs.__module__], "cells", None)
    assert SweepInputs.model_validate(given).models
    many = ("infal", "initial") * 50_000
    with pytest.raises(ValueError, match="named twice"):
        SweepInputs.model_validate({**given, "methods": many})


def test_long_games_begin_first():
    order = ["chain", "infal", "no-discriminator", "evolve", "initial"]
    assert sorted(order, key=lambda name: -contenders.WRITERS[name].series(Stopping())) == [
        "infal",
        "chain",
        "no-discriminator",
        "evolve",
        "initial",
    ]


def test_targets_are_frozen_once_and_read_back_from_a_file(tmp_path):
    runner, _ = runner_of(tmp_path)
    file = tmp_path / "targets.jsonl"
    file.write_text("\n".join(target(n).model_dump_json() for n in (1, 2, 1)))
    made = freeze(runner.store, targets_in(file.name, file.read_bytes()))
    assert [one.title for one in made] == ["Target paper 1", "Target paper 2"]
    assert made == frozen(runner.store)
    run = experiment(runner)
    with pytest.raises(BadInput, match="has no targets"):
        targets_of(runner.store, run.id)


def test_a_preprint_of_the_target_under_another_id_is_banned_with_it():
    paper = target(1).paper.model_copy(
        update={"title": "Short naps restore the memory of adolescent athletes", "doi": "10.1/x"}
    )
    preprint = paper.model_copy(update={"id": "arxiv-2", "doi": None, "published": "2023-11-01"})
    other = paper.model_copy(
        update={
            "id": "other",
            "doi": None,
            "title": "Long naps restore the memory of adolescent athletes",
        }
    )
    one = target(1).model_copy(update={"paper": paper})
    task = contenders.tasks("rag", "rag/x", 1, "sleep", NOVELTY, Stopping(), one)[0]
    assert let_through(
        (preprint, other), task.inputs.query("naps").model_copy(update={"before": None})
    ) == (other,)
