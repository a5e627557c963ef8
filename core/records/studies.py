"""Expert sessions: what is asked of whom about frozen texts under labels, and what each seat
answered (spec: human studies).
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    model_serializer,
    model_validator,
)

from core.records.arena import Kind, Name
from core.records.base import Record, Text
from core.records.ideas import Idea
from core.records.refinement import Review
from core.records.rubrics import MOST_CRITERIA, Criterion, check_names

Task = Literal["rate", "rank", "compare", "comment"]
TASKS: dict[Task, str] = {
    "rate": "Each idea by itself, scored on every criterion",
    "rank": "A set of ideas, best first, one criterion at a time",
    "compare": "Two ideas side by side, five answers on every criterion",
    "comment": "A refinement, round by round: review, revision, and what became of the idea",
}
StudyState = Literal["draft", "open", "closed"]
SeatStep = Literal[
    "consent",
    "instructions",
    "practice",
    "work",
    "afterwards",
    "done",
    "declined",
    "withdrawn",
    "revoked",
]
"""Where an expert is; the last four are ends."""
ENDS: tuple[SeatStep, ...] = ("done", "declined", "withdrawn", "revoked")


GroupedBy = Literal["source", "method", "model", "topic", "category", "collection", "hand"]
"""What sources are grouped by: `source` is the method, with the model where a method has several;
`category` and `collection` are columns of the collection.
"""


class StudyWording(Record):
    """What the screens of a study say in another language than English, or in other words."""

    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
    """As in BCP 47: `de`, `pt-BR`."""
    texts: dict[
        Annotated[str, StringConstraints(max_length=200)],
        Annotated[str, StringConstraints(max_length=20_000)],
    ]
    """By the names of the catalogue (core.wording.catalogue)."""


class StudyPlan(Record):
    """How a study is held; frozen, with its hash, when it opens."""

    came_later: ClassVar[frozenset[str]] = frozenset({"wording"})
    name: Name
    """What the organiser calls it; never shown to experts."""
    title: Name
    """What experts read above their work."""
    task: Task
    kind: Kind = "idea"
    criteria: Annotated[tuple[Criterion, ...], Field(max_length=MOST_CRITERIA)] = ()
    consent: Text
    instructions: Text
    example: Text
    """One worked example: a text, what somebody answered, and why."""
    overlap: Annotated[int, Field(ge=1, le=50)] = 3
    """How many experts answer each unit."""
    repeats: Annotated[int, Field(ge=0, le=10)] = 1
    """Units each expert is given a second time, late in the session."""
    attention: Annotated[int, Field(ge=0, le=5)] = 1
    """Units with a known answer each expert is given."""
    practice: bool = True
    same_form: bool = False
    """Whether every text is shown in the common form."""
    hidden_target: bool = False
    """Whether every ranked set hides one idea by people, asked for afterwards."""
    seed: Annotated[int, Field(ge=0)] = 0
    wording: StudyWording | None = None
    """What the screens say; None: ours, in English."""

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what came later and is not used, so that the hash of a study stays."""
        held: dict[str, Any] = write(self)
        for name in self.came_later:
            if name in held and getattr(self, name) == type(self).model_fields[name].default:
                del held[name]
        return held

    @model_validator(mode="after")
    def _criteria_fit(self) -> "StudyPlan":
        check_names(self.criteria)
        if self.task != "comment" and not self.criteria:
            raise ValueError("name at least one criterion")
        for one in self.criteria:
            if self.task != "rate" and (one.kind != "scale" or one.reason != "off"):
                raise ValueError(
                    f"{one.name}: yes/no, free text and reasons are for rating; to {self.task} by"
                    " it, make it a scale without a reason"
                )
        if self.hidden_target and self.task != "rank":
            raise ValueError("a hidden human idea is asked for in ranked sets only")
        return self


class Study(Record):
    id: str
    plan: StudyPlan
    state: StudyState
    sha: str = ""
    """SHA-256 of the frozen configuration: plan, items, units. Empty while it is a draft."""
    created: str
    opened: str = ""
    closed: str = ""
    unblinded: str = ""
    """When the key was first looked at after closing, empty before."""


class TrajectoryRound(Record):
    """One round as an annotator sees it: what the reviewer said of the idea before, and what the
    author made of it.
    """

    review: Review
    idea: Idea


class Trajectory(Record):
    """A refinement without its actors: the first idea, then round by round."""

    first: Idea
    goal: str = ""
    """The quality that was to improve."""
    rounds: Annotated[tuple[TrajectoryRound, ...], Field(min_length=1, max_length=50)]


class StudyItem(Record):
    """A frozen text as experts know it."""

    label: Annotated[str, Field(pattern=r"^[A-Z][0-9]{1,3}$")]
    """`K7`: drawn by chance, the same for every expert; it is also the text's id in every answer.
    """
    sha: str
    """Of the frozen Idea, Design or Trajectory."""


class ItemKey(Record):
    """What a label hides; in a table of its own that nothing on an expert's side reads."""

    label: str
    title: str
    method: str = ""
    model: str = ""
    topic: str = ""
    source: str = ""
    entry: str = ""
    target: bool = False
    """Whether it is the idea by people."""
    attention: bool = False


class SourceGrouping(Record):
    """How the sources of an unblinded study are grouped for comparison, and how p is corrected;
    kept with its time beside the key.
    """

    by: GroupedBy = "source"
    groups: dict[str, str] = Field(default_factory=dict)
    """The group of each label, by hand, or by what the collection said when it was drawn; labels
    without one are left out.
    """
    correction: Literal["Holm", "Bonferroni"] = "Holm"
    who: str = ""
    at: str = ""
    """When it was drawn, which is after the study was unblinded; empty of the usual one."""


class StudyUnit(Record):
    """What is judged at once: one text to rate, a set to rank, a pair to compare, a trajectory to
    comment.
    """

    id: Annotated[str, Field(pattern=r"^u[0-9]{3,5}$")]
    labels: Annotated[tuple[str, ...], Field(min_length=1, max_length=12)]
    """In the order of the alphabet: the order shown is each seat's own."""
    criterion: str = ""
    """The one quality a set is ranked by; empty for other tasks, which ask all."""
    topic: str = ""
    """Shown with the texts where it is not empty."""
    stages: Annotated[int, Field(ge=1)] = 1
    """Parts answered one after the other, each locked before the next is shown: the rounds of a
    trajectory.
    """
    guess: bool = False
    """Whether it is asked at the end which of its texts is by people; never of a set that hides
    none, as an attention check.
    """


class StudySeat(Record):
    """A seat at a study: a person with a secret link, or a model judge. It never holds the link's
    secret.
    """

    id: str
    study: str
    name: Name
    """For the organiser; experts do not see it, and exports write the id."""
    model: str = ""
    """The model judge that sits here; empty for a person."""
    run: str = ""
    """The run that fills a model's seat."""
    step: SeatStep = "consent"
    criteria: tuple[str, ...] = ()
    """The criteria in the order this seat sees them, in every unit."""
    created: str
    begun: str = ""
    """When consent was given."""
    ended: str = ""


class Assignment(Record):
    """One unit on a seat's list, as it is shown there; `time` 2 is the repeat of a unit."""

    seat: str
    unit: str
    time: Annotated[int, Field(ge=1, le=2)] = 1
    position: int
    """1, 2, ... on this seat's list."""
    shown: tuple[str, ...]
    """Labels in the order really shown: first is left, or on top."""
    called: tuple[str, ...] = ()
    """What these texts are called on the screen, in the same order, where it is not by their
    labels: a repeat must not be known by them.
    """
    stage: int = 0
    """How many stages are answered; all of them: the unit is done."""
    stages: int = 1
    version: int = 0
    """How many answers were filed; a form filed against an older version is refused, not merged."""
    opened: str = ""
    active: float = 0.0
    """Seconds of work: gaps between signs of life, each counted up to two minutes."""
    seen: str = ""
    """The last sign of life."""

    @property
    def done(self) -> bool:
        return self.stage >= self.stages
