"""The page of a finished run of two branches, with its first branch open for editing."""

import pytest

from components.chains.edit import copy as chain_edit_copy
from tests.support.scripted import finished_chain
from tests.support.visiting import host, said, settled, visit

BRANCH = 1


class Screen:
    """The page of a finished run of two branches, with its first branch open for editing."""

    def __init__(self, runner, model, run):
        self.runner, self.model, self.run = runner, model, run
        self.key = chain_edit_copy.key(self.run, BRANCH)
        self.app = visit("chains", run=self.run.id, view=f"branch-{BRANCH}")
        self.app.toggle(key=f"{self.key}:on").set_value(True)
        self.rerun()

    def rerun(self) -> None:
        settled(self.app.run())

    def click(self, what: str) -> None:
        self.app.button(key=f"{self.key}:{what}").click()
        self.rerun()

    def pick(self, what: str, value: str) -> None:
        self.app.radio(key=f"{self.key}:{what}").set_value(value)
        self.rerun()

    def add(self, source: str = "Candidates", where: str | None = None) -> None:
        """Unfold the box for adding: AppTest knows no click on it, so its state is set."""
        self.app.session_state[f"{self.key}:adding"] = True
        self.rerun()
        self.pick("from", source)
        if where:
            self.pick("where", where)

    def papers(self) -> list[str]:
        return list(
            chain_edit_copy.Copy.model_validate_json(self.app.session_state[self.key]).now.papers
        )

    def ids(self) -> list[str]:
        return [paper.id for paper in self.papers()]

    @property
    def text(self) -> str:
        return said(self.app)

    def worked(self):
        """Let the runner work on the look-up or fork that was begun last, and return its run."""
        begun = self.runner.store.runs.listed(limit=1)[0]
        self.runner.work(begun.id)
        self.rerun()
        return self.runner.store.runs.get(begun.id)


@pytest.fixture
def screen(tmp_path, monkeypatch):
    runner, model, run = finished_chain(tmp_path, branches=2, length=3, design=False)
    host(monkeypatch, runner)
    runner.workshop.named["builtin"] = model
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    return Screen(runner, model, run)
