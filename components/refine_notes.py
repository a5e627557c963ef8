"""Margin notes: on ideas to the left, on reviews to the right, with author and time; they change nothing in the run."""
import streamlit as st

from components import person, services
from components.refine_scene import Scene
from components.text import ago, counted, inline, shown
from core.errors import BadInput
from core.records import Note

OPEN = "refine:note-open"
"""Set to have the box for a note on the idea that is looked at opened."""
AT = "refine:note-at"
"""The place whose box is open."""


def margin(scene: Scene, about: str) -> None:
    """Draw the notes on one place (`round-3/idea`, `round-0/review`) and, unless a recording is played, the way to write one."""
    mine = [note for note in scene.notes if note.about == about]
    if mine:
        st.caption(f":material/sticky_note_2: {counted(len(mine), 'note')}")
    for note in mine:
        _note(scene, note)
    if scene.playing or scene.run.packed:
        return
    if about.endswith("/idea") and st.session_state.pop(OPEN, False):
        st.session_state[AT] = about
    if st.session_state.get(AT) == about:
        _box(scene, about)
    else:
        st.button("Add a note", icon=":material/sticky_note_2:", type="tertiary", key=f"refine:note:{about}", on_click=_open, args=(about,))


def _note(scene: Scene, note: Note) -> None:
    with st.container(border=True, gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"**{inline(note.by, 80)}** · {ago(note.at)}")
            if not (scene.playing or scene.run.packed):
                st.space("stretch")
                st.button("Remove", icon=":material/close:", type="tertiary", key=f"refine:unnote:{note.id}", on_click=_remove, args=(note,))
        st.markdown(shown(note.text))


def _box(scene: Scene, about: str) -> None:
    with st.form(f"refine:note:{about}:form", border=True):
        text = st.text_area("Note", key=f"refine:note:{about}:text", height=90)
        by = st.text_input("Your name (may stay empty)", key=f"refine:note:{about}:by", value=person.given(), max_chars=80)
        with st.container(horizontal=True):
            kept = st.form_submit_button("Keep the note", type="primary", icon=":material/check:")
            left = st.form_submit_button("Leave it")
    if kept:
        try:
            services.store().notes.add(scene.run.id, about, text, by.strip() or person.NOBODY)
        except BadInput as error:
            st.error(inline(str(error)))
            return
        person.is_called(by)
    if kept or left:
        st.session_state.pop(AT, None)
        st.rerun(scope="fragment" if scene.live else "app")


def _open(about: str) -> None:
    st.session_state[AT] = about


def _remove(note: Note) -> None:
    services.store().notes.remove(note.run, note.id)
