"""A made-up world of literature with known edges, in the shape the Semantic Scholar API serves:
`World.make()`.

Eight fields with six lines of development each; a paper goes on from earlier ones of its line,
sometimes cites a sister line, rarely another field. Faults that real sources have are planted:
`world.having("withheld")` and the like say where.

Alone: `python -m tests.world > graph.json`, for `--graph` of the loopback servers.
"""

import hashlib
import json
import random
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import product

from tests import DATA

FIELDS = DATA / "world_fields.txt"
"""A field a line that begins with #: name|what is made|facets|data|measures|baseline|problem; then
its lines of development: name|how.
"""
LINE = 44
"""Papers in a line of development, some three months apart."""
BACK = 8
"""How many papers back in its line a paper looks for what to build on."""
FAULTS = {
    "no abstract": 40,
    "withheld": 50,
    "broken": 60,
    "year only": 60,
    "misdated": 40,
    "twin": 50,
    "no doi": 150,
}
"""Faults, and how many papers have each. broken: cites an id nobody knows. misdated: dated years
before what it cites. twin: a second entry of a paper under another id, with the same DOI.
"""
TWISTS = (
    "with few labels",
    "under distribution shift",
    "at a tenth of the cost",
    "with calibrated uncertainty",
    "across sites",
    "in real time",
    "without expert tuning",
    "from partial observations",
    "with people in the loop",
    "over long horizons",
    "with audited failures",
    "on commodity hardware",
    "with privacy constraints",
    "under adversarial noise",
    "after deployment",
    "with shared benchmarks",
)
CHANGES = (
    "We weight every step by how far it can be trusted",
    "We learn the schedule instead of setting it by hand",
    "We drop the part that needed labels",
    "We run it in two passes, the second on what the first got wrong",
    "We let neighbouring cases share what they know",
    "We bound its error and stop where the bound is passed",
    "We make it incremental, so that new data cost little",
    "We replace its central estimate by a distribution",
    "We prune what does not change the outcome",
    "We train it against its own failures",
)
OPEN = (
    "how it behaves where the data are collected differently",
    "whether the gain lasts beyond the first year",
    "how to choose its one free parameter",
    "why it fails on the rarest cases",
    "what it costs at ten times the scale",
    "whether people trust its output enough to act on it",
)
FIRST = (
    "Ada",
    "Bela",
    "Chidi",
    "Dana",
    "Emre",
    "Farah",
    "Goran",
    "Hana",
    "Imani",
    "Jonas",
    "Keiko",
    "Lior",
    "Mara",
    "Nils",
    "Oana",
    "Priya",
)
LAST = (
    "Abara",
    "Brandt",
    "Costa",
    "Duarte",
    "Eklund",
    "Fofana",
    "Gallo",
    "Haddad",
    "Ito",
    "Jansen",
    "Kaya",
    "Lindqvist",
    "Moreau",
    "Novak",
)


@dataclass(frozen=True)
class World:
    """Papers with what is true of them."""

    papers: list[dict]
    lines: dict[str, str]
    """The line of development of each paper by id, as `field / line`."""
    faults: dict[str, frozenset[str]]
    topics: tuple[str, ...]
    """Topics with enough literature for three branches of five, one per line of development."""

    @classmethod
    def make(cls, seed: int = 0, pdfs: str | None = None) -> "World":
        """Return the world of a seed; every third paper has an open PDF where `pdfs`, the address
        of a server, is given.
        """
        return Maker(random.Random(seed), seed, pdfs).world()

    @cached_property
    def by_id(self) -> dict[str, dict]:
        return {paper["paperId"]: paper for paper in self.papers}

    @cached_property
    def edges(self) -> frozenset[tuple[str, str]]:
        """(citing, cited), as far as the literature knows; ids nobody knows among the cited."""
        return frozenset(
            (paper["paperId"], cited)
            for paper in self.papers
            for cited in paper["references"] or ()
        )

    def cites(self, a: str, b: str) -> bool:
        """Say whether paper `a` is known to cite paper `b`, by id."""
        return (a, b) in self.edges

    def having(self, fault: str) -> frozenset[str]:
        """Return the ids of the papers with a fault of FAULTS, or of the milestones."""
        return self.faults[fault]

    def original(self, paper: str) -> str:
        """Return the id of the first entry of a paper: its own, or that of the paper it is a twin
        of.
        """
        doi = self.by_id[paper]["externalIds"].get("DOI")
        return self._first_of[doi] if doi else paper

    @cached_property
    def _first_of(self) -> dict[str, str]:
        return {
            paper["externalIds"]["DOI"]: paper["paperId"]
            for paper in reversed(self.papers)
            if "DOI" in paper["externalIds"]
        }


@dataclass(frozen=True)
class Field:
    name: str
    things: str
    facets: list[str]
    data: list[str]
    measures: list[str]
    baseline: str
    problem: str
    lines: list[tuple[str, str]]


def fields() -> list[Field]:
    """Read the fields from their file."""
    found: list[Field] = []
    for line in FIELDS.read_text("utf-8").splitlines():
        parts = [part.strip() for part in line.lstrip("# ").split("|")]
        if line.startswith("#"):
            name, things, *several, baseline, problem = parts
            found.append(
                Field(name, things, *(one.split("; ") for one in several), baseline, problem, [])
            )
        else:
            found[-1].lines.append((parts[0], parts[1]))
    return found


class Maker:
    """One making of a world; everything is drawn from the dice it is given."""

    def __init__(self, dice: random.Random, seed: int, pdfs: str | None):
        self.dice, self.seed, self.pdfs = dice, seed, pdfs
        self.papers: list[dict] = []
        self.lines: dict[str, str] = {}
        self.topics: list[str] = []
        self.spoilt: set[str] = set()

    def world(self) -> World:
        for field in fields():
            for line in field.lines:
                self.topics.append(f"{line[0]} for {field.name}")
                self.grow(field, line)
        self.cite()
        self.count()
        faults = {fault: self.spoil(fault, many) for fault, many in FAULTS.items()}
        milestones = frozenset(
            paper["paperId"] for paper in self.papers if paper["citationCount"] > 1000
        )
        return World(
            self.papers, self.lines, faults | {"milestone": milestones}, tuple(self.topics)
        )

    # -- papers --------------------------------------------------------------------------------

    def grow(self, field: Field, line: tuple[str, str]) -> None:
        """Write a line of development, each paper speaking of the one before."""
        day, before = date(2010, 1, 1) + timedelta(self.dice.randrange(1500)), ""
        for facet, twist in self.dice.sample(list(product(field.facets, TWISTS)), LINE):
            before = self.write(field, line, day, facet, twist, before)
            day += timedelta(self.dice.randint(50, 140))

    def write(
        self, field: Field, line: tuple[str, str], day: date, facet: str, twist: str, before: str
    ) -> str:
        """Write one paper and return its title."""
        n, (mechanism, how), one_of = len(self.papers), line, self.dice.choice
        name = hashlib.sha1(f"{self.seed}/{n}".encode()).hexdigest()
        title = f"{mechanism[0].upper()}{mechanism[1:]} {twist}: {field.name}, the case of {facet}"
        problem = f"{field.problem[0].upper()}{field.problem[1:]}, and {facet} are hit hardest."
        built = f"We go on from '{before}'" if before else f"We take up {mechanism}"
        abstract = (
            f"{problem} {built}. In {mechanism}, {how}. {one_of(CHANGES)}, so that {field.things}"
            f" for {facet} can be had {twist}. On {one_of(field.data)} it improves"
            f" {one_of(field.measures)} by {self.dice.randint(2, 30)} percent over"
            f" {field.baseline}. It remains open {one_of(OPEN)}."
        )
        authors = [f"{one_of(FIRST)} {one_of(LAST)}" for _ in range(self.dice.randint(1, 5))]
        self.papers.append(
            {
                "paperId": name,
                "title": title,
                "abstract": abstract,
                "year": day.year,
                "publicationDate": day.isoformat(),
                "authors": [
                    {"authorId": str(n * 10 + k), "name": author}
                    for k, author in enumerate(authors)
                ],
                "venue": f"Journal of {field.things.title()}",
                "citationCount": 0,
                "externalIds": (
                    {"DOI": f"10.5555/{self.seed}.{n}"}
                    | ({"ArXiv": f"{day:%y%m}.{n:05}"} if n % 2 else {})
                ),
                "openAccessPdf": (
                    {"url": f"{self.pdfs}/{name}.pdf", "status": "GREEN"}
                    if self.pdfs and n % 3 == 0
                    else None
                ),
                "url": f"https://example.org/paper/{name}",
                "references": [],
            }
        )
        self.lines[name] = f"{field.name} / {mechanism}"
        return title

    # -- edges ---------------------------------------------------------------------------------

    def cite(self) -> None:
        """Let each paper cite earlier ones: of its line, the first of its line, of a sister line,
        of any other field.
        """
        by_line, by_field = defaultdict(list), defaultdict(list)
        for paper in sorted(self.papers, key=lambda one: one["publicationDate"]):
            line = self.lines[paper["paperId"]]
            field = line.partition(" / ")[0]
            cited = self.some(by_line[line][-BACK:], self.dice.randint(2, 4))
            if self.dice.random() < 0.4:
                cited += by_line[line][:1]
            if self.dice.random() < 0.5:
                cited += self.some(by_field[field][-60:], 1)
            if self.dice.random() < 0.2:
                cited += self.some(self.papers, 1)
            paper["references"] = [
                one["paperId"]
                for one in _distinct(cited)
                if one["publicationDate"] < paper["publicationDate"]
            ]
            by_line[line].append(paper)
            by_field[field].append(paper)

    def some(self, papers: list[dict], most: int) -> list[dict]:
        return self.dice.sample(papers, min(most, len(papers)))

    def count(self) -> None:
        """Give citation counts; the first paper of every other line is a milestone."""
        cited = defaultdict(int)
        for paper in self.papers:
            for one in paper["references"]:
                cited[one] += 1
        for n, paper in enumerate(self.papers):
            paper["citationCount"] = (
                1500 + n
                if n % (2 * LINE) == 0
                else cited[paper["paperId"]] * self.dice.randint(1, 20)
            )

    # -- faults --------------------------------------------------------------------------------

    def spoil(self, fault: str, many: int) -> frozenset[str]:
        """Plant a fault in so many papers that have none yet, and return their ids (of twins: the
        second entries').
        """
        sound = [
            paper
            for paper in self.papers
            if paper["paperId"] not in self.spoilt and len(paper["references"]) > 1
        ]
        chosen = self.dice.sample(sound, many)
        planted = frozenset(
            getattr(self, fault.replace(" ", "_"))(paper)["paperId"] for paper in chosen
        )
        self.spoilt |= planted | {paper["paperId"] for paper in chosen}
        return planted

    def no_abstract(self, paper: dict) -> dict:
        return _with(paper, abstract=None)

    def withheld(self, paper: dict) -> dict:
        return _with(paper, references=None)

    def broken(self, paper: dict) -> dict:
        return _with(
            paper,
            references=[hashlib.sha1(paper["title"].encode()).hexdigest(), *paper["references"]],
        )

    def year_only(self, paper: dict) -> dict:
        return _with(paper, publicationDate=None)

    def misdated(self, paper: dict) -> dict:
        wrong = f"{paper['year'] - 6}-07-01"
        return _with(paper, year=int(wrong[:4]), publicationDate=wrong)

    def no_doi(self, paper: dict) -> dict:
        return _with(
            paper,
            externalIds={kind: one for kind, one in paper["externalIds"].items() if kind != "DOI"},
        )

    def twin(self, paper: dict) -> dict:
        """Enter a paper a second time, under another title, citing the same and cited by half of
        those that cite it.
        """
        name = hashlib.sha1(f"twin of {paper['paperId']}".encode()).hexdigest()
        work, _, facet = paper["title"].partition(", the case of ")
        twin = paper | {
            "paperId": name,
            "title": f"{facet[0].upper()}{facet[1:]}: {work[0].lower()}{work[1:]}",
            "url": f"https://example.org/paper/{name}",
        }
        for citing in [one for one in self.papers if paper["paperId"] in (one["references"] or ())][
            ::2
        ]:
            citing["references"] = [*citing["references"], name]
        self.papers.append(twin)
        self.lines[name] = self.lines[paper["paperId"]]
        return twin


def _with(paper: dict, **changed: object) -> dict:
    paper.update(changed)
    return paper


def _distinct(papers: list[dict]) -> list[dict]:
    return list({paper["paperId"]: paper for paper in papers}.values())


if __name__ == "__main__":
    print(json.dumps({"papers": World.make().papers}))
