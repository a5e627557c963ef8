"""How scores are spread over a benchmark's ideas, and whether longer ideas score higher."""

from collections.abc import Sequence

import streamlit as st

from components.benchmark.results.found import draw_group, figures
from components.benchmark.results.parts import chart
from components.runs import export as run_export
from components.shell.colours import ink
from components.shell.text import counted
from core.benchmark.figures import scores as figures_scores
from core.benchmark.results import tables
from core.benchmark.results.findings import BenchFindings
from core.benchmark.results.lengths import LineFit
from core.records import Run
from core.statistics.statistic import between, p_said

SAID = (
    "Of all judgments; fluency is one letter for a pair of ideas: A differs most (10), D is the"
    " same (1). Models stand in the leaderboard's order."
)

SHADES = "The deeper the shade, the more ideas stand there."
WHOLE = (
    "A whole reply is the answer and the thoughts before it, as far as they were sent; judges see"
    " neither these nor their length."
)
REACH = "Lines reach two standard deviations to either side of a model's mean length."


def scores(run: Run, found: BenchFindings) -> None:
    """Draw how often each score was given, by model."""
    names = [row.model for row in found.board.rows if row.keywords]
    chosen: list[str] = []
    if len(names) >= figures_scores.FEW:
        chosen = st.multiselect(
            "Models as bars",
            names,
            key=f"bench:{run.id}:bars",
            max_selections=figures_scores.FEW,
            persist_state="session",
            placeholder="All models as shades; choose some for bars",
        )
    one = (
        figures_scores.scores(found.distributions, chosen, ink())
        if chosen
        else next(iter(figures(found, "scores", ink())), None)
    )
    if one:
        chart(one, f"bench:{run.id}", run_export.named(run), SAID)


def lengths(run: Run, found: BenchFindings) -> None:
    """Draw length against score, and how long ideas are."""
    n = found.replies.unmeasured
    old = (
        f"{counted(n, 'judged idea')} came before whole replies were measured and"
        f" {'is' if n == 1 else 'are'} not here."
    )
    words = {
        "length-and-score": f"{_read(found.lengths)} {REACH}",
        "reply-and-score": f"{_read(found.replies.fits)} {REACH} {WHOLE} {old if n else ''}",
        "words": (
            "Words are counted before the length rule; an idea that is too long is left out and not"
            " here."
        ),
        "reply-density": SHADES,
    }
    draw_group(run, found, "length", words)


def clarity(run: Run, found: BenchFindings) -> None:
    """Draw clarity against originality and feasibility."""
    lines = " ".join(
        f"{tables.BESIDE[one.beside].capitalize()}: {_read(one.fits)}" for one in found.clarity
    )
    words = f"{SHADES} Dashed: the line through all ideas as they are. {lines}"
    draw_group(run, found, "clarity", words)


def _read(found: Sequence[LineFit]) -> str:
    """Say how two figures of ideas go together."""
    said = []
    fits = {one.over: one for one in found if not one.model}
    for one in filter(None, (fits.get("within"), fits.get("all"))):
        r = one.refused or "no correlation can be given."
        if one.r is not None:
            interval = between(one.low, one.high)
            p = f", {p_said(one.p)}" if one.p is not None else ""
            r = f"r = {one.r:.2f}{interval}{p}, {one.n:,} ideas."
        said.append(f"{tables.OVER[one.over].capitalize()}: {r}")
    return " ".join(said)
