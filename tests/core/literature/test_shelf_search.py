"""Searching the shelf by meaning: its own topics find papers, others find nothing."""

import pytest

from core.literature.port import Query
from core.literature.shelf import FOLDER
from core.literature.shelf_files import read
from tests.support.builtin_kit import shared

TOPICS = [(file.neighbourhood, topic) for file in read(FOLDER) for topic in file.example_topics]
FOREIGN = [
    "medieval trade law",
    "quantum knitting patterns",
    "sourdough baking",
    "monetary policy and inflation",
    "coral reef bleaching",
    "football tactics",
    "sentiment analysis of tweets",
    "hip replacement surgery",
    "image segmentation of retinal scans",
    "battery electrolytes for sodium ion cells",
    "A study of how medieval merchants in northern Italy settled disputes over contracts",
]


@pytest.fixture(scope="module")
def shelf():
    # One store for all that need the shelf: embedding it takes some seconds.
    return shared().shelf


@pytest.mark.parametrize(("neighbourhood", "topic"), TOPICS)
def test_a_topic_of_the_shelf_finds_its_own_neighbourhood(shelf, neighbourhood, topic):
    ours = {
        entry.id
        for file in read(FOLDER)
        if file.neighbourhood == neighbourhood
        for entry in file.papers
    }
    found = [paper.id for paper in shelf.search(Query(text=topic))]
    assert len(found) >= 5
    assert set(found[:5]) <= ours


@pytest.mark.parametrize("topic", FOREIGN)
def test_a_topic_of_another_field_finds_nothing(shelf, topic):
    assert shelf.search(Query(text=topic)) == ()


@pytest.mark.parametrize(
    "hostile",
    ["'; DROP TABLE papers; --", "<script>alert(1)</script>", "\u202e\u202e", "🧪" * 500, "\ud83d"],
)
def test_hostile_words_find_nothing_and_break_nothing(shelf, hostile):
    assert shelf.search(Query(text=hostile)) == ()


def test_a_cut_off_a_ban_and_a_limit_hold(shelf):
    topic = "Using LLM agents to generate novel research ideas"
    best = shelf.search(Query(text=topic, limit=50))
    assert shelf.search(Query(text=topic, limit=3)) == best[:3]
    assert shelf.search(Query(text=topic, limit=3, ban=(best[0].id, best[2].id))) == (
        best[1],
        *best[3:5],
    )
    older = shelf.search(Query(text=topic, limit=50, before="2024-09-01"))
    assert 0 < len(older) < len(best)
    assert all((paper.published or f"{paper.year}") < "2024-09" for paper in older)


def test_the_answer_says_when_the_shelf_was_checked(shelf):
    shelf.search(Query(text="sleep of young athletes"))
    assert shelf.last()["checked"] == min(file.checked for file in read(FOLDER))
