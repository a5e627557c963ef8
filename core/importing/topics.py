"""Topics of an experiment from files: one a line, a table with a column `topic`, or JSON with the
papers they were taken from.
"""

import json
from collections.abc import Iterator

from pydantic import ValidationError

from core.errors import BadInput
from core.importing.days import normal_paper
from core.importing.decoding import opened, require_few_brackets
from core.importing.delimited import read_table
from core.importing.names import first_few, only_column
from core.importing.sheets import RefusedRow
from core.records import ExperimentTopic, TopicList
from core.records.faults import MOST_VALUES, faults_in_words, has_few_parts
from core.records.topics import MOST_TOPICS

FORMATS = (
    "Topics are read from .txt or .md with one a line, from .csv or .tsv with a column `topic`, and"
    " from .json or .jsonl with `topic` and, where there is one, `paper`, `idea` and `design`."
)


def topics_in(name: str, data: bytes) -> TopicList:
    """Read the topics in a file by the ending of its name; a line that begins with # is none.
    Raises BadInput that names every row that cannot be used.
    """
    ending = name.rpartition(".")[2].lower()
    _, text, _ = opened(name, data)
    readers = {"txt": _lines, "md": _lines, "csv": _rows, "tsv": _rows}
    readers |= {"json": _whole, "jsonl": _each}
    if ending not in readers:
        raise BadInput(f"{name}: {FORMATS}")
    found: dict[str, ExperimentTopic] = {}
    faults = []
    for where, given in readers[ending](name, text):
        try:
            if isinstance(given, RefusedRow):
                raise ValueError(given.clause)
            if not has_few_parts(given):
                raise ValueError(f"has more than {MOST_VALUES:,} parts, and no topic has")
            one = ExperimentTopic.model_validate(given)
            if one.paper:
                one = one.model_copy(update={"paper": normal_paper(one.paper)})
        except ValidationError as error:
            faults.append(f"{where}: {faults_in_words(error)}")
            continue
        except ValueError as error:
            faults.append(f"{where}: {error}")
            continue
        if one.topic in found:
            faults.append(f"{where}: the topic {one.topic!r} is there already")
        found.setdefault(one.topic, one)
    if faults:
        raise BadInput(f"{name}: {'; '.join(faults[:20])}. {FORMATS}")
    if not found:
        raise BadInput(f"{name} has no topic. {FORMATS}")
    if len(found) > MOST_TOPICS:
        raise BadInput(f"{name} has {len(found):,} topics; {MOST_TOPICS:,} are read. Split it.")
    return TopicList(name=name, topics=tuple(found.values()))


def _lines(_: str, text: str) -> Iterator[tuple[str, object]]:
    for n, line in enumerate(text.splitlines(), 1):
        said = line.strip()
        if said and not said.startswith("#"):
            yield f"line {n}", {"topic": said}


def _rows(name: str, text: str) -> Iterator[tuple[str, object]]:
    table = read_table(name, text, "a topic")
    column = only_column(name, table.columns, ("topic",))
    if not column:
        raise BadInput(f"{name} has no column `topic`; it has {first_few(table.columns)}.")
    for row in table.parts:
        if isinstance(row, RefusedRow):
            yield row.where, row
        elif said := row.cells.get(column, "").strip():
            yield row.where, {"topic": said}


def _whole(name: str, text: str) -> Iterator[tuple[str, object]]:
    require_few_brackets(name, text)
    try:
        given = json.loads(text)
    except RecursionError:
        raise BadInput(f"{name} is nested too deeply to be read. {FORMATS}") from None
    except ValueError as error:
        raise BadInput(f"{name} is no JSON ({error}). {FORMATS}") from None
    rows = given.get("topics", []) if isinstance(given, dict) else given
    for n, one in enumerate(rows if isinstance(rows, list) else [], 1):
        yield f"topic {n}", {"topic": one} if isinstance(one, str) else one


def _each(_: str, text: str) -> Iterator[tuple[str, object]]:
    for n, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"line {n}", json.loads(line)
            except (ValueError, RecursionError):
                yield f"line {n}", {}
