"""Benchmarks that lack something: every figure is drawn or named with its reason, on screen, in a
folder, in a zip; one that fails costs no other.
"""

import csv
import io
import re
import zipfile

import matplotlib.figure
import plotly.graph_objects
import pytest

from components.benchmark.results import view as bench_results
from core.benchmark.figures.gallery import FIGURES, GROUPS, KINDS, FigureRequest, gallery
from core.benchmark.results.findings import findings
from core.export.benchmarks import folder
from core.records import Keyword
from core.runs.runner import Runner
from core.store import Store
from tests.support.benchmark.bench_kit import settled_store, shop_of
from tests.support.headless import cli, server
from tests.support.visiting import host, said, settled, visit

__all__ = ["cli", "server"]
WORDS = tuple(
    Keyword(text=f"word {n}", domain="Physics" if n % 2 else "Chemistry") for n in range(12)
)
A = "openai:a"


def refused(kind, model, keyword, n, m):
    """Refuse every idea that the first model is asked for."""
    return "refused" if (kind, model) == ("idea", A) else ""


LACKING = {
    "one idea a keyword": {"ideas": 1},
    "one model": {"models": (A,)},
    "a model refused everywhere": {"lost": refused},
    "one idea of one model on one keyword": {"ideas": 1, "models": (A,), "keywords": WORDS[:1]},
    "the only model refused everywhere": {"models": (A,), "lost": refused},
    "nobody judges": {"judges": (), "judges_each": 1},
}
UNJUDGED = ("the only model refused everywhere", "nobody judges")
ALWAYS = {
    "report.md",
    "report.html",
    "config.json",
    "codebook.md",
    "figures.html",
    *folder.SHEETS,
    *folder.ANSWERS,
    *(
        f"tables/{name}.{kind}"
        for name in ("leaderboard", "trade-off", "refusals", "usage", "energy")
        for kind in ("csv", "tex")
    ),
}
PICTURES = {f"{name}.{kind}" for name in ("leaderboard", "pareto") for kind in ("svg", "png")}
MISSING = "Figures that are missing, and why"


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner = Runner(shop_of(tmp_path))
    host(monkeypatch, runner)
    return runner


def held(store, lacking: str):
    return settled_store(store, **({"keywords": WORDS} | LACKING[lacking]))


def named(files: dict[str, bytes]) -> dict[str, str]:
    """Return the figures that the report names as missing, with its reasons; figures.html must name
    the same.
    """
    report = files["report.md"].decode().replace("\\", "")
    page = files["figures.html"].decode()
    lines = re.findall(r"^- \*\*(.+?)\.\*\* (.+)$", report.partition(MISSING)[2], re.MULTILINE)
    assert page.partition(MISSING)[2].count("<li>") == len(lines)
    return dict(lines)


@pytest.mark.parametrize("lacking", LACKING)
def test_no_figure_is_missing_without_being_named(tmp_path, lacking):
    store = Store(tmp_path)
    run = held(store, lacking)
    files = folder.files(store, run.id)
    missing = named(files)
    made = gallery(FigureRequest(findings(store, run.id), "#222"))
    wanted = {one.title: one.name for several in FIGURES.values() for one in several}
    assert set(wanted.values()) == set(KINDS)
    assert len(made.drawn) + len(made.missing) == len(wanted)
    assert not any(one.failed for one in made.missing)
    page = files["figures.html"].decode()
    assert all(f'id="figure-{one.name}"' in page for one in made.drawn)
    assert {one.title for one in made.missing} <= set(missing)
    assert all(len(why) > 15 for why in missing.values())
    pictures = {
        name
        for title in missing
        if title.startswith("Picture ")
        for name in title.removeprefix("Picture ").split(", ")
    }
    assert pictures == PICTURES - set(files)
    assert (lacking in UNJUDGED) == bool(pictures)


@pytest.mark.parametrize("lacking", LACKING)
def test_folder_and_zip_hold_the_same_whole_list_of_files(tmp_path, cli, lacking):
    store = Store(tmp_path / "data")
    run = held(store, lacking)
    taken, archive = tmp_path / "taken", tmp_path / "taken.zip"
    code, document, _ = cli("bench", "report", run.id, "--to", str(taken))
    assert code == 0, document
    assert cli("bench", "report", run.id, "--to", str(archive))[0] == 0
    written = {str(path.relative_to(taken)) for path in taken.rglob("*") if path.is_file()}
    assert written == set(document["files"]) == set(zipfile.ZipFile(archive).namelist())
    assert written >= ALWAYS | (
        set() if lacking in UNJUDGED else PICTURES | {"tables/samples.csv", "tables/by-domain.csv"}
    )
    for name in written:
        data = (taken / name).read_bytes()
        assert data
        if name.endswith(".csv"):
            lines = list(csv.reader(io.StringIO(data.decode(), newline="")))
            assert len({len(line) for line in lines}) == 1, name


@pytest.mark.parametrize("lacking", LACKING)
def test_results_and_take_along_are_whole_on_screen(runner, lacking):
    run = held(runner.store, lacking)
    made = gallery(FigureRequest(findings(runner.store, run.id), "#222"))
    drawn = {one.name for one in made.drawn}
    for group in GROUPS:
        app = visit("benchmark", run=run.id, view="results", figure=group)
        shown = {one.proto.id.rpartition(":")[2] for one in app.get("plotly_chart")}
        for one in FIGURES[group]:
            there = any(
                name == one.name or (one.name == "leaderboard" and name.startswith("board-"))
                for name in shown
            )
            quiet = one.name == "refusals" and "No idea was refused" in said(app)
            asked_for = one.name == "general-ranking"
            assert there or quiet or asked_for or one.title in said(app), (group, one.name)
        assert shown <= drawn
    app = visit("benchmark", run=run.id, view="take")
    assert {"Report, tables and figures (zip)", "The same with every answer (zip)"} <= {
        one.proto.label for one in app.get("download_button")
    }
    assert not app.error


def test_a_domain_has_the_mean_of_the_three_where_no_ideas_were_compared(tmp_path):
    store = Store(tmp_path)
    found = findings(store, held(store, "one idea a keyword").id)
    one = next(one for one in found.by_domain if (one.model, one.domain) == (A, "Physics"))
    ideas = [
        idea
        for idea in store.benchmarks.ideas(found.run, limit=100)
        if idea.model == 0 and idea.keyword % 2
    ]
    means = [(idea.originality + idea.feasibility + idea.clarity) / 3 for idea in ideas]
    assert (one.of, one.value.n, one.value.value) == (3, 6, pytest.approx(sum(means) / 6))
    (figure,) = gallery(FigureRequest(found, "#222"), ("domains",)).drawn
    assert figure.table.head[2] == "Mean of the three"
    assert "no fluency" in figure.table.note
    assert figure.figure.data[0].colorbar.title.text == "Mean of the three"
    whole = findings(store, settled_store(store, keywords=WORDS, topic="Whole").id)
    assert {one.of for one in whole.by_domain} == {4}


def test_a_finished_benchmark_without_any_idea_says_why_nothing_is_judged(runner):
    run = held(runner.store, "the only model refused everywhere")
    app = visit("benchmark", run=run.id, view="results")
    assert (
        "No idea was accepted (24 refused twice or too long), so that nothing is judged."
        in said(app)
    )
    assert "Figures appear with the first" not in said(app)


class Broken(Exception):
    """What another version of a library may raise."""


@pytest.fixture
def refusing(monkeypatch):
    """Let Plotly refuse heat-maps and Matplotlib one kind of picture, as another version of them
    might.
    """

    def refuse(*args, **more):
        raise Broken("no such property <b>")

    usual = matplotlib.figure.Figure.savefig
    monkeypatch.setattr(plotly.graph_objects, "Heatmap", refuse)
    monkeypatch.setattr(
        matplotlib.figure.Figure,
        "savefig",
        lambda figure, to, format, **more: (
            refuse()
            if figure.get_size_inches()[1] == 5.5
            else usual(figure, to, format=format, **more)
        ),
    )


def test_one_figure_that_fails_never_costs_the_report(tmp_path, refusing):
    store = Store(tmp_path)
    run = settled_store(store, keywords=WORDS)
    files = folder.files(store, run.id)
    missing = named(files)
    broken = "Drawing it failed (Broken: no such property <b>)."
    assert {title for title, why in missing.items() if why == broken} == {
        "Scores by model and domain",
        "Clarity against originality and feasibility",
        "Picture pareto.svg, pareto.png",
    }
    assert PICTURES - set(files) == {"pareto.svg", "pareto.png"}
    page = files["figures.html"].decode()
    assert "figure-board-average" in page
    assert "figure-by-domain" not in page
    assert "<b>)" not in page.partition(MISSING)[2]
    assert {"tables/by-domain.csv", "tables/clarity.csv", "tables/trade-off.csv"} <= set(files)


def test_a_figure_that_fails_is_named_on_screen_and_the_others_are_drawn(runner, refusing):
    run = settled_store(runner.store, keywords=WORDS)
    app = settled(visit("benchmark", run=run.id, view="results", figure="domains"))
    (warning,) = app.warning
    assert "Scores by model and domain" in warning.value
    assert "Drawing it failed" in warning.value
    assert not visit("benchmark", run=run.id, view="results").warning
    assert set(bench_results.NAMES) == set(GROUPS)


def test_odd_counts_of_tokens_cost_the_estimate_of_energy_and_no_more(tmp_path):
    store = Store(tmp_path)
    run = settled_store(store, keywords=WORDS, models=("openai:gpt-4o-mini", "openai:b"))
    store.connections.write("UPDATE bench_usage SET tokens_out = -3 WHERE run = ?", run.id)
    files = folder.files(store, run.id)
    assert (
        "EcoLogits could not estimate it (ValidationError)" in files["tables/energy.csv"].decode()
    )
    assert set(files) >= ALWAYS | PICTURES
