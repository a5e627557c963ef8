"""A chain a person changed: only what depends on the change is paid, every other step comes over,
and earlier changes live on.
"""

from pathlib import Path

import pytest

from core.methods.chain_of_ideas.editing import (
    drop,
    insert,
    merge,
    move,
    pin,
    read_again,
    replace,
    start_of,
)
from core.records import Chain, Direction, Outcome, Record, Run, Trend, TrendStep, digest
from core.runs.forecast import of_edit
from core.store import Store
from core.story import Branch, Story
from tests.support.scripted import finished_chain, prompts_asked

THOUGHT = ["draft", "entities", "future", "idea", "novelty-queries", "novelty-verdict", "trend"]
AFTER_TREND = [name for name in THOUGHT if name not in ("entities", "trend")]
CHOSEN = ["design-refine", "design-review", "experiment-design", "select", "select"]
"""What follows where the changed branch is the chosen one of two."""
BEST, OTHER = 1, 2
"""Of two branches, the one whose idea wins every time: that of the later line."""


class Edited:
    """A finished run of two branches over the fakes, its forks, and what each of them paid."""

    def __init__(self, folder: Path, **given: object):
        asked = {"branches": 2, "length": 3, **given}
        self.runner, self.model, self.run = finished_chain(folder, **asked)

    def done(self, run: Run) -> Run:
        self.model.requests.clear()
        assert self.runner.work(run.id) == "done", self.store.runs.get(run.id).reason
        return self.store.runs.get(run.id)

    def fork(self, key: str, put: Record, of: Run | None = None) -> Run:
        return self.done(self.runner.fork_edited((of or self.run).id, key, put))

    @property
    def store(self) -> Store:
        return self.runner.store

    @property
    def paid(self) -> list[str]:
        return prompts_asked(self.model)

    def branch(self, n: int, run: Run | None = None) -> Branch:
        return next(
            one for one in Story.of(self.store, (run or self.run).id).branches if one.n == n
        )

    def chain(self, n: int, run: Run | None = None) -> Chain:
        found = self.branch(n, run).chain
        assert found
        return found


@pytest.fixture
def world(tmp_path):
    return Edited(tmp_path)


def ids(chain: Chain) -> list[str]:
    return [paper.id for paper in chain.papers]


def new_paper(world: Edited, name: str):
    return world.runner.workshop.shelf_like.known[name]


def test_the_fakes_choose_the_branch_the_tests_call_best(world):
    assert Story.of(world.store, world.run.id).last(Outcome).branch == BEST
    assert ids(world.chain(BEST)) == ["memory2017", "memory2018", "memory2019"]


CHANGES = {
    "dropped": (lambda c, w: drop(c, "memory2017"), []),
    "moved": (lambda c, w: move(c, "memory2019", -1), []),
    "added": (lambda c, w: insert(c, new_paper(w, "memory2020"), "mine"), ["extract"]),
    "replaced": (
        lambda c, w: replace(c, "memory2019", new_paper(w, "food2020"), "mine"),
        ["extract"],
    ),
    "merged": (lambda c, w: merge(c, w.chain(OTHER)), []),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_an_edit_its_branch_thinks_again_and_the_choice_is_made_again_and_no_more_is_paid(
    world, change
):
    edit, read = CHANGES[change]
    edited = edit(world.chain(BEST), world)
    plan = of_edit(world.store, world.run, f"branch-{BEST}/chain", edited)
    fork = world.fork(f"branch-{BEST}/chain", edited)
    assert world.paid == sorted([*THOUGHT, *CHOSEN, *read])
    assert ids(world.chain(BEST, fork)) == ids(edited)
    assert ids(world.chain(OTHER, fork)) == ids(world.chain(OTHER))
    assert (plan.calls, plan.new) == (len(world.paid), len(read)), "as forecast"


def test_the_steps_of_the_other_branch_come_over_as_they_are(world):
    fork = world.fork(f"branch-{BEST}/chain", drop(world.chain(BEST), "memory2017"))
    old = {step.key: step for step in world.store.steps.of(world.run.id)}
    theirs = [
        step for step in world.store.steps.of(fork.id) if step.key.startswith(f"branch-{OTHER}/")
    ]
    assert len(theirs) == sum(key.startswith(f"branch-{OTHER}/") for key in old)
    assert all(
        step.taken_from == world.run.id and step.reply == old[step.key].reply for step in theirs
    )


def test_a_branch_that_was_not_chosen_is_edited_without_paying_for_the_experiment(world):
    world.fork(f"branch-{OTHER}/chain", drop(world.chain(OTHER), ids(world.chain(OTHER))[0]))
    assert world.paid == sorted([*THOUGHT, "select", "select"])


def test_what_a_person_put_in_is_read_and_shown_as_theirs(world):
    edited = insert(world.chain(BEST), new_paper(world, "light2016"), "It began here.")
    link = world.chain(BEST, world.fork(f"branch-{BEST}/chain", edited)).links[0]
    assert (link.paper.id, link.hop, link.reason) == ("light2016", "person", "It began here.")
    assert link.reading is not None


def attach(world: Edited, paper: str, text: str) -> None:
    """Leave a text in the library as one that a person attached to a paper."""
    file = digest(text)
    world.store.library.keep_text(file, text, 2, "", "")
    world.store.library.attach(paper, file, "Ada")


def test_a_paper_read_again_from_what_was_attached_since_is_thought_about_anew(world):
    attach(world, "memory2018", "Naps restore.")
    edited = read_again(world.chain(BEST), "memory2018")
    fork = world.fork(f"branch-{BEST}/chain", edited)
    assert world.paid == ["extract"], (
        "what was extracted is the same as before, so nothing follows from it"
    )
    read = world.chain(BEST, fork).links[1]
    assert (read.text.state, read.text.origin) == ("read", "Ada")
    world.model.script["extract"] = lambda r: {
        "entities": [],
        "idea": {"novelty": f"{len(r.values['text'])} signs"},
        "experiments": [],
    }
    attach(world, "memory2018", "Naps restore memory, light does not.")
    again = world.fork(
        f"branch-{BEST}/chain", read_again(world.chain(BEST, fork), "memory2018"), of=fork
    )
    assert world.paid == sorted([*THOUGHT, *CHOSEN, "extract"])
    assert world.chain(BEST, again).links[1].reading.idea.novelty == "36 signs"


def test_a_pin_alone_pays_nothing(world):
    world.fork(f"branch-{BEST}/chain", pin(world.chain(BEST), "memory2019", True))
    assert world.paid == []


def test_the_rest_is_grown_anew_from_what_is_pinned(world):
    start = start_of(pin(world.chain(BEST), "memory2019", True))
    plan = of_edit(world.store, world.run, f"branch-{BEST}/start", start)
    fork = world.fork(f"branch-{BEST}/start", start)
    assert ids(world.chain(BEST, fork)) == ["memory2018", "memory2019", "memory2020"], (
        "one place was left, and forward has the first share"
    )
    assert [link.pinned for link in world.chain(BEST, fork).links] == [False, True, False]
    assert world.paid == sorted([*THOUGHT, *CHOSEN, "relevance", "extract"])
    assert plan.calls == len(world.paid)


def test_a_branch_grown_anew_from_all_it_had_pays_nothing(world):
    start = start_of(pin(pin(world.chain(BEST), "memory2019", True), "memory2017", True))
    world.fork(f"branch-{BEST}/start", start)
    assert world.paid == []


def test_another_trend_is_thought_on_from_without_asking_for_one(world):
    trend = world.branch(BEST).trend
    put = Trend(
        steps=tuple(
            TrendStep(earlier=one.earlier, later=one.later, how="A person's view.")
            for one in trend.steps
        ),
        summary="Mine.",
    )
    plan = of_edit(world.store, world.run, f"branch-{BEST}/trend", put)
    fork = world.fork(f"branch-{BEST}/trend", put)
    assert world.paid == sorted([*AFTER_TREND, *CHOSEN])
    assert plan.calls == len(world.paid)
    assert world.branch(BEST, fork).trend == put
    assert (
        next(one for one in world.model.requests if one.prompt == "future").values["trend"].summary
        == "Mine."
    )


def test_another_direction_is_drafted_without_predicting_one(world):
    put = Direction(direction="Ask the dreamers.", reasoning="Nobody did.")
    plan = of_edit(world.store, world.run, f"branch-{BEST}/idea-1/future", put)
    fork = world.fork(f"branch-{BEST}/idea-1/future", put)
    assert world.paid == sorted([*(name for name in AFTER_TREND if name != "future"), *CHOSEN])
    assert plan.calls == len(world.paid)
    assert world.branch(BEST, fork).direction == put


def test_a_chain_edited_after_its_direction_asks_for_a_direction_again_as_forecast(world):
    one = world.fork(
        f"branch-{BEST}/idea-1/future",
        Direction(direction="Ask the dreamers.", reasoning="Nobody did."),
    )
    edited = drop(world.chain(BEST, one), "memory2017")
    plan = of_edit(world.store, one, f"branch-{BEST}/chain", edited)
    two = world.fork(f"branch-{BEST}/chain", edited, of=one)
    assert world.paid == sorted([*THOUGHT, *CHOSEN])
    assert plan.calls == len(world.paid)
    assert world.branch(BEST, two).direction.direction != "Ask the dreamers."


def test_edits_of_two_branches_one_after_the_other_both_stand_whichever_came_first(world):
    for first, second in ((BEST, OTHER), (OTHER, BEST)):
        once = drop(world.chain(first), ids(world.chain(first))[0])
        fork = world.fork(f"branch-{first}/chain", once)
        twice = drop(world.chain(second, fork), ids(world.chain(second, fork))[-1])
        last = world.fork(f"branch-{second}/chain", twice, of=fork)
        assert (ids(world.chain(first, last)), ids(world.chain(second, last))) == (
            ids(once),
            ids(twice),
        )
        assert world.paid.count("trend") == 1, "the first edit is not paid a second time"


def test_a_trend_edited_after_the_chain_keeps_it_and_a_chain_edited_after_asks_for_a_new_trend(
    world,
):
    edited = drop(world.chain(BEST), "memory2017")
    one = world.fork(f"branch-{BEST}/chain", edited)
    put = Trend(
        steps=(TrendStep(earlier="memory2018", later="memory2019", how="Mine."),), summary="Mine."
    )
    two = world.fork(f"branch-{BEST}/trend", put, of=one)
    assert ids(world.chain(BEST, two)) == ids(edited)
    assert world.branch(BEST, two).trend == put
    three = world.fork(
        f"branch-{BEST}/chain",
        insert(world.chain(BEST, two), new_paper(world, "memory2020"), "mine"),
        of=two,
    )
    assert world.branch(BEST, three).trend.summary == "It goes on."


def test_a_paper_read_for_one_edit_is_not_read_again_for_the_next(world):
    once = insert(world.chain(BEST), new_paper(world, "memory2020"), "mine")
    fork = world.fork(f"branch-{BEST}/chain", once)
    twice = drop(world.chain(BEST, fork), "memory2017")
    plan = of_edit(world.store, fork, f"branch-{BEST}/chain", twice)
    world.fork(f"branch-{BEST}/chain", twice, of=fork)
    assert world.paid == sorted([*THOUGHT, *CHOSEN])
    assert (plan.calls, plan.new) == (len(world.paid), 0)


def test_growing_one_branch_anew_into_another_keeps_what_a_person_made_of_that_other(tmp_path):
    world = Edited(tmp_path, length=5)
    theirs = drop(world.chain(OTHER), ids(world.chain(OTHER))[0])
    fork = world.fork(f"branch-{OTHER}/chain", theirs)
    meeting = insert(
        world.chain(BEST, fork), world.chain(OTHER, fork).papers[-1], "They meet here."
    )
    start = start_of(pin(meeting, world.chain(OTHER, fork).papers[-1].id, True))
    last = world.fork(f"branch-{BEST}/start", start, of=fork)
    assert ids(world.chain(OTHER, last)) == ids(theirs)


def test_an_edit_that_does_not_fit_ends_its_fork_in_a_sentence_and_leaves_the_run(world):
    fork = world.runner.fork_edited(
        world.run.id, f"branch-{BEST}/trend", Trend(steps=(), summary="Mine.")
    )
    assert world.runner.work(fork.id) == "failed"
    assert "does not fit" in world.store.runs.get(fork.id).reason
    assert world.store.runs.get(world.run.id) == world.run


def test_the_run_that_was_edited_stays_as_it_was(world):
    before = world.store.steps.of(world.run.id), world.store.steps.products(world.run.id)
    world.fork(f"branch-{BEST}/chain", drop(world.chain(BEST), "memory2017"))
    assert (world.store.steps.of(world.run.id), world.store.steps.products(world.run.id)) == before
    assert world.store.runs.get(world.run.id) == world.run
