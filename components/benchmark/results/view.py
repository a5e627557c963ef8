"""What a benchmark found: leaderboard, trade-offs, domains, scores, judges, refusals and what it
took, as far as answers are there.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from components.benchmark.results import board, proxy
from components.benchmark.results.board import ORDER, draw_ranking, explain_marks
from components.benchmark.results.found import draw_group, figures, latest, missing
from components.benchmark.results.parts import chart, name_missing, pick_figure, table
from components.runs import export as run_export
from components.runs.states import active
from components.shell import judge_note
from components.shell.colours import ink
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.figures import board as figures_board
from core.benchmark.figures import scores as figures_scores
from core.benchmark.figures import usage as figures_usage
from core.benchmark.figures.drawing import MARKED
from core.benchmark.figures.gallery import unjudged
from core.benchmark.results import energy, tables
from core.benchmark.results.board import published
from core.benchmark.results.findings import BenchFindings
from core.benchmark.results.lengths import LineFit
from core.records import Run, Table
from core.statistics.statistic import between, p_said

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
    with st.spinner("Computing figures…", show_time=True):
        found = latest(run)
    _so_far(run, found)
    group = pick_figure("Figures", NAMES, f"bench:figures:{run.id}")
    if not judged(found) and group not in UNJUDGED:
        st.caption(_unjudged(run, found))
        if run.state == "done":
            name_missing(missing(found, group, ink()))
        return
    VIEWS[group](run, found)
    # The view of the general ranking has the place to bring one to.
    name_missing([one for one in missing(found, group, ink()) if one.failed or group != "general"])


def _unjudged(run: Run, found: BenchFindings) -> str:
    if not asked(run).judges:
        return ":material/person_off: No judges, so there are no scores."
    if run.state == "done":
        return f":material/person_off: {unjudged(found)} “Refusals” and “Progress” say more."
    return ":material/hourglass_empty: No judgments yet. Figures appear with the first."


def asked(run: Run) -> BenchInputs:
    """Return what a benchmark was asked for."""
    return run.inputs_as(BenchInputs)


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
    draw_group(run, found, "domains", words)
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
    judge_note.draw(one.model for one in asked(run).judges)
    draw_group(run, found, "judges", words)
    drawn = [one.name for one in figures(found, "judges", ink())]
    if "agreement" not in drawn and found.agreement:
        st.markdown("##### How far judges agree")
        table(tables.agreement(found.agreement), f"bench:{run.id}:agreement", run_export.named(run))


# -- scores and lengths: how scores are spread, and whether longer ideas score higher -------------

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


def _scores(run: Run, found: BenchFindings) -> None:
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


def _lengths(run: Run, found: BenchFindings) -> None:
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


def _clarity(run: Run, found: BenchFindings) -> None:
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


# -- usage ----------------------------------------------------------------------------------------

TOKENS = (
    "Tokens of refused and repeated answers count too. What a server did not report is not drawn;"
    " the table has an upper guess of it."
)
REFUSED = (
    "An idea is asked for once more, in another framing, when the first answer is a refusal. What"
    " is refused twice or too long is left out before anybody judges it. Failures are answers that"
    " never came or could not be used; they are in the table."
)


def _refusals(run: Run, found: BenchFindings) -> None:
    """Draw refusals, overlong ideas and failures of each model."""
    key, file = f"bench:{run.id}", run_export.named(run)
    if any(one.refused or one.long for one in found.refusals):
        for one in figures(found, "refusals", ink()):
            chart(one, key, file, REFUSED, tabled=False)
    else:
        st.caption(":material/check: No idea was refused, and none was too long.")
    table(tables.refusals(found.refusals), f"{key}:refusals", file)


def _usage(run: Run, found: BenchFindings) -> None:
    """Draw tokens, cost and estimated energy by model and role."""
    if run.parent:
        st.caption(
            inline(
                f"Of all its answers: what run {run.parent} took before this benchmark took its"
                " answers over is included."
            )
        )
    key, file = f"bench:{run.id}", run_export.named(run)
    drawn = figures(found, "usage", ink())
    words = {
        "tokens": TOKENS,
        "cost": "Only calls of known price are drawn; an unknown price stays unknown in the table.",
    }
    for one in drawn:
        chart(one, key, file, words.get(one.name) or _summed(one.table), tabled=one.name != "cost")
    if found.usage and all(one.name != "energy" for one in drawn):
        st.markdown("##### Energy, estimated")
        table(energy.table(energy.energy(found.usage)), f"{key}:energy", file)


def _summed(held: Table) -> str:
    """Say what the estimates come to, and how many rows have none."""
    column = held.head.index("kWh, estimated")
    known = [row[column] for row in held.rows if row[column].mean is not None]
    low = sum(one.low or 0.0 for one in known)
    high = sum(one.high or 0.0 for one in known)
    missing, rows = "", len(held.rows)
    if lacking := rows - len(known):
        missing = f" without {lacking} of {rows} rows of the table, for which there is no estimate"
    return f"In all {low:.3g} to {high:.3g} kWh{missing}. {held.note}"


VIEWS: dict[str, Callable[[Run, BenchFindings], None]] = {
    "leaderboard": board.leaderboard,
    "trade-off": board.trade_off,
    "domains": _domains,
    "scores": _scores,
    "clarity": _clarity,
    "length": _lengths,
    "general": board.general,
    "refusals": _refusals,
    "usage": _usage,
    "judges": _judged_by,
    "fluency": proxy.draw,
}


# -- published results ----------------------------------------------------------------------------

PUBLISHED_NAMES = {
    "leaderboard": "Leaderboard",
    "trade-off": "Trade-off",
    "general": "General ranking",
    "energy": "Energy",
}
HEADED = f"{MARKED[:1].upper()}{MARKED[1:]}"
KEY, FILE = "bench:published", "liveideabench-published"


def draw_published() -> None:
    """Draw one of the published figures."""
    st.caption(
        f"{HEADED}: 41 models, 1,180 keywords, ten judges; supplementary tables 3 and 4. Nothing"
        " here was measured by this program."
    )
    view = pick_figure("Figures", PUBLISHED_NAMES, f"{KEY}:figures")
    if view == "leaderboard":
        _published_leaderboard()
    elif view == "trade-off":
        if one := figures_board.trade_off(published(), ink()):
            chart(one, KEY, FILE, f"{HEADED}. {explain_marks(published())}")
    elif view == "general":
        board.against_ranking(published(), KEY, FILE)
    else:
        words = "Estimated by the authors with EcoLogits. Ten models were judges too."
        chart(figures_usage.published_energy(ink()), KEY, FILE, words)


def _published_leaderboard() -> None:
    st.markdown(f"##### Leaderboard, {MARKED}")
    draw_ranking(tables.board(published()), f"{KEY}:leaderboard", FILE)
    by = st.selectbox(
        "Figure",
        list(ORDER),
        key=f"{KEY}:by",
        format_func=ORDER.__getitem__,
        persist_state="session",
        width=200,
    )
    if one := figures_board.standing(published(), ink(), by=by):
        chart(
            one,
            KEY,
            FILE,
            "Mark: the figure over all keywords; bar: 95 % interval, as published.",
            tabled=False,
        )
