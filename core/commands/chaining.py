"""Chains of ideas and what they are compared with: from a topic or a paper to an idea and its
experiment.
"""

import argparse
from typing import get_args

from core.commands.options import Answer, Verbs, asked
from core.commands.working import start
from core.methods import BaselineInputs, ChainInputs, RealInputs
from core.methods.inputs import Part
from core.runs.planning import find_paper, validated
from core.runs.workshop import Workshop


def chain(shop: Workshop, args: argparse.Namespace) -> Answer:
    anchors = tuple(find_paper(shop, name, asked(args)) for name in args.anchor)
    topic = args.topic or (anchors[0].title if anchors else "")
    inputs = validated(
        ChainInputs,
        topic=topic,
        branches=args.branches,
        length=args.length,
        before=args.before,
        ban=tuple(args.ban),
        milestone=args.milestone,
        anchors=anchors,
        without=tuple(args.without),
        ideas=args.ideas,
        full_text=not args.no_full_text,
        confirm=args.confirm,
        novelty_rounds=args.novelty_rounds,
        design=not args.no_design,
        refinements=args.refinements,
    )
    return start(shop, "chain", inputs, topic, **asked(args))


def baseline(shop: Workshop, args: argparse.Namespace) -> Answer:
    inputs = validated(
        BaselineInputs,
        topic=args.topic,
        before=args.before,
        ban=tuple(args.ban),
        design=not args.no_design,
    )
    return start(shop, args.kind, inputs, args.topic, **asked(args))


def real_paper(shop: Workshop, args: argparse.Namespace) -> Answer:
    paper = find_paper(shop, args.paper, asked(args))
    return start(
        shop,
        "real-paper",
        validated(RealInputs, topic=paper.title, paper=paper, full_text=not args.no_full_text),
        paper.title,
        **asked(args),
    )


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    made = verbs.add("chain", chain, verbs.asking, verbs.begin, verbs.looking)
    made.add_argument(
        "topic",
        nargs="?",
        default="",
        help="what you want ideas about; may be left out with --anchor",
    )
    made.add_argument(
        "--branches", type=int, default=3, help="chains grown side by side, 1 to 8 (default 3)"
    )
    made.add_argument(
        "--length",
        type=int,
        default=5,
        help="papers per chain at most, 1 to 8; 0 takes five papers in no order (default 5)",
    )
    made.add_argument(
        "--milestone",
        type=int,
        default=1000,
        help="citations beyond which the way back stops (default 1000)",
    )
    made.add_argument(
        "--anchor",
        action="append",
        default=[],
        metavar="PAPER",
        help="start a branch from this paper: DOI, arXiv id, id or title; repeatable",
    )
    made.add_argument(
        "--without",
        action="append",
        default=[],
        choices=get_args(Part),
        help=(
            "leave a part out, to see what it does: chain (papers are retrieved, no hops), order"
            " (shuffled, no dates), future, entities"
        ),
    )
    made.add_argument(
        "--ideas",
        type=int,
        default=1,
        help="ideas a branch: so many of its predicted directions are followed (default 1)",
    )
    made.add_argument(
        "--no-full-text", action="store_true", help="read abstracts only, fetch no PDF"
    )
    made.add_argument(
        "--confirm",
        action="store_true",
        help="wait for a person to confirm each predicted direction",
    )
    made.add_argument(
        "--novelty-rounds",
        type=int,
        default=3,
        help="how often a known idea is replaced at most (default 3)",
    )
    made.add_argument("--no-design", action="store_true", help="design no experiment")
    made.add_argument(
        "--refinements",
        type=int,
        default=1,
        help="how often the experiment design is reviewed and refined, 0 to 3 (default 1)",
    )
    plain = verbs.add("baseline", baseline, verbs.asking, verbs.begin, verbs.looking)
    plain.add_argument("kind", choices=("rag", "direct"))
    plain.add_argument("topic")
    plain.add_argument("--no-design", action="store_true", help="design no experiment")
    real = verbs.add("real-paper", real_paper, verbs.asking, verbs.begin)
    real.add_argument("paper", help="DOI, arXiv id, id or title")
    real.add_argument("--no-full-text", action="store_true", help="read the abstract only")
