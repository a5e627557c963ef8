"""A data set of questions or targets: as blocks of a report, in numbers, and as a file of one JSON
object per line or a table.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from core.errors import BadInput
from core.export.blocks import (
    Block,
    Cell,
    Heading,
    Line,
    Paragraph,
    Span,
    Table,
    entry,
    fields,
    listing,
    prose,
    section,
)
from core.export.dumps import dump_all
from core.export.facts import standing
from core.export.papers import cite, titled
from core.export.writing import require_folder, write_whole
from core.records import Gathered, LeftOut, Paper, Prepared, Record, Run, Target
from core.store import Store
from core.story import Story
from core.tables.sheets import rows_as_csv
from core.wording.numbers import counted

Row = dict[str, object]


def usable(story: Story) -> tuple[Prepared | Target, ...]:
    """Return what came into a data set, in the order of asking: questions that were not rejected,
    or targets.
    """
    questions = tuple(question for question in story.all(Prepared) if not question.rejected)
    return questions or story.all(Target)


def numbers(story: Story) -> dict[str, object]:
    """Return a data set in numbers: what came into it, what was rejected or left out and why, and,
    once it is done, what was wanted.
    """
    rejected = [one for one in story.all(Prepared) if one.rejected]
    return {
        "made": len(usable(story)),
        "rejected": [{"question": one.question, "reason": one.rejected} for one in rejected],
        "left_out": [
            {
                "paper": one.paper.id,
                "title": one.paper.title,
                "category": one.category,
                "reason": one.reason,
            }
            for one in story.all(LeftOut)
        ],
        "gathered": dump_all(story.all(Gathered)),
    }


def export_dataset(store: Store, run_id: str, to: Path) -> int:
    """Write a data set as far as it is made, as .jsonl (whole records) or .csv, and return how many
    rows it has; raises BadInput, StoreFailed.
    """
    makers = {".jsonl": jsonl, ".csv": table}
    if to.suffix not in makers:
        raise BadInput(
            f"{to.name!r}: choose a name that ends in .jsonl (whole records) or .csv (a table)."
        )
    require_folder(to)
    found = usable(Story.of(store, run_id))
    if not found:
        raise BadInput(
            f"Run {run_id} has no question and no target yet (it is"
            f" {store.runs.get(run_id).state})."
        )
    write_whole(to, makers[to.suffix](found))
    return len(found)


def jsonl(records: Iterable[Record]) -> str:
    """Return records as JSON, one per line."""
    return "".join(record.model_dump_json() + "\n" for record in records)


def table(records: Iterable[Prepared | Target]) -> str:
    """Return records as CSV."""
    rows = [
        _question(record) if isinstance(record, Prepared) else _target_row(record)
        for record in records
    ]
    return rows_as_csv([rows[0].keys(), *(row.values() for row in rows)])


def _question(question: Prepared) -> Row:
    return {
        "question": question.question,
        "review": question.review,
        "keywords": "; ".join(question.keywords),
        "papers": "; ".join(paper.id for paper in question.papers),
        **{f"seed_{name}": value for name, value in _paper(question.seed).items()},
    }


def _target_row(target: Target) -> Row:
    return {
        "category": target.category,
        "topic": target.topic,
        "idea": target.idea.text,
        **_paper(target.paper),
        "venue": target.paper.venue,
        "citations": target.paper.citations,
        "background": "; ".join(paper.id for paper in target.background),
    }


def _paper(paper: Paper | None) -> Row:
    return {name: getattr(paper, name, None) for name in ("id", "title", "doi", "year")}


# -- as blocks ---------------------------------------------------------------------------------


def dataset(run: Run, story: Story) -> Iterator[Block]:
    """Write a data set: how it stands in numbers, a row for each part of it, what did not come into
    it and why, and then each part in full.
    """
    for numbers in story.all(Gathered):
        yield from _gathered(numbers)
    if run.state != "done":
        yield from standing(run)
    parts = usable(story)
    questions = [one for one in parts if isinstance(one, Prepared)]
    targets = [one for one in parts if isinstance(one, Target)]
    if questions:
        rows = []
        for n, question in enumerate(questions, 1):
            seed = question.seed.title if question.seed else "–"
            rows.append((str(n), question.question, seed, str(len(question.papers))))
        yield Heading("The questions")
        yield Table(("", "Question", "Begins with", "Papers reviewed"), tuple(rows))
    if targets:
        yield Heading("The targets")
        yield _targets(targets)
    lost: list[Line] = [
        (Span(f"Rejected: {one.question} {one.rejected}"),)
        for one in story.all(Prepared)
        if one.rejected
    ]
    lost += [
        (Span("Left out: "), *cite(one.paper), Span(f": {one.reason}"))
        for one in story.all(LeftOut)
    ]
    yield from section(f"Not in it ({len(lost)})", listing(lost))
    for question in questions:
        yield from _prepared(question)
    for target in targets:
        yield from _target(target)


def _targets(targets: Iterable[Target]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for n, target in enumerate(targets, 1):
        paper = target.paper
        citations = "–" if paper.citations is None else f"{paper.citations:,}"
        rows.append(
            (
                *(str(n), target.category or "–", titled(paper.title, paper)),
                *(str(paper.year or "–"), paper.venue or "–", citations),
                str(len(target.background)),
            )
        )
    head = ("", "Category", "Paper", "Year", "Venue", "Citations", "Background (abstracts)")
    return Table(head, tuple(rows))


def _prepared(question: Prepared) -> Iterator[Block]:
    yield Heading("Question, rejected" if question.rejected else "Question")
    yield prose(question.question)
    if question.seed:
        yield _named("Begins with", question.seed)
    if question.keywords:
        yield entry("Keywords", ", ".join(question.keywords))
    if question.rejected:
        yield entry("Why", question.rejected)
    elif question.review:
        yield Heading("Literature review", 3)
        yield from map(prose, question.review.split("\n\n"))


def _target(target: Target) -> Iterator[Block]:
    yield Heading(f"Target: {target.idea.title}")
    if target.category:
        yield entry("Category", target.category)
    yield entry("Topic", target.topic)
    yield _named("Paper", target.paper)
    yield from fields(target.idea.fields)
    yield entry("Background", counted(len(target.background), "abstract"))


def _named(what: str, paper: Paper) -> Paragraph:
    return Paragraph((Span(f"{what}.", "strong"), Span(" "), *cite(paper)))


def _gathered(numbers: Gathered) -> Iterator[Block]:
    yield Heading(f"Gathered: {numbers.category}" if numbers.category else "Gathered")
    counts = (
        f"{numbers.found} of {numbers.wanted}; {numbers.qualified} qualified, {numbers.left_out} of"
        " those that were tried were left out."
    )
    yield prose(f"{counts} {numbers.reason}".strip())


WRITERS: dict[type[Record], Callable[..., Iterable[Block]]] = {
    Prepared: _prepared,
    Target: _target,
    LeftOut: lambda candidate: (
        Heading(f"Left out: {candidate.paper.title}"),
        _named("Paper", candidate.paper),
        entry("Why", candidate.reason),
    ),
    Gathered: _gathered,
}
