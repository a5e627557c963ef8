"""Starting a refinement: the idea to begin with, the quality to improve, when to stop."""
import streamlit as st

from components import earlier, idea_card, services
from components.asking import models_and_limits, planned, source
from components.frame import told
from components.text import inline
from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.presets import PRESETS, indicator
from core.plans import idea_of, refine_idea, refine_run, stop_rules
from core.records import Indicator, Stopping

PAGE = "refine"
OWN = "one of my own"
STARTS = ("A run's idea", "An idea I type", "Only a topic")


def draw(given_run: str, given_topic: str) -> None:
    """Draw the form and the refinements there are; starting one opens it."""
    asked, others = st.columns([3, 2], gap="large")
    with asked, told():
        _form(given_run, given_topic)
    with others:
        earlier.draw("refine", "Refinements so far", "None yet. A refinement with the built-in model takes a few seconds and needs no key.")


def _form(given_run: str, given_topic: str) -> None:
    given = given_run or given_topic
    if given and st.session_state.get("refine:given") != given:
        st.session_state["refine:given"] = given
        st.session_state["refine:start"] = STARTS[0] if given_run else STARTS[2]
        if given_topic:
            st.session_state["refine:topic"] = given_topic
    st.session_state.setdefault("refine:start", _first_choice(given_run))
    start = st.segmented_control("Begin with", STARTS, key="refine:start", required=True) or STARTS[2]
    run_id = _pick_run(given_run) if start == STARTS[0] else ""
    typed = st.text_area("The idea", key="refine:idea", height=140, persist_state="session",
                         placeholder="One paragraph, or JSON with the six fields") if start == STARTS[1] else ""
    topic = st.text_area("Topic", key="refine:topic", height=80, persist_state="session",
                         placeholder="The generator proposes the first idea") if start != STARTS[0] else ""
    goal = _goal()
    area = st.text_input("Research area", key="refine:area", persist_state="session", placeholder="as the actors are told it; may stay empty")
    rules = _rules()
    chosen = source(PAGE) if start != STARTS[0] else "shelf"
    if start != STARTS[0]:
        st.caption("The papers nearest to the topic become the background the actors draw on; a run's idea brings its own.")
    start_here = st.container()
    asked = models_and_limits(PAGE)
    with start_here:
        go = st.button("Refine", type="primary", icon=":material/cyclone:", key="refine:go")
        planned("refine", RefineInputs(topic="-", goal=PRESETS["novelty"], rules=rules), asked["models"])
    if go:
        inputs = _inputs(start, run_id, typed, topic, goal, rules, area)
        run = services.begin("refine", inputs, inputs.idea.title if inputs.idea else inputs.topic, source=chosen, **asked)
        st.query_params.clear()
        st.query_params["run"] = run.id
        st.rerun()


def _first_choice(given_run: str) -> str:
    finished = services.store().runs.count(states=("done",))
    return STARTS[0] if given_run or finished else STARTS[2]


def _pick_run(given: str) -> str:
    done = services.store().runs.listed(states=("done",), limit=50)
    ids = [run.id for run in done]
    if given and given not in ids:
        ids.insert(0, given)
    if not ids:
        st.info("No finished run yet. Build a chain first, or begin with a topic.")
        return ""
    titles = {run.id: f"{run.config.method}: {run.title}" for run in done}
    picked = st.selectbox("Run", ids, index=ids.index(given) if given else 0, format_func=lambda one: titles.get(one, one), key="refine:from")
    _preview(picked)
    return str(picked)


def _preview(run_id: str) -> None:
    try:
        inputs = refine_run(services.store(), run_id, PRESETS["novelty"], Stopping())
    except BadInput as error:
        st.warning(inline(str(error)))
        return
    assert inputs.idea
    with st.expander(f"Its idea: {inline(inputs.idea.title, 80)} ({len(inputs.context)} papers as background)"):
        idea_card.draw(inputs.idea, None, "", key="refine:preview")


def _goal() -> Indicator | None:
    name = st.segmented_control("Quality to improve", [*PRESETS, OWN], default="novelty", key="refine:indicator") or "novelty"
    if name != OWN:
        st.caption("Traits: " + "; ".join(PRESETS[name].traits) + ".")
        return PRESETS[name]
    own = st.text_input("Name of the quality", key="refine:own", persist_state="session", placeholder="clinical relevance")
    traits = st.text_area("Its traits, one per line", key="refine:traits", persist_state="session", height=90)
    lines = tuple(line.strip() for line in (traits or "").splitlines() if line.strip())
    return indicator(own, lines) if own and lines else None


def _rules() -> Stopping:
    left, right = st.columns(2, vertical_alignment="bottom")
    rounds = left.number_input("Rounds at most", 1, 50, 10, key="refine:rounds", persist_state="session")
    patience = right.number_input("Stop after this many rounds without improvement", 1, 10, 2, key="refine:patience", persist_state="session",
                              help="In a row, by the discriminator's verdict. InfAL waits for two (section 3.2.3); its printed algorithm stops at the first.")
    return stop_rules(rounds, patience)


def _inputs(start: str, run_id: str, typed: str, topic: str, goal: Indicator | None, rules: Stopping, area: str) -> RefineInputs:
    if goal is None:
        raise BadInput("Name the quality and give at least one trait, one per line.")
    if start == STARTS[0]:
        if not run_id:
            raise BadInput("Choose a finished run whose idea is to be refined.")
        return refine_run(services.store(), run_id, goal, rules, area)
    return refine_idea(topic, idea_of(typed) if start == STARTS[1] else None, goal, rules, area)

