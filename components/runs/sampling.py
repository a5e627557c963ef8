"""How models are sampled, on a start form: temperature and reply length for those who write, read
and judge.
"""

from collections.abc import Sequence

import streamlit as st

from core.records import SAMPLINGS, Hand, Sampling

DOES: dict[Hand, str] = {"writer": "Writers", "reader": "Readers", "judge": "Judges"}
ABOUT: dict[Hand, str] = {
    "writer": "What writes, reviews and revises.",
    "reader": "What says what a paper or an idea says.",
    "judge": "What ranks, compares, scores and decides.",
}
ALIKE = (
    "At temperature 0 a judge says the same of the same text: repeated judgments then differ only"
    " because the order shown differs."
)
"""What a temperature of 0 means for repeats."""


def draw(page: str, hands: Sequence[Hand] = ("writer", "reader", "judge")) -> dict[Hand, Sampling]:
    """Draw temperature and length for each kind of call, folded away, and return them."""
    with st.expander("Temperature and reply length", icon=":material/thermostat:"):
        found = {hand: _one(page, hand) for hand in hands}
        if "judge" in hands:
            st.caption(ALIKE)
        st.caption(
            "A model that takes no temperature is asked without one. A reply that is cut off is"
            " asked for again with more room."
        )
    return found


def _one(page: str, hand: Hand) -> Sampling:
    usual = SAMPLINGS[hand]
    left, right = st.columns(2)
    temperature = left.number_input(
        f"{DOES[hand]}: temperature",
        0.0,
        2.0,
        usual.temperature,
        0.1,
        key=f"{page}:temperature-{hand}",
        persist_state="session",
        help=ABOUT[hand],
    )
    tokens = right.number_input(
        f"{DOES[hand]}: tokens of a reply",
        64,
        64_000,
        usual.max_tokens,
        500,
        key=f"{page}:tokens-{hand}",
        persist_state="session",
        help="At first; thoughts of a model that thinks count among them.",
    )
    return Sampling(temperature=round(temperature, 4), max_tokens=tokens)
