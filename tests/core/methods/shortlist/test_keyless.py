"""A shortlist without a key: the built-in model plays every part, its rules compare, and both are
said to be that.
"""

import pytest

from core import settings
from core.literature.shelf import FOLDER
from core.literature.shelf_files import read
from core.methods.inputs import ShortlistInputs
from core.methods.shortlist.so_far import present
from core.records import Idea
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop

IDEAS = tuple(
    Idea(form="hypothesis", fields={"hypothesis": text})
    for text in (
        "Short naps before evening training restore the memory of adolescent athletes.",
        "Bright light in the morning moves the sleep of shift workers forward within a week.",
        "Short naps before evening training restore the memory of adolescent athletes!",
    )
)


def keyless(folder, **given):
    runner = Runner(Workshop(settings.read({}, data=folder)))
    asked = {"topic": "sleep and memory in athletes", "dated": "2026-11-25", **given}
    inputs = validated(ShortlistInputs, **asked)
    run = begin(runner, "shortlist", inputs, inputs.topic, models={"main": "builtin"}, seed=7)
    runner.work(run.id)
    run = runner.store.runs.get(run.id)
    assert run.state == "done", run.reason
    return present(runner.store, run)


def test_rules_compare_and_only_hardly_differing_texts_are_joined(tmp_path):
    seen = keyless(tmp_path, branches=0, own=IDEAS, goals=(), papers=5, designs=0)
    assert (seen.by, seen.rated.by) == ("rules", "rules")
    assert "understand nothing" in seen.reason
    (met,) = seen.rated.meetings
    assert met.run == ""
    assert "Rules count what is written" in met.reason
    assert "No model could judge" in seen.parted.reason
    assert [(one.a, one.b, one.same, one.by) for one in seen.parted.alike] == [
        (1, 3, True, "meaning alone")
    ]
    assert [one.distinct.by_judge for one in seen.stages[:5]] == [None] * 5
    assert all(one.stood.checklist is None for one in seen.ideas if one.stood)


@pytest.mark.soak
@pytest.mark.parametrize(("field", "place"), [(0, 0), (1, 0), (2, 0), (2, 1)])
def test_topics_that_home_offers_come_to_three_cards_not_refined_too_far(tmp_path, field, place):
    # The first of each field, and the one of which ideas of a branch became the same text before
    # they kept apart. All fourteen came to three on 2026-11-25.
    topic = read(FOLDER)[field].example_topics[place]
    seen = keyless(tmp_path, topic=topic)
    assert len(seen.cards) == 3
    assert seen.cards[0].design
    assert all(card.works for card in seen.cards)
    compared = [one.rechecked.compared for one in seen.ideas if one.rechecked]
    assert {one.by for one in compared} == {"rules"}
    assert [one.alarm for one in compared] == [()] * len(compared)
