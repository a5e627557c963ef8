"""The votes behind the ratings: the address to give to people, who has voted how often, and votes
made elsewhere; then pair by pair, both texts, who said what in which order, and why.
"""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from components.arena.ballot import SAYS
from components.arena.figures import inputs, whole
from components.arena.voting import read, texts_of
from components.shell import in_view, links, onward, refusals, services
from components.shell.frame import told
from components.shell.paging import ROWS, filtering, first, skipped
from components.shell.text import counted, inline, shown
from core.judging.arena.contests import differing
from core.judging.arena.imported_votes import COLUMNS, VotesReport, file_votes
from core.records import Ballot, Lineup, Run, label


def draw(run: Run, lineup: Lineup) -> None:
    """Draw the way to the voting screen, the voters, and the import."""
    if run.packed:
        st.info(
            "This arena is a case study: it can be looked at, and not voted in.",
            icon=":material/slideshow:",
        )
        return
    left, right = st.columns(2, gap="large")
    with left:
        _open(run, lineup)
    with right, told():
        _import(run, lineup)


def _open(run: Run, lineup: Lineup) -> None:
    st.markdown("##### Voting")
    st.markdown(
        "Two texts side by side, sources hidden, keys 1 to 5. Each voter uses their own name,"
        " sees each pair once, and can stop and come back at any time."
    )
    onward.draw(
        "pages/arena.py",
        "Open the voting screen",
        ":material/how_to_vote:",
        {"run": run.id, "vote": "1"},
    )
    st.caption("The address to give to people who reach this server:")
    st.code(f"{links.base()}/arena?run={run.id}&vote=1", language=None, wrap_lines=True)
    links.draw_local("It works")
    votes = Counter(name for name, *_ in services.store().ballots.voted(run.id))
    if votes:
        of = len(differing(lineup, whole(lineup)))
        st.dataframe(
            [{"Who": name, "Pairs judged": n, "Of": of} for name, n in votes.most_common(200)],
            hide_index=True,
            key="arena:voters",
        )
    else:
        st.caption("No person has voted yet.")


def _import(run: Run, lineup: Lineup) -> None:
    st.markdown("##### Votes made elsewhere")
    st.caption(
        f"A CSV with the columns {', '.join(COLUMNS)}; one row for each verdict on one quality."
        " Names are those of this arena. All rows of a vote are imported, or none. Importing a"
        " file again changes nothing."
    )
    given = st.file_uploader("CSV of votes", type=["csv", "tsv", "txt"], key="arena:file")
    if given and st.button("Import these votes", icon=":material/upload:", key="arena:import"):
        asked = inputs(run)
        judges = () if asked.people_only else tuple(run.config.models.values())
        services.runner().own(run.id)
        st.session_state["arena:report"] = (
            run.id,
            file_votes(services.store(), run.id, lineup, asked.kind, given.getvalue(), judges),
        )
        st.rerun()  # Who has voted, and how often, stands above.
    told_of, report = st.session_state.get("arena:report", ("", None))
    if report and told_of == run.id:
        _report(report)


def _report(report: VotesReport) -> None:
    say = st.warning if report.refused else st.success
    say(
        f"{counted(report.rows, 'row')} read: {counted(report.filed, 'vote')} imported,"
        f" {report.known:,} known already, {counted(report.refused_count, 'row')} refused.",
        icon=":material/upload:",
    )
    if report.refused:
        refusals.draw(
            ({"Line": one.row, "Why": one.reason} for one in report.refused),
            report.refused_count,
            "arena:refused",
            reasons=report.refused_by_reason,
            column_config={
                "Line": st.column_config.NumberColumn(width=60),
                "Why": st.column_config.TextColumn(width="large"),
            },
        )
        st.caption(
            inline(
                "Correct these rows and import the whole file again: what is imported already is"
                " not imported twice."
            )
        )


# -- pair by pair ---------------------------------------------------------------------------------

PAGE = "page"
ANY = "any other"


def matches(run: Run, lineup: Lineup, who: str, criterion: str | None) -> None:
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
        key = f"arena:pair:{run.id}:{contest.topic}:{contest.a}:{contest.b}"
        opened = st.expander(
            f"{inline(contest.topic, 90)} · against {inline(against, 50)} · :gray[{score}]",
            key=key,
            on_change=in_view.unfolded,
            args=(key,),
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
                    draw_vote(ballot, criterion)


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


def draw_vote(ballot: Ballot, criterion: str | None) -> None:
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
