"""Starting chains on screen, and a finished one: everything that was asked for, and everything it
has to show.
"""

import pytest

from components.chains.paper import read_from
from components.chains.result import where_to_read
from components.runs import asking
from core.records import Compared, FullText, Link, Mention, NoveltyCheck, Paper, Reading
from core.records.literature import PaperIdea
from core.runs.catalogue import METHODS
from tests.support.scripted import (
    PAPERS,
    chain,
    chain_script,
    runner_of,
    small_source,
    wide_script,
    wide_source,
)
from tests.support.visiting import host, links, said, settled, visit


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, wide_script(), wide_source())
    host(monkeypatch, runner)
    monkeypatch.setattr(runner, "start", lambda run_id: None)
    for role in ("main", "cheap", "selector"):
        runner.store.places.choose(f"model-{role}", "scripted:one")
    return runner


def finished(runner, **asked):
    run = chain(runner, **({"topic": "sleep 2018", "branches": 3} | asked))
    assert runner.work(run.id) == "done", runner.store.runs.get(run.id).reason
    return run


def started(app, runner):
    """Press the button and return the run it began."""
    settled(app.button(key="chains:go").click().run())
    return runner.store.runs.listed()[0]


def test_an_empty_topic_gets_a_sentence_and_starts_nothing(runner):
    app = visit("chains")
    app.button(key="chains:go").click().run()
    assert "The topic is empty" in said(app)
    assert not runner.store.runs.listed()


def test_what_nobody_changed_starts_as_the_paper_has_it_and_opens_the_run(runner):
    app = visit("chains", topic="sleep memory 2018")
    run = started(app, runner)
    asked = METHODS["chain"].inputs(topic="sleep memory 2018").model_dump(mode="json")
    assert run.config.inputs == asked
    assert run.config.source == "shelf"
    assert app.query_params["run"] in (run.id, [run.id])


def test_everything_a_chain_can_be_asked_for_can_be_asked_for_here(runner):
    app = visit("chains", topic="sleep")
    for key, value in {
        "branches": 2,
        "length": 4,
        "milestone": 500,
        "rounds": 2,
        "refinements": 3,
    }.items():
        app.number_input(key=f"chains:{key}").set_value(value)
    app.text_area(key="chains:ban").set_value("arxiv:2201.11903\ndoi:10.1000/xyz")
    app.date_input(key="chains:before").set_value("2024-06-01")
    app.checkbox(key="chains:confirm").check()
    app.checkbox(key="chains:full-text").uncheck()
    app.button_group(key="chains:without").set_value(["future", "entities"])
    app.selectbox(key="chains:source").set_value("semantic-scholar|openalex")
    run = started(app, runner)
    assert run.config.inputs == {
        "topic": "sleep",
        "branches": 2,
        "length": 4,
        "milestone": 500,
        "novelty_rounds": 2,
        "refinements": 3,
        "before": "2024-06-01",
        "ban": ["arxiv:2201.11903", "doi:10.1000/xyz"],
        "confirm": True,
        "full_text": False,
        "without": ["future", "entities"],
        "anchors": [],
        "design": True,
    }
    assert run.config.source == "semantic-scholar|openalex"


def test_the_choosing_model_is_the_main_one_unless_another_is_taken(runner, monkeypatch):
    monkeypatch.setattr(asking, "known_models", lambda role: ["scripted:two"])
    runner.store.places.choose("model-selector", "")
    runner.workshop.named["scripted:two"] = runner.workshop.named["scripted:one"]
    app = visit("chains", topic="sleep")
    assert app.selectbox(key="chains:model-selector").value == "as the main model"
    app.selectbox(key="chains:model-main").set_value("scripted:two")
    assert started(app, runner).config.models == {
        "main": "scripted:two",
        "cheap": "scripted:one",
        "selector": "scripted:two",
        "novelty": "scripted:two",
    }


def test_the_estimate_is_there_before_the_start_and_follows_what_is_asked(runner):
    app = visit("chains")
    assert "Estimated: usually 61 model calls, at most " in said(app)
    app.number_input(key="chains:branches").set_value(1).run()
    assert "Estimated: usually 21 model calls, at most " in said(app)


def test_what_the_built_in_model_cannot_do_is_said_before_the_start(runner, monkeypatch):
    class Poor:
        def answers(self, prompt):
            return prompt not in ("select", "design-review", "direct-idea")

    monkeypatch.setattr(runner.workshop, "builtin", Poor)
    for role in ("main", "cheap", "selector"):
        runner.store.places.choose(f"model-{role}", "builtin")
    app = visit("chains")
    assert (
        "cannot do this part: choosing between branches, the review of the experiment design"
        in said(app)
    )
    app.number_input(key="chains:branches").set_value(1)
    app.checkbox(key="chains:design").uncheck().run()
    assert "cannot do this part" not in said(app)


def test_look_ups_are_no_chains_and_no_work(runner):
    run = finished(runner)
    find = METHODS["find"].inputs(topic="10.1000/xyz")
    lookup = runner.begin(
        runner.workshop.config("find", find, models={"main": "scripted:one"}),
        "Somebody looked it up",
    )
    here = [link.query_string for link in links(visit("chains"))]
    assert f"run={run.id}" in here
    assert f"run={lookup.id}" not in here
    assert "Somebody looked it up" not in str(links(visit("runs")))
    app = visit("runs")
    app.toggle(key="runs:lookups").set_value(True).run()
    assert "Somebody looked it up" in str(links(app))


def test_a_finished_chain_opens_at_the_chosen_branch_with_all_it_has(runner):
    shown = said(visit("chains", run=finished(runner).id))
    for text in (
        "Finished",
        "Branch 1 :green-badge[:material/check: chosen]",
        "It goes on.",
        "Direction 1",
        "Idea 1 from memory2016",
        "Novelty check, round 1",
        "nap",
        "Draft",
        "Not found among 20 papers searched in Built-in papers",
        "Refine this idea",
    ):
        assert text in shown, text
    assert "Idea 1 from light2016" not in shown


def test_everything_that_was_asked_for_is_shown_with_the_run(runner):
    run = finished(
        runner,
        before="2022-01-01",
        ban=("x1",),
        without=("entities",),
        milestone=700,
        novelty_rounds=2,
        full_text=False,
    )
    shown = said(visit("chains", run=run.id))
    for text in (
        "3 branches of at most 5 papers · Built-in papers · before 2022-01-01",
        "sleep 2018",
        "2022-01-01",
        "x1",
        "the entities",
        "more than 700 citations",
        "at most 2",
        "abstracts serve",
        "reviewed and refined once",
        "Selector model",
        "scripted:one",
        "1,000,000 tokens",
    ):
        assert text in shown, text


def test_a_paper_says_where_it_stands_and_what_else_could_stand_there(runner):
    def relevance(request):
        return {
            "relevant": request.values["paper"].id != "rival",
            "reason": f"About {request.values['paper'].id}.",
        }

    source = wide_source()
    nearer = {
        "id": "rival",
        "title": "A rival",
        "abstract": source.known["memory2018"].abstract,
        "published": "2019-02-01",
    }
    source.known["rival"] = source.known["memory2019"].model_copy(update=nearer)
    source.cites["rival"] = ["memory2018"]
    runner.workshop.shelf_like = source
    runner.workshop.named["scripted:one"].script["relevance"] = relevance
    shown = said(visit("chains", run=finished(runner).id, view="branch-1", paper="memory2019"))
    assert "Sleep and memory in athletes, part 2019." in shown
    assert "Other candidates for this place (1 of 2 found)" in shown
    assert "**A rival** (2019): not relevant. About rival." in shown
    assert "Abstract only: no PDF." in shown


def test_a_paper_on_the_way_back_says_how_it_is_cited_and_how_the_others_are(runner):
    source = wide_source()
    source.known["rival"] = source.known["memory2016"].model_copy(
        update={"id": "rival", "title": "A rival of the paper that was taken"}
    )
    source.cites["memory2018"] = ["memory2017", "rival"]
    source.how = {
        ("memory2018", "memory2017"): Mention(
            contexts=("We build on **their** naps [1].",), influential=True
        ),
        ("memory2018", "rival"): Mention(contexts=("Others nap [2].",), intents=("background",)),
    }
    runner.workshop.shelf_like = source
    runner.workshop.named["scripted:one"].script["choose-reference"] = lambda r: {
        "id": next(
            (one.id for one in r.values["references"] if one.how.influential),
            r.values["references"][0].id,
        ),
        "reason": "It builds on it.",
    }
    app = visit("chains", run=finished(runner).id, view="branch-1", paper="memory2017")
    assert (
        "*How the paper after cites it:* influential for the citing paper · “We build on **their**"
        " naps [1].”" in said(app)
    )
    assert "  - cited for background · “Others nap [2].”" in said(app)
    assert any(r"\*\*their\*\*" in one.value for one in app.markdown), (
        "what a stranger wrote is no markup"
    )


@pytest.mark.parametrize(
    ("text", "reading", "words"),
    [
        (FullText(state="read", pages=12), True, "Read from 12 pages of full text."),
        (FullText(state="no PDF"), True, "Abstract only: no PDF."),
        (
            FullText(state="failed", reason="It is HTML."),
            True,
            "Abstract only: the PDF could not be used: It is HTML.",
        ),
        (None, True, "Read from its abstract."),
        (None, False, "Not read (yet): its idea and experiments are not extracted."),
    ],
)
def test_a_paper_says_what_it_was_read_from(text, reading, words):
    assert (
        read_from(
            Link(
                paper=PAPERS[0],
                hop="anchor",
                text=text,
                reading=Reading(idea=PaperIdea()) if reading else None,
            )
        )
        == words
    )


def test_one_branch_is_called_the_chain_and_has_nothing_to_choose(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, chain_script(), small_source())
    host(monkeypatch, runner)
    run = finished(runner, topic="sleep memory 2018", branches=1, design=False)
    app = visit("chains", run=run.id)
    assert app.button_group(key=f"chains:view:{run.id}").options == ["The chain", "Compare", "Map"]
    assert len(app.radio(key=f"chains:paper:{run.id}:1").options) == 5


def test_the_nearest_paper_can_be_read_where_it_is_one_of_the_chains_own():
    own = Paper(id="a", title="Naps", doi="10.1/naps", source="shelf")
    compared = Compared(id="a", title="Naps", year=2020, similarity=0.8)
    check = NoveltyCheck(
        round=1, searches=(), state="novel", reason="It is new.", compared=(compared,)
    )
    assert where_to_read(check, (own,)) == "[DOI](https://doi.org/10.1/naps)"
    assert where_to_read(check, ()) == ""
