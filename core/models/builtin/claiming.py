"""A novelty check by rules: an idea taken apart by the parts its sentences play, papers read by how
near their sentences come to a claim in meaning.
"""

from core.models.builtin.english import clean, clip, find_words, sentences
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.passages import CUES
from core.models.builtin.phrases import cite
from core.models.builtin.searching import essence, short
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
WHERE = find_words(
    r"in (?:adults|adolescents|athletes|children|patients|students|hospitals|cities|schools)|"
    r"on (?:the|a|two|three|four|\d+)? ?(?:data ?sets?|benchmarks?|corpora|corpus)"
)


def take_apart(idea: Idea) -> TakenApart:
    """Take an idea apart sentence by sentence: at most two claims of a kind and six in all, in the
    order of the text.
    """
    drafts: list[ClaimDraft] = []
    for name, text in idea.fields.items():
        if name in ("title", "difference", "challenges", "expected_impact"):
            continue
        for line in sentences(without_mark(text)):
            kind = kind_of(line, BY_FIELD.get(name, "mechanism"))
            alike = sum(draft.kind == kind for draft in drafts)
            if SHORTEST <= len(line) <= LONGEST and alike < 2 and len(drafts) < MOST_CLAIMS:
                drafts.append(ClaimDraft(kind=kind, text=line, span=line))
    if not drafts:
        whole = clip(clean(idea.text), LONGEST)
        drafts.append(ClaimDraft(kind="mechanism", text=whole, span=whole))
    return TakenApart(claims=tuple(drafts))


def kind_of(line: str, otherwise: ClaimKind) -> ClaimKind:
    """Return what a sentence claims by the words it has."""
    if WHERE.search(line) and not CUES["mechanism"].search(line):
        return "setting"
    if CUES["evaluation"].search(line) and not CUES["mechanism"].search(line):
        return "way of testing"
    if CUES["problem"].search(line) and not CUES["mechanism"].search(line):
        return "problem"
    return otherwise


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
    if cosine >= PARTLY:
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
