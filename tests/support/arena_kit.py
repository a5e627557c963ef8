"""An arena for tests: entries of a few methods on a few topics, and judges whose verdicts are
known.
"""

from collections.abc import Sequence

from core.judging.arena.competition import ArenaInputs
from core.models.port import Request
from core.records import DESIGN_CRITERIA, FORMS, IDEA_CRITERIA, Design, Entry, Idea, Record, Run
from core.runs.planning import validated
from core.runs.runner import Runner
from core.store import Store
from core.store.entries import entry_id
from tests.conftest import ScriptedModel, Shop

METHODS = ("chain", "direct", "real paper")
"""Best last: what `better` holds."""
TOPICS = ("sleep", "light")


def six(said: str) -> Idea:
    return Idea(form="six-field", fields=dict.fromkeys(FORMS["six-field"], said))


def one_paragraph(said: str) -> Idea:
    return Idea(form="hypothesis", fields={"hypothesis": said})


def a_design(said: str) -> Design:
    return Design(
        setup=said,
        models="m",
        datasets="d",
        baselines="b",
        metrics="m",
        procedure=("one", "two"),
        analysis="a",
    )


def entry(
    store: Store, method: str, topic: str, text: Record | None = None, kind: str = "idea"
) -> Entry:
    """Keep a text and return its entry; told nothing, the text names the method and the topic."""
    made = Entry(
        id="",
        kind=kind,
        sha=store.frozen.keep(text or six(f"What {method} says of {topic}.")),
        method=method,
        topic=topic,
        collection="test",
    )
    return made.model_copy(update={"id": entry_id(made)})


def entries(
    store: Store, methods: Sequence[str] = METHODS, topics: Sequence[str] = TOPICS
) -> tuple[Entry, ...]:
    return tuple(entry(store, method, topic) for topic in topics for method in methods)


def better(request: Request) -> object:
    """Say that the method whose name comes later in METHODS is better; of clarity, that there is no
    difference; of feasibility, always the first.
    """

    def rank(text: object) -> int:
        said = text.text if isinstance(text, Idea) else str(text)
        return next((n for n, name in enumerate(METHODS) if name in said), -1)

    won = "first" if rank(request.values["first"]) > rank(request.values["second"]) else "second"
    names = DESIGN_CRITERIA if request.prompt == "arena-designs" else IDEA_CRITERIA
    return {
        "reason": f"The {won} goes further.",
        **dict.fromkeys(names, won),
        "clarity": "tie",
        "feasibility": "first",
    }


def formed(request: Request) -> object:
    return dict.fromkeys(FORMS["six-field"], f"Restated: {request.values['idea'].text}")


SCRIPT = {
    "arena-ideas": better,
    "arena-designs": better,
    "six-fields": formed,
    "common-design": (
        lambda r: a_design(f"Restated: {r.values['design'].text}").model_dump(mode="json")
    ),
}
JUDGES = ("scripted:one", "scripted:two")


def arena_shop(
    folder: object, script: dict | None = None, judges: Sequence[str] = JUDGES
) -> tuple[Runner, dict[str, ScriptedModel]]:
    """Return a runner whose judges follow the script, and the judges by name."""
    models = {name: ScriptedModel({**SCRIPT, **(script or {})}, name) for name in judges}
    return Runner(Shop(folder / "data", models)), models  # type: ignore[operator]


def begun(
    runner: Runner,
    taking_part: Sequence[Entry],
    judges: Sequence[str] = JUDGES[:1],
    **given: object,
) -> Run:
    """Begin an arena, not worked on yet."""
    roles = dict(zip(("judge", *(f"judge-{n}" for n in range(2, 10))), judges, strict=False))
    inputs = validated(ArenaInputs, topic="An arena", entries=tuple(taking_part), **given)
    return runner.begin(runner.workshop.config("arena", inputs, models=roles, seed=7), "An arena")


def held(runner: Runner, taking_part: Sequence[Entry], state: str = "done", **given: object) -> Run:
    """Hold an arena and return its run."""
    run = begun(runner, taking_part, **given)
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return runner.store.runs.get(run.id)
