"""Watching from a terminal: what is shown is what was said."""

import io
import sys
import time

from core.commands import working as watching
from core.methods.presets import NOVELTY
from tests.conftest import make_run


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True

    def wait_for(self, words: str) -> None:
        """Wait until this was shown; on a busy machine the bar is drawn late."""
        end = time.monotonic() + 60
        while words not in self.getvalue():
            assert time.monotonic() < end, self.getvalue()
            time.sleep(0.05)


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
        screen.wait_for("[bold]x[/nothing]")


def test_the_words_of_a_model_server_steer_no_terminal(store, monkeypatch):
    run = make_run(
        store,
        method="refine",
        inputs={"topic": "t", "goal": NOVELTY.model_dump(), "rules": {"max_rounds": 1}},
    )
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    said = "asking again: 502 \x1b]52;c;cm0=\x1b\\ \x1b]0;Mine\x07 \u202eback"
    store.steps.write_partial(run.id, "draft", "", said, epoch)
    monkeypatch.setattr(sys, "stderr", screen := Screen())
    monkeypatch.setenv("COLUMNS", "200")
    with watching.show_progress(store, run.id):
        screen.wait_for("\ufffd]52;c;cm0=\ufffd\\ \ufffd]0;Mine\ufffd \ufffdback")
    shown = screen.getvalue()
    assert not [one for one in ("\x1b]", "\x1b\\", "\x07", "\u202e") if one in shown]
