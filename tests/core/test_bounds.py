"""A server that is asked, whoever runs it, fills no memory, keeps nobody and leads nowhere else."""

import gzip
import threading
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from types import SimpleNamespace

import httpx
import pytest

from core.bounds import LINE_END, REFUSAL, NoAnswer, Pace, bounds, watch, within
from core.errors import ModelFailed, SourceFailed
from core.literature.port import Query
from core.literature.semantic_scholar import SemanticScholarSource
from core.models import providers
from core.models.langchain import ChatModel
from core.models.reach import reachable, what_is_wrong
from core.settings import Settings
from core.store import Store
from tests.support.model_kit import Listener, asked
from tests.support.waiting import SOON, until

ZEROS = bytes(3_000_000)
TWICE = gzip.compress(gzip.compress(ZEROS))
Answer = Callable[[BaseHTTPRequestHandler], None]


def packed(data: bytes, coding: str, status: int = 200) -> Answer:
    def answer(here: BaseHTTPRequestHandler) -> None:
        here.send_response(status)
        here.send_header("Content-Type", "text/event-stream")
        here.send_header("Content-Encoding", coding)
        here.send_header("Content-Length", str(len(data)))
        here.end_headers()
        here.wfile.write(data)

    return answer


def endless(piece: bytes, wait: threading.Event, every: float = 0.0) -> Answer:
    """Send pieces until the other side hangs up, or the test is over."""

    def answer(here: BaseHTTPRequestHandler) -> None:
        here.send_response(200)
        here.send_header("Content-Type", "text/event-stream")
        here.end_headers()
        while not wait.wait(every):
            here.wfile.write(piece)

    return answer


def moved(to: str) -> Answer:
    def answer(here: BaseHTTPRequestHandler) -> None:
        here.send_response(308)
        here.send_header("Location", to)
        here.send_header("Content-Length", "0")
        here.end_headers()

    return answer


@pytest.fixture
def serving():
    """Start servers that give one answer to everything; each knows what it was asked."""
    servers = []
    over = threading.Event()

    def start(answer: Answer) -> str:
        class Hostile(BaseHTTPRequestHandler):
            def do_GET(self):
                self.server.asked.append(self.path)
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                try:
                    answer(self)
                except OSError:
                    self.close_connection = True

            do_POST = do_GET

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
        server.daemon_threads, server.asked = True, []
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    start.over, start.servers = over, servers
    yield start
    over.set()
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("coding", "data"),
    [("gzip", gzip.compress(ZEROS)), ("gzip, gzip", TWICE), ("deflate", zlib.compress(ZEROS))],
    ids=["once", "twice", "deflate"],
)
def test_what_was_not_to_be_packed_is_not_unpacked(serving, coding, data):
    with (
        httpx.Client(event_hooks=bounds(10_000)) as client,
        pytest.raises(NoAnswer, match="which was not asked for"),
    ):
        client.get(serving(packed(data, coding)))


def test_one_packing_that_was_asked_for_is_unpacked_and_no_second():
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept-encoding"] == "gzip"
        coding = request.url.path.removeprefix("/")
        return httpx.Response(200, headers={"content-encoding": coding}, content=TWICE)

    within = bounds(10_000, packed="gzip")
    with httpx.Client(event_hooks=within, transport=httpx.MockTransport(answer)) as client:
        assert gzip.decompress(client.get("http://a.example/gzip").content) == ZEROS
        with pytest.raises(NoAnswer, match="gzip, gzip"):
            client.get("http://a.example/gzip, gzip")


@pytest.mark.parametrize(
    ("within", "piece", "every", "sentence"),
    [
        (bounds(50_000), b"line\n" * 100, 0.0, "past 50,000 bytes"),
        (bounds(5_000_000, line=2_000), b"x" * 100, 0.0, "a line of it went on past 2,000"),
        (bounds(5_000_000, event=2_000), b"data: x\n", 0.0, "an event of it went on past 2,000"),
    ],
    ids=["whole", "line", "event"],
)
def test_what_has_no_end_is_left(serving, within, piece, every, sentence):
    with httpx.Client(event_hooks=within) as client, pytest.raises(NoAnswer, match=sentence):
        client.get(serving(endless(piece, serving.over, every)))


def headless(piece: bytes, wait: threading.Event, every: float = 0.0) -> Answer:
    """Send no head, but pieces of one without end."""

    def answer(here: BaseHTTPRequestHandler) -> None:
        here.wfile.write(b"HTTP/1.1 ")
        while not wait.wait(every):
            here.wfile.write(piece)

    return answer


HEADS = {
    "for ever continued": (b"100 Continue\r\n\r\nHTTP/1.1 ", 0.0),
    "for ever continued, slowly": (b"100 Continue\r\n\r\nHTTP/1.1 ", 0.05),
    "letter by letter": (b"2", 0.05),
}


@pytest.mark.parametrize("kind", HEADS)
def test_a_head_without_end_is_left_in_time(serving, kind):
    piece, every = HEADS[kind]
    with (
        watch(httpx.Client(timeout=1.0), within(0.3)) as client,
        pytest.raises((httpx.ReadTimeout, httpx.RemoteProtocolError)),
    ):
        client.get(serving(headless(piece, serving.over, every)))


def test_a_body_that_trickles_is_left_in_time(serving):
    with (
        watch(httpx.Client(timeout=1.0), within(0.3)) as client,
        pytest.raises(httpx.ReadTimeout),
    ):
        client.get(serving(endless(b"x", serving.over, 0.02)))


def test_the_next_answer_of_a_connection_has_its_own_time(serving):
    url = serving(packed(b"1", "identity"))
    with watch(httpx.Client(timeout=1.0), within(0.3)) as client:
        for _ in range(3):
            assert client.get(url).text == "1"
            serving.over.wait(0.2)


@pytest.mark.parametrize("provider", ["openai", "ollama"])
@pytest.mark.parametrize("kind", HEADS)
def test_a_call_that_was_given_up_is_read_no_further(serving, tmp_path, provider, kind):
    piece, every = HEADS[kind]
    url = serving(headless(piece, serving.over, every))
    given = {"patience": 0.1, "call_timeout": 0.5, "read_timeout": 1.0, f"{provider}_url": url}
    with pytest.raises(ModelFailed):
        ChatModel(provider, "m", Settings(**given), Store(tmp_path)).reply(asked(), Listener())
    until(lambda: not [one for one in threading.enumerate() if one.name == "model-answer"])


@pytest.mark.parametrize("end", ["\n\n", "\r\r", "\r\n\r\n"])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_events_within_bounds_are_read_to_the_end(end, size):
    text = (f"data: {'x' * 80}{end}" * 20).encode()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=iter(pieces)))
    with httpx.Client(event_hooks=bounds(5_000, event=92), transport=transport) as client:
        assert client.get("http://a.example").content == text


@pytest.mark.parametrize("piece", [b"x" * 700, b"x" * 100_000])
@pytest.mark.parametrize("status", [300, 400, 503])
def test_of_a_refusal_the_beginning_is_read(piece, status):
    sent = iter([piece] * 2_000)
    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=sent))
    with httpx.Client(event_hooks=bounds(5_000_000), transport=transport) as client:
        assert client.get("http://a.example").content == b"x" * REFUSAL
    assert next(sent), "not read to its end"


@pytest.fixture
def rested(monkeypatch) -> list[float]:
    """How long somebody waited, while time stands still for `core.bounds`; what else is at work in
    this process keeps its own.
    """
    seconds: list[float] = []
    stands = SimpleNamespace(monotonic=lambda: 0.0, sleep=seconds.append)
    monkeypatch.setattr("core.bounds.time", stands)
    return seconds


def read_at(pace: Pace, *pieces: bytes) -> bytes:
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=iter(pieces)))
    with httpx.Client(event_hooks=bounds(99_999, pace=pace), transport=transport) as client:
        return client.get("http://a.example").content


def test_answers_that_share_a_pace_come_no_faster_together(rested):
    pace = Pace(1_000, usual=9_999)
    for _ in range(2):
        assert read_at(pace, *[b"x" * 1_000] * 5) == b"x" * 5_000
    assert rested == [1, 2, 3, 4, 5, 6, 7, 8], "nobody waited as long as time stood still"


def test_every_line_has_its_price(rested):
    text = b"x" * 850 + b"\n" + b"\r\n" * 2_000
    assert read_at(Pace(1_000, usual=9_999_999), text, b"y") == text + b"y"
    assert rested[-1] == pytest.approx((len(text) + 1 + 4_001 * LINE_END - 2_000) / 1_000)
    assert max(later - earlier for earlier, later in pairwise(rested)) < 160, "a little at a time"


def test_an_answer_that_floods_makes_no_other_one_late(rested):
    pace = Pace(1_000, usual=200)
    read_at(pace, *[b"x" * 1_000] * 50)
    assert rested[-1] > 90, "half as fast as all others together"
    rested.clear()
    assert read_at(pace, b"x" * 800) == b"x" * 800
    assert not rested


def test_lines_within_bounds_are_read_to_the_end():
    text = b"".join(b"x" * n + b"\n" for n in range(100)) + b"y" * 99
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=iter(pieces)))
    within = bounds(len(text), line=100)
    with httpx.Client(event_hooks=within, transport=transport) as client:
        assert client.get("http://a.example").content == text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["another host", "another port"])
def test_no_server_leads_to_another(serving, host):
    inner = serving(packed(b"", "identity"))
    port = inner.rpartition(":")[2]
    with (
        httpx.Client(event_hooks=bounds(1_000), follow_redirects=True) as client,
        pytest.raises(NoAnswer, match=f"it leads elsewhere, to '{host}'"),
    ):
        client.post(serving(moved(f"http://{host}:{port}/secret")), json={})
    assert serving.servers[0].asked == []


def test_a_server_leads_to_itself(serving):
    def answer(here: BaseHTTPRequestHandler) -> None:
        (moved("/v1/there") if here.path == "/here" else packed(b"", "identity"))(here)

    url = serving(answer)
    with httpx.Client(event_hooks=bounds(1_000), follow_redirects=True) as client:
        assert client.post(f"{url}/here", json={}).status_code == 200
    assert serving.servers[0].asked == ["/here", "/v1/there"]


HOSTILE = {
    "packed": lambda over: packed(gzip.compress(ZEROS), "gzip"),
    "packed twice": lambda over: packed(TWICE, "gzip, gzip"),
    "a packed refusal": lambda over: packed(TWICE, "gzip, gzip", 400),
    "a line without end": lambda over: endless(b"data: " + b"x" * 60_000, over),
    "lines without end": lambda over: endless(b": nothing\n" * 6_000, over),
    "another host": lambda over: moved("http://localhost:1/"),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_no_model_is_read_past_its_bounds(serving, monkeypatch, tmp_path, provider, kind):
    monkeypatch.setattr(providers, "LARGEST", 2_000_000)
    monkeypatch.setattr(providers, "LONGEST_LINE", 500_000)
    providers._client.cache_clear()
    url = serving(HOSTILE[kind](serving.over))
    settings = Settings(patience=1, **{f"{provider}_url": url})
    model = ChatModel(provider, "m", settings, Store(tmp_path))
    try:
        with pytest.raises(ModelFailed, match="no answer of a model"):
            model.reply(asked(), Listener())
    finally:
        providers._client.cache_clear()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_list_of_models_is_read_within_its_bounds(serving, kind):
    url = serving(HOSTILE[kind](serving.over))
    asked_for = Settings(openai_url=url, ollama_url=url)
    assert [one.provider for one in reachable(asked_for)] == ["builtin"]
    assert what_is_wrong(asked_for)


def test_names_of_models_can_be_printed(serving):
    url = serving(packed(b'{"data": [{"id": "a\\ud800\\nb"}]}', "identity"))
    settings = Settings(openai_url=url, ollama_url="http://127.0.0.1:1")
    (found,) = reachable(settings, patience=SOON)[1:]
    assert found.models == ("a\ufffd b",)


def test_a_list_of_models_that_lies_in_itself_too_deeply_is_none(serving):
    url = serving(packed(b'{"data":' * 100_000, "identity"))
    settings = Settings(openai_url=url, ollama_url=url)
    assert [one.provider for one in reachable(settings, SOON)] == ["builtin"]
    assert "is no server of models" in what_is_wrong(settings, patience=SOON)


@pytest.mark.parametrize("kind", ["packed twice", "another host"])
def test_no_source_is_read_past_its_bounds(serving, tmp_path, kind):
    url = serving(HOSTILE[kind](serving.over))
    settings = Settings(semantic_scholar_url=url, patience=1)
    with pytest.raises(SourceFailed, match="sent what is no answer of a service"):
        SemanticScholarSource(settings, Store(tmp_path).library).search(Query(text="sleep"))


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_what_a_server_wants_kept_is_not_sent_on(serving, tmp_path, provider):
    said = []

    def answer(here: BaseHTTPRequestHandler) -> None:
        said.append(here.headers.get("Cookie"))
        here.send_response(400)
        here.send_header("Set-Cookie", f"a{len(said)}=b; Path=/")
        here.send_header("Content-Length", "0")
        here.end_headers()

    given = {"patience": 0.1, f"{provider}_url": serving(answer)}
    for _ in range(2):
        with pytest.raises(ModelFailed):
            ChatModel(provider, "m", Settings(**given), Store(tmp_path)).reply(asked(), Listener())
    assert len(said) > 1
    assert set(said) == {None}
