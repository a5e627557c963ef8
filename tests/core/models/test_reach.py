"""What can be asked from here is found out by itself, and fast."""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from core.models.reach import default_models, reachable, what_is_wrong
from core.settings import Settings
from tests.support.model_kit import KEY
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import SOON

NOWHERE = "http://127.0.0.1:1"


def test_without_keys_and_servers_only_the_builtin_model_is_there():
    (only,) = reachable(Settings(ollama_url=NOWHERE))
    assert (only.provider, only.main) == ("builtin", "builtin")


def test_a_provider_with_a_key_is_there_and_the_key_is_not_shown():
    found = reachable(Settings(ollama_url=NOWHERE, keys={"anthropic": KEY}))
    assert [(one.provider, one.how) for one in found[1:]] == [
        ("anthropic", "key found in ANTHROPIC_API_KEY")
    ]
    assert found[1].main.startswith("anthropic:claude-")
    assert KEY not in repr(found)


def test_a_compatible_server_that_answers_is_there_with_its_models():
    with OpenAIServer(models=["small", "large"]) as server:
        settings = Settings(ollama_url=NOWHERE, openai_url=server.url, keys={"openai": KEY})
        found = reachable(settings, patience=SOON)
    (local,) = found[1:]
    assert (local.provider, local.models, local.main, local.address) == (
        "openai",
        ("small", "large"),
        "openai:small",
        server.url,
    )


def test_of_a_list_that_is_too_long_as_many_are_offered_as_a_box_can_hold():
    names = ["n" * 301, *(f"m{n}" for n in range(2_500))]
    with OpenAIServer(models=names) as server:
        settings = Settings(ollama_url=NOWHERE, openai_url=server.url)
        _, local = reachable(settings, patience=SOON)
    assert local.models == tuple(names[1:2_001])


def test_a_silent_server_costs_half_a_second_and_is_not_there():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        settings = Settings(ollama_url=url, openai_url=url)
        found = reachable(settings)
        assert f"Nothing came from {url} within 0.5 s" in what_is_wrong(settings)
    assert [one.provider for one in found] == ["builtin"]
    assert time.monotonic() - began < SOON


def test_ollama_is_found_by_its_list_of_models():
    class Tags(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps({"models": [{"name": "llama3.2:1b"}]}).encode()
            self.send_response(200 if self.path == "/api/tags" else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Tags) as server:
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        settings = Settings(ollama_url=f"http://127.0.0.1:{server.server_address[1]}")
        found = reachable(settings, patience=SOON)
        server.shutdown()
    assert (found[1].provider, found[1].models, found[1].cheap) == (
        "ollama",
        ("llama3.2:1b",),
        "ollama:llama3.2:1b",
    )


def test_somebody_else_at_the_address_is_not_taken_for_a_model():
    with OpenAIServer() as server:
        found = reachable(Settings(ollama_url=server.url, openai_url=f"{server.url}/elsewhere"))
    assert [one.provider for one in found] == ["builtin"]


def test_what_cannot_be_asked_is_not_offered_and_said_by_the_name_of_its_variable():
    wrong = Settings(
        openai_url="me:planted@x.example/v1",
        ollama_url="//me:planted@x.example",
        keys={"anthropic": "planted\u2019"},
    )
    assert [one.provider for one in reachable(wrong)] == ["builtin"]
    assert what_is_wrong(wrong).startswith("OPENAI_BASE_URL or FOUNDRY_OPENAI_URL is not usable")
    key = Settings(openai_url=NOWHERE, ollama_url=NOWHERE, keys={"openai": "planted\n"})
    assert [one.provider for one in reachable(key)] == ["builtin"]
    assert what_is_wrong(key).startswith("OPENAI_API_KEY is not usable")
    assert "planted" not in what_is_wrong(wrong) + what_is_wrong(key)


def test_a_server_that_lists_the_suggested_models_gets_the_suggestion():
    assert default_models("openai", ["a", "gpt-6.1-terra", "gpt-6-luna"]) == (
        "openai:gpt-6.1-terra",
        "openai:gpt-6-luna",
    )
    assert default_models("openai", ["a", "b"]) == ("openai:a", "openai:a")
    assert default_models("ollama") == ("", "")


@pytest.mark.parametrize(
    ("status", "key", "says"),
    [
        (401, "", "wants a key. Type it beside its address"),
        (401, KEY, "refuses the key. Type another one"),
        (404, "", "Look whether its address ends in /v1"),
        (503, "", "is in trouble (503)"),
        (200, "", "is no server of models"),
    ],
)
def test_why_a_server_offers_no_model_is_said_with_what_to_do(status, key, says):
    class Refuses(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"[]")

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Refuses)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        settings = Settings(openai_url=url, keys={"openai": key} if key else {})
        said = what_is_wrong(settings, patience=SOON)
    finally:
        server.shutdown()
        server.server_close()
    assert says in said
    assert url in said
    assert not key or key not in said


def test_a_server_that_is_away_or_offers_models_or_none_is_told_apart():
    assert "Nothing answers at" in what_is_wrong(Settings(openai_url=NOWHERE))
    assert what_is_wrong(Settings()) == ""
    with OpenAIServer(models=["small"]) as server:
        assert what_is_wrong(Settings(openai_url=server.url), SOON) == ""
    with OpenAIServer(models=[]) as server:
        assert "offers no model" in what_is_wrong(Settings(openai_url=server.url), SOON)
