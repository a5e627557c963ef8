"""A shortlist on screen: the cards on top from the first idea on, then the funnel, all ideas, any
two side by side, and what a person changes; the address says what is looked at.
"""

from contextlib import suppress
from functools import partial

import streamlit as st

from components.cases import save as case_save
from components.runs import export as run_export
from components.runs import forks, states
from components.runs import views as run_views
from components.runs.models import called
from components.runs.states import PAGES, badge
from components.shell import address, in_view, mistakes, onward, services
from components.shell.text import counted, inline
from components.shortlist import cards, choices, compare, funnel, ideas, judging
from core.errors import BadInput
from core.export.shortlist_report import NAMES, describe_count
from core.methods.shortlist.so_far import Present, present
from core.records import Run
from core.runs.catalogue import entry

VIEWS = {
    "funnel": "Stage by stage",
    "ideas": "All ideas",
    "compare": "Compare two",
    "change": "Change",
    "runs": "Its runs",
}
NAMES_IN_ADDRESS = ("view", *compare.SIDES)
DOES = {
    "explore": "Growing chains of papers and drafting ideas from them.",
    "part": "Joining ideas that say the same, setting aside what is known.",
    "refine": "Refining each idea, review by review.",
    "check": "Checking the refined ideas against fresh searches.",
    "compare": "Comparing the ideas two by two, in both orders.",
    "shortlist": "Designing experiments for the first of them.",
}
"""What the run does in a stage."""


def whole(run: Run) -> None:
    """Draw the run; while it is active, redraw every second."""
    states.head(run, "shortlist", "New shortlist")
    states.followed(run, _drawn)


def _drawn(run: Run) -> None:
    judging.lead_on()
    if st.query_params.get("run") not in (None, run.id):
        st.rerun()  # A copy was made: the page around this part is still that of its parent.
    now = present(services.store(), run)
    _follow_address(run, now)
    _strip(run, now)
    _from_where(run)
    mistakes.shown(f"shortlist:put-back:{run.id}")
    choices.ask(run, now)
    if run.state in ("failed", "stopped") and not now.ideas:
        onward.again("pages/shortlist.py", run.config.topic)
        return
    cards.draw(run, now, _wishes(run, now))
    if not now.cards:
        _nothing_yet(run, now)
    _ways_on(run, now)
    key = _view_key(run)
    picked = run_views.draw(run, "shortlist", VIEWS, key, persist_state="session")
    {
        "funnel": funnel.draw,
        "ideas": ideas.draw,
        "compare": compare.draw,
        "change": choices.change,
        "runs": _runs,
    }[picked](run, now)
    in_view.follow("shortlist")
    _say_in_address(run, picked)


def doing(now: Present) -> str:
    """Say which stage the run is in and what it does there."""
    order = [at.stage for at in now.stages]
    at = now.stages[order.index(now.stage)]
    place = f"Stage {order.index(now.stage) + 1} of {len(order)}, {NAMES[now.stage].lower()}"
    entered = f" {describe_count(now, at).capitalize()}." if at.entered else ""
    return f"{place}: {DOES[now.stage]}{entered}"


def _strip(run: Run, now: Present) -> None:
    """Draw state, progress and controls, with what all the runs it made took together."""
    together = services.store().runs.with_runs_made(run)
    names = dict.fromkeys(together.config.models.values())
    # The row has room for one model; all of them are named below it.
    first = next((name for name in names if name != "builtin"), "builtin")
    config = together.config.model_copy(update={"models": {"main": first}})
    states.strip(together.model_copy(update={"config": config}), "shortlist", doing(now))
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    if tokens:
        caps.append(f"{tokens:,} tokens")
    bound = f"the cap of {' and '.join(caps)} holds" if caps else "no cap is set"
    if run.packed:
        bound = "all in its file"
    models = ", ".join(map(called, names))
    st.caption(
        inline(f"Calls, tokens and cost are of all the runs it made; {bound}. Models: {models}.")
    )


def _from_where(run: Run) -> None:
    """Draw the way back to the shortlist that this one is a copy of."""
    if not run.parent:
        return
    with suppress(BadInput):  # Removed since.
        parent = services.store().runs.get(run.parent)
        st.page_link(
            "pages/shortlist.py",
            label=f"A copy of “{inline(parent.title, 80)}”, changed {_place(run.fork_at or '')}",
            icon=":material/call_split:",
            query_params={"run": parent.id},
        )


def _place(key: str) -> str:
    stage, _, what = key.partition("/")
    name = next((name for one, name in NAMES.items() if one == stage), stage)
    return f"after {name}" if what == "choices" else f"at {name}"


def _wishes(run: Run, now: Present) -> cards.Wishes:
    """Return what can be done from a card now."""
    rests = not states.active(run) and not run.packed
    checked = any(at.stage == "check" and (at.choices is not None or at.asks) for at in now.stages)
    return cards.Wishes(
        partial(choices.put_back, run, now) if rests and checked else None,
        partial(choices.design, run) if rests and now.rated else None,
        partial(_compare, run, now),
    )


def _compare(run: Run, now: Present, n: int) -> None:
    """Look at an idea beside another of the shortlist; a callback."""
    others = [card.n for card in now.cards if card.n != n] + [
        one.n for one in now.ideas if one.n != n
    ]
    st.session_state[compare.key(run, "a")] = n
    if others:
        st.session_state[compare.key(run, "b")] = others[0]
    st.session_state[_view_key(run)] = "compare"
    in_view.wish(_view_key(run))


def _nothing_yet(run: Run, now: Present) -> None:
    if states.active(run):
        st.info(
            "The first idea stands here as soon as it is drafted; it does not wait for the others.",
            icon=":material/hourglass_empty:",
        )
        for name in now.stages[0].runs:
            with suppress(BadInput):  # Removed since.
                states.doing(services.store().runs.get(name))


def _ways_on(run: Run, now: Present) -> None:
    """Draw what can be done with the shortlist as a whole."""
    if not now.cards:
        return
    if now.rated and now.rated.by == "rules" and not run.packed:
        st.info(cards.BY_PEOPLE, icon=":material/how_to_vote:")
    with st.container(horizontal=True, vertical_alignment="center"):
        run_export.take_whole(run, "shortlist")
        judging.draw(run, now)
        case_save.offer(run, "shortlist")


# -- its runs --------------------------------------------------------------------------------------


def _runs(run: Run, now: Present) -> None:
    """Draw the runs it has made, stage by stage, and its copies."""
    runs = services.store().runs
    shown = False
    for at in now.stages:
        for n, name in enumerate(at.runs):
            with suppress(BadInput):  # Removed since.
                child = runs.get(name)
                if n == 0:
                    st.markdown(f"**{NAMES[at.stage]}** :gray[{counted(len(at.runs), 'run')}]")
                _child(child)
                shown = True
    if not shown:
        st.caption("It has made no run yet.")
    family = forks.family(run)
    if len(family) > 1:
        st.markdown("**This shortlist and its copies**")
        forks.tree(family, run.id)


def _child(child: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(
            PAGES.get(child.config.method, "pages/runs.py"),
            label=inline(child.title, 90),
            query_params={"run": child.id},
        )
        st.markdown(badge(child), width="content")
        st.caption(
            f"{inline(entry(child.config).label)} · {counted(child.calls, 'call')}", width="content"
        )
        if child.state == "failed":
            st.caption(inline(child.reason, 200))


# -- what is looked at, in the address -------------------------------------------------------------


def _view_key(run: Run) -> str:
    return f"shortlist:view:{run.id}"


def _follow_address(run: Run, now: Present) -> None:
    asked = address.asked_for(NAMES_IN_ADDRESS)
    if not address.wished(f"shortlist:{run.id}", asked):
        return
    view, *sides = asked
    numbers = {str(one.n): one.n for one in now.ideas}
    for side, n in zip(compare.SIDES, sides, strict=True):
        if n in numbers:
            st.session_state[compare.key(run, side)] = numbers[n]
    st.session_state[_view_key(run)] = view if view in VIEWS else "funnel"
    if view in VIEWS:
        in_view.wish(_view_key(run))


def _say_in_address(run: Run, picked: str) -> None:
    sides = ("", "")
    if picked == "compare":
        held = (st.session_state.get(compare.key(run, side)) for side in compare.SIDES)
        sides = tuple("" if n is None else str(n) for n in held)  # type: ignore[assignment]
    said = ("" if picked == "funnel" else picked, *sides)
    address.say(f"shortlist:{run.id}", NAMES_IN_ADDRESS, said)
