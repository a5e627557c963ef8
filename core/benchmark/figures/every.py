"""Every figure of a benchmark, each with the table that says the same; what cannot be drawn is
named with the reason.
"""

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from core.benchmark.board import Board
from core.benchmark.energy import energy
from core.benchmark.figures import against as figures_against
from core.benchmark.figures import board as figures_board
from core.benchmark.figures import density, domains, judges, scores, usage
from core.benchmark.figures.drawing import DrawnFigure
from core.benchmark.figures.missing import REASONS
from core.benchmark.findings import BenchFindings
from core.benchmark.generality import Against

__all__ = ["DrawnFigure", "figures", "figures_of", "gallery"]

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
    against: Against | None = None
    """A general ranking that is held against it."""

    @property
    def order(self) -> list[str]:
        """The models in the order of the leaderboard."""
        return [row.model for row in self.found.board.rows]


class FigureKind(NamedTuple):
    """A figure as it can be asked for."""

    name: str
    """Of its reasons where it is not drawn."""
    title: str
    draw: Callable[[FigureRequest], DrawnFigure | None]


def _scores(asked: FigureRequest) -> DrawnFigure | None:
    together = [""] if len(asked.found.models) > 1 else []
    return scores.scores(asked.found.distributions, (*together, *asked.order), asked.ink)


def _standing(asked: FigureRequest) -> DrawnFigure | None:
    board = asked.found.board
    return figures_board.standing(board, asked.ink, asked.published, figures_board.led_by(board))


def _general(asked: FigureRequest) -> DrawnFigure | None:
    return figures_against.against(asked.against, asked.ink) if asked.against else None


FIGURES: dict[str, tuple[FigureKind, ...]] = {
    "leaderboard": (FigureKind("leaderboard", "Leaderboard", _standing),),
    "trade-off": (
        FigureKind(
            "trade-off",
            "Feasibility and originality",
            lambda asked: figures_board.trade_off(asked.found.board, asked.ink, asked.published),
        ),
    ),
    "domains": (
        FigureKind(
            "by-domain",
            "Scores by model and domain",
            lambda asked: domains.by_domain(asked.found.by_domain, asked.order, asked.ink),
        ),
    ),
    "scores": (FigureKind("scores", "How often each score was given", _scores),),
    "clarity": (
        FigureKind(
            "clarity",
            "Clarity against originality and feasibility",
            lambda asked: density.clarity(asked.found.clarity, asked.ink),
        ),
    ),
    "length": (
        FigureKind(
            "length-and-score",
            "Length of an idea and its score",
            lambda asked: scores.lengths(asked.found.lengths, asked.ink),
        ),
        FigureKind(
            "words",
            "Words of an idea",
            lambda asked: scores.words(asked.found.distributions, asked.ink),
        ),
        FigureKind(
            "reply-and-score",
            "Length of the whole reply and score",
            lambda asked: scores.replies(asked.found.replies, asked.ink),
        ),
        FigureKind(
            "reply-density",
            "Whole replies of models that think",
            lambda asked: density.replies(asked.found.replies, asked.ink),
        ),
    ),
    "general": (FigureKind("general-ranking", "Against a general ranking", _general),),
    "refusals": (
        FigureKind(
            "refusals",
            "Refusals and overlong ideas",
            lambda asked: usage.refusals(asked.found.refusals, asked.ink),
        ),
    ),
    "usage": (
        FigureKind(
            "tokens",
            "Tokens written by each model",
            lambda asked: usage.tokens(asked.found.usage, asked.ink),
        ),
        FigureKind(
            "cost",
            "Cost of each model",
            lambda asked: usage.cost(asked.found.usage, asked.ink),
        ),
        FigureKind(
            "energy",
            "Energy, estimated",
            lambda asked: usage.energy(energy(asked.found.usage), asked.ink),
        ),
    ),
    "judges": (
        FigureKind(
            "judges",
            "How strict each judge is",
            lambda asked: judges.severity(asked.found.severity, asked.ink),
        ),
        FigureKind(
            "agreement",
            "How far judges agree",
            lambda asked: judges.agreement(asked.found.agreement, asked.ink),
        ),
    ),
    "fluency": (
        FigureKind(
            "fluency-proxy",
            "Fluency as judged, and its proxy",
            lambda asked: figures_against.proxy(
                asked.found.proxies, asked.found.proxy_r, asked.ink
            ),
        ),
    ),
}
"""By group: figures that belong together, in the order they are read."""
GROUPS = tuple(FIGURES)


def gallery(asked: FigureRequest, groups: Iterable[str] = GROUPS) -> Gallery:
    """Draw every figure there are points for; each of the others is named with its reason, a
    mistake in drawing one too.
    """
    made = [_made(one, asked) for group in groups for one in FIGURES[group]]
    return Gallery(
        tuple(one for one in made if isinstance(one, DrawnFigure)),
        tuple(one for one in made if isinstance(one, Missing)),
    )


def _made(one: FigureKind, asked: FigureRequest) -> DrawnFigure | Missing:
    drawn = attempted(one.name, one.title, lambda: one.draw(asked))
    return Missing(one.name, one.title, REASONS[one.name](asked.found)) if drawn is None else drawn


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


def figures(
    found: BenchFindings, ink: str, published: Board | None = None, against: Against | None = None
) -> tuple[DrawnFigure, ...]:
    """Return every figure there are points for, as `gallery` draws it."""
    return gallery(FigureRequest(found, ink, published, against)).drawn


def figures_of(
    group: str,
    found: BenchFindings,
    ink: str,
    published: Board | None = None,
    against: Against | None = None,
) -> tuple[DrawnFigure, ...]:
    """Return the figures of one group of GROUPS that there are points for."""
    return gallery(FigureRequest(found, ink, published, against), (group,)).drawn
