"""Data sets on screen: the list of them, and of each how far it is, what is missing and why, what
came into it, and the same as a file.
"""

from collections import Counter
from functools import partial

import streamlit as st

from components.runs import export as run_export
from components.runs import states
from components.runs.states import active
from components.shell import in_view, services
from components.shell.text import ago, counted, inline, money, shown
from core.export.datasets import jsonl, table, usable
from core.literature.addresses import addresses
from core.methods.target_dataset import TargetInputs
from core.records import Gathered, LeftOut, Paper, Prepared, Run, Target, usage
from core.runs.catalogue import METHODS, entry
from core.story import Story

Row = dict[str, object]
READ = "datasets-read"
"""The container of the entry that is read whole."""
DATASETS = tuple(name for name, one in METHODS.items() if one.view in ("data set", "real papers"))


def whole(run: Run) -> None:
    """Draw the data set; while it is built, redraw every second."""
    states.head(run, run.config.method, "New data set", "Data sets")
    states.followed(run, _draw)


def _draw(run: Run) -> None:
    story = Story.of(services.store(), run.id)
    states.strip(run, "dataset")
    found = usable(story)
    _numbers(run, story, len(found))
    if active(run):
        states.doing(run)
    if found:
        _contents(run, found)
    elif not active(run):
        remedy = "" if run.state in ("done", "failed") else " Resume to go on."
        st.info(f"Nothing came into it yet.{remedy}", icon=":material/dataset:")
    _left_out(story)


def _numbers(run: Run, story: Story, made: int) -> None:
    """Say what was found of what was wanted, category by category, and why there is less."""
    gathered = story.all(Gathered)
    if entry(run.config).makes == "targets":
        wanted = run.inputs_as(TargetInputs).criteria
        counts = Counter(target.category for target in story.all(Target))
        ended = {one.category: one for one in gathered}
        for category in wanted.categories:
            name = category.name
            _line(name, counts[name], wanted.each, ended.get(name), active(run))
    else:
        works = int(str(run.config.inputs.get("works", 0)))
        _line("Questions", made, works, gathered[-1] if gathered else None, active(run))


def _line(name: str, found: int, wanted: int, ended: Gathered | None, live: bool) -> None:
    numbers, why = f"{found} of {wanted}", ""
    if ended and (found < wanted or not found):
        badge = f":orange-badge[:material/remove_circle: {numbers} found]"
    elif ended or found >= wanted:
        badge = f":green-badge[:material/check_circle: {numbers} found]"
    elif live:
        badge = f":blue-badge[:material/progress_activity: {numbers} so far]"
    else:
        badge = f":gray-badge[:material/hourglass_empty: {numbers} so far]"
    if ended and ended.reason:
        # The badge says the numbers already.
        reason = ended.reason.removeprefix(f"{numbers} found: ")
        why = f" :gray[{inline(reason, 400)}]"
    st.markdown(f"{badge} **{inline(name, 80)}**{why}")


def _contents(run: Run, found: tuple[Prepared | Target, ...]) -> None:
    name = run_export.named(run)
    with st.container(horizontal=True, vertical_alignment="center"):
        noun = "target" if isinstance(found[0], Target) else "question"
        st.markdown(f"##### {counted(len(found), noun)}{' so far' if active(run) else ''}")
        st.space("stretch")
        if noun == "target":
            st.page_link(
                "pages/experiments.py",
                label="Use in an experiment",
                icon=":material/science:",
                query_params={"targets": run.id},
            )
        else:
            st.page_link(
                "pages/training.py",
                label="Train a policy on it",
                icon=":material/model_training:",
                query_params={"data": run.id},
            )
        st.download_button(
            "JSON lines",
            partial(jsonl, found),
            f"{name}.jsonl",
            "application/jsonl",
            key="datasets:jsonl",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "CSV",
            partial(table, found),
            f"{name}.csv",
            "text/csv",
            key="datasets:csv",
            icon=":material/download:",
            on_click="ignore",
        )
    rows = [_target(one) if isinstance(one, Target) else _question(one) for one in found]
    st.dataframe(
        rows,
        hide_index=True,
        key=f"datasets:rows:{run.id}",
        column_config={"Paper": st.column_config.LinkColumn(display_text="Open")},
    )
    titles = [one.paper.title if isinstance(one, Target) else one.question for one in found]
    n = st.selectbox(
        "Read one",
        range(len(found)),
        index=None,
        key=f"datasets:one:{run.id}",
        placeholder="Pick one to read it whole",
        format_func=titles.__getitem__,
        on_change=in_view.wish,
        args=(READ,),
    )
    if n is not None:
        _read(found[n])
    in_view.follow("dataset")


def _address(paper: Paper | None) -> str | None:
    found = addresses(paper) if paper else ()
    return found[0][1] if found else None


def _target(one: Target) -> Row:
    return {
        "Category": one.category,
        "Title": one.paper.title,
        "Topic given to the methods": one.topic,
        "Year": one.paper.year,
        "Venue": one.paper.venue,
        "Citations": one.paper.citations,
        "Background": len(one.background),
        "Paper": _address(one.paper),
    }


def _question(one: Prepared) -> Row:
    return {
        "Question": one.question,
        "Keywords": ", ".join(one.keywords),
        "Papers": len(one.papers),
        "From": one.seed.title if one.seed else "",
        "Paper": _address(one.seed),
    }


def _read(one: Prepared | Target) -> None:
    with st.container(border=True, key=READ):
        if isinstance(one, Target):
            st.markdown(f"**Topic given to the methods:** {inline(one.topic, 600)}")
            st.markdown(shown(one.idea.text))
            _papers("Background", one.background)
        else:
            st.markdown(f"**{inline(one.question, 600)}**")
            st.markdown(shown(one.review))
            _papers("Papers", one.papers)


def _papers(noun: str, papers: tuple[Paper, ...]) -> None:
    with st.expander(f"{noun} ({len(papers)})"):
        for paper in papers:
            where = " ".join(f"[{name}]({address})" for name, address in addresses(paper))
            st.markdown(f"- {inline(paper.title, 200)} ({paper.year or 'undated'}) {where}")


def _left_out(story: Story) -> None:
    """Draw what did not come into it, and why."""
    rows: list[Row] = []
    for question in story.all(Prepared):
        if question.rejected:
            paper = _address(question.seed)
            rows.append({"What": question.question, "Why": question.rejected, "Paper": paper})
    for out in story.all(LeftOut):
        named = {"What": out.paper.title, "Category": out.category}
        rows.append({**named, "Why": out.reason, "Paper": _address(out.paper)})
    if rows:
        with st.expander(f"Left out ({len(rows)})"):
            st.dataframe(
                rows,
                hide_index=True,
                column_config={"Paper": st.column_config.LinkColumn(display_text="Open")},
            )


# -- the list -------------------------------------------------------------------------------------


def listed() -> None:
    """Draw the data sets, newest first, or say what one is for."""
    store = services.store().runs
    runs = [run for method in DATASETS for run in store.listed(method=method, limit=20)]
    runs.sort(key=lambda run: run.created, reverse=True)
    if not runs:
        st.info(
            "No data set yet. Experiments need targets: published papers that methods compete"
            " with.",
            icon=":material/dataset:",
        )
    for run in runs:
        with st.container(border=True, gap="xsmall"):
            states.title(run, "pages/experiments.py")
            made = entry(run.config).makes
            st.caption(
                f"{made} · {usage.calls(run.calls, run.maybe_paid)} · {inline(money(run))} ·"
                f" {ago(run.created)}"
            )
            if made == "targets" and run.steps:
                st.page_link(
                    "pages/experiments.py",
                    label="Use in an experiment",
                    icon=":material/science:",
                    query_params={"targets": run.id},
                )
