"""The last stage: the few ideas that are left, each with a card, the first with an experiment."""

from collections.abc import Mapping
from functools import partial

from core.desk import Desk
from core.methods import experiment
from core.methods.inputs import Looking, ShortlistInputs
from core.methods.shortlist.cards import NOT_ASKED, best_first, choose, make_card
from core.methods.shortlist.ideas import IdeaSoFar
from core.records import (
    Card,
    Design,
    DesignRound,
    Entity,
    Experiment,
    Place,
    RatedIdeas,
    SetAside,
    Shortlist,
)
from core.story import Branch, Story

REVIEWS = 1
"""How often a design is reviewed and refined."""
FAILED = "The experiment could not be designed: the model gave no usable answer."


def conclude(
    desk: Desk,
    asked: ShortlistInputs,
    ideas: Mapping[int, IdeaSoFar],
    rated: RatedIdeas,
    chain: str,
) -> Shortlist:
    """Return the shortlist: the first ideas by the comparison, pinned ones among them, each with
    its card, and an experiment designed for the first of them and those it was asked for.
    """
    chosen = choose(best_first(ideas, (one.n for one in rated.order)), asked.keep)
    branches = Story.of(desk.bench.store, chain).branches if chain else ()
    by_number = {branch.n: branch for branch in branches}

    def card(here: Desk, place: int, one: IdeaSoFar) -> Card:
        if place > asked.designs and one.n not in asked.designs_for:
            return make_card(one, place, undesigned=NOT_ASKED)
        at = here.at(f"idea-{one.n}/experiment")
        design, made = _design(at, asked, one, by_number.get(one.listed.branch or 0))
        return make_card(one, place, design, made, FAILED)

    work = [partial(card, place=place, one=one) for place, one in enumerate(chosen, 1)]
    aside = (one.aside for _, one in sorted(ideas.items()))
    return Shortlist(
        cards=desk.each(work, asked.at_once),
        aside=tuple(one for one in aside if isinstance(one, SetAside)),
        reason=rated.reason,
        by=rated.by,
    )


def _design(
    desk: Desk, asked: ShortlistInputs, one: IdeaSoFar, branch: Branch | None
) -> tuple[Design | None, Place | None]:
    """Design an experiment for an idea after those of its own papers, show it, and return it with
    the step that wrote it; None where the model gave no usable answer.
    """
    looking = Looking(topic=asked.topic, before=asked.before, ban=asked.ban)
    links = branch.chain.links if branch and branch.chain else ()
    examples: list[Experiment] = []
    for link in links:
        examples += link.reading.experiments if link.reading else ()
    entities: tuple[Entity, ...] = ()
    if branch and branch.entities:
        entities = branch.entities.entities
    design: Design | None = None
    made: Place | None = None
    steps = experiment.design(desk, looking, one.idea, tuple(examples), entities, REVIEWS)
    for n, step in enumerate(steps):
        if isinstance(step, DesignRound):
            design, key = step.design, f"round-{step.n}/design-refine"
        else:
            design, key = step, "experiment-design"
        desk.at(f"version-{n}").show(design)
        made = Place(run=desk.bench.run.id, place=f"{desk.place}/{key}")
    return design, made
