"""What the tests of single hops share: one anchor with as many citing and cited papers as a test
wants, and a chain of one branch grown from it.
"""

from collections.abc import Sequence
from pathlib import Path

from core import prompts
from core.methods import ChainInputs
from core.models.port import Request
from core.records import Chain, Considered, Paper
from core.runs.planning import validated
from core.runs.runner import Runner
from core.story import Story
from tests.support.scripted import chain_script, configured
from tests.support.servers.scholar_server import ScholarServer, paper_id, paper_of
from tests.support.world_kit import WorldShop, world_runner

TOPIC = "sleep in young athletes"
ANCHOR = "anchor"


def one(
    name: str, day: str, title: str, about: str, cites: Sequence[str] = (), **more: object
) -> dict:
    """Return a paper as the loopback servers serve it."""
    made = paper_of(1, name, day, title, about, "It was measured", "It held", "")
    return (
        made
        | {
            "externalIds": {"DOI": f"10.5555/{name}"},
            "citationCount": 7,
            "references": [paper_id(other) for other in cites],
        }
        | more
    )


def graph(citing: int = 0, cited: Sequence[dict] = (), **anchor: object) -> list[dict]:
    """Return the anchor, what it cites, and so many papers that cite it, a day apart."""
    names = [paper["externalIds"]["DOI"].removeprefix("10.5555/") for paper in cited]
    first = one(
        ANCHOR,
        "2015-06-01",
        "Naps and sleep in young athletes: the anchor",
        "Sleep in young athletes is short",
        names,
        **anchor,
    )
    later = [
        one(
            f"c{n}",
            f"{2016 + n // 360}-{1 + n // 30 % 12:02}-{1 + n % 28:02}",
            f"Follow-up number {n} on another matter",
            f"Case {n} of it",
            [ANCHOR],
        )
        for n in range(citing)
    ]
    return [first, *cited, *later]


def cited_paper(
    n: int, about: str = "sleep in young athletes", title: str = "", cites: Sequence[str] = ()
) -> dict:
    """Return a paper that can be cited, older than the anchor."""
    return one(
        f"r{n}", "2010-01-01", title or f"Earlier work number {n} of this kind", about, cites
    )


class Hops:
    """A chain of one branch that was grown from the anchor, and what was asked on the way."""

    def __init__(
        self,
        folder: Path,
        server: ScholarServer,
        script: dict | None = None,
        *,
        edition: int = 2,
        source: str = "semantic-scholar",
        given: dict | None = None,
        embedder: object = None,
        **inputs: object,
    ):
        self.server = server
        self.runner: Runner = world_runner(
            folder, server, chain_script() | (script or {}), **{"patience": 0} | (given or {})
        )
        shop = self.runner.workshop
        assert isinstance(shop, WorldShop)
        if embedder:
            shop.embedder = embedder  # type: ignore[assignment]
        [self.anchor] = shop.source(source).papers(("doi:10.5555/anchor",))
        server.asked.clear()
        asked = validated(
            ChainInputs,
            **(
                {
                    "topic": TOPIC,
                    "branches": 1,
                    "anchors": (self.anchor,),
                    "design": False,
                    "novelty_rounds": 1,
                }
                | inputs
            ),
        )
        config = configured(self.runner, "chain", asked, source=source)
        if (
            edition == 1
        ):  # Prompts are of today here, and one of them asks for what a run of then did not have.
            was = shop.freeze({"future": prompts.text("future").replace("$most", "three")})
            config = config.model_copy(
                update={"edition": 1, "samplings": {}, "prompts": {**config.prompts, **was}}
            )
        run = self.runner.begin(config, "A chain")
        self.runner.work(run.id)
        self.run = self.runner.store.runs.get(run.id)
        self.story = Story.of(self.runner.store, run.id)

    @property
    def chain(self) -> Chain:
        assert self.run.state == "done", self.run.reason
        [found] = self.story.all(Chain)
        return found

    def stop(self, hop: str) -> tuple[bool, str]:
        return next((one.failed, one.reason) for one in self.chain.stops if one.hop == hop)

    def considered(self, hop: str) -> Considered:
        """Return what the first hop from the anchor had to choose from."""
        return next(
            one for one in self.story.all(Considered) if one.hop == hop and one.of.same(self.anchor)
        )

    def asked(self, prompt: str) -> list[Request]:
        return [
            request
            for request in self.runner.workshop.scripted.requests
            if request.prompt == prompt
        ]  # type: ignore[attr-defined]

    def sent(self, hop: str) -> list[dict]:
        """Return what the server was asked for the anchor's citations or references."""
        return [
            asked.query
            for asked in self.server.asked
            if asked.path.endswith(f"{paper_id(ANCHOR)}/{hop}")
        ]

    def papers_embedded(self) -> int:
        """Return how many papers the first hop forward was ranked by meaning."""
        return len(
            self.runner.store.steps.get(self.run.id, "branch-1/forward-1/ranking").request["papers"]
        )  # type: ignore[union-attr]


def titles(papers: Sequence[Paper]) -> list[str]:
    return [paper.title for paper in papers]
