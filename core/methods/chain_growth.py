"""Growing one branch from its anchor: forward through papers that cite, backward through papers cited (Chain of Ideas, 2.2)."""
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from core.desk import Desk
from core.errors import BadInput, SourceFailed
from core.methods.chain_reading import read
from core.methods.inputs import ChainInputs
from core.records import Candidate, Chain, Choice, Considered, Link, Paper, Relevance, Start, Stop

CANDIDATES = 3
"""How many of the best-ranked papers are tried before a direction stops."""
SHOWN = 30
"""How many references the model chooses from, the nearest ones in meaning."""
FETCHED = 200
"""How many papers are taken from a source, and embedded, per hop."""
LISTED = 8
"""How many candidates of a hop are kept for a person to look at."""
Grown = tuple[tuple[Link, ...], Stop | None]
"""Links in the order they were found, and why the direction stopped (None: it had its full share)."""


@dataclass(frozen=True)
class Growth:
    """What every hop of one branch knows."""

    rules: ChainInputs
    anchor: Paper
    seen: frozenset[str]
    """Names of papers that belong to other branches."""

    def fresh(self, found: tuple[Paper, ...], line: tuple[Paper, ...]) -> tuple[Paper, ...]:
        """Return what is in no branch yet, one paper under two ids counting once."""
        names, kept = set(self.seen).union(*(paper.names for paper in line)), []
        for paper in found:
            if names.isdisjoint(paper.names):
                names |= paper.names
                kept.append(paper)
        return tuple(kept)


def grow(desk: Desk, rules: ChainInputs, start: Start, seen: frozenset[str] = frozenset()) -> Chain:
    """Grow both directions at once, each with its share of the length; what one side leaves goes to the other."""
    left = max(0, rules.length - len(start.links))
    shares = (left - left // 2, left // 2)
    kept, growth = tuple(link.paper for link in start.links), Growth(rules, anchor_of(start.links).paper, seen)
    was_read, (ahead, end), (behind, root) = desk.all(
        lambda d: read_start(d, rules, start),
        lambda d: forward(d, growth, kept, shares[0]),
        lambda d: backward(d, growth, kept[::-1], shares[1]),
    )
    behind, root = apart(ahead, behind, root)
    spare = left - len(ahead) - len(behind)
    if spare and end is None:
        more, end = forward(desk, growth, (*(link.paper for link in behind[::-1]), *kept, *(link.paper for link in ahead)), spare)
        ahead += more
    elif spare and root is None:
        more, root = backward(desk, growth, (*(link.paper for link in ahead[::-1]), *kept[::-1], *(link.paper for link in behind)), spare)
        behind += more
    stops = tuple(stop for stop in (root, end) if stop)
    return Chain(topic=rules.topic, links=(*behind[::-1], *was_read, *ahead), stops=stops)


def anchor_of(links: tuple[Link, ...]) -> Link:
    """Return the anchor, or what stands first where a person dropped it."""
    return next((link for link in links if link.hop == "anchor"), links[0])


def read_start(desk: Desk, rules: ChainInputs, start: Start) -> tuple[Link, ...]:
    """Read what the branch starts from, side by side, unless that was done."""
    return desk.all(*(lambda d, n=n, link=link: link if link.reading else read(d.at(f"start-{n}"), rules, link) for n, link in enumerate(start.links, 1)))


def apart(ahead: tuple[Link, ...], behind: tuple[Link, ...], root: Stop | None) -> Grown:
    """Cut the way back off where it meets the way ahead: where the anchor's own date cannot tell the two apart."""
    def earlier(link: Link) -> bool:
        return all(not other.paper.same(link.paper) and other.paper.before(link.paper) is not True for other in ahead)

    kept = tuple(takewhile(earlier, behind))
    if len(kept) == len(behind):
        return behind, root
    return kept, Stop(hop="backward", reason=f"{behind[len(kept)].paper.title!r} is in the chain already, or newer than what follows the anchor.")


def forward(desk: Desk, growth: Growth, line: tuple[Paper, ...], left: int) -> Grown:
    """Follow papers that cite the last of `line`, nearest to topic + anchor abstract first; one of the best three is taken."""
    if not left:
        return (), None
    rules, head = growth.rules, line[-1]
    distance = len(line) - next(n for n, paper in enumerate(line) if paper.same(growth.anchor))
    here = desk.at(f"forward-{distance}")
    try:
        citing = here.citations("citing", head, rules.query(rules.topic), FETCHED)
    except (SourceFailed, BadInput) as error:
        return (), Stop(hop="forward", reason=str(error), failed=True)
    fresh = following(growth, citing, line)
    ranked = here.rank("ranking", near_to(rules.topic, growth.anchor), fresh) if fresh else ()
    tried: list[Candidate] = []
    for n, (paper, score) in enumerate(ranked[:CANDIDATES], 1):
        judged, grown = follow(here.at(f"candidate-{n}"), rules, Link(paper=paper, hop="forward", distance=distance, score=score),
                               lambda d, p=paper: forward(d.beside(desk), growth, (*line, p), left - 1))  # type: ignore[misc]
        tried.append(Candidate(paper=paper, score=score, relevant=judged.relevant, reason=judged.reason))
        if grown:
            consider(here, head, "forward", (*tried, *unjudged(ranked[n:LISTED])), len(citing))
            return grown
    consider(here, head, "forward", (*tried, *unjudged(ranked[CANDIDATES:LISTED])), len(citing))
    return (), Stop(hop="forward", reason=dead_end(head, citing, len(tried)))


def dead_end(head: Paper, found: tuple[Paper, ...], tried: int) -> str:
    """Say why nothing follows a paper: nothing cites it, nothing of that comes later, or nothing of that bears on the topic."""
    if not found:
        return f"No paper that cites {head.title!r} was found."
    papers = related(found, "cites" if len(found) == 1 else "cite", head)
    if not tried:
        return f"{papers}; none can follow it: older than the chain, or in another branch."
    return f"{papers}; of the nearest {tried} that can follow it, none bears on the topic."


def related(found: tuple[Paper, ...], how: str, paper: Paper) -> str:
    """Say how many papers were found by a citation, or, where their source knows none, by nearness in meaning."""
    said = "is near in meaning to" if len(found) == 1 else "are near in meaning to"
    return f"{'One paper' if len(found) == 1 else f'{len(found)} papers'} {said if all(one.near for one in found) else how} {paper.title!r}"


def following(growth: Growth, found: tuple[Paper, ...], line: tuple[Paper, ...]) -> tuple[Paper, ...]:
    """Return those that can come after all of `line`."""
    # Not only after the head: where its date is rough, a paper could pass it and still be older than the anchor.
    return tuple(paper for paper in growth.fresh(found, line) if all(paper.before(old) is not True for old in line))


def preceding(growth: Growth, found: tuple[Paper, ...], line: tuple[Paper, ...]) -> tuple[Paper, ...]:
    """Return those that can come before all of `line`."""
    return tuple(paper for paper in growth.fresh(found, line) if all(new.before(paper) is not True for new in line))


def near_to(topic: str, paper: Paper) -> str:
    """Return the text candidates are ranked by (Chain of Ideas, section 2.2)."""
    return f"{topic}\n{paper.abstract}"


def follow(desk: Desk, rules: ChainInputs, link: Link, onward: Callable[[Desk], Grown]) -> tuple[Relevance, Grown | None]:
    """Judge a candidate and, if it is relevant, go on from it at once; it is read meanwhile. None: not relevant."""
    def judged(here: Desk) -> tuple[Relevance, tuple[Link, Grown] | None]:
        relevance = judge_relevance(here, rules.topic, link.paper)
        if not relevance.relevant:
            return relevance, None
        taken = link.model_copy(update={"reason": relevance.reason, "milestone": rules.is_milestone(link.paper)})
        here.show(taken)
        return relevance, (taken, onward(here))

    (relevance, ahead), was_read = desk.all(judged, lambda d: read(d, rules, link))
    if ahead is None:
        return relevance, None
    taken, (links, stop) = ahead
    return relevance, ((taken.model_copy(update={"text": was_read.text, "reading": was_read.reading}), *links), stop)


def backward(desk: Desk, growth: Growth, line: tuple[Paper, ...], left: int) -> Grown:
    """Follow the one reference the last of `line` (newest first) is most built on; stop behind a milestone (section 2.2)."""
    if not left:
        return (), None
    rules, tail = growth.rules, line[-1]
    distance = len(line) - next(n for n, paper in enumerate(line) if paper.same(growth.anchor))
    here = desk.at(f"backward-{distance}")
    try:
        cited = here.references("cited", tail, rules.query(rules.topic), FETCHED)
    except (SourceFailed, BadInput) as error:
        return (), Stop(hop="backward", reason=str(error), failed=True)
    fresh = preceding(growth, cited, line)
    if not fresh:
        known = related(cited, "is cited by" if len(cited) == 1 else "are cited by", tail)
        known += "; none can precede it: newer than the chain, or in another branch."
        return (), Stop(hop="backward", reason=known if cited else f"No reference of {tail.title!r} was found.")
    ranked = here.rank("ranking", near_to(rules.topic, tail), fresh)[:SHOWN]
    choice = choose_reference(here, rules.topic, tail, tuple(paper for paper, _ in ranked))
    consider(here, tail, "backward", chosen(ranked, choice), len(cited))
    if choice.id is None:
        return (), Stop(hop="backward", reason=choice.reason)
    paper = next(p for p, _ in ranked if p.id == choice.id)
    link = Link(paper=paper, hop="backward", distance=distance, reason=choice.reason, milestone=rules.is_milestone(paper))
    here.show(link)
    if link.milestone:
        stop = Stop(hop="backward", reason=f"{paper.title!r} is a milestone ({paper.citations} citations, more than {rules.milestone}).")
        return (read(here, rules, link),), stop
    (links, end), was_read = here.all(lambda d: backward(d.beside(desk), growth, (*line, paper), left - 1), lambda d: read(d, rules, link))
    return (was_read, *links), end


def chosen(ranked: tuple[tuple[Paper, float], ...], choice: Choice) -> tuple[Candidate, ...]:
    """Return the references that were shown, the chosen one first, as candidates."""
    first = [Candidate(paper=paper, score=score, relevant=True, reason=choice.reason) for paper, score in ranked if paper.id == choice.id]
    return (*first, *unjudged(tuple(one for one in ranked if one[0].id != choice.id)[:LISTED - len(first)]))


def unjudged(ranked: tuple[tuple[Paper, float], ...]) -> tuple[Candidate, ...]:
    """Return papers nobody judged as candidates."""
    return tuple(Candidate(paper=paper, score=score) for paper, score in ranked)


def consider(desk: Desk, of: Paper, hop: str, candidates: tuple[Candidate, ...], found: int) -> None:
    """Put up what there was to choose from."""
    desk.at("considered").show(Considered.model_validate({"of": of, "hop": hop, "candidates": candidates, "found": found}))


def judge_relevance(desk: Desk, topic: str, paper: Paper) -> Relevance:
    """Say whether this very candidate bears on the topic."""
    return desk.ask("relevance", Relevance, topic=topic, paper=paper)


def choose_reference(desk: Desk, topic: str, paper: Paper, references: tuple[Paper, ...]) -> Choice:
    """Choose one of the real references by its id, or none; any other id is re-asked."""
    known = {reference.id for reference in references}

    def on_the_list(choice: Choice) -> None:
        if choice.id is not None and choice.id not in known:
            raise ValueError(f"{choice.id!r} is not one of the ids shown; copy one exactly, or answer null")

    return desk.ask("choose-reference", Choice, check=on_the_list, topic=topic, paper=paper, references=references)
