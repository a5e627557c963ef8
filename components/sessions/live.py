"""How a session goes while it runs: how far every seat is, and the signs of hurry; never where a
text comes from.
"""

import streamlit as st

from components.sessions.words import STEPS, moment, unassigned, units
from components.shell import services
from components.shell.frame import told
from components.shell.text import ago, counted, inline
from core.records import Study, Task
from core.studies import organising
from core.studies.counting import RULE
from core.studies.live import Dashboard, SeatLive, Tally, dashboard
from core.studies.organising import LEFT
from core.wording.numbers import percent

EVERY = 3.0
"""Seconds between looks."""
NONE = "–"
MOST_REASONS = 200
ALIKE: dict[Task, tuple[str, str]] = {
    "rate": (
        "One score on all criteria",
        (
            "Texts given one score on all criteria of the same scale, of those with two scores or"
            " more."
        ),
    ),
    "rank": (
        "Left as shown, or all tied",
        "Sets left in the order they were shown in, or all tied, of those ordered.",
    ),
    "compare": (
        "Commonest answer",
        "How many answers are the one this expert gives most often (side and strength), of all.",
    ),
    "comment": (
        "Commonest answers",
        "How many rounds have the three answers this expert gives most often, of all.",
    ),
}
"""What counts as an answer without a distinction, by task: the head of its column, and what it
is.
"""
MEANS = {
    "Expert": "Your name for the seat, and what it is called in figures and files (E1, E2 ...).",
    "Step, and last at work": (
        "Where the expert is, from the invitation to the end, and when something was last done."
    ),
    "Units done": (
        "Units done of this list, attention checks and repeated units among them; open are those"
        " that were opened and are not answered."
    ),
    "Answers that count": RULE,
    "Minutes per unit": (
        "Median active minutes of the units that are done: gaps of more than two minutes count as"
        " two."
    ),
    "Left text better": (
        "Of the answers that name a winner, how many name the text on the left, with a 95 %"
        " interval. 50 %: no side is preferred."
    ),
    "Cannot judge": "Answered “cannot judge”, of all scores that were asked for.",
    "Checks passed": "Attention checks that were answered as they ask, of those answered.",
    "Repeats alike": "Repeated units that were answered as they were the first time.",
    "Skipped": "Units that this expert skipped, with a reason; they are in no figure.",
    "Flagged": "Answers that this expert flagged, with a reason; they count.",
}
"""What stands in each column; heads are drawn whole, on several lines where they are long."""


def draw(study: Study) -> None:
    """Draw the table, again every few seconds while the session is open."""

    @st.fragment(run_every=EVERY if study.state == "open" else None)
    def drawn() -> None:
        with told():
            now = dashboard(services.store(), study.id)
            if now.study.state != study.state:
                st.rerun()
            _sum(now)
            _unassigned(now.study)
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
    revoked = sum(one.answers > 0 and one.step == "revoked" for one in now.seats if not one.model)
    by += f" ({revoked} of them revoked)" if revoked else ""
    said = [
        f"{now.answered:,} of {now.wanted:,} answers{by}",
        whole,
        f"{begun} of {counted(len(people), 'expert')} {'with a seat ' if revoked else ''}begun",
    ]
    if now.skipped:
        said.append(f"{counted(now.skipped, 'unit')} skipped")
    if now.flagged:
        said.append(f"{counted(now.flagged, 'answer')} flagged")
    if now.late:
        said.append(f"{now.late:,} filed after the deadline")
    st.progress(min(1.0, now.answered / wanted), text=" · ".join(said))
    if now.study.state == "open" and now.minutes_left is not None:
        least = (
            f"about {now.minutes_left:.0f} min" if now.minutes_left >= 1 else "less than a minute"
        )
        waiting = len(people) - begun
        idle = f" {counted(waiting, 'expert')} {'has' if waiting == 1 else 'have'} not begun."
        st.caption(
            f"At the pace so far the longest list takes {least} more of"
            f" work{f', and all is done about {moment(now.end)}' if now.end else ''}."
            f"{idle if waiting else ''}"
        )


def _unassigned(study: Study) -> None:
    """Say how many planned answers are on no expert's list, while that can be mended."""
    lacking = organising.lacking(services.store(), study.id) if study.state == "open" else 0
    if lacking:
        st.warning(f"{unassigned(lacking)} See “Experts”.", icon=":material/assignment_late:")


def _table(now: Dashboard) -> None:
    if not now.seats:
        st.info("There are no seats. Add experts under “Experts”.", icon=":material/groups:")
        return
    plan = now.study.plan
    people = [seat.seat for seat in now.seats if not seat.model]
    called = {seat: f"E{n}" for n, seat in enumerate(people, 1)}
    rows = []
    for seat in now.seats:
        name = " · ".join(filter(None, (called.get(seat.seat), inline(seat.name, 40))))
        rows.append({"Expert": name, **_row(seat, now)})
    # Not a grid: its heads stand on one line, and what is cut off has to be looked for.
    st.table(rows, hide_index=True, border="horizontal")
    _reasons(now, called)
    st.caption(
        "A person who works fast, or alike, may still be right: look at the attention checks and"
        " the repeats before you exclude an expert."
    )
    with st.expander("What the columns say", key="study:live-columns"):
        means = MEANS | dict([ALIKE[plan.task]])
        if plan.task == "rate":
            means["Repeats alike"] = (
                "Repeated units that were answered as they were the first time, within a point (a"
                " tenth of a long scale)."
            )
        st.markdown("\n".join(f"- **{head}**: {means[head]}" for head in rows[0]))


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


def _row(seat: SeatLive, now: Dashboard) -> dict[str, str]:
    """Return a seat's line; what the session lacks, and what nobody skipped or flagged, has no
    column.
    """
    plan = now.study.plan
    step = "model judge" if seat.model else STEPS[seat.step]
    done = f"{seat.done} of {seat.whole}" if seat.whole else NONE
    row = {
        "Step, and last at work": ", ".join(filter(None, (step, seat.seen and ago(seat.seen)))),
        "Units done": f"{done}, {seat.opened} open" if seat.opened else done,
        "Answers that count": str(seat.answers),
        "Minutes per unit": NONE if seat.minutes is None else f"{seat.minutes:.1f}",
        ALIKE[plan.task][0]: _of(seat.alike),
    }
    if plan.task == "compare":
        row["Left text better"] = _left(seat)
    if plan.task == "rate":
        row["Cannot judge"] = _of(seat.cannot)
    if plan.attention:
        row["Checks passed"] = _of(seat.attention)
    if plan.repeats:
        row["Repeats alike"] = _of(seat.again)
    if now.skipped:
        row["Skipped"] = str(len(seat.skipped) or NONE)
    if now.flagged:
        row["Flagged"] = str(len(seat.flagged) or NONE)
    return row


def _left(seat: SeatLive) -> str:
    left = seat.left
    if left.value is None:
        return NONE
    if left.low is None or left.high is None:
        return percent(left.value)
    return f"{percent(left.value)} ({percent(left.low)} to {percent(left.high)})"


def _of(tally: Tally) -> str:
    return f"{tally.hits} of {tally.of}" if tally.of else NONE
