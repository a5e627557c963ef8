"""What a policy is trained in: the evolution of ideas by a checklist, with the prompts and the
judge of inference (EvoIdeator, section 3.4).
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

from core import prompts
from core.desk import Desk
from core.judging import checklist
from core.models.idea_block import first_draft, next_draft, read
from core.records import BY_CODE, ITEMS, Checklist, Idea
from core.records.training import Conversation, Judgement, PolicyDraft, TrainingQuery
from core.training.rollouts import Environment

Reward = Literal["lexicographic", "sum"]
Judged = Literal["model", "code"]
"""Who judges: a model, but for Layout and Length; or code alone, by these two."""


def environment(desk: Desk, informed: bool, reward: Reward, judged: Judged) -> Environment:
    """Return the task of evolving ideas; its judge answers as steps of the desk it is given."""

    def fill(name: str, **values: object) -> tuple[str, str]:
        return prompts.render(desk.bench.prompts[name], values)

    def begin(query: TrainingQuery) -> Conversation:
        standing, task = fill("evolve-idea", question=query.question, review=query.review or None)
        return first_draft(standing, task)

    def revise(query: TrainingQuery, last: PolicyDraft) -> Conversation:
        found = last.scored.checklist
        told = found.unsatisfied if informed and found else ()
        # Nobody who corrects itself is told what a judge found.
        name, values = ("evolve-revise", {"directives": told}) if informed else ("evolve-alone", {})
        _, task = fill(name, question=query.question, review=query.review or None, **values)
        return next_draft(begin(query), last.idea, task)

    ask = judge_by_code if judged == "code" else judge_by_model
    return Environment(
        begin=begin, revise=revise, read=read, judge=partial(_judge, ask=ask, reward=reward)
    )


def judge_by_model(desk: Desk, idea: Idea) -> Checklist:
    """Judge all nine items, a second time where one got no usable answer."""
    found = checklist.judge(desk.at("checklist"), idea)
    return found if found.complete else checklist.judge(desk.at("again"), idea)


def judge_by_code(_: Desk, idea: Idea) -> Checklist:
    """Judge Layout and Length alone, which costs nothing."""
    items = [item for item in ITEMS if item.name in BY_CODE]
    return Checklist(items=tuple(checklist.by_code(idea, item) for item in items))


def _judge(
    desk: Desk, text: str, *, ask: Callable[[Desk, Idea], Checklist], reward: Reward
) -> Judgement:
    found = ask(desk, Idea(form="headed", fields={"text": text}))
    if not found.complete:
        return Judgement(reward=None, checklist=found)
    given = found.total if reward == "sum" else found.reward
    return Judgement(reward=given, checklist=found)
