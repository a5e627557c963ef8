"""Refining an idea."""
import argparse
from pathlib import Path

from core.commands import Answer, Verbs, begun
from core.methods.presets import indicator
from core.plans import idea_from, refine_idea, refine_run, stop_rules
from core.workshop import Workshop


def refine(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Refine an idea round by round."""
    goal, rules = indicator(args.indicator, tuple(args.trait)), stop_rules(args.max_rounds, args.patience)
    if args.run:
        inputs = refine_run(shop.store, args.run, goal, rules, args.area)
    else:
        inputs = refine_idea(args.topic or "", idea_from(args.idea) if args.idea else None, goal, rules, args.area)
    return begun(shop, "refine", inputs, inputs.idea.title if inputs.idea else inputs.topic, args)


def words(verbs: Verbs) -> None:
    """Add the verb of this room."""
    made = verbs.add("refine", refine, verbs.asking, verbs.begin)
    start = made.add_mutually_exclusive_group(required=True)
    start.add_argument("--run", help="refine the idea of this run")
    start.add_argument("--idea", type=Path, help="a text or JSON file with an idea")
    start.add_argument("--topic", help="let the generator propose the first idea")
    made.add_argument("--area", default="", help="research area, as the actors are told it")
    made.add_argument("--indicator", default="novelty", help="novelty, feasibility, or one of your own with --trait")
    made.add_argument("--trait", action="append", default=[], help="what makes up a quality of your own; repeatable")
    made.add_argument("--max-rounds", type=int, default=10, help="1 to 50 (default 10)")
    made.add_argument("--patience", type=int, default=2, help="stop after this many rounds in a row without improvement (default 2)")
