"""What the tests over the made-up world share: runs of real sources on loopback servers, answered
by a model that only compares words.
"""

import re
from pathlib import Path

from core import settings
from core.methods import ChainInputs
from core.models.port import Request
from core.records import Chain, Paper, Run
from core.runs.planning import validated
from core.runs.runner import Runner
from core.runs.workshop import Workshop
from core.story import Story
from tests.conftest import ScriptedModel, WordEmbedder
from tests.support.scripted import chain_script, configured
from tests.support.servers.openalex_server import OpenAlexServer, number
from tests.support.servers.scholar_server import ScholarServer
from tests.support.world import TWISTS, World

WORLD = World.make()
NUMBERED = {number(name): name for name in WORLD.by_id}
SERVERS = {"semantic-scholar": ScholarServer, "openalex": OpenAlexServer}


class WorldShop(Workshop):
    """A workshop whose sources are real, whose model is scripted, and whose embeddings are
    words.
    """

    def __init__(self, folder: Path, model: ScriptedModel, **given: object):
        near = {"semantic_scholar_interval": 0, "openalex_interval": 0}
        super().__init__(settings.read({}, data=folder, **(near | given)))
        self.embedder, self.scripted = WordEmbedder(), model  # type: ignore[assignment]

    def model(self, name: str) -> ScriptedModel:  # type: ignore[override]
        return self.scripted


def world_script(**other: object) -> dict:
    """Return the script of a model that compares words: relevant is what has half the topic's,
    chosen the reference that shares most.
    """

    def relevance(request: Request) -> object:
        asked, has = words(request.values["topic"]), words_of(request.values["paper"])
        return {
            "relevant": 2 * len(asked & has) >= len(asked),
            "reason": f"It has {len(asked & has)} of {len(asked)} words.",
        }

    def choose(request: Request) -> object:
        of = words_of(request.values["paper"])
        best = max(
            request.values["references"], key=lambda one: (len(of & words_of(one.paper)), one.id)
        )
        return {"id": best.id, "reason": "It shares most words."}

    def sides(request: Request) -> object:
        return {"queries": [request.values["topic"], *request.values["topic"].split(" for ")]}

    def aspects(request: Request) -> object:
        return {"queries": [f"{mechanism(request)} {twist}" for twist in TWISTS[4:7]]}

    return (
        chain_script()
        | {
            "queries": sides,
            "relevance": relevance,
            "choose-reference": choose,
            "novelty-queries": aspects,
        }
        | other
    )


def mechanism(request: Request) -> str:
    return str(request.values["topic"].split(" for ")[0])


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))


def words_of(paper: Paper) -> set[str]:
    return words(f"{paper.title} {paper.abstract}")


def world_runner(
    folder: Path, server: ScholarServer, script: dict | None = None, **given: object
) -> Runner:
    """Return a runner whose source is one loopback server, whichever it is; `given` are
    settings.
    """
    named = "openalex_url" if isinstance(server, OpenAlexServer) else "semantic_scholar_url"
    return Runner(
        WorldShop(folder, ScriptedModel(script or world_script()), **{named: server.url, **given})
    )


def world_chain(runner: Runner, source: str = "semantic-scholar", **inputs: object) -> Run:
    """Work a chain over the world to its end, or to where it parks or fails, and return the run."""
    asked = validated(ChainInputs, **({"topic": WORLD.topics[0]} | inputs))
    run = runner.begin(configured(runner, "chain", asked, source=source), "A chain")
    runner.work(run.id)
    return runner.store.runs.get(run.id)


def cited_by(name: str) -> list[str]:
    """Return the ids of the papers that cite one."""
    return [citing for citing, cited in WORLD.edges if cited == name]


def impatient(folder, server: ScholarServer, script: dict | None = None, **given: object) -> Runner:
    """Return a runner that waits for no busy source."""
    return world_runner(folder, server, script, **({"patience": 0} | given))


def story(runner: Runner, run: Run) -> Story:
    return Story.of(runner.store, run.id)


def chains(runner: Runner, run: Run) -> tuple[Chain, ...]:
    assert run.state == "done", run.reason
    return story(runner, run).all(Chain)


def stop(chain: Chain, hop: str) -> tuple[bool, str]:
    """Return whether a direction stopped because something failed, and the sentence."""
    return next((one.failed, one.reason) for one in chain.stops if one.hop == hop)
