"""Taking a run along: a bundle that holds every step, and Markdown in which text stays text."""

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from core.errors import BadInput, StoreFailed
from core.export.bundling import BUNDLE
from core.export.files import export
from core.export.markdown import markdown, plain
from core.literature.full_text import FullTexts
from core.literature.importing import read_file
from core.records import Idea
from tests.support.scripted import (
    FIRST,
    chain,
    chain_script,
    refine_script,
    refinement,
    runner_of,
    wide_script,
    wide_source,
)


def finished(folder, script, begin=chain, source=None, **more):
    """Work a run to its end; return its runner and the run."""
    runner, _ = runner_of(folder, script, source)
    run = begin(runner, **more)
    assert runner.work(run.id) == "done"
    return runner, run


def test_a_bundle_holds_every_step_with_its_request_reply_and_tries(tmp_path):
    runner, run = finished(tmp_path, chain_script())
    export(runner.store, run.id, tmp_path / "run.json")
    held = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert held["format"] == BUNDLE
    assert len(held["steps"]) == runner.store.runs.get(run.id).steps > 30
    review = next(step for step in held["steps"] if step["key"].endswith("/trend"))
    assert {"model", "prompt", "standing", "text", "schema", "sampling", "seed"} <= set(
        review["request"]
    )
    assert review["calls"][0]["tokens_in"] == 100
    assert set(held["prompts"]) == set(run.config.prompts)
    assert all(held["prompts"].values())


def test_a_chain_reads_from_its_papers_to_its_outcome(tmp_path):
    runner, run = finished(tmp_path, chain_script())
    text = markdown(runner.store, run.id)
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        "## The idea: Idea 1 from p2016",
        "## Novelty: claim and evidence",
        "## The chain",
        "## Experiment plan",
        "## References",
        "## The run",
        "## What was asked",
        "## References as BibTeX",
    ]
    assert text.count("**Motivation.**") == 1, "the idea is written out once"
    assert "Sleep memory study 2018" in text


def test_a_refinement_reads_round_by_round(tmp_path):
    runner, run = finished(tmp_path, refine_script([True, False, False]), refinement)
    text = markdown(runner.store, run.id)
    assert [line for line in text.splitlines() if line.startswith("## Round")] == [
        "## Round 1",
        "## Round 2",
        "## Round 3",
    ]
    assert "Verdict: no significant improvement (2 in a row)." in text
    assert "The refined idea is that of round " in text


def test_calls_of_unknown_price_are_named_never_counted_as_free(tmp_path):
    runner, run = finished(tmp_path, refine_script(), refinement)
    said = markdown(runner.store, run.id)
    assert re.search(r"- Cost: \d+ calls of unknown price\n", said)
    assert "$" not in said


def test_another_ending_is_refused_before_anything_is_written(tmp_path):
    runner, run = finished(tmp_path, refine_script(), refinement)
    with pytest.raises(BadInput, match=r"ends in .md, .docx, .pdf or .html"):
        export(runner.store, run.id, tmp_path / "run.odt")
    assert not (tmp_path / "run.odt").exists()


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    runner, run = finished(tmp_path, refine_script(), refinement)
    (tmp_path / "run.md").mkdir()
    with pytest.raises(StoreFailed, match="writing"):
        export(runner.store, run.id, tmp_path / "run.md")
    with pytest.raises(BadInput, match="There is no folder"):
        export(runner.store, run.id, tmp_path / "nowhere" / "run.md")


@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from("#*_`~<>[]()!|\\&;:/.-+=1 \nab$\"'"),
            st.characters(codec="utf-8", exclude_categories=("Cc",)),
        ),
        min_size=1,
    )
)
def test_text_in_markdown_reads_as_it_was_written(text):
    words = " ".join(text.split())
    for frame in ("{}", "- {}", "## {}", "1. {}", "above\n\n{}"):
        tokens = (
            MarkdownIt("commonmark")
            .enable("table")
            .enable("strikethrough")
            .parse(frame.format(plain(text)))
        )
        children = [child for token in tokens for child in token.children or ()]
        assert "".join(child.content for child in children).removeprefix("above") == words
        assert {child.type for child in children} <= {"text", "text_special"}
        wanted = [
            token.type
            for token in MarkdownIt("commonmark").parse(frame.format("words" if words else ""))
        ]
        assert [token.type for token in tokens] == wanted


def test_an_idea_is_exported_with_all_its_fields(tmp_path):
    runner, run = finished(
        tmp_path,
        refine_script([False]),
        refinement,
        idea=Idea(form="hypothesis", fields={"hypothesis": FIRST.text}),
    )
    assert FIRST.text in markdown(runner.store, run.id)


def test_a_chain_goes_along_as_bibtex_json_and_picture(tmp_path):
    runner, run = finished(
        tmp_path, wide_script(), lambda r: chain(r, topic="sleep 2018", branches=2), wide_source()
    )
    for name in ("run.bib", "chain.json", "graph.svg", "graph.png"):
        export(runner.store, run.id, tmp_path / name, branch=2 if name == "chain.json" else None)
    texts = FullTexts(runner.workshop.settings, runner.store.library)
    read = read_file("run.bib", (tmp_path / "run.bib").read_bytes(), texts)
    assert {paper.title for paper in read.papers} == {
        f"Sleep {line} study {year}" for line in ("memory", "light") for year in range(2016, 2021)
    }
    (held,) = json.loads((tmp_path / "chain.json").read_text("utf-8"))
    assert (held["branch"], [link["paper"]["id"] for link in held["chain"]["links"]]) == (
        2,
        [f"light{year}" for year in range(2016, 2021)],
    )
    assert (tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")
    root = ElementTree.fromstring((tmp_path / "graph.svg").read_bytes())
    assert root.tag.endswith("svg")
    export(runner.store, run.id, tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "graph.svg").read_bytes()


def test_one_branch_of_a_chain_reads_for_itself(tmp_path):
    runner, run = finished(
        tmp_path, wide_script(), lambda r: chain(r, topic="sleep 2018", branches=2), wide_source()
    )
    export(runner.store, run.id, tmp_path / "two.md", branch=2)
    text = (tmp_path / "two.md").read_text("utf-8")
    assert "Sleep light study 2018" in text
    assert "Sleep memory study 2018" not in text


@pytest.mark.parametrize(("name", "branch"), [("run.bib", 2), ("run.svg", None), ("run.json", 7)])
def test_a_run_without_that_chain_says_so(tmp_path, name, branch):
    runner, run = finished(tmp_path, refine_script(), refinement)
    with pytest.raises(BadInput, match="has no chain"):
        export(runner.store, run.id, tmp_path / name, branch)
