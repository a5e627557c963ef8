"""A finished run as slides: their order, who speaks, what a change answers, the notes on them."""

import pytest

from core.cases.bundled import opened
from core.cases.passages import SlideParagraph, cut, of_reply, of_rewriting
from core.cases.replay import ROOM, deck
from core.cases.slides import slides
from core.export.blocks import Span
from core.records import Idea
from core.store import Store
from tests.core.judging.test_ranked_sets import prefers, ranked
from tests.core.methods.test_baselines import worked
from tests.core.methods.test_ideas_of_a_branch import DIRECTIONS, script
from tests.support.case_kit import finished
from tests.support.evolving import evolve
from tests.support.scripted import chain, runner_of, wide_script, wide_source

CHAIN, NOVELTY = "chain-reasoning-to-ideation", "orexin-novelty"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(tmp_path_factory.mktemp("slides"))


@pytest.fixture(scope="module")
def chained(store):
    return slides(store, opened(store, CHAIN))


@pytest.fixture(scope="module")
def refined(store):
    return slides(store, opened(store, NOVELTY))


def said(slide) -> str:
    return "\n".join("".join(span.text for span in one.spans) for one in slide.says)


def milestones(told) -> list[str]:
    return [slide.milestone for slide in told if slide.milestone]


def test_a_chain_begins_with_its_first_paper_and_goes_out_from_it(chained):
    papers = [slide.title for slide in chained if slide.key.endswith("/extract")]
    assert [title.split(":")[0] for title in papers] == [
        "Tree of Thoughts",
        "Graph of Thoughts",
        "Chain of Ideas",
        "Self-Consistency Improves Chain of Thought Reasoning in Language Models (2022)",
        "Chain-of-Thought Prompting Elicits Reasoning in Large Language Models (2022)",
    ]
    assert [slide.title for slide in chained[:5]] == papers
    assert milestones(chained) == ["Papers", "Trend", "Idea", "Idea 2", "Experiment", "Result"]


def test_branches_are_told_one_after_the_other(tmp_path):
    runner, run = finished(
        tmp_path, wide_script(), chain, wide_source(), topic="sleep 2018", branches=3
    )
    told = slides(runner.store, run)
    read = [slide.branch for slide in told if slide.key.endswith("/extract")]
    assert read == sorted(read)
    assert {1, 2, 3} == set(read)
    assert "Branch 2: papers" in milestones(told)
    assert "Choice" in milestones(told)


def test_a_refinement_is_told_round_by_round_by_its_actors(refined):
    assert milestones(refined) == ["First idea", *(f"Round {n}" for n in range(1, 8)), "Result"]
    revision = next(slide for slide in refined if slide.key == "round-3/revise")
    assert (revision.where, revision.actor, revision.called, revision.does) == (
        "Round 3",
        "generator",
        "Generator",
        "revises",
    )
    assert refined[-1].title.startswith("Modulating orexin against social jetlag: sleep")
    assert "Title." not in said(refined[-1])


def test_ideas_refined_side_by_side_are_told_one_after_the_other(tmp_path):
    runner, run = finished(tmp_path, rounds=1, idea=None, lines=2)
    assert milestones(slides(runner.store, run)) == [
        "Idea 1: first idea",
        "Idea 1, round 1",
        "Idea 2: first idea",
        "Idea 2, round 1",
        "Result 1",
        "Result 2",
    ]


def test_a_change_is_marked_and_names_remarks_that_are_at_hand(refined):
    revision = next(slide for slide in refined if slide.key == "round-3/revise")
    looks = {span.look for passage in revision.says for span in passage.spans}
    assert {"added", "removed", "remark", "plain"} <= looks
    named = {name for passage in revision.says for name in passage.remarks}
    assert named
    assert named <= set(revision.remarks)
    assert "Make the calendar a part of the hypothesis" in revision.remarks["r1"]


def test_a_field_that_is_wholly_new_is_not_marked_word_by_word(refined):
    first = next(slide for slide in refined if slide.key == "round-1/revise")
    title = next(one for one in first.says if one.spans[0].text == "Title. ")
    assert [span.look for span in title.spans] == ["strong", "emphasis", "plain", "remark"]


def test_notes_stand_on_the_slide_they_are_about(store, chained, refined):
    noted = {slide.key: [note.text for note in slide.notes] for slide in refined if slide.notes}
    assert noted["round-3/revise"] == [
        "Social jetlag arrives, and the weekend becomes the experiment."
    ]
    assert "round-3/review" in noted
    assert {slide.key for slide in chained if slide.notes} == {
        "branch-1/trend",
        "branch-1/idea-1/idea",
        "branch-1/idea-2/idea",
    }
    kept = store.notes.of(opened(store, NOVELTY).id)
    assert sum(map(len, noted.values())) == len(kept)


def test_an_evolution_is_told_with_its_checklists(tmp_path):
    runner, _, run, _ = evolve(tmp_path)
    told = slides(runner.store, runner.store.runs.get(run.id))
    assert [slide.does for slide in told if slide.key.startswith("step-")] == [
        "proposes",
        "The checklist",
        "revises by the directives",
        "The checklist",
    ]
    first = next(slide for slide in told if slide.does == "The checklist")
    assert "of 9 items hold" in said(first)
    assert "grounding is weak. Do something for grounding." in said(first)
    assert milestones(told)[-1] == "Result"


def test_a_ranking_is_told_best_first_with_reasons(tmp_path):
    runner, _, run, _ = ranked(tmp_path, {"rank": prefers("a", "Paper", "b", "c")})
    told = slides(runner.store, runner.store.runs.get(run.id))
    assert [slide.where for slide in told] == ["", ""], "one by each judge"
    text = said(told[0])
    assert text.startswith("Q = 0.33")
    assert text.index("1. A:") < text.index("2. Target:") < text.index("3. B:")
    assert "Said." in text


def test_a_step_that_failed_says_so(tmp_path):
    runner, run = finished(tmp_path)
    runner.store.connections.write(
        "UPDATE steps SET status = 'failed', reply = ? WHERE run = ? AND key = 'round-1/verdict'",
        '{"kind": "ModelFailed", "message": "No answer."}',
        run.id,
    )
    told = slides(runner.store, run)
    verdict = next(slide for slide in told if slide.key == "round-1/verdict")
    assert said(verdict) == "It came to nothing: No answer."


def test_what_does_not_play_is_refused_with_what_does(tmp_path):
    from core.errors import BadInput
    from core.methods import BaselineInputs

    runner, _, run, _ = worked(tmp_path, "direct", BaselineInputs(topic="sleep 2018"))
    with pytest.raises(BadInput, match="only a finished run of Chain of ideas, Adversarial"):
        deck(runner.store, runner.store.runs.get(run))


@pytest.mark.parametrize("name", [CHAIN, "orexin-feasibility", NOVELTY])
def test_no_page_has_more_than_is_read_from_the_back_of_a_room(store, name):
    for page in deck(store, opened(store, name))["pages"]:
        letters = sum(len(text) for one in page["says"] for text, _ in one["spans"])
        assert letters <= ROOM
        assert all(len(text) <= 330 for _, text in page["beside"])


@pytest.mark.parametrize("text", ["One. Two three. " * 80, "word " * 500, "x" * 2500, ""])
def test_a_long_text_is_cut_into_parts_and_nothing_is_lost(text):
    passage = SlideParagraph(
        (Span("Method. ", "strong"), Span(text, "added"), Span("r1", "remark"))
    )
    parts = list(cut(passage, 300))
    assert "".join(span.text for part in parts for span in part.spans) == f"Method. {text}r1"
    assert all(part.letters <= 310 for part in parts)


def test_lines_of_a_changed_text_stay_lines_and_headings_lose_their_signs():
    before = Idea(form="headed", fields={"text": "**Title**\nOld words stay\n\n**Plan**\n- Do it"})
    after = Idea(form="headed", fields={"text": "**Title**\nNew words stay\n\n**Plan**\n- Do it"})
    told = of_rewriting(before, after)
    assert ["".join(span.text for span in one.spans) for one in told] == [
        "Title",
        "OldNew words stay",
        "Plan",
        "Do it",
    ]
    assert [one.point for one in told] == [False, False, False, True]
    assert [span.look for span in told[1].spans] == ["removed", "added", "plain"]
    assert told[0].spans[0].look == "strong"


def test_self_reflection_says_its_verdict_and_what_is_lacking(tmp_path):
    runner, run = finished(tmp_path, variant="self-reflection")
    told = slides(runner.store, run)
    reflection = next(slide for slide in told if slide.key == "round-1/reflect")
    assert said(reflection).splitlines()[0] in ("Improved", "No improvement")
    assert "r1 " in said(reflection)
    assert reflection.does == "reflects"


def test_a_reply_is_told_field_by_field_without_what_is_for_the_program():
    reply = {"id": "x", "summary": "In short.", "remarks": [{"id": "r1", "text": "Why?"}]}
    told = ["".join(span.text for span in one.spans) for one in of_reply(reply)]
    assert told == ["In short.", "r1 Why?"]
    assert of_reply({"id": "x"})[0].spans[-1].text == "x"


def test_papers_of_the_graph_come_with_the_slides_that_tell_them(store):
    told = deck(store, opened(store, CHAIN))
    shapes = told["graphs"][1]["shapes"]
    nodes = [one for one in shapes if one["class"] == "node"]
    edges = [one for one in shapes if one["class"].startswith("edge")]
    assert sorted(one["since"] for one in nodes) == [0, 1, 2, 3, 4]
    assert len(edges) == 4
    assert sorted(one["since"] for one in edges) == [1, 2, 3, 4]
    assert all(0 <= one["x"] <= told["size"][0] for one in shapes if one["tag"] == "text")


def test_a_verdict_is_told_of_its_own_idea_where_a_branch_has_several(tmp_path):
    runner, _ = runner_of(tmp_path, script(DIRECTIONS[1:2]), wide_source())
    run = chain(runner, topic="sleep 2018", branches=1, ideas=2, design=False)
    assert runner.work(run.id) == "done"
    told = {slide.key: said(slide) for slide in slides(runner.store, runner.store.runs.get(run.id))}
    similar = {
        key: "overlaps with it" in words
        for key, words in told.items()
        if key.endswith("novelty-verdict")
    }
    recorded = {key: runner.store.steps.reply(run.id, key)["similar"] for key in similar}
    assert similar == recorded
    assert sorted(recorded.values()) == [False, False, True]
