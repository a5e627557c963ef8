"""A benchmark taken along: report, tables, figures, and every answer as CSV, written piece by piece
so that a full sweep fits through.
"""

import html as web
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from core import VERSION
from core.benchmark.figures.gallery import FigureRequest, Missing, attempted, gallery
from core.benchmark.results.findings import BenchFindings, findings
from core.charts.style import DrawnFigure
from core.errors import StoreFailed, boundary
from core.export.benchmarks import rows
from core.export.benchmarks.report import opened, samples, tables
from core.export.blocks import Block, Blocks, Fields, Heading, Span, listing, prose, section
from core.export.dumps import as_json
from core.export.html import page
from core.export.markdown import written
from core.export.report import report
from core.export.writing import UNDATED, require_empty, require_folder, write_folder
from core.records import KeywordList, Run, Table
from core.store import Store, must_be
from core.tables.cells import tabulated
from core.tables.latex import latex
from core.tables.sheets import sheet

FORMAT = "idea-foundry-benchmark/1"
INK = "#22252a"
"""The colour of words in figures: they stand on white."""
Pieces = Iterable[bytes]
SHEETS: dict[str, tuple[dict[str, str], Callable[[rows.Benchmark], rows.Rows]]] = {
    "keywords.csv": (rows.KEYWORDS, rows.keywords),
    "groups.csv": (rows.GROUPS, rows.groups),
    "usage.csv": (rows.USAGE, rows.usage),
    "failures.csv": (rows.LOST, partial(rows.lost, state="failed")),
    "excluded.csv": (rows.LOST, partial(rows.lost, state="excluded")),
}
ANSWERS: dict[str, tuple[dict[str, str], Callable[[rows.Benchmark], rows.Rows]]] = {
    "ideas.csv": (rows.IDEAS, rows.ideas),
    "judgments.csv": (rows.JUDGMENTS, rows.judgments),
    "pairs.csv": (rows.PAIRS, rows.pairs),
    "dataset.csv": (rows.DATASET, rows.dataset),
    "calls.csv": (rows.CALLS, rows.calls),
}
"""Files that have a row for every accepted answer, and for every call with what was answered to it.
"""
OTHERS = {
    "report.md, report.html": (
        "The benchmark as a report: how far it is, what was found, what failed and why, how it was"
        " held, what it cannot say."
    ),
    "config.json": (
        "The configuration frozen when it began: keywords by hash, models, panel, seed, sampling,"
        " every prompt with its SHA-256 and text. No keys."
    ),
    "tables/": (
        "Every table of the report as CSV, with intervals in columns of their own, and as LaTeX."
    ),
    "figures.html": (
        "Every figure, and which are missing and why; opens in a browser without a network."
    ),
    "leaderboard.svg, .png, pareto.svg, .png": (
        "Two of them as pictures; report.md says which are missing, and why."
    ),
}


def parts(store: Store, run_id: str, answers: bool = True) -> Iterator[tuple[str, Pieces]]:
    """Yield each file's name with what is in it, piece by piece; without `answers` no file has a
    row for every answer. Raises BadInput, StoreFailed.

    A benchmark that is still going on is written as it stands; files that are written later hold
    what came meanwhile.
    """
    run = asked_for(store, run_id)
    bench, found = opened(store, run), findings(store, run_id)
    # Before the report, which names the figures that are missing.
    drawn = _draw(found)
    blocks = (*report(store, run_id), *_list_figures(drawn))
    yield "report.md", [written(blocks).encode()]
    yield "report.html", [page(run.title, blocks).encode()]
    yield "config.json", [configuration(store, run).encode()]
    yield "codebook.md", [codebook(run, answers).encode()]
    for table in (*tables(found).values(), samples(bench), _fields()):
        if table.rows:
            yield f"tables/{table.name}.csv", [sheet(table).encode()]
            yield f"tables/{table.name}.tex", [latex(table).encode()]
    for name, (columns, rows_of) in (SHEETS | (ANSWERS if answers else {})).items():
        yield name, rows.sheet(columns, rows_of(bench))
    yield "figures.html", _page(run.title, drawn)
    yield from ((name, [data]) for name, data in drawn.pictures.items())


def _fields() -> Table:
    return tabulated(
        "dataset-fields",
        "Fields of the data set",
        rows.FIELDS.items(),
        {
            "Field name": lambda field: field[0],
            "Type": lambda field: field[1][0],
            "Description": lambda field: field[1][1],
        },
        "dataset.csv has a row for every judgment, in the columns of table S.1 of LiveIdeaBench.",
    )


def files(store: Store, run_id: str, answers: bool = True) -> dict[str, bytes]:
    """Return a benchmark's files by name, all in memory: for small ones; raises BadInput,
    StoreFailed.
    """
    return {name: b"".join(pieces) for name, pieces in parts(store, run_id, answers)}


def zipped(store: Store, run_id: str, to: Path, answers: bool = True) -> None:
    """Write a benchmark's files to a ZIP archive, a few rows in memory at a time; raises BadInput,
    StoreFailed.
    """
    unfinished = to.with_name(f"{to.name}.part")
    try:
        with boundary(StoreFailed, f"writing {to}"):
            unfinished.unlink(missing_ok=True)
            # Made anew: what somebody laid there may lead to another file.
            with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED) as whole:
                for name, pieces in parts(store, run_id, answers):
                    entry = zipfile.ZipInfo(name, UNDATED)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    with whole.open(entry, "w", force_zip64=True) as file:
                        for piece in pieces:
                            file.write(piece)
            unfinished.replace(to)
    finally:
        unfinished.unlink(missing_ok=True)


def export(store: Store, run_id: str, to: Path, answers: bool = True) -> tuple[str, ...]:
    """Write a benchmark into a new or empty folder, or a .zip, and return the names of the files;
    raises BadInput, StoreFailed.
    """
    asked_for(store, run_id)
    require_folder(to)
    if to.suffix == ".zip":
        zipped(store, run_id, to, answers)
        with boundary(StoreFailed, f"reading {to}"), zipfile.ZipFile(to) as whole:
            return tuple(whole.namelist())
    require_empty(to)
    return write_folder(to, parts(store, run_id, answers))


def asked_for(store: Store, run_id: str) -> Run:
    """Return the run if it is a benchmark; raises BadInput."""
    otherwise = (
        f"Run {run_id} is no benchmark. `python -m core export {run_id} --to FILE` takes it along."
    )
    return must_be(store.runs.get(run_id), "bench", otherwise)


def configuration(store: Store, run: Run) -> str:
    """Return what was frozen when a benchmark began as JSON, with the text of every prompt and what
    is known of the program.
    """
    cost, tokens = store.runs.caps(run.id)
    prompts = {
        name: {"sha256": sha, "text": store.library.prompt(sha)}
        for name, sha in run.config.prompts.items()
    }
    source = store.frozen.get(str(run.config.inputs["keywords"]), KeywordList)
    return as_json(
        {
            "format": FORMAT,
            "run": run.id,
            "title": run.title,
            "state": run.state,
            "reason": run.reason,
            "created": run.created,
            "ended": run.ended,
            "program": {
                "name": "Idea Foundry",
                "version": VERSION,
                "commit": commit(),
                "method_version": run.config.version,
            },
            "keyword_list": {
                "name": source.name,
                "source": source.source,
                "keywords": len(source.keywords),
                "sha256": run.config.inputs["keywords"],
            },
            "caps_now": {"dollars": cost, "tokens": tokens},
            "prompts": prompts,
            "configuration": run.config.model_dump(mode="json"),
        }
    )


def commit() -> str | None:
    """Return the commit that the folder of this program has checked out (files may have been
    changed since); None where it is no checkout.
    """
    git = Path(__file__).parents[3] / ".git"
    try:
        detached, _, name = (git / "HEAD").read_text("utf-8").strip().partition("ref: ")
        if detached:
            return detached
        if not (git / name).exists():
            for line in (git / "packed-refs").read_text("utf-8").splitlines():
                sha, _, of = line.partition(" ")
                if of == name:
                    return sha
        return (git / name).read_text("utf-8").strip()
    except OSError:
        return None


def codebook(run: Run, answers: bool = True) -> str:
    """Return what every file and every column holds, as Markdown."""
    blocks: list[Block] = [
        Heading(f"Codebook: {run.title}", 1),
        prose(
            "Files are UTF-8; times are UTC; an empty cell says nothing. A cell that a spreadsheet"
            " would run as a formula begins with an apostrophe. Files of a benchmark that is still"
            " going on are written one after the other, and later ones hold what came meanwhile."
        ),
        Fields(tuple(OTHERS.items())),
    ]
    for name, (columns, _) in (SHEETS | (ANSWERS if answers else {})).items():
        blocks += [Heading(name), Fields(tuple(columns.items()))]
    return written(tuple(blocks))


class _Figures(NamedTuple):
    """Everything that is drawn of a benchmark, and what is not."""

    pages: list[tuple[str, str, str]]
    """Title, the figure as HTML, and the note of its table."""
    pictures: dict[str, bytes]
    missing: tuple[Missing, ...]


def _draw(found: BenchFindings) -> _Figures:
    """Return the figures as HTML, two of them as pictures too, and every one that is missing; a
    mistake in one costs no other.
    """
    # Matplotlib takes a second to import, and few want a picture.
    from core.export.pictures import benchmark_pictures

    all_figures, pages, broken = gallery(FigureRequest(found, INK)), [], []
    for drawn in all_figures.drawn:
        page = attempted(drawn.name, drawn.title, lambda: _as_html(drawn))
        if isinstance(page, Missing):
            broken.append(page)
        else:
            pages.append((drawn.title, page, drawn.table.note))
    pictures, lacking = benchmark_pictures(found)
    return _Figures(pages, pictures, (*all_figures.missing, *broken, *lacking))


def _as_html(drawn: DrawnFigure) -> str:
    text: str = drawn.figure.to_html(
        full_html=False,
        include_plotlyjs=False,
        div_id=f"figure-{drawn.name}",
        config={"displaylogo": False},
    )
    return text


def _list_figures(drawn: _Figures) -> Blocks:
    """Write which figures there are, and of each that is missing why."""
    there = [*(title for title, *_ in drawn.pages), *drawn.pictures]
    missing = listing(
        [(Span(f"{absent.title}. ", "strong"), Span(absent.why)) for absent in drawn.missing]
    )
    return (
        Heading("Figures"),
        prose(f"figures.html and pictures hold: {', '.join(there) or 'none'}."),
        *section("Figures that are missing, and why", missing, 3),
    )


def _page(title: str, drawn: _Figures) -> Pieces:
    from plotly.offline import get_plotlyjs

    look = (
        f"max-width: 62rem; margin: 2rem auto; padding: 0 1rem; background: #ffffff; color: {INK};"
        " font: 1rem/1.5 system-ui, sans-serif;"
    )
    yield (
        '<!doctype html>\n<html lang="en"><head><meta'
        f' charset="utf-8"><title>{web.escape(title)}</title><style>body {{ {look}'
        " }</style><script>"
    ).encode()
    yield get_plotlyjs().encode()
    yield f"</script></head><body><h1>{web.escape(title)}</h1>".encode()
    for heading, figure, note in drawn.pages:
        yield f"<h2>{web.escape(heading)}</h2>".encode()
        yield figure.encode()
        yield (f"<p>{web.escape(note)}</p>" if note else "").encode()
    if drawn.missing:
        yield b"<h2>Figures that are missing, and why</h2><ul>"
        for absent in drawn.missing:
            yield f"<li><b>{web.escape(absent.title)}.</b> {web.escape(absent.why)}</li>".encode()
        yield b"</ul>"
    yield b"</body></html>\n"
