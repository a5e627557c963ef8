"""An opened cell: the idea's words and the paper's side by side, why it says what it says, and a
person's word in its place.
"""

from functools import partial
from typing import get_args

import streamlit as st

from components.novelty import read_text
from components.shell import mistakes, person, services
from components.shell.clicks import do_once
from components.shell.text import inline, shown
from core.errors import BadInput
from core.export.novelty import FROM, NEARLY, dated, unquoted, why
from core.literature.addresses import addresses
from core.records import NoveltyCell, NoveltyMatrix, Passage, PriorWork, Run
from core.records.novelty import Decided
from core.runs.novelty_checks import overrule

COLOURS = {"covers": "red", "in part": "orange", "does not": "gray", "unread": "gray"}
OURS = "From a summary that was written for the built-in papers; not the authors' own words."
NOT_THERE = "No quote: the words the reader gave are not in this text, and are not shown."
NOTHING_NEAR = (
    "Nothing in what was read comes near this claim, says the reader; so there is no quote."
)
KEY = "novelty-cell"


def draw(run: Run, matrix: NoveltyMatrix, claim: int, n: int) -> None:
    """Draw what the cell of a claim and the n-th work rests on."""
    work = matrix.works[n - 1]
    cell = matrix.cell(claim, work.id)
    claimed = next(one for one in matrix.claims if one.n == claim)
    state = cell.state if cell else "unread"
    with st.container(border=True, key=KEY):
        st.markdown(
            f"**Claim {claim} and work {n}** :{COLOURS[state]}-badge[{state}] {_marks(cell)}"
        )
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown("**The idea**")
            st.caption(f"{claimed.kind}: {inline(claimed.text, 600)}")
            _quote(claimed.passage if cell is None or unquoted(cell) else cell.idea_quote)
        with right:
            st.markdown(f"**{inline(work.paper.title, 300)}**")
            # Not a caption: those fade their links below what can be read.
            public = f"Public since {inline(dated(work))}; similarity {work.similarity:.2f}."
            st.markdown(f"{public} {_links(work)}")
            _of_paper(cell, work)
            read_text.unfold(run, work, f"novelty:text:{claim}:{n}")
        if cell and (said := why(cell)):
            st.markdown(shown(said))
        if cell and not run.packed and run.state == "done":
            _overrule(run, matrix, cell)


def _marks(cell: NoveltyCell | None) -> str:
    if cell is None:
        return ""
    marks = [":violet-badge[↓ taken down]"] if cell.taken_down else []
    if cell.overruled:
        marks.append(f":blue-badge[✎ by {inline(cell.overruled.by, 40)}]")
    return " ".join(marks)


def _links(work: PriorWork) -> str:
    return " ".join(f"[{name}]({address})" for name, address in addresses(work.paper))


def _of_paper(cell: NoveltyCell | None, work: PriorWork) -> None:
    if cell is None or cell.said is None:
        st.markdown(inline(work.unread or "It was not read.", 600))
        return
    if unquoted(cell):
        st.markdown(f":gray[{NOTHING_NEAR}]")
        return
    _quote(cell.paper_quote)
    if cell.paper_quote and cell.paper_quote.state != "not found":
        st.caption(OURS if cell.quoted_from == "summary" else f"From its {FROM[cell.quoted_from]}.")


def _quote(passage: Passage | None) -> None:
    """Draw words that stand in a text as a quote; what does not stand there is never drawn."""
    if passage is None or passage.state == "not found":
        st.markdown(f":gray[{NOT_THERE}]")
        return
    # No block quote: that is drawn paler than the rest, and these words are what is compared.
    st.markdown(f":material/format_quote: “{inline(passage.quote, 2_000)}”")
    if passage.state == "nearest":
        st.caption(f"Shown as the text has it; the reader gave {NEARLY}.")


def _overrule(run: Run, matrix: NoveltyMatrix, cell: NoveltyCell) -> None:
    """Draw the way to put one's own word in the place of the reader's."""
    place = f"novelty:rule:{run.id}:{cell.claim}:{cell.work}"
    with st.expander("Overrule this cell", icon=":material/gavel:"):
        st.caption(
            "Your word makes a branch of this check: the verdict follows at once, nothing is asked"
            " again, nothing is paid, and this check stays as it is."
        )
        others = [one for one in get_args(Decided) if one != cell.state]
        with st.form(place, border=False):
            state = st.radio("This work", others, key=f"{place}:state", horizontal=True)
            reason = st.text_area(
                "Why",
                key=f"{place}:reason",
                height=80,
                max_chars=2_000,
                placeholder="The paper does it on one data set only.",
            )
            by = st.text_input("Your name (optional)", value=person.given(), key=f"{place}:by")
            if st.form_submit_button("Overrule", icon=":material/gavel:"):
                with mistakes.kept(place):
                    if not (reason or "").strip():
                        raise BadInput("Write why.")
                    person.is_called(by or "")
                    _branch(run, matrix, cell, state, reason or "")
        mistakes.shown(place)


def _branch(
    run: Run, matrix: NoveltyMatrix, cell: NoveltyCell, state: Decided | None, reason: str
) -> None:
    wish = [run.id, cell.claim, cell.work, state, reason]
    if state is None:
        return
    act = partial(
        overrule, services.runner(), run.id, cell.claim, cell.work, state, reason, person.name()
    )
    made = do_once("novelty:ruled", wish, lambda: act().id)
    if services.store().runs.get(made).state == "queued":
        services.runner().start(made)
        services.runner().wait(made, 5)
    n = [work.id for work in matrix.works].index(cell.work) + 1
    st.query_params.from_dict({"run": made, "cell": f"{cell.claim}-{n}"})
    st.rerun()
