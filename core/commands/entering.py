"""Ideas from anywhere: bring in a file, gather what runs and the shelf have, list collections and
take them along.
"""

import argparse
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, add_flag, add_kind, add_repeatable, reply
from core.errors import BadInput
from core.export.writing import write_whole
from core.files import read_bytes
from core.importing.filing import FilingReport, bring_in, collection_name
from core.importing.gathering import entries_of_run, entries_of_shelf
from core.importing.mapping import Mapping, Way, proposed, system_of
from core.importing.names import FIELDS, PLACES, Place, first_few
from core.importing.own import taken_along
from core.importing.reading import read
from core.importing.sheets import Sheet
from core.records import Kind
from core.records.faults import fault_in_words
from core.runs.workshop import Workshop


def import_ideas(shop: Workshop, args: argparse.Namespace) -> Answer:
    sheet = read(args.file.name, read_bytes(args.file))
    mapping = mapping_of(
        sheet,
        args.kind,
        args.map,
        {place: said for place in PLACES if (said := getattr(args, place))},
    )
    told_of = {"file": _describe_sheet(sheet), "mapping": mapping.model_dump(exclude_defaults=True)}
    if args.look:
        return reply("listed", **told_of)
    if not args.collection:
        raise BadInput("Name the collection the ideas go to, with --collection NAME.")
    report = bring_in(shop.store, sheet, mapping, args.collection)
    return {**nothing("imported"), **told_of, **describe_report(report)}, exit_code(report)


def mapping_of(sheet: Sheet, kind: Kind, given: list[str], constants: dict[Place, str]) -> Mapping:
    """Return what was given as WHAT=COLUMN on top of what the names of the columns propose; raises
    BadInput.
    """
    guess = proposed(sheet, kind)
    pairs = [_pair(one, kind) for one in given]
    texts = tuple(column for what, column in pairs if what == "text")
    title = next((column for what, column in pairs if what == "title"), "")
    fields = {what.partition(".")[2]: column for what, column in pairs if "." in what}
    if not texts and not fields and guess is None:
        raise BadInput(
            f"No column of {sheet.name} is known to hold a text; say which, with --map text=COLUMN."
            f" It has {first_few(sheet.columns)}."
        )
    text: dict[str, Any] = {"way": _way(fields), "columns": texts, "fields": fields}
    if guess and not texts and not fields:
        text = guess.model_dump(include={"way", "columns", "title", "fields"})
    if title and text["way"] == "text":
        text["title"] = title
    elif title:
        text["fields"] = {**text["fields"], "title": title}
    places = {
        **(guess.places if guess else {}),
        **{what: column for what, column in pairs if what in PLACES},
    }
    try:
        return Mapping.model_validate(
            {
                "kind": kind,
                **text,
                "places": {
                    what: column for what, column in places.items() if what not in constants
                },
                "constants": {**(guess.constants if guess else {}), **constants},
            }
        )
    except ValidationError as error:
        raise BadInput(f"That is no mapping: {fault_in_words(error.errors()[0])}.") from None


def _pair(given: str, kind: Kind) -> tuple[str, str]:
    what, _, column = given.partition("=")
    known = (
        "text",
        *(("title",) if kind == "idea" else ()),
        *PLACES,
        *(
            f"{kind}.{name}"
            for way, names in FIELDS.items()
            if (way == "design") == (kind == "design")
            for name in names
        ),
    )
    if what not in known or not column:
        raise BadInput(
            f"--map {given!r}: say WHAT=COLUMN, where WHAT is one of"
            f" {', '.join(dict.fromkeys(known))}."
        )
    return what, column


def _way(fields: dict[str, str]) -> Way:
    if not fields:
        return "text"
    ways: tuple[Way, ...] = ("six-field", "chain", "design")
    found = next((way for way in ways if FIELDS[way].keys() == fields.keys()), None)
    if found is None:
        forms = "; ".join(", ".join(names) for names in FIELDS.values())
        raise BadInput(
            f"Give a column for every field of one form ({forms}), or only --map text=COLUMN, which"
            " may be repeated."
        )
    return found


def _describe_sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "format": sheet.format,
        "encoding": sheet.encoding,
        "looks_like": system_of(sheet),
        "columns": sheet.columns,
        "rows": len(sheet.rows),
        "broken": len(sheet.refused),
    }


def describe_report(report: FilingReport) -> dict[str, Any]:
    """Return a report with how many rows there are of each kind."""
    whole = report.model_dump(mode="json", exclude={"name", "format", "encoding"})
    return {"counts": {name: len(whole[name]) for name in ("taken", "known", "refused")}, **whole}


def exit_code(report: FilingReport) -> int:
    """Return 2 where nothing came of it at all."""
    return 0 if report.taken or report.known else BadInput.exit_code


def gather(shop: Workshop, args: argparse.Namespace) -> Answer:
    if not args.run and not args.idea:
        raise BadInput("Name what to gather: --run ID or --idea ID, as often as you like.")
    reports = [
        entries_of_run(
            shop.store,
            run,
            args.collection,
            args.method or "",
            args.topic or "",
            args.category or "",
        )
        for run in args.run
    ]
    if args.idea:
        reports.append(
            entries_of_shelf(
                shop.store,
                tuple(args.idea),
                args.collection,
                args.method or "",
                args.topic or "",
                args.model or "",
                args.category or "",
            )
        )
    return {
        **nothing("imported"),
        "gathered": [{"from": one.name, **describe_report(one)} for one in reports],
    }, max(exit_code(one) for one in reports)


def collections(shop: Workshop, args: argparse.Namespace) -> Answer:
    held = shop.store.entries.bunches()
    if (name := args.export or args.remove) and name not in [one.name for one in held]:
        raise BadInput(f"There is no collection {name!r}. `python -m core collections` lists them.")
    if args.export:
        if args.to is None:
            raise BadInput("Say where to, with --to FILE.jsonl.")
        write_whole(args.to, taken_along(shop.store, args.export))
        return reply("listed", collection=args.export, file=str(args.to))
    if args.remove:
        entries = shop.store.entries.remove(args.remove)
        return reply("listed", removed=args.remove, entries=entries)
    return reply("listed", collections=[one.model_dump() for one in held])


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    taking = verbs.add("import-ideas", import_ideas)
    taking.add_argument("file", type=Path, help=".csv, .tsv, .json, .jsonl, .md or .txt")
    taking.add_argument(
        "--collection", metavar="NAME", type=collection_name, help="what they are brought in as"
    )
    add_repeatable(
        taking,
        "--map",
        "what a column stands for: text, title, method, model, topic, category, source, or a field"
        " (idea.title, design.setup); repeatable; what is not said is taken from the columns'"
        " names",
        "WHAT=COLUMN",
    )
    add_kind(taking)
    add_flag(taking, "--look", "say what the file holds and how it would be read, and take nothing")
    gathering = verbs.add("gather", gather)
    gathering.add_argument("--collection", metavar="NAME", type=collection_name, required=True)
    add_repeatable(gathering, "--run", "what this run came to; repeatable", "ID")
    add_repeatable(gathering, "--idea", "this idea from the shelf; repeatable", "ID")
    for made in (taking, gathering):
        for place in PLACES:
            if made is taking or place != "source":
                made.add_argument(
                    f"--{place}", metavar=place.upper(), help=f"the {place} of all of them"
                )
    listing = verbs.add("collections", collections)
    listing.add_argument(
        "--export",
        metavar="NAME",
        help="take this collection along, as JSON lines that `import-ideas` reads",
    )
    listing.add_argument("--to", type=Path, metavar="FILE", help="where to")
    listing.add_argument(
        "--remove",
        metavar="NAME",
        help="take this collection out; frozen copies stay, and what was said of them",
    )
