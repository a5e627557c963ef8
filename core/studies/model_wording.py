"""What a model judge reads of a unit: the guide the experts read, the criteria with their anchors,
the texts as they are shown.
"""

from collections.abc import Sequence

from core.prompts.wording import worded
from core.records import Criterion, Record, StudyPlan, StudyUnit, Trajectory


def values_of(
    plan: StudyPlan,
    unit: StudyUnit,
    texts: Sequence[tuple[str, Record]],
    criteria: Sequence[Criterion],
    trajectory: Trajectory | None = None,
) -> dict[str, object]:
    """Return the values of the prompt that asks for a unit; of a trajectory only `trajectory` is
    read, which is cut to the rounds that may be seen.
    """
    given: dict[str, object] = {"instructions": plan.instructions, "example": plan.example}
    if trajectory is not None:
        return {**given, **_round(trajectory)}
    given |= {"topic": unit.topic or None, "criteria": "\n".join(map(anchored, criteria))}
    match plan.task:
        case "rank":
            return {
                **given,
                "labels": ", ".join(label for label, _ in texts),
                "texts": "\n\n".join(lettered(*one) for one in texts),
            }
        case "compare":
            return {**given, "first": worded(texts[0][1]), "second": worded(texts[1][1])}
        case _:
            return {**given, "text": worded(texts[0][1])}


def anchored(one: Criterion) -> str:
    """Return a criterion as a judge reads it, with what the lowest and the highest score mean."""
    return f"- {one.name}: {one.meaning} (1: {one.low}; 10: {one.high})"


def lettered(label: str, text: Record) -> str:
    """Return a text with its label before every line, so that no text can pass for the beginning of
    another.
    """
    return "\n".join(f"{label}| {line}" for line in worded(text).splitlines())


def _round(seen: Trajectory) -> dict[str, object]:
    """Return the newest round that may be seen, and what came before it."""
    *past, newest = seen.rounds
    versions = [seen.first, *(one.idea for one in past)]
    told = [
        f"Version {n}:\n{worded(idea)}\n\nReview {n + 1}:\n{worded(one.review)}"
        for n, (idea, one) in enumerate(zip(versions, past, strict=False))
    ]
    return {
        "round": len(seen.rounds),
        "goal": seen.goal or "the idea as a whole",
        "past": tuple(told),
        "before": versions[-1],
        "review": newest.review,
        "after": newest.idea,
    }
