"""The built-in model works on what the papers say: relevance, reading, trends, ideas and their
novelty.
"""

import re

import pytest

from core.models.builtin.english import paragraph, retell, sentences
from core.models.builtin.library import whole
from core.models.builtin.phrases import cite, noun_phrases, stands_as_noun
from core.models.builtin.searching import topic_named
from core.records import (
    Choice,
    Entities,
    Hypothesis,
    Idea,
    NoveltyVerdict,
    Paper,
    Queries,
    Relevance,
    Trend,
)
from tests.support.builtin_kit import GOALS, TOPICS, Bench, bench  # noqa: F401

REAL = Paper(
    id="x",
    title="Attention Is All You Need",
    authors=("Ashish Vaswani", "Noam Shazeer", "Niki Parmar"),
    year=2017,
    abstract=(
        "The dominant sequence transduction models are based on complex recurrent or convolutional"
        " neural networks in an encoder-decoder configuration. However, sequential computation"
        " limits training. We propose a new simple network architecture, the Transformer, based"
        " solely on attention mechanisms, dispensing with recurrence and convolutions entirely."
        " Experiments on two machine translation tasks show these models to be superior in quality"
        " while being more parallelizable and requiring significantly less time to train."
    ),
)


@pytest.mark.parametrize("topic", TOPICS)
def test_papers_of_the_topic_are_relevant_and_those_of_another_field_are_not(bench, topic):  # noqa: F811
    others = [paper for other in TOPICS if other != topic for paper in bench.near(other)]
    assert all(
        bench.ask("relevance", Relevance, topic=topic, paper=paper).relevant
        for paper in bench.near(topic)
    )
    assert not any(
        bench.ask("relevance", Relevance, topic=topic, paper=paper).relevant for paper in others
    )


def test_a_reference_off_the_subject_is_not_followed(bench):  # noqa: F811
    paper, far = bench.near(TOPICS[0], 1)[0], bench.near(TOPICS[1], 4)
    choice = bench.ask("choose-reference", Choice, topic=TOPICS[0], paper=paper, references=far)
    assert choice.id is None
    assert "None of the 4 references is near enough" in choice.reason


def test_the_reference_on_the_subject_is_chosen_from_among_others(bench):  # noqa: F811
    ours, far = bench.near(TOPICS[2], 2), bench.near(TOPICS[1], 4)
    choice = bench.ask(
        "choose-reference", Choice, topic=TOPICS[2], paper=ours[0], references=(*far, ours[1])
    )
    assert choice.id == ours[1].id


def test_queries_start_with_the_topic_and_take_its_sides(bench):  # noqa: F811
    queries = bench.ask("queries", Queries, topic=TOPICS[1]).queries
    assert queries[0] == TOPICS[1]
    assert 2 <= len(queries) == len(set(queries))


def test_a_paper_is_read_into_background_method_and_results(bench):  # noqa: F811
    reading = bench.read(REAL)
    assert "recurrent" in reading.idea.background
    assert "Transformer" in reading.idea.method + reading.idea.novelty
    assert "machine translation" in reading.experiments[0].setup
    assert "Transformer" in [entity.name for entity in reading.entities]


def test_what_a_paper_does_not_say_stays_empty(bench):  # noqa: F811
    reading = bench.read(Paper(id="e", title="A title without an abstract"))
    assert reading.entities == ()
    assert set(reading.idea.model_dump().values()) == {""}
    assert reading.experiments == ()


def test_entities_are_joined_under_one_name(bench):  # noqa: F811
    readings = tuple(bench.read(paper) for paper in bench.near(TOPICS[1]))
    names = [
        entity.name.lower().removesuffix("s")
        for entity in bench.ask("entities", Entities, topic=TOPICS[1], readings=readings).entities
    ]
    assert len(names) == len(set(names)) >= 5


@pytest.mark.parametrize("topic", TOPICS)
def test_a_trend_has_one_step_per_pair_and_names_both_papers(bench, topic):  # noqa: F811
    chain = bench.chain(topic)
    steps = bench.ask("trend", Trend, topic=topic, chain=chain).steps
    assert [(step.earlier, step.later) for step in steps] == [
        (a.id, b.id) for a, b in zip(chain.papers, chain.papers[1:], strict=False)
    ]
    assert all(
        cite(a) in step.how and cite(b) in step.how
        for step, a, b in zip(steps, chain.papers, chain.papers[1:], strict=False)
    )


def test_each_sentence_is_read_into_one_field_of_the_idea_and_one_of_the_experiment(bench):  # noqa: F811
    for paper in bench.shelf.all():
        reading = bench.read(paper)
        for parts in (
            reading.idea.model_dump(),
            *({**one.model_dump(), "datasets": "", "metrics": ""} for one in reading.experiments),
        ):
            spoken = [line for text in parts.values() for line in sentences(text)]
            assert len(spoken) == len(set(spoken))


def test_entities_look_like_terms(bench):  # noqa: F811
    names = {e.name for paper in bench.shelf.all() for e in bench.read(paper).entities}
    assert not {"network attends", "next state", "decreasing variance", "RNO reweights"} & names
    assert "Fourier neural operator" in names


def test_a_long_topic_is_shortened(bench):  # noqa: F811
    assert len(topic_named("sleep " * 20_000)) < 130


def test_long_names_are_not_cut_off():
    assert "Message Passing Neural PDE Solvers" in noun_phrases(
        "Message Passing Neural PDE Solvers"
    )


def test_a_published_idea_is_found_to_be_similar_and_an_own_one_is_not(bench):  # noqa: F811
    papers = bench.near(TOPICS[2], 6)
    copied = Idea(form="hypothesis", fields={"hypothesis": papers[1].abstract})
    verdict = bench.ask("novelty-verdict", NoveltyVerdict, idea=copied, papers=papers)
    assert verdict.similar
    assert verdict.nearest == papers[1].id
    assert verdict.overlap in papers[1].abstract
    fresh = bench.first(TOPICS[2], GOALS[0], papers)
    assert not bench.ask("novelty-verdict", NoveltyVerdict, idea=fresh, papers=papers).similar


@pytest.mark.parametrize("topic", TOPICS)
def test_a_first_idea_copies_no_sentence_of_its_background(bench, topic):  # noqa: F811
    context = bench.near(topic)
    text = bench.ask(
        "first-idea",
        Hypothesis,
        you="generator",
        topic=topic,
        area="x",
        goal=GOALS[0],
        context=context,
    ).hypothesis.lower()
    assert not [
        line
        for paper in context
        for line in sentences(paper.abstract)
        if line.lower().rstrip(".") in text
    ]


def test_a_topic_nobody_wrote_on_gets_an_idea_from_its_own_words_and_says_so(bench):  # noqa: F811
    text = bench.first("tax law in medieval Bergen and fish prices", GOALS[0], ()).text
    assert "No paper at hand is near" in text
    assert "medieval Bergen" in text
    assert "fish prices" in text


def test_sentences_survive_abbreviations_and_decimals():
    text = "Liang et al. found 0.5 more. Effects, e.g. on sleep, were small. Orexin-A. Done?"
    assert sentences(text) == (
        "Liang et al. found 0.5 more.",
        "Effects, e.g. on sleep, were small.",
        "Orexin-A.",
        "Done?",
    )


def test_a_retold_sentence_speaks_of_the_authors():
    assert (
        retell("However, in this paper, we propose our own method.")
        == "the authors propose their own method"
    )
    assert retell("GPT-4 writes.") == "GPT-4 writes"


def test_joined_sentences_have_one_capital_and_one_stop():
    assert paragraph("it works..", "the the end ,", "") == "It works. The end."


@pytest.mark.parametrize(
    ("phrase", "text", "stands"),
    [
        ("animal behaves", "What they do while an animal behaves freely was unknown.", False),
        (
            "limit sleep",
            "Several forces converge to limit sleep. Early mornings limit sleep.",
            False,
        ),
        ("training weighs", "Causal training weighs the residual.", False),
        ("training weighs", "Training weighs the residual; of training weighs little.", True),
        ("sleep need", "Sleep need does not decline.", True),
        ("orexin neurons", "The firing of orexin neurons was recorded.", True),
    ],
)
def test_a_phrase_is_a_noun_phrase_where_it_stands_as_one(phrase, text, stands):
    assert stands_as_noun(phrase, text) == stands


@pytest.mark.parametrize("topic", ["orexin", "sleep", "neural operators", "idea generation"])
def test_a_first_idea_names_of_a_paper_only_what_stands_in_it(bench, topic):  # noqa: F811
    papers = bench.shelf.all()
    for seed in range(4):
        text = bench.first(topic, GOALS[0], (), seed).text
        assert "for another purpose" not in text
        credits = re.findall(r"(?:from|is) (?:the |an? )?([^,]+), which ([^,]+?) mentioned", text)
        assert credits
        for phrase, name in credits:
            texts = [whole(paper).lower() for paper in papers if cite(paper) == name]
            assert any(phrase.lower() in one for one in texts), (phrase, name)


def test_noun_phrases_leave_verbs_out():
    assert noun_phrases("Orexin neurons respond to peripheral metabolic cues and have axons.") == (
        "Orexin neurons",
        "peripheral metabolic cues",
        "axons",
    )
