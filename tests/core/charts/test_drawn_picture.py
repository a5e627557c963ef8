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


def test_a_point_without_an_interval_has_no_bar():
    error = {"type": "data", "array": [1, float("nan")], "arrayminus": [1, float("nan")]}
    drawn = of_figure(go.Figure(go.Scatter(x=["a", "b"], y=[10, 20], error_y=error)))
    bars = [path.vertices[:, 1] for one in drawn.axes[0].collections for path in one.get_paths()]
    assert [(min(ends), max(ends)) for ends in bars] == [(9, 11)]


def test_rows_that_begin_alike_are_told_apart():
    whole = "Chain of ideas, 1 branch, length 2, as its papers describe it"
    said = [whole, f"{whole}, without chain", f"{whole}, without future"]
    drawn = of_table(make_table("t", "T", ("Contender", "Rating"), [(s, value(1.0)) for s in said]))
    names = [one.get_text() for one in drawn.axes[0].get_yticklabels()]
    assert names == ["as its papers describe it", "…, without chain", "…, without future"]


def test_a_picture_says_what_of_its_table_it_leaves_out():
    head = ("Contender", *(f"Figure {n}" for n in range(8)))
    rows = [(f"row {n}", *(value(1.0) for _ in head[1:])) for n in range(62)]
    drawn = of_table(make_table("t", "T", head, rows))
    assert len(drawn.axes) == 6
    assert drawn.get_supxlabel() == (
        "Drawn: the first 6 of 8 columns of figures and the first 60 of 62 rows."
    )
    whole = of_table(make_table("t", "T", head[:7], [row[:7] for row in rows[:60]]))
    assert not whole.get_supxlabel()


def test_shades_say_what_they_say_on_screen_or_their_share():
    shades = go.Heatmap(z=[[None, 0.5], [0.5, None]], x=["a", "b"], y=["a", "b"])
    assert words_in(go.Figure(shades)) == ["50%", "50%"]
    means = go.Heatmap(z=[[4.56]], x=["a"], y=["b"], text=[["4.56*"]])
    assert words_in(go.Figure(means)) == ["4.56*"]
    # Where both axes are numbers shades stand at them, and need no words.
    (axes,) = of_figure(go.Figure(go.Heatmap(z=[[1, None]], x=[5, 6], y=[7]))).axes
    assert (axes.get_xlim(), words_in(go.Figure(go.Heatmap(z=[[1]], x=[5], y=[7])))) == (
        (4.5, 6.5),
        [],
    )


def words_in(drawn):
    return [text.get_text() for text in of_figure(drawn).axes[0].texts]


def test_bars_stand_beside_each_other_or_on_top():
    bars = [go.Bar(x=[0, 1], y=[0.5, 1.0], name="one"), go.Bar(x=[0, 1], y=[0.25, 0.0], name="two")]
    grouped = of_figure(go.Figure(bars, {"barmode": "group"})).axes[0].patches
    assert [(round(one.get_x(), 9), one.get_y(), one.get_height()) for one in grouped] == [
        (-0.4, 0, 0.5),
        (0.6, 0, 1.0),
        (0, 0, 0.25),
        (1, 0, 0),
    ]
    stacked = of_figure(go.Figure(bars, {"barmode": "stack"})).axes[0].patches
    assert [one.get_y() for one in stacked] == [0, 0, 0.5, 1.0]
    lying = go.Figure(go.Bar(x=[3], y=["a model"], orientation="h"))
    assert of_figure(lying).axes[0].patches[0].get_width() == 3
    assert draw(go.Figure(go.Pie(values=[1]))) is None


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
