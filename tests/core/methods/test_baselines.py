"""Baselines, real papers, and looks into the literature on a person's behalf."""

import pytest

from core.methods import BaselineInputs, CandidateInputs, Looking, RealInputs
from core.records import Considered, Design, Idea, Outcome, Search, Topic
from core.story import Story
from tests.support.scripted import (
    baseline_script,
    chain_script,
    configured,
    experiment_script,
    prompts_asked,
    runner_of,
    wide_source,
)


def worked(folder, method, inputs, script=None, source=None):
    runner, model = runner_of(
        folder,
        script or chain_script() | baseline_script() | experiment_script(),
        source or wide_source(),
    )
    run = runner.begin(configured(runner, method, inputs), "A run")
    return runner, model, run.id, runner.work(run.id)


def test_direct_prompting_reads_nothing(tmp_path):
    runner, model, run, state = worked(tmp_path, "direct", BaselineInputs(topic="sleep 2018"))
    story = Story.of(runner.store, run)
    assert (state, prompts_asked(model)) == ("done", ["direct-idea", "experiment-design"])
    assert runner.workshop.shelf_like.asked == []
    assert story.last(Outcome).idea == story.last(Idea)
    assert story.last(Design)


def test_retrieval_augmented_prompting_retrieves_for_itself(tmp_path):
    runner, model, run, state = worked(
        tmp_path,
        "rag",
        BaselineInputs(
            topic="sleep memory", before="2019-01-01", ban=("memory2018",), design=False
        ),
    )
    found = Story.of(runner.store, run).last(Search)
    assert (state, prompts_asked(model)) == ("done", ["queries", "retrieved-idea"])
    assert 0 < len(found.papers) <= 10
    assert all(
        paper.published < "2019-01-01" and paper.id != "memory2018" for paper in found.papers
    )
    assert all(paper.title in model.requests[-1].text for paper in found.papers)
    assert {paper.id for paper in runner.store.library.met()} == {
        paper.id for paper in found.papers
    }, "a run met what it retrieved"


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda source: setattr(source, "down", True), "did not answer"),
        (lambda source: source.known.clear(), "Nothing was found on this topic"),
    ],
)
def test_a_baseline_without_papers_says_which_of_two_things_happened(tmp_path, break_it, said):
    source = wide_source()
    break_it(source)
    runner, _, run, state = worked(
        tmp_path, "rag", BaselineInputs(topic="sleep memory"), source=source
    )
    assert (state, said in runner.store.runs.get(run).reason) == ("failed", True)


def test_a_real_papers_topic_waits_for_a_person(tmp_path):
    paper = wide_source().known["food2018"]
    runner, _, run, state = worked(
        tmp_path, "real-paper", RealInputs(topic=paper.title, paper=paper)
    )
    assert state == "waiting"
    assert [one.id for one in runner.store.library.met()] == ["food2018"]
    asked = runner.store.answers.open(run)[0]
    assert asked.question["shown"]["proposed"] == {"topic": "What food2018 is about"}
    runner.store.answers.answer(run, asked.key, {"topic": "Food and sleep"}, "Ada")
    runner.store.runs.enqueue(run, "me|1|1")
    assert runner.work(run) == "done"
    story = Story.of(runner.store, run)
    assert story.last(Topic).topic == "Food and sleep"
    assert (story.last(Design) is not None, story.last(Outcome).idea) == (True, story.last(Idea))


@pytest.mark.parametrize(("hop", "expected"), [("forward", "food2019"), ("backward", "food2017")])
def test_candidates_come_with_score_and_reason(tmp_path, hop, expected):
    source = wide_source()
    here = source.known["food2018"]
    runner, _, run, state = worked(
        tmp_path,
        "candidates",
        CandidateInputs(topic="sleep food", of=here, hop=hop, anchor=here),
        source=source,
    )
    found = Story.of(runner.store, run).last(Considered)
    assert (state, [one.paper.id for one in found.candidates]) == ("done", [expected])
    assert found.candidates[0].score > 0
    assert (found.candidates[0].relevant, found.candidates[0].reason) == (
        True,
        f"About {expected}.",
    )


def test_what_is_in_the_chain_is_no_candidate(tmp_path):
    source = wide_source()
    line = (source.known["food2018"], source.known["food2019"])
    runner, _, run, _ = worked(
        tmp_path,
        "candidates",
        CandidateInputs(topic="food", of=line[0], hop="forward", anchor=line[0], line=line),
        source=source,
    )
    found = Story.of(runner.store, run).last(Considered)
    assert (found.candidates, found.found) == ((), 1)


def test_a_paper_is_found_by_title_or_by_id(tmp_path):
    source = wide_source()
    source.known["doi:10.1234/x"] = source.known["food2018"].model_copy(
        update={"id": "doi:10.1234/x"}
    )
    runner, _, run, _ = worked(
        tmp_path, "find", Looking(topic="https://doi.org/10.1234/X"), source=source
    )
    assert [paper.id for paper in Story.of(runner.store, run).last(Search).papers] == [
        "doi:10.1234/x"
    ]
    runner, _, run, _ = worked(
        tmp_path / "b", "find", Looking(topic="Sleep memory study 2018"), source=source
    )
    assert Story.of(runner.store, run).last(Search).papers[0].title == "Sleep memory study 2018"


def test_a_paper_nobody_knows_is_nothing_found(tmp_path):
    runner, _, run, state = worked(tmp_path, "find", Looking(topic="doi:10.1234/none"))
    assert (state, Story.of(runner.store, run).last(Search).state) == ("done", "nothing found")
