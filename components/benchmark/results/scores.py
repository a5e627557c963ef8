"""How scores are spread over a benchmark's ideas, and whether longer ideas score higher."""

from collections.abc import Sequence

import streamlit as st

from components.benchmark.results.found import figures
from components.benchmark.results.parts import chart
from components.runs import export as run_export
from components.shell.colours import ink
from components.shell.text import counted
from core.benchmark import tables
from core.benchmark.figures import scores as figures_scores
from core.benchmark.findings import BenchFindings
from core.benchmark.lengths import LineFit
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
    drawn = figures(found, "length", ink())
    words = {
        "length-and-score": f"{_read(found.lengths)} {REACH}",
        "reply-and-score": f"{_read(found.replies.fits)} {REACH} {WHOLE} {_old(found)}",
        "words": (
            "Words are counted before the length rule; an idea that is too long is left out and not"
            " here."
        ),
        "reply-density": SHADES,
    }
    for one in drawn:
        chart(one, f"bench:{run.id}", run_export.named(run), words[one.name])


def clarity(run: Run, found: BenchFindings) -> None:
    """Draw clarity against originality and feasibility."""
    for one in figures(found, "clarity", ink()):
        said = " ".join(
            f"{tables.BESIDE[each.beside].capitalize()}: {_read(each.fits)}"
            for each in found.clarity
        )
        chart(
            one,
            f"bench:{run.id}",
            run_export.named(run),
            f"{SHADES} Dashed: the line through all ideas as they are. {said}",
        )


def _old(found: BenchFindings) -> str:
    n = found.replies.unmeasured
    if n:
        return (
            f"{counted(n, 'judged idea')} came before whole replies were measured and"
            f" {'is' if n == 1 else 'are'} not here."
        )
    return ""


def _read(found: Sequence[LineFit]) -> str:
    """Say how two figures of ideas go together."""
    fits = {one.over: one for one in found if not one.model}
    return " ".join(
        f"{tables.OVER[over].capitalize()}: {_said(fits[over])}"
        for over in ("within", "all")
        if over in fits
    )


def _said(one: LineFit) -> str:
    if one.r is None:
        return one.refused or "no correlation can be given."
    p = f", {p_said(one.p)}" if one.p is not None else ""
    return f"r = {one.r:.2f}{between(one.low, one.high)}{p}, {one.n:,} ideas."
