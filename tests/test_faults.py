"""Every kind of fault, in one call of five, through every method: what is on record is sound, what
a broken connection cost is made up for, and whatever else was lost is named.
"""

import csv
import io
import json
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from docx import Document

from core.errors import KINDS, BadInput
from core.export.bundling import bundle
from core.export.files import export
from core.export.markdown import markdown
from core.judging.arena.competition import ArenaInputs
from core.methods import NoveltyInputs
from core.methods.inputs import ShortlistInputs
from core.models import endpoint, langchain
from core.records import GivenUp, Lost, NoveltyCheck, Run, Search
from core.runs.beginning import begin, seated
from core.runs.planning import validated
from core.runs.runner import Runner
from core.store import Store
from core.story import Story
from tests.support import stored
from tests.support.arena_kit import entries
from tests.support.benchmark import bench_kit
from tests.support.clock import quick
from tests.support.playing import actor
from tests.support.schema_instances import Body, asked_schema
from tests.support.servers.openai_server import STATUSES, SteadyServer
from tests.support.servers.openalex_server import OpenAlexServer
from tests.support.servers.scholar_server import ScholarServer
from tests.support.servers.spoiling import FILLING, PAGE, STORY
from tests.support.world_kit import WORLD, world_chain, world_runner

__all__ = ["quick"]

pytestmark = pytest.mark.soak
SHARE = 0.2
TRANSPORT = (*STATUSES, "broken", "hang", "cut", "garbage")
"""Faults of the connection, which say nothing of what the model would have answered."""
ANSWERS = ("empty", "refusal", "limit", "wrong", "huge", "nul", "escaped nul", "surrogate")
"""Faults in what the model answered."""
FAULTS: dict[str, dict[str, float]] = {
    **{kind: {kind: SHARE} for kind in (*TRANSPORT, *ANSWERS)},
    "transport mixed": dict.fromkeys(TRANSPORT, SHARE / len(TRANSPORT)),
    "answers mixed, three in five": dict.fromkeys(ANSWERS, 0.6 / len(ANSWERS)),
    "all mixed": dict.fromkeys((*TRANSPORT, *ANSWERS), SHARE / len((*TRANSPORT, *ANSWERS))),
}
ROLES = dict.fromkeys(("main", "cheap", "selector", "novelty", "judge"), stored.MODEL)
SHORTLIST = {
    "topic": "sleep memory light food 2018",
    "dated": "2026-11-25",
    **{"branches": 2, "ideas": 2, "length": 3, "papers": 6, "novelty_rounds": 1},
}
CHECKED = {"topic": "Naps", "idea": stored.FIRST, "dated": "2026-11-25"}
CAP = 10_000_000_000
"""Tokens: a reply of a megabyte is a quarter of a million."""


def arena(runner: Runner) -> Run:
    asked = validated(ArenaInputs, topic="An arena", entries=entries(runner.store))
    models = seated([stored.MODEL, stored.OTHER])
    return begin(runner, "arena", asked, "An arena", models=models, seed=7, cap_tokens=CAP)


def benchmark(runner: Runner) -> Run:
    models = (stored.MODEL, stored.OTHER)
    asked = bench_kit.inputs_of(runner.store, KEYWORDS, models, stored.JUDGES)
    return begin(runner, "bench", asked, "A benchmark", seed=7, cap_tokens=CAP)


METHODS: dict[str, stored.Begin] = {
    "chain": stored.chain(),
    "refinement": stored.refinement(target=stored.target(1).idea, checklist=True),
    "evolution": stored.evolution(),
    "arena": arena,
    "benchmark": benchmark,
    "shortlist": stored.begun(
        "shortlist", lambda _: validated(ShortlistInputs, **SHORTLIST), models=ROLES
    ),
    "novelty": stored.begun("novelty", lambda _: validated(NoveltyInputs, **CHECKED)),
}
KEYWORDS = ("erosion", "meiosis", "glacier", "enzyme", "orbit")
ENDINGS = ("md", "html", "docx", "json", "zip", "csv")
RESUMED = 5
"""How often a run that failed is resumed, at most."""
SIGNS = (FILLING, STORY, PAGE, "planned fault", "planted", "\ufffd", "\0")
"""What stands in faulty replies and in no honest one."""


@dataclass
class Honest:
    """Says what `stored.said` does, also to a question that was put again, and remembers it."""

    whole: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)

    def __call__(self, body: Body) -> dict[str, Any] | str:
        messages = list(body["messages"])
        while str(messages[-1]["content"]).startswith("That answer cannot be used"):
            del messages[-2:]
        body = body | {"messages": messages}
        asked = set((asked_schema(body) or {}).get("properties", {}))
        said = actor(body) if asked & {"findings", "claims"} else stored.said(body)
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        self.whole.add(text)
        self.parts.update(part.strip() for part in strings(json.loads(json.dumps(said))))
        return said


@dataclass
class Worked:
    """A run that was worked on to its end against a server, and what that took."""

    runner: Runner
    run: Run
    server: SteadyServer | None
    honest: Honest
    resumed: int

    @property
    def store(self) -> Store:
        return self.runner.store

    def tree(self) -> list[Run]:
        """Return the run and those it had made."""
        made = self.store.runs.listed(sweep=self.run.id, limit=500)
        return [self.run, *(self.store.runs.get(one.id) for one in made)]


def work(folder: Path, method: str, faults: dict[str, float], seed: str = "") -> Worked:
    """Work a run of a method to its end, resuming it where it failed."""
    honest = Honest()
    with SteadyServer(script=honest, faults=faults, seed=seed, hang=1.5) as server:
        # Short where servers hang, and so long elsewhere that no busy machine seems to.
        silence = 0.8 if "hang" in faults else 30.0
        shop = stored.StoredShop(folder, server.url, read_timeout=silence, patience=60.0)
        runner = Runner(shop)
        run = METHODS[method](runner)
        runner.work(run.id)
        resumed = 0
        while runner.store.runs.get(run.id).state == "failed" and resumed < RESUMED:
            resumed += 1
            runner.resume(run.id)
            runner.wait(run.id, 120)
    return Worked(runner, runner.store.runs.get(run.id), server, honest, resumed)


@cache
def undisturbed(folder: Path, method: str) -> Worked:
    worked = work(folder / method, method, {})
    assert (worked.run.state, worked.resumed) == ("done", 0), worked.run.reason
    return worked


@pytest.fixture(scope="module")
def calm(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("calm")


@pytest.fixture(scope="module")
def table(request) -> Iterator[list[tuple[object, ...]]]:
    """Collect a row for each run, and print them all at the end."""
    rows: list[tuple[object, ...]] = []
    yield rows
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    heads = ("fault", "method", "calls", "faults", "tries lost", "resumed", "outcome")
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        reporter.write_line("")
        for row in (heads, *rows):
            reporter.write_line(" | ".join(str(one) for one in row))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", FAULTS)
def test_no_fault_is_recorded_as_data_and_whatever_is_lost_is_named(
    tmp_path, monkeypatch, calm, table, kind, method
):
    monkeypatch.setattr(endpoint, "FIRST_WAIT", 0.05)
    wanted, worked = undisturbed(calm, method), work(tmp_path, method, FAULTS[kind], kind)
    assert "mistake of its own" not in worked.run.reason
    lost, same = losses(worked), texts(worked) == texts(wanted)
    booked = worked.store.connections.number("SELECT count(*) FROM calls")
    accepted = worked.store.connections.number(
        "SELECT count(*) FROM calls WHERE outcome='accepted'"
    )
    outcome = "same texts" if same else f"{worked.run.state}, {len(lost)} losses recorded"
    calls, faulted = len(worked.server.calls), len(worked.server.faulted)
    table.append((kind, method, calls, faulted, booked - accepted, worked.resumed, outcome))
    assert worked.server.faulted or calls < 20
    records_are_sound(worked)
    texts_are_sound(worked)
    files_can_be_made(worked, wanted, tmp_path)
    every_try_is_on_record(worked, booked)
    failures_are_named(worked)
    assert same or lost, "whatever is missing is named"
    if kind in (*TRANSPORT, "transport mixed"):
        assert same or given_up(worked), lost


# -- literature ---------------------------------------------------------------------------------

SOURCES = {"semantic-scholar": ScholarServer, "openalex": OpenAlexServer}
BROKEN = ("429", "500", "503", "half", "html", "drop", "hang", "wrong types", "no data")
"""Faults of a source; `html` is garbage with 200. A list that is `null` is none of them: it says
that a publisher withholds it.
"""
LITERATURE = {
    **{kind: {kind: SHARE} for kind in BROKEN},
    "mixed": dict.fromkeys(BROKEN, SHARE / len(BROKEN)),
}


def chained(folder: Path, name: str, faults: dict[str, float]) -> tuple[Worked, ScholarServer]:
    """Work a chain over the made-up world whose source fails like this."""
    with SOURCES[name](WORLD.papers, hang=1.5) as server:
        server.flaky = faults
        silence = 0.8 if "hang" in faults else 30.0
        runner = world_runner(folder, server, patience=60, read_timeout=silence)
        run = world_chain(runner, name, branches=3, length=8, full_text=False)
        resumed = 0
        while run.state == "failed" and resumed < RESUMED:
            resumed += 1
            runner.resume(run.id)
            runner.wait(run.id, 120)
            run = runner.store.runs.get(run.id)
    return Worked(runner, run, None, Honest(), resumed), server


@cache
def chained_undisturbed(folder: Path, name: str) -> Worked:
    worked, _ = chained(folder / name, name, {})
    assert worked.run.state == "done", worked.run.reason
    return worked


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", LITERATURE)
def test_a_source_that_fails_is_never_one_that_found_nothing(
    tmp_path, quick, calm, table, kind, source
):
    wanted = chained_undisturbed(calm, source)
    worked, server = chained(tmp_path, source, LITERATURE[kind])
    assert server.faulted
    texts_are_sound(worked)
    files_can_be_made(worked, wanted, tmp_path)
    calm_steps = {step.key: step for step in wanted.store.steps.of(wanted.run.id)}
    failed = []
    for step in worked.store.steps.of(worked.run.id):
        twin = calm_steps.get(step.key)
        if step.status == "failed":
            assert step.reply["kind"] == "SourceFailed"
            assert {"semantic-scholar": "Semantic Scholar", "openalex": "OpenAlex"}[source] in (
                step.reply["message"]
            )
            failed.append(step.key)
        elif step.origin.kind == "source" and twin and twin.hash == step.hash:
            assert step.reply == twin.reply, "an answer is whole, or none"
    same = texts(worked) == texts(wanted)
    outcome = "same texts" if same else f"{worked.run.state}, {len(failed)} failures recorded"
    asked, lost = len(server.asked), len(server.faulted)
    table.append((f"{source} {kind}", "chain", asked, lost, "-", worked.resumed, outcome))
    assert same or failed
    assert worked.run.state == "done", worked.run.reason
    for search in Story.of(worked.store, worked.run.id).all(NoveltyCheck):
        assert search.state != "nothing found"
    nothing = {one.query for one in searches(wanted) if one.state == "nothing found"}
    for one in searches(worked):
        assert one.state != "nothing found" or one.query in nothing


def searches(worked: Worked) -> list[Search]:
    story = Story.of(worked.store, worked.run.id)
    return [one for check in story.all(NoveltyCheck) for one in check.searches]


# -- what is on record -------------------------------------------------------------------------


def strings(value: object) -> Iterator[str]:
    """Give every string in a JSON value, names of fields aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings(list(value.values()))
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)


def records_are_sound(worked: Worked) -> None:
    """Read every record again; what a model answered has the asked shape and the model's words."""
    for run in worked.tree():
        story = Story.of(worked.store, run.id)
        assert len(story.records) == len(worked.store.steps.products(run.id))
        for step in worked.store.steps.of(run.id):
            if step.origin.kind != "model":
                continue
            jsonschema.validate(step.reply, step.request["schema"])
            foreign = {one.strip() for one in strings(step.reply)} - worked.honest.parts - {""}
            assert not foreign, (step.key, foreign)
    for row in worked.store.connections.rows("SELECT * FROM bench_cells WHERE state = 'done'"):
        assert row["text"].strip() in worked.honest.parts | worked.honest.whole, row["text"]


def texts_are_sound(worked: Worked) -> None:
    """Look through every text of the database, and through every string of its JSON."""
    database = sqlite3.connect(worked.store.connections.path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    names = [
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    for table in names:
        rows = database.execute(f'SELECT * FROM "{table}"')
        columns = [column[0] for column in rows.description]
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                if isinstance(value, str):
                    text_is_sound(f"{table}.{column}", value)
    database.close()


def text_is_sound(place: str, text: str) -> None:
    assert "\0" not in text, place
    if place == "calls.raw" or text[:1] not in ("{", "["):
        return  # What was refused is kept to the letter, for whoever looks into the call.
    try:
        parts = list(strings(json.loads(text)))
    except ValueError:
        parts = []
    for part in parts:
        assert "\0" not in part, (place, part[:200])
        part.encode()
        if place in ("products.data", "ideas.fields"):
            quoted = [sign for sign in SIGNS if sign in part]
            assert not quoted or "refused: " in part, (place, part[:200])


class Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags = Counter[str]()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags[tag] += 1


def files_can_be_made(worked: Worked, wanted: Worked, folder: Path) -> None:
    """Write the run in every form its undisturbed twin has, and open what was written."""
    for ending in ENDINGS:
        path = folder / f"run.{ending}"
        try:
            export(worked.store, worked.run.id, path)
        except BadInput:
            with pytest.raises(BadInput):
                export(wanted.store, wanted.run.id, path)
            continue
        data = path.read_bytes()
        assert b"\0" not in data or ending in ("docx", "zip")
        if ending == "docx":
            assert Document(io.BytesIO(data)).paragraphs
        elif ending == "zip":
            with zipfile.ZipFile(path) as packed:
                assert packed.testzip() is None
                for name in packed.namelist():
                    assert not name.endswith(".csv") or list(read_csv(packed.read(name)))
        elif ending == "csv":
            assert list(read_csv(data))
        elif ending == "json":
            assert json.loads(data)
        elif ending == "html":
            reading = Reading()
            reading.feed(data.decode())
            assert reading.tags["h1"]
        else:
            assert data.decode().startswith("# ")


def read_csv(data: bytes) -> Iterator[list[str]]:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert len({len(row) for row in rows if row}) == 1
    yield from rows


def every_try_is_on_record(worked: Worked, booked: int) -> None:
    """Whatever the server began to answer is booked; what it was too busy for cost nothing, and was
    waited for.
    """
    busy = sum(worked.server.faulted.count(status) for status in STATUSES)
    assert booked == len(worked.server.calls) - busy
    asked = worked.store.connections.rows("SELECT origin FROM steps WHERE kind = 'model'")
    waited = sum(json.loads(row["origin"])["detail"]["waited"] for row in asked)
    assert waited > 0 or not busy or not asked


# -- what was lost -----------------------------------------------------------------------------


def losses(worked: Worked) -> list[str]:
    """Return what is on record as lost: failures by kind, entries left out, cells without an
    answer.
    """
    found = []
    for run in worked.tree():
        if run.state == "failed":
            assert run.reason
            found.append(f"{run.cell or run.title}: {run.reason}")
        for step in worked.store.steps.of(run.id):
            if step.status == "failed":
                assert isinstance(step.reply, dict)
                assert step.reply["kind"] in KINDS
                assert stored.MODEL.partition(":")[0] in step.reply["message"]
                found.append(f"{step.key}: {step.reply['message']}")
            found += [f"{step.key}: {one}" for one in step.origin.detail.get("left out", ())]
    # An idea that was refused is asked for in another framing, and is another idea then.
    cells = "SELECT * FROM bench_cells WHERE state IN ('failed', 'excluded') OR refusals > 0"
    for row in worked.store.connections.rows(cells):
        why = row["why"] or "asked again in another framing"
        assert row["refusals"] or row["why"] in (*KINDS, "long")
        found.append(f"{row['kind']} {row['keyword']}: {why}")
    return found


def failures_are_named(worked: Worked) -> None:
    """Find what was lost in the report of each run, and every failure in what it can be taken along
    as.
    """
    for run in worked.tree():
        report = plain(markdown(worked.store, run.id))
        for record in Story.of(worked.store, run.id).records:
            if isinstance(record, Lost | GivenUp):
                assert plain(record.reason) in report
        whole = bundle(worked.store, run.id)
        for step in worked.store.steps.of(run.id):
            if step.status == "failed":
                assert json.dumps(step.reply["message"], ensure_ascii=False) in whole


def plain(text: str) -> str:
    """Return the letters and digits of a text, whatever marks Markdown puts between them."""
    return "".join(letter for letter in text if letter.isalnum())


def given_up(worked: Worked) -> list[str]:
    """Return the requests that broke off so often in a row that they had to be given up."""
    broken = set(TRANSPORT) - {*STATUSES, "hang"}
    return [
        name
        for name, faults in worked.server.drawn.items()
        if any(
            broken >= set(faults[n : n + langchain.CUTS]) and len(faults) >= n + langchain.CUTS
            for n in range(len(faults))
        )
    ]


def texts(worked: Worked) -> dict[str, object]:
    """Return everything the run and those it had made have to show, by place."""
    shown: dict[str, object] = {"state": worked.run.state}
    for run in worked.tree():
        for one in worked.store.steps.products(run.id):
            shown[f"{run.cell or ''} {one.name} {one.kind}"] = without_times(one.data)
    cells = "SELECT * FROM bench_cells ORDER BY kind, model, keyword, n, m"
    for row in worked.store.connections.rows(cells):
        place = " ".join(str(row[name]) for name in ("kind", "model", "keyword", "n", "m"))
        shown[place] = [row[name] for name in ("state", "text", "score", "fluency", "words")]
    return shown


def without_times(data: object) -> object:
    """Return JSON values without what names a run or a moment."""
    if isinstance(data, dict):
        named = ("run", "runs", "at")
        return {name: without_times(value) for name, value in data.items() if name not in named}
    return [without_times(one) for one in data] if isinstance(data, list) else data
