"""Editing a chain by hand: each change makes a new chain; a fork at the branch's step `chain` or
`start` puts it in place.
"""

from collections.abc import Iterable

from core.errors import BadInput
from core.literature.ranking import let_through
from core.methods.chain_of_ideas.offers import names_of
from core.methods.chain_of_ideas.reading import needs_reading, spelled
from core.methods.inputs import ChainInputs
from core.records import Chain, Direction, Link, Paper, Record, Run, Start
from core.store import Store
from core.story import Branch

LONGEST = 16
"""How many papers a chain put together by hand may have."""


def insert(chain: Chain, paper: Paper, reason: str, at: int | None = None) -> Chain:
    """Put a paper in, at a place or where its date belongs; raises BadInput where the chain has it
    already, or is full.
    """
    if any(paper.same(one) for one in chain.papers):
        raise BadInput(f"{paper.title!r} is in this chain already.")
    if len(chain.links) >= LONGEST:
        raise BadInput(f"A chain holds {LONGEST} papers at most. Drop one first.")
    links = list(chain.links)
    links.insert(dated(chain, paper) if at is None else max(0, at), by_hand(paper, reason))
    return _with(chain, links)


def by_hand(paper: Paper, reason: str) -> Link:
    """Return a link for a paper a person put in."""
    return Link(paper=paper, hop="person", reason=reason)


def dated(chain: Chain, paper: Paper) -> int:
    """Return the place before the first paper that came out later."""
    for n, other in enumerate(chain.papers):
        if paper.before(other):
            return n
    return len(chain.links)


def replace(chain: Chain, old: str, paper: Paper, reason: str) -> Chain:
    """Put a paper in another's place, the anchor's too, and then it is the anchor; raises
    BadInput.
    """
    n, links = place(chain, old), list(chain.links)
    replaced = links.pop(n)
    if any(paper.same(link.paper) for link in links):
        raise BadInput(f"{paper.title!r} is in this chain already.")
    new = by_hand(paper, reason)
    if replaced.hop == "anchor":
        new = new.model_copy(update={"hop": "anchor", "unread": True})
    links.insert(n, new)
    return _with(chain, links)


def drop(chain: Chain, paper: str) -> Chain:
    """Take a paper out; what was found from it says so before its reason, which speaks of a paper
    that is no longer there. Raises BadInput for the last one.
    """
    if len(chain.links) == 1:
        raise BadInput("A chain needs at least one paper. Add another before dropping this one.")
    links, n = list(chain.links), place(chain, paper)
    dropped = links[n]
    if dropped.hop != "person":
        for at, hop in ((n - 1, "backward"), (n + 1, "forward")):
            if 0 <= at < len(links) and links[at].hop == hop:
                links[at] = _found_from(links[at], dropped.paper)
    del links[n]
    return _with(chain, links)


def _found_from(link: Link, dropped: Paper) -> Link:
    said = f"Found from {dropped.title!r}, which was dropped since. {link.reason}".rstrip()
    return link.model_copy(update={"reason": said})


def move(chain: Chain, paper: str, by: int) -> Chain:
    """Move a paper by so many places; at an end it stays. What then runs against time is shown as
    such.
    """
    n, links = place(chain, paper), list(chain.links)
    moved = links.pop(n)
    links.insert(max(0, n + by), moved)
    return _with(chain, links)


def pin(chain: Chain, paper: str, pinned: bool) -> Chain:
    """Keep a paper when the rest is grown anew, or no longer."""
    return _changed(chain, paper, pinned=pinned)


def read_again(chain: Chain, paper: str) -> Chain:
    """Ask for a paper to be read again, after its PDF was attached for example."""
    return _changed(chain, paper, text=None, reading=None, unread=True)


def merge(chain: Chain, other: Chain) -> Chain:
    """Join two chains in time order, a paper that is in both once; raises BadInput where that is
    too long.
    """
    ours = names_of(chain.papers)
    coming = [link for link in other.links if ours.isdisjoint(link.paper.names)]
    if not coming:
        raise BadInput("The other chain has no paper that this one lacks.")
    together = len(chain.links) + len(coming)
    if together > LONGEST:
        raise BadInput(
            f"Together they have {together} papers; a chain holds {LONGEST}"
            " at most. Drop some first."
        )
    merged = chain
    for link in coming:
        # A person put it here, whatever it was there: the other chain's hops are counted from
        # another anchor.
        mine = Link(
            paper=link.paper,
            hop="person",
            reason=f"From the other chain. {link.reason}".strip(),
            milestone=link.milestone,
            text=link.text,
            reading=link.reading,
        )
        links = list(merged.links)
        links.insert(dated(merged, link.paper), mine)
        merged = _with(merged, links)
    return merged


def start_of(chain: Chain) -> Start:
    """Return what the chain is grown from anew: its anchor, what is pinned, and everything between;
    raises BadInput where there is neither.
    """
    places = [n for n, link in enumerate(chain.links) if link.pinned or link.hop == "anchor"]
    if not places:
        raise BadInput(
            "There is nothing to grow from: the anchor was dropped, and no paper is pinned. Pin"
            " one."
        )
    return Start(links=chain.links[min(places) : max(places) + 1])


def to_read(put: Record) -> tuple[Link, ...]:
    """Return what will be read where this chain, or this start of one, is put in place of the run's
    own.
    """
    if isinstance(put, Start):
        return tuple(link for link in put.links if link.reading is None)
    if isinstance(put, Chain):
        return tuple(filter(needs_reading, put.links))
    return ()


def direction_step(store: Store, run: str, branch: Branch) -> str:
    """Return the step that the direction of a branch was answered in: a person's, where one was
    asked to confirm it, else the model's, with which several ideas are begun. Raises BadInput where
    there is none.
    """
    place = branch.pursuit.place(Direction)
    if place is None:
        raise BadInput(f"Branch {branch.n} has no direction yet.")
    stem = place.removesuffix("direction")
    for key in (place, f"{stem}future", f"branch-{branch.n}/{FIRST_DIRECTIONS}"):
        if store.steps.place(run, key):
            return key
    raise BadInput(f"The direction of branch {branch.n} is no step of run {run}.")


FIRST_DIRECTIONS = "idea-1/future"
"""The step in which the directions are predicted that several ideas of a branch are begun with."""


def put_beside(store: Store, run: str, at: str, put: Record) -> dict[str, object]:
    """Return, by step key, what a fork at `at` carries over besides the new record: attached texts
    and the hand-made chains of other branches.
    """
    branch, _, name = at.partition("/")
    beside: dict[str, object] = {}
    # Asked under the same name before, a text would come over from the parent as it was then:
    # without the PDF.
    for place_read, paper in _readings(put).items():
        if text := store.library.attached(paper.id):
            beside[f"{branch}/{place_read}/full-text"] = text.model_dump(mode="json")
    if name != "start":
        return beside
    # A branch grown anew may take papers from the others; their chains are then made anew too, but
    # not those a person made.
    for step in store.steps.outline(run):
        elsewhere = not step.key.startswith(f"{branch}/")
        by_person = step.kind == "person" and step.key.endswith("/chain")
        if elsewhere and by_person and (made := store.steps.get(run, step.key)):
            beside[step.key] = made.reply
    return beside


def _readings(put: Record) -> dict[str, Paper]:
    """Return what will be read, by the place where it is read."""
    unread = to_read(put)
    if not isinstance(put, Start):
        return {f"paper-{spelled(link.paper.id)}": link.paper for link in unread}
    numbered = enumerate(put.links, 1)
    return {f"start-{n}": link.paper for n, link in numbered if link in unread}


def asks_the_same(chain: Chain, other: Chain) -> bool:
    """Say whether two chains lead to the same questions: the same papers, as well read, in the same
    order; a pin changes none.
    """
    return [(link.paper, link.reading) for link in chain.links] == [
        (link.paper, link.reading) for link in other.links
    ]


def place(chain: Chain, paper: str) -> int:
    """Return where the paper with this id stands, from 0; raises BadInput."""
    for n, link in enumerate(chain.links):
        if link.paper.id == paper:
            return n
    raise BadInput(f"The chain has no paper {paper!r} any more.")


def _changed(chain: Chain, paper: str, **fields: object) -> Chain:
    n, links = place(chain, paper), list(chain.links)
    links[n] = links[n].model_copy(update=fields)
    return _with(chain, links)


def _with(chain: Chain, links: Iterable[Link]) -> Chain:
    return Chain(topic=chain.topic, links=tuple(links), stops=chain.stops, ordered=chain.ordered)


def depends(changed: str, other: str) -> bool:
    """Say whether a step that is asked after `changed` may come out differently because of it."""
    mine, *my_step = changed.split("/")
    theirs, *their_step = other.split("/")
    if theirs in ("experiment", "map") or not mine.startswith("branch-"):
        return True
    if theirs == "selection":
        return mine.removeprefix("branch-") in their_step[0].split("-")
    side_by_side = my_step == ["trend"] and their_step == ["entities"]
    return mine == theirs and not side_by_side


def check_permitted(run: Run, put: Record) -> None:
    """Refuse a chain with papers that the run's cut-off or ban list rules out; raises BadInput
    naming them.
    """
    if not isinstance(put, Chain | Start):
        return
    rules = run.inputs_as(ChainInputs)
    papers = tuple(link.paper for link in put.links)
    passed = let_through(papers, rules.query(rules.topic))
    if out := [paper.title for paper in papers if paper not in passed]:
        until = f" or not known to be older than {rules.before}" if rules.before else ""
        raise BadInput(
            f"{'; '.join(map(repr, out))}: on this run's ban list{until}. Drop it, or start a new"
            " chain with other limits."
        )
