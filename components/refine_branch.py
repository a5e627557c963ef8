"""Branching off from a round with other settings."""
from collections.abc import Mapping

import streamlit as st

from components import asking, person, services
from components.home import called
from components.refine_scene import Scene
from components.text import inline
from core.branching import branch
from core.errors import FoundryError
from core.methods import ACTORS
from core.methods.presets import PRESETS
from core.plans import played
from core.records import ACTORS as SEATS
from core.records import Indicator, Play, Wish
from core.store.answers import wished

VARIANTS = {
    "infal": "InfAL", "review-rebuttal": "Review & Rebuttal", "self-reflection": "Self-reflection", "no-discriminator": "Without discriminator",
    "no-optimizer": "Without optimizer",
}
AS_BEFORE = "as before"
"""The choice that leaves a role's model as it is."""


def control(scene: Scene, after: int) -> None:
    """Draw the way to branch off after round `after` (0: from the first idea); starting the branch opens it."""
    if scene.playing or scene.run.packed or scene.line.newest < after:
        return
    where = f"round {after}" if after else "the first idea"
    with st.popover("Branch from here", icon=":material/call_split:", help="Play on from this version with other settings, in a run of its own"):
        st.caption(f"A branch shares everything up to {where}, for free, and plays on from there. This run stays as it is.")
        with st.form(f"refine:branch:{scene.line.n}:{after}", border=False):
            asked = Asked(scene, after)
            if not st.form_submit_button("Branch and start", type="primary", icon=":material/call_split:"):
                return
        try:
            play, wishes, models = asked()
            made = branch(services.runner(), scene.run.id, after, play, scene.line.n, wishes, models)
        except FoundryError as error:
            st.error(inline(str(error), 1000))
            return
        services.runner().start(made.id)
        st.query_params["run"] = made.id
        st.rerun()


class Asked:
    """What the form holds; read when it is sent."""

    def __init__(self, scene: Scene, after: int):
        was, key = scene.inputs.at(after + 1), f"refine:branch:{scene.line.n}:{after}"
        self.known = _known(was)
        self.line = scene.line.n
        self.goals = st.multiselect("Qualities", list(self.known), default=[goal.name for goal in was.goals], key=f"{key}:goals", max_selections=4)
        self.turns = st.toggle("With several: a round for each in turn", value=was.order == "taking turns", key=f"{key}:turns")
        offered = list(VARIANTS)
        self.variant = st.selectbox("How it is played", offered, index=offered.index(was.variant) if was.variant in offered else 0, key=f"{key}:variant",
                                    format_func=VARIANTS.__getitem__)
        left, right = st.columns(2)
        self.rounds = left.number_input("Rounds more, at most", 1, 50, was.rules.max_rounds, key=f"{key}:rounds")
        self.patience = right.number_input("Quiet rounds that end it", 1, 10, was.rules.patience, key=f"{key}:patience")
        self.people = st.multiselect("Played by a person", SEATS, default=list(was.people), key=f"{key}:people")
        self.step_in = st.toggle("Wait for me before every revision", value=was.step_in, key=f"{key}:step-in")
        names = [AS_BEFORE, "builtin", *asking.known_models("main")]
        self.model = st.selectbox("Model, for every actor", names, key=f"{key}:model", accept_new_options=True,
                                  format_func=lambda name: name if name == AS_BEFORE else called(name))
        self.text = st.text_area("A remark of yours for the next revision (may stay empty)", key=f"{key}:wish", height=70)
        self.by = st.text_input("Your name (may stay empty)", value=person.given(), key=f"{key}:by", max_chars=80)

    def __call__(self) -> tuple[Play, list[Wish], Mapping[str, str]]:
        """Return how the branch is played, what is wished of it, and its models; raises BadInput."""
        person.is_called(self.by)
        play = played(self.variant, [self.known[name] for name in self.goals], self.rounds, self.patience, people=tuple(self.people), step_in=self.step_in,
                      order="taking turns" if self.turns else "one after the other")
        wishes = [wished(self.text, self.by.strip() or person.NOBODY, self.line)] if self.text.strip() else []
        return play, wishes, {} if self.model == AS_BEFORE else dict.fromkeys(ACTORS, str(self.model))


def _known(was: Play) -> dict[str, Indicator]:
    """Return the qualities to choose from, by name: the run's own, the presets, those people keep."""
    return {one.name: one for one in (*PRESETS.values(), *services.store().indicators.all(), *was.goals)}
