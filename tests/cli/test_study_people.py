"""The people of a session from the command line: invited, reminded, paid and erased; their names
and links in files of their own and nowhere else.
"""

import csv
import json
import logging

import pytest

from core.door import hashed
from core.store import Store
from tests.support.headless import cli, server
from tests.support.sessions import studies_kit as kit

__all__ = ["cli", "server"]
PEOPLE = "name,e-mail\nAda Byron,ada@example.org\nGrace Hopper,grace@example.org\n"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "data")


@pytest.fixture
def study(store):
    return kit.drafted(store, overlap=1).id


def written(path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def invited(cli, study, tmp_path, text: str = PEOPLE, *words: str):
    (tmp_path / "people.csv").write_text(text)
    to = tmp_path / "links.csv"
    given = ("study", "invite", study, str(tmp_path / "people.csv"), "--to", str(to), *words)
    return *cli(*given), to


def test_from_a_file_of_people_to_links_reminders_and_payment(cli, store, study, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    terms = ("--deadline", "2090-12-04 18:00", "--zone", "Europe/Berlin", "--late", "refuse")
    pay = ("--rate", "0.50", "--per", "unit", "--code", "C1")
    code, document, _ = cli("study", "terms", study, *terms, *pay, "--most", "20")
    assert (code, document["terms"]["deadline"]) == (0, "2090-12-04T17:00+00:00")
    code, document, errors, to = invited(cli, study, tmp_path, PEOPLE, "--base", "https://x.org/")
    assert (code, document["invited"], document["refused"]) == (0, 2, [])
    assert to.stat().st_mode & 0o777 == 0o600
    lines = written(to)
    assert [one["name"] for one in lines] == ["Ada Byron", "Grace Hopper"]
    assert all(one["link"] in one["text"] and one["link"] for one in lines)
    assert all("Monday 4 December 2090, 18:00" in one["text"] for one in lines)
    secrets = [one["link"].removeprefix("https://x.org/annotate?seat=") for one in lines]
    assert all(store.seats.held(hashed(secret)) for secret in secrets)
    told = json.dumps(document) + errors + caplog.text
    assert not [one for one in (*secrets, "Ada", "example.org") if one in told]
    cli("study", "open", study)
    here = kit.at_work(store, secrets[0])
    kit.work_through(store, here)
    kit.finished(store, here)
    again = tmp_path / "remind.csv"
    code, document, _ = cli("study", "remind", study, "--who", "not-begun", "--to", str(again))
    (line,) = written(again)
    assert (code, line["name"], line["standing"], line["link"]) == (
        0,
        "Grace Hopper",
        "not begun",
        "",
    )
    assert [one["standing"] for one in document["remind"]] == ["not begun"]
    assert "Grace" not in json.dumps(document)
    code, document, _ = cli("study", "pay", study, "--to", str(tmp_path / "pay.csv"))
    (line,) = written(tmp_path / "pay.csv")
    n = len(store.study_work.of(here.seat))
    assert (document["amount"], line["amount"]) == (f"{n * 0.5:.2f}", f"{n * 0.5:.2f}")
    code, document, _ = cli("study", "people", study, "--to", str(tmp_path / "who.csv"))
    assert {one["seat"] for one in written(tmp_path / "who.csv")} == {
        one.id for one in store.seats.of(study)
    }


def test_new_links_are_drawn_on_request_and_the_old_ones_end(cli, store, study, tmp_path):
    *_, to = invited(cli, study, tmp_path)
    old = [one["link"].partition("seat=")[2] for one in written(to)]
    code, document, _ = cli("study", "links", study, "--to", str(tmp_path / "anew.csv"))
    assert (code, document["links"]) == (0, 2)
    anew = [one["link"].partition("seat=")[2] for one in written(tmp_path / "anew.csv")]
    assert not any(store.seats.held(hashed(one)) for one in old)
    assert all(store.seats.held(hashed(one)) for one in anew)


def test_where_links_cannot_be_written_nobody_is_invited(cli, store, study, tmp_path):
    (tmp_path / "links.csv").write_text("mine")
    code, document, _, _ = invited(cli, study, tmp_path)
    assert (code, "there already" in document["reason"]) == (2, True)
    assert store.seats.of(study) == ()


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("contact,e-mail\nAda,a@b.org\n", (), "Say which one does"),
        ("name,e-mail\nAda,nothing\n", (), "line 2: 'nothing' is no address"),
        ("name\n", (), "holds nobody"),
    ],
)
def test_a_file_that_is_not_plain_is_asked_about(cli, store, study, tmp_path, text, words, said):
    code, document, _, _ = invited(cli, study, tmp_path, text, *words)
    assert (code, said in document["reason"]) == (2, True), document
    assert store.seats.of(study) == ()


def test_columns_can_be_named_and_bad_rows_left_out(cli, store, study, tmp_path):
    text = "given,family,reach\nAda,Byron,ada@example.org\nMax,Born,nowhere\n"
    columns = ("--name-column", "given", "--name-column", "family", "--address-column", "reach")
    code, document, _, _ = invited(cli, study, tmp_path, text, *columns, "--skip")
    assert (code, document["invited"]) == (0, 1)
    assert [one["where"] for one in document["refused"]] == ["line 3"]
    assert [one.name for one in store.seats.of(study)] == ["Ada Byron"]


def test_a_letter_with_a_placeholder_that_there_is_not_is_refused(cli, store, study, tmp_path):
    letter = tmp_path / "letter.txt"
    letter.write_text("Subject: Hello\nDear $nmae")
    code, document, _ = cli("study", "terms", study, "--invitation", str(letter))
    assert (code, "$nmae, which is no placeholder" in document["reason"]) == (2, True)
    letter.write_text("Dear $name")
    code, document, _ = cli("study", "terms", study, "--invitation", str(letter))
    assert (code, "Subject: ..." in document["reason"]) == (2, True)
    letter.write_text("Subject: Hello\nDear $name: $link")
    assert cli("study", "terms", study, "--invitation", str(letter))[0] == 0
    *_, to = invited(cli, study, tmp_path)
    assert written(to)[0]["text"].startswith("Dear Ada Byron: http")


def test_one_person_is_erased_and_the_answers_stay(cli, store, study, tmp_path):
    *_, to = invited(cli, study, tmp_path)
    cli("study", "open", study)
    here = kit.at_work(store, written(to)[0]["link"].partition("seat=")[2])
    kit.work_through(store, here)
    before = len(store.study_work.answers(study))
    code, document, _ = cli("study", "erase", here.seat)
    assert (code, document["erased"]) == (0, True)
    assert len(store.study_work.answers(study)) == before
    shown = json.dumps(cli("study", "show", study)[1])
    assert ("Ada" in shown, "name erased" in shown) == (False, True)
    assert cli("study", "erase", here.seat)[0] == 2


def test_a_new_text_of_consent_is_put_in_force_and_counted(cli, store, tmp_path):
    held = kit.opened(store)
    held.at_work(0)
    text = tmp_path / "consent.txt"
    text.write_text("Another text.")
    code, document, _ = cli("study", "consent", held.study.id, "--text", str(text))
    assert code == 0
    assert [(one["version"], one["agreed"]) for one in document["versions"]] == [(1, 1), (2, 0)]
    draft = kit.drafted(store).id
    assert cli("study", "consent", draft, "--text", str(text))[0] == 2


def test_a_recruiting_link_is_printed_once_and_kept_as_a_hash(cli, store, study):
    code, document, _ = cli("study", "recruit", study, "--seats", "3", "--base", "https://x.org")
    assert (code, document["places"]) == (0, 3)
    link = document["link"]
    assert link.endswith(
        "&PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    secret = link.partition("join=")[2].partition("&")[0]
    assert secret not in json.dumps(cli("study", "show", study)[1])
    assert store.people.recruits_for(hashed(secret)) == study
    assert [one.name for one in store.seats.of(study)] == [f"Participant {n}" for n in (1, 2, 3)]
