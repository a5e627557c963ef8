"""The fakes every test may use: a scripted model, a small source, words instead of embeddings."""

import contextlib
import functools
import gc
import itertools
import math
import os
import shutil
import ssl
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as examples
from pydantic import BaseModel

from core import settings
from core.desk import Desk
from core.errors import BadInput, ModelFailed, SourceFailed
from core.literature.port import Plane, Query
from core.models.port import Progress, Reply, Request
from core.records import Config, Mention, Paper, Reference, Run, Sampling
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.store.connection import Connections


class WordEmbedder:
    """Cosine of word counts: enough like meaning for logic, and instant."""

    name = "words"
    state = "ready"

    def load_beside(self) -> None:
        """Nothing needs loading."""

    def similarities(self, text: str, others: list[str]) -> list[float]:
        return [
            round(_cosine(Counter(text.lower().split()), Counter(other.lower().split())), 6)
            for other in others
        ]

    def plane(self, texts: list[str]) -> Plane:
        return Plane(
            spots=tuple((float(len(text)), float(len(set(text)))) for text in texts),
            explained=(0.5, 0.25),
        )


def _cosine(a: Counter[str], b: Counter[str]) -> float:
    norm = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(a[word] * b[word] for word in a) / norm if norm else 0.0


class ScriptedModel:
    """Answers from a script by prompt name; an unscripted prompt fails the test, and every request
    is remembered.
    """

    provider = "scripted"
    thinks = False
    usage: tuple[int | None, int | None] = (100, 50)
    """Tokens in and out it reports."""

    def __init__(
        self, script: Mapping[str, Callable[[Request], object]], name: str = "scripted:one"
    ):
        self.name, self.script, self.requests = name, dict(script), []

    def answers(self, prompt: str) -> bool:
        return True

    def reply(self, request: Request, progress: Progress) -> Reply:
        request.begin(())
        self.requests.append(request)
        assert request.prompt in self.script, f"no reply was scripted for {request.prompt!r}"
        said = self.script[request.prompt](request)
        if isinstance(said, Exception):
            raise said
        text = (
            said
            if isinstance(said, str)
            else said.model_dump_json()
            if isinstance(said, BaseModel)
            else _json(said)
        )
        progress(text, "")
        return Reply(text, "stop", self.name, *self.usage)


def _json(value: object) -> str:
    import json

    return json.dumps(value)


class SmallSource:
    """A source over a handful of papers; `cites` maps a paper to those it cites; `down` makes every
    question fail.
    """

    name = "shelf"
    about = "A small source for tests."

    def __init__(self, papers: list[Paper], cites: dict[str, list[str]]):
        self.known, self.cites, self.down, self.asked = {p.id: p for p in papers}, cites, False, []
        self.how: dict[tuple[str, str], Mention] = {}

    @contextlib.contextmanager
    def telling(self, note: Callable[[str], None]) -> Iterator[None]:
        yield

    def last(self) -> dict[str, object]:
        return {}

    def _ask(self, *what: str) -> None:
        self.asked.append(what)
        if self.down:
            raise SourceFailed("The source did not answer (503). Try again later.")

    def search(self, query: Query) -> tuple[Paper, ...]:
        self._ask("search", query.text)
        words = set(query.text.lower().split())
        return tuple(p for p in self.known.values() if words & set(p.title.lower().split()))[
            : query.limit
        ]

    def papers(self, ids: tuple[str, ...]) -> tuple[Paper, ...]:
        return tuple(self.known[i] for i in ids if i in self.known)

    def citations(self, paper: Paper, limit: int, before: str | None = None) -> tuple[Paper, ...]:
        self._ask("citations", paper.id)
        return tuple(self.known[i] for i, cited in self.cites.items() if paper.id in cited)[:limit]

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        self._ask("references", paper.id)
        return tuple(self.known[i] for i in self.cites.get(paper.id, []))[:limit]

    def cited(self, paper: Paper, limit: int) -> tuple[Reference, ...]:
        return tuple(
            Reference(paper=one, how=self.how.get((paper.id, one.id), Mention()))
            for one in self.references(paper, limit)
        )


class Shop(Workshop):
    """A workshop whose models, source and embedder are the fakes."""

    def __init__(
        self, folder: Path, models: dict[str, ScriptedModel], source: SmallSource | None = None
    ):
        super().__init__(settings.read({}, data=folder))
        self.embedder = WordEmbedder()  # type: ignore[assignment]
        self.named, self.shelf_like = models, source or SmallSource([], {})

    def model(self, name: str) -> ScriptedModel:  # type: ignore[override]
        if name not in self.named:
            raise BadInput(f"There is no model {name!r} in this test.")
        return self.named[name]

    def source(self, name: str) -> SmallSource:  # type: ignore[override]
        return self.shelf_like


# A busy machine is no fault of what is tested.
patient = examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
examples.register_profile("patient", patient)
# `make check` draws fewer; others every time.
examples.register_profile("quick", patient, max_examples=12)
examples.load_profile("patient")

BROWSER = "browser/"
"""Where the files stand that are played in a browser."""
SERVERS = {
    *("OpenAIServer", "OpenAlexServer", "PdfServer", "ScholarServer", "ThreadingHTTPServer"),
    *("Popen", "ProcessPoolExecutor", "killing", "locked", "served", "subprocess", "worker"),
}
"""Names by which a file of tests, or of fixtures, starts a server or another process."""
TOGETHER = {
    # What they fork from is ready after five seconds.
    "killed": (
        "cli/test_broken_off",
        "core/experiments/test_sweep_kill",
        "core/methods/shortlist/test_shortlist_kill",
        "core/experiments/topics/test_topics_kill",
        "test_kill",
    ),
    # Torch loads for seven seconds.
    "meaning": (
        "cli/test_local",
        "core/benchmark/test_domains",
        "core/cases/test_case_texts",
        "core/literature/test_embeddings",
        "core/literature/test_shelf_search",
        "core/literature/test_shelf_vectors",
        "core/methods/shortlist/test_keyless",
        "core/methods/test_chain_truth",
        "core/models/test_builtin",
        "core/models/test_local",
        "core/test_notebook",
        "core/training/test_policies",
        "core/wording/test_summaries",
        "test_world",
    ),
}
"""How the paths of files begin whose tests need the same slow thing."""
LONG = (
    "killed",
    "meaning",
    "browser/test_accessibility",
    "browser/test_arena",
    "browser/test_benchmark",
    "browser/test_main_job",
    "browser/test_vote",
    "core/benchmark/test_cluster",
    "core/benchmark/test_kill",
)
"""What takes longest and is begun first, so that nobody waits for it at the end."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep each file's tests in one worker, and those of files in TOGETHER; one worker begins with
    browsers, the others with everything else.
    """
    # xdist 3.8 groups by a suffix of the test's id, which pytest 9.2 no longer lets it write: its
    # groups part without a word.
    from xdist.scheduler import LoadFileScheduling

    class Grouped(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            name = super()._split_scope(nodeid).removeprefix("tests/").removesuffix(".py")
            return next(
                (group for group, names in TOGETHER.items() if name.startswith(names)), name
            )

        def _assign_work_unit(self, node: Any) -> None:
            # Two browsers at once are slow on two cores, and come to it only when nothing else is
            # left.
            mine = node is self.nodes[0]
            self.workqueue.move_to_end(
                min(
                    self.workqueue,
                    key=lambda unit: (unit.startswith(BROWSER) != mine, unit not in LONG),
                ),
                last=False,
            )
            super()._assign_work_unit(node)

    return Grouped(config, log)


def pytest_collection() -> None:
    """Look for no garbage while modules are imported and tests collected: they stay, and to look
    takes a fifth of the time.
    """
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes a server or a process of its own, or torch: `make check` leaves these out."""
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        if name.startswith((BROWSER, *TOGETHER["killed"])) or _starts_servers(item):
            item.add_marker("served")
        if name.startswith(TOGETHER["meaning"]):
            item.add_marker("meaning")


def _starts_servers(item: pytest.Item) -> bool:
    """Say whether a test's file, that of a fixture it takes, or a kit of theirs starts a server."""
    assert isinstance(item, pytest.Function)
    fixtures = (
        fixture.func.__globals__
        for name, several in item._fixtureinfo.name2fixturedefs.items()
        if name in item.fixturenames
        for fixture in several
        if hasattr(fixture.func, "__globals__")
    )
    known = (vars(item.module), *fixtures)
    kits = (
        vars(value)
        for names in known
        for value in names.values()
        if isinstance(value, ModuleType) and value.__name__.startswith("tests.support.")
    )
    return any(SERVERS & names.keys() for names in (*known, *kits))


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from walking, again and again, what is there from now on (all
    modules and all tests), and from coming after every 700 objects.
    """
    if "plotly.basedatatypes" in sys.modules:  # It takes the same few hundred names apart, often.
        parts = sys.modules["plotly.basedatatypes"]
        parts._str_to_dict_path_full = functools.cache(parts._str_to_dict_path_full)
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the browser after the last test that a worker plays in one."""
    if "browser" in item.keywords and not (nextitem and "browser" in nextitem.keywords):
        from tests.support import browser

        browser.close()


@pytest.fixture(scope="session", autouse=True)
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Begin every new database of this process as a copy of one that was migrated once; what is
    open to migrate still is.
    """
    # All migrations of an empty database take ten times as long as the copy, and more than many a
    # test.
    empty = Connections(tmp_path_factory.mktemp("migrated") / "foundry.db")
    empty.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    migrate = Connections._migrate

    def copied(self: Connections) -> None:
        if not self.path.exists():
            whole = self.path.with_name(f"whole-{threading.get_ident()}-{os.getpid()}.db")
            shutil.copy(empty.path, whole)
            with contextlib.suppress(FileExistsError):
                os.link(whole, self.path)  # Nobody meets half a copy.
            whole.unlink()
        migrate(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connections, "_migrate", copied)
        yield


@pytest.fixture(scope="session", autouse=True)
def trusting() -> Iterator[None]:
    """Read the authorities that servers are trusted by once: no test speaks TLS, and a model's
    client reads them twice, for 20 ms each time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


_counter = itertools.count()


def make_run(store: Store, **config: object) -> Run:
    """Store a run of a made-up method, for tests of what lies below the methods."""
    whole = {
        "method": "made-up",
        "version": 1,
        "inputs": {"topic": "t"},
        "models": {"main": "scripted:one", "cheap": "scripted:one"},
        "sampling": Sampling(),
        "source": "shelf",
        "seed": 7,
        **config,
    }
    run = Run(
        id=f"run{next(_counter)}",
        title="A test",
        state="queued",
        config=Config(**whole),
        created="2026-01-01T00:00:00+00:00",
        updated="2026-01-01T00:00:00+00:00",
    )
    store.runs.add(run, "nobody|1|1")
    return run


__all__ = [
    "Desk",
    "ModelFailed",
    "Runner",
    "ScriptedModel",
    "Shop",
    "SmallSource",
    "WordEmbedder",
    "make_run",
]
