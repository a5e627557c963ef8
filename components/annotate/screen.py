"""An expert's session from the link to the thanks, one step a screen; and the organiser's preview
of it, which stores nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from components.access import entrance
from components.annotate import desk, keys, place, steps, terms, window, work
from components.annotate.bench import AtSeat, SeatBench
from components.annotate.place import END, PARAM, Move, way_out, way_out_afterwards
from components.annotate.rehearsal import Rehearsal, practising, previewing
from components.shell import services
from components.shell.frame import told
from components.shell.text import inline
from core.errors import SeatClosed
from core.records import Afterwards, SeatStep, Study
from core.studies import growing, sitting
from core.studies.sitting import Sitting
from core.wording.catalogue import ENGLISH, Wording

CLOSED = "seat:closed"
SPOKEN = "seat:language"
"""What this tab's screens said last: a seat that is revoked meanwhile opens nothing that would say
it.
"""
BANNER = 56
"""Pixels down: the line that says it is a preview."""
TAKES: dict[str, Callable[..., Sitting]] = {
    "agree": sitting.agree,
    "decline": sitting.decline,
    "instructed": sitting.instructed,
    "practised": sitting.practised,
    "withdraw": sitting.withdraw,
}
PREVIEWED: tuple[SeatStep, ...] = (
    "consent",
    "instructions",
    "practice",
    "work",
    "afterwards",
    "done",
)
AFTER: dict[str, SeatStep] = {
    "agree": "instructions",
    "decline": "done",
    "instructed": "practice",
    "practised": "work",
    "finish": "done",
}


def draw(secret: str) -> None:
    """Draw the step at which the seat of this link is; one sentence and nothing else where it opens
    none.
    """
    entrance.keep_seat()
    words = sitting.language(services.store(), secret) if secret else terms.language()
    if words == ENGLISH:
        words = st.session_state.get(SPOKEN, ENGLISH)
    st.session_state[SPOKEN] = words
    window.dress(words)
    try:
        if not secret and terms.joined():
            st.rerun()
        who = sitting.enter(services.store(), secret)
        entrance.seated(who.seat)
        if said := st.session_state.pop(CLOSED, ""):
            raise SeatClosed(said)
        terms.came_from(who)
        with told(outside=True, say=words.again):
            _step(who)
    except SeatClosed as error:
        closed(words, words.again(error), sitting.leaving(services.store(), secret))


def closed(words: Wording, said: str, leaving: Sitting | None = None) -> None:
    """Draw why there is nothing here, and for who may leave still how to."""
    keys.arrive("closed", words)
    with steps.column("closed"):
        st.info(inline(said, 1_000), icon=":material/info:")
        if leaving:
            way_out_afterwards(words, _moves(leaving))


def _moves(who: Sitting) -> Move:
    def move(name: str, *said: int) -> None:
        with _closing():
            TAKES[name](services.store(), who, *said)
        st.rerun()

    return move


def _step(who: Sitting) -> None:
    move = _moves(who)
    if place.withdraws():
        move("withdraw")
    found = growing.growth(services.store(), who)
    if who.step in steps.ENDED:
        steps.ended(who.words, who.step, who.terms, move)
    elif _introduce(who, move):
        return
    elif found:
        with _closing():
            work.keep(AtSeat(who))
            with steps.column("grown"):
                terms.grown(who, found, st.rerun)
                way_out(who.words, move)
    elif who.step == "afterwards" and st.query_params.get(PARAM, END) in ("", END):
        _afterwards(who, move)
    elif terms.is_pressing(who.terms):
        with st.container(height=steps.LINE, border=False, key="seat-due"):
            st.markdown(f":material/event: {terms.due(who.words, who.terms, brief=True)}")
        _work(AtSeat(who), move, st.rerun, steps.TAKEN)
    else:
        _work(AtSeat(who), move, st.rerun)


def _work(bench: SeatBench, move: Move | None, over: Callable[[], None], above: int = 0) -> None:
    # A press draws the unit anew, and nothing else.
    @st.fragment
    def working() -> None:
        if move and place.withdraws():
            move("withdraw")
        if isinstance(bench, AtSeat) and bench.grown():
            with _closing():
                work.keep(bench)
            st.rerun(scope="app")
        with told(outside=True, say=bench.words.again):
            with _closing():
                more = work.draw(bench, move, above)
            if not more:
                over()

    if not bench.listed():
        st.info(bench.words("ended.nothing"), icon=":material/inbox:")
        return
    place.read(bench, desk.desk())
    working()


@contextmanager
def _closing() -> Iterator[None]:
    """Show the whole page anew, with nothing on it but the reason, when the seat or the session
    ends under it.
    """
    try:
        yield
    except SeatClosed as error:
        st.session_state[CLOSED] = error.args[0]
        st.rerun(scope="app")


def _practice(bench: Rehearsal, move: Move) -> None:
    @st.fragment
    def practising() -> None:
        with told(outside=True, say=bench.words.again):
            steps.practice(bench, move)

    practising()


def _afterwards(who: Sitting, move: Move) -> None:
    store = services.store()
    listed = sitting.listed(store, who)

    def finish(said: Afterwards) -> None:
        with _closing():
            sitting.finish(store, who, said)
        st.rerun()

    with steps.column("after"):
        shown = tuple(sorted({label for one in listed for label in one.shown}))
        steps.last_questions(
            who, sitting.sets_to_guess(store, who), steps.titles(who, shown), finish, True
        )
        with st.container(horizontal=True):
            if st.button(
                who.words("last.over"),
                icon=":material/arrow_back:",
                type="tertiary",
                key="seat:over",
            ):
                st.query_params[PARAM] = "1"
                st.rerun()
            way_out(who.words, move)


# -- the organiser's preview -------------------------------------------------------------------


def _introduce(who: Sitting, move: Move) -> bool:
    """Draw a step before the work; return whether the seat is at one."""
    match who.step:
        case "consent":
            steps.consent(who, move)
        case "instructions":
            steps.instructions(who, move)
        case "practice":
            _practice(practising(who), move)
        case _:
            return False
    return True


def preview(study: Study, step: str) -> None:
    """Draw a step as an expert will see it; nothing is stored."""
    at: SeatStep = next((known for known in PREVIEWED if known == step), "consent")
    now = services.store().terms.get(study.id)
    who = Sitting.of(study, "preview", at, study.plan.criteria, now)
    window.dress(who.words)
    with st.container(horizontal=True, vertical_alignment="center", key="seat-preview"):
        st.page_link(
            "pages/sessions.py",
            label="Back to the session",
            icon=":material/arrow_back:",
            query_params={"session": study.id},
        )
        st.markdown(
            ":material/visibility: **Preview: nothing is stored.** This is what an expert sees.",
            width="content",
        )
        st.space("stretch")
        said = st.segmented_control(
            "Step",
            PREVIEWED,
            default=who.step,
            required=True,
            key=f"seat:preview:{who.step}",
            format_func=str.capitalize,
            label_visibility="collapsed",
        )
    if said != who.step:
        _to(str(said))

    def move(name: str, *_said: int) -> None:
        _to(AFTER.get(name, who.step))

    bench = previewing(study)
    if _introduce(who, move):
        return
    if who.step == "work":
        _work(bench, None, lambda: _to("afterwards"), BANNER)
    elif who.step == "afterwards":
        sets = bench.sets() if who.hidden_target else ()
        titles = steps.titles(who, bench.labels())
        with steps.column("after"):
            steps.last_questions(who, sets, titles, lambda _: move("finish"), False)
    else:
        steps.ended(who.words, "done", who.terms, None)


def _to(step: str) -> None:
    st.query_params["step"] = step
    st.rerun()
