"""What a benchmark may take before it starts: counted, spread over the panel, priced where prices
are known, timed with what was measured.
"""

import pytest

from core.benchmark import BenchInputs
from core.benchmark.expected import SECONDS, TYPICAL, calls_by_model, earlier_usage, expected
from core.records import BenchUsage, Entrant, Panelist, Sampling
from core.runs.estimates import estimate
from core.store import Store
from tests.support.benchmark.bench_kit import settled_store

SHA = "0" * 64


def inputs(models=("x:a", "x:b"), judges=("y:c", "y:d", "y:e"), **more) -> BenchInputs:
    return BenchInputs(
        topic="t",
        keywords=SHA,
        **{
            "count": 10,
            "models": tuple(Entrant(model=one) for one in models),
            "judges": tuple(Panelist(model=one) for one in judges),
            **more,
        },
    )


def usage(model: str, role, calls: int, **more) -> BenchUsage:
    return BenchUsage(
        model=model,
        role=role,
        calls=calls,
        **{
            "accepted": calls,
            "tokens_in": 1_000 * calls,
            "tokens_out": 100 * calls,
            "unreported": 0,
            "cost": 0.0,
            "unpriced": 0,
            "seconds": 2.0 * calls,
            **more,
        },
    )


def test_the_full_sweep_of_the_paper_is_435_420_calls():
    whole = inputs(
        models=[f"x:{n}" for n in range(41)], judges=[f"y:{n}" for n in range(10)], count=1_180
    )
    assert expected(whole, Sampling()).calls == 435_420


@pytest.mark.parametrize(
    ("ideas", "each", "calls"), [(2, 3, 180), (1, 3, 80), (3, 2, 240), (2, 1, 100)]
)
def test_calls_follow_the_formula_with_all_pairs(ideas, each, calls):
    found = expected(inputs(ideas=ideas, judges_each=each), Sampling())
    assert found.calls == calls
    assert round(sum(one.calls for one in found.loads)) == calls


def test_without_judges_only_ideas_are_asked():
    found = expected(inputs(judges=()), Sampling())
    assert (found.calls, {one.role for one in found.loads}) == (40, {"idea"})
    assert found.tokens == 40 * sum(TYPICAL["idea"])


def test_judging_is_spread_evenly_over_those_that_may_judge_and_nobody_judges_itself():
    shares = calls_by_model(inputs(models=("x:a", "x:b"), judges=("x:a", "y:c", "y:d", "y:e")))
    # x:a writes and judges: its 60 judgments go to three others, those of x:b to all four.
    assert shares["x:a", "judge"] == pytest.approx(15)
    assert shares["y:c", "judge"] == pytest.approx(20 + 15)
    assert sum(n for (_, role), n in shares.items() if role == "judge") == pytest.approx(120)
    assert shares["x:a", "fluency"] == pytest.approx(2.5)


def test_an_unknown_price_stays_unknown_and_is_named():
    known = expected(
        inputs(("openai:gpt-4o",), ("openai:gpt-4o-mini", "openai:gpt-4.1", "openai:gpt-4.1-mini")),
        Sampling(),
    )
    assert known.cost is not None
    assert 0 < known.cost < 5
    mixed = expected(
        inputs(("openai:gpt-4o",), ("ollama:c", "openai:gpt-4.1", "openai:gpt-4.1-mini")),
        Sampling(),
    )
    assert mixed.cost is None
    assert mixed.unpriced == ("ollama:c",)


def test_the_built_in_model_takes_nothing_and_no_time():
    found = expected(inputs(("builtin",), ()), Sampling())
    assert (found.tokens, found.cost, found.hours) == (0, 0.0, 0.0)


def test_hours_are_those_of_the_provider_that_takes_longest_and_say_what_they_rest_on():
    # Providers work side by side: x writes 40 ideas, y gives 120 judgments and compares 20 pairs.
    found = expected(inputs(), Sampling(), places=10)
    assert found.hours * 3600 == pytest.approx(140 * SECONDS / 10)
    assert found.said == "10 calls at once for y, 6.0 s a call (assumed)"
    slower = expected(inputs(limits={"x": 1}), Sampling(), places=10)
    assert slower.hours * 3600 == pytest.approx(40 * SECONDS)
    assert slower.said == "1 call at once for x, 6.0 s a call (assumed)"


def test_a_limit_above_the_settings_is_no_faster():
    assert (
        expected(inputs(limits={"y": 500}), Sampling(), places=10).hours
        == expected(inputs(), Sampling(), places=10).hours
    )


def test_what_was_measured_of_a_model_is_taken_for_its_tokens_and_seconds():
    known = [usage(f"y:{name}", role, 10) for name in "cde" for role in ("judge", "fluency")]
    found = expected(inputs(), Sampling(), known, places=10)
    assert found.hours * 3600 == pytest.approx(140 * 2 / 10)
    assert "2.0 s a call (measured in earlier benchmarks)" in found.said
    assert found.tokens == 40 * sum(TYPICAL["idea"]) + 140 * 1_100
    assert "partly measured" in expected(inputs(), Sampling(), known[:1], places=10).said


def test_what_the_built_in_model_waited_for_once_is_not_taken_for_what_it_takes():
    found = expected(
        inputs(("builtin",), ()),
        Sampling(),
        [usage("builtin", "idea", 20, seconds=seconds) for seconds in (300.0, 10.0, 40.0)],
    )
    assert "0.5 s a call (measured in earlier benchmarks)" in found.said


def test_tokens_that_a_server_did_not_report_are_not_taken_for_measured():
    silent = [usage("y:c", "judge", 10, tokens_in=0, tokens_out=0, unreported=9_000)]
    assert expected(inputs(), Sampling(), silent).tokens == expected(inputs(), Sampling()).tokens


def test_usage_of_several_benchmarks_is_added_up(tmp_path):
    store = Store(tmp_path)
    for seed in (1, 2):
        settled_store(store, seed=seed)
    held = earlier_usage(store)
    assert len([one for one in held if (one.model, one.role) == ("openai:a", "idea")]) == 2
    found = expected(inputs(("openai:a",)), Sampling(), held)
    load = next(one for one in found.loads if one.role == "idea")
    assert (load.measured, load.seconds, load.tokens) == (True, pytest.approx(20 * 0.5), 20 * 450)


def test_the_estimate_of_a_run_is_this_one():
    found = estimate("bench", inputs().model_dump(mode="json"), {})
    assert (found.calls, found.steps) == (180, 180)
    assert found.tokens == expected(inputs(), Sampling()).tokens
