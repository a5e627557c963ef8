"""The bench: how fast the house is, saved as bench.json. `python -m tests.bench [NAME ...]`
measures all, or those named.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from components.shell.frame import MENU
from core.journal import Answer, Journal, StepQuestion
from core.methods import RefineInputs, adversarial
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Call, Origin
from core.store import Store
from tests import ROOT
from tests.bench import (
    arena_page,
    benchmark,
    benchmark_page,
    chain,
    differences,
    experiments_page,
    learning,
    novelty,
    ratings,
    refine,
    sessions,
    shortlist,
    sweep,
)
from tests.conftest import make_run
from tests.support.scripted import refine_script, refinement, runner_of

PAGES = {"home" if one.path == "app.py" else Path(one.path).stem: one.path for one in MENU}
"""Every page of the menu, by its name."""
SEEN = {"home": "Version 20", "runs": "Refinement number"}
"""What a page shows of the big store: titles of ideas, of runs."""
TARGETS = {
    "journal_step_ms": 3.0,
    "replay_300_steps_s": 1.0,
    "first_page_s": 4.0,
    **{f"{name}_ms": 150.0 for name in PAGES},
    **refine.TARGETS,
    **chain.TARGETS,
    **novelty.TARGETS,
    **shortlist.TARGETS,
    **differences.TARGETS,
    **ratings.TARGETS,
    **arena_page.TARGETS,
    **sweep.TARGETS,
    **sessions.TARGETS,
    **benchmark.TARGETS,
    **benchmark_page.TARGETS,
    **experiments_page.TARGETS,
    **learning.TARGETS,
}


def journal_step_ms(folder: Path) -> float:
    """Return the p50 of what the journal adds to a step, in ms: looked up, shown while written,
    stored with its cost.
    """
    store = Store(folder)
    run = make_run(store)
    journal = Journal(store, run, store.runs.claim(run.id, "bench|1|1", 0) or 0)
    taken = []
    for n in range(300):
        question = StepQuestion(
            f"round-{n}/review", f"{n:04d}", {"text": "a prompt of some length " * 300, "n": n}
        )
        began = time.perf_counter()
        journal.step(question, lambda key=question.key: _answered(journal, key))
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def _answered(journal: Journal, key: str) -> Answer:
    journal.progress(key)("half a sentence", "")
    call = Call(
        model="m",
        tokens_in=1_800,
        tokens_out=700,
        cost=0.001,
        latency=0.5,
        outcome="accepted",
        raw="words " * 500,
    )
    return Answer({"said": "words " * 500}, Origin(kind="model", name="m"), (call,))


def replay_300_steps_s(folder: Path) -> float:
    """Return how long it takes to go through a finished run of 300 steps again, in s."""
    runner, model = runner_of(folder, refine_script())
    run = refinement(runner, rounds=25, goals=(NOVELTY, FEASIBILITY), k=0)
    for epoch in (0, 1):
        claimed = runner.store.runs.claim(run.id, "bench|1|1", epoch)
        began = time.perf_counter()
        adversarial.refine(
            runner.workshop.desk(run, claimed or 0)[1],
            RefineInputs.model_validate(run.config.inputs),
        )
        taken = time.perf_counter() - began
    assert runner.store.steps.count(run.id) >= 300, runner.store.steps.count(run.id)
    assert len(model.requests) == 50 * 4
    return taken


def first_page_s(folder: Path) -> float:
    """Return the time from the command to the home page being there, in s, with a browser that is
    open already.
    """
    from tests.support.browser import App, browsing

    app = App(folder / "data")
    with browsing() as page:
        began = time.perf_counter()
        app.start()
        try:
            page.goto(app.url)
            page.get_by_role("heading", level=1).first.wait_for()
            return time.perf_counter() - began
        finally:
            app.kill()


def big_store(folder: Path, runs: int = 1_000, steps: int = 100) -> Store:
    """Fill a store with 1,000 finished refinements of 100 steps each, all copies of a real one."""
    runner, _ = runner_of(folder, refine_script())
    run = refinement(runner, rounds=20)
    assert runner.work(run.id) == "done"
    store = runner.store
    with store.connections.writing() as connection:
        for n in range(1, runs):
            name = f"{n:08x}"
            moment = f"2026-{n % 12 + 1:02d}-{n % 28 + 1:02d}T{n % 24:02d}:00:00.000+00:00"
            connection.execute(
                "CREATE TEMP TABLE one AS SELECT * FROM runs WHERE id = ?", (run.id,)
            )
            connection.execute(
                "UPDATE one SET id = ?, title = ?, created = ?, updated = ?",
                (name, f"Refinement number {n} of sleep", moment, moment),
            )
            connection.execute("INSERT INTO runs SELECT * FROM one")
            connection.execute("DROP TABLE one")
            for table in ("steps", "calls", "products"):
                columns = [
                    row[1]
                    for row in connection.execute(f"PRAGMA table_info({table})")
                    if row[1] not in ("id", "run")
                ]
                connection.execute(
                    f"INSERT INTO {table} (run, {', '.join(columns)}) SELECT ?,"
                    f" {', '.join(columns)} FROM {table} WHERE run = ?",
                    (name, run.id),
                )
    held = store.connections.row("SELECT count(*) AS n FROM steps")
    assert held
    assert held["n"] >= runs * steps, held["n"]
    return store


def pages(folder: Path) -> dict[str, float]:
    """Return the median of 20 warm script runs of each page of the menu on the big store, in ms."""
    from streamlit.testing.v1 import AppTest

    from components.shell import services
    from tests.support.visiting import links

    big_store(folder / "big")
    os.environ["FOUNDRY_DATA"] = str(folder / "big")
    services.forget()
    taken = {}
    for name, page in PAGES.items():
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
        if name != "home":
            app.switch_page(page).run()
        assert not app.exception, app.exception
        shown = [link.label for link in links(app)]
        assert any(SEEN.get(name, "") in label for label in shown), f"{name}: {shown}"
        times = []
        for _ in range(20):
            began = time.perf_counter()
            app.run()
            times.append(time.perf_counter() - began)
        taken[f"{name}_ms"] = statistics.median(times) * 1000
    return taken


BENCHES: dict[str, Callable[[Path], float | dict[str, float]]] = {
    "journal_step_ms": journal_step_ms,
    "replay_300_steps_s": replay_300_steps_s,
    "refinement": refine.refinement_figures,
    "chain": chain.chain_figures,
    "chain_cold": chain.cold_hop,
    "novelty": novelty.novelty_figures,
    "shortlist": shortlist.shortlist_figures,
    "differences_2000_words_ms": differences.differences_2000_words_ms,
    "ratings_76000_votes_s": ratings.ratings_76000_votes_s,
    "arena_page_p95_s": arena_page.arena_page_p95_s,
    "sweep": sweep.sweep_figures,
    "benchmark": benchmark.benchmark_figures,
    "benchmark_page_ms": benchmark_page.benchmark_page_ms,
    "experiments": experiments_page.experiments_figures,
    "sessions": sessions.submit_p95_s,
    "first_page_s": first_page_s,
    "pages": pages,
}
if find_spec("trl"):  # requirements-train.txt is installed.
    BENCHES["learning_start_of_end"] = learning.learning_start_of_end


def main(names: list[str]) -> int:
    """Measure, print and save; returns 1 if a target was missed."""
    measured: dict[str, float] = {}
    for name in names or BENCHES:
        with tempfile.TemporaryDirectory() as folder:
            got = BENCHES[name](Path(folder))
        measured |= got if isinstance(got, dict) else {name: got}
    report = {
        name: {"value": round(value, 4), "target": TARGETS[name], "met": value <= TARGETS[name]}
        for name, value in measured.items()
    }
    (ROOT / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    for name, one in report.items():
        print(
            f"{name:25} {one['value']:>9} target {one['target']:>6} "
            f" {'met' if one['met'] else 'MISSED'}"
        )
    return 0 if all(one["met"] for one in report.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
