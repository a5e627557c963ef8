"""Where in a session an expert is: which unit the address names, the line above the work, and the
ways back, to a pause and out.
"""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.annotate import desk as seat_desk
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatDesk, SeatForm
from components.annotate.words import left
from components.shell.text import inline
from core.records import Assignment
from core.studies.sitting import ShownUnit
from core.wording.catalogue import Wording

Move = Callable[..., None]
"""Takes a seat a step on, by the step's name: `agree` (with how many units), `decline`,
`instructed`, `practised`, `withdraw`.
"""
PARAM = "at"
END = "end"
"""After the last unit."""
WITHDRAW = "seat:withdraw"
MOST_OF_TOPIC = 60
"""Letters that stand on one line with the rest, 1,024 pixels across."""


def read(bench: SeatBench, desk: SeatDesk) -> None:
    """Go where the address says: the browser's back and forward buttons change it by themselves.

    For a drawing of the whole page alone, as those buttons ask for. What draws the unit anew is a
    press, and one that follows another closely, as in a double click, names the address from before
    the first: there nobody wants to go.
    """
    address = st.query_params.get(PARAM, "")
    if bench.addressed and address != desk.address:
        desk.address = address
        desk.at[bench.name] = address or desk.bare


def chosen(bench: SeatBench, desk: SeatDesk) -> Assignment | None:
    """Return the unit that is to be on the screen; None after the last."""
    listed = bench.listed()
    wanted = desk.at.get(bench.name, "")
    at = upcoming = _upcoming(listed)
    for n, one in enumerate(listed, 1):
        if str(n) == wanted and (one.done or one == upcoming):
            at = one
    desk.at[bench.name] = str(listed.index(at) + 1) if at else END
    if bench.addressed and not desk.address:
        desk.bare = desk.bare or desk.at[bench.name]
    return at


def following(bench: SeatBench, after: Assignment) -> str:
    """Return where to go after a unit: to its own next part, to the next where that is answered
    too, to the first that is open, or to the end.
    """
    listed = bench.listed()
    here = next(
        n for n, one in enumerate(listed) if (one.unit, one.time) == (after.unit, after.time)
    )
    upcoming = _upcoming(listed)
    if not after.done:
        return str(here + 1)
    if here + 1 < len(listed) and listed[here + 1].done:
        return str(here + 2)
    return str(listed.index(upcoming) + 1) if upcoming else END


def say(bench: SeatBench, desk: SeatDesk) -> None:
    """Let the address name the unit, so that a reload and the browser's back button find it."""
    now = desk.at[bench.name]
    named = desk.address or desk.bare
    if bench.addressed and now != named:
        st.query_params[PARAM] = desk.address = now


def head(
    bench: SeatBench, desk: SeatDesk, shown: ShownUnit, form: SeatForm, move: Move | None
) -> DeltaGenerator:
    """Draw the line above the work; return the place for when it was saved."""
    listed = bench.listed()
    words = bench.words
    on = seat_desk.stamp(bench, shown, form)
    n = int(desk.at[bench.name])
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="seat-head"):
        at = words("head.place", n=n, of=len(listed))
        st.markdown(f"{at}{left(words, bench.minutes_left())}", width="content")
        if shown.unit.topic:
            on_topic = words("head.topic", topic=inline(shown.unit.topic, MOST_OF_TOPIC))
            st.markdown(f":gray[{on_topic}]", width="content")
        # Last on its side, so that nothing moves when something is saved; on a phone it would take
        # a line more, and is said below the form alone.
        saved = st.container(width="content", key="seat-saved").empty()
        st.space("stretch")
        if move:
            way_out(words, move)
        st.button(
            words("head.back"),
            icon=":material/arrow_back:",
            type="tertiary",
            key=f"seat:back:{on}",
            disabled=n == 1,
            on_click=desk.wish,
            args=(on, "go", str(n - 1)),
            help=words("head.back_help"),
        )
        if bench.kept and _upcoming(listed) is None:
            st.button(
                words("head.last"),
                icon=":material/last_page:",
                type="tertiary",
                key=f"seat:end:{on}",
                on_click=desk.wish,
                args=(on, "go", END),
            )
    return saved


def way_out(words: Wording, move: Move) -> None:
    """Draw what to do to stop for a while, or for good; for good is asked once."""
    leave = words("head.leave")
    with st.popover(leave, icon=":material/pause:", type="tertiary", key="seat-leave"):
        st.markdown(words("head.pause"))
        _withdrawal(words, move)


def way_out_afterwards(words: Wording, move: Move) -> None:
    """Draw how to withdraw where nothing is left to do."""
    with st.popover(
        words("ended.withdraw"), icon=":material/logout:", type="tertiary", key="seat-leave"
    ):
        _withdrawal(words, move)


def _withdrawal(words: Wording, move: Move) -> None:
    st.markdown(words("head.withdraw"))
    if st.button(words("head.withdraw_button"), icon=":material/logout:", key=WITHDRAW):
        move("withdraw")


def withdraws() -> bool:
    """Return whether the last press was on the way out for good, also before, and where, its
    button is not drawn again: what comes up meanwhile must not swallow it.
    """
    return bool(st.session_state.get(WITHDRAW))


def _upcoming(listed: tuple[Assignment, ...]) -> Assignment | None:
    return next((one for one in listed if not one.done), None)
