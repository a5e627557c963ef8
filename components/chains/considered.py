"""What a hop had to choose from, in words: how many papers, and how each is cited."""

from components.shell.text import inline
from core.records import Considered, Mention


def amount(choice: Considered) -> str:
    """Say how many papers the source gave, whether it has more, and how many of them were
    compared.
    """
    found = f"{choice.found:,} found" + (", the source has more" if choice.more else "")
    return found + (
        f"; the {choice.compared:,} nearest in words were compared in meaning"
        if choice.compared is not None
        else ""
    )


def cited(how: Mention, passages: int = 1) -> str:
    """Say how a paper is cited, with the first passages; nothing where nothing is known."""
    said = [
        *(["influential for the citing paper"] if how.influential else []),
        *([f"cited for {', '.join(how.intents)}"] if how.intents else []),
        *(f"“{passage}”" for passage in how.contexts[:passages]),
    ]
    return inline(" · ".join(said), 1_000)
