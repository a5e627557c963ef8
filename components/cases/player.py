"""Playing a finished run back, on the screens it was made on: at reading speed or step by step;
nothing is called, nothing changes. At the end stand what came of it, and ways on.
"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from components.cases import clock as case_clock
from components.cases import listing, projector, save
from components.chains import view as chain_view
from components.experiments import results
from components.experiments.results import ResultFilter
from components.refine import address as refine_address
from components.refine import scene as refine_scene
from components.refine import view as refine_view
from components.runs import export, states, writing
from components.runs.states import PAGES
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline, step_name
from core.cases.slides import introduce
from core.cases.tape import Moment, plays
from core.errors import BadInput
from core.records import Outcome, Run
from core.runs.catalogue import entry
from core.story import Story

PAGE = "pages/cases.py"
PLAYED = "only a finished chain, refinement, evolution or ranking can, with its steps."
WRITING = 190
"""Pixels for what is being written: what is below stays where it is."""
BESIDE = 3
"""How many texts that are written at once are shown side by side."""


SCREENS = ("chains", "refine")
"""The pages that can show a run as it stood at a moment; others play as slides."""


def draw(run: Run, projected: bool) -> None:
    """Draw the controls and, below, the run as it stood at this moment of its tape; `projected`, or
    where no screen can do that, its slides. Raises BadInput for a run that cannot be played.
    """
    known = entry(run.config)
    if run.packed and known.screen and not known.played_back:
        _elsewhere(run)
        return
    if not plays(services.store(), run):
        raise BadInput(f"Run {run.id} cannot be played: {PLAYED}")
    if projected or known.screen not in SCREENS:
        if not projected:
            _about(run)
        projector.draw(run, projected)
        return
    listen(partial(case_clock.press, run))
    clock = case_clock.of(run)
    _about(run)
    _controls(run, clock)

    @st.fragment(run_every=1.0 if clock.going else None)
    def played() -> None:
        moment = case_clock.moment(run)
        if moment.over and clock.going:
            case_clock.hold(run)
            st.rerun()
        say(moment.seconds)
        with told():
            _progress(run, moment)
            _screen(run, moment)

    played()


def _elsewhere(run: Run) -> None:
    """Lead to the screen that shows a case study which does not play here."""
    _about(run)
    st.info(
        "This case study does not play step by step: it is shown whole, on the screen it was made"
        " on. Nothing is called there either.",
        icon=":material/slideshow:",
    )
    st.page_link(
        states.PAGES[run.config.method],
        label="See it",
        icon=":material/open_in_new:",
        query_params={"run": run.id},
    )
    if entry(run.config).screen == "experiments":
        results.draw_tables(run, ResultFilter())


def _about(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(
            inline(run.packed.title if run.packed else run.title, 160),
            anchor=False,
            width="content",
        )
        st.space("stretch")
        if entry(run.config).played_back:
            export.replay_button(lambda: run, export.named(run), "case")
        st.page_link(PAGE, label="All case studies", icon=":material/arrow_back:")
    if not entry(run.config).played_back:
        st.markdown(save.badge(run))
        return
    st.markdown(f"{save.badge(run)} :gray[Keys: space bar plays and pauses, ← → a step.]")
    # Whose texts these are stands in the badge already.
    known = [line.removesuffix(listing.SAID).strip() for line in introduce(run)]
    st.markdown("  \n".join(inline(line, 2000) for line in known))


def _controls(run: Run, clock: case_clock.Clock) -> None:
    tape = case_clock.tape_of(run)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="case-controls"
    ):
        _button("To the start", "first_page", "first", "Home", case_clock.jump, run, 0.0)
        _button("Back", "chevron_left", "back", "←", case_clock.step, run, -1)
        if clock.going:
            _button("Pause", "pause", "hold", "space bar", case_clock.hold, run)
        else:
            _button(
                "Play again" if clock.now(tape) >= tape.seconds else "Play",
                "play_arrow",
                "go",
                "space bar",
                case_clock.play,
                run,
            )
        _button("Next", "chevron_right", "next", "→", case_clock.step, run, 1)
        _button("To the end", "last_page", "last", "End", case_clock.jump, run, tape.seconds)
        st.selectbox(
            "Speed",
            case_clock.SPEEDS,
            index=case_clock.SPEEDS.index(clock.speed),
            format_func=lambda one: f"{one:g}×",
            key="case:speed",
            width=100,
            on_change=lambda: case_clock.faster(run, st.session_state["case:speed"]),
            label_visibility="collapsed",
        )
        st.space("stretch")
        st.button(
            "Projector",
            icon=":material/co_present:",
            type="tertiary",
            key="case:projector",
            on_click=projector.project,
            args=(True,),
            help="Large type, driven by keys: for a room. One thing comes after the other, which"
            " takes longer than here.",
        )


def _button(
    label: str, icon: str, name: str, by_key: str, does: Callable[..., None], *args: object
) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        type="primary" if name in ("hold", "go") else "secondary",
        key=f"case:{name}",
        help=f"{label} (key: {by_key})",
        on_click=does,
        args=args,
    )


def _progress(run: Run, moment: Moment) -> None:
    tape, share, said = case_clock.tape_of(run), 1.0, "The end"
    if not moment.over:
        minutes, seconds = divmod(
            max(0, round((tape.seconds - moment.seconds) / case_clock.of(run).speed)), 60
        )
        said = f"{minutes}:{seconds:02d} left"
        share = min(moment.seconds / tape.seconds, 1.0) if tape.seconds else 1.0
    with st.container(key="case-progress"):
        st.progress(share, text=f"{said} · {moment.n} of {counted(len(tape.order), 'step')}")


def _screen(run: Run, moment: Moment) -> None:
    if moment.over:
        _end(run)
    if entry(run.config).screen == "refine":
        refine_view.draw(refine_scene.at(run, moment, refine_address.line(run)))
        return
    if not moment.over:
        _writing(moment)
    chain_view.played(run, Story.of(services.store(), run.id, moment.shows), moment.over)


def _writing(moment: Moment) -> None:
    """Draw what is being written, side by side where several things are, in a place that keeps its
    size.
    """
    parts = [part for part in moment.running if part.text][:BESIDE] or moment.running[:1]
    columns = st.columns(len(parts) or 1, gap="small")
    for column, part in zip(columns, parts, strict=False):
        with column:
            st.markdown(f":gray[:material/edit_note: {inline(step_name(part.key), 60)}]")
            with st.container(border=True, height=WRITING, autoscroll=True):
                writing.draw(part)


# -- what it asks of the browser: its keys, and an address that says the moment -------------------

KEYS = ("ArrowLeft", "ArrowRight", " ", "Home", "End")
# On the window, and so before the keys of the screen that is played. The space bar is left to what
# has the focus and is pressed by it.
LISTENS = """
const TYPED = "input:not([type=radio]):not([type=checkbox]), textarea, select, " +
  "[contenteditable=true], [role=textbox], [role=combobox], [role=listbox], " +
  "[role=slider], [role=menu], [role=tablist], [role=dialog]"
const PRESSED = "button, a, summary, input, " +
  "[role=button], [role=radio], [role=radiogroup], [role=link]"
const LISTENERS = new WeakMap()

export default function ({ data, parentElement, setTriggerValue }) {
  const before = LISTENERS.get(parentElement)
  if (before) window.removeEventListener("keydown", before, true)
  const heard = (event) => {
    const at = event.target instanceof Element ? event.target : document.body
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.isComposing || !data.keys.includes(event.key) || at.closest(TYPED)) return
    if (event.key === " " && at.closest(PRESSED)) return
    if (event.key !== " " && at.closest("[role=radiogroup]")) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat || event.key !== " ") setTriggerValue("pressed", event.key)
  }
  LISTENERS.set(parentElement, heard)
  window.addEventListener("keydown", heard, true)
  return () => window.removeEventListener("keydown", heard, true)
}
"""
# Streamlit would add a page to the browser's history each time: the way back would be a second
# long.
SAYS = """
export default function ({ data }) {
  const address = new URL(window.location.href)
  if (address.searchParams.get("at") === data.at) return
  address.searchParams.set("at", data.at)
  window.history.replaceState(window.history.state, "", address)
}
"""


def listen(pressed: Callable[[str], None]) -> None:
    """Call `pressed` with one of KEYS before the next drawing whenever it is pressed where nobody
    types or chooses.
    """

    def tell() -> None:
        if key := st.session_state["case:keys"].pressed:
            pressed(str(key))

    st.components.v2.component("case_keys", js=LISTENS)(
        key="case:keys", data={"keys": KEYS}, height=1, on_pressed_change=tell
    )


def say(seconds: float) -> None:
    """Make the address say this second, so that a link or a reload restores the moment."""
    st.components.v2.component("case_address", js=SAYS)(
        key="case:address", data={"at": f"{seconds:.1f}"}, height=1
    )


# -- the end -------------------------------------------------------------------------------------


def _end(run: Run) -> None:
    """Draw what came of the run that was played, and what can be done with it."""
    outcome = Story.of(services.store(), run.id).last(Outcome)
    with st.container(border=True):
        st.markdown(
            "**:material/flag: The end.** "
            + (f"Result: {inline(outcome.idea.title, 300)}" if outcome else "")
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            _again(run)
            _link("pages/refine.py", "Refine its idea in a run of your own", "cyclone", run, "from")
            if entry(run.config).view == "chain":
                st.page_link(
                    "pages/chains.py",
                    label="Build a chain on its topic",
                    icon=":material/timeline:",
                    query_params={"topic": str(run.config.inputs["topic"])[:1500]},
                )
            _link(PAGES[run.config.method], "Open the run", "visibility", run)
            _link("pages/runs.py", "Every step of it", "list_alt", run)


def _link(page: str, label: str, icon: str, run: Run, name: str = "run") -> None:
    st.page_link(page, label=label, icon=f":material/{icon}:", query_params={name: run.id})


def _again(run: Run) -> None:
    st.button(
        "Play again",
        icon=":material/replay:",
        key="case:again",
        on_click=case_clock.play,
        args=(run,),
    )
