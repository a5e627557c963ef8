"""BibTeX, split into entries by `bibtexparser`; macros, names and LaTeX are read here, entry by
entry.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import zip_longest

from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    ImplicitComment,
    ParsingFailedBlock,
    String,
)
from bibtexparser.model import Entry as Found
from bibtexparser.splitter import Splitter

from core.errors import BadInput, boundary
from core.literature.importing.dates import MONTHS
from core.literature.importing.entries import FileEntry
from core.literature.importing.latex import FOUND_AT, SUMMARY, address_of, text_of
from core.literature.venues import join_venue
from core.records import OTHERS

VENUES = ("journal", "journaltitle", "booktitle", "school", "institution", "publisher")
ARXIV = ("eprint", "arxivid", "arxiv")
CITES = ("cites", "references")
FILLED_IN = 200_000
"""Characters that macros may fill in, in a whole file, or as many as a longer file has: those that
hold others could grow without end.
"""
LONGEST_FIELD, LONGEST_AUTHORS, LONGEST_NAME = 100_000, 500_000, 1_000
"""Characters of a field that is read, of all authors (a paper has had 15,000) and of one: LaTeX is
read slowly, 100,000 characters of it in a second.
"""
_FIELD = re.compile(r"^[\s,]*[\w-]+\s*=\s*[{\"\w]", re.MULTILINE)
_BEGINNING = re.compile(
    r"(?:^|[}\"]) *(@(?!comment|preamble|string)\w+)", re.IGNORECASE | re.MULTILINE
)
_TITLE = re.compile(r"\btitle\s*=\s*[{\"]+([^\n]{1,200})", re.IGNORECASE)
_KEY = re.compile(r"@\w+\s*[{(]\s*([^\s,{}()=\"]+)\s*,")
_MARKS = re.compile(r"(?<!\\)[{}\"#]")
# Every broken entry is in the report; the parser would write each of them to the log as well.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


class _Macros:
    """What names stand for, the months from the beginning."""

    def __init__(self, most: int) -> None:
        self._said = {month: month for month in MONTHS}
        self._most = self._left = most

    def add(self, block: String) -> None:
        """Take up what a block says; raises BadInput for one that fills in too much."""
        try:
            self._said[block.key.lower()] = _value(block.value, self)
        except BadInput as error:
            raise BadInput(f"Macro {_where(block.key[:80], block)}: {error}.") from None

    def fill_in(self, name: str) -> str:
        """Return what a name stands for, itself where it is no macro; raises BadInput once too much
        was filled in.
        """
        said = self._said.get(name.lower())
        if said is None:
            return name
        self._left -= len(said)
        if self._left < 0:
            raise BadInput(
                f"macros fill in more than {self._most:,} characters; write the texts out"
            )
        return said


def entries(text: str) -> Iterator[FileEntry]:
    """Give the entries of a BibTeX file in order, broken ones with what is wrong; raises BadInput
    where nothing can be made of the file.
    """
    with boundary(BadInput, "reading BibTeX"):
        blocks = Splitter(text).split().blocks
    macros = _Macros(max(FILLED_IN, len(text)))
    for block in blocks:
        if isinstance(block, String):
            macros.add(block)
    for block, following in zip_longest(blocks, blocks[1:]):
        entry = _entry(block)
        comment = following.comment if isinstance(following, ImplicitComment) else ""
        if entry is not None and _FIELD.match(comment):
            yield _broken(entry, "a closing bracket too many ends it early")
        elif entry is not None:
            yield _read(entry, macros)
        elif isinstance(block, ParsingFailedBlock):
            yield _broken(
                block, "a bracket, a quotation mark or a comma is missing in it or after it"
            )
            yield from _swallowed(block)
        elif isinstance(block, ImplicitComment) and _BEGINNING.search(block.comment):
            yield _broken(block, "no entry: a bracket is missing after its type")


def _entry(block: Block) -> Found | None:
    """Return a block's entry, if it is one; of a field given twice the first counts, as in BibTeX,
    and of two entries with one key both.
    """
    if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        inner = block.ignore_error_block
        return inner if isinstance(inner, Found) else None
    return block if isinstance(block, Found) else None


def _broken(block: Block, why: str) -> FileEntry:
    raw = (block.raw or "").strip()
    key, title = _KEY.match(raw), _TITLE.search(raw)
    return FileEntry(
        where=_where(key[1] if key else "", block),
        title=title[1].rstrip('}", ') if title else raw[:80],
        trouble=why,
    )


def _swallowed(block: Block) -> Iterator[FileEntry]:
    """Give the entries that begin inside a broken one."""
    raw = block.raw or ""
    below, counted = 0, 0
    for found in _BEGINNING.finditer(raw, 1):
        start = found.start(1)
        key = _KEY.match(raw, start)
        below, counted = below + raw.count("\n", counted, start), start
        yield FileEntry(
            where=_where(key[1] if key else "", block, below),
            title=raw[start : start + 80],
            trouble="the entry before it is broken and does not end",
        )


def _where(key: str, block: Block, below: int = 0) -> str:
    line = f"line {(block.start_line or 0) + 1 + below}"
    return f"{key} ({line})" if key else line


def _read(found: Found, macros: _Macros) -> FileEntry:
    """Read one entry; what its LaTeX cannot be read for is its trouble, not the file's."""
    try:
        given: dict[str, str] = {}
        for field in found.fields:
            given.setdefault(field.key.lower(), _value(field.value, macros))
        return _described(_where(found.key, found), found.key, given)
    except BadInput as error:
        return _broken(found, str(error))


def _described(where: str, key: str, given: Mapping[str, str]) -> FileEntry:
    def said(*names: str, read: Callable[[str], str] = text_of) -> str:
        return next(filter(None, (read(_within(name, given)) for name in names)), "")

    address = partial(said, read=address_of)

    kind = said("archiveprefix", "eprinttype").lower()
    subtitle = said("subtitle")
    cites = re.split(r"[;,\s]+", " ".join(_within(name, given) for name in CITES))
    return FileEntry(
        where=where,
        key=key,
        title=said("title") + (f": {subtitle}" if subtitle else ""),
        authors=_names(_within("author", given, LONGEST_AUTHORS)),
        date=said("date"),
        year=said("year"),
        month=said("month"),
        day=said("day"),
        venue=join_venue(said(*VENUES), said("volume"), said("number")),
        pages=said("pages", "eid", "articleno"),
        abstract=said("abstract", SUMMARY),
        by_foundry=not said("abstract"),
        doi=address("doi"),
        arxiv=address(*ARXIV) if kind in ("", "arxiv") else "",
        url=address(FOUND_AT, "url", "howpublished"),
        pdf=address("pdf"),
        citations=said("citations"),
        cites=tuple(filter(None, map(address_of, cites))),
    )


def _within(name: str, given: Mapping[str, str], most: int = LONGEST_FIELD) -> str:
    """Return what a field says; raises BadInput for more than is read of any."""
    value = given.get(name, "")
    if len(value) > most:
        raise BadInput(
            f"its field {name!r} has {len(value):,} characters; {most:,} are read at most"
        )
    return value


def _names(field: str) -> tuple[str, ...]:
    """Return the names of an author field as they are read aloud; a name in brackets is taken
    whole. `others` stays where it ends the names, and is nobody anywhere else.
    """
    names = [name.strip() for name in split_multiple_persons_names(" ".join(field.split()))]
    ends = (OTHERS,) if len(names) > 1 and names[-1] == OTHERS else ()
    if longest := max((name for name in names if len(name) > LONGEST_NAME), default="", key=len):
        raise BadInput(
            f"the name of an author has {len(longest):,} characters; {LONGEST_NAME:,} are read at"
            " most. Names are parted by 'and'"
        )
    named = tuple(_turn(name) for name in names if name != OTHERS)
    return (*named, *ends) if named else ()


def _turn(name: str) -> str:
    if "," not in _outside(name):
        return text_of(name)
    with boundary(BadInput, "reading the name of an author"):
        parts = parse_single_name_into_parts(name, strict=False)
    words = (*parts.first, *parts.von, *parts.last, *parts.jr)
    return " ".join(map(text_of, words))


def _outside(text: str) -> str:
    """Return what of a text stands outside its brackets."""
    kept, depth = [], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            kept.append(sign)
    return "".join(kept)


def _value(raw: str, macros: _Macros) -> str:
    """Return a value without what encloses it: pieces in brackets or quotation marks, numbers and
    macros, joined by `#`; raises BadInput where macros fill in too much.
    """
    value = ""
    for piece in map(str.strip, _pieces(raw)):
        if len(piece) > 1 and piece[0] + piece[-1] in ("{}", '""'):
            value += piece[1:-1]
        else:
            value += macros.fill_in(piece)
    return value


def _pieces(raw: str) -> Iterator[str]:
    """Give what stands between the `#` signs outside brackets and quotation marks."""
    depth, quoted, begin = 0, False, 0
    for mark in _MARKS.finditer(raw):
        sign = mark.group()
        if sign == '"':
            quoted ^= depth == 0
        elif sign == "#" and depth == 0 and not quoted:
            yield raw[begin : mark.start()]
            begin = mark.end()
        elif sign != "#":
            depth += 1 if sign == "{" else -1
    yield raw[begin:]
