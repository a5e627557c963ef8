"""What chains of ideas are compared with: retrieval-augmented prompting, direct prompting, a real
paper (Chain of Ideas, section 3.3).
"""

from collections.abc import Iterator

from core.desk import Desk
from core.errors import NothingFound, SourceFailed
from core.methods import experiment
from core.methods.inputs import BaselineInputs, RealInputs
from core.records import (
    ChainIdea,
    Design,
    DesignRound,
    Idea,
    Outcome,
    PaperReport,
    Queries,
    Search,
    Topic,
)

DIRECT = ("direct-idea", "experiment-design")
RAG = ("queries", "retrieved-idea", "experiment-design")
REAL = ("report",)
RETRIEVED = 10
"""How many retrieved papers a retrieval-augmented prompt holds, nearest to the topic first."""


def direct(desk: Desk, inputs: BaselineInputs) -> Iterator[Idea | Design | DesignRound | Outcome]:
    """Direct prompting: yield the idea a model has with nothing to read, and its experiment."""
    idea = desk.ask("direct-idea", ChainIdea, topic=inputs.topic).as_idea()
    yield idea
    yield from planned(desk, inputs, idea)
    yield Outcome(
        reason="Prompted directly, with nothing to read; its novelty was not checked.", idea=idea
    )


def retrieval_augmented(
    desk: Desk, inputs: BaselineInputs
) -> Iterator[Search | Idea | Design | DesignRound | Outcome]:
    """Retrieval-augmented prompting: yield what was retrieved, the idea prompted with it, and its
    experiment; raises NothingFound, SourceFailed.
    """
    found = retrieve(desk.at("retrieval"), inputs)
    desk.uses(found.papers)
    yield found
    idea = desk.ask("retrieved-idea", ChainIdea, topic=inputs.topic, papers=found.papers).as_idea()
    yield idea
    yield from planned(desk, inputs, idea)
    yield Outcome(
        reason=(
            f"Prompted with the {len(found.papers)} nearest papers that were retrieved; its novelty"
            " was not checked."
        ),
        idea=idea,
    )


def retrieve(desk: Desk, inputs: BaselineInputs) -> Search:
    """Search with queries of its own and return the papers nearest to the topic; raises
    NothingFound, SourceFailed.
    """
    queries = desk.ask("queries", Queries, topic=inputs.topic).queries
    searches = experiment.look_up(desk, inputs, queries)
    found = experiment.papers_found(searches)
    for search in searches:
        if not found and search.state == "source failed":
            raise SourceFailed(search.reason)
    if not found:
        raise NothingFound(f"Nothing was found on this topic. {desk.source.about}")
    ranked = desk.rank("ranking", inputs.topic, tuple(found.values()))[:RETRIEVED]
    return Search(
        query="; ".join(queries), state="found", papers=tuple(paper for paper, _ in ranked)
    )


def planned(desk: Desk, inputs: BaselineInputs, idea: Idea) -> Iterator[Design | DesignRound]:
    """Design the experiment in the same form as every competitor, without examples and without
    review.
    """
    if inputs.design:
        yield from experiment.design(desk.at("experiment"), inputs, idea, (), (), rounds=0)


def real_paper(desk: Desk, inputs: RealInputs) -> Iterator[Topic | Idea | Design | Outcome]:
    """Real Paper: yield topic, idea and experiment as a published paper has them; the topic is
    confirmed by a person (section 3.2), unless it was confirmed before.
    """
    desk.uses((inputs.paper,), given=True)
    whole = desk.full_text("full-text", inputs.paper)[1] if inputs.full_text else None
    report = desk.ask("report", PaperReport, paper=inputs.paper, text=whole)
    idea = report.idea.as_idea()
    if inputs.confirm:
        yield desk.person(
            "topic",
            Topic,
            paper=inputs.paper.title,
            abstract=inputs.paper.abstract,
            proposed={"topic": report.topic},
        )
    yield idea
    yield report.design
    yield Outcome(reason=f"Taken from the published paper {inputs.paper.title!r}.", idea=idea)
