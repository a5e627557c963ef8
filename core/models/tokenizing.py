"""The tokenizer of a model in this server, in a process of its own: its files say what is done to a
text, at any length and any cost, and the library that does it panics at some of what they may say.
A training has its own process, and uses the tokenizer itself.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import ModelFailed
from core.models.templates import exchange

PATIENCE = 60.0
"""Seconds that a question may take; the first one waits for the files to be read, too."""

ONE_THREAD = {
    "TOKENIZERS_PARALLELISM": "false",
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
"""Each thread would take its part of what is bounded."""


class TokenizerApart:
    """The tokenizer in a folder, for what a policy asks of one. Safe to use from several threads.

    Its process begins with it, and again after it was ended; what cannot be answered raises
    ModelFailed.
    """

    def __init__(self, folder: Path, **given: Any) -> None:
        self._folder, self._given = folder, given
        self._guard = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        marks = self._ask({"do": "marks"})
        self.eos_token_id: int | None = marks["eos"]
        self.pad_token_id: int | None = marks["pad"]

    def apply_chat_template(self, turns: Sequence[Mapping[str, str]], **_: Any) -> list[int]:
        """Return a conversation as tokens, up to where a model goes on."""
        found: list[int] = self._ask({"do": "encode", "turns": list(turns)})["ids"]
        return found

    def decode(self, ids: Sequence[int], **_: Any) -> str:
        """Return tokens as text, without special ones."""
        return str(self._ask({"do": "decode", "ids": list(ids)})["text"])

    def _ask(self, question: Mapping[str, object]) -> dict[str, Any]:
        with self._guard:
            child = self._child = self._child or self._begin()
            try:
                told = exchange(child, json.dumps(question).encode() + b"\n", PATIENCE)
                answer: dict[str, Any] = json.loads(told)
            except (OSError, ValueError) as error:
                self._end()
                raise self._failure(f"its process ended ({error})") from None
        if "wrong" in answer:
            raise self._failure(str(answer["wrong"]))
        return answer

    def _failure(self, why: str) -> ModelFailed:
        return ModelFailed(
            f"The tokenizer in {self._folder} cannot be used: {why}. Choose another model."
        )

    def _begin(self) -> "subprocess.Popen[bytes]":
        # No key is handed on, and nothing is fetched.
        return subprocess.Popen(  # noqa: S603 (our own file)
            [sys.executable, "-P", "-m", "core.models.tokenizer_child", str(self._folder)],
            env={
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "HF_HUB_OFFLINE": "1",
                **ONE_THREAD,
                "GIVEN": json.dumps(self._given),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _end(self) -> None:
        if self._child:
            self._child.kill()
            self._child.communicate()
        self._child = None
