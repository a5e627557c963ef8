"""Models on screen: said by name, listed, chosen one or several; those that were found, or any that
is typed.
"""

import streamlit as st

from components.shell import cached, services
from components.shell.text import inline
from core.errors import BadInput
from core.models import LOCAL
from core.models.policy_files import origin
from core.models.reach import Reachable
from core.records import Run, TrainedPolicy
from core.runs.catalogue import people_instead


def called(model: str) -> str:
    """Return a model's name as screens say it; of a policy that was trained here, whence it
    comes.
    """
    if model == "builtin":
        return "built-in (rule-based, for trying things out)"
    policy = trained(model)
    return f"{model} ({origin(policy)})" if policy else model


def trained(model: str) -> TrainedPolicy | None:
    """Return the policy that a model is, if it was trained here and is still in use."""
    provider, _, name = model.partition(":")
    if provider != LOCAL:
        return None
    return next((one for one in services.store().policies.listed() if one.name == name), None)


def spoken(name: str) -> str:
    """Return a model's name as Markdown; the built-in model always says what it is."""
    return inline(called(name))


def spoken_all(run: Run) -> str:
    """Return the names of a run's models, each once, as Markdown, or that people are asked."""
    if people := people_instead(run.config):
        return f"{people}, no model"
    return ", ".join(dict.fromkeys(map(spoken, run.config.models.values())))


def names() -> tuple[str, ...]:
    """Return the names of models that can be asked from here, the built-in one first; looking is
    done at most twice a minute.
    """
    found: list[str | None] = ["builtin"]
    for reached in cached.reach():
        found += [reached.main, reached.cheap, *_listed(reached)]
    return tuple(dict.fromkeys(filter(None, found)))


def known_models(role: str) -> list[str]:
    """Return the models that were found, as `provider:model`, the one suggested for the role first
    of each provider.
    """
    found: list[str | None] = []
    for reached in cached.reach():
        found += [reached.cheap if role == "cheap" else reached.main, *_listed(reached)]
    return list(dict.fromkeys(filter(None, found)))


def _listed(reached: Reachable) -> list[str]:
    return [f"{reached.provider}:{model}" for model in reached.models]


def judging() -> list[str]:
    """Return the language models that may judge, the chosen one first; the built-in model
    understands nothing, and a policy was trained to write.
    """
    chosen = services.workshop().chosen("judge")
    others = [name for name in known_models("main") if not name.startswith(f"{LOCAL}:")]
    return [name for name in dict.fromkeys((chosen, *others)) if name != "builtin"]


def several(
    label: str,
    key: str,
    role: str,
    default: tuple[str, ...],
    help_: str,
    most: int,
    builtin: bool = True,
) -> tuple[str, ...]:
    """Draw the choice of models and return their names; the built-in one is offered unless it
    cannot do what they are for.
    """
    named = [*default, services.workshop().chosen(role), *known_models(role), "builtin"]
    offered = [name for name in dict.fromkeys(named) if builtin or name != "builtin"]
    st.session_state.setdefault(key, list(default))
    offered = list(dict.fromkeys([*offered, *st.session_state[key]]))
    picked = st.multiselect(
        label,
        offered,
        key=key,
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        max_selections=most,
        select_all=False,
        wrap=True,
        placeholder="Pick some, or type provider:model",
        help=help_,
    )
    return tuple(dict.fromkeys(name.strip() for name in picked if name.strip()))


def ranks(name: str) -> bool:
    """Say whether a model is one that can rank ideas, as far as it can be opened."""
    try:
        return services.workshop().model(name).answers("rank")
    except BadInput:
        return False


def judges(page: str, most: int = 6) -> tuple[str, ...]:
    """Draw the choice of judges and return their names; the chosen one comes first, if it can rank
    at all.
    """
    chosen = services.workshop().chosen("judge")
    return several(
        "Judges",
        f"{page}:judges",
        "judge",
        (chosen,) if ranks(chosen) else (),
        "Each ranks everything by itself. The first is the one whose Q stands in the main table.",
        most,
    )


def checklist_judge(key: str) -> str:
    """Draw the choice of who judges evolutions by the checklist and return its name; empty where
    each model judges what it wrote.
    """
    offered = list(dict.fromkeys([services.workshop().chosen("judge"), *known_models("judge")]))
    said = st.session_state.get(key)
    picked = st.selectbox(
        "Judge of the checklist",
        [*offered, *([said] if said and said not in offered else [])],
        index=None,
        key=key,
        format_func=called,
        accept_new_options=True,
        persist_state="session",
        placeholder="The model that writes judges itself",
        help=(
            "It judges the items of checklist evolution and gives the directives. A model that"
            " judges itself is easily content."
        ),
    )
    return (picked or "").strip()
