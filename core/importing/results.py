"""What a run came to, as texts that can be judged: its ideas and its experiment design, with the
method, model and topic they are from.
"""

from typing import NamedTuple

from core.records import (
    Config,
    Design,
    DesignRound,
    Evolved,
    Idea,
    Outcome,
    Record,
    Round,
    Run,
    Topic,
)
from core.store import Store
from core.store.steps import played_by
from core.story import Story
from core.wording.naming import Made, name_of


class Result(NamedTuple):
    """A text a run came to, and where in the run it stands."""

    where: str
    record: Idea | Design


class Maker(NamedTuple):
    """Who wrote on what."""

    method: str
    model: str
    topic: str


def results(story: Story) -> tuple[Result, ...]:
    """Return the ideas a run ended with, one a line, and its last design; of a run that has not
    ended, what it has so far.
    """
    ideas = []
    for place, record in story.parts:
        if isinstance(record, Outcome):
            ideas.append(Result(place, record.idea))
    refined = [done.design for done in story.all(DesignRound)]
    designs = refined or story.all(Design)
    last = [Result("design", design) for design in designs[-1:]]
    return (*(ideas or _so_far(story)), *last)


def _so_far(story: Story) -> list[Result]:
    refined = [
        Result(f"idea {line.n}, version {line.newest}", line.version(line.newest))
        for line in story.lines
        if line.rounds
    ]
    evolved = {
        place.split("/")[0] if "/" in place else "": record.idea
        for place, record in story.parts
        if isinstance(record, Evolved)
    }
    plain = [
        Result(place, record)
        for place, record in story.parts
        if isinstance(record, Idea) and not place.endswith("target")
    ]
    return (
        refined
        or [Result(f"{place} newest".strip(), idea) for place, idea in evolved.items()]
        or plain[-1:]
    )


def maker(config: Config, story: Story, made: Made = "idea") -> Maker:
    """Return who wrote what a run came to, and on what: a method goes by what of it departs from
    its defaults.
    """
    confirmed = story.last(Topic)
    return Maker(
        name_of(config, made),
        config.models.get(config.writer, ""),
        confirmed.topic if confirmed else str(config.inputs.get("topic", "")),
    )


def writer(store: Store, run: Run, story: Story, text: Idea | Design) -> str:
    """Return the model that wrote a text that a run came to: a branch may go on with another one
    than its parent's, whose answers it took over. All that wrote in it where that is not known;
    empty where a person wrote the text in place of a model.
    """
    role = run.config.writer
    own = run.config.models.get(role, "")
    answered = store.steps.answered(run)
    if not answered:
        return own
    made_at = next((place for place, record in story.parts if text in _texts(record)), None)
    shown = store.steps.product(run.id, made_at) if made_at else None
    origin = None
    if shown:
        origin = store.steps.writing(run.id, role, shown.place, *_told_by(text))
    if origin and origin.kind in ("model", "person"):
        return origin.name if origin.kind == "model" else ""
    return ", then ".join(played_by(answered, role, own))


def _told_by(text: Idea | Design) -> tuple[str, str]:
    """Return a field of the reply that a text was read from, and words that stand there."""
    if isinstance(text, Design):
        return "setup", text.setup
    if text.form == "headed":
        return "idea", text.title
    field = "title" if "title" in text.fields else next(iter(text.fields))
    return field, text.fields[field]


def _texts(record: Record) -> tuple[Record, ...]:
    match record:
        case Round():
            return (record.revision.idea,)
        case Evolved() | Outcome():
            return (record.idea,)
        case DesignRound():
            return (record.design,)
        case _:
            return (record,)


def kind_of(record: Idea | Design) -> Made:
    """Return what a text is."""
    return "idea" if isinstance(record, Idea) else "design"
