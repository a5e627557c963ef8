"""Rubrics of one's own: list them, show one, check a file, keep it, write one, remove one."""

import argparse
from pathlib import Path

from core.commands.options import Answer, Verbs, add_flag, reply
from core.errors import BadInput
from core.export.writing import require_folder, write_whole
from core.files import read_bytes
from core.records import Rubric
from core.runs.workshop import Workshop
from core.store import Store
from core.studies import rubrics

ABOUT = "criteria of your own under a name: save, check, share as a file"
ENDINGS = (".json", ".toml")


def found(store: Store, said: str) -> Rubric:
    """Return the rubric of a file, or the one of that name that is saved here or comes with the
    program; raises BadInput.
    """
    path = Path(said)
    return _read(path) if path.suffix.lower() in ENDINGS else rubrics.named(store, said)


def _read(path: Path) -> Rubric:
    return rubrics.read(path.name, read_bytes(path))


def list_rubrics(shop: Workshop, args: argparse.Namespace) -> Answer:  # noqa: ARG001
    """List rubrics: those saved here, then those that come with the program."""
    lines = [
        {"name": one.name, "saved": shop.store.rubrics.has(one.name), "criteria": _named(one)}
        for one in rubrics.offered(shop.store).values()
    ]
    return reply("listed", rubrics=lines)


def _named(rubric: Rubric) -> list[str]:
    return [f"{one.name} ({one.on})" for one in rubric.criteria]


def show(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show a rubric, by its name or its file, as its file says it."""
    return reply("listed", rubric=rubrics.as_file(found(shop.store, args.rubric)))


def check(shop: Workshop, args: argparse.Namespace) -> Answer:  # noqa: ARG001
    """Check the file of a rubric; what is wrong is told by its key, and nothing is kept."""
    rubric = _read(args.file)
    return reply("listed", file=str(args.file), name=rubric.name, criteria=_named(rubric))


def import_rubric(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Keep the rubric of a file under its name, or another with --name."""
    rubric = _read(args.file)
    if args.name:
        rubric = rubrics.renamed(rubric, args.name)
    shop.store.rubrics.save(rubric, args.replace)
    return reply("listed", saved=rubric.name, criteria=_named(rubric))


def export_rubric(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a rubric to a file (JSON), to share it; from a session with --study."""
    if args.study and args.rubric:
        raise BadInput("Name a rubric, or a session with --study; one of the two.")
    if args.study:
        rubric = rubrics.of_plan(shop.store.studies.get(args.study).plan)
    elif args.rubric:
        rubric = found(shop.store, args.rubric)
    else:
        raise BadInput("Say which rubric, by its name, or by a session with --study.")
    if args.to.exists():
        raise BadInput(f"{args.to} is there already. Name another file.")
    require_folder(args.to)
    write_whole(args.to, rubrics.written(rubric))
    return reply("listed", name=rubric.name, to=str(args.to))


def remove(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Forget a saved rubric; sessions that use it keep their copy."""
    shop.store.rubrics.remove(args.name)
    return reply("listed", removed=args.name)


def words(verbs: Verbs) -> None:
    """Add the verbs of rubrics to those of sessions."""
    inner = verbs.under("rubric", ABOUT)
    inner.add("list", list_rubrics)
    shown = inner.add("show", show)
    shown.add_argument("rubric", metavar="NAME|FILE")
    checked = inner.add("check", check)
    taken = inner.add("import", import_rubric)
    for made in (checked, taken):
        made.add_argument("file", metavar="FILE", type=Path, help="JSON or TOML, by its ending")
    taken.add_argument("--name", help="another name than the file's")
    add_flag(taken, "--replace", "in place of the rubric of that name")
    given = inner.add("export", export_rubric)
    given.add_argument("rubric", metavar="NAME", nargs="?")
    given.add_argument("--study", metavar="STUDY", help="the criteria of this session")
    given.add_argument("--to", metavar="FILE", type=Path, required=True)
    inner.add("remove", remove).add_argument("name", metavar="NAME")
