"""What can be measured about an idea: rules with a weight, when one is unmet, and what would meet
it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from core.models.builtin.english import clip, sentences
from core.models.builtin.invention import Plot, plot, use_title_words
from core.models.builtin.library import PassageLibrary, whole
from core.models.builtin.pairing import mentions, source_of
from core.models.builtin.passages import PaperSentence, nearest_sentence, rank_sentences
from core.models.builtin.phrases import cite
from core.models.builtin.proposal import Proposal, read_proposal
from core.models.builtin.recognised import RecognisedIdea, recognise
from core.models.builtin.searching import essence
from core.models.builtin.setting import (
    Kind,
    Setting,
    kind_of,
    setting_for,
    with_article,
    with_the,
)
from core.records import Idea, Indicator, Paper
from core.wording.summaries import without_mark

SPOKEN = ("method", "hypothesis", "objective", "novelty", "title")
"""Where a person says what is to be done, the plainest place first."""
CLAIMING = ("hypothesis", "novelty", "title")
"""Where a person claims a cause."""
WRITTEN = re.compile(
    r"put forward for another purpose|described how it works:|, as described by |"
    r"(?:gain from|depends on) .{1,120}, which .{1,100} (?:put forward|mentioned)\.|"
    r"by the mechanism that .{1,120} described|depends on .{1,200} described ",
    re.DOTALL,
)
"""How the sentences read by which this model joins a paper's mechanism to a problem."""
NEAR = 0.3
"""Cosine of an idea and a paper from which the paper may be brought up beside a person's own idea.
"""
CITES = re.compile(r"\(\d{4}\)|\bet al\.|\[\w[^\]]{0,40}\]")
"""How a sentence looks that refers to a work by name."""


@dataclass(frozen=True)
class Edit:
    """A sentence that answers a remark: the field it goes to, and what it takes the place of there
    (else it is added).
    """

    field: str
    sentence: str
    displaces: re.Pattern[str] | None = None


@dataclass(frozen=True, eq=False)
class Rule:
    """One measurable demand: `unmet` returns the remark, or None where the demand is met; `remedy`
    returns what would meet it.
    """

    name: str
    trait: str
    weight: int
    unmet: Callable[["IdeaCase"], str | None]
    remedy: Callable[["IdeaCase"], tuple[Edit, ...]]
    plainly: str
    """The demand as a person might put it, by which somebody else's remark is understood."""


ByKind = Mapping[Kind, str]
"""Words that differ with the kind of study."""


def lacking(
    pattern: re.Pattern[str], remark: str, *, beside_papers: bool = False, **words: ByKind
) -> Callable[["IdeaCase"], str | None]:
    """Return what makes the remark where no sentence of the idea fits the pattern.

    `{case...}` and the named words are filled in. What is asked `beside_papers` needs a sentence
    that names a work, and is asked only where papers are at hand.
    """

    def unmet(case: IdeaCase) -> str | None:
        if case.says(pattern, beside_papers) or (beside_papers and not case.at_hand):
            return None
        return _fill(remark, case, words)

    return unmet


def adding(
    field: str, sentence: str, displaces: re.Pattern[str] | None = None, **words: ByKind
) -> Callable[["IdeaCase"], tuple[Edit, ...]]:
    """Return what adds one sentence, filled in as a remark is."""
    return lambda case: (Edit(field, _fill(sentence, case, words), displaces),)


def _fill(sentence: str, case: "IdeaCase", words: Mapping[str, ByKind]) -> str:
    fitting = {name: by_kind[case.study.kind] for name, by_kind in words.items()}
    return sentence.format(case=case, **fitting)


class IdeaCase:
    """An idea on the bench: what it joins, what lies near it, and its sentences."""

    def __init__(
        self, library: PassageLibrary, idea: Idea, goal: Indicator, context: Sequence[Paper]
    ):
        self.library = library
        self.idea = idea
        self.goal = goal
        self.context = tuple(context)

    @cached_property
    def essence(self) -> str:
        return essence(self.idea)

    @cached_property
    def reach(self) -> tuple[Paper, ...]:
        return self.library.within_reach(self.essence, self.context)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The idea sentence by sentence, without its title."""
        return tuple(
            line
            for name, text in self.idea.fields.items()
            if name != "title"
            for line in sentences(text)
        )

    @cached_property
    def plot(self) -> Plot | None:
        fields = self.idea.fields
        title, claims = fields.get("title", ""), sentences(fields.get("hypothesis", ""))
        aim = fields.get("objective") or fields.get("novelty", "")
        text = without_mark(" ".join([title, aim, *claims[:2]]))
        if not WRITTEN.search(text) and not self._copied(claims[:1]):
            return None
        found = plot(self.library, text, self.reach)
        return found and use_title_words(found, title)

    def _copied(self, spoken: Sequence[str]) -> bool:
        # A paper's own sentence proposes what that paper proposes.
        return any(
            len(line) > 40 and line in whole(paper)
            for line in spoken
            for paper, _ in self.library.nearest(self.essence, self.reach, 3)
        )

    @cached_property
    def own(self) -> Proposal | None:
        """What a person proposes in their own words; None for an idea that was joined from two
        papers, and where nothing is recognised.
        """
        if self.plot or self.put:
            return None
        fields = self.idea.fields
        spoken = {name: sentences(fields.get(name, "")) for name in SPOKEN}
        claims = [line for name in CLAIMING for line in spoken[name][:1]]
        return read_proposal([line for lines in spoken.values() for line in lines], claims)

    @cached_property
    def put(self) -> RecognisedIdea | None:
        """What a chain idea of this model does."""
        return None if self.plot else recognise(self.idea.fields)

    @cached_property
    def at_hand(self) -> tuple[Paper, ...]:
        """The papers near enough to say anything about the idea, nearest first."""
        if self.plot:
            return self.reach
        near = self.library.nearest(self.essence, self.reach)
        return tuple(paper for paper, cosine in near if cosine >= NEAR)

    @cached_property
    def study(self) -> Setting:
        if self.plot:
            return self.plot.setting
        words = self.own.words if self.own else self.idea.fields.get("hypothesis", self.essence)
        # Where the claim itself does not say who is studied, the rest of the idea does.
        whole = "" if kind_of(words) != "other" else without_mark(self.idea.text)
        found = setting_for(self.library, without_mark(words), self.at_hand, whole)
        if self.put:
            return replace(found, measure=self.put.measure, source=None)
        if self.own and self.own.outcome:
            return replace(found, measure=with_the(self.own.outcome), source=None)
        return found

    @cached_property
    def device(self) -> str:
        """What the idea would bring in, with its article."""
        if self.plot:
            return with_article(self.plot.device)
        if self.put:
            return self.put.device
        if not self.own:
            return "the supposed cause"
        named = with_the(self.own.device)
        return named if self.own.action else f"a difference in {named}"

    @cached_property
    def matter(self) -> str:
        """What the idea is for, with its article."""
        if self.plot:
            return with_article(self.plot.matter)
        if self.put:
            return self.put.matter
        if not self.own:
            return "the supposed effect"
        return with_the(self.own.outcome) or self.study.measure

    @cached_property
    def source(self) -> str | None:
        if self.plot and self._owes(self.plot.mechanism.paper, self.plot.device):
            return source_of(self.plot.mechanism.paper, self.plot.device)
        return None

    def _owes(self, paper: Paper, phrase: str) -> bool:
        # A paper is credited with a phrase only where the idea names the paper and the paper has
        # the phrase.
        return mentions(self.idea.text, paper) and phrase.lower() in whole(paper).lower()

    @property
    def by(self) -> str:
        """A clause that says where the device is from."""
        return f", as described by {self.source}," if self.source else ""

    @property
    def place(self) -> str:
        """The setting the study would take over."""
        if self.plot and self.raised:
            return f"the setting of {cite(self.plot.problem.paper)}"
        return "a first small trial"

    @property
    def raised(self) -> str:
        """A clause that says where the matter is from."""
        if self.plot and self._owes(self.plot.problem.paper, self.plot.matter):
            return f", as raised by {cite(self.plot.problem.paper)}"
        return ""

    @cached_property
    def nearest(self) -> tuple[Paper, float] | None:
        """The paper nearest to what the idea does, with the cosine."""
        return next(iter(self.library.nearest(self.essence, self.reach, 1)), None)

    @property
    def neighbour(self) -> str:
        """How to refer to the nearest paper."""
        return cite(self.nearest[0]) if self.nearest else "the nearest work"

    def overlap(self, paper: Paper) -> PaperSentence:
        """Return the paper's passage nearest to the idea."""
        return nearest_sentence(self.library.passages([paper]), self.library.vector(self.essence))

    @property
    def method_text(self) -> str:
        """What the idea says would be done."""
        fields = self.idea.fields
        return fields.get("method") or fields.get("hypothesis", "")

    @property
    def method(self) -> tuple[str, ...]:
        """The same, sentence by sentence."""
        return sentences(self.method_text)

    @property
    def beginning(self) -> str:
        """The idea's first sentence, to be quoted."""
        return self._quoted(self.lines)

    @property
    def ending(self) -> str:
        """The last sentence of the method, to be quoted."""
        return self._quoted(self.method[-1:])

    @property
    def claim(self) -> str:
        """The sentence that claims something, to be quoted."""
        fields = self.idea.fields
        return self._quoted(sentences(fields.get("hypothesis") or fields.get("novelty", "")))

    def _quoted(self, lines: Sequence[str]) -> str:
        words = without_mark(lines[0] if lines else self.idea.title)
        # A quotation within quotation marks has single ones.
        return clip(words.replace('"', "'"), 140).rstrip(".")

    def says(self, pattern: re.Pattern[str], citing: bool = False) -> bool:
        """Whether a sentence of the idea fits the pattern (and names a work, where that is
        asked).
        """
        return any(
            pattern.search(self._own_words(line)) and (not citing or self.cites(line))
            for line in self.lines
        )

    def _own_words(self, line: str) -> str:
        # What follows "Author (year) ...:" is what that paper says, and proves nothing of the idea.
        head, colon, _ = line.partition(": ")
        return head if colon and self.cites(head) else line

    def cites(self, line: str) -> bool:
        return CITES.search(line) is not None or any(
            mentions(line, paper) for paper in self.context
        )

    def free(self, passages: Sequence[PaperSentence]) -> list[tuple[float, PaperSentence]]:
        """Return passages that stand alone, of papers the idea does not name yet, with their cosine
        to its problem, nearest first.
        """
        problem = self.plot.problem.vector if self.plot else self.library.vector(self.essence)
        return rank_sentences(
            (passage.near(problem), passage)
            for passage in passages
            if passage.alone and not mentions(self.idea.text, passage.paper)
        )


def shortfall(case: IdeaCase, rules: Sequence[Rule]) -> list[tuple[Rule, str]]:
    """Return the unmet rules with their remarks, the weightiest first."""
    found = [(rule, remark) for rule in rules if (remark := rule.unmet(case))]
    return sorted(found, key=lambda pair: -pair[0].weight)
