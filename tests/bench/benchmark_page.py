"""The benchmark page bench: how long each view of a benchmark of half a million judgments takes to
be drawn anew.
"""

import os
import statistics
import time
from pathlib import Path

from core.records import Keyword, Run, digest
from core.store import Store
from tests import ROOT
from tests.support.benchmark.bench_kit import settled_store

MODELS, KEYWORDS, JUDGES, EACH, RERUNS = 41, 1_230, 10, 5, 15
VIEWS = ("progress", "results", "ideas", "validation", "take")
TARGETS = {"benchmark_page_ms": 200.0}


def large(folder: Path) -> Run:
    """Return a finished benchmark of 41 models on 1,230 keywords of 22 domains, with five judges an
    idea: 500,000 judgments, some failed.
    """
    store = Store(folder)
    run = settled_store(
        store,
        models=[f"openai:writer-{n}" for n in range(MODELS)],
        judges=[f"openai:judge-{n}" for n in range(JUDGES)],
        keywords=[
            Keyword(text=f"keyword {n}", domain=f"Domain {n % 22 + 1}", by="file")
            for n in range(KEYWORDS)
        ],
        judges_each=EACH,
        lost=_lost,
        topic="Large",
    )
    judged = sum(
        n
        for (kind, _, state), n in store.benchmarks.sums.tally(run.id).items()
        if (kind, state) == ("judge", "done")
    )
    assert judged >= 500_000, judged
    return run


def _lost(kind: str, model: str, keyword: str, n: int, m: int) -> str:
    dice = int(digest([kind, model, keyword, n, m])[:4], 16)
    return (
        ""
        if dice % 500
        else "NoUsableAnswer"
        if kind != "idea"
        else "refused"
        if dice % 1_000
        else "long"
    )


def benchmark_page_ms(folder: Path) -> float:
    """Return the median time of a warm script run of the slowest view, in ms; the time until a view
    is there first is printed beside it.
    """
    from streamlit.testing.v1 import AppTest

    from components.shell import services

    run = large(folder / "data")
    os.environ["FOUNDRY_DATA"] = str(folder / "data")
    services.forget()
    taken = {}
    for view in (*VIEWS, "list"):
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).switch_page(
            "pages/benchmark.py"
        )
        if view != "list":
            app.query_params["run"], app.query_params["view"] = run.id, view
        times = []
        for _ in range(1 + RERUNS):
            began = time.perf_counter()
            app.run()
            times.append(time.perf_counter() - began)
            assert not app.exception, (view, [one.message for one in app.exception])
            assert not app.error, (view, [one.value for one in app.error])
        taken[view] = statistics.median(times[1:]) * 1000
        print(
            f"benchmark page, {view}: there after {times[0]:.2f} s, anew in {taken[view]:.0f} ms"
            f" (slowest {max(times[1:]) * 1000:.0f} ms)"
        )
    return max(taken.values())
