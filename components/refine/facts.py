"""What a refinement plays for, in one line: qualities, variant, rounds, background, people,
target.
"""

import re
from itertools import pairwise

import streamlit as st

from components.refine import branch
from components.refine.scene import RefineScene
from components.runs.actors import played
from components.shell import idea_card, services
from components.shell.paper_links import listed
from components.shell.text import counted, inline
from core.errors import BadInput
from core.methods import RefineInputs
from core.methods.adversarial.course import Course
from core.records import Paper, Play, Run, Search, Verdict
from core.store.steps import played_by


def draw(scene: RefineScene) -> None:
    """Draw the line; background and target open on a click."""
    play, rounds = scene.inputs.play, scene.line.rounds
    judged, most = quiet(scene), patience(play)
    said = [f"Improving {qualities(scene.inputs)}", inline(played(play))]
    if play.variant != "initial" and scene.line.first:
        said.append(count(scene))
    if play.variant not in ("initial", "no-discriminator") and judged is not None:
        said.append(f"{judged} of {most} {'round' if most == 1 else 'rounds'} without improvement")
    if play.people:
        names = scene.actors(len(rounds) + 1)
        people = ", ".join(names[actor] for actor in play.people)
        said.append(f":material/person: {people}: a person")
    if play.step_in:
        said.append("waits for a person before every revision")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            " · ".join(said),
            width="content",
            help="\n\n".join(
                f"**{inline(goal.name, 60)}**: {inline('; '.join(goal.traits), 1000)}"
                for goal in play.goals
            ),
        )
        _background(scene)
        _branched(scene)
        if scene.story.target:
            with st.popover("Target", type="tertiary", icon=":material/adjust:"):
                idea_card.draw(scene.story.target, None, "", "")


def count(scene: RefineScene) -> str:
    """Say in which round a refinement is, or ended, and how far that round is."""
    n, rounds = scene.going_on, len(scene.line.rounds)
    earlier = scene.inputs.earlier[-1].upto if scene.inputs.earlier else 0
    most = f"of at most {scene.inputs.play.most + earlier}"
    if n is None:
        return f"round {rounds} {most}" if rounds else f"no round yet, {most}"
    if "verdict" in scene.settled:
        return f"round {n} {most}, judged"
    return f"round {n} {most}, {'begun' if scene.live else 'not finished'}"


def quiet(scene: RefineScene) -> int | None:
    """Return how many verdicts in a row saw no improvement; None where there is no verdict yet.

    A round that goes on counts once it is judged: the review after it, which a person may take
    their time for, belongs to the next one.
    """
    rounds, verdict = scene.line.rounds, scene.settled.get("verdict")
    if scene.going_on is None or not isinstance(verdict, dict):
        return rounds[-1].quiet if rounds else None
    course = Course(scene.inputs, scene.line.version(0))
    for done in rounds:
        course.count(done.revision.idea, done.verdict)
        course.go_on()
    said = Verdict(improved=verdict["improved"], reason=verdict["reason"])
    return course.count(course.current, said)


def qualities(inputs: RefineInputs) -> str:
    """Say for which qualities it was played before somebody branched off, and for which since."""
    said = [_goals(play) for play in (*(leg.play for leg in inputs.earlier), inputs.play)]
    # Only the last leg of several for the same qualities says where these end.
    before = [
        f"{mine} up to round {leg.upto}"
        for leg, (mine, following) in zip(inputs.earlier, pairwise(said), strict=True)
        if mine != following
    ]
    return ", then ".join([*before, said[-1]])


def _goals(play: Play) -> str:
    names = " and ".join(inline(goal.name, 60) for goal in play.goals)
    order = f" ({play.order})" if len(play.goals) > 1 else ""
    return f"**{names}**{order}"


def patience(play: Play) -> int:
    """Return how many rounds in a row without improvement end a refinement, or one quality's part
    of it.
    """
    return play.rules.patience * (len(play.goals) if play.order == "taking turns" else 1)


def _generators(scene: RefineScene) -> tuple[str, ...]:
    """Return the models that write the ideas: several where a branch goes on with another one."""
    config, answered = scene.run.config, services.store().steps.answered(scene.run)
    return played_by(answered, config.writer, config.models.get(config.writer, ""))


def papers(scene: RefineScene) -> tuple[Paper, ...]:
    """Return the background the actors draw on."""
    found = scene.story.last(Search)
    return found.papers if found else scene.inputs.context


def short(goal: str) -> str:
    """Return a quality's name, short enough for a mark."""
    return inline(goal, 14)


def _branched(scene: RefineScene) -> None:
    """Say what a branch left, and after which round, with the way there."""
    if scene.run.parent is None:
        return
    try:
        parent = services.store().runs.get(scene.run.parent)
    except BadInput:
        return  # It was removed; the branch has all it needs.
    after, said = left_after(scene.run), f"Branch of {inline(parent.title, 60)}"
    if after is not None:
        said += f" after round {after}" if after else " after the first idea"
    if scene.playing:
        st.caption(f":material/call_split: {said}", width="content")
    else:
        st.page_link(
            "pages/refine.py",
            label=said,
            icon=":material/call_split:",
            query_params=branch.address(parent.id, scene.line.n, after),
        )


def left_after(run: Run) -> int | None:
    """Return the round after which a run left its parent; None where it did so before the first
    idea.
    """
    step = re.search(r"round-(\d+)/(?:.*/)?([^/]+)$", run.fork_at or "")
    if step is None:
        return None
    n, name = step.groups()
    # The review in the place of a round is of the idea of that round, for the next one.
    return int(n) if name in ("review", "self-review") else max(0, int(n) - 1)


def _background(scene: RefineScene) -> None:
    found = scene.story.last(Search)
    if held := papers(scene):
        with st.popover(
            f"{counted(len(held), 'paper')} as background",
            type="tertiary",
            icon=":material/menu_book:",
        ):
            for paper in held:
                st.markdown(listed(paper))
            if found and found.reason:
                st.caption(inline(found.reason, 300))
            if "builtin" in _generators(scene):
                st.caption(
                    "The built-in model, where it is the generator, also draws on the built-in"
                    " papers, beyond these."
                )
    elif found:
        st.caption(
            ":material/menu_book: no papers as background"
            f" ({found.state}{': ' + inline(found.reason) if found.reason else ''})",
            width="content",
        )
    elif scene.inputs.k and scene.live and scene.line.first is None:
        st.caption(":material/menu_book: looking for background", width="content")
    else:
        st.caption(":material/menu_book: no papers as background", width="content")
