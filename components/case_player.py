"""Playing a finished run back, on the screens it was made on: at reading speed or step by step; nothing is called, nothing changes."""
import streamlit as st

from components import case_clock, case_projector, case_scene, chain_view, refine_view, services, writing
from components.frame import told
from components.text import counted, inline, step_name
from core.cases.tape import Moment
from core.errors import BadInput
from core.records import Run
from core.story import Story

LINE = "case:line"


def draw(run: Run, projector: bool) -> None:
    """Draw the controls and, below, the run as it stood at this moment of its tape."""
    if run.state != "done" or run.config.method not in ("refine", "chain"):
        raise BadInput(f"Run {run.id} cannot be played: only a finished chain or refinement can.")
    clock = case_clock.of(run)
    if not projector:
        _about(run)
    _controls(run, clock, projector)

    @st.fragment(run_every=1.0 if clock.going else None)
    def played() -> None:
        moment = case_clock.moment(run)
        if moment.over and clock.going:
            case_clock.hold(run)
            st.rerun()
        with told():
            _progress(run, moment)
            (case_projector.draw if projector else _screen)(run, moment)

    played()


def _about(run: Run) -> None:
    st.subheader(inline(run.packed.title if run.packed else run.title, 160))
    if run.packed and run.packed.about:
        st.caption(inline(run.packed.about, 1000))
    if run.packed and run.packed.authored:
        st.info("The texts of this case study were written for it, by no model: there are no tokens, costs or times to show.", icon=":material/edit_note:")


def _controls(run: Run, clock: case_clock.Clock, projector: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button("From the start", icon=":material/first_page:", key="case:first", on_click=case_clock.jump, args=(run, 0.0))
        st.button("Back", icon=":material/chevron_left:", key="case:back", on_click=case_clock.step, args=(run, -1), shortcut="Left")
        if clock.going:
            st.button("Pause", icon=":material/pause:", type="primary", key="case:hold", on_click=case_clock.hold, args=(run,), shortcut="Space")
        else:
            st.button("Play", icon=":material/play_arrow:", type="primary", key="case:go", on_click=case_clock.play, args=(run,), shortcut="Space")
        st.button("Next", icon=":material/chevron_right:", icon_position="right", key="case:next", on_click=case_clock.step, args=(run, 1), shortcut="Right")
        st.button("To the end", icon=":material/last_page:", key="case:last", on_click=case_clock.jump, args=(run, case_clock.tape_of(run).seconds))
        st.selectbox("Speed", case_clock.SPEEDS, index=case_clock.SPEEDS.index(clock.speed), format_func=lambda one: f"{one:g}×", key="case:speed", width=100,
                     on_change=lambda: case_clock.faster(run, st.session_state["case:speed"]), label_visibility="collapsed")
        st.space("stretch")
        other = {"run": run.id, "at": f"{case_clock.of(run).now(case_clock.tape_of(run)):.1f}", **({} if projector else {"projector": "1"})}
        st.page_link("pages/cases.py", label="Leave the projector" if projector else "Projector", icon=":material/co_present:", query_params=other)
        if not projector:
            st.page_link("pages/cases.py", label="All case studies", icon=":material/arrow_back:")


def _progress(run: Run, moment: Moment) -> None:
    tape = case_clock.tape_of(run)
    share = min(moment.seconds / tape.seconds, 1.0) if tape.seconds else 1.0
    left = max(0, round((tape.seconds - moment.seconds) / case_clock.of(run).speed))
    said = "The end" if moment.over else f"{left // 60}:{left % 60:02d} left"
    st.progress(1.0 if moment.over else share, text=f"{said} · {moment.n} of {counted(len(tape.order), 'step')}")


def _screen(run: Run, moment: Moment) -> None:
    if run.config.method == "refine":
        refine_view.draw(case_scene.at(run, moment, int(st.session_state.get(LINE, 1))))
        return
    for part in moment.running[:2]:
        if part.text:
            with st.container(border=True, gap="xsmall"):
                st.markdown(f":gray[:material/edit_note: {inline(step_name(part.key))}]")
                writing.draw(part)
    chain_view.played(run, Story.of(services.store(), run.id, moment.shows), moment.over)
