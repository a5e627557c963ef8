"""An idea of a benchmark on screen: its text, its scores, each judge's words, and what can be done
with it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from components.runs.models import spoken
from components.shell import idea_card, in_view, services
from components.shell.text import counted, inline, shown
from core.benchmark import BenchInputs
from core.importing.benchmarked import idea_of, origin
from core.records import BENCH_DIMENSIONS, BenchCell, Keyword, Run, usage

LETTERS = {
    10: ("A", "different ideas, different problems"),
    7: ("B", "different ideas, similar problems"),
    4: ("C", "similar ideas"),
    1: ("D", "the same idea"),
}
"""What a comparison came to, by its score (LiveIdeaBench, Methods, fluency)."""
REFUSED = "refused"


class CardScene(NamedTuple):
    """What every card of a benchmark needs."""

    run: Run
    asked: BenchInputs
    keywords: Sequence[Keyword]

    def model(self, cell: BenchCell) -> str:
        """Return who wrote the idea that a cell is about."""
        return self.asked.models[cell.model].model

    def keyword(self, cell: BenchCell) -> str:
        """Return the keyword of a cell."""
        return self.keywords[cell.keyword].text


def scene_of(run: Run) -> CardScene:
    """Return what the cards of this benchmark need."""
    keywords = services.store().benchmarks.keywords(run.id)
    return CardScene(run, run.inputs_as(BenchInputs), keywords)


def draw(scene: CardScene, cell: BenchCell) -> None:
    """Draw an accepted idea; what its judges said is looked up when it is unfolded."""
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{inline(scene.keyword(cell))}** :gray-badge[{spoken(scene.model(cell))}]"
                f" {badges(scene, cell)}",
                width="content",
            )
            st.space("stretch")
            st.markdown(scores(cell), width="content")
        st.markdown(shown(cell.text))
        key = f"bench:judges:{cell.id}"
        unfolded = st.expander(
            f"Judges' words ({cell.judged})" if scene.asked.judges else "How it was asked",
            key=key,
            on_change=in_view.unfolded,
            args=(key,),
            type="compact",
        )
        if unfolded.open:
            with unfolded:
                _behind(scene, cell)
        with st.container(horizontal=True, vertical_alignment="center"):
            actions(scene, cell)


def badges(scene: CardScene, cell: BenchCell) -> str:
    """Return what is to be known of an idea besides its text: its number, its length, a refusal
    before it, a missing marker.
    """
    said = [
        f":gray[idea {cell.n} of {scene.asked.ideas}"
        + (f" · {cell.words} words]" if cell.words is not None else "]")
    ]
    said += [":orange-badge[:material/undo: refused at first]"] if cell.refusals else []
    said += [":orange-badge[:material/flag: no final-answer marker]"] if cell.unmarked else []
    return " ".join(said)


def scores(cell: BenchCell) -> str:
    """Return the mean scores of an idea; what was not judged is said so."""
    if cell.score is None:
        return ":gray[not judged]"
    each = " · ".join(f"{name} **{getattr(cell, name):.1f}**" for name in BENCH_DIMENSIONS)
    return f"{each} :gray[mean] **{cell.score:.2f}**"


def actions(scene: CardScene, cell: BenchCell, key: str = "bench", narrow: bool = False) -> None:
    """Draw the ways on: to be kept, and into a refinement; where it is narrow an idea that is
    kept has no link to its rating.
    """
    if narrow and services.store().ideas.holds(idea_of(cell)):
        st.markdown(":green-badge[:material/bookmark_added: Kept in Ideas]", width="content")
    else:
        idea_card.keeping(idea_of(cell), scene.run.id, origin(scene.run, cell), f"{key}:{cell.id}")
        idea_card.check_novelty(idea_of(cell), scene.run.id)
    # A link: the browser's way back from a page that a button switched to ends where this page has
    # lost its run (Streamlit 1.67).
    st.page_link(
        "pages/refine.py",
        label="Refine it",
        icon=":material/cyclone:",
        query_params={"from": scene.run.id, "cell": cell.key},
    )


# -- behind an idea ----------------------------------------------------------------------------


def _behind(scene: CardScene, cell: BenchCell) -> None:
    held = services.store().benchmarks.cells(scene.run.id, cell.model, cell.keyword)
    judges = [one for one in held if one.kind == "judge" and one.n == cell.n]
    for one in judges:
        judgment(one)
    for one in held:
        if one.kind == "fluency" and cell.n in (one.n, one.m):
            st.markdown(compared(one, cell.n))
    lost(scene, cell)
    _calls(scene, [cell, *judges])


def judgment(one: BenchCell) -> None:
    """Draw one judge's scores and words, or why there are none."""
    given = waiting(one)
    if one.state == "done":
        each = [f"{name} **{getattr(one, name):g}**" for name in BENCH_DIMENSIONS]
        given = f"{' · '.join(each)}\n\n{shown(one.text)}"
    st.markdown(f"**{spoken(one.asked)}** {given}")


def waiting(one: BenchCell) -> str:
    """Say why an answer is not there, as Markdown."""
    if one.state == "failed":
        return f":red-badge[:material/error: failed] {inline(one.text, 300)}"
    return ":blue[being asked]" if one.state == "taken" else ":gray[not asked yet]"


def reason(scene: CardScene, cell: BenchCell) -> str:
    """Say why a cell counts nowhere, as a badge."""
    if cell.state == "failed":
        return ":red-badge[:material/error: failed]"
    said = (
        "refused, twice"
        if cell.why == REFUSED
        else f"too long: {cell.words} words, {scene.asked.most_words} at most"
    )
    return f":orange-badge[:material/block: {said}]"


def compared(one: BenchCell, n: int) -> str:
    """Say how different an idea is from its sibling, as Markdown; `n` is the idea that is looked
    at, 0 for none of them.
    """
    who = f"Ideas {one.n} and {one.m}"
    if n:
        who = f"Beside idea {one.m if n == one.n else one.n}"
    if one.fluency is None:
        return f"{who}: {waiting(one)}"
    letter, meaning = LETTERS[one.fluency]
    return f"{who}: **{letter}**, {meaning} ({one.fluency} of 10), says {spoken(one.asked)}."


def lost(scene: CardScene, cell: BenchCell) -> None:
    """Draw the answers that an idea did not come from: a refusal, and what was refused as no usable
    answer.
    """
    if not cell.refusals and cell.state != "failed":
        return
    for one in services.store().benchmarks.calls(scene.run.id, cell.key):
        if one.outcome != "accepted":
            st.markdown(
                f":gray[Answered, and not taken ({inline(one.outcome, 160)}):]"
                f" {inline(one.raw or 'nothing', 1_000)}"
            )


def _calls(scene: CardScene, cells: Sequence[BenchCell]) -> None:
    """Say what an idea and its judgments took."""
    made = [
        call for one in cells for call in services.store().benchmarks.calls(scene.run.id, one.key)
    ]
    if not made:
        return
    tokens = usage.all_tokens(
        sum(one.tokens_in or 0 for one in made),
        sum(one.tokens_out or 0 for one in made),
        len(made),
        usage.silent(made),
    )
    unknown = sum(one.cost is None for one in made)
    dollars = f"${sum(one.cost or 0.0 for one in made):.4f}" + (
        f" + {counted(unknown, 'call')} of unknown price" if unknown else ""
    )
    st.caption(inline(f"{counted(len(made), 'call')} with its judgments · {tokens} · {dollars}"))
