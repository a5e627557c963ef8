"""Chat templates of models in this process, run in a process of their own: transformers keeps a
template from attributes and files, and not from sums and texts that no machine ends.
"""

import json
import os
import select
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from core.errors import ModelFailed

PATIENCE = 20.0
"""Seconds that a template may take; each takes a thousandth."""
MOST = 16_000_000
"""Bytes of what it answers."""
_CHILD = Path(__file__).with_name("template_child.py")


class TemplateProcess:
    """The process that templates run in, begun where it is first needed and after it was ended.
    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def render(self, text: str, given: dict[str, Any]) -> str:
        """Return what a template writes; raises ModelFailed where it writes nothing in bounds."""
        asked = json.dumps({"text": text, "given": given}).encode() + b"\n"
        with self._guard:
            child = self._child = self._child or _begin()
            try:
                answer = json.loads(exchange(child, asked, PATIENCE))
            except (OSError, ValueError) as error:
                self._child = None
                child.kill()
                child.communicate()
                refuse(f"its process ended ({error})")
        if "said" not in answer:
            refuse(str(answer["wrong"]))
        return str(answer["said"])


def refuse(why: str) -> NoReturn:
    """Raise ModelFailed for a template."""
    raise ModelFailed(
        f"The chat template in the model's folder cannot be used: {why}. Choose another model."
    )


def _begin() -> "subprocess.Popen[bytes]":
    # -P and PYTHONPATH alone: our packages are found, our neighbours are not, and no key is handed
    # on.
    return subprocess.Popen(  # noqa: S603 (our own file)
        [sys.executable, "-P", str(_CHILD)],
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def exchange(child: "subprocess.Popen[bytes]", asked: bytes, patience: float) -> bytes:
    """Ask a process, and return the line that comes; raises OSError where nothing comes for so many
    seconds, or too much.
    """
    assert child.stdin
    assert child.stdout
    child.stdin.write(asked)
    child.stdin.flush()
    came = b""
    while not came.endswith(b"\n"):
        ready, _, _ = select.select([child.stdout], [], [], patience)
        part = os.read(child.stdout.fileno(), 1 << 20) if ready else b""
        if not part or len(came) > MOST:
            raise OSError("it took too long, or too much")
        came += part
    return came


class _Template:
    """A template as transformers asks it to write."""

    def __init__(self, text: str) -> None:
        self._text = text

    def render(self, **given: Any) -> str:
        return PROCESS.render(self._text, given)


PROCESS = TemplateProcess()
"""This process's."""


@cache
def run_templates_apart() -> None:
    """Let transformers, in this process, have every chat template run in a process of its own."""
    from transformers.utils import chat_template_utils

    vars(chat_template_utils)["_compile_jinja_template"] = _Template
