"""The process a PDF is opened in: a file from a stranger may ask for any amount of memory and time,
and here it gets little.

Run by path, it imports nothing of ours: bytes come in on stdin, one JSON object goes out on stdout.
"""

import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pypdf import PageObject, PasswordType, PdfReader

PAGES = 200
CHARACTERS = 400_000
TITLE = 1_000
MEMORY = 1 << 30
"""Bytes of address space."""
PICTURE = 400_000
"""Dots that the pictures of a scanned page have together at least: A4 at 72 dots an inch has
500,000, a logo far fewer.
"""
SECONDS = 120
"""Of the processor; the parent gives up sooner, this ends a child whose parent died."""


def limit() -> None:
    """Bound this process, where the system can: macOS keeps no limit on address space, and there
    the parent's deadline is what holds.
    """
    import resource

    with suppress(OSError):  # Where the machine's memory ends, it goes before the server.
        Path("/proc/self/oom_score_adj").write_text("1000")
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            if sys.platform.startswith("linux"):
                raise


def read(data: bytes) -> dict[str, object]:
    """Return `pages` (texts, None for one that cannot be read), `total`, `pictures` (how many pages
    they fill), `large` (what stands in the largest type of the first page) and `named` (the title
    in the file's metadata), or `refused` and `detail`.
    """
    try:
        reader = PdfReader(io.BytesIO(data))
        # Most protected papers only forbid printing, and open without a password as they do in
        # every viewer.
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            return {"refused": "password", "detail": ""}
        return taken(reader)
    except MemoryError:
        return {"refused": "memory", "detail": ""}
    except Exception as error:
        return {"refused": "broken", "detail": f"{type(error).__name__}: {error}"[:200]}


def taken(reader: PdfReader) -> dict[str, object]:
    """Return the texts of a reader's pages, up to the limits."""
    total, pages, left, large, pictures = len(reader.pages), [], CHARACTERS, Largest(), 0
    for n in range(min(total, PAGES)):
        pages.append(text_of(reader.pages[n], large if n == 0 else None))
        pictures += filled(reader.pages[n])
        left -= len(pages[-1] or "")
        if left <= 0:
            pages[-1] = (pages[-1] or "")[: left or None]
            break
    return {
        "pages": pages,
        "total": total,
        "pictures": pictures,
        "large": large.text,
        "named": named(reader),
    }


def text_of(page: PageObject, large: "Largest | None") -> str | None:
    """Return a page's text, or None: one damaged page does not take the others along."""
    try:
        return page.extract_text(visitor_text=large.see if large else None)
    except MemoryError:
        raise
    except Exception:
        return None


def filled(page: PageObject) -> bool:
    """Say whether pictures fill a page, as they do where it was scanned; they are counted by their
    dots, and not opened.
    """
    try:
        return dots(page, 3) >= PICTURE
    except MemoryError:
        raise
    except Exception:
        return False


def dots(holder: Any, deep: int) -> int:
    """Return how many dots the pictures of a page, or of a form on it, have; forms may hold
    forms.
    """
    drawn = [
        one.get_object()
        for one in (
            holder.get("/Resources", {}).get_object().get("/XObject", {}).get_object().values()
        )
    ]
    own = sum(
        int(one["/Width"]) * int(one["/Height"]) for one in drawn if one.get("/Subtype") == "/Image"
    )
    return own + sum(
        dots(one, deep - 1) for one in drawn if deep and one.get("/Subtype") == "/Form"
    )


def named(reader: PdfReader) -> str:
    """Return the title in a file's metadata, empty where there is none that can be read."""
    try:
        return str((reader.metadata and reader.metadata.title) or "")[:TITLE]
    except MemoryError:
        raise
    except Exception:
        return ""


class Largest:
    """The lines in the largest type of a page, which on a first page are the title."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, int, str]] = []
        """Height above the page's foot, size, text."""

    def see(
        self, text: str, matrix: list[float], text_matrix: list[float], _font: Any, size: float
    ) -> None:
        """Take a piece of text as pypdf hands it over, with its transformations and font size."""
        scale = text_matrix[0] * matrix[0]
        # Upright text only: the stamp of a preprint server runs up the margin in large type.
        if text.strip() and scale > 0:
            self._pieces.append(
                (round(text_matrix[5] * matrix[3] + matrix[5]), round(abs(size * scale)), text)
            )

    @property
    def text(self) -> str:
        """The lines with the largest type in them that hold ten letters and more; small capitals
        are of two sizes on one line.
        """
        sizes = sorted({size for _, size, _ in self._pieces}, reverse=True)
        for largest in sizes if len(sizes) > 1 else ():  # In one size, nothing stands out.
            lines: dict[int, str] = {
                height: "" for height, size, _ in self._pieces if size == largest
            }
            for height, _, text in self._pieces:
                if height in lines:
                    lines[height] += text
            whole = " ".join(" ".join(lines.values()).split())
            if sum(sign.isalpha() for sign in whole) >= 10:
                return whole if len(whole) <= 300 else ""
        return ""


if __name__ == "__main__":
    limit()
    json.dump(read(sys.stdin.buffer.read()), sys.stdout)
