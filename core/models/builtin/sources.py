"""What a chain has to draw on: each paper with what was read of it, what kind of work it is, and
how to speak of it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.models.builtin.english import (
    capitalise,
    clean,
    clip,
    find_words,
    ignore_case,
    sentences,
)
from core.models.builtin.library import PassageLibrary
from core.models.builtin.naming import Handle, handle
from core.models.builtin.phrases import cite, cite_two_authors, name_of, retell_from
from core.models.builtin.reading import extract
from core.models.builtin.setting import Kind, kind_of
from core.records import Chain, Experiment, Paper, Reading
from core.wording.summaries import mark_summary

Work = Literal["method", "intervention", "study", "measure", "review"]
_REVIEWS = find_words(
    r"(?:a|systematic|narrative|scoping|literature|critical) (?:\w+ )?review|survey|"
    r"meta-analys[ie]s|overview|update on"
)
_IS_REVIEW = find_words(
    r"narrative review|systematic review|meta-analysis|this (?:review|survey)|"
    r"the (?:\w+ ){0,3}review (?:asks|treats|argues|brings|compares)"
)
_MEASURES = ignore_case(
    r"\w*bench\b|\b(?:benchmarks?|benchmarking|index|questionnaire|(?<!-)scale|instrument|dataset|"
    r"corpus|assess\w*|evaluating|evaluators?|evaluation (?:of|using)|monitoring|measuring|"
    r"validity|reliability|judging|judges?)\b"
)
_INSTRUMENT = ignore_case(r"index|questionnaire|scale|instrument")
_INTERVENES = find_words(
    r"interventions?|trial|education|extension|supplement\w*|treatment|therapy|programme|"
    r"delaying|delivery|administration|antagonist|training program|exercise program\w*|"
    r"light exposure|coaching|seminars?"
)
_STUDIES = find_words(
    r"failure modes|human study|large-scale study|when and why|why|understanding|"
    r"characteri[sz]ing|critical perspective|analysis of|comparison"
)
_BUILDS = find_words(
    r"methods?|approach\w*|algorithms?|techniques?|systems?|frameworks?|process(?:es)?|"
    r"we (?:propose|present|introduce|develop|build|take up|go on|train|design|construct|"
    r"synthesi[sz]e)"
)
ASIDE = ignore_case(
    r"(?:we|the authors) (?:go on|start|build up|follow) (?:from|on)\b|"
    r"the (?:paper|evidence) is a\b|the title of\b"
)
"""How a sentence begins that names a predecessor, or speaks of the paper itself, and of no way of
working.
"""
_CAME_OUT = find_words(
    r"produced|improved|reached|rated|outperform\w*|(?:was|were) (?:tested|evaluated|"
    r"compared)|reported|percent|judged"
)
WORDS: dict[Work, str] = {
    "method": "method",
    "intervention": "intervention",
    "study": "study",
    "measure": "instrument",
    "review": "review",
}


@dataclass(frozen=True, eq=False)
class ReadPaper:
    """A paper and what was read of it."""

    paper: Paper
    reading: Reading
    name: str
    """How to refer to the paper in a sentence; distinct within one chain."""

    @cached_property
    def kind(self) -> Kind:
        return kind_of(f"{self.paper.title} {self.paper.abstract}")

    @cached_property
    def work(self) -> Work:
        return work_of(self.paper)

    @cached_property
    def handle(self) -> Handle:
        return handle(self.paper)

    @property
    def device(self) -> str:
        """What the paper brings, as the subject or object of a sentence."""
        return name_of(self.paper) or f"the {WORDS[self.work]} of {self.name}"

    @property
    def thing(self) -> str:
        """The title's words for what it brings or looks at, for a title of ours; empty where it has
        none.
        """
        return self.handle.thing

    @property
    def short(self) -> str:
        """The few words a title of ours calls its matter by."""
        return self.thing or self.name

    @property
    def ways(self) -> tuple[str, ...]:
        """Sentences on how it works."""
        idea = self.reading.idea
        lines = distinct(
            "" if _CAME_OUT.search(idea.novelty) else idea.novelty, idea.method, idea.reasoning
        )
        return tuple(line for line in lines if not ASIDE.match(line)) or lines

    @property
    def gaps(self) -> tuple[str, ...]:
        """Sentences on what it leaves open."""
        return distinct(self.reading.idea.limits)

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences on what it set out from."""
        return distinct(self.reading.idea.background)

    @property
    def findings(self) -> tuple[str, ...]:
        """Sentences on what came out."""
        return distinct(
            self.reading.idea.contribution, *(one.results for one in self.reading.experiments)
        )

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        return self.reading.experiments

    def told(self, sentence: str, most: int = 400) -> str:
        """Return one of its sentences as it can follow a colon, marked where it is from a built-in
        summary.
        """
        told = capitalise(clip(retell_from(self.paper, sentence), most))
        return mark_summary(self.paper, sentence, told)


def distinct(*texts: str) -> tuple[str, ...]:
    """Return the sentences of several texts, each once, those first that can be understood
    alone.
    """
    return tuple(dict.fromkeys(line for text in texts for line in sentences(text)))


def sources_of(library: PassageLibrary, chain: Chain) -> tuple[ReadPaper, ...]:
    """Return a chain's papers with what was read of them; one that was not read is read now."""
    names = refer_to(chain.papers)
    return tuple(
        ReadPaper(link.paper, link.reading or extract(library, link.paper, None), name)
        for link, name in zip(chain.links, names, strict=True)
    )


def refer_to(papers: Sequence[Paper]) -> tuple[str, ...]:
    """Return how to refer to each paper in a sentence, so that no two are called the same."""
    usual = [cite(paper) for paper in papers]
    names: list[str] = []
    for name, paper in zip(usual, papers, strict=True):
        if usual.count(name) == 1:
            names.append(name)
            continue
        alike = [one for one, called in zip(papers, usual, strict=True) if called == name]
        by_two, thing = cite_two_authors(paper), handle(paper).thing
        if by_two and [cite_two_authors(one) for one in alike].count(by_two) == 1:
            names.append(by_two)
            continue
        if thing and paper.named and [handle(one).thing for one in alike].count(thing) == 1:
            names.append(f"{name} on {thing}")
            continue
        title, year = clean(paper.title) or paper.id, f" ({paper.year})" if paper.year else ""
        # A title that was cut gets no ellipsis: the quotation marks say that it is a title.
        parts = [
            clip(part.replace('"', "'"), 70).removesuffix(" ...").strip(" .?!")
            for part in (*title.split(": "), title)
        ]
        quoted = [f'"{part}"{year}' for part in parts]
        names.append(next((part for part in quoted if part not in names), f'"{paper.id}"'))
    return tuple(names)


def work_of(paper: Paper) -> Work:
    """Say what kind of work a paper is, by its title first and then by its abstract."""
    title, text = clean(paper.title), clean(paper.abstract)
    if _REVIEWS.search(title) or _IS_REVIEW.search(text):
        return "review"
    kind = kind_of(f"{title} {text}")
    living = kind in ("people", "animals")
    if living and _INTERVENES.search(title):
        return "intervention"
    if _MEASURES.search(re.split(r"\s(?:with|for|under)\s", title)[0]):
        return "measure" if not living or _INSTRUMENT.search(title) else "study"
    if living or (_STUDIES.search(title) and not name_of(paper)):
        return "study"
    built = kind in ("programs", "equations") or not text or _BUILDS.search(f"{title}. {text}")
    return "method" if built else "study"
