"""How exports reach the disk: a single file is never there in part, no export is mixed with
another, and the same content makes the same archive.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Literal

from core.errors import BadInput, StoreFailed, boundary

UNDATED = (1980, 1, 1, 0, 0, 0)
"""The same content makes the same archive, whenever."""


def require_folder(to: Path) -> None:
    """Raise BadInput where there is no folder for a file to lie in."""
    if not to.parent.is_dir():
        raise BadInput(f"There is no folder {str(to.parent)!r}. Make it first, or choose another.")


def require_empty(to: Path) -> None:
    """Raise BadInput for a file, and for a folder that holds something."""
    if to.is_file() or (to.is_dir() and any(to.iterdir())):
        raise BadInput(
            f"{str(to)!r} is not empty. Name a new folder, so that files of two exports are never"
            " mixed."
        )


Content = str | bytes | Iterator[str]
"""What a file holds: whole, or piece by piece."""


def encoded(content: Content) -> Iterator[bytes]:
    """Yield the bytes of a file, a piece at a time."""
    pieces = (content,) if isinstance(content, str | bytes) else content
    for piece in pieces:
        yield piece.encode() if isinstance(piece, str) else piece


def write_whole(to: Path, content: Content) -> None:
    """Write a file, given as a whole or piece by piece, that is never there in part; raises
    StoreFailed.
    """
    unfinished = to.with_name(f"{to.name}.part")
    with boundary(StoreFailed, f"writing {to}"):
        unfinished.unlink(missing_ok=True)
        # Made anew: what somebody laid there may lead to another file.
        try:
            with unfinished.open("xb") as file:
                file.writelines(encoded(content))
            unfinished.replace(to)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def write_folder(to: Path, files: Iterable[tuple[str, Iterable[bytes]]]) -> tuple[str, ...]:
    """Write files into a folder, each piece by piece, and return their names; raises
    StoreFailed.
    """
    names = []
    with boundary(StoreFailed, f"writing {to}"):
        for name, pieces in files:
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            with (to / name).open("wb") as file:
                file.writelines(pieces)
            names.append(name)
    return tuple(names)


class UndatedZip(zipfile.ZipFile):
    """A ZIP archive that others write into, whose entries do not say when or from what file they
    were made.
    """

    def open(
        self,
        name: str | zipfile.ZipInfo,
        mode: Literal["r", "w"] = "r",
        pwd: bytes | None = None,
        *,
        force_zip64: bool = False,
    ) -> IO[bytes]:
        if mode == "w" and isinstance(name, zipfile.ZipInfo):
            name.date_time = UNDATED
            name.external_attr = 0o600 << 16
        return super().open(name, mode, pwd, force_zip64=force_zip64)


def zip_files(files: Mapping[str, Content]) -> bytes:
    """Return files by name, each whole or piece by piece, as a ZIP archive."""
    packed = io.BytesIO()
    with UndatedZip(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if isinstance(content, str | bytes):
                archive.writestr(name, content)
                continue
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # How long it will be is not known: it may be more than 2 GB.
            with archive.open(entry, "w", force_zip64=True) as file:
                file.writelines(encoded(content))
    return packed.getvalue()
