"""How a benchmark was held, in words: every parameter, where it departs from the paper, a paragraph
for a methods section, and what it cannot say.
"""

from collections import Counter
from collections.abc import Iterator

from core import VERSION
from core.benchmark import BenchInputs
from core.benchmark.inputs import ASKED_WORDS, JUDGES_EACH, MOST_WORDS
from core.benchmark.panel import check_panel
from core.benchmark.progress import BenchProgress
from core.export.asked import Fact
from core.models.asking import TRIES
from core.records import BenchKind, Keyword, KeywordList, Panelist, Run
from core.statistics.intervals import FEWEST
from core.wording.numbers import counted

IDEAS = 2
"""Ideas per keyword and model in the paper (Methods, Experimental protocol)."""
GAVE = {
    "published": "the published labels",
    "file": "the file they came in",
    "meaning": "nearness of meaning",
    "person": "a person",
    "": "nobody",
}
LIMITS = (
    (
        "Every score is a language model's. How far judges agree with people is known only where"
        " ideas of this benchmark were rated by people."
    ),
    (
        "Intervals are made by drawing keywords anew with all that hangs on them (cluster"
        " bootstrap). They say how far figures would move with other keywords of the same kind; not"
        " with other judges, prompts, settings or another day's version of a model behind the same"
        " name."
    ),
    (
        "Whether two models differ is looked at pair by pair, unadjusted for the number of pairs:"
        " of many pairs some will differ by chance."
    ),
    (
        "What failed or was left out is in no mean. Where it is uneven between models, their means"
        " are over different keywords."
    ),
    (
        "Judges are drawn by chance for each idea, never its own model, so models are judged by"
        " slightly different mixtures of judges."
    ),
    "Longer ideas may score higher: see the lengths before reading small differences.",
)


def protocol(
    run: Run, inputs: BenchInputs, source: KeywordList, keywords: list[Keyword]
) -> Iterator[Fact]:
    """Yield every parameter of a benchmark; `keywords` are those that are asked, with their domains
    as they are now.
    """
    yield (
        "Keywords",
        f"{inputs.count:,} of {len(source.keywords):,} in the list “{source.name}”"
        + (f" ({source.source})" if source.source else ""),
    )
    yield "List, by its SHA-256", inputs.keywords
    givers = Counter(GAVE[model.by] for model in keywords if model.domain)
    yield "Domains", "; ".join(f"{n:,} given by {who}" for who, n in givers.items()) or "none"
    yield (
        "Models that write ideas",
        "; ".join(
            model.model + (" (told to mark its final idea)" if model.marked else "")
            for model in inputs.models
        ),
    )
    yield (
        "Panel of judges",
        "; ".join(map(_judge, inputs.judges)) or "none: ideas are written, and nobody judges them",
    )
    yield "Ideas per keyword and model", str(inputs.ideas)
    if inputs.judges:
        yield (
            "Judges per idea",
            f"{inputs.judges_each}, drawn from the panel by the seed, never the idea's own model",
        )
        yield (
            "Fluency",
            (
                f"{counted(inputs.pairs, 'pair')} of ideas for each keyword and model, compared by"
                " one judge each; letters A to D count 10, 7, 4, 1"
                if inputs.pairs
                else "not judged: it takes two ideas for one keyword"
            ),
        )
        yield (
            "Scores",
            (
                "originality, feasibility and clarity, whole numbers from 1 to 10; any other"
                f" answer is asked for again with its fault named, {TRIES} times in all, and is a"
                " failure after that, never a score"
            ),
        )
    yield (
        "Length",
        (
            f"{inputs.asked_words} words are asked for; an idea of more than {inputs.most_words} is"
            " left out before anybody judges it"
        ),
    )
    yield (
        "Refusals",
        (
            "a model that refuses is asked once more in an academic framing; an idea that is"
            " refused twice is left out"
        ),
    )
    if inputs.limits:
        yield "Calls at once", "; ".join(f"{lane}: {n}" for lane, n in inputs.limits.items())
    yield (
        "Answers planned",
        (
            f"{inputs.calls:,} = {counted(len(inputs.models), 'model')} x"
            f" {counted(inputs.count, 'keyword')} x ({inputs.ideas} x (1 + {inputs.judged}) +"
            f" {inputs.pairs})"
        ),
    )
    for name, sha in run.config.prompts.items():
        yield f"Prompt {name}, by its SHA-256", sha


def _judge(judge: Panelist) -> str:
    known = [
        part
        for part in (
            judge.organisation,
            f"base model {judge.base}" if judge.base else "",
            f"ranked {judge.rank:g}" if judge.rank is not None else "",
        )
        if part
    ]
    return judge.model + (f" ({', '.join(known)})" if known else "")


def departures(inputs: BenchInputs, source: KeywordList) -> Iterator[str]:
    """Yield where a benchmark departs from the paper's protocol, or where that cannot be told, one
    sentence each.
    """
    for what, mine, theirs in (
        ("ideas per keyword and model", inputs.ideas, IDEAS),
        ("judges per idea", inputs.judged, JUDGES_EACH),
        ("words asked for", inputs.asked_words, ASKED_WORDS),
        ("words at most", inputs.most_words, MOST_WORDS),
    ):
        if mine != theirs:
            yield f"{mine} {what}; the paper has {theirs}."
    yield from (
        note.said
        for note in check_panel(inputs.judges, inputs.models)
        if inputs.judges and not note.kept
    )
    if inputs.count < len(source.keywords):
        yield (
            f"Only the first {inputs.count:,} of the list's {len(source.keywords):,} keywords are"
            " asked."
        )
    yield (
        "Prompts are ours: they ask the same in other words. Figures are not to be put on one scale"
        " with the published ones without saying so."
    )


def methods(
    run: Run, inputs: BenchInputs, source: KeywordList, far: BenchProgress, scored: int, took: str
) -> str:
    """Return a paragraph for a methods section; `far` has what came of every answer that was
    planned, `scored` counts the keywords with any judgment, `took` says calls, tokens and cost.
    """
    ruled = any(model.model == "builtin" for model in inputs.models)
    sentences = [
        f"{counted(len(inputs.models), 'model' if ruled else 'language model')}"
        f" {'was' if len(inputs.models) == 1 else 'were'} asked for {counted(inputs.ideas, 'idea')}"
        f" {'' if len(inputs.models) == 1 else 'each '}for {counted(inputs.count, 'keyword')} of"
        f" the list “{source.name}”, given the keyword alone (LiveIdeaBench protocol)."
        f" {inputs.asked_words} words were asked for, and ideas of more than {inputs.most_words}"
        " words were excluded before judging; a refusal was asked for once more in an academic"
        " framing."
        + (
            " One of them, the built-in one, is no language model: it recombines papers by rules."
            if ruled
            else ""
        )
    ]
    if inputs.judges:
        sentences.append(
            "Every idea was to be scored for originality, feasibility and clarity (1 to 10) by"
            f" {counted(inputs.judges_each, 'judge')} drawn at random (seed {run.config.seed}) from"
            f" a panel of {counted(len(inputs.judges), 'model')}, never by its own model."
        )
    if inputs.pairs:
        sentences.append(
            "Fluency was to be judged for every pair of a model's ideas for a keyword by one judge"
            " of the panel; flexibility is the 30th percentile, over keywords, of the mean of the"
            " four scores, and the average is the mean of the five dimensions."
        )
    sentences.append(_came(far))
    if inputs.judges:
        sentences.append(
            "95 % intervals are percentile intervals of a bootstrap that draws keywords as"
            " clusters; Wilson's where all keywords gave a mean the same value."
            if scored >= FEWEST
            else f"Intervals are not given: they take {FEWEST} keywords."
        )
    sampling = run.config.sampling
    sentences.append(
        f"Sampling temperature was {sampling.temperature:g}, with at most {sampling.max_tokens:,}"
        f" tokens an answer. In all: {took}."
    )
    sentences.append(f"Idea Foundry held it (version {VERSION} when this was written).")
    if run.state != "done":
        sentences.append(
            f"The benchmark was not complete when this was written: it was {run.state}."
        )
    return " ".join(sentences)


def _came(far: BenchProgress) -> str:
    """Say how many answers there are of those that were needed, and that the others count
    nowhere.
    """
    ideas = {what: far.total(what, "idea") for what in ("planned", "done", "excluded", "failed")}
    kinds: tuple[tuple[BenchKind, str], ...] = (("judge", "judgments"), ("fluency", "comparisons"))
    # What follows an idea that failed was never asked.
    answers = [
        f"{done:,} of {attempts:,} {name}"
        for kind, name in kinds
        if (attempts := (done := far.total("done", kind)) + far.total("failed", kind))
    ]
    usable = f" {' and '.join(answers)} of them gave a usable answer." if answers else ""
    return (
        f"Of {ideas['planned']:,} ideas asked for, {ideas['done']:,} were accepted,"
        f" {ideas['excluded']:,} excluded (refused twice or too long), and {ideas['failed']:,}"
        f" failed.{usable} Answers that could not be used after repeated asking count in no figure."
    )
