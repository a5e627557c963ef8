"""Putting a paper into a chain: where it goes, and where it comes from; and joining two chains."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from components.chains.edit import candidates
from components.chains.edit import copy as copies
from components.library import finder as paper_finder
from components.shell import services
from components.shell.text import ago, inline
from core.errors import BadInput
from core.methods import ChainInputs
from core.methods.chain_of_ideas.editing import insert, merge, place, replace
from core.records import Chain, Link, Paper, Run
from core.story import Branch, Story

WHERE = ("After it", "Before it", "In its place", "By its date")
FROM = ("Candidates", "Id, title or PDF", "Library", "Another chain")
RUNS = 40
"""Chain runs one may merge with, the newest."""


def draw(run: Run, branch: Branch, key: str, chain: Chain, link: Link) -> None:
    """Draw the ways to add to the working copy; `link` is the picked paper."""
    source = st.radio(
        "Where it comes from", FROM, key=f"{key}:from", horizontal=True, persist_state="session"
    )
    if source == FROM[3]:
        _merging(run, branch, key)
        return
    where = st.radio(
        f"Where it goes, picked above: “{inline(link.paper.title, 50)}”",
        WHERE,
        key=f"{key}:where",
        horizontal=True,
        persist_state="session",
    )
    rules, finder = ChainInputs.model_validate(run.config.inputs), f"{key}:finding"
    if source == FROM[0]:
        of, hop = _next_to(chain, link, where)
        candidates.draw(run, branch, key, chain, of, hop, partial(_put, key))
    elif source == FROM[1] and paper_finder.draw(
        finder, run.config.source, rules.before, rules.ban
    ):
        _put(key, paper_finder.choice(finder), {})
    elif source == FROM[2] and _from_library(key, chain):
        _put(key, f"{key}:library-paper", {})


def _put(key: str, choice: str, reasons: Mapping[str, str]) -> None:
    """Draw the button that puts in what is chosen."""
    st.button(
        "Put it in",
        icon=":material/add:",
        key=f"{key}:put",
        on_click=_put_in,
        args=(key, choice, reasons),
    )


def _put_in(key: str, choice: str, reasons: Mapping[str, str]) -> None:
    paper, where = paper_finder.chosen(choice), st.session_state.get(f"{key}:where", WHERE[0])
    if paper is None:
        copies.refuse(key, "Choose a paper first.")
        return
    reason = reasons.get(paper.id, "Put in by hand.")
    edits: dict[str, Callable[[Chain, str], Chain]] = {
        WHERE[0]: lambda chain, there: insert(chain, paper, reason, place(chain, there) + 1),
        WHERE[1]: lambda chain, there: insert(chain, paper, reason, place(chain, there)),
        WHERE[2]: lambda chain, there: replace(chain, there, paper, reason),
        WHERE[3]: lambda chain, _: insert(chain, paper, reason),
    }
    copies.change(key, edits[where], paper.id)


def _next_to(chain: Chain, link: Link, where: str) -> tuple[Paper, str]:
    """Return which paper's neighbours fit there: those that follow it (forward) or that it follows
    (backward).
    """
    n = place(chain, link.paper.id)
    if where == WHERE[1] or (where == WHERE[2] and n == 0 and len(chain.links) > 1):
        return (chain.papers[1] if where == WHERE[2] else link.paper), "backward"
    return (chain.papers[n - 1] if where == WHERE[2] and n else link.paper), "forward"


def _from_library(key: str, chain: Chain) -> Paper | None:
    text = (
        st.text_input(
            "Words of its title, authors or abstract",
            key=f"{key}:library",
            type="search",
            persist_state="session",
        )
        or ""
    )
    shop = services.workshop()
    met = shop.store.library.papers(text, limit=4 * paper_finder.MOST)
    shelf = [
        paper
        for paper in shop.shelf.all()
        if text
        and text.lower() in f"{paper.title} {' '.join(paper.authors)} {paper.abstract}".lower()
    ]
    found: list[Paper] = []
    for paper in (*met, *shelf):
        if all(not paper.same(one) for one in (*chain.papers, *found)):
            found.append(paper)
    if not found:
        st.info(
            "The library has no such paper that is not in the chain already.",
            icon=":material/search_off:",
        )
        return None
    return paper_finder.choose(
        f"{key}:library-paper",
        "In the library, papers that runs met, your own, and the built-in shelf",
        found[: paper_finder.MOST],
        paper_finder.facts,
    )


def _merging(run: Run, branch: Branch, key: str) -> None:
    runs = {one.id: one for one in (run, *services.store().runs.listed(method="chain", limit=RUNS))}
    other = st.selectbox(
        "Chain run",
        list(runs),
        format_func=lambda one: _called(runs[one], run),
        key=f"{key}:merge-run",
        persist_state="session",
    )
    branches = (
        {
            one.n: one
            for one in Story.of(services.store(), other).branches
            if one.settled and (other, one.n) != (run.id, branch.n)
        }
        if other
        else {}
    )
    if not branches:
        st.info(
            "That run has no other finished chain. Choose another run.",
            icon=":material/search_off:",
        )
        return
    n = st.radio(
        "Its chain",
        list(branches),
        format_func=lambda one: _about(branches[one]),
        key=f"{key}:merge-branch:{other}",
        persist_state="session",
    )
    chain = branches[n].chain
    if chain is None:
        raise BadInput("That chain is gone.")
    st.button(
        "Merge",
        icon=":material/merge:",
        key=f"{key}:merge",
        on_click=copies.change,
        args=(key, lambda mine, _: merge(mine, chain)),
        help="Puts its papers where their dates belong; a paper that is in both stays once.",
    )


def _called(one: Run, run: Run) -> str:
    return "This run" if one.id == run.id else f"{one.title[:80]} ({one.id}, {ago(one.created)})"


def _about(branch: Branch) -> str:
    papers = branch.chain.papers if branch.chain else ()
    return inline(
        f"Branch {branch.n}: {papers[0].title} → {papers[-1].title} ({len(papers)} papers)", 200
    )
