"""Qualities people made up, kept for reuse."""

import json

from core.records import Indicator
from core.store.connection import Connections, now


class Indicators:
    def __init__(self, connections: Connections):
        self._db = connections

    def all(self) -> tuple[Indicator, ...]:
        """Return the kept qualities, by name."""
        rows = self._db.tuples("SELECT name, traits FROM indicators ORDER BY name COLLATE NOCASE")
        return tuple(Indicator(name=name, traits=json.loads(traits)) for name, traits in rows)

    def keep(self, goal: Indicator) -> None:
        """Keep a quality; one of the same name is replaced."""
        self._db.write(
            "INSERT OR REPLACE INTO indicators VALUES (?,?,?)",
            goal.name,
            json.dumps(goal.traits, ensure_ascii=False),
            now(),
        )

    def forget(self, name: str) -> None:
        """Forget a quality; runs that used it keep their own copy."""
        self._db.write("DELETE FROM indicators WHERE name = ?", name)
