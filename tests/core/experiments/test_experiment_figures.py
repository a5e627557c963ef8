"""The figures of an experiment: what they show is what their tables say, and no series is told
apart by colour alone.
"""

import json

import pytest

from core.experiments.figures import figures, mean_q
from core.experiments.found import findings
from core.experiments.results import Results
from tests.support.measured import cell, made, matrix, results, standings

INK = "#123456"
METHODS = ("initial", "self-reflection", "infal")


@pytest.fixture(scope="module")
def whole() -> Results:
    given = matrix(
        lambda one, n: ((n % 3) / 3, 0.6),
        methods=METHODS,
        models=("m:one", "m:<b>two</b>"),
        indicators=("novelty", "feasibility"),
        targets=4,
        judges=("j:one", "j:two"),
    )
    courses = {"initial": (), "self-reflection": (0.1, 0.3, 0.4), "infal": (0.1, None, 0.8, 0.9)}
    said = [
        one.model_copy(update={"by_round": courses[one.cell.method]}) for one in given.standings
    ]
    return given.model_copy(
        update={
            "standings": (
                *said,
                *(one.model_copy(update={"judge": "j:two", "q": (0.5, 0.7)}) for one in said),
            )
        }
    )


@pytest.fixture(scope="module")
def drawn(whole):
    return {one.name: one for one in figures(whole, findings(whole), INK)}


def lines(figure):
    return [trace for trace in figure.data if trace.x and trace.x[0] is not None]


def test_an_experiment_with_everything_has_every_figure(drawn):
    assert set(drawn) == {
        "mean-q",
        "q-by-round",
        "rounds",
        "cost",
        "repeatability",
        "judges-j-one-and-j-two",
    }
    for one in drawn.values():
        assert one.table.rows
        assert one.figure.to_json()


def test_no_results_make_no_figures():
    assert figures(results(), findings(results()), INK) == ()


def test_the_points_of_a_figure_are_the_figures_of_its_table(drawn):
    one = drawn["q-by-round"]
    shown = {
        (x, round(y, 9))
        for trace in lines(one.figure)
        for x, y in zip(trace.x, trace.y, strict=True)
    }
    assert shown == {(row[-2].mean, round(row[-1].mean, 9)) for row in one.table.rows}
    means = drawn["mean-q"]
    assert sorted(trace.x[0] for trace in lines(means.figure)) == sorted(
        row[n].mean
        for row in means.table.rows
        for n, head in enumerate(means.table.head)
        if head.startswith("Q ") and row[n].mean is not None
    )


def test_ideas_that_stopped_earlier_stand_as_they_ended():
    here = [
        standings(cell(target=0), 0.4, by_round=(0.0, 0.4)),
        standings(cell(target=1), 0.8, by_round=(0.2, 0.6, 0.8)),
    ]
    given = results(here, methods=("infal",), targets=2)
    by_round = {one.name: one for one in figures(given, findings(given), INK)}["q-by-round"]
    assert [row[-1].mean for row in by_round.table.rows] == pytest.approx([0.1, 0.5, 0.6])
    assert [row[-1].n for row in by_round.table.rows] == [2, 2, 2]


def test_intervals_are_drawn_from_end_to_end(drawn):
    table = {tuple(value.text for value in row[:2]): row for row in drawn["mean-q"].table.rows}
    q = table["InfAL", "m:one"][drawn["mean-q"].table.head.index("Q novelty")]
    trace = next(
        one
        for one in lines(drawn["mean-q"].figure)
        if one.customdata[0].startswith("InfAL, m:one") and one.xaxis == "x"
    )
    assert (
        trace.x[0] - trace.error_x.arrayminus[0],
        trace.x[0] + trace.error_x.array[0],
    ) == pytest.approx((q.low, q.high))


def test_a_missing_interval_draws_no_bar(whole):
    """A bar of length 0 would say that the figure is certain."""
    found = findings(whole)
    bare, *others = (one for one in found.quality if one.what == "q")
    without = bare.value.model_copy(update={"low": None, "high": None})
    quality = (bare.model_copy(update={"value": without}), *others)
    figure = mean_q(found.model_copy(update={"quality": quality}), INK).figure
    first, second, *_ = json.loads(figure.to_json())["data"]
    assert (first["error_x"]["array"], first["error_x"]["arrayminus"]) == ([None], [None])
    assert not first["error_x"]["visible"]
    assert second["error_x"]["visible"]
    assert second["error_x"]["array"][0] > 0


@pytest.mark.parametrize("name", ["q-by-round", "cost", "judges-j-one-and-j-two"])
def test_no_two_series_are_told_apart_by_colour_alone(drawn, name):
    marks = {
        trace.name: (trace.marker.symbol, trace.line.dash) for trace in lines(drawn[name].figure)
    }
    assert len(marks) > 2
    assert len(set(marks.values())) == len(marks)


def test_a_method_has_one_colour_in_every_figure(drawn):
    seen: dict[str, set[str]] = {}
    for one in drawn.values():
        for trace in lines(one.figure):
            seen.setdefault(trace.customdata[0].split(",")[0], set()).add(trace.marker.color)
    assert {name: len(colours) for name, colours in seen.items()} == {
        "Initial idea": 1,
        "Self-reflection": 1,
        "InfAL": 1,
    }


def test_texts_are_shown_as_texts_in_the_given_colour_on_nothing(drawn):
    for one in drawn.values():
        said = one.figure.to_json()
        assert "<b>two" not in said.replace("\\u003c", "<").replace("\\u003e", ">")
        assert one.figure.layout.font.color == INK
        assert one.figure.layout.paper_bgcolor == one.figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert one.figure.layout.xaxis.title.text


def test_ideas_that_never_converged_stand_beyond_the_last_round():
    given = results(written=[made(cell(), (2, 10), (True, False))], methods=("infal",), targets=1)
    rounds = {one.name: one for one in figures(given, findings(given), INK)}["rounds"]
    assert [(row[-2].number, row[-1].number) for row in rounds.table.rows] == [
        ("2", "50.0 %"),
        ("not by 10", "50.0 %"),
    ]
    assert list(rounds.figure.layout.xaxis.ticktext)[-1] == "not by 10"
