"""A connection to a server serves one call after the other, and no answer waits for the connection
it came on.
"""

import socket
import threading
from types import SimpleNamespace

import pytest

from core.models import refusals
from core.models.langchain import ChatModel
from core.models.listening import AttemptConnection
from tests.support.model_kit import VERDICT, Listener, asked, model_at
from tests.support.servers import openai_server
from tests.support.servers.openai_server import Handler, OpenAIServer
from tests.support.waiting import until

CALLS = 10


@pytest.fixture
def seen(monkeypatch):
    """The connections questions came on, each by its client's port."""
    ports, post = [], Handler.do_POST
    monkeypatch.setattr(
        openai_server.Handler,
        "do_POST",
        lambda handler: (ports.append(handler.client_address[1]), post(handler)),
    )
    return ports


def replies(model: ChatModel, many: int) -> list[str]:
    return [model.reply(asked(), Listener()).text for _ in range(many)]


def test_calls_one_after_the_other_share_a_connection(tmp_path, seen):
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(server, tmp_path)
        model.abilities(Listener())
        seen.clear()
        replies(model, CALLS)
    assert len(seen) == CALLS
    assert len(set(seen)) <= 3, "a call may begin before the last one's connection is free again"


def test_a_server_that_keeps_the_connection_open_after_its_answer_holds_nobody_up(
    tmp_path, seen, monkeypatch
):
    opened, ended, raw = threading.Event(), [], Handler._raw

    def late(handler, data):
        if not data:
            assert opened.wait(10)
            ended.append(handler)
        raw(handler, data)

    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(server, tmp_path)
        model.abilities(Listener())
        monkeypatch.setattr(openai_server.Handler, "_raw", late)
        seen.clear()
        assert len(replies(model, 3)) == 3
        assert not ended, "every answer was here before its connection was free"
        assert len(set(seen)) == 3
        opened.set()
        until(lambda: len(ended) == 3)


def test_a_server_that_never_ends_its_answer_keeps_no_connection_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr(refusals, "PATIENT", 0.2)
    opened, raw = threading.Event(), Handler._raw
    with OpenAIServer(script=lambda body: VERDICT) as server:
        model = model_at(server, tmp_path, read_timeout=60.0)
        model.abilities(Listener())
        monkeypatch.setattr(
            openai_server.Handler,
            "_raw",
            lambda handler, data: raw(handler, data) if data else opened.wait(60),
        )
        before = reading()
        assert len(replies(model, 3)) == 3
        until(lambda: reading() <= before, seconds=10)
        opened.set()


def reading() -> int:
    return sum(one.name == "model-answer" for one in threading.enumerate())


@pytest.mark.parametrize("ended", [True, False])
def test_a_call_that_is_broken_off_late_cuts_its_own_connection_and_nobody_elses(ended):
    ours, theirs = socket.socketpair()
    line, heard_out = AttemptConnection(), []
    line.hold(
        SimpleNamespace(
            extensions={"network_stream": SimpleNamespace(get_extra_info=lambda name: ours)}
        ),
        heard_out.append,
    )
    if ended:
        line.end()
    line.cut()
    if ended:
        theirs.sendall(b"another call's answer")
        assert (ours.recv(100), heard_out) == (b"another call's answer", [True])
    else:
        assert ours.recv(100) == b"", "a read that blocked on it ends at once"
    ours.close()
    theirs.close()
