"""The crew of an experiment starts each of the experiment's runs once and works on them under its
caps and stop requests.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.errors import (
    BadInput,
    BudgetReached,
    FoundryError,
    LeaseLost,
    Stopped,
    StoreUnusable,
    Waiting,
)
from core.journal import Journal
from core.records import Config, Record, Run, State, Worked, digest
from core.runs.catalogue import method
from core.runs.leases import me
from core.store import Store, now

PARKED_AS: dict[State, type[FoundryError]] = {
    "capped": BudgetReached,
    "stopped": Stopped,
    "waiting": Waiting,
    "interrupted": StoreUnusable,
}
GROWN, FROM_THE_FIRST = "extension", "0"
"""The step that a run forks at which goes on from a smaller one, which no step is called, and the
place: every step is taken over that is asked just the same.
"""


@dataclass(frozen=True)
class Crew:
    """Works on the runs of one sweep in the thread that asks for them."""

    store: Store
    sweep: Run
    journal: Journal
    work: Callable[[str, Journal], State]
    """Works on a queued run until it ends or is parked, stopping when the given journal is asked
    to.
    """

    def plan(self, cell: str, method_name: str, inputs: Record, models: dict[str, str]) -> Config:
        """Return what a run of this name is configured by: prompts, sampling and source are the
        sweep's, the seed is made from its seed and the name.

        The main model takes every role of the method that has none of its own.
        """
        plan, whole = method(method_name), self.sweep.config
        chosen = models
        if "main" in models:
            chosen = {role: models.get(role, models["main"]) for role in plan.roles}
        return Config(
            method=plan.name,
            version=plan.version,
            inputs=inputs.model_dump(mode="json"),
            models=chosen,
            sampling=whole.sampling,
            samplings=whole.samplings,
            edition=whole.edition,
            thinking=whole.thinking,
            source=whole.source,
            prompts={name: whole.prompts[name] for name in plan.prompts},
            seed=int(digest([whole.seed, cell])[:8], 16) % 2**31,
        )

    def do(self, cell: str, config: Config, title: str) -> Worked:
        """Have a run of this name worked on to its end and say what became of it; a run that is
        there already goes on, and a failed one is tried again.

        Raises BudgetReached, Stopped, Waiting and StoreUnusable where the run is parked, LeaseLost
        where another process works on it.
        """
        run = (
            self.store.runs.cell(self.sweep.id, cell)
            or self._adopt(cell, config)
            or self._add(cell, config, title)
        )
        if run.state not in ("done", "queued"):
            self.store.runs.enqueue(run.id, me())
        state = self.work(run.id, self.journal) if run.state != "done" else run.state
        ended = self.store.runs.get(run.id)
        if state != "running" and ended.state == "running":
            raise StoreUnusable(
                f"The database could not take how run {run.id} of this experiment ended. Resume to"
                " go on."
            )
        if ended.state in ("done", "failed"):
            return Worked(run=ended.id, state=ended.state, reason=ended.reason)
        if ended.state in PARKED_AS:
            reason = ended.reason or f"Run {ended.id} of this experiment is {ended.state}."
            raise PARKED_AS[ended.state](reason)
        raise LeaseLost(f"Run {ended.id} of this experiment is worked on by another process.")

    def _adopt(self, cell: str, config: Config) -> Run | None:
        """Return the run of this name from a matrix that this one extends, if it is just what is
        wanted: so nothing it has is paid again.

        One that is not finished is put under this sweep, and so under its caps.
        """
        for earlier in self._extended():
            run = self.store.runs.cell(earlier, cell)
            if run is None or run.config != config or run.state in ("queued", "running"):
                continue
            if run.state != "done":
                self.store.runs.adopt(run.id, self.sweep.id)
            return run
        return None

    def _extended(self) -> Iterator[str]:
        """Yield the matrices that this one extends, the latest first."""
        earlier = self.sweep.parent
        while earlier:
            yield earlier
            try:
                earlier = self.store.runs.get(earlier).parent
            except BadInput:  # Deleted since.
                return

    def _add(self, cell: str, config: Config, title: str) -> Run:
        made: dict[str, str | None] = {"sweep": self.sweep.id, "cell": cell}
        if method(config.method).grows and (smaller := self._smaller(cell)):
            run = new_run(config, title, cell, **made, parent=smaller, fork_at=GROWN)
            self.store.runs.add(run, me(), FROM_THE_FIRST)
            return run
        run = new_run(config, title, cell, **made)
        self.store.runs.add(run, me())
        return run

    def _smaller(self, cell: str) -> str | None:
        """Return the run of this name from the experiment that this one extends, if there is
        one.
        """
        found = (self.store.runs.cell(earlier, cell) for earlier in self._extended())
        return next((run.id for run in found if run), None)


def new_run(config: Config, title: str, untitled: str, **origin: str | None) -> Run:
    """Return a queued run with an id of its own, called `untitled` where its title is empty;
    `origin` are the fields that say what it comes from.
    """
    moment = now()
    return Run(
        id=secrets.token_hex(4),
        title=" ".join(title.split())[:200] or untitled,
        state="queued",
        config=config,
        created=moment,
        updated=moment,
        **origin,
    )
