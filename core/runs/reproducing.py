"""Beginning, extending and reading runs of recipes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from core.benchmark import BenchInputs
from core.errors import BadInput
from core.experiments import SweepInputs
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.recipes import ORDER, Written, asked, read, read_own, shipped, taken
from core.experiments.topics import TopicExperimentInputs
from core.records import Entrant, Entry, Recipe, Record, Reproduction, Run, TopicList
from core.records.faults import fault_in_words
from core.runs.beginning import configure
from core.runs.engines import Cast, build_made_up, estimate_recipe, inputs_of
from core.runs.estimates import MADE_OF_PARTS, Estimate, less, of_expected
from core.runs.extending import extend, extend_benchmark, new_in
from core.runs.planning import validated
from core.runs.recipe_data import gather
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store

COLLECTION = "collection "


class Listed(NamedTuple):
    """A recipe with what it takes, with one model and as many judges as it needs."""

    recipe: Recipe
    small: Estimate
    paper: Estimate


def listed() -> tuple[Listed, ...]:
    """Return the recipes that come with the program, in the order of the papers."""
    found = []
    for name in ORDER:
        recipe = shipped()[name].recipe
        small, paper = (estimate_recipe(recipe, size) for size in ("small", "paper"))
        found.append(Listed(recipe, small, paper))
    return tuple(found)


def recipe_of(said: str) -> Written:
    """Return the recipe of that name, or the one in that file, checked; raises BadInput."""
    return read(said, build_made_up)


def own_recipe(file: str, text: str) -> Written:
    """Return the recipe that a researcher wrote, checked; raises BadInput that names the line and
    the key of what is wrong.
    """
    return read_own(file, text, build_made_up)


def plan(
    shop: Workshop,
    written: Written,
    size: str,
    models: Sequence[str],
    judges: Sequence[str],
    data: str | None = None,
) -> tuple[Record, Reproduction]:
    """Return what a recipe's engine is asked for, its data kept here, and what the run is; raises
    BadInput.
    """
    recipe = written.recipe
    if not models:
        raise BadInput(
            "Say who writes, with --models A,B. `python -m core models` lists who can be reached."
        )
    take = taken(recipe, size)
    held = gather(shop.store, recipe, size, take, data)
    given = asked(recipe, size)
    if recipe.engine == "topic-experiment":
        given = _fitting(shop.store, given, held.inputs)
    who = Cast(tuple(models), tuple(judges))
    if recipe.engine == "checklist-experiment" and not judges:
        raise BadInput(
            "Say who judges, with --judges: the first scores every idea, the others give the"
            " directives; one alone does both."
        )
    try:
        inputs = inputs_of(recipe, given, who, held.inputs, f"{recipe.title} ({size})")
    except ValidationError as error:
        said = fault_in_words(error.errors()[0])
        raise BadInput(f"{recipe.name}: {said}.") from None
    made = Reproduction(recipe=recipe, text=written.text, size=size, take=take, data=held.said)
    return inputs, made


def _fitting(store: Store, given: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Return a topic experiment's inputs with the texts of its collections, as they stand now."""
    held = store.frozen.get(data["topics"], TopicList)
    topics = {one.topic for one in held.topics[: data["count"]]}
    names = [
        one.removeprefix(COLLECTION) for one in given["contenders"] if one.startswith(COLLECTION)
    ]
    found: list[Entry] = []
    for name in names:
        mine = [
            entry
            for kind in ("idea", "design")
            for entry, _ in store.entries.of((name,), kind)
            if entry.topic in topics
        ]
        if not mine:
            raise BadInput(
                f"The collection {name!r} has nothing on these topics. `python -m core collections`"
                " lists what there is."
            )
        found += mine
    return {**given, "imported": tuple(found)} if found else given


def begin_recipe(
    runner: Runner,
    written: Written,
    size: str,
    models: Sequence[str],
    judges: Sequence[str],
    data: str | None = None,
    **limits: Any,
) -> Run:
    """Store a new run of a recipe, ready to be worked on; raises BadInput for what `plan` and
    `configure` refuse.
    """
    inputs, made = plan(runner.workshop, written, size, models, judges, data)
    config = configure(runner.workshop, written.recipe.engine, inputs, **limits)
    sha = runner.store.frozen.keep(made)
    title = f"{written.recipe.title} ({size})"
    return runner.begin(config.model_copy(update={"recipe": sha}), title)


def reproduction(store: Store, run: Run) -> Reproduction:
    """Return what a run of a recipe is; raises BadInput for any other run."""
    if not run.config.recipe:
        raise BadInput(
            f"Run {run.id} is no run of a recipe. `python -m core reproduce` lists recipes."
        )
    return store.frozen.get(run.config.recipe, Reproduction)


def extend_recipe(
    runner: Runner,
    run_id: str,
    models: Sequence[str] = (),
    judges: Sequence[str] = (),
    contenders: Sequence[str] = (),
) -> Run:
    """Make a run of the same recipe with more models, judges or contenders, which takes over all
    that is there; what failed is tried again. It is queued, not started. Raises BadInput.
    """
    run = runner.own(run_id)
    inputs = grown(runner.store, run, models, judges, contenders)
    if isinstance(inputs, BenchInputs):
        return extend_benchmark(runner, run.id, inputs)
    return extend(runner, run_id, inputs)


Growing = (
    SweepInputs
    | TopicExperimentInputs
    | ChecklistExperimentInputs
    | NoveltyExperimentInputs
    | BenchInputs
)


def grown(
    store: Store,
    run: Run,
    models: Sequence[str],
    judges: Sequence[str],
    contenders: Sequence[str] = (),
) -> Growing:
    """Return what a run of a recipe, or a measurement of novelty checks, is asked for with more
    models, judges or contenders; raises BadInput.
    """
    if run.config.method != "novelty-experiment":
        reproduction(store, run)
    if contenders and run.config.method != "topic-experiment":
        raise BadInput(
            "Contenders can be added to experiments over topics alone. Name more models or judges,"
            " or begin a new experiment."
        )
    match run.config.method:
        case "bench":
            if judges:
                raise BadInput("Judges of a benchmark stay as they are. Name more --models only.")
            was = run.inputs_as(BenchInputs)
            known = {one.model for one in was.models}
            new = tuple(Entrant(model=name) for name in models if name not in known)
            return validated(BenchInputs, **{**was.model_dump(), "models": (*was.models, *new)})
        case "checklist-experiment":
            evolved = run.inputs_as(ChecklistExperimentInputs)
            more = {"generators": _more(evolved.generators, models)}
            if judges:
                more["providers"] = _more(evolved.providers, judges)
            return validated(ChecklistExperimentInputs, **{**evolved.model_dump(), **more})
        case "sweep":
            swept = run.inputs_as(SweepInputs)
            more = _people(swept.models, swept.judges, models, judges)
            return validated(SweepInputs, **{**swept.model_dump(), **more})
        case "novelty-experiment":
            if judges:
                raise BadInput("Whoever checks novelty judges, too. Name more --models only.")
            checked = run.inputs_as(NoveltyExperimentInputs)
            more = {"judges": _more(checked.judges, models)}
            return validated(NoveltyExperimentInputs, **{**checked.model_dump(), **more})
        case "topic-experiment":
            return _with_contenders(store, run, models, judges, contenders)
    raise BadInput(f"A run of {run.config.method} is not extended. Begin a new one instead.")


def _with_contenders(
    store: Store,
    run: Run,
    models: Sequence[str],
    judges: Sequence[str],
    contenders: Sequence[str],
) -> TopicExperimentInputs:
    """Return an experiment over topics with more who write, judge and compete; a collection that
    joins is taken as it stands now, and one that is there as it stood.
    """
    was = run.inputs_as(TopicExperimentInputs)
    new = _more(was.contenders, [" ".join(said.split()) for said in contenders])
    joined = _fitting(
        store,
        {"contenders": new[len(was.contenders) :], "imported": ()},
        {"topics": was.topics, "count": was.count},
    )
    more = {
        **_people(was.models, was.judges, models, judges),
        "contenders": new,
        "imported": (*was.imported, *joined["imported"]),
    }
    return validated(TopicExperimentInputs, **{**was.model_dump(), **more})


def estimate_extension(
    shop: Workshop,
    run: Run,
    models: Sequence[str],
    judges: Sequence[str],
    contenders: Sequence[str] = (),
) -> Estimate:
    """Return what an extension takes on top of what there is; what failed and is tried again is not
    in it. Raises BadInput.
    """
    inputs = grown(shop.store, run, models, judges, contenders)
    if isinstance(inputs, BenchInputs):
        return of_expected(new_in(shop, run, inputs))
    of = MADE_OF_PARTS[run.config.method]
    after = of(inputs.model_dump(mode="json"), run.config.models, run.config.edition)
    return less(after, of(run.config.inputs, run.config.models, run.config.edition))


def _people(
    models: Sequence[str], judges: Sequence[str], new: Sequence[str], also: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    return {"models": _more(models, new), "judges": _more(judges, also)}


def _more(there: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    return (*there, *(name for name in dict.fromkeys(new) if name not in there))
