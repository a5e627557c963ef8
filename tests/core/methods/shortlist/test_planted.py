"""Planted truth: duplicates are joined, known ideas set aside with the right paper, and the order
is that of the strengths.
"""

import random
from math import exp

import pytest
from scipy.stats import kendalltau

from core.methods.shortlist.comparing import standing
from core.methods.shortlist.ideas import with_explored
from core.methods.shortlist.meetings import Meetings, Met
from core.methods.shortlist.pairing import drawn, pair_up, swiss_rounds
from core.methods.shortlist.rating import rate
from core.records import IDEA_CRITERIA, Explored, ListedIdea
from tests.support.shortlist_kit import name_of, now, own, played, shortlist_script, titles

IDEAS = 8
STRENGTH = {n: 0.45 * n for n in range(1, 14)}
"""Natural log-odds on a criterion: neighbours win 61 of 100 criteria against each other."""


def test_near_duplicates_are_joined_and_the_better_one_stands_for_both(tmp_path):
    same = [
        frozenset({"memory2017 A", "light2017 B"}),
        frozenset({"light2017 B", "memory2017 B"}),
    ]
    runner, model, run = played(tmp_path, shortlist_script(same=same))
    seen = now(runner, run)
    (joined,) = seen.parted.joined
    # By name, light2017 B was said to be better than either of the two.
    assert (joined.survivor, joined.absorbed) == (4, (1, 2))
    assert {one.n: (one.aside.why, one.aside.stage) for one in seen.ideas if one.aside} == {
        1: ("absorbed", "part"),
        2: ("absorbed", "part"),
    }
    assert "stands for both" in seen.ideas[0].aside.reason
    assert seen.ideas[3].absorbed == (1, 2)
    assert [card.absorbed for card in seen.cards if card.n == 4] == [(1, 2)]
    judged = [one for one in model.requests if one.prompt == "same-idea"]
    assert len(
        {(one.values["first"].digest(), one.values["second"].digest()) for one in judged}
    ) == len(judged), "no pair of texts is judged twice"


def test_ideas_known_already_are_set_aside_with_the_paper(tmp_path):
    runner, _, run = played(tmp_path, shortlist_script(known={"memory2017 B"}))
    seen = now(runner, run)
    (known,) = seen.parted.aside
    check = runner.store.steps.get(known.made.run, known.made.place)
    assert (known.n, known.why) == (2, "known")
    assert known.paper.id == check.reply["nearest"]
    assert known.paper.title in known.reason
    assert seen.parted.kept == (1, 3, 4)


def test_where_every_idea_is_known_all_go_on_and_it_is_said(tmp_path):
    every = {f"{line}2017 {letter}" for line in ("memory", "light") for letter in "AB"}
    runner, _, run = played(tmp_path, shortlist_script(known=every))
    seen = now(runner, run)
    assert seen.parted.kept == (1, 2, 3, 4)
    assert "every idea" in seen.parted.reason
    assert run.state == "done"


def test_what_one_paper_anticipates_after_fresh_searches_does_not_compete(tmp_path):
    runner, _, run = played(tmp_path, shortlist_script(anticipated={"light2017 A"}))
    seen = now(runner, run)
    (aside,) = seen.rated.aside
    checked = seen.ideas[2].rechecked
    assert (aside.n, aside.stage, aside.why) == (3, "compare", "known")
    assert checked.state == "anticipated"
    assert aside.paper == checked.works[0]
    assert aside.paper.title in aside.reason
    assert 3 not in [one.n for one in seen.rated.order]
    assert 3 not in [card.n for card in seen.cards]


# -- the order ---------------------------------------------------------------------------------


def meeting(dice: random.Random, a: int, b: int) -> Met:
    """Have two ideas of known strengths judged on five criteria in both orders."""
    chance = 1 / (1 + exp(STRENGTH[b] - STRENGTH[a]))
    won = sum(dice.random() < chance for _ in range(2 * len(IDEA_CRITERIA)))
    return Met(float(won), float(2 * len(IDEA_CRITERIA) - won))


def ideas(many: int):
    listed = (
        ListedIdea(n=n, idea=own(f"idea {n}"), origin="file", source=f"row {n}")
        for n in range(1, many + 1)
    )
    return with_explored(Explored(ideas=tuple(listed)))


def round_robin(dice: random.Random, many: int, _: int) -> Meetings:
    numbers = range(1, many + 1)
    return Meetings({(a, b): meeting(dice, a, b) for a in numbers for b in numbers if a < b})


def swiss(dice: random.Random, many: int, seed: int) -> Meetings:
    met: dict = {}
    numbers, idled = list(range(1, many + 1)), set()
    for _ in range(swiss_rounds(many)):
        order = standing(drawn(numbers, seed), met)
        pairs = pair_up(order, set(met), idled)
        idled |= set(numbers) - {n for pair in pairs for n in pair}
        met |= {pair: meeting(dice, *pair) for pair in pairs}
    return Meetings(met, swiss_rounds(many))


def taus(play, many: int, seeds: int) -> list[float]:
    found = []
    for seed in range(seeds):
        rated = rate(ideas(many), play(random.Random(seed), many, seed), "model", seed, {})
        order = [one.n for one in rated.order]
        truth = [STRENGTH[n] for n in order]
        found.append(float(kendalltau(range(len(order), 0, -1), truth).statistic))
    return found


@pytest.mark.parametrize(
    ("play", "many"), [(round_robin, IDEAS), (swiss, 12)], ids=["round robin", "Swiss"]
)
def test_the_order_agrees_with_known_strengths(play, many):
    found = taus(play, many, 50)
    mean = sum(found) / len(found)
    print(f"{play.__name__}, {many} ideas: mean tau {mean:.3f}, least {min(found):.3f}")
    assert mean >= 0.9
    assert sum(tau >= 0.8 for tau in found) >= 45


def test_intervals_hold_what_cannot_be_told_apart():
    rated = rate(ideas(IDEAS), round_robin(random.Random(3), IDEAS, 3), "model", 3, {})
    assert all(one.low < one.rating < one.high for one in rated.order)
    best, worst = rated.order[0], rated.order[-1]
    assert best.low > worst.high, "strengths that far apart are told apart"
    assert not any({best.n, worst.n} <= set(group) for group in rated.level)
    assert any(len(group) > 1 for group in rated.level), "neighbours are not"


def test_a_shortlist_of_eight_ideas_of_ones_own_has_the_judges_order(tmp_path):
    strengths = {f"own {n}": float((5 * n) % 9) for n in range(1, 9)}
    runner, model, run = played(
        tmp_path,
        shortlist_script(strengths=strengths),
        branches=0,
        own=tuple(map(own, strengths)),
        goals=(),
        keep=8,
        designs=0,
        checklist=False,
    )
    assert run.state == "done", run.reason
    seen = now(runner, run)
    order = [strengths[titles(seen)[one.n]] for one in seen.rated.order]
    assert order == sorted(order, reverse=True)
    assert (seen.rated.pairing, len(seen.rated.meetings)) == ("round robin", 28)
    assert sum(one.prompt == "arena-ideas" for one in model.requests) == 2 * 28
    assert [name_of(card.idea) for card in seen.cards] == sorted(
        strengths, key=strengths.get, reverse=True
    )


def test_more_than_eight_ideas_meet_in_swiss_rounds(tmp_path):
    strengths = {f"own {n}": float((4 * n) % 11) for n in range(1, 11)}
    runner, model, run = played(
        tmp_path,
        shortlist_script(strengths=strengths),
        branches=0,
        own=tuple(own(name, "chain") for name in strengths),
        goals=(),
        designs=0,
        checklist=False,
    )
    assert run.state == "done", run.reason
    rated = now(runner, run).rated
    assert (rated.pairing, rated.rounds) == ("Swiss", 6)
    assert len(rated.meetings) == 6 * 5
    assert len({(one.a, one.b) for one in rated.meetings}) == 30, "nobody meets twice"
    assert sum(one.prompt == "six-fields" for one in model.requests) == 10, "once for each text"
    truth = [strengths[titles(now(runner, run))[one.n]] for one in rated.order]
    assert float(kendalltau(range(10, 0, -1), truth).statistic) >= 0.8


@pytest.mark.parametrize("many", [9, 10, 13])
def test_swiss_pairs_nobody_twice_and_leaves_nobody_out_twice(many):
    for seed in range(20):
        played = swiss(random.Random(seed), many, seed)
        times = dict.fromkeys(range(1, many + 1), 0)
        for pair in played.met:
            for n in pair:
                times[n] += 1
        rounds = swiss_rounds(many)
        assert set(times.values()) <= {rounds, rounds - 1}
        assert len(played.met) == rounds * (many // 2)
