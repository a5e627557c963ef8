"""How a session goes while it runs: how far every seat is, and the signs of hurry; never where a
text comes from.
"""

import streamlit as st

from components.sessions.words import STEPS, moment, units
from components.shell import services
from components.shell.frame import told
from components.shell.text import ago, counted, inline
from core.records import Study
from core.studies.counting import RULE
from core.studies.live import Dashboard, SeatLive, Tally, dashboard
from core.studies.organising import LEFT

EVERY = 3.0
"""Seconds between looks."""
ALIKE = {
    "rate": (
        "Texts given one score on all criteria of the same scale, of those with two scores or more."
    ),
    "rank": "Sets left in the order they were shown in, or all tied.",
    "compare": "How many answers are the one this expert gives most often (side and strength).",
    "comment": "How many rounds have the three answers this expert gives most often.",
}
"""What counts as an answer without a distinction, by task."""


NONE = "–"
MOST_REASONS = 200
SHORT = {"Minutes": "Min", "Attention": "Checks"}
"""Heads of columns that are shorter than their names."""
HELP = {
    "Label": "What this expert is called in figures and files.",
    "Done": "Units of this list, attention checks and repeated units among them.",
    "Answers": RULE,
    "Minutes": (
        "Median active minutes of the units that are done: gaps of more than two minutes count as"
        " two."
    ),
    "Left": (
        "Of the answers that name a winner, how many name the text on the left, with a 95 %"
        " interval. 50 %: no side is preferred."
    ),
    "Cannot judge": "Answered “cannot judge”, of all scores that were asked for.",
    "Open units": "Units that were opened and are not answered.",
    "Attention": "Attention checks that were answered correctly, of those answered.",
    "Last at work": "When this expert last did something here.",
    "Skipped": "Units that this expert skipped, with a reason; they are in no figure.",
    "Flagged": "Answers that this expert flagged, with a reason; they count.",
    "Repeats": "Repeated units that were answered as they were the first time.",
}
"""What stands in each column."""


def draw(study: Study) -> None:
    """Draw the table, again every few seconds while the session is open."""

    @st.fragment(run_every=EVERY if study.state == "open" else None)
    def drawn() -> None:
        with told():
            now = dashboard(services.store(), study.id)
            if now.study.state != study.state:
                st.rerun()
            _sum(now)
            _table(now)

    drawn()


def _sum(now: Dashboard) -> None:
    wanted = max(now.wanted, 1)
    people = [one for one in now.seats if not one.model and one.step not in LEFT]
    begun = sum(one.step != "consent" for one in people)
    plan = now.study.plan
    whole = (
        f"{now.reached} of"
        f" {counted(now.units, 'ordering' if plan.task == 'rank' else units(plan.task))} complete"
    )
    by = f" by {counted(now.experts, 'expert')}" if now.experts else ""
    said = [
        f"{now.answered:,} of {now.wanted:,} answers{by}",
        whole,
        f"{begun} of {counted(len(people), 'expert')} begun",
    ]
    if now.skipped:
        said.append(f"{counted(now.skipped, 'unit')} skipped")
    if now.flagged:
        said.append(f"{counted(now.flagged, 'answer')} flagged")
    st.progress(min(1.0, now.answered / wanted), text=" · ".join(said))
    if now.study.state == "open" and now.minutes_left is not None:
        least = (
            f"about {now.minutes_left:.0f} min" if now.minutes_left >= 1 else "less than a minute"
        )
        st.caption(
            f"The longest list takes {least} more of"
            f" work{f'; at this pace all is done about {moment(now.end)}' if now.end else ''}."
        )


def _table(now: Dashboard) -> None:
    if not now.seats:
        st.info("There are no seats. Add experts under “Experts”.", icon=":material/groups:")
        return
    task = now.study.plan.task
    people = [seat.seat for seat in now.seats if not seat.model]
    called = {seat: f"E{n}" for n, seat in enumerate(people, 1)}
    rows = []
    for seat in now.seats:
        names = {"Seat": seat.name, "Label": called.get(seat.seat, NONE)}
        rows.append({**names, **_row(seat, now)})
    helps = HELP | {"Alike": ALIKE[task]}
    if task == "rate":
        helps["Repeats"] = (
            "Repeated units that were answered as the first time, within a point (a tenth of a long"
            " scale)."
        )
    columns = {
        name: st.column_config.Column(SHORT.get(name, name), help=said)
        for name, said in helps.items()
    }
    st.dataframe(
        rows,
        hide_index=True,
        key="study:live",
        height=38 + 35 * min(len(rows), 20),
        column_config=columns,
    )
    _reasons(now, called)
    st.caption(
        "A person who works fast, or alike, may still be right: look at the attention checks and"
        " the repeats before you exclude an expert."
    )


def _reasons(now: Dashboard, called: dict[str, str]) -> None:
    """Draw why units were skipped and answers flagged, where any were."""
    said = []
    for seat in now.seats:
        for what, reasons in (("skipped", seat.skipped), ("flagged", seat.flagged)):
            who = called.get(seat.seat, seat.name)
            said += [f"- **{inline(who, 60)}** {what}: {inline(one, 600)}" for one in reasons]
    if said:
        with st.expander(
            f"Why units were skipped or flagged ({len(said)})", icon=":material/flag:"
        ):
            st.markdown("\n".join(said[:MOST_REASONS]))


def _row(seat: SeatLive, now: Dashboard) -> dict[str, object]:
    """Return a seat's line; what nobody skipped or flagged has no column."""
    task = now.study.plan.task
    row: dict[str, object] = {
        "Step": "model judge" if seat.model else STEPS[seat.step],
        "Done": f"{seat.done} of {seat.whole}" if seat.whole else NONE,
        "Answers": seat.answers,
        "Minutes": NONE if seat.minutes is None else f"{seat.minutes:.1f}",
        "Alike": _of(seat.alike),
    }
    if task == "compare":
        row["Left"] = NONE
        left = seat.left
        if left.value is not None:
            row["Left"] = f"{left.value:.0%}"
            if left.low is not None and left.high is not None:
                row["Left"] = f"{left.value:.0%} [{left.low:.0%}, {left.high:.0%}]"
    if task == "rate":
        row["Cannot judge"] = _of(seat.cannot)
    if now.skipped:
        row["Skipped"] = str(len(seat.skipped) or NONE)
    if now.flagged:
        row["Flagged"] = str(len(seat.flagged) or NONE)
    return {
        **row,
        "Open units": str(seat.opened or NONE),
        "Attention": _of(seat.attention),
        "Repeats": _of(seat.again),
        "Last at work": ago(seat.seen) if seat.seen else NONE,
    }


def _of(tally: Tally) -> str:
    return f"{tally.hits} of {tally.of}" if tally.of else NONE
