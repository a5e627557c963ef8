"""What every start form shares: numbers bounded as the inputs are, what is said before the start,
and a click that is reported twice.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import ceil
from typing import Any

import streamlit as st
from annotated_types import Ge, Le

from components.runs.asking import DOES
from components.shell import services
from components.shell.clicks import do_once
from components.shell.text import counted, inline
from core.errors import FoundryError
from core.literature import label
from core.literature.presence import networked
from core.records import Record, Run
from core.runs.beginning import usual_cap
from core.runs.catalogue import METHODS
from core.runs.estimates import (
    MADE_OF_PARTS,
    Estimate,
    estimate,
    paused,
    plan,
    role_of,
    worded,
)
from core.runs.workshop import DEFAULT_TOKENS

PROMPTS = {
    "select": "choosing between branches",
    "experiment-design": "the experiment design",
    "design-review": "the review of the experiment design",
    "design-refine": "refining the experiment design",
    "direct-idea": "direct prompting",
    "retrieved-idea": "prompting with retrieved papers",
    "novelty-verdict": "judging whether a paper has the idea already",
    "report": "taking topic, idea and experiment from a paper",
    "rank": "ranking the idea with the target",
    "six-fields": "bringing the ideas into six fields",
    "question": "asking the research question",
    "keywords": "its keywords",
    "literature-review": "the literature review",
    "evolve-idea": "writing the idea",
    "evolve-revise": "revising it by directives",
    "evolve-alone": "revising it alone",
    "checklist-item": "judging the items",
    "checklist-score": "scoring the items",
}
"""What a prompt is for, where its name does not say it."""


def once(form: str, wish: object, begin: Callable[[], Run]) -> Run:
    """Begin a run, or return the one the same click has just begun: a browser may report one click
    twice. `wish` is all that was asked for, in JSON; raises BadInput.
    """
    run = do_once(f"{form}:begun", wish, lambda: begin().id)
    return services.store().runs.get(run)


def go_to(run: Run) -> None:
    """Open the run on the page of its form."""
    # In one go: to clear the address first would be one more page to go back through.
    st.query_params.from_dict({"run": run.id})
    st.rerun()


def number(place: Any, label: str, asked: tuple[type[Record], str], key: str, **more: Any) -> int:
    """Draw a number that an input of a method takes (`asked`: its record and name), with the bounds
    and the default it has there.
    """
    kind, name = asked
    field = kind.model_fields[name]
    usual: dict[str, Any] = {"value": field.default, "persist_state": "session"}
    for bound in field.metadata:
        if isinstance(bound, Ge):
            usual["min_value"] = bound.ge
        elif isinstance(bound, Le):
            usual["max_value"] = bound.le
    return int(place.number_input(label, key=key, **usual | more))


def name(key: str, placeholder: str = "What it is called in lists") -> str:
    """Draw what the run is to be called."""
    said = st.text_input(
        "Name", key=key, persist_state="session", max_chars=150, placeholder=placeholder
    )
    return said or ""


@contextmanager
def warned() -> Iterator[None]:
    """Say beforehand what keeps a run from being started, as a warning."""
    try:
        yield
    except FoundryError as error:
        st.warning(inline(str(error), 1_000), icon=":material/extension_off:")


def planned(
    method: str,
    inputs: Record,
    models: Mapping[str, str],
    cap_usd: float | None = None,
    source: str = "shelf",
    called: str = "",
) -> None:
    """Say before a start what the run may take, which looks for papers in `source`, and which part
    of it the chosen models cannot do; where several may be started, what this one is `called`.
    """
    given = inputs.model_dump(mode="json")
    named = {role: models.get(role) or models["main"] for role in (*DOES, *models)}
    asked = {role_of(prompt) for prompt in plan(method, given)[0]}
    if method in MADE_OF_PARTS:
        asked = {*METHODS[method].roles}
    guess = estimate(method, given, named)
    lead = f"{called}: " if called else ""
    if not asked:
        st.caption("No model is asked.")
    elif {named[role] for role in asked} == {"builtin"}:
        calls = counted(guess.calls, "call")
        if guess.most and guess.most > guess.calls:
            calls += f", at most {guess.most:,},"
        about = f"about {calls} to the built-in model: {_time(method, guess.calls, source)}."
        st.caption(lead + (about if lead else about[0].upper() + about[1:]))
    else:
        # Of what is made of parts the cap is twice what is estimated.
        cap = usual_cap(guess) if method in MADE_OF_PARTS else DEFAULT_TOKENS
        estimated(guess, cap, cap_usd, called or "Estimated")
    if missing := unanswered(method, given, named):
        st.warning(
            f"The built-in model cannot do this part: {inline(', '.join(missing))}. "
            "Choose a language model for it under “Models and limits”, or leave it out.",
            icon=":material/extension_off:",
        )


def _time(method: str, calls: int, source: str) -> str:
    """Say how long so many calls to the built-in model take, and the searches beside them."""
    # Up to half a second was measured for each; where runs are made side by side, 0.06 to 0.21 s
    # over fourteen shortlists on two cores.
    minutes = ceil(calls / (200 if METHODS[method].measured == "calls" else 100))
    time = f"about {minutes} minutes" if minutes > 1 else "less than a minute"
    if not networked(source):
        return f"{time}, free"
    return (
        f"free, and {time} for the calls alone. Papers are looked up in {inline(label(source))},"
        " over the network, which takes some minutes more"
    )


def unanswered(method: str, inputs: Mapping[str, object], models: Mapping[str, str]) -> list[str]:
    """Return what of a run needs a language model, but was given to the built-in one, in words."""
    builtin = services.workshop().builtin()
    return [
        PROMPTS.get(prompt, prompt.replace("-", " "))
        for prompt in plan(method, inputs)[0]
        if models[role_of(prompt)] == "builtin" and not builtin.answers(prompt)
    ]


def estimated(
    guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None, label: str = "Estimated"
) -> None:
    """Say what an estimate comes to, and warn where one of the caps would pause the run."""
    st.caption(f"{label}: {inline(worded(guess), 1_000)}")
    warn(guess, cap_tokens, cap_usd)


def warn(guess: Estimate, cap_tokens: int | None, cap_usd: float | None = None) -> None:
    """Warn where one of the caps would pause the run."""
    if said := paused(guess, cap_tokens, cap_usd):
        st.warning(inline(said, 600), icon=":material/savings:")
