"""The organiser's screens: setting a session up, watching it, closing and unblinding it, and
ratings from a file.
"""

import re
from contextlib import nullcontext

import pytest

from components.sessions import acts as study_acts
from components.sessions import ahead as study_ahead
from components.sessions import figures as study_figures
from components.sessions import form as study_form
from components.sessions import kept, results
from components.sessions import words as study_words
from components.sessions.form import SessionForm, WantedSession
from components.sessions.pick import PickedTexts
from components.shell import mistakes
from core.cases.bundled import opened as case
from core.errors import SeatClosed
from core.records import CommentAnswer, Idea, RateAnswer, Rubric, SkipAnswer, SpanRemark, StudyUnit
from core.statistics.statistic import Statistic
from core.studies import organising, sitting, texts
from core.studies.analysis import analysed
from core.studies.effort import effort
from core.studies.inviting import Invited, invite
from core.studies.paragraph import methods
from core.studies.picking import Chosen
from core.studies.series import AgainstExperts, IdeaPoint
from tests.conftest import ScriptedModel
from tests.support.arena_kit import METHODS, TOPICS, arena_shop, entries
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import host, links, said, settled, visit

NAMES = ("E", "F", "G")
SOURCES = (*kit.METHODS, kit.MODEL, "run-secret")
PDE = "tests/data/pde_ratings.csv"


@pytest.fixture
def store(tmp_path, monkeypatch):
    runner, _ = arena_shop(tmp_path, judges=("scripted:one", "builtin"))
    monkeypatch.setattr(kept, "_held", {})
    return host(monkeypatch, runner)


def shown(app) -> str:
    """Return everything a page shows, its tables too."""
    tables = [one.value.to_string() for kind in (app.dataframe, app.table) for one in kind]
    return said(app) + "\n".join(tables)


def opened(held, tab):
    return visit("sessions", session=held.study.id, tab=tab)


def rated(store, experts=3, texts=10, **over):
    """Hold a session whose experts rated everything, the later ones more strictly."""
    held = kit.opened(store, "rate", experts, texts, overlap=experts, **over)
    for n in range(experts):

        def answer(here, at, n=n):
            if (key := store.study_keys.units(here.study).get(at.unit.id)) and key.expected:
                return key.expected
            place = store.studies.units(here.study).index(at.unit)
            return RateAnswer(
                scores={one.name: max(1, min(10, place + 2 - n)) for one in here.criteria}
            )

        kit.work_through(store, held.at_work(n), answer)
    return held


# -- the list and a new session ----------------------------------------------------------------


def test_without_a_session_the_page_says_what_one_is_for(store):
    app = visit("sessions")
    assert "without knowing who or what wrote them" in said(app)
    assert {"New session", "Analyse ratings from a file"} <= {link.label for link in links(app)}


def test_a_session_in_the_list_says_its_state_and_how_far_it_is(store):
    held = kit.opened(store, "rate", 3, repeats=0, attention=0)
    kit.work_through(store, held.at_work(), units=2)
    app = visit("sessions")
    assert "Open" in said(app)
    assert "Rate · 6 texts · 3 experts · 2 of 12 units done" in said(app)


def test_a_session_that_is_not_there_is_said_with_a_way_back(store):
    app = visit("sessions", session="nothing")
    assert "There is no session 'nothing'" in app.error[0].value.replace("\\", "")
    assert "All sessions" in [link.label for link in links(app)]


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


# -- a draft -----------------------------------------------------------------------------------


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
    study_acts._turn(draft, "draft", organising.open_study)
    study_acts._turn(held.study, "open", organising.close)
    study_acts._turn(held.study, "open", organising.close)
    study = store.studies.get(held.study.id)
    assert (study.state, study.opened) == ("closed", opened_at)
    assert [one.what for one in store.studies.events(study.id)].count("closed") == 1


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


# -- open --------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_nothing_of_an_open_session_names_a_source(store, task):
    held = kit.opened(store, task, 3, hidden_target=task == "rank")
    for n in range(3):
        kit.work_through(store, held.at_work(n))
    tabs = visit("sessions", session=held.study.id).segmented_control(key="tab").options
    assert {"Progress", "Agreement", "Set-up"} <= set(tabs)
    for tab in tabs:
        page = shown(opened(held, tab))
        assert not [name for name in SOURCES if name in page], tab


def test_the_live_table_says_how_far_everybody_is(store):
    held = kit.opened(store, "rate", 3)
    kit.work_through(store, held.at_work(0), units=2)
    store.connections.write("UPDATE seat_units SET active = 1 WHERE stage = stages")
    assert "longest list" not in said(opened(held, "Progress")), "two units are no pace"
    kit.work_through(store, held.at_work(0), units=1)
    store.connections.write("UPDATE seat_units SET active = 60 WHERE stage = stages")
    app = opened(held, "Progress")
    table = app.table[0].value.set_index("Expert")
    first, second = table.loc["E1 · Expert 1"], table.loc["E2 · Expert 2"]
    assert {"Cannot judge", "Checks passed", "Repeats alike"} <= set(table)
    assert first["Units done"].startswith("3 of ")
    assert first["Step, and last at work"] == "at work, just now"
    assert second["Step, and last at work"] == "not begun"
    alike, _, of = first["One score on all criteria"].partition(" of ")
    assert alike == of
    pace = r"At the pace so far the longest list takes about \d+ min more of work"
    assert re.search(rf"{pace}.*\. 2 experts have not begun\.", said(app))
    # Every head is told of, in words.
    assert all(f"**{head}**: " in said(app) for head in ("Expert", *table))


def test_the_live_table_has_no_column_of_what_the_session_lacks(store):
    held = kit.opened(store, "compare", 3, attention=0, repeats=0)
    table = opened(held, "Progress").table[0].value
    assert "Left text better" in table
    assert not {"Checks passed", "Repeats alike", "Cannot judge"} & set(table)


def test_a_closing_counts_no_units_on_seats_that_have_ended(store):
    held = kit.opened(store, "rate", 3, attention=0, repeats=0)
    kit.work_through(store, held.at_work(0))
    one, other = held.at_work(1), held.at_work(2)
    sitting.show(store, one, sitting.upcoming(store, one).unit)
    kit.work_through(store, other)
    sitting.withdraw(store, sitting.enter(store, held.secret(1)))
    far = store.study_work.far(held.study.id)
    done, whole = far[held.seats[1].id]
    assert done < whole, "what was not done stays on the seat's list"
    app = opened(held, "Progress")
    app = settled(app.button(key="study:close").click().run())
    assert "the lists of all who are at work are done" in said(app)
    organising.add_model(store, held.study.id, "builtin")
    app = opened(held, "Progress")
    app = settled(app.button(key="study:close").click().run())
    assert "6 units on the lists of model judges" in said(app)


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


def test_a_new_link_replaces_the_old_one(store):
    held = kit.opened(store)
    app = opened(held, "Experts")
    settled(app.button(key=f"study:relink:{held.seats[0].id}").click().run())
    secret = app.code[0].value.rpartition("seat=")[2]
    assert sitting.enter(store, secret).seat == held.seats[0].id
    with pytest.raises(SeatClosed):
        sitting.enter(store, held.secret())


def test_a_seat_is_taken_back_after_a_question(store):
    held = kit.opened(store)
    app = opened(held, "Experts")
    settled(app.button(key=f"study:revoke:{held.seats[0].id}").click().run())
    assert store.seats.get(held.seats[0].id).step == "consent"
    settled(app.button(key="study:revoke-it").click().run())
    assert store.seats.get(held.seats[0].id).step == "revoked"


def test_units_nobody_is_left_to_answer_are_said(store):
    held = kit.opened(store, "rate", 2)
    organising.take_back(store, held.seats[0].id)
    assert "not assigned to any expert" in said(opened(held, "Experts"))


def test_too_little_data_is_a_calm_sentence(store):
    held = kit.opened(store)
    app = opened(held, "Agreement")
    assert "No answers yet" in said(app)
    kit.work_through(store, held.at_work(0), units=2)
    app = opened(held, "Agreement")
    assert "hourglass" in said(app)
    assert not app.error


def test_a_model_that_understands_nothing_is_no_judge(store, monkeypatch):
    held = kit.opened(store)
    monkeypatch.setattr(ScriptedModel, "answers", lambda self, prompt: False)
    store.places.choose("model-judge", "scripted:one")
    app = opened(held, "Experts")
    app.selectbox(key="study:model").select("scripted:one")
    settled(app.run())
    assert "judges nothing that needs understanding" in said(app)
    settled(app.button(key="study:add-model").click().run())
    assert "judges nothing that needs understanding" in app.error[0].value.replace("\\", "")
    assert not [one for one in store.seats.of(held.study.id) if one.model]


def test_a_model_judge_is_added_and_its_run_begins(store):
    held = kit.opened(store)
    store.places.choose("model-judge", "scripted:one")
    app = opened(held, "Experts")
    app.selectbox(key="study:model").select("scripted:one")
    settled(app.run())
    assert "Estimated: at most 7 model calls" in said(app)
    settled(app.button(key="study:add-model").click().run())
    (seat,) = [one for one in store.seats.of(held.study.id) if one.model]
    settled(app.button(key=f"study:judge:{seat.id}").click().run())
    run = store.runs.get(store.seats.get(seat.id).run)
    assert run.config.method == "seat"
    assert run.config.models == {"judge": "scripted:one"}
    assert any(link.query_string == f"run={run.id}" for link in links(opened(held, "Experts")))


# -- closed ------------------------------------------------------------------------------------


def test_closing_asks_and_sources_come_only_after_the_key_is_opened_by_name(store):
    held = rated(store)
    app = visit("sessions", session=held.study.id)
    settled(app.button(key="study:close").click().run())
    assert store.studies.get(held.study.id).state == "open"
    settled(app.button(key="study:close-it").click().run())
    assert store.studies.get(held.study.id).state == "closed"
    app = opened(held, "By source")
    assert not [name for name in SOURCES if name in shown(app)]
    settled(app.button(key="study:unblind-it").click().run())
    assert "it is recorded who reveals the sources" in app.error[0].value
    app.text_input(key="study:unblinded-by").set_value("Ada")
    settled(app.button(key="study:unblind-it").click().run())
    assert [
        one.detail for one in store.studies.events(held.study.id) if one.what == "unblinded"
    ] == ["Ada"]
    page = shown(opened(held, "By source"))
    assert kit.METHODS[0] in page
    assert "by Ada" in page


def test_sources_are_compared_side_by_side_and_grouped_by_hand_with_a_name(store):
    held = rated(store)
    organising.close(store, held.study.id)
    organising.unblind(store, held.study.id, "Ada")
    app = opened(held, "By source")
    page = shown(app)
    assert "Mixed model: score" in page.replace("\\", "")
    assert "may find too much or too little" in page
    tests = app.table[1].value
    assert {"Sources", "Test", "n", "Difference", "Statistic", "p", "p, Holm", "Effect"} == set(
        tests.columns
    )
    assert any("reviews" in n for n in tests["n"])
    assert any("reviewers" in n for n in tests["n"])
    key = f"study:group:{held.study.id}"
    settled(app.selectbox(key=f"{key}:by").set_value("method").run())
    app.text_input(key=f"{key}:who").set_value("")
    settled(app.button(key=f"{key}:do").click().run())
    assert "who groups the sources" in app.error[0].value
    app.text_input(key=f"{key}:who").set_value("Grace")
    app.segmented_control(key=f"{key}:correction").set_value("Bonferroni")
    settled(app.button(key=f"{key}:do").click().run())
    app = opened(held, "By source")
    assert "Grace grouped the texts by method" in shown(app)
    assert "after unblinding" in shown(app)
    assert "p, Bonferroni" in app.table[1].value.columns


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


def test_a_judge_that_a_session_tested_is_noted_with_a_link(store):
    from components.shell import judge_note
    from core.agreement.standing_in import TOO_LITTLE
    from core.studies.tested_judges import tested_judges

    held = rated(store)
    seat = organising.add_model(store, held.study.id, "builtin")
    kit.work_through(store, held.at_work(0)._replace(seat=seat.id))
    assert tested_judges(store) == ()  # Not before it is closed.
    organising.close(store, held.study.id)
    [found] = tested_judges(store)
    assert (found.model, found.study) == ("builtin", held.study.id)
    assert set(found.verdicts.values()) == {TOO_LITTLE}
    assert found.said.endswith(": too little to say")
    assert judge_note._tested() == (found,)


def test_the_figures_of_a_session_stand_with_interval_n_and_words(store):
    held = rated(store)
    app = opened(held, "Agreement")
    table = app.table[0].value
    first = table.iloc[0]
    assert "ICC" in first["Figure"]
    assert "to" in first.iloc[2]
    assert "10" in first["n"]
    assert first["In words"]
    assert app.get("plotly_chart")


def test_figures_over_few_sets_stand_with_their_n_without_verdict_or_shade(store):
    held = kit.opened(store, "rank", 3, 9, overlap=3, attention=0, repeats=0)
    for n in range(3):
        kit.work_through(store, held.at_work(n))
    app = opened(held, "Agreement")
    table = app.table[0].value.set_index("Figure")
    of_w = next(row for name, row in table.iterrows() if "Kendall's W" in name)
    assert of_w.iloc[1] == "none"
    assert of_w["n"].replace("\N{NO-BREAK SPACE}", " ") == "3 sets"
    assert "p" not in table.columns
    assert "significant" not in shown(app)
    assert "Models beside the human ceiling" not in said(app)
    grid = next(one for one in analysed(store, held.study.id).series.grids)
    drawn = study_figures.grid(grid, "#000000")
    filled = [one for one in drawn.data if any(cell is not None for row in one.z for cell in row)]
    assert [{shade for _, shade in one.colorscale} for one in filled] == [{study_figures.PLAIN}]
    paragraph = methods(analysed(store, held.study.id))
    assert re.search(r"novelty, Kendall's W = 0\.\d\d, n = 3 sets", paragraph.text)
    assert any("3 sets only: no interval" in one for one in paragraph.missing)


def test_an_interval_many_times_the_scale_does_not_squeeze_the_points():
    def point(mean, model, half):
        return IdeaPoint(
            "A1",
            Statistic(
                name="mean",
                about="novelty",
                value=mean,
                low=mean - half,
                high=mean + half,
                n=2,
                unit="experts",
            ),
            model,
        )

    figure = Statistic(name="r", about="novelty", n=2, unit="ideas")
    drawn = study_figures.against(
        AgainstExperts(
            "novelty", "m", (point(3.0, 2.0, 40.0), point(8.0, 9.0, 1.0)), figure, figure
        ),
        "#000000",
    )
    low, high = drawn.layout.xaxis.range
    assert drawn.layout.yaxis.range == (low, high), "on the dotted line both are the same"
    assert -1 < low < 2
    assert 9 < high < 12


def test_who_failed_a_check_of_attention_can_be_left_out(store):
    held = kit.opened(store, "rate", 3, 10, overlap=3)
    for n in range(3):
        kit.work_through(store, held.at_work(n))
    app = opened(held, "Agreement")
    assert "3 experts failed an attention check and are counted" in said(app)
    app.checkbox(key=f"study:attentive:{held.study.id}").check()
    settled(app.run())
    assert "No answers yet" in said(app)


def test_the_paragraph_and_the_files_stand_apart_from_the_key(store):
    held = rated(store)
    organising.close(store, held.study.id)
    app = opened(held, "Take along")  # the name the view had in addresses before
    assert "3 experts of 3 invited rated 10 ideas" in app.code[0].value
    files = {one.proto.label for one in app.get("download_button")}
    formats = {"Workbook (XLSX)", "SPSS", "Label Studio", "Argilla"}
    assert files == {"Answers (ZIP)", *formats}, "none of them has the key"
    organising.unblind(store, held.study.id, "Ada")
    assert "Key (ZIP)" in {one.proto.label for one in opened(held, "Export").get("download_button")}


def test_a_copy_is_a_new_draft_and_removing_asks(store):
    held = rated(store, texts=3)
    organising.close(store, held.study.id)
    app = visit("sessions", session=held.study.id)
    settled(app.button(key="study:copy").click().run())
    copy = next(one for one in store.studies.listed() if one.id != held.study.id)
    assert (copy.state, app.query_params["session"]) == ("draft", copy.id)
    settled(app.button(key="study:remove").click().run())
    settled(app.button(key="study:remove-it").click().run())
    assert [one.id for one in store.studies.listed()] == [held.study.id]


def test_a_state_that_changed_meanwhile_begins_with_its_own_first_view(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id)
    app.segmented_control(key="tab").set_value("Blinding").run()
    for name in ("Ada", "Grace"):
        organising.add_seat(store, study.id, name)
    organising.open_study(store, study.id)
    settled(app.run())
    assert app.segmented_control(key="tab").value == "Progress"
    organising.close(store, study.id)
    settled(app.run())
    assert app.segmented_control(key="tab").value == "Agreement"


def test_a_session_can_be_removed_from_a_view_that_the_address_names(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.segmented_control(key="tab").set_value("Blinding").run()
    settled(app.button(key="study:remove").click().run())
    settled(app.button(key="study:remove-it").click().run())
    assert not app.exception
    assert not store.studies.listed()
    assert "without knowing who or what wrote them" in said(app)


def test_who_was_taken_back_is_not_waited_for_and_the_table_says_what_figures_call_an_expert(store):
    held = kit.opened(store, "rate", 3)
    held.at_work(1)
    organising.take_back(store, held.seats[0].id)
    app = opened(held, "Progress")
    assert "1 of 2 experts begun" in app.get("progress")[0].proto.text
    assert "E3 · Expert 3" in set(app.table[0].value["Expert"])


def test_remarks_are_listed(store):
    held = kit.opened(store, "comment", 2, 2)
    remark = SpanRemark(of="review", quote="lacks a test", text="It has *one*.")
    kit.work_through(
        store,
        held.at_work(),
        lambda here, at: CommentAnswer(valid="no", answered="no", change="same", remarks=(remark,)),
        units=1,
    )
    page = said(opened(held, "Remarks"))
    assert "It has *one*." in page
    assert "lacks a test" in page


def test_many_remarks_have_pages(store, monkeypatch):
    monkeypatch.setattr(results, "ON_A_PAGE", 2)
    held = kit.opened(store, "comment", 2, 2)
    remarks = tuple(
        SpanRemark(of="review", quote="lacks a test", text=f"It has {n}.") for n in range(5)
    )
    kit.work_through(
        store,
        held.at_work(),
        lambda here, at: CommentAnswer(valid="no", answered="no", change="same", remarks=remarks),
        units=1,
    )
    app = opened(held, "Remarks")
    shown = said(app)
    assert "It has 1." in shown
    assert "It has 2." not in shown


# -- a file ------------------------------------------------------------------------------------


def uploaded(app, name: str, data: bytes):
    app.file_uploader(key="study:file").set_value((name, data, "text/csv"))
    return settled(app.run())


def test_published_ratings_give_the_published_figures(store):
    with open(PDE, "rb") as file:
        app = uploaded(visit("sessions", view="file"), "pde_ratings.csv", file.read())
    assert not app.error
    table = app.table[0].value.set_index("Figure")
    icc = next(name for name in table.index if "ICC(C,k)" in name.replace("\\", ""))
    assert table.loc[icc, "Value"] == "0.823"
    assert "0.0001" in "".join(table["p"]).replace("\\", "")


def test_reviews_by_nobody_knows_whom_are_compared_by_condition_in_one_go(store):
    rows = [
        f"{source}{n},{source},t{n % 4},{(3 * n + k + 2 * (source == 'AI')) % 9 + 1},{n % 7 + 2}"
        for source in ("AI", "Human")
        for n in range(12)
        for k in range(2)
    ]
    data = "\n".join(("idea_id,condition,topic,novelty,feasibility", *rows))
    app = uploaded(visit("sessions", view="file"), "reviews.csv", data.encode())
    assert not app.error
    page = shown(app)
    assert "Nobody knows which reviews have the same reviewer" in page
    assert "reviewer): nobody knows who wrote a review" in page.replace("\\", "")
    tests = app.table[0].value
    assert next(iter(tests["n"])).replace("\N{NO-BREAK SPACE}", " ") == "24 and 24 reviews"
    key = next(one.key for one in app.segmented_control if (one.key or "").endswith(":correction"))
    settled(app.segmented_control(key=key).set_value("Bonferroni").run())
    assert "p, Bonferroni" in app.table[0].value.columns


def test_a_file_says_row_by_row_what_was_not_taken(store):
    rows = [f"i{n},{who},novelty,{n % 9 + 1}" for n in range(12) for who in ("ann", "bob", "gpt-4")]
    data = "\n".join(("idea,rater,criterion,score", *rows, "i1,ann,clarity,much"))
    app = uploaded(visit("sessions", view="file"), "mine.csv", data.encode())
    assert "12 ideas, 2 experts, 1 model (as said: gpt-4); 36 scores" in said(app)
    assert "'much' is not a number" in shown(app)
    assert app.multiselect[-1].value == ["gpt-4"]
    app.multiselect[-1].set_value([])
    settled(app.run())
    assert "3 experts, 0 models" in said(app)


def test_a_file_that_holds_no_ratings_is_a_sentence_in_its_place(store):
    app = uploaded(visit("sessions", view="file"), "none.csv", b"")
    assert app.error
    app = uploaded(visit("sessions", view="file"), "odd.csv", b"a,b\nx,y\n")
    assert "Say below what the columns stand for" in said(app)


# -- rubrics ----------------------------------------------------------------------------------


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


def test_skips_and_flags_are_told_to_the_organiser_with_their_reasons(store):
    held = kit.opened(store, attention=0, repeats=0)
    here = held.at_work()
    one = sitting.upcoming(store, here)
    kit.say(store, here, sitting.show(store, here, one.unit), SkipAnswer(reason="I wrote *it*."))
    one = sitting.upcoming(store, here)
    shown = sitting.show(store, here, one.unit)
    kit.say(store, here, shown, kit.rating(here.criteria, flag="Odd."))
    app = visit("sessions", session=held.study.id)
    table = app.table[0].value
    assert next(iter(table["Skipped"])) == "1"
    assert next(iter(table["Flagged"])) == "1"
    words = [one.value for one in app.markdown]
    reasons = next(one for one in words if "skipped" in one and "flagged" in one)
    assert "I wrote *it*" not in reasons, "it is text"
    assert "Odd" in reasons
