"""Margin notes of a run and, up to where it branched off, those of the runs it comes from."""

from core.errors import BadInput
from core.records import Note, Run
from core.store import Store

MADE = ("review", "self-review", "verdict", "reflect", "measure")
"""The steps of a round that come after its idea: forked there, the idea is the parent's."""


def inherit(store: Store, run: Run) -> tuple[Note, ...]:
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
        for note in (*inherit(store, parent), *store.notes.of(parent.id))
        if _is_shared(note.about, run.fork_at)
    )


def _is_shared(about: str, fork: str) -> bool:
    """Whether a place (`idea-2/round-3/review`) comes before the step a branch begins at
    (`idea-2/round-4/wishes`).
    """
    idea, n, what = _parts(about)
    fork_idea, first, step = _parts(fork)
    if idea != fork_idea or n is None or first is None:
        return False
    made_before = what == "idea" and step in MADE
    return n < first or (n == first and made_before)


def _parts(key: str) -> tuple[str, int | None, str]:
    """Return what a place names before its round, which round, and the step in it."""
    places = key.split("/")
    for at, place in enumerate(places):
        number = place.removeprefix("round-")
        if number != place and number.isdecimal():
            return "/".join(places[:at]), int(number), places[-1]
    return "", None, places[-1]
