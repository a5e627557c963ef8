"""The key of a study: what its labels hide and what is known of its units. Nothing on an expert's
side reads this table (a test says so).
"""

from core.records import ItemKey, UnitKey
from core.store.connection import Connections

Line = tuple[str, str, str]
"""Kind, name, JSON, as `store.studies.fill` takes them."""


def lines(items: tuple[ItemKey, ...], units: tuple[UnitKey, ...]) -> tuple[Line, ...]:
    """Return a key as it is written."""
    return (
        *(("item", one.label, one.model_dump_json()) for one in items),
        *(("unit", one.unit, one.model_dump_json()) for one in units),
    )


class StudyKeys:
    def __init__(self, connections: Connections):
        self._db = connections

    def items(self, study: str) -> dict[str, ItemKey]:
        """Return what every label hides."""
        return {name: ItemKey.model_validate_json(data) for name, data in self._of(study, "item")}

    def units(self, study: str) -> dict[str, UnitKey]:
        """Return what is known of units; those of which nothing is known are not there."""
        return {name: UnitKey.model_validate_json(data) for name, data in self._of(study, "unit")}

    def _of(self, study: str, kind: str) -> list[tuple[str, str]]:
        return self._db.tuples(
            "SELECT name, data FROM study_keys WHERE study = ? AND kind = ? ORDER BY name",
            study,
            kind,
        )
