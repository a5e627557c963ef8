"""Published papers whose ideas are the human targets, and the criteria they are chosen by (InfAL,
section 4.1).
"""

from typing import Annotated

from pydantic import FailFast, Field

from core.records.base import Record, Text
from core.records.ideas import Idea
from core.records.literature import Paper


class Category(Record):
    """A research category: how its papers are searched, and its leading venues."""

    name: Text
    query: Text
    """Words a paper of the category holds, in the source's own search syntax."""
    fields: tuple[str, ...] = ()
    """Fields of study as Semantic Scholar names them; empty for any."""
    venues: tuple[str, ...] = ()
    """Leading venues: a paper there needs fewer citations."""


class Criteria(Record):
    """Which papers qualify as targets: a leading venue and a citation, or many citations
    anywhere.
    """

    year: Annotated[int, Field(ge=1900, le=2100)] = 2024
    categories: Annotated[tuple[Category, ...], Field(min_length=1, max_length=20)]
    each: Annotated[int, Field(ge=1, le=500)] = 10
    """How many targets per category."""
    in_venue: Annotated[int, Field(ge=0)] = 1
    """Citations that do in a leading venue."""
    anywhere: Annotated[int, Field(ge=0)] = 20
    """Citations that do anywhere."""
    without: tuple[str, ...] = (
        "Review",
        "Editorial",
        "Dataset",
        "News",
        "LettersAndComments",
        "Book",
        "BookSection",
    )
    """Publication types left out, as in IdeaBench."""
    background: Annotated[int, Field(ge=1, le=100)] = 30
    """How many abstracts of its references a target takes along at most."""


class Target(Record):
    """A published paper as an opponent: its idea in six fields, and the abstracts of what it
    cites.
    """

    paper: Paper
    category: str = ""
    topic: Text
    """What methods are told: never the target's idea."""
    idea: Idea
    background: Annotated[tuple[Paper, ...], FailFast()] = ()


class Question(Record):
    """One goal-oriented research question; no look-up question."""

    question: Annotated[str, Field(min_length=15, max_length=500, pattern=r"\?$")]


class Keywords(Record):
    """Exactly four keywords, without punctuation and without generic words."""

    keywords: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[\w\s-]{2,60}$")], ...],
        Field(min_length=4, max_length=4),
    ]


class LiteratureReview(Record):
    """One or two paragraphs on the papers that were found: themes and gaps, and no proposal."""

    review: Annotated[str, Field(min_length=400, max_length=4_000)]


class Prepared(Record):
    """What an evolution starts from: p0 = (research question, literature review), with the papers
    the review cites.
    """

    question: Text
    review: str = ""
    keywords: tuple[str, ...] = ()
    papers: tuple[Paper, ...] = ()
    seed: Paper | None = None
    rejected: str = ""
    """Why the question was rejected; empty for one that can be used."""


class FrozenTarget(Record):
    """A target in a sweep, by the hash of its frozen copy, and what a table needs of it."""

    sha: str
    title: Text
    category: str = ""


class Cited(Record):
    """A paper under the label it is to be cited by: `Author et al., 2024`."""

    label: Text
    paper: Paper


class LeftOut(Record):
    """A paper that did not come into a data set, and why."""

    paper: Paper
    category: str = ""
    reason: Text


class Gathered(Record):
    """A category of a data set, or a data set, in numbers."""

    category: str = ""
    wanted: int
    found: int
    """How many came into it."""
    qualified: int
    """How many there were to choose from."""
    left_out: int = 0
    """How many of those that were tried did not come into it; each says why."""
    reason: str = ""
    """Why fewer were found than were wanted; empty where they are as many."""
