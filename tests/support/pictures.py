"""The pictures of the guide and of the README, taken of the screens as they are: `make pictures`.

Chains and refinements are the built-in model's and the case studies; what needs a language model
is answered by a script, and its model is called `example`, so that nobody takes it for a result.
"""

import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from core import settings
from core.cases import bundled
from core.importing.gathering import entries_of_run
from core.judging.arena.competition import ArenaInputs
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.methods import ChainInputs
from core.methods.evolution import EvolveInputs
from core.methods.inputs import ShortlistInputs
from core.methods.presets import NOVELTY
from core.models.port import Request
from core.records import FORMS, IDEA_CRITERIA, Idea, Outcome, digest
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.store import Store
from core.story import Story
from tests import ROOT
from tests.conftest import ScriptedModel, Shop
from tests.support.arena_kit import entry
from tests.support.benchmark.bench_kit import settled_store
from tests.support.browser import App, browsing, rest
from tests.support.evolving import SPANS, WELL
from tests.support.sessions.studies_kit import drafted

FOLDER = ROOT / "assets/guide/pictures"
WIDTH, MENU = 1280, 212
"""Pixels of the window, and of the menu with its line."""
MODEL = "example:model"
TOPIC = "Using LLM agents to generate novel research ideas"
METHODS = ("Chain of ideas", "Direct prompting", "Retrieval-augmented prompting")
"""Of the arena; its judge prefers those that come first."""
TOPICS = (
    *("sleep and memory", "neural operators", "idea generation", "peer review"),
    *("protein design", "battery ageing", "crowd forecasting", "soil carbon"),
)
TITLES = (
    *("Naps before exams", "Cooling the neck at dusk", "Blue filters in dormitories"),
    *("Warm light for shift workers", "Sleep-gated replay", "Orexin and training load"),
)


SHOTS = (
    *("home", "shortlist", "chain", "refine", "checklist", "ideas", "ranking", "arena", "session"),
    *("benchmark", "runs"),
)
"""Every picture there is."""


class Shot(NamedTuple):
    """A picture: its name, the address it is of, and how high it is."""

    name: str
    address: str
    height: int = 800
    menu: bool = False
    """Whether the menu is in the picture."""


def main() -> None:
    """Fill a data folder, start the app on it, and take every picture."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shots = fill(data)
        assert tuple(shot.name for shot in shots) == SHOTS
        app = App(data, FOUNDRY_RESUME="0").start()
        try:
            FOLDER.mkdir(exist_ok=True)
            with browsing() as page:
                for shot in shots:
                    take(page, app.url, shot)
        finally:
            app.kill()


def take(page, url: str, shot: Shot) -> None:
    """Take a picture of an address once it rests, in 256 colours."""
    page.set_viewport_size({"width": WIDTH, "height": shot.height})
    page.goto(f"{url}/{shot.address}")
    rest(page, begins=3_000)
    page.wait_for_timeout(1_500)  # Charts draw after the page's script is over.
    file = FOLDER / f"{shot.name}.png"
    left = 0 if shot.menu else MENU
    clip = {"x": left, "y": 0, "width": WIDTH - left, "height": shot.height}
    page.screenshot(path=str(file), clip=clip)
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(256)
    small.save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size // 1024} KiB")


# -- what the screens show ------------------------------------------------------------------------


def fill(data: Path) -> list[Shot]:
    """Make what the pictures show and return what is to be taken."""
    runner = Runner(Workshop(settings.read({}, data=data)))
    chain = begin(runner, "chain", ChainInputs(topic=TOPIC), TOPIC, source="shelf").id
    assert runner.work(chain) == "done", runner.store.runs.get(chain).reason
    asked = ShortlistInputs(topic=TOPIC, dated="2026-11-01")
    shortlist = begin(runner, "shortlist", asked, TOPIC, source="shelf").id
    assert runner.work(shortlist) == "done", runner.store.runs.get(shortlist).reason
    refined = bundled.opened(runner.store, "orexin-novelty").id
    scripted = Runner(Shop(data, {MODEL: ScriptedModel(SCRIPT, MODEL)}))
    arena, ranking, evolution = hold(scripted), ranked(scripted), evolved(scripted)
    store = runner.store
    benchmark = settled_store(
        store,
        models=[f"example:writer-{n}" for n in range(1, 7)],
        judges=[f"example:judge-{n}" for n in range(1, 6)],
        keywords=[f"keyword {n}" for n in range(1, 31)],
        topic="Thirty keywords",
    ).id
    study = drafted(store, "rate", 8, name="Ideas on sleep").id
    picked = keep_ideas(store, chain)
    return [
        Shot("home", "", menu=True),
        Shot("shortlist", f"shortlist?run={shortlist}", 1000),
        Shot("chain", f"chains?run={chain}", 1000),
        Shot("refine", f"refine?run={refined}", 1000),
        Shot("checklist", f"checklist?run={evolution}&step=0", 1000),
        Shot("ideas", f"ideas?ideas={','.join(picked)}"),
        Shot("ranking", f"ranking?run={ranking}"),
        Shot("arena", f"arena?run={arena}", 1000),
        Shot("session", f"sessions?session={study}"),
        Shot("benchmark", f"benchmark?run={benchmark}&view=results", 1000),
        Shot("runs", f"runs?run={chain}&runs:tab=Steps"),
    ]


def keep_ideas(store: Store, chain: str) -> list[str]:
    """Keep the idea of a chain and two written ones beside those of a collection, and return what
    is picked.
    """
    outcome = Story.of(store, chain).last(Outcome)
    assert outcome is not None
    kept = [store.ideas.save(outcome.idea, chain, "outcome")]
    kept += [store.ideas.save(six(title), None, "written by hand") for title in TITLES[:2]]
    store.ideas.change(kept[0], starred=True, tags=("agents",))
    entries_of_run(store, chain, "Seminar", topic="research agents")
    return kept[:2]


def six(title: str) -> Idea:
    """Return an idea in six fields that says little beside its title."""
    fields = dict.fromkeys(FORMS["six-field"], f"What {title} says of it.")
    return Idea(form="six-field", fields={**fields, "title": title})


def hold(runner: Runner) -> str:
    """Hold an arena of three methods on eight topics."""
    entries = tuple(
        entry(runner.store, method, topic, six(f"{method} on {topic}"))
        for topic in TOPICS
        for method in METHODS
    )
    inputs = validated(ArenaInputs, topic="Three methods on eight topics", entries=entries)
    return worked(runner, "arena", inputs, inputs.topic, {"judge": MODEL})


def ranked(runner: Runner) -> str:
    """Rank five ideas with a published one."""
    ideas = {f"{n}: {title}": six(title) for n, title in enumerate(TITLES[:5], 1)}
    inputs = validated(
        RankInputs,
        topic="Five ideas and a published one",
        goals=(NOVELTY,),
        sets=(IdeaSet(name="final", ideas=ideas, target=six(TITLES[5])),),
        repeats=5,
    )
    return worked(runner, "rank", inputs, inputs.topic, {"judge": MODEL})


def evolved(runner: Runner) -> str:
    """Evolve an idea by the checklist, one revision."""
    inputs = validated(
        EvolveInputs,
        topic="Replay in networks that keep learning",
        question="How can replay be gated so that networks forget less?",
        review="Smith et al. (2024) replay all examples alike.",
        papers=False,
        steps=2,
    )
    return worked(runner, "evolve", inputs, inputs.topic, {"main": MODEL, "cheap": MODEL})


def worked(runner: Runner, method: str, inputs, title: str, models: Mapping[str, str]) -> str:
    """Begin a run, work it to its end, and return its id."""
    config = runner.workshop.config(method, inputs, models=dict(models), seed=7)
    run = runner.begin(config, title).id
    assert runner.work(run) == "done", runner.store.runs.get(run).reason
    return run


# -- what the example model says ------------------------------------------------------------------


def compare(request: Request) -> object:
    """Prefer the method that comes first in METHODS, three times of four."""

    def place(name: str) -> int:
        text = request.values[name].text
        return next(n for n, method in enumerate(METHODS) if method in text)

    said = {}
    for criterion in IDEA_CRITERIA:
        pair = sorted((request.values["first"].text, request.values["second"].text))
        dice = random.Random(digest([criterion, *pair])).random()
        better = (place("first") < place("second")) == (dice < 0.75)
        said[criterion] = "first" if better else "second"
    return {"reason": "An example.", **said}


def rank(request: Request) -> object:
    """Put ideas in an order by chance, which changes with the repeat."""
    candidates = list(request.values["candidates"])
    random.Random(request.text).shuffle(candidates)
    return {"places": [{"label": one.label, "reason": "An example."} for one in candidates]}


def judge(request: Request) -> object:
    """Fail grounding and method until the idea was revised, and innovation always."""
    name = request.values["item"].name
    revised = "three seeds" in request.values["idea"].text
    if name not in ("innovation", *(() if revised else ("grounding", "method"))):
        return {"reason": "It holds.", "score": 1, "directive": None}
    return {
        "reason": "It is lacking.",
        "score": 0,
        "directive": {"span": SPANS[name], "issue": ISSUES[name], "suggestion": ADVICE[name]},
    }


ISSUES = {
    "grounding": "The gap is claimed, and no assumption of earlier work is named.",
    "method": "The ablation has no control and no repetition.",
    "innovation": "What is new beside earlier gates is not said.",
}
ADVICE = {
    "grounding": "Name the assumption of Smith et al. that leaves the gap open.",
    "method": "Compare with a random gate, on three seeds.",
    "innovation": "Say what the learned signal sees that a schedule does not.",
}
REVISED = WELL.replace(
    "We ablate the gate.", "We ablate the gate against a random one, three seeds."
)
SCRIPT = {
    "arena-ideas": compare,
    "rank": rank,
    "evolve-idea": lambda _: {"idea": WELL},
    "evolve-revise": lambda _: {"idea": REVISED},
    "checklist-item": judge,
}


if __name__ == "__main__":
    main()
