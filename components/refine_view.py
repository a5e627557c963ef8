"""A refinement on screen: rounds, the three actors side by side, the curve, and why it stopped."""
from typing import Any

import streamlit as st

from components import idea_card, services, states, writing
from components.actors import head
from components.refine_chart import figure
from components.text import inline, shown
from core.errors import BadInput
from core.methods import RefineInputs
from core.plans import refine_run
from core.records import Idea, Outcome, Review, Revision, Round, Run, Search, Verdict, label
from core.store.answers import wished
from core.store.steps import Partial
from core.story import Story


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "refine", "New refinement")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    inputs = RefineInputs.model_validate(run.config.inputs)
    story, store = Story.of(services.store(), run.id), services.store()
    states.strip(run, "refine")
    rounds, outcome, first = story.all(Round), story.last(Outcome), next(iter(story.all(Idea)), None)
    quiet = rounds[-1].quiet if rounds else 0
    background = _background(inputs, story.last(Search))
    st.caption(f"Improving **{inline(inputs.goal.name)}** ({inline('; '.join(inputs.goal.traits))}) · round {len(rounds)} of at most {inputs.rules.max_rounds}"
               f" · {quiet} of {inputs.rules.patience} quiet verdicts in a row · {background}")
    if outcome:
        _ending(run, outcome, len(rounds))
    if first is None:
        states.doing(run)
        return
    if rounds:
        st.plotly_chart(figure(rounds), key="refine:chart", config={"displaylogo": False})
    parts = store.steps.partials(run.id) if states.active(run) else []
    n = _timeline(len(rounds), live=states.active(run))
    if n > len(rounds):
        _writing(run, n, parts)
    elif n == 0:
        st.markdown("#### The first idea")
        idea_card.draw(first, run.id, "round-0", key="refine")
    else:
        _round(run, rounds[n - 1])
    if states.active(run) or outcome:
        _steer(run, inputs)


def _background(inputs: RefineInputs, found: Search | None) -> str:
    if found is None or found.papers:
        papers = found.papers if found else inputs.context
        return f"{len(papers)} papers as background" if papers else "looking for background"
    return f"no papers as background ({found.state}{': ' + inline(found.reason) if found.reason else ''})"


def _timeline(done: int, live: bool) -> int:
    """Draw the rounds as a row of choices and return the open one; follows the newest until a person picks another."""
    last = done + 1 if live else done
    options = list(range(last + 1))
    names = {0: "First idea", **{n: f"Round {n}" for n in options[1:]}, **({last: f"Round {last} (now)"} if live else {})}
    picked = st.segmented_control("Rounds", options, format_func=lambda n: names[n], key=f"refine:round-{last}", default=last,
                                  help="The newest round is shown until you pick another.")
    return last if picked is None else int(picked)


def _round(run: Run, done: Round) -> None:
    left, middle, right = st.columns([5, 7, 4], gap="medium")
    with left:
        st.markdown(head("optimizer", "reviewed"))
        _review(done.review)
        for wish in done.wishes:
            st.markdown(f":material/person: **{inline(wish.by)}** asked: {inline(wish.text, 1000)}")
    with middle:
        st.markdown(head("generator", "revised"))
        _revision(run, done.n, done.revision)
    with right:
        st.markdown(head("discriminator", "compared"))
        _verdict(done.verdict, done.quiet)
        if done.measures:
            near = f"\n- to the nearest paper: **{done.measures.to_nearest:.2f}**" if done.measures.to_nearest is not None else ""
            st.markdown(f"Similarity in meaning\n- to the first idea: **{done.measures.to_first:.2f}**\n- to the version before: "
                        f"**{done.measures.to_previous:.2f}**{near}")


def _review(review: Review) -> None:
    with st.container(border=True):
        st.markdown(shown(review.summary))
        for remark in review.remarks:
            st.markdown(f"- **{inline(remark.id)}** {inline(remark.text, 2000)}" + (f" *({inline(remark.trait)})*" if remark.trait else ""))


def _revision(run: Run, n: int, revision: Revision) -> None:
    idea_card.draw(revision.idea, run.id, f"round-{n}", key=f"refine:{n}")
    if revision.changes:
        with st.expander(f"{len(revision.changes)} changes, as the generator says"):
            for change in revision.changes:
                there = change.passage in revision.idea.fields.get(change.field, "")
                answers = ", ".join(change.remarks) or "no remark"
                st.markdown(f"- *{inline(label(change.field))}*, answering {inline(answers)}: "
                            + (f"“{inline(change.passage, 600)}”" if there else "*a passage that is not in the text as quoted*"))


def _verdict(verdict: Verdict, quiet: int) -> None:
    with st.container(border=True):
        st.markdown(":green-badge[:material/trending_up: Improved]" if verdict.improved
                    else ":gray-badge[:material/trending_flat: No improvement]" + (f" {quiet} in a row" if quiet > 1 else ""))
        st.markdown(shown(verdict.reason))


def _ending(run: Run, outcome: Outcome, rounds: int) -> None:
    (st.success if outcome.converged else st.info)(f"{inline(outcome.reason)} The idea below is from "
                                                   + (f"round {outcome.round}." if outcome.round else "the start: no revision was judged an improvement."))
    with st.expander(f"The refined idea: {inline(outcome.idea.title, 110)}", expanded=rounds == 0, icon=":material/lightbulb:"):
        idea_card.draw(outcome.idea, run.id, f"round-{outcome.round}", key="refine:end")


COLUMNS = (("review", "optimizer", "is reviewing"), ("revise", "generator", "is revising"), ("verdict", "discriminator", "is comparing"))


def _writing(run: Run, n: int, parts: list[Partial]) -> None:
    """Draw the round that is going on: what is settled already and the text as it is written."""
    settled = {name: services.store().steps.get(run.id, f"round-{n - 1 if name == 'review' else n}/{name}") for name, _, _ in COLUMNS}
    shapes: dict[str, type[Any]] = {"review": Review, "verdict": Verdict}
    for column, (name, actor, does) in zip(st.columns([5, 7, 4], gap="medium"), COLUMNS, strict=True):
        with column:
            step = settled[name]
            mine = [one for one in parts if one.key.endswith(f"/{name}")]
            st.markdown(head(actor, "is done" if step is not None else does if mine else "waits"))
            if step is not None and name == "review":
                _review(shapes[name].model_validate(step.reply))
            elif step is not None:
                with st.container(border=True):
                    writing.fields(step.reply)
            else:
                for part in mine:
                    if part.text or part.note:
                        with st.container(border=True):
                            writing.draw(part)


def _steer(run: Run, inputs: RefineInputs) -> None:
    """Draw the box for a wish: the next revision takes it up, of this run or, when it has ended, of one that goes on from its idea."""
    ended = run.state == "done"
    with st.form("refine:steer", clear_on_submit=True, border=True):
        left, right, go = st.columns([6, 2, 2], vertical_alignment="bottom")
        text = left.text_input("A wish: what the next revision should take into account", key="refine:wish")
        by = right.text_input("Your name", key="refine:by")
        filed = go.form_submit_button("Refine further" if ended else "File the wish", icon=":material/add_comment:")
    if filed:
        try:
            _go_on(run, inputs, text, by) if ended else services.store().answers.wish(run.id, text, by)
        except BadInput as error:
            st.error(inline(str(error)))
    for wish in services.store().answers.pending(run.id):
        late = "Came too late for the last revision" if ended else "Waits for the next revision"
        st.caption(f":material/schedule: {late}: {inline(wish.text)} ({inline(wish.by)})")


def _go_on(run: Run, inputs: RefineInputs, text: str, by: str) -> None:
    again = refine_run(services.store(), run.id, inputs.goal, inputs.rules, inputs.area)
    assert again.idea
    wishes = (wished(text, by),)
    made = services.begin("refine", again, again.idea.title, wishes, models=run.config.models, source=run.config.source)
    st.query_params["run"] = made.id
    st.rerun()
