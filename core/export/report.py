"""A run as a report: what was asked, how the run stands, what was made round by round, what was
drawn on.
"""

from collections.abc import Callable
from itertools import groupby

from core.export import evolved
from core.export.arenas import arena
from core.export.asked import asked, counted, inputs, played
from core.export.benchmark_report import benchmark, spent
from core.export.blocks import Blocks, Fields, Heading, Paragraph, Span, Table, listed, nested, said
from core.export.chains import branch as told_branch
from core.export.chains import ended, fields, told
from core.export.facts import AUTHORED, authored, facts, unfinished
from core.export.gathered import dataset
from core.export.margin import inherited
from core.export.papers import once, sources
from core.export.ranked import ranking
from core.export.refined import Notes, noted, places, quotient, refined, result
from core.export.sweeps import sweep, took
from core.records import Idea, Outcome, Run, Search
from core.runs.results import lack
from core.store import Store
from core.story import Branch, Line, Story


def report(store: Store, run_id: str, branch: int | None = None) -> Blocks:
    """Return a run, or one branch of its chains, as blocks any writer can write; raises StoreFailed
    for what this program cannot read.
    """
    run, story = store.runs.get(run_id), Story.of(store, run_id)
    notes = _notes(store, run)
    branches = tuple(one for one in story.branches if branch in (None, one.n))
    whole = branch is None
    body = _body(store, run, story, notes) if whole else ()
    rest = body or (
        *_chains(run, branches, alone=len(story.branches) == 1),
        *(_rest(run, story) if whole else ()),
    )
    return (
        *_beginning(store, run, _results(run, story)),
        *rest,
        *(_elsewhere(run, story, notes) if whole else ()),
        *(sources(run, story, branches, whole) if run.config.method != "bench" else ()),
    )


def _body(store: Store, run: Run, story: Story, notes: Notes) -> Blocks:
    """Write what a method has to show in a way of its own; nothing for the others, whose records
    are told one by one.
    """
    writers: dict[str, Callable[[], Blocks]] = {
        "refine": lambda: _refinement(run, story, notes),
        "evolve": lambda: evolved.evolution(run, story),
        "rank": lambda: ranking(run, story),
        "arena": lambda: arena(store, run, story),
        "sweep": lambda: sweep(store, run, story),
        "bench": lambda: benchmark(store, run),
        **dict.fromkeys(("seed-dataset", "target-dataset"), lambda: dataset(run, story)),
    }
    return writers.get(run.config.method, tuple)()


def _notes(store: Store, run: Run) -> Notes:
    # Of a parent's note the run is said with its author: it is kept there, and can only be taken
    # away there.
    of_parents = [
        note.model_copy(update={"by": f"{note.by}, in the parent run {note.run}"})
        for note in inherited(store, run)
    ]
    return {
        place: tuple(found)
        for place, found in groupby(
            sorted([*of_parents, *store.notes.of(run.id)], key=lambda note: note.about),
            key=lambda note: note.about,
        )
    }


def _results(run: Run, story: Story) -> Blocks:
    """Write what came of every idea: the result stands before how it was made."""
    if run.config.method == "evolve":
        return evolved.results(run, story)
    lines = story.lines if run.config.method == "refine" else ()
    return tuple(block for line in lines for block in result(line, run, len(lines) > 1))


def _beginning(store: Store, run: Run, results: Blocks) -> Blocks:
    steps = store.steps.of(run.id)
    written = authored(run, steps)
    note: Blocks = (Paragraph((Span(AUTHORED[written], "strong"),)),) if written != "none" else ()
    game = tuple(played(asked(run))) if run.config.method == "refine" else ()
    told_of = tuple(facts(run, steps, written, lack(store, run)))
    if run.config.method == "sweep":  # What it took stands with its runs; itself it asks no model.
        told_of = (
            *(one for one in told_of if one[0] not in ("Calls", "Tokens", "Cost")),
            ("Calls, tokens and cost of its runs", took(store, run)),
        )
    if (
        run.config.method == "bench"
        # It has no steps: its calls are counted cell by cell, and its models stand with its
        # protocol.
    ):
        told_of = (
            *(one for one in told_of if one[0] in ("Run", "State", "Started", "Sampling", "Seed")),
            ("Calls, tokens and cost", spent(store, run)),
            *(
                [
                    (
                        "Of these its own",
                        (
                            f"{counted(run.calls, 'call')}; the others were taken over with the"
                            f" answers of run {run.parent}, and are included"
                        ),
                    )
                ]
                if run.parent
                else ()
            ),
        )
    return (
        Heading(run.title, 1),
        *note,
        *results,
        Heading("The run"),
        Fields(told_of),
        Heading("What was asked"),
        Fields((*inputs(run), *game)),
    )


def _chains(run: Run, branches: tuple[Branch, ...], alone: bool) -> Blocks:
    if alone:
        return told_branch(branches[0], run.config.source) if branches else ()
    return tuple(
        block
        for one in branches
        for block in (Heading(f"Branch {one.n}"), *nested(told_branch(one, run.config.source)))
    )


def _rest(run: Run, story: Story) -> Blocks:
    """Write what belongs to no branch, and the idea of the outcome if it was not written yet; or
    how the run stands.
    """
    of_branches = {place for one in story.branches for place, _ in one.parts}
    end, best = story.last(Outcome), story.best
    rest = told(tuple(record for place, record in story.parts if place not in of_branches))
    if end:
        rest = (
            *rest,
            *ended(end, best.checks[-1] if best and best.checks else None, run.config.source),
        )
    if end is None:
        return (
            *rest,
            *(
                ()
                if rest and run.state == "done"
                else (Heading("How it stands"), said(unfinished(run)))
            ),
        )
    return (*rest, *(() if end.idea in story.all(Idea) else fields(end.idea.fields)))


def _refinement(run: Run, story: Story, notes: Notes) -> Blocks:
    papers = once(
        [*asked(run).context, *(paper for found in story.all(Search) for paper in found.papers)]
    )
    shared = (
        *told(story.all(Search)),
        *((Heading("The target"), *fields(story.target.fields)) if story.target else ()),
    )
    parts = {line.n: refined(line, notes, papers, prefix) for line, prefix in _lines(story)}
    if len(parts) == 1:
        return (*shared, *next(iter(parts.values())), *_ranked(story))
    several = [
        block
        for n, part in parts.items()
        if part
        for block in (Heading(f"Idea {n}"), *nested(part))
    ]
    return (*shared, *several, *_ranked(story))


def _lines(story: Story) -> tuple[tuple[Line, str], ...]:
    """Return the ideas of a refinement, each with what its places begin with."""
    several = any(place.startswith("idea-") for place, _ in story.parts)
    return tuple((line, f"idea-{line.n}/" if several else "") for line in story.lines)


def _ranked(story: Story) -> Blocks:
    rows = tuple(
        ("–" if one.round is None else str(one.round), one.goal, quotient(one))
        for one in story.rankings
    )
    return (
        (Heading("All ideas ranked together, by round"), Table(("Round", "Quality", "Q"), rows))
        if rows
        else ()
    )


def _elsewhere(run: Run, story: Story, notes: Notes) -> Blocks:
    """Write the notes on what the report does not show, each with its place."""
    shown = (
        frozenset(place for line, prefix in _lines(story) for place in places(line, prefix))
        if run.config.method == "refine"
        else frozenset()
    )
    rest = [
        (Span(f"{place}. ", "strong"), *noted(note))
        for place, found in notes.items()
        if place not in shown
        for note in found
    ]
    return (Heading("Other notes in the margin"), *listed(rest)) if rest else ()
