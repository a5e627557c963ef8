"""The adapter over LangChain: what goes over the wire, what streams back, what is never let out."""

import gc
import json
import threading
import time
from base64 import b64encode

import httpx
import openai
import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage
from langchain_openai import ChatOpenAI

from core.errors import BadInput, ModelFailed, Stopped
from core.models import endpoint, open_model
from core.models.asking import answer
from core.models.langchain import ChatModel
from core.models.listening import AttemptReply
from core.models.prices import price
from core.models.reach import reachable
from core.models.refusals import Completions
from core.models.trouble import diagnose
from core.records import Verdict
from core.settings import Settings, scrub
from core.store import Store
from tests.support.model_kit import KEY, VERDICT, Listener, asked, model_at, one_paragraph
from tests.support.servers import openai_server
from tests.support.servers.openai_server import OpenAIServer, usage_of
from tests.support.waiting import SOON


def test_text_is_seen_growing_before_the_answer_ends(tmp_path):
    with OpenAIServer(latency=0.3) as server:
        reply = model_at(server, tmp_path).reply(one_paragraph(), seen := Listener())
    # A look that took long (Python may collect in it) is followed by none for a while.
    assert len(seen.texts) >= 2
    assert all(reply.text.startswith(text) for text in seen.texts)


def test_the_request_carries_the_schema_the_limit_and_the_layout(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model_at(server, tmp_path).reply(asked(), Listener())
    (body,) = server.calls
    shape = body["response_format"]["json_schema"]
    assert (
        shape["strict"],
        shape["schema"]["required"],
        shape["schema"]["additionalProperties"],
    ) == (True, ["reason", "improved"], False)
    assert body["max_completion_tokens"] == 4_000
    assert body["temperature"] == 0.7
    assert body["stream_options"] == {"include_usage": True}
    assert body["messages"][0]["content"].startswith(
        "You judge ideas.\n\nAnswer with exactly one JSON object"
    )
    assert body["messages"][1] == {"role": "user", "content": "Is the newer idea better?"}


@pytest.mark.parametrize("shapes", [("json_schema", "json_object"), ()])
def test_free_text_is_asked_for_without_any_shape(tmp_path, shapes):
    with OpenAIServer(script=lambda body: "B", shapes=shapes) as server:
        reply = model_at(server, tmp_path).reply(asked(schema=None), Listener())
    (body,) = server.calls
    assert "response_format" not in body
    assert [said["content"] for said in body["messages"]] == [
        "You judge ideas.",
        "Is the newer idea better?",
    ], "nothing about JSON"
    assert (reply.text, reply.finish_reason, reply.tokens_out) == ("B", "stop", 1)


def test_the_reply_says_who_answered_where_and_for_how_many_tokens(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        reply = model_at(server, tmp_path).reply(asked(), Listener())
    assert (reply.finish_reason, reply.model, reply.detail["address"]) == (
        "stop",
        "test-model",
        server.url,
    )
    assert reply.tokens_out == 13


@pytest.mark.parametrize(
    "usage",
    [
        {"total_tokens": 90},
        {"input_tokens": 60, "output_tokens": 30, "total_tokens": 90},
        {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    ],
)
def test_usage_in_words_of_another_kind_is_not_reported_and_never_none(
    tmp_path, monkeypatch, usage
):
    monkeypatch.setattr(openai_server, "usage_of", lambda *_: usage)
    with OpenAIServer(script=lambda body: "word " * 60) as server:
        reply = model_at(server, tmp_path).reply(asked(schema=None), Listener())
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


@pytest.mark.parametrize("usage", [True, "so far"])
def test_usage_that_is_reported_again_and_again_counts_once(tmp_path, usage):
    with OpenAIServer(script=lambda body: "word " * 60, usage=usage) as server:
        reply = model_at(server, tmp_path).reply(asked(schema=None), Listener())
        told = usage_of(server.calls[-1], reply.text)
    assert (reply.tokens_in, reply.tokens_out) == (told["prompt_tokens"], told["completion_tokens"])


@pytest.mark.parametrize(("kept", "known"), [(2, 2), (0, 0), (10**6, None), (-1, None)])
def test_tokens_kept_from_an_earlier_call_make_it_cheaper(tmp_path, monkeypatch, kept, known):
    def told(body, text, thoughts=""):
        return usage_of(body, text) | {"prompt_tokens_details": {"cached_tokens": kept}}

    monkeypatch.setattr("tests.support.servers.openai_server.usage_of", told)
    with OpenAIServer(script=lambda body: VERDICT, models=("gpt-4.1-mini",)) as server:
        model = model_at(server, tmp_path, "gpt-4.1-mini")
        (call,) = answer(model, asked(), Verdict, Listener()).calls
    assert call.tokens_cached == known
    assert call.cost == price(call.model, call.tokens_in, call.tokens_out, known)
    assert (call.cost < price(call.model, call.tokens_in, call.tokens_out)) == bool(known)


def test_a_key_in_an_error_message_is_blotted_out(tmp_path):
    with OpenAIServer() as server:
        server.script = lambda body: f"your key is {KEY}"
        assert KEY not in model_at(server, tmp_path).reply(asked(), seen := Listener()).text
        assert not any(KEY in text for text in seen.texts)
        model = model_at(server, tmp_path)
        refuse(server, 401, f"Incorrect API key provided: {KEY}")
        with pytest.raises(ModelFailed, match=r"OPENAI_API_KEY.*\[key\]") as failed:
            model.reply(asked(), Listener())
    assert KEY not in repr(failed.value) + repr(model)


@pytest.mark.parametrize("status", [400, 401, 500])
@pytest.mark.parametrize("place", range(240, 305, 4))
def test_no_part_of_a_key_is_left_wherever_a_message_is_cut(status, place):
    error = RuntimeError(f"{'x' * place} {KEY} was refused")
    error.status_code = status
    found = diagnose(error, "OPENAI_API_KEY", "m", 1.0, lambda text: scrub(text, [KEY]))
    parts = {KEY[:n] for n in range(5, len(KEY) + 1)}
    assert not [part for part in parts if part in found.sentence + found.said]


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "check OPENAI_API_KEY"),
        (403, "check OPENAI_API_KEY"),
        (404, "choose another"),
        (400, "prompt too long"),
    ],
)
def test_a_refused_request_fails_at_once_and_says_what_to_do(tmp_path, status, advice):
    with OpenAIServer() as server:
        model = model_at(server, tmp_path)
        model.abilities(Listener())
        refuse(server, status, "prompt too long")
        began = time.monotonic()
        with pytest.raises(ModelFailed, match=advice):
            model.reply(asked(), Listener())
    assert time.monotonic() - began < SOON
    assert len(server.calls) == 1


def test_a_model_that_takes_no_temperature_is_asked_without_from_then_on(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        refuse(
            server,
            400,
            "Unsupported value: 'temperature' does not support 0.7 with this model.",
            when=lambda body: "temperature" in body,
        )
        model_at(server, tmp_path).reply(asked(), Listener())
        model_at(server, tmp_path).reply(asked(), Listener())
    assert ["temperature" in body for body in server.calls] == [True, False, False]


def test_a_model_without_structured_output_is_told_the_schema_in_words(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(server, tmp_path)
        model.abilities(Listener())
        refuse(
            server,
            400,
            "response_format is not supported",
            when=lambda body: "response_format" in body,
        )
        assert model.reply(asked(), Listener()).text
    assert "response_format" not in server.calls[-1]
    assert '"additionalProperties": false' in server.calls[-1]["messages"][0]["content"]


def test_no_more_calls_than_allowed_are_in_flight_and_the_others_say_so(tmp_path):
    seen = [Listener() for _ in range(6)]
    with OpenAIServer(latency=0.2) as server:
        model = model_at(server, tmp_path, calls=2)
        model.abilities(Listener())
        threads = [
            threading.Thread(target=model.reply, args=(one_paragraph(), one)) for one in seen
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (server.most_in_flight, len(server.calls)) == (2, 6)
    assert sum(any("2 calls allowed at once" in note for note in one.notes) for one in seen) == 4


def test_a_stop_breaks_off_a_silent_call_at_once(tmp_path):
    began, wanted = time.monotonic(), 0.4

    def progress(text, note):
        if time.monotonic() - began > wanted:
            raise Stopped("stop")

    with OpenAIServer(faults={"hang": 1}, hang=2 * SOON) as server:
        model = model_at(server, tmp_path, read_timeout=2 * SOON)
        model.abilities(Listener())
        began = time.monotonic()
        with pytest.raises(Stopped):
            model.reply(asked(), progress)
        assert time.monotonic() - began < SOON


def test_models_are_opened_by_name(tmp_path):
    store, builtin = Store(tmp_path), object()
    assert open_model("builtin", Settings(), store, lambda: builtin) is builtin
    local = Settings(openai_url="http://127.0.0.1:9/v1")
    assert open_model("openai:any", local, store, lambda: builtin).name == "openai:any"
    assert (
        open_model("ollama:llama3.2:1b", Settings(), store, lambda: builtin).name
        == "ollama:llama3.2:1b"
    )


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("openai:gpt-6-luna", "OPENAI_API_KEY"),
        ("google_genai:gemini-4-argon", "GOOGLE_API_KEY"),
        ("nobody:x", "the providers are openai"),
        ("openai:", "names no model"),
        ("", "builtin"),
    ],
)
def test_a_model_that_cannot_be_opened_says_what_is_missing(tmp_path, name, advice):
    with pytest.raises(BadInput, match=advice):
        open_model(name, Settings(), Store(tmp_path), object)


@pytest.mark.parametrize(
    ("name", "given", "advice"),
    [
        ("openai:m", {"openai_url": "me:planted@x.example/v1"}, "OPENAI_BASE_URL .* whole address"),
        ("ollama:m", {"ollama_url": "//me:planted@x.example"}, "OLLAMA_HOST .* whole address"),
        ("anthropic:m", {"keys": {"anthropic": "planted\u2019"}}, "ANTHROPIC_API_KEY .* a key is"),
    ],
)
def test_a_model_whose_address_or_key_cannot_be_used_is_not_opened(tmp_path, name, given, advice):
    with pytest.raises(BadInput, match=f"The model '{name}' cannot be asked: {advice}") as refused:
        open_model(name, Settings(**given), Store(tmp_path), object)
    assert "planted" not in str(refused.value)


@pytest.mark.parametrize("lead", ["", "//", "http:/", "http:///", "http:\\\\"])
def test_a_login_is_in_no_failure_whatever_the_scheme_of_the_address_looks_like(tmp_path, lead):
    given = {"read_timeout": 1.0, "call_timeout": 2.0, "patience": 0.0}
    wrong = Settings(openai_url=f"{lead}me:planted-pass@127.0.0.1:1/v1", **given)
    model = ChatModel("openai", "m", wrong, Store(tmp_path))
    with pytest.raises(ModelFailed) as failed:
        model.reply(asked(), seen := Listener())
    assert "planted-pass" not in f"{failed.value} {failed.value.calls} {seen.heard} {model!r}"


def refuse(server, status, message, when=lambda body: True):
    """Make a server refuse real calls with a status and a message."""
    server.refusing = lambda body: (status, message) if when(body) else None


def test_a_password_in_an_address_goes_to_the_server_alone(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(
            server, tmp_path, openai_url=server.url.replace("//", "//me:planted-pass@")
        )
        reply = model.reply(asked(), Listener())
        (seen,) = reachable(
            Settings(
                openai_url=server.url.replace("//", "//me:planted-pass@"),
                ollama_url="http://127.0.0.1:9",
            ),
            patience=SOON,
        )[1:]
        sent = b64encode(b"me:planted-pass").decode()
        echoed = f"me:planted-pass with planted-pass, Basic {sent}, is not welcome"
        server.refusing = lambda body: (400, echoed)
        with pytest.raises(ModelFailed) as failed:
            model.reply(asked(), Listener())
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "planted-pass" not in repr((model, reply, seen, failed.value))
    assert "[key] with [key], Basic [key], is not welcome" in str(failed.value)
    assert sent.encode() not in stored
    assert b"planted-pass" not in stored
    assert reply.detail["address"] == seen.address == server.url


def test_a_password_that_is_a_word_stays_in_what_a_model_says(tmp_path):
    with OpenAIServer(script=lambda body: "A network of networks.") as server:
        address = server.url.replace("//", "//me:network@")
        model = model_at(server, tmp_path, openai_url=address)
        seen = Listener()
        assert model.reply(asked(), seen).text == "A network of networks."
        assert seen.texts[-1] == "A network of networks."
        server.refusing = lambda body: (400, "no network here")
        with pytest.raises(ModelFailed, match=r"no \[key\] here"):
            model.reply(asked(), Listener())


def test_no_piece_of_an_answer_is_kept_once_it_was_heard(tmp_path):
    """A server may send any number of pieces, each of which takes a thousand times its size."""
    alive = []

    def count(heard):
        gc.collect()
        alive.append(sum(type(one) is AIMessageChunk for one in gc.get_objects()))

    told = {"choices": [{"index": 0, "delta": {"content": "a "}, "finish_reason": None}]}
    told["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    pieces = [json.dumps(told)] * 3_000
    end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    body = "".join(f"data: {one}\n\n" for one in [*pieces, end, "[DONE]"])
    server = httpx.MockTransport(lambda _: httpx.Response(200, text=body))
    client = openai.OpenAI(api_key="k", http_client=httpx.Client(transport=server))
    chat = ChatOpenAI(model="m", api_key="k")
    vars(chat)["client"] = Completions(client)
    heard = AttemptReply()
    for n, piece in enumerate(endpoint._stream(chat, [HumanMessage("?")], {})):
        heard = heard.plus(piece, running=True)
        if n % 500 == 0:
            count(heard)
    assert (heard.text.count("a"), heard.finish_reason, heard.tokens_out) == (3_000, "stop", 1)
    assert max(alive) < 20
