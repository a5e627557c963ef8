"""Reading a paper for somebody who must build on it: what its text says, and nothing else."""

import re
from collections import Counter
from collections.abc import Iterable

from core.models.builtin.english import clean, clip, find_words, has_capital_inside, ignore_case
from core.models.builtin.fulltext import WholeText, as_abstract, whole_text
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.passages import REASONS, REMAINS, WEAK, PaperSentence
from core.models.builtin.phrases import (
    count_phrases,
    find_names,
    is_verbal,
    name_of,
    noun_phrases,
    write_small,
)
from core.models.builtin.tested import find_tested
from core.records import Entities, Entity, Experiment, Paper, PaperIdea, Reading

NEW = find_words(
    r"propos\w+|introduc\w+|presents?|new|novel|first|instead of|rather than|starts from|"
    r"defines?|replac\w+"
)
GIVES = find_words(
    r"conclu\w+|shows? that|found|establish\w+|provid\w+|demonstrat\w+|contribut\w+|offer\w*|"
    r"support\w*|improv\w+|outperform\w*"
)
REPORTS = ignore_case(
    r"\d ?(?:%|percent\b)|\boutperform\w*|\bimprov\w+ .{3,80}\b(?:by|over)\b|"
    r"\b(?:evaluated|tested|benchmarked) on\b"
)
SETUP = find_words(
    r"experiments?|evaluat\w+|tested|trial|study|measured|followed|compared|participants|"
    r"recorded|applied to|trained|ran"
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
    limits = [p for p in passages if _names_limit(p)][:2]
    problems = [p for p in passages if p.role == "problem" and p not in limits]
    own = [p for p in passages if p.role != "problem"]
    new = [p for p in own if NEW.search(p.text) and p not in limits]
    # A sentence stands in one field only, the first of these that it serves.
    novelty = ([p for p in new if p.role == "mechanism"] or new)[:1]
    giving = [p for p in own if p not in novelty and GIVES.search(p.text)][-1:]
    gives = [p for p in giving if p not in limits]
    served = [*limits, *novelty, *gives]
    mechanism = [p for p in own if p.role == "mechanism" and not _reports(p) and p not in served]
    reasons = [p for p in mechanism[1:] if REASONS.search(p.text)][:2]
    spoken = {p.text for p in passages}

    def join(found: Iterable[PaperSentence], beyond: Iterable[str] = ()) -> str:
        more = [line for line in beyond if line not in spoken]
        return _join([*(p.text for p in found), *more])

    return PaperIdea(
        background=join(problems),
        novelty="".join(p.text for p in novelty),
        contribution="".join(p.text for p in gives),
        method=join((p for p in mechanism if p not in reasons), whole.method),
        reasoning=join(reasons),
        limits=join(limits, whole.limits),
    )


def _names_limit(passage: PaperSentence) -> bool:
    """Say whether a sentence owns to a limit or leaves a point open."""
    weak = passage.role == "evaluation" and WEAK.search(passage.text)
    remains = passage.place > 1 and REMAINS.search(passage.text)
    return bool(passage.open or weak or remains)


def _reports(passage: PaperSentence) -> bool:
    """Say whether a sentence gives a result, wherever it stands but in the first two."""
    return passage.place > 1 and bool(REPORTS.search(passage.text))


def _join(lines: Iterable[str]) -> str:
    return clip(" ".join(lines), 2_000)


def _experiments(passages: tuple[PaperSentence, ...], whole: WholeText) -> tuple[Experiment, ...]:
    tests = [p.text for p in passages if p.role == "evaluation" or _reports(p)]
    tests = [line for line in tests if not REMAINS.search(line)]
    lines = list(dict.fromkeys([*tests, *whole.tests]))
    if not lines:
        return ()
    setup = [line for line in lines if SETUP.search(line)][:2]
    results = [line for line in lines if line not in setup and GIVES.search(line)][:2]
    found = find_tested(lines)
    experiment = Experiment(
        setup=_join(setup),
        datasets="; ".join(found.data),
        baselines="; ".join(found.baselines),
        metrics="; ".join(found.measures),
        results=_join(results),
    )
    return (experiment,)


def _term_like(phrase: str, counts: Counter[str], kept: frozenset[str]) -> bool:
    """Say whether a phrase looks like a term: an acronym, a name, a hyphenated compound, or a noun
    phrase that recurs; no verb form in it.
    """
    inside = phrase.split()
    if any(map(is_verbal, inside)) or inside[0] in ("full", "standard", "complete"):
        return False
    if any(word.endswith("ed") for word in inside[1:-1]):
        return False
    if any(word in kept or has_capital_inside(word) for word in inside):
        return True
    return len(inside) > 1 and ("-" in phrase or counts[phrase] > 1)


def entities_of(library: PassageLibrary, paper: Paper, most: int = 8) -> tuple[Entity, ...]:
    """Return a paper's own terms, each with the sentence that explains it: acronyms, names and
    repeated or titled phrases.
    """
    passages = library.passages([paper])
    counts = count_phrases(p.text for p in passages)
    counts += Counter({write_small(phrase): 1 for phrase in noun_phrases(clean(paper.title))})
    titled = {phrase.lower() for phrase in noun_phrases(paper.title)}
    name, kept = name_of(paper) or "", find_names(paper)
    known = name.removeprefix("The ")
    spoken = [phrase for p in passages for phrase in telling_phrases(p.text)]
    weights: dict[str, float] = {}
    for phrase in {phrase.lower(): phrase for phrase in spoken}.values():
        weight = counts[phrase] + 2.0 * (phrase.lower() in titled)
        weight += 1.5 * (phrase in kept or has_capital_inside(phrase))
        weight += 0.5 * (" " in phrase)
        renamed = bool(known) and phrase != known and known in phrase
        if weight >= 1.5 and not renamed and _term_like(phrase, counts, kept):
            weights[phrase] = weight
    chosen = sorted(weights, key=lambda phrase: (-weights[phrase], phrase))
    longest = [phrase.lower() for phrase in chosen[:most]]
    names = [name] if name else []
    for phrase in chosen:
        low = phrase.lower()
        if not any(low != other and low in other for other in longest):
            names.append(phrase)
    distinct = list(dict.fromkeys(names))[:most]
    return tuple(Entity(name=name, meaning=_meaning(name, passages)) for name in distinct)


def _meaning(phrase: str, passages: tuple[PaperSentence, ...]) -> str:
    inside = [p for p in passages if phrase.lower() in p.text.lower()]
    explains = ignore_case(
        rf"{re.escape(phrase)}[^.]{{0,30}}\b(?:is|are|means|works|measures|asks|names|lets|"
        rf"generat|combin|rests)"
    )
    best = next((p for p in inside if explains.search(p.text)), inside[0] if inside else None)
    return clip(best.text, 300) if best else ""


def find_entities(entities: Iterable[Entity], text: str) -> list[str]:
    """Return the names of the entities that a text speaks of."""
    names = [entity.name for entity in entities if len(entity.name) > 2]
    return [name for name in names if name.lower() in text.lower()]


def merge(library: PassageLibrary, topic: str, readings: tuple[Reading, ...]) -> Entities:
    """Join the readings' entities under one name each, nearest to the topic first, and leave out
    those far from it.
    """
    spoken: dict[str, list[Entity]] = {}
    for reading in readings:
        for entity in reading.entities:
            inside = clean(entity.name).replace("-", " ").removeprefix("The ").lower().split()
            singular = " ".join(word.removesuffix("s") for word in inside)
            spoken.setdefault(singular, []).append(entity)
    if not spoken:
        return Entities(entities=())
    fullest = [max(same, key=lambda entity: len(entity.meaning)) for same in spoken.values()]
    texts = [f"{entity.name}: {entity.meaning}" for entity in fullest]
    near = library.cosines(texts, library.vector(topic))
    scored = [
        (cosine + 0.1 * (len(same) - 1), entity)
        for cosine, same, entity in zip(near, spoken.values(), fullest, strict=True)
    ]
    scored.sort(key=lambda pair: (-round(pair[0], 4), pair[1].name))
    return Entities(entities=tuple(entity for score, entity in scored if score >= 0.15)[:20])
