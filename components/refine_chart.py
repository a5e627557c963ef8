"""The curve of a refinement: how far the idea has moved, round by round."""
from typing import Any

from core.records import Round


def figure(rounds: tuple[Round, ...]) -> Any:
    """Return a Plotly figure of cosine similarities against the round; improved rounds are filled marks, quiet ones open."""
    import plotly.graph_objects as go

    xs = [one.n for one in rounds]
    symbols = ["circle" if one.verdict.improved else "circle-open" for one in rounds]
    drawn = go.Figure()
    lines = (("to the first idea", "to_first", "#2f7fc1", "solid"), ("to the version before", "to_previous", "#8a8f96", "dot"),
             ("to the nearest paper", "to_nearest", "#c2543d", "dash"))
    for name, field, colour, dash in lines:
        ys = [getattr(one.measures, field) if one.measures else None for one in rounds]
        if any(y is not None for y in ys):
            drawn.add_trace(go.Scatter(x=xs, y=ys, name=name, mode="lines+markers", line={"color": colour, "dash": dash},
                                       marker={"symbol": symbols, "size": 9, "color": colour}))
    drawn.update_layout(
        height=200, margin={"l": 60, "r": 20, "t": 25, "b": 40},
        xaxis={"title": "Round (open mark: no improvement)", "dtick": 1, "range": [0.5, len(rounds) + 0.5]},
        yaxis={"title": "Similarity in meaning", "range": [0, 1.03]},
        paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": 1.02, "x": 0, "xanchor": "left", "yanchor": "bottom"},
    )
    return drawn
