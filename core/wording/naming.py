"""What a method is called, with whatever of a run departs from its defaults: so an ablation never
passes for the method.

What is no part of a method is not named: topic, seed, cut-off, papers and texts given, target,
models, how many ideas are made side by side.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from core.records import FIXED_ROUNDS, Config, Stopping
from core.wording.numbers import counted

Made = Literal["idea", "design"]
Inputs = Mapping[str, Any]
LABELS: dict[str, str] = {
    "chain": "Chain of ideas",
    "refine": "Adversarial refinement",
    "rag": "Retrieval-augmented prompting",
    "direct": "Direct prompting",
    "drafts": "Direct prompting, the best of several",
    "real-paper": "Real paper",
    "evolve": "Checklist evolution",
    "question": "Question and review",
    "shortlist": "Shortlist",
}
"""Methods that write texts which others are compared with."""
VARIANTS: dict[str, str] = {
    "infal": "",
    "review-rebuttal": "review and rebuttal",
    "self-reflection": "self-reflection",
    "initial": "first idea alone",
    "no-discriminator": "without discriminator",
    "no-optimizer": "without optimizer",
}
DEFAULT_GOAL = "novelty"
UNINFORMED, BY_PERSON, APART = "without directives", "judged by a person", "scored by another judge"


def name_of(config: Config, made: Made = "idea") -> str:
    """Return what made a run's ideas, or its design: the method, then what of the settings departs
    from its defaults.
    """
    return ", ".join((LABELS.get(config.method, config.method), *departures(config, made)))


def name_method(method: str, inputs: Inputs, made: Made = "idea") -> str:
    """Return what a run of a method that is asked for this would be named by what it makes."""
    return ", ".join((LABELS.get(method, method), *_departing(method, inputs, made)))


def departures(config: Config, made: Made = "idea") -> tuple[str, ...]:
    """Return what of a run's settings departs from the defaults of its method, a few words each."""
    found = _departing(config.method, config.inputs, made)
    return (*found, "edited by a person") if config.edits else found


def _departing(method: str, inputs: Inputs, made: Made) -> tuple[str, ...]:
    of_method = DEPARTURES.get(method)
    return tuple(of_method(inputs, made)) if of_method else ()


def _chain(inputs: Inputs, made: Made) -> Iterator[str]:
    for name, (usual, said) in CHAIN.items():
        # What an older version of the method did not know is no departure.
        if (value := inputs.get(name, usual)) != usual:
            yield said(value)
    yield from (f"without {part}" for part in inputs.get("without", ()))
    if made == "design" and (reviews := inputs.get("refinements", 1)) != 1:
        yield f"design with {reviews} reviews" if reviews else "design without review"


CHAIN: dict[str, tuple[object, Callable[[Any], str]]] = {
    "branches": (3, lambda n: "1 branch" if n == 1 else f"{n} branches"),
    "length": (5, lambda n: f"length {n}"),
    "milestone": (1000, lambda n: f"milestone from {n} citations"),
    "full_text": (True, lambda _: "abstracts alone"),
    "confirm": (False, lambda _: "directions confirmed by a person"),
    "novelty_rounds": (3, lambda n: "1 novelty check" if n == 1 else f"at most {n} novelty checks"),
    "ideas": (1, lambda n: f"{n} ideas a branch"),
    "known": ([], lambda known: f"{counted(len(known), 'claim')} not to be repeated"),
}


def _refinement(inputs: Inputs, _: Made) -> Iterator[str]:
    # Runs of the first version had one quality, and their rules beside it.
    play = inputs.get("play") or {
        "goals": [inputs["goal"]] if "goal" in inputs else [],
        "rules": inputs.get("rules", {}),
    }
    yield from _play(play)
    if not inputs.get("context") and (k := inputs.get("k", 5)) != 5:
        yield f"{counted(k, 'paper')} looked for" if k else "without papers"
    if inputs.get("idea"):
        yield "from the idea of another run" if inputs.get("from_run") else "from a given idea"
    for leg in inputs.get("earlier", ()):
        yield f"played otherwise up to round {leg['upto']}"


def _play(play: Inputs) -> Iterator[str]:
    variant, rules = play.get("variant", "infal"), play.get("rules", {})
    if said := VARIANTS.get(variant, variant):
        yield said
    goals = [goal["name"] for goal in play.get("goals", ())]
    if [name.casefold() for name in goals] != [DEFAULT_GOAL]:
        yield f"for {' and '.join(goals)}"
    if len(goals) > 1 and play.get("order", "one after the other") != "one after the other":
        yield "qualities taking turns"
    if play.get("printed"):
        yield "Algorithm 1 as printed"
    rounds = FIXED_ROUNDS if variant == "no-discriminator" else Stopping().max_rounds
    if variant != "initial" and (n := rules.get("max_rounds", rounds)) != rounds:
        exact = n == 1 or variant == "no-discriminator"
        yield counted(n, "round") if exact else f"at most {n} rounds"
    patience = 1 if variant == "self-reflection" or play.get("printed") else Stopping().patience
    judged = variant not in ("initial", "no-discriminator")
    if judged and (n := rules.get("patience", patience)) != patience:
        yield f"patience {n}"
    yield from (f"{actor} played by a person" for actor in play.get("people", ()))
    if play.get("step_in"):
        yield "steered by a person"


def _evolution(inputs: Inputs, _: Made) -> Iterator[str]:
    if not inputs.get("informed", True):
        yield UNINFORMED
    if (steps := inputs.get("steps", 2)) != 2:
        yield counted(steps, "step")
    if inputs.get("judged_by", "model") == "person":
        yield BY_PERSON
    elif inputs.get("decided", "code") != "code":
        yield "Layout and Length judged by the model"
    if inputs.get("apart"):
        yield APART
    if inputs.get("step_in"):
        yield "steered by a person"
    if not inputs.get("papers", True) and not inputs.get("review"):
        yield "without literature"
    if inputs.get("idea"):
        yield "from a given idea"


def _paper(inputs: Inputs, _: Made) -> Iterator[str]:
    if not inputs.get("full_text", True):
        yield "abstract alone"


def _drafts(inputs: Inputs, _: Made) -> Iterator[str]:
    yield counted(inputs.get("drafts", 2), "draft")


DEPARTURES: dict[str, Callable[[Inputs, Made], Iterator[str]]] = {
    "chain": _chain,
    "drafts": _drafts,
    "refine": _refinement,
    "evolve": _evolution,
    "real-paper": _paper,
}
