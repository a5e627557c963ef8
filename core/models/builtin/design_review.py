"""Reviewing a design by rules, and refining it remark by remark; what nobody objected to stays."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.models.builtin.english import clean, clip, find_words, paragraph
from core.models.builtin.feasibility_rules import NUMBER
from core.models.builtin.library import PassageLibrary, telling_phrases
from core.models.builtin.passages import PaperSentence
from core.models.builtin.phrases import WORKS, cite, words
from core.models.builtin.setting import DEFAULTS, Kind, kind_of
from core.models.builtin.tested import TestedStretches, find_proper_names, find_tested
from core.records import Design, DesignReview, Idea, Paper, Remark
from core.wording.numbers import counted
from core.wording.summaries import mark_summary, without_mark

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

    @property
    def looked_up(self) -> str:
        """A clause that says that nothing could be taken over."""
        if self.papers:
            return f"Nothing that fits is named in {counted(len(self.papers), 'paper')} looked up"
        return "Nothing was found that could be taken over"

    def text(self, *parts: Part) -> str:
        """Return what these parts say, without what they quote from papers."""
        values = (getattr(self.design, part) for part in parts)
        spoken = " ".join(
            " ".join(value) if isinstance(value, tuple) else value for value in values
        )
        # Quotes are taken in pairs: what stands between two short ones is the design's own.
        return re.sub(
            r"\"([^\"]*)\"",
            lambda found: "" if len(found[1]) >= 40 else found[0],
            without_mark(spoken),
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


def find_missing(check: DesignCheck, bench: DesignUnderReview) -> str | None:
    """Return the remark, or None where the design has what is asked."""
    if check.met(bench):
        return None
    said = bench.text(check.part).replace('"', "'")
    return check.remark.format(said=clip(said.rstrip("."), 110))


def _tests(bench: DesignUnderReview) -> Iterator[PaperSentence]:
    """Yield the sentences on tests of the papers that fit, paper by paper."""
    for paper in bench.fitting:
        for passage in bench.library.passages([paper]):
            if passage.role == "evaluation":
                yield passage


def _from_papers(
    bench: DesignUnderReview, what: str, pick: Callable[[TestedStretches], Sequence[str]]
) -> str:
    """Return what the first paper that names such a thing says, in its own words; empty where none
    does.
    """
    for passage in _tests(bench):
        if found := pick(find_tested([passage.text])):
            named = f"{cite(passage.paper)} named {what} that can be used here, namely {found[0]}"
            return f"{named}: {_quote(passage)}"
    return ""


def _quote(passage: PaperSentence) -> str:
    return mark_summary(passage.paper, passage.text, f'"{clip(passage.text, 240)}"')


def _data(bench: DesignUnderReview) -> str:
    made = (
        f"so it is made for this study: {DEFAULTS[bench.kind]['data']}, described by the same form"
        " for every case"
    )
    found = _from_papers(bench, "data", lambda stretches: stretches.data)
    return found or f"{bench.looked_up}, {made}"


def _baseline(bench: DesignUnderReview) -> str:
    found = _from_papers(bench, "baselines", lambda stretches: stretches.baselines)
    if found:
        return found
    if works := WORKS.findall(bench.idea.text):
        return f"What {works[0]} reported serves as the baseline to compare with"
    plainest = "so the plainest version that could work is built as the baseline"
    return f"{bench.looked_up}, {plainest}"


def _measure(bench: DesignUnderReview) -> str:
    taken = bench.design.metrics.lower()
    found = _from_papers(
        bench,
        "a measure",
        lambda stretches: [one for one in stretches.measures if one.lower() not in taken],
    )
    return found or f"A second measure of another kind is taken, namely {SECOND[bench.kind]}"


def _models(bench: DesignUnderReview) -> str:
    for passage in _tests(bench):
        if names := list(dict.fromkeys(MODELS.findall(passage.text))):
            known = f"{cite(passage.paper)} worked with models that can be used here, namely"
            return f"{known} {', '.join(names[:3])}: {_quote(passage)}"
    return (
        "Two models of different makers are chosen, and their names and versions stand in the"
        " published plan before the first run"
    )


SECOND: dict[Kind, str] = {
    "people": "a diary kept by the participants",
    "animals": "the time in each behavioural state",
    "equations": "the error in the conserved quantities",
    "programs": "blind ratings by two judges, with their agreement",
    "other": "the judgement of two people who do not know which version they see",
}
"""A second measure where no paper names one."""
BLIND: dict[Kind, str] = {
    "people": "Whoever measures or scores does not know who is in which group",
    "animals": "Whoever scores the recordings does not know which animal was treated",
    "equations": "Nobody looks at the held-out cases before the last run",
    "programs": "Outputs are judged blind, without the name of the version and in mixed order",
    "other": "Whoever judges the outcome does not know which version it is from",
}
LOST: dict[Kind, str] = {
    "people": "People who leave",
    "animals": "Animals that are lost",
    "equations": "Runs that fail or give no usable output",
    "programs": "Runs that fail or give no usable output",
    "other": "Runs that fail or give no usable output",
}


def _names_data(bench: DesignUnderReview) -> bool:
    if bench.living:
        return bench.says(rf"{NUMBER} (?:\w+ ){{0,2}}{_CASES}", "datasets")
    made = bench.says(r"Taken over are data|made for this study", "datasets")
    return made or bool(find_proper_names(bench.text("datasets")))


def _names_models(bench: DesignUnderReview) -> bool:
    if bench.living or MODELS.search(bench.design.models):
        return True
    planned = bench.says(r"in the published plan before the first run", "models")
    return planned or len(find_proper_names(bench.text("models"))) > 1


def _names_baseline(bench: DesignUnderReview) -> bool:
    ours = bench.says(
        r"Taken over are baselines|named baselines|serves as the baseline|built as the baseline",
        "baselines",
    )
    text = bench.text("baselines")
    return ours or bool(WORKS.search(text) or find_proper_names(text))


def _two_measures(bench: DesignUnderReview) -> bool:
    text = bench.text("metrics")
    listed = re.search(
        r"name: [^.]+(?: and |, )|Taken over are measures|second|named a measure|as well as", text
    )
    measures = {word.lower().rstrip("s") for word in _MEASURE.findall(text)}
    return listed is not None or len(measures) > 1


_MEASURE = find_words(
    r"scores?|rates?|ratings?|errors?|accuracy|index|time|latency|duration|efficiency|diary|"
    r"correlation|F1|BLEU|ROUGE|recall|precision|cost|agreement"
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
        lambda b: f"The first study is limited to {DEFAULTS[b.kind]['bound']}",
    ),
    DesignCheck(
        "runnable",
        "procedure",
        lambda b: b.says(
            r"\bblind|does not know|mixed order|without the name|held-out cases before"
        ),
        "Nothing keeps whoever measures from knowing which version it is. Say how the measurement"
        " is kept blind.",
        lambda b: BLIND[b.kind],
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
        lambda b: (
            f"{LOST[b.kind]} are counted and reported, and the analysis is repeated with their"
            " values at the worst"
        ),
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

REMARKS, QUERIES = 5, 3
MEANT = 0.4
"""Cosine from which a remark written by somebody else is taken to mean one of our checks."""


def review(library: PassageLibrary, idea: Idea, design: Design) -> DesignReview:
    """Say what a design lacks, and what to look up for it."""
    bench = DesignUnderReview(library, idea, design)
    found = [(check, remark) for check in CHECKS if (remark := find_missing(check, bench))]
    lacks = {check.judged for check, _ in found}
    phrases = telling_phrases(clean(idea.title))
    about = " ".join(words(" ".join(phrases))[:5]) or clip(clean(idea.title), 60)
    queries = dict.fromkeys(f"{about} {check.query}" for check, _ in found[:REMARKS] if check.query)
    return DesignReview(
        clear="clear" not in lacks,
        complete="complete" not in lacks,
        named="named" not in lacks,
        runnable="runnable" not in lacks,
        remarks=tuple(
            Remark(id=f"r{n}", text=remark) for n, (_, remark) in enumerate(found[:REMARKS], 1)
        ),
        queries=tuple(queries)[:QUERIES],
    )


def refine(
    library: PassageLibrary,
    idea: Idea,
    design: Design,
    review: DesignReview,
    papers: tuple[Paper, ...],
) -> Design:
    """Answer every remark by a sentence in the part it concerns; a remark no check stands for
    becomes a condition of the procedure.
    """
    bench = DesignUnderReview(library, idea, design, papers)
    added: dict[Part, list[str]] = {part: [] for part in PARTS}
    for remark, check in _place(bench, review.remarks):
        part: Part = check.part if check else "procedure"
        quoted = clip(clean(remark.text), 300).rstrip(".")
        settled = f'Before the start, this point of the review is settled in writing: "{quoted}"'
        answer = paragraph(check.mend(bench) if check else settled)
        if answer not in added[part]:
            added[part].append(answer)
    # The last step reports: new ones go before it.
    *steps, last = design.procedure
    parts: dict[str, object] = {"procedure": (*steps, *added.pop("procedure"), last)}
    for part, answers in added.items():
        if answers:
            parts[part] = paragraph(getattr(design, part), *answers)
    return design.model_copy(update=parts)


def _place(
    bench: DesignUnderReview, remarks: Sequence[Remark]
) -> list[tuple[Remark, DesignCheck | None]]:
    """Return each remark with the check it stands for: the one that says the same, or else the
    nearest in meaning, or none.
    """
    by_text = {text: check for check in CHECKS if (text := find_missing(check, bench))}
    meanings = bench.library.embed([check.remark for check in CHECKS])
    placed: list[tuple[Remark, DesignCheck | None]] = []
    for remark in remarks:
        check = by_text.get(remark.text)
        if check is None:
            near = meanings @ bench.library.vector(remark.text)
            check = CHECKS[int(near.argmax())] if float(near.max()) >= MEANT else None
        placed.append((remark, check))
    return placed
