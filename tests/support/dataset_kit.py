"""What the builders of questions and data sets are tried on: a source that samples and lists, and
models that ask and review.
"""

import re

from core.errors import SourceFailed
from core.literature.corpora import CorpusListing, ListedPage, Sample, draw_sample
from core.methods.target_dataset import TargetInputs
from core.models.port import Request
from core.records import FORMS, Category, Criteria, Paper
from tests.conftest import SmallSource
from tests.support.playing import actor
from tests.support.schema_instances import asked_schema
from tests.support.servers.openai_server import Body

LABEL = re.compile(r"^\[([^\]\n]+, (?:\d{4}|n\.d\.)[a-z]?)\] ", re.MULTILINE)
KEYWORDS = ["memory", "sleep", "athletes", "orexin"]
QUESTION = (
    "By which means could naps restore the memory of adolescent athletes who sleep too little?"
)


def found(n: int, **given: object) -> Paper:
    """Return a paper that the four keywords find."""
    authors = (f"Ada Writer{chr(97 + n % 26)}", "Bo Other")
    return Paper(
        **(
            {
                "id": f"p{n}",
                "title": f"Sleep memory athletes orexin, part {n} of a long series",
                "authors": authors,
                "year": 2000 + n,
                "published": f"{2000 + n}-05-01",
                "abstract": f"On sleep, part {n}.",
                "source": "shelf",
            }
            | given
        )
    )


def seed(n: int) -> Paper:
    return Paper(
        id=f"openalex:W{n}",
        title=f"A sampled work, number {n} of its kind",
        year=2025,
        abstract=f"What work {n} says.",
        source="openalex",
    )


def listing() -> dict[str, list[Paper]]:
    """Return published papers by what lists them: three on sleep, one on genes."""
    papers = [
        found(n, id=f"s2:t{n}", citations=30, doi=f"10.1/x{n}", venue="Nap Journal")
        for n in range(4)
    ]
    return {"sleep": papers[:3], "gene": papers[3:]}


def targets() -> TargetInputs:
    """Return what a data set of two targets a category is asked for."""
    kinds = (Category(name="Sleep", query="sleep"), Category(name="Genes", query="gene"))
    return TargetInputs(criteria=Criteria(each=2, categories=kinds))


def question_source() -> "DataSource":
    """Return a source with works to ask about, and with targets whose references it knows but for
    the first.
    """
    listed = listing()
    source = DataSource([found(n) for n in range(20)], [seed(n) for n in range(3)], listed)
    known = [*listed["sleep"][1:], *listed["gene"]]
    source.cites = {paper.id: ["p1", "p2"] for paper in known}
    return source


class DataSource(SmallSource):
    """A small source that samples `works` and lists `listing`, by pages; `only` makes papers of one
    keyword answer to it alone.
    """

    name = "openalex"

    def __init__(
        self,
        papers: list[Paper],
        works: list[Paper] = (),
        listing: dict[str, list[Paper]] | None = None,
        page: int = 4,
    ):
        super().__init__(papers, {})
        self.works, self.listing, self.page = list(works), listing or {}, page

    def sample(self, wanted: Sample, page: int) -> tuple[Paper, ...]:
        self._ask("sample", str(page))
        return tuple(self.works[: wanted.works][(page - 1) * self.page : page * self.page])

    def listed(self, wanted: CorpusListing, page: str = "") -> ListedPage:
        self._ask("list", wanted.words)
        fitting = [
            one
            for one in self.listing.get(wanted.words, ())
            if (one.citations or 0) >= wanted.citations
            and (not wanted.venues or one.venue in wanted.venues)
        ]
        start = int(page or 0)
        more = start + self.page < len(fitting)
        return ListedPage(
            papers=draw_sample(tuple(fitting[start : start + self.page]), wanted.seed, wanted.keep),
            matching=len(fitting),
            read=self.page,
            next=str(start + self.page) if more else "",
        )

    def references(self, paper: Paper, limit: int) -> tuple[Paper, ...]:
        if self.cites.get(paper.id) == ["down"]:
            raise SourceFailed("The source did not answer (503). Try again later.")
        return super().references(paper, limit)


def reviewed(labels: list[str], words: int = 130) -> str:
    """Return a review of so many words that cites by these labels, in two paragraphs."""
    cited = " ".join(f"Naps matter ({label})." for label in labels)
    return f"{cited}\n\n" + " ".join(["nothing"] * (words - len(cited.split())))


def question_script(**given: object) -> dict:
    """Return what is said to ask, to choose keywords and to review; and to bring a target into six
    fields.
    """
    fields = {name: f"{name} of it" for name in FORMS["six-field"]}
    return {
        "question": lambda _: {"question": QUESTION},
        "keywords": lambda _: {"keywords": KEYWORDS},
        "literature-review": lambda r: {
            "review": reviewed([one.label for one in r.values["papers"]][:3])
        },
        "six-fields": lambda _: fields,
        "target-topic": lambda _: {"topic": "Sleep in young athletes"},
        **given,
    }


def asking(body: Body) -> dict | str:
    """Answer over HTTP as the script does."""
    asked = set((asked_schema(body) or {}).get("properties", {}))
    task = next(str(said["content"]) for said in body["messages"] if said["role"] == "user")
    if asked == {"question"}:
        return {"question": QUESTION}
    if asked == {"keywords"}:
        return {"keywords": ["hypothesis generation", "research idea", "novelty", "language"]}
    if asked == {"review"}:
        return {"review": reviewed(LABEL.findall(task)[:3])}
    if asked == {"topic"}:
        return {"topic": "Ideas that machines write"}
    return actor(body)


def named(request: Request) -> str:
    """Return the id of the paper a request is about."""
    return request.values["seed"].id if "seed" in request.values else ""
