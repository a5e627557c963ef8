"""Packing a finished run into one file: everything it is made of, and nothing of the machine it was
made on.
"""

import ipaddress
import json
import re
from urllib.parse import urlsplit

from core.cases import experiments, shortlists
from core.cases.reading import FORMAT, LONGEST, MOST_BYTES, MOST_LETTERS, UNSIGNED, read
from core.errors import BadInput, StoreFailed, boundary
from core.records import Run, digest
from core.runs.catalogue import entry
from core.store import Store
from core.store.cases import Cases
from core.store.whole import ExperimentWhole

_ADDRESS = re.compile(r"https?://[^\s\"'<>()\[\]]+")
_PATH = re.compile(
    r"(?<![\w:/.])(?:(?:~|[A-Za-z]:)?/|(?:~|[A-Za-z]:|\\)\\{1,4})(?:[\w.+-]+(?:/|\\{1,2}))+[\w.+-]*"
)
"""Where backslashes are, with a drive or a server: in a reply as it came, one backslash and a
letter is the end of a line.
"""
PRIVATE = (".local", ".lan", ".internal", ".localhost", ".home.arpa")
"""How names of servers end that are known in one network only."""
REASONS = ("reason", "partly", "failed", "message", "origin")
"""Where records keep what went wrong, in words that may name a folder or a server."""


def pack(
    store: Store,
    run_id: str,
    about: str = "",
    by: str = "",
    title: str | None = None,
    *,
    stepwise: bool = True,
) -> bytes:
    """Pack a finished run into one file, the same bytes every time: configuration, prompts, steps,
    records, notes, papers; an experiment with the runs behind its cells, a shortlist with those
    behind its stages, `stepwise` or with what they have to show alone.

    Names of folders and of servers that only this machine knows are left out. Raises BadInput for a
    run that is not done, is a case study itself, or does not hold all that it shows.
    """
    run = store.runs.get(run_id)
    if run.packed:
        raise BadInput(
            f"{run_id} is a case study that was opened from a file. Hand that file on: packed again"
            " it would not be the same."
        )
    if why := entry(run.config).apart:
        raise BadInput(
            f"Run {run_id} cannot be packed: {why} Export it instead, on screen or with `python -m"
            f" core export {run_id} --to FILE`: as a report (.md, .docx or .html), as a bundle"
            " (.json), or its tables alone (.zip)."
        )
    if run.state != "done":
        raise BadInput(
            f"Run {run_id} is {run.state}, and only a finished run can be packed. Let it come to"
            " its end first."
        )
    if len(about) > LONGEST or len(by) > MOST_LETTERS:
        raise BadInput(
            f"What is said about a case study has at most {LONGEST:,} characters, and a name"
            f" {MOST_LETTERS}. Shorten it."
        )
    with boundary(StoreFailed, f"reading run {run_id} to pack it"):
        whole = _neutral(Cases(store.connections).whole(run_id).model_dump(mode="json"))
        if entry(run.config).has_runs_made:
            whole = _with_runs_made(store, run, whole, stepwise)
    # The time is the run's and not the clock's: packed twice, a run gives the same file.
    document = {
        "format": FORMAT,
        "unsigned": UNSIGNED,
        "title": " ".join((title or run.title).split())[:MOST_LETTERS],
        "about": about.strip(),
        "by": by.strip(),
        "at": run.ended,
        "whole": whole,
    }
    data = (
        json.dumps(
            {"format": FORMAT, "sha": digest(document), **document}, ensure_ascii=False, indent=1
        )
        + "\n"
    ).encode()
    if len(data) > MOST_BYTES and entry(run.config).has_runs_made:
        raise experiments.too_large(run, len(data), MOST_BYTES)
    _opens(run_id, data)
    return data


def _with_runs_made(
    store: Store, run: Run, whole: dict[str, object], stepwise: bool
) -> dict[str, object]:
    """Return a run as JSON with the runs it has made."""
    if run.config.method != "shortlist":
        return {**whole, "experiment": _neutral_runs(experiments.gather(store, run, stepwise))}
    kept = shortlists.gather(store, run, stepwise)
    names = shortlists.names_in(run, kept)
    made = tuple(one.model_copy(update={"id": names[one.id]}) for one in kept.runs)
    held = kept.model_copy(update={"runs": made})
    return {**shortlists.renamed(whole, names), "experiment": _neutral_runs(held)}


def _neutral_runs(kept: ExperimentWhole) -> dict[str, object]:
    whole = kept.model_dump(mode="json")
    runs = [{**_neutral(made), "reason": _local(made["reason"])} for made in whole["runs"]]
    return {**whole, "runs": runs}


def _opens(run_id: str, data: bytes) -> None:
    """Raise BadInput for a file that nobody could open: too large, or from a version this program
    reads only in part.
    """
    if len(data) > MOST_BYTES:
        raise BadInput(
            f"Run {run_id} would take {len(data) / 1e6:.1f} MB, and a case study has at most"
            f" {MOST_BYTES / 1e6:.0f}. It cannot be packed."
        )
    try:
        read(data)
    except BadInput as error:
        raise BadInput(
            f"Run {run_id} cannot be packed, because nobody could open the file. {error}"
        ) from None


def _neutral(whole: dict[str, list[dict[str, object]]]) -> dict[str, object]:
    steps = []
    for step in whole["steps"]:
        cleaned = _local if step["status"] == "failed" else _reasons
        local = {name: _local(step[name]) for name in ("origin", "calls")}
        steps.append({**step, **local, "reply": cleaned(step["reply"])})
    products = [{**product, "data": _reasons(product["data"])} for product in whole["products"]]
    return {**whole, "steps": steps, "products": products}


def _reasons(value: object) -> object:
    """Return JSON in which only what went wrong is freed of local names."""
    if isinstance(value, dict):
        return {
            name: _local(part) if name in REASONS and isinstance(part, str) else _reasons(part)
            for name, part in value.items()
        }
    return [_reasons(part) for part in value] if isinstance(value, list) else value


def _local(value: object) -> object:
    """Return JSON in which no text names a folder, or a server that only this machine knows."""
    if isinstance(value, dict):
        return {name: _local(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_local(part) for part in value]
    return _PATH.sub("[folder]", _ADDRESS.sub(_public, value)) if isinstance(value, str) else value


def _public(found: re.Match[str]) -> str:
    try:
        host = urlsplit(found[0]).hostname or ""
    except ValueError:
        return "[address]"
    try:
        return found[0] if ipaddress.ip_address(host).is_global else "[address]"
    except ValueError:
        public = "." in host and not host.endswith(PRIVATE)
        return found[0] if public else "[address]"
