"""The Python API over scripted models: methods, recipes, and what came of them as tables."""

import pytest

from core import Foundry
from core.errors import BadInput
from core.records import Run
from tests.support.topics_kit import JUDGE, OTHER, WRITER, runner_of, writer_script


@pytest.fixture
def foundry(tmp_path) -> Foundry:
    runner, _ = runner_of(tmp_path, writer_script())
    return Foundry(workshop=runner.workshop)


def test_a_method_runs_and_its_records_and_answers_are_tables(foundry):
    run = foundry.run("direct", models={"main": WRITER}, topic="sleep", design=False, seed=1)
    assert isinstance(run, Run)
    assert run.state == "done"
    ideas = foundry.records(run.id, "Idea")
    assert list(ideas["fields.title"]) == ["Direct"]
    answers = foundry.answers(run.id)
    assert list(answers["by"]) == [WRITER]
    assert answers["tokens_in"].sum() == run.tokens_in
    assert foundry.runs().loc[run.id, "state"] == "done"
    with pytest.raises(BadInput, match="has no tables"):
        foundry.tables(run.id)


def test_wrong_inputs_are_sentences(foundry):
    with pytest.raises(BadInput, match="There is no method"):
        foundry.run("chian", models={"main": WRITER}, topic="sleep")
    with pytest.raises(BadInput, match="Length"):
        foundry.run("chain", models={"main": WRITER}, topic="sleep", length=20)
    with pytest.raises(BadInput, match="There is no recipe"):
        foundry.reproduce("coi-lenght", models=[WRITER])


def test_a_recipe_of_ones_own_is_held_extended_and_taken_along(foundry, tmp_path):
    recipe, topics = tmp_path / "mine.toml", tmp_path / "topics.txt"
    recipe.write_text(RECIPE)
    topics.write_text("sleep memory 1\nsleep memory 2\n")
    given = {"models": [WRITER], "judges": [JUDGE], "topics": str(topics)}
    assert foundry.estimate(str(recipe), **given).calls == 2 * (2 + 1) + 2 * 2
    run = foundry.reproduce(str(recipe), seed=7, **given)
    assert run.state == "done", run.reason
    tables = foundry.tables(run.id)
    ratings = tables["topics-ratings-ideas"].set_index(["Criterion", "Votes of"])
    assert ratings.loc[("Novelty", "models"), "Retrieval-augmented prompting"] > 1000
    more = foundry.extend(run.id, models=[OTHER])
    assert (more.state, more.parent) == ("done", run.id)
    assert len(foundry.records(more.id, "TopicCell")) == 2 * 2 * 2
    assert "report.md" in foundry.results(more.id, tmp_path / "out")
    assert (tmp_path / "out" / "methods.md").is_file()


RECIPE = """\
title = "RAG beside direct prompting"
paper = "Ours"
shows = ["a table"]
engine = "topic-experiment"
measures = ["ratings"]
draws = ["topics-ratings-ideas"]
not_comparable = "Nothing is published."
inputs = { contenders = ["rag", "direct"], same_form = false }
sizes = { small = { take = 2 }, paper = { take = 20 } }
"""
