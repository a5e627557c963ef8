"""The round that goes on: what is settled of it, and the text of every actor as it is written."""

from collections.abc import Mapping

import streamlit as st

from components.refine import notes, parts
from components.refine.parts import DOES
from components.refine.scene import RefineScene
from components.runs import differences, writing
from components.runs.actors import Part, cast
from components.shell import services
from components.shell.text import inline, shown, step_name
from core.records import Idea, Review, RevisedIdea, Revision, Verdict, Wish, label
from core.store.steps import Partial
from core.wording.differences import between

HEIGHT = 460
"""Pixels a round that goes on takes, whatever is written already: nothing jumps."""
WRITES: Mapping[Part, tuple[str, ...]] = {
    "review": ("review", "self-review"),
    "revise": ("revise",),
    "verdict": ("verdict", "reflect"),
}
"""The steps whose text belongs to a part."""


def draw(scene: RefineScene, n: int) -> None:
    """Draw the round that goes on, or that broke off: what is settled of it, and the text as it is
    written.
    """
    columns = parts.columns_of(scene, n)
    # Where text is about to come, every part has its room from the start.
    still = scene.live and scene.run.state != "waiting"
    for part, column in columns.items():
        with column:
            parts.headed(scene, n, part, _doing(scene, n, part))
            # One level deeper once it is settled, and one more before it is written: a new box,
            # that begins at its top again.
            if part in scene.settled:
                with (
                    st.container(),
                    st.container(
                        height=HEIGHT if still else "content", border=False, autoscroll=False
                    ),
                ):
                    _settled(scene, n, part)
            elif part == "revise" and not any(
                one.text for one in _parts(scene, _place(n, part), part)
            ):
                with (
                    st.container(),
                    st.container(),
                    st.container(
                        height=HEIGHT if still else "content", border=True, autoscroll=False
                    ),
                ):
                    _under_review(scene, n)
            elif still:
                with st.container(height=HEIGHT, border=True, autoscroll=True):
                    _settled(scene, n, part)
    if still:
        st.caption(_beside(scene, n))
    with columns["revise"]:
        notes.margin(scene, f"{scene.prefix}round-{n - 1}/idea")
    if "review" in columns and scene.settled.get("review"):
        with columns["review"]:
            notes.margin(scene, f"{scene.prefix}round-{n - 1}/review")


def _under_review(scene: RefineScene, n: int) -> None:
    """Draw the version that is to be revised, dimmed, until the revision comes."""
    written(scene, _place(n, "revise"), "revise")
    st.markdown(
        f":gray[:material/history: {f'Version {n - 1}' if n > 1 else 'The first idea'}, which is to"
        " be revised]"
    )
    for name, text in _base(scene, n).fields.items():
        # A colour does not span paragraphs.
        said = "\n\n".join(f":gray[{part}]" for part in shown(text).split("\n\n"))
        st.markdown(said if name == "hypothesis" else f":gray[**{inline(label(name))}**]\n\n{said}")


def _base(scene: RefineScene, n: int) -> Idea:
    """Return the version that round `n` revises, as it is or as a person rewrote it."""
    return next(
        (wish.idea for wish in reversed(_asked(scene)) if wish.idea and not wish.late),
        scene.line.version(n - 1),
    )


def _beside(scene: RefineScene, n: int) -> str:
    """Say what is written beside the three parts: the next review, rankings, side effects."""
    seen = {one.key for part in DOES for one in _parts(scene, _place(n, part), part)}
    others = [
        step_name(one.key.removeprefix(scene.prefix)) for one in scene.parts if one.key not in seen
    ]
    return (
        f":material/edit_note: Meanwhile: {inline('; '.join(others), 160)}" if others else "\u00a0"
    )


def _doing(scene: RefineScene, n: int, part: Part) -> str:
    done, doing = DOES[part]
    if part in scene.settled:
        return done
    if _parts(scene, _place(n, part), part):
        return doing
    if scene.live and cast(scene.inputs.at(n).variant)[part] in scene.inputs.at(n).people:
        return (
            "is asked above" if not scene.playing and _is_asked(scene, n, part) else "will be asked"
        )
    return "waits" if scene.live else "has not begun"


def _is_asked(scene: RefineScene, n: int, part: Part) -> bool:
    """Whether the person in this part has a question before them."""
    return any(
        _writes(scene, one.key, _place(n, part), part)
        for one in services.store().answers.open(scene.run.id)
    )


def _settled(scene: RefineScene, n: int, part: Part) -> None:
    """Draw what a part of the round has so far: its reply, or as much of it as is written."""
    wishes = _asked(scene)
    if part == "review" and (review := held(scene)):
        parts.reviewed(scene, review, n - 1, wishes)
        parts.wished(wishes)
    elif part == "revise" and (revision := _revision(scene)):
        differences.draw(
            between(_base(scene, n), revision.idea, revision.changes),
            whole=bool(st.session_state.get("refine:unchanged")),
        )
    elif part == "verdict" and isinstance(reply := scene.settled.get(part), dict):
        parts.judged(Verdict(improved=reply["improved"], reason=reply["reason"]))
    else:
        written(scene, _place(n, part), part)


def _place(n: int, part: Part) -> str:
    """Return where a part of round `n` is written: the review in the round before."""
    return f"round-{n - 1}" if part == "review" else f"round-{n}"


def written(scene: RefineScene, place: str, part: Part) -> None:
    """Draw what is being written of a part."""
    for one in _parts(scene, place, part):
        writing.draw(one)


def _parts(scene: RefineScene, place: str, part: Part) -> list[Partial]:
    return [one for one in scene.parts if _writes(scene, one.key, place, part)]


def _writes(scene: RefineScene, key: str, place: str, part: Part) -> bool:
    """Whether a step writes this part of the round at `place`."""
    return key.startswith(f"{scene.prefix}{place}/") and key.rsplit("/", 1)[-1] in WRITES[part]


def held(scene: RefineScene) -> Review | None:
    """Return the review of the newest version, once it is written."""
    return Review.model_validate(scene.settled["review"]) if scene.settled.get("review") else None


def _revision(scene: RefineScene) -> Revision | None:
    """Return the revision of the round that goes on, once it is written."""
    return (
        RevisedIdea.model_validate(scene.settled["revise"]).as_revision()
        if scene.settled.get("revise")
        else None
    )


def _asked(scene: RefineScene) -> tuple[Wish, ...]:
    """Return what people asked of the round that goes on."""
    held = scene.settled.get("wishes")
    wishes = [Wish.model_validate(one) for one in held] if isinstance(held, list) else []
    return tuple(
        wish.model_copy(update={"late": wish.of not in (None, scene.line.newest)})
        for wish in wishes
    )
