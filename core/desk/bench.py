"""What all desks of a run share, the order of asking, and the cap before every call."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from core.desk.out import CallsOut
from core.journal import Journal
from core.literature.full_text import FullTexts
from core.literature.port import Source
from core.models import prices
from core.models.port import Model, Progress, Reply, Request
from core.models.validating import storable
from core.records import Call, Config, Record, Run, Worked
from core.settings import Settings
from core.store import Store

if TYPE_CHECKING:  # Numpy comes with it, and most desks compute nothing.
    from core.literature.embeddings import Embedder

MONTH_CAP = "month-cap-usd"


class RunWorker(Protocol):
    """Who works on the runs a sweep has made."""

    def plan(self, cell: str, method_name: str, inputs: Record, models: dict[str, str]) -> Config:
        """Return what a run of this name is configured by."""
        ...

    def do(self, cell: str, config: Config, title: str) -> Worked:
        """Have a run of this name worked on to its end."""
        ...


@dataclass(frozen=True)
class Bench:
    """What all desks of a run share."""

    run: Run
    store: Store
    journal: Journal
    models: dict[str, Model]
    source: Source
    embedder: "Embedder"
    texts: FullTexts
    prompts: dict[str, str]
    epoch: int
    crew: RunWorker
    settings: Settings
    out: CallsOut

    @property
    def config(self) -> Config:
        return self.run.config


class Lane:
    """Counts what is asked in one line of work, so that the order of asking is the method's, not
    the threads'.
    """

    def __init__(self, path: str = ""):
        self.path = path
        self._count = 0
        self.lent = False

    def next(self) -> str:
        assert not self.lent, "inside desk.all a branch uses the desk it was handed"
        self._count += 1
        return f"{self.path}{self._count:04d}"


class Begun(NamedTuple):
    """What the calls of one step may have cost and is not booked yet, the next call included."""

    cost: float = 0.0
    tokens: int = 0
    calls: int = 0


class Capped:
    """A model that reserves the estimated cost before each call of a step, on top of what the
    step's earlier calls cost.
    """

    def __init__(self, model: Model, reserve: Callable[[Begun], None]):
        self.name, self.provider = model.name, model.provider
        self.thinks, self.answers = model.thinks, model.answers
        self._model, self._reserve, self._spent = model, reserve, Begun()

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer once; raises BudgetReached, and what the model raises."""
        asked = replace(request, begin=partial(self._begin, request))
        reply = storable(self._model.reply(asked, progress))
        used = reply.tokens_in, reply.tokens_out
        cost = prices.price(self.name, *used, reply.tokens_cached) or 0.0
        cost += prices.at_most(self.name, request, *used)
        tokens = sum(filter(None, used)) + prices.unreported(self.name, request, *used)
        self._spent = self._with(reply.lost, cost, tokens)
        return reply

    def _begin(self, request: Request, lost: tuple[Call, ...]) -> None:
        cost, tokens = prices.estimate(self.name, request), prices.expected_tokens(request)
        self._reserve(self._with(lost, cost or 0.0, sum(tokens)))

    def _with(self, lost: tuple[Call, ...], cost: float, tokens: int) -> Begun:
        """Return what is spent with calls that were lost on the way and with one more."""
        so_far = self._spent
        return Begun(
            so_far.cost + sum(call.cost_expected for call in lost) + cost,
            so_far.tokens + sum(call.tokens_expected for call in lost) + tokens,
            so_far.calls + len(lost) + 1,
        )
