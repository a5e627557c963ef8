"""The command line in this process, over a loopback model server."""

import json

import pytest

from core.__main__ import main
from tests.conftest import WordEmbedder
from tests.support.playing import actor
from tests.support.servers.openai_server import OpenAIServer

MODEL = "openai:test-model"
KEY = "sk-planted-4f1c9a77"


@pytest.fixture
def server():
    with OpenAIServer(script=actor) as server:
        yield server


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys, server):
    """Return what runs a command in this process and gives (exit code, document, what stood on
    stderr).
    """
    monkeypatch.setattr("core.literature.embeddings.Embedder", lambda _: WordEmbedder())
    for name, value in {
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": KEY,
        "FOUNDRY_DATA": str(tmp_path / "data"),
        "FOUNDRY_SEMANTIC_SCHOLAR_INTERVAL": "0.001",
        "FOUNDRY_PATIENCE": "1",
        "OLLAMA_HOST": "127.0.0.1:9",
        "FOUNDRY_OPENALEX_URL": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> tuple[int, dict, str]:
        code = main([*words, "--json"])
        out, err = capsys.readouterr()
        document = json.loads(out)
        assert {"run", "state", "calls", "tokens", "cost"} <= set(document)
        return code, document, err

    return run
