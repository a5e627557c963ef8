"""What a run of the chain screens was asked for, in one foldable line, and where its literature
really came from.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import streamlit as st

from components.runs.models import spoken
from components.shell import services
from components.shell.text import counted, inline
from core.literature import label
from core.records import Run
from core.runs.catalogue import ROLES, entry

PARTS = {
    "chain": "the chain (papers are retrieved instead)",
    "order": "the order of the chain, and its dates",
    "future": "the predicted direction",
    "entities": "the entities",
}
"""What an ablation leaves out, in words."""


EDITED = {"chain": " (its papers)", "trend": " (its trend)", "direction": " (its direction)"}
"""What was edited, by the name of the step that a fork begins at."""


def draw(run: Run) -> None:
    """Draw what was asked for, folded into one line; and say what other source answered, or
    failed.
    """
    known = entry(run.config)
    config, facts = run.config, {**_asked(run.config.inputs), **_frozen(run)}
    if config.edition == 1 and "chain" in list(config.inputs.get("without") or ()):  # type: ignore[call-overload]
        facts["Left out"] = facts["Left out"].replace(PARTS["chain"], "the order of the chain")
    size = _size(config.inputs) if known.view == "chain" else known.label
    before = config.inputs.get("before")
    cut_off = f" · before {inline(str(before))}" if before else ""
    with st.expander(
        f"Asked for: {size} · {inline(label(config.source))}{cut_off}",
        icon=":material/tune:",
    ):
        for name, said in facts.items():
            left, right = st.columns([1, 4], gap="small")
            left.caption(name)
            right.markdown(said)
    for said in answered(run):
        st.caption(f":material/swap_horiz: {inline(said, 600)}")


def draw_origin(run: Run) -> None:
    """Draw the link to the run that this one was made from; nothing where there is none."""
    if not run.parent:
        return
    step = (run.fork_at or "").rsplit("/", 1)[-1]
    edited = EDITED.get(step, "")
    st.page_link(
        "pages/chains.py",
        label=(
            f"Edited from run {inline(run.parent)}{edited}, which stays as it is"
            if edited
            else f"Made from run {inline(run.parent)}, which stays as it is"
        ),
        icon=":material/edit:" if edited else ":material/fork_right:",
        query_params={"run": run.parent},
    )


def answered(run: Run) -> list[str]:
    """Return a sentence for every source that answered in place of another, or that failed while
    others answered.
    """
    seconds: Counter[tuple[str, str]] = Counter()
    failures: Counter[str] = Counter()
    reasons: dict[object, str] = {}
    details = (origin.detail for origin in services.store().steps.sources(run.id))
    for detail in (part for whole in details for part in _parts(whole)):
        if "instead_of" in detail:
            pair = (str(detail["answered_by"]), str(detail["instead_of"]))
            seconds[pair] += 1
            reasons.setdefault(pair, str(detail.get("because", "")))
        failed = detail.get("failed")
        for name, why in failed.items() if isinstance(failed, dict) else ():
            failures[name] += 1
            reasons.setdefault(name, str(why))
    times = {1: "once", 2: "twice"}
    return [
        *(
            f"{label(a)} answered {times.get(n, f'{n} times')} instead of {label(b)}:"
            f" {reasons[a, b]}"
            for (a, b), n in seconds.items()
        ),
        *(
            f"{label(name)} failed {times.get(n, f'{n} times')}, the other source answered:"
            f" {reasons[name]}"
            for name, n in failures.items()
        ),
    ]


def _parts(detail: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    yield detail
    inner = detail.get("sources")
    for part in inner.values() if isinstance(inner, dict) else ():
        yield from _parts(part)


def _size(inputs: Mapping[str, object]) -> str:
    if inputs["length"] == 0:
        return "five retrieved papers in no order"
    n = int(str(inputs.get("branches", 1)))
    papers = counted(int(str(inputs["length"])), "paper")
    return f"{n} branches of at most {papers}" if n > 1 else f"1 branch of at most {papers}"


def _asked(inputs: Mapping[str, object]) -> dict[str, str]:
    words: dict[str, Callable[[Any], str]] = {
        "branches": str,
        "length": lambda n: "0: five retrieved papers in no order" if n == 0 else f"at most {n}",
        "before": lambda day: inline(str(day)) if day else "no cut-off",
        "ban": lambda names: inline(", ".join(names), 2_000) if names else "none",
        "milestone": lambda n: (
            f"a chain goes no further back than a paper with more than {n:,} citations"
        ),
        "anchors": (
            lambda papers: (
                "; ".join(inline(str(paper["title"]), 120) for paper in papers)
                or "anchors that are searched for"
            )
        ),
        "paper": lambda paper: inline(str(paper["title"]), 200),
        "without": lambda parts: ", ".join(PARTS[part] for part in parts) or "nothing",
        "ideas": lambda n: f"{counted(n, 'idea')} a branch",
        "full_text": lambda yes: (
            "read where there is an open-access PDF" if yes else "not fetched; abstracts serve"
        ),
        "confirm": lambda yes: (
            "confirmed by a person before it is drafted" if yes else "drafted without asking"
        ),
        "novelty_rounds": lambda n: f"at most {n}",
        "design": lambda yes: "designed for the chosen idea" if yes else "not designed",
        "refinements": lambda n: (
            f"reviewed and refined {n} times" if n != 1 else "reviewed and refined once"
        ),
    }
    names = {
        "length": "Papers per branch",
        "before": "Only papers before",
        "ban": "Never used",
        "anchors": "Starts from",
        "without": "Left out",
        "full_text": "Full text",
        "confirm": "Predicted direction",
        "novelty_rounds": "Novelty rounds",
        "ideas": "Directions followed",
        "design": "Experiment",
        "refinements": "Its design",
    }
    told = {
        names.get(name, name.capitalize()): say(inputs[name])
        for name, say in words.items()
        if name in inputs
    }
    return {"Topic": inline(str(inputs["topic"]), 4_000), **told}


def _frozen(run: Run) -> dict[str, str]:
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"\\${usd:.2f}"] if usd is not None else []
    caps += [f"{tokens:,} tokens"] if tokens is not None else []
    models = {
        f"{role.capitalize()} model ({ROLES.get(role, 'asked')})": spoken(name)
        for role, name in run.config.models.items()
        if name
    }
    return {
        "Source": inline(label(run.config.source)),
        **models,
        "Cap": " and ".join(caps) or "none",
    }
