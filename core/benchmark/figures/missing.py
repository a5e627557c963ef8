"""Why a figure of a benchmark is not drawn: what there would have to be, as it stands."""

from collections.abc import Callable

from core.benchmark.findings import BenchFindings
from core.statistics.statistic import counted


def unjudged(found: BenchFindings) -> str:
    """Say why nothing is judged; empty where something is."""
    settled = {
        (kind, state): sum(one.n for one in found.counts if (one.kind, one.state) == (kind, state))
        for kind in ("idea", "judge")
        for state in ("done", "excluded", "failed")
    }
    if settled["judge", "done"]:
        return ""
    lost = ", ".join(
        f"{settled['idea', state]:,} {words}"
        for state, words in (("excluded", "refused twice or too long"), ("failed", "failed"))
        if settled["idea", state]
    )
    if not settled["idea", "done"]:
        return (
            f"No idea was accepted ({lost}), so that nothing is judged."
            if lost
            else "No idea is written yet."
        )
    judged = (
        f"{settled['judge', 'failed']:,} judgments failed"
        if settled["judge", "failed"]
        else "nobody has judged them"
    )
    return f"Of {counted(settled['idea', 'done'], 'idea')} none is judged: {judged}."


def _scored(found: BenchFindings) -> str:
    return unjudged(found) or "No model has this figure."


def _domains(found: BenchFindings) -> str:
    return unjudged(found) or "No keyword has all of a model's scores."


def _line(found: BenchFindings) -> str:
    why = unjudged(found) or next(
        (one.refused for one in found.lengths if one.refused), "No model's ideas differ in both."
    )
    return f"Length is not held against score. {why}"


def _reply(found: BenchFindings) -> str:
    if n := found.replies.unmeasured:
        why = (
            f"{counted(n, 'judged idea')} came before whole replies were measured and"
            f" {'is' if n == 1 else 'are'} not here."
        )
    else:
        why = unjudged(found) or next(
            (one.refused for one in found.replies.fits if one.refused),
            "No whole reply was measured.",
        )
    return f"Whole replies are not held against score. {why}"


def _thoughts(found: BenchFindings) -> str:
    return (
        unjudged(found) or "No model sent thoughts with its ideas: whole replies are answers alone."
    )


def _tokens(found: BenchFindings) -> str:
    if not found.usage:
        return "Nothing was asked yet."
    return (
        "No server reported how many tokens it wrote."
        if any(one.unreported for one in found.usage)
        else "No token was written."
    )


def _cost(found: BenchFindings) -> str:
    if not found.usage:
        return "Nothing was asked yet."
    return (
        "No call has a known price."
        if any(one.unpriced for one in found.usage)
        else "No call cost anything."
    )


def _energy(found: BenchFindings) -> str:
    return (
        "No energy can be estimated for these models." if found.usage else "Nothing was asked yet."
    )


def _judges(found: BenchFindings) -> str:
    return unjudged(found) or "Strictness needs ideas with two judgments or more."


def _agreement(found: BenchFindings) -> str:
    return unjudged(found) or next(
        (one.refused for one in found.agreement if one.refused),
        "Agreement needs ideas with two judgments or more.",
    )


def _proxy(found: BenchFindings) -> str:
    if not any(one.kind == "fluency" and one.state == "done" for one in found.counts):
        return "No two ideas for one keyword were compared: fluency takes two ideas by one model."
    if not found.proxies:
        return "The proxy of fluency was not computed; Results, Fluency proxy, computes it."
    return "No model has both judged fluency and its proxy."


REASONS: dict[str, Callable[[BenchFindings], str]] = {
    "leaderboard": _scored,
    "trade-off": _scored,
    "by-domain": _domains,
    "scores": _scored,
    "clarity": _scored,
    "length-and-score": _line,
    "words": lambda _: "No idea was accepted.",
    "reply-and-score": _reply,
    "reply-density": _thoughts,
    "general-ranking": lambda _: (
        "No general ranking was brought to hold the averages against: Results, General ranking,"
        " takes one."
    ),
    "refusals": lambda _: "No idea was answered yet.",
    "tokens": _tokens,
    "cost": _cost,
    "energy": _energy,
    "judges": _judges,
    "agreement": _agreement,
    "fluency-proxy": _proxy,
}
"""By the name of the figure."""
