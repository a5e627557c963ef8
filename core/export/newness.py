"""What is known of the newness of a refined idea: what the chain that its first idea comes from
found of that one.
"""

from collections.abc import Iterator

from core.errors import BadInput
from core.export.asked import inputs_as
from core.export.blocks import Block, Heading, entry, prose
from core.export.evidence import nearest_in_brief
from core.export.facts import moment
from core.judging.claims import claim
from core.methods import RefineInputs
from core.records import Idea, NoveltyCheck, Run
from core.store import Store
from core.story import Branch, Story

NEAREST = 5
"""How many of the nearest papers are listed; the chain's own report has all."""


def newness(store: Store, run: Run, story: Story, most: int = NEAREST) -> Iterator[Block]:
    """Write what the chain found of the first idea, with so many of the nearest papers at most, or
    that nobody checked; nothing before there is an idea.
    """
    firsts = [line.first for line in story.lines if line.first]
    if not firsts:
        return
    yield Heading("Is it new?")
    source = inputs_as(run, RefineInputs).from_run
    parent = _run(store, source) if source else None
    found = _branch_of(Story.of(store, parent.id), firsts) if parent else None
    if parent and found and found.check:
        yield from _of_first(parent, found, found.check, most)
    elif source and not parent:
        yield prose(
            "The newness of the refined idea was not checked. What was found of the first idea"
            f" stands with run {source}, which is not in this store."
        )
    else:
        yield prose("The newness of the idea was not checked.")


def _run(store: Store, run_id: str) -> Run | None:
    try:
        return store.runs.get(run_id)
    except BadInput:
        return None


def _of_first(run: Run, branch: Branch, check: NoveltyCheck, most: int) -> Iterator[Block]:
    yield prose(
        f"This verdict is of the first idea, by run {run.id}, {moment(run.ended or run.created)}."
        " The refined idea was not checked again."
    )
    yield prose(claim(check, run.config.source))
    own = branch.chain.papers if branch.chain else ()
    if near := nearest_in_brief(check, own, most):
        yield entry("Nearest papers", "")
        yield from near


def _branch_of(story: Story, firsts: list[Idea]) -> Branch | None:
    """Return the branch of a chain that made one of these ideas and checked it."""
    checked = (branch for branch in story.branches if branch.check)
    return next((branch for branch in checked if branch.idea in firsts), None)
