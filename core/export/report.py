"""A run as a report: what was asked, how the run stands, what was made round by round, what was
drawn on.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from core.export import chain_report, evolved, novelty, trained
from core.export.arenas import arena
from core.export.asked import Fact, inputs, inputs_as, played
from core.export.benchmarks.report import benchmark, spent
from core.export.blocks import (
    Block,
    Blocks,
    Fields,
    Heading,
    Paragraph,
    Span,
    Table,
    fields,
    listing,
    nest,
    prose,
    section,
    texts_of,
)
from core.export.chains import write_idea, write_records
from core.export.checklist_experiments import checklist_experiment
from core.export.datasets import dataset
from core.export.facts import AUTHORED, authored, by_others, facts, imprint, standing
from core.export.margin import inherit
from core.export.newness import newness
from core.export.novelty import novelty_experiment
from core.export.papers import as_bibtex, references
from core.export.ranked import ranking
from core.export.refined import Notes, noted, places, quotient, refined, result
from core.export.short import short
from core.export.shortlist_report import facts_of, shortlist
from core.export.sweeps import sweep, took
from core.export.topic_experiments import topic_experiment
from core.methods import RefineInputs
from core.records import Design, DesignRound, Lost, Outcome, Run, Search
from core.records.literature import once
from core.runs.catalogue import entry, lack
from core.store import Store
from core.store.steps import StepSummary
from core.story import Line, Story
from core.wording.numbers import counted
from core.wording.summaries import MARK, MEANS


class MethodReport(NamedTuple):
    """How the runs of a method are told; each part of it has a usual way."""

    body: Callable[[Store, Run, Story, Notes], Iterable[Block]] = lambda *_: ()
    """What it has to show."""
    results: Callable[[Run, Story], Iterable[Block]] = lambda *_: ()
    """What came of every idea: the result stands before how it was made."""
    asked: Callable[[Run], tuple[Fact, ...]] = lambda _: ()
    """What was asked beside the inputs."""
    facts: Callable[[Store, Run, tuple[Fact, ...]], tuple[Fact, ...]] = lambda _, __, known: known
    places: Callable[[Story], frozenset[str]] = lambda _: frozenset()
    """The places whose notes stand with what they are about."""
    sources: bool = True


def report(
    store: Store, run_id: str, branch: int | None = None, *, in_short: bool = False
) -> Blocks:
    """Return a run, one branch of its chains, or the run in two pages, as blocks any writer can
    write; raises BadInput for a run that has no short report, StoreFailed for what this program
    cannot read.
    """
    head, *rest = tuple(_parts(store, run_id, branch, in_short))
    quoted = any(MARK in text for block in rest for text in texts_of(block))
    return (head, *rest[:1], *([prose(MEANS)] if quoted else []), *rest[1:])


def _parts(store: Store, run_id: str, branch: int | None, in_short: bool) -> Iterator[Block]:
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    notes = _notes(store, run)
    told_of = TELLINGS.get(entry(run.config).report, BY_RECORDS)
    branches = tuple(one for one in story.branches if branch in (None, one.n))
    whole = branch is None
    yield Heading(run.title, 1)
    yield Paragraph((Span(imprint(run, by_others(store, run)), "emphasis"),))
    steps = store.steps.summarise(run.id)
    if (written := authored(run, steps)) != "none":
        yield Paragraph((Span(AUTHORED[written], "strong"),))
    if in_short:
        yield from short(store, run, story)
        return
    if whole:
        yield from told_of.results(run, story)
        yield from told_of.body(store, run, story, notes)
        yield from _elsewhere(told_of.places(story), notes)
    else:
        for told in branches:
            yield from chain_report.one_branch(run, story, told)
    if told_of.sources:
        yield from references(store, run, story, branches, whole)
    yield from _made(store, run, steps, told_of)
    if told_of.sources:
        yield from as_bibtex(store, run, story, branches, whole)


def _notes(store: Store, run: Run) -> Notes:
    # Of a parent's note the run is said with its author: it is kept there, and can only be taken
    # away there.
    of_parents = [
        note.model_copy(update={"by": f"{note.by}, in the parent run {note.run}"})
        for note in inherit(store, run)
    ]
    return {
        place: tuple(found)
        for place, found in groupby(
            sorted([*of_parents, *store.notes.of(run.id)], key=lambda note: note.about),
            key=lambda note: note.about,
        )
    }


def _made(store: Store, run: Run, steps: StepSummary, told_of: MethodReport) -> Iterator[Block]:
    """Write how the run went and what it was asked for: last, after what came of it."""
    known = tuple(facts(store, run, steps, lack(store, run)))
    yield Heading("The run")
    yield Fields(told_of.facts(store, run, known))
    yield Heading("What was asked")
    yield Fields((*inputs(run), *told_of.asked(run)))


def _of_experiment(store: Store, run: Run, known: tuple[Fact, ...]) -> tuple[Fact, ...]:
    # What it took stands with its runs; itself it asks no model.
    return (
        *(fact for fact in known if fact[0] not in ("Calls", "Tokens", "Cost")),
        ("Calls, tokens and cost of its runs", took(store, run)),
    )


def _of_benchmark(store: Store, run: Run, known: tuple[Fact, ...]) -> tuple[Fact, ...]:
    # It has no steps: its calls are counted cell by cell, and its models stand with its protocol.
    its_own = (
        f"{counted(run.calls, 'call')}; the others were taken over with the answers of run"
        f" {run.parent}, and are included"
    )
    return (
        *(fact for fact in known if fact[0] in ("Run", "State", "Started", "Sampling", "Seed")),
        ("Calls, tokens and cost", spent(store, run)),
        *([("Of these its own", its_own)] if run.parent else ()),
    )


def _by_records(run: Run, story: Story) -> Iterator[Block]:
    """Write what a run made that has no way of its own to be told, record by record."""
    end = story.last(Outcome)
    apart = Design, DesignRound, Outcome
    rest = tuple(
        write_records(
            record
            for record in story.records
            if not isinstance(record, apart) and not (end and record == end.idea)
        )
    )
    if end is None and (not rest or run.state != "done"):
        yield from standing(run)
    yield from rest
    yield from chain_report.plan(story)


def _refinement(store: Store, run: Run, story: Story, notes: Notes) -> Iterator[Block]:
    yield from newness(store, run, story)
    searches = story.all(Search)
    context = inputs_as(run, RefineInputs).context
    papers = once([*context, *(paper for search in searches for paper in search.papers)])
    yield from write_records(searches)
    if story.target:
        yield Heading("The target")
        yield from fields(story.target.fields)
    lines = _lines(story)
    for line, prefix in lines:
        blocks = refined(line, run, notes, papers, prefix)
        if len(lines) == 1:
            yield from blocks
        else:
            yield from section(f"Idea {line.n}", nest(blocks))
    yield from section("Failed and skipped", listing(_lost(story)))
    rows = tuple(
        ("–" if one.round is None else str(one.round), one.goal, quotient(one))
        for one in story.rankings
    )
    if rows:
        yield Heading("All ideas ranked together, by round")
        yield Table(("Round", "Quality", "Q"), rows)


def _lost(story: Story) -> Iterator[str]:
    """Say what came to nothing while the rest went on without it, and why."""
    for place, one in story.parts:
        if isinstance(one, Lost):
            idea = re.match(r"idea-(\d+)/", place)
            part = f"Idea {idea[1]}, {one.part}" if idea else one.part
            yield f"{part[0].upper()}{part[1:]}: {one.reason}"


def _lines(story: Story) -> tuple[tuple[Line, str], ...]:
    """Return the ideas of a refinement, each with what its places begin with."""
    several = any(place.startswith("idea-") for place, _ in story.parts)
    return tuple((line, f"idea-{line.n}/" if several else "") for line in story.lines)


def _elsewhere(shown: frozenset[str], notes: Notes) -> Blocks:
    """Write the notes on what the report does not show, each with its place."""
    rest = [
        (Span(f"{place}. ", "strong"), *noted(note))
        for place, found in notes.items()
        if place not in shown
        for note in found
    ]
    return section("Other notes in the margin", listing(rest))


def _result_of_idea(_: Run, story: Story) -> Iterator[Block]:
    """Write the idea a baseline came to, and how it ended."""
    if end := story.last(Outcome):
        yield Heading(f"The idea: {end.idea.title}")
        yield from write_idea(end.idea)
        yield prose(end.reason)


def _result_of_each(run: Run, story: Story) -> Iterator[Block]:
    several = len(story.lines) > 1
    for line in story.lines:
        yield from result(line, run, several)


BY_RECORDS = MethodReport(
    lambda _, run, story, __: _by_records(run, story), results=_result_of_idea
)
"""How runs are told that have no way of their own, as those of baselines."""
TELLINGS: dict[str, MethodReport] = {
    "chain": MethodReport(
        lambda _, run, story, __: chain_report.body(run, story), results=chain_report.results
    ),
    "refinement": MethodReport(
        _refinement,
        results=_result_of_each,
        asked=lambda run: tuple(played(inputs_as(run, RefineInputs))),
        places=lambda story: frozenset().union(*(places(*line) for line in _lines(story))),
    ),
    "evolution": MethodReport(
        lambda store, run, story, _: evolved.evolution(store, run, story), results=evolved.results
    ),
    "novelty": MethodReport(
        lambda _, run, story, __: novelty.body(run, story),
        results=novelty.results,
        asked=novelty.asked,
    ),
    "ranking": MethodReport(lambda store, run, story, _: ranking(store, run, story)),
    "arena": MethodReport(lambda store, run, story, _: arena(store, run, story)),
    "experiment": MethodReport(
        lambda store, run, story, _: sweep(store, run, story), facts=_of_experiment
    ),
    "checklist experiment": MethodReport(
        lambda store, run, _, __: checklist_experiment(store, run),
        facts=_of_experiment,
        sources=False,
    ),
    "novelty experiment": MethodReport(
        lambda store, run, _, __: novelty_experiment(store, run),
        facts=_of_experiment,
        sources=False,
    ),
    "shortlist": MethodReport(
        lambda store, run, _, __: shortlist(store, run), facts=facts_of, sources=False
    ),
    "topic experiment": MethodReport(
        lambda store, run, _, __: topic_experiment(store, run),
        facts=_of_experiment,
        sources=False,
    ),
    "benchmark": MethodReport(
        lambda store, run, _, __: benchmark(store, run), facts=_of_benchmark, sources=False
    ),
    "data set": MethodReport(lambda _, run, story, __: dataset(run, story)),
    "training": MethodReport(
        lambda store, run, story, _: trained.training(store, run, story),
        results=trained.results,
        asked=trained.asked,
        sources=False,
    ),
}
"""By the name that the entry of a method gives to its report."""
