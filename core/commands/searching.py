"""Searching everything."""

import argparse

from core.commands.options import Answer, Verbs, count, reply
from core.runs.workshop import Workshop
from core.search import NAMES, facts, search
from core.store import Store
from core.store.search import GROUPS, Finds, Found


def search_all(shop: Workshop, args: argparse.Namespace) -> Answer:
    groups = GROUPS if args.kind is None else (args.kind,)
    finds = search(shop, " ".join(args.words), groups, args.limit)
    found = [
        {**one.model_dump(exclude={"passage"}), "passage": passage_of(one)}
        for group in finds
        for one in group.found
    ]
    return reply(
        "found",
        found=found,
        totals={group.group: group.total for group in finds},
        in_words="\n\n".join(in_words(shop.store, group) for group in finds)
        or "Nothing holds all these words. Try fewer, or other ones.",
    )


def in_words(store: Store, finds: Finds) -> str:
    """Return what was found of a group, two lines each."""
    lines = [f"{NAMES[finds.group]} ({len(finds.found)} of {finds.total:,})"]
    for found in finds.found:
        said = " · ".join(filter(None, (*facts(store, found), found.at[:10])))
        lines += [f"  {found.id}  {' '.join(found.title.split())[:100]}", f"      {said}"]
        if found.passage:
            lines.append(f"      {passage_of(found)}")
    return "\n".join(lines)


def passage_of(found: Found) -> str:
    """Return the passage on one line, what was looked for between asterisks."""
    said = "".join(f"*{text}*" if marked else text for text, marked in found.passage)
    return " ".join(said.split())


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    asking = verbs.add("search", search_all)
    asking.add_argument("words", nargs="+", help="what to look for; the last word may be begun")
    asking.add_argument("--kind", choices=GROUPS, help="look among these alone (default: all)")
    asking.add_argument("--limit", type=count, default=10, help="at most so many of each kind")
