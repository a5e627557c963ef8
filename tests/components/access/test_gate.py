"""The gate: what the server answers without a sign-in, and what it passes on."""

import asyncio
import subprocess
import sys
import time

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.access import gate, lanes, log_in
from components.access.admissions import MOST, Admissions
from components.access.cookies import MOST as MOST_COOKIES
from components.access.entrance import COOKIE
from components.shell import services
from core import bounds
from core.errors import BadInput
from tests.support.browser import ROOT
from tests.support.gate_kit import PASSWORD, anybody, say, sign_in, wish
from tests.support.ports import free_port

PRIVATE = (
    "/",
    "/chains?run=abc",
    "/settings",
    "/no-such-page",
    "/annotate/more",
    "/index.html",
    "/_stcore/agent/interact",
    "/_stcore/agent/openapi.json",
    "/_stcore/metrics",
    "/_stcore/upload_file/s/f",
    "/_stcore/script-health-check",
    "/app/static/x",
    "/oauth2callback",
    "//evil.example",
)
NEEDED = (
    "/annotate",
    "/annotate?seat=abc",
    "/static/js/index.js",
    "/media/abc.png",
    "/component/x/index.html",
    "/_stcore/bidi-components/x.js",
    "/favicon.png",
    "/_stcore/health",
    "/_stcore/host-config",
    "/annotate/_stcore/health",
)


def test_without_a_password_this_machine_is_served(serving):
    for url in (
        "http://127.0.0.1:8501",
        "http://localhost:8501",
        "http://[::1]:8501",
        "http://localhost",
    ):
        assert serving(url=url).get("/chains").text == "inside"
    with serving().websocket_connect("ws://127.0.0.1:8501/_stcore/stream") as tab:
        say(tab, wish())


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http://192.168.1.4:8501", {}),
        ("http://0.0.0.0:8501", {}),
        ("http://192.168.1.4:8501", {"host": "127.0.0.1:8501"}),
        ("http://127.0.0.1:8501", {"host": "rebound.example"}),
        ("http://127.0.0.1:8501", {"host": "127.0.0.1.rebound.example:8501"}),
        *(
            ("http://127.0.0.1:8501", {"host": host})
            for host in (
                *("", ":8501", "localhost:evil.example", "localhost:8501, evil.example"),
                *("127.0.0.1%evil.example", "[::1%evil.example]:80", "127.0.0.1:8501:evil"),
                *("evil.example:127.0.0.1", "[127.0.0.1", "[::1]evil", "localhost ", "[localhost]"),
            )
        ),
        ("http://127.0.0.1:8501", {"via": "1.1 proxy"}),
        ("http://127.0.0.1:8501", {"client-ip": "203.0.113.1"}),
        ("http://127.0.0.1:8501", {"cf-connecting-ip": "203.0.113.1"}),
        ("http://127.0.0.1:8501", {"x-forwarded-proto": "https"}),
        ("http://127.0.0.1:8501", {"x-forwarded-for": "203.0.113.1"}),
        ("http://127.0.0.1:8501", {"forwarded": "for=x"}),
    ],
)
def test_without_a_password_every_other_address_is_refused_and_told_why(
    serving, inside, url, headers
):
    client = serving(url=url)
    for path in ("/", "/annotate", "/_stcore/health", "/static/x.js", "/sign-in"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 403
        assert "FOUNDRY_PASSWORD" in answer.text
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(url.replace("http", "ws") + "/_stcore/stream", headers=headers),
    ):
        pass
    assert inside.sockets == []


@pytest.mark.parametrize(
    ("address", "environ", "starts"),
    [
        ("127.0.0.1", {}, True),
        ("localhost", {}, True),
        ("0.0.0.0", {}, False),
        ("", {}, False),
        (None, {}, False),
        ("192.168.1.4", {}, False),
        ("::", {}, False),
        ("0.0.0.0", {"PASSWORD": PASSWORD}, True),
        (None, {"PASSWORD": PASSWORD}, True),
    ],
)
def test_the_server_starts_for_others_only_with_a_password(
    serving, inside, monkeypatch, address, environ, starts
):
    option = gate.config.get_option
    monkeypatch.setattr(
        gate.config,
        "get_option",
        lambda name: address if name == "server.address" else option(name),
    )
    assert failure(serving(**environ)) == ("" if starts else gate.ONLY_HERE)
    assert inside.started is starts


def test_the_server_does_not_start_with_two_ways_to_sign_in_or_with_bad_settings(
    serving, inside, monkeypatch
):
    assert "Two ways to sign in" in failure(serving(login=True, PASSWORD=PASSWORD))

    def refuse():
        raise BadInput("FOUNDRY_PASSWORD is not usable.")

    monkeypatch.setattr(services, "workshop", refuse)
    assert "not usable" in failure(TestClient(gate.Gate(inside)))
    assert not inside.started


def test_the_server_does_not_start_with_a_secret_that_can_be_found_out(serving):
    client = serving(login=True)
    assert failure(client) == ""
    gate.st.secrets["auth"] = {"cookie_secret": "xxx"}
    assert failure(client) == gate.GUESSED
    gate.st.secrets["auth"] = {}
    assert failure(client) == gate.GUESSED


@pytest.mark.parametrize("lock", [{"login": True}, {"PASSWORD": PASSWORD}])
def test_with_a_lock_the_server_does_not_start_below_a_path(serving, monkeypatch, lock):
    client, option = serving(**lock), gate.config.get_option
    monkeypatch.setattr(
        gate.config,
        "get_option",
        lambda name: "/foundry" if name == "server.baseUrlPath" else option(name),
    )
    assert failure(client) == gate.BELOW


def failure(client: TestClient) -> str:
    """Return what the server is told to say as it gives up, or an empty text where it starts."""
    said: list[dict] = []

    async def begin() -> None:
        messages = iter(["lifespan.startup", "lifespan.shutdown"])

        async def receive() -> dict:
            return {"type": next(messages)}

        async def send(message: dict) -> None:
            said.append(message)

        await client.app({"type": "lifespan"}, receive, send)

    import anyio

    anyio.run(begin)
    return said[0].get("message", "")


def test_a_real_server_for_all_addresses_gives_up_with_a_sentence(tmp_path):
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.address",
        "0.0.0.0",
        "--server.port",
        str(free_port()),
    ]
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
            "FOUNDRY_DATA": str(tmp_path / "data"),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert gate.ONLY_HERE in ended.stderr
    assert "Traceback" not in ended.stderr


def test_with_a_password_only_what_a_seat_needs_is_open(serving):
    client = serving(PASSWORD=PASSWORD, url="http://foundry.lab.example")
    assert [path for path in NEEDED if client.get(path).text != "inside"] == []
    for path in PRIVATE:
        answer = client.get(path)
        assert "inside" not in answer.text
        assert answer.status_code in (303, 403), path
        assert client.put(path, content=b"x").status_code == client.post(path).status_code == 403
    assert sign_in(client).status_code == 303
    assert [path for path in PRIVATE if client.get(path).text != "inside"] == []
    assert client.put("/_stcore/upload_file/s/f", content=b"x").text == "inside"


def test_a_download_is_asked_for_whole_and_kept_by_nobody(serving, inside):
    """Of a part, Streamlit makes a copy for each request (components/access/gate.py)."""
    client = serving(PASSWORD=PASSWORD, url="http://foundry.lab.example")
    part = {"Range": "bytes=1-"}
    answer = client.get("/media/abc.csv", headers=part)
    assert answer.headers["cache-control"] == "no-store"
    assert "range" not in inside.headers
    client.get("/static/js/index.js", headers=part)
    assert inside.headers["range"] == "bytes=1-"


def test_what_is_asked_first_is_read_and_nothing_is_put_there(serving):
    client = serving(PASSWORD=PASSWORD)
    for path in ("/_stcore/health", "/_stcore/upload_file/_stcore/health"):
        assert client.get(path).text == "inside"
        assert client.put(path, content=b"x").status_code == 403


def test_what_a_tab_sends_after_its_sign_in_ended_only_draws_the_page_anew(
    serving, inside, monkeypatch
):
    known = Admissions()
    monkeypatch.setattr(gate, "admissions", known)
    good = True
    with serving(PASSWORD=PASSWORD).websocket_connect(
        "/_stcore/stream", headers={"x-foundry-socket": "forged"}
    ) as tab:
        say(tab, wish(fragment_id="progress"))
        known.note(inside.sockets[-1], "session-1", lambda: good, anybody)
        say(tab, wish(fragment_id="progress"))
        good = False
        say(tab, wish(fragment_id="progress"))
        tab.send_bytes(BackMsg(clear_cache=True).SerializeToString())
        say(tab, wish(page_script_hash="here"))
    assert "forged" not in inside.sockets
    heard = [BackMsg.FromString(one).rerun_script for one in inside.heard]
    assert [one.fragment_id for one in heard] == ["progress", "progress", "", ""]
    assert [len(one.widget_states.widgets) for one in heard] == [1, 1, 0, 0]
    assert (heard[-1].query_string, heard[-1].page_script_hash) == ("run=abc", "here")


def test_a_tab_that_comes_back_goes_on_with_what_its_session_may(serving, inside, monkeypatch):
    known = Admissions()
    monkeypatch.setattr(gate, "admissions", known)
    known.note("", "organiser", lambda: False, anybody)
    for session, passed in (("organiser", 0), ("a-seat", 1)):
        with serving(PASSWORD=PASSWORD).websocket_connect(
            "/_stcore/stream", subprotocols=["streamlit", "xsrf", session]
        ) as tab:
            say(tab, wish())
        assert (
            len(BackMsg.FromString(inside.heard[-1]).rerun_script.widget_states.widgets) == passed
        )


def test_a_session_is_gone_on_with_by_its_own_browser_only(serving, inside, monkeypatch):
    """Its name stands in addresses of uploads, and so in a proxy's log."""
    known = Admissions()
    monkeypatch.setattr(gate, "admissions", known)
    client = serving(PASSWORD=PASSWORD)
    known.note("", "theirs", lambda: True, lambda cookies: cookies.get("login") == "ada")
    for cookies in ({}, {"login": "eve"}, {"login": "ada"}):
        client.cookies = cookies
        with client.websocket_connect(
            "/_stcore/stream", subprotocols=["streamlit", "xsrf", "theirs"]
        ):
            pass
    assert [one.replace(" ", "") for one in inside.protocols] == [
        "streamlit,xsrf",
        "streamlit,xsrf",
        "streamlit,xsrf,theirs",
    ]


def test_cookies_that_take_long_to_read_are_passed_over(serving, inside):
    client = serving(PASSWORD=PASSWORD)
    ticket = sign_in(client).cookies[COOKIE]
    client.cookies.clear()
    escaped = 'other="' + "\\a" * 30_000 + '"'
    began = time.process_time()
    for cookies in (f"{escaped}; {COOKIE}={ticket}", f"{COOKIE}={ticket};{escaped}"):
        assert client.get("/chains", headers={"cookie": cookies}).text == "inside"
    assert client.get("/chains", headers={"cookie": escaped}).status_code == 303
    with client.websocket_connect("/_stcore/stream", headers={"cookie": escaped}) as tab:
        say(tab, wish())
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("origin", "password"),
    [
        ("http://evil.example", PASSWORD),
        ("http://evil.example", ""),
        ("http://localhost:9999", ""),
        ("http://127.0.0.1:9999", ""),
        ("http://0.0.0.0", ""),
        ("null", ""),
        ("http://[bad", ""),
    ],
)
def test_a_page_of_another_site_gets_no_connection(serving, inside, origin, password):
    client = serving(PASSWORD=password, client="127.0.0.1")
    stream = "ws://127.0.0.1:8501/_stcore/stream"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(stream, headers={"origin": origin}),
    ):
        pass
    assert not inside.heard
    with client.websocket_connect(stream, headers={"origin": "http://127.0.0.1:8501"}) as tab:
        say(tab, wish())


def test_a_page_over_plain_http_is_another_site_where_this_one_is_served_by_https(serving, inside):
    client = serving(PASSWORD=PASSWORD, url="https://lab.example")
    assert sign_in(client, origin="http://lab.example").status_code == 403
    stream = "wss://lab.example/_stcore/stream"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(stream, headers={"origin": "http://lab.example"}),
    ):
        pass
    assert sign_in(client, origin="https://lab.example").status_code == 303
    with client.websocket_connect(stream, headers={"origin": "https://lab.example"}) as tab:
        say(tab, wish())
    assert len(inside.heard) == 1


def test_a_login_service_is_asked_for_now_and_then_only(serving, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(bounds.time, "monotonic", lambda: now[0])
    app = serving(login=True)

    def asked(path: str, address: str = "192.0.2.9") -> int:
        client = TestClient(app.app, base_url=str(app.base_url), client=(address, 50_000))
        return client.get(path).status_code

    paths = ["/auth/login?provider=x", "/oauth2callback?code=x"] * 20
    at_once = int(log_in.AT_ONCE)
    assert [asked(path) for path in paths] == [200] * at_once + [429] * (40 - at_once)
    assert asked("/chains") == 200, "nothing else"
    assert asked("/auth/login", "198.51.100.1") == 200, "and nobody else"
    now[0] += 1 / log_in.A_SECOND
    assert [asked("/auth/login") for _ in range(2)] == [200, 429]
    now[0] += 60
    assert asked("/nothing/auth/login", "192.0.2.77") == 200, "is no way to a login service"
    house = [asked("/auth/login", f"2001:db8:7:{n:x}::1") for n in range(40)]
    assert house.count(200) == at_once, "one organisation's"


def test_those_who_ask_for_the_login_service_all_the_time_keep_nobody_out(monkeypatch):
    monkeypatch.setattr(log_in, "OF_ALL", (50.0, 1.0))
    monkeypatch.setattr(log_in, "A_SECOND", 1e6)

    async def play() -> list[bool]:
        asked = log_in.LogIns()

        async def ask_on(address: str) -> None:
            while True:
                await asked.have_their_turn("/oauth2callback", address)
                await asyncio.sleep(0)

        # Before that, they are as new as whoever comes now: then it is chance that says who goes.
        for n in range(lanes.FEW * 60):
            asked._lane._note(f"203.0.113.{n % 60}")
        strangers = [asyncio.create_task(ask_on(f"203.0.113.{n}")) for n in range(60)]
        async with asyncio.timeout(60):
            while len(asked._by_network) < 60 or asked._lane.waiting() < log_in.MANY:
                await asyncio.sleep(0.01)
            came = [
                await asked.have_their_turn(path, "192.0.2.77")
                for path in ("/auth/login", "/oauth2callback")
            ]
        for one in strangers:
            one.cancel()
        await asyncio.gather(*strangers, return_exceptions=True)
        return came

    assert asyncio.run(play()) == [True, True]


@pytest.mark.parametrize(
    ("query", "status"),
    [("&" * 59, 303), ("&" * 60, 414), ("a=" + "b" * 7_998, 303), ("a=" + "b" * 7_999, 414)],
)
def test_an_address_too_long_is_not_taken_apart(serving, query, status):
    client = serving(PASSWORD=PASSWORD)
    for path in ("/chains", "/annotate"):
        wanted = status if path == "/chains" or status == 414 else 200
        assert client.get(f"{path}?{query}").status_code == wanted


def test_of_more_cookies_than_a_browser_keeps_none_is_read(serving):
    client = serving(PASSWORD=PASSWORD)
    ticket = f"{COOKIE}={sign_in(client).cookies[COOKIE]}"
    client.cookies.clear()
    for others, status in ((MOST_COOKIES - 1, 200), (MOST_COOKIES, 303)):
        said = "; ".join([*(f"a{n}=b" for n in range(others)), ticket])
        assert client.get("/chains", headers={"cookie": said}).status_code == status


@pytest.mark.parametrize("password", [PASSWORD, ""])
def test_what_is_no_message_of_a_browser_goes_no_further(serving, inside, password):
    client = serving(PASSWORD=password, client="127.0.0.1")
    with client.websocket_connect("ws://127.0.0.1:8501/_stcore/stream") as tab:
        tab.send_text("{}")
        tab.send_bytes(b"")
        tab.send_bytes(b"\xff\xff\xff")
        tab.send_json({"type": "rerun"})
        say(tab, wish())
    assert len(inside.heard) == 1
    assert BackMsg.FromString(inside.heard[0]).HasField("rerun_script")


@pytest.mark.parametrize(
    ("value", "passes"),
    [
        ({"json_value": "{"}, False),
        ({"json_value": "[" * 30_000}, False),
        ({"json_trigger_value": "x"}, False),
        ({"bytes_value": b"x"}, False),
        ({"json_value": '{"pressed": [1, "k"]}'}, True),
        ({"string_value": "{ half typed"}, True),
    ],
    ids=str,
)
def test_what_a_page_would_fail_at_is_not_handed_on_from_strangers(serving, inside, value, passes):
    with serving(PASSWORD=PASSWORD).websocket_connect("/_stcore/stream") as tab:
        say(tab, wish())
        said = BackMsg()
        said.rerun_script.widget_states.widgets.add(id="seat", **value)
        tab.send_bytes(said.SerializeToString())
        say(tab, wish())
    assert (said.SerializeToString() in inside.heard) is passes


def test_who_sends_again_and_again_what_no_browser_does_is_left(serving, inside):
    client = serving(PASSWORD=PASSWORD)
    with client.websocket_connect("/_stcore/stream") as tab:
        for _ in range(gate.UNREADABLE):
            tab.send_bytes(b"")
        say(tab, wish())
        assert len(inside.heard) == 1
        tab.send_bytes(b"")
        tab.send_bytes(wish())
    assert len(inside.heard) == 1


def test_only_so_many_sessions_are_remembered_and_open_ones_among_them():
    known = Admissions()
    known.open("socket", "")
    known.note("socket", "first", lambda: False, anybody)
    for n in range(MOST + 50):
        known.note("", f"session-{n}", lambda: True, anybody)
    assert known.over("socket")
    assert len(known._sessions) == MOST
    known.close("socket")
    assert not known.over("socket")


def test_a_seat_is_its_browsers_and_lets_nobody_in(serving, inside, known):
    client = serving(PASSWORD=PASSWORD)
    known.keep("seat", lambda cookies: cookies.get("browser") == "ada's")
    for cookies in ({}, {"browser": "eve's"}, {"browser": "ada's"}):
        client.cookies = cookies
        with client.websocket_connect(
            "/_stcore/stream", subprotocols=["streamlit", "xsrf", "seat"]
        ) as tab:
            tab.send_bytes(BackMsg(clear_cache=True).SerializeToString())
            say(tab, wish())
    assert [one.count(",") for one in inside.protocols] == [1, 1, 2]
    assert len(inside.heard) == 3, "whoever is at a seat may ask no more than a stranger"


def test_with_a_login_service_the_pages_ask_and_nothing_else_is_driven(serving, known):
    client = serving(login=True, url="http://foundry.lab.example")
    known.note("", "organiser", lambda: True, lambda cookies: cookies.get("login") == "ada")
    assert [
        client.get(path).text for path in ("/chains", "/oauth2callback", "/auth/login", "/annotate")
    ] == ["inside"] * 4
    assert [
        client.get(path).status_code for path in ("/_stcore/agent/openapi.json", "/_stcore/metrics")
    ] == [403, 403]
    assert client.put("/_stcore/upload_file/organiser/f").status_code == 403, "somebody else's"
    for path in ("/%2e/static/js/x.js", "/static/%2E%2e/chains"):
        assert client.get(path).status_code == 404
    client.cookies["login"] = "ada"
    assert client.put("/_stcore/upload_file/organiser/f").text == "inside"
    assert client.put("/_stcore/upload_file/visitor/f").status_code == 403


@pytest.mark.parametrize(
    ("password", "seat", "most"),
    [
        ("", "", gate.WISH),
        (PASSWORD, "", gate.STRANGERS_WISH),
        (PASSWORD, "seat", gate.SEATS_WISH),
    ],
    ids=["this machine", "a stranger", "an expert"],
)
def test_a_message_larger_than_any_page_sends_is_not_read(
    serving, inside, known, password, seat, most
):
    client = serving(PASSWORD=password, client="127.0.0.1")
    larger = BackMsg()
    larger.rerun_script.query_string = "x" * most
    with client.websocket_connect("ws://127.0.0.1:8501/_stcore/stream") as tab:
        if seat:
            known.seat(inside.sockets[-1], seat)
        say(tab, wish(query_string="x" * (most - 1_000)))
        tab.send_bytes(larger.SerializeToString())
    assert len(inside.heard) == 1


def test_while_it_cannot_be_told_who_may_sign_in_nothing_is_answered(serving, inside, monkeypatch):
    client = serving(PASSWORD=PASSWORD)

    def untold():
        raise BadInput("Who may sign in cannot be told.")

    monkeypatch.setattr(gate, "lock", untold)
    answer = client.get("/")
    assert (answer.status_code, "cannot be told" in answer.text) == (503, True)
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]),
    ):
        pass
    assert not inside.heard
