"""Case studies from the command line: pack, open, list, close; one document each."""

import pytest

from core.cases.bundled import bundled, opened
from tests.support.case_kit import packed_bytes
from tests.support.headless import MODEL, cli, server
from tests.support.sweep_kit import done

__all__ = ["cli", "server"]


def made(cli) -> dict:
    code, document, _ = cli(
        "refine",
        "--topic",
        "retrieval of learned operators",
        "--model",
        MODEL,
        "--cheap-model",
        MODEL,
        "--max-rounds",
        "1",
    )
    assert code == 0, document["reason"]
    return document


def test_a_run_is_packed_opened_listed_and_closed(cli, tmp_path, server):
    run, file = made(cli), tmp_path / "case.json"
    code, packed, _ = cli(
        "pack",
        run["run"],
        "--to",
        str(file),
        "--about",
        "One round.",
        "--by",
        "Ada",
        "--title",
        "Operators",
    )
    assert (code, packed["run"], packed["bytes"]) == (0, run["run"], file.stat().st_size)
    calls = len(server.calls)
    code, opened, _ = cli("open", str(file))
    assert (
        code,
        opened["state"],
        opened["title"],
        opened["packed"]["about"],
        opened["packed"]["by"],
    ) == (0, "done", "Operators", "One round.", "Ada")
    assert (opened["rounds"], opened["outcome"], opened["calls"], opened["cost_known"]) == (
        run["rounds"],
        run["outcome"],
        run["calls"],
        run["cost_known"],
    )
    _, listed, _ = cli("cases")
    assert [one["run"] for one in listed["opened"]] == [opened["run"]]
    assert [one["run"] for one in cli("runs")[1]["runs"]] == [run["run"]]
    assert cli("show", opened["run"])[1]["steps_list"] == cli("show", run["run"])[1]["steps_list"]
    assert cli("close", opened["run"])[1]["note"] == "closed"
    assert cli("cases")[1]["opened"] == []
    assert len(server.calls) == calls


def test_a_run_and_a_case_study_are_packed_as_a_page_that_plays(cli, tmp_path):
    page = tmp_path / "replay.html"
    _, case, _ = cli("open", "orexin-novelty")
    code, packed, _ = cli("pack", case["run"], "--to", str(page))
    assert (code, packed["bytes"]) == (0, page.stat().st_size)
    assert "unsigned" not in packed
    assert "Round 7" in page.read_text()
    run = made(cli)
    assert cli("pack", run["run"], "--to", str(page), "--title", "Mine & yours")[0] == 0
    assert "<title>Mine &amp; yours</title>" in page.read_text()


def test_an_experiment_is_packed_with_its_runs_and_its_size_is_said_before(cli, tmp_path):
    runner, _, run = done(tmp_path / "data", methods=("direct",))
    many = len(runner.store.sweeps.begun(run.id))
    sizes = []
    for more in ((), ("--without-steps",)):
        file = tmp_path / "case.json"
        code, packed, noted = cli("pack", run.id, "--to", str(file), *more)
        assert (code, packed["runs"], packed["stepwise"]) == (0, many, not more)
        assert f"Packing {many} runs, about 0." in noted
        sizes.append(packed["bytes"])
        code, opened, _ = cli("open", str(file))
        assert (code, opened["state"], opened["title"]) == (0, "done", "An experiment")
        assert cli("close", opened["run"])[1]["note"] == "closed"
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("open", "nowhere.json"), "cannot be read"),
        (("pack", "nope", "--to", "x.json"), "no run 'nope'"),
        (("pack", "nope", "--to", "no/where/x.json"), "no folder"),
        (("close", "nope"), "no run 'nope'"),
        (("open",), "required"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(cli, words, said):
    code, document, _ = cli(*words)
    assert (code, document["state"]) == (2, "refused")
    assert said in document["reason"]


def test_a_file_that_is_none_is_refused(cli, tmp_path):
    (tmp_path / "case.json").write_bytes(packed_bytes()[:-20])
    code, document, _ = cli("open", str(tmp_path / "case.json"))
    assert code == 2
    assert "cut short" in document["reason"]


def test_a_run_is_not_packed_over_a_folder(cli, tmp_path):
    run = made(cli)
    (tmp_path / "case.json").mkdir()
    code, document, _ = cli("pack", run["run"], "--to", str(tmp_path / "case.json"))
    assert code == 3
    assert "writing" in document["reason"]


def test_a_bundled_case_study_opens_by_its_name(cli, tmp_path, monkeypatch):
    (tmp_path / "naps.json").write_bytes(packed_bytes())
    monkeypatch.setattr("core.commands.packing.bundled", lambda: bundled(tmp_path))
    monkeypatch.setattr(
        "core.commands.packing.opened", lambda store, name: opened(store, name, tmp_path)
    )
    assert [one["name"] for one in cli("cases")[1]["bundled"]] == ["naps"]
    assert cli("open", "naps")[1]["packed"]["about"] == "What it shows."
