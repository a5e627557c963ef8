"""`bench validate`: the judges of a benchmark held against experts, from a session or a file of ratings; nothing is kept."""
import argparse
from pathlib import Path

from core.agreement.figures import counted
from core.benchmark.sampling import handed, source
from core.benchmark.validation import Given, Validated, of_file, of_session, sessions, summary, validated
from core.commands import Answer, Verbs, nothing
from core.commands.agreement import SHOWN, aligned, write
from core.commands.rating_options import columns, ratings_of
from core.errors import BadInput
from core.export.benchmarks import asked_for
from core.records import Run
from core.workshop import Workshop

REFUSED = 20
"""Cells of a file that were not taken and are named one by one."""


def validate(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Hold a benchmark's judges against experts, from a session whose key is open or a CSV of ratings; --json gives every figure."""
    run = asked_for(shop.store, args.id)
    if args.session and args.file:
        raise BadInput("Give a --session or a file of --ratings, not both.")
    people = of_session(shop.store, args.session, run.id) if args.session else _of_file(shop, run, args) if args.file else _only_session(shop, run)
    found = validated(shop.store, run.id, people)
    if args.to:
        write((summary(found), *found.sheet.tables), args.to, args.table)
    return {**nothing("analysed"), "benchmark": run.id, "notes": list(found.notes), "summary": summary(found).model_dump(mode="json"),
            "analysis": found.sheet.model_dump(mode="json", exclude={"tables"}), "statistics": [one.model_dump(mode="json") for one in found.sheet.statistics],
            "tables": {one.name: one.model_dump(mode="json") for one in found.sheet.tables}, **({} if args.json else {"in_words": _readable(found)})}, 0


def _only_session(shop: Workshop, run: Run) -> Given:
    """Return the ratings of the one session that is ready to be compared; raises BadInput where there is none, or more than one."""
    there = sessions(shop.store, run.id)
    ready = [one for one in there if one.unblinded]
    if len(ready) == 1:
        return of_session(shop.store, ready[0].id, run.id)
    if ready:
        raise BadInput(f"Several sessions rate ideas of this benchmark: {', '.join(f'{one.id} ({one.plan.name})' for one in ready)}. Say which with --session.")
    waiting = f" {counted(len(there), 'session')} on it: close it and open its key first." if there else ""
    raise BadInput(f"There are no ratings to hold the judges against.{waiting} Or name a file of filled-in rating sheets with --ratings FILE.")


def _of_file(shop: Workshop, run: Run, args: argparse.Namespace) -> Given:
    keys = [key for one in shop.store.entries.holding(source(run.id, "")) for key in handed(shop.store, run.id, one.name)]
    if not keys:
        raise BadInput("No sample of this benchmark was drawn. Draw one on its Validation view, have its rating sheet filled in, and name that file here.")
    ratings = ratings_of(args)
    found = of_file(ratings.by_rater, ratings.models, run.id, keys)
    refused = tuple(f"{one.where}: {one.reason}" for one in ratings.refused[:REFUSED])
    return found._replace(left_out=(*refused, *found.left_out))


def _readable(found: Validated) -> str:
    sheet = found.sheet
    said = f"{counted(sheet.ideas, 'idea')}, {counted(len(sheet.experts), 'expert')}, {sheet.scores:,} scores, judges' means among them."
    mind = [f"- {one}" for one in (*found.notes, *sheet.warnings)]
    tables = [aligned(one) for one in (summary(found), *sheet.tables) if one.name in ("validation", *SHOWN)]
    return "\n\n".join((said, *tables, *(["\n".join(("Mind", *mind))] if mind else [])))


def words(inner: Verbs) -> None:
    """Add the verb of this room."""
    made = inner.add("validate", validate)
    made.add_argument("id", metavar="ID")
    made.add_argument("--session", metavar="SESSION", help="the session in which experts rated a sample (default: the only one that is ready)")
    made.add_argument("--ratings", dest="file", type=Path, metavar="FILE", help="filled-in rating sheets instead, in one CSV")
    columns(made)
    made.add_argument("--table", default="validation", metavar="NAME", help="with --to: which table (default validation)")
    made.add_argument("--to", type=Path, help="write a table to this file, .csv, .tex or .md, or all of them to a .zip")
