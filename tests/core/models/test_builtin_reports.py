"""The built-in model on one paper, on retrieved papers and on nothing at all: sentences of the text
sorted, never made up.
"""

import re

import pytest

from core.models.builtin.english import clean, sentences
from core.models.builtin.naming import handle
from core.records import ChainIdea, Paper, PaperReport
from tests.support.builtin_kit import TOPICS, Bench, bench  # noqa: F401

WHOLE = """Gel cells

Abstract
Dendrites short the cell in most lithium batteries. We propose gels that fill every pore. \
The gels are set by heat and stay where they are.

1 Introduction
Batteries are everywhere, and everybody wants more of them in every pocket.

2 Method
We combine two monomers that polymerise inside the cell under mild heat. \
The electrolyte is poured in first, so that the gel grows around it.

3 Experiments
We evaluate the gels on 400 cycled coin cells against liquid electrolytes. \
The main measure was capacity retention after 500 cycles.

[... 1,234 characters left out ...]

4 Limitations
Our approach cannot be used above 80 degrees, where the gel melts and leaves the pores. \
Future work of our group will test larger cells.

References
A. Nobody. On nothing.
"""
BARE = Paper(id="gel", title="In-situ gels for lithium batteries using monomers")


def said(text: str) -> str:
    """A text as it can be searched for sentences: no line breaks, no capitals, 'we' as reported
    speech has it.
    """
    plain = clean(text).lower()
    for ours, theirs in (
        (r"\bwe\b", "the authors"),
        (r"\bour\b", "their"),
        (r"\bthis (paper|work|study|article|review)\b", r"the \1"),
    ):
        plain = re.sub(ours, theirs, plain)
    return plain


def test_a_whole_text_is_read_into_method_tests_and_limits(bench):  # noqa: F811
    reading = bench.read(BARE, WHOLE)
    assert "two monomers" in reading.idea.method
    assert "80 degrees" in reading.idea.limits
    assert "400 cycled coin cells" in reading.experiments[0].datasets
    assert "liquid electrolytes" in reading.experiments[0].baselines
    assert "Dendrites" in reading.idea.background
    assert "everybody wants" not in reading.model_dump_json()


def test_a_whole_text_adds_to_an_abstract_and_changes_nothing_it_said(bench):  # noqa: F811
    paper = bench.shelf.all()[3]
    short, long = bench.read(paper), bench.read(paper, WHOLE)
    assert set(sentences(short.idea.method)) < set(sentences(long.idea.method))
    assert set(sentences(short.idea.limits)) < set(sentences(long.idea.limits))
    assert (short.entities, short.idea.background, short.idea.novelty) == (
        long.entities,
        long.idea.background,
        long.idea.novelty,
    )


@pytest.mark.parametrize("text", [WHOLE, None])
def test_everything_read_from_a_paper_stands_in_its_text(bench, text):  # noqa: F811
    for paper in [BARE] if text else bench.shelf.all():
        reading, there = bench.read(paper, text), clean(f"{paper.abstract} {text or ''}")
        fields = [
            *reading.idea.model_dump().values(),
            *(
                part
                for one in reading.experiments
                for name in ("setup", "results")
                for part in [getattr(one, name)]
            ),
        ]
        assert all(line in there for field in fields for line in sentences(field))
        named = [
            part
            for one in reading.experiments
            for name in ("datasets", "baselines", "metrics")
            for part in getattr(one, name).split("; ")
            if part
        ]
        assert all(part in there for part in named)


def test_a_report_holds_only_sentences_of_the_paper_or_says_that_it_is_silent(bench):  # noqa: F811
    for paper in bench.shelf.all():
        report = bench.ask("report", PaperReport, paper=paper, text=None)
        idea, design = report.idea, report.design
        parts = [
            idea.motivation,
            idea.novelty,
            idea.method,
            idea.difference,
            idea.challenges,
            design.setup,
            design.models,
            design.analysis,
        ]
        there = said(paper.abstract)
        for line in (
            line
            for part in parts
            for line in sentences(part)
            if not line.startswith("The text does not say")
        ):
            assert said(line).rstrip(".")[:60] in there, line


def test_a_report_gives_no_results_away(bench):  # noqa: F811
    for paper in bench.shelf.all():
        report = bench.ask("report", PaperReport, paper=paper, text=None)
        told = [
            report.idea.novelty,
            report.idea.method,
            report.design.setup,
            *report.design.procedure,
        ]
        assert not re.search(r"\d ?(?:%|percent)|outperform", " ".join(told))


def test_a_topic_is_no_title_with_its_means(bench):  # noqa: F811
    for paper in bench.shelf.all():
        topic = bench.ask("report", PaperReport, paper=paper, text=None).topic
        assert not re.search(
            r"\b(?:using|via|through)\b(?! the Pittsburgh)",
            topic.partition("The problem that")[0] or "",
            re.IGNORECASE,
        ), topic
        assert topic[0].isupper()
    assert bench.ask("report", PaperReport, paper=BARE, text=WHOLE).topic == "Lithium batteries"


def test_a_paper_nothing_is_known_of_is_reported_as_silent(bench):  # noqa: F811
    report = bench.ask("report", PaperReport, paper=Paper(id="e", title="Bees"), text=None)
    assert all(
        "does not say" in text
        for name, text in report.idea.as_idea().fields.items()
        if name != "title"
    )
    assert all("does not say" in step for step in report.design.procedure)
    assert "Bees" in report.topic


@pytest.mark.parametrize(
    "topic",
    [
        *TOPICS,
        "Bees",
        "?",
        "how do bees navigate?",
        "Judging open-ended ideas with language-model judges",
    ],
)
def test_an_idea_from_nothing_says_so_and_names_no_paper(bench, topic):  # noqa: F811
    idea = bench.ask("direct-idea", ChainIdea, topic=topic).as_idea()
    assert "Nothing was read" in idea.fields["motivation"]
    assert not re.search(r"et al\.|\(\d{4}\)", idea.text)
    assert topic.rstrip("?").lower()[:20] in idea.title.lower()


@pytest.mark.parametrize("topic", TOPICS)
def test_an_idea_from_retrieved_papers_names_them_and_follows_no_order(bench, topic):  # noqa: F811
    papers = bench.near(topic, 10)
    idea = bench.ask("retrieved-idea", ChainIdea, topic=topic, papers=papers)
    assert idea == bench.ask("retrieved-idea", ChainIdea, topic=topic, papers=papers)
    assert (
        sum(
            paper.title[:12] in idea.as_idea().text
            or (paper.authors[0].split()[-1] in idea.difference)
            for paper in papers
        )
        >= 2
    )
    assert "latest step" not in idea.as_idea().text


def test_one_paper_retrieved_twice_is_one_paper(bench):  # noqa: F811
    paper = bench.near(TOPICS[0], 1)[0]
    twin = paper.model_copy(update={"id": "twin"})
    assert bench.ask("retrieved-idea", ChainIdea, topic=TOPICS[0], papers=(paper, twin)).title


def test_no_paper_retrieved_is_an_idea_from_nothing(bench):  # noqa: F811
    assert (
        "Nothing was read"
        in bench.ask("retrieved-idea", ChainIdea, topic=TOPICS[0], papers=()).motivation
    )


TITLED = {
    "The influence of sleep hygiene education on sleep in professional rugby league athletes": (
        "sleep hygiene education",
        "sleep in professional rugby league athletes",
    ),
    "Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks": (
        "retrieval-augmented generation",
        "knowledge-intensive NLP tasks",
    ),
    "ReAct: Synergizing Reasoning and Acting in Language Models": ("ReAct", ""),
    "Plasma Orexin-A Levels Do Not Undergo Circadian Rhythm in Young Healthy Male Subjects": (
        "plasma orexin-A levels",
        "",
    ),
    "Can LLMs Generate Novel Research Ideas? A Large-Scale Human Study": ("", ""),
    "Deep Residual Learning for Image Recognition": ("deep residual learning", "image recognition"),
}


@pytest.mark.parametrize("title", TITLED)
def test_a_title_says_in_a_few_words_what_a_paper_brings_and_what_for(title):
    found = handle(Paper(id="x", title=title))
    assert (found.thing, found.aim) == TITLED[title]
