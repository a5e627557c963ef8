"""Connections on which nobody asks for anything end, and others do not."""

import asyncio
import contextlib
import resource
import socket
import ssl
import subprocess
import sys
import threading
import time
from asyncio import constants, sslproto
from types import SimpleNamespace

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from websockets.sync.client import connect

from components.shell import connections
from tests import ROOT
from tests.support.certificates import certificate_for

ASKED = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n"
PATIENCE = 0.2
PIECE, MUCH = bytes(64_000), 400
"""More than the system takes and keeps for a reader."""
FILE = bytes(range(256)) * 40_000


async def answering(scope, receive, send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": "heard"})
        return
    if scope["path"] == "/much":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(MUCH):
            await send({"type": "http.response.body", "body": PIECE, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        return
    if scope["path"] == "/file":
        length = [(b"content-length", b"%d" % len(FILE))]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": FILE})
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(6 * PATIENCE)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"answered"})


@pytest.fixture(scope="module")
def port():
    """A server whose connections are looked after; it would keep them open for an hour by
    itself.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
        patch.setattr(connections, "PATIENCE", PATIENCE)
        connections.end_silent_connections()
        connections.end_silent_connections()  # Once is enough.
        server = uvicorn.Server(
            uvicorn.Config(
                answering, port=0, timeout_keep_alive=3600, lifespan="off", log_level="warning"
            )
        )
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[1]
        server.should_exit = True
        thread.join()


def unread(port: int, path: str = "/much", room: int = 4_096) -> socket.socket:
    """Ask for much, and read nothing of it."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    line.settimeout(30)
    line.connect(("127.0.0.1", port))
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    return line


def whole(line: socket.socket) -> int:
    """Read to the end, or until all has come, and return how much did."""
    came = 0
    with contextlib.suppress(ConnectionResetError):
        while came < len(PIECE) * MUCH and (part := line.recv(65_536)):
            came += len(part)
    return came


@pytest.fixture
def reading(port, monkeypatch):
    """The same server, which ends who does not read."""
    for name in ("connection_made", "pause_writing", "resume_writing", "connection_lost"):
        monkeypatch.setattr(AutoHTTPProtocol, name, getattr(AutoHTTPProtocol, name))
    connections.end_unread_answers()
    connections.end_unread_answers()  # Once is enough.
    connections.send_a_little_at_once()
    connections.send_a_little_at_once()
    return port


def test_an_answer_s_body_does_not_wait_until_its_head_is_acknowledged(monkeypatch):
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    connections.send_a_little_at_once()
    options, begin = list[int](), AutoHTTPProtocol.connection_made

    def noted(connection, transport):
        begin(connection, transport)
        line = transport.get_extra_info("socket")
        options.append(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", noted)
    # As Streamlit makes it, without a word of TCP: asyncio leaves such a one as it is.
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    server = uvicorn.Server(uvicorn.Config(answering, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        with socket.create_connection(listening.getsockname(), 30) as line:
            line.sendall(ASKED)
            assert line.recv(65_536)
    finally:
        server.should_exit = True
        thread.join()
    assert options == [1]


@pytest.mark.parametrize("path", ["/much", "/file"])
@pytest.mark.parametrize(("bytes_a_time", "room"), [(0, 4_096), (1, 4_096), (0, 131_072)])
def test_an_answer_that_nobody_reads_is_given_up(reading, monkeypatch, path, bytes_a_time, room):
    kept, ended = list[int](), threading.Event()
    pause, lose = AutoHTTPProtocol.pause_writing, AutoHTTPProtocol.connection_lost

    def noted(connection):
        kept.append(connection.transport.get_write_buffer_size())
        pause(connection)

    def lost(connection, error):
        lose(connection, error)
        ended.set()

    monkeypatch.setattr(AutoHTTPProtocol, "pause_writing", noted)
    monkeypatch.setattr(AutoHTTPProtocol, "connection_lost", lost)
    monkeypatch.setattr(connections, "READS", 0.3)
    with unread(reading, path, room) as line:
        for _ in range(300):
            if ended.wait(0.1):
                break
            line.recv(bytes_a_time)
        assert ended.is_set()
        assert whole(line) < len(FILE)
    assert max(kept) <= 2 * connections.SENT_AT_ONCE, "that is what waits of it meanwhile"


def test_a_file_comes_whole_to_whoever_reads_slowly_but_steadily(reading, monkeypatch):
    monkeypatch.setattr(connections, "READS", 1.0)
    came, began = bytearray(), time.monotonic()
    with unread(reading, "/file", 65_536) as line, contextlib.suppress(ConnectionResetError):
        while not came.endswith(FILE) and (part := line.recv(25_000)):
            came += part
            time.sleep(len(part) / 2_500_000)
    assert came.endswith(FILE), len(came)
    assert time.monotonic() - began > 3 * connections.READS


def test_of_many_that_nobody_reads_the_oldest_is_given_up(reading, monkeypatch):
    monkeypatch.setattr(connections, "UNREAD", 2)
    lines = []
    for _ in range(3):
        lines.append(unread(reading))
        time.sleep(0.3)
    assert [whole(line) >= len(PIECE) * MUCH for line in lines] == [False, True, True]
    for line in lines:
        line.close()


@pytest.mark.parametrize("after", [4_000_000, len(FILE) - 280_000])
def test_a_file_comes_whole_to_whoever_reads_much_and_then_rests(reading, monkeypatch, after):
    monkeypatch.setattr(connections, "READS", 0.3)
    came = bytearray()
    with unread(reading, "/file", 65_536) as line, contextlib.suppress(ConnectionResetError):
        while not came.endswith(FILE) and (part := line.recv(25_000)):
            rests = len(came) < after <= len(came) + len(part)
            came += part
            time.sleep(1.5 if rests else 0.003)
    assert came.endswith(FILE), len(came)


def test_a_file_comes_whole_to_whoever_takes_much_at_once_and_then_rests(reading, monkeypatch):
    monkeypatch.setattr(connections, "READS", 0.3)
    with unread(reading, "/file", 4_000_000) as line, contextlib.suppress(ConnectionResetError):
        came = bytearray(line.recv(2_000_000, socket.MSG_WAITALL))
        time.sleep(1.5)
        while not came.endswith(FILE) and (part := line.recv(65_536)):
            came += part
    assert came.endswith(FILE), len(came)


def stalled(port: int) -> socket.socket:
    """Ask for much, and read no more than the first of it."""
    line, came = unread(port, room=65_536), 0
    while came < 4_000_000:
        came += len(line.recv(25_000))
        time.sleep(0.003)
    time.sleep(0.3)
    return line


def test_those_that_have_read_much_and_then_nothing_do_not_keep_others_out(reading, monkeypatch):
    monkeypatch.setattr(connections, "UNREAD", 2)
    came, others = bytearray(), [stalled(reading), stalled(reading)]
    with unread(reading, "/file", 65_536) as line, contextlib.suppress(ConnectionResetError):
        while not came.endswith(FILE) and (part := line.recv(25_000)):
            came += part
            time.sleep(0.003)
    assert came.endswith(FILE), len(came)
    rest = len(PIECE) * MUCH - 4_100_000
    assert [whole(one) >= rest for one in others] == [False, True], "the oldest made room"
    for one in others:
        one.close()


def test_whoever_has_read_much_is_given_up_first_once_they_wait_too_long(reading, monkeypatch):
    monkeypatch.setattr(connections, "UNREAD", 2)
    monkeypatch.setattr(connections, "READS", 2.0)
    with stalled(reading) as rests:
        time.sleep(2.5)
        with unread(reading) as line:
            time.sleep(0.3)
            with unread(reading):
                time.sleep(0.3)
                assert whole(line) >= len(PIECE) * MUCH
        assert whole(rests) < len(PIECE) * MUCH - 4_100_000


def test_of_many_that_wait_whoever_has_read_much_is_given_up_last(reading, monkeypatch):
    monkeypatch.setattr(connections, "UNREAD", 2)
    with unread(reading, "/file", 65_536) as line:
        came = bytearray()
        while len(came) < 4_000_000:
            came += line.recv(25_000)
            time.sleep(0.003)
        others = []
        for _ in range(2):
            others.append(unread(reading))
            time.sleep(0.3)
        while not came.endswith(FILE) and (part := line.recv(25_000)):
            came += part
    assert came.endswith(FILE), len(came)
    assert [whole(one) >= len(PIECE) * MUCH for one in others] == [False, True]
    for one in others:
        one.close()


@pytest.mark.parametrize(
    ("said", "answers"),
    [(b"", 0), (ASKED[:20], 0), (ASKED, 1), (ASKED + ASKED[:20], 1), (SLOW, 1)],
    ids=["nothing", "half", "and then nothing", "and then half", "slowly answered"],
)
def test_a_connection_ends_on_which_nothing_is_asked_any_more(port, said, answers):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(said)
        heard = b""
        while part := line.recv(4096):
            heard += part
    assert heard.count(b"answered") == answers


@pytest.fixture
def bounded(port, monkeypatch):
    """The same server, which reads requests within bounds."""
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    connections.read_requests_within_bounds()
    connections.read_requests_within_bounds()  # Once is enough.
    return port


def fields(count: int) -> bytes:
    """Return a request with so many lines."""
    return b"\r\n".join([b"GET / HTTP/1.1", b"Host: here", *[b"a:"] * (count - 2), b"", b""])


LONG = fields(connections.LINES + 2)
BODY = b"POST / HTTP/1.1\r\nHost: here\r\n"


@pytest.mark.parametrize(
    ("said", "answers", "refused"),
    [
        (fields(connections.LINES), 1, False),
        (fields(connections.LINES) * 3, 3, False),
        (LONG, 0, True),
        (ASKED + LONG, 1, True),
        (ASKED + LONG.replace(b"\r", b""), 1, True),
        (BODY + b"Content-Length: 600\r\n\r\n" + b"\n" * 600, 1, False),
        (BODY + b"TRANSFER-encoding: chunked\r\n\r\n0\r\n\r\n", 0, True),
        (b"CONNECT /sign-in HTTP/1.1\r\nHost: here\r\n\r\n", 0, True),
    ],
    ids=["many", "again", "too many", "later", "other ends", "a body", "chunks", "a proxy's"],
)
def test_a_request_has_so_many_lines_and_its_body_a_length(bounded, said, answers, refused):
    with socket.create_connection(("127.0.0.1", bounded), timeout=30) as line:
        line.sendall(said)
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while part := line.recv(4096):
                heard += part
    assert (heard.count(b"answered"), b" 400 " in heard) == (answers, refused)


def test_a_websocket_is_left_alone(port):
    with connect(f"ws://127.0.0.1:{port}/") as line:
        time.sleep(5 * PATIENCE)
        line.send("still there?")
        assert line.recv(30) == "heard"


@pytest.mark.parametrize(
    ("at_first", "most", "then"),
    [(256, 4_096, 4_096), (256, 70_000, 65_536), (4_096, 4_096, 4_096)],
)
def test_a_server_has_as_many_files_open_as_the_system_allows(at_first, most, then):
    if most > resource.getrlimit(resource.RLIMIT_NOFILE)[1]:
        pytest.skip("this system allows fewer")
    script = f"""
import resource
from components.shell.connections import allow_many_connections
resource.setrlimit(resource.RLIMIT_NOFILE, ({at_first}, {most}))
allow_many_connections()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert ended.stdout.split() == [str(then)]


def test_a_handshake_that_cannot_be_read_is_not_kept(port):
    head = (
        "GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: a={'a' * 9_000}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(head.encode())
        assert line.recv(4096) == b""


def test_by_tls_a_little_is_read_at_once_and_who_does_not_greet_is_left(tmp_path, monkeypatch):
    for place, name in ((sslproto.SSLProtocol, "max_size"), (constants, "SSL_HANDSHAKE_TIMEOUT")):
        monkeypatch.setattr(place, name, getattr(place, name))
    connections.bound_tls()
    file, pieces = certificate_for("here.example", tmp_path), list[int]()

    class Hears(asyncio.Protocol):
        def data_received(self, data):
            pieces.append(len(data))

    async def talk():
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(file)
        server = await asyncio.get_running_loop().create_server(Hears, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        known = ssl.create_default_context(cafile=str(file))
        _, line = await asyncio.open_connection(
            "127.0.0.1", port, ssl=known, server_hostname="here.example"
        )
        line.write(bytes(400_000))
        async with asyncio.timeout(60):
            while sum(pieces) < 400_000:
                await asyncio.sleep(0.01)
        line.close()
        monkeypatch.setattr(connections, "PATIENCE", PATIENCE)
        connections.bound_tls()
        silent, _ = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.timeout(30):
            assert await silent.read() == b""
        server.close()

    asyncio.run(talk())
    # A record that came in two halves is read with the next.
    assert max(pieces) <= 2 * connections.AT_ONCE


class Peer:
    """A transport of somebody at an address."""

    def __init__(self, address: str) -> None:
        self.address, self.aborted = address, False

    def get_extra_info(self, _name: str) -> tuple[str, int]:
        return self.address, 50_000

    def abort(self) -> None:
        self.aborted = True


def greeting(unasked, address: str, cycle: object = None) -> Peer:
    peer = Peer(address)
    unasked.come(Hashed(SimpleNamespace(cycle=cycle)), peer)
    return peer


class Hashed:
    """A connection by https with what speaks on it."""

    def __init__(self, app: object) -> None:
        self._app_protocol = app


def test_of_connections_on_which_nothing_was_asked_the_oldest_of_a_network_ends(monkeypatch):
    monkeypatch.setattr(connections, "UNASKED", 3)
    monkeypatch.setattr(connections, "UNASKED_IN_ALL", 5)
    unasked = connections.SilentConnections()
    asked = greeting(unasked, "192.0.2.1", cycle=object())
    mine = [greeting(unasked, "192.0.2.1") for _ in range(4)]
    assert [one.aborted for one in (asked, *mine)] == [False, True, False, False, False]
    nobody = Hashed(SimpleNamespace(cycle=None))
    unasked.come(nobody, Peer(""))
    unasked.go(nobody)
    assert "" not in unasked._networks
    others = [greeting(unasked, f"198.51.100.{n}") for n in range(3)]
    assert not any(one.aborted for one in others)
    assert [one.aborted for one in mine] == [True, True, False, False], "of whom most are there"
