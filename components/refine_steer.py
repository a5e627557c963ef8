"""Steering a refinement: a remark of one's own, single remarks declined, the idea rewritten before its next revision."""
from collections.abc import Sequence

import streamlit as st

from components import person, services, states
from components.refine_scene import Scene
from components.text import inline
from core.branching import branch
from core.errors import BadInput
from core.records import Idea, Remark, Wish, label
from core.store.answers import Filed, wished


def draw(scene: Scene) -> None:
    """Draw the box for a remark of one's own, the way to rewrite the newest version, and what waits for the next revision."""
    if scene.playing or scene.run.packed or scene.line.first is None:
        return
    ended, pending = scene.line.outcome is not None, _pending(scene)
    with st.container(border=True):
        st.markdown("**:material/person: Your part in the next revision**" if not ended else "**:material/person: Go on with a remark of yours**")
        st.caption(_when(scene, ended))
        _remark(scene, ended)
        for filed in pending:
            _filed(scene, filed, ended)
        if not ended and not taken(scene):
            _rewrite(scene)


def taken(scene: Scene) -> bool:
    """Whether the next revision has begun: what is filed now is for the one after it."""
    key = f"{scene.prefix}round-{scene.line.newest + 1}/wishes"
    return services.store().steps.place(scene.run.id, key) is not None


def choice(scene: Scene, version: int, remark: Remark) -> None:
    """Draw the switch that declines a remark on the newest version, or takes that back; nothing where its revision has begun."""
    if scene.playing or scene.run.packed or version != scene.line.newest or scene.line.outcome or scene.run.state == "waiting" or taken(scene):
        return
    held = next((one for one in _pending(scene) if (one.wish.decline, one.wish.of) == (remark.id, version)), None)
    key = f"refine:decline:{scene.prefix}{version}:{remark.id}"
    if held:
        st.button(f"Declined by {inline(held.wish.by, 60)}. Accept it after all", icon=":material/undo:", type="tertiary", key=key, on_click=_withdraw,
                  args=(scene, held.number))
    else:
        st.button("Decline", icon=":material/block:", type="tertiary", key=key, on_click=_file, help="The next revision is made without this remark.",
                  args=(scene, Wish(by=person.name(), decline=remark.id, of=version, line=scene.line.n)))


def _when(scene: Scene, ended: bool) -> str:
    n = scene.line.newest
    if ended:
        return f"It makes a branch that shares everything up to round {n} and plays on from there; this run stays as it is."
    if scene.run.state == "waiting":
        return "The run waits for an answer; what you file here is taken up with it."
    if taken(scene):
        return (f"Round {n + 1} is being written: a remark filed now is for round {n + 2}. To decline remarks or rewrite the idea in peace, "
                "choose “Stop after this round” above.")
    rest = "" if states.active(scene.run) else " when the run is resumed"
    return f"What you file here is taken up by round {n + 1}{rest}."


def _remark(scene: Scene, ended: bool) -> None:
    with st.form("refine:steer", clear_on_submit=True, border=False):
        left, right, go = st.columns([6, 2, 2], vertical_alignment="bottom")
        text = left.text_input("A remark of yours, for the next revision", key="refine:wish")
        by = right.text_input("Your name", key="refine:wish-by", value=person.given(), max_chars=80)
        filed = go.form_submit_button("Branch and go on" if ended else "File it", icon=":material/add_comment:")
    if not filed:
        return
    try:
        wish = wished(text, by, scene.line.n)
        person.is_called(by)
        if ended:
            _go_on(scene, [wish])
        else:
            services.store().answers.wish(scene.run.id, wish)
    except BadInput as error:
        st.error(inline(str(error)))


def _filed(scene: Scene, filed: Filed, ended: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        late = "Came too late for the last revision" if ended else "Waits for the next revision"
        st.caption(f":material/schedule: {late}: {inline(_said(filed.wish), 300)} ({inline(filed.wish.by, 60)})")
        st.button("Withdraw", type="tertiary", key=f"refine:withdraw:{filed.number}", on_click=_withdraw, args=(scene, filed.number))


def _said(wish: Wish) -> str:
    return wish.text or (f"remark {wish.decline} declined" if wish.decline else "the idea rewritten")


def _rewrite(scene: Scene) -> None:
    version, newest = scene.line.newest, scene.line.version(scene.line.newest)
    with st.expander("Rewrite the idea before its next revision", icon=":material/edit:"), st.form(f"refine:rewrite:{version}", border=False):
        fields = idea_fields(newest, f"refine:rewrite:{scene.prefix}{version}")
        done = st.form_submit_button("Start the next revision from this text", icon=":material/check:")
    if done:
        idea = Idea(form=newest.form, fields=fields) if all(text.strip() for text in fields.values()) else None
        if idea is None:
            st.error("Every field needs a text. Take a field back to what it was, or say in it that nothing is known yet.")
        elif idea != newest:
            _file(scene, Wish(by=person.name(), idea=idea, of=version, line=scene.line.n))
            st.rerun(scope="fragment" if states.active(scene.run) else "app")


def idea_fields(idea: Idea, key: str) -> dict[str, str]:
    """Draw an idea's fields to be edited and return their texts."""
    return {name: st.text_area(label(name), value=text, key=f"{key}:{name}", height="content") or "" for name, text in idea.fields.items()}


def _pending(scene: Scene) -> Sequence[Filed]:
    return [one for one in services.store().answers.pending(scene.run.id) if one.wish.line == scene.line.n]


def _file(scene: Scene, wish: Wish) -> None:
    services.store().answers.wish(scene.run.id, wish)


def _withdraw(scene: Scene, number: int) -> None:
    try:
        services.store().answers.withdraw(scene.run.id, number)
    except BadInput as error:
        st.session_state["states:said"] = str(error)


def _go_on(scene: Scene, wishes: Sequence[Wish]) -> None:
    made = branch(services.runner(), scene.run.id, scene.line.newest, line=scene.line.n, wishes=wishes)
    services.runner().start(made.id)
    st.query_params["run"] = made.id
    st.rerun()
