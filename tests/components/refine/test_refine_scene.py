"""What a refinement's screen shows at one moment."""

import pytest

from components.refine import facts as refine_facts
from components.refine import scene as refine_scene
from components.refine import tradeoff as refine_tradeoff
from core.methods import RefineInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Effect, Idea, Measures, Revision, Round, SideEffect, Verdict
from core.runs.leases import me
from core.runs.planning import played
from tests.support.scripted import refine_script, refinement, runner_of
from tests.support.visiting import host
from tests.support.waiting import until_heard


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, refine_script([True, False, False]))
    host(monkeypatch, runner)
    return runner


def scene(runner, run, line=1):
    return refine_scene.now(runner.store.runs.get(run.id), line)


def stopped_after_a_round(runner, **asked):
    """A refinement with one round behind it and the review of its newest version."""
    run = refinement(runner, rounds=5, **asked)
    script = runner.workshop.named["scripted:one"].script
    verdict = script["verdict"]

    def last(request):
        runner.stop(run.id, "after round")
        until_heard(runner, run.id)
        return verdict(request)

    script["verdict"] = last
    assert runner.work(run.id) == "stopped"
    return run


def test_a_finished_run_has_rounds_and_nothing_going_on(runner):
    run = refinement(runner, rounds=5)
    runner.work(run.id)
    held = scene(runner, run)
    assert (held.line.newest, held.going_on, held.live, held.changeable) == (3, None, False, True)
    assert held.settled == {}


def test_a_run_that_stopped_after_a_round_shows_the_next_one_with_its_review(runner):
    run = stopped_after_a_round(runner)
    held = scene(runner, run)
    assert (held.line.newest, held.going_on, held.live) == (1, 2, False)
    assert set(held.settled) == {"review"}


def test_the_generator_alone_leaves_its_review_where_it_judged_itself():
    inputs = RefineInputs(topic="t", play={"variant": "self-reflection", "goals": [NOVELTY]})
    steps = {"round-1/reflect": {"improved": True, "reason": "Yes.", "review": {"summary": "s"}}}
    assert refine_scene.settled(inputs, "", 1, steps.get) == {"review": {"summary": "s"}}


def test_another_quality_that_came_earlier_has_its_own_review():
    inputs = RefineInputs(topic="t", play={"goals": [NOVELTY, FEASIBILITY]})
    steps = {
        "idea-2/round-1/review": {"summary": "guessed"},
        "idea-2/round-1/feasibility/review": {"summary": "its own"},
    }
    assert refine_scene.settled(inputs, "idea-2/", 1, steps.get) == {
        "review": {"summary": "its own"}
    }


def test_of_several_ideas_a_scene_holds_the_text_of_its_own(runner):
    run = refinement(runner, idea=None, lines=2, cap_tokens=10)
    assert runner.work(run.id) == "capped"
    runner.store.runs.enqueue(run.id, me())
    epoch = runner.store.runs.claim(run.id, me(), runner.store.runs.lease(run.id)["epoch"])
    for key in ("idea-1/round-0/first-idea", "idea-2/round-0/first-idea"):
        runner.store.steps.write_partial(run.id, key, "text", "", epoch)
    assert [part.key for part in scene(runner, run, 2).parts] == ["idea-2/round-0/first-idea"]


def round_(goal, improved, effect=None, quiet=0, n=1):
    effects = (
        (Effect(goal=effect[0], said=SideEffect(effect=effect[1], reason="So.")),) if effect else ()
    )
    idea = Idea(form="hypothesis", fields={"hypothesis": "h"})
    return Round(
        n=n,
        goal=goal,
        revision=Revision(idea=idea),
        verdict=Verdict(improved=improved, reason="r"),
        effects=effects,
        quiet=quiet,
        measures=Measures(to_first=1, to_previous=1),
    )


@pytest.mark.parametrize(
    ("one", "gains"),
    [
        (round_("a", True), (1, 0)),
        (round_("a", False, quiet=1), (0, 0)),
        (round_("a", True, ("b", "worse")), (1, -1)),
        (round_("b", False, ("a", "better")), (1, 0)),
        (round_("b", True, ("a", "unchanged")), (0, 1)),
    ],
)
def test_a_quality_counts_its_verdict_where_a_round_was_made_for_it_and_its_side_effect_where_not(
    one, gains
):
    assert (refine_tradeoff.gained(one, "a"), refine_tradeoff.gained(one, "b")) == gains


def test_versions_at_one_spot_share_a_label():
    drawn = refine_tradeoff.figure(
        ([0, 1, 1, 0], [0, 0, 0, 0]), ("a", "b"), ["", "a", "b", "a"], ("a", "b"), False, "#000000"
    )
    assert [note.text for note in drawn.layout.annotations] == ["0, 3", "1, 2"]


def test_with_turns_every_quality_has_to_be_quiet():
    assert refine_facts.patience(played("infal", [NOVELTY, FEASIBILITY], order="taking turns")) == 4
    assert refine_facts.patience(played("infal", [NOVELTY, FEASIBILITY])) == 2
