"""The vectors that ship with the program: those of the built-in papers and of their sentences.
`core.models.builtin.shipping` makes them.

A vector is found by the hash of its text and the name of its model, so that one made before a
change of either is never used.
"""

import hashlib
import logging
from functools import cache
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

FOLDER = Path(__file__).parents[2] / "assets" / "shelf"
log = logging.getLogger("foundry.meaning")


def sha(text: str) -> str:
    """Return what a text's vector is kept by."""
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def read_shipped(model: str, folder: Path = FOLDER) -> dict[str, bytes]:
    """Return the vectors that the model of that name made, by the SHA-256 of their texts; none
    where there is no such file.
    """
    path = _file(model, folder)
    try:
        with np.load(path, allow_pickle=False) as held:
            if str(held["model"]) != model:
                return {}
            vectors = held["vectors"].astype(np.float32)
            return dict(zip(map(str, held["texts"]), map(bytes, vectors), strict=True))
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        log.warning("The vectors of the built-in papers in %s cannot be read: %s", path, error)
        return {}


def ship(model: str, vectors: dict[str, bytes], folder: Path = FOLDER) -> Path:
    """Write vectors, by the SHA-256 of their texts, where `read_shipped` finds them."""
    path = _file(model, folder)
    rows = [np.frombuffer(vector, dtype=np.float32) for vector in vectors.values()]
    np.savez_compressed(
        path, model=np.array(model), texts=np.array(list(vectors)), vectors=np.stack(rows)
    )
    return path


def _file(model: str, folder: Path) -> Path:
    precision = model.split("/")[2]
    return folder / f"vectors-{precision}.npz"
