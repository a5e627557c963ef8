"""Ratings of a session as labelling tools have them: Label Studio (tasks with annotations, the
labelling configuration, the table with an annotation a row) and Argilla (records with responses,
and the settings of their dataset). Without the key: texts are known by label.

Formats: labelstud.io/guide/task_format and /guide/export (JSON, CSV); Argilla 2, records and
settings as its own `to_json` writes them.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from core.export.sessions.wide import names_of
from core.prompts.wording import worded
from core.records import Criterion, RateAnswer, Record, SkipAnswer
from core.store import Store
from core.studies.counting import AnswerPlace
from core.studies.filed import Filed
from core.tables.sheets import rows_as_csv

NOTE, FLAGGED, SKIPPED = "note", "flagged", "skipped"
ARGILLA_RATINGS = (0, 10)
"""The values that a rating of Argilla may have."""
RATERS = uuid.UUID("1c1e2a2e-0d1b-5f5e-9c55-0f0f6d1b2f60")
"""Argilla knows people by UUID: a seat's is made from its id."""
COMPLETED = ("id", "annotation_id", "annotator", "lead_time", "created_at", "updated_at")
TAKEN = ("text", "label", "topic", NOTE, FLAGGED, SKIPPED, *COMPLETED)


def label_studio(store: Store, filed: Filed) -> dict[str, str]:
    """Return tasks, labelling configuration and long table of Label Studio."""
    tasks = _tasks(store, filed)
    return {
        "label-studio/tasks.json": json.dumps(tasks, indent=1, ensure_ascii=False) + "\n",
        "label-studio/config.xml": _config(filed),
        "label-studio/long.csv": _long(filed, tasks),
    }


def argilla(store: Store, filed: Filed) -> dict[str, str]:
    """Return the records and the settings of a dataset of Argilla."""
    records = list(_records(store, filed))
    return {
        "argilla/records.json": json.dumps(records, indent=1, ensure_ascii=False) + "\n",
        "argilla/settings.json": json.dumps(_settings(filed), indent=1, ensure_ascii=False) + "\n",
    }


def _names(filed: Filed) -> dict[str, str]:
    return names_of(filed.study.plan.criteria, TAKEN)


def _texts(store: Store, filed: Filed) -> dict[str, str]:
    items = store.studies.items(filed.study.id)
    frozen = store.frozen.several(tuple(items.values()), Record)
    return {label: worded(frozen[sha]) for label, sha in items.items()}


def _units(filed: Filed) -> Iterator[tuple[str, str, str, list[AnswerPlace]]]:
    """Yield label, unit, topic and the first answers of every unit that figures may count."""
    by_unit: dict[str, list[AnswerPlace]] = {}
    for place in filed.last:
        if filed.rule.work(place.unit, place.time) and place.seat not in filed.rule.left_out:
            by_unit.setdefault(place.unit, []).append(place)
    for unit in filed.units.values():
        if unit.id not in filed.expected:
            yield unit.labels[0], unit.id, unit.topic, by_unit.get(unit.id, [])


# -- Label Studio ----------------------------------------------------------------------------


def _config(filed: Filed) -> str:
    """Return the labelling configuration: a control for every criterion, under the names that the
    annotations use.
    """
    view = Element("View")
    SubElement(view, "Header", value=filed.study.plan.title)
    SubElement(view, "Text", name="text", value="$text")
    names = _names(filed)
    for one in filed.study.plan.criteria:
        name = names[one.name]
        SubElement(view, "Header", value=f"{one.name}: {one.meaning} {one.anchors_said}".strip())
        _control(view, one, name)
        if one.reason != "off":
            _words(view, f"{name}_reason", one.reason == "required")
    for name in (NOTE, FLAGGED, SKIPPED):
        _words(view, name)
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _control(view: Element, one: Criterion, name: str) -> None:
    lowest, highest = one.ends
    to = {"name": name, "toName": "text"}
    if one.kind == "scale":
        SubElement(view, "Number", to, min=str(lowest), max=str(highest), step="1")
    elif one.kind == "yes/no":
        choices = SubElement(view, "Choices", to, choice="single")
        for answer in ("yes", "no"):
            SubElement(choices, "Choice", value=answer)
    else:
        _words(view, name)


def _words(view: Element, name: str, required: bool = False) -> None:
    given = {"name": name, "toName": "text"} | ({"required": "true"} if required else {})
    SubElement(view, "TextArea", given)


def _tasks(store: Store, filed: Filed) -> list[dict[str, Any]]:
    texts = _texts(store, filed)
    tasks = []
    for n, (label, _, topic, places) in enumerate(_units(filed), 1):
        annotations = []
        predictions = []
        for place in places:
            model = filed.seats[place.seat].model
            if not model:
                annotations.append(_annotation(filed, place))
            elif not isinstance(filed.last[place].answer, SkipAnswer):
                result = list(_results(filed, place))
                predictions.append({"model_version": model, "result": result})
        data = {"label": label, "topic": topic, "text": texts[label]}
        tasks.append(
            {"id": n, "data": data, "annotations": annotations, "predictions": predictions}
        )
    return tasks


def _annotation(filed: Filed, place: AnswerPlace) -> dict[str, Any]:
    last = filed.last[place]
    people = [seat.id for seat in filed.seats.values() if not seat.model]
    return {
        "id": last.id,
        "completed_by": people.index(place.seat) + 1,
        "was_cancelled": isinstance(last.answer, SkipAnswer),
        "ground_truth": False,
        "created_at": last.at,
        "updated_at": last.at,
        "lead_time": round(filed.lists[place.seat, place.unit, place.time].active, 1),
        "result": list(_results(filed, place)),
    }


def _results(filed: Filed, place: AnswerPlace) -> Iterator[dict[str, Any]]:
    """Yield an answer control by control; of what could not be judged there is none."""
    last = filed.last[place]
    said = last.answer
    names = _names(filed)
    if isinstance(said, SkipAnswer):
        yield _result(last.id, SKIPPED, "textarea", {"text": [said.reason]})
    if not isinstance(said, RateAnswer):
        return
    for one in filed.study.plan.criteria:
        name = names[one.name]
        score = said.scores.get(one.name)
        if score is not None and one.kind == "yes/no":
            yield _result(last.id, name, "choices", {"choices": [one.called(score)]})
        elif score is not None:
            yield _result(last.id, name, "number", {"number": score})
        if text := said.texts.get(one.name):
            yield _result(last.id, name, "textarea", {"text": [text]})
        if reason := said.reasons.get(one.name):
            yield _result(last.id, f"{name}_reason", "textarea", {"text": [reason]})
    for name, words in ((NOTE, said.note), (FLAGGED, said.flag)):
        if words:
            yield _result(last.id, name, "textarea", {"text": [words]})


def _result(answer: int, name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"{answer}-{name}",
        "from_name": name,
        "to_name": "text",
        "type": kind,
        "value": value,
    }


def _long(filed: Filed, tasks: list[dict[str, Any]]) -> str:
    """Return the table that Label Studio exports as CSV: an annotation a row, a column for each
    control.
    """
    controls = list[str]()
    for one in filed.study.plan.criteria:
        name = _names(filed)[one.name]
        controls += [name] if one.reason == "off" else [name, f"{name}_reason"]
    controls += [NOTE, FLAGGED, SKIPPED]
    lines: list[tuple[object, ...]] = [("label", "topic", "text", *controls, *COMPLETED)]
    for task in tasks:
        for annotation in task["annotations"]:
            given = {}
            for result in annotation["result"]:
                (value,) = result["value"].values()
                given[result["from_name"]] = value[0] if isinstance(value, list) else value
            ends = {
                **annotation,
                "id": task["id"],
                "annotation_id": annotation["id"],
                "annotator": annotation["completed_by"],
            }
            data = task["data"]
            lines.append(
                (
                    *(data[name] for name in ("label", "topic", "text")),
                    *(given.get(name, "") for name in controls),
                    *(ends[name] for name in COMPLETED),
                )
            )
    return rows_as_csv(lines)


# -- Argilla ---------------------------------------------------------------------------------


def _settings(filed: Filed) -> dict[str, Any]:
    names = _names(filed)
    questions = []
    for one in filed.study.plan.criteria:
        described = f"{one.meaning} {one.anchors_said}".strip()
        questions.append(_question(names[one.name], one.name, described, _asked(one)))
        if one.reason != "off":
            name, title = f"{names[one.name]}_reason", f"{one.name}: why?"
            questions.append(_question(name, title, "", TEXT, one.reason == "required"))
    for name in (NOTE, FLAGGED, SKIPPED):
        questions.append(_question(name, name.capitalize(), "", TEXT, required=False))
    field = {
        "name": "text",
        "title": "Text",
        "required": True,
        "settings": {"type": "text", "use_markdown": False},
    }
    metadata = [
        {"name": name, "title": name, "settings": {"type": "terms"}, "visible_for_annotators": True}
        for name in ("label", "topic")
    ]
    return {
        "guidelines": filed.study.plan.instructions,
        "questions": questions,
        "fields": [field],
        "vectors": [],
        "metadata": metadata,
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": filed.study.plan.overlap},
        "mapping": None,
    }


TEXT = {"type": "text", "use_markdown": False}


def _question(
    name: str, title: str, described: str, settings: dict[str, Any], required: bool = False
) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "description": described or None,
        "required": required,
        "settings": settings,
    }


def _asked(one: Criterion) -> dict[str, Any]:
    """Return how a criterion is asked: a rating from 0 to 10 as Argilla has it, else one of its
    points as a label.
    """
    if not one.scored:
        return TEXT
    lowest, highest = one.ends
    if _rates(one):
        return {"type": "rating", "options": [{"value": n} for n in range(lowest, highest + 1)]}
    points = [one.called(n) for n in range(lowest, highest + 1)]
    options = [{"value": point, "text": point, "description": None} for point in points]
    return {"type": "label_selection", "options": options, "visible_options": None}


def _rates(one: Criterion) -> bool:
    lowest, highest = one.ends
    first, last = ARGILLA_RATINGS
    return one.kind == "scale" and first <= lowest and highest <= last


def _records(store: Store, filed: Filed) -> Iterator[dict[str, Any]]:
    texts = _texts(store, filed)
    for label, _, topic, places in _units(filed):
        responses: dict[str, list[dict[str, Any]]] = {}
        suggestions: dict[str, dict[str, Any]] = {}
        for place in places:
            model = filed.seats[place.seat].model
            for name, value in _values(filed, place):
                if model:
                    # One suggestion a question: the first model judge's.
                    suggested = {"value": value, "agent": model, "type": "model", "score": None}
                    suggestions.setdefault(name, suggested)
                else:
                    user = str(uuid.uuid5(RATERS, place.seat))
                    responses.setdefault(name, []).append({"value": value, "user_id": user})
        yield {
            "id": label,
            "fields": {"text": texts[label]},
            "metadata": {"label": label, "topic": topic},
            "suggestions": suggestions,
            "responses": responses,
            "vectors": {},
            "status": "completed" if responses else "pending",
        }


def _values(filed: Filed, place: AnswerPlace) -> Iterator[tuple[str, Any]]:
    names = {name: one for one, name in _names(filed).items()}
    criteria = {one.name: one for one in filed.study.plan.criteria}
    for result in _results(filed, place):
        (value,) = result["value"].values()
        name = result["from_name"]
        one = criteria.get(names.get(name, ""))
        if isinstance(value, list):
            value = value[0]
        if one and one.kind == "scale" and not _rates(one):
            value = str(value)
        yield name, value
