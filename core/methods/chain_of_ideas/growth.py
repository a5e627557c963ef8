"""Growing one branch from its anchor: forward through papers that cite, backward through papers
cited (Chain of Ideas, 2.2).
"""

from collections.abc import Callable
from functools import partial
from itertools import takewhile
from typing import Any

from core.desk import Desk
from core.errors import BadInput, NoUsableAnswer, SourceFailed
from core.methods.chain_of_ideas.offers import (
    LISTED,
    SHOWN,
    Growth,
    Offer,
    Ranked,
    foremost,
    papers_after,
    papers_before,
    unjudged,
)
from core.methods.chain_of_ideas.reading import read
from core.methods.inputs import ChainInputs
from core.records import (
    Candidate,
    Chain,
    Choice,
    Link,
    Paper,
    Reference,
    Relevance,
    Start,
    Stop,
    WeighedChoice,
    WeighedRelevance,
)

CANDIDATES = 3
"""How many of the best-ranked papers are tried before a direction stops."""
Grown = tuple[tuple[Link, ...], Stop | None]
"""Links in the order they were found, and why the direction stopped (None: it had its full share).
"""


def grow(desk: Desk, rules: ChainInputs, start: Start, seen: frozenset[str] = frozenset()) -> Chain:
    """Grow both directions at once, each with its share of the length; what one side leaves goes to
    the other.
    """
    left = max(0, rules.length - len(start.links))
    share_behind = left // 2
    given = papers_of(start.links)
    growth = Growth(rules, anchor_of(start.links).paper, seen)
    was_read, (ahead, end), (behind, root) = desk.all(
        lambda d: read_start(d, rules, start),
        lambda d: forward(d, growth, given, left - share_behind),
        lambda d: backward(d, growth, given[::-1], share_behind),
    )
    behind, root = cut_where_met(ahead, behind, root)
    spare = left - len(ahead) - len(behind)
    before, after = papers_of(behind[::-1]), papers_of(ahead)
    line = (*before, *given, *after)
    if spare and end is None:
        more, end = forward(desk, growth, line, spare)
        ahead += more
    elif spare and root is None:
        more, root = backward(desk, growth, line[::-1], spare)
        behind += more
    stops = tuple(stop for stop in (root, end) if stop)
    return Chain(topic=rules.topic, links=(*behind[::-1], *was_read, *ahead), stops=stops)


def papers_of(links: tuple[Link, ...]) -> tuple[Paper, ...]:
    """Return the papers of links, in their order."""
    return tuple(link.paper for link in links)


def anchor_of(links: tuple[Link, ...]) -> Link:
    """Return the anchor, or what stands first where a person dropped it."""
    return next((link for link in links if link.hop == "anchor"), links[0])


def read_start(desk: Desk, rules: ChainInputs, start: Start) -> tuple[Link, ...]:
    """Read what the branch starts from, side by side, unless that was done."""
    return desk.at_each(
        lambda here, link: link if link.reading else read(here, rules, link),
        {f"start-{n}": link for n, link in enumerate(start.links, 1)},
    )


def cut_where_met(ahead: tuple[Link, ...], behind: tuple[Link, ...], root: Stop | None) -> Grown:
    """Cut the way back off where it meets the way ahead: where the anchor's own date cannot tell
    the two apart.
    """

    def earlier(link: Link) -> bool:
        return all(
            not other.paper.same(link.paper) and other.paper.before(link.paper) is not True
            for other in ahead
        )

    first = tuple(takewhile(earlier, behind))
    if len(first) == len(behind):
        return behind, root
    met = behind[len(first)].paper
    reason = f"{met.title!r} is in the chain already, or newer than what follows the anchor."
    return first, Stop(hop="backward", reason=reason)


def forward(desk: Desk, growth: Growth, line: tuple[Paper, ...], left: int) -> Grown:
    """Follow papers that cite the last of `line`, nearest to topic + anchor abstract first; one of
    the best three is taken.
    """
    if not left:
        return (), None
    rules, head = growth.rules, line[-1]
    distance = growth.distance(line)
    here = desk.at(f"forward-{distance}")
    try:
        offer = papers_after(here, growth, head, line)
    except (SourceFailed, BadInput) as error:
        return (), Stop(hop="forward", reason=str(error), failed=True)
    tried: list[Candidate] = []
    for n, (reference, score) in enumerate(offer.ranked[:CANDIDATES], 1):
        link = Link(paper=reference.paper, hop="forward", distance=distance, score=score)
        longer = (*line, link.paper)
        candidate, grown = follow(
            here.at(f"candidate-{n}"),
            rules,
            link,
            lambda d, longer=longer: forward(d.beside(desk), growth, longer, left - 1),  # type: ignore[misc]
        )
        tried.append(candidate)
        if grown:
            show_considered(here, offer, (*tried, *unjudged(offer.ranked[n:LISTED])))
            return grown
    show_considered(here, offer, (*tried, *unjudged(offer.ranked[CANDIDATES:LISTED])))
    return (), dead_end(offer, tried)


def dead_end(offer: Offer, tried: list[Candidate]) -> Stop:
    """Say why nothing follows a paper: nothing cites it, nothing of that comes later, nothing of
    that bears on the topic, or could be judged.
    """
    if not offer.found:
        return Stop(hop="forward", reason=f"No paper that cites {offer.of.title!r} was found.")
    papers = say_found(offer, "cites", "cite")
    if not tried:
        return Stop(
            hop="forward",
            reason=f"{papers}; none can follow it: older than the chain, or in another branch.",
        )
    known = f"{papers}; of the nearest {len(tried)} that can follow it,"
    unclear = [candidate for candidate in tried if candidate.relevant is None]
    if not unclear:
        return Stop(hop="forward", reason=f"{known} none bears on the topic.")
    others = "" if len(unclear) == len(tried) else " and none of the others bears on the topic"
    return Stop(
        hop="forward",
        reason=f"{known} {len(unclear)} could not be judged{others}. {unclear[-1].reason}",
        failed=True,
        failing="model",
    )


def say_found(offer: Offer, single: str, several: str) -> str:
    """Say how many papers were found by a citation, or, where their source knows none, by nearness
    in meaning; the verb of the citation is `single` of one paper, `several` of more.
    """
    if all(paper.near for paper in offer.found):
        single, several = "is near in meaning to", "are near in meaning to"
    if len(offer.found) == 1:
        return f"One paper {single} {offer.of.title!r}"
    more = " (the source has more)" if offer.more else ""
    return f"{len(offer.found)} papers{more} {several} {offer.of.title!r}"


def follow(
    desk: Desk, rules: ChainInputs, link: Link, onward: Callable[[Desk], Grown]
) -> tuple[Candidate, Grown | None]:
    """Judge a candidate and, if it is relevant, go on from it at once; it is read meanwhile. None:
    not relevant, or no usable verdict.
    """

    def judge(here: Desk) -> tuple[Candidate, tuple[Link, Grown] | None]:
        candidate = Candidate(paper=link.paper, score=link.score)
        try:
            relevance = judge_relevance(here, rules.topic, link.paper)
        except NoUsableAnswer as error:
            if here.edition == 1:
                raise
            return candidate.model_copy(update={"reason": f"Not judged: {error}"}), None
        verdict = {"relevant": relevance.relevant, "reason": relevance.reason}
        if not relevance.relevant:
            return candidate.model_copy(update=verdict), None
        milestone = rules.is_milestone(link.paper)
        relevant = link.model_copy(update={"reason": relevance.reason, "milestone": milestone})
        here.show(relevant)
        return candidate.model_copy(update=verdict), (relevant, onward(here))

    (candidate, ahead), was_read = desk.all(judge, lambda d: read(d, rules, link))
    if ahead is None:
        return candidate, None
    relevant, (links, stop) = ahead
    read_link = relevant.model_copy(update={"text": was_read.text, "reading": was_read.reading})
    return candidate, ((read_link, *links), stop)


def backward(desk: Desk, growth: Growth, line: tuple[Paper, ...], left: int) -> Grown:
    """Follow the one reference the last of `line` (newest first) is most built on; stop behind a
    milestone (section 2.2).
    """
    if not left:
        return (), None
    rules, tail = growth.rules, line[-1]
    if rules.is_milestone(tail) and desk.edition > 1:
        return (), at_milestone(rules, tail)
    distance = growth.distance(line)
    here = desk.at(f"backward-{distance}")
    found = find_base(here, growth, tail, line)
    if isinstance(found, Stop):
        return (), found
    paper, reason = found
    link = Link(
        paper=paper,
        hop="backward",
        distance=distance,
        reason=reason,
        milestone=rules.is_milestone(paper),
    )
    here.show(link)
    if link.milestone:
        return (read(here, rules, link),), at_milestone(rules, paper)
    (links, end), was_read = here.all(
        lambda d: backward(d.beside(desk), growth, (*line, paper), left - 1),
        lambda d: read(d, rules, link),
    )
    return (was_read, *links), end


def find_base(
    desk: Desk, growth: Growth, tail: Paper, line: tuple[Paper, ...]
) -> tuple[Paper, str] | Stop:
    """Return the reference a paper is most built on, and why that one; or why there is none to
    follow.
    """
    try:
        offer = papers_before(desk, growth, tail, line)
    except (SourceFailed, BadInput) as error:
        return Stop(hop="backward", reason=str(error), failed=True)
    if not offer.ranked:
        reason = f"No reference of {tail.title!r} was found."
        if offer.found:
            known = say_found(offer, "is cited by", "are cited by")
            reason = f"{known}; none can precede it: newer than the chain, or in another branch."
        return Stop(hop="backward", reason=reason)
    shown = foremost(offer.ranked, SHOWN)
    references = tuple(reference for reference, _ in shown)
    try:
        choice = choose_reference(desk, growth.rules.topic, tail, references)
    except NoUsableAnswer as error:
        if desk.edition == 1:
            raise
        show_considered(desk, offer, unjudged(foremost(shown, LISTED)))
        return Stop(
            hop="backward",
            reason=f"Which reference of {tail.title!r} to follow was not decided: {error}",
            failed=True,
            failing="model",
        )
    show_considered(desk, offer, chosen_first(shown, choice))
    for reference in references:
        if reference.id == choice.id:
            return reference.paper, choice.reason
    return Stop(hop="backward", reason=choice.reason)


def at_milestone(rules: ChainInputs, paper: Paper) -> Stop:
    """Say that going back stops at a milestone: a paper with more citations than the threshold."""
    known = f"{paper.title!r} is a milestone ({paper.citations} citations, more than"
    return Stop(hop="backward", reason=f"{known} {rules.milestone}).")


def chosen_first(shown: Ranked, choice: Choice) -> tuple[Candidate, ...]:
    """Return the references that were shown, the chosen one first, as candidates."""
    first, others = [], []
    for reference, score in shown:
        if reference.id == choice.id:
            (candidate,) = unjudged(((reference, score),))
            verdict = {"relevant": True, "reason": choice.reason}
            first.append(candidate.model_copy(update=verdict))
        else:
            others.append((reference, score))
    near = foremost(tuple(others), LISTED - len(first))
    return (*first, *unjudged(near))


def show_considered(desk: Desk, offer: Offer, candidates: tuple[Candidate, ...]) -> None:
    """Show what there was to choose from."""
    desk.at("considered").show(offer.considered(candidates))


def judge_relevance(desk: Desk, topic: str, paper: Paper) -> Relevance:
    """Say whether this very candidate bears on the topic."""
    ask = partial(desk.ask, "relevance", recorded=(NoUsableAnswer,), topic=topic, paper=paper)
    return ask(returns=Relevance) if desk.edition == 1 else ask(returns=WeighedRelevance).decided()


def choose_reference(
    desk: Desk, topic: str, paper: Paper, references: tuple[Reference, ...]
) -> Choice:
    """Choose one of the real references by its id, or none; any other id is re-asked."""
    known = {reference.id for reference in references}

    def on_the_list(choice: Any) -> None:
        if choice.id is not None and choice.id not in known:
            raise ValueError(
                f"{choice.id!r} is not one of the ids shown; copy one exactly, or answer null"
            )

    shown = references if desk.edition > 1 else tuple(item.paper for item in references)
    ask: Callable[..., Any] = partial(
        desk.ask,
        "choose-reference",
        check=on_the_list,
        recorded=(NoUsableAnswer,),
        topic=topic,
        paper=paper,
        references=shown,
    )
    found: Choice = (
        ask(returns=Choice) if desk.edition == 1 else ask(returns=WeighedChoice).decided()
    )
    return found
