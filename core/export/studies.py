"""A session taken along: answers, and in files of its own the key; CSV and JSON Lines, a codebook,
the configuration with its hash, tables, methods.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from core.export import study_rows as rows
from core.export.blocks import Block, Fields, Heading, Paragraph, Span, listing, prose
from core.export.dumps import as_json, dump_all
from core.export.markdown import written
from core.export.tables import table_files
from core.export.writing import require_empty, require_folder, write_folder, write_whole, zip_files
from core.records import TASKS, Record, Study, StudyPlan
from core.store import Store
from core.studies.analysis import analysed, opened
from core.studies.counting import RULE, AnswerCounts
from core.studies.definitions import DEFINITIONS
from core.studies.filed import Filed
from core.studies.paragraph import methods
from core.tables.latex import escaped

FORMAT = "idea-foundry-session/1"
RECOMPUTE = (
    "SHA-256 of the field configuration as canonical JSON: keys sorted, no spaces, UTF-8, letters"
    " not escaped. In Python: hashlib.sha256(json.dumps(configuration, sort_keys=True,"
    " ensure_ascii=False, separators=(',', ':')).encode()).hexdigest()"
)


class TaskSheet(NamedTuple):
    """A file that the sessions of some plans have."""

    columns: dict[str, str]
    rows: Callable[[Filed], rows.Rows]
    has: Callable[[StudyPlan], bool]


TASK_SHEETS = {
    "ratings.csv": TaskSheet(rows.RATINGS, rows.ratings, lambda plan: plan.task == "rate"),
    "remarks.csv": TaskSheet(rows.REMARKS, rows.remarks, lambda plan: plan.task == "comment"),
    "guesses.csv": TaskSheet(rows.GUESSES, rows.guesses, lambda plan: plan.hidden_target),
}
OTHERS = {
    "answers.jsonl": (
        "Every answer as it was filed, one JSON object a line, with the labels in the order shown."
        " Nothing is left out that answers.csv has."
    ),
    "texts.jsonl": (
        "The frozen text behind every label, with its SHA-256: that of the field record as"
        " canonical JSON."
    ),
    "configuration.json": (
        "The plan, the texts' hashes and the units, frozen when the session opened. Its field sha:"
        f" {RECOMPUTE}"
    ),
    "key.csv and key.jsonl": (
        "What labels hide, and which units have a known answer. In no archive but one that was"
        " asked for with the key."
    ),
    "figures/": "Every table as CSV, LaTeX and Markdown. Tables by source only beside the key.",
    "methods.txt and methods.tex": (
        "A methods paragraph with the numbers filled in, and what it lacks."
    ),
}


def files(
    store: Store, study_id: str, key: bool = False, attentive: bool = False
) -> dict[str, str]:
    """Return a session's files by name. Without `key` nothing in them says where a text comes from;
    with it, the key's files and figures by source come too.

    `attentive` leaves experts who failed an attention unit out of the figures. Raises BadInput for
    an unknown session, and for the key before it was opened.
    """
    found = analysed(store, study_id, attentive, by_label=not key)
    paragraph = methods(found)
    tables = table_files((*found.tables, *found.source_tables))
    return {
        **_answers(store, found.filed),
        **(key_files(store, study_id) if key else {}),
        "methods.txt": f"{paragraph.whole}\n",
        "methods.tex": f"{escaped(paragraph.text)}\n",
        **{f"figures/{name}": text for name, text in tables.items()},
    }


def key_files(store: Store, study_id: str) -> dict[str, str]:
    """Return the key of a session as files of its own; raises BadInput before it was opened."""
    keys = opened(store, store.studies.get(study_id))
    known = store.study_keys.units(study_id)
    return {
        "key.csv": rows.sheet(rows.KEY, rows.key(keys)),
        "key.jsonl": rows.lines(
            [
                *(record.model_dump(mode="json") for record in keys.values()),
                *(record.model_dump(mode="json") for record in known.values()),
            ]
        ),
    }


def _answers(store: Store, filed: Filed) -> dict[str, str]:
    study, plan = filed.study, filed.study.plan
    items = store.studies.items(study.id)
    frozen = store.frozen.several(tuple(items.values()), Record)
    return {
        "answers.csv": rows.sheet(
            rows.ANSWERS, rows.answers(filed, store.terms.get(study.id).deadline)
        ),
        "answers.jsonl": rows.lines(rows.answer_lines(filed)),
        **{
            name: rows.sheet(sheet.columns, sheet.rows(filed))
            for name, sheet in TASK_SHEETS.items()
            if sheet.has(plan)
        },
        "seats.csv": rows.sheet(rows.SEATS, rows.seats(filed, store.terms.of(study.id))),
        "consents.csv": rows.sheet(rows.CONSENTS, rows.consents(store.terms.consents(study.id))),
        "events.csv": rows.sheet(rows.EVENTS, rows.events(store.studies.events(study.id))),
        "texts.jsonl": rows.lines(rows.texts({label: frozen[sha] for label, sha in items.items()})),
        "configuration.json": configuration(store, study),
        "codebook.md": codebook(plan, filed.counts),
    }


def configuration(store: Store, study: Study) -> str:
    """Return the frozen configuration as JSON, with its hash and how to compute that again."""
    units = dump_all(store.studies.units(study.id))
    return as_json(
        {
            "format": FORMAT,
            "session": study.id,
            "state": study.state,
            "created": study.created,
            "opened": study.opened,
            "closed": study.closed,
            "unblinded": study.unblinded,
            "sha": study.sha,
            "sha_is": (
                RECOMPUTE
                if study.sha
                else "Empty: the session was not opened yet, so nothing is frozen."
            ),
            "configuration": {
                "plan": study.plan.model_dump(mode="json"),
                "items": store.studies.items(study.id),
                "units": units,
            },
        }
    )


def archive(store: Store, study_id: str, key: bool = False, attentive: bool = False) -> bytes:
    """Return a session as a ZIP archive; raises BadInput as `files` does."""
    return zip_files(files(store, study_id, key, attentive))


def key_archive(store: Store, study_id: str) -> bytes:
    """Return the key alone as a ZIP archive; raises BadInput before it was opened."""
    return zip_files(key_files(store, study_id))


def export(
    store: Store, study_id: str, to: Path, key: bool = False, attentive: bool = False
) -> tuple[str, ...]:
    """Write a session into a new or empty folder, or a .zip, and return the names of the files;
    raises BadInput as `files` does, StoreFailed.
    """
    require_folder(to)
    if to.suffix != ".zip":
        require_empty(to)
    named = files(store, study_id, key, attentive)
    if to.suffix != ".zip":
        return write_folder(to, ((name, [text.encode()]) for name, text in named.items()))
    write_whole(to, zip_files(named))
    return tuple(named)


def codebook(plan: StudyPlan, counts: AnswerCounts) -> str:
    """Return the codebook of a session as Markdown: which answers count, how each figure is
    computed, every column.
    """
    blocks: list[Block] = [
        Heading(f"Codebook: {plan.title}", 1),
        Paragraph((Span(f"{TASKS[plan.task]}."),)),
        prose(
            "Texts are known by labels drawn by chance, the same for everybody. Files are UTF-8;"
            " times are UTC; an empty cell says nothing. A cell that a spreadsheet would run as a"
            " formula begins with an apostrophe. Answers of experts who withdrew are in no file."
        ),
        Heading("Which answers count"),
        prose(f"{RULE} In these files {counts.said}."),
        Heading("Criteria" if plan.criteria else "Questions"),
        *_scales(plan),
        Heading("How each figure is computed"),
        prose(
            "Over the answers that count. How an interval or p was made stands beside the figure,"
            " in the column How; a figure that is refused says why."
        ),
        Fields(tuple(DEFINITIONS[plan.task].items())),
    ]
    own = {name: sheet.columns for name, sheet in TASK_SHEETS.items() if sheet.has(plan)}
    sheets = {
        "answers.csv": rows.ANSWERS,
        **own,
        "seats.csv": rows.SEATS,
        "consents.csv": rows.CONSENTS,
        "events.csv": rows.EVENTS,
        "key.csv": rows.KEY,
    }
    for name, columns in sheets.items():
        blocks += [Heading(name), Fields(tuple(columns.items()))]
    return written((*blocks, Heading("Other files"), Fields(tuple(OTHERS.items()))))


def _scales(plan: StudyPlan) -> tuple[Block, ...]:
    if not plan.criteria:
        return listing(
            (
                "valid: was the review valid? yes, partly, no",
                "answered: did the revision answer it? yes, partly, no",
                "change: the idea after the revision against the idea before: better, same, worse",
            )
        )
    return listing(
        f"{criterion.name}: {criterion.meaning} 1: {criterion.low.rstrip('.')}."
        f" 10: {criterion.high.rstrip('.')}."
        for criterion in plan.criteria
    )
