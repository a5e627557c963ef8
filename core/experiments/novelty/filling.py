"""The measurement itself: every labelled idea checked in a run of its own, and held against what
people said.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from core.desk import Desk
from core.experiments.novelty.cells import Check, NoveltyExperimentInputs, checks
from core.literature.paper_ids import wanted_id
from core.methods import novelty
from core.records import (
    CheckedIdea,
    ClaimsVerdict,
    LabelledIdeas,
    NoveltyCheck,
    NoveltyMatrix,
    Paper,
)
from core.store import Store
from core.story import Story

PROMPTS = novelty.PROMPTS
SAID = {
    "anticipated": "known",
    "combination": "known",
    "new in part": "new",
    "nothing found": "new",
    "inconclusive": "inconclusive",
}
"""What a verdict claim by claim says in the words of the labels."""
SAID_QUICKLY = {
    "similar": "known",
    "novel": "new",
    "nothing found": "inconclusive",
    "source failed": "inconclusive",
    "not judged": "inconclusive",
}
"""What a quick check says: where nothing was compared, it says nothing."""


def check_all(desk: Desk, asked: NoveltyExperimentInputs) -> Iterator[CheckedIdea]:
    """Check every idea in every way, each shown in its place as it ends; one whose run failed says
    so, and the others go on. Raises BadInput for ideas that are not kept here.
    """
    held = desk.bench.store.frozen.get(asked.data, LabelledIdeas)
    work = [partial(check, asked=asked, one=one) for one in checks(asked, held.ideas)]
    desk.each(work, asked.at_once)
    return iter(())


def check(desk: Desk, asked: NoveltyExperimentInputs, one: Check) -> None:
    """Check one idea and show what that came to."""
    worked = desk.run(
        one.name, "novelty", one.inputs(asked), {"main": one.condition.judge}, one.idea.idea.title
    )
    cell = CheckedIdea(
        idea=one.idea.digest(),
        depth=one.condition.depth,
        judge=one.condition.judge,
        seed=one.seed,
        run=worked.run,
        known=one.idea.known,
        state=worked.state,
        reason=worked.reason,
    )
    if worked.state == "done":
        cell = cell.model_copy(update=outcome(desk.bench.store, worked.run, one))
    desk.at(one.name).show(cell)


def outcome(store: Store, run: str, one: Check) -> dict[str, object]:
    """Return what a finished check says, and whether it read a paper that its row names."""
    story = Story.of(store, run)
    state, said, names = "", "", set[str]()
    verdict, quick = story.last(ClaimsVerdict), story.last(NoveltyCheck)
    if verdict:
        state, said = verdict.state, SAID[verdict.state]
        matrix = story.last(NoveltyMatrix)
        for work in matrix.works if matrix else ():
            names |= {*work.paper.names, *(version.id for version in work.versions)}
    elif quick:
        state, said = quick.state, SAID_QUICKLY[quick.state]
        for search in quick.searches:
            names |= {name for paper in search.papers for name in paper.names}
    else:
        return {"state": "failed", "reason": "It came to no verdict."}
    named = any_of(names, one.idea.papers) if one.idea.papers else None
    return {"verdict": state, "said": said, "named": named}


def any_of(names: Iterable[str], wanted: tuple[str, ...]) -> bool:
    """Say whether one of these names, of papers that were read, is one that is wanted: DOI, arXiv
    id, id of a source, or title.
    """
    known = {name.lower() for name in names}
    for one in wanted:
        named = Paper(id=(wanted_id(one) or one).strip(), title=one)
        if any(name.lower() in known for name in named.names):
            return True
    return False
