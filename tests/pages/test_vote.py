"""The voting screen by its buttons: blind, one quality after another, every answer kept at once."""

import re

import pytest

from components.arena import ballot as vote_ballot
from components.arena import voting as vote_screen
from components.arena.ballot import VoterSitting
from components.arena.ballot_keys import Press
from components.arena.figures import line_up
from core.errors import NotThere
from core.records import IDEA_CRITERIA
from tests.support.arena_kit import JUDGES, METHODS, arena_shop, entry, held, one_paragraph, six
from tests.support.visiting import host, said, settled, visit

TOPICS = ("sleep", "light")


@pytest.fixture
def place(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path)
    store = host(monkeypatch, runner)
    monkeypatch.setattr(vote_ballot, "TWICE", 0.0)
    texts = [
        entry(store, method, topic, six(f"Text {n} *of* <b>{topic}</b>."))
        for n, (method, topic) in enumerate((m, t) for m in METHODS for t in TOPICS)
    ]
    return store, held(runner, texts)


def voting(run, by: str = "Ada"):
    return visit("arena", run=run.id, vote="1", **({"by": by} if by else {}))


def pressed(app, words: str):
    return settled(next(one for one in app.button if words in one.label).click().run())


def answered(app, *words: str):
    for one in words:
        app = pressed(app, one)
    return app


def test_a_voter_is_asked_for_a_name_once_and_the_address_keeps_it(place):
    _, run = place
    app = voting(run, "")
    assert not any("A better" in one.label for one in app.button)
    app.text_input(key="vote:name").set_value("  Ada ")
    app = pressed(app, "Begin")
    assert app.query_params["by"] in ("Ada", ["Ada"])
    assert "1 of 6 pairs" in said(app)


def test_nothing_says_where_a_text_is_from_or_how_the_votes_stand(place):
    _, run = place
    shown = said(voting(run))
    assert not any(name in shown for name in (*METHODS, *JUDGES, "won", "rating", run.title))
    assert "Text" in shown


def test_every_answer_is_kept_at_once_and_nothing_is_chosen_beforehand(place):
    store, run = place
    app = voting(run)
    assert next(one for one in app.button if "left" in one.label).disabled
    answered(app, "1 · A much better", "5 · B much better")
    assert store.ballots.half(run.id, "Ada").strength == {"novelty": 2, "significance": -2}
    again = said(voting(run))
    assert "Novelty: A much better" in again
    assert "3 qualities left" in again


def test_a_filled_ballot_is_filed_with_its_reason_and_can_be_opened_again(place):
    store, run = place
    app = answered(
        voting(run),
        "2 · A better",
        "3 · No difference",
        "4 · B better",
        "2 · A better",
        "2 · A better",
    )
    next(one for one in app.text_area if one.label.startswith("Why")).set_value("Because.")
    assert "**1 of 6 pairs** · 0 done" in said(app), "its answers are saved already"
    app = pressed(app, "Save, next pair")
    assert "**2 of 6 pairs** · 1 done" in said(app)
    (ballot,) = store.ballots.by(run.id, "Ada")
    assert [ballot.strength[name] for name in IDEA_CRITERIA] == [1, 0, -1, 1, 1]
    assert (ballot.why, ballot.person) == ("Because.", True)
    app = pressed(app, "Previous pair")
    assert "Novelty: A better" in said(app)
    app = answered(app, "Novelty: A better")
    app = answered(app, "5 · B much better", "Save, next pair")
    assert [one.strength["novelty"] for one in store.ballots.by(run.id, "Ada")] == [1, -2]
    assert [one.strength["novelty"] for one in store.ballots.of(run.id, person=True)] == [-2]


def test_who_has_judged_every_pair_is_thanked(place):
    store, run = place
    app = voting(run)
    for _ in range(6):
        app = answered(app, *["2 · A better"] * 5, "Save, next pair")
    assert "All 6 pairs judged and saved" in said(app)
    assert len(store.ballots.by(run.id, "Ada")) == 6


def test_nobody_votes_on_in_an_arena_that_was_deleted_under_them(place):
    store, run = place
    sitting = VoterSitting(run.id, "idea", "Ada", (), {})
    lineup = line_up(run)
    store.runs.delete(run.id)
    with pytest.raises(NotThere, match="There is no run"):
        vote_screen._ballot(sitting, lineup)
    assert store.ballots.half(run.id, "Ada") is None


def test_what_another_tab_answered_is_filed_by_nobody_who_did_not_see_it(place):
    store, run = place
    app = answered(voting(run), *["1 · A much better"] * 5)
    other = answered(voting(run), "Novelty: A much better", "5 · B much better")
    app = pressed(app, "Save, next pair")
    assert not store.ballots.by(run.id, "Ada")
    assert "Novelty: B much better" in said(app)
    assert vote_ballot.CHANGED in said(app)
    assert vote_ballot.CHANGED not in said(other)
    app = pressed(app, "Save, next pair")
    (ballot,) = store.ballots.by(run.id, "Ada")
    assert [ballot.strength[name] for name in IDEA_CRITERIA] == [-2, 2, 2, 2, 2]
    assert "**2 of 6 pairs** · 1 done" in said(app)
    assert vote_ballot.CHANGED not in said(app)


def by_key(sitting, screen: str, *keys: str) -> None:
    for key in keys:
        vote_ballot.press(sitting, Press(screen, key, ""))


def test_keys_answer_the_qualities_their_screen_asked_for_however_quickly_they_follow(place):
    store, run = place
    voting(run)
    here, there = (VoterSitting(run.id, "idea", "Ada", (), {}) for _ in range(2))

    def half():
        return store.ballots.half(run.id, "Ada")

    drawn_here, drawn_there = vote_ballot.show(here, half()), vote_ballot.show(there, half())
    by_key(here, drawn_here, "5")
    by_key(there, drawn_there, "1", "1", "ArrowLeft", "Enter")
    assert half().strength == {"novelty": -2}, "significance was not on that screen"
    assert vote_ballot.CHANGED in vote_ballot.spoken(there, half(), "significance", 1)
    by_key(here, drawn_here, "4", "3")
    assert half().strength == {"novelty": -2, "significance": -1, "clarity": 0}
    anew = vote_ballot.show(there, half())
    by_key(there, drawn_there, "1")
    assert len(half().strength) == 3, "drawn anew, and pressed before that"
    by_key(there, anew, "1", "2", "Backspace", "5")
    assert vote_ballot.CHANGED not in vote_ballot.spoken(there, half(), None, 1)
    assert [half().strength[name] for name in IDEA_CRITERIA] == [-2, -1, 0, 2, -2]
    by_key(here, drawn_here, "why", "Enter")
    assert not store.ballots.by(run.id, "Ada")
    by_key(there, anew, "Enter")
    assert len(store.ballots.by(run.id, "Ada")) == 1


def test_markup_of_a_text_is_shown_as_text(place):
    _, run = place
    assert "*of* <b>" in said(voting(run))


def test_a_run_that_is_no_arena_cannot_be_voted_in(place, tmp_path):
    from tests.conftest import make_run

    store, _ = place
    assert "is no arena" in said(voting(make_run(store)))


def test_the_headings_of_an_imported_text_are_bold_and_its_markup_is_not(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path)
    store = host(monkeypatch, runner)
    text = "# Naps *now*\n\n## Why\n\nSleep is short.\n\n#3 of the plan. Number"
    app = voting(
        held(
            runner,
            [
                entry(store, method, "sleep", one_paragraph(f"{text} {n}."))
                for n, method in enumerate(METHODS, 1)
            ],
            same_form=False,
        )
    )
    drawn = [one.value for one in app.markdown if "Sleep is short" in one.value]
    shown = "**Naps \\*now\\***\n\n**Why**\n\nSleep is short\\.\n\n\\#3 of the plan\\. Number"
    assert len(drawn) == 2
    assert all(re.fullmatch(re.escape(shown) + r" \d\\.", one) for one in drawn), drawn
