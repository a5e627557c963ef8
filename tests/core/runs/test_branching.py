"""Branching off from any round: what is shared stays the same record, and only what changed and
what depends on it is paid.
"""

from collections import Counter

import pytest

from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea, Round, Wish, digest
from core.runs.branching import branch
from core.runs.catalogue import ACTORS
from core.runs.planning import played
from core.story import Story
from tests.conftest import ScriptedModel
from tests.support.scripted import (
    FIRST,
    chain,
    chain_script,
    prompts_asked,
    refine_script,
    refinement,
    runner_of,
)

Y, N = True, False
ROUNDS = 3
MINE = Idea(form="six-field", fields={name: f"Ada's {name}." for name in FORMS["six-field"]})


def parent(folder, verdicts=(Y,), **more):
    """Play a refinement of three rounds to its end, and forget what was asked."""
    runner, model = runner_of(folder, refine_script(verdicts))
    run = refinement(runner, **{"rounds": ROUNDS, "k": 0, **more})
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    model.requests.clear()
    return runner, model, run


def branched(runner, run, after, **more):
    made = branch(runner, run.id, after, **more)
    assert runner.work(made.id) == "done", runner.store.runs.get(made.id).reason
    return made


def shown(runner, run_id, after, prefix=""):
    """Return the digests of a run's first idea and its rounds up to one."""
    wanted = {f"{prefix}round-{n}" for n in range(after + 1)} | {"target"}
    return {
        one.name: digest(one.data)
        for one in runner.store.steps.products(run_id)
        if one.name in wanted or "round-0/standing" in one.name
    }


def otherwise():
    """Return a second model, which writes other revisions and reviews."""
    plain = refine_script()
    return ScriptedModel(
        plain
        | {
            "revise": lambda r: plain["revise"](r) | {"problem": "As the second model sees it."},
            "review": lambda r: plain["review"](r) | {"summary": "The second model's review."},
        },
        "scripted:two",
    )


def paid(asked):
    return Counter(prompts_asked(asked))


def again(rounds, reviews):
    return Counter({"review": reviews, "revise": rounds, "verdict": rounds})


@pytest.mark.parametrize("after", range(ROUNDS + 1))
@pytest.mark.parametrize(
    "what",
    [
        "nothing",
        "wish",
        "rewritten",
        "indicator",
        "variant",
        "patience",
        "generator",
        "optimizer",
        "discriminator",
        "all models",
    ],
)
def test_a_branch_from_any_round_shares_what_came_before_and_pays_for_what_changed(
    tmp_path, after, what
):
    runner, model, run = parent(tmp_path)
    other = runner.workshop.named["scripted:two"] = otherwise()
    change = {
        "nothing": {},
        "wish": {"wishes": [Wish(text="More naps.", by="Ada")]},
        "rewritten": {"wishes": [Wish(idea=MINE, of=after, by="Ada")]},
        "indicator": {"play": played("infal", (FEASIBILITY,), ROUNDS, 2)},
        "variant": {"play": played("review-rebuttal", (NOVELTY,), ROUNDS, 2)},
        "patience": {"play": played("infal", (NOVELTY,), ROUNDS, 1)},
        "all models": {"models": dict.fromkeys(ACTORS, "scripted:two")},
        **{
            actor: {"models": {actor: "scripted:two"}}
            for actor in ("generator", "optimizer", "discriminator")
        },
    }[what]
    made = branched(runner, run, after, **change)
    assert shown(runner, made.id, after) == shown(runner, run.id, after)
    rounds = Story.of(runner.store, made.id).all(Round)
    assert [one.n for one in rounds] == list(range(1, after + ROUNDS + 1)), (
        "as many rounds more as the rules say"
    )
    fresh, left, open_end = (
        ROUNDS,
        ROUNDS - after,
        after == ROUNDS,
    )  # Version 3 was the parent's last: nobody reviewed it.
    expected = {
        **dict.fromkeys(("nothing", "patience"), again(after, after)),
        "discriminator": again(after, after) + Counter(verdict=left),
        **dict.fromkeys(("wish", "rewritten", "generator"), again(fresh, fresh - 1 + open_end)),
    }.get(what, again(fresh, fresh))
    assert paid(model) + paid(other) == +expected
    if what in ACTORS:
        theirs = {"generator": "revise", "optimizer": "review", "discriminator": "verdict"}[what]
        assert set(prompts_asked(other)) == {theirs}
    if what == "all models":
        assert model.requests == []


@pytest.mark.parametrize("after", range(ROUNDS + 1))
def test_the_quality_the_variant_and_the_wish_hold_from_the_branch_on(tmp_path, after):
    runner, model, run = parent(tmp_path)
    made = branched(
        runner,
        run,
        after,
        play=played("review-rebuttal", (FEASIBILITY,), 2, 2),
        wishes=[Wish(text="More naps.", by="Ada")],
    )
    rounds = Story.of(runner.store, made.id).all(Round)
    assert [one.goal for one in rounds] == ["novelty"] * after + ["feasibility"] * 2
    assert [len(one.wishes) for one in rounds] == [0] * after + [1, 0]
    assert {request.values["goal"].name for request in model.requests} == {"feasibility"}
    assert all(
        request.values["review"] is None
        for request in model.requests
        if request.prompt == "verdict"
    )


def test_a_patience_that_had_been_met_ends_the_branch_at_once_and_costs_nothing(tmp_path):
    runner, model, run = parent(tmp_path, [Y, N, Y, N, N], rounds=10)
    made = branched(runner, run, 1, play=played("infal", (NOVELTY,), 10, 1))
    line = Story.of(runner.store, made.id).lines[0]
    assert (line.outcome.round, line.outcome.converged, model.requests) == (2, True, [])


def test_a_converged_run_goes_on_from_its_end_and_counts_quiet_verdicts_anew(tmp_path):
    runner, model, run = parent(tmp_path, [Y, N, N], rounds=10)
    made = branched(runner, run, 3)
    line = Story.of(runner.store, made.id).lines[0]
    assert [one.quiet for one in line.rounds] == [0, 1, 2, 1, 2]
    assert (line.outcome.round, line.outcome.converged) == (5, True)
    assert paid(model) == again(2, 2), (
        "the review of version 3 was written beside the verdict that ended the parent"
    )
    assert shown(runner, made.id, 3) == shown(runner, run.id, 3)


def test_a_branch_of_a_branch_shares_with_both(tmp_path):
    runner, model, run = parent(tmp_path)
    first = branched(runner, run, 2, play=played("infal", (FEASIBILITY,), 2, 2))
    model.requests.clear()
    second = branched(runner, first, 3, play=played("review-rebuttal", (NOVELTY,), 2, 2))
    assert shown(runner, second.id, 2) == shown(runner, run.id, 2)
    assert shown(runner, second.id, 3) == shown(runner, first.id, 3)
    assert [one.goal for one in Story.of(runner.store, second.id).all(Round)] == [
        "novelty",
        "novelty",
        "feasibility",
        "novelty",
        "novelty",
    ]
    assert paid(model) == again(2, 2)
    assert [leg.upto for leg in RefineInputs.model_validate(second.config.inputs).earlier] == [2, 3]
    third = branched(runner, second, 1, wishes=[Wish(text="More naps.", by="Ada")])
    assert [leg.upto for leg in RefineInputs.model_validate(third.config.inputs).earlier] == [1], (
        "what comes after the branch is forgotten"
    )
    assert shown(runner, third.id, 1) == shown(runner, run.id, 1)


def test_a_parents_wish_stays_in_the_round_that_took_it(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, k=0)
    runner.store.answers.wish(run.id, Wish(text="More naps.", by="Ada"))
    runner.work(run.id)
    made = branched(runner, run, 1, wishes=[Wish(text="Fewer naps.", by="Bob")])
    assert [
        [one.text for one in each.wishes] for each in Story.of(runner.store, made.id).all(Round)
    ] == [["More naps."], ["Fewer naps."], []]


@pytest.mark.parametrize("line", [1, 2, 3])
def test_one_of_several_ideas_goes_on_and_the_others_are_left_alone(tmp_path, line):
    runner, model, run = parent(tmp_path, lines=3, rounds=2)
    made = branched(runner, run, 1, line=line, wishes=[Wish(text="More naps.", by="Ada")])
    lines = Story.of(runner.store, made.id).lines
    assert [one.n for one in lines] == [line]
    assert shown(runner, made.id, 1, f"idea-{line}/") == shown(runner, run.id, 1, f"idea-{line}/")
    assert len(lines[0].rounds[1].wishes) == 1
    assert paid(model) == again(2, 1)
    assert {step.key.split("/")[0] for step in runner.store.steps.of(made.id)} == {f"idea-{line}"}


def test_shared_rounds_keep_their_standings_where_the_branch_plays_for_another_quality(tmp_path):
    runner, model, run = parent(tmp_path, target=MINE, rounds=2)
    made = branched(runner, run, 1, play=played("infal", (FEASIBILITY,), 1, 2))
    assert shown(runner, made.id, 1) == shown(runner, run.id, 1)
    assert len(shown(runner, made.id, 1)) == 4
    rounds = Story.of(runner.store, made.id).all(Round)
    assert [[one.goal for one in each.standings] for each in rounds] == [
        ["novelty"],
        ["novelty", "feasibility"],
    ]
    assert paid(model)["rank"] == 8, "four for each quality the new version is ranked by"


@pytest.mark.parametrize("order", ["one after the other", "taking turns"])
def test_a_game_of_several_qualities_is_branched_with_its_effects_as_they_were(tmp_path, order):
    runner, _, run = parent(tmp_path, goals=(NOVELTY, FEASIBILITY), order=order, rounds=2)
    made = branched(runner, run, 1, play=played("infal", (FEASIBILITY,), 2, 2))
    assert shown(runner, made.id, 1) == shown(runner, run.id, 1)
    rounds = Story.of(runner.store, made.id).all(Round)
    assert [(one.goal, len(one.effects)) for one in rounds] == [
        ("novelty", 1),
        ("feasibility", 0),
        ("feasibility", 0),
    ]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("self-reflection", "infal"),
        ("infal", "self-reflection"),
        ("no-optimizer", "infal"),
        ("infal", "no-optimizer"),
        ("infal", "no-discriminator"),
    ],
)
def test_a_branch_may_play_another_variant(tmp_path, before, now):
    runner, _, run = parent(tmp_path, variant=before, rounds=2, patience=1)
    made = branched(runner, run, 1, play=played(now, (NOVELTY,), 2, 1))
    assert shown(runner, made.id, 1) == shown(runner, run.id, 1)
    rounds = Story.of(runner.store, made.id).all(Round)
    assert len(rounds) == 3
    assert [one.review is None for one in rounds[1:]] == [now == "no-optimizer"] * 2


def test_self_reflection_on_another_quality_criticises_the_version_it_starts_from_anew(tmp_path):
    runner, model, run = parent(tmp_path, variant="self-reflection", rounds=2, patience=1)
    made = branched(runner, run, 1, play=played("self-reflection", (FEASIBILITY,), 1, 1))
    assert shown(runner, made.id, 1) == shown(runner, run.id, 1)
    assert [(request.prompt, request.values["goal"].name) for request in model.requests] == [
        ("self-review", "feasibility"),
        ("revise", "feasibility"),
        ("reflect", "feasibility"),
    ]


def test_the_initial_idea_can_be_refined_in_a_branch(tmp_path):
    runner, model, run = parent(tmp_path, variant="initial", idea=None)
    made = branched(runner, run, 0, play=played("infal", (NOVELTY,), 1, 1))
    assert shown(runner, made.id, 0) == shown(runner, run.id, 0)
    assert paid(model) == again(1, 1)


@pytest.mark.parametrize(("after", "line"), [(5, 1), (-1, 1), (0, 2)])
def test_a_round_that_is_not_there_cannot_be_branched_from(tmp_path, after, line):
    runner, _, run = parent(tmp_path)
    with pytest.raises(BadInput, match=f"no round {after}"):
        branch(runner, run.id, after, line=line)


def test_only_refinements_have_rounds_to_branch_from(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    with pytest.raises(BadInput, match="no refinement"):
        branch(runner, chain(runner).id, 0)


def test_the_parent_stays_as_it_was(tmp_path):
    runner, _, run = parent(tmp_path)
    before = (
        runner.store.runs.get(run.id),
        runner.store.steps.of(run.id),
        runner.store.steps.products(run.id),
    )
    branched(runner, run, 2, wishes=[Wish(idea=FIRST, of=2, by="Ada")])
    assert (
        runner.store.runs.get(run.id),
        runner.store.steps.of(run.id),
        runner.store.steps.products(run.id),
    ) == before
