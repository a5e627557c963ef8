"""Steering a refinement: a remark of one's own, single remarks declined, the idea rewritten before
its next revision.
"""

import time
from collections.abc import Sequence

import streamlit as st

from components.refine import branch, idea_fields
from components.refine.branch import SLIP
from components.refine.scene import RefineScene
from components.runs import answering, states
from components.shell import mistakes, person, services
from components.shell.text import inline
from core.errors import BadInput
from core.records import Remark, Wish
from core.store.answers import FiledWish, wished


def draw(scene: RefineScene) -> None:
    """Draw the box for a remark of one's own, the way to rewrite the newest version, and what waits
    for the next revision; not beside an open question.
    """
    branch.go_on_there()
    if not scene.changeable or scene.line.first is None:
        return
    if _asked(scene):
        return  # One form at a time, and the question on this idea comes first.
    ended = scene.line.outcome is not None
    with st.container(border=True):
        part = "Go on with a remark of yours" if ended else "Your part in the next revision"
        st.markdown(f"**:material/person: {part}**")
        st.caption(_when(scene, ended))
        _remark(scene, ended)
        for filed in _pending(scene):
            _filed(scene, filed, ended)
        if not ended:
            _rewrite(scene)


def _asked(scene: RefineScene) -> bool:
    """Whether a question on this idea is open, in a run that waits or was stopped while it did."""
    if scene.run.state not in ("waiting", "stopped"):
        return False
    questions = services.store().answers.open(scene.run.id)
    return any(question.key.startswith(scene.prefix) for question in questions)


def taken(scene: RefineScene) -> bool:
    """Whether the next revision has begun: what is filed now is for the one after it."""
    key = f"{scene.prefix}round-{scene.line.newest + 1}/wishes"
    return services.store().steps.place(scene.run.id, key) is not None


def choice(scene: RefineScene, version: int, remark: Remark) -> None:
    """Draw the switch that declines a remark on the newest version, or takes that back; nothing
    where its revision has begun.
    """
    if (
        not scene.changeable
        or version != scene.line.newest
        or scene.line.outcome
        or scene.run.state == "waiting"
        or _asked(scene)
        or taken(scene)
    ):
        return
    held = _declined(scene, version, remark.id)
    key = f"refine:decline:{scene.run.id}:{scene.prefix}{version}:{remark.id}"
    if held:
        st.button(
            f"Declined by {inline(held[0].wish.by, 60)}. Accept it after all",
            icon=":material/undo:",
            type="tertiary",
            key=f"{key}:undo",
            on_click=_accept,
            args=(scene, version, remark.id),
        )
    else:
        st.button(
            "Decline",
            icon=":material/block:",
            type="tertiary",
            key=key,
            on_click=_decline,
            args=(scene, version, remark.id),
            help="The next revision is made without this remark.",
        )


# -- a remark of one's own ---------------------------------------------------------------------


def _when(scene: RefineScene, ended: bool) -> str:
    n = scene.line.newest
    if ended:
        upto = f"round {n}" if n else "the first idea"
        return (
            f"It makes a branch that shares everything up to {upto} and goes on from there; this"
            " run stays as it is."
        )
    resumed = "" if states.active(scene.run) else " when the run is resumed"
    if not taken(scene):
        return f"What you submit here is taken up by round {n + 1}{resumed}."
    if not scene.live:
        return (
            f"Round {n + 1} had begun when the run stopped, and goes on when it is resumed. A"
            f" remark submitted now is for round {n + 2}."
        )
    return (
        f"Round {n + 1} is being written: a remark submitted now is for round {n + 2}. To decline"
        " remarks or rewrite the idea, choose “Stop before the next revision” above."
    )


def _remark(scene: RefineScene, ended: bool) -> None:
    key = f"refine:wish:{scene.run.id}:{scene.line.n}"
    st.text_area(
        "A remark of yours, for the next revision",
        key=key,
        height=68,
        persist_state="session",
        placeholder="What the generator is to take into account besides the review",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=260):
            person.field(f"{key}:by")
        st.button(
            "Branch and go on" if ended else "Submit",
            icon=":material/add_comment:",
            key=f"{key}:file",
            on_click=_file_remark,
            args=(scene, key, ended),
        )
    mistakes.shown(key)


def _file_remark(scene: RefineScene, key: str, ended: bool) -> None:
    text = str(st.session_state.get(key) or "")
    pressed = float(st.session_state.get(f"{key}:at", -SLIP))
    if not text.strip() and time.monotonic() - pressed < SLIP:
        return
    with mistakes.kept(key):
        wish = wished(text, person.name(), scene.line.n)
        if ended:
            branch.make(scene, scene.line.newest, [wish])
        else:
            services.store().answers.wish(scene.run.id, wish)
        st.session_state[key] = ""
        st.session_state[f"{key}:at"] = time.monotonic()


def _filed(scene: RefineScene, filed: FiledWish, ended: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        text = filed.wish.text or (
            f"remark {filed.wish.decline} declined" if filed.wish.decline else "the idea rewritten"
        )
        st.markdown(
            f":small[{_fate(scene, filed.wish, ended)} {inline(text, 300)}"
            f" ({inline(filed.wish.by, 60)})]",
            width="content",
        )
        st.button(
            "Withdraw",
            type="tertiary",
            key=f"refine:withdraw:{filed.number}",
            on_click=answering.withdraw,
            args=(scene.run.id, filed.number),
        )
        if ended and filed.wish.text:
            st.button(
                "Branch and go on with it",
                icon=":material/call_split:",
                type="tertiary",
                key=f"refine:take-up:{filed.number}",
                on_click=_take_up,
                args=(scene, filed),
            )
    mistakes.shown(f"filed:{filed.number}")


def _fate(scene: RefineScene, wish: Wish, ended: bool) -> str:
    if ended:
        return ":orange[:material/history: Too late for the last revision:]"
    if wish.of is not None and (wish.of < scene.line.newest or taken(scene)):
        return (
            f":orange[:material/history: Too late: round {wish.of + 1} had already begun. Saved,"
            " but not used:]"
        )
    return f":material/schedule: Waits for round {scene.line.newest + 1 + taken(scene)}:"


def _take_up(scene: RefineScene, filed: FiledWish) -> None:
    with mistakes.kept(f"filed:{filed.number}"):
        branch.make(scene, scene.line.newest, [filed.wish])


# -- single remarks declined -------------------------------------------------------------------


def _declined(scene: RefineScene, version: int, remark: str) -> Sequence[FiledWish]:
    declines = (remark, version)
    return [filed for filed in _pending(scene) if (filed.wish.decline, filed.wish.of) == declines]


def _decline(scene: RefineScene, version: int, remark: str) -> None:
    # Looked up again: the browser may report one click twice, and somebody else may have been
    # quicker.
    if not _declined(scene, version, remark):
        wish = Wish(by=person.name(), decline=remark, of=version, line=scene.line.n)
        services.store().answers.wish(scene.run.id, wish)


def _accept(scene: RefineScene, version: int, remark: str) -> None:
    for filed in _declined(scene, version, remark):
        answering.withdraw(scene.run.id, filed.number)


# -- the idea rewritten ------------------------------------------------------------------------


def _rewrite(scene: RefineScene) -> None:
    """Draw the idea's fields to be rewritten; a box that is open stays with its version, so that
    nothing typed is lost when a round ends meanwhile.
    """
    key = f"refine:rewrite:{scene.run.id}:{scene.line.n}"
    opened, pin = st.session_state.get(f"{key}:open"), f"{key}:version"
    version = int(st.session_state.get(pin, scene.line.newest)) if opened else scene.line.newest
    late = taken(scene) or version < scene.line.newest
    if late and not opened:
        return
    st.session_state[pin] = version
    with st.expander(
        "Rewrite the idea before its next revision", key=f"{key}:open", on_change="rerun"
    ):
        here = f"{key}:{version}"
        if late:
            st.warning(
                f"Round {version + 1} began before this was submitted, and is not changed. A"
                " branch can begin from your text.",
                icon=":material/history:",
            )
        idea_fields.draw(scene.line.version(version).fields, here)
        st.button(
            "Branch from this text" if late else "Start the next revision from this text",
            icon=":material/call_split:" if late else ":material/check:",
            key=f"{here}:file",
            on_click=_file_rewriting,
            args=(scene, version, here, late),
        )
        mistakes.shown(here)


def _file_rewriting(scene: RefineScene, version: int, key: str, late: bool) -> None:
    idea = scene.line.version(version)
    with mistakes.kept(key):
        fields = {
            name: str(st.session_state.get(f"{key}:{name}", text))
            for name, text in idea.fields.items()
        }
        made = idea_fields.rewritten(idea, fields)
        if made is None:
            raise BadInput("Nothing is changed yet: it is the idea as it stands.")
        wish = Wish(by=person.name(), idea=made, of=version, line=scene.line.n)
        if late:
            branch.make(scene, version, [wish])
        elif not any(filed.wish.idea == made for filed in _pending(scene)):
            services.store().answers.wish(scene.run.id, wish)


# -- what is filed -----------------------------------------------------------------------------


def _pending(scene: RefineScene) -> Sequence[FiledWish]:
    pending = services.store().answers.pending(scene.run.id)
    return [filed for filed in pending if filed.wish.line == scene.line.n]
