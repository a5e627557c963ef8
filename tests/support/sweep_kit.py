"""Small experiments for tests: targets, a matrix over the scripted model, and how often it was
asked what.
"""

from collections import Counter
from pathlib import Path

from core.experiments import SweepInputs
from core.experiments.targets import freeze
from core.methods.presets import FEASIBILITY, NOVELTY
from core.records import FORMS, FrozenTarget, Idea, Paper, Run, Stopping, Target
from core.runs.beginning import begin
from core.runs.extending import extend
from core.runs.planning import validated
from core.runs.runner import Runner
from core.store import Store
from core.story import Story
from tests.conftest import ScriptedModel, Shop
from tests.support.scripted import baseline_script, refine_script, small_source

MODELS = ("scripted:one", "scripted:two", "scripted:judge", "scripted:other")


def target(n: int) -> Target:
    """Return a target nobody has to summarise, with two papers of background."""
    background = tuple(
        Paper(id=f"b{n}-{k}", title=f"Background {k} of {n}", abstract="On naps.", source="shelf")
        for k in (1, 2)
    )
    paper = Paper(id=f"t{n}", title=f"Target paper {n}", published="2024-05-01", source="shelf")
    fields = {name: f"The target's {name} {n}." for name in FORMS["six-field"]}
    return Target(
        paper=paper,
        category="Neuroscience" if n % 2 else "Genetics",
        topic=f"Sleep question {n}",
        background=background,
        idea=Idea(form="six-field", fields=fields),
    )


def frozen(store: Store, many: int = 2) -> tuple[FrozenTarget, ...]:
    return freeze(store, [target(n) for n in range(1, many + 1)])


def runner_of(
    folder: Path, script: dict | None = None, models: tuple[str, ...] = MODELS
) -> tuple[Runner, dict[str, ScriptedModel]]:
    """Return a runner over several scripted models that say the same, each remembering what it was
    asked.
    """
    # Two first ideas are never alike: equal texts are brought into the common form only once,
    # whoever is faster.
    various = {
        "first-idea": lambda r: {"hypothesis": f"Naps restore memory, way {r.seed}."},
        "direct-idea": lambda r: baseline_script()["direct-idea"](r) | {"method": f"way {r.seed}"},
    }
    made = {
        name: ScriptedModel(
            refine_script((True, False)) | baseline_script() | various | (script or {}), name
        )
        for name in models
    }
    return Runner(Shop(folder, made, small_source())), made


def asked(runner: Runner, **given: object) -> SweepInputs:
    """Return a small matrix: InfAL by one model for novelty, two targets, two ideas, one judge with
    two repeats.
    """
    small = {
        "topic": "An experiment",
        "methods": ("infal",),
        "models": ("scripted:one",),
        "indicators": (NOVELTY,),
        "n": 2,
        "repeats": 2,
        "rules": Stopping(max_rounds=3, patience=1),
        "judges": ("scripted:judge",),
    }
    targets = given.pop("targets", None) or frozen(runner.store)
    return validated(SweepInputs, **{**small, "targets": targets, **given})


def experiment(runner: Runner, **given: object) -> Run:
    """Begin a small experiment; what a configuration has may be given by name."""
    more = {
        name: given.pop(name)
        for name in ("cap_usd", "cap_tokens", "seed", "source")
        if name in given
    }
    inputs = asked(runner, **given)
    return begin(runner, "sweep", inputs, inputs.topic, **{"seed": 7, **more})


def asked_for(models: dict[str, ScriptedModel]) -> Counter[str]:
    """Return how often each prompt was asked, over all models."""
    return Counter(request.prompt for model in models.values() for request in model.requests)


def done(folder, script=None, **given):
    runner, models = runner_of(folder, script)
    run = experiment(runner, **given)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner, models, run


def told(runner, run, kind):
    return {
        name: one for name, one in Story.of(runner.store, run.id).parts if isinstance(one, kind)
    }


def extended(runner, players, run, **given):
    """Extend an experiment, work it to its end, and return the run and how often each prompt was
    asked for it.
    """
    for model in players.values():
        model.requests.clear()
    more = extend(runner, run.id, asked(runner, **given))
    assert runner.work(more.id) == "done", runner.store.runs.get(more.id).reason
    return more, asked_for(players)


__all__ = [
    "FEASIBILITY",
    "NOVELTY",
    "asked",
    "asked_for",
    "done",
    "experiment",
    "extended",
    "frozen",
    "runner_of",
    "target",
    "told",
]
