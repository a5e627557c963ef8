"""How far a benchmark is: counts that add up to what was planned, what is no longer needed, and a
pace that does not count pauses.
"""

from datetime import UTC, datetime, timedelta

import pytest

from core.benchmark import BenchInputs
from core.benchmark.progress import FEW, Pace, ProgressPart, parts, progress, take_pace
from core.records import BENCH_DIMENSIONS, Keyword
from core.store import Store
from tests.support.benchmark.bench_kit import MODELS, settled_store

AT = datetime(2026, 1, 1, 12, 0, 30, tzinfo=UTC)


def lost(kind, model, keyword, n, m):
    """On erosion, the first model refuses its second idea; on meiosis, the second model's first
    idea fails, and so does a judgment of the first model's.
    """
    return {
        ("idea", "openai:a", "erosion", 2, 0): "refused",
        ("idea", "openai:b", "meiosis", 1, 0): "ModelFailed",
        ("judge", "openai:a", "meiosis", 1, 1): "NoUsableAnswer",
    }.get((kind, model, keyword, n, m), "")


def held(found, model: str, kind: str) -> ProgressPart:
    return next(one for one in found.parts if (one.model, one.kind) == (model, kind))


@pytest.fixture
def run(tmp_path):
    store = Store(tmp_path)
    return store, settled_store(store, lost=lost)


def test_counts_of_each_kind_add_up_to_what_was_planned(run):
    found = progress(*run)
    for one in found.parts:
        assert (
            one.done + one.running + one.failed + one.excluded + one.needless + one.left
            == one.planned
        ), one
    assert [held(found, "openai:a", kind).planned for kind in ("idea", "judge", "fluency")] == [
        4,
        8,
        2,
    ]


def test_what_belongs_to_an_excluded_idea_is_not_needed_and_what_follows_a_failed_one_is_left(run):
    found = progress(*run)
    assert held(found, "openai:a", "idea").excluded == 1
    # Two judgments of the refused idea, and its comparison with the other one.
    assert [held(found, "openai:a", kind).needless for kind in ("judge", "fluency")] == [2, 1]
    assert held(found, "openai:a", "judge") == ProgressPart(
        model="openai:a", kind="judge", planned=8, done=5, failed=1, needless=2
    )
    assert held(found, "openai:b", "idea").failed == 1
    assert [held(found, "openai:b", kind).left for kind in ("judge", "fluency")] == [2, 1]
    assert [held(found, "openai:b", kind).needless for kind in ("judge", "fluency")] == [0, 0]


def test_a_failed_answer_never_counts_as_done(run):
    found = progress(*run)
    # 28 planned; a refused idea takes 3 with it; failed: an idea with the 3 that follow it, and a
    # judgment.
    assert found.share == pytest.approx((28 - 3 - 4 - 1) / (28 - 3))
    assert found.total("failed") == 2


def test_few_keywords_have_a_square_each_and_many_are_put_together_by_domain(tmp_path):
    store = Store(tmp_path)
    few = progress(store, settled_store(store, lost=lost))
    assert few.by == "keyword"
    assert {(one.model, one.place): (one.share, one.failed) for one in few.squares} == {
        ("openai:a", "erosion"): (1.0, 0),
        ("openai:a", "meiosis"): (pytest.approx(6 / 7), 1),
        ("openai:b", "erosion"): (1.0, 0),
        ("openai:b", "meiosis"): (pytest.approx(3 / 7), 1),
    }
    many = settled_store(
        store,
        keywords=[Keyword(text=f"k{n}", domain="Odd" if n % 2 else "") for n in range(FEW + 1)],
        judges=(),
        left=1,
        lost=lambda kind, model, keyword, n, m: (
            "long" if (model, keyword, n) == ("openai:a", "k1", 1) else ""
        ),
        topic="Many",
    )
    found = progress(store, many)
    assert found.by == "domain"
    # The last keyword, k40, has no domain; nothing of it is settled.
    assert [(one.model, one.place, one.share) for one in found.squares] == [
        (model, place, share)
        for model in MODELS
        for place, share in (("Odd", 1.0), ("no domain", pytest.approx(20 / 21)))
    ]


def test_domains_and_keywords_give_the_same_counts(tmp_path):
    store = Store(tmp_path)
    run = settled_store(
        store,
        ideas=3,
        keywords=[f"k{n}" for n in range(12)],
        lost=lambda kind, model, keyword, n, m: (
            "refused" if kind == "idea" and int(keyword[1:]) % n == 1 else ""
        ),
    )
    sums = store.benchmarks.sums
    spare = [3 - [3, 1, 0, 0][group.refused_twice] for group in sums.groups(run.id)]
    assert 0 < sum(spare) == sum(one.spare for one in sums.by_domain(run.id, 3))
    assert sum(one.excluded for one in sums.by_domain(run.id, 3)) == sum(
        group.refused_twice for group in sums.groups(run.id)
    )
    assert sum(one.judgments for one in sums.by_domain(run.id, 3)) == sum(
        group.judgments for group in sums.groups(run.id)
    )
    assert progress(store, run).total("left") == 0


def test_before_the_first_call_everything_is_left():
    asked = {
        "topic": "t",
        "keywords": "0" * 64,
        "count": 5,
        "models": [{"model": "x:a"}],
        "judges": [{"model": "y:b"}, {"model": "y:c"}, {"model": "y:d"}],
    }
    found = parts(BenchInputs.model_validate(asked), {})
    assert [(one.kind, one.left) for one in found] == [("idea", 10), ("judge", 30), ("fluency", 5)]


def test_without_judges_there_are_only_ideas(tmp_path):
    store = Store(tmp_path)
    found = progress(store, settled_store(store, judges=()))
    assert {one.kind for one in found.parts} == {"idea"}
    assert (found.share, found.total("left")) == (1.0, 0)


def test_means_of_all_scores_are_those_of_the_cells(run):
    store, one = run
    judged = [
        cell
        for m in range(2)
        for k in range(2)
        for cell in store.benchmarks.cells(one.id, m, k)
        if cell.state == "done"
    ]
    means = store.benchmarks.sums.means(one.id)
    for name in BENCH_DIMENSIONS:
        given = [getattr(cell, name) for cell in judged if cell.kind == "judge"]
        assert means[name] == pytest.approx(sum(given) / len(given))
    assert set(means) == {*BENCH_DIMENSIONS, "fluency"}


# -- pace --------------------------------------------------------------------------------------


def minute(back: int) -> str:
    return (AT - timedelta(minutes=back)).isoformat()[:16]


def test_the_pace_is_of_the_last_five_minutes():
    ended = [
        (minute(9), 1_000, 9_000.0),
        *((minute(back), 60, 120.0) for back in (5, 4, 3, 2, 1)),
        (minute(0), 30, 60.0),
    ]
    pace = take_pace(ended, AT - timedelta(hours=1), AT)
    assert pace.a_minute == pytest.approx(60)
    assert pace.each == pytest.approx(2.0)


def test_what_was_before_a_pause_does_not_slow_the_pace():
    ended = [(minute(4), 600, 600.0), (minute(0), 30, 60.0)]
    assert take_pace(ended, AT - timedelta(seconds=20), AT).a_minute == pytest.approx(90)


def test_without_calls_there_is_no_pace_and_no_time_left(run):
    assert take_pace([], AT, AT) == Pace()
    assert take_pace([(minute(30), 5, 5.0)], AT - timedelta(hours=1), AT) == Pace()
    assert progress(*run).minutes_left is None


def test_time_left_counts_what_is_in_flight(run):
    found = progress(*run).model_copy(
        update={
            "pace": Pace(6.0, 1.0),
            "parts": (ProgressPart(model="m", kind="idea", planned=100, done=40, running=12),),
        }
    )
    assert found.minutes_left == pytest.approx(10)
