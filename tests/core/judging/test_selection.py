"""Choosing between branches: both orders, position bias cancelled, ties half, level points said."""

import pytest

from core.judging.selection import select
from core.records import FORMS, BranchMatch, Comparison, Idea
from tests.conftest import ScriptedModel, Shop, make_run


def an_idea(title: str) -> Idea:
    return Idea(form="chain", fields=dict.fromkeys(FORMS["chain"], title))


def sides(**given: str) -> dict:
    return {
        "reason": "So it seems.",
        **dict.fromkeys(
            ("novelty", "significance", "clarity", "feasibility", "effectiveness"), "tie"
        ),
        **given,
    }


def selected(folder, answer, ideas):
    model = ScriptedModel({"select": answer})
    shop = Shop(folder, {model.name: model})
    run = make_run(
        shop.store,
        models={"selector": model.name},
        prompts=shop.freeze({"select": "Judge.\n---\n$topic $first $second"}),
    )
    epoch = shop.store.runs.claim(run.id, "me|1|1", 0)
    return select(shop.desk(run, epoch)[1], "sleep", ideas), model


IDEAS = {1: an_idea("A"), 2: an_idea("B"), 3: an_idea("C")}


def better(request):
    first, second = request.values["first"].title, request.values["second"].title
    won = "first" if first > second else "second"
    return sides(novelty=won, significance=won)


def test_every_pair_is_judged_in_both_orders(tmp_path):
    chosen, model = selected(tmp_path, better, IDEAS)
    assert {(match.first, match.second) for match in chosen.matches} == {
        (a, b) for a in IDEAS for b in IDEAS if a != b
    }
    assert (chosen.best, chosen.points) == (3, {1: 6.0, 2: 10.0, 3: 14.0})
    assert all(request.role == "selector" for request in model.requests)


def test_a_judge_that_always_prefers_what_comes_first_decides_nothing(tmp_path):
    chosen, _ = selected(tmp_path, lambda _: sides(novelty="first", clarity="first"), IDEAS)
    assert len(set(chosen.points.values())) == 1
    assert "Branches 1 and 2 and 3 are level" in chosen.reason


def test_a_single_idea_needs_no_judge(tmp_path):
    chosen, model = selected(tmp_path, better, {2: IDEAS[2]})
    assert (chosen.best, chosen.matches, model.requests) == (2, (), [])


@pytest.mark.parametrize(("branch", "points"), [(1, 3.5), (2, 1.5)])
def test_a_tie_counts_half_to_each(branch, points):
    said = Comparison(
        reason="r",
        novelty="first",
        significance="first",
        clarity="tie",
        feasibility="second",
        effectiveness="first",
    )
    assert BranchMatch(first=1, second=2, comparison=said).points(branch) == points
