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
from components.refine.background import Background
from components.refine.beginning import IDEA, KEPT, RUN, RefineBeginning
from components.refine.goals import RefineGoals
from components.refine.target import ChosenTarget
from components.runs import earlier, starting
from components.runs.actors import ACTORS as COLOURED
from components.runs.actors import KINDS
from components.runs.asking import models_and_limits
from components.runs.starting import planned
from components.shell import services
from components.shell.frame import part, told
from components.shell.text import counted, inline
from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.adversarial.actors import names
from core.records import ACTORS, FIXED_ROUNDS, Actor, Idea, Play, Run, Stopping, Variant
from core.runs import catalogue
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
    with part():
        begin, goals = beginning.draw(address), refine_goals.draw()
    start = st.container()
    with part():
        way, background = draw_way(), refine_background.draw(begin)
        target = refine_target.draw()
    models = models_and_limits(PAGE, ("main", *catalogue.ACTORS))
    asked = RefineFormValues(begin, goals, way, background, target, models)
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
        if asked.begin.way in (RUN, KEPT, IDEA) and play.variant != "initial"
        else None
    )
    planned(
        "refine",
        RefineInputs(topic="-", play=play, idea=known, **{**asked.target.inputs, **sample}),
        asked.frozen["models"],
        asked.frozen.get("cap_usd"),
        asked.background.source,
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
    kind = KINDS[play.variant]
    label, rules, several = (
        f"{inline(kind.label)}{f' ({kind.in_brief})' * bool(kind.in_brief)}",
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
    if begin.way == KEPT:
        if begin.kept is None:
            raise BadInput("Choose an idea of the page Ideas, or begin with a topic.")
        return refine_idea(begin.topic, begin.kept, asked.play, **more)
    if begin.way != RUN:
        return refine_idea(
            begin.topic, idea_of(begin.idea) if begin.way == IDEA else None, asked.play, **more
        )
    if not begin.run:
        raise BadInput("Choose a finished run whose idea is to be refined.")
    return refine_run(services.store(), begin.run, asked.play, line=begin.line, **more)


# -- the way it is played: the variant, when it ends, and what people do in it --------------------

PRINTED = (
    "Stops at the first verdict without improvement. Slower: four calls per round in sequence. Each"
    " idea is reviewed twice and only the second review is used."
)


def draw_way() -> dict[str, Any]:
    """Draw how the refinement is played, folded away, and return it by the names of
    `core.runs.planning.played`.
    """
    with st.expander("How it is refined"):
        variant: Variant = st.radio(
            "Variant",
            list(KINDS),
            key="refine:variant",
            persist_state="session",
            format_func=lambda one: KINDS[one].label,
            captions=[kind.about for kind in KINDS.values()],
        )
        printed = st.checkbox(
            "Algorithm 1 as printed",
            key="refine:printed",
            persist_state="session",
            disabled=variant != "infal",
            help=PRINTED,
        )
        printed = printed and variant == "infal"
        if printed:
            st.caption(PRINTED)
        rounds, patience = _rules(variant, printed)
        people = _people(variant, printed)
        step_in = st.checkbox(
            "Wait for me before every revision",
            key="refine:step-in",
            persist_state="session",
            disabled=variant == "initial",
            help=(
                "You can decline remarks, add your own, or rewrite the idea; then the run goes on."
            ),
        )
    return {
        "variant": variant,
        "max_rounds": rounds,
        "patience": patience,
        "printed": printed,
        "people": people,
        "step_in": step_in and variant != "initial",
    }


def _rules(variant: Variant, printed: bool) -> tuple[int | None, int | None]:
    """Draw the two rules of stopping and return them, None where the variant has no use for one."""
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        rounds = _number(
            "Rounds at most, for each quality",
            "refine:rounds",
            50,
            FIXED_ROUNDS if variant == "no-discriminator" else Stopping().max_rounds,
            not_asked=variant == "initial",
            why="The papers use 10, and 7 without discriminator.",
        )
    with right:
        patience = _number(
            "Stop after this many rounds in a row without improvement",
            "refine:patience",
            10,
            1 if variant == "self-reflection" or printed else Stopping().patience,
            not_asked=printed or variant in ("initial", "no-discriminator"),
            why=(
                "Improvement by the discriminator's verdict. InfAL waits for two (section 3.2.3);"
                " its printed algorithm stops at the first."
            ),
        )
    return rounds, patience


def _number(label: str, key: str, most: int, default: int, not_asked: bool, why: str) -> int | None:
    """Draw a number that follows its default until a person types one; where it is not asked for,
    what was typed waits.
    """
    if not_asked:
        st.number_input(
            label, 1, most, value=default, key=f"{key}:fixed:{default}", disabled=True, help=why
        )
        return None
    if not st.session_state.get(f"{key}:typed") and st.session_state.get(key) != default:
        st.session_state[key] = default
    return int(
        st.number_input(
            label,
            1,
            most,
            key=key,
            persist_state="session",
            help=why,
            on_change=st.session_state.update,
            args=({f"{key}:typed": True},),
        )
    )


def _people(variant: Variant, printed: bool) -> tuple[Actor, ...]:
    st.caption("Human actors")
    possible, called = () if printed else KINDS[variant].people, names(variant)
    with st.container(horizontal=True):
        ticked = {
            actor: st.checkbox(
                f"{COLOURED[actor][1]} {called[actor].capitalize()}",
                key=f"refine:person:{actor}",
                persist_state="session",
                disabled=actor not in possible,
            )
            for actor in ACTORS
        }
    return tuple(actor for actor in possible if ticked[actor])
