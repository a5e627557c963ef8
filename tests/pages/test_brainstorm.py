"""One keyword on screen: who takes part, ideas side by side as they come, what failed in its place,
another round.
"""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from components.shell import cached
from core.benchmark import BenchInputs
from core.benchmark.inputs import cast, drop_repeats, of_keyword
from core.errors import BadInput
from core.importing.benchmarked import describe_origin
from core.importing.gathering import entries_of_shelf
from core.models.reach import Reachable
from core.records import Run
from core.runs.runner import Runner
from tests.conftest import ScriptedModel
from tests.support.benchmark.bench_kit import SCRIPT, settled_store, shop_of, small
from tests.support.visiting import host, links, said, settled, visit

KEY = "bench:brainstorm"
MODELS = ("openai:a", "openai:b", "openai:c")


@pytest.fixture
def runner(tmp_path, monkeypatch):
    shop = shop_of(tmp_path, models=MODELS)
    shop.named["builtin"] = ScriptedModel(SCRIPT, "builtin")
    shop.named["builtin"].answers = lambda prompt: prompt in ("bench-idea", "bench-idea-again")
    runner = Runner(shop)
    host(monkeypatch, runner)
    reached = (
        Reachable(
            provider="openai", how="key found", main="openai:a", cheap="openai:b", models=("c",)
        ),
    )
    monkeypatch.setattr(cached, "reachable", lambda settings: reached)
    monkeypatch.setattr(runner, "start", lambda run: None)
    return runner


def form() -> AppTest:
    return visit("benchmark", section="keyword")


def ask(app: AppTest, keyword: str = "erosion") -> AppTest:
    app.text_input(key="keyword").set_value(keyword)
    return settled(app.button(key=f"{KEY}:go").click().run())


def only(runner: Runner) -> tuple[Run, BenchInputs]:
    (run,) = runner.store.runs.listed(method="bench")
    return run, BenchInputs.model_validate(run.config.inputs)


# -- who takes part ----------------------------------------------------------------------------


def test_three_judges_read_an_idea_where_so_many_may():
    who = cast(("x:a", "x:b", "x:c", "x:d", "x:e"), ("x:a", "x:b", "x:c", "x:d", "x:e"))
    assert (who.judges_each, len(who.judges)) == (3, 5)
    assert "3 of 5 models, never by its own" in who.said


def test_fewer_judges_where_fewer_may_and_as_many_for_every_model():
    assert cast(("x:a", "x:b"), ("x:a", "x:b")).judges_each == 1
    assert cast(("x:a", "x:z"), ("x:a", "x:b", "x:c")).judges_each == 2


def test_without_anybody_who_may_judge_there_are_ideas_only_and_the_reason():
    alone = cast(("x:a", "x:b"), ("y:a",))
    assert (alone.judges, alone.said.startswith("Ideas only: nobody but a itself")) == ((), True)
    assert "no language model is chosen" in cast(("builtin",), ()).said
    with pytest.raises(BadInput, match="at least one model"):
        cast((), ("x:a",))


def test_the_same_model_served_twice_takes_part_once():
    assert drop_repeats(("openai:gpt-4o", "openrouter:openai/gpt-4o", "x:b")) == (
        ("openai:gpt-4o", "x:b"),
        ("openrouter:openai/gpt-4o",),
    )
    assert cast(("openai:gpt-4o",), ("x:b", "y:b")).twice == ("y:b",)


@pytest.mark.parametrize("text", ["", "  ", "x" * 201])
def test_a_keyword_that_is_none_is_refused_in_a_sentence(text):
    with pytest.raises(BadInput):
        of_keyword(text)
    assert of_keyword("  soil \n erosion ").keywords[0].text == "soil erosion"


# -- the form ----------------------------------------------------------------------------------


def test_every_model_at_hand_is_chosen_and_language_models_judge(runner):
    app = form()
    assert app.multiselect(key=f"{KEY}:models").value == [
        "openai:a",
        "openai:b",
        "openai:c",
        "builtin",
    ]
    assert app.multiselect(key=f"{KEY}:judges").value == ["openai:a", "openai:b", "openai:c"]
    assert "Each idea is judged by 2 of 3 models, never by its own." in said(app)
    ask(app, "  soil   erosion ")
    run, inputs = only(runner)
    assert (run.title, inputs.brainstorm, inputs.ideas, inputs.judges_each, inputs.count) == (
        "soil erosion",
        True,
        2,
        2,
        1,
    )
    assert app.query_params["run"] == run.id


def test_with_the_built_in_model_alone_there_are_ideas_and_no_judges(runner, monkeypatch):
    monkeypatch.setattr(cached, "reachable", lambda settings: ())
    app = form()
    assert app.multiselect(key=f"{KEY}:models").value == ["builtin"]
    assert "Ideas only" in said(app)
    assert "is no language model" in said(app)
    assert any(link.page == "settings" for link in links(app))
    ask(app)
    run, inputs = only(runner)
    assert inputs.judges == ()
    assert "is no language model" in said(visit("benchmark", run=run.id))


def test_a_random_keyword_is_one_of_the_papers(runner):
    from core.benchmark.keywords import paper_keywords

    app = form()
    settled(app.button(key=f"{KEY}:random").click().run())
    assert app.text_input(key="keyword").value in {one.text for one in paper_keywords().keywords}
    assert runner.store.runs.listed(method="bench") == []


def test_an_address_brings_the_keyword_back(runner):
    assert (
        visit("benchmark", section="keyword", keyword="lava").text_input(key="keyword").value
        == "lava"
    )


def test_no_keyword_is_said_and_nothing_begins(runner):
    app = ask(form(), " ")
    assert "Type a keyword" in said(app)
    assert runner.store.runs.listed(method="bench") == []


# -- the ideas ---------------------------------------------------------------------------------


def brainstorm(runner: Runner, **more) -> Run:
    return small(
        runner.workshop,
        keywords=("erosion",),
        models=MODELS,
        judges=MODELS,
        judges_each=2,
        brainstorm=True,
        **more,
    )


def test_before_anything_came_every_idea_has_its_place(runner):
    run = brainstorm(runner)
    app = visit("benchmark", run=run.id)
    assert said(app).count("waits for its turn") == 3 * 2


def test_ideas_stand_beside_each_other_with_their_scores(runner):
    run = brainstorm(runner)
    Runner(runner.workshop).work(run.id)
    app = visit("benchmark", run=run.id)
    text = said(app)
    assert text.count("We propose to measure how erosion changes") == 3 * 2
    assert text.count("mean of 6 scores") == 3 * 2
    assert text.count("Ideas 1 and 2: ") == 3
    assert "waits for its turn" not in text


def test_what_failed_or_was_refused_says_so_in_its_place_and_offers_nothing(runner):
    lost = {
        ("openai:a", 1): "refused",
        ("openai:a", 2): "long",
        ("openai:b", 1): "ModelFailed",
        ("openai:b", 2): "again",
    }
    run = settled_store(
        runner.store,
        keywords=("erosion",),
        models=MODELS,
        judges=MODELS,
        brainstorm=True,
        lost=lambda kind, model, keyword, n, m: (
            lost.get((model, n), "")
            if kind == "idea"
            else "NoUsableAnswer"
            if model == "openai:c"
            else ""
        ),
    )
    text = said(visit("benchmark", run=run.id))
    for words in (
        "refused, twice",
        "too long: 240 words, 200 at most",
        "The server did not answer",
        "refused at first",
        "It gave no usable answer",
    ):
        assert words in text
    assert text.count("Not judged.") == 3
    assert text.count("Keep this idea") == 3
    assert "Nothing to compare" in text


def test_what_failed_can_be_asked_again_and_only_that(runner, monkeypatch):
    monkeypatch.setattr(runner, "resume", lambda run: None)
    run = settled_store(
        runner.store,
        keywords=("erosion",),
        models=MODELS,
        judges=MODELS,
        brainstorm=True,
        lost=lambda kind, model, keyword, n, m: (
            "ModelFailed" if (kind, model) == ("idea", "openai:a") else ""
        ),
    )
    settled(visit("benchmark", run=run.id).button(key="brainstorm:failed").click().run())
    assert [
        (one.model, one.state)
        for one in runner.store.benchmarks.cells(run.id, 0, 0)
        if one.kind == "idea"
    ] == [(0, "ready")] * 2
    whole = settled_store(
        runner.store,
        keywords=("rain",),
        models=MODELS,
        judges=MODELS,
        brainstorm=True,
        topic="Whole",
    )
    assert visit("benchmark", run=whole.id).button(key="brainstorm:failed").disabled


def test_an_idea_is_kept_with_its_model_and_goes_into_a_refinement(runner):
    run = settled_store(
        runner.store, keywords=("erosion",), models=MODELS, judges=MODELS, brainstorm=True
    )
    app = visit("benchmark", run=run.id)
    cell = runner.store.benchmarks.ideas(run.id)[0]
    settled(app.button(key=f"brainstorm:{cell.id}:keep").click().run())
    (saved,) = runner.store.ideas.listed()
    assert (saved.idea.text, saved.run) == (cell.text, run.id)
    assert saved.origin == "keyword-1/model-1/idea-1 by openai:a"
    assert describe_origin(runner.store, saved.run, saved.origin) == "erosion, idea 1 by openai:a"
    assert describe_origin(runner.store, "deleted", saved.origin) == "keyword 1, idea 1 by openai:a"
    onward = next(link for link in links(app) if link.label == "Refine it")
    assert "Rate it" not in said(app), "its place is too narrow for both"
    entries_of_shelf(runner.store, (saved.id,), "Kept")
    ((entry, _),) = runner.store.entries.of(("Kept",))
    assert (entry.method, entry.model, entry.topic) == ("openai:a", "openai:a", "erosion")
    app = visit("refine", **dict(parse_qsl(onward.query_string)))
    assert app.text_area(key="refine:idea").value == cell.text
    assert app.text_area(key="refine:topic").value == "erosion"
    assert "no idea of its own called 'keyword-9" in said(
        visit("refine", **{"from": run.id, "cell": "keyword-9/model-1/idea-1"})
    )


def test_another_round_asks_the_same_anew(runner):
    run = settled_store(
        runner.store, keywords=("erosion",), models=MODELS, judges=MODELS, brainstorm=True
    )
    app = visit("benchmark", run=run.id)
    order = [one.label for one in app.button]
    assert order.index("Another round of the same") < order.index("Keep this idea"), (
        "above the ideas: the new round is seen from its beginning"
    )
    settled(app.button(key="brainstorm:again").click().run())
    fresh = next(one for one in runner.store.runs.listed(method="bench") if one.id != run.id)
    assert fresh.config.inputs == run.config.inputs
    assert fresh.config.seed != run.config.seed
    assert app.query_params["run"] == fresh.id


def test_it_becomes_a_benchmark_with_the_same_models(runner):
    run = settled_store(
        runner.store, keywords=("erosion",), models=MODELS, judges=MODELS, brainstorm=True
    )
    app = visit("benchmark", run=run.id)
    settled(app.button(key="brainstorm:bench").click().run())
    assert app.query_params["section"] == "new"
    assert app.multiselect(key="bench:models").value == list(MODELS)
    assert app.multiselect(key="bench:judges").value == list(MODELS)
