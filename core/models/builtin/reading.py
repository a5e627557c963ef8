"""Reading a paper for somebody who must build on it: what its text says, and nothing else."""

import re
from collections import Counter
from collections.abc import Iterable

from core.models.builtin.english import clean, clipped
from core.models.builtin.fulltext import WholeText, as_abstract, whole_text
from core.models.builtin.library import PassageLibrary, telling
from core.models.builtin.passages import REASONS, REMAINS, WEAK, PaperSentence
from core.models.builtin.phrases import kept_capital, name_of, noun_phrases, repeated, small, verbal
from core.models.builtin.tested import tested
from core.records import Entities, Entity, Experiment, Paper, PaperIdea, Reading

NEW = re.compile(
    r"\b(?:propos\w+|introduc\w+|presents?|new|novel|first|instead of|rather than|starts from|"
    r"defines?|replac\w+)\b",
    re.IGNORECASE,
)
GIVES = re.compile(
    r"\b(?:conclu\w+|shows? that|found|establish\w+|provid\w+|demonstrat\w+|contribut\w+|offer\w*|"
    r"support\w*|improv\w+|outperform\w*)\b",
    re.IGNORECASE,
)
REPORTS = re.compile(
    r"\d ?(?:%|percent\b)|\boutperform\w*|\bimprov\w+ .{3,80}\b(?:by|over)\b|"
    r"\b(?:evaluated|tested|benchmarked) on\b",
    re.IGNORECASE,
)
SETUP = re.compile(
    r"\b(?:experiments?|evaluat\w+|tested|trial|study|measured|followed|compared|participants|"
    r"recorded|applied to|trained|ran)\b",
    re.IGNORECASE,
)


def extract(library: PassageLibrary, paper: Paper, text: str | None = None) -> Reading:
    """Sort the sentences of a paper's abstract, and of its whole text where there is one; a field
    they do not speak to stays empty.
    """
    whole = whole_text(text)
    if not clean(paper.abstract):
        if not whole.opening:
            return Reading(entities=(), idea=PaperIdea(), experiments=())
        paper = paper.model_copy(update={"abstract": as_abstract(whole.opening)})
    passages = library.passages([paper])
    return Reading(
        entities=entities_of(library, paper),
        idea=_idea(passages, whole),
        experiments=_experiments(passages, whole),
    )


def _idea(passages: tuple[PaperSentence, ...], whole: WholeText) -> PaperIdea:
    mechanism = [p for p in passages if p.role == "mechanism" and not _reports(p)]
    limits = [
        p
        for p in passages
        if p.open
        or (p.role == "evaluation" and WEAK.search(p.text))
        or (p.place > 1 and REMAINS.search(p.text))
    ][:2]
    new = [p for p in passages if p.role != "problem" and NEW.search(p.text) and p not in limits]
    novelty = next((p for p in new if p.role == "mechanism"), new[0] if new else None)
    gives = next(
        (
            p
            for p in reversed(passages)
            if p is not novelty and p.role != "problem" and GIVES.search(p.text)
        ),
        None,
    )
    # A sentence stands in one field only, the first of these that it serves.
    gives = None if gives in limits else gives
    spoken = [p for p in (novelty, gives) if p]
    left = [p for p in mechanism if p not in spoken and p not in limits]
    reasons = [p for p in left[1:] if REASONS.search(p.text)][:2]
    said = {p.text for p in passages}
    return PaperIdea(
        background=_joined(p.text for p in passages if p.role == "problem" and p not in limits),
        novelty=novelty.text if novelty else "",
        contribution=gives.text if gives else "",
        method=_joined(
            [
                *(p.text for p in left if p not in reasons),
                *(line for line in whole.method if line not in said),
            ]
        ),
        reasoning=_joined(p.text for p in reasons),
        limits=_joined(
            [*(p.text for p in limits), *(line for line in whole.limits if line not in said)]
        ),
    )


def _reports(passage: PaperSentence) -> bool:
    """Say whether a sentence gives a result, wherever it stands but in the first two."""
    return passage.place > 1 and REPORTS.search(passage.text) is not None


def _joined(lines: Iterable[str]) -> str:
    return clipped(" ".join(lines), 2_000)


def _experiments(passages: tuple[PaperSentence, ...], whole: WholeText) -> tuple[Experiment, ...]:
    tests = [
        p.text
        for p in passages
        if (p.role == "evaluation" or _reports(p)) and not REMAINS.search(p.text)
    ]
    lines = list(dict.fromkeys([*tests, *whole.tests]))
    if not lines:
        return ()
    setup = [line for line in lines if SETUP.search(line)][:2]
    results = [line for line in lines if line not in setup and GIVES.search(line)][:2]
    found = tested(lines)
    return (
        Experiment(
            setup=_joined(setup),
            datasets="; ".join(found.data),
            baselines="; ".join(found.baselines),
            metrics="; ".join(found.measures),
            results=_joined(results),
        ),
    )


def _term_like(phrase: str, counts: Counter[str], kept: frozenset[str]) -> bool:
    """Say whether a phrase looks like a term: an acronym, a name, a hyphenated compound, or a noun
    phrase that recurs; no verb form in it.
    """
    inside = phrase.split()
    if (
        any(verbal(word) for word in inside)
        or any(word.endswith("ed") for word in inside[1:-1])
        or inside[0] in ("full", "standard", "complete")
    ):
        return False
    coined = any(any(c.isupper() for c in word[1:]) for word in inside) or any(
        word in kept for word in inside
    )
    return coined or (len(inside) > 1 and ("-" in phrase or counts[phrase] > 1))


def entities_of(library: PassageLibrary, paper: Paper, most: int = 8) -> tuple[Entity, ...]:
    """Return a paper's own terms, each with the sentence that explains it: acronyms, names and
    repeated or titled phrases.
    """
    passages = library.passages([paper])
    counts = repeated(p.text for p in passages)
    titled = {phrase.lower() for phrase in noun_phrases(paper.title)}
    name, kept = name_of(paper), kept_capital(paper)
    phrases = {
        phrase.lower(): phrase
        for p in passages
        for phrase in noun_phrases(p.text)
        if telling(phrase)
    }
    counts += Counter({small(phrase): 1 for phrase in noun_phrases(clean(paper.title))})
    phrases = {key: phrase for key, phrase in phrases.items() if _term_like(phrase, counts, kept)}
    weights = {
        phrase: (
            counts[phrase]
            + 2 * (key in titled)
            + 1.5 * (phrase in kept or any(c.isupper() for c in phrase[1:]))
            + 0.5 * (len(phrase.split()) > 1)
        )
        for key, phrase in phrases.items()
    }
    chosen = [
        phrase
        for phrase, weight in sorted(weights.items(), key=lambda kv: (-kv[1], kv[0]))
        if weight >= 1.5
    ]
    known = (name or "").removeprefix("The ")
    chosen = [phrase for phrase in chosen if not known or phrase == known or known not in phrase]
    distinct = [
        phrase
        for phrase in chosen
        if not any(phrase != other and phrase.lower() in other.lower() for other in chosen[:most])
    ]
    names = list(dict.fromkeys([*([name] if name else []), *distinct]))[:most]
    return tuple(Entity(name=one, meaning=_meaning(one, passages)) for one in names)


def _meaning(phrase: str, passages: tuple[PaperSentence, ...]) -> str:
    inside = [p for p in passages if phrase.lower() in p.text.lower()]
    explains = re.compile(
        rf"{re.escape(phrase)}[^.]{{0,30}}\b(?:is|are|means|works|measures|asks|names|lets|"
        rf"generat|combin|rests)",
        re.IGNORECASE,
    )
    best = next((p for p in inside if explains.search(p.text)), inside[0] if inside else None)
    return clipped(best.text, 300) if best else ""


def merge(library: PassageLibrary, topic: str, readings: tuple[Reading, ...]) -> Entities:
    """Join the readings' entities under one name each, nearest to the topic first, and leave out
    those far from it.
    """
    all_of = [entity for reading in readings for entity in reading.entities]
    if not all_of:
        return Entities(entities=())
    spoken: dict[str, Entity] = {}
    for entity in all_of:
        key = _singular(entity.name)
        if key not in spoken or len(entity.meaning) > len(spoken[key].meaning):
            spoken[key] = entity
    often = {key: sum(_singular(entity.name) == key for entity in all_of) for key in spoken}
    entities = list(spoken.values())
    near = library.embed([f"{e.name}: {e.meaning}" for e in entities]) @ library.vector(topic)
    scored = sorted(
        zip(
            (
                float(n) + 0.1 * (often[_singular(e.name)] - 1)
                for n, e in zip(near, entities, strict=True)
            ),
            entities,
            strict=True,
        ),
        key=lambda pair: (-round(pair[0], 4), pair[1].name),
    )
    return Entities(entities=tuple(entity for score, entity in scored if score >= 0.15)[:20])


def _singular(name: str) -> str:
    return " ".join(
        word.lower().removesuffix("s")
        for word in clean(name).replace("-", " ").removeprefix("The ").split()
    )
