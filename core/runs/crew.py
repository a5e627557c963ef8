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
from core.runs.catalogue import entry, method
from core.runs.leases import me
from core.store import Store, now

EXTENSION = "extension"
"""The step an extension forks at; no step has this name, so that every identical step is reused."""
PARKED_AS: dict[State, type[FoundryError]] = {
    "capped": BudgetReached,
    "stopped": Stopped,
    "waiting": Waiting,
    "interrupted": StoreUnusable,
}


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
                f"The database could not take how run {run.id} of this {self._whole} ended. Resume"
                " to go on."
            )
        if ended.state in ("done", "failed"):
            return Worked(run=ended.id, state=ended.state, reason=ended.reason)
        if ended.state in PARKED_AS:
            reason = ended.reason or f"Run {ended.id} of this {self._whole} is {ended.state}."
            raise PARKED_AS[ended.state](reason.replace("whole experiment", f"whole {self._whole}"))
        raise LeaseLost(f"Run {ended.id} of this {self._whole} is worked on by another process.")

    @property
    def _whole(self) -> str:
        return entry(self.sweep.config).whole

    @property
    def _extends(self) -> bool:
        return self.sweep.fork_at == EXTENSION

    def _adopt(self, cell: str, config: Config) -> Run | None:
        """Return the run of this name from a matrix that this one extends, or from what it was
        forked from, if it is just what is wanted: so nothing it has is paid again.

        One that is not finished is put under this sweep, and so under its caps, where this one
        extends the other; a fork leaves it with its own.
        """
        if cell == self.sweep.fork_at:  # Asked anew.
            return None
        for earlier in self._extended():
            run = self.store.runs.cell(earlier, cell)
            if run is None or run.config != config or run.state in ("queued", "running"):
                continue
            if run.state != "done":
                if not self._extends:
                    continue
                self.store.runs.adopt(run.id, self.sweep.id)
            return run
        return None

    def _like(self, cell: str, config: Config) -> Run | None:
        """Return the run of this name from what this one was forked from, whatever it was asked: a
        run that begins as its extension asks again only what is asked otherwise. Where this one
        extends the other, so do runs of methods that grow, and no others.
        """
        grows = method(config.method).grows
        if cell == self.sweep.fork_at or (self._extends and not grows):
            return None
        for earlier in self._extended():
            run = self.store.runs.cell(earlier, cell)
            if run and (run.config.method, run.config.version) == (config.method, config.version):
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
        origin = {"sweep": self.sweep.id, "cell": cell}
        if like := self._like(cell, config):
            run = new_run(config, title, cell, **origin, parent=like.id, fork_at=EXTENSION)
            self.store.runs.add(run, me(), fork_place="0")
            return run
        run = new_run(config, title, cell, **origin)
        self.store.runs.add(run, me())
        return run


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
