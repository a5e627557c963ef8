"""Case studies among runs: nothing about them changes."""

from core.errors import BadInput
from core.store.connection import Connections


def unpacked(connections: Connections, run: str) -> None:
    """Raise BadInput if the run is a case study: it plays, and nothing about it changes."""
    if connections.row("SELECT 1 FROM runs WHERE id = ? AND packed IS NOT NULL", run):
        raise BadInput(
            f"{run} is a case study that was opened from a file: it can be read and played, and"
            " nothing about it changes. To try something else, start a run of your own."
        )
