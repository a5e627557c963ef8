"""Choosing between branches: both orders, position bias cancelled, ties half, level points said."""

import pytest

from core.judging.claims import comparison, level, tie
from core.judging.selection import select
from core.records import CRITERIA, EDITION, FORMS, BranchMatch, Comparison, Idea, Selection
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


def selected(folder, answer, ideas, edition=EDITION):
    model = ScriptedModel({"select": answer})
    shop = Shop(folder, {model.name: model})
    run = make_run(
        shop.store,
        edition=edition,
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


def always(winner):
    """Return a judge for whom one idea wins each criterion, then C before B, that gives no usable
    answer where A stands second, and where it stands first beside B.
    """

    def answer(request):
        pair = [request.values[name].title for name in ("first", "second")]
        if pair[1] == "A" or pair == ["A", "B"]:
            return "no JSON"
        won = winner if winner in pair else max(pair)
        return sides(**dict.fromkeys(CRITERIA, ("first", "second")[pair.index(won)]))

    return answer


@pytest.mark.parametrize(("edition", "best"), [(EDITION, 1), (3, 3)])
def test_one_that_could_be_compared_less_often_has_not_lost_what_it_was_not_in(
    tmp_path, edition, best
):
    chosen, _ = selected(tmp_path, always("A"), IDEAS, edition)
    assert chosen.points == {1: 5.0, 2: 0.0, 3: 10.0}
    assert [chosen.most(n) for n in chosen.points] == [5, 10, 15]
    assert chosen.best == best, "runs of earlier editions go on as they began"
    assert level(chosen) == ()
    if edition == EDITION:
        assert "branch 1: 5 of 5" in chosen.reason
        assert comparison(chosen, 3) == (
            "Branch 1 was chosen of 3 with 5 of 5 points; branch 3 has 10 of 15, branch 2 has 0 of"
            " 10."
        )


def test_one_that_no_comparison_could_be_used_of_has_no_points_and_is_said_to_be_in_none(tmp_path):
    def answer(request):
        pair = [request.values[name].title for name in ("first", "second")]
        return "no JSON" if "A" in pair else sides()

    chosen, _ = selected(tmp_path, answer, IDEAS)
    assert "branch 1: not compared" in chosen.reason
    assert (chosen.best, level(chosen)) == (2, (2, 3))
    better_c, _ = selected(
        tmp_path / "c",
        lambda one: answer(one) if "A" in str(one.values) else better(one),
        IDEAS,
    )
    assert comparison(better_c, 3).endswith("branch 2 has 3 of 10, branch 1 could not be compared.")


def test_a_tie_is_of_what_decided():
    said = {"best": 1, "matches": (), "reason": "r"}
    matches = tuple(
        BranchMatch(first=a, second=b, comparison=Comparison(**sides()))
        for a, b in ((1, 2), (2, 1), (1, 3), (3, 1))
    )
    uneven = Selection(**said | {"matches": matches}, points={1: 10.0, 2: 5.0, 3: 5.0})
    assert level(uneven) == ()
    shares = uneven.model_copy(update={"by_share": True})
    assert level(shares) == (1, 2, 3)
    assert "branch 1 won the same share of points as branches 2 and 3 (10 of 20)" in tie(shares)
