"""Every figure of a benchmark, each with the table that says the same."""
from collections.abc import Callable, Sequence

from core.benchmark import figures_against, figures_board, figures_density, figures_domains, figures_judges, figures_scores, figures_usage
from core.benchmark.board import Board
from core.benchmark.energy import energy
from core.benchmark.figures_drawing import Drawn
from core.benchmark.findings import BenchFindings
from core.benchmark.generality import Against

__all__ = ["Drawn", "figures", "figures_of"]


def figures(found: BenchFindings, ink: str, published: Board | None = None, against: Against | None = None) -> tuple[Drawn, ...]:
    """Return every figure there are points for; `ink` is the colour of words, `published` a board shown beside, `against` a general ranking held against it."""
    return tuple(one for group in GROUPS for one in figures_of(group, found, ink, published, against))


def figures_of(group: str, found: BenchFindings, ink: str, published: Board | None = None, against: Against | None = None) -> tuple[Drawn, ...]:
    """Return the figures of one group of GROUPS that there are points for."""
    if group == "general":
        made: Sequence[Drawn | None] = (figures_against.against(against, ink),) if against else ()
    elif group in BOARDS:
        made = (BOARDS[group](found.board, ink, published),)
    else:
        made = MAKES[group](found, ink)
    return tuple(one for one in made if one is not None)


def _scores(found: BenchFindings, ink: str) -> Sequence[Drawn | None]:
    several = len(found.models) > 1
    return (figures_scores.scores(found.distributions, (*([""] if several else []), *(row.model for row in found.board.rows)), ink),)


def _usage(found: BenchFindings, ink: str) -> Sequence[Drawn | None]:
    return (figures_usage.tokens(found.usage, ink), figures_usage.cost(found.usage, ink), figures_usage.energy(energy(found.usage), ink))


BOARDS: dict[str, Callable[[Board, str, Board | None], Drawn | None]] = {
    "leaderboard": lambda board, ink, published: figures_board.standing(board, ink, published, figures_board.led_by(board)),
    "trade-off": figures_board.trade_off,
}
MAKES: dict[str, Callable[[BenchFindings, str], Sequence[Drawn | None]]] = {
    "domains": lambda found, ink: (figures_domains.by_domain(found.by_domain, [row.model for row in found.board.rows], ink),),
    "scores": _scores,
    "clarity": lambda found, ink: (figures_density.clarity(found.clarity, ink),),
    "length": lambda found, ink: (
        figures_scores.lengths(found.lengths, ink), figures_scores.words(found.distributions, ink), figures_scores.replies(found.replies, ink),
        figures_density.replies(found.replies, ink)),
    "refusals": lambda found, ink: (figures_usage.refusals(found.refusals, ink),),
    "usage": _usage,
    "judges": lambda found, ink: (figures_judges.severity(found.severity, ink), figures_judges.agreement(found.agreement, ink)),
    "fluency": lambda found, ink: (figures_against.proxy(found.proxies, found.proxy_r, ink),),
}
GROUPS = ("leaderboard", "trade-off", "domains", "scores", "clarity", "length", "general", "refusals", "usage", "judges", "fluency")
"""Figures that belong together, in the order they are read."""
