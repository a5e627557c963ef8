"""Planted truth for the novelty check: ideas put together from papers of the made-up world, with
what is true of each, and a reader that knows it.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple

from core.methods import NoveltyInputs
from core.models.port import Request
from core.records import ClaimsVerdict, Idea, NoveltyMatrix, Run
from core.runs.planning import validated
from core.runs.runner import Runner
from core.story import Story
from core.wording.sentences import sentences
from tests.conftest import ScriptedModel
from tests.support.scripted import configured
from tests.support.servers.openalex_server import OpenAlexServer, number
from tests.support.servers.scholar_server import ScholarServer
from tests.support.world_kit import WORLD, WorldShop

BOTH = "semantic-scholar|openalex"
Sort = Literal["copy", "two", "three", "in part", "new", "later"]
SORTS: tuple[Sort, ...] = ("copy", "two", "three", "in part", "new", "later")
DATED = "2026-11-25"


def own_sentences(text: str) -> list[str]:
    """Return the sentences of an abstract that hardly any other has: what it goes on from, what it
    does for whom, and what came out.
    """
    lines = sentences(text)
    return [
        next(line for line in lines if line.startswith(("We go on from", "We take up"))),
        next(line for line in lines if ", so that " in line),
        next(line for line in lines if "percent over" in line),
    ]


def abstract(paper: str) -> str:
    return WORLD.by_id[paper]["abstract"] or ""


OFTEN = Counter(
    line
    for paper in WORLD.by_id
    if abstract(paper) and paper not in WORLD.having("twin")
    for line in own_sentences(abstract(paper))
)
SOUND = sorted(
    name
    for name, paper in WORLD.by_id.items()
    if paper["abstract"]
    and all(OFTEN[line] == 1 for line in own_sentences(paper["abstract"]))
    and name not in WORLD.having("twin") | WORLD.having("year only")
    and not any(name == WORLD.original(twin) for twin in WORLD.having("twin"))
)
INVENTED = (
    "A marsupial ledger settles every {word} by moonlight arithmetic.",
    "We let {word} be decided by an orchestra of clockwork beetles.",
    "The {word} is folded into a map that only swimmers can read.",
)
WORDS = ("triage", "glacier", "harvest", "reef", "enzyme", "battery", "verdict", "orbit")


class Planted(NamedTuple):
    """An idea with what is true of it."""

    sort: Sort
    idea: Idea
    dated: str
    state: str
    works: frozenset[str]
    """Ids, in the world, of the smallest set of earlier papers that covers it."""
    covered: frozenset[int]
    """Claims that an earlier paper covers."""


def planted(many: int = 60, seed: int = 3) -> tuple[Planted, ...]:
    """Return so many ideas, of each sort as many."""
    dice = random.Random(seed)
    return tuple(plant(SORTS[n % len(SORTS)], dice) for n in range(many))


def plant(sort: Sort, dice: random.Random) -> Planted:
    """Put an idea together, and work out what is true of it from the world itself."""
    papers = dice.sample(SOUND, 3)
    parts: dict[Sort, list[str]] = {
        "copy": own_sentences(abstract(papers[0])),
        "two": [*own_sentences(abstract(papers[0]))[1:], *own_sentences(abstract(papers[1]))[1:]],
        "three": [own_sentences(abstract(paper))[1] for paper in papers],
        "in part": [*own_sentences(abstract(papers[0]))[1:], invent(dice, 0)],
        "new": [invent(dice, n) for n in range(3)],
        "later": own_sentences(abstract(papers[0])),
    }
    text = parts[sort]
    dated = DATED
    if sort == "later":
        dated = f"{int(public_since(papers[0])[:4]) - 1}-06-15"
    covers = {
        paper: {n for n, one in enumerate(text, 1) if one in abstract(paper)}
        for paper in WORLD.by_id
        if public_since(paper) < dated
    }
    covers = {paper: claims for paper, claims in covers.items() if claims}
    works, covered = smallest(len(text), covers), frozenset().union(*covers.values(), ())
    state = {1: "anticipated", 2: "combination", 3: "combination"}.get(len(works))
    return Planted(
        sort,
        Idea(form="hypothesis", fields={"hypothesis": " ".join(text)}),
        dated,
        state or ("new in part" if covered else "nothing found"),
        works,
        frozenset(covered),
    )


def invent(dice: random.Random, n: int) -> str:
    return INVENTED[n].format(word=f"{dice.choice(WORDS)} {dice.randrange(10_000)}")


def public_since(paper: str) -> str:
    """Return the last day by which a paper of the world was public: what its own date says, what
    its arXiv number says, or the end of its year.
    """
    one = WORLD.by_id[paper]
    days = [one["publicationDate"]] if one["publicationDate"] else [f"{one['year']}-12-31"]
    if number_ := one["externalIds"].get("ArXiv"):
        days.append(f"20{number_[:2]}-{number_[2:4]}-31")
    return min(days)


def smallest(claims: int, covers: dict[str, set[int]]) -> frozenset[str]:
    """Return the smallest set of at most three papers with all claims, by trying all; of several
    the one that was public first.
    """
    for size in (1, 2, 3):
        found = [
            names
            for names in combinations(sorted(covers), size)
            if len(set().union(*(covers[name] for name in names))) == claims
        ]
        if found:
            return frozenset(
                min(
                    found,
                    key=lambda names: sorted(map(public_since, names), reverse=True),
                )
            )
    return frozenset()


def in_world(name: str) -> str:
    """Return the id in the world of a paper as a source names it."""
    source, _, own = name.partition(":")
    if source == "s2":
        return WORLD.original(own)
    return WORLD.original(BY_NUMBER[own])


BY_NUMBER = {number(name): name for name in WORLD.by_id}


# -- the reader --------------------------------------------------------------------------------

Err = Callable[[Request, int, bool], str | None]
"""Says, of a request, a claim and whether it is covered, how a reader errs: `miss`, `invent`."""


def never(*_: object) -> None:
    return None


def novelty_script(err: Err = never) -> dict:
    """Return the script of a reader that knows what is true: covered is what stands in an abstract
    to the letter.
    """

    def claims(request: Request) -> object:
        lines = sentences(request.values["idea"].text)
        return {"claims": [{"kind": "mechanism", "text": one, "span": one} for one in lines]}

    def queries(request: Request) -> object:
        by_claim = [
            {"claim": one.n, "queries": [search_words(one.text)]}
            for one in request.values["claims"]
        ]
        return {"whole": [by_claim[0]["queries"][0]], "claims": by_claim}

    def reading(request: Request) -> object:
        text = request.values["paper"].abstract
        return {"findings": [finding(request, one, text) for one in request.values["claims"]]}

    def finding(request: Request, claim, text: str) -> dict:
        covered = claim.text in text
        how = err(request, claim.n, covered)
        found = {"claim": claim.n, "reason": "Compared word by word.", "state": "does not"}
        if how == "invent":
            quote = f"It is said here, as clear as day, that {search_words(claim.text)} is so."
            return found | {
                "state": "covers",
                "idea_quote": claim.passage.quote,
                "paper_quote": quote,
            }
        if covered and how != "miss":
            return found | {
                "state": "covers",
                "idea_quote": claim.passage.quote,
                "paper_quote": claim.text,
            }
        return found

    return {
        "novelty-claims": claims,
        "novelty-claim-queries": queries,
        "novelty-reading": reading,
    }


def search_words(claim: str) -> str:
    """Return the words of a claim that a search is made of: the last ones, none with a hyphen."""
    found = [
        word
        for word in re.findall(r"[\w-]{3,}", claim.rpartition(", so that ")[2])
        if "-" not in word
    ]
    return " ".join(found[-8:]).lower()


# -- the run -----------------------------------------------------------------------------------


@contextmanager
def servers(papers: Iterable[dict] | None = None) -> Iterator[tuple[ScholarServer, OpenAlexServer]]:
    """Serve the world, or these papers of it, as both sources do."""
    graph = list(papers or WORLD.papers)
    with ExitStack() as stack:
        yield stack.enter_context(ScholarServer(graph)), stack.enter_context(OpenAlexServer(graph))


def novelty_runner(
    folder: Path, both: tuple[ScholarServer, OpenAlexServer], script: dict | None = None
) -> Runner:
    scholar, openalex = both
    model = ScriptedModel(script or novelty_script())
    return Runner(
        WorldShop(
            folder,
            model,
            semantic_scholar_url=scholar.url,
            openalex_url=openalex.url,
            patience=0,
        )
    )


def check_idea(
    runner: Runner, idea: Idea, dated: str = DATED, source: str = BOTH, **more: object
) -> Run:
    """Check an idea to the end of its run, and return that."""
    asked = validated(NoveltyInputs, **({"topic": idea.title, "idea": idea, "dated": dated} | more))
    run = runner.begin(configured(runner, "novelty", asked, source=source), "A novelty check")
    runner.work(run.id)
    return runner.store.runs.get(run.id)


def found(runner: Runner, run: Run) -> tuple[NoveltyMatrix, ClaimsVerdict]:
    """Return what a check that came to its end shows."""
    assert run.state == "done", run.reason
    story = Story.of(runner.store, run.id)
    matrix, verdict = story.last(NoveltyMatrix), story.last(ClaimsVerdict)
    assert matrix
    assert verdict
    return matrix, verdict
