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
    entry,
    grid,
    listing,
    nest,
    prose,
    section,
)
from core.export.chains import write_records
from core.export.facts import standing
from core.export.refined import LOOKS
from core.judging.evolution_tables import discards, in_words, per_item, trials
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
from core.store import Store
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


def results(run: Run, story: Story) -> Iterator[Block]:
    """Write what came of every idea: the result stands before how it was made."""
    lines = evolving(story)
    if not lines:
        yield from standing(run)
    for line in lines:
        yield from _result(line, run, len(lines) > 1)


def evolution(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write question and review, every idea step by step, and where there were several, how the
    items fared over all of them.
    """
    lines = evolving(story)
    yield from write_records(story.all(Prepared))
    if len(lines) == 1:
        yield from _steps(lines[0])
        return
    for line in lines:
        yield Heading(f"Idea {line.n}")
        yield from nest(_steps(line))
    if found := trials(run.config, run.id, story.parts, store.steps.answered(run)):
        yield from grid(per_item(found))
        yield from grid(discards(found))


def evolving(story: Story) -> tuple[Line, ...]:
    """Return the ideas that have come to something, a discarded one included."""
    return tuple(line for line in story.lines if line.steps or line.last(Discarded))


def _result(line: Line, run: Run, several: bool) -> Iterator[Block]:
    number = f" {line.n}" if several else ""
    end = line.last(Outcome)
    if end:
        yield Heading(f"The evolved idea{number}")
        yield from _text(end.idea)
        last = line.steps[-1].scores if line.steps else None
        yield entry(f"Step {end.round}", " ".join(in_words(end.reason, last)).rstrip())
    elif lost := line.last(Discarded):
        yield Heading(f"Idea{number}: discarded")
        yield prose(lost.reason)
    else:
        yield from standing(run, f"How {f'idea{number}' if several else 'it'} stands")


def _steps(line: Line) -> Iterator[Block]:
    if line.steps:
        yield Heading("Scores by step")
        yield _by_step(line.steps)
    if len(line.steps) > 1:
        yield LEGEND
    for n, step in enumerate(line.steps):
        if n == 0:
            yield Heading(f"Step {step.n}: as it began")
            yield from _text(step.idea)
        else:
            yield Heading(f"Step {step.n}, with its changes")
            yield from _changes(line.steps[n - 1].idea, step.idea)
        yield Heading("Checklist", 3)
        yield from _checklist(step)
        yield from _directives(step, line.steps[n + 1].declined if n + 1 < len(line.steps) else ())
    if lost := line.last(Discarded):
        yield Heading(f"Step {len(line.steps)}: discarded")
        yield prose(lost.reason)


def _checklist(step: Evolved) -> Iterator[Block]:
    head = ["Item", "Tier", "Holds", "Scored by"]
    rows = [
        [label(item.item), TIERS.get(item.item, "–"), HOLDS[item.score], item.by]
        for item in step.scores.items
    ]
    if step.feedback and step.feedback != step.scores:
        head.append("By the judge whose directives are followed")
        beside = {item.item: HOLDS[item.score] for item in step.feedback.items}
        for row, item in zip(rows, step.scores.items, strict=True):
            row.append(beside.get(item.item, "–"))
    yield prose(tiers(step.scores))
    yield Table(tuple(head), tuple(map(tuple, rows)))
    yield from listing(
        f"{label(item.item)} was not judged: {item.reason}"
        for item in step.scores.items
        if item.score is None and item.reason
    )


def tiers(found: Checklist) -> str:
    """Say how many items of each tier hold, and what follows: s, t and the reward r (EvoIdeator,
    equation 3).
    """
    primary = sum(item.item in PRIMARY for item in found.items)
    holding = (
        f"{found.primary} of {primary} primary and {found.total - found.primary} of"
        f" {len(found.items) - primary} secondary items hold"
    )
    if not found.complete:
        return f"{holding}; r cannot be given, for not every item was judged."
    why = (
        "all primary items but at most one hold, so r = s"
        if found.by_primary
        else "more than one primary item does not hold, so r = t"
    )
    return f"{holding}: s = {found.primary}, t = {found.total}, r = {found.reward} ({why})."


def _directives(step: Evolved, declined: Sequence[str]) -> Blocks:
    if step.feedback is None:
        return (prose("No directives: the model corrects itself."),)
    lines = []
    for item in step.feedback.unsatisfied:
        if item.directive is None:
            continue
        line = [
            Span(f"{label(item.item)}.", "strong"),
            Span(f" {_passage(step.idea, item)} {item.directive.issue} "),
            Span(item.directive.suggestion, "emphasis"),
        ]
        if item.item in declined:
            refusal = " Declined by a person: the next step was not to follow it."
            line.append(Span(refusal, "emphasis"))
        lines.append(tuple(line))
    return section("Directives", listing(lines), 3)


def _passage(idea: Idea, item: Judged) -> str:
    """Return the idea's own words a directive is about; what the judge quotes and the idea does not
    say is no quote.
    """
    if item.passage and item.passage.quote and item.passage.quote in idea.text:
        exact = item.passage.state == "verbatim"
        return f"“{item.passage.quote}”{'' if exact else ' (the nearest words in the text)'}:"
    if item.directive and item.directive.span:
        return "(The passage the judge quotes is not in the text.)"
    return "(About what is missing.)"


def _by_step(steps: Sequence[Evolved]) -> Table:
    """Return every item over the steps, and what follows from them."""
    scores = [{item.item: item.score for item in step.scores.items} for step in steps]
    values: list[tuple[str, str, list[int | None]]] = [
        (label(name), TIERS.get(name, "–"), [step.get(name) for step in scores])
        for name in scores[0]
    ]
    values += [
        ("s", "", [step.scores.primary for step in steps]),
        ("t", "", [step.scores.total for step in steps]),
        ("r", "", [step.scores.reward for step in steps]),
    ]
    rows = (
        (name, tier, *("–" if value is None else str(value) for value in row))
        for name, tier, row in values
    )
    return Table(("Item", "Tier", *(f"Step {step.n}" for step in steps)), tuple(rows))


def _changes(older: Idea, newer: Idea) -> Iterator[Block]:
    old, new = _parts(older), _parts(newer)
    same = []
    for name in (*new, *(name for name in old if name not in new)):
        pieces = compare(old.get(name, ""), new.get(name, ""))
        if all(piece.kind == "same" for piece in pieces):
            same.append(name)
        else:
            marked = (Span(piece.text, LOOKS[piece.kind]) for piece in pieces)
            yield Paragraph((Span(f"{name}.", "strong"), Span(" "), *marked))
    if same:
        yield entry("Unchanged", f"{', '.join(same)}.")


def _text(idea: Idea) -> Iterator[Block]:
    for name, text in _parts(idea).items():
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            yield entry(name, text)
        elif all(map(BULLET.match, lines)):
            yield entry(name, "")
            yield from listing(BULLET.sub("", line) for line in lines)
        else:
            yield entry(name, lines[0])
            yield from map(prose, lines[1:])


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
    for heading in found:
        name, n = heading.written, 2
        while name in parts:
            name, n = f"{heading.written} ({n})", n + 1
        parts[name] = text[heading.start : heading.end].strip()
    return parts
