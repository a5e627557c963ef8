"""What a refinement plays for, in one line: qualities, variant, rounds, background, people, target."""
import streamlit as st

from components import idea_card, refine_words
from components.paper_links import links
from components.refine_scene import Scene
from components.text import counted, inline
from core.records import Paper, Search


def draw(scene: Scene) -> None:
    """Draw the line; background and target open on a click."""
    play, rounds = scene.inputs.play, scene.line.rounds
    quiet, most = rounds[-1].quiet if rounds else 0, refine_words.patience(play)
    said = [f"Improving **{' and '.join(inline(goal.name, 60) for goal in play.goals)}**" + (f" ({play.order})" if len(play.goals) > 1 else ""),
            inline(refine_words.variant(play))]
    if play.variant != "initial":
        said.append(f"round {len(rounds)} of at most {scene.inputs.play.most + _earlier(scene)}")
    if play.variant not in ("initial", "no-discriminator"):
        said.append(f"{quiet} of {most} quiet {'round' if most == 1 else 'rounds'}")
    said += [f":material/person: {', '.join(scene.actors(len(rounds) + 1)[actor] for actor in play.people)}: a person"] if play.people else []
    said += ["waits for a person before every revision"] if play.step_in else []
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(" · ".join(said), width="content",
                   help="\n\n".join(f"**{inline(goal.name, 60)}**: {inline('; '.join(goal.traits), 1000)}" for goal in play.goals))
        _background(scene)
        if scene.story.target:
            with st.popover("Target", type="tertiary", icon=":material/adjust:"):
                idea_card.draw(scene.story.target, None, "", "")


def papers(scene: Scene) -> tuple[Paper, ...]:
    """Return the background the actors draw on."""
    found = scene.story.last(Search)
    return found.papers if found else scene.inputs.context


def short(goal: str) -> str:
    """Return a quality's name, short enough for a mark."""
    return inline(goal, 14)


def _earlier(scene: Scene) -> int:
    """Return how many rounds were played before somebody branched off."""
    return scene.inputs.earlier[-1].upto if scene.inputs.earlier else 0


def _background(scene: Scene) -> None:
    found = scene.story.last(Search)
    if held := papers(scene):
        with st.popover(f"{counted(len(held), 'paper')} as background", type="tertiary", icon=":material/menu_book:"):
            for paper in held:
                st.markdown(_paper(paper))
            if found and found.reason:
                st.caption(inline(found.reason, 300))
    elif found:
        st.caption(f":material/menu_book: no papers as background ({found.state}{': ' + inline(found.reason) if found.reason else ''})", width="content")
    else:
        said = "looking for background" if scene.inputs.k and scene.live and scene.line.first is None else "no papers as background"
        st.caption(f":material/menu_book: {said}", width="content")


def _paper(paper: Paper) -> str:
    where = " ".join(f"[{name}]({address})" for name, address in links(paper))
    return f"- {inline(paper.title, 200)}{f' ({paper.year})' if paper.year else ''} {where}"
