"""The first stage: a chain of ideas whose every idea is taken, and ideas of one's own."""

import re

from core.desk import Desk
from core.methods.inputs import ChainInputs, ShortlistInputs
from core.records import Explored, GivenUp, Idea, ListedIdea, Lost, NoveltyCheck, Place
from core.store import Store
from core.story import Branch, Story

CHECKED = {
    "novel": "The chain's check found no paper that has it already.",
    "similar": "The chain's check found a paper that has it already: {nearest}.",
    "nothing found": "The chain's check found no paper near it at all.",
    "source failed": "The chain could not check it: a literature source failed.",
    "not judged": "The chain could not check it: the model gave no usable answer.",
}
UNCHECKED = "The chain has not checked it yet."


def chain_inputs(asked: ShortlistInputs) -> ChainInputs:
    """Return what the chain is asked for: every idea of every branch, and no experiment."""
    return ChainInputs(
        topic=asked.topic,
        before=asked.before,
        ban=asked.ban,
        branches=asked.branches,
        ideas=asked.ideas,
        length=asked.length,
        novelty_rounds=asked.novelty_rounds,
        full_text=asked.full_text,
        design=False,
    )


def explore(desk: Desk, asked: ShortlistInputs) -> Explored:
    """Have the chain made and return all its ideas, then those of one's own; raises RunFailed where
    the chain failed and there is nothing else to go on with.
    """
    run, ideas, lost = "", tuple[ListedIdea, ...](), tuple[str, ...]()
    if asked.branches:
        models = desk.bench.config.models
        worked = desk.run(
            "chain", "chain", chain_inputs(asked), models, asked.topic, needed=not asked.own
        )
        run = worked.run
        if worked.state == "failed":
            lost = (f"The chain of ideas failed: {worked.reason}",)
        else:
            story = Story.of(desk.bench.store, run)
            ideas, lost = list_ideas(desk.bench.store, story, run, asked.ideas), list_lost(story)
    return Explored(ideas=(*ideas, *own_ideas(asked)), run=run, lost=lost)


def own_ideas(asked: ShortlistInputs) -> tuple[ListedIdea, ...]:
    """Return the ideas a person brought, numbered after all that the chain may come to."""
    first = asked.branches * asked.ideas + 1
    return tuple(
        ListedIdea(n=n, idea=idea, origin="file", source=f"own idea {n - first + 1}")
        for n, idea in enumerate(asked.own, first)
    )


def list_ideas(store: Store, story: Story, run: str, per_branch: int) -> tuple[ListedIdea, ...]:
    """Return the ideas of a chain, finished or not, each in its newest form with its check."""
    found = []
    for branch in story.branches:
        if branch.given_up:
            continue
        for k in range(1, per_branch + 1):
            if listed := _list_one(store, branch, k, run, per_branch):
                found.append(listed)
    return tuple(found)


def _list_one(store: Store, branch: Branch, k: int, run: str, per_branch: int) -> ListedIdea | None:
    """Return idea k of a branch; None where there is none, or it was lost."""
    base = f"branch-{branch.n}"
    if any(place == f"{base}/lost-idea-{k}" for place, _ in branch.parts):
        return None
    line = re.compile(
        rf"{base}/{f'direction-{k}/' if k > 1 else ''}idea-(?P<round>\d+)/(?:idea|novelty)"
    )
    idea, made, n = None, "", "0"
    check: NoveltyCheck | None = None
    for place, record in branch.parts:
        match = line.fullmatch(place)
        if match and isinstance(record, Idea):
            idea, made, n, check = record, place, match["round"], None
        elif match and isinstance(record, NoveltyCheck) and match["round"] == n:
            check = record
    if idea is None:
        return None
    checking = f"{made.rpartition('/')[0]}/novelty"
    # A check is code's word on its last step: the verdict, or the search that failed.
    said_at = (store.steps.last_below(run, checking) or checking) if check else ""
    nearest = check.nearest if check else None
    said = CHECKED[check.state] if check else UNCHECKED
    return ListedIdea(
        n=(branch.n - 1) * per_branch + k,
        idea=idea,
        origin="chain",
        source=f"branch {branch.n}, idea {k}",
        branch=branch.n,
        made=Place(run=run, place=made),
        novelty=said.format(nearest=nearest.title if nearest else "it names none"),
        known=bool(check and check.state == "similar"),
        paper=nearest,
        checked=Place(run=run, place=said_at) if said_at else None,
    )


def list_lost(story: Story) -> tuple[str, ...]:
    """Return what a chain lost on the way, in sentences: branches, ideas, and parts of either."""
    found = []
    for branch in story.branches:
        for _, record in branch.parts:
            if isinstance(record, GivenUp):
                found.append(f"Branch {branch.n} came to no idea: {record.reason}")
            elif isinstance(record, Lost):
                found.append(f"Branch {branch.n}, {record.part}: {record.reason}")
    return tuple(found)
