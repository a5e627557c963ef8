"""Who waits, and who is next."""

import asyncio

import pytest

from components.access import lanes
from components.access.lanes import Lane


def played(play):
    """Play within a time that a busy machine keeps, too."""

    async def within() -> object:
        async with asyncio.timeout(60):
            return await play

    return asyncio.run(within())


async def come(lane: Lane, of: str, order: list[str], counted: bool = True) -> None:
    async with lane.turn(of) as has_it:
        order.append(of if has_it else f"not {of}")
        if has_it and counted:
            lane.note(of)
        await asyncio.sleep(0)


async def crowd(lane: Lane, *comers: str) -> list[str]:
    order: list[str] = []
    async with lane.turn("first"):
        coming = [asyncio.create_task(come(lane, one, order)) for one in comers]
        await asyncio.sleep(0)
    await asyncio.gather(*coming)
    return order


def test_who_came_least_lately_is_next():
    assert played(crowd(Lane(9), "a", "a", "a", "b", "b", "new")) == [
        *("a", "b", "new"),
        *("a", "b", "a"),
    ]


def test_where_too_many_wait_the_last_of_those_goes_of_whom_most_wait():
    order = played(crowd(Lane(4), "a", "a", "b", "b", "a", "new"))
    assert order == ["not a", "not b", "a", "b", "new", "a"]


def test_who_came_often_gives_way_to_who_never_did():
    async def play() -> list[str]:
        lane = Lane(3)
        for of in ("a", "b", "c"):
            await come(lane, of, [])
        return await crowd(lane, "a", "b", "c", "new")

    assert played(play()) == ["not c", "new", "a", "b"]


def test_what_is_long_ago_is_held_against_nobody(monkeypatch):
    lane, now = Lane(3), [1_000.0]
    monkeypatch.setattr(lanes.time, "monotonic", lambda: now[0])
    lane.note("a")
    assert lane._lately("a") == 1
    now[0] += lanes.FORGOTTEN + 1
    assert lane._lately("a") == 0


@pytest.mark.parametrize("has_it", [False, True])
def test_who_goes_away_meanwhile_holds_up_nobody(has_it):
    async def play() -> list[str]:
        lane, order = Lane(3), list[str]()
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
