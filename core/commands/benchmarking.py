"""LiveIdeaBench: have models write ideas from keywords and a panel judge them, see how far it is,
take it along.
"""

import argparse
from pathlib import Path

from core.benchmark import BenchInputs
from core.benchmark.expected import expected, measured
from core.benchmark.keywords import first, shipped
from core.benchmark.panel import checked, panelists
from core.benchmark.progress import progress
from core.commands import bench_extending, bench_validating, running
from core.commands.bench_telling import failures, foreseen, spelled, told, worked
from core.commands.bench_words import limits, named, on_cluster, read, where
from core.commands.documents import nothing
from core.commands.going_on import with_commands
from core.commands.options import Answer, Verbs
from core.errors import BadInput
from core.export.benchmarks import asked_for, export
from core.export.computed import benched
from core.export.document import summary
from core.importing.keywords import from_file
from core.importing.rankings import general_ranking
from core.records import Entrant, KeywordList, Panelist, Sampling
from core.runs.beginning import begin, room
from core.runs.estimates import of_expected, paused
from core.runs.extending import again as ask_again
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.wording.numbers import counted

SHIPPED = "shipped"
LISTED = 50
"""Benchmarks that are listed, the newest first."""
BEGINNING = ("models", "judges", "marked", "calls")
"""What only a new benchmark is told."""


def bench(shop: Workshop, args: argparse.Namespace) -> Answer:
    models, judges = named(args.models), named(args.judges)
    if not models:
        raise BadInput(
            "Say who writes ideas, with --models A,B, and who judges them, with --judges C,D,E."
            " `python -m core models` lists who can be reached."
        )
    on_cluster(shop, args)
    ranking = general_ranking(read(args.ranking), args.ranking.name) if args.ranking else ()
    panel = panelists(judges, ranking)
    held, left_out = (
        (shipped(), ())
        if args.keywords == SHIPPED
        else from_file(read(Path(args.keywords)), Path(args.keywords).name)
    )
    inputs = _inputs(shop, args, held, models, panel)
    notes = [
        *left_out,
        *(
            one.said
            for one in checked(panel, inputs.models, ranking)
            if judges and one.kept is not True
        ),
    ]
    sampling = validated(
        Sampling,
        **{
            name: value
            for name, value in (("temperature", args.temperature), ("max_tokens", args.max_tokens))
            if value is not None
        },
    )
    if args.estimate:
        found = expected(inputs, sampling, measured(shop.store), shop.settings.calls)
        pause = paused(
            of_expected(found), args.cap_tokens or room(shop, found.tokens, sampling), args.cap
        )
        return (
            foreseen(
                found,
                f"{inputs.calls:,} answers: {spelled(inputs)}",
                [*notes, *([pause] if pause else [])],
            ),
            0,
        )
    runner = Runner(shop)
    run = begin(
        runner,
        "bench",
        inputs,
        inputs.topic,
        seed=args.seed,
        cap_usd=args.cap,
        cap_tokens=args.cap_tokens,
        sampling=sampling,
    )
    return worked(runner, run.id, notes=notes)


def _inputs(
    shop: Workshop,
    args: argparse.Namespace,
    held: KeywordList,
    models: list[str],
    panel: tuple[Panelist, ...],
) -> BenchInputs:
    marked = named(args.marked)
    if stray := [name for name in marked if name not in models]:
        raise BadInput(f"--marked {stray[0]}: it is not among --models.")
    if args.limit is not None and args.limit < 1:
        raise BadInput("--limit takes the first N keywords; give 1 or more.")
    given = {
        "ideas": args.ideas,
        "judges_each": args.judges_each,
        "asked_words": args.asked_words,
        "most_words": args.most_words,
    }
    entrants = tuple(validated(Entrant, model=name, marked=name in marked) for name in models)
    return validated(
        BenchInputs,
        topic=args.name or first(held, args.limit),
        keywords=shop.store.frozen.keep(held),
        models=entrants,
        judges=panel,
        count=min(args.limit or len(held.keywords), len(held.keywords)),
        limits=limits(args.calls),
        **{name: value for name, value in given.items() if value is not None},
    )


# -- what came of it ---------------------------------------------------------------------------


def status(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List benchmarks with how far they are; with an ID, its counts, pace, leaderboard and what
    failed.
    """
    _alone(args)
    Runner(shop).notice_dead()
    if args.id:
        run = asked_for(shop.store, args.id)
        far = progress(shop.store, run)
        document = {
            **summary(run),
            **benched(shop.store, run),
            "share": far.share,
            "calls_a_minute": far.pace.a_minute,
            "minutes_left": far.minutes_left,
            "failures": failures(shop.store, run),
        }
        document = with_commands(shop, document)
        return {**document, "in_words": told(run, document, far)}, 0
    runs = shop.store.runs.listed(method="bench", limit=LISTED)
    rows = [{**summary(run), "share": progress(shop.store, run).share} for run in runs]
    words = [
        f"{row['run']}  {row['state']:<12} {100 * row['share']:5.1f} %  {row['title'][:80]}"
        for row in rows
    ]
    return {
        **nothing("listed"),
        "benchmarks": rows,
        "in_words": "\n".join(words) or "No benchmarks yet.",
    }, 0


def report(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a benchmark to a folder or a .zip: report, tables, figures, configuration, and every
    answer as CSV.
    """
    _alone(args)
    names = export(shop.store, args.id, args.to, not args.without_answers)
    return {
        **nothing("listed"),
        "benchmark": args.id,
        "to": str(args.to),
        "files": list(names),
        "in_words": f"{counted(len(names), 'file')} in {args.to}; report.md says what was found.",
    }, 0


def again(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Ask what failed in a benchmark once more, and go on with it."""
    _alone(args)
    on_cluster(shop, args)
    runner = Runner(shop)

    def ask(run_id: str) -> None:
        ask_again(runner, run_id)

    return worked(runner, asked_for(shop.store, args.id).id, ask)


def resumed(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Go on with a benchmark that was paused, interrupted or reached a cap; nothing that is there
    is paid again.
    """
    _alone(args)
    on_cluster(shop, args)
    if (run := asked_for(shop.store, args.id)).state == "done":
        raise BadInput(
            f"Benchmark {run.id} is finished. `python -m core bench again {run.id}` asks once more"
            " for what failed."
        )
    document, code = running.resume(shop, args)
    run = shop.store.runs.get(run.id)
    document = {**document, "failures": failures(shop.store, run)}
    return {**document, "in_words": told(run, document, progress(shop.store, run))}, code


def _alone(args: argparse.Namespace) -> None:
    if stray := next((name for name in BEGINNING if getattr(args, name, None)), None):
        raise BadInput(
            f"--{stray} begins a new benchmark: leave it out here, or leave the word after `bench`"
            " out."
        )


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    beginning, inner = verbs.with_own("bench", bench, verbs.caps)
    _beginning(beginning)
    inner.add("status", status).add_argument("id", nargs="?", metavar="ID")
    taking = inner.add("report", report)
    taking.add_argument("id", metavar="ID")
    taking.add_argument(
        "--to",
        type=Path,
        required=True,
        metavar="FOLDER|ZIP",
        help="a new or empty folder, or a file that ends in .zip",
    )
    taking.add_argument(
        "--without-answers",
        action="store_true",
        help="leave out the files with a row for every idea, judgment and call",
    )
    for made in (inner.add("again", again), inner.add("resume", resumed, inner.caps)):
        made.add_argument("id", metavar="ID")
        where(made, default=argparse.SUPPRESS)
    bench_extending.words(inner)
    bench_validating.words(inner)


def _beginning(made: argparse.ArgumentParser) -> None:
    made.add_argument(
        "--keywords",
        default=SHIPPED,
        metavar="FILE",
        help=f"a CSV or text file of keywords, or {SHIPPED!r}: the paper's 1,180 (default)",
    )
    for name, about in (
        ("models", "who writes ideas"),
        ("judges", "the panel that judges; without one nobody does"),
        ("marked", "those of --models that reason in the open and mark their final idea"),
    ):
        made.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="MODEL[,MODEL]",
            help=f"{about}; repeatable",
        )
    made.add_argument(
        "--ranking",
        type=Path,
        metavar="FILE",
        help="a general ranking (CSV: model, score, organisation, base) the panel is held against",
    )
    made.add_argument("--limit", type=int, metavar="N", help="only the first N keywords")
    made.add_argument("--ideas", type=int, help="ideas per keyword and model, 1 to 10 (default 2)")
    made.add_argument("--judges-each", type=int, help="judges per idea, 1 to 10 (default 3)")
    made.add_argument(
        "--asked-words", type=int, help="words a model is asked to stay within (default 100)"
    )
    made.add_argument(
        "--most-words", type=int, help="words above which an idea is left out (default 200)"
    )
    made.add_argument(
        "--calls",
        action="append",
        default=[],
        metavar="PROVIDER=N",
        help="calls at once to a provider, at most FOUNDRY_CALLS; repeatable",
    )
    where(made)
    made.add_argument("--temperature", type=float, help="of all models, 0 to 2 (default 0.7)")
    made.add_argument(
        "--max-tokens",
        type=int,
        help="tokens of an answer at most (default 4000); models that reason need more",
    )
    made.add_argument("--seed", type=int, help="draws the judges; the same seed draws the same")
    made.add_argument("--name", help="what it is called in lists")
    made.add_argument(
        "--estimate", action="store_true", help="say what it would take, and start nothing"
    )
