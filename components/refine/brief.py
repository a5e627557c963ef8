"""How a refinement ended: why, with which idea, what changed, and where the idea can go."""

import streamlit as st

from components.cases import save as case_save
from components.refine import address
from components.refine.scene import RefineScene
from components.shell import idea_card
from components.shell.text import inline
from core.records import Outcome
from core.wording.differences import in_brief


def draw(scene: RefineScene) -> None:
    """Draw why it stopped and what came of it, in two rows; nothing while it goes on."""
    outcome = scene.line.outcome
    if outcome is None:
        return
    improved = max(
        (done.n for done in scene.line.rounds if done.verdict and done.verdict.improved), default=0
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
        sign = ":green[:material/check_circle:]" if outcome.converged else ":blue[:material/flag:]"
        st.markdown(
            f":small[{sign} **{inline(outcome.reason)}** {_from(scene, outcome, improved)}]",
            width="content",
        )
        if outcome.converged and 0 < improved < outcome.round:
            st.button(
                f"Last improved: round {improved}",
                type="tertiary",
                key=f"refine:{scene.prefix}improved",
                on_click=_open,
                args=(scene, improved),
            )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if outcome.round:
            with st.popover("Refined idea", icon=":material/lightbulb:", type="tertiary"):
                idea_card.draw(outcome.idea, None, "", "")
            with st.popover(
                "What changed",
                icon=":material/summarize:",
                type="tertiary",
                help="In five lines, from the first idea to this one",
            ):
                lines = in_brief(
                    scene.line.version(0), outcome.idea, scene.line.rounds[: outcome.round]
                )
                st.markdown("\n".join(f"- {inline(line, 600)}" for line in lines))
        _onward(scene, outcome)


def _open(scene: RefineScene, n: int) -> None:
    address.show(scene.run, "rounds")
    address.open_round(scene, n)


def _from(scene: RefineScene, outcome: Outcome, improved: int) -> str:
    if outcome.converged:
        # InfAL, algorithm 1: the idea on which the verdicts came to rest, not the one they last
        # praised.
        none = "" if improved else " No revision was judged an improvement."
        return (
            f"This is the idea of round {outcome.round}, the last round, as InfAL defines it.{none}"
        )
    if outcome.round:
        return f"The idea returned is from round {outcome.round}."
    if not scene.line.rounds:
        return ""
    return "The idea returned is the first one: no revision was judged an improvement."


def _onward(scene: RefineScene, outcome: Outcome) -> None:
    if scene.changeable:
        idea_card.keeping(
            outcome.idea,
            scene.run.id,
            f"{scene.prefix}round-{outcome.round}",
            key=f"refine:{scene.prefix}end",
        )
    if outcome.round:
        st.button(
            "Compare first and last",
            icon=":material/compare_arrows:",
            type="tertiary",
            key="refine:end:compare",
            on_click=address.compare,
            args=(scene, 0, outcome.round),
        )
    if scene.playing:
        return
    case_save.offer(scene.run, "refine")
    query = {"from": scene.run.id}
    if scene.several:
        query["line"] = str(scene.line.n)
    st.page_link(
        "pages/checklist.py",
        label="Judge by checklist",
        icon=":material/checklist_rtl:",
        help="Item by item, with a directive for each that fails",
        query_params=query,
    )
    if outcome.round:
        st.page_link(
            "pages/sessions.py",
            label="Have experts comment",
            icon=":material/groups:",
            query_params={"view": "new", "run": scene.run.id},
            help=(
                "Round by round, blind: was the review valid, did the revision answer it, is the"
                " idea better?"
            ),
        )
    st.page_link(
        "pages/refine.py",
        label="Refine it further",
        icon=":material/cyclone:",
        help="For another quality, with other models, or by another variant",
        query_params=query,
    )
