"""Each provider's own dialect, through its own LangChain package, against a loopback server that
speaks it.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core import models
from core.errors import ModelFailed
from core.models.langchain import ChatModel
from core.settings import Settings
from core.store import Store
from tests.support.model_kit import KEY, Listener, asked
from tests.support.servers.openai_server import OpenAIServer

TEXT = '{"improved": true, "reason": "It is more specific."}'
HALVES = (TEXT[:20], TEXT[20:])


def anthropic(model):
    """Return the events of Anthropic's messages stream."""
    start = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 25, "output_tokens": 1},
    }
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "text_delta", "text": half},
            }
            for half in HALVES
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"input_tokens": 25, "output_tokens": 14},
        },
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def google(model):
    """Return the events of Gemini's streamGenerateContent."""

    def part(text, **more):
        return {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": text}]}, "index": 0, **more}
            ],
            "modelVersion": model,
            "usageMetadata": {
                "promptTokenCount": 25,
                "candidatesTokenCount": 14,
                "totalTokenCount": 39,
            },
        }

    return "".join(
        f"data: {json.dumps(event)}\r\n\r\n"
        for event in (part(HALVES[0]), part(HALVES[1], finishReason="STOP"))
    )


def ollama(model):
    """Return the lines of Ollama's chat stream."""

    def line(text, **more):
        return {
            "model": model,
            "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": text},
            "done": False,
            **more,
        }

    lines = [line(half) for half in HALVES]
    end = line("", done=True, done_reason="stop", prompt_eval_count=25, eval_count=14)
    return "".join(json.dumps(line) + "\n" for line in (*lines, end))


DIALECTS = {"anthropic": anthropic, "google_genai": google, "ollama": ollama}


class Dialect(ThreadingHTTPServer):
    """Answers in one provider's dialect, or with a status."""

    daemon_threads = True

    def __init__(self, provider, status=200):
        super().__init__(("127.0.0.1", 0), Answering)
        self.provider, self.status = provider, status
        self.calls = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self):
        threading.Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Answering(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.calls.append((self.path, dict(self.headers), body))
        refusal = json.dumps(
            {
                "error": {
                    "type": "overloaded_error",
                    "message": f"try later, {KEY}",
                    "code": self.server.status,
                    "status": "X",
                }
            }
        )
        said = DIALECTS[self.server.provider]("a-model") if self.server.status == 200 else refusal
        self.send_response(self.server.status)
        self.send_header(
            "Content-Type", "text/event-stream" if self.server.status == 200 else "application/json"
        )
        self.send_header("Retry-After", "0.05")
        self.end_headers()
        self.wfile.write(said.encode())

    def log_message(self, *_):
        pass


def model_of(provider, url, folder, monkeypatch, **settings):
    monkeypatch.setitem(models.ADDRESSES, provider, url)
    given = {"keys": {provider: KEY}, "ollama_url": url, "patience": 1.0, "read_timeout": 2.0}
    return ChatModel(provider, "a-model", Settings(**(given | settings)), Store(folder))


@pytest.mark.parametrize("provider", DIALECTS)
def test_an_answer_streams_in_with_its_end_and_its_tokens(provider, tmp_path, monkeypatch):
    with Dialect(provider) as server:
        reply = model_of(provider, server.url, tmp_path, monkeypatch).reply(
            asked(), seen := Listener()
        )
    assert (reply.text, reply.finish_reason, reply.tokens_in, reply.tokens_out, reply.model) == (
        TEXT,
        "stop",
        25,
        14,
        "a-model",
    )
    # Looks may be left out where the one before took long: the reply is what counts.
    assert all(TEXT.startswith(text) for text in seen.texts)


@pytest.mark.parametrize(
    ("provider", "where", "schema"),
    [
        (
            "anthropic",
            "/v1/messages",
            lambda body: (
                body["max_tokens"],
                body["temperature"],
                body["output_config"]["format"]["schema"],
            ),
        ),
        (
            "google_genai",
            ":streamGenerateContent",
            lambda body: (
                body["generationConfig"]["maxOutputTokens"],
                body["generationConfig"]["temperature"],
                body["generationConfig"]["responseJsonSchema"],
            ),
        ),
        (
            "ollama",
            "/api/chat",
            lambda body: (
                body["options"]["num_predict"],
                body["options"]["temperature"],
                body["format"],
            ),
        ),
    ],
)
def test_limit_temperature_and_schema_reach_the_provider(
    provider, where, schema, tmp_path, monkeypatch
):
    with Dialect(provider) as server:
        model_of(provider, server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    ((path, _, body),) = server.calls
    limit, temperature, shape = schema(body)
    assert where in path
    assert (limit, temperature, shape["required"]) == (4_000, 0.7, ["reason", "improved"])


@pytest.mark.parametrize("provider", DIALECTS)
@pytest.mark.parametrize("status", [429, 503])
def test_no_package_retries_behind_our_back(provider, status, tmp_path, monkeypatch):
    with (
        Dialect(provider, status) as server,
        pytest.raises(ModelFailed, match=rf"the server is \w+( \w+)? \({status}\)") as failed,
    ):
        model_of(provider, server.url, tmp_path, monkeypatch, patience=0.0).reply(
            asked(), Listener()
        )
    assert len(server.calls) == 1
    assert KEY not in str(failed.value)


@pytest.mark.parametrize("provider", ["anthropic", "google_genai"])
def test_a_refused_key_is_named_by_its_variable(provider, tmp_path, monkeypatch):
    variable = {"anthropic": "ANTHROPIC_API_KEY", "google_genai": "GOOGLE_API_KEY"}[provider]
    with Dialect(provider, 401) as server, pytest.raises(ModelFailed, match=variable) as failed:
        model_of(provider, server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    assert len(server.calls) == 1
    assert KEY not in str(failed.value)


def test_openrouter_streams_waits_and_passes_the_schema(tmp_path, monkeypatch):
    with OpenAIServer(script=lambda body: TEXT, seed=1) as server:
        model = model_of("openrouter", server.url, tmp_path, monkeypatch)
        reply = model.reply(asked(), seen := Listener())
        assert (reply.text, reply.finish_reason, reply.tokens_out) == (TEXT, "stop", 13)
        assert len(seen.texts) >= 1
        assert server.calls[0]["response_format"]["json_schema"]["schema"]["required"] == [
            "reason",
            "improved",
        ]
        server.faults = {"500": 1.0}
        with pytest.raises(ModelFailed, match=r"in trouble \(500\)"):
            model_of("openrouter", server.url, tmp_path, monkeypatch, patience=0.0).reply(
                asked(), Listener()
            )
    assert len(server.calls) == 2


def test_ollama_is_given_a_window_that_holds_the_prompt(tmp_path, monkeypatch):
    with Dialect("ollama") as server:
        model_of("ollama", server.url, tmp_path, monkeypatch).reply(
            asked(text="word " * 12_000), Listener()
        )
    assert server.calls[0][2]["options"]["num_ctx"] == 32_768


def test_what_ollama_would_call_a_tool_with_is_never_compiled(tmp_path, monkeypatch):
    """Names and texts that nobody asked for: LangChain takes what is no JSON for Python."""
    from langchain_ollama import chat_models

    def compiled(text):
        pytest.fail(f"compiled: {text!r}")

    monkeypatch.setattr(chat_models.ast, "literal_eval", compiled)
    called = {"function": {"name": "f", "arguments": {"a": "f'{x}'"}}}
    message = {"role": "assistant", "content": "", "tool_calls": [called]}
    first = {"model": "a-model", "created_at": "2026-01-01T00:00:00Z", "message": message}
    monkeypatch.setitem(
        DIALECTS, "ollama", lambda model: f"{json.dumps({**first, 'done': False})}\n{ollama(model)}"
    )
    with Dialect("ollama") as server:
        reply = model_of("ollama", server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    assert reply.text == TEXT


CACHED = {
    "anthropic": ('"input_tokens": 25', '"input_tokens": 5, "cache_read_input_tokens": 20'),
    "google_genai": (
        '"promptTokenCount": 25',
        '"promptTokenCount": 25, "cachedContentTokenCount": 20',
    ),
}
"""What a provider says of a prompt of 25 tokens, and of one of which it had kept 20."""


@pytest.mark.parametrize("provider", CACHED)
def test_tokens_that_a_provider_had_kept_are_told_apart(provider, tmp_path, monkeypatch):
    said = DIALECTS[provider]
    monkeypatch.setitem(DIALECTS, provider, lambda model: said(model).replace(*CACHED[provider]))
    with Dialect(provider) as server:
        model = model_of(provider, server.url, tmp_path, monkeypatch)
        reply = model.reply(asked(), Listener())
    assert (reply.tokens_in, reply.tokens_cached) == (25, 20)


def thoughtful(provider):
    """Return a provider's stream with thoughts before the answer."""
    if provider == "ollama":
        first = json.dumps(
            {
                "model": "a-model",
                "created_at": "2026-01-01T00:00:00Z",
                "message": {"role": "assistant", "content": "", "thinking": "Hm."},
                "done": False,
            }
        )
        return lambda model: f"{first}\n{ollama(model)}"
    if provider == "google_genai":
        thought = {
            "candidates": [
                {
                    "content": {"role": "model", "parts": [{"text": "Hm.", "thought": True}]},
                    "index": 0,
                }
            ],
            "modelVersion": "a-model",
        }
        return lambda model: f"data: {json.dumps(thought)}\r\n\r\n{google(model)}"

    def events(model):
        block = [
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "thinking", "thinking": "", "signature": ""},
            },
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "thinking_delta", "thinking": "Hm."},
            },
            {"type": "content_block_stop", "index": 0},
        ]
        start, rest = anthropic(model).split("\n\n", 1)
        return "\n\n".join(
            (
                start,
                *(f"event: {one['type']}\ndata: {json.dumps(one)}" for one in block),
                rest.replace('"index": 0', '"index": 1'),
            )
        )

    return events


@pytest.mark.parametrize("provider", DIALECTS)
def test_thoughts_are_taken_from_wherever_the_provider_puts_them(provider, tmp_path, monkeypatch):
    monkeypatch.setitem(DIALECTS, provider, thoughtful(provider))
    with Dialect(provider) as server:
        model = model_of(provider, server.url, tmp_path, monkeypatch)
        reply = model.reply(asked(), Listener())
    assert (reply.text, reply.thoughts, model.thinks) == (TEXT, "Hm.", True)
    assert "think" not in server.calls[0][2], "whether it thinks is left to the model"
    assert model_of(provider, server.url, tmp_path, monkeypatch).thinks, (
        "what documentation says of a provider is no reason to forget it"
    )


def test_openrouters_thoughts_stand_apart(tmp_path, monkeypatch):
    with OpenAIServer(script=lambda body: ("Hm.", TEXT), thinking="reasoning") as server:
        reply = model_of("openrouter", server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    assert (reply.text, reply.thoughts, reply.tokens_thought) == (TEXT, "Hm.", 1)


@pytest.mark.parametrize("odd", ["tool_calls", "images", "role"])
def test_of_what_ollama_sends_only_words_are_read(odd, tmp_path, monkeypatch):
    """Its client notes a fault for each entry of a list that does not fit."""
    message = {"role": "assistant", "content": "", odd: [1, {}] * 1_000}
    first = {"model": "a-model", "created_at": "2026-01-01T00:00:00Z", "message": message}
    line = json.dumps({**first, "done": False, "logprobs": [1] * 1_000})
    monkeypatch.setitem(DIALECTS, "ollama", lambda model: f"{line}\n{ollama(model)}")
    with Dialect("ollama") as server:
        reply = model_of("ollama", server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    assert reply.text == TEXT
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    "line", [{"status": "x"}, {"message": "a"}, {"message": {"content": ["did not "]}}], ids=str
)
def test_a_line_of_ollama_that_cannot_be_read_is_no_hole_in_the_answer(line, tmp_path, monkeypatch):
    whole = DIALECTS["ollama"]
    sent = iter([f"{json.dumps(line)}\n{ollama('m')}"])
    monkeypatch.setitem(DIALECTS, "ollama", lambda model: next(sent, whole(model)))
    with Dialect("ollama") as server:
        reply = model_of("ollama", server.url, tmp_path, monkeypatch).reply(asked(), Listener())
    assert reply.text == TEXT
    assert len(server.calls) == 2, "asked again"
