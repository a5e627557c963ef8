"""A shortlist: ideas on a topic as they move through its stages, what was set aside on the way, and
the few that are left.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, model_validator

from core.records.base import Record, Text
from core.records.checklist import Checklist
from core.records.designs import Design
from core.records.ideas import Idea
from core.records.literature import Paper
from core.records.novelty import VerdictState

Stage = Literal["explore", "part", "refine", "check", "compare", "shortlist"]
STAGES: tuple[Stage, ...] = ("explore", "part", "refine", "check", "compare", "shortlist")
ComparedBy = Literal["model", "rules", "nobody"]
"""`rules`: the built-in model's, which understand nothing."""


class Place(Record):
    """A place in a run that made something: what a sentence's link leads to."""

    run: str
    place: str = ""
    """`round-2/revise`; empty: the run as a whole."""


class ListedIdea(Record):
    """An idea that entered a shortlist; its number is its own through all stages.

    With m ideas a branch, idea k of branch b is number (b - 1) m + k from the first moment on, so
    that a number may be missing where a branch came to fewer.
    """

    n: Annotated[int, Field(ge=1)]
    idea: Idea
    origin: Literal["chain", "file", "person"]
    source: Text
    """`branch 2, idea 1`, a file's row, or who added it."""
    branch: Annotated[int, Field(ge=1)] | None = None
    """The chain's branch it is from."""
    made: Place | None = None
    """The step that wrote it; None for what a person brought in."""
    novelty: str = ""
    """What the chain's own check of it came to, in a sentence."""
    known: bool = False
    """Whether that check found a paper that has it already."""
    paper: Paper | None = None
    """The paper that check names."""
    checked: Place | None = None
    """The step of that check."""


class Explored(Record):
    """Ideas that a shortlist begins with, and the branches and ideas that were lost."""

    ideas: tuple[ListedIdea, ...]
    run: str = ""
    """The chain that made them; empty where none was asked for."""
    lost: tuple[str, ...] = ()


class SameIdea(Record):
    """Whether two texts put forward the same idea, and which says it better. A model gives the
    reason before it decides.
    """

    reason: Text
    same: bool
    better: Literal["first", "second"]


class Alike(Record):
    """Two ideas that are near in meaning, and whether they are one."""

    a: int
    b: int
    similarity: float
    """The cosine of the embeddings of the two whole texts."""
    same: bool
    better: int | None = None
    """Which of the two says it better; None where nobody judged that."""
    by: Literal["judge", "meaning alone"]
    """`meaning alone`: no model could judge, so that only the nearest count as one."""
    reason: str = ""


class Absorbed(Record):
    """An idea that stands for others that say the same."""

    survivor: int
    absorbed: tuple[int, ...]


class SetAside(Record):
    """An idea that goes no further, and why."""

    n: int
    stage: Stage
    why: Literal["known", "absorbed", "dropped"]
    reason: Text
    made: Place | None = None
    """Where the evidence stands."""
    paper: Paper | None = None


class Parted(Record):
    """Ideas that go on, what was joined, and what was set aside as known already."""

    kept: tuple[int, ...]
    alike: tuple[Alike, ...] = ()
    joined: tuple[Absorbed, ...] = ()
    aside: tuple[SetAside, ...] = ()
    failed: tuple[str, ...] = ()
    """Comparisons that gave no usable answer: their ideas stay apart."""
    reason: str = ""
    """What is to be known of how they were parted, where anything is."""


class Edited(Record):
    """An idea as a person rewrote it."""

    n: int
    idea: Idea


class Choices(Record):
    """What a person did to the ideas after a stage, often nothing.

    Checked against the numbers that a question shows, where there is one.
    """

    dropped: tuple[int, ...] = ()
    added: tuple[Idea, ...] = ()
    edited: tuple[Edited, ...] = ()
    pinned: tuple[int, ...] = ()
    """Ideas that are kept whatever is found, up to the shortlist."""
    put_back: tuple[int, ...] = ()
    """Ideas whose first form goes on in place of the refined one."""
    by: str = ""

    @model_validator(mode="after")
    def _names_ideas_that_are_there(self, info: ValidationInfo) -> "Choices":
        shown = (info.context or {}).get("ideas")
        if shown is not None and (unknown := self.named - {one["n"] for one in shown}):
            raise ValueError(f"there is no idea {min(unknown)} to choose here")
        return self

    @property
    def named(self) -> set[int]:
        """The numbers of all ideas that something is said of."""
        rewritten = (one.n for one in self.edited)
        return {*self.dropped, *self.pinned, *self.put_back, *rewritten}


class RefinedIdea(Record):
    """An idea after its refinements, one for each quality, the later on what the earlier left."""

    n: int
    idea: Idea
    runs: tuple[str, ...] = ()
    made: Place | None = None
    """The step that wrote it; None where nothing was changed."""
    rounds: int = 0
    objections: tuple[str, ...] = ()
    """Remarks of the last review that nothing answered."""
    objected: Place | None = None
    failed: str = ""
    """Why a refinement failed: the idea goes on as it was before that one."""


class Overrefined(Record):
    """The first and the last form of an idea beside one another, blind, in both orders."""

    n: int
    by: ComparedBy
    first: float = 0
    last: float = 0
    """Criteria won over both orders, a tie counting half."""
    longer: float = 1
    """Length of the last form by that of the first, in characters."""
    nearer: float | None = None
    """By how much the last forms are more like each other than the first: the mean cosine of the
    idea to all the others, last less first.
    """
    gone: float | None = None
    """How much of what set the first form apart from the others, 1 less that cosine, the last one
    has lost: 1 where they have become one, below 0 where they moved apart.
    """
    run: str = ""
    alarm: tuple[str, ...] = ()
    """Sentences: what speaks for the first form; empty where nothing does."""
    failed: str = ""
    """Why nobody compared the two, where nobody did."""


class Rechecked(Record):
    """What is known of a refined idea's novelty after fresh searches, and whether refining it did
    it good.
    """

    n: int
    sha: str = ""
    """The digest of the idea as it was checked: of another form the check says nothing."""
    run: str = ""
    state: VerdictState | None = None
    """None where the check failed."""
    sentence: str = ""
    made: Place | None = None
    """Where the verdict stands."""
    works: tuple[Paper, ...] = ()
    """The works the verdict names; else the nearest."""
    risk: float | None = None
    confidence: float | None = None
    coverage: float | None = None
    compared: Overrefined | None = None
    failed: str = ""


class Stood(Record):
    """How an idea stands among the others."""

    n: int
    rating: float | None
    """Mean 1000, 400 points for odds of 10 to 1; None where no meeting of it came about."""
    low: float | None = None
    high: float | None = None
    wins: int = 0
    losses: int = 0
    ties: int = 0
    checklist: Checklist | None = None


class Meeting(Record):
    """Two ideas that met, with the criteria that either won over both orders."""

    a: int
    b: int
    won_a: float
    won_b: float
    run: str = ""
    """The arena that holds the judge's words; empty where rules compared."""
    reason: str = ""
    """What the judge said first, where no arena holds it; or why the meeting failed."""
    failed: bool = False


class RatedIdeas(Record):
    """How the ideas stand, best first, and what cannot be told apart."""

    by: ComparedBy
    pairing: Literal["round robin", "Swiss"]
    rounds: int = 1
    order: tuple[Stood, ...]
    level: tuple[tuple[int, ...], ...] = ()
    """Groups of which no two can be told apart."""
    meetings: tuple[Meeting, ...] = ()
    aside: tuple[SetAside, ...] = ()
    """Ideas that did not compete: the fresh searches found one paper that has all of them."""
    lost: tuple[str, ...] = ()
    """What failed beside the meetings, in sentences."""
    reason: Text
    """How the order came about, in a sentence."""


class Distinct(Record):
    """How many really different ideas there are after a stage."""

    came_later: ClassVar[frozenset[str]] = frozenset({"unjudged"})

    stage: Stage
    ideas: int
    by_meaning: int
    by_judge: int | None = None
    """None where no model could judge."""
    unjudged: Annotated[int, Field(exclude_if=lambda pairs: not pairs)] = 0
    """Pairs near in meaning that could not be judged, and count as two ideas."""
    mean_similarity: float | None = None
    """Over all pairs: the cosine of the embeddings."""


class SourcedSentence(Record):
    """A sentence and the place it comes from."""

    text: Text
    made: Place | None = None
    """None for a person's own words."""


class Card(Record):
    """One idea of the shortlist, with everything that speaks for and against it."""

    n: int
    place: Annotated[int, Field(ge=1)]
    title: Text
    idea: Idea
    gist: tuple[SourcedSentence, ...]
    """At most three sentences."""
    new: SourcedSentence
    works: tuple[Paper, ...] = ()
    objections: tuple[SourcedSentence, ...] = ()
    absorbed: tuple[int, ...] = ()
    pinned: bool = False
    design: Design | None = None
    designed: Place | None = None
    undesigned: str = ""
    """Why no experiment stands here: none was asked for, or the design failed."""


class Shortlist(Record):
    """The ideas that are left, the best first."""

    cards: tuple[Card, ...]
    aside: tuple[SetAside, ...] = ()
    reason: Text
    """How the order came about, in a sentence."""
    by: ComparedBy
