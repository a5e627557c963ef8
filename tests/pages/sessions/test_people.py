"""The organiser's screens of people: letters, terms, a file of invitations, and a name erased."""

from datetime import date
from decimal import Decimal

from components.sessions import invited as sessions_invited
from components.sessions.made_links import MadeLinks
from core.records import StudyTerms
from core.studies import inviting, organising, recruiting
from core.studies.inviting import Invited
from tests.support.sessions import studies_kit as kit
from tests.support.visiting import said, settled, visit

ADA, GRACE = Invited("Ada Byron", "ada@example.org"), Invited("Grace Hopper", "grace@example.org")


def links_of(app) -> list[str]:
    return [one.proto.url for one in app.get("link_button")]


def test_invitations_stand_there_while_their_links_are_known_and_never_again(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Ada Byron\nGrace Hopper")
    settled(app.button(key="study:add").click().run())
    for seat in store.seats.of(study.id):
        store.people.address(seat.id, "someone@example.org")
    app.segmented_control(key="tab").set_value("Letters")
    app = settled(app.run())
    texts = [one.value for one in app.code if "/annotate?seat=" in one.value]
    assert len(texts) == 2
    assert "Dear Ada Byron," in texts[0]
    assert all(one.startswith("mailto:someone@example.org?subject=") for one in links_of(app))
    again = visit("sessions", session=study.id, tab="Letters")
    assert "A link is known once" in said(again)
    assert not [one for one in again.code if "/annotate?seat=" in one.value]


def test_new_links_are_drawn_after_a_word_and_end_the_old_ones(store):
    study = kit.drafted(store)
    made = inviting.invite(store, study.id, (ADA, GRACE))
    app = visit("sessions", session=study.id, tab="Letters")
    settled(app.button(key="study:links-anew").click().run())
    assert "What ends" in said(app)
    settled(app.button(key="study:links-draw").click().run())
    assert len([one for one in app.code if "/annotate?seat=" in one.value]) == 2
    linked = store.seats.linked(study.id)
    assert linked == {one.seat.id for one in made}


def test_a_text_with_an_unknown_placeholder_is_an_error_and_is_not_kept(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Letters")
    key = f"study:letter:{study.id}:invitation:False"
    app.text_area(key=f"{key}:text").set_value("Dear $nmae")
    app = settled(app.run())
    assert "$nmae, which is no placeholder" in app.error[0].value.replace("\\", "")
    app.text_area(key=f"{key}:text").set_value("Dear $name, here: $link")
    app = settled(app.run())
    settled(app.button(key=f"{key}:keep").click().run())
    assert store.terms.get(study.id).invitation.text == "Dear $name, here: $link"
    settled(app.button(key=f"{key}:ours").click().run())
    assert store.terms.get(study.id).invitation is None
    assert app.text_area(key=f"{key}:text").value.startswith("Dear $name,\n\nyou are invited")


def test_reminders_are_for_those_who_have_not_finished(store):
    held = kit.opened(store)
    here = held.at_work(1)
    kit.work_through(store, here, units=1)
    app = visit("sessions", session=held.study.id, tab="Letters")
    app.segmented_control(key=f"study:letter:{held.study.id}").set_value("reminder")
    app = settled(app.run())
    assert "3 experts to remind" in said(app).replace("**", "")
    app.segmented_control(key=f"study:remind:{held.study.id}").set_value("Not finished")
    app = settled(app.run())
    assert "1 expert to remind" in said(app).replace("**", "")
    assert "Expert 2 not finished: 1 of " in said(app).replace("**", "").replace(":gray[", "")


def test_terms_are_kept_and_shown(store):
    held = kit.opened(store)
    app = visit("sessions", session=held.study.id, tab="Terms")
    key = f"study:terms:{held.study.id}"
    assert app.button(key=f"{key}:keep").disabled
    app.number_input(key=f"{key}:most").set_value(15)
    app.text_input(key=f"{key}:code").set_value("C1")
    app.text_input(key=f"{key}:back").set_value("https://x.org/?cc=$code")
    app.number_input(key=f"{key}:rate").set_value(12.5)
    app.date_input(key=f"{key}:day").set_value(date(2090, 12, 4))
    app = settled(app.run())
    app.selectbox(key=f"{key}:zone").set_value("Europe/Berlin")
    app.checkbox(key=f"{key}:late").set_value(False)
    app = settled(app.run())
    settled(app.button(key=f"{key}:keep").click().run())
    kept = store.terms.get(held.study.id)
    assert kept == StudyTerms(
        deadline="2090-12-04T22:59+00:00",
        zone="Europe/Berlin",
        late=False,
        most=15,
        code="C1",
        return_address="https://x.org/?cc=$code",
        rate="12.50",
    )
    assert [one.what for one in store.studies.events(held.study.id)][-4:] == [
        "deadline set",
        "late answers set",
        "maximum of units set",
        "pay set",
    ]
    again = visit("sessions", session=held.study.id, tab="Terms")
    assert again.button(key=f"{key}:keep").disabled


def test_terms_kept_in_two_tabs_stay_and_each_shows_the_other_s(store):
    held = kit.opened(store)
    key = f"study:terms:{held.study.id}"
    one, other = (visit("sessions", session=held.study.id, tab="Terms") for _ in range(2))
    one.text_input(key=f"{key}:code").set_value("C1")
    one = settled(one.run())
    other.number_input(key=f"{key}:rate").set_value(12.5)
    other.date_input(key=f"{key}:day").set_value(date(2090, 12, 4))
    settled(settled(other.run()).button(key=f"{key}:keep").click().run())
    # Drawn before the other kept its terms; pressed after.
    one = settled(one.button(key=f"{key}:keep").click().run())
    kept = store.terms.get(held.study.id)
    assert (kept.rate, kept.code, kept.deadline[:10]) == (Decimal("12.50"), "C1", "2090-12-04")
    assert not any("Session State" in str(shown.value) for shown in (*one.warning, *one.exception))
    assert one.number_input(key=f"{key}:rate").value == 12.5
    assert one.date_input(key=f"{key}:day").value == date(2090, 12, 4)
    assert one.button(key=f"{key}:keep").disabled


def test_what_makes_no_terms_is_said_and_nothing_typed_is_lost(store):
    held = kit.opened(store)
    app = visit("sessions", session=held.study.id, tab="Terms")
    key = f"study:terms:{held.study.id}"
    app.text_input(key=f"{key}:back").set_value("javascript:alert(1)")
    app = settled(app.run())
    assert "Return address: must be a web address" in app.error[0].value.replace("\\", "")
    assert app.text_input(key=f"{key}:back").value == "javascript:alert(1)"


def test_a_second_click_on_the_invitation_finds_the_seats_of_the_first(store):
    study, made = kit.drafted(store), MadeLinks()
    sessions_invited._invite(study.id, (ADA, GRACE), made)
    sessions_invited._invite(study.id, (ADA, GRACE), made)
    assert len(store.seats.of(study.id)) == len(made.secrets) == 2


def test_the_link_of_an_erased_expert_is_not_shown_any_more(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Ada\nGrace")
    app = settled(app.button(key="study:add").click().run())
    assert len(app.code) == 3
    seat = next(one.id for one in store.seats.of(study.id) if one.name == "Ada")
    settled(app.button(key=f"study:erase:{seat}").click().run())
    app = settled(app.button(key="study:erase-it").click().run())
    assert len(app.code) == 1


def test_a_name_is_erased_after_a_word_also_of_a_closed_session(store):
    held = kit.opened(store)
    kit.work_through(store, held.at_work())
    organising.close(store, held.study.id)
    terms = store.terms.get(held.study.id).model_copy(update={"rate": Decimal(2), "per": "unit"})
    store.terms.put(held.study.id, terms)
    done = len(store.study_work.of(held.seats[0].id))
    seat = held.seats[0].id
    app = visit("sessions", session=held.study.id, tab="Experts")
    settled(app.button(key=f"study:erase:{seat}").click().run())
    assert "for good" in said(app)
    assert f"{2 * done}.00 EUR are owed for {done} units" in said(app)
    settled(app.button(key="study:erase-it").click().run())
    assert store.seats.get(seat).name == "name erased"
    again = visit("sessions", session=held.study.id, tab="Experts")
    assert "Expert 1" not in said(again)
    assert not [one for one in again.button if one.key == f"study:erase:{seat}"]


def test_an_organiser_sees_who_is_asked_about_more_units(store):
    held = kit.opened(store, experts=3, texts=12)
    held.at_work()
    before = len(store.study_work.of(held.seats[0].id))
    organising.take_back(store, held.seats[2].id)
    app = visit("sessions", session=held.study.id, tab="Experts")
    assert f"agreed to {before}, asked about the rest" in said(app)


def test_places_for_recruits_are_made_once_with_the_link_for_all(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    key = f"study:recruit:{study.id}"
    app.number_input(key=f"{key}:places").set_value(4)
    app = settled(app.run())
    app = settled(app.button(key=f"{key}:make").click().run())
    app = settled(app.button(key=f"{key}:make").click().run())
    assert len(store.seats.of(study.id)) == 4
    assert len([one for one in app.code if "/annotate?join=" in one.value]) == 1
    assert not [
        one
        for one in visit("sessions", session=study.id, tab="Experts").code
        if "join=" in one.value
    ]


def test_letters_kept_in_two_tabs_stay_and_each_shows_the_other_s(store):
    held = kit.opened(store)
    key = f"study:letter:{held.study.id}:invitation:False"
    one, other = (visit("sessions", session=held.study.id, tab="Letters") for _ in range(2))
    one.text_input(key=f"{key}:subject").set_value("Sleep")
    one = settled(one.run())
    other.text_area(key=f"{key}:text").set_value("Dear $name, here: $link")
    other.text_input(key=f"{key}:subject").set_value("Another subject")
    settled(settled(other.run()).button(key=f"{key}:keep").click().run())
    one = settled(one.button(key=f"{key}:keep").click().run())
    kept = store.terms.get(held.study.id).invitation
    assert (kept.subject, kept.text) == ("Sleep", "Dear $name, here: $link")
    assert one.text_area(key=f"{key}:text").value == kept.text
    assert not any("Session State" in str(shown.value) for shown in (*one.warning, *one.exception))
    assert one.button(key=f"{key}:keep").disabled
    one = settled(one.button(key=f"{key}:ours").click().run())
    assert store.terms.get(held.study.id).invitation is None


def test_a_set_up_kept_in_two_tabs_stays_and_each_shows_the_other_s(store):
    study = kit.drafted(store, texts=3)
    key = f"study:change:{study.id}"
    one, other = (visit("sessions", session=study.id, tab="Set-up") for _ in range(2))
    one.number_input(key=f"{key}:overlap").set_value(3)
    one = settled(one.run())
    consent = f"{key}:{study.plan.task}:{study.plan.kind}:consent"
    other.text_area(key=consent).set_value("Answers are kept for ten years.")
    other.text_input(key=f"{key}:name").set_value("The other's name")
    settled(settled(other.run()).button(key="study:keep").click().run())
    one = settled(one.button(key="study:keep").click().run())
    plan = store.studies.get(study.id).plan
    assert (plan.overlap, plan.consent) == (3, "Answers are kept for ten years.")
    assert one.text_area(key=consent).value == plan.consent
    assert one.text_input(key=f"{key}:name").value == plan.name == "The other's name"
    assert not any("Session State" in str(shown.value) for shown in (*one.warning, *one.exception))
    assert one.button(key="study:keep").disabled


def test_criteria_kept_in_two_tabs_stay_part_by_part(store):
    study = kit.drafted(store, texts=3)
    names = [criterion.name for criterion in study.plan.criteria]
    first, second = names[:2]
    boxes, one, other = _in_two_tabs(study)
    one.text_area(key=f"{boxes}:{first}:meaning").set_value("Whether anybody did it before.")
    one = settled(one.run())
    other.text_area(key=f"{boxes}:{first}:low").set_value("Everybody did.")
    other.text_area(key=f"{boxes}:{second}:high").set_value("Nobody could say it better.")
    other.text_input(key=f"{boxes}:own").set_value("warmth")
    other.run()
    for part, words in (("meaning", "How warm it is."), ("low", "Cold."), ("high", "Hot.")):
        other.text_area(key=f"{boxes}:warmth:{part}").set_value(words)
    settled(settled(other.run()).button(key="study:keep").click().run())
    one = settled(one.run())
    assert one.text_area(key=f"{boxes}:{first}:meaning").value == "Whether anybody did it before."
    assert one.text_area(key=f"{boxes}:{first}:low").value == "Everybody did."
    one = settled(one.button(key="study:keep").click().run())
    kept = {criterion.name: criterion for criterion in store.studies.get(study.id).plan.criteria}
    assert list(kept) == [*names, "warmth"]
    assert kept[first].meaning == "Whether anybody did it before."
    assert kept[first].low == "Everybody did."
    assert kept[second].high == "Nobody could say it better."
    assert kept["warmth"].low == "Cold."
    assert one.button(key="study:keep").disabled


def test_a_press_made_before_the_other_tab_s_criteria_were_seen_loses_none_of_them(store):
    study = kit.drafted(store, texts=3)
    first, *_, removed = (criterion.name for criterion in study.plan.criteria)
    boxes, one, other = _in_two_tabs(study)
    one.text_area(key=f"{boxes}:{first}:meaning").set_value("Whether anybody did it before.")
    one = settled(one.run())
    other.text_area(key=f"{boxes}:{first}:low").set_value("Everybody did.")
    other.pills(key=boxes).set_value(list(other.pills(key=boxes).value[:-1]))
    settled(settled(other.run()).button(key="study:keep").click().run())
    settled(one.button(key="study:keep").click().run())
    kept = {criterion.name: criterion for criterion in store.studies.get(study.id).plan.criteria}
    assert removed not in kept
    assert (kept[first].meaning, kept[first].low) == (
        "Whether anybody did it before.",
        "Everybody did.",
    )


def test_criteria_added_in_two_tabs_stay_and_none_is_taken_out_by_the_next_press(store):
    study = kit.drafted(store, texts=3)
    names = [criterion.name for criterion in study.plan.criteria]
    boxes, one, other = _in_two_tabs(study)
    one = _with_own(one, boxes, "warmth")
    other = _with_own(other, boxes, "depth")
    added = next(name for name in other.pills(key=boxes).options if name not in names)
    other.pills(key=boxes).set_value([*other.pills(key=boxes).value, added])
    settled(settled(other.run()).button(key="study:keep").click().run())
    one = settled(one.button(key="study:keep").click().run())
    assert one.button(key="study:keep").disabled, "it shows what both have kept"
    one.text_input(key=f"study:change:{study.id}:name").set_value("Renamed")
    settled(settled(one.run()).button(key="study:keep").click().run())
    plan = store.studies.get(study.id).plan
    assert plan.name == "Renamed"
    assert {criterion.name for criterion in plan.criteria} == {*names, added, "warmth", "depth"}


def test_a_criterion_taken_out_in_the_other_tab_does_not_come_back(store):
    study = kit.drafted(store, texts=3)
    first, *_, removed = (criterion.name for criterion in study.plan.criteria)
    boxes, one, other = _in_two_tabs(study)
    one = _with_own(one, boxes, "warmth")
    other.pills(key=boxes).set_value([first])
    settled(settled(other.run()).button(key="study:keep").click().run())
    one = settled(one.run())
    settled(one.button(key="study:keep").click().run())
    plan = store.studies.get(study.id).plan
    assert [criterion.name for criterion in plan.criteria] == [first, "warmth"]
    assert removed not in one.pills(key=boxes).value


# Whoever mends a text and taps a button at once is ahead of the drawing that the button is of.


def test_the_consent_put_in_force_is_the_one_in_the_box(store):
    held = kit.opened(store)
    app = visit("sessions", session=held.study.id, tab="Terms")
    key = f"study:consent:{held.study.id}"
    app.text_area(key=f"{key}:text").set_value("With your nmae.")
    app = settled(app.run())
    app.text_area(key=f"{key}:text").set_value("Without your name.")
    app = settled(app.button(key=f"{key}:keep").click().run())
    versions = store.terms.consents(held.study.id)
    assert [one.text for one in versions[1:]] == ["Without your name."]
    app.text_area(key=f"{key}:text").set_value("Another.")
    app = settled(app.run())
    app.text_area(key=f"{key}:text").set_value(" ")
    app = settled(app.button(key=f"{key}:keep").click().run())
    assert store.terms.consents(held.study.id) == versions
    assert "Write the consent first" in said(app)


def test_terms_kept_are_those_in_the_boxes(store):
    held = kit.opened(store)
    app = visit("sessions", session=held.study.id, tab="Terms")
    key = f"study:terms:{held.study.id}"
    app.number_input(key=f"{key}:rate").set_value(12.5)
    app = settled(app.run())
    app.text_input(key=f"{key}:code").set_value("C1")
    app.date_input(key=f"{key}:day").set_value(date(2090, 12, 4))
    app = settled(app.button(key=f"{key}:keep").click().run())
    kept = store.terms.get(held.study.id)
    assert (kept.rate, kept.code, kept.deadline[:10]) == (Decimal("12.50"), "C1", "2090-12-04")
    assert app.button(key=f"{key}:keep").disabled


def test_a_set_up_kept_is_the_one_in_the_boxes(store):
    study = kit.drafted(store, texts=3)
    first = study.plan.criteria[0].name
    boxes, app, _ = _in_two_tabs(study)
    consent = f"study:change:{study.id}:{study.plan.task}:{study.plan.kind}:consent"
    app.text_area(key=consent).set_value("With your nmae.")
    app.text_area(key=f"{boxes}:{first}:meaning").set_value("Slip.")
    app = settled(app.run())
    app.text_area(key=consent).set_value("Without your name.")
    app.text_area(key=f"{boxes}:{first}:meaning").set_value("Whether it is new.")
    app = settled(app.button(key="study:keep").click().run())
    plan = store.studies.get(study.id).plan
    assert (plan.consent, plan.criteria[0].meaning) == ("Without your name.", "Whether it is new.")
    assert app.button(key="study:keep").disabled


def test_a_set_up_with_a_criterion_nobody_described_yet_is_not_kept(store):
    study = kit.drafted(store, texts=3)
    boxes, app, _ = _in_two_tabs(study)
    app.number_input(key=f"study:change:{study.id}:overlap").set_value(3)
    app = settled(app.run())
    app.text_input(key=f"{boxes}:own").set_value("warmth")
    app = settled(app.button(key="study:keep").click().run())
    assert store.studies.get(study.id).plan == study.plan
    assert "warmth: fill in" in said(app)


def test_a_letter_kept_is_the_one_in_the_boxes(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Letters")
    key = f"study:letter:{study.id}:invitation:False"
    app.text_area(key=f"{key}:text").set_value("Daer $name, here: $link")
    app = settled(app.run())
    app.text_area(key=f"{key}:text").set_value("Dear $name, here: $link")
    app = settled(app.button(key=f"{key}:keep").click().run())
    assert store.terms.get(study.id).invitation.text == "Dear $name, here: $link"
    app.text_area(key=f"{key}:text").set_value("Hello $name, here: $link")
    app = settled(app.run())
    app.text_area(key=f"{key}:text").set_value("Hello $nmae")
    settled(app.button(key=f"{key}:keep").click().run())
    assert store.terms.get(study.id).invitation.text == "Dear $name, here: $link"


def test_as_many_places_are_made_as_the_box_says_and_none_without_a_number(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    key = f"study:recruit:{study.id}"
    app = settled(app.button(key=f"{key}:make").click().run())
    assert "Enter how many places to make" in said(app)
    assert not _joining(app), "the link there is goes on to work"
    app.number_input(key=f"{key}:places").set_value(5)
    app = settled(app.button(key=f"{key}:make").click().run())
    assert len(store.seats.of(study.id)) == 5
    first = _joining(app)
    app = settled(app.button(key=f"{key}:anew").click().run())
    assert len(store.seats.of(study.id)) == 5
    assert _joining(app) != first != []


def test_experts_of_a_file_are_called_by_the_columns_that_are_chosen(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    (upload,) = [one for one in app.file_uploader if one.label == "File of people"]
    people = b"name,family,mail\nAda,Byron,ada@example.org\n,Hopper,\n"
    app = settled(upload.upload("people.csv", people, "text/csv").run())
    (names,) = [one for one in app.multiselect if one.label == "Names"]
    assert names.value == ["name"]
    names.set_value(["family"])
    app = settled(app.button(key=f"study:invite:{study.id}").click().run())
    assert "The columns changed as you pressed" in said(app), "it said 1 seat, and these are 2"
    assert not store.seats.of(study.id)
    (names,) = [one for one in app.multiselect if one.label == "Names"]
    names.set_value(["name", "family"])
    settled(app.button(key=f"study:invite:{study.id}").click().run())
    assert [one.name for one in store.seats.of(study.id)] == ["Ada Byron", "Hopper"]


def _joining(app) -> list[str]:
    return [one.value for one in app.code if "join=" in one.value]


def _with_own(app, boxes: str, name: str):
    """Type a criterion of one's own, and what it means."""
    app.text_input(key=f"{boxes}:own").set_value(name)
    app.run()
    for part, words in (("meaning", "What it is."), ("low", "None."), ("high", "All.")):
        app.text_area(key=f"{boxes}:{name}:{part}").set_value(words)
    return settled(app.run())


def _in_two_tabs(study):
    """Return the key of the boxes of a set-up's criteria, and the set-up in two tabs."""
    one, other = (visit("sessions", session=study.id, tab="Set-up") for _ in range(2))
    return f"study:change:{study.id}:criteria:{study.plan.task}:{study.plan.kind}", one, other


def test_a_link_that_somebody_else_replaced_is_not_offered_any_more(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Ada\nGrace")
    app = settled(app.button(key="study:add").click().run())
    key = f"study:recruit:{study.id}"
    app.number_input(key=f"{key}:places").set_value(1)
    app = settled(app.button(key=f"{key}:make").click().run())
    ada, grace = (one.id for one in store.seats.of(study.id)[:2])
    offered = [one.value for one in app.code]
    assert len(offered) == 4, "one each, both together, and for whoever is recruited"
    organising.new_link(store, ada)
    recruiting.draw_link(store, study.id)
    app = settled(app.run())
    assert [one.value for one in app.code] == [offered[1]]
    notes = " ".join(one.value for one in app.info)
    assert "1 link that this tab made works no longer" in notes
    assert "The link that this tab made works no longer" in notes
    app.segmented_control(key="tab").set_value("Letters")
    app = settled(app.run())
    letters = [one.value for one in app.code if "/annotate?seat=" in one.value]
    assert len(letters) == 1
    assert "Dear Grace," in letters[0]
    assert "works no longer" in said(app)
    organising.take_back(store, grace)
    app.segmented_control(key="tab").set_value("Experts")
    app = settled(app.run())
    assert not app.code
    app = settled(app.button(key="study:hide-links").click().run())
    assert "1 link" not in " ".join(one.value for one in app.info)


def test_a_link_that_was_taken_back_is_not_said_to_be_replaced(store):
    study = kit.drafted(store)
    app = visit("sessions", session=study.id, tab="Experts")
    app.text_area(key="study:names").set_value("Ada")
    app = settled(app.button(key="study:add").click().run())
    (seat,) = store.seats.of(study.id)
    organising.take_back(store, seat.id)
    app = settled(app.run())
    assert not app.code
    assert not [one for one in app.info if "works no longer" in one.value]
