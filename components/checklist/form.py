"""Starting an evolution: what it begins with, how it is judged and revised, and what the chosen
models cannot do, said before the start.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from components.checklist import begin as checklist_begin
from components.checklist import passages
from components.checklist.begin import IDEA, ChecklistBeginning, ChosenLiterature
from components.checklist.items import LOOKS, item_name
from components.runs import earlier, starting
from components.runs.asking import DOES, models_and_limits
from components.runs.starting import planned, unanswered
from components.shell import services
from components.shell.frame import part, told
from components.shell.text import counted, inline, shown
from core.errors import BadInput
from core.judging.checklist import by_code_alone
from core.methods.evolution import EvolveInputs
from core.records import BY_CODE, HEADINGS, Idea, Run
from core.runs.planning import validated

PAGE = "checklist"
ROLES = {
    "main": "asks the question and reviews the literature",
    "generator": "writes and revises the idea",
    "judge": "judges each item and gives directives",
    "scorer": "scores only; its directives are not used",
}
"""What a model can be chosen for here."""
BY = {True: "By the judge's directives", False: "By the model itself, without any"}
JUDGES = {"model": "A language model", "person": "I do"}
DECIDED = {"code": "By code, free", "model": "By the judge, for comparison with the paper"}
NEEDS = (
    "Ideas are written and judged by a language model. The built-in one understands nothing and"
    " would have to do this: {}. Choose a language model under “Models and limits”, or connect one"
    " in Settings."
)


class ChecklistFormValues(NamedTuple):
    """Everything the form was told."""

    begin: ChecklistBeginning
    way: dict[str, Any]
    literature: ChosenLiterature
    frozen: dict[str, Any]
    """Models and caps."""

    @property
    def wrong(self) -> str:
        """What keeps the run from starting, as a sentence; empty where nothing does."""
        return self.begin.wrong or self.literature.wrong

    @property
    def inputs(self) -> EvolveInputs:
        """What the run is asked for; raises BadInput."""
        begin = self.begin
        given = {
            "topic": begin.topic or "-",
            "question": begin.question,
            "idea": begin.idea,
            **self.literature.inputs,
            **self.way,
        }
        if begin.idea and self.way["steps"] == 1 and self.way["judged_by"] == "person":
            given |= {
                "question": begin.question or begin.idea.title,
                "review": "",
                "papers": False,
            }  # Nothing is written, so nothing is looked for either.
        return validated(EvolveInputs, **given)

    @property
    def missing(self) -> list[str]:
        """Which parts of it were given to the built-in model, which cannot do them; raises
        BadInput.
        """
        models = self.frozen["models"]
        return unanswered(
            "evolve",
            self.inputs.model_dump(mode="json"),
            {role: models.get(role) or models["main"] for role in (*DOES, *models)},
        )


def draw(address: Mapping[str, str]) -> None:
    """Draw the form, what it would take, and the evolutions there are; starting one opens it."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
        earlier.draw(
            "evolve",
            "Checklist evolutions so far",
            "None yet. An evolution needs a language model. Without one you can judge an idea"
            " yourself; Layout and Length are judged by code.",
        )
    with left, told():
        asked = _form(address)
    with ahead, told():
        stands = _ahead(asked)
    with left, told():
        _start(asked, stands)


def _form(address: Mapping[str, str]) -> ChecklistFormValues:
    with part():
        begin = checklist_begin.draw(address)
    with part():
        papers = checklist_begin.literature(begin)
    way = _way(begin)
    frozen = models_and_limits(
        PAGE, tuple(role for role in ROLES if role != "scorer" or way["apart"]), ROLES
    )
    return ChecklistFormValues(begin, way, papers, frozen)


def _way(begin: ChecklistBeginning) -> dict[str, Any]:
    alone = begin.way == IDEA
    left, right = st.columns(2, vertical_alignment="bottom")
    steps = starting.number(
        left,
        "Steps in all",
        (EvolveInputs, "steps"),
        "checklist:steps",
        help="The paper uses 2: one idea and one revision.",
    )
    lines = starting.number(
        right,
        "Ideas side by side",
        (EvolveInputs, "lines"),
        "checklist:lines:alone" if alone else "checklist:lines",
        disabled=alone,
        persist_state=None if alone else "session",
        help="An idea of your own is evolved alone." if alone else None,
    )
    informed = st.radio(
        "Revised",
        (True, False),
        format_func=BY.__getitem__,
        key="checklist:informed",
        horizontal=True,
        persist_state="session",
        help=(
            "The second is the uninformed counterpart: the model corrects itself and never learns"
            " what the judge found."
        ),
    )
    step_in = st.checkbox(
        "Wait for me before every revision",
        key="checklist:step-in",
        persist_state="session",
        disabled=not informed,
        help="You accept or decline each directive; then the run goes on.",
    )
    by = st.segmented_control(
        "Who judges the items that need understanding",
        list(JUDGES),
        key="checklist:judged-by",
        default="model",
        required=True,
        format_func=JUDGES.__getitem__,
        persist_state="session",
        help=(
            "You are asked about all of them at once, as often as an idea is written; Layout and"
            " Length are judged by code."
        ),
    )
    with st.expander("How it is judged"):
        decided = st.radio(
            "Layout and Length",
            ("code", "model"),
            format_func=DECIDED.__getitem__,
            key="checklist:decided",
            persist_state="session",
        )
        apart = st.checkbox(
            "Another judge scores",
            key="checklist:apart",
            persist_state="session",
            help=(
                "One judge gives directives, another one scores, so that no idea is measured by the"
                " judge it was written for."
            ),
        )
    return {
        "steps": steps,
        "lines": 1 if alone else lines,
        "informed": bool(informed),
        "step_in": bool(step_in and informed),
        "apart": bool(apart),
        "decided": "code" if by == "person" and not apart else decided,
        "judged_by": by or "model",
    }


def _ahead(asked: ChecklistFormValues) -> bool:
    """Say before the start what the run will be and take; return whether it can be started once
    its texts are written. A button that is off while a text is typed would miss its first click.
    """
    st.markdown("**What this will be**")
    inputs = asked.inputs
    revised = "revised by directives" if inputs.informed else "revised without directives"
    many = "The idea" if inputs.idea else counted(inputs.lines, "idea")
    again = ", judged and not revised"
    if inputs.steps > 1:
        times = "once" if inputs.steps == 2 else f"{inputs.steps - 1} times"
        again = f", {times} {revised}"
    st.markdown(
        f"{many}{again}. Each item is judged by itself"
        + (", Layout and Length by code." if inputs.decided == "code" else ".")
    )
    if asked.begin.wrong and asked.begin.way == IDEA:
        st.caption(f":material/info: {inline(asked.begin.wrong, 600)}")
        return True
    if missing := asked.missing:
        st.warning(NEEDS.format(inline(", ".join(missing), 300)), icon=":material/extension_off:")
        st.page_link("pages/settings.py", label="Connect a language model", icon=":material/tune:")
        st.button(
            "Judge my idea myself",
            icon=":material/person_raised_hand:",
            key="checklist:myself",
            on_click=_myself,
            help="Takes no model: you say of each item whether it holds, and nothing is written.",
        )
        return False
    planned(
        "evolve",
        inputs,
        asked.frozen["models"],
        asked.frozen.get("cap_usd"),
        asked.literature.source,
    )
    if inputs.judged_by == "person":
        st.info(
            f"You will be asked to judge {counted(inputs.lines * inputs.steps, 'idea')}, free.",
            icon=":material/person_raised_hand:",
        )
    if inputs.step_in:
        st.info(
            "The run will wait for you before every revision.", icon=":material/person_raised_hand:"
        )
    return True


def _myself() -> None:
    """Choose an idea of one's own, judged once by oneself: what no model is needed for."""
    st.session_state.update(
        {
            "checklist:start": IDEA,
            "checklist:judged-by": "person",
            "checklist:steps": 1,
            "checklist:literature": checklist_begin.NONE,
        }
    )


def _start(asked: ChecklistFormValues, stands: bool) -> None:
    if not stands:
        st.caption(
            ":material/extension_off: It cannot be started yet: “What this will be” says what is"
            " missing."
        )
    with st.container(horizontal=True):
        go = st.button(
            "Judge it" if asked.begin.way == IDEA and asked.way["steps"] == 1 else "Evolve",
            type="primary",
            icon=":material/checklist_rtl:",
            key="checklist:go",
            disabled=not stands,
        )
        check_button(asked.begin.idea)
    if go:
        starting.go_to(_begun(asked))
    draw_check(asked.begin.idea)


def _begun(asked: ChecklistFormValues) -> Run:
    """Start the run, or return the one the same click has just started; raises BadInput."""
    if asked.wrong:
        raise BadInput(asked.wrong)
    inputs, source = asked.inputs, asked.literature.source
    title = inputs.idea.title if inputs.idea else inputs.topic

    def begin() -> Run:
        run = services.begin("evolve", inputs, title, source=source, **asked.frozen)
        st.session_state.pop(checklist_begin.GIVEN, None)
        return run

    return starting.once(
        "checklist", [inputs.model_dump(mode="json"), source, str(asked.frozen)], begin
    )


# -- layout and length by code alone: free, at once, and without a run ----------------------------

ASKED = "checklist:check"
"""The idea whose layout and length were asked for, by its digest."""
NEEDS_HEADINGS = (
    "Code can judge only ideas written under the seven headings, and this one is not."
    f" Write it under {', '.join(HEADINGS)}, each on a line of its own, and check again; or evolve"
    " it: its first revision has them."
)


def check_button(idea: Idea | None) -> None:
    """Draw the button that asks for it; without an idea there is nothing to check."""
    if idea:
        st.button(
            "Check layout and length only",
            icon=":material/straighten:",
            key="checklist:check:go",
            on_click=st.session_state.update,
            args=({ASKED: idea.digest()},),
            help="By code: free, at once, no model and no run.",
        )


def draw_check(idea: Idea | None) -> None:
    """Draw what code finds, if it was asked for this very text."""
    if idea is None or st.session_state.get(ASKED) != idea.digest():
        return
    if idea.form != "headed":
        st.info(NEEDS_HEADINGS, icon=":material/info:")
        return
    passages.style()
    found = [one for one in by_code_alone(idea).items if one.item in BY_CODE]
    with st.container(border=True):
        for one in found:
            look = LOOKS[one.score]
            with st.container(key=passages.key(one.item), gap="xsmall"):
                st.markdown(
                    f":{look.colour}[{look.icon}] **{inline(item_name(one.item))}** {look.word}"
                )
                if one.directive:
                    st.markdown(
                        f"{shown(one.directive.issue)}\n\n:small[:material/arrow_forward:"
                        f" {inline(one.directive.suggestion, 2_000)}]"
                    )
        st.caption("The other seven items need a language model to judge them.")
    passages.draw(idea, [one for one in found if one.score == 0])
