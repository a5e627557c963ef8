"""One branch on screen: its papers on the left; trend, entities, direction, draft, idea and the
evidence that it is new on the right.
"""

import streamlit as st

from components.chains import choice as chain_choice
from components.chains import edit as chain_edit
from components.chains import novelty
from components.chains import paper as chain_paper
from components.runs import states
from components.shell import idea_card, in_view
from components.shell.text import inline, shown
from core.charts.edges import against
from core.judging.claims import tie
from core.records import Chain, IdeaChoice, Outcome, Outlook, Run, Selection
from core.story import Branch, Story

PAPER = "chains-paper"
"""The container of the paper that is open."""
IDEA = "chains-idea"
"""The container of the branch's idea."""


def draw(run: Run, story: Story, n: int, name: str) -> None:
    """Draw branch `n`, or say why there is nothing of it."""
    branch = next((known for known in story.branches if known.n == n), None)
    _standing(run, story, n, name, branch)
    if branch is None or branch.chain is None:
        if states.active(run):
            states.doing(run, f"branch-{n}/", "anchors/")
        return
    papers, found = st.columns([1, 1], gap="large")
    with papers:
        _papers(run, branch, branch.chain)
    with found:
        _found(run, story, branch)
        if states.active(run):
            states.doing(run, f"branch-{n}/")


def paper_key(run_id: str, n: int) -> str:
    """Return the key of the list of papers of a branch."""
    return f"chains:paper:{run_id}:{n}"


def first(branch: Branch | None) -> str:
    """Return the paper of a branch that is opened where none is asked for: its anchor, or the
    first; empty where it has none.
    """
    links = branch.chain.links if branch and branch.chain else ()
    return next(
        (link.paper.id for link in links if link.hop == "anchor"),
        links[0].paper.id if links else "",
    )


def _standing(run: Run, story: Story, n: int, name: str, branch: Branch | None) -> None:
    several = len(story.branches) > 1
    if several:
        chosen = story.best is not None and story.best.n == n
        mark = ":green-badge[:material/check: chosen]" if chosen else ""
        if selection := story.last(Selection):
            mark = chain_choice.badge(selection, n)
        st.markdown(f"#### {name} {mark}")
    if branch and branch.given_up:
        rest = " The other branches go on without it." if several else ""
        if branch.given_up.failed:
            st.error(
                f"Given up: {inline(branch.given_up.reason, 1_000)}{rest}", icon=":material/error:"
            )
        else:
            st.markdown(
                ":gray-badge[:material/search_off: Given up: nothing found]"
                f" {inline(branch.given_up.reason, 1_000)}{rest}"
            )
    elif branch is None or branch.chain is None:
        st.caption(
            "Looking for the paper this branch starts from."
            if states.active(run)
            else "This branch has no paper: the run ended before."
        )


def _papers(run: Run, branch: Branch, chain: Chain) -> None:
    by_id, key = {link.paper.id: link for link in chain.links}, paper_key(run.id, branch.n)
    if st.session_state.get(key) not in by_id:
        st.session_state[key] = first(branch)
    if not chain.ordered:
        order = "nearest to the topic first, in no order of time"
    elif chain.violations:
        order = "in the order a person gave them"
    else:
        order = "oldest first"
    chosen = st.radio(
        f"Papers, {order}" + ("" if branch.settled else " (growing)"),
        list(by_id),
        key=key,
        format_func=lambda name: chain_paper.name(by_id[name]),
        persist_state="session",
        on_change=in_view.wish,
        args=(PAPER,),
    )
    for a, b in chain.violations:
        st.warning(
            f"Out of date order: {inline(against(a, b))} {inline(by_id[b.id].reason)}",
            icon=":material/history:",
        )
    for stop in chain.stops:
        reason = f"{stop.hop.capitalize()}: {inline(stop.told)}"
        if stop.failed:
            st.warning(f"{stop.failing.capitalize()} failed. {reason}")
        else:
            st.caption(reason)
    chain_edit.draw(run, branch, str(chosen))
    if chosen:
        with st.container(key=PAPER):
            chain_paper.card(by_id[chosen], branch)


def _found(run: Run, story: Story, branch: Branch) -> None:
    _leading(branch)
    outcome = story.last(Outcome)
    mine = outcome if outcome and (outcome.branch in (None, branch.n)) else None
    idea = mine.idea if mine else branch.idea
    if idea:
        with st.container(key=IDEA):
            st.markdown("##### Idea" + ("" if branch.check or mine else " (not checked yet)"))
            idea_card.draw(
                idea, run.id, "outcome" if mine else f"branch-{branch.n}", key=f"chains:{branch.n}"
            )
    if choice := branch.last(IdeaChoice):
        st.markdown(
            f":material/balance: Idea {choice.best} stands for the branch. {inline(choice.reason)}"
            f" {inline(tie(choice))}"
        )
    states.lost(branch)
    for check in branch.checks:
        novelty.draw(check, run.config.source)
    _others(branch, run.config.source)


def _others(branch: Branch, source: str) -> None:
    """Draw the ideas that do not stand for the branch, with what their checks found."""
    others = [one for one in branch.pursuits if one.n != branch.pursuit.n and one.idea]
    if not others:
        return
    with st.expander(f"Other ideas of this branch ({len(others)})"):
        for one in others:
            assert one.idea is not None
            st.markdown(f"**Idea {one.n}**")
            idea_card.draw(one.idea, None, "", "")
            if one.check:
                st.markdown(f"{novelty.badge(one.check)} {novelty.line(one.check, source)}")


def _leading(branch: Branch) -> None:
    """Draw what leads to the idea."""
    if branch.trend and branch.chain:
        titles = {paper.id: paper.title for paper in branch.chain.papers}
        st.markdown("##### Trend")
        st.markdown(shown(branch.trend.summary))
        with st.expander("Step by step"):
            for step in branch.trend.steps:
                earlier, later = (
                    inline(titles.get(name, name), 70) for name in (step.earlier, step.later)
                )
                st.markdown(f"- *{earlier}* → *{later}*: {inline(step.how, 1_000)}")
    if entities := branch.entities.entities if branch.entities else ():
        with st.expander(f"Entities ({len(entities)})"):
            rows = (f"- **{inline(it.name, 100)}**: {inline(it.meaning)}" for it in entities)
            st.markdown("\n".join(rows))
    if branch.direction:
        st.markdown("##### Predicted direction")
        st.markdown(shown(branch.direction.direction))
        with st.expander("Why"):
            st.markdown(shown(branch.direction.reasoning))
        outlook = branch.pursuit.last(Outlook) or branch.pursuits[0].last(Outlook)
        taken = branch.direction.direction
        others = [one for one in outlook.candidates if one.direction != taken] if outlook else []
        if others:
            with st.expander(f"Other directions it could take ({len(others)})"):
                for other in others:
                    st.markdown(
                        f"**{inline(other.direction, 2_000)}** {inline(other.reasoning, 2_000)}"
                        f" {inline(other.beyond, 1_000)}"
                    )
    if branch.draft:
        with st.expander("Draft"):
            for name, text in branch.draft.model_dump().items():
                st.markdown(f"**{name.capitalize()}.** {inline(text, 4_000)}")
