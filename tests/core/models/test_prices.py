"""Costs: from the price list, and unknown where it knows nothing."""

import pytest

from core.models.prices import estimate, expected_tokens, price
from core.models.reach import SUGGESTED
from tests.support.model_kit import asked


def test_a_listed_model_costs_what_the_list_says():
    assert price("openai:gpt-4.1-mini", 1_000_000, 0) == pytest.approx(0.40)
    assert price("openai:gpt-4.1-mini", 0, 1_000_000) == pytest.approx(1.60)


def test_what_the_server_had_kept_costs_less_and_never_more_than_was_read():
    whole, half, kept = (price("openai:gpt-4.1-mini", 1_000_000, 0, n) for n in (0, 500_000, None))
    assert (half, kept) == (pytest.approx(0.25), whole)
    assert price("openai:gpt-4.1-mini", 10, 0, 10**6) == price("openai:gpt-4.1-mini", 10, 0, 10)


@pytest.mark.parametrize(
    "name", ["openai:no-such-model", "ollama:llama3.2", "ollama:gpt-4.1-mini", "nobody:x"]
)
def test_an_unknown_price_is_unknown_not_nothing(name):
    assert price(name, 1_000, 1_000) is None


def test_an_unknown_usage_has_an_unknown_price():
    assert price("openai:gpt-4.1-mini", None, 10) is None


def test_the_builtin_model_is_free():
    assert price("builtin", None, None) == 0.0


@pytest.mark.parametrize(("provider", "names"), SUGGESTED.items())
def test_every_suggested_model_is_on_the_price_list_and_the_cheap_one_is_cheaper(provider, names):
    main, cheap = (price(f"{provider}:{name}", 10_000, 1_000) for name in names)
    assert 0 < cheap < main


def test_an_estimate_covers_the_prompt_and_the_longest_answer():
    request = asked(text="word " * 3_000)
    tokens_in, tokens_out = expected_tokens(request)
    assert 3_000 < tokens_in < 10_000
    assert tokens_out == 4_000
    assert estimate("openai:gpt-4.1-mini", request) == price(
        "openai:gpt-4.1-mini", tokens_in, tokens_out
    )
    assert estimate("openai:test-model", request) is None
