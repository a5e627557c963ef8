"""Own literature: import files, attach a PDF to a paper."""

import argparse
from pathlib import Path

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, configure, reply
from core.errors import BadInput, SourceFailed
from core.files import read_bytes
from core.literature import spell
from core.literature.full_text import FullTexts
from core.literature.intake import Intake
from core.literature.port import Source
from core.runs.planning import find_paper
from core.runs.workshop import Workshop
from core.store.own import ImportReport


def take_in(shop: Workshop, args: argparse.Namespace) -> Answer:
    intake = Intake(shop.store.library, FullTexts(shop.settings, shop.store.library))
    source = shop.source(spell(args.source))
    imports, codes = [], []
    for path in args.files:
        report, code = take_file(intake, path, args.by, source)
        imports.append(describe_report(report))
        codes.append(code)
    return {**nothing("imported"), "imports": imports}, max(codes)


def take_file(intake: Intake, path: Path, by: str, source: Source) -> tuple[ImportReport, int]:
    """Import one file and return its report and exit code; what goes wrong with it is said there,
    so that the others stay.
    """
    try:
        report = intake.take_path(path, by, source)
    except (BadInput, SourceFailed) as error:
        return ImportReport(name=path.name, failed=str(error)), error.exit_code
    return report, 0 if report.added or report.known or report.attached else BadInput.exit_code


def describe_report(report: ImportReport) -> dict[str, object]:
    """Return a report with how many there are of each kind, the papers that were added by id and
    title.
    """
    whole = report.model_dump(mode="json")
    counts = {
        "added": len(report.added),
        "known": report.known_count,
        "skipped": report.skipped_count,
    }
    return {
        **whole,
        "counts": counts,
        "added": [{"id": paper.id, "title": paper.title} for paper in report.added],
    }


def attach(shop: Workshop, args: argparse.Namespace) -> Answer:
    paper = find_paper(shop, args.paper, configure(args))
    full_texts = FullTexts(shop.settings, shop.store.library)
    held = full_texts.attach(paper.id, read_bytes(args.file), args.by)
    return reply("attached", paper=paper.id, text=held.model_dump())


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    taking = verbs.add("import", take_in)
    taking.add_argument(
        "files", nargs="+", type=Path, help=".bib, .ris, .csv, .txt (DOIs, arXiv ids) or .pdf"
    )
    taking.add_argument(
        "--source",
        default="semantic-scholar",
        help="where DOIs and arXiv ids are looked up (default: semantic-scholar, then openalex)",
    )
    attaching = verbs.add("attach", attach, verbs.asking, verbs.begin)
    attaching.add_argument("paper", help="its id, DOI, arXiv id or title")
    attaching.add_argument("file", type=Path, help="a PDF")
    for made in (taking, attaching):
        made.add_argument("--by", default="command line", help="who brings it")
