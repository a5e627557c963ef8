"""Calls side by side under one cap: one that finds no room waits for another one to end."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable

from core.errors import BudgetReached
from core.models.port import Progress

SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
NOTE = "waiting: calls beside this one have set aside what the cap leaves"

StepName = tuple[str, str]
"""A run and the key of a step in it."""


class CallsOut:
    """The steps of this process that have something set aside for a call, by the run whose caps
    they share: the experiment, for runs that one has made.

    What is set aside is a call's worst case, and most calls take far less: without a wait, a cap
    would let a run rest that could have gone on a moment later.
    """

    def __init__(self) -> None:
        self._guard = threading.Condition()
        self._out: dict[str, set[StepName]] = defaultdict(set)
        self._waiting: set[StepName] = set()
        self._ends: Counter[str] = Counter()

    def reserve(
        self, whole: str, step: StepName, set_aside: Callable[[], None], progress: Progress
    ) -> None:
        """Set something aside for a step; where only what others have set aside stands in the way,
        wait until one of them ends.

        Raises BudgetReached once there is nobody left to wait for, what `set_aside` raises
        otherwise, and what `progress` raises.
        """
        while True:
            with self._guard:
                ends = self._ends[whole]
                # Before it is: whoever else finds no room meanwhile has somebody to wait for.
                self._out[whole].add(step)
            try:
                set_aside()
            except BudgetReached as reached:
                if not reached.held or not self._one_ends(whole, step, ends, progress):
                    raise
            else:
                return

    def end(self, whole: str, step: StepName) -> None:
        """Say that a step has nothing set aside any more, whether it ever had or not."""
        with self._guard:
            self._out[whole].discard(step)
            self._ends[whole] += 1
            if not self._out[whole]:
                del self._out[whole], self._ends[whole]
            self._guard.notify_all()

    def _one_ends(self, whole: str, step: StepName, ends: int, progress: Progress) -> bool:
        """Wait until one more step has ended than `ends`; False where all others wait too."""
        with self._guard:
            self._waiting.add(step)
        try:
            while True:
                with self._guard:
                    if self._ends[whole] != ends:
                        return True
                    if self._out[whole] <= self._waiting:
                        return False
                    self._guard.wait(SLICE)
                progress("", NOTE)
        finally:
            with self._guard:
                self._waiting.discard(step)
