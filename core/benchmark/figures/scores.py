"""How scores are spread: how often each was given, over which domains, and how long ideas are."""

from collections.abc import Sequence
from typing import Any

from core.benchmark.figures.drawing import (
    DARK,
    LOOKS,
    OWN,
    ROW,
    TINTS,
    frame,
    name_rows,
    short,
)
from core.benchmark.results import tables
from core.benchmark.results.by_domain import DomainScore
from core.benchmark.results.distributions import Distribution
from core.benchmark.results.tables import LETTERS, THIN
from core.charts.style import (
    DrawnFigure,
    colour_bar,
    font_of,
    hatched,
    hover,
    plain,
    put,
    titled,
)
from core.tables.cells import spread
from core.wording.numbers import counted

FEW = 6
"""Models that have bars of their own; more are shown as shades, a line each."""
FEW_PRINTED = 12
"""Models whose figures by domain are printed; of more only the shades are, and figures are read
with the pointer.
"""
DIMENSIONS = tables.DIMENSIONS
Cells = dict[tuple[str, str], Distribution]
DomainCells = dict[tuple[str, str], DomainScore]
HEADS = {
    "originality": "Originality",
    "feasibility": "Feasibility",
    "clarity": "Clarity",
    "fluency": "Fluency (pairs)",
}


def scores(found: Sequence[Distribution], models: Sequence[str], ink: str) -> DrawnFigure | None:
    """Draw how often each score was given: bars for a few models, shades for many; the empty name
    stands for all together.
    """
    cells: Cells = {
        (one.model, one.what): one
        for one in found
        if one.model in models and one.what in DIMENSIONS
    }
    held = [name for name in models if any(model == name for model, _ in cells)]
    if not held:
        return None
    figure = _bars(cells, held, ink) if len(held) <= FEW else _shades(cells, held, ink)
    return DrawnFigure(
        "scores",
        "How often each score was given",
        figure,
        tables.scores(one for one in found if one.model in models),
    )


def _bars(cells: Cells, models: Sequence[str], ink: str) -> Any:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(
        len(models),
        4,
        shared_yaxes=True,
        shared_xaxes="columns",
        horizontal_spacing=0.03,
        vertical_spacing=0.24 / len(models) ** 1.1,
        column_titles=[HEADS[name] for name in DIMENSIONS],
    )
    for row, model in enumerate(models, 1):
        for column, what in enumerate(DIMENSIONS, 1):
            if one := cells.get((model, what)):
                values, counts = _steps(what), dict(one.counts)
                colour, _, pattern = LOOKS[what]
                figure.add_trace(
                    go.Bar(
                        x=[_step(what, value) for value in values],
                        y=[counts.get(value, 0) / one.n for value in values],
                        showlegend=False,
                        marker=hatched(colour, pattern, 0.55),
                        **hover([_said(one, value) for value in values]),
                    ),
                    row=row,
                    col=column,
                )
    names = short([name or tables.TOGETHER for name in models])
    frame(figure, "", "", ink, 150 * len(models) + 30 if len(models) > 1 else 260)
    figure.update_annotations(font=font_of(ink))
    for row, name in enumerate(names, 1):
        figure.add_annotation(
            text=f"<b>{name}</b>",
            x=0,
            xref="paper",
            xanchor="left",
            y=1,
            yref=f"y{4 * row - 3 if row > 1 else ''} domain",
            yanchor="bottom",
            # The first row's name stands above the titles of the columns.
            yshift=14 if row == 1 else 2,
            showarrow=False,
            font=font_of(ink),
        )
    put(figure.select_yaxes(), tickformat=".0%", rangemode="tozero", nticks=4)
    put(figure.select_yaxes(col=1), title=titled("Share", font_of(ink)))
    put(figure.select_xaxes(), type="category", showgrid=False, tickangle=0)
    put(figure.select_xaxes(row=len(models)), title=titled("Score", font_of(ink)))
    put(figure.select_xaxes(row=len(models), col=4), title=titled("Letter", font_of(ink)))
    return figure


def _shades(cells: Cells, models: Sequence[str], ink: str) -> Any:
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    figure = make_subplots(
        1,
        4,
        shared_yaxes=True,
        horizontal_spacing=0.02,
        column_widths=[10, 10, 10, 5],
        column_titles=[HEADS[name] for name in DIMENSIONS],
    )
    for column, what in enumerate(DIMENSIONS, 1):
        held, values = [cells.get((model, what)) for model in models], _steps(what)
        shares = [
            [dict(one.counts).get(value, 0) / one.n if one else None for value in values]
            for one in held
        ]
        figure.add_trace(
            go.Heatmap(
                z=shares,
                x=[_step(what, value) for value in values],
                y=list(range(len(models))),
                coloraxis="coloraxis",
                xgap=1,
                ygap=1,
                hoverongaps=False,
                **hover([[_said(one, value) if one else "" for value in values] for one in held]),
            ),
            row=1,
            col=column,
        )
    frame(figure, "Score", "", ink, 40 + ROW * len(models))
    figure.update_annotations(font=font_of(ink))
    name_rows(figure, short([name or tables.TOGETHER for name in models]))
    figure.update_xaxes(
        type="category", showgrid=False, tickangle=0, tickfont={"color": ink, "size": 10}
    )
    figure.update_xaxes(title=titled("Letter", font_of(ink)), col=4)
    return figure.update_layout(
        coloraxis={
            "colorscale": [[0, "rgba(31,132,144,0)"], [1, "rgba(31,132,144,1)"]],
            "cmin": 0,
            "colorbar": colour_bar("Share", font_of(ink), tickformat=".0%"),
        }
    )


def _steps(what: str) -> list[int]:
    return sorted(LETTERS) if what == "fluency" else list(range(1, 11))


def _step(what: str, value: int) -> str:
    return LETTERS[value] if what == "fluency" else str(value)


def _said(one: Distribution, value: int) -> str:
    n = dict(one.counts).get(value, 0)
    of = "pairs" if one.what == "fluency" else "judgments"
    name = plain(one.model or tables.TOGETHER)
    step = _step(one.what, value)
    return f"{name}, {one.what}<br>{step}: {n:,} of {one.n:,} {of} ({n / one.n:.1%})"


def words(found: Sequence[Distribution], ink: str) -> DrawnFigure | None:
    """Draw how long ideas are, of all models together."""
    one = next((each for each in found if each.what == "words" and not each.model), None)
    if one is None:
        return None
    import plotly.graph_objects as go

    counts = dict(one.counts)
    tens = list(range(min(counts), max(counts) + 10, 10))
    texts = [f"{ten} to {ten + 9} words: {counts.get(ten, 0):,} of {one.n:,} ideas" for ten in tens]
    figure = go.Figure(
        go.Bar(
            x=[ten + 5 for ten in tens],
            y=[counts.get(ten, 0) / one.n for ten in tens],
            width=9,
            marker={"color": OWN},
            **hover(texts),
        )
    )
    frame(figure, "Words of an idea", "Share of ideas", ink, 200)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    figure.update_xaxes(range=[tens[0] - 5, tens[-1] + 15])
    return DrawnFigure("words", "Words of an idea", figure, tables.words(found))


# -- domains ------------------------------------------------------------------------------------


def by_domain(found: Sequence[DomainScore], order: Sequence[str], ink: str) -> DrawnFigure | None:
    """Draw the mean of the four scores of each model in each domain, models in the order given; a
    star marks fewer than three keywords.
    """
    cells: DomainCells = {
        (one.model, one.domain): one for one in found if one.value.value is not None
    }
    models = [name for name in order if any(model == name for model, _ in cells)]
    domains = sorted({domain for _, domain in cells}, key=lambda name: (not name, name))
    if not cells:
        return None
    few = len(models) <= FEW_PRINTED
    # Few models stand beside each other, so that numbers have room; many stand below each other, so
    # that names have.
    figure = _by_domain(cells, models, domains, few)
    if few:
        frame(figure, "", "", ink, 40 + (ROW + 5) * len(domains))
        angle = -35 if len(models) > 3 else 0
    else:
        frame(figure, "Domain", "", ink, 60 + ROW * len(models))
        angle = -45
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_xaxes(showgrid=False, tickangle=angle, automargin=True)
    of = tables.MEAN_OF[min(one.of for one in found)].said
    figure.update_traces(colorbar=colour_bar(of, font_of(ink), **_marked(cells)))
    return DrawnFigure("by-domain", "Scores by model and domain", figure, tables.domains(found))


def _by_domain(cells: DomainCells, models: Sequence[str], domains: Sequence[str], few: bool) -> Any:
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
            **hover([[_of_domain(one) for one in line] for line in held]),
            hoverongaps=False,
        )
    )


def _ends(cells: DomainCells) -> dict[str, float]:
    """Return the ends of the shades: what chance put outside them is shaded as the end it is
    beyond.
    """
    values = [
        one.value.value
        for one in cells.values()
        if one.keywords >= THIN and one.value.value is not None
    ]
    return {"zmin": min(values), "zmax": max(values)} if len(set(values)) > 1 else {}


def _marked(cells: DomainCells) -> dict[str, object]:
    """Return the marks of the bar of shades where figures lie beyond an end of it, which is then
    said there.
    """
    ends = _ends(cells)
    values = [one.value.value for one in cells.values() if one.value.value is not None]
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


def _of_domain(one: DomainScore | None) -> str:
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
            f"{one.model} in {one.domain or 'no domain'}: {spread(one.value).said},"
            f" {counted(one.keywords, 'keyword')}"
        )
        + f"<br>{each}{thin}"
    )
