"""What a benchmark's calls are doing, shown while it runs: what most of those wait for that wait,
and of a brainstorm every idea as it is written.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from core.benchmark.conducting.wire import Doing
from core.models.thoughts import waits
from core.store.connection import mended
from core.store.steps import Steps

CALLS = "calls"
"""The name under which waiting is shown; ideas are shown under their own."""
EACH = 0.5
"""Seconds between two looks."""
LONGEST = 4_000
"""Characters of an idea that are shown while it is written."""


class ShownRun:
    """Keeps what is shown of one run up to date; with `texts` the ideas too."""

    def __init__(self, steps: Steps, run: str, epoch: int, texts: bool):
        self._steps, self._run, self._epoch, self._texts = steps, run, epoch, texts
        self._next = 0.0
        self._said: dict[str, Doing] = {
            one.key: Doing() for one in steps.partials(run)
        }  # Of a worker that was killed.

    def update(self, doing: Mapping[str, Doing]) -> None:
        """Show what calls are doing at this moment, by the name of what they are asked for; twice a
        second at most.
        """
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EACH
        shown = {key: one for key, one in doing.items() if self._texts and any(one)}
        notes = [one.note for one in doing.values() if waits(one.note)]
        if said := in_words(notes):
            shown.setdefault(CALLS, Doing(note=said))
        self._show(shown)

    def close(self) -> None:
        """Show nothing more."""
        self._show({})

    def _show(self, wanted: dict[str, Doing]) -> None:
        for key in self._said.keys() - wanted.keys():
            self._steps.drop_partial(self._run, key)
        for key, one in wanted.items():
            if self._said.get(key) != one:
                self._steps.write_partial(
                    self._run, key, mended(one.text[:LONGEST]), one.note, self._epoch
                )
        self._said = wanted


def in_words(notes: Sequence[str]) -> str:
    """Say how many calls wait and what most of them wait for; empty where none does."""
    if not notes:
        return ""
    why, _ = Counter(note.partition(": ")[2] or note for note in notes).most_common(1)[0]
    return (
        f"{len(notes)} {'call waits' if len(notes) == 1 else 'calls wait'}:"
        f" {why.removeprefix('waiting for ')}"
    )
