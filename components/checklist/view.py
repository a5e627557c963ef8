"""An evolution on screen: what it started from, its steps, the idea with its passages, scores,
comparison, and how it ended.
"""

import streamlit as st

from components.cases import save as case_save
from components.checklist import address as checklist_address
from components.checklist import compare, declines, items, judge, passages, scores, step
from components.checklist import scene as checklist_scene
from components.checklist.address import VIEWS
from components.checklist.scene import ChecklistScene
from components.runs import states, views, writing
from components.shell import idea_card, in_view, judge_note, onward, services
from components.shell.paper_links import listed
from components.shell.text import counted, inline, shown, step_name
from components.shell.widget_state import put
from core.judging.evolution_tables import in_words
from core.records import Idea, Prepared, Run
from core.runs.catalogue import entry
from core.store.steps import played_by
from core.story import Story


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "evolve", "New checklist evolution")
    passages.style()
    states.followed(run, _question if entry(run.config).view == "question" else _drawn)


def _question(run: Run) -> None:
    """Draw a run that only made a question and its review."""
    states.strip(run, "checklist", "Asking the question and reviewing papers on it.")
    made = Story.of(services.store(), run.id).last(Prepared)
    if made is None:
        states.doing(run)
        return
    _prepared(made, True)
    if not made.rejected:
        st.page_link(
            "pages/checklist.py",
            label="Evolve ideas on it",
            icon=":material/checklist_rtl:",
            query_params={"from": run.id},
        )


def _drawn(run: Run) -> None:
    checklist_address.follow(run)
    asked = run.config.inputs.get("lines", 1)
    scene = checklist_scene.now(run, checklist_address.number(run, "line", 1, int(str(asked))) or 1)
    states.strip(run, "checklist", _doing(scene))
    draw(scene)
    checklist_address.say(run)


def _doing(scene: ChecklistScene) -> str:
    """Say what is done about the idea that is looked at."""
    n = scene.going_on
    if scene.prepared is None:
        return "Asking the question and reviewing papers on it."
    if n is None:
        return "Finishing."
    version = f"step {n} of {scene.inputs.steps - 1}" if n else "the first idea"
    return f"Judging {version}, item by item." if scene.written(n) else f"Writing {version}."


def draw(scene: ChecklistScene) -> None:
    """Draw a scene: what is evolved, how it ended, and one view of it."""
    asked = scene.inputs
    first = "First idea"
    if asked.idea:
        first = "The idea"
    elif asked.firsts:
        first = "The first idea that others begin with too,"
    facts = ["Judged, not revised"]
    if asked.steps > 1:
        how = "uninformed: the model corrects itself, without directives"
        if asked.informed:
            how = "revised by the judge's directives"
        facts = [f"{first} and at most {counted(asked.steps - 1, 'revision')}", how]
    if asked.lines > 1:
        facts.append(f"{asked.lines} ideas side by side")
    facts.append(f"Layout and Length by {asked.decided}")
    if asked.judged_by == "person":
        facts.append("judged by a person")
    if asked.apart:
        facts.append("another judge scores")
    if asked.step_in:
        facts.append("waits for a person before every revision")
    st.caption(" · ".join(facts))
    if scene.prepared:
        _prepared(scene.prepared, scene.prepared.rejected != "", asked.idea)
    declines.draw(scene)
    if scene.inputs.lines > 1 and scene.prepared:
        _lines(scene)
    _ended(scene)
    if not scene.steps and scene.going_on is None:
        _nothing_yet(scene)
        return
    _tested(scene)
    view = _views(scene)
    {"idea": _idea, "scores": scores.draw, "compare": compare.draw}[view](scene)
    in_view.follow("checklist")


def _tested(scene: ChecklistScene) -> None:
    """Draw what sessions say of the models that judge."""
    if scene.inputs.judged_by != "person":
        chosen, answered = scene.run.config.models, services.store().steps.answered(scene.run)
        judge_note.draw(
            model
            for role in ("judge", "scorer")
            if role in chosen
            for model in played_by(answered, role, chosen[role])
        )


# -- what it is --------------------------------------------------------------------------------


def _prepared(made: Prepared, unfolded: bool, of: Idea | None = None) -> None:
    title = f"Research question: {inline(made.question, 160)}"
    if of and made.question == of.title:
        title = "Research question: none was given, so the idea's title stands for it"
    with st.expander(
        title, icon=":material/help_center:", expanded=unfolded, key="checklist:prepared"
    ):
        st.markdown(shown(made.question))
        if made.rejected:
            st.warning(inline(made.rejected, 1_000), icon=":material/search_off:")
        if made.keywords:
            st.caption(f"Keywords: {inline(', '.join(made.keywords))}")
        if made.review or not made.rejected:
            st.markdown(
                f"**Literature review**\n\n{shown(made.review)}"
                if made.review
                else ":gray[No literature review: ideas rest on the question alone.]"
            )
        for paper in made.papers:
            st.markdown(listed(paper))


def _lines(scene: ChecklistScene) -> None:
    key = f"checklist:line:{scene.run.id}"
    st.session_state[key] = scene.n
    names = {
        n: f"Idea {n} :small[:gray[{_state(scene, n)}]]" for n in range(1, scene.inputs.lines + 1)
    }
    views.row("Idea", names, key, on_change=_to_line, args=(scene.run, key))


def _to_line(run: Run, key: str) -> None:
    n = st.session_state[key]
    checklist_address.go(run, line=str(n) if n != 1 else "", step="", item="")


def _state(scene: ChecklistScene, n: int) -> str:
    other = checklist_scene.now(scene.run, n) if n != scene.n else scene
    if any(one.key.startswith(f"idea-{n}/") for one in scene.asks):
        return "waits for you"
    if other.discarded:
        return "discarded"
    scores = other.steps[-1].scores if other.steps else None
    return (
        "no idea yet"
        if scores is None
        else f"step {other.newest}, {scores.total} of {len(scores.items)} hold"
    ) + (", ended" if other.outcome else "")


# -- how it ended ------------------------------------------------------------------------------


def _ended(scene: ChecklistScene) -> None:
    if scene.discarded:
        st.warning(
            f"Step {len(scene.steps)} gave no idea that could be read; it is discarded, counted,"
            f" and never scored. {inline(scene.discarded.reason, 400)}",
            icon=":material/delete_sweep:",
        )
    outcome = scene.outcome
    if outcome is None:
        return
    sign = ":green[:material/check_circle:]" if outcome.converged else ":blue[:material/flag:]"
    told, rewards = in_words(outcome.reason, scene.steps[-1].scores if scene.steps else None)
    st.markdown(f":small[{sign} **{inline(told, 600)}** {inline(rewards, 300)}]", help=items.REWARD)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if scene.run.packed is None:
            idea_card.keeping(
                outcome.idea,
                scene.run.id,
                f"{scene.prefix}step-{outcome.round}",
                key=f"checklist:{scene.prefix}end",
            )
            idea_card.check_novelty(outcome.idea, scene.run.id)
        address = {"from": scene.run.id} | (
            {"line": str(scene.n)} if scene.inputs.lines > 1 else {}
        )
        st.page_link(
            "pages/refine.py",
            label="Refine it further",
            icon=":material/cyclone:",
            query_params=address,
        )
        st.page_link(
            "pages/checklist.py",
            label="Evolve it further by the checklist",
            icon=":material/checklist_rtl:",
            query_params=address,
        )
        case_save.offer(scene.run, "checklist")


def _nothing_yet(scene: ChecklistScene) -> None:
    if scene.discarded:
        return
    states.doing(scene.run)
    if scene.live and scene.inputs.papers and scene.prepared is None:
        st.caption(
            ":material/manage_search: First the research question, papers on it and a review of"
            " them; then the first idea is written."
        )
    for part in scene.parts if not states.active(scene.run) else ():
        st.caption(inline(step_name(part.key)))
        writing.draw(part)
    if scene.run.state in ("failed", "stopped"):
        onward.again("pages/checklist.py", scene.inputs.topic, "question")


# -- one of the views --------------------------------------------------------------------------


def _views(scene: ChecklistScene) -> str:
    asked, key = checklist_address.at(scene.run, "view"), f"checklist:view:{scene.run.id}"
    put(key, asked if asked in VIEWS else "idea")
    return views.draw(
        scene.run,
        "checklist",
        VIEWS,
        key,
        on_change=checklist_address.chosen,
        args=(scene.run, "view", key, lambda view: "" if view == "idea" else str(view)),
    )


def _idea(scene: ChecklistScene) -> None:
    n = _steps(scene)
    if n < len(scene.steps):
        step.draw(scene, n)
    elif question := scene.question("judge"):
        judge.draw(question)
    else:
        step.live(scene, n)
    declines.late(scene)


def _steps(scene: ChecklistScene) -> int:
    """Draw the steps as a row of choices and return the open one; follows the newest until a person
    picks another.
    """
    last = (
        scene.newest
        if scene.going_on is None or (scene.question("declines") and scene.steps)
        else scene.going_on
    )
    picked = checklist_address.number(scene.run, "step", 0, last)
    names = {n: _named(scene, n) for n in range(last + 1)}
    key = f"checklist:step:{scene.run.id}:{scene.n}"
    put(key, last if picked is None else picked)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        views.row(
            "Steps",
            names,
            key,
            on_change=checklist_address.chosen,
            args=(scene.run, "step", key, lambda n: "" if n == last else str(n)),
        )
        if picked is not None and picked != last and scene.live:
            st.button(
                "Follow",
                icon=":material/last_page:",
                key="checklist:follow-newest",
                on_click=checklist_address.go,
                args=(scene.run,),
                kwargs={"step": ""},
                help="Show the newest step again, whichever it is.",
            )
        st.space("stretch")
        items.demands()
    return int(st.session_state[key])


def _named(scene: ChecklistScene, n: int) -> str:
    called = "First idea" if n == 0 else f"Step {n}"
    if n >= len(scene.steps):
        return f"{called} :material/edit_note: {'now' if scene.live else 'not finished'}"
    scores = scene.steps[n].scores
    return (
        f"{called} :small[:gray[{scores.total} of {len(scores.items)} hold, r"
        f" {'?' if scores.reward is None else scores.reward}]]"
    )
