"""The organiser's screens: the list of sessions, watching one, closing and unblinding it."""

import re

import pytest

from components.sessions import figures as study_figures
from components.sessions import judges, results
from core.errors import SeatClosed
from core.records import CommentAnswer, RateAnswer, SkipAnswer, SpanRemark
from core.statistics.statistic import Statistic
from core.studies import organising, sitting
from core.studies.analysis import analysed
from core.studies.paragraph import methods
from core.studies.series import AgainstExperts, IdeaPoint
from tests.conftest import ScriptedModel
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import links, said, settled, shown, visit

SOURCES = (*kit.METHODS, kit.MODEL, "run-secret")


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


def test_the_model_added_is_the_one_in_the_box(store, monkeypatch):
    held = kit.opened(store)
    monkeypatch.setattr(judges, "judging", lambda: ["scripted:two", "scripted:one"])
    app = opened(held, "Experts")
    app.selectbox(key="study:model").select("scripted:two")
    settled(app.run())
    app.selectbox(key="study:model").select("scripted:one")
    settled(app.button(key="study:add-model").click().run())
    assert [one.model for one in store.seats.of(held.study.id) if one.model] == ["scripted:one"]


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
