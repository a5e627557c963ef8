"""What a run may take before it starts: the guess against runs as they went."""

from collections import Counter

import pytest

from core.methods import BaselineInputs, CandidateInputs, ChainInputs, Looking, RealInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea
from core.runs.branching import branch
from core.runs.estimates import estimate, of_run, plan
from core.runs.planning import played
from tests.conftest import make_run
from tests.support import shortlist_kit
from tests.support.scripted import (
    PAPERS,
    baseline_script,
    chain,
    configured,
    refine_script,
    refinement,
    runner_of,
    wide_script,
    wide_source,
)

PRICED = dict.fromkeys(("main", "cheap", "selector"), "openai:gpt-4.1-mini")
ASKED = (
    {},
    {"branches": 1},
    {"length": 3, "design": False},
    {"length": 0},
    {"length": 1},
    {"without": ("future", "chain", "entities")},
    {"full_text": False, "refinements": 2},
    {"branches": 2, "refinements": 0},
)


def of_chain(**inputs):
    return estimate("chain", ChainInputs(topic="t", **inputs).model_dump(mode="json"), PRICED)


def test_three_branches_of_five_with_one_round_of_each_loop_take_61_calls():
    assert of_chain(branches=3, length=5, novelty_rounds=1, refinements=1).calls == 61


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_chain_whose_first_candidates_are_taken_asks_each_prompt_as_often_as_estimated(
    tmp_path, asked
):
    runner, model = runner_of(tmp_path, wide_script(), wide_source())
    run = chain(runner, **({"topic": "sleep 2018", "branches": 3} | asked))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert (
        Counter(request.prompt for request in model.requests) == plan("chain", run.config.inputs)[0]
    )
    steps = runner.store.runs.get(run.id).steps
    assert steps <= of_run(run).steps <= 1.2 * steps


def test_given_anchors_save_their_search():
    assert of_chain(branches=3, anchors=tuple(PAPERS[:3])).calls == of_chain(branches=3).calls - 4
    assert of_chain(branches=3, anchors=tuple(PAPERS[:2])).calls == of_chain(branches=3).calls - 2


@pytest.mark.parametrize(("method", "calls"), [("rag", 3), ("direct", 2), ("real-paper", 1)])
def test_a_baseline_takes_as_many_calls_as_estimated(tmp_path, method, calls):
    runner, model = runner_of(tmp_path, baseline_script())
    inputs = (
        RealInputs(topic="t", paper=PAPERS[0])
        if method == "real-paper"
        else BaselineInputs(topic="sleep memory")
    )
    run = runner.begin(configured(runner, method, inputs), "A baseline")
    assert runner.work(run.id) in ("done", "waiting")
    assert len(model.requests) == of_run(run).calls == calls


def test_look_ups_and_methods_nobody_knows_are_estimated_without_failing(store):
    asked = CandidateInputs(topic="t", of=PAPERS[0], anchor=PAPERS[0], hop="forward")
    assert estimate("candidates", asked.model_dump(mode="json"), PRICED).calls == 3
    assert estimate("find", Looking(topic="t").model_dump(mode="json"), PRICED).calls == 0
    assert of_run(make_run(store)).calls == 0


def test_a_chain_of_the_first_version_is_estimated_as_one_branch_without_an_experiment():
    old = {
        "topic": "t",
        "length": 5,
        "milestone": 1000,
        "before": None,
        "ban": [],
        "novelty_rounds": 3,
    }
    assert (
        estimate("chain", old, {"main": "builtin", "cheap": "builtin"}).calls
        == of_chain(branches=1, design=False).calls
    )


def test_a_refinement_is_estimated_by_its_rounds(tmp_path):
    runner, _ = runner_of(tmp_path, {})
    assert of_run(refinement(runner, rounds=4)).calls == 12


TARGET = Idea(form="six-field", fields={name: f"target {name}" for name in FORMS["six-field"]})
TWO = (NOVELTY, FEASIBILITY)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"variant": "no-optimizer"},
        {"variant": "no-discriminator", "goals": TWO},
        {"variant": "self-reflection", "goals": TWO},
        {"goals": TWO},
        {"printed": True, "patience": 1},
        {"target": TARGET},
        {"target": TARGET, "goals": TWO, "lines": 2, "idea": None},
        {"target": TARGET, "same_form": False},
        {"variant": "initial", "idea": None, "target": TARGET, "rounds": None, "patience": None},
    ],
    ids=str,
)
def test_a_refinement_played_to_its_limit_asks_each_prompt_as_often_as_estimated(tmp_path, asked):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, **({"rounds": 3, "k": 0} | asked))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("refine", run.config.inputs)[0]
    )


@pytest.mark.parametrize(
    ("began", "goals", "line"),
    [
        ({}, (NOVELTY,), 1),
        ({"goals": TWO}, (NOVELTY,), 1),
        ({"variant": "self-reflection"}, TWO, 1),
        ({"target": TARGET}, (FEASIBILITY,), 1),
        ({"target": TARGET, "lines": 2, "idea": None}, (NOVELTY,), 2),
    ],
    ids=str,
)
def test_a_branch_is_estimated_to_pay_for_what_comes_after_the_rounds_it_shares(
    tmp_path, began, goals, line
):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, **({"rounds": 3, "k": 0} | began))
    assert runner.work(run.id) == "done"
    model.requests.clear()
    after = 3 * len(began.get("goals", (NOVELTY,)))
    made = branch(runner, run.id, after, played("infal", goals, 2, 2), line=line)
    assert runner.work(made.id) == "done"
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("refine", made.config.inputs)[0]
    )
    steps = runner.store.runs.get(made.id).steps
    assert steps <= of_run(made).steps <= 1.3 * steps


def test_full_texts_cost_tokens_and_the_built_in_model_none():
    assert of_chain(full_text=True).tokens > of_chain(full_text=False).tokens
    assert of_chain(full_text=True).cost > of_chain(full_text=False).cost > 0
    free = estimate(
        "chain", ChainInputs(topic="t").model_dump(mode="json"), dict.fromkeys(PRICED, "builtin")
    )
    assert (free.tokens, free.cost) == (0, 0.0)


def test_one_unknown_price_makes_the_whole_cost_unknown():
    models = PRICED | {"selector": "openai:nobody-knows-its-price"}
    assert estimate("chain", ChainInputs(topic="t").model_dump(mode="json"), models).cost is None
    assert estimate(
        "chain", ChainInputs(topic="t", branches=1).model_dump(mode="json"), models
    ).cost, "a role that is not asked costs nothing"


def test_a_shortlist_is_estimated_by_its_parts(tmp_path):
    runner, model = runner_of(tmp_path, shortlist_kit.shortlist_script(), wide_source())
    run = shortlist_kit.shortlist(runner)
    guess = of_run(run)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    asked = len(model.requests)
    assert asked <= guess.calls <= 1.6 * asked, (asked, guess.calls)
    assert guess.calls < guess.most
    own = {"branches": 0, "own": [shortlist_kit.own(name) for name in "abcdefghij"]}
    swiss = of_run(shortlist_kit.shortlist(runner, **own))
    # Ten ideas: six rounds of five pairs, each in both orders.
    fewer = of_run(shortlist_kit.shortlist(runner, **own, checklist=False, designs=0))
    assert swiss.calls - fewer.calls == 10 * 7 + 3
    assert swiss.steps < fewer.calls
