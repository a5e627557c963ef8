"""Fifty published papers for tests, of which 38 can be used and 12 cannot; their topics wait to be
confirmed.
"""

from pathlib import Path

from core.methods.real_papers import RealPapersInputs
from core.records import Paper, Run
from core.runs.beginning import begin
from core.runs.runner import Runner
from tests.conftest import SmallSource
from tests.support.scripted import baseline_script, experiment_script, runner_of

PAPERS = 50
BARE, TWINS, EMPTY, UNKNOWN = (3, 9, 14), (20, 27, 31), (36, 41), (5, 17, 44, 48)
"""Which of them have no abstract, are given twice, say nothing of an idea, and are known to nobody:
12 in all.
"""


def topic(n: int) -> str:
    """Return the topic that is taken from a paper."""
    return f"what short sleep does, question {n}"


def _source() -> SmallSource:
    papers = [
        Paper(
            id=f"paper{n}",
            title=f"A study of naps number {n}",
            year=2024,
            abstract="" if n in BARE else f"On naps, part {n}, and what became of them.",
        )
        for n in range(PAPERS)
        if n not in UNKNOWN
    ]
    return SmallSource(papers, {})


def _script() -> dict:
    whole = baseline_script() | experiment_script()
    usual = whole["report"]

    def report(request):
        n = int(request.values["paper"].id.removeprefix("paper"))
        made = usual(request)
        idea = {**made["idea"], "title": f"Idea {n}"}
        if n in EMPTY:
            idea["method"] = "NONE"
        return {**made, "topic": topic(n), "idea": idea}

    return {**whole, "report": report}


def gathered(folder: Path, confirm: bool = True) -> tuple[Runner, Run]:
    """Work on a run over the fifty until it waits for its topics, or to its end; return both."""
    runner, model = runner_of(folder, _script(), _source())
    ids = tuple(f"paper{n - 1 if n in TWINS else n}" for n in range(PAPERS))
    inputs = RealPapersInputs(ids=ids, full_text=False, confirm=confirm)
    run = begin(runner, "real-papers", inputs, "Naps of 2024", models={"main": model.name}, seed=7)
    state = runner.work(run.id)
    assert state == ("waiting" if confirm else "done"), runner.store.runs.get(run.id).reason
    return runner, runner.store.runs.get(run.id)
