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
    st.checkbox(label, key=key, on_change=_toggle, args=(idea,))


def _toggle(idea: str) -> None:
    now = ids()
    keep(tuple(one for one in now if one != idea) if idea in now else (*now, idea))
