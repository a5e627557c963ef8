"""What a model answered, as the benchmark reads it: the faults of the reference, one by one."""

import contextlib
import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from core.benchmark.conducting.answers import (
    GRADES,
    ONE_LETTER,
    REFUSALS,
    Scored,
    final_idea,
    letter,
    refusal,
    words,
)


@pytest.mark.parametrize("phrase", REFUSALS)
@pytest.mark.parametrize(
    "said",
    ["{}, but that would be harmful.", "Hm. {} to help", "<think>Easy.</think>**{}**", "well,\n{}"],
)
def test_every_phrase_shows_a_refusal_however_it_is_typed(phrase, said):
    for one in (
        phrase,
        phrase.upper(),
        phrase.replace("'", "’"),
        phrase.replace("'", "ʼ"),
        phrase.replace(" ", "\n"),
    ):
        assert refusal(said.format(one)) == phrase


@pytest.mark.parametrize(
    "text",
    [
        "Use polymers as an aid to erosion control.",
        "As an AI-driven screen of enzymes, it is fast.",
        "As an AI‑driven screen",
        "as an airborne sensor",
        "Serve as an assistantship",
        "The apology index",
        "AI can't be fooled twice",
        "as a language modelling task",
        "<think>I can't do this.</think>Map soils.",
        "Hi cannot",
        "I cannotate",
        "",
    ],
)
def test_what_only_looks_like_a_phrase_is_no_refusal(text):
    assert refusal(text) is None


def test_a_phrase_counts_wherever_it_stands_as_in_the_protocol():
    assert refusal("Map soils by drone. I cannot say how far it goes.") == "I cannot"
    assert refusal("As an AI: map soils") == "As an AI"


@pytest.mark.parametrize(
    ("text", "idea"),
    [
        ("Let me see.\n**Final Idea:** Map soils.", "Map soils."),
        ("x\n**final idea**: Map soils.", "Map soils."),
        ("x\nFinal Idea:\n\nMap soils.", "Map soils."),
        ("x\n***Final Idea***\nMap soils.", "Map soils."),
        ("x\n## Final idea\nMap soils.", "Map soils."),
        ("x\n**Final Idea: Map soils.**", "Map soils."),
        ("I answer after **Final Idea:** later.\n**Final Idea:** Map soils.", "Map soils."),
        ("x ** Final Idea : ** Map soils.", "Map soils."),
        (
            "<think>**Final Idea:** no</think>\n**Final Idea:** Map **dry** soils.",
            "Map **dry** soils.",
        ),
        ("no tag</think>**Final Idea:** Map soils.", "Map soils."),
    ],
)
def test_the_idea_is_what_follows_the_last_marker(text, idea):
    assert final_idea(text, marked=True) == (idea, False)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Map soils.", "Map soils."),
        ("Map soils.\n**Final Idea:**", "Map soils.\n**Final Idea:**"),
        ("Map soils.\n**Final Idea:** ...", None),
        ("My final idea is to map soils.", None),
        ("This was the final idea: none.", None),
        ("<think>**Final Idea:** Map soils.</think>Dig.", "Dig."),
    ],
)
def test_without_a_marker_the_whole_answer_stands_for_the_idea(text, whole):
    assert final_idea(text, marked=True) == (whole or text, True)


def test_thoughts_are_no_part_of_an_idea_and_no_marker_is_looked_for_unasked():
    assert final_idea("<think>a\nb</think>\n\nMap soils.<think>c</think>", marked=False) == (
        "Map soils.",
        False,
    )
    assert final_idea("Rest.\n**Final Idea:** Map soils.", marked=False) == (
        "Rest.\n**Final Idea:** Map soils.",
        False,
    )
    assert final_idea("<think>cut off in", marked=False) == ("", False)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("  \n", 0),
        ("Map dry soils\nby  drone.", 5),
        ("non-linear PDE's", 2),
        ("土壤侵蚀", 4),
        ("用AI研究土壤。", 6),
        ("土壌のデータ", 6),
        ("토양 침식", 2),
        ("soil 土壤 erosion", 4),
        ("ﾃﾞｰﾀ", 1),
    ],
)
def test_words(text, count):
    assert words(text) == count


@pytest.mark.parametrize(
    "text",
    [
        "B",
        "b",
        " B.\n",
        "(B)",
        "**B**",
        "`B`",
        "B)",
        '"B"',
        "Answer: B",
        "answer: b",
        "The answer is B.",
        "**Answer:** B",
        "Option B",
        "Final answer:\nB",
        "B. Different ideas but addressing similar problems",
        "B. different ideas",
        "B) They differ.",
        "B - they differ",
        "B\n\nBoth concern erosion.",
        "<think>A? No, C.</think>B",
        "Both ideas concern erosion. B",
        "Both ideas concern erosion.\nAnswer: B",
        "They differ.\n\n**B**",
        "B. Both on vitamin B12.",
        "Neither A nor C fits.\nAnswer: B",
        "B. Idea A is wider.\nAnswer: B",
        "A related problem is addressed. B",
    ],
)
def test_a_letter_beyond_doubt_is_read(text):
    assert letter(text) == 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        "None",
        "8/10",
        "7",
        "E",
        "A or B",
        "A/B",
        "A, B",
        "A. B",
        "B. C",
        "A different idea is proposed.",
        "A\nnovel idea",
        "A (novel) idea",
        "Both",
        "Both ideas concern erosion, so C",
        "Both ideas: C",
        "C. elegans is studied in both.",
        "Both concern hepatitis A. B",
        "It compares hepatitis vs. B",
        "A. Different\nB. Similar\nAnswer: B",
        "AnswerB",
        "Answer: A or B",
        "Answer: A. Or rather: Answer: B",
        "The idea of B is better",
        "Different ideas",
        "<think>B",
        "<think>B</think>",
        "D-dimer",
        "C#",
        "AB",
        "B. Both concern vitamin D",
        "Not B",
        "I choose between A and C.",
        "Grade: good",
    ],
)
def test_what_may_mean_another_letter_is_asked_again(text):
    with pytest.raises(ValueError, match=re.escape(ONE_LETTER)):
        letter(text)


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        "*",
        "_",
        "\n",
        "<think>",
        "</think>",
        "final idea",
        "**Final Idea",
        "I ",
        "as an ",
        "A ",
        "A. ",
        "a",
        ">",
        "土",
    ],
)
def test_a_long_answer_is_read_in_a_moment(piece):
    text, before = piece * (200_000 // len(piece)), time.process_time()
    refusal(text)
    words(final_idea(text + "x", marked=True)[0])
    with contextlib.suppress(ValueError):
        letter(text + "x")
    assert time.process_time() - before < 2


@pytest.mark.parametrize(("one", "fluency"), [("A", 10), ("B", 7), ("C", 4), ("D", 1)])
def test_letters_are_mapped_linearly(one, fluency):
    assert letter(one) == fluency
    assert letter(f"Both ideas concern erosion. {one}") == fluency


PIECES = st.sampled_from(
    [
        "A",
        "B",
        "C",
        "D",
        "a",
        "b",
        " ",
        "\n",
        ". ",
        ".",
        ":",
        "Answer",
        "answer is",
        "**",
        "(",
        ")",
        "Both",
        "ideas",
        "vitamin",
        "-",
        "or",
        "not",
        "<think>",
        "</think>",
        "8/10",
        "elegans",
        "é",
        "The",
        ", ",
    ]
)


@given(st.lists(PIECES, max_size=9).map("".join) | st.text(max_size=30))
@settings(max_examples=300)
def test_a_letter_that_is_read_stands_alone_in_the_text(text):
    try:
        fluency = letter(text)
    except ValueError:
        return
    name = next(name for name, value in GRADES.items() if value == fluency)
    assert re.search(rf"(?<![^\W_]){name}(?![^\W_])", text, re.IGNORECASE)


@pytest.mark.parametrize(
    "wrong", ['"8/10"', '"8"', "8.5", "8.0", "true", "0", "11", "null", "[8]", "-1", "1e1"]
)
def test_only_whole_numbers_from_one_to_ten_are_scores(wrong):
    text = '{{"analysis": "Sound.", "originality": {}, "feasibility": 1, "clarity": 10}}'
    assert Scored.model_validate_json(text.format("8")).originality == 8
    with pytest.raises(ValidationError):
        Scored.model_validate_json(text.format(wrong))


@pytest.mark.parametrize(
    "changed", [{"analysis": " "}, {"analysis": None}, {"clarity": None}, {"overall": 7}]
)
def test_a_judgment_is_whole_and_nothing_else(changed):
    whole = {"analysis": "Sound.", "originality": 1, "feasibility": 1, "clarity": 1}
    Scored.model_validate_json(json.dumps(whole))
    with pytest.raises(ValidationError):
        Scored.model_validate_json(
            json.dumps(
                {name: value for name, value in {**whole, **changed}.items() if value is not None}
            )
        )
