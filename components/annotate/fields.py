"""What the boxes of an expert's form hold, and the draft that says the same: between a screen and
the shape of an answer, without drawing.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from core.records import Criterion, Task, Trajectory, TrajectoryRound
from core.wording.passages import plain_words
from core.wording.sentences import sentences

Boxes = dict[str, Any]
"""By name: `score:0` is the scale of the first criterion in this seat's order, `words:0` its free
text, `why:0` the reason beside it; `mark` says why the unit is skipped or flagged.
"""
TYPED = ("note", "text", "words", "why", "mark")
"""Boxes of words a person types; the others are chosen from."""
QUESTIONS = ("valid", "answered", "change")
MARKS = ("mark", "flagged")
MOST_BUTTONS = 11
"""Points of a scale that are drawn as buttons; from 0 to 10 fits."""


def boxes_of(
    task: Task, draft: dict[str, Any], criteria: Sequence[Criterion], shown: Sequence[str]
) -> Boxes:
    """Return what the boxes hold when they say what a draft, or an answer, says; what is not said
    is not there.
    """
    if draft.get("task") == "skip":
        return {"mark": draft["reason"]}
    boxes: Boxes = {"note": draft.get("note")}
    boxes["mark"] = draft.get("mark") or draft.get("flag")
    boxes["flagged"] = draft.get("flagged") or bool(draft.get("flag"))
    match task:
        case "rate":
            said = {**(draft.get("scores") or {}), **(draft.get("texts") or {})}
            reasons = draft.get("reasons") or {}
            for n, criterion in enumerate(criteria):
                answer = said.get(criterion.name)
                boxes[f"{box_of(criterion)}:{n}"] = answer
                boxes[f"cannot:{n}"] = criterion.name in said and answer in (None, "")
                boxes[f"why:{n}"] = reasons.get(criterion.name)
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
    # A score of 0 is one.
    return {name: value for name, value in boxes.items() if not _empty(value)}


def draft_of(
    task: Task, boxes: Boxes, criteria: Sequence[Criterion], shown: Sequence[str], review: str = ""
) -> dict[str, Any]:
    """Return the draft these boxes make; empty where nothing is said. `review` tells a remark on
    the review from one on the idea.
    """
    draft: dict[str, Any] = {}
    match task:
        case "rate":
            draft |= _rated(boxes, criteria)
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
    draft |= {name: boxes[name] for name in MARKS if boxes.get(name)}
    says_something = any(value not in ("", None, False, {}, [], ()) for value in draft.values())
    return draft if says_something else {}


def box_of(criterion: Criterion) -> str:
    """Return which box takes the answer to a criterion."""
    return "score" if criterion.scored else "words"


def by_number(criterion: Criterion) -> bool:
    """Say whether a score is typed as a number: its points are too many for buttons."""
    lowest, highest = criterion.ends
    return criterion.kind == "scale" and highest - lowest + 1 > MOST_BUTTONS


def _empty(value: Any) -> bool:
    return value is None or value is False or value == ""


def _rated(boxes: Boxes, criteria: Sequence[Criterion]) -> dict[str, Any]:
    """Return scores, free texts and reasons; who cannot judge has said so, and nothing to say is a
    free text, too. What a session does not ask for is not there.
    """
    scores: dict[str, Any] = {}
    texts: dict[str, str] = {}
    reasons: dict[str, str] = {}
    for n, criterion in enumerate(criteria):
        into: dict[str, Any] = scores if criterion.scored else texts
        answer = boxes.get(f"{box_of(criterion)}:{n}")
        if boxes.get(f"cannot:{n}"):
            into[criterion.name] = None if criterion.scored else ""
        elif not _empty(answer):
            into[criterion.name] = answer
        if why := boxes.get(f"why:{n}"):
            reasons[criterion.name] = why
    words = {"texts": texts, "reasons": reasons}
    return {"scores": scores, **{name: said for name, said in words.items() if said}}


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
    asked = list[str]()
    for n, one in enumerate(criteria):
        if task == "rate":
            asked += (f"{box_of(one)}:{n}", f"cannot:{n}")
            asked += [f"why:{n}"] if one.reason != "off" else []
        elif task == "compare":
            asked.append(f"better:{n}")
    rest = {
        "compare": ("weak",),
        "comment": (
            *QUESTIONS,
            *(f"{part}:{n}" for n in range(rows) for part in ("quote", "text")),
        ),
    }.get(task, ())
    return (*asked, *rest, "note", *MARKS)


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
    words = plain_words(quote).strip()
    return bool(words) and any(words in plain_words(text) for text in texts)


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
