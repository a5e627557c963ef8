"""Wording claims of novelty and of choices: no more than was searched, and a tie is called one."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.literature import label
from core.records import IdeaChoice, Link, NoveltyCheck, Outcome, Search, Selection
from core.records.literature import once
from core.wording.summaries import mark_summary

FEW = 10
"""Under so many papers, nothing found says little, and the claim says so."""
COVERED = 0.5
"""Similarity to the topic from which a built-in paper covers it: the nearest one's is 0.59 or more
for the topics on offer, 0.46 and less for topics beside them.
"""
STARTS = ("anchor", "retrieved")
"""How papers came into a chain that were found by its topic."""
BUILT_IN = "shelf"
NEAREST = 10
"""How many papers, those most similar to the idea first, a novelty verdict is given on."""
SIMILARITY = (
    "Similarity: the cosine of the embeddings (all-MiniLM-L6-v2) of two whole texts, of a paper its"
    " title and abstract. 1: the same meaning; 0: nothing in common."
)
"""The one measure of how like two texts are, wherever a similarity stands."""


class Near(NamedTuple):
    """A paper beside an idea; no similarity where none was recorded."""

    title: str
    year: int | None
    similarity: float | None

    def __str__(self) -> str:
        """Return it as in a sentence."""
        like = (
            "similarity not recorded"
            if self.similarity is None
            else f"similarity {self.similarity:.2f}"
        )
        return f"{self.title} ({self.year or 'undated'}), {like}"


def found_papers(check: NoveltyCheck) -> int:
    """Return how many different papers the queries of a check found, whatever their ids there."""
    return len(once(paper for one in check.searches for paper in one.papers))


def nearest(check: NoveltyCheck) -> Near | None:
    """Return the paper most similar to the idea of those compared; of an older run the one that its
    verdict names.
    """
    if check.compared:
        first = check.compared[0]
        return Near(first.title, first.year, first.similarity)
    if check.nearest:
        return Near(check.nearest.title, check.nearest.year, check.similarity)
    return None


def overlapping(check: NoveltyCheck) -> Near | None:
    """Return the paper that the verdict names, where that is another than the nearest."""
    named = check.nearest
    if named is None or not check.compared or check.compared[0].id == named.id:
        return None
    return Near(named.title, named.year, check.similarity)


def overlap_of(check: NoveltyCheck) -> str:
    """Return what overlaps, in the words of the verdict; marked where they are from the summary
    that was written for a built-in paper.
    """
    named = check.nearest
    return mark_summary(named, check.overlap, check.overlap) if named else check.overlap


def short_claim(check: NoveltyCheck) -> str:
    """Say in a few words how a check ended, with how many papers it rests on."""
    n = found_papers(check)
    papers = f"{n} paper" if n == 1 else f"{n} papers"
    return {
        "novel": f"not found among {papers} searched" + (" (few)" if n < FEW else ""),
        "similar": (
            f"overlaps with a paper of its chain ({papers} searched)"
            if _of_chain(check)
            else f"overlaps with one of {papers} searched"
        ),
        "nothing found": "no paper found to compare with",
        "source failed": f"not fully checked: a source failed ({papers} searched)",
        "not judged": f"not judged ({papers} searched)",
    }[check.state]


def claim(check: NoveltyCheck, source: str) -> str:
    """Say what a novelty check found in one line: among how many papers, searched where, what
    failed, and what is nearest.

    `source` is how the run spells its literature source.
    """
    n = found_papers(check)
    where = f"searched in {label(source) if source else 'sources that were not recorded'}"
    searched = f"{n} paper {where}" if n == 1 else f"{n} papers {where}"
    notes = [f"few: under {FEW}" if n < FEW else "", *failures(check.searches)]
    asked = len(check.searches)
    by = "one query" if asked == 1 else f"{asked} queries"
    nothing = ""
    if check.state == "nothing found":
        nothing = (
            f"No paper to compare with was found by {by} {where}, which is no proof that the idea"
            " is new"
        )
    elif not n and check.state != "novel":
        nothing = f"No paper was found by {by} {where}, so nothing is known of its novelty"
    if nothing:
        return ". ".join([nothing, *notes[1:]]) + "."
    begins = {
        "novel": "Not found among",
        "similar": "A paper that overlaps with it was found among",
        "source failed": "Not found so far, but not every source answered, among",
        "not judged": "Not judged among",
    }[check.state]
    judged = len(check.compared) or (NEAREST if n > NEAREST else 0)
    if judged:
        notes.append(
            f"judged on the {judged} most similar, the chain's own papers among those compared"
        )
    beside = f" ({'; '.join(filter(None, notes))})" if any(notes) else ""
    near = nearest(check) or "none was recorded"
    if check.state == "similar" and _of_chain(check):
        of = "; ".join([searched, *filter(None, notes)])
        own = overlapping(check) or near
        return f"A paper of its own chain overlaps with it ({of}): {own}; most similar: {near}."
    if check.state == "similar" and (named := overlapping(check)):
        return f"{begins} {searched}{beside}: {named}; most similar to it: {near}."
    return f"{begins} {searched}{beside}; nearest: {near}."


def _of_chain(check: NoveltyCheck) -> bool:
    """Say whether the paper that the verdict names was found by no query: it is the chain's own."""
    found = {paper.id for one in check.searches for paper in one.papers}
    return check.nearest is not None and check.nearest.id not in found


def off_topic(links: Iterable[Link], source: str) -> str:
    """Say that the built-in papers hardly cover what was asked for, where the nearest of those that
    chains start from is far from the topic; empty otherwise, and for other sources.
    """
    starts = {
        link.score: Near(link.paper.title, link.paper.year, link.score)
        for link in links
        if link.hop in STARTS and link.score is not None
    }
    if source != BUILT_IN or not starts or max(starts) >= COVERED:
        return ""
    return (
        "The built-in papers hardly cover this topic, so the idea may be about something else. The"
        f" nearest of them that it starts from: {starts[max(starts)]} to the topic. Connect a"
        " source of literature for topics of your own."
    )


def failures(searches: tuple[Search, ...]) -> list[str]:
    """Say which queries were not answered in full and why, each reason once."""
    failed = [one.reason for one in searches if one.state == "source failed"]
    partly = [one.partly for one in searches]
    instead = [one.instead for one in searches]
    sentences = []
    for reasons, what in (
        (failed, "not answered"),
        (partly, "answered by some of the sources only"),
        (instead, "answered by a second source"),
    ):
        if given := [reason.rstrip(".") for reason in reasons if reason]:
            different = ". ".join(dict.fromkeys(given))
            sentences.append(f"{len(given)} of {len(searches)} queries {what}: {different}")
    return sentences


def ending(outcome: Outcome, check: NoveltyCheck | None, source: str) -> str:
    """Say how a run ended; where its idea was checked, with what the check rests on."""
    if check is None:
        return outcome.reason
    # What is recorded for an idea that was not found anywhere claims that without saying among
    # what.
    return (
        claim(check, source)
        if check.state == "novel"
        else f"{outcome.reason} {claim(check, source)}"
    )


def earlier_overlaps(checks: Sequence[NoveltyCheck]) -> str:
    """Say in which rounds before the last check an idea of the same branch overlapped with a paper,
    and with which; empty where none did.
    """
    rounds: dict[str, list[str]] = {}
    for check in checks[:-1]:
        if check.state == "similar":
            named = check.nearest
            paper = f"{named.title} ({named.year or 'undated'})" if named else "a paper"
            rounds.setdefault(paper, []).append(str(check.round))
    if not rounds:
        return ""
    parts = [
        f"{'round' if len(numbers) == 1 else 'rounds'} {join_words(numbers)}"
        f"{' overlapped' if n == 0 else ''} with {paper}"
        for n, (paper, numbers) in enumerate(rounds.items())
    ]
    return f"This is not the branch's first idea: {', '.join(parts)}. It was written anew."


def level(chosen: Selection | IdeaChoice) -> tuple[int, ...]:
    """Return the candidates tied with the chosen one, itself included; empty if there is no tie."""
    equal = [n for n in chosen.points if chosen.worth(n) == chosen.worth(chosen.best)]
    return tuple(sorted(equal)) if len(equal) > 1 else ()


def comparison(chosen: Selection, branches: int, aside: Sequence[int] = ()) -> str:
    """Say how the branches of a chain compared: a tie, their points, or why only one was left.

    `aside` are those whose idea overlaps with a paper, and was not compared therefore.
    """
    if level(chosen):
        return tie(chosen)
    if len(chosen.points) == 1:
        return f"Branch {chosen.best} was chosen. {only_one(chosen, aside)}"
    rest = sorted(chosen.points.keys() - {chosen.best}, key=lambda n: (-chosen.worth(n), n))
    others = ", ".join(
        f"branch {n} {f'has {won(chosen, n)}' if chosen.most(n) else NOT_COMPARED}" for n in rest
    )
    best = won(chosen, chosen.best)
    points = "point" if best == "1" else "points"
    return f"Branch {chosen.best} was chosen of {branches} with {best} {points}; {others}."


NOT_COMPARED = "could not be compared"
"""Said of a candidate of which no comparison could be used."""


def won(chosen: Selection | IdeaChoice, n: int) -> str:
    """Say how many points a candidate won: of how many, where not all could win as many."""
    points = f"{chosen.points[n]:g}"
    return f"{points} of {chosen.most(n)}" if chosen.uneven else points


def only_one(chosen: Selection, aside: Sequence[int]) -> str:
    """Say why there was nothing to compare; of older runs the record knows nothing of `aside`."""
    if not aside:
        return chosen.reason
    numbers = join_words(map(str, aside))
    others = f"the ideas of branches {numbers} overlap with published work and were set aside"
    if len(aside) == 1:
        others = f"the idea of branch {numbers} overlaps with published work and was set aside"
    return f"Its idea was the only one left to choose: {others}."


def tie(chosen: Selection | IdeaChoice) -> str:
    """Say that a choice was a tie and how it was broken; empty where it was none."""
    equal = level(chosen)
    if not equal:
        return ""
    one, many = ("branch", "branches") if isinstance(chosen, Selection) else ("idea", "ideas")
    others = [str(n) for n in equal if n != chosen.best]
    beside = f"{one if len(others) == 1 else many} {join_words(others)}"
    alike = "won the same share of points as" if chosen.by_share else "has as many points as"
    return (
        f"A tie: {one} {chosen.best} {alike} {beside}"
        f" ({won(chosen, chosen.best)}); it was taken because its number is the lowest, not"
        " because it is better."
    )


def join_words(items: Iterable[str]) -> str:
    """Join words as a person would: a, b and c."""
    *before, last = items
    return f"{', '.join(before)} and {last}" if before else last
