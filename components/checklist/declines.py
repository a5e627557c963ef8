"""A person's part in an evolution: accepting or declining single directives before the next
revision.
"""

from collections.abc import Sequence

import streamlit as st

from components.checklist import address
from components.checklist.scene import ChecklistScene
from components.runs import answering
from components.shell import mistakes, person, services
from components.shell.frame import told
from components.shell.text import counted, inline
from components.shell.widget_state import put
from core.errors import BadInput
from core.records import Judged, Wish
from core.store.answers import FiledWish, OpenQuestion

SEEN = "checklist:seen"
"""The directives a person saw declined as they pressed to revise."""
CHANGED = (
    "Which directives are to be followed was changed elsewhere meanwhile, so nothing was revised."
    " Look at them, then press “Revise” again."
)


def draw(scene: ChecklistScene) -> None:
    """Say that the run waits, for which of its ideas, and hand in the word to go on."""
    answering.draw(scene.run.id, scene.asks, _where)
    mine = scene.question("declines")
    if not scene.asks or (mine is None and scene.question("judge")):
        return  # What is to be judged is asked below, where the idea stands.
    others = [
        n
        for n in range(1, scene.inputs.lines + 1)
        if any(one.key.startswith(f"idea-{n}/") for one in scene.asks) and n != scene.n
    ]
    with st.container(border=True):
        st.markdown(
            "##### :material/person_raised_hand:"
            f" {'The next revision waits for you' if mine else 'Another idea waits for you'}"
        )
        if mine:
            _go_on(scene, mine)
        if others:
            st.caption(
                f"Also waiting: {', '.join(f'idea {n}' for n in others)}. The run goes on once all"
                " are answered."
            )


def choice(scene: ChecklistScene, n: int, one: Judged, declined: Sequence[str] | None) -> None:
    """Draw the box that accepts a directive or declines it, while that still can be chosen; else
    what was chosen.
    """
    if declined is not None:
        if one.item in declined:
            st.caption(":material/block: Declined: the revision was made without it.")
        return
    if not may_choose(scene, n):
        return
    key = _key(scene, n, one.item)
    put(key, not _declines(scene, n, one.item))
    st.checkbox("Follow this directive", key=key, on_change=_choose, args=(scene, n, one.item, key))


def _go_on(scene: ChecklistScene, question: OpenQuestion) -> None:
    n, key = scene.newest, _key(scene, scene.newest)
    gone = {filed.wish.decline for filed in _pending(scene) if filed.wish.of == n}
    feedback = scene.steps[n].feedback if scene.steps else None
    offered = [one.item for one in feedback.unsatisfied] if feedback else []
    declined = [one for one in offered if one in gone]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=440):
            person.field(f"{key}:by", "Your name, kept with the answer (optional)")
        # The press says what was on the screen; what holds is read anew before it is done.
        if st.button(
            "Revise",
            type="primary",
            icon=":material/play_circle:",
            key=f"{key}:go",
            on_click=_saw,
            args=(scene, offered, declined),
        ):
            with mistakes.kept(key):
                if st.session_state.get(SEEN) != declined:
                    raise BadInput(CHANGED)
                answering.hand_in(question, {"items": declined})
        if address.at(scene.run, "step") or address.at(scene.run, "view"):
            st.button(
                "Show the directives",
                type="tertiary",
                icon=":material/checklist_rtl:",
                key=f"{key}:show",
                on_click=address.go,
                args=(scene.run,),
                kwargs={"view": "", "step": ""},
            )
    followed = len(offered) - len(declined)
    st.caption(
        f"It will follow {followed} of {counted(len(offered), 'directive')}; untick below what it"
        " is not to follow." + ("" if followed else " With none it makes small local edits only.")
    )
    answering.begin(question, key)
    mistakes.shown(key)


def _saw(scene: ChecklistScene, offered: Sequence[str], declined: Sequence[str]) -> None:
    # A box that this person just ticked is told by the box: no drawing may have shown it since.
    boxes = {one: _key(scene, scene.newest, one) for one in offered}
    followed = {one: st.session_state.get(boxes[one], one not in declined) for one in offered}
    st.session_state[SEEN] = [one for one in offered if not followed[one]]


def may_choose(scene: ChecklistScene, n: int) -> bool:
    """Whether directives on step `n` can still be declined: its revision is to come, and has not
    begun.
    """
    if (
        scene.run.packed
        or scene.outcome
        or scene.discarded
        or not scene.inputs.informed
        or n != scene.newest
        or n >= scene.inputs.steps - 1
    ):
        return False
    return services.store().steps.place(scene.run.id, f"{scene.prefix}step-{n + 1}/wishes") is None


def _choose(scene: ChecklistScene, n: int, item: str, key: str) -> None:
    # Looked up again: the browser may report one click twice, and somebody else may have been
    # quicker.
    declines = _declines(scene, n, item)
    if st.session_state[key]:
        for filed in declines:
            answering.withdraw(scene.run.id, filed.number)
    elif not declines:
        wish = Wish(by=person.name(), decline=item, of=n, line=scene.n)
        services.store().answers.wish(scene.run.id, wish)


def _pending(scene: ChecklistScene) -> list[FiledWish]:
    pending = services.store().answers.pending(scene.run.id)
    return [filed for filed in pending if filed.wish.line == scene.n]


def _declines(scene: ChecklistScene, n: int, item: str) -> list[FiledWish]:
    """Return the wishes that decline the directive of an item at step `n`."""
    declined = (n, item)
    return [one for one in _pending(scene) if (one.wish.of, one.wish.decline) == declined]


def late(scene: ChecklistScene) -> None:
    """Say what was declined too late: its revision had begun."""
    with told():
        for filed in _pending(scene):
            wish = filed.wish
            if wish.decline and wish.of is not None and not may_choose(scene, wish.of):
                st.caption(
                    f":orange[:material/history:] {inline(wish.by, 80)} declined"
                    f" {inline(wish.decline)} of step {wish.of} too late: its revision had begun"
                    " and is not changed."
                )


def _where(key: str) -> str:
    *places, name = key.replace("-", " ").split("/")
    what = "the items" if name == "judge" else "which directives to follow"
    return f"{', '.join(places)}: {what}".capitalize()


def _key(scene: ChecklistScene, n: int, item: str = "") -> str:
    return f"checklist:follow:{scene.run.id}:{scene.n}:{n}" + (f":{item}" if item else "")
