"""Caps: calls side by side never overshoot, what is unknown stays unknown, and raising a cap goes
on.
"""

import threading
import time
from datetime import UTC, datetime

import pytest

from core.desk import Desk
from core.desk.out import CallsOut
from core.errors import BudgetReached, ModelFailed, Stopped
from core.models import prices
from core.models.endpoint import place
from core.records import Hypothesis, Run
from core.runs.crew import new_run
from core.runs.runner import Runner
from tests.conftest import ScriptedModel, Shop, make_run
from tests.support.benchmark import bench_kit
from tests.support.scripted import refine_script, refinement, small_source
from tests.support.waiting import until

PRICED = "openai:gpt-4o-mini"
FIRST_IDEA = {
    "role": "generator",
    "you": "generator",
    "topic": "t",
    "area": "a",
    "goal": "g",
    "context": (),
}
MONTH = datetime.now(UTC).strftime("%Y-%m")


def shop_of(folder, script, name: str = PRICED) -> tuple[Runner, ScriptedModel]:
    """Return a runner whose model has a name with a known price, or another."""
    model = ScriptedModel(script, name)
    model.provider = name.split(":", maxsplit=1)[0]
    return Runner(Shop(folder, {name: model}, small_source())), model


def begun(runner: Runner, model: ScriptedModel, **caps: object) -> Run:
    """Begin a refinement with that model."""
    return refinement(runner_with(runner, model), **caps)


def runner_with(runner: Runner, model: ScriptedModel) -> Runner:
    """Let the name that `refinement` asks for mean this model."""
    runner.workshop.named["scripted:one"] = model
    return runner


def desk_of(runner: Runner, run: Run) -> Desk:
    """Claim a run and lay out its desk."""
    epoch = runner.store.runs.claim(run.id, "me|1|1", 0)
    return runner.workshop.desk(run, epoch)[1]


def ask_side_by_side(desk: Desk, count: int) -> None:
    """Ask the same prompt at so many places at once."""
    asked = [
        lambda d, n=n: d.at(f"sample-{n}").ask("first-idea", Hypothesis, **FIRST_IDEA)
        for n in range(count)
    ]
    desk.all(*asked)


def ask_in_turn(desk: Desk, count: int) -> None:
    """Ask the same prompt at so many places, one after another."""
    for n in range(count):
        desk.at(f"sample-{n}").ask("first-idea", Hypothesis, **FIRST_IDEA)


@pytest.mark.parametrize("cap", [{"cap_usd": 0.01}, {"cap_tokens": 12_000}])
def test_calls_side_by_side_never_overshoot_a_cap(tmp_path, cap):
    def slow(request):
        time.sleep(1)  # Long enough that all of them are in flight at once, on a busy machine too.
        return {"hypothesis": "Naps help."}

    runner, model = shop_of(tmp_path, {"first-idea": slow})
    model.usage = (100, 4_000)  # Nearly all that an answer may take.
    run = begun(runner, model, **cap)
    with pytest.raises(BudgetReached, match="this run's cap"):
        ask_side_by_side(desk_of(runner, run), 16)
    after = runner.store.runs.get(run.id)
    assert 0 < after.calls < 16
    assert after.cost <= cap.get("cap_usd", 1)
    assert after.tokens_in + after.tokens_out <= cap.get("cap_tokens", 10**9)


@pytest.mark.parametrize("cap", [{"cap_usd": 0.01}, {"cap_tokens": 12_000}])
def test_calls_that_find_no_room_wait_for_those_beside_them(tmp_path, cap):
    together, most = [], []

    def watched(request):
        together.append(request)
        most.append(len(together))
        time.sleep(0.05)
        together.remove(request)
        return {"hypothesis": "Naps help."}

    runner, model = shop_of(tmp_path, {"first-idea": watched})
    run = begun(runner, model, **cap)
    ask_side_by_side(desk_of(runner, run), 16)
    assert runner.store.runs.get(run.id).calls == 16
    worst = max(prices.estimate(PRICED, request) for request in model.requests)
    room = 0.01 / worst if "cap_usd" in cap else 12_000 / model.requests[0].sampling.max_tokens
    assert max(most) <= room < 16, "no more at once than the cap could bear at worst"


def test_a_call_that_waits_for_room_can_be_stopped(tmp_path):
    runner, model = shop_of(tmp_path, {})
    run = begun(runner, model, cap_tokens=5_000)
    desk = desk_of(runner, run)

    def stop(_):
        desk.bench.journal.stop.set()
        time.sleep(2)
        return {"hypothesis": "Naps help."}

    model.script["first-idea"] = stop
    with pytest.raises(Stopped):
        ask_side_by_side(desk, 16)
    assert len(model.requests) == 1


class OnePlace(ScriptedModel):
    """Answers where one call at once is allowed."""

    def reply(self, request, progress):
        with place("http://one.example", 1, progress):
            return super().reply(request, progress)


def test_a_call_that_waits_for_room_holds_no_place_another_needs_to_end(tmp_path):
    def unusable_at_first(request):
        time.sleep(0.2)  # Meanwhile the other one waits for the place.
        return {"hypothesis": "Naps help."} if request.corrections else "no JSON at all"

    model = OnePlace({"first-idea": unusable_at_first}, PRICED)
    model.provider = "openai"
    runner = Runner(Shop(tmp_path, {PRICED: model}, small_source()))
    run = begun(runner, model, cap_tokens=6_000)
    ask_side_by_side(desk_of(runner, run), 3)
    assert [step.status for step in runner.store.steps.of(run.id)] == ["done"] * 3


def test_a_call_that_waits_for_room_begins_nothing_once_the_run_is_paused(tmp_path):
    runner, model = shop_of(tmp_path, {})
    run = begun(runner, model, cap_tokens=5_000)
    desk = desk_of(runner, run)

    def pause(_):
        desk.bench.journal.pause.set()
        time.sleep(1)
        return {"hypothesis": "Naps help."}

    model.script["first-idea"] = pause
    with pytest.raises(Stopped, match="Paused as asked"):
        ask_side_by_side(desk, 16)
    assert len(model.requests) == 1
    assert [step.status for step in runner.store.steps.of(run.id)] == ["done"]


def test_a_call_that_is_refused_its_second_try_does_not_wait_for_itself(tmp_path):
    class Busy(ScriptedModel):
        def reply(self, request, progress):
            request.begin(())
            runner.store.runs.change(run.id, cap_tokens=5_000)
            request.begin(())  # As after a server that was busy.
            raise AssertionError("the cap was passed")

    runner, _ = shop_of(tmp_path, {})
    model = Busy({}, PRICED)
    model.provider = "openai"
    run = begun(runner, model, cap_tokens=50_000)
    desk = desk_of(runner, run)
    runner.store.steps.reserve(run.id, "elsewhere", 0.0, 3_000, None, desk.bench.epoch)
    with pytest.raises(BudgetReached, match="3,000 set aside"):
        desk.ask("first-idea", Hypothesis, **FIRST_IDEA)


def test_what_another_process_has_set_aside_is_not_waited_for(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: {"hypothesis": "Naps help."}})
    run = begun(runner, model, cap_tokens=5_000)
    desk = desk_of(runner, run)
    runner.store.steps.reserve(run.id, "elsewhere", 0.0, 3_000, None, desk.bench.epoch)
    with pytest.raises(BudgetReached, match="3,000 set aside"):
        desk.ask("first-idea", Hypothesis, **FIRST_IDEA)
    assert not model.requests


def test_reservations_from_many_threads_stay_under_the_cap(store):
    run = make_run(store, cap_usd=1.0)
    epoch, granted = store.runs.claim(run.id, "me|1|1", 0), []

    def reserve(n: int) -> None:
        try:
            store.steps.reserve(run.id, f"k{n}", 0.3, 10, None, epoch)
            granted.append(n)
        except BudgetReached:
            pass

    threads = [threading.Thread(target=reserve, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(granted) == 3


def test_asking_again_is_held_against_the_cap_too(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: "no JSON at all"})
    run = begun(runner, model)
    desk = desk_of(runner, run)
    one_try = None

    def reserve(request):
        nonlocal one_try
        held = runner.store.connections.row("SELECT cost, tokens FROM reservations")
        if one_try is None:
            one_try = held["cost"]
            runner.store.runs.change(run.id, cap_usd=one_try * 1.001)
        return "no JSON at all"

    model.script["first-idea"] = reserve
    with pytest.raises(BudgetReached):
        desk.ask("first-idea", Hypothesis, **FIRST_IDEA)
    assert len(model.requests) < 3, "the second or third try could have passed the cap"


def test_a_capped_run_goes_on_once_the_cap_is_raised(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    runner.work(begun(runner, model, rounds=1).id)
    largest = max(prices.estimate(PRICED, request) for request in model.requests)
    model.requests.clear()
    run = begun(runner, model, cap_usd=largest + 2 * prices.price(PRICED, 100, 50))
    assert runner.work(run.id) == "capped"
    parked = runner.store.runs.get(run.id)
    assert parked.reason.startswith("The next call could pass this run's cap of $0.00")
    assert parked.cost <= largest
    runner.store.runs.change(run.id, cap_usd=1.0)
    asked = len(model.requests)
    runner.resume(run.id)
    runner.wait(run.id, 20)
    done = runner.store.runs.get(run.id)
    assert done.state == "done"
    assert done.calls == len(model.requests) == 9
    assert asked == parked.calls > 0


def test_the_months_cap_counts_all_runs(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    first = begun(runner, model)
    assert runner.work(first.id) == "done"
    spent, unpriced = runner.store.steps.spent(MONTH)
    assert spent == pytest.approx(runner.store.runs.get(first.id).cost)
    assert unpriced == 0
    runner.store.places.choose("month-cap-usd", str(spent + 0.0001))
    second = begun(runner, model)
    assert runner.work(second.id) == "capped"
    assert "this month's cap" in runner.store.runs.get(second.id).reason
    runner.store.places.choose("month-cap-usd", None)
    runner.resume(second.id)
    runner.wait(second.id, 20)
    assert runner.store.runs.get(second.id).state == "done"


def test_what_a_dead_worker_set_aside_is_given_back(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    dead, run = begun(runner, model), begun(runner, model)
    epoch = runner.store.runs.claim(dead.id, "elsewhere|1|1", 0)
    runner.store.steps.reserve(dead.id, "k", 5.0, 10, None, epoch)
    runner.store.connections.write("UPDATE runs SET heartbeat = 1 WHERE id = ?", dead.id)
    runner.store.places.choose("month-cap-usd", "5.0")
    assert dead.id in runner.notice_dead()
    assert runner.work(run.id) == "done"


def test_an_unknown_price_stays_unknown(tmp_path):
    runner, model = shop_of(tmp_path, refine_script(), "openai:nobody-knows-me")
    run = begun(runner, model, cap_usd=0.000001)
    assert runner.work(run.id) == "done", (
        "a cap in dollars says nothing where no price is known; tokens are capped"
    )
    after = runner.store.runs.get(run.id)
    assert (after.cost, after.unpriced) == (0.0, 9)
    assert all(
        step.cost is None for step in runner.store.steps.outline(run.id) if step.kind == "model"
    )
    assert runner.store.steps.spent(MONTH) == (0.0, 9)


def test_tokens_are_capped_where_nobody_set_a_cap(tmp_path):
    runner, model = shop_of(tmp_path, refine_script(), "openai:nobody-knows-me")
    assert begun(runner, model).config.cap_tokens == 1_000_000


def test_the_builtin_model_is_free_and_reserves_nothing(tmp_path):
    runner, model = shop_of(tmp_path, refine_script(), "builtin")
    run = begun(runner, model, cap_usd=0.0, cap_tokens=1)
    assert runner.work(run.id) == "done"
    assert (runner.store.runs.get(run.id).cost, runner.store.runs.get(run.id).unpriced) == (0.0, 0)


def test_a_finished_run_holds_nothing_back(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    runner.work(begun(runner, model).id)
    assert runner.store.connections.rows("SELECT * FROM reservations") == []


def test_what_a_run_cost_is_the_sum_of_its_calls(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    run = begun(runner, model)
    runner.work(run.id)
    after = runner.store.runs.get(run.id)
    calls = [call for step in runner.store.steps.of(run.id) for call in step.calls]
    assert after.cost == pytest.approx(sum(call.cost for call in calls))
    assert after.cost == pytest.approx(9 * prices.price(PRICED, 100, 50))
    assert (after.calls, after.tokens_in, after.tokens_out) == (9, 900, 450)


def test_a_token_cap_binds_where_the_server_reports_no_usage(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: {"hypothesis": "Naps help."}})
    model.usage = (None, None)
    run = begun(runner, model, cap_tokens=12_000)
    with pytest.raises(BudgetReached, match="so far none reported, and at most some"):
        ask_in_turn(desk_of(runner, run), 30)
    after = runner.store.runs.get(run.id)
    assert 0 < after.calls < 3
    assert (after.tokens_in, after.tokens_out) == (0, 0), "a guess is no usage"
    assert all(
        call.tokens_in is None and call.tokens_expected > 4_000
        for step in runner.store.steps.of(run.id)
        for call in step.calls
    )


def test_a_cap_in_dollars_binds_where_a_priced_model_reports_no_usage(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: {"hypothesis": "Naps help."}})
    model.usage = (None, None)
    run = begun(runner, model, cap_usd=0.01)
    with pytest.raises(
        BudgetReached,
        match=(
            r"so far \$0.0000 known, and at most some \$0.00\d\d in calls whose server reported no"
            r" usage"
        ),
    ):
        ask_in_turn(desk_of(runner, run), 30)
    after = runner.store.runs.get(run.id)
    assert 0 < after.calls < 10
    assert (after.cost, after.unpriced, after.unreported) == (0.0, after.calls, after.calls), (
        "a guess is no cost"
    )
    runner.store.places.choose("month-cap-usd", "0.01")
    with pytest.raises(BudgetReached, match="this month's cap"):
        ask_in_turn(desk_of(runner, begun(runner, model)), 30)


def resumed_desk(runner: Runner, run: Run) -> Desk:
    """Take a parked run up again and lay out its desk."""
    runner.store.runs.enqueue(run.id, "me|1|1")
    return runner.workshop.desk(
        run, runner.store.runs.claim(run.id, "me|1|1", runner.store.runs.lease(run.id)["epoch"])
    )[1]


def test_what_a_dead_worker_had_begun_stands_in_the_account_and_counts_against_every_cap(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: {"hypothesis": "Naps help."}})
    run = begun(runner, model, cap_tokens=12_000)
    epoch = runner.store.runs.claim(run.id, "elsewhere|1|1", 0)
    runner.store.steps.reserve(
        run.id, "sample-0/first-idea", 0.3, 9_000, None, epoch, PRICED, begun=2
    )
    runner.store.connections.write("UPDATE runs SET heartbeat = 1 WHERE id = ?", run.id)
    assert run.id in runner.notice_dead()
    after = runner.store.runs.get(run.id)
    assert (after.calls, after.maybe_paid, after.unreported, after.unpriced, after.cost) == (
        2,
        2,
        2,
        2,
        0.0,
    )
    assert [
        (call.model, call.tokens_expected, call.cost_expected)
        for call in runner.store.steps.failed_calls(run.id)
    ] == [(PRICED, 4_500, 0.15)] * 2
    for tokens, dollars, cap in ((12_000, None, "12,000 tokens"), (None, 0.301, r"\$0.30")):
        runner.store.runs.change(run.id, cap_tokens=tokens, cap_usd=dollars)
        desk = resumed_desk(runner, run)
        with pytest.raises(BudgetReached, match=cap):
            ask_in_turn(desk, 2)
        runner.store.runs.release(run.id, desk.bench.epoch, "capped")
    runner.store.places.choose("month-cap-usd", "0.3001")
    with pytest.raises(BudgetReached, match="this month's cap"):
        ask_in_turn(desk_of(runner, begun(runner, model)), 1)
    runner.store.places.choose("month-cap-usd", None)
    before = runner.store.runs.get(run.id)
    runner.store.runs.change(run.id, cap_usd=5.0, cap_tokens=100_000)
    ask_in_turn(resumed_desk(runner, run), 3)
    after = runner.store.runs.get(run.id)
    assert (after.steps, after.calls - before.calls, after.maybe_paid) == (
        3,
        3 - before.steps,
        2,
    ), "it is asked again, and the begun ones stay"
    assert not runner.store.connections.rows("SELECT * FROM reservations")


def test_a_deleted_run_leaves_what_may_have_been_paid_to_the_month(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    run = begun(runner, model)
    runner.store.steps.reserve(
        run.id,
        "k",
        0.3,
        10,
        None,
        runner.store.runs.claim(run.id, "elsewhere|1|1", 0),
        PRICED,
        begun=1,
    )
    runner.store.runs.delete(run.id)
    assert runner.store.steps.spent(MONTH) == (0.0, 1)


def test_refused_tries_of_one_step_count_where_no_usage_is_reported(tmp_path):
    runner, model = shop_of(tmp_path, {"first-idea": lambda _: "no JSON at all"})
    model.usage = (None, None)
    run = begun(runner, model, cap_tokens=12_000)
    with pytest.raises(BudgetReached):
        desk_of(runner, run).ask("first-idea", Hypothesis, **FIRST_IDEA)
    assert len(model.requests) == 2


def test_the_test_of_a_model_is_booked_to_the_month_and_refused_at_its_cap(tmp_path):
    runner, model = shop_of(tmp_path, {"queries": lambda _: {"queries": ["sleep", "memory"]}})
    said = runner.workshop.test_model(PRICED)
    spent, unpriced = runner.store.steps.spent(MONTH)
    assert (spent, unpriced) == (said["cost"], 0)
    assert spent > 0
    runner.store.places.choose("month-cap-usd", str(spent))
    with pytest.raises(BudgetReached, match="this month's cap"):
        runner.workshop.test_model(PRICED)
    assert len(model.requests) == 1


def test_a_test_that_fails_is_booked_too(tmp_path):
    runner, _ = shop_of(tmp_path, {"queries": lambda _: "no JSON at all"})
    with pytest.raises(ModelFailed):
        runner.workshop.test_model(PRICED)
    assert runner.store.steps.spent(MONTH)[0] == pytest.approx(4 * prices.price(PRICED, 100, 50))


def test_a_cell_that_is_asked_once_more_is_booked_to_its_model_where_nobody_heard_the_end(tmp_path):
    """A short answer is asked for again; then the thread ends without a word."""

    def broken(request):
        raise RuntimeError("The thread is gone.")

    asked: list[str] = []

    def refused_once(request):
        asked.append(request.prompt)
        return broken(request) if len(asked) > 1 else "I cannot help with that."

    shop = bench_kit.shop_of(
        tmp_path,
        {"openai:a": dict.fromkeys(("bench-idea", "bench-idea-again"), refused_once)},
        ("openai:a",),
    )
    run = bench_kit.worked(shop, keywords=("erosion",), models=("openai:a",), judges=(), ideas=1)
    assert (run.state, run.calls, run.maybe_paid) == ("failed", 2, 1)
    booked = shop.store.connections.rows("SELECT model, tokens_expected FROM calls ORDER BY id")
    assert [row["model"] for row in booked] == ["openai:a"] * 2
    assert booked[1]["tokens_expected"] > 1


def test_a_cap_is_shared_by_a_run_and_all_that_it_has_made(tmp_path):
    runner, model = shop_of(tmp_path, refine_script())
    whole = begun(runner, model, cap_tokens=1_000)
    part = new_run(
        whole.config.model_copy(update={"cap_tokens": None}), "A part", "", sweep=whole.id, cell="a"
    )
    store = runner.store
    store.runs.add(part, "me|1|1")
    epochs = {run.id: store.runs.claim(run.id, "me|1|1", 0) or 0 for run in (whole, part)}

    def reserve(run: Run, key: str, tokens: int) -> None:
        store.steps.reserve(run.id, key, 0.0, tokens, None, epochs[run.id])

    reserve(whole, "own", 600)
    with pytest.raises(BudgetReached, match="the cap of the whole experiment of 1,000 tokens"):
        reserve(part, "k", 500)
    reserve(part, "k", 300)
    with pytest.raises(BudgetReached, match="this run's cap of 1,000 tokens") as passed:
        reserve(whole, "another", 200)
    assert "so far 0, and 900 set aside for calls that had not ended" in str(passed.value)
    assert str(passed.value).endswith("Go on under the same cap, or raise the cap.")
    with pytest.raises(BudgetReached) as passed:
        reserve(whole, "another", 1_001)
    assert str(passed.value).endswith("(so far 0). Raise the cap to go on.")
    reserve(whole, "another", 100)


def test_who_waits_for_room_asks_again_when_one_of_its_own_ends_and_for_nobody_else():
    out, asked, told = CallsOut(), [], threading.Event()

    def ask():
        asked.append(1)
        if len(asked) < 3:
            full = BudgetReached("full")
            full.held = True
            raise full
        return "there"

    def tell(_note):
        for n in range(20):
            out.begin("another run", ("another run", str(n)), lambda: None)
            out.end("another run", ("another run", str(n)))
        told.set()

    out.begin("run", ("run", "first"), lambda: None)
    out.begin("run", ("run", "second"), lambda: None)
    got = []
    waiting = threading.Thread(
        target=lambda: got.append(out.with_room("run", ("run", "third"), ask, tell))
    )
    waiting.start()
    assert told.wait(20)
    time.sleep(1)
    assert len(asked) == 1
    out.end("run", ("run", "first"))
    until(lambda: len(asked) == 2)
    out.end("run", ("run", "second"))
    waiting.join(20)
    assert got == ["there"]
