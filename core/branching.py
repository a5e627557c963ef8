"""Branching off from any round of a refinement: everything up to it is taken over, from there on it is played otherwise."""
from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.methods import METHODS, Leg, RefineInputs
from core.records import Play, Run, Wish
from core.runner import END, Runner
from core.store import Store
from core.story import Story


def branch(runner: Runner, run_id: str, after: int, play: Play | None = None, line: int = 1, wishes: Sequence[Wish] = (),
           models: Mapping[str, str] | None = None) -> Run:
    """Make a run that shares round `after` of its parent and all before it (0: the first idea), and goes on as `play` says; raises BadInput.

    The count of quiet verdicts begins anew, so that at least one more round is played. The run is queued, not started.
    """
    parent = runner.own(run_id)
    inputs = refined_with(parent)
    if parent.config.version != METHODS["refine"].version:
        raise BadInput(f"Run {run_id} was played by an earlier version of this program; it stays readable. Refine its idea in a new run instead.")
    if after < 0:
        raise BadInput(f"There is no round {after}: 0 is the first idea, 3 what round 3 made of it.")
    play = play or inputs.at(after + 1)
    if play.variant == "initial":
        raise BadInput("The initial idea is refined in no round; choose another variant to go on with.")
    branched = branched_inputs(inputs, after, play, line)
    at = place_to_fork(runner.store, parent, after, line, branched, models or {})
    made = runner.fork(run_id, at, lambda config: config.model_copy(update={
        "inputs": branched.model_dump(mode="json"), "models": {**config.models, **(models or {})}}))
    for wish in wishes:
        runner.store.answers.wish(made.id, wish.model_copy(update={"line": line}))
    return made


def refined_with(run: Run) -> RefineInputs:
    """Return what a refinement was asked for; raises BadInput for a run of another method."""
    if run.config.method != "refine":
        raise BadInput(f"Run {run.id} is no refinement; fork it at one of its steps instead.")
    return RefineInputs.model_validate(run.config.inputs)


def branched_inputs(inputs: RefineInputs, after: int, play: Play, line: int) -> RefineInputs:
    """Return what a branch is asked for: as before up to a round, as `play` says from there on."""
    kept = tuple(leg for leg in inputs.earlier if leg.upto < after)
    earlier = (*kept, Leg(upto=after, play=inputs.at(after))) if after else ()
    only = line if inputs.lines > 1 else None
    return inputs.model_copy(update={"play": play, "earlier": earlier, "only": only})


def place_to_fork(store: Store, parent: Run, after: int, line: int, branched: RefineInputs, models: Mapping[str, str]) -> str:
    """Return the first step that is asked anew: the review of the idea one branches from, or, where that still holds, the next revision."""
    inputs, story = RefineInputs.model_validate(parent.config.inputs), Story.of(store, parent.id)
    mine = next((one for one in story.lines if one.n == line), None)
    if mine is None or mine.first is None or mine.newest < after:
        raise BadInput(f"Run {parent.id} has no round {after} to branch from yet.")
    steps = {step.key: step.place for step in store.steps.outline(parent.id)}
    prefix = f"idea-{line}/" if inputs.lines > 1 else ""
    following = f"{prefix}round-{after + 1}/wishes"
    reviews = [key for key in steps if key.startswith(f"{prefix}round-{after}/") and key.rsplit("/", 1)[-1] in ("review", "self-review")
               and "/unread/" not in key]
    # Several lines are asked side by side: the others are left as they are, whatever the branch does.
    held = reviews if _asks_another_review(inputs, branched, after, models) else []
    return min([*held, *([following] if following in steps else [])], key=lambda key: steps[key], default=END)


def _asks_another_review(inputs: RefineInputs, branched: RefineInputs, after: int, models: Mapping[str, str]) -> bool:
    was, now = inputs.at(after + 1), branched.play
    return len(was.goals) > 1 or was.goals != now.goals or was.variant != now.variant or was.people != now.people or "optimizer" in models
