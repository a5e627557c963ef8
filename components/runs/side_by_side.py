"""Two runs side by side on the page of one of them: score, cost and time with intervals, and the
texts of both to be read.
"""

from collections.abc import Sequence

import streamlit as st

from components.shell import services
from components.shell import table as shown_table
from components.shell.frame import told
from components.shell.text import ago, inline
from core.experiments.side_by_side import Pair, lay
from core.records import Run, Table

LISTED = 100
"""Runs that are offered."""
LONGEST = 160


def draw(run: Run) -> None:
    """Draw the choice of another run of the same kind, and both beside each other."""
    with st.expander(
        "Side by side with another run",
        icon=":material/compare_arrows:",
        key=f"side-by-side:{run.id}",
        on_change="rerun",
        type="compact",
    ) as opened:
        if opened.open:
            with told():
                _beside(run)


def _beside(run: Run) -> None:
    listed = services.store().runs.listed(method=run.config.method, packed=None, limit=LISTED)
    others = {one.id: one for one in listed if one.id != run.id}
    if not others:
        st.caption("There is no other run of this kind yet.")
        return
    named = {name: f"{one.title} ({name}, {ago(one.created)})" for name, one in others.items()}
    other = st.selectbox(
        "The other run",
        list(named),
        index=None,
        format_func=lambda one: _cut(named[one]),
        key=f"side-by-side:{run.id}:other",
        placeholder="Which",
    )
    if other is None:
        return
    differences, texts, pairs = lay(services.store(), run, others[other])
    shown_table.draw(differences, f"side-by-side:{run.id}")
    _texts(run, texts, pairs)


def _cut(text: str) -> str:
    """Return text for a list that takes it as it is, without Markdown."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _texts(run: Run, texts: Table, pairs: Sequence[Pair]) -> None:
    if not texts.rows:
        st.caption("They have no text on the same topic by the same contender.")
        return
    names = [f"{row[0].text} · {row[1].text}" for row in texts.rows]
    at = st.selectbox(
        "Texts",
        range(len(names)),
        format_func=lambda n: _cut(names[n]),
        key=f"side-by-side:{run.id}:texts",
    )
    row = texts.rows[at or 0]
    for column, head, text in zip(st.columns(2), texts.head[2:4], row[2:4], strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{inline(head)}**")
            st.text(text.text or "No text came about.")
    _rate(run, pairs[at or 0])
    shown_table.save_as(texts, f"side-by-side:{run.id}:all")


def _rate(run: Run, pair: Pair) -> None:
    """Draw the way to rate both texts, and say where they are the same."""
    if pair.a.text and pair.a.text == pair.b.text:
        st.caption("Both are the same word for word.")
        return
    if not pair.a.ideas or not pair.b.ideas:
        return
    if st.button(
        "Rate both",
        icon=":material/star:",
        key=f"side-by-side:{run.id}:rate",
        help="Both are kept in Ideas, and rated one after the other.",
    ):
        ideas = services.store().ideas
        names = [
            ideas.save(idea, unit.runs[-1] if unit.runs else None, unit.by)
            for unit in pair
            for idea in unit.ideas
        ]
        st.switch_page("pages/rate.py", query_params={"ideas": ",".join(dict.fromkeys(names))})
