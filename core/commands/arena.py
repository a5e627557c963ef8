"""The Idea Arena: hold one, extend it, look at it, vote in it, bring votes into it."""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands.documents import nothing
from core.commands.options import Answer, Verbs, limited
from core.commands.working import start, work
from core.errors import BadInput
from core.export.document import summary
from core.export.tables import markdown
from core.judging import arena_tables
from core.judging.arena import ArenaInputs, able, extended, lineup_of
from core.judging.arena_results import ArenaResults, judged, results
from core.judging.arena_votes import CastBallots, Who, cast
from core.judging.contests import (
    CRITERIA,
    NO_PAIR,
    ballot_of,
    contested,
    deal,
    progress,
    unmatched,
    unmatched_said,
)
from core.judging.forms import texts
from core.judging.imported_votes import file_votes
from core.literature import spell
from core.prompts.wording import worded
from core.records import FIVE_WAY, Entry, HalfBallot, Kind, Lineup, Run, Table
from core.runs.beginning import seated
from core.runs.extending import extend
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, must_be
from core.tables.latex import latex
from core.tables.sheets import sheet

STANDS = {
    "ratings": arena_tables.ratings,
    "matches": arena_tables.matches,
    "curve": arena_tables.curve,
}
TRUST = {
    "judges": arena_tables.judges,
    "agreement": arena_tables.agreement,
    "people": arena_tables.people,
}
GRID = "grid"
ENDINGS = {".csv": sheet, ".tex": latex, ".md": markdown}


def hold(shop: Workshop, args: argparse.Namespace) -> Answer:
    if args.show:
        return show(shop, args)
    if args.add_votes:
        return add_votes(shop, *args.add_votes)
    taking_part = _taking_part(shop.store, args)
    return _extended(shop, args, taking_part) if args.extend else _new(shop, args, taking_part)


def _new(shop: Workshop, args: argparse.Namespace, taking_part: tuple[Entry, ...]) -> Answer:
    if not args.collection:
        raise BadInput(
            "Say whose texts compete, with --collection NAME. `python -m core collections` lists"
            " what there is."
        )
    inputs = validated(
        ArenaInputs,
        topic=args.name or " and ".join(args.collection),
        kind=args.kind,
        entries=taking_part,
        repeats=args.repeats,
        same_form=not args.as_they_are,
        people_only=args.people_only,
        at_once=args.at_once,
    )
    judges = args.judge or [shop.chosen("judge")]
    document, code = start(
        shop,
        "arena",
        inputs,
        inputs.topic,
        models=seated(judges),
        source=spell(args.source),
        **limited(args),
    )
    return {**document, **standing(shop.store, shop.store.runs.get(document["run"]))}, code


def _extended(shop: Workshop, args: argparse.Namespace, taking_part: tuple[Entry, ...]) -> Answer:
    runner = Runner(shop)
    parent = arena_of(shop.store, args.extend)
    asked = parent.inputs_as(ArenaInputs)
    for name in args.judge:
        able(shop.model(name), asked.kind)
    grown = (
        extended(parent.config, taking_part, args.judge)
        if taking_part or args.judge
        else parent.config
    )
    made = extend(runner, parent.id, ArenaInputs.model_validate(grown.inputs), grown.models)
    caps = {
        name: value
        for name, value in (("cap_usd", args.cap), ("cap_tokens", args.cap_tokens))
        if value is not None
    }
    if caps:
        shop.store.runs.change(made.id, **caps)
    document, code = work(runner, made.id)
    return {**document, **standing(shop.store, shop.store.runs.get(made.id))}, code


def show(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Show how the methods of an arena stand, by models, by people, or by both; --table writes one
    of its tables to a file.
    """
    run = arena_of(shop.store, args.show)
    document = {
        **summary(run),
        "inputs": {},
        **standing(shop.store, run, args.who, args.criterion, args.health),
    }
    if not args.to:
        return document, 0
    if args.to.suffix not in ENDINGS:
        raise BadInput(
            f"{args.to} is no file that a table can be written to; its name must end in"
            f" {', '.join(ENDINGS)}."
        )
    try:
        args.to.write_text(ENDINGS[args.to.suffix](_table(shop.store, run, args)), "utf-8")
    except OSError as error:
        raise BadInput(f"{args.to} cannot be written ({error.strerror}).") from None
    return {**document, "file": str(args.to)}, 0


def add_votes(shop: Workshop, run_id: str, file: str) -> Answer:
    """Bring votes from a CSV into an arena; rows that cannot be filed are named."""
    run = arena_of(shop.store, run_id)
    asked = run.inputs_as(ArenaInputs)
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror}).") from None
    judges = () if asked.people_only else tuple(run.config.models.values())
    report = file_votes(shop.store, run.id, shown_in(shop.store, run), asked.kind, data, judges)
    return {**nothing("imported"), "run": run.id, "votes": report.model_dump(mode="json")}, (
        BadInput.exit_code if report.refused else 0
    )


def vote(shop: Workshop, args: argparse.Namespace) -> Answer:
    run = Runner(shop).own(arena_of(shop.store, args.id).id)
    asked, lineup = run.inputs_as(ArenaInputs), shown_in(shop.store, run)
    whole, person = contested(lineup), args.by.strip()
    if not person:
        raise BadInput("Say who votes, with --by NAME.")
    half = deal(shop.store, run.id, whole, person)
    if half and args.say:
        said = half.model_copy(
            update={
                "strength": {**half.strength, **dict(map(_said, args.say))},
                "why": args.why or half.why,
            }
        )
        shop.store.ballots.add((ballot_of(said, asked.kind),))
        half = deal(shop.store, run.id, whole, person)
    done = progress(shop.store, run.id, whole, person)
    pair = _blind(shop.store, lineup, half, asked.kind) if half else None
    return {
        **nothing("listed"),
        "run": run.id,
        "by": person,
        "judged": done.done,
        "pairs": done.whole,
        "pair": pair,
    }, 0


def standing(
    store: Store,
    run: Run,
    who: Who | None = None,
    criterion: str | None = None,
    health: bool = False,
) -> dict[str, Any]:
    """Return an arena in numbers: ballots, ratings, who is not separable; with `health`, how far
    its judges can be trusted.

    Where nobody says whose votes count, the models', and the people's beside them: in one rating
    the many votes of models would outvote people.
    """
    lineup = lineup_of(store, run.id)
    if lineup is None:
        return {"ballots": {"models": 0, "people": 0}, "ratings": []}
    held = cast(store.ballots.lines(run.id), lineup, run.inputs_as(ArenaInputs).kind)
    models, people = store.ballots.count(run.id)
    alone = unmatched((seat.topic, seat.method) for seat in lineup.seats if seat.sha)
    found = {
        "ballots": {"models": models, "people": people},
        "common_form": lineup.common,
        "unmatched": unmatched_said(alone) if contested(lineup) else NO_PAIR,
        "left_out": [
            one.model_dump(exclude={"sha", "length"}) for one in lineup.seats if not one.sha
        ],
        **_rated(results(held, who or _first(models), criterion)),
    }
    if who is None and models and people:
        found["people"] = _rated(results(held, "people", criterion))
    return {**found, **({"health": _trusted(held, lineup, criterion)} if health else {})}


def _first(models: int) -> Who:
    return "models" if models else "people"


def _rated(found: ArenaResults) -> dict[str, Any]:
    rows = [
        {**one._asdict(), "elo": round(found.elo[one.player], 3)} for one in found.table.ratings
    ]
    return {
        "who": found.who,
        "criterion": found.criterion or arena_tables.POOLED,
        "ratings": rows,
        "matches": found.table.matches,
        "topics": found.table.topics,
        "unplayed": list(found.unplayed),
        "strongly_connected": found.table.connected,
        "not_separable": [list(group) for group in found.level],
        "note": found.table.note,
    }


def _trusted(held: CastBallots, lineup: Lineup, criterion: str | None) -> dict[str, Any]:
    found = judged(held, lineup, criterion)
    return {
        "judges": _rows(arena_tables.judges(found)),
        "agreement": _rows(arena_tables.agreement(found)),
        "people": _rows(arena_tables.people(found)),
    }


def _rows(table: Table) -> list[dict[str, str]]:
    return [
        {name: value.said for name, value in zip(table.head, row, strict=True)}
        for row in table.rows
    ]


def _table(store: Store, run: Run, args: argparse.Namespace) -> Table:
    lineup = shown_in(store, run)
    held = cast(store.ballots.lines(run.id), lineup, run.inputs_as(ArenaInputs).kind)
    if args.table == GRID:
        return arena_tables.grid(arena_tables.by_side(held))
    if args.table in TRUST:
        return TRUST[args.table](judged(held, lineup, args.criterion))
    return STANDS[args.table](
        results(held, args.who or _first(store.ballots.count(run.id)[0]), args.criterion)
    )


def arena_of(store: Store, run_id: str) -> Run:
    """Return the run of an arena; raises BadInput for any other."""
    otherwise = f"Run {run_id} is no arena. `python -m core runs` lists them."
    return must_be(store.runs.get(run_id), "arena", otherwise)


def shown_in(store: Store, run: Run) -> Lineup:
    """Return what an arena shows; raises BadInput while it is not settled."""
    lineup = lineup_of(store, run.id)
    if lineup is None:
        raise BadInput(
            f"Arena {run.id} is {run.state}: its texts are not ready to be shown yet. Try again"
            " once it has begun to judge."
        )
    return lineup


def _taking_part(store: Store, args: argparse.Namespace) -> tuple[Entry, ...]:
    kind: Kind = (
        ArenaInputs.model_validate(arena_of(store, args.extend).config.inputs).kind
        if args.extend
        else args.kind
    )
    found = (
        [one for one, _ in store.entries.of(tuple(args.collection), kind, limit=20_001)]
        if args.collection
        else []
    )
    left = tuple(
        one
        for one in found
        if (not args.method or one.method in args.method)
        and (not args.topic or one.topic in args.topic)
    )
    if args.collection and not left:
        raise BadInput(
            f"There are no {kind}s of that kind in {', '.join(args.collection)}. `python -m core"
            " collections` lists what there is."
        )
    return left


def _said(given: str) -> tuple[str, int]:
    name, _, strength = given.partition("=")
    if strength not in map(str, FIVE_WAY):
        raise BadInput(
            f"--say {given!r}: write CRITERION=N, with 2 for A much better, 1 better, 0 no"
            " difference, -1 for B better, -2 much better."
        )
    return name.strip().lower().replace(" ", "_"), int(strength)


def _blind(store: Store, lineup: Lineup, half: HalfBallot, kind: Kind) -> dict[str, Any]:
    shas = {seat.method: seat.sha for seat in lineup.seats if seat.topic == half.contest.topic}
    held = texts(store, tuple(shas[one] for one in (half.contest.a, half.contest.b)), kind)
    second = half.contest.b if half.first == half.contest.a else half.contest.a
    return {
        "topic": half.contest.topic,
        "A": worded(held[shas[half.first]]),
        "B": worded(held[shas[second]]),
        "criteria": list(CRITERIA[kind]),
    }


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    holding = verbs.add("arena", hold, verbs.begin)
    _competing(holding)
    _showing(holding)
    voting = verbs.add("vote", vote)
    voting.add_argument("id")
    voting.add_argument("--by", required=True, metavar="NAME", help="who votes")
    voting.add_argument(
        "--say",
        action="append",
        default=[],
        metavar="CRITERION=N",
        help="2: A much better, 1, 0: no difference, -1, -2: B much better",
    )
    voting.add_argument("--why", default="", help="why, if you like")


def _competing(holding: argparse.ArgumentParser) -> None:
    """Add who competes, and how they are judged."""
    holding.add_argument(
        "--collection",
        action="append",
        default=[],
        metavar="NAME",
        help="whose texts compete; repeatable",
    )
    holding.add_argument("--name", default="", help="what the arena is called")
    holding.add_argument(
        "--kind",
        choices=get_args(Kind),
        default="idea",
        help="compare ideas (default) or experiment designs",
    )
    holding.add_argument(
        "--method", action="append", default=[], help="only this method; repeatable"
    )
    holding.add_argument("--topic", action="append", default=[], help="only this topic; repeatable")
    holding.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="MODEL",
        help="a model that judges; repeatable (default: as chosen in Settings)",
    )
    holding.add_argument(
        "--repeats",
        type=int,
        default=1,
        help="how often each judge sees each pair in each order (default 1)",
    )
    holding.add_argument(
        "--people-only",
        action="store_true",
        help="no model judges; the arena is ready for votes at once",
    )
    holding.add_argument(
        "--as-they-are",
        action="store_true",
        help="show texts as they are, not brought into one form first",
    )
    holding.add_argument(
        "--at-once",
        type=int,
        default=16,
        help="how many matches are asked side by side (default 16)",
    )


def _showing(holding: argparse.ArgumentParser) -> None:
    """Add what may be done instead with an arena that is there."""
    instead = holding.add_mutually_exclusive_group()
    instead.add_argument("--show", metavar="RUN", help="show how the methods stand")
    instead.add_argument(
        "--extend",
        metavar="RUN",
        help="add methods, topics or judges to an arena; only missing matches are played",
    )
    instead.add_argument(
        "--add-votes", nargs=2, metavar=("RUN", "FILE"), help="bring votes from a CSV into an arena"
    )
    holding.add_argument(
        "--who",
        choices=get_args(Who),
        help="with --show: whose votes count (default: models' and people's apart)",
    )
    holding.add_argument(
        "--criterion", help="with --show: only this criterion (default: all criteria pooled)"
    )
    holding.add_argument(
        "--health", action="store_true", help="with --show: how far the judges can be trusted, too"
    )
    holding.add_argument(
        "--table",
        choices=(*STANDS, *TRUST, GRID),
        default="ratings",
        help="with --show and --to: which table (default ratings; grid: criteria by methods)",
    )
    holding.add_argument(
        "--to", type=Path, help="with --show: write a table to this file, .csv, .tex or .md"
    )
