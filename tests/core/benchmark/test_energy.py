"""Energy: a range that grows with what was written, unknown where it cannot be known, never 0 for
unknown.
"""

import logging
import subprocess
import sys

import pytest

from core.benchmark.results.energy import energy, find_registered, table, whole
from core.records import BenchUsage

FREE = {
    "calls": 10,
    "accepted": 9,
    "tokens_in": 1_000,
    "tokens_out": 5_000,
    "unreported": 0,
    "cost": 0.0,
    "unpriced": 10,
    "seconds": 50.0,
}


def used(model: str, role: str = "idea", **said: float) -> BenchUsage:
    return BenchUsage.model_validate({"model": model, "role": role, **FREE, **said})


def one(model: str, **said: float):
    return energy([used(model, **said)])[0]


def test_a_known_model_has_a_range_of_both():
    found = one("openai:gpt-4o")
    assert found.known
    assert 0 < found.kwh_low < found.kwh_high < 1
    assert 0 < found.kg_low < found.kg_high < 1
    assert "size is a guess" in found.why


def test_the_range_is_that_of_the_library():
    from ecologits.tracers.utils import llm_impacts

    once = llm_impacts("openai", "gpt-4o", 500, 5.0, "WOR")
    found = one("openai:gpt-4o")
    assert (found.kwh_low, found.kwh_high) == pytest.approx(
        (10 * once.energy.value.min, 10 * once.energy.value.max)
    )
    assert (found.kg_low, found.kg_high) == pytest.approx(
        (10 * once.gwp.value.min, 10 * once.gwp.value.max)
    )


def test_it_grows_with_what_was_written_also_by_parts_of_a_token_a_call():
    twice = one("openai:gpt-4o", tokens_out=10_000)
    assert twice.kwh_high == pytest.approx(2 * one("openai:gpt-4o").kwh_high, rel=0.1)
    ten, thirteen, twenty = (one("openai:gpt-4o", tokens_out=n).kwh_high for n in (10, 13, 20))
    assert thirteen == pytest.approx(0.7 * ten + 0.3 * twenty)
    assert ten < thirteen < twenty


@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("builtin", "not a language model"),
        ("openai:my-own", "does not know a model of this name"),
        ("ollama:llama3.1", "does not know a model of this name"),
        ("openrouter:nobody/gpt-4o", "does not know a model of this name"),
    ],
)
def test_what_is_not_known_is_unknown_and_not_nothing(model, why):
    found = one(model)
    assert not found.known
    assert why in found.why
    assert (found.kwh_low, found.kwh_high, found.kg_low, found.kg_high) == (None, None, None, None)


def test_tokens_nobody_reported_widen_the_range_upwards_only():
    plain, partly = one("openai:gpt-4o"), one("openai:gpt-4o", unreported=5_000)
    assert partly.kwh_low == plain.kwh_low
    assert partly.kwh_high > 1.5 * plain.kwh_high
    assert "5,000" in partly.why
    silent = one("openai:gpt-4o", tokens_out=0, unreported=5_000)
    assert not silent.known
    assert silent.kwh_high is None
    assert "did not report" in silent.why


def test_names_are_matched_exactly_but_for_spelling():
    assert find_registered("openrouter:anthropic/claude-sonnet-4.5:free") == (
        "anthropic",
        "claude-sonnet-4-5",
    )
    assert find_registered("openrouter:meta-llama/meta-llama-3.1-8b-instruct") == (
        "huggingface_hub",
        "meta-llama/Meta-Llama-3.1-8B-Instruct",
    )
    assert find_registered("google_genai:gemini-2.5-pro") == ("google_genai", "gemini-2.5-pro")
    assert find_registered("openai:anthropic/claude-sonnet-4.5") == find_registered(
        "anthropic:claude-sonnet-4-5"
    )
    assert find_registered("google_genai:models/gemini-2.5-pro") == (
        "google_genai",
        "gemini-2.5-pro",
    )
    assert find_registered("openai:gpt-4o-of-mine") is None


def test_a_date_at_the_end_is_left_off_only_where_that_day_s_model_is_not_known():
    assert find_registered("openai:gpt-4o-2024-08-06") == ("openai", "gpt-4o-2024-08-06")
    assert find_registered("openai:gpt-4.1-2031-12-01") == ("openai", "gpt-4.1")
    assert find_registered("openrouter:anthropic/claude-sonnet-4.6-20310115:free") == (
        "anthropic",
        "claude-sonnet-4-6",
    )
    assert find_registered("openrouter:openai/gpt-4.1-mini-2031-12-01") == (
        "openai",
        "gpt-4.1-mini",
    )
    assert (
        one("openai:gpt-4.1-2031-12-01").kwh_high
        == one("openai:gpt-4.1").kwh_high
        != one("openai:gpt-4.1-mini").kwh_high
    )
    # Mistral's four digits name other models, and a version or a size is no date.
    for name in (
        "openrouter:mistralai/mistral-medium-2505",
        "openai:gpt-4.1-2031",
        "openai:gpt-4.1-2031-13-01",
        "openai:gpt-4.1-20b",
        "openai:gpt-4.1-large",
    ):
        assert find_registered(name) is None, name


def test_the_sum_says_what_is_left_out():
    found = energy(
        [used("openai:gpt-4o"), used("anthropic:claude-sonnet-5", "judge"), used("builtin")]
    )
    total = whole(found)
    assert (total.counted, total.left_out) == (2, 1)
    assert total.kwh_high == pytest.approx(found[0].kwh_high + found[1].kwh_high)


def test_the_table_says_estimated_in_every_label_and_unknown_where_it_is():
    made = table(energy([used("openai:gpt-4o"), used("builtin")]))
    assert all("estimated" in heading for heading in made.head if heading.startswith(("kWh", "kg")))
    known, unknown = made.rows
    assert known[4].interval
    assert unknown[4].text == "unknown"
    assert unknown[4].mean is None
    assert (known[6].text, unknown[6].text, made.head[6]) == ("openai:gpt-4o", "", "Estimated as")
    assert "never measured" in made.note
    assert "world" in made.note


def test_nothing_is_imported_or_changed_before_somebody_asks():
    code = (
        "import sys, logging, core.benchmark.results.energy as e;"
        " assert 'ecologits' not in sys.modules;"
        " e.find_registered('openai:gpt-4o');"
        " assert logging.getLoggerClass() is logging.Logger;"
        " assert not {'openai', 'anthropic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert logging.getLogger("ecologits").level == logging.ERROR or "ecologits" not in sys.modules
