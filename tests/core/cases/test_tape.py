"""Playing back: every reply is written out to its end, in order, at reading speed; side by side
what ran side by side.
"""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from core.cases.tape import Frame, Tape, _ends
from core.records import Origin, Step, digest
from core.store import Store
from core.store.steps import Product
from core.story import Story
from tests.conftest import make_run
from tests.support.case_kit import finished
from tests.support.scripted import (
    chain,
    chain_script,
    refine_script,
    refinement,
    runner_of,
    wide_script,
    wide_source,
)


def taped(store: Store, *steps: tuple[str, str, str, object]) -> Tape:
    """Store steps as (key, place, kind, reply) and return their tape."""
    run = make_run(store)
    epoch = store.runs.claim(run.id, "me|1|1", 0)
    for key, place, kind, reply in steps:
        request: dict[str, object] = {"ask": key}
        store.steps.add(
            Step(
                run=run.id,
                key=key,
                place=place,
                hash=digest(request),
                request=request,
                status="done",
                reply=reply,
                origin=Origin(kind=kind, name="x"),
                asked=run.created,
                ended=run.created,
            ),
            epoch,
        )
    return Tape.of(store, run.id)


@pytest.fixture(scope="module")
def branches(tmp_path_factory):
    """The tape of a chain of three branches, and the runner it is of."""
    runner, run = finished(
        tmp_path_factory.mktemp("tape"),
        wide_script(),
        chain,
        wide_source(),
        topic="sleep 2018",
        branches=3,
    )
    return Tape.of(runner.store, run.id), runner.store, run


def test_a_reply_takes_as_long_as_reading_it_and_what_is_not_read_passes_at_once(store):
    tape = taped(
        store,
        (
            "a/review",
            "0001",
            "model",
            {
                "summary": "one two three four five six",
                "remarks": [{"id": "r1", "text": "seven eight"}],
            },
        ),
        ("a/verdict", "0002", "authored", {"improved": True, "reason": "Yes."}),
        ("a/search", "0003", "source", [{"title": "many words here"}]),
        ("a/measure", "0004", "computed", {"to_first": 0.5}),
        ("a/long", "0005", "model", {"text": "word " * 1000}),
        ("a/wishes", "0006", "person", []),
        ("a/said", "0007", "person", "plain words of a person, twelve of them in all, for reading"),
    )
    assert [one.seconds for one in tape.frames] == [2.25, 1.0, 0.8, 0.8, 45.0, 0.8, 3.0]
    assert [one.actor for one in tape.frames] == [
        "optimizer",
        "discriminator",
        None,
        None,
        None,
        None,
        None,
    ]
    assert tape.seconds == pytest.approx(53.65)


def test_what_ran_side_by_side_starts_together_and_is_waited_for(store):
    ten = {"text": "ten words that take two and a half seconds altogether"}
    tape = taped(
        store,
        ("a", "0001", "computed", 1),
        ("b", "0002.000.0001", "model", ten),
        ("c", "0002.001.0001", "computed", 1),
        ("d", "0002.001.0002.000.0001", "computed", 1),
        ("e", "0002.001.0002.001.0001", "model", {"text": "one"}),
        ("f", "0003", "computed", 1),
    )
    assert [(one.key, round(one.start, 6)) for one in tape.frames] == [
        ("a", 0),
        ("b", 0.8),
        ("c", 0.8),
        ("d", 1.6),
        ("e", 1.6),
        ("f", 3.3),
    ]
    early, late = tape.moment(1.7), tape.moment(3.0)
    assert (early.settled, [one.key for one in early.running]) == (("a", "c"), ["b", "d", "e"])
    assert (early.shows("0002.001.0001"), early.shows("0002.001.0003"), early.shows("0003")) == (
        True,
        False,
        False,
    )
    assert (late.shows("0002.001.0003"), late.shows("0002.000.0002"), late.shows("0004")) == (
        True,
        False,
        False,
    )
    assert (late.over, tape.moment(99).over, tape.moment(99).shows("0004")) == (False, True, True)


def test_a_run_without_steps_is_over_at_once(store):
    tape = taped(store)
    assert (
        tape.seconds,
        tape.moment(0).over,
        tape.frame(0) == tape.frame(5),
        tape.moment(-1).n,
    ) == (0.0, True, True, 0)


def test_a_reply_breaks_off_after_a_word_and_can_be_drawn_as_far_as_it_goes(store):
    said = {
        "improved": False,
        "reason": 'He said "not yet" \\ and then\nnothing: é, 漢字 {brace} [x].',
        "more": ["a b", {"text": "c"}],
    }
    (frame,) = taped(store, ("v", "0001", "model", said)).frames
    seen = [frame.written(frame.seconds * k / 200) for k in range(201)]
    words: list[str] = []
    for text in filter(None, seen):
        drawn = from_json(text, allow_partial="trailing-strings")
        assert said["reason"].startswith(drawn.get("reason", ""))
        words.append(drawn.get("reason", ""))
    assert words == sorted(words, key=len)
    assert set(drawn) == {"improved", "reason", "more"}
    assert drawn["more"] == ["a b", {"text": "c"}]


TEXT = st.recursive(
    st.text() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(), TEXT, max_size=5), st.lists(st.floats(0, 50), min_size=2, max_size=6)
)
def test_whatever_is_said_is_revealed_step_by_step_and_never_taken_back(reply, times):
    text = json.dumps(reply, ensure_ascii=False)
    words = len(_ends(text))
    frame = Frame(
        key="k",
        place="0001",
        actor=None,
        role=None,
        kind="model",
        text=text,
        words=words,
        start=0.0,
        seconds=max(words / 4, 1.0),
    )
    seen = [frame.written(moment) for moment in sorted(times)]
    assert all(
        later.startswith(earlier) and text.startswith(later) for earlier, later in pairwise(seen)
    )
    for prefix in filter(None, seen):
        from_json(prefix, allow_partial="trailing-strings")
    if words:
        assert _strings(
            from_json(frame.written(frame.seconds), allow_partial="trailing-strings")
        ) == _strings(reply)


def _strings(value: object) -> list[str]:
    """Return the words of every text in JSON, in order, those of names aside."""
    if isinstance(value, dict):
        return [word for part in value.values() for word in _strings(part)]
    return (
        [word for part in value for word in _strings(part)]
        if isinstance(value, list)
        else value.split()
        if isinstance(value, str)
        else []
    )


@given(st.lists(st.floats(0, 400), min_size=1, max_size=5))
def test_time_only_adds_and_moments_agree_with_frames(branches, times):
    tape = branches[0]
    moments = [tape.moment(one) for one in sorted(times)]
    for earlier, later in pairwise(moments):
        assert later.settled[: earlier.n] == earlier.settled
        assert set(later.settled) | {one.key for one in later.running} >= {
            one.key for one in earlier.running
        }
    for moment in moments:
        assert tape.frame(moment.n).settled == moment.settled
        assert len(moment.settled) == moment.n == sum(end <= moment.seconds for end in tape.stops)


def test_at_the_end_everything_is_settled_and_shown(branches):
    tape, store, run = branches
    end = tape.moment(tape.seconds)
    assert (end.over, end.running, set(end.settled)) == (
        True,
        (),
        {step.key for step in store.steps.of(run.id)},
    )
    assert tape.frame(len(tape.frames)).settled == end.settled
    assert (tape.frame(0).settled, tape.frame(0).running) == ((), ())
    assert Story.of(store, run.id, end.shows) == Story.of(store, run.id)


def test_records_are_shown_once_what_they_were_made_from_is_settled(branches):
    tape, store, run = branches
    products, before = store.steps.products(run.id), set()
    for n in range(len(tape.frames) + 1):
        moment = tape.frame(n)
        shown = {one.name for one in products if moment.shows(one.place)}
        assert before <= shown
        before = shown
    assert before == {one.name for one in products}
    middle = tape.frame(len(tape.frames) // 2)
    grown = {one.name.split("/")[0] for one in products if middle.shows(one.place)}
    assert grown >= {"branch-1", "branch-2", "branch-3"}, "all grow at once"


def test_a_refinement_plays_round_by_round(tmp_path):
    runner, run = finished(tmp_path, refine_script([True, False, False]))
    tape = Tape.of(runner.store, run.id)
    rounds = [
        len(Story.of(runner.store, run.id, tape.frame(n).shows).lines[0].rounds)
        for n in range(len(tape.frames) + 1)
    ]
    assert rounds == sorted(rounds)
    assert set(rounds) == {0, 1, 2, 3}
    verdict, review = (
        next(one for one in tape.frames if one.key == f"round-1/{what}")
        for what in ("verdict", "review")
    )
    assert (verdict.start, verdict.actor, review.actor) == (
        review.start,
        "discriminator",
        "optimizer",
    )


def test_a_tape_is_the_same_every_time(tmp_path):
    runner, _ = runner_of(tmp_path, chain_script() | refine_script())
    run = refinement(runner, rounds=2)
    runner.work(run.id)
    assert Tape.of(runner.store, run.id) == Tape.of(runner.store, run.id)
    assert Tape.of(runner.store, run.id).moment(3.3) == Tape.of(runner.store, run.id).moment(3.3)


def test_products_made_before_any_step_are_there_from_the_beginning(store):
    tape = taped(store, ("a", "0002", "computed", 1))
    product = Product(name="round-0", kind="Idea", data={}, place="0001")
    assert tape.frame(0).shows(product.place)


@pytest.mark.parametrize("begun", ['{"', '{"a": "b c'], ids=["at once", "after a name"])
def test_a_text_that_never_ends_is_looked_through_once(begun):
    whole = begun + '\\"' * 100_000
    assert _ends(whole)[-1] == len(whole)
    assert _ends(begun + '\\"\\\n' * 50_000)
