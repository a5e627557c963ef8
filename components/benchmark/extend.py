"""Extending a benchmark that rests: more models, keywords or ideas; what it would take is said
before, and only what is new is paid.
"""

from typing import Any

import streamlit as st

from components.benchmark import address
from components.benchmark.form.keywords import few
from components.benchmark.form.models import MOST, mark
from components.benchmark.form.options import CAP
from components.benchmark.form.view import formula, hindered
from components.benchmark.words import duration, round_off
from components.runs import starting
from components.runs.asking import cap_usd
from components.runs.models import several
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.expected import Expected
from core.benchmark.identity import same_model
from core.errors import BadInput
from core.records import Entrant, KeywordList, Run
from core.runs.extending import STAYS, extend_benchmark, grown, new_in


def draw(run: Run) -> None:
    """Draw what can be added to a benchmark that rests; a brainstorm on one keyword is not
    extended.
    """
    asked = run.inputs_as(BenchInputs)
    if asked.brainstorm or run.packed:
        return
    folded = st.expander(
        "Add models, keywords or ideas",
        icon=":material/add:",
        key=f"bench-extend:{run.id}",
        on_change="rerun",
    )
    if folded.open:
        with folded, told():
            _more(run, asked)


def _more(run: Run, asked: BenchInputs) -> None:
    st.caption(
        "This makes a benchmark of its own that takes over all that is settled here, free; this"
        f" one stays as it is. {STAYS}"
    )
    left, right = st.columns(2)
    with left:
        models = _models(run, asked)
    with right:
        count, ideas = _numbers(run, asked)
        caps = _caps(run)
    if not models and count == asked.count and ideas == asked.ideas:
        st.caption("Choose something to add.")
        return
    whole = grown(asked, models, count=count, ideas=ideas)
    st.markdown(formula(whole))
    st.markdown(_takes(new_in(services.workshop(), run, whole)))
    for said in hindered(whole):
        st.warning(inline(said, 600), icon=":material/extension_off:")
    if st.button(
        "Extend the benchmark", type="primary", icon=":material/add:", key="bench-extend:go"
    ):
        with st.spinner("Taking over what is settled"):
            made = _begun(run, whole, caps)
        for name in list(map(str, st.session_state)):
            if name.startswith("bench-extend:") and name.endswith(run.id):
                del st.session_state[name]
        address.go_to(made)


def _models(run: Run, asked: BenchInputs) -> tuple[Entrant, ...]:
    """Draw the choice of more models and return those that the benchmark does not have."""
    picked = several(
        "More models that write",
        f"bench-extend:models:{run.id}",
        "generator",
        (),
        "provider:model, such as ollama:llama3.1.",
        MOST,
    )
    there = [name for name in picked if any(same_model(name, one.model) for one in asked.models)]
    if there:
        st.caption(inline(f"In it already: {', '.join(there)}."))
    names = [name for name in picked if name not in there]
    return mark(names, f"bench-extend:marked:{run.id}") if names else ()


def _numbers(run: Run, asked: BenchInputs) -> tuple[int, int]:
    held = services.store().frozen.get(asked.keywords, KeywordList)
    there = max(asked.count, len(held.keywords))
    one, two = st.columns(2, vertical_alignment="bottom")
    count = one.number_input(
        "Keywords in all",
        asked.count,
        there,
        asked.count,
        key=f"bench-extend:count:{run.id}",
        disabled=there == asked.count,
        help=(
            f"The first so many of “{inline(held.name, 120)}”, which has {there:,}."
            if there > asked.count
            else (
                "Its list has no more. A longer list that begins with the same keywords can be"
                f" given on the command line: `python -m core bench extend {run.id} --keywords"
                " FILE`."
            )
        ),
    )
    ideas = two.number_input(
        "Ideas per keyword and model",
        asked.ideas,
        10,
        asked.ideas,
        key=f"bench-extend:ideas:{run.id}",
        help="A new idea is compared with every earlier one of its model for its keyword.",
    )
    return int(count), int(ideas)


def _caps(run: Run) -> dict[str, Any]:
    """Draw the caps, which hold for what the extension spends itself."""
    one, two = st.columns(2)
    usd = cap_usd(
        f"bench-extend:usd:{run.id}",
        "Cap, $",
        one,
        value=services.store().runs.caps(run.id)[0],
        step=1.0,
        persist_state=None,
        help=(
            "At a cap the benchmark pauses. Raise the cap, and it goes on. What was paid before"
            " does not count."
        ),
    )
    tokens = two.number_input(
        "Cap, tokens",
        min_value=0,
        value=None,
        step=100_000,
        key=f"bench-extend:tokens:{run.id}",
        placeholder=CAP,
    )
    return {"cap_usd": usd or 0.0, "cap_tokens": tokens or None}


def _takes(found: Expected) -> str:
    """Say what is new, and what it is expected to take."""
    cost = f"cost unknown, as no price is listed for {inline(few(found.unpriced))}"
    if found.cost is not None:
        cost = f"about \\${found.cost:,.2f}"
    return (
        f"New, with what failed or was left here: **{counted(found.calls, 'call')}**, about"
        f" **{round_off(found.tokens)} tokens**, {cost}, **{duration(found.hours * 60)}** at"
        f" {inline(found.said)}. A guess for planning; the caps are what holds."
    )


def _begun(run: Run, whole: BenchInputs, caps: dict[str, Any]) -> Run:
    """Start the extension, or return the one the same click has just started; raises BadInput."""

    def begin() -> Run:
        made = extend_benchmark(services.runner(), run.id, whole, **caps)
        services.runner().start(made.id)
        return made

    return starting.once("bench-extend", [run.id, whole.model_dump(mode="json"), caps], begin)


def extends(run: Run) -> None:
    """Draw the way to the benchmark this one extends, and to those that extend it."""
    runs = services.store().runs
    children = runs.children(run.id)
    if not run.parent and not children:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.parent:
            try:
                _link(
                    f"Extends {inline(runs.get(run.parent).title, 60)} ({inline(run.parent)})",
                    ":material/call_merge:",
                    run.parent,
                )
            except BadInput:
                st.caption(
                    "Extends a benchmark that was removed; what it took over from there is kept.",
                    width="content",
                )
        for one in children[:5]:
            _link(
                f"Extended by {inline(one.title, 60)} ({inline(one.id)})",
                ":material/call_split:",
                one.id,
            )
    if run.parent:
        st.caption(
            "Figures, and what it took under Results, are of all its answers, those taken over too;"
            " calls, tokens, cost and caps on this page are of what it asked itself."
        )


def _link(label: str, icon: str, run_id: str) -> None:
    st.page_link("pages/benchmark.py", label=label, icon=icon, query_params={"run": run_id})
