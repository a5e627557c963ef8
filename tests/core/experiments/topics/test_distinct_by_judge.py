"""Which ideas of a contender are one by a judge: only near pairs are asked, each once and for all,
beside what embeddings say.
"""

from collections import Counter

import pytest

from core.errors import ModelFailed
from core.experiments.topics.distinct import (
    MOST_ASKED,
    most_comparisons,
    near_pairs,
    said_of_comparisons,
)
from core.experiments.topics.results import collect
from core.experiments.topics.tables import tables
from core.export.recipe_rows import answers, rows_of
from core.records import Idea
from core.runs.estimates import of_run, of_topic_experiment
from core.runs.extending import extend
from core.tables.sheets import sheet
from tests.support.scripted import die, fresh, resumed
from tests.support.topics_kit import (
    JUDGE,
    OTHER,
    SECOND,
    WRITER,
    asked,
    done,
    experiment,
    judge_script,
    runner_of,
    writer_script,
)

FIELDS = ("motivation", "novelty", "difference", "challenges")
ALIKE = dict.fromkeys(FIELDS, "the very same words of this idea")


def drafts(*groups: int):
    """Write direct ideas that embeddings take for near; the judge tells them by their group."""
    numbers = iter(enumerate(groups))

    def say(request):
        serial, group = next(numbers)
        said = f"It is worth 1. group{group} text{serial}"
        return {**ALIKE, "title": "An idea", "method": said}

    return writer_script() | {"direct-idea": say}


def group_of(idea: Idea) -> str:
    return idea.text.partition("group")[2][:1]


def same(request):
    one = group_of(request.values["first"]) == group_of(request.values["second"])
    return {"reason": "By group.", "same": one, "better": "first"}


def judge(**more):
    return judge_script() | {"same-idea": same} | more


def row_of(held, store, name="Direct prompting"):
    made = next(one for one in tables(store, held) if one.name == "topics-distinct")
    row = next(row for row in made.rows if row[0].text == name)
    return dict(zip(made.head, row, strict=True))


def comparisons(models):
    return [
        request
        for name in (JUDGE, SECOND)
        for request in models[name].requests
        if request.prompt == "same-idea"
    ]


def test_a_judge_says_which_ideas_are_one_beside_what_embeddings_say(tmp_path):
    # By hand: 1 2 1 3 holds three ideas, and embeddings take the four for one.
    runner, models, run, held = done(
        tmp_path,
        4,
        contenders=("direct", "real-paper"),
        writer=drafts(1, 2, 1, 3),
        judge=judge(),
        distinct_by_judge=True,
    )
    row = row_of(held, runner.store)
    assert (row["Distinct"].mean, row["Distinct per hundred"].mean) == (1, 25)
    assert row[f"Per hundred by {JUDGE}"].mean == 75
    assert row[f"Pairs asked of {JUDGE}"].mean == 6
    assert row[f"Same idea by {JUDGE}"].mean == 1
    people = row_of(held, runner.store, "Real paper")
    assert people["Spread"].mean is not None, "how far apart people's ideas lie stands beside"
    asked_pairs = comparisons(models)
    near = sum(one.by_judge[0].asked for one in held.distinct)
    assert len(asked_pairs) == near
    assert {request.sampling.temperature for request in asked_pairs} == {0}
    for request in asked_pairs:
        first, second = request.values["first"], request.values["second"]
        assert first.digest() < second.digest(), "the texts decide the order"
    keys = [step.key for step in runner.store.steps.of(run.id) if step.calls]
    assert len(keys) == near
    assert "Per hundred by scripted:judge" in sheet(
        next(one for one in tables(runner.store, held) if one.name == "topics-distinct")
    )


def test_every_judge_has_columns_of_its_own_and_pairs_stand_in_the_export(tmp_path):
    never = {"same-idea": lambda r: {"reason": "No.", "same": False, "better": "first"}}
    scripts = {JUDGE: judge(), SECOND: judge_script() | never}
    runner, models = runner_of(tmp_path, writer=drafts(1, 1, 2))
    for name, script in scripts.items():
        models[name].script = script
    run = experiment(
        runner, 3, contenders=("direct", "rag"), judges=(JUDGE, SECOND), distinct_by_judge=True
    )
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    run = runner.store.runs.get(run.id)
    row = row_of(collect(runner.store, run), runner.store)
    assert round(row[f"Per hundred by {JUDGE}"].mean) == 67
    assert row[f"Per hundred by {SECOND}"].mean == 100
    files = dict(rows_of(runner.store, run))
    lines = files["same-ideas.csv"].splitlines()
    assert lines[0].endswith("player,judge,first,second,same,better,reason")
    assert len(lines) - 1 == len(comparisons(models))
    asked = "".join(answers(runner.store, run))
    assert asked.count("/same-idea") == len(comparisons(models))


def test_off_unless_asked_for_nothing_is_asked_and_the_table_is_as_before(tmp_path):
    runner, models, _, held = done(tmp_path, 3, contenders=("direct", "rag"))
    assert not comparisons(models)
    made = next(one for one in tables(runner.store, held) if one.name == "topics-distinct")
    assert len(made.head) == 6
    assert "distinct_by_judge" not in held.asked.model_dump(mode="json")
    assert all("by_judge" not in one.model_dump(mode="json") for one in held.distinct)


def test_a_pair_without_an_answer_is_counted_and_is_no_verdict(tmp_path):
    down = {"same-idea": lambda r: ModelFailed("The judge is down.")}
    runner, models, run, held = done(
        tmp_path,
        3,
        contenders=("direct", "rag"),
        writer=drafts(1, 1, 1),
        judge=judge(**down),
        distinct_by_judge=True,
    )
    row = row_of(held, runner.store)
    assert row[f"Per hundred by {JUDGE}"].mean == 100
    assert row[f"Pairs asked of {JUDGE}"].text == "3, 3 unanswered"
    assert "The judge is down" in row[f"Pairs asked of {JUDGE}"].note
    # An extension asks again what stayed without an answer, and nothing else.
    for model in models.values():
        model.requests.clear()
    models[JUDGE].script = judge()
    again = extend(runner, run.id, held.asked)
    assert runner.work(again.id) == "done", runner.store.runs.get(again.id).reason
    assert {r.prompt for m in models.values() for r in m.requests} == {"same-idea"}
    after = collect(runner.store, runner.store.runs.get(again.id))
    assert round(row_of(after, runner.store)[f"Per hundred by {JUDGE}"].mean) == 33


def test_extending_by_a_model_asks_no_pair_twice(tmp_path):
    runner, models, run, held = done(
        tmp_path,
        3,
        contenders=("direct", "rag"),
        writer=drafts(1, 1, 2),
        judge=judge(),
        distinct_by_judge=True,
    )
    before = {step.key for step in runner.store.steps.of(run.id) if step.calls}
    models[OTHER].script = drafts(4, 4, 4)
    for model in models.values():
        model.requests.clear()
    more = asked(
        runner.store,
        3,
        contenders=("direct", "rag"),
        models=(WRITER, OTHER),
        distinct_by_judge=True,
    )
    grown = extend(runner, run.id, more)
    assert runner.work(grown.id) == "done", runner.store.runs.get(grown.id).reason
    assert not models[WRITER].requests
    groups = Counter(group_of(r.values["first"]) for r in comparisons(models))
    assert not groups.keys() & {"1", "2"}, "pairs of the first model are not asked again"
    after = {step.key for step in runner.store.steps.of(grown.id)}
    assert before <= after
    held = collect(runner.store, runner.store.runs.get(grown.id))
    row = row_of(held, runner.store, "Direct prompting (scripted:two)")
    assert round(row[f"Per hundred by {JUDGE}"].mean) == 33


def test_a_resumed_experiment_asks_only_the_pairs_that_are_missing(tmp_path):
    times = iter(range(100))

    def killed(request):
        if next(times) == 2:
            raise KeyboardInterrupt
        return same(request)

    runner, models = runner_of(
        tmp_path, writer=drafts(1, 1, 2), judge=judge(**{"same-idea": killed})
    )
    run = experiment(runner, 3, contenders=("direct", "rag"), distinct_by_judge=True)
    with pytest.raises(KeyboardInterrupt):
        runner.work(run.id)
    die(runner, run.id)
    after = fresh(runner)
    after.notice_dead()
    assert resumed(after, run.id) == "done"
    pairs = Counter(
        (r.values["first"].digest(), r.values["second"].digest()) for r in comparisons(models)
    )
    lost = [pair for pair, n in pairs.items() if n > 1]
    assert len(lost) <= 1, "at most the call in flight is made twice"
    held = collect(after.store, after.store.runs.get(run.id))
    assert round(row_of(held, after.store)[f"Per hundred by {JUDGE}"].mean) == 67


def test_only_near_pairs_are_asked_and_of_each_idea_so_many_at_most():
    rows = [[0.9] * n for n in range(9)]
    wanted, near = near_pairs(rows)
    assert near == 36
    assert len(wanted) == 0 + 1 + 2 + 3 + 4 + 5 * 4
    assert max(Counter(n for n, _ in wanted).values()) == MOST_ASKED
    assert near_pairs([[], [0.74], [0.75, 0.8]]) == (((2, 1), (2, 0)), 2)


def test_the_estimate_says_the_rule_and_its_bound(tmp_path):
    _, models, run, held = done(
        tmp_path,
        2,
        contenders=("direct", "rag"),
        seeds=2,
        writer=drafts(1, 1, 2, 2),
        judge=judge(),
        distinct_by_judge=True,
    )
    # Two contenders of four ideas each: 0 + 1 + 2 + 3 pairs at most.
    assert most_comparisons(held.asked) == 12
    assert "at most 12 calls" in said_of_comparisons(held.asked)
    assert "cosine of 0.75" in said_of_comparisons(held.asked)
    off = held.asked.model_copy(update={"distinct_by_judge": False})
    assert said_of_comparisons(off) == ""
    whole, without = of_run(run), of_topic_experiment(off)
    assert whole.calls - without.calls == 2 * 2
    assert whole.most - without.most == 12
    assert len(comparisons(models)) <= 12
    assert pytest.approx(0) == whole.steps - without.steps
