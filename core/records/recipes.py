"""Recipes: a paper's experiment as data, and what one run of it was."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from core.records.base import Record, Text

Engine = Literal["topic-experiment", "sweep", "checklist-experiment", "novelty-experiment", "bench"]
"""The methods that a recipe can be held with."""
Published = Literal["coi", "infal", "evoideator", "liveidea"]
"""Whose published figures stand beside."""


class RecipeSize(Record):
    """How large an experiment is: how many topics, targets, questions or keywords it takes, and
    what of its inputs is otherwise then.
    """

    take: Annotated[int, Field(ge=1, le=20_000)]
    inputs: dict[str, JsonValue] = {}


class Recipe(Record):
    """A table or figure of a paper as one experiment: what varies, what is measured, what is
    drawn.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=60)]
    title: Text
    paper: Text
    shows: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Which of its tables and figures."""
    engine: Engine
    measures: Annotated[tuple[Text, ...], Field(min_length=1)]
    draws: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Names of the tables and figures that it is for, or how several of them begin."""
    published: tuple[Published, ...] = ()
    not_comparable: Text
    """One sentence on what must not be read into the published figures."""
    inputs: dict[str, JsonValue] = {}
    """What the experiment is asked for at every size."""
    sizes: Annotated[dict[Literal["small", "paper"], RecipeSize], Field(min_length=2)]


class Reproduction(Record):
    """What a run of a recipe was: frozen when it began."""

    recipe: Recipe
    text: str
    """The recipe as it was written."""
    size: str
    """`small`, `paper`, or how many."""
    take: int
    data: str
    """Where its topics, targets, questions or keywords came from."""
