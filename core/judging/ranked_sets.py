"""Ranking sets of ideas, each with its target, as a run of its own: Q by judge, repeat and round
(InfAL, section 3.3).
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.desk import Desk
from core.errors import FoundryError, ModelFailed, attempt, standing_for
from core.judging import ranking
from core.records import Idea, Indicator, Record, Standing, Text, part

PROMPTS = ("rank", "six-fields")
PERSON = "person"
"""The role a person ranks in."""
AT_ONCE = 4
"""How many standings are worked on at once; each asks all its repeats side by side."""


class IdeaSet(Record):
    """Ideas that are ranked together; the judge sees them shuffled and relabelled."""

    name: Text
    """`final`, `round-3`, or what a person calls it."""
    ideas: Annotated[dict[str, Idea], Field(min_length=1, max_length=12)]
    """By a name that the judge never sees."""
    target: Idea | None = None
    """The human target; without one there is an order and no Q."""

    @model_validator(mode="after")
    def _can_be_ordered(self) -> "IdeaSet":
        if ranking.TARGET in self.ideas:
            raise ValueError(
                f"an idea is called {ranking.TARGET!r}, which is what the target is called; give it"
                " another name"
            )
        if self.target is None and len(self.ideas) < 2:
            raise ValueError(
                f"the set {self.name!r} has one idea and no target; there is nothing to put in"
                " order"
            )
        return self

    @property
    def whole(self) -> dict[str, Idea]:
        """Everything that is ranked, the target included."""
        return self.ideas | ({ranking.TARGET: self.target} if self.target else {})


class RankInputs(Record):
    """What is ranked, by which qualities, how often."""

    topic: Annotated[str, Field(min_length=1)]
    area: Text = "the field of the topic"
    goals: Annotated[tuple[Indicator, ...], Field(min_length=1, max_length=4)]
    sets: Annotated[tuple[IdeaSet, ...], Field(min_length=1, max_length=60)]
    repeats: Annotated[int, Field(ge=1, le=20)] = 5
    """Five give the confidence interval of table 4."""
    same_form: bool = True
    """Whether ideas are brought into one form first; where a person ranks alone, no model is asked,
    and they stand as they are.
    """
    # Left out where it says nothing new: by the digest of its inputs an experiment knows a ranking
    # that it has.
    judged_by: Annotated[
        Literal["models", "person", "both"], Field(exclude_if=lambda by: by == "models")
    ] = "models"
    """A person ranks every set by every quality once."""

    @model_validator(mode="after")
    def _names_differ(self) -> "RankInputs":
        for what, names in (
            ("sets", [one.name for one in self.sets]),
            ("qualities", [one.name.casefold() for one in self.goals]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"two of the {what} have the same name")
        return self


def rank_sets(desk: Desk, asked: RankInputs) -> Iterator[Standing]:
    """Rank every set by every quality and every judge of the panel, showing a Standing at `<judge
    role>/<set>/<goal>`.

    Ideas are brought into the common form once, by the first judge. A person ranks before the
    models do, so that nothing of theirs can be seen. A standing for which no ranking came about
    fails the run once all others are there, so that resuming asks for it again. Raises ModelFailed,
    and Waiting for a person.
    """
    formed = in_form(desk, asked)
    if asked.judged_by != "models":
        seats = [
            partial(stand_by_person, asked=asked, formed=formed, one=one, goal=goal)
            for one in asked.sets
            for goal in asked.goals
        ]
        desk.all(*seats)
        if asked.judged_by == "person":
            return iter(())
    jobs = [
        partial(stand, asked=asked, formed=formed, role=role, one=one, goal=goal)
        for role in sorted(desk.bench.models)
        for one in asked.sets
        for goal in asked.goals
    ]
    failed = [error for error in desk.each(jobs, AT_ONCE) if error]
    if failed:
        raise missing(failed, len(jobs))
    return iter(())


def in_form(desk: Desk, asked: RankInputs) -> dict[str, Idea | FoundryError]:
    """Bring every idea into the common form, each text once whichever sets it is in, by the digest
    of its original; what failed stands as its failure.
    """
    texts = {idea.digest(): idea for one in asked.sets for idea in one.whole.values()}
    same_form = asked.same_form and asked.judged_by != "person"

    def form(desk_of_form: Desk, sha: str) -> Idea | FoundryError:
        here = desk_of_form.at(f"form/{sha[:12]}")
        made = attempt(ranking.UNRANKED, ranking.in_form, here, texts[sha], same_form)
        if isinstance(made, Idea) and made != texts[sha]:
            here.show(made)
        return made

    shas = sorted(texts)
    made = desk.each([partial(form, sha=sha) for sha in shas], AT_ONCE)
    return dict(zip(shas, made, strict=True))


def stand(
    desk: Desk,
    asked: RankInputs,
    formed: Mapping[str, Idea | FoundryError],
    role: str,
    one: IdeaSet,
    goal: Indicator,
) -> FoundryError | None:
    """Rank one set by one quality and one judge and show how it stands; return why no ranking came
    about, if none did.
    """
    here = desk.at(place(role, one.name, goal.name))
    ideas = texts_of(one, formed)
    if isinstance(ideas, FoundryError):
        return ideas
    tried = ranking.tries(here, asked.area, goal, ideas, asked.repeats, role)
    errors = [error for error in tried if isinstance(error, FoundryError)]
    if len(errors) == len(tried):
        return standing_for(errors)
    here.show(ranking.standing(goal, tried))
    return None


def stand_by_person(
    desk: Desk,
    asked: RankInputs,
    formed: Mapping[str, Idea | FoundryError],
    one: IdeaSet,
    goal: Indicator,
) -> None:
    """Have a person rank one set by one quality and show how it stands; a set that has no common
    form is left to the models to fail by. Raises Waiting.
    """
    here = desk.at(place(PERSON, one.name, goal.name))
    ideas = texts_of(one, formed)
    if not isinstance(ideas, FoundryError):
        ranked = ranking.rank_by_person(here.at("repeat-1"), asked.area, goal, ideas)
        here.show(ranking.standing(goal, [ranked]))


def texts_of(
    one: IdeaSet, formed: Mapping[str, Idea | FoundryError]
) -> dict[str, Idea] | FoundryError:
    """Return a set's ideas as they are ranked, by name; or why one of them is not there."""
    ideas: dict[str, Idea] = {}
    for name, idea in one.whole.items():
        made = formed[idea.digest()]
        if isinstance(made, FoundryError):
            return made
        ideas[name] = made
    return ideas


def judges(asked: RankInputs, models: Mapping[str, str]) -> dict[str, str]:
    """Return who ranks, by role: models by their names, a person as such."""
    panel = {} if asked.judged_by == "person" else dict(sorted(models.items()))
    return panel | ({PERSON: "a person"} if asked.judged_by != "models" else {})


def place(role: str, name: str, goal: str) -> str:
    """Return where the standing of a set by a quality is shown, as ranked by the judge in that
    role.
    """
    return f"{role}/{part(name)}/{part(goal)}"


def missing(failed: list[FoundryError], whole: int) -> FoundryError:
    """Return the failure of a run some of whose standings did not come about: their recorded
    failures are to be asked again.
    """
    return standing_for(
        failed,
        ModelFailed(
            f"{len(failed)} of {whole} standings did not come about, for every ranking failed:"
            f" {failed[0]} Resume to ask for them again."
        ),
    )
