"""One run: how it stands, what was asked, where else it can be seen."""

from collections.abc import Callable, Mapping

import streamlit as st

from components.access.discretion import READ_BY
from components.access.reading import READ
from components.benchmark import words as bench_words
from components.cases import save as case_save
from components.runs import export as export_files
from components.runs import forks, marks, states, steps
from components.runs.models import names, spoken
from components.shell import address, gone, in_view, links, mistakes, services
from components.shell.clicks import do_once, undo
from components.shell.frame import told
from components.shell.idea_card import draw as draw_idea
from components.shell.paging import ROWS
from components.shell.text import ago, counted, inline
from core.door import make_reading_link
from core.export import asked
from core.export.facts import sampled
from core.literature import label as source_label
from core.methods import RefineInputs
from core.records import Config, Idea, Run
from core.runs.catalogue import entry, people_instead

RENAMED = {"What was asked": "Settings"}
"""Tabs by the names they had in addresses before."""
PLAYED = ("play", "goal", "rules", "earlier")
"""Inputs of a refinement that say how it is played."""
MADE, ONCE = "reading:made", "reading:once"
"""The run and the secret of the link that was made last in this tab, and the click that made it."""


def draw(run_id: str) -> None:
    """Draw one run, a tab for each thing to know about it."""
    run = gone.found(run_id, "pages/runs.py", "All runs")
    if run is None:
        return
    _head(run)
    if states.active(run):  # Its state and controls renew themselves.
        st.fragment(_live, run_every=1)(run.id)
    else:
        states.strip(_whole(run), "runs")
    all_steps = st.fragment(_every_step, run_every=2 if states.active(run) else None)
    views: dict[str, Callable[[], None]] = {
        "Settings": lambda: _overview(run),
        "Steps": lambda: all_steps(run_id),
        "Forks": lambda: _branches(run),
        "Export": lambda: _export(run),
    }
    if entry(run.config).cells:
        del views["Forks"]
    address.follow_renamed("runs:tab", RENAMED)
    tabs = st.tabs(list(views), key="runs:tab", bind="query-params", on_change="rerun")
    for tab, show in zip(tabs, views.values(), strict=True):
        if tab.open:
            with tab:
                show()


def _export(run: Run) -> None:
    """Draw what the run can be taken along as, and the links by which it is read."""
    export_files.draw(run, "runs")
    st.divider()
    _reading_links(run)


def _head(run: Run) -> None:
    """Draw the run's name, the way back and the way to its own screen."""
    states.name_tab(run)
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


def _live(run_id: str) -> None:
    run = services.store().runs.get(run_id)
    states.strip(_whole(run), "runs", "At work.")
    if not states.active(run):
        st.rerun()
    states.doing(run)


def _whole(run: Run) -> Run:
    """Return a run with what it took; an experiment asks nothing itself, so what all its runs took
    together.
    """
    return services.store().runs.with_runs_made(run) if entry(run.config).has_runs_made else run


def _overview(run: Run) -> None:
    """Draw what the run was asked for, everything that was frozen when it started, and what a
    person may change.
    """
    config = run.config
    method = inline(entry(config).label)
    begun = [*_ideas(config.inputs.get("idea")), *_ideas(config.inputs.get("firsts"))]
    bench = facts = bench_words.facts(run)
    if not bench:
        elsewhere = ("idea", "firsts", "from_run", *PLAYED)
        given = {name: config.inputs[name] for name in config.inputs if name not in elsewhere}
        facts = {asked.named(name): _in_words(value) for name, value in _filled(given).items()}
        facts |= _played(run)
    _facts({"Method": f"{method}, version {config.version}", **facts})
    if source := config.inputs.get("from_run"):
        st.page_link(
            "pages/runs.py",
            label=f"Its idea and papers are from run {inline(str(source))}",
            icon=":material/link:",
            query_params={"run": str(source)},
        )
    for n, idea in enumerate(begun, 1):
        heading = "The idea it began with" if len(begun) == 1 else f"Idea {n} it began with"
        with st.expander(heading, key=f"runs:first:{n}"):
            draw_idea(Idea.model_validate(idea), None, "", f"runs:first:{n}:card")
    st.markdown("**Frozen when it started**")
    frozen = {}
    if not bench:
        models = config.models
        if people := people_instead(config):
            frozen["Model"] = f"none, {people}"
            models = {}
        for role, name in models.items():
            frozen[f"{role.capitalize()} model"] = spoken(name) or "none"
        frozen["Source"] = inline(source_label(config.source))
    usd, tokens = services.store().runs.caps(run.id)
    caps = [] if usd is None else [f"\\${usd:.2f}"]
    caps += [] if tokens is None else [f"{tokens:,} tokens"]
    _facts(
        {
            **frozen,
            "Sampling": sampled(config),
            "Seed": str(config.seed),
            "Cap": " and ".join(caps) or "none",
            "Started": f"{inline(run.created[:19].replace('T', ' '))} UTC",
            "Run": run.id,
        }
    )
    if run.packed is None:
        st.divider()
        marks.draw(run)


def _played(run: Run) -> dict[str, str]:
    """Say how a refinement is played; nothing of another run."""
    facts: dict[str, str] = {}
    if "play" in run.config.inputs:
        with told():
            for name, text in asked.played(asked.inputs_as(run, RefineInputs)):
                before = f"{facts[name]}; " if name in facts else ""
                facts[name] = before + inline(text, 2_000)
    return facts


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


def _filled(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value not in (None, "", [], ())}


def _in_words(value: object) -> str:
    if isinstance(value, dict):
        parts = []
        for name, part in _filled(value).items():
            lead = "" if name == "name" else f"{asked.part_named(name)}: "
            parts.append(lead + _in_words(part))
        return "; ".join(parts)
    if isinstance(value, (list, tuple)):
        papers = sum(isinstance(part, dict) and "title" in part for part in value)
        return counted(papers, "paper") if papers else ", ".join(map(_in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return inline(str(value), 2_000)


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
    if not outline and store.runs.get(run_id).packed:
        st.info(
            "This case study was packed without the steps of its runs: what they came to is there,"
            " and not what was asked and answered.",
            icon=":material/layers_clear:",
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
    in_view.follow("steps")


def _branches(run: Run) -> None:
    """Draw the family of forks, and what makes a new one."""
    shop = services.workshop()
    if run.packed:
        st.info(
            "Case studies cannot be forked; “Refine” continues from the idea in a run of your own.",
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
    if wish is None:
        return
    for name in wish.models.values():
        shop.model(name)
    frozen = shop.freeze(wish.prompts)

    def change(config: Config) -> Config:
        return config.model_copy(
            update={"models": wish.models, "prompts": {**config.prompts, **frozen}}
        )

    made = services.runner().fork(run.id, wish.at, change)
    services.runner().start(made.id)
    st.query_params["run"] = made.id
    st.rerun()


# -- links by which it is read without a sign-in -------------------------------------------------


def _reading_links(run: Run) -> None:
    """Draw the way to make a link, the one that was just made, and those that open the run."""
    in_view.follow("reading")
    st.markdown("**A link to read it**")
    st.caption(
        "Whoever has the link reads the report, without signing in, and can change nothing. A run"
        " that goes on is read as it stands."
    )
    st.button(
        "Make a link",
        icon=":material/link:",
        key="reading:make",
        on_click=_make_link,
        args=(run.id,),
    )
    mistakes.shown("reading:making")
    made_for, link = st.session_state.get(MADE, ("", ""))
    if made_for == run.id:
        with st.container(key="reading-made"):
            st.code(f"{links.base()}{READ}?{READ_BY}={link}", language=None)
            st.caption("Copy it now: it is shown until this page is reloaded, and never again.")
            links.draw_local("It works")
    held = services.store().readings.of(run.id)
    if not held:
        return
    st.caption(f"{counted(len(held), 'link')} to this run:")
    for n, one in enumerate(held, 1):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Link {n}, made {ago(one.created)}", width="content")
            st.button(
                "Take it back",
                icon=":material/link_off:",
                type="tertiary",
                key=f"reading:back:{one.id}",
                on_click=_take_back,
                args=(one.id,),
                help="From then on it opens nothing.",
            )


def _make_link(run: str) -> None:
    with mistakes.kept("reading:making"):
        link = do_once(ONCE, run, lambda: make_reading_link(services.store(), run))
        st.session_state[MADE] = run, link
        in_view.wish("reading-made")


def _take_back(link: str) -> None:
    st.session_state.pop(MADE, None)
    undo(ONCE)
    with mistakes.kept("reading:making"):
        services.store().readings.take_back(link)
