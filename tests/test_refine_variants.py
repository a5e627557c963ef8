"""Every variant of the game: when it stops, what it returns, what it asks of whom, and who reads
what.
"""

import threading
from collections import Counter

import pytest

from core.catalogue import ACTORS
from core.errors import BadInput
from core.estimates import plan
from core.methods.presets import NOVELTY
from core.plans import played
from core.records import Heard, Outcome, Round, Wish
from core.story import Story
from tests.conftest import ScriptedModel
from tests.scripted import FIRST, generation, refine_script, refinement, runner_of

Y, N = True, False
JUDGED = ("infal", "review-rebuttal", "self-reflection", "no-optimizer")
TWO = {
    "summary": "Two things.",
    "remarks": [
        {"id": "r1", "text": "Name the mechanism."},
        {"id": "r2", "text": "Name the cohort."},
    ],
}


def play(folder, verdicts=(Y,), script=None, wishes=(), **more):
    """Play a refinement to its end; return its story, the model, and the run."""
    runner, model = runner_of(folder, refine_script(verdicts) | (script or {}))
    run = refinement(runner, **{"k": 0, **more})
    for wish in wishes:
        runner.store.answers.wish(run.id, wish)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return Story.of(runner.store, run.id), model, run


def calls(variant: str, rounds: int, at_limit: bool) -> Counter[str]:
    """Return how often each prompt is asked in so many rounds; at the limit nobody writes a review
    that nobody reads.
    """
    reviews = rounds if at_limit else rounds + 1
    asked = {
        "infal": {"review": reviews, "revise": rounds, "verdict": rounds},
        "self-reflection": {"self-review": 1, "revise": rounds, "reflect": rounds},
        "no-discriminator": {"review": reviews, "revise": rounds},
        "no-optimizer": {"revise": rounds, "verdict": rounds},
    }
    return Counter(asked[variant if variant in asked else "infal"])


@pytest.mark.parametrize("variant", JUDGED)
@pytest.mark.parametrize(
    ("patience", "most", "verdicts", "stops", "returns", "converged"),
    [
        (1, 10, [N], 1, 1, True),
        (1, 10, [Y, Y, N], 3, 3, True),
        (2, 10, [N, N], 2, 2, True),
        (2, 10, [Y, N, Y, N, N], 5, 5, True),
        (2, 3, [Y], 3, 3, False),
        (2, 4, [Y, N, Y, N], 4, 3, False),
        (2, 1, [N], 1, 0, False),
        (1, 2, [Y, N], 2, 2, True),
    ],
)
def test_a_variant_that_judges_stops_at_the_round_and_returns_the_version_it_should(
    tmp_path, variant, patience, most, verdicts, stops, returns, converged
):
    story, model, _ = play(tmp_path, verdicts, variant=variant, patience=patience, rounds=most)
    line, outcome = story.lines[0], story.last(Outcome)
    assert [one.n for one in line.rounds] == list(range(1, stops + 1))
    assert [one.verdict.improved for one in line.rounds] == [
        verdicts[min(n, len(verdicts) - 1)] for n in range(stops)
    ]
    assert (outcome.round, outcome.converged) == (returns, converged)
    assert outcome.idea == line.version(returns)
    assert Counter(request.prompt for request in model.requests) == calls(
        variant, stops, at_limit=stops == most
    )


@pytest.mark.parametrize(("asked", "rounds"), [(None, 7), (2, 2)])
def test_without_a_discriminator_the_number_of_rounds_is_fixed_and_the_last_version_returned(
    tmp_path, asked, rounds
):
    story, model, _ = play(tmp_path, [N], variant="no-discriminator", rounds=asked, patience=1)
    outcome = story.last(Outcome)
    assert (outcome.round, outcome.converged, outcome.idea) == (
        rounds,
        False,
        story.lines[0].version(rounds),
    )
    assert "fixed number" in outcome.reason
    assert all(one.verdict is None and one.quiet == 0 for one in story.all(Round))
    assert Counter(request.prompt for request in model.requests) == calls(
        "no-discriminator", rounds, at_limit=True
    )


def test_the_initial_idea_is_one_call_and_no_round(tmp_path):
    story, model, _ = play(tmp_path, variant="initial", idea=None)
    outcome = story.last(Outcome)
    assert [request.prompt for request in model.requests] == ["first-idea"]
    assert (story.lines[0].rounds, outcome.round, outcome.idea) == ((), 0, story.lines[0].first)


def test_the_initial_idea_of_an_idea_that_is_there_is_refused(tmp_path):
    with pytest.raises(BadInput, match="leave out the idea"):
        play(tmp_path, variant="initial", idea=FIRST)


@pytest.mark.parametrize(
    ("variant", "waits", "rounds"),
    [("infal", 2, 10), ("self-reflection", 1, 10), ("no-discriminator", 2, 7)],
)
def test_what_nobody_said_is_as_in_the_papers(variant, waits, rounds):
    rules = played(variant, (NOVELTY,)).rules
    assert (rules.patience, rules.max_rounds) == (waits, rounds)


@pytest.mark.parametrize("variant", [*JUDGED, "no-discriminator", "initial"])
def test_each_prompt_is_asked_as_often_as_estimated(tmp_path, variant):
    _, model, run = play(tmp_path, variant=variant, idea=None, rounds=3)
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("refine", run.config.inputs)[0]
    )


# -- who reads what --------------------------------------------------------------------------------


def read(model, prompt):
    return [request.values for request in model.requests if request.prompt == prompt]


def test_the_area_chair_reads_no_review_and_the_discriminator_does(tmp_path):
    _, model, _ = play(tmp_path / "a", variant="review-rebuttal")
    assert [values["review"] for values in read(model, "verdict")] == [None] * 3
    assert all(
        "Review " not in request.text for request in model.requests if request.prompt == "verdict"
    )
    assert all(
        "Review " in request.text for request in model.requests if request.prompt == "revise"
    ), "the proposer answers the reviewer"
    story, model, _ = play(tmp_path / "b", variant="infal")
    assert [values["review"] for values in read(model, "verdict")] == [
        as_heard(one.review) for one in story.all(Round)
    ]


@pytest.mark.parametrize(
    ("variant", "called"),
    [
        ("infal", ("generator", "optimizer", "discriminator")),
        ("review-rebuttal", ("proposer", "reviewer", "area chair")),
    ],
)
def test_the_actors_are_called_as_in_their_paper(tmp_path, variant, called):
    _, model, _ = play(tmp_path, variant=variant, idea=None)
    said = {request.prompt: request.standing.partition(":")[0] for request in model.requests}
    assert said == {
        prompt: f"You are the {called[n]}"
        for prompt, n in {"first-idea": 0, "revise": 0, "review": 1, "verdict": 2}.items()
    }


def test_a_declined_remark_reaches_neither_generator_nor_discriminator(tmp_path):
    story, model, _ = play(
        tmp_path,
        script={"review": lambda _: TWO},
        wishes=[Wish(by="Ada", decline="r1", of=0)],
        rounds=2,
    )
    for prompt in ("revise", "verdict"):
        assert [
            [remark.id for remark in values["review"].remarks] for values in read(model, prompt)
        ] == [["r2"], ["r2"]], "nor when it returns"
    first = story.all(Round)[0]
    assert ([remark.id for remark in first.review.remarks], first.declined) == (
        ["r1", "r2"],
        {"r1"},
    )


def as_heard(review):
    return Heard(summary=review.summary, remarks=review.remarks)


def test_where_every_remark_is_declined_nothing_of_the_review_is_told(tmp_path):
    wishes = [Wish(by="Ada", decline=name, of=0) for name in ("r1", "r2")]
    _, model, _ = play(tmp_path, script={"review": lambda _: TWO}, wishes=wishes, rounds=1)
    assert [
        values["review"] for prompt in ("revise", "verdict") for values in read(model, prompt)
    ] == [Heard(summary="", remarks=())] * 2
    assert all(
        "declined every remark" in request.text and TWO["summary"] not in request.text
        for request in model.requests
        if request.prompt in ("revise", "verdict")
    )


def test_without_an_optimizer_nobody_reads_a_review(tmp_path):
    story, model, _ = play(tmp_path, variant="no-optimizer")
    assert [
        values["review"] for prompt in ("revise", "verdict") for values in read(model, prompt)
    ] == [None] * 6
    assert [one.review for one in story.all(Round)] == [None] * 3


def test_self_reflection_is_one_actor_that_answers_its_own_criticism(tmp_path):
    story, model, _ = play(tmp_path, variant="self-reflection")
    assert {request.role for request in model.requests} == {"generator"}
    assert [values["review"] for values in read(model, "revise")] == [
        as_heard(one.review) for one in story.all(Round)
    ]


@pytest.mark.parametrize(
    ("variant", "asked"),
    [
        (
            "infal",
            {
                "generator": {"revise", "first-idea"},
                "optimizer": {"review"},
                "discriminator": {"verdict"},
                "judge": {"rank", "six-fields"},
            },
        ),
        (
            "self-reflection",
            {
                "generator": {"revise", "first-idea", "self-review", "reflect"},
                "optimizer": set(),
                "discriminator": set(),
                "judge": {"rank", "six-fields"},
            },
        ),
    ],
)
def test_each_role_is_played_by_the_model_chosen_for_it(tmp_path, variant, asked):
    runner, _ = runner_of(tmp_path, {})
    named = runner.workshop.named
    named.update(
        {f"scripted:{role}": ScriptedModel(refine_script(), f"scripted:{role}") for role in ACTORS}
    )
    run = refinement(
        runner,
        variant=variant,
        idea=None,
        target=FIRST,
        models={role: f"scripted:{role}" for role in ACTORS},
    )
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert {
        role: {request.prompt for request in named[f"scripted:{role}"].requests} for role in ACTORS
    } == asked


# -- Algorithm 1 as printed ------------------------------------------------------------------------


def test_the_printed_algorithm_asks_2_and_4_a_round_one_after_the_other(tmp_path):
    at_once, most, lock = [0], [0], threading.Lock()
    script = refine_script()

    def alone(prompt):
        def reply(request):
            with lock:
                at_once[0] += 1
                most[0] = max(most[0], at_once[0])
            said = script[prompt](request)
            with lock:
                at_once[0] -= 1
            return said

        return reply

    story, model, run = play(
        tmp_path,
        script={name: alone(name) for name in script},
        printed=True,
        patience=1,
        rounds=3,
        idea=None,
    )
    assert [request.prompt for request in model.requests] == [
        "first-idea",
        "review",
        *["revise", "verdict", "review", "review"] * 3,
    ]
    assert len(model.requests) == 2 + 4 * 3
    assert most == [1]
    assert (
        Counter(request.prompt for request in model.requests)
        == plan("refine", run.config.inputs)[0]
    )
    assert story.last(Outcome).round == 3


def test_the_printed_algorithm_ends_at_the_first_verdict_that_sees_no_improvement(tmp_path):
    story, model, _ = play(tmp_path, [Y, N], printed=True, patience=1, rounds=10)
    assert (story.last(Outcome).round, story.last(Outcome).converged) == (2, True)
    assert [request.prompt for request in model.requests] == [
        "review",
        "revise",
        "verdict",
        "review",
        "review",
        "revise",
        "verdict",
        "review",
    ]


@pytest.mark.parametrize(
    "more", [{"patience": 2}, {"variant": "no-optimizer"}, {"people": ("optimizer",)}]
)
def test_the_printed_algorithm_is_infal_with_patience_1_and_models_alone(tmp_path, more):
    runner, _ = runner_of(tmp_path, {})
    with pytest.raises(BadInput, match="as printed is InfAL with a patience of 1"):
        refinement(runner, **{"printed": True, "patience": 1, **more})


def test_a_variant_reaches_the_same_versions_whatever_runs_side_by_side(tmp_path):
    story, _, _ = play(tmp_path / "a", rounds=3)
    again, _, _ = play(tmp_path / "b", rounds=3)
    assert story == again
    assert [generation(one.revision.idea) for one in story.all(Round)] == [1, 2, 3]
