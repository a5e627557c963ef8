"""People in a refinement: they play an actor, step in before a revision, wish, decline and rewrite;
what was paid never changes.
"""

import json

import pytest

from core.errors import BadInput, ModelFailed
from core.records import FORMS, Idea, Outcome, Round, Wish
from core.store.answers import wished
from core.story import Story
from tests.support.scripted import (
    FIRST,
    fresh,
    mark,
    prompts_asked,
    refine_script,
    refinement,
    resumed,
    runner_of,
)
from tests.support.waiting import until_heard

REVIEW = {
    "summary": "Too safe.",
    "remarks": [{"id": "r1", "text": "Be bold."}, {"id": "r2", "text": "Name the cohort."}],
}
SIX = {name: f"Ada's {name}." for name in FORMS["six-field"]}
REVISED = SIX | {"changes": []}
VERDICT = {"improved": True, "reason": "It is bolder."}
TWO = {"review": lambda _: REVIEW}


def begun(folder, script=None, **more):
    """Begin a refinement and work on it until it parks or ends."""
    runner, model = runner_of(folder, refine_script() | (script or {}))
    run = refinement(runner, **{"rounds": 2, "k": 0, **more})
    runner.work(run.id)
    return runner, model, run


def answered(runner, run_id, key, answer, by="Ada"):
    """Answer from another process on the same store, as another browser would; return the state it
    comes to.
    """
    other = fresh(runner)
    other.answer(run_id, key, answer, by)
    other.wait(run_id, 20)
    return runner.store.runs.get(run_id).state


def open_keys(runner, run_id):
    return [one.key for one in runner.store.answers.open(run_id)]


def kept(runner, run_id, before=None):
    """Return the stored steps and products of a run as they lie in the store, those of before only
    if given.
    """
    rows = {
        f"{table} {row[name]}": json.dumps(row, sort_keys=True)
        for table, name in (("steps", "key"), ("products", "name"))
        for row in runner.store.connections.rows(f"SELECT * FROM {table} WHERE run = ?", run_id)
    }
    return rows if before is None else {name: rows[name] for name in before}


ANSWERS = {
    "generator": [
        ("round-0/first-idea", {"hypothesis": "Ada's idea."}),
        ("round-1/revise", REVISED),
        ("round-2/revise", REVISED),
    ],
    "optimizer": [("round-0/review", REVIEW), ("round-1/review", REVIEW)],
    "discriminator": [("round-1/verdict", VERDICT), ("round-2/verdict", VERDICT)],
}
MODELS = {
    "generator": {"review", "verdict"},
    "optimizer": {"first-idea", "revise", "verdict"},
    "discriminator": {"first-idea", "revise", "review"},
}


@pytest.mark.parametrize("actor", list(ANSWERS))
def test_a_person_plays_an_actor_and_the_run_waits_for_each_of_its_turns(tmp_path, actor):
    runner, model, run = begun(tmp_path, people=(actor,), idea=None)
    for n, (key, answer) in enumerate(ANSWERS[actor]):
        assert runner.store.runs.get(run.id).state == "waiting"
        assert open_keys(runner, run.id) == [key]
        assert resumed(runner, run.id) == "waiting", "resuming asks again and pays nothing"
        assert answered(runner, run.id, key, answer) == (
            "done" if n + 1 == len(ANSWERS[actor]) else "waiting"
        )
    assert set(prompts_asked(model)) == MODELS[actor]
    for key, _ in ANSWERS[actor]:
        origin = runner.store.steps.get(run.id, key).origin
        assert (origin.kind, origin.name) == ("person", "Ada")
    assert len(prompts_asked(model)) == runner.store.runs.get(run.id).calls


def test_a_person_is_shown_what_a_model_would_be(tmp_path):
    runner, _, run = begun(tmp_path, TWO, people=("discriminator",))
    shown = runner.store.answers.open(run.id)[0].question["shown"]
    assert shown["older"] == FIRST.model_dump(mode="json")
    assert (
        shown["newer"]["fields"]["title"],
        shown["goal"]["name"],
        shown["review"]["summary"],
    ) == ("Version 1", "novelty", "Too safe.")
    runner, _, run = begun(
        tmp_path / "chair", TWO, people=("discriminator",), variant="review-rebuttal"
    )
    assert runner.store.answers.open(run.id)[0].question["shown"]["review"] is None, (
        "an area chair reads no review, whoever plays"
    )


def test_what_a_person_writes_is_read_by_the_models(tmp_path):
    runner, model, run = begun(tmp_path, people=("optimizer",), rounds=1)
    assert answered(runner, run.id, "round-0/review", REVIEW) == "done"
    assert all(
        "Be bold." in request.text
        for request in model.requests
        if request.prompt in ("revise", "verdict")
    )


def test_all_three_may_be_people_and_no_model_is_asked(tmp_path):
    runner, model, run = begun(
        tmp_path, people=("generator", "optimizer", "discriminator"), rounds=1
    )
    for key, answer in (
        ("round-0/review", REVIEW),
        ("round-1/revise", REVISED),
        ("round-1/verdict", VERDICT),
    ):
        assert open_keys(runner, run.id) == [key]
        answered(runner, run.id, key, answer)
    assert (runner.store.runs.get(run.id).state, model.requests) == ("done", [])
    assert Story.of(runner.store, run.id).last(Outcome).idea.fields == SIX


def test_a_person_is_not_asked_for_a_review_that_nobody_would_read(tmp_path):
    runner, _, run = begun(
        tmp_path,
        {"verdict": lambda _: {"improved": False, "reason": "No."}},
        people=("optimizer",),
        rounds=5,
        patience=1,
    )
    assert answered(runner, run.id, "round-0/review", REVIEW) == "done"
    assert runner.store.steps.get(run.id, "round-1/review") is None


def test_a_models_review_is_paid_while_a_person_judges(tmp_path):
    runner, model, run = begun(tmp_path, people=("discriminator",))
    assert prompts_asked(model) == ["review", "review", "revise"]
    answered(runner, run.id, "round-1/verdict", VERDICT)
    assert prompts_asked(model) == ["review", "review", "revise", "revise"], "nothing is paid twice"


def test_an_answer_that_does_not_fit_is_refused_and_the_question_stays(tmp_path):
    runner, _, run = begun(tmp_path, people=("optimizer",))
    with pytest.raises(BadInput, match="does not fit"):
        runner.answer(run.id, "round-0/review", {"summary": "Fine.", "remarks": []}, "Ada")
    assert open_keys(runner, run.id) == ["round-0/review"]


def test_before_every_revision_the_run_waits_for_whoever_wants_to_step_in(tmp_path):
    runner, model, run = begun(tmp_path, step_in=True)
    assert open_keys(runner, run.id) == ["round-1/go-ahead"]
    shown = runner.store.answers.open(run.id)[0].question["shown"]
    assert (shown["of"], shown["idea"], shown["review"]["remarks"][0]["id"]) == (
        0,
        FIRST.model_dump(mode="json"),
        "r1",
    )
    wish = {"wishes": [{"text": "Think of girls too.", "by": "Ada"}]}
    runner.store.answers.wish(run.id, wished("And of boys.", "Bob"))
    assert answered(runner, run.id, "round-1/go-ahead", wish) == "waiting"
    assert open_keys(runner, run.id) == ["round-2/go-ahead"]
    assert answered(runner, run.id, "round-2/go-ahead", {}) == "done"
    assert [
        [(one.id, one.text) for one in each.wishes]
        for each in Story.of(runner.store, run.id).all(Round)
    ] == [[("p1", "Think of girls too."), ("p2", "And of boys.")], []]
    assert [
        "[p1] Ada asks: Think of girls too." in request.text
        for request in model.requests
        if request.prompt == "revise"
    ] == [True, False]


def test_a_person_who_reviews_several_ideas_is_asked_for_each_and_the_run_waits_for_all(tmp_path):
    runner, _, run = begun(tmp_path, people=("optimizer",), lines=2, rounds=1)
    assert open_keys(runner, run.id) == ["idea-1/round-0/review", "idea-2/round-0/review"]
    assert answered(runner, run.id, "idea-2/round-0/review", REVIEW) == "waiting"
    assert answered(runner, run.id, "idea-1/round-0/review", REVIEW) == "done"
    assert [line.rounds[0].review.summary for line in Story.of(runner.store, run.id).lines] == [
        "Too safe."
    ] * 2


@pytest.mark.parametrize(
    ("variant", "actor"),
    [
        ("no-optimizer", "optimizer"),
        ("no-discriminator", "discriminator"),
        ("self-reflection", "generator"),
    ],
)
def test_a_person_cannot_take_a_seat_that_nobody_plays(tmp_path, variant, actor):
    runner, _ = runner_of(tmp_path, {})
    with pytest.raises(BadInput, match=f"plays the {actor} in '{variant}'"):
        refinement(runner, variant=variant, people=(actor,))


# -- wishes ------------------------------------------------------------------------------------


def test_a_rewritten_version_is_what_the_next_revision_starts_from(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, k=0)
    mine = Idea(form="six-field", fields=SIX)
    runner.store.answers.wish(run.id, Wish(by="Ada", idea=mine, of=0))
    assert runner.work(run.id) == "done"
    line = Story.of(runner.store, run.id).lines[0]
    assert (line.rounds[0].base, line.before(1), line.version(0), line.rounds[1].base) == (
        mine,
        mine,
        FIRST,
        None,
    )
    asked = [r for r in model.requests if r.prompt in ("revise", "verdict")]
    assert {r.values.get("idea", r.values.get("older")).text for r in asked[:2]} == {mine.text}


def filed_late(tmp_path, wishes):
    """Play three rounds, people filing wishes while round 2 is judged; return the runner, the run,
    and what was stored at that moment.
    """

    def review(request):
        return REVIEW | {
            "remarks": [
                one | {"text": f"{one['text']} ({mark(request)})"} for one in REVIEW["remarks"]
            ]
        }

    script, before = refine_script() | {"review": review}, {}
    runner, model = runner_of(tmp_path, script)
    run = refinement(runner, rounds=3, k=0)

    def verdict(request):
        if request.values["newer"].title == "Version 2":
            before.update(kept(runner, run.id))
            for wish in wishes:
                runner.store.answers.wish(run.id, wish)
        return script["verdict"](request)

    model.script["verdict"] = verdict
    assert runner.work(run.id) == "done"
    return runner, model, run, before


def test_a_wish_filed_after_a_round_was_paid_never_changes_what_that_round_was(tmp_path):
    wishes = [
        wished("More naps.", "Ada"),
        Wish(by="Ada", decline="r1", of=0),
        Wish(by="Ada", idea=Idea(form="six-field", fields=SIX), of=1),
    ]
    runner, _, run, before = filed_late(tmp_path, wishes)
    assert {
        "steps round-1/revise",
        "products round-1",
        "steps round-2/wishes",
        "steps round-2/revise",
    } <= set(before)
    assert kept(runner, run.id, before) == before
    assert [len(one.wishes) for one in Story.of(runner.store, run.id).all(Round)] == [0, 0, 3]
    after = kept(runner, run.id)
    runner.store.answers.wish(run.id, wished("Too late for everything.", "Ada"))
    assert kept(runner, run.id) == after
    assert len(runner.store.answers.pending(run.id)) == 1


def test_a_decline_or_a_rewrite_of_a_version_already_revised_is_kept_and_not_followed(tmp_path):
    wishes = [
        Wish(by="Ada", decline="r1", of=1),
        Wish(by="Ada", idea=Idea(form="six-field", fields=SIX), of=1),
        Wish(by="Ada", decline="r2", of=2),
    ]
    runner, model, run, _ = filed_late(tmp_path, wishes)
    third = Story.of(runner.store, run.id).all(Round)[2]
    assert [(one.of, one.late) for one in third.wishes] == [(1, True), (1, True), (2, False)]
    assert (third.base, third.declined) == (None, {"r2"})
    asked = next(
        r for r in model.requests if r.prompt == "revise" and r.values["idea"].title == "Version 2"
    )
    assert ([remark.id for remark in asked.values["review"].remarks], asked.values["wishes"]) == (
        ["r1"],
        (),
    )


def test_a_run_that_failed_and_goes_on_hears_a_wish_in_its_next_round_only(tmp_path):
    script = refine_script()
    runner, model = runner_of(tmp_path, script)
    model.script["verdict"] = lambda r: (
        ModelFailed("away") if r.values["newer"].title == "Version 2" else script["verdict"](r)
    )
    run = refinement(runner, rounds=3, k=0)
    assert runner.work(run.id) == "failed"
    before = kept(runner, run.id)
    runner.store.answers.wish(run.id, wished("More naps.", "Ada"))
    model.script["verdict"] = script["verdict"]
    assert resumed(fresh(runner), run.id) == "done"
    assert kept(runner, run.id, before) == before
    assert [len(one.wishes) for one in Story.of(runner.store, run.id).all(Round)] == [0, 0, 1]


def test_a_wish_can_be_withdrawn_until_it_is_taken_up(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=1, k=0)
    for text in ("More naps.", "Fewer naps."):
        runner.store.answers.wish(run.id, wished(text, "Ada"))
    first, second = runner.store.answers.pending(run.id)
    runner.store.answers.withdraw(run.id, first.number)
    assert [one.wish.text for one in runner.store.answers.pending(run.id)] == ["Fewer naps."]
    assert runner.work(run.id) == "done"
    assert [one.text for one in Story.of(runner.store, run.id).all(Round)[0].wishes] == [
        "Fewer naps."
    ]
    for number in (first.number, second.number):
        with pytest.raises(BadInput, match="taken up already, or withdrawn"):
            runner.store.answers.withdraw(run.id, number)


def test_a_stop_after_the_round_ends_between_rounds_and_leaves_nothing_half(tmp_path):
    script = refine_script()
    runner, model = runner_of(tmp_path, script)
    run = refinement(runner, rounds=3, k=0)

    def verdict(request):
        if request.values["newer"].title == "Version 1":
            runner.stop(run.id, "after round")
            until_heard(runner, run.id)
        return script["verdict"](request)

    model.script["verdict"] = verdict
    assert runner.work(run.id) == "stopped"
    stored = runner.store.steps
    assert [one.name for one in stored.products(run.id)] == ["round-0", "round-1"]
    assert [step.key for step in stored.of(run.id) if step.key.startswith("round-2")] == []
    assert {"round-1/verdict", "round-1/review", "round-1/measure"} <= {
        step.key for step in stored.of(run.id)
    }
    before = kept(runner, run.id)
    assert resumed(runner, run.id) == "done"
    assert kept(runner, run.id, before) == before
    assert prompts_asked(model) == ["review"] * 3 + ["revise"] * 3 + ["verdict"] * 3
