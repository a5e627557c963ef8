"""A person ranks: blind as a judge is, every candidate once, before the models, and as near to them
as A(Q) says.
"""

import itertools
import json
from collections import Counter

import pytest

from core.errors import BadInput
from core.export.ranked import tables
from core.judging.ranked_sets import IdeaSet, RankInputs, judges
from core.judging.ranking import TARGET, agreement, by_chance
from core.methods.evolution import EvolveInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, Idea, Ranked, Standing
from core.runs.estimates import estimate
from core.runs.planning import validated
from core.story import Story
from tests.support.headless import MODEL, cli, server
from tests.support.sweep_kit import MODELS, asked_for, runner_of

__all__ = ["cli", "server"]


def text(n):
    return Idea(
        form="six-field", fields={field: f"Text {n} {field}" for field in FORMS["six-field"]}
    )


IDEAS = {f"{name}.txt by {name}": text(n) for n, name in enumerate("xyz", 1)}
TARGET_IDEA = text(4)
ONE = IdeaSet(name="final", ideas=IDEAS, target=TARGET_IDEA)


def begun(folder, by, sets=(ONE,), goals=(NOVELTY,)):
    runner, models = runner_of(folder)
    inputs = validated(RankInputs, topic="Mine", goals=goals, sets=sets, repeats=2, judged_by=by)
    run = runner.begin(
        runner.workshop.config("rank", inputs, models={"judge": MODELS[2]}, seed=7), "Mine"
    )
    assert runner.work(run.id) == "waiting", runner.store.runs.get(run.id).reason
    return runner, models, run


def questions(runner, run):
    return {one.key: one.question["shown"] for one in runner.store.answers.open(run.id)}


def order(shown, *texts):
    """Return an answer that puts the candidates in this order, by the number in their text."""
    letter = {
        one["idea"]["fields"]["title"].split()[1]: one["label"] for one in shown["candidates"]
    }
    return {
        "places": [
            {"label": letter[text], "reason": "Said." if text == "1" else ""} for text in texts
        ]
    }


def answered(runner, run, texts="1423"):
    for key, shown in questions(runner, run).items():
        runner.answer(run.id, key, order(shown, *texts), "Ada")
    runner.wait(run.id, 20)
    assert runner.store.runs.get(run.id).state == "done", runner.store.runs.get(run.id).reason
    return {
        place: one
        for place, one in Story.of(runner.store, run.id).parts
        if isinstance(one, Standing)
    }


def test_a_person_sees_letters_and_texts_and_neither_names_nor_which_is_the_target(tmp_path):
    runner, _, run = begun(tmp_path, "person")
    (shown,) = questions(runner, run).values()
    assert set(shown) == {"area", "goal", "candidates"}
    assert [one["label"] for one in shown["candidates"]] == list("ABCD")
    assert all(set(one) == {"label", "idea"} for one in shown["candidates"])
    said = json.dumps(shown)
    assert TARGET not in said
    assert not any(name in said for name in IDEAS)


def test_q_follows_from_the_order_and_no_model_is_asked(tmp_path):
    runner, models, run = begun(tmp_path, "person")
    stands = answered(runner, run)
    assert list(stands) == ["person/final/novelty"]
    assert stands["person/final/novelty"].q == pytest.approx(1 / 3)
    (ranked,) = stands["person/final/novelty"].rankings
    assert ranked.best_first[1] == TARGET
    assert ranked.reasons == ("Said.", "", "", "")
    assert sorted(ranked.shown) == sorted([*IDEAS, TARGET])
    assert not asked_for(models)
    assert (
        estimate("rank", run.config.inputs, run.config.models).calls
        == runner.store.runs.get(run.id).calls
        == 0
    )
    assert runner.store.steps.get(run.id, "person/final/novelty/repeat-1/rank").origin.name == "Ada"


@pytest.mark.parametrize(
    "wrong",
    [["A", "B", "C"], ["A", "B", "C", "C"], ["A", "B", "C", "D", "E"], ["a", "B", "C", "D"], []],
)
def test_an_order_that_does_not_name_each_once_is_refused_and_the_question_stays_open(
    tmp_path, wrong
):
    runner, _, run = begun(tmp_path, "person")
    (key,) = questions(runner, run)
    with pytest.raises(BadInput, match="name each of A, B, C, D exactly once"):
        runner.answer(run.id, key, {"places": [{"label": one} for one in wrong]}, "Ada")
    assert set(questions(runner, run)) == {key}
    answered(runner, run)


def test_every_set_and_quality_is_asked_at_once_each_in_a_shuffle_of_its_own(tmp_path):
    sets = (ONE, ONE.model_copy(update={"name": "My own ideas"}))
    runner, _, run = begun(tmp_path, "person", sets, (NOVELTY, FEASIBILITY))
    asked = questions(runner, run)
    assert len(asked) == 4
    assert (
        len(
            {
                tuple(one["idea"]["fields"]["title"] for one in shown["candidates"])
                for shown in asked.values()
            }
        )
        > 1
    )
    assert len(answered(runner, run)) == 4


def test_models_are_asked_only_once_the_person_has_handed_in(tmp_path):
    runner, models, run = begun(tmp_path, "both")
    assert not asked_for(models)
    stands = answered(runner, run)
    assert set(stands) == {"person/final/novelty", "judge/final/novelty"}
    assert asked_for(models) == Counter({"rank": 2})
    assert estimate("rank", run.config.inputs, run.config.models).calls == 2
    assert judges(RankInputs.model_validate(run.config.inputs), run.config.models) == {
        "judge": MODELS[2],
        "person": "a person",
    }


def test_an_export_tells_the_person_from_the_models(tmp_path):
    runner, _, run = begun(tmp_path, "both")
    answered(runner, run)
    q = next(
        one for one in tables(runner.store, run, Story.of(runner.store, run.id)) if one.name == "q"
    )
    assert {row[2].text: row[3].mean for row in q.rows}["a person"] == pytest.approx(1 / 3)


def test_where_a_person_ranks_alone_no_model_is_asked_for_a_form(tmp_path):
    bare = IdeaSet(
        name="final",
        ideas={n: Idea(form="hypothesis", fields={"hypothesis": f"Text {n}"}) for n in "12"},
    )
    runner, models, run = begun(tmp_path, "person", (bare,))
    (shown,) = questions(runner, run).values()
    assert {one["idea"]["form"] for one in shown["candidates"]} == {"hypothesis"}
    assert not asked_for(models)


def test_what_models_judge_is_asked_in_the_same_words_as_before_people_could():
    ranks = validated(RankInputs, topic="Mine", goals=(NOVELTY,), sets=(ONE,))
    assert "judged_by" not in ranks.model_dump(mode="json")
    assert "judged_by" not in validated(EvolveInputs, topic="replay").model_dump(mode="json")
    assert (
        RankInputs.model_validate(
            ranks.model_copy(update={"judged_by": "both"}).model_dump(mode="json")
        ).judged_by
        == "both"
    )


def test_chance_agreement_is_the_mean_over_all_pairs_of_places():
    for ideas in range(1, 12):
        places = range(ideas + 1)
        mean = (
            sum(1 - abs(a - b) / ideas for a, b in itertools.product(places, places))
            / len(places) ** 2
        )
        assert by_chance(ideas) == pytest.approx(mean)
    assert round(by_chance(3), 2) == 0.58


def test_agreement_is_the_mean_over_the_pairs_of_rankings():
    def standing(*places):
        orders = [(*"abc"[:place], TARGET, *"abc"[place:]) for place in places]
        return Standing(
            goal="novelty",
            q=None,
            rankings=tuple(Ranked(shown=one, best_first=one, reasons=("",) * 4) for one in orders),
        )

    assert agreement(standing(0), standing(0)) == 1
    assert agreement(standing(0), standing(3)) == 0
    assert agreement(standing(1), standing(0, 3)) == pytest.approx((2 / 3 + 1 / 3) / 2)
    without = Ranked(shown=("a", "b"), best_first=("a", "b"), reasons=("", ""))
    assert agreement(standing(0), Standing(goal="novelty", q=None, rankings=(without,))) is None


def test_a_person_ranks_from_the_command_line_alone_or_before_a_model(cli, tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text(f"Naps help, way {name}.")
    words = (
        "rank",
        "--ideas",
        str(tmp_path / "one.txt"),
        str(tmp_path / "two.txt"),
        "--person",
        "--repeats",
        "2",
        "--as-they-are",
    )
    for more, calls in (((), 0), (("--judge", MODEL), 2)):
        _, document, _ = cli(*words, *more)
        assert (document["state"], document["calls"]) == ("waiting", 0)
        key = "person/final/novelty/repeat-1/rank"
        answer = json.dumps(
            {"places": [{"label": "B", "reason": "It can be tested."}, {"label": "A"}]}
        )
        code, document, _ = cli("answer", document["run"], key, "--with", answer, "--by", "Ada")
        assert (code, document["state"], document["calls"]) == (0, "done", calls)
        assert document["standings"]["person/final/novelty"]["rankings"][0]["reasons"] == [
            "It can be tested.",
            "",
        ]
