"""What a refinement's screen shows at one moment: of a run that goes on, of one that ended, or of
one that is played back.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from components.runs import states
from components.shell import services
from core.cases.tape import Moment
from core.export.margin import inherit
from core.methods import RefineInputs
from core.methods.adversarial.actors import names, place_of
from core.records import Actor, Note, Round, Run
from core.store.steps import Partial
from core.story import Line, Story


@dataclass(frozen=True)
class RefineScene:
    run: Run
    inputs: RefineInputs
    story: Story
    line: Line
    """The idea that is looked at, of one or several."""
    parts: tuple[Partial, ...]
    """What is being written about it at this moment."""
    settled: Mapping[str, object]
    """Replies of the round that goes on, by what they are: `wishes`, `review`, `revise`, `verdict`.
    """
    notes: tuple[Note, ...]
    live: bool
    """Whether more is to come by itself."""
    playing: bool = False
    """Whether a recording is played: then nothing may be changed."""

    @property
    def prefix(self) -> str:
        """What the keys of this idea's steps begin with."""
        return f"idea-{self.line.n}/" if self.inputs.lines > 1 else ""

    @property
    def going_on(self) -> int | None:
        """The number of the round that is being played, or that broke off in its middle, or
        None.
        """
        over = self.line.outcome or self.inputs.play.variant == "initial"
        begun = self.live or self.settled or self.parts
        if over or self.line.first is None or not begun:
            return None
        return self.line.newest + 1

    @property
    def several(self) -> bool:
        return self.inputs.lines > 1 and self.inputs.only is None

    @property
    def changeable(self) -> bool:
        """Whether anything may be changed: not in a case study, and not while one is played."""
        return not self.playing and self.run.packed is None

    def round(self, n: int) -> Round | None:
        """Return round `n` if it is over."""
        return self.line.rounds[n - 1] if 1 <= n <= self.line.newest else None

    def actors(self, n: int) -> Mapping[Actor, str]:
        """Return what the actors are called in round `n`."""
        return names(self.inputs.at(max(n, 1)).variant)


def now(run: Run, line: int = 1) -> RefineScene:
    """Return the scene as the store has it at this moment."""
    store, active = services.store(), states.active(run)
    story = Story.of(store, run.id)
    parts = store.steps.partials(run.id) if active else []
    live = active or run.state == "waiting"
    return _scene(run, line, story, parts, partial(store.steps.reply, run.id), live)


def at(run: Run, moment: Moment, line: int = 1) -> RefineScene:
    """Return the scene as it was at a moment of a recording; nothing can be changed in it."""

    def reply_of(key: str) -> object:
        return services.store().steps.reply(run.id, key) if key in moment.settled else None

    return _scene(
        run,
        line,
        Story.of(services.store(), run.id, moment.shows),
        moment.running,
        reply_of,
        live=not moment.over,
        playing=True,
    )


def _scene(
    run: Run,
    line: int,
    story: Story,
    parts: Iterable[Partial],
    reply_of: Callable[[str], object],
    live: bool,
    playing: bool = False,
) -> RefineScene:
    inputs = run.inputs_as(RefineInputs)
    mine = next((one for one in story.lines if one.n == line), Line((), line))
    prefix = f"idea-{mine.n}/" if inputs.lines > 1 else ""
    held = settled(inputs, prefix, mine.newest, reply_of) if mine.first and not mine.outcome else {}
    return RefineScene(
        run,
        inputs,
        story,
        mine,
        tuple(part for part in parts if part.key.startswith(prefix)),
        held,
        (*inherit(services.store(), run), *services.store().notes.of(run.id)),
        live,
        playing,
    )


def settled(
    inputs: RefineInputs, prefix: str, newest: int, reply_of: Callable[[str], object]
) -> Mapping[str, object]:
    """Return what the round after `newest` has so far; its review was written in the round before.
    `reply_of` gives the reply to a step, or None.
    """
    before, here = f"{prefix}round-{newest}", f"{prefix}round-{newest + 1}"
    # Where another quality's turn came earlier than guessed, its own review replaces the one
    # written beside the verdict.
    goals = [f"{before}/{place_of(goal)}/review" for goal in inputs.play.goals]
    wanted = {
        "wishes": [f"{here}/wishes"],
        "revise": [f"{here}/revise"],
        "verdict": [f"{here}/verdict", f"{here}/reflect"],
        "review": [*goals, f"{before}/review", f"{before}/self-review", f"{before}/reflect"],
    }
    found: dict[str, object] = {}
    for name, keys in wanted.items():
        if reply := next(filter(None, map(reply_of, keys)), None):
            found[name] = reply
    if isinstance(word := reply_of(f"{here}/go-ahead"), dict):
        pending = found.get("wishes")
        found["wishes"] = [*word["wishes"], *(pending if isinstance(pending, list) else [])]
    review = found.get("review")
    if isinstance(review, dict) and "review" in review:
        found["review"] = review["review"]
    return found
