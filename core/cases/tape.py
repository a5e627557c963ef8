"""Playing a run back: when each of its steps was asked and answered at reading speed, and how far
it is at any moment.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import groupby
from typing import Literal

from core.records import ACTORS, Actor, Record, Run, Step
from core.runs.catalogue import entry
from core.store import Store
from core.store.steps import Partial

WORDS_PER_SECOND = 4.0
SHORTEST, LONGEST, AT_ONCE = 1.0, 45.0, 0.8
"""Seconds for a reply that is read; for one with nothing to read in it."""
SPOKEN: dict[str, Actor] = {
    "first-idea": "generator",
    "revise": "generator",
    "self-review": "generator",
    "reflect": "generator",
    "review": "optimizer",
    "verdict": "discriminator",
    "side-effect": "discriminator",
}
"""Who speaks, by the last part of a step's key: runs of version 1 had one role for all, and a
person has none.
"""
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)(?:"(\s*:)?|\\?\Z)', re.DOTALL)
"""A text of JSON, and the colon of a name; one that does not end goes to the end, so that nothing
is looked through twice.
"""
_WORD = re.compile(r"(?:\\.|[^\s\\])+")


class Frame(Record):
    """One step on the tape: `text` is its reply as JSON; `start` and `seconds` are in seconds from
    the beginning.
    """

    key: str
    place: str
    actor: Actor | None
    role: str | None
    kind: Literal["model", "source", "person", "computed", "authored"]
    text: str
    words: int
    start: float
    seconds: float

    @property
    def end(self) -> float:
        return self.start + self.seconds

    def written(self, seconds: float) -> str:
        """Return how far the reply is written so long after the step began: its beginning up to the
        end of a word, as JSON that breaks off.
        """
        share = int(min(max(seconds, 0.0) / self.seconds, 1.0) * self.words)
        return self.text[: _ends(self.text)[share - 1]] if share else ""


class Moment(Record):
    """How far a run is at a moment of its tape; `n` steps are settled, in the order they came to an
    end.
    """

    seconds: float
    n: int
    settled: tuple[str, ...]
    running: tuple[Partial, ...]
    """What is being written, as the live screen has it."""
    ahead: tuple[str, ...]
    """Places of the steps that are asked and not answered: nothing that follows one of them is
    shown yet.
    """

    @property
    def over(self) -> bool:
        return not self.ahead

    def shows(self, place: str) -> bool:
        """Say whether a record made at this place is there by now: everything asked before it,
        other lines of work aside, is answered.
        """
        return not any(_follows(place, asked) for asked in self.ahead)


def plays(store: Store, run: Run) -> bool:
    """Say whether a run plays back: finished, by a method that does, and here with its steps."""
    if run.state != "done" or not entry(run.config).played_back:
        return False
    # Only in the case study of an experiment there are runs without.
    return not (run.packed and run.sweep) or bool(store.steps.count(run.id))


class Tape(Record):
    """A run's steps in the order they were asked; what ran side by side starts together."""

    frames: tuple[Frame, ...]
    order: tuple[int, ...]
    """The frames by when they end."""

    @classmethod
    def of(cls, store: Store, run_id: str) -> "Tape":
        """Read a run's tape from the store."""
        placed = [(_frame(step), step.place.split(".")) for step in store.steps.each(run_id)]
        frames = sorted(_lay(placed, 0, 0.0), key=lambda frame: (frame.place, frame.key))
        order = sorted(range(len(frames)), key=lambda n: (frames[n].end, frames[n].place, n))
        return cls(frames=tuple(frames), order=tuple(order))

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return max((frame.end for frame in self.frames), default=0.0)

    @property
    def stops(self) -> tuple[float, ...]:
        """When each step is settled, in seconds."""
        return tuple(self.frames[n].end for n in self.order)

    def moment(self, seconds: float) -> Moment:
        """Return how far the run is after so many seconds of playing."""
        seconds = max(seconds, 0.0)
        return self._at(bisect_right(self.stops, seconds), seconds, writing=True)

    def frame(self, n: int) -> Moment:
        """Return how the run stands once `n` steps are settled, with nothing half written: 0 is the
        beginning, one more than the last the end.
        """
        n = min(max(n, 0), len(self.order))
        return self._at(n, self.stops[n - 1] if n else 0.0, writing=False)

    def settled(self, place: str) -> float:
        """Return the second at which a record that was made at this place is there."""
        before = (frame.end for frame in self.frames if _follows(place, frame.place))
        return max(before, default=0.0)

    def _at(self, n: int, seconds: float, writing: bool) -> Moment:
        ahead = [self.frames[k] for k in sorted(self.order[n:])]
        begun = [frame for frame in ahead if frame.start <= seconds]
        running = []
        for frame in begun if writing else ():
            text = frame.written(seconds - frame.start)
            running.append(Partial(key=frame.key, text=text, note="", updated=""))
        return Moment(
            seconds=seconds,
            n=n,
            settled=tuple(self.frames[k].key for k in self.order[:n]),
            running=tuple(running),
            ahead=tuple(frame.place for frame in begun),
        )


def _frame(step: Step) -> Frame:
    text = step.reply if isinstance(step.reply, str) else json.dumps(step.reply, ensure_ascii=False)
    read = step.origin.kind not in ("source", "computed") and isinstance(step.reply, (str, dict))
    role, words = step.request.get("role"), len(_ends(text)) if read else 0
    seconds = min(max(words / WORDS_PER_SECOND, SHORTEST), LONGEST) if words else AT_ONCE
    actor = next((one for one in ACTORS if one == role), SPOKEN.get(step.key.rsplit("/", 1)[-1]))
    return Frame(
        key=step.key,
        place=step.place,
        actor=actor,
        role=role if isinstance(role, str) else None,
        kind=step.origin.kind,
        text=text,
        words=words,
        start=0.0,
        seconds=seconds,
    )


def _ends(text: str) -> list[int]:
    """Return where the words of a reply end: of its texts, not of the names JSON gives them."""
    if not text.startswith("{"):
        return [word.end() for word in re.finditer(r"\S+", text)]
    ends = []
    for found in _STRING.finditer(text):
        if not found[2]:
            words = _WORD.finditer(text, *found.span(1))
            ends += [word.end() for word in words]
    return ends


Placed = tuple[Frame, list[str]]


def _lay(steps: Iterable[Placed], depth: int, start: float) -> list[Frame]:
    """Lay the steps of one line of work one after the other; lines that were lent side by side
    start together and are waited for.
    """
    laid: list[Frame] = []
    in_order = sorted(steps, key=lambda placed: placed[1][depth:])
    for _, several in groupby(in_order, key=lambda placed: placed[1][depth]):
        here = list(several)
        for frame, place in here:
            if len(place) == depth + 1:
                laid.append(frame.model_copy(update={"start": start}))
                start = laid[-1].end
        lent = [placed for placed in here if len(placed[1]) > depth + 2]
        beside: list[Frame] = []
        for _, line in groupby(lent, key=lambda placed: placed[1][depth + 1]):
            beside += _lay(line, depth + 2, start)
        laid += beside
        start = max((frame.end for frame in beside), default=start)
    return laid


def _follows(place: str, asked: str) -> bool:
    """Say whether what was made at a place waits for the step asked at another: in the same line of
    work, or in one it was lent from.
    """
    pairs = zip(place.split("."), asked.split("."), strict=False)
    for depth, (mine, other) in enumerate(pairs):
        if mine != other:
            return depth % 2 == 0 and other < mine
    return True
