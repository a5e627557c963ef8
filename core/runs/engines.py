"""The engines that recipes are held with: what each takes, from models, judges and data, and what
it is estimated to take.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from core.benchmark import BenchInputs
from core.benchmark.panel import panelists
from core.errors import BadInput
from core.experiments import SweepInputs
from core.experiments.checklist import ChecklistExperimentInputs
from core.experiments.novelty.cells import NoveltyExperimentInputs
from core.experiments.recipes import asked, taken
from core.experiments.tables import PLANS
from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.contenders import contender
from core.methods.presets import indicator
from core.records import EDITION, Engine, Entrant, FrozenTarget, Recipe, Record, digest
from core.runs.estimates import MADE_OF_PARTS, Estimate

Given = dict[str, Any]


class Cast(NamedTuple):
    """Who takes part."""

    models: tuple[str, ...]
    judges: tuple[str, ...] = ()


class EngineKind(NamedTuple):
    """How a recipe's engine is asked."""

    inputs: type[Record]
    noun: str
    """What it takes so many of, in the plural."""
    people: Callable[[Given, Cast], Given]
    """Puts models and judges into its inputs."""
    made_up: Callable[[int], Given]
    """So many topics, targets, questions or keywords that need not be there, to count calls."""
    judges: int
    """How many judges an estimate counts with where nobody named any."""
    needs: str
    """What of it the built-in model cannot do, as a sentence; empty where it can do all."""


def _topics(given: Given, who: Cast) -> Given:
    for said in given.get("contenders", ()):
        contender(str(said))
    return {**given, "models": who.models, "judges": who.judges}


def _sweep(given: Given, who: Cast) -> Given:
    names = given.get("indicators", ("novelty",))
    goals = tuple(indicator(one) if isinstance(one, str) else one for one in names)
    return {**given, "indicators": goals, "models": who.models, "judges": who.judges}


def _checklist(given: Given, who: Cast) -> Given:
    scorer, *providers = who.judges or ("",)
    informed = "informed" in given.get("modes", ("informed",))
    directing = tuple(providers) or (scorer,)
    return {
        **given,
        "generators": who.models,
        "scorer": scorer,
        "providers": directing if informed else (),
    }


def _novelty(given: Given, who: Cast) -> Given:
    return {"dated": "2026-01-01", **given, "judges": who.models}


def _bench(given: Given, who: Cast) -> Given:
    entrants = tuple(Entrant(model=name) for name in who.models)
    return {**given, "models": entrants, "judges": panelists(who.judges)}


UNKNOWN = "0" * 64
ENGINES: Mapping[Engine, EngineKind] = {
    "topic-experiment": EngineKind(
        TopicExperimentInputs,
        "topics",
        _topics,
        lambda n: {"topics": UNKNOWN, "count": n},
        1,
        "Judging needs a language model; without one, people vote.",
    ),
    "sweep": EngineKind(
        SweepInputs,
        "targets",
        _sweep,
        lambda n: {
            "targets": tuple(FrozenTarget(sha=digest(k), title="not known yet") for k in range(n))
        },
        1,
        "Ranking needs a language model; without one there is no Q.",
    ),
    "checklist-experiment": EngineKind(
        ChecklistExperimentInputs,
        "questions",
        _checklist,
        lambda n: {"data": UNKNOWN, "questions": n},
        2,
        "It needs a language model that writes, and one that judges.",
    ),
    "novelty-experiment": EngineKind(
        NoveltyExperimentInputs,
        "labelled ideas",
        _novelty,
        lambda n: {"data": UNKNOWN, "ideas": n},
        0,
        "",
    ),
    "bench": EngineKind(
        BenchInputs,
        "keywords",
        _bench,
        lambda n: {"keywords": UNKNOWN, "count": n},
        4,
        "Judging needs language models.",
    ),
}
DRAWS: Mapping[Engine, tuple[str, ...]] = {
    "topic-experiment": (
        *("topics-ratings", "topics-standing", "topics-differences", "topics-length"),
        *("topics-branches", "topics-agreement", "topics-judges", "topics-judge-health"),
        *("topics-distinct", "topics-same", "topics-budgets", "topics-costs", "topics-cells"),
    ),
    "sweep": (*PLANS, "categories"),
    "checklist-experiment": (
        *("checklist-items", "checklist-providers", "checklist-differences"),
        "checklist-discards",
    ),
    "novelty-experiment": ("novelty-agreement", "novelty-checks"),
    "bench": (
        *("leaderboard", "trade-off", "by-domain", "scores", "words", "length-and-score"),
        *("clarity", "reply-and-score", "reply-density", "thoughts", "refusals", "fluency-proxy"),
        *("general-ranking", "severity", "agreement", "judges", "usage", "energy"),
    ),
}
"""The tables of each engine, or how the names of several begin."""
MODEL, JUDGES = "a-model", tuple(f"judge-{letter}" for letter in "abcdefghij")
"""Who takes part in an estimate where nobody was named."""


def inputs_of(
    recipe: Recipe, given: Mapping[str, Any], who: Cast, data: Given, name: str
) -> Record:
    """Return what a recipe's engine is asked for; raises BadInput, ValidationError."""
    kind = ENGINES[recipe.engine]
    known = kind.inputs.model_fields
    if stray := [key for key in given if key not in known or key in OURS]:
        raise BadInput(f"{stray[0]!r} is nothing that {recipe.engine} is asked for by a recipe")
    return kind.inputs.model_validate({**kind.people(dict(given), who), **data, "topic": name})


OURS = frozenset(
    {
        *("topic", "topics", "count", "targets", "data", "questions", "keywords"),
        *("models", "judges", "generators", "providers", "scorer", "imported"),
    }
)
"""Inputs that come from the command, not from a recipe."""


NAMED = ("contenders", "indicators", "modes")
"""Inputs that are lists, looked at before the rest of a recipe is validated."""
MOST_JUDGES = 100


def _look_at(given: Mapping[str, Any]) -> None:
    for name in NAMED:
        here = given.get(name, ())
        if not isinstance(here, list | tuple):
            raise BadInput(f"{name!r} is a list of names")
        if not all(isinstance(one, str | Mapping) for one in here):
            raise BadInput(f"{name!r} is a list of names; one of them is none")
    each = given.get("judges_each", 0)
    if not isinstance(each, int) or not 0 <= each <= MOST_JUDGES:
        raise BadInput(f"'judges_each' is a whole number up to {MOST_JUDGES}")


def build_made_up(recipe: Recipe, given: Mapping[str, Any]) -> Record:
    """Return the inputs of a recipe with made-up models and data, to see whether they fit; raises
    BadInput that names `draws` for a table that its engine does not make.
    """
    known = DRAWS[recipe.engine]
    for name in recipe.draws:
        if not any(name == one or name.startswith(f"{one}-") for one in known):
            raise BadInput(f"'draws' names no table: {name!r}. There are {', '.join(known)}")
    _look_at(given)
    kind = ENGINES[recipe.engine]
    who = Cast((MODEL,), JUDGES[: max(kind.judges, given.get("judges_each", 0))])
    return inputs_of(recipe, given, who, kind.made_up(1), recipe.title)


def estimate_recipe(
    recipe: Recipe, size: str, models: Sequence[str] = (), judges: Sequence[str] = ()
) -> Estimate:
    """Return what a recipe takes at a size: with the models and judges named, or one model and as
    many judges as it needs. Raises BadInput.
    """
    kind = ENGINES[recipe.engine]
    given = asked(recipe, size)
    least = max(kind.judges, given.get("judges_each", 0))
    who = Cast(tuple(models) or (MODEL,), tuple(judges) or JUDGES[:least])
    inputs = inputs_of(recipe, given, who, kind.made_up(taken(recipe, size)), recipe.title)
    return MADE_OF_PARTS[recipe.engine](inputs.model_dump(mode="json"), {}, EDITION)
