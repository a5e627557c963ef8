"""What a draft holds: texts under labels, units that tell nothing, a key that tells all."""

from collections import Counter
from contextlib import closing
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cases.bundled import opened
from core.errors import BadInput
from core.judging.ranked_sets import IdeaSet, RankInputs
from core.records import (
    DESIGN_CRITERIA,
    Idea,
    Paper,
    Record,
    Revision,
    Round,
    StudyPlan,
    Target,
    Trajectory,
    Wish,
)
from core.runs.planning import validated
from core.store import Store
from core.store.entries import entry_id
from core.studies import organising, picking, setting_up, texts
from core.studies.checks import checked
from core.studies.picking import SUMMARY_LEFT_OUT, Chosen, trajectory_of
from core.studies.setting_up import PreparedDraft, prepare, replan
from tests.support.arena_kit import METHODS, TOPICS, a_design, entry, one_paragraph, six
from tests.support.scripted import configured, refine_script, refinement, runner_of


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "data")


def held(
    store: Store, methods=METHODS, topics=TOPICS, each: int = 1, text=six, model: str = ""
) -> None:
    """Put a text by each method on each topic into the collection `test`."""
    for topic in topics:
        for method in methods:
            for n in range(each):
                kept(
                    store,
                    method,
                    topic,
                    text(f"Thought {n} on {topic}, as {hash_of(method)} has it."),
                    model,
                )


def hash_of(method: str) -> int:
    return sum(map(ord, method))


def kept(
    store: Store, method: str, topic: str, text: Record, model: str = "", kind: str = "idea"
) -> str:
    made = entry(store, method, topic, text, kind).model_copy(update={"model": model})
    made = made.model_copy(update={"id": entry_id(made)})
    store.entries.add(((made, "A title"),))
    return made.id


def plan(task: str = "rate", **given) -> StudyPlan:
    return texts.standard(task, "Ours", given.pop("kind", "idea"), **{"seed": 3, **given})


ALL = Chosen(collections=("test",))


def work(made: PreparedDraft):
    checks = {one.unit for one in made.unit_keys}
    return [one for one in made.units if one.id not in checks]


def sources(made: PreparedDraft) -> dict[str, str]:
    return {one.label: one.method for one in made.item_keys}


# -- rating ------------------------------------------------------------------------------------


def test_every_text_is_one_unit_and_checks_are_hidden_among_them(store):
    held(store)
    made = prepare(store, plan(attention=2), ALL)
    assert (len(work(made)), made.work, len(made.unit_keys)) == (6, 6, 2)
    assert sorted(one.id for one in made.units) == [f"u{n:03d}" for n in range(1, 9)]
    assert sorted(label for one in made.units for label in one.labels) == sorted(
        one.label for one in made.items
    )
    assert Counter(one.method for one in made.item_keys if not one.attention) == dict.fromkeys(
        METHODS, 2
    )
    assert {one.topic for one in work(made)} == set(TOPICS)


def test_labels_and_the_order_of_units_tell_no_source(store):
    held(store, topics=[f"topic {n}" for n in range(12)])
    orders = []
    for seed in range(20):
        made = prepare(store, plan(seed=seed, attention=0), ALL)
        by = sources(made)
        orders.append(tuple(by[one.labels[0]] for one in made.units))
        assert len(set(made.items)) == 36
    assert len(set(orders)) == 20
    firsts = Counter(order[0] for order in orders)
    assert len(firsts) == 3, "each source comes first in some"


def test_one_seed_gives_one_session_and_nothing_is_kept_by_looking(store):
    held(store)
    assert prepare(store, plan(), ALL) == prepare(store, plan(), ALL)
    assert prepare(store, plan(), ALL) != prepare(store, plan(seed=4), ALL)
    made = prepare(store, plan(), ALL)
    check = next(one.label for one in made.item_keys if one.attention)
    with pytest.raises(BadInput):
        store.frozen.get(next(one.sha for one in made.items if one.label == check), Record)


def test_filling_freezes_texts_and_keeps_the_key_apart(store):
    held(store)
    study = organising.set_up(store, plan(), ALL)
    made = prepare(store, plan(), ALL)
    items = store.studies.items(study.id)
    assert len(store.frozen.several(tuple(items.values()), Record)) == 7
    assert store.studies.units(study.id) == made.units
    assert store.study_keys.items(study.id) == {one.label: one for one in made.item_keys}
    assert all(not set(unit.model_dump()) & {"method", "source"} for unit in made.units)


def test_others_may_write_while_a_draft_is_prepared(store, monkeypatch):
    held(store)
    other, found = store.connections.fresh(), []

    def write_meanwhile(*asked):
        other.execute("BEGIN IMMEDIATE")
        other.rollback()
        found.append(True)
        return prepare(*asked)

    monkeypatch.setattr(setting_up, "prepare", write_meanwhile)
    with closing(other):
        other.execute("PRAGMA busy_timeout=0")
        assert store.studies.units(organising.set_up(store, plan(), ALL).id)
    assert found == [True]


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 12))
def test_what_is_drawn_is_spread_evenly_over_sources(tmp_path_factory, seed, n):
    store = Store(tmp_path_factory.mktemp("even"))
    held(store, each=2)
    made = prepare(store, plan(seed=seed, attention=0), ALL.model_copy(update={"draw": n}))
    times = Counter(one.method for one in made.item_keys)
    assert sum(times.values()) == n
    assert max(times.values()) - min(times.get(name, 0) for name in METHODS) <= 1
    assert len(made.left_out) == 12 - n


def test_the_same_text_from_two_collections_is_one(store):
    held(store)
    first, _ = store.entries.of(("test",))[0]
    twin = first.model_copy(update={"collection": "more", "id": ""})
    store.entries.add(((twin.model_copy(update={"id": entry_id(twin)}), "Again"),))
    assert prepare(store, plan(), Chosen(collections=("test", "more"))).work == 6


def test_designs_are_judged_as_designs(store):
    kept(store, "chain", "sleep", a_design("Compare."), kind="design")
    made = prepare(store, plan(kind="design"), ALL)
    assert made.work == 1
    assert (
        tuple(one.name.replace(" ", "_") for one in plan(kind="design").criteria) == DESIGN_CRITERIA
    )
    with pytest.raises(BadInput, match="of their own"):
        prepare(store, plan(), Chosen(entries=(store.entries.of(("test",), "design")[0][0].id,)))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (Chosen(), "Choose what is judged"),
        (Chosen(collections=("gone",)), "no collection 'gone'"),
        (Chosen(runs=("r",)), "commented only"),
        (Chosen(collections=("test",), target="nobody"), "by one of: chain, direct, real paper"),
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused(store, chosen, said):
    held(store)
    with pytest.raises(BadInput, match=said):
        prepare(store, plan(), chosen)


# -- the common form ---------------------------------------------------------------------------


def test_the_common_form_is_shown_where_every_text_has_it(store):
    held(store, text=one_paragraph, topics=("sleep",))
    for one, _ in store.entries.of(("test",)):
        store.frozen.keep_form(one.sha, "idea", six(f"Restated {one.sha[:4]}"), "run")
    made = prepare(store, plan(same_form=True), ALL)
    shown = [text for text in made.texts.values() if isinstance(text, Idea)]
    assert Counter(one.form for one in shown) == {"six-field": 3, "hypothesis": 1}, (
        "the check stands as it is"
    )


def test_texts_without_the_common_form_are_refused_with_what_to_do(store):
    held(store, text=one_paragraph, topics=("sleep",))
    one = store.entries.of(("test",))[0][0]
    store.frozen.keep_form(one.sha, "idea", six("Restated"), "run")
    with pytest.raises(BadInput, match=r"2 of 3 texts have no common form yet.*study forms"):
        prepare(store, plan(same_form=True), ALL)


# -- comparing ---------------------------------------------------------------------------------


def test_pairs_are_of_different_sources_on_one_topic(store):
    held(store, each=2)
    kept(store, "chain", "alone", six("Nobody else is here."))
    made = prepare(store, plan("compare", attention=0), ALL)
    keys = {one.label: one for one in made.item_keys}
    assert made.work == 2 * 3 * 4
    assert all(
        keys[a].method != keys[b].method and keys[a].topic == keys[b].topic
        for a, b in (one.labels for one in made.units)
    )
    assert [one.reason for one in made.left_out] == ["no text by another source is on its topic"]


def test_one_method_with_two_models_is_two_sources(store):
    held(store, ("bench",), text=lambda said: six(f"A: {said}"), model="one")
    held(store, ("bench",), text=lambda said: six(f"B: {said}"), model="two")
    assert prepare(store, plan("compare"), ALL).work == 2


def test_drawn_pairs_use_sources_and_texts_evenly(store):
    held(store, topics=[f"topic {n}" for n in range(6)])
    made = prepare(store, plan("compare", attention=0), ALL.model_copy(update={"draw": 9}))
    by = sources(made)
    pairs = Counter(frozenset(by[label] for label in one.labels) for one in made.units)
    times = Counter(by[label] for one in made.units for label in one.labels)
    assert set(times.values()) == {6}
    assert {pairs[frozenset(pair)] for pair in combinations(METHODS, 2)} == {3}
    assert max(Counter(one.topic for one in made.units).values()) == 2


# -- ranking -----------------------------------------------------------------------------------


def test_sets_hide_one_idea_by_people_each(store):
    held(store, ("chain", "direct"), each=3)
    held(store, ("real paper",), each=2)
    kept(store, "chain", "no paper here", six("Alone."))
    made = prepare(
        store,
        plan("rank", hidden_target=True, attention=0),
        ALL.model_copy(update={"target": "real paper"}),
    )
    keys = {one.label: one for one in made.item_keys}
    sets = {one.labels for one in made.units}
    assert (len(sets), len(made.units)) == (4, 8), "by novelty and by feasibility"
    for labels in sets:
        assert Counter(keys[label].target for label in labels) == {True: 1, False: 3}
        assert len({keys[label].topic for label in labels}) == 1
        assert len({keys[label].method for label in labels if not keys[label].target}) == 2
    assert [one.reason for one in made.left_out] == [
        "it is alone on its topic, and one text cannot be put in order"
    ]


def test_sets_without_a_target_take_all_texts_in_even_sizes(store):
    held(store, topics=("sleep",), each=3)
    made = prepare(store, plan("rank", attention=0), ALL)
    assert sorted(len(one.labels) for one in made.units if one.criterion == "novelty") == [3, 3, 3]
    assert {frozenset(sources(made)[label] for label in one.labels) for one in made.units} == {
        frozenset(METHODS)
    }


def test_no_idea_by_people_is_said(store):
    held(store, ("chain", "direct"))
    held(store, ("real paper",), topics=("elsewhere",))
    with pytest.raises(BadInput, match="no idea by people is on its topic"):
        prepare(
            store, plan("rank", hidden_target=True), ALL.model_copy(update={"target": "real paper"})
        )


def ranking_run(runner, sets):
    inputs = validated(
        RankInputs, topic="sleep", goals=({"name": "novelty", "traits": ("new",)},), sets=sets
    )
    return runner.begin(
        configured(runner, "rank", inputs, models={"judge": "scripted:one"}), "Sets"
    )


def test_sets_that_were_ranked_are_taken_with_their_targets(tmp_path):
    runner, _ = runner_of(tmp_path, {})
    target = six("What people thought.")
    sets = tuple(
        IdeaSet(
            name=f"set {n}",
            ideas={"ours": six(f"Ours {n}"), "theirs": six(f"Theirs {n}")},
            target=target if n < 2 else six("Others."),
        )
        for n in range(3)
    )
    run = ranking_run(runner, sets)
    made = prepare(
        runner.store, plan("rank", hidden_target=True, attention=1), Chosen(rankings=(run.id,))
    )
    assert len({one.labels for one in work(made)}) == 2, "one target is hidden in one set only"
    assert {one.id for one in made.units if one.guess} == {one.id for one in work(made)}, (
        "a check hides nobody's idea"
    )
    assert sorted(Counter(sources(made).values()).items()) == [
        ("", 3),
        ("Published paper", 2),
        ("ours", 2),
        ("theirs", 2),
    ]
    assert {one.reason for one in made.left_out} == {
        "its set hides an idea by people that another set hides, and who saw it twice would know"
    }


def shown(store: Store, run: str, place: str, record: Record) -> None:
    """Put a record into a run's story as if its method had shown it."""
    store.connections.write(
        "INSERT INTO products VALUES (?,?,?,?,?)",
        run,
        place,
        type(record).__name__,
        record.model_dump_json(),
        "1",
    )


def test_ideas_of_published_papers_join_their_topic(tmp_path):
    runner, _ = runner_of(tmp_path, {})
    store = runner.store
    held(store, ("chain", "direct"), topics=("sleep",))
    run = ranking_run(runner, (IdeaSet(name="s", ideas={"a": six("a"), "b": six("b")}),))
    target = Target(
        paper=Paper(id="p", title="A paper", year=2024, source="shelf"),
        topic="sleep",
        idea=six("By people."),
    )
    shown(store, run.id, "target-1", target)
    made = prepare(
        store,
        plan("rank", hidden_target=True, attention=0),
        Chosen(collections=("test",), targets=(run.id,)),
    )
    assert Counter(sources(made).values()) == {"chain": 1, "direct": 1, "Published paper": 1}
    assert [one.source for one in made.item_keys if one.target] == [f"run {run.id}, A paper"]
    with pytest.raises(BadInput, match="built no dataset"):
        prepare(
            store,
            plan("rank"),
            Chosen(
                targets=(
                    ranking_run(
                        runner, (IdeaSet(name="s", ideas={"a": six("a"), "b": six("b")}),)
                    ).id,
                )
            ),
        )


# -- commenting --------------------------------------------------------------------------------


@pytest.fixture
def refined(tmp_path):
    runner, _ = runner_of(tmp_path, refine_script((True, True, True)))
    run = refinement(runner, rounds=3, context=())
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return runner.store, run


def test_a_trajectory_is_a_unit_with_its_rounds_as_stages(refined):
    store, run = refined
    made = prepare(store, plan("comment"), Chosen(runs=(run.id,)))
    (unit,) = work(made)
    assert (unit.stages, len(unit.labels), made.work) == (3, 1, 1)
    assert prepare(store, plan("comment"), Chosen(runs=(f"{run.id}/1",))).items == made.items
    key = next(one for one in made.item_keys if not one.attention)
    assert (key.method, key.model, key.source) == (
        "Adversarial refinement, at most 3 rounds, from a given idea",
        "scripted:one",
        f"run {run.id}, idea 1",
    )
    with pytest.raises(BadInput, match="no idea with the number 2"):
        prepare(store, plan("comment"), Chosen(runs=(f"{run.id}/2",)))
    with pytest.raises(BadInput, match="Refinements alone"):
        prepare(store, plan("comment"), Chosen(collections=("test",)))


def test_a_trajectory_holds_no_actor_model_verdict_or_score(refined):
    store, run = refined
    made = trajectory_of(store, run.id)
    assert set(Trajectory.model_fields) == {"first", "goal", "rounds"}
    assert set(type(made.rounds[0]).model_fields) == {"review", "idea"}
    assert (made.goal, len(made.rounds)) == ("novelty", 3)
    assert "scripted" not in made.model_dump_json()


def test_a_case_study_of_seven_rounds_can_be_followed(store):
    run = opened(store, "orexin-novelty")
    made, line = trajectory_of(store, run.id), picking.lines_of(store, run.id)[0]
    assert [one.idea for one in made.rounds] == [line.version(n) for n in range(1, 8)]
    assert made.first == line.version(0)
    assert not any(
        one.verdict.reason in made.model_dump_json() for one in line.rounds if one.verdict
    )


def test_what_the_author_was_not_given_is_left_out(refined):
    store, run = refined
    review = trajectory_of(store, run.id).rounds[0].review
    one = review.remarks[0]
    more = review.model_copy(
        update={"remarks": (one, one.model_copy(update={"id": "r9", "text": "Declined."}))}
    )
    wishes = (
        Wish(by="Ada", decline="r9", of=0),
        Wish(by="Ada", text="Name the test.", id="p1"),
        Wish(by="Bob", text="Too late.", id="p2", late=True),
    )
    rounds = Round(
        n=1,
        goal="novelty",
        review=more,
        wishes=wishes,
        revision=Revision(idea=six("Revised.")),
        quiet=0,
    )
    made = picking._review(run.id, rounds)
    assert made.summary == SUMMARY_LEFT_OUT
    assert [part.text for part in made.remarks] == [one.text, "Name the test."]
    assert "Ada" not in made.model_dump_json()
    with pytest.raises(BadInput, match="without a review"):
        picking._review(run.id, rounds.model_copy(update={"review": None, "wishes": ()}))


# -- attention checks -----------------------------------------------------------------------


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_checks_say_openly_what_is_expected_of_them(refined, task):
    store, run = refined
    held(store)
    asked = plan(task, attention=3)
    made = prepare(store, asked, Chosen(runs=(run.id,)) if task == "comment" else ALL)
    units, shas = {one.id: one for one in made.units}, {one.label: one.sha for one in made.items}
    assert len({shas[label] for key in made.unit_keys for label in units[key.unit].labels}) == sum(
        len(units[key.unit].labels) for key in made.unit_keys
    )
    for key in made.unit_keys:
        unit = units[key.unit]
        whole = made.texts[shas[unit.labels[0]]]
        assert key.expected is not None
        checked(
            key.expected, unit, asked.criteria, whole if isinstance(whole, Trajectory) else None
        )
        assert all(
            "To show that you are reading" in made.texts[shas[label]].model_dump_json()
            for label in unit.labels
        )


def test_a_checks_answer_is_what_its_text_asks_for(store):
    held(store)
    made = prepare(store, plan("compare", attention=5), ALL)
    shas = {one.label: one.sha for one in made.items}
    for key in made.unit_keys:
        said = {
            label: made.texts[shas[label]].text
            for label in next(one for one in made.units if one.id == key.unit).labels
        }
        (better,) = {one.better for one in key.expected.preferences.values()}
        assert "for this text" in said.pop(better)
        assert "for the other text" in said.popitem()[1]
    rated = prepare(store, plan("rate", attention=5), ALL)
    shas = {one.label: one.sha for one in rated.items}
    for key in rated.unit_keys:
        (label,) = next(one for one in rated.units if one.id == key.unit).labels
        (score,) = set(key.expected.scores.values())
        assert f"please give {score} on every quality" in rated.texts[shas[label]].text
    placed = prepare(store, plan("rank", attention=2), ALL)
    shas = {one.label: one.sha for one in placed.items}
    for key in placed.unit_keys:
        for place, (label,) in zip(("first", "second", "third"), key.expected.groups, strict=True):
            assert f"in the {place} place" in placed.texts[shas[label]].text


# -- another plan ------------------------------------------------------------------------------


def test_another_plan_fits_units_and_checks_and_keeps_labels(store):
    held(store)
    study = organising.set_up(store, plan("rank"), ALL)
    before = prepare(store, plan("rank"), ALL)
    changed = plan("rank", criteria=(texts.criterion("clarity"),), attention=2)
    replan(store, study.id, changed)
    units, keys = store.studies.units(study.id), store.study_keys.units(study.id)
    assert {one.criterion for one in units} == {"clarity"}
    assert (len(units), len(keys)) == (4, 2)
    old = {
        one.label: one.sha
        for one in before.items
        if one.label in {key.label for key in before.item_keys if not key.attention}
    }
    assert old.items() <= store.studies.items(study.id).items()
    assert store.studies.get(study.id).plan == changed
    with pytest.raises(BadInput, match="chosen anew"):
        replan(store, study.id, plan("rate"))


@pytest.mark.parametrize("task", ["rate", "rank", "compare", "comment"])
def test_what_is_set_up_can_be_opened(refined, task):
    store, run = refined
    held(store, topics=("sleep", "light", "food"))
    chosen = Chosen(runs=(run.id,)) if task == "comment" else ALL
    study = organising.set_up(store, plan(task, overlap=2, repeats=0), chosen)
    for name in ("Ada", "Bob"):
        organising.add_seat(store, study.id, name)
    assert organising.open_study(store, study.id).sha


def test_a_check_has_a_topic_as_the_other_units_have(store):
    held(store)
    made = prepare(store, plan(attention=5), Chosen(collections=("test",)))
    checks = {one.unit for one in made.unit_keys}
    others = {one.topic for one in made.units if one.id not in checks}
    assert "" not in others
    assert {one.topic for one in made.units if one.id in checks} <= others


def test_a_plan_and_its_units_change_together_or_not_at_all(store, monkeypatch):
    held(store)
    study = organising.set_up(store, plan(attention=1), Chosen(collections=("test",)))
    before = store.studies.get(study.id).plan, store.studies.units(study.id)
    monkeypatch.setattr(store.studies, "fill", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        replan(store, study.id, before[0].model_copy(update={"attention": 3}))
    assert (store.studies.get(study.id).plan, store.studies.units(study.id)) == before
