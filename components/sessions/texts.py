"""Whether a draft's texts give their sources away, for its organiser, before it opens; and what
hides behind its labels once the key is open.
"""

import streamlit as st

from components.annotate import texts as seat_texts
from components.shell import services
from components.shell import table as experiment_table
from components.shell.text import inline
from core.records import Design, Idea, Record, Study, Table, Trajectory
from core.studies.blinding import FEATURES, Blinding, report, tables

MOST = 300
"""Passages shown; the file has all."""


def blinding(study: Study) -> None:
    """Draw the blinding report: its conclusion, how texts look by source, and words that may name a
    source.
    """
    if not services.store().studies.items(study.id):
        st.info(
            "There are no texts yet, so there is nothing to tell apart.",
            icon=":material/visibility_off:",
        )
        return
    found = report(services.store(), study.id)
    st.markdown(f"**{inline(found.conclusion, 800)}**")
    shapes, words = tables(found)
    experiment_table.draw(shapes.model_copy(update={"note": ""}), f"study:blinding:{study.id}")
    _guesses(found)
    if words.rows:
        _words(study, words)
    _read(study)


def _words(study: Study, words: Table) -> None:
    experiment_table.draw(
        words.model_copy(update={"rows": words.rows[:MOST]}), f"study:blinding:{study.id}"
    )
    st.caption(
        "A word on this list need not name anything: read it where it stands. A text that gives"
        " itself away can be left out, or edited and brought in anew. Labels are not told here, so"
        " that you stay blind, too, once the session is open."
    )


def _read(study: Study) -> None:
    """Draw a choice of the texts by label, and the chosen one whole."""
    st.markdown("##### The texts, as experts read them")
    held, keys = (
        services.store().studies.items(study.id),
        services.store().study_keys.items(study.id),
    )
    label = st.selectbox(
        "Text",
        sorted(held, key=lambda one: (keys[one].attention, one)),
        index=None,
        key=f"study:read:{study.id}",
        placeholder="Choose one to read it",
        width=520,
        format_func=lambda one: f"{one} (check of attention)" if keys[one].attention else one,
    )
    if label not in held:
        return
    text = services.store().frozen.get(held[label], Record)
    with st.container(border=True):
        if isinstance(text, Idea | Design | Trajectory):
            seat_texts.unrolled(label, text)


def _guesses(found: Blinding) -> None:
    if not found.guesses:
        return
    st.markdown("##### How well a single count tells the source")
    st.dataframe(
        [
            {
                "By the number of": one.feature,
                "Right": f"{one.accuracy:.0%}",
                "By luck": f"{one.chance:.0%}",
                "Texts": one.n,
                "p": f"{one.p:.3f}",
            }
            for one in found.guesses
            if one.feature in FEATURES
        ],
        hide_index=True,
        key="study:guesses",
        width=560,
    )
    st.caption(
        "Each text is given to the source whose other texts have the nearest median; p is how often"
        " luck alone does as well."
    )
