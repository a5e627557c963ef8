"""One round of a refinement on screen: review, revised idea, verdict, in the actors' colours."""

from collections.abc import Sequence

import streamlit as st

from components.refine import branch, live, notes, parts, words
from components.refine.parts import DOES
from components.refine.scene import RefineScene
from components.runs import differences
from components.runs.actors import cast, head
from components.shell import idea_card
from components.shell.text import counted, inline
from core.judging.claims import SIMILARITY
from core.records import Round, label
from core.wording.differences import Difference, between, unquoted


def draw(scene: RefineScene, n: int) -> None:
    """Draw round `n`; 0 is the first idea."""
    done = scene.round(n)
    if n == 0:
        _first(scene)
    elif done:
        _over(scene, done)
    else:
        live.draw(scene, n)


# -- the first idea ----------------------------------------------------------------------------


def _first(scene: RefineScene) -> None:
    left, right = st.columns([8, 5], gap="medium")
    idea, review = (
        scene.line.version(0),
        (scene.line.rounds[0].review if scene.line.rounds else live.held(scene)),
    )
    with left:
        made = head("generator", "proposed", scene.actors(0)["generator"].capitalize())
        st.markdown(
            "**The first idea, which every refiner of the experiment starts from**"
            if scene.inputs.firsts
            else made
            if scene.inputs.idea is None
            else "**The first idea, as it was given**"
        )
        idea_card.draw(idea, None, "", "")
        for one in scene.line.standings(0):
            st.markdown(words.standing(one), help=words.Q_MEANS)
        notes.margin(scene, f"{scene.prefix}round-0/idea")
    with right:
        if "review" in cast(scene.inputs.at(1).variant):
            parts.headed(
                scene,
                1,
                "review",
                "reviewed" if review else "reviewing" if scene.live else "has not reviewed it",
            )
            if review:
                parts.reviewed(scene, review, 0)
            else:
                live.written(scene, "round-0", "review")
            notes.margin(scene, f"{scene.prefix}round-0/review")
    _foot(scene, 0)


# -- a round that is over ----------------------------------------------------------------------


def _over(scene: RefineScene, done: Round) -> None:
    draws = {"review": _reviewed, "revise": _revised, "verdict": _judged}
    for part, column in parts.columns_of(scene, done.n).items():
        with column:
            parts.headed(scene, done.n, part, DOES[part][0])
            draws[part](scene, done)
    _foot(scene, done.n)


def _reviewed(scene: RefineScene, done: Round) -> None:
    if done.review:
        parts.reviewed(scene, done.review, done.n - 1, done.wishes)
        notes.margin(scene, f"{scene.prefix}round-{done.n - 1}/review")
    parts.wished(done.wishes)


def _revised(scene: RefineScene, done: Round) -> None:
    older, newer, changes = scene.line.before(done.n), done.revision.idea, done.revision.changes
    if "review" not in cast(scene.inputs.at(done.n).variant):
        parts.wished(done.wishes)
    found = between(older, newer, changes)
    marked, chosen, whole = _marking(scene, done, found)
    if marked:
        differences.draw(found, chosen, whole)
    else:
        idea_card.draw(newer, None, "", "")
    if lost := unquoted(newer, changes):
        where = ", ".join(
            f"{inline(label(change.field), 60)}"
            f" ({inline(', '.join(change.remarks), 60) or 'no remark'})"
            for change in lost
        )
        st.caption(
            f":material/link_off: {counted(len(lost), 'passage')} the generator says it changed"
            f" {'is' if len(lost) == 1 else 'are'} not in its text as quoted: {where}."
        )
    notes.margin(scene, f"{scene.prefix}round-{done.n}/idea")


def _marking(
    scene: RefineScene, done: Round, found: Sequence[Difference]
) -> tuple[bool, str | None, bool]:
    """Draw how the revision is to be shown; return whether changes are marked, the one remark whose
    changes are, and whether all fields are shown.
    """
    key = f"refine:answers:{scene.run.id}:{scene.prefix}{done.n}"
    asked = [
        *(
            remark.id
            for remark in (done.review.remarks if done.review else ())
            if remark.id not in done.declined
        ),
        *(wish.id for wish in done.wishes if wish.id),
    ]
    answered = [
        name for name in asked if any(name in change.remarks for change in done.revision.changes)
    ]
    chosen = (
        st.pills("Show what answers", ["all", *answered], key=key, default="all", required=True)
        if answered
        else "all"
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        marked = st.toggle(
            "Mark what changed", value=True, key="refine:marked", persist_state="session"
        )
        whole = differences.unchanged(found) if marked else True
    if left := [name for name in asked if name not in answered]:
        st.caption(f"No change names {inline(', '.join(left))}.")
    return marked, None if chosen == "all" else chosen, whole


def _judged(scene: RefineScene, done: Round) -> None:
    if done.verdict:
        parts.judged(done.verdict)
    st.caption(f":material/flag: {words.rule(scene, done)}")
    _figures(done)


def _figures(done: Round) -> None:
    if done.effects:
        st.markdown(
            "**On the other qualities**\n"
            + "\n".join(f"- {said}" for said in words.effects(done.effects))
        )
    if done.standings:
        st.markdown(
            "**Against the target**\n"
            + "\n".join(f"- {words.standing(one)}" for one in done.standings),
            help=words.Q_MEANS,
        )
    if done.measures:
        near = (
            f"\n- to the nearest paper: **{done.measures.to_nearest:.2f}**"
            if done.measures.to_nearest is not None
            else ""
        )
        ours = (
            f"- to the first idea: **{done.measures.to_first:.2f}**\n- to the version before:"
            f" **{done.measures.to_previous:.2f}**"
        )
        st.markdown(f"**Similarity**\n{ours}{near}", help=SIMILARITY)


def _foot(scene: RefineScene, n: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        branch.control(scene, n)
        if scene.changeable:
            idea_card.keeping(
                scene.line.version(n),
                scene.run.id,
                f"{scene.prefix}round-{n}",
                key=f"refine:{scene.prefix}{n}",
            )
