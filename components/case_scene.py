"""What the arena shows at one moment of a run that is played back."""
from components import services
from components.refine_scene import Scene
from core.cases.tape import Moment
from core.methods import RefineInputs
from core.records import Run
from core.store import Store
from core.story import Line, Story


def at(run: Run, moment: Moment, line: int = 1) -> Scene:
    """Return the scene as it was at this moment."""
    store, inputs = services.store(), RefineInputs.model_validate(run.config.inputs)
    story = Story.of(store, run.id, moment.shows)
    mine = next((one for one in story.lines if one.n == line), Line((), line))
    prefix = f"idea-{mine.n}/" if inputs.lines > 1 else ""
    n = mine.newest + 1
    keys = {"review": f"{prefix}round-{n - 1}/review", "revise": f"{prefix}round-{n}/revise", "verdict": f"{prefix}round-{n}/verdict"}
    held = {name: reply for name, key in keys.items() if key in moment.settled and (reply := _reply(store, run, key)) is not None}
    parts = tuple(part for part in moment.running if part.key.startswith(prefix))
    return Scene(run, inputs, story, mine, parts, held, store.notes.of(run.id), live=not moment.over, playing=True)


def _reply(store: Store, run: Run, key: str) -> object:
    step = store.steps.get(run.id, key)
    return step.reply if step and step.status == "done" else None
