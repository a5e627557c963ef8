"""Which models there are."""

import argparse

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, add_flag
from core.export.dumps import dump_all
from core.models.reach import reachable, trained_here
from core.runs.catalogue import ROLES
from core.runs.workshop import Workshop


def models(shop: Workshop, args: argparse.Namespace) -> Answer:
    found = dump_all((*reachable(shop.settings), *trained_here(shop.store.policies.listed())))
    chosen = {role: shop.chosen(role) for role in ROLES}
    tested = shop.test_model(args.model or chosen["main"]) if args.test else None
    return {"reachable": found, "chosen": chosen, "test": tested, **nothing("listed")}, 0


def words(verbs: Verbs) -> None:
    """Add the verb of this room."""
    testing = verbs.add("models", models, verbs.asking)
    add_flag(testing, "--test", "make one real call")
