"""What a study of an idea would look like: its kind, its data, what it is compared with and what is
measured.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from core.models.builtin.english import (
    has_capital_inside,
    ignore_case,
    last_word,
    uncapitalise,
    word_set,
)
from core.models.builtin.library import PassageLibrary
from core.models.builtin.passages import rank_sentences
from core.models.builtin.phrases import cite, ending_in, words
from core.records import Paper

Kind = Literal["people", "animals", "equations", "programs", "other"]
_CUES: dict[Kind, frozenset[str]] = {
    "people": word_set(
        "participant participants athlete athletes adolescent adolescents patient patients student"
        " students players people teenagers children adults sleep school volunteers women men"
        " clinical health diet nurse nurses workers drivers teachers teenager pupils swimmers"
        " shift"
    ),
    "animals": word_set(
        "mice mouse rat rats dog dogs animal animals primates monkeys zebrafish knockout"
        " optogenetic"
    ),
    "equations": word_set(
        "pde pdes mesh meshes solver solvers differential equation equations numerical"
        " navier-stokes operator operators discretization physics-informed simulation fluid"
        " turbulence grid flow fourier aerodynamic cylinders"
    ),
    "programs": word_set(
        "llm llms language model models agent agents prompt prompting prompts gpt-4 benchmark"
        " benchmarks neural network networks transformer token tokens retrieval reasoning code"
        " software algorithm ideation"
    ),
}
MEASURE_HEADS = word_set(
    "accuracy score rate error index scale latency duration efficiency quality rating agreement"
    " questionnaire diary actigraphy polysomnography correlation sleepiness vigilance metric sleep"
    " energy"
)
DATA_HEADS = word_set(
    "dataset benchmark corpus cohort corpora database survey suite collection puzzle problem"
)
DEFAULTS: dict[Kind, dict[str, str]] = {
    "people": {
        "data": "questionnaires, a diary and activity records of the participants",
        "measure": "a validated questionnaire score",
        "bound": "20 participants and eight weeks",
        "many": "20 participants",
        "access": (
            "Taking part needs written consent, for minors also that of their parents, and the"
            " approval of an ethics board"
        ),
        "unit": "participants",
        "staff": "two people and equipment that can be borrowed",
    },
    "animals": {
        "data": "recordings of behaviour and sleep from the animals",
        "measure": "time in each behavioural state",
        "bound": "12 animals and ten weeks",
        "many": "12 animals",
        "access": (
            "The work needs the approval of an animal ethics board and runs in a laboratory that"
            " already keeps the strain"
        ),
        "unit": "animals",
        "staff": "two people in a laboratory that already runs the procedure",
    },
    "equations": {
        "data": "public solutions of two standard equations at two resolutions",
        "measure": "the relative error on held-out cases",
        "bound": "two equations, one GPU and six weeks",
        "many": "two equations, one GPU",
        "access": "Everything runs with public code and public data",
        "unit": "equations",
        "staff": "one person with one GPU",
    },
    "programs": {
        "data": "a public benchmark with fixed test cases",
        "measure": "blind ratings by two judges",
        "bound": "100 test cases, one open model and six weeks",
        "many": "100 test cases, one open model",
        "access": "Everything runs with open weights, public code and public data",
        "unit": "test cases",
        "staff": "one person with a modest call budget",
    },
    "other": {
        "data": "material that is publicly available",
        "measure": "the agreed outcome",
        "bound": "a pilot of 30 cases and eight weeks",
        "many": "30 cases",
        "access": "The material and the permission to use it are at hand before the work starts",
        "unit": "cases",
        "staff": "two people with what they already have",
    },
}


@dataclass(frozen=True)
class Setting:
    """The parts of a study, each a noun phrase; where a part was taken from a paper, that paper is
    named in `source`.
    """

    kind: Kind
    data: str
    measure: str
    bound: str
    access: str
    unit: str
    staff: str
    source: Paper | None


@lru_cache(maxsize=4096)
def kind_of(text: str) -> Kind:
    """Return what kind of study a text speaks of, by counting its words."""
    spoken = Counter(map(str.lower, words(text)))
    counts = {kind: sum(spoken[cue] for cue in cues) for kind, cues in _CUES.items()}
    best = max(counts, key=lambda kind: counts[kind])
    return best if counts[best] else "other"


def setting_for(
    library: PassageLibrary, text: str, papers: Sequence[Paper], about: str = ""
) -> Setting:
    """Return how the idea in `text` could be studied, with the measure and the data of the paper
    that tested nearest to it.
    """
    kind = kind_of(f"{text} {about}")
    plain = DEFAULTS[kind]
    asked = library.vector(text)
    passages = library.passages(papers)
    tests = []
    for passage in passages:
        tested = kind_of(f"{passage.text} {passage.paper.title}")
        if passage.role == "evaluation" and tested in (kind, "other"):
            tests.append((passage.near(asked), passage))
    nearest = [passage for _, passage in rank_sentences(tests)[:8]]
    often = Counter[str]()
    for passage in passages:
        often.update(phrase.lower() for phrase in set(measures_in(passage.text)))
    measure, source, data = plain["measure"], None, plain["data"]
    for passage in reversed(nearest):
        for phrase in reversed(measures_in(passage.text)):
            if often[phrase.lower()] > 1:
                measure, source = with_article(phrase), passage.paper
        for phrase in data_in(passage.text)[:1]:
            data = f"{the_data(phrase)} of {cite(passage.paper)}"
    return Setting(
        kind=kind,
        data=data,
        measure=measure,
        bound=plain["bound"],
        access=plain["access"],
        unit=plain["unit"],
        staff=plain["staff"],
        source=source,
    )


_NO_MEASURE = ignore_case(
    r"(?:poor|higher|lower|desired|reported|comparable|self-rated|adolescent|athlete|normal|total|"
    r"night)\b"
)
"""How phrases begin that say how much or whose, and not what is measured."""


def fits(kind: Kind, paper: Paper) -> bool:
    """Say whether what a paper did can be taken over into a study of that kind."""
    return kind == "other" or kind_of(f"{paper.title} {paper.abstract}") in (kind, "other")


def is_of_others(kind: Kind, text: str) -> bool:
    """Say whether a sentence speaks of animals where people are studied, or the other way round."""
    spoken = {word.lower() for word in words(text)}
    animals, people = (bool(spoken & _CUES[one]) for one in ("animals", "people"))
    return (kind == "people" and animals) or (kind == "animals" and people and not animals)


def measures_in(text: str) -> tuple[str, ...]:
    """Return the measures a sentence names."""
    return _short_phrases(text, MEASURE_HEADS, _NO_MEASURE)


def data_in(text: str) -> tuple[str, ...]:
    """Return the data a sentence names."""
    return _short_phrases(text, DATA_HEADS, _NO_DATA)


_NO_DATA = re.compile(r"(?:hard|open|new)\b")
"""How phrases begin that end like data and name none: "a hard problem set"."""


def _short_phrases(text: str, heads: frozenset[str], unfit: re.Pattern[str]) -> tuple[str, ...]:
    """Return the phrases of two to four words that end in one of the heads and begin otherwise than
    is unfit.
    """
    found = [phrase for phrase in ending_in(text, heads) if not unfit.match(phrase)]
    return tuple(phrase for phrase in found if 1 < len(phrase.split()) <= 4)


def with_article(phrase: str) -> str:
    """Return a noun phrase with the article it needs: plurals and mass nouns take none."""
    *before, head = phrase.split()
    last = head.lower()
    if _ends_in_plural(last, "sis") or last in _MASS or last[-1].isdigit():
        return phrase
    if has_capital_inside(head) or (not before and phrase[0].isupper()):
        return phrase
    title = re.search(r"[A-Z]\S* (?:of|and|with|for|to) [A-Z]", phrase)
    return phrase if title else f"the {phrase}"


def _ends_in_plural(word: str, *others: str) -> bool:
    """Say whether a word in small letters looks like a plural."""
    return word.endswith("s") and not word.endswith(("ss", "us", *others))


_MASS = word_set(
    "physiology accuracy quality sleep latency efficiency agreement sleepiness vigilance actigraphy"
    " polysomnography energy performance error duration prompting reasoning search feedback memory"
    " training learning education exercise extension retrieval decoding attention sampling ideation"
    " light therapy diet music caffeine practice advice software text speech noise help consistency"
    " self-consistency reflection planning research hygiene restriction monitoring evidence"
    " behaviour science debate arousal regression wakefulness narcolepsy insomnia melatonin"
    " orexin"
)


def is_plural(phrase: str) -> bool:
    """Say whether a noun phrase takes a verb in the plural, as far as its first noun shows."""
    head = re.split(r"\s(?:of|in|as|with|to|for|on|between)\s", phrase)[0]
    return " and " in head or _ends_in_plural(last_word(head), "sis", "ics")


def with_the(phrase: str) -> str:
    """Return a person's phrase with an article where its first words are a plain singular noun
    phrase.
    """
    if not phrase or re.match(r"(?:the|a|an|how|whether|\w+ing)\b", phrase, re.IGNORECASE):
        return phrase
    head = re.split(r"\s(?:of|in|as|with|to|for|on|and)\s", phrase)[0]
    return phrase if with_article(head) == head else f"the {phrase}"


def the_data(phrase: str) -> str:
    """Return data a paper used, as the object of a sentence: a name made with '-like' is no proper
    name.
    """
    like = phrase.split(maxsplit=1)[0].endswith("like")
    return f"the {uncapitalise(phrase) if like else phrase}"
