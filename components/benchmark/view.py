"""A benchmark on screen: how it stands, how far it is, and what it found; the address says what is
looked at, so that a link restores it.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

from components.benchmark import (
    address,
    brainstorm,
    extend,
    ideas,
    progress,
    validation,
)
from components.benchmark.form import view as bench_form
from components.benchmark.results import view as bench_results
from components.benchmark.words import STATES, state_badge
from components.runs import export as run_export
from components.runs import recipe, states
from components.runs.states import active, draw_again, title
from components.shell import services
from components.shell.paging import ROWS, skipped
from components.shell.text import ago, counted, inline, money
from core.benchmark import BenchInputs
from core.benchmark.conducting.doing import CALLS
from core.benchmark.progress import parts
from core.errors import BadInput
from core.export.benchmarks.folder import zipped
from core.export.benchmarks.report import paragraph
from core.records import BENCH_DIMENSIONS, Run, usage

VIEWS = {
    "progress": "Progress",
    "results": "Results",
    "ideas": "Ideas",
    "validation": "Validation",
    "take": "Export",
}
SIDE_BY_SIDE = {"side": "Side by side"}
"""What a brainstorm on one keyword shows before all else."""
BADGE = 28
"""Pixels of a badge."""
FAST, SLOW = 2.0, 10.0
"""Seconds after which the progress, and the results, of a running benchmark are looked at again."""


def sections() -> None:
    """Draw what there is beside a single benchmark."""
    name, place = address.open_tab(address.SECTIONS, address.SECTION, "bench:section")
    draw: dict[str, Callable[[], None]] = {
        "benchmarks": listed,
        "new": bench_form.draw,
        "keyword": brainstorm.draw_form,
        "published": bench_results.draw_published,
    }
    with place:
        draw[name]()


def whole(run: Run) -> None:
    """Draw the benchmark; while it is active its parts renew themselves."""
    states.head(run, "bench", "New benchmark", "new")
    extend.extends(run)
    recipe.draw(run)
    asked = _asked(run)
    states.followed(run, _standing)
    name, place = address.open_tab(
        (SIDE_BY_SIDE if asked.brainstorm else {}) | _views(run),
        address.VIEW,
        f"bench:view:{run.id}",
    )
    draw: dict[str, tuple[Callable[[Run], None], float | None]] = {
        "side": (brainstorm.draw, FAST),
        "progress": (progress.draw, FAST),
        "results": (bench_results.draw, SLOW),
        "ideas": (ideas.draw, None),
        "validation": (validation.draw, None),
        "take": (_export, None),
    }
    with place:
        shown, seconds = draw[name]
        draw_again(run, shown, seconds if active(run) else None)


def _views(run: Run) -> dict[str, str]:
    """Return the views; those of a benchmark that was finished when it was opened begin with its
    results, or with its ideas where nobody was to judge them.
    """
    if not st.session_state.setdefault(f"bench:finished:{run.id}", run.state == "done"):
        return VIEWS
    first = "results" if _asked(run).judges else "ideas"
    return {first: VIEWS[first]} | VIEWS


def _asked(run: Run) -> BenchInputs:
    try:
        return run.inputs_as(BenchInputs)
    except ValueError:
        raise BadInput(
            "This benchmark began with an earlier version of this program; its calls stay readable"
            " under Runs."
        ) from None


def _standing(run: Run) -> None:
    asked = _asked(run)
    failed = sum(one.failed for one in parts(asked, services.store().benchmarks.sums.tally(run.id)))
    # The strip has no room for all the models; they stand in the table below it.
    few = {"main": "builtin"} if set(run.config.models.values()) == {"builtin"} else {}
    config = run.config.model_copy(update={"models": few})
    states.strip(run.model_copy(update={"config": config}), "bench-run")
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    caps += [f"{tokens:,} tokens"] if tokens else []
    cap = f"Cap: {' and '.join(caps)}" if caps else "No cap is set"
    panel = "no judges"
    if asked.judges:
        panel = f"{counted(asked.judged, 'judge')} an idea from a panel of {len(asked.judges)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            inline(
                f"{counted(asked.count, 'keyword')} × {counted(len(asked.models), 'model')} ×"
                f" {counted(asked.ideas, 'idea')}, {panel}."
                f" {cap}. Seed {run.config.seed}."
            ),
            width="content",
        )
        if active(run):
            _now(run)
        if failed:
            st.markdown(f":red-badge[{STATES['failed'].icon} {failed:,} failed]", width="content")
        st.container(
            width=1, height=BADGE, border=False
        )  # A badge that comes or goes moves nothing below it.


def _now(run: Run) -> None:
    """Draw what keeps answers from coming at this moment."""
    if services.store().runs.lease(run.id)["asked_to"] == "pause":
        st.markdown(
            ":blue-badge[:material/pause_circle: Pausing: what is in flight is finished first]",
            width="content",
        )
    for one in services.store().steps.partials(run.id):
        if one.key == CALLS:
            st.markdown(
                f":gray-badge[:material/hourglass_top: {inline(one.note, 100)}]", width="content"
            )


# -- export ---------------------------------------------------------------------------------------


def _export(run: Run) -> None:
    """Draw what can be taken along; files are made when they are asked for."""
    if active(run):
        st.info(
            "It is still going on: files hold what is there when they are made.",
            icon=":material/pending:",
        )
    name = run_export.named(run)
    st.caption(
        "The report says how far it is, what was found, what failed and why, and how it was run."
        " With it come every table as CSV and LaTeX, the figures, the frozen configuration, and a"
        " codebook. No file holds a key."
    )
    download = partial(
        st.download_button,
        mime="application/zip",
        icon=":material/folder_zip:",
        on_click="ignore",
    )
    with st.container(horizontal=True):
        download(
            "Report, tables and figures (zip)",
            lambda: _zip(run, False),
            f"{name}.zip",
            key="bench:take:report",
            type="primary",
        )
        download(
            "The same with every answer (zip)",
            lambda: _zip(run, True),
            f"{name}-answers.zip",
            key="bench:take:answers",
            help=(
                "Every idea, every judgment with the judge's words, every comparison, and "
                "every call with its raw answer. Of a full benchmark this takes minutes."
            ),
        )
    st.markdown("##### Methods paragraph, for a paper")
    st.code(paragraph(services.store(), run), language=None, wrap_lines=True)
    st.caption(
        "Numbers are filled in from what is stored. Check every sentence before you print it. The"
        " report says where the benchmark departs from the paper."
    )
    st.page_link(
        "pages/runs.py",
        label="What was frozen when it began",
        icon=":material/list_alt:",
        query_params={"run": run.id},
    )


def _zip(run: Run, answers: bool) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmark.zip"
        zipped(services.store(), run.id, file, answers)
        return file.read_bytes()


# -- the list -------------------------------------------------------------------------------------


def listed() -> None:
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
        title(run, "pages/benchmark.py")
        try:
            asked = run.inputs_as(BenchInputs)
        except ValueError:  # A benchmark of an earlier version stays in the list.
            st.markdown(":gray-badge[answers of an earlier version]")
            return
        judges = counted(len(asked.judges), "judge") if asked.judges else "no judges"
        models = counted(len(asked.models), "model")
        size = f"{counted(asked.count, 'keyword')} × {models}, {judges}"
        if asked.brainstorm:
            size = f"one keyword · {models}"
        st.markdown(
            f"{_counts(run, asked)} :gray[{size} · {usage.calls(run.calls, run.maybe_paid)}"
            f" · {inline(money(run))} · {ago(run.created)}]"
        )
        if said := means(run):
            st.markdown(
                f":gray[Mean of all scores{'' if run.state == 'done' else ' so far'}:] {said}"
            )


def _counts(run: Run, asked: BenchInputs) -> str:
    tally = services.store().benchmarks.sums.tally(run.id)
    found = parts(asked, tally)
    if asked.pairs and any(one.excluded for one in found):
        found = parts(asked, tally, progress.domains(run) or ())
    done = sum(one.done for one in found)
    needed = sum(one.planned - one.needless for one in found)
    look = STATES["done" if done else "left"]
    badges = [f":{look.colour}-badge[{look.icon} {done:,} of {needed:,} answers]"]
    for state in ("running", "failed", "excluded"):
        if n := sum(getattr(one, state) for one in found):
            badges.append(state_badge(state, n))
    return " ".join(badges)


def means(run: Run) -> str:
    """Say the mean of every score that was given, dimension by dimension; empty where there is
    none.
    """
    found = services.store().benchmarks.sums.means(run.id)
    return " · ".join(
        f"{name} **{found[name]:.1f}**" for name in (*BENCH_DIMENSIONS, "fluency") if name in found
    )
