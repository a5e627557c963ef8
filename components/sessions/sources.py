"""What a session says of methods and models, once the key is open."""

import streamlit as st

from components.sessions import acts, figures, stats
from components.sessions.figures import config
from components.sessions.results import latest, whose
from components.sessions.words import moment
from components.shell import services
from components.shell.colours import ink
from components.shell.text import inline
from core.records import Study
from core.statistics.statistic import Statistic
from core.studies.sourced import EXPERTS, Sourced


def draw(study: Study) -> None:
    """Draw the figures by source, or the way to open the key."""
    if not study.unblinded:
        acts.unblinding(study)
        return
    found = latest(study, whose(study)).made
    by = next(
        (
            one.detail
            for one in services.store().studies.events(study.id)
            if one.what == "unblinded"
        ),
        "",
    )
    st.caption(
        f"The key was opened {moment(study.unblinded)}{f' by {inline(by, 80)}' if by else ''},"
        " after the session was closed."
    )
    if found.sourced is None or not found.sourced.figures:
        st.info(
            "There is too little to take a figure by source of.", icon=":material/hourglass_empty:"
        )
    else:
        _figures(study, found.sourced)
        stats.tables(found.source_tables, f"study:sources:{study.id}")
    _key(study)


def _figures(study: Study, found: Sourced) -> None:
    names = list(dict.fromkeys(one.criterion for one in found.figures))
    chosen = (
        names[0]
        if len(names) == 1
        else st.segmented_control(
            "Criterion",
            names,
            default=names[0],
            required=True,
            key=f"study:sources:{study.id}:criterion",
            persist_state="session",
            wrap=True,
            format_func=lambda one: inline(one, 60),
        )
        or names[0]
    )
    mine = [one for one in found.figures if one.criterion == chosen]
    mine.sort(key=lambda one: (one.who != EXPERTS, one.who))
    if any(one.figure.value is not None for one in mine):
        st.markdown(f"##### By source: {inline(str(chosen), 80)}")
        st.plotly_chart(
            figures.sourced(mine, found.measure, ink()),
            key=f"study:sources:{study.id}:chart",
            config=config("by-source"),
        )
    statistics: tuple[Statistic, ...] = (
        *(one.figure for one in mine),
        *found.differences.get(str(chosen), ()),
    )
    stats.draw(statistics)


def _key(study: Study) -> None:
    with st.expander("The key: what every label hid", icon=":material/key:"):
        held = services.store().study_keys.items(study.id)
        st.dataframe(
            [
                {
                    "Label": one.label,
                    "Title": one.title,
                    "Method": one.method,
                    "Model": one.model,
                    "Topic": one.topic,
                    "Source": one.source,
                    "By people": "yes" if one.target else "",
                }
                for one in held.values()
                if not one.attention
            ],
            hide_index=True,
            key="study:key",
        )
