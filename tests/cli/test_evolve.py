"""Evolving and judging by checklist from the command line, over a loopback model server."""

import json

import pytest

from core.store import Store
from tests.support.evolving import WELL
from tests.support.headless import MODEL, cli
from tests.support.playing import actor
from tests.support.schema_instances import asked_schema
from tests.support.servers.openai_server import OpenAIServer

__all__ = ["cli"]
START = ("--question", "How can replay be gated?", "--no-papers", "--model", MODEL)


def evolver(body):
    """Write an idea whenever one is asked for; judge as the request's own dice fall."""
    if set((asked_schema(body) or {}).get("properties", {})) == {"idea"}:
        return {"idea": WELL}
    made = actor(body)
    return (
        made | {"directive": {"span": "We ablate the gate.", "issue": "weak", "suggestion": "more"}}
        if "directive" in made
        else made
    )


@pytest.fixture
def server():
    with OpenAIServer(script=evolver) as server:
        yield server


@pytest.fixture
def idea(tmp_path):
    file = tmp_path / "idea.md"
    file.write_text(WELL)
    return str(file)


def test_an_idea_is_evolved_and_told_step_by_step(cli, server):
    code, document, _ = cli("evolve", *START)
    assert (code, document["method"], document["state"]) == (0, "evolve", "done")
    (line,) = document["lines"]
    for step in line["steps"]:
        assert len(step["scores"]["vector"]) == 9
        assert step["scores"]["reward"] is not None
    assert document["discards"] == {"ideas": len(line["steps"]), "discarded": 0, "share": 0.0}
    assert document["calls"] == len(server.calls) == 8 * len(line["steps"])


def test_several_uninformed_ideas_with_a_scorer_of_their_own(cli, server):
    code, document, _ = cli(
        "evolve", *START, "--uninformed", "--ideas", "2", "--scorer-model", MODEL, "--by-model"
    )
    assert (code, [len(line["steps"]) for line in document["lines"]]) == (0, [2, 2])
    assert {step["feedback"] is None for line in document["lines"] for step in line["steps"]} == {
        True
    }
    assert (document["inputs"]["apart"], document["calls"]) == (True, 4 * 10)


def test_a_review_and_an_idea_of_ones_own_are_read_from_files(cli, tmp_path, idea):
    review = tmp_path / "review.txt"
    review.write_text("Smith et al., 2024, replay all.\n")
    code, document, _ = cli(
        "evolve",
        "--question",
        "How?",
        "--review",
        str(review),
        "--idea",
        idea,
        "--model",
        MODEL,
        "--steps",
        "1",
    )
    assert (code, document["prepared"]["review"]) == (0, "Smith et al., 2024, replay all.")
    assert document["lines"][0]["steps"][0]["idea"] == {"form": "headed", "fields": {"text": WELL}}


def test_a_person_steps_in_and_declines(cli):
    code, document, _ = cli("evolve", *START, "--step-in", "--seed", "5")
    assert (code, document["state"]) == (4, "waiting")
    code, document, _ = cli(
        "answer",
        document["run"],
        "step-1/declines",
        "--with",
        json.dumps({"items": ["risk", "method", "problem"]}),
    )
    assert (code, document["state"]) == (0, "done")
    offered = {
        one["item"]
        for one in document["lines"][0]["steps"][0]["scores"]["items"]
        if one["score"] == 0
    }
    assert set(document["lines"][0]["steps"][1]["declined"]) == offered & {
        "risk",
        "method",
        "problem",
    }


def test_directives_are_declined_beforehand_and_only_where_a_revision_comes(cli, tmp_path):
    _, document, _ = cli("evolve", *START, "--step-in")
    run = document["run"]
    code, document, _ = cli(
        "decline", run, "--step", "0", "--item", "risk", "--item", "method", "--by", "Ada"
    )
    assert (code, [one["decline"] for one in document["pending"]]) == (0, ["risk", "method"])
    assert len(Store(tmp_path / "data").answers.pending(run)) == 2
    code, document, _ = cli("decline", run, "--step", "1", "--item", "risk")
    assert (code, "the last one is not revised" in document["reason"]) == (2, True)


def test_the_builtin_model_is_refused_before_anything_starts(cli):
    for words in (
        ("evolve", "--topic", "replay", "--model", "builtin"),
        ("evolve", *START, "--judge-model", "builtin"),
    ):
        code, document, _ = cli(*words)
        assert (code, document["run"]) == (2, None)
        assert "Choose a language model" in document["reason"]
    assert cli("runs")[1]["runs"] == []


def test_a_file_is_judged_by_code_alone_without_a_language_model(cli, server, idea):
    code, document, _ = cli("checklist", idea, "--model", "builtin")
    assert (code, document["run"], document["vector"]) == (0, None, [None] * 7 + [1, 1])
    assert server.calls == []


def test_a_file_is_judged_by_all_items_with_a_language_model(cli, server, idea):
    code, document, _ = cli("checklist", idea, "--model", MODEL)
    assert (code, document["calls"], len(server.calls)) == (0, 7, 7)
    assert document["lines"][0]["steps"][0]["scores"]["vector"][-2:] == [1, 1]


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("A paragraph of an idea.", ("--model", "builtin"), "code decides only length and layout"),
        (WELL, ("--model", "builtin", "--by-model"), "understands nothing"),
        ("   ", ("--model", MODEL), "is empty"),
        ('{"a": 1}', ("--model", MODEL), "not JSON with the fields"),
    ],
)
def test_what_cannot_be_judged_is_said(cli, tmp_path, text, words, said):
    file = tmp_path / "given.txt"
    file.write_text(text)
    code, document, _ = cli("checklist", str(file), *words)
    assert (code, document["run"]) == (2, None)
    assert said in document["reason"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", MODEL), "--topic, --question"),
        ((*START, "--steps", "11"), "Steps"),
        ((*START, "--uninformed", "--step-in"), "nothing to accept or decline"),
    ],
)
def test_what_cannot_be_asked_is_said(cli, words, said):
    code, document, _ = cli("evolve", *words)
    assert (code, said in document["reason"]) == (2, True), document["reason"]
