"""A policy that was trained here, as a model like any other: it answers in this very process."""

import json
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ModelFailed
from core.models import LOCAL, idea_block
from core.models.abilities import Abilities
from core.models.endpoint import QUOTED, alone, question
from core.models.policy_files import glance, verify
from core.models.port import Progress, Reply, Request
from core.models.thoughts import apart, so_far, thinking
from core.models.weights import LocalPolicy, load
from core.records import TrainedPolicy
from core.records.training import Conversation, Drafted, Turn

NO_BLOCK = "the answer does not hold one idea between <idea> and </idea>"
LENGTH = "the idea between <idea> and </idea> has {:,} characters; it needs 200 to 20,000"
BENCH = ("bench-idea", "bench-idea-again")
"""Prompts for an idea as free text: what stands in a block, out of habit, is the idea."""
_TAG_BEGUN = re.compile(r"</?(?:i|id|ide|idea)?$")
"""A tag of a block that is being written: no part of the idea."""
IN_WORDS = Abilities(shape="prompt")
"""How everything is asked that it was not trained for: the shape of the answer in words."""
_ROLES = {"human": "user", "ai": "assistant"}
_TURN = threading.BoundedSemaphore(1)
"""The dice are the process's: policies that answer side by side would disturb each other's."""
_LOADED: dict[Path, "_Weights"] = {}


@dataclass
class _Weights:
    """A policy in memory."""

    of: TrainedPolicy
    model: Any
    tokenizer: Any
    thinks: bool = False
    """Whether a reply of it was seen to hold thoughts."""


class LocalModel:
    """A trained policy, loaded when it is first asked; it answers one question at a time."""

    provider = LOCAL

    def __init__(self, policy: TrainedPolicy, folder: Path) -> None:
        """Open a policy whose files lie in a folder; raises BadInput where they are not what they
        were.
        """
        glance(policy, folder)
        self.name, self.policy, self._folder = f"{LOCAL}:{policy.name}", policy, folder

    @property
    def thinks(self) -> bool:
        """Whether a reply of this policy was seen to hold thoughts since it was loaded."""
        held = _LOADED.get(self._folder)
        return held is not None and held.of == self.policy and held.thinks

    def answers(self, prompt: str) -> bool:  # noqa: ARG002 - the port's question; a language model tries any prompt
        """Say yes."""
        return True

    def reply(self, request: Request, progress: Progress) -> Reply:
        """Answer once, sampled from the request's seed; raises BadInput where its files are gone or
        changed, ModelFailed, and what `progress` raises.
        """
        with alone(_TURN, progress, "waiting: a policy of this machine answers one call at a time"):
            held = self._weights(progress)
            began = time.monotonic()
            conversation = conversation_of(request)
            policy = LocalPolicy(
                held.model, held.tokenizer, self.name, 0, request.sampling.temperature
            )
            read = len(policy.encode(conversation))
            policy.most = self._room(held, read, request.sampling.max_tokens)
            progress("", f"{self.name} reads the question")
            written = policy.reply(
                conversation, request.seed, lambda text: _tell(text, request, progress)
            )
            held.thinks = held.thinks or bool(apart(written.text).thoughts)
        detail: dict[str, object] = {
            "run": self.policy.run,
            "step": self.policy.step,
            "base": self.policy.base,
            "latency": time.monotonic() - began,
        }
        if policy.most < request.sampling.max_tokens:
            detail["most tokens"] = policy.most
        return self._reply(request, written, _ended(written, policy), read, detail)

    def _reply(
        self,
        request: Request,
        written: Drafted,
        ended: bool,
        read: int,
        detail: dict[str, object],
    ) -> Reply:
        found = apart(written.text)
        text, fault = found.answer, ""
        ideas = idea_block.blocks(written.text)
        if request.prompt in BENCH and len(ideas) == 1:
            text = ideas[0]
        elif request.prompt in idea_block.PROMPTS and idea_block.read(written.text):
            text = json.dumps({"idea": ideas[0]}, ensure_ascii=False)
            # As in training, a whole idea is one, whatever follows it up to the limit.
            ended = True
        elif request.prompt in idea_block.PROMPTS:
            fault = LENGTH.format(len(ideas[0])) if len(ideas) == 1 else NO_BLOCK
        return Reply(
            text,
            "stop" if ended else "length",
            self.name,
            tokens_in=read,
            tokens_out=len(written.ids),
            detail=detail,
            thoughts=found.thoughts,
            fault=fault,
        )

    def _weights(self, progress: Progress) -> _Weights:
        glance(self.policy, self._folder)
        held = _LOADED.get(self._folder)
        if held is None or held.of != self.policy:
            progress("", f"loading {self.name} (once)")
            _LOADED.pop(self._folder, None)
            verify(self.policy, self._folder)
            model, tokenizer = load(self._folder, apart=True)
            held = _LOADED[self._folder] = _Weights(
                self.policy, model.to(_fastest()).eval(), tokenizer
            )
        return held

    def _room(self, held: _Weights, read: int, wanted: int) -> int:
        """Return how many tokens a reply may have beside a question of so many."""
        window = getattr(held.model.config, "max_position_embeddings", None)
        if window is None:
            return wanted
        if read >= window:
            raise ModelFailed(
                f"{self.name} reads at most {window:,} tokens, and this question has {read:,}."
                " Choose another model for it."
            )
        return min(wanted, int(window) - read)


def conversation_of(request: Request) -> Conversation:
    """Return a question as a policy is asked: what it was trained to answer just as in training,
    everything else with the shape of the answer in words.
    """
    if request.prompt not in idea_block.PROMPTS:
        said = question(request, IN_WORDS).said
        turns = (Turn(role=_ROLES.get(one.type, one.type), text=str(one.content)) for one in said)
        return tuple(turn for turn in turns if turn.text)
    tasks = [task for task, _ in request.turns] + [request.text]
    conversation = idea_block.first_draft(request.standing, tasks[0])
    for (_, answered), task in zip(request.turns, tasks[1:], strict=True):
        conversation = idea_block.next_draft(conversation, json.loads(answered)["idea"], task)
    for refused, complaint in request.corrections:
        again = f"That answer cannot be used: {complaint}. Answer the task again."
        conversation += (
            Turn(role="assistant", text=refused[:QUOTED] or "(no answer)"),
            Turn(role="user", text=again),
        )
    return conversation


def _tell(text: str, request: Request, progress: Progress) -> None:
    now = so_far(text, begun=False)
    said = now.answer
    if request.prompt in (*idea_block.PROMPTS, *BENCH):
        said = said.partition("</idea>")[0].rpartition("<idea>")[2]
        said = _TAG_BEGUN.sub("", said).strip()
    progress(said, thinking(now.thoughts) if now.thoughts and not said else "")


def _ended(written: Drafted, policy: LocalPolicy) -> bool:
    end = policy.tokenizer.eos_token_id
    return len(written.ids) < policy.most or written.ids[-1] == end


def _fastest() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"
