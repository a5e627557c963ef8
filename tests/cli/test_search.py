"""Searching from the command line."""

import json

import pytest

from core.__main__ import main
from core.records import Idea
from core.store import Store
from tests.conftest import make_run


@pytest.fixture
def folder(tmp_path):
    store = Store(tmp_path / "data")
    idea = Idea(form="hypothesis", fields={"hypothesis": "Quokkas nap\nin the shade."})
    store.ideas.save(idea, None, "written by hand")
    make_run(store, inputs={"topic": "quokka sleep"})
    return str(tmp_path / "data")


def test_what_is_found_is_printed_by_kind(folder, capsys):
    assert main(["search", "quok", "--data", folder]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "Ideas (1 of 1)",
        "",
        "Runs (1 of 1)",
    ]
    assert "*Quokkas* nap in the shade." in [line.strip() for line in lines]
    assert any(line.strip().startswith("Kept idea · written by hand · 20") for line in lines)


def test_one_kind_alone_as_json(folder, capsys):
    assert main(["search", "quok", "--kind", "runs", "--json", "--data", folder]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["run"], document["state"], document["totals"]) == (None, "found", {"runs": 1})
    (run,) = document["found"]
    assert (run["kind"], run["title"], run["passage"]) == ("run", "A test", "*quokka* sleep")


def test_nothing_found_is_said(folder, capsys):
    assert main(["search", '"', "--data", folder]) == 0
    assert "Nothing holds all these words." in capsys.readouterr().out
