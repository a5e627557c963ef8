"""Growing an idea chain from its anchor: forward through papers that cite, backward through papers cited (Chain of Ideas, 3.2)."""
from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile

from core.desk import Desk
from core.errors import ModelFailed, NothingFound, SourceFailed
from core.literature.port import Query
from core.records import Chain, Choice, Link, Paper, Queries, Reading, Relevance, Stop

CANDIDATES = 3
"""How many of the best-ranked papers are tried before a direction stops."""
SHOWN = 30
"""How many references the model chooses from, the nearest ones in meaning."""
FETCHED = 200
"""How many papers are taken from a source, and embedded, per hop."""


@dataclass(frozen=True)
class Rules:
    """What every hop obeys."""

    topic: str
    length: int
    milestone: int
    before: str | None
    ban: tuple[str, ...]

    def is_milestone(self, paper: Paper) -> bool:
        """Whether the paper has more citations than the threshold; an unknown count is no milestone."""
        return paper.citations is not None and paper.citations > self.milestone

    def query(self, text: str) -> Query:
        return Query(text=text, before=self.before, ban=self.ban)


Grown = tuple[tuple[Link, ...], Stop | None]
"""Links in the order they were found, and why the direction stopped (None: it had its full share)."""


def choose_anchor(desk: Desk, rules: Rules) -> Link:
    """Find the paper a branch starts from: search, rank by meaning, take the first relevant of the best; raises NothingFound."""
    queries = desk.ask("queries", Queries, topic=rules.topic).queries
    found = search_all(desk, rules, queries)
    ranked = desk.rank("anchor-ranking", rules.topic, found)[:CANDIDATES]
    for n, (paper, score) in enumerate(ranked, 1):
        here = desk.at(f"anchor-{n}")
        relevance, reading = here.all(lambda d: judge_relevance(d, rules.topic, paper), lambda d: read(d, rules.topic, paper))
        if relevance.relevant:
            return Link(paper=paper, hop="anchor", score=score, reason=relevance.reason, reading=reading,
                        milestone=rules.is_milestone(paper))
    tried = "; ".join(paper.title for paper, _ in ranked)
    raise NothingFound(
        f"{len(found)} papers were found, but none of the nearest bears on the topic ({tried}). "
        "Word the topic differently, or choose another source."
    )


def search_all(desk: Desk, rules: Rules, queries: tuple[str, ...]) -> tuple[Paper, ...]:
    """Run every query; a failed one is passed over if another found something; raises NothingFound, SourceFailed."""
    def one(here: Desk, text: str) -> tuple[Paper, ...] | SourceFailed:
        try:
            return here.search("search", rules.query(text))
        except SourceFailed as error:
            return error

    answers = desk.all(*(lambda d, n=n, text=text: one(d.at(f"search-{n}"), text) for n, text in enumerate(queries, 1)))
    failed = [answer for answer in answers if isinstance(answer, SourceFailed)]
    found = {paper.id: paper for answer in answers if isinstance(answer, tuple) for paper in answer}
    if failed and not found:
        failed[0].steps = tuple(key for error in failed for key in error.steps)
        raise failed[0]
    if not found:
        raise NothingFound(f"Nothing was found on this topic ({len(queries)} queries asked, all answered). {desk.source.about}")
    return tuple(found.values())


def grow(desk: Desk, rules: Rules, anchor: Link) -> Chain:
    """Grow both directions at once, each with its share of the length; what one side leaves goes to the other."""
    left = rules.length - 1
    shares = (left - left // 2, left // 2)
    start = (anchor.paper,)
    (ahead, end), (behind, root) = desk.all(
        lambda d: forward(d, rules, start, shares[0]),
        lambda d: backward(d, rules, start, shares[1]),
    )
    behind, root = apart(ahead, behind, root)
    spare = left - len(ahead) - len(behind)
    seen = frozenset(link.paper.id for link in (*ahead, *behind))
    if spare and end is None:
        more, end = forward(desk, rules, (*start, *(link.paper for link in ahead)), spare, seen)
        ahead += more
    elif spare and root is None:
        more, root = backward(desk, rules, (*start, *(link.paper for link in behind)), spare, seen)
        behind += more
    stops = tuple(stop for stop in (root, end) if stop)
    return Chain(topic=rules.topic, links=(*reversed(behind), anchor, *ahead), stops=stops)


def apart(ahead: tuple[Link, ...], behind: tuple[Link, ...], root: Stop | None) -> Grown:
    """Cut the way back off where it meets the way ahead: where the anchor's own date cannot tell the two apart."""
    def earlier(link: Link) -> bool:
        return all(other.paper.id != link.paper.id and other.paper.before(link.paper) is not True for other in ahead)

    kept = tuple(takewhile(earlier, behind))
    if len(kept) == len(behind):
        return behind, root
    return kept, Stop(hop="backward", reason=f"{behind[len(kept)].paper.title!r} is in the chain already, or newer than what follows the anchor.")


def forward(desk: Desk, rules: Rules, line: tuple[Paper, ...], left: int, seen: frozenset[str] = frozenset()) -> Grown:
    """Follow papers that cite the last of `line` (anchor first), nearest to topic + anchor abstract first; one of the best three is taken."""
    if not left:
        return (), None
    anchor, head, distance = line[0], line[-1], len(line)
    here = desk.at(f"forward-{distance}")
    try:
        citing = here.citations("citing", head.id, rules.query(rules.topic), FETCHED)
    except SourceFailed as error:
        return (), Stop(hop="forward", reason=str(error), failed=True)
    # Not only against the head: where its date is rough, a paper could pass it and still be older than the anchor.
    fresh = tuple(p for p in citing if p.id not in seen and all(p.id != old.id and p.before(old) is not True for old in line))
    ranked = here.rank("ranking", f"{rules.topic}\n{anchor.abstract}", fresh)[:CANDIDATES] if fresh else ()
    for n, (paper, score) in enumerate(ranked, 1):
        grown = follow(here.at(f"candidate-{n}"), rules, Link(paper=paper, hop="forward", distance=distance, score=score),
                       lambda d, p=paper: forward(d.beside(desk), rules, (*line, p), left - 1, seen))  # type: ignore[misc]
        if grown:
            return grown
    tried = f"none of the {len(ranked)} nearest of them bears on the topic" if ranked else "none of them can follow it in time"
    found = f"{len(citing)} papers cite {head.title!r}; {tried}." if citing else f"No paper that cites {head.title!r} was found."
    return (), Stop(hop="forward", reason=found)


def follow(desk: Desk, rules: Rules, link: Link, onward: Callable[[Desk], Grown]) -> Grown | None:
    """Judge a candidate and, if it is relevant, go on from it at once; it is read meanwhile. None: not relevant."""
    def judged(here: Desk) -> tuple[Link, Grown] | None:
        relevance = judge_relevance(here, rules.topic, link.paper)
        if not relevance.relevant:
            return None
        taken = link.model_copy(update={"reason": relevance.reason, "milestone": rules.is_milestone(link.paper)})
        here.show(taken)
        return taken, onward(here)

    ahead, reading = desk.all(judged, lambda d: read(d, rules.topic, link.paper))
    if ahead is None:
        return None
    taken, (links, stop) = ahead
    return (taken.model_copy(update={"reading": reading}), *links), stop


def backward(desk: Desk, rules: Rules, line: tuple[Paper, ...], left: int, seen: frozenset[str] = frozenset()) -> Grown:
    """Follow the one reference the last of `line` (anchor first) is most built on; stop behind a milestone (section 3.2)."""
    if not left:
        return (), None
    tail, distance = line[-1], len(line)
    here = desk.at(f"backward-{distance}")
    try:
        cited = here.references("cited", tail.id, rules.query(rules.topic), FETCHED)
    except SourceFailed as error:
        return (), Stop(hop="backward", reason=str(error), failed=True)
    fresh = tuple(p for p in cited if p.id not in seen and all(p.id != new.id and new.before(p) is not True for new in line))
    if not fresh:
        known = f"{len(cited)} references of {tail.title!r} are known; none can precede it."
        return (), Stop(hop="backward", reason=known if cited else f"No reference of {tail.title!r} was found.")
    shown = tuple(paper for paper, _ in here.rank("ranking", f"{rules.topic}\n{tail.abstract}", fresh)[:SHOWN])
    choice = choose_reference(here, rules.topic, tail, shown)
    if choice.id is None:
        return (), Stop(hop="backward", reason=choice.reason)
    paper = next(p for p in shown if p.id == choice.id)
    link = Link(paper=paper, hop="backward", distance=distance, reason=choice.reason, milestone=rules.is_milestone(paper))
    here.show(link)
    if link.milestone:
        stop = Stop(hop="backward", reason=f"{paper.title!r} is a milestone ({paper.citations} citations, more than {rules.milestone}).")
        return (link.model_copy(update={"reading": read(here, rules.topic, paper)}),), stop
    (links, stop), reading = here.all(
        lambda d: backward(d.beside(desk), rules, (*line, paper), left - 1, seen),
        lambda d: read(d, rules.topic, paper),
    )
    return (link.model_copy(update={"reading": reading}), *links), stop


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


def read(desk: Desk, topic: str, paper: Paper) -> Reading | None:
    """Extract entities, idea and experiments; None, recorded with its reason, where no model could read the paper."""
    try:
        return desk.ask("extract", Reading, role="cheap", recorded=(ModelFailed,), topic=topic, paper=paper)
    except ModelFailed:
        return None
