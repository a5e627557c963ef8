"""Finding papers: queries, and judging by cosine whether a paper bears on a topic or has an idea already."""

import re
from itertools import pairwise

from core.models.builtin.english import clean, clipped, lowered, retold, said, sentences
from core.models.builtin.library import Library, telling, whole
from core.models.builtin.phrases import called, kept_capital, noun_phrases, words
from core.records import Choice, Idea, NoveltyVerdict, Paper, Queries, Relevance

RELEVANT = 0.38
"""Cosine of topic and paper (title + abstract) from which the paper bears on the topic; unrelated pairs on the shelf stay below 0.3."""
RELEVANT_SENTENCE = 0.5
"""Or one of its sentences is this near to the topic."""
WORTH_FOLLOWING = 0.35
"""Mean of a reference's cosines to the citing paper and to the topic, below which none is followed."""
SAME_IDEA = 0.8
"""Cosine of idea and paper from which the paper counts as having the idea; an idea built on a paper usually stays below 0.75."""


def queries(library: Library, topic: str) -> Queries:
    """Return the topic itself and up to four of its sides, the tellingest first."""
    topic = clean(topic)
    sides = [phrase for phrase in noun_phrases(topic) if telling(phrase) and phrase.lower() != topic.lower()]
    first = short(topic, 12)
    if len(sides) > 1:
        near = library.embed(sides) @ library.vector(topic)
        sides = [side for _, side in sorted(zip(map(float, -near), sides, strict=True))]
    pairs = [f"{a} {b}" for a, b in pairwise(sides)]
    several = dict.fromkeys(one for one in (first, *pairs[:2], *sides) if one)
    return Queries(queries=tuple(several)[:5] or ("research",))


def short(topic: str, most: int) -> str:
    """Return at most `most` words of the topic, the first ones."""
    found = topic.split()
    return clipped(" ".join(found[:most]).strip(" ,;:.?!"), 200) or "research"


def relevance(library: Library, topic: str, paper: Paper) -> Relevance:
    """Say whether the paper bears on the topic, by the cosine of the whole and of its nearest sentence."""
    asked = library.vector(topic)
    overall = float(library.vector(whole(paper)) @ asked)
    nearest = max(library.passages([paper]), key=lambda passage: (round(float(passage.vector @ asked), 4), -passage.place))
    near = float(nearest.vector @ asked)
    relevant = overall >= RELEVANT or near >= RELEVANT_SENTENCE
    measured = f"similarity {overall:.2f} (needs {RELEVANT:.2f})"
    told = clipped(retold(nearest.text, kept_capital(paper)), 260)
    if relevant:
        return Relevance(
            relevant=True, reason=said(f"{called(paper)} bears on the topic, {measured}; its nearest sentence says: {told}")
        )
    return Relevance(
        relevant=False, reason=said(f"{called(paper)} stays off the topic, {measured}; no sentence of it is near either")
    )


def choose_reference(library: Library, topic: str, paper: Paper, references: tuple[Paper, ...]) -> Choice:
    """Choose the reference nearest to what the paper sets out from and to the topic; none when all are far."""
    if not references:
        return Choice(id=None, reason="No reference was shown.")
    sources = [passage for passage in library.passages([paper]) if passage.role != "evaluation"] or list(library.passages([paper]))
    vectors = library.abstracts(references)
    to_topic = vectors @ library.vector(topic)
    named = [1.0 if _names(paper, reference) else 0.0 for reference in references]
    scored = []
    for n, reference in enumerate(references):
        to_paper = max(float(passage.vector @ vectors[n]) for passage in sources)
        mean = 0.5 * to_paper + 0.5 * float(to_topic[n])
        scored.append((round(mean + 0.1 * named[n], 4), mean, to_paper, float(to_topic[n]), reference))
    _, mean, _, _, best = max(scored, key=lambda one: (one[0], one[4].id))
    if mean < WORTH_FOLLOWING:
        return Choice(
            id=None,
            reason=said(
                f"None of the {len(references)} references is near enough: the nearest, {called(best)}, has a mean similarity "
                f"of {mean:.2f} (needs {WORTH_FOLLOWING:.2f})"
            ),
        )
    return Choice(
        id=best.id,
        reason=said(
            f"{called(best)} is nearest to what {called(paper)} sets out from and to the topic together (mean similarity {mean:.2f})"
        ),
    )


def _names(paper: Paper, reference: Paper) -> bool:
    """Whether a paper's abstract mentions the reference's method by name."""
    head = reference.title.partition(":")[0].strip()
    return bool(head) and len(head) > 3 and re.search(rf"\b{re.escape(head)}\b", paper.abstract) is not None


def novelty_queries(library: Library, topic: str, idea: Idea) -> Queries:
    """Return up to three queries aimed at what the idea does and what for."""
    title = clean(idea.fields.get("title", ""))
    core = clean(idea.fields.get("novelty") or idea.fields.get("hypothesis") or idea.text)
    phrases = [phrase for phrase in noun_phrases(core) if telling(phrase)]
    aim = library.vector(f"{title}. {core}" if title else core)
    ranked = [p for _, p in sorted(zip(map(float, -(library.embed(phrases) @ aim)), phrases, strict=True))] if phrases else []
    second = " ".join(ranked[:2])
    third = " ".join([*ranked[2:3], short(topic, 5)])
    first = short(title or core, 10)
    return Queries(queries=tuple(dict.fromkeys(" ".join(words(one)[:10]) or first for one in (first, second or topic, third)))[:3])


def novelty_verdict(library: Library, idea: Idea, papers: tuple[Paper, ...]) -> NoveltyVerdict:
    """Say whether one of the papers has the idea, by the cosine of what the idea does to title and abstract."""
    if not papers:
        return NoveltyVerdict(similar=False, reason="No paper was shown to compare with.")
    core = essence(idea)
    best, cosine = library.nearest(core, papers, 1)[0]
    asked = library.vector(core)
    passage = max(library.passages([best]), key=lambda one: (round(float(one.vector @ asked), 4), -one.place))
    told = clipped(passage.text, 300)
    similar = cosine >= SAME_IDEA
    bound = f"at similarity {cosine:.2f} to the idea (the same idea needs {SAME_IDEA:.2f})"
    ending = "that is near enough to count as the same idea" if similar else "it works on related ground but does not put the same parts together"
    return NoveltyVerdict(
        similar=similar, nearest=best.id, overlap=told, reason=said(f"The nearest of the {len(papers)} papers is {called(best)}, {bound}; {ending}")
    )


def essence(idea: Idea) -> str:
    """Return what an idea does and what for, without its comparisons and caveats."""
    fields = idea.fields
    names = ("title", "novelty") if idea.form == "chain" else ("title", "objective", "hypothesis")
    lines = [line for name in names if name in fields for line in sentences(fields[name])]
    lines = [line for line in lines if not _CAVEAT.search(line)] or lines
    own = [line for line in lines if not _CITING.search(_CREDIT.sub("", line))]
    return clipped(" ".join(_CREDIT.sub("", line) for line in (own or lines)[:6]), 1_500) or idea.title


_CREDIT = re.compile(
    r",? (?:as|in the form that|which) (?:described|raised|used) by [^,;.]*(?:et al\.)?[^,;.]*,?|"
    r", which [^,;.]*(?:et al\.)?[^,;.]*put forward for another purpose"
)
"""Where a sentence credits a paper; the paper's name says nothing of what the idea does."""
_CAVEAT = re.compile(r"\b(?:fails if|rival explanation|would tell\.)|^Unlike ", re.IGNORECASE)
"""Sentences that test, contrast or doubt a claim and say nothing of what the idea does."""
_CITING = re.compile(r"\(\d{4}\)|\bet al\.")


def topic_named(topic: str) -> str:
    """Return the topic as the object of a sentence: a noun phrase as it is, a claim or a question as such."""
    topic = clean(topic).rstrip(" .;:")
    if not topic:
        return "the topic"
    if topic.endswith("?"):
        return f'the question "{clipped(topic, 100)}"'
    told = clipped(topic, 100)
    if not re.search(r"[A-Za-z]{3}", told):
        return f'the topic "{told}"'
    if is_claim(told):
        return f"the claim that {lowered(told)}"
    return lowered(told) if len(told.split()) <= 14 else f'the topic "{told}"'


def is_claim(topic: str) -> bool:
    """Say whether a topic is a statement: it has a modal verb or another plain verb in it."""
    return re.search(
        r"\b(?:may|might|can|could|should|will|would|is|are|improves?|reduces?|increases?|causes?)\b", topic
    ) is not None and not re.match(r"(?:how|why|what|whether|which|when|where|who)\b", topic, re.IGNORECASE)
