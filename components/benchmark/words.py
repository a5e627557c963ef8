"""A benchmark in words: how the state of its answers looks, what its kinds are called, how long
something takes.
"""

from components.experiments.words import LOOKS, StateLook
from components.runs.models import spoken
from components.shell import services
from components.shell.text import counted, inline
from core.benchmark import BenchInputs
from core.benchmark.progress import BenchProgress
from core.records import BenchKind, KeywordList, Run
from core.runs.catalogue import entry

STATES: dict[str, StateLook] = {
    "done": LOOKS["done"],
    "running": LOOKS["running"]._replace(word="in progress"),
    "failed": LOOKS["failed"],
    "excluded": StateLook(
        "orange", ":material/block:", "⊘", "excluded", "rgba(192, 138, 18, 0.25)"
    ),
    "left": LOOKS["left"],
    "needless": StateLook(
        "gray", ":material/remove_done:", "−", "not needed", "rgba(138, 143, 150, 0.10)"
    ),
}
"""What an answer may be, in the order it is read; the first four and `left` look as the cells of an
experiment do.
"""
KINDS: dict[BenchKind, str] = {"idea": "Ideas", "judge": "Judgments", "fluency": "Comparisons"}
ONE: dict[BenchKind, str] = {"idea": "idea", "judge": "judgment", "fluency": "comparison"}
WHY = {
    "refused": "refused, twice",
    "long": "too long",
    "NoUsableAnswer": "no usable answer",
    "ModelFailed": "no answer came",
    "CannotAnswer": "the model cannot answer this",
}
"""Why an answer is missing, in words; what is not here is said as it is named."""


def badges(found: BenchProgress, kind: BenchKind | None = None) -> str:
    """Return how many answers are in each state, as Markdown badges; states that none is in are
    left out.
    """
    counts = {state: found.total(state, kind) for state in STATES}
    return " ".join(state_badge(state, n) for state, n in counts.items() if n)


def state_badge(state: str, n: int) -> str:
    """Return how many answers are in a state, as a Markdown badge."""
    look = STATES[state]
    return f":{look.colour}-badge[{look.icon} {n:,} {look.word}]"


def duration(minutes: float) -> str:
    """Say how long something takes, as exactly as it is known."""
    if minutes < 1:
        return "less than a minute"
    if minutes < 90:
        return f"about {counted(round(minutes), 'minute')}"
    hours = minutes / 60
    return f"about {hours:.1f} hours" if hours < 48 else f"about {hours / 24:.1f} days"


def round_off(n: int) -> str:
    """Say a number that is guessed, to two significant digits."""
    return f"{round(n, 2 - len(str(n))):,}" if n >= 100 else f"{n:,}"


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
    found = {"Keyword" if asked.brainstorm else "Name": inline(asked.topic, 200)}
    if not asked.brainstorm:
        found["Keywords"] = _keywords(asked)
    found["Models that write"] = ", ".join(
        spoken(one.model) + " (reasons in the open)" * one.marked for one in asked.models
    )
    found["Judges"] = _judges(asked)
    found["Ideas"] = (
        f"{asked.ideas} for each keyword and model, asked to stay within {asked.asked_words:,}"
        f" words, left out above {asked.most_words:,}"
    )
    if limits := ", ".join(f"{n:,} to {inline(lane)}" for lane, n in asked.limits.items()):
        found["Calls at once"] = f"at most {limits}"
    return found


def _keywords(asked: BenchInputs) -> str:
    held = services.store().frozen.get(asked.keywords, KeywordList)
    there = len(held.keywords)
    which = f"all {there:,}" if there > 1 else "one"
    if asked.count < there:
        which = f"the first {asked.count:,} of {there:,}"
    return f"{inline(held.name, 200)}: {which}"


def _judges(asked: BenchInputs) -> str:
    if not asked.judges:
        return "none"
    names = ", ".join(spoken(one.model) for one in asked.judges)
    if len(asked.judges) == asked.judges_each:
        return names
    return f"{counted(asked.judges_each, 'judge')} for each idea, drawn from {names}"
