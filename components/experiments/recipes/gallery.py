"""The gallery of recipes: by paper, each with what it shows and what it takes; one opened, or a
recipe of one's own.
"""

from collections.abc import Callable
from functools import cache
from itertools import groupby

import streamlit as st

from components.experiments.recipes import form, own
from components.shell import in_view
from components.shell.text import counted, inline
from core.experiments.recipes import ORDER
from core.runs.engines import ENGINES
from core.runs.estimates import Estimate
from core.runs.reproducing import Listed, listed, recipe_of

ALL = "all"
"""What the address calls the gallery."""
OPENED = "recipes-opened"
"""The container of the recipe that is opened."""


def draw(given: str) -> None:
    """Draw the recipe that the address names, or all there are."""
    if given == own.NAME:
        _opened(own.draw)
    elif given in ORDER:
        _opened(lambda: form.draw(recipe_of(given)))
    else:
        if given not in ("", ALL):
            st.warning(
                inline(f"There is no recipe {given!r}. These come with the program."),
                icon=":material/search_off:",
            )
        _gallery()


def _opened(show: Callable[[], None]) -> None:
    st.button(
        "All recipes",
        icon=":material/arrow_back:",
        type="tertiary",
        key="recipes:all",
        on_click=_open,
        args=("",),
    )
    with st.container(key=OPENED):
        show()
    in_view.follow("recipes")


def _open(name: str) -> None:
    """Let the address name a recipe; for callbacks."""
    if name:
        st.query_params["recipe"] = name
    else:
        st.query_params.pop("recipe", None)


@cache
def _shipped() -> tuple[Listed, ...]:
    """Return the recipes that come with the program; what they take depends on nothing else."""
    return listed()


def _gallery() -> None:
    st.caption(
        "Each is a table or figure of a paper as one experiment, with models of your own; what was"
        " published stands beside what you find. What it takes is counted with one model that"
        " writes, and as many judges as it needs."
    )
    for paper, group in groupby(_shipped(), lambda one: one.recipe.paper):
        st.markdown(f"##### {inline(paper, 120)}")
        for one in group:
            _card(one)
    st.markdown("##### Your own")
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(gap="xxsmall", width="stretch"):
            st.markdown("**A recipe of your own**")
            st.caption(
                "A TOML file of the same kind, such as one of these changed. What is wrong in it"
                " is said with line and key."
            )
        _button("Bring it in", own.NAME)


def _card(one: Listed) -> None:
    recipe = one.recipe
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(gap="xxsmall", width="stretch"):
            st.markdown(
                f"**{inline(recipe.title, 160)}** :blue-badge[{inline(', '.join(recipe.shows))}]"
            )
            needs = f" {ENGINES[recipe.engine].needs}" if ENGINES[recipe.engine].needs else ""
            st.caption(
                f"`{recipe.name}` · Small: {takes(one.small)}. As in the paper:"
                f" {takes(one.paper)}.{needs}"
            )
        _button("Open", recipe.name)


def _button(label: str, name: str) -> None:
    st.button(
        label,
        key=f"recipes:open:{name}",
        icon=":material/menu_book:" if label == "Open" else ":material/upload_file:",
        on_click=_open,
        args=(name,),
    )


def takes(guess: Estimate) -> str:
    """Say in a few words what a recipe takes."""
    calls = f"about {counted(guess.calls, 'call')}"
    if guess.tokens < 1e6:
        return f"{calls}, {round(guess.tokens, -3):,} tokens"
    return f"{calls}, {guess.tokens / 1e6:,.0f} million tokens"
