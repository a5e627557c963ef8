"""The checklist judge: nine items, each judged by itself, with the passage that is wrong and what
to do about it (EvoIdeator, sections 3.1 and 3.3).
"""

from typing import Literal

from core.desk import Desk
from core.errors import CannotAnswer, ModelFailed, standing_for
from core.judging import headed
from core.records import (
    BY_CODE,
    ITEMS,
    Checklist,
    Directive,
    Idea,
    Item,
    ItemVerdict,
    Judged,
    PersonChecklist,
)
from core.wording.passages import locate

PROMPTS = ("checklist-item",)
UNJUDGED = (ModelFailed, CannotAnswer)
"""What may become of one item without ending the run: recorded, and said where its score would be.
"""
Decided = Literal["code", "model"]
RULES = {"layout": headed.layout, "length": headed.length}
"""How code decides an item: what is wrong with the text, or nothing."""


def judge(desk: Desk, idea: Idea, decided: Decided = "code", role: str = "judge") -> Checklist:
    """Judge an idea item by item, side by side, each in a place of its own and with no knowledge of
    the others; Layout and Length by code unless a model is to decide them. An idea of another form
    is judged by the seven items that hold for any.

    An item whose judge gives no usable answer has no score. Raises ModelFailed where that is so of
    every item that was asked.
    """
    items = items_of(idea)
    code = BY_CODE if decided == "code" else ()
    places = {item.name: item for item in items if item.name not in code}
    answers = desk.at_each(lambda here, item: ask(here, idea, item, role), places)
    failed = [answer for answer in answers if isinstance(answer, ModelFailed)]
    if len(failed) == len(answers):
        # That is no trait of an item; the run fails, and resuming asks all of them again.
        raise standing_for(failed)
    verdicts = dict(zip(places, answers, strict=True))
    return Checklist(
        items=tuple(
            _judged(desk, idea, item, verdicts[item.name], role)
            if item.name in verdicts
            else by_code(idea, item)
            for item in items
        )
    )


def count_held(found: Checklist) -> str:
    """Return how many items hold, `3 of 9`, and how many are not judged, where there are any."""
    unjudged = found.vector.count(None)
    return f"{found.total} of {len(found.items)}" + (f", {unjudged} not judged" if unjudged else "")


def items_of(idea: Idea) -> tuple[Item, ...]:
    """Return the items an idea can be judged by: all nine only where it stands under headings."""
    if idea.form == "headed":
        return ITEMS
    return tuple(item for item in ITEMS if item.name not in BY_CODE)


def ask(desk: Desk, idea: Idea, item: Item, role: str) -> ItemVerdict | ModelFailed:
    """Ask whether one item holds; a failure is recorded and returned."""
    shown = item.as_first_put() if desk.edition == 1 else item
    try:
        return desk.ask(
            "checklist-item", ItemVerdict, role=role, recorded=UNJUDGED, idea=idea, item=shown
        )
    except UNJUDGED as error:
        return error


def judge_by_person(desk: Desk, idea: Idea) -> Checklist:
    """Have a person judge every item that needs understanding, in one question; Layout and Length
    by code. Raises Waiting.
    """
    asked = [
        item.as_first_put() if desk.edition == 1 else item
        for item in items_of(idea)
        if item.name not in BY_CODE
    ]
    answer = desk.person(
        "judge",
        PersonChecklist,
        idea=idea.model_dump(mode="json"),
        items=[item.model_dump(mode="json") for item in asked],
    )
    by_item = {one.item: one for one in answer.items}
    step = desk.bench.store.steps.get(desk.bench.run.id, f"{desk.place}/judge")
    by = step.origin.name if step else "a person"
    judged = []
    for item in items_of(idea):
        one = by_item.get(item.name)
        if one:
            judged.append(_with_passage(idea, item, one.score, by, one.directive))
        else:
            judged.append(by_code(idea, item))
    return Checklist(items=tuple(judged))


def _with_passage(
    idea: Idea, item: Item, score: int | None, by: str, directive: Directive | None
) -> Judged:
    """Return how an item was judged, with where in the idea its directive points."""
    passage = locate(idea.text, directive.span) if directive else None
    return Judged(item=item.name, score=score, by=by, directive=directive, passage=passage)


def by_code(idea: Idea, item: Item) -> Judged:
    """Decide Layout or Length without any model."""
    wrong = RULES[item.name](idea.text)
    return _with_passage(idea, item, 0 if wrong else 1, "code", wrong)


def by_code_alone(idea: Idea) -> Checklist:
    """Judge what needs no understanding: Layout and Length of an idea under headings; the other
    items stay without a score.
    """
    left = "A language model has to judge this."
    return Checklist(
        items=tuple(
            (
                by_code(idea, item)
                if item.name in BY_CODE
                else Judged(item=item.name, score=None, by="nobody", reason=left)
            )
            for item in items_of(idea)
        )
    )


def _judged(
    desk: Desk, idea: Idea, item: Item, said: ItemVerdict | ModelFailed, role: str
) -> Judged:
    if isinstance(said, ModelFailed):
        return Judged(item=item.name, score=None, by=desk.bench.models[role].name, reason=str(said))
    return _with_passage(idea, item, said.score, _who(desk, item, role), said.directive)


def _who(desk: Desk, item: Item, role: str) -> str:
    """Return who judged an item: in a fork that may be the parent's model, or a person."""
    bench = desk.bench
    step = bench.store.steps.get(bench.run.id, f"{desk.place}/{item.name}/checklist-item")
    if step and step.origin.kind == "person":
        return "a person"
    if step and step.origin.kind in ("model", "authored"):
        return step.origin.name
    return bench.models[role].name
