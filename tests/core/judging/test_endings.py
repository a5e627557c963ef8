"""Which round a refined idea is from: said in one reading, with the rounds that changed nothing."""

import pytest

from core.judging.endings import name_rounds, rounds_without_change, say_nearness, say_origin
from core.records import Measures, Outcome
from core.story import Line
from tests.support.report_kit import FIRST, idea, said


def line(*versions: tuple[str, bool], of: int, converged: bool = True, reason: str = "Over."):
    """Return a line whose rounds wrote these methods, each improved or not, and its end."""
    rounds = [said(n, method, improved) for n, (method, improved) in enumerate(versions, 1)]
    made = rounds[of - 1].revision.idea if of else FIRST
    end = Outcome(reason=reason, idea=made, round=of, converged=converged)
    parts = [("round-0", FIRST), *((f"round-{done.n}", done) for done in rounds), ("outcome", end)]
    return Line(tuple(parts), 1)


YES, NO = True, False
RESTING = "The last round judged better is round 1; the newer text is kept all the same."


@pytest.mark.parametrize(
    ("versions", "of", "told"),
    [
        (
            [("a", YES), ("b", YES), ("c", YES), ("c", NO), ("c", NO)],
            5,
            "The refined idea is that of round 3; rounds 4 and 5 changed nothing.",
        ),
        (
            [("a", YES), ("a", NO)],
            2,
            "The refined idea is that of round 1; round 2 changed nothing.",
        ),
        (
            [("a", YES), ("a", NO), ("a", NO), ("a", NO)],
            4,
            "The refined idea is that of round 1; rounds 2 to 4 changed nothing.",
        ),
        (
            [("a", YES), ("b", NO), ("c", NO)],
            3,
            f"The refined idea is that of round 3. {RESTING}",
        ),
        (
            [("a", YES), ("b", NO), ("b", NO)],
            3,
            f"The refined idea is that of round 2; round 3 changed nothing. {RESTING}",
        ),
        (
            [("a", NO), ("b", NO)],
            2,
            "The refined idea is that of round 2. No round was judged better than the one before"
            " it; the newest text is kept all the same.",
        ),
        (
            [("a", NO)],
            0,
            "No round was judged better than the one before it: the first idea stays.",
        ),
    ],
)
def test_a_converged_refinement_says_which_round_made_its_idea(versions, of, told):
    assert say_origin(line(*versions, of=of)) == told


def test_one_that_stopped_at_its_limit_names_the_round_alone():
    stopped = line(("a", YES), ("b", NO), of=1, converged=False)
    assert say_origin(stopped) == "The refined idea is that of round 1."


def test_what_the_recorded_reason_says_already_is_not_said_again():
    reason = "Ended in round 2: no revision could be used. This is the idea of round 1."
    assert say_origin(line(("a", YES), of=1, converged=False, reason=reason)) == ""


def test_without_an_end_or_a_round_nothing_is_said():
    assert say_origin(Line((("round-0", FIRST),), 1)) == ""
    assert say_origin(line(of=0)) == ""


def test_a_round_that_left_every_word_changed_nothing():
    assert rounds_without_change(line(("a", YES), ("a", NO), ("b", NO), of=3)) == {2}
    unchanged = [("round-0", idea("a")), ("round-1", said(1, "a", False))]
    assert rounds_without_change(Line(tuple(unchanged), 1)) == {1}


def test_rounds_in_a_row_are_named_shortly():
    assert [name_rounds(4, last) for last in (4, 5, 6)] == [
        "round 4",
        "rounds 4 and 5",
        "rounds 4 to 6",
    ]


@pytest.mark.parametrize(
    ("goal", "was", "now", "told"),
    [
        ("novelty", 0.55, 0.69, "rose from 0.55 to 0.69"),
        ("novelty", 0.55, 0.58, ""),
        ("novelty", 0.5549, 0.5951, "rose from 0.55 to 0.60"),
        ("novelty", 0.69, 0.55, ""),
        ("feasibility", 0.55, 0.69, ""),
        ("novelty", None, 0.69, ""),
    ],
)
def test_a_search_for_novelty_that_came_nearer_to_published_work_says_so(goal, was, now, told):
    made = line(("a", YES), of=1)
    measured = Measures(to_first=0.9, to_previous=0.9, to_nearest=now)
    done = made.rounds[0].model_copy(update={"goal": goal, "measures": measured})
    first = Measures(to_first=1.0, to_previous=1.0, to_nearest=was)
    parts = [("round-0", FIRST), ("round-0/measure", first), ("round-1", done)]
    found = say_nearness(Line((*parts, ("outcome", made.outcome)), 1))
    assert told in found
    assert bool(told) == bool(found)
