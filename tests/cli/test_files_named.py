"""A device under the name of a file is said to be none by every verb that reads one."""

from pathlib import Path

import pytest

from tests.support.headless import cli, server

__all__ = ["cli", "server"]
ENDLESS = (
    "import x.bib",
    "import-ideas x.csv",
    "checklist x.txt",
    "study rubric check x.json",
    "bench --keywords x.csv --models test-model",
    "novelty x.txt",
    "agreement x.csv",
    "refine --idea x.txt --indicator novelty",
    "refine --topic sleep --indicator novelty --target x.txt",
    "refine --topic sleep --indicator novelty --abstracts x.txt",
    "evolve --topic sleep --review x.txt",
    "open x.json",
    "reproduce x.toml",
    "shortlist sleep --from x.csv",
    "real-papers --ids-from x.txt",
)


@pytest.mark.parametrize("words", ENDLESS)
def test_a_device_is_no_file(cli, tmp_path, words):
    for name in {word for word in words.split() if word.startswith("x.")}:
        # Empty, not endless: who reads it all the same comes to an end.
        (tmp_path / name).symlink_to("/dev/null")
    given = [str(tmp_path / word) if word.startswith("x.") else word for word in words.split()]
    code, document, _ = cli(*given)
    assert (code, "is a device or a pipe" in str(document)) == (2, True), document


@pytest.mark.parametrize("words", ["open", "restore", "import"])
def test_a_name_that_no_file_can_have_is_said_to_be_none(cli, words):
    code, document, said = cli(words, "a" * 5_000)
    assert (code, "Traceback" in said) == (2, False), document


def test_a_file_that_one_may_not_look_at_is_said_to_be_so(cli, monkeypatch):
    there = Path.exists

    def shut(path: Path) -> bool:
        if path.name == "mine.json":
            raise PermissionError(13, "Permission denied", str(path))
        return there(path)

    monkeypatch.setattr(Path, "exists", shut)
    code, document, said = cli("open", "/root/mine.json")
    assert (code, "Traceback" in said) == (2, False)
    assert "/root/mine.json cannot be used: Permission denied" in document["reason"]
