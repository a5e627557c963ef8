"""Votes made elsewhere: filed into an arena row by row, every bad row named, no ballot half
filed.
"""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.judging.arena.ballots import cast, counted
from core.judging.arena.imported_votes import COLUMNS, LARGEST, RefusedVote, file_votes
from core.records import IDEA_CRITERIA, Lineup, Seat
from core.refusals import KEPT, LONGEST
from core.store import Store

SEATS = tuple(
    Seat(topic=topic, method=method, sha="x", length=100)
    for topic in ("sleep", "light")
    for method in ("chain", "direct", "real")
)
LINEUP = Lineup(seats=SEATS, common=True)


def rows(n=5, **changed):
    """Return a row for each of the first n criteria."""
    said = {
        "topic": "sleep",
        "method a": "chain",
        "method b": "direct",
        "first": "direct",
        "winner": "chain",
        "judge": "Ada",
        "person": "yes",
    }
    return [said | {"criterion": name} | changed for name in IDEA_CRITERIA[:n]]


def table(*lines, comma=",", names=COLUMNS):
    held = io.StringIO()
    writer = csv.DictWriter(held, (*names, "repeat", "why"), delimiter=comma, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(lines)
    return held.getvalue().encode()


def filed(store, data, judges=(), kind="idea"):
    return file_votes(store, "arena", LINEUP, kind, data, judges)


def test_the_rows_of_a_judge_on_a_pair_make_one_ballot(store):
    report = filed(
        store,
        table(*rows(), *rows(person="no", judge="gpt", first="a", winner="tie", why="Alike.")),
    )
    assert (report.rows, report.filed, report.known, report.refused) == (10, 2, 0, ())
    ada, gpt = store.ballots.of("arena")
    assert (ada.judge, ada.person, ada.first, set(ada.sides.values()), tuple(ada.sides)) == (
        "Ada",
        True,
        "direct",
        {"second"},
        IDEA_CRITERIA,
    )
    assert (gpt.judge, gpt.person, gpt.first, set(gpt.sides.values()), gpt.why) == (
        "gpt",
        False,
        "chain",
        {"tie"},
        "Alike.",
    )


@pytest.mark.parametrize(
    ("first", "winner", "side"),
    [
        ("a", "a", "first"),
        ("a", "b", "second"),
        ("b", "a", "second"),
        ("B", "B", "first"),
        ("direct", "first", "first"),
        ("Direct", "Second", "second"),
        ("chain", "draw", "tie"),
        ("chain", "direct", "second"),
    ],
)
def test_first_and_winner_are_understood_in_several_spellings(store, first, winner, side):
    filed(store, table(*rows(1, first=first, winner=winner)))
    assert store.ballots.of("arena")[0].sides == {"novelty": side}


def test_methods_that_are_called_a_and_b_are_told_from_the_columns(store):
    seats = tuple(Seat(topic="sleep", method=method, sha="x", length=100) for method in ("A", "B"))
    data = table(
        *(
            {
                "topic": "sleep",
                "method a": "B",
                "method b": "A",
                "judge": who,
                "person": "yes",
                "criterion": "novelty",
                "first": said,
                "winner": said,
            }
            for who, said in (("Ada", "a"), ("Bo", "A"))
        )
    )
    assert file_votes(store, "arena", Lineup(seats=seats, common=True), "idea", data).filed == 2
    assert [(one.judge, one.first, one.sides["novelty"]) for one in store.ballots.of("arena")] == [
        ("Ada", "B", "first"),
        ("Bo", "A", "first"),
    ]


@pytest.mark.parametrize("comma", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_delimiters_and_encodings_are_recognised(store, comma, encoding):
    data = table(*rows(judge="Zoë"), comma=comma).decode().encode(encoding)
    assert (filed(store, data).filed, store.ballots.of("arena")[0].judge) == (1, "Zoë")


def test_expected_effectiveness_is_known_by_its_whole_name_and_columns_by_any_case(store):
    data = table(*rows(1, criterion="Expected Effectiveness")).replace(b"method a", b"Method_A")
    assert filed(store, data).filed == 1
    assert tuple(store.ballots.of("arena")[0].sides) == ("effectiveness",)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"topic": "rain"}, "do not meet on 'rain'"),
        ({"method a": "nobody"}, "do not meet"),
        ({"method b": "chain"}, "do not meet"),
        ({"first": ""}, "whose text stood first"),
        ({"first": "real"}, "whose text stood first"),
        ({"criterion": "beauty"}, "no criterion here"),
        ({"winner": "real"}, "is neither a, b"),
        ({"winner": ""}, "is neither a, b"),
        ({"judge": " "}, "who judged"),
        ({"person": "perhaps"}, "write yes or no"),
        ({"repeat": "0"}, "no number"),
        ({"repeat": "often"}, "no number"),
        ({"judge": "own", "person": "no"}, "judges in this arena itself"),
        ({"judge": "people", "person": "no"}, "name the judge"),
    ],
)
def test_a_bad_row_is_named_and_its_ballot_is_left_out_whole(store, changed, reason):
    good, bad = rows(topic="light"), rows()
    bad[2] |= changed
    report = filed(store, table(*good, *bad), judges=("own",))
    named = {one.row: one.reason for one in report.refused}
    assert reason in named[9]
    assert {one.contest.topic for one in store.ballots.of("arena") if len(one.sides) == 5} == {
        "light"
    }
    if (
        changed.keys() & {"first", "criterion", "winner", "person", "repeat"}
        and "person" not in changed
    ):
        assert report.filed == 1, "what is left of a ballot is not filed either"
        assert all("another row of the same judge" in named[n] for n in (7, 8, 10, 11))


def test_filing_a_file_again_changes_nothing_and_what_was_corrected_is_filed(store):
    bad = rows(judge="Grace")
    bad[0]["winner"] = "?"
    assert filed(store, table(*rows(), *bad)).filed == 1
    report = filed(store, table(*rows(), *rows(judge="Grace")))
    assert (report.filed, report.known, report.refused) == (1, 1, ())
    changed = filed(store, table(*rows(winner="direct")))
    assert (changed.filed, {one.reason for one in changed.refused}) == (
        0,
        {"a vote of 'Ada' on this pair in this order was imported before, saying something else"},
    )


def test_a_verdict_given_twice_is_no_verdict_unless_repeats_are_numbered(store):
    report = filed(store, table(*rows(person="no"), *rows(person="no")))
    assert (report.filed, len(report.refused)) == (0, 10)
    assert "number the repeats" in report.refused[0].reason
    assert filed(store, table(*rows(person="no"), *rows(person="no", repeat="2"))).filed == 2
    held = cast(store.ballots.lines("arena"), LINEUP, "idea")
    assert counted(held, criterion="novelty").won.sum() == 2


def test_a_person_votes_on_a_pair_once(store):
    report = filed(store, table(*rows(), *rows(first="chain"), *rows(first="chain", judge="Grace")))
    assert (report.filed, {one.row for one in report.refused}) == (2, {7, 8, 9, 10, 11})
    assert "counts once" in report.refused[0].reason


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "lacks the columns topic"),
        (b"topic,judge\na,b", "lacks the columns method a"),
        (b"\x00\x01\xff\xfe" * 90, "no text"),
        (b"x" * (LARGEST + 1), "25 MB is the limit"),
        (table(*rows()).replace(b"Ada", b'"Ada', 1), "Line 2 of the file cannot be read"),
    ],
)
def test_what_is_no_file_of_votes_is_said(store, data, said):
    with pytest.raises(BadInput, match=said):
        filed(store, data)
    assert store.ballots.count("arena") == (0, 0)


def test_two_columns_of_one_name_are_refused_if_they_are_read(store):
    data = table(*rows()).decode()
    head, *lines = data.splitlines()
    twice = "\n".join([f"{head},Winner,,", *(f"{line},direct,x,y" for line in lines)])
    with pytest.raises(BadInput, match="more than one column winner"):
        filed(store, twice.encode())
    assert store.ballots.count("arena") == (0, 0)
    assert filed(store, twice.replace("Winner", "").encode()).filed == 1


WORDS = st.sampled_from(
    [
        "sleep",
        "chain",
        "direct",
        "a",
        "b",
        "first",
        "tie",
        "yes",
        "no",
        "novelty",
        "1",
        "",
        "=1+1",
        "real",
        "Ada",
    ]
)


@given(
    st.binary(max_size=300)
    | st.lists(st.fixed_dictionaries(dict.fromkeys((*COLUMNS, "repeat"), WORDS)), max_size=6).map(
        lambda held: table(*held)
    )
)
def test_any_bytes_give_a_report_or_a_sentence(tmp_path_factory, data):
    store = Store(tmp_path_factory.getbasetemp() / "any")
    before = sum(store.ballots.count("arena"))
    try:
        report = filed(store, data)
    except BadInput:
        assert sum(store.ballots.count("arena")) == before
        return
    assert sum(store.ballots.count("arena")) == before + report.filed
    counted(cast(store.ballots.lines("arena"), LINEUP, "idea"))


def test_of_many_refused_rows_the_first_are_kept_and_all_are_counted(store, monkeypatch):
    made = []
    monkeypatch.setattr(
        "core.judging.arena.imported_votes.RefusedVote",
        lambda **given: made.append(RefusedVote(**given)) or made[-1],
    )
    held = io.StringIO()
    writer = csv.writer(held)
    writer.writerow(COLUMNS)
    for n in range(4_000):
        for name in IDEA_CRITERIA[:5]:
            said = ("Sleep", "chain", "direct", "direct", name, "chain", f"Person {n}", "yes")
            writer.writerow(said)
    report = filed(store, held.getvalue().encode())
    assert len(made) == 20_000
    assert (report.rows, report.filed, report.refused_count) == (20_000, 0, 20_000)
    assert [one.row for one in report.refused] == list(range(2, KEPT + 2))
    ((reason, times),) = report.refused_by_reason.items()
    assert (times, reason[:28]) == (20_000, "… and … do not meet on … in ")


def test_a_row_refused_late_stands_in_its_place_among_the_first(store):
    alike = rows(judge="Ada") + rows(judge="Ada")
    wrong = rows(topic="rain")
    report = filed(store, table(*alike, *wrong))
    assert [one.row for one in report.refused] == list(range(2, 17))


def test_a_reason_is_no_longer_than_can_be_shown(store):
    report = filed(store, table(*rows(1, topic="x" * 100_000)))
    assert len(report.refused[0].reason) <= LONGEST
