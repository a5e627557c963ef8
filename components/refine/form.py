"""Starting a refinement: what it begins with and for which quality; everything else has a default
and is folded away.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from components.refine import background as refine_background
from components.refine import beginning
from components.refine import goals as refine_goals
from components.refine import target as refine_target
from components.refine import way as refine_way
from components.refine.background import Background
from components.refine.beginning import IDEA, RUN, RefineBeginning
from components.refine.goals import RefineGoals
from components.refine.target import ChosenTarget
from components.runs import earlier, starting
from components.runs.actors import KINDS
from components.runs.asking import models_and_limits
from components.runs.starting import planned
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.adversarial.actors import names
from core.records import Idea, Play, Run
from core.runs.catalogue import ACTORS
from core.runs.planning import idea_of, played, refine_idea, refine_run

PAGE = "refine"


class RefineFormValues(NamedTuple):
    """Everything the form was told."""

    begin: RefineBeginning
    goals: RefineGoals
    way: dict[str, Any]
    background: Background
    target: ChosenTarget
    frozen: dict[str, Any]
    """Models and caps."""

    @property
    def play(self) -> Play:
        """How the game is played; raises BadInput."""
        return played(goals=self.goals.chosen, order=self.goals.order, **self.way)

    @property
    def wrong(self) -> str:
        """What keeps the run from starting, as a sentence; empty where nothing does."""
        return next(
            (said for said in (self.goals.wrong, self.background.wrong, self.target.wrong) if said),
            "",
        )


def draw(address: Mapping[str, str]) -> None:
    """Draw the form, what it would take, and the refinements there are; starting one opens it."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
        earlier.draw(
            "refine",
            "Refinements so far",
            "None yet. A refinement with the built-in model takes a few seconds and needs no key.",
        )
    with left, told():
        _form(address, ahead)


def _form(address: Mapping[str, str], ahead: Any) -> None:
    begin, goals = beginning.draw(address), refine_goals.draw()
    start = st.container()
    asked = RefineFormValues(
        begin,
        goals,
        refine_way.draw(),
        refine_background.draw(begin),
        refine_target.draw(),
        models_and_limits(PAGE, ("main", *ACTORS)),
    )
    with start:
        go = st.button("Refine", type="primary", icon=":material/cyclone:", key="refine:go")
    # Beside the form, not in it: what is said here grows and shrinks with every choice, and the
    # form must not move under the hand.
    with ahead, told():
        _ahead(asked)
    if go:
        with start, told():
            starting.go_to(_begun(asked))


def _ahead(asked: RefineFormValues) -> None:
    """Say before the start what the run will be, take, wait for, and what of it the chosen models
    cannot do.
    """
    st.markdown("**What this will be**")
    if not asked.goals.chosen:
        st.caption("It depends on the quality to improve.")
        return
    play = asked.play
    st.markdown(_game(play))
    st.caption(asked.background.said)
    sample = (
        {"target": Idea(form="hypothesis", fields={"hypothesis": "-"})}
        if asked.target.wanted
        else {}
    )
    known = (
        Idea(form="hypothesis", fields={"hypothesis": "-"})
        if asked.begin.way in (RUN, IDEA) and play.variant != "initial"
        else None
    )
    planned(
        "refine",
        RefineInputs(topic="-", play=play, idea=known, **{**asked.target.inputs, **sample}),
        asked.frozen["models"],
        asked.frozen.get("cap_usd"),
    )
    if play.people or play.step_in:
        called = " and ".join(names(play.variant)[actor] for actor in play.people)
        when = [
            *([f"as {called}"] if called else []),
            *(["before every revision"] if play.step_in else []),
        ]
        st.info(
            f"The run will wait for you {', and '.join(when)}.",
            icon=":material/person_raised_hand:",
        )


def _game(play: Play) -> str:
    """Say what is played, for which qualities, until when."""
    label, rules, several = (
        inline(KINDS[play.variant].label),
        play.rules,
        len(play.goals) > 1,
    )
    in_turn = several and play.order == "taking turns"
    goals = (" and " if in_turn else ", then ").join(inline(goal.name, 60) for goal in play.goals)
    if play.variant == "initial":
        return f"{label} for {goals}, not refined."
    if play.variant == "no-discriminator":
        return f"{label}, for {goals}: {counted(rules.max_rounds, 'round')}{' for each' * several}."
    unit = "whole turn" if in_turn else "round"
    quiet = (
        f"a {unit} brings"
        if rules.patience == 1
        else f"{counted(rules.patience, unit)} in a row bring"
    )
    return (
        f"{label}{', Algorithm 1 as printed,' * play.printed} for {goals},"
        f" {'each ' * (several and not in_turn)}until {quiet} no improvement;"
        f" {counted(rules.max_rounds, 'round')} at most{' for each' * several}."
    )


def _begun(asked: RefineFormValues) -> Run:
    """Start the run, or return the one the same click has just started; raises BadInput."""
    if asked.wrong:
        raise BadInput(asked.wrong)
    inputs = _inputs(asked)
    source, title = asked.background.source, inputs.idea.title if inputs.idea else inputs.topic

    def begin() -> Run:
        run = services.begin("refine", inputs, title, source=source, **asked.frozen)
        refine_goals.keep(asked.goals)
        st.session_state.pop(beginning.GIVEN, None)
        return run

    return starting.once(
        "refine", [inputs.model_dump(mode="json"), source, str(asked.frozen)], begin
    )


def _inputs(asked: RefineFormValues) -> RefineInputs:
    begin, more = asked.begin, {**asked.background.inputs, **asked.target.inputs}
    if begin.way != RUN:
        return refine_idea(
            begin.topic, idea_of(begin.idea) if begin.way == IDEA else None, asked.play, **more
        )
    if not begin.run:
        raise BadInput("Choose a finished run whose idea is to be refined.")
    return refine_run(services.store(), begin.run, asked.play, line=begin.line, **more)
