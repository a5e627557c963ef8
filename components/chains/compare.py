"""Branches side by side, of one run or of two: papers, direction, idea, whether it is new,
points.
"""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from components.chains import choice, novelty
from components.shell import services
from components.shell.text import ago, inline
from core.errors import BadInput
from core.records import Run, Selection
from core.story import Branch, Story

ABREAST = 4
"""How many branches stand side by side before another row begins."""
PARAM = "with"


Column = dict[str, str]


def draw(run: Run, story: Story) -> None:
    """Draw the branches of this run beside one another, and one of them beside one of another
    run.
    """
    branches = [one for one in story.branches if one.chain]
    chosen = story.last(Selection)
    if len(branches) > 1:
        for n in range(0, len(branches), ABREAST):
            _abreast(
                [
                    _told(f"Branch {one.n}", one, chosen, run.config.source)
                    for one in branches[n : n + ABREAST]
                ],
                len(branches) > ABREAST,
            )
    elif not branches:
        st.caption("No branch has a paper yet.")
    st.divider()
    _with_another(run, branches)


def _abreast(columns: list[Column], fill: bool) -> None:
    for row in columns[0]:
        with st.container(gap="xsmall"):
            for place, column in zip(
                st.columns(ABREAST if fill else len(columns), gap="medium"), columns, strict=False
            ):
                with place:
                    st.markdown(column[row])


def _told(
    name: str,
    branch: Branch,
    chosen: Selection | None,
    source: str,
    mark: Callable[[str, str], str] = lambda _, said: said,
) -> Column:
    """Return what is said of a branch, row by row; `mark` says what is different."""
    best = f" {choice.badge(chosen, branch.n)}" if chosen and len(chosen.points) > 1 else ""
    points = (
        f" :gray-badge[{chosen.points[branch.n]:g} points]"
        if chosen and len(chosen.points) > 1 and branch.n in chosen.points
        else ""
    )
    titles = {
        paper.id: f"{paper.year or '?'} · {inline(paper.title, 90)}"
        for paper in (branch.chain.papers if branch.chain else ())
    }
    idea, check = branch.idea, branch.checks[-1] if branch.checks else None
    lost = f"Given up: {inline(branch.given_up.reason)}" if branch.given_up else ""
    return {
        "name": f"**{name}**{best}{points}",
        "papers": "\n".join(f"- {mark(name, said)}" for name, said in titles.items()),
        "direction": (
            ":gray[Predicted"
            f" direction]\n\n{inline(branch.direction.direction, 500) if branch.direction else '–'}"
        ),
        "idea": (
            f":gray[Idea]\n\n**{inline(idea.title, 160)}**"
            if idea
            else f":gray[Idea]\n\n{lost or '–'}"
        ),
        "new": (
            f":gray[What is new in it]\n\n{inline(idea.fields.get('novelty', ''), 500) or '–'}"
            if idea
            else ""
        ),
        "novelty": (f"{novelty.badge(check)} {novelty.line(check, source)}" if check else ""),
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
    found = [one for one in there.branches if one.chain]
    if not found:
        st.info("That run has no chain yet.")
        return
    same = [one.n for one in found]
    n = which.selectbox(
        "Branch there",
        same,
        index=(
            same.index(asked_branch)
            if asked_branch in same
            else same.index(picked)
            if picked in same
            else 0
        ),
        key=f"chains:with-branch:{run.id}:{other}",
    )
    if st.query_params.get(PARAM) != (said := f"{picked}-{other}-{n}"):
        st.query_params[PARAM] = said
    mine_told = _Told(
        run, Story.of(services.store(), run.id), next(one for one in branches if one.n == picked)
    )
    _two(
        mine_told,
        _Told(services.store().runs.get(other), there, next(one for one in found if one.n == n)),
    )


class _Told(NamedTuple):
    """A branch, of the run and the story it is from."""

    run: Run
    story: Story
    branch: Branch


def _two(mine: _Told, other: _Told) -> None:
    here, there = mine.branch, other.branch
    assert here.chain
    assert there.chain
    a, b = here.chain.papers, there.chain.papers
    only = (
        {one.id for one in a if not any(one.same(other) for other in b)},
        {one.id for one in b if not any(one.same(other) for other in a)},
    )

    def mark(side: int) -> Callable[[str, str], str]:
        return lambda name, said: (
            f":orange-badge[only {'here' if side == 0 else 'there'}] {said}"
            if name in only[side]
            else said
        )

    both = [
        _told(
            f"Here: branch {here.n}",
            here,
            mine.story.last(Selection),
            mine.run.config.source,
            mark(0),
        ),
        _told(
            f"There: branch {there.n}",
            there,
            other.story.last(Selection),
            other.run.config.source,
            mark(1),
        ),
    ]
    level = [row for row in ("direction", "idea") if both[0][row] == both[1][row]]
    shared = len(a) - len(only[0])
    st.caption(
        f"{shared} papers in both, {len(only[0])} only here, {len(only[1])} only there"
        + (f"; {' and '.join(level)} the same." if level else "; direction and idea differ.")
    )
    _abreast(both, fill=False)


def _address() -> tuple[int, str, int]:
    own, _, rest = st.query_params.get(PARAM, "").partition("-")
    run, _, branch = rest.partition("-")
    return (int(own) if own.isdecimal() else 0), run, (int(branch) if branch.isdecimal() else 0)


def _others(run: Run) -> dict[str, str]:
    """Return other chains by id, nearest kin first."""
    store = services.store()
    kin = {run.parent: "where this came from"} if run.parent else {}
    kin |= {one.id: "made from this" for one in store.runs.children(run.id)}
    kin |= {
        one.id: "made from the same"
        for one in (store.runs.children(run.parent) if run.parent else [])
        if one.id != run.id
    }
    named = {name: said for name, why in kin.items() for name, said in _one(name, why).items()}
    return named | {
        one.id: _name(one, "")
        for one in store.runs.listed(method="chain", limit=30)
        if one.id != run.id and one.id not in named
    }


def _one(run_id: str, why: str = "") -> dict[str, str]:
    try:
        return {run_id: _name(services.store().runs.get(run_id), why)}
    except BadInput:
        return {}  # Deleted since.


def _name(run: Run, why: str) -> str:
    return f"{run.title[:80]} ({f'{why}, ' if why else ''}{run.id}, {ago(run.created)})"
