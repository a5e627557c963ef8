"""Having an experiment designed for one idea of a shortlist, in a copy that takes over all else."""

from core.errors import BadInput
from core.methods.inputs import ShortlistInputs
from core.records import Config, Run
from core.runs.branching import AFTER
from core.runs.runner import Runner
from core.store import must_be

COMPARED = "compare/choices"
"""The step after which only the shortlist itself is made."""


def design_one(runner: Runner, run_id: str, n: int) -> Run:
    """Make a run that shares everything its parent asked and designs an experiment for idea `n`
    besides; raises BadInput for a run that is no shortlist, or has not compared its ideas yet.

    Where a design of that idea failed, it and what was asked after it are asked anew. The run is
    queued, not started.
    """
    parent = must_be(runner.own(run_id), "shortlist", f"Run {run_id} is no shortlist.")
    steps = runner.store.steps.outline(run_id)
    if not any(step.key == COMPARED for step in steps):
        raise BadInput("Wait until the ideas are compared; then experiments can be designed.")
    asked = parent.inputs_as(ShortlistInputs)
    wanted = {"designs_for": sorted({*asked.designs_for, n})}

    def change(config: Config) -> Config:
        return config.model_copy(update={"inputs": {**config.inputs, **wanted}})

    key = f"shortlist/idea-{n}/experiment"
    before = [step.place for step in steps if step.key.startswith(f"{key}/")]
    place = min(before) if before else max(step.place for step in steps) + AFTER
    return runner.fork(run_id, key, change, place)
