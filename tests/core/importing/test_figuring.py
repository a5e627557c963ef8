"""The figures of a large file are made in a process beside the server: the same figures, and what
takes too much is said.
"""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import BadInput, MappingNeeded, StoreFailed
from core.importing import figuring
from core.importing.analysis import is_export
from core.importing.figuring import FileReading, figures
from core.importing.rating_guess import guess_layout
from core.importing.ratings import opened
from core.importing.sheets import Sheet
from tests import ROOT
from tests.core.importing.test_sizes import ANSWERS, JUDGMENTS, compared, judged, ranked
from tests.support.waiting import until

VOTES = "topic,first,second,criterion,preference,judge,person"


def file(head: str, rows: list[str]) -> Sheet:
    return opened("a.csv", "\n".join([head, *rows]).encode())


def read(sheet: Sheet, **said) -> tuple[Sheet, FileReading]:
    layout = None if is_export(sheet) else guess_layout(sheet)
    return sheet, FileReading(layout=layout, **said)


def rated() -> list[str]:
    dice = random.Random(3)
    return [
        f"i{n},{rater},{criterion},{dice.randint(1, 7)},s{n % 3},t{n // 3},{kind}"
        for n in range(24)
        for rater, kind in (("ada", "expert"), ("bob", "expert"), ("gpt", "model"))
        for criterion in ("novelty", "impact")
    ]


def voted() -> list[str]:
    dice = random.Random(5)
    return [
        f"t{n},{first},{second},novelty,{dice.choice(('first', 'second', 'tie'))},{judge},{person}"
        for n in range(12)
        for first, second in (("a", "b"), ("b", "c"), ("c", "a"))
        for judge, person in (("gpt", "no"), ("ada", "yes"))
    ]


KINDS = {
    "ratings": ("idea,rater,criterion,score,source,topic,kind", rated()),
    "reviews": (
        "idea,criterion,score,source",
        [f"i{n // 2},x,{n % 5},s{n % 4 // 2}" for n in range(48)],
    ),
    "rankings": (ANSWERS, ranked(6)),
    "comparisons": (ANSWERS, compared(2, "gpt")),
    "votes": (VOTES, voted()),
    "judgments": (JUDGMENTS, judged(40, 3, 4)),
}


@pytest.fixture
def as_json(monkeypatch):
    """Let this process be the one beside."""

    def here(module: str, *, given: str):
        return figuring.answer(given)

    monkeypatch.setattr(figuring, "run_beside", here)


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_from_the_process_is_what_is_made_here(kind, as_json):
    asked = read(file(*KINDS[kind]))
    here = figuring._made(*asked)
    assert (here.holds, here.sheet) == (kind, None)
    assert figures(*asked) == here


def test_a_process_of_its_own_makes_them(monkeypatch):
    asked = read(file(*KINDS["ratings"]), correction="Bonferroni")
    here = figuring._made(*asked)
    monkeypatch.setattr(figuring, "_made", None)
    assert figures(*asked) == here
    with pytest.raises(BadInput, match="on 31 criteria; 30") as wrong:
        figures(*read(file(ANSWERS, compared(31, "gpt"))))
    assert type(wrong.value) is BadInput
    with pytest.raises(MappingNeeded, match="no export of ours"):
        figures(file("a,b", ["1,2"]), FileReading())


def test_what_takes_too_much_memory_is_refused(as_json, monkeypatch):
    def too_much(*_):
        raise MemoryError

    monkeypatch.setattr(figuring, "_made", too_much)
    with pytest.raises(BadInput, match="more than 1 GB of memory"):
        figures(*read(file(*KINDS["votes"])))


@pytest.mark.parametrize(
    ("code", "stderr", "kind", "said"),
    [
        (-signal.SIGXCPU, "", BadInput, "longer than 5 minutes of one core. Split it"),
        (-signal.SIGKILL, "", StoreFailed, "their process ended with -9"),
        (1, "Traceback\n  in x\nValueError: no", StoreFailed, "ValueError: no"),
    ],
)
def test_a_process_that_ends_early_is_said_to(monkeypatch, code, stderr, kind, said):
    ended = subprocess.CompletedProcess((), code, "", stderr)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(kind, match=said):
        figures(*read(file(*KINDS["votes"])))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count otherwise")
def test_a_process_that_takes_too_long_hears_of_it_before_it_is_killed():
    endless = "from core.beside import bound\nbound(1 << 30, 1)\nwhile True:\n    pass"
    done = subprocess.run([sys.executable, "-c", endless], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGXCPU


def test_where_no_process_can_be_started_that_is_said(monkeypatch):
    def none(*_, **__):
        raise OSError(11, "no more of them")

    monkeypatch.setattr(subprocess, "run", none)
    with pytest.raises(StoreFailed, match="No process could be started"):
        figures(*read(file(*KINDS["votes"])))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux bounds address space")
def test_memory_is_bounded():
    told = "import numpy as np; from core.beside import bound; bound(1 << 28); np.ones(1 << {})"
    small, large = (
        subprocess.run(
            [sys.executable, "-c", told.format(size)], capture_output=True, text=True, check=False
        )
        for size in (20, 26)
    )
    assert (small.returncode, large.returncode) == (0, 1)
    assert "Unable to allocate 512" in large.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux chooses so")
def test_where_memory_ends_it_goes_before_the_server():
    told = (
        "from core.beside import bound; bound(1 << 30);"
        " print(open('/proc/self/oom_score_adj').read())"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1000"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells")
def test_a_process_ends_with_the_one_that_waits_for_it(tmp_path):
    there = tmp_path / "pid"
    child = (
        "import os, time; from pathlib import Path; from core.beside import answer_with;"
        f" answer_with(lambda: (Path({str(there)!r}).write_text(str(os.getpid())),"
        " time.sleep(90)))"
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    waiting = subprocess.Popen([sys.executable, "-c", parent])
    until(lambda: there.exists() and there.read_text(), 60)
    pid = int(there.read_text())
    waiting.kill()
    waiting.wait()
    until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
