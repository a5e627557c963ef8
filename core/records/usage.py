"""What calls used, in words: tokens nobody reported are unreported and never 0, a sum without them
is at least, and calls that may be unpaid are named.
"""

from collections.abc import Iterable

from core.records import Call


def tokens(read: int, written: int, calls: int, unreported: int | None) -> str:
    """Say what so many calls read and wrote: `1,200 tokens in, 300 out`, `at least 1,200 tokens in,
    ...`, `tokens unreported`.

    `unreported` is of how many the usage was not reported; None says of some.
    """
    return _say_known(f"{read:,} tokens in, {written:,} out", read + written, calls, unreported)


def all_tokens(read: int, written: int, calls: int, unreported: int | None) -> str:
    """Say what so many calls read and wrote together: `1,500 tokens`, `at least 1,500 tokens, 2 of
    9 calls unreported`, `tokens unreported`.
    """
    return _say_known(f"{read + written:,} tokens", read + written, calls, unreported)


def _say_known(known: str, total: int, calls: int, unreported: int | None) -> str:
    if unreported == 0:
        return known
    if not total:
        return "tokens unreported"
    some = f", {unreported:,} of {_count(calls)} unreported" if unreported else ""
    return f"at least {known}{some}"


def calls(made: int, maybe_paid: int) -> str:
    """Say how many calls were made, and of how many nobody knows whether they were paid."""
    if not maybe_paid:
        return _count(made)
    return f"{_count(made)}, of which {maybe_paid:,} may have been paid for: the reply was lost"


def silent(made: Iterable[Call]) -> int:
    """Return of how many calls the usage was not reported."""
    return sum(call.unreported for call in made)


def _count(n: int) -> str:
    return f"{n:,} {'call' if n == 1 else 'calls'}"
