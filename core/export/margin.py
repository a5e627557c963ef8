"""Margin notes of a run and, up to where it branched off, those of the runs it comes from."""

from core.errors import BadInput
from core.records import Note, Run
from core.store import Store

MADE = ("review", "self-review", "verdict", "reflect", "measure")
"""The steps of a round that come after its idea: forked there, the idea is the parent's."""


def inherited(store: Store, run: Run) -> tuple[Note, ...]:
    """Return the notes of the run's parents on what it shares with them, the eldest's first; each
    names the run it is kept with.
    """
    if not run.parent or not run.fork_at:
        return ()
    try:
        parent = store.runs.get(run.parent)
    except BadInput:  # Deleted since, and its notes with it.
        return ()
    return tuple(
        note
        for note in (*inherited(store, parent), *store.notes.of(parent.id))
        if _shared(note.about, run.fork_at)
    )


def _shared(about: str, fork: str) -> bool:
    """Whether a place (`idea-2/round-3/review`) comes before the step a branch begins at
    (`idea-2/round-4/wishes`).
    """
    (mine, n, what), (branch, first, step) = _parts(about), _parts(fork)
    if mine != branch or n is None or first is None:
        return False
    return n < first or (n == first and what == "idea" and step in MADE)


def _parts(key: str) -> tuple[str, int | None, str]:
    places = key.split("/")
    at = next(
        (
            i
            for i, place in enumerate(places)
            if place.startswith("round-") and place[6:].isdecimal()
        ),
        None,
    )
    return (
        ("", None, places[-1])
        if at is None
        else ("/".join(places[:at]), int(places[at][6:]), places[-1])
    )
