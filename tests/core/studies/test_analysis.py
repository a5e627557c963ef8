"""What came of a session: over last revisions, by label before the key is opened, by source after;
refusals with their reasons.
"""

from pathlib import Path

import pytest

from core.agreement.sheet import agreement_sheet
from core.errors import BadInput
from core.records import (
    Afterwards,
    CommentAnswer,
    CompareAnswer,
    Preference,
    RankAnswer,
    RateAnswer,
    SourceGrouping,
    SpanRemark,
)
from core.statistics.matrix import matrix
from core.store import Store
from core.store.studies.work import ListedUnit
from core.studies import analysis, grouping, organising, sitting
from core.studies.filed import Filed
from core.studies.paragraph import methods
from tests.support.sessions import studies_kit as kit

JUDGE = "openai:judge"
QUALITY = dict(zip(kit.METHODS, (8, 6, 4), strict=True))
"""What texts of each method are worth to everybody, give or take."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def method_of(store: Store, study: str, label: str) -> str:
    return store.study_keys.items(study)[label].method


def by_worth(store: Store, strict: int = 0):
    """Answer by what a text is worth; `strict` is taken off. Attention units are passed."""

    def answer(here, shown):
        if shown.unit.id == "u900":
            return kit.expected(store.studies.get(here.study).plan)
        worth = {
            label: QUALITY[method_of(store, here.study, label)] + len(label) % 2
            for label in shown.unit.labels
        }
        best = max(worth, key=lambda label: (worth[label], label))
        match here.task:
            case "rate":
                only = worth[shown.unit.labels[0]] - strict + (shown.unit.id[-1] in "02468")
                return RateAnswer(
                    scores={
                        "novelty": only,
                        "clarity": 6 if shown.unit.id == "u003" else max(1, only - 1),
                    }
                )
            case "rank":
                return RankAnswer(
                    groups=tuple(
                        (label,)
                        for label in sorted(worth, key=lambda label: (-worth[label], label))
                    )
                )
            case "compare":
                return CompareAnswer(
                    preferences={
                        one.name: Preference(better=best, much=True) for one in here.criteria
                    }
                )
            case _:
                return CommentAnswer(
                    valid="yes",
                    answered="partly" if shown.stage > 1 else "yes",
                    change="better",
                    remarks=(SpanRemark(of="review", quote="lacks a test", text="True enough."),),
                )

    return answer


def held(
    store: Store, task="rate", experts: int = 3, texts: int = 12, judge: bool = True, **over
) -> kit.Held:
    """Return a session that everybody has worked through, a model judge too."""
    made = kit.opened(store, task, experts, texts, **over)
    for n in range(experts):
        kit.work_through(store, made.at_work(n), by_worth(store, strict=n))
    if judge:
        judged(store, made)
    return made


def judged(store: Store, made: kit.Held) -> None:
    seat = organising.add_model(store, made.study.id, JUDGE)
    here = made.at_work(0)._replace(seat=seat.id)
    for one in store.study_work.of(seat.id):
        for stage in range(1, one.stages + 1):
            shown = sitting.show(store, here, one.unit, one.time)
            kit.open_texts(store, here, shown)
            sitting.submit(
                store,
                here,
                ListedUnit(seat.id, one.unit, one.time),
                stage,
                by_worth(store)(here, shown),
                f"{one.unit}/{one.time}/{stage}",
                stage - 1,
            )


def opened_key(store: Store, made: kit.Held) -> analysis.Analysis:
    organising.close(store, made.study.id)
    organising.unblind(store, made.study.id, "an organiser")
    return analysis.analysed(store, made.study.id)


def statistic(found: analysis.Analysis, criterion: str, name: str, about: str = ""):
    return next(
        one
        for part in found.parts
        if part.criterion == criterion
        for one in part.statistics
        if one.name == name and about in one.about
    )


# -- ratings -----------------------------------------------------------------------------------


def test_ratings_are_analysed_as_a_file_of_the_same_scores_is(store):
    made = held(store, overlap=3)
    found = analysis.analysed(store, made.study.id)
    called = Filed(store, made.study.id).called
    last = {
        (one.seat, one.unit): one.answer
        for one in store.study_work.answers(made.study.id)
        if one.time == 1 and one.unit != "u900"
    }
    units = {one.id: one.labels[0] for one in store.studies.units(made.study.id)}
    scores = {
        name: matrix(
            (units[unit], called[seat], said.scores[name]) for (seat, unit), said in last.items()
        )
        for name in kit.CRITERIA
    }
    alone = agreement_sheet(scores, frozenset({JUDGE}))
    for part in found.parts[:2]:
        of_file = alone.on(part.criterion)
        assert part.statistics[: len(of_file)] == of_file
    assert statistic(found, "novelty", "Pearson's r", JUDGE).value > 0.9
    assert statistic(found, "novelty", "human ceiling (Pearson's r)").value > 0.9


def test_raters_are_numbered_and_models_named_and_nobody_by_name(store):
    found = analysis.analysed(store, held(store).study.id)
    assert sorted(found.filed.called.values()) == ["E1", "E2", "E3", JUDGE]
    assert "Expert 1" not in repr(found.tables)


def test_the_last_revision_counts_and_attention_and_repeats_do_not(store):
    made = kit.opened(store, experts=2, texts=6)
    for n in (0, 1):
        here = made.at_work(n)
        kit.work_through(
            store,
            here,
            lambda here, shown: RateAnswer(
                scores=dict.fromkeys(kit.CRITERIA, 9 if shown.assignment.time == 2 else 3)
            ),
        )
        shown = sitting.show(store, here, "u001", 1)
        kit.say(store, here, shown, RateAnswer(scores={"novelty": 10, "clarity": None}), "again")
    ratings = next(
        one for one in analysis.analysed(store, made.study.id).tables if one.name == "ideas"
    )
    novelty = {row[0].text: row[1].mean for row in ratings.rows}
    assert novelty == {"A1": 10, "B2": 3, "C3": 3, "D4": 3, "E5": 3, "F6": 3}
    assert ratings.rows[0][3].mean is None  # Nobody could judge its clarity.
    again = statistic(analysis.analysed(store, made.study.id), "", "exact agreement")
    assert again.n == 4 - sum(
        spot.unit == "u001" and spot.time == 2
        for seat in made.seats
        for spot in store.study_work.of(seat.id)
    )


def test_experts_who_withdrew_are_left_out_and_counted(store):
    made = held(store, judge=False)
    here = made.at_work(0)
    assert len(analysis.analysed(store, made.study.id).filed.taking.experts) == 3
    sitting.withdraw(store, here)
    found = analysis.analysed(store, made.study.id)
    assert found.filed.taking.withdrawn == (made.seats[0].id,)
    assert found.filed.taking.experts == (made.seats[1].id, made.seats[2].id)
    assert "E1" not in {
        row[0].text for one in found.tables if one.name == "raters" for row in one.rows
    }


def test_those_who_failed_an_attention_unit_are_left_out_only_where_that_is_asked(store):
    made = kit.opened(store, experts=3)
    kit.work_through(
        store, made.at_work(0)
    )  # A score of 6 throughout: no attention unit asks for it.
    for n in (1, 2):
        kit.work_through(store, made.at_work(n), by_worth(store))
    every, attentive = (
        analysis.analysed(store, made.study.id, one).filed.taking for one in (False, True)
    )
    assert every.inattentive == attentive.inattentive == (made.seats[0].id,)
    assert len(every.experts) == 3
    assert attentive.experts == (made.seats[1].id, made.seats[2].id)


def test_too_little_data_is_refused_with_a_reason_and_never_raises(store):
    for task in ("rate", "rank", "compare", "comment"):
        made = kit.opened(store, task, experts=2, texts=3)
        empty = analysis.analysed(store, made.study.id)
        assert all(one.refused for part in empty.parts for one in part.statistics)
        kit.work_through(store, made.at_work(0), units=1)
        some = analysis.analysed(store, made.study.id)
        assert all(one.refused and one.reading for part in some.parts for one in part.statistics), (
            task
        )
        assert some.tables or task == "comment"


def test_series_hold_the_ceiling_beside_every_model(store):
    series = analysis.analysed(store, held(store, overlap=3).study.id).series
    assert {(one.criterion, one.model) for one in series.ceilings} == {
        (name, JUDGE) for name in kit.CRITERIA
    }
    assert all(one.ceiling.name == f"human ceiling ({one.measure})" for one in series.ceilings)
    novelty = next(one for one in series.against if one.criterion == "novelty")
    assert len(novelty.points) == 12
    point = next(one for one in novelty.points if one.item == "A1")
    assert point.experts.value == pytest.approx(
        point.model - 1
    )  # Experts are 0, 1 and 2 stricter than the judge.
    assert point.experts.low < point.experts.value < point.experts.high
    assert {
        one.rater: round(one.figure.value) for one in series.severity if one.criterion == "novelty"
    } == {"E1": -1, "E2": 0, "E3": 1}
    grid = series.grids[0]
    assert grid.raters == ("E1", "E2", "E3", JUDGE)
    assert grid.by_pair["E2", "E1"].value == grid.by_pair["E1", "E2"].value == 1.0


# -- by source ---------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_nothing_is_by_source_before_the_key_is_opened(store, task):
    made = held(store, task, hidden_target=task == "rank")
    found = analysis.analysed(store, made.study.id)
    assert found.sourced is None
    assert "closed" in found.blind
    said = repr((found.parts, found.series, found.tables, found.source_tables))
    assert not any(word in said for word in (*kit.METHODS, kit.MODEL, "run-secret"))
    assert not any(
        one.name in ("Q", "target found") for part in found.parts for one in part.statistics
    )
    with pytest.raises(BadInput, match="hidden until the session is closed"):
        analysis.opened(store, made.study)
    organising.close(store, made.study.id)
    assert analysis.analysed(store, made.study.id).sourced is None


def test_means_by_source_are_those_of_its_ideas(store):
    made = held(store, overlap=3)
    found = opened_key(store, made)
    key = store.study_keys.items(made.study.id)
    scores = [
        (key[one.labels[0]].method, said.answer.scores["novelty"])
        for one in store.studies.units(made.study.id)
        if one.id != "u900"
        for said in store.study_work.answers(made.study.id)
        if said.unit == one.id and said.time == 1 and not store.seats.get(said.seat).model
    ]
    for method in kit.METHODS:
        mine = [score for source, score in scores if source == method]
        figure = next(
            one.figure
            for one in found.sourced.figures
            if (one.criterion, one.source, one.who) == ("novelty", method, "experts")
        )
        assert figure.value == pytest.approx(sum(mine) / len(mine))
        assert figure.reading.startswith(f"The experts give the ideas of {method}")
        assert figure.low is not None or figure.how.startswith("All")
        assert (
            "topic" not in figure.how or "ideas of one topic" in figure.how
        )  # All texts are on one topic.
    assert {one.who for one in found.sourced.figures} == {"experts", JUDGE}
    assert found.blind == ""


def test_two_ideas_scored_alike_by_one_expert_have_no_interval(store):
    made = kit.opened(store, "rate", 1, 6, overlap=1, attention=0, repeats=0)
    kit.work_through(
        store,
        made.at_work(0),
        lambda here, _: RateAnswer(scores={one.name: 6 for one in here.criteria}),
    )
    figures = [one.figure for one in opened_key(store, made).sourced.figures]
    two = [one for one in figures if one.n == 2]
    assert two
    for one in two:
        assert (one.value, one.low, one.high) == (6.0, None, None)
        assert one.how == "Two ideas that are alike do not show how sure the mean is."
        assert one.reading.startswith("The expert gives the ideas of ")


def test_of_ideas_on_one_topic_sources_are_tested_by_all_but_topics(store):
    found = opened_key(store, held(store)).sourced
    novelty = [one for one in found.contrasts if one.criterion == "novelty"]
    assert {one.unit for one in novelty} == {"review", "idea", "reviewer"}
    assert all(one.p is not None or one.refused for one in novelty)
    mixed = next(one for one in novelty if one.test == "mixed model")
    assert "(1 | topic): there is one topic only" in mixed.left_out
    assert mixed.formula == "score ~ source + (1 | reviewer) + (1 | idea)"


def test_differences_per_topic_are_paired_and_corrected(store):
    made = held(store, judge=False)
    for label, one in store.study_keys.items(made.study.id).items():
        changed = one.model_copy(
            update={"topic": f"topic {(int(label[1:]) - 1) // 3}"}
        )  # One text of each method on each.
        store.connections.write(
            "UPDATE study_keys SET data = ? WHERE study = ? AND kind = 'item' AND name = ?",
            changed.model_dump_json(),
            made.study.id,
            label,
        )
    found = opened_key(store, made).sourced
    one = next(
        one
        for one in found.contrasts
        if (one.criterion, one.one, one.other, one.unit, one.test)
        == ("novelty", "chain-of-secrets", "direct-secret", "topic", "paired t-test")
    )
    assert one.n == (4, 4)
    assert one.difference > 1
    assert one.corrected >= one.p
    assert "Holm" in one.statistic.reading


def test_sources_are_grouped_by_hand_and_files_say_when(store):
    made = held(store, judge=False)
    with pytest.raises(BadInput, match="reveal them first"):
        grouping.regroup(store, made.study.id, SourceGrouping(by="method", who="Ada"))
    opened_key(store, made)
    labels = sorted(store.studies.items(made.study.id))[:9]
    by_hand = {label: "left" if n % 2 else "right" for n, label in enumerate(labels)}
    with pytest.raises(BadInput, match="who groups"):
        grouping.regroup(store, made.study.id, SourceGrouping(by="hand", groups=by_hand))
    alike = dict.fromkeys(labels, "one")
    said = SourceGrouping(by="hand", groups=alike, who="Ada")
    with pytest.raises(BadInput, match="two groups"):
        grouping.regroup(store, made.study.id, said)
    said = SourceGrouping(by="hand", groups=by_hand, who="Ada", correction="Bonferroni")
    drawn = grouping.regroup(store, made.study.id, said)
    assert drawn.at
    found = analysis.analysed(store, made.study.id)
    assert {one.source for one in found.sourced.figures} == {"left", "right"}
    assert {one.correction for one in found.sourced.contrasts} == {"Bonferroni"}
    notes = [one.note for one in found.source_tables]
    assert any(
        "Ada drew the groups by hand" in note and "after unblinding" in note for note in notes
    )
    [event] = [one for one in store.studies.events(made.study.id) if one.what == "sources grouped"]
    assert not any(label in event.detail for label in labels)  # Events are in files without key.
    assert grouping.alone({"A1": "one", "B2": "two", "C3": "two"}) == ("one",)
    said = methods(found).text
    assert "Ada drew the groups by hand on" in said
    assert "The groups are left (4) and right (5)." in said
    assert "being in no group: 3 texts." in said
    assert f"the texts came from {kit.METHODS[0]} (4), " in said
    assert "By group (mean score" in said


def test_methods_with_several_models_are_told_apart(store):
    made = held(store, judge=False)
    key = store.study_keys.items(made.study.id)
    store.connections.write(
        "UPDATE study_keys SET data = ? WHERE study = ? AND kind = 'item' AND name = 'A1'",
        key["A1"].model_copy(update={"model": "other"}).model_dump_json(),
        made.study.id,
    )
    sources = opened_key(store, made).sourced.sources
    assert sources["A1"] == "chain-of-secrets (other)"
    assert sources["B2"] == "direct-secret"
    assert "Z1" not in sources


# -- rank, compare, comment --------------------------------------------------------------------


def test_experts_of_one_mind_agree_on_orders_and_the_hidden_idea_is_placed_once_the_key_is_open(
    store,
):
    made = held(store, "rank", texts=36, overlap=3, hidden_target=True)
    blind = analysis.analysed(store, made.study.id)
    assert statistic(blind, "novelty", "Kendall's W").value == 1
    assert {(one.tau, one.model) for one in blind.series.taus} == {(1.0, False), (1.0, True)}
    for n in range(3):
        here = made.at_work(n)
        sets = sitting.sets_to_guess(store, here)
        human = {
            one.unit.id: next(
                (
                    label
                    for label in one.unit.labels
                    if method_of(store, here.study, label) == kit.METHODS[-1]
                ),
                "",
            )
            for one in sets
        }
        sitting.finish(store, here, Afterwards(familiarity=3, confidence=4, human=human))
    found = opened_key(store, made)
    assert (
        statistic(found, "novelty", "Q", "all experts").value == 1
    )  # Always last: it is worth least.
    guessed = statistic(found, "", "target found", "all experts")
    assert (guessed.value, guessed.n, guessed.chance) == (1.0, 12, pytest.approx(1 / 3))
    assert guessed.p < 0.001
    places = {
        one.source: one.figure.value
        for one in found.sourced.figures
        if (one.criterion, one.who) == ("novelty", "experts")
    }
    assert places == {"chain-of-secrets": 0, "direct-secret": 0.5, "secret-people": 1}


def test_comparisons_by_worth_put_sources_in_order(store):
    made = held(store, "compare", texts=12, overlap=2)
    found = analysis.analysed(store, made.study.id)
    assert statistic(found, "novelty", "agreement with ties", "two experts").value == 1
    assert {one.measure for one in found.series.ceilings} == {
        "agreement with ties",
        "agreement without ties",
        "Cohen's kappa",
    }
    assert [one.about for one in found.series.sides] == ["all experts", "E1", "E2", "E3", JUDGE]
    rated = {
        one.source: one.figure
        for one in opened_key(store, made).sourced.figures
        if (one.criterion, one.who) == ("clarity", "experts")
    }
    assert rated[kit.METHODS[0]].value > rated[kit.METHODS[1]].value > rated[kit.METHODS[2]].value


def test_the_better_label_and_the_left_label_are_kept_apart(store):
    made = kit.opened(store, "compare", experts=2, overlap=2, texts=9)

    def left(here, shown):
        return CompareAnswer(
            preferences={
                one.name: Preference(better=shown.assignment.shown[0]) for one in here.criteria
            }
        )

    def right(here, shown):
        return CompareAnswer(
            preferences={
                one.name: Preference(better=shown.assignment.shown[1]) for one in here.criteria
            }
        )

    kit.work_through(store, made.at_work(0), left)
    kit.work_through(store, made.at_work(1), right)
    sides = {one.about: one.value for one in analysis.analysed(store, made.study.id).series.sides}
    assert sides == {"all experts": 0.5, "E1": 1.0, "E2": 0.0}


def test_comments_are_counted_round_by_round_and_remarks_listed_with_their_passage(store):
    made = held(store, "comment", texts=6, overlap=2)
    found = analysis.analysed(store, made.study.id)
    share = statistic(found, "did the revision answer it?", 'share of "yes"')
    assert share.value == pytest.approx(1 / 3)
    assert share.n == 36
    rounds = next(one for one in found.tables if one.name == "rounds")
    assert [[cell.mean for cell in row[1:]] for row in rounds.rows] == [
        [1, 1, 1],
        [1, 0, 1],
        [1, 0, 1],
    ]
    assert {one.rater for one in found.remarks} == {"E1", "E2", "E3", JUDGE}
    assert found.remarks[0][2:] == (1, "review", "lacks a test", "True enough.")
    assert {one.model for one in found.series.ceilings} == {JUDGE}
    assert {one.source for one in opened_key(store, made).sourced.figures} == set(kit.METHODS)
