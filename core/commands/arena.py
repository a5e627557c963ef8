"""The Idea Arena: hold one, extend it, look at it, vote in it, bring votes into it."""

import argparse
from pathlib import Path
from typing import Any, get_args

from core.commands.documents import nothing
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_kind,
    add_numbers,
    add_repeatable,
    change_caps,
    limits_of,
    pick,
    reply,
)
from core.commands.working import start, work
from core.errors import BadInput
from core.export.document import summary
from core.export.tables import rows_by_head, write_table
from core.files import read_bytes
from core.judging.arena import tables as arena_tables
from core.judging.arena.ballots import Who, cast
from core.judging.arena.competition import ArenaInputs, able, extended, lineup_of
from core.judging.arena.contestants import (
    Contestants,
    by_method,
    enter,
    first_of_each,
)
from core.judging.arena.contests import (
    CRITERIA,
    NO_PAIR,
    ballot_of,
    contested,
    deal,
    differing,
    progress,
    unmatched,
    unmatched_said,
)
from core.judging.arena.imported_votes import file_votes
from core.judging.arena.results import ArenaResults, judged, results
from core.judging.forms import texts
from core.literature import spell
from core.prompts.wording import worded
from core.records import FIVE_WAY, HalfBallot, Kind, Lineup, Run, Table
from core.runs.beginning import seated
from core.runs.extending import extend
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store, must_be

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


def hold(shop: Workshop, args: argparse.Namespace) -> Answer:
    if args.show:
        return show(shop, args)
    if args.add_votes:
        return add_votes(shop, *args.add_votes)
    taking_part = _choose_entries(shop.store, args)
    return _extend(shop, args, taking_part) if args.extend else _begin(shop, args, taking_part)


def _begin(shop: Workshop, args: argparse.Namespace, taking_part: Contestants) -> Answer:
    if not args.collection:
        raise BadInput(
            "Say whose texts compete, with --collection NAME. `python -m core collections` lists"
            " what there is."
        )
    inputs = validated(
        ArenaInputs,
        topic=args.name or " and ".join(args.collection),
        kind=args.kind,
        entries=taking_part.entries,
        method_of=taking_part.method_of,
        same_form=not args.as_they_are,
        people_only=args.people_only,
        **pick(args, "repeats", "at_once"),
    )
    judges = args.judge or [shop.chosen("judge")]
    document, code = start(
        shop,
        "arena",
        inputs,
        inputs.topic,
        models=seated(judges),
        source=spell(args.source),
        **limits_of(args),
    )
    return {**document, **standing(shop.store, shop.store.runs.get(document["run"]))}, code


def _extend(shop: Workshop, args: argparse.Namespace, taking_part: Contestants) -> Answer:
    runner = Runner(shop)
    parent = arena_of(shop.store, args.extend)
    asked = parent.inputs_as(ArenaInputs)
    for name in args.judge:
        able(shop.model(name), asked.kind)
    grown = (
        extended(parent.config, taking_part.entries, args.judge, taking_part.method_of)
        if args.collection or args.judge
        else parent.config
    )
    made = extend(runner, parent.id, ArenaInputs.model_validate(grown.inputs), grown.models)
    change_caps(shop, made.id, args)
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
    write_table(_table(shop.store, run, args), args.to)
    return {**document, "file": str(args.to)}, 0


def add_votes(shop: Workshop, run_id: str, file: str) -> Answer:
    """Bring votes from a CSV into an arena; rows that cannot be filed are named."""
    run = arena_of(shop.store, run_id)
    asked = run.inputs_as(ArenaInputs)
    data = read_bytes(Path(file))
    judges = () if asked.people_only else tuple(run.config.models.values())
    report = file_votes(shop.store, run.id, shown_in(shop.store, run), asked.kind, data, judges)
    return {**nothing("imported"), "run": run.id, "votes": report.model_dump(mode="json")}, (
        BadInput.exit_code if report.refused else 0
    )


def vote(shop: Workshop, args: argparse.Namespace) -> Answer:
    run = Runner(shop).own(arena_of(shop.store, args.id).id)
    asked, lineup = run.inputs_as(ArenaInputs), shown_in(shop.store, run)
    whole, person = differing(lineup, contested(lineup)), args.by.strip()
    if not person:
        raise BadInput("Say who votes, with --by NAME.")
    half = deal(shop.store, run.id, whole, person)
    if half and args.say:
        said = half.model_copy(
            update={
                "strength": {**half.strength, **dict(map(_read_strength, args.say))},
                "why": args.why or half.why,
            }
        )
        shop.store.ballots.add((ballot_of(said, asked.kind),))
        half = deal(shop.store, run.id, whole, person)
    done = progress(shop.store, run.id, whole, person)
    pair = _hide_methods(shop.store, lineup, half, asked.kind) if half else None
    return reply("listed", run=run.id, by=person, judged=done.done, pairs=done.whole, pair=pair)


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
        **_describe_results(results(held, who or ("models" if models else "people"), criterion)),
    }
    if who is None and models and people:
        found["people"] = _describe_results(results(held, "people", criterion))
    if method_of := run.inputs_as(ArenaInputs).method_of:
        methods = by_method(held, method_of)
        found["methods"] = _describe_results(
            results(methods, who or ("models" if models else "people"), criterion)
        )
    if health:
        judges_found = judged(held, lineup, criterion)
        found["health"] = {name: rows_by_head(draw(judges_found)) for name, draw in TRUST.items()}
    return found


def _describe_results(found: ArenaResults) -> dict[str, Any]:
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


def _table(store: Store, run: Run, args: argparse.Namespace) -> Table:
    lineup = shown_in(store, run)
    held = cast(store.ballots.lines(run.id), lineup, run.inputs_as(ArenaInputs).kind)
    if args.table == GRID:
        return arena_tables.grid(arena_tables.by_side(held))
    if args.table in TRUST:
        return TRUST[args.table](judged(held, lineup, args.criterion))
    who: Who = args.who or ("models" if store.ballots.count(run.id)[0] else "people")
    return STANDS[args.table](results(held, who, args.criterion))


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


def _choose_entries(store: Store, args: argparse.Namespace) -> Contestants:
    """Return who competes: of a method with several texts on a topic each under its own name, or
    the first alone.
    """
    before = arena_of(store, args.extend).inputs_as(ArenaInputs) if args.extend else None
    kind: Kind = before.kind if before else args.kind
    found = store.entries.of(tuple(args.collection), kind, limit=20_001) if args.collection else []
    titles = {one.id: title for one, title in found}
    left = [
        one
        for one, _ in found
        if (not args.method or one.method in args.method)
        and (not args.topic or one.topic in args.topic)
    ]
    if args.collection and not left:
        raise BadInput(
            f"There are no {kind}s of that kind in {', '.join(args.collection)}. `python -m core"
            " collections` lists what there is."
        )
    return enter(first_of_each(left) if args.one_each else left, titles, before)


def _read_strength(given: str) -> tuple[str, int]:
    name, _, strength = given.partition("=")
    if strength not in map(str, FIVE_WAY):
        raise BadInput(
            f"--say {given!r}: write CRITERION=N, with 2 for A much better, 1 better, 0 no"
            " difference, -1 for B better, -2 much better."
        )
    return name.strip().lower().replace(" ", "_"), int(strength)


def _hide_methods(store: Store, lineup: Lineup, half: HalfBallot, kind: Kind) -> dict[str, Any]:
    contest = half.contest
    shas = {seat.method: seat.sha for seat in lineup.seats if seat.topic == contest.topic}
    held = texts(store, (shas[contest.a], shas[contest.b]), kind)
    second = contest.b if half.first == contest.a else contest.a
    return {
        "topic": contest.topic,
        "A": worded(held[shas[half.first]]),
        "B": worded(held[shas[second]]),
        "criteria": list(CRITERIA[kind]),
    }


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    holding = verbs.add("arena", hold, verbs.begin)
    _add_competing(holding)
    _add_showing(holding)
    voting = verbs.add("vote", vote)
    voting.add_argument("id")
    voting.add_argument("--by", required=True, metavar="NAME", help="who votes")
    add_repeatable(
        voting,
        "--say",
        "2: A much better, 1, 0: no difference, -1, -2: B much better",
        "CRITERION=N",
    )
    voting.add_argument("--why", default="", help="why, if you like")


def _add_competing(holding: argparse.ArgumentParser) -> None:
    """Add who competes, and how they are judged."""
    add_repeatable(holding, "--collection", "whose texts compete; repeatable", "NAME")
    holding.add_argument("--name", default="", help="what the arena is called")
    add_kind(holding, "compare ideas (default) or experiment designs")
    add_flag(
        holding,
        "--one-each",
        "of a method with several texts on a topic, take the first (default: each competes)",
    )
    add_repeatable(holding, "--method", "only this method; repeatable")
    add_repeatable(holding, "--topic", "only this topic; repeatable")
    add_repeatable(
        holding,
        "--judge",
        "a model that judges; repeatable (default: as chosen in Settings)",
        "MODEL",
    )
    add_numbers(
        holding,
        ArenaInputs,
        {"repeats": "how often each judge sees each pair in each order (default {default})"},
    )
    add_flag(holding, "--people-only", "no model judges; the arena is ready for votes at once")
    add_flag(holding, "--as-they-are", "show texts as they are, not brought into one form first")
    side_by_side = "how many matches are asked side by side (default {default})"
    add_numbers(holding, ArenaInputs, {"at_once": side_by_side})


def _add_showing(holding: argparse.ArgumentParser) -> None:
    """Add what may be done instead with an arena that is there."""
    instead = holding.add_mutually_exclusive_group()
    instead.add_argument("--show", metavar="RUN", help="show how the methods stand")
    instead.add_argument(
        "--extend",
        metavar="RUN",
        help="add methods, topics or judges to an arena; only missing matches are judged",
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
    add_flag(holding, "--health", "with --show: how far the judges can be trusted, too")
    holding.add_argument(
        "--table",
        choices=(*STANDS, *TRUST, GRID),
        default="ratings",
        help="with --show and --to: which table (default ratings; grid: criteria by methods)",
    )
    holding.add_argument(
        "--to", type=Path, help="with --show: write a table to this file, .csv, .tex or .md"
    )
