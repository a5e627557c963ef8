"""Estimated energy and emissions of a benchmark by model and role, by EcoLogits: from a model's
size and the tokens it wrote; never measured.
"""

import csv
import logging
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from core.benchmark.figures.drawing import ROLES
from core.records import BenchKind, BenchUsage, Record, Table, Value
from core.tables.cells import tabulated

ZONE = "WOR"
"""The electricity mix emissions are computed with: the world's, since nobody says where a server
stands.
"""
VENDORS = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google_genai",
    "models": "google_genai",
    "mistralai": "mistralai",
    "cohere": "cohere",
}
"""Vendors as OpenRouter and others write them before a name, and as EcoLogits calls them; Google
itself writes `models`.
"""
DATE = re.compile(r"[-@](20\d\d-(0[1-9]|1[0-2])-\d\d|20\d\d(0[1-9]|1[0-2])\d\d)$")
"""A whole date at the end of a name."""
COARSE = {
    "model-arch-not-released": "its size is a guess",
    "model-arch-multimodal": "it reads more than text, which the estimate leaves out",
}
"""What EcoLogits warns of, by its codes."""
NOTE = (
    "Estimated with EcoLogits from each model's size (often a guess, where its maker has not"
    " published it) and the tokens it wrote; never measured. Emissions are for the world's mean"
    " electricity mix and include a share of making the hardware. “Estimated as” names the model"
    " whose size was taken: a name without its date where that day's is not known. The published"
    " table 4 was made with the same tool at an earlier state, with other sizes and another"
    " electricity mix: compare orders of magnitude, not figures."
)


class Energy(Record):
    """What one model in one role took, as a range of estimates; nothing where it cannot be
    estimated, and why.
    """

    model: str
    role: BenchKind
    calls: int
    tokens_out: int
    """Tokens its server reported."""
    known: bool
    taken_as: str = ""
    """The model of EcoLogits, as `provider:name`, whose size the estimate rests on."""
    kwh_low: float | None = None
    kwh_high: float | None = None
    kg_low: float | None = None
    """kg of CO2 equivalents."""
    kg_high: float | None = None
    why: str = ""
    """Why nothing is known, or what makes the estimate coarse."""


class EnergyTotal(NamedTuple):
    """The sum of what could be estimated, in kWh and kg of CO2 equivalents; `left_out` rows could
    not.
    """

    kwh_low: float
    kwh_high: float
    kg_low: float
    kg_high: float
    counted: int
    left_out: int


def energy(usage: Sequence[BenchUsage]) -> tuple[Energy, ...]:
    """Estimate energy and emissions for each model in each role, refused and repeated answers
    included.

    The range is EcoLogits' own, from the range of the model's size. Where some tokens were not
    reported, its lower end is without them and its upper end counts the upper guess of them as
    written (Supplementary note 4 uses EcoLogits, too).
    """
    return tuple(map(_estimate, usage))


def whole(found: Iterable[Energy]) -> EnergyTotal:
    """Add up what could be estimated."""
    rows = list(found)
    kwh_low, kwh_high, kg_low, kg_high = (
        sum(getattr(one, name) or 0.0 for one in rows)
        for name in ("kwh_low", "kwh_high", "kg_low", "kg_high")
    )
    known = sum(one.known for one in rows)
    return EnergyTotal(kwh_low, kwh_high, kg_low, kg_high, known, len(rows) - known)


def table(found: Sequence[Energy]) -> Table:
    """Return the estimates as a table; the middle of a range with both its ends, or why there is
    none.
    """
    return tabulated(
        "energy",
        "Energy and emissions, estimated",
        found,
        {
            "Model": lambda one: one.model,
            "Role": lambda one: ROLES[one.role][0],
            "Calls": lambda one: one.calls,
            "Tokens written": lambda one: one.tokens_out,
            "kWh, estimated": lambda one: _range(one.kwh_low, one.kwh_high),
            "kg CO2eq, estimated": lambda one: _range(one.kg_low, one.kg_high),
            "Estimated as": lambda one: one.taken_as,
            "Note": lambda one: one.why,
        },
        note=NOTE,
    )


def _range(low: float | None, high: float | None) -> Value:
    if low is None or high is None:
        return Value(text="unknown")
    return Value(
        mean=(low + high) / 2,
        low=low,
        high=high,
        digits=6 if high < 0.01 else 4 if high < 1 else 2,
        note="Range of the estimate.",
    )


def _estimate(one: BenchUsage) -> Energy:
    found: dict[str, Any] = {"known": False}
    if one.model in ("builtin", "authored"):
        found["why"] = "not a language model; no estimate is made"
    elif not one.tokens_out:
        found["why"] = "its server did not report how many tokens it wrote"
    elif named := find_registered(one.model):
        found |= _range_of(one, *named)
    else:
        found["why"] = "EcoLogits does not know a model of this name"
    return Energy(
        model=one.model, role=one.role, calls=one.calls, tokens_out=one.tokens_out, **found
    )


def _range_of(one: BenchUsage, provider: str, name: str) -> dict[str, Any]:
    try:
        low = _impacts(provider, name, one, one.tokens_out)
        high = _impacts(provider, name, one, one.tokens_out + one.unreported)
    except Exception as error:
        # Whatever a library makes of odd counts, it costs this estimate and no table.
        why = f"EcoLogits could not estimate it ({type(error).__name__})"
        return {"why": f"{why}; its server's counts may be wrong"}
    notes = [note for code, note in COARSE.items() if code in low.coarse]
    if one.unreported:
        notes.append(
            f"some answers came without a count of tokens: the upper end takes {one.unreported:,}"
            " more as written"
        )
    return {
        "known": True,
        "taken_as": f"{provider}:{name}",
        "kwh_low": low.kwh[0],
        "kwh_high": high.kwh[1],
        "kg_low": low.kg[0],
        "kg_high": high.kg[1],
        "why": "; ".join(notes),
    }


class _Impacts(NamedTuple):
    kwh: tuple[float, float]
    kg: tuple[float, float]
    coarse: frozenset[str]
    """Codes of what EcoLogits warns of."""


def _impacts(provider: str, name: str, one: BenchUsage, tokens: int) -> _Impacts:
    """Estimate a mean call, and multiply; EcoLogits takes whole tokens, so between the two
    nearest.
    """
    few, part = divmod(tokens / one.calls, 1)
    seconds = one.seconds / one.calls
    found = [
        _ecologits().llm_impacts(provider, name, whole_tokens, seconds, ZONE)
        for whole_tokens in (int(few), int(few) + 1)
    ]
    shares = (one.calls * (1 - part), one.calls * part)
    return _Impacts(
        _ends([each.energy.value for each in found], shares),
        _ends([each.gwp.value for each in found], shares),
        frozenset(warning.code for warning in found[0].warnings or ()),
    )


def _ends(values: Sequence[Any], shares: Sequence[float]) -> tuple[float, float]:
    low = high = 0.0
    for value, share in zip(values, shares, strict=True):
        known = isinstance(value, int | float)
        low += share * (value if known else value.min)
        high += share * (value if known else value.max)
    return low, high


def find_registered(model: str) -> tuple[str, str] | None:
    """Return a model's provider and name as EcoLogits has them; None where it has none of that
    name.

    Let pass are letters' case, dots for hyphens (`claude-sonnet-4.5`), a vendor before the name
    (`anthropic/...`, `models/...`), what follows a colon at OpenRouter (`:free`), and, where
    EcoLogits has no model of that day, a whole date at the end (`-2026-03-17`, `-20260317`,
    `@20260317`): vendors date states of one model, and say a size otherwise. Shorter endings
    (`-2505`) stay: Mistral gives them to models of another size. Nothing else is guessed.
    """
    provider, _, name = model.partition(":")
    whole = name.partition(":")[0] if provider == "openrouter" else name
    vendor, _, own = whole.rpartition("/")
    maker = VENDORS.get(vendor, "") if vendor else provider
    for spelled in (str, _undate):
        for of, name in ((maker, own), ("huggingface_hub", whole)):
            if known := _registry().get((of, _spell(spelled(name)))):
                return known
    return None


def _undate(name: str) -> str:
    return DATE.sub("", name)


def _spell(name: str) -> str:
    return name.casefold().replace(".", "-")


@cache
def _registry() -> dict[tuple[str, str], tuple[str, str]]:
    """Return EcoLogits' models by provider and name in one spelling."""
    return {
        (one.provider.value, _spell(one.name)): (one.provider.value, one.name)
        for one in reversed(_ecologits().models.list_models())
    }


@cache
def _ecologits() -> Any:
    # It takes a third of a second to import, makes itself the class of every logger made later, and
    # writes to the log what is said here in `why`.
    usual = logging.getLoggerClass()
    from ecologits.tracers import utils

    logging.setLoggerClass(usual)
    logging.getLogger("ecologits").setLevel(logging.ERROR)
    return utils


# -- as published -------------------------------------------------------------------------------


PUBLISHED = Path(__file__).parents[3] / "assets" / "benchmark" / "table4_energy.csv"
TOTAL = "Total"
"""The last line of the table, which is no model."""


class PublishedEnergy(NamedTuple):
    """What one model took as published, in kWh and kg CO2eq; None where it was no judge."""

    model: str
    idea_kwh: float
    idea_kg: float
    judge_kwh: float | None
    judge_kg: float | None


def published_energies() -> tuple[PublishedEnergy, ...]:
    """Return the published energy of every model (supplementary table 4)."""

    def number(text: str) -> float | None:
        return float(text) if text.strip() else None

    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return tuple(
            PublishedEnergy(
                line["model"].strip(),
                float(line["idea_kwh"]),
                float(line["idea_kgco2eq"]),
                number(line["critic_kwh"]),
                number(line["critic_kgco2eq"]),
            )
            for line in csv.DictReader(file)
            if line["model"].strip() != TOTAL
        )
