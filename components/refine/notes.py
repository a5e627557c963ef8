"""Margin notes: on ideas to the left, on reviews to the right, with author and time; they change
nothing in the run.
"""

import streamlit as st

from components.refine.scene import RefineScene
from components.shell import mistakes, person, services
from components.shell.text import ago, counted, inline, shown
from core.errors import BadInput

OPEN = "refine:note-open"
"""Set to have the box for a note on the idea that is looked at opened."""
AT = "refine:note-at"
"""The place whose box is open, by run."""
BOX = "refine-note-box"
"""What the box is called on the page; the key that opens it looks for its text there."""


def margin(scene: RefineScene, about: str) -> None:
    """Draw the notes on one place (`round-3/idea`, `round-0/review`) and, unless a recording is
    played, the way to write one.

    A box stays where it is when the next round begins below somebody's hands.
    """
    mine = [note for note in scene.notes if note.about == about]
    if mine:
        st.caption(f":material/sticky_note_2: {counted(len(mine), 'note')}")
    for note in mine:
        with st.container(border=True, gap="xxsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                where = "" if note.run == scene.run.id else " · in the parent run"
                st.markdown(
                    f":small[**{inline(note.by, 80)}** · {ago(note.at)}{where}]", width="content"
                )
                if scene.changeable and note.run == scene.run.id:
                    st.space("stretch")
                    st.button(
                        "Remove",
                        icon=":material/close:",
                        type="tertiary",
                        key=f"refine:unnote:{note.id}",
                        on_click=services.store().notes.remove,
                        args=(note.run, note.id),
                    )
            st.markdown(shown(note.text))
    if not scene.changeable:
        return
    at = f"{AT}:{scene.run.id}"
    if about.endswith("/idea") and st.session_state.pop(OPEN, False):
        st.session_state[at] = about
    opened = str(st.session_state.get(at, ""))
    if opened == about or (scene.live and opened.rpartition("/")[2] == about.rpartition("/")[2]):
        _box(scene, opened)
    else:
        st.button(
            "Add a note",
            icon=":material/sticky_note_2:",
            type="tertiary",
            key=f"refine:note:{scene.run.id}:{about}",
            on_click=st.session_state.update,
            args=({at: about},),
        )


def _box(scene: RefineScene, about: str) -> None:
    key = f"refine:note:{scene.run.id}:{about}"
    with st.container(border=True, key=BOX):
        st.text_area(
            f"Note on {_called(about)}", key=f"{key}:text", height=90, persist_state="session"
        )
        person.field(f"{key}:by")
        with st.container(horizontal=True):
            st.button(
                "Keep the note",
                type="primary",
                icon=":material/check:",
                key=f"{key}:keep",
                on_click=_keep,
                args=(scene, about, key),
            )
            st.button(
                "Leave it", type="tertiary", key=f"{key}:leave", on_click=_close, args=(scene, key)
            )
        mistakes.shown(key)


def _called(about: str) -> str:
    """Say in words where a note stands: `idea-2/round-3/review` is `the review of round 3`."""
    place, kind = about.rsplit("/", 2)[-2:]
    n = place.removeprefix("round-")
    if n == "0":
        return "the first idea" if kind == "idea" else "the review of the first idea"
    return f"the {'idea' if kind == 'idea' else 'review'} of round {n}"


def _keep(scene: RefineScene, about: str, key: str) -> None:
    if st.session_state.get(f"{AT}:{scene.run.id}") != about:
        return  # The browser may report one click twice.
    with mistakes.kept(key):
        text = str(st.session_state.get(f"{key}:text") or "")
        if not text.strip():
            raise BadInput("Write the note first.")
        services.store().notes.add(scene.run.id, about, text, person.name())
        _close(scene, key)


def _close(scene: RefineScene, key: str) -> None:
    st.session_state.pop(f"{AT}:{scene.run.id}", None)
    st.session_state[f"{key}:text"] = ""
    mistakes.forget(key)
