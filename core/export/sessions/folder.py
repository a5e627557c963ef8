"""A session taken along: answers, and in files of its own the key; CSV and JSON Lines, a codebook,
the configuration with its hash, tables, methods.
"""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from core.agreement.contrast_tables import printed
from core.beside import EndedEarly
from core.errors import BadInput
from core.export.blocks import Block, Fields, Heading, Paragraph, Span, listing, prose
from core.export.dumps import as_json, dump_all
from core.export.markdown import written
from core.export.sessions import labelling, rows
from core.export.sessions.formats import key_workbook, spss, workbook
from core.export.tables import WRITERS, table_files
from core.export.writing import require_empty, require_folder, write_folder, write_whole, zip_files
from core.records import (
    TASKS,
    Criterion,
    GroupedBy,
    ItemKey,
    Record,
    Study,
    StudyPlan,
    Table,
    Task,
    Value,
)
from core.store import Store
from core.studies.analysis import Analysis, opened
from core.studies.counting import RULE
from core.studies.definitions import DEFINITIONS, FREE_TEXT, MIXED, RULES, YES_NO
from core.studies.figuring import analyse
from core.studies.filed import Filed
from core.studies.grouping import grouped, in_force
from core.studies.model_replies import is_plain
from core.studies.paragraph import methods
from core.studies.worded import has_words, words
from core.tables.latex import escaped, latex

FORMAT = "idea-foundry-session/1"
HOW = "How"
MINUS = re.compile(r"(?<![\w.-])-(?=\d)")
"""A hyphen that stands for a minus: before a number, and after no letter or digit."""
RECOMPUTE = (
    "SHA-256 of the field configuration as canonical JSON: keys sorted, no spaces, UTF-8, letters"
    " not escaped. In Python: hashlib.sha256(json.dumps(configuration, sort_keys=True,"
    " ensure_ascii=False, separators=(',', ':')).encode()).hexdigest()"
)

SEEDLESS = (
    " The seed of the plan is null here, since what labels hide could be drawn again from it. It"
    " stands in the file of this name beside the key, and goes into the hash."
)


_packing = threading.Lock()
"""Held while tables are written: of several sessions at once they would only take each other's
turns, and those of every page.
"""


class TaskSheet(NamedTuple):
    """A file that the sessions of some plans have."""

    columns: dict[str, str]
    rows: Callable[[Filed], rows.Rows]
    has: Callable[[Filed], bool]


TASK_SHEETS = {
    "ratings.csv": TaskSheet(
        rows.RATINGS, rows.ratings, lambda filed: filed.study.plan.task == "rate"
    ),
    "words.csv": TaskSheet(rows.WORDS, words, has_words),
    "remarks.csv": TaskSheet(
        rows.REMARKS, rows.remarks, lambda filed: filed.study.plan.task == "comment"
    ),
    "shown.csv": TaskSheet(rows.SHOWN, rows.shown, lambda filed: bool(filed.lists)),
    "guesses.csv": TaskSheet(
        rows.GUESSES, rows.guesses, lambda filed: filed.study.plan.hidden_target
    ),
}
Format = Literal["xlsx", "sav", "label-studio", "argilla"]
FORMATS: dict[Format, str] = {
    "xlsx": "Workbook (XLSX)",
    "sav": "SPSS",
    "label-studio": "Label Studio",
    "argilla": "Argilla",
}
ENDINGS: dict[Format, tuple[str, str]] = {
    "xlsx": (".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "sav": (".sav", "application/x-spss-sav"),
    "label-studio": (".zip", "application/zip"),
    "argilla": (".zip", "application/zip"),
}
"""How the file of a format ends, and its type."""
RATINGS_ONLY: tuple[Format, ...] = ("label-studio", "argilla")
OTHERS = {
    "answers.xlsx": (
        "The tables of answers as a workbook. Sheet wide: a row for each answer that stands, a"
        " column for everything that was asked; “cannot judge” and skipped are empty. Sheet"
        " variables: what its columns and values mean. Text is text, whatever it begins with."
    ),
    "answers.sav": (
        "The sheet wide for SPSS, with labels of variables and values, measures, and “cannot"
        " judge” and skipped as missing values with a label."
    ),
    "label-studio/ and argilla/": (
        "Ratings as these tools have them: tasks or records with everybody's answers, and the"
        " configuration that they fit; Label Studio's long table. Attention checks and second"
        " answers are not in them; a skipped unit is a cancelled annotation, or its reason."
    ),
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
        f" {RECOMPUTE} The seed of the plan is in it beside the key only: what labels hide could be"
        " drawn again from it."
    ),
    "key.csv, key.jsonl and key.xlsx": (
        "What labels hide, in which group each text is, and which units have a known answer. In no"
        " archive but one that was"
        " asked for with the key."
    ),
    "figures/": (
        "Every table as CSV, LaTeX and Markdown. Tables by source only beside the key. Or, in"
        " `none.txt`, why there are none."
    ),
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
    an unknown session and one removed meanwhile, and for the key before it was opened.
    """
    with _still_there(store, study_id):
        return _files(store, study_id, key, attentive)


@contextmanager
def _still_there(store: Store, study_id: str) -> Iterator[None]:
    """Raise BadInput where a session was removed while it was read: what was read is part of it."""
    try:
        yield
    finally:
        store.studies.get(study_id)


def _files(store: Store, study_id: str, key: bool, attentive: bool) -> dict[str, str]:
    try:
        found: Analysis | None = analyse(store, study_id, attentive, by_label=not key)
        why = ""
    except (BadInput, EndedEarly) as error:
        # Whatever there is too much of to be analysed, nobody's answers stay behind for it.
        found, why = None, str(error)
    with _packing:
        return {
            **_answers(store, found.filed if found else Filed(store, study_id, attentive)),
            **(_key_files(store, study_id) if key else {}),
            **(_figures(found) if found else {"figures/none.txt": f"{why}\n"}),
        }


def _figures(found: Analysis) -> dict[str, str]:
    paragraph = methods(found)
    for_latex = MINUS.sub("\N{MINUS SIGN}", paragraph.text)
    every = (*found.tables, *found.source_tables)
    # With how each figure was made, for which a printed table has no room.
    sheets = {f"{table.name}.csv": WRITERS[".csv"](_with_how(table)) for table in every}
    tables = table_files(every) | sheets
    if found.sourced and found.sourced.contrasts:
        pages = (latex(one, sideways=True) for one in printed(found.sourced.contrasts))
        tables["contrasts.tex"] = "\n".join(pages)
    return {
        "methods.txt": f"{paragraph.whole}\n",
        "methods.tex": f"{escaped(for_latex)}\n",
        **{f"figures/{name}": text for name, text in tables.items()},
    }


def _with_how(table: Table) -> Table:
    """Return a table with a column that says how the figures of a row were made, or why there are
    none, where their cells know.
    """
    if HOW in table.head or not any(cell.note for row in table.rows for cell in row):
        return table
    rows = []
    for row in table.rows:
        named = [(head, cell.note) for head, cell in zip(table.head, row, strict=True) if cell.note]
        notes = dict.fromkeys(note for _, note in named)
        how = (
            "; ".join(notes) if len(notes) < 2 else " / ".join(f"{at}: {why}" for at, why in named)
        )
        rows.append((*row, Value(text=how)))
    return table.model_copy(update={"head": (*table.head, HOW), "rows": tuple(rows)})


def key_files(store: Store, study_id: str) -> dict[str, str]:
    """Return the key of a session as files of its own; raises BadInput before it was opened."""
    with _still_there(store, study_id):
        return _key_files(store, study_id)


def _key_files(store: Store, study_id: str) -> dict[str, str]:
    study = store.studies.get(study_id)
    keys = opened(store, study)
    known = store.study_keys.units(study_id)
    by, groups = _groups(store, study_id, keys)
    return {
        "key.csv": rows.sheet(rows.KEY, rows.key(keys, groups, by)),
        "key.jsonl": rows.lines(
            [
                *(
                    record.model_dump(mode="json")
                    | {"group": groups.get(label, ""), "grouped_by": by}
                    for label, record in keys.items()
                ),
                *(record.model_dump(mode="json") for record in known.values()),
            ]
        ),
        "configuration.json": configuration(store, study, key=True),
    }


def _groups(
    store: Store, study_id: str, keys: dict[str, ItemKey]
) -> tuple[GroupedBy, dict[str, str]]:
    """Return by what the sources of a session are grouped now, and the group of each label."""
    grouping = in_force(store, study_id)
    return grouping.by, grouped(store, keys, grouping)


def _answers(store: Store, filed: Filed) -> dict[str, str]:
    study = filed.study
    items = store.studies.items(study.id)
    frozen = store.frozen.several(tuple(items.values()), Record)
    return {
        "answers.csv": rows.sheet(rows.ANSWERS, rows.answers(filed)),
        "answers.jsonl": rows.lines(rows.answer_lines(filed)),
        **{
            name: rows.sheet(sheet.columns, sheet.rows(filed))
            for name, sheet in TASK_SHEETS.items()
            if sheet.has(filed)
        },
        "seats.csv": rows.sheet(rows.SEATS, _seat_rows(store, filed)),
        "consents.csv": rows.sheet(rows.CONSENTS, rows.consents(store.terms.consents(study.id))),
        "events.csv": rows.sheet(rows.EVENTS, rows.events(store.studies.events(study.id))),
        "texts.jsonl": rows.lines(rows.texts({label: frozen[sha] for label, sha in items.items()})),
        "configuration.json": configuration(store, study),
        "codebook.md": codebook(filed),
    }


def _seat_rows(store: Store, filed: Filed) -> rows.Rows:
    return rows.seats(filed, store.terms.of(filed.study.id))


def configuration(store: Store, study: Study, key: bool = False) -> str:
    """Return the frozen configuration as JSON, with its hash and how to compute that again; without
    the `key` the seed is left out, from which labels and lists could be drawn again.
    """
    units = dump_all(store.studies.units(study.id))
    plan = study.plan.model_dump(mode="json")
    if not key:
        plan["seed"] = None
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
                RECOMPUTE + ("" if key else SEEDLESS)
                if study.sha
                else "Empty: the session was not opened yet, so nothing is frozen."
            ),
            "configuration": {
                "plan": plan,
                "items": store.studies.items(study.id),
                "units": units,
            },
        }
    )


def archive(store: Store, study_id: str, key: bool = False, attentive: bool = False) -> bytes:
    """Return a session as a ZIP archive; raises BadInput as `files` does."""
    return zip_files(
        {**files(store, study_id, key, attentive), **formats(store, study_id, key, attentive)}
    )


def formats(
    store: Store, study_id: str, key: bool = False, attentive: bool = False
) -> dict[str, str | bytes]:
    """Return a session's answers as other programs read them, by name: a workbook, SPSS, and of
    ratings Label Studio and Argilla. Without `key` nothing in them says where a text comes from;
    with it, a workbook of its own does. Raises BadInput as `files` does.
    """
    with _still_there(store, study_id), _packing:
        return _formats(store, study_id, key, attentive)


def _formats(store: Store, study_id: str, key: bool, attentive: bool) -> dict[str, str | bytes]:
    filed = Filed(store, study_id, attentive)
    made: dict[str, str | bytes] = {
        "answers.xlsx": spreadsheet(store, filed),
        "answers.sav": spss(filed),
    }
    if key:
        keys = opened(store, filed.study)
        by, groups = _groups(store, study_id, keys)
        made["key.xlsx"] = key_workbook(rows.key(keys, groups, by))
    if filed.study.plan.task == "rate":
        made |= {**labelling.label_studio(store, filed), **labelling.argilla(store, filed)}
    return made


def spreadsheet(store: Store, filed: Filed) -> bytes:
    """Return the answers as a workbook: the wide table, what its columns mean, and every table
    that is there as CSV.
    """
    sheets = {"answers": (rows.ANSWERS, rows.answers(filed))}
    for name, sheet in TASK_SHEETS.items():
        if sheet.has(filed):
            sheets[name.removesuffix(".csv")] = (sheet.columns, sheet.rows(filed))
    sheets["seats"] = (rows.SEATS, _seat_rows(store, filed))
    sheets["consents"] = (rows.CONSENTS, rows.consents(store.terms.consents(filed.study.id)))
    sheets["events"] = (rows.EVENTS, rows.events(store.studies.events(filed.study.id)))
    return workbook(filed, sheets)


def in_format(store: Store, study_id: str, chosen: Format, attentive: bool = False) -> bytes:
    """Return a session's answers in one format, as a file; raises BadInput as `files` does, and for
    one that its task does not have.
    """
    with _still_there(store, study_id), _packing:
        return _in_format(store, study_id, chosen, attentive)


def _in_format(store: Store, study_id: str, chosen: Format, attentive: bool) -> bytes:
    filed = Filed(store, study_id, attentive)
    if chosen in RATINGS_ONLY and filed.study.plan.task != "rate":
        raise BadInput(
            f"{FORMATS[chosen]} takes ratings; this session is to {filed.study.plan.task}. Take the"
            " workbook (xlsx) or SPSS (sav)."
        )
    match chosen:
        case "xlsx":
            return spreadsheet(store, filed)
        case "sav":
            return spss(filed)
        case "label-studio":
            return zip_files(labelling.label_studio(store, filed))
        case "argilla":
            return zip_files(labelling.argilla(store, filed))


def key_archive(store: Store, study_id: str) -> bytes:
    """Return the key alone as a ZIP archive; raises BadInput before it was opened."""
    return zip_files(key_files(store, study_id))


def export(
    store: Store, study_id: str, to: Path, key: bool = False, attentive: bool = False
) -> tuple[str, ...]:
    """Write a session into a new or empty folder, or a .zip, and return the names of the files; a
    name that ends in .xlsx or .sav takes the answers in that format alone. Raises BadInput as
    `files` does, StoreFailed.
    """
    require_folder(to)
    alone: dict[str, Format] = {".xlsx": "xlsx", ".sav": "sav"}
    if chosen := alone.get(to.suffix.lower()):
        if key:
            raise BadInput("The key comes in a folder or a .zip; this file has the answers alone.")
        write_whole(to, in_format(store, study_id, chosen, attentive))
        return (to.name,)
    if to.suffix != ".zip":
        require_empty(to)
    text = files(store, study_id, key, attentive)
    named = {**text, **formats(store, study_id, key, attentive)}
    if to.suffix != ".zip":
        return write_folder(to, ((name, [_bytes(whole)]) for name, whole in named.items()))
    write_whole(to, zip_files(named))
    return tuple(named)


def _bytes(whole: str | bytes) -> bytes:
    return whole.encode() if isinstance(whole, str) else whole


def codebook(filed: Filed) -> str:
    """Return the codebook of a session as Markdown: which answers count, how each figure is
    computed, every column.
    """
    plan = filed.study.plan
    blocks: list[Block] = [
        Heading(f"Codebook: {plan.title}", 1),
        Paragraph((Span(f"{TASKS[plan.task]}."),)),
        prose(
            "Texts are known by labels drawn by chance, the same for everybody. Files are UTF-8;"
            " times are UTC; an empty cell says nothing. A cell that a spreadsheet would run as a"
            " formula begins with an apostrophe. Answers of experts who withdrew are in no file."
        ),
        Heading("Which answers count"),
        prose(f"{RULE} In these files {filed.counts.said}."),
        Heading("Criteria" if plan.criteria else "Questions"),
        *_scales(plan),
        Heading("How each figure is computed"),
        prose(
            "Over the answers that count. How an interval or p was made stands beside the figure,"
            " in the column How; a figure that is refused says why."
        ),
        *(prose(said) for said in _own_scales(plan)),
        Fields(tuple(DEFINITIONS[plan.task].items())),
        *_rules(plan.task),
    ]
    own = {name: sheet.columns for name, sheet in TASK_SHEETS.items() if sheet.has(filed)}
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


def _rules(task: Task) -> tuple[Block, ...]:
    if not RULES[task]:
        return ()
    return Heading("How intervals, effects and p are made"), Fields(tuple(RULES[task].items()))


def _scales(plan: StudyPlan) -> tuple[Block, ...]:
    if not plan.criteria:
        return listing(
            (
                "valid: was the review valid? yes, partly, no",
                "answered: did the revision answer it? yes, partly, no",
                "change: the idea after the revision against the idea before: better, same, worse",
            )
        )
    return listing(_scale(one, plan.task) for one in plan.criteria)


def _scale(one: Criterion, task: Task) -> str:
    """Say what a criterion asks, how it is answered, and what its points mean."""
    on = f" Answered {one.on}." if task == "rate" and not is_plain([one]) else ""
    reason = f" Reason: {one.reason}." if one.reason != "off" else ""
    return f"{one.name}: {one.meaning}{on} {one.anchors_said}{reason}".rstrip()


def _own_scales(plan: StudyPlan) -> Iterator[str]:
    """Yield what figures mean that are not of scores from 1 to 10."""
    kinds = {one.kind for one in plan.criteria}
    if "yes/no" in kinds:
        yield YES_NO
    if "text" in kinds or any(one.reason != "off" for one in plan.criteria):
        yield FREE_TEXT
    if plan.task == "rate" and len({one.ends for one in plan.criteria if one.scored}) > 1:
        yield MIXED
