"""The house as designed: who may import whom, and how large a room may grow."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests import ROOT

ROOMS = (
    *(
        "records",
        "errors",
        "threads",
        "memory",
        "bounds",
        "gaps",
        "normal_forms",
        "files",
        "refusals",
        "csv_rows",
        "settings",
        "beside",
        "wording",
        "store",
        "door",
        "journal",
        "story",
    ),
    "prompts",
    *("literature", "models", "desk", "statistics", "tables", "charts", "judging", "agreement"),
    *("methods", "studies", "experiments", "benchmark", "training", "importing", "runs", "export"),
    *("cases", "search", "doctor", "foundry", "commands", "__main__"),
)
"""Core from the ground up: a room imports only rooms before it."""
SOURCES = [
    *sorted(
        path for part in ("core", "components", "pages") for path in (ROOT / part).rglob("*.py")
    ),
    ROOT / "app.py",
]


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
        top, mine, theirs = (
            name.split(".")[0],
            here[1].removesuffix(".py") if len(here) > 1 else "",
            room(name),
        )
        if top in ("pages", "app", "tests"):
            yield f"{path}: nobody imports a page, {name}"
        if here[0] == "core" and top in ("streamlit", "components"):
            yield f"{path}: core is headless, {name}"
        if (
            here[0] == "core"
            and theirs
            and mine in ROOMS
            and ROOMS.index(theirs) > ROOMS.index(mine)
        ):
            yield f"{path}: {mine} may not import {theirs}"


def test_every_room_of_core_is_on_the_list():
    rooms = {
        path.stem
        for path in (ROOT / "core").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__"}
    assert rooms <= set(ROOMS)


def test_rooms_and_functions_stay_small():
    assert [said for path in SOURCES for said in too_large(path)] == []


def too_large(path: Path) -> Iterator[str]:
    text = path.read_text()
    if len(text.splitlines()) > 800:
        yield f"{path} is longer than 800 lines"
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and (node.end_lineno or 0) - node.lineno + 1 > 80
        ):
            yield f"{path}: {node.name} is longer than 80 lines"


def test_no_page_lets_markup_through():
    for path in SOURCES:
        assert "unsafe_allow_html" not in path.read_text(), path


def test_a_page_draws_nothing_before_its_frame_which_asks_who_is_there():
    pages = [*sorted((ROOT / "pages").glob("*.py")), ROOT / "app.py"]
    assert len(pages) > 10
    assert [
        said for path in pages for said in outside_the_frame(path, ast.parse(path.read_text()).body)
    ] == []


def outside_the_frame(path: Path, body: list[ast.stmt]) -> Iterator[str]:
    """Say what a page does on its own account besides reading its address: the frame is its lock,
    and is missing where app.py did not run.
    """
    seat = path.name == "annotate.py"
    framed = [
        node
        for node in body
        if isinstance(node, ast.With)
        and called(node.items[0].context_expr) == ("seat_frame" if seat else "frame")
    ]
    if path.name != "app.py" and len(framed) != 1:
        yield f"{path}: a page is one block in its frame"
    for node in body:
        if path.name == "app.py" and isinstance(node, ast.If):
            yield from outside_the_frame(path, node.orelse)
        elif (
            seat
            and isinstance(node, ast.If)
            and not node.orelse
            and [ast.unparse(one).split("(")[0] for one in node.body] == ["entrance.keep_out"]
        ):
            continue  # An organiser's preview of a seat asks for the sign-in by itself.
        elif (
            not isinstance(
                node,
                ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
            )
            and node not in framed
        ):
            calls = {
                ast.unparse(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)
            } - {"st.query_params.get", "bool", "int", "frozenset"}
            if calls or not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
                yield (
                    f"{path}:{node.lineno}: {', '.join(sorted(calls)) or ast.unparse(node)[:60]}"
                    " outside the frame"
                )


def called(node: ast.expr) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def test_a_page_that_draws_outside_its_frame_is_found():
    tried = {
        "st.title('x')\nwith frame('p'):\n    pass": 1,
        "with frame('p'):\n    pass\nservices.store()": 1,
        "st.title('x')": 2,
        "if st.query_params:\n    st.title('x')\nwith frame('p'):\n    pass": 1,
        "a = st.query_params.get('a', '')\nwith frame('p'):\n    st.title(a)": 0,
    }
    for text, faults in tried.items():
        assert len(list(outside_the_frame(Path("page.py"), ast.parse(text).body))) == faults, text


BOXES = {
    *("text_input", "text_area", "number_input", "date_input", "time_input"),
    *("selectbox", "multiselect", "radio", "checkbox"),
    *("toggle", "slider", "select_slider", "segmented_control", "pills"),
    *("file_uploader", "data_editor"),
}
"""Widgets that return what a person typed or chose."""


def test_no_callback_is_handed_what_a_box_held_as_it_was_drawn():
    assert [said for path in SOURCES for said in behind_its_box(path, path.read_text())] == []


def behind_its_box(path: Path, text: str) -> Iterator[str]:
    """Say where a callback is handed the value of a box by the drawing: who types on and presses at
    once breaks the next drawing off, and the callback gets what stood there before. It has to ask
    the session for what the box holds by now. What is made of several boxes first is not seen here;
    tests of those pages press so.
    """
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        drawn = {
            name.id
            for node in ast.walk(function)
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
            and node.value is not None
            and draws_a_box(node.value)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.keyword) and node.arg in ("args", "kwargs"):
                handed = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
                for name in sorted(handed & drawn):
                    yield f"{path}:{node.value.lineno}: a callback is handed {name}"


def draws_a_box(value: ast.expr) -> bool:
    return any(
        isinstance(one, ast.Call) and ast.unparse(one.func).rpartition(".")[2] in BOXES
        for one in ast.walk(value)
    )


def test_a_callback_that_is_handed_what_a_box_held_is_found():
    for drawing, faults in {
        "said = st.text_area('Text', key='t')": 1,
        "said = left.text_area('Text').strip() or ''": 1,
        "said: str = st.radio('Which', NAMES)": 1,
        "said = services.store().terms.get(study)": 0,
    }.items():
        text = f"def draw():\n    {drawing}\n    st.button('Keep', on_click=keep, args=(1, said))"
        assert len(list(behind_its_box(Path("drawn.py"), text))) == faults, drawing
