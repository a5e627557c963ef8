"""Notes in the arena: they stand where they were written, with their author, and are text."""

import pytest

from components.refine import notes as refine_notes
from core.records import Packed
from tests.support.scripted import refinement
from tests.support.steering import made
from tests.support.visiting import said, settled, visit

__all__ = ["made"]


@pytest.fixture
def done(made):
    runner, _ = made
    run = refinement(runner, rounds=2)
    assert runner.work(run.id) == "done"
    return runner, run


def note_key(run, about: str) -> str:
    return f"refine:note:{run.id}:{about}"


def test_notes_stand_where_they_were_written_with_author_and_are_text(done):
    runner, run = done
    app = visit("refine", run=run.id, round="2")
    for about, text in (
        ("round-2/idea", "The <b>dose</b> is missing."),
        ("round-1/review", "I would *decline* r2."),
    ):
        app = settled(app.button(key=note_key(run, about)).click().run())
        app.text_area(key=f"{note_key(run, about)}:text").set_value(text)
        app.text_input(key=f"{note_key(run, about)}:by").set_value("Bea")
        app = settled(app.button(key=f"{note_key(run, about)}:keep").click().run())
    assert [(note.about, note.text, note.by) for note in runner.store.notes.of(run.id)] == [
        ("round-2/idea", "The <b>dose</b> is missing.", "Bea"),
        ("round-1/review", "I would *decline* r2.", "Bea"),
    ]
    shown = said(visit("refine", run=run.id, round="2"))
    assert "The <b>dose</b> is missing." in shown
    assert "**Bea** · just now" in shown
    assert "I would *decline* r2." not in said(visit("refine", run=run.id, round="0"))


def test_a_note_can_be_left_and_one_without_text_is_a_sentence(done):
    runner, run = done
    key = note_key(run, "round-2/idea")
    app = settled(visit("refine", run=run.id, round="2").button(key=key).click().run())
    app = settled(app.button(key=f"{key}:keep").click().run())
    assert "Write the note first" in said(settled(app.run()))
    app = settled(app.button(key=f"{key}:leave").click().run())
    assert "Write the note first" not in said(app)
    assert runner.store.notes.of(run.id) == ()


def test_the_key_n_opens_the_note_on_the_idea_that_is_looked_at(done):
    _, run = done
    app = visit("refine", run=run.id, round="1")
    app.session_state[refine_notes.OPEN] = True
    assert (
        settled(app.run()).text_area(key=f"{note_key(run, 'round-1/idea')}:text").label
        == "Note on the idea of round 1"
    )


def test_a_note_is_removed(done):
    runner, run = done
    note = runner.store.notes.add(run.id, "round-2/idea", "Wrong place.", "Ada")
    settled(
        visit("refine", run=run.id, round="2").button(key=f"refine:unnote:{note.id}").click().run()
    )
    assert runner.store.notes.of(run.id) == ()


def test_a_name_is_given_once_and_stands_in_every_box(done):
    _, run = done
    app = visit("refine", run=run.id, round="2")
    app.text_input(key=f"refine:wish:{run.id}:1:by").set_value(" Ada  Byron ").run()
    app = settled(app.button(key=note_key(run, "round-2/idea")).click().run())
    assert app.text_input(key=f"{note_key(run, 'round-2/idea')}:by").value == "Ada Byron"
    assert app.text_input(key=f"refine:branch:{run.id}:1:2:by").value == "Ada Byron"


def test_a_case_study_shows_its_notes_and_offers_nothing(done):
    runner, run = done
    runner.store.notes.add(run.id, "round-2/idea", "Seen from far.", "Ada")
    packed = Packed(title="A case", at="2026-01-01T00:00:00+00:00", sha="0" * 64)
    runner.store.connections.write(
        "UPDATE runs SET packed = ? WHERE id = ?", packed.model_dump_json(), run.id
    )
    app = visit("refine", run=run.id, round="2")
    assert "Seen from far." in said(app)
    for key in (
        "refine:unnote",
        "refine:note:",
        "refine:branch",
        "refine:wish",
        "refine:decline",
        "refine:rewrite",
    ):
        assert not [
            one
            for one in (*app.button, *app.text_area, *app.text_input)
            if str(one.key).startswith(key)
        ], key
