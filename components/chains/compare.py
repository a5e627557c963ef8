"""Branches side by side, of one run or of two: papers, direction, idea, whether it is new,
points.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.chains import choice, novelty
from components.shell import services
from components.shell.text import ago, inline
from core.errors import BadInput
from core.judging.claims import NOT_COMPARED, won
from core.records import Paper, Run, Selection
from core.story import Branch, Story

ABREAST = 4
"""How many branches stand side by side before another row begins."""
PARAM = "with"
Column = dict[str, str]
"""What is said of a branch, row by row."""


def draw(run: Run, story: Story) -> None:
    """Draw the branches of this run beside one another, and one of them beside one of another
    run.
    """
    branches = [one for one in story.branches if one.chain]
    chosen = story.last(Selection)
    if len(branches) > 1:
        columns = [_column(f"Branch {one.n}", one, chosen, run.config.source) for one in branches]
        for n in range(0, len(branches), ABREAST):
            _abreast(columns[n : n + ABREAST], len(branches) > ABREAST)
    elif not branches:
        st.caption("No branch has a paper yet.")
    st.divider()
    _with_another(run, branches)


def _abreast(columns: list[Column], fill: bool) -> None:
    abreast = ABREAST if fill else len(columns)
    for row in columns[0]:
        with st.container(gap="xsmall"):
            for place, column in zip(st.columns(abreast, gap="medium"), columns, strict=False):
                place.markdown(column[row])


def _column(
    name: str,
    branch: Branch,
    chosen: Selection | None,
    source: str,
    mark: Callable[[str, str], str] = lambda _, said: said,
) -> Column:
    """Return what is said of a branch; `mark` says which of its papers are different, by id."""
    head = f"**{name}**"
    if chosen and len(chosen.points) > 1:
        head += f" {choice.badge(chosen, branch.n)}"
        if branch.n in chosen.points:
            said = f"{won(chosen, branch.n)} points" if chosen.most(branch.n) else NOT_COMPARED
            head += f" :gray-badge[{said}]"
    papers = [
        mark(paper.id, f"{paper.year or '?'} · {inline(paper.title, 90)}")
        for paper in (branch.chain.papers if branch.chain else ())
    ]
    direction = inline(branch.direction.direction, 500) if branch.direction else "–"
    idea, check = branch.idea, branch.check
    title, new, found = "–", "", ""
    if check:
        found = f"{novelty.badge(check)} {novelty.line(check, source)}"
    elif idea:
        given_up = branch.given_up
        found = f"Not checked: {inline(given_up.reason)}" if given_up else "Not checked yet."
    if idea:
        title = f"**{inline(idea.title, 160)}**"
        novel = inline(idea.fields.get("novelty", ""), 500) or "–"
        new = f":gray[What is new in it]\n\n{novel}"
    elif branch.given_up:
        title = f"Given up: {inline(branch.given_up.reason)}"
    return {
        "name": head,
        "papers": "\n".join(f"- {paper}" for paper in papers),
        "direction": f":gray[Predicted direction]\n\n{direction}",
        "idea": f":gray[Idea]\n\n{title}",
        "new": new,
        "novelty": found,
    }


def _with_another(run: Run, branches: list[Branch]) -> None:
    st.markdown("##### Compare with another run")
    own, asked_run, asked_branch = _address()
    others = _others(run)
    if asked_run and asked_run not in others and asked_run != run.id:
        others |= _one(asked_run)
    if not others or not branches:
        st.caption(
            "There is no other chain to compare with yet. A change to this one makes a second run,"
            " and this one stays as it is."
        )
        return
    mine, theirs, which = st.columns([1, 3, 1], vertical_alignment="bottom")
    ids, ns = list(others), [one.n for one in branches]
    picked = mine.selectbox(
        "Branch here", ns, index=ns.index(own) if own in ns else 0, key=f"chains:with-own:{run.id}"
    )
    other = theirs.selectbox(
        "Other run",
        ids,
        index=ids.index(asked_run) if asked_run in ids else None,
        format_func=others.__getitem__,
        key=f"chains:with-run:{run.id}",
        placeholder=(
            "Pick a run: where this one came from, what was made from it, or any other chain"
        ),
    )
    if other is None:
        return
    there = Story.of(services.store(), other)
    theirs_by_n = {one.n: one for one in there.branches if one.chain}
    if not theirs_by_n:
        st.info("That run has no chain yet.")
        return
    same = list(theirs_by_n)
    wished = next((n for n in (asked_branch, picked) if n in same), same[0])
    n = which.selectbox(
        "Branch there",
        same,
        index=same.index(wished),
        key=f"chains:with-branch:{run.id}:{other}",
    )
    if st.query_params.get(PARAM) != (address := f"{picked}-{other}-{n}"):
        st.query_params[PARAM] = address
    here = next(one for one in branches if one.n == picked)
    _two(
        _Side("Here", run, Story.of(services.store(), run.id), here),
        _Side("There", services.store().runs.get(other), there, theirs_by_n[n]),
    )


class _Side(NamedTuple):
    """A branch, of the run and the story it is from."""

    name: str
    run: Run
    story: Story
    branch: Branch

    @property
    def papers(self) -> tuple[Paper, ...]:
        return self.branch.chain.papers if self.branch.chain else ()


def _two(mine: _Side, other: _Side) -> None:
    columns, only = [], []
    for side, beside in ((mine, other), (other, mine)):
        alone = {
            paper.id
            for paper in side.papers
            if not any(paper.same(known) for known in beside.papers)
        }
        only.append(len(alone))
        columns.append(
            _column(
                f"{side.name}: branch {side.branch.n}",
                side.branch,
                side.story.last(Selection),
                side.run.config.source,
                partial(_only, alone, side.name.lower()),
            )
        )
    level = [row for row in ("direction", "idea") if columns[0][row] == columns[1][row]]
    same = f"; {' and '.join(level)} the same." if level else "; direction and idea differ."
    st.caption(
        f"{len(mine.papers) - only[0]} papers in both, {only[0]} only here, {only[1]} only there"
        + same
    )
    _abreast(columns, fill=False)


def _only(alone: Collection[str], where: str, paper: str, said: str) -> str:
    return f":orange-badge[only {where}] {said}" if paper in alone else said


def _address() -> tuple[int, str, int]:
    own, _, rest = st.query_params.get(PARAM, "").partition("-")
    run, _, branch = rest.partition("-")
    own_n, branch_n = (int(text) if text.isdecimal() else 0 for text in (own, branch))
    return own_n, run, branch_n


def _others(run: Run) -> dict[str, str]:
    """Return other chains by id, nearest kin first."""
    store = services.store()
    kin = {run.parent: "where this came from"} if run.parent else {}
    kin |= {child.id: "made from this" for child in store.runs.children(run.id)}
    siblings = store.runs.children(run.parent) if run.parent else []
    kin |= {one.id: "made from the same" for one in siblings if one.id != run.id}
    named: dict[str, str] = {}
    for name, why in kin.items():
        named |= _one(name, why)
    for other in store.runs.listed(method="chain", limit=30):
        if other.id != run.id:
            named.setdefault(other.id, _name(other, ""))
    return named


def _one(run_id: str, why: str = "") -> dict[str, str]:
    try:
        return {run_id: _name(services.store().runs.get(run_id), why)}
    except BadInput:
        return {}  # Deleted since.


def _name(run: Run, why: str) -> str:
    return f"{run.title[:80]} ({f'{why}, ' if why else ''}{run.id}, {ago(run.created)})"
