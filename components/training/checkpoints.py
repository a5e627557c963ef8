"""What a training left: its checkpoints, putting one to use as `local:NAME`, and serving one to
other programs.
"""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import streamlit as st

from components.shell import cached, mistakes, services
from components.shell.clicks import do_once
from components.shell.text import inline
from core.errors import BadInput
from core.experiments.checklist import ChecklistExperimentInputs
from core.models.policy_files import glance
from core.records import Learned, Run, TrainedPolicy
from core.store.policies import FOLDER
from core.story import Story
from core.training import bases
from core.training.learning import checkpoints
from core.training.method import TrainInputs, folder_of, papers_of
from core.training.policies import ADAPTER, put_to_use, take_out_of_use

AROUND = 5
"""Steps before and after a checkpoint whose mean return is said of it."""
EVALUATIONS = 50
"""The newest checklist experiments, among which those of a policy are looked for."""
USE = "training:use"
ROOMS = {
    "pages/checklist.py": ("Evolve an idea with it", ":material/checklist_rtl:"),
    "pages/chains.py": ("Build a chain with it", ":material/timeline:"),
    "pages/benchmark.py": ("Ideas from one keyword", ":material/leaderboard:"),
}
"""Where a policy can be used at once."""


def draw(run: Run) -> None:
    """Draw the checkpoints, the policies in use from this training, and how to serve one."""
    saved = checkpoints(folder_of(services.workshop().settings.data, run.id))
    used = st.container()
    if saved:
        _saved(run, saved)
    else:
        how = run.inputs_as(TrainInputs).how
        st.info(
            f"No checkpoint here. One is written every {how.save_every} steps, after the last step,"
            " and where a training pauses; they lie in the data folder.",
            icon=":material/save:",
        )
    with used:  # It comes first, and knows what was just put to use.
        _in_use(run)


def _saved(run: Run, saved: dict[int, Path]) -> None:
    curve = Story.only(services.store(), run.id, Learned).all(Learned)
    st.dataframe(
        [
            {
                "Step": step,
                "Mean return around it": _around(curve, step),
                "Size": _size(folder),
            }
            for step, folder in reversed(saved.items())
        ],
        hide_index=True,
        key="training:checkpoints",
        column_config={
            "Mean return around it": st.column_config.NumberColumn(
                format="%.2f", help=f"Of the steps from {AROUND} before to {AROUND} after it."
            )
        },
        height="content" if len(saved) < 10 else 390,
        alt="Checkpoints, the newest first",
    )
    chosen = _put_to_use(run, saved)
    _serve(run, saved[chosen], chosen)


def _around(curve: Sequence[Learned], step: int) -> float | None:
    around = [one for one in curve if abs(one.step - step) <= AROUND]
    near = [one.mean_return for one in around if one.judged]
    return sum(near) / len(near) if near else None


def _size(folder: Path) -> str:
    size = sum(one.stat().st_size for one in folder.iterdir())
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"


# -- putting one to use ------------------------------------------------------------------------


def _put_to_use(run: Run, saved: dict[int, Path]) -> int:
    """Draw the form that puts a checkpoint to use, and return the one that is chosen."""
    with st.container(border=True):
        st.markdown("**Put to use**")
        left, middle, right = st.columns([2, 3, 2], vertical_alignment="bottom")
        steps = list(reversed(saved))
        step = left.selectbox(
            "Checkpoint",
            steps,
            key=f"training:checkpoint:{run.id}",
            format_func=lambda step: f"Step {step}",
        )
        name = middle.text_input(
            "Name: it will be called local:NAME",
            key=f"training:name:{run.id}",
            max_chars=46,
            placeholder="such as qwen3-4b-informed",
        )
        go = right.button(
            "Put to use", type="primary", icon=":material/rocket_launch:", key="training:use:go"
        )
        st.caption(
            "Copies its files, so that later steps and a deleted run change nothing. It can then be"
            " chosen wherever a model writes."
        )
        if go:
            with mistakes.kept(USE), st.spinner("Copying the files …"):
                _use(run, int(step), (name or "").strip().removeprefix("local:"))
        mistakes.shown(USE)
    return int(step)


def _use(run: Run, step: int, name: str) -> None:
    """Put a checkpoint to use under a name; raises BadInput, ModelFailed, StoreFailed."""
    if not name:
        raise BadInput("Give it a name: small letters, digits, `.`, `_` and `-`.")
    store, data = services.store(), services.workshop().settings.data

    def put() -> str:
        papers, folder = papers_of(store, data, run.id, step, name)
        return put_to_use(store, folder, papers).name

    do_once(f"{USE}:put", [run.id, step, name], put)
    cached.look_again()


def _in_use(run: Run) -> None:
    """Draw the policies that are in use from this training, each with its way out."""
    used = [one for one in services.store().policies.listed() if one.run == run.id]
    if not used:
        return
    st.markdown("##### In use")
    for one in used:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":green-badge[:material/check_circle: in use] **{inline(f'local:{one.name}')}**"
                f" :gray[step {one.step}]",
                width="content",
            )
            st.space("stretch")
            with st.popover(
                "Take out of use", icon=":material/logout:", key=f"training:out:{one.name}"
            ):
                st.markdown(
                    "Its copy is removed, and no run can ask it any more. What it wrote stays, and"
                    " so does the checkpoint."
                )
                st.button(
                    f"Take local:{one.name} out of use",
                    key=f"training:out:{one.name}:go",
                    on_click=_take_out,
                    args=(one.name,),
                )
        _whole(one)
    st.caption("Choose it as the model that writes:")
    with st.container(horizontal=True):
        for page, (label, icon) in ROOMS.items():
            st.page_link(page, label=label, icon=icon)
    _evaluated(run, [f"local:{one.name}" for one in used])


def _evaluated(run: Run, names: Sequence[str]) -> None:
    """Offer to measure the policies on the questions held out, and link to what was measured."""
    data = run.inputs_as(TrainInputs).data
    st.caption("Measure it on the questions that were held out from training:")
    with st.container(horizontal=True):
        st.page_link(
            "pages/experiments.py",
            label="Evaluate on held-out questions",
            icon=":material/checklist:",
            query_params={"questions": data, "generators": ",".join(names)},
        )
        for one in services.store().runs.listed(method="checklist-experiment", limit=EVALUATIONS):
            asked = one.inputs_as(ChecklistExperimentInputs)
            if asked.data == data and set(names) & set(asked.generators):
                st.page_link(
                    "pages/experiments.py",
                    label=inline(one.title, 60),
                    icon=":material/query_stats:",
                    query_params={"run": one.id},
                )


def _whole(policy: TrainedPolicy) -> None:
    """Say where a policy can answer no more: its files are gone or changed."""
    try:
        glance(policy, services.store().folder / FOLDER / policy.name)
    except BadInput as error:
        st.error(inline(str(error), 600), icon=":material/error:")


def _take_out(name: str) -> None:
    with mistakes.kept(USE):
        take_out_of_use(services.store(), name)
        cached.look_again()


# -- serving one to other programs ---------------------------------------------------------------


def _serve(run: Run, folder: Path, step: int) -> None:
    with st.expander("Serve it from a GPU, also to other programs", icon=":material/dns:"):
        st.markdown(
            "A larger policy answers faster from an OpenAI-compatible server. Start one with this"
            " command, then enter its address in Settings."
        )
        st.code(serving(run.inputs_as(TrainInputs).base, folder, step), language=None)
        st.page_link("pages/settings.py", label="Connect it in Settings", icon=":material/tune:")


def serving(base: str, folder: Path, step: int) -> str:
    """Return the command that serves a checkpoint, or adapters on top of their base."""
    name = f"{folder.parent.name}-{step}"
    if not (folder / ADAPTER).is_file():
        return f"vllm serve {shlex.quote(str(folder))} --served-model-name {name}"
    with suppress(BadInput):  # Of one that was moved the command says what it was called.
        base = str(bases.find(base, services.workshop().settings))
    adapters = shlex.quote(f"{name}={folder}")
    return f"vllm serve {shlex.quote(base)} --enable-lora --lora-modules {adapters}"
