"""What of a benchmark is not in its figures: answers that failed, which can be asked for again, and
ideas that are excluded, each with its reason.
"""

from collections.abc import Sequence

import streamlit as st

from components.benchmark.words import ONE, WHY
from components.runs.models import called
from components.runs.states import active
from components.shell import mistakes, services
from components.shell.paging import ROWS, first
from components.shell.text import counted
from core.benchmark import BenchInputs
from core.benchmark.figures.drawing import clear
from core.benchmark.keywords import find_keywords
from core.benchmark.progress import BenchProgress
from core.records import BenchCell, Run
from core.runs.extending import again

SEEN, HIGH = 5, 213
"""Rows that are seen at once, and the height in pixels of a table of so many, however many it has:
the rest by scrolling.
"""


def draw(run: Run, found: BenchProgress) -> None:
    """Draw what failed with the way to ask for it again, and what is excluded."""
    failed, excluded = found.total("failed"), found.total("excluded")
    mistakes.shown("bench:again")
    if failed:
        with st.container(border=True):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    f":red-badge[:material/error: {counted(failed, 'answer')} failed] None of them"
                    " is in any figure."
                )
                st.space("stretch")
                st.button(
                    "Ask the failed ones again",
                    icon=":material/refresh:",
                    key="bench:again",
                    disabled=active(run),
                    on_click=ask_again,
                    args=("bench:again", run.id),
                    help=(
                        "Available when the benchmark is not running. Only what failed, and what"
                        " depends on it, is asked and paid."
                    ),
                )
            _page(run, found, "failed", failed)
    if excluded:
        with st.expander(
            f":orange-badge[:material/block: {counted(excluded, 'idea')} excluded] by the protocol:"
            " refused twice, or too long",
            key="bench:excluded",
            on_change="rerun",
        ) as told:
            if told.open:
                _page(run, found, "excluded", excluded)


def ask_again(key: str, run: str) -> None:
    """Ask once more for what failed; a callback, whose mistakes are shown under `key`."""
    with mistakes.kept(key):
        again(services.runner(), run)


def _page(run: Run, found: BenchProgress, state: str, total: int) -> None:
    model, among = _wanted(run, found, state) if total > SEEN else (None, None)
    total = services.store().benchmarks.sums.lost(run.id, state, model, among)
    if not total:
        st.caption("No results. Remove a filter.")
        return
    pages = -(-total // ROWS)
    place = st.container()
    page = st.pagination(pages, key=_paged(run, state)) if pages > 1 else 1
    cells = services.store().benchmarks.lost(
        run.id, state, ROWS, (page - 1) * ROWS, model=model, among=among
    )
    with place:
        st.dataframe(
            _rows(run, found.keywords, cells),
            hide_index=True,
            key=f"bench:{state}",
            height=HIGH,
            column_config={
                "What": st.column_config.TextColumn(width=130),
                "Answer": st.column_config.TextColumn(width="large"),
            },
            alt=f"Answers that are {state}, each with its reason.",
        )


def _wanted(run: Run, found: BenchProgress, state: str) -> tuple[int | None, list[int] | None]:
    """Draw what is looked for, and return the model and the keywords by number; None is all of
    them.
    """
    find, whose = st.columns(2)
    place = _paged(run, state)
    names = [one.model for one in run.inputs_as(BenchInputs).models]
    text = find.text_input(
        "Keyword",
        key=f"bench:{state}:find:{run.id}",
        type="search",
        on_change=first,
        args=(place,),
        placeholder="All, or a part of one",
    )
    who = whose.selectbox(
        "Ideas by",
        names,
        index=None,
        key=f"bench:{state}:model:{run.id}",
        on_change=first,
        args=(place,),
        placeholder="All",
        format_func=called,
    )
    keywords = find_keywords(found.keywords, text) if text and text.strip() else None
    return names.index(who) if who else None, keywords


def _paged(run: Run, state: str) -> str:
    return f"bench:{state}:page:{run.id}"


def _rows(run: Run, keywords: Sequence[str], cells: Sequence[BenchCell]) -> list[dict[str, object]]:
    inputs = run.inputs_as(BenchInputs)
    models = [one.model for one in inputs.models]
    everyone = list(dict.fromkeys((*models, *(one.model for one in inputs.judges))))
    name = dict(zip(everyone, clear(everyone), strict=True))
    return [
        {
            "What": f"{ONE[one.kind]} {one.n}" + (f" and {one.m}" if one.kind == "fluency" else ""),
            "Keyword": keywords[one.keyword],
            "Ideas by": name[models[one.model]],
            "Asked": name[one.asked],
            "Why": WHY.get(one.why, one.why),
            "Answer": one.text,
        }
        for one in cells
    ]
