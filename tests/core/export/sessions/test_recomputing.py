"""Figures of a session come out again by pandas, numpy and scipy from its files alone, by the rules
that its codebook states.
"""

import csv
import hashlib
import io
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.export.sessions.folder import files
from core.records import RateAnswer
from core.store import Store
from core.studies import organising
from tests.support.sessions import studies_kit as kit

LOW, HIGH = " (95 % low)", " (95 % high)"
SCALE = (1, 10)


def varied(expert: int, here, shown):
    if here.task != "rate" or shown.unit.id == "u900":
        return kit.an_answer(here, shown)
    chance = hashlib.sha256(f"{expert} {shown.unit.id}".encode()).digest()
    quality = 2 + int(shown.unit.id[1:]) % 6
    given = {"novelty": quality + chance[0] % 3, "clarity": 1 + (quality + chance[1] % 6) // 2}
    return RateAnswer(scores=given)


class Exported(NamedTuple):
    files: dict[str, str]
    scores: pd.DataFrame
    """What counts, with source and position."""

    def table(self, name: str) -> pd.DataFrame:
        return pd.read_csv(io.StringIO(self.files[f"figures/{name}.csv"]), na_values=["–"])

    def on(self, criterion: str) -> pd.DataFrame:
        return self.scores[self.scores.criterion == criterion]


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Exported:
    store = Store(tmp_path_factory.mktemp("recomputed") / "data")
    made = kit.opened(store, "rate", 4, 12, overlap=4)
    for n in range(4):
        here = made.at_work(n)
        kit.work_through(store, here, partial(varied, n))
        kit.finished(store, here)
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "An Organiser")
    held = files(store, made.study.id, key=True)
    answers = pd.read_csv(io.StringIO(held["answers.csv"]))
    key = pd.read_csv(io.StringIO(held["key.csv"])).set_index("label")
    scores = answers[(answers.counts == "yes") & answers.value.notna()].copy()
    scores["source"] = scores.label.map(key.group)
    return Exported(held, scores)


def on_scale(low: float, high: float) -> tuple[float, float]:
    return max(SCALE[0], low), min(SCALE[1], high)


def of_mean(values: pd.Series) -> tuple[float, float]:
    """Student's t; Wilson's where all are alike."""
    n, mean = len(values), values.mean()
    if np.ptp(values) == 0:
        z2 = stats.norm.ppf(0.975) ** 2
        share = (mean - SCALE[0]) / (SCALE[1] - SCALE[0])
        middle = (share + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
        return tuple(SCALE[0] + 9 * end for end in (middle - half, middle + half))
    half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / n**0.5
    return on_scale(mean - half, mean + half)


@pytest.mark.parametrize("criterion", ["novelty", "clarity"])
def test_means_of_ideas_and_of_sources_have_the_intervals_of_the_codebook(exported, criterion):
    on = exported.on(criterion)
    ideas = exported.table("ideas").set_index("Idea")
    for label, values in on.groupby("label").value:
        shown = ideas.loc[label, [criterion + LOW, criterion + HIGH]]
        assert tuple(shown) == pytest.approx(of_mean(values))
    means = exported.table("source-means").set_index("Source")
    for source, mine in on.groupby("source"):
        sums = mine.groupby("label").value.agg(["sum", "count"])
        k, mean = len(sums), mine.value.mean()
        away = sums["sum"] - mean * sums["count"]
        error = np.sqrt(k / (k - 1) * (away**2).sum()) / sums["count"].sum()
        half = stats.t.ppf(0.975, k - 1) * error
        shown = means.loc[source, [criterion, criterion + LOW, criterion + HIGH]]
        assert tuple(shown) == pytest.approx((mean, *on_scale(mean - half, mean + half)))
    assert "Student's t over 4 ideas" in means.How.iloc[0]


def interval_alpha(units: list[np.ndarray], times: np.ndarray) -> float:
    values = np.concatenate([np.tile(one, int(n)) for one, n in zip(units, times, strict=True)])
    n = len(values)
    within = 0.0
    for one, often in zip(units, times, strict=True):
        within += often * ((one[:, None] - one) ** 2).sum() / (len(one) - 1)
    across = 2 * (n * (values**2).sum() - values.sum() ** 2)
    return 1 - (within / n) / (across / (n * (n - 1)))


@pytest.mark.parametrize("criterion", ["novelty", "clarity"])
def test_alpha_has_the_widened_bca_interval_of_the_codebook(exported, criterion):
    units = [some.to_numpy() for _, some in exported.on(criterion).groupby("label").value]
    k = len(units)
    value = interval_alpha(units, np.ones(k))
    drawn = np.random.default_rng(0).multinomial(k, [1 / k] * k, 1000)
    found = np.array([interval_alpha(units, times) for times in drawn])
    bias = stats.norm.ppf((found < value).mean() + (found == value).mean() / 2)
    without = np.array([interval_alpha(units, times) for times in 1 - np.eye(k)])
    away = without.mean() - without
    skew = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    reach = np.sqrt(k / (k - 1)) * stats.t.ppf(0.975, k - 1)
    tails = [stats.norm.cdf(bias + z / (1 - skew * z)) for z in (bias - reach, bias + reach)]
    shown = exported.table("agreement").set_index("Criterion").loc[criterion]
    name = "Alpha, interval"
    # A resample equals the figure or does not by rounding, which moves an end by so much; without
    # the widening ends would be off ten times as far.
    assert (shown[name], shown[name + LOW], shown[name + HIGH]) == pytest.approx(
        (value, *np.quantile(found, tails)), abs=4e-3
    )


def test_drift_leaves_out_the_mean_of_the_other_experts(exported):
    on = exported.on("novelty").copy()
    by_idea = on.groupby("label").value
    others = (by_idea.transform("sum") - on.value) / (by_idea.transform("count") - 1)
    on["away"] = on.value - others
    slopes = []
    for _, mine in on.groupby("rater"):
        whole = np.ptp(mine.position)
        slopes.append(np.polyfit(mine.position, mine.away, 1)[0] * whole)
    found = stats.ttest_1samp(slopes, 0)
    ends = found.confidence_interval()
    shown = exported.table("shown-order").set_index("Of").loc["novelty"]
    assert (shown.Value, shown["Value" + LOW], shown["Value" + HIGH], shown.p) == pytest.approx(
        (np.mean(slopes), ends.low, ends.high, found.pvalue)
    )


def test_each_test_of_two_sources_says_how_it_was_made_and_comes_out_again(exported):
    on = exported.on("novelty")
    tests = exported.table("contrasts")
    tests = tests[tests.Criterion == "novelty"]
    assert tests.How.notna().all()
    row = tests[(tests.Per == "idea") & (tests.Test == "Welch's t-test")].iloc[0]
    means = on.groupby(["source", "label"]).value.mean()
    x, y = means[row["First source"]], means[row["Second source"]]
    of_x, of_y, free_x, free_y = x.var(), y.var(), len(x) - 1, len(y) - 1
    spread = (of_x + of_y) / 2
    d = (x.mean() - y.mean()) / spread**0.5
    error = d**2 * (of_x**2 / free_x + of_y**2 / free_y) / (8 * spread**2)
    error += (of_x / free_x + of_y / free_y) / spread
    half = stats.norm.ppf(0.975) * error**0.5
    assert (row["Size"], row["Size" + LOW], row["Size" + HIGH]) == pytest.approx(
        (d, d - half, d + half)
    )
    assert "Bonett (2008)" in row.How
    row = tests[(tests.Per == "reviewer") & (tests.Test == "paired t-test")].iloc[0]
    by_rater = on.groupby(["rater", "source"]).value.mean().unstack()
    apart = by_rater[row["First source"]] - by_rater[row["Second source"]]
    n, t = len(apart), stats.ttest_1samp(apart, 0).statistic
    ends = row["Size" + LOW] * n**0.5, row["Size" + HIGH] * n**0.5
    tails = [stats.nct.cdf(t, n - 1, end) for end in ends]
    assert tails == pytest.approx([0.975, 0.025], abs=1e-4)
    assert "noncentral t" in row.How


def test_the_codebook_states_every_rule_that_is_used_here(exported):
    said = exported.files["codebook.md"]
    for rule in (
        "mean of the other experts on the same idea",
        "default\\_rng(0)",
        "Hesterberg, 2015",
        "Newcombe's method 5",
        "Steiger and Fouladi, 1997",
        "linear probability model",
        "Wilson's of k observations",
    ):
        assert rule in said or rule.replace("\\", "") in said, rule


def test_variances_of_the_mixed_model_are_in_a_file_and_one_at_zero_is_named(exported):
    rows = list(csv.DictReader(io.StringIO(exported.files["figures/variances.csv"])))
    terms = {row["Term"]: row for row in rows if row["Criterion"] == "novelty"}
    assert {"(1 | reviewer)", "(1 | idea)", "residual"} <= set(terms)
    zero = [name for name, row in terms.items() if row["Variance"] == "0.0"]
    tests = exported.table("contrasts")
    mixed = tests[(tests.Criterion == "novelty") & (tests.Test == "mixed model")]
    for name in zero:
        assert all(f"the variance of {name} was estimated at zero" in how for how in mixed.How)
    assert bool(zero) == any("singular fit" in how for how in mixed.How)


def test_contrasts_are_printed_by_criterion_on_pages_that_hold_them(exported):
    tex = exported.files["figures/contrasts.tex"]
    assert tex.count(r"\begin{sidewaystable}") == tex.count(r"\end{sidewaystable}") == 2
    assert r"\usepackage{booktabs,rotating}" in tex
    head = next(line for line in tex.splitlines() if line.startswith("Sources &"))
    assert head.count("&") == 8
    tests = exported.table("contrasts")
    assert tex.count(" less ") == tests.p.notna().sum()
    assert "t(" in tex
    assert not [line for line in tex.splitlines() if " = -" in line]
