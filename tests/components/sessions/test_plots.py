"""What is drawn of a session's figures, and what is said where there is nothing to draw."""

from components.sessions import plots
from core.studies.series import Grid, SessionSeries


def test_raters_of_whom_no_two_were_compared_are_told_of():
    grids = (
        Grid("novelty", "rho", tuple(f"E{n}" for n in range(1, 201)), frozenset(), ()),
        Grid("impact", "rho", ("E1",), frozenset(), ()),
    )
    [(title, chart, words, _)] = plots._grids(SessionSeries(grids=grids), "novelty")
    assert (title, chart) == ("Every two raters", None)
    assert words.startswith("Of 200 raters no two are held against each other")
    assert plots._grids(SessionSeries(grids=grids), "impact") == []
