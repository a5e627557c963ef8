"""How far a benchmark is: what is done, running, failed, excluded and left, model by model; what it
takes; what was lost and why.
"""

from collections import defaultdict
from collections.abc import Sequence

import streamlit as st

from components.benchmark import extend, progress_charts, progress_lost
from components.benchmark.words import KINDS, STATES, badges, duration
from components.runs.states import active
from components.shell import cached, services
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.conducting.doing import CALLS
from core.benchmark.conducting.kept import to_take_in
from core.benchmark.figures.drawing import clear
from core.benchmark.progress import BenchProgress, ProgressPart, progress
from core.records import Run
from core.store.bench_sums import DomainSums

ROW = 35
"""Height of a row in pixels."""


def draw(run: Run) -> None:
    """Draw all there is of it; what comes and grows while it runs stands below what people watch,
    so that this stays where it is.
    """
    found = progress(services.store(), run, domains=domains(run))
    _ahead(run, found)
    st.markdown("##### By model")
    _table(found)
    progress_lost.draw(run, found)
    progress_charts.draw(run, found)
    if not active(run):
        extend.draw(run)


def domains(run: Run) -> list[DomainSums] | None:
    """Return the sums by domain of a benchmark that rests; those of one at work change from one
    look to the next.
    """
    if active(run):
        return None
    store = services.store()
    ideas = run.inputs_as(BenchInputs).ideas
    return cached.bench_domains(
        str(store.folder), run.id, ideas, store.benchmarks.sums.stamp(run.id)
    )


def _ahead(run: Run, found: BenchProgress) -> None:
    # What is not whole is never said to be.
    percent = f"{min(found.share, 0.999):.1%}" if found.share < 1 else "100%"
    st.progress(
        min(found.share, 1.0),
        text=f"{percent} of the answers done. {_left(run, found)}",
    )
    for kind, name in KINDS.items():
        if found.total("planned", kind):
            label, counts = st.columns([1, 4], gap="small", vertical_alignment="center")
            label.markdown(f"**{name}**")
            counts.markdown(badges(found, kind))
    usd, tokens = services.store().runs.caps(run.id)
    pace, went = found.pace, run.tokens_in + run.tokens_out
    # Always the same four places, so that nothing jumps when work begins or ends.
    one, two, three, four = st.columns(4)
    one.metric(
        "In progress",
        f"{found.total('running'):,}" if active(run) else "none",
        help=(
            "Calls in flight, and at most as many again that wait for a free place. A kill of the"
            " program loses those in flight only; they stand in the account as calls that may have"
            " been paid."
        ),
    )
    two.metric(
        "Calls a minute",
        f"{pace.a_minute:,.0f}" if active(run) and pace.a_minute else "–",
        help="Over the last five minutes, or since it was last taken up if that is later.",
    )
    three.metric(
        "Seconds a call",
        f"{pace.each:.1f}" if active(run) and pace.each else "–",
        help="Mean over the same minutes.",
    )
    known, about = _tokens(run, went)
    four.metric("Tokens", known, help=about)
    st.caption(inline(_spent(run, went, usd, tokens)))


def _tokens(run: Run, went: int) -> tuple[str, str]:
    """Return the number of tokens, and what it is of."""
    about = "With what was refused and asked again"
    about += ", without what was taken over." if run.parent else "."
    if not run.unreported:
        return f"{went:,}", about
    known = f"{went:,} or more" if went else "unreported"
    calls = counted(run.calls, "call")
    return known, f"{about} Servers reported no usage for {run.unreported:,} of {calls}."


def _spent(run: Run, went: int, usd: float | None, tokens: int | None) -> str:
    """Say what is spent of the caps; an upper guess of what servers did not report is held against
    the cap on tokens, too.
    """
    if not usd and not tokens:
        return "No cap is set."
    spent = []
    if tokens:
        silent = services.store().benchmarks.unreported(run.id)
        cap = f"of the cap of {tokens:,} tokens"
        guess = f"at most {silent / tokens:.0%}"
        if silent and not went:
            spent.append(f"{guess} {cap} by an upper guess, as servers reported no usage")
        elif silent:
            more = f"{guess} more that servers did not report"
            spent.append(f"{went / tokens:.0%} {cap}, and {more}")
        else:
            spent.append(f"{went / tokens:.0%} {cap}")
    if usd:
        spent.append(f"${run.cost:,.2f} of the cap of ${usd:,.2f}")
    return f"Spent: {' and '.join(spent)}."


def _left(run: Run, found: BenchProgress) -> str:
    left = found.total("left") + found.total("running")
    if not left:
        failed = found.total("failed")
        if failed:
            return f"Nothing is left but {counted(failed, 'answer')} that failed."
        return "Nothing is left to ask."
    if not active(run):
        came = to_take_in(services.store(), run)
        return f"{counted(left, 'answer')} left" + (
            f"; {came:,} of them came before the program ended, and are taken in when it goes on."
            if came
            else "."
        )
    minutes = found.minutes_left
    if minutes is None:
        return f"{counted(left, 'answer')} left: the pace shows with the first calls that end."
    waits = any(one.key == CALLS for one in services.store().steps.partials(run.id))
    return (
        f"{counted(left, 'answer')} left: {duration(minutes)} at the pace of the last"
        f" minutes{', once no call waits any more' if waits else ''}."
    )


def _table(found: BenchProgress) -> None:
    """Draw a row a model, with a bar for each kind and the counts of all kinds together."""
    kinds = [kind for kind in KINDS if found.total("planned", kind)]
    rows = _rows(found.parts)
    bars = {
        KINDS[kind]: st.column_config.ProgressColumn(
            format="%d%%",
            min_value=0,
            max_value=100,
            width=105,
            help=f"{KINDS[kind]} that are done or excluded, of those that are needed.",
        )
        for kind in kinds
    }
    counts = {
        look.word.capitalize(): st.column_config.NumberColumn(
            format="localized", width=34 + 5 * max(6, len(look.word))
        )
        for look in STATES.values()
    }
    st.dataframe(
        rows,
        hide_index=True,
        key="bench:matrix",
        column_config={"Model": st.column_config.TextColumn(width=158), **bars, **counts},
        height=min(ROW * (len(rows) + 1) + 3, 430),
        alt="How far each model is, by kind of answer.",
    )
    st.caption(
        "A failed answer is no score and does not count as done. What follows an idea that failed"
        " stays left until the idea is asked for again; what follows one that is excluded is not"
        " needed."
    )


def _rows(parts: Sequence[ProgressPart]) -> list[dict[str, object]]:
    by_model: dict[str, list[ProgressPart]] = defaultdict(list)
    for one in parts:
        by_model[one.model].append(one)
    rows = []
    for name, several in zip(clear(list(by_model)), by_model.values(), strict=True):
        row: dict[str, object] = {"Model": name}
        for one in several:
            needed = one.planned - one.needless
            # Whole percents, rounded down: what is not whole is never said to be.
            percent = 100 * (one.done + one.excluded) // needed if needed else None
            row[KINDS[one.kind]] = percent
        for state, look in STATES.items():
            row[look.word.capitalize()] = sum(getattr(one, state) for one in several)
        rows.append(row)
    return rows
