"""Model judges in a session: what they would take, and the runs that fill their seats."""

from threading import Lock

import streamlit as st

from components.runs import starting
from components.runs.models import called, judging
from components.runs.states import active, badge
from components.sessions import acts
from components.shell import mistakes, services
from components.shell.frame import told
from components.shell.text import inline
from core.errors import BadInput, FoundryError
from core.records import Run, Study, StudySeat
from core.runs.beginning import begin, seat_inputs, usual_cap
from core.runs.estimates import estimate
from core.studies import organising
from core.studies.model_seat import SeatInputs, able, open_answers

MISTAKE = "study:judging"
MODEL = "study:model"
"""The box of the model to add."""
_one_by_one = Lock()
"""Two clicks may be at work at once: who comes second must see the run of the first."""


def draw(study: Study) -> None:
    """Draw the model judges of a session, their runs, and the way to add one."""
    held = [one for one in services.store().seats.of(study.id) if one.model]
    if study.state == "closed" and not held:
        return
    st.markdown("##### Model judges")
    if not held:
        st.caption(
            "A model judge answers the same units, by the same criteria, with the same instructions"
            " as the experts; its figures stand beside theirs."
        )
    working = any((run := _run(one)) and active(run) for one in held)

    @st.fragment(run_every=1.0 if working else 5.0 if held and study.state == "open" else None)
    def listed() -> None:
        now = any((run := _run(one)) and active(run) for one in held)
        if now != working:
            st.rerun()
        with told():
            for one in held:
                _seat(study, one)

    listed()
    mistakes.shown(MISTAKE)
    if study.state != "closed":
        _more(study, {one.model for one in held if one.step != "revoked"})


def _run(one: StudySeat) -> Run | None:
    one = services.store().seats.get(one.id)
    try:
        return services.store().runs.get(one.run) if one.run else None
    except BadInput:
        return None  # Removed since; what it answered stays.


def _seat(study: Study, one: StudySeat) -> None:
    run = _run(one)
    lists = services.store().study_work.of(one.id)
    far = f"{sum(each.done for each in lists)} of {len(lists)} done" if lists else "not begun"
    if one.step == "revoked":
        far = "revoked"
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{inline(one.model, 60)}** :gray[{far}] {badge(run) if run else ''}")
        with st.container(horizontal=True, vertical_alignment="center"):
            _acts(study, one, run)
        if run and run.reason:
            st.caption(inline(run.reason, 400))


def _acts(study: Study, one: StudySeat, run: Run | None) -> None:
    if run:
        st.page_link(
            "pages/runs.py", label="Run", icon=":material/list_alt:", query_params={"run": run.id}
        )
    if one.step == "revoked":
        return
    working = run and active(run)
    if study.state == "open" and not working and open_answers(services.store(), one.id):
        word = "Start judging"
        if run:
            word = "Ask for the rest" if run.state == "done" else "Resume"
        st.button(
            word,
            icon=":material/gavel:",
            key=f"study:judge:{one.id}",
            on_click=_judge,
            args=(study, one.id),
            help="Asks the model for everything on its list that it has not answered yet.",
        )
    answered = any(each.version for each in services.store().study_work.of(one.id))
    if study.state != "closed" and not answered:
        st.button(
            "Take out",
            icon=":material/close:",
            type="tertiary",
            key=f"study:unjudge:{one.id}",
            on_click=acts.attempt,
            args=(MISTAKE, organising.take_back, one.id),
        )


def _judge(study: Study, seat_id: str) -> None:
    """Start the run that fills a seat, or let one that was stopped go on; a callback."""
    with mistakes.kept(MISTAKE), _one_by_one:
        held = services.store().seats.get(seat_id)
        run = _run(held)
        if run and run.state in ("stopped", "interrupted", "failed"):
            services.runner().resume(run.id)
        elif not run or not active(run):
            inputs = seat_inputs(services.workshop(), seat_id)
            title = f"{study.plan.name}: {held.model}"[:200]
            begun = begin(services.runner(), "seat", inputs, title)
            services.store().seats.fill(seat_id, begun.id)
            services.runner().start(begun.id)


def _more(study: Study, taken: set[str]) -> None:
    names = [name for name in judging() if name not in taken]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.selectbox(
            "Model",
            names,
            index=None,
            key=MODEL,
            accept_new_options=True,
            format_func=called,
            placeholder="provider:model",
            help=(
                "One that was found, or type provider:model, such as ollama:llama3.1 or"
                " openai:gpt-4o-mini."
            ),
        )
        st.button(
            "Add as a judge",
            icon=":material/smart_toy:",
            key="study:add-model",
            disabled=not model,
            on_click=_add,
            args=(study,),
        )
    if model:
        _ahead(study, str(model))
    if study.state == "draft":
        st.caption("Models begin when the session is open and you say so.")


def _ahead(study: Study, model: str) -> None:
    """Say what a model's seat would take, and why the model could not sit there."""
    units = services.store().studies.units(study.id)
    answers = sum(one.stages for one in units) * (2 if study.plan.task == "compare" else 1)
    if not answers:
        return
    try:
        able(services.workshop().model(model), study.plan.task)
    except FoundryError as error:
        st.warning(inline(str(error), 600), icon=":material/extension_off:")
        return
    inputs = SeatInputs(
        topic=study.plan.name,
        study=study.id,
        seat="new",
        task=study.plan.task,
        sha=study.sha,
        answers=answers,
    )
    guess = estimate("seat", inputs.model_dump(mode="json"), {"judge": model})
    starting.estimated(guess, usual_cap(guess))


def _add(study: Study) -> None:
    """Add the model that the box holds by now; a callback."""
    store = services.store()
    name = str(st.session_state[MODEL] or "").strip()
    if not name:
        return  # A second click: the first has added it and emptied the box.
    with mistakes.kept(MISTAKE):
        able(services.workshop().model(name), study.plan.task)
        with store.connections.writing():
            if not any(
                one.model == name and one.step != "revoked" for one in store.seats.of(study.id)
            ):
                organising.add_model(store, study.id, name)
        st.session_state[MODEL] = None
