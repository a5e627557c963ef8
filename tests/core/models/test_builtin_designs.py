"""The built-in model designs, reviews and refines experiments, and compares ideas, by counts
anybody can check.
"""

import itertools

import pytest

from core.records import (
    CRITERIA,
    Comparison,
    Design,
    DesignReview,
    Entity,
    Experiment,
    Idea,
    Paper,
    Remark,
)
from tests.support.builtin_kit import TOPICS, Bench, bench, shared  # noqa: F401

MIRRORED = {"first": "second", "second": "first", "tie": "tie"}
ELSEWHERE = "Using LLM agents to generate novel research ideas"
VAGUE = Design(
    setup="We try it.",
    models="A language model.",
    datasets="Some data.",
    baselines="Other work.",
    metrics="Quality.",
    procedure=("Run it.",),
    analysis="Look at the results.",
)
SOUND = Design(
    setup=(
        "The version with retrieval is compared with the one without it; the idea is given up if"
        " accuracy does not differ."
    ),
    models="Llama-3-8B and Qwen3-4B, version of May 2025.",
    datasets="GSM8K and MATH, 200 questions each.",
    baselines="RAG (2020) as published.",
    metrics="Accuracy and blind ratings by two judges.",
    procedure=(
        "Draw 200 questions.",
        "Run each version with 3 seeds.",
        "Judge blind.",
        "Report every run, those that failed included.",
    ),
    analysis=(
        "A paired test; the smallest difference worth having is 3 points, with a power of 80"
        " percent."
    ),
)


def ideas(bench) -> list[Idea]:  # noqa: F811
    return [
        bench.think(topic, bench.chain(topic), seed)[2] for topic in TOPICS for seed in (1, 2, 3)
    ]


def planned(bench, topic, seed=1) -> tuple[Idea, Design]:  # noqa: F811
    chain = bench.chain(topic)
    idea = bench.think(topic, chain, seed)[2]
    return idea, bench.ask(
        "experiment-design",
        Design,
        topic=topic,
        idea=idea,
        examples=bench.examples(chain),
        entities=(),
    )


def refined(bench, idea, design, papers=()) -> tuple[DesignReview, Design]:  # noqa: F811
    review = bench.ask("design-review", DesignReview, idea=idea, design=design)
    return review, bench.ask(
        "design-refine", Design, idea=idea, design=design, review=review, papers=papers
    )


def test_shown_in_the_other_order_two_ideas_get_the_mirrored_answer(bench):  # noqa: F811
    for one, other in itertools.combinations(ideas(bench), 2):
        there, back = (
            bench.ask("select", Comparison, topic=ELSEWHERE, first=a, second=b)
            for a, b in ((one, other), (other, one))
        )
        assert [MIRRORED[getattr(there, name)] for name in CRITERIA] == [
            getattr(back, name) for name in CRITERIA
        ]


def test_an_idea_is_level_with_itself_and_length_wins_nothing(bench):  # noqa: F811
    idea = ideas(bench)[0]
    padded = {
        name: f"{idea.fields[name]} {'And so on and on. ' * 40}"
        for name in ("method", "difference", "challenges")
    }
    long = idea.model_copy(update={"fields": idea.fields | padded})
    for other in (idea, long):
        said = bench.ask("select", Comparison, topic=TOPICS[0], first=idea, second=other)
        assert {getattr(said, name) for name in CRITERIA if name != "clarity"} == {"tie"}


def test_the_comparison_says_what_was_counted(bench):  # noqa: F811
    one, *_, other = ideas(bench)
    reason = bench.ask("select", Comparison, topic=TOPICS[0], first=one, second=other).reason
    assert all(f"{name} " in reason and "counting" in reason for name in CRITERIA)
    assert "cannot weigh" in reason


def test_an_idea_with_a_plan_beats_one_without_in_what_a_plan_is_for(bench):  # noqa: F811
    good = ideas(bench)[0]
    bare = good.model_copy(
        update={
            "fields": (
                good.fields
                | {"method": "It will work.", "challenges": "None.", "difference": "It differs."}
            )
        }
    )
    said = bench.ask("select", Comparison, topic=TOPICS[0], first=bare, second=good)
    assert {said.clarity, said.feasibility, said.effectiveness} == {"second"}
    assert "first" not in {getattr(said, name) for name in CRITERIA}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_design_reuses_what_the_examples_name_and_says_from_where(bench, topic):  # noqa: F811
    tried = (
        Experiment(
            setup="Bees were tested on GRID-7 against UDON, with the Bergen score.",
            datasets="GRID-7",
            baselines="UDON",
            metrics="Bergen score",
        ),
    )
    idea = bench.think(topic, bench.chain(topic))[2]
    design = bench.ask(
        "experiment-design", Design, topic=topic, idea=idea, examples=tried, entities=()
    )
    assert "GRID-7" in design.datasets
    assert "UDON" in design.baselines
    assert "Bergen score" in design.metrics
    assert all(
        "Bees were tested on GRID-7" in said
        for said in (design.datasets, design.baselines, design.metrics)
    )


OFFERED = [topic for field in shared().shelf.neighbourhoods() for topic in field.example_topics]


@pytest.mark.parametrize("topic", [*OFFERED, "jet lag and creatine in young basketball players"])
def test_a_plan_does_not_contradict_itself(bench, topic):  # noqa: F811
    chain = bench.chain(topic)
    entities = tuple(entity for paper in chain.papers for entity in bench.read(paper).entities)
    for seed in (1, 2, 3):
        idea = bench.think(topic, chain, seed)[2]
        design = bench.ask(
            "experiment-design",
            Design,
            topic=topic,
            idea=idea,
            examples=bench.examples(chain),
            entities=entities,
        )
        outcome, _, further = design.metrics.partition(", fixed before the start. ")
        outcome = outcome.removeprefix("The main outcome is ")
        assert "outcome" not in outcome
        others, _, _ = further.partition(" (from ")
        assert outcome.removeprefix("the ") not in others
        in_people = "participants" in design.datasets
        if in_people and any(word in outcome for word in ("serum", "plasma", "orexin")):
            assert "blood samples" in design.models
            assert "blood samples" in design.datasets
        _, _, names = design.models.partition("as the line knows it: ")
        method = f"{idea.title} {idea.fields['method']}".lower()
        for name in names.rstrip(".").replace(" and ", ", ").split(", "):
            assert name.lower() in method
        same = "use the same for all versions" in str(design.procedure)
        assert ("paired test" in design.analysis) == same


@pytest.mark.parametrize("topic", TOPICS)
def test_without_examples_a_design_says_what_has_to_be_made(bench, topic):  # noqa: F811
    idea = bench.think(topic, bench.chain(topic))[2]
    design = bench.ask(
        "experiment-design",
        Design,
        topic=topic,
        idea=idea,
        examples=(),
        entities=(Entity(name="idea"),),
    )
    assert "No data that fit are named" in design.datasets
    assert any(
        word in design.datasets for word in ("made", "recruited", "drawn", "computed", "collected")
    )
    assert "given up if" in design.setup
    assert len(design.procedure) >= 4


def test_a_vague_design_gets_numbered_remarks_and_something_to_look_up(bench):  # noqa: F811
    review = bench.ask("design-review", DesignReview, idea=ideas(bench)[0], design=VAGUE)
    assert not any((review.clear, review.complete, review.named, review.runnable))
    assert [remark.id for remark in review.remarks] == ["r1", "r2", "r3", "r4", "r5"]
    assert 1 <= len(review.queries) <= 3


def test_a_sound_design_gets_no_remark(bench):  # noqa: F811
    review = bench.ask("design-review", DesignReview, idea=ideas(bench)[0], design=SOUND)
    assert review == DesignReview(clear=True, complete=True, named=True, runnable=True)


@pytest.mark.parametrize("topic", TOPICS)
def test_refining_answers_every_remark_and_keeps_the_rest(bench, topic):  # noqa: F811
    for idea, design in (planned(bench, topic), (ideas(bench)[0], VAGUE)):
        review, better = refined(bench, idea, design)
        again = bench.ask("design-review", DesignReview, idea=idea, design=better)
        assert not {remark.text for remark in review.remarks} & {
            remark.text for remark in again.remarks
        }
        assert all(
            getattr(better, name).startswith(getattr(design, name).rstrip("."))
            for name in Design.model_fields
            if name != "procedure"
        )
        assert set(design.procedure) <= set(better.procedure)


def test_three_rounds_leave_nothing_that_can_be_checked(bench):  # noqa: F811
    idea, design = ideas(bench)[0], VAGUE
    for _ in range(3):
        review, design = refined(bench, idea, design)
    assert bench.ask("design-review", DesignReview, idea=idea, design=design).remarks == ()
    assert len(review.remarks) < 5


def test_a_persons_own_remark_is_answered_too(bench):  # noqa: F811
    asked = (
        "Ask the canteen for its menus.",
        "Nobody knows who scored what, so the scoring is not blind.",
    )
    review = DesignReview(
        clear=True,
        complete=True,
        named=True,
        runnable=True,
        remarks=tuple(Remark(id=f"p{n}", text=one) for n, one in enumerate(asked)),
    )
    idea = ideas(bench)[0]
    better = bench.ask("design-refine", Design, idea=idea, design=VAGUE, review=review, papers=())
    assert any("Ask the canteen for its menus" in step for step in better.procedure)
    assert any("blind" in step for step in better.procedure)
    assert better.metrics == VAGUE.metrics


def test_a_refined_design_takes_from_papers_only_what_they_say(bench):  # noqa: F811
    idea = ideas(bench)[0]
    tried = "The agent was evaluated on IDEASET-9 against plain prompting."
    told = (
        "However, ideas are hard to judge. We propose an agent that writes research ideas in"
        f" rounds. {tried}"
    )
    paper = Paper(
        id="p", title="Agents for research ideas", abstract=told, authors=("Ada Berg",), year=2024
    )
    soil = "However, soil is dry. We mulch it with straw. The mulch was tested on FIELD-3 plots."
    far = paper.model_copy(update={"id": "f", "title": "Compost", "abstract": soil})
    _, better = refined(bench, idea, VAGUE, (far, paper))
    assert "Berg (2024)" in better.datasets
    assert "IDEASET-9" in better.datasets
    assert tried in better.datasets
    assert "FIELD-3" not in str(better)


def test_a_review_reads_what_stands_between_two_short_quotes(bench):  # noqa: F811
    design = SOUND.model_copy(
        update={
            "setup": (
                'The study does what the idea "Retrieval" calls for, side by side and blind; the'
                " idea is given up if accuracy does not differ."
            ),
            "models": 'Llama-3-8B and Qwen3-4B, version of May 2025, named "open" here.',
        }
    )
    review = bench.ask("design-review", DesignReview, idea=ideas(bench)[0], design=design)
    assert not [one.text for one in review.remarks if "would speak against" in one.text]
