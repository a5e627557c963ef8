"""Starting a ranking: which ideas, with which published one, by which qualities and judges."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from components.experiments import goals as experiment_goals
from components.experiments.goals import ChosenGoals
from components.ranking import candidates as ranking_candidates
from components.ranking import person
from components.ranking.candidates import Candidates
from components.runs import earlier, starting
from components.runs.asking import cap_usd, sampling
from components.runs.models import judges, ranks
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.errors import BadInput, FoundryError
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.records import Run
from core.runs.beginning import can_rank
from core.runs.estimates import estimate
from core.runs.planning import validated
from core.runs.workshop import DEFAULT_TOKENS

HIDDEN = (
    "Judges see the ideas under letters, shuffled for every repeat: which is published, if one is,"
    " who wrote which, and where they come from is hidden from them."
)


class RankingFormValues(NamedTuple):
    name: str
    candidates: Candidates
    goals: ChosenGoals
    judges: tuple[str, ...]
    """None where a person ranks alone."""
    way: dict[str, Any]
    caps: dict[str, Any]

    @property
    def inputs(self) -> RankInputs:
        """What is ranked; raises BadInput."""
        if said := self.candidates.wrong or self.goals.wrong:
            raise BadInput(said)
        one = validated(
            IdeaSet, name="final", ideas=self.candidates.named, target=self.candidates.target
        )
        return validated(
            RankInputs,
            topic=self.name.strip() or "Ranking",
            goals=self.goals.chosen,
            sets=(one,),
            **self.way,
        )

    @property
    def models(self) -> dict[str, str]:
        # Where a person ranks alone, it is not asked.
        names = self.judges or ("builtin",) * self.alone
        return {f"judge-{n}" if n > 1 else "judge": name for n, name in enumerate(names, 1)}

    @property
    def alone(self) -> bool:
        """Whether a person ranks, and no model."""
        return bool(self.way["judged_by"] == "person")


def draw(address: Mapping[str, str]) -> None:
    """Draw the form, and beside it what it would take; starting opens the ranking."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        ahead = st.container(border=True)
        earlier.draw(
            "rank",
            "Rankings so far",
            "None yet. Choose some ideas, and say who ranks them: you, blind, or models.",
        )
    with left, told():
        asked = _form(address)
        start = st.container()
        with start:
            go = st.button(
                "Rank them", type="primary", icon=":material/format_list_numbered:", key="ranks:go"
            )
        with ahead, told():
            _ahead(asked)
        if go:
            with start, told():
                starting.go_to(_begin(asked))


def _form(address: Mapping[str, str]) -> RankingFormValues:
    name = starting.name("ranks:name")
    candidates = ranking_candidates.draw(address)
    goals = experiment_goals.draw("ranks", "By which qualities")
    by = person.choice()
    panel = judges("ranks", 9) if by != "person" else ()
    st.caption(HIDDEN)
    with st.expander("Repeats, form and caps"):
        repeats = starting.number(
            st,
            "How often each ranking is asked, every time in another order",
            (RankInputs, "repeats"),
            "ranks:repeats",
            help="Five give the interval of the paper's table 4.",
        )
        same = st.checkbox(
            "Bring all ideas into the same six fields first",
            True,
            key="ranks:same",
            persist_state="session",
            help="A judge could rank form instead of content.",
        )
        area = (
            st.text_input(
                "Research area, as the judges are told it",
                key="ranks:area",
                persist_state="session",
                placeholder=RankInputs.model_fields["area"].default,
            )
            or ""
        )
        samplings = sampling("ranks", ("judge", "reader")) if panel else {}
        usd = cap_usd("ranks:usd")
    way = {
        "repeats": repeats,
        "same_form": same,
        "judged_by": by,
        **({"area": area.strip()} if area.strip() else {}),
    }
    return RankingFormValues(
        name, candidates, goals, panel, way, {"cap_usd": usd, "samplings": samplings}
    )


def _ahead(asked: RankingFormValues) -> None:
    """Say before the start what it will be and take, and why it could not be."""
    st.markdown("**What this will be**")
    if said := asked.candidates.wrong or asked.goals.wrong:
        st.caption(said)
    else:
        inputs = asked.inputs
        with_target = (
            "ranked with the published idea, which gives Q"
            if asked.candidates.target
            else "ranked among themselves"
        )
        qualities = " and ".join(inline(goal.name, 60) for goal in inputs.goals)
        st.markdown(
            f"{counted(len(asked.candidates.ideas), 'idea')} {with_target}, by {qualities}."
        )
        if asked.way["judged_by"] != "models":
            st.markdown(":material/person_raised_hand: " + person.ahead(inputs))
        if asked.judges:
            guess = estimate("rank", inputs.model_dump(mode="json"), asked.models)
            starting.estimated(guess, DEFAULT_TOKENS)
    if not asked.alone:
        _able(asked.judges)


def _able(panel: tuple[str, ...]) -> None:
    """Say beforehand which judge cannot rank, and what to do instead."""
    try:
        if not panel:
            raise BadInput(
                "Choose a judge: a language model. The built-in model understands nothing of what"
                " it reads, so it cannot rank."
            )
        can_rank(services.workshop(), panel)
    except FoundryError as error:
        st.warning(inline(str(error), 600), icon=":material/extension_off:")
        if not all(map(ranks, panel)) or not panel:
            st.button(
                "Rank them by hand, blind",
                icon=":material/person_raised_hand:",
                key="ranks:myself",
                on_click=person.choose,
            )
            st.page_link(
                "pages/rate.py",
                label="Rank by hand, not blind, in Rate",
                icon=":material/star:",
                query_params={"rate:tab": "Rank"},
            )


def _begin(asked: RankingFormValues) -> Run:
    """Start the ranking, or return the one the same click has just started; raises BadInput."""
    inputs = asked.inputs
    if not asked.judges and not asked.alone:
        raise BadInput(
            "Choose a judge: a language model that ranks the ideas; or choose that you rank them"
            " yourself."
        )

    def begin() -> Run:
        run = services.begin("rank", inputs, inputs.topic, models=asked.models, **asked.caps)
        experiment_goals.keep(asked.goals)
        return run

    return starting.once(
        "ranks", [inputs.model_dump(mode="json"), asked.judges, str(asked.caps)], begin
    )
