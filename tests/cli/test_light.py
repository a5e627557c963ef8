"""What only looks imports nothing that computes: `--help`, `runs`, `show` and `models` answer at
once.
"""

import gzip
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from core.commands import ROOMS
from core.commands.options import Verbs, common_options
from core.commands.parsing import Parser
from core.store import Store

STORES = Path(__file__).parents[1] / "data" / "stores"
ENDED: dict[str, str] = {
    name: runs["ended"]
    for name, runs in json.loads((STORES / "before-house.json").read_text("utf-8")).items()
    if "ended" in runs
}
"""A finished run of every kind, by what it is called."""
HEAVY = {
    *("numpy", "scipy", "pandas", "matplotlib", "plotly", "torch", "sentence_transformers"),
    *("transformers", "streamlit", "langchain", "langchain_core", "sqlite_utils"),
}
WATCHED = f"""
import sys
from core.__main__ import main
try:
    code = main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
print("heavy:", *sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A data folder as the version before this layout left it."""
    folder = tmp_path_factory.mktemp("before")
    stored = gzip.decompress((STORES / "before-house.db.gz").read_bytes())
    (folder / "foundry.db").write_bytes(stored)
    Store(folder)  # Brings its schema up to date, which takes sqlite-utils.
    return folder


def imported(*words: str) -> tuple[str, list[str]]:
    """Run a command in a process of its own; return what it printed and what it imported that is
    heavy.
    """
    ended = subprocess.run(
        [sys.executable, "-c", WATCHED, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout, ended.stderr.rpartition("heavy:")[2].split()


def test_help_imports_nothing_heavy():
    printed, heavy = imported("--help")
    assert "List runs, newest first." in printed
    assert heavy == []


@pytest.mark.parametrize("verb", ["runs", "models"])
def test_a_list_imports_nothing_heavy(folder, verb):
    printed, heavy = imported(verb, "--data", str(folder), "--json")
    assert json.loads(printed)["state"] == "listed"
    assert heavy == []


def test_a_search_imports_nothing_heavy(folder):
    printed, heavy = imported("search", "sleep", "--data", str(folder), "--json")
    assert {"runs", "papers", "sessions"} <= json.loads(printed)["totals"].keys()
    assert heavy == []


@pytest.mark.parametrize(
    "kind",
    ["chain", "rag", "refinement-of-three", "evolution-alone", "session"],
)
def test_a_run_is_shown_without_importing_anything_heavy(folder, kind):
    """Of rankings, arenas, experiments and benchmarks figures are computed: these take numpy."""
    printed, heavy = imported("show", ENDED[kind], "--data", str(folder), "--json")
    assert json.loads(printed)["run"] == ENDED[kind]
    assert heavy == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_the_verbs_it_is_imported_for(room):
    verbs = Parser().add_subparsers()
    import_module(f"core.commands.{room}").words(Verbs(verbs, common_options(), ROOMS[room]))
    assert list(verbs.choices) == list(ROOMS[room])
