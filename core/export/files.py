"""A run in a file, as its ending says: a report as Markdown, Word, PDF or HTML, a bundle with every
step, its chains as BibTeX, JSON or a picture, or its tables.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from core.errors import BadInput
from core.export import arenas, chain_report
from core.export.bundling import bundle_pieces
from core.export.dumps import as_json, dump
from core.export.html import html
from core.export.markdown import markdown
from core.export.papers import drawn_on, in_chains
from core.export.pdf import pdf
from core.export.results import archive_tables
from core.export.sweeps import targets
from core.export.word import word
from core.export.writing import require_folder, write_whole
from core.literature.references import FORMATS
from core.runs.catalogue import entry
from core.store import Store, must_be
from core.story import Branch, Story

READ = (".md", ".docx", ".pdf", ".html")
"""Endings of files to read."""
ALONE = 11.0
"""Inches that the graph of chains is wide where it stands by itself."""


def export(
    store: Store, run_id: str, to: Path, branch: int | None = None, *, in_short: bool = False
) -> None:
    """Write a run, or one branch of its chains, to `to`, as its ending says; raises BadInput for an
    ending there is none for, StoreFailed.

    .md, .docx, .pdf and .html to read, .json a bundle with every step (with a branch: that chain),
    .bib, .ris and .csl.json the papers, .svg and .png the chain graph, or an arena's ratings, .zip
    the tables of what was judged, .csv an arena's ballots.
    `in_short` writes those to read in two pages.
    """
    if in_short and (branch is not None or to.suffix not in READ):
        raise BadInput(
            "A short report is of a whole run and is for reading: leave the branch out, and choose"
            f" a name that ends in {', '.join(READ[:-1])} or {READ[-1]}."
        )
    if branch is not None:
        branches(store, run_id, branch)
    makers: dict[str, Callable[[], str | bytes | Iterator[str]]] = {
        ".md": lambda: markdown(store, run_id, branch, in_short=in_short),
        ".html": lambda: html(store, run_id, branch, in_short=in_short),
        ".docx": lambda: word(store, run_id, branch, in_short=in_short),
        ".pdf": lambda: pdf(store, run_id, branch, in_short=in_short),
        ".json": lambda: (
            bundle_pieces(store, run_id) if branch is None else chains_json(store, run_id, branch)
        ),
        **{
            f".{ending}": partial(bibliography, store, run_id, branch, ending) for ending in FORMATS
        },
        ".svg": lambda: picture(store, run_id, "svg", branch),
        ".png": lambda: picture(store, run_id, "png", branch),
        ".zip": lambda: archive_tables(store, run_id),
        ".csv": lambda: ballots(store, run_id),
    }
    ending = ".csl.json" if to.name.endswith(".csl.json") else to.suffix
    if ending not in makers:
        raise BadInput(
            f"{to.name!r}: choose a name that ends in .md, .docx, .pdf or .html (to read), .json (a"
            " bundle with every step), .bib, .ris or .csl.json (the papers), .svg or .png (the"
            " graph of chains, the ratings of an arena), .zip (the tables of an evolution, a"
            " ranking, an arena, an experiment or a benchmark), or .csv (the ballots of an arena)."
        )
    require_folder(to)
    write_whole(to, makers[ending]())


def branches(store: Store, run_id: str, branch: int | None = None) -> tuple[Branch, ...]:
    """Return the branches of a run that have a chain, or the one asked for; raises BadInput."""
    found = tuple(
        candidate
        for candidate in Story.of(store, run_id).branches
        if candidate.chain and branch in (None, candidate.n)
    )
    if not found:
        raise BadInput(
            f"Run {run_id} has no chain"
            + (" to export." if branch is None else f" in branch {branch}.")
        )
    return found


def bibliography(store: Store, run_id: str, branch: int | None = None, ending: str = "bib") -> str:
    """Return the papers of the chains, branch by branch; of other runs those they drew on, of an
    experiment its targets. As BibTeX, or another of the formats of references; raises BadInput.
    """
    write = FORMATS[ending]
    run = store.runs.get(run_id)
    known = entry(run.config)
    if known.report == "chain" or branch is not None:
        return write(in_chains(branches(store, run_id, branch)))
    papers = (
        targets(store, run)
        if known.report == "experiment"
        else drawn_on(store, run, Story.of(store, run_id))
    )
    if not papers:
        raise BadInput(
            f"Run {run_id} has no chain and draws on no papers, so there is no bibliography of it."
            " Export it as a report (.md) or a bundle (.json)."
        )
    return write(papers)


def chains_json(store: Store, run_id: str, branch: int | None = None) -> str:
    """Return the chains as JSON, with their trends; raises BadInput."""
    found = branches(store, run_id, branch)
    return as_json(
        [
            {
                "branch": each.n,
                "chain": dump(each.chain),
                "trend": dump(each.trend),
            }
            for each in found
        ]
    )


def ballots(store: Store, run_id: str) -> str:
    """Return the ballots of an arena as CSV; raises BadInput for another run."""
    otherwise = (
        f"Run {run_id} is no arena, so it has no ballots. Export it as a report (.md) or a bundle"
        " (.json)."
    )
    return arenas.ballots(store, must_be(store.runs.get(run_id), "arena", otherwise))


def picture(store: Store, run_id: str, kind: str, branch: int | None = None) -> bytes:
    """Return the chain graph, or the ratings of an arena, as `svg` or `png`; raises BadInput."""
    run = store.runs.get(run_id)
    if entry(run.config).report == "arena":
        found = arenas.pictures(store, run)
        if not found:
            raise BadInput(
                f"Nobody has voted in arena {run_id} yet, so there are no ratings to draw."
            )
        return next(drawn for name, drawn in found.items() if name.endswith(kind))
    story = Story.of(store, run_id)
    return chain_report.picture(story, branches(store, run_id, branch), kind, ALONE)
