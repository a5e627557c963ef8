"""Expert sessions from the command line: from a collection to the key."""

import json

import pytest

from core import door
from core.store import Store
from tests.support.arena_kit import METHODS, TOPICS, entry, one_paragraph, six
from tests.support.headless import MODEL, cli, server
from tests.support.sessions.studies_kit import at_work, work_through

__all__ = ["cli", "server"]


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "data")
    made.entries.add(
        tuple((entry(made, method, topic), "A title") for topic in TOPICS for method in METHODS)
    )
    return made


def drafted(cli, *words: str, task: str = "rate") -> dict:
    code, document, _ = cli(
        "study",
        "new",
        "--task",
        task,
        "--collection",
        "test",
        "--overlap",
        "1",
        "--repeats",
        "0",
        *words,
    )
    assert code == 0, document
    return document


def test_a_session_from_draft_to_key(cli, store):
    made = drafted(cli, "--name", "Ours", "--criterion", "novelty,clarity", "--seed", "5")
    study = made["study"]
    assert (made["units"], made["checks"], made["texts"], made["left_out"]) == (6, 1, 6, [])
    _, document, _ = cli("study", "seats", study, "--add", "Ada", "--base", "https://example.org/")
    seat, secret = (
        document["seats"][0]["seat"],
        document["seats"][0]["link"].removeprefix("https://example.org/annotate?seat="),
    )
    assert len(secret) >= 43
    code, document, _ = cli("study", "open", study)
    assert (code, document["session"]["state"], len(document["sha"])) == (0, "open", 64)
    work_through(store, at_work(store, secret))
    _, document, _ = cli("study", "show", study)
    assert [(one["seat"], one["done"], one["of"], one["link"]) for one in document["seats"]] == [
        (seat, 7, 7, True)
    ]
    assert [one["name"] for one in document["plan"]["criteria"]] == ["novelty", "clarity"]
    assert not any(name in json.dumps(document) for name in METHODS), (
        "nobody is told sources while it is open"
    )
    assert cli("study", "unblind", study, "--by", "Cleo")[0] == 2
    assert cli("study", "close", study)[1]["session"]["state"] == "closed"
    code, document, _ = cli("study", "unblind", study, "--by", "Cleo")
    assert {one.get("method") for one in document["key"]} == {*METHODS, None}
    _, document, _ = cli("study", "show", study)
    assert document["events"][-1]["what"] == "unblinded"
    assert document["events"][-1]["detail"] == "Cleo"
    assert cli("study", "remove", study)[0] == 0
    assert cli("study", "list")[1]["studies"] == []


def test_the_secret_is_shown_once_and_kept_nowhere(cli, store):
    study = drafted(cli)["study"]
    _, document, _ = cli("study", "seats", study, "--add", "Ada")
    seat, secret = document["seats"][0]["seat"], document["seats"][0]["link"].partition("seat=")[2]
    assert secret not in json.dumps(cli("study", "show", study)[1])
    assert secret.encode() not in b"".join(
        path.read_bytes() for path in store.folder.iterdir() if path.is_file()
    )
    assert store.seats.held(door.hashed(secret)).id == seat
    again = cli("study", "link", seat)[1]["link"].partition("seat=")[2]
    assert store.seats.held(door.hashed(secret)) is None
    assert store.seats.held(door.hashed(again)).id == seat
    assert cli("study", "revoke", seat)[1]["step"] == "revoked"
    assert store.seats.held(door.hashed(again)) is None


def test_looking_keeps_nothing(cli, store):
    code, document, _ = cli(
        "study", "new", "--task", "compare", "--collection", "test", "--draw", "3", "--dry-run"
    )
    assert (code, document["units"], store.studies.listed()) == (0, 3, [])
    assert "length" in document["blinding"]


def test_the_blinding_report_is_for_drafts(cli, store):
    study = drafted(cli)["study"]
    _, document, _ = cli("study", "blinding", study)
    assert {one["source"] for one in document["sources"]} == set(METHODS)
    assert {one["words"] for one in document["words"]} >= {"real paper"}, (
        "the texts of this collection name their method"
    )
    cli("study", "seats", study, "--add", "Ada")
    cli("study", "open", study)
    code, document, _ = cli("study", "blinding", study)
    assert (code, "stay hidden" in document["reason"]) == (2, True)


def test_sets_hide_the_idea_by_people(cli, store):
    made = drafted(cli, "--hidden-target", "real paper", "--attention", "0", task="rank")
    plan = store.studies.get(made["study"]).plan
    assert (made["units"], plan.hidden_target, len(plan.criteria)) == (4, True, 2)
    assert sum(one.target for one in store.study_keys.items(made["study"]).values()) == 2


def test_texts_of_ones_own_are_read_from_files(cli, store, tmp_path):
    own = tmp_path / "consent.txt"
    own.write_text("Do you agree?")
    plan = store.studies.get(drafted(cli, "--consent", str(own))["study"]).plan
    assert (plan.consent, "Score each text from 1 to 10" in plan.instructions) == (
        "Do you agree?",
        True,
    )


def test_the_common_form_is_made_first(cli, tmp_path):
    store = Store(tmp_path / "data")
    store.entries.add(
        (
            (entry(store, "chain", "sleep", one_paragraph("Naps help.")), "Naps"),
            (entry(store, "direct", "sleep", six("Naps.")), "Naps"),
        )
    )
    code, document, _ = cli("study", "new", "--task", "rate", "--collection", "test", "--same-form")
    assert (code, "1 of 2 texts have no common form" in document["reason"]) == (2, True)
    code, document, _ = cli("study", "forms", "--collection", "test", "--model", MODEL)
    assert (code, document["state"], document["calls"]) == (0, "done", 1)
    assert drafted(cli, "--same-form")["units"] == 2
    assert cli("study", "forms", "--collection", "test", "--model", MODEL)[1]["lacking"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new", "--task", "rate"), "Choose what is judged"),
        (("new", "--task", "rate", "--collection", "gone"), "no collection 'gone'"),
        (
            ("new", "--task", "rate", "--collection", "test", "--criterion", "beauty"),
            "no criterion 'beauty'",
        ),
        (
            ("new", "--task", "rate", "--collection", "test", "--hidden-target", "real paper"),
            "ranked sets only",
        ),
        (("new", "--task", "rate", "--collection", "test", "--overlap", "0"), "Overlap: "),
        (
            ("new", "--task", "rate", "--collection", "test", "--consent", "/nowhere"),
            "cannot be read",
        ),
        (("seats", "nobody"), "Say who sits there"),
        (("seats", "nobody", "--add", "Ada"), "no session 'nobody'"),
        (("seats", "nobody", "--model", "strange:x"), "strange"),
        (("show", "nobody"), "no session 'nobody'"),
        (("open", "nobody"), "nobody"),
        (("link", "nobody"), "no seat 'nobody'"),
        (("unblind", "nobody", "--by", " "), "Say who looks"),
    ],
)
def test_what_cannot_be_meant_is_refused(cli, store, words, said):
    code, document, _ = cli("study", *words)
    assert (code, document["state"]) == (2, "refused")
    assert said in document["reason"]


def test_seats_are_made_all_or_none(cli, store):
    """Whoever has a seat but not its link, which is printed once, cannot come in."""
    study = drafted(cli)["study"]
    code, _, _ = cli("study", "seats", study, "--add", "Ada", "--add", " ")
    assert (code, store.seats.of(study)) == (2, ())


RUBRIC = """
name = "Two qualities"

[[criteria]]
name = "novelty"
question = "How new is it?"
from = 1
to = 7
anchors = { 1 = "Known.", 7 = "New." }

[[criteria]]
name = "ethics"
question = "May it be done?"
kind = "yes/no"
"""


def test_a_rubric_is_checked_kept_used_and_written(cli, store, tmp_path):
    file = tmp_path / "two.toml"
    file.write_text(RUBRIC.replace("to = 7", "to = 8"))
    code, _, problem = cli("study", "rubric", "check", str(file))
    assert code == 2
    assert "criteria 1, anchors, 8: say what" in problem
    file.write_text(RUBRIC)
    assert cli("study", "rubric", "check", str(file))[0] == 0
    assert cli("study", "rubric", "list")[1]["rubrics"][0]["saved"] is False
    assert cli("study", "rubric", "import", str(file))[1]["saved"] == "Two qualities"
    assert cli("study", "rubric", "import", str(file))[0] == 2, "the name is taken"
    assert cli("study", "rubric", "list")[1]["rubrics"][0] == {
        "name": "Two qualities",
        "saved": True,
        "criteria": ["novelty (from 1 to 7)", "ethics (yes or no)"],
    }
    for said in (str(file), "two qualities"):
        made = drafted(cli, "--rubric", said)
        plan = cli("study", "show", made["study"])[1]["plan"]
        assert [one["name"] for one in plan["criteria"]] == ["novelty", "ethics"]
        assert (plan["criteria"][0]["highest"], plan["criteria"][1]["kind"]) == (7, "yes/no")
    out = tmp_path / "out.json"
    assert cli("study", "rubric", "export", "--study", made["study"], "--to", str(out))[0] == 0
    assert (
        json.loads(out.read_text())["criteria"]
        == (cli("study", "rubric", "show", "two qualities")[1]["rubric"]["criteria"])
    )
    assert cli("study", "rubric", "export", "two qualities", "--to", str(out))[0] == 2, "is there"
    assert cli("study", "rubric", "remove", "Two qualities")[0] == 0
    assert cli("study", "rubric", "show", "Two qualities")[0] == 2


def test_answers_alone_are_written_in_the_format_that_the_name_says(cli, store, tmp_path):
    study = drafted(cli)["study"]
    cli("study", "seats", study, "--add", "Ada")
    assert cli("study", "open", study)[0] == 0
    for ending, begin in ((".xlsx", b"PK"), (".sav", b"$FL")):
        to = tmp_path / f"answers{ending}"
        assert cli("study", "export", study, "--to", str(to))[1]["files"] == [to.name]
        assert to.read_bytes().startswith(begin)
    assert cli("study", "export", study, "--to", str(tmp_path / "a.xlsx"), "--key")[0] == 2
    files = cli("study", "export", study, "--to", str(tmp_path / "whole"))[1]["files"]
    assert {"answers.xlsx", "answers.sav", "label-studio/long.csv", "argilla/records.json"} <= {
        *files
    }


def test_power_is_said_before_anybody_is_asked(cli):
    code, document, _ = cli(
        *("study", "power", "--ideas", "12", "--experts", "6", "--topics", "6"),
        *("--difference", "0.8", "--simulations", "20", "--seed", "3"),
    )
    assert code == 0
    assert document["power"] == pytest.approx(0.875, abs=0.005)
    assert 0.5 < document["simulated"] <= 1
    assert document["by_ideas"][-1]["power"] >= 0.8
    assert "mixed model would find a difference of 0.8" in document["in_words"]
    code, document, _ = cli("study", "power", "--ideas", "12", "--experts", "2")
    assert (code, "scored by 3 experts" in document["reason"]) == (2, True)


def test_sources_are_grouped_by_hand_once_they_are_revealed(cli, store):
    study = drafted(cli, "--criterion", "novelty", "--seed", "5")["study"]
    _, document, _ = cli("study", "seats", study, "--add", "Ada", "--base", "https://e.org/")
    secret = document["seats"][0]["link"].removeprefix("https://e.org/annotate?seat=")
    cli("study", "open", study)
    work_through(store, at_work(store, secret))
    cli("study", "close", study)
    code, document, _ = cli("study", "group", study, "--by", "method", "--who", "Ada")
    assert (code, "reveal them first" in document["reason"]) == (2, True)
    cli("study", "unblind", study, "--by", "Ada")
    texts = [one for one, item in store.study_keys.items(study).items() if not item.attention]
    one, other = ",".join(texts[:3]), ",".join(texts[3:5])
    code, document, _ = cli(
        *("study", "group", study, "--group", f"left={one}", "--group", f"right={other}"),
        *("--who", "Ada", "--correction", "Bonferroni"),
    )
    assert (code, document["texts"]) == (0, {"left": 3, "right": 2})
    _, document, _ = cli("study", "agreement", study)
    assert document["grouping"]["by"] == "hand"
    assert {one["one"] for one in document["contrasts"]} == {"left"}
    assert {one["correction"] for one in document["contrasts"]} == {"Bonferroni"}
    assert "Ada drew the groups by hand" in document["methods"]["text"]
