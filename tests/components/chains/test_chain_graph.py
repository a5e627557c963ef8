"""The chain graph: what stands where, how neighbours are joined, and what a click gives."""

from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from components.chains.graph import LETTER, NARROW, BranchLane, figure, height
from components.chains.view import lanes_of
from components.shell.plots import wrapped
from core.charts.edges import edge, hops
from core.charts.timeline import positions
from core.records import Candidate, Chain, Considered, Link, Paper, Trend, TrendStep
from core.story import Branch


def paper(name: str, published: str | None = "2020-05-01", **more) -> Paper:
    return Paper(
        id=name,
        title=f"Title {name}",
        published=published,
        year=int(published[:4]) if published else None,
        **more,
    )


def branch(*links: Link, n: int = 1, considered=(), trend=None, ordered=True) -> Branch:
    chain = Chain(topic="t", links=links, ordered=ordered)
    parts = [
        ("chain", chain),
        *(("considered", one) for one in considered),
        *([("trend", trend)] if trend else []),
    ]
    return Branch(tuple((f"branch-{n}/{place}", record) for place, record in parts), n)


A, B, C = (paper(name, f"{year}-01-01") for name, year in (("a", 2018), ("b", 2019), ("c", 2020)))
LINKS = (
    Link(paper=A, hop="backward", distance=1),
    Link(paper=B, hop="anchor"),
    Link(paper=C, hop="forward", distance=1),
)
GIVEN = (
    Considered(of=B, hop="backward", candidates=(Candidate(paper=A, relevant=True),)),
    Considered(of=B, hop="forward", candidates=(Candidate(paper=C, relevant=True),)),
)


def drawn(*branches: Branch):
    return figure(
        [
            BranchLane(one.n, f"Branch {one.n}", "chosen" if one.n == 1 else "", one)
            for one in branches
        ]
    )


def traces(graph, key: str):
    return [trace for trace in graph.data if getattr(trace, key) is not None]


@given(
    some.lists(some.none() | some.dates().map(str), min_size=1, max_size=16), some.floats(0.01, 3)
)
def test_papers_stand_in_time_order_and_apart(dates, gap):
    papers = tuple(paper(str(n), date) for n, date in enumerate(dates))
    spots = positions(papers, gap)
    assert all(b - a > 0.99 * gap for a, b in pairwise(sorted(spots.values())))
    dated = [one for one in papers if one.published]
    assert all(spots[a.id] < spots[b.id] for a in dated for b in dated if a.published < b.published)


def test_a_paper_with_room_stands_at_its_date_and_a_crowd_around_its_middle():
    papers = (paper("old", "2010-01-01"), *(paper(str(n), "2020-01-01") for n in range(3)))
    spots = positions(papers, 0.5)
    assert spots["old"] == pytest.approx(2010.0, abs=0.01)
    assert [round(spots[str(n)], 1) for n in range(3)] == [2019.5, 2020.0, 2020.5]


def test_an_undated_paper_stands_after_the_one_before_it():
    spots = positions((paper("a", "2018-01-01"), paper("b", None), paper("c", "2022-01-01")), 0.1)
    assert spots["a"] < spots["b"] < spots["c"]


def test_each_branch_has_its_lane_and_a_click_gives_branch_and_paper():
    graph = drawn(
        branch(*LINKS, considered=GIVEN), branch(Link(paper=paper("z"), hop="anchor"), n=2)
    )
    nodes = traces(graph, "customdata")
    assert [[list(one) for one in trace.customdata] for trace in nodes] == [
        [[1, "a"], [1, "b"], [1, "c"]],
        [[2, "z"]],
    ]
    assert [set(trace.y) for trace in nodes] == [{0}, {-1}]
    assert list(graph.layout.yaxis.ticktext) == ["<b>Branch 1</b><br>chosen", "<b>Branch 2</b>"]
    assert graph.layout.height == height(2) > height(1)


def test_the_graph_is_as_high_as_it_will_be_before_there_is_any_paper():
    empty = figure([BranchLane(1, "Branch 1", "no paper yet"), BranchLane(2, "Branch 2")])
    assert (empty.layout.height, len(empty.data)) == (height(2), 0)


def test_marks_tell_anchor_milestone_pinned_and_what_a_person_put_in():
    links = (
        LINKS[0].model_copy(update={"milestone": True}),
        LINKS[1].model_copy(update={"pinned": True}),
        Link(paper=C, hop="person"),
    )
    graph = drawn(branch(*links))
    nodes = traces(graph, "customdata")[0]
    assert list(nodes.marker.symbol) == ["circle", "diamond", "square"]
    assert [said.rpartition(", ")[2] for said in nodes.hovertext] == [
        "milestone",
        "pinned",
        "put in by a person",
    ]
    assert "circle-open" in [trace.marker.symbol for trace in graph.data]


def test_more_citations_make_a_larger_node_and_unknown_ones_no_claim():
    sizes = [
        drawn(branch(Link(paper=paper("x", citations=n), hop="anchor"))).data[0].marker.size[0]
        for n in (None, 0, 100, 100_000)
    ]
    assert sizes[1] < sizes[0] < sizes[2] < sizes[3]


@pytest.mark.parametrize(
    ("near", "kind", "dash"),
    [(False, "cited", "solid"), (True, "near", "dash"), (None, "placed", "dot")],
)
def test_a_line_says_whether_a_citation_is_behind_it(near, kind, dash):
    how = edge(A, B, near, "It goes further.")
    assert how.kind == kind
    assert how.said.endswith("It goes further.")
    assert ("citation" in how.said) == (kind != "cited")
    taken = Candidate(paper=B.model_copy(update={"near": bool(near)}), relevant=True)
    considered = () if near is None else (Considered(of=A, hop="forward", candidates=(taken,)),)
    graph = drawn(
        branch(Link(paper=A, hop="anchor"), Link(paper=B, hop="person"), considered=considered)
    )
    assert [trace.line.dash for trace in graph.data if trace.mode == "lines"] == [dash]


def test_a_hop_against_time_is_red_bent_below_and_says_why():
    graph = drawn(branch(LINKS[1], LINKS[2], LINKS[0], considered=GIVEN))
    line = next(trace for trace in graph.data if trace.mode == "lines" and trace.x[0] > trace.x[2])
    assert line.line.color == "#d1495b"
    assert line.y[1] < 0
    assert (
        "'Title a' (2018-01-01) came out before 'Title c' (2020-01-01), which stands before it."
        in edge(C, A, False, "").said
    )


def test_the_trend_is_read_on_the_line_it_is_about():
    trend = Trend(
        steps=(
            TrendStep(earlier="a", later="b", how="First."),
            TrendStep(earlier="b", later="c", how="Then."),
        ),
        summary="On.",
    )
    marks = [
        trace.text[0]
        for trace in traces(drawn(branch(*LINKS, considered=GIVEN, trend=trend)), "text")
    ]
    assert marks == ["First.", "Then."]


def test_papers_without_order_are_not_joined():
    assert not [
        trace for trace in drawn(branch(*LINKS, ordered=False)).data if trace.mode == "lines"
    ]


def test_while_a_chain_grows_what_was_hopped_to_counts_as_cited():
    growing = Branch(
        (
            ("branch-1/anchor", LINKS[1]),
            ("branch-1/forward-1", LINKS[2]),
            ("branch-1/considered", GIVEN[0]),
        ),
        1,
    )
    assert hops(growing) == {("b", "c"): False}


def test_the_figure_is_the_same_whatever_is_selected_and_whenever_it_is_drawn():
    assert drawn(branch(*LINKS)).to_json() == drawn(branch(*LINKS)).to_json()


def test_no_title_becomes_markup_in_a_label():
    graph = drawn(
        branch(
            Link(
                paper=paper("x").model_copy(
                    update={"title": "<a href='javascript:x'>click</a> & <b>bold</b>"}
                ),
                hop="anchor",
            )
        )
    )
    said = graph.to_json()
    assert "<a href" not in said
    assert "<b>bold" not in said
    assert wrapped("a < b") == "a &lt; b"


def test_labels_of_eight_papers_in_one_year_stay_narrow_enough_for_their_room():
    links = [
        Link(
            paper=paper(f"p{n}", f"2020-0{n + 1}-01").model_copy(
                update={"title": f"Extraordinarily long headings of papers {n} " * 3}
            ),
            hop="anchor" if n == 0 else "forward",
            distance=n,
        )
        for n in range(8)
    ]
    graph = drawn(branch(*links), branch(Link(paper=paper("old", "2000-01-01"), hop="anchor"), n=2))
    first, last = graph.layout.xaxis.range
    above = sorted(
        (note.x, max(len(line) for line in note.text.split("<br>")))
        for note in graph.layout.annotations
        if note.y == 0 and note.yshift > 0
    )
    for (x, mine), (following, theirs) in pairwise(above):
        assert (following - x) / (last - first) * 800 > (mine + theirs) / 2 * 5.5


def test_the_outermost_labels_are_whole_on_a_narrow_screen():
    links = [
        Link(
            paper=paper(f"p{n}", f"{2018 + n}-01-01").model_copy(
                update={"title": f"Extraordinarily long headings of papers {n}"}
            ),
            hop="anchor" if n == 0 else "forward",
            distance=n,
        )
        for n in range(4)
    ]
    graph = drawn(branch(*links))
    first, last = graph.layout.xaxis.range
    for note in graph.layout.annotations:
        letters = max(len(line) for line in note.text.split("<br>"))
        room = min(note.x - first, last - note.x) / (last - first) * NARROW
        assert letters * LETTER / 2 <= room


def test_a_name_too_long_for_its_room_is_divided_before_a_capital():
    links = [
        Link(
            paper=paper(f"p{n}", f"2024-0{n + 1}-01").model_copy(update={"title": title}),
            hop="anchor" if n == 0 else "forward",
            distance=n,
        )
        for n, title in enumerate(
            ("LiveIdeaBench", "ResearchAgent", "MotivGraphs", "IdeaBrowsers", "SciPIP")
        )
    ]
    graph = drawn(branch(*links), branch(Link(paper=paper("old", "2018-01-01"), hop="anchor"), n=2))
    names = [note.text for note in graph.layout.annotations if note.y == 0]
    assert {"LiveIdea-<br>Bench", "Research-<br>Agent"} <= set(names)


def test_a_branch_of_any_number_has_one_lane():
    """A stranger's case study may number its branches as it likes."""
    run = SimpleNamespace(config=SimpleNamespace(inputs={"length": 5, "branches": 2}), state="done")
    there = branch(*LINKS, n=10**9)
    story = SimpleNamespace(branches=(there,), best=None)
    lanes = lanes_of(run, story)
    assert [lane.n for lane in lanes] == [1, 2, 10**9]
    assert lanes[-1].branch is there
