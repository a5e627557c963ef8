"""What the door keeps: the salt its key is made with, and the tickets that were handed back."""

import secrets

from core.store.connection import Connections

SALT = "salt"
SALT_BYTES = 16


class DoorRows:
    def __init__(self, connections: Connections):
        self._db = connections

    def salt(self) -> str:
        """Return the salt as hex digits, made at the first asking."""
        kept = self._db.row("SELECT name FROM door WHERE kind = ?", SALT)
        if kept is None:
            # The index on the salt keeps a second process from adding its own at the same moment.
            self._db.write(
                "INSERT OR IGNORE INTO door VALUES (?,?,0)", SALT, secrets.token_hex(SALT_BYTES)
            )
            kept = self._db.row("SELECT name FROM door WHERE kind = ?", SALT)
        return str(kept["name"]) if kept else ""

    def take_back(self, nonce: str, until: int) -> None:
        """Keep for good that a ticket, which runs out at `until` (seconds since 1970), was handed
        back.

        Nothing is forgotten once it ran out: a clock that is set back would make it good again.
        """
        self._db.write("INSERT OR IGNORE INTO door VALUES ('left',?,?)", nonce, until)

    def taken_back(self, nonce: str) -> bool:
        """Say whether this ticket was handed back."""
        return (
            self._db.row("SELECT 1 FROM door WHERE kind = 'left' AND name = ?", nonce) is not None
        )
