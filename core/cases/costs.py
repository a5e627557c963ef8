"""Whether what a packed run says it took is plausible: of each call, of each step, and of the
run.
"""

import math
from collections.abc import Iterable

from core.records import Call
from core.store.whole import KeptStep, Whole

MOST_TOKENS = 20_000_000
"""Tokens one call has at most; the longest contexts there are take two million."""
MOST_DOLLARS = 1_000.0
"""What one call costs at most."""
DEAREST = 0.01
"""US dollars a token costs at most: ten times the dearest price of the last years."""
LONGEST = 1_000_000.0
"""Seconds one call takes at most, some eleven days."""
ROUNDING = 1e-6
"""Dollars by which sums of floating numbers may differ."""
COUNTED = ("tokens_in", "tokens_out", "tokens_expected", "tokens_thought")


def implausible(whole: Whole) -> str:
    """Say what cannot be true about calls, tokens and costs, as the end of a sentence; empty where
    all can.
    """
    for step in whole.steps:
        for fault in (*map(_check_call, step.calls), _check_step(step)):
            if fault:
                return f"step {step.key!r} {fault}"
    return _check_run(whole)


def _check_call(call: Call) -> str:
    for name in COUNTED:
        tokens = getattr(call, name)
        if tokens is not None and not 0 <= tokens <= MOST_TOKENS:
            return f"has a call with {tokens:,} tokens"
    if not 0 <= call.latency <= LONGEST:
        return f"has a call that took {call.latency:g} seconds"
    if (call.tokens_thought or 0) > (call.tokens_out or 0):
        return "has a call that thought with more tokens than it wrote"
    cost, tokens = call.cost or 0.0, (call.tokens_in or 0) + (call.tokens_out or 0)
    if not 0 <= cost <= MOST_DOLLARS:
        return f"has a call that cost {cost:g} dollars"
    if cost > DEAREST * tokens:
        return f"has a call that cost {cost:g} dollars for {tokens:,} tokens"
    return ""


def _check_step(step: KeptStep) -> str:
    """Say where a step's own numbers are not those of its calls: the last ones, after any of which
    no answer came.

    A step that was taken from another run left its calls there.
    """
    if step.taken_from and not step.calls:
        return _check_inherited(step)
    if step.tries > len(step.calls):
        return f"counts {step.tries:,} calls and has {len(step.calls):,}"
    own = step.calls[len(step.calls) - step.tries :]
    for name in ("tokens_in", "tokens_out"):
        total, summed = getattr(step, name) or 0, _tokens(own, name)
        if total != summed:
            return f"names {total:,} {name.replace('_', ' ')}, and its calls have {summed:,}"
    costs = [call.cost for call in own]
    cost = 0.0 if None in costs else _sum(costs)
    if abs((step.cost or 0.0) - cost) > ROUNDING:
        return f"names a cost of {step.cost or 0:g} dollars, and its calls come to {cost:g}"
    return ""


def _check_inherited(step: KeptStep) -> str:
    """Say where a step names more than its calls, which are in another run, can have taken."""
    tokens, cost = (step.tokens_in or 0) + (step.tokens_out or 0), step.cost or 0.0
    if tokens > 2 * MOST_TOKENS * step.tries:
        return f"names {tokens:,} tokens for {step.tries:,} calls"
    if cost > min(DEAREST * tokens, MOST_DOLLARS * step.tries):
        return f"names a cost of {cost:g} dollars for {tokens:,} tokens"
    return ""


def _check_run(whole: Whole) -> str:
    """Say where the run's totals are less than its own steps took, or more than its other calls, of
    which no answer came, can have taken.
    """
    own = [call for step in whole.steps if step.taken_from is None for call in step.calls]
    totals = whole.totals
    lost = totals.calls - len(own)
    if lost < 0:
        return f"it counts {totals.calls:,} calls, and its steps have {len(own):,}"
    for name in ("tokens_in", "tokens_out", "tokens_expected"):
        summed, total = _tokens(own, name), getattr(totals, name)
        if not summed <= total <= summed + lost * MOST_TOKENS:
            return f"it counts {total:,} {name.replace('_', ' ')}, and its steps have {summed:,}"
    costs = [call.cost for call in own]
    cost, unpriced = _sum(costs), costs.count(None)
    if not cost - ROUNDING <= totals.cost <= cost + lost * MOST_DOLLARS + ROUNDING:
        return f"it names a cost of {totals.cost:g} dollars, and its steps come to {cost:g}"
    if not unpriced <= totals.unpriced <= unpriced + lost:
        return (
            f"it counts {totals.unpriced:,} calls without a price, and its steps have {unpriced:,}"
        )
    return ""


def _tokens(calls: Iterable[Call], name: str) -> int:
    return int(_sum(getattr(call, name) for call in calls))


def _sum(values: Iterable[float | None]) -> float:
    return math.fsum(value for value in values if value is not None)
