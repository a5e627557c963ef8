"""The matches behind a rating: pair by pair, both texts, who said what in which order, and why."""

from collections.abc import Sequence

import streamlit as st

from components.arena.ballot import SAYS
from components.arena.figures import inputs, whole
from components.arena.voting import read
from components.shell import services
from components.shell.paging import ROWS, filtering, first, skipped
from components.shell.text import counted, inline, shown
from core.judging.forms import texts
from core.records import Ballot, Contest, Lineup, Run, label

PAGE = "page"
ANY = "any other"


def draw(run: Run, lineup: Lineup, who: str, criterion: str | None) -> None:
    """Draw the pairs of a method, and the one that is opened."""
    methods = sorted({seat.method for seat in lineup.seats if seat.sha})
    with st.container(horizontal=True, gap="medium"):
        method = st.selectbox(
            "Method",
            methods,
            key="method",
            **filtering(PAGE),
        )
        other = st.selectbox(
            "Against",
            [ANY, *(one for one in methods if one != method)],
            key="against",
            **filtering(PAGE),
        )
        topic = st.selectbox(
            "Topic",
            ["every topic", *sorted({seat.topic for seat in lineup.seats})],
            key="topic",
            on_change=first,
            args=(PAGE,),
        )
    met = [
        one
        for one in whole(lineup)
        if method in (one.a, one.b)
        and other in (ANY, one.a, one.b)
        and topic in ("every topic", one.topic)
    ]
    if not met:
        st.info("These methods have no topic in common.", icon=":material/compare_arrows:")
        return
    st.caption(f"{counted(len(met), 'pair')} of {inline(str(method), 60)}.")
    start = skipped(len(met), PAGE)
    page = met[start : start + ROWS]
    said = services.store().ballots.on(run.id, page)
    for one in page:
        _pair(
            run,
            lineup,
            one,
            [
                ballot
                for ballot in said[one]
                if who in ("both", "people" if ballot.person else "models")
            ],
            str(method),
            criterion,
        )


def _pair(
    run: Run,
    lineup: Lineup,
    contest: Contest,
    ballots: Sequence[Ballot],
    method: str,
    criterion: str | None,
) -> None:
    other = contest.b if contest.a == method else contest.a
    won, tied, lost = (
        sum(one == side for ballot in ballots for one in _for(ballot, method, criterion))
        for side in (1, 0, -1)
    )
    score = f"won {won}, tied {tied}, lost {lost}" if ballots else "no vote yet"
    opened = st.expander(
        f"{inline(contest.topic, 90)} · against {inline(other, 50)} · :gray[{score}]",
        key=f"arena:pair:{run.id}:{contest.topic}:{contest.a}:{contest.b}",
        on_change="rerun",
    )
    if opened.open:
        with opened:
            _texts(run, lineup, contest, (method, other))
            for ballot in ballots:
                _said(ballot, criterion)


def _for(ballot: Ballot, method: str, criterion: str | None) -> list[int]:
    """Return what a ballot says of a method, by each quality that counts: 1 won, 0 tied, -1
    lost.
    """
    mine = "first" if ballot.first == method else "second"
    return [
        0 if side == "tie" else 1 if side == mine else -1
        for name, side in ballot.sides.items()
        if criterion in (None, name)
    ]


def _texts(run: Run, lineup: Lineup, contest: Contest, methods: tuple[str, str]) -> None:
    shas = {seat.method: seat.sha for seat in lineup.seats if seat.topic == contest.topic}
    held = texts(
        services.store(), tuple(dict.fromkeys(shas[one] for one in methods)), inputs(run).kind
    )
    for column, method in zip(st.columns(2, gap="small"), methods, strict=True):
        with column:
            st.markdown(f"**{inline(method, 80)}**")
            with st.container(border=True, height=300):
                read(held[shas[method]])


def _said(ballot: Ballot, criterion: str | None) -> None:
    """Draw one ballot: who, which text stood first, every verdict, and why."""
    second = ballot.contest.b if ballot.first == ballot.contest.a else ballot.contest.a
    who = (
        f":material/person: {inline(ballot.judge, 60)}"
        if ballot.person
        else f":material/smart_toy: {inline(ballot.judge, 60)}"
    )
    again = f", time {ballot.repeat}" if ballot.repeat > 1 else ""
    verdicts = " · ".join(
        f"{label(name)}: **{_winner(ballot, name, side, second)}**"
        for name, side in ballot.sides.items()
        if criterion in (None, name)
    )
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"{who} :gray[{inline(ballot.first, 60)} stood first{again}]")
        st.markdown(verdicts)
        if ballot.why:
            st.markdown(shown(ballot.why))


def _winner(ballot: Ballot, name: str, side: str, second: str) -> str:
    if side == "tie":
        return "no difference"
    much = " (much better)" if abs(ballot.strength.get(name, 0)) == max(SAYS) else ""
    return inline(ballot.first if side == "first" else second, 60) + much
