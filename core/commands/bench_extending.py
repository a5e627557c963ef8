"""`bench extend`: more models, keywords or ideas for a benchmark that rests; only what is new is
asked.
"""

import argparse
from pathlib import Path
from typing import Any

from core.benchmark import BenchInputs
from core.commands.bench_telling import describe_estimate, spell_size, work_on
from core.commands.bench_words import add_workers, read_limits, split_names, use_cluster
from core.commands.options import Answer, Verbs, read_bytes
from core.errors import BadInput
from core.export.benchmarks.folder import asked_for
from core.importing.keywords import from_file
from core.records import Entrant, Run
from core.runs.beginning import can_be_asked
from core.runs.extending import STAYS, benchmark_of, extend_benchmark, grown, new_in, same_protocol
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop

STAYING = (
    "judges",
    "judges-each",
    "asked-words",
    "most-words",
    "seed",
    "temperature",
    "max-tokens",
    "ranking",
)
"""What an extension cannot be told."""


def extend(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Add models, keywords or ideas to a benchmark, as a benchmark of its own that takes over all
    that is settled; judges and all else stay.
    """
    if getattr(args, "staying", None) or any(
        getattr(args, name.replace("-", "_"), None) not in (None, []) for name in STAYING
    ):
        raise BadInput(f"{STAYS} Leave the rest out, or begin a new benchmark.")
    use_cluster(shop, args)
    runner = Runner(shop)
    runner.notice_dead()
    parent = benchmark_of(runner, asked_for(shop.store, args.id).id)
    inputs, notes = _grow(shop, args, parent)
    if args.estimate:
        can_be_asked(shop, inputs)
        same_protocol(shop.store, parent.inputs_as(BenchInputs), inputs)
        found = new_in(shop, parent, inputs)
        return (
            describe_estimate(
                found,
                f"{found.calls:,} new answers of {inputs.calls:,}: {spell_size(inputs)}",
                notes,
            ),
            0,
        )
    return work_on(
        runner,
        extend_benchmark(runner, parent.id, inputs, args.cap_usd, args.cap_tokens).id,
        notes=notes,
    )


def _grow(
    shop: Workshop, args: argparse.Namespace, parent: Run
) -> tuple[BenchInputs, tuple[str, ...]]:
    """Return what the extension is asked for, and what of a longer list was not taken."""
    was, names, marked = (
        parent.inputs_as(BenchInputs),
        split_names(args.models),
        split_names(args.marked),
    )
    if stray := [name for name in marked if name not in names]:
        raise BadInput(f"--marked {stray[0]}: it is not among the --models that are added.")
    said: dict[str, Any] = {
        "count": args.limit,
        "ideas": args.ideas,
        "limits": {**was.limits, **read_limits(args.calls)},
    }
    left_out: tuple[str, ...] = ()
    if file := getattr(args, "longer", None):
        held, left_out = from_file(read_bytes(file), file.name)
        said |= {
            "keywords": shop.store.frozen.keep(held),
            "count": args.limit or len(held.keywords),
        }
    models = tuple(validated(Entrant, model=name, marked=name in marked) for name in names)
    return (
        grown(was, models, **{name: value for name, value in said.items() if value is not None}),
        left_out,
    )


def words(inner: Verbs) -> None:
    """Add the verb."""
    made, absent = inner.add("extend", extend, inner.caps), argparse.SUPPRESS
    made.add_argument("id", metavar="ID")
    made.add_argument(
        "--models",
        action="append",
        default=absent,
        metavar="MODEL[,MODEL]",
        help="more models that write ideas; repeatable",
    )
    made.add_argument(
        "--marked",
        action="append",
        default=absent,
        metavar="MODEL[,MODEL]",
        help="those of them that reason in the open",
    )
    made.add_argument(
        "--limit", type=int, default=absent, metavar="N", help="the first N keywords in all"
    )
    made.add_argument(
        "--keywords",
        dest="longer",
        type=Path,
        default=absent,
        metavar="FILE",
        help="a longer list that begins with the same keywords",
    )
    made.add_argument(
        "--ideas", type=int, default=absent, help="ideas per keyword and model in all"
    )
    made.add_argument(
        "--calls",
        action="append",
        default=absent,
        metavar="PROVIDER=N",
        help="calls at once to a provider; repeatable",
    )
    made.add_argument(
        "--estimate",
        action="store_true",
        default=absent,
        help="say what is new and what it would take, and start nothing",
    )
    add_workers(made, default=absent)
    made.add_argument(
        *(f"--{name}" for name in STAYING), dest="staying", default=absent, help=absent
    )
