"""A session in another language: one file of all that its experts read, checked by name."""

import tomllib
from decimal import Decimal
from typing import get_args

import pytest

from core.errors import BadInput
from core.records import Kind, StudyPlan, StudyWording, Task
from core.records.base import digest
from core.studies import checks, languages, organising, setting_up, sitting, texts
from core.studies.deadlines import spelled
from core.studies.languages import TextsFile
from core.wording.catalogue import ENGLISH, Wording, places, plurals, say, source
from tests.support.sessions import studies_kit as kit

GERMAN = languages.shipped("de")
WAYS = [
    (task, kind)
    for task in get_args(Task)
    for kind in get_args(Kind)
    if (task, kind) != ("comment", "design")
]


# -- the catalogue -----------------------------------------------------------------------------


def test_values_stand_where_braces_are_and_nothing_else_in_braces_is_read():
    assert ENGLISH("submit.answer", n=1200) == "1,200 to answer"
    hostile = Wording("en", {"head.topic": "on {topic} {topic.__class__} {0} {}"})
    assert hostile("head.topic", topic="sleep") == "on sleep {topic.__class__} {0} {}"


def test_a_sentence_said_in_english_is_said_again_in_another_language():
    german = Wording("de", GERMAN.texts, {"novelty": "Neuheit", "K7": "Q3"})
    said = say("error.open", what=("novelty", say("error.valid")))
    assert said == "Still open: novelty, whether the review was valid."
    assert german.again(said) == "Noch offen: Neuheit, ob das Gutachten berechtigt war."
    assert german.again(BadInput(say("error.unopened", what=["K7"]))).endswith("geöffnet: Q3.")
    assert german.again(BadInput("Something else.")) == "Something else."
    assert str(BadInput(said)) == said


@pytest.mark.parametrize(
    ("language", "n", "form"),
    [("de", 1, "one"), ("de", 0, "other"), ("pl", 3, "few"), ("pl", 5, "many"), ("ja", 1, "other")],
)
def test_plural_forms_are_those_of_the_language(language, n, form):
    forms = {f"submit.answer.{one}": one for one in ("one", "few", "many", "other")}
    assert Wording(language, forms)("submit.answer", n=n) == form


def test_a_language_says_in_english_what_it_lacks():
    assert Wording("de", {})("consent.agree") == ENGLISH("consent.agree")


# -- German ships ------------------------------------------------------------------------------


def test_german_has_every_name_of_the_source_and_no_other_and_the_same_words_in_braces():
    assert set(GERMAN.texts) == set(source())
    for name, text in GERMAN.texts.items():
        bare, _, form = name.rpartition(".")
        if not name.startswith("ours.") and not (bare in plurals() and form == "one"):
            assert places(text) == places(source()[name]), name


@pytest.mark.parametrize(("task", "kind"), WAYS)
def test_german_fits_every_session_of_ours_and_nothing_of_it_stays_english(task, kind):
    plan = texts.standard(task, "S", kind)
    assert languages.problems(plan, GERMAN) == []
    german = languages.in_language(plan, GERMAN)
    english = languages.wanted(plan)
    for part in ("title", "consent", "instructions", "example"):
        assert getattr(german, part) != getattr(plan, part)
        assert "{" not in getattr(german, part)
    for before, after in zip(plan.criteria, german.criteria, strict=True):
        assert before.name == after.name, "answers are kept under one name in every language"
        assert before.low != after.low
    # Read again, the session's own file is whole, and what it says is what it was given.
    again = languages.read(languages.exported(german))
    assert again.language == "de"
    assert languages.problems(german, again) == []
    assert languages.in_language(german, again) == german.model_copy(
        update={
            "wording": german.wording.model_copy(
                update={
                    "texts": {
                        name: text
                        for name, text in german.wording.texts.items()
                        if not name.startswith("ours.")
                    }
                }
            )
        }
    )
    assert set(again.texts) == set(english)


# -- a file ------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", get_args(Task))
def test_the_english_file_of_a_session_can_be_read_back_and_fits_it(task):
    plan = kit.plan(task)
    whole = languages.exported(plan)
    assert tomllib.loads(whole)["study"]["consent"] == "You are asked to judge ideas."
    file = languages.read(whole)
    assert languages.problems(plan, file) == []
    assert file.texts == languages.wanted(plan)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![](https://evil.example/x.png)", "has a picture"),
        ("Weiter ![x][1]\n\n[1]: //evil.example/x.png", "leads to '//evil.example/x.png'"),
        ("[hier](//evil.example/a)", "leads to '//evil.example/a'"),
        ("[hier]( <javascript:alert(1)> )", "leads to 'javascript:alert(1'"),
        ("Siehe www.evil.example/a.", "leads to 'www.evil.example/a'"),
        ("<https://evil.example/?a=1>", "leads to 'https://evil.example/?a=1'"),
        ("<http:evil.example/x>", "leads to 'http:evil.example/x'"),
    ],
)
def test_no_text_leads_where_its_source_does_not(text, said):
    plan = texts.standard("rate", "S")
    for name in ("consent.agree", "study.consent", "criteria.novelty.low", "submit.answer.one"):
        file = GERMAN._replace(texts={**GERMAN.texts, name: text})
        assert any(said in one for one in languages.problems(plan, file)), name


def test_plural_forms_that_english_lacks_lead_nowhere_either():
    polish = {f"submit.answer.{form}": "[x](//evil.example)" for form in ("few", "many")}
    file = languages.TextsFile("pl", {**GERMAN.texts, **polish})
    wrong = languages.problems(texts.standard("rate", "S"), file)
    assert {f"{name} leads to '//evil.example', which the source does not" for name in polish} <= {
        *wrong
    }


@pytest.mark.parametrize("run", ["a", "a.", "](", "]: ", "www.", "<a", "a://", "mailto:"])
def test_a_long_text_is_looked_through_at_once(run):
    assert len(languages._addresses(run * 200_000)) <= 200_000


def test_what_the_sessions_own_pages_lead_to_stays():
    page = "Ask [us](https://lab.example/ask) or ada@lab.example. Note: see https://lab.example."
    plan = texts.standard("rate", "S").model_copy(update={"consent": page})
    again = page.replace("Ask", "Fragen Sie")
    file = GERMAN._replace(texts={**GERMAN.texts, "study.consent": again})
    assert languages.in_language(plan, file).consent == again


def test_what_is_wrong_with_a_file_is_named():
    plan = kit.plan()
    held = dict(languages.read(languages.exported(plan)).texts)
    del held["consent.agree"]
    del held["criteria.novelty.low"]
    held["study.title"] = "  "
    held["nonsense.name"] = "x"
    held["head.place"] = "**{n} of {off}**"
    wrong = languages.problems(plan, TextsFile("pl", held))
    assert 'consent.agree is missing ("I agree, and take part")' in wrong
    assert 'criteria.novelty.low is missing ("None.")' in wrong
    assert 'study.title is missing ("Ideas on sleep")' in wrong
    assert "nonsense.name is unknown: no text of this session has that name" in wrong
    assert "head.place lacks {of}" in wrong
    assert "head.place has {off}, which is unknown" in wrong
    assert any(one.startswith("submit.answer.few is missing") for one in wrong)
    with pytest.raises(BadInput, match=r"consent.agree is missing .*; and \d+ more"):
        languages.in_language(plan, TextsFile("pl", held))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("[consent\n", "cannot be read as TOML"),
        ('{"language": ', "cannot be read as TOML or JSON"),
        (b"\xff\xfe\x00", "cannot be read"),
        ('language = "klingonisch"', "Write a tag that is known"),
        ("[consent]", "Write a tag that is known"),
        (b"x" * 1_000_001, "bytes at most"),
    ],
)
def test_what_is_no_file_of_texts_is_refused_with_a_reason(data, reason):
    with pytest.raises(BadInput, match=reason):
        languages.read(data)


def test_a_file_in_german_leaves_in_english_what_is_the_sessions_own():
    file = languages.read(languages.exported(kit.plan(), GERMAN))
    assert file.texts["study.consent"] == "You are asked to judge ideas."
    assert file.texts["consent.agree"] == "Ich stimme zu und nehme teil"
    assert languages.problems(kit.plan(), file) == []


def test_json_is_read_as_well():
    assert languages.read('{"language": "ar", "consent": {"agree": "نعم"}}') == (
        "ar",
        {"consent.agree": "نعم"},
    )


# -- a rubric of one's own ---------------------------------------------------------------------


def rubric_in_german() -> StudyPlan:
    """Return a plan of the rubric `OWN` in German, what it means left as it is."""
    plan = texts.standard("rate", "S", criteria=kit.OWN, attention=2)
    said = {name: text for name, text in languages.wanted(plan).items() if name[:9] == "criteria."}
    said["criteria.novelty.at_4"] = "Einigermaßen."
    said |= {"criteria.novelty.name": "Neuheit", "criteria.ethics.name": "Ethik"}
    return languages.in_language(plan, TextsFile("de", {**GERMAN.texts, **said}))


def test_what_points_between_the_ends_mean_is_translated_too():
    plan = texts.standard("rate", "S", criteria=kit.OWN)
    assert 'criteria.novelty.at_4 is missing ("Some.")' in languages.problems(plan, GERMAN)
    german = rubric_in_german()
    assert german.criteria[0].anchors == {4: "Einigermaßen."}
    assert german.criteria[3] == kit.OWN[3], "free text has no anchors, ours neither"
    again = languages.read(languages.exported(german))
    assert languages.problems(german, again) == []
    assert languages.in_language(german, again).criteria == german.criteria


def test_checks_of_a_rubric_say_in_german_what_to_answer_criterion_by_criterion():
    said = [check.texts[0].text for check in setting_up.checks(rubric_in_german())]
    assert "geben Sie bitte 2 bei Neuheit, 22 bei worth, „Nein“ bei Ethik und lassen Sie" in said[0]
    assert "6 bei Neuheit, 78 bei worth, „Ja“ bei Ethik" in said[1]
    english = [check.texts[0].text for check in setting_up.checks(kit.plan(criteria=kit.OWN))]
    assert (
        "please give 2 on novelty, 22 on worth, “no” on ethics, and leave what is asked in words."
    ) in english[0]


def test_a_rubric_that_is_named_as_ours_stays_as_it_is_when_a_draft_goes_back_to_english(store):
    study = organising.create(store, rubric_in_german())
    back = languages.back_to_english(store, study.id).plan
    assert back.wording is None
    assert back.criteria == rubric_in_german().criteria


def test_what_is_refused_of_a_rubric_is_said_in_german():
    german = texts.spoken_by(rubric_in_german())
    unit = kit._units(kit.plan(), ["A1"], {"A1": "x"})[0]
    good = kit.rating(kit.OWN)
    for changed, said in (
        ({"scores": good.scores | {"novelty": 8}}, "(Neuheit: 8 steht nicht auf der Skala von 1"),
        ({"scores": good.scores | {"ethics": 2}}, "(Ethik: 2 ist weder Ja noch Nein)"),
        ({"reasons": {}}, "Noch offen: eine Begründung zu Neuheit."),
        ({"reasons": good.reasons | {"ethics": "x"}}, "Zu Ethik wird keine Begründung gefragt."),
    ):
        with pytest.raises(BadInput) as refused:
            checks.checked(good.model_copy(update=changed), unit, kit.OWN)
        assert said in german.again(refused.value)
    with pytest.raises(BadInput) as refused:
        checks.skipped(" ")
    assert german.again(refused.value).startswith("Sagen Sie unter „Diese Einheit überspringen")


def test_a_deadline_is_said_in_the_language_of_a_session():
    moment = "2090-01-01T23:30+00:00"
    assert spelled(moment) == "Sunday 1 January 2090, 23:30 UTC"
    said = spelled(moment, "Europe/Berlin", Wording("de"))
    assert said == "Montag, 2. Januar 2090, 00:30 Europe/Berlin (1. Januar 23:30 UTC)"
    assert Wording("de").amount(Decimal("12.5")) == "12,50"


# -- a session ---------------------------------------------------------------------------------


def test_a_draft_takes_a_language_and_it_is_frozen_with_the_session(store):
    study = kit.drafted(store)
    with pytest.raises(BadInput, match=r"study\.title is missing"):
        languages.take(store, study.id, GERMAN)
    file = GERMAN.texts | {f"study.{part}": f"Mein {part}" for part in languages.PAGES}
    made = languages.take(store, study.id, TextsFile("de", file))
    assert made.plan.consent == "Mein consent"
    seats = [organising.add_seat(store, study.id, f"Expert {n}")[1] for n in range(2)]
    opened = organising.open_study(store, study.id)
    here = sitting.enter(store, seats[0])
    assert here.words("consent.agree") == "Ich stimme zu und nehme teil"
    assert here.words.called["clarity"] == "Klarheit"
    assert opened.sha != digest({})
    with pytest.raises(BadInput, match="frozen"):
        languages.take(store, study.id, TextsFile("de", file))
    organising.close(store, study.id)
    assert sitting.language(store, seats[0]).again(say("error.over")).startswith("Diese Sitzung")


def test_a_draft_goes_back_to_english(store):
    plan = texts.standard("rate", "S")
    study = organising.create(store, plan)
    assert languages.take(store, study.id, GERMAN).plan.title == "Forschungsideen bewerten"
    assert languages.back_to_english(store, study.id).plan == plan


def test_a_session_lacks_what_was_added_after_its_language_and_does_not_open(store):
    study = kit.drafted(store, criteria=texts.preset("Novelty and feasibility (InfAL)"))
    file = GERMAN.texts | {f"study.{part}": f"Mein {part}" for part in languages.PAGES}
    plan = languages.take(store, study.id, TextsFile("de", file)).plan
    assert languages.lacking(plan) == []
    more = plan.model_copy(update={"criteria": (*plan.criteria, texts.criterion("clarity"))})
    assert languages.lacking(more) == ['criteria.clarity.name is missing ("clarity")']
    store.studies.replan(study.id, more)
    for n in range(2):
        organising.add_seat(store, study.id, f"Expert {n}")
    with pytest.raises(BadInput, match=r"criteria\.clarity\.name"):
        organising.open_study(store, study.id)


def test_a_plan_without_a_language_is_written_and_hashed_as_before():
    plan = kit.plan()
    assert "wording" not in plan.model_dump(mode="json")
    assert "wording" not in plan.model_dump_json()
    given = plan.model_copy(update={"wording": StudyWording(language="de", texts={"a.b": "c"})})
    assert StudyPlan.model_validate_json(given.model_dump_json()) == given
    assert given.digest() != plan.digest()


# -- instructions speak of nothing that a session lacks ----------------------------------------


def test_our_instructions_speak_only_of_what_a_session_has():
    def said(**over) -> str:
        return texts.standard("rank", "S", **over).instructions

    assert "come twice (judge it afresh) or tell you" in said()
    assert "come twice: judge it afresh" in said(attention=0)
    assert "come twice" not in said(repeats=0)
    assert "tell you what to answer" in said(repeats=0)
    assert "tell you" not in said(repeats=0, attention=0)
    assert "another quality" in said()
    assert "another quality" not in said(criteria=(texts.criterion("novelty"),))
    own = texts.standard("rank", "S", repeats=0, instructions="My own words.")
    assert own.instructions == "My own words."


def test_instructions_of_a_draft_follow_its_numbers(store):
    study = organising.create(store, texts.standard("rate", "S"))
    changed = study.plan.model_copy(update={"repeats": 0, "attention": 0})
    from core.studies.setting_up import replan

    assert "come twice" not in replan(store, study.id, changed).plan.instructions
