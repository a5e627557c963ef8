"""The built-in model continues a chain: steps that follow from what its papers say, never one that
was taken, a person's own words kept.
"""

import itertools
import re

import pytest

from core.methods.chain_of_ideas.novelty import RepeatedDirection
from core.models.builtin.english import clean, sentences
from core.models.builtin.phrases import cite, name_of
from core.records import (
    Chain,
    ChainIdea,
    Direction,
    Draft,
    Entity,
    Link,
    NoveltyVerdict,
    Paper,
    Queries,
    Trend,
)
from core.wording.summaries import without_mark
from tests.support.builtin_kit import TOPICS, Bench, bench  # noqa: F401

SHELF_TOPICS = (
    "Judging open-ended ideas with language-model judges",
    "Search over chains, trees and graphs of thoughts",
    "failure modes of physics-informed neural networks",
    "discovering governing equations from data",
    "social jetlag, orexin and emotional resilience in young athletes",
    "orexin as a link between energy balance, exercise and arousal",
)
TITLES = (
    "Contrastive sequence pretraining for protein function prediction",
    "Why Most Published Research Findings Are False",
    "Adam: A Method for Stochastic Optimization",
)
SILENT = tuple(Paper(id=f"p{n}", title=title, year=2000 + n) for n, title in enumerate(TITLES))


def chain_of(papers, **more):
    return Chain(
        topic="x", links=tuple(Link(paper=paper, hop="anchor") for paper in papers), **more
    )


def quoted(text: str) -> list[str]:
    """What a text of ours claims that papers say: what follows 'this: ', 'these: ', 'works: ' or
    whose sentence it is.
    """
    return [
        one.strip()
        for one in re.findall(
            r"(?:this|works|out from|named by [^:]+?|this sentence of [^:]+?|limit that [^:]+?"
            r" named): ([^:]{30,})",
            text,
        )
    ]


@pytest.mark.parametrize("topic", [*TOPICS, *SHELF_TOPICS])
def test_branches_of_other_papers_lead_to_other_ideas(bench, topic):  # noqa: F811
    papers = bench.near(topic, 12)
    ideas = [
        bench.think(topic, chain_of(sorted(part, key=lambda one: one.year or 0)))[2]
        for part in (papers[::3], papers[1::3], papers[2::3])
    ]
    assert (
        len({idea.title for idea in ideas}) == len({idea.fields["novelty"] for idea in ideas}) == 3
    )


@pytest.mark.parametrize("topic", [*TOPICS, *SHELF_TOPICS])
def test_nothing_is_claimed_of_a_paper_that_it_does_not_say(bench, topic):  # noqa: F811
    chain = bench.chain(topic)
    said = " ".join(
        clean(f"{paper.title}. {paper.abstract}") for paper in bench.shelf.all()
    ).lower()
    trend = bench.ask("trend", Trend, topic=topic, chain=chain)
    direction, draft, _ = bench.think(topic, chain)
    claimed = [
        line
        for text in (
            *(step.how for step in trend.steps),
            trend.summary,
            direction.direction,
            direction.reasoning,
            draft.motivation,
            draft.novelty,
        )
        for line in quoted(without_mark(text))
    ]
    assert claimed
    for line in claimed:
        # The first word may have lost its capital or a 'However', and 'we' may have become 'the
        # authors'.
        assert clean(sentences(line)[0]).lower().rstrip(".")[12:70] in said, line


@pytest.mark.parametrize("papers", [0, 1, 2, 5])
@pytest.mark.parametrize("topic", TOPICS)
def test_a_taken_step_is_not_taken_again_in_ten_rounds(bench, topic, papers):  # noqa: F811
    chain = chain_of(bench.near(topic, papers) if papers else SILENT[:1])
    taken, seen = (), []
    for n in range(10):
        direction = bench.predict(topic, chain, n, taken).direction
        seen.append(direction)
        taken += (RepeatedDirection(direction=direction, overlap="It is known."),)
    assert len(set(seen)) == 10


def test_without_a_prediction_the_sketch_takes_a_step_of_its_own_and_none_that_was_taken(bench):  # noqa: F811
    chain, taken, seen = bench.chain(TOPICS[0]), (), []
    for _ in range(5):
        draft = bench.sketch(TOPICS[0], chain, taken=taken)
        seen.append(sentences(draft.novelty)[0])
        taken += (RepeatedDirection(direction=draft.novelty, overlap="It is known."),)
    assert len(set(seen)) == 5


def test_the_sketch_and_the_idea_take_the_step_that_was_predicted(bench):  # noqa: F811
    for topic, seed in itertools.product(TOPICS, range(4)):
        chain = bench.chain(topic)
        direction, draft, idea = bench.think(topic, chain, seed)
        assert idea.fields["novelty"].startswith(draft.novelty)
        assert any(
            cite(paper) in direction.direction or name_of(paper) in direction.direction.split()
            for paper in chain.papers
        )
        assert idea.fields["motivation"] == draft.motivation


def test_papers_without_order_have_no_latest_step(bench):  # noqa: F811
    chain = bench.chain(TOPICS[2])
    trend = bench.ask("trend", Trend, topic=TOPICS[2], chain=chain)
    loose = chain.model_copy(update={"ordered": False})
    told = [
        bench.predict(TOPICS[2], one, trend=seen).reasoning
        for one, seen in ((chain, trend), (loose, None))
    ]
    assert "latest step" in told[0]
    assert "latest step" not in told[1]


def test_entities_matter_only_where_they_are_given(bench):  # noqa: F811
    chain = bench.chain(TOPICS[0])
    plain = bench.predict(TOPICS[0], chain).reasoning
    words = tuple(Entity(name=word) for word in ("idea", "model", "paper"))
    told = bench.predict(TOPICS[0], chain, entities=words).reasoning
    assert "terms of the chain" in told
    assert "terms of the chain" not in plain


def test_a_persons_own_direction_is_what_the_idea_does(bench):  # noqa: F811
    own = Direction(
        direction=(
            "Give night-shift nurses blue-blocking glasses and measure their sleep with a wrist"
            " band."
        ),
        reasoning="They sleep badly.",
    )
    draft = bench.sketch(TOPICS[1], bench.chain(TOPICS[1]), direction=own)
    idea = bench.ask(
        "idea",
        ChainIdea,
        topic=TOPICS[1],
        chain=bench.chain(TOPICS[1]),
        draft=draft,
        direction=None,
        entities=(),
        taken=(),
    )
    assert draft.novelty == idea.novelty == own.direction
    assert draft.motivation.startswith("They sleep badly.")
    assert "glasses" in idea.title
    assert "give night-shift nurses blue-blocking glasses" in idea.method


def test_a_limit_a_paper_names_is_taken_on_by_what_settles_such_a_limit(bench):  # noqa: F811
    text = (
        "Dendrites short the cell. We propose in-situ gels that fill every pore by polymerising"
        " monomers in the cell. On 400 cycled coin cells, the gels improve capacity retention by 9"
        " percent over liquid electrolytes. It remains open whether the gain lasts beyond the first"
        " year."
    )
    paper = Paper(
        id="gel",
        title="In-situ polymerised gels for lithium batteries",
        abstract=text,
        authors=("A. Ito",),
        year=2016,
    )
    direction, _, idea = bench.think("lithium battery electrolytes", chain_of((paper,)), 0)
    assert "with a longer follow-up" in direction.direction
    assert "It remains open whether the gain lasts beyond the first year." in direction.direction
    assert idea.title.endswith("does it last?")
    assert "400 cycled coin cells" in idea.fields["method"]


def test_papers_of_one_author_and_year_are_told_apart_in_an_idea(bench):  # noqa: F811
    both = [
        Paper(
            id=n,
            title=n,
            authors=("A. Li", "B. Wu", "C. Xu"),
            year=2020,
            abstract=(
                f"However, the problem is hard. We propose {n} that learn by {n.split()[0]} steps."
            ),
        )
        for n in ("Graph kernels", "Fourier operators")
    ]
    text = bench.think("operators", chain_of(both))[2].text
    assert text.count("Li et al. (2020)") == len(
        re.findall(r"Li et al\. \(2020\) on (?:Graph kernels|Fourier operators)", text)
    )
    assert "Li et al. (2020) on Graph kernels" in text


def test_a_chain_of_titles_says_that_nothing_could_be_read(bench):  # noqa: F811
    direction, draft, _ = bench.think("protein function prediction", chain_of(SILENT))
    trend = bench.ask("trend", Trend, topic="x", chain=chain_of(SILENT))
    assert "only the title is at hand" in direction.reasoning
    assert "only its title is at hand" in draft.motivation
    assert all("only the title is at hand" in step.how for step in trend.steps)


@pytest.mark.parametrize("topic", TOPICS)
def test_novelty_queries_are_a_few_words_on_what_is_proposed(bench, topic):  # noqa: F811
    _, draft, _ = bench.think(topic, bench.chain(topic))
    queries = bench.ask("novelty-queries", Queries, topic=topic, draft=draft).queries
    assert 1 <= len(queries) <= 3
    assert all(2 <= len(query.split()) <= 8 for query in queries)
    assert not any(re.search(r"et al|\(|20\d\d", query) for query in queries)
    other = Draft(motivation="Bees dance.", novelty="Let bees dance in the dark.", method="x")
    assert queries != bench.ask("novelty-queries", Queries, topic=topic, draft=other).queries


def test_an_idea_that_repeats_a_paper_is_told_from_one_that_joins_two(bench):  # noqa: F811
    papers = bench.chain(TOPICS[0]).papers
    _, _, joined = bench.think(TOPICS[0], chain_of(papers))
    copy = {
        "title": papers[0].title,
        "motivation": papers[0].abstract,
        "novelty": papers[0].abstract,
    }
    copied = joined.model_copy(update={"fields": joined.fields | copy})
    verdicts = [
        bench.ask("novelty-verdict", NoveltyVerdict, idea=idea, papers=papers)
        for idea in (joined, copied)
    ]
    assert [verdict.similar for verdict in verdicts] == [False, True]
    assert verdicts[1].nearest == papers[0].id
