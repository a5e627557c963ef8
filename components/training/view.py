"""A training on screen: what came of it first, then its curves, drafts and checkpoints, and what
was asked.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from components.runs import export as run_export
from components.runs import states
from components.runs.models import called
from components.runs.states import active, taken
from components.shell import services
from components.shell.frame import told
from components.shell.text import counted, elapsed, inline, money
from components.training import checkpoints, curves, drafts
from components.training.form import INFORMED, JUDGED, REWARDS
from components.training.learning import SETTINGS, STEPS
from core.errors import BadInput
from core.models.thoughts import waits
from core.records import NOTHING, PARKED, Learned, Run, Trained, TrainingData, usage
from core.runs.children import LOG
from core.story import Story
from core.training import learning
from core.training.method import Gain, TrainInputs, folder_of, gain
from core.training.rollouts import RolloutShape

SLOW = 4.0
"""Seconds after which what a running training shows is looked at again."""
_DRAFTS = re.compile(r"step-(\d+)/drafts-(\d+)")
_JUDGED = re.compile(r"step-(\d+)/query-[\d-]+/rollout-\d+/draft-(\d+)/")


class CurrentStep(NamedTuple):
    """What a training does at this moment."""

    step: int
    words: str


def whole(run: Run) -> None:
    """Draw the training; while it is active its parts renew themselves."""
    states.head(run, "train", "New training")
    states.followed(run, _ahead)
    tabs = st.tabs(list(VIEWS), key="tab", bind="query-params", on_change="rerun")
    for tab, (name, draw) in zip(tabs, VIEWS.items(), strict=True):
        if tab.open:
            with tab:
                _repeat(run, draw, SLOW if name in RENEWED else None)


def _repeat(run: Run, draw: Callable[[Run], None], seconds: float | None) -> None:
    """Draw a view, again and again while the training is active."""

    @st.fragment(run_every=seconds if active(run) else None)
    def drawn() -> None:
        with told():
            draw(services.store().runs.get(run.id))

    drawn()


def _ahead(run: Run) -> None:
    """Draw how the training stands and what came of it so far."""
    curve = Story.only(services.store(), run.id, Learned).all(Learned)
    states.strip(run, "training", _say_doing(run, len(curve)))
    folder = folder_of(services.workshop().settings.data, run.id)
    last = learning.newest(folder)
    if run.state in (*PARKED, "failed"):
        _say_how_to_go_on(run, last.name.rpartition("-")[2] if last else "")
    if run.state == "failed" and (folder / LOG).is_file():
        st.caption(f"What its process said is in {inline(str(folder / LOG), 400)}")
    if not curve:
        return
    ended = Story.only(services.store(), run.id, Trained).last(Trained)
    saved = ended.checkpoints if ended else learning.checkpoints(folder)
    _outcome(run, gain(curve), len(curve), len(saved), done=ended is not None)


def _outcome(run: Run, returns: Gain | None, learned: int, saved: int, done: bool) -> None:
    """Draw the mean return at first and now, always in the same places."""
    of = run.inputs_as(TrainInputs).how.steps
    averaged = returns.averaged if returns else 1
    few = "first step" if averaged == 1 else f"first {averaged} steps"
    gained = f"{returns.last - returns.first:+.2f}" if returns else None
    first, last, steps, left = st.columns(4)
    first.metric(f"Mean return, {few}", f"{returns.first:.2f}" if returns else NOTHING)
    last.metric(
        f"{'At the end' if done else 'Now'}, {few.replace('first', 'last')}",
        f"{returns.last:.2f}" if returns else NOTHING,
        delta=gained,
        delta_color="off" if gained in ("+0.00", "-0.00") else "normal",
        delta_arrow="off",
        help="The return of a rollout is the sum of the rewards of its drafts.",
    )
    steps.metric("Steps learned", f"{learned:,} of {of:,}")
    left.metric("Checkpoints", f"{saved}")
    st.caption(
        "Of drafts on the questions it was trained on. What it learned shows on held-out questions,"
        " judged by another model."
    )


def _say_how_to_go_on(run: Run, step: str) -> None:
    at = f"the checkpoint of step {step}" if step else "the beginning; there is no checkpoint yet"
    how = (
        "Resume continues from" if run.state != "capped" else "With a higher cap it continues from"
    )
    st.caption(f"{how} {at}. Drafts and judgements that are recorded are not paid for again.")


# -- what it does at this moment ------------------------------------------------------------------


def _say_doing(run: Run, learned: int) -> str:
    of = run.inputs_as(TrainInputs).how.steps
    now = _doing(run, learned)
    return f"Step {min(now.step, of):,} of {of:,}: {now.words.rstrip('.')}."


def _doing(run: Run, learned: int) -> CurrentStep:
    """Return what a training does, by what its journal is waiting for."""
    store = services.store()
    parts = store.steps.partials(run.id) if active(run) else []
    judged = [(found, part) for part in parts if (found := _JUDGED.match(part.key))]
    if judged:
        (first, _), *_ = judged
        words = f"{counted(len(judged), 'item')} of {_draft(first[2])} before the judge"
        held_up = next((part.note for _, part in judged if waits(part.note)), "")
        return CurrentStep(int(first[1]), f"{words}. {held_up}" if held_up else words)
    for part in parts:
        if found := _DRAFTS.match(part.key):
            return CurrentStep(int(found[1]), f"{_draft(found[2])}, {part.note or 'begun'}")
    last = f"step-{learned + 1}/drafts-{run.inputs_as(TrainInputs).how.shape.drafts - 1}"
    if store.steps.place(run.id, last):
        return CurrentStep(learned + 1, "learning from the drafts")
    if store.steps.place(run.id, f"step-{learned + 1}/drafts-0"):
        return CurrentStep(learned + 1, "writing the next drafts")
    return CurrentStep(learned + 1, "loading the model, or beginning")


def _draft(k: str) -> str:
    return "the first drafts" if k == "0" else f"the drafts of round {int(k) + 1}"


def _export(run: Run) -> None:
    run_export.draw(run, "training")


# -- what was asked, and what it took ------------------------------------------------------------


def _asked(run: Run) -> None:
    """Draw data, base, judge and settings, then what it took."""
    inputs = run.inputs_as(TrainInputs)
    judge = run.config.models.get("judge", "")
    facts = {
        "Questions": _data(inputs.data),
        "Digest of the questions": inputs.data,
        "Base": inputs.base,
        "Digest of the base": inputs.base_digest,
        "Judge": called(judge) if judge else JUDGED["code"],
        "Revised": INFORMED[inputs.informed],
        "Reward": REWARDS[inputs.reward],
        "Seed": str(run.config.seed),
    }
    for name, text in facts.items():
        st.markdown(f"**{name}** {inline(text, 400)}")
    st.dataframe(
        [
            {"Setting": one.label, "Value": f"{_value(inputs, one.name):g}", "Paper": one.paper}
            for one in (STEPS, *SETTINGS)
        ],
        hide_index=True,
        key="training:settings",
        height="content",
        alt="Settings of the training, with what the paper prints",
    )
    usd, tokens = services.store().runs.caps(run.id)
    caps = [f"${usd:,.2f}"] if usd else []
    caps += [f"{tokens:,} tokens"] if tokens else []
    st.markdown(f"**Cap** {inline(' and '.join(caps) or 'none')}")
    st.markdown(
        f"**What it took** {taken(run)} · {usage.calls(run.calls, run.maybe_paid)} ·"
        f" {usage.all_tokens(run.tokens_in, run.tokens_out, run.calls, run.unreported)} ·"
        f" {inline(money(run))} · {elapsed(run)}"
    )


def _data(sha: str) -> str:
    try:
        data = services.store().frozen.get(sha, TrainingData)
    except BadInput as error:
        return str(error)
    return f"{len(data.training):,} to train on, {len(data.held_out):,} held out"


def _value(inputs: TrainInputs, name: str) -> float:
    held = inputs.how.shape if name in RolloutShape.model_fields else inputs.how
    return float(getattr(held, name))


VIEWS: dict[str, Callable[[Run], None]] = {
    "Curves": curves.draw,
    "Drafts": drafts.draw,
    "Checkpoints": checkpoints.draw,
    "What was asked": _asked,
    "Export": _export,
}
RENEWED = ("Curves", "Drafts", "Checkpoints")
