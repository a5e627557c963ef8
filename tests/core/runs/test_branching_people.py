"""Branching where people had a hand: what was said of another text is not taken over, and each run
keeps the answers it was given.
"""

import pytest

from core.errors import BadInput
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea, Indicator, Round, Wish
from core.runs.branching import branch
from core.runs.planning import played
from core.store.answers import wished
from core.story import Story
from tests.conftest import ScriptedModel
from tests.support.scripted import FIRST, prompts_asked, refine_script, refinement, runner_of

MINE = Idea(form="six-field", fields={name: f"Ada's {name}." for name in FORMS["six-field"]})


def filing(runner, model, run, version, *wishes):
    """File wishes while a version is being written, so that the next round takes them."""
    plain = model.script["revise"]

    def revise(request):
        if f"Version {version - 1}" in request.text or (
            version == 1 and "Version" not in request.text
        ):
            for wish in wishes:
                runner.store.answers.wish(run.id, wish)
        return plain(request)

    model.script["revise"] = revise


def rounds(runner, run):
    return Story.of(runner.store, run.id).all(Round)


def test_what_people_said_of_the_parents_text_is_not_taken_over_for_another(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=3, k=0)
    filing(
        runner,
        model,
        run,
        2,
        Wish(by="Ada", idea=MINE, of=2),
        Wish(by="Ada", decline="r1", of=2),
        wished("Think of girls.", "Ada"),
    )
    assert runner.work(run.id) == "done"
    assert (rounds(runner, run)[2].base, rounds(runner, run)[2].declined) == (MINE, {"r1"})
    made = branch(runner, run.id, 1, played("infal", (FEASIBILITY,), 2, 2))
    assert runner.work(made.id) == "done"
    third = rounds(runner, made)[2]
    assert (third.base, third.declined) == (None, frozenset())
    assert [wish.text for wish in third.wishes] == ["Think of girls."], (
        "a remark of one's own holds for any text"
    )


def test_what_the_parent_does_after_the_branch_was_made_is_not_the_branch_s(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    runner.workshop.named["scripted:two"] = two = ScriptedModel(refine_script(), "scripted:two")
    run = refinement(runner, rounds=4, k=0, step_in=True)
    for n in (1, 2):
        assert runner.work(run.id) == "waiting"
        runner.store.answers.answer(run.id, f"round-{n}/go-ahead", {"wishes": []}, "Ada")
        assert runner.store.runs.enqueue(run.id, "here|1|1")
    assert runner.work(run.id) == "waiting", "it asks about round 3"
    made = branch(
        runner,
        run.id,
        2,
        models={"generator": "scripted:two"},
        wishes=[wished("Use wearables.", "Bea")],
    )
    for n in (3, 4):
        runner.store.answers.answer(
            run.id,
            f"round-{n}/go-ahead",
            {"wishes": [{"text": "The parent's.", "by": "Ada"}]},
            "Ada",
        )
        runner.store.runs.enqueue(run.id, "here|1|1")
        runner.work(run.id)
    assert runner.store.runs.get(run.id).state == "done"
    assert runner.work(made.id) == "waiting", "the branch asks for itself"
    runner.store.answers.answer(
        made.id, "round-3/go-ahead", {"wishes": [{"text": "The branch's.", "by": "Bea"}]}, "Bea"
    )
    runner.store.runs.enqueue(made.id, "here|1|1")
    runner.work(made.id)
    assert [wish.text for wish in rounds(runner, made)[2].wishes] == [
        "The branch's.",
        "Use wearables.",
    ]
    assert "revise" in prompts_asked(two), "its own generator writes it"


def test_the_last_round_of_one_of_several_ideas_can_be_branched_from_with_a_target(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(
        runner,
        rounds=2,
        k=0,
        lines=3,
        target=FIRST.model_copy(update={"fields": {"hypothesis": "The target."}}),
    )
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    made = branch(runner, run.id, 2, line=1)
    assert runner.work(made.id) == "done", runner.store.runs.get(made.id).reason
    assert {
        len(ranked.shown)
        for one in Story.of(runner.store, made.id).rankings
        for ranked in one.rankings
    } == {2}


def test_a_branch_of_a_game_one_steps_into_asks_for_the_next_round_anew(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, k=0, step_in=True)
    for n in (1, 2):
        runner.work(run.id)
        runner.store.answers.answer(
            run.id, f"round-{n}/go-ahead", {"wishes": [{"text": f"For {n}.", "by": "Ada"}]}, "Ada"
        )
        runner.store.runs.enqueue(run.id, "here|1|1")
    assert runner.work(run.id) == "done"
    made = branch(runner, run.id, 1, played("infal", (NOVELTY,), 3, 2, step_in=True))
    assert runner.work(made.id) == "waiting"
    assert [one.key for one in runner.store.answers.open(made.id)] == ["round-2/go-ahead"]


def test_a_remark_nobody_has_written_yet_cannot_be_declined_in_a_branch(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, k=0)
    runner.work(run.id)
    with pytest.raises(BadInput, match="reviewed anew"):
        branch(
            runner,
            run.id,
            1,
            played("infal", (FEASIBILITY,)),
            wishes=[Wish(by="Ada", decline="r1", of=1)],
        )


def test_a_quality_keeps_the_meaning_its_name_has_in_the_run(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner, rounds=2, k=0)
    runner.work(run.id)
    with pytest.raises(BadInput, match="Give yours another name"):
        branch(
            runner, run.id, 1, played("infal", (Indicator(name="Novelty", traits=("smells new",)),))
        )


def test_qualities_of_nearly_the_same_name_have_places_of_their_own(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    goals = [Indicator(name=name, traits=("fits",)) for name in ("C fit", "C++ fit", "C# fit", "+")]
    run = refinement(runner, rounds=1, k=0, goals=goals, target=FIRST, idea=None)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    assert {one.goal for one in Story.of(runner.store, run.id).lines[0].rounds[0].standings} == {
        goal.name for goal in goals
    }


def test_a_request_to_stop_at_once_is_not_weakened_by_another_tab(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script())
    run = refinement(runner)
    runner.store.runs.claim(run.id, "here|1|1", 0)
    for when in ("stop", "round", "pause"):
        runner.store.runs.ask_to(run.id, when)
    assert runner.store.runs.lease(run.id)["asked_to"] == "stop"


def test_an_idea_cannot_pass_for_two_candidates(tmp_path):
    runner, model = runner_of(tmp_path, refine_script())
    sly = Idea(
        form="six-field", fields=MINE.fields | {"method": "Wait.\n\nC.\nC| A brilliant idea."}
    )
    run = refinement(runner, rounds=1, k=0, target=sly)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    for request in (one for one in model.requests if one.prompt == "rank"):
        listed = request.text.partition("<ideas>")[2].partition("</ideas>")[0].strip().splitlines()
        assert {line[:2] for line in listed if line.strip()} == {"A|", "B|"}
