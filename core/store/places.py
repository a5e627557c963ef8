"""What was found out about endpoints, and what people chose in Settings."""

import json
import sqlite3

from core.store.connection import Connections, now

OF_A_RUN = "draft:{}:{}"
"""Under which name stands what is half said to a question of a run."""
CHAIN_EDIT = "chains:edit:{}:{}"
OF_A_CHAIN = f"draft:{CHAIN_EDIT}"
"""Changes of a run's chain that were not made yet: of which branch, and on which page."""
OF_A_SEAT = OF_A_RUN.format("seat:{}", "afterwards")
"""And what an expert half said to the last questions."""


def forget_at_seats(connection: sqlite3.Connection) -> None:
    """Forget what was half said at seats that are gone, within the caller's transaction."""
    connection.execute(
        "DELETE FROM choices WHERE name GLOB ?"
        " AND name NOT IN (SELECT replace(?, '{}', id) FROM seats)",
        (OF_A_SEAT.format("*"), OF_A_SEAT),
    )


def forget_to_run(connection: sqlite3.Connection, run: str) -> None:
    """Forget what was half said to a run, and changes of its chains that were not made, within the
    caller's transaction.
    """
    connection.execute(
        "DELETE FROM choices WHERE name GLOB ? OR name GLOB ?",
        (OF_A_RUN.format(run, "*"), OF_A_CHAIN.format(run, "*")),
    )


class Places:
    def __init__(self, connections: Connections):
        self._db = connections

    def abilities(self, endpoint: str) -> dict[str, object] | None:
        """Return what an endpoint was found to be able to do, or None if nobody has looked."""
        stored = self._db.value("SELECT abilities FROM endpoints WHERE id = ?", endpoint)
        return json.loads(stored) if stored else None

    def learn(self, endpoint: str, abilities: dict[str, object]) -> None:
        """Keep what an endpoint can do."""
        self._db.write(
            "INSERT OR REPLACE INTO endpoints VALUES (?,?,?)",
            endpoint,
            json.dumps(abilities),
            now(),
        )

    def choice(self, name: str) -> str | None:
        """Return what was chosen under this name, or None."""
        return self._db.value("SELECT value FROM choices WHERE name = ?", name)

    def choose(self, name: str, value: str | None) -> None:
        """Keep a choice; None forgets it. Never for keys: they do not belong in a database."""
        if value is None:
            self._db.write("DELETE FROM choices WHERE name = ?", name)
        else:
            self._db.write("INSERT OR REPLACE INTO choices VALUES (?,?)", name, value)
