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
        find = "SELECT name FROM door WHERE kind = ?"
        salt = self._db.value(find, SALT)
        if salt is None:
            # The index on the salt keeps a second process from adding its own at the same moment.
            made = secrets.token_hex(SALT_BYTES)
            self._db.write("INSERT OR IGNORE INTO door VALUES (?,?,0)", SALT, made)
            salt = self._db.value(find, SALT)
        return str(salt or "")

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
