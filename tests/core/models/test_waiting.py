"""Busy, broken, hung and dead servers: waited for visibly, within bounds, and never mistaken for an
answer.
"""

import itertools
import json
import re
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from pydantic import TypeAdapter, ValidationError

from core.desk import Capped
from core.errors import ModelFailed, Stopped
from core.models import endpoint, langchain, listening, open_model
from core.models.abilities import Abilities
from core.models.asking import answer
from core.models.langchain import ChatModel
from core.models.trouble import diagnose
from core.records import Verdict
from core.records.runs import REFUSED_KEPT
from core.settings import Settings
from core.store import Store
from tests.support.model_kit import KEY, VERDICT, Listener, asked, model_at, one_paragraph
from tests.support.servers.openai_server import OpenAIServer
from tests.support.waiting import SOON


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    """Begin with a tenth of a second where a server does not say how long to wait."""
    monkeypatch.setattr(endpoint, "FIRST_WAIT", 0.1)


def failing_first(server, times, *fault):
    """Draw this fault for the first calls, then none."""
    drawn = itertools.chain(fault * times, itertools.repeat(None))
    server._draw = lambda _: next(drawn)


def test_a_busy_server_is_waited_for_as_long_as_it_asks_and_the_wait_is_shown(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(server, tmp_path)
        model.abilities(Listener())
        failing_first(server, 2, "429")
        began = time.monotonic()
        reply = model.reply(asked(), seen := Listener())
    assert len(server.calls) == 3
    assert 0.1 <= reply.detail["waited"] <= time.monotonic() - began < SOON
    assert any(note == "waiting 0.05 s: the server is busy (429)" for note in seen.notes)


def test_a_server_in_trouble_is_waited_for_longer_each_time(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        failing_first(server, 2, "500")
        reply = model_at(server, tmp_path).reply(asked(), seen := Listener())
    assert reply.detail["waited"] >= 0.3
    assert {
        "waiting 0.1 s: the server is in trouble (500)",
        "waiting 0.2 s: the server is in trouble (500)",
    } <= set(seen.notes)


def test_waiting_is_bounded_by_patience(tmp_path):
    with (
        OpenAIServer(faults={"500": 1}) as server,
        pytest.raises(ModelFailed, match=r"in trouble \(500\)"),
    ):
        model_at(server, tmp_path, patience=0.25).reply(asked(), Listener())
    assert len(server.calls) == 2


def test_a_server_that_asks_for_more_patience_than_there_is_is_not_waited_for(tmp_path):
    with (
        OpenAIServer(faults={"429": 1}) as server,
        pytest.raises(ModelFailed, match=r"busy \(429\)"),
    ):
        model_at(server, tmp_path, patience=0.01).reply(asked(), Listener())
    assert len(server.calls) == 1


def test_a_stop_breaks_off_a_wait_at_once(tmp_path):
    def progress(text, note):
        if note.startswith("waiting"):
            raise Stopped("stop")

    with OpenAIServer(faults={"500": 1}) as server:
        model = model_at(server, tmp_path)
        began = time.monotonic()
        with pytest.raises(Stopped):
            model.reply(asked(), progress)
    assert time.monotonic() - began < SOON


def test_a_hung_call_is_given_up_and_put_again(tmp_path):
    with OpenAIServer(script=lambda body: VERDICT, hang=2.0) as server:
        failing_first(server, 1, "hang")
        got = answer(model_at(server, tmp_path, read_timeout=0.3), asked(), Verdict, Listener())
    assert [call.outcome for call in got.calls] == ["the server said nothing for 0.3 s", "accepted"]
    assert (got.calls[0].tokens_out, got.calls[0].cost) == (None, None)


def test_a_server_that_always_hangs_is_given_up_within_patience(tmp_path):
    with OpenAIServer(faults={"hang": 1}, hang=2.0) as server:
        model = model_at(server, tmp_path, read_timeout=0.3, patience=1.0)
        began = time.monotonic()
        with pytest.raises(ModelFailed, match=r"said nothing for 0\.3 s") as failed:
            model.reply(asked(), Listener())
    assert time.monotonic() - began < SOON
    assert failed.value.calls


def test_a_stream_without_an_end_is_never_accepted(tmp_path):
    with (
        OpenAIServer(faults={"cut": 1}) as server,
        pytest.raises(ModelFailed, match="broke off") as failed,
    ):
        model_at(server, tmp_path).reply(one_paragraph(), Listener())
    assert len(failed.value.calls) == len(server.calls) == langchain.CUTS
    assert all(
        call.raw.startswith('{"hypothesis"') and call.tokens_out is None
        for call in failed.value.calls
    )


def test_a_cut_stream_is_put_again_and_accounted_for(tmp_path):
    with OpenAIServer() as server:
        failing_first(server, 1, "cut")
        reply = model_at(server, tmp_path).reply(one_paragraph(), Listener())
    assert reply.text.endswith("}")
    assert [call.outcome for call in reply.lost] == ["the answer broke off in the middle"]


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("broken", "broke off"),
        ("garbage", "no answer of a model|without an answer|broke off"),
        ("limit", "cut off at 4,000 tokens"),
        ("empty", "empty"),
        ("refusal", "refused: I cannot help"),
        ("huge", "characters; at most"),
        ("nul", "the character NUL"),
        ("escaped nul", "the character NUL"),
        ("surrogate", "half a surrogate pair"),
    ],
)
def test_one_fault_is_overcome_and_stands_in_the_account_by_its_name(tmp_path, fault, outcome):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        failing_first(server, 1, fault)
        got = answer(storing(model_at(server, tmp_path)), asked(), Verdict, Listener())
    assert got.value.model_dump() == VERDICT
    assert re.search(outcome, got.calls[0].outcome)
    assert [call.outcome for call in got.calls[1:]] == ["accepted"]


def storing(model):
    """Return a model whose replies are made storable, as a run's are."""
    return Capped(model, lambda _begun: None)


def test_a_server_that_is_not_there_is_waited_for_then_named(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings = Settings(
            openai_url=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1",
            patience=0.25,
            keys={"openai": KEY},
        )
        with pytest.raises(ModelFailed, match="cannot be reached"):
            ChatModel("openai", "any", settings, Store(tmp_path)).reply(asked(), seen := Listener())
    assert any("waiting" in note and "cannot be reached" in note for note in seen.notes)


@contextmanager
def trickling(line):
    """Run a server that sends this line of a stream for ever; gives its URL and an event set when
    the client hangs up.
    """
    gone, server = threading.Event(), socket.create_server(("127.0.0.1", 0))

    def talk():
        connection, _ = server.accept()
        connection.recv(65_536)
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        )
        try:
            while True:
                connection.sendall(line)
                time.sleep(0.05)
        except OSError:
            gone.set()

    threading.Thread(target=talk, daemon=True).start()
    with server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1", gone


@pytest.mark.parametrize(
    "line",
    [
        b": still there\n\n",
        b'data: {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": null}]}\n\n',
    ],
)
def test_a_trickling_server_cannot_outlive_the_time_a_call_may_take(tmp_path, line):
    with trickling(line) as (url, gone):
        settings = Settings(openai_url=url, call_timeout=0.8, patience=0.5)
        model = ChatModel("openai", "any", settings, Store(tmp_path))
        model._remember(Abilities())
        began = time.monotonic()
        with pytest.raises(ModelFailed, match=r"longer than is allowed .*0.8 s"):
            model.reply(asked(), Listener())
        assert time.monotonic() - began < SOON
        assert gone.wait(2.0)


def event(chunk):
    """Return a chunk as a line of a stream."""
    return b"data: " + (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n\n"


def piece(**delta):
    return event(
        {
            "id": "x",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
        }
    )


STREAM, JSON = "text/event-stream", "application/json"
NO_ANSWERS = {
    "a web page": ("text/html", b"<html>Welcome to the router</html>"),
    "a web page as a stream": (STREAM, b"<html>Sign in</html>"),
    "nothing": (STREAM, b""),
    "no JSON": (JSON, b""),
    "other JSON": (JSON, b'{"hello": 1}'),
    "bytes": (STREAM, bytes(range(128, 256)) * 20),
    "bytes in a stream": (STREAM, event(bytes(range(128, 256)))),
    "a list": (STREAM, event([1, 2, 3])),
    "a text": (STREAM, event("hello")),
    "a number": (STREAM, event(b"17")),
    "null": (STREAM, event(b"null")),
    "choices that are none": (STREAM, event({"choices": [None]})),
    "no delta": (STREAM, event({"choices": [{"index": 0}]})),
    "a delta that is none": (STREAM, event({"choices": [{"delta": "x"}]})),
    "content that is no text": (STREAM, piece(content={"a": 1})),
    "usage that is none": (STREAM, piece(content="Hel") + event({"choices": [], "usage": "lots"})),
    "half a stream": (STREAM, piece(content="Hel") + event(b'{"id": "x", "choi')),
}
RIDDLES = (
    "Error",
    "Expecting",
    "decode",
    "attribute",
    "validation",
    "pydantic",
    "char ",
    "NoneType",
)


@contextmanager
def sending(kind, body, times=100):
    """Run a server that answers so many calls with these bytes and status 200, and any later one
    well; gives its address and how often it was asked.
    """

    class Page(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            good = piece(content=json.dumps(VERDICT)) + event(
                {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
            )
            said, sent = (kind, body) if len(asked) <= times else (STREAM, good)
            self.send_response(200)
            self.send_header("Content-Type", said)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_):
            pass

    asked: list[str] = []
    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


def known_model(url, folder, provider="openai"):
    given = {"openai_url": url} if provider == "openai" else {"ollama_url": url}
    model = ChatModel(provider, "any", Settings(**given), Store(folder))
    model._remember(Abilities())
    return model


@pytest.mark.parametrize("sent", NO_ANSWERS.values(), ids=NO_ANSWERS)
@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_what_is_no_answer_is_asked_for_a_few_times_at_most_and_told_in_plain_words(
    tmp_path, provider, sent
):
    with sending(*sent) as (url, heard):
        with pytest.raises(
            ModelFailed,
            match=(
                rf"(no answer of a model|without an answer|broke off).*(is {url} the right"
                r" address)?"
            ),
        ) as failed:
            known_model(url, tmp_path, provider).reply(asked(), Listener())
        assert len(heard) == len(failed.value.calls) == langchain.CUTS
    assert not [riddle for riddle in RIDDLES if riddle in str(failed.value)], str(failed.value)
    assert not [
        riddle for riddle in RIDDLES for call in failed.value.calls if riddle in call.outcome
    ]


@pytest.mark.parametrize("sent", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_an_answer_that_comes_after_bytes_that_are_none_is_taken(tmp_path, sent):
    with sending(*sent, times=1) as (url, heard):
        reply = known_model(url, tmp_path).reply(asked(), seen := Listener())
        assert len(heard) == 2
    assert json.loads(reply.text) == VERDICT
    assert len(reply.lost) == 1
    assert any(note.startswith("waiting") for note in seen.notes)


def test_an_answer_without_end_is_left_where_it_outgrows_any_and_asked_for_again(tmp_path):
    pieces = piece(content="on and on " * 1_000) * (listening.LARGEST // 10_000 + 10)
    with sending(STREAM, pieces, times=1) as (url, _):
        reply = known_model(url, tmp_path).reply(asked(), Listener())
    assert json.loads(reply.text) == VERDICT
    [lost] = reply.lost
    assert lost.outcome == "the answer went on past 2,000,000 characters"
    assert len(lost.raw) == REFUSED_KEPT


@pytest.mark.parametrize(
    ("length", "said", "counts"), [(400, 1, 1), (410, 1, None), (410, 11, 11), (19_000, 190, None)]
)
def test_tokens_that_are_too_few_for_a_long_answer_count_as_not_reported(length, said, counts):
    heard = listening.AttemptReply("x" * (length - 10), thoughts="y" * 10, tokens_out=said)
    assert heard.believed().tokens_out == counts


@pytest.mark.parametrize(
    ("text", "said", "counts"),
    [("x", (0, 0), (None, None)), ("", (7, 0), (7, 0)), ("x", (7, 0), (7, None))],
)
def test_a_count_of_nothing_counts_as_not_reported(text, said, counts):
    heard = listening.AttemptReply(text, tokens_in=said[0], tokens_out=said[1]).believed()
    assert (heard.tokens_in, heard.tokens_out) == counts


@pytest.mark.parametrize(
    ("out", "thought", "then"),
    [
        (40, 3_000, (3_040, 3_000)),
        (40, 30, (40, 30)),
        (0, 20, (None, None)),
        (None, 20, (None, None)),
    ],
)
def test_thoughts_that_were_counted_beside_the_answer_are_of_the_whole(out, thought, then):
    empty = listening.AttemptReply("", tokens_out=0, tokens_thought=20).believed()
    assert (empty.tokens_out, empty.tokens_thought) == (20, 20)
    heard = listening.AttemptReply("x", tokens_in=7, tokens_out=out, tokens_thought=thought)
    found = heard.believed()
    assert (found.tokens_out, found.tokens_thought) == then


def test_a_probe_that_meets_bytes_that_are_no_answer_teaches_nothing(tmp_path):
    with sending("text/html", b"<html>Sign in</html>") as (url, heard):
        model = ChatModel("openai", "any", Settings(openai_url=url), Store(tmp_path))
        with pytest.raises(ModelFailed, match=rf"is {url} the right address"):
            model.reply(asked(), Listener())
        assert len(heard) == langchain.PROBE_CUTS
    assert Store(tmp_path).places.abilities(f"{url} any") is None


def test_a_server_that_asks_to_be_asked_at_once_is_asked_ever_more_rarely():
    patience, waits = endpoint.CallPatience(60.0), []
    while (seconds := patience.next_wait(0.0)) is not None:
        waits.append(seconds)
        patience.spend(seconds)
    assert waits[:5] == [0.0, 0.2, 0.4, 0.8, 1.6]
    assert len(waits) < 12


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ({"retry-after": "4"}, 4.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 +99999999999999999999"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(said, seconds):
    error = RuntimeError("slow down")
    error.status_code, error.headers = 429, said
    assert diagnose(error, "KEY", "m", 1.0, str).retry_after == seconds


def test_the_words_of_a_server_in_trouble_can_be_stored_whatever_they_are():
    error = RuntimeError("half \ud83d a\0pair")
    error.status_code = 400
    found = diagnose(error, "KEY", "m", 1.0, str)
    assert found.sentence.endswith("The server says: half \ufffd a\ufffdpair")


def test_an_account_without_credit_is_not_waited_for():
    error = RuntimeError("You exceeded your current quota (insufficient_quota)")
    error.status_code = 429
    assert diagnose(error, "KEY", "m", 1.0, str).kind == "final"


def test_a_stop_while_waiting_keeps_the_answers_lost_before_it(tmp_path):
    def progress(text, note):
        if note.startswith("waiting"):
            raise Stopped("stop")

    with OpenAIServer(faults={"cut": 1}) as server, pytest.raises(Stopped) as stopped:
        model_at(server, tmp_path).reply(one_paragraph(), progress)
    assert [call.outcome for call in stopped.value.calls] == ["the answer broke off in the middle"]


def test_a_server_that_is_not_there_is_given_up_soon_with_what_to_look_at(tmp_path, monkeypatch):
    monkeypatch.setattr(langchain, "GONE", 1.0)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(data=tmp_path, ollama_url=f"http://127.0.0.1:{port}", patience=120)
    began = time.monotonic()
    with pytest.raises(ModelFailed, match="is it running"):
        answer(
            open_model("ollama:nothing", settings, Store(tmp_path), lambda: None),
            asked(),
            Verdict,
            Listener(),
        )
    assert time.monotonic() - began < 20, "the patience for a busy server would be 120 s"


@pytest.mark.parametrize(
    ("many", "seconds"), [(1, 0.04), (8, 0.04), (16, 0.08), (64, 0.2), (500, 0.2)]
)
def test_the_more_answers_are_under_way_the_less_often_each_is_looked_at(
    monkeypatch, many, seconds
):
    monkeypatch.setattr(listening, "_UNDER_WAY", set(range(many)))
    assert listening.glance() == pytest.approx(seconds)


def test_an_answer_that_ended_or_was_left_is_under_way_no_more(tmp_path):
    def stop(text, note):
        if text:
            raise Stopped("stop")

    with OpenAIServer(latency=0.2) as server:
        model = model_at(server, tmp_path)
        model.reply(one_paragraph(), Listener())
        with pytest.raises(Stopped):
            model.reply(one_paragraph(), stop)
    assert not listening._UNDER_WAY


def test_the_faults_of_an_answer_are_not_written_out(monkeypatch):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(list[int]).validate_python(["x"] * 2_000)
    scrubbed = []
    found = diagnose(caught.value, "KEY", "m", 1.0, lambda text: scrubbed.append(text) or text)
    assert (found.kind, found.garbled) == ("cut", True)
    assert scrubbed == [""]
