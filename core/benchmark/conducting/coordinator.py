"""The coordinator of a benchmark: hands cells out, takes answers in, and alone writes the store."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing

from core.benchmark.conducting.doing import ShownRun
from core.benchmark.conducting.kept import ANSWERED, Keep, left
from core.benchmark.conducting.protocol import following, question, request, settle, unheard
from core.benchmark.conducting.threads import ThreadEngine
from core.benchmark.conducting.wire import Doing, Engine, Returned, WireRequest
from core.benchmark.inputs import BenchInputs
from core.desk import MONTH_CAP, Desk
from core.errors import PAUSED, BadInput, BudgetReached, ModelFailed, Stopped
from core.models import LOCAL, prices
from core.records import MAYBE_PAID, BenchCell, Call, KeywordList, Record, Settled
from core.store.benchmarks import lane_of

BREAK = 8
"""Calls of one model that fail in a row, for want of a connection, before it is left alone: no
sweep burns its cells on a server that is gone.
"""
SILENT, SILENT_AT_END = 16, 4
"""Calls of one provider that fail in a row, whichever models are asked, before all of them are left
alone; and where it ends with as many.
"""
SLICE = 0.25
"""Seconds: how soon a wish to stop is seen."""
NOBODY = 30.0
"""Seconds a cluster may be without a worker before the run rests."""
CROWD, GATHER = 32, 0.2
"""With so many calls in flight answers are gathered for so many seconds before they are written:
one transaction for all of them takes less from the threads that make calls than one for each.
"""
FREE = ("builtin", "authored", LOCAL)
UNHEARD = f"{MAYBE_PAID}: it was broken off, and nobody heard its end"
"""The outcome of a call the server may bill, and never said for how much."""


def conduct(desk: Desk, inputs: BenchInputs) -> Iterator[Record]:
    """Work through every cell that is left; what fails is recorded and gone past.

    Raises BudgetReached and Stopped once nothing is in flight any more, and ModelFailed where a
    model could not be reached again and again.
    """
    with (
        closing(Floor(desk, inputs)) as floor,
        closing(open_engine(desk, inputs, floor.keep)) as engine,
    ):
        floor.work(engine)
    return iter(())


def open_engine(desk: Desk, inputs: BenchInputs, keep: Keep) -> Engine:
    """Return who makes the calls, and gives each answer to `keep` first: the cluster the settings
    name, or threads of this process.
    """
    if cluster := desk.bench.settings.cluster:
        from core.benchmark.conducting.cluster import DaskEngine

        return DaskEngine(cluster, desk.bench.settings, keep)
    models = {name: desk.bench.models[role] for role, name in desk.bench.config.models.items()}
    return ThreadEngine(
        models,
        {lane: limit(desk, inputs, lane) for lane in {lane_of(name) for name in models}},
        keep,
        desk.bench.run.id,
    )


def limit(desk: Desk, inputs: BenchInputs, lane: str) -> int:
    """Return how many calls to a provider are made at once."""
    most = desk.bench.settings.calls
    return min(most, inputs.limits.get(lane, most))


class Floor:
    """Where the work stands: what is in flight, which models are left alone, what keeps new calls
    from beginning.
    """

    def __init__(self, desk: Desk, inputs: BenchInputs):
        self._inputs, self._bench = inputs, desk.bench
        self._rows = desk.bench.store.benchmarks
        self._run = desk.bench.run.id
        self._epoch = desk.bench.epoch
        self._flying: dict[int, tuple[BenchCell, tuple[str, ...], WireRequest]] = {}
        self._streak: dict[str, list[int]] = defaultdict(list)
        self._silent: dict[str, list[int]] = defaultdict(list)
        # The model or the provider that said it last, and what.
        self._aside: dict[str, tuple[str, str]] = {}
        self._spool = desk.bench.store.spool(self._run, self._epoch)
        self._shown = ShownRun(
            desk.bench.store.steps, self._run, self._epoch, texts=inputs.brainstorm
        )
        self.keep = Keep(self._spool)
        self._lay()
        self._take_over()
        names = [*(one.model for one in inputs.models), *(one.model for one in inputs.judges)]
        self._lanes = {
            lane: limit(desk, inputs, lane) for lane in sorted({lane_of(name) for name in names})
        }
        self._names = {
            lane: {name for name in names if lane_of(name) == lane} for lane in self._lanes
        }

    def _lay(self) -> None:
        held = self._bench.store.frozen.get(self._inputs.keywords, KeywordList)
        count = self._inputs.count
        if count > len(held.keywords):
            raise BadInput(
                f"The list {held.name!r} has {len(held.keywords)} keywords; {count} are asked for."
            )
        keywords = held.keywords[:count]
        self._keywords = [one.text for one in keywords]
        models = [one.model for one in self._inputs.models]
        self._rows.lay(self._run, self._epoch, keywords, models, self._inputs.ideas)

    def _take_over(self) -> None:
        """Take in what a worker that is gone had heard and not written, and give back the rest of
        what it had taken.
        """
        found, heard = [], left(self._spool)
        for cell, about in self._rows.taken(self._run, list(heard)):
            asked = self._question(cell, about)
            if asked.digest() == heard[cell.id].question:
                one = settle(cell, asked, heard[cell.id].returned, self._inputs)
                # Failures in a row leave a model alone, and those of a worker that is gone are in
                # no row any more: what it could not reach is asked anew.
                found.append(_unanswered(cell, one.calls) if one.why == "ModelFailed" else one)
        # In one transaction: a cell that is asked again looks as it did before; only that nobody
        # has taken it says that its calls are booked, and after a crash they would be booked twice.
        with self._bench.store.connections.writing():
            if found:
                self._rows.settle(self._run, self._epoch, found, self._following)
            self._rows.reclaim(self._run, self._epoch)
        self._spool.open()

    def close(self) -> None:
        """Leave nothing behind but what is not in the store."""
        self._spool.close()
        self._shown.close()

    # -- the work ------------------------------------------------------------------------------

    def work(self, engine: Engine) -> None:
        """Keep every place busy until nothing is left, a cap is near, or somebody asks to stop."""
        journal, since = self._bench.journal, time.monotonic()
        while True:
            if journal.stop.is_set() or journal.lost.is_set():
                self._break_off(engine)
                journal.breathe()
            if paused := self._paused:
                engine.hold()
            capped = None if paused else self._fill(engine)
            if engine.places() or self._flying:
                since = time.monotonic()
            if not self._flying:
                if paused:
                    raise Stopped(PAUSED)
                if capped:
                    raise capped
                if engine.places():
                    break
                if time.monotonic() - since > NOBODY:
                    raise ModelFailed(
                        f"The cluster has had no worker for {NOBODY:.0f} s. Start workers, then"
                        " resume."
                    )
            if len(self._flying) > CROWD:
                time.sleep(GATHER)
            self._take_in(engine, engine.heard(SLICE))
            self._shown.update(self._doing(engine))
        self._say_who_was_left()

    def _doing(self, engine: Engine) -> dict[str, Doing]:
        """Return what calls in flight are doing, by the name of their cell; of an answer that is no
        prose only what it waits for.
        """
        shown = {}
        for n, doing in engine.doing().items():
            if n in self._flying:
                cell = self._flying[n][0]
                shown[cell.key] = doing if cell.kind == "idea" else doing._replace(text="")
        return shown

    def _say_who_was_left(self) -> None:
        """Raise ModelFailed where models were left alone; a provider whose last calls all failed is
        one that is gone.
        """
        for lane in [] if self._inputs.brainstorm else self._silent:
            if len(self._silent[lane]) >= SILENT_AT_END:
                self._leave(
                    sorted(self._names[lane]),
                    self._silent[lane],
                    lane,
                    "no answer came from it any more.",
                )
        if self._aside:
            names = sorted(self._aside)
            whose, said = self._aside[names[0]]
            raise ModelFailed(
                f"{', '.join(names)} could not be reached again and again and"
                f" {'was' if len(names) == 1 else 'were'} left alone; what could be done without is"
                f" done. Resume to go on with what is left. The last word of {whose}: {said}"
            )

    @property
    def _month_cap(self) -> float | None:
        cap = self._bench.store.places.choice(MONTH_CAP)
        return float(cap) if cap else None

    @property
    def _paused(self) -> bool:
        return self._bench.journal.pause.is_set() or self._bench.journal.round.is_set()

    def _fill(self, engine: Engine) -> BudgetReached | None:
        """Hand out cells to every provider that has a free place and a model that is not left
        alone; return the cap that kept one back.
        """
        month_cap = self._month_cap
        used = Counter(lane_of(cell.asked) for cell, _, _ in self._flying.values())
        places, near = engine.places(), None
        room = places + engine.ahead - len(self._flying) if places else 0
        for lane, most in self._lanes.items():
            free = min(most + engine.ahead - used[lane], room)
            # Of models left alone every ready cell would be gone through in vain.
            if free <= 0 or self._names[lane] <= self._aside.keys():
                continue
            try:
                claimed = self._rows.claim(
                    self._run,
                    self._epoch,
                    lane,
                    free,
                    self._allowance,
                    month_cap,
                    sorted(self._aside),
                )
            except BudgetReached as reached:  # Others may cost nothing.
                near = reached
                continue
            room -= len(claimed)
            for cell, about in claimed:
                self._submit(engine, cell, about)
        return near

    def _submit(self, engine: Engine, cell: BenchCell, about: tuple[str, ...]) -> None:
        asked = self._question(cell, about)
        self._flying[cell.id] = (cell, about, asked)
        engine.submit(asked)

    def _question(self, cell: BenchCell, about: tuple[str, ...]) -> WireRequest:
        config = self._bench.config
        return question(
            cell,
            about,
            self._keywords[cell.keyword],
            self._inputs,
            self._bench.prompts,
            config.sampling,
            config.seed,
        )

    def _allowance(self, cell: BenchCell, about: tuple[str, ...]) -> tuple[float, int]:
        if lane_of(cell.asked) in FREE:
            return 0.0, 0
        asked = request(self._question(cell, about))
        cost = prices.estimate(cell.asked, asked)
        return cost or 0.0, sum(prices.expected_tokens(asked))

    # -- what comes back -----------------------------------------------------------------------

    def _take_in(self, engine: Engine, returned: Sequence[Returned]) -> None:
        """Write what came back, and ask again what must be asked again."""
        self._give_back([one for one in returned if one.failure not in ANSWERED])
        flown, found = [], []
        for one in returned:
            if one.failure in ANSWERED:
                cell, about, asked = self._flying.pop(one.id)
                flown.append((cell, about))
                found.append(settle(cell, asked, one, self._inputs))
        if not found:
            return
        self._rows.settle(self._run, self._epoch, found, self._following)
        self._spool.drop([outcome.id for outcome in found])
        for (cell, about), outcome in zip(flown, found, strict=True):
            self._mind(cell, outcome)
            if outcome.state == "again":
                tried = {"so_far": outcome.so_far, "refusals": outcome.refusals}
                self._ask_again(engine, cell.model_copy(update=tried), about)

    def _following(
        self, idea: BenchCell, others: Sequence[BenchCell]
    ) -> list[tuple[str, int, int, str]]:
        return following(
            self._bench.config.seed, self._inputs, self._keywords[idea.keyword], idea, others
        )

    def _ask_again(self, engine: Engine, cell: BenchCell, about: tuple[str, ...]) -> None:
        journal = self._bench.journal
        if journal.stop.is_set() or self._paused or cell.asked in self._aside:
            self._rows.release(self._run, self._epoch, [cell.id])
            return
        try:
            cost, tokens = self._allowance(cell, about)
            self._bench.store.steps.reserve(
                self._run, cell.key, cost, tokens, self._month_cap, self._epoch
            )
        except BudgetReached:
            # It is ready again, and what keeps it back is seen where it is claimed.
            self._rows.release(self._run, self._epoch, [cell.id])
            return
        self._submit(engine, cell, about)

    def _give_back(self, returned: Sequence[Returned]) -> None:
        """Give back cells whose call was broken off or whose worker is gone; what may have been
        paid for them is booked.
        """
        if not returned:
            return
        flown = [(self._flying.pop(one.id)[0], one) for one in returned]
        paid = [_unanswered(cell, one.lost) for cell, one in flown if one.lost]
        # In one transaction: whoever finds a cell taken, its call noted as begun, books that call.
        with self._bench.store.connections.writing():
            if paid:
                self._rows.settle(self._run, self._epoch, paid, self._following)
            self._rows.release(self._run, self._epoch, [cell.id for cell, _ in flown])
        self._spool.drop([cell.id for cell, _ in flown])

    def _mind(self, cell: BenchCell, one: Settled) -> None:
        """Count failures in a row, of the model and of its provider; at the limit it is left alone,
        and those cells are ready again.
        """
        model, lane = cell.asked, lane_of(cell.asked)
        of_model, of_lane = self._streak[model], self._silent[lane]
        if one.why != "ModelFailed":
            of_model.clear()
            of_lane.clear()
            return
        of_model.append(cell.id)
        of_lane.append(cell.id)
        if len(of_lane) >= SILENT:
            self._leave(sorted(self._names[lane]), of_lane, lane, one.text)
        elif len(of_model) >= BREAK or model in self._aside:
            self._leave([model], of_model, model, one.text)

    def _leave(self, models: Sequence[str], failed: list[int], whose: str, said: str) -> None:
        """Leave models alone, and make the cells that failed by it ready again."""
        for name in models:
            self._aside.setdefault(name, (whose, said))
        self._rows.revive(self._run, self._epoch, failed)
        failed.clear()

    def _break_off(self, engine: Engine) -> None:
        """Break off what is in flight; calls that do not heed it in time are given back all the
        same, and what they bring is lost.
        """
        engine.cut()
        until = time.monotonic() + 5.0
        while self._flying and time.monotonic() < until and not self._bench.journal.lost.is_set():
            self._take_in(engine, engine.heard(SLICE))
        if not self._bench.journal.lost.is_set():
            self._give_back(
                [self._unheard(cell, asked) for cell, _, asked in self._flying.values()]
            )

    def _unheard(self, cell: BenchCell, asked: WireRequest) -> Returned:
        """Return that a call has not come back; where it had gone out, it may have been paid."""
        begun = self._spool.under_way().get(cell.id, 0)
        lost = (unheard(asked, UNHEARD),) * begun
        return Returned(id=cell.id, failure="Stopped", said=UNHEARD, lost=lost)


def _unanswered(cell: BenchCell, calls: tuple[Call, ...]) -> Settled:
    """Book calls of a cell that is to be asked just as it was."""
    return Settled(
        id=cell.id, state="again", so_far=cell.so_far, refusals=cell.refusals, calls=calls
    )
