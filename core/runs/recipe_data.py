"""What recipes take so many of: topics, targets, questions, keywords, from a file, a run, a hash,
or, at size small, from what comes with the program.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from core.benchmark.keywords import paper_keywords
from core.errors import BadInput
from core.experiments.targets import freeze, of_run
from core.files import read_bytes
from core.importing.keywords import from_file
from core.importing.labelled import labelled_in
from core.importing.questions import questions_in
from core.importing.targets import targets_in
from core.importing.topics import topics_in
from core.literature.shelf import FOLDER as SHELF
from core.literature.shelf import on_shelf
from core.literature.shelf_files import read as read_shelf
from core.records import (
    Engine,
    ExperimentTopic,
    Idea,
    LabelledIdeas,
    Paper,
    Recipe,
    Target,
    TopicList,
    TrainingData,
)
from core.store import Store
from core.story import Story
from core.training import data as training
from core.wording.numbers import counted

SMALL = Path(__file__).parents[2] / "assets" / "experiments" / "small"
COMES_WITH = "comes with the program, for trying recipes at size small"
HASH = 64


class RecipeData(NamedTuple):
    """What an experiment takes, kept here."""

    inputs: dict[str, Any]
    """The inputs that name it."""
    said: str
    """Where it came from."""


def gather(store: Store, recipe: Recipe, size: str, take: int, said: str | None) -> RecipeData:
    """Keep what a recipe takes and return the inputs that name it; raises BadInput where there is
    too little, and where nobody said what to take.
    """
    if said is None and not (size == "small" or recipe.engine == "bench"):
        raise BadInput(NEEDED[recipe.engine])
    return {
        "topic-experiment": _topics,
        "sweep": _targets,
        "checklist-experiment": _questions,
        "novelty-experiment": _labelled,
        "bench": _keywords,
    }[recipe.engine](store, said, take)


NEEDED: dict[Engine, str] = {
    "topic-experiment": (
        "Say which topics it is about, with --topics: a file with one a line, a run of"
        " `real-papers`, or the hash of a list. At --size small some come with the program."
    ),
    "sweep": (
        "Say which published ideas others are ranked with, with --topics: a run that built a data"
        " set of targets, or a file with them. At --size small some come with the program."
    ),
    "checklist-experiment": (
        "Say which questions are answered, with --topics: a run that built a data set of questions,"
        " or a file with columns question and review. At --size small some come with the program."
    ),
    "novelty-experiment": (
        "Say which labelled ideas are checked, with --topics: a table of ideas of which people said"
        " whether they were known."
    ),
    "bench": "Say which keywords, with --topics.",
}
"""What to say where nothing was said of what a recipe takes."""


def _enough(there: int, take: int, noun: str) -> None:
    if there < take:
        raise BadInput(
            f"{take} {noun}s are asked for, and there are {counted(there, noun)}. Give more, or"
            " choose a smaller size."
        )


def _topics(store: Store, said: str | None, take: int) -> RecipeData:
    held, where = topics_of(store, said)
    _enough(len(held.topics), take, "topic")
    return RecipeData({"topics": store.frozen.keep(held), "count": take}, where)


def topics_of(store: Store, said: str | None) -> tuple[TopicList, str]:
    """Return a list of topics and where it came from: a file, a run that made one, the hash of one;
    raises BadInput.
    """
    if said is None:
        return small_topics(), COMES_WITH
    path = Path(said)
    if path.is_file():
        return topics_in(path.name, read_bytes(path)), f"file {path.name}"
    if len(said) == HASH:
        return store.frozen.get(said, TopicList), f"list {said}"
    _no_file(path)
    found = Story.only(store, store.runs.get(said).id, TopicList).last(TopicList)
    if found is None:
        raise BadInput(
            f"Run {said} has no list of topics. Choose a run of `real-papers` that is finished, or"
            " give a file."
        )
    return found, f"run {said}"


def _targets(store: Store, said: str | None, take: int) -> RecipeData:
    where = COMES_WITH
    if said is None:
        found = small_targets()
    else:
        path = Path(said)
        where = f"file {path.name}" if path.is_file() else f"run {said}"
        _no_file(path)
        found = targets_in(path.name, read_bytes(path)) if path.is_file() else of_run(store, said)
    _enough(len(found), take, "target")
    return RecipeData({"targets": freeze(store, found[:take])}, where)


def _questions(store: Store, said: str | None, take: int) -> RecipeData:
    path = SMALL / "questions.jsonl" if said is None else Path(said)
    where = COMES_WITH if said is None else f"file {path.name}"
    if path.is_file():
        queries, _ = questions_in(path.name, read_bytes(path))
    elif said and len(said) == HASH:
        held = store.frozen.get(said, TrainingData)
        _enough(len(held.held_out), take, "held-out question")
        return RecipeData({"data": said, "questions": take}, f"data {said}")
    else:
        _no_file(path)
        queries, where = training.built_by(store, str(said)), f"run {said}"
    # One is left to train on: what is held out is never all there is.
    _enough(len(queries) - 1, take, "question")
    held = training.split(queries, take)
    _enough(len(held.held_out), take, "held-out question")
    return RecipeData({"data": store.frozen.keep(held), "questions": take}, where)


def _labelled(store: Store, said: str | None, take: int) -> RecipeData:
    if said is None:
        raise BadInput(NEEDED["novelty-experiment"])
    path = Path(said)
    if len(said) == HASH and not path.is_file():
        held, where = store.frozen.get(said, LabelledIdeas), f"data {said}"
    else:
        held, _, _ = labelled_in(path.name, read_bytes(path), {})
        where = f"file {path.name}"
    _enough(len(held.ideas), take, "labelled idea")
    return RecipeData({"data": store.frozen.keep(held), "ideas": take}, where)


def _keywords(store: Store, said: str | None, take: int) -> RecipeData:
    held, where = paper_keywords(), "the paper's keywords"
    if said is not None:
        path = Path(said)
        held, _ = from_file(read_bytes(path), path.name)
        where = f"file {path.name}"
    _enough(len(held.keywords), take, "keyword")
    return RecipeData({"keywords": store.frozen.keep(held), "count": take}, where)


def _no_file(path: Path) -> None:
    """Raise BadInput for what looks like a file and is not there."""
    if path.suffix and not path.is_file():
        raise BadInput(f"{path} is not there.")


# -- what comes with the program ---------------------------------------------------------------


@cache
def _small_papers() -> tuple[tuple[Paper, str, str], ...]:
    """Return papers of the shelf with topic and category."""
    by_id = {paper.id: paper for paper in on_shelf()}
    given = tomllib.loads((SMALL / "papers.toml").read_text("utf-8"))["paper"]
    return tuple((by_id[one["id"]], one["topic"], one["category"]) for one in given)


def small_topics() -> TopicList:
    """Return the topics that come with the program, each with its paper of the shelf."""
    found = [ExperimentTopic(topic=topic, paper=paper) for paper, topic, _ in _small_papers()]
    return TopicList(name="Topics of the built-in papers", topics=tuple(found))


def small_targets() -> tuple[Target, ...]:
    """Return the same papers as targets: what their summary says, and the summaries of what they
    cite on the shelf.
    """
    by_id = {paper.id: paper for paper in on_shelf()}
    cites = {
        entry.id: [by_id[cited.id] for cited in entry.references if cited.id in by_id]
        for file in read_shelf(SHELF)
        for entry in file.papers
    }
    found = []
    for paper, topic, category in _small_papers():
        idea = Idea(form="hypothesis", fields={"hypothesis": f"{paper.title}\n\n{paper.abstract}"})
        target = Target(
            paper=paper,
            category=category,
            topic=topic,
            idea=idea,
            background=tuple(cites.get(paper.id, ())),
        )
        found.append(target)
    return tuple(found)
