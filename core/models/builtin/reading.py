"""Reading a paper for somebody who must build on it: what its text says, and nothing else."""

# ruff: noqa: SIM905 - a list of words is read best as words.
import re
from collections import Counter
from collections.abc import Iterable

from core.models.builtin.english import clean, clipped
from core.models.builtin.library import Library, telling
from core.models.builtin.passages import REASONS, Passage
from core.models.builtin.phrases import ending_in, kept_capital, name_of, noun_phrases, repeated, small, verbal
from core.records import Entities, Entity, Experiment, Paper, PaperIdea, Reading

DATA = frozenset(
    "dataset benchmark corpus corpora participant cohort sample athlete patient player student adolescent mice animal record recording "
    "survey equation mesh set task problem puzzle trial subject volunteer simulation database".split()
)
MEASURES = frozenset(
    "accuracy score rate error index scale latency duration efficiency loss quality time rating agreement questionnaire diary "
    "actigraphy polysomnography metric correlation performance sleepiness validity reliability novelty vigilance".split()
)
BASELINES = re.compile(
    r"\b(?:baselines?|compared (?:with|to)|than|against|versus|control|without|in contrast to|outperform\w*|placebo|comparison)\b", re.IGNORECASE
)
NEW = re.compile(r"\b(?:propos\w+|introduc\w+|presents?|new|novel|first|instead of|rather than|starts from|defines?|replac\w+)\b", re.IGNORECASE)
GIVES = re.compile(
    r"\b(?:conclu\w+|shows? that|found|establish\w+|provid\w+|demonstrat\w+|contribut\w+|offer\w*|support\w*|improv\w+|outperform\w*)\b",
    re.IGNORECASE,
)
SETUP = re.compile(
    r"\b(?:experiments?|evaluat\w+|tested|trial|study|measured|followed|compared|participants|recorded|applied to|trained|ran)\b", re.IGNORECASE
)
OPEN = re.compile(
    r"\b(?:limits?|limited|limitation\w*|cannot|could not|no control|small (?:sample|cross)|unclear|caution\w*|future work|fails?|"
    r"only (?:one|a|self)|indirect|"
    r"depends? on|narrow|remains?|equivocal|still struggl\w+|costly|expensive)\b",
    re.IGNORECASE,
)


def extract(library: Library, paper: Paper) -> Reading:
    """Sort the sentences of a paper's abstract; a field the text does not speak to stays empty."""
    if not clean(paper.abstract):
        return Reading(entities=(), idea=PaperIdea(), experiments=())
    passages = library.passages([paper])
    mechanism = [p for p in passages if p.role == "mechanism"]
    tests = [p for p in passages if p.role == "evaluation"]
    novelty = next((p for p in passages if p.role != "problem" and NEW.search(p.text)), None)
    gives = next((p for p in reversed(passages) if p is not novelty and p.role != "problem" and GIVES.search(p.text)), None)
    limits = [p for p in passages if p.open or (p.role == "evaluation" and OPEN.search(p.text))][:2]
    # A sentence stands in one field only, the first of these that it serves.
    spoken = [p for p in (novelty, gives) if p]
    limits = [p for p in limits if p not in spoken]
    left = [p for p in mechanism if p not in spoken and p not in limits]
    reasons = [p for p in left[1:] if REASONS.search(p.text)][:2]
    idea = PaperIdea(
        background=_joined(p for p in passages if p.role == "problem" and p not in limits),
        novelty=novelty.text if novelty else "",
        contribution=gives.text if gives else "",
        method=_joined(p for p in left if p not in reasons),
        reasoning=_joined(reasons),
        limits=_joined(limits),
    )
    return Reading(entities=entities_of(library, paper), idea=idea, experiments=_experiments(tests))


def _joined(passages: Iterable[Passage]) -> str:
    return clipped(" ".join(p.text for p in passages), 2_000)


def _experiments(tests: list[Passage]) -> tuple[Experiment, ...]:
    if not tests:
        return ()
    text = " ".join(p.text for p in tests)
    setup = [p for p in tests if SETUP.search(p.text)][:2]
    results = [p for p in tests if p not in setup and GIVES.search(p.text)][:2]
    against = [p for p in tests if p not in setup and p not in results and BASELINES.search(p.text)][:1]
    return (
        Experiment(
            setup=_joined(setup),
            datasets="; ".join(ending_in(text, DATA)[:5]),
            metrics="; ".join(ending_in(text, MEASURES)[:5]),
            baselines=_joined(against),
            results=_joined(results),
        ),
    )


def _term_like(phrase: str, counts: Counter[str], kept: frozenset[str]) -> bool:
    """Say whether a phrase looks like a term: an acronym, a name, a hyphenated compound, or a noun phrase that recurs; no verb form in it."""
    inside = phrase.split()
    if any(verbal(word) for word in inside) or any(word.endswith("ed") for word in inside[1:-1]) or inside[0] in ("full", "standard", "complete"):
        return False
    coined = any(any(c.isupper() for c in word[1:]) for word in inside) or any(word in kept for word in inside)
    return coined or (len(inside) > 1 and ("-" in phrase or counts[phrase] > 1))


def entities_of(library: Library, paper: Paper, most: int = 8) -> tuple[Entity, ...]:
    """Return a paper's own terms, each with the sentence that explains it: acronyms, names and repeated or titled phrases."""
    passages = library.passages([paper])
    counts = repeated(p.text for p in passages)
    titled = {phrase.lower() for phrase in noun_phrases(paper.title)}
    name, kept = name_of(paper), kept_capital(paper)
    phrases = {phrase.lower(): phrase for p in passages for phrase in noun_phrases(p.text) if telling(phrase)}
    counts += Counter({small(phrase): 1 for phrase in noun_phrases(clean(paper.title))})
    phrases = {key: phrase for key, phrase in phrases.items() if _term_like(phrase, counts, kept)}
    weights = {
        phrase: counts[phrase]
        + 2 * (key in titled)
        + 1.5 * (phrase in kept or any(c.isupper() for c in phrase[1:]))
        + 0.5 * (len(phrase.split()) > 1)
        for key, phrase in phrases.items()
    }
    chosen = [phrase for phrase, weight in sorted(weights.items(), key=lambda kv: (-kv[1], kv[0])) if weight >= 1.5]
    distinct = [phrase for phrase in chosen if not any(phrase != other and phrase.lower() in other.lower() for other in chosen[:most])]
    names = list(dict.fromkeys([*([name] if name else []), *distinct]))[:most]
    return tuple(Entity(name=one, meaning=_meaning(one, passages)) for one in names)


def _meaning(phrase: str, passages: tuple[Passage, ...]) -> str:
    inside = [p for p in passages if phrase.lower() in p.text.lower()]
    explains = re.compile(rf"{re.escape(phrase)}[^.]{{0,30}}\b(?:is|are|means|works|measures|asks|names|lets|generat|combin|rests)", re.IGNORECASE)
    best = next((p for p in inside if explains.search(p.text)), inside[0] if inside else None)
    return clipped(best.text, 300) if best else ""


def merge(library: Library, topic: str, readings: tuple[Reading, ...]) -> Entities:
    """Join the readings' entities under one name each, nearest to the topic first, and leave out those far from it."""
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
        zip((float(n) + 0.1 * (often[_singular(e.name)] - 1) for n, e in zip(near, entities, strict=True)), entities, strict=True),
        key=lambda pair: (-round(pair[0], 4), pair[1].name),
    )
    return Entities(entities=tuple(entity for score, entity in scored if score >= 0.15)[:20])


def _singular(name: str) -> str:
    return " ".join(word.lower().removesuffix("s") for word in clean(name).split())
