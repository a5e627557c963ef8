"""The chain graph: papers on a time axis, the anchor a diamond, milestones ringed, how ideas led on between them."""
from typing import Any

from core.records import Chain, Link, Paper, Trend

INK, LINE, ANCHOR, NODE = "#8a8f96", "#b5b2a8", "#f2b84b", "#1f6f78"


def figure(chain: Chain, trend: Trend | None) -> Any:
    """Return a Plotly figure: x = time, node size = citations; selecting a point gives the paper's id as customdata.

    It must not depend on what is selected: Streamlit forgets a selection whose chart has changed.
    """
    import plotly.graph_objects as go

    spots = positions(chain.papers)
    drawn = go.Figure()
    edge = max(0.35, (max(spots.values()) - min(spots.values())) * 0.12)
    steps = {(step.earlier, step.later): step.how for step in trend.steps} if trend else {}
    for a, b in zip(chain.links, chain.links[1:], strict=False):
        drawn.add_traces(_edge(go, spots[a.paper.id], spots[b.paper.id], steps.get((a.paper.id, b.paper.id), "")))
    drawn.add_trace(_nodes(go, chain.links, spots))
    for n, link in enumerate(chain.links):
        # Annotations, not labels of the points: those fade when a point is selected.
        drawn.add_annotation(x=spots[link.paper.id], y=0, yshift=16 if n % 2 == 0 else -16, yanchor="bottom" if n % 2 == 0 else "top",
                             text=_wrapped(_short(link.paper), 22), showarrow=False, font={"size": 12})
    drawn.update_layout(
        height=280, margin={"l": 20, "r": 20, "t": 20, "b": 45}, showlegend=False, hovermode="closest", dragmode=False,
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        xaxis={"title": "Year of publication", "dtick": 1, "tickformat": "d", "showgrid": True, "gridcolor": "rgba(128,128,128,.15)", "zeroline": False,
               "range": [min(spots.values()) - edge, max(spots.values()) + edge]},
        yaxis={"visible": False, "range": [-1.1, 1.2], "fixedrange": True},
    )
    return drawn


def positions(papers: tuple[Paper, ...]) -> dict[str, float]:
    """Return each paper's place on the time axis; papers too near to tell apart are moved on a little, never back in time."""
    places: dict[str, float] = {}
    dated = [when(paper) for paper in papers if when(paper) is not None]
    span = (max(dated) - min(dated)) if dated else 0.0  # type: ignore[type-var, operator]
    gap, last = max(0.12, span / 14), -1e9
    for paper in papers:
        spot = max(when(paper) or last + gap, last + gap)
        places[paper.id] = last = spot
    return places


def when(paper: Paper) -> float | None:
    """Return the publication time in years; a bare year counts as its middle."""
    if paper.published:
        parts = [int(part) for part in paper.published.split("-")]
        return parts[0] + ((parts[1] - 1) / 12 if len(parts) > 1 else 0.5) + ((parts[2] - 1) / 365 if len(parts) > 2 else 0.04)
    return paper.year + 0.5 if paper.year else None


def _edge(go: Any, start: float, end: float, how: str) -> list[Any]:
    # The line itself takes no part in hovering and clicking, so that the papers do; a mark in its middle says how one led to the next.
    middle = (start + end) / 2
    return [go.Scatter(x=[start, end], y=[0, 0], mode="lines", line={"color": LINE, "width": 2}, hoverinfo="skip"),
            go.Scatter(x=[middle], y=[0], mode="markers", marker={"symbol": "triangle-right", "size": 11 if how else 0, "color": LINE},
                       text=[_wrapped(how)], hovertemplate="%{text}<extra></extra>" if how else None, hoverinfo=None if how else "skip",
                       unselected={"marker": {"opacity": 1}})]


def _nodes(go: Any, links: tuple[Link, ...], spots: dict[str, float]) -> Any:
    return go.Scatter(
        x=[spots[link.paper.id] for link in links], y=[0] * len(links), mode="markers", customdata=[link.paper.id for link in links],
        marker={"size": [_size(link.paper) for link in links], "symbol": ["diamond" if link.hop == "anchor" else "circle" for link in links],
                "color": [ANCHOR if link.hop == "anchor" else NODE for link in links], "opacity": 1,
                "line": {"color": ["#d1495b" if link.milestone else INK for link in links],
                         "width": [4 if link.milestone else 0 for link in links]}},
        hovertext=[_wrapped(f"{link.paper.title} ({link.paper.published or link.paper.year or 'undated'})") for link in links],
        hovertemplate="%{hovertext}<extra></extra>", selected={"marker": {"opacity": 1, "size": 26}}, unselected={"marker": {"opacity": 1}},
    )


def _size(paper: Paper) -> float:
    return 16.0 if paper.citations is None else 14 + 3.2 * min(8.0, (paper.citations + 1) ** 0.25)


def _short(paper: Paper) -> str:
    head = paper.title.split(":")[0]
    return head if len(head) <= 44 else head[:42].rsplit(" ", 1)[0] + " …"


def _wrapped(text: str, width: int = 60) -> str:
    # Plotly reads a little HTML in labels: what papers and models wrote must not become any.
    import html
    import textwrap

    lines = textwrap.wrap(text, width, max_lines=8, placeholder=" …")
    return "<br>".join(html.escape(line, quote=False) for line in lines)
