"""Records of chains and baselines as blocks: chain, trend, direction, idea, choice, design."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from core.export.blocks import Block, Blocks, Heading, Line, Span, entry, fields, listing, prose
from core.export.datasets import WRITERS as OF_DATA_SETS
from core.export.papers import cite
from core.judging.claims import tie
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
    Outlook,
    Record,
    Search,
    SeatFilled,
    Selection,
    Topic,
    Trend,
)
from core.wording.numbers import counted

REVIEWED = {
    "clear": "Clear",
    "complete": "complete",
    "named": "data sets, models and measures named",
    "runnable": "can be run by somebody else",
}


def write_records(
    records: Iterable[Record], titles: Mapping[str, str] | None = None
) -> Iterator[Block]:
    """Write the records that have something to say, in order; growing chains, maps and candidates
    have not. `titles` are those of papers by id.
    """
    for record in records:
        if isinstance(record, Trend):
            yield from _trend(record, titles or {})
        elif writer := WRITERS.get(type(record)):
            yield from writer(record)


def write_idea(idea: Idea) -> Blocks:
    """Write an idea under a heading that has its title already."""
    return fields({name: text for name, text in idea.fields.items() if name != "title"})


def idea_alone(idea: Idea) -> Blocks:
    """Return an idea by itself, under its title where it has one."""
    title = (Heading(idea.title),) if "title" in idea.fields else ()
    return *title, *write_idea(idea)


def write_query(search: Search) -> Line:
    """Say how a query ended; one that a source did not answer is never one that found nothing."""
    told = [Span(f"{search.query.rstrip('.')}: ")]
    if search.state == "source failed":
        told += [Span("source failed", "strong"), Span(f". {search.reason}".rstrip())]
    elif search.papers:
        told.append(Span(f"{counted(len(search.papers), 'paper')} found"))
    else:
        told.append(Span("nothing found"))
    for reason, what in (
        (search.partly, "answered by some of the sources only"),
        (search.instead, "answered by a second source"),
    ):
        if reason:
            told += [Span("; "), Span(what, "strong"), Span(f": {reason}")]
    return tuple(told)


def write_chain(chain: Chain, so_far: bool = False) -> Iterator[Block]:
    """Write a chain paper by paper, with why each is there and why it grew no further."""
    title = "Papers so far, oldest first" if so_far else "Papers, oldest first"
    yield Heading(title if chain.ordered else "Papers, in no order")
    yield from listing(map(_link, chain.links), ordered=True)
    ends = []
    for stop in chain.stops:
        failures = f" ({stop.failing} failed)" if stop.failed else ""
        ends.append(f"{stop.hop}{failures}: {stop.told}")
    for early, late in chain.violations:
        ends.append(f"Out of date order: {early.title} came out after {late.title}.")
    yield from listing(ends)


def _link(link: Link) -> Line:
    reason = f": {link.reason}"
    if link.text and link.text.state == "read":
        reason += f" Read from {counted(link.text.pages, 'page')} of full text."
    elif link.text:
        failed = " The PDF could not be read." if link.text.state == "failed" else ""
        reason += f"{failed} Read from its abstract."
    return *cite(link.paper), Span(" "), Span(link.hop, "emphasis"), Span(reason)


def _trend(trend: Trend, titles: Mapping[str, str]) -> Iterator[Block]:
    yield Heading("Trend")
    yield prose(trend.summary)
    yield from listing(
        (
            Span(titles.get(step.earlier, step.earlier), "emphasis"),
            Span(" → "),
            Span(titles.get(step.later, step.later), "emphasis"),
            Span(f": {step.how}"),
        )
        for step in trend.steps
    )


def _search(search: Search) -> Iterator[Block]:
    if not search.papers:
        yield Heading(f"Papers looked for: {search.state}")
        yield prose(search.reason or "The actors drew on no papers.")
        return
    found = f"{counted(len(search.papers), 'paper')} found for {search.query!r}"
    yield Heading("Papers looked for")
    yield prose(f"{found}, listed under References. {search.reason} {search.partly}".strip())


def _choice(choice: IdeaChoice) -> Iterator[Block]:
    in_a_tie = tie(choice)
    yield Heading(f"Chosen{' in a tie' if in_a_tie else ''}: idea {choice.best}")
    yield prose(choice.reason)
    if in_a_tie:
        yield prose(in_a_tie)
    yield from write_matches(choice)


def write_matches(choice: Selection | IdeaChoice) -> Blocks:
    """Write every comparison a choice rests on, criterion by criterion."""
    what = "branch" if isinstance(choice, Selection) else "idea"
    lines = []
    for match in choice.matches:
        sides = {"first": f"{what} {match.first}", "second": f"{what} {match.second}"}
        criteria = {name: getattr(match.comparison, name) for name in CRITERIA}
        won = ", ".join(f"{name} {sides.get(side, side)}" for name, side in criteria.items())
        shown = f"{sides['first'].capitalize()} shown before {sides['second']}: {won}."
        lines.append(f"{shown} {match.comparison.reason}")
    return listing(lines)


def write_design(design: Design) -> Iterator[Block]:
    """Write an experiment part by part."""
    yield from fields(design.model_dump(exclude={"procedure"}))
    yield entry("Procedure", "")
    yield from listing(design.procedure, ordered=True)


def write_review(done: DesignRound) -> Iterator[Block]:
    """Write what a review said of a design, and what was looked up for it."""
    yield prose(
        "; ".join(
            f"{said}: {'yes' if getattr(done.review, name) else 'no'}"
            for name, said in REVIEWED.items()
        )
    )
    lines: list[Line] = [
        (Span(remark.id, "strong"), Span(f" {remark.text}")) for remark in done.review.remarks
    ]
    lines += [(Span("Looked up: ", "strong"), *write_query(search)) for search in done.searches]
    yield from listing(lines)


def _outlook(outlook: Outlook) -> Iterator[Block]:
    if len(outlook.candidates) > 1:
        yield Heading("Possible directions, the best first")
        yield from listing(
            (Span(one.direction, "strong"), Span(f" {one.reasoning} {one.beyond}".rstrip()))
            for one in outlook.candidates
        )


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
    Chain: write_chain,
    IdeaChoice: _choice,
    Idea: lambda idea: (Heading(f"Idea: {idea.title}"), *write_idea(idea)),
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
