"""The refinement of one idea as blocks: the first idea, round by round what was asked, changed and
judged, then how it ended.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby

from core.charts.letters import stand_ins
from core.export.asked import inputs_as
from core.export.blocks import (
    Block,
    Blocks,
    Heading,
    Look,
    Paragraph,
    Picture,
    Span,
    Table,
    entry,
    fields,
    listing,
    prose,
    section,
)
from core.export.blocks import Line as Spans
from core.export.chains import write_idea
from core.export.facts import moment
from core.export.facts import standing as standing_of
from core.judging.checklist import count_held
from core.judging.claims import SIMILARITY
from core.judging.endings import name_rounds, rounds_without_change, say_nearness, say_origin
from core.judging.ranking import q_of
from core.methods import RefineInputs
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
from core.wording.differences import between, form_changed, in_brief, unquoted
from core.wording.gist import gist
from core.wording.numbers import counted

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
WIDTH = 6.2
"""Of the chart in inches: that of the text, so that its letters keep their size."""
CAPTION = (
    "Scores by version. Open mark: no significant improvement was found in the round. Dotted"
    " upright: converged."
)
HEADS = (
    "Quiet rounds: rounds without improvement in a row. Like: the similarity to the first idea, to"
    " the version before, and to the nearest background paper."
)
LOOKS: dict[str, Look] = {"same": "plain", "added": "added", "removed": "removed"}
Notes = Mapping[str, tuple[Note, ...]]
"""Margin notes by the place they are about."""


def refined(
    line: Line,
    run: Run,
    notes: Notes,
    papers: tuple[Paper, ...],
    prefix: str = "",
) -> Iterator[Block]:
    """Write everything about one idea; `prefix` begins the places of its notes where there are
    several ideas.
    """
    if line.first is None:
        return
    if line.rounds:
        yield Heading("Scores by round")
        yield from chart(line, counting(line, run))
        yield _scores(line)
        yield prose(f"{HEADS} {SIMILARITY}")
    yield Heading("The first idea")
    yield from fields(line.first.fields)
    if (found := line.measures(0)) and found.to_nearest is not None:
        yield from listing([f"Similarity {_to_nearest(found, papers)}."])
    yield from _margin(notes, f"{prefix}round-0/idea")
    if not line.rounds:
        return
    yield LEGEND
    several = len({done.goal for done in line.rounds}) > 1
    inputs = inputs_as(run, RefineInputs)
    quiet = rounds_without_change(line)

    def is_idle(done: Round) -> bool:
        """Say whether a round changed nothing, and people had no part in it."""
        places = f"{prefix}round-{done.n - 1}/review", f"{prefix}round-{done.n}/idea"
        noted = any(map(notes.get, places))
        return done.n in quiet and not (done.base or done.wishes or done.effects or noted)

    for idle, group in groupby(line.rounds, key=is_idle):
        rounds = tuple(group)
        if idle:
            yield from _idle(rounds)
            continue
        for done in rounds:
            yield Heading(f"Round {done.n}" + (f" ({done.goal})" if several else ""))
            yield from _round(line, inputs, done, notes, papers, prefix)


def _idle(rounds: tuple[Round, ...]) -> Blocks:
    name = name_rounds(rounds[0].n, rounds[-1].n).capitalize()
    kept = "their reviews and verdicts" if len(rounds) > 1 else "its review and verdict"
    told = f"{name} changed nothing; {kept} are in the JSON bundle."
    return Heading(name), prose(told)


def _round(
    line: Line,
    inputs: RefineInputs,
    done: Round,
    notes: Notes,
    papers: tuple[Paper, ...],
    prefix: str,
) -> Iterator[Block]:
    k = done.n - 1
    if done.review:
        yield Heading(f"Review of {version(k)}", 3)
        yield from _review(done.review, done.wishes)
    yield from _margin(notes, f"{prefix}round-{k}/review")
    yield from section("What people asked for", listing(map(_wish, done.wishes)), 3)
    if done.base:
        yield Heading(f"{version(k).capitalize()}, as a person rewrote it", 3)
        yield from _changes(line.version(k), done.base)
    yield Heading(f"{version(done.n).capitalize()}, with its changes", 3)
    yield from _changes(line.before(done.n), done.revision.idea, done.revision.changes)
    yield from _margin(notes, f"{prefix}round-{done.n}/idea")
    yield Heading("Verdict", 3)
    yield from _verdict(inputs, done)
    facts = [
        f"Side effect on {effect.goal}: {effect.said.effect}. {effect.said.reason}"
        for effect in done.effects
    ]
    if done.measures:
        facts.append(_similarity(done.measures, papers))
    yield from listing([*facts, *map(standing, done.standings)])


def places(line: Line, prefix: str = "") -> frozenset[str]:
    """Return the places whose notes `refined` writes: every version, and every review that was
    revised from.
    """
    if line.first is None:
        return frozenset()
    ideas = (f"{prefix}round-{n}/idea" for n in range(line.newest + 1))
    reviews = (f"{prefix}round-{done.n - 1}/review" for done in line.rounds)
    return frozenset((*ideas, *reviews))


def version(k: int) -> str:
    """Name a version of the idea."""
    return f"version {k}" if k else "the first idea"


def _review(review: Review, wishes: tuple[Wish, ...]) -> Iterator[Block]:
    yield prose(review.summary)
    declined = {wish.decline: wish.by for wish in wishes if wish.decline and not wish.late}
    lines = []
    for remark in review.remarks:
        trait = f" ({remark.trait})" if remark.trait else ""
        line = [Span(remark.id, "strong"), Span(f" {remark.text}{trait}")]
        if person := declined.get(remark.id):
            line.append(Span(f" Declined by {person}: not to be answered.", "emphasis"))
        lines.append(tuple(line))
    yield from listing(lines)


def _wish(wish: Wish) -> str:
    if wish.decline:
        text = f"{wish.by} declined {wish.decline}."
    elif wish.idea:
        text = f"{wish.by} rewrote {version(wish.of or 0)}."
    else:
        text = f"{wish.by} asked{f' ({wish.id})' if wish.id else ''}: {wish.text}"
    late = " Filed too late for its version: kept, and not followed." if wish.late else ""
    return text + late


def _changes(older: Idea, newer: Idea, changes: tuple[Change, ...] = ()) -> Iterator[Block]:
    found = between(older, newer, changes)
    if changed := form_changed(older, newer):
        yield prose(changed)
    for field in found:
        if not field.changed:
            continue
        spans = [Span(f"{label(field.field)}.", "strong"), Span(" ")]
        for n, piece in enumerate(field.pieces):
            spans.append(Span(piece.text, LOOKS[piece.kind]))
            following = field.pieces[n + 1 : n + 2]
            # A removal and what came in its place are one change: the remarks stand once, after
            # both.
            if piece.remarks and all(after.kind == "same" for after in following):
                spans.append(Span(", ".join(piece.remarks), "remark"))
        yield Paragraph(tuple(spans))
    if same := [label(field.field) for field in found if not field.changed]:
        yield entry("Unchanged", f"{', '.join(same)}.")
    if missing := unquoted(newer, changes):
        yield prose(
            f"{counted(len(missing), 'change')} the generator names: the passage quoted is not in"
            " its text."
        )


def _verdict(inputs: RefineInputs, done: Round) -> Iterator[Block]:
    if done.verdict is None and inputs.is_judged(done.n):
        yield prose("No verdict: nothing that was answered could be used.")
    elif done.verdict is None:
        yield prose("Nobody judged this round: no discriminator plays.")
    elif done.verdict.improved:
        yield entry("Verdict: significant improvement", done.verdict.reason)
    else:
        quiet = f"no significant improvement ({done.quiet} in a row)"
        yield entry(f"Verdict: {quiet}", done.verdict.reason)


def _similarity(found: Measures, papers: tuple[Paper, ...]) -> str:
    text = (
        f"Similarity to the first idea {found.to_first:.2f}, to the version before"
        f" {found.to_previous:.2f}"
    )
    if found.to_nearest is not None:
        text += f", {_to_nearest(found, papers)}"
    return f"{text}."


def _to_nearest(found: Measures, papers: tuple[Paper, ...]) -> str:
    titles = {paper.id: paper.title for paper in reversed(papers)}
    named = found.nearest or ""
    return f"to the nearest background paper {found.to_nearest:.2f} ({titles.get(named, named)})"


def nearest_paper(line: Line, papers: tuple[Paper, ...], several: bool = False) -> Iterator[Block]:
    """Write which background paper is nearest to the idea that came of it, where that is known."""
    found = line.measures(line.outcome.round or 0) if line.outcome else None
    if found and found.to_nearest is not None:
        of = f"Similarity of idea {line.n}" if several else "Its similarity"
        yield prose(f"{of} {_to_nearest(found, papers)}. {SIMILARITY}")


def standing(found: Standing) -> str:
    """Say where the target stands, among how many ideas, by how many rankings."""
    return f"Q for {found.goal}: {quotient(found)}."


def quotient(found: Standing) -> str:
    """Say Q with its n and its repeats."""
    ideas = max((len(ranked.shown) - 1 for ranked in found.rankings), default=0)
    if found.q is None:
        return f"not ranked: {found.reason}"
    return (
        f"{found.q:.2f} (n = {counted(ideas, 'idea')}, {counted(len(found.rankings), 'ranking')})"
    )


def result(line: Line, run: Run, several: bool = False) -> Iterator[Block]:
    """Write what came of one idea and why the game ended, or how it stands."""
    end = line.outcome
    if end is None:
        yield from standing_of(run, f"How {f'idea {line.n}' if several else 'it'} stands")
        return
    # The report itself has the first idea's title.
    named = "title" in end.idea.fields and end.idea.title != run.title
    title = f": {end.idea.title}" if named else ""
    yield Heading(f"The refined idea{f' {line.n}' if several else ''}{title}")
    if end.round == 0:
        yield prose("It is the first idea, given below.")
        yield prose(end.reason)
        return
    core = " ".join(gist(end.idea))
    if core != " ".join(end.idea.text.split()):
        yield entry("In short", core)
        yield Heading("The whole idea", 3)
    yield from write_idea(end.idea)
    yield Heading("What changed", 3)
    better = counting(line, run)
    rounds = [done for done in line.rounds[: end.round] if done.n in better]
    yield from listing(in_brief(line.version(0), end.idea, rounds))
    yield prose(f"{end.reason} {say_origin(line)}".rstrip())
    if nearer := say_nearness(line):
        yield prose(nearer)


def counting(line: Line, run: Run) -> frozenset[int]:
    """Return the rounds whose version counts as better than the one before."""
    inputs = inputs_as(run, RefineInputs)
    return frozenset(done.n for done in line.rounds if inputs.counts(done))


def chart(line: Line, better: Collection[int]) -> Iterator[Block]:
    """Write the chart of the scores, where there are any beside the verdicts; `better` are the
    rounds that count.
    """
    seen = []
    for goal, qs in _qualities(line).items():
        first, last = min(qs), max(qs)
        moved = f" to {qs[last]:.2f} (version {last})" if last > first else ""
        seen.append(f"Q for {goal} from {qs[first]:.2f} (version {first}){moved}")
    lists = [line.checklist(n) for n in range(line.newest + 1)]
    if any(one and one.complete for one in lists):
        seen.append("the items of the checklist that hold")
    if any(done.measures for done in line.rounds):
        seen.append(
            "the similarity to the first idea, the version before and the nearest background paper"
        )
    if not seen:
        return

    def draw(kind: str) -> bytes:
        # Matplotlib takes a second to import, and few want a picture.
        from core.charts.score_picture import score_chart

        return score_chart(line, better, q_of, kind, WIDTH)

    goals = dict.fromkeys(one.goal for n in range(line.newest + 1) for one in line.standings(n))
    named = [f"{drawn}: {goal}" for goal, drawn in stand_ins(goals).items()]
    caption = f"{CAPTION} In the picture, {'; '.join(named)}." if named else CAPTION
    yield Picture(draw, f"By version: {'; '.join(seen)}. The numbers are in the table.", caption)


def _qualities(line: Line) -> dict[str, dict[int, float]]:
    """Return Q by version for every quality that was ranked."""
    found: dict[str, dict[int, float]] = {}
    for n in range(line.newest + 1):
        for one in line.standings(n):
            if one.q is not None:
                found.setdefault(one.goal, {})[n] = one.q
    return found


def _scores(line: Line) -> Table:
    versions = range(line.newest + 1)
    goals = tuple(dict.fromkeys(one.goal for n in versions for one in line.standings(n)))
    rows = [[str(n), *_row(line, n, goals)] for n in versions]
    head = [
        "Version",
        "Quality",
        "Verdict",
        "Quiet rounds",
        *(f"Q ({goal})" for goal in goals),
        "Like the first idea",
        "Like the one before",
        "Like the nearest paper",
    ]
    checklists = [line.checklist(n) for n in versions]
    if any(checklists):
        head.append("Items that hold")
        for row, found in zip(rows, checklists, strict=True):
            row.append(count_held(found) if found else "–")
    return Table(tuple(head), tuple(map(tuple, rows)))


def _row(line: Line, n: int, goals: tuple[str, ...]) -> tuple[str, ...]:
    goal = verdict = quiet = "–"
    near: tuple[float | None, ...] = (None, None, None)
    found = line.measures(n)
    if n:
        done = line.rounds[n - 1]
        goal = done.goal or "–"
        if done.verdict:
            verdict, quiet = "better" if done.verdict.improved else "not better", str(done.quiet)
        if found:
            near = found.to_first, found.to_previous, found.to_nearest
    elif found:
        near = None, None, found.to_nearest
    stands = {one.goal: quotient(one) for one in line.standings(n)}
    return (
        *(goal, verdict, quiet),
        *(stands.get(name, "–") for name in goals),
        *("–" if value is None else f"{value:.2f}" for value in near),
    )


def _margin(notes: Notes, place: str) -> Blocks:
    return listing(noted(note) for note in notes.get(place, ()))


def noted(note: Note) -> Spans:
    """Write a margin note with its author and time."""
    return Span(f"Note by {note.by}, {moment(note.at)}: ", "emphasis"), Span(note.text)
