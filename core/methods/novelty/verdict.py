"""The verdict: what follows from a matrix of claims and works, by rule and by nothing else.

    decide(matrix).state    # anticipated, combination, new in part, nothing found, inconclusive

One earlier work that covers every claim decides alone, whatever else was not seen: no more
literature could take that back. Everything else says that something is not there, or that no fewer
works will do, and is inconclusive first where too little was seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from core.literature import LABELS
from core.methods.novelty.dating import last_day
from core.records import (
    ClaimsVerdict,
    Looked,
    NoveltyCell,
    NoveltyMatrix,
    PriorWork,
    RepeatedDirection,
    Share,
    Thresholds,
)
from core.records.novelty import VerdictState
from core.wording.numbers import counted

MOST_TOGETHER = 3
"""Works that may cover an idea together; of more, bringing them together is new."""
LEAST_READ = 5
"""Earlier works that have to be read before anything is said to be new."""
LEAST_ANSWERED = 0.8
"""Share of its questions that a source has to answer to count as having answered."""
MOST_BARE = 0.25
"""Share of the works found that may lack an abstract: such a work is hardly ever found near. Of
those found along citations too, since a search finds few works whose text is not there.
"""
ENOUGH_LINKED = 10
"""Works that have to be found along citations before their share counts."""
MOST_UNREAD = 0.2
"""Share of the cells that may be unread."""
NEAREST_SHOWN = 3
"""Works whose findings are shown on a claim that nothing covers."""
THRESHOLDS = Thresholds(
    least_read=LEAST_READ,
    least_answered=LEAST_ANSWERED,
    most_bare=MOST_BARE,
    most_unread=MOST_UNREAD,
)


class Cover(NamedTuple):
    """The smallest set of works that covers every claim, and how many others are as small."""

    works: tuple[str, ...]
    ties: int = 0


class Conclusion(NamedTuple):
    """What a matrix says where nothing keeps it from saying anything."""

    state: VerdictState
    cover: Cover
    covered: tuple[int, ...]


def decide(matrix: NoveltyMatrix) -> ClaimsVerdict:
    """Return the verdict on a matrix of at least one claim."""
    earlier = [work for work in matrix.works if work.counts]
    found = conclude(matrix, earlier)
    why = too_little(matrix) if found.state != "anticipated" else ()
    if found.state != "anticipated":
        why += undated(matrix, found)
    sentence = say(matrix, found)
    if why:
        sentence = f"Inconclusive. {' '.join(why)} By what was seen so far: {_inner(sentence)}"
    every = tuple(claim.n for claim in matrix.claims)
    return ClaimsVerdict(
        state="inconclusive" if why else found.state,
        sentence=sentence,
        works=found.cover.works,
        ties=found.cover.ties,
        covered=found.covered,
        new=tuple(n for n in every if n not in found.covered),
        why=why,
        so_far=found.state if why else None,
        risk=risk(matrix),
        confidence=confidence(matrix),
        coverage=coverage(matrix),
        sources=sources_answered(matrix.looked),
        thresholds=THRESHOLDS,
    )


# -- what covers what --------------------------------------------------------------------------


def conclude(matrix: NoveltyMatrix, works: Sequence[PriorWork]) -> Conclusion:
    """Return what these works, taken as earlier ones, have of the idea."""
    every = tuple(claim.n for claim in matrix.claims)
    covers = covering(matrix, works)
    covered = tuple(n for n in every if any(n in claims for claims in covers.values()))
    cover = smallest_cover(every, covers, works)
    if len(cover.works) == 1:
        return Conclusion("anticipated", cover, covered)
    if cover.works:
        return Conclusion("combination", cover, covered)
    return Conclusion("new in part" if covered else "nothing found", cover, covered)


def covering(matrix: NoveltyMatrix, works: Iterable[PriorWork]) -> dict[str, frozenset[int]]:
    """Return which claims each of these works covers; works that cover none are left out."""
    names = {work.id for work in works}
    found: dict[str, set[int]] = {}
    for cell in matrix.cells:
        if cell.state == "covers" and cell.work in names:
            found.setdefault(cell.work, set()).add(cell.claim)
    return {name: frozenset(claims) for name, claims in found.items()}


def smallest_cover(
    every: Sequence[int], covers: Mapping[str, frozenset[int]], works: Sequence[PriorWork]
) -> Cover:
    """Return the smallest set of at most three works that covers every claim; no work where there
    is none.

    Of several as small: the one that was public first as a whole, then the one more similar to the
    idea in sum, then by id.
    """
    by_id = {work.id: work for work in works}

    def precedence(names: tuple[str, ...]) -> tuple[list[str], float, tuple[str, ...]]:
        dates = sorted((last_day(by_id[name].date or "9999") for name in names), reverse=True)
        return dates, -round(sum(by_id[name].similarity for name in names), 6), names

    for size in range(1, MOST_TOGETHER + 1):
        sets = [
            names
            for names in combinations(sorted(covers), size)
            if set(every) <= frozenset().union(*(covers[name] for name in names))
        ]
        if sets:
            return Cover(min(sets, key=precedence), len(sets) - 1)
    return Cover(())


def rests_on(matrix: NoveltyMatrix, verdict: ClaimsVerdict) -> tuple[NoveltyCell, ...]:
    """Return the cells that a verdict rests on, claim by claim: what the named works cover of each
    claim, else what any earlier work covers; of a claim that none covers, what the nearest works
    have of it; and every cell that a person overruled.
    """
    names = set(verdict.works) or {work.id for work in matrix.works if work.counts}
    found = [
        one
        for one in matrix.cells
        if (one.state == "covers" and one.work in names)
        or (one.claim in verdict.new and one.work in _nearest_on(matrix, one.claim))
        or one.overruled
    ]
    rank = {work.id: n for n, work in enumerate(matrix.works)}
    return tuple(sorted(found, key=lambda one: (one.claim, rank[one.work])))


def _nearest_on(matrix: NoveltyMatrix, claim: int) -> frozenset[str]:
    """Return the works whose findings decide that a claim is new: of the earlier ones read those
    that have it in part, and then the others, each most similar to the claim first.
    """
    at = [one.n for one in matrix.claims].index(claim)
    partly = {one.work for one in matrix.cells if (one.claim, one.state) == (claim, "in part")}

    def precedence(work: PriorWork) -> tuple[bool, float]:
        cosine = work.to_claims[at] if work.to_claims else work.similarity
        return work.id not in partly, -cosine

    read = [work for work in matrix.works if work.counts and work.read_from != "nothing"]
    return frozenset(work.id for work in sorted(read, key=precedence)[:NEAREST_SHOWN])


def half_covered(matrix: NoveltyMatrix) -> dict[int, tuple[str, ...]]:
    """Return the claims that earlier works have in part and none covers, each with those works."""
    earlier = {work.id for work in matrix.works if work.counts}
    found = {}
    for claim in matrix.claims:
        cells = [one for one in matrix.cells if one.claim == claim.n and one.work in earlier]
        partly = tuple(one.work for one in cells if one.state == "in part")
        if partly and not any(one.state == "covers" for one in cells):
            found[claim.n] = partly
    return found


# -- whether enough was seen -------------------------------------------------------------------


def too_little(matrix: NoveltyMatrix) -> tuple[str, ...]:
    """Say why nothing follows from what was not found, each reason with its threshold; empty where
    enough was seen.
    """
    said = []
    read = sum(work.counts and work.read_from != "nothing" for work in matrix.works)
    if read < LEAST_READ:
        few = f"Only {counted(read, 'earlier work')}" if read else "No earlier work"
        few = f"{few} could be read"
        if read and matrix.passed_over:
            few = f"Only {read} of {read + matrix.passed_over} works found were to be read"
        said.append(f"{few}; at least {LEAST_READ} are needed.")
    for name, share in answered(matrix.looked).items():
        if share.value is not None and share.value < LEAST_ANSWERED:
            said.append(
                f"{LABELS.get(name, name)} answered {share} only; at least {LEAST_ANSWERED:.0%} are"
                " needed."
            )
    for bare, works, how in (
        (matrix.bare, matrix.found, "found"),
        (matrix.linked_bare, matrix.linked, "found along citations"),
    ):
        enough = works >= (1 if how == "found" else ENOUGH_LINKED)
        if enough and bare / works > MOST_BARE:
            said.append(
                f"{bare} of {counted(works, 'work')} {how} have no abstract; at most"
                f" {MOST_BARE:.0%} may lack one."
            )
            break
    unread = sum(cell.state == "unread" for cell in matrix.cells)
    if matrix.cells and unread / len(matrix.cells) > MOST_UNREAD:
        said.append(
            f"{unread} of {len(matrix.cells)} cells are unread; at most {MOST_UNREAD:.0%} may be."
        )
    return tuple(said)


def undated(matrix: NoveltyMatrix, found: Conclusion) -> tuple[str, ...]:
    """Say which works would change what was found, were they known to be earlier; empty where none
    would.
    """
    maybe = [work for work in matrix.works if work.when in ("earlier", "cannot be told", "undated")]
    other = conclude(matrix, maybe)
    if (other.state, len(other.cover.works), other.covered) == (
        found.state,
        len(found.cover.works),
        found.covered,
    ):
        return ()
    names = covering(matrix, (work for work in maybe if not work.counts))
    titles = "; ".join(_named(matrix.work(name)) for name in sorted(names))
    return (
        f"Whether this came before the idea ({matrix.dated}) is not known, and it would change the"
        f" verdict: {titles}.",
    )


def answered(looked: Iterable[Looked]) -> dict[str, Share]:
    """Return how many of its questions each source answered."""
    asked = [one for one in looked if one.counts]
    found = {}
    for name in dict.fromkeys(one.source for one in asked):
        mine = [one.state != "source failed" for one in asked if one.source == name]
        found[name] = Share(part=sum(mine), of=len(mine), what="questions")
    return found


def sources_answered(looked: Iterable[Looked]) -> Share:
    """Return how many of the sources answered."""
    each = answered(looked).values()
    enough = [one.value is not None and one.value >= LEAST_ANSWERED for one in each]
    return Share(part=sum(enough), of=len(enough), what="sources that answered")


# -- three numbers -----------------------------------------------------------------------------


def risk(matrix: NoveltyMatrix) -> Share:
    """Return how much of the idea earlier work covers; of nothing where none was read."""
    names = {work.id for work in matrix.works if work.counts}
    if not any(work.counts and work.read_from != "nothing" for work in matrix.works):
        return Share(part=0, of=0, what="claims: no earlier work was read")
    worth = {"covers": 1.0, "in part": 0.5}
    most = [
        max(
            (
                worth.get(cell.state, 0.0)
                for cell in matrix.cells
                if cell.claim == claim.n and cell.work in names
            ),
            default=0.0,
        )
        for claim in matrix.claims
    ]
    whole, half = most.count(1.0), most.count(0.5)
    each = " (counted half)" if half else ""
    what = f"claims: {whole or 'none'} covered by earlier work, {half or 'none'} in part{each}"
    return Share(part=sum(most), of=len(most), what=what)


def confidence(matrix: NoveltyMatrix) -> Share:
    """Return how many findings of the reader rest on quotes that are there; what a person says of a
    cell changes nothing of that.
    """
    given = [cell for cell in matrix.cells if cell.said is not None]
    stand = sum(not cell.taken_down for cell in given)
    what = "findings of the reader whose quotes are in the texts, or that need none"
    return Share(part=stand, of=len(given), what=what)


def coverage(matrix: NoveltyMatrix) -> Share:
    """Return how much of what was found in time was read."""
    read = sum(work.read_from != "nothing" for work in matrix.works)
    what = "works found in time were read, the nearest to the idea and to each claim"
    return Share(part=read, of=len(matrix.works) + matrix.passed_over, what=what)


# -- in words ----------------------------------------------------------------------------------


def say(matrix: NoveltyMatrix, found: Conclusion) -> str:
    """Say what was found in a sentence; what is not new always names the works."""
    lost = f" {counted(len(matrix.lost), 'claim')} could not be used." if matrix.lost else ""
    return f"{_say_found(matrix, found)}{_say_overruled(matrix)}{lost}"


def _say_found(matrix: NoveltyMatrix, found: Conclusion) -> str:
    claims = len(matrix.claims)
    every = f"all {claims} claims" if claims > 1 else "its one claim"
    named = "; ".join(_named(matrix.work(name)) for name in found.cover.works)
    tie = _say_ties(found.cover)
    if found.state == "anticipated":
        return f"Anticipated: one earlier work covers {every}: {named}.{tie}"
    if found.state == "combination":
        return (
            f"Covered by a combination: {len(found.cover.works)} earlier works cover {every}"
            f" together: {named}.{tie}"
        )
    read = sum(work.counts and work.read_from != "nothing" for work in matrix.works)
    among = f"among {counted(read, 'earlier work')} read{_say_sources(matrix)}"
    if found.state == "nothing found" and not read:
        return "Nothing was read that could cover a claim of it."
    half = half_covered(matrix)
    if found.state == "nothing found":
        partly = f"; {counted(len(half), 'claim')} of {claims} in part" if half else ""
        return f"Nothing found that covers a whole claim of it, {among}{partly}."
    new = [claim for claim in matrix.claims if claim.n not in found.covered]
    if new:
        which = "; ".join(
            f"{one.n} ({one.kind}{', in part only' if one.n in half else ''})" for one in new
        )
        noun = "claim" if len(new) == 1 else "claims"
        return f"New in part: nothing {among} covers {noun} {which}."
    return (
        f"New in part: each claim is covered {among}, but no {MOST_TOGETHER} works cover all of"
        " them: what is new is bringing them together."
    )


def _say_overruled(matrix: NoveltyMatrix) -> str:
    """Say how many findings are a person's, and on which claims."""
    ruled = [cell.claim for cell in matrix.cells if cell.overruled]
    if not ruled:
        return ""
    numbers = sorted(set(ruled))
    on = f"claim{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
    verb = "is" if len(ruled) == 1 else "are"
    return f" {counted(len(ruled), 'finding')} on {on} {verb} a person's, in place of the reader's."


def name_sources(looked: Iterable[Looked]) -> str:
    """Name the sources that answered anything; empty where none did."""
    names = dict.fromkeys(
        LABELS.get(one.source, one.source) for one in looked if one.state == "found"
    )
    return ", ".join(names)


def _say_sources(matrix: NoveltyMatrix) -> str:
    names = name_sources(matrix.looked)
    return f" (found in {names})" if names else ""


def _say_ties(cover: Cover) -> str:
    if not cover.ties:
        return ""
    others = counted(cover.ties, "other set" if len(cover.works) > 1 else "other work")
    verb = "does" if cover.ties == 1 else "do"
    return f" {others} {verb} too; named is what was public first."


def _named(work: PriorWork) -> str:
    return f"{work.paper.title} ({work.date or 'undated'})"


def _inner(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def repeated(matrix: NoveltyMatrix) -> tuple[RepeatedDirection, ...]:
    """Return what is covered already, claim by claim: what a new idea is not to repeat."""
    earlier = {work.id: work for work in matrix.works if work.counts}
    found = []
    for claim in matrix.claims:
        for cell in matrix.cells:
            if (cell.claim, cell.state) == (claim.n, "covers") and cell.work in earlier:
                direction = f"{claim.kind}: {claim.text}"
                overlap = _named(earlier[cell.work])
                found.append(RepeatedDirection(direction=direction, overlap=overlap))
                break
    return tuple(found)
