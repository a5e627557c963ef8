"""What a study would work with: data and measures that the papers name, and plain ones where they
name none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.models.builtin.setting import DEFAULTS, Kind, with_article
from core.models.builtin.sources import ReadPaper


@dataclass(frozen=True)
class Material:
    """Noun phrases for a study, and the names of the papers that data and measure are from; a name
    is empty where nothing was named.
    """

    kind: Kind
    data: str
    data_from: str
    measure: str
    measure_from: str
    unit: str
    many: str

    def credit(self, text: str) -> str:
        """Return a sentence that says where the data and the measure that a text speaks of are
        from.
        """
        data = self.data_from if self.data in text else ""
        measure = self.measure_from if self.measure in text else ""
        if data and data == measure:
            return f"Data and measure are those of {data}"
        both = "; ".join(
            part
            for part in (
                f"the data are those of {data}" if data else "",
                f"the measure is that of {measure}" if measure else "",
            )
            if part
        )
        return both[:1].upper() + both[1:]


def material_for(kind: Kind, sources: Sequence[ReadPaper]) -> Material:
    """Return what the papers, the most important first, name to work with; where they tested but
    name nothing, what they used.
    """
    plain, living = DEFAULTS[kind], kind in ("people", "animals")
    tested = next((one.name for one in sources if one.experiments and one.work != "review"), "")
    data, data_from = (
        ("", "")
        if living
        else first((one.name, test.datasets) for one in sources for test in one.experiments)
    )
    # What a study of people is about is its outcome; the measures an abstract names are often only
    # those beside it.
    measure, measure_from = (
        ("", "")
        if living and tested
        else first((one.name, test.metrics) for one in sources for test in one.experiments)
    )
    used = (
        (f"the outcome that {tested} measured", f"test cases of the kind that {tested} used")
        if tested
        else (plain["measure"], plain["data"])
    )
    return Material(
        kind,
        data or (plain["data"] if living else used[1]),
        data_from,
        (
            with_article(measure)
            if measure
            else (
                used[0]
                if living
                else (f"the measure that {tested} used" if tested else plain["measure"])
            )
        ),
        measure_from,
        plain["unit"],
        plain["bound"].split(" and ")[0].removeprefix("a pilot of "),
    )


def first(named: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the first thing that is named, with who names it."""
    return next(
        (
            (part.strip(), name)
            for name, several in named
            for part in several.split(";")
            if part.strip()
        ),
        ("", ""),
    )
