"""How a session is held: criteria, what experts read, and the numbers that lists are made by; and
the view of it, changed while it is a draft, read once it is frozen.
"""

from typing import Any

import streamlit as st

from components.sessions import acts, language
from components.sessions.criteria import choose_criteria, follow, merged, written
from components.sessions.words import TASKS, moment
from components.shell import mistakes, services
from components.shell.text import counted, inline
from core.records import Kind, Study, StudyPlan, Task
from core.runs.planning import validated
from core.store import Store
from core.studies import texts
from core.studies.setting_up import replan

LONGEST = 20_000


READ = (("consent", "Consent"), ("instructions", "Instructions"), ("example", "Worked example"))


NUMBERS = (
    (
        "overlap",
        "Experts per unit",
        (1, 50),
        (
            "How many experts answer each text, pair, set or refinement. Agreement needs two at"
            " least."
        ),
    ),
    (
        "repeats",
        "Repeated units",
        (0, 10),
        (
            "To each expert, the second time late in the session: how far they agree with"
            " themselves."
        ),
    ),
    (
        "attention",
        "Attention checks",
        (0, 5),
        (
            "Units that say openly what to answer. Whoever failed one can be left out of the"
            " figures."
        ),
    ),
)


def read(key: str, task: Task, kind: Kind, given: StudyPlan) -> dict[str, str]:
    """Draw what experts read, at first what is given, and return it by name."""
    here = f"{key}:{task}:{kind}"
    title = st.text_input(
        "Title above the experts' work",
        given.title,
        key=f"{here}:title",
        max_chars=200,
        persist_state="session",
        help=(
            "The only name of the session that experts see: let it tell nothing of where the texts"
            " come from."
        ),
    )
    said = {"title": (title or "").strip()}
    with st.expander(
        "What experts read before they begin: consent, instructions, a worked example",
        key=f"{here}:texts",
    ):
        st.caption(
            "Markdown: experts see it as it is meant. “Preview as an expert” shows it once the"
            " draft is set up."
        )
        for name, label in READ:
            text = st.text_area(
                label,
                getattr(given, name),
                key=f"{here}:{name}",
                height=220,
                max_chars=LONGEST,
                persist_state="session",
            )
            said[name] = text or ""
    return said


def numbers(key: str, given: StudyPlan) -> dict[str, Any]:
    """Draw overlap, repeats, attention and practice, and return them by name."""
    said: dict[str, Any] = {}
    for column, (name, label, bounds, help_) in zip(st.columns(3), NUMBERS, strict=True):
        number = column.number_input(
            label,
            *bounds,
            getattr(given, name),
            key=f"{key}:{name}",
            persist_state="session",
            help=help_,
        )
        said[name] = int(number)
    practice = st.checkbox(
        "Begin with a practice unit, which is not kept",
        given.practice,
        key=f"{key}:practice",
        persist_state="session",
    )
    return {**said, "practice": bool(practice)}


def usual(task: Task, kind: Kind) -> StudyPlan:
    """Return a plan with our texts and the usual criteria."""
    return texts.standard(task, "A session", kind)


# -- a session's set-up ---------------------------------------------------------------------


def draw(study: Study) -> None:
    """Draw the set-up of a session and its record."""
    language.draw(study)
    if study.state == "draft":
        _changed(study)
    else:
        _frozen(study)
    _events(study)


def _changed(study: Study) -> None:
    plan = study.plan
    # Boxes of another language begin anew: what they held would undo it.
    key = f"study:change:{study.id}{f':{plan.wording.language}' if plan.wording else ''}"
    _follow(plan, key)
    st.text_input(
        "Name, for you", plan.name, key=f"{key}:name", max_chars=200, persist_state="session"
    )
    choose_criteria(key, plan.task, plan.kind, plan.criteria)
    read(key, plan.task, plan.kind, plan)
    numbers(key, plan)
    wanted = _wanted(plan, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Keep the changes",
            type="primary",
            icon=":material/save:",
            key="study:keep",
            disabled=wanted == plan,
            on_click=acts.attempt,
            args=(key, _put, study.id, plan, key),
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


def _follow(plan: StudyPlan, key: str) -> None:
    """Let the boxes of what was kept in another tab meanwhile show that, unless something else was
    typed there.
    """
    drawn: StudyPlan = st.session_state.get(f"{key}:drawn", plan)
    st.session_state[f"{key}:drawn"] = plan
    boxes = _boxes(plan, key)
    for name in _differing(drawn, plan):
        box = boxes.get(name)
        if box and st.session_state.get(box) == getattr(drawn, name):
            st.session_state[box] = getattr(plan, name)
        if name == "criteria":
            follow(key, plan.task, plan.kind, drawn.criteria, plan.criteria)


def _boxes(plan: StudyPlan, key: str) -> dict[str, str]:
    """Return the key of the box of each part of a plan but its criteria, by the part's name."""
    boxes = {name: f"{key}:{name}" for name in ("name", "practice", *(one for one, *_ in NUMBERS))}
    texts_read = ("title", *(one for one, _ in READ))
    return boxes | {name: f"{key}:{plan.task}:{plan.kind}:{name}" for name in texts_read}


def _wanted(plan: StudyPlan, key: str) -> StudyPlan:
    """Return the plan as the boxes have it by now; raises BadInput."""
    typed = {name: st.session_state[box] for name, box in _boxes(plan, key).items()}
    typed["name"] = typed["name"].strip() or plan.name
    typed["title"] = typed["title"].strip()
    typed["criteria"] = written(key, plan.task, plan.kind, plan.criteria)
    return validated(StudyPlan, **(plan.model_dump() | typed))


def _differing(one: StudyPlan, other: StudyPlan) -> list[str]:
    return [name for name in StudyPlan.model_fields if getattr(one, name) != getattr(other, name)]


def _put(store: Store, study: str, drawn: StudyPlan, key: str) -> None:
    """Keep what was changed here: the rest may have been changed in another tab since it was
    drawn.
    """
    wanted = _wanted(drawn, key)
    changed = {name: getattr(wanted, name) for name in _differing(drawn, wanted)}
    with store.connections.writing():
        plan = store.studies.get(study).plan
        if "criteria" in changed:
            changed["criteria"] = merged(drawn.criteria, wanted.criteria, plan.criteria)
        replan(store, study, validated(StudyPlan, **(plan.model_dump() | changed)))


def _frozen(study: Study) -> None:
    plan = study.plan
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{TASKS[plan.task][0]}**: {TASKS[plan.task][1]}")
        for one in plan.criteria:
            asked = f" ({one.on})" if plan.task == "rate" else ""
            reason = f" · reason {one.reason}" if one.reason != "off" else ""
            anchors = " · ".join(
                f"{one.called(at)}: {inline(said, 300)}" for at, said in one.anchored.items()
            )
            st.markdown(
                f"**{inline(one.name)}**{asked}{reason}: {inline(one.meaning, 600)}"
                + (f" :gray[{anchors}]" if anchors else "")
            )
        again = f"{plan.repeats} repeated"
        checks = f"{plan.attention} with a known answer"
        st.markdown(
            f"{counted(plan.overlap, 'expert')} per unit; {again}, {checks};"
            f" {'a' if plan.practice else 'no'} practice unit; texts"
            f" {'in the common form' if plan.same_form else 'as they are'}"
            # What labels hide could be drawn again from it.
            + (f"; seed {plan.seed}." if study.unblinded else ".")
        )
        st.caption(
            "The configuration was frozen under this hash (SHA-256) when the session opened:"
        )
        st.code(study.sha, language=None, wrap_lines=True)
    with right:
        st.markdown(f"Experts read the title **{inline(plan.title)}**.")
        for name, label in READ:
            with st.expander(label):
                st.markdown(getattr(plan, name))  # The organiser's own, shown as experts see it.


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
