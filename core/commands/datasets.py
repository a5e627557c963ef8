"""Questions and data sets: a question with its review, questions from sampled works, published
papers as targets.
"""

import argparse
from pathlib import Path

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, asked, models_of
from core.commands.parsing import Parser
from core.commands.working import start
from core.errors import BadInput
from core.export.datasets import export_dataset
from core.literature.corpora import lister, sampler
from core.methods.criteria import CATEGORIES, criteria, criteria_from
from core.methods.questioning import QuestionInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.runs.catalogue import METHODS
from core.runs.planning import find_paper, validated
from core.runs.workshop import Workshop


def question(shop: Workshop, args: argparse.Namespace) -> Answer:
    understands(shop, "question", args)
    seed = (
        find_paper(shop, args.seed_paper, {**asked(args), "models": {}})
        if args.seed_paper
        else None
    )
    topic = args.topic or args.question or (seed.title if seed else "")
    inputs = validated(
        QuestionInputs, topic=topic, seed=seed, question=args.question or "", before=args.before
    )
    return start(shop, "question", inputs, topic, **asked(args))


def seeds(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Build a data set of research questions from works sampled at random; `resume` goes on with
    one that was stopped.
    """
    sampler(shop.source(asked(args)["source"]))
    understands(shop, "seed-dataset", args)
    given = {
        "year": args.year,
        "works": args.works,
        "sample_seed": args.sample_seed,
        "at_once": args.at_once,
        "before": args.before,
    }
    inputs = validated(
        SeedInputs,
        topic="research questions",
        **{name: value for name, value in given.items() if value is not None},
    )
    return start(
        shop,
        "seed-dataset",
        inputs,
        f"{inputs.works} questions from works of {inputs.year}",
        **asked(args),
    )


def targets(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Build a data set of published papers as targets, category by category; `resume` goes on with
    one that was stopped.
    """
    lister(shop.source(asked(args)["source"]))
    understands(shop, "target-dataset", args)
    given = {
        name: value
        for name in ("year", "each", "background")
        if (value := getattr(args, name)) is not None
    }
    if args.criteria and args.category:
        raise BadInput(
            "--category chooses among our own categories; leave it out where a file of criteria"
            " names yours."
        )
    wanted = (
        criteria_from(args.criteria, **given)
        if args.criteria
        else criteria(tuple(args.category), **given)
    )
    inputs = validated(
        TargetInputs,
        topic="target papers",
        criteria=wanted,
        **({"at_once": args.at_once} if args.at_once else {}),
    )
    return start(
        shop,
        "target-dataset",
        inputs,
        f"Targets of {wanted.year}: {', '.join(one.name for one in wanted.categories)}",
        **asked(args),
    )


def export(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a data set, as far as it is made, to a .jsonl or .csv file."""
    rows = export_dataset(shop.store, args.id, args.file)
    return {**nothing("listed"), "file": str(args.file), "rows": rows}, 0


def understands(shop: Workshop, method: str, args: argparse.Namespace) -> None:
    """Raise BadInput where the chosen model cannot do what the method asks of it."""
    name = models_of(args).get("main") or shop.chosen("main")
    model = shop.model(name)
    if any(not model.answers(prompt) for prompt in METHODS[method].prompts):
        raise BadInput(
            f"{METHODS[method].label} takes a model that understands what it reads, and {name!r}"
            " does not. Choose a language model with --model, or in Settings."
        )


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    made = verbs.add("question", question, verbs.asking, verbs.begin)
    made.add_argument(
        "--topic", help="what the question is about; may be left out with --seed-paper"
    )
    made.add_argument(
        "--seed-paper", metavar="PAPER", help="start from this paper: DOI, arXiv id, id or title"
    )
    made.add_argument(
        "--question", help="a question of your own: only its papers are found and reviewed"
    )
    made.add_argument("--before", help="only papers before this date, YYYY-MM-DD")
    inner = verbs.under("dataset")
    seeding = inner.add(
        "seeds",
        seeds,
        verbs.asking,
        _begin(verbs, "openalex", "where works are sampled (OpenAlex) and papers are searched"),
    )
    seeding.add_argument(
        "--works", type=int, help="how many works are sampled, 1 to 10000 (default 1000)"
    )
    seeding.add_argument("--year", type=int, help="the year they are of (default 2025)")
    seeding.add_argument(
        "--sample-seed",
        type=int,
        help="seed of the sample: the same one gives the same works (default 20260)",
    )
    seeding.add_argument("--before", help="only papers before this date, YYYY-MM-DD")
    seeding.add_argument(
        "--at-once", type=int, help="questions prepared side by side, 1 to 32 (default 8)"
    )
    aiming = inner.add(
        "targets",
        targets,
        verbs.asking,
        _begin(
            verbs, "semantic-scholar", "where papers are listed (Semantic Scholar) and followed"
        ),
    )
    aiming.add_argument("--year", type=int, help="the year the papers are of (default 2024)")
    aiming.add_argument(
        "--each", type=int, help="how many targets per category, 1 to 500 (default 10)"
    )
    aiming.add_argument(
        "--background",
        type=int,
        help="how many abstracts of its references a target takes along at most (default 30)",
    )
    aiming.add_argument(
        "--category",
        action="append",
        default=[],
        metavar="NAME",
        help=f"one of {', '.join(one.name for one in CATEGORIES)}; repeatable (default: all)",
    )
    aiming.add_argument(
        "--criteria",
        type=Path,
        metavar="FILE.json",
        help="criteria of your own: year, each, in_venue, anywhere, without, categories",
    )
    aiming.add_argument(
        "--at-once", type=int, help="targets made side by side, 1 to 32 (default 8)"
    )
    taking = inner.add("export", export)
    taking.add_argument("id", metavar="RUN")
    taking.add_argument("file", type=Path, metavar="FILE")


def _begin(verbs: Verbs, source: str, about: str) -> Parser:
    """Return what every new run is told, with another source where nothing is said."""
    begin = Parser(add_help=False, parents=[verbs.caps])
    begin.add_argument("--source", default=source, help=f"{about} (default: {source})")
    begin.add_argument("--seed", type=int, help="seed of the run")
    return begin
