"""Reading files of literature: BibTeX, RIS, CSV, lists of DOIs, PDFs."""

import re
from collections.abc import Callable, Iterator

from core.errors import BadInput
from core.literature.full_text import FullTexts, about
from core.literature.importing import bibtex, ris, table
from core.literature.importing.entries import FileEntry, gather, read_list
from core.literature.importing.text import decode, plain
from core.store.own import Imported

LARGEST = 20_000_000
"""Bytes a file may have."""
ENDINGS = ("bib", "bibtex", "ris", "csv", "tsv", "txt", "pdf")
READERS: dict[str, tuple[str, Callable[[str], Iterator[FileEntry]]]] = {
    "bib": ("BibTeX", bibtex.entries),
    "bibtex": ("BibTeX", bibtex.entries),
    "ris": ("RIS", ris.entries),
    "csv": ("CSV", table.entries),
    "tsv": ("CSV", table.entries),
}
_LOOKS = {
    "ris": re.compile(r"^[ \t]*TY {1,2}- ", re.MULTILINE),
    "bib": re.compile(r"^[ \t]*@\w+\s*[{(]", re.MULTILINE),
}
_ABSTRACT = re.compile(
    r"^[^\w\n]*abstract\b\W*+(.{100,4000}?)\n[\dIi.\s]{0,40}(?:introduction|key ?words|index terms|"
    r"ccs concepts|background)\b",
    re.I | re.M | re.S,
)
NO_TITLE = "no title can be made out on its first page; attach it to a paper instead"
_FIRST_PAGES = 10_000
"""Characters of a PDF's text within which its abstract ends."""


def read_file(name: str, data: bytes, texts: FullTexts) -> Imported:
    """Read a file by its name's ending, or, in a .txt, by what it holds; raises BadInput for one
    that holds nothing to import.

    A broken entry is skipped with its place and the reason, and takes no other along. PDFs are read
    by `texts`.
    """
    name, ending = plain(name)[:200] or "file", name.rpartition(".")[2].lower()
    if len(data) > LARGEST:
        raise BadInput(
            f"{name} has {len(data) / 1_000_000:.0f} MB; {LARGEST // 1_000_000} MB are read at"
            " most. Split it, or leave out what is not needed."
        )
    if data.startswith(b"%PDF-") or ending == "pdf":
        return _pdf(name, data, texts)
    if ending not in ENDINGS:
        raise BadInput(f"{name}: choose a file that ends in one of .{', .'.join(ENDINGS)}.")
    text = decode(data)
    if ending == "txt":
        ending = next((kind for kind, looks in _LOOKS.items() if looks.search(text)), ending)
    if ending == "txt":
        found = read_list(name, text)
    else:
        kind, entries = READERS[ending]
        found = gather(name, kind, entries(text))
    if not (found.papers or found.skipped or found.wanted):
        raise BadInput(
            f"{name} holds no entry ({found.format}). Is it the right file, and not empty?"
        )
    return found


def _pdf(name: str, data: bytes, texts: FullTexts) -> Imported:
    """Return the one paper a PDF is, by what its first page says."""
    read = texts.text_in(data)
    guess = about(read.text, read.title)
    abstract = _ABSTRACT.search(read.text[:_FIRST_PAGES])
    entry = FileEntry(
        where="first page",
        title=guess.title or "",
        doi=guess.doi or "",
        arxiv=guess.arxiv or "",
        abstract=abstract[1] if abstract else "",
        trouble="" if guess.title else NO_TITLE,
    )
    return gather(name, "PDF", (entry,))
