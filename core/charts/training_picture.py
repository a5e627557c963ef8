"""The curve of a training as a picture for papers and slides."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from core.charts.pictures import INK, RUST, TEAL, quiet, saved
from core.records import Learned

STROKES = ("-", "--", ":", "-.")


def training_curve(curve: Sequence[Learned], kind: str) -> bytes:
    """Return the mean return of every step, and the reward by draft beside it, as `svg` or
    `png`.
    """
    figure = Figure(figsize=(9, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    steps = [one.step for one in curve]
    mark = "o" if len(curve) == 1 else ""
    left.plot(steps, [one.mean_return for one in curve], color=TEAL, linewidth=1.6, marker=mark)
    left.set_ylabel("Mean return", fontsize=9, color=INK)
    for k in range(max(len(one.by_draft) for one in curve)):
        held = [one for one in curve if k < len(one.by_draft)]
        right.plot(
            [one.step for one in held],
            [one.by_draft[k] for one in held],
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
