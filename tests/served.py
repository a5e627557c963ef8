"""`streamlit run` with words instead of embeddings: the app as a process of its own that never loads torch."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from streamlit.web.cli import main

import core.workshop
from tests.conftest import WordEmbedder

if __name__ == "__main__":
    core.workshop.Embedder = lambda _: WordEmbedder()  # type: ignore[assignment,misc]
    sys.exit(main())
