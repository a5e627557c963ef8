"""The files of the built-in shelf: what they must hold, and reading them."""

from pathlib import Path

from pydantic import Field

from core.errors import SourceFailed, boundary
from core.records import Paper, Record, Text


class SeenReference(Record):
    id: Text
    seen: Text
    """Where it was seen that the paper cites this one."""


class SeenCount(Record):
    count: int = Field(ge=0)
    seen: Text


class ShelfEntry(Record):
    """One paper as its file has it."""

    id: str = Field(pattern=r"^shelf:[a-z0-9-]+$")
    title: Text
    authors: tuple[Text, ...] = Field(min_length=1)
    year: int = Field(ge=1900, le=2100)
    published: str | None = Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")
    venue: str | None
    arxiv: str | None
    doi: str | None
    url: str | None
    citations: SeenCount | None
    summary: Text
    seen: Text
    references: tuple[SeenReference, ...]

    def paper(self) -> Paper:
        """Return the paper as every source gives it; its abstract is the shelf's own summary, and
        says so.
        """
        return Paper(
            abstract=self.summary,
            abstract_by="foundry",
            source="shelf",
            citations=self.citations.count if self.citations else None,
            **self.model_dump(
                include={
                    "id",
                    "title",
                    "authors",
                    "year",
                    "published",
                    "venue",
                    "arxiv",
                    "doi",
                    "url",
                    "seen",
                }
            ),
        )


class ShelfFile(Record):
    neighbourhood: Text
    title: Text
    checked: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    """The day its entries were checked."""
    example_topics: tuple[Text, ...] = Field(min_length=1)
    papers: tuple[ShelfEntry, ...]


def read(folder: Path) -> tuple[ShelfFile, ...]:
    """Read every file of a shelf; raises SourceFailed naming a file that is damaged, or an edge or
    id that cannot be.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise SourceFailed(
            f"The built-in shelf is missing: {folder} has no file. Reinstall the workbench."
        )
    files = []
    for path in paths:
        with boundary(SourceFailed, f"reading {path.name} of the built-in shelf"):
            files.append(ShelfFile.model_validate_json(path.read_bytes()))
    ids = [entry.id for file in files for entry in file.papers]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise SourceFailed(f"The built-in shelf has {', '.join(twice)} more than once.")
    loose = [
        f"{entry.id} -> {cited.id}"
        for file in files
        for entry in file.papers
        for cited in entry.references
        if cited.id not in ids
    ]
    if loose:
        raise SourceFailed(
            f"The built-in shelf has references to papers that are not on it: {', '.join(loose)}."
        )
    return tuple(files)
