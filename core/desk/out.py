"""Calls side by side under one cap: one that finds no room waits for another one to end."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TypeVar

from core.errors import BudgetReached

A = TypeVar("A")
SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
NOTE = "waiting for a call to end: the cap has no room for one more beside it"

StepName = tuple[str, str]
"""A run and the key of a step in it."""


class CallsOut:
    """The steps of this process that have something set aside for a call, by the run whose caps
    they share: the experiment, for runs that one has made. Of runs that share nothing but the
    month's cap, none waits for another.

    What is set aside is a call's worst case, and most calls take far less: without a wait, a cap
    would let a run rest that could have gone on a moment later. Whoever waits has nothing set aside
    and holds no place at a provider, and whoever has does not wait: so each wait has an end.
    """

    def __init__(self) -> None:
        self._guard = threading.Condition()
        self._out: dict[str, set[StepName]] = defaultdict(set)
        self._ends: Counter[str] = Counter()
        """How many have ended, by the same run: whoever waits asks again at its own run's ends."""

    def begin(self, whole: str, step: StepName, set_aside: Callable[[], None]) -> None:
        """Set something aside for a step; raises what `set_aside` raises."""
        with self._guard:
            # Before it is: whoever else finds no room meanwhile has somebody to wait for.
            had = step in self._out[whole]
            self._out[whole].add(step)
        try:
            set_aside()
        except BaseException:
            if not had:
                self._leave(whole, step)
            raise

    def end(self, whole: str, step: StepName) -> None:
        """Say that a step has nothing set aside any more, whether it ever had or not."""
        with self._guard:
            if step in self._out.get(whole, ()):
                self._ends[whole] += 1
                self._leave(whole, step)

    def _leave(self, whole: str, step: StepName) -> None:
        with self._guard:
            self._out[whole].discard(step)
            if not self._out[whole]:
                del self._out[whole]
            self._guard.notify_all()

    def with_room(
        self, whole: str, step: StepName, ask: Callable[[], A], tell: Callable[[str], None]
    ) -> A:
        """Ask; where only what others have set aside stands in the way of the first call, ask again
        once one of them has ended.

        Raises BudgetReached where nobody is left to wait for, what `ask` raises otherwise, and what
        `tell`, which is told of the wait four times a second, raises.
        """
        while True:
            ends = self._ends[whole]
            try:
                return ask()
            except BudgetReached as reached:
                went_out = bool(reached.calls)
                if not reached.held or went_out or not self._one_ends(whole, step, ends, tell):
                    raise

    def _one_ends(self, whole: str, step: StepName, ends: int, tell: Callable[[str], None]) -> bool:
        """Wait until one more step has ended than `ends`; False where none is out, or it is."""
        while True:
            with self._guard:
                if self._ends[whole] != ends:
                    return True
                out = self._out.get(whole, ())
                if not out or step in out:
                    return False
                self._guard.wait(SLICE)
            tell(NOTE)
