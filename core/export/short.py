"""A run in two pages, for whoever hears of it at a meeting: blocks of the whole report, chosen.

The idea in short and whole, what is known of its being new, its picture, the first experiment in
brief, what it cost, and the references of what is cited in this.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from core.errors import BadInput
from core.export import chain_report, refined
from core.export.asked import inputs_as
from core.export.blocks import Block, Blocks, Heading, entry, fields, listing, prose, texts_of
from core.export.chains import write_idea
from core.export.citations import cited_in
from core.export.evidence import nearest_in_brief
from core.export.facts import facts, standing
from core.export.newness import newness
from core.export.papers import cite, drawn_on
from core.judging.claims import SIMILARITY, earlier_overlaps, ending
from core.judging.coverage import reservations
from core.methods import RefineInputs
from core.records import Design, DesignRound, Outcome, Run, Search
from core.records.literature import once
from core.runs.catalogue import entry as method
from core.store import Store
from core.story import Story
from core.wording.gist import gist
from core.wording.sentences import sentences

IN_BRIEF = ("setup", "baselines", "metrics")
"""The parts of an experiment that say what would be done; its procedure is in the whole report."""
SENTENCES, NEAREST = 2, 3
"""Of each of these parts, and how many of the nearest papers are listed, so that it fits two pages.
"""
COST = ("Working time", "Calls", "Tokens", "Cost")


def short(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write what follows the title of a short report; raises BadInput for a run of a method that
    has none.
    """
    if not has_short(run):
        raise BadInput(
            f"Run {run.id} is of a method without a short report. Export its whole report."
        )
    told = tuple(BODIES[method(run.config).report](store, run, story))
    yield from told
    yield from _cited(store, run, story, told)
    yield entry("The run", _cost(store, run))


def has_short(run: Run) -> bool:
    """Say whether a run has a short report beside the whole one."""
    return method(run.config).report in BODIES


def _chain(_: Store, run: Run, story: Story) -> Iterator[Block]:
    end, best = story.last(Outcome), story.best
    if end is None:
        yield from standing(run)
    else:
        yield Heading(f"The idea: {end.idea.title}")
        for said in reservations(story):
            yield prose(said)
        yield entry("In short", " ".join(gist(end.idea)))
        yield Heading("The whole idea", 3)
        yield from write_idea(end.idea)
        yield Heading("Is it new?")
        check = best.check if best else None
        yield prose(ending(end, check, run.config.source) if check else end.reason)
        if check and best:
            if overlapped := earlier_overlaps(best.checks):
                yield prose(overlapped)
            own = best.chain.papers if best.chain else ()
            yield from _nearest(nearest_in_brief(check, own, NEAREST))
    # Of several chains that of the idea: the others take half a page.
    yield from chain_report.drawing(story, (best,) if best else story.branches)
    yield from _experiment(story)


def _nearest(papers: Blocks) -> Iterator[Block]:
    if papers:
        yield entry("Nearest papers", "")
        yield from papers
        yield prose(SIMILARITY)


def _experiment(story: Story) -> Iterator[Block]:
    first, rounds = story.last(Design), story.all(DesignRound)
    design = rounds[-1].design if rounds else first
    if design:
        yield Heading("The first experiment, in brief")
        parts = {name: sentences(getattr(design, name))[:SENTENCES] for name in IN_BRIEF}
        yield from fields({name: " ".join(told) for name, told in parts.items()})


def _refinement(store: Store, run: Run, story: Story) -> Iterator[Block]:
    several = len(story.lines) > 1
    for line in story.lines:
        yield from refined.result(line, run, several)
    yield from newness(store, run, story, NEAREST)
    searches = (paper for search in story.all(Search) for paper in search.papers)
    background = once([*inputs_as(run, RefineInputs).context, *searches])
    for line in story.lines:
        yield from refined.nearest_paper(line, background, several)
        if line.rounds:
            yield from refined.chart(line, refined.counting(line, run))


BODIES: dict[str, Callable[[Store, Run, Story], Iterable[Block]]] = {
    "chain": _chain,
    "refinement": _refinement,
}
"""By the name that the entry of a method gives to its report."""


def _cited(store: Store, run: Run, story: Story, told: Sequence[Block]) -> Iterator[Block]:
    texts = [text for block in told for text in texts_of(block)]
    if cited := cited_in(texts, drawn_on(store, run, story)):
        yield Heading("References of what is cited here")
        yield from listing(map(cite, cited), ordered=True)


def _cost(store: Store, run: Run) -> str:
    known = dict(facts(store, run, store.steps.summarise(run.id)))
    cost = "; ".join(f"{name.lower()}: {known[name]}" for name in COST if name in known)
    return f"{cost[:1].upper()}{cost[1:]}. The whole report of run {run.id} has all the rest."
