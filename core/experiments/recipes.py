"""Recipes as they are written: TOML files of a screenful, checked with the line and the key of what
is wrong.

    title = "Length of the chain"
    paper = "Chain of Ideas"
    shows = ["figure 6"]
    engine = "topic-experiment"
    measures = ["ratings among lengths"]
    draws = ["topics-length-ideas"]
    not_comparable = "Figure 6 prints no values."
    [inputs]
    contenders = ["chain, length 0", "chain, length 5"]
    [sizes.small]
    take = 2
    [sizes.paper]
    take = 50
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from core.errors import BadInput
from core.files import read_text
from core.records import Recipe, Record
from core.records.faults import fault_in_words
from core.wording.numbers import counted
from core.wording.toml_files import read_toml

FOLDER = Path(__file__).parents[2] / "assets" / "experiments" / "recipes"
ORDER = (
    *("coi-arena", "coi-design", "coi-ablations", "coi-length", "coi-width"),
    *("infal-main", "infal-ablations", "infal-judges", "infal-cost"),
    *("evoideator-main", "evoideator-providers", "liveidea"),
)
"""The recipes that come with the program, by paper."""
MOST_SAID = 20
"""Faults of a recipe that are told at once."""
_TABLE = re.compile(r"^\s*\[\[?([^\]]+)\]")
_KEY = re.compile(r"^\s*(?:\"([^\"]+)\"|([\w-]+(?:\.[\w-]+)*))\s*=")
Lines = Mapping[tuple[str, ...], int]
Inputs = Mapping[str, Any]
Build = Callable[[Recipe, Inputs], Record]
"""Makes an experiment's inputs of what a recipe asks for, with made-up models and data; raises
BadInput and ValidationError.
"""


class Written(NamedTuple):
    """A recipe with its text."""

    recipe: Recipe
    text: str


@cache
def shipped() -> dict[str, Written]:
    """Return the recipes that come with the program, by name, unchecked but for their form."""
    return {name: parse(name, (FOLDER / f"{name}.toml").read_text("utf-8")) for name in ORDER}


def read(said: str, build: Build) -> Written:
    """Return the recipe of that name, or the one in that file, checked; raises BadInput that says
    what there is, or what is wrong in which line.
    """
    if said in shipped():
        return shipped()[said]
    path = Path(said)
    if path.suffix != ".toml":
        raise BadInput(
            f"There is no recipe {said!r}. There are {', '.join(ORDER)}; one of your own is a file"
            " that ends in .toml."
        )
    return read_own(path.name, read_text(path), build)


def read_own(file: str, text: str, build: Build) -> Written:
    """Read a recipe that a researcher wrote, by the name of its file, and check it; raises BadInput
    that names the line and the key of what is wrong.
    """
    written = parse(_name(Path(file)), text, file)
    check(written, build, file)
    return written


def _name(path: Path) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:60]
    return plain or "recipe"


def parse(name: str, text: str, where: str = "") -> Written:
    """Read a recipe; raises BadInput that names the line and the key of what is wrong."""
    file = where or f"{name}.toml"
    try:
        given = read_toml(text)
    except ValueError as error:
        raise BadInput(f"{file}: {error}. A recipe is a TOML file.") from None
    try:
        return Written(Recipe.model_validate({**given, "name": name}), text)
    except ValidationError as error:
        faults = error.errors()
    lines = lines_of(text)
    said = [
        _said(lines, tuple(map(str, one["loc"])), fault_in_words(one)) for one in faults[:MOST_SAID]
    ]
    if (more := len(faults) - MOST_SAID) > 0:
        said.append(f"and {counted(more, 'more fault')}")
    raise BadInput(f"{file}: {'; '.join(said)}.")


def check(written: Written, build: Build, file: str) -> None:
    """Raise BadInput, with line and key, for inputs that the recipe's engine does not take, at
    either size.
    """
    recipe, lines = written.recipe, lines_of(written.text)
    for size in recipe.sizes:
        inputs = asked(recipe, size)
        try:
            build(recipe, inputs)
        except ValidationError as error:
            fault = error.errors()[0]
            wrong = fault_in_words(fault)
            # What does not go together has no key: it is the one whose value is quoted.
            quoted = (key for key, said in inputs.items() if repr(said) in wrong)
            at = tuple(map(str, fault["loc"])) or tuple(islice(quoted, 1))
            raise BadInput(f"{file}: {_said(lines, _place(recipe, size, at), wrong)}.") from None
        except BadInput as error:
            # A refusal that names no key is one of a contender.
            keys = ("draws", *inputs, "contenders")
            key = next((one for one in keys if str(error).startswith(repr(one))), "contenders")
            at = ("draws",) if key == "draws" else _place(recipe, size, (key,))
            raise BadInput(f"{file}: {_said(lines, at, str(error).rstrip('.'))}.") from None


def asked(recipe: Recipe, size: str) -> dict[str, Any]:
    """Return what an experiment of this size is asked for: what holds at every size, and what is
    otherwise at this one. A number is the paper's size with as many.
    """
    chosen = recipe.sizes["small" if size == "small" else "paper"]
    return {**recipe.inputs, **chosen.inputs}


def taken(recipe: Recipe, size: str) -> int:
    """Return how many topics, targets, questions or keywords a size takes; raises BadInput for what
    is no size.
    """
    if size in ("small", "paper"):
        return recipe.sizes["small" if size == "small" else "paper"].take
    if size.isdecimal() and len(size) < 10 and int(size) > 0:
        return int(size)
    raise BadInput(f"--size {size!r}: say small, paper, or how many it takes.")


# -- where something stands --------------------------------------------------------------------


def lines_of(text: str) -> dict[tuple[str, ...], int]:
    """Return the line of every table and key of a TOML text that begins a line of its own."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for n, line in _outside_strings(text):
        if header := _TABLE.match(line):
            table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            found.setdefault(table, n)
        elif key := _KEY.match(line):
            names = (key[1],) if key[1] else tuple(key[2].split("."))
            found.setdefault((*table, *names), n)
    return found


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, but for those that begin within a text of several lines."""
    within = False
    for n, line in enumerate(text.splitlines(), 1):
        if not within:
            yield n, line
        within ^= (line.count('"""') + line.count("'''")) % 2 == 1


def _place(recipe: Recipe, size: str, at: tuple[str, ...]) -> tuple[str, ...]:
    """Return where an input stands: with its size, where that has one of its own."""
    own = recipe.sizes["small" if size == "small" else "paper"].inputs
    if at and at[0] in own:
        return ("sizes", size, "inputs", *at)
    return ("inputs", *at)


def _said(lines: Lines, at: tuple[str, ...], wrong: str) -> str:
    """Say what is wrong, with the line of the innermost key that has one."""
    known = tuple(part for part in at if not part.isdigit())
    name = ".".join(known) or "recipe"
    for n in range(len(known), 0, -1):
        # Of a table that has no line of its own the first one within.
        within = [line for key, line in lines.items() if key[:n] == known[:n]]
        if within:
            return f"line {lines.get(known[:n], min(within))}, {name}: {wrong}"
    return f"{name}: {wrong}"
