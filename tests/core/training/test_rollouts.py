"""Rollouts: the prompts of inference, what a discarded draft and an unjudged item cost, and that
nothing is written or judged twice.
"""

import pytest

from core import prompts
from core.errors import BadInput
from core.records import Paper, Prepared, digest
from core.records.training import Drafted, TrainingQuery
from core.training import data, evolving
from core.training.rollouts import RolloutShape, as_rows, roll_out
from tests.conftest import ScriptedModel, Shop, make_run
from tests.support.evolving import WELL, item_of, judged

QUERY = TrainingQuery(question="How do naps restore memory?", review="Naps were studied.")
SHAPE = RolloutShape(rollouts=2, drafts=2)


class Pen:
    """A policy that writes what it is told to, in turn, and remembers what it was asked."""

    name = "pen"

    def __init__(self, *texts: str):
        self.texts, self.asked, self.seeds = list(texts), [], []

    def write(self, conversations, seed, tell):
        self.asked += conversations
        self.seeds.append(seed)
        return [Drafted(text=self.texts.pop(0), ids=(1, 2, 3)) for _ in conversations]


def block(text: str) -> str:
    return f"<think>A plan: <idea>not this</idea></think>\n<idea>\n{text}\n</idea>"


def bench(tmp_path, judge=judged):
    """Return a shop, and what opens the desk of its one run, anew each time."""
    model = ScriptedModel({"checklist-item": judge})
    shop = Shop(tmp_path, {model.name: model})
    frozen = {
        name: shop.freeze({name: prompts.text(name)})[name]
        for name in ("evolve-idea", "evolve-revise", "evolve-alone", "checklist-item")
    }
    run = make_run(shop.store, models={"judge": model.name}, prompts=frozen)

    def desk():
        epoch = shop.store.runs.claim(run.id, "nobody|1|1", shop.store.runs.get(run.id).epoch)
        return shop.desk(shop.store.runs.get(run.id), epoch)[1]

    return model, desk


@pytest.mark.parametrize("informed", [True, False])
def test_revisions_are_asked_as_at_inference_and_uninformed_ones_hold_no_directive(
    tmp_path, informed
):
    _, desk = bench(tmp_path)
    pen, here = Pen(*[block(WELL)] * 4), desk()
    environment = evolving.environment(here, informed, "lexicographic", "model")
    rollouts = roll_out(here.at("step-1"), pen, environment, [(0, QUERY)], SHAPE)
    firsts, seconds = pen.asked[:2], pen.asked[2:]
    assert [turn.role for turn in seconds[0]] == ["system", "user", "assistant", "user"]
    assert all(QUERY.question in turns[1].text for turns in (*firsts, *seconds))
    assert seconds[0][2].text == f"<idea>\n{WELL}\n</idea>"
    told = ["is weak." in turns[3].text for turns in seconds]
    assert told == [informed] * 2
    if informed:
        assert "Do something for grounding." in seconds[0][3].text
    else:
        assert not any("Do something for" in turn.text for turns in pen.asked for turn in turns)
    assert [one.total for one in rollouts] == [4.0, 4.0]  # Layout and Length, twice.


def test_a_discarded_draft_scores_nothing_ends_its_rollout_and_is_filled_up(tmp_path):
    _, desk = bench(tmp_path)
    pen, here = Pen(block(WELL), "No idea at all.", block(WELL)), desk()
    environment = evolving.environment(here, True, "sum", "code")
    rollouts = roll_out(here.at("step-1"), pen, environment, [(0, QUERY)], SHAPE)
    assert [len(one.drafts) for one in rollouts] == [2, 1]
    assert [one.total for one in rollouts] == [4.0, 0.0]
    rows = as_rows(rollouts, environment, [QUERY], SHAPE)
    assert [(row.total, row.counts) for row in rows] == [
        (4.0, True),
        (4.0, True),
        (0.0, True),
        (0.0, False),
    ]
    assert [len(row.conversation) for row in rows] == [2, 4, 2, 2]


def test_a_query_that_comes_twice_in_a_step_has_two_groups_that_are_judged_each(tmp_path):
    _, desk = bench(tmp_path)
    lost = WELL.replace("keep learning", "keep learning, second", 1)
    pen, here = Pen(*[block(WELL)] * 4, *[block(lost)] * 2, *[block(WELL)] * 6), desk()
    environment = evolving.environment(here, True, "lexicographic", "model")
    asked = [(0, QUERY), (1, QUERY), (0, QUERY)]
    rollouts = roll_out(here.at("step-1"), pen, environment, asked, SHAPE)
    assert [one.query for one in rollouts] == [0, 0, 1, 1, 0, 0]
    assert all(draft.idea for one in rollouts for draft in one.drafts)
    assert all(one.judged for one in rollouts)
    assert ["second" in one.drafts[0].idea for one in rollouts] == [False] * 4 + [True] * 2
    places = {step.key.split("/")[1] for step in here.bench.store.steps.of(here.bench.run.id)}
    assert places >= {"query-0", "query-1", "query-0-2"}
    rows = as_rows(rollouts, environment, [QUERY, QUERY], SHAPE)
    assert [row.counts for row in rows] == [True] * 12


def test_an_item_nobody_judged_is_asked_again_and_then_its_rollout_teaches_nothing(tmp_path):
    times = []

    def stubborn(request):
        if item_of(request) == "risk" and "lost" in request.values["idea"].text:
            times.append(1)
            return "no answer"
        return judged(request)

    _, desk = bench(tmp_path, stubborn)
    lost = WELL.replace("keep learning", "keep learning, lost", 1)
    pen, here = Pen(block(WELL), block(lost)), desk()
    shape = RolloutShape(rollouts=2, drafts=1)
    environment = evolving.environment(here, True, "lexicographic", "model")
    whole, dropped = roll_out(here.at("step-1"), pen, environment, [(0, QUERY)], shape)
    assert (whole.judged, dropped.judged) == (True, False)
    assert len(times) == 2 * 4, "four tries, and the question put once more"
    rows = as_rows((whole, dropped), environment, [QUERY], shape)
    assert [(row.total, row.counts) for row in rows] == [(2.0, True), (2.0, False)]


def test_what_was_written_and_judged_before_a_kill_is_not_asked_for_again(tmp_path):
    model, desk = bench(tmp_path)
    first, pen = desk(), Pen(*[block(WELL)] * 4)
    environment = evolving.environment(first, True, "lexicographic", "model")
    before = roll_out(first.at("step-1"), pen, environment, [(0, QUERY)], SHAPE)
    asked = len(model.requests)
    again, silent = desk(), Pen()
    environment = evolving.environment(again, True, "lexicographic", "model")
    assert roll_out(again.at("step-1"), silent, environment, [(0, QUERY)], SHAPE) == before
    assert (len(model.requests), silent.asked) == (asked, [])
    assert asked == 2 * 2 * 7, "of nine items code decides two"


@pytest.mark.parametrize(
    "reply", ["", WELL, f"<idea>{WELL}", "<idea>short</idea>", block(WELL) + block(WELL)]
)
def test_what_holds_no_one_whole_idea_is_no_idea(reply):
    assert evolving.read(reply) == ""


def test_data_part_by_their_seed_whatever_order_they_come_in():
    made = [
        Prepared(
            question=f"What of {n}?",
            review="r",
            seed=Paper(id=f"W{n // 2}", title=f"Paper {n // 2}"),
            rejected="too few papers" if n % 10 == 9 else "",
        )
        for n in range(60)
    ]
    parted = data.split(data.queries_of(made), held_out=20)
    assert parted == data.split(data.queries_of(made[::-1]), held_out=20)
    seeds = [{one.seed for one in side} for side in (parted.training, parted.held_out)]
    assert not seeds[0] & seeds[1]
    assert len(parted.training) + len(parted.held_out) == 54
    assert 19 <= len(parted.held_out) <= 20
    with pytest.raises(BadInput, match="none is left"):
        data.split(data.queries_of(made[:4]), held_out=10)


def test_a_question_asked_of_several_papers_is_on_one_side():
    def of(n: int, seed: str) -> TrainingQuery:
        return TrainingQuery(question=f"Does  a nap {n} help?", review="R.", seed=seed)

    for n in range(20):
        chain = [of(n, f"a{n}"), of(n, f"b{n}"), of(n + 100, f"b{n}"), of(n + 100, f"c{n}")]
        others = [of(k, f"d{k}") for k in range(200, 210)]
        parted = data.split([*chain, *others], held_out=5)
        assert sum(one in parted.training for one in chain) in (0, 4)
        assert parted == data.split([*others, *chain[::-1]], held_out=5)


def test_questions_of_papers_of_their_own_part_as_before():
    made = [
        TrainingQuery(question=f"Q{n}?", review="R.", seed=f"paper {n // 2}") for n in range(30)
    ]
    by_paper = {}
    for query in sorted(made, key=lambda query: query.digest()):
        by_paper.setdefault(digest(query.seed), []).append(query)
    held_out = [query for paper in sorted(by_paper)[:5] for query in by_paper[paper]]
    assert data.split(made, held_out=10).held_out == tuple(held_out)
