"""The set of ideas picked to be rated: it lives in the address, as `ideas=a,b,c`."""

import streamlit as st

PARAM = "ideas"


def ids() -> tuple[str, ...]:
    """Return the picked ids, in the order they were picked."""
    return tuple(dict.fromkeys(part for part in st.query_params.get(PARAM, "").split(",") if part))


def keep(chosen: tuple[str, ...]) -> None:
    """Pick exactly these."""
    if chosen:
        st.query_params[PARAM] = ",".join(chosen)
    else:
        st.query_params.pop(PARAM, None)


def box(idea: str, key: str, label: str = "Pick") -> None:
    """Draw the box that puts an idea into the set or takes it out."""
    st.session_state[key] = idea in ids()

    def follow() -> None:
        # What the box says, not the opposite of what the address says: the browser may report one
        # click twice.
        others = tuple(other for other in ids() if other != idea)
        keep((*others, idea) if st.session_state[key] else others)

    st.checkbox(label, key=key, on_change=follow)
