"""Rubrics of one's own: what a criterion may be, the file that a rubric is shared as, the shelf
they are saved on; and figures of scales that differ.
"""

import json

import pytest
from pydantic import ValidationError

from core.errors import BadInput
from core.records import Criterion, RankAnswer, RateAnswer, Rubric, SkipAnswer, StudyPlan
from core.store import Store
from core.studies import checks, organising, rubrics, sitting, texts
from core.studies.analysis import analysed
from core.studies.blinding import report
from core.studies.definitions import MIXED, YES_NO
from core.studies.live import Tally, alike, dashboard, far, near
from core.studies.paragraph import methods
from core.studies.setting_up import known_scores
from core.studies.worded import words
from tests.support.sessions import studies_kit as kit

TOML = b"""
name = "Two qualities"

[[criteria]]
name = "novelty"
question = "How new is it?"
from = 1
to = 7
reason = "optional"
anchors = { 1 = "It is known.", 4 = "Parts are new.", 7 = "It is new." }

[[criteria]]
name = "ethics"
question = "May it be done?"
kind = "yes/no"
"""
SHA = "f3431c1019e3df1eec91a9b01d2045e983afc31128acd6f136021f5d668b170e"
"""Of a plan, by the program before criteria had scales of their own."""


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


# -- what was there before ---------------------------------------------------------------------


def test_a_plan_from_before_has_the_hash_it_had():
    old = json.dumps(
        {
            "name": "novelty",
            "meaning": "How new it is.",
            "low": "Known.",
            "high": "New.",
        }
    )
    one = Criterion.model_validate_json(old)
    assert json.loads(one.model_dump_json()) == json.loads(old)
    given = {"name": "n", "title": "t", "consent": "c", "instructions": "i", "example": "e"}
    assert StudyPlan(task="rate", criteria=(one,), **given).digest() == SHA
    assert one.on == "from 1 to 10"
    filed = RateAnswer(scores={"novelty": 7}).model_dump_json()
    assert filed == '{"task":"rate","scores":{"novelty":7},"note":""}'
    assert "flag" not in RankAnswer(groups=(("A1",),)).model_dump_json()


def test_what_is_new_is_in_the_hash():
    one = kit.criterion("novelty")
    for changed in ({"highest": 7}, {"kind": "yes/no"}, {"reason": "optional"}):
        assert kit.criterion("novelty", **changed).digest() != one.digest()


# -- what a criterion may be -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"lowest": 3, "highest": 3}, "2 points at least"),
        ({"lowest": 0, "highest": 101}, "100 steps at most"),
        ({"low": ""}, "what 1 and what 10 mean"),
        ({"highest": 7, "anchors": {7: "x"}}, "7 is not between 1 and 7"),
        ({"kind": "yes/no", "highest": 7}, "only a scale has points"),
        ({"kind": "text"}, "free text has no scale"),
    ],
)
def test_a_criterion_that_does_not_hold_together_says_why(given, said):
    with pytest.raises(ValidationError, match=said):
        kit.criterion("novelty", **given)


@pytest.mark.parametrize("ends", [(0, 1), (0, 100), (1, 101), (-3, 3)])
def test_scales_have_2_to_101_points_from_any_start(ends):
    assert kit.criterion("novelty", lowest=ends[0], highest=ends[1]).ends == ends


@pytest.mark.parametrize("given", [{"kind": "yes/no"}, {"reason": "required"}])
def test_other_tasks_refuse_what_only_a_rating_asks(given):
    with pytest.raises(ValidationError, match="are for rating"):
        kit.plan("compare", criteria=(kit.criterion("novelty", **given),))


# -- the file ----------------------------------------------------------------------------------


def test_a_file_is_read_written_and_read_again():
    rubric = rubrics.read("r.toml", TOML)
    novelty, ethics = rubric.criteria
    assert novelty.ends == (1, 7)
    assert novelty.anchored == {1: "It is known.", 4: "Parts are new.", 7: "It is new."}
    assert (ethics.kind, ethics.reason) == ("yes/no", "off")
    assert rubrics.read("r.json", rubrics.written(rubric).encode()) == rubric
    own = Rubric(name="All kinds", about="For tests.", criteria=kit.OWN)
    assert rubrics.read("r.json", rubrics.written(own).encode()) == own


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("to = 7", 'to = "seven"', "criteria 1, to: must be a whole number"),
        ("to = 7", "to = 9", "criteria 1, anchors, 9: say what this end"),
        ("to = 7", "too = 7", "criteria 1, too: no such key"),
        ("4 = ", "x = ", "criteria 1, anchors, x: a point"),
        ("4 = ", '4 = "As before.", 04 = ', "criteria 1, anchors, 04: the point 4 is there twice"),
        ('reason = "optional"', 'reason = "yes"', "criteria 1, reason: must be one of off"),
        ('kind = "yes/no"', 'kind = "slider"', "criteria 2, kind: must be one of scale"),
        ('kind = "yes/no"', 'kind = "yes/no"\nto = 5', "criteria 2, to: only a scale"),
        ('question = "How new is it?"\n', "", "criteria 1, question: is missing"),
        ('name = "Two qualities"', "name = 5", "name: must be text"),
        ('name = "ethics"', 'name = "Novelty"', "two criteria have the same name"),
        ("[[criteria]]", "[criteria", "cannot be read as TOML"),
    ],
)
def test_a_fault_is_told_by_its_key(old, new, said):
    with pytest.raises(BadInput, match=said):
        rubrics.read("r.toml", TOML.decode().replace(old, new, 1).encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[]", "the file: must be an object"),
        (b'{"name": "x"}', "criteria: name at least one"),
        (b"{", "cannot be read as JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"format": "other/1", "criteria": [1]}', "format: this file is 'other/1'"),
        (b'{"name": "x", "criteria": [1]}', "criteria 1: must be an object"),
    ],
)
def test_a_file_that_is_no_rubric_is_refused(content, said):
    with pytest.raises(BadInput, match=said):
        rubrics.read("r.json", content)


# -- the shelf ---------------------------------------------------------------------------------


def test_rubrics_are_saved_by_name_and_ours_are_offered_beside_them(store):
    rubric = rubrics.read("r.toml", TOML)
    store.rubrics.save(rubric)
    assert list(rubrics.offered(store)) == ["Two qualities", *texts.PRESETS]
    assert rubrics.named(store, "two QUALITIES") == rubric
    with pytest.raises(BadInput, match="already"):
        store.rubrics.save(rubric)
    changed = rubric.model_copy(update={"about": "Anew."})
    store.rubrics.save(changed, replace=True)
    assert store.rubrics.get("Two qualities") == changed
    store.rubrics.remove("Two qualities")
    assert store.rubrics.listed() == ()
    with pytest.raises(BadInput, match="none yet"):
        store.rubrics.remove("Two qualities")


def test_an_open_session_keeps_its_rubric_whatever_becomes_of_the_saved_one(store):
    store.rubrics.save(Rubric(name="Mine", criteria=kit.OWN))
    held = kit.opened(store, criteria=store.rubrics.get("Mine").criteria)
    store.rubrics.save(Rubric(name="Mine", criteria=kit.OWN[:1]), replace=True)
    assert store.studies.get(held.study.id).plan.criteria == kit.OWN
    with pytest.raises(BadInput, match="frozen"):
        store.studies.replan(held.study.id, kit.plan())


# -- answers -----------------------------------------------------------------------------------


def test_scores_texts_and_reasons_fit_their_criteria():
    unit = kit._units(kit.plan(), ["A1"], {"A1": "x"})[0]
    good = kit.rating(kit.OWN)
    checks.checked(good, unit, kit.OWN)
    for changed, said in (
        ({"scores": good.scores | {"worth": 101}}, "not on its scale, from 0 to 100"),
        ({"scores": good.scores | {"ethics": 2}}, "yes or no"),
        ({"scores": good.scores | {"wishes": 1}}, "does not ask for wishes"),
        ({"texts": {}}, "Still open: wishes"),
        ({"reasons": {}}, "a reason for novelty"),
        ({"reasons": good.reasons | {"ethics": "x"}}, "No reason is asked for ethics"),
    ):
        with pytest.raises(BadInput, match=said):
            checks.checked(good.model_copy(update=changed), unit, kit.OWN)
    unsure = good.model_copy(update={"scores": good.scores | {"novelty": None}, "reasons": {}})
    checks.checked(unsure, unit, kit.OWN)


def test_attention_checks_ask_for_what_every_scale_has():
    assert known_scores(kit.OWN, 1) == {"novelty": 6, "worth": 78, "ethics": 1}
    assert known_scores([kit.criterion("a"), kit.criterion("b")], 0) == {"a": 3, "b": 3}


# -- figures -----------------------------------------------------------------------------------


def rated(store, experts=3, texts=12, skip=False, **over):
    """Return a session with criteria of all kinds; scores differ by text and by expert."""
    held = kit.opened(store, criteria=kit.OWN, experts=experts, texts=texts, overlap=3, **over)
    labels = sorted(store.studies.items(held.study.id))
    for n in range(experts):
        here = held.at_work(n)
        for place, one in enumerate(sitting.listed(store, here)):
            shown = sitting.show(store, here, one.unit, one.time)
            at = labels.index(shown.texts[0][0])
            scores = {"novelty": 1 + (at + n) % 7, "worth": 8 * at + n, "ethics": int(at > n + 2)}
            answer = kit.rating(here.criteria, scores=scores)
            if one.unit == "u900":
                answer = kit.rating(here.criteria, 0, scores=kit.expected(held.study.plan).scores)
            if skip and n == 0 and place == 0:
                answer = SkipAnswer(reason="I wrote it.")
            kit.say(store, here, shown, answer)
    return held


def test_figures_stay_on_the_scale_of_their_criterion(store):
    held = rated(store)
    organising.close(store, held.study.id)
    organising.unblind(store, held.study.id, "Ada")
    found = analysed(store, held.study.id)
    assert [part.criterion for part in found.parts] == ["novelty", "worth", "ethics", ""]
    ends = {"novelty": (1, 7), "worth": (0, 100), "ethics": (0, 1)}
    for one in found.sourced.figures:
        low, high = ends[one.criterion]
        assert low <= one.figure.low <= one.figure.value <= one.figure.high <= high
    shares = [one.figure for one in found.sourced.figures if one.criterion == "ethics"]
    assert {one.name for one in shares} == {"share of yes"}
    assert all("points" not in one.reading for one in shares)
    assert max(one.figure.value for one in found.sourced.figures if one.criterion == "worth") > 10


def test_points_of_one_scale_are_not_taken_for_those_of_another(store):
    held = rated(store, repeats=10, texts=12)
    again = next(part for part in analysed(store, held.study.id).parts if not part.criterion)
    same, difference, icc = again.statistics
    assert same.value == 1.0
    assert "different scales" in difference.refused
    assert "different scales" in icc.refused


def test_straight_lining_is_of_criteria_with_one_scale():
    criteria = [*kit.OWN, kit.criterion("wit", highest=7)]
    said = {
        ("u1", 1, 1): {"scores": {"novelty": 5, "wit": 5, "worth": 60, "ethics": 1}},
        ("u2", 1, 1): {"scores": {"novelty": 5, "wit": 4, "worth": 5, "ethics": 1}},
    }
    assert alike("rate", said, {}, criteria) == Tally(1, 2)
    assert alike("rate", said, {}, kit.OWN) == Tally(0, 0), "no two have one scale"


def test_a_repeat_is_near_by_the_length_of_its_scale():
    lengths = {(1, 10): 1, (1, 7): 1, (0, 100): 10, (1, 3): 0}
    for (lowest, highest), points in lengths.items():
        assert near(kit.criterion("a", lowest=lowest, highest=highest)) == points
    assert near(kit.OWN[2]) == 0, "yes is not near no"


def test_words_are_listed_and_in_no_figure(store):
    held = rated(store)
    filed = analysed(store, held.study.id).filed
    lines = [line for line in words(filed) if line.of != "flagged"]
    assert {line.criterion for line in lines if line.of == "text"} == {"wishes"}
    assert {line.criterion for line in lines if line.of == "reason"} == {"novelty"}
    assert len([line for line in lines if line.of == "text" and line.time == 1]) == 36


def test_the_paragraph_names_the_scales(store):
    held = rated(store)
    said = methods(analysed(store, held.study.id)).text
    assert "scored from 1 to 7 on novelty and from 0 to 100 on worth" in said
    assert "yes or no was asked on ethics" in said
    assert "Free text was asked for on wishes" in said
    assert "from 1 to 10" not in said


# -- skipped and flagged -----------------------------------------------------------------------


def test_a_skipped_unit_is_counted_apart_live_in_files_and_in_words(store):
    held = rated(store, skip=True, repeats=0)
    now = dashboard(store, held.study.id)
    assert (now.skipped, now.answered) == (1, 35)
    assert now.seats[0].skipped == ("I wrote it.",)
    assert now.reached == 11
    assert far(store, held.study).done == 35
    found = analysed(store, held.study.id)
    assert "not counted: 3 on attention checks, 1 skipped with a reason" in found.filed.counts.said
    assert "1 was, and is in no figure" in methods(found).text
    novelty = found.parts[0].statistics
    assert {one.n for one in novelty if one.name.startswith("ICC")} == {11}


def test_who_comes_back_and_answers_has_not_skipped(store):
    held = kit.opened(store, attention=0, repeats=0)
    here = held.at_work()
    one = sitting.upcoming(store, here)
    kit.say(store, here, sitting.show(store, here, one.unit), SkipAnswer(reason="Not now."))
    assert dashboard(store, held.study.id).skipped == 1
    kit.say(store, here, sitting.show(store, here, one.unit))
    now = dashboard(store, held.study.id)
    assert (now.skipped, now.answered) == (0, 1)


def test_a_flag_needs_its_reason_and_counts(store):
    unit = kit._units(kit.plan(), ["A1"], {"A1": "x"})[0]
    criteria = kit.plan().criteria
    draft = {"scores": {"novelty": 3, "clarity": 3}, "flagged": True}
    with pytest.raises(BadInput, match="Say why you flag"):
        checks.answer_of("rate", draft, unit, criteria)
    with pytest.raises(BadInput, match="Say why you skip"):
        checks.skipped(" ")
    answer = checks.answer_of("rate", {**draft, "mark": "Odd."}, unit, criteria)
    assert answer.flag == "Odd."
    held = kit.opened(store, attention=0, repeats=0)
    here = held.at_work()
    one = sitting.upcoming(store, here)
    kit.say(store, here, sitting.show(store, here, one.unit), answer)
    now = dashboard(store, held.study.id)
    assert (now.flagged, now.answered, now.seats[0].flagged) == (1, 1, ("Odd.",))


def test_a_skipped_attention_check_is_neither_passed_nor_failed(store):
    held = kit.opened(store, repeats=0)
    here = held.at_work()
    for one in sitting.listed(store, here):
        shown = sitting.show(store, here, one.unit)
        answer = SkipAnswer(reason="Odd.") if one.unit == "u900" else kit.an_answer(here, shown)
        kit.say(store, here, shown, answer)
    assert dashboard(store, held.study.id).seats[0].attention == Tally(0, 0)
    assert analysed(store, held.study.id).filed.taking.inattentive == ()


def test_a_round_can_be_skipped_and_the_next_comes(store):
    held = kit.opened(store, "comment", attention=0, repeats=0)
    here = held.at_work()
    one = sitting.upcoming(store, here)
    kit.say(store, here, sitting.show(store, here, one.unit), SkipAnswer(reason="Unreadable."))
    shown = sitting.show(store, here, one.unit)
    assert shown.stage == 2
    kit.say(store, here, shown)
    assert dashboard(store, held.study.id).answered == 1


def test_the_codebook_says_what_is_new_where_it_is_asked(store):
    from core.export.sessions.folder import codebook

    own = codebook(analysed(store, rated(store, repeats=0).study.id).filed)
    assert YES_NO in own.replace("\n", " ")
    assert MIXED in own.replace("\n", " ")
    plain = codebook(analysed(store, kit.opened(store).study.id).filed)
    assert YES_NO not in plain
    assert "skipped with a reason is counted apart" in plain


def test_blinding_takes_sessions_of_any_rubric(store):
    held = kit.drafted(store, criteria=kit.OWN)
    assert report(store, held.id).conclusion
