"""Choosing the panel of judges: picked, or formed from a general ranking by the paper's rules;
where it departs from them is said.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.runs import models as experiment_models
from components.shell import mistakes, services
from components.shell.text import counted, inline
from core.benchmark import panel
from core.benchmark.identity import same_model
from core.benchmark.inputs import JUDGES_EACH, drop_repeats
from core.benchmark.panel import PanelNote
from core.errors import FoundryError
from core.importing.rankings import general_ranking
from core.records import Entrant, Panelist

PICKED, FORMED, NOBODY = "pick", "ranking", "nobody"
WAYS = {PICKED: "I pick the judges", FORMED: "From a general ranking", NOBODY: "No judges"}
MOST = 30
RULES = (
    "The paper uses ten judges: the top of a general ranking, at most two of an organisation, one"
    " for each base model. No model ever judges its own ideas. Another panel is allowed; how it"
    " departs from these rules is recorded and said."
)
RANKING = "bench:ranking"
"""The general ranking that was brought."""


class ChosenPanel(NamedTuple):
    judges: tuple[Panelist, ...]
    notes: tuple[str, ...] = ()
    """Where the panel departs from the paper's rules, a sentence each."""
    wrong: str = ""
    usual: int = JUDGES_EACH
    """How many judges an idea has where nobody says: fewer only where fewer are proposed."""


def draw(models: Sequence[Entrant]) -> ChosenPanel:
    """Draw the choice of judges and return them; where nobody at hand could judge the ideas, it
    begins without judges.
    """
    proposed = _proposed(models)
    somebody = proposed or st.session_state.get("bench:judges")
    st.session_state.setdefault("bench:way", PICKED if somebody else NOBODY)
    way = st.segmented_control(
        "Judges",
        list(WAYS),
        required=True,
        key="bench:way",
        format_func=WAYS.__getitem__,
        persist_state="session",
        help=RULES,
        wrap=True,
    )
    if way == NOBODY:
        st.caption("Ideas are written and not scored." if proposed else _why_nobody(models))
        return ChosenPanel(())
    if way == FORMED:
        return _formed(_ranking(expanded=True), models)
    names = experiment_models.several(
        "The panel",
        "bench:judges",
        "judge",
        proposed,
        "Each idea is judged by some of them, drawn by the seed.",
        MOST,
    )
    ranking = _ranking(expanded=False)
    judges = panel.panelists(names, ranking)
    return ChosenPanel(
        judges,
        _departing(panel.check_panel(judges, models, ranking)),
        "" if judges else "Choose judges, or “No judges”.",
        len(names) if names and names == proposed else JUDGES_EACH,
    )


def _proposed(models: Sequence[Entrant]) -> tuple[str, ...]:
    """Return who could judge every idea, of the models at hand: as many as judge an idea."""
    chosen = services.workshop().chosen("judge")
    able = (chosen,) if answers(chosen, ["bench-judge"]) else ()
    names = drop_repeats((*able, *experiment_models.judging()))[0]
    writers = [one.model for one in models]
    others = [name for name in names if not any(same_model(name, writer) for writer in writers)]
    return tuple(others[:JUDGES_EACH])


def _why_nobody(models: Sequence[Entrant]) -> str:
    """Say why there are no judges to propose, and what can be done."""
    if all(one.model == "builtin" for one in models):
        return (
            "The built-in model can write ideas and cannot judge any. So ideas are written and not"
            " scored; connect a language model to have them judged."
        )
    return (
        "No model judges its own ideas, and no other one was found. So ideas are written and not"
        " scored; choose “I pick the judges” and type another model to have them judged."
    )


def _ranking(expanded: bool) -> tuple[Panelist, ...]:
    """Draw the place to bring a general ranking to, and return the one that is there."""
    with st.expander("A general ranking", key=f"bench:ranking-open:{expanded}", expanded=expanded):
        st.caption(
            "A CSV with the columns model (as provider:model) and score, and if there are some"
            " organisation and base; such as a leaderboard's average."
        )
        st.file_uploader("Ranking (CSV)", "csv", key="bench:ranking-file", on_change=_brought)
        mistakes.shown(RANKING)
        held: tuple[Panelist, ...] = st.session_state.get(RANKING, ())
        if held:
            taking_out(held, RANKING, "bench:ranking-out")
    return held


def taking_out(held: Sequence[Panelist], place: str, key: str) -> None:
    """Draw how many models a ranking holds, and the button that takes it out of its place."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":green-badge[:material/check: {counted(len(held), 'model')} ranked]")
        st.button(
            "Take the ranking out",
            icon=":material/close:",
            type="tertiary",
            key=key,
            on_click=st.session_state.pop,
            args=(place, None),
        )


def _brought() -> None:
    """Read a ranking that was brought; it stays when the page is left, which the field's own file
    does not.
    """
    file = st.session_state["bench:ranking-file"]
    if file:
        # A file that cannot be read leaves none behind: the one before it would stand under the new
        # one's name.
        st.session_state.pop(RANKING, None)
        with mistakes.kept(RANKING):
            st.session_state[RANKING] = general_ranking(file.getvalue(), file.name)


def _formed(ranking: tuple[Panelist, ...], models: Sequence[Entrant]) -> ChosenPanel:
    size = st.number_input(
        "Judges on the panel", 1, MOST, panel.SIZE, key="bench:size", persist_state="session"
    )
    if not ranking:
        return ChosenPanel((), (), "Bring a general ranking, or pick the judges.")
    judges, passed = panel.form_panel(ranking, size)
    st.dataframe(
        [
            {
                "Judge": one.model,
                "Score": one.rank,
                "Organisation": one.organisation,
                "Base model": one.base,
            }
            for one in judges
        ],
        hide_index=True,
        key="bench:panel",
        height=min(35 * (len(judges) + 1) + 3, 260),
        column_config={
            "Judge": st.column_config.TextColumn(width=180),
            "Score": st.column_config.NumberColumn(width=60),
        },
    )
    for one in passed:
        st.caption(inline(one.said, 300))
    return ChosenPanel(judges, _departing(panel.check_panel(judges, models, ranking)))


def _departing(notes: Sequence[PanelNote]) -> tuple[str, ...]:
    """Return what a person should know of the panel: rules it does not keep, and rules nobody can
    tell of.
    """
    return tuple(one.said for one in notes if one.kept is not True or one.rule == "own ideas")


def answers(name: str, prompts: Sequence[str]) -> bool:
    """Say whether a model answers these prompts; one that cannot be opened says why once somebody
    chooses it.
    """
    try:
        return all(map(services.workshop().model(name).answers, prompts))
    except FoundryError:
        return False
