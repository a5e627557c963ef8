"""The arena from the command line: held, extended, looked at, voted in, and votes brought in."""

import csv
import json

import pytest

from core.records import IDEA_CRITERIA
from core.store import Store
from tests.support.arena_kit import METHODS, TOPICS, one_paragraph
from tests.support.arena_kit import entry as made_entry
from tests.support.headless import MODEL, cli, server
from tests.support.playing import actor

__all__ = ["cli", "server"]
SAY = [word for name in IDEA_CRITERIA for word in ("--say", f"{name}=1")]


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "data")


@pytest.fixture
def collected(store):
    """Return what puts a method's texts on both topics into a collection."""

    def collect(*methods, name="ours", text=None):
        found = [made_entry(store, method, topic, text) for topic in TOPICS for method in methods]
        store.entries.add(
            tuple(
                (one.model_copy(update={"id": "", "collection": name}), one.method) for one in found
            )
        )

    return collect


def held(cli, *words):
    code, document, _ = cli("arena", "--collection", "ours", *words)
    assert code == 0, document["reason"]
    return document


def test_an_arena_is_held_by_a_model_and_its_ratings_are_shown(cli, server, collected):
    collected(*METHODS)
    document = held(cli, "--judge", MODEL, "--name", "Which is best")
    assert (document["state"], document["calls"], len(server.calls)) == ("done", 12, 12)
    assert document["played"] == {
        "contests": 6,
        "matches": 12,
        "judged": 12,
        "failed": {},
        "reason": "",
    }
    assert document["ballots"] == {"models": 12, "people": 0}
    assert {one["player"] for one in document["ratings"]} == set(METHODS)
    code, shown, _ = cli(
        "arena", "--show", document["run"], "--who", "models", "--criterion", "clarity", "--health"
    )
    assert (code, shown["criterion"], shown["matches"]) == (0, "clarity", 6)
    assert shown["health"]["judges"][0]["Judge"] == MODEL


def test_a_new_method_costs_its_missing_matches_only(cli, server, collected):
    collected(*METHODS)
    first = held(cli, "--judge", MODEL)
    collected("newcomer", name="theirs")
    code, document, _ = cli("arena", "--extend", first["run"], "--collection", "theirs")
    assert (code, document["parent"], document["calls"], document["ballots"]["models"]) == (
        0,
        first["run"],
        12,
        24,
    )
    code, document, _ = cli("arena", "--extend", first["run"], "--collection", "ours")
    assert (code, "Nothing is new" in document["reason"]) == (2, True)


def test_the_built_in_model_is_refused_beforehand_and_told_what_to_do_instead(
    cli, store, collected
):
    collected(*METHODS)
    for words in (("--judge", "builtin"), ()):
        code, document, _ = cli("arena", "--collection", "ours", *words)
        assert (code, document["run"]) == (2, None)
        assert all(
            said in document["reason"]
            for said in ("language model", "--people-only", "import judgments")
        )
    assert store.runs.listed() == []


def test_people_vote_blind_on_an_arena_of_their_own(cli, collected, store):
    for n, method in enumerate(METHODS):
        collected(method, text=one_paragraph(f"A text that names nobody. Number {n}."))
    run = held(cli, "--people-only")["run"]
    seen = []
    for n in range(6):
        code, document, _ = cli("vote", run, "--by", "Ada")
        assert (code, document["judged"], document["pairs"], document["pair"]["criteria"]) == (
            0,
            n,
            6,
            list(IDEA_CRITERIA),
        )
        assert not any(method in json.dumps(document["pair"]) for method in (*METHODS, "ours"))
        assert cli("vote", run, "--by", "Ada")[1] == document, "the pair stays until it is judged"
        seen.append(document["pair"]["topic"])
        assert cli("vote", run, "--by", "Ada", *SAY, "--why", "Clearer.")[0] == 0
    assert cli("vote", run, "--by", "Ada")[1]["pair"] is None
    assert sorted(seen) == ["light"] * 3 + ["sleep"] * 3
    filed = store.ballots.of(run)
    assert {(one.judge, one.person, one.why, tuple(one.strength.values())) for one in filed} == {
        ("Ada", True, "Clearer.", (1,) * 5)
    }
    code, shown, _ = cli("arena", "--show", run, "--who", "people")
    assert (shown["ballots"], shown["matches"]) == ({"models": 0, "people": 6}, 30)


def test_a_vote_with_a_gap_is_refused_and_nothing_is_filed(cli, collected, store):
    collected(*METHODS)
    run = held(cli, "--people-only")["run"]
    code, document, _ = cli("vote", run, "--by", "Ada", "--say", "novelty=1")
    assert (code, "still open" in document["reason"], store.ballots.count(run)) == (2, True, (0, 0))
    code, document, _ = cli("vote", run, "--by", "Ada", "--say", "novelty=3")
    assert (code, "CRITERION=N" in document["reason"]) == (2, True)


def test_votes_are_brought_in_and_bad_rows_are_named(cli, collected, tmp_path, store):
    collected(*METHODS)
    run, file = held(cli, "--people-only")["run"], tmp_path / "votes.csv"
    row = {
        "topic": "sleep",
        "method a": "chain",
        "method b": "direct",
        "first": "a",
        "criterion": "novelty",
        "winner": "b",
        "judge": "Ada",
        "person": "yes",
    }
    with file.open("w") as out:
        writer = csv.DictWriter(out, row)
        writer.writeheader()
        writer.writerows(
            [row, row | {"topic": "rain"}, row | {"judge": "gpt-elsewhere", "person": "no"}]
        )
    code, document, _ = cli("arena", "--add-votes", run, str(file))
    assert (
        code,
        document["votes"]["filed"],
        [one["row"] for one in document["votes"]["refused"]],
    ) == (2, 2, [3])
    assert store.ballots.count(run) == (1, 1)
    shown = cli("arena", "--show", run)[1]
    for rated in (shown, shown["people"]):
        assert {one["player"]: one["wins"] for one in rated["ratings"]} == {
            "chain": 0,
            "direct": 1,
        }, "side by side, never pooled unasked"
    assert {
        one["player"]: one["wins"]
        for one in cli("arena", "--show", run, "--who", "both")[1]["ratings"]
    } == {"chain": 0, "direct": 2}


def test_of_many_bad_rows_the_first_are_named_and_all_are_counted(cli, collected, tmp_path):
    collected(*METHODS)
    run, file = held(cli, "--people-only")["run"], tmp_path / "votes.csv"
    head = "topic,method a,method b,first,criterion,winner,judge,person\n"
    file.write_text(head + "rain,chain,direct,a,novelty,b,Ada,yes\n" * 12_000)
    code, document, _ = cli("arena", "--add-votes", run, str(file))
    votes = document["votes"]
    assert (code, votes["rows"], votes["filed"]) == (2, 12_000, 0)
    assert (len(votes["refused"]), votes["more_refused"]) == (10_000, 2_000)
    assert votes["refused"][-1].keys() == {"row", "reason"}
    assert list(votes["refused_by_reason"].values()) == [12_000]


@pytest.mark.parametrize("ending", ["csv", "tex", "md"])
@pytest.mark.parametrize("table", ["ratings", "matches", "curve", "judges", "agreement", "people"])
def test_every_table_is_written_as_a_file(cli, collected, tmp_path, store, ending, table):
    collected(*METHODS)
    run = held(cli, "--people-only")["run"]
    for _ in range(3):
        cli("vote", run, "--by", "Ada", *SAY)
    file = tmp_path / f"table.{ending}"
    code, _, _ = cli("arena", "--show", run, "--table", table, "--to", str(file))
    assert code == 0
    head = {
        "agreement": "Other judge",
        "curve": "Matches",
        "ratings": "Elo",
        "matches": "Method",
        "judges": "Ballots",
        "people": "Criterion",
    }[table]
    assert head in file.read_text()


def test_two_judges_repeats_and_texts_as_they_are(cli, server, collected, monkeypatch):
    collected(*METHODS, text=one_paragraph("As it is."))
    assert (
        held(
            cli,
            "--judge",
            MODEL,
            "--repeats",
            "2",
            "--as-they-are",
            "--topic",
            "sleep",
            "--method",
            "chain",
            "--method",
            "direct",
        )["calls"]
        == 4
    )
    server.script = actor
    code, document, _ = cli("arena", "--collection", "ours", "--judge", MODEL, "--judge", MODEL)
    assert (code, "two judges" in document["reason"]) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Say whose texts compete"),
        (("--collection", "nobody's"), "There are no ideas"),
        (("--collection", "ours", "--kind", "design"), "There are no designs"),
        (("--collection", "ours", "--topic", "rain"), "There are no ideas"),
        (("--show", "nothing"), "There is no run"),
        (("--collection", "ours", "--method", "chain", "--people-only"), "nothing can be compared"),
    ],
)
def test_what_cannot_be_held_is_said(cli, collected, words, said):
    collected(*METHODS)
    code, document, _ = cli("arena", *words)
    assert (code, said in document["reason"]) == (2, True), document["reason"]
