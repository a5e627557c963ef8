"""What did not become a judged idea, and what the rest took: refusals, tokens, cost, energy."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from core.benchmark.figures.drawing import (
    MARKED,
    ROLES,
    ROW,
    frame,
    log_axis,
    name_rows,
    short,
    stack_bars,
)
from core.benchmark.results import tables
from core.benchmark.results.energy import Energy, published_energies
from core.benchmark.results.energy import table as energy_table
from core.benchmark.results.refused import Refusal
from core.charts.style import DrawnFigure, dots, interval_bars, plain
from core.records import BenchUsage
from core.statistics.clusters import Spread
from core.tables.cells import number, tabulated

ENERGY = "kWh, estimated (bar: range of the estimate; the axis is logarithmic)"
FATES: tuple[tuple[str, str, str, Callable[[Refusal], int]], ...] = (
    ("refused at first, then answered", "#e0a458", "", lambda one: one.refused - one.refused_twice),
    ("refused twice (left out)", "#a15c12", "/", lambda one: one.refused_twice),
    ("too long (left out)", "#8a8f96", ".", lambda one: one.long),
)
"""What an idea can come to, its colour and pattern, and how often it did."""


def refusals(found: Sequence[Refusal], ink: str) -> DrawnFigure | None:
    """Draw the share of each model's ideas that were refused or too long."""
    share = {one.model: _share(one) for one in found if one.answered}
    held = sorted(
        (one for one in found if one.answered), key=lambda one: (-share[one.model], one.model)
    )
    if not held:
        return None
    import plotly.graph_objects as go

    figure = go.Figure()
    for name, colour, pattern, of in FATES:
        shares = [of(one) / one.answered for one in held]
        texts = [
            f"{one.model}: {of(one):,} of {one.answered:,} ideas {name} ({share:.1%})"
            for one, share in zip(held, shares, strict=True)
        ]
        rows = list(range(len(held)))
        figure.add_trace(stack_bars(shares, rows, name, colour, pattern, texts))
    frame(figure, "Share of a model's ideas", "", ink, 40 + (ROW + 3) * len(held), legend=True)
    name_rows(figure, short([one.model for one in held]))
    most = max(share.values())
    figure.update_xaxes(
        tickformat=".1%" if most < 0.05 else ".0%", range=[0, max(1.08 * most, 0.01)]
    )
    figure.update_layout(barmode="stack")
    title = "Refusals and overlong ideas"
    return DrawnFigure("refusals", title, figure, tables.refusals(found))


def _share(one: Refusal) -> float:
    return sum(of(one) for *_, of in FATES) / one.answered


def tokens(found: Sequence[BenchUsage], ink: str) -> DrawnFigure | None:
    """Draw tokens written by each model in each role."""
    return _roles(
        found,
        "tokens",
        "Tokens written by each model",
        "Tokens written (thousands)",
        lambda one: one.tokens_out / 1_000,
        tables.spoken,
        ink,
    )


def cost(found: Sequence[BenchUsage], ink: str) -> DrawnFigure | None:
    """Draw what each model cost in each role, as far as prices are known."""
    held = [one for one in found if one.calls and one.unpriced < one.calls and one.cost > 0]
    made = _roles(
        held,
        "cost",
        "Cost of each model",
        "US dollars",
        lambda one: one.cost,
        lambda one: tables.cost(one).said,
        ink,
    )
    return made and made._replace(table=tables.usage(found))


def _roles(
    found: Sequence[BenchUsage],
    name: str,
    title: str,
    across: str,
    of: Callable[[BenchUsage], float],
    said: Callable[[BenchUsage], str],
    ink: str,
) -> DrawnFigure | None:
    """Draw an amount by model, stacked by role, the greatest on top."""
    sums: dict[str, float] = defaultdict(float)
    for one in found:
        sums[one.model] += of(one)
    models = sorted(sums, key=lambda model: (-sums[model], model))
    if not any(sums.values()):
        return None
    import plotly.graph_objects as go

    figure = go.Figure()
    for role, (words, colour, pattern, _) in ROLES.items():
        if mine := [one for one in found if one.role == role]:
            texts = [f"{one.model}, {words}: {said(one)}, {one.calls:,} calls" for one in mine]
            rows = [models.index(one.model) for one in mine]
            amounts = list(map(of, mine))
            figure.add_trace(stack_bars(amounts, rows, words, colour, pattern, texts))
    frame(figure, across, "", ink, 40 + (ROW + 3) * len(models), legend=True)
    name_rows(figure, short(models))
    return DrawnFigure(name, title, figure.update_layout(barmode="stack"), tables.usage(found))


def energy(found: Sequence[Energy], ink: str) -> DrawnFigure | None:
    """Draw the range of the estimated energy of each model in each role; what cannot be estimated
    is in the table only.
    """
    held = [one for one in found if one.known and one.kwh_low and one.kwh_high]
    if not held:
        return None
    import plotly.graph_objects as go

    most: dict[str, float] = defaultdict(float)
    for one in held:
        most[one.model] = max(most[one.model], one.kwh_high or 0.0)
    models = sorted(most, key=lambda model: (-most[model], model))
    figure = go.Figure()
    for n, (role, (words, colour, _, mark)) in enumerate(ROLES.items()):
        if mine := [one for one in held if one.role == role]:
            spreads = [
                Spread(
                    value=((one.kwh_low or 0.0) + (one.kwh_high or 0.0)) / 2,
                    low=one.kwh_low,
                    high=one.kwh_high,
                )
                for one in mine
            ]
            texts = [
                f"{one.model}, {words}: {_between(one.kwh_low, one.kwh_high)} kWh,"
                f" {_between(one.kg_low, one.kg_high)} kg CO2eq, estimated"
                for one in mine
            ]
            figure.add_trace(
                dots(
                    [spread.value for spread in spreads],
                    [models.index(one.model) + (n - 1) * 0.22 for one in mine],
                    {"size": 8, "symbol": mark, "color": colour},
                    list(map(plain, texts)),
                    name=words,
                    error_x=interval_bars(spreads, colour),
                )
            )
    frame(figure, ENERGY, "", ink, 40 + (ROW + 6) * len(models), legend=True)
    name_rows(figure, short(models))
    log_axis(figure, [end for one in held for end in (one.kwh_low, one.kwh_high) if end])
    return DrawnFigure("energy", "Energy, estimated", figure, energy_table(found))


def _between(low: float | None, high: float | None) -> str:
    return "unknown" if low is None or high is None else f"{low:.3g} to {high:.3g}"


def published_energy(ink: str) -> DrawnFigure:
    """Draw the published energy of each model as a writer of ideas and as a judge, the greatest on
    top.
    """
    import plotly.graph_objects as go

    held = sorted(published_energies(), key=lambda one: -one.idea_kwh - (one.judge_kwh or 0.0))
    figure = go.Figure()
    for role, of in (
        ("idea", [(one, one.idea_kwh, one.idea_kg) for one in held]),
        ("judge", [(one, one.judge_kwh, one.judge_kg) for one in held]),
    ):
        words, colour, _, mark = ROLES[role]
        mine = [(n, one, kwh, kg) for n, (one, kwh, kg) in enumerate(of) if kwh is not None]
        texts = [
            f"{one.model}, {words}: {kwh:g} kWh, {kg:g} kg CO2eq, {MARKED}"
            for _, one, kwh, kg in mine
        ]
        marker = {
            "size": 8,
            "symbol": f"{mark}-open",
            "color": colour,
            "line": {"width": 1.8},
        }
        x, y = [kwh for *_, kwh, _ in mine], [n for n, *_ in mine]
        figure.add_trace(dots(x, y, marker, texts, name=words))
    frame(
        figure,
        "kWh, estimated, as published (the axis is logarithmic)",
        "",
        ink,
        40 + ROW * len(held),
        legend=True,
    )
    name_rows(figure, short([one.model for one in held]))
    log_axis(figure, [kwh for one in held for kwh in (one.idea_kwh, one.judge_kwh) if kwh])
    title = f"Energy, {MARKED}"
    table = tabulated(
        "published-energy",
        title,
        held,
        {
            "Model": lambda one: one.model,
            "Ideas, kWh": lambda one: number(one.idea_kwh, 2),
            "Ideas, kg CO2eq": lambda one: number(one.idea_kg, 2),
            "Judging, kWh": lambda one: number(one.judge_kwh, 2),
            "Judging, kg CO2eq": lambda one: number(one.judge_kg, 2),
        },
        note="Estimated by the authors with EcoLogits, for 1,180 keywords.",
    )
    return DrawnFigure("published-energy", title, figure, table)
