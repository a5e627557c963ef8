"""A few drafts to read: of each step the best and the worst rollout of its first question, with
what the judge found.
"""

import streamlit as st

from components.checklist.items import LOOKS, item_name
from components.runs.states import active
from components.shell import services
from components.shell.text import inline, shown
from components.shell.widget_state import put
from core.records import Checklist, Examples, Run
from core.records.training import ReadDraft
from core.story import revive
from core.training.method import TrainInputs

NO_BREAK = "\u00a0"
LONGEST = 6_000
"""Letters of a draft that are shown; the whole is among the run's steps."""


def draw(run: Run) -> None:
    """Draw the drafts of one step; follows the newest until a person picks another."""
    steps = sorted(map(int, map(str, services.store().steps.field(run.id, "Examples", "step"))))
    if not steps:
        st.info(
            "No drafts to read yet. They appear once the first ones are judged.",
            icon=":material/article:",
        )
        return
    found = _examples(run, _step(run, steps))
    st.markdown(f"**Question** {inline(found.question, 2_000)}")
    if not found.rollouts:
        st.info("No rollout of this question was judged, so none is shown.")
        return
    # The best is the worst where only one was judged.
    different = dict.fromkeys(found.rollouts)
    informed = run.inputs_as(TrainInputs).informed
    places = st.columns(len(different), gap="large")
    names = ("Best rollout", "Worst rollout") if len(different) > 1 else ("The rollout",)
    for place, name, rollout in zip(places, names, different, strict=True):
        with place:
            total = sum(one.scored.reward or 0.0 for one in rollout)
            st.markdown(f"##### {name}: return {total:g}")
            for n, one in enumerate(rollout, 1):
                _draft(n, one, last=n == len(rollout), informed=informed)


def _examples(run: Run, step: int) -> Examples:
    product = services.store().steps.product(run.id, f"step-{step}/examples")
    assert product is not None
    found = revive(product)
    assert isinstance(found, Examples)
    return found


def _step(run: Run, steps: list[int]) -> int:
    """Draw which step is looked at, and return it."""
    picked_key, key, last = f"training:picked:{run.id}", f"training:step:{run.id}", steps[-1]
    if len(steps) == 1:
        st.caption(f"Step {last}, the only one so far.")
        return last
    picked = st.session_state.get(picked_key)
    put(key, picked if picked in steps else last)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for way, icon, to in (
            ("Earlier", ":material/chevron_left:", -1),
            ("Later", ":material/chevron_right:", 1),
        ):
            at = steps.index(st.session_state[key]) + to
            st.button(
                way,
                icon=icon,
                key=f"training:{way.lower()}",
                disabled=not 0 <= at < len(steps),
                on_click=st.session_state.update,
                args=({picked_key: steps[at] if 0 <= at < len(steps) else last},),
            )
        chosen = st.select_slider(
            "Step",
            steps,
            key=key,
            on_change=_pick,
            args=(picked_key, key),
        )
        if active(run) and picked in steps and picked != last:
            st.button(
                "Follow",
                icon=":material/last_page:",
                key="training:follow",
                on_click=st.session_state.pop,
                args=(picked_key, None),
                help="Show the newest step again, whichever it is.",
            )
    return int(chosen)


def _pick(picked_key: str, key: str) -> None:
    st.session_state[picked_key] = st.session_state[key]


def _draft(n: int, one: ReadDraft, last: bool, informed: bool) -> None:
    """Draw one draft with its reward, its items, and the directives it was given."""
    with st.container(border=True, gap="small"):
        reward = 0.0 if one.scored.reward is None else one.scored.reward
        st.markdown(f"**Draft {n}: reward {reward:g}**")
        if not one.readable:
            st.warning(
                "Discarded: no idea could be read from this reply, so its reward is 0. The reply:",
                icon=":material/delete_sweep:",
            )
        st.markdown(shown(one.text[:LONGEST]) or ":gray[It is empty.]")
        if len(one.text) > LONGEST:
            st.caption("Cut here. The whole is among the run's steps.")
        if one.scored.checklist:
            _items(one.scored.checklist)
            _directives(one.scored.checklist, last, informed)


def _items(found: Checklist) -> None:
    looks = (
        f":{look.colour}[{look.icon}] {inline(item_name(one.item))} {look.word}"
        for one in found.items
        for look in (LOOKS[one.score],)
    )
    # No line ends between an icon and its word.
    st.markdown(f":small[{' · '.join(said.replace(' ', NO_BREAK) for said in looks)}]")


def _directives(found: Checklist, last: bool, informed: bool) -> None:
    given = [one for one in found.items if one.directive]
    if not given:
        return
    whose = "for the next draft" if informed and not last else "which no draft was written from"
    with st.expander(f"Directives, {whose}"):
        for one in given:
            assert one.directive is not None
            quoted = f" “{inline(one.directive.span, 400)}”" if one.directive.span else ""
            st.markdown(
                f"**{inline(item_name(one.item))}**{quoted}  \n{inline(one.directive.issue, 2_000)}"
                f"  \n:small[:material/arrow_forward: {inline(one.directive.suggestion, 2_000)}]"
            )
