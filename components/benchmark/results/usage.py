"""What did not become a judged idea, and what the rest took."""

import streamlit as st

from components.benchmark.results.found import figures
from components.benchmark.results.parts import chart, table
from components.runs import export as run_export
from components.shell.colours import ink
from components.shell.text import inline
from core.benchmark import energy, tables
from core.benchmark.findings import BenchFindings
from core.records import Run, Table

TOKENS = (
    "Tokens of refused and repeated answers count too. What a server did not report is not drawn;"
    " the table has an upper guess of it."
)
REFUSED = (
    "An idea is asked for once more, in another framing, when the first answer is a refusal. What"
    " is refused twice or too long is left out before anybody judges it. Failures are answers that"
    " never came or could not be used; they are in the table."
)


def refusals(run: Run, found: BenchFindings) -> None:
    """Draw refusals, overlong ideas and failures of each model."""
    key, file = f"bench:{run.id}", run_export.named(run)
    drawn = figures(found, "refusals", ink())
    if not any(one.refused or one.long for one in found.refusals):
        st.caption(":material/check: No idea was refused, and none was too long.")
    else:
        for one in drawn:
            chart(one, key, file, REFUSED, tabled=False)
    table(tables.refusals(found.refusals), f"{key}:refusals", file)


def usage(run: Run, found: BenchFindings) -> None:
    """Draw tokens, cost and estimated energy by model and role."""
    if run.parent:
        st.caption(
            inline(
                f"Of all its answers: what run {run.parent} took before this benchmark took its"
                " answers over is included."
            )
        )
    key, file = f"bench:{run.id}", run_export.named(run)
    drawn = figures(found, "usage", ink())
    estimates = energy.energy(found.usage) if not any(one.name == "energy" for one in drawn) else ()
    words = {
        "tokens": TOKENS,
        "cost": "Only calls of known price are drawn; an unknown price stays unknown in the table.",
    }
    for one in drawn:
        chart(one, key, file, words.get(one.name) or _summed(one.table), tabled=one.name != "cost")
    if found.usage and not any(one.name == "energy" for one in drawn):
        st.markdown("##### Energy, estimated")
        table(energy.table(estimates), f"{key}:energy", file)


def _summed(held: Table) -> str:
    """Say what the estimates come to, and how many rows have none."""
    column = held.head.index("kWh, estimated")
    known = [row[column] for row in held.rows if row[column].mean is not None]
    low, high = sum(one.low or 0.0 for one in known), sum(one.high or 0.0 for one in known)
    lacking = len(held.rows) - len(known)
    missing = (
        f" without {lacking} of {len(held.rows)} rows of the table, for which there is no estimate"
        if lacking
        else ""
    )
    return f"In all {low:.3g} to {high:.3g} kWh{missing}. {held.note}"
