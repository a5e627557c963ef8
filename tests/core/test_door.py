"""The door: the right password, tickets that run out, waits after failed tries."""

import contextlib
import threading
import time
from inspect import signature

import pytest

from core import door as doors
from core import settings
from core.door import (
    ADDRESSES,
    AHEAD,
    CROWD,
    LASTS,
    Door,
    Slowing,
    TooSoon,
    on_this_machine,
    organises,
)
from core.errors import BadInput
from core.store import Store, upkeep
from tests.support.gate_kit import enter

PASSWORD = "a fine pass phrase"
HOME = "192.0.2.7"


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(store, clock) -> Door:
    return Door(store, PASSWORD, clock, clock)


def test_the_right_password_opens_for_twelve_hours(door, clock):
    ticket = enter(door, PASSWORD, HOME)
    assert door.standing(ticket) == "in"
    clock.time += LASTS - 1
    assert door.standing(ticket) == "in"
    clock.time += 1
    assert door.standing(ticket) == "expired"


@pytest.mark.parametrize(
    "wrong",
    ["", "a fine pass phras", "a fine pass phrase ", "A fine pass phrase", "x" * 5_000, "\udcff"],
)
def test_any_other_password_is_refused(door, wrong):
    with pytest.raises(BadInput, match="not the password"):
        enter(door, wrong, HOME)


def test_a_password_may_be_typed_on_another_keyboard(store, clock):
    assert enter(Door(store, "caf\u00e9 au lait", clock), "cafe\u0301 au lait", HOME)


def test_a_ticket_that_was_touched_is_unknown(door, clock):
    until, nonce, signature = enter(door, PASSWORD, HOME).split(".")
    for forged in (
        f"{int(until) + 1}.{nonce}.{signature}",
        f"{until}.{'0' * 16}.{signature}",
        f"{until}.{nonce}.{'0' * 64}",
        f"{until}.{nonce}.",
        f"{until}.{nonce}",
        "",
        ".",
        "..",
        "..é",
        f"{until}.{nonce}.{signature}.x",
        "\x00",
    ):
        assert door.standing(forged) == "unknown", forged


def test_a_restart_signs_nobody_out_and_another_password_everybody(tmp_path, clock):
    ticket = enter(Door(Store(tmp_path), PASSWORD, clock), PASSWORD, HOME)
    assert Door(Store(tmp_path), PASSWORD, clock).standing(ticket) == "in"
    assert Door(Store(tmp_path), PASSWORD + "!", clock).standing(ticket) == "unknown"
    assert Door(Store(tmp_path / "other"), PASSWORD, clock).standing(ticket) == "unknown"


def test_a_ticket_handed_back_opens_nothing_on_any_server_and_others_stay_good(door, store, clock):
    mine, other = enter(door, PASSWORD, HOME), enter(door, PASSWORD, HOME)
    door.leave(mine)
    elsewhere = Door(Store(store.folder), PASSWORD, clock)
    assert (elsewhere.standing(mine), elsewhere.standing(other)) == ("left", "in")
    door.leave("123.456.789")  # Who has no ticket cannot fill the table.
    assert len(store.connections.rows("SELECT * FROM door WHERE kind = 'left'")) == 1


def test_a_ticket_handed_back_stays_so_whatever_the_clock_is_set_to(tmp_path, clock):
    door = Door(Store(tmp_path), PASSWORD, clock, clock)
    early, late = enter(door, PASSWORD, HOME), enter(door, PASSWORD, HOME)
    door.leave(early)
    clock.time += LASTS + 1  # Wrongly, for a while; meanwhile others sign out.
    door.leave(late)
    door.leave(enter(door, PASSWORD, HOME))
    clock.time -= LASTS + 1
    assert [
        Door(Store(tmp_path), PASSWORD, clock).standing(ticket) for ticket in (early, late)
    ] == ["left", "left"]


def test_wiping_the_data_signs_nobody_out_and_back_in(door, store):
    mine, left = enter(door, PASSWORD, HOME), enter(door, PASSWORD, HOME)
    door.leave(left)
    upkeep.wipe(store)
    assert (door.standing(mine), door.standing(left)) == ("in", "left")


def test_neither_the_password_nor_its_hash_is_stored(door, store):
    ticket = enter(door, PASSWORD, HOME)
    kept = b"".join(path.read_bytes() for path in store.folder.iterdir())
    key = doors._key(PASSWORD, store.door.salt())
    assert not any(
        secret in kept for secret in (PASSWORD.encode(), key, key.hex().encode(), ticket.encode())
    )


def test_waits_double_up_to_a_minute_and_are_said(door, clock):
    waits = []
    for _ in range(9):
        with pytest.raises(BadInput, match="not the password"):
            enter(door, "wrong", HOME)
        with pytest.raises(TooSoon, match="Wait") as refused:
            enter(door, PASSWORD, HOME)
        waits.append(refused.value.seconds)
        clock.time += refused.value.seconds
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert enter(door, PASSWORD, HOME)
    with pytest.raises(BadInput, match="not the password"):
        enter(door, "wrong", HOME)  # At once: who came in starts from nothing.


def test_one_address_does_not_slow_another_but_its_neighbours_in_one_network(clock):
    slow = Slowing(clock)
    for first, second, together in (
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:198.51.100.1", "::ffff:198.51.100.2", False),
        ("::ffff:203.0.113.5", "203.0.113.5", True),
    ):
        slow.begin(first)
        if together:
            with pytest.raises(TooSoon):
                slow.begin(second)
        else:
            slow.begin(second)


def test_a_try_too_soon_is_not_counted_and_old_ones_are_forgotten(clock):
    slow = Slowing(clock)
    slow.begin(HOME)
    for _ in range(50):
        with pytest.raises(TooSoon, match="Wait 1 second,"):
            slow.begin(HOME)
    for _ in range(5):
        clock.time += 60
        slow.begin(HOME)
    clock.time += doors.FORGIVEN
    slow.begin(HOME)
    with pytest.raises(TooSoon, match="Wait 1 second,"):
        slow.begin(HOME)


def address(n: int) -> str:
    return f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}"


def test_many_addresses_take_bounded_memory_and_buy_no_tries(clock):
    slow, tries = Slowing(clock), 0
    for n in range(2 * ADDRESSES):
        try:
            slow.begin(address(n))
            tries += 1
        except TooSoon:
            pass
    assert tries == CROWD
    assert len(slow._tries) == ADDRESSES


def test_who_has_more_addresses_than_are_remembered_locks_nobody_out(clock, monkeypatch):
    monkeypatch.setattr(doors, "ADDRESSES", 200)
    slow, came = Slowing(clock), 0

    def attack(seconds: int) -> None:
        nonlocal came
        for _ in range(2 * seconds):
            clock.time += 0.5
            came += 1
            with contextlib.suppress(TooSoon):
                slow.begin(address(came % 300))

    attack(1_000)
    with pytest.raises(TooSoon) as told:
        slow.begin(HOME)
    attack(told.value.seconds)
    slow.begin(HOME)


def test_wrong_tries_from_many_addresses_slow_every_other_but_nobody_is_locked_out(door, clock):
    def attack(first: int, many: int) -> int:
        """Try once from so many addresses that never tried, and return how many tries were looked
        at.
        """
        looked = 0
        for n in range(first, first + many):
            try:
                enter(door, "wrong", address(n))
            except TooSoon:
                pass
            except BadInput:
                looked += 1
        return looked

    assert attack(0, 200) == CROWD
    with pytest.raises(TooSoon, match=r"from other addresses\. Wait 1 second,") as told:
        enter(door, PASSWORD, HOME)
    for second in range(told.value.seconds):  # The attack goes on, and begins nobody's wait anew.
        clock.time += 1
        attack(1_000 + 50 * second, 50)
    ticket = enter(door, PASSWORD, HOME)
    assert door.standing(ticket) == "in"


def test_the_wait_for_all_grows_to_a_minute_at_most_and_ends_after_an_attack(clock):
    slow, many = Slowing(clock), [address(n) for n in range(2 * CROWD)]
    waits: list[int] = []
    for _ in range(3):
        for one in many:
            with contextlib.suppress(TooSoon):
                slow.begin(one)
        with pytest.raises(TooSoon) as refused:
            slow.begin(f"203.0.113.{len(waits)}")
        waits.append(refused.value.seconds)
        clock.time += refused.value.seconds
    assert waits == [1, 60, 60]
    clock.time += doors.EASE * (doors.CROWD_MOST - CROWD + 2)
    slow.begin("203.0.113.9")


def test_a_browser_that_signed_in_before_is_slowed_by_its_own_tries_alone(store, clock):
    door = Door(store, PASSWORD, clock, clock)
    earlier = enter(door, PASSWORD, HOME)
    for n in range(100):
        with pytest.raises(BadInput):
            enter(door, "wrong", address(n), f"{int(clock.time)}.{n:016x}.{'0' * 64}")
    with pytest.raises(TooSoon):
        enter(door, PASSWORD, "198.51.100.4")
    clock.time += LASTS
    for n in range(CROWD):
        with pytest.raises(BadInput):
            enter(door, "wrong", address(n))
    with pytest.raises(TooSoon):
        enter(door, PASSWORD, "198.51.100.5")
    with pytest.raises(BadInput, match="not the password"):
        enter(door, "wrong", HOME, earlier)
    with pytest.raises(TooSoon, match="Wait 1 second,"):
        enter(door, PASSWORD, HOME, earlier)
    clock.time += 1
    assert enter(door, PASSWORD, HOME, earlier)


def test_waits_go_by_a_clock_that_nobody_sets(store, clock):
    door = Door(store, PASSWORD, clock, Clock())
    with pytest.raises(BadInput, match="not the password"):
        enter(door, "wrong", HOME)
    for moved in (-1_000_000.0, 2_000_000.0):
        clock.time += moved
        with pytest.raises(TooSoon) as refused:
            enter(door, PASSWORD, HOME)
        assert refused.value.seconds == 1
    assert signature(Door).parameters["waits"].default is time.monotonic


def test_of_many_tries_at_once_one_is_looked_at(door):
    said: list[str] = []

    def attempt() -> None:
        try:
            enter(door, "wrong", HOME)
        except BadInput as error:
            said.append(type(error).__name__)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(said) == ["BadInput"] + ["TooSoon"] * 11


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("::1", True),
        ("[::1]", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.4", False),
        ("", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.nip.io", False),
        ("fe80::1%eth0", False),
        ("::1%lo", True),
        ("127.0.0.1%evil.example", False),
        ("localhost:evil.example", False),
    ],
)
def test_only_loopback_is_this_machine(host, here):
    assert on_this_machine(host) is here


@pytest.mark.parametrize(
    ("email", "may"),
    [
        ("ada@lab.example", True),
        ("ADA@lab.example ", True),
        ("eve@lab.example", False),
        ("bob@uni.example", True),
        ("bob@sub.uni.example", False),
        ("bob@uni.example@evil.example", False),
        ("evil@x@uni.example", False),
        ("@uni.example", False),
        ("", False),
        ("uni.example", False),
    ],
)
def test_organisers_are_named_by_address_or_domain(email, may):
    assert (
        organises(
            email, settings.read({"FOUNDRY_ORGANISERS": "Ada@lab.example, @uni.example"}).organisers
        )
        is may
    )


@pytest.mark.parametrize(
    ("email", "may"),
    [
        ("x@straße.example", True),
        ("x@STRAẞE.example", True),
        ("x@xn--strae-oqa.example", True),
        ("x@strasse.example", False),
        ("x@ﬆraße.example", False),
        ("x@stra\u00dfe\u200b.example", False),
        ("x@süd_.straße.example", False),
        ("mark@lab.example", True),
        ("MARK@LAB.example", True),
        ("mar\u212a@lab.example", False),
        ("weiß@lab.example", True),
        ("weiss@lab.example", False),
    ],
)
def test_letters_of_other_names_organise_nothing(email, may):
    given = {"FOUNDRY_ORGANISERS": "@Straße.example, mark@lab.example, Weiß@lab.example"}
    assert organises(email, settings.read(given).organisers) is may


def test_settings_refuse_a_domain_that_there_cannot_be():
    with pytest.raises(BadInput, match=r"'@süd_\.example' has no domain that there can be"):
        settings.read({"FOUNDRY_ORGANISERS": "@süd_.example"})


def test_settings_refuse_a_short_password_and_show_none():
    with pytest.raises(BadInput, match="FOUNDRY_PASSWORD is not usable") as refused:
        settings.read({"FOUNDRY_PASSWORD": "seven77"})
    assert "seven77" not in str(refused.value)
    assert PASSWORD not in repr(settings.read({"FOUNDRY_PASSWORD": PASSWORD}))
    assert settings.read({"FOUNDRY_PASSWORD": ""}).password is None


@pytest.mark.parametrize("given", ["ada", "a b@lab.example", "ada@", "lab.example"])
def test_settings_refuse_what_names_no_organiser(given):
    with pytest.raises(BadInput, match="FOUNDRY_ORGANISERS is not usable"):
        settings.read({"FOUNDRY_ORGANISERS": given})


def test_a_try_that_was_put_off_counts_for_nothing(clock):
    slow = Slowing(clock)
    for _ in range(50):
        slow.put_off(HOME, "", slow.begin(HOME))
    slow.begin(HOME)
    with pytest.raises(TooSoon, match="Wait 1 second,"):
        slow.begin(HOME)


def test_a_try_that_was_put_off_late_takes_no_wait_of_a_later_one(clock):
    slow = Slowing(clock)
    first = slow.begin(HOME)
    clock.time += 1
    slow.begin(HOME)
    slow.put_off(HOME, "", first)
    with pytest.raises(TooSoon, match="Wait 2 seconds,"):
        slow.begin(HOME)


def test_a_ticket_made_while_the_clock_was_ahead_is_worth_nothing(tmp_path):
    now = [2e9]
    door = Door(Store(tmp_path), PASSWORD, lambda: now[0])
    ticket = enter(door, PASSWORD, HOME)
    now[0] -= AHEAD
    assert door.standing(ticket) == "in"
    now[0] -= 1
    assert door.standing(ticket) == "expired"
