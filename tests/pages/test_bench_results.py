"""A benchmark's results on screen: one group of figures at a time, of what is there, with published
results beside and never in between.
"""

import threading

import numpy as np
import pytest
from pandas import DataFrame
from pyarrow import Table as PyTable

from components.benchmark.results import found as bench_results_found
from components.benchmark.results import proxy as bench_results_proxy
from components.benchmark.results import view as bench_results
from components.benchmark.results.board import narrow
from components.benchmark.results.parts import rows
from core.benchmark.figures import board as figures_board
from core.benchmark.results import tables
from core.benchmark.results.board import published
from core.benchmark.results.findings import findings
from core.errors import StoreFailed
from core.records import Keyword, Panelist, Table, Value
from core.runs.runner import Runner
from core.store import Store
from core.tables.sheets import sheet
from tests.support.benchmark.bench_figures import figures
from tests.support.benchmark.bench_kit import relabel, settled_store, shop_of
from tests.support.visiting import host, said, settled, visit

WORDS = tuple(
    Keyword(text=f"word {n}", domain="Physics" if n % 2 else "Chemistry") for n in range(12)
)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner = Runner(shop_of(tmp_path))
    host(monkeypatch, runner)
    return runner


def opened(run, figure: str = "", **address):
    return visit(
        "benchmark", run=run.id, view="results", **({"figure": figure} if figure else {}), **address
    )


def charts(app) -> list[str]:
    """Return the keys of the figures that are drawn."""
    return [one.proto.id.rpartition(":")[2] for one in app.get("plotly_chart")]


def test_every_group_is_drawn_with_its_table_and_downloads(runner):
    run = settled_store(runner.store, keywords=WORDS)
    for group in bench_results.NAMES:
        app = opened(run, group)
        figures = charts(app)
        assert figures or group in ("general", "refusals"), group
        if figures:
            assert app.dataframe, group
            assert [one.label for one in app.get("download_button")].count("CSV") == len(
                app.dataframe
            ) - (group == "leaderboard"), group


def test_the_leaderboard_has_intervals_ranks_and_ties_in_words(runner):
    app = opened(
        settled_store(
            runner.store,
            keywords=WORDS,
            score=lambda model, *_: (9, 9, 9) if model == "openai:b" else (2, 2, 2),
        )
    )
    narrow, held = (one.value.to_dict("records") for one in app.dataframe[:2])
    assert [
        (one["Rank"], one["Model"], one["Tied"], one["Originality"], one["95 % interval"][:1])
        for one in narrow
    ] == [(1, "b", "no", 9.0, "["), (2, "a", "no", 2.0, "[")]
    assert [
        (one["Rank"], one["Model"], one["Tied"], one["Keywords"], one["Not told apart from"])
        for one in held
    ] == [(1, "openai:b", "no", 12, "none"), (2, "openai:a", "no", 12, "none")]
    assert (
        held[0]["Originality"] == "9.00 [6.52, 9.78]"
    )  # Keywords all alike: Wilson's over them, never of no width.


def test_every_table_has_columns_of_one_type_where_a_model_has_no_score(tmp_path):
    store = Store(tmp_path)
    lost = {
        ("openai:a", "word 0"): "refused",
        ("openai:a", "word 1"): "refused",
        ("openai:a", "word 2"): "refused",
    }
    run = settled_store(
        store,
        models=("openai:a", "openai:b", "openai:x"),
        keywords=WORDS,
        lost=lambda kind, model, keyword, *_: (
            ""
            if kind != "idea"
            else "ModelFailed"
            if model == "openai:x"
            else lost.get((model, keyword), "")
        ),
    )
    found = findings(store, run.id)
    held = [
        *(one.table for one in figures(found, "#000000", published())),
        tables.agreement(found.agreement),
    ]
    for one in held:
        assert PyTable.from_pandas(DataFrame(rows(one))).num_rows == len(one.rows), one.name
    short, none = (
        next(row for row in narrow(held[0]) if row["Model"] == name) for name in ("a", "x")
    )
    assert (short["Keywords"], short["95 % interval"]) == (9, "too few")
    assert (none["Rank"], none["Tied"], none["Keywords"], none["95 % interval"]) == (
        None,
        "–",
        0,
        None,
    )
    bar = figures_board.standing(found.board, "#000000").figure.data[0].error_x
    assert sorted(np.isnan(bar.array).tolist()) == [False, True], (
        "nan is not drawn; 0 is, as a bar without width"
    )


def test_what_is_looked_at_stands_in_the_address(runner):
    run = settled_store(runner.store, keywords=WORDS)
    app = opened(run)
    settled(app.pills(key=f"bench:figures:{run.id}").set_value("judges").run())
    assert app.query_params["figure"] == "judges"
    assert charts(app) == ["judges", "agreement"]
    settled(app.pills(key=f"bench:figures:{run.id}").set_value("leaderboard").run())
    assert "figure" not in app.query_params
    assert charts(opened(run, "nonsense")) == ["board-average"]


def test_what_is_not_all_says_so_and_nothing_is_made_up(runner):
    app = opened(settled_store(runner.store, keywords=WORDS, left=6, state="stopped"))
    assert "So far: 48 of 96 judgments" in said(app)
    empty = opened(
        settled_store(runner.store, keywords=WORDS, left=12, state="stopped", topic="empty")
    )
    assert "No judgments yet" in said(empty)
    assert not charts(empty)
    whole = opened(settled_store(runner.store, keywords=WORDS, topic="whole"))
    assert "So far" not in said(whole)


def test_too_few_keywords_for_length_against_score_say_so(runner):
    app = opened(settled_store(runner.store), "length")
    assert charts(app) == ["words"]
    assert "Length is not held against score. Only 8 judged ideas for 2 keywords" in said(app)


def test_whole_replies_are_beside_the_lengths_of_ideas_and_older_ideas_are_named(runner):
    run = settled_store(
        runner.store,
        keywords=WORDS,
        thoughts=lambda model, keyword, n: None if keyword == "word 3" else 900 + 70 * n,
    )
    app = opened(run, "length")
    assert charts(app) == ["length-and-score", "words", "reply-and-score", "reply-density"]
    assert "4 judged ideas came before whole replies were measured and are not here." in said(app)
    older = said(
        opened(
            settled_store(runner.store, keywords=WORDS, thoughts=lambda *_: None, topic="Older"),
            "length",
        )
    )
    assert "Whole replies are not held against score. 48 judged ideas came before" in older


def test_clarity_has_a_view_with_its_table(runner):
    app = opened(settled_store(runner.store, keywords=WORDS), "clarity")
    assert charts(app) == ["clarity"]
    (table,) = [one.value for one in app.dataframe]
    assert set(table["Clarity against"]) == {"originality", "feasibility", "the mean of the two"}
    assert "Feasibility: All ideas, each against its own model's mean: r = " in said(app).replace(
        "\\", ""
    )


def test_published_results_alone_have_no_columns_for_what_is_not_published():
    alone, beside = tables.board(published()), tables.board(published(), published())
    assert {"Tied", "Keywords", "Not told apart from"}.isdisjoint(alone.head)
    assert {len(row) for row in alone.rows} == {len(alone.head)}
    assert {len(row) for row in beside.rows} == {len(beside.head)}


def test_without_a_panel_there_are_lengths_and_no_scores(runner):
    run = settled_store(runner.store, keywords=WORDS, judges=(), judges_each=1)
    assert "No judges, so there are no scores" in said(opened(run))
    assert charts(opened(run, "length")) == ["words"]


def test_failures_are_said_and_count_nowhere(runner):
    run = settled_store(
        runner.store,
        keywords=WORDS,
        lost=lambda kind, model, keyword, n, m: (
            "NoUsableAnswer" * (kind == "judge" and keyword == "word 1")
        ),
    )
    assert "8 answers failed" in said(opened(run))


def test_published_results_are_shown_beside_when_asked_for(runner):
    run = settled_store(runner.store, keywords=WORDS)
    app = opened(run)
    assert "LiveIdeaBench's paper" not in said(app)
    settled(app.toggle(key=f"bench:{run.id}:beside").set_value(True).run())
    assert "other judges, other days, and prompts that are not word by word the same" in said(app)
    assert len(app.dataframe[0].value) == 2, "the leaderboard itself stays as it is"
    assert len(app.dataframe[2].value) == 43


def test_another_of_the_six_figures_can_be_looked_at(runner):
    run = settled_store(runner.store, keywords=WORDS)
    app = opened(run)
    settled(app.selectbox(key=f"bench:{run.id}:by").set_value("fluency").run())
    assert charts(app) == ["board-fluency"]


def test_many_models_are_shades_and_chosen_ones_bars(runner):
    models = [f"openai:m{n}" for n in range(7)]
    run = settled_store(runner.store, keywords=WORDS[:2], models=models)
    app = opened(run, "scores")
    assert len(app.dataframe[0].value) == 4 * 8
    settled(app.multiselect(key=f"bench:{run.id}:bars").set_value(models[:2]).run())
    assert len(app.dataframe[0].value) == 4 * 2


def test_a_ranking_is_held_against_the_averages_and_who_is_missing_is_named(runner):
    app = visit("benchmark", section="published", figure="general")
    assert not charts(app)
    app.session_state["bench:published:general"] = tuple(
        Panelist(model=one.model, rank=float(100 - one.rank)) for one in published().rows[:40]
    )
    settled(app.run())
    assert charts(app) == ["general-ranking"]
    assert (
        f"Left out, not in the ranking or without an average: {published().rows[-1].model}"
        in said(app)
    )
    settled(app.button(key="bench:published:general:out").click().run())
    assert not charts(app)


def test_published_results_are_marked_as_published(runner):
    for figure in ("leaderboard", "trade-off", "energy"):
        app = visit("benchmark", section="published", figure=figure)
        assert charts(app)
        assert "Published (LiveIdeaBench, March 2025)" in said(app)
    assert len(visit("benchmark", section="published").dataframe[0].value) == 41


def test_findings_are_made_once_for_each_state_of_the_answers(runner, monkeypatch):
    run, made = settled_store(runner.store, keywords=WORDS), []
    real = bench_results_found.findings
    monkeypatch.setattr(
        bench_results_found, "findings", lambda *given: made.append(1) or real(*given)
    )
    opened(run), opened(run, "judges")
    assert len(made) == 1
    relabel(
        runner.store, run.id, {0: WORDS[0].model_copy(update={"domain": "Biology", "by": "person"})}
    )
    opened(run, "domains")
    assert len(made) == 2


def test_of_a_running_benchmark_slow_findings_stay_for_a_while(runner, monkeypatch):
    run = settled_store(runner.store, keywords=WORDS, state="stopped")
    running, clock = run.model_copy(update={"state": "running"}), [0.0]
    real = bench_results_found.findings

    def slow(*given):
        clock[0] += 3
        return real(*given)

    monkeypatch.setattr(bench_results_found, "findings", slow)
    monkeypatch.setattr(bench_results_found, "monotonic", lambda: clock[0])
    first = bench_results_found.latest(running)
    relabel(runner.store, run.id, {0: WORDS[0].model_copy(update={"domain": "Biology"})})
    assert bench_results_found.latest(running) is first
    clock[0] += 31
    assert bench_results_found.latest(running) is first
    bench_results_found._pool.submit(int).result(20)
    newer = bench_results_found.latest(running)
    assert newer.version != first.version
    relabel(runner.store, run.id, {0: WORDS[0].model_copy(update={"domain": "Physics"})})
    clock[0] += 30 + bench_results_found.OLD
    assert bench_results_found.latest(running).version != newer.version, "nobody looked for long"


def newer_are_due(store, monkeypatch):
    """Return a running benchmark and its findings, whose answers changed since, at the moment from
    which newer ones may be made.
    """
    run = settled_store(store, keywords=WORDS, state="stopped")
    running = run.model_copy(update={"state": "running"})
    first = bench_results_found.latest(running)
    relabel(store, run.id, {0: WORDS[0].model_copy(update={"domain": "Biology"})})
    until = bench_results_found._known((str(store.folder), run.id)).until
    monkeypatch.setattr(bench_results_found, "monotonic", lambda: until)
    return running, first


def test_nobody_waits_for_newer_findings_of_a_running_benchmark(runner, monkeypatch):
    running, first = newer_are_due(runner.store, monkeypatch)
    real = bench_results_found.findings
    begun, go_on, made = threading.Event(), threading.Event(), []

    def slow(*given):
        begun.set()
        assert go_on.wait(20)
        made.append(real(*given))
        return made[-1]

    monkeypatch.setattr(bench_results_found, "findings", slow)
    assert bench_results_found.latest(running) is first
    assert begun.wait(20)
    assert bench_results_found.latest(running) is first
    go_on.set()
    bench_results_found._pool.submit(int).result(20)
    assert made[0].version != first.version
    assert bench_results_found.latest(running) is made[0]
    run = running.model_copy(update={"state": "stopped"})
    assert bench_results_found.latest(run) is made[0], "one that rests is looked at at once"
    assert len(made) == 1


def test_newer_findings_that_could_not_be_made_are_tried_again(runner, monkeypatch, caplog):
    running, first = newer_are_due(runner.store, monkeypatch)
    real = bench_results_found.findings

    def fails(*_):
        raise StoreFailed("The disk is full.")

    monkeypatch.setattr(bench_results_found, "findings", fails)
    assert bench_results_found.latest(running) is first
    bench_results_found._pool.submit(int).result(20)
    assert "The disk is full." in caplog.text
    monkeypatch.setattr(bench_results_found, "findings", real)
    assert bench_results_found.latest(running) is first
    bench_results_found._pool.submit(int).result(20)
    assert bench_results_found.latest(running).version != first.version


class Lengths:
    state = "ready"

    def vectors(self, texts):
        return np.eye(500, dtype=np.float32)[[len(text) for text in texts]]


def test_the_proxy_is_computed_beside_the_page(runner):
    run = settled_store(runner.store, keywords=WORDS)
    runner.store.connections.write("UPDATE bench_cells SET proxy = NULL WHERE run = ?", run.id)
    runner.store.connections.write(
        "UPDATE bench_groups SET proxies = 0, proxy = 0 WHERE run = ?", run.id
    )
    runner.workshop.embedder = Lengths()
    app = opened(run, "fluency")
    assert "24 of 24 pairs of ideas have none yet" in said(app)
    assert not charts(app)
    settled(app.button(key=f"bench:{run.id}:proxy").click().run())
    bench_results_proxy._job(run).thread.join(20)
    app = opened(run, "fluency")
    assert "Computed for all 24 pairs" in said(app)
    assert charts(app) == ["fluency-proxy"]


def test_counts_are_whole_numbers_in_a_file_too():
    row = (Value(mean=20.0, digits=0), Value(mean=20.0, digits=2), Value(mean=1.5, digits=0))
    assert (
        sheet(
            Table(name="t", title="", head=("Calls", "Seconds", "Odd"), rows=(row,))
        ).splitlines()[1]
        == "20,20.0,1.5"
    )


def test_counts_of_a_table_stay_numbers_and_sort_as_such():
    mean = Value(mean=9.5, low=9, high=10, digits=1)
    held = Table(
        name="t",
        title="t",
        head=("n", "mean"),
        rows=((Value(mean=12, digits=0), mean), (Value(), Value(text="none"))),
    )
    assert rows(held) == [{"n": 12, "mean": "9.5 [9.0, 10.0]"}, {"n": None, "mean": "none"}]
