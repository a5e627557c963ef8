"""The matches behind a rating: pair by pair, both texts, who said what in which order, and why."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from components.arena.ballot import SAYS
from components.arena.figures import inputs, whole
from components.arena.voting import read, texts_of
from components.shell import services
from components.shell.paging import ROWS, filtering, first, skipped
from components.shell.text import counted, inline, shown
from core.records import Ballot, Lineup, Run, label

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
    votes = services.store().ballots.on(run.id, page)
    for contest in page:
        ballots = [
            ballot
            for ballot in votes[contest]
            if who in ("both", "people" if ballot.person else "models")
        ]
        against = contest.b if contest.a == method else contest.a
        score = _score(ballots, str(method), criterion) if ballots else "no vote yet"
        opened = st.expander(
            f"{inline(contest.topic, 90)} · against {inline(against, 50)} · :gray[{score}]",
            key=f"arena:pair:{run.id}:{contest.topic}:{contest.a}:{contest.b}",
            on_change="rerun",
        )
        if opened.open:
            with opened:
                pair = (str(method), against)
                held = texts_of(lineup, contest.topic, pair, inputs(run).kind)
                for column, name, text in zip(st.columns(2, gap="small"), pair, held, strict=True):
                    with column:
                        st.markdown(f"**{inline(name, 80)}**")
                        with st.container(border=True, height=300):
                            read(text)
                for ballot in ballots:
                    _vote(ballot, criterion)


def _score(ballots: Sequence[Ballot], method: str, criterion: str | None) -> str:
    """Say how often a method won, tied and lost, quality by quality."""
    results: Counter[str] = Counter()
    for ballot in ballots:
        mine = "first" if ballot.first == method else "second"
        results.update(
            "won" if side == mine else side
            for name, side in ballot.sides.items()
            if criterion in (None, name)
        )
    lost = results["first"] + results["second"]
    return f"won {results['won']}, tied {results['tie']}, lost {lost}"


def _vote(ballot: Ballot, criterion: str | None) -> None:
    """Draw one ballot: who, which text stood first, every verdict, and why."""
    second = ballot.contest.b if ballot.first == ballot.contest.a else ballot.contest.a
    icon = "person" if ballot.person else "smart_toy"
    again = f", time {ballot.repeat}" if ballot.repeat > 1 else ""
    winners = {"first": ballot.first, "second": second, "tie": "no difference"}
    verdicts = []
    for name, side in ballot.sides.items():
        if criterion in (None, name):
            strong = side != "tie" and abs(ballot.strength.get(name, 0)) == max(SAYS)
            much = " (much better)" if strong else ""
            verdicts.append(f"{label(name)}: **{inline(winners[side], 60)}{much}**")
    with st.container(border=True, gap="xsmall"):
        st.markdown(
            f":material/{icon}: {inline(ballot.judge, 60)}"
            f" :gray[{inline(ballot.first, 60)} stood first{again}]"
        )
        st.markdown(" · ".join(verdicts))
        if ballot.why:
            st.markdown(shown(ballot.why))
