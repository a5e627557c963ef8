"""One model at one address: puts a question through LangChain once, and says what is wrong with
what came back.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from core.errors import ModelFailed, boundary
from core.models.abilities import Abilities
from core.models.addresses import address, key_name
from core.models.listening import AttemptReply, listen
from core.models.port import Request
from core.models.providers import build, parameters
from core.models.schema import in_words
from core.models.thoughts import apart, so_far
from core.models.trouble import Trouble, diagnose
from core.records import Sampling
from core.settings import Settings, login, public, scrub

USUAL = Sampling().max_tokens
"""Tokens a reply may have usually, which is what the setting for its time is meant for."""
QUOTED = 4_000
"""Characters of a refused reply that are shown to the model again."""
EMPTY = "No generation chunks were returned"
"""LangChain's error for a stream that ended before it began."""


@dataclass(frozen=True)
class WireQuestion:
    """What goes over the wire."""

    said: tuple[BaseMessage, ...]
    max_tokens: int
    temperature: float | None
    returns: type[BaseModel] | None

    @property
    def size(self) -> int:
        """Length of all messages in bytes."""
        return sum(
            len(str(message.content).encode("utf-8", "surrogatepass")) for message in self.said
        )


def question(request: Request, abilities: Abilities, most: int | None = None) -> WireQuestion:
    """Lay a request out: who you are and how to answer, what was said before, the task, then each
    refused reply with what was wrong with it.

    `most` tokens are asked for, where that is fewer.
    """
    how = in_words(request.schema, constrained=abilities.shape == "json_schema")
    said: list[BaseMessage] = [SystemMessage(f"{request.standing}\n\n{how}".strip())]
    for task, answered in request.turns:
        said += [HumanMessage(task), AIMessage(answered)]
    said.append(HumanMessage(request.text))
    for refused, complaint in request.corrections:
        said += [
            AIMessage(refused[:QUOTED] or "(no answer)"),
            HumanMessage(f"That answer cannot be used: {complaint}. Answer the task again."),
        ]
    allowed = min(one for one in (request.sampling.max_tokens, abilities.most, most) if one)
    return WireQuestion(tuple(said), allowed, request.sampling.temperature, request.schema)


class Endpoint:
    """Knows LangChain and the key; the key leaves it in no message."""

    def __init__(self, provider: str, model: str, settings: Settings):
        self.provider, self.model = provider, model
        whole = address(provider, settings)
        self.address = public(whole)
        self._secrets = (*settings.keys.values(), login(whole), unquote(login(whole)))
        self.id = f"{self.address} {model}"
        self._settings = settings
        self._chat: Any = None
        self._building = threading.Lock()

    def prepare(self) -> None:
        """Load LangChain and build its model, once; raises ModelFailed."""
        with self._building:  # Of many calls that begin at once, one builds it.
            if self._chat is not None:
                return
            with boundary(ModelFailed, f"preparing {self.provider}:{self.model}"):
                self._chat = build(self.provider, self.model, self._settings)

    def attempt(
        self, asked: WireQuestion, abilities: Abilities, hear: Callable[[str, str], None]
    ) -> AttemptReply:
        """Put the question once; `hear` gets the text and the thoughts so far and may raise.
        Failures come back in what was heard.
        """
        given = parameters(
            self.provider, abilities, asked.max_tokens, asked.temperature, asked.returns, asked.size
        )
        self.prepare()

        def glance(heard: AttemptReply) -> None:
            now = heard.parted(lambda text: so_far(text, abilities.unopened))
            hear(self.scrub(now.text), self.scrub(now.thoughts))

        heard = listen(
            lambda: self._chat.stream(list(asked.said), **given), glance, self._seconds(asked)
        )
        # What was cut off before any tag came was thoughts where thoughts come unopened.
        heard = heard.parted(
            lambda text: apart(text, begun=abilities.unopened and heard.finish_reason == "length")
        )
        return replace(heard, error=None) if EMPTY in str(heard.error) else heard

    def _seconds(self, asked: WireQuestion) -> float:
        """Return how long an answer may take: longer where it may be longer than usual."""
        return self._settings.call_timeout * max(1.0, asked.max_tokens / USUAL)

    def trouble(self, heard: AttemptReply) -> Trouble | None:
        """Say what is wrong with an attempt, or None for an answer that came to its end."""
        if heard.late:
            return Trouble(
                "cut",
                "the answer took longer than is allowed (FOUNDRY_CALL_TIMEOUT is"
                f" {self._settings.call_timeout:g} s)",
            )
        if heard.error is None:
            nothing = f"the server ended without an answer (is {self.address} the right address?)"
            cut = "the answer broke off in the middle" if heard.text or heard.thoughts else nothing
            return None if heard.finish_reason else Trouble("cut", cut)
        found = diagnose(
            heard.error, key_name(self.provider), self.model, self._settings.read_timeout
        )
        if found.garbled:
            return replace(
                found, sentence=f"{found.sentence} (is {self.address} the right address?)"
            )
        return Trouble(
            found.kind,
            self.scrub(found.sentence),
            self.scrub(found.said),
            found.status,
            found.retry_after,
        )

    def scrub(self, text: str) -> str:
        """Return `text` without any key or password this process knows."""
        return scrub(text, self._secrets)
