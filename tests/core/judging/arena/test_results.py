"""What an arena comes to: counts by hand, ratings of the oracles' code, people beside models,
health on texts as shown, and all of it fast.
"""

import json
import math
import random
import re
import time
from itertools import combinations

import numpy as np
import pytest

from core.errors import BadInput
from core.judging.arena import tables as arena_tables
from core.judging.arena.ballots import cast, counted, played, votes
from core.judging.arena.results import judged, results
from core.judging.ratings import elo
from core.judging.votes import coded, merged
from core.judging.votes import counts as count
from core.records import IDEA_CRITERIA, Lineup, Seat
from core.store.ballots import INSERT, Line

METHODS, TOPICS = ("a", "b", "c"), tuple(f"topic {n:02d}" for n in range(12))


def lineup(methods=METHODS, topics=TOPICS, length=lambda topic, method: 400):
    return Lineup(
        seats=tuple(
            Seat(topic=t, method=m, sha="x", length=length(t, m)) for t in topics for m in methods
        ),
        common=True,
    )


def line(topic, a, b, first, side, judge="j", person=False, repeat=1) -> Line:
    said = dict.fromkeys(IDEA_CRITERIA, side) if isinstance(side, str) else side
    return (topic, a, b, first, judge, int(person), repeat, json.dumps(said))


def simulated(seed=1, methods=METHODS, topics=TOPICS, judges=("j",), lean=0.0):
    """Return ballots of judges that hold later methods to be better, with noise; `lean` is a
    preference for the first place, in log-odds.
    """
    dice, made = random.Random(seed), []
    for topic in topics:
        for a, b in combinations(methods, 2):
            for judge in judges:
                for first, second in ((a, b), (b, a)):
                    odds = methods.index(first) - methods.index(second) + lean
                    chance = 1 / (1 + math.exp(-odds))
                    sides = {
                        name: (
                            "tie"
                            if dice.random() < 0.1
                            else "first"
                            if dice.random() < chance
                            else "second"
                        )
                        for name in IDEA_CRITERIA
                    }
                    made.append(line(topic, a, b, first, sides, judge))
    return made


def test_two_orders_that_agree_make_one_match_and_a_contradiction_is_a_tie():
    held = cast(
        [
            line("topic 00", "a", "b", "a", "first"),
            line("topic 00", "a", "b", "b", "second"),
            line("topic 00", "a", "c", "a", "first"),
            line("topic 00", "a", "c", "c", "first"),
        ],
        lineup(),
        "idea",
    )
    found = results(held, criterion="novelty")
    assert {one.player: one[4:] for one in found.table.ratings} == {
        "a": (2, 1, 0, 1),
        "b": (1, 0, 1, 0),
        "c": (1, 0, 0, 1),
    }
    assert found.matrix.players == ("a", "c", "b")
    assert found.matrix.share[0].tolist()[1:] == [0.5, 1.0]
    assert math.isnan(found.matrix.share[1, 2])


def test_without_a_criterion_the_matches_of_all_are_pooled():
    held = cast(simulated(), lineup(), "idea")
    each = [results(held, criterion=name) for name in IDEA_CRITERIA]
    whole = results(held)
    assert whole.table.matches == sum(one.table.matches for one in each) == 5 * 36
    for n, player in enumerate(whole.matrix.players):
        assert (
            sum(one.matrix.matches[one.matrix.players.index(player)].sum() for one in each)
            == whole.matrix.matches[n].sum()
        )
    assert [one.player for one in whole.table.ratings] == ["c", "b", "a"]


def test_the_counts_are_those_of_the_votes_one_by_one():
    held = cast(simulated(judges=("j", "k")), lineup(), "idea")
    for name in IDEA_CRITERIA:
        one_by_one, at_once = (
            count(coded(votes(held, "models", name))),
            counted(held, "models", name),
        )
        assert np.array_equal(one_by_one.won, at_once.won)
        assert np.array_equal(one_by_one.tied, at_once.tied)
        assert played(held, "models", name) == merged(votes(held, "models", name))


def test_elo_is_that_of_the_matches_in_the_order_they_were_played():
    held = cast(simulated(), lineup(), "idea")
    assert results(held, criterion="clarity").elo == elo(merged(votes(held, "both", "clarity")))
    order = [one.topic for one in played(held)]
    assert order == sorted(order), "pooled criteria take turns, so that no criterion is played last"
    assert set(results(held).elo) == set(METHODS)


def test_people_and_models_are_told_apart():
    held = cast(
        [
            line("topic 00", "a", "b", "a", "first"),
            line("topic 00", "a", "b", "a", "second", "Ada", person=True),
            line("topic 01", "a", "b", "a", "second", "j", person=True),
        ],
        lineup(),
        "idea",
    )
    best = {
        who: results(held, who, "novelty").table.ratings[0].player for who in ("models", "people")
    }
    assert best == {"models": "a", "people": "b"}
    assert {
        who: results(held, who, "novelty").table.matches for who in ("models", "people", "both")
    } == {"models": 1, "people": 2, "both": 3}


def test_a_ballot_that_says_nothing_of_a_criterion_counts_on_the_others_only():
    held = cast(
        [
            line("topic 00", "a", "b", "a", {"novelty": "first"}),
            line("topic 00", "a", "b", "b", {"novelty": "second", "clarity": "tie"}),
        ],
        lineup(),
        "idea",
    )
    assert {name: results(held, criterion=name).table.matches for name in IDEA_CRITERIA} == {
        "novelty": 1,
        "clarity": 1,
        "significance": 0,
        "feasibility": 0,
        "effectiveness": 0,
    }
    assert results(held).table.matches == 2


def test_ballots_on_a_few_criteria_are_counted_as_ballots():
    few = [
        line(topic, "a", "b", first, {"novelty": "first"}, "imported")
        for topic in TOPICS
        for first in "ab"
    ]
    held = cast([*simulated(judges=("j",)), *few], lineup(), "idea")
    assert [(one.judge, one.ballots) for one in judged(held, lineup()).judges] == [
        ("imported", 24),
        ("j", 72),
    ]
    assert [(one.judge, one.ballots) for one in judged(held, lineup(), "clarity").judges] == [
        ("j", 72)
    ]


def test_matches_judged_in_one_order_only_are_counted_and_said():
    cut = simulated()[:-1]
    found = results(cast(cut, lineup(), "idea"), criterion="novelty")
    assert found.one_sided == 1
    assert "1 match of models was judged in one order only" in arena_tables.ratings(found).note
    by_people = [line("topic 00", "a", "b", "a", "first", "Ada", person=True)]
    assert (
        results(cast([*simulated(), *by_people], lineup(), "idea"), criterion="novelty").one_sided
        == 0
    )


def test_an_arena_without_a_ballot_has_no_ratings_and_says_so():
    held = cast([], lineup(), "idea")
    found = results(held)
    assert (found.table.ratings, found.table.note, found.elo, found.curve, found.level) == (
        (),
        "No match has been played yet.",
        {},
        [],
        [],
    )
    assert judged(held, lineup()).judges == ()
    assert arena_tables.ratings(found).rows == ()
    with pytest.raises(BadInput, match="no criterion 'beauty'"):
        results(held, criterion="beauty")


def test_ballots_on_texts_that_are_not_in_the_lineup_count_nowhere():
    held = cast(
        [line("topic 00", "a", "z", "a", "first"), line("elsewhere", "a", "b", "a", "first")],
        lineup(),
        "idea",
    )
    assert results(held).table.matches == 0


def test_a_judge_that_leans_to_the_first_place_is_found_out_and_one_that_does_not_is_not():
    topics = tuple(f"topic {n:03d}" for n in range(40))
    for lean in (0.0, 1.5):
        found = judged(
            cast(simulated(3, topics=topics, lean=lean), lineup(topics=topics), "idea"),
            lineup(topics=topics),
        )
        (judge,) = found.judges
        assert (judge.position.low > 0.05) == (lean > 0)
        assert (judge.position.low <= 0 <= judge.position.high) == (lean == 0)
        assert judge.ballots == 40 * 6
        assert judge.flips.rate.n == 40 * 3 * 5


def test_a_judge_that_likes_long_texts_is_found_out_by_lengths_as_shown():
    topics, dice = tuple(f"topic {n:03d}" for n in range(60)), random.Random(5)
    size = {(topic, method): dice.randint(200, 1_600) for topic in topics for method in METHODS}
    lines = [
        line(
            topic,
            a,
            b,
            first,
            "first" if size[topic, first] > size[topic, a if first == b else b] else "second",
        )
        for topic in topics
        for a, b in combinations(METHODS, 2)
        for first in (a, b)
    ]
    lines += [
        line(one[0], one[1], one[2], one[3], dice.choice(("first", "second")), "fair")
        for one in lines
    ]
    shown = lineup(topics=topics, length=lambda topic, method: size[topic, method])
    fair, long = judged(cast(lines, shown, "idea"), shown, "novelty").judges
    assert long.length.longer_wins.value == 1
    assert fair.length.odds.low < 1 < fair.length.odds.high
    assert "length" in long.length.odds.note.lower(), (
        "nothing but length decides, which no slope can hold"
    )


def test_agreement_is_never_between_one_criterion_and_another():
    sides = {name: "first" if n % 2 else "second" for n, name in enumerate(IDEA_CRITERIA)}
    lines = [
        line(topic, "a", "b", "a", sides, judge, person)
        for topic in TOPICS
        for judge, person in (("j", False), ("k", False), ("Ada", True))
    ]
    found = judged(cast(lines, lineup(), "idea"), lineup())
    assert {pair: both.with_ties.value for pair, both in found.between.items()} == {
        ("j", "k"): 1,
        ("j", "people"): 1,
        ("k", "people"): 1,
    }
    assert {both.with_ties.n for both in found.between.values()} == {len(TOPICS) * 5}
    assert {
        name: both.with_ties.value for name, both in found.people["j"].items()
    } == dict.fromkeys(IDEA_CRITERIA, 1)


def test_people_s_agreement_is_said_by_criterion_and_model():
    said = {
        "j": dict.fromkeys(IDEA_CRITERIA, "first") | {"clarity": "second"},
        "Ada": dict.fromkeys(IDEA_CRITERIA, "first"),
    }
    lines = [
        line(topic, "a", "b", "a", sides, judge, judge == "Ada")
        for topic in TOPICS
        for judge, sides in said.items()
    ]
    found = judged(cast(lines, lineup(), "idea"), lineup())
    assert {
        name: both.with_ties.value for name, both in found.people["j"].items()
    } == dict.fromkeys(IDEA_CRITERIA, 1) | {"clarity": 0}
    table = arena_tables.people(found)
    assert [row[1].text for row in table.rows] == [
        "Novelty",
        "Significance",
        "Clarity",
        "Feasibility",
        "Effectiveness",
    ]
    assert table.rows[2][2].said.startswith("0.0 %")


def test_small_samples_are_refused_in_words():
    found = judged(
        cast([line("topic 00", "a", "b", "a", "first")], lineup(), "idea"), lineup(), "novelty"
    )
    (row,) = arena_tables.judges(found).rows
    assert all(cell.mean is None and cell.note.startswith(("Only ", "No ")) for cell in row[2:])


def test_tables_say_what_they_rest_on():
    held = cast(simulated(), lineup(), "idea")
    found = results(held, "models", "novelty")
    table = arena_tables.ratings(found)
    assert table.name == "arena-ratings-models-novelty"
    assert [row[0].text for row in table.rows] == [one.player for one in found.table.ratings]
    assert all(row[1].low < row[1].mean < row[1].high for row in table.rows)
    assert "odds of 10 to 1" in table.note
    assert "Strongly connected" in table.note
    undefeated = results(
        cast([line(topic, "a", "b", "a", "first") for topic in TOPICS], lineup(), "idea"),
        criterion="novelty",
    )
    assert "Not strongly connected" in arena_tables.ratings(undefeated).note
    assert [row[0].text for row in arena_tables.matches(found).rows] == list(
        arena_tables.matches(found).head[1:]
    )
    assert len(arena_tables.curve(found).rows) == len(found.curve)


def test_criteria_of_any_signs_have_tables_of_their_own():
    brought = (
        "a-b",
        "a_b",
        "a b",
        "A B",
        "Originalität",
        "新しさ",
        "how new?",
        "../../x",
        "long" * 40,
    )
    names = [
        arena_tables._slug(one)
        for one in (*brought, "all criteria pooled", "all_criteria_pooled", None)
    ]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z0-9][a-z0-9-]{0,79}", one) for one in names)
    assert names[1] == "a-b", "as it always was"


def test_intervals_of_people_s_votes_are_said_to_hold_for_those_who_voted():
    held = cast(
        [line(topic, "a", "b", "a", "first", "Ada", person=True) for topic in TOPICS] + simulated(),
        lineup(),
        "idea",
    )
    assert [
        "not people" in arena_tables.ratings(results(held, who)).note
        for who in ("models", "people", "both")
    ] == [False, True, True]


def test_those_not_separable_are_named():
    even = [
        line(topic, a, b, a, "first" if n % 2 else "second")
        for n, topic in enumerate(TOPICS)
        for a, b in combinations(METHODS, 2)
    ]
    found = results(cast(even, lineup(), "idea"), criterion="novelty")
    assert [set(group) for group in found.level] == [set(METHODS)]
    assert "Not separable" in arena_tables.ratings(found).note


def test_76_000_ballots_are_read_and_counted_within_two_seconds(store):
    methods, topics = (
        tuple(f"method {n:02d}" for n in range(20)),
        tuple(f"topic {n:03d}" for n in range(100)),
    )
    dice = random.Random(1)
    sides = [
        json.dumps({name: dice.choice(("first", "second", "tie")) for name in IDEA_CRITERIA})
        for _ in range(200)
    ]
    filed = [
        (
            "r",
            f"{judge}/{topic}/{a}/{b}/{first}",
            topic,
            a,
            b,
            first,
            judge,
            0,
            1,
            dice.choice(sides),
            "{}",
            "",
            "2026-01-01",
        )
        for topic in topics
        for a, b in combinations(methods, 2)
        for judge in ("j", "k")
        for first in (a, b)
    ]
    assert len(filed) == 76_000
    with store.connections.writing() as connection:
        connection.executemany(INSERT, filed)
    begun = time.process_time()  # The processor's own, which others on the machine take nothing of.
    held = cast(store.ballots.lines("r"), lineup(methods, topics), "idea")
    found = [counted(held, "models", name) for name in IDEA_CRITERIA]
    assert time.process_time() - begun < 2
    assert all(one.won.sum() + one.tied.sum() // 2 == 38_000 for one in found)


def test_of_very_many_methods_it_is_not_told_who_beat_whom(monkeypatch):
    held = cast(simulated(), lineup(), "idea")
    found = results(held)
    assert len(arena_tables.matches(found).rows) == 3
    monkeypatch.setattr(arena_tables, "MATCHED", 2)
    none = arena_tables.matches(found)
    assert (none.rows, none.note) == (
        (),
        "Who beat whom is told of 2 methods at most, and these are 3.",
    )
    level = found._replace(level=(("c", "b", "a"), ("b", "a"), ("a", "b")))
    monkeypatch.setattr(arena_tables, "LEVEL", 2)
    said = arena_tables.level(level)[:3]
    assert said[0].endswith(": c, b and 1 more.")
    assert said[1].endswith(": b, a.")
    assert said[2] == "And 1 more group of methods not separable."
