"""The list of runs: what to look for, and one row a run."""

from typing import Any, NamedTuple

import streamlit as st

from components.runs import naming
from components.runs.models import spoken_all
from components.runs.states import LOOKS, taken, title
from components.shell import services
from components.shell.paging import ROWS, filtering, skipped
from components.shell.text import ago, elapsed, inline, money
from core.records import Run
from core.runs.catalogue import LOOKUPS, METHODS, entry


class RunFilter(NamedTuple):
    text: str
    method: str
    states: tuple[str, ...]
    archived: bool
    lookups: bool

    def narrows(self) -> bool:
        """Say whether something was filtered out."""
        return bool(self.text or self.method or self.states or self.archived)

    def query(self) -> dict[str, Any]:
        """Return what the store is asked for: without look-ups, unless they are looked for."""
        shown = self.lookups or self.method in LOOKUPS
        return {
            "states": self.states,
            "method": self.method,
            "text": self.text,
            "archived": self.archived,
            "without": () if shown else LOOKUPS,
        }


def draw() -> None:
    """Draw all runs, newest first, as the filters say."""
    wanted = _filters()
    runs, query = services.store().runs, wanted.query()
    total = runs.count(**query)
    listed = st.container()
    found = runs.listed(**query, limit=ROWS, skip=skipped(total, "runs:page"))
    with listed:
        if found:
            st.caption(f"{total:,} runs, newest first" if total > 1 else "1 run")
            for run in found:
                with st.container(border=True, gap="xsmall"):
                    title(run, "pages/runs.py")
                    if idea := naming.made(run):
                        st.markdown(f":material/lightbulb: {inline(idea, 140)}")
                    st.caption(" · ".join(_facts(run)))
        elif wanted.narrows():
            st.info("No run matches. Remove a filter.", icon=":material/search_off:")
        else:
            st.info(
                "No runs yet. Build a chain from a topic, or refine an idea of your own.",
                icon=":material/play_circle:",
            )
            with st.container(horizontal=True):
                st.page_link("pages/chains.py", label="Build a chain", icon=":material/timeline:")
                st.page_link("pages/refine.py", label="Refine an idea", icon=":material/cyclone:")


def _filters() -> RunFilter:
    """Draw the filters and return what is looked for; they live in the address."""
    restarting = filtering("runs:page")
    find, method, state = st.columns([4, 3, 4], vertical_alignment="bottom")
    text = find.text_input(
        "Search by name, id or tag",
        key="runs:find",
        type="search",
        **restarting,
    )
    named = method.selectbox(
        "Method",
        list(METHODS),
        index=None,
        placeholder="Any",
        format_func=lambda name: METHODS[name].label,
        key="runs:method",
        **restarting,
    )
    states = state.multiselect(
        "State",
        list(LOOKS),
        placeholder="Any",
        format_func=lambda name: LOOKS[name][2] + (" or paused" if name == "stopped" else ""),
        key="runs:state",
        **restarting,
    )
    with st.container(horizontal=True):
        archived = st.toggle(
            "Archived",
            key="runs:archived",
            **restarting,
        )
        lookups = st.toggle(
            "Look-ups",
            key="runs:lookups",
            **restarting,
            help="Small runs that looked for a paper or for candidates for a form.",
        )
    return RunFilter(text or "", named or "", tuple(states), archived, lookups)


def _facts(run: Run) -> list[str]:
    method = entry(run.config)
    whole = services.store().runs.with_runs_made(run) if method.has_runs_made else run
    facts = [
        run.id,
        inline(method.label),
        spoken_all(run),
        ago(run.created),
        taken(run),
        inline(money(whole)),
        elapsed(run).replace(" ", "\u00a0"),
    ]
    if run.parent:
        facts.append(f"fork of {inline(run.parent)}")
    return [*facts, *(f":gray-badge[{inline(tag)}]" for tag in run.tags)]
