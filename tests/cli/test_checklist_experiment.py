"""Models compared by the checklist from the command line, over a loopback model server."""

import json

import pytest

from tests.cli.test_evolve import server
from tests.support.headless import MODEL, cli

__all__ = ["cli", "server"]


@pytest.fixture
def questions(tmp_path):
    rows = [{"question": f"How can replay {n} be gated?", "seed": f"s{n}"} for n in range(4)]
    file = tmp_path / "questions.json"
    file.write_text(json.dumps(rows))
    return str(file)


def test_held_out_questions_of_a_file_are_answered_revised_and_scored(cli, server, questions):
    asked = (
        *("experiment", "checklist", "--questions", questions, "--held-out", "2"),
        *("--generators", MODEL, "--providers", MODEL, "--scorer", MODEL),
    )
    code, document, _ = cli(*asked, "--estimate")
    # For each question a first idea and two revisions, each scored by seven items: what scores the
    # first gives its directives too.
    most = 2 * (1 + 2 + 3 * 7)
    assert (code, document["estimate"]["calls"], server.calls) == (0, most, [])
    assert any("gives directives" in one for one in document["mind"])
    code, document, _ = cli(*asked)
    assert (code, document["method"], document["state"]) == (0, "checklist-experiment", "done")
    assert document["cells"]["done"] == 4
    assert len(server.calls) <= most
    assert "gives directives" in document["scoring"]


def test_without_a_scorer_or_a_held_out_question_it_says_what_to_give(cli, questions):
    words = ("experiment", "checklist", "--questions", questions)
    code, _, error = cli(*words, "--generators", MODEL)
    assert code == 2
    assert "who scores, with --scorer" in error
    code, _, error = cli(*words, "--generators", MODEL, "--scorer", MODEL, "--held-out", "0")
    assert code == 2
    assert "hold out no question" in error
