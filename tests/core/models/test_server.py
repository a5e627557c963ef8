"""The loopback server other tests lean on keeps its own promises."""

import json
import subprocess
import sys

import httpx
import pytest

from core.models.schema import strict_schema
from core.models.validating import accept
from core.records import Reading, Review, RevisedIdea, Trend
from tests import ROOT
from tests.support.model_kit import Listener, asked, model_at
from tests.support.servers.openai_server import OpenAIServer, instance_for

BODY = {"model": "m", "messages": [{"role": "user", "content": "Review this."}]}


@pytest.mark.parametrize("returns", [Review, RevisedIdea, Reading, Trend])
def test_made_up_replies_fit_the_schema_through_the_real_path(returns, tmp_path):
    with OpenAIServer() as server:
        reply = model_at(server, tmp_path).reply(asked(schema=returns), Listener())
    assert accept(reply, returns)


def test_a_reply_depends_on_the_request_alone():
    shaped = BODY | {"response_format": {"json_schema": {"schema": strict_schema(Review)}}}
    assert instance_for(shaped) == instance_for({**shaped, "stream": True, "temperature": 1})
    assert instance_for(shaped) != instance_for(
        shaped | {"messages": [{"role": "user", "content": "Review that."}]}
    )


def test_an_unknown_fault_is_refused():
    with pytest.raises(ValueError, match="no such fault"):
        OpenAIServer(faults={"flood": 1})


def test_alone_it_prints_its_url_and_logs_every_call(tmp_path):
    log, script = tmp_path / "calls.jsonl", ROOT / "tests/support/servers/openai_server.py"
    server = subprocess.Popen(
        [sys.executable, script, "--log", log], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        url = server.stdout.readline().strip()
        answer = httpx.post(f"{url}/chat/completions", json=BODY).json()
        assert httpx.get(f"{url}/models").json()["data"][0]["id"] == "test-model"
    finally:
        server.kill()
        server.wait()
    assert answer["choices"][0]["finish_reason"] == "stop"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in lines] == ["started", "finished"]
    assert lines[0]["hash"] == lines[1]["hash"]
