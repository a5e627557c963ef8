"""Editing what was read out of a chain: its trend, step by step, and the direction it points to."""

from collections.abc import Callable, Mapping

import streamlit as st

from components.chains.edit import bar
from components.shell import services
from components.shell.frame import told
from components.shell.text import inline
from core.methods.chain_of_ideas.editing import FIRST_DIRECTIONS, direction_step
from core.records import Direction, Record, Run, Trend, TrendStep
from core.runs.planning import validated
from core.story import Branch


def trend(run: Run, branch: Branch, key: str) -> None:
    """Draw the trend to be changed."""
    now, chain = branch.trend, branch.chain
    assert now is not None
    assert chain is not None
    titles = {paper.id: inline(paper.title, 60) for paper in chain.papers}
    st.caption(
        "The direction, the draft and the idea are made anew from what you write; the papers stay"
        " as they are."
    )
    labels = {
        f"{n}": (
            f"How *{titles.get(step.earlier, 'the earlier')}* led to"
            f" *{titles.get(step.later, 'the later')}*"
        )
        for n, step in enumerate(now.steps)
    }
    texts = {f"{n}": step.how for n, step in enumerate(now.steps)} | {"summary": now.summary}
    said = _fields(f"{key}:trend", labels | {"summary": "The trend as a whole"}, texts)

    def made() -> Trend:
        steps = tuple(
            validated(TrendStep, earlier=step.earlier, later=step.later, how=said[f"{n}"])
            for n, step in enumerate(now.steps)
        )
        return validated(Trend, steps=steps, summary=said["summary"])

    _bar(
        run, f"branch-{branch.n}/trend", made, f"{key}:trend", "Go on from this trend", texts, said
    )


def direction(run: Run, branch: Branch, key: str) -> None:
    """Draw the predicted direction to be changed."""
    now = branch.direction
    assert now is not None
    st.caption(
        "The draft and the idea are made anew from what you write; papers and trend stay as they"
        " are."
    )
    texts = now.model_dump()
    said = _fields(
        f"{key}:direction", {"direction": "Where it leads next", "reasoning": "Why"}, texts
    )
    at = direction_step(services.store(), run.id, branch)
    if at.endswith(f"/{FIRST_DIRECTIONS}") and len(branch.pursuits) > 1:
        st.caption("The branch then goes after this one direction, with one idea.")
    _bar(
        run,
        at,
        lambda: validated(Direction, **said),
        f"{key}:direction",
        "Go on from this direction",
        texts,
        said,
    )


def _fields(key: str, labels: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """Draw a box for each text and return what stands in them; what was typed outlives other
    pages.
    """
    for name, text in texts.items():
        st.session_state.setdefault(f"{key}:{name}", text)
    return {
        name: (
            st.text_area(said, key=f"{key}:{name}", height="content", persist_state="session") or ""
        )
        for name, said in labels.items()
    }


def _bar(
    run: Run,
    at: str,
    made: Callable[[], Record],
    key: str,
    said: str,
    before: Mapping[str, str],
    now: Mapping[str, str],
) -> None:
    if now == before:
        st.caption("Nothing has changed yet.")
        return
    with told():
        put = made()
        bar.say(run, at, put)
        bar.button(run, at, put, key, said)
    st.button(
        "Discard",
        icon=":material/delete_sweep:",
        key=f"{key}:discard",
        on_click=st.session_state.update,
        args=({f"{key}:{name}": text for name, text in before.items()},),
        help="Puts the texts of the run back.",
    )
