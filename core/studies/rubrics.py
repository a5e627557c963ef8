"""Rubrics: those that come with the program, those saved here, and the file that one is shared as.

A file is JSON or TOML:

    format = "idea-foundry-rubric/1"
    name = "Two qualities"

    [[criteria]]
    name = "novelty"
    question = "How new is the idea?"
    kind = "scale"                          # or "yes/no", or "text"
    from = 1
    to = 7
    reason = "optional"                     # or "off", or "required"
    anchors = { 1 = "It is known.", 4 = "Parts are new.", 7 = "It is new." }
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, get_args

from pydantic import ValidationError

from core.errors import BadInput
from core.records import Criterion, Rubric, StudyPlan
from core.records.faults import fault_in_words, place_of
from core.records.rubrics import CriterionKind, Reasons
from core.store import Store
from core.studies import texts
from core.wording.toml_files import read_toml

FORMAT = "idea-foundry-rubric/1"
KEYS = ("format", "name", "about", "criteria")
OF_A_CRITERION = ("name", "question", "kind", "from", "to", "anchors", "reason")
LARGEST = 1_000_000
"""Bytes of a file that is read."""
YES_NO = {"no": "low", "yes": "high"}
FIELDS = {"meaning": "question", "lowest": "from", "highest": "to"}
"""What a field of a criterion is called in a file."""


def offered(store: Store) -> dict[str, Rubric]:
    """Return every rubric there is to begin from, by name: those saved here first, then ours."""
    ours = {name: Rubric(name=name, criteria=texts.preset(name)) for name in texts.PRESETS}
    saved = {one.name: one for one in store.rubrics.listed()}
    return saved | {name: one for name, one in ours.items() if name not in saved}


def named(store: Store, name: str) -> Rubric:
    """Return the rubric of that name, saved or ours, whatever its capitals; raises BadInput."""
    known = {one.casefold(): rubric for one, rubric in offered(store).items()}
    found = known.get(name.strip().casefold())
    if found is None:
        raise BadInput(
            f"There is no rubric {name!r}. There are: {'; '.join(offered(store))}. A file is named"
            " by its path, ending in .json or .toml."
        )
    return found


def of_plan(plan: StudyPlan) -> Rubric:
    """Return the criteria of a session as a rubric; raises BadInput where it has none."""
    if not plan.criteria:
        raise BadInput("This session has no criteria: rounds are commented by three questions.")
    return Rubric(name=plan.name, criteria=plan.criteria)


def renamed(rubric: Rubric, name: str) -> Rubric:
    """Return a rubric under another name; raises BadInput for one that is no name."""
    try:
        return Rubric.model_validate({**rubric.model_dump(), "name": name})
    except ValidationError as error:
        raise BadInput(_fault("", error)) from None


# -- files ------------------------------------------------------------------------------------


def written(rubric: Rubric) -> str:
    """Return a rubric as its file, in JSON."""
    return json.dumps(as_file(rubric), indent=2, ensure_ascii=False) + "\n"


def as_file(rubric: Rubric) -> dict[str, Any]:
    """Return a rubric under the keys of its file."""
    about = {"about": rubric.about} if rubric.about else {}
    criteria = [_written(one) for one in rubric.criteria]
    return {"format": FORMAT, "name": rubric.name, **about, "criteria": criteria}


def _written(one: Criterion) -> dict[str, object]:
    said: dict[str, object] = {"name": one.name, "question": one.meaning, "kind": one.kind}
    if one.kind == "scale":
        said |= {"from": one.lowest, "to": one.highest}
    if one.anchored:
        said["anchors"] = {one.called(at): meaning for at, meaning in one.anchored.items()}
    return {**said, "reason": one.reason}


def read(name: str, content: bytes) -> Rubric:
    """Return the rubric of a file, JSON or TOML by its ending; raises BadInput that names the key
    at fault: `criteria 2, anchors, 5`.
    """
    whole = _table("the file", _parsed(name, content))
    _known("the file", whole, KEYS)
    if (format_ := whole.get("format", FORMAT)) != FORMAT:
        raise BadInput(f"format: this file is {format_!r}; {FORMAT!r} is read here.")
    several = whole.get("criteria")
    if not isinstance(several, list) or not several:
        raise BadInput("criteria: name at least one, each with its name and its question.")
    criteria = [_criterion(f"criteria {n}", one) for n, one in enumerate(several, 1)]
    given = {key: whole[key] for key in ("name", "about") if key in whole}
    try:
        return Rubric.model_validate({**given, "criteria": criteria})
    except ValidationError as error:
        raise BadInput(_fault("", error)) from None


def _parsed(name: str, content: bytes) -> object:
    if len(content) > LARGEST:
        raise BadInput("A rubric has a few pages at most; this file is too long for one.")
    toml = PurePath(name).suffix.lower() == ".toml"
    try:
        text = content.decode("utf-8-sig")
        return read_toml(text) if toml else json.loads(text)
    except UnicodeDecodeError:
        raise BadInput(f"{name} is not UTF-8. Save it as UTF-8, and try again.") from None
    except (ValueError, RecursionError) as error:
        kind = "TOML" if toml else "JSON"
        raise BadInput(f"{name} cannot be read as {kind}: {error}.") from None


def _criterion(where: str, given: object) -> Criterion:
    said = _table(where, given)
    _known(where, said, OF_A_CRITERION)
    kind = said.get("kind", "scale")
    for key, chosen, choices in (
        ("kind", kind, get_args(CriterionKind)),
        ("reason", said.get("reason", "off"), get_args(Reasons)),
    ):
        if chosen not in choices:
            raise BadInput(f"{where}, {key}: must be one of {', '.join(choices)}.")
    if kind != "scale" and (ends := [key for key in ("from", "to") if key in said]):
        raise BadInput(f"{where}, {ends[0]}: only a scale has it; {kind} has none.")
    fields = {field: said[key] for field, key in FIELDS.items() if key in said}
    fields |= {key: said[key] for key in ("name", "reason") if key in said} | {"kind": kind}
    anchors = _table(f"{where}, anchors", said.get("anchors", {}))
    if kind == "yes/no":
        _known(f"{where}, anchors", anchors, YES_NO)
        fields |= {YES_NO[key]: meaning for key, meaning in anchors.items()}
    else:
        fields |= _anchors(where, fields, anchors)
    try:
        return Criterion.model_validate(fields)
    except ValidationError as error:
        raise BadInput(_fault(where, error)) from None


def _anchors(
    where: str, fields: Mapping[str, object], given: Mapping[str, object]
) -> dict[str, object]:
    """Return the texts at the ends of a scale, and those between."""
    points: dict[int, object] = {}
    for key, meaning in given.items():
        try:
            point = int(key)
        except ValueError:
            raise BadInput(
                f"{where}, anchors, {key}: a point of the scale is a whole number."
            ) from None
        if point in points:
            raise BadInput(f"{where}, anchors, {key}: the point {point} is there twice; keep one.")
        points[point] = meaning
    ends = {"low": fields.get("lowest", 1), "high": fields.get("highest", 10)}
    found: dict[str, object] = {}
    for part, end in ends.items():
        if not isinstance(end, int):
            continue
        if fields.get("kind") != "text" and end not in points:
            raise BadInput(
                f"{where}, anchors, {end}: say what this end of the scale means, which runs from"
                f" {ends['low']} to {ends['high']}."
            )
        if end in points:
            found[part] = points.pop(end)
    return {**found, "anchors": points}


def _table(where: str, given: object) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise BadInput(f"{where}: must be an object with keys.")
    return given


def _known(where: str, given: Mapping[str, object], keys: Iterable[str]) -> None:
    known = tuple(keys)
    if strange := [key for key in given if key not in known]:
        raise BadInput(
            f"{where}, {strange[0]}: no such key is known. There are: {', '.join(known)}."
        )


def _fault(where: str, error: ValidationError) -> str:
    """Say the first fault, with the key it is at as the file calls it."""
    first = error.errors()[0]
    at = ", ".join(FIELDS.get(part, part) for part in place_of(first).split(", ") if part)
    place = ", ".join(filter(None, (where, at)))
    said = fault_in_words(first).rstrip(".")
    return f"{place}: {said}." if place else f"{said}."
