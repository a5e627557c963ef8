"""How a session's sources are grouped for comparison: by a column or by hand, and how p is
corrected; each choice is kept with its time and a name.
"""

import streamlit as st

from components.shell import mistakes, person, services
from components.shell.text import inline
from core.records import SourceGrouping, Study
from core.statistics.corrections import CORRECTIONS
from core.studies.grouping import BY, in_force, regroup
from core.studies.sourced import said_grouped

MISTAKE = "study:grouping"


def draw(study: Study) -> None:
    """Draw the grouping in force, and the way to another one."""
    now = in_force(services.store(), study.id)
    told = said_grouped(now).strip() or "Sources are grouped as they are called."
    key = f"study:group:{study.id}"
    with st.expander("How sources are grouped", icon=":material/category:", key=f"{key}:open"):
        st.markdown(f"{inline(told, 300)} p is corrected by {now.correction}.")
        left, middle, right = st.columns(3)
        by = left.selectbox(
            "Group by",
            list(BY),
            index=list(BY).index(now.by),
            key=f"{key}:by",
            format_func=lambda one: BY[one].capitalize(),
        )
        middle.segmented_control(
            "Correct p by",
            list(CORRECTIONS),
            default=now.correction,
            required=True,
            key=f"{key}:correction",
        )
        right.text_input(
            "Your name, kept with the grouping",
            person.given(),
            max_chars=80,
            key=f"{key}:who",
        )
        if by == "hand":
            _by_hand(study, now, key)
        st.button(
            "Group so",
            icon=":material/category:",
            key=f"{key}:do",
            on_click=_group,
            args=(study, key),
        )
        st.caption(
            "A grouping that is chosen after sources were revealed may be chosen for what it shows:"
            " exports and the methods paragraph say when it was drawn."
        )
    mistakes.shown(MISTAKE)


def _by_hand(study: Study, now: SourceGrouping, key: str) -> None:
    texts = services.store().study_keys.items(study.id)
    rows = [
        {
            "Label": label,
            "Title": item.title,
            "Method": item.method,
            "Model": item.model,
            "Group": now.groups.get(label, ""),
        }
        for label, item in texts.items()
        if not item.attention
    ]
    st.caption("Write a group's name beside each text; texts without one are left out.")
    st.session_state[f"{key}:rows"] = [row["Label"] for row in rows]
    st.data_editor(
        rows,
        key=f"{key}:hand",
        hide_index=True,
        disabled=("Label", "Title", "Method", "Model"),
    )
    st.session_state[f"{key}:groups"] = {row["Label"]: row["Group"] for row in rows}


def _group(study: Study, key: str) -> None:
    """Keep the chosen grouping; a callback."""
    said = st.session_state
    by = said[f"{key}:by"]
    groups: dict[str, str] = {}
    if by == "hand":
        groups = dict(said[f"{key}:groups"])
        labels = said[f"{key}:rows"]
        for row, change in said[f"{key}:hand"]["edited_rows"].items():
            groups[labels[int(row)]] = str(change.get("Group") or "")
    who = str(said[f"{key}:who"] or "")
    with mistakes.kept(MISTAKE):
        person.is_called(who)
        regroup(
            services.store(),
            study.id,
            SourceGrouping(
                by=by, groups=groups, correction=said[f"{key}:correction"] or "Holm", who=who
            ),
        )
