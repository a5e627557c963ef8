"""The present shortlist as cards: each idea in brief, why it is new, what its reviewers still
object to, its first experiment, what it took so far; every sentence with the way to its step.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

import streamlit as st

from components.chains import design as chain_design
from components.shell import idea_card, services
from components.shell.paper_links import listed
from components.shell.text import counted, inline, money
from components.shortlist import steps
from core.errors import BadInput
from core.export.shortlist_report import (
    PROVISIONAL,
    describe_comparison,
    head_objections,
    name_idea,
)
from core.judging.claims import join_words
from core.methods.shortlist.so_far import IdeaSoFar, Present
from core.models.prices import free
from core.records import Run
from core.records.shortlist import Card

BY_PEOPLE = (
    "The order is that of the built-in model's rules, which count and compare words and understand"
    " nothing. Let people vote: they see the ideas two by two, sources hidden."
)


class Wishes(NamedTuple):
    """What can be done from a card; each is a callback that takes the number of its idea."""

    put_back: Callable[[int], None] | None
    design: Callable[[int], None] | None
    compare: Callable[[int], None]


def draw(run: Run, now: Present, wishes: Wishes) -> None:
    """Draw the cards under what their order rests on; nothing where there is no idea yet."""
    if not now.cards:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("The shortlist", anchor=False, width="content")
        if not now.finished:
            st.markdown(
                ":orange-badge[:material/pending: provisional]", width="content", help=PROVISIONAL
            )
    order = describe_comparison(now.rated) if now.rated else now.reason
    st.caption(inline(order, 1_500))
    spent = _spent(now)
    for card in now.cards:
        _card(run, now, card, spent.get(card.n, ""), wishes)


def _card(run: Run, now: Present, card: Card, spent: str, wishes: Wishes) -> None:
    idea = next((one for one in now.ideas if one.n == card.n), None)
    key = f"shortlist:card:{run.id}:{card.n}"
    with st.container(border=True, key=key, gap="small"):
        _heading(now, card, idea)
        st.markdown(" ".join(map(steps.draw, card.gist)))
        works = "\n".join(map(listed, card.works[:5]))
        st.markdown(
            f":material/travel_explore: **Why it is new.** {steps.draw(card.new)}\n\n{works}"
        )
        _objections(card, idea)
        if idea:
            _alarm(idea, wishes, key)
        _unfolding(card, key)
        with st.container(horizontal=True, vertical_alignment="center"):
            _experiment(card, wishes, key)
            st.button(
                "Compare it",
                icon=":material/compare:",
                type="tertiary",
                key=f"{key}:compare",
                on_click=wishes.compare,
                args=(card.n,),
            )
            if not run.packed and idea:
                made = idea.made.run if idea.made else run.id
                idea_card.keeping(card.idea, made, "shortlist", key)
            st.space("stretch")
            if spent:
                st.caption(spent, width="content")


def _heading(now: Present, card: Card, idea: IdeaSoFar | None) -> None:
    badges = []
    if card.pinned:
        badges.append(":blue-badge[:material/keep: pinned]")
    if idea and idea.put_back:
        badges.append(":blue-badge[:material/undo: first form]")
    if now.rated and (level := _level(now, card.n)):
        badges.append(f":gray-badge[:material/equal: not to be told apart from {level}]")
    st.markdown(f"#### {card.place}. {inline(card.title, 300)} {' '.join(badges)}")
    if card.absorbed:
        names = "; ".join(inline(name_idea(now, n), 120) for n in card.absorbed)
        st.caption(f"It stands for others that say the same: {names}.")


def _level(now: Present, n: int) -> str:
    """Name the ideas that this one cannot be told apart from."""
    groups = now.rated.level if now.rated else ()
    others = {one for group in groups if n in group for one in group} - {n}
    places = [str(card.place) for card in now.cards if card.n in others]
    on_cards = {card.n for card in now.cards}
    rest = [str(one) for one in sorted(others - on_cards)]
    named = [f"place{'s' * (len(places) > 1)} {join_words(places)}"] if places else []
    named += [f"idea{'s' * (len(rest) > 1)} {join_words(rest)}"] if rest else []
    return " and ".join(named)


def _objections(card: Card, idea: IdeaSoFar | None) -> None:
    if card.objections:
        lines = "\n".join(f"- {steps.draw(one)}" for one in card.objections)
        st.markdown(f":material/rate_review: **{head_objections(idea)}**\n\n{lines}")
    elif idea and idea.refined:
        failed = idea.refined.failed
        said = f"No review: {failed}" if failed else "No remark of its last review stands open."
        st.markdown(f":material/rate_review: {inline(said, 600)}")


def _alarm(idea: IdeaSoFar, wishes: Wishes, key: str) -> None:
    """Say what speaks for the first form, with the way to put it back."""
    compared = idea.rechecked.compared if idea.rechecked else None
    if compared is None or not compared.alarm or idea.put_back:
        return
    with st.container(border=True, gap="xsmall"):
        said = " ".join(inline(one, 600) for one in compared.alarm)
        st.markdown(f":orange[:material/warning:] **Refined too far?** {said}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if compared.run:
                st.page_link(
                    "pages/arena.py",
                    label="First and last form, compared",
                    icon=":material/compare_arrows:",
                    query_params={"run": compared.run},
                )
            if wishes.put_back:
                st.button(
                    "Put the first form back",
                    icon=":material/undo:",
                    key=f"{key}:put-back",
                    on_click=wishes.put_back,
                    args=(idea.n,),
                )


def _unfolding(card: Card, key: str) -> None:
    """Draw what is read on demand: the whole idea, and its experiment where one was designed."""
    whole = st.expander(
        "The whole idea",
        icon=":material/article:",
        key=f"{key}:whole",
        on_change="rerun",
        type="compact",
    )
    if whole.open:
        with whole:
            idea_card.draw(card.idea, None, "", key)
    if card.design is None:
        return
    designed = st.expander(
        "First experiment",
        icon=":material/science:",
        key=f"{key}:design",
        on_change="rerun",
        type="compact",
    )
    if designed.open:
        with designed:
            if card.designed:
                st.markdown(f"Where it was designed:{steps.link(card.designed)}")
            chain_design.parts(card.design)


def _experiment(card: Card, wishes: Wishes, key: str) -> None:
    """Say why there is no experiment, with the way to have one designed."""
    if card.design:
        return
    said = card.undesigned or "No experiment is designed yet."
    st.markdown(f":gray[:material/science: {inline(said, 300)}]", width="content")
    if wishes.design:
        st.button(
            "Design one",
            icon=":material/add:",
            type="tertiary",
            key=f"{key}:design-one",
            on_click=wishes.design,
            args=(card.n,),
            help="In a copy of this shortlist that takes over everything else for free.",
        )


def _spent(now: Present) -> Mapping[int, str]:
    """Say what the runs of each idea on a card took, by its number."""
    children: list[Run] = []
    for name in (name for stage in now.stages for name in stage.runs):
        with suppress(BadInput):  # Removed since.
            children.append(services.store().runs.get(name))
    found = {
        card.n: [one for one in children if f"/idea-{card.n}/" in f"/{one.cell}/"]
        for card in now.cards
    }
    return {n: _sum_up(runs) for n, runs in found.items() if runs}


def _sum_up(runs: list[Run]) -> str:
    calls = counted(sum(run.calls for run in runs), "call")
    if all(free(name) for run in runs for name in run.config.models.values()):
        return f"Its own runs: {calls}, free"
    whole = runs[0].model_copy(
        update={
            "cost": sum(run.cost for run in runs),
            "unpriced": sum(run.unpriced for run in runs),
        }
    )
    return f"Its own runs: {calls}, {inline(money(whole))}"
