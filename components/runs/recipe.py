"""The recipe that a run was begun by: which table of which paper it gives, that table with the
published one beside, and everything as one file.
"""

import streamlit as st

from components.runs import export as run_export
from components.runs import side_by_side
from components.shell import services
from components.shell import table as shown_table
from components.shell.frame import told
from components.shell.text import inline
from core.export.reproduced import files, reproduced
from core.export.writing import zip_files
from core.records import Reproduction, Run
from core.runs.engines import ENGINES
from core.runs.recipe_data import COMES_WITH
from core.runs.reproducing import reproduction


def draw(run: Run, tables: bool = True) -> None:
    """Draw the line of the recipe, its tables where the page itself does not draw them, and the
    export; nothing for a run that no recipe began.
    """
    if not run.config.recipe:
        return
    made = reproduction(services.store(), run)
    with st.container(border=True, gap="xsmall", key=f"recipe:{run.id}"):
        st.markdown(f":material/menu_book: {_line(made)}")
        st.caption(inline(made.recipe.not_comparable, 1_000))
        _zip_button(run, made)
        if tables:
            with st.expander(
                "Its tables, the published ones beside them",
                key=f"recipe:{run.id}:tables",
                on_change="rerun",
                type="compact",
            ) as opened:
                if opened.open:
                    with told():
                        _tables(run)

    side_by_side.draw(run)


def _line(made: Reproduction) -> str:
    recipe, noun = made.recipe, ENGINES[made.recipe.engine].noun
    data = "built-in" if made.data == COMES_WITH else made.data
    return (
        f"Recipe **{inline(recipe.title, 120)}**: {inline(', '.join(recipe.shows), 200)} of"
        f" {inline(recipe.paper, 80)} :gray[· size {inline(made.size)} ·"
        f" {made.take:,} {noun} ({inline(data, 160)})]"
    )


def _zip_button(run: Run, made: Reproduction) -> None:
    """Draw the button that gives everything of a run of a recipe as one file."""
    store = services.store()
    st.download_button(
        "Everything (zip)",
        lambda: zip_files(files(store, run.id)),
        f"{run_export.named(run)}-{made.recipe.name}.zip",
        "application/zip",
        key=f"recipe:{run.id}:zip",
        icon=":material/folder_zip:",
        on_click="ignore",
        help="Configuration, tables (CSV, LaTeX, SVG), published values, and every answer",
    )


def _tables(run: Run) -> None:
    found = reproduced(services.store(), run.id)
    if not found.drawn and not found.aside:
        st.caption("Nothing can be told yet. Tables appear with the first results.")
    for own, theirs in found.drawn:
        key = f"recipe:{run.id}"
        shown_table.draw(own, key)
        if theirs:
            shown_table.draw(theirs, f"{key}:published")
    for one in found.aside:
        shown_table.draw(one, f"recipe:{run.id}:aside")
    if found.missing:
        st.caption(
            f"Not there yet: {inline(', '.join(found.missing), 600)}. It needs more models, judges"
            " or votes."
        )
