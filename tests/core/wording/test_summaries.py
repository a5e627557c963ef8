"""Words of the summaries that were written for the built-in papers are marked wherever they are
quoted.
"""

from core.literature.shelf import on_shelf
from core.models.builtin.searching import essence
from core.records import Idea, Paper
from core.wording.summaries import MARK, mark_summary, without_mark
from tests.core.models.test_builtin_refinement import PERSON
from tests.support.builtin_kit import TOPICS, Bench, bench  # noqa: F401

SENTENCE = "Sleep Monitoring: the reviewers' words, on how sleep is measured."


def test_only_the_words_of_a_built_in_summary_are_marked():
    ours = Paper(id="a", title="T", abstract=f"First. {SENTENCE}", abstract_by="foundry")
    theirs = ours.model_copy(update={"abstract_by": "authors"})
    assert mark_summary(ours, SENTENCE, "told") == f"told {MARK}"
    assert mark_summary(theirs, SENTENCE, "told") == "told"
    # A sentence of the paper's full text is the authors'.
    assert mark_summary(ours, "From the full text.", "told") == "told"
    assert mark_summary(ours, " ...", "told") == "told"
    assert without_mark(f"A: told {MARK}. B.") == "A: told. B."


def test_whatever_the_built_in_model_quotes_of_a_built_in_paper_is_marked(bench):  # noqa: F811
    chain = bench.chain(TOPICS[1])
    direction, draft, idea = bench.think(TOPICS[1], chain)
    for text in (direction.direction, direction.reasoning, draft.motivation, idea.text):
        for paper in chain.papers:
            for line in paper.abstract.split(". "):
                told = text.find(line[12:70])
                if told >= 0:
                    assert MARK in text[told : told + 420], line
    assert MARK in idea.text


def test_what_is_quoted_of_authors_own_abstracts_is_not_marked(bench):  # noqa: F811
    chain = bench.chain(TOPICS[1])
    links = tuple(
        link.model_copy(
            update={
                "paper": link.paper.model_copy(
                    update={"id": f"own:{n}", "abstract_by": "authors", "source": "library"}
                )
            }
        )
        for n, link in enumerate(chain.links)
    )
    _, draft, idea = bench.think(TOPICS[1], chain.model_copy(update={"links": links}))
    assert MARK not in draft.motivation
    assert MARK not in idea.text


def test_what_an_idea_does_is_the_same_with_the_mark_and_without(bench):  # noqa: F811
    _, _, idea = bench.think(TOPICS[1], bench.chain(TOPICS[1]))
    bare = {name: without_mark(text) for name, text in idea.fields.items()}
    assert essence(idea) == essence(Idea(form="chain", fields=bare))
    assert MARK not in essence(idea)


def test_a_passage_that_is_quoted_against_an_idea_says_that_it_is_the_summarys(bench):  # noqa: F811
    from core.methods.presets import NOVELTY

    paper = next(one for one in on_shelf() if one.id == bench.near(TOPICS[2], 1)[0].id)
    copied = PERSON.model_copy(
        update={"form": "hypothesis", "fields": {"hypothesis": paper.abstract}}
    )
    said = bench.review(NOVELTY, (), copied).remarks[0].text
    assert f'" {MARK}. A second mechanism' in said
