"""Chains of ideas and what they are compared with: from a topic or a paper to an idea and its
experiment.
"""

import argparse
from typing import get_args

from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_numbers,
    add_repeatable,
    configure,
    pick,
)
from core.commands.working import start
from core.methods import BaselineInputs, ChainInputs, RealInputs
from core.methods.inputs import Part
from core.runs.novelty_checks import covered_by
from core.runs.planning import find_paper, validated
from core.runs.workshop import Workshop


def chain(shop: Workshop, args: argparse.Namespace) -> Answer:
    anchors = tuple(find_paper(shop, name, configure(args)) for name in args.anchor)
    topic = args.topic or (anchors[0].title if anchors else "")
    inputs = validated(
        ChainInputs,
        topic=topic,
        before=args.before,
        ban=tuple(args.ban),
        anchors=anchors,
        without=tuple(args.without),
        full_text=not args.no_full_text,
        confirm=args.confirm,
        design=not args.no_design,
        known=tuple(
            direction for run in args.not_again for direction in covered_by(shop.store, run)
        ),
        **pick(args, "branches", "length", "milestone", "ideas", "novelty_rounds", "refinements"),
    )
    return start(shop, "chain", inputs, topic, **configure(args))


def baseline(shop: Workshop, args: argparse.Namespace) -> Answer:
    inputs = validated(
        BaselineInputs,
        topic=args.topic,
        before=args.before,
        ban=tuple(args.ban),
        design=not args.no_design,
    )
    return start(shop, args.kind, inputs, args.topic, **configure(args))


def real_paper(shop: Workshop, args: argparse.Namespace) -> Answer:
    paper = find_paper(shop, args.paper, configure(args))
    return start(
        shop,
        "real-paper",
        validated(RealInputs, topic=paper.title, paper=paper, full_text=not args.no_full_text),
        paper.title,
        **configure(args),
    )


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    made = verbs.add("chain", chain, verbs.asking, verbs.begin, verbs.looking)
    made.add_argument(
        "topic",
        nargs="?",
        default="",
        help="what you want ideas about; may be left out with --anchor",
    )
    add_numbers(
        made,
        ChainInputs,
        {
            "branches": "chains grown side by side, {ge} to {le} (default {default})",
            "length": (
                "papers per chain at most, 1 to {le}; 0 takes five papers in no order (default"
                " {default})"
            ),
            "milestone": "citations beyond which the way back stops (default {default})",
        },
    )
    add_repeatable(
        made,
        "--anchor",
        "start a branch from this paper: DOI, arXiv id, id or title; repeatable",
        "PAPER",
    )
    add_repeatable(
        made,
        "--without",
        "leave a part out, to see what it does: chain (papers are retrieved, no hops), order"
        " (shuffled, no dates), future, entities",
        choices=get_args(Part),
    )
    add_repeatable(
        made,
        "--not-again",
        "do not repeat what this novelty check found covered; repeatable",
        "RUN",
    )
    ideas = "ideas a branch: so many of its predicted directions are followed (default {default})"
    add_numbers(made, ChainInputs, {"ideas": ideas})
    add_flag(made, "--no-full-text", "read abstracts only, fetch no PDF")
    add_flag(made, "--confirm", "wait for a person to confirm each predicted direction")
    replaced = "how often a known idea is replaced at most (default {default})"
    add_numbers(made, ChainInputs, {"novelty_rounds": replaced})
    add_flag(made, "--no-design", "design no experiment")
    reviewed = "how often the experiment design is reviewed and refined, "
    add_numbers(made, ChainInputs, {"refinements": reviewed + "{ge} to {le} (default {default})"})
    plain = verbs.add("baseline", baseline, verbs.asking, verbs.begin, verbs.looking)
    plain.add_argument("kind", choices=("rag", "direct"))
    plain.add_argument("topic")
    add_flag(plain, "--no-design", "design no experiment")
    real = verbs.add("real-paper", real_paper, verbs.asking, verbs.begin)
    real.add_argument("paper", help="DOI, arXiv id, id or title")
    add_flag(real, "--no-full-text", "read the abstract only")
