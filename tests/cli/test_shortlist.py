"""A shortlist from the command line, over the built-in papers and a loopback model server."""

import json

import pytest

from tests.support.headless import MODEL, cli, server

__all__ = ["cli", "server"]
ROLES = ("--model", MODEL, "--cheap-model", MODEL)
SMALL = (
    *("--branches", "1", "--ideas-per-branch", "2", "--length", "2", "--novelty-rounds", "1"),
    *("--papers", "5", "--max-rounds", "1", "--seed", "7", "--dated", "2026-11-25"),
)


@pytest.fixture
def ideas(tmp_path):
    file = tmp_path / "ideas.csv"
    file.write_text(
        "title,idea\n"
        "Naps,Short naps before evening training restore the memory of adolescent athletes.\n"
        "Light,Bright light in the morning moves the sleep of shift workers forward.\n"
        "Empty,\n"
    )
    return file


def test_it_is_estimated_run_and_told_as_json(cli, server):
    code, document, _ = cli("shortlist", "sleep in athletes", *ROLES, *SMALL, "--estimate")
    guess = document["estimate"]
    assert code == 0
    assert server.calls == []
    assert "model calls" in document["in_words"]
    code, document, _ = cli("shortlist", "sleep in athletes", *ROLES, *SMALL, "--ideas", "2")
    assert (code, document["state"], document["method"]) == (0, "done", "shortlist")
    assert document["calls"] == len(server.calls)
    assert 0.5 * guess["calls"] <= document["calls"] <= guess["most"]
    assert document["provisional"] is False
    assert len(document["shortlist"]) == 2
    assert [one["stage"] for one in document["stages"]] == [
        "explore",
        "part",
        "refine",
        "check",
        "compare",
        "shortlist",
    ]
    assert document["inputs"]["keep"] == 2


def test_it_stops_after_a_stage_and_goes_on_with_an_answer_and_by_a_fork(cli, server):
    asked = ("shortlist", "sleep in athletes", *ROLES, *SMALL, "--stop-after", "refine")
    code, document, _ = cli(*asked)
    assert (code, document["state"]) == (4, "waiting")
    assert document["provisional"] is True
    assert document["shortlist"], "what there is stands as provisional"
    (command,) = document["next"]
    assert "answer" in command
    assert "refine/choices --confirm" in command
    run, paid = document["run"], len(server.calls)
    code, refused, err = cli("answer", run, "refine/choices", "--with", '{"dropped": [7]}')
    assert code == 2
    assert "there is no idea 7 to choose here" in str(refused) + err
    told = json.dumps({"pinned": [2], "by": "Ada"})
    code, document, _ = cli("answer", run, "refine/choices", "--with", told, "--by", "Ada")
    assert (code, document["state"]) == (0, "done")
    assert [card["n"] for card in document["shortlist"] if card["pinned"]] == [2]
    checked = len(server.calls) - paid
    assert checked > 0
    paid = len(server.calls)
    code, forked, _ = cli("fork", run, "--at", "refine/choices")
    assert (code, forked["state"]) == (4, "waiting")
    assert len(server.calls) == paid
    code, forked, _ = cli("answer", forked["run"], "refine/choices", "--confirm")
    assert (code, forked["state"]) == (0, "done")
    assert len(server.calls) == paid, "nothing that stayed the same is asked again"


def test_ideas_of_ones_own_enter_at_the_second_stage(cli, server, ideas):
    asked = (*ROLES, "--from", str(ideas), "--no-refining", "--papers", "5", "--no-checklist")
    code, document, _ = cli("shortlist", "sleep", *asked)
    assert (code, document["state"]) == (0, "done")
    assert document["stages"][0]["runs"] == []
    assert [one["listed"]["source"] for one in document["ideas"]] == ["own idea 1", "own idea 2"]
    (refused,) = document["refused"]
    assert "row" in refused["where"] or refused["reason"]


def test_mistakes_are_told_before_anything_begins(cli, server, tmp_path, ideas):
    for words, said in (
        (("shortlist", "", *ROLES), "The topic is empty"),
        (("shortlist", "sleep", *ROLES, "--branches", "0"), "give two ideas of your own"),
        (("shortlist", "sleep", *ROLES, "--ideas", "99"), "Keep"),
        (("shortlist", "sleep", *ROLES, "--from", str(tmp_path / "none.csv")), "cannot be read"),
        (("shortlist", "sleep", "--model", "builtin", "--revise"), "cannot revise ideas"),
    ):
        code, document, err = cli(*words)
        assert code == 2, words
        assert said in document["reason"] + err, document
    assert server.calls == []


def test_a_word_on_the_ideas_answers_where_it_is_asked_and_forks_elsewhere(cli, server, ideas):
    asked = ("shortlist", "sleep in athletes", *ROLES, *SMALL, "--designs", "0")
    code, waiting, _ = cli(*asked, "--stop-after", "part")
    assert (code, waiting["state"]) == (4, "waiting")
    run = waiting["run"]
    code, document, _ = cli("choose", run, "--after", "part", "--add", str(ideas), "--by", "Ada")
    assert (code, document["state"], document["run"]) == (0, "done", run)
    assert [one["n"] for one in document["ideas"]] == [1, 2, 3, 4]
    paid = len(server.calls)
    code, fork, _ = cli("choose", run, "--after", "check", "--drop", "1", "--pin", "3")
    assert (code, fork["state"], fork["parent"]) == (0, "done", run)
    assert len(server.calls) == paid
    assert 1 not in [card["n"] for card in fork["shortlist"]]
    assert [card["n"] for card in fork["shortlist"] if card["pinned"]] == [3]
