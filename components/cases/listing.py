"""The case studies there are: those that come with the program, those opened from files, and the
way to open one.
"""

from functools import partial

import streamlit as st

from components.cases import clock
from components.runs.export import named, replay_button
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline, shown
from core.cases import MOST_BYTES, close_case, open_case
from core.cases.bundled import Bundled, bundled, opened
from core.errors import BadInput, FoundryError
from core.records import Run
from core.runs.catalogue import METHODS, entry

PAGE = "pages/cases.py"
AUTHORED = ":material/edit_note: hand-written texts, not by a model"
SAID = "The texts were written for this case study; no model wrote them."
"""How what is said about a case study ends where the file has to say it by itself; beside AUTHORED
it would be said twice.
"""
WRONG = "case:wrong"
"""Why the file that was chosen is not shown."""


def draw() -> None:
    """Draw all case studies."""
    with told():
        if not bundled():
            st.info(
                "This program came without case studies. Open one from a file below, or finish a"
                " run of your own and choose “Play it back”.",
                icon=":material/slideshow:",
            )
        for case in bundled():
            _bundled(case)
    known = {case.run for case in _known()}
    packed = services.store().runs.listed(packed=True, limit=50)
    own = [run for run in packed if run.id not in known]
    if own:
        st.subheader("Opened from files")
    for run in own:
        _opened(run)
    st.subheader("Open one from a file")
    _open()


def short(most: int) -> None:
    """Draw the first case studies that come with the program, a line each, to be played at once."""
    for case in _known()[:most]:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            _play_button(case)
            st.markdown(f"**{inline(case.title, 160)}**", width="content")
            st.space("stretch")
            st.caption(
                _size(case) + (" · hand-written texts" if case.authored else ""), width="content"
            )


def there(run_id: str) -> Run:
    """Return a run; a case study that comes with the program is opened on first use, so that a link
    to it works anywhere. Raises BadInput.
    """
    try:
        return services.store().runs.get(run_id)
    except BadInput:
        case = next((one for one in _known() if one.run == run_id), None)
        if case is None:
            raise
        return opened(services.store(), case.name)


def close(run: Run, key: str) -> None:
    """Draw the button that takes an opened case study off the list again."""
    st.button(
        "Close",
        icon=":material/close:",
        type="tertiary",
        key=key,
        on_click=_close,
        args=(run.id,),
        help="Takes it off the list of case studies; the file stays where it is.",
    )


def _known() -> tuple[Bundled, ...]:
    try:
        return bundled()
    except FoundryError:
        return ()  # Said on the page of case studies.


def _bundled(case: Bundled) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{inline(case.title, 160)}**")
            st.space("stretch")
            if METHODS[case.method].played_back:
                replay_button(partial(_run_of, case), case.name, f"case:{case.name}")
            _play_button(case)
        _describe(case.about, f"{METHODS[case.method].label} · {_size(case)}", case.authored)


def _describe(about: str, facts: str, authored: bool) -> None:
    if about:
        st.markdown(shown(about.removesuffix(SAID)))
    st.caption(f"{facts} · {AUTHORED}" if authored else facts)


def _size(case: Bundled) -> str:
    if case.runs:
        return counted(case.runs, "run")
    return counted(case.rounds, "round") if case.rounds else counted(case.papers, "paper")


def _play_button(case: Bundled) -> None:
    plays = bool(METHODS[case.method].played_back)
    label, icon, does = (
        ("Play", "play_arrow", "Plays") if plays else ("Open", "open_in_new", "Opens")
    )
    if st.button(
        label,
        icon=f":material/{icon}:",
        key=f"case:play:{case.name}",
        help=f"{does} “{inline(case.title, 160)}”; nothing is called.",
    ):
        _play(_run_of(case))


def _run_of(case: Bundled) -> Run:
    return opened(services.store(), case.name)


def _play(run: Run) -> None:
    clock.play(run)
    st.switch_page(PAGE, query_params={"run": run.id})


def _opened(run: Run) -> None:
    assert run.packed is not None
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{inline(run.packed.title, 160)}**")
            st.space("stretch")
            close(run, f"case:close:{run.id}")
            plays = entry(run.config).played_back
            if plays:
                replay_button(lambda: run, named(run), f"case:{run.id}")
            label, icon = ("Play", "play_arrow") if plays else ("Open", "open_in_new")
            if st.button(label, icon=f":material/{icon}:", key=f"case:play:{run.id}"):
                _play(run)
        size = counted(run.steps, "step")
        if entry(run.config).has_runs_made:
            held = services.store().runs.count(packed=True, sweep=run.id)
            size = counted(held, "run")
        facts = f"{METHODS[run.config.method].label} · {size}"
        if run.packed.by:
            facts += f" · packed by {inline(run.packed.by, 80)}, as its file says"
        _describe(run.packed.about, facts, run.packed.authored)


def _open() -> None:
    st.caption(
        f"A file made by “Save as case study”, at most {MOST_BYTES // 1_000_000} MB. It is checked"
        " before anything is shown, nothing in it is run, and playing it calls nobody. A digest"
        " shows that it came through whole; it is not signed, so it may have been changed by"
        " anybody who handed it on."
    )
    st.file_uploader(
        "A case study, as a file",
        type=["json"],
        key="case:file",
        on_change=_read,
        max_upload_size=MOST_BYTES // 1_000_000,
    )
    if said := st.session_state.get(WRONG):
        st.error(inline(said, 1000), icon=":material/error:")


def _read() -> None:
    """Open the file that was chosen; once, in a callback: what is closed later must not come back
    with the next drawing.
    """
    st.session_state.pop(WRONG, None)
    file = st.session_state["case:file"]
    if file is None:
        return
    try:
        st.query_params["run"] = open_case(services.store(), file.getvalue()).id
    except FoundryError as error:
        st.session_state[WRONG] = str(error)


def _close(run_id: str) -> None:
    try:
        close_case(services.store(), run_id)
    except FoundryError as error:
        st.session_state["states:said"] = str(error)
        return
    st.query_params.pop("run", None)
