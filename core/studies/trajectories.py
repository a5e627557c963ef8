"""Refinements as annotators see them: the first idea, then round by round what the reviewer said
and what the author made of it.
"""

from core.errors import BadInput
from core.records import Remark, Review, Round, Trajectory, TrajectoryRound
from core.store import Store, must_be
from core.story import Line, Story

SUMMARY_LEFT_OUT = "The reviewer's remarks:"
"""In place of a summary that may repeat remarks which were declined."""


def trajectory_of(store: Store, run_id: str, line: int = 1) -> Trajectory:
    """Return one idea's refinement without its actors, verdicts, scores and models; raises BadInput
    where it cannot be followed round by round.

    What the author was given is what is shown: remarks that were declined and wishes that came too
    late are left out, and a remark somebody made meanwhile stands among the reviewer's. Where a
    person rewrote the idea between two rounds, that is part of what the next version shows.
    """
    found = next((one for one in lines_of(store, run_id) if one.n == line), None)
    if found is None:
        raise BadInput(f"Run {run_id} refines no idea with the number {line}.")
    if found.first is None or not found.rounds:
        raise BadInput(
            f"Run {run_id} has no finished round of idea {line} yet. Let it go on, or choose"
            " another run."
        )
    rounds = tuple(
        TrajectoryRound(review=_review(run_id, one), idea=one.revision.idea) for one in found.rounds
    )
    goals = dict.fromkeys(one.goal for one in found.rounds if one.goal)
    return Trajectory(first=found.first, goal=", ".join(goals), rounds=rounds)


def lines_of(store: Store, run_id: str) -> tuple[Line, ...]:
    """Return the ideas a refinement refines; raises BadInput for any other run."""
    otherwise = (
        f"Run {run_id} is no refinement. Rounds can be commented of adversarial refinements only."
    )
    must_be(store.runs.get(run_id), "refine", otherwise)
    return Story.of(store, run_id).lines


def _review(run_id: str, one: Round) -> Review:
    """Return what a revision was to answer, as one review (core.methods.adversarial.to_answer);
    raises BadInput where there was nothing.
    """
    wished = [wish.text for wish in one.wishes if wish.text.strip() and not wish.late]
    kept = tuple(
        remark
        for remark in (one.review.remarks if one.review else ())
        if remark.id not in one.declined
    )
    own = tuple(
        Remark(id=name, text=text)
        for name, text in zip(_free({remark.id for remark in kept}), wished, strict=False)
    )
    if not kept and not own:
        raise BadInput(
            f"Round {one.n} of run {run_id} was played without a review, so there is nothing to say"
            " of it. Choose a refinement with an optimizer."
        )
    whole = (
        one.review.summary
        if one.review and len(kept) == len(one.review.remarks)
        else SUMMARY_LEFT_OUT
    )
    return Review(summary=whole, remarks=kept + own)


def _free(taken: set[str]) -> list[str]:
    """Return ids for further remarks that read like the reviewer's own."""
    return [name for n in range(1, 200) if (name := f"r{n}") not in taken]
