"""What can go wrong, one exception per boundary crossed, each a sentence with the next step in
it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from core.records import Call

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 4_000
"""Characters of a sentence to show."""


class FoundryError(Exception):
    """Anything this workbench reports to a person; `str()` is the sentence to show, which may say
    back what was given, but not all of a file.
    """

    exit_code = 3
    calls: tuple[Call, ...] = ()
    """Tries made on the way, with what they cost: a call that led nowhere is paid all the same."""
    steps: tuple[str, ...] = ()
    """Recorded failures this one stands for; if it ends the run they are forgotten, so that
    resuming asks again.
    """

    def __str__(self) -> str:
        said = super().__str__()
        if len(said) <= LONGEST:
            return said
        half = LONGEST // 2
        return f"{said[:half]} [... {len(said) - 2 * half:,} more signs ...] {said[-half:]}"


class BadInput(FoundryError):
    """Shown to the person who typed it; says what to do."""

    exit_code = 2


class NotThere(BadInput):
    """Something that was asked for by its name is not in this store; `listing` is the command that
    lists what is, for whoever asked on the command line.
    """

    def __init__(self, message: str, listing: str):
        super().__init__(message)
        self.listing = listing


class MappingNeeded(BadInput):
    """A table can be read in several ways, or hardly at all as it was: nothing is made of it until
    a person says what its columns are.
    """


class SeatClosed(BadInput):
    """A link opens no seat, or no longer: it is wrong, was revoked, or the session is over."""


class Outdated(BadInput):
    """Somebody filed an answer since this form was drawn, most often the same person in another
    tab.
    """


class ModelFailed(FoundryError):
    """A model could not be reached, or gave no usable answer within the allowed tries."""

    def __init__(self, message: str, calls: tuple[Call, ...] = ()):
        super().__init__(message)
        self.calls = calls


class NoUsableAnswer(ModelFailed):
    """A model answered, and none of its answers could be used in the allowed tries: what it wrote
    is lost, and no connection is to blame.
    """


class CannotAnswer(ModelFailed):
    """The chosen model does not answer this prompt (the built-in model names those it can)."""


class SourceFailed(FoundryError):
    """A literature source did not answer; never to be read as 'nothing found'."""


class RunFailed(FoundryError):
    """A run failed that the one which had it made cannot do without; resuming tries it again."""


class NothingFound(FoundryError):
    """Every question was answered, and there is nothing to work with: no failure of a source."""


class EmbeddingFailed(FoundryError):
    """The embedding model is missing, damaged or would not load."""


class StoreFailed(FoundryError):
    """The database refused a read or a write."""


class StoreUnusable(StoreFailed):
    """The database is locked, damaged, read-only or of a newer version, or its disk is full.

    Nothing is wrong with what was asked: a run that meets it rests, and goes on once it is mended.
    """


class TooMuchMemory(FoundryError):
    """A piece of work had the server hold more than it may (core/memory.py); ready to be raised in
    another thread, which gives it no words.
    """

    def __init__(self) -> None:
        super().__init__(
            "This was ended, because the server came to hold more memory by it than is good for"
            " everybody. What was kept before is still there. Ask for less at a time; or try again,"
            " if others asked for much just then."
        )


class NoThread(FoundryError):
    """The system gives this process no more threads."""


class StepChanged(FoundryError):
    """A step of this name is recorded with another request; a fork can go on from there."""

    def __init__(self, key: str):
        super().__init__(
            f"Step {key!r} was recorded with another request than the one asked now (the program or"
            f" its prompts changed since). Nothing was reused. Fork the run at {key!r} to go on"
            " from there."
        )
        self.key = key


class StepAskedTwice(FoundryError):
    """A method asked one key twice in a pass: a mistake in the method."""


class LeaseLost(FoundryError):
    """Another process took this run over; this worker must stop writing."""


class Parked(FoundryError):
    """The run rests and can be resumed; nothing is lost."""

    exit_code = 4


class Waiting(Parked):
    """A person's answer is needed before the run can go on."""


class BudgetReached(Parked):
    """The next call would pass a cap; raise the cap and resume."""

    held = False
    """Whether nothing but what is set aside for other calls stands in the way."""


PAUSED = "Paused as asked: what was in flight was finished, and everything is kept."
"""Why a run rests that was asked to pause; it rests as one that was stopped does."""


class Stopped(Parked):
    """Somebody asked the run to stop."""


GRAVITY: tuple[type[FoundryError], ...] = (
    LeaseLost,
    StoreUnusable,
    Stopped,
    BudgetReached,
    Waiting,
    FoundryError,
)
"""Which of several failures speaks for all: cap before waiting before failure (house.md)."""


def gravest(errors: list[BaseException]) -> BaseException:
    """Return the one of `errors` that decides what happens to the run; a bug outranks all."""
    for error in errors:
        if not isinstance(error, FoundryError):
            return error
    return min(
        errors, key=lambda e: next(n for n, kind in enumerate(GRAVITY) if isinstance(e, kind))
    )


E = TypeVar("E", bound=FoundryError)


def attempt(
    kinds: tuple[type[E], ...], work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T | E:
    """Return what the work returns, or its failure, where that is of one of these kinds."""
    try:
        return work(*args, **kwargs)
    except kinds as error:
        return error


def standing_for(errors: Sequence[FoundryError], instead: E | None = None) -> FoundryError | E:
    """Return the first of several failures that ended a run together, or another `instead` of it;
    resuming asks for all of them again.
    """
    spokesman = instead or errors[0]
    spokesman.steps = tuple(dict.fromkeys(step for error in errors for step in error.steps))
    return spokesman


KINDS: dict[str, type[FoundryError]] = {
    kind.__name__: kind
    for kind in (BadInput, ModelFailed, NoUsableAnswer, CannotAnswer, SourceFailed, EmbeddingFailed)
}
"""Failures a method may go on past; recorded by name and raised again on replay."""


def is_mistake(error: BaseException) -> bool:
    """Say whether an error is one, and no wish that a program or a thread ends: what a library
    written in Rust panics with (PyO3) is no Exception of Python's.
    """
    return isinstance(error, Exception) or type(error).__module__ == "pyo3_runtime"


@contextmanager
def boundary(kind: type[FoundryError], doing: str) -> Iterator[None]:
    """Turn whatever a foreign call raises (StopIteration too) into `kind`, saying what was being
    done.

    Hug the foreign call and nothing else: our own errors pass through unchanged.
    """
    try:
        yield
    except FoundryError:
        raise
    except BaseException as error:
        if not is_mistake(error):
            raise
        said = str(error).strip().splitlines()
        detail = f"{type(error).__name__}: {said[0][:300]}" if said else type(error).__name__
        raise kind(f"Failed while {doing} ({detail}).") from error
