"""The built-in reviewer, reviser and judge measure the same things, so that a refinement improves
for some rounds and then visibly rests.
"""

from itertools import pairwise

import pytest

from core.methods.presets import FEASIBILITY, NOVELTY
from core.models.builtin.english import sentences
from core.models.builtin.phrases import cite
from core.models.builtin.refinement import apply_edits
from core.models.builtin.rules import Edit
from core.models.builtin.setting import kind_of
from core.records import Direction, Idea, Indicator, Remark, Review, Wish
from tests.support.builtin_kit import GOALS, TOPICS, Bench, bench  # noqa: F401

PAPER = "the nearest background paper"
PERSON = Idea(
    form="six-field",
    fields={
        "title": "Evening light for teenage swimmers",
        "problem": "Teenage swimmers train early and sleep badly.",
        "objective": "Improve their sleep.",
        "hypothesis": "Bright light in the morning shifts the clock.",
        "method": "Give swimmers a light box for breakfast.",
        "expected_impact": "Better sleep and better times.",
    },
)
KINDNESS = Indicator(
    name="kindness", traits=("respect for participants", "fun", "honest reporting")
)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@pytest.mark.parametrize("topic", [*TOPICS, "how do bees navigate?"])
@pytest.mark.parametrize("seed", [1, 4])
def test_a_refinement_improves_for_rounds_and_converges_within_eight(bench, topic, goal, seed):  # noqa: F811
    context = bench.near(topic)
    revisions, improved, reviews = bench.refine(
        goal, context, bench.first(topic, goal, context, seed)
    )
    # An answer that would bring an idea nearer to a paper is left out of a refinement for novelty:
    # it may rest a round sooner, with those remarks unanswered.
    fewest, most_left = (4, 4) if goal == NOVELTY else (5, 1)
    assert fewest <= len(improved) <= 8
    assert improved == [True] * (len(improved) - 2) + [False, False]
    counts = [len(review.remarks) for review in reviews]
    assert counts[0] >= 3
    assert counts[-1] <= most_left
    assert all(
        len(text.split()) < 250 for revision in revisions for text in revision.idea.fields.values()
    )


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@pytest.mark.parametrize("topic", TOPICS)
def test_an_idea_from_a_chain_is_refined_and_rests_too(bench, topic, goal):  # noqa: F811
    chain = bench.chain(topic)
    _, _, idea = bench.think(topic, chain)
    _, improved, _ = bench.refine(goal, chain.papers, idea)
    assert 4 <= len(improved) <= 8
    assert improved[:2] == [True, True]
    assert improved[-2:] == [False, False]


def test_a_trait_no_rule_can_judge_is_left_to_a_person_and_never_counts_as_met(bench):  # noqa: F811
    review = bench.review(KINDNESS, (), PERSON)
    left = {
        remark.trait: remark.text for remark in review.remarks if "a person must" in remark.text
    }
    assert {"fun", "honest reporting"} <= set(left)
    revisions, improved, reviews = bench.refine(KINDNESS, (), PERSON)
    assert improved[0]
    assert improved[-2:] == [False, False]
    assert {"fun", "honest reporting"} <= {remark.trait for remark in reviews[-1].remarks}
    assert "honest reporting" not in revisions[-1].idea.text


def test_repeating_a_trait_in_words_is_no_improvement(bench):  # noqa: F811
    ward = Indicator(name="ward", traits=("useful to a ward nurse",))
    filled = PERSON.model_copy(
        update={
            "fields": (
                PERSON.fields
                | {
                    "method": (
                        PERSON.fields["method"] + " For useful to a ward nurse, it is written down."
                    )
                }
            )
        }
    )
    assert not bench.judge(ward, (), PERSON, filled, bench.review(ward, (), PERSON)).improved


TYPED = {
    (
        "Give night-shift nurses blue-blocking glasses and measure their sleep with a wrist band"
        " for two weeks."
    ): (
        "blue-blocking glasses",
        "nurses",
        "sleep",
    ),
    (
        "Train a small language model to rank research ideas by how surprising they are, and"
        " compare its ranking with that of human reviewers."
    ): (
        "small language model",
        "research ideas",
        "surprising",
    ),
    (
        "Use a graph neural operator on coarse meshes of turbine blades and correct it with a"
        " classical solver every ten steps."
    ): (
        "graph neural operator",
        "turbine blades",
        "classical solver",
    ),
    "We want to apply compost tea to tomato seedlings and count the leaves after six weeks.": (
        "compost tea",
        "tomato seedlings",
        "leaves",
    ),
}


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@pytest.mark.parametrize("typed", TYPED)
def test_what_a_person_proposed_stays_the_core_of_every_round(bench, typed, goal):  # noqa: F811
    revisions, improved, _ = bench.refine(
        goal, (), Idea(form="hypothesis", fields={"hypothesis": typed})
    )
    assert 4 <= len(improved) <= 8
    device, who, what = TYPED[typed]
    for revision in revisions:
        fields = revision.idea.fields
        assert all(
            device in fields[name] and who in fields[name]
            for name in ("title", "objective", "hypothesis", "method")
        )
        assert all(what in fields[name] for name in ("objective", "hypothesis"))
        assert typed in fields["method"]
        assert fields["title"] == revisions[0].idea.fields["title"]


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
def test_words_nothing_is_recognised_in_stay_as_they_are_and_no_paper_is_dragged_in(bench, goal):  # noqa: F811
    typed = "Medieval fish prices in Bergen followed the tax law rather than the catch."
    revisions, _, _ = bench.refine(
        goal, bench.near(TOPICS[1]), Idea(form="hypothesis", fields={"hypothesis": typed})
    )
    for revision in revisions:
        assert revision.idea.fields["hypothesis"].startswith(typed)
        assert revision.idea.fields["title"] == typed.rstrip(".")
        assert "et al." not in revision.idea.text


def test_what_was_joined_by_a_person_is_not_taken_apart_for_simplicity(bench):  # noqa: F811
    typed = (
        "Combine Fourier layers with local attention for flow around cylinders, and compare the"
        " error with that of GINO."
    )
    revisions, _, _ = bench.refine(
        FEASIBILITY, (), Idea(form="hypothesis", fields={"hypothesis": typed})
    )
    assert typed in revisions[-1].idea.fields["method"]


def test_every_change_stands_word_for_word_in_its_field_and_answers_a_remark(bench):  # noqa: F811
    for goal in GOALS:
        revisions, _, reviews = bench.refine(goal, (), PERSON)
        for revision, review in zip(revisions, reviews, strict=True):
            assert all(
                change.passage in revision.idea.fields[change.field] for change in revision.changes
            )
            assert {name for change in revision.changes for name in change.remarks} <= {
                remark.id for remark in review.remarks
            }


def test_a_revision_keeps_what_nobody_objected_to(bench):  # noqa: F811
    idea = bench.revise(FEASIBILITY, (), PERSON, bench.review(FEASIBILITY, (), PERSON)).idea
    for name in ("title", "problem", "objective", "hypothesis"):
        assert idea.fields[name] == PERSON.fields[name]
    assert PERSON.fields["method"] in idea.fields["method"]


def test_a_wish_is_worked_in_and_outlives_later_rounds(bench):  # noqa: F811
    wish = Wish(text="Use only one swimming club!", by="Ada")
    revision = bench.revise(FEASIBILITY, (), PERSON, bench.review(FEASIBILITY, (), PERSON), (wish,))
    assert "use only one swimming club" in revision.changes[0].passage
    assert "Ada" in revision.changes[0].passage
    later, _, _ = bench.refine(FEASIBILITY, (), revision.idea)
    assert revision.changes[0].passage in later[-1].idea.fields["method"]


def test_a_declined_remark_is_not_answered(bench):  # noqa: F811
    review = bench.review(FEASIBILITY, (), PERSON)
    left = review.model_copy(update={"remarks": review.remarks[2:]})
    answered = {
        name
        for change in bench.revise(FEASIBILITY, (), PERSON, left).changes
        for name in change.remarks
    }
    assert answered == {remark.id for remark in review.remarks[2:4]}


def test_a_remark_in_a_persons_words_is_understood_by_its_meaning(bench):  # noqa: F811
    review = Review(
        summary="Weak.",
        remarks=(
            Remark(
                id="mine",
                text=(
                    "There is no baseline and no control group to compare with, so no effect can be"
                    " seen."
                ),
            ),
        ),
    )
    changes = bench.revise(FEASIBILITY, (), PERSON, review).changes
    assert [change.remarks for change in changes] == [("mine",)]
    assert "compared" in changes[0].passage


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.name)
@pytest.mark.parametrize(
    "text",
    [
        "Name the brand of every wrist device that is handed out.",
        "Name the mechanism.",
        "No mechanism is proposed why light would help; say which signal comes from outside.",
        "Which swimmers?",
    ],
)
def test_a_remark_that_no_rule_stands_for_stays_open(bench, goal, text):  # noqa: F811
    review = Review(summary="Weak.", remarks=(Remark(id="mine", text=text),))
    revision = bench.revise(goal, (), PERSON, review)
    assert not [change for change in revision.changes if "mine" in change.remarks]
    assert "As the review asks" not in revision.idea.text


def test_a_remark_that_names_what_is_to_be_replaced_is_answered_by_that(bench):  # noqa: F811
    text = "Use a sleep diary instead of the light box."
    review = Review(summary="Weak.", remarks=(Remark(id="mine", text=text),))
    revision = bench.revise(FEASIBILITY, (), PERSON, review)
    assert "a sleep diary for breakfast" in revision.idea.fields["method"]
    assert ("mine",) in [change.remarks for change in revision.changes]


def test_the_review_names_the_nearest_paper_and_quotes_the_overlap(bench):  # noqa: F811
    paper = bench.near(TOPICS[2], 1)[0]
    copied = Idea(form="hypothesis", fields={"hypothesis": paper.abstract})
    remark = bench.review(NOVELTY, (), copied).remarks[0]
    assert remark.trait == "originality"
    assert any(line[:60] in remark.text for line in paper.abstract.split(". "))


def test_a_copied_idea_is_moved_away_from_the_paper(bench):  # noqa: F811
    paper = bench.near(TOPICS[2], 1)[0]
    _revisions, improved, reviews = bench.refine(
        NOVELTY, (), Idea(form="hypothesis", fields={"hypothesis": paper.abstract})
    )
    assert improved[0]
    assert improved[-2:] == [False, False]
    assert "says already" in reviews[0].remarks[0].text
    assert not any("says already" in remark.text for remark in reviews[-1].remarks)


def test_reworded_is_not_improved_and_worse_is_not_improved(bench):  # noqa: F811
    review = bench.review(NOVELTY, (), PERSON)
    better = bench.revise(NOVELTY, (), PERSON, review).idea
    worded = PERSON.model_copy(
        update={"fields": PERSON.fields | {"objective": "Make their sleep better."}}
    )
    assert bench.judge(NOVELTY, (), PERSON, better, review).improved
    assert not bench.judge(NOVELTY, (), PERSON, worded, review).improved
    verdict = bench.judge(NOVELTY, (), better, PERSON, review)
    assert not verdict.improved
    assert "No longer met" in verdict.reason


def test_a_sentence_that_quotes_what_is_quoted_already_takes_its_place():
    quote = "Networks conserve energy in small systems, but fields need more."
    before = f"Zhou and Farimani (2025) set out from this problem: {quote} It bears on fields."
    fields = {**PERSON.fields, "problem": before}
    gap = "Zhou and Farimani (2025) set out from a problem, and it has not been tried"
    revised = apply_edits(fields, [(Edit("problem", f"{gap}: {quote}"), "r1")])
    assert revised.problem == f"{gap}: {quote} It bears on fields."
    assert [change.passage for change in revised.changes] == [f"{gap}: {quote}"]
    # The same words without a paper's name are a person's own, and stay.
    own = {**PERSON.fields, "problem": f"The problem is this: {quote}"}
    kept = apply_edits(own, [(Edit("problem", f"{gap}: {quote}"), "r1")])
    assert kept.problem.startswith("The problem is this: ")


def test_repeating_what_stands_there_is_never_judged_better(bench, monkeypatch):  # noqa: F811
    # The distance to the nearest paper, which a repetition may well move, counts for nothing then.
    monkeypatch.setattr("core.models.builtin.refinement.MOVED", -1.0)
    context = bench.near(TOPICS[0])
    review = bench.review(NOVELTY, context, PERSON)
    twice = f"{PERSON.fields['problem']} {PERSON.fields['problem']}"
    repeated = PERSON.model_copy(update={"fields": {**PERSON.fields, "problem": twice}})
    other = PERSON.model_copy(update={"fields": {**PERSON.fields, "problem": "Nobody sleeps."}})
    assert bench.judge(NOVELTY, context, PERSON, other, review).improved
    found = bench.judge(NOVELTY, context, PERSON, repeated, review)
    assert not found.improved
    assert "What came stands there already" in found.reason


def test_nothing_measurable_left_is_said_in_one_remark(bench):  # noqa: F811
    revisions, _, _ = bench.refine(NOVELTY, (), PERSON)
    review = bench.review(NOVELTY, (), revisions[-1].idea)
    assert [remark.id for remark in review.remarks] == ["r1"]
    assert "Nothing measurable is missing" in review.remarks[0].text
    assert bench.revise(NOVELTY, (), revisions[-1].idea, review).idea == revisions[-1].idea


def test_a_review_counts_one_rule_in_the_singular(bench):  # noqa: F811
    summaries = []
    for topic in TOPICS:
        context = bench.near(topic)
        summaries += [
            one.summary
            for one in bench.refine(NOVELTY, context, bench.first(topic, NOVELTY, context, 1))[2]
        ]
    assert any(" is not met; the weightiest" in one for one in summaries)
    assert not any(one.startswith("1 of ") and " are not met" in one for one in summaries)


def test_what_a_chain_idea_said_of_its_chain_alone_is_gone_once_papers_are_at_hand(bench):  # noqa: F811
    chain = bench.chain(TOPICS[1])
    _, _, idea = bench.think(TOPICS[1], chain)
    for alone in (
        "This chain has no other paper to compare it with.",
        "There is no other paper at hand to compare this with.",
    ):
        before = idea.fields["novelty"]
        first = idea.model_copy(update={"fields": {**idea.fields, "novelty": f"{before} {alone}"}})
        review = bench.review(NOVELTY, chain.papers, first)
        revised = bench.revise(NOVELTY, chain.papers, first, review).idea
        assert "no other paper" not in revised.text
        assert before in revised.fields["hypothesis"]


def test_a_chain_of_the_papers_that_an_idea_uses_says_nothing_of_others(bench):  # noqa: F811
    chain = bench.chain(TOPICS[1])
    alone = chain.model_copy(update={"links": chain.links[:1]})
    assert "no other paper" not in bench.think(TOPICS[1], alone)[2].text


@pytest.mark.parametrize("topic", TOPICS)
def test_a_verdict_says_of_the_distance_what_the_figure_beside_it_says(bench, topic):  # noqa: F811
    context = bench.near(topic, 3)
    texts = [f"{paper.title}\n{paper.abstract}" for paper in context]
    first = bench.first(topic, NOVELTY, context, 1)
    review = bench.review(NOVELTY, context, first)
    revised = bench.revise(NOVELTY, context, first, review).idea
    # What is like a paper, and what is like none of them.
    copied = Idea(form="hypothesis", fields={"hypothesis": context[0].abstract})
    apart = Idea(form="hypothesis", fields={"hypothesis": "Fish prices in Bergen followed a tax."})
    told = []
    for older, newer in pairwise((first, revised, copied, apart, first)):
        was, now = (max(bench.embedder.similarities(one.text, texts)) for one in (older, newer))
        told.append("about as near to")
        # One rule, on the figures as they are printed: 0.56 to 0.61 is nearer, as 0.61 to 0.68 is.
        if abs(round(round(now, 2) - round(was, 2), 2)) >= 0.05:
            told[-1] = "nearer to" if now > was else "farther from"
        reason = bench.judge(NOVELTY, context, older, newer, review).reason
        assert f"By its whole text the idea lies {told[-1]} {PAPER}" in reason
    assert {"nearer to", "farther from"} <= set(told)


def test_without_a_background_a_verdict_names_the_papers_it_compares_with(bench):  # noqa: F811
    reason = bench.judge(NOVELTY, (), PERSON, PERSON, bench.review(NOVELTY, (), PERSON)).reason
    assert "In what it does the idea lies about as near to the nearest built-in paper" in reason


def test_a_quotation_within_quotation_marks_has_single_ones(bench):  # noqa: F811
    quoting = {**PERSON.fields, "problem": '"Sleep and swimming" (2020) measured this.'}
    review = bench.review(
        NOVELTY, bench.near(TOPICS[1]), PERSON.model_copy(update={"fields": quoting})
    )
    (remark,) = [one.text for one in review.remarks if "begins with" in one.text]
    assert "'Sleep and swimming' (2020) measured this\"." in remark
    assert '""' not in remark


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("seed", [1, 4])
def test_a_refinement_for_novelty_comes_hardly_nearer_to_published_work(bench, topic, seed):  # noqa: F811
    context = bench.near(topic)
    first = bench.first(topic, NOVELTY, context, seed)
    revisions, improved, _ = bench.refine(NOVELTY, context, first)
    texts = [f"{paper.title}\n{paper.abstract}" for paper in context]
    versions = [first, *(revision.idea for revision in revisions)]
    near = [round(max(bench.embedder.similarities(one.text, texts)), 2) for one in versions]
    assert any(improved)
    for (was, now), better in zip(pairwise(near), improved, strict=True):
        assert not better or round(now - was, 2) < 0.05
    # Each step is held to 0.05; over all of them 0.07 was seen.
    assert near[-1] - near[0] < 0.1


def test_what_meets_more_rules_but_copies_a_paper_is_not_newer(bench):  # noqa: F811
    context = bench.near(TOPICS[1])
    review = bench.review(NOVELTY, context, PERSON)
    revised = bench.revise(NOVELTY, context, PERSON, review).idea
    assert bench.judge(NOVELTY, context, PERSON, revised, review).improved
    fields = {**revised.fields, "problem": f"{context[0].abstract} {revised.fields['problem']}"}
    copied = revised.model_copy(update={"fields": fields})
    verdict = bench.judge(NOVELTY, context, PERSON, copied, review)
    assert not verdict.improved
    assert "does not count where an idea comes that much nearer to a paper" in verdict.reason
    # Of another quality the distance decides nothing.
    assert bench.judge(FEASIBILITY, context, PERSON, revised, review).reason


def test_what_a_person_wants_replaced_is_replaced_wherever_it_stands(bench):  # noqa: F811
    fields = {
        **PERSON.fields,
        "method": "Give swimmers a light box and record a validated questionnaire score.",
        "expected_impact": "A validated questionnaire score may be too coarse.",
    }
    idea = PERSON.model_copy(update={"fields": fields})
    text = "Measure orexin-A in saliva instead of a questionnaire."
    wish = Wish(by="Ada", text=text, id="p1", of=0)
    revision = bench.revise(FEASIBILITY, (), idea, bench.review(FEASIBILITY, (), idea), [wish])
    kept = [one for one in sentences(revision.idea.text) if "questionnaire" in one]
    # The wish itself, to the letter, is all that still speaks of it.
    assert len(kept) == 1
    assert "this is a condition of the plan: measure orexin-A in saliva instead" in kept[0]
    assert "record orexin-A in saliva." in revision.idea.fields["method"]
    assert "Orexin-A in saliva may be too coarse." in revision.idea.fields["expected_impact"]
    assert ("p1",) in [change.remarks for change in revision.changes]


@pytest.mark.parametrize(
    "new", [r"$\theta$ power", r"\nu and \rho", r"\sigma \1 \g<0>", r"data\new"]
)
def test_what_is_put_in_place_of_another_thing_is_put_as_it_is_written(bench, new):  # noqa: F811
    text = "Give swimmers a light box and record a questionnaire score."
    idea = PERSON.model_copy(update={"fields": {**PERSON.fields, "method": text}})
    wish = Wish(by="Ada", text=f"Use {new} instead of a questionnaire.", id="p1", of=0)
    revision = bench.revise(FEASIBILITY, (), idea, bench.review(FEASIBILITY, (), idea), [wish])
    assert f"record {new}." in revision.idea.fields["method"]


def test_an_idea_on_people_gets_no_animals_and_names_what_it_changes_and_measures(bench):  # noqa: F811
    chain = bench.chain(TOPICS[1])
    assert any("karate" in paper.title for paper in chain.papers)
    direction = Direction(
        direction=(
            "Take on the open point named by Messina et al. (2020) with a controlled comparison:"
            " The small cross-sectional sample cannot tell whether training raises orexin-A, and"
            " serum values are an indirect sign of orexin in the brain (built-in summary)."
        ),
        reasoning="It is open.",
    )
    draft = bench.sketch(TOPICS[1], chain, direction=direction)
    assert "at random to training or to a control group" in draft.method
    assert "questionnaire" not in draft.method
    assert "orexin-A serum levels" in draft.method
    whole = {
        "title": "Orexin-A serum levels: a controlled comparison",
        "motivation": draft.motivation,
        "novelty": draft.novelty,
        "method": draft.method,
        "difference": "Messina et al. (2020) named the point and did not settle it.",
        "challenges": "Orexin-A serum levels may be too coarse to show a small effect.",
    }
    revisions, _, _ = bench.refine(NOVELTY, chain.papers, Idea(form="chain", fields=whole))
    text = revisions[-1].idea.text
    assert "condition in question" not in text
    assert "with and without training" in text
    (arm,) = [one for one in sentences(text) if one.startswith("A second arm")]
    named = [paper for paper in bench.shelf.all() if cite(paper) in arm]
    assert named
    assert all(kind_of(f"{one.title} {one.abstract}") != "animals" for one in named)
