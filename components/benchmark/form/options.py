"""What else a benchmark is told: ideas, judges, lengths and sampling; calls at once; caps and seed.
Each folded away, with the paper's values set.
"""

from collections.abc import Iterable
from typing import Any

import streamlit as st

from components.runs.asking import cap_usd
from components.shell import services
from components.shell.text import inline
from core.benchmark.inputs import ASKED_WORDS, MOST_WORDS
from core.records import Sampling
from core.runs.workshop import DEFAULT_TOKENS
from core.store.benchmarks import lane_of

CAP = f"2 × estimate, at least {DEFAULT_TOKENS:,}"
"""What a cap on tokens is where nobody sets one."""


def rules(judges: int) -> tuple[dict[str, Any], Sampling]:
    """Draw ideas, judges and words, and how models are sampled, and return them; an idea has so
    many `judges` until somebody says otherwise.
    """
    if not st.session_state.get("bench:each:typed"):
        st.session_state["bench:each"] = judges
    with st.expander("More: ideas, judges, lengths, sampling", key="bench:more"):
        one, two = st.columns(2)
        ideas = one.number_input(
            "Ideas per keyword and model",
            1,
            10,
            2,
            key="bench:ideas",
            persist_state="session",
            help="The paper uses 2; all pairs are compared.",
        )
        each = two.number_input(
            "Judges per idea",
            1,
            10,
            key="bench:each",
            persist_state="session",
            on_change=st.session_state.update,
            args=({"bench:each:typed": True},),
            help="Drawn from the panel by the seed, never the idea's own model. The paper uses 3.",
        )
        asked = one.number_input(
            "Words an idea is asked to stay within",
            20,
            1_000,
            ASKED_WORDS,
            10,
            key="bench:asked",
            persist_state="session",
            help="The paper asks for 100.",
        )
        most = two.number_input(
            "Words above which it is excluded",
            20,
            2_000,
            MOST_WORDS,
            10,
            key="bench:most",
            persist_state="session",
            help="Before it is judged. The paper uses 200.",
        )
        sampling = _sampling(one, two)
    return {"ideas": ideas, "judges_each": each, "asked_words": asked, "most_words": most}, sampling


def _sampling(one: Any, two: Any) -> Sampling:
    usual = Sampling()
    warmth = one.number_input(
        "Temperature",
        0.0,
        2.0,
        usual.temperature,
        0.1,
        key="bench:temperature",
        persist_state="session",
        help=(
            "Of all models, judges too. The paper does not report its value. A model that takes no"
            " temperature is asked without one; Anthropic's take 1 at most."
        ),
    )
    tokens = two.number_input(
        "Tokens of an answer, at most",
        64,
        64_000,
        usual.max_tokens,
        500,
        key="bench:max-tokens",
        persist_state="session",
        help=(
            "An answer that is cut off there is refused and asked for again. Models that think"
            " first need thousands. The paper does not report its value."
        ),
    )
    return Sampling(temperature=round(warmth, 4), max_tokens=tokens)


def limits(names: Iterable[str]) -> dict[str, int]:
    """Draw how many calls the provider of each of these models gets at once, and return where that
    is fewer than the settings allow.
    """
    most, found = services.workshop().settings.calls, {}
    lanes = sorted({lane_of(name) for name in names} - {"builtin"})
    if lanes:
        with st.expander("Calls at once", key="bench:places"):
            for lane in lanes:
                found[lane] = st.number_input(
                    f"At once to {inline(lane)}",
                    1,
                    most,
                    most,
                    key=f"bench:limit:{lane}",
                    persist_state="session",
                )
            st.caption(
                f"At most {most}, as FOUNDRY_CALLS says; use fewer for a server with a low limit."
            )
    return {lane: n for lane, n in found.items() if n < most}


def frozen() -> dict[str, Any]:
    """Draw caps and seed, and return them."""
    with st.expander("Caps and seed", key="bench:caps"):
        usd = cap_usd("bench:usd", "Cap, $", step=1.0)
        tokens = st.number_input(
            "Cap, tokens",
            min_value=0,
            value=None,
            step=100_000,
            key="bench:tokens",
            placeholder=CAP,
            persist_state="session",
            help="At a cap the benchmark pauses. Raise the cap, and it goes on.",
        )
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=2**31 - 1,
            value=None,
            step=1,
            key="bench:seed",
            placeholder="drawn at the start, and recorded",
            persist_state="session",
            help="Judges are drawn by it; the same seed draws the same judges.",
        )
    return {"cap_usd": usd, "cap_tokens": tokens or None, "seed": seed}
