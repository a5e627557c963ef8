"""Small experiments over topics for tests: scripted writers whose ideas are worth what the script
says, and scripted judges who see it through noise.
"""

import random
from collections.abc import Callable
from pathlib import Path

from core.experiments.topics import TopicExperimentInputs
from core.experiments.topics.results import collect
from core.models.port import Request
from core.records import (
    FORMS,
    ExperimentTopic,
    Idea,
    Paper,
    Record,
    Run,
    TopicList,
    digest,
)
from core.runs.beginning import begin
from core.runs.planning import validated
from core.runs.runner import Runner
from core.store import Store
from tests.conftest import ScriptedModel, Shop, SmallSource
from tests.support.scripted import baseline_script, chain_script, refine_script, small_source

WRITER, OTHER, JUDGE, SECOND = "scripted:one", "scripted:two", "scripted:judge", "scripted:second"
CRITERIA = ("novelty", "significance", "clarity", "feasibility", "effectiveness")
DESIGN = ("feasibility", "technical_quality", "clarity")
Worth = Callable[[Request], float]


def worth_of(text: object) -> float:
    """Return what a text says it is worth."""
    words = text.model_dump_json() if isinstance(text, Record) else str(text)
    return float(words.partition("worth ")[2].partition(".")[0] or 0)


def idea(request: Request, title: str, worth: float) -> dict[str, str]:
    """Return an idea in the form that all share, worth so much, unlike any other."""
    mark = digest([request.text, request.seed])[:8]
    said = {name: f"{name} {mark}" for name in FORMS["chain"]}
    return {**said, "title": title, "method": f"It is worth {worth:g}. {mark}"}


def by_length(request: Request) -> float:
    """Return a worth that grows with every paper of a chain that is ordered."""
    chain = request.values["chain"]
    return float(len(chain.papers)) if chain.ordered else 0.0


def writer_script(worth: Worth = by_length) -> dict[str, Callable[[Request], object]]:
    """Return what a writer says: chains as long as their literature, ideas worth what `worth` says,
    direct ones 1, retrieved ones 2.
    """
    return (
        refine_script((True, False))
        | chain_script()
        | baseline_script()
        | {
            "idea": lambda r: idea(r, f"Chain {len(r.values['chain'].papers)}", worth(r)),
            "direct-idea": lambda r: idea(r, "Direct", 1),
            "retrieved-idea": lambda r: idea(r, "Retrieved", 2),
            "select": _prefer(CRITERIA, 0.0, "select"),
        }
    )


def _prefer(criteria: tuple[str, ...], noise: float, salt: str) -> Callable[[Request], object]:
    def say(request: Request) -> object:
        pair = [request.values["first"], request.values["second"]]
        names = [one.model_dump_json() for one in pair]
        sides = {}
        for one in criteria:
            # Whichever is shown first: the draw belongs to the text.
            seen = [
                worth_of(text) + noise * random.Random(digest([salt, one, name])).gauss(0, 1)
                for text, name in zip(pair, names, strict=True)
            ]
            sides[one] = "tie" if seen[0] == seen[1] else "first" if seen[0] > seen[1] else "second"
        return {**sides, "reason": "It goes further."}

    return say


def judge_script(noise: float = 0.0, salt: str = "a") -> dict[str, Callable[[Request], object]]:
    """Return what a judge says: the text that is worth more wins each criterion, seen through
    noise that belongs to a text and a criterion.
    """

    def same_form(request: Request) -> object:
        text = request.values["idea"].text
        return {name: f"{name}: {text[:150]}" for name in FORMS["six-field"]}

    return {
        "arena-ideas": _prefer(CRITERIA, noise, salt),
        "arena-designs": _prefer(DESIGN, noise, salt),
        "six-fields": same_form,
    }


def runner_of(
    folder: Path,
    writer: dict | None = None,
    judge: dict | None = None,
    source: SmallSource | None = None,
) -> tuple[Runner, dict[str, ScriptedModel]]:
    """Return a runner over two writers and two judges, each remembering what it was asked."""
    writer = writer or writer_script()
    made = {
        WRITER: ScriptedModel(writer, WRITER),
        OTHER: ScriptedModel(writer, OTHER),
        JUDGE: ScriptedModel(judge or judge_script(), JUDGE),
        SECOND: ScriptedModel(judge or judge_script(), SECOND),
    }
    return Runner(Shop(folder, made, source or small_source())), made


def real(n: int) -> ExperimentTopic:
    """Return a topic with a published paper behind it, whose idea is worth 3."""
    fields = {name: f"{name} of paper {n}" for name in FORMS["chain"]}
    paper = Paper(id=f"s2:real{n}", title=f"A published paper {n}", published="2024-08-10")
    return ExperimentTopic(
        topic=f"sleep memory {n}",
        paper=paper,
        idea=Idea(form="chain", fields={**fields, "method": f"It is worth 3. Paper {n}"}),
    )


def topic_list(many: int) -> TopicList:
    """Return a list of so many topics with their papers."""
    return TopicList(name="Topics", topics=tuple(map(real, range(1, many + 1))))


def asked(store: Store, many: int = 2, **given: object) -> TopicExperimentInputs:
    """Return a small experiment: a chain, RAG and direct prompting on two topics, one judge."""
    held = given.pop("held", None) or topic_list(many)
    small = {
        "topic": "An experiment",
        "topics": store.frozen.keep(held),
        "count": len(held.topics),
        "contenders": ("chain, 1 branch", "rag", "direct"),
        "models": (WRITER,),
        "judges": (JUDGE,),
        "same_form": False,
        "full_text": False,
    }
    return validated(TopicExperimentInputs, **{**small, **given})


def experiment(runner: Runner, many: int = 2, **given: object) -> Run:
    """Begin a small experiment."""
    more = {name: given.pop(name) for name in ("cap_tokens", "seed", "source") if name in given}
    inputs = asked(runner.store, many, **given)
    return begin(runner, "topic-experiment", inputs, inputs.topic, **{"seed": 7, **more})


def done(folder: Path, many: int = 2, **given: object):
    """Work on an experiment to its end; return the runner, its models, the run and its results."""
    scripts = {name: given.pop(name) for name in ("writer", "judge") if name in given}
    runner, models = runner_of(folder, **scripts)
    run = experiment(runner, many, **given)
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    run = runner.store.runs.get(run.id)
    return runner, models, run, collect(runner.store, run)
