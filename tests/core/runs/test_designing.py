"""An experiment for one idea of a shortlist, in a copy that pays for that experiment alone."""

import pytest

from core.errors import BadInput
from core.runs.designing import design_one
from tests.support.shortlist_kit import now, played, shortlist_script

DESIGNED = {"experiment-design", "design-review", "design-refine"}


def test_exactly_that_one_is_designed_and_nothing_else_is_paid(tmp_path):
    runner, model, run = played(tmp_path)
    first, second, third = now(runner, run).cards
    paid = len(model.requests)
    copy = design_one(runner, run.id, third.n)
    assert runner.work(copy.id) == "done", runner.store.runs.get(copy.id).reason
    cards = now(runner, copy).cards
    assert [card.n for card in cards] == [first.n, second.n, third.n]
    assert [bool(card.design) for card in cards] == [True, False, True]
    new = model.requests[paid:]
    assert {one.prompt for one in new} == DESIGNED
    assert len(new) == len(DESIGNED), "the first one's is taken over"
    assert {one.values["idea"].digest() for one in new} == {third.idea.digest()}
    assert cards[0].design == first.design
    again = design_one(runner, copy.id, second.n)
    assert runner.work(again.id) == "done"
    assert all(card.design for card in now(runner, again).cards)
    assert len(model.requests) - paid == 2 * len(DESIGNED)


def test_one_that_failed_is_designed_anew(tmp_path):
    script = shortlist_script()
    whole, down = script["experiment-design"], [True]

    def design(request):
        return "No design." if down else whole(request)

    runner, model, run = played(tmp_path, script | {"experiment-design": design})
    (first, *_) = now(runner, run).cards
    assert first.design is None
    down.clear()
    paid = len(model.requests)
    copy = design_one(runner, run.id, first.n)
    assert runner.work(copy.id) == "done"
    assert now(runner, copy).cards[0].design
    assert len(model.requests) - paid == len(DESIGNED)


def test_before_the_ideas_are_compared_it_is_refused(tmp_path):
    runner, _, run = played(tmp_path, ask_after=("explore",))
    with pytest.raises(BadInput, match="Wait until the ideas are compared"):
        design_one(runner, run.id, 1)
