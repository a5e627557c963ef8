"""The journal: every answer of a run is a step under a name the method chose; pay once, replay
free.

A step is found by (run, name) and verified by the hash of its request. In a fork, what the method
asked before the fork's key comes from the parent as it stands; from there on the parent's step is
taken only if its request is the same.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from core.errors import (
    KINDS,
    PAUSED,
    BadInput,
    FoundryError,
    LeaseLost,
    StepAskedTwice,
    StepChanged,
    Stopped,
    StoreUnusable,
    Waiting,
)
from core.records import Call, Origin, Run, Step, Wish, digest
from core.store import Store, now
from core.store.connection import mended

WATCHED = 100_000
"""Characters of a reply that are shown while it is written."""


@dataclass(frozen=True)
class Answer:
    """What was answered, by whom, in how many tries; `reply` is plain JSON."""

    reply: object
    origin: Origin
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True)
class StepQuestion:
    """What is asked: under which name, where in the order of asking, and what makes it this
    question and no other.
    """

    key: str
    place: str
    request: dict[str, object]
    check: Callable[[object], object] = lambda reply: reply
    """Raises if a reply put in by a person does not fit."""
    recorded: tuple[type[FoundryError], ...] = ()
    """Failures to record as this step's outcome, and to raise again on replay."""


class Journal:
    """One run's steps, written by the one worker that holds the run's lease."""

    def __init__(self, store: Store, run: Run, epoch: int):
        self._store, self._run, self._epoch = store, run, epoch
        self._fork_place = store.runs.fork_place(run.id)
        self._asked: set[str] = set()
        self._lock = threading.Lock()
        self.stop = threading.Event()
        """Break off at once, calls in flight included."""
        self.pause = threading.Event()
        """Begin nothing new; what is in flight is finished and kept."""
        self.round = threading.Event()
        """Begin no new round; the one that goes on is finished and kept."""
        self.lost = threading.Event()
        self._under: Journal | None = None

    def step(
        self, question: StepQuestion, answer: Callable[[], Answer], inherits: bool = True
    ) -> object:
        """Return the recorded reply, or get one and record it. Raises StepChanged, StepAskedTwice,
        and what `answer` raises.
        """
        self._once(question.key)
        held = self._store.steps.get(self._run.id, question.key) or (
            self._from_parent(question) if inherits else None
        )
        if held is None:
            self.may_begin()
            held = self._pay(question, answer)
        elif not self._settled(held) and held.hash != digest(question.request):
            raise StepChanged(question.key)
        if held.status == "failed":
            raise _failure(held)
        return held.reply

    def wishes(self, key: str, place: str, line: int = 1, about: str = "") -> tuple[Wish, ...]:
        """Take, once and for good, what people asked for up to now; often nothing. A fork adds its
        own to its parent's, of which only remarks of people's own hold for another text.

        Raises Stopped if somebody asked the run to stop before its next round.
        """
        self._once(key)
        question = StepQuestion(key, place, {"wishes": key, "about": about})
        held = self._store.steps.get(self._run.id, key)
        if held is None:
            self.may_begin()
            if self.round.is_set():
                raise Stopped(
                    "Stopped before the next round, as asked. Everything up to here is kept."
                )
            inherited = self._inherited(question)
            held = self._edited(question) or (
                self._keep(inherited)
                if inherited and self._settled(inherited)
                else self._take_wishes(question, inherited, line)
            )
        return tuple(Wish.model_validate(wish) for wish in held.reply)  # type: ignore[attr-defined]

    def person(self, question: StepQuestion) -> object:
        """Return a person's answer; raises Waiting until it is given."""

        def given() -> Answer:
            found = self._store.answers.given(self._run.id, question.key)
            if found is None:
                self._store.answers.ask(self._run.id, question.key, question.request)
                raise Waiting(f"{question.key} waits for a person's answer.")
            return Answer(
                _fitting(question, found[0], "Fork the run to answer again."),
                Origin(kind="person", name=found[1]),
            )

        # An answer given to this run takes precedence over its parent's.
        return self.step(
            question, given, inherits=self._store.answers.given(self._run.id, question.key) is None
        )

    def forget(self, failures: tuple[str, ...]) -> None:
        """Delete recorded failures that ended the run after all, so that resuming asks again."""
        self._store.steps.forget(self._run.id, failures, self._epoch)

    def breathe(self) -> None:
        """Break off here if somebody asked the run to stop, or took it over."""
        self._listen()
        if self.lost.is_set():
            raise LeaseLost(f"Run {self._run.id} was taken over by another process.")
        if self.stop.is_set():
            raise Stopped("Stopped as asked. Everything up to here is kept.")

    def heed(self, other: "Journal") -> None:
        """Stop from now on where the run that had this one made is asked to, or is lost."""
        self._under = other

    def _listen(self) -> None:
        if self._under:
            self._under._listen()
            for mine, theirs in (
                (self.stop, self._under.stop),
                (self.pause, self._under.pause),
                (self.stop, self._under.lost),
            ):
                if theirs.is_set():
                    mine.set()

    def may_begin(self) -> None:
        """Break off here if somebody asked the run to stop or to pause, or took it over."""
        self.breathe()
        if self.pause.is_set():
            raise Stopped(PAUSED)

    def progress(self, key: str) -> Callable[[str, str], None]:
        """Return the callback that shows a reply while it is written: four writes a second at most,
        and it may break off.
        """
        last: tuple[str, str] | None = None
        since = 0.0

        def tell(text: str, note: str) -> None:
            nonlocal last, since
            self.breathe()
            now, moment = (text[:WATCHED], note), monotonic()
            if last and (now == last or (note == last[1] and moment - since < 0.25)):
                return
            last, since = now, moment
            with suppress(StoreUnusable):  # What is only looked at ends no call that is paid.
                self._store.steps.write_partial(
                    self._run.id, key, mended(now[0]), note, self._epoch
                )

        return tell

    # -- parts ---------------------------------------------------------------------------------

    def _take_wishes(self, question: StepQuestion, inherited: Step | None, line: int) -> Step:
        parents, asked = inherited or self._parents(question), now()
        given: list[dict[str, object]] = parents.reply if parents else []  # type: ignore[assignment]
        earlier = [wish for wish in given if inherited or wish.get("of") is None]
        with self._store.connections.writing() as connection:
            taken = [
                wish.model_dump(mode="json")
                for wish in self._store.answers.take(connection, self._run.id, question.key, line)
            ]
            held = self._row(
                question,
                Answer([*earlier, *taken], Origin(kind="person", name="wishes")),
                asked,
                0.0,
            )
            self._store.steps.insert(
                connection, inherited if inherited and not taken else held, self._epoch
            )
        return held

    def _once(self, key: str) -> None:
        with self._lock:
            if key in self._asked:
                raise StepAskedTwice(
                    f"The method asked {key!r} twice in one pass; ten samples need ten names."
                )
            self._asked.add(key)

    def _pay(self, question: StepQuestion, answer: Callable[[], Answer]) -> Step:
        asked, start = now(), monotonic()
        try:
            given = answer()
        except FoundryError as error:
            if not isinstance(error, question.recorded):
                self._give_up(question.key, error.calls)
                raise
            origin = Origin(kind="computed", name="failure")
            given = Answer(
                {"kind": type(error).__name__, "message": str(error)}, origin, error.calls
            )
            return self._keep(
                self._row(question, given, asked, monotonic() - start, status="failed")
            )
        except BaseException:
            self._store.steps.drop_partial(self._run.id, question.key)
            raise
        return self._keep(self._row(question, given, asked, monotonic() - start))

    def _give_up(self, key: str, calls: tuple[Call, ...]) -> None:
        try:
            self._store.steps.book(self._run.id, key, calls, self._epoch)
        except LeaseLost:
            self.lost.set()

    def _keep(self, step: Step) -> Step:
        try:
            self._store.steps.add(step, self._epoch)
        except LeaseLost:
            self.lost.set()  # So that branches side by side pay for nothing more.
            raise
        return step

    def _row(
        self,
        question: StepQuestion,
        answer: Answer,
        asked: str,
        latency: float,
        status: str = "done",
    ) -> Step:
        return Step(
            run=self._run.id,
            key=question.key,
            place=question.place,
            hash=digest(question.request),
            request=question.request,
            status="failed" if status == "failed" else "done",
            reply=answer.reply,
            origin=answer.origin,
            calls=answer.calls,
            latency=latency,
            asked=asked,
            ended=now(),
        )

    def settles(self, question: StepQuestion) -> bool:
        """Whether this run is a fork that takes what its parent has here as it stands."""
        return self._fork_place is not None and question.place < self._fork_place

    def _settled(self, step: Step) -> bool:
        """Whether a fork took this step over as it stood, under the parent's settings."""
        return (
            step.taken_from is not None
            and self._fork_place is not None
            and step.place < self._fork_place
        )

    def _from_parent(self, question: StepQuestion) -> Step | None:
        if edited := self._edited(question):
            return edited
        inherited = self._inherited(question)
        return self._keep(inherited) if inherited else None

    def _edited(self, question: StepQuestion) -> Step | None:
        """Return what a person put in place of the parent's reply, if this key was edited; raises
        BadInput if it does not fit.
        """
        if question.key not in self._run.config.edits:
            return None
        reply = _fitting(
            question, self._run.config.edits[question.key], "Fork again with a corrected text."
        )
        return self._keep(
            self._row(question, Answer(reply, Origin(kind="person", name="edit")), now(), 0.0)
        )

    def _inherited(self, question: StepQuestion) -> Step | None:
        """Return the parent's step if it holds here too: asked before the fork, or asked just the
        same.
        """
        step = self._parents(question)
        if step is None or self._fork_place is None:
            return None
        # From the fork on a failure is tried again, whatever it was: trying again is what forks are
        # for.
        if step.place >= self._fork_place and (
            step.status == "failed" or step.hash != digest(question.request)
        ):
            return None
        return step.model_copy(
            update={
                "run": self._run.id,
                "place": question.place,
                "taken_from": step.taken_from or self._run.parent,
            }
        )

    def _parents(self, question: StepQuestion) -> Step | None:
        """Return the parent's step under that name, whatever it was asked; none for the step the
        fork begins with.
        """
        run = self._run
        return (
            self._store.steps.get(run.parent, question.key)
            if run.parent and question.key != run.fork_at
            else None
        )


def _fitting(question: StepQuestion, given: object, remedy: str) -> object:
    try:
        return question.check(given)
    except ValueError as error:
        raise BadInput(
            f"What was put in for {question.key!r} does not fit:"
            f" {' '.join(str(error).split())[:300]}. {remedy}"
        ) from None


def _failure(step: Step) -> FoundryError:
    kept = step.reply
    assert isinstance(kept, dict)
    error = KINDS[kept["kind"]](kept["message"])
    error.steps = (step.key,)
    return error
