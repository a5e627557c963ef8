"""How scores are spread over a benchmark's ideas, and whether longer ideas score higher."""
import streamlit as st

from components import run_export
from components.bench_results_found import figures
from components.bench_results_parts import chart
from components.chain_colours import ink
from components.text import inline
from core.agreement.figures import between, p_said
from core.benchmark import figures_scores, tables
from core.benchmark.findings import BenchFindings
from core.benchmark.lengths import LengthFit
from core.records import Run

SAID = "Of all judgments; fluency is one letter for a pair of ideas: A differs most (10), D is the same (1). Models stand in the leaderboard's order."

REACH = "Lines reach two standard deviations to either side of a model's mean length."


def scores(run: Run, found: BenchFindings) -> None:
    """Draw how often each score was given, by model."""
    names = [row.model for row in found.board.rows if row.keywords]
    chosen: list[str] = []
    if len(names) >= figures_scores.FEW:
        chosen = st.multiselect("Models as bars", names, key=f"bench:{run.id}:bars", max_selections=figures_scores.FEW, persist_state="session",
                                placeholder="All models as shades; choose some for bars")
    one = figures_scores.scores(found.distributions, chosen, ink()) if chosen else next(iter(figures(found, "scores", ink())), None)
    if one:
        chart(one, f"bench:{run.id}", run_export.named(run), SAID)


def lengths(run: Run, found: BenchFindings) -> None:
    """Draw length against score, and how long ideas are."""
    drawn = figures(found, "length", ink())
    for one in drawn:
        chart(one, f"bench:{run.id}", run_export.named(run), f"{_read(found)} {REACH}" if one.name == "length-and-score" else
              "Words are counted before the length rule; an idea that is too long is left out and not here.")
    if not drawn:
        st.caption("No idea is written yet.")
    elif not any(one.name == "length-and-score" for one in drawn):
        why = next((one.refused for one in found.lengths if one.refused), "") or "Nothing is judged."
        st.caption(inline(f"Length is not held against score. {why}"))


def _read(found: BenchFindings) -> str:
    """Say how length and score go together."""
    fits = {one.over: one for one in found.lengths if not one.model}
    return " ".join(f"{tables.OVER[over].capitalize()}: {_said(fits[over])}" for over in ("within", "all") if over in fits)


def _said(one: LengthFit) -> str:
    if one.r is None:
        return one.refused or "no correlation can be given."
    p = f", {p_said(one.p)}" if one.p is not None else ""
    return f"r = {one.r:.2f}{between(one.low, one.high)}{p}, {one.n:,} ideas."
