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
    Idea,
    Item,
    ItemVerdict,
    Judged,
    PersonChecklist,
    PersonItem,
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
    held = items_of(idea)
    asked = tuple(item for item in held if not (decided == "code" and item.name in BY_CODE))
    places = {item.name: item for item in asked}
    answers = desk.at_each(lambda here, item: ask(here, idea, item, role), places)
    verdicts = dict(zip(places, answers, strict=True))
    failed = [answer for answer in answers if isinstance(answer, ModelFailed)]
    if len(failed) == len(answers):
        # That is no trait of an item; the run fails, and resuming asks all of them again.
        raise standing_for(failed)
    judged = {
        name: _judged(desk, idea, places[name], verdict, role) for name, verdict in verdicts.items()
    }
    return Checklist(items=tuple(judged.get(one.name) or by_code(idea, one) for one in held))


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
    said = desk.person(
        "judge",
        PersonChecklist,
        idea=idea.model_dump(mode="json"),
        items=[item.model_dump(mode="json") for item in asked],
    )
    found = {one.item: one for one in said.items}
    step = desk.bench.store.steps.get(desk.bench.run.id, f"{desk.place}/judge")
    by = step.origin.name if step else "a person"
    return Checklist(
        items=tuple(
            _said(idea, found[item.name], by) if item.name in found else by_code(idea, item)
            for item in items_of(idea)
        )
    )


def _said(idea: Idea, said: PersonItem, by: str) -> Judged:
    passage = locate(idea.text, said.directive.span) if said.directive else None
    return Judged(
        item=said.item, score=said.score, by=by, directive=said.directive, passage=passage
    )


def by_code(idea: Idea, item: Item) -> Judged:
    """Decide Layout or Length without any model."""
    wrong = RULES[item.name](idea.text)
    return Judged(
        item=item.name,
        score=0 if wrong else 1,
        by="code",
        directive=wrong,
        passage=locate(idea.text, wrong.span) if wrong else None,
    )


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
    passage = locate(idea.text, said.directive.span) if said.directive else None
    return Judged(
        item=item.name,
        score=said.score,
        by=_who(desk, item, role),
        directive=said.directive,
        passage=passage,
    )


def _who(desk: Desk, item: Item, role: str) -> str:
    """Return who judged an item: in a fork that may be the parent's model, or a person."""
    bench = desk.bench
    step = bench.store.steps.get(bench.run.id, f"{desk.place}/{item.name}/checklist-item")
    if step is None or step.origin.kind not in ("model", "authored", "person"):
        return bench.models[role].name
    return "a person" if step.origin.kind == "person" else step.origin.name
