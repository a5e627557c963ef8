"""Say whether a finished run came to a result: one rule for every kind of run, wherever it is
shown.
"""

from collections.abc import Callable

from core.records import Run
from core.store import Store


def lack(store: Store, run: Run) -> str:
    """Return why a finished run has no result, as a sentence; empty for one that has, for one that
    is not finished, and for a kind of run that is not known here.
    """
    rule = RULES.get(run.config.method)
    return rule(store, run) if rule and run.state == "done" else ""


def _shown(said: str, *kinds: str) -> Callable[[Store, Run], str]:
    """Make a rule: a run has a result where it shows a record of one of these kinds."""
    return lambda store, run: "" if store.steps.shows(run.id, *kinds) else said


def _filled(said: str, kind: str, *fields: str) -> Callable[[Store, Run], str]:
    """Make a rule: a run has a result where one of these fields of a record it shows is neither
    empty nor 0.
    """
    return lambda store, run: (
        "" if any(any(store.steps.field(run.id, kind, name)) for name in fields) else said
    )


def _question(store: Store, run: Run) -> str:
    rejected = store.steps.field(run.id, "Prepared", "rejected")
    # The field is missing in records from before questions were rejected.
    return "" if any(not why for why in rejected) else "No question came about that can be used."


def _arena(store: Store, run: Run) -> str:
    if any(store.ballots.count(run.id)):
        return ""
    if run.config.inputs.get("people_only"):
        return "Nobody has voted yet."
    return "No match came to a judgment, and nobody has voted."


def _experiment(store: Store, run: Run) -> str:
    wanted = "rank-by-" if run.config.inputs.get("judges") else "ideas"
    return "" if store.sweeps.came(run.id, wanted) else "None of its cells came to a result."


def _benchmark(store: Store, run: Run) -> str:
    done = {
        kind
        for (kind, _, state), n in store.benchmarks.sums.tally(run.id).items()
        if state == "done" and n
    }
    if "idea" not in done:
        return "No model gave an idea that could be used."
    return (
        "None of its ideas was judged."
        if run.config.inputs.get("judges") and "judge" not in done
        else ""
    )


RULES: dict[str, Callable[[Store, Run], str]] = {
    **dict.fromkeys(
        ("chain", "rag", "direct", "real-paper"), _shown("It came to no idea.", "Outcome", "Idea")
    ),
    "refine": _shown("It came to no idea.", "Outcome"),
    "evolve": _shown("It came to no idea.", "Outcome", "Evolved"),
    "question": _question,
    "seed-dataset": _question,
    "target-dataset": _shown("No target came into it.", "Target"),
    "rank": _filled("No ranking came about that can be used.", "Standing", "rankings"),
    "arena": _arena,
    "sweep": _experiment,
    "bench": _benchmark,
    "seat": _filled("The seat gave no answer.", "SeatFilled", "answered", "earlier"),
    "find": _filled("No paper was found.", "Search", "papers"),
    "candidates": _filled("No candidate was found.", "Considered", "candidates"),
}
