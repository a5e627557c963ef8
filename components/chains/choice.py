"""How one branch was chosen: every pair of ideas compared in both orders, criterion by
criterion.
"""

from collections import defaultdict

import streamlit as st

from components.runs import states
from components.shell.text import inline, shown
from core.judging.claims import NOT_COMPARED, level, only_one, tie
from core.records import CRITERIA, BranchMatch, Run, Selection
from core.story import Story


def draw(run: Run, story: Story) -> None:
    """Draw points, matches and reasons, or what the choice waits for."""
    chosen = story.last(Selection)
    if chosen is None and states.active(run):
        st.caption("The ideas are compared once every branch has one, or was given up.")
        states.doing(run, "selection/")
        return
    if chosen is None:
        st.caption("The run ended before a choice was made.")
        return
    alone = len(chosen.points) == 1
    st.markdown(shown(only_one(chosen, story.set_aside) if alone else chosen.reason))
    if level_ideas := tie(chosen):
        st.info(inline(level_ideas), icon=":material/balance:")
    titles = {branch.n: branch.idea.title for branch in story.branches if branch.idea}
    best_first = sorted(chosen.points, key=lambda n: (n != chosen.best, -chosen.worth(n), n))
    for n in best_first:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**Branch {n}** {badge(chosen, n)} {inline(titles.get(n, ''), 110)}")
            st.space("stretch")
            st.markdown(_won(chosen, n), width="content")
    for branch in story.branches:
        if branch.n in chosen.points:
            continue
        if branch.given_up:
            why = f"was given up: {inline(branch.given_up.reason)}"
        elif branch.check:
            why = "was not compared: its idea overlaps with published work."
        else:
            why = "has no idea."
        st.caption(f"Branch {branch.n} {why}")
    by_pair = defaultdict[tuple[int, int], list[BranchMatch]](list)
    for match in chosen.matches:
        a, b = sorted((match.first, match.second))
        by_pair[a, b].append(match)
    for (a, b), both in sorted(by_pair.items()):
        if a != b and {a, b} <= chosen.points.keys():
            _pair(a, b, both)


def _won(chosen: Selection, n: int) -> str:
    if chosen.most(n):
        return f"**{chosen.points[n]:g}** of {chosen.most(n)} points"
    return "no other to compare it with" if len(chosen.points) == 1 else NOT_COMPARED


def badge(chosen: Selection, n: int) -> str:
    """Return the mark of a branch as Markdown: chosen, chosen in a tie, or level with the one that
    was.
    """
    equal = level(chosen)
    if n != chosen.best:
        return ":gray-badge[:material/balance: level with the chosen one]" if n in equal else ""
    if equal:
        return ":gray-badge[:material/balance: chosen in a tie]"
    return ":green-badge[:material/check: chosen]"


def _pair(a: int, b: int, both: list[BranchMatch]) -> None:
    won = [sum(match.points(n) for match in both) for n in (a, b)]
    rows = {name: [_winner(match, name) for match in both] for name in CRITERIA}
    flipped = [name for name, said in rows.items() if len(set(said)) > 1]
    change = "changes" if len(flipped) == 1 else "change"
    many = f"{len(flipped)} of {len(CRITERIA)} criteria"
    differ = f" · {many} {change} with the order shown" if flipped else ""
    with st.expander(f"Branch {a} against branch {b}: {won[0]:g} to {won[1]:g}{differ}"):
        columns = [f"Branch {match.first} shown first" for match in both]
        st.dataframe(
            {
                "Criterion": [name.capitalize() for name in rows],
                **{column: [said[k] for said in rows.values()] for k, column in enumerate(columns)},
                "": ["differs with the order" if name in flipped else "" for name in rows],
            },
            hide_index=True,
        )
        for match in both:
            st.markdown(
                f"Branch {match.first} shown first: {inline(match.comparison.reason, 2_000)}"
            )


def _winner(match: BranchMatch, criterion: str) -> str:
    side = getattr(match.comparison, criterion)
    if side == "tie":
        return "level"
    return f"Branch {match.first if side == 'first' else match.second}"
