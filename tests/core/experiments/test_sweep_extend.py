"""Extending an experiment: what is new is paid, what failed is tried again, and what is shown
elsewhere is not deleted.
"""

from collections import Counter

import pytest

from core.errors import BadInput, ModelFailed
from core.experiments.progress import progress
from core.records import FrozenTarget, Made, Standings
from core.runs.extending import extend
from tests.support.scripted import refine_script
from tests.support.sweep_kit import (
    FEASIBILITY,
    MODELS,
    NOVELTY,
    asked,
    done,
    experiment,
    extended,
    frozen,
    told,
)


def test_a_cell_whose_run_failed_says_so_and_the_others_go_on(tmp_path):
    script = {
        "first-idea": lambda r: (
            ModelFailed("The model is away.") if "of 1" in r.text else {"hypothesis": "Naps."}
        )
    }
    runner, models, run = done(tmp_path, script)
    assert progress(runner.store, run).counts == {"done": 1, "failed": 1, "running": 0, "left": 0}
    failed = next(one for one in told(runner, run, Made).values() if one.state == "failed")
    assert "The model is away." in failed.reason
    assert runner.store.runs.get(failed.run).state == "failed"
    assert len(told(runner, run, Standings)) == 1
    for model in models.values():
        model.script["first-idea"] = lambda _: {"hypothesis": "Naps."}
    more, paid = extended(runner, models, run)
    assert progress(runner.store, more).counts["done"] == 2
    assert paid["first-idea"] == 2, "the failed cell is tried again, and only that"
    assert paid["rank"] == 2
    assert runner.store.runs.get(failed.run).sweep == more.id, "its run went on under the extension"


def test_a_ranking_that_failed_is_tried_again_without_writing_again(tmp_path):
    plain = refine_script()["rank"]
    runner, models, run = done(tmp_path, {"rank": lambda _: ModelFailed("The judge is away.")})
    assert progress(runner.store, run).counts["failed"] == 2
    assert all("The judge is away." in one.reason for one in told(runner, run, Standings).values())
    for model in models.values():
        model.script["rank"] = plain
    more, paid = extended(runner, models, run)
    assert (progress(runner.store, more).counts["done"], paid) == (2, Counter({"rank": 4}))


# -- extending ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "paid"),
    [
        ({}, {}),
        ({"methods": ("infal", "initial")}, {"six-fields": 4, "rank": 4}),
        ({"methods": ("initial", "infal")}, {"six-fields": 4, "rank": 4}),
        ({"judges": MODELS[2:]}, {"rank": 4}),
        (
            {"models": (MODELS[1], MODELS[0])},
            {"first-idea": 4, "review": 12, "revise": 8, "verdict": 8, "rank": 4},
        ),
        (
            {"indicators": (FEASIBILITY, NOVELTY)},
            {"first-idea": 4, "review": 12, "revise": 8, "verdict": 8, "rank": 4},
        ),
        ({"many": 3}, {"first-idea": 2, "review": 6, "revise": 4, "verdict": 4, "rank": 2}),
    ],
)
def test_an_extension_pays_only_for_what_is_new(tmp_path, given, paid):
    runner, models, run = done(tmp_path)
    more, asked_now = extended(
        runner, models, run, **{"targets": frozen(runner.store, given.pop("many", 2)), **given}
    )
    assert asked_now == Counter(paid)
    assert progress(runner.store, more).counts["left"] == 0
    held = {one.run for one in told(runner, more, Made).values()} & {
        one.run for one in told(runner, run, Made).values()
    }
    assert len(held) == 2, "what was written is shown by the extension too"


def test_an_extension_of_an_extension_pays_nothing_twice_even_where_one_was_stopped_in_between(
    tmp_path,
):
    runner, models, run = done(tmp_path)
    middle = extend(runner, run.id, asked(runner, judges=MODELS[2:]))
    runner.stop(middle.id)
    more, paid = extended(runner, models, middle, judges=MODELS[2:])
    assert (paid, progress(runner.store, more).counts["done"]) == (Counter({"rank": 4}), 2)


def test_what_cannot_be_extended_is_refused_with_a_sentence(tmp_path):
    runner, _, run = done(tmp_path)
    child = runner.store.runs.listed(sweep=run.id)[0]
    with pytest.raises(BadInput, match="is no experiment"):
        extend(runner, child.id, asked(runner))
    with pytest.raises(BadInput, match="kept in another data folder"):
        extend(runner, run.id, asked(runner, targets=(FrozenTarget(sha="f" * 64, title="Gone"),)))
    queued = experiment(runner)
    with pytest.raises(BadInput, match="Stop it"):
        extend(runner, queued.id, asked(runner))


# -- caps and stops ----------------------------------------------------------------------------


def test_deleting_an_experiment_takes_its_runs_along_but_not_while_another_one_shows_them(tmp_path):
    runner, players, run = done(tmp_path)
    more, _ = extended(runner, players, run, methods=("infal", "initial"))
    with pytest.raises(BadInput, match=more.id):
        runner.store.runs.delete(run.id)
    runner.store.runs.delete(more.id)
    assert runner.store.runs.listed(sweep=more.id) == []
    assert (
        len(runner.store.runs.listed(sweep=run.id)) == runner.store.runs.spent(run.id)["runs"] > 0
    )
    runner.store.runs.delete(run.id)
    assert runner.store.runs.spent(run.id)["runs"] == 0


def test_nor_while_another_one_shows_them_by_way_of_one_that_made_no_run(tmp_path):
    runner, players, run = done(tmp_path)
    middle = extend(runner, run.id, asked(runner, methods=("infal", "initial")))
    runner.stop(middle.id)
    more, _ = extended(runner, players, middle, methods=("infal", "initial"))
    for needed in (run, middle):
        with pytest.raises(BadInput, match="extends it and shows its runs"):
            runner.delete(needed.id)
    for unneeded in (more, middle, run):
        runner.delete(unneeded.id)
