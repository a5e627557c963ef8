"""The gate: what the server answers without a sign-in, and what it passes on."""

import asyncio
import json
import subprocess
import sys
import time
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from starlette.requests import HTTPConnection, Request
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from components.access import entrance, gate, repeats, seat_cookie, strangers
from components.access import sign_in as sign_in_page
from components.access.admissions import MOST, Admissions
from components.access.entrance import COOKIE
from components.access.sign_in import local
from components.shell import services
from core import settings
from core.door import LASTS, Door
from core.errors import BadInput
from core.store import Store
from tests.support.browser import ROOT
from tests.support.ports import free_port
from tests.support.sessions import studies_kit

PASSWORD = "a fine pass phrase"
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


class Inside:
    """What stands behind the gate: says so, and remembers what was passed on."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.sockets: list[str] = []
        self.protocols: list[str] = []
        self.started = False

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self.started = True
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"inside"})
        else:
            await self._talk(scope, receive, send)

    async def _talk(self, scope, receive, send) -> None:
        await receive()
        self.sockets += [
            value.decode() for name, value in scope["headers"] if name == b"x-foundry-socket"
        ]
        self.protocols += [
            value.decode() for name, value in scope["headers"] if name == b"sec-websocket-protocol"
        ]
        await send({"type": "websocket.accept", "subprotocol": "streamlit"})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["bytes"])
            await send({"type": "websocket.send", "bytes": b"heard"})


class Secrets(dict):
    """What is in secrets.toml."""

    def load_if_toml_exists(self) -> bool:
        return bool(self)


@pytest.fixture
def inside() -> Inside:
    return Inside()


@pytest.fixture
def serving(tmp_path, monkeypatch, inside):
    """Put up the gate under these settings; `login` as if [auth] were in secrets.toml."""

    def serving(
        login: bool = False,
        url: str = "http://127.0.0.1:8501",
        client: str = "192.0.2.9",
        **environ: str,
    ) -> TestClient:
        shop = SimpleNamespace(
            settings=settings.read({f"FOUNDRY_{name}": value for name, value in environ.items()}),
            store=Store(tmp_path / "data"),
        )
        monkeypatch.setattr(services, "workshop", lambda: shop)
        monkeypatch.setattr(entrance.st, "secrets", Secrets(auth={}) if login else Secrets())
        services.door.cache_clear()
        return TestClient(
            gate.Gate(inside), base_url=url, client=(client, 50000), follow_redirects=False
        )

    yield serving
    services.door.cache_clear()


def sign_in(client: TestClient, password: str = PASSWORD, going: str = "/chains", **headers: str):
    return client.post("/sign-in", data={"password": password, "next": going}, headers=headers)


def wish(**fields: str) -> bytes:
    message = BackMsg()
    message.rerun_script.query_string = "run=abc"
    for name, value in fields.items():
        setattr(message.rerun_script, name, value)
    message.rerun_script.widget_states.widgets.add(id="delete", trigger_value=True)
    return message.SerializeToString()


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
    monkeypatch.setattr(gate.config, "get_option", lambda name: address)
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


def test_what_is_asked_first_is_read_and_nothing_is_put_there(serving):
    client = serving(PASSWORD=PASSWORD)
    for path in ("/_stcore/health", "/_stcore/upload_file/_stcore/health"):
        assert client.get(path).text == "inside"
        assert client.put(path, content=b"x").status_code == 403


def test_signing_in_leads_to_where_one_was_going(serving):
    client = serving(PASSWORD=PASSWORD)
    sent = client.get("/refine?topic=naps+%26+memory&round=2")
    assert sent.status_code == 303
    page = client.get(sent.headers["location"])
    assert 'name="next" value="/refine?topic=naps+%26+memory&amp;round=2"' in page.text
    come_in = sign_in(client, going="/refine?topic=naps+%26+memory&round=2")
    assert (come_in.status_code, come_in.headers["location"]) == (
        303,
        "/refine?topic=naps+%26+memory&round=2",
    )
    assert client.get("/sign-in?next=/runs").headers["location"] == "/runs"


@pytest.mark.parametrize(
    "path",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/a/../../b",
        "javascript:alert(1)",
        "/x\r\nSet-Cookie: a=b",
        "",
        "x",
        "/%2f%2fevil.example",
        "/chains#x",
        "/chains?a=\n",
        "/chains?a=b c",
        "/\t/evil.example",
        "/chains?x=\\y",
        "/a//evil.example",
        "/é",
    ],
)
def test_nobody_is_sent_to_another_site(serving, path):
    assert local(path) == "/"
    assert sign_in(serving(PASSWORD=PASSWORD), going=path).headers["location"] == "/"


def test_the_ticket_is_out_of_reach_of_scripts_and_other_sites(serving):
    plain = sign_in(serving(PASSWORD=PASSWORD)).headers["set-cookie"]
    assert plain.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    assert (
        "Secure"
        in sign_in(serving(PASSWORD=PASSWORD, url="https://foundry.lab.example")).headers[
            "set-cookie"
        ]
    )


def test_the_sign_in_page_runs_nothing_and_shows_text_as_text(serving):
    page = serving(PASSWORD=PASSWORD).get(
        "/sign-in", params={"next": '/"><script>alert(1)</script>'}
    )
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"


def test_a_form_from_another_site_signs_nobody_in(serving):
    client = serving(PASSWORD=PASSWORD)
    for origin in ("https://evil.example", "null", "http://127.0.0.1:9999"):
        assert sign_in(client, origin=origin).status_code == 403
        assert COOKIE not in client.cookies
    assert sign_in(client, origin="http://127.0.0.1:8501").status_code == 303


def test_wrong_passwords_are_slowed_by_address_and_say_so(serving):
    client = serving(PASSWORD=PASSWORD)
    assert "That is not the password." in sign_in(client, "wrong password").text
    refused = sign_in(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "Wait 1 second" in refused.text
    assert COOKIE not in client.cookies
    client._transport.client = ("198.51.100.7", 50000)
    assert sign_in(client).status_code == 303


def test_a_form_too_long_is_not_read_to_its_end(serving):
    client = serving(PASSWORD=PASSWORD)
    form = {"next": "x" * 100_000, "password": PASSWORD}
    assert client.post("/sign-in", data=form).status_code == 403


def test_a_form_that_does_not_come_to_its_end_is_waited_for_a_while(monkeypatch):
    monkeypatch.setattr(sign_in_page, "PATIENCE", 0.05)
    parts = [{"type": "http.request", "body": b"password=", "more_body": True}]

    async def receive():
        return parts.pop() if parts else await asyncio.Event().wait()

    asked = Request({"type": "http", "method": "POST", "headers": []}, receive)
    assert asyncio.run(sign_in_page._form(asked)) == {}
    assert not parts


@pytest.mark.parametrize(("started", "words"), [(-LASTS - 1, "has run out"), (0, "")])
def test_a_ticket_that_ran_out_is_asked_for_again_and_says_so(serving, started, words):
    client = serving(PASSWORD=PASSWORD)
    client.cookies.set(
        COOKIE,
        Door(services.workshop().store, PASSWORD, lambda: time.time() + started).enter(
            PASSWORD, ""
        ),
    )
    answer = client.get("/runs")
    assert (answer.text == "inside") == (not words)
    if words:
        assert words in client.get(answer.headers["location"]).text


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


def test_the_log_says_where_wrong_passwords_came_from_and_none_of_what_was_typed(serving):
    client = serving(PASSWORD=PASSWORD, client="2001:db8::1:2")
    client.cookies.set(COOKIE, "1.a-ticket.of-old")
    for _ in range(2):
        sign_in(client, "a wrong password")
    log = (services.store().folder / "logs" / "foundry.jsonl").read_text()
    told = [one for one in map(json.loads, log.splitlines()) if one["event"].startswith("sign-in")]
    assert [(one["event"], one["address"]) for one in told] == [
        ("sign-in.refused", "2001:db8::/64"),
        ("sign-in.too-soon", "2001:db8::/64"),
    ]
    assert "a wrong password" not in log
    assert "a-ticket" not in log


def test_guesses_without_end_do_not_push_all_else_out_of_the_log(serving, monkeypatch):
    now = [1_000.0]
    monkeypatch.setattr(repeats.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sign_in_page, "_REFUSED", repeats.Tally())
    client = serving(PASSWORD=PASSWORD)
    for _ in range(repeats.OFTEN + 10):
        sign_in(client, "a wrong password")
    now[0] += repeats.WHILE
    sign_in(client, "a wrong password")
    log = (services.store().folder / "logs" / "foundry.jsonl").read_text()
    told = [json.loads(one) for one in log.splitlines() if "sign-in.too-soon" in one]
    assert len(told) == repeats.OFTEN + 1
    assert [one.get("more_before") for one in told[-2:]] == [None, 9]


@pytest.fixture
def known(monkeypatch) -> Admissions:
    """Sessions and connections that the gate knows, none so far."""
    made = Admissions()
    monkeypatch.setattr(gate, "admissions", made)
    monkeypatch.setattr(strangers, "admissions", made)
    return made


def ended(tab: WebSocketTestSession) -> bool:
    """Ask once more, and say whether the connection was ended to make room."""
    try:
        say(tab, wish())
    except WebSocketDisconnect as error:
        return error.code == 1013
    return False


def anybody(_cookies) -> bool:
    return True


def say(tab, message: bytes) -> None:
    tab.send_bytes(message)
    assert tab.receive_bytes() == b"heard"


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


def test_whoever_asks_too_often_waits_for_a_turn(monkeypatch):
    now = 100.0
    monkeypatch.setattr(strangers.time, "monotonic", lambda: now)
    turns = strangers.Turns()
    assert [turns.wait(0) for _ in range(int(strangers.AT_ONCE))] == [0.0] * int(strangers.AT_ONCE)
    assert [turns.wait(0) for _ in range(3)] == pytest.approx([1 / 20, 2 / 20, 3 / 20])
    now += 1.0
    assert [turns.wait(0) for _ in range(18)] == pytest.approx([0.0] * 17 + [1 / 20])
    now += 1_000.0
    assert turns.wait(0) == 0.0
    assert turns.wait(9 * strangers.SMALL) == 0.0, "an honest one of many words"
    assert turns.wait(gate.STRANGERS_WISH) == 0.0
    assert turns.wait(gate.STRANGERS_WISH) > 0.7


def near(address: str) -> HTTPConnection:
    return HTTPConnection({"type": "websocket", "client": (address, 1)})


def test_strangers_of_one_network_wait_for_each_other_and_who_asked_least_goes_first(monkeypatch):
    now, served, came = 100.0, [], []
    pause = asyncio.sleep

    async def rest(seconds: float) -> None:
        nonlocal now
        now += seconds
        await pause(0)

    async def ask(name: str, address: str, asked_before: float, size: int = 0) -> None:
        came.append(await line.wait(strangers.network_of(near(address)), asked_before, size))
        served.append((name, round(now - 100.0, 2)))

    async def crowd() -> None:
        kept = [strangers.network_of(near(address)) for address in ("192.0.2.1", "192.0.2.2")]
        assert kept[0] is strangers.network_of(near("192.0.2.1"))
        assert kept[0] is not kept[1]
        # All at once: those who ask all the time stand in line before those who come new.
        loud = [ask("loud", "192.0.2.1", 500.0 + n, 62_000) for n in range(30)]
        await asyncio.gather(*loud, ask("new", "192.0.2.1", 0.0), ask("far", "192.0.2.2", 900.0))

    monkeypatch.setattr(strangers.time, "monotonic", lambda: now)
    monkeypatch.setattr(strangers.asyncio, "sleep", rest)
    line = strangers.Line(strangers.TOGETHER)
    asyncio.run(crowd())
    names = [name for name, _ in served]
    assert names.index("far") <= 2, "of its network nobody asked lately"
    assert names[names.index("loud", 2) - 1] in ("new", "far")
    assert served[-1] == ("loud", pytest.approx(strangers.LONG, abs=1.5))
    assert not all(came), "who has waited too long is given up"


def test_whoever_asks_for_much_from_anywhere_waits_behind_newcomers_and_is_given_up(monkeypatch):
    now, heard = 100.0, []
    pause = asyncio.sleep

    async def rest(seconds: float) -> None:
        nonlocal now
        now += seconds
        await pause(0)

    async def ask(line: strangers.Line, address: str, size: int) -> None:
        if await line.wait(strangers.network_of(near(address)), 0.0, size):
            heard.append((address, round(now - 100.0, 2)))

    async def crowd() -> None:
        line = strangers.Line(strangers.TOGETHER)
        loud = [ask(line, f"2001:db8:0:{n:x}::1", 62_000) for n in range(strangers.WAITING + 50)]
        crowd = asyncio.gather(*loud)
        await pause(0)
        await ask(line, "192.0.2.1", 300)
        at = heard.index(("192.0.2.1", pytest.approx(0.0, abs=2.0)))
        assert at <= 5, "before all who came earlier, and asked for more"
        await crowd

    monkeypatch.setattr(strangers.time, "monotonic", lambda: now)
    monkeypatch.setattr(strangers.asyncio, "sleep", rest)
    asyncio.run(crowd())
    assert now - 100.0 < strangers.LONG + 2, "nobody waits for ever for those before"
    assert 20 < len(heard) < 40


def test_of_one_network_only_so_many_are_connected_who_were_never_let_in(
    serving, inside, known, monkeypatch
):
    monkeypatch.setattr(strangers, "UNKNOWN", 2)
    client = serving(PASSWORD=PASSWORD)
    with ExitStack() as stack:

        def connect(place: TestClient = client) -> tuple[WebSocketTestSession, str]:
            """Open one more tab, and return it with the name the gate gave its connection."""
            tab = stack.enter_context(place.websocket_connect("/_stcore/stream"))
            say(tab, wish())
            return tab, inside.sockets[-1]

        (first, name), (second, other) = connect(), connect()
        elsewhere, _ = connect(serving(PASSWORD=PASSWORD, client="192.0.2.10"))
        assert not any(map(ended, (first, second, elsewhere)))
        third, _ = connect()
        assert [ended(one) for one in (first, second, third)] == [True, False, False]
        known.seat(other, "a-seat")
        fourth, lets_in = connect()
        known.note(lets_in, "let in", lambda: True, anybody)
        fifth, _ = connect()
        sixth, _ = connect()
        assert [ended(one) for one in (second, third, fourth, fifth, sixth)] == [
            *(False, True, False, False, False),
        ], "neither who has a seat nor who was let in"
        assert name not in strangers.network_of(near("192.0.2.9")).sockets
        monkeypatch.setattr(strangers, "UNKNOWN_IN_ALL", 3)
        seventh, _ = connect(serving(PASSWORD=PASSWORD, client="192.0.2.11"))
        assert [ended(one) for one in (elsewhere, fifth, sixth, seventh)] == [
            *(False, True, False, False),
        ], "of all networks the one with most makes room"
        monkeypatch.setattr(strangers, "UNKNOWN_IN_ALL", 250)
        silent = stack.enter_context(client.websocket_connect("/_stcore/stream"))
        eighth, _ = connect()
        assert [ended(one) for one in (sixth, eighth)] == [False, False]
        with pytest.raises(WebSocketDisconnect):
            silent.receive_bytes()


def test_of_one_seat_and_of_all_seats_only_so_many_are_connected(
    serving, inside, known, monkeypatch
):
    monkeypatch.setattr(strangers, "OF_A_SEAT", 2)
    client = serving(PASSWORD=PASSWORD)
    with ExitStack() as stack:

        def connect(seat: str) -> WebSocketTestSession:
            tab = stack.enter_context(client.websocket_connect("/_stcore/stream"))
            say(tab, wish())
            known.seat(inside.sockets[-1], seat)
            return tab

        mine = [connect("ada's") for _ in range(4)]
        other = connect("bea's")
        assert [ended(one) for one in (*mine, other)] == [True, True, False, False, False]
        monkeypatch.setattr(strangers, "SEATED", 2)
        connect("cea's")
        assert [ended(one) for one in (*mine[2:], other)] == [True, False, False]


def test_whoever_has_opened_a_seat_s_link_is_known_as_they_connect(
    serving, inside, known, monkeypatch
):
    monkeypatch.setattr(strangers, "UNKNOWN", 1)
    client = serving(PASSWORD=PASSWORD)
    held = studies_kit.opened(services.store(), experts=2)
    seat, link = held.seats[0].id, held.secret()
    for address in ("/annotate", "/annotate?seat=wrong", f"/chains?seat={link}"):
        assert seat_cookie.NAME not in client.get(address).cookies
    given = client.get(f"/annotate?seat={link}").headers["set-cookie"]
    assert "HttpOnly" in given
    assert link not in given

    def seated(cookie: str) -> str:
        client.cookies.clear()
        client.cookies.set(seat_cookie.NAME, cookie)
        with client.websocket_connect("/_stcore/stream") as tab:
            say(tab, wish())
            return known.seat_at(inside.sockets[-1])

    mine = given.partition("=")[2].partition(";")[0]
    assert seated(mine) == seat
    forged = [f"{seat}.", seat, f"other{mine}", mine[:-1], ""]
    assert [seated(one) for one in forged] == [""] * len(forged)
    assert not seat_cookie.seat_by({seat_cookie.NAME: f"{seat}.\xe9\udc80"})
    assert services.door().standing(mine) != "in"
    ticket = sign_in(client).cookies[COOKIE]
    client.cookies.clear()
    client.cookies.set(COOKIE, ticket)
    with client.websocket_connect("/_stcore/stream") as tab:
        say(tab, wish())
        assert known.expected(inside.sockets[-1]), "and who has signed in"
    client.cookies.clear()
    # Strangers who come after do not put them out.
    client.cookies.set(seat_cookie.NAME, mine)
    with client.websocket_connect("/_stcore/stream") as expert:
        say(expert, wish())
        client.cookies.clear()
        for _ in range(3):
            with client.websocket_connect("/_stcore/stream") as stranger:
                say(stranger, wish())
        say(expert, wish())


def test_all_tabs_of_a_seat_share_its_pace_and_other_seats_come_first(
    serving, inside, known, monkeypatch
):
    rested = []
    monkeypatch.setattr(strangers, "_SEATS", {})
    monkeypatch.setattr(strangers, "AT_ONCE", 4.5)

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    monkeypatch.setattr(strangers.asyncio, "sleep", rest)
    client = serving(PASSWORD=PASSWORD)
    with ExitStack() as stack:
        tabs = []
        for name in ("loud", "loud", "quiet"):
            tabs.append(stack.enter_context(client.websocket_connect("/_stcore/stream")))
            say(tabs[-1], wish())
            known.seat(inside.sockets[-1], name)
        rested.clear()
        for tab in (*tabs[:2], *tabs[:2], *tabs[:2], tabs[2]):
            say(tab, wish())
    assert len(inside.heard) == 10
    # Each waits for the turn of its seat, and all seats together pay for it.
    assert [one > 0 for one in rested[::2]] == [False] * 4 + [True, True, False]
    loud, quiet = (strangers.seat_of(name).asked.debt() for name in ("loud", "quiet"))
    assert loud > quiet


def test_seats_nobody_asks_at_any_more_are_forgotten(monkeypatch):
    monkeypatch.setattr(strangers, "_SEATS", {})
    monkeypatch.setattr(strangers, "MOST", 3)
    busy = strangers.seat_of("busy")
    busy.pace.wait(1_000_000)
    for n in range(5):
        strangers.seat_of(f"seat {n}")
    assert strangers.seat_of("busy") is busy
    assert len(strangers._SEATS) <= 4


@pytest.mark.parametrize("admitted", [True, False])
def test_a_stranger_s_wishes_are_heard_in_turn(serving, inside, known, monkeypatch, admitted):
    rested = []
    monkeypatch.setattr(strangers, "AT_ONCE", 2.5)

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    monkeypatch.setattr(strangers.asyncio, "sleep", rest)
    client = serving(PASSWORD=PASSWORD)
    if admitted:
        known.note("", "mine", lambda: True, lambda _: True)
    with client.websocket_connect(
        "/_stcore/stream", subprotocols=["streamlit", "xsrf", "mine"]
    ) as tab:
        for _ in range(4):
            say(tab, wish())
    assert len(inside.heard) == 4
    # Each waits for its own turn, and its network pays for it.
    own = rested[::2]
    assert [one > 0 for one in own] == ([] if admitted else [False, False, True, True])


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
    client.cookies["login"] = "ada"
    assert client.put("/_stcore/upload_file/organiser/f").text == "inside"
    assert client.put("/_stcore/upload_file/visitor/f").status_code == 403


@pytest.mark.parametrize(
    ("password", "most"),
    [("", gate.WISH), (PASSWORD, gate.STRANGERS_WISH)],
    ids=["this machine", "a stranger"],
)
def test_a_message_larger_than_any_page_sends_is_not_read(serving, inside, password, most):
    client = serving(PASSWORD=password, client="127.0.0.1")
    larger = BackMsg()
    larger.rerun_script.query_string = "x" * most
    with client.websocket_connect("ws://127.0.0.1:8501/_stcore/stream") as tab:
        say(tab, wish())
        tab.send_bytes(larger.SerializeToString())
    assert len(inside.heard) == 1
