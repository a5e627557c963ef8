"""Starting a run of the chain screens: topic, method, source, models, and everything a chain can be
asked for.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

import streamlit as st

from components.chains.facts import PARTS
from components.library import finder as paper_finder
from components.runs import earlier, starting
from components.runs.asking import models_and_limits, source
from components.shell import cached, services
from components.shell.frame import part, told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.methods import BaselineInputs, ChainInputs, RealInputs
from core.records import Paper
from core.runs.catalogue import METHODS
from core.runs.novelty_checks import covered_by
from core.runs.planning import validated

PAGE = "chains"


class Where(NamedTuple):
    """Which literature is looked at."""

    source: str
    before: str | None
    ban: tuple[str, ...]


def draw(topic: str, check: str = "") -> None:
    """Draw the form and the runs there are; starting one opens it. What a novelty `check` found
    covered, by the id of its run, is not to be repeated.
    """
    asked, others = st.columns([3, 2], gap="large")
    with asked, told():
        _form(topic, check)
    with others:
        earlier.draw(
            "chain",
            "Chains so far",
            "None yet. Pick a topic on the left; with the built-in papers and model a chain takes"
            " less than a minute.",
        )


def _form(given: str, check: str) -> None:
    if st.session_state.pop("chains:started", False):
        paper_finder.forget(PAGE)
    if given and st.session_state.get("chains:given") != given:
        st.session_state["chains:given"] = st.session_state["chains:topic"] = given
    method = (
        st.segmented_control(
            "Method",
            list(WAYS),
            key="chains:method",
            default="chain",
            required=True,
            wrap=True,
            format_func=lambda one: METHODS[one].label,
            persist_state="session",
        )
        or "chain"
    )
    way = WAYS[method]
    st.caption(way.about)
    with part():
        topic = _topic() if way.topic else ""
        where = _where() if way.searches else Where("shelf", None, ())
        paper = way.paper(where)
    start = st.container()
    with part():
        rules = {**way.rules(), **(_known(check) if method == "chain" else {})}
    asked = models_and_limits(PAGE, METHODS[method].roles)
    sketch = METHODS[method].inputs.model_validate({"topic": "-", **way.sketch, **rules})
    with start:
        go = st.button(way.go, type="primary", icon=":material/timeline:", key="chains:go")
        starting.planned(method, sketch, asked["models"], asked["cap_usd"], where.source)
    if go:
        if paper is None:
            paper_finder.left(PAGE)
        inputs = way.inputs(topic, paper, where, rules)
        run = services.begin(method, inputs, inputs.topic, source=where.source, **asked)
        # The next chain starts from its own topic, not from this one's paper.
        st.session_state["chains:started"] = True
        starting.go_to(run)


def _known(check: str) -> dict[str, Any]:
    """Say what a novelty check found covered, and return it as what is not to be repeated."""
    known = covered_by(services.store(), check) if check else ()
    if not known:
        return {}
    with st.expander(
        f"Not to be repeated: {counted(len(known), 'claim')}", icon=":material/block:"
    ):
        st.markdown("\n".join(f"- {inline(str(one), 400)}" for one in known))
    return {"known": known}


def _topic() -> str:
    example = st.pills(
        "Topics that the built-in papers cover",
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


def _anchor(where: Where) -> Paper | None:
    """Draw the search for a paper to start from, instead of a searched one."""
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


def _baseline_rules() -> dict[str, Any]:
    wanted = st.checkbox(
        "Design an experiment for the idea", True, key="chains:design", persist_state="session"
    )
    return {"design": wanted}


def _size() -> dict[str, Any]:
    with st.expander("Branches and length", icon=":material/straighten:"):
        left, right = st.columns(2)
        branches = starting.number(
            left,
            "Branches",
            (ChainInputs, "branches"),
            "chains:branches",
            help="Each starts from a paper of its own.",
        )
        length = starting.number(
            right,
            "Papers per branch",
            (ChainInputs, "length"),
            "chains:length",
            help=("0 uses five retrieved papers in no order, as a baseline without a chain."),
        )
        milestone = starting.number(
            st,
            "Stop going back at a paper with more citations than",
            (ChainInputs, "milestone"),
            "chains:milestone",
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
        ideas = starting.number(
            st,
            "Ideas per branch",
            (ChainInputs, "ideas"),
            "chains:ideas",
            help=(
                "Several directions are predicted for each branch, and the best is followed; with"
                " more ideas the next best ones too. The best of a branch's ideas stands for it."
            ),
        )
        rounds = starting.number(
            st,
            "Novelty rounds at most",
            (ChainInputs, "novelty_rounds"),
            "chains:rounds",
            help=(
                "An idea that overlaps with published work is redrafted, at most this many times."
            ),
        )
        without = st.pills(
            "Leave out (ablation)",
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
        rounds = starting.number(
            st,
            "How often its design is reviewed and refined",
            (ChainInputs, "refinements"),
            "chains:refinements",
            disabled=not wanted,
        )
        return {"design": wanted, "refinements": rounds}


def _looking(topic: str, paper: Paper | None, where: Where) -> dict[str, Any]:
    named = topic.strip() or (paper.title if paper else "")
    return {"topic": named, "before": where.before, "ban": where.ban}


def _of_chain(topic: str, paper: Paper | None, where: Where, rules: dict[str, Any]) -> ChainInputs:
    anchors = (paper,) if paper else ()
    return validated(ChainInputs, **_looking(topic, paper, where), anchors=anchors, **rules)


def _of_baseline(
    topic: str, paper: Paper | None, where: Where, rules: dict[str, Any]
) -> BaselineInputs:
    return validated(BaselineInputs, **_looking(topic, paper, where), **rules)


def _of_paper(_: str, paper: Paper | None, __: Where, rules: dict[str, Any]) -> RealInputs:
    if paper is None:
        raise BadInput("Find the paper first: by its DOI, arXiv id or title, or from its PDF.")
    return validated(RealInputs, topic=paper.title, paper=paper, **rules)


class OfferedMethod(NamedTuple):
    """How one of the methods offered here is asked for."""

    about: str
    go: str
    """What the button says."""
    inputs: Callable[
        [str, Paper | None, Where, dict[str, Any]], ChainInputs | BaselineInputs | RealInputs
    ]
    """Of topic, paper, literature and rules; raises BadInput."""
    rules: Callable[[], dict[str, Any]] = _baseline_rules
    """Draws what else it can be told and returns it by the names of its inputs."""
    paper: Callable[[Where], Paper | None] = lambda _: None
    topic: bool = True
    searches: bool = True
    sketch: Mapping[str, Any] = {}
    """What its inputs need for an estimate, beside a topic."""


WAYS: dict[str, OfferedMethod] = {
    "chain": OfferedMethod(
        "Orders the literature into chains, sees where each leads, and writes down the idea that"
        " comes next.",
        "Build the chain",
        _of_chain,
        lambda: {**_size(), **_thinking(), **_experiment()},
        _anchor,
    ),
    "rag": OfferedMethod(
        "A baseline to compare with: retrieves the papers nearest to the topic and prompts once"
        " with them.",
        "Prompt with retrieved papers",
        _of_baseline,
    ),
    "direct": OfferedMethod(
        "A baseline to compare with: prompts once, with nothing to read.",
        "Prompt directly",
        _of_baseline,
        searches=False,
    ),
    "real-paper": OfferedMethod(
        "A baseline to compare with: takes topic, idea and experiment from a published paper; you"
        " confirm the topic.",
        "Read the paper",
        _of_paper,
        lambda: {"full_text": _full_text()},
        lambda where: paper_finder.draw(PAGE, *where),
        topic=False,
        sketch={"paper": Paper(id="-", title="-")},
    ),
}
"""The methods offered here."""
