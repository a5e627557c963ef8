"""Markdown: one idea a heading, or a rule; headings that name parts of an idea belong to the idea
above them.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.importing.names import PARTS, simple
from core.importing.sheets import Row, Sheet, column, gather

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s(.*)$")
BOLD = re.compile(r"^\s*(?:[-*]\s+)?\*\*([^*\n]{2,60}?)[:.]?\*\*\s*:?\s*(.*)$")
RULE = re.compile(r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$")
SAID = re.compile(
    r"^\s*(?:[-*]\s+)?(system|model|topic|keyword|query|category|source)\s*:\s*(.+)$", re.IGNORECASE
)
"""What is said of an idea in a line of its own, before its text."""
MARK = re.compile(r"^([\w][\w .-]{0,60}?)\s*:\s*(.*)$")
Line = tuple[int, str]


class Heading(NamedTuple):
    """A heading without its signs."""

    level: int
    text: str


def heading(line: str) -> Heading | None:
    """Return the heading that a line is, or None; signs at its end are none of its text."""
    found = _HEADING.match(line)
    return found and Heading(len(found[1]), found[2].strip().rstrip("#").rstrip())


def sections(name: str, text: str, encoding: str) -> Sheet:
    """Read ideas under headings or between rules; what the front matter says holds for all of
    them.
    """
    common, body = _front(list(enumerate(text.split("\n"), 1)))
    parts = [part for part in _parts(body) if any(line.strip() for _, line in part)]
    above = _heading_alone(parts[0], _level(body)) if len(parts) > 1 else ""
    if above:
        common, parts = {"topic": above, **common}, parts[1:]
    return gather(name, "Markdown", encoding, (_row(common, part) for part in parts))


def _heading_alone(part: list[Line], level: int) -> str:
    """Return the heading that stands above all ideas with nothing under it, or an empty string."""
    written = [line for _, line in part if line.strip()]
    if len(written) > 1:
        return ""
    found = heading(written[0])
    return found.text if found and found.level < level else ""


def _front(lines: list[Line]) -> tuple[dict[str, str], list[Line]]:
    """Return what stands between two rules at the very beginning, as `key: value`, and the rest."""
    written = [n for n, (_, line) in enumerate(lines) if line.strip()]
    if not written or lines[written[0]][1].strip() != "---":
        return {}, lines
    entries = dict[str, str]()
    for n in written[1:]:
        line = lines[n][1]
        if line.strip() == "---" and entries and n < written[0] + 60:
            return entries, lines[n + 1 :]
        entry = MARK.match(line)
        if entry is None:
            break
        entries[column(entry[1])] = entry[2].strip().strip("\"'")
    return {}, lines


def _parts(lines: list[Line]) -> Iterator[list[Line]]:
    """Give the lines of each idea."""
    level, part, parts = _level(lines), list[Line](), set[str]()
    for number, line in _unfenced(lines):
        found = heading(line)
        named = simple(found.text) if found else ""
        is_part = named in PARTS
        again = is_part and named in parts
        if RULE.match(line) or again or (found and not is_part and found.level <= level):
            yield part
            part, parts = [], set()
            if RULE.match(line):
                continue
        if is_part:
            parts.add(named)
        part.append((number, line))
    yield part


def _unfenced(lines: list[Line]) -> Iterator[Line]:
    """Give all lines; inside a fence of code a heading or a rule is none, so it is indented out of
    reach.
    """
    fenced = False
    for number, line in lines:
        fence = line.lstrip().startswith("```")
        hidden = fenced and not fence and (heading(line) or RULE.match(line))
        yield number, f"    {line}" if hidden else line
        fenced ^= fence


def _level(lines: list[Line]) -> int:
    """Return how deep a heading may be to begin an idea: the highest level there is, or the next
    where one heading stands above all others.
    """
    headings = filter(None, (heading(line) for _, line in _unfenced(lines)))
    found = [(one.level, simple(one.text)) for one in headings]
    levels = sorted(level for level, named in found if named not in PARTS)
    if not levels:
        return 0
    top = levels[0]
    return levels[1] if levels.count(top) == 1 and len(levels) > 2 and found[0][0] == top else top


def _row(common: dict[str, str], lines: list[Line]) -> Row:
    """Return an idea's title, its text, its parts, and what is said of it; what is said of it a
    second time stays in its text.
    """
    cells, about, body = dict(common), dict[str, str](), list[str]()
    parts: dict[str, list[str]] = {}
    here, begun = "", False
    for _, line in lines:
        found, bold = heading(line), BOLD.match(line)
        if found and simple(found.text) in PARTS:
            here = column(found.text)
        elif bold and simple(bold[1]) in PARTS:
            here = column(bold[1])
            parts.setdefault(here, []).append(bold[2])
        elif found and not begun and "title" not in cells:
            cells["title"] = found.text
            continue
        elif not here and (said := SAID.match(line)) and said[1].lower() not in about:
            about[said[1].lower()] = said[2]
            continue
        elif here:
            parts.setdefault(here, []).append(line)
        body.append(line)
        begun = begun or bool(line.strip())
    first = next(number for number, line in lines if line.strip())
    texts = {name: "\n".join(some).strip() for name, some in {"text": body, **parts}.items()}
    return Row(f"line {first}", {**cells, **about, **texts})
