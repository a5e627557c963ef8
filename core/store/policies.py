"""Policies that were trained here and put to use: models called `local:NAME`, each with its papers.

Their files lie in `policies/NAME` of the data folder, and are not this shelf's business.
"""

from core.errors import BadInput
from core.records import TrainedPolicy
from core.store.connection import Connections, now
from core.store.frozen import Frozen

FOLDER = "policies"
"""Where their files lie, within the data folder."""


class Policies:
    def __init__(self, connections: Connections, frozen: Frozen):
        self._db, self._frozen = connections, frozen

    def add(self, policy: TrainedPolicy) -> None:
        """Keep a policy under its name; raises BadInput for a name in use."""
        sha = self._frozen.keep(policy)
        add = "INSERT OR IGNORE INTO policies VALUES (?,?,?)"
        if not self._db.write(add, policy.name, sha, now()):
            raise BadInput(
                f"There is a model local:{policy.name} already. Put the checkpoint to use under"
                " another name."
            )

    def get(self, name: str) -> TrainedPolicy:
        """Return the policy of that name; raises BadInput with the names there are."""
        sha = self._db.value("SELECT sha FROM policies WHERE name = ?", name)
        if sha is None:
            there = ", ".join(f"local:{one.name}" for one in self.listed())
            raise BadInput(
                f"There is no model 'local:{name}'. Policies that were trained here and put to use:"
                f" {there or 'none yet'}."
            )
        return self._frozen.get(str(sha), TrainedPolicy)

    def listed(self) -> tuple[TrainedPolicy, ...]:
        """Return all policies, by name."""
        shas = self._db.column("SELECT sha FROM policies ORDER BY name")
        return tuple(self._frozen.get(str(sha), TrainedPolicy) for sha in shas)

    def remove(self, name: str) -> None:
        """Forget the name of a policy; the runs that it answered keep what it said."""
        self._db.write("DELETE FROM policies WHERE name = ?", name)
