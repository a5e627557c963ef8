"""The chains as a picture: whatever the papers are called and whenever they came out, every label
is readable.
"""

import warnings
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection

from core.charts.chain_picture import chain_graph, figure
from core.records import Chain, GivenUp, Idea, Link, Paper
from core.story import Branch

TITLES = (
    "Large language models for automated open-domain hypotheses discovery in the wild and beyond",
    "大规模语言模型在科学发现中的应用与挑战研究综述以及未来方向",
    "Nova",
    "Supercalifragilisticexpialidocious-internationalization-frameworks",
    "Math $x_1^2$ & <b>costs</b> 5% \\alpha",
    "",
)
IDEA = Idea(form="hypothesis", fields={"hypothesis": "A long idea that goes on and on. " * 9})


def branch(n: int, dates: list[str | None], titles: list[str]) -> Branch:
    links = tuple(
        Link(
            paper=Paper(
                id=f"{n}-{k}",
                title=f"{title} {n}{k}",
                authors=("Ada Lund", "others") if k % 2 else (),
                year=int(date[:4]) if date else None,
                published=date,
                citations=4_000 if k % 3 else None,
            ),
            hop="anchor" if k == 1 else "forward",
            milestone=k == 0,
        )
        for k, (date, title) in enumerate(zip(dates, titles, strict=False))
    )
    parts = [("chain", Chain(topic="t", links=links)), ("idea", IDEA)]
    return Branch(tuple((f"branch-{n}/{name}", record) for name, record in parts), n)


DATES = some.none() | some.dates().map(lambda day: f"{day:%Y-%m-%d}".rjust(10, "0"))
CHAINS = some.lists(
    some.lists(some.tuples(DATES, some.sampled_from(TITLES)), min_size=2, max_size=8),
    min_size=1,
    max_size=4,
)


@settings(max_examples=min(40, settings.default.max_examples))  # `make check` draws fewer.
@given(CHAINS, some.sampled_from((6.2, 11.0)))
def test_no_label_touches_another_a_paper_or_the_frame(chains, width):
    branches = [
        branch(n, [date for date, _ in papers], [title for _, title in papers])
        for n, papers in enumerate(chains, 1)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # A letter that the font lacks is a warning and a box.
        drawn = figure(branches, 1, False, width)
        FigureCanvasAgg(drawn)
        drawn.draw_without_rendering()
    (axes,) = drawn.axes
    texts = [text.get_window_extent() for text in axes.texts if text.get_text().strip()]
    frame = drawn.bbox
    for box in texts:
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1
    for one, other in combinations(texts, 2):
        assert not one.padded(-0.5).overlaps(other.padded(-0.5))
    nodes = [one for one in axes.collections if isinstance(one, PathCollection)]
    spots = [axes.transData.transform(one.get_offsets())[0] for one in nodes]
    assert not any(box.contains(*spot) for box in texts for spot in spots)


def words(branches: list[Branch], best: int | None = None, tied: bool = False) -> list[str]:
    return [text.get_text() for text in figure(branches, best, tied, 6.2).axes[0].texts]


def test_lanes_are_named_by_branch_and_idea_and_papers_by_title_authors_and_year():
    two = [branch(n, ["2021-03-01", "2022-01-01"], ["Nova", "Orexin: sleep"]) for n in (1, 2)]
    said = words(two, best=2, tied=True)
    assert any(one.startswith("Branch 2 (chosen in a tie): A long idea") for one in said)
    assert any(one.startswith("Branch 1: A long idea") for one in said)
    assert {"Nova 10", "Orexin", "2021", "Lund et al., 2022", "Year of publication"} <= set(said)
    assert any(one.startswith("The chain: A long") for one in words(two[:1], best=1))
    given_up = Branch((*two[0].parts, ("branch-1/end", GivenUp(reason="r"))), 1)
    assert any("Branch 1 (given up)" in one for one in words([given_up, two[1]]))


def test_a_long_title_is_cut_between_words_and_a_byline_stands_alone_where_no_font_has_it():
    said = words([branch(1, ["2021-03-01", "2022-01-01"], list(TITLES[:2]))])
    assert "Large language models for" in said
    assert "automated open-domain …" in said
    at = said.index("Lund et al., 2022")
    assert said[at - 1] == "2021" or said[at - 1].startswith("大"), "as this machine has fonts"


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_same_chains_are_the_same_file(kind):
    one = [branch(1, ["2021-03-01", None], ["Nova", "Orexin"])]
    made = chain_graph(one, 1, kind)
    assert made == chain_graph(one, 1, kind)
    if kind == "svg":
        assert ElementTree.fromstring(made).tag.endswith("svg")
