"""A training on several devices: one process leads, which keeps the journal, and all of them write
and learn (`accelerate launch -m core train worker RUN`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.errors import FoundryError, Stopped
from core.models.weights import LocalPolicy
from core.records.training import Conversation, Drafted

Columns = dict[str, list[Any] | None]
"""What TRL takes of a step: a row for each draft, in order."""


class SharedPolicy(LocalPolicy):
    """A policy whose drafts are written by all processes, each a share of them."""

    def write(
        self, conversations: Sequence[Conversation], seed: int, tell: Callable[[int], None]
    ) -> list[Drafted]:
        """Continue each conversation by sampling; called where the training is led."""
        tell(0)
        _say(("write", list(conversations), seed))
        return self.write_share(conversations, seed)

    def write_share(self, conversations: Sequence[Conversation], seed: int) -> list[Drafted]:
        """Write this process's share and return what all of them wrote, in order."""
        from accelerate.utils import gather_object
        from torch import distributed

        mine, others = distributed.get_rank(), distributed.get_world_size()
        places = range(mine, len(conversations), others)
        share = [conversations[place] for place in places]
        made = super().write(share, seed + mine, lambda _: None) if share else []
        whole = dict(gather_object(list(zip(places, made, strict=True))))
        return [whole[place] for place in range(len(conversations))]


def is_leader() -> bool:
    """Say whether this process leads the training; the only one does."""
    from accelerate import PartialState

    return bool(PartialState().is_main_process)


def hand_out(roll_out: Callable[[], Columns]) -> Columns:
    """Roll out a step here, hand its rows to all processes, and return this one's."""
    try:
        columns = roll_out()
    except FoundryError as error:
        _say(("stop", str(error)))
        raise
    _say(("rows", columns))
    return _share_of(columns)


def follow(policy: SharedPolicy) -> Columns:
    """Write what the leader asks for until it hands out the rows of a step; return this one's.

    Raises Stopped where the leader stopped.
    """
    while True:
        match _say(None):
            case ("write", conversations, seed):
                policy.write_share(conversations, seed)
            case ("rows", columns):
                return _share_of(columns)
            case ("stop", reason):
                raise Stopped(reason)


def _say(message: object) -> Any:
    """Hand a message from the leader to all, and return it."""
    from accelerate.utils import broadcast_object_list

    return broadcast_object_list([message], from_process=0)[0]


def _share_of(columns: Columns) -> Columns:
    from torch import distributed

    mine, others = distributed.get_rank(), distributed.get_world_size()

    def part(rows: list[Any]) -> list[Any]:
        few = len(rows) // others
        return rows[mine * few : (mine + 1) * few]

    return {name: rows if rows is None else part(rows) for name, rows in columns.items()}
