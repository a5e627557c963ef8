"""The common form: made once, kept beside the original, and what cannot be made is said."""

import pytest

from core.errors import BadInput, ModelFailed
from core.judging.forms import FormInputs, formed, is_common, texts
from core.records import Design, Idea
from core.runs.estimates import of_run
from core.runs.planning import validated
from core.story import Story
from tests.support.arena_kit import (
    JUDGES,
    METHODS,
    SCRIPT,
    TOPICS,
    a_design,
    arena_shop,
    begun,
    entry,
    one_paragraph,
    six,
)
from tests.support.scripted import prompts_asked, resumed


def reformed(runner, shas, state="done", **given):
    inputs = validated(FormInputs, shas=tuple(shas), **given)
    run = runner.begin(
        runner.workshop.config("forms", inputs, models={"judge": JUDGES[0]}, seed=7), "Forms"
    )
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return runner.store.runs.get(run.id)


def test_ideas_get_six_fields_and_their_originals_stay(tmp_path):
    runner, models = arena_shop(tmp_path)
    originals = (one_paragraph("One."), six("Two."), one_paragraph("Three."))
    shas = runner.store.frozen.keep_all(originals)
    run = reformed(runner, shas)
    assert [one.form for one in Story.of(runner.store, run.id).all(Idea)] == ["six-field"] * 3
    assert prompts_asked(models[JUDGES[0]]) == ["six-fields"] * 2, (
        "what is in the common form is taken as it is"
    )
    assert tuple(texts(runner.store, shas, "idea").values()) == originals
    made = runner.store.frozen.forms(shas, "idea")
    assert runner.store.frozen.get(made[shas[0]], Idea).fields["title"] == "Restated: One."
    assert shas[1] not in made


def test_a_form_is_made_once_whoever_asks_for_it(tmp_path):
    runner, models = arena_shop(tmp_path)
    shas = runner.store.frozen.keep_all((one_paragraph("One."),))
    first, second = reformed(runner, shas), reformed(runner, (*shas, *shas))
    assert len(models[JUDGES[0]].requests) == 1
    assert [Story.of(runner.store, run.id).all(Idea) for run in (first, second)] == [
        Story.of(runner.store, first.id).all(Idea)
    ] * 2
    assert (of_run(first).calls, second.calls) == (1, 0)


def places(folder, broken_off=None):
    """Hold an arena whose texts need forms, in which the fourth answer to one prompt is never
    heard; return where its steps and records stand.
    """
    asked = []

    def answer(request):
        asked.append(request.prompt)
        lost = request.prompt == broken_off and asked.count(broken_off) == 4
        return RuntimeError("Killed.") if lost else SCRIPT[request.prompt](request)

    runner, _ = arena_shop(folder, dict.fromkeys(SCRIPT, answer))
    store = runner.store
    taking_part = [
        entry(store, method, topic, one_paragraph(f"By {method} on {topic}."))
        for topic in TOPICS
        for method in METHODS
    ]
    run = begun(runner, taking_part, at_once=1)
    runner.work(run.id)
    assert (store.runs.get(run.id).state == "done") == (broken_off is None)
    if broken_off:
        runner.enqueue(run.id)
        assert runner.work(run.id) == "done"
    return sorted(
        [(one.place, one.key) for one in store.steps.outline(run.id)]
        + [(one.place, one.name) for one in store.steps.products(run.id)]
    )


@pytest.mark.parametrize("broken_off", ["six-fields", "arena-ideas"])
def test_a_run_that_goes_on_asks_where_one_that_was_never_broken_off_does(tmp_path, broken_off):
    calm = places(tmp_path / "calm")
    assert len(calm) == 6 + 12 + 2
    assert places(tmp_path / "broken off", broken_off) == calm


def test_designs_that_are_plain_text_become_designs(tmp_path):
    runner, models = arena_shop(tmp_path)
    shas = runner.store.frozen.keep_all(
        (one_paragraph("Compare naps with none."), a_design("Compare."))
    )
    run = reformed(runner, shas, kind="design")
    assert [one.setup for one in Story.of(runner.store, run.id).all(Design)] == [
        "Restated: Compare naps with none.",
        "Compare.",
    ]
    assert prompts_asked(models[JUDGES[0]]) == ["common-design"]
    assert [is_common(one) for one in texts(runner.store, shas, "design").values()] == [False, True]


def test_a_text_that_cannot_be_restated_is_left_and_the_others_are_made(tmp_path):
    def fails(request):
        return (
            ModelFailed("Refused.")
            if "bad" in request.values["idea"].text
            else SCRIPT["six-fields"](request)
        )

    runner, _ = arena_shop(tmp_path, {"six-fields": fails})
    shas = runner.store.frozen.keep_all((one_paragraph("A bad one."), one_paragraph("A good one.")))
    run = reformed(runner, shas)
    assert [one.fields["title"] for one in Story.of(runner.store, run.id).all(Idea)] == [
        "Restated: A good one."
    ]
    assert [one.status for one in runner.store.steps.outline(run.id)].count("failed") == 1


def test_where_no_form_comes_about_the_run_fails_and_resuming_asks_again(tmp_path):
    down = [True]
    runner, _ = arena_shop(
        tmp_path,
        {"six-fields": lambda r: ModelFailed("Down.") if down[0] else SCRIPT["six-fields"](r)},
    )
    shas = runner.store.frozen.keep_all((one_paragraph("One."), one_paragraph("Two.")))
    run = reformed(runner, shas, state="failed")
    assert "compare the texts as they are" in run.reason
    down[0] = False
    assert resumed(runner, run.id) == "done"


def test_a_text_that_is_missing_or_of_the_other_kind_is_a_sentence(tmp_path):
    runner, _ = arena_shop(tmp_path)
    (idea,) = runner.store.frozen.keep_all((a_design("d"),))
    for shas, kind, said in (
        ((idea,), "idea", "no frozen idea"),
        (("0" * 64,), "design", "no frozen text"),
    ):
        with pytest.raises(BadInput, match=said):
            texts(runner.store, shas, kind)


def test_a_text_asked_for_twice_is_asked_of_the_model_once(tmp_path):
    runner, models = arena_shop(tmp_path)
    (sha,) = runner.store.frozen.keep_all((one_paragraph("One."),))
    run = runner.begin(
        runner.workshop.config(
            "forms", validated(FormInputs, shas=(sha,)), models={"judge": JUDGES[0]}, seed=7
        ),
        "Forms",
    )
    epoch = runner.store.runs.claim(run.id, "me|1|1", 0)
    _, desk = runner.workshop.desk(runner.store.runs.get(run.id), epoch)
    made = formed(desk, [sha, sha], "idea", 4)
    assert (list(made), len(models[JUDGES[0]].requests)) == ([sha], 1)
