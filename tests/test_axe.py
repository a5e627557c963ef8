"""Fetching axe-core: only the package that is pinned is taken, and a sentence says where it could
not be had.
"""

import pytest

from tests.support import axe


def test_another_package_than_the_pinned_one_is_refused():
    with pytest.raises(ValueError, match="pins"):
        axe.unpacked(b"another package")


def test_without_a_network_a_sentence_says_so_and_nothing_is_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(axe, "SCRIPT", tmp_path / "axe-core/axe.min.js")
    monkeypatch.setattr(axe, "URL", "http://127.0.0.1:9/axe-core.tgz")
    monkeypatch.setattr(axe.shutil, "which", lambda _: None)
    assert axe.main() == 1
    assert "could not be fetched" in capsys.readouterr().err
    assert not axe.SCRIPT.exists()
