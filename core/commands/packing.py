"""Case studies: pack a finished run into one file, open one, close it, list them."""

import argparse
import sys
from pathlib import Path
from typing import Any

from core.cases import UNSIGNED, close_case, open_case, pack
from core.cases.bundled import bundled, opened
from core.cases.experiments import weigh
from core.cases.replay import html
from core.commands.options import Answer, Verbs, reply
from core.errors import BadInput
from core.export import document as reports
from core.export.writing import require_folder, write_whole
from core.files import read_bytes
from core.records import Run
from core.runs.catalogue import entry
from core.runs.workshop import Workshop


def pack_run(shop: Workshop, args: argparse.Namespace) -> Answer:
    require_folder(args.to)
    plays = args.to.suffix == ".html"
    run = shop.store.runs.get(args.id)
    held = {}
    if entry(run.config).has_runs_made and not plays:
        weight = weigh(shop.store, run)
        size = weight.records + (0 if args.without_steps else weight.steps)
        sys.stderr.write(f"Packing {weight.runs} runs, about {size / 1e6:.1f} MB.\n")
        held = {"runs": weight.runs, "stepwise": not args.without_steps}
    if plays:
        data = html(shop.store, args.id, args.about, args.title).encode()
    else:
        stepwise = not args.without_steps
        data = pack(shop.store, run.id, args.about, args.by, args.title, stepwise=stepwise)
    write_whole(args.to, data)
    return {
        **reports.summary(run),
        "file": str(args.to),
        "bytes": len(data),
        **held,
        **({} if plays else {"unsigned": UNSIGNED}),
    }, 0


def open_file(shop: Workshop, args: argparse.Namespace) -> Answer:
    path = Path(args.file)
    names = () if path.exists() else [case.name for case in bundled()]
    if args.file in names:
        run = opened(shop.store, args.file)
    else:
        run = open_case(shop.store, _bytes(path))
    return {**reports.document(shop.store, run.id), "packed": _packed(run)}, 0


def close(shop: Workshop, args: argparse.Namespace) -> Answer:
    run = shop.store.runs.get(args.id)
    close_case(shop.store, run.id)
    return {**reports.summary(run), "note": "closed"}, 0


def cases(shop: Workshop, _: argparse.Namespace) -> Answer:
    open_ = [
        {**reports.summary(run), "packed": _packed(run)}
        for run in shop.store.runs.listed(packed=True, limit=1000)
    ]
    return reply("listed", bundled=[case.model_dump() for case in bundled()], opened=open_)


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise BadInput(
            f"{path} cannot be read: there is no such file. `python -m core cases` lists what comes"
            " with the program."
        )
    return read_bytes(path)


def _packed(run: Run) -> dict[str, Any] | None:
    return {**run.packed.model_dump(), "unsigned": UNSIGNED} if run.packed else None


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    packing = verbs.add("pack", pack_run)
    packing.add_argument("id")
    packing.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FILE",
        help=".json: a case study, to be opened; .html: a page that plays in any browser by itself",
    )
    packing.add_argument("--title", help="what it is called (default: as the run is)")
    packing.add_argument("--about", default="", help="what it shows, in a few words")
    packing.add_argument(
        "--without-steps",
        action="store_true",
        help="of an experiment: its runs with what they came to, and not what was asked",
    )
    packing.add_argument("--by", default="", help="who packs it")
    verbs.add("open", open_file).add_argument(
        "file", help="a packed file, or the name of a case study that comes with the program"
    )
    verbs.add("close", close).add_argument("id")
    verbs.add("cases", cases)
