"""What the boxes of an expert's form hold, and the draft that says the same: between a screen and
the shape of an answer, without drawing.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from core.records import FIVE_WAY, Criterion, Task, Trajectory, TrajectoryRound
from core.wording.passages import plain
from core.wording.sentences import sentences

Boxes = dict[str, Any]
"""By name: `score:0` is the scale of the first criterion in this seat's order."""
TEXTS = ("note", "quote", "text")
"""Boxes a person types in; the others are chosen from."""
FIVE = frozenset(map(str, FIVE_WAY))
QUESTIONS = ("valid", "answered", "change")


def boxes_of(
    task: Task, draft: dict[str, Any], criteria: Sequence[Criterion], shown: Sequence[str]
) -> Boxes:
    """Return what the boxes hold when they say what a draft, or an answer, says; what is not said
    is not there.
    """
    names = [criterion.name for criterion in criteria]
    boxes = {"note": draft.get("note"), **_SAID[task](draft, names, shown)}
    return {name: value for name, value in boxes.items() if value not in (None, "", False)}


def draft_of(
    task: Task, boxes: Boxes, criteria: Sequence[Criterion], shown: Sequence[str], review: str = ""
) -> dict[str, Any]:
    """Return the draft these boxes make; empty where nothing is said. `review` tells a remark on
    the review from one on the idea.
    """
    names = [criterion.name for criterion in criteria]
    draft = _DRAFTED[task](boxes, names, shown)
    if task == "comment":
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


# -- from a draft ------------------------------------------------------------------------------


def _rated(draft: dict[str, Any], names: Sequence[str], _: Sequence[str]) -> Boxes:
    scores = draft.get("scores") or {}
    boxes: Boxes = {}
    for n, name in enumerate(names):
        boxes[f"score:{n}"] = scores.get(name)
        boxes[f"cannot:{n}"] = name in scores and scores[name] is None
    return boxes


def _ranked(draft: dict[str, Any], _: Sequence[str], __: Sequence[str]) -> Boxes:
    return {"groups": tuple(map(tuple, draft.get("groups") or ())) or None}


def _compared(draft: dict[str, Any], names: Sequence[str], shown: Sequence[str]) -> Boxes:
    preferences = draft.get("preferences") or {}
    boxes: Boxes = {"weak": draft.get("both_weak")}
    for n, name in enumerate(names):
        if name in preferences:
            boxes[f"better:{n}"] = str(_strength(preferences[name], shown))
    return boxes


def _strength(preference: dict[str, Any], shown: Sequence[str]) -> int:
    better = preference.get("better")
    if not better:
        return 0
    strength = 2 if preference.get("much") else 1
    return strength if better == shown[0] else -strength


def _commented(draft: dict[str, Any], _: Sequence[str], __: Sequence[str]) -> Boxes:
    boxes: Boxes = {name: draft.get(name) for name in QUESTIONS}
    for n, remark in enumerate(draft.get("remarks") or ()):
        boxes[f"quote:{n}"] = remark.get("quote")
        boxes[f"text:{n}"] = remark.get("text")
    return boxes


_SAID = {"rate": _rated, "rank": _ranked, "compare": _compared, "comment": _commented}

# -- to a draft --------------------------------------------------------------------------------


def _rating(boxes: Boxes, names: Sequence[str], _: Sequence[str]) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    for n, name in enumerate(names):
        if boxes.get(f"cannot:{n}"):
            scores[name] = None
        elif (score := boxes.get(f"score:{n}")) is not None:
            scores[name] = score
    return {"scores": scores}


def _ranking(boxes: Boxes, _: Sequence[str], __: Sequence[str]) -> dict[str, Any]:
    return {"groups": [list(group) for group in boxes.get("groups") or ()]}


def _comparing(boxes: Boxes, names: Sequence[str], shown: Sequence[str]) -> dict[str, Any]:
    preferences = {}
    for n, name in enumerate(names):
        answer = str(boxes.get(f"better:{n}"))
        if answer in FIVE:
            strength = int(answer)
            better = shown[0] if strength > 0 else shown[1] if strength < 0 else ""
            preferences[name] = {"better": better, "much": abs(strength) == 2}
    return {"preferences": preferences, "both_weak": bool(boxes.get("weak"))}


def _commenting(boxes: Boxes, _: Sequence[str], __: Sequence[str]) -> dict[str, Any]:
    return {name: boxes[name] for name in QUESTIONS if boxes.get(name)}


_DRAFTED = {"rate": _rating, "rank": _ranking, "compare": _comparing, "comment": _commenting}
