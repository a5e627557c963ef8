"""The family of a refinement: the run it all began with, its branches, and in what each differs
from the one it left.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from components.refine.branch import VARIANTS
from components.refine.facts import left_after
from components.runs import forks, states
from components.runs.models import called
from components.shell import services
from core.methods import RefineInputs
from core.records import Play, Round, Run, Wish
from core.story import Line, Story

_STEP = re.compile(r"(?:idea-(\d+)/)?round-(\d+)/(.+)")


@dataclass(frozen=True)
class FamilyLane:
    """One idea of one run of the family."""

    n: int
    run: Run
    inputs: RefineInputs
    line: Line
    name: str
    shared: int = 0
    """How many rounds it has in common with the lane it left; its own come after."""
    left: int | None = None
    """The number of the lane that played round `shared`; None for one that began by itself."""

    @property
    def own(self) -> tuple[Round, ...]:
        return self.line.rounds[self.shared :]

    @property
    def live(self) -> bool:
        """Whether more rounds are to come by themselves, or when somebody answers."""
        return self.line.outcome is None and (
            states.active(self.run) or self.run.state == "waiting"
        )

    @property
    def id(self) -> str:
        return f"{self.run.id}:{self.line.n}"


def lanes(run: Run, told: Story | None = None) -> list[FamilyLane]:
    """Return a lane for every idea of every run of the family, the oldest run first, each branch
    below what it left.

    `told` is what is to be seen of this run at the moment, where a recording plays.
    """
    found: list[FamilyLane] = []
    for _, one in forks.family(run):
        inputs = one.inputs_as(RefineInputs)
        story = told if told and one.id == run.id else Story.of(services.store(), one.id)
        for k in [inputs.only] if inputs.only else range(1, inputs.lines + 1):
            line = next((mine for mine in story.lines if mine.n == k), Line((), k))
            parents = [lane for lane in found if (lane.run.id, lane.line.n) == (one.parent, k)]
            parent = parents[0] if parents else None
            made = _lane(len(found) + 1, one, inputs, line, parent, found)
            # A fork of a run with several ideas plays on with one of them; the others are the same
            # again.
            step = _STEP.fullmatch(one.fork_at or "")
            goes_on = not step or step[1] in (None, str(k))
            if parent is None or made.own or goes_on:
                found.append(made)
    return found


def _lane(
    n: int,
    run: Run,
    inputs: RefineInputs,
    line: Line,
    parent: FamilyLane | None,
    before: Sequence[FamilyLane],
) -> FamilyLane:
    idea = [f"idea {line.n}"] if inputs.lines > 1 else []
    if parent is None:
        return FamilyLane(n, run, inputs, line, _sentence(idea or ["the first run"]))
    shared = _shared(run, line, parent)
    left = parent
    while left.left and shared <= left.shared:
        left = before[left.left - 1]
    differences = differs(parent, run, inputs, line, shared) or ["the same settings, played on"]
    name = _sentence([*idea, *differences])
    return FamilyLane(n, run, inputs, line, name, shared, left.n)


def _shared(run: Run, line: Line, parent: FamilyLane) -> int:
    """Return how many rounds a fork has in common with its parent."""
    step = _STEP.fullmatch(run.fork_at or "")
    if step and step[1] in (None, str(line.n)):
        after = left_after(run)
        assert after is not None
        return after
    pairs = zip(line.rounds, parent.line.rounds, strict=False)
    same = takewhile(lambda pair: pair[0] == pair[1], pairs)
    return sum(1 for _ in same)


def differs(
    parent: FamilyLane, run: Run, inputs: RefineInputs, line: Line, shared: int
) -> list[str]:
    """Say in what a branch differs from its parent: how it is played, by which model, and what
    people asked of it.
    """
    was, now = parent.inputs.at(shared + 1), inputs.at(shared + 1)
    models = dict.fromkeys(
        name
        for role, name in run.config.models.items()
        if parent.run.config.models.get(role) != name
    )
    prompts = [
        name
        for name, sha in run.config.prompts.items()
        if parent.run.config.prompts.get(name, sha) != sha
    ]
    return [
        *_played(was, now),
        *(called(name) for name in models),
        *(f"another prompt for {name.replace('-', ' ')}" for name in prompts),
        *(f"an answer put by hand, at {key}" for key in run.config.edits),
        *_wished(parent, run, line, shared),
    ]


def _played(was: Play, now: Play) -> Iterator[str]:
    if was.goals != now.goals:
        yield " and ".join(goal.name for goal in now.goals)
    if was.order != now.order and len(now.goals) > 1:
        yield now.order
    if was.variant != now.variant:
        yield VARIANTS.get(now.variant, now.variant)
    if was.rules.patience != now.rules.patience:
        yield f"patience {now.rules.patience}"
    if was.rules.max_rounds != now.rules.max_rounds:
        yield f"at most {now.rules.max_rounds} rounds more"
    if was.people != now.people:
        yield f"a person as {' and '.join(now.people)}" if now.people else "models play all roles"
    if was.step_in != now.step_in:
        yield "waits before every revision" if now.step_in else "does not wait before revisions"


def _wished(parent: FamilyLane, run: Run, line: Line, shared: int) -> Iterator[str]:
    if len(line.rounds) > shared:
        mine = line.rounds[shared].wishes
    else:
        pending = services.store().answers.pending(run.id)
        mine = tuple(filed.wish for filed in pending if filed.wish.line == line.n)
    theirs = parent.line.rounds[shared].wishes if len(parent.line.rounds) > shared else ()
    known = [_core(wish) for wish in theirs]
    for wish in mine:
        if _core(wish) in known or wish.late:
            continue
        if wish.decline:
            yield f"{wish.decline} declined by {wish.by}"
        else:
            yield f"a {'text of' if wish.idea else 'remark by'} {wish.by}"


def _core(wish: Wish) -> tuple[object, ...]:
    return wish.text, wish.decline, wish.idea, wish.by


def _sentence(parts: Sequence[str]) -> str:
    said = ", ".join(dict.fromkeys(parts))
    return said[:1].upper() + said[1:]
