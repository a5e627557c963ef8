"""Where a model is strong: a heat-map of models and scientific domains."""

from collections.abc import Sequence
from typing import Any

from core.benchmark import tables
from core.benchmark.by_domain import DomainScore
from core.benchmark.figures.drawing import DARK, ROW, TINTS, DrawnFigure, laid_out, short
from core.benchmark.tables import THIN
from core.experiments.drawing import plain
from core.statistics.statistic import counted

FEW = 12
"""Models whose figures are printed; of more only the shades are, and figures are read with the
pointer.
"""
Cells = dict[tuple[str, str], DomainScore]


def by_domain(found: Sequence[DomainScore], order: Sequence[str], ink: str) -> DrawnFigure | None:
    """Draw the mean of the four scores of each model in each domain, models in the order given; a
    star marks fewer than three keywords.
    """
    cells: Cells = {(one.model, one.domain): one for one in found if one.value.value is not None}
    models = [name for name in order if any(model == name for model, _ in cells)]
    domains = sorted({domain for _, domain in cells}, key=lambda name: (not name, name))
    if not cells:
        return None
    few = len(models) <= FEW
    # Few models stand beside each other, so that numbers have room; many stand below each other, so
    # that names have.
    figure = _heat(cells, models, domains, few)
    laid_out(
        figure,
        "" if few else "Domain",
        "",
        ink,
        40 + (ROW + 5) * len(domains) if few else 60 + ROW * len(models),
    )
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(
        showgrid=False,
        tickangle=-35 if few and len(models) > 3 else -45 if not few else 0,
        automargin=True,
    )
    of = tables.MEAN_OF[min(one.of for one in found)].said
    figure.update_traces(
        colorbar={
            **_marked(cells),
            "title": {"text": of, "font": {"color": ink, "size": 12}, "side": "right"},
            "thickness": 12,
            "tickfont": {"color": ink, "size": 12},
            "outlinewidth": 0,
        }
    )
    return DrawnFigure("by-domain", "Scores by model and domain", figure, tables.domains(found))


def _heat(cells: Cells, models: Sequence[str], domains: Sequence[str], few: bool) -> Any:
    import plotly.graph_objects as go

    rows, columns = (domains, models) if few else (models, domains)

    def at(row: str, column: str) -> DomainScore | None:
        return cells.get((column, row) if few else (row, column))

    held = [[at(row, column) for column in columns] for row in rows]
    names, places = short(models), [plain(domain or "no domain") for domain in domains]
    return go.Figure(
        go.Heatmap(
            z=[[one.value.value if one else None for one in line] for line in held],
            x=names if few else places,
            y=places if few else names,
            xgap=2,
            ygap=2,
            colorscale=[list(one) for one in TINTS],
            **_ends(cells),
            text=[[_printed(one, few) for one in line] for line in held],
            texttemplate="%{text}",
            textfont={"color": DARK, "size": 11},
            customdata=[[_said(one) for one in line] for line in held],
            hovertemplate="%{customdata}<extra></extra>",
            hoverongaps=False,
        )
    )


def _ends(cells: Cells) -> dict[str, float]:
    """Return the ends of the shades: what chance put outside them is shaded as the end it is
    beyond.
    """
    values = [
        one.value.value
        for one in cells.values()
        if one.keywords >= THIN and one.value.value is not None
    ]
    return {"zmin": min(values), "zmax": max(values)} if len(set(values)) > 1 else {}


def _marked(cells: Cells) -> dict[str, object]:
    """Return the marks of the bar of shades where figures lie beyond an end of it, which is then
    said there.
    """
    ends, values = (
        _ends(cells),
        [one.value.value for one in cells.values() if one.value.value is not None],
    )
    if not ends or (min(values) >= ends["zmin"] and max(values) <= ends["zmax"]):
        return {}
    low, high = ends["zmin"], ends["zmax"]
    return {
        "tickvals": [low, (low + high) / 2, high],
        "ticktext": [
            f"{'≤ ' if min(values) < low else ''}{low:.2f}",
            f"{(low + high) / 2:.2f}",
            f"{'≥ ' if max(values) > high else ''}{high:.2f}",
        ],
    }


def _printed(one: DomainScore | None, few: bool) -> str:
    if one is None or one.value.value is None:
        return ""
    star = "*" if one.keywords < THIN else ""
    return f"{one.value.value:.2f}{star}" if few else star


def _said(one: DomainScore | None) -> str:
    if one is None:
        return ""
    thin = f"<br>* fewer than {THIN} keywords: chance decides" if one.keywords < THIN else ""
    each = ", ".join(
        f"{name} {value:.2f}"
        for name in tables.DIMENSIONS
        if (value := getattr(one, name)) is not None
    )
    return (
        plain(
            f"{one.model} in {one.domain or 'no domain'}: {tables.spread(one.value).said},"
            f" {counted(one.keywords, 'keyword')}"
        )
        + f"<br>{each}{thin}"
    )
