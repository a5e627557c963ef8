"""What one idea of a shortlist has to show for itself, every sentence with the step it is from."""

from collections.abc import Iterable, Mapping

from core.methods.shortlist.comparing import by_checks
from core.methods.shortlist.ideas import IdeaSoFar, going
from core.records import Card, Design, Paper, Place, SourcedSentence
from core.wording.gist import gist

NOT_ASKED = "No experiment was asked for this idea."
NOT_YET = "No experiment is designed before the ideas are compared."
UNCHECKED = "Whether it is new was not checked."
SENTENCES = 3


def make_card(
    one: IdeaSoFar,
    place: int,
    design: Design | None = None,
    designed: Place | None = None,
    undesigned: str = NOT_ASKED,
) -> Card:
    """Return an idea's card, as far as there is anything to put on it."""
    said = gist(one.idea)[:SENTENCES]
    new, works = novelty_of(one)
    refined = one.refined
    objections: tuple[SourcedSentence, ...] = ()
    # Reviewers have said nothing of a form that a person put back or wrote.
    if refined and one.idea == refined.idea:
        objections = tuple(
            SourcedSentence(text=text, made=refined.objected) for text in refined.objections
        )
    return Card(
        n=one.n,
        place=place,
        title=one.idea.title,
        idea=one.idea,
        gist=tuple(SourcedSentence(text=text, made=one.made) for text in said),
        new=new,
        works=works,
        objections=objections,
        absorbed=one.absorbed,
        pinned=one.pinned,
        design=design,
        designed=designed if design else None,
        undesigned="" if design else undesigned,
    )


def novelty_of(one: IdeaSoFar) -> tuple[SourcedSentence, tuple[Paper, ...]]:
    """Return what is known of an idea's novelty, by its last check, and the works it names."""
    checked = one.rechecked
    if checked and checked.state:
        said = SourcedSentence(text=checked.sentence, made=checked.made)
        return said, checked.works
    listed = one.listed
    failed = f"{checked.failed} " if checked and checked.failed else ""
    text = f"{failed}{listed.novelty or UNCHECKED}"
    return SourcedSentence(text=text, made=listed.checked), (listed.paper,) if listed.paper else ()


def best_first(ideas: Mapping[int, IdeaSoFar], rated: Iterable[int] = ()) -> list[IdeaSoFar]:
    """Return the ideas that are still in, best first: in the order of the comparison, then those
    that were in none, by what the checks found of them.
    """
    left = going(ideas)
    first = [left[n] for n in rated if n in left]
    held = {one.n for one in first}
    rest = sorted((one for n, one in left.items() if n not in held), key=by_checks)
    return first + rest


def choose(order: list[IdeaSoFar], keep: int) -> list[IdeaSoFar]:
    """Return the first `keep` ideas of an order, with every pinned one among them."""
    pinned = [one.n for one in order if one.pinned]
    free = [one.n for one in order if not one.pinned][: max(keep - len(pinned), 0)]
    return [one for one in order if one.n in (*pinned, *free)]
