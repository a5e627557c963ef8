"""One run: how it stands, what was asked, where else it can be seen."""

from collections.abc import Mapping

import streamlit as st

from components.benchmark import words as bench_words
from components.cases import save as case_save
from components.runs import export as export_files
from components.runs import forks, marks, states, steps
from components.runs.models import names, spoken
from components.shell import gone, services
from components.shell.idea_card import draw as draw_idea
from components.shell.paging import ROWS
from components.shell.text import counted, inline
from core.export.facts import sampled
from core.records import Config, Idea, Run, label
from core.runs.catalogue import entry
from core.runs.estimates import of_run


def draw(run_id: str) -> None:
    """Draw one run, a tab for each thing to know about it."""
    run = gone.found(run_id, "pages/runs.py", "All runs")
    if run is None:
        return
    _head(run)
    _standing(run)
    tabs = [
        name
        for name in ("What was asked", "Steps", "Forks", "Export")
        if name != "Forks" or not entry(run.config).cells
    ]
    asked, all_steps, *family, files = st.tabs(
        tabs, key="runs:tab", bind="query-params", on_change="rerun"
    )
    if asked.open:
        with asked:
            _overview(run)
    if all_steps.open:
        with all_steps:
            st.fragment(_every_step, run_every=2 if states.active(run) else None)(run_id)
    if family and family[0].open:
        with family[0]:
            _branches(run)
    if files.open:
        with files:
            export_files.draw(run, "runs")


def _head(run: Run) -> None:
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
                label=entry(run.config).look,
                icon=":material/open_in_new:",
                query_params={"run": run.id},
            )
    states.part_of(run)
    st.subheader(inline(run.title, 200), anchor=False)


def _leave() -> None:
    st.query_params.pop("run", None)


def _standing(run: Run) -> None:
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
    return services.store().runs.with_runs_made(run) if entry(run.config).has_runs_made else run


def _asked(run: Run, caps: tuple[float | None, int | None]) -> None:
    """Draw what the run was asked for, and everything that was frozen when it started."""
    config = run.config
    method = inline(entry(config).label)
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
            draw_idea(Idea.model_validate(idea), None, "", f"runs:first:{n}:card")
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
    if not isinstance(given, dict):
        return []
    return _ideas(given["idea"]) if "idea" in given else [given]


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


def _overview(run: Run) -> None:
    """Draw what was asked, and what a person may change."""
    _asked(run, services.store().runs.caps(run.id))
    if run.packed is None:
        st.divider()
        marks.marks(run)


def _every_step(run_id: str) -> None:
    """Draw the steps as a tree, and one of them in full."""
    outline, store = services.store().steps.outline(run_id), services.store()
    if entry(store.runs.get(run_id).config).cells:
        st.info(
            "The answers of a benchmark are cells and not steps.", icon=":material/leaderboard:"
        )
        st.page_link(
            "pages/benchmark.py",
            label="See its answers",
            icon=":material/leaderboard:",
            query_params={"run": run_id, "view": "ideas"},
        )
        return
    if not outline:
        st.info(
            "No step is recorded yet. The first appears here as soon as it is answered.",
            icon=":material/hourglass_empty:",
        )
    left, right = st.columns([5, 6], gap="medium")
    with left:
        key = steps.chosen(outline)
        steps.tree(outline, key)
    with right:
        step = store.steps.get(run_id, key) if key else None
        if step:
            steps.draw(step)
        elif outline:
            st.caption("Pick a step to see what was asked and what was answered.")
        refused = store.steps.failed_calls(run_id)
        if refused:
            st.markdown(f"**All tries that were paid but not accepted ({len(refused)})**")
        for n, call in enumerate(refused[-ROWS:], 1):
            steps.refused_try(call, f"{n}")


def _branches(run: Run) -> None:
    """Draw the family of forks, and what makes a new one."""
    shop = services.workshop()
    if run.packed:
        st.info(
            "A case study plays, and nothing about it changes: it has no forks. “Refine” can go on"
            " from its idea in a run of your own.",
            icon=":material/slideshow:",
        )
        return
    forks.tree(forks.family(run), run.id)
    st.divider()
    outline = shop.store.steps.outline(run.id)
    if not outline:
        st.info("There is nothing to fork from yet: no step is recorded.")
        return
    texts = {name: shop.store.library.prompt(sha) or "" for name, sha in run.config.prompts.items()}
    wish = forks.control(run, outline, names(), texts)
    if wish:
        _fork(run, wish)


def _fork(run: Run, wish: forks.ForkWish) -> None:
    """Make the fork, start it, and go there."""
    shop, runner = services.workshop(), services.runner()
    for name in wish.models.values():
        shop.model(name)
    frozen = shop.freeze(wish.prompts)

    def change(config: Config) -> Config:
        return config.model_copy(
            update={"models": wish.models, "prompts": {**config.prompts, **frozen}}
        )

    made = runner.fork(run.id, wish.at, change)
    runner.start(made.id)
    st.query_params["run"] = made.id
    st.rerun()
