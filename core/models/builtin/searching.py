"""Finding papers: queries, and judging by cosine whether a paper bears on a topic or has an idea
already.
"""

import re
from itertools import pairwise

from core.models.builtin.english import (
    clean,
    clip,
    ignore_case,
    paragraph,
    sentences,
    uncapitalise,
    word_set,
)
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.passages import nearest_sentence
from core.models.builtin.phrases import cite, retell_from, words
from core.models.builtin.tested import find_proper_names
from core.records import Choice, Draft, Idea, NoveltyVerdict, Paper, Queries, Reference, Relevance
from core.wording.summaries import mark_summary, without_mark

RELEVANT = 0.38
"""Cosine of topic and paper (title + abstract) from which the paper bears on the topic; unrelated
pairs on the shelf stay below 0.3.
"""
RELEVANT_SENTENCE = 0.5
"""Or one of its sentences is this near to the topic."""
WORTH_FOLLOWING = 0.35
"""Mean of a reference's cosines to the citing paper and to the topic, below which none is followed.
"""
SAME_IDEA = 0.8
"""Cosine of idea and paper from which the paper counts as having the idea; an idea built on a paper
usually stays below 0.75.
"""


def queries(library: PassageLibrary, topic: str) -> Queries:
    """Return the topic itself and up to four of its sides, the tellingest first."""
    topic = clean(topic)
    sides = [phrase for phrase in telling_phrases(topic) if phrase.lower() != topic.lower()]
    if len(sides) > 1:
        far = [-cosine for cosine in library.cosines(sides, library.vector(topic))]
        sides = [side for _, side in sorted(zip(far, sides, strict=True))]
    pairs = [f"{earlier} {later}" for earlier, later in pairwise(sides)]
    several = dict.fromkeys([short(topic, 12), *pairs[:2], *sides])
    return Queries(queries=tuple(several)[:5])


def short(topic: str, most: int) -> str:
    """Return at most `most` words of the topic, the first ones."""
    found = topic.split()
    return clip(" ".join(found[:most]).strip(" ,;:.?!"), 200) or "research"


def relevance(library: PassageLibrary, topic: str, paper: Paper) -> Relevance:
    """Say whether the paper bears on the topic, by the cosine of the whole and of its nearest
    sentence.
    """
    about = library.vector(topic)
    overall = float(library.abstracts([paper])[0] @ about)
    nearest = nearest_sentence(library.passages([paper]), about)
    relevant = overall >= RELEVANT or float(nearest.vector @ about) >= RELEVANT_SENTENCE
    told = clip(retell_from(paper, nearest.text), 260)
    reason = "stays off the topic; no sentence of it is near either"
    if relevant:
        told = mark_summary(paper, nearest.text, told)
        reason = f"bears on the topic; its nearest sentence says: {told}"
    return Relevance(relevant=relevant, reason=paragraph(f"{cite(paper)} {reason}"))


def choose_reference(
    library: PassageLibrary, topic: str, paper: Paper, references: tuple[Paper | Reference, ...]
) -> Choice:
    """Choose the reference nearest to what the paper sets out from and to the topic; none when all
    are far.
    """
    if not references:
        return Choice(id=None, reason="No reference was shown.")
    shown = [one if isinstance(one, Reference) else Reference(paper=one) for one in references]
    passages = library.passages([paper])
    sources = [passage for passage in passages if passage.role != "evaluation"] or passages
    vectors = library.abstracts([reference.paper for reference in shown])
    to_topic = vectors @ library.vector(topic)
    scored = []
    for n, reference in enumerate(shown):
        to_paper = max(float(passage.vector @ vectors[n]) for passage in sources)
        mean = 0.5 * to_paper + 0.5 * float(to_topic[n])
        head = reference.paper.title.partition(":")[0].strip()
        named = len(head) > 3 and re.search(rf"\b{re.escape(head)}\b", paper.abstract)
        lifted = mean + 0.1 * (bool(named) or reference.how.stands_out)
        scored.append((round(lifted, 4), reference.id, mean, reference.paper))
    _, _, mean, best = max(scored, key=lambda found: found[:2])
    start = f"what {cite(paper)} sets out from"
    if mean < WORTH_FOLLOWING:
        none = f"None of the {len(references)} references is near enough to the topic and to"
        told = f"{none} {start}, not even {cite(best)}"
        if len(references) == 1:
            told = (
                f"The one reference, {cite(best)}, is not near enough to the topic and to {start}"
            )
        return Choice(id=None, reason=paragraph(told))
    nearest = f"{cite(best)} is nearest to {start} and to the topic together"
    return Choice(id=best.id, reason=paragraph(nearest))


def novelty_queries(library: PassageLibrary, topic: str, draft: Draft) -> Queries:
    """Return up to three queries aimed at what a sketch does and what for: its own names and the
    phrases of what it quotes.
    """
    lead = REFERENCE.sub(" ", "".join(sentences(draft.novelty)[:1]))
    names = [name for name in find_proper_names(lead) if len(name) > 2 and name != "The"][:2]
    ranked = _rank_phrases(library, topic, draft)
    named = [word for word in words(lead) if word.lower() not in _FILLING and word not in names]
    wanted = (
        [*names, *ranked[: 2 - bool(names)]],
        ranked[1:3] or named[:6],
        [*ranked[:1], *telling_phrases(topic)[:1]],
    )
    several = []
    for parts in wanted:
        # Each word as first written and where it comes last.
        once = {word.lower(): word for word in reversed(words(" ".join(parts)))}
        several.append(list(reversed(once.values()))[:8])
    distinct: dict[str, None] = {}
    for query in several:
        if len(query) > 1 and not any(set(query) < set(other) for other in several):
            distinct[" ".join(query)] = None
    return Queries(queries=tuple(distinct) or (short(topic, 8),))


def _rank_phrases(library: PassageLibrary, topic: str, draft: Draft) -> list[str]:
    """Return the phrases of two to four words in what a sketch quotes, nearest to it first."""
    lines = substance(draft.motivation, draft.novelty)
    found = dict.fromkeys(phrase for line in lines for phrase in telling_phrases(line))
    phrases = [phrase for phrase in found if 1 < len(phrase.split()) <= 4]
    near = library.cosines(phrases, library.vector(f"{topic}. {draft.novelty}"))
    far = [-round(cosine, 4) for cosine in near]
    return [phrase for _, phrase in sorted(zip(far, phrases, strict=True))]


def substance(*texts: str) -> tuple[str, ...]:
    """Return what a text of ours quotes from papers, or else says itself; what it compares with,
    and the topic, left out.
    """
    found = []
    for line in (line for text in texts for line in sentences(without_mark(text))):
        if not ASIDE.match(line):
            head, _, quoted = line.partition(": ")
            found.append(REFERENCE.sub(" ", quoted if _CITING.search(head) else line))
    return tuple(found)


ASIDE = re.compile(
    r"(?:It was drafted for|It bears on|What comes nearest to it|There is no other paper|"
    r"The claim is that|This chain has no other paper|"
    r"Either answer counts|Neither abstract)\b"
)
REFERENCE = re.compile(
    r"\"[^\"]{3,90}\" \(\d{4}\)|(?:[A-Z][\w'’-]+)(?: et al\.| and [A-Z][\w'’-]+)? \(\d{4}\)|"
    r"\(\d{4}\)"
)
"""How a sketch refers to a paper; who wrote it says nothing of what is proposed."""
_FILLING = word_set(
    "new is that the a an of on to and in with by for this it its what which put forward use used"
    " taken take named set out from problem open point limit question only condition repeated"
    " central test goes through same material comparison combination apart into each adds part"
    " carries result method intervention study instrument review measurement measurements around"
    " individuals are was were around"
)


def novelty_verdict(
    library: PassageLibrary, idea: Idea, papers: tuple[Paper, ...]
) -> NoveltyVerdict:
    """Say whether one of the papers has the idea, by the cosine of what the idea does to title and
    abstract.

    No number is said: the similarity on record is the one of the whole idea, which also holds what
    it quotes of the paper.
    """
    if not papers:
        return NoveltyVerdict(similar=False, reason="No paper was shown to compare with.")
    core = essence(idea)
    best, cosine = library.nearest(core, papers, 1)[0]
    passage = nearest_sentence(library.passages([best]), library.vector(core))
    told = clip(passage.text, 300)
    similar = cosine >= SAME_IDEA
    ending = "it works on related ground but does not put the same parts together"
    if similar:
        ending = "it is near enough to count as the same idea"
    compared = (
        f"In what it does, apart from what it quotes, the idea is most like {cite(best)}, of"
        f" {len(papers)} papers"
    )
    if len(papers) == 1:
        compared = f"The idea was compared with one paper, {cite(best)}"
    return NoveltyVerdict(
        similar=similar, nearest=best.id, overlap=told, reason=paragraph(f"{compared}; {ending}")
    )


def essence(idea: Idea) -> str:
    """Return what an idea does and what for, without its comparisons and caveats."""
    fields = {name: without_mark(text) for name, text in idea.fields.items()}
    if idea.form == "chain":
        quoted = substance(fields["motivation"], fields["novelty"])
        text = clean(" ".join([REFERENCE.sub(" ", fields["title"]), *quoted]))
        return clip(text, 1_500) or idea.title
    parts = [fields.get(name, "") for name in ("title", "objective", "hypothesis")]
    lines = [line for part in parts for line in sentences(part)]
    lines = [line for line in lines if not _CAVEAT.search(line)] or lines
    uncredited = [_CREDIT.sub("", line) for line in lines]
    own = [line for line in uncredited if not _CITING.search(line)]
    return clip(" ".join((own or uncredited)[:6]), 1_500) or idea.title


_CREDIT = re.compile(
    r",? (?:as|in the form that|which) (?:described|raised|used) by [^,;.]*(?:et al\.)?[^,;.]*,?|"
    r", which [^,;.]*(?:et al\.)?[^,;.]*(?:put forward(?: for another purpose)?|mentioned)"
)
"""Where a sentence credits a paper; the paper's name says nothing of what the idea does."""
_CAVEAT = ignore_case(r"\b(?:fails if|rival explanation|would tell\.)|^Unlike ")
"""Sentences that test, contrast or doubt a claim and say nothing of what the idea does."""
_CITING = re.compile(r"\(\d{4}\)|\bet al\.")


def topic_named(topic: str) -> str:
    """Return the topic as the object of a sentence: a noun phrase as it is, a claim or a question
    as such.
    """
    topic = clean(topic).rstrip(" .;:")
    if not topic:
        return "the topic"
    if topic.endswith("?"):
        return f'the question "{clip(topic, 100)}"'
    told = clip(topic, 100)
    if not re.search(r"[A-Za-z]{3}", told) or re.match(r"[A-Za-z]+ing\s", told):
        return f'the topic "{told}"'
    if is_claim(told):
        return f"the claim that {uncapitalise(told)}"
    return uncapitalise(told) if len(told.split()) <= 14 else f'the topic "{told}"'


def is_claim(topic: str) -> bool:
    """Say whether a topic is a statement: it has a modal verb or another plain verb in it."""
    return _STATES.search(topic) is not None and not _ASKS.match(topic)


_STATES = re.compile(
    r"\b(?:may|might|can|could|should|will|would|is|are|improves?|reduces?|increases?|causes?)\b"
)
_ASKS = ignore_case(r"(?:how|why|what|whether|which|when|where|who)\b")
