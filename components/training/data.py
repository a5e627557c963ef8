"""What a policy is taught with: the questions of a data set, or of a file, and how many of them are
held out.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.runs import naming
from components.shell import cached, gone, services
from components.shell.text import counted, inline
from core.errors import BadInput
from core.importing.questions import questions_in
from core.importing.reading import ENDINGS
from core.records import TrainingData, TrainingQuery
from core.training.data import HELD_OUT, split

MADE, FILE = "A data set made here", "A file"
GIVEN = "training:given"
"""The data set that the address gave last: taken up once, so that it never overwrites a choice."""


class ChosenData(NamedTuple):
    data: TrainingData | None = None
    wrong: str = ""
    """What keeps a training from beginning, as a sentence."""


def draw(given: str) -> ChosenData:
    """Draw the choice of questions, and say how they are parted; the address may give the run of a
    data set.
    """
    if given and st.session_state.get(GIVEN) != given:
        st.session_state.update({GIVEN: given, "training:from": MADE, "training:dataset": given})
    way = st.segmented_control(
        "Questions to train on",
        (MADE, FILE),
        key="training:from",
        default=MADE,
        required=True,
        persist_state="session",
    )
    try:
        queries = _from_file() if way == FILE else _from_dataset(given)
        return ChosenData(_part(queries))
    except BadInput as error:
        st.caption(f":material/info: {inline(str(error), 600)}")
        return ChosenData(wrong=str(error))


def _from_dataset(given: str) -> tuple[TrainingQuery, ...]:
    """Return the questions of a data set that is chosen; raises BadInput."""
    store = services.store()
    listed = store.runs.listed(method="seed-dataset", limit=50)
    there = {run.id: run for run in listed if store.steps.shows(run.id, "Prepared")}
    runs, _ = gone.among(there, given, "training:dataset", "pages/training.py", "All trainings")
    if not runs:
        st.page_link(
            "pages/experiments.py",
            label="Build a data set of questions",
            icon=":material/dataset:",
            query_params={"section": "Data sets"},
        )
        raise BadInput("There is no data set of questions yet. Build one, or take a file.")
    if st.session_state.get("training:dataset") not in runs:
        st.session_state["training:dataset"] = next(iter(runs))
    names = {run_id: naming.in_list(run) for run_id, run in runs.items()}
    picked = runs[
        str(
            st.selectbox(
                "Data set",
                list(names),
                key="training:dataset",
                format_func=names.__getitem__,
                persist_state="session",
            )
        )
    ]
    return cached.questions(str(store.folder), picked.id, picked.steps)


def _from_file() -> tuple[TrainingQuery, ...]:
    """Return the questions of a file that is brought in; raises BadInput."""
    file = st.file_uploader(
        "File of questions",
        type=list(ENDINGS),
        key="training:file",
        help=(
            "A table (CSV), a list of objects (JSON), or an object a line (JSONL), with a column"
            " `question`; `review` and `seed` (the paper a question was made from) are read too."
        ),
    )
    if file is None:
        raise BadInput("Choose a file with a column of questions.")
    queries, refused = questions_in(file.name, file.getvalue())
    if refused:
        rows = "; ".join(f"{row.where}: {row.reason}" for row in refused[:3])
        more = " …" if len(refused) > 3 else ""
        st.caption(f"{counted(len(refused), 'row')} not taken. {inline(rows + more, 400)}")
    return queries


def _part(queries: Sequence[TrainingQuery]) -> TrainingData:
    """Draw how many questions are held out and return them parted; raises BadInput."""
    many = len(queries)
    # A small data set would have nothing left to train on.
    usual = HELD_OUT if many >= 2 * HELD_OUT else many // 5
    held_out = st.number_input(
        "Held out for evaluation",
        0,
        None,
        usual,
        key=f"training:held-out:{many}",
        persist_state="session",
        help=f"Questions the policy never sees in training. The paper holds out {HELD_OUT}.",
    )
    parted = split(queries, int(held_out))
    st.caption(
        f"**{len(parted.training):,} to train on, {len(parted.held_out):,} held out.** Questions"
        " from the same paper are never on both sides."
    )
    return parted
