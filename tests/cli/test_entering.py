"""Ideas from anywhere, from the command line."""

import json

import pytest

from core.store import Store
from tests.support.headless import cli, server
from tests.support.scripted import FIRST

__all__ = ["cli", "server"]
TABLE = (
    "Idea;System;Topic;Model\nNaps help.;CoI;sleep;gpt\n;CoI;sleep;gpt\nNaps"
    " help.;CoI;sleep;gpt\nDim the light.;;sleep;gpt\n"
)


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "ideas.csv"
    file.write_text(TABLE)
    return str(file)


def test_a_file_is_brought_in_and_every_row_reported(cli, table):
    code, document, _ = cli("import-ideas", table, "--collection", "mine")
    assert (code, document["state"], document["counts"]) == (
        0,
        "imported",
        {"taken": 1, "known": 0, "refused": 3},
    )
    assert [one["where"] for one in document["refused"]] == ["line 3", "line 4", "line 5"]
    code, document, _ = cli(
        "import-ideas",
        table,
        "--collection",
        "mine",
        "--map",
        "text=Idea",
        "--map",
        "topic=Model",
        "--method",
        "Ours",
    )
    assert [(one["method"], one["topic"]) for one in document["taken"]] == [
        ("Ours", "gpt"),
        ("Ours", "gpt"),
    ]
    _, document, _ = cli("collections")
    assert [
        (one["name"], one["entries"], one["methods"], one["topics"])
        for one in document["collections"]
    ] == [("mine", 3, 2, 2)]


def test_looking_takes_nothing(cli, table, tmp_path):
    code, document, _ = cli("import-ideas", table, "--look")
    assert (code, document["file"]["rows"], document["mapping"]["places"]["method"]) == (
        0,
        4,
        "System",
    )
    assert Store(tmp_path / "data").entries.bunches() == []


def test_fields_of_a_form_are_mapped_one_by_one(cli, tmp_path):
    parts = ("setup", "models", "datasets", "baselines", "metrics", "procedure", "analysis")
    file = tmp_path / "designs.json"
    file.write_text(json.dumps([{f"x {part}": f"The {part}." for part in parts}]))
    words = [word for part in parts for word in ("--map", f"design.{part}=x {part}")]
    code, document, _ = cli(
        "import-ideas",
        str(file),
        "--collection",
        "d",
        "--kind",
        "design",
        "--method",
        "M",
        "--topic",
        "T",
        *words,
    )
    assert (code, [one["kind"] for one in document["taken"]]) == (0, ["design"])


def test_a_column_of_titles_is_said(cli, tmp_path):
    file = tmp_path / "own.csv"
    file.write_text("What,Called,System,Topic\nNaps help.,Naps,A,sleep\n")
    mapped = ("--map", "text=What", "--map", "title=Called", "--method", "A", "--topic", "sleep")
    code, document, _ = cli("import-ideas", str(file), "--collection", "mine", *mapped)
    assert (code, [one["title"] for one in document["taken"]]) == (0, ["Naps"])
    wrong = ("--kind", "design", *mapped)
    assert cli("import-ideas", str(file), "--collection", "mine", *wrong)[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--collection", "mine", "--map", "Idea"), "say WHAT=COLUMN"),
        (("--collection", "mine", "--map", "text=Nowhere"), "has no column 'Nowhere'"),
        (("--collection", " "), "Name the collection"),
        ((), "Name the collection"),
        (("--collection", "mine", "--map", "idea.title=Idea"), "every field of one form"),
        (("--collection", "mine", "--map", "design.setup=Idea"), "say WHAT=COLUMN"),
    ],
)
def test_what_cannot_be_meant_is_refused(cli, table, words, said):
    code, document, _ = cli("import-ideas", table, *words)
    assert (code, document["state"], said in document["reason"]) == (2, "refused", True)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x" * 50_000_000, "50.0 MB"),
        (b"\0" * 500, "holds no text"),
        (b"a,b\n1,2\n", "say which, with --map text=COLUMN"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(cli, tmp_path, data, said):
    file = tmp_path / "bad.csv"
    file.write_bytes(data)
    code, document, _ = cli("import-ideas", str(file), "--collection", "mine")
    assert (code, said in document["reason"]) == (2, True)
    assert cli("import-ideas", str(tmp_path / "none.csv"), "--collection", "mine")[0] == 2


def test_a_file_whose_rows_are_all_bad_ends_with_two(cli, tmp_path):
    (tmp_path / "bad.csv").write_text("idea\nNo method.\n")
    code, document, _ = cli("import-ideas", str(tmp_path / "bad.csv"), "--collection", "mine")
    assert (code, document["counts"]) == (2, {"taken": 0, "known": 0, "refused": 1})


def test_the_shelf_is_gathered_taken_along_and_removed(cli, tmp_path):
    idea = Store(tmp_path / "data").ideas.save(FIRST, None, "written by hand")
    assert cli("gather", "--collection", "mine", "--idea", idea)[0] == 2
    code, document, _ = cli(
        "gather", "--collection", "mine", "--idea", idea, "--method", "Ada", "--topic", "naps"
    )
    assert (code, document["gathered"][0]["counts"]["taken"]) == (0, 1)
    assert (
        cli("gather", "--collection", "mine")[0]
        == cli("gather", "--collection", "mine", "--run", "nowhere")[0]
        == 2
    )
    file = tmp_path / "mine.jsonl"
    assert cli("collections", "--export", "mine", "--to", str(file))[0] == 0
    assert cli("collections", "--remove", "mine")[1]["entries"] == 1
    assert (
        cli("collections", "--remove", "mine")[0]
        == cli("collections", "--export", "mine", "--to", str(file))[0]
        == 2
    )
    code, document, _ = cli("import-ideas", str(file), "--collection", "mine")
    assert [(one["method"], one["topic"]) for one in document["taken"]] == [("Ada", "naps")]


WHATEVER = "the field of the topic"


@pytest.mark.parametrize(
    ("given", "area"),
    [((), WHATEVER), (("--area", ""), WHATEVER), (("--area", "sleep"), "sleep")],
)
def test_an_empty_area_of_a_ranking_is_none_given(cli, tmp_path, given, area):
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text(f"The idea of {file.stem}: naps restore what learning wears out.")
    code, document, _ = cli("rank", "--ideas", *map(str, files), "--person", *given)
    assert (code, document["state"]) == (4, "waiting")
    run = Store(tmp_path / "data").runs.get(document["run"])
    assert run.config.inputs["area"] == area
