"""What could come next to a paper of a chain: what the run recorded at once, more by a look into
the literature.
"""

from collections.abc import Callable, Mapping

import streamlit as st

from components.chains.considered import amount, cited
from components.chains.edit import looking
from components.library import finder as paper_finder
from components.shell.text import counted, inline
from core.errors import BadInput
from core.methods import CandidateInputs
from core.records import Candidate, Chain, Considered, Paper, Run
from core.runs.planning import validated
from core.story import Branch

JUDGED = 3
"""How many of the nearest a look-up has judged by a model."""


def draw(
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
    fresh = (
        [
            one
            for one in known.candidates
            if all(not one.paper.same(paper) for paper in chain.papers)
        ]
        if known
        else []
    )
    near = "come after" if hop == "forward" else "come before"
    if known:
        _known(asked, known, fresh, near, put)
    else:
        st.caption(f"What could {near} “{inline(of.title, 90)}” was not looked for in this run.")
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
        lambda one: said(by_id[one.id]),
    )
    if paper:
        put(
            f"{key}:picked",
            {name: one.reason for name, one in by_id.items() if one.relevant and one.reason},
        )


def said(one: Candidate) -> str:
    """Return a candidate's score, what was judged of it, and how it is cited, in a line."""
    judged = {True: "relevant", False: "not relevant", None: "not judged"}[one.relevant]
    score = f"similarity {one.score:.2f}" if one.score is not None else ""
    near = "near in meaning, no citation" if one.paper.near else ""
    said = inline(
        " · ".join(
            part
            for part in (score, near, judged + (f": {one.reason}" if one.reason else ""))
            if part
        ),
        260,
    )
    return " · ".join(part for part in (said, cited(one.how)) if part)


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
