"""The house as designed: who may import whom, and how large a room may grow."""
import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("records", "timeline", "differences", "errors", "settings", "store", "journal", "prompts", "literature", "models", "desk", "judging", "methods",
         "studies", "experiments", "estimates", "story", "forecast", "leases", "workshop", "runner", "plans", "branching", "export", "cases", "reports",
         "watching", "commands", "__main__")
"""Core from the ground up: a room imports only rooms before it."""
SOURCES = [*sorted(path for part in ("core", "components", "pages") for path in (ROOT / part).rglob("*.py")), ROOT / "app.py"]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "core" and len(parts) > 1 and parts[1] in ROOMS else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_flow_one_way(path):
    here = path.relative_to(ROOT).parts
    for name in imports(path):
        top = name.split(".")[0]
        assert top not in ("pages", "app", "tests"), f"nobody imports a page, {name}"
        if here[0] == "core":
            assert top not in ("streamlit", "components"), f"core is headless, {name}"
            mine = here[1].removesuffix(".py")
            if (theirs := room(name)) and mine in ROOMS:
                assert ROOMS.index(theirs) <= ROOMS.index(mine), f"{mine} may not import {theirs}"


def test_every_room_of_core_is_on_the_list():
    rooms = {path.stem for path in (ROOT / "core").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} - {"__init__"}
    assert rooms <= set(ROOMS)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_rooms_and_functions_stay_small(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno + 1 <= 50, node.name


def test_no_page_lets_markup_through():
    for path in SOURCES:
        assert "unsafe_allow_html" not in path.read_text(), path
