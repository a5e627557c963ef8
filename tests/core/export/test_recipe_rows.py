"""What a run of a recipe leaves behind: refused tries and what it was held on are in its files."""

import csv
import io
import json

import pytest

from core.export.reproduced import files, methods_paragraph
from core.runs.recipe_data import small_targets
from tests.support.golden_kit import held
from tests.support.sweep_kit import runner_of


@pytest.fixture(scope="module")
def cost(tmp_path_factory):
    """`infal-cost` at size small, whose first verdict is no verdict."""
    said = []

    def verdict(request):
        said.append(request)
        if len(said) == 1:
            return {"nothing": "of use"}
        return {"improved": False, "reason": "As before."}

    folder = tmp_path_factory.mktemp("cost")
    runner, made = runner_of(folder, {"verdict": verdict}, ("scripted:one", "scripted:judge"))
    found = held(runner, "infal-cost", ("scripted:one",), ("scripted:judge",))
    return runner, made, found


def rows(pieces):
    return list(csv.DictReader(io.StringIO("".join(pieces))))


def test_refused_tries_stand_beside_the_answers(cost):
    runner, _, found = cost
    made = files(runner.store, found.run.id)
    (refused,) = rows(made["data/tries.csv"])
    assert refused["key"].endswith("verdict")
    assert "of use" in refused["said"]
    assert refused["outcome"] not in ("", "accepted")
    calls = sum(int(row["calls"]) for row in rows(made["data/answers.csv"]))
    assert calls == runner.store.runs.with_runs_made(found.run).calls


def test_what_it_was_held_on_is_there_in_full(cost):
    runner, _, found = cost
    targets = json.loads(files(runner.store, found.run.id)["data/targets.json"])
    assert [one["paper"]["title"] for one in targets.values()] == [
        one.paper.title for one in small_targets()[:2]
    ]


def test_the_methods_say_what_the_small_size_leaves_out(cost):
    runner, _, found = cost
    said = methods_paragraph(runner.store, found)
    assert "The small size departs from the paper's: " in said
    paper = found.made.recipe.sizes["paper"].take
    assert f"2 targets for {paper}" in said
