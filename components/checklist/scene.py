"""What an evolution's screen shows at one moment, read from the store."""

from dataclasses import dataclass
from typing import Literal

from components.runs import states
from components.shell import services
from core.judging.checklist import by_code, items_of
from core.methods.evolution import EvolveInputs
from core.records import (
    BY_CODE,
    Checklist,
    Discarded,
    Evolved,
    Idea,
    Item,
    ItemVerdict,
    Judged,
    Outcome,
    PlannedHeadedIdea,
    Prepared,
    Run,
    Step,
)
from core.store.answers import OpenQuestion
from core.store.steps import Partial
from core.story import Line, Story
from core.wording.passages import locate

WRITES = ("evolve-idea", "evolve-revise", "evolve-alone")


@dataclass(frozen=True)
class ChecklistScene:
    run: Run
    inputs: EvolveInputs
    story: Story
    n: int
    """Which of several ideas is looked at."""
    steps: tuple[Evolved, ...]
    parts: tuple[Partial, ...]
    """What is being written about it at this moment."""
    asks: tuple[OpenQuestion, ...]
    """What the run waits to be told, of all its ideas."""
    live: bool
    """Whether more is to come by itself, or once somebody has answered."""

    @property
    def prefix(self) -> str:
        """What the keys of this idea's steps begin with."""
        return f"idea-{self.n}/" if self.inputs.lines > 1 else ""

    @property
    def prepared(self) -> Prepared | None:
        return self.story.last(Prepared)

    @property
    def line(self) -> Line:
        return line(self.story, self.n)

    @property
    def outcome(self) -> Outcome | None:
        return self.line.last(Outcome)

    @property
    def discarded(self) -> Discarded | None:
        return self.line.last(Discarded)

    @property
    def newest(self) -> int:
        """The last step that is over; -1 before the first."""
        return len(self.steps) - 1

    @property
    def going_on(self) -> int | None:
        """The number of the step that is being made, or that broke off in its middle, or None."""
        n = len(self.steps)
        over = self.outcome or self.discarded or n >= self.inputs.steps
        if over or self.prepared is None:
            return None
        return n if self.live or self.parts or self.written(n) else None

    def question(self, name: Literal["declines", "judge"]) -> OpenQuestion | None:
        """Return what is asked of a person about this idea, by the name of the question."""
        for question in self.asks:
            place, _, asked = question.key.rpartition("/")
            if place.startswith(f"{self.prefix}step-") and asked == name:
                return question
        return None

    def written(self, n: int) -> Idea | None:
        """Return the idea of a step that is written but not judged yet."""
        if n == 0 and self.inputs.idea:
            return self.inputs.idea
        for name in WRITES:
            key = f"{self.prefix}step-{n}/{name}"
            if reply := services.store().steps.reply(self.run.id, key):
                return PlannedHeadedIdea.model_validate(reply).as_idea()
        return None

    def so_far(self, n: int, idea: Idea) -> dict[str, Judged]:
        """Return the items of a step that are judged already."""
        place = f"{self.prefix}step-{n}/{'checklist' if self.inputs.informed else 'scores'}"
        found = {}
        for item in items_of(idea):
            if item.name in BY_CODE and self.inputs.decided == "code":
                found[item.name] = by_code(idea, item)
            elif step := _answered(self.run, f"{place}/{item.name}/checklist-item"):
                found[item.name] = _judged(step, idea, item)
        return found


def now(run: Run, n: int) -> ChecklistScene:
    """Return the scene as the store has it at this moment."""
    store, inputs = services.store(), run.inputs_as(EvolveInputs)
    story, n = Story.of(store, run.id), n if 1 <= n <= inputs.lines else 1
    steps = tuple(sorted(line(story, n).all(Evolved), key=lambda step: step.n))
    parts = store.steps.partials(run.id) if states.active(run) else []
    prefix = f"idea-{n}/" if inputs.lines > 1 else ""
    asks = store.answers.open(run.id) if run.state == "waiting" else []
    return ChecklistScene(
        run,
        inputs,
        story,
        n,
        steps,
        tuple(one for one in parts if one.key.startswith(prefix)),
        tuple(asks),
        states.active(run) or bool(asks),
    )


def line(story: Story, n: int) -> Line:
    """Return what is told of one of several ideas; nothing before it has begun."""
    begun = Evolved | Discarded | Outcome
    return next(
        (
            known
            for known in story.lines
            if known.n == n and any(isinstance(record, begun) for record in known.records)
        ),
        Line((), n),
    )


def last(step: Evolved, feedback: bool) -> Checklist:
    """Return what was found of a step: by the judge that gives directives where there is one and it
    is asked for, else by the one that scores.
    """
    return step.feedback if feedback and step.feedback else step.scores


def _answered(run: Run, key: str) -> Step | None:
    step = services.store().steps.get(run.id, key)
    return step if step and step.status == "done" else None


def _judged(step: Step, idea: Idea, item: Item) -> Judged:
    said = ItemVerdict.model_validate(step.reply)
    passage = locate(idea.text, said.directive.span) if said.directive else None
    return Judged(
        item=item.name,
        score=said.score,
        by="a person" if step.origin.kind == "person" else step.origin.name,
        directive=said.directive,
        passage=passage,
    )
