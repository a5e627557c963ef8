"""Training data by name: kept before under their hash, or parted from a data set of questions."""

import re

from core.records import Prepared, TrainingData
from core.store import Store, must_be
from core.story import Story
from core.training.data import HELD_OUT, split


def keep_data(store: Store, name: str, held_out: int = HELD_OUT) -> str:
    """Return the hash of training data: `name` is that hash, or the id of a run that built a data
    set of questions, which is parted and kept.

    Raises BadInput for what is neither, and for a data set that leaves nothing to train on.
    """
    if re.fullmatch(r"[0-9a-f]{64}", name):
        store.frozen.get(name, TrainingData)
        return name
    return store.frozen.keep(split_run(store, name, held_out))


def split_run(store: Store, run_id: str, held_out: int = HELD_OUT) -> TrainingData:
    """Part the questions that a run has built so far; raises BadInput for another kind of run."""
    otherwise = (
        f"Run {run_id} is no data set of questions. `python -m core runs --method seed-dataset`"
        " lists them."
    )
    run = must_be(store.runs.get(run_id), "seed-dataset", otherwise)
    return split(Story.of(store, run.id).all(Prepared), held_out)
