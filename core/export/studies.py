"""A session taken along: answers, and in files of its own the key; CSV and JSON Lines, a codebook,
the configuration with its hash, tables, methods.
"""

import io
import json
import zipfile
from pathlib import Path

from core.errors import BadInput, StoreFailed, boundary
from core.export import study_rows as rows
from core.export.codebook import RECOMPUTE, codebook
from core.export.tables import UNDATED, markdown
from core.records import Record, Study
from core.store import Store
from core.studies.analysis import Analysis, analysed, opened
from core.studies.filed import Filed
from core.studies.paragraph import methods
from core.tables.latex import escaped, latex
from core.tables.sheets import sheet

FORMAT = "idea-foundry-session/1"


def files(
    store: Store, study_id: str, key: bool = False, attentive: bool = False
) -> dict[str, str]:
    """Return a session's files by name. Without `key` nothing in them says where a text comes from;
    with it, the key's files and figures by source come too.

    `attentive` leaves experts who failed an attention unit out of the figures. Raises BadInput for
    an unknown session, and for the key before it was opened.
    """
    found = analysed(store, study_id, attentive, by_label=not key)
    return {
        **_answers(store, found.filed),
        **(key_files(store, study_id) if key else {}),
        **_figures(found),
    }


def key_files(store: Store, study_id: str) -> dict[str, str]:
    """Return the key of a session as files of its own; raises BadInput before it was opened."""
    held = opened(store, store.studies.get(study_id))
    known = store.study_keys.units(study_id)
    return {
        "key.csv": rows.sheet(rows.KEY, rows.key(held)),
        "key.jsonl": rows.lines(
            [
                *(one.model_dump(mode="json") for one in held.values()),
                *(one.model_dump(mode="json") for one in known.values()),
            ]
        ),
    }


def _answers(store: Store, filed: Filed) -> dict[str, str]:
    study, task = filed.study, filed.study.plan.task
    items = store.studies.items(study.id)
    frozen = store.frozen.several(tuple(items.values()), Record)
    return {
        "answers.csv": rows.sheet(rows.ANSWERS, rows.answers(filed)),
        "answers.jsonl": rows.lines(rows.answer_lines(filed)),
        **(
            {"ratings.csv": rows.sheet(rows.RATINGS, rows.ratings(filed))} if task == "rate" else {}
        ),
        **(
            {"remarks.csv": rows.sheet(rows.REMARKS, rows.remarks(filed))}
            if task == "comment"
            else {}
        ),
        **(
            {"guesses.csv": rows.sheet(rows.GUESSES, rows.guesses(filed))}
            if study.plan.hidden_target
            else {}
        ),
        "seats.csv": rows.sheet(rows.SEATS, rows.seats(filed)),
        "events.csv": rows.sheet(rows.EVENTS, rows.events(store.studies.events(study.id))),
        "texts.jsonl": rows.lines(rows.texts({label: frozen[sha] for label, sha in items.items()})),
        "configuration.json": configuration(store, study),
        "codebook.md": codebook(study.plan, filed.counts),
    }


def configuration(store: Store, study: Study) -> str:
    """Return the frozen configuration as JSON, with its hash and how to compute that again."""
    units = [one.model_dump(mode="json") for one in store.studies.units(study.id)]
    return json.dumps(
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
        },
        ensure_ascii=False,
        indent=1,
    )


def _figures(found: Analysis) -> dict[str, str]:
    said = methods(found)
    made = {
        f"figures/{table.name}.{ending}": write(table)
        for table in (*found.tables, *found.source_tables)
        for ending, write in (("csv", sheet), ("tex", latex), ("md", markdown))
    }
    return {"methods.txt": f"{said.whole}\n", "methods.tex": f"{escaped(said.text)}\n", **made}


def archive(store: Store, study_id: str, key: bool = False, attentive: bool = False) -> bytes:
    """Return a session as a ZIP archive; raises BadInput as `files` does."""
    return _zipped(files(store, study_id, key, attentive))


def key_archive(store: Store, study_id: str) -> bytes:
    """Return the key alone as a ZIP archive; raises BadInput before it was opened."""
    return _zipped(key_files(store, study_id))


def _zipped(held: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, text in held.items():
            whole.writestr(
                zipfile.ZipInfo(name, UNDATED), text.encode("utf-8"), zipfile.ZIP_DEFLATED
            )
    return out.getvalue()


def export(
    store: Store, study_id: str, to: Path, key: bool = False, attentive: bool = False
) -> tuple[str, ...]:
    """Write a session into a new or empty folder, or a .zip, and return the names of the files;
    raises BadInput as `files` does, StoreFailed.
    """
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {str(to.parent)!r}. Make it first, or choose another.")
    if to.suffix != ".zip" and (to.is_file() or (to.is_dir() and any(to.iterdir()))):
        raise BadInput(
            f"{str(to)!r} is not empty. Name a new folder, so that files of two exports are never"
            " mixed."
        )
    held = files(store, study_id, key, attentive)
    with boundary(StoreFailed, f"writing {to}"):
        if to.suffix == ".zip":
            to.write_bytes(_zipped(held))
        else:
            for name, text in held.items():
                (to / name).parent.mkdir(parents=True, exist_ok=True)
                (to / name).write_bytes(text.encode("utf-8"))
    return tuple(held)
