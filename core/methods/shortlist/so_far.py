"""What a shortlist has to show at any moment: how far it is, every idea, and the cards as they stand.

Read from the shortlist's own records and, where a stage is under way, from the runs it has made, so
that the first idea is there while the chain still works. Screens, reports and the command line show
this and nothing else.
"""

from typing import Literal, NamedTuple

from core.records import Idea, Run
from core.records.shortlist import (
    Card,
    Choices,
    ComparedBy,
    Distinct,
    ListedIdea,
    Meeting,
    Parted,
    Place,
    RatedIdeas,
    Rechecked,
    RefinedIdea,
    SetAside,
    Shortlist,
    Stage,
    Stood,
)
from core.store import Store

Progress = Literal["to come", "under way", "done"]


class StageSoFar(NamedTuple):
    """One stage of the funnel."""

    stage: Stage
    state: Progress
    entered: tuple[int, ...]
    """Numbers of the ideas that came into it; while exploring, those that are there by now."""
    went_on: tuple[int, ...]
    """Numbers of the ideas that left it for the next stage, people's choices after it included;
    empty until it is done."""
    aside: tuple[SetAside, ...]
    """Ideas that ended here, each with the reason; those a person dropped after it too."""
    added: tuple[int, ...]
    """Ideas that a person added after it."""
    lost: tuple[str, ...]
    """What failed alone in it, in sentences: a branch, an idea, a comparison, a refinement, a
    match."""
    choices: Choices | None
    """What a person did after it; None until the run got there, empty where nobody did anything."""
    asks: str
    """The key of the question that waits for a person after this stage (`answer RUN KEY ...`);
    empty where none waits."""
    distinct: Distinct | None
    """How many really different ideas there were after it; None until it is done."""
    runs: tuple[str, ...]
    """The runs it has made, in the order of their names: each has a page of its own."""


class IdeaSoFar(NamedTuple):
    """One idea, from where it came in to where it is now."""

    n: int
    stage: Stage
    """The stage it is in, or in which it ended."""
    listed: ListedIdea
    """Its first form, where it comes from, and what the chain's check says of it."""
    idea: Idea
    """Its newest form: while it is refined, that of the last round that ended."""
    made: Place | None
    """The step that wrote the newest form; None for a person's own words."""
    before: Idea
    """The form that came into the refinement: what is put back; the newest, until it is refined."""
    pinned: bool
    put_back: bool
    """Whether a person put the form before the refinement back."""
    aside: SetAside | None
    """Why it goes no further; None for one that is still in."""
    absorbed: tuple[int, ...]
    """Ideas that say the same, and for which it stands."""
    refined: RefinedIdea | None
    rechecked: Rechecked | None
    stood: Stood | None
    """How it stands among the others; None until they were compared."""


class Present(NamedTuple):
    """Everything there is to show of a shortlist now."""

    run: str
    stage: Stage
    """The stage under way, or the last one that is done."""
    finished: bool
    """Whether the cards are the shortlist and not only what there is by now."""
    stages: tuple[StageSoFar, ...]
    """All six, in order."""
    ideas: tuple[IdeaSoFar, ...]
    """By number; those set aside too."""
    cards: tuple[Card, ...]
    """The present shortlist, best first: by the comparison, else by what the check of the refined
    ideas found, else by the chain's own checks; provisional until `finished`."""
    reason: str
    """How the order of the cards came about, in a sentence."""
    by: ComparedBy
    """Who compared the ideas; `nobody` until then."""
    parted: Parted | None
    """What was joined and what was known already; None until then."""
    rated: RatedIdeas | None
    """The comparison with every meeting: `why_above` reads it. None until then."""
    shortlist: Shortlist | None
    """The end; None until then."""


def present(store: Store, run: Run) -> Present:
    """Return what a shortlist has to show now; raises BadInput for a run of another method."""
    raise NotImplementedError


def why_above(now: Present, a: int, b: int) -> tuple[Meeting, ...]:
    """Return the meetings of two ideas, none where they did not meet; the first idea of each is
    `a`, whichever is above.
    """
    raise NotImplementedError
