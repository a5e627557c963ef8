"""An idea under headings, and what generator and judge of an evolution say in tests, as a function
of the request alone.
"""

import re

from core.methods.evolution import EvolveInputs
from core.models.port import Request
from core.records import ITEMS
from core.runs.planning import validated
from core.story import Story
from tests.conftest import ScriptedModel
from tests.support.scripted import configured, runner_of

WELL = """**Title**
Sleep-gated replay for networks that keep learning

**Core Problem**
Networks that learn one task after another forget (Smith et al., 2024). \
This matters, e.g. for robots that learn at 3.5 Hz.

**Approach**
We gate replay by a learned signal, following J. Doe and A. B. Roe. \
The gate reads activity as in Fig. 2. It assumes that labels vs. none are known.

**Experimental Plan / Evaluation**
We train on CIFAR-100 and compare with plain replay, i.e. no gate, by accuracy. We ablate the gate.

**Expected Outcomes and Impact**
Accuracy should rise by approx. 3.5 points.

**Limitations and Risks**
- The gate may not learn; then a fixed schedule serves.
- Memory is bounded; fewer examples are kept then.
- The idea may not hold beyond vision; then we say so.

**Related Work and Gap**
Replay was studied by Smith et al. (2024). None of it is gated."""
"""Layout and Length hold."""
SPANS = {
    "grounding": "None of it is gated.",
    "feasibility": "Memory is bounded",
    "problem": "Networks that learn one task after another forget",
    "risk": "The gate may not learn",
    "method": "We ablate the gate.",
    "writing": "Replay was studied",
    "innovation": "We gate replay by a learned signal",
}
"""What the judge points at, item by item."""


def fixed(text: str) -> set[str]:
    """Return the items an idea says it has right: it ends with a comment naming them."""
    found = re.search(r"\(right: ([a-z, ]*)\)", text)
    return set(found[1].split(", ")) - {""} if found else set()


def idea_with(items: set[str]) -> str:
    """Return the idea with these items right; what is said of them stands in the title."""
    return WELL.replace("keep learning", f"keep learning (right: {', '.join(sorted(items))})", 1)


def item_of(request: Request) -> str:
    return str(request.values["item"].name)


def judged(request: Request) -> object:
    """Find right what the idea says is right, and point at a passage where it is not."""
    name = item_of(request)
    if name in fixed(request.values["idea"].text):
        return {"reason": f"{name} holds.", "score": 1, "directive": None}
    return {
        "reason": f"{name} is lacking.",
        "score": 0,
        "directive": {
            "span": SPANS.get(name, ""),
            "issue": f"{name} is weak.",
            "suggestion": f"Do something for {name}.",
        },
    }


def evolving(first: set[str] = frozenset({"writing"}), at_once: int = 3) -> dict:
    """Return a script: the first idea has some items right, a revision has `at_once` of those it
    was given directives for; alone the model gains nothing.
    """

    def revise(request: Request) -> object:
        right = fixed(request.values["idea"].text) | {
            one.item for one in request.values["directives"][:at_once]
        }
        return {"idea": idea_with(right)}

    return {
        "evolve-idea": lambda _: {"idea": idea_with(set(first))},
        "evolve-revise": revise,
        "evolve-alone": lambda r: {
            "idea": idea_with(fixed(r.values["idea"].text)) + " It stands alone."
        },
        "checklist-item": judged,
        "question": lambda _: {"question": "How can replay be gated so that networks forget less?"},
    }


EVERY = {item.name for item in ITEMS}


P0 = {
    "topic": "replay",
    "question": "How can replay be gated?",
    "review": "Smith et al., 2024, replay all.",
    "papers": False,
}


def begun(folder, script=None, source=None, models=None, **asked):
    runner, model = runner_of(folder, evolving() | (script or {}), source)
    for name in set((models or {}).values()) - {model.name}:
        runner.workshop.named[name] = ScriptedModel(model.script, name)
    inputs = validated(EvolveInputs, **(P0 | asked))
    return (
        runner,
        model,
        runner.begin(
            configured(runner, "evolve", inputs, **({"models": models} if models else {})), "replay"
        ),
    )


def evolve(folder, state="done", **more):
    runner, model, run = begun(folder, **more)
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return runner, model, run, Story.of(runner.store, run.id)
