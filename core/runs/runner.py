"""The runner: starts, stops, resumes and forks runs, one worker thread per run; knows nothing of
screens.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Literal

from pydantic import ValidationError

from core import records
from core.desk import Bench, Desk
from core.errors import (
    BadInput,
    FoundryError,
    LeaseLost,
    NoThread,
    NotThere,
    Stopped,
    StoreFailed,
    StoreUnusable,
    boundary,
    is_mistake,
)
from core.journal import Journal
from core.methods.chain_of_ideas.editing import check_permitted, put_beside
from core.records import PARKED, Config, Record, Run, State
from core.records.faults import fault_in_words
from core.runs.catalogue import entry, method
from core.runs.children import work_apart
from core.runs.crew import PARKED_AS, new_run
from core.runs.endings import Ending, Endings
from core.runs.leases import alive, me
from core.runs.workshop import Workshop
from core.store.answers import OpenQuestion
from core.store.runs import Extent
from core.threads import begin_thread
from core.wording.numbers import counted

log = logging.getLogger("foundry.runner")
BEAT = 0.5
"""Seconds between two looks at what the run was asked to do."""
AS_ASKED = "Stopped as asked."
"""Why a run is stopped."""
RESTED = "The server was stopped. Nothing is lost; it goes on when the server starts again."
"""Why a run is interrupted that was at work when its server was told to end."""
WAITED = "Stopped as asked, while it waited for a person. Resume, and it asks again."
"""Why a run is stopped that nobody had answered."""


class Runner:
    """Queues runs and works on them; several processes may share one store."""

    def __init__(self, workshop: Workshop):
        self.workshop, self.store = workshop, workshop.store
        self._queue: deque[tuple[str, threading.Event]] = deque()
        self._over: dict[str, threading.Event] = {}
        self._hands = 0
        self.endings = Endings(self.store)
        self._lock = threading.Lock()
        self._at_work: dict[str, Journal] = {}
        self._resting = False

    # -- what a person asks for ----------------------------------------------------------------

    def begin(
        self,
        config: Config,
        title: str,
        parent: str | None = None,
        at: str | None = None,
        place: str | None = None,
    ) -> Run:
        """Store a new run, ready to be worked on; a fork is begun `at` a step of its parent, which
        has that `place` there.

        Raises BadInput where the parent was deleted meanwhile: the fork would pay for every step
        again.
        """
        run = new_run(config, title, "Untitled", parent=parent, fork_at=at)
        with self.store.connections.writing():
            if parent:
                self.store.runs.get(parent)
            self.store.runs.add(run, me(), place)
        return run

    def start(self, run_id: str) -> None:
        """Work on a queued run in the background, as soon as there is a place; a run that is being
        worked on is left alone. Raises NoThread; it stays queued then, and begins with the next
        one.
        """
        over = threading.Event()
        with self._lock:
            self._over[run_id] = over
            self._queue.append((run_id, over))
            if self._hands == self.workshop.settings.workers:
                return
            self._hands += 1
        # It ends with the process: a server that is told to stop goes at once, and the run goes on
        # where the next one starts.
        try:
            begin_thread(self._lend_a_hand, "runner")
        except NoThread:
            with self._lock:
                self._hands -= 1
            raise

    def wait(self, run_id: str, seconds: float | None = None) -> None:
        """Wait until the run's last start in this process came to its end, or so many seconds; not
        at all for a run that was not started here.
        """
        # An event, not Thread.join: in Python 3.11 an interrupted join takes the thread for ended.
        with self._lock:
            over = self._over.get(run_id)
        if over:
            over.wait(seconds)

    def stop(self, run_id: str, when: Literal["now", "after calls", "after round"] = "now") -> None:
        """Ask whoever works on the run to stop: at once, after the calls in flight, or before its
        next round; a run nobody works on, or that waits for a person, is stopped here.
        """
        lease = self.store.runs.lease(run_id)
        if lease["state"] == "waiting":
            if when == "after round":
                raise BadInput(f"Run {run_id} waits for a person, in the middle of no round.")
            if self.store.runs.stop_waiting(run_id, WAITED):
                return
        if lease["state"] not in ("queued", "running"):
            raise BadInput(
                f"Run {run_id} is {lease['state']}; only a run that is queued, running or waiting"
                " can be stopped."
            )
        idle = lease["state"] == "queued" or not alive(lease["owner"], lease["heartbeat"])
        if idle and self.store.runs.interrupt(run_id, lease["epoch"], "stopped", AS_ASKED):
            return
        asked_to = {"now": "stop", "after calls": "pause", "after round": "round"}[when]
        self.store.runs.ask_to(run_id, asked_to)

    def own(self, run_id: str) -> Run:
        """Return the run, unless it is a case study, which nothing changes; raises BadInput."""
        run = self.store.runs.get(run_id)
        if run.packed:
            raise BadInput(
                f"{run.title!r} is a case study: it plays, and nothing about it changes. Refine its"
                " idea in a run of your own instead."
            )
        return run

    def resume(self, run_id: str, **caps: float | None) -> None:
        """Go on with a run that is parked or failed, under other caps where these are given (as
        `Runs.change` takes them); nothing that is recorded is paid again. Raises BadInput.
        """
        self.enqueue(run_id, **caps)
        self.start(run_id)

    def enqueue(self, run_id: str, **caps: float | None) -> None:
        """Queue a run that is parked or failed, for whoever works on it next, under other caps
        where these are given; raises BadInput.
        """
        run = self.ready_to_resume(run_id)
        # One that went on meanwhile keeps the caps it goes on with, or ended with.
        with self.store.connections.writing():
            if not self.store.runs.enqueue(run.id, me()):
                raise BadInput(f"Run {run_id} was taken up by somebody else just now.")
            if caps:
                self.store.runs.change(run.id, **caps)

    def ready_to_resume(self, run_id: str) -> Run:
        """Return the run if it can go on; raises BadInput with the reason otherwise."""
        self.notice_dead()
        run = self.own(run_id)
        if run.state == "done":
            raise BadInput(f"Run {run_id} is finished. Fork it to try something else.")
        if run.state not in (*PARKED, "failed"):
            raise BadInput(f"Run {run_id} is {run.state} already.")
        return run

    def delete(self, run_id: str, seen: Extent | None = None) -> None:
        """Remove a run and all that is only its own: it is gone at once, and its rows go in the
        background. Raises BadInput, also for a run that is queued or running, and for one that
        holds something else by now than was `seen` as this was asked for.
        """
        self.notice_dead()
        # In one transaction, so that nobody resumes it between the look and the removal.
        with self.store.connections.writing():
            for row in self.store.runs.working():
                if run_id in (row["id"], row["sweep"]):
                    raise BadInput(
                        f"Nothing was deleted: run {row['id']} is {row['state']}. Stop it first."
                    )
            held = self.store.runs.extent(self.store.runs.get(run_id))
            if seen and seen != held:
                raise BadInput(
                    f"Nothing was deleted: run {run_id} went on since you were asked, and holds"
                    f" {counted(held.steps, 'step')} and {counted(held.calls, 'call')} now. Look at"
                    " them, then delete it if you still want to."
                )
            self.store.runs.delete(run_id)
        self._sweep()

    def _sweep(self) -> None:
        # What it leaves, the next one sweeps.
        with suppress(NoThread):
            begin_thread(self._clear_deleted, "sweep")

    def _clear_deleted(self) -> None:
        try:
            self.store.runs.clear_deleted()
        except StoreFailed:
            log.exception(
                "What deleted runs left could not be removed; it is tried again when a run is"
                " deleted or the server starts"
            )

    def fork(
        self, run_id: str, at: str, change: Callable[[Config], Config], place: str | None = None
    ) -> Run:
        """Make a run that shares everything the parent asked before the key `at`, or before a place
        in the order of asking; `at` is asked anew.

        Raises BadInput for an unknown key.
        """
        parent = self.own(run_id)
        place = place or self.store.steps.place(run_id, at)
        if place is None:
            raise NotThere(f"Run {run_id} has no step {at!r}.", f"show {run_id}")
        usd, tokens = self.store.runs.caps(run_id)
        before: dict[str, object] = {
            "edits": {},
            "cap_usd": usd,
            "cap_tokens": tokens,
            "cap_chosen": parent.config.cap_chosen or tokens != parent.config.cap_tokens,
        }
        config = self.workshop.capped(change(parent.config.model_copy(update=before)))
        return self.begin(config, parent.title, run_id, at, place)

    def fork_edited(
        self, run_id: str, at: str, put: Record, models: Mapping[str, str] | None = None
    ) -> Run:
        """Make a run that differs from its parent in one answer: `put` stands in place of what the
        step `at` answered.

        Raises BadInput, for papers too that the run's cut-off or ban list rules out: they hold for
        people as for models.
        """
        check_permitted(self.store.runs.get(run_id), put)
        edits = {at: put.model_dump(mode="json"), **put_beside(self.store, run_id, at, put)}

        def change(config: Config) -> Config:
            chosen = {**config.models, **(models or {})}
            return config.model_copy(update={"edits": edits, "models": chosen})

        return self.fork(run_id, at, change)

    def answer(self, run_id: str, key: str, answer: dict[str, object], by: str) -> None:
        """Give a run an answer it asks for; it goes on once it waits for no other. Raises BadInput
        if nobody asks, or if the answer does not fit.
        """
        self.own(run_id)
        question = next((one for one in self.store.answers.open(run_id) if one.key == key), None)
        if question:
            _check_answer(question, answer)
        with self.store.connections.writing():
            self.store.answers.answer(run_id, key, answer, by)
            goes_on = self._all_answered(run_id)
        if goes_on:
            self.start(run_id)

    def _all_answered(self, run_id: str) -> bool:
        """Queue a run that waits for people and has every answer, and say whether it did."""
        run = self.store.runs.get(run_id)
        if run.state != "waiting" or self.store.answers.open(run_id):
            return False
        return self.store.runs.enqueue(run_id, me())

    # -- after a crash -------------------------------------------------------------------------

    def notice_dead(self) -> list[str]:
        """Mark runs whose process is gone as interrupted and return their ids."""
        interrupted = []
        for row in self.store.runs.working():
            if alive(row["owner"], row["heartbeat"]):
                continue
            asked: tuple[State, str] = ("stopped", AS_ASKED)
            if self.store.runs.interrupt(
                row["id"], row["epoch"], *(asked if row["asked_to"] else ())
            ):
                interrupted.append(row["id"])
        return interrupted

    def recover(self) -> None:
        """Go on with what was interrupted, if the settings say so; called when a server starts."""
        self.notice_dead()
        self._sweep()
        self._go_on([*(run.id for run in self._interrupted()), *self._answered()])

    def recover_late(self) -> None:
        """Go on with runs of a machine of another name (a container that was made anew), which
        count as at work until their lease has run out; called once it has.
        """
        late = set(self.notice_dead())
        self._go_on([run.id for run in self._interrupted() if run.id in late])

    def _interrupted(self) -> list[Run]:
        """Return the runs that were interrupted, oldest first, without those of a sweep: they go on
        with it.
        """
        return self.store.runs.listed(states=("interrupted",), limit=1000)[::-1]

    def _answered(self) -> list[str]:
        """Return the ids of the runs that wait for people who have said all they were asked, oldest
        first: the process was killed before it could go on.
        """
        waiting, answers = self.store.runs.ids(states=("waiting",), limit=1000), self.store.answers
        return [run for run in waiting[::-1] if answers.answered(run) and not answers.open(run)]

    def _go_on(self, run_ids: list[str]) -> None:
        if self.workshop.settings.resume:
            for run_id in run_ids:
                if self.store.runs.enqueue(run_id, me()):
                    self._start_or_log(run_id)

    def _start_or_log(self, run_id: str) -> None:
        try:
            self.start(run_id)
        except NoThread as error:
            log.warning("Run %s is queued until there is a thread for it. %s", run_id, error)

    def rest(self, seconds: float) -> None:
        """Begin nothing new, and wait at most so many seconds until what is in flight has ended and
        is kept; called when a server ends, after which the next one goes on.
        """
        until = time.monotonic() + seconds
        with self._lock:
            self._resting = True
            for journal in self._at_work.values():
                journal.pause.set()
        while self._at_work and time.monotonic() < until:
            time.sleep(BEAT / 10)

    # -- the work ------------------------------------------------------------------------------

    def work(self, run_id: str, under: Journal | None = None) -> State:
        """Work on a queued run until it ends or is parked, and return its state then; what goes
        wrong is stored with the run.

        Made `under` the journal of a sweep, it stops when that one is asked to.
        """
        lease = self.store.runs.lease(run_id)
        taken = lease["state"] == "running" and alive(lease["owner"], lease["heartbeat"])
        epoch = None if taken else self.store.runs.claim(run_id, me(), lease["epoch"])
        if epoch is None:
            return self.store.runs.get(run_id).state
        known = self.store.answers.answered(run_id)
        method_name, began = self.store.runs.get(run_id).config.method, time.monotonic()
        self.store.log.tell("run.begun", run=run_id, method=method_name, epoch=epoch)
        try:
            state, reason = self._tell_story(run_id, epoch, under)
            self.store.log.tell(
                f"run.{state}",
                "error" if state == "failed" else "info",
                run=run_id,
                method=method_name,
                seconds=round(time.monotonic() - began, 3),
            )
            if not self.endings.end(run_id, Ending(epoch, state, reason, time.time())):
                return "running"
        finally:
            self._at_work.pop(run_id, None)
        # An answer that came while other parts of the run were still at work woke nobody.
        late = state == "waiting" and self.store.answers.answered(run_id) > known
        return self.work(run_id, under) if late and self._all_answered(run_id) else state

    def _lend_a_hand(self) -> None:
        while True:
            with self._lock:
                if not self._queue or self._resting:
                    self._hands -= 1
                    return
                run_id, over = self._queue.popleft()
            try:
                self._have_worked(run_id)
            except StoreUnusable as error:
                self.endings.end(run_id, Ending(None, "interrupted", str(error)))
            except BaseException:  # Whatever it is, the next run has its turn.
                log.exception("Run %s could not be worked on", run_id)
            finally:
                over.set()

    def _have_worked(self, run_id: str) -> None:
        """Work on a queued run here, or in a process of its own where its method wants one."""
        if not entry(self.store.runs.get(run_id).config).own_process:
            self.work(run_id)
            return
        try:
            log_file = work_apart(run_id, self.workshop.settings)
        except OSError as error:
            said = f"No process could be begun for this run ({error}). Resume to try again."
            self.endings.end(run_id, Ending(None, "failed", said))
            return
        self.notice_dead()
        if self.store.runs.get(run_id).state == "queued":
            said = f"The process that was to work on this run ended at once; {log_file} says why."
            self.endings.end(run_id, Ending(None, "failed", said))

    def _tell_story(self, run_id: str, epoch: int, under: Journal | None) -> tuple[State, str]:
        over = threading.Event()
        try:
            bench, desk = self.workshop.desk(self.store.runs.get(run_id), epoch, self.work)
            if under:
                bench.journal.heed(under)
            with self._lock:
                self._at_work[run_id] = bench.journal
                if self._resting:
                    bench.journal.pause.set()
            begin_thread(self._watch, f"beat-{run_id}", bench.journal, run_id, epoch, over)
            _tell(bench, desk)
        except FoundryError as error:
            if self._resting and isinstance(error, Stopped) and not self._asked_to_stop(run_id):
                return "interrupted", RESTED
            return _parked_or_failed(error), str(error)
        except BaseException as error:
            if not is_mistake(error):
                raise
            log.exception("Run %s met a mistake in the program", run_id)
            sentence = f"The program met a mistake of its own ({type(error).__name__}); the log has"
            return "failed", f"{sentence} the details. Resume to try again."
        finally:
            over.set()
        return "done", ""

    def _asked_to_stop(self, run_id: str) -> bool:
        """Say whether a person asked for it, so that it does not go on by itself."""
        return bool(self.store.runs.lease(run_id)["asked_to"])

    def _watch(self, journal: Journal, run_id: str, epoch: int, over: threading.Event) -> None:
        """Renew the lease and pass on requests to stop, until the story is over."""
        while not over.wait(BEAT):
            try:
                match self.store.runs.beat(run_id, epoch):
                    case "stop":
                        journal.stop.set()
                    case "pause":
                        journal.pause.set()
                    case "round":
                        journal.round.set()
            except LeaseLost:
                journal.lost.set()
                return
            except StoreFailed:
                log.warning("Run %s could not renew its lease; trying again", run_id)


def _tell(bench: Bench, desk: Desk) -> None:
    plan = method(bench.config.method)
    if plan.version != bench.config.version:
        raise BadInput(
            f"This run began with version {bench.config.version} of its method, and this program"
            f" has version {plan.version}. What it has stays readable; start a new run to go on."
        )
    with boundary(BadInput, "reading the run's inputs"):
        inputs = plan.inputs.model_validate(bench.config.inputs)
    try:
        for n, record in enumerate(plan.story(desk, inputs), 1):
            desk.at(f"result-{n}").show(record)
    except FoundryError as error:
        if error.steps:
            bench.journal.forget(error.steps)
        raise


def _check_answer(question: OpenQuestion, answer: dict[str, object]) -> None:
    """Raise BadInput where an answer is not of the kind that was asked for."""
    schema = question.question["schema"]
    assert isinstance(schema, dict)
    kind: type[Record] = getattr(records, schema["title"])
    try:
        kind.model_validate(answer, context=question.question["shown"])
    except ValidationError as error:
        wrong = error.errors()[0]
        field = records.label(str(wrong["loc"][0])) if wrong["loc"] else kind.__name__
        raise BadInput(f"The answer does not fit. {field}: {fault_in_words(wrong)}.") from None


def _parked_or_failed(error: FoundryError) -> State:
    for state, kind in PARKED_AS.items():
        if isinstance(error, kind):
            return state
    return "failed"
