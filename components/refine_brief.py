"""How a refinement ended: why, with which idea, what changed, and where the idea can go."""
import streamlit as st

from components import case_save, idea_card, refine_address
from components.refine_scene import Scene
from components.text import inline
from core.differences import in_brief
from core.records import Outcome


def draw(scene: Scene) -> None:
    """Draw why it stopped and what came of it; nothing while it goes on."""
    outcome = scene.line.outcome
    if outcome is None:
        return
    (st.success if outcome.converged else st.info)(f"{inline(outcome.reason)} {_from(scene, outcome)}",
                                                   icon=":material/check_circle:" if outcome.converged else ":material/flag:")
    if outcome.round:
        with st.expander(f"The refined idea: {inline(outcome.idea.title, 110)}", icon=":material/lightbulb:"):
            idea_card.draw(outcome.idea, None, "", "")
        with st.expander("What changed, in five lines", icon=":material/summarize:"):
            lines = in_brief(scene.line.version(0), outcome.idea, scene.line.rounds[: outcome.round])
            st.markdown("\n".join(f"- {inline(line, 600)}" for line in lines))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        _onward(scene, outcome)


def _from(scene: Scene, outcome: Outcome) -> str:
    if outcome.round:
        return f"The idea returned is from round {outcome.round}."
    if not scene.line.rounds:
        return ""
    return "The idea returned is the first one: no revision was judged an improvement."


def _onward(scene: Scene, outcome: Outcome) -> None:
    if scene.changeable:
        idea_card.keeping(outcome.idea, scene.run.id, f"{scene.prefix}round-{outcome.round}", key=f"refine:{scene.prefix}end")
    if outcome.round:
        st.button("Compare first and last", icon=":material/compare_arrows:", type="tertiary", key="refine:end:compare", on_click=refine_address.show,
                  args=(scene.run, "compare"))
    if scene.playing:
        return
    case_save.offer(scene.run, "refine")
    st.page_link("pages/refine.py", label="Refine it further", icon=":material/cyclone:", help="For another quality, with other models, or by another variant",
                 query_params={"from": scene.run.id} | ({"line": str(scene.line.n)} if scene.several else {}))
