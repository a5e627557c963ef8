"""Vectors of the built-in papers and of their sentences, made ahead, so that nobody waits until
they are embedded.

After a change of the built-in papers, of the embedding model or of how sentences are told apart,
`python -m core.models.builtin.shipping` makes them anew, on a processor that multiplies bfloat16
itself (there are two files, one for each format).
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from core.literature.embeddings import embed
from core.literature.minilm import MiniLM
from core.literature.shelf_files import read
from core.literature.shelf_vectors import FOLDER, sha, ship
from core.models.builtin.library import PassageLibrary
from core.models.builtin.passages import Vectors
from core.records import Paper


class ShelfReading:
    """The built-in papers, and the vectors of every text that is asked for while they are read."""

    def __init__(self, model: MiniLM):
        self._model = model
        self._papers = tuple(entry.paper() for file in read(FOLDER) for entry in file.papers)
        self.made: dict[str, bytes] = {}
        """By the SHA-256 of the text."""

    def all(self) -> tuple[Paper, ...]:
        return self._papers

    def vectors(self, texts: Sequence[str]) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if sha(text) not in self.made]
        self.made |= dict(zip(map(sha, missing), embed(self._model, missing), strict=True))
        return np.stack([np.frombuffer(self.made[sha(text)], dtype=np.float32) for text in texts])


def make() -> Iterator[Path]:
    """Write the vectors in both number formats."""
    for model in (MiniLM(bf16=False), MiniLM(bf16=True)):
        reading = ShelfReading(model)
        library = PassageLibrary(reading, reading)
        library.abstracts(reading.all())
        library.passages(reading.all())
        yield ship(model.name, reading.made)


if __name__ == "__main__":
    for path in make():
        sys.stdout.write(f"{path}\n")
