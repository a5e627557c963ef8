"""Who waits, and who is next."""

import asyncio

import pytest

from components.access import lanes
from components.access.lanes import FairLane


def played(play):
    """Play within a time that a busy machine keeps, too."""

    async def within() -> object:
        async with asyncio.timeout(60):
            return await play

    return asyncio.run(within())


async def come(lane: FairLane, of: str, order: list[str]) -> None:
    async with lane.turn(of) as has_it:
        order.append(of if has_it else f"not {of}")
        await asyncio.sleep(0)


async def crowd(lane: FairLane, *comers: str) -> list[str]:
    order: list[str] = []
    async with lane.turn("first"):
        coming = [asyncio.create_task(come(lane, one, order)) for one in comers]
        await asyncio.sleep(0)
    await asyncio.gather(*coming)
    return order


@pytest.fixture
def strict(monkeypatch):
    """Every time counts."""
    monkeypatch.setattr(lanes, "FEW", 0)


def test_who_came_least_lately_is_next(strict):
    assert played(crowd(FairLane(9), "a", "a", "a", "b", "b", "new")) == [
        *("a", "b", "new"),
        *("a", "b", "a"),
    ]


def test_a_few_times_are_held_against_nobody():
    came = ("a", "a", "a", "a", "b", "b", "new")
    assert played(crowd(FairLane(9), *came)) == ["a", "a", "a", "b", "b", "new", "a"]


def test_where_too_many_wait_the_last_of_those_goes_of_whom_most_wait():
    order = played(crowd(FairLane(4), "a", "a", "b", "b", "a", "new"))
    assert order[0] == "not a"
    assert order[1] in ("not a", "not b")
    assert order.count("new") == 1
    assert len(order) == 6


def test_who_came_often_gives_way_to_who_never_did(strict):
    async def play() -> list[str]:
        lane = FairLane(3)
        for of in ("a", "b", "c"):
            await come(lane, of, [])
        return await crowd(lane, "a", "b", "c", "new")

    out, first, *others = played(play())
    assert (out[:4], first, len(others)) == ("not ", "new", 2)


def test_of_many_that_are_alike_chance_says_who_goes(monkeypatch):
    offered = []

    def chosen(alike: list[str]) -> str:
        offered.append(alike)
        return alike[0]

    monkeypatch.setattr(lanes._by_chance, "choice", chosen)
    order = played(crowd(FairLane(2), "a", "b", "new"))
    assert (order, offered) == (["not a", "b", "new"], [["a", "b", "new"]])


def test_a_success_makes_all_that_was_before_forgotten(strict):
    async def play() -> list[str]:
        lane = FairLane(9)
        for _ in range(3):
            await come(lane, "a", [])
        await come(lane, "b", [])
        lane.forgive("a")
        return await crowd(lane, "b", "a")

    assert played(play()) == ["a", "b"]


def test_nobody_waits_without_end(monkeypatch):
    monkeypatch.setattr(lanes, "LONG", 0.01)

    async def play() -> list[str]:
        lane, order = FairLane(3), list[str]()
        async with lane.turn("first"):
            await come(lane, "a", order)
        await come(lane, "b", order)
        assert lane.waiting() == 0
        return order

    assert played(play()) == ["not a", "b"]


def test_what_is_long_ago_is_held_against_nobody(monkeypatch):
    lane, now = FairLane(3), [1_000.0]
    monkeypatch.setattr(lanes.time, "monotonic", lambda: now[0])
    assert [lane._note("a") for _ in range(2)] == [1, 2]
    now[0] += lanes.FORGOTTEN + 1
    assert lane._note("a") == 1


@pytest.mark.parametrize("has_it", [False, True])
def test_who_goes_away_meanwhile_holds_up_nobody(has_it):
    async def play() -> list[str]:
        lane, order = FairLane(3), list[str]()
        async with lane.turn("first"):
            gone = asyncio.create_task(come(lane, "gone", order))
            later = asyncio.create_task(come(lane, "later", order))
            await asyncio.sleep(0)
            if not has_it:
                gone.cancel()
                await asyncio.sleep(0)
        gone.cancel()
        await later
        return order

    assert played(play()) == ["later"]
