"""What an estimate says a run takes at most is never passed, whatever the models say; and what
comes on top is said.
"""

import random
from collections import Counter

import pytest

from core.methods import BaselineInputs, ChainInputs
from core.methods.criteria import criteria
from core.methods.presets import FEASIBILITY, NOVELTY
from core.methods.target_dataset import TargetInputs
from core.models.asking import TRIES, most_calls
from core.records import Idea, Paper, Stopping, digest
from core.runs.estimates import again, at_most, estimate, of_matrix, of_run, paused, worded
from tests.conftest import SmallSource
from tests.support import stored, sweep_kit
from tests.support.scripted import (
    LINES,
    baseline_script,
    chain,
    chain_script,
    configured,
    refine_script,
    refinement,
    runner_of,
)

TARGET = Idea(form="headed", fields={"text": "# A target\n\nOn naps."})
YEARS = range(2012, 2026)
CHAINS = [
    {"branches": 1},
    {"branches": 1, "length": 2},
    {"branches": 3},
    {"branches": 2, "length": 8},
    {"branches": 4, "length": 6, "ideas": 3},
    {"branches": 2, "ideas": 2, "novelty_rounds": 2},
    {"branches": 1, "length": 1},
    {"length": 0, "novelty_rounds": 2},
    {"without": ("chain",)},
    {"branches": 2, "without": ("order", "entities")},
    {"branches": 3, "without": ("future",), "ideas": 2},
    {"branches": 2, "refinements": 3},
    {"branches": 2, "design": False, "full_text": False},
]


def dense() -> SmallSource:
    """Return papers of three lines, each citing all of the two years before: branches meet, and
    there is always another candidate.
    """
    papers = [
        Paper(
            id=f"{line}{year}",
            title=f"Sleep {line} study {year}",
            year=year,
            published=f"{year}-05-01",
            citations=10,
            abstract=f"Sleep and {line} in athletes, part {year}.",
            source="shelf",
        )
        for line in LINES
        for year in YEARS
    ]
    return SmallSource(
        papers,
        {
            one.id: [other.id for other in papers if one.year - other.year in (1, 2)]
            for one in papers
        },
    )


def contrary(seed: int, relevant: float, known: float) -> dict:
    """Return what a model says that decides by its mood: how often a paper bears on the topic, and
    how often an idea is known.
    """

    def mood(request, share: float) -> bool:
        return random.Random(f"{seed} {digest([request.text])}").random() < share

    return chain_script() | {
        "queries": lambda _: {"queries": list(LINES)},
        "relevance": lambda r: {"relevant": mood(r, relevant), "reason": "It says so."},
        "choose-reference": lambda r: {
            "id": random.Random(f"{seed} {r.text[-99:]}").choice(r.values["references"]).id,
            "reason": "It does.",
        },
        "novelty-verdict": lambda r: {
            "similar": mood(r, known),
            "nearest": r.values["papers"][0].id,
            "overlap": "All of it.",
            "reason": "Compared.",
        },
        "future": lambda r: {
            "candidates": [
                {"direction": f"Direction {len(r.values['taken'])} {n}", "reasoning": "It follows."}
                for n in range(5)
            ]
        },
    }


def asked_once(model) -> Counter[str]:
    """Return how many answers were asked for by prompt, what is asked again for the same answer
    counting once.
    """
    return Counter(request.prompt for request in model.requests if not request.corrections)


@pytest.mark.parametrize("asked", CHAINS, ids=str)
@pytest.mark.parametrize(
    "moods", [(1, 1.0, 1.0), (2, 0.4, 1.0), (3, 0.3, 0.5), (4, 0.7, 1.0)], ids=str
)
def test_a_chain_never_asks_more_than_it_was_said_to_take_at_most(tmp_path, asked, moods):
    runner, model = runner_of(tmp_path, contrary(*moods), dense())
    run = chain(runner, **({"topic": "sleep 2018"} | asked))
    runner.work(run.id)
    bound, guess = at_most("chain", run.config.inputs), of_run(run)
    assert {
        prompt: (n, bound[prompt]) for prompt, n in asked_once(model).items() if n > bound[prompt]
    } == {}
    assert runner.store.runs.get(run.id).calls <= guess.most


def test_more_than_the_usual_is_really_asked(tmp_path):
    """The case that was seen: an estimate that bounds nothing."""
    runner, model = runner_of(tmp_path, contrary(4, 0.7, 1.0), dense())
    run = chain(runner, topic="sleep 2018", branches=3)
    runner.work(run.id)
    assert of_run(run).calls < len(model.requests) <= of_run(run).most


@pytest.mark.parametrize("method", ["chain", "refine", "rag"])
def test_answers_that_have_to_be_asked_again_stay_within_what_is_said_to_come_on_top(
    tmp_path, method
):
    script = (
        contrary(5, 1.0, 1.0)
        | (baseline_script() if method == "rag" else {})
        | (refine_script() if method == "refine" else {})
    )
    slow = {prompt: reluctant(says) for prompt, says in script.items()}
    runner, model = runner_of(tmp_path, slow, dense())
    run = {
        "chain": lambda: chain(runner, topic="sleep 2018"),
        "refine": lambda: refinement(runner),
        "rag": lambda: runner.begin(
            configured(runner, "rag", BaselineInputs(topic="sleep memory")), "A baseline"
        ),
    }[method]()
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    guess = of_run(run)
    assert len(model.requests) == runner.store.runs.get(run.id).calls > guess.calls
    assert len(model.requests) <= guess.most * most_calls(run.config.sampling.max_tokens)
    assert f"up to {most_calls(4_000)} calls for one" in worded(guess)


def reluctant(says):
    """Return what says nothing that can be used until it is asked for the last time."""
    return lambda request: "Nothing." if len(request.corrections) < TRIES - 1 else says(request)


def test_an_answer_is_cut_off_as_often_as_said_at_most():
    assert {room: most_calls(room) - TRIES for room in (64_000, 16_000, 4_000, 1_000, 64)} == {
        64_000: 0,
        16_000: 1,
        4_000: 2,
        1_000: 3,
        64: 5,
    }
    assert "cut off" in again()


@pytest.mark.parametrize(
    "asked",
    [
        {"lines": 3, "idea": None},
        {"lines": 2, "idea": None, "target": TARGET, "repeats": 3},
        {"goals": (NOVELTY, FEASIBILITY), "k": 4},
        {
            "variant": "self-reflection",
            "lines": 2,
            "idea": None,
            "target": TARGET,
            "goals": (NOVELTY, FEASIBILITY),
        },
        {"variant": "review-rebuttal"},
        {"variant": "no-optimizer", "target": TARGET, "same_form": False},
        {"variant": "initial", "lines": 4, "idea": None, "rounds": None, "patience": None},
        {"variant": "no-discriminator", "rounds": None, "target": TARGET},
        {"printed": True, "patience": 1, "lines": 2, "idea": None},
    ],
    ids=str,
)
@pytest.mark.parametrize("verdicts", [(True,), (False,), (True, False, True)], ids=str)
def test_a_refinement_never_asks_more_than_estimated(tmp_path, asked, verdicts):
    runner, model = runner_of(tmp_path, refine_script(verdicts))
    run = refinement(runner, **({"rounds": 4} | asked))
    runner.work(run.id)
    assert sum(asked_once(model).values()) <= of_run(run).most == of_run(run).calls


@pytest.mark.parametrize(
    "asked",
    [
        {"methods": ("initial", "infal", "self-reflection", "no-discriminator")},
        {"methods": ("infal", "direct"), "every_round": True, "judges": ()},
        {"methods": ("chain", "rag", "direct"), "n": 2, "repeats": 3},
        {
            "methods": ("infal", "no-optimizer"),
            "indicators": (NOVELTY, FEASIBILITY),
            "every_round": True,
        },
        {
            "methods": ("direct", "chain"),
            "same_form": False,
            "judges": ("scripted:judge", "scripted:other"),
        },
    ],
    ids=str,
)
def test_an_experiment_never_asks_more_than_its_runs_are_said_to_take(tmp_path, asked):
    runner, models = sweep_kit.runner_of(tmp_path, contrary(6, 0.5, 1.0))
    run = sweep_kit.experiment(runner, rules=Stopping(max_rounds=2, patience=2), **asked)
    runner.work(run.id)
    assert 0 < sum(sum(asked_once(model).values()) for model in models.values()) <= of_run(run).most


def test_runs_of_every_kind_that_were_stored_took_no_more_than_the_bound(tmp_path):
    for edition in ("edition-1", "edition-2"):
        with stored.opened(edition, tmp_path / edition) as (runner, _, known):
            for kind in stored.KINDS:
                run = runner.store.runs.get(known[kind]["ended"])
                calls = (
                    runner.store.runs.spent(run.id)["calls"] if kind == "experiment" else run.calls
                )
                guess = of_run(run)
                assert 0 < calls <= (guess.most or 0), (edition, kind)


# -- in words ----------------------------------------------------------------------------------

MODELS = dict.fromkeys(("main", "cheap"), "openai:gpt-4.1-mini")


def test_words_say_a_bound_a_usual_number_or_that_there_is_no_bound():
    direct = estimate("direct", BaselineInputs(topic="t").model_dump(mode="json"), MODELS)
    assert worded(direct).startswith("at most 2 model calls, ")
    grown = estimate("chain", ChainInputs(topic="t").model_dump(mode="json"), MODELS)
    assert worded(grown).startswith(f"usually 61 model calls, at most {grown.most}, ")
    gathered = estimate(
        "target-dataset",
        TargetInputs(topic="t", criteria=criteria(())).model_dump(mode="json"),
        MODELS,
    )
    assert gathered.most is None
    assert f"about {gathered.calls} model calls, with no upper bound" in worded(gathered)


def test_a_cap_that_would_pause_the_run_is_named():
    guess = estimate("chain", ChainInputs(topic="t").model_dump(mode="json"), MODELS)
    assert (
        paused(guess, guess.tokens - 1)
        == f"This is more than the cap of {guess.tokens - 1:,} tokens: the run will pause there and"
        " ask."
    )
    assert "may pause at the cap" in paused(guess, guess.tokens + 1)
    assert "the run will pause" in paused(guess, None, 0.01)
    assert paused(guess, 50_000_000, 100.0) == ""


def test_a_server_that_reports_no_usage_is_reckoned_with(tmp_path):
    """155 answers of 800 tokens are 124,000; unreported, each counts with all its reply may
    have.
    """
    runner, _ = sweep_kit.runner_of(tmp_path)
    guess = of_matrix(
        sweep_kit.asked(
            runner, methods=("direct",), n=8, judges=(), targets=sweep_kit.frozen(runner.store, 30)
        )
    )
    assert guess.tokens < 1_000_000 < guess.unreported
    assert "does not report how many tokens" in paused(
        guess.model_copy(update={"most_tokens": guess.tokens}), 1_000_000
    )
