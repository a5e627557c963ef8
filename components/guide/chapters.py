"""The chapters of the guide, read from assets/guide."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[2] / "assets/guide"
PICTURE = re.compile(r"^!\[([^\]]+)\]\((pictures/[\w-]+\.png)\)$", re.MULTILINE)


class Screenshot(NamedTuple):
    """A picture of a screen: what it shows, and its file."""

    caption: str
    file: Path


class Chapter(NamedTuple):
    """A chapter: its name in the address, its heading, and its Markdown and pictures in order."""

    name: str
    title: str
    parts: tuple[str | Screenshot, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the chapters in their order; the first line of each file is its heading."""
    return tuple(_read(file) for file in sorted(FOLDER.glob("*.md")))


def _read(file: Path) -> Chapter:
    heading, _, text = file.read_text(encoding="utf-8").partition("\n")
    parts: list[str | Screenshot] = []
    end = 0
    for found in PICTURE.finditer(text):
        parts += [text[end : found.start()], Screenshot(found[1], FOLDER / found[2])]
        end = found.end()
    return Chapter(file.stem.partition("-")[2], heading.removeprefix("# "), (*parts, text[end:]))
