"""A policy that was trained here, from the command line: real weights write, a loopback server
judges.
"""

import pytest

from core.store import Store
from tests.cli.test_evolve import evolver
from tests.support.headless import MODEL, cli
from tests.support.servers.openai_server import OpenAIServer
from tests.support.training.taught_policy import IDEA, in_use

__all__ = ["cli"]


@pytest.fixture
def server():
    with OpenAIServer(script=evolver) as server:
        yield server


def test_a_trained_policy_evolves_an_idea_and_is_refused_once_its_files_have_changed(
    cli, server, tmp_path
):
    data = tmp_path / "data"
    in_use(data)
    evolve = ("evolve", "--question", "How can replay be gated?", "--no-papers")
    asked = (*evolve, "--model", MODEL, "--generator-model", "local:tiny")
    code, document, _ = cli(*asked)
    assert (code, document["state"]) == (0, "done")
    store = Store(data)
    written = store.steps.get(document["run"], "step-0/evolve-idea")
    assert written.reply == {"idea": IDEA}
    assert written.origin.name == "local:tiny"
    assert {"run": "training-1", "step": 20}.items() <= written.origin.detail.items()
    assert {call.cost for call in written.calls} == {0.0}
    _, listed, _ = cli("models")
    (ours,) = [one for one in listed["reachable"] if one["provider"] == "local"]
    assert ours["models"] == ["tiny"]
    (data / "policies" / "tiny" / "model.safetensors").write_bytes(b"another")
    code, document, _ = cli(*asked)
    assert code
    assert "The files of local:tiny have changed since it was put to use" in str(document)
