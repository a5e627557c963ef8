"""How a session goes while it runs: how far every seat is, and the signs of hurry; never where a
text comes from.
"""

import streamlit as st

from components.sessions.words import STEPS, moment, units
from components.shell import services
from components.shell.frame import told
from components.shell.text import ago, counted
from core.records import Study
from core.studies.counting import RULE
from core.studies.live import Dashboard, SeatLive, Tally, dashboard
from core.studies.organising import LEFT

EVERY = 3.0
"""Seconds between looks."""
ALIKE = {
    "rate": "Texts given one score on all criteria, of those with two scores or more.",
    "rank": "Sets left in the order they were shown in, or all tied.",
    "compare": "Answers that are this expert's commonest, by side and strength.",
    "comment": "Rounds answered with this expert's commonest three answers.",
}
"""What counts as an answer without a distinction, by task."""


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
    people = [one.seat for one in now.seats if not one.model]
    called = {seat: f"E{n}" for n, seat in enumerate(people, 1)}
    rows = [
        {"Seat": one.name, "As": called.get(one.seat, "–"), **_row(one, task)} for one in now.seats
    ]
    st.dataframe(
        rows,
        hide_index=True,
        key="study:live",
        height=38 + 35 * min(len(rows), 20),
        column_config={
            "As": st.column_config.Column(
                "As", help="What this expert is called in figures and files."
            ),
            "Done": st.column_config.Column(
                "Done",
                help="Units of this list, checks of attention and units given twice among them.",
            ),
            "Answers": st.column_config.Column("Answers", help=RULE),
            "Minutes": st.column_config.Column(
                "Min",
                help=(
                    "Median active minutes of the units that are done: gaps of more than two"
                    " minutes count as two."
                ),
            ),
            "Alike": st.column_config.Column("Alike", help=ALIKE[task]),
            "Left": st.column_config.Column(
                "Left",
                help=(
                    "Answers with a winner that name the left text, with a 95 % interval. 50 % is"
                    " no bias."
                ),
            ),
            "Cannot": st.column_config.Column(
                "Cannot", help="Answered “cannot judge”, of all scores that were asked for."
            ),
            "Opened": st.column_config.Column(
                "Open", help="Units that were opened and are not answered."
            ),
            "Attention": st.column_config.Column(
                "Checks", help="Checks of attention answered as they ask, of those answered."
            ),
            "Seen": st.column_config.Column("Seen", help="When the seat was last at work."),
            "Again": st.column_config.Column(
                "Again",
                help=(
                    "Units given twice that were answered as the first"
                    f" time{', within a point' * (task == 'rate')}."
                ),
            ),
        },
    )
    st.caption(
        "A person who works fast, or alike, may still be right: look at the attention checks and"
        " the repeats before you leave anybody out."
    )


def _row(one: SeatLive, task: str) -> dict[str, object]:
    left = {"Left": _left(one)} if task == "compare" else {}
    cannot = {"Cannot": _of(one.cannot)} if task == "rate" else {}
    return {
        "Step": "model judge" if one.model else STEPS[one.step],
        "Done": f"{one.done} of {one.whole}" if one.whole else "–",
        "Answers": one.answers,
        "Minutes": f"{one.minutes:.1f}" if one.minutes is not None else "–",
        "Alike": _of(one.alike),
        **left,
        **cannot,
        "Opened": str(one.opened or "–"),
        "Attention": _of(one.attention),
        "Again": _of(one.again),
        "Seen": ago(one.seen) if one.seen else "–",
    }


def _of(tally: Tally) -> str:
    return f"{tally.hits} of {tally.of}" if tally.of else "–"


def _left(one: SeatLive) -> str:
    figure = one.left
    if figure.value is None:
        return "–"
    between = (
        f" [{figure.low:.0%}, {figure.high:.0%}]"
        if figure.low is not None and figure.high is not None
        else ""
    )
    return f"{figure.value:.0%}{between}"
