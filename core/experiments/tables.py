"""The papers' tables (InfAL, tables 1 to 14), drawn from findings: our own or published ones."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from core.experiments.findings import Findings, Measured, named
from core.records import Table, Value, digest

METHODS: dict[str, str] = {
    "initial": "Initial idea",
    "self-reflection": "Self-reflection",
    "infal": "InfAL",
    "review-rebuttal": "Review & Rebuttal",
    "no-discriminator": "Without discriminator",
    "no-optimizer": "Without optimizer",
    "evolve": "Checklist evolution",
    "evolve-uninformed": "Checklist evolution, uninformed",
    "direct": "Direct prompting",
    "rag": "Retrieval-augmented prompting",
    "chain": "Chain of ideas",
}
"""What a contender is called in a table."""
HEADS: dict[str, str] = {
    "method": "Method",
    "model": "Model",
    "indicator": "Quality",
    "judge": "Judge",
    "category": "Category",
    "against": "Compared with",
}
Column = tuple[str, Mapping[str, str]]
"""A heading, and what a figure must be to stand below it."""
Columns = Callable[[Findings, Sequence[Measured]], list[Column]]


class TablePlan(NamedTuple):
    """How a table is laid out; its figures are those that stand under its name."""

    title: str
    of: str
    """Which table of the paper it is."""
    lead: tuple[str, ...]
    """What names a row."""
    columns: Columns


def _heads(**heads: str) -> Columns:
    """Plan a column for everything measured, under its heading; `{}` stands for the most rounds."""
    return lambda found, _: [
        (head.format(found.max_rounds), {"what": what}) for what, head in heads.items()
    ]


def _by_indicator(**heads: str) -> Columns:
    """Plan a column for everything measured of each quality, under its heading and the quality."""

    def columns(_: Findings, figures: Sequence[Measured]) -> list[Column]:
        return [
            (f"{head} {name}", {"what": what, "indicator": name})
            for name in named(figures, "indicator")
            for what, head in heads.items()
        ]

    return columns


def _by_method(_: Findings, figures: Sequence[Measured]) -> list[Column]:
    return [(METHODS.get(name, name), {"method": name}) for name in named(figures, "method")]


PLANS: dict[str, TablePlan] = {
    "quality": TablePlan(
        "Mean Q by method and model",
        "table 1",
        ("method", "model"),
        _by_indicator(q="Q", change="Change"),
    ),
    "convergence": TablePlan(
        "Convergence",
        "table 2",
        ("method", "model", "indicator"),
        _heads(rounds="Median rounds", converged="Converged within {} rounds"),
    ),
    "ablation": TablePlan(
        "Without one of the actors",
        "table 3",
        ("method", "model"),
        _by_indicator(q="Q", rounds="Rounds"),
    ),
    "repeatability": TablePlan(
        "Repeatability of Q",
        "table 4",
        ("method", "model", "indicator"),
        _heads(q="Mean Q", deviation="Standard deviation", variance="Variance"),
    ),
    "judges": TablePlan(
        "Mean Q by judge", "table 5", ("method", "model", "judge"), _by_indicator(q="Q")
    ),
    "tests": TablePlan(
        "Paired tests between methods",
        "table 6",
        ("model", "indicator", "method", "against"),
        _heads(
            pairs="Targets",
            difference="Difference",
            test="Test",
            p="p",
            holm="p (Holm)",
            d_z="d_z",
            wilcoxon="p (Wilcoxon)",
            rank_biserial="Rank-biserial r",
        ),
    ),
    "costs": TablePlan("Mean cost of an idea (US dollars)", "table 7", ("model",), _by_method),
    "rounds": TablePlan(
        "Median rounds (fewer is better)", "table 8", ("model", "indicator"), _by_method
    ),
}
"""The tables whose names and titles are always the same, in the order of the paper."""


def tables(found: Findings) -> tuple[Table, ...]:
    """Return every table the findings have figures for, in the order of the paper."""
    made = (*(table(found, name) for name in PLANS), *categories(found))
    return tuple(filled for filled in made if filled.rows)


def table(found: Findings, name: str) -> Table:
    """Return one of the tables in PLANS, without rows where the findings have none for it."""
    return _table(found, name, PLANS[name], getattr(found, name))


def categories(found: Findings) -> Iterator[Table]:
    """Yield Q by category and model, a table for each quality and method (tables 9 to 14)."""
    columns: list[Column] = [(name, {"model": name}) for name in named(found.categories, "model")]
    indicators, methods = (named(found.categories, field) for field in ("indicator", "method"))
    called = slugs(indicators) | slugs(methods)
    for indicator, method in product(indicators, methods):
        figures = [
            figure
            for figure in found.categories
            if (figure.indicator, figure.method) == (indicator, method)
        ]
        if figures:
            title = f"Q {indicator} by category: {METHODS.get(method, method)}"
            plan = TablePlan(title, "tables 9 to 14", ("category",), lambda _, __: columns)
            made = _table(found, "categories", plan, figures)
            name = f"categories-{called[indicator]}-{called[method]}"
            yield made.model_copy(update={"name": name})


def slugs(texts: Iterable[str], longest: int = 60) -> dict[str, str]:
    """Return each text as a part of a file's name, of so many letters; of those that come to the
    same, all but the first have a digest with it.
    """
    found: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or digest(text)[:12]
        plain = plain[:longest]
        found[text] = f"{plain}-{digest(text)[:6]}" if plain in found.values() else plain
    return found


def _table(found: Findings, name: str, plan: TablePlan, figures: Sequence[Measured]) -> Table:
    """Return figures as a table: a row for each thing the leading fields name, and a column for
    each heading.
    """
    rows: dict[tuple[str, ...], list[Measured]] = defaultdict(list)
    for figure in figures:
        rows[tuple(getattr(figure, field) for field in plan.lead)].append(figure)
    columns = plan.columns(found, figures)
    cells = []
    for names, measured in rows.items():
        lead = map(_name, plan.lead, names)
        cells.append((*lead, *(_cell(measured, wanted) for _, wanted in columns)))
    whose = f"{found.title}: " if found.title else ""
    return Table(
        name=name,
        title=plan.title,
        caption=f"{whose}{plan.title} (as in {plan.of} of InfAL)",
        note=found.notes.get(name, ""),
        head=(*(HEADS[field] for field in plan.lead), *(heading for heading, _ in columns)),
        rows=tuple(cells),
    )


def _name(field: str, name: str) -> Value:
    return Value(text=METHODS.get(name, name) if field in ("method", "against") else name)


def _cell(figures: Sequence[Measured], wanted: Mapping[str, str]) -> Value:
    """Return the figure that is all that is wanted; an empty cell where there is none."""
    for figure in figures:
        if all(getattr(figure, field) == value for field, value in wanted.items()):
            return figure.value
    return Value()
