"""The methods paragraph: every number counted from what is stored, and what it lacks said
openly.
"""

import re
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from core.export.sessions.folder import MINUS
from core.records import RateAnswer, SkipAnswer, StudyTerms
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies import organising, sitting
from core.studies.analysis import analysed
from core.studies.paragraph import methods
from core.tables.latex import escaped
from core.wording.numbers import counted
from tests.core.studies.test_analysis import JUDGE, held
from tests.support.sessions import studies_kit as kit


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_every_number_is_the_one_that_is_stored(store):
    made = held(store, experts=4, overlap=3, texts=12)
    organising.add_seat(store, made.study.id, "Never came")
    refuser = organising.add_seat(store, made.study.id, "Refused")[1]
    sitting.decline(store, sitting.enter(store, refuser))
    gone = made.at_work(3)
    sitting.withdraw(store, gone)
    store.connections.write("UPDATE seat_units SET active = 150 WHERE stage = stages")
    organising.close(store, made.study.id)
    study = store.studies.get(made.study.id)
    found = analysed(store, study.id)
    said = methods(found)
    assert said.text.startswith("3 experts of 6 invited rated 12 ideas under blind conditions.")
    assert "from 1 to 10 on novelty and clarity" in said.text
    counted = [
        sum(
            place.unit == unit and place.time == 1 and place.seat in found.filed.taking.experts
            for place in found.filed.last
        )
        for unit in found.filed.units
        if unit != "u900"
    ]
    assert min(counted) < 3  # The one who withdrew leaves gaps, and the paragraph says how many.
    assert (
        f"by 3 experts, which {sum(one >= 3 for one in counted)} of 12 were (at least"
        f" {min(counted)})" in said.text
    )
    assert "1 declined, 1 withdrew (with all answers left out) and 1 never began" in said.text
    assert "nobody failed" in said.text
    assert "median unit took 2.5 minutes" in said.text
    assert f"answered by {JUDGE} as a model judge" in said.text
    assert study.sha in said.text
    assert study.opened[:10] in said.text
    alpha = next(
        one
        for part in found.parts
        for one in part.statistics
        if one.name == "Krippendorff's alpha (ordinal)" and one.raters == 3
    )
    assert (
        f"novelty, experts only, Krippendorff's alpha (ordinal) = {alpha.value:.2f}"
        f" ({alpha.low:.2f} to {alpha.high:.2f})" in said.text
    )


def test_what_is_not_known_is_missing_and_not_made_up(store):
    made = held(store, judge=False)
    said = methods(analysed(store, made.study.id))
    lacks = " ".join(said.missing)
    assert "version" not in lacks, "the paragraph names it"
    for word in (
        "Ethics approval",
        "still open",
        "Familiarity and confidence of 3 experts",
        "paid",
    ):
        assert word in lacks
    assert "ICC(A,k) (novelty)" in lacks  # Not every expert rated every idea.
    assert not re.search(r"ethic|paid|version \d", said.text, re.IGNORECASE)
    assert said.whole.endswith(said.missing[-1])


def test_what_the_terms_promise_is_told_and_no_name_with_it(store):
    made = held(store, judge=False)
    assert "promised" not in methods(analysed(store, made.study.id)).text
    terms = StudyTerms(rate=Decimal("2.5"), per="unit", currency="EUR")
    store.terms.put(made.study.id, terms)
    said = methods(analysed(store, made.study.id))
    assert re.search(r"experts nothing at first; from [^;]+ UTC on 2.50 EUR per unit\.", said.text)
    store.terms.put(made.study.id, terms.model_copy(update={"rate": Decimal(1)}))
    changed = methods(analysed(store, made.study.id)).text
    assert re.search(r" on 2.50 EUR per unit; from [^;]+ UTC on 1.00 EUR per unit\.", changed)
    assert "what was paid out in the end" in said.missing[0]
    assert "Expert 1" not in said.whole


@pytest.mark.parametrize("on_record", [True, False])
def test_a_rate_that_is_changed_after_the_work_stays_told_as_it_was(store, on_record):
    made = kit.opened(store, experts=3, texts=6)
    store.terms.put(made.study.id, StudyTerms(rate=Decimal(30)))
    if not on_record:  # By a program before this one.
        store.connections.write("DELETE FROM study_events WHERE what = 'pay set'")
    here = made.at_work(0)
    kit.work_through(store, here, kit.an_answer)
    organising.close(store, made.study.id)
    of_then = "The terms promised the experts 30.00 EUR per hour of active work"
    assert f"{of_then}." in methods(analysed(store, made.study.id)).text
    store.terms.put(made.study.id, StudyTerms(rate=Decimal(5)))
    assert f"{of_then}; from " in methods(analysed(store, made.study.id)).text


def test_who_was_revoked_early_is_not_said_to_have_had_every_check_and_a_minus_is_one(store):
    made = kit.opened(store, experts=3, texts=12)
    kit.work_through(store, made.at_work(0))
    kit.work_through(store, made.at_work(1), units=1)
    organising.take_back(store, made.seats[1].id)
    said = methods(analysed(store, made.study.id)).text
    assert "Each was given up to 1 unit with a known answer" in said
    assert MINUS.sub("−", "r = -0.27 (-0.50 to 0.1), on 2026-11-25, A-1") == (
        "r = −0.27 (−0.50 to 0.1), on 2026-11-25, A-1"
    )


def test_with_no_answer_there_is_nothing_to_report(store):
    said = methods(analysed(store, kit.drafted(store).id))
    assert said.text == ""
    assert said.missing[0].startswith("Nobody has answered yet")
    assert "not open yet" in " ".join(said.missing)


def test_who_failed_attention_is_said_and_whether_they_count(store):
    made = kit.opened(store, experts=3)
    for n in range(3):
        kit.work_through(store, made.at_work(n))
    assert "3 experts failed and were kept in" in methods(analysed(store, made.study.id)).text
    assert methods(analysed(store, made.study.id, attentive=True)).text == ""  # Nobody is left.


@pytest.mark.parametrize("task", ["rank", "compare", "comment"])
def test_each_task_is_told_in_its_own_words(store, task):
    made = held(store, task, texts=12, overlap=2)
    before = methods(analysed(store, made.study.id)).text
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "somebody")
    after = methods(analysed(store, made.study.id)).text
    units = len({one.labels for one in store.studies.units(made.study.id) if one.id != "u900"})
    wanted = {
        "rank": f"ordered {units} sets made of 12 ideas",
        "compare": f"compared {units} pairs made of 12 ideas",
        "comment": "commented on 12 refinements",
    }
    assert wanted[task] in before
    if task == "compare":
        assert (
            "of the time" not in before
        )  # Which source stood where is not told before the key is open.
        shares = [
            int(one)
            for one in re.search(r"on the left (\d+)(?: to (\d+))? % of the time", after).groups()
            if one
        ]
        assert 40 <= min(shares) <= 50 <= max(shares) <= 60
    assert not any(word in before for word in kit.METHODS)


def test_sources_and_their_figures_are_told_once_the_key_is_open(store):
    made = held(store, "rate", texts=12, overlap=2)
    organising.close(store, made.study.id)
    assert "came from" not in methods(analysed(store, made.study.id)).text
    organising.unblind(store, made.study.id, "somebody")
    found = analysed(store, made.study.id)
    said = methods(found).text
    assert (
        "the texts came from chain-of-secrets (4), direct-secret (4) and secret-people (4)." in said
    )
    (one,) = (
        one.figure
        for one in found.sourced.figures
        if (one.criterion, one.source, one.who) == ("clarity", kit.METHODS[1], "experts")
    )
    assert f"{kit.METHODS[1]} {one.value:.2f}" in said.partition("clarity, chain")[2]
    assert methods(analysed(store, made.study.id, by_label=True)).text.count("secret") == 0, (
        "the answers' own file stays blind"
    )


def test_it_can_be_set_in_latex(store):
    plan = kit.plan(
        criteria=[
            one.model_copy(update={"name": name})
            for one, name in zip(
                kit.plan().criteria, ("novelty & 100 %", "clear_ness"), strict=True
            )
        ]
    )
    said = escaped(methods(analysed(store, latexed(store, plan).study.id)).text)
    assert r"novelty \& 100 \% and clear\_ness" in said
    assert not re.search(r"(?<!\\)[&%#_]", said)


def latexed(store: Store, plan) -> kit.Held:
    made = kit.opened(store, experts=2, criteria=plan.criteria)
    kit.work_through(store, made.at_work(0))
    return made


def test_nobody_is_counted_twice_and_repeats_are_those_really_given(store):
    made = kit.opened(store, experts=5, overlap=2, texts=4, repeats=5)
    for n in (0, 1):
        kit.work_through(store, made.at_work(n))
    organising.take_back(store, made.seats[4].id)
    sitting.withdraw(store, sitting.enter(store, made.secret(3)))
    assert store.seats.get(made.seats[3].id).begun == "", (
        "who withdrew before saying yes never said yes"
    )
    given = [sum(one.time == 2 for one in store.study_work.of(seat.id)) for seat in made.seats[:2]]
    assert 0 < min(given) == max(given) < 5, "a list has room for half of its units at most"
    said = methods(analysed(store, made.study.id)).text
    assert f"Each was given {counted(given[0], 'unit')} a second time" in said
    assert (
        "1 withdrew (with all answers left out), 1 lost access before the end (with answers until"
        " then kept) and 1 never began." in said
    )


def test_who_withdrew_is_not_among_those_who_failed(store):
    made = kit.opened(store, experts=3, overlap=2, texts=6)
    for n in range(3):
        kit.work_through(store, made.at_work(n))
    sitting.withdraw(store, sitting.enter(store, made.secret(0)))
    found = analysed(store, made.study.id)
    assert found.filed.taking.inattentive == tuple(one.id for one in made.seats[1:])
    assert "2 experts failed and were kept in" in methods(found).text


def test_a_model_that_did_not_come_to_the_end_is_said_to_have_stopped(store):
    made = kit.opened(store, experts=2, overlap=2, texts=6)
    judge = organising.add_model(store, made.study.id, JUDGE)
    kit.work_through(store, made.at_work(0))
    for one in store.study_work.of(judge.id)[:4]:
        store.study_work.submit(
            ListedUnit(judge.id, one.unit),
            1,
            RateAnswer(scores={"novelty": 3, "clarity": 4}),
            one.unit,
            0,
        )
    assert (
        f"answered by {JUDGE} (4 of 6) as a model judge"
        in methods(analysed(store, made.study.id)).text
    )


def test_a_set_ordered_by_two_criteria_is_one_set(store):
    made = kit.opened(store, "rank", experts=2, overlap=2, texts=6)
    kit.work_through(store, made.at_work(0))
    assert "ordered 2 sets made of 6 ideas" in methods(analysed(store, made.study.id)).text


@pytest.mark.parametrize(
    ("skipping", "told"),
    [
        ((), "to test attention; nobody failed."),
        ((0,), "nobody failed; 1 expert answered none, and was kept in."),
        ((0, 1, 2), "to test attention; nobody answered one."),
    ],
)
def test_who_skipped_the_attention_check_has_not_passed_it(store, skipping, told):
    made = kit.opened(store, experts=3)

    def answer(n, sitting_now, shown):
        if shown.unit.id == "u900":
            skip = SkipAnswer(reason="Too silly.")
            return skip if n in skipping else kit.expected(made.study.plan)
        return kit.an_answer(sitting_now, shown)

    for n in range(3):
        kit.work_through(store, made.at_work(n), partial(answer, n))
    assert told in methods(analysed(store, made.study.id)).text
