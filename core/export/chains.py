"""Records of chains and baselines as blocks: chain, trend, direction, idea, novelty, choice,
design, outcome.
"""

from collections.abc import Callable, Iterable, Iterator

from core.export.blocks import Block, Heading, Line, Span, entry, fields, listing, prose
from core.export.datasets import WRITERS as OF_DATA_SETS
from core.export.papers import cite
from core.judging.claims import SIMILARITY, claim, ending, overlapping, tie
from core.records import (
    CRITERIA,
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
)
from core.story import Branch
from core.wording.numbers import counted


def write_records(records: Iterable[Record]) -> Iterator[Block]:
    """Write the records that have something to say, in order; growing chains, maps and candidates
    have not.
    """
    for record in records:
        if writer := WRITERS.get(type(record)):
            yield from writer(record)


def write_branch(branch: Branch, source: str, above: Idea | None = None) -> Iterator[Block]:
    """Write a branch; a chain that was still growing when the run ended is written as far as it
    came.

    `source` is where its run looks for papers; the idea that stands `above` is only named.
    """
    if branch.chain and not branch.settled:
        yield from _chain(branch.chain, so_far=True)
    for record in branch.records:
        if isinstance(record, NoveltyCheck):
            yield from _check(record, source)
        elif record == above:
            yield Heading(f"Idea: {above.title}")
            yield prose("It stands at the beginning.")
        else:
            yield from write_records([record])


def _chain(chain: Chain, so_far: bool = False) -> Iterator[Block]:
    """Write a chain paper by paper, with why each is there and why it grew no further."""
    title = "Chain of papers so far, oldest first" if so_far else "Chain of papers, oldest first"
    yield Heading(title if chain.ordered else "Papers, in no order")
    yield from listing(map(_link, chain.links), ordered=True)
    ends = []
    for stop in chain.stops:
        failures = f" ({stop.failing} failed)" if stop.failed else ""
        ends.append(f"{stop.hop}{failures}: {stop.reason}")
    for early, late in chain.violations:
        ends.append(f"Out of date order: {early.title} came out after {late.title}.")
    yield from listing(ends)


def _link(link: Link) -> Line:
    reason = f": {link.reason}"
    if link.text and link.text.state == "read":
        reason += f" Read from {counted(link.text.pages, 'page')} of full text."
    elif link.text:
        reason += f" Read from its abstract: {link.text.reason}"
    return *cite(link.paper), Span(" "), Span(link.hop, "emphasis"), Span(reason)


def _trend(trend: Trend) -> Iterator[Block]:
    yield Heading("Trend")
    yield prose(trend.summary)
    yield from listing(f"{step.earlier} → {step.later}: {step.how}" for step in trend.steps)


def _search(search: Search) -> Iterator[Block]:
    if not search.papers:
        yield Heading(f"Papers looked for: {search.state}")
        yield prose(search.reason or "The actors drew on no papers.")
        return
    found = f"{counted(len(search.papers), 'paper')} found for {search.query!r}"
    yield Heading("Papers looked for")
    yield prose(f"{found}, listed under Sources. {search.reason} {search.partly}".strip())


def _check(check: NoveltyCheck, source: str) -> Iterator[Block]:
    """Write a novelty check: the claim with what it rests on, the verdict, the papers compared, the
    queries.
    """
    yield Heading(f"Novelty check {check.round}")
    other = overlapping(check)
    verdict_on = f"The verdict names another paper: {other}." if other else ""
    for text in (claim(check, source), check.reason, verdict_on, check.overlap):
        if text:
            yield prose(text)
    if check.compared:
        yield prose(f"Compared with the idea. {SIMILARITY}")
    yield from listing(
        (
            f"{paper.title} ({paper.year or 'undated'}): similarity {paper.similarity:.2f}"
            for paper in check.compared
        ),
        ordered=True,
    )
    yield from listing(
        f"{search.query}: {search.state}"
        + (f", {len(search.papers)} papers" if search.papers else "")
        for search in check.searches
    )


def _choice(choice: Selection | IdeaChoice) -> Iterator[Block]:
    in_a_tie = tie(choice)
    what = "branch" if isinstance(choice, Selection) else "idea"
    yield Heading(f"Chosen{' in a tie' if in_a_tie else ''}: {what} {choice.best}")
    yield prose(choice.reason)
    if in_a_tie:
        yield prose(in_a_tie)
    matches = []
    for match in choice.matches:
        won = ", ".join(f"{name} {getattr(match.comparison, name)}" for name in CRITERIA)
        matches.append(f"{match.first} before {match.second}: {won}. {match.comparison.reason}")
    yield from listing(matches)


def _design(design: Design, title: str = "Experiment design") -> Iterator[Block]:
    yield Heading(title)
    yield from fields(design.model_dump(exclude={"procedure"}))
    yield entry("Procedure", "")
    yield from listing(design.procedure, ordered=True)


def _design_round(done: DesignRound) -> Iterator[Block]:
    yield Heading(f"Review {done.n} of the design")
    yield prose(
        ", ".join(
            f"{name}: {'yes' if getattr(done.review, name) else 'no'}"
            for name in ("clear", "complete", "named", "runnable")
        )
    )
    lines: list[Line] = [
        (Span(remark.id, "strong"), Span(f" {remark.text}")) for remark in done.review.remarks
    ]
    lines += [(Span(f"Looked up: {search.query}: {search.state}"),) for search in done.searches]
    yield from listing(lines)
    yield from _design(done.design, "Refined design")


def _outlook(outlook: Outlook) -> Iterator[Block]:
    if len(outlook.candidates) > 1:
        yield Heading("Possible directions, the best first")
        yield from listing(
            (Span(one.direction, "strong"), Span(f" {one.reasoning} {one.beyond}".rstrip()))
            for one in outlook.candidates
        )


def write_outcome(end: Outcome, check: NoveltyCheck | None, source: str) -> Iterator[Block]:
    """Write how a run ended; where its idea was checked, with what the check rests on."""
    yield Heading("Outcome")
    branch = f" The idea is from branch {end.branch}." if end.branch else ""
    yield prose(f"{ending(end, check, source)}{branch}")


def _seat(seat: SeatFilled) -> Iterator[Block]:
    yield Heading("The seat")
    counts = f"{seat.answered} of {seat.asked} answers given"
    if seat.earlier:
        counts += f"; {seat.earlier} given by earlier runs"
    if seat.missing:
        counts += f"; {seat.missing} missing: {seat.reason}"
    yield prose(counts.rstrip(".") + ".")
    yield prose("The answers are kept with the session, and exported with it.")


WRITERS: dict[type[Record], Callable[..., Iterable[Block]]] = {
    Search: _search,
    Chain: _chain,
    Trend: _trend,
    Selection: _choice,
    IdeaChoice: _choice,
    Design: _design,
    DesignRound: _design_round,
    Idea: lambda idea: (Heading(f"Idea: {idea.title}"), *fields(idea.fields)),
    SeatFilled: _seat,
    **OF_DATA_SETS,
    GivenUp: lambda end: (
        Heading("Given up (something failed)" if end.failed else "Given up"),
        prose(end.reason),
    ),
    Lost: lambda part: (Heading("Failed and skipped"), prose(f"{part.part}: {part.reason}")),
    Outlook: _outlook,
    Topic: lambda confirmed: (Heading("Topic, as confirmed"), prose(confirmed.topic)),
    Direction: lambda predicted: (
        Heading("Predicted direction"),
        prose(predicted.direction),
        prose(predicted.reasoning),
    ),
}
