"""The benchmarks there are, each with its state, how far it is, and the mean of its scores so
far.
"""

import streamlit as st

from components.benchmark import progress
from components.benchmark.words import STATES
from components.runs.states import badge
from components.shell import services
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline, money
from core.benchmark import BenchInputs
from core.benchmark.progress import parts
from core.records import BENCH_DIMENSIONS, Run, usage


def draw() -> None:
    """Draw the benchmarks, newest first, or say what to do where there is none."""
    runs = services.store().runs
    total = runs.count(method="bench")
    if not total:
        st.info(
            "No benchmark yet. “New benchmark” begins one from keywords, models and judges; “One"
            " keyword” shows what each model makes of a single word; “Published results” shows the"
            " 41 models of the paper.",
            icon=":material/leaderboard:",
        )
        return
    rows = st.container()
    found = runs.listed(method="bench", limit=ROWS, skip=skipped(total, "bench-page"))
    with rows:
        for run in found:
            _row(run)


def _row(run: Run) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(
                "pages/benchmark.py",
                label=f"**{inline(run.title, 100)}**",
                query_params={"run": run.id},
            )
            st.space("stretch")
            st.markdown(badge(run), width="content")
        try:
            asked = run.inputs_as(BenchInputs)
        except ValueError:  # A benchmark of an earlier version stays in the list.
            st.markdown(":gray-badge[answers of an earlier version]")
            return
        st.markdown(
            f"{_counts(run, asked)} :gray[{_size(asked)} · {usage.calls(run.calls, run.maybe_paid)}"
            f" · {inline(money(run))} · {ago(run.created)}]"
        )
        if said := means(run):
            st.markdown(
                f":gray[Mean of all scores{'' if run.state == 'done' else ' so far'}:] {said}"
            )


def _size(asked: BenchInputs) -> str:
    if asked.brainstorm:
        return f"one keyword · {counted(len(asked.models), 'model')}"
    judges = counted(len(asked.judges), "judge") if asked.judges else "nobody judges"
    return f"{counted(asked.count, 'keyword')} × {counted(len(asked.models), 'model')}, {judges}"


def _counts(run: Run, asked: BenchInputs) -> str:
    found = parts(asked, tally := services.store().benchmarks.sums.tally(run.id))
    if asked.pairs and any(one.excluded for one in found):
        found = parts(asked, tally, progress.domains(run) or ())
    counts = {
        state: sum(getattr(one, state) for one in found)
        for state in ("running", "failed", "excluded")
    }
    done, needed = sum(one.done for one in found), sum(one.planned - one.needless for one in found)
    look = STATES["done" if done else "left"]
    said = [f":{look.colour}-badge[{look.icon} {done:,} of {needed:,} answers]"]
    return " ".join(
        said
        + [
            f":{STATES[state].colour}-badge[{STATES[state].icon} {n:,} {STATES[state].word}]"
            for state, n in counts.items()
            if n
        ]
    )


def means(run: Run) -> str:
    """Say the mean of every score that was given, dimension by dimension; empty where there is
    none.
    """
    found = services.store().benchmarks.sums.means(run.id)
    return " · ".join(
        f"{name} **{found[name]:.1f}**" for name in (*BENCH_DIMENSIONS, "fluency") if name in found
    )
