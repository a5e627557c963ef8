"""A training as blocks: what it came to, its curve, its checkpoints and its data; and its curve as
a table and a picture.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from matplotlib.figure import Figure

from core.charts.pictures import INK, RUST, TEAL, quiet, saved
from core.errors import BadInput
from core.export.asked import Fact, inputs_as
from core.export.blocks import Block, Heading, Picture, prose, table_of
from core.export.facts import standing
from core.records import ITEMS, NOTHING, Learned, Run, Table, Trained, TrainingData, Value, label
from core.store import Store
from core.story import Story
from core.training.method import TrainInputs, gain
from core.wording.numbers import counted

ROWS = 12
"""Steps that a report prints; all of them stand in the table that goes with it."""
STROKES = ("-", "--", ":", "-.")


def results(run: Run, story: Story) -> Iterator[Block]:
    """Write what the training came to, or how it stands."""
    ended = story.last(Trained)
    if ended is None:
        yield from standing(run)
        return
    yield Heading("What it learned")
    steps = counted(ended.steps, "step")
    if gained := gain(story.all(Learned)):
        few = counted(gained.averaged, "step")
        yield prose(
            f"In {steps} the mean return went from {gained.first:.3f} to {gained.last:.3f} (means"
            f" of the first and of the last {few}). These are drafts on the questions it was"
            " trained on; held-out questions, judged by another model, say what was learned."
        )
    else:
        yield prose(f"In {steps} nothing was judged, so that there was nothing to learn from.")
    left = ", ".join(map(str, ended.checkpoints))
    yield prose(f"It left checkpoints of these steps: {left or 'none'}.")


def training(store: Store, run: Run, story: Story) -> Iterator[Block]:
    """Write the curve as a picture and a table, and the data it learned from."""
    if curve := story.all(Learned):
        yield Heading("Step by step")
        yield Picture(
            partial(training_curve, curve),
            "Mean return and reward by draft over the steps",
            "Mean return of a rollout (the sum of the rewards of its drafts), and mean reward by"
            " draft.",
        )
        every = -(-len(curve) // ROWS)
        picked = (*curve[:-1:every], curve[-1])
        yield table_of(curve_table(picked, items=False))
        if every > 1:
            yield prose(
                f"Every {every} steps and the last; the tables of the run have all of them."
            )
    yield Heading("The questions")
    yield prose(_data(store, inputs_as(run, TrainInputs).data))


def _data(store: Store, sha: str) -> str:
    try:
        data = store.frozen.get(sha, TrainingData)
    except BadInput:
        return f"They are not in this data folder. Their digest (SHA-256) is {sha}."
    return (
        f"{len(data.training):,} to train on and {len(data.held_out):,} held out; those of one"
        f" paper are never on both sides. Their digest (SHA-256) is {sha}."
    )


def asked(run: Run) -> tuple[Fact, ...]:
    """Return what was asked for, with every setting."""
    given = inputs_as(run, TrainInputs)
    how = given.how.model_dump()
    settings = {**how.pop("shape"), **how}
    return (
        ("Base", f"{given.base} (SHA-256 {given.base_digest})"),
        ("Judged by", "a language model" if given.judged == "model" else "code alone"),
        ("Revised", "by directives" if given.informed else "without directives"),
        ("Reward", given.reward),
        *((SETTINGS.get(name, label(name)), f"{value:g}") for name, value in settings.items()),
    )


SETTINGS = {
    "rollouts": "Rollouts of each question (G)",
    "drafts": "Drafts of each rollout (K)",
    "queries": "Questions a step",
    "beta": "Weight of the KL divergence",
    "epsilon": "Clipping",
    "most": "Tokens of a draft at most",
    "rows_at_once": "Drafts learned from at once (0: all)",
    "adapter": "Rank of LoRA adapters (0: all weights)",
    "save_every": "Steps between checkpoints",
}


# -- as files -------------------------------------------------------------------------------------


def tables(curve: Sequence[Learned]) -> tuple[Table, ...]:
    """Return the curve as a table; nothing before the first step."""
    return (curve_table(curve),) if curve else ()


def pictures(curve: Sequence[Learned]) -> dict[str, str | bytes]:
    """Return the curve as pictures, by file name; nothing before the first step."""
    if not curve:
        return {}
    return {f"curve.{kind}": training_curve(curve, kind) for kind in ("svg", "png")}


def curve_table(curve: Sequence[Learned], items: bool = True) -> Table:
    """Return what each step learned, with a column for each item and draft where `items` are
    wanted.
    """
    drafts = range(max(len(one.by_draft) for one in curve))
    judged = [one.name for one in ITEMS if any(one.name in step.by_item for step in curve)]
    columns = [(name, k) for name in (judged if items else ()) for k in drafts]
    return Table(
        name="curve",
        title="What each step learned",
        head=(
            *("Step", "Mean return"),
            *(f"Reward, draft {k + 1}" for k in drafts),
            *(f"{label(name)}, draft {k + 1}" for name, k in columns),
            *("KL", "Loss", "Tokens a draft", "Discarded", "Dropped", "Without spread"),
        ),
        rows=tuple(
            (
                Value(mean=one.step, digits=0),
                Value(mean=one.mean_return) if one.judged else Value(text=NOTHING),
                *(_at(one.rewards, k) for k in drafts),
                *(_at(one.by_item.get(name, ())[: len(one.rewards)], k) for name, k in columns),
                Value(mean=one.kl, digits=4),
                Value(mean=one.loss, digits=4),
                Value(mean=one.tokens, digits=0),
                *(
                    Value(mean=share, unit="percent")
                    for share in (one.discarded, one.dropped, one.alike)
                ),
            )
            for one in curve
        ),
        note=(
            "Mean return: over the rollouts that were judged; reward of a draft: over those of them"
            " that came to it. Discarded: share of drafts from which no idea could be read."
            " Dropped: share of rollouts in which an item stayed unjudged. Without spread: share of"
            " questions whose rollouts all had the same return."
        ),
    )


def _at(values: Sequence[float], k: int) -> Value:
    return Value(mean=values[k]) if k < len(values) else Value(text=NOTHING)


def training_curve(curve: Sequence[Learned], kind: str) -> bytes:
    """Return the mean return of every step, and the reward by draft beside it, as `svg` or
    `png`.
    """
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    mark = "o" if len(curve) == 1 or not all(one.judged for one in curve) else ""
    judged = [one for one in curve if one.judged]
    steps, means = [one.step for one in judged], [one.mean_return for one in judged]
    left.plot(steps, means, color=TEAL, linewidth=1.6, marker=mark)
    left.set_ylabel("Mean return", fontsize=9, color=INK)
    for k in range(max(len(one.by_draft) for one in curve)):
        held = [one for one in curve if k < len(one.rewards)]
        right.plot(
            [one.step for one in held],
            [one.rewards[k] for one in held],
            STROKES[k % len(STROKES)],
            color=RUST,
            linewidth=1.4,
            marker=mark,
            label=f"draft {k + 1}",
        )
    right.set_ylabel("Mean reward", fontsize=9, color=INK)
    right.legend(fontsize=8, frameon=False)
    for axes in (left, right):
        axes.set_xlabel("Step", fontsize=9, color=INK)
        quiet(axes)
    return saved(figure, kind)
