"""What texts are judged by: criteria with their question, their scale and its anchors; and rubrics,
which are criteria under a name.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from core.records.arena import Name
from core.records.base import Lean, Record, Text

Anchor = Annotated[str, StringConstraints(strip_whitespace=True, max_length=20_000)]
"""What a point of a scale means; empty where nothing is said of it."""
CriterionKind = Literal["scale", "yes/no", "text"]
Reasons = Literal["off", "optional", "required"]
Ends = tuple[int, int]
YES_NO: Ends = (0, 1)
"""How no and yes are counted: their mean is the share of yes."""
MOST_CRITERIA = 8
MOST_STEPS = 100
"""From the lowest point to the highest: a scale from 0 to 100 fits."""


class Criterion(Lean):
    """A quality with what is asked of it, and its anchors: what points of its scale mean."""

    added = ("kind", "lowest", "highest", "anchors", "reason")

    name: Name
    meaning: Text
    """The question, or what the quality means."""
    low: Anchor = ""
    """What the lowest point means, or no; a scale says it always."""
    high: Anchor = ""
    """What the highest point means, or yes."""
    kind: CriterionKind = "scale"
    lowest: Annotated[int, Field(ge=-1_000, le=1_000)] = 1
    highest: Annotated[int, Field(ge=-1_000, le=1_000)] = 10
    anchors: dict[int, Text] = {}
    """What points between the ends mean."""
    reason: Reasons = "off"
    """Whether a reason is asked for beside the answer."""

    @model_validator(mode="after")
    def _is_whole(self) -> "Criterion":
        if self.kind == "scale":
            self._scale_is_whole()
            return self
        if (self.lowest, self.highest) != (1, 10) or self.anchors:
            raise ValueError(f"{self.name}: only a scale has points and anchors between its ends")
        if self.kind == "text" and (self.low or self.high):
            raise ValueError(f"{self.name}: free text has no scale, so that nothing has an anchor")
        return self

    def _scale_is_whole(self) -> None:
        steps = self.highest - self.lowest
        if not 1 <= steps <= MOST_STEPS:
            raise ValueError(
                f"{self.name}: a scale has 2 points at least, and {MOST_STEPS} steps at most; from"
                f" {self.lowest} to {self.highest} it has not"
            )
        if not self.low or not self.high:
            raise ValueError(
                f"{self.name}: say what {self.lowest} and what {self.highest} mean, the ends of its"
                " scale"
            )
        if outside := [at for at in self.anchors if not self.lowest < at < self.highest]:
            raise ValueError(
                f"{self.name}: {outside[0]} is not between {self.lowest} and {self.highest}, the"
                " ends of its scale"
            )

    @property
    def scored(self) -> bool:
        """Whether answers are numbers; free text is none."""
        return self.kind != "text"

    @property
    def ends(self) -> Ends:
        """The lowest and the highest value of an answer; no is 0 and yes is 1."""
        return (self.lowest, self.highest) if self.kind == "scale" else YES_NO

    @property
    def on(self) -> str:
        """How it is answered, in words: "from 1 to 10"."""
        lowest, highest = self.ends
        return {
            "scale": f"from {lowest} to {highest}",
            "yes/no": "yes or no",
            "text": "in free text",
        }[self.kind]

    @property
    def anchored(self) -> dict[int, str]:
        """What points mean, from the lowest to the highest; those of which nothing is said are not
        there.
        """
        if not self.scored:
            return {}
        lowest, highest = self.ends
        points = {lowest: self.low, **dict(sorted(self.anchors.items())), highest: self.high}
        return {at: meaning for at, meaning in points.items() if meaning}

    def called(self, point: int) -> str:
        """Return how a value reads: `7`, or `yes`."""
        return ("no", "yes")[point] if self.kind == "yes/no" else str(point)

    @property
    def anchors_said(self) -> str:
        """All anchors on one line: "1: it is known. 10: it is new."; empty where there are none."""
        return " ".join(
            f"{self.called(at)}: {meaning.rstrip('.')}." for at, meaning in self.anchored.items()
        )


class Rubric(Record):
    """Criteria under a name, to be used again and shared."""

    name: Name
    about: Anchor = ""
    """What it is for, and where it is from."""
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=MOST_CRITERIA)]

    @model_validator(mode="after")
    def _names_differ(self) -> "Rubric":
        check_names(self.criteria)
        return self


def check_names(criteria: tuple[Criterion, ...]) -> None:
    """Raise ValueError where two criteria have one name."""
    names = [one.name.casefold() for one in criteria]
    if len(set(names)) < len(names):
        raise ValueError("two criteria have the same name")
