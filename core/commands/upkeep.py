"""Looking after an installation: backups, going back to one, and what is in order."""

import argparse
from pathlib import Path

from core import doctor
from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, add_flag, count, reply
from core.runs.workshop import Workshop
from core.settings import Settings
from core.store.backups import backup, restoring
from core.wording.numbers import counted

BROKEN = 1
"""The exit code of `doctor` where something wants somebody to act."""
MARKS = {"fine": "ok    ", "note": "note  ", "broken": "BROKEN"}


def back_up(shop: Workshop, args: argparse.Namespace) -> Answer:
    folder = backup.place(shop.store, args.to or shop.settings.backups)
    made = backup.make(shop.store, folder, args.keep)
    size = doctor.in_bytes(made.size)
    return reply(
        "backed-up",
        file=str(made.path),
        bytes=made.size,
        in_words=f"Written and read back: {made.path} ({size}).",
    )


def restore(settings: Settings, args: argparse.Namespace) -> Answer:
    found = restoring.restore(args.file, settings.data, over=args.over)
    words = f"{settings.data} is as it was in {args.file}: {counted(found.runs, 'run')}."
    if found.aside:
        words += f" What it held before lies in {found.aside}; remove it once all is well."
    aside = str(found.aside) if found.aside else None
    return reply("restored", runs=found.runs, aside=aside, in_words=words)


def examine(settings: Settings, _: argparse.Namespace) -> Answer:
    findings = doctor.examine(settings)
    broken = any(one.state == "broken" for one in findings)
    document = {
        **nothing("examined"),
        "broken": broken,
        "findings": [one.model_dump() for one in findings],
        "in_words": "\n".join(
            f"{MARKS[one.state]}  {one.about}: {one.sentence}" for one in findings
        ),
    }
    return document, BROKEN if broken else 0


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    making = verbs.add("backup", back_up)
    making.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="folder (default: FOUNDRY_BACKUPS, or backups in the data folder)",
    )
    making.add_argument(
        "--keep",
        type=count,
        metavar="N",
        help="then remove those in that folder that are more than N days older than the one before,"
        " but not the newest seven",
    )
    back = verbs.add_bare("restore", restore)
    back.add_argument("file", type=Path, help="a backup, or a copy of a database")
    add_flag(back, "--over", "put what the data folder holds now aside, and go back")
    verbs.add_bare("doctor", examine)
