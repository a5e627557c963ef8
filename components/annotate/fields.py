"""What the boxes of an expert's form hold, and the draft that says the same: between a screen and
the shape of an answer, without drawing.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from core.records import Criterion, Task, Trajectory, TrajectoryRound
from core.wording.passages import plain
from core.wording.sentences import sentences

Boxes = dict[str, Any]
"""By name: `score:0` is the scale of the first criterion in this seat's order."""
TEXTS = ("note", "quote", "text")
"""Boxes a person types in; the others are chosen from."""
QUESTIONS = ("valid", "answered", "change")


def boxes_of(
    task: Task, draft: dict[str, Any], criteria: Sequence[Criterion], shown: Sequence[str]
) -> Boxes:
    """Return what the boxes hold when they say what a draft, or an answer, says; what is not said
    is not there.
    """
    boxes: Boxes = {"note": draft.get("note")}
    match task:
        case "rate":
            scores = draft.get("scores") or {}
            for n, criterion in enumerate(criteria):
                score = scores.get(criterion.name)
                boxes[f"score:{n}"] = score
                boxes[f"cannot:{n}"] = criterion.name in scores and score is None
        case "rank":
            boxes["groups"] = tuple(map(tuple, draft.get("groups") or ())) or None
        case "compare":
            preferences = draft.get("preferences") or {}
            boxes["weak"] = draft.get("both_weak")
            for n, criterion in enumerate(criteria):
                if criterion.name in preferences:
                    boxes[f"better:{n}"] = _strength(preferences[criterion.name], shown)
        case "comment":
            boxes |= {name: draft.get(name) for name in QUESTIONS}
            for n, remark in enumerate(draft.get("remarks") or ()):
                boxes[f"quote:{n}"] = remark.get("quote")
                boxes[f"text:{n}"] = remark.get("text")
    return {name: value for name, value in boxes.items() if value not in (None, "", False)}


def draft_of(
    task: Task, boxes: Boxes, criteria: Sequence[Criterion], shown: Sequence[str], review: str = ""
) -> dict[str, Any]:
    """Return the draft these boxes make; empty where nothing is said. `review` tells a remark on
    the review from one on the idea.
    """
    draft: dict[str, Any] = {}
    match task:
        case "rate":
            scores = draft["scores"] = {}
            for n, criterion in enumerate(criteria):
                if boxes.get(f"cannot:{n}"):
                    scores[criterion.name] = None
                elif (score := boxes.get(f"score:{n}")) is not None:
                    scores[criterion.name] = score
        case "rank":
            draft["groups"] = [list(group) for group in boxes.get("groups") or ()]
        case "compare":
            first, second = shown
            sides = {"2": first, "1": first, "0": "", "-1": second, "-2": second}
            preferences = draft["preferences"] = {}
            for n, criterion in enumerate(criteria):
                answer = str(boxes.get(f"better:{n}"))
                if answer in sides:
                    better = {"better": sides[answer], "much": answer.endswith("2")}
                    preferences[criterion.name] = better
            draft["both_weak"] = bool(boxes.get("weak"))
        case "comment":
            draft |= {name: boxes[name] for name in QUESTIONS if boxes.get(name)}
            draft["remarks"] = _remarks(boxes, review)
    draft["note"] = boxes.get("note") or ""
    says_something = any(value not in ("", None, False, {}, [], ()) for value in draft.values())
    return draft if says_something else {}


def half_remarks(draft: dict[str, Any]) -> int:
    """Return how many remarks of a draft have a passage and no words, or words and no passage."""
    return sum(
        bool(one["quote"].strip()) != bool(one["text"].strip())
        for one in draft.get("remarks") or ()
    )


def whole(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft without the rows of remarks that were left empty."""
    if "remarks" not in draft:
        return draft
    remarks = draft["remarks"]
    begun = [one for one in remarks if one["quote"].strip() or one["text"].strip()]
    return draft | {"remarks": begun}


def names(task: Task, criteria: Sequence[Criterion], rows: int) -> tuple[str, ...]:
    """Return the names of the boxes of a form."""
    by_criterion = {"rate": ("score", "cannot"), "compare": ("better",)}.get(task, ())
    asked = tuple(f"{kind}:{n}" for kind in by_criterion for n in range(len(criteria)))
    rest = {
        "compare": ("weak",),
        "comment": (
            *QUESTIONS,
            *(f"{part}:{n}" for n in range(rows) for part in ("quote", "text")),
        ),
    }.get(task, ())
    return (*asked, *rest, "note")


def rows(boxes: Boxes) -> int:
    """Return how many rows of remarks these boxes need."""
    return 1 + max(
        (int(name.split(":")[1]) for name in boxes if name.startswith(("quote:", "text:"))),
        default=-1,
    )


def without_row(boxes: Boxes, row: int) -> Boxes:
    """Take a row of remarks out; those below it move up."""
    kept: Boxes = {}
    for name, value in boxes.items():
        kind, _, at = name.partition(":")
        if kind not in ("quote", "text"):
            kept[name] = value
        elif int(at) != row:
            kept[f"{kind}:{int(at) - (int(at) > row)}"] = value
    return kept


def review_text(one: TrajectoryRound) -> str:
    """Return all a review says, a paragraph a remark."""
    return "\n\n".join((one.review.summary, *(remark.text for remark in one.review.remarks)))


def passages(trajectory: Trajectory) -> tuple[str, ...]:
    """Return what can be quoted from the last round that is shown: the sentences of the review,
    then of the revised idea.
    """
    last = trajectory.rounds[-1]
    idea = "\n\n".join(last.idea.fields.values())
    return tuple(
        dict.fromkeys(one for text in (review_text(last), idea) for one in sentences(text))
    )


def stands(quote: str, texts: Iterable[str]) -> bool:
    """Say whether a passage is in one of these texts, word for word, whatever the white space and
    the kind of quotation marks.
    """
    words = plain(quote).text.strip()
    return bool(words) and any(words in plain(text).text for text in texts)


def _remarks(boxes: Boxes, review: str) -> list[dict[str, str]]:
    # An empty row between two others stays one, and no space at an end is cut: what is being typed
    # must come back as it is.
    remarks = []
    for n in range(rows(boxes)):
        quote = str(boxes.get(f"quote:{n}") or "")
        text = str(boxes.get(f"text:{n}") or "")
        of = "review" if quote and stands(quote, (review,)) else "idea"
        remarks.append({"of": of, "quote": quote, "text": text})
    return remarks


def _strength(preference: dict[str, Any], shown: Sequence[str]) -> str:
    better = preference.get("better")
    if not better:
        return "0"
    strength = "2" if preference.get("much") else "1"
    return strength if better == shown[0] else f"-{strength}"
