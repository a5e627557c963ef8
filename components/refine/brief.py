"""How a refinement ended: the refined idea beside the first one, why it stopped, what changed, and
where the idea can go.
"""

import streamlit as st

from components.cases import save as case_save
from components.refine import address
from components.refine.facts import papers
from components.refine.scene import RefineScene
from components.runs import differences
from components.runs import export as run_export
from components.shell import idea_card, onward, services
from components.shell.paper_links import listed
from components.shell.text import inline
from core.export.citations import brought_in, name_version
from core.judging.endings import round_of, say_nearness, say_origin
from core.records import Outcome
from core.wording.differences import between, form_changed, in_brief


def draw(scene: RefineScene) -> None:
    """Draw what came of it, on top of the rounds; nothing while it goes on."""
    outcome = scene.line.outcome
    if outcome is None:
        return
    sign = ":green[:material/check_circle:]" if outcome.converged else ":blue[:material/flag:]"
    with st.container(horizontal=True, vertical_alignment="center"):
        told = f"{sign} **{inline(outcome.reason)}** {say_origin(scene.line)}"
        st.markdown(told, width="stretch")
        if not scene.playing:
            run_export.take(scene.run, outcome.idea, f"refine:{scene.prefix}end")
    if nearer := say_nearness(scene.line):
        st.markdown(f":orange[:material/warning:] {nearer}")
    if outcome.round:
        _versions(scene, outcome)
    _onward(scene, outcome)


def _versions(scene: RefineScene, outcome: Outcome) -> None:
    """Draw the first idea and the refined one side by side."""
    first, refined = scene.line.version(0), outcome.idea
    before, after = st.columns(2, gap="medium")
    with before:
        st.markdown("##### First idea")
        idea_card.draw(first, None, "", "")
        _in_brief(scene, outcome)
        _brought_in(scene)
    with after:
        with st.container(horizontal=True, vertical_alignment="center"):
            made_in = round_of(scene.line)
            of = f":small[:gray[round {made_in}]]" if made_in else ""
            st.markdown(f"##### Refined idea {of}", width="content")
            st.space("stretch")
            marked = st.toggle(
                "Mark what changed", key=f"refine:{scene.prefix}end:marked", persist_state="session"
            )
        if marked:
            differences.draw(between(first, refined), whole=True, form=form_changed(first, refined))
        else:
            idea_card.draw(refined, None, "", "")


def _in_brief(scene: RefineScene, outcome: Outcome) -> None:
    st.markdown("##### What changed")
    rounds = [done for done in scene.line.rounds[: outcome.round] if scene.inputs.counts(done)]
    lines = in_brief(scene.line.version(0), outcome.idea, rounds)
    st.markdown("\n".join(f"- {inline(line, 600)}" for line in lines))


def _brought_in(scene: RefineScene) -> None:
    """Say which papers are cited beyond the background, and where they come from."""
    more = brought_in(services.store(), scene.run, scene.line, papers(scene))
    if more:
        st.markdown("##### Cited beyond the background")
        st.caption(
            "Built-in papers that the built-in model brought in by itself; nobody searched for"
            " them."
        )
        st.markdown(
            "\n".join(f"{listed(one.paper)}, {inline(name_version(one.since))}" for one in more)
        )


def _onward(scene: RefineScene, outcome: Outcome) -> None:
    """Draw the next steps: two of them at once, the others folded."""
    query = {"from": scene.run.id}
    if scene.several:
        query["line"] = str(scene.line.n)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not scene.playing:
            onward.draw("pages/refine.py", "Refine it further", ":material/cyclone:", query)
        if scene.changeable:
            idea_card.keeping(
                outcome.idea,
                scene.run.id,
                f"{scene.prefix}round-{round_of(scene.line)}",
                key=f"refine:{scene.prefix}end",
            )
        if outcome.round:
            st.button(
                "Compare versions",
                icon=":material/compare_arrows:",
                type="tertiary",
                key="refine:end:compare",
                on_click=address.compare,
                args=(scene, 0, outcome.round),
            )
        if not scene.playing:
            with st.popover("Have it judged", icon=":material/balance:", type="tertiary"):
                _judges(scene, outcome, query)
            case_save.offer(scene.run, "refine")


def _judges(scene: RefineScene, outcome: Outcome, query: dict[str, str]) -> None:
    if scene.changeable:
        idea_card.check_novelty(outcome.idea, scene.run.id)
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
