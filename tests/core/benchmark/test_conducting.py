"""A benchmark from begin to end: what is asked of whom, what is asked again, what is left out, and
what a pause, a stop or a cap leaves behind.
"""

import threading
import time
from collections import Counter, defaultdict

import pytest

from core.benchmark.conducting import coordinator
from core.benchmark.identity import same_model
from core.errors import BadInput, ModelFailed
from core.records import BenchCell
from core.runs.extending import again
from core.runs.runner import Runner
from tests.support.benchmark.bench_kit import (
    JUDGES,
    KEYWORDS,
    MODELS,
    SCRIPT,
    settled_store,
    shop_of,
    small,
    worked,
)
from tests.support.scripted import die
from tests.support.waiting import until_heard

BENCH = (
    "bench_keywords",
    "bench_cells",
    "bench_groups",
    "bench_tally",
    "bench_scores",
    "bench_usage",
    "bench_pace",
)
PRICED = "openai:gpt-4o"


def cells_of(store, run, **wanted):
    """Return the cells of a small benchmark, those that have these values."""
    inputs = run.config.inputs
    named = [
        store.benchmarks.cells(run.id, model, keyword)
        for model in range(len(inputs["models"]))
        for keyword in range(inputs["count"])
    ]
    return [
        cell
        for several in named
        for cell in several
        if all(getattr(cell, name) == value for name, value in wanted.items())
    ]


def counts(store, run):
    """Return how many cells there are by kind and state, counted row by row."""
    return Counter((cell.kind, cell.state) for cell in cells_of(store, run))


def tally(store, run):
    """Return the same, as the sums say."""
    found: Counter = Counter()
    for (kind, _, state), n in store.benchmarks.sums.tally(run.id).items():
        found[kind, state] += n
    return found


def requests(shop):
    """Return how often each prompt was asked, over all models."""
    return Counter(one.prompt for model in shop.named.values() for one in model.requests)


def calls_of(store, run, key):
    return [
        (row["model"], row["outcome"], row["raw"])
        for row in store.connections.rows(
            "SELECT model, outcome, raw FROM calls WHERE run = ? AND key = ? ORDER BY id",
            run.id,
            key,
        )
    ]


def what_stands(store, run):
    """Return everything that came of a benchmark, without times and ids of cells."""
    return (
        sorted(
            (
                cell.key,
                cell.asked,
                cell.state,
                cell.why,
                cell.text,
                cell.words,
                cell.refusals,
                cell.judged,
                cell.score,
                cell.fluency,
            )
            for cell in cells_of(store, run)
        ),
        store.benchmarks.sums.groups(run.id),
        sorted(store.benchmarks.sums.scores(run.id)),
    )


# -- what is asked -----------------------------------------------------------------------------


def test_every_idea_is_judged_by_the_panel_and_every_pair_compared(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop, ideas=3)
    assert (run.state, run.calls) == ("done", 2 * 2 * (3 * (1 + 2) + 3))
    assert (
        counts(shop.store, run)
        == {("idea", "done"): 12, ("judge", "done"): 24, ("fluency", "done"): 12}
        == tally(shop.store, run)
    )
    assert requests(shop) == {"bench-idea": 12, "bench-judge": 24, "bench-fluency": 12}
    for group in shop.store.benchmarks.sums.groups(run.id):
        assert (group.ideas, group.judgments, group.pairs, group.rated, group.failed) == (
            3,
            6,
            3,
            3,
            0,
        )
    pairs = cells_of(shop.store, run, kind="fluency", model=0, keyword=0)
    assert sorted((one.n, one.m) for one in pairs) == [(1, 2), (1, 3), (2, 3)]


def test_an_idea_s_scores_are_the_means_of_its_judgments(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop)
    judged = defaultdict(list)
    for cell in cells_of(shop.store, run, kind="judge"):
        judged[cell.keyword, cell.model, cell.n].append(
            (cell.originality, cell.feasibility, cell.clarity)
        )
    for idea in cells_of(shop.store, run, kind="idea"):
        given = judged[idea.keyword, idea.model, idea.n]
        assert len(given) == idea.judged == 2
        assert (idea.originality, idea.feasibility, idea.clarity) == tuple(
            sum(one) / 2 for one in zip(*given, strict=True)
        )
        assert idea.score == pytest.approx((idea.originality + idea.feasibility + idea.clarity) / 3)


def test_judges_see_the_idea_and_nothing_of_its_model(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop)
    written = {cell.text for cell in cells_of(shop.store, run, kind="idea")}
    for request in [
        one for name in JUDGES for one in shop.named[name].requests if one.prompt == "bench-judge"
    ]:
        assert request.text.partition("<idea>\n")[2].partition("\n</idea>")[0] in written
        assert not any(name in request.standing + request.text for name in MODELS)


def test_no_model_judges_itself_under_whatever_provider_s_name(tmp_path):
    names = (
        "openai:a",
        "openai:b",
        "openrouter:x/a",
        "openrouter:x/b:free",
        "openai:c",
        "openai:d",
    )
    shop = shop_of(tmp_path, models=names)
    run = worked(shop, keywords=[f"keyword {n}" for n in range(12)], judges=names[2:])
    given = cells_of(shop.store, run, kind="judge") + cells_of(shop.store, run, kind="fluency")
    assert len(given) == 2 * 12 * 5
    assert not [one for one in given if same_model(one.asked, MODELS[one.model])]
    assert {one.asked for one in given} == set(names[2:]), "all others are drawn"
    drawn = defaultdict(set)
    for one in cells_of(shop.store, run, kind="judge"):
        drawn[one.keyword, one.model, one.n].add(one.asked)
    assert all(len(judges) == 2 for judges in drawn.values()), "nobody judges an idea twice"


def test_draws_depend_on_the_seed_and_on_nothing_else(tmp_path):
    def drawn(folder, **more):
        shop = shop_of(tmp_path / folder)
        run = worked(shop, **more)
        return {
            (cell.keyword, cell.model, cell.kind, cell.n, cell.m): cell.asked
            for cell in cells_of(shop.store, run)
            if cell.kind != "idea"
        }

    first = drawn("a", keywords=("erosion", "meiosis", "lava"))
    assert drawn("b", keywords=("erosion", "meiosis", "lava")) == first
    assert drawn("c", keywords=("erosion",)).items() <= first.items(), (
        "a smaller benchmark draws the same"
    )
    assert drawn("d", keywords=("erosion", "meiosis", "lava"), seed=8) != first


def test_without_a_panel_ideas_are_written_and_nobody_judges(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop, judges=())
    assert (run.state, counts(shop.store, run)) == ("done", {("idea", "done"): 8})


def test_settings_limit_the_calls_at_once_and_a_benchmark_may_ask_for_fewer(tmp_path):
    for wanted, limits in ((4, {}), (2, {"openai": 2})):
        shop, flying, most, guard = shop_of(tmp_path / str(wanted)), [0], [0], threading.Lock()
        shop.settings = shop.settings.model_copy(update={"calls": 4})

        def slow(request, flying=flying, most=most, guard=guard):
            with guard:
                flying[0] += 1
                most[0] = max(most[0], flying[0])
            time.sleep(0.01)
            with guard:
                flying[0] -= 1
            return SCRIPT[request.prompt](request)

        for model in shop.named.values():
            model.script = dict.fromkeys(SCRIPT, slow)
        assert worked(shop, limits=limits).state == "done"
        assert most == [wanted]


# -- refusals, lengths, unusable answers -------------------------------------------------------


def test_a_refusal_is_asked_once_more_in_the_other_framing_and_both_are_kept(tmp_path):
    shop = shop_of(
        tmp_path, {"openai:a": {"bench-idea": lambda _: "I’m sorry, but I cannot help."}}
    )
    run = worked(shop)
    assert run.state == "done"
    for cell in cells_of(shop.store, run, kind="idea"):
        assert (cell.state, cell.refusals, cell.judged) == ("done", int(cell.model == 0), 2)
    assert requests(shop)["bench-idea-again"] == 4
    assert [raw[:3] for _, _, raw in calls_of(shop.store, run, "keyword-1/model-1/idea-1")] == [
        "I’m",
        "We ",
    ]
    assert {group.model: group.refused for group in shop.store.benchmarks.sums.groups(run.id)} == {
        0: 2,
        1: 0,
    }


def test_an_idea_refused_twice_is_excluded_and_nobody_judges_it(tmp_path):
    never = {
        "bench-idea": lambda _: "As an AI, I cannot.",
        "bench-idea-again": lambda _: "I am unable to do this.",
    }
    shop = shop_of(tmp_path, {"openai:a": never})
    run = worked(shop)
    lost = shop.store.benchmarks.lost(run.id, "excluded")
    assert [(cell.why, cell.refusals, cell.text) for cell in lost] == [
        ("refused", 2, "I am unable to do this.")
    ] * 4
    assert {cell.model for cell in cells_of(shop.store, run) if cell.kind != "idea"} == {1}
    groups = [one for one in shop.store.benchmarks.sums.groups(run.id) if one.model == 0]
    assert [(one.ideas, one.refused, one.refused_twice, one.judgments) for one in groups] == [
        (0, 2, 2, 0)
    ] * 2


def test_an_idea_over_two_hundred_words_is_excluded_before_anybody_judges_it(tmp_path):
    def length(request):
        return " ".join(["word"] * (200 if request.values["keyword"] == "erosion" else 201))

    shop = shop_of(tmp_path, {"openai:a": {"bench-idea": length}})
    run = worked(shop)
    mine = cells_of(shop.store, run, model=0)
    assert {(cell.keyword, cell.kind, cell.state, cell.why) for cell in mine} == {
        (0, "idea", "done", ""),
        (0, "judge", "done", ""),
        (0, "fluency", "done", ""),
        (1, "idea", "excluded", "long"),
    }
    assert len(mine) == 2 + 4 + 1 + 2
    assert {cell.words for cell in mine if cell.kind == "idea"} == {200, 201}
    assert shop.named["openai:a"].requests[-1].prompt == "bench-idea", "no idea was asked for again"


def test_the_idea_of_a_reasoning_model_is_what_follows_its_marker(tmp_path):
    from core.records import Entrant

    thought = "Let me think about it at length. " * 60
    shop = shop_of(
        tmp_path,
        {
            "openai:a": {
                "bench-idea": (
                    lambda r: (
                        thought
                        + (
                            "**Final Idea:** Bend the mesh."
                            if r.values["keyword"] == "erosion"
                            else ""
                        )
                    )
                )
            }
        },
    )
    run = worked(shop, models=(Entrant(model="openai:a", marked=True), "openai:b"))
    found = {
        (cell.keyword, cell.state, cell.unmarked, cell.text if cell.state == "done" else "")
        for cell in cells_of(shop.store, run, kind="idea", model=0)
    }
    assert found == {(0, "done", False, "Bend the mesh."), (1, "excluded", True, "")}
    assert all(
        "**Final Idea:**" in one.text
        for one in shop.named["openai:a"].requests
        if one.prompt == "bench-idea"
    )
    assert not any("**Final Idea:**" in one.text for one in shop.named["openai:b"].requests)


@pytest.mark.parametrize(
    "bad",
    [
        {"analysis": "Fine.", "originality": 8, "feasibility": 7.5, "clarity": 9},
        {"analysis": "Fine.", "originality": 8, "feasibility": "8/10", "clarity": 9},
        {"analysis": "Fine.", "originality": 11, "feasibility": 8, "clarity": 9},
        {"analysis": "Fine.", "originality": 8, "clarity": 9},
        "8, 7 and 9",
    ],
)
def test_scores_that_are_not_whole_numbers_from_1_to_10_are_asked_for_again(tmp_path, bad):
    shop = shop_of(
        tmp_path,
        {"openai:c": {"bench-judge": lambda r: SCRIPT["bench-judge"](r) if r.corrections else bad}},
    )
    run = worked(shop)
    mine = cells_of(shop.store, run, kind="judge", asked="openai:c")
    assert mine
    assert {(cell.state, cell.tries) for cell in mine} == {("done", 2)}
    assert run.state == "done"
    assert [outcome == "accepted" for _, outcome, _ in calls_of(shop.store, run, mine[0].key)] == [
        False,
        True,
    ]


def test_a_judgment_that_never_comes_is_a_failure_and_averaged_into_nothing(tmp_path):
    shop = shop_of(
        tmp_path,
        {
            "openai:c": {
                "bench-judge": lambda _: {
                    "analysis": "Superb.",
                    "originality": "10/10",
                    "feasibility": 10,
                    "clarity": 10,
                },
                "bench-fluency": lambda _: "Both are good: A and C",
            }
        },
    )
    run = worked(shop)
    lost = shop.store.benchmarks.lost(run.id, "failed")
    assert lost
    assert {(cell.asked, cell.why, cell.tries, len(cell.so_far)) for cell in lost} == {
        ("openai:c", "NoUsableAnswer", 4, 4)
    }
    assert all(
        "gave no usable answer in 4 tries. The last complaint:" in cell.text for cell in lost
    )
    assert {(cell.originality, cell.fluency) for cell in lost} == {(None, None)}
    given = defaultdict(list)
    for cell in cells_of(shop.store, run, kind="judge", state="done"):
        given[cell.keyword, cell.model].append(cell)
    groups = shop.store.benchmarks.sums.groups(run.id)
    for group in groups:
        mine = given[group.keyword, group.model]
        assert (group.judgments, group.originality) == (
            len(mine),
            sum(one.originality for one in mine),
        )
    assert sum(group.failed for group in groups) == len(lost)
    assert not [one for one in shop.store.benchmarks.sums.scores(run.id) if one[1] == "openai:c"], (
        "nothing of this judge is counted"
    )
    assert run.state == "done", "what failed is listed, and keeps nobody waiting"


def test_what_failed_can_be_asked_once_more(tmp_path, monkeypatch):
    down = threading.Event()
    down.set()
    shop = shop_of(
        tmp_path,
        {
            "openai:c": {
                "bench-judge": lambda r: "no" if down.is_set() else SCRIPT["bench-judge"](r)
            }
        },
    )
    calm = shop_of(tmp_path / "calm")
    wanted = what_stands(calm.store, worked(calm))
    runner, run = Runner(shop), worked(shop)
    failed = len(shop.store.benchmarks.lost(run.id, "failed"))
    assert failed
    down.clear()
    assert again(runner, run.id) == failed
    runner.wait(run.id, 10)
    assert shop.store.runs.get(run.id).state == "done"
    assert what_stands(shop.store, run) == wanted
    with pytest.raises(BadInput, match="Nothing failed"):
        again(runner, run.id)


# -- pausing, stopping, dying, caps ------------------------------------------------------------


class Gate:
    """Lets a number of calls through, then holds the next ones until it is opened."""

    def __init__(self, shop, after):
        self.reached, self.opened, self._left, self._guard = (
            threading.Event(),
            threading.Event(),
            after,
            threading.Lock(),
        )
        for model in shop.named.values():
            model.script = {name: self._held(said) for name, said in model.script.items()}

    def _held(self, said):
        def answer(request):
            with self._guard:
                self._left -= 1
                wait = self._left < 0
            if wait:
                self.reached.set()
                assert self.opened.wait(10)
            return said(request)

        return answer


def begun_and_held(tmp_path, monkeypatch, after=10):
    """Begin a benchmark of three calls at once and hold it after so many calls; return runner, run
    and gate.
    """
    monkeypatch.setattr("core.runs.runner.BEAT", 0.05)
    shop = shop_of(tmp_path)
    shop.settings = shop.settings.model_copy(update={"calls": 3})
    gate, runner, run = Gate(shop, after), Runner(shop), small(shop)
    runner.start(run.id)
    assert gate.reached.wait(10)
    return runner, run, gate


def finished(runner, run):
    runner.resume(run.id)
    runner.wait(run.id, 20)
    return runner.store.runs.get(run.id)


@pytest.fixture
def undisturbed(tmp_path):
    """What a small benchmark comes to where nobody disturbs it."""
    shop = shop_of(tmp_path / "undisturbed")
    return what_stands(shop.store, worked(shop))


def test_a_pause_lets_calls_in_flight_end_and_nothing_is_asked_twice(
    tmp_path, monkeypatch, undisturbed
):
    runner, run, gate = begun_and_held(tmp_path, monkeypatch)
    runner.stop(run.id, "after calls")
    until_heard(runner, run.id)
    time.sleep(0.4)  # And the coordinator has; whatever is asked from now on should not be.
    gate.opened.set()
    runner.wait(run.id, 10)
    parked = runner.store.runs.get(run.id)
    assert (parked.state, "what was in flight was finished" in parked.reason) == ("stopped", True)
    assert 10 <= parked.calls <= 10 + 3
    assert not cells_of(runner.store, run, state="taken")
    assert finished(runner, run).state == "done"
    assert what_stands(runner.store, run) == undisturbed
    assert requests(runner.workshop).total() == runner.store.runs.get(run.id).calls == 28, (
        "nothing is asked twice"
    )


def test_a_stop_breaks_calls_off_and_repeats_no_more_than_those(tmp_path, monkeypatch, undisturbed):
    runner, run, gate = begun_and_held(tmp_path, monkeypatch)
    runner.stop(run.id)
    until_heard(runner, run.id)
    gate.opened.set()  # A scripted model hears of the stop when it has its answer.
    runner.wait(run.id, 10)
    assert runner.store.runs.get(run.id).state == "stopped"
    assert not cells_of(runner.store, run, state="taken")
    assert not runner.store.connections.rows("SELECT * FROM reservations")
    assert finished(runner, run).state == "done"
    assert what_stands(runner.store, run) == undisturbed
    assert 28 <= requests(runner.workshop).total() <= 28 + 3


def test_what_a_dead_process_had_taken_is_asked_again_and_nothing_else(tmp_path, undisturbed):
    shop = shop_of(tmp_path)
    runner, run = Runner(shop), small(shop)
    assert shop.store.runs.claim(run.id, "elsewhere|1|1", 0) == 1
    floor = coordinator.Floor(
        shop.desk(shop.store.runs.get(run.id), 1)[1],
        coordinator.BenchInputs.model_validate(run.config.inputs),
    )
    taken = shop.store.benchmarks.claim(run.id, 1, "openai", 5, floor._allowance, None)
    assert len(taken) == len(cells_of(shop.store, run, state="taken")) == 5
    die(runner, run.id)
    assert finished(runner, run).state == "done"
    assert what_stands(shop.store, run) == undisturbed
    assert requests(shop).total() == 28


def test_a_cap_parks_the_run_before_it_is_passed_and_goes_on_when_it_is_raised(tmp_path):
    names = (PRICED, *JUDGES)
    shop = shop_of(tmp_path, models=names)
    given = {
        "models": (PRICED,),
        "keywords": [f"keyword {n}" for n in range(20)],
        "cap_tokens": 10_000_000,
    }
    run = worked(shop, **given, cap_usd=0.055)
    assert (run.state, "this run's cap of $0.06" in run.reason) == ("capped", True)
    assert 0 < run.cost <= 0.055
    assert not cells_of(shop.store, run, state="taken")
    assert not shop.store.connections.rows("SELECT * FROM reservations")
    shop.store.runs.change(run.id, cap_usd=50.0)
    done = finished(Runner(shop), run)
    assert done.state == "done"
    assert tally(shop.store, run) == {
        ("idea", "done"): 40,
        ("judge", "done"): 80,
        ("fluency", "done"): 20,
    }
    assert requests(shop).total() == done.calls == 140, "nothing was paid twice"


def test_a_cap_on_tokens_holds_where_prices_are_unknown(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop, cap_tokens=7_000)
    assert (run.state, run.unpriced) == ("capped", run.calls)
    assert 0 < run.tokens_in + run.tokens_out <= 7_000
    shop.store.runs.change(run.id, cap_tokens=1_000_000)
    assert finished(Runner(shop), run).state == "done"


def test_a_model_that_cannot_be_reached_is_left_alone_and_burns_no_cells(tmp_path):
    asked = []

    def gone(request):
        asked.append(request)
        return ModelFailed("openai:b at http://x did not answer: the server cannot be reached.")

    shop = shop_of(tmp_path, {"openai:b": {"bench-idea": gone}})
    shop.settings = shop.settings.model_copy(update={"calls": 4})
    run = worked(shop, keywords=[f"keyword {n}" for n in range(20)])
    assert run.state == "failed"
    assert run.reason.startswith("openai:b could not be reached again and again and was left alone")
    assert "openai:b at http://x did not answer" in run.reason
    assert "Resume to go on" in run.reason
    assert coordinator.BREAK <= len(asked) <= coordinator.BREAK + 4 + 1, (
        "those in flight, and the one that waited its turn"
    )
    assert tally(shop.store, run) == {
        ("idea", "done"): 40,
        ("idea", "ready"): 40,
        ("judge", "done"): 80,
        ("fluency", "done"): 20,
    }, "no cell has failed"
    shop.named["openai:b"].script["bench-idea"] = SCRIPT["bench-idea"]
    assert finished(Runner(shop), run).state == "done"
    assert tally(shop.store, run) == {
        ("idea", "done"): 80,
        ("judge", "done"): 160,
        ("fluency", "done"): 40,
    }


def test_a_provider_that_is_gone_at_the_end_of_a_small_benchmark_leaves_its_cells_ready(tmp_path):
    gone = dict.fromkeys(
        ("bench-judge", "bench-fluency"), lambda _: ModelFailed("The server cannot be reached.")
    )
    shop = shop_of(tmp_path, dict.fromkeys(("openai:c", "openai:d", "openai:e"), gone))
    run = worked(shop, keywords=["erosion"])
    assert run.state == "failed"
    assert "Resume to go on" in run.reason
    assert run.reason.endswith("The last word of openai: no answer came from it any more."), (
        "of the provider: its models share it"
    )
    assert tally(shop.store, run)["judge", "ready"] == 8, (
        "four ideas with two judges each: too few for any one model to be counted out"
    )
    for name in ("openai:c", "openai:d", "openai:e"):
        shop.named[name].script |= SCRIPT
    assert finished(Runner(shop), run).state == "done"


# -- the store ---------------------------------------------------------------------------------


def test_two_benchmarks_in_one_store_do_not_mix(tmp_path, undisturbed):
    shop = shop_of(tmp_path)
    first, second = small(shop), small(shop, keywords=("lava", "tide", "moss"), models=MODELS[:1])
    runner = Runner(shop)
    for run in (first, second):
        runner.start(run.id)
    for run in (first, second):
        runner.wait(run.id, 20)
    assert what_stands(shop.store, first) == undisturbed
    assert counts(shop.store, second) == {
        ("idea", "done"): 6,
        ("judge", "done"): 12,
        ("fluency", "done"): 3,
    }
    assert [one.text for one in shop.store.benchmarks.keywords(second.id)] == [
        "lava",
        "tide",
        "moss",
    ]


def test_a_deleted_benchmark_leaves_no_rows_and_the_other_all_of_its_own(tmp_path, undisturbed):
    shop = shop_of(tmp_path)
    kept, gone = worked(shop), worked(shop, keywords=("lava",))
    shop.store.runs.delete(gone.id)
    shop.store.runs.clear_deleted()
    for table in (*BENCH, "calls", "reservations"):
        held = {
            row["run"] for row in shop.store.connections.rows(f"SELECT DISTINCT run FROM {table}")
        }
        assert held <= {kept.id}, table
    assert what_stands(shop.store, kept) == undisturbed


def test_sums_are_what_the_cells_and_calls_say(tmp_path):
    never = {
        "bench-idea": lambda _: "I cannot.",
        "bench-idea-again": lambda r: (
            "I cannot." if r.values["keyword"] == "erosion" else SCRIPT["bench-idea"](r)
        ),
    }
    shop = shop_of(
        tmp_path,
        {
            "openai:a": never,
            "openai:c": {
                "bench-judge": lambda r: SCRIPT["bench-judge"](r) if r.corrections else "ten"
            },
        },
    )
    run = worked(shop)
    assert tally(shop.store, run) == counts(shop.store, run)
    rows = shop.store.connections.rows(
        "SELECT model, count(*) AS calls, sum(outcome = 'accepted') AS accepted, sum(tokens_in) AS"
        " tokens FROM calls WHERE run = ? GROUP BY model",
        run.id,
    )
    used: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for one in shop.store.benchmarks.sums.usage(run.id):
        used[one.model] = [
            a + b
            for a, b in zip(used[one.model], (one.calls, one.accepted, one.tokens_in), strict=True)
        ]
    assert {row["model"]: [row["calls"], row["accepted"], row["tokens"]] for row in rows} == used
    assert (
        sum(calls for _, calls, _ in shop.store.benchmarks.sums.pace(run.id))
        == run.calls
        == sum(calls for calls, _, _ in used.values())
    )


def _without_lengths(store, run):
    """Return what agreement and severity are made from; the kit's ideas begin with their names, and
    are longer.
    """
    return {
        place: one.model_copy(update={"ideas": tuple(idea[:3] for idea in one.ideas)})
        for place, one in store.benchmarks.sums.details(run.id).items()
    }


def test_the_kit_s_filled_store_has_the_sums_a_worked_one_has(tmp_path):
    shop = shop_of(tmp_path)
    run = worked(shop)
    cells = {
        (c.kind, MODELS[c.model], KEYWORDS[c.keyword], c.n, c.m): c
        for c in cells_of(shop.store, run)
    }
    by_judge = {
        (MODELS[c.model], KEYWORDS[c.keyword], c.n, c.asked): c
        for c in cells.values()
        if c.kind == "judge"
    }

    def score(model, keyword, n, judge):
        cell: BenchCell = by_judge[model, keyword, n, judge]
        return cell.originality, cell.feasibility, cell.clarity

    filled = settled_store(
        shop.store,
        score=score,
        fluency=lambda model, keyword, n, m: cells["fluency", model, keyword, n, m].fluency,
        words=lambda model, keyword, n: cells["idea", model, keyword, n, 0].words,
    )
    store = shop.store
    proxies = ("proxies", "proxy")
    assert [
        one._replace(**dict.fromkeys(proxies, 0)) for one in store.benchmarks.sums.groups(filled.id)
    ] == store.benchmarks.sums.groups(run.id)
    assert _without_lengths(store, filled) == _without_lengths(store, run)
    assert sorted(store.benchmarks.sums.scores(filled.id)) == sorted(
        store.benchmarks.sums.scores(run.id)
    )
    assert store.benchmarks.sums.tally(filled.id) == store.benchmarks.sums.tally(run.id)
    assert {
        (u.model, u.role, u.calls, u.accepted) for u in store.benchmarks.sums.usage(filled.id)
    } == {(u.model, u.role, u.calls, u.accepted) for u in store.benchmarks.sums.usage(run.id)}
