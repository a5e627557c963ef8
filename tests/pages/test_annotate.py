"""The expert's screens by their logic: blind, nothing chosen beforehand, every change kept, filed
once, and an end when the seat ends.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from components.annotate import work
from components.annotate.desk import DESK
from components.annotate.fields import box_of
from components.shell import services
from core.records import (
    TASKS,
    CommentAnswer,
    CompareAnswer,
    Criterion,
    RankAnswer,
    RateAnswer,
    StudyPlan,
    StudyTerms,
)
from core.runs.runner import Runner
from core.studies import languages, organising, recruiting, sitting
from core.studies.languages import TextsFile
from core.studies.texts import standard
from core.wording.catalogue import source
from tests.conftest import Shop
from tests.support.sessions.annotate_kit import (
    MARKERS,
    box,
    choose,
    counts,
    drawn,
    everything,
    forged,
    labels,
    opened,
    page,
    pressed,
    sent,
    submit,
)
from tests.support.sessions.studies_kit import (
    CRITERIA,
    OWN,
    agreed,
    at_work,
    drafted,
    finished,
    material,
    work_through,
)
from tests.support.sessions.studies_kit import opened as session
from tests.support.visiting import ROOT, host, said, settled


@pytest.fixture
def store(tmp_path, monkeypatch):
    # Every new AppTest reads the metadata of all installed packages, nine tenths of its time
    # (Streamlit 1.67).
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", list)
    return host(monkeypatch, Runner(Shop(tmp_path / "data", {})))


def working(held, n: int = 0, **address: str):
    """Open the n-th expert's link, brought to the work."""
    here = sitting.enter(held.store, held.secret(n))
    if here.step != "work":
        at_work(held.store, held.secret(n))
    return opened(held.secret(n), **address)


def answers(held, n: int = 0):
    return [
        one for one in held.store.study_work.answers(held.study.id) if one.seat == held.seats[n].id
    ]


def opened_texts(app):
    """Open every text of a set: a press on an expander cannot be drawn here, only its wish."""
    on, _ = drawn(app)
    called = [str(one.key) for one in app.button if str(one.key).startswith("seat:take:")]
    seat, position = on.split(":")[:2]
    listed = {str(one.position): one.shown for one in services.store().study_work.of(seat)}
    # Of a set that is shown again the buttons have other names than its texts.
    for label in listed.get(position) or [one.removeprefix("seat:take:") for one in called]:
        app.session_state[DESK].wish(on, "read", label)
    return settled(app.run())


def filled(app, task: str):
    """Fill in whatever form is on the screen."""
    if task == "rate":
        return choose(choose(app, "score:0", 7), "score:1", 4)
    if task == "compare":
        return choose(choose(app, "better:0", "2"), "better:1", "0")
    if task == "comment":
        return choose(choose(choose(app, "valid", "yes"), "answered", "no"), "change", "same")
    app = opened_texts(app)
    while any(one.startswith(("1 ·", "2 ·", "3 ·")) for one in labels(app)):
        app = settled(
            next(one for one in app.button if str(one.key).startswith("seat:take:")).click().run()
        )
    return app


# -- the link and the steps --------------------------------------------------------------------


@pytest.mark.parametrize("secret", ["", "x" * 43, "Ünsinn\x00"])
def test_a_wrong_link_is_one_sentence_and_nothing_else(store, secret):
    session(store)
    app = opened(secret)
    assert "This link opens no session" in said(app)
    assert not app.button
    assert not app.get("page_link")
    assert not app.text_input


def test_a_session_that_is_not_open_yet_says_so(store):
    study = drafted(store)
    _, secret = organising.add_seat(store, study.id, "Ada")
    assert "not open yet" in said(opened(secret))


@pytest.mark.parametrize("task", TASKS)
def test_from_the_link_to_the_first_unit_by_what_is_on_the_screen(store, task):
    held = session(store, task)
    app = opened(held.secret())
    assert "You are asked to judge ideas." in said(app)
    assert f"{len(store.study_work.of(held.seats[0].id))} units, about " in said(app)
    app = pressed(app, "I agree")
    assert "Read, then answer." in said(app)
    assert "An idea, a score, and why." in said(app)
    if task != "comment":
        assert all(f"**{name.capitalize()}**" in said(app) for name in CRITERIA)
        # An order has no scale, and a comparison no points.
        ends = {"rate": "1 = None.", "compare": "Little: None."}.get(task)
        assert ("None." in said(app)) == bool(ends)
        assert not ends or ends in said(app).replace("*", "")
    app = pressed(app, "Go on to a practice unit")
    assert "Practice" in said(app)
    while "Begin" not in labels(app):
        assert submit(app).disabled
        app = settled(submit(filled(app, task)).click().run())
    assert counts(store) == {"study_answers": 0, "study_drafts": 0}
    app = pressed(app, "Begin")
    assert "1 of " in said(app)
    assert submit(app).disabled


def test_who_declines_is_asked_nothing_more(store):
    held = session(store)
    pressed(opened(held.secret()), "Decline")
    app = opened(held.secret())
    assert "You declined" in said(app)
    assert not app.button


def test_who_withdraws_has_said_so_twice_and_is_out(store):
    held = session(store)
    app = working(held)
    assert "cannot be taken back" in said(app)
    app = pressed(app, "Withdraw for good")
    assert app.title[0].value == "You have withdrawn"
    assert not app.button
    assert store.seats.get(held.seats[0].id).step == "withdrawn"


# -- blind -------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_no_page_says_where_a_text_is_from(store, task):
    held = session(store, task, hidden_target=task == "rank")
    pages = [sent(opened(held.secret()))]
    agreed(store, sitting.enter(store, held.secret()))
    pages.append(sent(opened(held.secret())))
    sitting.instructed(store, sitting.enter(store, held.secret()))
    pages.append(sent(opened(held.secret())))
    here = held.at_work()
    pages.append(sent(opened(held.secret())))
    work_through(store, here)
    pages += [sent(opened(held.secret(), at="1")), sent(opened(held.secret()))]
    finished(store, sitting.enter(store, held.secret()))
    pages.append(sent(opened(held.secret())))
    assert "Trajectory" in pages[3] if task == "comment" else "Thought" in "".join(pages)
    assert [
        (n, marker) for n, page in enumerate(pages) for marker in MARKERS if marker in page
    ] == []


@pytest.mark.parametrize("task", TASKS)
def test_opening_a_unit_stores_no_answer_and_no_draft(store, task):
    held = session(store, task)
    app = working(held)
    settled(app.run())
    assert counts(store) == {"study_answers": 0, "study_drafts": 0}


@pytest.mark.parametrize("task", TASKS)
def test_an_untouched_form_cannot_be_submitted_not_even_by_a_forged_click(store, task):
    held = session(store, task)
    app = working(held)
    assert submit(app).disabled
    assert "to answer" in submit(app).label or "to place" in submit(app).label
    assert all(one.value in (None, []) for one in app.button_group)
    assert not any(one.value for one in app.checkbox)
    assert not app.slider
    app = forged(app)
    desk = app.session_state[DESK]
    on, key = drawn(app)
    desk.wish(on, "submit", key)
    app = settled(app.run())
    assert "Still open" in said(app)
    assert counts(store) == {"study_answers": 0, "study_drafts": 0}


# -- rating ------------------------------------------------------------------------------------


def test_every_choice_is_kept_at_once_and_found_again(store):
    held = session(store)
    app = choose(working(held), "score:1", 8)
    app = choose(app, "note", "Half a thought ")
    assert "1 to answer" in submit(app).label
    assert "saved" in said(app)
    again = opened(held.secret())
    assert box(again, "score:1").value == 8
    assert box(again, "note").value == "Half a thought "
    assert counts(store) == {"study_answers": 0, "study_drafts": 1}


def test_a_score_is_filed_under_its_criterion_and_the_next_unit_is_shown(store):
    held = session(store)
    app = working(held)
    order = [one.name for one in sitting.enter(store, held.secret()).criteria]
    app = choose(choose(app, "score:0", 10), "score:1", 1)
    app = settled(submit(app).click().run())
    (filed,) = answers(held)
    assert filed.answer == RateAnswer(scores={order[0]: 10, order[1]: 1})
    assert "2 of " in said(app)
    assert submit(app).disabled
    assert counts(store) == {"study_answers": 1, "study_drafts": 0}


def test_cannot_judge_and_a_score_take_each_others_place(store):
    held = session(store)
    app = choose(working(held), "score:0", 3)
    app = choose(app, "cannot:0", True)
    app = settled(app.run())
    assert box(app, "score:0").value in (None, [])
    app = choose(app, "score:0", 5)
    app = settled(app.run())
    assert box(app, "cannot:0").value is False
    app = choose(choose(app, "cannot:0", True), "score:1", 2)
    settled(submit(app).click().run())
    assert sorted(answers(held)[0].answer.scores.values(), key=str) == [2, None]


def test_an_earlier_unit_can_be_changed_and_both_answers_stay(store):
    held = session(store)
    app = settled(submit(filled(working(held), "rate")).click().run())
    app = pressed(app, "Back")
    assert "1 of " in said(app)
    assert "Next" in labels(app)
    app = choose(app, "score:0", 1)
    assert submit(app).label == "Submit the change"
    app = settled(submit(app).click().run())
    assert [list(one.answer.scores.values()) for one in answers(held)] == [[7, 4], [1, 4]]
    assert "2 of " in said(app)


def test_who_looks_over_the_answers_goes_from_one_to_the_next_and_back_to_the_last_questions(store):
    held = session(store)
    work_through(store, held.at_work())
    app = pressed(opened(held.secret()), "Look over my answers")
    places = len(sitting.listed(store, held.at_work()))
    for n in range(1, places + 1):
        assert f"**{n} of {places}**" in said(app)
        assert "left" not in app.markdown[0].value
        app = pressed(app, "Next")
    assert app.title[0].value == "The last questions"
    app = pressed(pressed(app, "Look over my answers"), "The last questions")
    assert app.title[0].value == "The last questions"


def test_the_time_left_is_said_as_a_range_once_three_units_are_done(store):
    held = session(store)
    app = working(held)
    for _ in range(3):
        assert "left" not in app.markdown[0].value, "one quick unit says nothing of the next"
        app = settled(submit(filled(app, "rate")).click().run())
    assert re.search(r"about 1 minute left|about \d+ to \d+ min left", app.markdown[0].value)


# -- comparing, ranking ------------------------------------------------------------------------


def test_a_preference_is_filed_by_label_whatever_the_side(store):
    held = session(store, "compare")
    app = working(held)
    left, right = sitting.upcoming(store, sitting.enter(store, held.secret())).shown
    assert f"{left} much better" in sent(app)
    app = choose(choose(app, "better:0", "-2"), "better:1", "1")
    app = choose(app, "weak", True)
    settled(submit(app).click().run())
    answer = answers(held)[0].answer
    assert isinstance(answer, CompareAnswer)
    assert answer.both_weak
    assert sorted((one.better, one.much) for one in answer.preferences.values()) == sorted(
        [(right, True), (left, False)]
    )


def test_a_set_is_ordered_by_buttons_with_ties_and_taken_back(store):
    held = session(store, "rank")
    app = working(held)
    labels_ = sitting.upcoming(store, sitting.enter(store, held.secret())).shown
    assert f"Not opened yet: {', '.join(labels_[1:])}" in said(app)
    for one in labels_:
        app = settled(app.button(key=f"seat:take:{one}").click().run())
    assert submit(app).label == "2 texts not opened yet"
    assert submit(app).disabled
    on, _ = drawn(app)
    for one in labels_[1:]:
        app.session_state[DESK].wish(on, "read", one)
    app = settled(app.run())
    assert submit(app).label == "Submit"
    app = settled(app.button(key=f"seat:tie:{labels_[1]}").click().run())
    app = settled(app.button(key="seat:undo").click().run())
    assert "1 to place" in submit(app).label
    again = opened(held.secret())
    assert "1 to place" in submit(again).label
    again = settled(again.button(key=f"seat:take:{labels_[2]}").click().run())
    settled(submit(again).click().run())
    assert answers(held)[0].answer == RankAnswer(
        groups=(labels_[:2], labels_[2:]) if len(labels_) == 3 else answers(held)[0].answer.groups
    )


# -- commenting --------------------------------------------------------------------------------


def test_rounds_are_shown_one_by_one_each_locked_before_the_next(store):
    held = session(store, "comment", attention=0)
    app = working(held)
    whole = sent(app)
    assert "in round 1" in whole
    assert "in round 2" not in whole
    assert "in round 3" not in whole
    app = settled(submit(filled(app, "comment")).click().run())
    whole = sent(app)
    assert "in round 2" in whole
    assert "in round 3" not in whole
    assert any("Round 1, locked" in one.label for one in app.expander)
    assert all(one.value in (None, []) for one in app.button_group)
    app = settled(submit(filled(app, "comment")).click().run())
    app = settled(submit(filled(app, "comment")).click().run())
    assert [one.stage for one in answers(held)] == [1, 2, 3]
    assert "2 of " in said(app)
    app = pressed(app, "Back")
    assert "They are locked" in said(app)
    assert not app.button_group


def test_a_remark_needs_words_that_stand_in_the_text(store):
    held = session(store, "comment", attention=0)
    app = filled(working(held), "comment")
    app = pressed(app, "Remark on a passage")
    app = choose(app, "text:0", "Which test?")
    assert submit(app).disabled
    assert "1 to answer" in submit(app).label
    place = sitting.upcoming(store, sitting.enter(store, held.secret()))
    spot = (held.seats[0].id, place.unit, place.time)
    half = {
        "valid": "yes",
        "answered": "no",
        "change": "same",
        "remarks": [{"of": "idea", "quote": "Words of my own", "text": "Which test?"}],
        "note": "",
    }
    store.connections.write(
        "UPDATE study_drafts SET data = ? WHERE seat = ? AND unit = ? AND time = ?",
        json.dumps(half),
        *spot,
    )
    app = opened(held.secret())
    assert "These words are not in the text" in said(app)
    app = settled(submit(app).click().run())
    assert "Copy the passage word for word" in said(app)
    assert answers(held) == []
    app = pressed(app, "Take this remark out")
    app = pressed(app, "Remark on a passage")
    quote = next(one for one in app.selectbox[0].options if one.startswith("Round 1"))
    app = settled(app.selectbox[0].set_value(quote).run())
    app = choose(app, "text:0", "Which test?")
    settled(submit(app).click().run())
    answer = answers(held)[0].answer
    assert isinstance(answer, CommentAnswer)
    assert [(one.of, one.text) for one in answer.remarks] == [("review", "Which test?")]
    assert "lacks a test" in answer.remarks[0].quote


# -- two tabs, and ends under way --------------------------------------------------------------


def test_a_second_tab_sees_what_the_first_filed_and_nothing_is_doubled(store):
    held = session(store)
    one, other = working(held), opened(held.secret())
    one = settled(submit(filled(one, "rate")).click().run())
    other = settled(other.run())
    assert [list(each.answer.scores.values()) for each in answers(held)] == [[7, 4]]
    assert box(other, "score:0").value == 7 or "2 of " in said(other)


def test_what_is_half_said_in_a_second_tab_is_not_lost_when_the_first_files(store):
    held = session(store)
    one = working(held)
    other = opened(held.secret(), at="1")
    one = filled(one, "rate")
    box(other, "score:0").set_value(2)
    box(other, "note").set_value("Mine.")
    settled(submit(one).click().run())
    other = settled(other.run())
    assert "You answered this in another tab" in said(other)
    assert box(other, "score:0").value == 2
    assert box(other, "note").value == "Mine."
    assert len(answers(held)) == 1
    spot = (held.seats[0].id, answers(held)[0].unit, 1)
    kept = json.loads(
        store.connections.rows(
            "SELECT data FROM study_drafts WHERE seat = ? AND unit = ? AND time = ?", *spot
        )[0]["data"]
    )
    assert 2 in kept["scores"].values()
    assert kept["note"] == "Mine."
    other = pressed(other, "Use the saved answer")
    assert box(other, "score:0").value == 7
    assert counts(store)["study_drafts"] == 0


@pytest.mark.parametrize("what", ["Submit", "Skip this unit"])
def test_what_a_second_tab_chose_is_filed_by_no_press_on_a_screen_that_did_not_show_it(
    store, what, monkeypatch
):
    monkeypatch.setattr(work, "TWICE", 90.0)
    held = session(store)
    one = choose(filled(working(held), "rate"), "mark", "My own field.")
    other = choose(opened(held.secret(), at="1"), "score:0", 1)
    choose(choose(other, "note", "Of the other tab."), "mark", "Another reason.")
    one = pressed(one, what)
    assert answers(held) == []
    assert "changed in another tab or window meanwhile, and nothing was submitted" in said(one)
    shown = [box(one, name).value for name in ("score:0", "score:1", "note", "mark")]
    assert shown == [1, 4, "Of the other tab.", "Another reason."]
    one = pressed(one, what)
    assert answers(held) == [], "the second of a double click is no press on what it says now"
    assert "changed in another tab" in said(one)
    monkeypatch.setattr(work, "TWICE", 0.0)
    one = pressed(one, what)
    assert len(answers(held)) == 1
    assert "2 of " in said(one)
    assert "changed in another tab" not in said(one)


def test_a_press_that_goes_with_a_choice_files_nothing_another_tab_chose(store, monkeypatch):
    monkeypatch.setattr(work, "TWICE", 0.0)
    held = session(store)
    one = filled(working(held), "rate")
    other = choose(opened(held.secret(), at="1"), "score:0", 1)
    box(one, "score:1").set_value(9)
    one = settled(submit(one).click().run())
    assert answers(held) == []
    assert [box(one, f"score:{n}").value for n in (0, 1)] == [1, 9]
    other = settled(submit(other).click().run())
    assert "changed in another tab" in said(other)
    settled(submit(other).click().run())
    assert [list(each.answer.scores.values()) for each in answers(held)] == [[1, 9]]


def test_one_press_sent_twice_files_one_answer(store):
    held = session(store)
    app = filled(working(held), "rate")
    pressed_on, key = drawn(app)
    app = settled(submit(app).click().run())
    app.session_state[DESK].wish(pressed_on, "submit", key)
    app = settled(app.run())
    assert len(answers(held)) == 1
    assert "2 of " in said(app)
    assert "Still open" not in said(app)


@pytest.mark.parametrize(
    ("end", "sentence"), [("close", "closed"), ("take back", "opens no session")]
)
def test_a_seat_that_ends_while_it_is_open_says_so_at_the_next_act(store, end, sentence):
    held = session(store)
    app = choose(working(held), "score:0", 5)
    if end == "close":
        organising.close(store, held.study.id)
    else:
        organising.take_back(store, held.seats[0].id)
    app = settled(box(app, "score:1").set_value(5).run())
    assert sentence in said(app)
    assert not app.button
    assert not app.button_group
    assert answers(held) == []


# -- the end -----------------------------------------------------------------------------------


def test_the_last_questions_come_after_the_last_unit_and_end_the_seat(store):
    held = session(store, "rank", hidden_target=True)
    work_through(store, held.at_work())
    app = opened(held.secret())
    finish = next(one for one in app.button if one.key == "seat:finish")
    assert finish.disabled
    sets = sitting.sets_to_guess(store, sitting.enter(store, held.secret()))
    for one in sets:
        app = settled(
            app.button_group(key=f"seat:after:human:{one.unit.id}").set_value("cannot tell").run()
        )
    app = settled(app.button_group(key="seat:after:familiarity").set_value(4).run())
    app = opened(held.secret())
    app = settled(app.button_group(key="seat:after:confidence").set_value(2).run())
    app = settled(app.multiselect(key="seat:after:seen").set_value([sets[0].unit.labels[0]]).run())
    app = settled(next(one for one in app.button if one.key == "seat:finish").click().run())
    assert app.title[0].value == "Thank you"
    kept = store.seats.afterwards(held.study.id)[held.seats[0].id]
    assert (kept.familiarity, kept.confidence, kept.seen_before) == (4, 2, sets[0].unit.labels[:1])
    assert kept.human == {one.unit.id: "" for one in sets}


# -- the organiser's preview -------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_a_preview_shows_every_step_and_stores_nothing(store, task):
    study = drafted(store, task, hidden_target=task == "rank")
    before = everything(store)
    for step in ("consent", "instructions", "practice", "work", "afterwards", "done"):
        app = page(preview=study.id, step=step)
        assert "nothing is stored" in said(app)
        assert [marker for marker in MARKERS if marker in sent(app)] == []
        if step == "work":
            app = settled(submit(filled(app, task)).click().run())
            assert "2 of " in said(app) or "round 2" in sent(app)
    assert everything(store) == before


# -- in another language -----------------------------------------------------------------------

ENGLISH_LEFT = re.compile(r"\{[a-z]+\}|[*:]")


def english() -> list[str]:
    """Return the passages of the English catalogue that no German text has."""
    german = " ".join(languages.shipped("de").texts.values())
    passages = set()
    for name, text in source().items():
        if name.startswith(("ours.example", "practice.designs")):
            continue
        for part in ENGLISH_LEFT.split(text):
            said_plain = part.strip(" .,()\n")
            if len(said_plain) > 5 and said_plain not in german:
                passages.add(said_plain)
    return sorted(passages)


def walk(store, task: str) -> Iterator[AppTest]:
    """Yield every page of an expert's sitting in German, from the link to the thanks."""
    plan = standard(task, "S", repeats=1, attention=0, overlap=1, hidden_target=task == "rank")
    plan = languages.in_language(plan, languages.shipped("de"))
    study = organising.create(store, plan)
    items, units, keys, unit_keys = material(store, plan, 3)
    store.studies.fill(study.id, items, units, keys, unit_keys)
    _, secret = organising.add_seat(store, study.id, "Expert 1")
    yield opened(secret)
    organising.open_study(store, study.id)
    app = opened(secret)
    yield app
    app = pressed(app, "Ich stimme zu")
    yield app
    app = pressed(app, "Weiter zu einer")
    while "Beginnen" not in labels(app):
        yield app
        app = settled(submit(german_filled(app, task)).click().run())
    yield app
    app = pressed(app, "Beginnen")
    seat = store.seats.of(study.id)[0].id
    while app.title == [] or app.title[0].value != "Die letzten Fragen":
        yield forged(app)
        if task == "comment":
            app = pressed(app, "Bemerkung zu einer")
            yield choose(app, "text:0", "Ein Satz")
            app = pressed(app, "Diese Bemerkung")
        app = german_filled(app, task)
        app = choose(app, "note", "Ein Gedanke")
        yield app
        app = settled(submit(app).click().run())
    yield app
    app = pressed(app, "Meine Antworten")
    yield app
    here = sitting.enter(store, secret)
    finished(store, here)
    yield opened(secret)
    assert any(one.time == 2 for one in store.study_work.of(seat)) or task == "rank"
    store.seats.move(seat, "withdrawn")
    yield opened(secret)
    organising.close(store, study.id)
    yield opened(secret)


def german_filled(app, task: str):
    """Fill in whatever form is on the screen; ours have five qualities, or two."""
    if task in ("rate", "compare"):
        for one in [str(one.key) for one in app.button_group]:
            name = re.search(r"(score|better):\d+", one)[0]
            app = choose(app, name, 7 if task == "rate" else "0")
        return app
    return filled(app, task)


@pytest.mark.parametrize("task", TASKS)
def test_a_whole_sitting_in_german_says_nothing_in_english(store, task):
    left = english()
    assert len(left) > 200
    pages = 0
    for app in walk(store, task):
        assert not app.exception
        pages += 1
        # Names of icons, and of what was chosen, are no words on the screen.
        page = re.sub(r":material/\w+:", "", said(app))
        found = [one for one in left if re.search(rf"(?<![\w]){re.escape(one)}(?![\w])", page)]
        assert found == [], (pages, page)
    assert pages >= 10


GERMAN_RUBRIC = {
    "novelty": ("Neuheit", "Wie neu ist es?", "Gar nicht.", "Ganz und gar."),
    "worth": ("Wert", "Wie viel ist es wert?", "Nichts.", "Alles."),
    "ethics": ("Ethik", "Ist es vertretbar?", "Es schadet.", "Es ist gut so."),
    "wishes": ("Wünsche", "Was fehlt noch?"),
}
SAID = {"novelty": 6, "worth": 42, "ethics": 1, "wishes": "Ein längerer Versuch."}


def in_german(plan: StudyPlan) -> StudyPlan:
    """Return a plan of the rubric `OWN` whose experts read German."""
    held = dict(languages.shipped("de").texts)
    for name, texts in GERMAN_RUBRIC.items():
        parts = ("name", "meaning", "low", "high")
        held |= {f"criteria.{name}.{part}": text for part, text in zip(parts, texts, strict=False)}
    held["criteria.novelty.at_4"] = "Einigermaßen."
    return languages.in_language(plan, TextsFile("de", held))


def every_word(app: AppTest) -> str:
    """Return what a page says, with titles, labels, and what stands in empty boxes and behind
    question marks.
    """
    boxes = [*app.text_area, *app.number_input, *app.selectbox, *app.multiselect]
    groups = [*app.button_group, *app.checkbox, *app.button, *boxes]
    said_more = [one.value for one in app.title] + [one.label for one in boxes]
    for one in groups:
        said_more += [getattr(one.proto, name, "") for name in ("help", "placeholder")]
    return re.sub(r":material/\w+:", "", "\n".join((said(app), *said_more)))


def walk_rubric(store) -> Iterator[AppTest]:
    """Yield the pages of a sitting in German with a rubric of one's own, and with terms."""
    plan = in_german(standard("rate", "S", criteria=OWN, attention=0, repeats=0, overlap=1))
    study = organising.create(store, plan)
    items, units, keys, unit_keys = material(store, plan, 6)
    store.studies.fill(study.id, items, units, keys, unit_keys)
    seats = [organising.add_seat(store, study.id, f"Expert {n}") for n in (1, 2)]
    secret = seats[0][1]
    recruiting.make_places(store, study.id, 0)
    join = recruiting.draw_link(store, study.id)
    yield page(join=join, PROLIFIC_PID="p")
    organising.open_study(store, study.id)
    yield page(join=join)
    yield page(join=join, PROLIFIC_PID="p")
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="minutes")
    terms = StudyTerms(deadline=soon, late=True, rate="12", per="unit", code="C1", most=30)
    terms = terms.model_copy(update={"return_address": "https://example.org/$code"})
    store.terms.put(study.id, terms)
    yield opened(secret)
    store.terms.put(study.id, terms.model_copy(update={"late": False, "most": 0, "per": "hour"}))
    app = opened(secret)
    yield app
    app = pressed(app, "Ich stimme zu")
    yield app
    asked = sitting.enter(store, secret).criteria
    app = own_filled(pressed(app, "Weiter zu einer"), asked)
    yield app
    app = settled(submit(app).click().run())
    app = pressed(app, "Beginnen")
    yield app
    app = pressed(app, "Diese Einheit überspringen")
    assert "warum Sie das überspringen" in said(app)
    yield app
    app = pressed(choose(app, "mark", "Von mir."), "Diese Einheit überspringen")
    app = pressed(app, "Zurück")
    assert "Das haben Sie übersprungen: Von mir." in said(app)
    yield app
    app = choose(own_filled(app, asked), "flagged", True)
    yield app
    yield forged(choose(app, "mark", ""))
    at = [one.name for one in asked].index("novelty")
    app = choose(app, f"why:{at}", "")
    assert submit(app).label == "Noch 1 Antwort: warum, zu Neuheit"
    assert submit(app).disabled
    yield forged(app)
    app = choose(app, f"why:{at}", "Neu.")
    app = choose(app, "mark", "Seltsam.")
    app = settled(submit(app).click().run())
    organising.take_back(store, seats[1][0].id)
    app = opened(secret)
    assert app.title[0].value == "Ihre Liste ist länger geworden"
    yield app
    app = pressed(app, "Übernehmen")
    yield app
    here = sitting.enter(store, secret)
    work_through(store, here)
    finished(store, here)
    app = opened(secret)
    assert "C1" in said(app)
    yield app
    store.seats.move(seats[0][0].id, "work", leaving=("done",))
    for late in (True, False):
        past = {"deadline": "2020-01-01T17:00+00:00", "late": late}
        store.terms.put(study.id, terms.model_copy(update=past))
        yield opened(secret)


def own_filled(app: AppTest, asked: Sequence[Criterion]) -> AppTest:
    """Fill in the rubric that is on the screen, in the order in which it is asked."""
    for n, one in enumerate(asked):
        app = choose(app, f"{box_of(one)}:{n}", SAID[one.name])
        if one.reason == "required":
            app = choose(app, f"why:{n}", "Zwei Felder treffen sich.")
    return app


def test_a_rubric_of_ones_own_and_terms_in_german_say_nothing_in_english(store):
    left = english()
    left += [text for one in OWN for text in (one.meaning, one.low, one.high) if text]
    left += ["Some.", *(one.name for one in OWN)]
    pages = 0
    for app in walk_rubric(store):
        assert not app.exception
        pages += 1
        text = every_word(app)
        found = [one for one in left if re.search(rf"(?<![\w]){re.escape(one)}(?![\w])", text)]
        assert found == [], (pages, text)
    assert pages >= 18


def test_every_text_of_the_catalogue_is_said_somewhere_and_no_other_is_asked_for():
    asked, begun = set(), set()
    for folder in ("components/annotate", "core/studies", "core/store"):
        for path in (ROOT / folder).glob("*.py"):
            code = path.read_text("utf-8")
            asked.update(re.findall(r"""["']([a-z]+\.[a-z_0-9]+)["']""", code))
            begun.update(re.findall(r'f["\']([a-z]+\.[a-z_0-9]*)\{', code))
    screens = {
        name.removesuffix(".one").removesuffix(".other")
        for name in source()
        if name.split(".")[0] not in ("ours", "criteria", "practice")
    }
    said_by_part = {name for name in screens for part in begun if name.startswith(part)}
    listed = {name for name in screens if name.startswith(("keys.", "field."))}
    assert screens - asked - said_by_part - listed == set()
    sections = {name.split(".")[0] for name in screens}
    assert {one for one in asked if one.split(".")[0] in sections} - screens == set()
