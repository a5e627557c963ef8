"""One run: how it stands, what was asked, where else it can be seen."""

from collections.abc import Mapping

import streamlit as st

from components.benchmark import words as bench_words
from components.cases import save as case_save
from components.experiments.words import summed
from components.runs import states
from components.runs.models import spoken
from components.shell import services
from components.shell.idea_card import draw
from components.shell.text import counted, inline
from core.export.facts import sampled
from core.records import Idea, Run, label
from core.runs.catalogue import METHODS
from core.runs.estimates import of_run

VIEWS = {"chain": "See the chain", "refine": "See the rounds"}
"""What the screen of a method shows, in words."""


def head(run: Run) -> None:
    """Draw the run's name, the way back and the way to its own screen."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "All runs",
            icon=":material/arrow_back:",
            type="tertiary",
            key="runs:all",
            on_click=_leave,
        )
        st.space("stretch")
        case_save.play(run)
        case_save.offer(run, "runs")
        if page := states.PAGES.get(run.config.method):
            st.page_link(
                page,
                label=VIEWS.get(run.config.method, "See what it made"),
                icon=":material/open_in_new:",
                query_params={"run": run.id},
            )
    states.part_of(run)
    st.subheader(inline(run.title, 200), anchor=False)


def _leave() -> None:
    st.query_params.pop("run", None)


def standing(run: Run) -> None:
    """Draw state and controls; while the run is active they renew themselves."""
    if states.active(run):
        st.fragment(_live, run_every=1)(run.id)
    else:
        states.strip(_whole(run), "runs")


def _live(run_id: str) -> None:
    run = services.store().runs.get(run_id)
    states.strip(_whole(run), "runs")
    if not states.active(run):
        st.rerun()
    st.progress(min(states.answered(run).steps / of_run(run).steps, 0.99))
    states.doing(run)


def _whole(run: Run) -> Run:
    """Return a run with what it took; an experiment asks nothing itself, so what all its runs took
    together.
    """
    return summed(services.store(), run) if run.config.method == "sweep" else run


def asked(run: Run, caps: tuple[float | None, int | None]) -> None:
    """Draw what the run was asked for, and everything that was frozen when it started."""
    config = run.config
    method = METHODS[config.method].label if config.method in METHODS else inline(config.method)
    begun = [*_ideas(config.inputs.get("idea")), *_ideas(config.inputs.get("firsts"))]
    given = {
        name: value
        for name, value in config.inputs.items()
        if value not in (None, "", [], ()) and name not in ("idea", "firsts", "from_run")
    }
    bench = bench_words.facts(run)
    _facts(
        {
            "Method": f"{method}, version {config.version}",
            **(bench or {label(name): _said(value) for name, value in given.items()}),
        }
    )
    if source := config.inputs.get("from_run"):
        st.page_link(
            "pages/runs.py",
            label=f"Its idea and papers are from run {inline(str(source))}",
            icon=":material/link:",
            query_params={"run": str(source)},
        )
    for n, idea in enumerate(begun, 1):
        with st.expander(
            "The idea it began with" if len(begun) == 1 else f"Idea {n} it began with",
            key=f"runs:first:{n}",
        ):
            draw(Idea.model_validate(idea), None, "", f"runs:first:{n}:card")
    st.markdown("**Frozen when it started**")
    usd, tokens = caps
    _facts(
        {
            **(
                {}
                if bench
                else {
                    **{
                        f"{role.capitalize()} model": spoken(name) or "none"
                        for role, name in config.models.items()
                    },
                    "Source": inline(config.source),
                }
            ),
            "Sampling": sampled(config),
            "Seed": str(config.seed),
            "Cap": (
                " and ".join(
                    filter(
                        None,
                        (
                            f"\\${usd:.2f}" if usd is not None else "",
                            f"{tokens:,} tokens" if tokens is not None else "",
                        ),
                    )
                )
                or "none"
            ),
            "Started": f"{inline(run.created[:19].replace('T', ' '))} UTC",
            "Run": run.id,
        }
    )


def _ideas(given: object) -> list[object]:
    """Return the ideas that an input holds: one, or several, of an evolution each with what a judge
    said.
    """
    if isinstance(given, list):
        return [idea for one in given for idea in _ideas(one)]
    return (
        _ideas(given["idea"])
        if isinstance(given, dict) and "idea" in given
        else [given]
        if isinstance(given, dict)
        else []
    )


def _facts(facts: Mapping[str, str]) -> None:
    with st.container(gap="xxsmall"):
        for name, said in facts.items():
            left, right = st.columns([1, 4], gap="small", vertical_alignment="center")
            left.caption(name)
            right.markdown(said)


def _said(value: object) -> str:
    if isinstance(value, dict):
        there = {name: part for name, part in value.items() if part not in (None, "", [], ())}
        return "; ".join(
            f"{label(name).lower()}: {_said(part)}" if name != "name" else _said(part)
            for name, part in there.items()
        )
    if isinstance(value, (list, tuple)):
        papers = [part for part in value if isinstance(part, dict) and "title" in part]
        return counted(len(papers), "paper") if papers else ", ".join(_said(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return inline(str(value), 2_000)
