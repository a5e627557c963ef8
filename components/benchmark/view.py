"""A benchmark on screen: how it stands, how far it is, and what it found; the address says what is
looked at, so that a link restores it.
"""

from collections.abc import Callable

import streamlit as st

from components.benchmark import (
    address,
    brainstorm,
    extend,
    ideas,
    listing,
    progress,
    take,
    validation,
)
from components.benchmark.form import view as bench_form
from components.benchmark.results import view as bench_results
from components.benchmark.words import STATES
from components.runs import states
from components.runs.states import active
from components.shell import services, top
from components.shell.frame import told
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.doing import CALLS
from core.benchmark.progress import parts
from core.errors import BadInput
from core.records import Run

VIEWS = {
    "progress": "Progress",
    "results": "Results",
    "ideas": "Ideas",
    "validation": "Validation",
    "take": "Take along",
}
SIDE_BY_SIDE = {"side": "Side by side"}
"""What a brainstorm on one keyword shows before all else."""
BADGE = 28
"""Pixels of a badge."""
FAST, SLOW = 2.0, 10.0
"""Seconds after which the progress, and the results, of a running benchmark are looked at again."""


def sections() -> None:
    """Draw what there is beside a single benchmark."""
    name, place = address.opened(address.SECTIONS, address.SECTION, "bench:section")
    draw: dict[str, Callable[[], None]] = {
        "benchmarks": listing.draw,
        "new": bench_form.draw,
        "keyword": brainstorm.draw_form,
        "published": bench_results.draw_published,
    }
    with place:
        draw[name]()


def whole(run: Run) -> None:
    """Draw the benchmark; while it is active its parts renew themselves."""
    with st.container(gap=None):
        top.seen(run.id)
        states.head(run, "bench", "New benchmark", "new")
    extend.extends(run)
    asked = _asked(run)
    states.followed(run, _standing)
    name, place = address.opened(
        (SIDE_BY_SIDE if asked.brainstorm else {}) | VIEWS,
        address.VIEW,
        f"bench:view:{run.id}",
    )
    draw: dict[str, tuple[Callable[[Run], None], float | None]] = {
        "side": (brainstorm.draw, FAST),
        "progress": (progress.draw, FAST),
        "results": (bench_results.draw, SLOW),
        "ideas": (ideas.draw, None),
        "validation": (validation.draw, None),
        "take": (take.draw, None),
    }
    with place:
        _again(run, *draw[name])


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
    states.strip(
        run.model_copy(update={"config": run.config.model_copy(update={"models": _few(run)})}),
        "bench-run",
    )
    usd, tokens = services.store().runs.caps(run.id)
    caps = " and ".join(
        [*([f"${usd:,.2f}"] if usd else []), *([f"{tokens:,} tokens"] if tokens else [])]
    )
    panel = (
        f"{counted(asked.judged, 'judge')} an idea from a panel of {len(asked.judges)}"
        if asked.judges
        else "nobody judges"
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            inline(
                f"{counted(asked.count, 'keyword')} × {counted(len(asked.models), 'model')} ×"
                f" {counted(asked.ideas, 'idea')}, {panel}."
                f" {f'Cap: {caps}' if caps else 'No cap is set'}. Seed {run.config.seed}."
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


def _few(run: Run) -> dict[str, str]:
    return {"main": "builtin"} if set(run.config.models.values()) == {"builtin"} else {}


def _again(run: Run, draw: Callable[[Run], None], seconds: float | None) -> None:
    """Draw a view, again and again while the benchmark is active."""
    live = active(run)

    @st.fragment(run_every=seconds if live else None)
    def drawn() -> None:
        now = services.store().runs.get(run.id)
        # What failed was asked again from within, or it came to its end: the whole page is to know.
        if active(now) != live:
            st.rerun()
        with told():
            draw(now)

    drawn()
