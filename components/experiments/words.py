"""An experiment in words: what each method is, how a cell's state looks, how far and at what price
it is.
"""

from typing import NamedTuple

from components.runs.actors import KINDS
from components.shell.text import counted
from core.experiments.cells import SweepInputs, cells
from core.experiments.contenders import REFINING, Contender
from core.experiments.progress import CellProgressState
from core.experiments.tables import METHODS

ABOUT: dict[Contender, str] = {
    **{name: KINDS[name].about for name in REFINING},
    "evolve": (
        "One step of checklist evolution: directives for the items that fail, and the version that"
        " follows them."
    ),
    "evolve-uninformed": "The same step without directives: revised without knowing what failed.",
    "direct": "One prompt on the topic, no papers.",
    "rag": "One prompt with papers that were retrieved for the topic.",
    "chain": "A full chain for every idea: the most expensive method.",
}
"""What each method is."""
SEARCHING: tuple[Contender, ...] = ("rag", "chain")
"""Methods that look for papers of their own."""


class StateLook(NamedTuple):
    """A state: colour, icon, sign and word, which always come together."""

    colour: str
    icon: str
    sign: str
    word: str
    shade: str


LOOKS: dict[CellProgressState, StateLook] = {
    "done": StateLook("green", ":material/check_circle:", "✓", "done", "rgba(46, 160, 67, 0.22)"),
    "running": StateLook(
        "blue", ":material/progress_activity:", "▸", "running", "rgba(47, 127, 193, 0.28)"
    ),
    "failed": StateLook("red", ":material/error:", "✗", "failed", "rgba(209, 73, 91, 0.30)"),
    "left": StateLook(
        "gray", ":material/hourglass_empty:", "·", "left", "rgba(138, 143, 150, 0.10)"
    ),
}


def badges(counts: dict[CellProgressState, int]) -> str:
    """Return how many cells are in each state, as Markdown badges; states that no cell is in are
    left out.
    """
    said = [
        f":{look.colour}-badge[{look.icon} {counts[state]:,} {look.word}]"
        for state, look in LOOKS.items()
        if counts[state]
    ]
    return " ".join(said)


def size(asked: SweepInputs) -> str:
    """Say how large a matrix is."""
    qualities = "1 quality" if len(asked.indicators) == 1 else f"{len(asked.indicators)} qualities"
    parts = [
        counted(len(asked.methods), "method"),
        counted(len(asked.models), "model"),
        qualities,
        counted(len(asked.targets), "target"),
    ]
    return (
        f"{' × '.join(parts)} = **{counted(len(cells(asked)), 'cell')}**,"
        f" {counted(asked.n, 'idea')} in each"
    )


def named(method: str) -> str:
    """Return what a method is called."""
    return METHODS.get(method, method)
