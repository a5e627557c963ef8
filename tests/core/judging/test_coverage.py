"""What an idea does not rest on is said: words of the topic that no paper has, and one paper alone;
and no word is missed on a topic that the program offers.
"""

import pytest

from core import settings
from core.judging.coverage import found_papers, reservations, unmentioned
from core.literature.port import Query
from core.methods import ChainInputs
from core.records import Chain, Link, Outcome, Paper, Search
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.story import Story
from tests.support.builtin_kit import shared
from tests.support.scripted import FIRST, configured

CAFFEINE = "caffeine timing and sleep quality in young endurance athletes"
OFFERED = [topic for field in shared().shelf.neighbourhoods() for topic in field.example_topics[:2]]
"""The topics that a press on the home screen, or on Chains, takes."""


def paper(name: str, title: str, abstract: str = "") -> Paper:
    return Paper(id=name, title=title, abstract=abstract, year=2016, source="shelf")


SLEEP = paper("a", "Does elite sport degrade sleep quality?", "Young athletes time their naps.")
NIGHT = paper("b", "The night", "Endurance suffers.")


@pytest.mark.parametrize(
    ("topic", "missing"),
    [
        (CAFFEINE, ("caffeine", "endurance")),
        ("Athletic sleeping at NIGHT", ("NIGHT",)),
        ("The effects of new methods on what may improve", ()),
        ('"caffeine" OR (sleep) NEAR *', ("caffeine",)),
        ("", ()),
    ],
)
def test_words_that_no_paper_has_are_found_by_their_stems(topic, missing):
    assert unmentioned(topic, [SLEEP]) == missing


def test_a_longer_word_of_the_same_beginning_is_had():
    assert unmentioned("dietary guidelines", [paper("a", "Diet and sleep")]) == ()
    assert unmentioned("caffeine", []) == (), "nothing is known where there is no paper"


def story(topic: str, *links: Paper, found: tuple[Paper, ...] = ()) -> Story:
    chain = Chain(topic=topic, links=tuple(Link(paper=one, hop="anchor") for one in links))
    return Story(
        (
            ("branch-1/chain", chain),
            ("branch-1/search", Search(query=topic, papers=found, state="found")),
            ("outcome", Outcome(reason="Done.", idea=FIRST, branch=1)),
        )
    )


def test_an_idea_says_which_words_of_its_topic_no_paper_has_and_that_it_rests_on_one():
    words, one = reservations(story(CAFFEINE, SLEEP, found=(NIGHT,)))
    assert words.startswith("No paper here says anything of: caffeine. ")
    assert one == (
        "This branch rests on one paper: Does elite sport degrade sleep quality? (2016)."
    )


def test_an_idea_on_a_topic_that_is_covered_says_nothing():
    assert reservations(story("sleep of athletes at night", SLEEP, NIGHT)) == ()
    assert reservations(Story(())) == ()


@pytest.mark.parametrize("topic", OFFERED)
def test_the_papers_found_for_a_topic_on_offer_have_its_words(topic):
    assert unmentioned(topic, shared().shelf.search(Query(text=topic))) == ()


@pytest.mark.soak
@pytest.mark.parametrize("topic", OFFERED)
def test_a_chain_on_a_topic_on_offer_misses_no_word_of_it(tmp_path, topic):
    shop = Workshop(settings.read({}, data=tmp_path))
    shop.embedder, shop.shelf = shared().embedder, shared().shelf
    runner, asked = Runner(shop), validated(ChainInputs, topic=topic)
    models = dict.fromkeys(("main", "cheap"), "builtin")
    run = runner.begin(configured(runner, "chain", asked, models=models), topic)
    assert runner.work(run.id) == "done"
    assert unmentioned(topic, found_papers(Story.of(runner.store, run.id))) == ()
