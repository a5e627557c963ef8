"""An estimate in words: what a run usually takes, what bounds it, what comes on top, and which cap
would pause it.
"""

from core.models.asking import most_calls
from core.runs.estimates import REPLY, Estimate

UNKNOWN_PRICE = "price unknown, so a cap on tokens holds"


def worded(guess: Estimate) -> str:
    """Say what an estimate comes to, and how far it is a bound."""
    dollars = f"about ${guess.cost:,.2f}" if guess.cost is not None else UNKNOWN_PRICE
    return f"{_calls(guess)}, about {guess.tokens:,} tokens, {dollars}. {again()}"


def again(reply: int = REPLY) -> str:
    """Say what no estimate holds: answers that have to be asked for again."""
    return (
        "What has to be asked again comes on top: an answer that cannot be used or is cut off, up"
        f" to {most_calls(reply)} calls for one, and one lost with the connection."
    )


def paused(guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None) -> str:
    """Say whether a cap would pause a run that takes what is estimated; empty where none would."""
    if cap_tokens and guess.tokens > cap_tokens:
        return (
            f"This is more than the cap of {cap_tokens:,} tokens: the run will pause there and ask."
        )
    if cap_usd and guess.cost is not None and guess.cost > cap_usd:
        return f"This is more than the cap of ${cap_usd:,.2f}: the run will pause there and ask."
    if cap_tokens and guess.most_tokens and guess.most_tokens > cap_tokens:
        return (
            f"At most it would take some {guess.most_tokens:,} tokens: the run may pause at the cap"
            f" of {cap_tokens:,} and ask."
        )
    if cap_tokens and guess.unreported > cap_tokens:
        return (
            "With a server that does not report how many tokens a call took, some"
            f" {guess.unreported:,} count against the cap of {cap_tokens:,} tokens: the run may"
            " pause there and ask."
        )
    return ""


def _calls(guess: Estimate) -> str:
    noun = "model call" if guess.calls == 1 else "model calls"
    if guess.most is None:
        return (
            f"about {guess.calls:,} {noun}, with no upper bound: what turns out to be of no use is"
            " followed by more"
        )
    if guess.most <= guess.calls:
        return f"at most {guess.calls:,} {noun}"
    return f"usually {guess.calls:,} {noun}, at most {guess.most:,}"
