"""Questions and data sets: a question with its review, questions from sampled works, published
papers as targets.
"""

import argparse
from pathlib import Path

from core.commands.options import (
    Answer,
    Verbs,
    add_before,
    add_numbers,
    add_repeatable,
    configure,
    models_of,
    pick,
    reply,
    seed_paper,
)
from core.commands.parsing import Parser
from core.commands.working import start
from core.errors import BadInput
from core.export.datasets import export_dataset
from core.literature.corpora import lister, sampler
from core.methods.criteria import CATEGORIES, criteria, criteria_from
from core.methods.questioning import QuestionInputs
from core.methods.seed_dataset import SeedInputs
from core.methods.target_dataset import TargetInputs
from core.records import Criteria
from core.runs.catalogue import METHODS
from core.runs.planning import validated
from core.runs.workshop import Workshop


def question(shop: Workshop, args: argparse.Namespace) -> Answer:
    require_understanding(shop, "question", args)
    seed = seed_paper(shop, args)
    topic = args.topic or args.question or (seed.title if seed else "")
    inputs = validated(
        QuestionInputs, topic=topic, seed=seed, question=args.question or "", before=args.before
    )
    return start(shop, "question", inputs, topic, **configure(args))


def seeds(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Build a data set of research questions from works sampled at random; `resume` goes on with
    one that was stopped.
    """
    sampler(shop.source(configure(args)["source"]))
    require_understanding(shop, "seed-dataset", args)
    inputs = validated(
        SeedInputs,
        topic="research questions",
        **pick(args, "year", "works", "sample_seed", "at_once", "before"),
    )
    title = f"{inputs.works} questions from works of {inputs.year}"
    return start(shop, "seed-dataset", inputs, title, **configure(args))


def targets(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Build a data set of published papers as targets, category by category; `resume` goes on with
    one that was stopped.
    """
    lister(shop.source(configure(args)["source"]))
    require_understanding(shop, "target-dataset", args)
    if args.criteria and args.category:
        raise BadInput(
            "--category chooses among our own categories; leave it out where a file of criteria"
            " names yours."
        )
    given = pick(args, "year", "each", "background")
    if args.criteria:
        wanted = criteria_from(args.criteria, **given)
    else:
        wanted = criteria(tuple(args.category), **given)
    inputs = validated(
        TargetInputs, topic="target papers", criteria=wanted, **pick(args, "at_once")
    )
    categories = ", ".join(category.name for category in wanted.categories)
    title = f"Targets of {wanted.year}: {categories}"
    return start(shop, "target-dataset", inputs, title, **configure(args))


def export(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a data set, as far as it is made, to a .jsonl or .csv file."""
    rows = export_dataset(shop.store, args.id, args.file)
    return reply("listed", file=str(args.file), rows=rows)


def require_understanding(shop: Workshop, method: str, args: argparse.Namespace) -> None:
    """Raise BadInput where the chosen model cannot do what the method asks of it."""
    name = models_of(args).get("main") or shop.chosen("main")
    model = shop.model(name)
    if any(not model.answers(prompt) for prompt in METHODS[method].prompts):
        raise BadInput(
            f"{METHODS[method].label} takes a model that understands what it reads, and {name!r}"
            " does not. Choose a language model with --model, or in Settings."
        )


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
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
    add_before(made)
    inner = verbs.under("dataset")
    seeding = inner.add(
        "seeds",
        seeds,
        verbs.asking,
        _begin(verbs, "openalex", "where works are sampled (OpenAlex) and papers are searched"),
    )
    add_numbers(
        seeding,
        SeedInputs,
        {
            "works": "how many works are sampled, {ge} to {le} (default {default})",
            "year": "the year they are of (default {default})",
            "sample_seed": (
                "seed of the sample: the same one gives the same works (default {default})"
            ),
        },
    )
    add_before(seeding)
    side_by_side = "questions prepared side by side, {ge} to {le} (default {default})"
    add_numbers(seeding, SeedInputs, {"at_once": side_by_side})
    aiming = inner.add(
        "targets",
        targets,
        verbs.asking,
        _begin(
            verbs, "semantic-scholar", "where papers are listed (Semantic Scholar) and followed"
        ),
    )
    add_numbers(
        aiming,
        Criteria,
        {
            "year": "the year the papers are of (default {default})",
            "each": "how many targets per category, {ge} to {le} (default {default})",
            "background": (
                "how many abstracts of its references a target takes along at most (default"
                " {default})"
            ),
        },
    )
    add_repeatable(
        aiming,
        "--category",
        f"one of {', '.join(one.name for one in CATEGORIES)}; repeatable (default: all)",
        "NAME",
    )
    aiming.add_argument(
        "--criteria",
        type=Path,
        metavar="FILE.json",
        help="criteria of your own: year, each, in_venue, anywhere, without, categories",
    )
    side_by_side = "targets made side by side, {ge} to {le} (default {default})"
    add_numbers(aiming, TargetInputs, {"at_once": side_by_side})
    taking = inner.add("export", export)
    taking.add_argument("id", metavar="RUN")
    taking.add_argument("file", type=Path, metavar="FILE")


def _begin(verbs: Verbs, source: str, about: str) -> Parser:
    """Return what every new run is told, with another source where nothing is said."""
    begin = Parser(add_help=False, parents=[verbs.caps])
    begin.add_argument("--source", default=source, help=f"{about} (default: {source})")
    begin.add_argument("--seed", type=int, help="seed of the run")
    return begin
