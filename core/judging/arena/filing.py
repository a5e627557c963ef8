"""Filing an arena's ballots as they come in: many at once, in the order of the matches, whoever
answers first.
"""

import threading
from collections import Counter
from time import monotonic

from core.errors import FoundryError, ModelFailed
from core.records import Ballot, Played
from core.store.ballots import Ballots

BATCH = 50
"""Ballots filed in one transaction."""
PATIENCE = 1.0
"""Seconds after which fewer are filed, too, so that whoever watches sees them."""
HOPELESS = 20
"""A judge that fails this often before its first answer is not asked on."""


class Tray:
    """Takes what became of each match, by its number; a run resumed or replayed files the same
    ballots in the same order.
    """

    def __init__(self, ballots: Ballots, matches: Counter[str]):
        self._ballots = ballots
        self._matches = matches
        self._guard = threading.Lock()
        self._came: dict[int, Ballot | None] = {}
        self._next = 0
        self._ready = list[Ballot]()
        self._filed = monotonic()
        self._judged: Counter[str] = Counter()
        self._failed: dict[str, list[FoundryError]] = {}

    def put(self, n: int, ballot: Ballot) -> None:
        """Take the ballot of match `n`."""
        with self._guard:
            self._judged[ballot.judge] += 1
            self._take(n, ballot)

    def give_up(self, n: int, judge: str, error: FoundryError) -> None:
        """Take the failure of match `n`, which stays without a ballot; raises ModelFailed for a
        judge that never gave an answer.
        """
        with self._guard:
            mine = self._failed.setdefault(judge, [])
            mine.append(error)
            self._take(n, None)
            hopeless = not self._judged[judge] and len(mine) >= min(HOPELESS, self._matches[judge])
        if hopeless:
            raise ModelFailed(
                f"{judge} judged none of {len(mine)} matches: {error} Resume to try again, or start"
                " anew with another judge."
            )

    def close(self) -> None:
        """File what is left."""
        with self._guard:
            self._file()

    @property
    def failures(self) -> tuple[str, ...]:
        """The recorded failures, by step."""
        return tuple(
            step for errors in self._failed.values() for error in errors for step in error.steps
        )

    def played(self, contests: int) -> Played:
        """Return how the matches ended."""
        first = next(
            (str(error) for _, errors in sorted(self._failed.items()) for error in errors[:1]), ""
        )
        return Played(
            contests=contests,
            matches=self._matches.total(),
            judged=self._judged.total(),
            failed={judge: len(errors) for judge, errors in sorted(self._failed.items())},
            reason=first,
        )

    def _take(self, n: int, ballot: Ballot | None) -> None:
        self._came[n] = ballot
        while self._next in self._came:
            came = self._came.pop(self._next)
            self._next += 1
            if came:
                self._ready.append(came)
        if len(self._ready) >= BATCH or monotonic() - self._filed > PATIENCE:
            self._file()

    def _file(self) -> None:
        if self._ready:
            self._ballots.add(tuple(self._ready))
        self._ready = []
        self._filed = monotonic()
