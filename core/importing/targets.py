"""Targets from files: published ideas that methods are measured against, as a table, as JSON, or as
pasted abstracts.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from core.errors import BadInput
from core.importing.days import normal_paper
from core.importing.decoding import LONGEST_LINE, opened, require_few_brackets, unsound
from core.importing.delimited import read_table
from core.importing.names import SIX, first_few, form_of, match_columns
from core.importing.sheets import RefusedRow
from core.methods.target_dataset import check_neutral
from core.records import FORMS, Idea, Paper, Target, Topic, digest
from core.records.faults import MOST_VALUES, faults_in_words, has_few_parts

NAMES: dict[str, tuple[str, ...]] = {
    "title": ("paper title", "title", "paper"),
    "topic": ("topic", "research topic", "research question"),
    "idea": ("idea", "hypothesis", "text"),
    "abstract": ("abstract",),
    "category": ("category", "field", "area"),
    "background": ("background", "background abstracts", "abstracts"),
    "year": ("year",),
    "published": ("published", "date", "publication date"),
    "doi": ("doi",),
    "arxiv": ("arxiv", "arxiv id"),
}
"""What the columns of a table, and the fields of an object, may be called."""
NEEDED = (
    "Needed are `topic` (one line that does not give the idea away) and `idea`, `abstract`, or the"
    " six fields title, problem, objective, hypothesis, method, expected_impact; `title`,"
    " `category`, `year`, `date`, `doi`, `arxiv` and `background` (abstracts, an empty line between"
    " them) are read too."
)
FORMATS = (
    "Targets are read from .csv, .tsv, .json, .jsonl, and .txt or .md with an abstract in each"
    " paragraph."
)
MOST_NAMED = 50
"""Targets of a file that are named one by one where they cannot be used."""
_SAID = re.compile(r"(topic|category|year|doi|arxiv)\s*:\s*(\S.*)", re.IGNORECASE)
"""What is said of a pasted abstract in a line of its own."""
_BETWEEN = re.compile(r"[\s,]*")
"""What stands between two values of a list."""
Part = tuple[int, object]
"""A line of the file, and what begins there; a string where it cannot be read, saying why."""


def targets_in(name: str, data: bytes, topic: str = "") -> tuple[Target, ...]:
    """Read the targets in a file by the ending of its name; raises BadInput that names every row
    that cannot be used.

    `topic` holds for pasted abstracts that name none.
    """
    ending = name.rpartition(".")[2].lower()
    if ending in ("txt", "md", "markdown"):
        return pasted_targets(name, data, topic)
    if ending not in READERS:
        raise BadInput(f"{name}: {FORMATS}")
    return _make(name, READERS[ending](name, _text(name, data)), "")


def pasted_targets(name: str, data: bytes, topic: str = "") -> tuple[Target, ...]:
    """Read pasted abstracts, one a paragraph: a title on the first line, a line `Topic: ...`, the
    abstract; raises BadInput.
    """
    return _make(name, _paragraphs(_text(name, data)), topic)


def _text(name: str, data: bytes) -> str:
    _, text, _ = opened(name, data)
    if not text.strip():
        raise BadInput(f"{name} is empty. {FORMATS}")
    return text


def _make(name: str, parts: Iterator[Part], topic: str) -> tuple[Target, ...]:
    """Make a target of each part, or say all that is wrong with each that cannot be one."""
    targets: list[Target] = []
    faults: list[str] = []
    for line, part in parts:
        try:
            targets.append(_target(part, topic))
        except ValidationError as error:
            faults.append(f"line {line}: {faults_in_words(error)}.")
        except ValueError as error:
            faults.append(f"line {line}: {error}.")
    if faults:
        more = [f"and {len(faults) - MOST_NAMED} more."] if len(faults) > MOST_NAMED else []
        counts = f"{len(faults)} of {len(targets) + len(faults)}"
        summary = f"{name}: {counts} targets cannot be used. {NEEDED}"
        raise BadInput("\n".join((summary, *faults[:MOST_NAMED], *more)))
    return tuple(targets)


# -- the formats -------------------------------------------------------------------------------


def _lines(_: str, text: str) -> Iterator[Part]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            yield number, f"has more than {LONGEST_LINE:,} signs; give one object a line"
        elif line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, f"is no JSON ({_why(error)})"


def _list(name: str, text: str) -> Iterator[Part]:
    """Yield the objects of a JSON list, or the one object, each with the line it begins at; raises
    BadInput where it is no JSON.
    """
    require_few_brackets(name, text)
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"{name}, line {error.lineno}: this is no JSON ({_why(error)}). Give a list of objects;"
            " where each line is an object of its own, call the file .jsonl."
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{name} cannot be read as JSON ({_why(error)}).") from None
    if not isinstance(whole, list):
        yield 1, whole
        return
    at = text.index("[") + 1
    line, counted = 1, 0
    for one in whole:
        begins = _BETWEEN.match(text, at)
        at = begins.end() if begins else at
        line, counted = line + text.count("\n", counted, at), at
        yield line, one
        _, at = json.JSONDecoder().raw_decode(text, at)


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"column {error.colno}: {error.msg}"
    return (
        "it is nested too deeply"
        if isinstance(error, RecursionError)
        else "it holds a number too long to be read"
    )


def _table(name: str, text: str) -> Iterator[Part]:
    found = read_table(name, text, "a target")
    known = match_columns(found.columns, NAMES)
    if "topic" not in known or not (
        {"idea", "abstract"} & known.keys() or len(match_columns(found.columns, SIX)) == len(SIX)
    ):
        raise BadInput(f"{name} has the columns {first_few(found.columns)}. {NEEDED}")
    for part in found.parts:
        number = int(part.where.rpartition(" ")[2])
        yield number, part.clause if isinstance(part, RefusedRow) else part.cells


def _paragraphs(text: str) -> Iterator[Part]:
    begin, paragraph = 1, list[str]()
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            begin = begin if paragraph else number
            paragraph.append(line.strip())
        elif paragraph:
            yield begin, _read_pasted(paragraph)
            paragraph = []


def _read_pasted(lines: list[str]) -> dict[str, str] | str:
    about, rest = dict[str, str](), list[str]()
    for line in lines:
        if found := _SAID.fullmatch(line.strip()):
            if about.setdefault(found[1].lower(), found[2]) != found[2]:
                return f"says twice what its {found[1].lower()} is; keep one"
        else:
            rest.append(line)
    titled = len(rest) > 1 and len(rest[0]) <= 300
    title = rest.pop(0) if titled else ""
    return {**about, "title": title, "abstract": " ".join(rest)}


READERS: dict[str, Callable[[str, str], Iterator[Part]]] = {
    "csv": _table,
    "tsv": _table,
    "json": _list,
    "jsonl": _lines,
    "ndjson": _lines,
}


# -- a target ----------------------------------------------------------------------------------


def _target(part: object, topic: str) -> Target:
    """Make a target of an object with `paper`, `topic` and `idea`, or of flat cells; raises
    ValidationError, ValueError.
    """
    if isinstance(part, str):
        raise ValueError(part)
    if not isinstance(part, dict):
        raise ValueError("is no object with fields")
    if not has_few_parts(part):
        raise ValueError(f"has more than {MOST_VALUES:,} parts, and no target has")
    if isinstance(part.get("paper"), dict):
        target = Target.model_validate(part)
        background = tuple(map(normal_paper, target.background))
        paper = normal_paper(target.paper)
        return target.model_copy(update={"paper": paper, "background": background})
    six = match_columns(part, SIX)
    cells = {field: _cell(part[column]) for field, column in match_columns(part, NAMES).items()}
    for field, value in cells.items():
        if trouble := unsound(value):
            raise ValueError(f"{field}: {trouble}")
    cells["topic"] = cells.get("topic") or topic
    idea = _idea(part, six, cells)
    there = {"topic": cells["topic"], "idea": idea}
    if lacking := [what for what, value in there.items() if not value]:
        raise ValueError(f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing")
    return _of_cells(cells, Idea.model_validate(idea))


def _of_cells(cells: Mapping[str, str], idea: Idea) -> Target:
    named = {name: cells[name] for name in ("year", "published", "doi", "arxiv") if cells.get(name)}
    title = cells.get("title") or " ".join(idea.title.split())
    abstract = cells.get("abstract") or idea.text
    paper = Paper.model_validate(
        {
            "id": f"typed:{digest(idea.text)[:12]}",
            "title": title,
            "abstract": abstract,
            "source": "typed",
            **named,
        }
    )
    paper = normal_paper(paper)
    if paper.published and paper.year is None:
        paper = paper.model_copy(update={"year": int(paper.published[:4])})
    check_neutral(Topic(topic=cells["topic"]), paper)
    return Target(
        paper=paper,
        category=cells.get("category", ""),
        topic=cells["topic"],
        idea=idea,
        background=_background(cells),
    )


def _idea(part: Mapping[str, Any], six: Mapping[str, str], cells: Mapping[str, str]) -> object:
    """Return the idea as it is validated: in its fields where they are there, else as a paragraph;
    None where there is none.
    """
    idea = part.get("idea")
    if isinstance(idea, dict):
        fields = idea.get("fields", idea)
        form = form_of(fields) if isinstance(fields, dict) else None
        if form is None:
            return idea
        return {"form": form, "fields": {name: fields[name] for name in FORMS[form]}}
    if len(six) == len(SIX):
        return {"form": "six-field", "fields": {name: _cell(part[six[name]]) for name in SIX}}
    if text := cells.get("idea"):
        return {"form": "hypothesis", "fields": {"hypothesis": text}}
    if not cells.get("abstract"):
        return None
    whole = "\n\n".join(filter(None, (cells.get("title"), cells["abstract"])))
    return {"form": "hypothesis", "fields": {"hypothesis": whole}}


def _background(cells: Mapping[str, str]) -> tuple[Paper, ...]:
    parts = [
        part.strip() for part in re.split(r"\n\s*\n", cells.get("background", "")) if part.strip()
    ]
    if short := next((part for part in parts if len(part.split()) < 5), None):
        raise ValueError(
            f"background: {short[:60]!r} is no abstract. Give abstracts with an empty line between"
            " them; a data set of this program has them where it is exported as .jsonl"
        )
    papers = []
    for part in parts:
        first, _, rest = part.partition("\n")
        title = f"{part[:117].rsplit(' ', 1)[0]} ..."
        if rest and len(first) <= 300:
            title = first.strip()
        abstract = " ".join((rest or part).split())
        name = f"pasted-{digest(part)[:12]}"
        papers.append(Paper(id=name, title=title, abstract=abstract, source="pasted"))
    return tuple(papers)


def _cell(value: object) -> str:
    """Return what stands in a cell as text, without the apostrophe that guards a spreadsheet; a
    list of texts is paragraphs.
    """
    if isinstance(value, list):
        return "\n\n".join(str(part) for part in value if isinstance(part, str | int | float))
    if value is None or isinstance(value, dict | bool):
        return ""
    text = str(value).strip()
    return text[1:] if re.match(r"'[=+\-@]", text) else text
