"""A run read back: branches told apart, growing chains in time order, runs of earlier versions
still readable.
"""

from core.judging.claims import earlier_overlaps
from core.records import (
    FORMS,
    Chain,
    Direction,
    Draft,
    GivenUp,
    Idea,
    IdeaChoice,
    Link,
    NoveltyCheck,
    Outcome,
    Paper,
    Selection,
)
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


def an_idea(title: str) -> Idea:
    return Idea(form="chain", fields=dict.fromkeys(FORMS["chain"], title))


def check(n: int, state: str) -> NoveltyCheck:
    return NoveltyCheck(round=n, searches=(), state=state, reason="Compared.")


def test_of_several_ideas_a_branch_tells_of_the_chosen_one_alone(store):
    draft = {name: Draft(motivation=name, novelty="n", method="m") for name in "AB"}
    choice = IdeaChoice(best=1, points={1: 3.0, 2: 2.0}, matches=(), reason="More.")
    story = put(
        store,
        make_run(store),
        ("branch-1/idea-1/draft", draft["A"]),
        ("branch-1/idea-1/idea", an_idea("A")),
        ("branch-1/idea-1/novelty", check(1, "novel")),
        ("branch-1/direction-2/idea-1/idea", an_idea("B")),
        ("branch-1/direction-2/idea-1/novelty", check(1, "similar")),
        ("branch-1/direction-2/idea-2/draft", draft["B"]),
        ("branch-1/direction-2/idea-2/idea", an_idea("C")),
        ("branch-1/direction-2/idea-2/novelty", check(2, "novel")),
        ("branch-1/choice", choice),
        ("branch-1/chosen/idea", an_idea("A")),
        ("branch-1/chosen/novelty", check(1, "novel")),
    )
    (branch,) = story.branches
    assert branch.idea == an_idea("A")
    assert branch.check == check(1, "novel")
    assert branch.checks == (check(1, "novel"),)
    assert branch.draft == draft["A"]
    assert earlier_overlaps(branch.checks) == ""
    assert [(one.n, one.idea.title) for one in branch.pursuits] == [(1, "A"), (2, "C")]


def test_an_idea_has_no_check_but_its_own(store):
    story = put(
        store,
        make_run(store),
        ("branch-1/idea-1/idea", an_idea("A")),
        ("branch-1/idea-1/novelty", check(1, "similar")),
        ("branch-1/idea-2/idea", an_idea("B")),
    )
    (branch,) = story.branches
    assert (branch.idea, branch.check) == (an_idea("B"), None)
    assert branch.checks == (check(1, "similar"),)


def test_a_branch_that_was_given_up_was_not_set_aside(store):
    story = put(
        store,
        make_run(store),
        ("branch-1/idea-1/idea", an_idea("A")),
        ("branch-1/idea-1/novelty", check(1, "similar")),
        ("branch-1/given-up", GivenUp(reason="The server is down.", failed=True)),
        ("branch-2/idea-1/idea", an_idea("B")),
        ("branch-2/idea-1/novelty", check(1, "novel")),
        ("branch-3/idea-1/idea", an_idea("C")),
        ("branch-3/idea-1/novelty", check(1, "similar")),
        ("result-1", Selection(best=2, points={2: 0.0}, matches=(), reason="Only.")),
    )
    assert story.set_aside == (3,)
