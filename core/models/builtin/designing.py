"""Designing an experiment for an idea: what the chain's own experiments name is taken over with its
source, the rest is said to be missing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.models.builtin.english import (
    clean,
    clip,
    flat,
    ignore_case,
    join_list,
    paragraph,
    sentences,
)
from core.models.builtin.library import PassageLibrary
from core.models.builtin.reading import find_entities
from core.models.builtin.recognised import recognise
from core.models.builtin.setting import DEFAULTS, Kind, kind_of
from core.records import Design, Entity, Experiment, Idea
from core.wording.summaries import mark_summary

NEAREST = 3
"""From how many of the examples, the nearest to the idea, things are taken over."""
PLANS: dict[Kind, dict[str, str]] = {
    "people": {
        "models": "No computer model is needed; the work is done with {data}",
        "sizes": "A first trial takes 20 participants, 10 in each of two groups, over eight weeks",
        "make": "The participants have to be recruited and their data collected: {data}",
        "control": "a control group that goes on as before, with the same number of contacts",
        "assign": (
            "Assign the participants to the groups by chance, and keep the list with somebody who"
            " does not measure"
        ),
        "run": "Measure before the change, every week during it, and once a month after it",
    },
    "animals": {
        "models": "The strain and the equipment of a laboratory that already works with them",
        "sizes": "A first trial takes 12 animals, 6 in each of two groups, over ten weeks",
        "make": "The recordings have to be made: {data}",
        "control": "untreated littermates, handled in the same way",
        "assign": (
            "Assign the animals to the groups by chance, and code them so that whoever scores does"
            " not know the group"
        ),
        "run": "Record one week of baseline, the weeks of the change, and one week after it",
    },
    "equations": {
        "models": (
            "One published solver network with open code, once as it is and once with the change,"
            " with the same number of parameters"
        ),
        "sizes": (
            "The first runs take two equations, 1,000 training cases and 200 held-out cases each,"
            " at two resolutions"
        ),
        "make": (
            "Solutions have to be computed with a classical solver: two standard equations at two"
            " resolutions"
        ),
        "control": "the same network without the change, and a classical solver at equal cost",
        "assign": (
            "Draw training and held-out cases once by chance, and use the same for all versions"
        ),
        "run": (
            "Train every version with 3 seeds, and stop by the error on a validation part of 100"
            " cases"
        ),
    },
    "programs": {
        "models": (
            "One model with open weights and one behind an interface, both with version and date,"
            " at a fixed temperature"
        ),
        "sizes": "The first runs take 100 test cases, each with 3 seeds",
        "make": (
            "A set of 100 test cases has to be drawn from public sources, with a rule for what is"
            " left out"
        ),
        "control": (
            "the same model asked once without the change, and asked as often as the method asks it"
        ),
        "assign": "Draw the test cases once by chance, and use the same for all versions",
        "run": "Run every version with the same number of calls and tokens, and keep every reply",
    },
    "other": {
        "models": "The equipment and the material of a group that already works on the subject",
        "sizes": (
            "A first trial takes 30 cases, 15 with the change and 15 without it, over eight weeks"
        ),
        "make": "The material has to be collected: 30 cases, described by the same form",
        "control": "the same procedure without the change",
        "assign": "Decide by chance which case gets the change",
        "run": "Treat and measure all cases in the same way and in mixed order",
    },
}


@dataclass(frozen=True)
class ExperimentExamples:
    """What the chain's experiments name, each with the sentence it stands in."""

    datasets: tuple[tuple[str, str], ...]
    baselines: tuple[tuple[str, str], ...]
    metrics: tuple[tuple[str, str], ...]


def design(
    library: PassageLibrary,
    topic: str,
    idea: Idea,
    examples: tuple[Experiment, ...],
    entities: tuple[Entity, ...],
) -> Design:
    """Design the experiment that would show whether an idea holds."""
    named = find_examples(library, idea, examples)
    kind = kind_of(f"{idea.text} {topic}")
    plan, plain = PLANS[kind], DEFAULTS[kind]
    put = recognise(idea.fields)
    if put:
        measure = put.measure.replace("the outcome that", "what", 1)
        measure = measure.replace("the main outcome of", "that of", 1)
    else:
        measure = named.metrics[0][0] if named.metrics else plain["measure"]
    method = sentences(idea.fields.get("method", ""))[:3]
    title = clip(clean(idea.title), 140).rstrip(".").replace('"', "'")
    calls_for = " ".join(method or sentences(idea.text)[:2])
    data = _data_for(kind, measure)
    further = tuple(name for name in named.metrics if not _is_same(name[0], measure))
    return Design(
        setup=paragraph(
            f'The study does what the idea "{title}" calls for. {calls_for}',
            "The idea is given up if the main outcome shows no difference, or one in the wrong"
            " direction",
        ),
        models=paragraph(
            plan["models"].format(data=data),
            _tell_names(kind, entities, f"{title} {calls_for}"),
        ),
        datasets=paragraph(
            _tell_reused(library, "data", named.datasets)
            or "No data that fit are named in the experiments of this line",
            "" if named.datasets else plan["make"].format(data=data),
            plan["sizes"],
        ),
        baselines=paragraph(
            f"The comparison is with {plan['control']}",
            _tell_reused(library, "baselines", named.baselines),
        ),
        metrics=paragraph(
            f"The main outcome is {measure}, fixed before the start",
            _tell_reused(library, "measures", further)
            or "No further measure is named in the experiments of this line",
        ),
        procedure=_procedure(method, plan, measure),
        analysis=paragraph(*_analysis(kind, plain["unit"])),
    )


_IN_BLOOD = ignore_case(r"\b(?:serum|plasma|blood|orexin|hypocretin|cortisol|melatonin|glucose)\b")


def _data_for(kind: Kind, measure: str) -> str:
    """Return what a study of this kind works with: in people, blood too where the main outcome is
    read from it.
    """
    data = DEFAULTS[kind]["data"]
    return f"blood samples, {data}" if kind == "people" and _IN_BLOOD.search(measure) else data


def _is_same(name: str, measure: str) -> bool:
    """Say whether two names of measures say the same, or one of them the same in fewer words."""
    one, other = ({*flat(text).split()} - {"a", "an", "the"} for text in (name, measure))
    return one <= other or other <= one


def _tell_names(kind: Kind, entities: Sequence[Entity], calls_for: str) -> str:
    """Say what is set up by the name the line has for it: what the idea's title and method name,
    where it is something that runs.
    """
    names = find_entities(entities, calls_for)[:4] if kind in ("equations", "programs") else []
    return f"Set up by name, as the line knows it: {join_list(names)}" if names else ""


def _analysis(kind: Kind, unit: str) -> tuple[str, str]:
    """Return how the result is computed: of two groups apart, or of versions on the same cases."""
    if kind in ("equations", "programs"):
        return (
            f"Compare the versions pairwise on the same {unit}, with a paired test; report the"
            " difference with its 95 percent interval",
            "Leave out one part of the change at a time, to see which part carries the effect",
        )
    return (
        f"Compare the change in the main outcome between the two groups of {unit}, with a test for"
        " independent groups; report the difference with its 95 percent interval",
        "Report the result by sex and age as well, as far as the numbers allow"
        if kind != "other"
        else "Leave out one part of the change at a time, to see which part carries the effect",
    )


def find_examples(
    library: PassageLibrary, idea: Idea, examples: Sequence[Experiment]
) -> ExperimentExamples:
    """Return what the examples nearest to the idea name, nearest first, with the sentence that
    names it.
    """
    texts = []
    for example in examples:
        said = (example.setup, example.datasets, example.results)
        texts.append(" ".join(filter(None, said)))
    near = library.cosines(texts, library.vector(idea.text))
    scored = [
        (-round(cosine, 4), text, example)
        for cosine, text, example in zip(near, texts, examples, strict=True)
        if text.strip()
    ]
    scored.sort(key=lambda found: found[:2])
    ranked = [example for _, _, example in scored[:NEAREST]]
    return ExperimentExamples(
        *(_find_named(ranked, field) for field in ("datasets", "baselines", "metrics"))
    )


def _find_named(examples: Sequence[Experiment], field: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for example in examples:
        spoken = sentences(f"{example.setup} {example.results}")
        names = [clean(part).strip(" .") for part in getattr(example, field).split(";")]
        for name in filter(None, names):
            lines = [line for line in spoken if name.lower() in line.lower()] or spoken
            found.setdefault(name, "".join(lines[:1]))
    return tuple(found.items())[:4]


def _tell_reused(library: PassageLibrary, what: str, named: Sequence[tuple[str, str]]) -> str:
    """Say what is taken over, and from which experiment, in the words of the sentence that names
    it.
    """
    if not named:
        return ""
    lines = list(dict.fromkeys(source for _, source in named if source))[:2]
    # An experiment does not say which paper it is from.
    quoted = " and ".join(
        mark_summary(library.shelf(), line, f'"{clip(line.rstrip("."), 220)}"') for line in lines
    )
    names = join_list(name for name, _ in named)
    reused = f"Taken over are {what} that earlier experiments of this line name: {names}"
    return f"{reused} (from {quoted})" if quoted else reused


def _procedure(method: Sequence[str], plan: dict[str, str], measure: str) -> tuple[str, ...]:
    own = []
    for line in method:
        head, comma, rest = line.partition(", ")
        own.append(rest if comma and head.lower() in _ORDINALS else line)
    first = (
        "Write down beforehand what is compared, how many cases there are, and that the main"
        f" outcome is {measure}; make this public"
    )
    last = (
        "Report every run, those that failed included, and make data and code public as far as"
        " consent allows"
    )
    steps = (first, plan["assign"], *filter(None, own), plan["run"], last)
    return tuple(map(paragraph, steps))


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "then", "finally")
