"""Where a recording stands, what it steps through, and how the projector hands it back."""

from types import SimpleNamespace

import pytest

from components.cases import clock as case_clock
from components.cases import projector as case_projector
from components.shell import services
from tests.support.case_kit import finished
from tests.support.scripted import refine_script


@pytest.fixture
def browser(monkeypatch):
    """A browser's memory and address, and a clock that stands still."""
    page = SimpleNamespace(session_state={}, query_params={})
    monkeypatch.setattr(case_clock, "st", page)
    monkeypatch.setattr(case_clock.time, "monotonic", lambda: page.now)
    page.now = 100.0
    return page


@pytest.fixture
def run(tmp_path, monkeypatch):
    runner, run = finished(tmp_path, refine_script([True, False, False]))
    monkeypatch.setattr(services, "store", lambda: runner.store)
    return run


def second(run) -> float:
    return case_clock.of(run).now(case_clock.tape_of(run))


def test_time_passes_only_while_it_plays_and_as_fast_as_asked(browser, run):
    case_clock.faster(run, 4.0)
    browser.now += 1
    assert second(run) == 0.0
    case_clock.play(run)
    browser.now += 0.5
    assert second(run) == 2.0
    case_clock.faster(run, 0.5)
    browser.now += 1
    assert second(run) == 2.5
    case_clock.hold(run)
    browser.now += 1000
    assert (second(run), case_clock.of(run).going) == (2.5, False)


def test_the_end_is_reached_and_playing_again_begins_anew(browser, run):
    case_clock.play(run)
    browser.now += 1e6
    assert case_clock.moment(run).over
    case_clock.play(run)
    assert (second(run), case_clock.of(run).going) == (0.0, True)


def test_steps_go_through_everything_that_was_said_and_back(browser, run):
    stops = case_clock.stops(case_clock.tape_of(run))
    seen = [second(run)]
    for _ in stops[1:]:
        case_clock.step(run, 1)
        seen.append(second(run))
    assert tuple(seen) == stops
    assert case_clock.moment(run).over
    for stop in reversed(stops[:-1]):
        case_clock.step(run, -1)
        assert second(run) == stop
    case_clock.step(run, -1)
    assert second(run) == 0.0


def test_a_step_holds_what_was_playing(browser, run):
    case_clock.play(run)
    case_clock.press(run, "ArrowRight")
    assert not case_clock.of(run).going
    case_clock.press(run, " ")
    assert case_clock.of(run).going
    case_clock.press(run, "End")
    assert (second(run), case_clock.of(run).going) == (case_clock.tape_of(run).seconds, False)
    case_clock.press(run, "Home")
    assert second(run) == 0.0


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("2.5", 2.5),
        ("99999", "end"),
        ("1e3", 0.0),
        ("-1", 0.0),
        ("²", 0.0),
        ("nan", 0.0),
        ("", 0.0),
        ("1.2.3", 0.0),
    ],
)
def test_a_link_restores_the_second_and_nonsense_the_beginning(browser, run, said, there):
    browser.query_params["at"] = said
    assert second(run) == (case_clock.tape_of(run).seconds if there == "end" else there)
    assert not case_clock.of(run).going


def test_a_link_says_tenths_and_is_taken_for_the_step_it_was_made_at(browser, run):
    for stop in case_clock.stops(case_clock.tape_of(run)):
        browser.session_state.clear()
        browser.query_params["at"] = f"{stop:.1f}"
        assert second(run) == stop


def test_leaving_the_projector_goes_on_where_the_browser_was(browser, run, monkeypatch):
    monkeypatch.setattr(case_projector, "st", browser)
    browser.query_params["projector"] = "1"
    case_projector._change(run, {"at": 3.5, "going": True}, False)
    assert (second(run), case_clock.of(run).going) == (3.5, True)
    assert "projector" not in browser.query_params
    case_projector._change(run, {"at": 1e9, "going": False}, True)
    assert (second(run), case_clock.of(run).going) == (case_clock.tape_of(run).seconds, False)
    assert browser.query_params["projector"] == "1"
