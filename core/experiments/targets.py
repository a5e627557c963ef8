"""Targets for a matrix: frozen before anything is measured with them, and those of a dataset that
was built here.
"""

from collections.abc import Sequence

from core.errors import BadInput
from core.records import FrozenTarget, Target
from core.store import Store
from core.story import Story


def freeze(store: Store, targets: Sequence[Target]) -> tuple[FrozenTarget, ...]:
    """Keep frozen copies of targets and return what a matrix names them by; one that comes twice is
    one. Raises BadInput where there is none.
    """
    if not targets:
        raise BadInput(
            "There is no target. Choose a data set of targets, which Experiments builds under “Data"
            " sets”, or give a file with targets."
        )
    shas = store.frozen.keep_all(tuple(targets))
    return tuple(
        {
            sha: FrozenTarget(sha=sha, title=one.paper.title, category=one.category)
            for sha, one in zip(shas, targets, strict=True)
        }.values()
    )


def of_run(store: Store, run_id: str) -> tuple[Target, ...]:
    """Return the targets a run has built so far; raises BadInput for a run that builds none."""
    found = Story.of(store, store.runs.get(run_id).id).all(Target)
    if not found:
        raise BadInput(
            f"Run {run_id} has no targets. Choose a run that built a dataset of targets, or give a"
            " file."
        )
    return found
