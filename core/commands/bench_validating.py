"""Judges against experts: `bench sample` draws ideas for experts, `bench validate` holds the judges
against them and keeps nothing.
"""

import argparse
from pathlib import Path
from typing import get_args

from core.benchmark.sampling import PUBLISHED, By, idea_at, keys_handed, rating_sheet, source
from core.benchmark.validation import (
    GivenRatings,
    Validated,
    compare_judges,
    of_file,
    of_session,
    sessions,
    summary,
)
from core.commands.agreement import SHOWN, align
from core.commands.options import Answer, Verbs, add_tables, reply
from core.commands.rating_options import add_columns, ratings_of
from core.errors import BadInput
from core.export.benchmarks.folder import asked_for
from core.export.dumps import dump_all
from core.export.tables import write_tables
from core.export.writing import require_folder, write_whole
from core.importing.benchmarked import BYS, draw_sample, session_of
from core.records import Run
from core.runs.workshop import Workshop
from core.wording.numbers import counted

REFUSED = 20
"""Cells of a file that were not taken and are named one by one."""


def sample(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Draw judged ideas of a benchmark for experts; --experts sets a session up, --sheet writes a
    sheet for experts without this program.
    """
    run = asked_for(shop.store, args.id)
    if args.sheet:
        require_folder(args.sheet)
    with (
        shop.store.connections.writing()
    ):  # A sample without the session that was asked for would be in the way of the next.
        made = draw_sample(shop.store, run, args.ideas, args.by, args.seed, args.name or "")
        study = session_of(shop.store, made.collection, args.experts) if args.experts else None
    if args.sheet:
        words = [one.text for one in shop.store.benchmarks.keywords(run.id)]
        ideas = [
            cell
            for key in keys_handed(shop.store, run.id, made.collection)
            if (cell := idea_at(shop.store, run.id, key))
        ]
        write_whole(args.sheet, rating_sheet(run.id, ideas, words))
    lines = [f"{counted(made.held, 'idea')} in the collection {made.collection!r}."]
    if made.note:
        lines.append(made.note)
    if args.sheet:
        lines.append(f"Filled in, {args.sheet} goes to `bench validate {run.id} --ratings FILE`.")
    if study:
        lines.append(
            f"Session {study.id} is a draft: `study seats {study.id} --add NAME` adds experts,"
            f" `study open {study.id}` opens it."
        )
    return reply(
        "listed",
        benchmark=run.id,
        collection=made.collection,
        drawn=made.drawn,
        ideas=made.held,
        sheet=str(args.sheet) if args.sheet else None,
        study=study.id if study else None,
        in_words="\n".join(lines),
    )


def validate(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Hold a benchmark's judges against experts, from a session whose sources are revealed or a CSV
    of ratings; --json gives every figure.
    """
    run = asked_for(shop.store, args.id)
    if args.session and args.file:
        raise BadInput("Give a --session or a file of --ratings, not both.")
    people = (
        of_session(shop.store, args.session, run.id)
        if args.session
        else _of_file(shop, run, args)
        if args.file
        else _only_session(shop, run)
    )
    found = compare_judges(shop.store, run.id, people)
    if args.to:
        write_tables((summary(found), *found.sheet.tables), args.to, args.table)
    return reply(
        "analysed",
        benchmark=run.id,
        notes=list(found.notes),
        summary=summary(found).model_dump(mode="json"),
        analysis=found.sheet.model_dump(mode="json", exclude={"tables"}),
        statistics=dump_all(found.sheet.statistics),
        tables={one.name: one.model_dump(mode="json") for one in found.sheet.tables},
        **({} if args.json else {"in_words": _read_out(found)}),
    )


def _only_session(shop: Workshop, run: Run) -> GivenRatings:
    """Return the ratings of the one session that is ready to be compared; raises BadInput where
    there is none, or more than one.
    """
    there = sessions(shop.store, run.id)
    ready = [one for one in there if one.unblinded]
    if len(ready) == 1:
        return of_session(shop.store, ready[0].id, run.id)
    if ready:
        raise BadInput(
            "Several sessions rate ideas of this benchmark:"
            f" {', '.join(f'{one.id} ({one.plan.name})' for one in ready)}. Say which with"
            " --session."
        )
    waiting = (
        f" {counted(len(there), 'session')} on it: close it and reveal its sources first."
        if there
        else ""
    )
    raise BadInput(
        f"There are no ratings to hold the judges against.{waiting} Or name a file of filled-in"
        " rating sheets with --ratings FILE."
    )


def _of_file(shop: Workshop, run: Run, args: argparse.Namespace) -> GivenRatings:
    keys = [
        key
        for one in shop.store.entries.holding(source(run.id, ""))
        for key in keys_handed(shop.store, run.id, one.name)
    ]
    if not keys:
        raise BadInput(
            "No sample of this benchmark was drawn. Draw one with `bench sample`, or on its"
            " Validation view, have its rating sheet filled in, and name that file here."
        )
    ratings = ratings_of(args)
    found = of_file(ratings.by_rater, ratings.models, run.id, keys)
    refused = tuple(f"{one.where}: {one.reason}" for one in ratings.refused[:REFUSED])
    return found._replace(left_out=(*refused, *found.left_out))


def _read_out(found: Validated) -> str:
    sheet = found.sheet
    said = (
        f"{counted(sheet.ideas, 'idea')}, {counted(len(sheet.experts), 'expert')}, {sheet.scores:,}"
        " scores, judges' means among them."
    )
    mind = [f"- {one}" for one in (*found.notes, *sheet.warnings)]
    tables = [
        align(one) for one in (summary(found), *sheet.tables) if one.name in ("validation", *SHOWN)
    ]
    return "\n\n".join((said, *tables, *(["\n".join(("Mind", *mind))] if mind else [])))


def words(inner: Verbs) -> None:
    """Add this module's verbs to the command line."""
    drawing = inner.add("sample", sample)
    drawing.add_argument("id", metavar="ID")
    drawing.add_argument(
        "--ideas",
        type=int,
        default=PUBLISHED,
        metavar="N",
        help=f"how many (default {PUBLISHED}, as published)",
    )
    drawing.add_argument(
        "--by",
        choices=get_args(By),
        default="score",
        help="; ".join(f"{name}: evenly over {about}" for name, about in BYS.items()),
    )
    drawing.add_argument(
        "--seed", type=int, default=1, help="the same seed draws the same (default 1)"
    )
    drawing.add_argument(
        "--name", help="the collection they are put into (default: named by what is drawn)"
    )
    drawing.add_argument(
        "--experts",
        type=int,
        choices=range(1, 51),
        metavar="N",
        help="set a session up as a draft, with so many experts for each idea",
    )
    drawing.add_argument(
        "--sheet",
        type=Path,
        metavar="FILE",
        help="write a rating sheet (CSV): blind names, texts, empty columns",
    )
    made = inner.add("validate", validate)
    made.add_argument("id", metavar="ID")
    made.add_argument(
        "--session",
        metavar="SESSION",
        help="the session in which experts rated a sample (default: the only one that is ready)",
    )
    made.add_argument(
        "--ratings",
        dest="file",
        type=Path,
        metavar="FILE",
        help="filled-in rating sheets instead, in one CSV",
    )
    add_columns(made)
    add_tables(made, "validation")
