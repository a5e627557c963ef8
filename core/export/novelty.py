"""A novelty check as blocks: the verdict with its three numbers, the claims, what each work has of
each in whose words, and what was searched and when; and a measurement of many checks.
"""

from collections.abc import Iterable, Iterator

from core.experiments.novelty.figures import collect, outcome, tables
from core.export.asked import Fact
from core.export.blocks import (
    Block,
    Cell,
    Fields,
    Heading,
    Line,
    Paragraph,
    Span,
    Table,
    grid,
    listing,
    nest,
    prose,
)
from core.export.chains import write_idea
from core.export.evidence import evidence
from core.export.facts import moment, standing, unfinished
from core.export.papers import titled
from core.export.sweeps import took
from core.judging.claims import SIMILARITY, claim
from core.literature import LABELS
from core.methods import NoveltyInputs
from core.methods.novelty.verdict import risk
from core.records import (
    ClaimsVerdict,
    Looked,
    Lost,
    NoveltyCell,
    NoveltyCheck,
    NoveltyMatrix,
    Passage,
    PriorWork,
    Run,
    Share,
    Thresholds,
)
from core.store import Store
from core.story import Story
from core.wording.numbers import counted
from core.wording.summaries import MARK

STATES = {
    "anticipated": "Anticipated by one work",
    "combination": "Covered by a combination",
    "new in part": "New in part",
    "nothing found": "Nothing found that covers it",
    "inconclusive": "Inconclusive",
}
"""What a verdict is called."""
CELLS = {"covers": "covers", "in part": "in part", "does not": "–", "unread": "not read"}
"""What stands in a cell."""
FROM = {
    "full text": "full text",
    "abstract": "abstract",
    "summary": "summary",
    "nothing": "no text",
}
"""Which text of a paper a quote is from."""
BUILT_IN = "builtin"
BY_BUILT_IN = (
    "By the built-in model, which compares sentences by nearness and understands none: a lead to"
    " read, no finding. It takes six sentences of an idea for its claims, at most."
)
NOT_READ = (
    "Others are nearer to the idea and to each of its claims. Read these where you know better, or"
    " check again with more works to be read."
)
NEARLY = "nearly these words"
"""Said of a quote whose reader gave other words: shown are those of the text."""


def results(run: Run, story: Story) -> Iterator[Block]:
    """Write the verdict, or how the run stands."""
    verdict, quick = story.last(ClaimsVerdict), story.last(NoveltyCheck)
    if quick:
        yield Heading("Is it new?")
        yield prose(claim(quick, run.config.source))
        yield from evidence(quick, ())
        yield from _claims_of(quick)
        return
    if verdict is None:
        yield from standing(run)
        return
    yield Heading(f"Is it new? {STATES[verdict.state]}")
    yield prose(verdict.sentence)
    matrix = story.last(NoveltyMatrix)
    if matrix and matrix.reader == BUILT_IN:
        yield prose(BY_BUILT_IN)
    yield Fields(numbers(verdict, matrix))
    yield prose(thresholds(verdict.thresholds))


def numbers(verdict: ClaimsVerdict, matrix: NoveltyMatrix | None) -> tuple[Fact, ...]:
    """Return the numbers of a verdict, each with what it is of."""
    return (
        ("Risk that it is not new", _number(risk(matrix) if matrix else verdict.risk)),
        ("Quotes verified", _number(verdict.confidence)),
        ("Coverage", _number(verdict.coverage)),
        ("Sources", str(verdict.sources)),
    )


def _number(share: Share) -> str:
    return f"{share.value:.2f}: {share}" if share.value is not None else f"none: {share}"


def thresholds(given: Thresholds) -> str:
    """Say from where on a check is inconclusive."""
    return (
        f"A check is inconclusive with fewer than {given.least_read} earlier works read, a source"
        f" that answered less than {given.least_answered:.0%} of its questions, more than"
        f" {given.most_bare:.0%} of the works found, or of those found along citations, without an"
        f" abstract, or more than {given.most_unread:.0%} of the cells unread. One earlier work"
        " that covers every claim decides all the same."
    )


def body(run: Run, story: Story) -> Iterator[Block]:
    """Write the idea, its claims, the matrix, the quotes, and what was searched."""
    yield Heading("The idea")
    yield from write_idea(run.inputs_as(NoveltyInputs).idea)
    matrix = story.last(NoveltyMatrix)
    if matrix is None:
        return
    yield Heading("Its claims")
    yield from _claims_of(matrix)
    yield Heading("What each work has of each claim")
    yield from _matrix(matrix)
    yield Heading("In whose words")
    yield from nest(_quotes(matrix))
    if matrix.later:
        yield Heading("Too late to anticipate it")
        yield from listing(_late(work) for work in matrix.later)
    if matrix.passed:
        yield Heading("Found and not read")
        many = f"{counted(matrix.passed_over, 'work')}, of which the most similar are named."
        yield prose(f"{NOT_READ} {many}")
        yield from listing(_passed(work) for work in matrix.passed)
    yield Heading("What was searched, and when")
    yield from searched(matrix)
    for lost in story.all(Lost):
        yield prose(f"Failed and skipped. {lost.part}: {lost.reason}")


def _claims_of(held: NoveltyMatrix | NoveltyCheck) -> Iterator[Block]:
    yield from listing(
        (
            (Span(f"{one.kind}. ", "strong"), Span(f"{one.text} "), *quoted(one.passage))
            for one in held.claims
        ),
        ordered=True,
    )
    if isinstance(held, NoveltyMatrix) and held.lost:
        yield prose("Claims that could not be used:")
        yield from listing(held.lost)


def quoted(passage: Passage | None, mark: str = "") -> Line:
    """Return the words of a text as a quote, marked where the reader gave others; a quote that is
    not there says so and shows nothing.
    """
    if passage is None or passage.state == "not found":
        return (Span("no quote: the words given are not in the text", "emphasis"),)
    nearly = f" ({NEARLY})" if passage.state == "nearest" else ""
    return Span(f"“{' '.join(passage.quote.split())}”{mark}"), Span(nearly, "emphasis")


def quoted_of_paper(cell: NoveltyCell) -> Line:
    """Return the paper's words, marked where they are from a summary that was written for it."""
    return quoted(cell.paper_quote, f" {MARK}" if cell.quoted_from == "summary" else "")


def _matrix(matrix: NoveltyMatrix) -> Iterator[Block]:
    if not matrix.works:
        yield prose("No work was found to compare with.")
        return
    head = ("", "Work", "Public since", *(f"Claim {one.n}" for one in matrix.claims), "Read from")
    rows: list[tuple[Cell, ...]] = []
    for n, work in enumerate(matrix.works, 1):
        cells = [matrix.cell(one.n, work.id) for one in matrix.claims]
        rows.append(
            (
                str(n),
                titled(work.paper.title, work.paper),
                dated(work),
                *(in_cell(cell) for cell in cells),
                work.read_from if work.read_from != "nothing" else f"not read: {work.unread}",
            )
        )
    shares = (5.0, 34.0, 12.0, *[9.0] * len(matrix.claims), 12.0)
    yield Table(head, tuple(rows), shares)
    yield prose(
        f"Most similar first. {SIMILARITY} Only works known to be earlier than {matrix.dated}"
        f" count. Read by {reader_of(matrix)}. ↓: taken down, because a quote is not in its text."
    )


def reader_of(matrix: NoveltyMatrix) -> str:
    """Return who read, as people call it."""
    return "the built-in model" if matrix.reader == BUILT_IN else matrix.reader


def dated(work: PriorWork) -> str:
    """Say when a work was public first, and how that stands to the idea where it is not earlier."""
    notes = {
        "earlier": "",
        "same day": " (the same day)",
        "later": " (later)",
        "cannot be told": " (cannot be told)",
        "undated": "",
    }
    return f"{work.date or 'undated'}{notes[work.when]}"


def in_cell(cell: NoveltyCell | None) -> str:
    """Say what stands in a cell in a word or two."""
    if cell is None:
        return "not read"
    marks = f"{' ↓' if cell.taken_down else ''}{' (by a person)' if cell.overruled else ''}"
    return CELLS[cell.state] + marks


def _quotes(matrix: NoveltyMatrix) -> Iterator[Block]:
    """Write the evidence of every cell that says more than that there is nothing."""
    shown = 0
    for one in matrix.claims:
        cells = [cell for cell in _telling(matrix.cells) if cell.claim == one.n]
        if cells:
            yield Heading(f"Claim {one.n}: {one.text}")
        for cell in cells:
            shown += 1
            work = matrix.work(cell.work)
            yield Paragraph(
                (
                    *titled(work.paper.title, work.paper),
                    Span(f" ({dated(work)}): "),
                    Span(in_cell(cell), "strong"),
                    Span(f". {why(cell)}"),
                )
            )
            yield from listing(
                (
                    (
                        Span("The idea: "),
                        *quoted(one.passage if unquoted(cell) else cell.idea_quote),
                    ),
                    (
                        (Span("The paper: the reader found nothing in it, and gave no quote."),)
                        if unquoted(cell)
                        else (
                            Span(f"The paper, {FROM[cell.quoted_from]}: "),
                            *quoted_of_paper(cell),
                        )
                    ),
                )
            )
    if not shown:
        yield prose("No work has any of the claims, not even in part.")


def _telling(cells: Iterable[NoveltyCell]) -> Iterator[NoveltyCell]:
    for cell in cells:
        if cell.state in ("covers", "in part") or cell.taken_down or cell.overruled:
            yield cell


def unquoted(cell: NoveltyCell) -> bool:
    """Return whether the reader gave no words, because a finding that a paper does not have a claim
    needs none; or nobody read.
    """
    return cell.said in (None, "does not") and not any(
        quote and quote.state != "not found" for quote in (cell.idea_quote, cell.paper_quote)
    )


def why(cell: NoveltyCell) -> str:
    """Say why a cell says what it says: the reader's reason, what was taken down, who overruled
    it.
    """
    said = [cell.reason]
    if cell.taken_down:
        sides = " and of ".join(cell.missing)
        said.append(
            f"The reader said {cell.said!r}; the quote of {sides} is not in its text, so it was"
            " taken down."
        )
    if cell.overruled:
        word = cell.overruled
        said.append(f"Overruled by {word.by}, in place of {cell.was!r}: {word.reason}")
    return " ".join(filter(None, said))


def _late(work: PriorWork) -> Line:
    like = f", similarity {work.similarity:.2f}. {work.unread}"
    return *titled(work.paper.title, work.paper), Span(like)


def _passed(work: PriorWork) -> Line:
    like = f" ({dated(work)}), similarity {work.similarity:.2f}"
    return *titled(work.paper.title, work.paper), Span(like)


def searched(matrix: NoveltyMatrix) -> Iterator[Block]:
    """Write every question to every source with how it ended."""
    limits = [f"only papers before {matrix.before}"] if matrix.before else []
    if matrix.ban:
        limits.append(f"{counted(len(matrix.ban), 'paper')} left out")
    said = f"{counted(matrix.found, 'work')} found, {matrix.bare} without an abstract"
    yield prose("; ".join([said, *limits]) + ".")
    rows: list[tuple[Cell, ...]] = []
    for one in matrix.looked:
        what = f"{one.what}: {one.query}" if one.query else one.what
        when = moment(one.at) if one.at else "–"
        rows.append((LABELS.get(one.source, one.source), what, ended(one), when))
    if rows:
        yield Table(("Source", "Asked for", "Ended", "When"), tuple(rows), (18.0, 46.0, 20.0, 16.0))


def ended(one: Looked) -> str:
    """Say how a question to a source ended."""
    if one.state == "found":
        return f"{one.found} found"
    return f"{one.state}: {one.reason}" if one.state == "source failed" else one.state


def asked(run: Run) -> tuple[Fact, ...]:
    """Return what was asked beside the inputs that are told as all are."""
    given = run.inputs_as(NoveltyInputs)
    return (("Near works read at most", str(given.papers)),) if given.depth == "deep" else ()


# -- a measurement of checks ---------------------------------------------------------------------


def novelty_experiment(store: Store, run: Run) -> Iterator[Block]:
    """Write a measurement as it stands, the outcome first."""
    held = collect(store, run)
    yield Heading("What it found")
    said = outcome(store, held)
    yield prose(" ".join(said) if said else "No idea is checked yet.")
    if run.state != "done":
        yield prose(f"Partial: {unfinished(run)}")
    for table in tables(store, held):
        yield from grid(table)
    yield Heading("How it stands")
    done = f"{len(held.cells)} of {counted(held.planned, 'check')}"
    yield prose(f"{done} ended. Its runs took {took(store, run)}.")
    failed = [f"{cell.run}: {cell.reason}" for cell in held.cells if cell.state == "failed"]
    if failed:
        yield Heading("Checks that failed")
        yield from listing(failed)
