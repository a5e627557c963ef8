"""What a websocket is sent beside messages: as much as browsers send, and no more."""

import asyncio
import contextlib
import socket
import threading
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from components.access.strangers import ABORT, LIMIT
from components.shell import connections, frames
from components.shell.frames import bound_frames

HANDLES = (
    *("connection_made", "send", "pause_writing", "keepalive_timeout", "run_asgi"),
    *("handle_ping", "handle_pong", "handle_cont"),
)
PAGE = bytes(range(256)) * 20_000


async def answering(scope, receive, send) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (heard := await receive())["type"] == "websocket.receive":
        if heard["text"] == "much":
            for _ in range(100):
                await send({"type": "websocket.send", "text": "m" * 1_000_000})
        if heard["text"] == "a page":
            await send({"type": "websocket.send", "bytes": PAGE})
        if heard["text"] == "little":
            scope["extensions"][LIMIT](64_000)
        if heard["text"] == "cut me":
            scope["extensions"][ABORT]()
        await send({"type": "websocket.send", "text": f"{len(heard['text']):,} letters"})


@pytest.fixture(scope="module")
def url():
    with pytest.MonkeyPatch.context() as patch:
        for name in HANDLES:
            patch.setattr(WebSocketsSansIOProtocol, name, getattr(WebSocketsSansIOProtocol, name))
        patch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
        connections.send_a_little_at_once()
        bound_frames()
        bound_frames()  # Once is enough.
        server = uvicorn.Server(
            uvicorn.Config(
                answering, port=0, ws="websockets-sansio", lifespan="off", log_level="warning"
            )
        )
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
        server.should_exit = True
        thread.join()


def test_a_browser_s_pings_and_pieces_are_answered(url):
    with connect(url, compression=None) as line:
        for _ in range(30):
            assert line.ping().wait(30)
        line.send(f"{n:04}" for n in range(frames.PIECES // 2))
        assert line.recv(30) == "2,000 letters"
        for _ in range(30):
            line.pong()
        line.send("still there")
        assert line.recv(30) == "11 letters"


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
def test_whoever_sends_pings_or_pongs_without_end_is_left(url, opcode):
    with connect(url, compression=None, ping_interval=None) as line:
        one = Frame(opcode, b"p" * 125).serialize(mask=True, extensions=[])
        with pytest.raises(OSError):
            line.socket.sendall(one * 200_000)


def test_whoever_sends_a_message_in_pieces_without_end_is_left(url):
    with connect(url, compression=None) as line, pytest.raises(ConnectionClosed):
        line.send("ab" for _ in range(50_000))


def test_whoever_may_send_little_is_left_before_it_has_come(url):
    with connect(url, compression=None, max_size=None) as line:
        line.send("a" * 1_000_000)
        assert line.recv(30) == "1,000,000 letters"
        line.send("little")
        line.recv(30)
        line.send("a" * 60_000)
        assert line.recv(30) == "60,000 letters"
        with contextlib.suppress(ConnectionClosed):
            line.send("a" * 10_000 for _ in range(50))
        with pytest.raises(ConnectionClosed):
            line.recv(30)


def test_a_large_message_is_read_a_little_at_a_time(url, monkeypatch):
    sizes = []
    receive = WebSocketsSansIOProtocol.data_received

    def noted(connection, data):
        sizes.append(len(data))
        receive(connection, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noted)
    with connect(url, compression=None) as line:
        line.send("a" * 1_000_000)
        assert line.recv(30) == "1,000,000 letters"
    assert max(sizes) <= frames.AT_ONCE


@pytest.fixture
def lost(monkeypatch):
    """Tell when a line has ended."""
    ended = threading.Event()
    lose = WebSocketsSansIOProtocol.connection_lost

    def noted(connection, error):
        lose(connection, error)
        ended.set()

    monkeypatch.setattr(WebSocketsSansIOProtocol, "connection_lost", noted)
    return ended


def test_whoever_reads_nothing_of_what_is_sent_is_left(url, monkeypatch, lost):
    monkeypatch.setattr(frames, "READS", 0.3)
    with connect(url, compression=None, max_queue=1, max_size=None) as line:
        line.send("much")
        assert lost.wait(30)


def test_a_slow_reader_is_waited_for(url, monkeypatch):
    monkeypatch.setattr(frames, "READS", 5.0)
    with connect(url, compression=None, max_size=None) as line:
        line.send("much")
        for _ in range(100):
            assert len(line.recv(30)) == 1_000_000
        assert line.recv(30) == "4 letters"


def test_a_connection_can_be_cut_by_whoever_answers(url):
    with connect(url, compression=None) as line:
        line.send("cut me")
        with pytest.raises(ConnectionClosed):
            line.recv(30)


class Broken:
    """A line of which it turns out, as the first piece is written, that it broke."""

    def __init__(self) -> None:
        self.written = list[bytes]()

    def write(self, piece: bytes) -> None:
        self.written.append(piece)

    def is_closing(self) -> bool:
        return bool(self.written)


def test_of_a_message_nothing_more_is_sent_once_its_line_has_broken():
    line, packed = Broken(), list[bytes]()
    connection = SimpleNamespace(
        close_sent=False,
        # It hears of it later, when others have had their turn.
        disconnected=False,
        writable=asyncio.Event(),
        transport=line,
        conn=SimpleNamespace(
            send_binary=lambda piece, last: packed.append(piece),
            send_continuation=lambda piece, last: packed.append(piece),
            data_to_send=lambda: packed[-1:],
        ),
    )
    connection.writable.set()
    send = frames._a_piece_at_a_time(WebSocketsSansIOProtocol.send)
    with pytest.raises(ClientDisconnected):
        asyncio.run(send(connection, {"type": "websocket.send", "bytes": PAGE}))
    assert line.written == packed == [PAGE[: connections.SENT_AT_ONCE]]


class Slow(socket.socket):
    """A line by which so many bytes come in a second, with little room for more."""

    rate = 1_500_000

    def recv(self, size: int, flags: int = 0) -> bytes:
        came = super().recv(min(size, max(1, self.rate // 100)), flags)
        time.sleep(len(came) / self.rate)
        return came


def slow(url: str) -> Slow:
    line = Slow()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32_768)
    line.connect(("127.0.0.1", urlsplit(url).port or 80))
    return line


def test_a_large_message_comes_whole_to_whoever_reads_slowly_but_steadily(url, monkeypatch):
    monkeypatch.setattr(frames, "READS", 1.0)
    with connect(url, sock=slow(url), compression=None, max_size=None) as line:
        line.send("a page")
        began = time.monotonic()
        time.sleep(0.5)
        assert line.ping().wait(30), "whoever is asked meanwhile is there"
        with pytest.raises(TimeoutError):
            line.recv(0)
        assert line.recv(60) == PAGE
        assert time.monotonic() - began > 2 * frames.READS
        assert line.recv(30) == "6 letters"


def test_whoever_reads_a_byte_a_second_is_left(url, monkeypatch, lost):
    monkeypatch.setattr(frames, "READS", 0.3)
    only = slow(url)
    with connect(url, sock=only, compression=None, max_size=None, close_timeout=1) as line:
        only.rate = 1
        line.send("a page")
        assert lost.wait(30)
