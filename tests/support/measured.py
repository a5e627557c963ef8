"""Made-up results of an experiment, for tests of its tables and figures: cells by hand, or a whole
matrix by rule.
"""

from collections.abc import Callable, Iterable
from itertools import product

from core.experiments.results import Results
from core.records import Cell, FrozenTarget, Idea, Made, Standings

IDEA = Idea(form="hypothesis", fields={"hypothesis": "Light at noon sets the clock."})
Rule = Callable[[Cell, int], tuple[float, ...]]
"""Q of each repeat, by the cell and the number of its target; nothing for a cell that is missing.
"""


def cell(
    method: str = "infal", model: str = "m:one", indicator: str = "novelty", target: int = 0
) -> Cell:
    return Cell(method=method, model=model, indicator=indicator, target=f"t{target}")


def standings(
    at: Cell, *q: float, judge: str = "j:one", by_round: tuple[float | None, ...] = ()
) -> Standings:
    return Standings(cell=at, judge=judge, run=f"rank-{judge}-{at.name}", q=q, by_round=by_round)


def made(
    at: Cell, rounds: tuple[int, ...] = (3, 4, 5), converged: tuple[bool, ...] = (True, True, False)
) -> Made:
    return Made(
        cell=at,
        run=f"run-{at.name}",
        ideas=(IDEA,) * len(rounds),
        rounds=rounds,
        converged=converged,
    )


def results(
    standing: Iterable[Standings] = (),
    written: Iterable[Made] = (),
    *,
    methods: tuple[str, ...] = ("initial", "infal"),
    models: tuple[str, ...] = ("m:one",),
    indicators: tuple[str, ...] = ("novelty",),
    judges: tuple[str, ...] = ("j:one",),
    targets: int = 3,
    categories: tuple[str, ...] = ("",),
    dollars: dict[str, float | None] | None = None,
    unfinished: bool = False,
) -> Results:
    """Return results over a planned matrix; targets take the categories in turn."""
    frozen = tuple(
        FrozenTarget(sha=f"t{n}", title=f"Target {n}", category=categories[n % len(categories)])
        for n in range(targets)
    )
    planned = tuple(
        cell(method, model, indicator, n)
        for method, model, indicator, n in product(methods, models, indicators, range(targets))
    )
    return Results(
        sweeps=("s",),
        methods=methods,
        models=models,
        indicators=indicators,
        judges=judges,
        targets=frozen,
        planned=planned,
        made=tuple(written),
        standings=tuple(standing),
        dollars=dollars or {},
        unfinished=unfinished,
    )


def matrix(rule: Rule, **shape: object) -> Results:
    """Return results whose cells are filled by a rule."""
    empty = results(**shape)  # type: ignore[arg-type]
    filled = [(at, rule(at, int(at.target[1:]))) for at in empty.planned]
    return empty.model_copy(
        update={
            "standings": tuple(standings(at, *q) for at, q in filled if q),
            "made": tuple(made(at) for at, q in filled if q),
            "dollars": {f"run-{at.name}": 0.3 for at, q in filled if q},
        }
    )
