"""Taking a data set along: one JSON object per line, or a table."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from core.errors import BadInput, StoreFailed, boundary
from core.records import Gathered, LeftOut, Paper, Prepared, Record, Target
from core.store import Store
from core.story import Story

Row = dict[str, object]


def usable(story: Story) -> tuple[Prepared | Target, ...]:
    """Return what came into a data set, in the order of asking: questions that were not rejected,
    or targets.
    """
    questions = tuple(one for one in story.all(Prepared) if not one.rejected)
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
        "gathered": [one.model_dump(mode="json") for one in story.all(Gathered)],
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
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {str(to.parent)!r}. Make it first, or choose another.")
    found = usable(Story.of(store, run_id))
    if not found:
        raise BadInput(
            f"Run {run_id} has no question and no target yet (it is"
            f" {store.runs.get(run_id).state})."
        )
    with boundary(StoreFailed, f"writing {to}"):
        unfinished = to.with_name(to.name + ".part")
        unfinished.write_text(makers[to.suffix](found), "utf-8")
        unfinished.replace(to)
    return len(found)


def jsonl(records: Iterable[Record]) -> str:
    """Return records as JSON, one per line."""
    return "".join(record.model_dump_json() + "\n" for record in records)


def table(records: Iterable[Prepared | Target]) -> str:
    """Return records as CSV; a text that a spreadsheet would take for a formula has an apostrophe
    before it.
    """
    rows = [_question(one) if isinstance(one, Prepared) else _target(one) for one in records]
    written = io.StringIO()
    writer = csv.DictWriter(written, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return written.getvalue()


def _question(one: Prepared) -> Row:
    return {
        "question": one.question,
        "review": one.review,
        "keywords": "; ".join(one.keywords),
        "papers": "; ".join(paper.id for paper in one.papers),
        **{f"seed_{name}": value for name, value in _paper(one.seed).items()},
    }


def _target(one: Target) -> Row:
    return {
        "category": one.category,
        "topic": one.topic,
        "idea": one.idea.text,
        **_paper(one.paper),
        "venue": one.paper.venue,
        "citations": one.paper.citations,
        "background": "; ".join(paper.id for paper in one.background),
    }


def _paper(paper: Paper | None) -> Row:
    return {name: getattr(paper, name, None) for name in ("id", "title", "doi", "year")}


def _cell(value: object) -> object:
    return (
        f"'{value}"
        if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
        else value
    )
