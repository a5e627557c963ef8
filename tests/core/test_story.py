"""A run read back: branches told apart, growing chains in time order, runs of earlier versions
still readable.
"""

from core.records import Chain, Direction, Idea, Link, Outcome, Paper, Selection
from core.store.steps import Product
from core.story import Branch, Story
from tests.conftest import make_run


def link(year: int, hop: str, distance: int) -> Link:
    return Link(
        paper=Paper(id=f"p{year}", title=f"Study {year}", year=year), hop=hop, distance=distance
    )


def put(store, run, *named):
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    for n, (name, record) in enumerate(named):
        store.steps.show(
            run.id,
            Product(
                name=name,
                kind=type(record).__name__,
                data=record.model_dump(mode="json"),
                place=f"{n:04d}",
            ),
            epoch,
        )
    return Story.of(store, run.id)


def test_branches_are_told_apart_by_where_their_records_were_made(store):
    story = put(
        store,
        make_run(store),
        ("branch-2/idea-1/direction", Direction(direction="B", reasoning="r")),
        ("branch-10/idea-1/direction", Direction(direction="C", reasoning="r")),
        ("branch-1/anchor", link(2018, "anchor", 0)),
    )
    assert [
        (branch.n, branch.direction and branch.direction.direction) for branch in story.branches
    ] == [(1, None), (2, "B"), (10, "C")]
    assert story.branches[1].place(Direction) == "branch-2/idea-1/direction"


def test_a_chain_is_in_time_order_while_it_grows_and_what_was_cut_is_gone(store):
    grown = put(
        store,
        make_run(store),
        ("branch-1/anchor", link(2018, "anchor", 0)),
        ("branch-1/forward-1/candidate-1", link(2020, "forward", 1)),
        ("branch-1/backward-1", link(2016, "backward", 1)),
        ("branch-1/again/forward-1/candidate-1", link(2021, "forward", 1)),
    )
    branch = grown.branches[0]
    assert [paper.id for paper in branch.chain.papers] == ["p2016", "p2018", "p2021"]
    assert not branch.settled


def test_the_best_branch_is_the_chosen_one_or_the_only_one(store):
    chain = Chain(topic="t", links=(link(2018, "anchor", 0),))
    two = put(store, make_run(store), ("branch-1/chain", chain), ("branch-2/chain", chain))
    assert two.best is None
    chosen = put(
        store,
        make_run(store),
        ("branch-1/chain", chain),
        ("branch-2/chain", chain),
        ("result-1", Selection(best=2, points={1: 1.0, 2: 9.0}, matches=(), reason="r")),
    )
    assert chosen.best.n == 2
    assert put(store, make_run(store), ("branch-1/chain", chain)).best.n == 1


def test_a_run_from_before_there_were_branches_is_one_branch(store):
    idea = Idea(form="hypothesis", fields={"hypothesis": "Naps help."})
    story = put(
        store,
        make_run(store),
        ("branch-1/anchor", link(2018, "anchor", 0)),
        ("result-1", Chain(topic="t", links=(link(2018, "anchor", 0),))),
        ("result-2", Direction(direction="D", reasoning="r")),
        ("result-3", idea),
        ("result-4", Outcome(reason="r", idea=idea)),
    )
    (branch,) = story.branches
    assert (branch.settled, branch.direction.direction, branch.idea, story.best) == (
        True,
        "D",
        idea,
        branch,
    )


def test_nothing_told_is_no_branch():
    assert (Story(()).branches, Story(()).best, Branch((), 1).chain) == ((), None, None)
