"""What strangers have logged again and again."""

import logging

import pytest

from components.access import repeats


@pytest.fixture
def said(monkeypatch):
    """What a logger hands on, and how its clock is set."""
    now = [1_000.0]
    monkeypatch.setattr(repeats.time, "monotonic", lambda: now[0])
    logger = logging.Logger("gate")
    logger.addFilter(repeats.Repeats())
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    logger.addHandler(Kept())
    return logger, lines, now


def test_a_line_is_kept_a_few_times_a_minute_and_the_next_minute_says_how_often_it_was_not(said):
    logger, lines, now = said

    def refused(n: int) -> None:
        logger.warning("Connection %s was refused", n)

    for n in range(100):
        refused(n)
    assert lines == [f"Connection {n} was refused" for n in range(repeats.OFTEN)]
    now[0] += repeats.WHILE
    refused(100)
    refused(101)
    assert lines[repeats.OFTEN :] == [
        "Connection 100 was refused (and 80 more like it before)",
        "Connection 101 was refused",
    ]


def test_other_lines_and_errors_are_all_kept_and_of_one_failure_a_few_traces(said):
    logger, lines, _ = said
    for _ in range(50):
        logger.info("first")
    logger.info("second")
    for n in range(50):
        try:
            raise ValueError(f"of a page, {n}")
        except ValueError:
            logger.exception("failed")
    try:
        raise ValueError("of another place")
    except ValueError:
        logger.exception("failed too")
    for _ in range(50):
        logger.error("lost")
    assert lines.count("first") == lines.count("failed") == repeats.OFTEN
    assert lines.count("second") == lines.count("failed too") == 1
    assert lines.count("lost") == 50


def test_a_server_has_it_once(monkeypatch):
    for name in repeats.LOGGERS:
        monkeypatch.setattr(logging.getLogger(name), "filters", [])
    repeats.tell_repeats_seldom()
    repeats.tell_repeats_seldom()
    for name in repeats.LOGGERS:
        assert len(logging.getLogger(name).filters) == 1
