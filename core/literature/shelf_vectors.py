"""Vectors of the built-in papers, made ahead, so that nobody waits until the shelf is embedded.

After a change of the shelf or of the model, `python -m core.literature.shelf_vectors` makes them
anew, on a processor that multiplies bfloat16 itself (there are two files, one for each format). A
vector is found by the hash of its text and the name of its model, so that one made before such a
change is never used.
"""

import hashlib
import logging
import sys
from collections.abc import Iterable
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


def make() -> Iterable[Path]:
    """Embed the built-in papers in both number formats, as a desk ranks them."""
    # Only here: both import what is above.
    from core.literature.embeddings import embed
    from core.literature.minilm import MiniLM
    from core.literature.shelf_files import read

    papers = [entry.paper() for file in read(FOLDER) for entry in file.papers]
    texts = [f"{paper.title}\n{paper.abstract}" for paper in papers]
    for model in (MiniLM(bf16=False), MiniLM(bf16=True)):
        yield ship(model.name, dict(zip(map(sha, texts), embed(model, texts), strict=True)))


if __name__ == "__main__":
    for path in make():
        sys.stdout.write(f"{path}\n")
