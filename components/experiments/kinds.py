"""Which kind of experiment to begin: ideas ranked with published ones, or models compared by the
checklist.
"""

import streamlit as st

from components.experiments import form as experiment_form
from components.experiments.checklist import form as checklist_form

MATRIX, CHECKLIST = "Ideas beside published ones", "Models by the checklist"
ABOUT = {
    MATRIX: (
        "Methods, models and qualities as one matrix: ideas are ranked together with published ones"
        " (InfAL)."
    ),
    CHECKLIST: (
        "Models answer held-out questions; one judge scores nine items before and after a revision,"
        " with directives and without (EvoIdeator)."
    ),
}
KEY = "experiments:kind"


def draw(targets: str, questions: str, writers: str) -> None:
    """Draw the choice of a kind, and its form; what an address named is given: `targets`, or
    `questions` and models that write.
    """
    if (questions or writers) and KEY not in st.session_state:
        st.session_state[KEY] = CHECKLIST
    kind = st.segmented_control(
        "What to compare",
        list(ABOUT),
        default=None if KEY in st.session_state else MATRIX,
        key=KEY,
        required=True,
        persist_state="session",
    )
    st.caption(ABOUT[kind or MATRIX])
    if kind == CHECKLIST:
        checklist_form.draw(questions, writers)
    else:
        experiment_form.draw(targets)
