"""Differences: exact, easily read, tied to the remarks they answer, and drawn as text whatever the
text.
"""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.runs.differences import badge, marked
from core.records import FORMS, Change, Idea, Remark, Review, Revision, Round, Verdict, Wish
from core.wording import differences
from core.wording.differences import (
    Piece,
    between,
    compare,
    form_changed,
    in_brief,
    read_newer,
    seen_from_older,
    unquoted,
)
from tests.browser.test_text import WORDS as SIGNS
from tests.test_hostile import HOSTILE, PLAIN, tags
from tests.test_hostile import WORDS as AS_WORDS

OLD = "Orexin levels may improve sleep quality and energy in adolescent athletes."
NEW = (
    "Raising orexin by diet may improve the sleep quality, energy and mood of adolescent athletes"
    " over 12 weeks."
)
BITS = [
    "sleep",
    "memory",
    "the",
    "of",
    ".",
    ",",
    " ",
    "  ",
    "\n\n",
    "\t",
    "é",
    "e\u0301",
    "🧑‍🔬",
    "睡眠",
    "-",
    "'",
    "12",
    "3.5",
    "_",
    "\u2028",
]
WORDY = st.lists(st.sampled_from(BITS)).map("".join)
TEXTS = st.one_of(st.text(), WORDY, st.text(alphabet=" \n\t\u00a0\u2003"))


def written(pieces) -> str:
    """Write pieces as `[-went-]` and `{+came+}`."""
    return "".join(
        {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}[piece.kind].format(piece.text)
        for piece in pieces
    )


def six(**fields: str) -> Idea:
    return Idea(
        form="six-field",
        fields={name: fields.get(name, f"{name} of sleep") for name in FORMS["six-field"]},
    )


@given(TEXTS, TEXTS)
@example("", "")
@example("", " ")
@example(" a", "a ")
@example("It works.", "It works. It is new.")
def test_the_pieces_are_both_texts_exactly(old, new):
    pieces = compare(old, new)
    older = "".join(piece.text for piece in pieces if piece.kind != "added")
    assert (older, read_newer(pieces)) == (old, new)
    assert all(piece.text for piece in pieces)
    assert all(
        one.kind != other.kind and (one.kind, other.kind) != ("added", "removed")
        for one, other in pairwise(pieces)
    )


@given(TEXTS)
def test_equal_texts_have_no_differences(text):
    assert all(piece.kind == "same" for piece in compare(text, text))


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        (
            OLD,
            NEW,
            "[-Orexin levels-]{+Raising orexin by diet+} may improve {+the +}sleep quality"
            "[- and energy in-]{+, energy and mood of+} adolescent athletes{+ over 12 weeks+}.",
        ),
        (
            "the big dog of the farm",
            "the huge cat of the farm",
            "the [-big dog-]{+huge cat+} of the farm",
        ),
        (
            "a red car and blue house",
            "a green car and white house",
            "a [-red car and blue-]{+green car and white+} house",
        ),
        (
            "It works. We test.",
            "It works. We test. It is new.",
            "It works. We test.{+ It is new.+}",
        ),
        ("It works. We test. It is new.", "It works.", "It works.[- We test. It is new.-]"),
        (
            "sleep and memory.",
            "neural fatigue of athletes.",
            "[-sleep and memory.-]{+neural fatigue of athletes.+}",
        ),
        ("nap 🧑‍🔬 here", "nap 👩‍🔬 here", "nap [-🧑‍🔬-]{+👩‍🔬+} here"),
        ("one  two", "one two", "one [- -]two"),
        ("", "sleep", "{+sleep+}"),
        ("sleep", "", "[-sleep-]"),
        ("", "", ""),
        ("3.5 mg", "3.6 mg", "[-3.5-]{+3.6+} mg"),
    ],
)
def test_differences_read_as_a_person_would_mark_them(old, new, seen):
    assert written(compare(old, new)) == seen


def test_texts_laid_out_anew_differ_in_white_space_only():
    pieces = compare("we go to bed at ten on most days", "we  go  to  bed  at  ten  on  most  days")
    assert not [piece for piece in pieces if piece.kind != "same" and piece.text.strip()]


def test_a_change_names_every_remark_whose_passage_overlaps_it():
    changes = [
        Change(field="hypothesis", passage="Raising  orexin\nby diet", remarks=("r1", "r2")),
        Change(field="Hypothesis", passage="diet may", remarks=("r2", "p1")),
        Change(field="hypothesis", passage="adolescent athletes", remarks=("r9",)),
        Change(field="method", passage="weeks", remarks=("r8",)),
    ]
    found = {
        one.field: one.pieces for one in between(six(hypothesis=OLD), six(hypothesis=NEW), changes)
    }
    assert {piece.text: piece.remarks for piece in found["hypothesis"] if piece.remarks} == {
        "Orexin levels": ("r1", "r2", "p1"),
        "Raising orexin by diet": ("r1", "r2", "p1"),
    }
    assert not any(piece.remarks for piece in found["method"])


def test_what_merely_went_names_the_remark_whose_passage_it_stood_in():
    changes = [
        Change(field="method", passage="Measure sleep daily", remarks=("r1",)),
        Change(field="method", passage="home", remarks=("r2",)),
    ]
    found = between(
        six(method="Measure sleep and memory daily at home"),
        six(method="Measure sleep daily at home"),
        changes,
    )
    assert [
        (piece.text, piece.remarks)
        for one in found
        for piece in one.pieces
        if piece.kind == "removed"
    ] == [("and memory ", ("r1",))]


def test_a_paragraph_is_compared_with_the_hypothesis_and_other_fields_are_new():
    found = between(Idea(form="hypothesis", fields={"hypothesis": OLD}), six(hypothesis=NEW))
    assert [one.field for one in found] == list(FORMS["six-field"])
    assert found[3].pieces == compare(OLD, NEW)
    assert {piece.kind for one in found if one.field != "hypothesis" for piece in one.pieces} == {
        "added"
    }


def test_fields_only_the_older_idea_has_come_last_as_removed():
    found = between(
        Idea(form="chain", fields={name: f"{name} of sleep" for name in FORMS["chain"]}), six()
    )
    assert [one.field for one in found] == [
        *FORMS["six-field"],
        "motivation",
        "novelty",
        "difference",
        "challenges",
    ]
    assert [piece.kind for one in found[6:] for piece in one.pieces] == ["removed"] * 4


MOVED = "People who sleep badly remember less."
DROPPED = "It was never asked before by anyone."
OF_A_CHAIN = Idea(
    form="chain",
    fields={
        "title": "Sleep and memory",
        "motivation": f"{MOVED} {DROPPED}",
        "novelty": "Nobody measured naps at home.",
        "method": "We measure the sleep of 60 athletes at home.",
        "difference": "Others measured in a laboratory.",
        "challenges": "Few will wear the sensor.",
    },
)
IN_SIX = Idea(
    form="six-field",
    fields={
        "title": "Sleep and memory",
        "problem": MOVED,
        "objective": "Nobody measured naps at home.",
        "hypothesis": "Longer naps raise recall by a tenth.",
        "method": "We measure the sleep of 15 athletes at home. Others measured in a laboratory.",
        "expected_impact": "Few will wear the sensor.",
    },
)


def test_between_two_forms_only_sentences_that_are_new_or_gone_are_marked():
    found = {one.field: written(one.pieces) for one in between(OF_A_CHAIN, IN_SIX)}
    assert found == dict(IN_SIX.fields) | {
        "hypothesis": "{+Longer naps raise recall by a tenth.+}",
        "method": (
            "We measure the sleep of [-60-]{+15+} athletes at home. Others measured in a"
            " laboratory."
        ),
        "motivation": f"[-{DROPPED}-]",
    }
    assert [one.field for one in between(OF_A_CHAIN, IN_SIX) if one.rest] == ["motivation"]


@pytest.mark.parametrize(
    "passage",
    [
        "It was described by Li et al. (2023), on solvers, alone and together.",
        "Cases (e.g. Burgers, i.e. Advection) are drawn in Fig. 3 there.",
        "As J. Doe and A. B. Roe said, it rests.",
    ],
)
def test_an_abbreviation_or_an_initial_does_not_break_a_change_between_two_forms(passage):
    before = IN_SIX.fields["expected_impact"]
    fields = {**IN_SIX.fields, "expected_impact": f"{before} {passage}"}
    newer = IN_SIX.model_copy(update={"fields": fields})
    found = {one.field: one for one in between(OF_A_CHAIN, newer)}
    assert written(found["expected_impact"].pieces) == f"{before} {{+{passage}+}}"
    whole = Change(field="expected_impact", passage=passage, remarks=("r2",))
    tied = {one.field: one for one in between(OF_A_CHAIN, newer, [whole])}["expected_impact"]
    assert [piece.text for piece in tied.pieces if piece.remarks] == [passage]


def test_the_older_of_two_forms_is_read_under_its_own_headings():
    older = {one.field: one.pieces for one in seen_from_older(OF_A_CHAIN, IN_SIX)}
    for name, text in OF_A_CHAIN.fields.items():
        assert "".join(piece.text for piece in older[name] if piece.kind != "added") == text
    assert written(older["motivation"]) == f"{MOVED} [-{DROPPED}-]"


def test_that_the_form_changed_is_said_once_and_no_field_is_new_for_it():
    lines = in_brief(OF_A_CHAIN, IN_SIX, [])
    assert lines == (
        form_changed(OF_A_CHAIN, IN_SIX),
        "Text that is wholly new: Hypothesis.",
        "New or rewritten in part: Method.",
        "Sentences no longer there, of what stood under: Motivation.",
    )
    assert form_changed(IN_SIX, IN_SIX) == ""


@pytest.mark.parametrize(
    ("many", "kinds"), [(300, {"same", "removed", "added"}), (400, {"removed", "added"})]
)
def test_of_more_sentences_than_any_idea_has_none_is_told_to_be_another_rewritten(many, kinds):
    old, new = (
        " ".join(f"Night {n} of sleep helps all runners {how}." for n in range(many))
        for how in ("remember", "recover")
    )
    found = between(Idea(form="hypothesis", fields={"hypothesis": old}), six(hypothesis=new))
    told = next(one for one in found if one.field == "hypothesis")
    assert {piece.kind for piece in told.pieces if piece.text.strip()} == kinds


def test_a_passage_that_is_not_there_is_no_quote():
    there, elsewhere, nowhere, no_field = (
        Change(field=field, passage=passage)
        for field, passage in (
            ("hypothesis", "may\n improve the"),
            ("method", "may improve the"),
            ("hypothesis", "may worsen (.*"),
            ("abstract", "may improve"),
        )
    )
    assert unquoted(six(hypothesis=NEW), [there, elsewhere, nowhere, no_field]) == (
        elsewhere,
        nowhere,
        no_field,
    )


def played(
    n: int, idea: Idea, changes: list[Change], improved: bool = True, wishes: tuple[Wish, ...] = ()
) -> Round:
    review = Review(
        summary="thin",
        remarks=(
            Remark(id="r1", text="The sample is too large."),
            Remark(id="r2", text="The period is too short."),
        ),
    )
    return Round(
        n=n,
        review=review,
        wishes=wishes,
        revision=Revision(idea=idea, changes=tuple(changes)),
        verdict=Verdict(improved=improved, reason="so it is"),
        quiet=0,
    )


def test_five_lines_say_fields_first_and_then_passages_that_still_stand():
    last = six(hypothesis=NEW, method="We recruit 15 athletes. Parents are involved.")
    wish = Wish(text="Involve the parents.", by="Ada", id="p1")
    weeks = Change(field="hypothesis", passage="over 12 weeks", remarks=("r2",))
    parents = Change(field="method", passage="Parents are involved", remarks=("p1",))
    athletes, gone = (
        Change(field="method", passage=passage, remarks=("r1",))
        for passage in ("We recruit 15 athletes", "gone since")
    )
    unknown = Change(field="method", passage="We recruit", remarks=("r7",))
    rounds = [
        played(1, last, [weeks, gone]),
        played(2, last, [athletes], improved=False),
        played(3, last, [weeks, parents, unknown], wishes=(wish,)),
    ]
    assert in_brief(Idea(form="hypothesis", fields={"hypothesis": OLD}), last, rounds) == (
        (
            "The form changed from one paragraph to six fields; a sentence that stands in both,"
            " under whatever heading, counts as unchanged."
        ),
        "Text that is wholly new: Title, Problem, Objective, Method, Expected impact.",
        "New or rewritten in part: Hypothesis.",
        (
            "Round 1: “over 12 weeks”; as the generator says, this answers the review's remark r2,"
            " “The period is too short.”"
        ),
        (
            "Round 3: “Parents are involved”; as the generator says, this answers what Ada asked"
            " for, “Involve the parents.”"
        ),
    )


def test_a_later_round_is_told_of_before_a_second_passage_of_an_earlier_one():
    long = ["Sleep is measured by a watch on every night of the term.", "Naps are counted by hand."]
    last = six(method=" ".join([*long, "It is short."]))
    rounds = [
        played(1, last, [Change(field="method", passage=one, remarks=("r1",)) for one in long * 2]),
        played(2, last, [Change(field="method", passage="It is short.", remarks=("r1",))]),
    ]
    told = [line.split(":")[0] for line in in_brief(six(), last, rounds)]
    assert told[-3:] == ["Round 1", "Round 1", "Round 2"]
    crowded = in_brief(six(title="Other", problem="Other.", objective="New."), last, rounds)
    assert [line.split(":")[0] for line in crowded if "ound" in line[:5]][-1] == "Round 2"


def test_five_lines_are_five_at_most_and_one_when_nothing_changed():
    last = six(method=" ".join(f"Step {n} measures sleep." for n in range(20)))
    many = [
        played(
            n, last, [Change(field="method", passage=f"Step {n} measures sleep.", remarks=("r1",))]
        )
        for n in range(1, 15)
    ]
    lines = in_brief(six(), last, many)
    assert [line.split(":")[0] for line in lines[1:]] == [
        "Round 10",
        "Round 11",
        "Round 12",
        "Round 13",
        "And 10 more passages.",
    ]
    assert in_brief(six(), six(), [played(1, last, [])]) == (
        "Nothing changed: it is the first idea, word for word.",
    )


CHANGED = (
    Piece(kind="same", text="We recruit "),
    Piece(kind="removed", text="60", remarks=("r1",)),
    Piece(kind="added", text="15", remarks=("r1",)),
    Piece(kind="same", text=" athletes"),
    Piece(kind="added", text=" and\n\nparents", remarks=("p1",)),
    Piece(kind="same", text="."),
)


def test_each_change_is_marked_by_form_and_followed_by_its_remarks():
    assert (
        marked(CHANGED)
        == "We recruit :red[~~60~~] :green-background[:green[*15*]] :orange-badge[r1] athletes"
        " :green-background[:green[*and*]]\n\n:green-background[:green[*parents*]]"
        " :gray-badge[:material/person: p1]\\."
    )


def test_with_one_remark_chosen_all_other_changes_are_plain_and_new():
    assert marked(CHANGED, "p1").startswith("We recruit 15 athletes :green-background[")
    assert marked(CHANGED, "r2") == "We recruit 15 athletes and\n\nparents\\."


def test_white_space_alone_is_never_marked():
    assert marked(compare("one  two\n", "one two")) == "one two"


@pytest.mark.parametrize("words", [*HOSTILE.values(), *SIGNS.values()], ids=[*HOSTILE, *SIGNS])
def test_hostile_words_stay_text_in_every_kind_of_piece(words):
    pieces = tuple(
        Piece(kind=kind, text=f"{edge}{words}{edge}", remarks=(words,) if kind != "same" else ())
        for kind in ("same", "removed", "added", "same")
        for edge in ("", " ", "\n")
    )
    for chosen in (None, words, "r1"):
        assert tags(marked(pieces, chosen)) <= PLAIN | AS_WORDS | {"s_open", "s_close"}
    assert len(badge(words)) < 200


@given(st.text(alphabet="aB.!? \n\t", max_size=60))
def test_sentences_part_where_they_did_when_every_sign_of_a_gap_was_tried(text):
    every = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")
    found = [one.span() for one in differences._BETWEEN_SENTENCES.finditer(text)]
    assert found == [one.span() for one in every.finditer(text)]
