"""What can be checked of an experiment design, what is said where it is missing, and what would
mend it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.models.builtin.comparing import WORKS
from core.models.builtin.english import clipped
from core.models.builtin.feasibility_rules import NUMBER
from core.models.builtin.library import PassageLibrary
from core.models.builtin.phrases import called
from core.models.builtin.setting import DEFAULTS, Kind, kind_of
from core.models.builtin.tested import TestedStretches, named_in, tested
from core.records import Design, Idea, Paper

Judged = Literal["clear", "complete", "named", "runnable"]
Part = Literal["setup", "models", "datasets", "baselines", "metrics", "procedure", "analysis"]
MODELS = re.compile(
    r"\b(?:GPT-?\d[\w.-]*|ChatGPT|InstructGPT|PaLM|LaMDA|UL2|Llama[\w .-]{0,6}\d?|Qwen[\w.-]*|"
    r"Mistral\w*|Gemini[\w .]*\d|Claude[\w .-]*\d|DeepSeek-\w+|T5|BERT|RoBERTa|U-Net|ResNet|FNO|"
    r"DeepONet|Transformer)\b"
)
FITTING = 0.4
"""Cosine of an idea and a paper from which data, measures and baselines may be taken from it."""
_CASES = (
    r"(?:participants|players|athletes|patients|students|people|animals|mice|rats|cases|"
    r"test cases|training cases|equations|topics|papers|questions|tasks|samples|problems|seeds|"
    r"runs)"
)


@dataclass(frozen=True, eq=False)
class DesignUnderReview:
    """A design under review, with the idea it is for and the papers that were looked up."""

    library: PassageLibrary
    idea: Idea
    design: Design
    papers: tuple[Paper, ...] = ()

    @property
    def kind(self) -> Kind:
        return kind_of(f"{self.idea.text} {self.design.setup} {self.design.datasets}")

    @cached_property
    def fitting(self) -> tuple[Paper, ...]:
        """The papers that were looked up and lie near enough to the idea to lend it anything."""
        near = self.library.nearest(self.idea.text, self.papers)
        return tuple(paper for paper, cosine in near if cosine >= FITTING)

    @property
    def living(self) -> bool:
        return self.kind in ("people", "animals")

    def text(self, *parts: Part) -> str:
        """Return what these parts say, without what they quote from papers."""
        spoken = " ".join(
            " ".join(value) if isinstance(value := getattr(self.design, part), tuple) else value
            for part in parts
        )
        # Quotes are taken in pairs: what stands between two short ones is the design's own.
        return re.sub(
            r"\"([^\"]*)\"", lambda found: "" if len(found[1]) >= 40 else found[0], spoken
        )

    def says(self, pattern: str, *parts: Part) -> bool:
        return re.search(pattern, self.text(*(parts or PARTS)), re.IGNORECASE) is not None


PARTS: tuple[Part, ...] = (
    "setup",
    "models",
    "datasets",
    "baselines",
    "metrics",
    "procedure",
    "analysis",
)


@dataclass(frozen=True)
class DesignCheck:
    """One thing a design must have: what it decides, where it belongs, the remark where it is
    missing, and the sentence that mends it.
    """

    judged: Judged
    part: Part
    met: Callable[[DesignUnderReview], bool]
    remark: str
    """`{said}` is what the part says now."""
    mend: Callable[[DesignUnderReview], str]
    query: str = ""
    """What to look up for it, after the words of the idea."""


def missing(check: DesignCheck, bench: DesignUnderReview) -> str | None:
    """Return the remark, or None where the design has what is asked."""
    return (
        None
        if check.met(bench)
        else check.remark.format(said=clipped(bench.text(check.part).rstrip("."), 110))
    )


def _from_papers(
    bench: DesignUnderReview, what: str, pick: Callable[[TestedStretches], Sequence[str]]
) -> str:
    """Return what the first paper that names such a thing says, in its own words; empty where none
    does.
    """
    for paper in bench.fitting:
        for passage in bench.library.passages([paper]):
            found = pick(tested([passage.text])) if passage.role == "evaluation" else ()
            if found:
                return (
                    f"{called(paper)} named {what} that can be used here, namely {found[0]}"
                    f' ("{clipped(passage.text, 240)}")'
                )
    return ""


def _looked_up(bench: DesignUnderReview) -> str:
    return (
        f"Nothing that fits is named in the {len(bench.papers)} papers that were looked up"
        if bench.papers
        else "Nothing was found that could be taken over"
    )


def _data(bench: DesignUnderReview) -> str:
    made = (
        f"so it is made for this study: {DEFAULTS[bench.kind]['data']}, described by the same form"
        " for every case"
    )
    return _from_papers(bench, "data", lambda found: found.data) or f"{_looked_up(bench)}, {made}"


def _baseline(bench: DesignUnderReview) -> str:
    works = WORKS.findall(bench.idea.text)
    own = f"What {works[0]} reported serves as the baseline to compare with" if works else ""
    made = f"{_looked_up(bench)}, so the plainest version that could work is built as the baseline"
    return _from_papers(bench, "baselines", lambda found: found.baselines) or own or made


def _measure(bench: DesignUnderReview) -> str:
    own = {
        "people": "a diary kept by the participants",
        "animals": "the time in each behavioural state",
        "equations": "the error in the conserved quantities",
        "programs": "blind ratings by two judges, with their agreement",
        "other": "the judgement of two people who do not know which version they see",
    }[bench.kind]
    found = _from_papers(
        bench,
        "a measure",
        lambda found: [
            one for one in found.measures if one.lower() not in bench.design.metrics.lower()
        ],
    )
    return found or f"A second measure of another kind is taken, namely {own}"


def _models(bench: DesignUnderReview) -> str:
    for paper in bench.fitting:
        for passage in bench.library.passages([paper]):
            names = list(dict.fromkeys(MODELS.findall(passage.text)))
            if names and passage.role == "evaluation":
                return (
                    f"{called(paper)} worked with models that can be used here, namely"
                    f' {", ".join(names[:3])} ("{clipped(passage.text, 240)}")'
                )
    return (
        "Two models of different makers are chosen, and their names and versions stand in the"
        " published plan before the first run"
    )


def _blind(bench: DesignUnderReview) -> str:
    return {
        "people": "Whoever measures or scores does not know who is in which group",
        "animals": "Whoever scores the recordings does not know which animal was treated",
        "equations": "Nobody looks at the held-out cases before the last run",
        "programs": "Outputs are judged blind, without the name of the version and in mixed order",
        "other": "Whoever judges the outcome does not know which version it is from",
    }[bench.kind]


def _gone(bench: DesignUnderReview) -> str:
    lost = (
        "People who leave"
        if bench.kind == "people"
        else (
            "Animals that are lost"
            if bench.kind == "animals"
            else "Runs that fail or give no usable output"
        )
    )
    return (
        f"{lost} are counted and reported, and the analysis is repeated with their values at the"
        " worst"
    )


def _sizes(bench: DesignUnderReview) -> str:
    return f"The first study is limited to {DEFAULTS[bench.kind]['bound']}"


def _names_data(bench: DesignUnderReview) -> bool:
    if bench.living:
        return bench.says(rf"{NUMBER} (?:\w+ ){{0,2}}{_CASES}", "datasets")
    return bench.says(r"Taken over are data|made for this study", "datasets") or bool(
        named_in(bench.text("datasets"))
    )


def _names_models(bench: DesignUnderReview) -> bool:
    planned = bench.says(r"in the published plan before the first run", "models")
    return (
        bench.living
        or planned
        or MODELS.search(bench.design.models) is not None
        or len(named_in(bench.text("models"))) > 1
    )


def _names_baseline(bench: DesignUnderReview) -> bool:
    ours = bench.says(
        r"Taken over are baselines|named baselines|serves as the baseline|built as the baseline",
        "baselines",
    )
    return ours or bool(WORKS.search(bench.text("baselines")) or named_in(bench.text("baselines")))


def _two_measures(bench: DesignUnderReview) -> bool:
    text = bench.text("metrics")
    listed = re.search(
        r"name: [^.]+(?: and |, )|Taken over are measures|second|named a measure|as well as", text
    )
    return (
        listed is not None or len({word.lower().rstrip("s") for word in _MEASURE.findall(text)}) > 1
    )


_MEASURE = re.compile(
    r"\b(?:scores?|rates?|ratings?|errors?|accuracy|index|time|latency|duration|efficiency|diary|"
    r"correlation|F1|BLEU|ROUGE|recall|precision|cost|agreement)\b",
    re.IGNORECASE,
)

CHECKS = (
    DesignCheck(
        "clear",
        "setup",
        lambda b: b.says(
            r"given up if|against the idea|refut|fails? (?:only )?if|would count against|"
            r"rejected if"
        ),
        'The setup does not say which outcome would speak against the idea; it says "{said}". Name'
        " one.",
        lambda _: (
            "The idea is given up if the main outcome does not differ between the versions, or"
            " differs in the wrong direction"
        ),
    ),
    DesignCheck(
        "named",
        "datasets",
        _names_data,
        'No data that exist are named; the design says "{said}". Name a collection that others use,'
        " or say who makes it and how.",
        _data,
        "dataset benchmark",
    ),
    DesignCheck(
        "named",
        "models",
        _names_models,
        'The models are described and not named; the design says "{said}". Give names and'
        " versions.",
        _models,
        "model comparison",
    ),
    DesignCheck(
        "complete",
        "baselines",
        _names_baseline,
        "The comparison is with conditions of its own only; no published result to compare with is"
        ' named in "{said}". Name one.',
        _baseline,
        "baseline evaluation",
    ),
    DesignCheck(
        "complete",
        "metrics",
        _two_measures,
        'There is one measure only in "{said}". A second one of another kind would show whether the'
        " first is misled.",
        _measure,
        "evaluation measure",
    ),
    DesignCheck(
        "runnable",
        "datasets",
        lambda b: b.says(rf"{NUMBER} (?:\w+ ){{0,3}}{_CASES}"),
        "It is not said how many cases there are. Give numbers.",
        _sizes,
    ),
    DesignCheck(
        "runnable",
        "procedure",
        lambda b: b.says(
            r"\bblind|does not know|mixed order|without the name|held-out cases before"
        ),
        "Nothing keeps whoever measures from knowing which version it is. Say how the measurement"
        " is kept blind.",
        _blind,
    ),
    DesignCheck(
        "complete",
        "analysis",
        lambda b: b.says(
            r"\bpower\b|smallest difference|sample size", "analysis", "datasets", "procedure"
        ),
        "It is not said how large a difference the number of cases can show. Fix the smallest"
        " difference worth having.",
        lambda _: (
            "The smallest difference worth having is fixed beforehand; there are so many cases that"
            " it would be seen with a power of 80 percent"
        ),
    ),
    DesignCheck(
        "complete",
        "analysis",
        lambda b: b.says(
            r"fail(?:ed|s)? (?:included|or)|who leave|dropp?(?:ed|ing)? out|missing values|"
            r"at the worst|that are lost"
        ),
        "It is not said what happens to cases that fail or are missing. Say how they are counted.",
        _gone,
    ),
    DesignCheck(
        "runnable",
        "procedure",
        lambda b: len(b.design.procedure) >= 3,
        "The procedure has too few steps to be followed by somebody else. Say what is done before,"
        " during and after.",
        lambda _: (
            "Before the start the plan is written down, during the study every deviation is noted,"
            " and afterwards all data are made public"
        ),
    ),
)
