"""People's votes: the address to give to them, who has voted how often, and votes made
elsewhere.
"""

from collections import Counter

import streamlit as st

from components.arena.figures import inputs, whole
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.judging.arena.imported_votes import COLUMNS, VotesReport, file_votes
from core.records import Lineup, Run


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
        "Two texts side by side, sources hidden, keys 1 to 5. Each voter uses their own name, and"
        " can vote as often and as long as they like."
    )
    st.page_link(
        "pages/arena.py",
        label="Open the voting screen",
        icon=":material/how_to_vote:",
        query_params={"run": run.id, "vote": "1"},
    )
    st.caption("The address to give to people who reach this server:")
    st.code(
        f"{str(st.context.url or '').split('?')[0] or '/arena'}?run={run.id}&vote=1", language=None
    )
    votes = Counter(name for name, *_ in services.store().ballots.voted(run.id))
    if votes:
        st.dataframe(
            [
                {"Who": name, "Pairs judged": n, "Of": len(whole(lineup))}
                for name, n in votes.most_common(200)
            ],
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
        f" {report.known:,} known already, {counted(len(report.refused), 'row')} refused.",
        icon=":material/upload:",
    )
    if report.refused:
        st.dataframe(
            [{"Line": one.row, "Why": one.reason} for one in report.refused],
            hide_index=True,
            key="arena:refused",
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
