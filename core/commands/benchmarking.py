"""LiveIdeaBench: have models write ideas from keywords and a panel judge them, see how far it is,
extend it, take it along.
"""

import argparse
from pathlib import Path
from typing import Any

from core.benchmark import BenchInputs
from core.benchmark.expected import earlier_usage, expected
from core.benchmark.keywords import first, paper_keywords
from core.benchmark.panel import check_panel, panelists
from core.benchmark.progress import progress
from core.commands import bench_validating, running
from core.commands.bench_telling import describe, describe_estimate, failures, spell_size, work_on
from core.commands.bench_words import add_workers, read_limits, split_names, use_cluster
from core.commands.going_on import with_commands
from core.commands.options import (
    Answer,
    Verbs,
    add_flag,
    add_folder,
    add_numbers,
    add_repeatable,
    pick,
    reply,
)
from core.errors import BadInput
from core.export.benchmarks.folder import asked_for, export
from core.export.computed import describe_benchmark
from core.export.document import summary
from core.files import read_bytes
from core.importing.keywords import from_file
from core.importing.rankings import general_ranking
from core.records import Entrant, KeywordList, Panelist, Run, Sampling
from core.runs.beginning import begin, can_be_asked, room
from core.runs.estimates import of_expected, paused
from core.runs.extending import STAYS, benchmark_of, extend_benchmark, grown, new_in, same_protocol
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


def bench(shop: Workshop, args: argparse.Namespace) -> Answer:
    models, judges = split_names(args.models), split_names(args.judges)
    if not models:
        raise BadInput(
            "Say who writes ideas, with --models A,B, and who judges them, with --judges C,D,E."
            " `python -m core models` lists who can be reached."
        )
    use_cluster(shop, args)
    file = args.ranking
    ranking = general_ranking(read_bytes(file), file.name) if file else ()
    panel = panelists(judges, ranking)
    notes: tuple[str, ...] = ()
    if args.keywords == SHIPPED:
        held = paper_keywords()
    else:
        held, notes = from_file(read_bytes(Path(args.keywords)), Path(args.keywords).name)
    inputs = _inputs(shop, args, held, models, panel)
    if judges:
        remarks = check_panel(panel, inputs.models, ranking)
        notes = (*notes, *(remark.said for remark in remarks if remark.kept is not True))
    sampling = validated(Sampling, **pick(args, "temperature", "max_tokens"))
    if args.estimate:
        found = expected(inputs, sampling, earlier_usage(shop.store), shop.settings.calls)
        tokens = args.cap_tokens or room(shop, found.tokens, sampling)
        if pause := paused(of_expected(found), tokens, args.cap_usd):
            notes = (*notes, pause)
        return describe_estimate(found, f"{inputs.calls:,} answers: {spell_size(inputs)}", notes), 0
    runner = Runner(shop)
    run = begin(
        runner,
        "bench",
        inputs,
        inputs.topic,
        seed=args.seed,
        cap_usd=args.cap_usd,
        cap_tokens=args.cap_tokens,
        sampling=sampling,
    )
    return work_on(runner, run.id, notes=notes)


def _inputs(
    shop: Workshop,
    args: argparse.Namespace,
    held: KeywordList,
    models: list[str],
    panel: tuple[Panelist, ...],
) -> BenchInputs:
    marked = split_names(args.marked)
    if stray := [name for name in marked if name not in models]:
        raise BadInput(f"--marked {stray[0]}: it is not among --models.")
    if args.limit is not None and args.limit < 1:
        raise BadInput("--limit takes the first N keywords; give 1 or more.")
    entrants = tuple(validated(Entrant, model=name, marked=name in marked) for name in models)
    return validated(
        BenchInputs,
        topic=args.name or first(held, args.limit),
        keywords=shop.store.frozen.keep(held),
        models=entrants,
        judges=panel,
        count=min(args.limit or len(held.keywords), len(held.keywords)),
        limits=read_limits(args.calls),
        **pick(args, "ideas", "judges_each", "asked_words", "most_words"),
    )


# -- what came of it ---------------------------------------------------------------------------


def status(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List benchmarks with how far they are; with an ID, its counts, pace, leaderboard and what
    failed.
    """
    _refuse_beginning(args)
    Runner(shop).notice_dead()
    if args.id:
        run = asked_for(shop.store, args.id)
        far = progress(shop.store, run)
        document = {
            **summary(run),
            **describe_benchmark(shop.store, run),
            "share": far.share,
            "calls_a_minute": far.pace.a_minute,
            "minutes_left": far.minutes_left,
            "failures": failures(shop.store, run),
        }
        document = with_commands(shop, document)
        return {**document, "in_words": describe(run, document, far)}, 0
    runs = shop.store.runs.listed(method="bench", limit=LISTED)
    rows = [{**summary(run), "share": progress(shop.store, run).share} for run in runs]
    words = [
        f"{row['run']}  {row['state']:<12} {100 * row['share']:5.1f} %  {row['title'][:80]}"
        for row in rows
    ]
    return reply("listed", benchmarks=rows, in_words="\n".join(words) or "No benchmarks yet.")


def report(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a benchmark to a folder or a .zip: report, tables, figures, configuration, and every
    answer as CSV.
    """
    _refuse_beginning(args)
    names = export(shop.store, args.id, args.to, not args.without_answers)
    said = f"{counted(len(names), 'file')} in {args.to}; report.md says what was found."
    return reply("listed", benchmark=args.id, to=str(args.to), files=list(names), in_words=said)


def again(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Ask what failed in a benchmark once more, and go on with it."""
    _refuse_beginning(args)
    use_cluster(shop, args)
    runner = Runner(shop)

    def ask(run_id: str) -> None:
        ask_again(runner, run_id)

    return work_on(runner, asked_for(shop.store, args.id).id, ask)


def resume(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Go on with a benchmark that was paused, interrupted or reached a cap; nothing that is there
    is paid again.
    """
    _refuse_beginning(args)
    use_cluster(shop, args)
    if (run := asked_for(shop.store, args.id)).state == "done":
        raise BadInput(
            f"Benchmark {run.id} is finished. `python -m core bench again {run.id}` asks once more"
            " for what failed."
        )
    document, code = running.resume(shop, args)
    run = shop.store.runs.get(run.id)
    document = {**document, "failures": failures(shop.store, run)}
    return {**document, "in_words": describe(run, document, progress(shop.store, run))}, code


def _refuse_beginning(args: argparse.Namespace) -> None:
    if stray := next((name for name in BEGINNING if getattr(args, name, None)), None):
        raise BadInput(
            f"--{stray} begins a new benchmark: leave it out here, or leave the word after `bench`"
            " out."
        )


def words(verbs: Verbs) -> None:
    """Add this module's verbs to the command line."""
    beginning, inner = verbs.with_own("bench", bench, verbs.caps)
    _add_beginning(beginning)
    inner.add("status", status).add_argument("id", nargs="?", metavar="ID")
    taking = inner.add("report", report)
    taking.add_argument("id", metavar="ID")
    add_folder(taking)
    add_flag(
        taking,
        "--without-answers",
        "leave out the files with a row for every idea, judgment and call",
    )
    for made in (inner.add("again", again), inner.add("resume", resume, inner.caps)):
        made.add_argument("id", metavar="ID")
        add_workers(made, default=argparse.SUPPRESS)
    _add_extending(inner)
    bench_validating.words(inner)


def _add_beginning(made: argparse.ArgumentParser) -> None:
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
        add_repeatable(made, f"--{name}", f"{about}; repeatable", "MODEL[,MODEL]")
    made.add_argument(
        "--ranking",
        type=Path,
        metavar="FILE",
        help="a general ranking (CSV: model, score, organisation, base) the panel is held against",
    )
    made.add_argument("--limit", type=int, metavar="N", help="only the first N keywords")
    add_numbers(
        made,
        BenchInputs,
        {
            "ideas": "ideas per keyword and model, {ge} to {le} (default {default})",
            "judges_each": "judges per idea, {ge} to {le} (default {default})",
            "asked_words": "words a model is asked to stay within (default {default})",
            "most_words": "words above which an idea is left out (default {default})",
        },
    )
    add_repeatable(
        made,
        "--calls",
        "calls at once to a provider, at most FOUNDRY_CALLS; repeatable",
        "PROVIDER=N",
    )
    add_workers(made)
    tokens = "tokens of an answer at most (default {default}); models that reason need more"
    temperature = "of all models, {ge} to {le} (default {default})"
    add_numbers(made, Sampling, {"temperature": temperature, "max_tokens": tokens})
    made.add_argument("--seed", type=int, help="draws the judges; the same seed draws the same")
    made.add_argument("--name", help="what it is called in lists")
    add_flag(made, "--estimate", "say what it would take, and start nothing")


# -- more models, keywords or ideas; only what is new is asked -----------------------------------


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


def _add_extending(inner: Verbs) -> None:
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
