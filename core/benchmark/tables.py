"""What the figures of a benchmark show, as tables: every figure with its interval, and in words
what a mark means.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.benchmark.board import Board, BoardRow
from core.benchmark.by_domain import DomainScore
from core.benchmark.clarity import Clarity
from core.benchmark.distributions import Distribution
from core.benchmark.figures.drawing import MARKED, ROLES
from core.benchmark.generality import Against
from core.benchmark.lengths import LineFit
from core.benchmark.measures import FIGURES
from core.benchmark.panel_figures import JudgeFigure
from core.benchmark.proxies import Proxy
from core.benchmark.refused import Refusal
from core.benchmark.replies import Replies
from core.records import BenchUsage, Table, Value
from core.records.usage import tokens
from core.statistics.clusters import Spread
from core.statistics.statistic import Statistic, p_said

SHOWN = tuple(reversed(FIGURES))
"""The six figures in the order they are read: the average first."""
THIN = 3
"""Keywords under which a domain's figure is marked as thin."""
KEYWORDS = "Keywords"
"""The column of keywords that have all five figures, over which the average is taken."""
TOGETHER = "all models"
LETTERS = {10: "A", 7: "B", 4: "C", 1: "D"}
OVER = {
    "all": "all ideas as they are",
    "within": "all ideas, each against its own model's mean",
    "model": "one model",
}


def spread(one: Spread, counted: str = "", digits: int = 2) -> Value:
    """Return a figure as a cell of a table; `counted` is what its `n` counts."""
    return Value(
        mean=one.value, low=one.low, high=one.high, n=one.n or None, counted=counted, digits=digits
    )


def board(found: Board, published: Board | None = None) -> Table:
    """Return the leaderboard, ties in words; published models follow it, with ranks of their own.
    Alone they have no columns for what is not published.
    """
    known = any(row.open is not None for row in found.rows)
    beside = published.rows if published else ()
    measured = bool(beside) or not found.published
    head = (
        "Rank",
        *(["Tied"] if measured else []),
        "Model",
        *(["Weights"] if known or beside else []),
        *(name.capitalize() for name in SHOWN),
        *([KEYWORDS, "Not told apart from"] if measured else []),
        *(["From"] if beside else []),
    )
    rows = [
        _row(row, found, known or bool(beside), "this benchmark" if beside else "")
        for row in found.rows
    ]
    rows += [_row(row, published, True, MARKED) for row in beside if published]
    return Table(
        name="leaderboard",
        title="Leaderboard",
        head=head,
        rows=tuple(rows),
        note=" ".join((*found.notes, *(published.notes if published else ()))),
    )


def _row(row: BoardRow, found: Board, opened: bool, source: str) -> tuple[Value, ...]:
    whole = bool(source) or not found.published
    keywords = Value() if found.published else Value(mean=row.average.n, digits=0)
    return (
        Value(mean=row.rank, digits=0) if row.average.value is not None else Value(),
        *([Value(text=tied(row, found))] if whole else []),
        Value(text=row.model),
        *([Value(text=WEIGHTS[row.open])] if opened else []),
        *(spread(getattr(row, name)) for name in SHOWN),
        *([keywords, Value(text=ties(row, found))] if whole else []),
        *([Value(text=source)] if source else []),
    )


WEIGHTS = {True: "open", False: "closed", None: "not known"}


def tied(row: BoardRow, found: Board) -> str:
    """Say with how many a model is tied; nothing of one that has no average."""
    if found.published:
        return "not said"
    if row.average.value is None:
        return ""
    return f"with {len(row.tied)}" if row.tied else "no"


def ties(row: BoardRow, found: Board) -> str:
    """Say in words whom a model cannot be told apart from."""
    if found.published:
        return "not said"
    if row.average.value is None:
        return "has no average"
    if (
        len(row.tied) > 1
        and len(row.tied) == sum(one.average.value is not None for one in found.rows) - 1
    ):
        return "any other"
    return ", ".join(row.tied) or "none"


def trade_off(found: Board, front: frozenset[str], published: Board | None = None) -> Table:
    """Return what the trade-off shows, and who is on the front."""
    names = ("feasibility", "originality", "fluency", "flexibility", "clarity")
    rows = [
        (
            Value(text=row.model),
            *(spread(getattr(row, name)) for name in names),
            Value(text=mark or ("yes" if row.model in front else "no")),
        )
        for one, mark in ((found, ""), (published, MARKED))
        if one
        for row in one.rows
    ]
    return Table(
        name="trade-off",
        title="Feasibility and originality",
        head=("Model", *(name.capitalize() for name in names), "On the Pareto front"),
        rows=tuple(rows),
        note=(
            "On the front: no other model is at least as feasible and as original, and more so in"
            " one of the two."
        ),
    )


def domains(found: Sequence[DomainScore]) -> Table:
    """Return every model's scores by domain."""
    of = MEAN_OF[min((one.of for one in found), default=4)]
    rows = (
        (
            Value(text=one.domain or "no domain"),
            Value(text=one.model),
            spread(one.value, "keywords"),
            *(Value(mean=getattr(one, name), digits=2) for name in DIMENSIONS),
            Value(mean=one.keywords, digits=0),
            Value(text=f"fewer than {THIN} keywords" if one.keywords < THIN else ""),
        )
        for one in found
        if one.keywords
    )
    return Table(
        name="by-domain",
        title="Scores by model and domain",
        rows=tuple(rows),
        head=(
            "Domain",
            "Model",
            of.said,
            *(name.capitalize() for name in DIMENSIONS),
            "Keywords",
            "Note",
        ),
        note=f"{of.said}: {of.names}, over keywords that have all of them.",
    )


class MeanOf(NamedTuple):
    """What a mean of scores is called, and of which it is."""

    said: str
    names: str


MEAN_OF = {
    4: MeanOf("Mean of the four", "originality, feasibility, clarity and fluency"),
    3: MeanOf(
        "Mean of the three",
        "originality, feasibility and clarity (no two ideas were compared, so that there is no"
        " fluency)",
    ),
}
"""By how many scores there are."""


DIMENSIONS = ("originality", "feasibility", "clarity", "fluency")


def scores(found: Iterable[Distribution]) -> Table:
    """Return how often each score was given."""
    held = [one for one in found if one.what != "words"]
    rows = (
        (
            Value(text=one.model or TOGETHER),
            Value(text=one.what),
            *(Value(mean=dict(one.counts).get(value, 0), digits=0) for value in range(1, 11)),
            Value(mean=one.n, digits=0),
            Value(mean=one.mean, digits=2),
            Value(mean=one.sd, digits=2),
        )
        for one in held
    )
    return Table(
        name="scores",
        title="How often each score was given",
        rows=tuple(rows),
        head=("Model", "Dimension", *map(str, range(1, 11)), "n", "Mean", "SD"),
        note="Fluency is one letter for a pair of ideas: D counts 1, C 4, B 7, A 10.",
    )


def words(found: Iterable[Distribution]) -> Table:
    """Return how long ideas are, in tens of words."""
    held = [one for one in found if one.what == "words"]
    tens = sorted({value for one in held for value, _ in one.counts})
    rows = (
        (
            Value(text=one.model or TOGETHER),
            *(Value(mean=dict(one.counts).get(ten, 0), digits=0) for ten in tens),
            Value(mean=one.n, digits=0),
        )
        for one in held
    )
    return Table(
        name="words",
        title="Words of an idea",
        head=("Model", *(f"{ten} to {ten + 9}" for ten in tens), "n"),
        rows=tuple(rows),
    )


def lengths(found: Iterable[LineFit]) -> Table:
    """Return how length goes with score."""
    rows = (
        (
            Value(text=one.model or TOGETHER),
            Value(text=OVER[one.over]),
            Value(mean=one.n, digits=0),
            Value(mean=one.mean, digits=1),
            Value(text=one.refused, mean=one.r, low=one.low, high=one.high, digits=2),
            Value(mean=one.slope, digits=4),
            Value(mean=one.p, unit="p"),
        )
        for one in found
    )
    return Table(
        name="length-and-score",
        title="Length of an idea and its score",
        rows=tuple(rows),
        head=(
            "Model",
            "Taken over",
            "Ideas",
            "Mean words",
            "Pearson r",
            "Points for one word more",
            "p of no slope",
        ),
        note=(
            "Score: mean over the three dimensions and the judges of an idea. Intervals and p take"
            " all ideas for one keyword as one cluster."
        ),
    )


BESIDE = {"originality": "originality", "feasibility": "feasibility", "both": "the mean of the two"}


def clarity(found: Iterable[Clarity]) -> Table:
    """Return how clarity goes with originality, with feasibility and with the mean of the two."""
    rows = (
        (
            Value(text=BESIDE[beside.beside]),
            Value(text=one.model or TOGETHER),
            Value(text=OVER[one.over]),
            Value(mean=one.n, digits=0),
            Value(mean=one.mean, digits=2),
            Value(text=one.refused, mean=one.r, low=one.low, high=one.high, digits=2),
            Value(mean=one.slope, digits=3),
            Value(mean=one.p, unit="p"),
        )
        for beside in found
        for one in beside.fits
        if one.n
    )
    return Table(
        name="clarity",
        title="Clarity against originality and feasibility",
        rows=tuple(rows),
        head=(
            "Clarity against",
            "Model",
            "Taken over",
            "Ideas",
            "Mean clarity",
            "Pearson r",
            "Points for one point of clarity",
            "p of no slope",
        ),
        note=(
            "Means over the judges of an idea. Intervals and p take all ideas for one keyword as"
            " one cluster."
        ),
    )


def replies(found: Replies) -> Table:
    """Return how the length of the whole reply, thoughts included, goes with score."""
    held = {one.model: one for one in found.models}
    rows = (
        (
            Value(text=one.model or TOGETHER),
            Value(text=OVER[one.over]),
            Value(mean=one.n, digits=0),
            Value(mean=one.mean, digits=0),
            *(
                (
                    Value(mean=held[one.model].thought, digits=0),
                    Value(mean=held[one.model].thoughts, digits=0),
                )
                if one.model in held
                else (Value(), Value())
            ),
            Value(text=one.refused, mean=one.r, low=one.low, high=one.high, digits=2),
            Value(mean=None if one.slope is None else 1_000 * one.slope, digits=3),
            Value(mean=one.p, unit="p"),
        )
        for one in found.fits
        if one.n
    )
    old = (
        f" {found.unmeasured:,} judged ideas from before whole replies were measured are not here."
        if found.unmeasured
        else ""
    )
    return Table(
        name="reply-and-score",
        title="Length of the whole reply and score",
        rows=tuple(rows),
        head=(
            "Model",
            "Taken over",
            "Ideas",
            "Mean characters",
            "Ideas with thoughts",
            "Mean characters of thoughts",
            "Pearson r",
            "Points for 1,000 characters more",
            "p of no slope",
        ),
        note=(
            "The whole reply: thoughts as far as they were sent, and the answer. Judges never see"
            f" thoughts.{old}"
        ),
    )


def thoughts(found: Replies) -> Table:
    """Return how many ideas of each model stand where."""
    rows = (
        (
            Value(text=one.model),
            Value(mean=at, digits=0),
            Value(mean=at + one.step - 1, digits=0),
            Value(mean=score, digits=1),
            Value(mean=n, digits=0),
        )
        for one in found.models
        if one.thought
        for at, score, n in one.counts
    )
    return Table(
        name="reply-density",
        title="Whole replies of models that think",
        rows=tuple(rows),
        head=("Model", "Characters from", "To", "Score, to the nearest half", "Ideas"),
    )


def against(found: Against) -> Table:
    """Return every model's average beside its score in a general ranking."""
    rows = (
        *(
            (
                Value(text=one.model),
                Value(text=one.ranked),
                Value(mean=one.general, digits=2),
                spread(one.average),
            )
            for one in found.points
        ),
        *(
            (
                Value(text=name),
                Value(text="not in the ranking, or without an average"),
                Value(),
                Value(),
            )
            for name in found.left_out
        ),
    )
    said = (
        f"r = {found.r:.2f}, {p_said(found.p)}, n = {found.n} models."
        if found.r is not None and found.p is not None
        else found.refused
    )
    return Table(
        name="general-ranking",
        title="Against a general ranking",
        head=("Model", "In the ranking as", "General score", "Average here"),
        rows=rows,
        note=" ".join(filter(None, (said, found.reading))),
    )


def refusals(found: Iterable[Refusal]) -> Table:
    """Return what became of every idea that was asked for."""
    rows = (
        (
            Value(text=one.model),
            Value(mean=one.answered, digits=0),
            Value(
                mean=one.share.value,
                low=one.share.low,
                high=one.share.high,
                unit="percent",
                digits=3,
            ),
            *(
                Value(mean=n, digits=0)
                for n in (one.refused, one.refused_twice, one.long, one.failed)
            ),
        )
        for one in found
    )
    return Table(
        name="refusals",
        title="Refusals, overlong ideas and failures",
        rows=tuple(rows),
        head=(
            "Model",
            "Ideas answered",
            "Share refused at first",
            "Refused at first",
            "Refused twice (left out)",
            "Too long (left out)",
            "Failed (ideas, judgments, pairs)",
        ),
        note="95 % intervals: Wilson's, or from resampling keywords, the wider end of either.",
    )


def usage(found: Iterable[BenchUsage]) -> Table:
    """Return calls, tokens, cost and seconds of each model in each role; an unknown price stays
    unknown.
    """
    rows = (
        (
            Value(text=one.model),
            Value(text=ROLES[one.role][0]),
            Value(mean=one.calls, digits=0),
            Value(mean=one.accepted, digits=0),
            reported(one.tokens_in, one),
            reported(one.tokens_out, one),
            Value(mean=one.silent, digits=0),
            Value(mean=one.unreported, digits=0),
            cost(one),
            Value(mean=one.seconds / one.calls if one.calls else None, digits=2),
        )
        for one in found
    )
    return Table(
        name="usage",
        title="Calls, tokens and cost",
        rows=tuple(rows),
        head=(
            "Model",
            "Role",
            "Calls",
            "Accepted",
            "Tokens in",
            "Tokens out",
            "Calls unreported",
            "Tokens not reported (upper guess)",
            "Cost",
            "Seconds a call",
        ),
    )


def spoken(one: BenchUsage) -> str:
    """Say what one model read and wrote in one role; an upper guess of what was not reported stands
    beside it.
    """
    unknown = f"; at most {one.unreported:,} more were not reported" if one.unreported else ""
    return tokens(one.tokens_in, one.tokens_out, one.calls, unreported([one])) + unknown


def unreported(found: Iterable[BenchUsage]) -> int | None:
    """Return of how many calls the usage was not reported; None where that was not counted yet, as
    in benchmarks from before.
    """
    silent = [one.silent or (None if one.unreported else 0) for one in found]
    return None if None in silent else sum(n for n in silent if n)


def reported(known: int, one: BenchUsage) -> Value:
    """Return tokens as far as they were reported: where they were for some calls, at least so many;
    where for none, none.
    """
    if not one.unreported:
        return Value(mean=known, digits=0)
    return (
        Value(text=f"at least {known:,}")
        if one.tokens_in or one.tokens_out
        else Value(text="unreported")
    )


def cost(one: BenchUsage) -> Value:
    """Return what a model took in one role, as far as prices are known."""
    if one.calls and one.unpriced == one.calls:
        return Value(text="price unknown")
    known = Value(mean=one.cost, unit="dollars", digits=4)
    return (
        known
        if not one.unpriced
        else Value(text=f"{known.number} + {one.unpriced:,} calls of unknown price")
    )


def severity(found: Iterable[JudgeFigure]) -> Table:
    """Return how far each judge scores above or below the others."""
    rows = (
        (
            Value(text=one.judge),
            Value(text=one.dimension),
            spread(one.deviation),
            Value(mean=one.deviation.n, digits=0),
            Value(mean=one.keywords, digits=0),
        )
        for one in found
    )
    return Table(
        name="judges",
        title="How strict each judge is",
        head=("Judge", "Dimension", "Points above the other judges", "Judgments", "Keywords"),
        rows=tuple(rows),
        note=(
            "Mean difference from the other judges of the same ideas: below 0 is strict, above 0"
            " lenient. 95 % intervals from resampling keywords."
        ),
    )


def agreement(found: Iterable[Statistic]) -> Table:
    """Return how far judges agree."""
    rows = (
        (
            Value(text=one.about),
            Value(text=one.name),
            Value(text=one.refused, mean=one.value, low=one.low, high=one.high, digits=2),
            Value(mean=one.n, digits=0),
            Value(text=one.reading),
        )
        for one in found
    )
    return Table(
        name="agreement",
        title="How far judges agree",
        head=("Dimension", "Statistic", "Value", "Judgments", "Reading"),
        rows=tuple(rows),
    )


def proxies(found: Iterable[Proxy], r: Statistic | None) -> Table:
    """Return judged fluency beside its proxy."""
    rows = (
        (
            Value(text=one.model),
            Value(mean=one.fluency, digits=2),
            spread(one.distance, "keywords", 3),
        )
        for one in found
    )
    return Table(
        name="fluency-proxy",
        title="Fluency as judged, and its proxy",
        head=("Model", "Fluency (judged)", "Proxy: 1 − cosine of the ideas' embeddings"),
        rows=tuple(rows),
        note=(r.reading or r.refused) if r else "",
    )
