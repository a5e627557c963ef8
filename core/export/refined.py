"""The refinement of one idea as blocks: the first idea, round by round what was asked, changed and
judged, then how it ended.
"""

from collections.abc import Iterator, Mapping

from core.export.asked import counted
from core.export.blocks import (
    Block,
    Blocks,
    Heading,
    Look,
    Paragraph,
    Span,
    Table,
    listed,
    named,
    said,
)
from core.export.blocks import Line as Spans
from core.export.chains import fields
from core.export.facts import moment, unfinished
from core.judging.claims import SIMILARITY
from core.records import (
    Change,
    Idea,
    Measures,
    Note,
    Paper,
    Review,
    Round,
    Run,
    Standing,
    Wish,
    label,
)
from core.story import Line
from core.wording.differences import between, in_brief, unquoted

LEGEND = Paragraph(
    (
        Span("Changes are shown word by word against the version before: "),
        Span("what came", "added"),
        Span(", "),
        Span("what went", "removed"),
        Span(" and after a change the remarks it answers, as the generator says: "),
        Span("r1", "remark"),
        Span("."),
    )
)
LOOKS: dict[str, Look] = {"same": "plain", "added": "added", "removed": "removed"}
Notes = Mapping[str, tuple[Note, ...]]
"""Margin notes by the place they are about."""


def refined(line: Line, notes: Notes, papers: tuple[Paper, ...], prefix: str = "") -> Blocks:
    """Write everything about one idea; `prefix` begins the places of its notes where there are
    several ideas.
    """
    if line.first is None:
        return ()
    several = len({one.goal for one in line.rounds}) > 1
    rounds = [
        block for one in line.rounds for block in _round(line, one, several, notes, papers, prefix)
    ]
    return (
        Heading("The first idea"),
        *fields(line.first.fields),
        *_margin(notes, f"{prefix}round-0/idea"),
        *((LEGEND,) if line.rounds else ()),
        *rounds,
        *_scores(line),
    )


def _round(
    line: Line, done: Round, several: bool, notes: Notes, papers: tuple[Paper, ...], prefix: str
) -> Iterator[Block]:
    k = done.n - 1
    yield Heading(f"Round {done.n}" + (f" ({done.goal})" if several else ""))
    if done.review:
        yield Heading(f"Review of {version(k)}", 3)
        yield from _review(done.review, done.wishes)
    yield from _margin(notes, f"{prefix}round-{k}/review")
    if done.wishes:
        yield Heading("What people asked for", 3)
        yield from listed(map(_wish, done.wishes))
    if done.base:
        yield Heading(f"{version(k).capitalize()}, as a person rewrote it", 3)
        yield from _changes(line.version(k), done.base)
    yield Heading(f"{version(done.n).capitalize()}, with its changes", 3)
    yield from _changes(line.before(done.n), done.revision.idea, done.revision.changes)
    yield from _margin(notes, f"{prefix}round-{done.n}/idea")
    yield Heading("Verdict", 3)
    yield from _judged(done, papers)


def places(line: Line, prefix: str = "") -> frozenset[str]:
    """Return the places whose notes `refined` writes: every version, and every review that was
    revised from.
    """
    if line.first is None:
        return frozenset()
    reviews = {f"{prefix}round-{done.n - 1}/review" for done in line.rounds}
    return frozenset({f"{prefix}round-{n}/idea" for n in range(line.newest + 1)} | reviews)


def version(k: int) -> str:
    """Name a version of the idea."""
    return f"version {k}" if k else "the first idea"


def _review(review: Review, wishes: tuple[Wish, ...]) -> Blocks:
    declined = {wish.decline: wish.by for wish in wishes if wish.decline and not wish.late}
    remarks: list[Spans] = []
    for remark in review.remarks:
        concerns = f" ({remark.trait})" if remark.trait else ""
        turned_down = (
            (Span(f" Declined by {declined[remark.id]}: not to be answered.", "emphasis"),)
            if remark.id in declined
            else ()
        )
        remarks.append((Span(remark.id, "strong"), Span(f" {remark.text}{concerns}"), *turned_down))
    return (said(review.summary), *listed(remarks))


def _wish(wish: Wish) -> str:
    late = " Filed too late for its version: kept, and not followed." if wish.late else ""
    if wish.decline:
        return f"{wish.by} declined {wish.decline}.{late}"
    return (
        f"{wish.by} rewrote {version(wish.of or 0)}.{late}"
        if wish.idea
        else f"{wish.by} asked{f' ({wish.id})' if wish.id else ''}: {wish.text}{late}"
    )


def _changes(older: Idea, newer: Idea, changes: tuple[Change, ...] = ()) -> Iterator[Paragraph]:
    found = between(older, newer, changes)
    for one in (one for one in found if one.changed):
        spans = [Span(f"{label(one.field)}.", "strong"), Span(" ")]
        for n, piece in enumerate(one.pieces):
            follows = one.pieces[n + 1 : n + 2]
            spans.append(Span(piece.text, LOOKS[piece.kind]))
            # A removal and what came in its place are one change: the remarks stand once, after
            # both.
            if piece.remarks and not (follows and follows[0].kind != "same"):
                spans.append(Span(", ".join(piece.remarks), "remark"))
        yield Paragraph(tuple(spans))
    if same := [label(one.field) for one in found if not one.changed]:
        yield named("Unchanged", f"{', '.join(same)}.")
    if missing := unquoted(newer, changes):
        yield said(
            f"{counted(len(missing), 'change')} the generator names: the passage quoted is not in"
            " its text."
        )


def _judged(done: Round, papers: tuple[Paper, ...]) -> Iterator[Block]:
    if done.verdict is None:
        yield said("Nobody judged this round: no discriminator plays.")
    else:
        verdict = (
            "significant improvement"
            if done.verdict.improved
            else f"no significant improvement ({done.quiet} in a row)"
        )
        yield named(f"Verdict: {verdict}", done.verdict.reason)
    yield from listed(
        [
            *(
                f"Side effect on {one.goal}: {one.said.effect}. {one.said.reason}"
                for one in done.effects
            ),
            *([_measured(done.measures, papers)] if done.measures else ()),
            *map(standing, done.standings),
        ]
    )


def _measured(found: Measures, papers: tuple[Paper, ...]) -> str:
    near = next((paper.title for paper in papers if paper.id == found.nearest), found.nearest)
    nearest = (
        f", to the nearest paper {found.to_nearest:.2f} ({near})"
        if found.to_nearest is not None
        else ""
    )
    return (
        f"Similarity to the first idea {found.to_first:.2f}, to the version before"
        f" {found.to_previous:.2f}{nearest}."
    )


def standing(one: Standing) -> str:
    """Say where the target stands, among how many ideas, by how many rankings."""
    return f"Q for {one.goal}: {quotient(one)}."


def quotient(one: Standing) -> str:
    """Say Q with its n and its repeats."""
    ideas = max((len(ranked.shown) - 1 for ranked in one.rankings), default=0)
    if one.q is None:
        return f"not ranked: {one.reason}"
    return f"{one.q:.2f} (n = {counted(ideas, 'idea')}, {counted(len(one.rankings), 'ranking')})"


def result(line: Line, run: Run, several: bool = False) -> Blocks:
    """Write what came of one idea and why the game ended, or how it stands."""
    end, refined_idea = (
        line.outcome,
        Heading(f"The refined idea {line.n}" if several else "The refined idea"),
    )
    if end is None:
        return (
            Heading(f"How idea {line.n} stands" if several else "How it stands"),
            said(unfinished(run)),
        )
    if end.round == 0:
        return (refined_idea, said("It is the first idea, given below."), said(end.reason))
    brief = listed(in_brief(line.version(0), end.idea, line.rounds[: end.round]))
    why = said(f"{end.reason} The idea is version {end.round}, of round {end.round}.")
    return (
        refined_idea,
        *fields(end.idea.fields),
        named("In brief, against the first idea", ""),
        *brief,
        why,
    )


def _scores(line: Line) -> Blocks:
    goals = tuple(
        dict.fromkeys(one.goal for n in range(line.newest + 1) for one in line.standings(n))
    )
    listed_by = [line.checklist(n) for n in range(line.newest + 1)]
    checked = (
        [f"{one.total} of {len(one.items)}" if one else "–" for one in listed_by]
        if any(listed_by)
        else []
    )
    rows = tuple((*_row(line, n, goals), *checked[n : n + 1]) for n in range(line.newest + 1))
    head = (
        "Version",
        "Quality",
        "Verdict",
        "Quiet",
        *(f"Q ({goal})" for goal in goals),
        "Similarity to the first idea",
        "Similarity to the version before",
        "Similarity to the nearest paper",
        *(["Checklist items that hold"] if checked else []),
    )
    return (Heading("Scores by round"), Table(head, rows), said(SIMILARITY)) if line.rounds else ()


def _row(line: Line, n: int, goals: tuple[str, ...]) -> tuple[str, ...]:
    done = line.rounds[n - 1] if n else None
    verdict = (
        ("better" if done.verdict.improved else "not better") if done and done.verdict else "–"
    )
    found = done.measures if done else None
    near = (found.to_first, found.to_previous, found.to_nearest) if found else (None, None, None)
    stands = {one.goal: quotient(one) for one in line.standings(n)}
    return (
        str(n),
        done.goal or "–" if done else "–",
        verdict,
        str(done.quiet) if done and done.verdict else "–",
        *(stands.get(goal, "–") for goal in goals),
        *("–" if one is None else f"{one:.2f}" for one in near),
    )


def _margin(notes: Notes, place: str) -> Blocks:
    return listed(noted(note) for note in notes.get(place, ()))


def noted(note: Note) -> Spans:
    """Write a margin note with its author and time."""
    return Span(f"Note by {note.by}, {moment(note.at)}: ", "emphasis"), Span(note.text)
