"""The style of matplotlib pictures, and how one becomes a file: the same figures, the same file."""

import io
from collections.abc import Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

INK, FAINT = "#22252a", "#d8d4cb"
"""Of texts and of grids."""
TEAL, RUST = "#1f6f78", "#b3541e"


def saved(figure: Figure, kind: str, dots: int = 200) -> bytes:
    """Return a picture as `svg` or `png` (so many dots per inch)."""
    out = io.BytesIO()
    # No date and no names by chance in the file.
    with rc_context({"svg.hashsalt": "idea-foundry"}):
        figure.savefig(
            out, format=kind, dpi=dots, metadata={"Date": None} if kind == "svg" else None
        )
    return out.getvalue()


def cut(name: str, longest: int) -> str:
    """Return a name in so many letters at most."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def draw_interval(axes: Any, low: float | None, high: float | None, at: float, colour: str) -> None:
    """Draw the interval of a row, where it has one."""
    if low is not None and high is not None:
        axes.plot([low, high], [at, at], color=colour, linewidth=1.4, zorder=2)


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """Name the rows of a picture at its side."""
    axes.set_yticks(range(len(names)), names, fontsize=8, parse_math=False)


def quiet(axes: Any) -> None:
    """Leave only the axes that are read, and a faint grid."""
    axes.spines[["right", "top"]].set_visible(False)
    axes.grid(True, color=FAINT, linewidth=0.6, zorder=0)
    axes.tick_params(labelsize=8)
