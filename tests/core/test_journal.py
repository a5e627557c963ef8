"""The nine rules of the journal, one promise at a time."""

import threading
import time

import pytest

from core.errors import (
    BadInput,
    BudgetReached,
    LeaseLost,
    ModelFailed,
    SourceFailed,
    StepAskedTwice,
    StepChanged,
    Stopped,
    Waiting,
    gravest,
)
from core.journal import Answer, Journal, StepQuestion
from core.records import Call, Origin, Run
from core.store import Store
from core.store.answers import wished
from tests.conftest import make_run

PAID = Call(
    model="scripted:one", tokens_in=100, tokens_out=50, cost=0.25, latency=0.1, outcome="accepted"
)


def opened(store: Store, run: Run) -> Journal:
    """Claim the run and open its journal, as a worker does."""
    if store.runs.get(run.id).state != "running":
        store.runs.enqueue(run.id, "me|1|1")
    epoch = store.runs.claim(run.id, "me|1|1", store.runs.get(run.id).epoch)
    assert epoch
    return Journal(store, run, epoch)


def ask(
    journal: Journal, key: str, reply: object, asked: str = "q", place: str = "0001", **more
) -> object:
    """Ask one step; `reply` is what the answer would be, or the failure it would end in."""

    def answer() -> Answer:
        if isinstance(reply, Exception):
            raise reply
        return Answer(reply, Origin(kind="model", name="scripted:one"), (PAID,))

    return journal.step(StepQuestion(key, place, {"asked": asked}, **more), answer)


def test_a_step_is_paid_once_and_replayed_free(store):
    run = make_run(store)
    assert ask(opened(store, run), "round-1/review", "first") == "first"
    assert ask(opened(store, run), "round-1/review", "never asked") == "first"
    after = store.runs.get(run.id)
    assert (after.calls, after.steps, after.cost, after.tokens_in) == (1, 1, 0.25, 100)


def test_another_request_under_the_same_name_is_never_answered_silently(store):
    run = make_run(store)
    ask(opened(store, run), "draft", "old", asked="before")
    with pytest.raises(StepChanged, match="Fork the run at 'draft'"):
        ask(opened(store, run), "draft", "new", asked="after")
    assert store.steps.get(run.id, "draft").reply == "old"


def test_one_name_asked_twice_in_a_pass_is_a_mistake(store):
    journal = opened(store, make_run(store))
    ask(journal, "sample", "one")
    with pytest.raises(StepAskedTwice, match="'sample'"):
        ask(journal, "sample", "two")


def test_a_failure_the_method_goes_on_past_is_replayed_as_that_failure(store):
    run = make_run(store)
    for answer in (SourceFailed("The source did not answer."), "not asked again"):
        with pytest.raises(SourceFailed, match="did not answer"):
            ask(opened(store, run), "search", answer, recorded=(SourceFailed,))
    assert store.steps.get(run.id, "search").status == "failed"


def test_a_failure_that_ends_the_run_is_asked_again_and_its_cost_is_booked(store):
    run = make_run(store)
    with pytest.raises(ModelFailed):
        ask(opened(store, run), "trend", ModelFailed("no usable answer", (PAID, PAID)))
    assert store.steps.get(run.id, "trend") is None
    assert ask(opened(store, run), "trend", "at last") == "at last"
    after = store.runs.get(run.id)
    assert (after.calls, after.cost, after.steps) == (3, 0.75, 1)


def test_a_cap_reached_between_two_tries_keeps_what_the_first_cost(store):
    run, error = make_run(store), BudgetReached("no more")
    error.calls = (PAID,)
    with pytest.raises(BudgetReached):
        ask(opened(store, run), "trend", error)
    assert store.runs.get(run.id).cost == 0.25


def test_a_recorded_failure_keeps_the_cost_of_its_tries(store):
    run = make_run(store)
    with pytest.raises(ModelFailed):
        ask(opened(store, run), "extract", ModelFailed("no", (PAID,)), recorded=(ModelFailed,))
    assert store.runs.get(run.id).cost == 0.25
    assert [call.cost for call in store.steps.get(run.id, "extract").calls] == [0.25]


def test_a_worker_that_was_overtaken_cannot_write(store):
    run = make_run(store)
    slow = opened(store, run)
    fast = opened(store, run)
    with pytest.raises(LeaseLost):
        ask(slow, "review", "too late")
    assert ask(fast, "review", "in time") == "in time"


def test_a_worker_that_was_overtaken_shows_nothing_either(store):
    run = make_run(store)
    slow, fast = opened(store, run), opened(store, run)
    fast.progress("review")("new words", "")
    slow.progress("review")("old words", "")
    assert [one.text for one in store.steps.partials(run.id)] == ["new words"]


def test_wishes_of_an_overtaken_worker_stay_pending(store):
    run = make_run(store)
    slow = opened(store, run)
    opened(store, run)
    store.answers.wish(run.id, wished("shorter", "Ada"))
    with pytest.raises(LeaseLost):
        slow.wishes("round-1/wishes", "0001")
    assert [filed.wish.text for filed in store.answers.pending(run.id)] == ["shorter"]


def test_a_run_taken_over_breaks_off_before_the_next_call(store):
    journal = opened(store, make_run(store))
    journal.lost.set()
    with pytest.raises(LeaseLost):
        ask(journal, "review", "unpaid")


def test_a_wish_to_stop_is_obeyed_before_the_next_call_but_not_on_replay(store):
    run = make_run(store)
    ask(opened(store, run), "one", 1)
    journal = opened(store, run)
    journal.stop.set()
    assert ask(journal, "one", "not asked") == 1
    with pytest.raises(Stopped):
        ask(journal, "two", 2)


def test_a_call_under_way_breaks_off_where_it_shows_its_progress(store):
    run = make_run(store)
    journal = opened(store, run)
    tell = journal.progress("draft")
    tell("half a sen", "")
    assert [one.text for one in store.steps.partials(run.id)] == ["half a sen"]
    journal.stop.set()
    with pytest.raises(Stopped):
        tell("half a sentence", "")


def test_text_being_written_is_gone_once_the_step_is_accepted(store):
    run = make_run(store)
    journal = opened(store, run)
    journal.progress("draft")("half", "")
    ask(journal, "draft", "whole")
    assert store.steps.partials(run.id) == []


def test_text_being_written_is_shown_at_most_four_times_a_second(store):
    run = make_run(store)
    tell = opened(store, run).progress("draft")
    for n in range(50):
        tell("x" * n, "")
    assert store.steps.partials(run.id)[0].text == ""


def test_a_question_to_a_person_parks_the_run_until_it_is_answered(store):
    run = make_run(store)
    question = StepQuestion("seat-1/rating", "0001", {"rate": "an idea"})
    with pytest.raises(Waiting):
        opened(store, run).person(question)
    assert [one.key for one in store.answers.open(run.id)] == ["seat-1/rating"]
    store.answers.answer(run.id, "seat-1/rating", {"score": 7}, "Ada")
    assert opened(store, run).person(question) == {"score": 7}
    assert store.steps.get(run.id, "seat-1/rating").origin == Origin(kind="person", name="Ada")
    assert store.answers.open() == []


def test_the_first_answer_of_a_person_stands(store):
    run = make_run(store)
    with pytest.raises(Waiting):
        opened(store, run).person(StepQuestion("rating", "0001", {}))
    store.answers.answer(run.id, "rating", {"score": 7}, "Ada")
    with pytest.raises(BadInput, match="answered already"):
        store.answers.answer(run.id, "rating", {"score": 1}, "Bob")


def test_an_answer_that_does_not_fit_is_a_sentence_not_a_crash(store):
    def seven(given: object) -> object:
        raise ValueError("a score from 1 to 10 is needed")

    run = make_run(store)
    question = StepQuestion("rating", "0001", {}, check=seven)
    with pytest.raises(Waiting):
        opened(store, run).person(question)
    store.answers.answer(run.id, "rating", {"score": 99}, "Ada")
    with pytest.raises(BadInput, match="a score from 1 to 10"):
        opened(store, run).person(question)


def test_wishes_are_taken_once_and_never_change_a_round_that_was_paid(store):
    run = make_run(store)
    store.answers.wish(run.id, wished("more on sleep", "Ada"))
    assert [wish.text for wish in opened(store, run).wishes("round-1/wishes", "0001")] == [
        "more on sleep"
    ]
    store.answers.wish(run.id, wished("too late for round 1", "Bob"))
    again = opened(store, run)
    assert [wish.text for wish in again.wishes("round-1/wishes", "0001")] == ["more on sleep"]
    assert [wish.by for wish in again.wishes("round-2/wishes", "0002")] == ["Bob"]
    assert again.wishes("round-3/wishes", "0003") == ()


def test_no_wish_is_also_recorded(store):
    run = make_run(store)
    assert opened(store, run).wishes("round-1/wishes", "0001") == ()
    store.answers.wish(run.id, wished("later", "Ada"))
    assert opened(store, run).wishes("round-1/wishes", "0001") == ()


@pytest.mark.parametrize(
    ("errors", "first"),
    [
        ([ModelFailed("a"), Waiting("b"), BudgetReached("c")], BudgetReached),
        ([ModelFailed("a"), Waiting("b")], Waiting),
        ([SourceFailed("a"), Stopped("b"), BudgetReached("c")], Stopped),
        ([Stopped("b"), LeaseLost("a")], LeaseLost),
        ([LeaseLost("a"), ZeroDivisionError("a bug")], ZeroDivisionError),
    ],
)
def test_cap_before_waiting_before_failure(errors, first):
    assert type(gravest(errors)) is first
    assert type(gravest(errors[::-1])) is first


def test_many_threads_write_one_run_without_losing_a_step(store):
    run = make_run(store)
    journal = opened(store, run)
    threads = [
        threading.Thread(target=ask, args=(journal, f"sample-{n}", n), kwargs={"place": f"{n:04d}"})
        for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [step.reply for step in store.steps.of(run.id)] == list(range(40))
    assert (store.runs.get(run.id).steps, store.runs.get(run.id).cost) == (40, 10.0)


def test_a_step_costs_little_to_record(store):
    journal, began = opened(store, make_run(store)), time.thread_time()
    for n in range(100):
        ask(journal, f"step-{n}", "a reply " * 100, place=f"{n:04d}")
    assert (time.thread_time() - began) / 100 < 0.015


def test_a_lost_answer_that_ends_in_half_a_surrogate_pair_is_booked(store):
    run = make_run(store)
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    store.steps.book(
        run.id,
        "review",
        (Call(model="m", latency=0.1, outcome="broken off", raw="half \ud83d"),),
        epoch,
    )
    assert [one.raw for one in store.steps.failed_calls(run.id)] == ["half \ufffd"]
