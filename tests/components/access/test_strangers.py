"""Strangers and seats before the gate: how many are connected, and who is heard when."""

import asyncio
import contextlib
import json
import threading
import time
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from components.access import arrivals, gate, log_in, seat_cookie, strangers
from components.access.admissions import SOCKET
from components.access.entrance import COOKIE
from components.shell import drawing_time, services
from core.door import LASTS
from core.studies import organising
from tests.support.gate_kit import PASSWORD, anybody, ended, say, sign_in, wish
from tests.support.sessions import studies_kit
from tests.support.waiting import until


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
    return HTTPConnection({"type": "websocket", "client": (address, 1), "headers": []})


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
    line = strangers.Line(strangers.Turns(strangers.TOGETHER))
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
        line = strangers.Line(strangers.Turns(strangers.TOGETHER))
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


def test_nobody_waits_for_those_who_are_put_out_and_do_not_hear_it(monkeypatch):
    monkeypatch.setattr(strangers, "HEARS", 0.05)
    cut = []

    async def unread(_message) -> None:
        await asyncio.Event().wait()

    async def put_out() -> None:
        ending = strangers.Ending(unread, lambda: cut.append("cut"))
        ending.end()
        assert not cut
        while not cut:
            await asyncio.sleep(0.01)
        await asyncio.wait_for(ending({"type": "websocket.send"}), 5)

    asyncio.run(asyncio.wait_for(put_out(), 30))
    assert cut == ["cut"]


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
    odd = {seat_cookie.NAME: f"{seat}.\xe9\udc80"}
    assert not asyncio.run(seat_cookie.seat_by(odd))
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
    organising.new_link(services.store(), seat)
    assert seated(mine) == "", "of a link that opens nothing any more"


def test_a_seat_is_one_comer_whatever_links_were_drawn_for_it(serving):
    client = serving(PASSWORD=PASSWORD)
    store = services.store()
    held = studies_kit.opened(store, experts=2)

    def comer(link: str) -> str:
        client.cookies.clear()
        cookie = client.get(f"/annotate?seat={link}").cookies[seat_cookie.NAME]
        return seat_cookie.place({seat_cookie.NAME: cookie})

    mine = comer(held.secret(0))
    assert mine
    assert comer(organising.new_link(store, held.seats[0].id)) == mine
    assert comer(held.secret(1)) != mine
    assert seat_cookie.place({seat_cookie.NAME: f"token.{mine}.proof"}) == ""


def test_all_tabs_of_a_seat_share_its_pace_and_other_seats_come_first(
    serving, inside, known, monkeypatch
):
    rested = []
    monkeypatch.setattr(strangers, "_SEATS", {})
    monkeypatch.setattr(strangers, "AT_ONCE", 4.5)
    monkeypatch.setattr(strangers, "USUAL", 0.0)

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


def test_what_a_seat_cannot_be_given_in_time_is_given_up_and_not_owed(known, monkeypatch):
    monkeypatch.setattr(strangers, "_SEATS", {})
    known.open("tab", "")
    known.seat("tab", "loud")
    asking = strangers.Asking(
        "tab",
        strangers.network_of(near("192.0.2.1")),
        strangers.Line(strangers.Turns()),
        strangers.Line(strangers.Turns()),
    )
    pace = strangers.seat_of("loud").pace
    pace.wait(10_000_000)
    owed = pace.debt()
    assert not asyncio.run(asking.has_its_turn(60_000))
    assert pace.debt() <= owed


def test_a_seat_waits_for_what_its_pages_take(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(strangers.time, "monotonic", lambda: now[0])

    def second_of(page: float) -> int:
        """Return how many pages are drawn of a seat in a second, once those at once are over."""
        seat = strangers.Seat()
        for _ in range(200):
            now[0] += seat.wait(0)
            seat.drew(page)
        began, drawn = now[0], 0
        while now[0] < began + 10:
            now[0] += seat.wait(0)
            seat.drew(page)
            drawn += 1
        return drawn / 10

    assert second_of(0.5) == pytest.approx(1.0, abs=0.3), "half a core"
    assert second_of(0.1) == pytest.approx(4.0, abs=0.5)
    assert second_of(0.002) > 15, "an expert who is quick"


def test_all_seats_together_wait_for_what_their_pages_take(monkeypatch):
    """Five seats within their own accounts leave the others a part of the processor, and a sixth
    does not stand behind them.
    """
    now = [100.0]
    monkeypatch.setattr(strangers.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(strangers, "OF_SEATS", strangers.Turns(strangers.SEATS_TOGETHER))
    line, page = strangers.Line(strangers.OF_SEATS), 0.2
    loud = [strangers.Seat() for _ in range(5)]
    drawn = []

    async def rest(seconds: float) -> None:
        now[0] += seconds
        await real(0)

    async def asks(seat: strangers.Seat, times: int) -> None:
        for _ in range(times):
            await line.wait(seat, 0, 0)
            drawn.append((now[0], seat))
            seat.drew(page)

    async def all_ask() -> None:
        tabs = [asyncio.create_task(asks(seat, 40)) for seat in loud for _ in range(4)]
        while len(drawn) < 100:
            await real(0)
        new, since = strangers.Seat(), now[0]
        await asks(new, 1)
        assert drawn[-1][0] - since < 0.5
        while len(drawn) < 600:
            await real(0)
        for tab in tabs:
            tab.cancel()

    real = asyncio.sleep
    monkeypatch.setattr(strangers.asyncio, "sleep", rest)
    asyncio.run(all_ask())
    lately = drawn[-300:]
    work = page * len(lately) / (lately[-1][0] - lately[0][0])
    assert work == pytest.approx(0.75, abs=0.1), "of a core"


def test_a_seat_is_known_by_the_link_it_asks_with(serving, inside, known):
    client = serving(PASSWORD=PASSWORD)
    held = studies_kit.opened(services.store(), experts=2)
    for link, seat in ((held.secret(), held.seats[0].id), ("wrong", ""), ("", "")):
        with client.websocket_connect("/_stcore/stream") as tab:
            say(tab, wish(query_string=f"view=work&seat={link}"))
            assert known.seat_at(inside.sockets[-1]) == seat


def test_what_a_page_takes_is_on_the_account_of_its_seat(monkeypatch, known):
    def draw(_runner, asked):
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass
        if asked == "fails":
            raise ValueError(asked)

    monkeypatch.setattr(strangers, "_SEATS", {})
    monkeypatch.setattr(drawing_time, "admissions", known)
    monkeypatch.setattr(drawing_time.ScriptRunner, "_run_script", draw)
    drawing_time.count_drawing_time()
    drawing_time.count_drawing_time()  # Once is enough.
    known.open("theirs", "")
    known.seat("theirs", "loud")
    for socket, asked in (("theirs", "page"), ("another", "page"), ("theirs", "fails")):
        there = SimpleNamespace(headers=SimpleNamespace(to_dict=lambda: {SOCKET: socket}))
        monkeypatch.setattr(drawing_time.st, "context", there)
        with contextlib.suppress(ValueError):
            drawing_time.ScriptRunner._run_script(None, asked)
    # Eight turns each, the one that fails too: three of the first, and four of the other, were
    # taken as usual before.
    assert 48 < strangers.seat_of("loud").pace._left < 54
    assert set(strangers._SEATS) == {"loud"}


def test_few_pages_of_seats_are_drawn_at_once_and_others_beside_them(monkeypatch, known):
    monkeypatch.setattr(drawing_time, "admissions", known)
    drawn, going_on = [], threading.Event()
    on = threading.local()

    def draw(_runner, socket):
        drawn.append(socket)
        assert going_on.wait(30)

    def asks(socket: str) -> None:
        on.socket = socket
        drawing_time.ScriptRunner._run_script(None, socket)

    monkeypatch.setattr(drawing_time.ScriptRunner, "_run_script", draw)
    here = SimpleNamespace(to_dict=lambda: {SOCKET: on.socket})
    monkeypatch.setattr(drawing_time.st, "context", SimpleNamespace(headers=here))
    drawing_time.count_drawing_time()
    names = [f"seat-{n}" for n in range(5)]
    for name in names:
        known.open(name, "")
        known.seat(name, name)
    known.open("organiser", "")
    known.expect("organiser")
    threads = [threading.Thread(target=asks, args=[name]) for name in (*names, "organiser")]
    for one in threads:
        one.start()
    until(lambda: "organiser" in drawn and len(drawn) == drawing_time.AT_ONCE + 1)
    time.sleep(0.2)
    assert len(drawn) == drawing_time.AT_ONCE + 1
    going_on.set()
    for one in threads:
        one.join(30)
    assert sorted(drawn) == ["organiser", *names]


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
    monkeypatch.setattr(strangers, "time", SimpleNamespace(monotonic=lambda: 100.0))

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


@pytest.fixture
def slept(monkeypatch):
    """Note how long somebody waits, and go on at once."""
    seconds = []

    async def rest(time):
        seconds.append(time)

    monkeypatch.setattr(arrivals.asyncio, "sleep", rest)
    return seconds


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_who_comes_too_often_waits_and_others_do_not(slept, monkeypatch, kind):
    monkeypatch.setattr(strangers.time, "monotonic", lambda: 100.0)
    come = arrivals.Arrivals()
    pace, at_once = arrivals.PACES[kind]

    def comes(address: str) -> bool:
        return asyncio.run(come.have_their_turn(kind, near(address)))

    assert all(comes("192.0.2.1") for _ in range(int(at_once)))
    assert not slept
    assert all(comes("192.0.2.1") for _ in range(int(2 * pace)))
    assert 1 < slept[-1] < 3
    slept.clear()
    assert comes("192.0.2.2")
    assert not slept, "a stranger of another network"
    for _ in range(int(30 * pace)):
        comes("192.0.2.1")
    assert not comes("192.0.2.1"), "it would be too long"
    assert max(slept) < strangers.LONG + 1
    slept.clear()
    for _ in range(int(30 * pace)):
        comes("192.0.2.3")
    slept.clear()
    assert all(comes(f"192.0.2.{n}") for n in range(4, 9))
    assert not slept, "two that are loud keep nobody out"


def test_all_networks_of_one_organisation_are_as_loud_as_one(slept, monkeypatch):
    monkeypatch.setattr(strangers.time, "monotonic", lambda: 100.0)
    come = arrivals.Arrivals()
    pace, at_once = arrivals.PACES["http"]

    def comes(address: str) -> bool:
        return asyncio.run(come.have_their_turn("http", near(address)))

    for network in range(256):
        for _ in range(int((at_once + 2 * pace) / 256) + 1):
            comes(f"2001:db8:1:{network:x}::1")
    assert slept, "each is quiet, and all together are not"
    slept.clear()
    assert all(comes(f"2001:db8:{n}::1") for n in range(2, 9))
    assert not slept


def test_who_fills_the_waiting_room_waits_there_alone(monkeypatch):
    monkeypatch.setattr(arrivals, "WAITING", arrivals.OF_ONE + 20)
    come = arrivals.Arrivals()
    at_once = int(arrivals.PACES["http"][1])

    async def all_come() -> tuple[list[bool], list[bool]]:
        async with asyncio.timeout(30):
            loud = [
                asyncio.create_task(come.have_their_turn("http", near(address)))
                for address in ("192.0.2.1", "192.0.2.2")
                for _ in range(at_once + arrivals.OF_ONE + 50)
            ]
            await asyncio.sleep(0)
            others = [await come.have_their_turn("http", near(f"192.0.2.{n}")) for n in (3, 4)]
            return [await one for one in loud], others

    loud, others = asyncio.run(all_come())
    assert others == [True, True]
    assert loud[: at_once + arrivals.OF_ONE] == [True] * (at_once + arrivals.OF_ONE)
    assert loud.count(False) >= 100


def test_a_login_s_organiser_is_known_as_they_connect_and_nobody_else(
    serving, inside, known, slept, monkeypatch
):
    monkeypatch.setattr(log_in, "get_cookie_secret", lambda: "s" * 32)
    monkeypatch.setitem(arrivals.PACES, "http", (0.001, 2.0))
    client = serving(login=True, ORGANISERS="ada@lab.example")
    link = studies_kit.opened(services.store(), experts=2).secret()
    opened = client.get(f"/annotate?seat={link}").cookies[seat_cookie.NAME]

    def expected(secret: str = "s" * 32, **claims: object) -> bool:
        said = json.dumps({"is_logged_in": True, "iat": time.time(), **claims})
        client.cookies.clear()
        client.cookies.set(seat_cookie.NAME, opened)
        signed = create_signed_value(secret, log_in.LOGIN_COOKIE, said).decode()
        client.cookies.set(log_in.LOGIN_COOKIE, signed)
        with client.websocket_connect("/_stcore/stream") as tab:
            say(tab, wish())
            socket = inside.sockets[-1]
            assert bool(known.seat_at(socket)) is not known.expected(socket)
            return known.expected(socket)

    ada = {"email": "ada@lab.example"}
    assert not expected("t" * 32, **ada), "signed by somebody else"
    assert not expected(email="eve@evil.example")
    assert not expected(**ada, iat=time.time() - LASTS - 1)
    assert not expected(**ada, is_logged_in=False)
    assert not expected(**ada, email_verified=False)
    assert expected(**ada)
    assert {client.get("/chains").text for _ in range(20)} == {"inside"}
    client.cookies.clear()
    client.cookies.set(log_in.LOGIN_COOKIE, "forged")
    codes = [client.get("/chains").status_code for _ in range(4)]
    assert codes[-1] == 503


def test_who_has_signed_in_comes_as_often_as_they_please(serving, slept, monkeypatch):
    monkeypatch.setitem(arrivals.PACES, "http", (0.001, 2.0))
    client = serving(PASSWORD=PASSWORD)
    client.post("/sign-in", data={"password": PASSWORD})
    assert {client.get("/chains").text for _ in range(20)} == {"inside"}
    client.cookies.clear()
    codes = [client.get("/chains").status_code for _ in range(4)]
    assert codes[-1] == 503
