"""A store with two judges, and nothing kept of other sessions."""

import pytest

from components.sessions import kept
from tests.support.arena_kit import arena_shop
from tests.support.visiting import host


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    monkeypatch.setattr(kept, "_held", {})
    return host(monkeypatch, runner)
