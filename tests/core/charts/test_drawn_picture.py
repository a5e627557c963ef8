"""Figures and tables as pictures for papers: all points, their intervals, and what is published."""

import re

import plotly.graph_objects as go

from core.charts.drawn_picture import figure as of_figure
from core.charts.drawn_picture import picture as draw
from core.charts.table_picture import figure as of_table
from core.charts.table_picture import picture
from core.records import Value
from core.tables.cells import make_table


def value(mean, low=None, high=None):
    return Value(mean=mean, low=low, high=high)


def test_points_lines_and_intervals_of_a_figure_are_drawn_where_they_stand():
    error = {"type": "data", "array": [1, 2, None], "arrayminus": [1, 1, None]}
    trace = go.Scatter(x=[0, 1, 2], y=[10, 20, None], error_y=error, name="one & two", mode="lines")
    drawn = of_figure(go.Figure(trace))
    line, *_ = drawn.axes[0].get_lines()
    assert list(line.get_xdata()) == [0, 1]
    assert list(line.get_ydata()) == [10, 20]
    bars = [path.vertices[:, 1] for one in drawn.axes[0].collections for path in one.get_paths()]
    assert sorted((min(ends), max(ends)) for ends in bars) == [(9, 11), (19, 22)]


def test_shades_say_their_share_and_bars_are_not_drawn_anew():
    shades = go.Figure(go.Heatmap(z=[[None, 0.5], [0.5, None]], x=["a", "b"], y=["a", "b"]))
    texts = [text.get_text() for text in of_figure(shades).axes[0].texts]
    assert texts == ["50%", "50%"]
    assert draw(go.Figure(go.Bar(x=[1], y=[1]))) is None


def test_a_table_is_drawn_with_the_published_one_below_in_its_columns():
    head = ("Method", "Q novelty", "Q feasibility")
    own = make_table("q", "Q", head, [("ours", value(0.5, 0.4, 0.6), value(0.25))])
    theirs = make_table("p", "P", ("Method", "Q novelty"), [("theirs", value(0.9))])
    drawn = of_table(own, theirs)
    novelty, feasibility = drawn.axes
    points = [list(line.get_xdata()) for line in novelty.get_lines()]
    assert [0.4, 0.6] in points
    assert [0.5] in points
    assert [0.9] in points
    assert [list(line.get_xdata()) for line in feasibility.get_lines()] == [[0.25]]
    names = [text.get_text() for text in novelty.get_yticklabels()]
    assert names == ["ours", "theirs (as published)"]
    assert picture(make_table("t", "T", ("A",), [("words",)])) is None


def test_the_same_figures_make_the_same_file_without_a_date():
    one = picture(make_table("q", "Q", ("Method", "Q"), [("ours", value(0.5))]))
    again = picture(make_table("q", "Q", ("Method", "Q"), [("ours", value(0.5))]))
    assert one == again
    assert not re.search(rb"<dc:date>", one)
