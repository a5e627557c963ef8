"""Looking at runs: a list of them, or everything of one."""

import argparse

from core.commands.documents import nothing
from core.commands.going_on import with_commands
from core.commands.options import Answer, Verbs, add_flag, count
from core.export import document as reports
from core.runs.catalogue import METHODS
from core.runs.runner import Runner
from core.runs.workshop import Workshop


def runs(shop: Workshop, args: argparse.Namespace) -> Answer:
    Runner(shop).notice_dead()
    found = [
        run
        for run in shop.store.runs.listed(text=args.text, limit=args.limit)
        if args.lookups or not METHODS[run.config.method].lookup
    ]
    return {"runs": [reports.sum_up(shop.store, run) for run in found], **nothing("listed")}, 0


def show(shop: Workshop, args: argparse.Namespace) -> Answer:
    Runner(shop).notice_dead()
    steps = [
        {
            "key": s.key,
            "status": s.status,
            "by": s.origin,
            "tries": s.tries,
            "cost": s.cost,
            "taken_from": s.taken_from,
        }
        for s in shop.store.steps.outline(args.id)
    ]
    open_ = [{"key": one.key, **one.question} for one in shop.store.answers.open(args.id)]
    document = with_commands(shop, reports.document(shop.store, args.id))
    return {**document, "questions": open_, "steps_list": steps}, 0


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    listing = verbs.add("runs", runs)
    listing.add_argument("--text", default="")
    listing.add_argument("--limit", type=count, default=20)
    add_flag(listing, "--lookups", "also list looks into the literature")
    verbs.add("show", show).add_argument("id")
