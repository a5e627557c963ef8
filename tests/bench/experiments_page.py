"""The bench of large experiments: 100,000 cells over topics, in a matrix, by checklist. How long
their page takes to be drawn anew, and what memory their results take.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

from core.experiments.cells import SweepInputs
from core.experiments.cells import cells as matrix_cells
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.checklist.cells import conditions
from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.cells import cells as topic_cells
from core.judging.arena.competition import ArenaInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import (
    EDITION,
    FORMS,
    IDEA_CRITERIA,
    ITEMS,
    Config,
    DistinctIdeas,
    Entry,
    EvolvedCell,
    ExperimentTopic,
    FrozenTarget,
    Idea,
    Lineup,
    Made,
    Record,
    Run,
    Seat,
    Standings,
    Stopping,
    TopicArena,
    TopicCell,
    TopicList,
    TrainingData,
    TrainingQuery,
    digest,
)
from core.store import Store
from tests import ROOT

MANY, RERUNS = 100_000, 15
AT = "2026-01-01T00:00:00.000+00:00"
VIEWS: dict[str, tuple[str, ...]] = {
    "topics": ("Results", "Figures", "Cells", "Export"),
    "matrix": (),
    "checklist": ("",),
}
TARGETS = {"experiments_page_ms": 150.0, "experiments_memory_mb": 1_500.0}


# -- filling ---------------------------------------------------------------------------------------


def stored(store: Store, method: str, inputs: Record, title: str, **origin: object) -> Run:
    """Store a finished run that nobody worked on."""
    config = Config(
        method=method,
        version=1,
        inputs=inputs.model_dump(mode="json"),
        models={"main": "openai:writer"},
        source="shelf",
        seed=7,
        edition=EDITION,
    )
    run = Run(
        id=digest([title, method])[:8],
        title=title,
        state="queued",
        config=config,
        created=AT,
        updated=AT,
        **origin,
    )
    store.runs.add(run, "nobody|1|1")
    end = "UPDATE runs SET state = 'done', owner = NULL, ended = ?, calls = 12 WHERE id = ?"
    store.connections.write(end, AT, run.id)
    return store.runs.get(run.id)


def show(store: Store, run: str, parts: Iterable[tuple[str, Record]]) -> None:
    """Have a run show records under names."""
    store.connections.write_all(
        "INSERT INTO products VALUES (?,?,?,?,?)",
        [
            (run, name, type(one).__name__, one.model_dump_json(), f"{n:07d}")
            for n, (name, one) in enumerate(parts)
        ],
    )


def made_runs(store: Store, sweep: Run, names: Iterable[str]) -> list[str]:
    """Store finished runs that an experiment made, all alike but for their names."""
    config = json.dumps(
        sweep.config.model_copy(
            update={"inputs": {"topic": "a topic"}, "method": "direct"}
        ).model_dump(mode="json")
    )
    rows = [(digest([sweep.id, name])[:12], name) for name in names]
    store.connections.write_all(
        "INSERT INTO runs (id, title, method, state, config, created, updated, ended, steps, calls,"
        " tokens_in, tokens_out, cost, worked, sweep, cell)"
        " VALUES (?, ?, 'direct', 'done', ?, ?, ?, ?, 3, 3, 300, 150, 0.01, 2.5, ?, ?)",
        [(run, name, config, AT, AT, AT, sweep.id, name) for run, name in rows],
    )
    return [run for run, _ in rows]


def topics(folder: Path) -> Run:
    """Return an experiment of five contenders, two models, 1,000 topics, eleven times: 100,000
    cells. The arena has 36 pairs on each topic's first time in both orders: 72,000 ballots.
    """
    store = Store(folder)
    held = TopicList(
        name="Large", topics=tuple(ExperimentTopic(topic=f"topic {n}") for n in range(1_000))
    )
    asked = TopicExperimentInputs(
        topic="Large over topics",
        topics=store.frozen.keep(held),
        count=1_000,
        contenders=("chain", "rag", "direct", "direct, same tokens", "refine"),
        models=("openai:writer", "openai:other"),
        judges=("openai:judge",),
        seeds=10,
        same_form=False,
    )
    run = stored(store, "topic-experiment", asked, asked.topic)
    plans = list(topic_cells(asked, held.topics))
    assert len(plans) == MANY, len(plans)
    runs = made_runs(store, run, (plan.name for plan in plans))
    fields = dict.fromkeys(FORMS["chain"], "An idea.")
    sha = store.frozen.keep(Idea(form="chain", fields=fields))
    arena = fill_arena(store, run, held, sorted({plan.player for plan in plans}), sha)
    found: list[tuple[str, Record]] = []
    for n, (plan, made) in enumerate(zip(plans, runs, strict=True)):
        lost = n % 1_000 == 0
        cell = TopicCell(
            contender=plan.contender.said,
            player=plan.player,
            topic=plan.topic.topic,
            model=plan.model,
            seed=plan.seed,
            run=made,
            idea="" if lost else sha,
            state="failed" if lost else "done",
            reason="The server did not answer." if lost else "",
        )
        found.append((plan.name, cell))
    for player in sorted({plan.player for plan in plans}):
        near = (0.5,) * 9_999
        distinct = DistinctIdeas(player=player, ideas=10_000, distinct=9_000, nearest=near)
        found.append((f"distinct/{digest(player)[:6]}", distinct))
    found.append(("arena/ideas", TopicArena(kind="idea", run=arena, entries=10_000, state="done")))
    show(store, run.id, found)
    return run


def fill_arena(store: Store, run: Run, held: TopicList, players: list[str], sha: str) -> str:
    entries = tuple(
        Entry(id=sha[:16], kind="idea", sha=sha, method=player, topic=one.topic, collection="x")
        for one in held.topics
        for player in players
    )
    inputs = ArenaInputs(topic="Large: ideas", kind="idea", entries=entries, same_form=False)
    arena = stored(store, "arena", inputs, "Large: ideas", sweep=run.id, cell="arena/ideas/run")
    seats = [Seat(topic=one.topic, method=one.method, sha=sha, length=100) for one in entries]
    show(store, arena.id, [("lineup", Lineup(seats=tuple(seats), common=False))])
    rows = []
    for n, topic in enumerate(held.topics):
        for k, (a, b) in enumerate(combinations(players, 2)):
            said = ("first", "second", "tie")[(n * 7 + k * 5) % 3]
            sides = json.dumps(dict.fromkeys(IDEA_CRITERIA, said))
            for first in (a, b):
                key = f"judge/{n}/{k}/{first}"
                place = (arena.id, key, topic.topic, a, b, first, "openai:judge", 0, 1)
                rows.append((*place, sides, "{}", "", AT))
    names = "arena, key, topic, a, b, first, judge, person, repeat, sides, strength, why, at"
    store.connections.write_all(
        f"INSERT INTO ballots ({names}) VALUES ({', '.join('?' * 13)})", rows
    )
    return arena.id


def matrix(folder: Path) -> Run:
    """Return a matrix of five methods, five models, two qualities, 2,000 targets: 100,000 cells."""
    store = Store(folder)
    asked = SweepInputs(
        topic="Large matrix",
        methods=("initial", "self-reflection", "infal", "no-optimizer", "review-rebuttal"),
        models=tuple(f"openai:writer-{n}" for n in range(5)),
        indicators=(NOVELTY, FEASIBILITY),
        targets=tuple(
            FrozenTarget(sha=digest(n), title=f"Target {n}", category=f"Category {n % 12}")
            for n in range(2_000)
        ),
        n=1,
        repeats=2,
        rules=Stopping(),
        judges=("openai:judge",),
    )
    run = stored(store, "sweep", asked, asked.topic)
    idea = Idea(form="hypothesis", fields={"hypothesis": "Light at noon sets the clock. " * 5})
    held = matrix_cells(asked)
    assert len(held) == MANY, len(held)
    # Ideas and rankings of every cell have a run each.
    wrote = made_runs(store, run, (f"{cell.name}/ideas-1" for cell in held))
    ranked = made_runs(store, run, (cell.rank_by("openai:judge") for cell in held))
    found: list[tuple[str, Record]] = []
    for n, cell in enumerate(held):
        rounds = (n % 5,)
        made = Made(cell=cell, run=wrote[n], ideas=(idea,), rounds=rounds, converged=(n % 3 > 0,))
        found.append((f"{cell.name}/ideas", made))
        q = ((n * 7 % 11) / 10, (n * 5 % 11) / 10)
        place = cell.rank_by("openai:judge")
        found.append((place, Standings(cell=cell, judge="openai:judge", run=ranked[n], q=q)))
    show(store, run.id, found)
    return run


def checklist(folder: Path) -> Run:
    """Return a checklist experiment of eight generators, without directives and by four providers,
    on 2,000 questions, the most there can be: 80,000 cells.
    """
    store = Store(folder)
    questions = tuple(TrainingQuery(question=f"Question {n}?") for n in range(2_000))
    data = TrainingData(training=(TrainingQuery(question="One to train on?"),), held_out=questions)
    asked = ChecklistExperimentInputs(
        topic="Large by checklist",
        data=store.frozen.keep(data),
        questions=2_000,
        generators=tuple(f"openai:writer-{n}" for n in range(8)),
        providers=tuple(f"openai:provider-{n}" for n in range(4)),
        scorer="openai:scorer",
    )
    run = stored(store, "checklist-experiment", asked, asked.topic)
    places = [(one, query) for query in questions for one in conditions(asked)]
    runs = made_runs(store, run, (one.cell(query) for one, query in places))
    found: list[tuple[str, Record]] = []
    for n, ((one, query), made) in enumerate(zip(places, runs, strict=True)):
        steps = tuple(tuple((n + k * step) % 2 for k in range(len(ITEMS))) for step in range(2))
        cell = EvolvedCell(
            question=query.question,
            generator=one.generator,
            provider=one.provider,
            run=made,
            steps=steps,
        )
        found.append((one.cell(query), cell))
    show(store, run.id, found)
    return run


LARGE: dict[str, Callable[[Path], Run]] = {
    "topics": topics,
    "matrix": matrix,
    "checklist": checklist,
}


# -- measuring -------------------------------------------------------------------------------------


def experiments_figures(folder: Path) -> dict[str, float]:
    """Return the median time of a warm script run of the slowest view of a large experiment, in ms,
    the time until a view is there first printed beside it; and the peak memory of a process that
    makes all tables of one, the highest of the three kinds, in MB.

    The page of a matrix is not among the views: it reads every cell at every drawing.
    """
    warmed, peaks = [0.0], []
    for name, fill in LARGE.items():
        data = folder / name
        run = fill(data)
        for view in VIEWS[name]:
            first, warm = drawn(data, run, view)
            print(f"{name} {view}: first {first * 1000:.0f} ms, warm {warm * 1000:.0f} ms")
            warmed.append(warm * 1000)
        words = [sys.executable, "-m", "tests.bench.experiments_page", str(data), run.id]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        print(name, done.stdout.strip())
        peaks.append(float(done.stdout.split()[-2]))
    return {"experiments_page_ms": max(warmed), "experiments_memory_mb": max(peaks)}


def drawn(data: Path, run: Run, view: str) -> tuple[float, float]:
    """Return the seconds of the first script run of a view, and the median of warm ones."""
    from streamlit.testing.v1 import AppTest

    from components.shell import services

    os.environ["FOUNDRY_DATA"] = str(data)
    services.forget()
    page = str(ROOT / "app.py")
    app = AppTest.from_file(page, default_timeout=300).switch_page("pages/experiments.py")
    app.query_params["run"] = run.id
    if view:
        app.query_params["topics-tab"] = view
    times = []
    for _ in range(1 + RERUNS):
        began = time.perf_counter()
        app.run()
        times.append(time.perf_counter() - began)
        assert not app.exception, app.exception
    return times[0], statistics.median(times[1:])


def main() -> None:
    """Make all tables of an experiment, and say how long it took and how much memory."""
    from core.export.reproduced import TABLES

    store = Store(Path(sys.argv[1]))
    run = store.runs.get(sys.argv[2])
    began = time.perf_counter()
    both, _ = TABLES[run.config.method](store, run)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(both)} tables in {seconds:.1f} s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
