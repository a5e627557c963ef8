"""A novelty check by rules: an idea taken apart by the parts its sentences play, papers read by how
near their sentences come to a claim in meaning.
"""

import re
from collections.abc import Sequence

from core.models.builtin.english import clean, clip, find_words, sentences
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.passages import CUES
from core.models.builtin.phrases import cite
from core.models.builtin.searching import ASIDE, REFERENCE, essence, short
from core.records import (
    Claim,
    ClaimDraft,
    ClaimQueries,
    ClaimsRead,
    FindingDraft,
    Idea,
    NoveltyQueries,
    Paper,
    TakenApart,
)
from core.records.novelty import MOST_CLAIMS, ClaimKind, Decided
from core.wording.summaries import without_mark

COVERS, PARTLY = 0.85, 0.7
"""Cosine of a claim and the nearest sentence of a paper from which that covers it, or a part of it.
Among the built-in papers a claim of the same topic that nobody made comes to 0.6 to 0.8.
"""
LEAST, OTHERS = 0.4, 10
"""A built-in paper whose nearest sentence has this cosine at least, and is as near to a claim as
those of so many other built-in papers nearest to it on average, has the claim in part.

A topic with many papers is near to all its claims, one with few to none, so the difference tells
more than the cosine does: of 154 findings of a careful reader on five paraphrased ideas, 89% of
`covers` and 11% of `does not` pass; of the cosine from 0.7 on, 32% and 2%. Missing a precedent is
the worse error. What is retold freely, over several sentences, is missed all the same.
"""
SHORTEST, LONGEST = 30, 400
"""Letters a sentence has that can make a claim, and how many of one are quoted."""
MOST_SENTENCES = 60
"""Sentences of a paper that are compared with each claim."""
BY_FIELD: dict[str, ClaimKind] = {
    "problem": "problem",
    "motivation": "problem",
    "hypothesis": "mechanism",
    "novelty": "mechanism",
    "method": "way of testing",
}
"""What the sentences of a field claim, where no word of theirs says otherwise."""
TESTS = find_words(
    r"(?:is|are|was|were|be) (?:then )?(?:recorded|compared|measured|rated|scored|counted|held "
    r"against|checked)|control groups?|controls|drawn by lot|at random|randomi[sz]ed|ablations?|"
    r"agreement with"
)
"""Beside the words by which passages of papers are told, those by which ideas say how they are
tested.
"""
OWN_STEP = re.compile(r"^(?:We|Our|I|My|This idea|The idea|Here,? we|To this end)\b")
"""How the sentences begin that say what an idea does; what comes before them is its problem."""
WHERE = find_words(
    r"in (?:adults|adolescents|athletes|children|patients|students|hospitals|cities|schools)|"
    r"on (?:the|a|two|three|four|\d+)? ?(?:data ?sets?|benchmarks?|corpora|corpus)"
)


def take_apart(idea: Idea) -> TakenApart:
    """Take an idea apart sentence by sentence, six at most and in the order of the text: of more,
    one of each kind first, then those that say how it works. A title claims nothing.
    """
    drafts: list[ClaimDraft] = []
    for name, text in idea.fields.items():
        if name in ("title", "difference", "challenges", "expected_impact"):
            continue
        lines = sentences(without_title(idea, without_mark(text)))
        steps = [n for n, line in enumerate(lines) if OWN_STEP.search(line)]
        for n, line in enumerate(lines):
            free = name not in BY_FIELD or len(idea.fields) == 1
            before = free and n < min(steps, default=0)
            usual = "problem" if before else BY_FIELD.get(name, "mechanism")
            # What it tells of others' work, or of how it came about, the idea does not claim.
            told = ASIDE.match(line) or REFERENCE.match(line)
            fits = SHORTEST <= len(line) <= LONGEST and not told
            if fits and all(line != one.text for one in drafts):
                kind = usual if before else kind_of(line, usual)
                drafts.append(ClaimDraft(kind=kind, text=line, span=line))
    if not drafts:
        whole = clip(clean(idea.text), LONGEST)
        drafts.append(ClaimDraft(kind="mechanism", text=whole, span=whole))
    return TakenApart(claims=choose(drafts))


def without_title(idea: Idea, text: str) -> str:
    """Return what stands below the first line of a text where that line is a title: the idea's own,
    or a line without a full stop that stands apart.
    """
    first, _, body = text.strip().partition("\n")
    apart = body.startswith(("\n", "\r\n")) and first.rstrip()[-1:] not in ".!?:;,"
    return body if body.strip() and (apart or first.strip() == idea.title) else text


def choose(drafts: Sequence[ClaimDraft]) -> tuple[ClaimDraft, ...]:
    """Return six drafts at most, in their order."""
    first = {draft.kind: n for n, draft in reversed(list(enumerate(drafts)))}
    at = sorted(
        range(len(drafts)),
        key=lambda n: (n not in first.values(), drafts[n].kind != "mechanism", n),
    )
    return tuple(drafts[n] for n in sorted(at[:MOST_CLAIMS]))


def kind_of(line: str, otherwise: ClaimKind) -> ClaimKind:
    """Return what a sentence claims by the words it has."""
    if CUES["mechanism"].search(line):
        return otherwise
    if WHERE.search(line):
        return "setting"
    if CUES["evaluation"].search(line) or TESTS.search(line):
        return "way of testing"
    return "problem" if CUES["problem"].search(line) else otherwise


def write_queries(idea: Idea, claims: tuple[Claim, ...]) -> NoveltyQueries:
    """Return a query for the whole idea and one for each claim, of the phrases that carry them."""
    return NoveltyQueries(
        whole=(_query(essence(idea)),),
        claims=tuple(ClaimQueries(claim=one.n, queries=(_query(one.text),)) for one in claims),
    )


def _query(text: str) -> str:
    phrases = dict.fromkeys(phrase.lower() for phrase in telling_phrases(text))
    words = dict.fromkeys(word for phrase in phrases for word in phrase.split())
    return " ".join(list(words)[:8]) or short(text, 8)


def read(
    library: PassageLibrary, claims: tuple[Claim, ...], paper: Paper, text: str | None
) -> ClaimsRead:
    """Say what a paper has of each claim, by its sentence nearest in meaning: that is the quote."""
    lines = [line for line in sentences(paper.abstract) if len(line) >= SHORTEST]
    if text:
        own = set(lines)
        lines += [line for line in sentences(text) if len(line) >= SHORTEST and line not in own]
    lines = lines[:MOST_SENTENCES] or [paper.title]
    return ClaimsRead(findings=tuple(_finding(library, one, paper, lines) for one in claims))


def _finding(library: PassageLibrary, claim: Claim, paper: Paper, lines: list[str]) -> FindingDraft:
    cosines = library.cosines(lines, library.vector(claim.text))
    cosine, best = max((round(one, 4), line) for one, line in zip(cosines, lines, strict=True))
    state: Decided = "does not"
    if cosine >= PARTLY or stands_out(library, claim, paper, cosine):
        state = "covers" if cosine >= COVERS else "in part"
    near = "comes near enough" if state == "covers" else "comes near in part"
    if state == "does not":
        reason = f"No sentence of {cite(paper)} comes near this claim in meaning."
        return FindingDraft(claim=claim.n, reason=reason, state=state)
    return FindingDraft(
        claim=claim.n,
        reason=f"A sentence of {cite(paper)} {near} in meaning; a rule, and no reading.",
        state=state,
        idea_quote=claim.passage.quote,
        paper_quote=best,
    )


def stands_out(library: PassageLibrary, claim: Claim, paper: Paper, cosine: float) -> bool:
    """Return whether a built-in paper is nearer to a claim than the other built-in papers are; of
    any other paper nothing of the kind is known.
    """
    shelf = library.shelf()
    if cosine < LEAST or all(paper.id != other.id for other in shelf):
        return False
    vector = library.vector(claim.text)
    best: dict[str, float] = {}
    for passage in library.passages(other for other in shelf if other.id != paper.id):
        name = passage.paper.id
        best[name] = max(best.get(name, -1.0), float(passage.vector @ vector))
    nearest = sorted(best.values(), reverse=True)[:OTHERS]
    return bool(cosine >= sum(nearest) / len(nearest))
