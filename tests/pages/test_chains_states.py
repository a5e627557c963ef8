"""Every state a chain can be in, seen: running, stopped, failed, waiting, a branch given up,
another source, hostile words ...
"""

import re

import pytest

from core.errors import ModelFailed, SourceFailed, Stopped
from core.methods.chain_of_ideas.editing import move
from core.records import NoveltyCheck, Run
from core.runs.leases import me
from core.story import Story
from tests.conftest import SmallSource
from tests.support.scripted import chain, runner_of, small_source, wide_script, wide_source
from tests.support.visiting import host, links, said, visit

LOUD = "<script>alert(1)</script> **bold** $x$ [a](http://b) :red[r] " + "long " * 60


@pytest.fixture
def runner(tmp_path, monkeypatch):
    runner, _ = runner_of(tmp_path, wide_script(), wide_source())
    host(monkeypatch, runner)
    return runner


def script(runner):
    return runner.workshop.named["scripted:one"].script


def begun(runner, state: str, **asked) -> Run:
    run = chain(runner, **({"topic": "sleep 2018", "branches": 3} | asked))
    assert runner.work(run.id) == state, runner.store.runs.get(run.id).reason
    return run


def live(runner, run: Run) -> None:
    """Make a run look as while somebody works on it."""
    runner.store.connections.write(
        "UPDATE runs SET state = 'running', owner = ?, heartbeat = 9e9, ended = NULL WHERE id = ?",
        me(),
        run.id,
    )


def graph(app) -> str:
    return app.get("plotly_chart")[0].proto.spec


def fails_for(kind, prompt, line, plain):
    """Answer a prompt like before, but fail for the branch that grew along this line."""

    def answer(request):
        return (
            kind("Gave no usable answer in 3 tries.")
            if request.values["chain"].papers[0].id.startswith(line)
            else plain[prompt](request)
        )

    return answer


def test_a_run_that_has_not_found_anything_yet_shows_its_lanes_and_what_it_does(runner):
    script(runner)["relevance"] = lambda _: Stopped("Stopped as asked.")
    run = begun(runner, "stopped")
    live(runner, run)
    runner.store.steps.write_partial(
        run.id,
        "branch-1/anchor-1/relevance",
        '{"reason": "It is ab',
        "",
        runner.store.runs.get(run.id).epoch,
    )
    app = visit("chains", run=run.id)
    assert "Looking for the paper this branch starts from." in said(app)
    assert "It is ab" in said(app)
    assert graph(app).count("no paper yet") == 3


def test_a_growing_run_shows_what_there_is_and_only_this_branch_being_written(runner):
    script(runner)["trend"] = lambda _: Stopped("Stopped as asked.")
    run = begun(runner, "stopped")
    live(runner, run)
    for n in (1, 2):
        runner.store.steps.write_partial(
            run.id,
            f"branch-{n}/trend",
            f'{{"summary": "Words of branch {n}"',
            "",
            runner.store.runs.get(run.id).epoch,
        )
    app = visit("chains", run=run.id, view="branch-2")
    assert "Words of branch 2" in said(app)
    assert "Words of branch 1" not in said(app)
    assert len(app.radio(key=f"chains:paper:{run.id}:2").options) == 5
    for view, words in (
        ("choice", "The ideas are compared once every branch has one"),
        ("map", "The map is drawn last"),
        ("experiment", "The experiment is designed for the idea that is chosen"),
    ):
        assert words in said(visit("chains", run=run.id, view=view))


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("queries", "Looking for papers to start from."),
        ("trend", "Ideas: 0 of 3 written, 0 checked for being published."),
        ("select", "Ideas: 3 of 3 written, 3 checked for being published."),
        ("experiment-design", "Designing the experiment."),
        ("design-review", "Finishing."),
    ],
)
def test_a_running_chain_says_what_it_is_at(runner, prompt, words):
    script(runner)[prompt] = lambda _: Stopped("Stopped as asked.")
    run = begun(runner, "stopped")
    if prompt != "queries":  # Without any paper a run at rest has another page.
        assert "No idea has been checked and chosen." in said(visit("chains", run=run.id))
    live(runner, run)
    app = visit("chains", run=run.id)
    assert words in said(app)
    assert "of about" in said(app)
    assert len(app.get("progress")) == 1


def test_the_views_are_the_same_from_start_to_end(runner):
    script(runner)["queries"] = lambda _: Stopped("Stopped as asked.")
    early = begun(runner, "stopped")
    live(runner, early)
    script(runner).update(wide_script())
    late = begun(runner, "done")
    offered = [
        visit("chains", run=run.id).button_group(key=f"chains:view:{run.id}").options
        for run in (early, late)
    ]
    assert (
        offered[0]
        == offered[1]
        == ["Branch 1", "Branch 2", "Branch 3", "Compare", "Choice", "Experiment", "Map"]
    )


def test_a_stopped_run_says_what_is_missing_and_can_go_on(runner):
    script(runner)["select"] = lambda _: Stopped("Stopped as asked.")
    run = begun(runner, "stopped")
    app = visit("chains", run=run.id, view="experiment")
    assert "The run ended before an experiment was designed." in said(app)
    assert [button.label for button in app.button if button.label == "Resume"]


def test_a_branch_lost_to_a_failure_says_so_and_the_others_stand(runner):
    script(runner)["trend"] = fails_for(ModelFailed, "trend", "light", wide_script())
    run = begun(runner, "done")
    app = visit("chains", run=run.id, view="branch-2")
    assert len(app.error) == 1
    assert (
        "Given up: Gave no usable answer in 3 tries. The other branches go on without it."
        in said(app)
    )
    assert "given up" in graph(app)
    assert "was given up: Gave no usable answer" in said(visit("chains", run=run.id, view="choice"))
    assert not visit("chains", run=run.id, view="branch-1").error


def test_a_branch_without_an_anchor_found_nothing_which_is_no_failure(runner):
    script(runner)["relevance"] = lambda request: {
        "relevant": request.values["paper"].id.startswith("memory"),
        "reason": "Because.",
    }
    script(runner)["queries"] = lambda _: {"queries": ["memory"]}
    runner.workshop.shelf_like = SmallSource(
        [one for one in wide_source().known.values() if one.id in ("memory2018", "memory2019")], {}
    )
    run = begun(runner, "done")
    app = visit("chains", run=run.id, view="branch-3")
    assert ":gray-badge[:material/search_off: Given up: nothing found] No further paper" in said(
        app
    )
    assert not app.error


def test_a_source_that_failed_is_no_nothing_found(runner):
    runner.workshop.shelf_like.down = True
    run = begun(runner, "failed")
    app = visit("chains", run=run.id)
    assert "did not answer" in said(app)
    assert "Nothing was found" not in said(app)
    assert any("topic=" in link.query_string for link in links(app)), (
        "a way to try again with the same topic"
    )


def test_nothing_found_is_no_failed_source(runner):
    runner.workshop.shelf_like = type(small_source())([], {})
    app = visit("chains", run=begun(runner, "failed").id)
    assert "Nothing was found" in said(app)
    assert ":gray-badge[:material/search_off: Nothing found]" in said(app)
    assert not app.error, "a topic that is not on the shelf is no failure"
    assert "did not answer" not in said(app)
    assert "Resume" not in said(app), "it would find nothing again"
    assert {"Change the topic, the source or the model and try again", "Connect a source"} <= {
        link.label for link in links(app)
    }


def test_a_direction_that_stopped_says_why_and_whether_a_source_failed(runner):
    def citations(paper, limit, before=None):
        raise SourceFailed("The source did not answer (503).")

    runner.workshop.shelf_like.citations = citations
    app = visit("chains", run=begun(runner, "done").id, view="branch-1")
    assert "Source failed. Forward: The source did not answer (503)." in said(app)
    assert len(app.warning) == 1


def test_the_novelty_cap_is_said_with_the_evidence_of_every_round(runner):
    script(runner).update(wide_script(similar=9))
    shown = said(visit("chains", run=begun(runner, "done", novelty_rounds=2).id))
    assert "After 2 rounds the idea still overlaps with published work; see the evidence." in shown
    for n in (1, 2):
        assert f"Novelty check, round {n}: :orange-badge[overlaps with one of" in shown
    assert "What overlaps: The same mechanism." in shown


def test_a_novelty_check_names_the_failed_source(runner):
    real = runner.workshop.shelf_like.search

    def search(query):
        if query.text == "sleep study":
            raise SourceFailed("The source did not answer (503).")
        return real(query)

    runner.workshop.shelf_like.search = search
    run = begun(runner, "done")
    assert Story.of(runner.store, run.id).last(NoveltyCheck).state == "source failed"
    shown = said(visit("chains", run=run.id))
    assert ":red-badge[not fully checked: a source failed (" in shown
    assert "queries not answered: The source did not answer (503)" in shown
    assert ":green-badge[not found" not in shown


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        (
            {
                "answered_by": "openalex",
                "instead_of": "semantic-scholar",
                "because": "It did not answer (503).",
            },
            r"OpenAlex answered \d+ times instead of Semantic Scholar: It did not answer (503).",
        ),
        (
            {"answered_by": ["library"], "failed": {"semantic-scholar|openalex": "Both are down."}},
            r"Semantic Scholar, then OpenAlex failed \d+ times, the other source answered:"
            r" Both are down.",
        ),
        (
            {
                "answered_by": ["library", "s"],
                "sources": {
                    "s": {
                        "answered_by": "openalex",
                        "instead_of": "semantic-scholar",
                        "because": "Refused.",
                    }
                },
            },
            r"OpenAlex answered \d+ times instead of Semantic Scholar: Refused.",
        ),
    ],
)
def test_another_source_that_answered_is_said_in_one_calm_line(runner, detail, words):
    runner.workshop.shelf_like.last = lambda: detail
    app = visit("chains", run=begun(runner, "done").id)
    found = [
        one
        for one in said(app).splitlines()
        if re.search(words.replace("(", r"\(").replace(")", r"\)"), one)
    ]
    assert len(found) == 1
    assert not app.warning


def test_a_chain_that_runs_against_time_says_where_and_why(runner):
    run = begun(runner, "done")
    settled = Story.of(runner.store, run.id).branches[0].chain
    fork = runner.fork_edited(run.id, "branch-1/chain", move(settled, "memory2017", 2))
    assert runner.work(fork.id) == "done"
    shown = said(visit("chains", run=fork.id, view="branch-1"))
    assert (
        "Out of date order: 'Sleep memory study 2017' (2017-05-01) came out before 'Sleep memory"
        " study 2019' (2019-05-01), which stands before it." in shown
    )


def test_a_run_that_waits_shows_its_questions_instead_of_a_button_to_resume(runner):
    run = begun(runner, "waiting", confirm=True, branches=2)
    app = visit("chains", run=run.id)
    assert "2 questions for you" in said(app)
    assert not [button for button in app.button if button.label == "Resume"]
    assert "It waits for your answer" in said(visit("runs", run=run.id))


@pytest.mark.parametrize("view", ["branch-1", "compare", "choice", "experiment", "map"])
def test_long_and_hostile_words_are_shown_as_text_everywhere(runner, view):
    loud = {
        name: one.model_copy(
            update={
                "title": f"{one.title} {LOUD}",
                "abstract": f"{one.abstract} {LOUD}",
                "venue": LOUD,
            }
        )
        for name, one in wide_source().known.items()
    }
    runner.workshop.shelf_like.known = loud
    plain = wide_script()
    for prompt, field in (
        ("select", "reason"),
        ("future", "direction"),
        ("draft", "method"),
        ("experiment-design", "setup"),
        ("relevance", "reason"),
    ):
        script(runner)[prompt] = lambda request, prompt=prompt, field=field: (
            plain[prompt](request) | {field: LOUD}
        )
    run = begun(runner, "done", topic=f"sleep 2018 {LOUD}")
    app = visit("chains", run=run.id, view=view)
    texts = [
        one.value
        for kind in (
            app.markdown,
            app.caption,
            app.info,
            app.error,
            app.warning,
            app.success,
            app.subheader,
        )
        for one in kind
    ]
    labels = [one.label for one in app.expander] + [
        option for one in app.radio for option in one.options
    ]
    assert any("script" in text for text in texts)
    for text in (*texts, *labels):
        assert "<script" not in text.replace(r"\<script", "")
        assert "](http" not in text.replace(r"\]\(http", "")
        assert ":red[r]" not in text.replace(r"\:red", "")


def test_a_run_of_a_deleted_kind_of_record_is_a_sentence(runner):
    run = begun(runner, "done")
    runner.store.connections.write(
        "UPDATE products SET data = '{\"no\": 1}' WHERE run = ? AND kind = 'Trend'", run.id
    )
    assert "another version of this program may have written" in said(visit("chains", run=run.id))


def test_an_idea_whose_check_broke_off_says_so_beside_the_others(runner):
    plain = script(runner)["novelty-verdict"]

    def verdict(request):
        if "light" in request.values["idea"].title:
            raise ModelFailed("The server is down.")
        return plain(request)

    script(runner)["novelty-verdict"] = verdict
    run = begun(runner, "done", branches=2, design=False)
    app = visit("chains", run=run.id, view="compare")
    assert "Not checked: The server is down." in said(app)
    assert "overlap" not in said(app)
