"""What a recipe takes so many of: topics, targets, questions or keywords; those that come with the
program, a file, or a run that gathered them.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import streamlit as st

from components.shell import services
from components.shell.text import ago
from core.records import Engine, Recipe, digest
from core.runs.engines import ENGINES

SHIPPED, FILE, RUN = "Built-in", "A file", "A run"
GATHERED: dict[Engine, str] = {
    "topic-experiment": "real-papers",
    "sweep": "target-dataset",
    "checklist-experiment": "seed-dataset",
}
"""The method whose runs gather what an engine takes."""
FORMATS: dict[Engine, str] = {
    "topic-experiment": "One topic a line (.txt), a table with a column `topic`, or JSON.",
    "sweep": "Targets as a data set of them is exported: JSON lines.",
    "checklist-experiment": "A table (CSV) or JSON with columns `question` and `review`.",
    "novelty-experiment": "A table of ideas of which people said whether they were known.",
    "bench": "Keywords, one a line, or a table with a column of them.",
}
"""What a file holds."""


class ChosenData(NamedTuple):
    """What was chosen."""

    run: str = ""
    name: str = ""
    """The name of a file."""
    content: bytes = b""
    wrong: str = ""
    """What keeps the experiment from starting, as a sentence."""

    @property
    def mark(self) -> list[str]:
        """What tells it from another choice."""
        return [self.run, self.name, digest(self.content.hex()) if self.content else ""]

    @contextmanager
    def said(self) -> Iterator[str | None]:
        """Give it as a command would name it: a run, a file, None for what comes with the
        program.
        """
        if not self.name:
            yield self.run or None
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / (re.sub(r"[^\w. -]", "_", self.name).lstrip(".")[-100:] or "data")
            path.write_bytes(self.content)
            yield str(path)


def draw(recipe: Recipe, size: str) -> ChosenData:
    """Draw the choice and return it."""
    engine, noun = recipe.engine, ENGINES[recipe.engine].noun
    comes_with = engine == "bench" or (size == "small" and engine != "novelty-experiment")
    ways = [*([SHIPPED] if comes_with else []), FILE, *([RUN] if engine in GATHERED else [])]
    key = f"recipes:data:{engine}"
    if key not in st.session_state and RUN in ways and st.query_params.get("topics"):
        st.session_state[key] = RUN
    if st.session_state.get(key) not in ways:
        st.session_state[key] = ways[0]
    way = st.segmented_control(
        noun.capitalize(), ways, key=key, required=True, persist_state="session"
    )
    if way == FILE:
        return _file(engine, noun)
    if way == RUN:
        return _run(engine, noun)
    return ChosenData()


def _file(engine: Engine, noun: str) -> ChosenData:
    file = st.file_uploader(
        f"File of {noun}", key=f"recipes:file:{engine}", help=FORMATS[engine], max_upload_size=20
    )
    st.caption(FORMATS[engine])
    if file is None:
        return ChosenData(wrong=f"Choose a file of {noun}.")
    return ChosenData(name=file.name, content=file.getvalue())


def _run(engine: Engine, noun: str) -> ChosenData:
    names = {
        run.id: f"{run.title[:80]} ({ago(run.created)})"
        for run in services.store().runs.listed(method=GATHERED[engine], limit=100)
    }
    key = f"recipes:run:{engine}"
    if (given := st.query_params.get("topics", "")) in names and key not in st.session_state:
        st.session_state[key] = given
    picked = st.selectbox(
        f"Run that gathered {noun}",
        list(names),
        index=None,
        key=key,
        format_func=names.__getitem__,
        persist_state="session",
        placeholder="Pick one" if names else "None was gathered yet",
    )
    return ChosenData(run=picked or "", wrong="" if picked else f"Choose a run with {noun}.")
