"""Branching off from any round of a refinement: everything up to it is taken over, from there on it
is played otherwise.
"""

from collections.abc import Mapping, Sequence

from core.errors import BadInput
from core.methods import Leg, RefineInputs
from core.records import Play, Run, Wish
from core.runs.catalogue import method
from core.runs.runner import Runner
from core.store import Store, must_be
from core.story import Story

AFTER = "~"
"""Suffix of a place that sorts after the place and all places in it."""


def branch(
    runner: Runner,
    run_id: str,
    after: int,
    play: Play | None = None,
    line: int = 1,
    wishes: Sequence[Wish] = (),
    models: Mapping[str, str] | None = None,
) -> Run:
    """Make a run that shares round `after` of its parent and all before it (0: the first idea), and
    goes on as `play` says; raises BadInput.

    The count of quiet verdicts begins anew, so that at least one more round is played. The run is
    queued, not started.
    """
    parent = runner.own(run_id)
    inputs = refinement_inputs(parent)
    if parent.config.version != method("refine").version:
        raise BadInput(
            f"Run {run_id} was played by an earlier version of this program; it stays readable."
            " Refine its idea in a new run instead."
        )
    if after < 0:
        raise BadInput(
            f"There is no round {after}: 0 is the first idea, 3 what round 3 made of it."
        )
    play = play or inputs.at(after + 1)
    if play.variant == "initial":
        raise BadInput(
            "The initial idea is refined in no round; choose another variant to go on with."
        )
    _one_meaning_a_name(inputs, play)
    branched, told = branch_inputs(inputs, after, play, line), dict(models or {})
    anew = _asks_another_review(inputs.at(after + 1), play, told)
    if anew and any(wish.decline for wish in wishes):
        raise BadInput(
            "This branch has its idea reviewed anew, so there is no remark to decline yet. Start"
            " it, stop it after its round, and decline then."
        )
    at, place = place_to_fork(runner.store, parent, after, line, play, anew)
    change = {
        "inputs": branched.model_dump(mode="json"),
        "models": {**parent.config.models, **told},
    }
    made = runner.fork(run_id, at, lambda config: config.model_copy(update=change), place)
    for wish in wishes:
        runner.store.answers.wish(made.id, wish.model_copy(update={"line": line}))
    return made


def refinement_inputs(run: Run) -> RefineInputs:
    """Return what a refinement was asked for; raises BadInput for a run of another method."""
    otherwise = f"Run {run.id} is no refinement; fork it at one of its steps instead."
    return must_be(run, "refine", otherwise).inputs_as(RefineInputs)


def branch_inputs(inputs: RefineInputs, after: int, play: Play, line: int) -> RefineInputs:
    """Return what a branch is asked for: as before up to a round, as `play` says from there on."""
    legs = [leg for leg in inputs.earlier if leg.upto < after]
    if after:
        leg = Leg(upto=after, play=inputs.at(after))
        legs.append(leg)
    change = {
        "play": play,
        "earlier": tuple(legs),
        "only": line if inputs.lines > 1 else None,
    }
    return inputs.model_copy(update=change)


def place_to_fork(
    store: Store, parent: Run, after: int, line: int, play: Play, anew: bool
) -> tuple[str, str]:
    """Return the first step that is asked anew, and the place in the parent's order up to which
    everything is shared: the end of round `after`.

    It is the review of the idea one branches from, or, where that still holds, the first step of
    the next round.
    """
    inputs, story = refinement_inputs(parent), Story.of(store, parent.id)
    mine = next((one for one in story.lines if one.n == line), None)
    if mine is None or mine.first is None or mine.newest < after:
        raise BadInput(f"Run {parent.id} has no round {after} to branch from yet.")
    prefix = f"idea-{line}/" if inputs.lines > 1 else ""
    steps = store.steps.outline(parent.id)
    shared = [step.place for step in steps if _within(step.key, prefix, after)]
    place = max(shared, default="0") + AFTER
    if anew:
        review = "self-review" if play.variant == "self-reflection" else "review"
        return f"{prefix}round-{after}/{review}", place
    first = "go-ahead" if play.step_in else "wishes"
    return f"{prefix}round-{after + 1}/{first}", place


def _within(key: str, prefix: str, after: int) -> bool:
    """Whether a step belongs to this line and to a round up to `after`, or to what comes before all
    rounds.
    """
    first = key.removeprefix(prefix).split("/")[0]
    if not key.startswith(prefix):
        return False
    if first.startswith("round-"):
        return int(first.removeprefix("round-")) <= after
    return not first.startswith(("idea-", "ranking"))


def _asks_another_review(was: Play, now: Play, models: Mapping[str, str]) -> bool:
    reviewer = "generator" if now.variant == "self-reflection" else "optimizer"
    if len(was.goals) > 1 or reviewer in models:
        return True
    if was.goals != now.goals:
        return True
    return was.variant != now.variant or was.people != now.people


def _one_meaning_a_name(inputs: RefineInputs, now: Play) -> None:
    """Refuse a quality that goes by the name of one played before and has other traits: their
    standings could not be told apart. Raises BadInput.
    """
    plays = (inputs.play, *(leg.play for leg in inputs.earlier))
    before = {goal.name.casefold(): goal for play in plays for goal in play.goals}
    for goal in now.goals:
        if before.get(goal.name.casefold(), goal) != goal:
            raise BadInput(
                f"This run knows the quality {goal.name!r} with other traits. Give yours another"
                " name."
            )
