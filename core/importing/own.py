"""Files this workbench wrote itself: the bundle of a run, and a collection taken along."""

import json
from typing import Any

from core.errors import FoundryError
from core.importing.results import kind_of, maker, results
from core.importing.sheets import RefusedRow, Row, refused
from core.records import Config, Entry, Idea, Record
from core.records.faults import has_few_parts
from core.store import Store
from core.store.steps import AnsweredStep, Product, played_by
from core.story import Story, revive
from core.wording.naming import Made

BUNDLE, ENTRY = "idea-foundry-run/", "idea-foundry-entry/1"
"""How the formats are named: of a run in any version, of an entry of a collection."""
OURS = "our own"
"""Whose file it is, where it is one of these."""
RECORD = "record"
"""The column whose cells are texts in a form of ours, as JSON."""
UNCHECKED = ("inputs", "edits")
"""Fields of a configuration that are taken as they are."""
JUDGED = ("Idea", "Design", "DesignRound", "Outcome", "Evolved", "Round", "Topic")
"""What of a bundle is read."""


def bundle(whole: Any) -> list[Row | RefusedRow]:
    """Return what the run of a bundle came to, one row a text; nothing for what is no bundle."""
    if not isinstance(whole, dict) or not str(whole.get("format", "")).startswith(BUNDLE):
        return []
    try:
        judged = [
            result
            for result in whole["products"]
            if isinstance(result, dict) and result.get("kind") in JUDGED
        ]
        asked = whole["run"]["config"]
        checked = {name: value for name, value in asked.items() if name not in UNCHECKED}
        if not all(map(has_few_parts, (*judged, checked))):
            raise ValueError("too large")
        products = list(map(Product.model_validate, judged))
        story = Story(tuple((result.name, revive(result)) for result in products))
        config = Config.model_validate(asked)
        rows = results(story)
        who = {
            kind: maker(config, story, kind)._replace(model=_writers(whole, config, kind))
            for kind in {kind_of(result.record) for result in rows}
        }
    except (AttributeError, KeyError, TypeError, ValueError, FoundryError):
        return [
            refused(
                "the run",
                "",
                "it was written by another version of this program, or is damaged; open it where it"
                " was made, and take its collection along",
            )
        ]
    run = str(whole["run"].get("id", ""))
    found: list[Row | RefusedRow] = []
    for where, record in rows:
        kind = kind_of(record)
        text = record.text if isinstance(record, Idea) else record.setup
        cells = {
            "kind": kind,
            **who[kind]._asdict(),
            "source": f"run {run}, {where}",
            "begins": text[:200],
            RECORD: record.model_dump_json(),
        }
        found.append(Row(where, cells))
    return found or [refused("the run", "", "it came to no idea")]


def _writers(whole: dict[str, Any], config: Config, kind: Made) -> str:
    """Return the model that wrote the ideas, or the design; those of a branch that took some over
    from another one in the order in which they came to it.
    """
    steps = [
        step
        for step in whole.get("steps", [])
        if (kind == "design") == step["key"].startswith("experiment/")
    ]
    answered = [
        AnsweredStep(
            step["key"],
            step["origin"]["kind"],
            step["request"].get("role", ""),
            step["origin"]["name"],
            taken=step.get("taken_from") is not None,
        )
        for step in steps
    ]
    own = config.models.get(config.writer, "")
    if not any(one.taken for one in answered):
        return own
    return ", then ".join(map(str, played_by(answered, config.writer, own)))


def taken_along(store: Store, collection: str) -> str:
    """Return a collection as one JSON object a line, which any data folder can bring in again."""
    said = {"kind", "method", "model", "topic", "category", "source"}
    lines = []
    for entry, title in entries_in(store, collection):
        line = {
            "format": ENTRY,
            **entry.model_dump(mode="json", include=said),
            "title": title,
            RECORD: store.frozen.get(entry.sha, Record).model_dump_json(),
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)


def entries_in(store: Store, collection: str) -> list[tuple[Entry, str]]:
    """Return every entry of a collection with its title, ideas before designs."""
    batch, found = 1_000, list[tuple[Entry, str]]()
    for kind in ("idea", "design"):
        skip = 0
        while entries := store.entries.of((collection,), kind, batch, skip):
            found, skip = [*found, *entries], skip + batch
    return found
