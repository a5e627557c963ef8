"""What the tests of the model room share: a request, settings with short times, a listener that
remembers.
"""

from pathlib import Path

from core.models.langchain import ChatModel
from core.models.port import Request
from core.records import Hypothesis, Sampling, Verdict
from core.settings import Settings
from core.store import Store
from tests.support.servers.openai_server import OpenAIServer

KEY = "sk-planted-4f1c9a"
VERDICT = {"improved": True, "reason": "It is more specific."}


def asked(**changes: object) -> Request:
    """Return a plain question whose answer is a Verdict."""
    given = {
        "prompt": "verdict",
        "values": {},
        "standing": "You judge ideas.",
        "text": "Is the newer idea better?",
        "schema": Verdict,
        "sampling": Sampling(),
        "role": "main",
        "seed": 1,
    }
    return Request(**(given | changes))  # type: ignore[arg-type]


def one_paragraph() -> Request:
    """Return a question whose answer is a Hypothesis."""
    return asked(prompt="first-idea", schema=Hypothesis, text="Write a hypothesis.")


def model_at(
    server: OpenAIServer, folder: Path, model: str = "test-model", **settings: object
) -> ChatModel:
    """Return the real adapter, pointed at a loopback server."""
    given = {
        "openai_url": server.url,
        "keys": {"openai": KEY},
        "read_timeout": 2.0,
        "call_timeout": 5.0,
        "patience": 5.0,
    }
    return ChatModel("openai", model, Settings(**(given | settings)), Store(folder))  # type: ignore[arg-type]


class Listener:
    """Keeps what a person would have seen."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    def __call__(self, text: str, note: str) -> None:
        self.heard.append((text, note))

    @property
    def texts(self) -> list[str]:
        """Every state of the text, in order."""
        return list(dict.fromkeys(text for text, _ in self.heard if text))

    @property
    def notes(self) -> list[str]:
        return [note for _, note in self.heard if note]
