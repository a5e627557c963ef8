"""Beginning a novelty check: which idea, how deeply, from when it is, where to look; what it will
take, said before the start.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.runs import earlier, naming, starting
from components.runs.asking import choose_idea, models_and_limits
from components.runs.states import NO_IDEAS
from components.shell import gone, idea_card, services
from components.shell.frame import part, told
from components.shell.idea_names import offered, tell_apart
from components.shell.text import inline
from core.errors import BadInput
from core.export.novelty import BUILT_IN, STATES
from core.literature import SOURCES, label
from core.methods import NoveltyInputs
from core.methods.novelty.overruling import KEY
from core.methods.novelty.verdict import LEAST_READ
from core.records import Idea, Run
from core.runs.novelty_checks import at_hand, idea_in, limits_of, of_idea, today
from core.runs.planning import idea_of, ideas_of
from core.story import Story

TYPED, KEPT, RUN = "I type it", "From Ideas", "From a run"
DEPTHS = {
    "deep": "Claim by claim: every near work read against every claim",
    "quick": "Quickly, as a chain does: one verdict on the nearest papers",
}
GIVEN = "novelty:given"


class ChosenIdea(NamedTuple):
    """The idea that is checked, when it is from, and the run it is of."""

    idea: Idea
    dated: str
    run: str | None = None


def draw(address: Mapping[str, str]) -> None:
    """Draw the form, what it would take, and the checks there are; beginning one opens it."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container()
        earlier.draw("novelty", "Checks so far", "None yet. Choose an idea, and check it.", _ended)
    with left, told():
        _form(address, ahead)


def _ended(run: Run) -> str:
    """Say what a check came to, whether a person overruled it, and of which check it is a fork."""
    steps = services.store().steps
    found = steps.field(run.id, "ClaimsVerdict", "state")
    said = [STATES[state] for state in map(str, found[-1:]) if state in STATES]
    if run.config.models.get("novelty") == BUILT_IN and said:
        said.append("by nearness alone")
    if run.parent:
        overruled = KEY in run.config.edits
        said.append(f"{'✎ overruled by a person, from' if overruled else 'from'} {run.parent}")
    return inline("; ".join(said), 300)


def _form(address: Mapping[str, str], ahead: st.delta_generator.DeltaGenerator) -> None:
    _prefill(address)
    with part():
        chosen = _idea(address)
    depth = st.radio(
        "How deeply",
        list(DEPTHS),
        format_func=DEPTHS.__getitem__,
        key="novelty:depth",
        persist_state="session",
    )
    dated = st.text_input(
        "The idea's own date (YYYY-MM-DD)",
        key="novelty:dated",
        persist_state="session",
        placeholder=chosen.dated if chosen else today(),
        help="Nothing from that day on anticipates it.",
    )
    with part():
        source = _source()
        papers = 12
        if depth == "deep":
            papers = starting.number(
                st,
                "Near works read, at most",
                (NoveltyInputs, "papers"),
                "novelty:papers",
                help=f"With fewer than {LEAST_READ} a check says no more than that one work covers"
                " it all, if one does.",
            )
    frozen = models_and_limits("novelty", ("main", "novelty"))
    if chosen is None:
        st.caption(":material/info: Choose or write an idea first.")
        return
    limits = _limits(chosen.run)
    inputs = of_idea(
        chosen.idea,
        (dated or "").strip() or chosen.dated,
        depth=depth,
        papers=papers,
        from_run=chosen.run,
        **limits,
    )
    with ahead.container(border=True):
        st.markdown("**What this will be**")
        st.markdown(inline(f"A check of “{chosen.idea.title}”, from {inputs.dated}.", 400))
        if limits:
            left_out = [f"papers from {inputs.before} on"] if inputs.before else []
            left_out += ["papers that its run was not to read, or is of"] if inputs.ban else []
            st.caption(f"Left out: {'; '.join(left_out)}.")
        cap = frozen["cap_usd"]
        starting.planned("novelty", inputs, frozen["models"], cap, source)
    if st.button(
        "Check its novelty", type="primary", icon=":material/travel_explore:", key="novelty:go"
    ):
        asked = {**frozen, "source": source}
        starting.go_to(
            starting.once(
                "novelty",
                [inputs.model_dump(mode="json"), str(asked)],
                partial(services.begin, "novelty", inputs, f"Novelty of {inputs.topic}", **asked),
            )
        )


def _limits(run: str | None) -> dict[str, object]:
    """Return which papers the run of an idea does not let its check read."""
    if run is None:
        return {}
    try:
        return limits_of(services.store().runs.get(run))
    except BadInput:
        return {}  # It was deleted; the idea was kept.


def _source() -> str:
    """Draw where is looked: every source named is asked beside the others."""
    shop = services.workshop()
    usual = at_hand(shop.store.library, shop.chosen_source())
    names = list(dict.fromkeys((usual, *SOURCES)))
    picked = st.selectbox(
        "Where to look, every source side by side",
        names,
        format_func=lambda name: label(name).replace(", then ", " and ").replace(" with ", " and "),
        key="novelty:source",
        persist_state="session",
    )
    return str(picked or usual)


def _prefill(address: Mapping[str, str]) -> None:
    given = {name: address[name] for name in ("idea", "from", "at", "line")}
    if st.session_state.get(GIVEN) == given:
        return
    st.session_state[GIVEN] = given
    if given["idea"]:
        st.session_state.update({"novelty:which": KEPT, "novelty:kept": given["idea"]})
    elif given["from"]:
        st.session_state.update({"novelty:which": RUN, "novelty:run": given["from"]})
        if given["line"].isdecimal():
            st.session_state["novelty:of"] = int(given["line"])


def _idea(address: Mapping[str, str]) -> ChosenIdea | None:
    which = (
        st.segmented_control(
            "Which idea",
            (TYPED, KEPT, RUN),
            key="novelty:which",
            required=True,
            persist_state="session",
            default=None if "novelty:which" in st.session_state else TYPED,
        )
        or TYPED
    )
    chosen = None
    with told():
        ways: dict[str, Callable[[], ChosenIdea | None]] = {
            TYPED: _typed,
            KEPT: _kept,
            RUN: partial(_of_run, address),
        }
        chosen = ways[which]()
    if chosen and which != TYPED:
        with st.expander(f"The idea: {inline(chosen.idea.title, 90)}"):
            idea_card.draw(chosen.idea, None, "", "novelty:preview")
    return chosen


def _typed() -> ChosenIdea | None:
    text = st.text_area(
        "The idea",
        key="novelty:text",
        height=200,
        persist_state="session",
        placeholder="A paragraph, or JSON with the fields of a form",
    )
    return ChosenIdea(idea_of(text), today()) if (text or "").strip() else None


def _kept() -> ChosenIdea | None:
    kept = {one.id: one for one in offered()}
    asked = st.session_state.get("novelty:kept")
    if asked and asked not in kept:
        kept[asked] = services.store().ideas.get(asked)
    if not kept:
        raise BadInput("There is no idea yet. Keep one that a run made, or write one on Ideas.")
    if asked not in kept:
        st.session_state["novelty:kept"] = next(iter(kept))
    names = tell_apart(tuple(kept.values()))
    picked = st.selectbox(
        "Idea",
        list(kept),
        key="novelty:kept",
        format_func=names.__getitem__,
        persist_state="session",
    )
    saved = kept[str(picked)]
    return ChosenIdea(saved.idea, saved.saved[:10] or today(), saved.run)


def _of_run(address: Mapping[str, str]) -> ChosenIdea | None:
    store = services.store()
    listed = store.runs.listed(states=("done",), without=NO_IDEAS, limit=50)
    runs, lost = gone.among(
        {run.id: run for run in listed},
        address["from"],
        "novelty:run",
        "pages/novelty.py",
        "All novelty checks",
    )
    names = {name: naming.in_list(run) for name, run in runs.items()}
    if not names:
        raise BadInput("No finished run has an idea yet. Type an idea.")
    if not lost and st.session_state.get("novelty:run") not in names:
        st.session_state["novelty:run"] = next(iter(names))
    picked = st.selectbox(
        "Run",
        list(names),
        index=None,
        placeholder="Choose a run",
        key="novelty:run",
        format_func=names.__getitem__,
        persist_state="session",
    )
    if picked is None:
        return None
    run = runs[picked]
    day = (run.ended or run.created)[:10]
    at = address["at"] if picked == address["from"] else ""
    if at and (idea := idea_in(store, run.id, at)):
        return ChosenIdea(idea, day, run.id)
    ideas = ideas_of(run, Story.of(store, run.id))
    if not ideas:
        raise BadInput(f"Run {run.id} has no idea yet (it is {run.state}).")
    return ChosenIdea(ideas[choose_idea(ideas, "novelty:of")], day, run.id)
