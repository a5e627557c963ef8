"""Idea Foundry's core: from a topic to a refined idea, headless, on a journal.

from core import Foundry

foundry = Foundry("my-data")
run = foundry.reproduce("coi-length", models=["builtin"])
foundry.tables(run.id)["topics-costs"]          # a pandas table
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.foundry import Foundry

__all__ = ["VERSION", "Foundry"]
VERSION = "1.0.0"
"""Of the program: shown in Settings, in exports and by `doctor`, and written into backups."""


def __getattr__(name: str) -> Any:
    # Whoever imports a room of core need not wait for all of them.
    if name == "Foundry":
        from core.foundry import Foundry

        return Foundry
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
