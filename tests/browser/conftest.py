"""A failure in a browser says what was to be seen there: nobody else saw that machine."""

from collections.abc import Generator

import pytest

from tests.support.browser import FAILED, seen


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add what is open to the report of a test that failed, while its fixtures still hold it."""
    report = yield
    if call.when == "setup":
        FAILED.clear()
    if call.when == "call" and report.failed:
        report.sections.extend(seen())
    return report
