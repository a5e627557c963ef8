"""What the columns of a round share: who has them, a review with its remarks, people's wishes, a
verdict.
"""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.refine import steer
from components.refine.facts import patience
from components.refine.scene import RefineScene
from components.runs import differences
from components.runs.actors import ABSENT, Part, cast, head
from components.shell.text import counted, inline, shown
from core.records import Effect, Review, Round, Verdict, Wish

WIDTHS: Mapping[Part, int] = {"review": 6, "revise": 8, "verdict": 5}
DOES: Mapping[Part, tuple[str, str]] = {
    "review": ("reviewed", "reviewing"),
    "revise": ("revised", "revising"),
    "verdict": ("compared", "comparing"),
}

EFFECTS = {
    "better": ":green-badge[:material/trending_up: better]",
    "unchanged": ":gray-badge[:material/trending_flat: unchanged]",
    "worse": ":red-badge[:material/trending_down: worse]",
}


def columns_of(scene: RefineScene, n: int) -> Mapping[Part, DeltaGenerator]:
    """Return a column for each part that somebody plays, and say who is missing."""
    variant = scene.inputs.at(n).variant
    if variant in ABSENT:
        st.caption(f":material/person_off: {ABSENT[variant]}")
    parts = cast(variant)
    columns = st.columns([WIDTHS[part] for part in parts], gap="medium")
    return dict(zip(parts, columns, strict=True))


def draw_head(scene: RefineScene, n: int, part: Part, does: str) -> None:
    """Draw who has a column, by the name they have in it, and what they do."""
    play = scene.inputs.at(n)
    actor = cast(play.variant)[part]
    name = scene.actors(n)[actor].capitalize()
    if play.variant == "self-reflection":
        name = f"{name} alone"
    elif actor in play.people:
        name = f"{name}, a person"
    st.markdown(head(actor, does, name))


def draw_review(
    scene: RefineScene, review: Review, version: int, wishes: tuple[Wish, ...] = ()
) -> None:
    """Draw the review of a version; a declined remark is struck through, and one that still can be
    declined has its switch.
    """
    declined = {wish.decline: wish.by for wish in wishes if wish.decline and not wish.late}
    with st.container(border=True, gap="small"):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            said = inline(remark.text, 2000)
            trait = f" :gray[{inline(remark.trait, 100)}]" if remark.trait else ""
            by = declined.get(remark.id)
            if by:
                said = f":gray[~~{said}~~]"
                trait += f" :material/block: declined by {inline(by, 80)}"
            st.markdown(f"{differences.badge(remark.id)} {said}{trait}")
            steer.choice(scene, version, remark)


def draw_wishes(wishes: tuple[Wish, ...]) -> None:
    """Draw what people asked of a revision, with their names."""
    for wish in wishes:
        if wish.text:
            said = f"asked: {inline(wish.text, 2000)}"
        elif wish.decline:
            said = f"declined {inline(wish.decline)}."
        else:
            said = "rewrote the idea; the revision began from that text."
        if wish.late:
            said += " :gray[It came too late for this revision: its version had been revised.]"
        badge = differences.badge(wish.id) if wish.id else ":material/person:"
        st.markdown(f"{badge} **{inline(wish.by, 80)}** {said}")


def draw_verdict_box(verdict: Verdict) -> None:
    """Draw whether a revision improved, and why, in a box."""
    with st.container(border=True):
        draw_verdict(verdict)


def draw_verdict(verdict: Verdict) -> None:
    """Draw whether a revision improved, and why."""
    st.markdown(
        ":green-badge[:material/trending_up: Improved]"
        if verdict.improved
        else ":gray-badge[:material/trending_flat: No improvement]"
    )
    st.markdown(shown(verdict.reason))


def rule(scene: RefineScene, done: Round) -> str:
    """Say what the stopping rule had counted after a round."""
    play, most = scene.inputs.at(done.n), patience(scene.inputs.at(done.n))
    if play.variant == "no-discriminator":
        return f"No discriminator: ends after {counted(play.most, 'round')}."
    series = "round" if most == 1 else "rounds in a row"
    count = f"{done.quiet} of {most} {series} without improvement"
    if done.quiet >= most:
        following = scene.round(done.n + 1)
        if following and following.goal != done.goal:
            then = f"{inline(following.goal)} comes next"
            return f"{count}: that ends {inline(done.goal)}, and {then}."
        if following:
            return f"{count}: it would have ended here; this branch continues."
        return f"{count}: that ends it."
    if not done.quiet:
        first = "1 round" if most == 1 else f"{most} rounds in a row"
        return f"The count begins anew: {first} without improvement would end it."
    left = most - done.quiet
    return f"{count}; {'one more ends' if left == 1 else f'{left} more end'} it."


def effects(said: Sequence[Effect]) -> list[str]:
    """Say what a revision did to the other qualities."""
    return [
        f"{inline(one.goal)} {EFFECTS[one.said.effect]} {inline(one.said.reason, 600)}"
        for one in said
    ]
