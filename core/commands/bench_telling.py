"""A benchmark in words on the command line: what it would take, how it stands, its leaderboard,
what failed, and how it goes on.
"""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from core.benchmark import BenchInputs
from core.benchmark.expected import Expected
from core.benchmark.progress import BenchProgress, progress
from core.commands.documents import nothing
from core.commands.options import Answer
from core.commands.working import EXIT, work
from core.errors import Parked
from core.records import BENCH_DIMENSIONS, Run, usage
from core.runs.estimates import again
from core.runs.runner import Runner
from core.store import Store
from core.wording.numbers import counted

FAILURES = 5
"""Failures that are told; the report has all."""


def spelled(inputs: BenchInputs) -> str:
    """Say what the answers of a benchmark are made of."""
    return (
        f"{counted(len(inputs.models), 'model')} x {counted(inputs.count, 'keyword')} x"
        f" ({counted(inputs.ideas, 'idea')} x (1 + {counted(inputs.judged, 'judge')}) +"
        f" {counted(inputs.pairs, 'pair')})"
    )


def foreseen(found: Expected, size: str, notes: Sequence[str] = ()) -> dict[str, Any]:
    """Return the document of an estimate; `size` says how many answers that is, and of what."""
    cost = (
        f"unknown, because no price is listed for {', '.join(found.unpriced)}; a cap on tokens"
        " holds"
        if found.cost is None
        else f"${found.cost:.2f}"
    )
    time = f"{found.hours:.1f} h" if found.hours >= 1 else f"{math.ceil(60 * found.hours)} min"
    lines = [
        size,
        f"Tokens, roughly: {found.tokens:,}",
        f"Cost, roughly: {cost}",
        f"Time, roughly: {time} ({found.said})",
    ]
    said = {**found.model_dump(mode="json"), "unpriced": list(found.unpriced)}
    lines.append(again())
    mind = ["Mind:", *(f"- {one}" for one in notes)] if notes else []
    return {
        **nothing("listed"),
        "estimate": said,
        "mind": list(notes),
        "in_words": "\n".join([*lines, *mind]),
    }


def worked(
    runner: Runner,
    run_id: str,
    begin: Callable[[str], None] | None = None,
    notes: Iterable[str] = (),
) -> Answer:
    """Work on a benchmark until it ends or is parked, and say what came of it; `notes` are said
    before.
    """
    sys.stderr.writelines(f"{one}\n" for one in notes)
    document, _ = work(runner, run_id, begin)
    run = runner.store.runs.get(run_id)
    document = {**document, "mind": list(notes), "failures": failures(runner.store, run)}
    return {**document, "in_words": told(run, document, progress(runner.store, run))}, EXIT.get(
        run.state, Parked.exit_code
    )


def failures(store: Store, run: Run) -> list[dict[str, Any]]:
    """Return the first failures, each with who was asked and what was said."""
    return [
        {"answer": one.key, "asked": one.asked, "why": one.why, "said": one.text}
        for one in store.benchmarks.lost(run.id, "failed", FAILURES)
    ]


def told(run: Run, document: dict[str, Any], far: BenchProgress) -> str:
    """Say a benchmark in words: state, counts, leaderboard, what failed, and how it goes on."""
    lines = [f"{run.title} ({run.id}): {_state(run, document)}"]
    for kind, n in document["answers"].items():
        if n["planned"]:
            name = {"idea": "Ideas", "judge": "Judgments", "fluency": "Comparisons"}[kind]
            lines.append(
                f"{name}: {n['done']:,} of {n['planned'] - n['needless']:,}"
                + "".join(
                    f", {n[what]:,} {said}"
                    for what, said in (
                        ("failed", "failed"),
                        ("excluded", "left out"),
                        ("running", "under way"),
                    )
                    if n[what]
                )
            )
    lines.append(f"{took(run).capitalize()}.")
    if came := document.get("calls_to_take_in"):
        lines.append(
            f"{counted(came, 'answer')} came before the program ended, and will be taken in when it"
            " goes on."
        )
    if run.state == "running" and far.minutes_left is not None:
        lines.append(
            f"{far.pace.a_minute:.0f} calls a minute; at this pace {far.minutes_left / 60:.1f} h"
            " are left."
        )
    return "\n".join(
        [
            *lines,
            *_ranked(document["leaderboard"]),
            *_failed(document.get("failures", ()), far.total("failed")),
            *_further(run, document, far),
        ]
    )


def _state(run: Run, document: dict[str, Any]) -> str:
    said = "done, without a result" if document.get("result") is False else run.state
    return " ".join(filter(None, (f"{said}.", document.get("reason"))))


def took(run: Run) -> str:
    """Say calls and tokens of a run in one line."""
    tokens = usage.all_tokens(run.tokens_in, run.tokens_out, run.calls, run.unreported)
    return f"{usage.calls(run.calls, run.maybe_paid)}; {tokens}"


def _ranked(board: list[dict[str, Any]]) -> list[str]:
    """Say the leaderboard, a line for each model; those that the first is not told apart from are
    marked.
    """
    rows = [row for row in board if row["average"]["value"] is not None]
    if not rows:
        return ["No model has an average yet."]
    lines = [
        f"{row['rank']:>3}{'*' if row['tied'] else ' '} {row['model']:<44} average"
        f" {_spread(row['average'])}  "
        + " ".join(
            f"{name[:4]} {_value(row[name])}"
            for name in (*BENCH_DIMENSIONS, "fluency", "flexibility")
        )
        for row in rows
    ]
    lines += [f"  –  {row['model']:<44} no average" for row in board if row not in rows]
    return (
        [*lines, "*: not told apart from at least one other; `bench report` says from which."]
        if any(row["tied"] for row in rows)
        else lines
    )


def _failed(held: Sequence[dict[str, Any]], total: int) -> list[str]:
    """Say what failed, the same words once."""
    said: dict[str, list[str]] = {}
    for one in held:
        said.setdefault(one["said"], []).append(one["answer"])
    if not said:
        return []
    return [
        f"What failed{f', {len(held)} of {total:,}' if total > len(held) else ''}:",
        *(f"- {', '.join(keys)}: {words}" for words, keys in said.items()),
    ]


def _further(run: Run, document: dict[str, Any], far: BenchProgress) -> list[str]:
    """Say which command goes on from here."""
    if run.state == "done":
        return (
            [f"`python -m core bench again {run.id}` asks once more for what failed."]
            if far.total("failed")
            else []
        )
    if run.state in ("running", "queued"):
        return []
    command = next(iter(document.get("next", ())), f"python -m core bench resume {run.id}")
    return [f"`{command}` goes on at the next call."]


def _spread(one: dict[str, Any]) -> str:
    return _value(one) + ("" if one["low"] is None else f" [{one['low']:.2f}, {one['high']:.2f}]")


def _value(one: dict[str, Any]) -> str:
    return "–" if one["value"] is None else f"{one['value']:.2f}"
