"""Any two versions side by side: rounds of one run, of two branches, of two ideas."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.refine import branch, columns, family, scores
from components.refine.family import FamilyLane
from components.refine.scene import RefineScene
from components.runs import differences
from components.runs.models import called
from components.shell import services
from components.shell.text import counted, inline, shown
from core.records import ACTORS, Round
from core.store.steps import played_by
from core.wording.differences import Difference, between, form_changed

SIDES = ("a", "b")
"""What the two versions are called in the address: `a=RUN:LINE:ROUND`."""


class ComparedVersion(NamedTuple):
    """Round `n` of a lane; 0 is its first idea."""

    lane: FamilyLane
    n: int

    @property
    def said(self) -> str:
        """The version as the address says it."""
        return f"{self.lane.id}:{self.n}"

    @property
    def round(self) -> Round | None:
        return self.lane.line.rounds[self.n - 1] if self.n else None


def draw(scene: RefineScene) -> None:
    """Draw the choice of two versions and what is different between them, word by word."""
    lanes = [lane for lane in family.lanes(scene.run, scene.story) if lane.line.first]
    mine = next((lane for lane in lanes if lane.id == f"{scene.run.id}:{scene.line.n}"), None)
    if mine is None:
        st.info(
            "There is nothing to compare before the first idea is written.",
            icon=":material/hourglass_empty:",
        )
        return
    chosen = {
        side: _addressed(side, lanes)
        or ComparedVersion(mine, 0 if side == "a" else mine.line.newest)
        for side in SIDES
    }
    left, swap, right = st.columns([10, 3, 10], vertical_alignment="bottom")
    with left:
        _pick(scene, "a", chosen, lanes)
    swap.button(
        "Swap",
        icon=":material/swap_horiz:",
        key=f"refine:compare:{scene.run.id}:swap",
        on_click=_say,
        args=(chosen["b"].said, chosen["a"].said),
        width="stretch",
    )
    with right:
        _pick(scene, "b", chosen, lanes)
    a, b = chosen["a"], chosen["b"]
    _changes(a, b)
    _numbers(a, b)
    for column, version, side in zip(st.columns(2, gap="medium"), (a, b), SIDES, strict=True):
        with column:
            _origin(version, side)


# -- choosing ----------------------------------------------------------------------------------


def _addressed(side: str, lanes: Sequence[FamilyLane]) -> ComparedVersion | None:
    lane_id, _, n = st.query_params.get(side, "").rpartition(":")
    for lane in lanes:
        if lane.id == lane_id and n.isdecimal():
            return ComparedVersion(lane, min(int(n), lane.line.newest))
    return None


def _pick(
    scene: RefineScene, side: str, chosen: dict[str, ComparedVersion], lanes: Sequence[FamilyLane]
) -> None:
    version, key = chosen[side], f"refine:compare:{scene.run.id}:{side}"
    names = {lane.id: f"{lane.n}. {lane.name}" for lane in lanes}
    # The address is the truth; only where a box says something else is it set, so that an open list
    # stays open.
    for name, value in ((f"{key}:lane", version.lane.id), (f"{key}:round", version.n)):
        if st.session_state.get(name) != value:
            st.session_state[name] = value
    letter, said = side.upper(), (key, side, {one: other.said for one, other in chosen.items()})
    if len(lanes) > 1:
        st.selectbox(
            f"{letter}: branch",
            list(names),
            key=f"{key}:lane",
            format_func=names.__getitem__,
            on_change=_picked,
            args=said,
        )
    st.selectbox(
        f"{letter}: version",
        list(range(version.lane.line.newest + 1)),
        key=f"{key}:round",
        on_change=_picked,
        args=said,
        format_func=lambda n: _called(ComparedVersion(version.lane, n)),
    )


def _picked(key: str, side: str, said: dict[str, str]) -> None:
    lane = st.session_state.get(f"{key}:lane") or said[side].rpartition(":")[0]
    _say(**(said | {side: f"{lane}:{st.session_state[f'{key}:round']}"}))


def _say(a: str, b: str) -> None:
    st.query_params.update(a=a, b=b)


def _called(version: ComparedVersion) -> str:
    done = version.round
    if done is None:
        return "First idea"
    if done.verdict is None:
        return f"Round {version.n}"
    return f"Round {version.n}, {'improved' if done.verdict.improved else 'no improvement'}"


# -- what is different -------------------------------------------------------------------------


def _changes(a: ComparedVersion, b: ComparedVersion) -> None:
    older, newer = a.lane.line.version(a.n), b.lane.line.version(b.n)
    found = between(older, newer)
    form = form_changed(older, newer)
    said = "Every sentence stands in both." if form else "The two are the same, word for word."
    if any(field.changed for field in found):
        went, came = _words(found, "removed"), _words(found, "added")
        said = f"{counted(went, 'word')} removed, {came:,} added."
    st.markdown("##### From A to B")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(said, width="content")
        whole = differences.unchanged(found)
    differences.draw(found, whole=whole, form=form)


def _words(found: Sequence[Difference], kind: str) -> int:
    pieces = [piece for field in found for piece in field.pieces if piece.kind == kind]
    return sum(len(piece.text.split()) for piece in pieces)


def _numbers(a: ComparedVersion, b: ComparedVersion) -> None:
    """Draw measures and standings, and the settings where the two were played differently, side by
    side.
    """
    left, right = f"A: {_name(a)}", f"B: {_name(b)}"
    mine, theirs = _values(a), _values(b)
    rows = []
    for name in mine | theirs:
        rows.append({"": name, left: mine.get(name, "–"), right: theirs.get(name, "–")})
    if a.lane.run.id != b.lane.run.id:
        mine, theirs = _played(a), _played(b)
        for name, said in mine.items():
            mark = "**" if said != theirs[name] else ""
            texts = (inline(text, 200) for text in (said, theirs[name]))
            here, there = (f"{mark}{text}{mark}" for text in texts)
            rows.append({"": name, left: here, right: there})
    if rows:
        st.markdown("##### Side by side")
        st.table(rows, hide_index=True)


TO_NEAREST = f"Similarity {scores.NEAREST}"


def _values(version: ComparedVersion) -> dict[str, str]:
    done, found = version.round, dict[str, str]()
    if done and done.verdict:
        found["Verdict"] = "improved" if done.verdict.improved else "no improvement"
    if done and (measures := done.measures):
        found["Similarity to the first idea"] = f"{measures.to_first:.2f}"
        found["Similarity to the version before"] = f"{measures.to_previous:.2f}"
        if measures.to_nearest is not None:
            found[TO_NEAREST] = f"{measures.to_nearest:.2f}"
    elif (first := version.lane.line.measures(0)) and first.to_nearest is not None:
        found[TO_NEAREST] = f"{first.to_nearest:.2f}"
    return found | {
        f"Q, {inline(one.goal, 60)}": "not ranked" if one.q is None else f"{one.q:.2f}"
        for one in version.lane.line.standings(version.n)
    }


def _played(version: ComparedVersion) -> dict[str, str]:
    """Return how a version's round was played, or, of a first idea, how the round after it is."""
    lane, n = version.lane, max(version.n, 1)
    play, models = lane.inputs.at(n), lane.run.config.models
    below = f"idea-{lane.line.n}/" if lane.inputs.lines > 1 else ""
    # A branch may go on with other models than it took the round over from; what a round is made
    # from, the optimizer said of the version before.
    answered = services.store().steps.answered(lane.run)
    asked = {"generator": f"round-{n}/revise", "optimizer": f"round-{n - 1}/review"}
    actors: list[str] = [role for role in ACTORS if role in models]
    playing = list[str]()
    for role in actors or models:
        place = below + asked.get(role, f"round-{n}/verdict")
        playing += played_by(answered, role, models[role], place)
    return {
        "Quality": " and ".join(goal.name for goal in play.goals),
        "Variant": branch.VARIANTS.get(play.variant, play.variant),
        "Rounds at most": str(play.rules.max_rounds),
        "Patience": str(play.rules.patience),
        "Human actors": ", ".join(play.people) or "none",
        "Models": ", ".join(dict.fromkeys(map(called, playing))),
    }


def _name(version: ComparedVersion) -> str:
    place = f"round {version.n}" if version.n else "first idea"
    return f"branch {version.lane.n}, {place}"


# -- how each came to be -----------------------------------------------------------------------


def _origin(version: ComparedVersion, side: str) -> None:
    st.markdown(f"##### How {side.upper()} came to be")
    st.page_link(
        "pages/refine.py",
        label=f"Open {_called(version).lower()}",
        icon=":material/open_in_new:",
        query_params=branch.address(version.lane.run.id, version.lane.line.n, version.n),
    )
    done = version.round
    with st.container(border=True):
        if done is None:
            st.markdown("The idea the refinement began with.")
            return
        if done.verdict:
            columns.draw_verdict(done.verdict)
        if done.base:
            st.markdown(":material/person: Revised from a text that a person had rewritten.")
        for wish in done.wishes:
            if wish.text:
                st.markdown(
                    f":material/person: **{inline(wish.id)}** {inline(wish.text, 2000)}"
                    f" ({inline(wish.by, 60)})"
                )
        if done.review:
            st.markdown(f":gray[The review it answers]\n\n{shown(done.review.summary)}")
            remarks = []
            for remark in done.review.remarks:
                text = inline(remark.text, 2000)
                said = f":gray[~~{text}~~ declined]" if remark.id in done.declined else text
                remarks.append(f"- **{inline(remark.id)}** {said}")
            st.markdown("\n".join(remarks))
