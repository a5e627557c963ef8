"""A refinement in words: how it is played, what the stopping rule has counted, what a ranking and a
side effect say.
"""

from collections.abc import Sequence

from components.refine.scene import RefineScene
from components.refine.way import KINDS
from components.shell.text import counted, inline
from core.judging.ranking import q_of
from core.methods import RefineInputs
from core.records import Effect, Play, Round, Standing

Q_MEANS = (
    "Q = (place of the target - 1) / number of our ideas, the mean over the rankings: 0 where the"
    " target is best, 1 where all of ours stand before it."
)
EFFECTS = {
    "better": ":green-badge[:material/trending_up: better]",
    "unchanged": ":gray-badge[:material/trending_flat: unchanged]",
    "worse": ":red-badge[:material/trending_down: worse]",
}


def variant(play: Play) -> str:
    """Say how a game is played."""
    return "Algorithm 1 of InfAL as printed" if play.printed else KINDS[play.variant].label


def qualities(inputs: RefineInputs) -> str:
    """Say for which qualities it was played before somebody branched off, and for which since."""
    legs = [(_goals(leg.play), leg.upto) for leg in inputs.earlier]
    now = _goals(inputs.play)
    # Only the last leg of several for the same qualities says where these end.
    before = [
        f"{said} up to round {upto}"
        for (said, upto), following in zip(
            legs, [*(said for said, _ in legs), now][1:], strict=True
        )
        if said != following
    ]
    return ", then ".join([*before, now])


def _goals(play: Play) -> str:
    return f"**{' and '.join(inline(goal.name, 60) for goal in play.goals)}**" + (
        f" ({play.order})" if len(play.goals) > 1 else ""
    )


def patience(play: Play) -> int:
    """Return how many quiet rounds in a row end a game, or one quality's part of it."""
    return play.rules.patience * (len(play.goals) if play.order == "taking turns" else 1)


def rule(scene: RefineScene, done: Round) -> str:
    """Say what the stopping rule had counted after a round."""
    play, most = scene.inputs.at(done.n), patience(scene.inputs.at(done.n))
    if play.variant == "no-discriminator":
        return f"Nobody decides: it ends after {counted(play.most, 'round')}."
    count, ends = (
        f"{done.quiet} of {most} quiet {'round' if most == 1 else 'rounds in a row'}",
        _ends(scene, done),
    )
    if done.quiet >= most:
        return f"{count}: {ends}"
    if not done.quiet:
        return (
            "The count begins anew:"
            f" {counted(most, 'quiet round')}{' in a row' if most > 1 else ''} would end it."
        )
    left = most - done.quiet
    return f"{count}; {'one' if left == 1 else left} more {'ends' if left == 1 else 'end'} it."


def _ends(scene: RefineScene, done: Round) -> str:
    following = scene.round(done.n + 1)
    if following and following.goal != done.goal:
        return f"that ends {inline(done.goal)}, and {inline(following.goal)} comes next."
    if following:
        return "it would have ended there, and somebody branched off to go on."
    return "that ends it."


def standing(one: Standing) -> str:
    """Say where the target stands, or why that is not known."""
    missing = f" ({inline(one.reason, 300)})" if one.reason else ""
    if one.q is None:
        return f"{inline(one.goal)}: not ranked{missing}"
    before = sum(1 for ranked in one.rankings if ranked.best_first[-1] == "target")
    ours = len(one.rankings[0].best_first) - 1 if one.rankings else 1
    many = counted(len(one.rankings), "ranking")
    place = f"before the target in {before} of {many}" if ours == 1 else f"{ours} ideas, {many}"
    return f"{inline(one.goal)}: **Q {one.q:.2f}**, {place}{missing}"


def spread(one: Standing) -> tuple[float, float]:
    """Return the least and the greatest Q over the rankings that came about."""
    qs = [q_of(ranked) for ranked in one.rankings]
    return min(qs), max(qs)


def effects(said: Sequence[Effect]) -> list[str]:
    """Say what a revision did to the other qualities."""
    return [
        f"{inline(one.goal)} {EFFECTS[one.said.effect]} {inline(one.said.reason, 600)}"
        for one in said
    ]
