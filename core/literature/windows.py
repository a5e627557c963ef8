"""Cutting a long text into windows of whole sentences that the embedding model can read to their
end.
"""

import re

WORDS = 180
"""Words per window: English prose of that length stays within the model's 256 tokens, or nearly."""
WINDOWS = 32
"""How many windows of a text are read at most (the first ones): some 5,700 words."""
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n{2,}")
WORD = re.compile(r"\S{1,40}")


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
