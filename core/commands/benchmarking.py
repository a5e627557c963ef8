"""LiveIdeaBench: have models write ideas from keywords and a panel judge them, see how far it is, take it along."""
import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from core import extending
from core.benchmark import BenchInputs
from core.benchmark.expected import expected, measured
from core.benchmark.keywords import shipped
from core.benchmark.panel import checked, panelists
from core.benchmark.progress import BenchProgress, progress
from core.commands import EXIT, Answer, Verbs, nothing, running, work
from core.entering.keywords import from_file
from core.entering.rankings import general_ranking
from core.errors import BadInput, Parked
from core.export.asked import counted
from core.export.benchmarks import asked_for, export
from core.plans import validated
from core.records import BENCH_DIMENSIONS, Entrant, KeywordList, Panelist, Run, Sampling
from core.reports import benched, summary
from core.runner import Runner
from core.store import Store
from core.workshop import Workshop

SHIPPED = "shipped"
LISTED = 50
"""Benchmarks that are listed, the newest first."""
FAILURES = 5
"""Failures that are told; the report has all."""
BEGINNING = ("models", "judges", "marked", "calls")
"""What only a new benchmark is told."""


def bench(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Have models write ideas on keywords and a panel judge them (LiveIdeaBench); `bench status` and others say what came of it."""
    models, judges = _named(args.models), _named(args.judges)
    if not models:
        raise BadInput("Say who writes ideas, with --models A,B, and who judges them, with --judges C,D,E. `python -m core models` lists who can be reached.")
    _on_cluster(shop, args)
    ranking = general_ranking(_read(args.ranking), args.ranking.name) if args.ranking else ()
    panel = panelists(judges, ranking)
    held, left_out = (shipped(), ()) if args.keywords == SHIPPED else from_file(_read(Path(args.keywords)), Path(args.keywords).name)
    inputs = _inputs(shop, args, held, models, panel)
    notes = [*left_out, *(one.said for one in checked(panel, inputs.models, ranking) if judges and one.kept is not True)]
    sampling = validated(Sampling, **{name: value for name, value in (("temperature", args.temperature), ("max_tokens", args.max_tokens)) if value is not None})
    if args.estimate:
        found = expected(inputs, sampling, measured(shop.store), shop.settings.calls)
        said = {**found.model_dump(mode="json"), "unpriced": list(found.unpriced)}
        return {**nothing("listed"), "estimate": said, "mind": notes, "in_words": _foreseen(inputs, said, notes)}, 0
    config = extending.benchmark(shop, inputs, seed=args.seed, cap_usd=args.cap, cap_tokens=args.cap_tokens, sampling=sampling)
    runner = Runner(shop)
    return _worked(runner, runner.begin(config, inputs.topic).id, notes=notes)


def _inputs(shop: Workshop, args: argparse.Namespace, held: KeywordList, models: list[str], panel: tuple[Panelist, ...]) -> BenchInputs:
    marked = _named(args.marked)
    if stray := [name for name in marked if name not in models]:
        raise BadInput(f"--marked {stray[0]}: it is not among --models.")
    if args.limit is not None and args.limit < 1:
        raise BadInput("--limit takes the first N keywords; give 1 or more.")
    given = {"ideas": args.ideas, "judges_each": args.judges_each, "asked_words": args.asked_words, "most_words": args.most_words}
    entrants = tuple(validated(Entrant, model=name, marked=name in marked) for name in models)
    return validated(BenchInputs, topic=args.name or _called(held, args.limit), keywords=shop.store.frozen.keep(held), models=entrants, judges=panel,
                     count=min(args.limit or len(held.keywords), len(held.keywords)), limits=_limits(args.calls),
                     **{name: value for name, value in given.items() if value is not None})


def _called(held: KeywordList, limit: int | None) -> str:
    return held.name if limit is None or limit >= len(held.keywords) else f"{held.name}, first {limit}"


def _named(lists: Iterable[str]) -> list[str]:
    return [name.strip() for some in lists for name in some.split(",") if name.strip()]


def _limits(given: Iterable[str]) -> dict[str, int]:
    found = {}
    for one in given:
        provider, _, n = one.partition("=")
        if not provider or not n.isdecimal() or not int(n):
            raise BadInput(f"--calls {one!r}: say a provider and how many calls at once it gets, as in openai=8.")
        found[provider] = int(n)
    return found


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}).") from None


def _on_cluster(shop: Workshop, args: argparse.Namespace) -> None:
    """Have calls made by the workers of a cluster, until this process ends."""
    if args.workers:
        if not args.workers.startswith("dask://"):
            raise BadInput(f"--workers {args.workers!r}: say where a Dask scheduler answers, as in dask://127.0.0.1:8786. Without it, this process makes the "
                           "calls.")
        shop.settings = shop.settings.model_copy(update={"cluster": args.workers})


def _foreseen(inputs: BenchInputs, said: dict[str, Any], notes: list[str]) -> str:
    cost = f"unknown, because no price is listed for {', '.join(said['unpriced'])}; a cap on tokens holds" if said["cost"] is None else f"${said['cost']:.2f}"
    hours = said["hours"]
    time = f"{hours:.1f} h" if hours >= 1 else f"{math.ceil(60 * hours)} min"
    lines = [f"{inputs.calls:,} answers: {counted(len(inputs.models), 'model')} x {counted(inputs.count, 'keyword')} x "
             f"({counted(inputs.ideas, 'idea')} x (1 + {counted(inputs.judged, 'judge')}) + {counted(inputs.pairs, 'pair')})",
             f"Tokens, roughly: {said['tokens']:,}", f"Cost, roughly: {cost}", f"Time, roughly: {time} ({said['said']})"]
    return "\n".join([*lines, *(["Mind:", *(f"- {one}" for one in notes)] if notes else [])])


def _worked(runner: Runner, run_id: str, begin: Callable[[str], None] | None = None, notes: Iterable[str] = ()) -> Answer:
    sys.stderr.writelines(f"{one}\n" for one in notes)
    document, _ = work(runner, run_id, begin)
    run = runner.store.runs.get(run_id)
    document = {**document, "mind": list(notes), "failures": _failures(runner.store, run)}
    return {**document, "in_words": _told(run, document, progress(runner.store, run))}, EXIT.get(run.state, Parked.exit_code)


# -- what came of it ------------------------------------------------------------------------------------


def status(shop: Workshop, args: argparse.Namespace) -> Answer:
    """List benchmarks with how far they are; with an ID, its counts, pace, leaderboard and what failed."""
    _alone(args)
    Runner(shop).notice_dead()
    if args.id:
        run = asked_for(shop.store, args.id)
        far = progress(shop.store, run)
        document = {**summary(run), **benched(shop.store, run), "share": far.share, "calls_a_minute": far.pace.a_minute, "minutes_left": far.minutes_left,
                    "failures": _failures(shop.store, run)}
        return {**document, "in_words": _told(run, document, far)}, 0
    runs = shop.store.runs.listed(method="bench", limit=LISTED)
    rows = [{**summary(run), "share": progress(shop.store, run).share} for run in runs]
    words = [f"{row['run']}  {row['state']:<12} {100 * row['share']:5.1f} %  {row['title'][:80]}" for row in rows]
    return {**nothing("listed"), "benchmarks": rows, "in_words": "\n".join(words) or "No benchmarks yet."}, 0


def _failures(store: Store, run: Run) -> list[dict[str, Any]]:
    """Return the first failures, each with who was asked and what was said."""
    return [{"answer": one.key, "asked": one.asked, "why": one.why, "said": one.text} for one in store.benchmarks.lost(run.id, "failed", FAILURES)]


def _told(run: Run, document: dict[str, Any], far: BenchProgress) -> str:
    """Say a benchmark in words: state, counts, leaderboard, what failed, and how it goes on."""
    lines = [f"{run.title} ({run.id}): {run.state}.{f' {run.reason}' if run.reason else ''}"]
    for kind, n in document["answers"].items():
        if n["planned"]:
            name = {"idea": "Ideas", "judge": "Judgments", "fluency": "Comparisons"}[kind]
            lines.append(f"{name}: {n['done']:,} of {n['planned'] - n['needless']:,}" + "".join(
                f", {n[what]:,} {said}" for what, said in (("failed", "failed"), ("excluded", "left out"), ("running", "under way")) if n[what]))
    if run.state == "running" and far.minutes_left is not None:
        lines.append(f"{far.pace.a_minute:.0f} calls a minute; at this pace {far.minutes_left / 60:.1f} h are left.")
    return "\n".join([*lines, *_ranked(document["leaderboard"]), *_failed(document.get("failures", ()), far.total("failed")), *_further(run, far)])


def _ranked(board: list[dict[str, Any]]) -> list[str]:
    """Say the leaderboard, a line for each model; those that the first is not told apart from are marked."""
    rows = [row for row in board if row["average"]["value"] is not None]
    if not rows:
        return ["No model has an average yet."]
    lines = [f"{row['rank']:>3}{'*' if row['tied'] else ' '} {row['model']:<44} average {_spread(row['average'])}  " + " ".join(
        f"{name[:4]} {_value(row[name])}" for name in (*BENCH_DIMENSIONS, "fluency", "flexibility")) for row in rows]
    lines += [f"  –  {row['model']:<44} no average" for row in board if row not in rows]
    return [*lines, "*: not told apart from at least one other; `bench report` says from which."] if any(row["tied"] for row in rows) else lines


def _failed(held: Sequence[dict[str, Any]], total: int) -> list[str]:
    """Say what failed, the same words once."""
    said: dict[str, list[str]] = {}
    for one in held:
        said.setdefault(one["said"], []).append(one["answer"])
    if not said:
        return []
    return [f"What failed{f', {len(held)} of {total:,}' if total > len(held) else ''}:", *(f"- {', '.join(keys)}: {words}" for words, keys in said.items())]


def _further(run: Run, far: BenchProgress) -> list[str]:
    """Say which command goes on from here."""
    if run.state == "done":
        return [f"`bench again {run.id}` asks once more for what failed."] if far.total("failed") else []
    return [] if run.state in ("running", "queued") else [f"`bench resume {run.id}` goes on at the next call."]


def _spread(one: dict[str, Any]) -> str:
    return _value(one) + ("" if one["low"] is None else f" [{one['low']:.2f}, {one['high']:.2f}]")


def _value(one: dict[str, Any]) -> str:
    return "–" if one["value"] is None else f"{one['value']:.2f}"


def report(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Write a benchmark to a folder or a .zip: report, tables, figures, configuration, and every answer as CSV."""
    _alone(args)
    names = export(shop.store, args.id, args.to, not args.without_answers)
    return {**nothing("listed"), "benchmark": args.id, "to": str(args.to), "files": list(names),
            "in_words": f"{counted(len(names), 'file')} in {args.to}; report.md says what was found."}, 0


def again(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Ask what failed in a benchmark once more, and go on with it."""
    _alone(args)
    _on_cluster(shop, args)
    runner = Runner(shop)

    def ask(run_id: str) -> None:
        extending.again(runner, run_id)

    return _worked(runner, asked_for(shop.store, args.id).id, ask)


def resumed(shop: Workshop, args: argparse.Namespace) -> Answer:
    """Go on with a benchmark that was paused, interrupted or reached a cap; nothing that is there is paid again."""
    _alone(args)
    _on_cluster(shop, args)
    if (run := asked_for(shop.store, args.id)).state == "done":
        raise BadInput(f"Benchmark {run.id} is finished. `bench again {run.id}` asks once more for what failed.")
    document, code = running.resume(shop, args)
    run = shop.store.runs.get(run.id)
    document = {**document, "failures": _failures(shop.store, run)}
    return {**document, "in_words": _told(run, document, progress(shop.store, run))}, code


def _alone(args: argparse.Namespace) -> None:
    if stray := next((name for name in BEGINNING if getattr(args, name, None)), None):
        raise BadInput(f"--{stray} begins a new benchmark: leave it out here, or leave the word after `bench` out.")


def words(verbs: Verbs) -> None:
    """Add the verbs of this room."""
    beginning, inner = verbs.with_own("bench", bench, verbs.caps)
    _beginning(beginning)
    inner.add("status", status).add_argument("id", nargs="?", metavar="ID")
    taking = inner.add("report", report)
    taking.add_argument("id", metavar="ID")
    taking.add_argument("--to", type=Path, required=True, metavar="FOLDER|ZIP", help="a new or empty folder, or a file that ends in .zip")
    taking.add_argument("--without-answers", action="store_true", help="leave out the files with a row for every idea and judgment")
    for made in (inner.add("again", again), inner.add("resume", resumed, inner.caps)):
        made.add_argument("id", metavar="ID")
        _where(made, default=argparse.SUPPRESS)


def _where(made: argparse.ArgumentParser, **how: Any) -> None:
    made.add_argument("--workers", metavar="dask://HOST:PORT", help="have the workers of this Dask cluster make the calls", **how)


def _beginning(made: argparse.ArgumentParser) -> None:
    made.add_argument("--keywords", default=SHIPPED, metavar="FILE", help=f"a CSV or text file of keywords, or {SHIPPED!r}: the paper's 1,180 (default)")
    for name, about in (("models", "who writes ideas"), ("judges", "the panel that judges; without one nobody does"),
                        ("marked", "those of --models that reason in the open and mark their final idea")):
        made.add_argument(f"--{name}", action="append", default=[], metavar="MODEL[,MODEL]", help=f"{about}; repeatable")
    made.add_argument("--ranking", type=Path, metavar="FILE", help="a general ranking (CSV: model, score, organisation, base) the panel is held against")
    made.add_argument("--limit", type=int, metavar="N", help="only the first N keywords")
    made.add_argument("--ideas", type=int, help="ideas per keyword and model, 1 to 10 (default 2)")
    made.add_argument("--judges-each", type=int, help="judges per idea, 1 to 10 (default 3)")
    made.add_argument("--asked-words", type=int, help="words a model is asked to stay within (default 100)")
    made.add_argument("--most-words", type=int, help="words above which an idea is left out (default 200)")
    made.add_argument("--calls", action="append", default=[], metavar="PROVIDER=N", help="calls at once to a provider, at most FOUNDRY_CALLS; repeatable")
    _where(made)
    made.add_argument("--temperature", type=float, help="of all models, 0 to 2 (default 0.7)")
    made.add_argument("--max-tokens", type=int, help="tokens of an answer at most (default 4000); models that reason need more")
    made.add_argument("--seed", type=int, help="draws the judges; the same seed draws the same")
    made.add_argument("--name", help="what it is called in lists")
    made.add_argument("--estimate", action="store_true", help="say what it would take, and start nothing")
