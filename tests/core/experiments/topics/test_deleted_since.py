"""A run of an experiment that was deleted since is unknown: neither free, nor never there."""

import csv
import io

import pytest

from core.experiments import measuring
from core.experiments.results import collect as collect_sweep
from core.experiments.topics.results import collect, costs
from core.experiments.topics.tables import spent
from core.export.markdown import markdown
from core.export.recipe_rows import rows_of
from core.runs.forecast import of_fork
from tests.support import sweep_kit
from tests.support.topics_kit import done

CHAIN = "Chain of ideas, 1 branch"


@pytest.fixture
def ended(tmp_path):
    """A finished experiment on three topics, and the runs of its chains."""
    runner, _, run, held = done(tmp_path, 3)
    return runner, run, [cell.run for cell in held.cells if cell.contender.startswith("chain")]


def test_what_cells_took_is_the_mean_of_those_that_are_there(ended):
    runner, run, chains = ended
    whole = {one.player: one for one in costs(runner.store, collect(runner.store, run))}
    runner.delete(chains[0])
    held = collect(runner.store, run)
    part = {one.player: one for one in costs(runner.store, held)}
    assert (part[CHAIN].calls, part[CHAIN].deleted) == (whole[CHAIN].calls, 1)
    assert spent(runner.store, held).note.endswith(f"runs deleted since: {CHAIN} 1 of 3.")
    for one in chains[1:]:
        runner.delete(one)
    none = {one.player: one for one in costs(runner.store, held)}[CHAIN]
    assert (none.cells, none.tokens, none.calls, none.cost) == (3, None, None, None)
    row = next(row for row in spent(runner.store, held).rows if row[0].text == CHAIN)
    assert [value.said for value in row[4:7]] == ["–", "–", "unknown"]


def test_its_rows_leave_the_place_empty(ended):
    runner, run, chains = ended
    runner.delete(chains[0])
    cells = csv.DictReader(io.StringIO(dict(rows_of(runner.store, run))["cells.csv"]))
    calls = {row["run"]: row["calls"] for row in cells}
    assert (calls[chains[0]], calls[chains[1]]) == ("", "18")


def test_an_arena_that_is_gone_is_said_to_be(ended):
    runner, run, _ = ended
    (arena,) = collect(runner.store, run).arenas
    runner.delete(arena.run)
    told = markdown(runner.store, run.id)
    assert "There are no votes to tell by." in told
    gone = f"It was run {arena.run}, which was deleted since, with the votes given there;"
    assert f"There is no arena of ideas. {gone}" in told


def test_a_forecast_counts_it_as_the_mean_of_the_others_at_no_known_cost(ended):
    runner, run, chains = ended
    runner.store.connections.write("UPDATE runs SET cost = 0.5, unpriced = 0 WHERE id != ?", run.id)
    first = runner.store.steps.outline(run.id)[0].key
    whole = of_fork(runner.store, run, first)
    runner.delete(chains[0])
    part = of_fork(runner.store, run, first)
    others = whole.calls - 18
    assert (whole.calls, whole.cost) == (81, pytest.approx(0.5 * 10))
    assert (part.calls, part.cost) == (others + round(others / 9), None)


def test_a_cell_of_which_one_run_is_gone_has_no_cost_an_idea(tmp_path):
    runner, _, run = sweep_kit.done(tmp_path, n=3, methods=("direct",))
    write = runner.store.connections.write
    write("UPDATE runs SET cost = 0.03, unpriced = 0 WHERE cell LIKE '%/ideas-_'")
    (whole,) = measuring.costs(collect_sweep(runner.store, run.id))
    assert (whole.value.mean, whole.value.n) == (pytest.approx(0.03), 2)
    runs = runner.store.runs.listed(sweep=run.id)
    runner.delete(next(one.id for one in runs if one.cell.endswith("/ideas-3")))
    (part,) = measuring.costs(collect_sweep(runner.store, run.id))
    assert (part.value.mean, part.value.n) == (pytest.approx(0.03), 1)
