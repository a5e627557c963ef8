"""Sources against each other: every test of one criterion with its unit and n, and a warning where
a design does not meet the assumptions of a test.
"""

from collections.abc import Sequence

import streamlit as st

from components.sessions import figures
from components.shell.colours import ink
from components.shell.plots import tool_bar
from components.shell.text import inline
from core.agreement.contrasts import MIXED, OF_PAIRS, Contrast
from core.statistics.statistic import p_said, shown

UNMET = ":material/warning:"
MOST_BARS = 40
"""Differences that one chart holds."""


def draw(found: Sequence[Contrast], key: str) -> None:
    """Draw the tests of one criterion as a chart and a table, and what of their assumptions is not
    met.
    """
    if not found:
        return
    st.markdown("##### Sources compared")
    drawn = [one for one in found if one.difference is not None and one.low is not None]
    if 0 < len(drawn) <= MOST_BARS:
        st.plotly_chart(
            figures.contrasts(drawn, ink()), key=f"{key}:contrasts", config=tool_bar("contrasts")
        )
    given = [one for one in found if one.p is not None]
    if given:
        st.table([_row(one) for one in given], border="horizontal", hide_index=True)
    _mind(given)
    refused = dict.fromkeys(one.refused for one in found if one.refused)
    for reason in refused:
        tests = dict.fromkeys(
            f"{one.test} per {one.unit}, {one.one} less {one.other}"
            for one in found
            if one.refused == reason
        )
        more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
        names = "; ".join([*tests][:3])
        st.markdown(f":material/hourglass_empty: {inline(names, 300)}{more}: {inline(reason, 400)}")


def _mind(found: Sequence[Contrast]) -> None:
    """Say which tests' assumptions the design meets, and what those of others lack."""
    minds: dict[str, dict[str, None]] = {}
    for one in found:
        if one.mind:
            minds.setdefault(one.mind, {})[f"{one.test} per {one.unit}"] = None
    lines = [
        f"- {UNMET} **{inline(', '.join(tests), 200)}**: {inline(mind, 500)}"
        for mind, tests in minds.items()
    ]
    if lines:
        st.markdown(
            "These tests may find too much or too little here; the mixed model takes into account"
            " what reviews share.\n\n" + "\n".join(lines)
        )
    mixed = next((one for one in found if one.test == MIXED), None)
    if mixed:
        without = f" Left out: {'; '.join(mixed.left_out)}." if mixed.left_out else ""
        without += f" {mixed.caveat[:1].upper()}{mixed.caveat[1:]}." if mixed.caveat else ""
        st.caption(
            inline(
                f"Mixed model: {mixed.formula}, by restricted maximum likelihood, Satterthwaite's"
                f" degrees of freedom.{without}",
                1_000,
            )
        )


def _row(one: Contrast) -> dict[str, str]:
    statistic = f"t({one.df or 0.0:.1f}) = {shown(one.t or 0.0)}"
    if one.t is None:
        name = "W" if one.effect == "rank-biserial r" else "U"
        statistic = f"{name} = {one.ranks or 0.0:g}"
    n = str(one.n[0]) if one.test in OF_PAIRS else f"{one.n[0]} and {one.n[1]}"
    corrected = "" if one.corrected is None else _p(one.corrected)
    return {
        "Sources": f"{inline(one.one, 60)} less {inline(one.other, 60)}",
        "Test": f"{f'{UNMET} ' if one.mind else ''}{one.test}",
        "n": _firm(f"{n} {one.unit}s"),
        "Difference": _range(one.difference, one.low, one.high),
        "Statistic": _firm(statistic),
        "p": _p(one.p or 0.0),
        f"p, {one.correction}": corrected,
        "Effect": f"{one.effect} {_range(one.size, one.size_low, one.size_high)}",
    }


def _range(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return ""
    ends = "" if low is None or high is None else f" ({_firm(f'{shown(low)} to {shown(high)}')})"
    return f"{shown(value)}{ends}"


def _p(p: float) -> str:
    return _firm(p_said(p).removeprefix("p ").removeprefix("= "))


def _firm(text: str) -> str:
    """Return a text that is not broken at its spaces."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")
