"""The list of runs: what to look for, and one row a run."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.experiments.words import summed
from components.runs.models import spoken
from components.runs.states import LOOKS, LOOKUPS, badge, taken
from components.shell import services
from components.shell.paging import first
from components.shell.text import ago, elapsed, inline, money
from core.records import Run
from core.runs.catalogue import METHODS, entry


class RunFilter(NamedTuple):
    text: str
    method: str
    states: tuple[str, ...]
    archived: bool
    lookups: bool

    def anything(self) -> bool:
        """Say whether something was filtered out."""
        return bool(self.text or self.method or self.states)

    def without(self) -> tuple[str, ...]:
        """Return the methods that are left out: look-ups, unless they were asked for."""
        return () if self.lookups or self.method in LOOKUPS else LOOKUPS


def wanted() -> RunFilter:
    """Draw the filters and return what is looked for; they live in the address."""
    find, method, state, more = st.columns([4, 3, 4, 2], vertical_alignment="bottom")
    text = find.text_input(
        "Search by name, id or tag",
        key="runs:find",
        bind="query-params",
        type="search",
        on_change=first,
        args=("runs:page",),
    )
    named = method.selectbox(
        "Method",
        list(METHODS),
        index=None,
        placeholder="Any",
        format_func=lambda name: METHODS[name].label,
        key="runs:method",
        bind="query-params",
        on_change=first,
        args=("runs:page",),
    )
    states = state.multiselect(
        "State",
        list(LOOKS),
        placeholder="Any",
        format_func=lambda name: LOOKS[name][2] + (" or paused" if name == "stopped" else ""),
        key="runs:state",
        bind="query-params",
        on_change=first,
        args=("runs:page",),
    )
    with more.container(gap="xxsmall"):
        archived = st.toggle(
            "Archived",
            key="runs:archived",
            bind="query-params",
            on_change=first,
            args=("runs:page",),
        )
        lookups = st.toggle(
            "Look-ups",
            key="runs:lookups",
            bind="query-params",
            on_change=first,
            args=("runs:page",),
            help="Small runs that looked for a paper or for candidates on somebody's behalf.",
        )
    return RunFilter(text or "", named or "", tuple(states), archived, lookups)


def rows(runs: Sequence[Run]) -> None:
    """Draw one row a run, its title leading to it."""
    for run in runs:
        with st.container(border=True, gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.page_link(
                    "pages/runs.py",
                    label=f"**{inline(run.title, 110)}**",
                    query_params={"run": run.id},
                )
                st.space("stretch")
                st.markdown(badge(run), width="content")
            st.caption(" · ".join(_facts(run)))


def _facts(run: Run) -> list[str]:
    method = entry(run.config)
    models = ", ".join(dict.fromkeys(spoken(name) for name in run.config.models.values()))
    whole = summed(services.store(), run) if method.has_runs_made else run
    facts = [
        run.id,
        inline(method.label),
        models,
        ago(run.created),
        taken(run),
        inline(money(whole)),
        elapsed(run),
    ]
    if run.parent:
        facts.append(f"fork of {inline(run.parent)}")
    return [*facts, *(f":gray-badge[{inline(tag)}]" for tag in run.tags)]
