"""What all desks of a run share, the order of asking, and the cap before every call."""
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from core.journal import Journal
from core.literature.embeddings import Embedder
from core.literature.full_text import FullTexts
from core.literature.port import Source
from core.models import prices
from core.models.port import Model, Progress, Reply, Request
from core.records import Config, Record, Run, Worked
from core.settings import Settings
from core.store import Store
from core.store.connection import mended

MONTH_CAP = "month-cap-usd"


class Crew(Protocol):
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
    embedder: Embedder
    texts: FullTexts
    prompts: dict[str, str]
    epoch: int
    crew: Crew
    settings: Settings

    @property
    def config(self) -> Config:
        return self.run.config


class Lane:
    """Counts what is asked in one line of work, so that the order of asking is the method's, not the threads'."""

    def __init__(self, path: str = ""):
        self.path = path
        self._count = 0
        self.lent = False

    def next(self) -> str:
        assert not self.lent, "inside desk.all a branch uses the desk it was handed"
        self._count += 1
        return f"{self.path}{self._count:04d}"


class Capped:
    """A model that sets its estimate aside before every try of one step, what the earlier tries cost included."""

    def __init__(self, model: Model, reserve: Callable[[tuple[float, int], Request], None]):
        self.name, self.provider, self.thinks, self.answers = model.name, model.provider, model.thinks, model.answers
        self._model, self._reserve, self._spent = model, reserve, (0.0, 0)

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer once; raises BudgetReached, and what the model raises."""
        self._reserve(self._spent, request)
        reply = self._model.reply(request, progress)
        reply = replace(reply, text=mended(reply.text))
        cost, tokens = self._spent
        self._spent = (cost + (prices.price(self.name, reply.tokens_in, reply.tokens_out) or 0.0),
                       tokens + (reply.tokens_in or 0) + (reply.tokens_out or 0) + sum(call.tokens_expected for call in reply.lost)
                       + prices.unreported(self.name, request, reply.tokens_in, reply.tokens_out))
        return reply
