"""The papers' tables (InfAL, tables 1 to 14), drawn from findings: our own or published ones."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

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


def tables(found: Findings) -> tuple[Table, ...]:
    """Return every table the findings have figures for, in the order of the paper."""
    made = (
        quality(found),
        convergence(found),
        ablation(found),
        repeatability(found),
        judges(found),
        tests(found),
        costs(found),
        rounds(found),
        *categories(found),
    )
    return tuple(table for table in made if table.rows)


def quality(found: Findings) -> Table:
    """Return Q by method and model, with its change over the first idea (table 1)."""
    columns = [
        column
        for name in named(found.quality, "indicator")
        for column in (
            (f"Q {name}", {"what": "q", "indicator": name}),
            (f"Change {name}", {"what": "change", "indicator": name}),
        )
    ]
    return _table(
        "quality",
        "Mean Q by method and model",
        "table 1",
        found.quality,
        ("method", "model"),
        columns,
        found,
    )


def convergence(found: Findings) -> Table:
    """Return the median of rounds and the share that converged (table 2)."""
    columns = [
        ("Median rounds", {"what": "rounds"}),
        (f"Converged within {found.max_rounds} rounds", {"what": "converged"}),
    ]
    return _table(
        "convergence",
        "Convergence",
        "table 2",
        found.convergence,
        ("method", "model", "indicator"),
        columns,
        found,
    )


def ablation(found: Findings) -> Table:
    """Return Q and rounds without one of the actors (table 3)."""
    columns = [
        column
        for name in named(found.ablation, "indicator")
        for column in (
            (f"Q {name}", {"what": "q", "indicator": name}),
            (f"Rounds {name}", {"what": "rounds", "indicator": name}),
        )
    ]
    return _table(
        "ablation",
        "Without one of the actors",
        "table 3",
        found.ablation,
        ("method", "model"),
        columns,
        found,
    )


def repeatability(found: Findings) -> Table:
    """Return how far Q moves when the same ideas are ranked again (table 4)."""
    columns = [
        ("Mean Q", {"what": "q"}),
        ("Standard deviation", {"what": "deviation"}),
        ("Variance", {"what": "variance"}),
    ]
    return _table(
        "repeatability",
        "Repeatability of Q",
        "table 4",
        found.repeatability,
        ("method", "model", "indicator"),
        columns,
        found,
    )


def judges(found: Findings) -> Table:
    """Return Q of the same ideas by each judge (table 5)."""
    columns = [
        (f"Q {name}", {"what": "q", "indicator": name}) for name in named(found.judges, "indicator")
    ]
    return _table(
        "judges",
        "Mean Q by judge",
        "table 5",
        found.judges,
        ("method", "model", "judge"),
        columns,
        found,
    )


def tests(found: Findings) -> Table:
    """Return paired tests between methods on the same targets (table 6)."""
    columns = [
        ("Targets", {"what": "pairs"}),
        ("Difference", {"what": "difference"}),
        ("Test", {"what": "test"}),
        ("p", {"what": "p"}),
        ("p (Holm)", {"what": "holm"}),
        ("d_z", {"what": "d_z"}),
        ("p (Wilcoxon)", {"what": "wilcoxon"}),
        ("Rank-biserial r", {"what": "rank_biserial"}),
    ]
    return _table(
        "tests",
        "Paired tests between methods",
        "table 6",
        found.tests,
        ("model", "indicator", "method", "against"),
        columns,
        found,
    )


def costs(found: Findings) -> Table:
    """Return what an idea costs (table 7)."""
    columns = [(METHODS.get(name, name), {"method": name}) for name in named(found.costs, "method")]
    return _table(
        "costs",
        "Mean cost of an idea (US dollars)",
        "table 7",
        found.costs,
        ("model",),
        columns,
        found,
    )


def rounds(found: Findings) -> Table:
    """Return the median of rounds of the methods side by side (table 8)."""
    columns = [
        (METHODS.get(name, name), {"method": name}) for name in named(found.rounds, "method")
    ]
    return _table(
        "rounds",
        "Median rounds (fewer is better)",
        "table 8",
        found.rounds,
        ("model", "indicator"),
        columns,
        found,
    )


def categories(found: Findings) -> Iterator[Table]:
    """Yield Q by category and model, a table for each quality and method (tables 9 to 14)."""
    columns = [(name, {"model": name}) for name in named(found.categories, "model")]
    pairs = product(named(found.categories, "indicator"), named(found.categories, "method"))
    for indicator, method in pairs:
        here = [
            one for one in found.categories if (one.indicator, one.method) == (indicator, method)
        ]
        if not here:
            continue
        title = f"Q {indicator} by category: {METHODS.get(method, method)}"
        made = _table("categories", title, "tables 9 to 14", here, ("category",), columns, found)
        yield made.model_copy(update={"name": f"categories-{slug(indicator)}-{slug(method)}"})


def slug(text: str) -> str:
    """Return a text as a part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or digest(text)[:12]


def _table(
    name: str,
    title: str,
    of: str,
    figures: Iterable[Measured],
    lead: tuple[str, ...],
    columns: Sequence[Column],
    found: Findings,
) -> Table:
    """Return figures as a table: a row for each thing the leading fields name, and a column for
    each heading.
    """
    rows: dict[tuple[str, ...], list[Measured]] = {}
    for one in figures:
        rows.setdefault(tuple(getattr(one, field) for field in lead), []).append(one)
    return Table(
        name=name,
        title=title,
        caption=f"{f'{found.title}: ' if found.title else ''}{title} (as in {of} of InfAL)",
        note=found.notes.get(name, ""),
        head=(*(HEADS[field] for field in lead), *(heading for heading, _ in columns)),
        rows=tuple(
            (*map(_named, lead, names), *(_cell(held, wanted) for _, wanted in columns))
            for names, held in rows.items()
        ),
    )


def _named(field: str, name: str) -> Value:
    return Value(text=METHODS.get(name, name) if field in ("method", "against") else name)


def _cell(held: Sequence[Measured], wanted: Mapping[str, str]) -> Value:
    """Return the figure that is all that is wanted; an empty cell where there is none."""
    return next(
        (
            one.value
            for one in held
            if all(getattr(one, field) == said for field, said in wanted.items())
        ),
        Value(),
    )
