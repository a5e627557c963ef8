"""Forks of a run as a tree, and making one."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from components.runs.models import called, spoken_all
from components.runs.states import badge
from components.shell import services
from components.shell.text import ago, counted, inline
from core.errors import BadInput
from core.records import Run
from core.runs.forecast import Forecast, of_fork
from core.store.steps import Outline

MOST = 60
"""Forks drawn at once; a family larger than that is shown from the top."""


class ForkWish(NamedTuple):
    """Fork here, with these models and these prompts instead."""

    at: str
    models: dict[str, str]
    prompts: dict[str, str]


def family(run: Run) -> list[tuple[int, Run]]:
    """Return the run's whole family, each with its depth: the oldest ancestor still there, then
    everything forked from it.
    """
    runs = services.store().runs
    top = run
    while top.parent:
        try:
            top = runs.get(top.parent)
        except BadInput:
            break
    found: list[tuple[int, Run]] = []
    waiting = [(0, top)]
    while waiting and len(found) < MOST:
        depth, one = waiting.pop(0)
        found.append((depth, one))
        waiting = [(depth + 1, child) for child in runs.children(one.id)] + waiting
    return found


def tree(family: Sequence[tuple[int, Run]], here: str) -> None:
    """Draw a family of forks; the run that is open is named, the others are links."""
    for depth, run in family:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if depth:
                st.markdown("&emsp;" * (depth - 1) + "↳", width="content")
            said = inline(run.title, 70)
            if run.id == here:
                st.markdown(f"**{said}** (this run)", width="content")
            else:
                st.page_link("pages/runs.py", label=said, query_params={"run": run.id})
            st.markdown(badge(run), width="content")
            place = f"at {inline(run.fork_at)} · " if run.fork_at else ""
            st.caption(f"{place}{spoken_all(run)} · {ago(run.created)}", width="content")


def control(
    run: Run, outline: Sequence[Outline], names: Sequence[str], prompts: Mapping[str, str]
) -> ForkWish | None:
    """Draw what it takes to make a fork and return it once it is asked for."""
    keys = [step.key for step in outline]
    at = st.selectbox(
        "Fork at this step",
        keys,
        index=None,
        key=f"runs:fork-at:{run.id}",
        placeholder="Pick the first step that is to change",
        persist_state="session",
    )
    models = _models(run, names)
    changed = _prompts(prompts, outline, at)
    if at is None:
        return None
    before = keys.index(at)
    st.info(
        f"Asked before it, and taken over for free: {counted(before, 'step')}. The step itself is"
        f" answered anew. The {len(keys) - before - 1} after it are looked at again: one whose"
        " request stays the same comes over too, so only what depends on the change is paid. This"
        " run stays as it is.",
        icon=":material/call_split:",
    )
    plan = of_fork(services.store(), run, at)
    more = ""
    if plan.unknown:
        more = f" What {counted(plan.unknown, 'run')} took that it started is not known any more."
    st.caption(
        f"About {counted(plan.calls, 'model call')}, going by what this run took under its own"
        f" settings: {cost(plan, run)}.{more} That is no bound: other answers may lead to more"
        " calls."
    )
    if st.button("Fork and start", type="primary", icon=":material/call_split:", key="runs:fork"):
        return ForkWish(at, models, changed)
    return None


def cost(plan: Forecast, run: Run) -> str:
    """Return what the calls take: tokens and dollars, or that they are free, or that nobody
    knows.
    """
    if set(run.config.models.values()) == {"builtin"}:
        return "free with the built-in model"
    dollars = (
        "price not known"
        if plan.cost is None
        else f"\\${plan.cost:.2f}"
        if plan.cost >= 0.01 or not plan.cost
        else "less than \\$0.01"
    )
    return f"about {plan.tokens:,} tokens, {dollars}"


def _models(run: Run, names: Sequence[str]) -> dict[str, str]:
    picked: dict[str, str] = {}
    for column, (role, now) in zip(
        st.columns(len(run.config.models)), run.config.models.items(), strict=True
    ):
        options = list(dict.fromkeys([now, *names]))
        given = column.selectbox(
            f"{role.capitalize()} model from there on",
            options,
            format_func=called,
            accept_new_options=True,
            key=f"runs:fork-{role}:{run.id}",
            help="Pick one, or type provider:model.",
            persist_state="session",
        )
        picked[role] = (given or now).strip()
    return picked


def _prompts(
    prompts: Mapping[str, str], outline: Sequence[Outline], at: str | None
) -> dict[str, str]:
    with st.expander("Change a prompt too"):
        used = [
            name for name in prompts if any(step.key.rsplit("/", 1)[-1] == name for step in outline)
        ]
        asked = at.rsplit("/", 1)[-1] if at else None
        name = st.selectbox(
            "Prompt",
            used,
            index=used.index(asked) if asked in used else None,
            key=f"runs:fork-prompt:{asked}",
            placeholder="None: keep all prompts as they are",
        )
        if name is None:
            return {}
        text = st.text_area(
            "Its text in the fork ($name is where a value goes)",
            prompts[name],
            height=260,
            key=f"runs:fork-text:{name}",
            persist_state="session",
        )
    return {name: text} if text.strip() != prompts[name].strip() else {}
