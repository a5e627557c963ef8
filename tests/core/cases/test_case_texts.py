"""The texts of the bundled case studies, and the files that are made of them."""

import difflib
import itertools
import json
import re

import pytest

from core.cases import open_case
from core.methods.presets import indicator
from core.records import Outcome
from core.story import Story
from tests import ROOT
from tests.support import authoring
from tests.support.builtin_kit import shared

SEEDS = ROOT.parent / "shared" / "seeds"
"""The papers the facts come from, where this checkout has them beside it."""
REFINED = ("orexin-feasibility", "orexin-novelty")
CHAINED = "chain-reasoning-to-ideation"
WORD = re.compile(r"[\w'-]+")
LONGEST = 275
"""Words of one version of an idea; on a projector more cannot be read at a glance."""


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def of(name: str) -> tuple[authoring.Version, ...]:
    return authoring.versions(authoring.texts(name))


def strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [said for part in value.values() for said in strings(part)]
    return (
        [said for part in value for said in strings(part)]
        if isinstance(value, list)
        else [value]
        if isinstance(value, str)
        else []
    )


def added_unmarked(older: str, newer: str, passages: list[str]) -> list[str]:
    """Return the words of the newer text that are neither in the older one nor in a marked
    passage.
    """
    old, new = words(older), words(newer)
    marked = set[int]()
    for passage in map(words, passages):
        for start in range(len(new)):
            if new[start : start + len(passage)] == passage:
                marked |= set(range(start, start + len(passage)))
    parts = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        new[n]
        for kind, _, _, start, end in parts
        if kind != "equal"
        for n in range(start, end)
        if n not in marked
    ]


@pytest.mark.parametrize("name", REFINED)
def test_every_change_stands_in_its_field_and_answers_remarks_of_the_review_before(name):
    for older, newer in itertools.pairwise(of(name)):
        asked = {remark.id for remark in older.review.remarks}
        assert all(
            change.passage in newer.idea.fields[change.field] and set(change.remarks) <= asked
            for change in newer.changes
        )
        assert {one for change in newer.changes for one in change.remarks} == asked


@pytest.mark.parametrize("name", REFINED)
def test_what_is_new_in_a_version_is_marked_but_for_a_word_or_two_that_join_it(name):
    for older, newer in itertools.pairwise(of(name)[1:]):
        for field, text in newer.idea.fields.items():
            passages = [change.passage for change in newer.changes if change.field == field]
            assert len(added_unmarked(older.idea.fields[field], text, passages)) <= 2, (field, text)


@pytest.mark.parametrize("name", REFINED)
def test_every_remark_concerns_a_trait_and_quotes_the_version_it_is_about(name):
    traits = set(indicator(authoring.texts(name)["indicator"]).traits)
    for version in of(name):
        assert 2 <= len(version.review.remarks) <= 4
        for remark in version.review.remarks:
            quoted = re.match(r'"([^"]+)"', remark.text)
            assert remark.trait in traits
            assert quoted, remark.text
            assert any(quoted[1] in text for text in version.idea.fields.values()), remark.text


@pytest.mark.parametrize("name", REFINED)
def test_five_rounds_improve_and_two_do_not(name):
    assert [version.verdict.improved for version in of(name) if version.verdict] == [True] * 5 + [
        False
    ] * 2


def test_both_refinements_begin_with_the_same_paragraph():
    first, second = (of(name)[0].idea for name in REFINED)
    assert first == second
    assert first.form == "hypothesis"


@pytest.mark.parametrize(
    ("name", "named"),
    [
        (
            "orexin-novelty",
            (
                "modulating orexin",
                "sleep quality",
                "cognitive function",
                "emotional resilience",
                "social jetlag",
                "state-space model",
            ),
        ),
        (
            "orexin-feasibility",
            (
                "simplified dietary guidelines",
                "sleep-hygiene education",
                "fifteen athletes",
                "validated questionnaires",
                "activity monitors",
                "parents",
                "adherence",
            ),
        ),
    ],
)
def test_a_refinement_ends_where_the_published_one_did(name, named):
    text = of(name)[7].idea.text.lower()
    assert [one for one in named if one not in text] == []


@pytest.mark.parametrize("name", REFINED)
def test_ideas_verdicts_and_notes_have_a_length_that_can_be_read(name):
    for version in of(name):
        assert 120 <= sum(len(text.split()) for text in version.idea.fields.values()) <= LONGEST
        assert (
            version.verdict is None
            or 2 <= len(re.findall(r"[.]( |$)", version.verdict.reason)) <= 3
        )
        assert set(version.notes) == {"idea", "review"}
        assert all(1 <= len(said) <= 2 for said in version.notes.values())


def test_the_ideas_of_the_chain_have_a_length_that_can_be_read():
    assert all(
        120 <= sum(len(text.split()) for text in one["idea"].values()) <= LONGEST
        for one in authoring.texts(CHAINED)["rounds"]
    )


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the papers are not beside this checkout")
@pytest.mark.parametrize("name", authoring.names())
def test_no_more_than_twelve_words_in_a_row_are_those_of_the_papers(name):
    def runs(said: list[str]) -> set[tuple[str, ...]]:
        return {tuple(said[n : n + 13]) for n in range(len(said) - 12)}

    published = set().union(
        *(runs(words(path.read_text("utf-8", "replace"))) for path in SEEDS.glob("*.txt"))
    )
    assert [
        text
        for text in map(authoring.plain, strings(dict(authoring.texts(name))))
        if runs(words(text)) & published
    ] == []


def test_the_papers_of_the_chain_cite_one_another_on_the_shelf(store):
    shelf = shared().shelf
    run = open_case(store, (authoring.CASES / f"{CHAINED}.json").read_bytes())
    chain = Story.of(store, run.id).branches[0].chain
    assert [paper.id for paper in chain.papers] == list(authoring.texts(CHAINED)["papers"])
    assert all(
        shelf.edge(later.id, earlier.id) for earlier, later in itertools.pairwise(chain.papers)
    )


@pytest.mark.parametrize("name", authoring.names())
def test_a_bundled_file_says_that_no_model_wrote_it(store, name):
    run = open_case(store, (authoring.CASES / f"{name}.json").read_bytes())
    assert run.packed.authored
    assert (run.calls, run.tokens_in, run.tokens_out, run.cost) == (0, 0, 0, 0.0)
    assert set(run.config.models.values()) == {""}
    written = [step for step in store.steps.of(run.id) if "prompt" in step.request]
    assert {(step.origin.kind, step.origin.name, step.latency, step.calls) for step in written} == {
        ("authored", authoring.AUTHOR, None, ())
    }


@pytest.mark.parametrize("name", REFINED)
def test_a_bundled_refinement_converges_in_its_seventh_round(store, name):
    run = open_case(store, (authoring.CASES / f"{name}.json").read_bytes())
    line = Story.of(store, run.id).lines[0]
    assert (line.outcome.round, line.outcome.converged, line.outcome.idea) == (
        7,
        True,
        of(name)[7].idea,
    )
    assert [one.quiet for one in line.rounds] == [0, 0, 0, 0, 0, 1, 2]
    assert {note.about for note in store.notes.of(run.id)} == {
        f"round-{n}/{on}" for n in range(8) for on in ("idea", "review")
    }


def test_the_bundled_chain_meets_a_known_idea_and_then_finds_a_new_one(store):
    run = open_case(store, (authoring.CASES / f"{CHAINED}.json").read_bytes())
    story = Story.of(store, run.id)
    assert [check.state for check in story.branches[0].checks] == ["similar", "novel"]
    assert story.last(Outcome).idea.title == authoring.texts(CHAINED)["rounds"][1]["idea"]["title"]


def same_anywhere(value: object) -> object:
    """Return a packed file without what the last digits of an embedding, which another processor
    may round differently, decide.
    """
    if isinstance(value, dict):
        return {
            name: same_anywhere(part)
            for name, part in value.items()
            if name not in ("sha", "hash", "settle", "plane")
        }
    if isinstance(value, list):
        return [same_anywhere(part) for part in value]
    return round(value, 2) + 0.0 if isinstance(value, float) else value


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == REFINED[0] else pytest.mark.soak)
        for name in authoring.names()
    ],
)
def test_a_bundled_file_is_what_its_texts_make(name):
    kept, made = (
        json.loads(data)
        for data in ((authoring.CASES / f"{name}.json").read_bytes(), authoring.built(name))
    )
    assert same_anywhere(kept) == same_anywhere(made), (
        "run `python -m tests.support.authoring` again: a text, a prompt or a method has changed"
    )
