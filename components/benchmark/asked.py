"""What a benchmark was asked for, as facts in words."""

from components.runs.models import spoken
from components.shell import services
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.records import KeywordList, Run
from core.runs.catalogue import entry


def facts(run: Run) -> dict[str, str]:
    """Return what a benchmark was asked for, each fact as Markdown under its name; nothing of
    another run, or of one that an earlier version began.
    """
    if not entry(run.config).cells:
        return {}
    try:
        asked = run.inputs_as(BenchInputs)
    except ValueError:
        return {}
    limits = ", ".join(f"{n:,} to {inline(lane)}" for lane, n in asked.limits.items())
    return {
        **(
            {"Keyword": inline(asked.topic, 200)}
            if asked.brainstorm
            else {"Name": inline(asked.topic, 200), "Keywords": _keywords(asked)}
        ),
        "Models that write": ", ".join(
            spoken(one.model) + " (reasons in the open)" * one.marked for one in asked.models
        ),
        "Judges": _judges(asked),
        "Ideas": (
            f"{asked.ideas} for each keyword and model, asked to stay within {asked.asked_words:,}"
            f" words, left out above {asked.most_words:,}"
        ),
        **({"Calls at once": f"at most {limits}"} if limits else {}),
    }


def _keywords(asked: BenchInputs) -> str:
    held = services.store().frozen.get(asked.keywords, KeywordList)
    there = len(held.keywords)
    return f"{inline(held.name, 200)}: " + (
        f"the first {asked.count:,} of {there:,}"
        if asked.count < there
        else f"all {there:,}"
        if there > 1
        else "one"
    )


def _judges(asked: BenchInputs) -> str:
    if not asked.judges:
        return "none"
    names = ", ".join(spoken(one.model) for one in asked.judges)
    return (
        names
        if len(asked.judges) == asked.judges_each
        else f"{counted(asked.judges_each, 'judge')} for each idea, drawn from {names}"
    )
