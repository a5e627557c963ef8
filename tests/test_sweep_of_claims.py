"""A sweep over all screens and exports of stores with a run of each kind: nothing claims more than
is known.

A rule is a function from a `View` to the faults it finds there, one sentence each. To add one,
write it and put it into RULES: it is tried on every screen and every file below. `view.run` is the
run that is shown, or None; what the store knows of it is to be had through `view.store`.
"""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape

import pytest

from components.runs import export as run_export
from components.runs.states import PAGES
from core import settings
from core.cases.bundled import bundled, opened
from core.cases.tape import Tape
from core.errors import BadInput
from core.export import document as reports
from core.export.bundling import bundle
from core.export.files import bibliography, chains_json
from core.export.html import html
from core.export.markdown import markdown
from core.export.results import archive_tables
from core.export.word import word
from core.methods import ChainInputs, RefineInputs
from core.methods.presets import NOVELTY
from core.records import (
    Considered,
    Distinct,
    Link,
    Measures,
    NoveltyCheck,
    NoveltyMatrix,
    Parted,
    Round,
    Run,
)
from core.runs.planning import played, validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.story import Story
from tests.support import stored
from tests.support.visiting import host, said, visit


@dataclass(frozen=True)
class View:
    """A screen or a file, its text, and the run it is of."""

    name: str
    text: str
    store: Store
    run: Run | None = None


Rule = Callable[[View], Iterator[str]]

# -- rules -------------------------------------------------------------------------------------

BARE = re.compile(
    r"badge\[novel|check: novel|\bnovel ·|(?:^|\n)[*_ ]*novel[*_ ]*(?:$|\n)|\bidea is"
    r" (?:new|novel)\b|No paper that was found does the same",
    re.IGNORECASE,
)
"""How a bare claim would look; an idea's own text may speak of a novel method."""
DENIED = "no proof that the idea is new"
SHORT = re.compile(r"not found among (\d+) papers? searched")
WHOLE = re.compile(r"Not found among (\d+) papers? searched in \S.*?nearest: ", re.DOTALL)
SIMILAR = re.compile(r"similarit\w*[^.\n\d|]{0,40}?[:*\s]\**(-?[01]\.\d\d+)", re.IGNORECASE)
OF_A_PAPER = re.compile(r" \((?:\d{4}|undated)\)(?=[,:] similarity (-?[01]\.\d\d))")


def no_bare_claim(view: View) -> Iterator[str]:
    """An idea that was not found anywhere is said to be that, among how many papers and where;
    never just `novel`.
    """
    text = view.text.replace(DENIED, "")
    yield from (f"claims {found[0]!r}" for found in BARE.finditer(text))
    yield from (
        f"says {n} papers, and not where"
        for n in set(SHORT.findall(text)) - set(WHOLE.findall(text))
    )
    checks = [
        one for _, one in shown(view) if isinstance(one, NoveltyCheck) and one.state == "novel"
    ]
    for number in WHOLE.findall(text):
        if view.run and int(number) not in {
            len({paper.id for one in check.searches for paper in one.papers}) for check in checks
        }:
            yield f"says {number} papers, and no check found so many"


def few_papers_and_failures_are_said(view: View) -> Iterator[str]:
    """Under ten papers are said to be few in the very line of the claim."""
    for found in re.finditer(r"Not found among (\d+) papers? searched[^\n]*", view.text):
        if (int(found[1]) < 10) != ("few: under 10" in found[0]):
            yield f"does not say whether {found[1]} papers are few"


def one_similarity(view: View) -> Iterator[str]:
    """Every number called a similarity is one on record for this run; where a paper is named with
    it, it is that paper's.
    """
    known = {f"{number:.2f}" for number in recorded(view)}
    numbers = (
        {f"{float(number):.2f}" for number in SIMILAR.findall(view.text)} if view.run else set()
    )
    yield from (f"a similarity of {number} that no record holds" for number in numbers - known)
    if view.run:
        named = recorded_of_papers(view)
        # Two ideas on one screen may each have a similarity to one paper.
        yield from (
            f"{paper}: {number}"
            for paper, number in papers_named(view.text)
            if not any(paper.endswith(name) and number == own for name, own in named)
        )
    else:
        beside = {(paper[-18:], number) for paper, number in papers_named(view.text)}
        yield from (
            f"{paper} has several"
            for paper in {paper for paper, _ in beside}
            if sum(paper == one for one, _ in beside) > 1
        )


def papers_named(text: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before each similarity of a paper, up to its year, and the number."""
    for found in OF_A_PAPER.finditer(text):
        before = text[max(0, found.start() - 200) : found.end()]
        yield before.rpartition("\n")[2], found[1]


def recorded_of_papers(view: View) -> set[tuple[str, str]]:
    """Return the similarities of papers to an idea that are on record, each with what the paper is
    called.
    """
    found: set[tuple[str, str]] = set()
    for check in (one for _, one in shown(view) if isinstance(one, NoveltyCheck)):
        named = [(one.title, one.year, one.similarity) for one in check.compared]
        named += (
            [(check.nearest.title, check.nearest.year, check.similarity)]
            if check.nearest and check.similarity is not None
            else []
        )
        found |= {
            (f"{title[-100:]} ({year or 'undated'})", f"{similarity:.2f}")
            for title, year, similarity in named
        }
    return found


RULES: tuple[Rule, ...] = (no_bare_claim, few_papers_and_failures_are_said, one_similarity)
"""Every rule that holds for every screen and every file. Add yours here."""


def faults(views: Iterator[View]) -> list[str]:
    """Return what any rule finds anywhere, with the place."""
    return [f"{view.name}: {fault}" for view in views for rule in RULES for fault in rule(view)]


def shown(view: View) -> tuple[tuple[str, object], ...]:
    """Return what a run shows, and the runs it has had made."""
    if view.run is None:
        return ()
    made = view.store.runs.listed(sweep=view.run.id, packed=None, limit=500)
    runs = (view.run.id, *(one.id for one in made))
    return tuple(part for run in runs for part in Story.of(view.store, run).parts)


def recorded(view: View) -> Iterator[float]:
    """Yield every similarity that a run has on record."""
    for _, record in shown(view):
        match record:
            case NoveltyCheck():
                yield from (
                    *([record.similarity] if record.similarity is not None else []),
                    *(one.similarity for one in record.compared),
                )
            case (Round(measures=Measures() as found)) | (Measures() as found):
                yield from (
                    one
                    for one in (found.to_first, found.to_previous, found.to_nearest)
                    if one is not None
                )
            case Link(score=score) if score is not None:
                yield score
            case Considered():
                yield from (one.score for one in record.candidates if one.score is not None)
            case Distinct(mean_similarity=mean) if mean is not None:
                yield mean
            case Parted():
                yield from (one.similarity for one in record.alike)
            case NoveltyMatrix():
                works = (*record.works, *record.later, *record.passed)
                yield from (one.similarity for one in works)
    if view.run:
        for chain in (
            branch.chain for branch in Story.of(view.store, view.run.id).branches if branch.chain
        ):
            yield from (link.score for link in chain.links if link.score is not None)


# -- every screen ------------------------------------------------------------------------------

ALONE = (
    "arena",
    "benchmark",
    "cases",
    "chains",
    "checklist",
    "experiments",
    "ideas",
    "library",
    "ranking",
    "rate",
    "refine",
    "runs",
    "sessions",
    "settings",
)
VIEWS: dict[str, tuple[dict[str, str], ...]] = {
    "chain": tuple(
        {"view": name}
        for name in ("", "branch-1", "branch-2", "compare", "choice", "experiment", "map")
    ),
    "refine": tuple({"view": name} for name in ("rounds", "compare", "branches", "scores")),
    "evolve": tuple({"view": name} for name in ("idea", "scores", "compare")),
    "arena": tuple(
        {"tab": name}
        for name in ("Ratings", "Who beat whom", "Over time", "Matches", "Judges", "Votes")
    ),
    "sweep": tuple({"tab": name} for name in ("Cells", "Results", "Figures", "Tests", "Export")),
    "bench": tuple(
        {"view": name} for name in ("progress", "results", "ideas", "validation", "take")
    ),
}
SESSION = ("Progress", "Results")


def seen(app) -> str:
    """Return all words of a page: its texts, its tables, what its charts say when one points at
    them, its explanations.
    """
    tables = [table.value.to_csv(index=False) for table in (*app.dataframe, *app.table)]
    charts = [
        json.dumps(json.loads(one.proto.spec), ensure_ascii=False)
        for one in app.get("plotly_chart")
        if getattr(one.proto, "spec", "")
    ]
    return "\n".join([said(app), *tables, *charts])


def screens(store: Store, run: Run) -> Iterator[View]:
    """Open a run in every view there is of it, and among the runs."""
    page = PAGES.get(run.config.method, "pages/runs.py").removeprefix("pages/").removesuffix(".py")
    for query in VIEWS.get(run.config.method, ({},)) if page != "runs" else ({},):
        yield View(f"{page} {run.id} {query}", seen(visit(page, run=run.id, **query)), store, run)
    if page != "runs":
        yield View(f"runs {run.id}", seen(visit("runs", run=run.id)), store, run)


def files(store: Store, run: Run) -> Iterator[View]:
    """Export a run in every form there is of it, and as what `--json` prints."""
    for name, make in {
        "md": markdown,
        "html": html,
        "json": bundle,
        "docx": word,
        "bib": bibliography,
        "chains.json": chains_json,
        "zip": archive_tables,
    }.items():
        try:
            made = make(store, run.id)
        except BadInput:
            continue  # There is no such file of this run.
        text = unpacked(made) if isinstance(made, bytes) else made
        if name == "json":
            yield from bundle_says_what_it_rests_on(store, run, json.loads(made))
        else:
            yield View(
                f"{run_export.named(run)}.{name}",
                plain(text) if name in ("html", "docx") else text,
                store,
                run,
            )
    yield document_says_what_it_rests_on(store, run)


def plain(text: str) -> str:
    """Return the words of a page or a document, paragraph by paragraph."""
    return unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(?:w:p|p|li|h\d|td|th|dd|dt)>", "\n", text)))


def unpacked(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(
            archive.read(name).decode("utf-8", "replace")
            for name in archive.namelist()
            if not name.endswith((".png", ".jpg"))
        )


def bundle_says_what_it_rests_on(store: Store, run: Run, held: dict) -> Iterator[View]:
    """A bundle holds records as they are stored; beside each check stands what it lets one
    claim.
    """
    checks = {one["name"] for one in held["products"] if one["kind"] == "NoveltyCheck"}
    assert set(held.get("claims", {})) == checks
    yield View(f"{run.id}.json", "\n".join(held.get("claims", {}).values()), store, run)


def document_says_what_it_rests_on(store: Store, run: Run) -> View:
    """What `--json` prints names the state as it is stored, and with it what it rests on."""
    document = reports.document(store, run.id)
    for branch in document.get("branches", ()):
        for check in branch["novelty"]:
            assert check["papers_searched"] == len(
                {paper["id"] for one in check["searches"] for paper in one["papers"]}
            )
            assert (check["searched_in"], bool(check["claim"])) == (run.config.source, True)
    claims = [
        check["claim"] for branch in document.get("branches", ()) for check in branch["novelty"]
    ]
    return View(
        f"{run.id} --json",
        "\n".join([*claims, str((document.get("outcome") or {}).get("reason", ""))]),
        store,
        run,
    )


# -- stores ------------------------------------------------------------------------------------


@pytest.fixture(
    scope="module", params=(pytest.param("edition-1", marks=pytest.mark.soak), "edition-2")
)
def older(request, tmp_path_factory):
    """A store as an earlier main left it, with a run of each kind that ended, and some that were
    stopped or wait.
    """
    with stored.opened(request.param, tmp_path_factory.mktemp(request.param)) as (runner, _, known):
        yield runner, known


@pytest.fixture(scope="module")
def today(tmp_path_factory):
    """A store with a chain and a refinement by the built-in model, whose own words once said
    numbers of their own.
    """
    runner = Runner(Workshop(settings.read({}, data=tmp_path_factory.mktemp("today"))))
    chained = validated(
        ChainInputs,
        topic="orexin and the sleep of adolescent athletes",
        branches=2,
        length=3,
        ideas=2,
        full_text=False,
    )
    models = dict.fromkeys(("main", "cheap", "selector", "novelty"), "builtin")
    run = runner.begin(
        runner.workshop.config("chain", chained, models=models, source="shelf", seed=7), "A chain"
    )
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    idea = Story.of(runner.store, run.id).best.idea
    asked = validated(
        RefineInputs, topic=chained.topic, play=played("infal", (NOVELTY,), 3, 2), idea=idea
    )
    refined = runner.begin(
        runner.workshop.config("refine", asked, models={"main": "builtin"}, source="shelf", seed=7),
        "A refinement",
    )
    assert runner.work(refined.id) == "done", runner.store.runs.get(refined.id).reason
    return runner


def runs_of(known: dict) -> list[str]:
    return [
        run
        for made in known.values()
        for run in (
            *made.get("stopped", ())[:1],
            *(made[name] for name in ("ended", "waiting") if name in made),
        )
    ]


# -- the sweep ---------------------------------------------------------------------------------


def test_no_screen_of_an_older_store_claims_more_than_is_known(older, monkeypatch):
    runner, known = older
    store = host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    alone = [View(page, seen(visit(page)), store) for page in ALONE]
    alone += [
        View(f"sessions {study.id} {tab}", seen(visit("sessions", study=study.id, tab=tab)), store)
        for study in store.studies.listed()[:1]
        for tab in SESSION
    ]
    whole = (view for run in runs_of(known) for view in screens(store, store.runs.get(run)))
    assert faults(iter(alone)) + faults(whole) == []


def test_no_file_of_an_older_store_claims_more_than_is_known(older):
    runner, known = older
    assert (
        faults(
            view
            for run in runs_of(known)
            for view in files(runner.store, runner.store.runs.get(run))
        )
        == []
    )


def test_no_screen_and_no_file_of_todays_runs_does(today, monkeypatch):
    store = host(monkeypatch, today)
    held = store.runs.listed()
    found = [view for run in held for view in (*screens(store, run), *files(store, run))]
    assert faults(iter(found)) == []
    assert any(WHOLE.search(view.text) and "similarity 0." in view.text for view in found), (
        "the sweep sees what it looks for"
    )


def test_one_pair_of_texts_has_one_similarity_on_record(today, older):
    """By whatever way it came on record: compared, named by the verdict, or measured in a
    refinement.
    """
    for store in (today.store, older[0].store):
        for run in store.runs.listed(limit=200):
            parts, found = Story.of(store, run.id).parts, dict[tuple[str, str], set[float]]()
            for place, one in parts:
                if isinstance(one, NoveltyCheck):
                    idea = next(
                        (
                            idea.text
                            for at, idea in parts
                            if at == place.removesuffix("novelty") + "idea"
                        ),
                        place,
                    )
                    pairs = [(paper.id, paper.similarity) for paper in one.compared]
                    pairs += (
                        [(one.nearest.id, one.similarity)]
                        if one.nearest and one.similarity is not None
                        else []
                    )
                elif isinstance(one, Round) and one.measures and one.measures.nearest:
                    idea, pairs = (
                        one.revision.idea.text,
                        [(one.measures.nearest, one.measures.to_nearest)],
                    )
                else:
                    continue
                for paper, similarity in pairs:
                    found.setdefault((idea, paper), set()).add(similarity)
            assert [pair for pair, numbers in found.items() if len(numbers) > 1] == []


def test_the_built_in_model_states_no_number_for_what_is_on_record(today):
    """It judges by what an idea does, apart from what it quotes; the similarity of the whole texts
    is on record, and is the only one.
    """
    for run in today.store.runs.listed():
        for step in today.store.steps.of(run.id):
            if step.origin.kind == "model":
                assert re.findall(r"similarity[^.]{0,30}\d\.\d\d", json.dumps(step.reply)) == [], (
                    step.key
                )


def test_no_case_study_claims_more_than_is_known(tmp_path, monkeypatch):
    runner = Runner(stored.StoredShop(tmp_path, "http://127.0.0.1:9/v1"))
    store = host(monkeypatch, runner)
    views = []
    for case in bundled():
        run = opened(store, case.name)
        ends = sorted(
            {
                frame.end
                for frame in Tape.of(store, run.id).frames
                if frame.key.endswith(("verdict", "idea", "select"))
            }
        )[-4:]
        moments = (
            {},
            *(
                {"at": f"{end:.1f}", **more}
                for end in (*ends, 1e6)
                for more in ({}, {"projector": "1"})
            ),
        )
        views += [
            View(f"cases {case.name} {at}", seen(visit("cases", run=run.id, **at)), store, run)
            for at in moments
        ]
        views += [*screens(store, run), *files(store, run)]
    assert faults(iter(views)) == []
    assert any(WHOLE.search(view.text) for view in views)


def test_the_rules_see_what_they_are_for(tmp_path):
    """Each of these stood on a screen before."""
    store = Store(tmp_path)
    for text in (
        ":green-badge[novel] **Branch 2 was chosen.** No paper that was found does the same.",
        "## Novelty check: novel",
        "novel",
        "not found among 12 papers searched",
        "Not found among 3 papers searched in Built-in papers; nearest: A (2020), similarity 0.40.",
        (
            "Novelty check: A long title (2020), similarity 0.92; the nearest is A long title"
            " (2020), similarity 0.46"
        ),
    ):
        assert faults(iter([View("a page", text, store)])), text
