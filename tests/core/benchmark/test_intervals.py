"""95 % intervals of a benchmark hold the truth where keywords have effects of their own; taking
judgments as independent does not.
"""

import numpy as np
import pytest

from core.benchmark.results.board import BoardRow, board
from core.benchmark.results.measures import FIGURES, SCORED
from core.records import GroupSums
from core.statistics import intervals as resampling
from core.statistics.clusters import over_keywords

KEYWORDS, SIMULATIONS, RESAMPLES = 60, 200, 400
NOTHING = dict.fromkeys(GroupSums._fields, 0)


def simulated(rng: np.random.Generator, keywords: int) -> tuple[np.ndarray, np.ndarray]:
    """Return judgments (keywords, ideas x judges, [originality, feasibility, clarity]) and one
    fluency per keyword.

    A keyword's effect is shared by all its ideas, an idea's by all its judges, and judges disagree.
    """
    keyword = rng.normal(0, 1.2, (keywords, 1, 1, 3)) + rng.normal(0, 0.8, (keywords, 1, 1, 1))
    idea, noise = rng.normal(0, 0.5, (keywords, 2, 1, 3)), rng.normal(0, 0.9, (keywords, 2, 3, 3))
    scores = np.clip(np.rint(np.array([7.3, 5.6, 7.8]) + keyword + idea + noise), 1, 10)
    leaning = keyword[:, 0, 0].mean(axis=1) + rng.normal(0, 1, keywords)
    return (
        scores.reshape(keywords, 6, 3),
        np.array([1, 4, 7, 10])[np.searchsorted([-1.5, -0.3, 0.9], leaning)],
    )


def groups(scores: np.ndarray, fluency: np.ndarray) -> list[GroupSums]:
    return [
        GroupSums(
            **NOTHING
            | {"keyword": k, "ideas": 2, "judgments": 6, "pairs": 1, "fluency": float(fluency[k])}
            | dict(
                zip(
                    ("originality", "feasibility", "clarity"),
                    scores[k].sum(axis=0).tolist(),
                    strict=True,
                )
            )
        )
        for k in range(len(scores))
    ]


def figures(fluency: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the six figures by definition, from each keyword's fluency (..., keywords) and mean
    scores (..., keywords, 3).
    """
    flexibility = np.nanpercentile((fluency + scores.sum(axis=-1)) / 4, 30, axis=-1)
    originality, feasibility, clarity = np.moveaxis(np.nanmean(scores, axis=-2), -1, 0)
    five = np.stack(
        [np.nanmean(fluency, axis=-1), feasibility, clarity, originality, flexibility], axis=-1
    )
    return np.concatenate([five, five.mean(axis=-1, keepdims=True)], axis=-1)


@pytest.fixture(scope="module")
def truth() -> np.ndarray:
    scores, fluency = simulated(np.random.default_rng(0), 100_000)
    return figures(fluency, scores.mean(axis=1))


def by_keywords(scores: np.ndarray, fluency: np.ndarray, seed: int) -> np.ndarray:
    row: BoardRow = board(groups(scores, fluency), ["m"], seed=seed, resamples=RESAMPLES).rows[0]
    return np.array([(getattr(row, name).low, getattr(row, name).high) for name in FIGURES])


def by_rows(scores: np.ndarray, fluency: np.ndarray, seed: int) -> np.ndarray:
    """What treats judgments as independent: each is drawn anew, wherever it is from."""
    rng, (k, rows, _) = np.random.default_rng(seed), scores.shape
    drawn = rng.multinomial(k * rows, np.full(k * rows, 1 / (k * rows)), size=100).reshape(
        100, k, rows
    )
    pairs = rng.multinomial(k, np.full(k, 1 / k), size=100)
    with np.errstate(invalid="ignore"):
        means = np.einsum("rkj,kjd->rkd", drawn, scores) / drawn.sum(axis=2)[..., None]
    found = figures(np.broadcast_to(fluency, (100, k)), means)
    found[:, 0] = pairs @ fluency / k
    found[:, 1:4] = np.einsum("rkj,kjd->rd", drawn, scores)[:, [1, 2, 0]] / (k * rows)
    found[:, 5] = found[:, :5].mean(axis=1)
    return np.percentile(found, [2.5, 97.5], axis=0).T


def coverage(intervals, truth: np.ndarray) -> dict[str, float]:
    rng, held = np.random.default_rng(1), np.zeros(len(FIGURES))
    for seed in range(SIMULATIONS):
        low, high = intervals(*simulated(rng, KEYWORDS), seed).T
        held += (low <= truth) & (truth <= high)
    return dict(zip(FIGURES, (held / SIMULATIONS).tolist(), strict=True))


def test_intervals_by_keyword_hold_the_truth_in_ninety_of_a_hundred(truth):
    found = coverage(by_keywords, truth)
    assert min(found.values()) >= 0.9, found


def test_judgments_taken_as_independent_fail_the_same(truth):
    found = coverage(by_rows, truth)
    assert min(found.values()) < 0.9, found
    assert max(found[name] for name in SCORED if name != "fluency") < 0.9, found


def test_models_that_are_equally_good_are_called_apart_in_at_most_one_of_ten():
    rng, apart = np.random.default_rng(2), 0
    for seed in range(SIMULATIONS):
        scores, fluency = simulated(rng, KEYWORDS)
        twins = [
            (np.clip(scores + rng.integers(-1, 2, scores.shape), 1, 10), rng.permutation(fluency))
            for _ in range(2)
        ]
        held = [one._replace(model=m) for m, twin in enumerate(twins) for one in groups(*twin)]
        apart += board(held, ["a", "b"], seed=seed, resamples=RESAMPLES).rows[0].tied == ()
    assert apart <= SIMULATIONS / 10


def test_many_keywords_are_resampled_in_parts_and_alike(monkeypatch):
    def measure(drawn: np.ndarray) -> np.ndarray:
        assert len(drawn) <= 7
        return drawn @ np.arange(50.0)

    whole = over_keywords(lambda drawn: drawn @ np.arange(50.0), 50, 3, 90)
    monkeypatch.setattr(resampling, "AT_ONCE", 7 * 50)
    assert over_keywords(measure, 50, 3, 90).tolist() == whole.tolist()
    assert len(set(whole.tolist())) > 80
