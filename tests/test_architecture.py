"""The house as designed: who may import whom, and how large a room may grow."""
import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("records", "timeline", "differences", "errors", "settings", "store", "journal", "story", "prompts", "literature", "models", "desk", "judging",
         "agreement", "methods", "studies", "experiments", "catalogue", "entering", "estimates", "forecast", "leases", "crew", "workshop", "runner", "plans", "branching",
         "extending", "export", "cases", "reports", "watching", "commands", "__main__")
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


def test_imports_flow_one_way():
    assert [said for path in SOURCES for said in against_the_stream(path)] == []


def against_the_stream(path: Path) -> Iterator[str]:
    here = path.relative_to(ROOT).parts
    for name in imports(path):
        top, mine, theirs = name.split(".")[0], here[1].removesuffix(".py") if len(here) > 1 else "", room(name)
        if top in ("pages", "app", "tests"):
            yield f"{path}: nobody imports a page, {name}"
        if here[0] == "core" and top in ("streamlit", "components"):
            yield f"{path}: core is headless, {name}"
        if here[0] == "core" and theirs and mine in ROOMS and ROOMS.index(theirs) > ROOMS.index(mine):
            yield f"{path}: {mine} may not import {theirs}"


def test_every_room_of_core_is_on_the_list():
    rooms = {path.stem for path in (ROOT / "core").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()} - {"__init__"}
    assert rooms <= set(ROOMS)


def test_rooms_and_functions_stay_small():
    assert [said for path in SOURCES for said in too_large(path)] == []


def too_large(path: Path) -> Iterator[str]:
    text = path.read_text()
    if len(text.splitlines()) > 300:
        yield f"{path} is longer than 300 lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > 50:
            yield f"{path}: {node.name} is longer than 50 lines"


def test_no_page_lets_markup_through():
    for path in SOURCES:
        assert "unsafe_allow_html" not in path.read_text(), path
