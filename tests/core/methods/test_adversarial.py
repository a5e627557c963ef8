"""Adversarial refinement: when it stops, what it returns, and what each actor is shown."""

import pytest

from core.errors import BadInput
from core.methods.presets import NOVELTY, PRESETS, indicator
from core.records import FORMS, Heard, Idea, Outcome, Round, Search
from core.runs.planning import idea_of, refine_run, stop_rules
from core.runs.planning import played as playing
from core.store.answers import wished
from core.story import Story
from tests.support.scripted import (
    FIRST,
    chain,
    chain_script,
    generation,
    prompts_asked,
    refine_script,
    refinement,
    runner_of,
    small_source,
)

Y, N = True, False


def played(folder, verdicts, rounds=10, patience=2, **more):
    """Play a refinement to its end and return its story and the model."""
    runner, model = runner_of(folder, refine_script(verdicts))
    run = refinement(runner, rounds=rounds, patience=patience, **more)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return Story.of(runner.store, run.id), model


@pytest.mark.parametrize(
    ("patience", "verdicts", "stops", "returns", "converged"),
    [
        (1, [N], 1, 1, True),
        (1, [Y, N], 2, 2, True),
        (2, [N, N], 2, 2, True),
        (2, [N, Y, N, N], 4, 4, True),
        (2, [Y, N, Y, N, N], 5, 5, True),
        (3, [Y, N, N, Y, N, N, N], 7, 7, True),
        (2, [Y], 10, 10, False),
        (2, [*[Y, N] * 5], 10, 9, False),
    ],
)
def test_it_stops_at_the_round_and_returns_the_idea_the_paper_says(
    tmp_path, patience, verdicts, stops, returns, converged
):
    story, _ = played(tmp_path, verdicts, patience=patience)
    rounds, outcome = story.all(Round), story.last(Outcome)
    assert [one.n for one in rounds] == list(range(1, stops + 1))
    assert (outcome.round, outcome.converged) == (returns, converged)
    assert outcome.idea == (rounds[returns - 1].revision.idea if returns else FIRST)
    assert generation(outcome.idea) == returns


def test_quiet_counts_verdicts_in_a_row(tmp_path):
    story, _ = played(tmp_path, [Y, N, Y, N, N])
    assert [one.quiet for one in story.all(Round)] == [0, 1, 0, 1, 2]


def test_the_next_version_is_made_from_the_newest_idea_not_from_the_accepted_one(tmp_path):
    _, model = played(tmp_path, [N, Y, N, N])
    seen = [
        generation(request.values["idea"])
        for request in model.requests
        if request.prompt == "revise"
    ]
    assert seen == [0, 1, 2, 3]


def test_the_discriminator_reads_the_older_idea_its_review_and_the_newer(tmp_path):
    story, model = played(tmp_path, [Y, N, N])
    rounds = story.all(Round)
    for one, request in zip(
        rounds, [r for r in model.requests if r.prompt == "verdict"], strict=True
    ):
        assert request.values["review"] == Heard(
            summary=one.review.summary, remarks=one.review.remarks
        )
        assert request.values["newer"] == one.revision.idea
        assert generation(request.values["older"]) == one.n - 1


def test_the_last_round_asks_for_no_review_that_nobody_would_read(tmp_path):
    _, model = played(tmp_path, [Y], rounds=4)
    assert prompts_asked(model).count("review") == 4, "one for each of the versions 0 to 3"


def test_without_an_idea_the_generator_proposes_one_paragraph(tmp_path):
    story, model = played(tmp_path, [N], patience=1, idea=None)
    assert story.all(Idea)[0].form == "hypothesis"
    assert prompts_asked(model) == ["first-idea", "review", "review", "revise", "verdict"]


def test_each_round_says_how_far_the_idea_moved(tmp_path):
    story, _ = played(tmp_path, [Y], rounds=2)
    first, second = (one.measures for one in story.all(Round))
    assert first.to_first == first.to_previous
    assert second.to_previous > second.to_first


def test_an_embedding_model_that_is_not_to_be_had_costs_the_measures_only(tmp_path):
    from core.errors import EmbeddingFailed

    runner, _ = runner_of(tmp_path, refine_script([Y]))

    def damaged(*_: object) -> list[float]:
        raise EmbeddingFailed("The embedding model is damaged.")

    runner.workshop.embedder.similarities = damaged
    run = refinement(runner, rounds=2)
    assert runner.work(run.id) == "done"
    assert [one.measures for one in Story.of(runner.store, run.id).all(Round)] == [None, None]
    assert runner.store.steps.get(run.id, "round-1/measure").status == "failed"


def test_a_review_without_remarks_is_asked_again_with_the_fault_named(tmp_path):
    runner, model = runner_of(tmp_path, refine_script([N]))
    plain = model.script["review"]
    model.script["review"] = lambda r: (
        plain(r) if r.corrections else {"summary": "Fine.", "remarks": []}
    )
    run = refinement(runner, patience=1)
    assert runner.work(run.id) == "done"
    step = runner.store.steps.get(run.id, "round-0/review")
    refused, accepted = (call.outcome for call in step.calls)
    assert refused.endswith("the review has no remarks; give at least one")
    assert accepted == "accepted"


def test_a_wish_reaches_the_generator_in_the_round_that_took_it(tmp_path):
    runner, model = runner_of(tmp_path, refine_script([Y]))
    run = refinement(runner, rounds=2)
    runner.store.answers.wish(run.id, wished("Think of girls too.", "Ada"))
    runner.work(run.id)
    texts = [request.text for request in model.requests if request.prompt == "revise"]
    assert ["Think of girls too." in text for text in texts] == [True, False]


def test_a_refinement_takes_up_idea_topic_and_papers_of_a_chain(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script() | refine_script([N]))
    first = chain(runner)
    runner.work(first.id)
    inputs = refine_run(runner.store, first.id, playing("infal", (NOVELTY,), 3, 1))
    assert (inputs.topic, inputs.from_run, len(inputs.context)) == (
        "sleep memory 2018",
        first.id,
        5,
    )
    assert inputs.idea.form == "chain"


def test_a_refinement_can_take_up_the_outcome_of_another(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script([Y, N, N]))
    first = refinement(runner)
    runner.work(first.id)
    assert (
        generation(refine_run(runner.store, first.id, playing("infal", (NOVELTY,), 3, 1)).idea) == 3
    )


def test_a_run_without_an_idea_cannot_be_refined(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script())
    run = chain(runner)
    with pytest.raises(BadInput, match="has no idea to refine yet"):
        refine_run(runner.store, run.id, playing("infal", (NOVELTY,), 3, 1))


@pytest.mark.parametrize(
    ("rounds", "patience", "names"),
    [(0, 2, "Max rounds"), (51, 2, "Max rounds"), (3, 0, "Patience")],
)
def test_impossible_stopping_rules_are_refused(rounds, patience, names):
    with pytest.raises(BadInput, match=names):
        stop_rules(rounds, patience)


def test_own_indicators_need_traits():
    assert indicator("Clinical relevance", ("helps patients",)).traits == ("helps patients",)
    assert indicator(" Novelty ") is PRESETS["novelty"]
    with pytest.raises(BadInput, match="at least one trait"):
        indicator("beauty")


@pytest.mark.parametrize("form", list(FORMS))
def test_ideas_are_read_in_every_form(form):
    fields = {name: f"The {name}." for name in FORMS[form]}
    import json

    assert idea_of(json.dumps(fields)).fields == fields
    assert (
        idea_of(json.dumps({"form": form, "fields": dict(reversed(fields.items()))})).fields
        == fields
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "{not json",
        '{"title": "alone"}',
        '{"fields": 7}',
        '{"hypothesis": 7}',
        "x" * 20_001,
    ],
)
def test_ideas_that_cannot_be_used_are_refused_in_a_sentence(text):
    with pytest.raises(BadInput) as refused:
        idea_of(text)
    assert len(str(refused.value)) < 500


def test_a_game_without_papers_begins_with_those_nearest_to_its_topic(tmp_path):
    story, model = played(tmp_path, [N], patience=1, idea=None)
    found = story.last(Search)
    assert found.state == "found"
    assert 0 < len(found.papers) <= 5
    assert all(request.values["context"] == found.papers for request in model.requests)


def test_a_source_that_failed_is_said_and_the_game_goes_on_without_papers(tmp_path):
    source = small_source()
    source.down = True
    runner, model = runner_of(tmp_path, refine_script([N]), source)
    run = refinement(runner, patience=1)
    assert runner.work(run.id) == "done"
    assert Story.of(runner.store, run.id).last(Search).state == "source failed"
    assert all(request.values["context"] == () for request in model.requests)
