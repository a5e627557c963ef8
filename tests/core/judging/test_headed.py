"""Ideas under headings: Layout and Length are decided by code, as a reader would."""

import pytest

from core.judging.headed import BULLETS, headings_changed, layout, length, sections, taken
from core.records import HEADINGS, Idea
from core.wording.sentences import bullets, sentences
from tests.support.evolving import WELL

LAST = sections(WELL)[-1]
TURNED = WELL[LAST.at :] + "\n\n" + WELL[: LAST.at]


def under(form: str) -> str:
    text = WELL
    for name in HEADINGS:
        text = text.replace(f"**{name}**", form.format(name))
    return text


def with_section(name: str, body: str) -> str:
    found = next(one for one in sections(WELL) if one.name == name)
    return WELL[: found.start] + "\n" + body + "\n\n" + WELL[found.end :]


@pytest.mark.parametrize(
    "form",
    ["**{}**", "## {}", "# **{}**", "### {} ###", "{}:", "**{}:**", "**{}**:", "__{}__", "{}"],
)
def test_headings_are_known_in_markdown_in_bold_before_a_colon_and_alone(form):
    text = under(form)
    assert [one.name for one in sections(text)] == list(HEADINGS)
    assert (layout(text), length(text)) == (None, None)


def test_headings_that_came_or_went_are_said():
    well, other, turned = (
        Idea(form="headed", fields={"text": text})
        for text in (WELL, WELL.replace("**Approach**", "**Our approach**"), TURNED)
    )
    assert headings_changed(well, well) == ""
    assert headings_changed(well, other) == (
        "The headings changed. New: Our approach. No longer there: Approach."
    )
    assert headings_changed(well, turned) == "The headings stand in another order."


def test_text_may_follow_a_heading_on_its_line():
    assert (
        layout(WELL.replace("**Title**\n", "**Title**: ")),
        length(WELL.replace("**Title**\n", "Title: ")),
    ) == (None, None)


def test_a_title_in_bold_is_a_title_and_no_heading():
    bold = WELL.replace(
        "Sleep-gated replay for networks that keep learning", "**Sleep-gated replay**"
    )
    assert (layout(bold), length(bold)) == (None, None)


@pytest.mark.parametrize(
    ("text", "issue", "span"),
    [
        ("Here is my idea.\n\n" + WELL, "does not begin with", "Here is my idea."),
        (
            WELL.replace("**Core Problem**", "**Problem**"),
            "'Problem', which is none",
            "**Problem**",
        ),
        (
            WELL.replace("**Core Problem**", "**Core problem**"),
            "'Core problem', instead of 'Core Problem'",
            "**Core problem**",
        ),
        (
            WELL.replace("**Limitations and Risks**", "**Limitations & Risks**"),
            "instead of 'Limitations and Risks'",
            "**Limitations & Risks**",
        ),
        (
            WELL.replace("**Approach**", "2. **Approach**"),
            "'2. Approach', instead of",
            "2. **Approach**",
        ),
        (WELL.replace("**Approach**\n", ""), "There is no heading 'Approach'", ""),
        (WELL + "\n\n## References\nSmith", "'References', which is none", "## References"),
        (WELL + "\n\n**Approach**\nAgain.", "a second time", "**Approach**"),
        (
            "\n\n".join([*reversed(WELL.split("\n\n")[:2]), *WELL.split("\n\n")[2:]]),
            "does not begin with",
            "**Core Problem**",
        ),
        (
            "\n\n".join(
                [
                    *WELL.split("\n\n")[:2],
                    WELL.split("\n\n")[3],
                    WELL.split("\n\n")[2],
                    *WELL.split("\n\n")[4:],
                ]
            ),
            "out of its order",
            "**Experimental Plan / Evaluation**",
        ),
        ("Just a paragraph.", "There is no heading 'Title'", ""),
    ],
)
def test_layout_says_what_is_wrong_with_the_headings_and_where(text, issue, span):
    wrong = layout(text)
    assert wrong
    assert issue in wrong.issue
    assert wrong.span == span
    assert span in text


@pytest.mark.parametrize(
    ("name", "body", "issue"),
    [
        ("Title", "One line\nand another", "takes 2 lines"),
        (
            "Core Problem",
            "One. Two is here. Three is here. Four is here.",
            "Core Problem has 4 sentences",
        ),
        ("Approach", "One is here. Two is here.", "Approach has 2 sentences"),
        ("Approach", "One. Two is it. Three is it. Four is it.", "Approach has 4 sentences"),
        (
            "Experimental Plan / Evaluation",
            "A is so. B is so. C is so. D is so.",
            "has 4 sentences",
        ),
        ("Core Problem", "", "missing or empty"),
        ("Limitations and Risks", "- One.\n- Two.", "has 2 bullets"),
        ("Limitations and Risks", "- One.\n- Two.\n- Three.\n- Four.", "has 4 bullets"),
        ("Limitations and Risks", "None worth a bullet.", "has 0 bullets"),
        ("Related Work and Gap", "A is so. B is so. C is so. D is so.", "has 4 sentences"),
    ],
)
def test_length_says_which_section_is_off_and_points_at_a_passage_of_it(name, body, issue):
    text = with_section(name, body)
    wrong = length(text)
    assert wrong
    assert issue in wrong.issue
    assert name.split()[0].lower() in wrong.suggestion.lower()
    assert wrong.span in text
    assert bool(wrong.span) == bool(body)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_problem_plan_outcomes_and_related_work_take_one_to_three_sentences(n):
    for name in (
        "Core Problem",
        "Experimental Plan / Evaluation",
        "Expected Outcomes and Impact",
        "Related Work and Gap",
    ):
        assert length(with_section(name, " ".join(["This is so."] * n))) is None


def test_an_idea_without_headings_is_too_short_everywhere():
    wrong = length("A paragraph without headings.")
    assert wrong
    assert all(name in wrong.issue for name in HEADINGS)
    assert wrong.span == ""


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("We follow Smith et al. (2024) in this.", 1),
        ("As Smith et al. show, it works.", 1),
        ("See Smith et al. We differ.", 2),
        ("It gains 3.5 points, e.g. on ImageNet, i.e. the set.", 1),
        ("As in Fig. 2 and Eq. 3. We go on.", 2),
        ("J. Doe and A. B. Roe wrote it.", 1),
        ("A version follows J. Doe. It is new.", 2),
        ("We use U.S. data. They suffice.", 2),
        ("He has a Ph.D. in physics.", 1),
        ("We take plan B. Mitigation follows.", 2),
        ("Is it so? Yes! We think so.", 3),
        ('He said "stop." Then he left.', 2),
        ("It rose in 2024. Models grew.", 2),
        ("One line\nwrapped here. Two.", 2),
        ("Without a full stop", 1),
        ("Para one.\n\nPara two", 2),
        ("Compared vs. Baseline A, approx. Half gain.", 1),
        ("", 0),
        ("...", 0),
        ("GPT-4o and Qwen2.5 are used. mRNA counts too.", 2),
        ("We use tools (cf. Sec. 4.2), etc. The rest follows.", 2),
        ("Prof. Lee vs. Dr. Kim.", 1),
    ],
)
def test_sentences_are_counted_as_a_reader_counts_them(text, n):
    assert len(sentences(text)) == n, sentences(text)


@pytest.mark.parametrize(
    "marks",
    [
        ("-", "-", "-"),
        ("*", "*", "*"),
        ("•", "•", "•"),
        ("1.", "2.", "3."),
        ("(1)", "(2)", "(3)"),
        ("–", "–", "–"),
    ],
)
def test_bullets_are_known_by_any_mark_and_may_go_on_in_the_next_line(marks):
    text = "\n".join(f"{mark} Risk {n}\n  goes on." for n, mark in enumerate(marks))
    assert len(bullets(text)) == BULLETS
    assert bullets(text)[0] == "Risk 0\ngoes on."


def test_bullets_within_a_bullet_are_part_of_it():
    assert len(bullets("- One\n    - a\n    - b\n- Two\n- Three")) == 3


def test_a_text_is_taken_as_an_idea_under_headings_only_where_it_has_them():
    assert (taken(WELL).form, taken("Title: a hypothesis about sleep.").form) == (
        "headed",
        "hypothesis",
    )
    assert taken(WELL).title == "Sleep-gated replay for networks that keep learning"
