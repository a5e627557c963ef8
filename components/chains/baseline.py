"""A baseline on screen: what it was prompted with, its idea, its experiment."""

import streamlit as st

from components.chains import design as chain_design
from components.chains import facts
from components.runs import searches, states, waiting
from components.shell import idea_card, onward, services
from components.shell.paper_links import links
from components.shell.text import inline
from core.records import Design, DesignRound, Idea, Outcome, Paper, Run, Search, Topic
from core.story import Story


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "chain", "New run")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    states.strip(run, "chains")
    facts.draw(run)
    waiting.draw(run)
    idea, outcome, topic = story.last(Idea), story.last(Outcome), story.last(Topic)
    if outcome:
        st.info(inline(outcome.reason))
    if idea is None:
        if states.active(run):
            states.doing(run)
        elif run.state in ("failed", "stopped"):
            onward.again("pages/chains.py", run.config.inputs["topic"])
        return
    left, right = st.columns([1, 1], gap="large")
    with left:
        if topic:
            st.markdown(f"##### Topic, as confirmed\n\n{inline(topic.topic, 2_000)}")
        st.markdown("##### Idea")
        idea_card.draw(idea, run.id, "outcome" if outcome else "draft", key="chains")
        if outcome:
            onward.draw(
                "pages/refine.py", "Refine this idea", ":material/cyclone:", {"from": run.id}
            )
        _read(run, story.last(Search))
    with right:
        _experiment(story)
    if states.active(run):
        states.doing(run)


def _read(run: Run, found: Search | None) -> None:
    if found:
        st.markdown(f"##### Retrieved papers ({len(found.papers)}), nearest to the topic first")
        for paper in found.papers:
            _paper(paper)
        with st.expander("Queries"):
            searches.draw(
                tuple(Search(query=text, state="found") for text in found.query.split("; "))
            )
    elif given := run.config.inputs.get("paper"):
        st.markdown("##### The paper")
        _paper(Paper.model_validate(given))


def _paper(paper: Paper) -> None:
    year, title = paper.year or "undated", inline(paper.title, 160)
    addresses = [f"[{where}]({address})" for where, address in links(paper)]
    facts = " · ".join([str(year), title, *addresses])
    st.markdown(f"- {facts}")


def _experiment(story: Story) -> None:
    rounds = story.all(DesignRound)
    design = rounds[-1].design if rounds else story.last(Design)
    if design is None:
        st.caption("No experiment was designed.")
        return
    st.markdown("##### Experiment")
    chain_design.parts(design)
