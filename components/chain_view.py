"""A chain run on screen: the growing chain, a paper's card, the trend, the idea and the evidence that it is new."""
import streamlit as st

from components import chain_graph, idea_card, services, states
from components.paper_links import links
from components.text import inline, shown
from core.records import Chain, Direction, Idea, Link, NoveltyCheck, Outcome, Run, Trend
from core.story import Story


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "chain", "New chain")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    states.strip(run, "chains")
    chain = story.last(Chain) or _so_far(run, story)
    if chain is None:
        states.doing(run)
        if run.state in ("failed", "stopped"):
            st.page_link("pages/chains.py", label="Change the topic, the source or the model and try again", icon=":material/refresh:",
                         query_params={"topic": str(run.config.inputs["topic"])[:1500]})
        return
    _graph(chain, story.last(Trend), growing=story.last(Chain) is None)
    papers, found = st.columns([1, 1], gap="large")
    with papers:
        _papers(chain)
    with found:
        _found(run, story)
        if states.active(run):
            states.doing(run)


def _so_far(run: Run, story: Story) -> Chain | None:
    links = [record for record in story.growing if isinstance(record, Link)]
    behind = sorted((one for one in links if one.hop == "backward"), key=lambda one: -one.distance)
    ahead = sorted((one for one in links if one.hop == "forward"), key=lambda one: one.distance)
    anchor = [one for one in links if one.hop == "anchor"]
    return Chain(topic=str(run.config.inputs["topic"]), links=(*behind, *anchor, *ahead)) if anchor else None


def _graph(chain: Chain, trend: Trend | None, growing: bool) -> None:
    st.markdown("#### Chain of papers" + (" (growing)" if growing else ""))
    ids = [link.paper.id for link in chain.links]
    picked = st.plotly_chart(chain_graph.figure(chain, trend), key=f"chains:graph-{len(ids)}-{trend is None}", on_select="rerun",
                             selection_mode="points", config={"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]})
    if points := picked.selection.points:
        data = points[0].get("customdata")
        spot = str(data[0] if isinstance(data, list) and data else data)
        if spot in ids and st.session_state.get("chains:clicked") != spot:
            st.session_state["chains:clicked"] = st.session_state["chains:paper"] = spot
    st.caption("Diamond: the anchor the chain was grown from. Size: citations, where known. Red ring: milestone. Hover over an arrow to read how one "
               "idea led to the next.")


def _papers(chain: Chain) -> None:
    ids = [link.paper.id for link in chain.links]
    if st.session_state.get("chains:paper") not in ids:
        st.session_state["chains:paper"] = next(link.paper.id for link in chain.links if link.hop == "anchor")
    by_id = {link.paper.id: link for link in chain.links}
    chosen = st.radio("Paper", ids, key="chains:paper", format_func=lambda one: f"{by_id[one].paper.year or '?'} · {inline(by_id[one].paper.title, 90)}")
    if chosen:
        card(by_id[chosen])
    for stop in chain.stops:
        say = st.warning if stop.failed else st.caption
        say(("Source failed. " if stop.failed else "") + f"{stop.hop.capitalize()}: {inline(stop.reason)}")


def card(link: Link) -> None:
    """Draw a paper: where it stands, what it says, what was extracted."""
    paper = link.paper
    with st.container(border=True):
        st.markdown(f"**{inline(paper.title)}**")
        authors = ", ".join(paper.authors[:6]) + (" …" if len(paper.authors) > 6 else "")
        known = [authors, paper.venue or "", paper.published or str(paper.year or "undated")]
        cited = f"{paper.citations:,} citations" if paper.citations is not None else "citations not known"
        st.caption(inline(" · ".join(part for part in (*known, cited) if part)))
        _addresses(link)
        st.markdown(f"*{link.hop.capitalize()}*" + (f", similarity {link.score:.2f}" if link.score is not None else "") + f": {inline(link.reason)}")
        if paper.abstract_by == "foundry":
            st.caption(":material/edit_note: A summary written for the built-in shelf, not the authors' abstract.")
        st.markdown(shown(paper.abstract) or "*No abstract.*")
        _reading(link)


def _addresses(link: Link) -> None:
    with st.container(horizontal=True):
        for name, address in links(link.paper):
            st.link_button(name, address)


def _reading(link: Link) -> None:
    if link.reading is None:
        st.caption("Not read (yet): its idea and experiments are not extracted.")
        return
    with st.expander("What was read from it"):
        for name, text in link.reading.idea.model_dump().items():
            if text:
                st.markdown(f"**{name.capitalize()}.** {inline(text, 2000)}")
        for one in link.reading.experiments:
            st.markdown("**Experiment.** " + "; ".join(f"{name}: {inline(text)}" for name, text in one.model_dump().items() if text))
        if link.reading.entities:
            st.markdown("**Entities.** " + "; ".join(f"*{inline(one.name)}*: {inline(one.meaning, 160)}" for one in link.reading.entities))


def _found(run: Run, story: Story) -> None:
    trend, direction, outcome = story.last(Trend), story.last(Direction), story.last(Outcome)
    if trend:
        st.markdown("#### Trend")
        st.markdown(shown(trend.summary))
    if direction:
        st.markdown("#### Predicted direction")
        st.markdown(shown(direction.direction))
        with st.expander("Why"):
            st.markdown(shown(direction.reasoning))
    idea = outcome.idea if outcome else story.last(Idea)
    if idea:
        st.markdown("#### Idea" + ("" if outcome else " (not checked yet)"))
        idea_card.draw(idea, run.id, "outcome" if outcome else "draft", key="chains")
    if outcome:
        (st.success if outcome.converged else st.warning)(inline(outcome.reason))
        if st.button("Refine this idea", icon=":material/cyclone:", type="primary", key="chains:refine"):
            st.switch_page("pages/refine.py", query_params={"from": run.id})
    for check in story.all(NoveltyCheck):
        novelty(check)


NOVELTY = {"novel": "green", "similar": "orange", "nothing found": "gray", "source failed": "red"}


def novelty(check: NoveltyCheck) -> None:
    """Draw a novelty check with its evidence; a failed source is a state of its own."""
    with st.expander(f"Novelty check, round {check.round}: :{NOVELTY[check.state]}-badge[{check.state}]", expanded=check.state != "novel"):
        st.markdown(shown(check.reason))
        if check.nearest:
            near = f", similarity {check.similarity:.2f}" if check.similarity is not None else ""
            st.markdown(f"Nearest paper: **{inline(check.nearest.title)}** ({check.nearest.year or 'undated'}){near}")
        if check.overlap:
            st.markdown(f"What overlaps: {inline(check.overlap, 2000)}")
        for search in check.searches:
            titles = "; ".join(inline(paper.title, 80) for paper in search.papers[:4])
            st.markdown(f"- {inline(search.query)}: **{search.state}**" + (f", {len(search.papers)} papers ({titles} …)" if search.papers else "")
                        + (f" ({inline(search.reason)})" if search.reason else ""))
