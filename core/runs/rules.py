"""The rules that the catalogue gives to its methods: why a finished run has no result, and what
people do in a run in which no model is asked, as a clause (empty where models are asked).
"""

from collections.abc import Callable, Mapping
from typing import Any

from core.records import Run
from core.store import Store

Rule = Callable[[Store, Run], str]
"""Says why a finished run has no result; nothing of one that has."""
Given = Mapping[str, Any]
"""The inputs of a run, as they are stored."""


def shown(sentence: str, *kinds: str) -> Rule:
    """Make a rule: a run has a result where it shows a record of one of these kinds."""
    return lambda store, run: "" if store.steps.shows(run.id, *kinds) else sentence


def filled(sentence: str, kind: str, *fields: str) -> Rule:
    """Make a rule: a run has a result where one of these fields of a record it shows is neither
    empty nor 0.
    """

    def say(store: Store, run: Run) -> str:
        values = [value for name in fields for value in store.steps.field(run.id, kind, name)]
        return "" if any(values) else sentence

    return say


def no_question(store: Store, run: Run) -> str:
    rejected = store.steps.field(run.id, "Prepared", "rejected")
    # The field is missing in records from before questions were rejected.
    return "" if any(not why for why in rejected) else "No question came about that can be used."


def no_vote(store: Store, run: Run) -> str:
    if any(store.ballots.count(run.id)):
        return ""
    if run.config.inputs.get("people_only"):
        return "Nobody has voted yet."
    return "No match came to a judgment, and nobody has voted."


def no_cell(store: Store, run: Run) -> str:
    wanted = "rank-by-" if run.config.inputs.get("judges") else "ideas"
    return "" if store.sweeps.came(run.id, wanted) else "None of its cells came to a result."


def no_evolved_cell(store: Store, run: Run) -> str:
    done = store.steps.with_field(run.id, "EvolvedCell", "state", "done", 0, 1)
    return "" if done else "None of its cells came to a result."


def no_topic_cell(store: Store, run: Run) -> str:
    done = store.steps.with_field(run.id, "TopicCell", "state", "done", 0, 1)
    return "" if done else "None of its cells came to a result."


def no_judgment(store: Store, run: Run) -> str:
    # States of which there is no cell are not in the tally.
    done = {kind for kind, _, state in store.benchmarks.sums.tally(run.id) if state == "done"}
    if "idea" not in done:
        return "No model gave an idea that could be used."
    unjudged = run.config.inputs.get("judges") and "judge" not in done
    return "None of its ideas was judged." if unjudged else ""


def people_vote(given: Given) -> str:
    """Say whether people alone vote in an arena."""
    return "people vote" if given.get("people_only") else ""


def person_ranks(given: Given) -> str:
    """Say whether a person alone ranks."""
    return "a person ranks" if given.get("judged_by") == "person" else ""


def person_judges(given: Given) -> str:
    """Say whether a person judges a given idea once, and nothing is written or looked for."""
    whole = given.get("idea") and given.get("question") and not given.get("papers")
    alone = given.get("judged_by") == "person" and given.get("steps") == 1
    return "a person judges" if whole and alone else ""
