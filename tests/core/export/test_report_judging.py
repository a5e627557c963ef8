"""What leaves the house of evolutions, rankings, arenas and experiments: reports, bundles, tables,
papers, case studies; and what a fork of them takes.
"""

import io
import json
import zipfile

import pytest

from core.errors import BadInput, ModelFailed
from core.export.bundling import bundle
from core.export.document import document, summary
from core.export.files import export
from core.export.html import html
from core.export.markdown import markdown
from core.judging.ranked_sets import IdeaSet
from core.records import Paper, Wish
from tests.core.judging.test_ranked_sets import idea, prefers, ranked
from tests.core.methods.test_questioning import prepared
from tests.core.methods.test_seed_dataset import dataset
from tests.support.arena_kit import JUDGES, arena_shop, entries, held
from tests.support.dataset_kit import found
from tests.support.evolving import begun, evolve, evolving
from tests.support.report_kit import in_three
from tests.support.sweep_kit import experiment, runner_of
from tests.support.visiting import host, said, visit

SEED = Paper(
    id="w9", title="Replay in sleeping networks", authors=("Ada Lund",), year=2024, source="shelf"
)


@pytest.fixture
def swept(tmp_path):
    """A finished experiment, and its runner."""
    runner, _ = runner_of(tmp_path, {})
    run = experiment(runner)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id)


@pytest.fixture
def fought(tmp_path):
    """A finished arena, and its runner."""
    runner, _ = arena_shop(tmp_path)
    return runner, held(runner, entries(runner.store), judges=JUDGES)


def three_sets():
    return tuple(
        IdeaSet(name=name, ideas={n: idea(n) for n in "ab"}, target=idea("Paper"))
        for name in ("round-0", "My own ideas")
    )


def test_an_evolution_is_told_step_by_step_in_every_format(tmp_path):
    runner, _, run, _ = evolve(tmp_path)
    for text in in_three(runner.store, run.id).values():
        for part in (
            "The evolved idea",
            "How can replay be gated?",
            "Smith et al., 2024, replay all.",
            "Step 0: as it began",
            "Step 1, with its changes",
            "0 of 5 primary and 3 of 4 secondary items hold: s = 0, t = 3, r = 3",
            "3 of 5 primary and 3 of 4 secondary items hold: s = 3, t = 6, r = 6",
            "“The gate may not learn”: risk is weak. Do something for risk.",
            "Reward r of each version: 3, 6. Their sum R: 9.",
            "Scores by step",
        ):
            assert part in text
    assert "{++feasibility, grounding, problem,++}" in markdown(runner.store, run.id)


def test_what_a_judge_quotes_and_the_idea_does_not_say_is_no_quote(tmp_path):
    def judged(_):
        return {
            "reason": "It lacks.",
            "score": 0,
            "directive": {
                "span": "Quantum bananas settle the matter entirely",
                "issue": "It is weak.",
                "suggestion": "Say more.",
            },
        }

    runner, _, run, _ = evolve(tmp_path, script={"checklist-item": judged})
    for text in in_three(runner.store, run.id).values():
        assert "Quantum bananas" not in text
        assert "(The passage the judge quotes is not in the text.) It is weak. Say more." in text


def test_a_declined_directive_is_said_to_be_declined_where_it_stands(tmp_path):
    runner, _, run = begun(tmp_path)
    runner.store.answers.wish(run.id, Wish(by="Ada", decline="risk", of=0))
    assert runner.work(run.id) == "done"
    first, second = markdown(runner.store, run.id).split("## Step 1, with its changes")
    assert (
        "*Do something for risk. Declined by a person: the next step was not to follow it.*"
        in first
    )
    assert "Declined" not in second


def test_an_item_that_was_not_judged_and_a_discarded_idea_are_told_with_their_reasons(tmp_path):
    script = evolving()
    one_fails = {
        "checklist-item": lambda r: (
            ModelFailed("The judge is away.")
            if r.values["item"].name == "risk"
            else script["checklist-item"](r)
        )
    }
    runner, _, run, _ = evolve(tmp_path / "a", script=one_fails)
    text = markdown(runner.store, run.id)
    assert "Risk was not judged: " in text
    assert "r cannot be given, for not every item was judged." in text
    runner, _, run, _ = evolve(
        tmp_path / "b", script={"evolve-revise": lambda _: {"idea": "too short"}}
    )
    assert "Step 1: discarded" in markdown(runner.store, run.id)


def test_several_ideas_are_told_apart_and_summed_up_by_item(tmp_path):
    runner, _, run, _ = evolve(tmp_path, lines=2)
    text = markdown(runner.store, run.id)
    assert (
        text.index("The evolved idea 2")
        < text.index("## Idea 1")
        < text.index("## Idea 2")
        < text.index("Mean score per item")
    )
    with zipfile.ZipFile(io.BytesIO(_file(runner, run.id, tmp_path / "t.zip"))) as file:
        assert {
            "checklist-items.csv",
            "checklist-items.tex",
            "checklist-steps.md",
            "checklist-discards.csv",
        } <= set(file.namelist())


def _file(runner, run_id, to):
    export(runner.store, run_id, to)
    return to.read_bytes()


def test_the_papers_of_a_question_and_of_an_evolution_go_along_as_bibtex(tmp_path):
    runner, _, run, _ = prepared(tmp_path / "q", [found(n) for n in range(6)])
    assert _file(runner, run.id, tmp_path / "q.bib").count(b"@") == 6
    runner, _, run, _ = evolve(tmp_path / "e", seed=SEED)
    assert b"Replay in sleeping networks" in _file(runner, run.id, tmp_path / "e.bib")
    runner, _, run, _ = evolve(tmp_path / "none")
    with pytest.raises(BadInput, match="draws on no papers"):
        export(runner.store, run.id, tmp_path / "n.bib")


def test_a_ranking_is_told_with_q_orders_and_reasons(tmp_path):
    runner, _, run, _ = ranked(
        tmp_path, {"rank": prefers("a", "Paper", "b")}, sets=three_sets(), repeats=3
    )
    for text in in_three(runner.store, run.id).values():
        for part in (
            "Q by set, quality and judge",
            "0.500",
            "scripted:judge",
            "scripted:other",
            "Mean place of every idea",
            "Set: My own ideas",
            "The same text as a, set round-0.",
            "Shown in this order",
            "a, target, b",
            "Reasons, ranking 3",
            "target: Said.",
        ):
            assert part in text
    told = document(runner.store, run.id)
    assert {one["Q"] for one in told["tables"]["q"]} == {"0.500 [0.125, 0.875]"}
    assert len(told["standings"]) == 4
    with zipfile.ZipFile(io.BytesIO(_file(runner, run.id, tmp_path / "t.zip"))) as file:
        assert {"q.csv", "places.tex"} <= set(file.namelist())


def test_a_ranking_without_a_target_has_places_and_no_q(tmp_path):
    runner, _, run, _ = ranked(
        tmp_path,
        {"rank": prefers("c", "a", "b")},
        sets=(IdeaSet(name="final", ideas={name: idea(name) for name in "abc"}),),
    )
    text = markdown(runner.store, run.id)
    assert "Q by set" not in text
    assert "| final | novelty | scripted:judge | c title | c | 1.00 [1.00, 1.98] |" in text


def test_an_arena_is_told_with_ratings_judges_and_who_competed(fought, tmp_path):
    runner, run = fought
    for text in in_three(runner.store, run.id).values():
        for part in (
            "6 contests; 24 ballots by models, 0 by people",
            "Ratings by votes of models: All criteria pooled",
            "Ratings by votes of models: Novelty",
            "Share of matches won",
            "Health of the judges",
            "Agreement between judges",
            "Who competed",
            "real paper",
            "Not separable",
            "6 texts",
        ):
            assert part in text, part
    told = document(runner.store, run.id)
    assert told["ballots"] == {"models": 24, "people": 0}
    assert [
        one["Method"] for one in told["tables"]["arena-ratings-models-all-criteria-pooled"]
    ] == ["real paper", "direct", "chain"]
    kept = json.loads(bundle(runner.store, run.id))["arena"]
    assert (len(kept["ballots"]), len(kept["texts"])) == (24, 6)
    with zipfile.ZipFile(io.BytesIO(_file(runner, run.id, tmp_path / "t.zip"))) as file:
        assert {"arena-ratings-models-novelty.tex", "arena-judges-all-criteria-pooled.csv"} <= set(
            file.namelist()
        )


def test_an_arena_nobody_voted_in_says_so(tmp_path):
    runner, _ = arena_shop(tmp_path)
    run = held(runner, entries(runner.store), people_only=True)
    assert "Nobody has voted yet, so there are no ratings." in markdown(runner.store, run.id)
    with pytest.raises(BadInput, match="has no tables"):
        export(runner.store, run.id, tmp_path / "t.zip")


def test_an_experiment_is_told_with_its_tables_its_cells_and_what_its_runs_took(swept, tmp_path):
    runner, run = swept
    spent = runner.store.runs.spent(run.id)
    assert spent["calls"]
    for text in in_three(runner.store, run.id).values():
        for part in (
            "2 cells: 2 done, 0 failed, 0 running, 0 left",
            f"{spent['calls']} calls in {spent['runs']} runs",
            "Mean Q by method and model (as in table 1 of InfAL)",
            "Target paper 1",
            "2 targets",
        ):
            assert part in text, part
        assert "Calls: 0" not in text
    kept = json.loads(bundle(runner.store, run.id))["experiment"]
    assert len(kept["cells"]) == 2
    assert all(
        runner.store.runs.get(child).cell == name and child in markdown(runner.store, run.id)
        for name, child in kept["runs"].items()
    )
    assert "not in this file" in kept["note"]
    assert b"Target paper 2" in _file(runner, run.id, tmp_path / "t.bib")
    assert document(runner.store, run.id)["calls"] == spent["calls"] > summary(run)["calls"] == 0
    with zipfile.ZipFile(io.BytesIO(_file(runner, run.id, tmp_path / "t.zip"))) as file:
        assert {"quality.csv", "quality.tex", "convergence.md"} <= set(file.namelist())


def test_a_failed_cell_is_told_with_its_reason(tmp_path):
    runner, _ = runner_of(tmp_path, {"first-idea": lambda _: ModelFailed("No.")})
    run = experiment(runner)
    runner.work(run.id)
    text = markdown(runner.store, run.id)
    assert "2 cells: 0 done, 2 failed" in text
    assert "## Cells that failed" in text


def test_a_data_set_is_told_with_a_row_for_each_part_and_what_is_not_in_it(tmp_path):
    runner, _, _, run = dataset(tmp_path, works=3)
    assert runner.work(run.id) == "done"
    for text in in_three(runner.store, run.id).values():
        assert (
            text.index("3 of 3; 3 qualified")
            < text.index("The questions")
            < text.index("Literature review")
        )
        assert "A sampled work, number 1 of its kind" in text


def test_nothing_of_a_judged_text_becomes_markup(tmp_path):
    script = evolving()
    nasty = {
        "evolve-idea": lambda r: {
            "idea": (
                script["evolve-idea"](r)["idea"] + "\n<script>alert(1)</script> | [x](javascript:y)"
            )
        }
    }
    runner, _, run, _ = evolve(tmp_path, script=nasty)
    assert "<script>" not in html(runner.store, run.id)
    assert "\\<script>" in markdown(runner.store, run.id)


def test_the_list_of_runs_and_the_page_of_one_say_what_an_experiment_s_runs_took(
    swept, monkeypatch
):
    runner, run = swept
    host(monkeypatch, runner)
    assert "48 calls" not in said(visit("runs"))
    spent = runner.store.runs.spent(run.id)
    assert f"{spent['unpriced']} calls of unknown price" in said(visit("runs"))
    page = said(visit("runs", run=run.id))
    assert f"{spent['unpriced']} calls · " in page
    assert "price not known" in page


@pytest.mark.parametrize("tab", ["Settings", "What was asked", "Steps", "Forks", "Export"])
def test_the_page_of_runs_shows_every_kind_of_run(tmp_path, monkeypatch, fought, tab):
    runner, run = fought
    host(monkeypatch, runner)
    assert "An arena" in said(visit("runs", run=run.id, **{"runs:tab": tab}))
    for made in (
        evolve(tmp_path / "e"),
        ranked(tmp_path / "r", {"rank": prefers("a", "Paper", "b", "c")}),
    ):
        runner, run = made[0], made[2]
        host(monkeypatch, runner)
        assert runner.store.runs.get(run.id).title in said(
            visit("runs", run=run.id, **{"runs:tab": tab})
        )


def test_tables_and_papers_are_offered_where_there_are_some(tmp_path, monkeypatch, fought):
    def offered(runner, run_id):
        host(monkeypatch, runner)
        return [
            button.proto.label
            for button in visit("runs", run=run_id, **{"runs:tab": "Export"}).main.get(
                "download_button"
            )
        ][5:]

    assert offered(fought[0], fought[1].id) == [
        "Tables (zip)",
        "Ratings as SVG",
        "Ratings as PNG",
        "Votes (csv)",
    ]
    runner, _, run, _ = evolve(tmp_path / "e", seed=SEED)
    plays = "Plays by itself (HTML)"
    assert offered(runner, run.id) == [plays, "Tables (zip)", "BibTeX", "RIS", "CSL-JSON"]
    runner, _ = arena_shop(tmp_path / "people")
    assert offered(runner, held(runner, entries(runner.store), people_only=True).id) == []
