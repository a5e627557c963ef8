"""Every figure of a benchmark, each with the table that says the same; what cannot be drawn is
named with the reason.
"""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, TypeVar

from core.benchmark.board import Board
from core.benchmark.energy import energy
from core.benchmark.figures import against, board, fits, judges, scores, usage
from core.benchmark.findings import BenchFindings
from core.benchmark.generality import Against
from core.charts.style import DrawnFigure
from core.wording.numbers import counted

T = TypeVar("T")
log = logging.getLogger(__name__)


class Missing(NamedTuple):
    """A figure that is not drawn, and why."""

    name: str
    title: str
    why: str
    failed: bool = False
    """Whether drawing it failed, though there is something to draw."""


class Gallery(NamedTuple):
    """All figures of a benchmark, or of a group of them: each is in one of the two."""

    drawn: tuple[DrawnFigure, ...]
    missing: tuple[Missing, ...]


class FigureRequest(NamedTuple):
    """What figures are drawn of, and how."""

    found: BenchFindings
    ink: str
    """The colour of words."""
    published: Board | None = None
    """A board that is shown beside."""
    general: Against | None = None
    """A general ranking that is held against it."""

    @property
    def order(self) -> list[str]:
        """The models in the order of the leaderboard."""
        return [row.model for row in self.found.board.rows]


class FigureKind(NamedTuple):
    """A figure as it can be asked for."""

    name: str
    title: str
    draw: Callable[[FigureRequest], DrawnFigure | None]
    reason: Callable[[BenchFindings], str]
    """Says why it is not drawn: what there would have to be, as it stands."""


# -- why a figure is not drawn -----------------------------------------------------------------


def unjudged(found: BenchFindings) -> str:
    """Say why nothing is judged; empty where something is."""
    settled = {
        (kind, state): sum(one.n for one in found.counts if (one.kind, one.state) == (kind, state))
        for kind in ("idea", "judge")
        for state in ("done", "excluded", "failed")
    }
    if settled["judge", "done"]:
        return ""
    lost = ", ".join(
        f"{settled['idea', state]:,} {words}"
        for state, words in (("excluded", "refused twice or too long"), ("failed", "failed"))
        if settled["idea", state]
    )
    if not settled["idea", "done"]:
        if lost:
            return f"No idea was accepted ({lost}), so that nothing is judged."
        return "No idea is written yet."
    judged = (
        f"{settled['judge', 'failed']:,} judgments failed"
        if settled["judge", "failed"]
        else "nobody has judged them"
    )
    return f"Of {counted(settled['idea', 'done'], 'idea')} none is judged: {judged}."


def _scored(found: BenchFindings) -> str:
    return unjudged(found) or "No model has this figure."


def _domains(found: BenchFindings) -> str:
    return unjudged(found) or "No keyword has all of a model's scores."


def _line(found: BenchFindings) -> str:
    why = unjudged(found) or next(
        (one.refused for one in found.lengths if one.refused), "No model's ideas differ in both."
    )
    return f"Length is not held against score. {why}"


def _reply(found: BenchFindings) -> str:
    if n := found.replies.unmeasured:
        why = (
            f"{counted(n, 'judged idea')} came before whole replies were measured and"
            f" {'is' if n == 1 else 'are'} not here."
        )
    else:
        why = unjudged(found) or next(
            (one.refused for one in found.replies.fits if one.refused),
            "No whole reply was measured.",
        )
    return f"Whole replies are not held against score. {why}"


def _thoughts(found: BenchFindings) -> str:
    return (
        unjudged(found) or "No model sent thoughts with its ideas: whole replies are answers alone."
    )


def _tokens(found: BenchFindings) -> str:
    if not found.usage:
        return "Nothing was asked yet."
    if any(one.unreported for one in found.usage):
        return "No server reported how many tokens it wrote."
    return "No token was written."


def _cost(found: BenchFindings) -> str:
    if not found.usage:
        return "Nothing was asked yet."
    if any(one.unpriced for one in found.usage):
        return "No call has a known price."
    return "No call cost anything."


def _energy(found: BenchFindings) -> str:
    return (
        "No energy can be estimated for these models." if found.usage else "Nothing was asked yet."
    )


def _judges(found: BenchFindings) -> str:
    return unjudged(found) or "Strictness needs ideas with two judgments or more."


def _agreement(found: BenchFindings) -> str:
    return unjudged(found) or next(
        (one.refused for one in found.agreement if one.refused),
        "Agreement needs ideas with two judgments or more.",
    )


def _proxy(found: BenchFindings) -> str:
    if not any(one.kind == "fluency" and one.state == "done" for one in found.counts):
        return "No two ideas for one keyword were compared: fluency takes two ideas by one model."
    if not found.proxies:
        return "The proxy of fluency was not computed; Results, Fluency proxy, computes it."
    return "No model has both judged fluency and its proxy."


# -- all figures -------------------------------------------------------------------------------


def _leaderboard(request: FigureRequest) -> DrawnFigure | None:
    found = request.found.board
    return board.standing(found, request.ink, request.published, board.led_by(found))


def _scores(request: FigureRequest) -> DrawnFigure | None:
    together = [""] if len(request.found.models) > 1 else []
    models = (*together, *request.order)
    return scores.scores(request.found.distributions, models, request.ink)


def _general(request: FigureRequest) -> DrawnFigure | None:
    return against.against(request.general, request.ink) if request.general else None


def _proxy_figure(request: FigureRequest) -> DrawnFigure | None:
    return against.proxy(request.found.proxies, request.found.proxy_r, request.ink)


FIGURES: dict[str, tuple[FigureKind, ...]] = {
    "leaderboard": (FigureKind("leaderboard", "Leaderboard", _leaderboard, _scored),),
    "trade-off": (
        FigureKind(
            "trade-off",
            "Feasibility and originality",
            lambda one: board.trade_off(one.found.board, one.ink, one.published),
            _scored,
        ),
    ),
    "domains": (
        FigureKind(
            "by-domain",
            "Scores by model and domain",
            lambda one: scores.by_domain(one.found.by_domain, one.order, one.ink),
            _domains,
        ),
    ),
    "scores": (FigureKind("scores", "How often each score was given", _scores, _scored),),
    "clarity": (
        FigureKind(
            "clarity",
            "Clarity against originality and feasibility",
            lambda one: fits.clarity(one.found.clarity, one.ink),
            _scored,
        ),
    ),
    "length": (
        FigureKind(
            "length-and-score",
            "Length of an idea and its score",
            lambda one: fits.lengths(one.found.lengths, one.ink),
            _line,
        ),
        FigureKind(
            "words",
            "Words of an idea",
            lambda one: scores.words(one.found.distributions, one.ink),
            lambda _: "No idea was accepted.",
        ),
        FigureKind(
            "reply-and-score",
            "Length of the whole reply and score",
            lambda one: fits.replies(one.found.replies, one.ink),
            _reply,
        ),
        FigureKind(
            "reply-density",
            "Whole replies of models that think",
            lambda one: fits.reply_density(one.found.replies, one.ink),
            _thoughts,
        ),
    ),
    "general": (
        FigureKind(
            "general-ranking",
            "Against a general ranking",
            _general,
            lambda _: (
                "No general ranking was brought to hold the averages against:"
                " Results, General ranking, takes one."
            ),
        ),
    ),
    "refusals": (
        FigureKind(
            "refusals",
            "Refusals and overlong ideas",
            lambda one: usage.refusals(one.found.refusals, one.ink),
            lambda _: "No idea was answered yet.",
        ),
    ),
    "usage": (
        FigureKind(
            "tokens",
            "Tokens written by each model",
            lambda one: usage.tokens(one.found.usage, one.ink),
            _tokens,
        ),
        FigureKind(
            "cost", "Cost of each model", lambda one: usage.cost(one.found.usage, one.ink), _cost
        ),
        FigureKind(
            "energy",
            "Energy, estimated",
            lambda one: usage.energy(energy(one.found.usage), one.ink),
            _energy,
        ),
    ),
    "judges": (
        FigureKind(
            "judges",
            "How strict each judge is",
            lambda one: judges.severity(one.found.severity, one.ink),
            _judges,
        ),
        FigureKind(
            "agreement",
            "How far judges agree",
            lambda one: judges.agreement(one.found.agreement, one.ink),
            _agreement,
        ),
    ),
    "fluency": (
        FigureKind("fluency-proxy", "Fluency as judged, and its proxy", _proxy_figure, _proxy),
    ),
}
"""By group: figures that belong together, in the order they are read."""
GROUPS = tuple(FIGURES)
KINDS = {kind.name: kind for several in FIGURES.values() for kind in several}


def gallery(request: FigureRequest, groups: Iterable[str] = GROUPS) -> Gallery:
    """Draw every figure there are points for; each of the others is named with its reason, a
    mistake in drawing one too.
    """
    drawn, missing = [], []
    for kind in (kind for group in groups for kind in FIGURES[group]):
        figure = attempted(kind.name, kind.title, partial(kind.draw, request))
        if isinstance(figure, DrawnFigure):
            drawn.append(figure)
        else:
            reason = figure or Missing(kind.name, kind.title, kind.reason(request.found))
            missing.append(reason)
    return Gallery(tuple(drawn), tuple(missing))


def attempted(name: str, title: str, draw: Callable[[], T]) -> T | Missing:
    """Return what drawing gives; a mistake in it costs this figure and nothing else, and is said in
    its place.
    """
    try:
        return draw()
    except Exception as error:
        log.exception("The figure %s could not be drawn", name)
        said = " ".join(str(error).split())[:300]
        return Missing(
            name,
            title,
            f"Drawing it failed ({type(error).__name__}{f': {said}' if said else ''}).",
            failed=True,
        )
