"""Words that several verbs of a benchmark have."""

import argparse
from collections.abc import Iterable
from typing import Any

from core.errors import BadInput
from core.runs.workshop import Workshop


def split_names(lists: Iterable[str]) -> list[str]:
    """Return the names in lists that are parted by commas."""
    return [name.strip() for some in lists for name in some.split(",") if name.strip()]


def read_limits(given: Iterable[str]) -> dict[str, int]:
    """Return calls at once by provider; raises BadInput."""
    found = {}
    for one in given:
        provider, _, n = one.partition("=")
        if not provider or not n.isdecimal() or not int(n):
            raise BadInput(
                f"--calls {one!r}: say a provider and how many calls at once it gets, as in"
                " openai=8."
            )
        found[provider] = int(n)
    return found


def use_cluster(shop: Workshop, args: argparse.Namespace) -> None:
    """Have calls made by the workers of a cluster, until this process ends; raises BadInput."""
    if args.workers:
        if not args.workers.startswith("dask://"):
            raise BadInput(
                f"--workers {args.workers!r}: say where a Dask scheduler answers, as in"
                " dask://127.0.0.1:8786. Without it, this process makes the calls."
            )
        shop.settings = shop.settings.model_copy(update={"cluster": args.workers})


def add_workers(made: argparse.ArgumentParser, **how: Any) -> None:
    """Add the word that says where calls are made."""
    made.add_argument(
        "--workers",
        metavar="dask://HOST:PORT",
        help="have the workers of this Dask cluster make the calls",
        **how,
    )
