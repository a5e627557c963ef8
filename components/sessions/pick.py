"""Choosing what is judged: collections, ranked sets, published papers, or refinements; by which
methods, and how many of them are drawn.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.sessions.words import units
from components.shell import services
from components.shell.text import ago, counted, inline
from components.shell.widget_state import put
from core.records import Entry, Kind, Run, Task, digest
from core.runs.planning import validated
from core.studies.picking import PEOPLE, Chosen

MOST = 10_000
"""Entries looked through."""
LISTED = 100
"""Runs offered."""


class PickedTexts(NamedTuple):
    """What is chosen, and whether every ranked set is to hide one idea by people."""

    chosen: Chosen
    hidden: bool = False


def begin(key: str, run: str) -> None:
    """Begin the form with a refinement to comment on, once, where an address names one."""
    if run and st.session_state.get(f"{key}:run") != run:
        (
            st.session_state[f"{key}:run"],
            st.session_state[f"{key}:task"],
            st.session_state[f"{key}:refinements"],
        ) = (run, "comment", [run])


def draw(key: str, task: Task, kind: Kind, collection: str) -> PickedTexts:
    """Draw the choice for a task and return it; an address with `collection` has begun it already.
    Raises BadInput.
    """
    if task == "comment":
        refinements = _finished("refine")
        here = f"{key}:refinements"
        ended = "Refinements that have come to their end"
        runs = _runs(here, "Refinements", refinements, ended)
        if not refinements:
            st.info("There is no finished refinement to comment on yet.", icon=":material/cyclone:")
            st.page_link("pages/refine.py", label="Refine an idea", icon=":material/cyclone:")
        return PickedTexts(validated(Chosen, runs=runs, draw=_draw(key, task)))
    collections = _collections(key, kind, collection)
    rankings, targets = _others(key, task) if kind == "idea" else ((), ())
    entries = _methods(key, collections, kind)
    hidden, target, per_set = (
        _hidden(key, entries, bool(rankings or targets)) if task == "rank" else (False, "", 4)
    )
    whole = (
        {"collections": collections}
        if entries is None or len(entries.taken) == len(entries.all)
        else {"entries": tuple(one.id for one in entries.taken)}
    )
    return PickedTexts(
        validated(
            Chosen,
            **whole,
            rankings=rankings,
            targets=targets,
            target=target,
            per_set=per_set,
            draw=_draw(key, task),
        ),
        hidden,
    )


def _collections(key: str, kind: Kind, given: str) -> tuple[str, ...]:
    names = [one.name for one in services.store().entries.bunches() if one.kind == kind]
    if given in names and st.session_state.get(f"{key}:given") != given:
        st.session_state[f"{key}:given"], st.session_state[f"{key}:collections:{kind}"] = (
            given,
            [given],
        )
    if not names:
        st.info(
            "There is no collection of these yet. An import, or results of runs, can be put into"
            " one.",
            icon=":material/inventory_2:",
        )
        st.page_link(
            "pages/ideas.py",
            label="Import ideas, or put a collection together",
            icon=":material/lightbulb:",
        )
        return ()
    if len(names) == 1:
        st.session_state.setdefault(f"{key}:collections:{kind}", names)
    picked = st.multiselect(
        "Collections",
        names,
        key=f"{key}:collections:{kind}",
        persist_state="session",
        select_all=False,
        placeholder="Whose texts are judged",
        help="Imports, results of runs, and kept ideas are put into collections on Ideas.",
    )
    return tuple(name for name in picked if name in names)


class _Entries(NamedTuple):
    all: tuple[Entry, ...]
    taken: tuple[Entry, ...]


def _methods(key: str, collections: tuple[str, ...], kind: Kind) -> _Entries | None:
    """Draw which methods take part; None without a collection."""
    if not collections:
        return None
    every = tuple(one for one, _ in services.store().entries.of(collections, kind, limit=MOST))
    methods = sorted({one.method for one in every})
    if len(methods) < 2:
        return _Entries(every, every)
    mark = digest(methods)[:8]
    st.session_state.setdefault(f"{key}:methods:{mark}", methods)
    with_them = st.pills(
        "Methods",
        methods,
        selection_mode="multi",
        key=f"{key}:methods:{mark}",
        wrap=True,
        persist_state="session",
        format_func=inline,
    )
    return _Entries(every, tuple(one for one in every if one.method in with_them))


def _others(key: str, task: Task) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Draw ranked sets and data sets of published papers, where there are some."""
    rankings = (
        _runs(
            f"{key}:rankings",
            "Sets that were ranked",
            _finished("rank"),
            "Rankings, each set as it was",
        )
        if task == "rank"
        else ()
    )
    return rankings, _runs(
        f"{key}:targets",
        "Ideas of published papers",
        _finished("target-dataset"),
        "Data sets of target papers",
    )


def _finished(method: str) -> Sequence[Run]:
    runs = services.store().runs
    return runs.listed(method=method, states=("done",), packed=None, limit=LISTED)


def _runs(key: str, label: str, found: Sequence[Run], placeholder: str) -> tuple[str, ...]:
    """Draw a choice of finished runs; nothing where there is none."""
    if not found:
        return ()
    names = {}
    for run in found:
        title = run.title if len(run.title) <= 48 else f"{run.title[:47]}…"
        names[run.id] = f"{title} ({run.id}, {ago(run.created)})"
    put(key, [one for one in st.session_state.get(key, []) if one in names])
    picked: Sequence[str] = st.multiselect(
        label,
        list(names),
        format_func=names.__getitem__,
        key=key,
        persist_state="session",
        select_all=False,
        placeholder=placeholder,
    )
    return tuple(picked)


def _hidden(key: str, entries: _Entries | None, published: bool) -> tuple[bool, str, int]:
    """Draw whether sets hide an idea by people, whose these are, and how large sets are that are
    made here.
    """
    methods = sorted({one.method for one in entries.taken}) if entries else []
    left, right = st.columns(2, vertical_alignment="bottom")
    offered = [*methods, *([PEOPLE] if published and PEOPLE not in methods else [])]
    mark = digest(offered)[:8]
    with left:
        target = st.selectbox(
            "Hidden human ideas",
            offered,
            index=None,
            key=f"{key}:target:{mark}",
            persist_state="session",
            placeholder="none is hidden",
            help=(
                "One stands in every set, unknown to experts, who are asked at the end which of a"
                " set it was."
            ),
        )
    with right:
        per_set = st.number_input(
            "Texts per new set",
            2,
            12,
            4,
            key=f"{key}:per-set",
            persist_state="session",
            help=(
                "Sets of a ranking stay as they are. InfAL's human evaluation uses three method"
                " ideas and one published idea per set."
            ),
        )
    own = target if target in methods else ""
    return bool(target), own or "", int(per_set)


def _draw(key: str, task: Task) -> int | None:
    drawn = st.number_input(
        f"Draw a random sample of {counted(2, units(task)).removeprefix('2 ')}",
        min_value=1,
        value=None,
        key=f"{key}:draw:{task}",
        persist_state="session",
        placeholder="all of them",
        help="Evenly over sources.",
    )
    return int(drawn) if drawn else None
