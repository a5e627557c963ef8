"""Closeness in meaning: sentence vectors of the packaged MiniLM, computed once per text and kept in
the store; those of the built-in papers come with the program.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.literature.minilm import MINILM, SIZE, MiniLM, State
from core.literature.port import Plane
from core.literature.shelf_vectors import read_shipped, sha
from core.store.library import Library

Vectors = NDArray[np.float32]
WORDS = 180
"""Words per window: English prose of that length stays within the model's 256 tokens, or nearly."""
WINDOWS = 32
"""How many windows of a text are read at most (the first ones): some 5,700 words."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}")
WORD = re.compile(r"\S{1,40}")


class Embedder:
    """Turns texts into vectors; the model behind it is one per process."""

    def __init__(self, library: Library):
        self._library = library

    @property
    def name(self) -> str:
        """The model and number format the vectors are kept under."""
        return MINILM.name

    @property
    def state(self) -> State:
        """Whether the model is loaded: `not loaded`, `loading`, `ready` or `failed`."""
        return MINILM.state

    def load(self) -> None:
        """Load the model now, once per process (several seconds); raises EmbeddingFailed."""
        MINILM.load()

    def load_beside(self) -> None:
        """Start loading the model beside other work; `state` says how far it is."""
        MINILM.load_beside()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return one L2-normalised vector per text, n x 384; raises EmbeddingFailed.

        A text of more than 180 words is the normalised mean over its windows of whole sentences,
        since the model reads 256 tokens. A vector depends on its text alone. It is kept by the
        text's SHA-256 and the model's name, and where it ships with the program not computed.
        """
        # Half a surrogate pair cannot be written as UTF-8, and the tokenizer refuses it.
        texts = [text.encode("utf-8", "replace").decode() for text in texts]
        hashes = [sha(text) for text in texts]
        wanted = dict(zip(hashes, texts, strict=True))
        kept = read_shipped(MINILM.name) | self._library.vectors(list(wanted), MINILM.name)
        if missing := {key: wanted[key] for key in wanted if key not in kept}:
            kept |= self._compute(missing)
        if not texts:
            return np.zeros((0, SIZE), dtype=np.float32)
        return np.stack([np.frombuffer(kept[key], dtype=np.float32) for key in hashes])

    def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        """Return the cosine of `text` with each of `others`, rounded to 6 decimals; raises
        EmbeddingFailed.
        """
        # Pair by pair and in double precision: a product of matrices adds up in an order that
        # depends on their shape.
        here, *rest = self.vectors([text, *others]).astype(np.float64)
        return [round(float(np.dot(here, other)), 6) for other in rest]

    def plane(self, texts: Sequence[str]) -> Plane:
        """Lay texts out on the two directions in which their vectors differ most (principal
        components); raises EmbeddingFailed.

        The sign of a component is free; it is chosen so that the first text that is off the middle
        lies on the positive side.
        """
        vectors = self.vectors(texts).astype(np.float64)
        centred = vectors - vectors.mean(axis=0)
        left, strength, _ = np.linalg.svd(centred, full_matrices=False)
        spots = np.zeros((len(texts), 2))
        found = min(2, len(strength))
        spots[:, :found] = left[:, :found] * strength[:found]
        for axis in range(2):
            off = next((value for value in spots[:, axis] if abs(value) > 1e-9), 1.0)
            spots[:, axis] *= np.sign(off)
        variance = strength**2
        share = np.zeros(2)
        share[:found] = variance[:found] / max(float(variance.sum()), 1e-12)
        x, y = share.tolist()
        places = [(round(x, 6), round(y, 6)) for x, y in spots.tolist()]
        return Plane(spots=tuple(places), explained=(round(x, 4), round(y, 4)))

    def _compute(self, wanted: dict[str, str]) -> dict[str, bytes]:
        with MINILM.lock:
            # Asked again under the lock: another thread may just have embedded the same texts, and
            # the first vector wins.
            kept = self._library.vectors(list(wanted), MINILM.name)
            missing = [key for key in wanted if key not in kept]
            if not missing:
                return dict(kept)
            vectors = embed(MINILM, [wanted[key] for key in missing])
            new = dict(zip(missing, vectors, strict=True))
            self._library.keep_vectors(MINILM.name, new)
            return {**kept, **new}


def embed(model: MiniLM, texts: Sequence[str]) -> list[bytes]:
    """Return the vector of each text as it is kept: 384 float32; raises EmbeddingFailed."""
    parts = list(map(windows, texts))
    flat = model.encode([part for text in parts for part in text])
    ends = np.cumsum(list(map(len, parts)))
    vectors = []
    for text, end in zip(parts, ends, strict=True):
        mean = flat[end - len(text) : end].mean(axis=0)
        length = max(float(np.linalg.norm(mean)), 1e-12)
        vectors.append(np.asarray(mean / length, dtype=np.float32).tobytes())
    return vectors


def windows(text: str) -> list[str]:
    """Return the text itself, or, beyond 180 words, its sentences packed into windows of at most
    180 words, 32 at most.
    """
    if len(WORD.findall(text)) <= WORDS:
        return [text]
    packed: list[list[str]] = [[]]
    for piece in _pieces(text):
        if packed[-1] and len(packed[-1]) + len(piece) > WORDS:
            if len(packed) == WINDOWS:
                break
            packed.append([])
        packed[-1] += piece
    return [" ".join(words) for words in packed]


def _pieces(text: str) -> list[list[str]]:
    """Return the words of each sentence; a sentence longer than a window comes in several
    pieces.
    """
    sentences = [WORD.findall(sentence) for sentence in SENTENCE.split(text)]
    return [
        words[start : start + WORDS] for words in sentences for start in range(0, len(words), WORDS)
    ]
