"""The program's version stands in one place, and is said wherever somebody may ask for it later."""

import json
import re

from core import VERSION
from core.export.bundling import bundle
from core.export.markdown import markdown
from tests import ROOT
from tests.support.report_kit import finished


def test_the_changelog_begins_with_the_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    headings = re.findall(
        r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert headings[0] == VERSION


def test_a_report_and_a_bundle_name_it_and_the_stored_run_does_not(store):
    run = finished(store)
    assert f"Made with Idea Foundry {VERSION}" in markdown(store, run)
    assert json.loads(bundle(store, run))["program"] == {"name": "Idea Foundry", "version": VERSION}
    assert VERSION not in store.runs.get(run).model_dump_json()
