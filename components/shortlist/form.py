"""Beginning a shortlist: the topic, own ideas, how far each stage goes, when a person is asked;
what it will take is said beside the button.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from components.runs import earlier, starting
from components.runs.asking import models_and_limits, source
from components.shell import cached, services
from components.shell.frame import part, told
from components.shell.idea_names import offered, tell_apart
from components.shell.text import counted, inline
from components.shortlist.choices import split
from core.errors import BadInput
from core.export.novelty import BUILT_IN
from core.export.shortlist_report import NAMES
from core.methods.inputs import ShortlistInputs
from core.methods.presets import PRESETS
from core.records import Idea, Stopping
from core.records.shortlist import STAGES
from core.runs.beginning import can_be_listed
from core.runs.catalogue import METHODS
from core.runs.novelty_checks import today
from core.runs.planning import idea_of, validated

PAGE = "shortlist"
FEWEST_OWN = 2
"""Own ideas without which there must be something to explore."""


def draw(topic: str) -> None:
    """Draw the form, what it will take, and the shortlists there are; starting one opens it."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container()
        earlier.draw(
            "shortlist",
            "Shortlists so far",
            "None yet. Pick a topic on the left; with the built-in papers and model a shortlist"
            " takes a minute or two.",
        )
    with left, told():
        _form(topic, ahead)


def _form(given: str, ahead: st.delta_generator.DeltaGenerator) -> None:
    if given and st.session_state.get("shortlist:given") != given:
        st.session_state["shortlist:given"] = st.session_state["shortlist:topic"] = given
    topic, own = _topic(), _own()
    where = source(PAGE)
    start = st.container()
    with part():
        asked = {**_explore(bool(own)), **_refine(), **_check(), **_shortlist()}
        asked["ask_after"] = _ask_after()
    frozen = models_and_limits(PAGE, METHODS["shortlist"].roles)
    with start:
        go = st.button(
            "Make the shortlist",
            type="primary",
            icon=":material/filter_alt:",
            key="shortlist:go",
        )
    if not asked["branches"] and len(own) < FEWEST_OWN:
        st.caption(":material/info: Without a branch to explore, give two ideas of your own.")
        if go:
            raise BadInput("To begin without exploring, give two ideas of your own or more.")
        return
    inputs = validated(ShortlistInputs, topic=topic or "-", dated=today(), own=own, **asked)
    with ahead.container(border=True):
        st.markdown("**What this will be**")
        st.markdown(_describe(inputs))
        starting.planned("shortlist", inputs, frozen["models"], frozen["cap_usd"], where)
        _lacking(inputs, frozen["models"])
    if go:
        inputs = validated(ShortlistInputs, topic=topic, dated=today(), own=own, **asked)
        wish = [inputs.model_dump(mode="json"), where, str(frozen)]
        starting.go_to(
            starting.once(
                PAGE,
                wish,
                lambda: services.begin("shortlist", inputs, topic, source=where, **frozen),
            )
        )


def _topic() -> str:
    example = st.pills(
        "Topics that the built-in papers cover",
        cached.example_topics(),
        key="shortlist:example",
        wrap=True,
        on_change=_take_example,
    )
    typed = st.text_area(
        "Topic",
        key="shortlist:topic",
        height=90,
        persist_state="session",
        placeholder="What do you want ideas about?",
    )
    return (typed or example or "").strip()


def _take_example() -> None:
    if chosen := st.session_state.get("shortlist:example"):
        st.session_state["shortlist:topic"] = chosen


def _own() -> tuple[Idea, ...]:
    """Draw the choice of ideas of one's own, which enter after exploring; raises BadInput."""
    with st.expander("Ideas of your own", icon=":material/lightbulb:"):
        st.caption("They enter after exploring, and go through all the other stages.")
        kept = offered()
        by_id = {one.id: one for one in kept}
        names = tell_apart(kept)
        picked = st.multiselect(
            "From Ideas",
            list(names),
            format_func=names.__getitem__,
            key="shortlist:own",
            persist_state="session",
            select_all=False,
            placeholder="Ideas that were kept, written or imported",
        )
        bunches = [one.name for one in services.store().entries.bunches() if one.kind == "idea"]
        collections = st.multiselect(
            "From collections, all of their ideas",
            bunches,
            key="shortlist:collections",
            persist_state="session",
            select_all=False,
            placeholder="none",
        )
        typed = st.text_area(
            "Or write them",
            key="shortlist:typed",
            height=100,
            persist_state="session",
            placeholder="One paragraph each, with a blank line between two ideas",
        )
    found = [by_id[one].idea for one in picked if one in by_id]
    found += _of_collections(tuple(collections))
    found += [idea_of(text) for text in split(typed or "")]
    return tuple({idea.digest(): idea for idea in found}.values())


def _of_collections(names: tuple[str, ...]) -> list[Idea]:
    if not names:
        return []
    store = services.store()
    entries = [entry for entry, _ in store.entries.of(names, "idea", limit=200)]
    texts = store.frozen.several(tuple(entry.sha for entry in entries), Idea)
    return [texts[entry.sha] for entry in entries]


def _explore(has_own: bool) -> dict[str, Any]:
    with st.expander("Explore: branches and ideas", icon=":material/timeline:"):
        left, right = st.columns(2)
        branches = starting.number(
            left,
            "Branches",
            (ShortlistInputs, "branches"),
            "shortlist:branches",
            help="Each starts from a paper of its own. 0 explores nothing, and begins with your own"
            " ideas.",
        )
        ideas = starting.number(
            right, "Ideas per branch", (ShortlistInputs, "ideas"), "shortlist:ideas"
        )
        length = starting.number(
            left, "Papers per branch", (ShortlistInputs, "length"), "shortlist:length"
        )
        rounds = starting.number(
            right,
            "Novelty rounds at most",
            (ShortlistInputs, "novelty_rounds"),
            "shortlist:rounds",
            help="An idea that overlaps with published work is redrafted, at most this many times.",
        )
        full_text = st.checkbox(
            "Read full texts where there is an open-access PDF",
            True,
            key="shortlist:full-text",
            persist_state="session",
        )
        before = st.date_input(
            "Only papers before",
            value=None,
            max_value="today",
            key="shortlist:before",
            persist_state="session",
        )
        if has_own and not branches:
            st.caption("Nothing is explored: the shortlist is made of your own ideas.")
    return {
        "branches": branches,
        "ideas": ideas,
        "length": length,
        "novelty_rounds": rounds,
        "full_text": full_text,
        "before": before.isoformat() if before else None,
    }


def _refine() -> dict[str, Any]:
    kept = {one.name: one for one in services.store().indicators.all() if one.name not in PRESETS}
    known = {**PRESETS, **kept}
    usual = [goal.name for goal in ShortlistInputs.model_fields["goals"].default]
    with st.expander("Refine: what for, and how long", icon=":material/cyclone:"):
        st.session_state.setdefault("shortlist:goals", usual)
        picked = (
            st.pills(
                "Qualities to refine for, one after the other",
                list(known),
                selection_mode="multi",
                key="shortlist:goals",
                persist_state="session",
                wrap=True,
                format_func=lambda name: inline(name, 60),
            )
            or []
        )
        if not picked:
            st.caption("With none, ideas go on as they are.")
        left, right = st.columns(2)
        rules = ShortlistInputs.model_fields["rules"].default
        most = starting.number(
            left,
            "Rounds at most, for each quality",
            (Stopping, "max_rounds"),
            "shortlist:max-rounds",
            value=rules.max_rounds,
        )
        patience = starting.number(
            right,
            "Stop after so many rounds without improvement",
            (Stopping, "patience"),
            "shortlist:patience",
            value=rules.patience,
        )
        revise = st.checkbox(
            "Then judge by the checklist and revise once",
            key="shortlist:revise",
            persist_state="session",
        )
    return {
        "goals": tuple(known[name] for name in known if name in picked),
        "rules": Stopping(max_rounds=most, patience=patience),
        "revise": revise,
    }


def _check() -> dict[str, Any]:
    with st.expander("Check again and compare", icon=":material/travel_explore:"):
        papers = starting.number(
            st,
            "Near works read for each refined idea, at most",
            (ShortlistInputs, "papers"),
            "shortlist:papers",
        )
        checklist = st.checkbox(
            "Judge the compared ideas by the checklist too",
            True,
            key="shortlist:checklist",
            persist_state="session",
        )
    return {"papers": papers, "checklist": checklist}


def _shortlist() -> dict[str, Any]:
    left, right = st.columns(2)
    keep = starting.number(
        left, "Ideas on the shortlist", (ShortlistInputs, "keep"), "shortlist:keep"
    )
    designs = starting.number(
        right,
        "Experiments designed",
        (ShortlistInputs, "designs"),
        "shortlist:designs",
        help="For so many ideas, the first ones.",
    )
    return {"keep": keep, "designs": designs}


def _ask_after() -> tuple[str, ...]:
    stages = STAGES[:-1]
    each = st.checkbox(
        "Ask me after each stage",
        key="shortlist:ask",
        persist_state="session",
        help="The run waits for you to drop, add, rewrite or pin ideas. You can do the same later,"
        " on a run that was stopped or is finished.",
    )
    if not each:
        return ()
    picked = st.pills(
        "After which",
        stages,
        selection_mode="multi",
        default=stages,
        key="shortlist:ask-after",
        persist_state="session",
        format_func=NAMES.__getitem__,
        wrap=True,
    )
    return tuple(one for one in stages if one in (picked or ()))


def _lacking(inputs: ShortlistInputs, models: Mapping[str, str]) -> None:
    """Say which part the chosen models cannot do, and that rules compare where nobody can judge."""
    shop = services.workshop()
    named = {role: models.get(role) or models["main"] for role in METHODS["shortlist"].roles}
    with starting.warned():
        can_be_listed(shop, inputs, named)
        judge = shop.builtin() if named["judge"] == BUILT_IN else shop.model(named["judge"])
        if not judge.answers("arena-ideas"):
            st.info(
                "The built-in model cannot judge: its rules put the ideas in order, which is said"
                " to be that, and people can vote afterwards.",
                icon=":material/how_to_vote:",
            )


def _describe(inputs: ShortlistInputs) -> str:
    """Say in a line what becomes of how many ideas."""
    begins = []
    if inputs.branches:
        ideas = inputs.branches * inputs.ideas
        begins.append(f"{counted(ideas, 'idea')} from {counted(inputs.branches, 'branch')}")
    if inputs.own:
        begins.append(f"{len(inputs.own)} of your own")
    goals = " and ".join(inline(goal.name, 60) for goal in inputs.goals)
    refined = f"refined for {goals}" if goals else "not refined"
    asks = f" You are asked after {counted(len(inputs.ask_after), 'stage')}."
    return (
        f"{' and '.join(begins).capitalize()}; joined where they say the same, {refined}, checked"
        f" again, compared; {inputs.keep} at most are left.{asks if inputs.ask_after else ''}"
    )
