"""A list of keywords from a file: a table with a column of keywords, a JSON list, or one keyword a
line; what is left out is said.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.benchmark.keywords import DOMAINS
from core.errors import BadInput
from core.importing.decoding import opened, require_few_brackets, unsound
from core.importing.delimited import read_table
from core.importing.names import only_column
from core.importing.rating_cells import UNSEEN
from core.importing.sheets import RefusedRow, Row
from core.literature.importing.text import plain
from core.records import Keyword, KeywordList

MOST, LONGEST, LONGEST_DOMAIN = 20_000, 200, 100
SHOWN = 3
"""How many of the rows left out for one reason are named."""
KEYWORDS = ("keyword", "keywords", "kw", "term", "topic", "word", "text")
DOMAIN = ("domain", "category", "field", "discipline", "area", "subject")
"""What the columns may be called, the likeliest first."""
_CANONICAL = {name.casefold(): name for name in DOMAINS}


class _KeywordRow(NamedTuple):
    where: str
    keyword: str = ""
    domain: str = ""
    fault: str = ""


def from_file(data: bytes, name: str) -> tuple[KeywordList, tuple[str, ...]]:
    """Return the keywords of a file, and a sentence on each kind of row that is left out and on
    domains that are none of the paper's 22.

    Keywords keep their order and spelling, apart from white space. Rows without a keyword, with one
    that is there already (whatever its case), that is longer than 200 characters, unreadable, or a
    formula are left out. Raises BadInput for a file with no keyword, or more than 20,000.
    """
    name, text, _ = opened(name, data)
    found_keywords: dict[str, Keyword] = {}
    left: dict[str, list[str]] = {}
    for line in _lines(name, text):
        keyword, domain = plain(line.keyword.strip(UNSEEN)), plain(line.domain.strip(UNSEEN))
        again = "the keyword is there already" if keyword.casefold() in found_keywords else ""
        if (
            reason := line.fault
            or unsound(line.keyword + line.domain)
            or _unfit(keyword, domain)
            or again
        ):
            left.setdefault(reason, []).append(
                f"{line.where}: {keyword[:60]!r}" if keyword else line.where
            )
            continue
        if len(found_keywords) == MOST:
            raise BadInput(
                f"{name} has more than {MOST:,} keywords. Split it; nothing was taken yet."
            )
        found_keywords[keyword.casefold()] = Keyword(
            text=keyword,
            domain=_CANONICAL.get(domain.casefold(), domain),
            by="file" if domain else "",
        )
    if not found_keywords:
        raise BadInput(
            f"{name} holds no keyword. Import one keyword a line, or a table with a column called"
            " `keyword`."
        )
    found = KeywordList(
        name=name, source=f"The file {name}", keywords=tuple(found_keywords.values())
    )
    return found, (
        *(_describe_left_out(reason, rows) for reason, rows in left.items()),
        *_list_foreign(found),
    )


def _unfit(keyword: str, domain: str) -> str:
    if not keyword:
        return "there is no keyword"
    if keyword[0] in "=+@" or (keyword[0] == "-" and not keyword[1:2].isalpha()):
        return "it begins like a formula"
    if len(keyword) > LONGEST:
        return f"the keyword has more than {LONGEST} characters"
    return (
        f"the domain has more than {LONGEST_DOMAIN} characters"
        if len(domain) > LONGEST_DOMAIN
        else ""
    )


def _lines(name: str, text: str) -> Iterator[_KeywordRow]:
    if not text.strip():
        raise BadInput(
            f"{name} is empty. Import one keyword a line, or a table with a column called"
            " `keyword`."
        )
    ending = name.rpartition(".")[2].lower()
    if ending == "json" or text.lstrip()[0] in "[{":
        return _read_list(name, text)
    table = read_table(name, text, each="a keyword")
    # A first line of one word may be a keyword itself, unless it is this very word.
    if place := only_column(
        name, table.columns, KEYWORDS if len(table.columns) > 1 else KEYWORDS[:3]
    ):
        return _rows(table.parts, place, only_column(name, table.columns, DOMAIN))
    if len(table.columns) > 1 and ending in ("csv", "tsv"):
        raise BadInput(
            f"{name} has no column 'keyword', but {', '.join(map(repr, table.columns[:12]))}. Call"
            " the one with the keywords `keyword`."
        )
    return (
        _KeywordRow(f"line {number}", line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    )


def _rows(parts: Iterable[Row | RefusedRow], keyword: str, domain: str) -> Iterator[_KeywordRow]:
    for row in parts:
        if isinstance(row, RefusedRow):
            yield _KeywordRow(row.where, fault=row.clause)
        else:
            yield _KeywordRow(row.where, row.cells.get(keyword, ""), row.cells.get(domain, ""))


def _read_list(name: str, text: str) -> Iterator[_KeywordRow]:
    require_few_brackets(name, text)
    try:
        whole: Any = json.loads(text)
    except RecursionError:
        raise BadInput(f"{name} is nested too deeply. Import a list of keywords.") from None
    except ValueError as error:
        raise BadInput(
            f"{name} is no JSON ({error}). Import a list of keywords, or one keyword a line."
        ) from None
    several = whole.get(only_column(name, whole, KEYWORDS)) if isinstance(whole, dict) else whole
    if not isinstance(several, list):
        raise BadInput(
            f"{name} holds no list of keywords. Import a list of texts, or of objects with a"
            " `keyword` each."
        )
    return (_item(name, f"item {number}", one) for number, one in enumerate(several, 1))


def _item(name: str, where: str, item: Any) -> _KeywordRow:
    parts = [item, ""]
    if isinstance(item, dict):
        try:
            places = [only_column(name, item, names) for names in (KEYWORDS, DOMAIN)]
        except BadInput as error:
            return _KeywordRow(where, fault=str(error))
        parts = [item.get(place, "") for place in places]
    if not all(isinstance(part, str) for part in parts):
        return _KeywordRow(where, fault="the keyword or its domain is no text")
    return _KeywordRow(where, *parts)


def _describe_left_out(reason: str, rows: Sequence[str]) -> str:
    more = f"; and {len(rows) - SHOWN:,} more" if len(rows) > SHOWN else ""
    how_many = f"{len(rows):,} row{' was' if len(rows) == 1 else 's were'}"
    named = "; ".join(rows[:SHOWN])
    return f"{how_many} left out, because {reason} ({named}{more})."


def _list_foreign(found: KeywordList) -> Iterator[str]:
    """Say which domains are none of the paper's."""
    named = dict.fromkeys(keyword.domain for keyword in found.keywords if keyword.domain)
    if others := [domain for domain in named if domain not in DOMAINS]:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        yield (
            f"Not among the paper's {len(DOMAINS)} domains, and counted as they are:"
            f" {', '.join(map(repr, others[:SHOWN]))}{more}."
        )
