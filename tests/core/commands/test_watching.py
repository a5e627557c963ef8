"""Watching from a terminal: what is shown is what was said."""

import io
import sys

from core.commands import working as watching
from core.methods.presets import NOVELTY
from tests.conftest import make_run


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_brackets_in_a_note_are_shown_and_obeyed_by_nobody(store, monkeypatch):
    run = make_run(
        store,
        method="refine",
        inputs={"topic": "t", "goal": NOVELTY.model_dump(), "rules": {"max_rounds": 1}},
    )
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    store.steps.write_partial(run.id, "draft", "", "asking again: [bold]x[/nothing]", epoch)
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setenv("COLUMNS", "200")
    with watching.show_progress(store, run.id):
        import time

        time.sleep(0.6)
    assert "[bold]x[/nothing]" in screen.getvalue()
