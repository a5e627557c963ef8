"""Dealing: overlap exact, loads even, repeats late, sides balanced; and all of it still so when
seats come and go.
"""

from collections import Counter, defaultdict
from itertools import combinations, pairwise
from math import ceil
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.records import Assignment, ItemKey, StudyPlan, StudyUnit, Task, UnitKey
from core.studies import sharing
from core.studies.dealing import deal, deal_model, orient
from core.studies.sharing import lacking
from tests.support.sessions import studies_kit as kit

METHODS = ("m1", "m2", "m3", "m4")


class Table:
    """A study's lists in memory, dealt as the organiser deals them, with experts who open and
    answer.
    """

    def __init__(self, task: Task, texts: int, attention: int = 0, **over: object):
        self.plan = kit.plan(task, attention=attention, **over)
        labels = [f"A{n}" for n in range(1, texts + 1)]
        self.items = {
            label: ItemKey(label=label, title=label, method=METHODS[n % len(METHODS)])
            for n, label in enumerate(labels)
        }
        self.work = units(self.plan, labels, self.items)
        known = tuple(
            StudyUnit(id=f"u{900 + n}", labels=(f"Z{n}", f"Y{n}")[: len(self.work[0].labels)])
            for n in range(attention)
        )
        self.units, self.keys = (
            (*self.work, *known),
            {one.id: UnitKey(unit=one.id, attention=True) for one in known},
        )
        self.live: list[str] = []
        self.rows: dict[tuple[str, str, int], Assignment] = {}

    def deal(self) -> None:
        new, gone = deal(
            self.plan, self.units, self.keys, self.items, self.live, tuple(self.rows.values())
        )
        for spot in gone:
            assert not self.rows[tuple(spot)].opened, "taken away though opened"
            del self.rows[tuple(spot)]
        for one in new:
            assert (one.seat, one.unit, one.time) not in self.rows, "put on a list twice"
            self.rows[one.seat, one.unit, one.time] = one

    def leave(self, seat: str) -> None:
        self.live.remove(seat)

    def work_on(self, seat: str, units: int, leave_open: bool) -> None:
        """Answer so many units in order, and leave the next one open."""
        ahead = [one for one in self.of(seat) if not one.done]
        for n, one in enumerate(ahead[: units + leave_open]):
            done = {} if n >= units else {"stage": one.stages}
            self.rows[one.seat, one.unit, one.time] = one.model_copy(
                update={"opened": "2026-01-01T00:00:00.000+00:00", **done}
            )

    def of(self, seat: str) -> list[Assignment]:
        return sorted(
            (one for one in self.rows.values() if one.seat == seat), key=lambda one: one.position
        )

    def firsts(self, seat: str) -> list[Assignment]:
        return [one for one in self.of(seat) if one.time == 1 and one.unit not in self.keys]

    def overlaps(self) -> list[int]:
        """Return how many seats answer each unit, or still can."""
        held = Counter(
            one.unit
            for one in self.rows.values()
            if one.time == 1 and (one.done or one.seat in self.live)
        )
        return [held[one.id] for one in self.work]


def units(plan: StudyPlan, labels: list[str], items: dict[str, ItemKey]) -> tuple[StudyUnit, ...]:
    match plan.task:
        case "rank":
            found = [
                (tuple(labels[n : n + 3]), name.name)
                for n in range(0, len(labels) - 2, 3)
                for name in plan.criteria
            ]
        case "compare":
            found = [
                (pair, "")
                for pair in combinations(labels, 2)
                if items[pair[0]].method != items[pair[1]].method
            ]
        case _:
            found = [((label,), "") for label in labels]
    return tuple(
        StudyUnit(id=f"u{n:03d}", labels=one, criterion=name)
        for n, (one, name) in enumerate(found, 1)
    )


tables = st.builds(
    lambda task, texts, attention, repeats, overlap, seed: Table(
        task, texts, attention, repeats=repeats, overlap=overlap, seed=seed
    ),
    st.sampled_from(("rate", "rank", "compare", "comment")),
    st.integers(3, 14),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(1, 4),
    st.integers(0, 99),
)


def seated(table: Table, experts: int) -> Table:
    table.live = [f"s{n}" for n in range(experts)]
    table.deal()
    return table


@settings(max_examples=150)
@given(tables, st.integers(0, 5))
def test_a_fresh_deal_is_exact_and_even(table: Table, more: int):
    seated(table, table.plan.overlap + more)
    assert set(table.overlaps()) == {table.plan.overlap}
    loads = [len(table.firsts(seat)) for seat in table.live]
    bundle = len(table.plan.criteria) if table.plan.task == "rank" else 1
    assert max(loads) - min(loads) <= bundle
    for seat in table.live:
        a_list_as_it_should_be(table, seat)


def a_list_as_it_should_be(table: Table, seat: str) -> None:
    mine = table.of(seat)
    work = len(table.firsts(seat))
    assert [one.position for one in mine] == list(range(1, len(mine) + 1))
    assert len({(one.unit, one.time) for one in mine}) == len(mine)
    assert sum(one.unit in table.keys for one in mine) == (table.plan.attention if work else 0)
    assert sum(one.time == 2 for one in mine) == min(table.plan.repeats, work // 2)
    assert not mine or (mine[0].unit not in table.keys and mine[0].time == 1)
    first = {one.unit: one for one in mine if one.time == 1}
    known = {one.id: one for one in table.units}
    for one in mine:
        assert sorted(one.shown) == sorted(known[one.unit].labels)
        if one.time == 2:
            assert one.unit not in table.keys
            assert one.position - first[one.unit].position >= ceil(len(mine) / 3)
            if table.plan.task == "compare":
                assert one.shown == first[one.unit].shown[::-1]
    if table.plan.task == "compare":
        assert set(map(abs, lefts(table, seat).values())) <= {0, 1}


def lefts(table: Table, seat: str) -> Counter[str]:
    """Return how much more often each source stands left than right, first times counted."""
    more: Counter[str] = Counter()
    for one in table.firsts(seat):
        more[table.items[one.shown[0]].method] += 1
        more[table.items[one.shown[1]].method] -= 1
    return more


@settings(max_examples=150)
@given(
    tables,
    st.integers(0, 4),
    st.lists(
        st.tuples(
            st.sampled_from(("add", "leave", "work", "work and look on")), st.integers(0, 20)
        ),
        max_size=8,
    ),
)
@example(  # a seat holds one criterion of a set whose other lacks an answer
    Table("rank", 6, 0, repeats=0, overlap=4, seed=0),
    2,
    [("work", 3), ("leave", 0), ("leave", 12), ("leave", 0)],
)
def test_seats_come_and_go(table: Table, more: int, story: list[tuple[str, int]]):
    seated(table, table.plan.overlap + more)
    for n, (what, which) in enumerate(story):
        kept = {spot: one for spot, one in table.rows.items() if one.opened}
        if what == "add":
            table.live.append(f"late{n}")
        elif table.live and what == "leave":
            table.leave(table.live[which % len(table.live)])
        elif table.live:
            table.work_on(table.live[which % len(table.live)], which % 5, "look" in what)
            continue
        table.deal()
        assert all(table.rows[spot] == one for spot, one in kept.items()), "what was opened changed"
        as_near_as_possible(table)


def as_near_as_possible(table: Table) -> None:
    overlap = table.plan.overlap
    held = defaultdict(set)
    for one in table.rows.values():
        if one.time == 1 and (one.done or one.seat in table.live):
            held[one.unit].add(one.seat)
    for one in table.work:
        can = len(held[one.id] | set(table.live))
        assert len(held[one.id]) == min(overlap, can) or (len(held[one.id]) > overlap and not can)
    assert lacking(
        overlap, [one.id for one in table.work], table.live, tuple(table.rows.values())
    ) == sum(max(0, overlap - n) for n in table.overlaps())
    for one, other in combinations(table.live, 2):
        high, low = sorted((one, other), key=lambda seat: len(table.firsts(seat)), reverse=True)
        bundle = len(table.plan.criteria) if table.plan.task == "rank" else 1
        if len(table.firsts(high)) - len(table.firsts(low)) > bundle:
            assert not movable(table, high, low), "a unit could have gone to a seat with less to do"


def movable(table: Table, high: str, low: str) -> list[str]:
    known = {one.id: one.labels for one in table.units}
    theirs = {known[one.unit] for one in table.firsts(low)}
    held = {known[one.unit] for one in table.firsts(high) if one.opened}
    return [one.unit for one in table.firsts(high) if known[one.unit] not in theirs | held]


def test_a_seat_added_late_takes_its_share():
    table = seated(Table("rate", 12, overlap=2), 3)
    for seat in table.live:
        table.work_on(seat, 2, True)
    table.live.append("late")
    table.deal()
    assert [len(table.firsts(seat)) for seat in table.live] == [6, 6, 6, 6]
    assert set(table.overlaps()) == {2}


def test_even_loads_are_found_along_a_way_over_others():
    """The seat with most has one unit unopened, which the seat with least holds already: it can
    only give to one that gives on.
    """
    table = Table("rate", 8, overlap=1)
    table.live = ["a", "b", "c"]
    held = {
        "a": ("u001", "u002x", "u003x", "u004x"),
        "b": ("u005", "u006x", "u007x"),
        "c": ("u001x", "u008x"),
    }
    for seat, mine in held.items():
        for n, unit in enumerate(mine, 1):
            table.rows[seat, unit[:4], 1] = Assignment(
                seat=seat, unit=unit[:4], position=n, shown=("A1",), opened=unit[4:]
            )
    table.deal()
    assert [len(table.firsts(seat)) for seat in table.live] == [3, 3, 3]
    assert {one.unit for one in table.firsts("c")} == {"u001", "u008", "u005"}


def test_how_often_experts_meet_is_read_from_their_lists():
    table = seated(Table("rank", 12, overlap=3), 6)
    for seat in table.live:
        table.work_on(seat, 3, True)
    table.leave("s0")
    work = {one.id: one for one in table.work}
    read = sharing._Table(3, work, table.live, tuple(table.rows.values()), Random(0), {})
    held = [{one.unit for one in table.firsts(seat)} for seat in table.live]
    assert read._met.tolist() == [
        [0 if one is other else len(one & other) for other in held] for one in held
    ]


def test_lists_are_gone_through_as_often_for_many_seats_as_for_few():
    class Lists(tuple[Assignment, ...]):
        times = 0

        def __iter__(self):
            self.times += 1
            return super().__iter__()

    def times(experts: int) -> int:
        table = seated(Table("rate", 12, overlap=2), experts)
        table.leave("s0")
        lists = Lists(table.rows.values())
        new, _ = deal(table.plan, table.units, table.keys, table.items, table.live, lists)
        assert new
        return lists.times

    assert times(4) == times(12)


def test_nothing_to_change_changes_nothing():
    table = seated(Table("compare", 8, 2, overlap=2), 4)
    assert deal(
        table.plan, table.units, table.keys, table.items, table.live, tuple(table.rows.values())
    ) == ((), ())


def test_what_left_unanswered_goes_to_others_and_what_is_answered_stays():
    table = seated(Table("rate", 10, overlap=2, repeats=0), 4)
    leaver = table.live[0]
    table.work_on(leaver, 2, True)
    answered, opened = [one.unit for one in table.of(leaver)[:2]], table.of(leaver)[2].unit
    table.leave(leaver)
    table.deal()
    assert set(table.overlaps()) == {2}
    holders = Counter(one.unit for one in table.rows.values() if one.seat in table.live)
    assert [holders[unit] for unit in answered] == [1, 1]
    assert holders[opened] == 2, "an opened unit nobody can answer any more must go to another"


def test_the_seed_decides():
    def drawn(seed: int) -> list[tuple[str, tuple[str, ...]]]:
        table = seated(Table("compare", 8, overlap=2, seed=seed), 3)
        return [(one.unit, one.shown) for one in table.of("s0")]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_every_two_experts_meet_about_equally_often():
    """8 experts, 30 units, 3 answers each: 90 meetings among 28 pairs are 3.2 each; drawn freely,
    they spread from 0 to 8.
    """
    for seed in range(10):
        table = seated(Table("rate", 30, overlap=3, repeats=0, seed=seed), 8)
        held = {seat: {one.unit for one in table.firsts(seat)} for seat in table.live}
        met = [len(held[one] & held[other]) for one, other in combinations(table.live, 2)]
        assert sum(met) == 90
        assert min(met) >= 1
        assert max(met) <= 6, sorted(met)


def test_order_is_by_chance():
    """No unit is always early: over many seats each of ten units stands in every third of the
    list.
    """
    table = seated(Table("rate", 10, overlap=40, repeats=0), 40)
    for one in table.work:
        stood = [
            place.position
            for seat in table.live
            for place in table.of(seat)
            if place.unit == one.id
        ]
        assert min(stood) <= 3
        assert max(stood) >= 8


def test_criteria_of_a_set_stay_with_one_expert_in_one_order():
    table = seated(Table("rank", 12, overlap=2, repeats=0), 4)
    for seat in table.live:
        mine = table.firsts(seat)
        for one, other in pairwise(mine):
            if set(one.shown) == set(other.shown):
                assert one.shown == other.shown
        sets = Counter(tuple(sorted(one.shown)) for one in mine)
        assert set(sets.values()) == {2}


def test_repeated_sets_are_shown_in_another_order_by_chance():
    orders = []
    for seed in range(12):
        table = seated(Table("rank", 6, overlap=1, repeats=1, seed=seed), 1)
        again = next(one for one in table.of("s0") if one.time == 2)
        orders.append(again.shown != table.rows["s0", again.unit, 1].shown)
    assert sum(orders) >= 6


def test_a_model_judges_every_unit_once_and_pairs_in_both_orders():
    table = Table("compare", 8, 2)
    mine = deal_model(table.plan, table.units, table.keys, table.items, "model")
    assert [one.position for one in mine] == list(range(1, len(mine) + 1))
    first = {one.unit: one.shown for one in mine if one.time == 1}
    assert set(first) == {one.id for one in table.work}
    assert {one.unit: one.shown[::-1] for one in mine if one.time == 2} == first
    rated = Table("rate", 5, 1)
    assert [
        (one.unit, one.time)
        for one in deal_model(rated.plan, rated.units, rated.keys, rated.items, "m")
    ] == [(one.id, 1) for one in rated.work]


# -- sides -------------------------------------------------------------------------------------

pairs = st.lists(st.tuples(st.sampled_from("ABCDEF"), st.sampled_from("ABCDEF")), max_size=20)


@settings(max_examples=100)
@given(pairs, st.randoms(use_true_random=False))
def test_any_pairs_can_be_balanced(drawn: list[tuple[str, str]], chance: object):
    """An Eulerian orientation: each source's difference is the parity of how often it appears."""
    named = {f"u{n}": pair for n, pair in enumerate(drawn)}
    sides = orient(named, {}, [], chance)
    assert {name: tuple(sorted(one)) for name, one in sides.items()} == {
        name: tuple(sorted(one)) for name, one in named.items()
    }
    for source in "ABCDEF":
        difference = sum((one[0] == source) - (one[1] == source) for one in sides.values())
        assert abs(difference) == sum(source in one and one[0] != one[1] for one in drawn) % 2


@given(
    pairs.filter(lambda some: len(some) <= 8),
    pairs.filter(lambda some: len(some) <= 8),
    st.randoms(use_true_random=False),
)
def test_fixed_sides_are_made_up_for_as_far_as_it_goes(
    free: list[tuple[str, str]], fixed: list[tuple[str, str]], chance: object
):
    """Against every way of turning the free pairs, by brute force."""

    def squares(turned: list[tuple[str, str]]) -> int:
        more = Counter(one[0] for one in turned)
        more.subtract(Counter(one[1] for one in turned))
        return sum(n * n for n in more.values())

    sides = orient({f"u{n}": pair for n, pair in enumerate(free)}, {}, fixed, chance)
    best = min(
        squares([*fixed, *(pair[::-1] if bits >> n & 1 else pair for n, pair in enumerate(free))])
        for bits in range(1 << len(free))
    )
    assert squares([*fixed, *sides.values()]) == best


def test_models_of_one_method_stand_left_as_often_as_right():
    table = Table("compare", 8, overlap=2, seed=3)
    table.items = {
        label: key.model_copy(update={"method": "m", "model": f"model {n % 2}"})
        for n, (label, key) in enumerate(table.items.items())
    }
    pairs = [
        pair
        for pair in combinations(sorted(table.items), 2)
        if table.items[pair[0]].model != table.items[pair[1]].model
    ]
    table.units = table.work = tuple(
        StudyUnit(id=f"u{n:03d}", labels=pair) for n, pair in enumerate(pairs, 1)
    )
    seated(table, 4)
    for seat in table.live:
        left = Counter(table.items[one.shown[0]].model for one in table.firsts(seat))
        assert left["model 0"] == left["model 1"] == 4, (seat, left)


def test_nobody_is_asked_to_take_over_what_is_opened(monkeypatch):
    table = Table("rate", 24, overlap=2, repeats=0)
    for n in range(6):
        table.live.append(f"s{n}")
    table.deal()
    for seat in table.live:
        table.work_on(seat, len(table.of(seat)), False)
    asked = []
    has_room = sharing._Table._has_room
    monkeypatch.setattr(
        sharing._Table, "_has_room", lambda *given: asked.append(given) or has_room(*given)
    )
    table.live.append("new")
    table.deal()
    assert asked == []
    assert table.of("new") == []
