"""Stores as an earlier main left them: how they are made, and what opens them again.

`python -m tests.support.stored NAME` makes `tests/data/stores/NAME.db.gz` with the program as it
is: of every kind of run one that ended, and twins of it (same configuration, same seed) that were
stopped in mid-flight. Whatever changes later, a twin that is resumed must become what the one that
ended is. The models answer from the words of a request alone, over a loopback server, so that a
resumed run can be compared step by step.
"""

import gzip
import itertools
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core import settings
from core.judging.arena.competition import ArenaInputs
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.methods import BaselineInputs, ChainInputs, RefineInputs
from core.methods.evolution import EvolveInputs
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import Run, Stopping, digest
from core.runs import runner as runner_module
from core.runs.beginning import begin, seat_inputs, seated
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.studies import organising
from tests import DATA
from tests.conftest import SmallSource, WordEmbedder
from tests.support.arena_kit import entries
from tests.support.benchmark import bench_kit
from tests.support.playing import actor
from tests.support.schema_instances import Body, asked_schema, instance
from tests.support.scripted import FIRST, wide_source
from tests.support.servers.openai_server import OpenAIServer
from tests.support.sessions import studies_kit
from tests.support.sweep_kit import frozen, target

HERE = DATA / "stores"
MODEL, OTHER = "openai:test-model", "openai:other-model"
JUDGES = ("openai:judge-a", "openai:judge-b", "openai:judge-c")
SHARES = (0.3, 0.75)
"""How much of what the one that ended was asked a twin had been asked when it was stopped."""


def said(body: Body) -> dict[str, Any] | str:
    """Answer from the words that were sent and from nothing else: neither the schema's spelling nor
    the sampling changes what is said.
    """
    task = next(str(one["content"]) for one in body["messages"] if one["role"] == "user")
    schema = asked_schema(body)
    if schema is None:
        return bench_kit.script(body)
    made = instance(
        schema,
        random.Random(digest([one["content"] for one in body["messages"]][:2])),
        schema.get("$defs", {}),
    )
    asked = set(schema.get("properties", {}))
    if "question" in asked:
        made |= {"question": f"{str(made['question']).rstrip('.?')}?"}
    if asked == {"review"}:
        labels = re.findall(r"\[([^\]\[]+)\]", task)[:2]
        made |= {
            "review": (
                " ".join(["They agree on naps and differ on why"] * 20) + f" ({'; '.join(labels)})."
            )
        }
    if asked == {"analysis", "originality", "feasibility", "clarity"}:
        return bench_kit.script(body)
    if "changes" in asked:
        return made | {"title": f"Version of {digest(task)[:6]}", "changes": []}
    if asked == {"improved", "reason"}:
        return made | {"improved": digest(task)[0] in "0123456789a"}
    if asked >= {"preferences", "both_weak"} or asked >= {"groups"}:
        return actor(body)
    known = actor(body)
    fixed = (
        {name: value for name, value in known.items() if name in SENSIBLE}
        if isinstance(known, dict)
        else {}
    )
    return {**made, **fixed}


SENSIBLE = (
    "queries",
    "relevant",
    "id",
    "nearest",
    "similar",
    "steps",
    "remarks",
    "idea",
    "score",
    "directive",
    "scores",
    "places",
)
"""What has to fit the words of the request, and is taken from `actor`, which reads them."""


class StoredShop(Workshop):
    """A workshop whose models speak over a loopback server, whose papers are a few made-up ones,
    and whose embeddings are words.
    """

    def __init__(self, folder: Path, url: str, **given: object):
        super().__init__(settings.read({}, data=folder, openai_url=url, **given))
        self.embedder = WordEmbedder()  # type: ignore[assignment]
        self.papers = wide_source()

    def source(self, name: str) -> SmallSource:  # type: ignore[override]
        return self.papers


Begin = Callable[[Runner], Run]


def begun(method: str, inputs: Callable[[Runner], Any], **more: Any) -> Begin:
    """Return what begins a run of a method with the loopback model in every role."""

    def begin(runner: Runner) -> Run:
        given = {
            "models": dict.fromkeys(("main", "cheap"), MODEL),
            "seed": 7,
            "cap_tokens": 50_000_000,
        } | more
        return runner.begin(
            runner.workshop.config(method, inputs(runner), **given), f"Stored: {method}"
        )

    return begin


def chain(**given: object) -> Begin:
    whole = {
        "topic": "sleep memory light food 2018",
        "branches": 2,
        "length": 4,
        "full_text": False,
    } | given
    return begun("chain", lambda _: validated(ChainInputs, **whole))


def refinement(variant: str = "infal", **given: object) -> Begin:
    play = played(variant, (NOVELTY, FEASIBILITY), 3, 2)
    whole = {"topic": "sleep and memory", "play": play, "k": 2, "lines": 1} | given
    return begun("refine", lambda _: validated(RefineInputs, **whole))


def evolution(**given: object) -> Begin:
    whole = {
        "topic": "naps and memory",
        "question": "How do naps restore memory?",
        "papers": False,
        "review": "Smith et al. (2024) studied naps.",
        "steps": 3,
        "lines": 2,
        "decided": "model",
    } | given
    return begun("evolve", lambda _: validated(EvolveInputs, **whole))


def ranking(_: Runner) -> RankInputs:
    ideas = {f"idea {n}": target(n).idea for n in (1, 2)} | {"a paragraph": FIRST}
    return validated(
        RankInputs,
        topic="sleep",
        goals=(NOVELTY,),
        repeats=3,
        sets=(
            IdeaSet(name="final", ideas=ideas, target=target(3).idea),
            IdeaSet(name="first", ideas=ideas),
        ),
    )


def experiment(runner: Runner) -> Run:
    from core.experiments import SweepInputs

    asked = validated(
        SweepInputs,
        topic="An experiment",
        methods=("initial", "infal", "self-reflection", "evolve", "rag"),
        models=(MODEL,),
        indicators=(NOVELTY,),
        targets=frozen(runner.store),
        n=2,
        rules=Stopping(max_rounds=2, patience=1),
        judges=(OTHER,),
        repeats=2,
    )
    return begin(runner, "sweep", asked, "Stored: experiment", seed=7, source="shelf")


def tournament(runner: Runner) -> Run:
    asked = validated(ArenaInputs, topic="An arena", entries=entries(runner.store))
    return begin(runner, "arena", asked, "Stored: arena", models=seated([MODEL, OTHER]), seed=7)


def bench(runner: Runner) -> Run:
    asked = bench_kit.inputs_of(runner.store, models=(MODEL, OTHER), judges=JUDGES)
    return begin(runner, "bench", asked, "Stored: benchmark", seed=7)


def seat(runner: Runner) -> Run:
    """Begin what fills a model's seat in a session whose experts have answered in part."""
    held = studies_kit.opened(runner.store, "rate")
    studies_kit.work_through(runner.store, held.at_work(), units=2)
    added = organising.add_model(runner.store, held.study.id, MODEL)
    inputs = seat_inputs(runner.workshop, added.id)
    return begin(runner, "seat", inputs, "Stored: session", seed=7)


KINDS: dict[str, Begin] = {
    "chain": chain(),
    "chain-without-entities": chain(branches=1, without=("entities",)),
    "chain-without-chain": chain(branches=1, without=("chain",)),
    "chain-of-length-0": chain(branches=1, length=0),
    "rag": begun("rag", lambda _: validated(BaselineInputs, topic="sleep memory 2018")),
    "direct": begun("direct", lambda _: validated(BaselineInputs, topic="sleep memory 2018")),
    "refinement": refinement(target=target(1).idea, checklist=True),
    "refinement-of-three": refinement(lines=3, target=target(1).idea),
    "self-reflection": refinement("self-reflection"),
    "review-rebuttal": refinement("review-rebuttal"),
    "evolution": evolution(),
    "evolution-alone": evolution(informed=False, lines=1),
    "ranking": begun("rank", ranking, models={"judge": MODEL}),
    "arena": tournament,
    "experiment": experiment,
    "benchmark": bench,
    "session": seat,
}

WAITING: dict[str, Begin] = {
    "chain that asks a person": chain(branches=1, confirm=True),
    "refinement that waits for a go-ahead": begun(
        "refine",
        lambda _: validated(
            RefineInputs,
            topic="sleep and memory",
            play=played("infal", (NOVELTY,), 2, 2, step_in=True),
            k=2,
        ),
    ),
}
"""Runs that wait for a person's answer."""


# -- making ------------------------------------------------------------------------------------


def make(folder: Path) -> dict[str, dict[str, Any]]:
    """Fill a store and return, by kind, the run that ended and the twins that were stopped."""
    made: dict[str, dict[str, Any]] = {}
    runner_module.BEAT = 0.01  # So that a stop is heard before the next answer.
    with OpenAIServer(script=said, latency=0.15, models=("test-model", "other-model")) as server:
        runner = Runner(StoredShop(folder, server.url))
        for kind, begin in KINDS.items():
            before, run = len(server.calls), begin(runner)
            assert runner.work(run.id) == "done", f"{kind}: {runner.store.runs.get(run.id).reason}"
            calls = len(server.calls) - before
            twins = [stopped(runner, server, begin, max(1, int(share * calls))) for share in SHARES]
            made[kind] = {"ended": run.id, "calls": calls, "stopped": [one for one in twins if one]}
            print(kind, calls, made[kind]["stopped"], flush=True)
        for kind, begin in WAITING.items():
            run = begin(runner)
            assert runner.work(run.id) == "waiting", (
                f"{kind}: {runner.store.runs.get(run.id).reason}"
            )
            made[kind] = {"waiting": run.id}
    return made


def stopped(runner: Runner, server: OpenAIServer, begin: Begin, calls: int) -> str | None:
    """Begin a run, stop it after so many calls, and return it; None where it came to its end before
    that.
    """
    before, run = len(server.calls), begin(runner)
    runner.start(run.id)
    while len(server.calls) - before < calls and runner.store.runs.get(run.id).state in (
        "queued",
        "running",
    ):
        time.sleep(0.005)
    if runner.store.runs.get(run.id).state in ("queued", "running"):
        runner.stop(run.id)
    runner.wait(run.id, 60)
    state = runner.store.runs.get(run.id).state
    assert state in ("stopped", "done"), runner.store.runs.get(run.id).reason
    return run.id if state == "stopped" else None


def outline(runner: Runner, run: Run) -> dict[str, str]:
    """Return every step of a run and of the runs it had made, by its name, with the hash of what
    was asked.
    """
    mine = {step.key: step.hash for step in runner.store.steps.of(run.id)}
    children = [
        runner.store.runs.get(row["id"])
        for row in runner.store.connections.rows("SELECT id FROM runs WHERE sweep = ?", run.id)
    ]
    inside = (
        {f"{child.cell}: {key}": sha for key, sha in outline(runner, child).items()}
        for child in children
    )
    return mine | dict(itertools.chain.from_iterable(one.items() for one in inside))


# -- opening again -----------------------------------------------------------------------------


@contextmanager
def opened(
    name: str, folder: Path, **serving: Any
) -> Iterator[tuple[Runner, OpenAIServer, dict[str, dict[str, Any]]]]:
    """Unpack a store and open it with the program as it is now; gives a runner on it, the server
    its models speak over, and which run is which.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with gzip.open(HERE / f"{name}.db.gz") as packed, (folder / "foundry.db").open("wb") as whole:
        shutil.copyfileobj(packed, whole)
    known = json.loads((HERE / f"{name}.json").read_text("utf-8"))
    with OpenAIServer(script=said, **serving) as server:
        yield Runner(StoredShop(folder, server.url)), server, known


def main(name: str) -> None:
    """Make a store with the program as it is, and keep it packed beside the account of what is in
    it.
    """
    HERE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        made = make(Path(place))
        runner = Runner(StoredShop(Path(place), "http://127.0.0.1:9/v1"))
        runner.store.connections.rows("VACUUM INTO ?", str(Path(place) / "whole.db"))
        with (
            (Path(place) / "whole.db").open("rb") as whole,
            gzip.GzipFile(HERE / f"{name}.db.gz", "wb", mtime=0) as packed,
        ):
            shutil.copyfileobj(whole, packed)
    (HERE / f"{name}.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
