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
    said = _SAID[task](draft, [one.name for one in criteria], shown)
    return {
        name: value
        for name, value in ({"note": draft.get("note")} | said).items()
        if value not in (None, "", False)
    }


def draft_of(
    task: Task, boxes: Boxes, criteria: Sequence[Criterion], shown: Sequence[str], review: str = ""
) -> dict[str, Any]:
    """Return the draft these boxes make; empty where nothing is said. `review` tells a remark on
    the review from one on the idea.
    """
    draft = _DRAFTED[task](boxes, [one.name for one in criteria], shown)
    if task == "comment":
        draft["remarks"] = [{"of": _of(one["quote"], review), **one} for one in _remarks(boxes)]
    whole = draft | {"note": boxes.get("note") or ""}
    says_something = any(value not in ("", None, False, {}, [], ()) for value in whole.values())
    return whole if says_something else {}


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


def _of(quote: str, review: str) -> str:
    return "review" if quote and stands(quote, (review,)) else "idea"


def _remarks(boxes: Boxes) -> list[dict[str, str]]:
    # An empty row between two others stays one, and no space at an end is cut: what is being typed
    # must come back as it is.
    return [
        {part: str(boxes.get(f"{part}:{n}") or "") for part in ("quote", "text")}
        for n in range(rows(boxes))
    ]


# -- from a draft ------------------------------------------------------------------------------


def _rated(draft: dict[str, Any], names: Sequence[str], _: Sequence[str]) -> Boxes:
    scores = draft.get("scores") or {}
    return {f"score:{n}": scores.get(name) for n, name in enumerate(names)} | {
        f"cannot:{n}": name in scores and scores[name] is None for n, name in enumerate(names)
    }


def _ranked(draft: dict[str, Any], _: Sequence[str], __: Sequence[str]) -> Boxes:
    return {
        "groups": tuple(tuple(group) for group in draft["groups"]) if draft.get("groups") else None
    }


def _compared(draft: dict[str, Any], names: Sequence[str], shown: Sequence[str]) -> Boxes:
    given = draft.get("preferences") or {}
    found = {
        f"better:{n}": _strength(given[name], shown)
        for n, name in enumerate(names)
        if name in given
    }
    return {name: str(value) for name, value in found.items()} | {"weak": draft.get("both_weak")}


def _strength(preference: dict[str, Any], shown: Sequence[str]) -> int:
    if not preference.get("better"):
        return 0
    return (2 if preference.get("much") else 1) * (1 if preference["better"] == shown[0] else -1)


def _commented(draft: dict[str, Any], _: Sequence[str], __: Sequence[str]) -> Boxes:
    remarks = {
        f"{part}:{n}": one.get(part)
        for n, one in enumerate(draft.get("remarks") or ())
        for part in ("quote", "text")
    }
    return {name: draft.get(name) for name in QUESTIONS} | remarks


_SAID = {"rate": _rated, "rank": _ranked, "compare": _compared, "comment": _commented}

# -- to a draft --------------------------------------------------------------------------------


def _rating(boxes: Boxes, names: Sequence[str], _: Sequence[str]) -> dict[str, Any]:
    scores = {
        name: None if boxes.get(f"cannot:{n}") else boxes.get(f"score:{n}")
        for n, name in enumerate(names)
        if boxes.get(f"cannot:{n}") or boxes.get(f"score:{n}") is not None
    }
    return {"scores": scores}


def _ranking(boxes: Boxes, _: Sequence[str], __: Sequence[str]) -> dict[str, Any]:
    return {"groups": [list(group) for group in boxes.get("groups") or ()]}


def _comparing(boxes: Boxes, names: Sequence[str], shown: Sequence[str]) -> dict[str, Any]:
    given = {
        name: int(boxes[f"better:{n}"])
        for n, name in enumerate(names)
        if str(boxes.get(f"better:{n}")) in FIVE
    }
    return {
        "preferences": {
            name: {
                "better": shown[0] if one > 0 else shown[1] if one < 0 else "",
                "much": abs(one) == 2,
            }
            for name, one in given.items()
        },
        "both_weak": bool(boxes.get("weak")),
    }


def _commenting(boxes: Boxes, _: Sequence[str], __: Sequence[str]) -> dict[str, Any]:
    return {name: boxes[name] for name in QUESTIONS if boxes.get(name)}


_DRAFTED = {"rate": _rating, "rank": _ranking, "compare": _comparing, "comment": _commenting}
