"""Targets for a matrix: from a dataset that was built here, or from a file; frozen before anything is measured with them."""
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from core.errors import BadInput
from core.records import FrozenTarget, Target, label
from core.records.faults import fault_in_words
from core.store import Store
from core.story import Story


def freeze(store: Store, targets: Sequence[Target]) -> tuple[FrozenTarget, ...]:
    """Keep frozen copies of targets and return what a matrix names them by; one that comes twice is one. Raises BadInput where there is none."""
    if not targets:
        raise BadInput("There is no target. A dataset of targets is built by `python -m core dataset targets`; or give a file with targets.")
    shas = store.frozen.keep_all(tuple(targets))
    return tuple({sha: FrozenTarget(sha=sha, title=one.paper.title, category=one.category) for sha, one in zip(shas, targets, strict=True)}.values())


def of_run(store: Store, run_id: str) -> tuple[Target, ...]:
    """Return the targets a run has built so far; raises BadInput for a run that builds none."""
    found = Story.of(store, store.runs.get(run_id).id).all(Target)
    if not found:
        raise BadInput(f"Run {run_id} has no targets. Choose a run that built a dataset of targets, or give a file.")
    return found


def from_file(path: Path) -> tuple[Target, ...]:
    """Read targets from a file: a JSON list, or one JSON object a line, each with `paper`, `topic`, `idea` and, if known, `category` and `background`.

    Raises BadInput that says which target is wrong, and how.
    """
    try:
        text = path.read_text("utf-8").strip()
        rows = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} cannot be read as targets ({error}). Give a JSON list, or one JSON object a line.") from None
    return tuple(_target(n, row) for n, row in enumerate(rows, 1))


def _target(n: int, row: object) -> Target:
    try:
        return Target.model_validate(row)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = " ".join(label(str(part)) for part in wrong["loc"])
        raise BadInput(f"Target {n} cannot be used: {where or 'it'}: {fault_in_words(wrong)}.") from None
