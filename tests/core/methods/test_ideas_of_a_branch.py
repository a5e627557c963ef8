"""Ideas of one branch that are sent back as known keep apart: none takes a direction of another."""

import pytest

from core.records import Direction
from core.story import Story
from tests.support.scripted import chain, runner_of, wide_script, wide_source

DIRECTIONS = [f"Direction {letter}." for letter in "ABCDEFGHIJ"]


def script(known):
    """Return a script that names the first directions that were not taken, in order; ideas from
    `known` ones are sent back.
    """
    whole = wide_script()

    def future(request):
        gone = " ".join(map(str, request.values["taken"]))
        free = [one for one in DIRECTIONS if one not in gone]
        steps = [{"direction": one, "reasoning": "So.", "beyond": "Much."} for one in free[:3]]
        return {"candidates": steps, "choice": "It goes furthest."}

    def draft(request):
        way = request.values["direction"].direction
        return {"motivation": f"Draft {way}", "novelty": "new", "method": way}

    def verdict(request):
        title = request.values["idea"].title
        similar = any(f"Idea {one[10]} " in title for one in known)
        nearest = request.values["papers"][0].id
        return {"similar": similar, "nearest": nearest, "overlap": "", "reason": "Compared."}

    def idea(request):
        letter = request.values["direction"].direction[10]
        shown = whole["idea"](request)
        return shown | {"title": f"Idea {letter} of it"}

    return whole | {"future": future, "draft": draft, "idea": idea, "novelty-verdict": verdict}


def played(tmp_path, known, edition=3, **asked):
    runner, model = runner_of(tmp_path, script(known), wide_source())
    run = chain(runner, topic="sleep 2018", branches=1, ideas=2, design=False, **asked)
    if edition < 3:
        run = runner.begin(run.config.model_copy(update={"edition": edition}), "An earlier one")
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    told = Story.of(runner.store, run.id).parts
    taken = {place: one for place, one in told if isinstance(one, Direction)}
    return model, {place: one.direction[10] for place, one in taken.items() if "idea-" in place}


@pytest.mark.parametrize("rounds", [2, 3])
def test_two_that_are_sent_back_take_directions_that_neither_had(tmp_path, rounds):
    _, taken = played(tmp_path, known=DIRECTIONS[:4], novelty_rounds=rounds)
    assert len(taken) == 2 * rounds
    assert sorted(taken.values()) == list("ABCDEF"[: 2 * rounds])


def test_one_that_is_sent_back_alone_does_not_take_what_the_other_has(tmp_path):
    model, taken = played(tmp_path, known=DIRECTIONS[1:2])
    assert sorted(taken.values()) == ["A", "B", "D"]
    told = [one.values["taken"] for one in model.requests if one.prompt == "future"][-1]
    assert [str(one) for one in told] == [
        "Direction B. (repeats: Compared.)",
        "Direction A. (repeats: another idea of this branch, which goes on from it)",
    ]
    drafted = [one.values["taken"] for one in model.requests if one.prompt == "draft"]
    assert {len(one) for one in drafted} == {0, 1}


def test_runs_of_an_earlier_edition_take_what_they_took(tmp_path):
    _, taken = played(tmp_path, known=DIRECTIONS[1:2], edition=2)
    assert sorted(taken.values()) == ["A", "A", "B"]
