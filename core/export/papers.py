"""Papers in a report: how one is named, and the list of those the actors drew on, with BibTeX."""

from collections.abc import Callable, Iterable, Iterator

from core.export.asked import inputs_as
from core.export.blocks import Blocks, Code, Heading, Line, Span, listing, prose
from core.export.citations import brought_in, cited_texts, from_built_in, name_version, unmatched
from core.literature import authors
from core.literature.addresses import addresses
from core.literature.bibtex import bibtex
from core.literature.venues import name_place
from core.methods import RealInputs, RefineInputs
from core.records import (
    DesignRound,
    NoveltyCheck,
    NoveltyMatrix,
    Paper,
    Prepared,
    Record,
    Run,
    Search,
    Target,
)
from core.records.literature import once
from core.runs.catalogue import entry
from core.store import Store
from core.story import Branch, Story

GIVEN: dict[type[Record], Callable[[Run], tuple[Paper, ...]]] = {
    RefineInputs: lambda run: inputs_as(run, RefineInputs).context,
    RealInputs: lambda run: (run.inputs_as(RealInputs).paper,),
}
"""The papers a run was given, by what it was asked for."""


def cite(paper: Paper) -> Line:
    """Cite a paper as people do: authors, year, title, venue, and links to where it can be read."""
    title = paper.title.rstrip(".")
    place = name_place(paper).rstrip(".")
    venue = f" {place}." if place else ""
    spans = [Span(f"{authors.cited(paper)} ({paper.year or 'undated'}). {title}.{venue}")]
    for name, address in addresses(paper)[: 2 if paper.doi and paper.arxiv else 1]:
        spans += [Span(" "), Span(_id(paper, name), link=address)]
    return tuple(spans)


def _id(paper: Paper, name: str) -> str:
    ids = {"DOI": f"doi:{paper.doi}", "arXiv": f"arXiv:{paper.arxiv}"}
    return ids.get(name, "Read it")


def cite_plainly(papers: Iterable[Paper]) -> str:
    """Return papers as people cite, a line each, with the address where each can be read."""
    lines = []
    for paper in papers:
        spans = cite(paper)
        where = [span.link for span in spans if span.link][:1]
        lines.append(" ".join([spans[0].text, *where]))
    return "\n".join(lines)


def titled(title: str, paper: Paper | None) -> Line:
    """Return a title as a link to where the paper can be read: its DOI, else arXiv, else its
    source's page.
    """
    where = addresses(paper) if paper else ()
    return (Span(title, link=where[0][1] if where else ""),)


def in_chains(branches: Iterable[Branch]) -> tuple[Paper, ...]:
    """Return the papers of the chains, branch by branch."""
    return once(paper for branch in branches if branch.chain for paper in branch.chain.papers)


def drawn_on(store: Store, run: Run, story: Story) -> tuple[Paper, ...]:
    """Return every paper a run drew on: those of its chains first, those it was given, those it
    found, and the built-in papers that texts of the built-in model cite besides.
    """
    papers_of = GIVEN.get(entry(run.config).inputs)
    given = papers_of(run) if papers_of else ()
    own = once([*in_chains(story.branches), *given, *_read(story.records)])
    if not entry(run.config).reads:
        return own
    return once([*own, *from_built_in(store, run, cited_texts(story.records), own)])


def unlisted(store: Store, run: Run, story: Story) -> str:
    """Say in a sentence what the texts of a run cite that is none of its papers; empty where that
    is nothing.
    """
    if not entry(run.config).reads:
        return ""
    works = unmatched(cited_texts(story.records), drawn_on(store, run, story))
    return f"Cited in the text, not among this run's papers: {'; '.join(works)}." if works else ""


def references(
    store: Store, run: Run, story: Story, branches: tuple[Branch, ...], whole: bool
) -> Blocks:
    """List what was drawn on, as people cite; not `whole`: by its branches alone."""
    drawn = _cited(store, run, story, branches, whole)
    more = unlisted(store, run, story) if whole else ""
    if drawn or more:
        origins = _origins(store, run, story) if whole else {}
        lines = ((*cite(paper), Span(origins.get(paper.id, ""), "emphasis")) for paper in drawn)
        listed = listing(lines, ordered=True)
        return Heading("References"), *listed, *([prose(more)] if more else [])
    if not entry(run.config).reads:
        return ()
    return Heading("References"), prose("The actors drew on no papers.")


def _origins(store: Store, run: Run, story: Story) -> dict[str, str]:
    """Say of the papers of a refinement, by id, whether they are its background, and where those
    come from that are not.
    """
    if entry(run.config).inputs is not RefineInputs:
        return {}
    found = [paper for search in story.all(Search) for paper in search.papers]
    background = once([*inputs_as(run, RefineInputs).context, *found])
    origins = {
        one.paper.id: (
            " Not among the background: a built-in paper that the built-in model brought in by"
            f" itself, {name_version(one.since)}."
        )
        for line in reversed(story.lines)
        for one in brought_in(store, run, line, background)
    }
    return origins | {paper.id: " Background." for paper in background}


def as_bibtex(
    store: Store, run: Run, story: Story, branches: tuple[Branch, ...], whole: bool
) -> Blocks:
    """Give the same papers to a reference manager."""
    drawn = _cited(store, run, story, branches, whole)
    return (Heading("References as BibTeX"), Code(bibtex(drawn, abstracts=False))) if drawn else ()


def _cited(
    store: Store, run: Run, story: Story, branches: tuple[Branch, ...], whole: bool
) -> tuple[Paper, ...]:
    if whole:
        return drawn_on(store, run, story)
    read = _read(record for branch in branches for record in branch.records)
    return once([*in_chains(branches), *read])


def _read(records: Iterable[object]) -> Iterator[Paper]:
    """Yield the papers of searches, questions, targets and reviews of a design, and the nearest of
    a novelty check.
    """
    for record in records:
        match record:
            case Search():
                yield from record.papers
            case Prepared():
                yield from (*([record.seed] if record.seed else []), *record.papers)
            case Target():
                yield from (record.paper, *record.background)
            case DesignRound():
                yield from (paper for search in record.searches for paper in search.papers)
            case NoveltyMatrix():
                yield from (work.paper for work in record.works)
            case NoveltyCheck(nearest=Paper() as nearest):
                yield nearest
