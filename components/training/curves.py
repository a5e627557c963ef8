"""What a training learned, step by step: small charts, and the same as a table.

A colour is an item of the checklist, and a kind of dash a draft; what is of all items together
stands in the colour of words.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.checklist.items import COLOURS, item_name
from components.shell import services
from components.shell.colours import WRONG, ink
from components.shell.plots import axis, marked_line, tool_bar
from core.charts.style import CLEAR, FAINT, GREY, font_of
from core.export.tables import rows_by_head
from core.export.trained import curve_table
from core.records import ITEMS, Learned, Run
from core.story import Story
from core.training.method import TrainInputs

DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
"""Of the drafts before the last, which is drawn through."""
ORANGE = "#d9822b"
WINDOW = 10
"""Steps whose mean the thick line of the return is."""
LEAST = 20
"""Steps that the charts have room for at least, so that their axes seldom change."""
FEW = 8
HEIGHT = 250
ABOUT = {
    "return": "Mean return of a rollout: the sum of the rewards of its drafts.",
    "drafts": "Mean reward by draft.",
    "items": (
        "Share of drafts for which an item holds. The line that is drawn through is of the last"
        " draft, as above."
    ),
    "kl": "KL divergence to the base: how far the policy has moved from it.",
    "tokens": "Mean length of a draft in tokens, thoughts included.",
    "shares": (
        "Drafts that were discarded because no idea could be read; rollouts dropped because an item"
        " stayed unjudged; questions whose rollouts all had the same return. None of the last two"
        " teaches anything."
    ),
}


def draw(run: Run) -> None:
    """Draw all curves as far as they go."""
    curve = Story.only(services.store(), run.id, Learned).all(Learned)
    if not curve:
        st.info(
            "No step is finished yet. Curves appear with the first one.",
            icon=":material/show_chart:",
        )
        return
    room = reach(curve[-1].step, run.inputs_as(TrainInputs).how.steps)
    _pair(run, room, {"return": _returns(curve), "drafts": _by_draft(curve)})
    _chart(run, "items", items_figure(curve, room, ink()))
    _pair(run, room, {"kl": _line(curve, "kl", "KL"), "tokens": _line(curve, "tokens", "tokens")})
    _chart(run, "shares", figure(_shares(curve), "Share", room, ink(), top=1.02))
    with st.expander("The same as a table", key="training:table", on_change="rerun") as table:
        if table.open:
            st.dataframe(
                rows_by_head(curve_table(curve)),
                hide_index=True,
                key="training:rows",
                alt="What each step learned",
            )


def reach(last: int, of: int) -> int:
    """Return the last step that the charts have room for: it grows by doubling."""
    return max(2, min(of, max(LEAST, 1 << (last - 1).bit_length())))


NAMES = {
    "return": "Mean return",
    "drafts": "Mean reward",
    "kl": "KL to the base",
    "tokens": "Tokens a draft",
}


def _pair(run: Run, room: int, charts: dict[str, list[dict[str, Any]]]) -> None:
    for place, (name, traces) in zip(st.columns(2), charts.items(), strict=True):
        with place:
            _chart(run, name, figure(traces, NAMES[name], room, ink()))


def _chart(run: Run, name: str, drawn: Any) -> None:
    st.plotly_chart(
        drawn,
        key=f"training:curve:{name}",
        config=tool_bar(f"training-{run.id}-{name}"),
        theme=None,
    )
    st.caption(ABOUT[name])


def figure(
    traces: list[dict[str, Any]], title: str, room: int, colour: str, top: float | None = None
) -> Any:
    """Return lines over the steps of a training; `top` is the end of an axis of shares."""
    import plotly.graph_objects as go

    up = axis(title, colour, gridcolor=FAINT, rangemode="tozero")
    if top:
        up |= {"range": [-0.02, top], "tickformat": ".0%"}
    layout = {
        **_frame(HEIGHT, colour),
        "showlegend": len(traces) > 1,
        "xaxis": axis("Step", colour, showgrid=False, **_steps(room)),
        "yaxis": up,
    }
    return go.Figure({"data": traces, "layout": layout})


def _steps(room: int) -> dict[str, Any]:
    """Return what an axis of steps is; few have a tick each, since plotly cuts a short axis into
    halves and would write a step twice.
    """
    few = {"dtick": 1} if room <= FEW else {}
    return {"range": [0.5, room + 0.5], "tickformat": "d", **few}


def _frame(height: int, colour: str) -> dict[str, Any]:
    font = font_of(colour)
    return {
        "height": height,
        "margin": {"l": 60, "r": 10, "t": 36, "b": 45},
        "font": font,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": font},
        "modebar": {"bgcolor": CLEAR, "color": "#8a8f94", "activecolor": "#1f8490"},
        # What somebody hid in the legend stays hidden when the next step comes.
        "uirevision": "training",
    }


def _returns(curve: Sequence[Learned]) -> list[dict[str, Any]]:
    """Return the mean return of each step, and once there are enough its mean over several."""
    judged = [one for one in curve if one.judged]
    steps, means = [one.step for one in judged], [one.mean_return for one in judged]
    few = len(judged) < 2 * WINDOW
    each = marked_line(
        steps,
        means,
        ink() if few else GREY,
        "each step",
        "step %{x}: %{y:.2f}",
        marker={"size": 6 if few else 3},
        line={"width": 2 if few else 1},
    )
    if few:
        return [each]
    windows = [means[max(0, n - WINDOW) : n] for n in range(1, len(means) + 1)]
    smooth = marked_line(
        steps[WINDOW - 1 :],
        [sum(part) / len(part) for part in windows[WINDOW - 1 :]],
        ink(),
        f"mean of {WINDOW} steps",
        "to step %{x}: %{y:.2f}",
        mode="lines",
        line={"width": 3},
    )
    return [each, smooth]


def _by_draft(curve: Sequence[Learned]) -> list[dict[str, Any]]:
    count = max(len(one.by_draft) for one in curve)
    return [
        marked_line(
            [one.step for one in curve if k < len(one.rewards)],
            [one.rewards[k] for one in curve if k < len(one.rewards)],
            ink(),
            f"draft {k + 1}",
            "step %{x}: %{y:.2f}",
            mode=_mode(curve),
            line={"dash": dash(k, count), "width": 2},
        )
        for k in range(count)
    ]


def _mode(curve: Sequence[Learned]) -> str:
    """Return how a line is drawn: with marks where a step may stand alone."""
    gaps = len(curve) == 1 or not all(one.judged for one in curve)
    return "lines+markers" if gaps else "lines"


def dash(k: int, count: int) -> str:
    """Return how the line of the k-th of so many drafts is drawn."""
    return "solid" if k == count - 1 else DASHES[k % len(DASHES)]


def _line(curve: Sequence[Learned], name: str, said: str) -> list[dict[str, Any]]:
    return [
        marked_line(
            [one.step for one in curve],
            [getattr(one, name) for one in curve],
            ink(),
            said,
            "step %{x}: %{y:,.4~g}",
            mode=_mode(curve),
            line={"width": 2},
        )
    ]


def _shares(curve: Sequence[Learned]) -> list[dict[str, Any]]:
    looks = {
        "discarded": ("drafts discarded", WRONG, "x"),
        "dropped": ("rollouts dropped", ORANGE, "diamond"),
        "alike": ("questions without spread", GREY, "circle"),
    }
    return [
        marked_line(
            [one.step for one in curve],
            [getattr(one, name) for one in curve],
            colour,
            said,
            "step %{x}: %{y:.0%}",
            marker={"symbol": symbol, "size": 5},
        )
        for name, (said, colour, symbol) in looks.items()
    ]


def items_figure(curve: Sequence[Learned], room: int, colour: str) -> Any:
    """Return a small panel for each item that was judged: the share of drafts for which it holds,
    draft by draft.
    """
    from plotly.subplots import make_subplots

    judged = [one.name for one in ITEMS if any(one.name in step.by_item for step in curve)]
    judged = judged or [ITEMS[0].name]
    across = min(3, len(judged))
    down = -(-len(judged) // across)
    drawn = make_subplots(
        rows=down,
        cols=across,
        subplot_titles=[item_name(name) for name in judged],
        shared_xaxes=True,
        shared_yaxes=True,
        vertical_spacing=0.12 if down > 1 else 0,
        horizontal_spacing=0.03,
    )
    count = max(len(one.by_draft) for one in curve)
    for n, name in enumerate(judged):
        for k in range(count):
            drawn.add_trace(
                _of_item(curve, name, k, count), row=n // across + 1, col=n % across + 1
            )
    text = {"color": colour}
    drawn.update_layout(**{**_frame(70 + 130 * down, colour), "showlegend": False})
    drawn.update_annotations(font={"size": 13, **text})
    drawn.update_yaxes(
        range=[-0.05, 1.08],
        tickvals=[0, 0.5, 1],
        tickformat=".0%",
        tickfont=text,
        gridcolor=FAINT,
        zeroline=False,
    )
    drawn.update_xaxes(tickfont=text, showgrid=False, zeroline=False, **_steps(room))
    drawn.update_xaxes(title={"text": "Step", "font": text}, row=down)
    return drawn


def _of_item(curve: Sequence[Learned], name: str, k: int, count: int) -> dict[str, Any]:
    found = [one for one in curve if k < min(len(one.rewards), len(one.by_item.get(name, ())))]
    return marked_line(
        [one.step for one in found],
        [one.by_item[name][k] for one in found],
        COLOURS[name],
        f"draft {k + 1}",
        "step %{x}: %{y:.0%}",
        mode=_mode(curve),
        line={"dash": dash(k, count), "width": 2},
    )
