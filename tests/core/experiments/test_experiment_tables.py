"""The papers' tables: published figures cell by cell, and our own with intervals, what is missing
said, nothing filled in.
"""

import json
from statistics import fmean, stdev

import pytest
from scipy import stats

from core.errors import BadInput
from core.experiments.found import findings
from core.experiments.published import FILE, beside, published
from core.experiments.published import METHODS as PAPER
from core.experiments.results import collect
from core.experiments.tables import METHODS, slugs, tables
from core.records import NOTHING, Table, Value, digest
from tests.support.measured import cell, made, matrix, results, standings
from tests.support.sweep_kit import FEASIBILITY, NOVELTY, experiment, frozen, runner_of

DATA = json.loads(FILE.read_text("utf-8"))
PUBLISHED = {one.name: one for one in tables(published(DATA))}


def drawn(given, title=""):
    return {one.name: one for one in tables(findings(given, title))}


def at(table: Table, column: str, *lead: str) -> Value:
    """Return the cell of the row that begins as said."""
    rows = [row for row in table.rows if tuple(value.text for value in row[: len(lead)]) == lead]
    assert len(rows) == 1, (lead, [[value.text for value in row] for row in table.rows])
    return rows[0][table.head.index(column)]


def paper_rows(n):
    return DATA[f"table{n}"]["rows"]


def method(name):
    return METHODS[PAPER[name]]


# -- as published ------------------------------------------------------------------------------


def test_table_1_as_published_comes_out_cell_by_cell():
    table = PUBLISHED["quality"]
    assert len(table.rows) == len(paper_rows(1)) == 8
    for row in paper_rows(1):
        for name in ("novelty", "feasibility"):
            assert (
                at(table, f"Q {name}", method(row["method"]), row["model"]).said
                == f"{row[f'q_{name}']:.3f}"
            )


def test_the_rise_of_feasibility_is_221_6_percent_and_never_322():
    table = PUBLISHED["quality"]
    assert at(table, "Change feasibility", "InfAL", "GPT-4o").said == "+221.6 %"
    assert at(table, "Change feasibility", "Self-reflection", "GPT-4o").said == "+100.0 %"
    assert at(table, "Change feasibility", "InfAL", "GPT-3.5 Turbo").said == NOTHING, (
        "there is no first idea of this model to compare with"
    )
    assert "322" not in " ".join(value.said for row in table.rows for value in row)
    assert "322 % increase; that is the ratio" in table.note


def test_tables_2_and_8_as_published_come_out_cell_by_cell():
    convergence, rounds = PUBLISHED["convergence"], PUBLISHED["rounds"]
    assert (
        (len(convergence.rows), len(rounds.rows))
        == (len(paper_rows(2)), len(paper_rows(8)))
        == (6, 4)
    )
    for row in paper_rows(2):
        key = ("InfAL", row["model"], row["indicator"])
        assert at(convergence, "Median rounds", *key).said == str(row["median_iterations"])
        assert (
            at(convergence, "Converged within 10 rounds", *key).said
            == f"{100 * row['converged_within_10']:.1f} %"
        )
    for row in paper_rows(8):
        for name in ("self_reflection", "infal"):
            assert at(rounds, method(name), row["model"], row["indicator"]).said == str(row[name])


def test_tables_3_and_5_as_published_come_out_cell_by_cell():
    ablation, judges = PUBLISHED["ablation"], PUBLISHED["judges"]
    assert (len(ablation.rows), len(judges.rows)) == (3, 2)
    for name in ("novelty", "feasibility"):
        for row in paper_rows(3):
            assert (
                at(ablation, f"Q {name}", method(row["variant"])).said == f"{row[f'q_{name}']:.3f}"
            )
            assert at(ablation, f"Rounds {name}", method(row["variant"])).said == str(
                row[f"iters_{name}"]
            )
        for row in paper_rows(5):
            assert (
                at(judges, f"Q {name}", "InfAL", "GPT-4o", row["ranker"]).said
                == f"{row[f'q_{name}']:.3f}"
            )


def test_table_4_as_published_comes_out_cell_by_cell():
    for row in paper_rows(4):
        key = ("InfAL", "GPT-4o", row["indicator"])
        q = at(PUBLISHED["repeatability"], "Mean Q", *key)
        assert (q.number, q.n) == (f"{row['q']:.3f}", 5)
        assert (q.mean - q.low, q.high - q.mean) == pytest.approx((row["ci95_half"],) * 2)
        assert (
            at(PUBLISHED["repeatability"], "Standard deviation", *key).said == f"{row['std']:.3f}"
        )
        assert at(PUBLISHED["repeatability"], "Variance", *key).mean == row["variance"]


def test_tables_6_and_7_as_published_come_out_cell_by_cell():
    for row in paper_rows(6):
        for name in ("novelty", "feasibility"):
            key = (row["model"], name, "InfAL", "Self-reflection")
            p = at(PUBLISHED["tests"], "p", *key)
            assert (p.mean, p.said) == (row[f"p_{name}"], f"{row[f'p_{name}']:.2e}")
            assert at(PUBLISHED["tests"], "Test", *key).said == "not named"
    for row in paper_rows(7):
        assert at(PUBLISHED["costs"], "InfAL", row["model"]).said == f"${row['usd']:.2f}"


@pytest.mark.parametrize("n", range(9, 15))
def test_tables_9_to_14_as_published_come_out_cell_by_cell(n):
    paper = DATA[f"table{n}"]
    table = [one for one in tables(published(DATA)) if one.name.startswith("categories")][n - 9]
    assert table.title == f"Q {paper['indicator']} by category: {method(paper['method'])}"
    assert len(table.rows) == len(paper["rows"]) == 5
    for row in paper["rows"]:
        for model in [name for name in row if name != "category"]:
            assert at(table, model, row["category"]).said == f"{row[model]:.3f}"
    assert "sum to 900, not 500" in table.note
    assert "the same row" in table.note


# -- our own -----------------------------------------------------------------------------------


def test_a_mean_counts_every_target_once_however_often_it_was_ranked():
    given = results(
        [
            standings(cell("initial", target=0), 0.0, 0.5, 1.0),
            standings(cell("initial", target=1), 1.0),
        ],
        targets=2,
    )
    q = at(drawn(given)["quality"], "Q novelty", "Initial idea", "m:one")
    assert (q.mean, q.n, q.of) == (pytest.approx(0.75), 2, 2)
    assert q.low < 0.75 < q.high
    assert q.short == ""


def test_a_cell_that_two_experiments_ranked_counts_once():
    first, second = cell("initial", target=0), cell("initial", target=1)
    twice = standings(first, 0.5).model_copy(update={"run": "later"})
    q = at(
        drawn(results([standings(first, 0.0), twice, standings(second, 0.75)], targets=2))[
            "quality"
        ],
        "Q novelty",
        "Initial idea",
        "m:one",
    )
    assert (q.mean, q.n) == (pytest.approx(0.5), 2)
    assert "later" in q.runs


def test_what_is_missing_is_said_and_never_counted_as_0():
    failed = standings(cell("infal", target=3)).model_copy(
        update={"state": "failed", "reason": "No ranking came about."}
    )
    given = results(
        [*(standings(cell("infal", target=n), 0.6 + n / 10) for n in range(3)), failed], targets=10
    )
    table = drawn(given)["quality"]
    q = at(table, "Q novelty", "InfAL", "m:one")
    assert (q.mean, q.short) == (pytest.approx(0.7), "3 of 10 targets")
    assert at(table, "Q novelty", "Initial idea", "m:one").said == f"{NOTHING} (0 of 10 targets)"


def test_a_cell_names_the_runs_that_wrote_and_ranked_it():
    here = [cell("infal", target=n) for n in range(2)]
    given = results([standings(one, 0.5) for one in here], [made(one) for one in here], targets=2)
    q = at(drawn(given)["quality"], "Q novelty", "InfAL", "m:one")
    assert set(q.runs) == {f"run-{one.name}" for one in here} | {
        f"rank-j:one-{one.name}" for one in here
    }


def test_a_change_compares_the_same_targets_only():
    # The first idea stands on targets 0 and 1; InfAL has 1 and 2, and only 1 is on both sides.
    given = results(
        [
            standings(cell("initial", target=0), 0.9),
            standings(cell("initial", target=1), 0.2),
            standings(cell("infal", target=1), 0.5),
            standings(cell("infal", target=2), 1.0),
        ]
    )
    change = at(drawn(given)["quality"], "Change novelty", "InfAL", "m:one")
    assert (change.said, change.n) == ("+150.0 %", 1)


def test_the_spread_over_repeats_is_that_of_the_means_over_targets():
    qs = {0: (0.2, 0.4, 0.6), 1: (0.4, 0.4, 0.4), 2: (0.9, 0.9)}
    table = drawn(matrix(lambda one, n: qs[n] if one.method == "infal" else ()))["repeatability"]
    means = [0.3, 0.4, 0.5]
    key, half = ("InfAL", "m:one", "novelty"), stats.t.ppf(0.975, 2) * stdev(means) / 3**0.5
    q = at(table, "Mean Q", *key)
    assert (q.mean, q.low, q.high, q.n) == (
        pytest.approx(0.4),
        pytest.approx(0.4 - half),
        pytest.approx(0.4 + half),
        3,
    ), "target 2 lacks a repeat"
    assert at(table, "Standard deviation", *key).mean == pytest.approx(stdev(means))
    assert at(table, "Variance", *key).mean == pytest.approx(stdev(means) ** 2)


def test_paired_tests_agree_with_scipy_and_are_corrected_together():
    offset = {"initial": 0.0, "self-reflection": 0.15, "infal": 0.3}
    noise = [0.01, 0.07, 0.02, 0.11, 0.05, 0.13, 0.03]
    given = matrix(
        lambda one, n: (0.2 + offset[one.method] + noise[(3 * n + len(one.method)) % 7],),
        methods=tuple(offset),
        targets=7,
    )
    table = drawn(given)["tests"]
    held = {
        name: [fmean(one.q) for one in given.standings if one.cell.method == name]
        for name in offset
    }
    found = []
    for a, b in (
        ("initial", "self-reflection"),
        ("initial", "infal"),
        ("self-reflection", "infal"),
    ):
        key = ("m:one", "novelty", METHODS[a], METHODS[b])
        expected = stats.ttest_rel(held[a], held[b])
        found.append((at(table, "p", *key).mean, at(table, "p (Holm)", *key).mean))
        assert found[-1][0] == pytest.approx(expected.pvalue, rel=1e-6)
        assert at(table, "Difference", *key).mean == pytest.approx(fmean(held[a]) - fmean(held[b]))
        assert at(table, "Test", *key).said == "paired t-test"
        assert at(table, "Targets", *key).said == "7"
    assert all(corrected >= p for p, corrected in found)
    assert min(found)[1] == pytest.approx(3 * min(found)[0])


def test_a_test_that_cannot_be_made_says_why():
    table = drawn(matrix(lambda one, n: (0.5,) if n == 0 else ()))["tests"]
    p = at(table, "p", "m:one", "novelty", "Initial idea", "InfAL")
    assert p.mean is None
    assert "2 pairs or more" in p.said


def test_ideas_that_served_two_indicators_were_paid_once():
    both = [cell("direct", indicator=name) for name in ("novelty", "feasibility")]
    shared = [made(one, (0, 0), (False, False)).model_copy(update={"run": "r1"}) for one in both]
    given = results(
        written=shared, methods=("direct",), indicators=("novelty", "feasibility"), targets=1
    )
    given = given.model_copy(
        update={"dollars": {"r1": 0.1, "r2": 0.3}, "writers": {"r1": ("r1", "r2")}}
    )
    cost = at(drawn(given)["costs"], "Direct prompting", "m:one")
    assert (cost.mean, cost.n, cost.runs[:2]) == (pytest.approx(0.2), 1, ("r1", "r2"))


def test_an_unknown_price_is_said_and_never_free():
    here = [cell("infal", target=n) for n in range(3)]
    given = results(
        written=[made(one) for one in here],
        dollars={f"run-{here[0].name}": 0.3, f"run-{here[1].name}": None},
    )
    assert at(drawn(given)["costs"], "InfAL", "m:one").said == "$0.1000 (1 of 3 cells)"
    nothing = given.model_copy(update={"dollars": {}})
    assert at(drawn(nothing)["costs"], "InfAL", "m:one").said == "price unknown (0 of 3 cells)"


def test_only_methods_that_can_converge_have_a_share_that_did():
    methods = ("initial", "no-discriminator", "infal")
    table = drawn(matrix(lambda one, n: (0.5,), methods=methods))["convergence"]
    assert [row[0].text for row in table.rows] == ["Without discriminator", "InfAL"]
    assert at(table, "Converged within 10 rounds", "Without discriminator").said == NOTHING
    share = at(table, "Converged within 10 rounds", "InfAL")
    assert (share.mean, share.unit) == (pytest.approx(2 / 3), "percent")
    assert at(table, "Median rounds", "InfAL").said == "4"


def test_categories_have_a_table_for_each_quality_and_method():
    given = matrix(lambda one, n: (n / 10,), targets=6, categories=("Health", "Genetics"))
    table = drawn(given)["categories-novelty-infal"]
    health = at(table, "m:one", "Health")
    assert (health.mean, health.n, health.of) == (pytest.approx(0.2), 3, 3)
    assert "categories-novelty-infal" not in drawn(matrix(lambda one, n: (0.5,))), (
        "targets without a category make no such table"
    )


def test_another_judge_can_be_put_first_and_a_filter_leaves_the_rest_out():
    here = cell("infal")
    given = results(
        [standings(here, 0.2), standings(here, 0.8, judge="j:two")],
        judges=("j:one", "j:two"),
        targets=1,
    )
    assert at(drawn(given)["quality"], "Q novelty", "InfAL").mean == 0.2
    assert at(drawn(given.only(judge="j:two"))["quality"], "Q novelty", "InfAL").mean == 0.8
    assert [row[0].text for row in drawn(given.only(methods=("infal",)))["quality"].rows] == [
        "InfAL"
    ]
    assert [value.text for value in drawn(given)["judges"].rows[2][:3]] == [
        "InfAL",
        "m:one",
        "j:one",
    ]
    with pytest.raises(BadInput, match="There is no judge 'j:nine' here"):
        given.only(judge="j:nine")


def test_an_unfinished_experiment_is_labelled_in_every_table():
    given = matrix(
        lambda one, n: (0.5, 0.6) if n else (), categories=("Health",), judges=("j:one", "j:two")
    )
    for name, table in drawn(given.model_copy(update={"unfinished": True})).items():
        assert table.note.startswith("Partial: the experiment is not finished."), name


def test_an_experiment_without_results_has_no_tables_of_nothing():
    assert [table.name for table in tables(findings(results()))] == ["quality"], (
        "the matrix stands, every cell with how many are missing"
    )


# -- from the store ----------------------------------------------------------------------------


def test_a_worked_experiment_is_collected_with_the_runs_behind_it(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(
        runner,
        methods=("infal", "direct"),
        indicators=(NOVELTY, FEASIBILITY),
        targets=frozen(runner.store, 2),
    )
    assert runner.work(run.id) == "done"
    found = collect(runner.store, run.id)
    assert (found.unfinished, len(found.planned), len(found.made), len(found.standings)) == (
        False,
        8,
        8,
        8,
    )
    q = at(drawn(found)["quality"], "Q novelty", "InfAL", "scripted:one")
    assert (q.n, q.of, q.short) == (2, 2, "")
    assert {runner.store.runs.get(one).config.method for one in q.runs} == {"refine", "rank"}
    direct = at(drawn(found)["costs"], "Direct prompting", "scripted:one")
    assert direct.said == "price unknown (0 of 2 cells)"
    assert len(direct.runs) == 4, (
        "two ideas on each of two targets, a run each, paid once for both indicators"
    )
    assert {
        value.text for row in drawn(found)["categories-novelty-infal"].rows for value in row[:1]
    } == {"Neuroscience", "Genetics"}


def test_results_are_there_while_the_experiment_is_still_going_on(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(runner)
    found = collect(runner.store, run.id)
    assert (found.unfinished, found.made) == (True, ())
    assert at(drawn(found)["quality"], "Q novelty", "InfAL").short == "0 of 2 targets"


def test_only_experiments_have_results(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(runner)
    assert runner.work(run.id) == "done"
    child = runner.store.runs.listed(sweep=run.id)[0]
    with pytest.raises(BadInput, match="is no experiment"):
        collect(runner.store, child.id)


def test_two_experiments_together_hold_what_both_have_once(tmp_path):
    runner, _ = runner_of(tmp_path)
    first, second = (experiment(runner, methods=(name,)) for name in ("infal", "direct"))
    assert runner.work(first.id) == "done"
    assert runner.work(second.id) == "done"
    both = collect(runner.store, first.id, second.id, first.id)
    assert (both.methods, len(both.made), len(both.targets)) == (("infal", "direct"), 4, 2)


# -- published figures beside ours -------------------------------------------------------------


def test_published_tables_stand_beside_ours_where_both_have_them_and_say_that_they_are(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(runner, methods=("infal", "initial"))
    assert runner.work(run.id) == "done"
    held = beside(findings(collect(runner.store, run.id)))
    assert {"quality", "convergence", "costs", "tests", "categories-novelty-infal"} <= set(held)
    assert "judges" not in held, "one judge makes no table of judges"
    for name, table in held.items():
        assert (
            table.name,
            table.title.endswith(", as published"),
            table.note.startswith("InfAL, as published. "),
        ) == (f"published-{name}", True, True)
        assert table.rows == PUBLISHED[name].rows
    assert "322 % increase; that is the ratio" in held["quality"].note


def test_no_published_table_stands_beside_what_it_says_nothing_of(tmp_path):
    runner, _ = runner_of(tmp_path)
    run = experiment(
        runner,
        methods=("infal", "initial"),
        indicators=(NOVELTY.model_copy(update={"name": "beauty"}),),
    )
    assert runner.work(run.id) == "done"
    assert beside(findings(collect(runner.store, run.id))) == {}


def test_names_that_come_to_the_same_are_told_apart_and_the_first_stays_as_it_was():
    long = "x" * 60
    alike = (
        "novelty +",
        "novelty -",
        "Novelty (新)",
        "Novelty (旧)",
        f"{long}a",
        f"{long}b",
    )
    found = slugs(alike)
    assert len({*found.values()}) == len(alike)
    assert (found["novelty +"], found[f"{long}a"]) == ("novelty", long)
    assert slugs(("openrouter:a/model-1", "openrouter:a/model-2"), 12) == {
        "openrouter:a/model-1": "openrouter-a",
        "openrouter:a/model-2": f"openrouter-a-{digest('openrouter:a/model-2')[:6]}",
    }
