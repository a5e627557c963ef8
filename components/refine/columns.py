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
from core.records import Effect, Remark, Review, Round, Verdict, Wish

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
    return dict(zip(parts, st.columns([WIDTHS[part] for part in parts], gap="medium"), strict=True))


def headed(scene: RefineScene, n: int, part: Part, does: str) -> None:
    """Draw who has a column, by the name of this game, and what they do."""
    actor, play = cast(scene.inputs.at(n).variant)[part], scene.inputs.at(n)
    name = scene.actors(n)[actor].capitalize()
    who = (
        f"{name} alone"
        if play.variant == "self-reflection"
        else f"{name}, a person"
        if actor in play.people
        else name
    )
    st.markdown(head(actor, does, who))


def reviewed(
    scene: RefineScene, review: Review, version: int, wishes: tuple[Wish, ...] = ()
) -> None:
    """Draw the review of a version; a declined remark is struck through, and one that still can be
    declined has its switch.
    """
    declined = {wish.decline: wish.by for wish in wishes if wish.decline and not wish.late}
    with st.container(border=True, gap="small"):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(_remark(remark, declined.get(remark.id)))
            steer.choice(scene, version, remark)


def _remark(remark: Remark, declined: str | None) -> str:
    trait = f" :gray[{inline(remark.trait, 100)}]" if remark.trait else ""
    if declined:
        return (
            f"{differences.badge(remark.id)} :gray[~~{inline(remark.text, 2000)}~~]{trait}"
            f" :material/block: declined by {inline(declined, 80)}"
        )
    return f"{differences.badge(remark.id)} {inline(remark.text, 2000)}{trait}"


def wished(wishes: tuple[Wish, ...]) -> None:
    """Draw what people asked of a revision, with their names."""
    for wish in wishes:
        late = (
            " :gray[It came too late for this revision: its version had been revised.]"
            if wish.late
            else ""
        )
        said = (
            f"asked: {inline(wish.text, 2000)}"
            if wish.text
            else (
                f"declined {inline(wish.decline)}."
                if wish.decline
                else "rewrote the idea; the revision began from that text."
            )
        )
        st.markdown(
            (f"{differences.badge(wish.id)} " if wish.id else ":material/person: ")
            + f"**{inline(wish.by, 80)}** {said}{late}"
        )


def judged(verdict: Verdict) -> None:
    """Draw whether a revision improved, and why."""
    with st.container(border=True):
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
        return f"Nobody decides: it ends after {counted(play.most, 'round')}."
    count, ends = (
        f"{done.quiet} of {most} quiet {'round' if most == 1 else 'rounds in a row'}",
        _ends(scene, done),
    )
    if done.quiet >= most:
        return f"{count}: {ends}"
    if not done.quiet:
        return (
            "The count begins anew:"
            f" {counted(most, 'quiet round')}{' in a row' if most > 1 else ''} would end it."
        )
    left = most - done.quiet
    return f"{count}; {'one' if left == 1 else left} more {'ends' if left == 1 else 'end'} it."


def _ends(scene: RefineScene, done: Round) -> str:
    following = scene.round(done.n + 1)
    if following and following.goal != done.goal:
        return f"that ends {inline(done.goal)}, and {inline(following.goal)} comes next."
    if following:
        return "it would have ended there, and somebody branched off to go on."
    return "that ends it."


def effects(said: Sequence[Effect]) -> list[str]:
    """Say what a revision did to the other qualities."""
    return [
        f"{inline(one.goal)} {EFFECTS[one.said.effect]} {inline(one.said.reason, 600)}"
        for one in said
    ]
