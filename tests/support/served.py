"""The app as a process of its own with words instead of embeddings, so that it never loads
torch.
"""

import os
import sys
from pathlib import Path

import streamlit.web.cli

import core.literature.embeddings
from tests import ROOT
from tests.conftest import WordEmbedder


def serve(command: list[str], environ: dict[str, str], log: Path) -> None:
    """Be `streamlit` with these words after it and nothing but this environment, until killed; what
    it prints is added to the log.
    """
    with log.open("ab") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(ROOT)
    core.literature.embeddings.Embedder = lambda _: WordEmbedder()  # type: ignore[assignment,misc]
    sys.exit(streamlit.web.cli.main(command))
