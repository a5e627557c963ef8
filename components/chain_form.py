"""Starting a chain: topic, source, models."""
from datetime import date

import streamlit as st

from components import cached, earlier, services
from components.asking import models_and_limits, planned, source
from components.frame import told
from core.methods import ChainInputs
from core.plans import validated

PAGE = "chains"


def draw(topic: str) -> None:
    """Draw the form and the chains there are; starting one opens it."""
    asked, others = st.columns([3, 2], gap="large")
    with asked, told():
        _form(topic)
    with others:
        earlier.draw("chain", "Chains so far", "None yet. Pick a topic on the left; with the built-in shelf and model a chain takes a few seconds.")


def _form(given: str) -> None:
    if given and st.session_state.get("chains:given") != given:
        st.session_state["chains:given"] = st.session_state["chains:topic"] = given
    example = None if given else st.pills("Topics the built-in shelf knows well", cached.example_topics(), key="chains:example", wrap=True,
                                          on_change=_take_example)
    topic = st.text_area("Topic", key="chains:topic", height=90, persist_state="session", placeholder="What do you want ideas about?")
    chosen = source(PAGE)
    start = st.container()
    with st.expander("Length, dates and novelty", icon=":material/straighten:"):
        length = st.number_input("Papers in the chain", 1, 8, 5, key="chains:length", persist_state="session")
        before = st.date_input("Only papers before", value=None, max_value=date.today(), key="chains:before", persist_state="session")
        milestone = st.number_input("Stop going back behind a paper with more citations than", 1, value=1000, key="chains:milestone",
                                    persist_state="session")
        ban = st.text_area("Papers never to be used, one per line", key="chains:ban", height=70, persist_state="session",
                           placeholder="arxiv:2201.11903 or doi:10.1000/xyz")
        rounds = st.number_input("Novelty rounds at most", 1, 10, 3, key="chains:rounds", persist_state="session")
    asked = models_and_limits(PAGE)
    with start:
        go = st.button("Build the chain", type="primary", icon=":material/timeline:", key="chains:go")
        planned("chain", ChainInputs(topic="-", length=length), asked["models"])
    if go:
        inputs = validated(ChainInputs, topic=topic or example or "", length=length, before=before.isoformat() if before else None, milestone=milestone,
                           novelty_rounds=rounds, ban=tuple((ban or "").split()))
        run = services.begin("chain", inputs, inputs.topic, source=chosen, **asked)
        st.query_params.clear()
        st.query_params["run"] = run.id
        st.rerun()


def _take_example() -> None:
    if chosen := st.session_state.get("chains:example"):
        st.session_state["chains:topic"] = chosen

