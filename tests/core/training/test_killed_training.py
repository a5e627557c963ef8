"""A training that is killed goes on at its last checkpoint, learns what it would have learned, and
asks its judge nothing twice.
"""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.training import tiny_policy

pytest.importorskip("trl", reason="requirements-train.txt is not installed")
WORKER = ROOT / "tests/support/training/training_worker.py"
IN_FLIGHT = 6
"""Drafts of one round that are judged side by side: queries by rollouts."""


def live(folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(exist_ok=True)
    with (folder / "log").open("ab") as log:
        return subprocess.Popen([sys.executable, str(WORKER), str(folder)], stdout=log, stderr=log)


def learned(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "learned").read_text().splitlines()]


def curve(one: dict) -> list[float]:
    """Return all that was learned in a step as numbers in a row."""
    one.pop("by_item")  # This judge scores no items.
    return [*one.pop("by_draft"), *one.values()]


@pytest.mark.soak
def test_five_kills_change_neither_the_curve_nor_the_account(tmp_path):
    tiny_policy.make(tmp_path / "tiny")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert live(whole).wait() == 0, (whole / "log").read_text()
    calls = len(asked(whole))
    for moment in sorted(random.Random(17).sample(range(1, calls), 5)):
        process = live(killed)
        while len(asked(killed)) < moment and process.poll() is None:
            time.sleep(0.01)
        assert process.poll() is None, (killed / "log").read_text()[-2_000:]
        process.kill()
        process.wait()
    assert live(killed).wait() == 0, (killed / "log").read_text()[-2_000:]
    right = {one["step"]: curve(one) for one in learned(whole)}
    again = learned(killed)
    assert {one["step"] for one in again} == set(right)
    for one in again:
        assert curve(one) == pytest.approx(right[one["step"]], abs=1e-6)
    assert set(asked(killed)) == set(asked(whole))
    assert len(asked(killed)) - calls <= 5 * IN_FLIGHT


def asked(folder: Path) -> list[str]:
    """Return what the judge was asked, call by call."""
    path = folder / "asked"
    return path.read_text().split() if path.exists() else []
