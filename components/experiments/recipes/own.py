"""A recipe of one's own: a TOML file that is brought in, or typed; what is wrong in it is said with
line and key, and its text stays.
"""

import streamlit as st

from components.experiments.recipes import form
from components.shell import services
from components.shell.text import inline
from core.errors import BadInput
from core.experiments.recipes import ORDER, shipped
from core.runs.reproducing import own_recipe

NAME = "own"
"""What the address calls it."""
FILE, TEXT, UPLOAD, WRONG = (f"recipes:own:{one}" for one in ("file", "text", "upload", "wrong"))
KEPT = "draft:recipe"
"""The name under which the text is kept, so that a reload loses nothing."""
MOST = 200_000
"""Bytes of a recipe at most."""


def draw() -> None:
    """Draw the way to bring a recipe in, its text, and its form once nothing is wrong in it."""
    places = services.store().places
    if TEXT not in st.session_state:
        st.session_state[TEXT] = places.choice(KEPT) or ""
    st.file_uploader(
        "A recipe as a TOML file", type=["toml"], key=UPLOAD, on_change=_read, max_upload_size=1
    )
    if said := st.session_state.get(WRONG):
        st.error(inline(said, 600), icon=":material/error:")
    if not st.session_state[TEXT]:
        st.selectbox(
            "Or begin with one that comes with the program",
            ORDER,
            index=None,
            key="recipes:own:like",
            on_change=_like,
        )
    text = st.text_area("The recipe", key=TEXT, height=320, persist_state="session")
    if (text or None) != places.choice(KEPT):
        places.choose(KEPT, text or None)
    if not text.strip():
        st.caption("Bring in a file, or type a recipe. The form follows once it can be read.")
        return
    try:
        written = own_recipe(st.session_state.get(FILE, "recipe.toml"), text)
    except BadInput as error:
        st.error(inline(str(error), 2_000), icon=":material/error:")
        st.caption("Change it above, or in your file and bring that in again.")
        return
    form.draw(written)


def _like() -> None:
    """Begin with the text of a recipe that comes with the program; for callbacks."""
    if name := st.session_state.get("recipes:own:like"):
        st.session_state[TEXT] = shipped()[name].text
        st.session_state[FILE] = f"my-{name}.toml"


def _read() -> None:
    """Take in the file that was chosen; for callbacks. One that is no text changes nothing."""
    st.session_state.pop(WRONG, None)
    file = st.session_state[UPLOAD]
    if file is None:
        return
    data = file.getvalue()
    if len(data) > MOST:
        st.session_state[WRONG] = f"{file.name} is too long for a recipe, which is a screenful."
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        st.session_state[WRONG] = (
            f"{file.name} is no text in UTF-8. Save it as plain text in UTF-8."
        )
        return
    st.session_state[TEXT], st.session_state[FILE] = text, file.name
