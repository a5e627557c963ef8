"""What calls of a benchmark wait for, said while it runs: a slow pace has a reason, and a person is to see it."""
import time
from collections import Counter
from collections.abc import Sequence

from core.store.steps import Steps

KEY = "calls"
"""The name it is shown under, beside the texts other runs are writing."""
EACH = 1.0
"""Seconds between two notes."""


class Waits:
    """Keeps the note of one run up to date."""

    def __init__(self, steps: Steps, run: str, epoch: int):
        self._steps, self._run, self._epoch = steps, run, epoch
        self._said, self._next = "", 0.0
        steps.drop_partial(run, KEY)  # What a worker said that was killed.

    def say(self, notes: Sequence[str]) -> None:
        """Show what calls wait for at this moment, once a second at most."""
        said = in_words(notes)
        if said == self._said or time.monotonic() < self._next:
            return
        self._said, self._next = said, time.monotonic() + EACH
        if said:
            self._steps.write_partial(self._run, KEY, "", said, self._epoch)
        else:
            self._steps.drop_partial(self._run, KEY)

    def close(self) -> None:
        """Say nothing more."""
        if self._said:
            self._steps.drop_partial(self._run, KEY)


def in_words(notes: Sequence[str]) -> str:
    """Say how many calls wait and what most of them wait for; empty where none does."""
    if not notes:
        return ""
    why, _ = Counter(note.partition(": ")[2] or note for note in notes).most_common(1)[0]
    return f"{len(notes)} {'call waits' if len(notes) == 1 else 'calls wait'}: {why.removeprefix('waiting for ')}"
