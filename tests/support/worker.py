"""`python -m core` with words instead of embeddings: a process to be killed that starts without
loading torch.
"""

import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import core.literature.embeddings
from core.__main__ import main
from tests.conftest import WordEmbedder


def work(words: list[str]) -> int:
    """Be `python -m core` with these words, and return its exit code."""
    # A shell lets what it starts with & ignore an interrupt, and so would everything such tests
    # start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    core.literature.embeddings.Embedder = lambda _: WordEmbedder()  # type: ignore[assignment,misc]
    return main(words)


if __name__ == "__main__":
    sys.exit(work(sys.argv[1:]))
