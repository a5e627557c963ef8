"""Two runs beside each other: scores, cost and time over what both have, and the texts of each."""

import pytest

from core import prompts
from core.errors import BadInput, ModelFailed
from core.experiments.side_by_side import lay
from core.experiments.topics import results as topics_results
from core.records import Stopping
from core.runs.beginning import begin
from tests.core.export.test_whose_words import branch_of_a_chain
from tests.support import topics_kit
from tests.support.scripted import refine_script
from tests.support.sweep_kit import done, experiment, frozen


def rows(table):
    return {row[0].text: row for row in table.rows}


@pytest.fixture
def two(tmp_path):
    """Two matrices on the same three targets, one of which stops after a round."""

    runner, _, first = done(tmp_path, n=1)
    targets = frozen(runner.store)
    short = Stopping(max_rounds=1, patience=1)
    second = experiment(runner, n=1, targets=targets, rules=short)
    assert runner.work(second.id) == "done"
    return runner, runner.store.runs.get(first.id), runner.store.runs.get(second.id)


def test_score_cost_calls_and_time_are_compared_over_what_both_have(two):
    runner, first, second = two
    table, texts, both = lay(runner.store, first, second)
    found = rows(table)
    q = found["Mean Q"]
    # The scripted judge puts the newest version first: by hand, versions 3 and 2 against the
    # target's 2.
    assert q[3].mean == pytest.approx(q[1].mean - q[2].mean)
    calls = found["Calls of a cell"]
    assert calls[1].mean > calls[2].mean
    assert calls[3].mean == pytest.approx(calls[1].mean - calls[2].mean)
    tokens = found["Tokens of a cell"]
    assert tokens[3].mean == pytest.approx(150 * calls[3].mean)
    assert found["Cost of a cell, US dollars"][3].text == "–", "prices are not known"
    assert len(texts.rows) == 2
    assert texts.rows[0][2].text != texts.rows[0][3].text
    assert [(one.a.text, one.b.text) for one in both] == [
        (row[2].text, row[3].text) for row in texts.rows
    ]
    assert all(one.a.text == "\n\n".join(idea.text for idea in one.a.ideas) for one in both)


def test_a_run_beside_itself_differs_in_nothing(two):
    runner, first, _ = two
    table, _, _ = lay(runner.store, first, first)
    assert {row[3].mean for row in table.rows if row[3].mean is not None} == {0.0}


def test_contenders_on_topics_are_compared_by_what_they_win_against_the_baseline(tmp_path):
    runner, _, first, _ = topics_kit.done(tmp_path, 3, contenders=("rag", "direct"))
    asked = topics_kit.asked(
        runner.store, 3, contenders=("rag", "direct"), models=(topics_kit.OTHER,)
    )

    second = begin(runner, "topic-experiment", asked, "Another model", seed=7)
    assert runner.work(second.id) == "done"
    table, texts, _ = lay(runner.store, first, runner.store.runs.get(second.id))
    won = rows(table)["Share of matches won against Retrieval-augmented prompting"]
    # RAG's ideas are worth 2 and direct ones 1: direct prompting wins nothing, in both runs.
    assert (won[1].mean, won[2].mean, won[3].mean) == (0, 0, 0)
    assert won[1].n == 3
    assert len(texts.rows) == 3 * 2


def test_shares_won_against_two_contenders_have_no_difference(tmp_path):
    runner, _, first, _ = topics_kit.done(tmp_path, 3, baseline="direct")
    second = topics_kit.experiment(runner, 3, baseline="rag")
    assert runner.work(second.id) == "done"
    table, _, both = lay(runner.store, first, runner.store.runs.get(second.id))
    assert not [row for row in rows(table) if row.startswith("Share")]
    assert table.note.startswith(
        "Scores are not compared, being of two kinds: Share of matches won against Direct prompting"
        f" ({first.id}), Share of matches won against Retrieval-augmented prompting ({second.id})."
    )
    of_rag = [one for one in both if one.a.by == "rag"]
    assert [(one.a.score, one.b.score) for one in of_rag] == [(1.0, None)] * 3


def test_of_several_models_each_is_held_against_what_it_wrote_itself(tmp_path):
    # What the second model writes is better, by whatever contender: its direct ideas beat the
    # first's, whose others beat its own direct ones all the same.
    better = {
        "direct-idea": lambda r: topics_kit.idea(r, "Direct", 9),
        "retrieved-idea": lambda r: topics_kit.idea(r, "Retrieved", 12),
    }
    runner, models = topics_kit.runner_of(tmp_path)
    models[topics_kit.OTHER].script = topics_kit.writer_script() | better
    both = (topics_kit.WRITER, topics_kit.OTHER)
    run = topics_kit.experiment(
        runner, 3, models=both, contenders=("rag", "direct"), baseline="direct"
    )
    assert runner.work(run.id) == "done"
    run = runner.store.runs.get(run.id)
    _, _, laid = lay(runner.store, run, run)
    scores = {(one.a.by, one.a.score) for one in laid}
    assert scores == {("rag", 1.0), ("direct", None)}


def test_runs_of_two_kinds_are_not_compared(tmp_path):
    runner, _, first, _ = topics_kit.done(tmp_path, 2)
    child = runner.store.runs.listed(sweep=first.id, limit=1)[0]
    with pytest.raises(BadInput, match="Two of one kind"):
        lay(runner.store, first, child)


def test_what_one_run_lacks_is_no_difference(tmp_path):
    down = False
    honest = refine_script((True, False))

    def review(request):
        if down:
            raise ModelFailed("The server is down.")
        return honest["review"](request)

    runner, _, first = done(tmp_path, {"review": review}, methods=("initial", "infal"), n=1)
    down = True
    again = {"methods": ("initial", "infal"), "n": 1, "targets": frozen(runner.store), "seed": 8}
    second = experiment(runner, **again)
    assert runner.work(second.id) == "done"
    runs = [runner.store.runs.get(one.id) for one in (first, second)]
    table, _, _ = lay(runner.store, *runs)
    q = rows(table)["Mean Q"]
    assert (q[1].mean, q[2].mean, q[3].mean) == (0.0, 0.0, 0.0)
    assert "left out (Mean Q: 2;" in table.note


def test_what_a_fork_took_over_is_part_of_what_a_cell_needs(tmp_path):
    contenders = ("chain, 1 branch", "direct", "direct, same tokens as chain, 1 branch")
    runner, _, run, _ = topics_kit.done(tmp_path, 2, contenders=contenders)
    store = runner.store
    first = next(step.key for step in store.steps.of(run.id))
    changed = runner.workshop.freeze({"idea": f"{prompts.text('idea')}\nBe brief."})

    def with_prompt(config):
        return config.model_copy(update={"prompts": {**config.prompts, **changed}})

    fork = runner.fork(run.id, first, with_prompt)
    assert runner.work(fork.id) == "done"
    fork = store.runs.get(fork.id)
    mine, theirs = (topics_results.collect(store, one) for one in (run, fork))
    forked = [one.run for one in theirs.cells if one.run and store.runs.get(one.run).parent]
    assert forked, "some cells took steps over"
    budgets = [[cell.budget for cell in one.cells if cell.budget] for one in (mine, theirs)]
    assert sorted(budgets[0], key=str) == sorted(budgets[1], key=str)
    took = [topics_results.costs(store, one) for one in (mine, theirs)]
    assert [(one.tokens, one.calls) for one in took[0]] == [
        (one.tokens, one.calls) for one in took[1]
    ]
    found = rows(lay(store, store.runs.get(run.id), fork)[0])
    assert found["Tokens of a cell"][3].mean == found["Calls of a cell"][3].mean == 0
    own, whole = (list(of(forked).values()) for of in (store.runs.took, store.runs.needed))
    assert sum(one["calls"] for one in own) < sum(one["calls"] for one in whole)


def test_what_a_fork_needs_is_known_when_the_run_that_paid_is_gone(tmp_path):
    store, run, branch = branch_of_a_chain(tmp_path, "openai:a", "openai:b", "experiment-design")
    before = store.runs.needed([branch.id])[branch.id]
    assert before["calls"] == store.runs.took([run.id])[run.id]["calls"]
    store.runs.delete(run.id)
    store.runs.clear_deleted()
    assert store.runs.needed([branch.id])[branch.id] == before
    assert before["lacking"] == 0
