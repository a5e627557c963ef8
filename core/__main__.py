"""The command line: everything the screens do, headless. `python -m core --help`."""
import argparse
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from core import reports, settings
from core.errors import BadInput, FoundryError, Parked
from core.export import export
from core.leases import alive
from core.methods import ChainInputs
from core.methods.presets import indicator
from core.models.reach import reachable
from core.plans import idea_from, refine_idea, refine_run, stop_rules, validated
from core.prompts import text as prompt_text
from core.records import Config
from core.runner import Runner
from core.watching import watched
from core.workshop import ROLES, Workshop

EXIT = {"done": 0, "failed": 3}
"""Exit code by state; every other state is parked, 4."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns 0 done, 2 bad input, 3 failed at a boundary, 4 parked."""
    given = sys.argv[1:] if argv is None else argv
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        args = parser().parse_args(given)
        document, code = args.command(Workshop(settings.read(data=args.data)), args)
    except FoundryError as error:
        document, code = {**_nothing("refused"), "reason": str(error)}, error.exit_code
        print(error, file=sys.stderr)
    except KeyboardInterrupt:
        said = "Interrupted. `python -m core resume ID` goes on from here."
        document, code = {**_nothing("interrupted"), "reason": said}, Parked.exit_code
        print(said, file=sys.stderr)
    if "--json" in given:
        print(json.dumps(document, indent=1))
    elif document["run"] or document["state"] == "listed":
        print(_readable(document))
    return int(code)


def piped() -> int:
    """Run `main`; a reader that has seen enough, such as `head`, ends it quietly."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are sentences like all others, so that --json stays one document."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message[:1].upper()}{message[1:]}. `{self.prog} --help` says what there is.")


Answer = tuple[dict[str, Any], int]


def chain(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Build a chain of ideas on a topic and draft the idea that comes next."""
    inputs = validated(ChainInputs, topic=args.topic, length=args.length, before=args.before, ban=tuple(args.ban), milestone=args.milestone,
                       novelty_rounds=args.novelty_rounds)
    return _worked(shop, shop.config("chain", inputs, **_asked(args)), args.topic)


def refine(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Refine an idea round by round."""
    goal, rules = indicator(args.indicator, tuple(args.trait)), stop_rules(args.max_rounds, args.patience)
    if args.run:
        inputs = refine_run(shop.store, args.run, goal, rules, args.area)
    else:
        inputs = refine_idea(args.topic or "", idea_from(args.idea) if args.idea else None, goal, rules, args.area)
    config = shop.config("refine", inputs, **_asked(args))
    return _worked(shop, config, inputs.idea.title if inputs.idea else inputs.topic)


def runs(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List runs, newest first."""
    Runner(shop).notice_dead()
    found = shop.store.runs.listed(text=args.text, limit=args.limit)
    return {"runs": [reports.summary(run) for run in found], **_nothing("listed")}, 0


def show(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show a run, its products and its steps."""
    Runner(shop).notice_dead()
    steps = [{"key": s.key, "status": s.status, "by": s.origin, "tries": s.tries, "cost": s.cost, "taken_from": s.taken_from}
             for s in shop.store.steps.outline(args.id)]
    return {**reports.document(shop.store, args.id), "steps_list": steps}, 0


def resume(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Go on with a parked, interrupted or failed run."""
    runner = Runner(shop)
    run = runner.ready_to_resume(args.id)
    if args.cap is not None:
        shop.store.runs.change(run.id, cap_usd=args.cap)
    if args.cap_tokens is not None:
        shop.store.runs.change(run.id, cap_tokens=args.cap_tokens)
    return _work(runner, run.id, runner.resume)


def stop(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Ask a run to stop; what it has stays."""
    Runner(shop).stop(args.id, finish_calls=args.finish_calls)
    run = shop.store.runs.get(args.id)
    note = "asked to stop" if alive(shop.store.runs.lease(args.id)["owner"], None) else run.state
    return {**reports.summary(run), "note": note}, 0


def fork(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Fork a run at a step, with another model or prompt; only what depends on it is paid."""
    runner = Runner(shop)
    texts = dict(_prompt_file(one) for one in args.prompt)
    if unasked := set(texts) - set(shop.store.runs.get(args.id).config.prompts):
        raise BadInput(f"Run {args.id} never asks the prompt {', '.join(sorted(unasked))}.")
    frozen = shop.freeze(texts)

    def change(config: Config) -> Config:
        models = {**config.models, **{role: name for role, name in (("main", args.model), ("cheap", args.cheap_model)) if name}}
        for name in models.values():
            shop.model(name)
        return config.model_copy(update={"models": models, "prompts": {**config.prompts, **frozen}})

    return _work(runner, runner.fork(args.id, args.at, change).id)


def export_run(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a run to a .md or .json file."""
    export(shop.store, args.id, args.to)
    return {**reports.summary(shop.store.runs.get(args.id)), "file": str(args.to)}, 0


def models(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Say which models can be reached; --test asks the chosen main model once."""
    found = [one.model_dump(mode="json") for one in reachable(shop.settings)]
    chosen = {role: shop.chosen(role) for role in ROLES}
    tested = shop.test_model(args.model or chosen["main"]) if args.test else None
    return {"reachable": found, "chosen": chosen, "test": tested, **_nothing("listed")}, 0


# -- parts -----------------------------------------------------------------------------------------------


def _nothing(state: str) -> dict[str, Any]:
    return {"run": None, "state": state, "calls": 0, "tokens": {"in": 0, "out": 0}, "cost": 0}


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    return {"models": {role: name for role, name in (("main", args.model), ("cheap", args.cheap_model)) if name}, "source": args.source,
            "seed": args.seed, "cap_usd": args.cap, "cap_tokens": args.cap_tokens}


def _worked(shop: Workshop, config: Config, title: str) -> Answer:
    runner = Runner(shop)
    return _work(runner, runner.begin(config, title).id)


def _work(runner: Runner, run_id: str, begin: Callable[[str], None] | None = None) -> Answer:
    print(f"Run {run_id}", file=sys.stderr)
    with watched(runner.store, run_id):
        (begin or runner.start)(run_id)
        try:
            runner.wait(run_id)
        except KeyboardInterrupt:
            print("Stopping. Everything up to here is kept.", file=sys.stderr)
            with suppress(BadInput):  # It may have come to its end at this very moment.
                runner.stop(run_id)
            runner.wait(run_id)
    document = reports.document(runner.store, run_id)
    return document, EXIT.get(document["state"], Parked.exit_code)


def _prompt_file(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    if not equals:
        raise BadInput(f"--prompt {given!r}: write NAME=FILE.")
    prompt_text(name)
    try:
        return name, Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"--prompt {given!r}: the file cannot be read ({error}).") from None


def _readable(document: dict[str, Any]) -> str:
    if "runs" in document:
        rows = [f"{one['run']}  {one['state']:<12} {one['method']:<7} {one['steps']:>4} steps  {one['title'][:80]}" for one in document["runs"]]
        return "\n".join(rows) or "No runs yet."
    shown = {name: value for name, value in document.items() if value not in (None, [], {}, "")}
    return json.dumps(shown, ensure_ascii=False, indent=1)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    common = Parser(add_help=False)
    common.add_argument("--data", type=Path, help="data folder (default: FOUNDRY_DATA or ~/.idea-foundry)")
    common.add_argument("--json", action="store_true", help="print one JSON document")
    asking = Parser(add_help=False)
    asking.add_argument("--model", help="main model: builtin, openai:gpt-..., ollama:... (default: as chosen in Settings)")
    asking.add_argument("--cheap-model", help="model for reading papers")
    begin = Parser(add_help=False)
    begin.add_argument("--source", default="shelf", help="shelf (default) or semantic-scholar")
    begin.add_argument("--seed", type=int, help="seed of the run; the same seed gives the same built-in answers")
    begin.add_argument("--cap", type=float, help="stop before this many dollars")
    begin.add_argument("--cap-tokens", type=int, help="stop before this many tokens")
    whole = Parser(prog="python -m core", description=__doc__, allow_abbrev=False)
    verbs = whole.add_subparsers(required=True, metavar="COMMAND")

    def verb(name: str, command: Callable[[Workshop, argparse.Namespace], Answer], *parents: Parser) -> Parser:
        made = verbs.add_parser(name, help=command.__doc__, parents=[common, *parents], allow_abbrev=False)
        made.set_defaults(command=command)
        return made

    _chain_words(verb("chain", chain, asking, begin))
    _refine_words(verb("refine", refine, asking, begin))
    listing = verb("runs", runs)
    listing.add_argument("--text", default="")
    listing.add_argument("--limit", type=int, default=20)
    verb("show", show).add_argument("id")
    going_on = verb("resume", resume)
    going_on.add_argument("id")
    going_on.add_argument("--cap", type=float)
    going_on.add_argument("--cap-tokens", type=int)
    stopping = verb("stop", stop)
    stopping.add_argument("id")
    stopping.add_argument("--finish-calls", action="store_true", help="let the calls in flight finish first, so that nothing paid is lost")
    forking = verb("fork", fork, asking)
    forking.add_argument("id")
    forking.add_argument("--at", required=True, metavar="KEY")
    forking.add_argument("--prompt", action="append", default=[], metavar="NAME=FILE")
    taking = verb("export", export_run)
    taking.add_argument("id")
    taking.add_argument("--to", type=Path, required=True)
    testing = verb("models", models, asking)
    testing.add_argument("--test", action="store_true", help="make one real call")
    return whole


def _chain_words(chain_parser: argparse.ArgumentParser) -> None:
    chain_parser.add_argument("topic")
    chain_parser.add_argument("--length", type=int, default=5, help="papers in the chain, 1 to 8 (default 5)")
    chain_parser.add_argument("--before", help="only papers before this date, YYYY-MM-DD")
    chain_parser.add_argument("--ban", action="append", default=[], metavar="ID", help="never use this paper: its id, arxiv:... or doi:...; repeatable")
    chain_parser.add_argument("--milestone", type=int, default=1000, help="citations beyond which the way back stops")
    chain_parser.add_argument("--novelty-rounds", type=int, default=3, help="how often a known idea is replaced at most (default 3)")


def _refine_words(refine_parser: argparse.ArgumentParser) -> None:
    start = refine_parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--run", help="refine the idea of this run")
    start.add_argument("--idea", type=Path, help="a text or JSON file with an idea")
    start.add_argument("--topic", help="let the generator propose the first idea")
    refine_parser.add_argument("--area", default="", help="research area, as the actors are told it")
    refine_parser.add_argument("--indicator", default="novelty", help="novelty, feasibility, or one of your own with --trait")
    refine_parser.add_argument("--trait", action="append", default=[], help="what makes up a quality of your own; repeatable")
    refine_parser.add_argument("--max-rounds", type=int, default=10, help="1 to 50 (default 10)")
    refine_parser.add_argument("--patience", type=int, default=2, help="stop after this many rounds in a row without improvement (default 2)")


if __name__ == "__main__":
    sys.exit(piped())
