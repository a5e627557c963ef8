"""Simulated experts with planted quality, severity and side bias take whole sessions, from their
links to the figures: the plan is found again.
"""

import itertools
import math
import random
from pathlib import Path

import numpy as np
import pytest

from core.records import CompareAnswer, Preference, RateAnswer
from core.store import Store
from core.studies import analysis, organising
from core.studies.compared import compared
from tests.core.studies.test_analysis import opened_key
from tests.support.sessions import studies_kit as kit

EXPERTS, SEEDS = 8, (1, 2, 3)
WORTH = dict(zip(kit.METHODS, (1.5, 0.0, -1.5), strict=True))
"""Points a method's ideas are above 5.5."""
STRICT = (-1.4, -1.0, -0.5, -0.2, 0.2, 0.5, 1.0, 1.4)
"""Points each expert takes off; they sum to 0."""
NOISE = 0.9


@pytest.fixture
def store(tmp_path: Path, monkeypatch) -> Store:
    """Give a store in which seats get the same ids, and with them the same lists, every time."""
    ids = itertools.count(1)
    monkeypatch.setattr(organising.secrets, "token_hex", lambda size: f"{next(ids):0{2 * size}x}")
    return Store(tmp_path)


def known_as(store: Store, study: str) -> dict[str, str]:
    return {
        label: one.method
        for label, one in store.study_keys.items(study).items()
        if not one.attention
    }


def rated(store: Store, seed: int) -> tuple[kit.Held, dict[str, float]]:
    """Hold a session of 30 ideas on 10 topics, 8 experts, each idea rated by 3; return it and what
    each idea is worth.
    """
    made, dice = kit.opened(store, "rate", EXPERTS, 30, overlap=3, seed=seed), random.Random(seed)
    worth = {
        label: 5.5 + WORTH[method] + dice.gauss(0, 0.6)
        for label, method in known_as(store, made.study.id).items()
    }

    def answer(strict: float):
        def say(here, shown):
            if shown.unit.id == "u900":
                return kit.expected(made.study.plan)
            true = worth[shown.unit.labels[0]] - strict
            return RateAnswer(
                scores={
                    name: min(10, max(1, round(true + dice.gauss(0, NOISE))))
                    for name in kit.CRITERIA
                }
            )

        return say

    for n, strict in enumerate(STRICT):
        kit.work_through(store, made.at_work(n), answer(strict))
    return made, worth


def covered(figure, truth: float) -> bool:
    return figure.low <= truth <= figure.high


@pytest.fixture
def sessions(store: Store) -> list[tuple[kit.Held, dict[str, float]]]:
    return [rated(store, seed) for seed in SEEDS]


def test_planted_severity_and_quality_are_found_again(store, sessions):
    severe, good, orders = [], [], []
    for made, worth in sessions:
        filed = analysis.Filed(store, made.study.id)
        answered = [place.unit for place in filed.last if place.time == 1 and place.unit != "u900"]
        assert {answered.count(unit) for unit in answered} == {3}
        for one in analysis.rated.rated(filed).sheet.agreement.criteria.values():
            severe += [
                covered(one.severities.raters[f"E{n}"], strict)
                for n, strict in enumerate(STRICT, 1)
            ]
            found = one.severities.items
            good += [covered(found[label], true) for label, true in worth.items()]
            orders.append(
                np.corrcoef([found[label].value for label in worth], list(worth.values()))[0, 1]
            )
    # 95 % intervals: 48 severities, 180 qualities; 90 % is asked for.
    assert np.mean(severe) >= 0.9
    assert np.mean(good) >= 0.9
    # The mean of 3 scores with severity taken out carries noise of 0.9 / sqrt(3) and a little for
    # the severities: r is sqrt(true / (true + error)).
    true = np.mean([np.var(list(worth.values())) for _, worth in sessions])
    assert np.mean(orders) == pytest.approx(
        math.sqrt(true / (true + (NOISE**2 + 1 / 12) / 3)), abs=0.05
    )


def test_planted_sources_stand_in_their_order_and_differ_on_shared_topics(store, sessions):
    made, worth = sessions[0]
    topics = known_as(store, made.study.id)
    for n, label in enumerate(sorted(topics, key=lambda label: int(label[1:]))):
        one = store.study_keys.items(made.study.id)[label].model_copy(
            update={"topic": f"topic {n // 3}"}
        )
        store.connections.write(
            "UPDATE study_keys SET data = ? WHERE study = ? AND kind = 'item' AND name = ?",
            one.model_dump_json(),
            made.study.id,
            label,
        )
    found = opened_key(store, made).sourced
    for criterion in kit.CRITERIA:
        means = {one.source: one.figure for one in found.figures if one.criterion == criterion}
        assert sorted(means, key=lambda source: -means[source].value) == list(kit.METHODS)
        for source, figure in means.items():
            assert covered(
                figure,
                float(
                    np.mean([worth[label] for label, method in topics.items() if method == source])
                ),
            )
        best = next(
            one.statistic
            for one in found.contrasts
            if (one.criterion, one.one, one.other, one.unit, one.test)
            == (criterion, "chain-of-secrets", "secret-people", "topic", "paired t-test")
        )
        assert covered(best, 3.0)
        assert best.p < 0.001


def test_a_planted_liking_for_the_left_is_found_again_and_taken_out_of_the_strengths(store):
    biases, orders = [], []
    for seed in SEEDS:
        made, dice = (
            kit.opened(store, "compare", EXPERTS, 15, overlap=3, seed=seed, attention=0, repeats=0),
            random.Random(seed),
        )
        methods = known_as(store, made.study.id)

        def answer(here, shown, methods=methods, dice=dice):
            left, right = shown.assignment.shown
            odds = (WORTH[methods[left]] - WORTH[methods[right]]) / 2 + 0.7
            wins = (dice.random() < 1 / (1 + math.exp(-odds)) for _ in kit.CRITERIA)
            return CompareAnswer(
                preferences={
                    name: Preference(better=left if won else right)
                    for name, won in zip(kit.CRITERIA, wins, strict=True)
                }
            )

        for n in range(EXPERTS):
            kit.work_through(store, made.at_work(n), answer)
        sides = compared(analysis.Filed(store, made.study.id)).sides
        biases += [sides[name].position for name in kit.CRITERIA]
        found = opened_key(store, made).sourced
        for name in kit.CRITERIA:
            rated = {one.source: one.figure for one in found.figures if one.criterion == name}
            orders.append(
                sorted(rated, key=lambda source: -rated[source].value) == list(kit.METHODS)
            )
            # 1.5 apart in natural log-odds are 1.5 * 400 / ln 10 points.
            assert (
                rated[kit.METHODS[0]].low
                < 1000 + 0.75 * 400 / math.log(10)
                < rated[kit.METHODS[0]].high
            )
    assert all(covered(one, 0.7) for one in biases), [(one.low, one.high) for one in biases]
    assert all(one.low > 0 for one in biases)
    assert all(orders)
