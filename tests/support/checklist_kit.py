"""Small checklist experiments over scripted models: two generators, two providers, one scorer."""

from pathlib import Path

from core.experiments.checklist import ChecklistExperimentInputs
from core.records import EvolvedCell, Run, TrainingData, TrainingQuery
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.store import Store
from core.story import Story
from tests.conftest import ScriptedModel, Shop
from tests.support.evolving import evolving

WEAK, STRONG, ANNA, BERT, SCORER = (
    "scripted:weak",
    "scripted:strong",
    "scripted:anna",
    "scripted:bert",
    "scripted:scorer",
)


def data(store: Store, questions: int = 3) -> str:
    """Keep data that hold out so many questions, and return their hash."""
    held_out = tuple(
        TrainingQuery(question=f"How can replay {n} be gated?", review="Smith et al.", seed=f"s{n}")
        for n in range(questions)
    )
    training = (TrainingQuery(question="How can replay be trained?", seed="t"),)
    return store.frozen.keep(TrainingData(training=training, held_out=held_out))


def runner_of(folder: Path, **scripts: dict) -> tuple[Runner, dict[str, ScriptedModel]]:
    """Return a runner over five scripted models, each remembering what it was asked; the strong one
    writes better first ideas and follows more directives. `scripts` change what one says, by the
    last part of its name.
    """
    own = {
        WEAK: evolving(at_once=1),
        STRONG: evolving(first={"writing", "problem"}, at_once=3),
    }
    models = {
        name: ScriptedModel(
            own.get(name, evolving()) | scripts.get(name.partition(":")[2], {}), name
        )
        for name in (WEAK, STRONG, ANNA, BERT, SCORER)
    }
    return Runner(Shop(folder, models)), models


def asked(runner: Runner, **given: object) -> ChecklistExperimentInputs:
    """Return a small experiment: two generators, informed by Anna and uninformed, two questions."""
    small = {
        "topic": "Who writes best",
        "questions": 2,
        "generators": (WEAK, STRONG),
        "providers": (ANNA,),
        "scorer": SCORER,
    }
    sha = given.pop("data", None) or data(runner.store)
    return validated(ChecklistExperimentInputs, **{**small, "data": sha, **given})


def experiment(runner: Runner, **given: object) -> Run:
    """Begin a small experiment; caps may be given by name."""
    caps = {name: given.pop(name) for name in ("cap_usd", "cap_tokens") if name in given}
    inputs = asked(runner, **given)
    return begin(runner, "checklist-experiment", inputs, inputs.topic, seed=7, **caps)


def filled(runner: Runner, **given: object) -> Run:
    """Return a small experiment that was worked to its end."""
    run = experiment(runner, **given)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner.store.runs.get(run.id)


def cells(runner: Runner, run: Run) -> dict[str, EvolvedCell]:
    """Return what every cell came to, by its place."""
    parts = Story.of(runner.store, run.id).parts
    return {name: one for name, one in parts if isinstance(one, EvolvedCell)}
