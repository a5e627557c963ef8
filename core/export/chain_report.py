"""A run of chains as blocks: the idea and what speaks for its being new, the chains as a picture
and paper by paper, how the branches compared, the experiment that would test the idea.
"""

from collections.abc import Iterator, Sequence

from core.export.blocks import (
    Block,
    Blocks,
    Heading,
    Picture,
    Table,
    nest,
    prose,
    section,
)
from core.export.chains import (
    write_chain,
    write_design,
    write_idea,
    write_matches,
    write_records,
    write_review,
)
from core.export.evidence import evidence
from core.export.facts import standing
from core.judging.claims import (
    NOT_COMPARED,
    claim,
    comparison,
    earlier_overlaps,
    ending,
    level,
    off_topic,
    short_claim,
    tie,
    won,
)
from core.judging.coverage import reservations
from core.records import (
    Design,
    DesignRound,
    Idea,
    IdeaChoice,
    NoveltyCheck,
    Outcome,
    Paper,
    Record,
    Run,
    Selection,
)
from core.story import Branch, Story
from core.wording.numbers import counted

THOUGHT = Idea, IdeaChoice, NoveltyCheck
"""What a branch came to; the rest of its records tell how it got there."""
WIDTH = 6.2
"""Of the picture in inches: that of the text, so that its letters keep their size."""
CAPTION = (
    "Diamond: the anchor, where a chain began. Square: put in by a person. Ring: milestone. Larger:"
    " more citations, where they are known. Broken arrow: near in meaning, no citation. Dotted: put"
    " side by side by a person. Red: out of date order."
)


def results(run: Run, story: Story) -> Iterator[Block]:
    """Write the idea a run came to and the evidence of its being new, or how the run stands."""
    end, best = story.last(Outcome), story.best
    if end is None:
        yield from standing(run)
        return
    yield Heading(f"The idea: {end.idea.title}")
    if aside := off_topic(story.links, run.config.source):
        yield prose(aside)
    for said in reservations(story):
        yield prose(said)
    yield from write_idea(end.idea)
    check = best.check if best else None
    if check and best:
        yield Heading("Novelty: claim and evidence")
        yield prose(ending(end, check, run.config.source))
        if overlapped := earlier_overlaps(best.checks):
            yield prose(overlapped)
        yield from evidence(check, _papers(best))
    else:
        yield prose(end.reason)


def body(run: Run, story: Story) -> Iterator[Block]:
    """Write the chains, how the branches compared, the plan, and what belongs to none of them."""
    yield from _chains(story, story.branches)
    yield from _comparison(run, story)
    yield from plan(story)
    of_branches = {place for branch in story.branches for place, _ in branch.parts}
    others = [record for place, record in story.parts if place not in of_branches]
    yield from write_records(
        one for one in others if not isinstance(one, Selection | Design | DesignRound)
    )


def one_branch(run: Run, story: Story, branch: Branch) -> Iterator[Block]:
    """Write one branch for itself."""
    yield from _chains(story, (branch,))
    for record in branch.records:
        if isinstance(record, THOUGHT):
            yield from _thought(record, branch, run.config.source)


def drawing(story: Story, branches: Sequence[Branch]) -> Iterator[Block]:
    """Draw the chains, where there are any."""
    drawn = [branch for branch in branches if branch.chain]
    if drawn:
        yield Picture(lambda kind: picture(story, drawn, kind, WIDTH), _seen(story, drawn), CAPTION)


def picture(story: Story, branches: Sequence[Branch], kind: str, width: float) -> bytes:
    """Return the graph of these branches, so many inches wide, as `svg` or `png`."""
    # Matplotlib takes a second to import, and few want a picture.
    from core.charts.chain_picture import chain_graph

    best, chosen = story.best, story.last(Selection)
    tied = bool(chosen and level(chosen))
    return chain_graph(branches, best.n if best else None, kind, tied, width)


# -- the chains --------------------------------------------------------------------------------


def _chains(story: Story, branches: Sequence[Branch]) -> Iterator[Block]:
    if not branches:
        return
    yield Heading("The chains" if len(branches) > 1 else "The chain")
    yield from drawing(story, branches)
    for branch in branches:
        told = tuple(_grown(branch))
        if len(branches) == 1:
            yield from nest(told)
        else:
            yield Heading(_name(story, branch), 3)
            yield from nest(nest(told))


def _grown(branch: Branch) -> Iterator[Block]:
    """Write how a branch grew and where it is heading; one that was still growing when the run
    ended is written as far as it came.
    """
    if branch.chain and not branch.settled:
        yield from write_chain(branch.chain, so_far=True)
    titles = {paper.id: paper.title.split(":")[0] for paper in _papers(branch)}
    told = (record for record in branch.records if not isinstance(record, THOUGHT))
    yield from write_records(told, titles)


def _name(story: Story, branch: Branch) -> str:
    best, chosen = story.best, story.last(Selection)
    if best and chosen and best.n == branch.n:
        return f"Branch {branch.n} (chosen{' in a tie' if level(chosen) else ''})"
    return f"Branch {branch.n}"


def _papers(branch: Branch) -> tuple[Paper, ...]:
    return branch.chain.papers if branch.chain else ()


def _seen(story: Story, branches: Sequence[Branch]) -> str:
    """Say what the picture shows, for whoever does not see it."""
    papers = [paper for branch in branches for paper in _papers(branch)]
    years = sorted(paper.year for paper in papers if paper.year)
    when = f" from {years[0]} to {years[-1]}" if years else ""
    chosen = f" Branch {story.best.n} was chosen." if story.best and len(branches) > 1 else ""
    return (
        f"{counted(len(branches), 'chain')} of {counted(len(papers), 'paper')}{when} on a time"
        f" axis; they are listed below.{chosen}"
    )


# -- the branches ------------------------------------------------------------------------------


def _comparison(run: Run, story: Story) -> Iterator[Block]:
    """Write how the branches compared, and every idea and check that does not stand above."""
    chosen, end, several = story.last(Selection), story.last(Outcome), len(story.branches) > 1
    if several:
        yield from section("How the branches compared", _points(story, chosen))
    check = story.best.check if end and story.best else None
    for branch in story.branches:
        rest = [
            record
            for record in branch.records
            if isinstance(record, THOUGHT) and record != check and not (end and record == end.idea)
        ]
        told = [block for one in rest for block in _thought(one, branch, run.config.source)]
        if several:
            yield from section(f"Branch {branch.n}: what came of it", nest(nest(told)), 3)
        else:
            yield from section("What came before the idea", nest(told))


def _thought(record: Record, branch: Branch, source: str) -> Blocks:
    if not isinstance(record, NoveltyCheck):
        return tuple(write_records([record]))
    return (
        Heading(f"Novelty check {record.round}"),
        prose(claim(record, source)),
        *evidence(record, _papers(branch)),
    )


def _points(story: Story, chosen: Selection | None) -> Iterator[Block]:
    if chosen:
        told = comparison(chosen, len(story.branches), story.set_aside)
        yield prose(told)
        if len(chosen.points) > 1 and not tie(chosen):
            yield prose(chosen.reason)
    rows = []
    alone = chosen is not None and len(chosen.points) == 1
    for branch in story.branches:
        idea = branch.idea.title if branch.idea else "no idea"
        if branch.given_up:
            idea = f"given up: {branch.given_up.reason}"
        points = "–"
        if chosen and branch.n in chosen.points:
            points = won(chosen, branch.n) if chosen.most(branch.n) or alone else NOT_COMPARED
        check = branch.check
        rows.append(
            (
                str(branch.n),
                idea,
                str(len(_papers(branch))),
                points,
                short_claim(check) if check else "not checked",
            )
        )
    head = ("Branch", "Its idea", "Papers", "Points", "Its novelty check")
    yield Table(head, tuple(rows), (8, 42, 9, 9, 32))
    if chosen:
        yield from write_matches(chosen)


# -- the experiment ----------------------------------------------------------------------------


def plan(story: Story) -> Iterator[Block]:
    """Write the experiment as it was refined last, then what its reviews said of what it was
    before.
    """
    first, rounds = story.last(Design), story.all(DesignRound)
    designs = [*([first] if first else []), *(done.design for done in rounds)]
    if not designs:
        return
    yield Heading("Experiment plan")
    yield from write_design(designs[-1])
    for done in rounds:
        yield Heading(f"Review {done.n} of the plan", 3)
        yield from write_review(done)
    for n, earlier in enumerate(designs[:-1], 1):
        yield Heading(f"The plan before review {n}", 3)
        yield from write_design(earlier)
