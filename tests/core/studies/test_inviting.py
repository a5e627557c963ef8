"""Invitations: seats for people in a file, links known once, letters that lack nothing, reminders,
payment, and a name erased for good.
"""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import pytest

from core.door import hashed
from core.errors import BadInput, MappingNeeded, SeatClosed, StoreFailed
from core.export.sessions.folder import files
from core.export.sessions.invitations import links_csv, payments_csv, write_private
from core.importing import invited
from core.records import StudyLetter, StudyTerms
from core.store import Store, connection
from core.studies import inviting, organising, recruiting, sitting
from core.studies.deadlines import in_utc, spelled
from core.studies.inviting import Invited
from core.studies.paying import payments
from tests.support.sessions import studies_kit as kit
from tests.support.waiting import SOON, until

ADA, GRACE = Invited("Ada Byron", "ada@example.org"), Invited("Grace Hopper", "grace@example.org")
DEADLINE = "2030-12-04T17:00+00:00"


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "data")


def read(text: str, **columns):
    sheet = invited.opened("people.csv", text.encode())
    asked = invited.PeopleColumns(**columns) if columns else invited.guess_columns(sheet)
    return invited.take_people(sheet, asked)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# -- the file ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "name,e-mail\nAda Byron,ada@example.org\n",
        "First name;Surname;Mail\nAda;Byron;ada@example.org\n",
        "\ufeffE-Mail Address\tFull name\nada@example.org\tAda Byron\n",
    ],
)
def test_columns_are_known_by_what_they_are_called(text):
    assert read(text) == ((ADA,), ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("contact,e-mail\nAda,ada@example.org\n", "not plain which column"),
        ("name,email,mail\nAda,a@b.org,c@d.org\n", "2 columns that may hold the address"),
        ("Ada,ada@example.org\nGrace,grace@example.org\n", "should name the columns"),
    ],
)
def test_where_it_is_not_plain_the_columns_are_asked_for(text, said):
    with pytest.raises(MappingNeeded, match=said):
        read(text)


def test_columns_can_be_said():
    text = "contact,reach\nAda Byron,ada@example.org\n"
    assert read(text, names=("contact",), address="reach").people == (ADA,)


def test_bad_rows_are_named_with_where_they_stand():
    found = read(
        "name,e-mail,note\nAda Byron,ada@example.org,\n,,x\nGrace,grace at example,\n"
        "Ada byron,else@example.org,\nLin,ADA@example.org,\n"
    )
    assert found.people == (ADA,)
    assert [(one.where, one.reason) for one in found.refused] == [
        ("line 3", "There is neither a name nor an address."),
        ("line 4", "'grace at example' is no address for e-mail."),
        ("line 5", "This name stands in a row above; tell the two apart."),
        ("line 6", "This address stands in a row above."),
    ]


# -- seats and links ---------------------------------------------------------------------------


def test_everybody_is_given_a_seat_and_the_links_are_known_this_once(store):
    study = kit.drafted(store)
    made = inviting.invite(store, study.id, (ADA, GRACE))
    assert [store.seats.held(hashed(one.secret)).id for one in made] == [
        one.seat.id for one in made
    ]
    assert [one.seat.name for one in made] == ["Ada Byron", "Grace Hopper"]
    assert {one.address for one in store.people.of(study.id).values()} == {
        "ada@example.org",
        "grace@example.org",
    }
    store.connections.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = b"".join(path.read_bytes() for path in store.folder.iterdir() if path.is_file())
    assert not any(one.secret.encode() in kept for one in made)
    anew = inviting.draw_links(store, [made[0].seat.id])
    assert store.seats.held(hashed(made[0].secret)) is None
    assert store.seats.held(hashed(anew[0].secret)).id == made[0].seat.id


@pytest.mark.parametrize(
    "people",
    [
        (Invited("Lin"), Invited("ada byron")),
        (Invited("Lin", "ADA@example.org"),),
        (Invited("Lin"), Invited("lin")),
        (),
    ],
)
def test_who_has_a_seat_or_comes_twice_is_refused_and_nobody_is_invited(store, people):
    study = kit.drafted(store)
    inviting.invite(store, study.id, (ADA,))
    with pytest.raises(BadInput):
        inviting.invite(store, study.id, people)
    assert len(store.seats.of(study.id)) == 1


# -- letters -----------------------------------------------------------------------------------


def letter(text: str, subject: str = "S") -> StudyLetter:
    return StudyLetter(subject=subject, text=text)


def test_a_letter_says_what_its_placeholders_stand_for(store):
    study = kit.drafted(store, overlap=1)
    made = inviting.invite(store, study.id, (ADA,))
    terms = StudyTerms(
        deadline=DEADLINE, zone="Europe/Berlin", late=False, most=9, rate="12.5", code="C0DE"
    )
    store.terms.put(study.id, terms)
    organising.open_study(store, study.id)
    asked = letter(
        "$name|$units|$left|$deadline|$late|$most|$pay|$code|$link|$$5", "Judging: $title"
    )
    (sent,) = inviting.letters(
        store, study.id, asked, [made[0].seat.id], {made[0].seat.id: "https://x/annotate?seat=s"}
    )
    assert sent.subject == "Judging: Ideas on sleep"
    assert sent.text.split("|") == [
        "Ada Byron",
        "8",
        "8",
        "Wednesday 4 December 2030, 18:00 Europe/Berlin (17:00 UTC)",
        "After that no more answers are accepted; what was submitted before is kept.",
        "9",
        "12.50 EUR per hour",
        "C0DE",
        "https://x/annotate?seat=s",
        "$5",
    ]
    address = urlsplit(sent.mailto)
    assert (address.scheme, address.path) == ("mailto", "ada@example.org")
    assert parse_qs(address.query) == {"subject": [sent.subject], "body": [sent.text]}
    (row,) = rows(links_csv([sent]))
    assert (row["name"], row["link"], row["mailto"]) == ("Ada Byron", sent.link, sent.mailto)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Dear $nmae", r"\$nmae, which is no placeholder"),
        ("It costs $ 5", "dollar sign stands alone"),
        ("Until $deadline", "no deadline is set"),
        ("$code", "no completion code is set"),
        ("$pay", "no pay is set"),
        ("$most", "no maximum of units"),
        ("$link", "links are kept as hashes alone"),
        ("$left", "not open yet"),
    ],
)
def test_a_placeholder_with_nothing_to_say_is_an_error_that_says_what_to_do(store, text, said):
    study = kit.drafted(store)
    (made,) = inviting.invite(store, study.id, (ADA,))
    with pytest.raises(BadInput, match=said):
        inviting.letters(store, study.id, letter(text), [made.seat.id], {})


@pytest.mark.parametrize("terms", [StudyTerms(), StudyTerms(deadline=DEADLINE)])
def test_our_letters_can_be_sent_as_they_are(store, terms):
    held = kit.opened(store)
    store.terms.put(held.study.id, terms)
    seats = [one.id for one in held.seats]
    links = dict.fromkeys(seats, "https://x/annotate?seat=s")
    sent = inviting.letters(
        store, held.study.id, inviting.standard(terms, "invitation"), seats, links
    )
    assert all("https://x/annotate?seat=s" in one.text for one in sent)
    again = inviting.letters(store, held.study.id, inviting.standard(terms, "reminder"), seats, {})
    assert all(("4 December 2030" in one.text) == bool(terms.deadline) for one in again)


def test_a_deadline_that_programs_before_this_one_took_can_still_be_said():
    assert spelled("9999-12-31T23:59+00:00", "Asia/Tokyo").endswith("31 December 9999, 23:59 UTC")


# -- deadlines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "zone", "moment"),
    [
        ("2030-12-04 18:00", "Europe/Berlin", DEADLINE),
        ("2030-12-04T17:00+00:00", "Europe/Berlin", DEADLINE),
        ("2030-07-01", "UTC", "2030-07-01T23:59+00:00"),
        ("2030-07-01 00:30", "Asia/Tokyo", "2030-06-30T15:30+00:00"),
    ],
)
def test_a_deadline_is_read_in_its_zone_and_kept_in_utc(said, zone, moment):
    assert in_utc(said, zone) == moment


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("tomorrow", "UTC"),
        ("2030-12-04 18:00", "Moon"),
        ("2030-03-31 02:30", "Europe/Berlin"),
        ("9999-12-31", "UTC"),
        ("1999-12-31", "UTC"),
    ],
)
def test_what_is_no_moment_is_refused(said, zone):
    with pytest.raises(BadInput):
        in_utc(said, zone)


def test_a_deadline_on_another_day_in_utc_says_that_day_too():
    assert spelled("2030-06-30T15:30+00:00", "Asia/Tokyo") == (
        "Monday 1 July 2030, 00:30 Asia/Tokyo (30 June 15:30 UTC)"
    )
    assert spelled(DEADLINE, "") == "Wednesday 4 December 2030, 17:00 UTC"
    assert spelled(DEADLINE, "Nowhere/Else") == "Wednesday 4 December 2030, 17:00 UTC"


# -- reminders and payment ---------------------------------------------------------------------


def test_who_has_not_begun_or_finished_is_reminded_and_the_deadline_is_near(store, monkeypatch):
    held = kit.opened(store, experts=4)
    here = held.at_work(1)
    kit.work_through(store, here, units=1)
    done = held.at_work(2)
    kit.work_through(store, done)
    kit.finished(store, done)
    organising.take_back(store, held.seats[3].id)
    found = inviting.to_remind(store, held.study.id)
    assert [(one.name, one.standing, one.done, one.near) for one in found] == [
        ("Expert 1", "not begun", 0, False),
        ("Expert 2", "not finished", 1, False),
    ]
    assert found[1].seen
    store.terms.put(held.study.id, StudyTerms(deadline=DEADLINE))
    for moment, near in (("2030-12-01T16:00", False), ("2030-12-02T16:00", True)):
        monkeypatch.setattr(inviting, "now", lambda moment=moment: f"{moment}:00.000+00:00")
        assert {one.near for one in inviting.to_remind(store, held.study.id)} == {near}


def test_the_list_of_payments_is_by_unit_or_by_hour_and_names_no_seat(store, monkeypatch):
    held = kit.opened(store, experts=2)
    done = held.at_work(1)
    kit.work_through(store, done)
    kit.finished(store, done)
    store.people.came(held.seats[1].id, "pid-1", "study-1", "session-1")
    store.connections.write("UPDATE seat_units SET active = 100 WHERE stage > 0")
    n = len(store.study_work.of(held.seats[1].id))
    for per, amount in (
        ("unit", Decimal("0.35") * n),
        ("hour", (Decimal("0.35") * n * 100 / 3600).quantize(Decimal("0.01"))),
    ):
        store.terms.put(held.study.id, StudyTerms(rate="0.35", per=per, currency="GBP"))
        (line,) = rows(payments_csv(payments(store, held.study.id)))
        assert (Decimal(line["amount"]), line["currency"], line["per"]) == (amount, "GBP", per)
        assert (line["name"], line["prolific"], line["completed"]) == ("Expert 2", "pid-1", "yes")
        assert (int(line["units"]), float(line["minutes"])) == (n, round(n * 100 / 60, 1))
        assert not set(line.values()) & {held.seats[1].id, "E2"}


def test_a_list_of_people_is_for_its_owner_alone_and_never_over_another(tmp_path):
    to = tmp_path / "links.csv"
    write_private(to, "name\r\n")
    assert to.stat().st_mode & 0o777 == 0o600
    with pytest.raises(BadInput, match="there already"):
        write_private(to, "other\r\n")


# -- apart from answers, and erased ------------------------------------------------------------


def test_names_addresses_and_ids_are_in_no_export_of_a_session(store):
    study = kit.drafted(store, overlap=1)
    made = inviting.invite(store, study.id, (ADA, GRACE))
    store.people.came(made[0].seat.id, "pid-77", "study-77", "session-77")
    store.terms.put(study.id, StudyTerms(rate="12.5", code="C0DE-9", currency="XAU"))
    organising.open_study(store, study.id)
    for one in made:
        here = kit.at_work(store, one.secret)
        kit.work_through(store, here)
        kit.finished(store, here)
    organising.close(store, study.id)
    organising.unblind(store, study.id, "Somebody")
    whole = "\n".join(files(store, study.id, key=True).values())
    secrets = ("Ada", "Byron", "example.org", "Grace", "-77", "C0DE-9", made[0].secret)
    assert [one for one in secrets if one in whole] == []
    paid = [name for name, text in files(store, study.id, key=True).items() if "XAU" in text]
    # What the terms promised, and to nobody by name.
    assert paid == ["events.csv", "methods.txt", "methods.tex"]


def test_a_reminder_after_the_deadline_does_not_ask_to_finish_before_it():
    past, future = "2020-01-01T00:00+00:00", "2090-01-01T00:00+00:00"
    assert "finish by $deadline" in inviting.standard(StudyTerms(deadline=future), "reminder").text
    late = inviting.standard(StudyTerms(deadline=past), "reminder")
    assert "The deadline was $deadline. $late" in late.text
    assert "finish by" not in late.text
    assert inviting.placeholders(late) >= {"deadline", "late"}


def test_a_name_is_erased_from_the_file_itself_and_answers_stay(store):
    study = kit.drafted(store, overlap=1)
    made = inviting.invite(store, study.id, (Invited("Zebulon Quirk", "zq@example.org"), GRACE))
    store.people.came(made[0].seat.id, "pid-zq", "s", "t")
    organising.open_study(store, study.id)
    here = kit.at_work(store, made[0].secret)
    kit.work_through(store, here)
    before = files(store, study.id)
    inviting.erase(store, made[0].seat.id)
    assert store.seats.get(made[0].seat.id).name == "name erased"
    kept = b"".join(path.read_bytes() for path in store.folder.rglob("*") if path.is_file())
    assert not [one for one in (b"Quirk", b"zq@example", b"pid-zq") if one in kept]
    events = store.studies.events(study.id)
    assert [(one.what, one.seat) for one in events if "erased" in one.what] == [
        ("name erased", made[0].seat.id)
    ]
    assert "Quirk" not in repr(events)
    after = files(store, study.id)
    assert {name for name in before if before[name] != after[name]} == {"events.csv"}
    with pytest.raises(BadInput, match="erased before"):
        inviting.erase(store, made[0].seat.id)
    assert made[0].seat.id not in {one.seat for one in inviting.to_remind(store, study.id)}
    kit.finished(store, here)


def test_who_reads_while_a_name_is_erased_keeps_no_writer_out(store):
    study = kit.drafted(store, overlap=1)
    (made,) = inviting.invite(store, study.id, (Invited("Zebulon Quirk", "zq@example.org"),))
    log = store.folder / "foundry.db-wal"
    with ThreadPoolExecutor() as pool, closing(store.connections.fresh()) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM people").fetchall()
        erased = pool.submit(inviting.erase, store, made.seat.id)
        until(lambda: not store.people.of(study.id))
        inviting.invite(store, study.id, (ADA,))
        assert not erased.done()
        reader.rollback()
        erased.result(SOON)
    assert b"Quirk" not in log.read_bytes()


def test_who_reads_for_too_long_while_a_name_is_erased_is_told_of(store, monkeypatch):
    study = kit.drafted(store, overlap=1)
    (made,) = inviting.invite(store, study.id, (Invited("Zebulon Quirk", "zq@example.org"),))
    monkeypatch.setattr(connection, "PATIENCE", 0.1)
    with closing(store.connections.fresh()) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM people").fetchall()
        with pytest.raises(StoreFailed, match="not yet from the log"):
            inviting.erase(store, made.seat.id)
    assert not store.people.of(study.id)


def test_who_is_erased_is_left_in_no_copy_that_moved_rows_left_behind(store):
    study = kit.drafted(store, overlap=1)
    people = [Invited(f"Person {n:03d} Quirk", f"zq{n:03d}@example.org") for n in range(120)]
    made = inviting.invite(store, study.id, tuple(people))
    connection = store.connections.connection
    connection.execute("PRAGMA secure_delete = OFF")  # As earlier versions left their rows.
    for n, one in enumerate(made):
        store.people.came(one.seat.id, f"pid-{n:03d}-" + "z" * 30, "s" * 40, "t" * 40)
    connection.execute("PRAGMA secure_delete = ON")
    gone, kept = made[::4], {one.seat.id for n, one in enumerate(made) if n % 4}
    before = store.people.of(study.id)
    for one in gone:
        inviting.erase(store, one.seat.id)
    data = b"".join(path.read_bytes() for path in store.folder.rglob("*") if path.is_file())
    left = [
        n
        for n in range(0, 120, 4)
        for one in (f"n {n:03d} Q", f"zq{n:03d}@", f"pid-{n:03d}")
        if one.encode() in data
    ]
    assert left == []
    assert store.people.of(study.id) == {seat: before[seat] for seat in kept}


def test_a_closed_session_keeps_its_deadline_and_takes_a_rate(store):
    held = kit.opened(store)
    organising.close(store, held.study.id)
    store.terms.put(held.study.id, StudyTerms(rate="3"))
    with pytest.raises(BadInput, match="closed"):
        store.terms.put(held.study.id, StudyTerms(deadline=DEADLINE))


def test_a_place_that_was_taken_back_is_not_opened_again_by_the_link_for_all(store):
    held = kit.opened(store)
    recruiting.make_places(store, held.study.id, 2)
    link = recruiting.draw_link(store, held.study.id)
    here = kit.at_work(store, recruiting.join(store, link, "one", "s", "x"))
    kit.work_through(store, here)
    done = kit.finished(store, here)
    back = recruiting.join(store, link, "one", "s", "y")
    assert sitting.enter(store, back).seat == done.seat
    organising.take_back(store, done.seat)
    with pytest.raises(SeatClosed, match="opens no session"):
        recruiting.join(store, link, "one", "s", "z")
    other = sitting.enter(store, recruiting.join(store, link, "two", "s", "x"))
    assert other.seat != done.seat


def test_units_are_handed_out_once_for_all_who_are_invited_or_expected(store):
    held = kit.opened(store, experts=3, texts=30, overlap=2)
    study = held.study.id

    def handed_out() -> int:
        anew = [one for one in store.studies.events(study) if one.what == "units handed out anew"]
        return len(anew)

    people = tuple(Invited(f"Expert {n}", f"e{n}@x.example") for n in range(10, 15))
    made = inviting.invite(store, study, people)
    assert [one.seat.name for one in made] == [one.name for one in people]
    assert handed_out() == 1
    places = recruiting.make_places(store, study, 4)
    assert handed_out() == 2
    lists = [len(store.study_work.of(seat.id)) for seat in (*(one.seat for one in made), *places)]
    assert max(lists) - min(lists) <= 2
    assert min(lists) > 0
    assert recruiting.make_places(store, study, 0) == ()
