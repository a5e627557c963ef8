"""The checklist: nine items judged each by itself, rewarded lexicographically, with passages that
are the idea's own words.
"""

import itertools
from collections import Counter

import pytest

from core.errors import ModelFailed
from core.judging import checklist
from core.methods.evolution import EvolveInputs
from core.models.port import Request
from core.records import FORMS, ITEMS, PRIMARY, Checklist, Evolved, Idea, Judged
from core.runs.planning import validated
from core.story import Story
from tests.support.evolving import EVERY, SPANS, WELL, evolving, idea_with, item_of, judged
from tests.support.scripted import configured, resumed, runner_of

HEADED = Idea(form="headed", fields={"text": WELL})
SIX = Idea(
    form="six-field",
    fields={name: f"{name} {WELL.split(chr(10))[4]}" for name in FORMS["six-field"]},
)


def of(vector):
    return Checklist(
        items=tuple(
            Judged(item=item.name, score=score, by="hand")
            for item, score in zip(ITEMS, vector, strict=True)
        )
    )


def test_items_that_are_not_judged_are_counted_apart_from_those_that_do_not_hold():
    assert checklist.count_held(of((1, 1, 0, 1, 0, 0, 0, 0, 0))) == "3 of 9"
    assert checklist.count_held(of((1, 1, None, 1, 0, None, 0, 0, 0))) == "3 of 9, 2 not judged"


def judge(folder, idea=HEADED, script=None, state="done", **asked):
    """Judge an idea as an evolution of one step does, and return the checklist, the model and the
    runner with its run.
    """
    runner, model = runner_of(folder, evolving() | (script or {}))
    inputs = validated(
        EvolveInputs,
        **({"topic": "t", "question": "How?", "papers": False, "idea": idea, "steps": 1} | asked),
    )
    run = runner.begin(configured(runner, "evolve", inputs), "t")
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    step = Story.of(runner.store, run.id).last(Evolved)
    return step.scores if step else None, model, runner, run


def test_over_all_512_vectors_the_reward_is_distributed_as_the_paper_counts():
    every = [of(vector) for vector in itertools.product((0, 1), repeat=9)]
    assert len(every) == 512
    assert sorted(Counter(one.reward for one in every).items()) == list(
        enumerate((1, 9, 36, 84, 201, 121, 50, 10))
    )
    for one in every:
        primary, total = sum(one.vector[:5]), sum(one.vector)
        assert one.reward == (primary if primary >= 4 else total)
        assert one.by_primary == (primary >= 4)
        assert (one.primary, one.total, one.holds) == (primary, total, total == 9)


def test_the_reward_may_fall_when_the_fourth_primary_item_is_met():
    assert (of((1, 1, 1, 0, 0, 1, 1, 1, 1)).reward, of((1, 1, 1, 1, 0, 1, 1, 1, 1)).reward) == (
        7,
        4,
    )


def test_the_first_five_items_are_primary():
    assert (
        PRIMARY
        == ("grounding", "feasibility", "problem", "risk", "method")
        == tuple(item.name for item in ITEMS[:5])
    )


def test_there_is_no_reward_while_an_item_is_not_judged():
    assert of((1, 1, 1, 1, None, 1, 1, 1, 1)).reward is None


def test_each_item_is_asked_by_itself_and_told_nothing_of_the_others(tmp_path):
    found, model, *_ = judge(tmp_path)
    assert sorted(map(item_of, model.requests)) == sorted(EVERY - {"length", "layout"})
    for request in model.requests:
        said = request.standing + request.text
        assert ITEMS[[item.name for item in ITEMS].index(item_of(request))].holds in said
        assert not any(item.holds in said for item in ITEMS if item.name != item_of(request))
    assert [one.item for one in found.items] == [item.name for item in ITEMS]


def test_items_that_fail_come_with_a_passage_of_the_idea_and_reasons_stay_in_the_journal(tmp_path):
    found, *_ = judge(tmp_path)
    for one in found.unsatisfied:
        assert one.directive
        assert one.passage
        assert (one.passage.state, one.passage.quote) == ("verbatim", SPANS[one.item])
        assert WELL[one.passage.start : one.passage.end] == one.passage.quote
    assert "is lacking" not in found.model_dump_json()


def test_layout_and_length_are_decided_by_code_for_free_and_by_a_model_if_wanted(tmp_path):
    found, model, *_ = judge(tmp_path / "code")
    by_model, asked, *_ = judge(tmp_path / "model", decided="model")
    assert (len(model.requests), len(asked.requests)) == (7, 9)
    assert {one.item: (one.by, one.score) for one in found.items if one.by == "code"} == {
        "length": ("code", 1),
        "layout": ("code", 1),
    }
    assert {one.by for one in by_model.items} == {"scripted:one"}
    assert [one.score for one in by_model.items if one.item in ("length", "layout")] == [0, 0]


def test_code_points_at_the_sentence_that_is_too_much(tmp_path):
    long = Idea(
        form="headed",
        fields={
            "text": WELL.replace(
                "We ablate the gate.", "We ablate the gate. We repeat it. We rest."
            )
        },
    )
    found, *_ = judge(tmp_path, idea=long)
    wrong = next(one for one in found.items if one.item == "length")
    assert (wrong.score, wrong.passage.quote, wrong.by) == (0, "We rest.", "code")


def test_an_idea_of_another_form_is_judged_by_the_seven_items_that_hold_for_any(tmp_path):
    found, *_ = judge(tmp_path, idea=SIX)
    assert [one.item for one in found.items] == [
        item.name for item in ITEMS if item.name not in ("length", "layout")
    ]


@pytest.mark.parametrize("span", ["A passage nobody wrote about quantum halos.", ""])
def test_what_a_judge_invents_is_marked_and_never_a_quote(tmp_path, span):
    script = {
        "checklist-item": lambda r: {
            "reason": "r",
            "score": 0,
            "directive": {"span": span, "issue": "i", "suggestion": "s"},
        }
    }
    found, *_ = judge(tmp_path, script=script)
    assert {(one.passage.state, one.passage.quote) for one in found.items if one.by != "code"} == {
        ("not found", "")
    }


def failing(*names):
    def answer(request: Request) -> object:
        return (
            ModelFailed("The judge is away. Try again.")
            if item_of(request) in names
            else judged(request)
        )

    return {"checklist-item": answer}


def test_a_judge_that_fails_on_an_item_leaves_it_without_a_score(tmp_path):
    found, _, runner, run = judge(tmp_path, script=failing("risk"))
    risk = next(one for one in found.items if one.item == "risk")
    assert (risk.score, risk.directive, risk.reason) == (
        None,
        None,
        "The judge is away. Try again.",
    )
    assert (found.reward, found.holds, found.complete) == (None, False, False)
    assert runner.store.steps.get(run.id, "step-0/checklist/risk/checklist-item").status == "failed"


def test_a_score_of_zero_without_a_directive_is_asked_again(tmp_path):
    script = {
        "checklist-item": lambda r: (
            judged(r)
            if r.corrections or item_of(r) != "risk"
            else {"reason": "r", "score": 0, "directive": None}
        )
    }
    found, model, *_ = judge(tmp_path, script=script)
    assert len(model.requests) == 8
    assert next(one for one in found.items if one.item == "risk").directive


def test_a_judge_that_fails_on_every_item_fails_the_run_and_resuming_asks_all_again(tmp_path):
    _, model, runner, run = judge(tmp_path, script=failing(*EVERY), state="failed")
    assert runner.store.runs.get(run.id).reason == "The judge is away. Try again."
    model.script["checklist-item"] = judged
    assert resumed(runner, run.id) == "done"
    assert Story.of(runner.store, run.id).last(Evolved).scores.complete


def test_a_directive_beside_a_score_of_one_is_dropped(tmp_path):
    script = {
        "checklist-item": lambda r: {
            "reason": "r",
            "score": 1,
            "directive": {"span": "", "issue": "none", "suggestion": "none"},
        }
    }
    found, *_ = judge(tmp_path, script=script)
    assert found.holds
    assert not any(one.directive for one in found.items)


def test_code_alone_judges_layout_and_length_and_says_what_it_leaves_open():
    found = checklist.by_code_alone(Idea(form="headed", fields={"text": idea_with(EVERY)}))
    assert [one.score for one in found.items] == [None] * 7 + [1, 1]
    assert found.reward is None
    assert all("language model" in one.reason for one in found.items[:7])


CLAUSES = {
    "grounding": (
        "principles or mechanisms",
        "state of the art",
        "limiting assumption",
        "missing element",
        "unsolved gap",
    ),
    "feasibility": ("data, compute, equipment and access", "realistic", "dependencies", "heroic"),
    "problem": (
        "specific, scoped",
        "falsifiable hypothesis",
        "why it matters",
        "what changes",
        "science, technology or society",
    ),
    "risk": (
        "key assumptions",
        "failure modes",
        "mitigations",
        "alternative paths",
        "plan B",
        "core components fail",
    ),
    "method": (
        "test or falsify",
        "datasets, benchmarks or setup",
        "baselines or controls",
        "metrics",
        "ablation or sanity check",
        "validation, statistics or robustness",
    ),
    "writing": (
        "professional, self-contained",
        "methods, architectures, datasets or formalisms",
        "vague placeholders",
        "no filler",
    ),
    "innovation": (
        "mechanism, a theory, an architecture, a measurement, data or a protocol",
        "not obvious",
        "surprises, or challenges an assumption",
        "beyond one benchmark",
    ),
}
"""What the paper's items say, clause by clause (EvoIdeator, section 3.1)."""


@pytest.mark.parametrize("name", CLAUSES)
def test_an_item_reaches_its_judge_with_every_clause_of_the_paper(tmp_path, name):
    runner, model = runner_of(tmp_path, evolving())
    idea = Idea(form="headed", fields={"text": WELL})
    run = runner.begin(
        configured(
            runner,
            "evolve",
            validated(
                EvolveInputs,
                topic="t",
                question="How?",
                papers=False,
                review="r",
                idea=idea,
                steps=1,
            ),
        ),
        "t",
    )
    assert runner.work(run.id) == "done"
    asked = next(
        one.text
        for one in model.requests
        if one.prompt == "checklist-item" and one.values["item"].name == name
    )
    assert [clause for clause in CLAUSES[name] if clause not in asked] == []
    assert "says why it should hold" not in asked
