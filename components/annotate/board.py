"""Putting a set in order: ideas without a place, numbered places, ties; by buttons and by keys."""

from collections.abc import Sequence

import streamlit as st

from components.annotate import desk
from components.annotate.bench import SeatBench
from components.annotate.desk import SeatForm
from components.annotate.texts import title
from components.shell import ordering as order
from components.shell.ordering import Order
from core.studies.sitting import ShownUnit
from core.wording.catalogue import Wording

MOVES = {
    "up": ":material/arrow_upward:",
    "down": ":material/arrow_downward:",
    "tie": ":material/drag_handle:",
    "out": ":material/close:",
}


def draw(bench: SeatBench, shown: ShownUnit, form: SeatForm) -> None:
    """Draw what has no place yet, and the places."""
    now = groups(form)
    words = bench.words.calling(shown.names)
    on = desk.stamp(bench, shown, form)
    titles = {label: title(text) for label, text in shown.texts}
    pool = [
        (n, label) for n, label in enumerate(titles, 1) if not any(label in group for group in now)
    ]
    heading = f"**{words('board.open', n=len(pool))}**"
    # In one line with the heading: the ideas below stay where they are when the last was opened.
    if unread := [label for label in titles if label not in shown.opened]:
        said = words("board.unread", what=unread)
        heading += f" :small[:material/visibility_off: {said}]"
    st.markdown(heading)
    with st.container(key="seat-pool", gap="xsmall"):
        for n, label in pool:
            with st.container(key=f"seat-place-{n}"):
                st.button(
                    f"{n} · **{words.again(label)}** {titles[label]}",
                    key=f"seat:take:{words.again(label)}",
                    width="stretch",
                    help=words("board.take"),
                    on_click=desk.desk().wish,
                    args=(on, "take", label),
                )
        if not pool:
            st.caption(words("board.all_placed"))
    st.markdown(f"**{words('board.places')}**")
    with st.container(key="seat-places", gap="xsmall"):
        if not now:
            st.caption(words("board.how"))
        _places(words, now, titles, on)
    with st.container(key="seat-undo"):
        st.button(
            words("board.undo"),
            icon=":material/undo:",
            type="tertiary",
            key="seat:undo",
            disabled=not now,
            on_click=desk.desk().wish,
            args=(on, "undo"),
        )


def groups(form: SeatForm) -> Order:
    """Return the order a form has."""
    held: Order = form.seen.get("groups") or ()
    return held


def after(now: Order, what: str, label: str, known: Sequence[str]) -> Order:
    """Return the order a button leads to; what is not of this set changes nothing."""
    if what == "undo":
        return order.without(now, now[-1][-1]) if now else now
    if label not in known:
        return now
    if what == "take":  # The browser may report one click twice.
        return now if any(label in group for group in now) else order.placed(now, label)
    if not any(label in group for group in now):
        return now
    return {
        "up": lambda: order.moved(now, label, -1),
        "down": lambda: order.moved(now, label, 1),
        "tie": lambda: order.tied(now, label),
        "out": lambda: order.without(now, label),
    }[what]()


def _places(words: Wording, now: Order, titles: dict[str, str], on: str) -> None:
    before = 0
    for n, group in enumerate(now):
        for label in group:
            alone = len(group) == 1
            place = f"{before + 1}." if len(group) == 1 else f"{before + 1} ="
            _row(
                words,
                place,
                label,
                titles[label],
                on,
                {
                    "up": alone and n == 0,
                    "down": alone and n == len(now) - 1,
                    "tie": n == 0,
                    "out": False,
                },
            )
        before += len(group)


def _row(words: Wording, place: str, label: str, said: str, on: str, off: dict[str, bool]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", wrap=False):
        st.markdown(f"**{place}**", width=34)
        st.markdown(f"**{words.again(label)}** {said}", width="stretch")
        for what, icon in MOVES.items():
            st.button(
                "",
                icon=icon,
                key=f"seat:{what}:{words.again(label)}",
                help=words(f"board.{what}"),
                disabled=off[what],
                type="tertiary",
                on_click=desk.desk().wish,
                args=(on, what, label),
            )
