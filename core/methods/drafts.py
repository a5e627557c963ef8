"""Direct prompting with room for more: several ideas with nothing to read, and the best of them by
the same comparisons that choose between the branches of a chain.

What a method adds is only seen beside what its tokens would have bought without it.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from core.desk import Desk
from core.judging import selection
from core.methods.baselines import DIRECT, planned
from core.methods.inputs import BaselineInputs
from core.records import ChainIdea, Design, DesignRound, Idea, Outcome, Selection

PROMPTS = (*DIRECT, *selection.PROMPTS)
MOST = 50


class DraftsInputs(BaselineInputs):
    """What several drafts are asked for."""

    drafts: Annotated[int, Field(ge=2, le=MOST)] = 8
    """How many ideas are written; all pairs of them are compared, in both orders."""


def best_of_drafts(
    desk: Desk, inputs: DraftsInputs
) -> Iterator[Selection | Idea | Design | DesignRound | Outcome]:
    """Have several ideas written side by side, and yield how one was chosen, the idea, and its
    experiment; raises ModelFailed, NoUsableAnswer.
    """
    places = {f"draft-{n}": n for n in range(1, inputs.drafts + 1)}

    def write(here: Desk, n: int) -> tuple[int, Idea]:
        return n, here.ask("direct-idea", ChainIdea, topic=inputs.topic).as_idea()

    ideas = dict(desk.at_each(write, places))
    chosen = selection.select(desk.at("selection"), inputs.topic, ideas, "idea")
    yield chosen
    idea = ideas[chosen.best]
    yield idea
    yield from planned(desk, inputs, idea)
    yield Outcome(
        reason=(
            f"The best of {inputs.drafts} ideas that were prompted directly, with nothing to read;"
            " its novelty was not checked."
        ),
        idea=idea,
    )
