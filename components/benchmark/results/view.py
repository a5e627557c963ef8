"""What a benchmark found: leaderboard, trade-offs, domains, scores, judges, refusals and what it
took, as far as answers are there.
"""

from collections.abc import Callable

import streamlit as st

from components.benchmark.results import against, board, proxy, published, scores, usage
from components.benchmark.results.found import figures, latest, missing
from components.benchmark.results.parts import chart, picked, table, told
from components.runs import export as run_export
from components.runs.states import active
from components.shell.colours import ink
from components.shell.text import counted
from core.benchmark import BenchInputs, tables
from core.benchmark.figures.gallery import unjudged
from core.benchmark.findings import BenchFindings
from core.records import Run

NAMES = {
    "leaderboard": "Leaderboard",
    "trade-off": "Trade-off",
    "domains": "Domains",
    "scores": "Scores",
    "clarity": "Clarity",
    "length": "Length",
    "general": "General ranking",
    "refusals": "Refusals",
    "usage": "Tokens, cost, energy",
    "judges": "Judges",
    "fluency": "Fluency proxy",
}
UNJUDGED = ("refusals", "usage", "length")
"""What there is to see before anything is judged."""


def draw(run: Run) -> None:
    """Draw the group of figures that is looked at, of what is there so far."""
    with st.spinner("Working the figures out", show_time=True):
        found = latest(run)
    _so_far(run, found)
    group = picked("Figures", NAMES, f"bench:figures:{run.id}")
    if not judged(found) and group not in UNJUDGED:
        st.caption(_unjudged(run, found))
        if run.state == "done":
            told(missing(found, group, ink()))
        return
    VIEWS[group](run, found)
    # The view of the general ranking has the place to bring one to.
    told([one for one in missing(found, group, ink()) if one.failed or group != "general"])


def _unjudged(run: Run, found: BenchFindings) -> str:
    if not asked(run).judges:
        return ":material/person_off: Nobody judges here, so that there are no scores."
    if run.state == "done":
        return f":material/person_off: {unjudged(found)} “Refusals” and “Progress” say more."
    return ":material/hourglass_empty: No judgments yet. Figures appear with the first."


def draw_published() -> None:
    """Draw the published results in the same figures."""
    published.draw()


def asked(run: Run) -> BenchInputs:
    """Return what a benchmark was asked for."""
    return BenchInputs.model_validate(run.config.inputs)


def judged(found: BenchFindings) -> int:
    """Return how many judgments there are."""
    return sum(one.n for one in found.counts if one.kind == "judge" and one.state == "done")


def _so_far(run: Run, found: BenchFindings) -> None:
    """Say what the figures are of, while that is not all."""
    failed, excluded = (
        sum(one.n for one in found.counts if one.state == state) for state in ("failed", "excluded")
    )
    inputs = asked(run)
    needed = (len(inputs.models) * inputs.count * inputs.ideas - excluded) * inputs.judged
    if active(run) or (found.open and run.state != "done"):
        st.info(
            f"So far: {judged(found):,} of {needed:,} judgments. Every figure is of what is there,"
            " and will change."
            + (" They are looked at again every ten seconds." if active(run) else ""),
            icon=":material/pending:",
        )
    if failed:
        st.caption(
            f":material/error: {counted(failed, 'answer')} failed: they count nowhere, nor does"
            " what depends on them. “Progress” gives the reasons."
        )


def _domains(run: Run, found: BenchFindings) -> None:
    of = tables.MEAN_OF[min((one.of for one in found.by_domain), default=4)].names
    words = (
        f"Mean of {of}, over the keywords of a domain. A star marks fewer than three keywords,"
        " where chance decides: shades end at the least and the greatest figure without a star,"
        " and a figure beyond has the shade of that end. Labels of domains are given by a machine"
        " unless a person changed them."
    )
    for one in figures(found, "domains", ink()):
        chart(one, f"bench:{run.id}", run_export.named(run), words)
    if not found.domains:
        st.caption(
            "The keywords of this benchmark have no domains. They are given where a benchmark"
            " begins."
        )


def _judged_by(run: Run, found: BenchFindings) -> None:
    words = {
        "judges": (
            "Left of the line is strict, right of it lenient. Only ideas with two judgments or more"
            " count. No bar: too few keywords."
        ),
        "agreement": " ".join(
            f"{one.about.capitalize()}: {one.reading or one.refused}" for one in found.agreement
        ),
    }
    drawn = figures(found, "judges", ink())
    for one in drawn:
        chart(one, f"bench:{run.id}", run_export.named(run), words[one.name])
    if not any(one.name == "agreement" for one in drawn) and found.agreement:
        st.markdown("##### How far judges agree")
        table(tables.agreement(found.agreement), f"bench:{run.id}:agreement", run_export.named(run))


VIEWS: dict[str, Callable[[Run, BenchFindings], None]] = {
    "leaderboard": board.leaderboard,
    "trade-off": board.trade_off,
    "domains": _domains,
    "scores": scores.scores,
    "clarity": scores.clarity,
    "length": scores.lengths,
    "general": against.draw,
    "refusals": usage.refusals,
    "usage": usage.usage,
    "judges": _judged_by,
    "fluency": proxy.draw,
}
