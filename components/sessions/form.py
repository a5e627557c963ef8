"""A new session: what is judged, how, by which criteria; what it would be stands beside the form as
one chooses.
"""

import threading
from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from components.runs.models import called, judging
from components.runs.states import active
from components.sessions import ahead as study_ahead
from components.sessions import pick
from components.sessions import plan as study_plan
from components.sessions.criteria import choose_criteria
from components.sessions.pick import PickedTexts
from components.sessions.words import KINDS, PAGE, TASKS
from components.shell import mistakes, services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput, FoundryError
from core.judging.forms import FormInputs
from core.records import Kind, Study, StudyPlan, Task
from core.runs.planning import validated
from core.studies import organising
from core.studies.picking import formless, picked
from core.studies.setting_up import draw_seed

MAKE = "study:make"


@dataclass
class SessionForm:
    """Which form this tab has, so that the next one begins empty, and what became of it. A plain
    object: a second click may break a drawing off at any word it says to Streamlit, and must find
    what the first has done.
    """

    number: int = 1
    seed: int = field(default_factory=draw_seed)
    making: threading.Lock = field(default_factory=threading.Lock)
    """Held while it becomes a session: a second click comes from a thread of its own."""
    made: str = ""
    """The session it became."""
    forming: str = ""
    """The run that makes the common form of its texts, and whether its end was seen."""
    formed: bool = False

    @property
    def key(self) -> str:
        """What its boxes are called by."""
        return f"study:new:{self.number}"

    @property
    def former(self) -> str:
        """What the box of the model that makes the common form is called by."""
        return f"{self.key}:former"


class WantedSession(NamedTuple):
    plan: StudyPlan
    asked: PickedTexts


def draw(collection: str, run: str = "") -> None:
    """Draw the form; making the draft opens it. An address with a collection, or with the run of a
    refinement, has begun it already.
    """
    st.page_link(PAGE, label="All sessions", icon=":material/arrow_back:")
    form: SessionForm = st.session_state.setdefault("study:form", SessionForm())
    if form.made and not st.session_state.get(MAKE):
        form = st.session_state["study:form"] = SessionForm(form.number + 1)
    pick.begin(form.key, run)
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
    wanted: WantedSession | None = None
    whole = False
    with left, told():
        wanted = _form(form, collection)
        whole = True
    with ahead, told():
        st.markdown("**What this will be**")
        if wanted is None:
            st.caption(
                "Choose the texts that experts see, under “Collections”; then it is said here."
                if whole
                else "The form lacks something: under it stands what. Then it is said here."
            )
            return
        study_ahead.draw(wanted.plan, wanted.asked.chosen, form.key)
    with left, told():
        if st.button(
            "Set up the draft",
            type="primary",
            icon=":material/edit_note:",
            key=MAKE,
            help=(
                "Takes a frozen copy of every text, under labels drawn by chance. No expert sees"
                " it before you open it."
            ),
        ):
            study = _made(wanted, form)
            for name in ("view", "collection", "run"):
                st.query_params.pop(name, None)
            st.query_params["session"] = study.id
            st.rerun()


def _form(form: SessionForm, collection: str) -> WantedSession | None:
    """Draw the form and return what it says, None where nothing is chosen yet; raises BadInput."""
    key = form.key
    name = st.text_input(
        "Name, for you",
        key=f"{key}:name",
        max_chars=200,
        persist_state="session",
        placeholder="What it is called in lists; experts never see it",
    )
    task: Task = st.segmented_control(
        "What experts do",
        list(TASKS),
        default="rate",
        required=True,
        key=f"{key}:task",
        persist_state="session",
        format_func=lambda one: TASKS[one][0],
    )
    st.caption(TASKS[task][1])
    kind: Kind = "idea"
    if task != "comment" and any(
        one.kind == "design" for one in services.store().entries.bunches()
    ):
        kind = st.segmented_control(
            "What they judge",
            list(KINDS),
            default="idea",
            required=True,
            key=f"{key}:kind",
            persist_state="session",
            format_func=KINDS.__getitem__,
        )
    given = study_plan.usual(task, kind)
    asked = pick.draw(key, task, kind, collection)
    same = task != "comment" and st.checkbox(
        "Show every text in the common form, so that form gives nothing away",
        key=f"{key}:same",
        persist_state="session",
    )
    if same:
        _formed(given.model_copy(update={"kind": kind}), asked, form)
    # What stands below is not to go while a rubric is being written.
    lacking: BadInput | None = None
    criteria = given.criteria
    try:
        criteria = choose_criteria(key, task, kind, given.criteria)
    except BadInput as error:
        lacking = error
    read = study_plan.read(key, task, kind, given)
    numbers = study_plan.numbers(key, given)
    if lacking:
        raise lacking
    plan = validated(
        StudyPlan,
        name=(name or "").strip() or read["title"] or "A session",
        task=task,
        kind=kind,
        criteria=criteria,
        seed=form.seed,
        same_form=same,
        hidden_target=asked.hidden,
        **read,
        **numbers,
    )
    named = asked.chosen.model_dump(
        include={"collections", "entries", "rankings", "targets", "runs"}, exclude_defaults=True
    )
    return WantedSession(plan, asked) if named else None


def _made(wanted: WantedSession, form: SessionForm) -> Study:
    """Keep the draft, once however often the button was pressed; raises BadInput."""
    store = services.store()
    with form.making:
        if form.made:
            return store.studies.get(form.made)
        form.made = organising.set_up(store, wanted.plan, wanted.asked.chosen).id
    return store.studies.get(form.made)


# -- the common form ---------------------------------------------------------------------------


def _formed(plan: StudyPlan, asked: PickedTexts, form: SessionForm) -> None:
    """Say which texts have no common form yet, and let a model make it."""
    store = services.store()
    if not asked.chosen.model_dump(exclude_defaults=True):
        return
    lacking = formless(store, picked(store, plan, asked.chosen), plan.kind)
    if not lacking:
        return
    with st.container(border=True):
        st.markdown(
            f"{counted(len(lacking), 'text')} {'has' if len(lacking) == 1 else 'have'} no common"
            " form yet. A language model makes it, once and for all; the originals stay."
        )
        models = judging()
        with st.container(horizontal=True, vertical_alignment="bottom"):
            model = st.selectbox(
                "Model",
                models,
                index=0 if models else None,
                key=form.former,
                accept_new_options=True,
                format_func=called,
                persist_state="session",
                placeholder="provider:model",
            )
            st.button(
                "Make it",
                icon=":material/format_shapes:",
                key=f"{form.key}:form-them",
                disabled=not model,
                on_click=_form_them,
                args=(form, lacking, plan.kind),
            )
        mistakes.shown(f"{form.key}:forming")
        _forming(form)


def _form_them(form: SessionForm, lacking: tuple[str, ...], kind: Kind) -> None:
    """Start the run that makes the common form, by the model that the box holds by now, once; a
    callback.
    """
    if form.forming and active(services.store().runs.get(form.forming)):
        return
    with mistakes.kept(f"{form.key}:forming"):
        model = st.session_state[form.former]
        if not model:
            raise BadInput("Choose a model first.")
        form.forming = services.begin(
            "forms",
            validated(FormInputs, shas=lacking, kind=kind),
            "Common form for a session",
            models={"judge": str(model)},
        ).id
        form.formed = False


def _forming(form: SessionForm) -> None:
    """Draw how far the common form is, and the page anew once it is made."""
    if not form.forming:
        return

    @st.fragment(run_every=1.0)
    def followed() -> None:
        try:
            run = services.store().runs.get(form.forming)
        except FoundryError:
            return
        st.page_link(
            "pages/runs.py",
            label=f"Making it: {inline(run.state)}, {run.steps:,} done",
            icon=":material/list_alt:",
            query_params={"run": run.id},
        )
        if run.state == "done" and not form.formed:
            form.formed = True
            st.rerun()

    followed()
