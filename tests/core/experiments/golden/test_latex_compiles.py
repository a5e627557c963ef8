"""Every LaTeX table of every export compiles with a real LaTeX, where this machine has one; the
program itself needs none.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from core.export.reproduced import files
from core.export.sessions.folder import files as session_files
from core.records import Table, Value
from core.runs.runner import Runner
from core.store import Store
from core.studies import organising
from core.tables.latex import latex
from tests.core.experiments.golden import test_chain_recipes as chains
from tests.core.experiments.golden import test_evoideator_recipes as evolved
from tests.core.experiments.golden import test_infal_recipes as refined
from tests.core.experiments.golden import test_liveidea_recipe as benchmark
from tests.support.benchmark.bench_kit import JUDGES, MODELS, shop_of
from tests.support.checklist_kit import ANNA, BERT, SCORER
from tests.support.golden_kit import held
from tests.support.sessions import studies_kit as kit

PDFLATEX = shutil.which("pdflatex")
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(
        not PDFLATEX,
        reason="no pdflatex here: apt-get install texlive-latex-base texlive-latex-recommended",
    ),
]
HEAD = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{booktabs,rotating}
\begin{document}
Tables.
"""


def compiled(folder: Path, tables: Mapping[str, str]) -> None:
    """Set tables one after the other, each of its own file; fails with what LaTeX says."""
    folder.mkdir(exist_ok=True)
    lines = [HEAD]
    for n, (name, text) in enumerate(sorted(tables.items())):
        (folder / f"t{n}.tex").write_text(text, "utf-8")
        lines.append(f"% {name}\n\\input{{t{n}}}\n\\clearpage")
    (folder / "all.tex").write_text("\n".join([*lines, r"\end{document}"]), "utf-8")
    words = [str(PDFLATEX), "-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "all"]
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    log = (folder / "all.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-3_000:]
    assert "Missing character" not in log, re.findall(r"Missing character.*", log)[:5]
    assert (folder / "all.pdf").stat().st_size > 1_000


def tex_of(made: Mapping[str, str | bytes]) -> dict[str, str]:
    return {
        name: text if isinstance(text, str) else text.decode()
        for name, text in made.items()
        if name.endswith(".tex")
    }


def of_chains(name: str, folder: Path) -> Runner:
    one = chains.hold(folder, name, chains.Writers().script)
    if name == "coi-arena":
        one.voted(chains.CRITERIA, "idea", chains.WORTH)
    if name == "coi-design":
        one.voted(chains.DESIGN, "design", chains.DESIGNED)
    return one.runner


def of_refined(name: str, folder: Path) -> Runner:
    judges = (refined.JUDGE, refined.OTHER)
    return refined.hold(folder, name, judges=judges)[0]


def of_evolved(name: str, folder: Path) -> Runner:
    return evolved.hold(folder, name, (SCORER, ANNA, BERT))[0]


def of_benchmark(name: str, folder: Path) -> Runner:
    judging = {"bench-judge": benchmark.judge, "bench-fluency": benchmark.compare}
    writing = {model: {"bench-idea": partial(benchmark.idea, model=model)} for model in MODELS}
    runner = Runner(shop_of(folder, writing | dict.fromkeys(JUDGES, judging)))
    held(runner, name, MODELS, JUDGES)
    return runner


HOLD: dict[str, Callable[[str, Path], Runner]] = {
    **dict.fromkeys(
        ("coi-arena", "coi-design", "coi-ablations", "coi-length", "coi-width"), of_chains
    ),
    **dict.fromkeys(("infal-main", "infal-ablations", "infal-judges", "infal-cost"), of_refined),
    **dict.fromkeys(("evoideator-main", "evoideator-providers"), of_evolved),
    "liveidea": of_benchmark,
}


@pytest.mark.parametrize("name", HOLD)
def test_every_table_of_a_recipe_compiles(tmp_path, name):
    runner = HOLD[name](name, tmp_path / "held")
    run = next(one for one in runner.store.runs.listed() if one.config.recipe)
    tables = tex_of(files(runner.store, run.id))
    assert len(tables) > 3
    compiled(tmp_path / "tex", tables)


def test_the_tables_of_a_session_compile(tmp_path):
    store = Store(tmp_path / "data")
    made = kit.opened(store, "rate", 2, 6, overlap=2)
    for n in range(2):
        kit.work_through(store, made.at_work(n), kit.an_answer)
        kit.finished(store, made.at_work(n))
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "An Organiser")
    tables = tex_of(session_files(store, made.study.id, key=True))
    assert tables
    compiled(tmp_path / "tex", tables)


HARD = "50 % & more_#1 $x^2$ ~ \\input{etc} {a} <b> \"q\" 'q' -- [1] * – — … ≤ α µ ² € ü ß Š 3 °C"


def test_whatever_a_table_holds_compiles(tmp_path):
    words = Value(text=HARD)
    figures = (
        Value(mean=0.5, low=0.4, high=0.6),
        Value(mean=1.2e-9, unit="p"),
        Value(mean=0.0, unit="p"),
        Value(mean=221.6, unit="change", digits=1),
        Value(mean=0.98, low=0.9, high=1.0, unit="percent", n=3, of=10, counted="targets"),
        Value(mean=3.2, unit="dollars", digits=4),
        Value(mean=float("nan")),
        Value(),
    )
    head = ("Words", *(f"{HARD} {n}" for n in range(len(figures))))
    row = (words, *figures)
    hard = Table(name="hard", title=HARD, caption=HARD, note=HARD, head=head, rows=(row, row))
    bracket = Table(name="bracket", title="T", head=("A", "B"), rows=((Value(text="[x]"), words),))
    long = Table(name="long", title="T", head=("A", "B"), rows=((words, figures[0]),) * 5_000)
    compiled(
        tmp_path / "tex",
        {
            "hard": latex(hard),
            "sideways": latex(hard, sideways=True),
            "bracket": latex(bracket),
            "long": latex(long),
        },
    )
