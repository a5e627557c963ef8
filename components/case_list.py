"""The case studies there are: those that come with the program, those opened from files, and the way to open one."""
import streamlit as st

from components import services
from components.frame import told
from components.text import counted, inline, shown
from core.cases import MOST_BYTES, close_case, open_case
from core.cases.bundled import Bundled, bundled, opened
from core.errors import FoundryError
from core.methods import METHODS
from core.records import Run

PAGE = "pages/cases.py"


def draw() -> None:
    """Draw all case studies."""
    with told():
        for case in bundled():
            _bundled(case)
    known = {case.run for case in _known()}
    own = [run for run in services.store().runs.listed(packed=True, limit=50) if run.id not in known]
    if own:
        st.subheader("Opened from files")
    for run in own:
        _opened(run)
    st.subheader("Open one")
    _open()


def _known() -> tuple[Bundled, ...]:
    try:
        return bundled()
    except FoundryError:
        return ()  # Said above already.


def _bundled(case: Bundled) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{inline(case.title, 160)}**")
            st.space("stretch")
            st.button("Play", icon=":material/play_arrow:", type="primary", key=f"case:play:{case.name}", on_click=_play, args=(case.name,))
        st.markdown(shown(case.about))
        size = counted(case.rounds, "round") if case.rounds else counted(case.papers, "paper")
        st.caption(f"{METHODS[case.method].label} · {size}" + (f" · {authored()}" if case.authored else ""))


def authored() -> str:
    """Say what kind of texts an authored case study has."""
    return ":material/edit_note: texts written for this case study, by no model"


def _opened(run: Run) -> None:
    assert run.packed is not None
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(PAGE, label=inline(run.packed.title, 120), icon=":material/play_arrow:", query_params={"run": run.id})
            st.space("stretch")
            st.button("Close", icon=":material/close:", type="tertiary", key=f"case:close:{run.id}", on_click=_close, args=(run.id,),
                      help="Takes it off this list; the file stays where it is.")
        if run.packed.about:
            st.markdown(shown(run.packed.about))
        by = f" · packed by {inline(run.packed.by, 80)}" if run.packed.by else ""
        st.caption(f"{METHODS[run.config.method].label}{by}" + (f" · {authored()}" if run.packed.authored else ""))


def _open() -> None:
    st.caption(f"A file made by “Save as case study”, at most {MOST_BYTES // 1_000_000} MB. It is checked before anything is shown, nothing in it is run, "
               "and playing it calls nobody.")
    file = st.file_uploader("A packed run", type=["json"], key="case:file")
    if file is None:
        return
    with told():
        run = open_case(services.store(), file.getvalue())
        st.page_link(PAGE, label=f"Play: {inline(run.title, 120)}", icon=":material/play_arrow:", query_params={"run": run.id})


def _play(name: str) -> None:
    try:
        st.query_params["run"] = opened(services.store(), name).id
    except FoundryError as error:
        st.session_state["states:said"] = str(error)


def _close(run_id: str) -> None:
    try:
        close_case(services.store(), run_id)
    except FoundryError as error:
        st.session_state["states:said"] = str(error)
