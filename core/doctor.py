"""What a person who looks after the program wants to know: what is installed, reachable and
writable, how full the disk is, which version the database has; a sentence each.
"""

import platform
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from core import VERSION
from core.errors import FoundryError
from core.literature import label
from core.literature.presence import networked, silent
from core.models import PROVIDERS
from core.models.reach import reachable, what_is_wrong
from core.records import Record
from core.settings import Settings, fault, faults
from core.store import migrations
from core.store.backups.backup import Backup, contents, listed
from core.store.backups.schedule import SKEW
from core.store.backups.snapshot import open_to_read, steps_taken
from core.store.trouble import BACKUPS
from core.wording.numbers import counted

ROOT = Path(__file__).parents[1]
State = Literal["fine", "note", "broken"]
LITTLE, LESS = 2 * 2**30, 256 * 2**20
"""Bytes free on the disk of the data folder: below the first it is said, below the second it is
broken, since a run in the middle of it would rest.
"""
PATIENCE = 5.0
"""Seconds that a model server has to answer."""
LATE = 2
"""A backup is missed once so many of the times between two have passed."""
REQUIREMENT = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*([~=<>!][^#\s]*)?")


class Finding(Record):
    """One thing that was looked at; `note` is worth knowing, `broken` wants somebody to act."""

    about: str
    state: State
    sentence: str


def examine(settings: Settings) -> tuple[Finding, ...]:
    """Look after everything and change nothing: the database is read as it is, not brought up to
    date.
    """
    looks: dict[str, Callable[[Settings], Iterator[Finding]]] = {
        "Program": _program,
        "Data folder": _folder,
        "Database": _database,
        "Backups": _backups,
        "Models": _models,
        "Literature": _literature,
        "Access": _access,
    }
    return tuple(finding for look in looks.values() for finding in look(settings))


def _program(_: Settings) -> Iterator[Finding]:
    yield Finding(
        about="Program",
        state="fine",
        sentence=(
            f"Idea Foundry {VERSION} on Python {platform.python_version()},"
            f" {platform.system()} {platform.release()}."
        ),
    )
    wanted = list(_requirements())
    if wrong := [said for name, form in wanted if (said := _unfit(name, form))]:
        yield Finding(
            about="Packages",
            state="broken",
            sentence=(
                f"{'; '.join(wrong)}. Install what is missing: pip install -r"
                f" {ROOT / 'requirements.txt'}."
            ),
        )
    else:
        yield Finding(
            about="Packages",
            state="fine",
            sentence=f"All {len(wanted)} packages of requirements.txt are installed as it says.",
        )


def _requirements() -> Iterator[tuple[str, str]]:
    for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines():
        if (match := REQUIREMENT.match(line)) and not line.startswith("-"):
            yield match[1], match[2] or ""


def _unfit(name: str, form: str) -> str:
    """Say what is wrong with a package, or nothing."""
    from packaging.specifiers import SpecifierSet

    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} is not installed"
    fits = SpecifierSet(form).contains(found, prereleases=True)
    return "" if fits else f"{name} {found} is installed, and {form} is wanted"


def _folder(settings: Settings) -> Iterator[Finding]:
    folder = settings.data
    if not folder.exists():
        yield Finding(
            about="Data folder",
            state="note",
            sentence=f"{folder} is not there yet; it is made when the program starts.",
        )
        return
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
    except OSError as error:
        yield Finding(
            about="Data folder",
            state="broken",
            sentence=(
                f"{folder} cannot be written ({error.strerror}). Give the user who runs the program"
                " the right to, or choose another folder with FOUNDRY_DATA."
            ),
        )
    else:
        taken = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        yield Finding(
            about="Data folder",
            state="fine",
            sentence=f"{folder} can be written, and takes {in_bytes(taken)}.",
        )
    disk = shutil.disk_usage(folder)
    state: State = "broken" if disk.free < LESS else "note" if disk.free < LITTLE else "fine"
    yield Finding(
        about="Disk",
        state=state,
        sentence=(
            f"{in_bytes(disk.free)} of {in_bytes(disk.total)} are free on the disk that holds"
            f" {folder}" + ("." if state == "fine" else ": make room there.")
        ),
    )


def _database(settings: Settings) -> Iterator[Finding]:
    path = settings.data / "foundry.db"
    if not path.exists():
        yield Finding(
            about="Database",
            state="note",
            sentence=f"There is none in {settings.data} yet; it is made when the program starts.",
        )
        return
    try:
        said, state = _read(path)
    except (sqlite3.Error, OSError) as error:
        said, state = f"{path} cannot be read ({error}).", "broken"
    yield Finding(about="Database", state=state, sentence=said)


def _read(path: Path) -> tuple[str, State]:
    # By SQLite alone: to open and close its file in another way would take this process's locks.
    with closing(open_to_read(path)) as connection:
        taken = steps_taken(connection)
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        runs = connection.execute("SELECT count(*) FROM runs").fetchone()[0] if taken else 0
    if found != "ok":
        return f"{path} is damaged ({found}). Go back to a backup with restore.", "broken"
    unknown = sorted(set(taken) - migrations.STEPS.keys())
    if unknown:
        return (
            f"{path} was made by a newer version of this program (step {unknown[-1]}). Start that"
            " one.",
            "broken",
        )
    # What is still in its log counts, too.
    size = in_bytes(sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*")))
    if waiting := len(migrations.STEPS) - len(taken):
        return (
            f"{path} is whole, of an earlier version ({waiting} of {len(migrations.STEPS)} steps"
            " are to be taken). It is brought up to date when the program starts, after a copy was"
            " made.",
            "note",
        )
    number, _, _ = list(migrations.STEPS)[-1].partition("_")
    return (
        f"{path} is whole: {size}, {counted(runs, 'run')}, schema {number} of this program.",
        "fine",
    )


def _backups(settings: Settings) -> Iterator[Finding]:
    folder, every = settings.backups or settings.data / BACKUPS, settings.backup_every
    try:
        found = listed(folder)
        if found:
            contents(found[0].path)
    except FoundryError as error:
        yield Finding(about="Backups", state="broken", sentence=str(error))
        return
    state, said = told(found, every, datetime.now(UTC))
    yield Finding(about="Backups", state=state, sentence=f"{said} They lie in {folder}.")


def told(found: list[Backup], every: float, now: datetime) -> tuple[State, str]:
    """Say how many backups there are and how old the newest is, and whether one was missed: a
    server makes one `every` so many hours, or none.
    """
    plan = (
        f"A server makes one every {every:g} hours by itself"
        if every
        else "None is made by itself (FOUNDRY_BACKUP_EVERY is 0)"
    )
    if not found:
        return "note", f"There is no backup yet. {plan}."
    if found[0].made > now + SKEW:
        return "broken", (
            f"{found[0].path.name} is of a time to come: the clock is wrong, or was wrong then."
            " Look at this machine's clock; if it is right, remove or rename that file."
        )
    age = (now - found[0].made).total_seconds() / 3600
    said = (
        f"The newest of {len(found)} is of {found[0].made:%Y-%m-%d %H:%M} UTC,"
        f" {in_bytes(found[0].size)}"
    )
    if every and age > LATE * every:
        return "broken", (
            f"{said}, {age:,.0f} hours old. {plan}: look whether it runs, and what its log says."
        )
    return "fine", f"{said}. {plan}."


def _choices(settings: Settings) -> dict[str, str]:
    """Return what was chosen in Settings, as far as the database can be read."""
    try:
        with closing(open_to_read(settings.data / "foundry.db")) as connection:
            return dict(connection.execute("SELECT name, value FROM choices").fetchall())
    except sqlite3.Error:
        return {}


def _models(settings: Settings) -> Iterator[Finding]:
    chosen = _choices(settings).get("address-openai")
    if chosen and not settings.openai_url:
        settings = settings.asking(chosen, None)
    trouble = "" if fault(settings, "openai") else what_is_wrong(settings, PATIENCE)
    for wrong in filter(None, (*faults(settings, PROVIDERS), trouble)):
        yield Finding(about="Models", state="broken", sentence=wrong)
    found = [one.provider for one in reachable(settings)]
    others = [name for name in found if name != "builtin"]
    yield Finding(
        about="Models",
        state="fine" if others else "note",
        sentence=(
            f"{', '.join(others)} can be asked (a key is there, or a server answers)."
            if others
            else "Only the built-in model, which is no language model, can be asked: there is no"
            " key, and no model server answers."
        ),
    )


def _literature(settings: Settings) -> Iterator[Finding]:
    used = networked(_choices(settings).get("source", ""))
    for name in ("semantic-scholar", "openalex"):
        away: State = "broken" if name in used else "note"
        if wrong := fault(settings, name):
            yield Finding(about="Literature", state=away, sentence=wrong)
            continue
        gone = silent(name, settings)
        yield Finding(
            about="Literature",
            state=away if gone else "fine",
            sentence=(f"{label(name)} {'does not answer from here' if gone else 'answers'}."),
        )


def _access(settings: Settings) -> Iterator[Finding]:
    yield Finding(
        about="Access",
        state="fine",
        sentence=(
            "A password is set (FOUNDRY_PASSWORD): other machines may be served."
            if settings.password
            else "No password is set: without Streamlit's own login only this machine is served."
        ),
    )


def in_bytes(number: float) -> str:
    """Say a number of bytes as people do: `3.2 GB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:,.0f} {unit}" if unit == "B" else f"{number:,.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"
