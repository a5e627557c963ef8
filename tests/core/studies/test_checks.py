"""Answers that do not fit are refused with a sentence; forms half filled in say what is open."""

import pytest

from core.errors import BadInput
from core.records import (
    Afterwards,
    CommentAnswer,
    CompareAnswer,
    Preference,
    RankAnswer,
    RateAnswer,
    SpanRemark,
    StudyUnit,
)
from core.studies.checks import answer_of, checked, ended, missing
from tests.support.sessions import studies_kit as kit

CRITERIA = kit.plan().criteria
ONE, PAIR, SET = (
    StudyUnit(id="u001", labels=labels) for labels in (("K7",), ("A2", "K7"), ("A2", "B1", "K7"))
)
SEEN = kit.trajectory("Naps", 2)


# -- drafts ------------------------------------------------------------------------------------

WHOLE = {
    "rate": (
        ONE,
        {"scores": {"novelty": 7, "clarity": None}, "note": " Well. "},
        RateAnswer(scores={"novelty": 7, "clarity": None}, note="Well."),
    ),
    "rank": (
        SET,
        {"groups": [["K7"], ["A2", "B1"]], "note": ""},
        RankAnswer(groups=(("K7",), ("A2", "B1"))),
    ),
    "compare": (
        PAIR,
        {
            "preferences": {"novelty": {"better": "K7", "much": True}, "clarity": {"better": ""}},
            "both_weak": True,
        },
        CompareAnswer(
            preferences={
                "novelty": Preference(better="K7", much=True),
                "clarity": Preference(better=""),
            },
            both_weak=True,
        ),
    ),
    "comment": (
        ONE,
        {"valid": "yes", "answered": "no", "change": "same", "remarks": []},
        CommentAnswer(valid="yes", answered="no", change="same"),
    ),
}


@pytest.mark.parametrize("task", WHOLE)
def test_a_whole_draft_is_the_answer(task):
    unit, draft, answer = WHOLE[task]
    assert answer_of(task, draft, unit, CRITERIA) == answer
    checked(answer, unit, CRITERIA, SEEN)


@pytest.mark.parametrize(
    ("task", "draft", "open_"),
    [
        ("rate", {}, "novelty, clarity"),
        ("rate", {"scores": {"clarity": None}}, "novelty"),
        ("rank", {"groups": [["K7"]]}, "A2, B1"),
        ("rank", {}, "A2, B1, K7"),
        (
            "compare",
            {"preferences": {"novelty": {"better": "K7", "much": False}}, "both_weak": True},
            "clarity",
        ),
        ("comment", {"valid": "yes"}, "whether the revision answered it, what became of the idea"),
    ],
)
def test_a_draft_with_gaps_says_what_is_open(task, draft, open_):
    unit = WHOLE[task][0]
    assert ", ".join(missing(task, draft, unit, CRITERIA)) == open_
    with pytest.raises(BadInput, match=f"Still open: {open_}"):
        answer_of(task, draft, unit, CRITERIA)


@pytest.mark.parametrize(
    "draft",
    [
        {"scores": {"novelty": 11, "clarity": 3}},
        {"scores": {"novelty": "much", "clarity": 3}},
        {"scores": {"novelty": 1, "clarity": 3}, "model": "x"},
    ],
)
def test_a_draft_no_form_writes_is_refused(draft):
    with pytest.raises(BadInput, match="cannot be read"):
        answer_of("rate", draft, ONE, CRITERIA)


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "answer", "said"),
    [
        (ONE, RateAnswer(scores={"novelty": 3}), "Still open: clarity"),
        (
            ONE,
            RateAnswer(scores={"novelty": 3, "clarity": 1, "charm": 9}),
            "does not ask for charm",
        ),
        (
            PAIR,
            CompareAnswer(preferences={"novelty": Preference(better="A2")}),
            "Still open: clarity",
        ),
        (
            PAIR,
            CompareAnswer(preferences=dict.fromkeys(kit.CRITERIA, Preference(better="left"))),
            "left is not among",
        ),
        (
            PAIR,
            CompareAnswer(
                preferences=dict.fromkeys(kit.CRITERIA, Preference(better="", much=True))
            ),
            "A tie cannot be much",
        ),
        (SET, RankAnswer(groups=(("A2",), ("K7",))), "Still open: B1"),
        (SET, RankAnswer(groups=(("A2",), ("K7", "B1", "A2"))), "A2 has more than one place"),
        (SET, RankAnswer(groups=(("A2",), ("K7",), ("B1", "C9"))), "C9 is not among"),
        (SET, RankAnswer(groups=(("A2",), (), ("B1", "K7"))), "A place in the order is empty"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(unit, answer, said):
    with pytest.raises(BadInput, match=said):
        checked(answer, unit, CRITERIA)


def remarked(of: str, quote: str) -> CommentAnswer:
    return CommentAnswer(
        valid="yes",
        answered="yes",
        change="same",
        remarks=(SpanRemark(of=of, quote=quote, text="Why?"),),
    )


@pytest.mark.parametrize(
    ("of", "quote"),
    [
        ("idea", "Naps, version 2 (method)"),
        ("idea", "Naps, first (title)"),
        ("review", "Say in round 2 what is measured."),
        ("review", "Round 1:  Naps\nlacks a test."),
        ("idea", "**Naps, version 1 (problem)**"),
    ],
)
def test_a_quote_may_differ_in_spaces_and_emphasis_only(of, quote):
    checked(remarked(of, quote), ONE, (), SEEN)


@pytest.mark.parametrize(
    ("of", "quote"),
    [
        ("idea", "Naps, version 3"),
        ("idea", "lacks a test"),
        ("review", "Naps, version 1"),
        ("idea", "naps, VERSION"),
        ("idea", "  "),
        ("idea", "**"),
    ],
)
def test_a_quote_of_what_was_not_shown_is_refused(of, quote):
    with pytest.raises(BadInput, match="not in the"):
        checked(remarked(of, quote), ONE, (), SEEN)


# -- at the end --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"human": {}}, "Still open: 1 of 1"),
        ({"human": {"u001": "Q9"}}, "Q9 is not among"),
        ({"human": {"u001": "", "u002": "A2"}}, "not shown is among your guesses"),
        ({"human": {"u001": ""}, "seen_before": ("X1",)}, "not shown X1"),
    ],
)
def test_the_end_asks_of_every_hidden_set(said, why):
    with pytest.raises(BadInput, match=why):
        ended(Afterwards(familiarity=1, confidence=1, **said), (SET,), frozenset(SET.labels))


def test_cannot_tell_is_an_answer():
    ended(
        Afterwards(familiarity=1, confidence=1, human={"u001": ""}, seen_before=("B1",)),
        (SET,),
        frozenset(SET.labels),
    )


@pytest.mark.parametrize(
    ("task", "draft"),
    [
        ("rank", {"groups": [[["K7"]]]}),
        ("rank", {"groups": 5}),
        ("rank", {"groups": [None]}),
        ("rate", {"scores": 5}),
    ],
)
def test_a_draft_of_a_shape_no_form_writes_is_refused_with_a_sentence(task, draft):
    with pytest.raises(BadInput, match="cannot be read"):
        answer_of(task, draft, SET if task == "rank" else ONE, CRITERIA)
