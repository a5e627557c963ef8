"""A closed session taken along: the methods paragraph, answers, and the key in a file of its
own.
"""

from functools import partial

import streamlit as st

from components.sessions.results import latest, whose
from components.shell import services
from components.shell.text import inline
from core.export import studies
from core.records import Study
from core.studies.paragraph import methods

ZIP = "application/zip"


def draw(study: Study) -> None:
    """Draw the methods paragraph and the files."""
    attentive = whose(study)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _methods(study, attentive)
    with right:
        _files(study, attentive)


def _methods(study: Study, attentive: bool) -> None:
    found = methods(latest(study, attentive).made)
    st.markdown("##### Methods, for a paper")
    if found.text:
        st.code(found.text, language=None, wrap_lines=True)
        st.caption(
            "Numbers are filled in from what is stored; with “by source” once the key is open."
            " Check every sentence before you print it."
        )
    if found.missing:
        st.markdown("**What it lacks**")
        st.markdown("\n".join(f"- {inline(one, 900)}" for one in found.missing))


def _files(study: Study, attentive: bool) -> None:
    store, name = services.store(), f"session-{study.id}"
    st.markdown("##### Files")
    st.markdown("Answers and key are apart: whoever has the first alone is still blind.")
    st.download_button(
        "Answers (ZIP)",
        partial(studies.archive, store, study.id, False, attentive),
        f"{name}-answers.zip",
        ZIP,
        key="study:answers",
        icon=":material/download:",
        on_click="ignore",
        type="primary",
    )
    st.caption(
        "Answers, seats, texts and events as CSV and JSON Lines, a codebook, the frozen"
        " configuration with its hash (and the name you gave the session), every figure by label as"
        " CSV, LaTeX and Markdown, and the methods paragraph. Experts are numbers; their names are"
        " in no file."
    )
    if not study.unblinded:
        st.info(
            "The key can be taken along once it is open: see “By source”.",
            icon=":material/visibility_off:",
        )
        return
    st.download_button(
        "Key (ZIP)",
        partial(studies.key_archive, store, study.id),
        f"{name}-key.zip",
        ZIP,
        key="study:key-file",
        icon=":material/key:",
        on_click="ignore",
    )
    whole = partial(studies.archive, store, study.id, True, attentive)
    st.download_button(
        "Everything, with key (ZIP)",
        whole,
        f"{name}-with-key.zip",
        ZIP,
        key="study:everything",
        icon=":material/download:",
        on_click="ignore",
        help="Figures by source, too.",
    )
