"""Rubrics that were saved here, by name; capitals tell none from another."""

from core.errors import BadInput
from core.records import Rubric
from core.store.connection import Connections, now


class Rubrics:
    def __init__(self, connections: Connections):
        self._db = connections

    def save(self, rubric: Rubric, replace: bool = False) -> None:
        """Keep a rubric; raises BadInput for a name in use, unless it is to `replace` that one.

        Sessions hold a copy of their criteria, which stays as it is.
        """
        verb = "INSERT OR REPLACE" if replace else "INSERT OR IGNORE"
        add = f"{verb} INTO rubrics (name, data, changed) VALUES (?,?,?)"
        if not self._db.write(add, rubric.name, rubric.model_dump_json(), now()):
            raise BadInput(
                f"There is a rubric {rubric.name!r} already. Save this one under another name, or"
                " replace that one."
            )

    def get(self, name: str) -> Rubric:
        """Return the rubric of that name; raises BadInput with the names there are."""
        found = self._db.record(Rubric, "SELECT data FROM rubrics WHERE name = ?", name.strip())
        if found is None:
            there = ", ".join(one.name for one in self.listed())
            raise BadInput(f"No rubric {name!r} is saved here. There are: {there or 'none yet'}.")
        return found

    def has(self, name: str) -> bool:
        """Say whether a rubric of that name is saved."""
        return bool(self._db.number("SELECT count(*) FROM rubrics WHERE name = ?", name.strip()))

    def listed(self) -> tuple[Rubric, ...]:
        """Return all rubrics, by name."""
        return tuple(self._db.records(Rubric, "SELECT data FROM rubrics ORDER BY name"))

    def remove(self, name: str) -> None:
        """Forget a rubric; raises BadInput where there is none of that name."""
        if not self._db.write("DELETE FROM rubrics WHERE name = ?", name.strip()):
            self.get(name)
