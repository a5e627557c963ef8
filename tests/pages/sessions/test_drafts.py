"""The organiser's screens before a session opens: the form, a draft and its
criteria, and what it would find.
"""

import re
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from components.sessions import acts as study_acts
from components.sessions import ahead as study_ahead
from components.sessions import form as study_form
from components.sessions import words as study_words
from components.sessions.form import SessionForm, WantedSession
from components.sessions.pick import PickedTexts
from components.shell import mistakes
from core.cases.bundled import opened as case
from core.records import Idea, Rubric, StudyUnit
from core.studies import languages, organising, texts
from core.studies.effort import effort
from core.studies.inviting import Invited, invite
from core.studies.picking import Chosen
from tests.support.arena_kit import METHODS, TOPICS, entries
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import links, said, settled, shown, visit

NAMES = ("E", "F", "G")


def test_without_a_collection_the_form_says_where_texts_come_from(store):
    app = visit("sessions", view="new")
    assert "There is no collection" in said(app)
    assert any(link.page == "ideas" for link in links(app))
    assert not [one for one in app.button if one.key == "study:make"]


def collected(store):
    store.entries.add(tuple((one, one.method) for one in entries(store, METHODS, TOPICS)))


def test_the_only_collection_is_chosen_at_once(store):
    collected(store)
    app = visit("sessions", view="new")
    (chosen,) = [one for one in app.multiselect if one.label == "Collections"]
    assert chosen.value == ["test"]
    assert "6 texts to judge" in said(app).replace("**", "")
    settled(chosen.set_value([]).run())
    assert chosen.label in [one.label for one in app.multiselect if not one.value]


def test_a_draft_is_made_of_a_collection_and_its_screen_opens(store):
    collected(store)
    app = visit("sessions", view="new", collection="test")
    assert "6 texts to judge" in said(app).replace("**", "")
    assert "too few texts to say whether length" in said(app) or "tell" in said(app)
    settled(app.button(key="study:make").click().run())
    (study,) = store.studies.listed()
    assert study.state == "draft"
    assert app.query_params["session"] == study.id
    assert {
        one.method for one in store.study_keys.items(study.id).values() if not one.attention
    } == set(METHODS)
    assert [one.name for one in study.plan.criteria][:2] == ["novelty", "significance"]


def test_a_refinement_hands_itself_over_to_be_commented(store):
    run = case(store, "orexin-novelty").id
    app = visit("sessions", view="new", run=run)
    settled(app.button(key="study:make").click().run())
    (study,) = store.studies.listed()
    assert study.plan.task == "comment"
    assert [
        one.source for one in store.study_keys.items(study.id).values() if not one.attention
    ] == [f"run {run}, idea 1"]


def test_a_second_click_finds_the_draft_of_the_first(store):
    collected(store)
    plan = kit.plan(attention=0)
    wanted, form = WantedSession(plan, PickedTexts(Chosen(collections=("test",)))), SessionForm()
    first = study_form._made(wanted, form)
    assert study_form._made(wanted, form) == first
    assert len(store.studies.listed()) == 1


def test_after_a_draft_the_form_begins_anew(store):
    collected(store)
    app = visit("sessions", view="new", collection="test")
    app.text_input(key="study:new:1:name").set_value("A pilot")
    settled(app.button(key="study:make").click().run())
    app.query_params.clear()
    app.query_params["view"] = "new"
    settled(app.run())
    assert not app.text_input(key="study:new:2:name").value


def test_what_is_typed_into_the_form_survives_another_page(store):
    collected(store)
    app = visit("sessions", view="new", collection="test")
    app.text_input(key="study:new:1:name").set_value("A pilot")
    app.text_area(key="study:new:1:rate:idea:consent").set_value("You may say no.")
    settled(app.run())
    settled(app.switch_page("pages/ideas.py").run())
    app.query_params["view"] = "new"
    settled(app.switch_page("pages/sessions.py").run())
    app.query_params["view"] = "new"
    settled(app.run())
    assert app.text_input(key="study:new:1:name").value == "A pilot"
    assert app.text_area(key="study:new:1:rate:idea:consent").value == "You may say no."


def test_a_criterion_of_ones_own_must_say_what_its_scale_means(store):
    collected(store)
    app = visit("sessions", view="new", collection="test")
    app.text_input(key="study:new:1:criteria:rate:idea:own").set_value("wit")
    settled(app.run())
    assert "wit: fill in" in app.error[0].value.replace("\\", "")
    for part in ("meaning", "low", "high"):
        app.text_area(key=f"study:new:1:criteria:rate:idea:wit:{part}").set_value("Something.")
    settled(app.run())
    assert not app.error
    settled(app.button(key="study:make").click().run())
    assert store.studies.listed()[0].plan.criteria[-1].name == "wit"


def test_the_work_of_an_expert_grows_with_the_overlap_and_falls_with_experts(store):
    study = kit.drafted(store, repeats=1, attention=1)
    work = [one for one in store.studies.units(study.id) if one.id != "u900"]
    six = effort(study.plan, work, {label: 238 for one in work for label in one.labels}, 6)
    assert six.units == 6 * 2 // 6 + 1 + 1
    assert six.minutes == pytest.approx(six.units * (1 + 2 * 0.3))
    assert effort(study.plan, work, {}, 2).units == 6 + 1 + 1
    assert effort(study.plan, work, {}, 1).units == effort(study.plan, work, {}, 2).units


def test_a_draft_says_what_is_missing_and_opens_once_it_is_there(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id)
    assert "Add 2 seats" in said(app)
    assert app.button(key="study:open").disabled
    app.segmented_control(key="tab").set_value("Experts").run()
    app.text_area(key="study:names").set_value("Ada\n Grace \n\nAda")
    settled(app.button(key="study:add").click().run())
    assert [one.name for one in store.seats.of(study.id)] == ["Ada", "Grace"]
    made = [one.value for one in app.code]
    assert len([one for one in made if "\n" not in one and "/annotate?seat=" in one]) == 2
    app.segmented_control(key="tab").set_value("Open it").run()
    assert not app.button(key="study:open").disabled
    settled(app.button(key="study:open").click().run())
    settled(app.button(key="study:open-it").click().run())
    assert store.studies.get(study.id).state == "open"
    assert not app.error


def test_a_second_press_on_open_or_close_changes_nothing_and_complains_of_nothing(
    store, monkeypatch
):
    monkeypatch.setattr(mistakes, "kept", lambda key: nullcontext())  # What goes wrong is raised.
    held = kit.opened(store)
    opened_at = store.studies.get(held.study.id).opened
    draft = held.study.model_copy(update={"state": "draft"})
    study_acts._open(draft, held.study.sha)
    study_acts._close(held.study)
    study_acts._close(held.study)
    study = store.studies.get(held.study.id)
    assert (study.state, study.opened) == ("closed", opened_at)
    assert [one.what for one in store.studies.events(study.id)].count("closed") == 1


@pytest.mark.parametrize("changed", ["before the press", "before the answer"])
def test_what_another_organiser_changed_meanwhile_is_not_opened_unseen(store, changed):
    study = kit.drafted(store)
    for name in ("Ada", "Grace", "Mary"):
        organising.add_seat(store, study.id, name)
    app = visit("sessions", session=study.id)
    another = study.plan.model_copy(update={"consent": "Another consent."})
    if changed == "before the press":
        store.studies.replan(study.id, another)
    app = settled(app.button(key="study:open").click().run())
    if changed == "before the answer":
        store.studies.replan(study.id, another)
    app = settled(app.button(key="study:open-it").click().run())
    assert store.studies.get(study.id).state == "draft"
    assert "changed while you had it on the screen" in said(app)
    app = settled(app.button(key="study:open").click().run())
    settled(app.button(key="study:open-it").click().run())
    assert store.studies.get(study.id).state == "open"


def test_links_are_gone_once_they_are_put_away_and_after_a_reload(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Ada")
    settled(app.button(key="study:add").click().run())
    assert app.code
    settled(app.button(key="study:hide-links").click().run())
    assert not app.code
    assert not visit("sessions", session=study.id, tab="Experts").code


def test_names_that_have_seats_are_refused_and_nobody_is_added(store):
    study = kit.drafted(store)
    organising.add_seat(store, study.id, "Ada")
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Grace\nada")
    settled(app.button(key="study:add").click().run())
    assert "has a seat already" in app.error[0].value
    assert len(store.seats.of(study.id)) == 1


def test_the_blinding_report_names_sources_before_opening_and_not_while_open(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Blinding")
    assert kit.METHODS[0] in shown(app)
    for name in ("Ada", "Grace"):
        organising.add_seat(store, study.id, name)
    organising.open_study(store, study.id)
    app = visit("sessions", session=study.id, tab="Blinding")
    assert app.segmented_control(key="tab").value == "Progress"


def test_a_text_can_be_read_whole_before_the_session_opens(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Blinding")
    box = app.selectbox(key=f"study:read:{study.id}")
    held = store.studies.items(study.id)
    first = min(sha for label, sha in held.items() if label not in kit.ATTENTION)
    text = store.frozen.get(first, Idea)
    assert list(text.fields.values())[1] not in said(app)
    settled(box.set_value(1).run())
    assert all(one in said(app) for one in text.fields.values())
    assert not any(re.search(rf"\b{label}\b", said(app)) for label in held), "labels stay hidden"


def test_the_preview_leads_back_to_its_session(store):
    study = kit.drafted(store)
    assert ("sessions", f"session={study.id}") in {
        (one.page, one.query_string) for one in links(visit("annotate", preview=study.id))
    }


def test_too_few_units_are_said_before_the_session_opens(store):
    work = [StudyUnit(id=f"u{n:03d}", labels=(f"A{n}",), stages=5) for n in range(3)]
    assert "10 texts and two experts for each" in study_ahead.too_few(kit.plan(overlap=1), work)
    assert study_ahead.too_few(kit.plan("rank"), work * 4).startswith(
        "Figures of agreement need 10 sets;"
    ), "a set is one, by however many criteria"
    assert not study_ahead.too_few(kit.plan("comment"), work), "a refinement counts by its rounds"
    assert study_words.amount(kit.plan("rank"), 16) == "8 sets by 2 criteria"


def test_the_set_up_of_a_draft_can_be_changed(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Set-up")
    assert app.button(key="study:keep").disabled
    app.number_input(key=f"study:change:{study.id}:overlap").set_value(3)
    app.text_input(key=f"study:change:{study.id}:name").set_value("Renamed")
    settled(app.run())
    settled(app.button(key="study:keep").click().run())
    plan = store.studies.get(study.id).plan
    assert (plan.overlap, plan.name) == (3, "Renamed")
    assert plan.criteria == study.plan.criteria


def test_a_draft_takes_our_german_texts_and_a_file_that_does_not_fit_is_named(store):
    study = organising.create(store, texts.standard("rate", "A study"))
    app = visit("sessions", session=study.id, tab="Set-up")
    assert "Language of experts' screens: English" in app.expander[0].label
    app = settled(app.button(key="study:take:de").click().run())
    assert store.studies.get(study.id).plan.title == "Forschungsideen bewerten"
    assert "Language of experts' screens: German" in app.expander[0].label
    assert app.button(key="study:keep").disabled, "nothing of the English is left in the boxes"
    settled(app.button(key="study:english").click().run())
    assert store.studies.get(study.id).plan == study.plan
    own = organising.create(store, kit.plan())
    app = visit("sessions", session=own.id, tab="Set-up")
    app = settled(app.button(key="study:take:de").click().run())
    assert "study.consent is missing" in said(app)
    assert store.studies.get(own.id).plan.wording is None
    uploader = app.file_uploader[0]
    app = settled(uploader.set_value(("t.toml", b'language = "fr"', "application/toml")).run())
    assert "This file in French does not fit the session yet" in said(app)
    assert "agree is missing" in said(app)


def test_the_file_of_texts_that_experts_read_is_the_one_in_the_box(store):
    study = organising.create(store, texts.standard("rate", "A study"))
    german = languages.exported(study.plan, languages.shipped("de"))
    mended = german.replace("Forschungsideen bewerten", "Ideen bewerten")
    app = visit("sessions", session=study.id, tab="Set-up")
    app.file_uploader[0].set_value(("t.toml", german.encode(), "application/toml"))
    app = settled(app.run())
    app.file_uploader[0].set_value(("t.toml", mended.encode(), "application/toml"))
    settled(app.button(key="study:take-file").click().run())
    assert store.studies.get(study.id).plan.title == "Ideen bewerten"


def test_the_common_form_is_made_by_the_model_in_the_box(store, monkeypatch):
    collected(store)
    begun = []

    def begin(method, inputs, title, models):
        begun.append(models)
        return SimpleNamespace(id="none")

    monkeypatch.setattr(study_form, "judging", lambda: ["scripted:two", "scripted:one"])
    monkeypatch.setattr(study_form, "formless", lambda *_: ("0" * 64,))
    monkeypatch.setattr(study_form.services, "begin", begin)
    app = visit("sessions", view="new", collection="test")
    settled(app.checkbox(key="study:new:1:same").check().run())
    app.selectbox(key="study:new:1:former").select("scripted:one")
    settled(app.button(key="study:new:1:form-them").click().run())
    assert begun == [{"judge": "scripted:one"}]


def test_a_criterion_gets_a_scale_anchors_and_a_reason_and_is_saved_as_a_rubric(store):
    collected(store)
    app = visit("sessions", view="new", collection="test")
    here = "study:new:1:criteria:rate:idea"
    app.session_state[here] = []
    app.text_input(key=f"{here}:own").set_value("wit, ethics, wishes")
    settled(app.run())
    app.selectbox(key=f"{here}:ethics:kind").set_value("yes/no")
    app.selectbox(key=f"{here}:wishes:kind").set_value("text")
    app.number_input(key=f"{here}:wit:highest").set_value(7)
    app.selectbox(key=f"{here}:wit:reason").set_value("required")
    for name, parts in (("wit", ("meaning", "low", "high")), ("ethics", ("meaning",))):
        for part in parts:
            app.text_area(key=f"{here}:{name}:{part}").set_value("Something.")
    app.text_area(key=f"{here}:wishes:meaning").set_value("What should change?")
    app.text_area(key=f"{here}:wit:between").set_value("four: x")
    settled(app.run())
    assert "write each point between as" in app.error[0].value
    # The rest of the form stays, and the panel does not ask for texts that are chosen.
    assert "Experts per unit" in [one.label for one in app.number_input]
    assert "The form lacks something" in shown(app)
    app.text_area(key=f"{here}:wit:between").set_value("4: Some.\n")
    settled(app.run())
    assert not app.error
    app.text_input(key=f"{here}:rubric-name").set_value("Mine")
    settled(app.run())
    settled(app.button(key=f"{here}:rubric-save").click().run())
    wit, ethics, wishes = store.rubrics.get("Mine").criteria
    assert (wit.ends, wit.reason, wit.anchors) == ((1, 7), "required", {4: "Some."})
    assert (ethics.kind, wishes.kind) == ("yes/no", "text")
    settled(app.button(key="study:make").click().run())
    assert store.studies.listed()[0].plan.criteria == (wit, ethics, wishes)


def test_a_rubric_saved_is_the_one_in_the_boxes_and_replaces_only_what_the_button_named(store):
    store.rubrics.save(Rubric(name="Hers", criteria=kit.OWN))
    collected(store)
    app = visit("sessions", view="new", collection="test")
    here = "study:new:1:criteria:rate:idea"
    app.text_input(key=f"{here}:rubric-name").set_value("Mnie")
    settled(app.run())
    app.text_input(key=f"{here}:rubric-name").set_value("Mine")
    app.text_area(key=f"{here}:novelty:meaning").set_value("Whether it is new.")
    settled(app.button(key=f"{here}:rubric-save").click().run())
    assert {one.name for one in store.rubrics.listed()} == {"Hers", "Mine"}
    (novelty,) = [one for one in store.rubrics.get("Mine").criteria if one.name == "novelty"]
    assert novelty.meaning == "Whether it is new."
    assert app.button(key=f"{here}:rubric-save").label == "Replace the saved one"
    app.text_input(key=f"{here}:rubric-name").set_value("Hers")
    settled(app.button(key=f"{here}:rubric-save").click().run())
    assert store.rubrics.get("Hers").criteria == kit.OWN
    assert "There is a rubric" in said(app)
    settled(app.button(key=f"{here}:rubric-save").click().run())
    assert store.rubrics.get("Hers").criteria == store.rubrics.get("Mine").criteria


def test_a_saved_rubric_is_taken_in_place_of_what_was_picked(store):
    collected(store)
    store.rubrics.save(Rubric(name="Mine", criteria=kit.OWN))
    app = visit("sessions", view="new", collection="test")
    here = "study:new:1:criteria:rate:idea"
    settled(app.selectbox(key=f"{here}:preset").set_value("Mine").run())
    assert not app.error
    settled(app.button(key="study:make").click().run())
    study = store.studies.listed()[0]
    assert sorted(study.plan.criteria, key=str) == sorted(kit.OWN, key=str)
    app = visit("sessions", session=study.id, tab="Set-up")
    here = f"study:change:{study.id}:criteria:rate:idea"
    assert app.number_input(key=f"{here}:worth:highest").value == 100
    assert app.text_area(key=f"{here}:novelty:between").value == "4 = Some."
    assert app.button(key="study:keep").disabled, "nothing is changed"


def test_a_draft_says_how_sure_a_difference_would_be_found(store):
    draft = kit.drafted(store, texts=12)
    app = visit("sessions", session=draft.id)
    assert "the mixed model would find a difference of 0.5" in shown(app)
    key = f"study:power:{draft.id}"
    settled(app.number_input(key=f"{key}:difference").set_value(2.0).run())
    assert "a difference of 2 standard deviations" in shown(app)


def test_a_draft_of_more_experts_than_a_design_has_is_reckoned_for_what_it_has(store):
    draft = kit.drafted(store, texts=12)
    invite(store, draft.id, [Invited(f"Expert {n}", f"e{n}@x.example") for n in range(210)])
    app = visit("sessions", session=draft.id)
    assert not app.exception
    assert "200 experts and 200 topics at most; a larger session finds more" in shown(app)
