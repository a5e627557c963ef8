"""Every idea there is, each text once: kept, written, and of collections."""

import pytest

from core.errors import BadInput
from core.importing.gathering import entries_of_shelf
from core.records import Entry, Idea, Rating
from core.store.ideas import ALL, EVERY, HOLDS, WRITTEN, IdeaQuery
from tests.support.arena_kit import entry


def an_idea(text: str) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": text})


def brought_in(
    store, text: str, method: str = "chain", topic: str = "sleep", title: str = ""
) -> str:
    """Put a text into the collection “test” and return the id of its idea."""
    made = entry(store, method, topic, an_idea(text))
    store.entries.add(((made, title or text),))
    return made.sha[:16]


@pytest.fixture
def three(store) -> tuple[str, str, str]:
    """A kept idea, one of a collection, and one that is both."""
    kept = store.ideas.save(an_idea("Naps help memory."), None, WRITTEN)
    alone = brought_in(store, "Blue light harms sleep.", "direct", "light")
    both = brought_in(store, "Cold rooms help.", "chain", "sleep")
    store.ideas.save(an_idea("Cold rooms help."), None, "")
    return kept, alone, both


def test_a_text_is_one_idea_wherever_it_came_from(store, three):
    kept, alone, both = three
    brought_in(store, "Cold rooms help.", "another method", "sleep")
    found = {one.id: one for one in store.ideas.listed()}
    assert set(found) == {kept, alone, both}
    assert store.ideas.count() == 3
    assert [found[one].kept for one in three] == [True, False, True]
    assert [found[one].collections for one in three] == [(), ("test",), ("test",)]
    assert (found[alone].method, found[alone].topic) == ("direct", "light")


def test_an_idea_stands_where_it_first_came_in(store, monkeypatch):
    hours = iter(f"2026-11-0{n}T00:00:00.000000+00:00" for n in range(1, 9))
    for module in ("core.store.ideas.now", "core.store.entries.now"):
        monkeypatch.setattr(module, lambda: next(hours))
    first, second = brought_in(store, "Naps help."), brought_in(store, "Light harms.")
    third = store.ideas.save(an_idea("Cold rooms help."), None, WRITTEN)
    store.ideas.change(first)
    brought_in(store, "Light harms.", "another method")
    brought_in(store, "Cold rooms help.")
    assert [one.id for one in store.ideas.listed()] == [third, second, first]
    assert store.ideas.get(first).saved.startswith("2026-11-04"), "since it is kept"


@pytest.mark.parametrize(
    ("wanted", "which"),
    [
        (IdeaQuery(text="BLUE light"), (1,)),
        (IdeaQuery(text="direct"), (1,)),
        (IdeaQuery(text="help"), (0, 2)),
        (IdeaQuery(kept=True), (0, 2)),
        (IdeaQuery(kept=False), (1,)),
        (IdeaQuery(collection="test"), (1, 2)),
        (IdeaQuery(collection="test", kept=False, text="light"), (1,)),
        (IdeaQuery(text="nowhere"), ()),
        (IdeaQuery(text="%"), ()),
        (ALL, (0, 1, 2)),
    ],
)
def test_ideas_are_found_by_words_place_and_marks(store, three, wanted, which):
    assert {one.id for one in store.ideas.listed(wanted)} == {three[n] for n in which}
    assert store.ideas.count(wanted) == len(which)


def test_pages_of_a_list_have_every_idea_once(store):
    for n in range(5):
        store.ideas.save(an_idea(f"Kept {n}."), None, "")
        brought_in(store, f"Brought in {n}.")
    pages = [store.ideas.listed(limit=3, skip=skip) for skip in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 3, 1]
    assert len({one.id for page in pages for one in page}) == 10


def test_a_mark_on_an_idea_of_a_collection_keeps_it(store, three):
    _, alone, _ = three
    store.ideas.change(alone, starred=True, tags=("light",))
    kept = store.ideas.get(alone)
    assert (kept.kept, kept.starred, kept.tags, kept.collections) == (
        True,
        True,
        ("light",),
        ("test",),
    )
    store.ideas.remove(alone)
    again = store.ideas.get(alone)
    assert (again.kept, again.starred, again.tags) == (False, False, ())
    store.entries.remove("test")
    with pytest.raises(BadInput, match="no idea"):
        store.ideas.get(alone)


def test_a_mark_on_an_idea_that_is_gone_is_said(store):
    with pytest.raises(BadInput, match="no idea"):
        store.ideas.change("0123456789abcdef", starred=True)


def test_designs_are_no_ideas(store):
    from tests.support.arena_kit import a_design

    made = entry(store, "chain", "sleep", a_design("d"), "design")
    store.entries.add(((made, "d"),))
    assert store.ideas.listed() == []


def test_ideas_of_a_collection_are_rated_and_put_into_another(store, three):
    kept, alone, _both = three
    store.ideas.rate((Rating(idea=alone, criterion="Novelty", score=7, rater="Ana"),))
    assert len(store.ideas.ratings((alone,))) == 1
    refused = entries_of_shelf(store, (kept,), "other", topic="Rest").refused
    assert [one.reason for one in refused] == ["No run stands behind it, so say its method."]
    report = entries_of_shelf(store, three, "picked", topic="Rest", own_method="Own idea")
    assert not report.refused
    entries = [one for one, _ in store.entries.of(("picked",))]
    assert {one.method for one in entries} == {"Own idea", "direct", "chain"}
    assert {one.topic for one in entries} == {"Rest"}


@pytest.mark.parametrize("words", ["test", "chain", "sleep", "Cold rooms"])
def test_a_kept_idea_is_found_by_what_its_collection_says_too(store, three, words):
    assert three[2] in {one.id for one in store.ideas.listed(IdeaQuery(text=words))}


@pytest.mark.parametrize("words", ["fields", "form", "hypothesis", "six-field"])
def test_what_the_parts_of_an_idea_are_called_is_not_searched(store, words):
    store.ideas.save(Idea(form="hypothesis", fields={"hypothesis": "Ärzte nap."}), None, "x")
    assert store.ideas.count(IdeaQuery(text=words)) == 0
    assert store.ideas.count(IdeaQuery(text="ärzte")) == 1


def test_a_collection_is_read_to_its_end(store):
    said = {"kind": "idea", "method": "m", "model": "", "source": "", "collection": "many"}
    made = [Entry(id=f"t{n:05}", sha=f"{n}", topic=f"t{n:05}", **said) for n in range(10_001)]
    store.entries.add(tuple((one, one.topic) for one in made))
    found = store.entries.of(("many",))
    assert (len(found), found[-1][1]) == (10_001, "t10000")
    assert len(store.entries.of(("many",), limit=3, skip=2)) == 3


def test_half_a_sign_is_searched_for_without_a_mistake(store, three):
    assert store.ideas.count(IdeaQuery(text="\ud800")) == 0


def test_entries_are_found_by_their_text_without_looking_at_all(store):
    whole = EVERY.format(where=HOLDS) + "SELECT count(*) FROM found"
    plan = store.connections.rows(f"EXPLAIN QUERY PLAN {whole}", "x", "x")
    assert any("SEARCH entries USING INDEX entries_text" in row["detail"] for row in plan)


def test_the_first_place_of_a_text_says_where_it_is_from(store, three):
    entries_of_shelf(store, (three[1],), "picked", method="Renamed", topic="Another")
    again = store.ideas.get(three[1])
    assert set(again.collections) == {"test", "picked"}
    assert (again.method, again.topic) == ("direct", "light")
