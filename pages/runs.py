"""Runs: everything that was asked, what it cost, and every step of it."""

import streamlit as st

from components.runs import export as run_export
from components.runs import forks, models, step_view, steps
from components.runs import listing as run_list
from components.runs import marks as run_marks
from components.runs import view as run_view
from components.runs.states import active
from components.shell import gone, services
from components.shell.frame import followed, frame
from components.shell.paging import ROWS, skipped
from core.records import Config, Run
from core.runs.catalogue import entry


def overview(run: Run) -> None:
    """What was asked, and what a person may change."""
    run_view.asked(run, services.store().runs.caps(run.id))
    if run.packed is None:
        st.divider()
        run_marks.marks(run)


def every_step(run_id: str) -> None:
    """The steps as a tree, and one of them in full."""
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
            step_view.draw(step)
        elif outline:
            st.caption("Pick a step to see what was asked and what was answered.")
        refused = store.steps.failed_calls(run_id)
        if refused:
            st.markdown(f"**All tries that were paid but not accepted ({len(refused)})**")
        for n, call in enumerate(refused[-ROWS:], 1):
            step_view.refused_try(call, f"{n}")


def branches(run: Run) -> None:
    """The family of forks, and a new one."""
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
    wish = forks.control(run, outline, models.names(), texts)
    if wish:
        fork(run, wish)


def fork(run: Run, wish: forks.ForkWish) -> None:
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


def one(run_id: str) -> None:
    """One run, a tab for each thing to know about it."""
    run = gone.found(run_id, "pages/runs.py", "All runs")
    if run is None:
        return
    run_view.head(run)
    run_view.standing(run)
    names = [
        name
        for name in ("What was asked", "Steps", "Forks", "Export")
        if name != "Forks" or not entry(run.config).cells
    ]
    asked, all_steps, *family, export = st.tabs(
        names, key="runs:tab", bind="query-params", on_change="rerun"
    )
    if asked.open:
        with asked:
            overview(run)
    if all_steps.open:
        with all_steps:
            st.fragment(every_step, run_every=2 if active(run) else None)(run_id)
    if family and family[0].open:
        with family[0]:
            branches(run)
    if export.open:
        with export:
            run_export.draw(run, "runs")


def everything() -> None:
    """All runs, newest first."""
    wanted = run_list.wanted()
    asked = {
        "states": wanted.states,
        "method": wanted.method,
        "text": wanted.text,
        "archived": wanted.archived,
        "without": wanted.without(),
    }
    total = services.store().runs.count(**asked)
    listed = st.container()
    found = services.store().runs.listed(**asked, limit=ROWS, skip=skipped(total, "runs:page"))
    with listed:
        if found:
            st.caption(f"{total:,} runs, newest first" if total > 1 else "1 run")
            run_list.rows(found)
        elif wanted.anything() or wanted.archived:
            st.info("No run matches. Loosen the search above.", icon=":material/search_off:")
        else:
            st.info(
                "No runs yet. Build a chain from a topic, or refine an idea of your own.",
                icon=":material/play_circle:",
            )
            with st.container(horizontal=True):
                st.page_link("pages/chains.py", label="Build a chain", icon=":material/timeline:")
                st.page_link("pages/refine.py", label="Refine an idea", icon=":material/cyclone:")


with frame("pages/runs.py"):
    opened = st.query_params.get("run")
    if opened:
        if followed():
            st.query_params["run"] = opened
        one(opened)
    else:
        if followed() and not st.query_params:
            st.query_params.clear()
        everything()
