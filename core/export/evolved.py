"""A checklist evolution as blocks: each idea step by step with its checklist, its directives and
what became of it, then how it ended.
"""

import re
from collections.abc import Iterator, Sequence

from core.export.blocks import (
    Block,
    Blocks,
    Heading,
    Paragraph,
    Span,
    Table,
    listed,
    named,
    nested,
    said,
)
from core.export.blocks import Line as Spans
from core.export.chains import told
from core.export.facts import unfinished
from core.export.grids import grid
from core.export.refined import LOOKS
from core.judging.evolution_tables import discards, per_item, trials
from core.judging.headed import sections
from core.records import (
    ITEMS,
    PRIMARY,
    Checklist,
    Discarded,
    Evolved,
    Idea,
    Judged,
    Outcome,
    Prepared,
    Run,
    label,
)
from core.story import Line, Story
from core.wording.differences import compare

LEGEND = Paragraph(
    (
        Span("Changes are shown word by word against the step before: "),
        Span("what came", "added"),
        Span(", "),
        Span("what went", "removed"),
        Span("."),
    )
)
TIERS = {item.name: item.tier for item in ITEMS}
HOLDS = {1: "yes", 0: "no", None: "not judged"}
BULLET = re.compile(r"^\s*[-*•]\s+")


def results(run: Run, story: Story) -> Blocks:
    """Write what came of every idea: the result stands before how it was made."""
    lines = evolving(story)
    if not lines:
        return (Heading("How it stands"), said(unfinished(run)))
    return tuple(block for line in lines for block in _result(line, run, len(lines) > 1))


def evolution(run: Run, story: Story) -> Blocks:
    """Write question and review, every idea step by step, and where there were several, how the
    items fared over all of them.
    """
    lines, shared = evolving(story), told(story.all(Prepared))
    parts = [
        (line.n, (*([LEGEND] if line.steps[1:] else []), *_steps(line), *_table(line)))
        for line in lines
    ]
    if len(parts) == 1:
        return (*shared, *parts[0][1])
    held = trials(run.config, run.id, story.parts)
    several = [block for n, part in parts for block in (Heading(f"Idea {n}"), *nested(part))]
    return (*shared, *several, *(grid(per_item(held)) + grid(discards(held)) if held else ()))


def evolving(story: Story) -> tuple[Line, ...]:
    """Return the ideas that have come to something, a discarded one included."""
    return tuple(line for line in story.lines if line.steps or line.last(Discarded))


def _result(line: Line, run: Run, several: bool) -> Iterator[Block]:
    number = f" {line.n}" if several else ""
    end = line.last(Outcome)
    if end:
        yield Heading(f"The evolved idea{number}")
        yield from _text(end.idea)
        yield named(f"Step {end.round}", end.reason)
    elif lost := line.last(Discarded):
        yield Heading(f"Idea{number}: discarded")
        yield said(lost.reason)
    else:
        yield Heading(f"How idea{number} stands" if several else "How it stands")
        yield said(unfinished(run))


def _steps(line: Line) -> Iterator[Block]:
    before: Evolved | None = None
    for n, step in enumerate(line.steps):
        follows = line.steps[n + 1].declined if n + 1 < len(line.steps) else ()
        yield Heading(
            f"Step {step.n}" + (": as it began" if before is None else ", with its changes")
        )
        yield from _changes(before.idea, step.idea) if before else _text(step.idea)
        yield Heading("Checklist", 3)
        yield from _checklist(step)
        yield from _directives(step, follows)
        before = step
    if lost := line.last(Discarded):
        yield Heading(f"Step {len(line.steps)}: discarded")
        yield said(lost.reason)


def _checklist(step: Evolved) -> Iterator[Block]:
    apart = step.feedback if step.feedback and step.feedback != step.scores else None
    rows = tuple(
        (
            label(one.item),
            TIERS.get(one.item, "–"),
            HOLDS[one.score],
            one.by,
            *([_beside(apart, one.item)] if apart else []),
        )
        for one in step.scores.items
    )
    yield said(tiers(step.scores))
    yield Table(
        (
            "Item",
            "Tier",
            "Holds",
            "Scored by",
            *(["By the judge whose directives are followed"] if apart else []),
        ),
        rows,
    )
    yield from listed(
        f"{label(one.item)} was not judged: {one.reason}"
        for one in step.scores.items
        if one.score is None and one.reason
    )


def _beside(found: Checklist, item: str) -> str:
    return next((HOLDS[one.score] for one in found.items if one.item == item), "–")


def tiers(found: Checklist) -> str:
    """Say how many items of each tier hold, and what follows: s, t and the reward r (EvoIdeator,
    equation 3).
    """
    first, rest = (
        [one for one in found.items if (one.item in PRIMARY) is primary]
        for primary in (True, False)
    )
    said_of = (
        f"{found.primary} of {len(first)} primary and {found.total - found.primary} of {len(rest)}"
        " secondary items hold"
    )
    if not found.complete:
        return f"{said_of}; r cannot be given, for not every item was judged."
    why = (
        "all primary items but at most one hold, so r = s"
        if found.by_primary
        else "more than one primary item does not hold, so r = t"
    )
    return f"{said_of}: s = {found.primary}, t = {found.total}, r = {found.reward} ({why})."


def _directives(step: Evolved, declined: Sequence[str]) -> Blocks:
    if step.feedback is None:
        return (said("No directives: the model corrects itself."),)
    found = [one for one in step.feedback.unsatisfied if one.directive]
    return (
        (
            Heading("Directives", 3),
            *listed(_directive(step.idea, one, one.item in declined) for one in found),
        )
        if found
        else ()
    )


def _directive(idea: Idea, one: Judged, declined: bool) -> Spans:
    assert one.directive is not None
    refused = (
        (Span(" Declined by a person: the next step was not to follow it.", "emphasis"),)
        if declined
        else ()
    )
    return (
        Span(f"{label(one.item)}.", "strong"),
        Span(f" {_passage(idea, one)} {one.directive.issue} "),
        Span(one.directive.suggestion, "emphasis"),
        *refused,
    )


def _passage(idea: Idea, one: Judged) -> str:
    """Return the idea's own words a directive is about; what the judge quotes and the idea does not
    say is no quote.
    """
    if one.passage and one.passage.quote and one.passage.quote in idea.text:
        return (
            f"“{one.passage.quote}”"
            + ("" if one.passage.state == "verbatim" else " (the nearest words in the text)")
            + ":"
        )
    return (
        "(The passage the judge quotes is not in the text.)"
        if one.directive and one.directive.span
        else "(About what is missing.)"
    )


def _table(line: Line) -> Blocks:
    """Write every item over the steps, and what follows from them."""
    if not line.steps:
        return ()
    names = tuple(one.item for one in line.steps[0].scores.items)
    scores = [{one.item: one.score for one in step.scores.items} for step in line.steps]
    sums = (
        ("s", [step.scores.primary for step in line.steps]),
        ("t", [step.scores.total for step in line.steps]),
        ("r", [step.scores.reward for step in line.steps]),
    )
    rows = (
        *(
            (label(name), TIERS.get(name, "–"), *(_number(one.get(name)) for one in scores))
            for name in names
        ),
        *((name, "", *map(_number, values)) for name, values in sums),
    )
    return (
        Heading("Scores by step"),
        Table(("Item", "Tier", *(f"Step {step.n}" for step in line.steps)), rows),
    )


def _number(value: int | None) -> str:
    return "–" if value is None else str(value)


def _changes(older: Idea, newer: Idea) -> Iterator[Block]:
    old, new = _parts(older), _parts(newer)
    same = []
    for name in (*new, *(name for name in old if name not in new)):
        pieces = compare(old.get(name, ""), new.get(name, ""))
        if all(piece.kind == "same" for piece in pieces):
            same.append(name)
        else:
            yield Paragraph(
                (
                    Span(f"{name}.", "strong"),
                    Span(" "),
                    *(Span(piece.text, LOOKS[piece.kind]) for piece in pieces),
                )
            )
    if same:
        yield named("Unchanged", f"{', '.join(same)}.")


def _text(idea: Idea) -> Iterator[Block]:
    for name, text in _parts(idea).items():
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            yield named(name, text)
        elif all(map(BULLET.match, lines)):
            yield named(name, "")
            yield from listed(BULLET.sub("", line) for line in lines)
        else:
            yield named(name, lines[0])
            yield from map(said, lines[1:])


def _parts(idea: Idea) -> dict[str, str]:
    """Return an idea's texts by their headings: its fields, or the sections of a text under
    headings of its own.
    """
    if idea.form != "headed":
        return {label(name): text for name, text in idea.fields.items()}
    text, found = idea.text, sections(idea.text)
    if not found:
        return {"Text": text}
    parts = {"Before the first heading": before} if (before := text[: found[0].at].strip()) else {}
    for one in found:
        name, n = one.written, 2
        while name in parts:
            name, n = f"{one.written} ({n})", n + 1
        parts[name] = text[one.start : one.end].strip()
    return parts
