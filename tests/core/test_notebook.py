"""What README and the notebook show of the Python API works as it stands there, with the built-in
model and its embeddings.
"""

import ast
import json
import re
from typing import Any

import pandas as pd

from tests import ROOT

NOTEBOOK = ROOT / "assets" / "experiments" / "reproduce.ipynb"


def executed(cells: list[str], names: dict[str, Any]) -> list[Any]:
    """Execute cells one after the other, as a notebook does, and return what the last line of each
    comes to: the standard library is enough for that, and no kernel has to be installed.
    """
    shown = []
    for n, text in enumerate(cells):
        tree = ast.parse(text, f"cell {n}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {n}", "exec"), names)
        if last is None:
            shown.append(None)
            continue
        assert isinstance(last, ast.Expr)
        shown.append(eval(compile(ast.Expression(last.value), f"cell {n}", "eval"), names))
    return shown


def test_the_notebook_runs_from_its_first_cell_to_its_last():
    whole = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = ["".join(one["source"]) for one in whole["cells"] if one["cell_type"] == "code"]
    assert all(not one.get("outputs") for one in whole["cells"]), "it ships without outputs"
    _, recipes, calls, state, filled, names, distinct, title, files = executed(cells, {})
    assert len(recipes) == 12
    assert calls > 0
    assert state == "done"
    assert len(filled) == 2 * 3
    assert set(filled["state"]) == {"done"}
    assert {"topics-costs", "topics-distinct", "topics-cells"} <= set(names)
    assert list(distinct["Ideas"]) == [2, 2, 2]
    assert isinstance(title, str)
    assert "data/answers.csv" in files


def test_the_example_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("FOUNDRY_DATA", str(tmp_path / "data"))
    text = (ROOT / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(from core import Foundry.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    shown = executed([example], names)
    assert names["run"].state == "done"
    assert isinstance(shown[-1], pd.DataFrame)
    assert set(shown[-1]["Failed"]) == {0}
