"""Tables of checklist evolutions: items before and after, sums by provider, trajectories, discards;
what counts, and by what.
"""

from core.errors import ModelFailed
from core.judging.evolution_tables import (
    SELF,
    by_provider,
    discards,
    per_item,
    steps_table,
    trajectories,
    trials,
)
from core.records import ITEMS, Idea
from core.story import Story
from tests.conftest import ScriptedModel
from tests.support.evolving import WELL, evolve, evolving, judged

NAMES = [item.name for item in ITEMS]


def tried(folder, n=3, **asked):
    _, _, run, story = evolve(folder, lines=n, **asked)
    return trials(run.config, run.id, story.parts)


def test_means_per_item_before_and_after_are_those_of_the_ideas(tmp_path):
    held = tried(tmp_path)
    table = per_item(held)
    assert table.head == (
        "Stage",
        "Model",
        "Directives by",
        *(name.capitalize() for name in NAMES),
        "Sum",
    )
    before, after = table.rows
    assert [cell.mean for cell in before[3:]] == [0, 0, 0, 0, 0, 1, 0, 1, 1, 3]
    assert [cell.mean for cell in after[3:]] == [1, 1, 1, 0, 0, 1, 0, 1, 1, 6]
    assert {cell.n for cell in after[3:]} == {3}
    assert after[3].runs == (held[0].run,)


def test_sums_by_provider_stand_beside_self_correction(tmp_path):
    held = tried(tmp_path / "a") + tried(tmp_path / "b", informed=False)
    table = by_provider(held)
    assert [(row[0].text, row[2].mean, row[3].mean) for row in table.rows] == [
        ("scripted:one", 3, 6),
        (SELF, 3, 3),
    ]


def test_trajectories_carry_an_idea_that_ended_early_on_as_it_ended(tmp_path):
    held = tried(tmp_path / "a", n=2, steps=4) + tried(
        tmp_path / "b", n=1, steps=4, script=evolving(at_once=9)
    )
    sums = {one.step: one.figure for one in trajectories(held) if not one.item}
    assert {step: (figure.n, figure.value) for step, figure in sums.items()} == {
        0: (3, 3),
        1: (3, 7),
        2: (3, 9),
    }
    assert len(steps_table(held).rows) == 3


def test_an_item_nobody_judged_is_left_out_of_the_mean_and_said(tmp_path):
    script = {
        "checklist-item": lambda r: (
            ModelFailed("Away.") if r.values["item"].name == "risk" else judged(r)
        )
    }
    table = per_item(tried(tmp_path, n=2, script=script))
    risk, total = table.rows[0][3 + NAMES.index("risk")], table.rows[0][-1]
    assert (risk.mean, risk.short, total.mean, total.short) == (
        None,
        "0 of 2 ideas",
        None,
        "0 of 2 ideas",
    )


def test_a_discarded_idea_counts_as_discarded_and_nowhere_else(tmp_path):
    held = tried(tmp_path, n=2, script={"evolve-revise": lambda _: "nothing"})
    assert [cell.mean for cell in discards(held).rows[0][2:]] == [4, 2, 0.5]
    assert [row[0].text for row in per_item(held).rows] == ["generation"]


def test_an_evolution_that_was_broken_off_counts_as_far_as_it_came(tmp_path):
    held = tried(tmp_path, n=2)
    cut = [one._replace(steps=one.steps[:1]) for one in held]
    sums = {one.step: one.figure for one in trajectories([*held, *cut]) if not one.item}
    assert {step: (figure.n, figure.value) for step, figure in sums.items()} == {
        0: (4, 3),
        1: (2, 6),
    }


def test_ideas_on_one_question_are_not_taken_as_independent(tmp_path):
    one, other, third = (
        tried(tmp_path / name, n=4, **more)
        for name, more in (("a", {}), ("b", {"script": evolving(at_once=9)}), ("c", {}))
    )
    held = [
        trial._replace(question=name)
        for name, mine in (("a", one), ("b", other), ("c", third))
        for trial in mine
    ]
    total = next(mean.figure for mean in trajectories(held) if mean.step == 1 and not mean.item)
    assert (total.n, total.how) == (12, "Student's t over 3 questions, cut at 0 and 9")
    alone = next(
        mean.figure
        for mean in trajectories(
            [one[0], other[0]._replace(question="b"), third[0]._replace(question="c")]
        )
        if mean.step == 1
    )
    assert (alone.n, alone.how) == (3, "Student's t over 3 ideas, cut at 0 and 9")


def test_scores_of_different_judges_are_never_one_mean(tmp_path):
    held = tried(tmp_path, n=1) + tuple(
        one._replace(scorer="another") for one in tried(tmp_path / "b", n=1)
    )
    rows = per_item(held).rows
    assert {row[2].text for row in rows} == {
        "scripted:one, scored by scripted:one",
        "scripted:one, scored by another",
    }
    assert {row[-1].n for row in rows} == {1}


# -- branches ------------------------------------------------------------------------------------


def branched(tmp_path, several=1, generator="scripted:one", at="step-1/evolve-revise", **asked):
    """Return the trials of an evolution and of branches of it, each from the one before."""
    runner, model, run, story = evolve(tmp_path, **asked)
    held = [*trials(run.config, run.id, story.parts)]
    for n in range(1, several + 1):
        name = generator.format(n)
        runner.workshop.named[name] = ScriptedModel(model.script, name)
        made = runner.fork(
            run.id,
            at.format(n),
            lambda config, name=name: config.model_copy(
                update={"models": {**config.models, "generator": name}}
            ),
        )
        assert runner.work(made.id) == "done"
        answered = runner.store.steps.answered(runner.store.runs.get(made.id))
        held += trials(made.config, made.id, Story.of(runner.store, made.id).parts, answered)
        run = made
    return held


def test_a_text_that_branches_share_is_one_observation(tmp_path):
    held = branched(tmp_path, several=3)
    assert len(held) == 4
    means = trajectories(held)
    assert {one.figure.n for one in means if one.step == 0} == {1}
    assert {one.figure.n for one in means if one.step == 1} == {4}
    (row,) = discards(held).rows
    assert row[2].mean == 1 + 4, "a first form, and a revision by each"
    without = [one.figure.n for one in trajectories(held[1:]) if one.step == 0]
    assert set(without) == {1}, "without the parent too"
    assert discards(held[1:]).rows[0][2].mean == 1 + 3


def test_an_idea_that_a_branch_has_judged_again_was_written_once(tmp_path):
    held = branched(tmp_path, at="step-1/checklist/risk/checklist-item")
    assert discards(held).rows[0][2].mean == 2


def test_of_several_lines_those_that_a_branch_took_over_are_its_parents(tmp_path):
    held = branched(tmp_path, generator="scripted:other", at="idea-2/step-1/evolve-revise", lines=2)
    assert [(one.line, one.generator) for one in held] == [
        ("idea-1", "scripted:one"),
        ("idea-2", "scripted:one"),
        ("idea-1", "scripted:one"),
        ("idea-2", "scripted:one, then scripted:other"),
    ]
    at = {(one.generator, one.step): one.figure.n for one in trajectories(held) if not one.item}
    assert at["scripted:one", 0] == at["scripted:one", 1] == 2
    assert at["scripted:one, then scripted:other", 1] == 1


def test_a_branch_of_a_branch_goes_by_all_of_its_generators(tmp_path):
    held = branched(tmp_path, 2, "scripted:more-{}", at="step-{}/evolve-revise", steps=4)
    by = "scripted:one, then scripted:more-1, then scripted:more-2"
    assert held[-1].generator == f"{by}, 4 steps"


def test_an_idea_of_ones_own_that_branches_share_is_one_observation(tmp_path):
    held = branched(tmp_path, several=2, idea=Idea(form="headed", fields={"text": WELL}))
    assert {one.figure.n for one in trajectories(held) if one.step == 0} == {1}


def test_a_discarded_idea_that_a_branch_took_over_is_one(tmp_path):
    script = {"evolve-revise": lambda _: "nothing"}
    held = branched(tmp_path, script=script, lines=2, at="idea-2/step-1/evolve-revise")
    assert [bool(one.discarded) for one in held] == [True] * 4
    assert [cell.mean for cell in discards(held).rows[0][2:]] == [2 + 3, 3, 0.6]
    assert "3 discarded." in per_item(held).note
