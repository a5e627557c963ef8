"""An arena on screen: how far it is, whose votes and which quality are looked at, and one view of
what it came to.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from components.arena import ratings, votes
from components.arena.figures import What, inputs, line_up, whole
from components.arena.form import entries_of, matches, pairs, pick_methods, several
from components.runs import starting, states
from components.runs.models import called, judging
from components.shell import in_view, services
from components.shell.text import counted, inline
from core.judging.arena.competition import ArenaInputs, able, extended
from core.judging.arena.contestants import Contestants, enter
from core.judging.arena.contests import CRITERIA, NO_PAIR, unmatched, unmatched_said
from core.judging.arena.sheet import RatingsSheet, Trust
from core.records import Config, Lineup, Played, Run, label
from core.runs.estimates import estimate, less
from core.runs.extending import extend
from core.story import Story

WHO = {"both": "Side by side", "models": "Models", "people": "People"}
OVERALL = "overall"
VIEWS = ("Ratings", "Who beat whom", "Over time", "Matches", "Judges", "Votes", "Add")
FIGURES: dict[str, tuple[What, Callable[[Run, str, RatingsSheet | Trust], None]]] = {
    "Ratings": ("sheet", ratings.draw),
    "Who beat whom": ("sheet", ratings.matrices),
    "Over time": ("sheet", ratings.over_time),
    "Judges": ("trust", ratings.trust),
}
"""The views of figures, of which kind."""
NEXT = "arena:next"
"""The view that is shown next."""


def whole_run(run: Run) -> None:
    """Draw the arena; while it is active, redraw every second."""
    states.head(run, "arena", "New arena")
    states.followed(run, _draw)


def _draw(run: Run) -> None:
    states.strip(run, "arena")
    lineup = line_up(run)
    if lineup is None:
        st.info(
            (
                "The texts are being brought into one form; the first matches follow."
                if states.active(run)
                else "The arena ended before its texts were ready. Resume it, or start another."
            ),
            icon=":material/hourglass_empty:",
        )
        states.doing(run)
        return
    asked = inputs(run)
    _progress(run, asked, lineup)
    if following := st.session_state.pop(NEXT, None):
        st.session_state["tab"] = following
    voteless = asked.people_only and not any(services.store().ballots.count(run.id))
    tab = (
        st.segmented_control(
            "View",
            VIEWS,
            default="Votes" if voteless else "Ratings",
            required=True,
            key="tab",
            bind="query-params",
            label_visibility="collapsed",
        )
        or "Ratings"
    )
    if tab == "Votes":
        votes.draw(run, lineup)
        return
    if tab == "Add":
        _more(run)
        return
    who, criterion = _filter(asked)
    if tab in FIGURES:
        _what_is_rated(asked, tab)
        what, draw = FIGURES[tab]
        ratings.followed(run, what, criterion, partial(draw, run, who))
    else:
        votes.matches(run, lineup, who, criterion)
    in_view.follow("arena")


def _filter(asked: ArenaInputs) -> tuple[str, str | None]:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        who = st.segmented_control(
            "Whose votes",
            list(WHO),
            default="both",
            required=True,
            key="who",
            bind="query-params",
            format_func=WHO.__getitem__,
        )
        criterion = st.segmented_control(
            "Quality",
            [OVERALL, *CRITERIA[asked.kind]],
            default=OVERALL,
            required=True,
            key="criterion",
            bind="query-params",
            format_func=lambda one: "All criteria pooled" if one == OVERALL else label(one),
            wrap=True,
        )
    return str(who or "both"), None if criterion in (None, OVERALL) else str(criterion)


def _what_is_rated(asked: ArenaInputs, tab: str) -> None:
    """Draw the choice between texts and methods, where methods have several texts."""
    if not asked.method_of or tab == "Judges":
        return
    topics = {entry.topic for entry in asked.entries}
    st.segmented_control(
        "What is rated",
        [ratings.TEXTS, ratings.METHODS],
        default=ratings.TEXTS if len(topics) == 1 else ratings.METHODS,
        required=True,
        key=ratings.BY,
        bind="query-params",
        help="A method is rated by the matches of its texts against those of other methods.",
    )


def _progress(run: Run, asked: ArenaInputs, lineup: Lineup) -> None:
    models, people = services.store().ballots.count(run.id)
    pairs = len(whole(lineup))
    judges = 0 if asked.people_only else len(run.config.models)
    matches = 2 * pairs * asked.repeats * judges
    competing = {seat.method for seat in lineup.seats}
    methods = counted(len({asked.method_of.get(name, name) for name in competing}), "method")
    texts = f"{counted(len(lineup.seats), 'text')} by " if asked.method_of else ""
    topics = counted(len({seat.topic for seat in lineup.seats}), "topic")
    facts = [f"{counted(pairs, 'pair')} of {texts}{methods} on {topics}"]
    if judges:
        facts.append(f"{models:,} of {matches:,} matches judged by models")
    elif models:
        facts.append(f"{counted(models, 'judgment')} of models, imported")
    facts.append(f"{counted(people, 'vote')} of people" if people else "no person has voted yet")
    facts.append(_form(asked, lineup))
    if judges and states.active(run):
        st.progress(min(1.0, models / max(matches, 1)), text=" · ".join(facts))
    else:
        st.caption(" · ".join(facts))
    _missing(run, lineup)


def _form(asked: ArenaInputs, lineup: Lineup) -> str:
    """Say in what form texts are shown, and how many a model has rewritten for it."""
    if not lineup.common:
        return "texts as they are"
    written = {(one.topic, one.method): one.sha for one in asked.entries}
    rewritten = [
        one for one in lineup.seats if one.sha and written[one.topic, one.method] != one.sha
    ]
    if not rewritten:
        return "texts in one form"
    return f"{counted(len(rewritten), 'text')} rewritten into one form by a model"


def _missing(run: Run, lineup: Lineup) -> None:
    """Say what is not there: methods that meet nobody, matches whose judge failed, and texts that
    could not be shown.
    """
    if not whole(lineup):
        st.warning(NO_PAIR, icon=":material/block:")
    elif alone := unmatched((seat.topic, seat.method) for seat in lineup.seats if seat.sha):
        st.warning(inline(unmatched_said(alone), 600), icon=":material/block:")
    ended = Story.of(services.store(), run.id).last(Played) if run.state == "done" else None
    if ended and ended.failed:
        by = ", ".join(f"{n:,} of {inline(judge, 60)}" for judge, n in ended.failed.items())
        st.warning(
            f"{sum(ended.failed.values()):,} matches have no verdict and count for no method: {by}."
            f" The first failed so: {inline(ended.reason, 400)} “Add” tries them again.",
            icon=":material/error:",
        )
    if gone := [seat for seat in lineup.seats if not seat.sha]:
        few = ", ".join(f"{seat.method} on {seat.topic}" for seat in gone[:3])
        st.warning(
            f"{counted(len(gone), 'text')} could not be brought into the common form and"
            f" {'does' if len(gone) == 1 else 'do'} not compete: {inline(few, 300)}."
            f" {inline(gone[0].reason, 300)}",
            icon=":material/description:",
        )


# -- adding methods, topics, judges --------------------------------------------------------------


class Grown(NamedTuple):
    """An arena's configuration with more in it, and what of it is new."""

    config: Config
    matches: int
    pairs: int


def _more(run: Run) -> None:
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
