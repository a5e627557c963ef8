"""Adding to an arena: methods, topics, judges; only the matches that are missing are played."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.arena.figures import inputs
from components.arena.form import MOST, duplicates
from components.runs import starting
from components.runs.models import called, judging
from components.shell import services
from components.shell.text import counted, inline
from core.judging.arena.competition import ArenaInputs, able, extended
from core.judging.arena.contests import contests
from core.records import Config, Entry, Lineup, Played, Run
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


def draw(run: Run, _: Lineup, __: str, ___: str | None) -> None:
    """Draw what can be added and what it would take; adding makes a new arena that takes over all
    that was judged.
    """
    if run.state in ("queued", "running"):
        st.info(
            "Methods and judges can be added once this arena has come to its end, or was stopped.",
            icon=":material/hourglass_empty:",
        )
        return
    asked = inputs(run)
    st.markdown(
        "Adding makes a new arena: every match judged here is taken over, free, with the votes of"
        " people; only missing matches are played, and failed ones are tried again. This one stays"
        " as it is."
    )
    entries, judges = _entries(asked), _judges(run, asked)
    grown = _grown(run, asked, entries, judges)
    if grown is None:
        st.caption("Choose what is new.")
    else:
        _said(run, asked, grown)
    ended = Story.of(services.store(), run.id).last(Played)
    again = grown is None and bool(ended and ended.failed)
    if st.button(
        "Try what failed again" if again else "Add, and play what is missing",
        type="primary",
        icon=":material/add:",
        key="arena:add",
        disabled=grown is None and not again,
    ):
        _go(run, grown.config if grown else run.config)


def _entries(asked: ArenaInputs) -> tuple[Entry, ...]:
    """Draw the choice of collections and methods, and return the entries that this arena does not
    have.
    """
    names = [one.name for one in services.store().entries.bunches() if one.kind == asked.kind]
    chosen = st.multiselect(
        "Collections with more texts", names, key="arena:more-collections", placeholder="none"
    )
    found = (
        [one for one, _ in services.store().entries.of(tuple(chosen), asked.kind, limit=MOST)]
        if chosen
        else []
    )
    known = {(one.topic, one.method) for one in asked.entries}
    fresh = [one for one in found if (one.topic, one.method) not in known]
    if chosen and not fresh:
        st.caption("All of these methods are in the arena already, on all their topics.")
    methods = sorted({one.method for one in fresh})
    with_them = (
        st.pills(
            "Methods to add",
            methods,
            selection_mode="multi",
            default=methods,
            key=f"arena:more-methods:{len(methods)}",
            wrap=True,
            format_func=inline,
        )
        if methods
        else []
    )
    return duplicates([one for one in fresh if one.method in (with_them or ())], "arena:more-first")


def _judges(run: Run, asked: ArenaInputs) -> tuple[str, ...]:
    held = () if asked.people_only else tuple(run.config.models.values())
    names = [name for name in judging() if name not in held]
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


def _grown(
    run: Run, asked: ArenaInputs, entries: Sequence[Entry], judges: Sequence[str]
) -> Grown | None:
    if not entries and not judges:
        return None
    config = extended(run.config, entries, judges)
    more = config.inputs_as(ArenaInputs)
    return Grown(
        config, matches(more, config) - matches(asked, run.config), pairs(more) - pairs(asked)
    )


def pairs(asked: ArenaInputs) -> int:
    """Return how many pairs meet in an arena."""
    return len(contests((one.topic, one.method) for one in asked.entries))


def matches(asked: ArenaInputs, config: Config) -> int:
    """Return how many matches models play in an arena."""
    return 0 if asked.people_only else 2 * pairs(asked) * asked.repeats * len(config.models)


def _said(run: Run, asked: ArenaInputs, grown: Grown) -> None:
    """Say what is new, and what it is estimated to take."""
    inputs = grown.config.inputs_as(ArenaInputs)
    st.markdown(
        f"**{counted(grown.pairs, 'more pair')}**"
        + (f", **{grown.matches:,} more matches** for models." if not inputs.people_only else ".")
    )
    if inputs.people_only:
        return
    after = estimate("arena", grown.config.inputs, grown.config.models)
    before = (
        estimate("arena", run.config.inputs, run.config.models) if not asked.people_only else None
    )
    usd, tokens = services.store().runs.caps(run.id)
    starting.estimated(less(after, before) if before else after, tokens, usd)
    st.caption("The caps are those of this arena.")


def _go(run: Run, config: Config) -> None:
    made = extend(services.runner(), run.id, config.inputs_as(ArenaInputs), config.models)
    services.runner().start(made.id)
    st.query_params["run"] = made.id
    st.session_state[NEXT] = "Ratings"
    st.rerun(scope="app")
