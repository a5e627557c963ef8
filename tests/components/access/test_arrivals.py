"""How often those may come who are no organisers, and who waits for whom."""

import asyncio

import pytest
from starlette.requests import HTTPConnection

from components.access import arrivals, strangers
from components.access.lanes import FORGOTTEN

LONG_ADDRESS = 7_900
REFUSED = 1e9


class Comers:
    """Those who come, by a clock that is made up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self._slept = 1_000.0, 0.0
        monkeypatch.setattr(strangers.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(arrivals.asyncio, "sleep", self._sleep)
        monkeypatch.setattr(arrivals.log, "disabled", True)  # It says so of each that is refused.
        self.arrivals = arrivals.Arrivals()

    async def _sleep(self, seconds: float) -> None:
        self._slept = seconds

    async def wait(self, kind: arrivals.Kind, address: str, size: int = 0) -> float:
        """Return how many seconds one waits that comes from this address."""
        self._slept = 0.0
        asking = HTTPConnection({"type": "websocket", "client": (address, 1), "headers": []})
        heard = await self.arrivals.have_their_turn(kind, asking, size)
        return self._slept if heard else REFUSED

    async def crowd(
        self, kind: arrivals.Kind, networks: int, a_second: float, size: int, seconds: int
    ) -> list[float]:
        """Let so many networks come so often each, and return how long one waited each second that
        came for the first time.
        """
        waited = []
        for second in range(seconds):
            for come in range(int(networks * a_second)):
                self.now += 1 / int(networks * a_second)
                network = come % networks
                await self.wait(kind, f"10.{network // 250}.{network % 250}.1", size)
            waited.append(await self.wait(kind, f"192.0.2.{second}"))
        return waited


@pytest.fixture
def comers(monkeypatch):
    return Comers(monkeypatch)


@pytest.mark.parametrize(
    ("kind", "networks", "a_second", "size"),
    [
        ("http", 20, 3.9, LONG_ADDRESS),
        ("http", 50, 3.9, LONG_ADDRESS),
        ("http", 20, 19.5, 0),
        ("websocket", 20, 1.95, 0),
    ],
)
def test_some_networks_that_are_quiet_without_end_keep_nobody_out_who_is_new(
    comers, kind, networks, a_second, size
):
    waited = asyncio.run(comers.crowd(kind, networks, a_second, size, 60))
    assert max(waited) < 3
    assert max(waited[10:]) == 0.0


@pytest.mark.parametrize(
    ("kind", "a_second", "size"), [("http", 2.0, LONG_ADDRESS), ("websocket", 1.0, 0)]
)
def test_five_hundred_networks_keep_those_who_are_new_out_for_half_a_minute_at_most(
    comers, kind, a_second, size
):
    waited = asyncio.run(comers.crowd(kind, 500, a_second, size, 40))
    assert max(waited[:30]) > 10, "all of them were new as it began"
    assert max(waited[35:]) < 3


def test_a_page_s_files_come_at_once_to_whoever_is_new_among_those_who_come_without_end(comers):
    async def page() -> list[float]:
        await comers.crowd("http", 50, 3.9, LONG_ADDRESS, 30)
        return [await comers.wait("http", "198.51.100.1", 40) for _ in range(55)]

    assert max(asyncio.run(page())) == 0.0


def test_whoever_came_often_waits_with_those_who_do_and_is_new_a_quarter_of_an_hour_later(comers):
    async def page() -> list[float]:
        await comers.crowd("http", 50, 3.9, LONG_ADDRESS, 30)
        return [await comers.wait("http", "198.51.100.1") for _ in range(62)]

    async def come() -> None:
        for _ in range(2):
            waited = await page()
            assert max(waited[:60]) == 0.0
            assert waited[-1] > 10
            comers.now += FORGOTTEN

    asyncio.run(come())


def test_many_names_that_are_all_new_are_bounded_together(comers, monkeypatch):
    monkeypatch.setattr(arrivals, "REMEMBERED", 7_000)
    pace, at_once = arrivals.PACES["http"]
    most = int(at_once + strangers.LONG * pace)

    async def made_up(first: int, names: int) -> list[float]:
        return [await comers.wait("http", f"2001:db8:{first + name:x}::1") for name in range(names)]

    async def come() -> None:
        for _ in range(70):
            await comers.wait("http", "192.0.2.1")
        waited = await made_up(0, most + 500)
        heard = [seconds for seconds in waited if seconds < REFUSED]
        assert most - 100 < len(heard) <= most
        assert max(heard) <= strangers.LONG + 1
        assert await comers.wait("http", "192.0.2.1") == 0.0, "it came before them, and is quiet"
        await made_up(most + 500, 1_000)
        assert len(comers.arrivals._lately) == 7_000

    asyncio.run(come())
