"""The one adapter over LangChain: a language model of any provider behind the port, asked with
patience.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import ValidationError

from core.errors import FoundryError, ModelFailed
from core.models import ADDRESSES
from core.models.abilities import (
    COUNTING,
    DOCUMENTED,
    LIMIT,
    MARK,
    RAMBLING,
    Abilities,
    Sign,
    fewer,
    learnt,
    of_context,
    probe,
)
from core.models.endpoint import CallPatience, Endpoint, WireQuestion, alone, place, question, wait
from core.models.listening import AttemptReply
from core.models.port import Memory, Progress, Reply, Request
from core.models.prices import at_most, unreported
from core.models.schema import in_words
from core.models.thoughts import thinking
from core.models.trouble import Trouble
from core.records import Call, kept
from core.settings import Settings

NAMED = 200
"""Characters of what a server calls its model, or the end of an answer, that are kept."""
GONE = 8.0
"""Seconds after which a server nobody reaches is given up: long enough for a restart, short enough
for a person who mistyped.
"""
CUTS, PROBE_CUTS = 5, 3
"""How many answers may break off before a call is given up, and before a probe is: each may have
been paid. Where one in five breaks off, one call in 3,000 is given up; with three it would be one
in 120, several a run. Silence is bounded by patience alone.
"""
BROKEN_OFF = "broken off"
"""The outcome of a call somebody stopped while it was answered: the server may bill it, and never
said for how much.
"""
NOTED = 0.5
"""Seconds between two notes of how far a model has thought."""
LESSONS = 4
"""How many refusals may be learnt from in one call."""
_PROBING: dict[str, threading.BoundedSemaphore] = {}
_GUARD = threading.Lock()


@dataclass
class CallEffort:
    """What one call has been through so far."""

    patience: CallPatience
    most_cuts: int = CUTS
    lost: tuple[Call, ...] = ()
    cuts: int = 0
    lessons: int = 0
    most: int | None = None
    """Tokens the reply to this very question may have, where the server said so."""


class _Rambling(Exception):
    """The probed server went on past the limit it was given."""


class ChatModel:
    """A language model reached over the network; safe to use from several threads."""

    def __init__(self, provider: str, model: str, settings: Settings, store: Memory):
        self.name, self.provider = f"{provider}:{model}", provider
        self._endpoint = Endpoint(provider, model, settings)
        self._settings, self._store = settings, store
        self._known: Abilities | None = None

    def __repr__(self) -> str:
        return f"ChatModel({self.name!r} at {self._endpoint.address})"

    @property
    def thinks(self) -> bool:
        """Whether a reply of this model was seen to hold thoughts."""
        known = self._remembered()
        return known is not None and known.thinks

    def answers(self, prompt: str) -> bool:  # noqa: ARG002 - the port's question; a language model tries any prompt
        """Say yes."""
        return True

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer once, streaming; a busy, hung or broken server is waited for within the settings'
        patience.

        Raises ModelFailed; whatever `progress` raises passes through. Either carries the answers
        lost on the way as `calls`.
        """
        effort = CallEffort(CallPatience(self._settings.patience))
        self._endpoint.prepare()
        try:
            with place(self._endpoint.address, self._settings.calls, progress):
                return self._asked(request, effort, progress)
        except FoundryError as error:
            error.calls = (*effort.lost, *error.calls)
            raise

    def _asked(self, request: Request, effort: CallEffort, progress: Progress) -> Reply:
        abilities = self.abilities(progress)
        while True:
            began = time.monotonic()
            asked = question(request, abilities, effort.most)
            request.begin(effort.lost)
            heard = self._endpoint.attempt(
                asked, abilities, self._hearing(request, effort, progress)
            )
            latency = time.monotonic() - began
            trouble = self._endpoint.trouble(heard)
            if trouble is None:
                self._learn_thinking(heard, abilities)
                return self._reply(request, asked, heard, latency, effort)
            if trouble.kind == "cut":
                said = self._endpoint.scrub(heard.text), self._endpoint.scrub(heard.thoughts)
                effort.lost += (self._lost(request, trouble.sentence, *said, latency),)
                effort.cuts += (
                    bool(heard.text or heard.thoughts) or heard.error is None or trouble.garbled
                )
            abilities = self._overcome(
                trouble, asked.max_tokens, latency, effort, abilities, progress
            )

    def _hearing(
        self, request: Request, effort: CallEffort, progress: Progress
    ) -> Callable[[str, str], None]:
        """Return what hears one answer; a listener that breaks it off leaves a call that may have
        been paid.
        """
        began = time.monotonic()
        said, due = "", 0.0

        def hear(text: str, thoughts: str) -> None:
            nonlocal said, due
            # A listener writes each new note down at once, and thoughts grow with every look.
            if thoughts and not text and time.monotonic() >= due:
                said, due = thinking(thoughts), time.monotonic() + NOTED
            try:
                progress(text, said if thoughts and not text else "")
            except FoundryError:
                effort.lost += (
                    self._lost(request, BROKEN_OFF, text, thoughts, time.monotonic() - began),
                )
                raise

        return hear

    def _lost(
        self, request: Request, outcome: str, text: str, thoughts: str, latency: float
    ) -> Call:
        return Call(
            model=self.name,
            latency=latency,
            outcome=outcome,
            raw=kept(text, outcome),
            thoughts=kept(thoughts, outcome),
            tokens_expected=unreported(self.name, request, None, None),
            cost_expected=at_most(self.name, request, None, None),
        )

    def _learn_thinking(self, heard: AttemptReply, abilities: Abilities) -> None:
        known = self._known or abilities  # Another thread may have learnt more meanwhile.
        seen = {
            "thinks": known.thinks or bool(heard.thoughts or heard.tokens_thought),
            "unopened": known.unopened or heard.unopened,
        }
        if known.model_copy(update=seen) != known:
            self._remember(known.model_copy(update=seen))

    def abilities(self, progress: Progress) -> Abilities:
        """Return what this model can do there: from the store, from documentation, or from a probe
        made once.
        """
        if known := self._remembered():
            return known
        if self.provider != "openai" or self._endpoint.address == ADDRESSES["openai"]:
            return DOCUMENTED[self.provider]
        with _GUARD:
            turn = _PROBING.setdefault(self._endpoint.id, threading.BoundedSemaphore(1))
        with alone(turn, progress, "waiting: another call is finding out what this server can do"):
            if known := self._remembered():
                return known
            progress("", "finding out what this server can do (once)")
            return self._remember(
                probe(lambda task, tried, shaped: self._ask_probe(task, tried, shaped, progress))
            )

    def _remembered(self) -> Abilities | None:
        kept = None if self._known else self._store.places.abilities(self._endpoint.id)
        try:
            self._known = Abilities.model_validate(kept) if kept else self._known
        except ValidationError:
            return None  # Written by another version: found out anew.
        return self._known

    def _remember(self, abilities: Abilities) -> Abilities:
        self._known = abilities
        self._store.places.learn(self._endpoint.id, abilities.model_dump())
        return abilities

    def _reply(
        self,
        request: Request,
        asked: WireQuestion,
        heard: AttemptReply,
        latency: float,
        effort: CallEffort,
    ) -> Reply:
        detail: dict[str, object] = {
            "address": self._endpoint.address,
            "latency": latency,
            "waited": round(effort.patience.spent, 3),
        }
        if asked.max_tokens < request.sampling.max_tokens:
            detail["most tokens"] = asked.max_tokens
        return Reply(
            self._endpoint.scrub(heard.text),
            heard.finish_reason[:NAMED],
            self._endpoint.scrub(heard.model)[:NAMED] or self._endpoint.model,
            heard.tokens_in,
            heard.tokens_out,
            detail,
            effort.lost,
            self._endpoint.scrub(heard.thoughts),
            heard.tokens_thought,
            heard.tokens_cached,
        )

    def _overcome(
        self,
        trouble: Trouble,
        tokens: int,
        latency: float,
        effort: CallEffort,
        abilities: Abilities,
        progress: Progress,
    ) -> Abilities:
        """Return the abilities to try again with, after waiting if need be; raises ModelFailed
        where trying again is no use.
        """
        if trouble.kind == "final":
            if trouble.status not in (400, 422) or effort.lessons >= LESSONS:
                raise self._failed(trouble, effort)
            effort.lessons += 1
            if most := fewer(tokens, trouble.said):
                effort.most = most
                if of_context(trouble.said):
                    return abilities
                return self._remember(abilities.model_copy(update={"most": most}))
            better = learnt(abilities, trouble.said)
            if better is None:
                raise self._failed(trouble, effort)
            return self._remember(better)
        self._wait(trouble, latency, effort, progress)
        return abilities

    def _wait(
        self, trouble: Trouble, latency: float, effort: CallEffort, progress: Progress
    ) -> None:
        effort.patience.spend(latency)
        seconds = effort.patience.next_wait(trouble.retry_after)
        gone = trouble.kind == "gone" and effort.patience.spent > GONE
        if seconds is None or gone or effort.cuts >= effort.most_cuts:
            raise self._failed(trouble, effort)
        wait(seconds, progress, trouble.sentence)
        effort.patience.spend(seconds)

    def _failed(self, trouble: Trouble, effort: CallEffort) -> ModelFailed:
        why = trouble.sentence
        if not why.endswith("?"):
            why = f"{why.rstrip('.')}."
        if (trouble.retry_after or 0) > 1:
            why += f" It asks to wait {trouble.retry_after:.0f} s, longer than is allowed."
        if effort.patience.spent >= 1:
            why += f" It was waited for {effort.patience.spent:.0f} s."
        return ModelFailed(f"{self.name} at {self._endpoint.address} did not answer: {why}")

    def _ask_probe(
        self, task: str, tried: Abilities, shaped: bool, progress: Progress
    ) -> AttemptReply | None:
        """Put one probe; None where the server refuses what was tried. Raises ModelFailed where
        nothing can be found out.
        """
        how = f" {in_words(Sign, constrained=False)}" if shaped else ""
        about = f"{MARK}: a tiny call that shows what this server takes.{how}"
        most = LIMIT if task == COUNTING else 4 * LIMIT
        asked = WireQuestion(
            (SystemMessage(about), HumanMessage(task)), most, None, Sign if shaped else None
        )
        effort = CallEffort(CallPatience(self._settings.patience), PROBE_CUTS)
        failures = 0
        while True:
            began = time.monotonic()
            try:
                heard = self._endpoint.attempt(
                    asked, tried, lambda text, thoughts: _stop_rambling(text + thoughts, progress)
                )
            except _Rambling:
                return AttemptReply()
            trouble = self._endpoint.trouble(heard)
            if trouble is None or (trouble.kind == "cut" and (heard.text or heard.thoughts)):
                return heard
            failures += (trouble.status or 0) >= 500
            if failures > 1 or (
                trouble.status and trouble.kind == "final" and trouble.status not in (401, 403, 404)
            ):
                return None
            if trouble.kind == "final":
                raise self._failed(trouble, effort)
            effort.cuts += trouble.kind == "cut" and (heard.error is None or trouble.garbled)
            self._wait(trouble, time.monotonic() - began, effort, progress)


def _stop_rambling(text: str, progress: Progress) -> None:
    progress("", "finding out what this server can do (once)")
    if len(text) > RAMBLING:
        raise _Rambling
