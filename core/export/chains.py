"""Records of chains and baselines as blocks: chain, trend, direction, idea, novelty, choice,
design, outcome.
"""

from collections.abc import Callable

from core.export.blocks import Block, Blocks, Heading, Line, Span, listed, named, said
from core.export.gathered import WRITERS as GATHERED
from core.export.papers import titled
from core.judging.claims import SIMILARITY, claim, ending, overlapping, tie
from core.records import (
    CRITERIA,
    BranchMatch,
    Chain,
    Design,
    DesignRound,
    Direction,
    GivenUp,
    Idea,
    IdeaChoice,
    Link,
    Lost,
    NoveltyCheck,
    Outcome,
    Outlook,
    Record,
    Search,
    SeatFilled,
    Selection,
    Topic,
    Trend,
    label,
)
from core.story import Branch


def told(records: tuple[Record, ...]) -> Blocks:
    """Write the records that have something to say, in order; growing chains, maps and candidates
    have not.
    """
    return tuple(
        block
        for record in records
        if (writer := WRITERS.get(type(record)))
        for block in writer(record)
    )


def branch(one: Branch, source: str) -> Blocks:
    """Write a branch; a chain that was still growing when the run ended is written as far as it
    came.

    `source` is where its run looks for papers.
    """
    growing = chain(one.chain, so_far=True) if one.chain and not one.settled else ()
    parts = (
        checked(record, source) if isinstance(record, NoveltyCheck) else told((record,))
        for record in one.records
    )
    return (*growing, *(block for part in parts for block in part))


def chain(found: Chain, so_far: bool = False) -> Blocks:
    """Write a chain paper by paper, with why each is there and why it grew no further."""
    heading = (
        ("Chain of papers" + (" so far" if so_far else "") + ", oldest first")
        if found.ordered
        else "Papers, in no order"
    )
    stops = [
        f"{stop.hop}{f' ({stop.failing} failed)' if stop.failed else ''}: {stop.reason}"
        for stop in found.stops
    ]
    back = [f"Against time: {a.title} came out after {b.title}." for a, b in found.violations]
    return (Heading(heading), *listed(map(_link, found.links), ordered=True), *listed(stops + back))


def _link(link: Link) -> Line:
    return (
        Span(f"{titled(link.paper)} "),
        Span(link.hop, "emphasis"),
        Span(f": {link.reason}{_read_from(link)}"),
    )


def _read_from(link: Link) -> str:
    if link.text is None:
        return ""
    pages = "1 page" if link.text.pages == 1 else f"{link.text.pages} pages"
    return (
        f" Read from {pages} of full text."
        if link.text.state == "read"
        else f" Read from its abstract: {link.text.reason}"
    )


def fields(texts: dict[str, str]) -> Blocks:
    """Write one named paragraph for each field."""
    return tuple(named(label(name), text) for name, text in texts.items())


def idea(held: Idea) -> Blocks:
    """Write an idea under its title."""
    return (Heading(f"Idea: {held.title}"), *fields(held.fields))


def _trend(trend: Trend) -> Blocks:
    return (
        Heading("Trend"),
        said(trend.summary),
        *listed(f"{step.earlier} → {step.later}: {step.how}" for step in trend.steps),
    )


def _search(found: Search) -> Blocks:
    if not found.papers:
        return (
            Heading(f"Papers looked for: {found.state}"),
            said(found.reason or "The actors drew on no papers."),
        )
    many = "1 paper" if len(found.papers) == 1 else f"{len(found.papers)} papers"
    line = f"{many} found for {found.query!r}, listed under Sources. {found.reason} {found.partly}"
    return Heading("Papers looked for"), said(line.strip())


def checked(check: NoveltyCheck, source: str) -> Blocks:
    """Write a novelty check: the claim with what it rests on, the verdict, the papers compared, the
    queries.
    """
    asked = [
        f"{one.query}: {one.state}" + (f", {len(one.papers)} papers" if one.papers else "")
        for one in check.searches
    ]
    other = overlapping(check)
    parts = (
        claim(check, source),
        check.reason,
        f"The verdict names another paper: {other}." if other else "",
        check.overlap,
    )
    compared = [
        f"{one.title} ({one.year or 'undated'}): similarity {one.similarity:.2f}"
        for one in check.compared
    ]
    papers: Blocks = (
        (said(f"Compared with the idea. {SIMILARITY}"), *listed(compared, ordered=True))
        if compared
        else ()
    )
    return (
        Heading(f"Novelty check {check.round}"),
        *(said(part) for part in parts if part),
        *papers,
        *listed(asked),
    )


def _choice(chosen: Selection | IdeaChoice) -> Blocks:
    def match(one: BranchMatch) -> str:
        won = ", ".join(f"{name} {getattr(one.comparison, name)}" for name in CRITERIA)
        return f"{one.first} before {one.second}: {won}. {one.comparison.reason}"

    drawn = tie(chosen)
    what = "branch" if isinstance(chosen, Selection) else "idea"
    heading = Heading(f"Chosen{' in a tie' if drawn else ''}: {what} {chosen.best}")
    return (
        heading,
        said(chosen.reason),
        *((said(drawn),) if drawn else ()),
        *listed(map(match, chosen.matches)),
    )


def _design(design: Design, heading: str = "Experiment design") -> Blocks:
    steps: tuple[Block, ...] = listed(design.procedure, ordered=True)
    return (
        Heading(heading),
        *fields(design.model_dump(exclude={"procedure"})),
        named("Procedure", ""),
        *steps,
    )


def _design_round(done: DesignRound) -> Blocks:
    judged = ", ".join(
        f"{name}: {'yes' if getattr(done.review, name) else 'no'}"
        for name in ("clear", "complete", "named", "runnable")
    )
    remarks: list[Line] = [
        (Span(one.id, "strong"), Span(f" {one.text}")) for one in done.review.remarks
    ]
    looked: list[Line] = [(Span(f"Looked up: {one.query}: {one.state}"),) for one in done.searches]
    return (
        Heading(f"Review {done.n} of the design"),
        said(judged),
        *listed(remarks + looked),
        *_design(done.design, "Refined design"),
    )


def _directions(seen: Outlook) -> Blocks:
    steps: list[Line] = [
        (Span(one.direction, "strong"), Span(f" {one.reasoning} {one.beyond}".rstrip()))
        for one in seen.candidates
    ]
    return (Heading("Possible directions, the best first"), *listed(steps))


def ended(end: Outcome, check: NoveltyCheck | None, source: str) -> Blocks:
    """Write how a run ended; where its idea was checked, with what the check rests on."""
    return (
        Heading("Outcome"),
        said(
            ending(end, check, source)
            + (f" The idea is from branch {end.branch}." if end.branch else "")
        ),
    )


def _filled(seat: SeatFilled) -> Blocks:
    counts = [
        f"{seat.answered} of {seat.asked} answers given",
        f"{seat.earlier} given by earlier runs" if seat.earlier else "",
        f"{seat.missing} missing: {seat.reason}" if seat.missing else "",
    ]
    return (
        Heading("The seat"),
        said("; ".join(filter(None, counts)).rstrip(".") + "."),
        said("The answers are kept with the session, and exported with it."),
    )


WRITERS: dict[type[Record], Callable[..., Blocks]] = {
    Search: _search,
    Chain: chain,
    Trend: _trend,
    Selection: _choice,
    IdeaChoice: _choice,
    Design: _design,
    DesignRound: _design_round,
    Idea: idea,
    SeatFilled: _filled,
    **GATHERED,
    GivenUp: lambda end: (
        Heading(f"Given up{' (something failed)' if end.failed else ''}"),
        said(end.reason),
    ),
    Lost: lambda part: (Heading("Lost on the way"), said(f"{part.part}: {part.reason}")),
    Outlook: lambda seen: _directions(seen) if len(seen.candidates) > 1 else (),
    Topic: lambda confirmed: (Heading("Topic, as confirmed"), said(confirmed.topic)),
    Direction: lambda next_: (
        Heading("Predicted direction"),
        said(next_.direction),
        said(next_.reasoning),
    ),
}
