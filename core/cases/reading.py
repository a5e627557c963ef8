"""Reading a packed file: from a stranger, so everything about it is checked before anything is
kept; nothing in it is executed.
"""

import json
import math
from typing import Annotated, Literal, NoReturn

from pydantic import AfterValidator, Field, ValidationError

from core.cases.consistency import consistent
from core.errors import BadInput
from core.export.bundling import BUNDLE
from core.records import Record, digest
from core.records.faults import faults_in_words
from core.store.whole import Moment, Sha, Whole

FORMAT = "idea-foundry-case/1"
FAMILY = FORMAT.split("/", maxsplit=1)[0]
MOST_BYTES = 20_000_000
MOST_PARTS = 1_000_000
"""Brackets, braces and commas: what a file takes in memory goes by them. Packed runs have one in 35
bytes or more.
"""
LONGEST, MOST_LETTERS = 5_000, 200
"""Characters in what is said about a case study; in its title, and in a name."""
DEEPEST = 50
"""How deep records may be nested; those of a run are nested some ten levels."""
AGAIN = "Nothing was opened. Ask whoever packed it for the file again."
FOREIGN = (
    "This is no case study of Idea Foundry. Choose a file that was made by saving a run as a case"
    " study, on screen or with python -m core pack."
)


UNSIGNED = (
    "The SHA-256 in this file is a digest of the rest of it, and no signature: it shows that the"
    " file came through whole. Anybody can change a case study and write the digest that fits, and"
    " names in it are only what whoever packed it wrote."
)
"""What the digest of a file is worth, as it stands in the file."""


def _as_it_is(text: str) -> str:
    if text not in ("", UNSIGNED):
        raise ValueError("says something else of it than this program")
    return text


class CaseStudy(Record):
    """A packed run as its file has it; `sha` is the SHA-256 of the canonical JSON of everything
    else.
    """

    format: Literal["idea-foundry-case/1"]
    sha: Sha
    unsigned: Annotated[str, AfterValidator(_as_it_is)] = ""
    """What `sha` is worth; earlier files say nothing of it."""
    title: Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
    about: Annotated[str, Field(max_length=LONGEST)]
    by: Annotated[str, Field(max_length=MOST_LETTERS)]
    at: Moment
    """When the run came to its end."""
    whole: Whole

    @property
    def authored(self) -> bool:
        """Whether texts in it were written for it, by no model."""
        return any(step.origin.kind == "authored" for step in self.whole.steps)


def read(data: bytes) -> CaseStudy:
    """Return the case study in a packed file; raises BadInput, saying what is wrong and what to
    do.
    """
    if len(data) > MOST_BYTES:
        raise BadInput(
            f"The file has more than {MOST_BYTES / 1e6:.0f} MB, and no case study has. Nothing was"
            " opened; check that it is the right file."
        )
    if sum(map(data.count, (b"[", b"{", b","))) > MOST_PARTS:
        raise BadInput(
            f"The file has more than {MOST_PARTS:,} parts, and no case study has. Nothing was"
            " opened; check that it is the right file."
        )
    document = _parse(data)
    _refuse_other_formats(document)
    content = {name: value for name, value in document.items() if name != "sha"}
    if digest(content) != document.get("sha"):
        raise BadInput(
            "This case study was changed after it was packed: its content does not fit its digest."
            f" {AGAIN}"
        )
    try:
        case = CaseStudy.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        raise BadInput(
            "The case study holds something this program does not know:"
            f" {faults_in_words(error)[:500]}. {AGAIN}"
        ) from None
    consistent(case.whole)
    return case


def _parse(data: bytes) -> dict[str, object]:
    try:
        document = json.loads(
            data.decode(),
            object_pairs_hook=_read_names,
            parse_constant=_refuse_constant,
            parse_int=_read_whole,
            parse_float=_read_number,
        )
        # Halves of surrogate pairs come through the parser, and could not be stored.
        json.dumps(document, ensure_ascii=False).encode()
        deep = _is_deeper(document, DEEPEST)
    except RecursionError:
        deep = True
    except ValueError as error:
        if FAMILY.encode() in data[:200]:
            raise BadInput(
                f"The case study is damaged, or was cut short on its way ({str(error)[:150]})."
                f" {AGAIN}"
            ) from None
        raise BadInput(FOREIGN) from None
    if deep:
        raise BadInput(f"The file is nested deeper than any case study. {AGAIN}")
    if not isinstance(document, dict):
        raise BadInput(FOREIGN)
    return document


def _read_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a name stands twice in one place")
    return document


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _read_whole(digits: str) -> int:
    if len(digits) > 16:
        raise ValueError("a number is too large")
    return int(digits)


def _read_number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _is_deeper(value: object, left: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return left == 0 or any(_is_deeper(part, left - 1) for part in parts)


def _refuse_other_formats(document: dict[str, object]) -> None:
    named = document.get("format")
    if named == FORMAT:
        return
    if named == BUNDLE:
        raise BadInput(
            "This is a run exported as JSON, which cannot be opened. Pack the run instead: save"
            " it as a case study, on screen or with python -m core pack."
        )
    if isinstance(named, str) and named.startswith(f"{FAMILY}/"):
        raise BadInput(
            f"This case study is of the format {named[:60]!r}, and this program reads"
            f" {FORMAT!r}. Another version of Idea Foundry wrote it; open it with that one."
        )
    raise BadInput(FOREIGN)
