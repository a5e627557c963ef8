"""Adding to an arena: methods, topics, judges; only the matches that are missing are played."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.arena.figures import inputs
from components.arena.form import entries_of, matches, pairs, pick_methods, several
from components.runs import starting
from components.runs.models import called, judging
from components.shell import services
from components.shell.text import counted
from core.judging.arena.competition import ArenaInputs, able, extended
from core.judging.arena.contestants import Contestants, enter
from core.records import Config, Played, Run
from core.runs.estimates import estimate, less
from core.runs.extending import extend
from core.story import Story

NEXT = "arena:next"
"""The view that is shown next."""


class Grown(NamedTuple):
    """An arena's configuration with more in it, and what of it is new."""

    config: Config
    matches: int
    pairs: int


def draw(run: Run) -> None:
    """Draw what can be added and what it would take; adding makes a new arena that takes over all
    that was judged.
    """
    if run.packed:
        st.info("This arena is a case study: nothing is added to it.", icon=":material/slideshow:")
        return
    if run.state in ("queued", "running"):
        st.info(
            "Methods and judges can be added once this arena has come to its end, or was stopped.",
            icon=":material/hourglass_empty:",
        )
        return
    asked = inputs(run)
    st.markdown(
        "Adding makes a new arena: every match judged here is taken over, free, with the votes of"
        " people; only missing matches are judged, and failed ones are tried again. This one stays"
        " as it is."
    )
    taking_part, judges = _entries(asked), _judges(run, asked)
    grown = _extend(run, asked, taking_part, judges)
    if grown is None:
        st.caption("Choose what is new.")
    else:
        _say_what_is_new(run, asked, grown)
    ended = Story.of(services.store(), run.id).last(Played)
    again = grown is None and bool(ended and ended.failed)
    if st.button(
        "Try what failed again" if again else "Add, and judge missing matches",
        type="primary",
        icon=":material/add:",
        key="arena:add",
        disabled=grown is None and not again,
    ):
        config = grown.config if grown else run.config
        made = extend(services.runner(), run.id, config.inputs_as(ArenaInputs), config.models)
        services.runner().start(made.id)
        st.query_params["run"] = made.id
        st.session_state[NEXT] = "Ratings"
        st.rerun(scope="app")


def _entries(asked: ArenaInputs) -> Contestants:
    """Draw the choice of collections and methods, and return the texts that this arena does not
    have.
    """
    names = [one.name for one in services.store().entries.bunches() if one.kind == asked.kind]
    chosen = st.multiselect(
        "Collections with more texts", names, key="arena:more-collections", placeholder="none"
    )
    found = entries_of(chosen, asked.kind)
    titles = {one.id: title for one, title in found.items()}
    fresh = enter(tuple(found), titles, asked)
    new = [one for one in found if one.id in {entry.id for entry in fresh.entries}]
    if chosen and not new:
        st.caption("All of these texts are in the arena already.")
    methods = sorted({one.method for one in new})
    picked: Sequence[str] = ()
    if methods:
        picked = pick_methods("Methods to add", methods, f"arena:more-methods:{len(methods)}")
    wanted = {one: found[one] for one in new if one.method in picked}
    return several(wanted, "arena:more-first", asked)


def _judges(run: Run, asked: ArenaInputs) -> tuple[str, ...]:
    names = judging()
    if not asked.people_only:
        names = [name for name in names if name not in run.config.models.values()]
    picked = st.multiselect(
        "Models to judge as well",
        names,
        accept_new_options=True,
        key="arena:more-judges",
        format_func=called,
        placeholder="none",
    )
    for name in picked:
        able(services.workshop().model(name), asked.kind)
    return tuple(picked)


def _extend(
    run: Run, asked: ArenaInputs, taking_part: Contestants, judges: Sequence[str]
) -> Grown | None:
    if not taking_part.entries and not judges:
        return None
    config = extended(run.config, taking_part.entries, judges, taking_part.method_of)
    more = config.inputs_as(ArenaInputs)
    before = matches(asked, len(run.config.models))
    return Grown(config, matches(more, len(config.models)) - before, pairs(more) - pairs(asked))


def _say_what_is_new(run: Run, asked: ArenaInputs, grown: Grown) -> None:
    """Say what is new, and what it is estimated to take."""
    inputs = grown.config.inputs_as(ArenaInputs)
    pairs_said = f"**{counted(grown.pairs, 'more pair')}**"
    if inputs.people_only:
        st.markdown(f"{pairs_said}.")
        return
    st.markdown(f"{pairs_said}, **{grown.matches:,} more matches** for models.")
    guess = estimate("arena", grown.config.inputs, grown.config.models)
    if not asked.people_only:
        guess = less(guess, estimate("arena", run.config.inputs, run.config.models))
    usd, tokens = services.store().runs.caps(run.id)
    starting.estimated(guess, tokens, usd)
    st.caption("The caps are those of this arena.")
