"""Several texts of a method on a topic: names of their own, and ratings of their methods."""

from collections import Counter

import numpy as np

from core.judging.arena.ballots import cast, counted
from core.judging.arena.competition import ArenaInputs, extended, lineup_of
from core.judging.arena.contestants import by_method, enter, first_of_each
from core.judging.arena.results import results
from core.judging.arena.sheet import sheet
from core.judging.arena.tables import every
from tests.support.arena_kit import arena_shop, entry, held, six


def several(store, topics=("sleep",)):
    """Two texts by `chain` and one by `real paper` on each topic, with their titles."""
    made = {}
    for topic in topics:
        for n in (1, 2):
            text = six(f"What chain says of {topic}, {n}.")
            made[entry(store, "chain", topic, text)] = f"Idea {n} on {topic}"
        made[entry(store, "real paper", topic)] = "A paper"
    return made


def titles(found):
    return {one.id: title for one, title in found.items()}


def test_texts_on_one_topic_compete_under_their_titles(store):
    found = several(store)
    entered = enter(tuple(found), titles(found))
    assert [one.method for one in entered.entries] == [
        "chain: Idea 1 on sleep",
        "chain: Idea 2 on sleep",
        "real paper",
    ]
    assert set(entered.method_of.values()) == {"chain"}
    assert [one.sha for one in entered.entries] == [one.sha for one in found]


def test_equal_titles_get_numbers_and_long_ones_stay_names(store):
    long = "A very long title " * 20
    texts = [entry(store, "m" * 200, "sleep", six(f"Text {n}")) for n in range(3)]
    entered = enter(texts, dict.fromkeys([one.id for one in texts], long))
    names = [one.method for one in entered.entries]
    assert len(set(names)) == 3
    assert max(map(len, names)) <= 200
    assert names[1] == f"{names[0]}, 2"


def test_texts_on_several_topics_are_numbered(store):
    found = several(store, ("sleep", "light"))
    names = Counter(one.method for one in enter(tuple(found), titles(found)).entries)
    assert names == {"chain, idea 1": 2, "chain, idea 2": 2, "real paper": 2}


def test_a_method_with_one_text_a_topic_keeps_its_name(store):
    found = dict.fromkeys((entry(store, "chain", "sleep"), entry(store, "chain", "light")), "t")
    entered = enter(tuple(found), titles(found))
    assert entered.method_of == {}
    assert entered.entries == tuple(found)


def test_the_first_of_each_is_the_first_that_came_in(store):
    found = tuple(several(store))
    assert first_of_each(found) == [found[0], found[2]]


def test_methods_are_rated_by_matches_between_their_texts(tmp_path):
    runner, _ = arena_shop(tmp_path)
    found = several(runner.store, ("sleep", "light"))
    entered = enter(tuple(found), titles(found))
    run = held(runner, entered.entries, method_of=entered.method_of)
    lineup = lineup_of(runner.store, run.id)
    ballots = cast(runner.store.ballots.lines(run.id), lineup, "idea")
    methods = by_method(ballots, entered.method_of)
    assert methods.players == ("chain", "real paper")
    # Two texts against one paper on two topics; the two texts against each other do not count.
    assert (
        counted(ballots, "both", "novelty").won.sum()
        + counted(ballots, "both", "novelty").tied.sum() / 2
        == 3 * 2
    )
    pairs = counted(methods, "both", "novelty")
    assert (pairs.won.sum(), pairs.tied.sum()) == (4, 0)
    assert results(methods, "models", "novelty").table.ratings[0].player == "real paper"
    assert results(methods, "models", "novelty").table.ratings[0].wins == 4
    made = sheet(runner.store, run.id, "novelty")
    assert [row[0].text for row in made.methods[0].ratings.rows] == ["real paper", "chain"]
    assert len(made.stands[0].ratings.rows) == 3
    named = [table.name for table in every(ballots, lineup, True, entered.method_of)]
    assert "arena-methods-ratings-models-all-criteria-pooled" in named
    assert len(set(named)) == len(named)


def test_without_names_of_their_own_the_ballots_are_those_between_methods(tmp_path):
    runner, _ = arena_shop(tmp_path)
    run = held(runner, (entry(runner.store, "a", "t"), entry(runner.store, "b", "t")))
    lineup = lineup_of(runner.store, run.id)
    ballots = cast(runner.store.ballots.lines(run.id), lineup, "idea")
    same = by_method(ballots, {})
    assert np.array_equal(counted(same).won, counted(ballots).won)
    assert sheet(runner.store, run.id, None).methods == ()


def test_an_arena_is_extended_by_another_text_of_a_method(tmp_path):
    runner, _ = arena_shop(tmp_path)
    there = (entry(runner.store, "chain", "sleep"), entry(runner.store, "real paper", "sleep"))
    run = held(runner, there)
    fresh = entry(runner.store, "chain", "sleep", six("What chain says, again."))
    more = enter((*there, fresh), {fresh.id: "Again"}, run.inputs_as(ArenaInputs))
    assert [one.method for one in more.entries] == ["chain: Again"]
    grown = extended(run.config, more.entries, (), more.method_of).inputs_as(ArenaInputs)
    assert [one.method for one in grown.entries] == ["chain", "real paper", "chain: Again"]
    assert grown.method_of == {"chain: Again": "chain"}
    once_more = enter((*there, fresh), {fresh.id: "Again"}, grown)
    assert once_more.entries == ()


def test_no_text_takes_the_name_of_a_method(store):
    texts = [entry(store, "A", "sleep", six(f"Text {n}")) for n in (1, 2)]
    named = {texts[0].id: "Title 1", texts[1].id: "Title 2"}
    real = entry(store, "A: Title 1", "sleep")
    entered = enter((*texts, real), named | {real.id: "t"})
    names = [one.method for one in entered.entries]
    assert names == ["A: Title 1, 2", "A: Title 2", "A: Title 1"]
    assert set(entered.method_of) == {"A: Title 1, 2", "A: Title 2"}
    elsewhere = entry(store, "A, idea 1", "light")
    entered = enter((*texts, elsewhere), named | {elsewhere.id: "t"})
    assert "A, idea 1" not in entered.method_of
