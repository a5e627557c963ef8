"""How a session is held: changed while it is a draft, read once it is frozen; and what happened in
it.
"""

import streamlit as st

from components.sessions import criteria as study_criteria
from components.sessions import plan as study_plan
from components.sessions.words import TASKS, moment
from components.shell import mistakes, services
from components.shell.text import inline
from core.records import Study, StudyPlan
from core.runs.planning import validated
from core.studies.setting_up import replan

SAID = "study:changed"


def draw(study: Study) -> None:
    """Draw the set-up of a session and its record."""
    if study.state == "draft":
        _changed(study)
    else:
        _frozen(study)
    _events(study)


def _changed(study: Study) -> None:
    plan, key = study.plan, f"study:change:{study.id}"
    name = st.text_input(
        "Name, for you", plan.name, key=f"{key}:name", max_chars=200, persist_state="session"
    )
    criteria = study_criteria.draw(key, plan.task, plan.kind, plan.criteria)
    read = study_plan.read(key, plan.task, plan.kind, plan)
    given = plan.model_dump() | {
        "name": (name or "").strip() or plan.name,
        "criteria": criteria,
        **read,
        **study_plan.numbers(key, plan),
    }
    wanted = validated(StudyPlan, **given)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Keep the changes",
            type="primary",
            icon=":material/save:",
            key="study:keep",
            disabled=wanted == plan,
            on_click=_keep,
            args=(study, wanted),
        )
        st.caption(
            "Nothing is changed."
            if wanted == plan
            else (
                "Texts keep their labels. To judge other texts, or in another way, set up another"
                " session."
            )
        )
    mistakes.shown(key)


def _keep(study: Study, wanted: StudyPlan) -> None:
    with mistakes.kept(f"study:change:{study.id}"):
        replan(services.store(), study.id, wanted)


def _frozen(study: Study) -> None:
    plan = study.plan
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{TASKS[plan.task][0]}**: {TASKS[plan.task][1]}")
        for one in plan.criteria:
            st.markdown(
                f"**{inline(one.name)}**: {inline(one.meaning, 600)} :gray[1:"
                f" {inline(one.low, 300)} · 10: {inline(one.high, 300)}]"
            )
        again, checks = f"{plan.repeats} given twice", f"{plan.attention} with a known answer"
        st.markdown(
            f"{plan.overlap} experts for every unit; {again}, {checks};"
            f" {'a' if plan.practice else 'no'} practice unit; texts"
            f" {'in the common form' if plan.same_form else 'as they are'}; seed {plan.seed}."
        )
        st.caption(
            "The configuration was frozen under this hash (SHA-256) when the session opened:"
        )
        st.code(study.sha, language=None, wrap_lines=True)
    with right:
        st.markdown(f"Experts read the title **{inline(plan.title)}**.")
        for label, text in (
            ("Consent", plan.consent),
            ("Instructions", plan.instructions),
            ("Worked example", plan.example),
        ):
            with st.expander(label):
                st.markdown(text)  # The organiser's own, shown as experts see it.


def _events(study: Study) -> None:
    store = services.store()
    names = {one.id: one.name for one in store.seats.of(study.id)}
    with st.expander("What happened, for the record"):
        st.dataframe(
            [
                {
                    "When": moment(one.at),
                    "What": one.what,
                    "Who": names.get(one.seat, one.seat),
                    "More": one.detail,
                }
                for one in reversed(store.studies.events(study.id))
            ],
            hide_index=True,
            key="study:events",
        )
