"""What the figures of a benchmark show, as tables: every figure with its interval, and in words
what a mark means.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.benchmark.figures.drawing import MARKED, ROLES
from core.benchmark.results.board import Board, BoardRow
from core.benchmark.results.by_domain import DomainScore
from core.benchmark.results.clarity import Beside, Clarity
from core.benchmark.results.distributions import Distribution
from core.benchmark.results.generality import Against
from core.benchmark.results.lengths import LineFit
from core.benchmark.results.measures import FIGURES
from core.benchmark.results.panel_figures import JudgeFigure
from core.benchmark.results.proxies import Proxy
from core.benchmark.results.refused import Refusal
from core.benchmark.results.replies import Replies
from core.records import BenchUsage, Table, Value
from core.records.usage import tokens
from core.statistics.statistic import Statistic, p_said
from core.tables.cells import Cell, number, spread, tabulated

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


class _Line(NamedTuple):
    """A line of the leaderboard or of the trade-off: a model, and the board it stands on."""

    row: BoardRow
    board: Board
    mark: str
    """Said of the model beside its figures: whose board it is, or whether it is on the front."""


def board(found: Board, published: Board | None = None) -> Table:
    """Return the leaderboard, ties in words; published models follow it, with ranks of their own.
    Alone they have no columns for what is not published.
    """
    lines = [_Line(row, found, "this benchmark") for row in found.rows]
    notes = found.notes
    if published:
        lines += [_Line(row, published, MARKED) for row in published.rows]
        notes += published.notes
    columns: dict[str, Callable[[_Line], Cell]] = {
        "Rank": lambda line: None if line.row.average.value is None else line.row.rank,
        "Tied": lambda line: tied(line.row, line.board),
        "Model": lambda line: line.row.model,
        "Weights": lambda line: WEIGHTS[line.row.open],
        **_figures(SHOWN),
        KEYWORDS: lambda line: None if line.board.published else line.row.average.n,
        "Not told apart from": lambda line: ties(line.row, line.board),
        "From": lambda line: line.mark,
    }
    alone = not (published and published.rows)
    if alone:
        del columns["From"]
        if all(row.open is None for row in found.rows):
            del columns["Weights"]
        if found.published:
            del columns["Tied"], columns[KEYWORDS], columns["Not told apart from"]
    return tabulated("leaderboard", "Leaderboard", lines, columns, note=" ".join(notes))


def _figures(names: Iterable[str]) -> dict[str, Callable[[_Line], Cell]]:
    def column(name: str) -> Callable[[_Line], Cell]:
        return lambda line: spread(getattr(line.row, name))

    return {name.capitalize(): column(name) for name in names}


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
    lines = [_Line(row, found, "yes" if row.model in front else "no") for row in found.rows]
    if published:
        lines += [_Line(row, published, MARKED) for row in published.rows]
    return tabulated(
        "trade-off",
        "Feasibility and originality",
        lines,
        {
            "Model": lambda line: line.row.model,
            **_figures(("feasibility", "originality", "fluency", "flexibility", "clarity")),
            "On the Pareto front": lambda line: line.mark,
        },
        note=(
            "On the front: no other model is at least as feasible and as original, and more so in"
            " one of the two."
        ),
    )


def domains(found: Sequence[DomainScore]) -> Table:
    """Return every model's scores by domain."""
    of = MEAN_OF[min((one.of for one in found), default=4)]
    scores = {
        name.capitalize(): lambda one, name=name: number(getattr(one, name), 2)
        for name in DIMENSIONS
    }
    return tabulated(
        "by-domain",
        "Scores by model and domain",
        [one for one in found if one.keywords],
        {
            "Domain": lambda one: one.domain or "no domain",
            "Model": lambda one: one.model,
            of.said: lambda one: spread(one.value, "keywords"),
            **scores,
            "Keywords": lambda one: one.keywords,
            "Note": lambda one: f"fewer than {THIN} keywords" if one.keywords < THIN else "",
        },
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
    return tabulated(
        "scores",
        "How often each score was given",
        [one for one in found if one.what != "words"],
        {
            "Model": lambda one: one.model or TOGETHER,
            "Dimension": lambda one: one.what,
            **{str(score): _often(score) for score in range(1, 11)},
            "n": lambda one: one.n,
            "Mean": lambda one: number(one.mean, 2),
            "SD": lambda one: number(one.sd, 2),
        },
        note="Fluency is one letter for a pair of ideas: D counts 1, C 4, B 7, A 10.",
    )


def words(found: Iterable[Distribution]) -> Table:
    """Return how long ideas are, in tens of words."""
    held = [one for one in found if one.what == "words"]
    tens = sorted({value for one in held for value, _ in one.counts})
    return tabulated(
        "words",
        "Words of an idea",
        held,
        {
            "Model": lambda one: one.model or TOGETHER,
            **{f"{ten} to {ten + 9}": _often(ten) for ten in tens},
            "n": lambda one: one.n,
        },
    )


def _often(value: int) -> Callable[[Distribution], Cell]:
    """Return what looks up how often a value was given."""
    return lambda one: dict(one.counts).get(value, 0)


def _columns_of_fit(
    mean: str, digits: int, gain: str, more: int, gain_digits: int
) -> dict[str, Callable[[LineFit], Cell]]:
    """Return the columns of straight lines; `mean` heads what the score is held against, `gain` the
    points for so many `more` of it.
    """
    return {
        "Model": lambda one: one.model or TOGETHER,
        "Taken over": lambda one: OVER[one.over],
        "Ideas": lambda one: one.n,
        mean: lambda one: number(one.mean, digits),
        "Pearson r": lambda one: Value(
            text=one.refused, mean=one.r, low=one.low, high=one.high, digits=2
        ),
        gain: lambda one: number(None if one.slope is None else more * one.slope, gain_digits),
        "p of no slope": lambda one: number(one.p, 3, "p"),
    }


def lengths(found: Iterable[LineFit]) -> Table:
    """Return how length goes with score."""
    return tabulated(
        "length-and-score",
        "Length of an idea and its score",
        found,
        _columns_of_fit("Mean words", 1, "Points for one word more", 1, 4),
        note=(
            "Score: mean over the three dimensions and the judges of an idea. Intervals and p take"
            " all ideas for one keyword as one cluster."
        ),
    )


BESIDE = {"originality": "originality", "feasibility": "feasibility", "both": "the mean of the two"}


def clarity(found: Iterable[Clarity]) -> Table:
    """Return how clarity goes with originality, with feasibility and with the mean of the two."""

    def of_line(of: Callable[[LineFit], Cell]) -> Callable[[tuple[Beside, LineFit]], Cell]:
        return lambda row: of(row[1])

    columns = _columns_of_fit("Mean clarity", 2, "Points for one point of clarity", 1, 3)
    return tabulated(
        "clarity",
        "Clarity against originality and feasibility",
        [(beside.beside, one) for beside in found for one in beside.fits if one.n],
        {
            "Clarity against": lambda row: BESIDE[row[0]],
            **{head: of_line(of) for head, of in columns.items()},
        },
        note=(
            "Means over the judges of an idea. Intervals and p take all ideas for one keyword as"
            " one cluster."
        ),
    )


def replies(found: Replies) -> Table:
    """Return how the length of the whole reply, thoughts included, goes with score."""
    thinkers = {one.model: one for one in found.models}

    def of_thinker(one: LineFit, field: str) -> Cell:
        return number(getattr(thinkers[one.model], field), 0) if one.model in thinkers else None

    columns = _columns_of_fit("Mean characters", 0, "Points for 1,000 characters more", 1_000, 3)
    heads = list(columns)
    heads.insert(4, "Ideas with thoughts")
    heads.insert(5, "Mean characters of thoughts")
    columns["Ideas with thoughts"] = lambda one: of_thinker(one, "thought")
    columns["Mean characters of thoughts"] = lambda one: of_thinker(one, "thoughts")
    old = (
        f" {found.unmeasured:,} judged ideas from before whole replies were measured are not here."
        if found.unmeasured
        else ""
    )
    return tabulated(
        "reply-and-score",
        "Length of the whole reply and score",
        [one for one in found.fits if one.n],
        {head: columns[head] for head in heads},
        note=(
            "The whole reply: thoughts as far as they were sent, and the answer. Judges never see"
            f" thoughts.{old}"
        ),
    )


def thoughts(found: Replies) -> Table:
    """Return how many ideas of each model stand where."""
    return tabulated(
        "reply-density",
        "Whole replies of models that think",
        [(one, *count) for one in found.models if one.thought for count in one.counts],
        {
            "Model": lambda row: row[0].model,
            "Characters from": lambda row: row[1],
            "To": lambda row: row[1] + row[0].step - 1,
            "Score, to the nearest half": lambda row: number(row[2], 1),
            "Ideas": lambda row: row[3],
        },
    )


def against(found: Against) -> Table:
    """Return every model's average beside its score in a general ranking."""
    said = found.refused
    if found.r is not None and found.p is not None:
        said = f"r = {found.r:.2f}, {p_said(found.p)}, n = {found.n} models."
    shown = tabulated(
        "general-ranking",
        "Against a general ranking",
        found.points,
        {
            "Model": lambda one: one.model,
            "In the ranking as": lambda one: one.ranked,
            "General score": lambda one: number(one.general, 2),
            "Average here": lambda one: spread(one.average),
        },
        note=" ".join(filter(None, (said, found.reading))),
    )
    without = Value(text="not in the ranking, or without an average")
    rest = tuple((Value(text=name), without, Value(), Value()) for name in found.left_out)
    return shown.model_copy(update={"rows": shown.rows + rest})


def refusals(found: Iterable[Refusal]) -> Table:
    """Return what became of every idea that was asked for."""
    return tabulated(
        "refusals",
        "Refusals, overlong ideas and failures",
        found,
        {
            "Model": lambda one: one.model,
            "Ideas answered": lambda one: one.answered,
            "Share refused at first": lambda one: Value(
                mean=one.share.value,
                low=one.share.low,
                high=one.share.high,
                unit="percent",
                digits=3,
            ),
            "Refused at first": lambda one: one.refused,
            "Refused twice (left out)": lambda one: one.refused_twice,
            "Too long (left out)": lambda one: one.long,
            "Failed (ideas, judgments, pairs)": lambda one: one.failed,
        },
        note="95 % intervals: Wilson's, or from resampling keywords, the wider end of either.",
    )


def usage(found: Iterable[BenchUsage]) -> Table:
    """Return calls, tokens, cost and seconds of each model in each role; an unknown price stays
    unknown.
    """
    return tabulated(
        "usage",
        "Calls, tokens and cost",
        found,
        {
            "Model": lambda one: one.model,
            "Role": lambda one: ROLES[one.role][0],
            "Calls": lambda one: one.calls,
            "Accepted": lambda one: one.accepted,
            "Tokens in": lambda one: reported(one.tokens_in, one),
            "Tokens out": lambda one: reported(one.tokens_out, one),
            "Calls unreported": lambda one: number(one.silent, 0),
            "Tokens not reported (upper guess)": lambda one: one.unreported,
            "Cost": cost,
            "Seconds a call": lambda one: number(one.seconds / one.calls if one.calls else None, 2),
        },
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
    if one.tokens_in or one.tokens_out:
        return Value(text=f"at least {known:,}")
    return Value(text="unreported")


def cost(one: BenchUsage) -> Value:
    """Return what a model took in one role, as far as prices are known."""
    if one.calls and one.unpriced == one.calls:
        return Value(text="price unknown")
    known = Value(mean=one.cost, unit="dollars", digits=4)
    if not one.unpriced:
        return known
    return Value(text=f"{known.number} + {one.unpriced:,} calls of unknown price")


def severity(found: Iterable[JudgeFigure]) -> Table:
    """Return how far each judge scores above or below the others."""
    return tabulated(
        "judges",
        "How strict each judge is",
        found,
        {
            "Judge": lambda one: one.judge,
            "Dimension": lambda one: one.dimension,
            "Points above the other judges": lambda one: spread(one.deviation),
            "Judgments": lambda one: one.deviation.n,
            "Keywords": lambda one: one.keywords,
        },
        note=(
            "Mean difference from the other judges of the same ideas: below 0 is strict, above 0"
            " lenient. 95 % intervals from resampling keywords."
        ),
    )


def agreement(found: Iterable[Statistic]) -> Table:
    """Return how far judges agree."""
    return tabulated(
        "agreement",
        "How far judges agree",
        found,
        {
            "Dimension": lambda one: one.about,
            "Statistic": lambda one: one.name,
            "Value": lambda one: Value(
                text=one.refused, mean=one.value, low=one.low, high=one.high, digits=2
            ),
            "Judgments": lambda one: one.n,
            "Reading": lambda one: one.reading,
        },
    )


def proxies(found: Iterable[Proxy], r: Statistic | None) -> Table:
    """Return judged fluency beside its proxy."""
    return tabulated(
        "fluency-proxy",
        "Fluency as judged, and its proxy",
        found,
        {
            "Model": lambda one: one.model,
            "Fluency (judged)": lambda one: number(one.fluency, 2),
            "Proxy: 1 − cosine of the ideas' embeddings": lambda one: spread(
                one.distance, "keywords", 3
            ),
        },
        note=(r.reading or r.refused) if r else "",
    )
