"""Putting a paper into a chain: where it goes, and where it comes from; and joining two chains."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from components.chains.edit import copy as copies
from components.chains.paper import amount, cited
from components.library import finder as paper_finder
from components.runs import looking
from components.shell import services
from components.shell.text import ago, counted, inline
from core.errors import BadInput, FoundryError
from core.methods import CandidateInputs, ChainInputs
from core.methods.chain_of_ideas.editing import insert, merge, place, replace
from core.records import Candidate, Chain, Considered, Link, Paper, Run
from core.runs.planning import validated
from core.story import Branch, Story

WHERE = ("After it", "Before it", "In its place", "By its date")
FROM = ("Candidates", "Id, title or PDF", "Library", "Another chain")
RUNS = 40
"""Chain runs one may merge with, the newest."""


JUDGED = 3
"""How many of the nearest a look-up has judged by a model."""


def draw(run: Run, branch: Branch, key: str, chain: Chain, link: Link) -> None:
    """Draw the ways to add to the working copy; `link` is the picked paper."""
    source = st.radio(
        "Where it comes from", FROM, key=f"{key}:from", horizontal=True, persist_state="session"
    )
    if source == FROM[3]:
        _merging(run, branch, key)
        return
    where = st.radio(
        f"Position relative to “{inline(link.paper.title, 50)}” (picked above)",
        WHERE,
        key=f"{key}:where",
        horizontal=True,
        persist_state="session",
    )
    rules, finder = run.inputs_as(ChainInputs), f"{key}:finding"
    if source == FROM[0]:
        of, hop = _next_to(chain, link, where)
        _candidates(run, branch, key, chain, of, hop, partial(_put, key))
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
    if where == WHERE[1]:
        return link.paper, "backward"
    if where == WHERE[2] and n:
        return chain.papers[n - 1], "forward"
    if where == WHERE[2] and len(chain.links) > 1:
        return chain.papers[1], "backward"
    return link.paper, "forward"


def _from_library(key: str, chain: Chain) -> Paper | None:
    text = st.text_input(
        "Words of its title, authors or abstract",
        key=f"{key}:library",
        type="search",
        persist_state="session",
    )
    text = text or ""
    shop = services.workshop()
    met = shop.store.library.papers(text, limit=4 * paper_finder.MOST)
    words = text.lower()
    built_in = [
        paper
        for paper in shop.shelf.all()
        if words and words in f"{paper.title} {' '.join(paper.authors)} {paper.abstract}".lower()
    ]
    found: list[Paper] = []
    for paper in (*met, *built_in):
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
        "In the library: papers your runs found, your own, and the built-in papers",
        found[: paper_finder.MOST],
        paper_finder.facts,
    )


def _merging(run: Run, branch: Branch, key: str) -> None:
    runs = {one.id: one for one in (run, *services.store().runs.listed(method="chain", limit=RUNS))}
    names = {one.id: f"{one.title[:80]} ({one.id}, {ago(one.created)})" for one in runs.values()}
    names[run.id] = "This run"
    other = st.selectbox(
        "Chain run",
        list(runs),
        format_func=names.__getitem__,
        key=f"{key}:merge-run",
        persist_state="session",
    )
    branches = {
        told.n: told
        for told in (Story.of(services.store(), other).branches if other else ())
        if told.settled and (other, told.n) != (run.id, branch.n)
    }
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
    if branches[n].chain is None:
        raise BadInput("That chain is gone.")
    st.button(
        "Merge",
        icon=":material/merge:",
        key=f"{key}:merge",
        on_click=_merge,
        args=(key,),
        help="Puts its papers where their dates belong; a paper that is in both stays once.",
    )


def _merge(key: str) -> None:
    """Merge with the chain that is chosen by now; a callback."""
    other = st.session_state[f"{key}:merge-run"]
    n = st.session_state.get(f"{key}:merge-branch:{other}")
    try:
        branches = Story.of(services.store(), other).branches
    except FoundryError as error:
        copies.refuse(key, str(error))
        return
    chain = next((told.chain for told in branches if told.n == n), None)
    if chain is None:  # Of a run chosen since the last drawing none was seen yet.
        copies.refuse(key, "Choose which of its chains to merge with first.")
        return
    copies.change(key, lambda mine, _: merge(mine, chain))


def _about(branch: Branch) -> str:
    papers = branch.chain.papers if branch.chain else ()
    first, last = papers[0].title, papers[-1].title
    return inline(f"Branch {branch.n}: {first} → {last} ({len(papers)} papers)", 200)


def _candidates(
    run: Run,
    branch: Branch,
    key: str,
    chain: Chain,
    of: Paper,
    hop: str,
    put: Callable[[str, Mapping[str, str]], None],
) -> None:
    """Draw what could follow (forward) or precede (backward) the paper `of`; `put` draws the button
    for what is chosen, with a reason for each.
    """
    asked = f"{key}:look:{hop}:{of.id}"
    story = looking.answer(asked)
    looked = story.last(Considered) if story else None
    known = looked or next(
        (one for one in reversed(branch.considered) if one.hop == hop and one.of.same(of)), None
    )
    candidates = known.candidates if known else ()
    fresh = [it for it in candidates if not any(it.paper.same(held) for held in chain.papers)]
    near = "come after" if hop == "forward" else "come before"
    if known:
        _known(asked, known, fresh, near, put)
    else:
        st.caption(
            f"This run did not search for papers that could {near} “{inline(of.title, 90)}”."
        )
    if asked not in st.session_state:
        _offer(run, chain, of, hop, asked, f"{key}:candidates", more=known is not None)


def _known(
    key: str,
    known: Considered,
    fresh: list[Candidate],
    near: str,
    put: Callable[[str, Mapping[str, str]], None],
) -> None:
    what = f"“{inline(known.of.title, 90)}”"
    if not fresh:
        st.info(
            (
                f"{counted(known.found, 'paper')} could {near} {what}; none of the nearest is"
                " missing in this chain."
                if known.found
                else f"The source was asked and knows no paper that could {near} {what}."
            ),
            icon=":material/search_off:",
        )
        return
    by_id = {one.paper.id: one for one in fresh}
    paper = paper_finder.choose(
        f"{key}:picked",
        f"What could {near} {what}, nearest in meaning first ({amount(known)})",
        [one.paper for one in fresh],
        lambda paper: describe(by_id[paper.id]),
    )
    if paper:
        put(
            f"{key}:picked",
            {name: one.reason for name, one in by_id.items() if one.relevant and one.reason},
        )


def describe(candidate: Candidate) -> str:
    """Say in a line a candidate's score, how it was judged, and how it is cited."""
    verdict = {True: "relevant", False: "not relevant", None: "not judged"}[candidate.relevant]
    if candidate.reason:
        verdict += f": {candidate.reason}"
    known = [
        f"similarity {candidate.score:.2f}" if candidate.score is not None else "",
        "near in meaning, no citation" if candidate.paper.near else "",
        verdict,
    ]
    parts = [inline(" · ".join(filter(None, known)), 260), cited(candidate.how)]
    return " · ".join(filter(None, parts))


def _offer(run: Run, chain: Chain, of: Paper, hop: str, key: str, button: str, more: bool) -> None:
    # One name for it whatever is picked: who picks and presses quickly means what was just picked,
    # and is not left waiting.
    if not st.button(
        "Look for more candidates" if more else "Show candidates",
        icon=":material/travel_explore:",
        key=button,
        help=(
            f"Asks the source, ranks what it gives by meaning, and has the nearest {JUDGED} judged:"
            f" {JUDGED} model calls."
        ),
    ):
        return
    n = next((n for n, paper in enumerate(chain.papers) if paper.same(of)), None)
    if n is None:
        raise BadInput("That paper is not in the chain any more. Pick another.")
    anchor = next((link.paper for link in chain.links if link.hop == "anchor"), chain.papers[0])
    asked = run.config.inputs
    inputs = validated(
        CandidateInputs,
        topic=asked["topic"],
        before=asked.get("before"),
        ban=asked.get("ban", ()),
        of=of,
        hop=hop,
        anchor=anchor,
        line=chain.papers[: n + 1] if hop == "forward" else chain.papers[n:],
        held=chain.papers,
        judged=JUDGED,
        full_text=bool(asked.get("full_text", False)),
    )
    looking.begin(
        key,
        "candidates",
        inputs,
        f"What could {'follow' if hop == 'forward' else 'precede'} {of.title}",
        run.config.source,
        {"main": run.config.models["main"]},
    )
    st.rerun(scope="app")
