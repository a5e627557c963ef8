"""What one idea of a shortlist has to show for itself, every sentence with the step it is from."""

from collections.abc import Iterable, Mapping

from core.methods.shortlist.ideas import IdeaSoFar, by_checks, check_of, going
from core.records import Card, Design, Paper, Place, SourcedSentence
from core.wording.gist import gist

NOT_ASKED = "No experiment was asked for this idea."
NOT_YET = "No experiment is designed before the ideas are compared."
UNCHECKED = "Whether it is new was not checked."
FIRST_FORM = "Of its first form: "
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
    """Return what is known of an idea's novelty as it is now, by its last check, and the works it
    names.
    """
    if checked := check_of(one):
        return SourcedSentence(text=checked.sentence, made=checked.made), checked.works
    failed = f"{one.rechecked.failed} " if one.rechecked and one.rechecked.failed else ""
    listed = one.listed
    if not listed.novelty or (one.made is None and one.idea != listed.idea):
        return SourcedSentence(text=f"{failed}{UNCHECKED}"), ()
    first = "" if one.idea == listed.idea else FIRST_FORM
    said = SourcedSentence(text=f"{failed}{first}{listed.novelty}", made=listed.checked)
    return said, (listed.paper,) if listed.paper else ()


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
