"""The course of one game: whose turn it is among the indicators, which idea was accepted last, and
when it is over (InfAL, section 3.2.3).
"""

from core.methods.inputs import RefineInputs
from core.records import Idea, Indicator, Outcome, Play, Verdict


class Course:
    """Counts rounds and quiet verdicts; asks nobody anything."""

    def __init__(self, inputs: RefineInputs, first: Idea):
        self._inputs = inputs
        self.n = 1
        """The round that is about to be played, or being played."""
        self.current = first
        self._accepted = (first, 0)
        self._quiet = 0
        self._turn = 0
        self._since = 0
        """The round after which this indicator's game began, or after which somebody branched off.
        """

    @property
    def play(self) -> Play:
        """How the present round is played."""
        return self._inputs.at(self.n)

    @property
    def upcoming(self) -> Play:
        """How the round after it is played."""
        return self._inputs.at(self.n + 1)

    @property
    def goal(self) -> Indicator:
        """The indicator of the present round."""
        return self.play.goals[self._turn]

    @property
    def guess(self) -> Indicator:
        """The next round's indicator; wrong only if the verdict ends this one's rounds early."""
        return self.upcoming.goals[self._next_turn(over=self._full)]

    @property
    def branches(self) -> bool:
        """Whether somebody branched off after the present round: then another round comes in any
        case.
        """
        return any(leg.upto == self.n for leg in self._inputs.earlier)

    @property
    def last(self) -> bool:
        """Whether no round comes after this one, whatever the verdict."""
        return self._full and self._ends

    def settles(self, verdict: Verdict | None) -> bool:
        """Whether this verdict ends the present indicator's game."""
        return not self.branches and self._after(verdict) >= self._patience

    def count(self, idea: Idea, verdict: Verdict | None) -> int:
        """Take a round's idea and verdict in; return how many verdicts in a row, this one included,
        saw no improvement.

        Where a discriminator plays and no verdict of it could be read, the count stays, and the
        idea is not held to be better.
        """
        self._quiet, self.current = self._after(verdict), idea
        if verdict.improved if verdict else not self._judged:
            self._accepted = (idea, self.n)
        return self._quiet

    def broken_off(self) -> Outcome:
        """Return the outcome after an unusable revision: the last accepted idea."""
        idea, n = self._accepted
        ended = f"Ended in round {self.n}: no revision of the generator could be used."
        return Outcome(reason=f"{ended} This is the idea of round {n}.", idea=idea, round=n)

    def go_on(self) -> Outcome | None:
        """Go on to the next round, or return how the game ended."""
        over = self._full or self._quiet >= self._patience
        if over and self._ends:
            return self._outcome()
        fresh = over or self.branches
        self._turn = self._next_turn(over)
        self._since, self._quiet = (self.n, 0) if fresh else (self._since, self._quiet)
        self.n += 1
        return None

    # -- parts ---------------------------------------------------------------------------------

    @property
    def _taking_turns(self) -> bool:
        return self.play.order == "taking turns"

    @property
    def _share(self) -> int:
        """How many indicators share one game."""
        return len(self.play.goals) if self._taking_turns else 1

    @property
    def _patience(self) -> int:
        return self.play.rules.patience * self._share

    @property
    def _full(self) -> bool:
        return self.n - self._since >= self.play.rules.max_rounds * self._share

    @property
    def _ends(self) -> bool:
        """Whether the run ends with the present indicator's game."""
        return not self.branches and (self._taking_turns or self._turn + 1 == len(self.play.goals))

    def _next_turn(self, over: bool) -> int:
        if self.branches:
            return 0
        if self._taking_turns:
            return (self._turn + 1) % len(self.play.goals)
        return min(self._turn + over, len(self.play.goals) - 1)

    @property
    def _judged(self) -> bool:
        """Whether somebody says of each version if it improved."""
        return self.play.variant != "no-discriminator"

    def _after(self, verdict: Verdict | None) -> int:
        if verdict is None:
            return self._quiet if self._judged else 0
        return 0 if verdict.improved else self._quiet + 1

    def _outcome(self) -> Outcome:
        if self._quiet >= self._patience:
            many = "one verdict" if self._quiet == 1 else f"{self._quiet} verdicts in a row"
            reason = f"Converged: {many} saw no significant improvement."
            return Outcome(reason=reason, idea=self.current, round=self.n, converged=True)
        if self.play.variant == "no-discriminator":
            reason = f"Played the fixed number of {self.n} rounds; no discriminator decides."
            return Outcome(reason=reason, idea=self.current, round=self.n)
        # At the limit the printed index is ambiguous (Algorithm 1, line 18): the newest idea that
        # was found better is returned.
        idea, n = self._accepted
        reason = f"Stopped at the limit of {self.n} rounds, before convergence."
        return Outcome(reason=reason, idea=idea, round=n)
