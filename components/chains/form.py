"""Starting a run of the chain screens: topic, method, source, models, and everything a chain can be
asked for.
"""

from datetime import date
from typing import Any, NamedTuple

import streamlit as st

from components.chains.facts import PARTS
from components.library import finder as paper_finder
from components.runs import earlier
from components.runs.asking import models_and_limits, planned, source
from components.shell import cached, services
from components.shell.frame import told
from components.shell.text import inline
from core.errors import BadInput
from core.methods import BaselineInputs, ChainInputs, RealInputs
from core.records import Paper, Record
from core.runs.catalogue import METHODS
from core.runs.planning import validated

PAGE = "chains"
OFFERED = ("chain", "rag", "direct", "real-paper")
ABOUT = {
    "chain": (
        "Orders the literature into chains, sees where each leads, and writes down the idea that"
        " comes next."
    ),
    "rag": (
        "A baseline to compare with: retrieves the papers nearest to the topic and prompts once"
        " with them."
    ),
    "direct": "A baseline to compare with: prompts once, with nothing to read.",
    "real-paper": (
        "A baseline to compare with: takes topic, idea and experiment from a published paper; you"
        " confirm the topic."
    ),
}
GO = {
    "chain": "Build the chain",
    "rag": "Prompt with retrieved papers",
    "direct": "Prompt directly",
    "real-paper": "Read the paper",
}


class Where(NamedTuple):
    """Which literature is looked at."""

    source: str
    before: str | None
    ban: tuple[str, ...]


def draw(topic: str) -> None:
    """Draw the form and the runs there are; starting one opens it."""
    asked, others = st.columns([3, 2], gap="large")
    with asked, told():
        _form(topic)
    with others:
        earlier.draw(
            "chain",
            "Chains so far",
            "None yet. Pick a topic on the left; with the built-in shelf and model a chain takes"
            " less than a minute.",
        )


def _form(given: str) -> None:
    if st.session_state.pop("chains:started", False):
        paper_finder.forget(PAGE)
    if given and st.session_state.get("chains:given") != given:
        st.session_state["chains:given"] = st.session_state["chains:topic"] = given
    method = (
        st.segmented_control(
            "Method",
            OFFERED,
            key="chains:method",
            default="chain",
            required=True,
            wrap=True,
            format_func=lambda one: METHODS[one].label,
            persist_state="session",
        )
        or "chain"
    )
    st.caption(ABOUT[method])
    topic = _topic() if method != "real-paper" else ""
    where = _where() if method != "direct" else Where("shelf", None, ())
    paper = _paper(method, where)
    start = st.container()
    rules = _rules(method)
    asked = models_and_limits(PAGE, METHODS[method].roles)
    with start:
        go = st.button(GO[method], type="primary", icon=":material/timeline:", key="chains:go")
        planned(method, _sketch(method, rules), asked["models"], asked["cap_usd"])
    if go:
        if paper is None:
            paper_finder.left(PAGE)
        inputs = _inputs(method, topic, paper, where, rules)
        run = services.begin(method, inputs, inputs.topic, source=where.source, **asked)
        # The next chain starts from its own topic, not from this one's paper.
        st.session_state["chains:started"] = True
        st.query_params.clear()
        st.query_params["run"] = run.id
        st.rerun()


def _topic() -> str:
    example = st.pills(
        "Topics the built-in shelf knows well",
        cached.example_topics(),
        key="chains:example",
        wrap=True,
        on_change=_take_example,
    )
    return (
        st.text_area(
            "Topic",
            key="chains:topic",
            height=90,
            persist_state="session",
            placeholder="What do you want ideas about?",
        )
        or example
        or ""
    )


def _take_example() -> None:
    if chosen := st.session_state.get("chains:example"):
        st.session_state["chains:topic"] = chosen


def _where() -> Where:
    name = source(PAGE)
    with st.expander("Dates and papers left out", icon=":material/event:"):
        before = st.date_input(
            "Only papers before",
            value=None,
            max_value=date.today(),
            key="chains:before",
            persist_state="session",
        )
        ban = st.text_area(
            "Papers never to be used, one per line",
            key="chains:ban",
            height=70,
            persist_state="session",
            placeholder="arxiv:2201.11903 or doi:10.1000/xyz",
        )
    return Where(name, before.isoformat() if before else None, tuple((ban or "").split()))


def _paper(method: str, where: Where) -> Paper | None:
    """Draw the search for the paper to start from: a real paper's own, or a chain's anchor instead
    of a searched one.
    """
    if method == "real-paper":
        return paper_finder.draw(PAGE, *where)
    if method != "chain":
        return None
    with st.expander("Start from a paper instead", icon=":material/article:"):
        st.caption(
            "It becomes the paper the first branch starts from; further branches start from papers"
            " found on the topic. Without a topic above, its title is the topic."
        )
        picked = paper_finder.draw(PAGE, *where)
    if picked:
        st.markdown(
            f":material/article: Starts from **{inline(picked.title, 160)}**"
            f" ({picked.year or 'undated'})"
        )
    return picked


def _rules(method: str) -> dict[str, Any]:
    """Draw what else the method can be told and return it by the names of its inputs."""
    if method == "chain":
        return {**_size(), **_thinking(), **_experiment()}
    if method == "real-paper":
        return {"full_text": _full_text()}
    return {
        "design": st.checkbox(
            "Design an experiment for the idea", True, key="chains:design", persist_state="session"
        )
    }


def _size() -> dict[str, Any]:
    with st.expander("Branches and length", icon=":material/straighten:"):
        left, right = st.columns(2)
        branches = left.number_input(
            "Branches",
            1,
            8,
            3,
            key="chains:branches",
            persist_state="session",
            help="Each starts from a paper of its own.",
        )
        length = right.number_input(
            "Papers a branch",
            0,
            8,
            5,
            key="chains:length",
            persist_state="session",
            help=(
                "0 takes five retrieved papers in no order instead of chains, to see what a chain"
                " is good for."
            ),
        )
        milestone = st.number_input(
            "Go no further back than a paper with more citations than",
            1,
            value=1000,
            key="chains:milestone",
            persist_state="session",
        )
        return {
            "branches": branches,
            "length": length,
            "milestone": milestone,
            "full_text": _full_text(),
        }


def _full_text() -> bool:
    return st.checkbox(
        "Read full texts where there is an open-access PDF",
        True,
        key="chains:full-text",
        persist_state="session",
        help="Otherwise, and where there is no PDF, abstracts serve.",
    )


def _thinking() -> dict[str, Any]:
    with st.expander("Direction, novelty, what to leave out", icon=":material/psychology:"):
        confirm = st.checkbox(
            "Ask me to confirm each predicted direction before it is drafted",
            key="chains:confirm",
            persist_state="session",
        )
        ideas = st.number_input(
            "Ideas a branch",
            1,
            5,
            1,
            key="chains:ideas",
            persist_state="session",
            help=(
                "Several directions are predicted for each branch, and the best is followed; with"
                " more ideas the next best ones too. The best of a branch's ideas stands for it."
            ),
        )
        rounds = st.number_input(
            "Novelty rounds at most",
            1,
            10,
            3,
            key="chains:rounds",
            persist_state="session",
            help="An idea that overlaps with published work is thought of anew, so often at most.",
        )
        without = st.pills(
            "Leave out, to see what it is good for",
            list(PARTS),
            selection_mode="multi",
            key="chains:without",
            persist_state="session",
            format_func=lambda part: PARTS[part].removeprefix("the ").capitalize(),
        )
        return {
            "confirm": confirm,
            "ideas": ideas,
            "novelty_rounds": rounds,
            "without": tuple(without or ()),
        }


def _experiment() -> dict[str, Any]:
    with st.expander("Experiment", icon=":material/science:"):
        wanted = st.checkbox(
            "Design an experiment for the chosen idea",
            True,
            key="chains:design",
            persist_state="session",
        )
        rounds = st.number_input(
            "How often its design is reviewed and refined",
            0,
            3,
            1,
            key="chains:refinements",
            persist_state="session",
            disabled=not wanted,
        )
        return {"design": wanted, "refinements": rounds}


def _sketch(method: str, rules: dict[str, Any]) -> Record:
    """Return inputs good enough for an estimate, whatever is not typed yet."""
    more = {"paper": Paper(id="-", title="-")} if method == "real-paper" else {}
    return METHODS[method].inputs.model_validate({"topic": "-", **more, **rules})


def _inputs(
    method: str, topic: str, paper: Paper | None, where: Where, rules: dict[str, Any]
) -> ChainInputs | BaselineInputs | RealInputs:
    """Return what the run is asked for; raises BadInput."""
    if method == "real-paper":
        if paper is None:
            raise BadInput("Find the paper first: by its DOI, arXiv id or title, or from its PDF.")
        return validated(RealInputs, topic=paper.title, paper=paper, **rules)
    looking = {
        "topic": topic.strip() or (paper.title if paper else ""),
        "before": where.before,
        "ban": where.ban,
    }
    if method == "chain":
        return validated(ChainInputs, **looking, anchors=(paper,) if paper else (), **rules)
    return validated(BaselineInputs, **looking, **rules)
