"""A picture as a file: the same figures give the same file."""

import io

from matplotlib import rc_context
from matplotlib.figure import Figure


def saved(figure: Figure, kind: str) -> bytes:
    """Return a picture as `svg` or `png` (200 dots per inch)."""
    out = io.BytesIO()
    # No date and no names by chance in the file.
    with rc_context({"svg.hashsalt": "idea-foundry"}):
        figure.savefig(
            out, format=kind, dpi=200, metadata={"Date": None} if kind == "svg" else None
        )
    return out.getvalue()
