"""The sign-in page: who comes in by it, where it leads, and what wrong passwords cost."""

import asyncio
import json
import threading
import time
from collections import Counter
from urllib.parse import urlsplit

import pytest
from anyio import to_thread
from httpx import ASGITransport, AsyncClient
from starlette.requests import Request

from components.access import lanes, repeats
from components.access import sign_in as sign_in_page
from components.access.entrance import COOKIE
from components.access.sign_in import BADGE, local
from components.shell import services
from core import door as doors
from core.door import LASTS, Door
from core.errors import BadInput
from tests.support.gate_kit import PASSWORD, enter, sign_in


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


@pytest.mark.parametrize("path", ["/read/", "/READ", "/%2Fread", "/chains"])
@pytest.mark.parametrize("name", ["seat", "join", "link"])
def test_what_opens_something_by_itself_is_not_in_the_way_to_the_sign_in(serving, path, name):
    sent = serving(PASSWORD=PASSWORD).get(f"{path}?run=abc&{name}=s3cret&as=pdf")
    assert urlsplit(sent.headers["location"]).path == "/sign-in"
    assert "s3cret" not in sent.headers["location"]
    assert sent.headers["location"].endswith("%3Frun%3Dabc%26as%3Dpdf")


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
    plain = sign_in(serving(PASSWORD=PASSWORD)).headers.get_list("set-cookie")[0]
    assert plain.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(plain.split("; "))
    assert "Secure" not in plain
    assert (
        "Secure"
        in sign_in(serving(PASSWORD=PASSWORD, url="https://foundry.lab.example")).headers[
            "set-cookie"
        ]
    )


def test_behind_https_every_cookie_is_kept_off_plain_http(serving, monkeypatch):
    client = serving(PASSWORD=PASSWORD, url="https://foundry.example")
    assert sign_in(client).headers["set-cookie"].lower().count("secure") == 2

    async def streamlit(scope, receive, send) -> None:
        said = [(b"set-cookie", b"_streamlit_user=secured; HttpOnly; SameSite=Lax")]
        await send({"type": "http.response.start", "status": 200, "headers": said})
        await send({"type": "http.response.body", "body": b""})

    monkeypatch.setattr(client.app, "app", streamlit)
    assert client.get("/").headers["set-cookie"].endswith("SameSite=Lax; Secure")
    plain = serving(PASSWORD=PASSWORD)
    sign_in(plain)
    monkeypatch.setattr(plain.app, "app", streamlit)
    assert plain.get("/").headers["set-cookie"].endswith("SameSite=Lax")


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


def test_wrong_passwords_are_slowed_by_address_and_say_so(serving, monkeypatch):
    client = serving(PASSWORD=PASSWORD)
    moment = services.door()._slowing._clock()
    monkeypatch.setattr(services.door()._slowing, "_clock", lambda: moment)
    assert "That is not the password." in sign_in(client, "wrong password").text
    refused = sign_in(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert "Wait 1 second" in refused.text
    assert COOKIE not in client.cookies
    client._transport.client = ("198.51.100.7", 50000)
    assert sign_in(client).status_code == 303


def test_a_browser_that_was_in_before_waits_for_no_stranger_at_its_address(serving, monkeypatch):
    """Closed in between it has no ticket any more; what it has left opens nothing."""
    client = serving(PASSWORD=PASSWORD)
    moment = services.door()._slowing._clock()
    monkeypatch.setattr(services.door()._slowing, "_clock", lambda: moment)
    cookies = sign_in(client).headers.get_list("set-cookie")
    (badge,) = (one for one in cookies if one.startswith(f"{BADGE}="))
    assert {"HttpOnly", "SameSite=strict", "Path=/sign-in"} <= set(badge.split("; "))
    mine = badge.partition(";")[0].partition("=")[2]
    client.cookies.clear()
    assert "That is not the password." in sign_in(client, "wrong password").text
    assert sign_in(client).status_code == 429
    client.cookies.set(BADGE, f"{mine[:-1]}{'1' if mine[-1] == '0' else '0'}")
    assert sign_in(client).status_code == 429
    client.cookies.clear()
    client.cookies.set(BADGE, mine)
    assert client.get("/runs").status_code == 303
    client.cookies.clear()
    client.cookies.set(COOKIE, mine)
    assert client.get("/runs").status_code == 303
    client.cookies.clear()
    client.cookies.set(BADGE, mine)
    assert "That is not the password." in sign_in(client, "wrong password").text
    assert sign_in(client).status_code == 429, "its own wrong passwords are held against it"
    monkeypatch.setattr(services.door()._slowing, "_clock", lambda: moment + 1)
    assert sign_in(client).status_code == 303


NEWCOMER = "2001:db8:77::1"


def test_passwords_of_many_networks_at_once_are_looked_at_one_after_the_other(serving, monkeypatch):
    """Whoever is in waits for none of them, and the threads that all share are free."""
    client = serving(PASSWORD=PASSWORD)
    known = sign_in(client).cookies[COOKIE]
    go, at_once, most, order = threading.Event(), 0, 0, list[str]()

    def look(door, password, address, earlier_name=""):
        nonlocal at_once, most
        if earlier_name:
            return known
        order.append(address)
        if password == PASSWORD:
            return known
        at_once, most = at_once + 1, max(most, at_once + 1)
        go.wait(60)
        at_once -= 1
        raise BadInput("That is not the password.")

    monkeypatch.setattr(Door, "look", look)
    monkeypatch.setattr(sign_in_page, "REST", 0.0)
    monkeypatch.setattr(lanes, "FEW", 0)
    monkeypatch.setattr(lanes, "LONG", 100.0)
    monkeypatch.setattr(doors, "CROWD", 1_000)
    monkeypatch.setattr(sign_in_page, "_REFUSED", repeats.Tally())

    async def come() -> list[int]:
        async def post(n: int, password: str = "wrong", **cookies: str) -> int:
            form = {"password": password, "next": "/"}
            there = ASGITransport(client.app, client=(f"2001:db8:{n % 4}:{n:x}::1", 50000))
            if password == PASSWORD:
                there = ASGITransport(client.app, client=(NEWCOMER, 50000))
            async with AsyncClient(
                transport=there, base_url="http://127.0.0.1:8501", cookies=cookies
            ) as browser:
                return (await browser.post("/sign-in", data=form)).status_code

        strangers = [asyncio.create_task(post(n)) for n in range(60)]
        try:
            async with asyncio.timeout(60):
                while sum(one.done() for one in strangers) < 59 - sign_in_page.MANY:
                    await asyncio.sleep(0.01)
                assert await post(99, **{COOKIE: known}) == 303
                newcomer = asyncio.create_task(post(100, PASSWORD))
                while sum(one.done() for one in strangers) < 60 - sign_in_page.MANY:
                    await asyncio.sleep(0.01)
            assert to_thread.current_default_thread_limiter().borrowed_tokens == 0
        finally:
            go.set()
        assert await newcomer == 303
        return [await one for one in strangers]

    found = Counter(client.portal.call(come))
    assert found == {403: sign_in_page.MANY, 429: 60 - sign_in_page.MANY}
    assert most == 1
    assert order.index(NEWCOMER) <= 5, "one of each organisation, and then who never came"
    assert {lane.waiting() for lane in sign_in_page.LANES.values()} == {0}


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
        enter(
            Door(services.workshop().store, PASSWORD, lambda: time.time() + started), PASSWORD, ""
        ),
    )
    answer = client.get("/runs")
    assert (answer.text == "inside") == (not words)
    if words:
        assert words in client.get(answer.headers["location"]).text


def test_the_log_says_where_wrong_passwords_came_from_and_none_of_what_was_typed(
    serving, monkeypatch
):
    client = serving(PASSWORD=PASSWORD, client="2001:db8::1:2")
    moment = services.door()._slowing._clock()
    monkeypatch.setattr(services.door()._slowing, "_clock", lambda: moment)
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
    # All come in one moment, however slow the machine is: only the first is heard.
    moment = services.door()._slowing._clock()
    monkeypatch.setattr(services.door()._slowing, "_clock", lambda: moment)
    for _ in range(repeats.OFTEN + 10):
        sign_in(client, "a wrong password")
    now[0] += repeats.WHILE
    sign_in(client, "a wrong password")
    log = (services.store().folder / "logs" / "foundry.jsonl").read_text()
    told = [json.loads(one) for one in log.splitlines() if "sign-in.too-soon" in one]
    assert len(told) == repeats.OFTEN + 1
    assert [one.get("more_before") for one in told[-2:]] == [None, 9]
