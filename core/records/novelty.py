"""A novelty check claim by claim: what an idea claims, the works near it, what each covers in whose
words, and what follows.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from core.records.base import Record, Text
from core.records.checklist import Passage
from core.records.ideas import Idea
from core.records.literature import Paper

ClaimKind = Literal["problem", "mechanism", "setting", "way of testing"]
Finding = Literal["covers", "in part", "does not", "unread"]
Decided = Literal["covers", "in part", "does not"]
When = Literal["earlier", "same day", "later", "cannot be told", "undated"]
ReadFrom = Literal["full text", "abstract", "summary", "nothing"]
Depth = Literal["quick", "deep"]
VerdictState = Literal["anticipated", "combination", "new in part", "nothing found", "inconclusive"]
MOST_CLAIMS, MOST_WORKS = 6, 40
"""Claims of an idea, and near works that are read against them."""
STEPS_DOWN: dict[Decided, Decided] = {
    "covers": "in part",
    "in part": "does not",
    "does not": "does not",
}
"""What becomes of a finding that lacks a quote."""


class Claim(Record):
    """One thing an idea claims to be new in, and the passage of the idea that claims it."""

    n: Annotated[int, Field(ge=1)]
    kind: ClaimKind
    text: Text
    passage: Passage
    """Where the idea says so; a claim whose passage is not found is lost."""


class ClaimDraft(Record):
    """A claim as a model words it, with the words of the idea that it rests on."""

    kind: ClaimKind
    text: Text
    span: Annotated[str, Field(max_length=2_000)]


class TakenApart(Record):
    """An idea taken apart into two to six claims."""

    claims: Annotated[tuple[ClaimDraft, ...], Field(min_length=1, max_length=MOST_CLAIMS)]


class ClaimQueries(Record):
    """The search queries of one claim, by its number."""

    claim: int
    queries: Annotated[tuple[Text, ...], Field(min_length=1, max_length=3)]


class NoveltyQueries(Record):
    """Search queries for a whole idea and for each of its claims."""

    whole: Annotated[tuple[Text, ...], Field(min_length=1, max_length=3)]
    claims: tuple[ClaimQueries, ...]


class FindingDraft(Record):
    """What a reader says a paper has of one claim, with the words it rests on."""

    claim: int
    reason: Text
    state: Decided
    idea_quote: Annotated[str, Field(max_length=2_000)] = ""
    paper_quote: Annotated[str, Field(max_length=2_000)] = ""


class ClaimsRead(Record):
    """What a paper has of each claim."""

    findings: tuple[FindingDraft, ...]


class QuickFinding(Record):
    """A claim of an idea and what the paper nearest to it has of it, as a model says both."""

    kind: ClaimKind
    text: Text
    idea_quote: Annotated[str, Field(max_length=2_000)]
    paper: str | None = None
    """Id of one of the papers shown; none is near where it is null."""
    state: Decided
    paper_quote: Annotated[str, Field(max_length=2_000)] = ""


class ClaimedVerdict(Record):
    """Whether one of the papers shown has an idea already, weighed claim by claim."""

    claims: Annotated[tuple[QuickFinding, ...], Field(max_length=MOST_CLAIMS)] = ()
    nearest: str | None = None
    """Id of the nearest of the papers shown, if any is near."""
    overlap: str = ""
    reason: Text
    similar: bool


class RepeatedDirection(Record):
    """A direction, or a claim, that turned out to repeat published work: what not to do again."""

    direction: str
    overlap: str

    def __str__(self) -> str:
        return f"{self.direction} (repeats: {self.overlap})"


class Version(Record):
    """One entry of a work: a preprint, a paper in proceedings, the same in another source."""

    id: str
    source: str
    date: str | None = None
    """YYYY, YYYY-MM or YYYY-MM-DD, as far as the source says."""
    venue: str | None = None


class PriorWork(Record):
    """A work near an idea, over all its versions."""

    paper: Paper
    """The version that is read and linked to."""
    versions: tuple[Version, ...]
    date: str | None = None
    """Its earliest public date, YYYY, YYYY-MM or YYYY-MM-DD; None where no version has one."""
    when: When
    """Beside the idea's own date. Only what is known to be earlier can anticipate it."""
    similarity: float
    """Of the whole idea to title and abstract: the cosine of their embeddings."""
    found_by: tuple[str, ...] = ()
    read_from: ReadFrom = "nothing"
    unread: str = ""
    """Why it was not read, where it was not."""
    to_claims: Annotated[tuple[float, ...], Field(exclude_if=lambda cosines: not cosines)] = ()
    """The same to each claim, in their order; empty in older runs."""

    @property
    def id(self) -> str:
        return self.paper.id

    @property
    def counts(self) -> bool:
        """Whether it can anticipate anything."""
        return self.when == "earlier"


class Overruling(Record):
    """A person's word on one cell in place of the reader's."""

    claim: int
    work: Text
    state: Decided
    reason: Text
    by: Text


class Overrulings(Record):
    """Everything that people overruled in a check, one entry a cell."""

    cells: tuple[Overruling, ...] = ()


class NoveltyCell(Record):
    """What one work has of one claim."""

    claim: int
    work: str
    """Id of the work's paper."""
    state: Finding
    said: Decided | None = None
    """What the reader said, before its quotes were looked up; None where nobody read."""
    idea_quote: Passage | None = None
    paper_quote: Passage | None = None
    """Both are words of the texts themselves, or empty: what a reader invents is never kept."""
    quoted_from: ReadFrom = "nothing"
    """Which text of the paper the quote is from."""
    reason: str = ""
    overruled: Overruling | None = None
    was: Finding | None = None
    """What stood here before a person overruled it."""

    @property
    def taken_down(self) -> bool:
        """Whether a quote that is not there took the finding down."""
        found = self.was if self.overruled else self.state
        return self.said is not None and self.said != found

    @property
    def missing(self) -> tuple[str, ...]:
        """Whose quote is not there, of a finding that needs two."""
        if self.said in (None, "does not"):
            return ()
        sides = {"the idea": self.idea_quote, "the paper": self.paper_quote}
        return tuple(
            side for side, quote in sides.items() if quote is None or quote.state == "not found"
        )


class Looked(Record):
    """One question to one source, and how it ended."""

    source: str
    what: str
    """`the whole idea`, `claim 2`, `references of ...`, `citations of ...`."""
    query: str = ""
    state: Literal["found", "nothing found", "source failed", "not known there"]
    found: int = 0
    reason: str = ""
    at: str = ""
    """When it was answered, ISO 8601 in UTC."""

    @property
    def counts(self) -> bool:
        """Whether the source could have answered: a paper that it does not hold has no citations
        there.
        """
        return self.state != "not known there"


class NoveltyMatrix(Record):
    """Claims down, works across: what a check found, before anything is concluded from it."""

    came_later: ClassVar[frozenset[str]] = frozenset({"passed_over", "passed"})

    dated: str
    """The idea's own date, YYYY-MM-DD: nothing from then on anticipates it."""
    before: str | None = None
    """The cut-off of the search, where there was one."""
    ban: tuple[str, ...] = ()
    reader: str
    """The model that read."""
    claims: Annotated[tuple[Claim, ...], Field(max_length=MOST_CLAIMS)]
    lost: tuple[str, ...] = ()
    """Claims that could not be used, each with the reason."""
    works: Annotated[tuple[PriorWork, ...], Field(max_length=MOST_WORKS)] = ()
    """The near works, those most similar to the idea first."""
    later: tuple[PriorWork, ...] = ()
    """Near works that came too late to anticipate anything, and were not read."""
    cells: Annotated[tuple[NoveltyCell, ...], Field(max_length=MOST_CLAIMS * MOST_WORKS)] = ()
    looked: tuple[Looked, ...] = ()
    found: int = 0
    """Different works that were found in all."""
    bare: int = 0
    """Of these, those without an abstract."""
    linked: int = 0
    """Works that were found along citations, and so whatever their texts say."""
    linked_bare: int = 0
    """Of these, those without an abstract."""
    passed_over: Annotated[int, Field(exclude_if=lambda n: not n)] = 0
    """Works found in time and not read, since others were nearer; 0 in older runs."""
    passed: Annotated[tuple[PriorWork, ...], Field(exclude_if=lambda works: not works)] = ()
    """The most similar of these, without their abstracts."""

    def cell(self, claim: int, work: str) -> NoveltyCell | None:
        """Return the cell of a claim and a work; None where there is none."""
        return next((one for one in self.cells if (one.claim, one.work) == (claim, work)), None)

    def work(self, name: str) -> PriorWork:
        """Return the near work with this id; raises KeyError."""
        for one in self.works:
            if one.id == name:
                return one
        raise KeyError(name)


class Share(Record):
    """A number with what it is of."""

    part: float
    of: int
    what: str

    @property
    def value(self) -> float | None:
        return self.part / self.of if self.of else None

    def __str__(self) -> str:
        return f"{self.part:g} of {self.of} {self.what}"


class Thresholds(Record):
    """From where on a check is inconclusive."""

    least_read: int
    """Earlier works that have to be read."""
    least_answered: float
    """Share of its questions that a source has to answer to count as having answered."""
    most_bare: float
    """Share of the works found, and of those found along citations, that may lack an abstract."""
    most_unread: float
    """Share of the cells that may be unread."""


class ClaimsVerdict(Record):
    """What follows from a matrix, by rule."""

    state: VerdictState
    sentence: Text
    works: tuple[str, ...] = ()
    """Ids of the one work, or the smallest set of them, that covers every claim."""
    ties: int = 0
    """Other sets as small that cover every claim too."""
    covered: tuple[int, ...] = ()
    """Claims that an earlier work covers."""
    new: tuple[int, ...] = ()
    """Claims that no earlier work covers."""
    why: tuple[str, ...] = ()
    """Where it is inconclusive: why."""
    so_far: VerdictState | None = None
    """Where it is inconclusive: what it would be by what was found."""
    risk: Share
    """That it is not new: claims that earlier work covers, those in part counted half; of none
    where nothing was read.
    """
    confidence: Share
    """Findings that stand as the reader gave them."""
    coverage: Share
    """Works read, of all that were found in time; in older runs questions answered and near works
    read, of all there were.
    """
    sources: Share
    """Sources that answered."""
    thresholds: Thresholds


class LabelledIdea(Record):
    """An idea of which people said whether it was known."""

    where: str
    """Where in its file it stands."""
    idea: Idea
    known: bool
    papers: tuple[str, ...] = ()
    """The papers that have it already, as the file names them: DOI, arXiv id or title."""
    dated: str | None = None
    """The idea's own date, YYYY-MM-DD, where the file gives one."""
    ban: tuple[str, ...] = ()
    """Papers never to be found for it: the one it was taken from."""


class LabelledIdeas(Record):
    """Ideas with what people said of them, to measure novelty checks on."""

    ideas: Annotated[tuple[LabelledIdea, ...], Field(min_length=1)]


class CheckedIdea(Record):
    """What one check of a labelled idea came to."""

    idea: str
    """SHA-256 of the LabelledIdea."""
    depth: Depth
    judge: Text
    seed: int
    run: str
    known: bool
    """What people said."""
    verdict: str = ""
    """The verdict of the check; empty where it failed."""
    said: Literal["known", "new", "inconclusive"] | None = None
    """The same in the words of the labels; None where it failed."""
    named: bool | None = None
    """Whether a paper that the file names was among the works read; None where it names none."""
    state: Literal["done", "failed"] = "done"
    reason: str = ""
