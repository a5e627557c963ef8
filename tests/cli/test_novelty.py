"""Novelty checks from the command line, over the built-in papers and a loopback model server."""

import json

import pytest

from tests.support.headless import MODEL, cli, server

__all__ = ["cli", "server"]
TEXT = (
    "Sleep loss in adolescent athletes is hard to treat because evening training keeps them awake."
    " The Fourier neural operator (FNO) parameterizes the integral kernel of a neural operator"
    " directly in Fourier space."
)


@pytest.fixture
def idea(tmp_path):
    file = tmp_path / "idea.txt"
    file.write_text(TEXT)
    return str(file)


def test_a_deep_check_is_estimated_run_overruled_exported_and_feeds_a_chain(cli, idea, tmp_path):
    asked = ("novelty", idea, "--model", MODEL, "--papers", "6", "--dated", "2026-01-01")
    code, document, _ = cli(*asked, "--deep", "--estimate")
    assert (code, document["estimate"]["calls"]) == (0, 8)
    code, document, _ = cli(*asked, "--deep")
    assert (code, document["state"], document["method"]) == (0, "done", "novelty")
    matrix, verdict = document["matrix"], document["verdict"]
    assert len(matrix["claims"]) == 2
    assert len(matrix["works"]) == 6
    assert set(verdict) >= {"state", "sentence", "risk", "confidence", "coverage", "sources"}
    (covering,) = [one for one in matrix["cells"] if one["state"] == "covers"]
    assert covering["paper_quote"]["quote"].startswith("The Fourier neural operator")
    assert covering["quoted_from"] == "summary"
    code, ruled, _ = cli(
        *("overrule", document["run"], "--claim", str(covering["claim"])),
        *("--work", covering["work"], "--state", "does not", "--reason", "Other.", "--by", "Ada"),
    )
    assert (code, ruled["state"], ruled["calls"]) == (0, "done", 0)
    assert (ruled["parent"], ruled["verdict"]["state"]) == (document["run"], "nothing found")
    for ending in ("md", "html", "docx", "pdf", "json"):
        code, _, _ = cli("export", ruled["run"], "--to", str(tmp_path / f"n.{ending}"))
        assert code == 0
    text = (tmp_path / "n.md").read_text()
    assert "Overruled by Ada, in place of 'covers': Other." in text
    assert "(built-in summary)" in text
    code, chain, _ = cli(
        *(
            "chain",
            "sleep in athletes",
            "--model",
            MODEL,
            "--cheap-model",
            MODEL,
            "--branches",
            "1",
            "--length",
            "1",
        ),
        *("--no-design", "--not-again", document["run"]),
    )
    assert code == 0
    (known,) = chain["inputs"]["known"]
    assert known["direction"].startswith("mechanism: The Fourier neural operator")


def test_the_quick_form_and_ideas_of_runs_and_of_the_page_ideas(cli, idea):
    code, document, _ = cli("novelty", idea, "--model", MODEL)
    assert (code, document["calls"]) == (0, 2)
    assert document["check"]["claim"]
    code, made, _ = cli("baseline", "direct", "sleep in athletes", "--model", MODEL)
    assert code == 0
    code, checked, _ = cli(
        "novelty", "--run", made["run"], "--model", MODEL, "--papers", "5", "--deep"
    )
    assert (code, checked["inputs"]["from_run"]) == (0, made["run"])
    assert checked["inputs"]["idea"] == made["outcome"]["idea"]


def test_what_is_missing_or_wrong_is_said(cli, idea):
    code, document, _ = cli("novelty")
    assert (code, document["state"]) == (2, "refused")
    assert "Say which idea is checked" in document["reason"]
    code, document, _ = cli("novelty", idea, "--dated", "soon")
    assert (code, document["reason"][:6]) == (2, "Dated:")
    code, document, _ = cli(
        "overrule", "nope", "--claim", "1", "--work", "x", "--state", "covers", "--reason", "r"
    )
    assert code == 2
    code, document, _ = cli("novelty", "--run", "nope")
    assert code == 2


def test_labelled_ideas_in_another_shape_ask_for_a_mapping_and_are_measured(cli, tmp_path):
    rows = [
        {"entry": {"pitch": f"{TEXT} Case {n}.", "n": n}, "raters": {"final": "AB"[n % 2]}}
        for n in range(67)
    ]
    file = tmp_path / "other.json"
    file.write_text(json.dumps(rows))
    asked = ("novelty", "--check-labelled", str(file), "--model", MODEL)
    code, document, _ = cli(*asked)
    assert code == 2
    assert "Nothing was started" in document["reason"]
    more = (
        "--map",
        "text=entry.pitch",
        "--map",
        "label=raters.final",
        "--new",
        "A",
        "--known",
        "B",
    )
    code, document, _ = cli(*asked, *more, "--estimate")
    assert (code, document["ideas"], document["labelled_known"]) == (0, 67, 33)
    limits = ("--limit", "12", "--depth", "deep", "--papers", "5", "--around", "1")
    code, document, _ = cli(*asked, *more, *limits)
    assert (code, document["state"], document["checks"]) == (
        0,
        "done",
        {"ended": 12, "planned": 12},
    )
    (row,) = document["tables"][0]["rows"]
    assert len(row) == 12
    assert len(document["found"]) == 1
    code, again, _ = cli("show", document["run"])
    assert (code, again["tables"], again["runs_made"]) == (0, document["tables"], 12)
